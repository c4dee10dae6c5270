//! The record's `undo` with `what` (`docs/record.md`, "How lines act", point 16).

use serde_json::json;

use crate::support::{TO_PLACEMENT, form_error, play, try_play};

const OPENING: &str =
    "0:00 black press; 0:10 white e2e4; 0:12 white press; 0:20 black e7e5; 0:21 black press";

#[test]
fn a_move_is_taken_back_with_its_press_and_a_pause_stays() {
    let run = play("chess, time 60", &format!("{OPENING}; 0:30 white pause; 0:40 undo game; 0:50 tick"));
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4"]));
    // White used 10 s; the two until his press do not count against Black, who had used 8 s before e7e5. The pause
    // acts again at 0:40.
    assert_eq!(run.clocks(), (48_000, 52_000));
    let run = play("chess, time 60", &format!("{OPENING}; 0:30 white pause; 0:40 undo; 0:50 tick"));
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4", "e7e5"]), "plain undo takes back the pause");
}

#[test]
fn a_pause_between_a_move_and_its_press_stays() {
    let script = "0:00 black press; 0:10 white e2e4; 0:12 white pause; 0:20 white resume; 0:22 white press; 0:30 undo game; 0:35 tick";
    let run = play("chess, time 60", script);
    assert_eq!(run.get("/games/0/moves"), json!([]));
    // The pause and the resume act again at 0:30, and the clock runs from then on.
    assert_eq!(run.clocks(), (45_000, 60_000));
}

#[test]
fn an_offer_falls_away_and_an_earlier_one_is_open_again() {
    let run = play("chess", "white e2e4!; black e7e5!; white offer-draw; undo game");
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4"]));
    let run = play(
        "chess",
        "white e2e4!; black e7e5!; white g1f3!; white offer-draw; black b8c6!; undo game; black accept-draw",
    );
    assert_eq!(run.outcome(), "nobody agreement");
}

#[test]
fn in_an_unfinished_turn_its_last_action_is_taken_back() {
    let turn = format!("{TO_PLACEMENT}; black press; white reveal R; white place R a1");
    let run = play("", &format!("{turn}; undo game"));
    assert!(run.replay.table().board().to_string().ends_with("4K3"));
    assert_eq!(run.legal().iter().filter(|legal| legal.contains("reveal")).count(), 0, "the card stays");
    let run = play("", &format!("{turn}; white press; undo game"));
    assert_eq!(run.legal().iter().filter(|legal| legal.contains("reveal")).count(), 5, "the whole turn goes");
}

#[test]
fn a_bet_a_resignation_and_next_are_actions() {
    let run = play("", "deal; white raise 6; white pause; undo game");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 1, "B": 2}));
    let run = play("chess", "white e2e4!; black resign; undo game");
    assert_eq!((run.outcome(), run.get("/games/0/moves")), ("-".to_owned(), json!(["e2e4"])));
    let run = play("", "deal; white fold; next; undo game");
    assert_eq!(run.outcome(), "B fold");
}

#[test]
fn a_flag_goes_with_the_action_before_it() {
    let run = play(
        "chess, time 60",
        "0:00 black press; 0:10 white e2e4; 0:12 white press; 2:00 undo game; 2:05 tick",
    );
    assert_eq!((run.outcome(), run.clocks()), ("-".to_owned(), (45_000, 60_000)));
}

#[test]
fn a_ruling_on_times_acts_again_as_what_it_gave() {
    let rule = r#"rule {"clock_ms":{"black":60000}}"#;
    let run = play("chess, time 60", &format!("{OPENING}; 0:30 {rule}; 0:40 undo game; 0:40 tick"));
    // Black had 51 s when the ruling gave him 60: nine more. Before his move he had 52 s.
    assert_eq!(run.clocks(), (48_000, 61_000));
    let rule = r#"rule {"clock_ms":{"white":100}}"#;
    let run = play("chess, time 60", &format!("{OPENING}; 0:30 {rule}; 0:40 undo game; 0:40 tick"));
    // White had 39 s, so he lost 38.9 s of the 48 s that he had before Black's move.
    assert_eq!(run.clocks(), (9_100, 52_000));
}

#[test]
fn another_ruling_stands_in_the_way_until_it_is_taken_back() {
    let rule = r#"rule {"winner":"A"}"#;
    let run = try_play("chess", &format!("white e2e4!; {rule}; undo game"));
    assert_eq!((run.rules(), run.outcome()), (vec!["ruling-since"], "A ruling".to_owned()));
    let run = play("chess", &format!("white e2e4!; {rule}; undo ruling; undo game"));
    assert_eq!((run.outcome(), run.get("/games/0/moves")), ("-".to_owned(), json!([])));
}

#[test]
fn a_ruling_is_taken_back_and_what_came_after_it_acts_again() {
    let rule = r#"rule {"clock_ms":{"white":5000}}"#;
    let script = format!(
        "{OPENING}; 0:22 {rule}; 0:24 white offer-draw; 0:25 white pause; 0:30 undo ruling; 0:40 tick; 0:41 black accept-draw"
    );
    let run = play("chess, time 60", &script);
    assert_eq!((run.clocks(), run.outcome()), ((47_000, 51_000), "nobody agreement".to_owned()));
    let run = try_play("chess, time 60", &format!("{OPENING}; {rule}; white g1f3; undo ruling"));
    assert_eq!(run.rules(), ["action-since"]);
}

#[test]
fn only_the_arbiter_takes_a_ruling_back() {
    for line in [
        r#"{"t":0,"do":"undo","what":"ruling"}"#,
        r#"{"t":0,"do":"undo","what":"ruling","by":"white"}"#,
        r#"{"t":0,"do":"undo","what":"move"}"#,
    ] {
        assert!(form_error("chess", line).is_some(), "{line}");
    }
    assert!(form_error("chess", r#"{"t":0,"do":"undo","what":"ruling","by":"arbiter"}"#).is_none());
}

#[test]
fn a_redo_restores_all_as_before() {
    let script = format!("{OPENING}; 0:30 white pause; 0:40 undo game; 0:50 redo; 0:55 tick");
    let run = play("chess, time 60", &script);
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4", "e7e5"]));
    assert_eq!(run.clocks(), (39_000, 51_000));
}

#[test]
fn nothing_is_left_to_take_back() {
    let run = try_play("chess, time 60", "0:00 black press; 0:10 white pause; undo game; undo ruling");
    assert_eq!(run.rules(), ["nothing-to-undo", "nothing-to-undo"]);
    let run = play("clock, time 60", "0:00 black press; 0:10 undo game; 0:20 tick");
    assert_eq!(run.clocks(), (60_000, 60_000), "at a bare clock, a press is an action");
}
