//! A game of Choker with cards on readers and pieces on a board: the real card service with virtual readers, and a
//! simulated DGT board behind a pseudo-terminal.
#![cfg(all(target_os = "linux", feature = "pcsc"))]

use std::path::Path;

use crate::child::{Table, name, printed, tabiya, text};
use crate::club_game::{BETTING, PLACED, deck, number};
use crate::live_board::{BEFORE_CHOKER, Hands as _, QUICK, one_game};
use crate::pcscd::{Pcscd, alone};
use crate::virtual_reader::{blank, id, lay, uid, written};
use rusqlite::Connection;
use serde_json::Value;
use tabiya_boards::sim_host::{SimHost, SimOptions};
use tabiya_cards::CardId;
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_store::journal::{Journal, NewEntry};
use tabiya_types::{CardFace, Color, Pack};

fn import(folder: &Path) {
    let file = folder.join("club.json");
    std::fs::write(&file, deck(uid).file()).unwrap();
    let done = tabiya(&["deck", "import", name(&file)]);
    assert!(done.status.success(), "{}", text(&done.stderr));
}

#[test]
fn cards_are_tapped_and_pieces_placed() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["W", "B"]);
        import(folder);
        let (link, record) = (folder.join("board"), folder.join("game.tabiya"));
        let mut options =
            SimOptions { link: Some(link.clone()), profile: QUICK, stdin: false, ..SimOptions::default() };
        options.setup.board = BEFORE_CHOKER.parse().unwrap();
        let board = SimHost::start(&options, |_| {}).unwrap();
        let address = format!("dgt:{}", name(&link));
        let mut table = one_game(&address, &record, &["--deck", "Club"]);
        table.hear("connected: ");
        table.hear("cards are read from now on");
        // If a card is tapped when no card is to be turned over, its face stays hidden.
        let early = lay(folder, "W", written(number('Q', 4)));
        table.hear("no card is to be turned over now");
        early.lift();
        for (typed, told) in BETTING {
            table.enter_and_hear(typed, told);
        }
        let foreign = lay(folder, "W", blank(99));
        table.hear("this is not a card of this deck");
        foreign.lift();
        for (nth, (letter, white, black)) in PLACED.into_iter().enumerate() {
            // Each player's fifth card is a pawn again. It is another card of the deck than the player's first pawn.
            let copy = if nth == 4 { 3 } else { 1 };
            let turns = [
                (Color::White, "W", white, letter, copy),
                (Color::Black, "B", black, letter.to_ascii_lowercase(), copy + 1),
            ];
            for (by, reader, at, piece, copy) in turns {
                if nth == 1 && by == Color::White {
                    // By now the table has learned which reader belongs to which player. So it refuses a card on the
                    // other player's reader.
                    let other = lay(folder, "B", written(number(letter, copy)));
                    table.hear("the other player's reader");
                    other.lift();
                }
                let card = lay(folder, reader, written(number(letter, copy)));
                table.hear("over");
                board.put(at, piece, by);
                table.hear(&format!(" on {at}"));
                card.lift();
            }
        }
        // Typed commands still work when the card service has ended.
        service.kill();
        table.hear("card readers: ");
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
        assert!(!heard.iter().any(|line| line.contains("0411") && line.contains("queen")), "{heard:?}");
        let report: Value = serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
        for side in ["white", "black"] {
            assert_eq!(report["games"][0]["hands"][side]["cards"], "QRBPP");
        }
        let lines = printed(&["export", name(&record)], 0);
        assert_eq!(lines.matches(r#""how":"read","copy""#).count(), 10, "{lines}");
        // The record contains neither the UID nor the id of a card.
        assert!(!lines.contains(&uid(1).to_string()) && !lines.contains(&id(1).to_string()));
    });
}

/// The cards of both hands in the order of the deal, each as its face and its number among the cards with this face. On
/// the three streets the cards go to W B W B, B W B W and W B (W for White, B for Black).
const DEALT: [(char, u8); 10] =
    [('Q', 1), ('Q', 2), ('R', 1), ('R', 2), ('B', 2), ('B', 1), ('P', 2), ('P', 1), ('P', 3), ('P', 4)];

/// Deals a street by laying its cards on the reader `D`, then bets.
fn deal_street(folder: &Path, table: &mut Table, street: usize) {
    let (first, count) = [(0, 4), (4, 4), (8, 2)][street];
    for (nth, (letter, copy)) in (1..).zip(&DEALT[first..first + count]) {
        let card = lay(folder, "D", written(number(*letter, *copy)));
        table.hear(&format!("card {nth} of {count} is dealt"));
        card.lift();
    }
    table.hear("the cards are dealt");
    let bets = if street == 0 { ["call", "check"] } else { ["check", "check"] };
    for bet in bets {
        table.enter_and_hear(bet, "> ");
    }
}

/// Asserts that no file in the folder contains the face of a hidden card.
fn no_file_shows_a_face(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let bytes = std::fs::read(entry.path()).unwrap();
        let clear = bytes.windows(3).any(|part| matches!(part, [b'"', b'Q' | b'R', b'"']));
        assert!(!clear || entry.file_name() == "club.json", "{}", entry.file_name().display());
    }
}

/// Asserts that the key opens only the match's own record with all its lines, whatever is appended to a copy.
fn the_key_opens_no_forged_copy(record: &Path, folder: &Path) {
    let (copy, moved) = (folder.join("x.tabiya"), folder.join("moved.tabiya"));
    let last = |path: &Path| Journal::open_read(path).unwrap().matches().unwrap().pop().unwrap();
    let forge = |path: &Path| {
        let info = last(path);
        let lines = [
            r#""do":"end-match","by":"arbiter","reason":"x""#,
            r#""do":"consent","by":"white""#,
            r#""do":"consent","by":"black""#,
        ];
        let t = 9_999_999;
        let entries = lines.map(|line| NewEntry { t, line: format!(r#"{{"t":{t},{line}}}"#) });
        let mut journal = Journal::open(path).unwrap();
        journal.append(info.id, &entries).unwrap();
        journal.close().unwrap();
    };
    let is_closed = |path: &Path, why: &str| {
        for arguments in
            [&["hands", name(path)][..], &["hands", name(path), "--reason", "y"], &["export", name(path)]]
        {
            let done = tabiya(arguments);
            let (out, errors) = (text(&done.stdout), text(&done.stderr));
            assert!(errors.contains(why), "{arguments:?}: {out} {errors}");
            assert!(!out.contains("\"Q\"") && !out.contains("Q R"), "{arguments:?}: {out}");
        }
    };
    std::fs::copy(record, &copy).unwrap();
    is_closed_without_a_trace(&copy, record);
    forge(&copy);
    is_closed(&copy, "open only in its own record");
    assert_eq!(printed(&["verify", name(&copy)], 0).matches("not checked").count(), 1);
    // The original is out of the way, but the copy lacks lines of it.
    std::fs::rename(record, &moved).unwrap();
    std::fs::copy(&moved, folder.join("short.tabiya")).unwrap();
    let short = folder.join("short.tabiya");
    let conn = Connection::open(&short).unwrap();
    without_triggers(&conn, |conn| {
        conn.execute("DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)", []).unwrap();
        conn.execute("DELETE FROM moment", []).unwrap();
    });
    drop(conn);
    forge(&short);
    is_closed(&short, "open only in its own record");
    // The record under another name opens nothing either.
    let closed = tabiya(&["hands", name(&moved)]);
    assert!(text(&closed.stderr).contains("not yet agreed"), "{}", text(&closed.stderr));
    std::fs::rename(&moved, record).unwrap();
    for path in [&copy, &short] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Changes a record while the triggers that protect its lines are out of the way.
fn without_triggers(conn: &Connection, change: impl FnOnce(&Connection)) {
    let mut query = conn.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
    let triggers =
        query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let triggers: Vec<(String, String)> = triggers.map(Result::unwrap).collect();
    for (name, _) in &triggers {
        conn.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    change(conn);
    for (_, sql) in &triggers {
        conn.execute_batch(sql).unwrap();
    }
}

/// Asserts that a ruling in a copy opens nothing: the original would not know of it.
fn is_closed_without_a_trace(copy: &Path, original: &Path) {
    let before = std::fs::read(original).unwrap();
    let refused = tabiya(&["hands", name(copy), "--reason", "curious"]);
    let errors = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && errors.contains(name(original)), "{errors}");
    assert_eq!(std::fs::read(original).unwrap(), before);
}

#[test]
fn a_deal_over_the_dealers_reader_is_sealed_until_both_agree() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["D"]);
        import(folder);
        let record = folder.join("game.tabiya");
        let begin = |more: &[&str]| {
            let mut arguments =
                vec!["play", "--plain", "--record", name(&record), "--deck", "Club", "--read-deals"];
            arguments.extend(more);
            let mut table = Table::start(&arguments);
            table.hear("cards are read from now on");
            table
        };
        let left = |table: Table| {
            let (status, heard, errors) = table.quit();
            assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
            let mut after_terms = heard.iter().skip_while(|line| !line.contains("cards are read"));
            let faces = ["queen", "rook", "bishop", "knight", "pawn"];
            assert!(!after_terms.any(|line| faces.iter().any(|face| line.contains(face))), "{heard:?}");
        };
        let mut table = begin(&["--games", "1", "--players", "Ann,Bo"]);
        table.enter_and_hear("code white 471147", "White has chosen a code");
        table.enter_and_hear("code black secret", "Black has chosen a code");
        deal_street(folder, &mut table, 0);
        left(table);
        no_file_shows_a_face(folder);
        // The players have not agreed yet to show the hands, so nobody may see them.
        let refused = tabiya(&["hands", name(&record)]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains("not yet agreed: Ann and Bo"), "{}", text(&refused.stderr));
        the_key_opens_no_forged_copy(&record, folder);
        // A match that is carried on seals its cards with the same key.
        let mut table = begin(&["--carry-on"]);
        deal_street(folder, &mut table, 1);
        deal_street(folder, &mut table, 2);
        table.enter_and_hear("open Black's hand is disputed", "`tabiya hands`");
        // The arbiter may see the hands while the table runs.
        let hands = printed(&["hands", name(&record)], 0);
        assert!(hands.contains("White (Ann) Q R B P P; Black (Bo) Q R B P P"), "{hands}");
        let held = tabiya(&["hands", name(&record), "--reason", "again"]);
        assert!(held.status.code() == Some(2) && text(&held.stderr).contains("`open 1 REASON`"));
        left(table);
        no_file_shows_a_face(folder);
        let exported = printed(&["export", name(&record)], 0);
        assert!(exported.contains(r#""cards":{"white":["?","?"],"black":["?","?"]}"#), "{exported}");
        assert!(!exported.contains("x-sealed"), "{exported}");
        // The export shows a card that was turned over, with the proof for its seal, and no other card.
        let mut table = begin(&["--carry-on"]);
        let card = lay(folder, "D", written(number('R', 1)));
        table.hear("White turns a rook over");
        card.lift();
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
        let shown = folder.join("shown.jsonl");
        let exported = printed(&["export", name(&record)], 0);
        assert!(exported.contains(r#""cards":{"white":["?","R"],"black":["?","?"]}"#), "{exported}");
        std::fs::write(&shown, &exported).unwrap();
        printed(&["verify", name(&shown)], 0);
        // The match ends, and both players agree to show all cards.
        let mut table = begin(&["--carry-on"]);
        table.enter_and_hear("resign white", "resign");
        table.enter_and_hear("yes", "resign");
        // One keyboard does not agree for both: each player has his own code.
        for color in ["White", "Black"] {
            let typed = format!("consent {}", color.to_lowercase());
            table.enter_and_hear(&typed, &format!("{color} shows that he agrees"));
            table.enter_and_hear(&format!("{typed} 0000"), &format!("not the code that {color} has chosen"));
        }
        table.enter_and_hear("consent white 471147", "White agrees");
        table.enter_and_hear("consent black secret", "Black agrees");
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
        let opened = printed(&["export", name(&record)], 0);
        assert!(opened.contains(r#""cards":{"white":["Q","R"],"black":["Q","R"]}"#), "{opened}");
        assert!(!opened.contains("x-sealed"), "{opened}");
        let checked = folder.join("opened.jsonl");
        std::fs::write(&checked, &opened).unwrap();
        printed(&["verify", name(&checked)], 0);
        let json: Value = serde_json::from_str(&printed(&["hands", name(&record), "--json"], 0)).unwrap();
        assert_eq!(json["games"][0]["dealt"]["white"], "QRBPP", "{json}");
        printed(&["verify", name(&record)], 0);
        // Without the key, the record can still be exported. The export has the same hash, but the cards in it stay
        // sealed.
        std::fs::remove_dir_all(folder.join("data").join("keys")).unwrap();
        let closed = tabiya(&["export", name(&record)]);
        let (closed, told) = (text(&closed.stdout), text(&closed.stderr));
        assert!(told.contains("the key to this match's sealed cards is not on this computer"), "{told}");
        assert!(!closed.contains("x-sealed") && !closed.contains(r#"["Q""#), "{closed}");
        let hash = |text: &str| text.lines().last().unwrap().to_owned();
        assert_eq!(hash(&closed), hash(&opened));
        let refused = tabiya(&["hands", name(&record)]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains("the key to this match's sealed cards"));
        drop(service);
    });
}

/// A deck of PokerDrez. Its UIDs and the ids written on its cards count from 1, in the order of the faces.
fn drez_deck() -> Deck {
    let pack = Pack::PokerDrez;
    let copies = |face| (1..=pack.count(face)).filter_map(move |copy| Face::new(pack, face, copy));
    let cards = pack.faces().flat_map(copies).zip(1..);
    let cards = cards.map(|(face, nth)| DeckCard { uid: uid(nth), id: Some(CardId([nth; 16])), face });
    Deck::new(pack, CardId([201; 16]), "Drez", "2026-11-25", cards.collect()).unwrap()
}

/// The number of a card in the deck of [`drez_deck`].
fn drez_number(letter: char, copy: u8) -> u8 {
    let face = CardFace::from_letter(letter).unwrap();
    let before = Pack::PokerDrez.faces().take_while(|other| *other != face);
    before.map(|face| Pack::PokerDrez.count(face)).sum::<u8>() + copy
}

#[test]
fn the_cards_of_pokerdrez_are_tapped_and_hidden_ones_sealed() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let file = folder.join("drez.json");
        std::fs::write(&file, drez_deck().file()).unwrap();
        import(folder);
        printed(&["deck", "import", name(&file)], 0);
        assert!(printed(&["deck", "show", "Drez"], 0).contains("pack: pokerdrez"));
        let record = folder.join("drez.tabiya");
        let play = ["play", "--plain", "--game", "pokerdrez", "--record", name(&record), "--games", "1"];
        // A deck of another game, or of another size, is refused before anything is written.
        for (more, told) in
            [(&["--deck", "Club"][..], "needs a deck of 56"), (&["--deck", "Drez", "--decks", "2"], "of 112")]
        {
            let refused = tabiya(&[&play[..], more].concat());
            assert_eq!(refused.status.code(), Some(2));
            assert!(text(&refused.stderr).contains(told), "{}", text(&refused.stderr));
            assert!(!record.exists());
        }
        let mut table = Table::start(&[&play[..], &["--deck", "Drez", "--read-deals"]].concat());
        table.hear("cards are read from now on");
        let tap = |table: &mut Table, letter: char, copy: u8, told: &str| {
            let card = lay(folder, "R", written(drez_number(letter, copy)));
            table.hear(told);
            card.lift();
        };
        for (nth, (letter, copy)) in (1..).zip([('N', 1), ('P', 9), ('R', 8), ('J', 1)]) {
            tap(&mut table, letter, copy, &format!("card {nth} of 9 is dealt"));
        }
        for (letter, copy, told) in
            [('P', 1, "pawn"), ('Q', 2, "queen"), ('B', 1, "bishop"), ('R', 9, "rook")]
        {
            tap(&mut table, letter, copy, told);
        }
        let foreign = lay(folder, "R", blank(99));
        table.hear("this is not a card of this deck");
        foreign.lift();
        tap(&mut table, 'X', 1, "the cards are dealt; open: pawn, queen, bishop, rook, neutral card");
        tap(&mut table, 'P', 1, "White lays a pawn from the row");
        table.enter_and_hear("e4", "e4");
        tap(&mut table, 'Q', 7, "a reader tells drawn cards");
        tap(&mut table, 'R', 8, "White puts a rook into the row");
        table.enter_and_hear("press white", "Black");
        tap(&mut table, 'P', 1, "was used before in this game");
        tap(&mut table, 'J', 1, "Black lays a joker from the hand");
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
        assert!(!heard.iter().any(|line| line.contains("knight")), "an own card stays hidden: {heard:?}");
        let exported = printed(&["export", name(&record)], 0);
        assert!(exported.contains(r#""from":"common","how":"read","copy":1"#), "{exported}");
        // Of the hidden cards the export names those that were shown.
        assert!(exported.contains(r#""white":["?","R"],"black":["?","J"]"#), "{exported}");
    });
}
