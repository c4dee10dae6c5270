//! How a table understands PokerDrez from a board: the card comes first, or the piece waits for it.

use serde_json::Value;
use tabiya_engine::record::{Body, Header, Infer, Line};
use tabiya_engine::rules::GAMES;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Input, Question};
use tabiya_types::Instant;

use crate::support::header;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const E4_NF6: &str = "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR";

/// What the table writes from a session, in short: each line with its moment, if it was understood later.
fn written(terms: &str, lines: &[String]) -> String {
    let header = header(&format!("pokerdrez, time 300{terms}"));
    let mut infer = Infer::new(Header::parse(&header, GAMES).unwrap());
    for (number, line) in (2..).zip(lines) {
        infer.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    let inferred = infer.finish();
    let short = |line: &Line| {
        let line: Value = serde_json::from_str(&line.to_string()).unwrap();
        let word = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let what = match word("do").as_str() {
            "move" => word("uci"),
            "remove" => format!("-{}", word("at")),
            verb @ ("reveal" | "return") => format!("{verb} {}", word("card")),
            verb @ ("press" | "roll") => format!("{verb} {}", word("by")),
            _ => return None,
        };
        let when = line["when"].as_u64().map(|when| format!("@{when}")).unwrap_or_default();
        Some(what + &when)
    };
    let mut told: Vec<String> = inferred.lines.iter().filter_map(short).collect();
    if !inferred.understood {
        told.push("?".to_owned());
    }
    told.join(", ")
}

fn sees(t: u32, board: &str) -> String {
    format!(r#"{{"t":{t},"do":"sees","board":"{board}"}}"#)
}

fn press(t: u32, by: &str) -> String {
    format!(r#"{{"t":{t},"do":"press","by":"{by}"}}"#)
}

fn lay(t: u32, by: &str, card: &str, from: &str) -> String {
    format!(r#"{{"t":{t},"do":"reveal","by":"{by}","card":"{card}","from":"{from}"}}"#)
}

fn put_back(t: u32, card: &str) -> String {
    format!(r#"{{"t":{t},"do":"return","by":"white","card":"{card}"}}"#)
}

/// The deal, and Black's press that starts White's clock.
fn begun() -> Vec<String> {
    let deal = r#"{"t":100,"do":"deal","cards":{"common":["P","P","N","B","X"]}}"#;
    vec![sees(0, START), deal.to_owned(), press(500, "black")]
}

fn after(lines: &[String]) -> Vec<String> {
    begun()
        .into_iter()
        .chain(lines.iter().cloned())
        .chain([r#"{"t":30000,"do":"tick"}"#.to_owned()])
        .collect()
}

#[test]
fn the_card_comes_first_then_the_piece() {
    let lines = [lay(2_000, "white", "P", "own"), sees(4_000, E4), press(4_500, "white")];
    let black = [
        r#"{"t":6000,"do":"roll","by":"black","pips":2}"#.to_owned(),
        sees(8_000, E4_NF6),
        press(8_500, "black"),
    ];
    let all: Vec<String> = lines.into_iter().chain(black).collect();
    assert_eq!(
        written("", &after(&all)),
        "press black, reveal P, e2e4, press white, roll black, g8f6, press black"
    );
}

#[test]
fn a_piece_that_was_moved_first_waits_for_its_card_and_counts_from_when_it_stood() {
    let lines = [sees(4_000, E4), press(4_500, "white"), lay(9_000, "white", "P", "own")];
    assert_eq!(written("", &after(&lines)), "press black, reveal P@4500, e2e4@4500, press white@4500");
    let unpressed = [sees(4_000, E4), lay(9_000, "white", "P", "own"), press(11_000, "white")];
    assert_eq!(written("", &after(&unpressed)), "press black, reveal P, e2e4, press white");
}

#[test]
fn only_a_move_that_the_card_wakes_is_expected() {
    let lines = [lay(2_000, "white", "N", "own"), sees(4_000, E4), press(4_500, "white")];
    assert_eq!(written("", &after(&lines)), "press black, reveal N, ?");
}

#[test]
fn the_card_that_is_put_back_settles_the_move_and_a_press_waits_for_it() {
    let returned =
        [lay(2_000, "white", "P", "common"), sees(4_000, E4), put_back(6_000, "Q"), press(7_000, "white")];
    assert_eq!(written("", &after(&returned)), "press black, reveal P, e2e4@4000, return Q, press white");
    let pressed = [
        lay(2_000, "white", "P", "common"),
        sees(4_000, E4),
        press(4_500, "white"),
        put_back(6_000, "Q"),
        press(7_000, "white"),
    ];
    assert_eq!(written("", &after(&pressed)), "press black, reveal P, e2e4, return Q, press white");
}

#[test]
fn without_presses_the_turn_ends_with_the_move_or_with_the_card_put_back() {
    let lines = [
        lay(2_000, "white", "P", "common"),
        sees(4_000, E4),
        put_back(6_000, "Q"),
        lay(8_000, "black", "N", "own"),
        sees(9_000, E4_NF6),
    ];
    let told = written(", press auto", &after(&lines));
    assert_eq!(told, "press black, reveal P, e2e4@4000, return Q, reveal N, g8f6@9000");
}

#[test]
fn a_board_shows_which_pawns_are_taken_off() {
    let black = "rnbqkbnr/pp1ppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let both = "rnbqkbnr/pp1ppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let tick = r#"{"t":9000,"do":"tick"}"#.to_owned();
    let lines = [sees(0, START), sees(2_000, black), sees(4_000, both), tick.clone()];
    assert_eq!(written("", &lines), "-c7, -e2");
    // White's pawn is gone first; Black then says that he keeps all.
    let white = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    let keeps = r#"{"t":5000,"do":"remove","by":"black"}"#.to_owned();
    assert_eq!(written("", &[sees(0, START), sees(2_000, white), keeps, tick]), "-, -e2");
}

#[test]
fn the_cards_that_move_the_piece_are_offered_while_it_waits() {
    let header = Header::parse(&header("pokerdrez, time 300"), GAMES).unwrap();
    let mut watch = Watch::new(header.agreement.clone());
    let at = |millis: u64| Instant::from_millis(millis);
    watch.sees(&START.parse().unwrap(), at(0));
    for line in [
        r#"{"t":100,"do":"deal","cards":{"common":["P","P","N","B","X"]}}"#,
        r#"{"t":500,"do":"press","by":"black"}"#,
    ] {
        let Body::Acted(input) = Line::parse(line, &header).unwrap().body else { panic!("{line}") };
        watch.enter(&input, at(600)).unwrap();
    }
    assert_eq!(watch.awaited(), []);
    watch.sees(&E4.parse().unwrap(), at(4_000));
    let told: Vec<String> = watch.awaited().iter().map(|action| action.describe().to_string()).collect();
    let wanted = [
        "White lays a joker from the hand",
        "White lays a pawn from the hand",
        "White lays a pawn from the row",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn the_turn_after_a_card_that_was_put_back_is_understood() {
    let nc6 = "r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let opened = [lay(1_000, "white", "P", "common"), sees(2_000, E4), put_back(5_000, "P")];
    let reply = [lay(6_000, "black", "N", "own"), sees(7_000, nc6)];
    let lines =
        after(&[&opened[..], &[press(5_500, "white")], &reply[..], &[press(8_000, "black")]].concat());
    let told = written("", &lines);
    assert!(told.ends_with("return P, press white, reveal N, b8c6, press black"), "{told}");
    let told = written(", press auto", &after(&[&opened[..], &reply[..]].concat()));
    assert!(told.contains("return P, reveal N, b8c6@"), "{told}");
}

/// At an event the arbiter is asked about a move that is changed on the board after its press. The undo takes the card
/// of the turn along, so the answer lays it again, also if nobody saw the board before that card.
#[test]
fn a_move_that_is_changed_late_is_offered_with_its_card() {
    let header = Header::parse(&header("pokerdrez, time 300, voice event"), GAMES).unwrap();
    let at = |millis: u64| Instant::from_millis(millis);
    for seen_before in [true, false] {
        let mut watch = Watch::new(header.agreement.clone());
        if seen_before {
            watch.sees(&START.parse().unwrap(), at(0));
        }
        let enter = |watch: &mut Watch, line: &str| {
            let line = Line::parse(line, &header).unwrap();
            let Body::Acted(input) = line.body else { panic!("no input") };
            watch.enter(&input, line.t).unwrap();
        };
        enter(&mut watch, r#"{"t":100,"do":"deal","cards":{"common":["P","P","N","B","X"]}}"#);
        enter(&mut watch, r#"{"t":500,"do":"press","by":"black"}"#);
        enter(&mut watch, &lay(2_000, "white", "P", "own"));
        watch.sees(&E4.parse().unwrap(), at(4_000));
        enter(&mut watch, &press(4_500, "white"));
        watch.sees(&START.parse().unwrap(), at(20_000));
        watch.sees(&"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR".parse().unwrap(), at(21_000));
        watch.finish(at(30_000));
        let Some(Question::Changed { undos, inputs }) = watch.question() else {
            panic!("{seen_before}: {:?}", watch.question())
        };
        let told: Vec<String> = inputs
            .iter()
            .map(|input| match input {
                Input::Game(action) => action.describe().to_string(),
                other @ Input::Common(_) => format!("{other:?}"),
            })
            .collect();
        assert_eq!(*undos, 1, "{seen_before}");
        assert_eq!(told, ["White lays a pawn from the hand", "White plays d2d4"], "{seen_before}");
    }
}

/// In casual play the changed move is written with its card, whether or not the board was seen before it.
#[test]
fn a_move_that_is_changed_is_written_anew_with_its_card() {
    let lines = [
        lay(2_000, "white", "P", "own"),
        sees(4_000, E4),
        press(4_500, "white"),
        sees(6_000, START),
        sees(6_500, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"),
    ];
    let seen = after(&lines);
    let wanted = "press black, reveal P, e2e4, press white, reveal P, d2d4, press white";
    assert_eq!(written("", &seen), wanted);
    let unseen = "press black, reveal P, e2e4@4500, press white@4500, reveal P, d2d4@4500, press white@4500";
    assert_eq!(written("", &seen[1..]), unseen, "the board is seen only after the card");
}
