//! `tabiya cards` and `tabiya deck` as people use them: the real program, the real card service, virtual readers.
#![cfg(all(target_os = "linux", feature = "pcsc"))]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::child::{Table, name, signal, tabiya, text};
use crate::pcscd::{Pcscd, alone};
use crate::virtual_reader::{blank, id, lay, lay_faulty, uid, written};
use crate::wait::wait_until;
use tabiya_app::desk::{self, CardWish, Desk, Environment, Wish};
use tabiya_app::view::WorkStep;
use tabiya_cards::sim::{SimulatedTag, TagFaults};
use tabiya_types::{Card, Pack, Seat};

/// The faces of a whole deck, in a shuffled order.
const LETTERS: &str = "PRBNQPPRBNPPRBNPQPRBNPPRBNPPRBNPQPRBNPQRBNPP";

/// Runs the program to its end. Returns the exit status, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let done = tabiya(arguments);
    (done.status.code().unwrap(), text(&done.stdout), text(&done.stderr).trim_end().to_owned())
}

/// Enrols a deck card by card, and returns the cards as they are then.
fn enrol(folder: &Path, arguments: &[&str]) -> Vec<SimulatedTag> {
    let mut tool = Table::start(&[&["deck", "enrol"], arguments].concat());
    tool.hear("card reader: R 00 00");
    tool.hear("0 of 44: lay down the next card");
    let mut cards = Vec::new();
    for (nth, letter) in (1..=44_u8).zip(LETTERS.chars()) {
        let card = lay(folder, "R", blank(nth));
        tool.hear("which card is it?");
        tool.enter(&letter.to_string());
        if nth < 44 {
            tool.hear(&format!("{nth} of 44: lay down"));
        }
        cards.push(card.lift());
    }
    tool.hear("lay all cards down once more");
    for (nth, card) in (1..=44).zip(cards.iter().rev()) {
        let card = lay(folder, "R", card.clone());
        tool.hear(&format!("{nth} of 44"));
        card.lift();
    }
    tool.hear("is complete");
    let (status, lines, errors) = tool.end();
    assert_eq!(status.code(), Some(0), "{errors}");
    assert!(!lines.iter().any(|line| line.contains("queen")), "{lines:?}");
    cards
}

#[test]
fn a_deck_is_written_checked_audited_mended_and_taken_along() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let cards = enrol(folder, &["Club"]);
        // A card does not contain its face, and only the owner may read the deck's file.
        assert_eq!(cards[0].page(4), Some([0x03, 0x27, 0xD4, 0x13]));
        let file = fs::read_dir(folder.join("data/decks")).unwrap().next().unwrap().unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            run(&["deck", "list"]).1.trim_end().split(", made").next(),
            Some("Club: 44 written cards")
        );
        assert!(!run(&["deck", "show", "Club"]).1.contains("queen"));
        let (status, _, said) = run(&["deck", "enrol", "Club"]);
        assert_eq!((status, &*said), (2, "a deck is called `Club` already; choose another name"));

        // One card of the deck is never laid down. Instead, two other cards are: one that belongs to no deck, and a
        // copy.
        let mut tool = Table::start(&["deck", "audit", "Club"]);
        tool.hear("card reader");
        for card in cards.iter().skip(1).rev() {
            let card = lay(folder, "R", card.clone());
            tool.hear("of 44");
            card.lift();
        }
        let mut copy = blank(99);
        (4..=14).for_each(|page| copy.set(page, cards[0].page(page).unwrap()));
        for (card, wanted) in [(blank(98), "not a card of this deck"), (copy, "a copy of a card")] {
            let card = lay(folder, "R", card);
            tool.hear(wanted);
            card.lift();
        }
        let (status, heard, errors) = tool.quit();
        assert_eq!(status.code(), Some(1));
        assert!(errors.starts_with("missing: P1; find them"), "{errors}");
        // The screen shows no UIDs, because others may see it and recognise a card by its UID.
        let told = |nth| heard.iter().any(|line| line.contains(&uid(nth).to_string()));
        assert!(!told(98) && !told(99), "{heard:?}");

        // The second card with a rook is bent and is replaced. The other seven rooks are laid down, so the program can
        // find out which of the eight is replaced.
        let rooks = || LETTERS.chars().zip(&cards).filter(|(letter, _)| *letter == 'R').map(|(_, card)| card);
        let mut tool = Table::start(&["deck", "replace", "Club", "R"]);
        tool.hear("the other 7 cards");
        for (nth, rook) in rooks().enumerate().filter(|(nth, _)| *nth != 1) {
            let card = lay(folder, "R", rook.clone());
            tool.hear(if nth == 7 { "lay down the new card" } else { "of 7" });
            card.lift();
        }
        let card = lay(folder, "R", blank(60));
        tool.hear("the new card is in the deck");
        let new = card.lift();
        assert_eq!(tool.end().0.code(), Some(0));
        let mut tool = Table::start(&["deck", "audit", "Club"]);
        tool.hear("card reader");
        let bent = lay(folder, "R", rooks().nth(1).unwrap().clone());
        tool.hear("not a card of this deck");
        bent.lift();
        let card = lay(folder, "R", new);
        tool.hear("1 of 44");
        card.lift();
        drop(tool);

        // The deck is exported, as if for another computer. Then its file here is deleted, and the deck is imported
        // back.
        let taken = folder.join("club.json");
        assert_eq!(run(&["deck", "export", "Club", name(&taken)]).0, 0);
        assert_eq!(fs::metadata(&taken).unwrap().permissions().mode() & 0o777, 0o600);
        let (status, _, said) = run(&["deck", "export", "Club", name(&taken)]);
        assert!(status == 2 && said.ends_with("already exists; name another file"), "{said}");
        let (status, _, said) = run(&["deck", "import", name(&taken)]);
        assert!(status == 2 && said.contains("already exists under the name `Club`"), "{said}");
        fs::remove_file(fs::read_dir(folder.join("data/decks")).unwrap().next().unwrap().unwrap().path())
            .unwrap();
        assert_eq!(run(&["deck", "import", name(&taken)]).1.trim_end(), "Club: imported, 44 written cards");
    });
}

#[test]
fn slips_are_refused_taken_back_and_tried_again() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Club"]);
        tool.hear("0 of 44: lay down the next card");
        tool.enter_and_hear("Q", "does not ask for this now");
        tool.enter_and_hear("undo", "nothing to take back");
        tool.enter_and_hear("K", "type one letter");
        // These are laid on the reader: a telephone, then a card that is lifted too soon and laid down again, then a
        // card that is already in the deck.
        let phone = SimulatedTag::new(
            tabiya_cards::sim::TagKind::Ntag213,
            tabiya_cards::Uid::new(&[8, 1, 2, 3]).unwrap(),
        );
        let card = lay(folder, "R", phone);
        tool.hear("a telephone");
        card.lift();
        let torn =
            lay_faulty(folder, "R", blank(1), TagFaults { vanish_at_write: Some(3), ..TagFaults::default() });
        tool.hear("lifted before it was written");
        let card = lay(folder, "R", torn.lift());
        tool.hear("which card is it?");
        tool.enter_and_hear("q", "1 of 44");
        let card = lay(folder, "R", card.lift());
        tool.hear("in the deck already");
        card.lift();
        let mut locked = blank(2);
        locked.write(2, [0, 0, 0xF8, 0xFF]).unwrap();
        let card = lay(folder, "R", locked);
        tool.hear("locked or protected");
        card.lift();
        let card = lay(folder, "R", blank(3));
        tool.hear("which card is it?");
        tool.enter_and_hear("undo", "1 of 44: lay down");
        tool.enter_and_hear("undo", "0 of 44: lay down");
        card.lift();
        let (status, _, errors) = tool.quit();
        assert_eq!(status.code(), Some(2));
        assert!(
            errors.starts_with("0 of 44 cards were enrolled, so nothing was saved; enrol the deck again"),
            "{errors}"
        );
        assert_eq!(
            run(&["deck", "list"]).1.trim_end(),
            "there is no deck yet: `tabiya deck enrol NAME` makes one"
        );
    });
}

#[test]
fn adopted_cards_are_asked_for_by_face_and_stay_as_they_are() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Tickets", "--adopt", "--asked"]);
        for nth in 1..=44_u8 {
            let asked = tool.hear(&format!("{} of 44: lay down a ", nth - 1));
            if nth == 21 {
                // Stop the program, as a power cut would. Enrolling continues with the same order of faces.
                drop(tool);
                tool = Table::start(&["deck", "enrol", "Tickets"]);
                tool.hear("20 of 44 cards of this deck were enrolled before; now lay down the others");
                assert_eq!(tool.hear("20 of 44: lay down a "), asked);
            }
            lay_and_lift(folder, &mut tool, nth, if nth < 44 { "" } else { "once more" });
        }
        for nth in 1..=44_u8 {
            let card = lay(folder, "R", blank(nth));
            tool.hear(&format!("{nth} of 44"));
            card.lift();
        }
        tool.hear("is complete");
        assert_eq!(tool.end().0.code(), Some(0));
        assert_eq!(run(&["deck", "list"]).1.lines().count(), 1, "no draft is left");
        assert!(run(&["deck", "list"]).1.starts_with("Tickets: 44 adopted cards"));
    });
}

#[test]
fn an_enrolment_that_was_interrupted_goes_on_where_it_stood() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Club"]);
        tool.hear("0 of 44: lay down the next card");
        let mut cards = Vec::new();
        for (nth, letter) in (1..=3_u8).zip(["q", "R", "p"]) {
            let card = lay(folder, "R", blank(nth));
            tool.hear("which card is it?");
            tool.enter_and_hear(letter, &format!("{nth} of 44: lay down the next card"));
            cards.push(card.lift());
        }
        // The fourth card is written and has no face yet.
        let fourth = lay(folder, "R", blank(4));
        tool.hear("which card is it?");
        let fourth = fourth.lift();
        tool.kill();
        let begun = fs::read_dir(folder.join("data/decks")).unwrap().next().unwrap().unwrap();
        assert_eq!(begun.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let listed = run(&["deck", "list"]);
        assert!(listed.0 == 0 && listed.1.starts_with("Club: begun, 3 of 44 cards"), "{listed:?}");
        assert!(run(&["deck", "audit", "Club"]).2.starts_with("no deck is called `Club`"));
        for option in ["--adopt", "--asked"] {
            let (status, _, said) = run(&["deck", "enrol", "Club", option]);
            assert!(
                status == 2 && said.starts_with(&format!("this deck was begun without {option}")),
                "{said}"
            );
        }
        // A damaged draft does not prevent the draft of a new deck, `Home`. While `Home` is enrolled, a card that
        // belongs to the deck `Club` is not overwritten.
        let torn = folder.join("data/decks/torn.draft");
        fs::write(&torn, "{\"draft\":").unwrap();
        let mut other = Table::start(&["deck", "enrol", "Home"]);
        other.hear("torn.draft: this is not the draft of a deck");
        fs::remove_file(torn).unwrap();
        other.hear("0 of 44: lay down the next card");
        let card = lay(folder, "R", cards[0].clone());
        other.hear("this card belongs to the deck Club and is not overwritten");
        card.lift();
        let (status, _, errors) = other.quit();
        assert!(
            status.code() == Some(2)
                && errors.starts_with("0 of 44 cards were enrolled, so nothing was saved"),
            "{errors}"
        );

        let mut tool = Table::start(&["deck", "enrol", "Club"]);
        tool.hear(
            "3 of 44 cards of this deck were enrolled before; now lay down the others (`--anew` begins again)",
        );
        tool.hear("3 of 44: lay down the next card");
        let card = lay(folder, "R", cards[2].clone());
        tool.hear("in the deck already");
        card.lift();
        let card = lay(folder, "R", fourth);
        tool.hear("which card is it?");
        tool.enter_and_hear("B", "4 of 44: lay down");
        card.lift();
        tool.enter_and_hear("undo", "3 of 44: lay down");
        // The card service ends.
        service.kill();
        tool.hear("the system's card service has stopped");
        let (status, _, errors) = tool.quit();
        assert_eq!(status.code(), Some(2));
        assert!(errors.starts_with("3 of 44 cards are saved; run the same command to continue"), "{errors}");

        // The enrolled cards are also kept if a signal ends the program. `--anew` drops the enrolled cards, but only
        // when a reader is there. The test sends SIGTERM and not the signal of Ctrl-C, because programs that a script
        // starts in the background ignore Ctrl-C.
        assert_eq!(run(&["deck", "enrol", "Club", "--anew"]).0, 2);
        assert!(run(&["deck", "list"]).1.starts_with("Club: begun, 3 of 44 cards"));
        let _service = Pcscd::start(folder, &["R"]);
        let mut tool = Table::start(&["deck", "enrol", "Club"]);
        tool.hear("3 of 44: lay down");
        signal("TERM", tool.process());
        assert!(!tool.end().0.success());
        assert!(run(&["deck", "list"]).1.starts_with("Club: begun, 3 of 44 cards"));
        let mut tool = Table::start(&["deck", "enrol", "Club", "--anew"]);
        tool.hear("0 of 44: lay down the next card");
        assert_eq!(tool.quit().0.code(), Some(2));
        assert_eq!(fs::read_dir(folder.join("data/decks")).unwrap().count(), 0);
    });
}

/// The 44 cards of a deck, as the deck's file lists them. Their ids and UIDs are those of the cards that `written`
/// makes.
fn cards_of_deck() -> Vec<String> {
    let card = |(nth, letter): (u8, char)| {
        let before = LETTERS.chars().take(nth.into()).filter(|other| *other == letter);
        let copy = before.count();
        format!(r#"{{"id":"{}","uid":"{}","face":"{letter}","copy":{copy}}}"#, id(nth), uid(nth))
    };
    (1..=44).zip(LETTERS.chars()).map(card).collect()
}

/// Imports a deck of the cards that `written` makes.
fn import_written(folder: &Path) {
    let cards = cards_of_deck().join(",");
    let file = folder.join("club.json");
    let number = "0".repeat(32);
    let text = format!(r#"{{"deck":"{number}","name":"Club","made":"2026-11-22","cards":[{cards}]}}"#);
    fs::write(&file, text).unwrap();
    assert_eq!(run(&["deck", "import", name(&file)]).1.trim_end(), "Club: imported, 44 written cards");
}

/// Lays cards down one after the other, and lifts each when the program has counted it. Returns the cards as they are
/// then.
fn lay_all(folder: &Path, tool: &mut Table, cards: &[SimulatedTag], wanted: &str) -> Vec<SimulatedTag> {
    let laid = (1..).zip(cards).map(|(nth, card)| {
        let card = lay(folder, "R", card.clone());
        tool.hear(&format!("{nth} of 44{wanted}"));
        card.lift()
    });
    laid.collect()
}

/// The two lock bytes of a card.
fn locks(card: &SimulatedTag) -> Option<[u8; 2]> {
    card.page(2).map(|page| [page[2], page[3]])
}

#[test]
fn a_deck_that_is_enrolled_is_locked_in_the_end_if_that_is_wanted() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        // All but the last pawn were enrolled before.
        let begun: Vec<String> = cards_of_deck().into_iter().take(43).collect();
        fs::create_dir_all(folder.join("data/decks")).unwrap();
        let number = "0".repeat(32);
        let text = format!(
            r#"{{"draft":"{number}","name":"Club","way":"write","asked":null,"cards":[{}]}}"#,
            begun.join(",")
        );
        fs::write(folder.join(format!("data/decks/{number}.draft")), text).unwrap();
        let mut tool = Table::start(&["deck", "enrol", "Club", "--lock"]);
        tool.hear("43 of 44: lay down the next card");
        let last = lay(folder, "R", blank(44));
        tool.hear("which card is it?");
        tool.enter_and_hear("P", "the deck is saved");
        let last = last.lift();
        let mut cards: Vec<SimulatedTag> = (1..=43).map(written).collect();
        cards.push(last);
        lay_all(folder, &mut tool, &cards, "");
        tool.hear("locking cannot be undone");
        tool.enter_and_hear("lock", "lay all cards down once more");
        // The cards are locked in two runs.
        let first = lay_all(folder, &mut tool, &cards[..3], " locked");
        let (status, _, errors) = tool.quit();
        assert!(
            status.code() == Some(2)
                && errors.starts_with("3 of 44 cards are locked; run `tabiya deck lock`"),
            "{errors}"
        );
        assert!(first.iter().all(|card| locks(card) == Some([0xF8, 0xFF])));
        cards.splice(..3, first);
        let mut tool = Table::start(&["deck", "lock", "Club"]);
        tool.hear("as a check");
        lay_all(folder, &mut tool, &cards, "");
        tool.enter_and_hear("lock", "lay all cards down once more");
        let locked = lay_all(folder, &mut tool, &cards, " locked");
        tool.hear("all cards of the deck Club are locked");
        assert!(locked.iter().all(|card| locks(card) == Some([0xF8, 0xFF])));
        assert_eq!(run(&["deck", "list"]).1.lines().count(), 1, "no draft is left");
    });
}

#[test]
fn cards_are_locked_for_good_only_after_all_were_seen_and_it_was_asked() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        import_written(folder);
        let lay_all =
            |tool: &mut Table, cards: &[SimulatedTag], wanted: &str| lay_all(folder, tool, cards, wanted);
        let cards: Vec<SimulatedTag> = (1..=44).map(written).collect();
        // One card is missing: no card is locked, and the program does not even ask.
        let mut tool = Table::start(&["deck", "lock", "Club"]);
        tool.hear("as a check");
        let seen = lay_all(&mut tool, &cards[1..], "");
        let (status, _, errors) = tool.quit();
        assert!(status.code() == Some(1) && errors.starts_with("missing: P1; find them"), "{errors}");
        // All cards are there, but the person does not confirm.
        let mut tool = Table::start(&["deck", "lock", "Club"]);
        tool.hear("as a check");
        let seen = [seen, lay_all(&mut tool, &cards, "")].concat();
        tool.hear("locking cannot be undone");
        tool.enter_and_hear("yes", "`yes`: type `lock`, or `quit`");
        let (status, _, errors) = tool.quit();
        assert!(status.code() == Some(2) && errors.starts_with("no card was locked"), "{errors}");
        assert!(seen.iter().all(|card| locks(card) == Some([0, 0])));
        // The person confirms. A card of another deck is not locked.
        let mut tool = Table::start(&["deck", "lock", "Club"]);
        tool.hear("as a check");
        lay_all(&mut tool, &cards, "");
        tool.hear("locking cannot be undone");
        tool.enter_and_hear("lock", "lay all cards down once more");
        let foreign = lay(folder, "R", written(99));
        tool.hear("not a card of this deck");
        assert_eq!(locks(&foreign.lift()), Some([0, 0]));
        let locked = lay_all(&mut tool, &cards, " locked");
        tool.hear("all cards of the deck Club are locked");
        assert_eq!(tool.end().0.code(), Some(0));
        assert!(locked.iter().all(|card| locks(card) == Some([0xF8, 0xFF])));
        // The program reports a locked card that it cannot write.
        let mut tool = Table::start(&["deck", "enrol", "Home"]);
        tool.hear("0 of 44");
        let mut card = blank(77);
        card.write(2, [0, 0, 0xF8, 0xFF]).unwrap();
        let card = lay(folder, "R", card);
        tool.hear("it is locked or protected");
        card.lift();
    });
}

#[test]
fn a_card_swapped_while_the_program_slept_is_told_as_another() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let mut watch = Table::start(&["cards", "watch"]);
        watch.hear("lay cards down");
        let card = lay(folder, "R", written(1));
        watch.hear("R 00 00: a card");
        signal("STOP", watch.process());
        card.lift();
        // Between the two cards, the card service sees the empty reader once.
        let card = lay(folder, "R", written(2));
        wait_until(|| if card.powered() { Ok(()) } else { Err("the card is not seen yet".to_owned()) });
        signal("CONT", watch.process());
        watch.hear("R 00 00: lifted");
        watch.hear(&format!("R 00 00: a card, id {}, chip {}", id(2), uid(2)));
        card.lift();
        watch.hear("R 00 00: lifted");
    });
}

/// Lays a blank card down, and lifts it when the program has enrolled it.
fn lay_and_lift(folder: &Path, tool: &mut Table, nth: u8, wanted: &str) {
    let card = lay(folder, "R", blank(nth));
    let so_far = tool.heard.len();
    if wanted.is_empty() {
        tool.heard_by_now(&format!("{nth} of 44: lay down a "), 1);
    } else {
        tool.hear(wanted);
    }
    assert!(tool.heard.len() > so_far);
    assert_eq!(card.lift().page(4), Some([0x03, 0x00, 0xFE, 0x00]));
}

#[test]
fn readers_and_what_lies_on_them_are_listed_and_watched() {
    alone(|folder| {
        let (status, _, said) = run(&["cards"]);
        assert!(status == 2 && said.starts_with("the system's card service is not running"), "{said}");
        let (status, _, said) = run(&["deck", "enrol", "Club"]);
        assert!(status == 2 && said.starts_with("the system's card service is not running"), "{said}");
        let service = Pcscd::start(folder, &["White", "Black"]);
        let card = lay(folder, "White", written(1));
        let (status, out, said) = run(&["cards", "list"]);
        assert_eq!((status, &*said), (0, ""));
        let id = "01".repeat(16);
        for line in
            ["Black 01 00", "White 00 00", &format!("White 00 00: a card, id {id}, chip 04A1B2C3D48001")]
        {
            assert!(out.lines().any(|printed| printed == line), "{out}");
        }
        let mut watch = Table::start(&["cards", "watch", "--seconds", "3"]);
        watch.hear("lay cards down");
        card.lift();
        watch.hear("White 00 00: lifted");
        let card = lay(folder, "Black", blank(2));
        watch.hear("Black 01 00: a blank card, chip 04A1B2C3D48002");
        assert_eq!(watch.end().0.code(), Some(0));
        card.lift();
        service.kill();
        let _service = Pcscd::start(folder, &[]);
        let (status, out, _) = run(&["cards"]);
        assert_eq!((status, out.trim_end()), (0, "no card reader is connected: plug one in"));
    });
}

#[test]
fn bad_input_is_one_sentence() {
    alone(|folder| {
        let file = folder.join("wrong.json");
        fs::write(&file, "{}").unwrap();
        for (arguments, wanted) in [
            (&["deck", "audit", "Club"][..], "no deck is called `Club`"),
            (&["deck", "show", ""], "no deck is called ``"),
            (&["deck", "enrol", " "], "a deck's name has 1 to 60 characters"),
            (&["deck", "enrol", "Club", "--adopt", "--lock"], "cannot be used with"),
            (&["deck", "replace", "Club", "R"], "no deck is called `Club`"),
            (&["deck", "lock", "Club"], "no deck is called `Club`"),
            (
                &["deck", "import", name(&file)],
                "this is not a deck file: line 1 has a wrong or missing field",
            ),
            (&["deck", "import", name(folder)], "cannot be read"),
            (&["deck", "import", "/nowhere"], "cannot be read"),
            (&["deck", "export", "Club", name(&file)], "no deck is called `Club`"),
            (&["deck"], "Usage"),
            (&["cards", "frob"], "'frob'"),
        ] {
            let (status, out, said) = run(arguments);
            assert!(status == 2 && out.is_empty() && said.contains(wanted), "{arguments:?}: {status} {said}");
        }
        fs::create_dir_all(folder.join("data/decks")).unwrap();
        let adopted = format!(
            r#"{{"draft":"{}","name":"Club","way":"adopt","asked":null,"cards":[]}}"#,
            "0".repeat(32)
        );
        fs::write(folder.join("data/decks/begun.draft"), &adopted).unwrap();
        let (status, _, said) = run(&["deck", "enrol", "Club", "--lock"]);
        assert!(status == 2 && said.starts_with("this deck has adopted cards"), "{said}");
        fs::write(folder.join("data/decks/begun.draft"), &adopted[..20]).unwrap();
        let (status, out, said) = run(&["deck", "enrol", "Club"]);
        assert!(out.contains("begun.draft: this is not the draft of a deck"), "{out}");
        assert!(status == 2 && said.starts_with("the system's card service is not running"), "{said}");
        fs::remove_file(folder.join("data/decks/begun.draft")).unwrap();
        fs::write(folder.join("data/decks/half.json"), "{\"deck\":").unwrap();
        let (record, capture) = (folder.join("game.tabiya"), folder.join("bytes.capture"));
        let options = ["--record", name(&record), "--capture", name(&capture)];
        let play = [&["play", "--headless", "--board", "sim", "--deck", "Nobody"][..], &options].concat();
        let (status, _, said) = run(&play);
        assert!(status == 2 && said.contains("half.json: this is not a deck file"), "{said}");
        assert!(!record.exists() && !capture.exists(), "no file was created");
        let (status, _, said) = run(&["deck", "list"]);
        assert!(status == 2 && said.contains("half.json: this is not a deck file"), "{said}");
    });
}

#[test]
fn a_card_is_written_from_the_windows_desk_and_waits_for_its_face() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let around = Environment {
            date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
            coin: Box::new(|| Ok(Seat::A)),
            chance: Box::new(|bytes| {
                bytes.fill(7);
                Ok(())
            }),
            evenings: folder.join("evenings"),
            settings: folder.join("settings.json"),
            documents: None,
            home: None,
            locale: "en".to_owned(),
            features: &[],
        };
        let mut desk = desk::start(Desk::new(around, None), None, || {}).unwrap();
        let until = |step: WorkStep| {
            wait_until(|| {
                let cards = desk.snapshot().cards.clone();
                let seen = cards.work.as_ref().map(|work| work.step.clone());
                let there = cards.ready && seen == Some(step.clone());
                if there { Ok(()) } else { Err(format!("expected {step:?}, got {cards:?}")) }
            });
        };
        desk.wish(Wish::Cards(CardWish::Enrol {
            pack: Pack::Choker,
            name: "Club".to_owned(),
            adopt: false,
            asked: false,
        }));
        until(WorkStep::Tap(None));
        // A card that cannot be written is reported, and the next card is enrolled instead.
        let mut locked = blank(1);
        locked.write(2, [0, 0, 0xF8, 0xFF]).unwrap();
        let locked = lay(folder, "R", locked);
        wait_until(|| {
            let told = desk.snapshot().cards.work.as_ref().and_then(|work| work.problem.clone());
            told.filter(|told| told.to_string().contains("locked or protected"))
                .map(drop)
                .ok_or("nothing".into())
        });
        locked.lift();
        let card = lay(folder, "R", blank(2));
        until(WorkStep::Face);
        desk.wish(Wish::Cards(CardWish::Face(Card::Queen.into())));
        until(WorkStep::Tap(None));
        let card = card.lift();
        assert_eq!(card.page(4), Some([0x03, 0x27, 0xD4, 0x13]));
        desk.end();
    });
}
