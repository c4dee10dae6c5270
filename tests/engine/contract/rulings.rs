//! Lines with `rule` in the record: what an arbiter's ruling may set, and what follows from it.

use serde_json::{Value, json};

use crate::support::{TO_PLACEMENT, play, to_chess, try_play};

#[test]
fn a_ruling_sets_the_clocks() {
    let run = play(
        "chess, time 60",
        r#"0:00 black press; 0:10 rule {"clock_ms":{"white":90000,"black":5000}}; 0:15 tick"#,
    );
    assert_eq!(run.clocks(), (85_000, 5_000));
}

#[test]
fn a_clock_ruled_to_nothing_falls_at_once() {
    let run = play("chess, time 60", r#"0:00 black press; 0:10 rule {"clock_ms":{"white":0}}"#);
    assert_eq!((run.outcome(), run.get("/flag")), ("B timeout".to_owned(), json!("white")));
}

#[test]
fn a_clock_that_is_not_there_cannot_be_set() {
    assert_eq!(try_play("chess", r#"rule {"clock_ms":{"white":1000}}"#).rules(), ["no-clock"]);
    assert_eq!(try_play("chess, time 60", r#"rule {"periods":{"white":1}}"#).rules(), ["no-periods"]);
}

#[test]
fn chips_may_move_but_not_come_from_nowhere() {
    let run = try_play(
        "",
        r#"deal; rule {"stacks":{"A":95,"B":99}}; rule {"stacks":{"A":95}}; rule {"stacks":{"A":200},"chips":"added"}"#,
    );
    assert_eq!(
        (run.rules(), run.get("/stacks")),
        (vec!["chips-do-not-add-up"; 2], json!({"A": 200, "B": 98}))
    );
    assert_eq!(
        run.messages()[0],
        "the chips on the table would add up to 197 instead of 200; correct the numbers, or say that chips were added"
    );
    let run = play("", r#"deal; rule {"stacks":{"A":97},"contributed":{"A":3}}"#);
    assert_eq!(run.get("/games/0/contributed/A"), 3);
}

#[test]
fn a_winner_ends_the_game_and_gets_the_pot() {
    let run = play("", r#"deal; white raise 6; rule {"winner":"B"}"#);
    assert_eq!((run.outcome(), run.get("/stacks")), ("B ruling".to_owned(), json!({"A": 98, "B": 102})));
    let run = play("", r#"deal; white raise 6; rule {"winner":null}"#);
    assert_eq!(
        (run.outcome(), run.get("/stacks")),
        ("nobody ruling".to_owned(), json!({"A": 100, "B": 100}))
    );
}

#[test]
fn a_winner_changes_the_result_of_an_ended_game() {
    let run = play("", r#"deal; white call; black fold; rule {"winner":"B"}"#);
    assert_eq!((run.outcome(), run.get("/stacks")), ("B ruling".to_owned(), json!({"A": 98, "B": 102})));
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 0, "B": 4}));
}

#[test]
fn a_changed_result_can_bring_a_broken_player_back() {
    let lost = "deal; deal; deal; white R@a1; white resign";
    assert_eq!(play("A 1", lost).get("/phase"), "match-over");
    let run = play("A 1", &format!("{lost}; rule {{\"winner\":null}}; next"));
    assert_eq!((run.get("/phase"), run.get("/stacks")), (json!("deal"), json!({"A": 1, "B": 100})));
}

#[test]
fn a_position_is_set_in_the_chess_phase_only() {
    let fen = r#"rule {"fen":"4k3/8/8/8/8/8/4R3/4K3_b_-_-_0_1"}"#.replace('_', " ");
    let set = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "4k3/8/8/8/8/8/R7/4K3 b - - 0 1"}});
    assert!(!fen.is_empty());
    assert_eq!(try_play("", &format!("{TO_PLACEMENT}; {set}")).rules(), ["wrong-stage"]);
    let run = play("chess, time 60", &format!("0:00 black press; 0:10 {set}; 0:15 tick"));
    assert_eq!((run.get("/to_act"), run.clocks()), (json!("black"), (50_000, 55_000)));
    assert_eq!(run.get("/games/0/start_fen"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn the_turn_is_given_to_a_player() {
    let run = play("", r#"deal; rule {"to_act":"black"}"#);
    assert_eq!(run.get("/to_act"), "black");
    let run = play(
        "time 60",
        &format!("{TO_PLACEMENT}; 0:00 black press; 0:10 rule {{\"to_act\":\"black\"}}; 0:15 tick"),
    );
    assert_eq!((run.get("/to_act"), run.clocks()), (json!("black"), (50_000, 55_000)));
    let run = play("chess", r#"white e2e4!; rule {"to_act":"white"}; white d2d4"#);
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4", "d2d4"]));
    assert_eq!(try_play("", r#"rule {"to_act":"white"}"#).rules(), ["wrong-stage"]);
}

#[test]
fn a_ruling_that_fails_in_one_part_changes_nothing() {
    let run = try_play(
        "chess, time 60",
        r#"rule {"clock_ms":{"white":1000},"stacks":{"A":1,"B":1},"chips":"added"}"#,
    );
    assert_eq!((run.rules(), run.clocks()), (vec!["no-chips"], (60_000, 60_000)));
}

#[test]
fn a_ruled_mate_is_one() {
    let set = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "R6k/8/6K1/8/8/8/8/8 b - - 0 1"}});
    assert_eq!(play("", &format!("{}; {set}", to_chess())).outcome(), "A checkmate");
}

#[test]
fn consent_is_recorded_and_changes_nothing_in_the_results() {
    let run = play("", "deal; white consent; black consent");
    assert!(run.replay.table().consented(tabiya_types::Seat::A));
    assert_eq!(run.get("/violations"), Value::Array(vec![]));
}

#[test]
fn the_turn_cannot_be_given_away_from_a_king_in_check() {
    let run = try_play("chess, fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", r#"rule {"to_act":"black"}"#);
    assert_eq!(run.rules(), ["bad-position"]);
}

#[test]
fn a_clock_alone_has_no_board_and_no_chips() {
    let set = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "4k3/8/8/8/8/8/R7/4K3 b - - 0 1"}});
    assert_eq!(try_play("clock, time 60", &set.to_string()).rules(), ["not-of-this-game"]);
}

#[test]
fn a_result_changed_after_chips_were_ruled_away_makes_none() {
    let run = play(
        "",
        r#"deal; white all-in; black fold; rule {"winner":"B"}; rule {"stacks":{"A":198,"B":2}}; rule {"winner":"A"}"#,
    );
    assert_eq!(run.get("/stacks"), json!({"A": 200, "B": 0}));
}

#[test]
fn a_turn_given_away_ends_the_game_where_nothing_can_be_done_with_it() {
    // If White is to move in this position, it is stalemate. The ruling then gives the turn to White.
    let fen = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "8/8/8/8/8/5k2/5p2/5K2 b - - 0 1"}});
    let script = format!(r#"{fen}; rule {{"to_act":"white"}}"#);
    assert_eq!(play("chess", &script).outcome(), "nobody stalemate");
    assert_eq!(play("", &format!("{}; {script}", to_chess())).outcome(), "nobody stalemate");
}

#[test]
fn a_position_and_a_turn_ruled_together_are_judged_together() {
    // With Black to move it would be stalemate, but the ruling gives the turn to White.
    let set = json!({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "to_act": "white"});
    let ruled = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": set}).to_string();
    for terms in ["chess", "poker-chess"] {
        let run = play(terms, &format!("{ruled}; white f7g7"));
        assert_eq!(run.get("/games/0/moves"), json!(["f7g7"]), "{terms}");
    }
    assert_eq!(play("", &format!("{}; {ruled}; white f7g7", to_chess())).outcome(), "A checkmate");
}

#[test]
fn the_turn_is_not_given_to_a_player_who_has_placed_all() {
    let white =
        "white R@a1; black R@a8; white N@b1; black N@b8; white B@c1; black B@c8; white Q@d1; black R@h8";
    let give = r#"rule {"to_act":"white"}"#;
    let run = try_play("", &format!("{TO_PLACEMENT}; {white}; white B@f1; {give}; black B@f8"));
    assert_eq!(run.rules(), ["all-placed"]);
    assert_eq!(
        run.messages(),
        ["White has already placed all five pieces; let Black place the remaining pieces"]
    );
    assert_eq!(run.get("/phase"), "chess");
}
