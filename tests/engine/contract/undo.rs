//! The record's `undo`, `redo` and `id`.

use serde_json::{Value, json};

use crate::support::{FOLD_THEN_PLACE, TO_PLACEMENT, play, tell, to_chess, try_play};

#[test]
fn an_undo_takes_back_one_bet_and_again_the_one_before() {
    let run = play("", "deal; white raise 6; black call; undo; undo");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 1, "B": 2}));
    let run = play("", "deal; undo");
    assert_eq!((run.get("/phase"), run.get("/stacks")), (json!("deal"), json!({"A": 100, "B": 100})));
}

#[test]
fn an_undo_takes_back_a_move_with_its_press() {
    let run =
        play("chess, time 60", "0:00 black press; 0:10 white e2e4; 0:12 white press; 0:20 undo; 0:25 tick");
    assert_eq!(run.get("/games/0/moves"), json!([]));
    // White used 10 s before the move e2e4. The time from the move to the undo at 0:20 does not count. After the undo
    // White used five more seconds.
    assert_eq!(run.clocks(), (45_000, 60_000));
}

#[test]
fn an_undo_takes_back_a_turns_reveal_place_and_press_together() {
    let run = play(
        "time 60",
        &format!(
            "{TO_PLACEMENT}; 0:00 black press; 0:05 white reveal R; 0:06 white place R a1; 0:07 white press; 0:30 undo; 0:31 tick"
        ),
    );
    assert_eq!(run.replay.table().board().to_string(), "4k3/4p3/8/8/8/8/4P3/4K3");
    assert_eq!(run.clocks(), (54_000, 60_000));
    assert_eq!(run.legal().iter().filter(|legal| legal.contains("reveal")).count(), 5);
}

#[test]
fn in_an_unfinished_turn_an_undo_takes_back_its_last_line() {
    let turn = format!("{TO_PLACEMENT}; black press; white reveal R; white place R a1; white place R h1");
    let board = |undos: usize| {
        let run = play("", &format!("{turn}{}", "; undo".repeat(undos)));
        (run.replay.table().board().to_string(), run.get("/to_act"))
    };
    assert!(board(1).0.ends_with("R3K3"), "the earlier placement is back");
    assert!(board(2).0.ends_with("4K3"));
    let run = play("", &format!("{turn}; undo; undo; undo; white reveal Q"));
    assert_eq!(run.get("/to_act"), "white");
}

#[test]
fn an_undone_reply_leaves_the_turn_before_unfinished() {
    let run = play(
        "chess, time 60",
        "0:00 black press; 0:10 white e2e4; 0:15 black e7e5; 0:20 undo; 0:22 white press; 0:25 tick",
    );
    // White used 15 s before Black's reply, which was undone at 0:20. After the undo White used two more seconds until
    // White's press. Then Black used three seconds.
    assert_eq!(run.clocks(), (43_000, 57_000));
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4"]));
    let run = play("chess", "white e2e4; black e7e5; undo; undo");
    assert_eq!(run.get("/games/0/moves"), json!([]));
}

#[test]
fn with_auto_presses_an_undo_takes_back_the_whole_turn() {
    let run = play(
        "press auto",
        &format!(
            "{TO_PLACEMENT}; white reveal R; white place R a1; black reveal N; undo; undo; white reveal Q"
        ),
    );
    assert_eq!(run.get("/to_act"), "white");
    let run = play("chess, press auto", "white e2e4; black e7e5; undo");
    assert_eq!((run.get("/games/0/moves"), run.get("/to_act")), (json!(["e2e4"]), json!("black")));
}

#[test]
fn what_is_no_turn_is_taken_back_line_by_line() {
    let run = play("chess", "white e2e4!; black e7e5!; white offer-draw; undo");
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4", "e7e5"]));
    let run = play(
        "chess, time 60",
        r#"0:00 black press; 0:10 rule {"clock_ms":{"white":5000}}; 0:12 undo; 0:14 tick"#,
    );
    assert_eq!(run.clocks(), (48_000, 60_000));
    let run = play("chess, time 60", "0:00 black press; 0:10 white pause; 0:40 undo; 0:45 tick");
    assert_eq!(run.clocks(), (45_000, 60_000), "as before the pause, and running since the undo");
}

#[test]
fn evidence_and_ticks_are_never_undone() {
    let seen = r#"{"do":"sees","board":"8/8/8/8/8/8/8/8"}"#;
    let run = play("chess", &format!("white e2e4!; black e7e5!; tick; {seen}; undo"));
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4"]));
}

#[test]
fn undo_goes_back_across_next() {
    let run = play("", "deal; white fold; next; deal; undo; undo");
    assert_eq!((run.get("/phase"), run.outcome()), (json!("over"), "B fold".to_owned()));
    let run = play("", "deal; white fold; next; deal; undo; undo; undo; white call");
    assert_eq!(run.get("/games").as_array().unwrap().len(), 1);
}

#[test]
fn a_turn_of_the_next_game_is_undone_alone() {
    // White's mating move ends the first game without a press. An undo of White's first turn in the second game must
    // not undo that move, too.
    let mate = "white e2e4; black f7f6; white d2d4; black g7g5; white d1h5";
    let run = play("chess", &format!("{mate}; next; white e2e4!; undo"));
    assert_eq!(run.get("/games").as_array().unwrap().len(), 2);
    assert_eq!(run.get("/games/0/outcome/reason"), "checkmate");
    let auto = play("chess, press auto", &format!("{mate}; next; white e2e4; undo"));
    assert_eq!(auto.get("/games").as_array().unwrap().len(), 2);
    let run = play("", &format!("{FOLD_THEN_PLACE}; undo"));
    assert_eq!(run.get("/games").as_array().unwrap().len(), 2);
}

#[test]
fn an_undo_takes_back_a_result_and_its_chips() {
    let run = play("", &format!("{}; black resign; undo", to_chess()));
    assert_eq!((run.outcome(), run.get("/stacks")), ("-".to_owned(), json!({"A": 98, "B": 98})));
}

#[test]
fn after_a_flag_an_undo_takes_back_the_last_action_and_the_flag_with_it() {
    let run = play("chess, time 60", "0:00 black press; 0:10 white e2e4!; 1:10 tick; 1:20 undo; 1:25 tick");
    assert_eq!(
        (run.outcome(), run.get("/flag"), run.clocks()),
        ("-".to_owned(), Value::Null, (45_000, 60_000))
    );
}

#[test]
fn a_redo_restores_what_was_undone_last() {
    let run = play(
        "chess, time 60",
        "0:00 black press; 0:10 white e2e4!; 0:13 black e7e5!; 0:20 undo; 0:20 undo; 0:20 redo; 0:20 redo; 0:20 tick",
    );
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4", "e7e5"]));
    assert_eq!(run.clocks(), (43_000, 57_000));
}

#[test]
fn another_acting_line_ends_the_redo_but_ticks_and_evidence_do_not() {
    let seen = r#"{"do":"sees","board":"8/8/8/8/8/8/8/8"}"#;
    let run = try_play(
        "chess",
        &format!(
            "white e2e4!; undo; tick; {seen}; {{\"do\":\"button\",\"by\":\"black\"}}; redo; undo; white d2d4; redo"
        ),
    );
    assert_eq!((run.rules(), run.get("/games/0/moves")), (vec!["nothing-to-redo"], json!(["d2d4"])));
}

#[test]
fn nothing_is_undone_before_anything_was_done() {
    assert_eq!(try_play("", "undo; redo").rules(), ["nothing-to-undo", "nothing-to-redo"]);
}

#[test]
fn after_an_undo_a_moment_before_it_uses_no_time() {
    // The new move was made at 19 s, before the undo at 20 s. But the board settled only after the undo, so the line
    // of the move comes after the undo. A move whose moment lies before the undo uses no time.
    let run = play(
        "chess, time 60",
        "0:00 black press; 0:10 white e2e4!; 0:20 undo; 0:20.500 white d2d4 when 0:19; 0:20.500 white press when 0:19; 0:20.500 tick",
    );
    assert_eq!(run.clocks(), (50_000, 59_500));
}

#[test]
fn an_undone_bet_gives_its_time_back() {
    let run = play("bet_ms 5000", "0:00 deal; 0:03 white call; 0:04 undo; 0:05.999 tick");
    assert_eq!(run.outcome(), "-");
    let run = play("bet_ms 5000", "0:00 deal; 0:03 white call; 0:04 undo; 0:06 tick");
    assert_eq!(run.outcome(), "B fold");
}

#[test]
fn a_line_whose_id_was_seen_is_passed_over() {
    let line = r#"{"do":"bet","by":"white","action":"raise","to":4,"id":"x1"}"#;
    let run = play("", &format!("deal; {line}; black call; 0:00 {line}"));
    assert_eq!((run.get("/phase"), run.get("/games/0/contributed/A")), (json!("deal"), json!(4)));
}

#[test]
fn an_evening_undone_and_played_on() {
    insta::assert_snapshot!(tell("time 60", "0:00 deal; 0:02 white raise 6; 0:04 undo; 0:06 white fold; 0:08 next; 0:10 undo; 0:10 undo; 0:12 redo; 0:14 next"), @r"
    0:00  deal                     pot 3    A 99   B 98    clock 1:00 1:00  bet: white
    0:02  white raise 6            pot 8    A 94   B 98    clock 1:00 1:00  bet: black
    0:04  undo                     pot 3    A 99   B 98    clock 1:00 1:00  bet: white
    0:06  white fold               pot 0    A 99   B 101   clock 1:00 1:00  over  B fold
    0:08  next                     pot 0    A 99   B 101   clock 1:00 1:00  deal: dealer
    0:10  undo                     pot 0    A 99   B 101   clock 1:00 1:00  over  B fold
    0:10  undo                     pot 3    A 99   B 98    clock 1:00 1:00  bet: white
    0:12  redo                     pot 0    A 99   B 101   clock 1:00 1:00  over  B fold
    0:14  next                     pot 0    A 99   B 101   clock 1:00 1:00  deal: dealer
    ");
}
