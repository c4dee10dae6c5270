//! What people are told of a game of Chess Joker: the log, and the PGN for other programs.

use tabiya_engine::record::{MatchLog, Replay, pgn};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::LogLine;

use super::{at, cards, play, rule, usual, with_terms};
use crate::support::Run;
use serde_json::json;

/// The log of a game, one entry for each event.
fn log(run: &Run) -> Vec<LogLine> {
    let mut replay = Replay::begin(&run.header, GAMES).unwrap();
    let mut log = MatchLog::new(replay.table());
    for (number, line) in (2..).zip(&run.lines) {
        replay.feed_before(number, line, &mut log).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    log.into_entries()
}

/// The log as the story has it.
fn story(run: &Run) -> Vec<String> {
    log(run).iter().map(|entry| entry.text.to_string()).collect()
}

/// The moves and comments of a game's PGN in one line each, without its tags.
fn moves_and_comments(run: &Run) -> Vec<String> {
    let games = pgn::games(&run.replay, None);
    games
        .iter()
        .map(|text| text.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

const VY: &str = "VY 25 warp *knight to beside enemy pawn";

#[test]
fn the_points_the_cards_and_the_deck_are_told_as_they_change() {
    let mut run = usual();
    play(
        &mut run,
        &format!("white e2e4; black b8c6; black draw {VY}; white g1f3; white draw QX; black play c6d2"),
    );
    play(&mut run, "black draw AB 50");
    let told = story(&run);
    let wanted = [
        "game 1: Ann has White",
        "1. e4",
        "1… Nc6",
        "Black draws VY (25 Elo); deck: 255",
        "2. Nf3",
        "White draws QX; deck: 254",
        "2… Black plays the card: c6d2",
        "Black scores the card VY face up: +25; 25 of 800",
        "Black draws AB (50 Elo); deck: 253",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn a_check_a_last_stand_and_a_masquerade_are_told_with_the_points_that_they_score() {
    let mut run = at("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1");
    play(&mut run, "white h1h8");
    let told = story(&run);
    let wanted = [
        "game 1: Ann has White; Last Stand of White: Black scores +25, face down from the deck; 25 of 800; deck: 255",
        "1. Rh8+",
        "Black is in check and scores +25, face down from the deck; 50 of 800; deck: 254",
        "Last Stand of Black: White scores +25, face down from the deck; 25 of 800; deck: 253",
    ];
    assert_eq!(told, wanted);

    let mut run = at("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    cards(&mut run, "AB 50 move *knight", "-");
    play(&mut run, "white play a2a4 as N=P");
    let told = story(&run);
    assert_eq!(
        told[1..],
        [
            "the arbiter rules: set up (before White lies the card AB (50 Elo), before Black lies no card)",
            "1. White plays the card as N=P: a2a4",
            "White scores the card AB face down: +25; 25 of 800",
        ]
    );
    assert_eq!(rule(&mut run, json!({"score": {"A": 300}, "deck": 20})), "");
    assert_eq!(story(&run).last().unwrap(), "the arbiter rules: set up (points of Ann: 300, deck: 20)");
}

#[test]
fn at_events_too_the_story_has_numbers_and_the_players_hear_none() {
    let mut run =
        with_terms("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", json!({"voice": "event"}));
    play(&mut run, "white e2e4; black e7e5");
    let told = log(&run);
    let words: Vec<[String; 3]> = told[1..]
        .iter()
        .map(|told| [&told.text, &told.aloud, &told.beside].map(ToString::to_string))
        .collect();
    assert_eq!(words[0], ["1. e4", "White plays e2e4", "White plays e4"]);
    assert_eq!(words[1], ["1… e5", "Black plays e7e5", "Black plays e5"]);
}

#[test]
fn the_pgn_has_the_moves_and_begins_anew_after_each_card() {
    let mut run = usual();
    play(
        &mut run,
        &format!("white e2e4; black b8c6; black draw {VY}; white g1f3; white draw QX; black play c6d2"),
    );
    play(&mut run, "black draw AB 50; white f3d2; white draw ?; black offer-draw; white accept-draw");
    assert_eq!(
        moves_and_comments(&run),
        [
            "1. e4 Nc6 { Black draws VY (25 Elo). } 2. Nf3 { White draws QX. Black plays the card: c6d2. Black scores \
             the card VY face up: +25; 25 of 800. Black draws AB (50 Elo). The next PGN game continues from this \
             position. } *",
            "{ The game goes on. } 3. Nfxd2 { White draws a card. Black offers a draw. Drawn by agreement. Points: Ann \
             0, Bo 25. Deck: 252. } 1/2-1/2",
        ]
    );
    let last = pgn::games(&run.replay, None).pop().unwrap();
    assert!(
        last.contains("[FEN \"r1bqkbnr/pppppppp/8/8/4P3/5N2/PPPn1PPP/RNBQKB1R w KQkq - 0 3\"]"),
        "{last}"
    );
}

#[test]
fn a_ruling_on_the_position_or_the_turn_keeps_the_numbers() {
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; black draw ?; white d2d4; white draw ?");
    assert_eq!(rule(&mut run, json!({"fen": "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1"})), "");
    play(&mut run, "black a7a6; black draw ?; white a2a3");
    let told = story(&run);
    assert_eq!([&told[told.len() - 3], &told[told.len() - 1]], ["2… a6", "3. a3"]);
    let games = moves_and_comments(&run);
    assert!(games[1].starts_with("{ The game goes on. } 2... a6 {"), "{games:#?}");
}
