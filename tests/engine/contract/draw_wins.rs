//! The record's term `draw_wins` (`docs/record.md`, "Terms"): a colour wins drawn games.

use serde_json::json;
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

use crate::support::{TO_PLACEMENT, header, play};

#[test]
fn a_drawn_game_is_won_by_the_agreed_colour_and_the_reason_stays() {
    let agreed = "white e2e4!; black e7e5; black offer-draw; black press; white accept-draw";
    let run = play("chess, draw_wins black", agreed);
    assert_eq!(run.outcome(), "B agreement");
    let run = play("chess", agreed);
    assert_eq!(run.outcome(), "nobody agreement", "without the term a draw is a draw");
}

#[test]
fn the_winner_of_a_draw_takes_the_pot_and_the_colour_counts_not_the_seat() {
    let script = format!("{TO_PLACEMENT}; rule {{\"winner\":null}}");
    let run = play("draw_wins white", &script);
    assert_eq!(run.outcome(), "A ruling");
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 4, "B": 0}));
    assert_eq!(run.get("/stacks"), json!({"A": 102, "B": 98}));
    let second = format!("{script}; next; {}", script.replace("0:00 ", ""));
    let run = play("draw_wins white", &second);
    assert_eq!(run.get("/games/1/outcome"), json!({"winner": "B", "reason": "ruling"}));
    assert_eq!(run.get("/stacks"), json!({"A": 100, "B": 100}));
}

#[test]
fn a_win_stays_and_a_fouled_deal_is_no_draw() {
    assert_eq!(play("draw_wins white", "deal; white fold").outcome(), "B fold");
    assert_eq!(play("draw_wins white", "deal; arbiter fouled").outcome(), "nobody fouled-deck");
}

#[test]
fn a_flag_against_bare_material_is_won_too() {
    let terms = "chess, time 10, draw_wins black, fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    let run = play(terms, "0:00 black press; 0:01 white e1e2; 0:02 white press; 0:30 tick");
    assert_eq!(run.outcome(), "A timeout");
    let run = play(terms, "0:00 black press; 0:30 tick");
    assert_eq!(run.outcome(), "B timeout-vs-insufficient-material", "White's flag fell against a bare king");
}

#[test]
fn a_game_that_is_drawn_at_its_beginning_is_won_too() {
    let stalemate = "draw_wins white, fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let run = play(&format!("chess, {stalemate}"), "next");
    assert_eq!(run.get("/games/0/outcome"), json!({"winner": "A", "reason": "stalemate"}));
    assert_eq!(run.get("/games/1/outcome"), json!({"winner": "B", "reason": "stalemate"}));
}

#[test]
fn only_a_colour_is_read() {
    let error = Replay::begin(&header("draw_wins nobody"), GAMES).expect_err("no colour");
    assert_eq!(error.to_string(), "`draw_wins` of `terms` must be `white` or `black`");
}
