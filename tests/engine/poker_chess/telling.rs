//! What people are told of a game of Poker Chess: the log, the match sheet, prompts, and the PGN for other programs.

use tabiya_engine::record::{MatchLog, Replay, pgn};
use tabiya_engine::rules::GAMES;

use super::{ROUND, game, set};
use crate::support::{header, lines};

/// The log of a game, one event in each line.
fn log(terms: &str, script: &str) -> Vec<String> {
    let mut replay = Replay::begin(&header(&format!("poker-chess, {terms}")), GAMES).unwrap();
    let mut log = MatchLog::new(replay.table());
    for (number, line) in (2..).zip(lines(script)) {
        replay.feed_before(number, &line, &mut log).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    log.into_entries().iter().map(|entry| entry.text.to_string()).collect()
}

#[test]
fn each_hand_and_the_end_of_the_chess_are_told() {
    let mate = "white e2e4; black e7e5; white d1e2; black a7a6; white e2h5; black b8c6; white f1c4; black g8f6; \
                white h5f7";
    let told = log("mate_bonus 2", mate);
    let wanted = [
        "game 1: Ann has White",
        "1. e4",
        "1… e5",
        "hand 1: White AATTK (two pair), Black AATTK (two pair); nobody wins it",
        "2. Qe2",
        "2… a6",
        "hand 2: White AAKKT (two pair), Black AATTK (two pair); White wins it (White 1, Black 0)",
    ];
    assert_eq!(told[..wanted.len()], wanted);
    let end = [
        "5. Qxf7#",
        "the chess ends (by checkmate); White 3, Black 2",
        "game 1: Ann (White) wins on the count of hands",
    ];
    assert_eq!(told[told.len() - end.len()..], end, "{told:#?}");
    let drawn = log("", &[ROUND; 2].join("; "));
    assert_eq!(drawn.last().unwrap(), "game 1: drawn (on the count of hands)");
    let wiped = log("wipeout 1", "white e2e4; black e7e5; white d1e2; black a7a6");
    assert_eq!(wiped.last().unwrap(), "game 1: Ann (White) wins by a wipeout");
    let chosen = log(
        "choice player",
        "white a2a3; black a7a6; black choose a8,h8,d8,e8,e7; white choose a1,h1,d1,e1,d2",
    );
    let end = ["Black chooses a8, h8, d8, e8, e7", "White chooses a1, h1, d1, e1, d2"];
    assert_eq!(chosen[3..5], end);
    assert_eq!(chosen[5], "hand 1: White AATTK (two pair), Black AATTK (two pair); nobody wins it");
}

#[test]
fn a_press_joins_the_move_although_a_hand_came_between() {
    let told = log("time 60", "0:00 black press; 0:05 white e2e4!; 0:08 black e7e5!");
    let hand = "hand 1: White AATTK (two pair), Black AATTK (two pair); nobody wins it";
    assert_eq!(told[told.len() - 2..], ["1… e5, pressed at 0:57".to_owned(), hand.to_owned()], "{told:#?}");
}

#[test]
fn the_sheet_and_the_prompts_name_the_terms_and_what_to_do() {
    let sheet = |terms: &str| -> Vec<String> {
        let run = game(terms, "tick");
        run.replay.table().agreement().sheet().iter().map(ToString::to_string).collect()
    };
    for line in [
        "the cards lie as in the deal corner-aces",
        "whoever leads by 5 in the count of hands wins at once",
        "a mate adds 4 to the count of hands",
        "each player has the best hand that his pieces allow",
    ] {
        assert!(sheet("").contains(&line.to_owned()), "{line}");
    }
    assert!(sheet("choice player").contains(&"each player names the pieces of his hand".to_owned()));
    let prompt = |terms: &str, script: &str| game(terms, script).replay.table().prompt().to_string();
    let few = format!("{}; black h8g8", set("7k/pp6/8/8/8/8/7P/KQQQQ3 b - - 0 1"));
    assert_eq!(prompt("choice player", &few), "Black: name the pieces of the hand (a7, b7, g8)");
    let black = format!("{few}; black choose a7,b7,g8");
    assert_eq!(prompt("choice player", &black), "Black: press the clock");
    let white = format!("{black}; black press");
    assert_eq!(
        prompt("choice player", &white),
        "White: name the pieces of the hand (a1, h2 and 3 of b1, c1, d1, e1)"
    );
    assert_eq!(
        prompt("wipeout 1", "white e2e4; black e7e5; white d1e2; black a7a6"),
        "Ann wins by wipeout; begin the next game with `next`"
    );
}

#[test]
fn the_pgn_has_the_moves_of_chess_and_the_hands_in_comments() {
    let mate = "white f2f3; black e7e5; white g2g4; black d8h4";
    let text = pgn::text(&game("deal rande-schande", mate).replay, None);
    for part in [
        "[Variant \"Standard\"]",
        "[TabiyaGame \"poker-chess\"]",
        "[TabiyaDeal \"rande-schande\"]",
        "[Result \"0-1\"]",
        "[Termination \"normal\"]",
        "1. f3 e5 { Hand 1: White",
        "2. g4 Qh4# { The chess ends by checkmate, White",
        "Black wins by hands. } 0-1",
    ] {
        let flat = text.replace('\n', " ");
        assert!(flat.contains(part), "{part} is not in\n{text}");
    }
    let ruled =
        pgn::text(&game("", &format!("white e2e4; {}", set("7k/8/8/8/8/8/8/RK6 w - - 0 1"))).replay, None);
    assert!(
        ruled.contains("[Variant \"Standard\"]")
            && ruled.contains("[SetUp \"1\"]")
            && !ruled.contains("From Position"),
        "{ruled}"
    );
    let cards: Vec<String> = ["h", "d"]
        .iter()
        .flat_map(|suit| "A23456789TJQK".chars().map(move |rank| format!("{rank}{suit}")))
        .collect();
    let deal = format!("deal {}", serde_json::Value::from(cards.clone()));
    assert!(
        pgn::text(&game(&deal, "tick").replay, None)
            .contains(&format!("[TabiyaDeal \"{}\"]", cards.join(" ")))
    );
}
