//! How a table understands Poker Chess from a board, if the players name their hands.

use tabiya_engine::record::{Header, Infer};
use tabiya_engine::rules::GAMES;

use crate::support::header;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const WHITE: &str = "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR";
const BLACK: &str = "rnbqkbnr/1ppppppp/p7/8/8/P7/1PPPPPPP/RNBQKBNR";
const AGAIN: &str = "rnbqkbnr/1ppppppp/p7/8/8/PP6/2PPPPPP/RNBQKBNR";

/// What the table writes, in short: a move, `choose` or `press` with its player.
fn written(terms: &str, lines: &[String]) -> Vec<String> {
    let header = header(&format!("poker-chess, choice player, time 300{terms}"));
    let mut infer = Infer::new(Header::parse(&header, GAMES).unwrap());
    for (number, line) in (2..).zip(lines) {
        infer.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
    let inferred = infer.finish();
    assert!(inferred.understood);
    let short = |line: &tabiya_engine::record::Line| {
        let line: serde_json::Value = serde_json::from_str(&line.to_string()).unwrap();
        let word = |name: &str| line[name].as_str().map(str::to_owned);
        match word("do")?.as_str() {
            "move" => word("uci"),
            verb @ ("choose" | "press") => Some(format!("{verb} {}", word("by")?)),
            _ => None,
        }
    };
    inferred.lines.iter().filter_map(short).collect()
}

fn sees(t: u32, board: &str) -> String {
    format!(r#"{{"t":{t},"do":"sees","board":"{board}"}}"#)
}

fn press(t: u32, by: &str) -> String {
    format!(r#"{{"t":{t},"do":"press","by":"{by}"}}"#)
}

fn choose(t: u32, by: &str) -> String {
    let squares = if by == "black" { r#""a8","d8","e8","h8","e7""# } else { r#""a1","d1","e1","h1","e2""# };
    format!(r#"{{"t":{t},"do":"choose","by":"{by}","squares":[{squares}]}}"#)
}

#[test]
fn a_move_on_the_board_counts_when_its_player_names_his_hand() {
    let lines = [
        sees(0, START),
        press(500, "black"),
        sees(2_000, WHITE),
        press(2_500, "white"),
        sees(4_000, BLACK),
        choose(6_000, "black"),
        press(6_500, "black"),
        choose(8_000, "white"),
        sees(9_000, AGAIN),
        press(9_500, "white"),
        r#"{"t":12000,"do":"tick"}"#.to_owned(),
    ];
    let wanted =
        "press black, a2a3, press white, a7a6, choose black, press black, choose white, b2b3, press white";
    assert_eq!(written("", &lines).join(", "), wanted);
}

#[test]
fn a_press_before_the_choice_ends_nothing_but_tells_the_move() {
    let lines = [
        sees(0, START),
        press(500, "black"),
        sees(2_000, WHITE),
        press(2_500, "white"),
        sees(4_000, BLACK),
        press(4_500, "black"),
        choose(6_000, "black"),
        choose(8_000, "white"),
        sees(9_000, AGAIN),
        press(9_500, "white"),
        r#"{"t":12000,"do":"tick"}"#.to_owned(),
    ];
    let wanted = "press black, a2a3, press white, a7a6, choose black, choose white, b2b3, press white";
    assert_eq!(written("", &lines).join(", "), wanted);
}

#[test]
fn without_presses_the_moves_settle_by_themselves() {
    let lines = [
        sees(0, START),
        sees(2_000, WHITE),
        sees(4_000, BLACK),
        choose(6_000, "black"),
        choose(8_000, "white"),
        sees(9_000, AGAIN),
        r#"{"t":12000,"do":"tick"}"#.to_owned(),
    ];
    let wanted = "a2a3, a7a6, choose black, choose white, b2b3";
    assert_eq!(written(", press auto", &lines).join(", "), wanted);
}
