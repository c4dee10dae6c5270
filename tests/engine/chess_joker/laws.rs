//! Laws that hold for any game of Chess Joker. `TABIYA_CASES=2000` tries more games than usual.

use proptest::prelude::*;
use serde_json::Value;
use tabiya_engine::rules::chess_joker::CardEffect;
use tabiya_types::{Board, Color, Role};

use crate::support::random::{Style, session};

fn cases() -> ProptestConfig {
    let cases = std::env::var("TABIYA_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

const WORDS: [&str; 66] = [
    "warp",
    "move",
    "add",
    "promote",
    "then",
    "or",
    "to",
    "threaten",
    "without",
    "capturing",
    "same",
    "way",
    "like",
    "twice",
    "it",
    "another",
    "enemy",
    "any",
    "not",
    "empty",
    "by",
    "beside",
    "in",
    "front",
    "of",
    "behind",
    "rank",
    "file",
    "its",
    "threatened",
    "threatening",
    "no",
    "2",
    "7",
    "(",
    ")",
    "/",
    "light",
    "dark",
    "center",
    "edge",
    "kingside",
    "queenside",
    "doubled",
    "pinned",
    "immobile",
    "king",
    "queen",
    "rook",
    "*bishop",
    "*knight",
    "pawn",
    "*pawn",
    "piece",
    "a",
    "h",
    "c-pawn",
    "b-*pawn",
    "e4",
    "a1",
    "the",
    "square",
    "*another",
    "directly",
    ",",
    "knight",
];

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_cards_of_the_deck_are_neither_made_nor_lost(seed: u64, steps in 1..200_usize) {
        let (lines, replay) = session(seed, steps, "chess-joker", Style { undo: true, ..Style::PLAIN });
        let header: Value = serde_json::from_str(&lines[0]).expect("a header");
        let report = replay.report();
        for game in report["games"].as_array().expect("games") {
            let whole = header["terms"]["deck"].as_u64().unwrap_or(if header["terms"]["simple"] == true { 128 } else { 256 });
            let up: usize = ["A", "B"].iter().map(|seat| game["piles"][seat]["up"].as_array().expect("a list").len()).sum();
            let down: u64 = ["A", "B"].iter().map(|seat| game["piles"][seat]["down"].as_u64().expect("a number")).sum();
            let before = ["white", "black"].iter().filter(|color| !game["cards"][color].is_null()).count();
            let left = game["deck"].as_u64().expect("a number");
            prop_assert!(left + down + (up + before) as u64 <= whole, "seed {}", seed);
            // Discards are the moves made with a card; without a masquerade a face-down card counts 25.
            for seat in ["A", "B"] {
                let points = game["score"][seat].as_u64().expect("a number");
                prop_assert!(points >= 25 * game["piles"][seat]["down"].as_u64().expect("a number"));
                prop_assert!(points < 800 || game["outcome"]["reason"] == "elo", "seed {}", seed);
            }
            let board: Board = game["board"].as_str().expect("a board").parse().expect("a board");
            for color in Color::ALL {
                let kings = board.pieces().filter(|(_, piece)| piece.color == color && piece.role == Role::King).count();
                prop_assert_eq!(kings, 1, "seed {}", seed);
            }
            let at_the_end = board.pieces().any(|(at, piece)| {
                piece.role == Role::Pawn && at.rank() == if piece.color == Color::White { 7 } else { 0 }
            });
            prop_assert!(!at_the_end, "seed {}", seed);
        }
    }

    #[test]
    fn any_text_is_an_effect_or_a_sentence_about_it(picks in prop::collection::vec(0..WORDS.len(), 0..24)) {
        let text = picks.iter().map(|pick| WORDS[*pick]).collect::<Vec<_>>().join(" ");
        match text.parse::<CardEffect>() {
            Ok(effect) => {
                let again: CardEffect = effect.words().parse().expect("its own words");
                prop_assert_eq!(again.words(), effect.words());
            }
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(error.at.start <= error.at.end && error.at.end <= text.len());
            }
        }
    }

    #[test]
    fn no_text_stops_the_reader(text in "\\PC{0,220}") {
        let _ = text.parse::<CardEffect>();
    }
}

/// The effects of the example files, and some with rarer words.
fn effects() -> Vec<String> {
    let invented: Value =
        serde_json::from_str(include_str!("../../../fixtures/chess-joker/cards/invented.json"))
            .expect("JSON");
    let list = invented["cards"].as_array().expect("a list").iter();
    let mut effects: Vec<String> =
        list.map(|card| card["effect"].as_str().expect("a text").to_owned()).collect();
    let printed = include_str!("../../../fixtures/chess-joker/cards/printed.toml").lines();
    effects.extend(
        printed
            .filter_map(|line| line.strip_prefix("effect = "))
            .map(|text| text.trim_matches('"').to_owned()),
    );
    effects.extend(MORE.iter().map(|text| (*text).to_owned()));
    effects
}

const MORE: [&str; 24] = [
    "move *queen/*rook twice to edge capturing enemy piece by another",
    "move any piece like knight twice without capturing",
    "warp enemy piece to empty by 2 piece then promote it to knight",
    "move pawn twice then move another piece to threaten enemy piece by it",
    "move pawn to rank 6 then move it same way then promote it",
    "add *rook to a1 or add *rook to h8 or promote pinned piece to rook",
    "warp piece to not empty threatened by no enemy piece capturing enemy piece by 2 empty",
    "promote any pawn to pawn/queen then move it twice same way",
    "warp any piece to empty in its rank in front of (enemy piece threatening king)",
    "move immobile piece like *knight/*king then warp it to beside another piece",
    "add enemy pawn to empty rank 1 then move king like *bishop",
    "warp enemy c-pawn to not by king empty",
    "move a-*pawn",
    "warp b-*pawn to light not in its file then add *knight to empty by it",
    "move threatened piece to not threatened by enemy pawn/knight",
    "warp *bishop to in rank of (another piece not doubled dark) then move pawn to empty",
    "move doubled pawn capturing or move pawn to behind (enemy piece not immobile)",
    "warp king to by 3 piece then warp enemy knight to threatened by it",
    "promote *knight to *bishop then warp another piece to threaten enemy king",
    "move piece capturing threatened piece then move another piece capturing",
    "add queen/*rook to not kingside beside enemy piece then promote it to knight",
    "warp not light piece to dark rank 8 to threaten enemy piece threatened by another without capturing",
    "move pawn then move another pawn then move another pawn same way",
    "warp piece threatening enemy queen to e1",
];

/// A random position: some men on random squares, now and then a usual back rank.
fn position(chance: &mut crate::support::random::Chance) -> String {
    let starts = [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R",
        "4k3/8/8/8/8/8/8/4K3",
        "r3k2r/8/8/8/8/8/8/R3K2R",
        "8/8/3k4/8/8/4K3/8/8",
        "k7/8/8/8/8/8/8/7K",
    ];
    let mut board: Board = chance.pick(&starts).parse().expect("a board");
    for _ in 0..chance.below(16) {
        let at = tabiya_types::Square::from_index(usize::try_from(chance.below(64)).expect("small"))
            .expect("a square");
        let color = *chance.pick(&Color::ALL);
        let role =
            *chance.pick(&[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
        let last = if color == Color::White { 7 } else { 0 };
        if board[at].is_none() && !(role == Role::Pawn && at.rank() == last) {
            board[at] = Some(tabiya_types::Piece { color, role });
        }
    }
    board.to_string()
}

proptest! {
    // The reference is slow: a sixth of the usual number of cases.
    #![proptest_config(ProptestConfig { cases: cases().cases.div_ceil(6), ..cases() })]

    #[test]
    fn moves_uses_and_checks_are_those_of_the_reference(seed: u64) {
        compare(seed)?;
    }
}

/// Compares what is legal, and who is in check, with the second implementation.
fn compare(seed: u64) -> Result<(), TestCaseError> {
    use super::reference::{Effect, Field, Game, square};
    let mut chance = crate::support::random::Chance::new(seed);
    let all = effects();
    let placement = position(&mut chance);
    let white = chance.one_in(2);
    let over = if chance.one_in(2) {
        format!("{}{}", chance.pick(&["a", "b", "c", "d", "e", "f", "g", "h"]), if white { 6 } else { 3 })
    } else {
        "-".to_owned()
    };
    let fen = format!("{placement} {} KQkq {over}", if white { "w" } else { "b" });
    if tabiya_engine::rules::GameKind::reads_position(&tabiya_engine::rules::chess_joker::ChessJoker, &fen) {
        let mut run = super::at(&fen);
        let (own, enemy) = (chance.pick(&all).clone(), chance.pick(&all).clone());
        let (mine, theirs) = (super::card(&format!("AA 10 {own}")), super::card(&format!("AB 10 {enemy}")));
        let (of_white, of_black) = if white { (mine, theirs) } else { (theirs, mine) };
        let cards = serde_json::json!({"cards": {"white": of_white, "black": of_black}});
        if !super::rule(&mut run, cards).is_empty() {
            return Ok(()); // The game was over.
        }
        let told = |name: &str| super::game(&run, name);
        let castling = told("castling");
        let rights = |letters: &str, at: &str| {
            castling.as_str().expect("a text").contains(|l| letters.contains(l)).then(|| square(at))
        };
        let unmoved = [("KQ", "e1"), ("K", "h1"), ("Q", "a1"), ("kq", "e8"), ("k", "h8"), ("q", "a8")];
        let passed = told("en_passant")
            .as_array()
            .expect("a list")
            .iter()
            .map(|at| {
                let (file, rank) = square(at.as_str().expect("a text"));
                (file, if rank == 5 { 4 } else { 3 })
            })
            .collect();
        let game = Game {
            field: Field::of(&placement),
            unmoved: unmoved.into_iter().filter_map(|(letters, at)| rights(letters, at)).collect(),
            passed,
        };
        let (own_read, enemy_read) = (Effect::read(&own), Effect::read(&enemy));
        let context = format!("seed {seed}: {fen}, `{own}` against `{enemy}`");
        let in_check = game.in_check(white, Some(&enemy_read));
        let moves = game.moves(white, Some(&enemy_read));
        let mut uses = Vec::new();
        for mask in own_read.masks(&game.field, white) {
            let first = game.first_steps(&own_read, white, Some(&enemy_read), &mask);
            if !first.is_empty() {
                uses.push((
                    mask.iter().map(|(kind, by)| format!("{kind}={by}")).collect::<Vec<_>>().join(","),
                    first.join(" "),
                ));
            }
        }
        uses.sort();
        if moves.is_empty() && uses.is_empty() {
            let ending = if in_check { "checkmate" } else { "stalemate" };
            prop_assert!(run.outcome().ends_with(ending), "{}", context);
            return Ok(());
        }
        prop_assert_eq!(run.outcome(), "-", "{}", context);
        prop_assert_eq!(super::moves(&run), moves.join(" "), "{}", context);
        prop_assert_eq!(
            told("check"),
            if in_check { Value::from(if white { "white" } else { "black" }) } else { Value::Null },
            "{}",
            context
        );
        let mut offered = Vec::new();
        for line in run.get("/legal").as_array().expect("a list").iter().filter(|line| line["do"] == "play") {
            let mut mask: Vec<String> = line["as"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(kind, by)| format!("{kind}={}", by.as_str().expect("a text")))
                .collect();
            mask.sort();
            offered.push((mask.join(","), super::words(&line["first"])));
        }
        offered.sort();
        prop_assert_eq!(offered, uses, "{}", context);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn card_files_and_effects_hold_their_laws(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        tabiya_engine::record::laws::effect_law(&bytes);
        tabiya_engine::record::laws::card_file_law(&bytes);
    }
}

#[test]
fn broken_card_files_hold_the_law() {
    for file in ["printed.toml", "invented.json"] {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chess-joker/cards").join(file);
        let whole = std::fs::read(path).expect("a fixture");
        for cut in (0..whole.len()).step_by(97) {
            let mut bytes = whole.clone();
            bytes.remove(cut);
            tabiya_engine::record::laws::card_file_law(&bytes);
            tabiya_engine::record::laws::card_file_law(&whole[..cut]);
        }
    }
}
