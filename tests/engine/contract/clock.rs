//! The clock: points 1, 9, 10, 13 and 14 of "How lines act" (`docs/record.md`), and sudden death, Fischer and stages
//! (`docs/clock.md`). The expected readings were calculated by hand.

use serde_json::{Value, json};

use crate::support::{TO_PLACEMENT, play, to_chess, try_play};

/// Black presses at 0:00. Then White and Black press in turn at the seconds in `presses`. Compares the clock readings
/// at the second `now` with `white` and `black`, in seconds.
#[track_caller]
fn check(terms: &str, presses: &[u64], now: u64, white: u64, black: u64) {
    let mut script = vec!["0:00 black press".to_owned()];
    for (nth, at) in presses.iter().enumerate() {
        let by = if nth % 2 == 0 { "white" } else { "black" };
        script.push(format!("{}:{:02} {by} press", at / 60, at % 60));
    }
    script.push(format!("{}:{:02} tick", now / 60, now % 60));
    let run = play(&format!("clock, {terms}"), &script.join("; "));
    assert_eq!(run.clocks(), (white * 1000, black * 1000), "{terms} {presses:?} at {now}");
}

#[test]
fn sudden_death_is_base_minus_used() {
    check("time 300", &[], 0, 300, 300);
    check("time 300", &[], 10, 290, 300);
    check("time 300", &[10], 25, 290, 285);
    check("time 300", &[10, 25, 30], 31, 285, 284);
    check("time 300", &[], 299, 1, 300);
}

#[test]
fn fischer_gives_the_first_increment_at_the_start_and_one_at_each_press() {
    check("time 300+3", &[], 0, 303, 303);
    check("time 300+3", &[10], 10, 296, 303);
    check("time 300+3", &[10, 12], 12, 296, 304);
}

#[test]
fn fischer_without_a_first_increment_gives_it_after_each_move() {
    check("time 300+3, first_increment false", &[], 0, 300, 300);
    check("time 300+3, first_increment false", &[10, 12], 12, 293, 301);
}

#[test]
fn the_last_press_of_a_counted_stage_adds_the_next_stage_at_once() {
    // The terms: 100 s for the first two moves, then 50 s more.
    check("time 2/100:50", &[10], 10, 90, 100);
    check("time 2/100:50", &[10, 20, 30], 30, 130, 90);
}

#[test]
fn the_increment_is_that_of_the_next_moves_stage() {
    // White begins with 100 + 5 s, uses 10 s, and gets 5 s at the first press: 100 s remain. White then uses another 10
    // s, and gets 50 + 1 s at the second press: 141 s remain.
    check("time 2/100+5:50+1", &[10], 10, 100, 105);
    check("time 2/100+5:50+1", &[10, 20, 30], 30, 141, 100);
    // Without a first increment White begins with 100 s. Each of White's two presses then adds the first stage's 5 s.
    check("time 2/100+5:50+1, first_increment false", &[10, 20, 30], 30, 140, 95);
}

#[test]
fn a_last_counted_stage_repeats() {
    check("time 1/100", &[10, 20, 30, 40], 40, 280, 280);
    check("time 1/100:1/20", &[10, 20, 30, 40], 40, 120, 120);
}

#[test]
fn before_its_last_press_a_counted_stage_can_only_fall() {
    let run = play("clock, time 2/60:600", "0:00 black press; 1:00 tick");
    assert_eq!((run.get("/flag"), run.get("/phase")), (json!("white"), json!("over")));
}

#[test]
fn a_stage_without_a_count_begins_when_the_one_before_is_used_up() {
    check("time 60:30", &[], 59, 1, 60);
    check("time 60:30", &[], 60, 30, 60);
    check("time 60:30", &[], 89, 1, 60);
    check("time 60:30:20", &[], 95, 15, 60);
    let run = play("clock, time 60:30", "0:00 black press; 1:30 tick");
    assert_eq!(run.get("/flag"), "white");
}

#[test]
fn a_flag_falls_at_its_very_millisecond() {
    let run = play("clock, time 60", "0:00 black press; 0:59.999 white press; 1:00 tick");
    assert_eq!((run.clocks(), run.get("/flag")), ((1, 59_999), Value::Null));
    let run = play("clock, time 60", "0:00 black press; 1:00 white press");
    assert_eq!((run.clocks(), run.get("/flag")), ((0, 60_000), json!("white")));
}

#[test]
fn a_press_with_the_flags_millisecond_comes_too_late_in_chess_too() {
    let run = try_play("chess, time 60", "0:00 black press; 1:00 white e2e4");
    assert_eq!((run.rules(), run.outcome()), (vec!["game-over"], "B timeout".to_owned()));
}

#[test]
fn blacks_first_press_starts_whites_clock_and_only_that() {
    let run = play("clock, time 60", "0:00 white press; 0:05 black press; 0:06 black press; 0:10 tick");
    assert_eq!((run.clocks(), run.get("/moves")), ((55_000, 60_000), json!({"white": 0, "black": 0})));
}

#[test]
fn a_clock_alone_counts_presses_and_needs_no_games() {
    let run = play(
        "clock, time 60",
        "0:00 black press; 0:01 white press; 0:02 black press; 0:03 white press; 0:04 white press",
    );
    assert_eq!(run.get("/moves"), json!({"white": 2, "black": 1}));
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("clock"), json!("black")));
}

#[test]
fn after_the_flag_presses_do_nothing() {
    let run = play("clock, time 60", "0:00 black press; 1:01 white press; 1:02 black press");
    assert_eq!((run.clocks(), run.get("/moves/white")), ((0, 60_000), json!(0)));
}

#[test]
fn without_freeze_the_other_clock_runs_on() {
    let run = play("clock, time 60, freeze false", "0:00 black press; 1:10 white press; 1:20 tick");
    assert_eq!((run.clocks(), run.get("/flag")), ((0, 50_000), json!("white")));
}

#[test]
fn times_may_go_by_seat_or_by_colour() {
    let run = play(r#"chess, white B, time {"A":"60","B":"120"}"#, "tick");
    assert_eq!(run.clocks(), (120_000, 60_000));
    let run = play(r#"chess, white B, time {"white":"60","black":"120"}"#, "tick");
    assert_eq!(run.clocks(), (60_000, 120_000));
    let run = play(r#"chess, time {"A":"60","B":"-"}"#, "tick");
    assert_eq!(run.get("/clock_ms"), json!({"white": 60_000, "black": null}));
}

// ---- in games ----

#[test]
fn whites_clock_starts_with_whites_first_reveal_if_nobody_pressed() {
    let run = play("time 60", &format!("{TO_PLACEMENT}; 0:30 white reveal R; 0:35 tick"));
    assert_eq!(run.clocks(), (55_000, 60_000));
}

#[test]
fn the_clock_does_not_run_while_betting() {
    let run = play("time 60", "0:00 deal; 0:10 black press; 5:00 white call; 9:00 tick");
    assert_eq!(run.clocks(), (60_000, 60_000));
}

#[test]
fn increments_apply_to_placements_too_and_counts_do_not() {
    let run = play("time 60+2", &format!("{TO_PLACEMENT}; 0:00 black press; 0:10 white R@a1"));
    assert_eq!(run.clocks(), (54_000, 62_000));
    // The five placements of each player are not counted as moves: only White's first chess move ends the stage of
    // 100 s.
    let placed = play("time 1/100:50", &to_chess());
    let (white, black) = placed.clocks();
    assert_eq!(white + black, 200_000 - placed.replay.last_t().millis());
    let moved = play("time 1/100:50", &format!("{}; white e2e4!", to_chess()));
    assert_eq!(moved.clocks().0 + moved.clocks().1, 250_000 - moved.replay.last_t().millis());
}

#[test]
fn without_a_press_the_movers_clock_runs_until_the_reply() {
    let run = play("chess, time 60", "0:00 black press; 0:05 white e2e4; 0:20 black e7e5; 0:21 tick");
    assert_eq!(run.clocks(), (40_000, 59_000));
}

#[test]
fn when_says_at_what_moment_it_happened() {
    let run =
        play("chess, time 60", "0:00 black press; 0:05 white e2e4; 0:20 white press when 0:06; 0:30 tick");
    assert_eq!(run.clocks(), (54_000, 36_000));
    let late = try_play("chess, time 60", "0:00 black press; 0:10 white e2e4!; 0:20 black e7e5 when 0:09");
    assert_eq!(late.rules(), ["before-the-turn"]);
}

#[test]
fn readings_are_at_the_last_lines_moment() {
    let run = play("chess, time 60", "0:00 black press; 0:05 white e2e4; 0:20 white press when 0:06");
    assert_eq!(run.clocks(), (54_000, 60_000));
}

#[test]
fn a_press_that_happened_before_the_flag_is_in_time() {
    let run =
        play("chess, time 60", "0:00 black press; 0:50 white e2e4; 1:05 white press when 0:59; 1:10 tick");
    assert_eq!((run.outcome(), run.clocks()), ("-".to_owned(), (1_000, 49_000)));
}

#[test]
fn a_press_by_the_standing_side_does_nothing_even_after_the_result() {
    let run = play(
        "chess, time 60",
        "0:00 white press; 0:01 black press; 0:02 black press; 0:03 white resign; 0:04 white press; 0:05 black press",
    );
    assert_eq!((run.outcome(), run.clocks()), ("B resignation".to_owned(), (58_000, 60_000)));
}

#[test]
fn a_refused_line_reads_the_clock_on_too() {
    let run = try_play("chess, time 60", "0:00 black press; 1:30 white e2e5");
    assert_eq!(run.outcome(), "B timeout");
    let run = try_play("chess, time 60", "0:00 black press; 0:30 white e2e5");
    assert_eq!(run.clocks(), (30_000, 60_000));
}

#[test]
fn evidence_never_reads_the_clock_on() {
    let seen = r#"{"do":"sees","board":"8/8/8/8/8/8/8/8"}"#;
    let run = play(
        "chess, time 60",
        &format!("0:00 black press; 2:00 {seen}; 2:00 {{\"do\":\"button\",\"by\":\"white\"}}"),
    );
    assert_eq!((run.outcome(), run.get("/flag")), ("-".to_owned(), Value::Null));
}

#[test]
fn a_flag_ended_the_game_at_its_own_instant() {
    let run = try_play("chess, time 60", "0:00 black press; 0:10 white e2e4!; 5:00 white resign");
    assert_eq!(
        (run.rules(), run.outcome(), run.clocks()),
        (vec!["game-over"], "A timeout".to_owned(), (50_000, 0))
    );
}

#[test]
fn with_auto_presses_a_move_ends_the_turn_at_its_own_moment() {
    let run = play(
        "chess, time 60, press auto",
        "0:00 black press; 0:10 white e2e4; 0:20 white press; 0:25.350 black e7e5 when 0:25; 0:27 tick",
    );
    assert_eq!(run.clocks(), (58_000, 45_000));
}

// ---- pauses ----

#[test]
fn pauses_use_no_time() {
    let run = play(
        "chess, time 60",
        "0:00 black press; 0:10 white pause; 3:00 white press; 3:00 black resume; 3:05 tick",
    );
    assert_eq!(run.clocks(), (45_000, 60_000));
}

#[test]
fn a_press_understood_after_a_pause_ended_the_turn_before_it() {
    let late = |press: &str| {
        let script = format!(
            "0:00 black press; 0:01 white e2e4; 0:05 arbiter pause; 1:08 arbiter resume; 1:09 {press}; 1:09 tick"
        );
        play("chess, time 60", &script).clocks()
    };
    assert_eq!(late("white press when 0:04"), (56_000, 58_000));
    // A press that is entered after the pause without `when` ends the turn at the moment of its entry, as usual.
    assert_eq!(late("white press"), (54_000, 60_000));
    // White's first turn and Black's turn ended before the first of the two pauses. But their presses were entered
    // only after both pauses; `when` gives the earlier moments.
    let run = play(
        "chess, time 60+1",
        "0:00 black press; 0:01 white e2e4; 0:10 arbiter pause; 1:00 arbiter resume; 1:05 arbiter pause; 2:00 arbiter resume; 2:01 white press when 0:03; 2:01 black e7e5 when 0:04; 2:01 black press when 0:05; 2:02 tick",
    );
    // White's first turn took 3 s, and Black's turn 2 s. White's second turn began at 0:05 and took 5 + 5 + 2 s,
    // without the two pauses. Each side began with one increment and got another one at its press.
    assert_eq!(run.clocks(), (60_000 + 1_000 + 1_000 - 3_000 - 12_000, 60_000 + 1_000 + 1_000 - 2_000));
}

#[test]
fn while_paused_nothing_of_the_game_goes_on() {
    let run =
        try_play("chess", "arbiter pause; white e2e4; white pause; white resume; black resume; white e2e4");
    assert_eq!(run.rules(), ["paused", "paused-already", "not-paused"]);
    let run = try_play("", "arbiter pause; deal; arbiter resume; deal; arbiter pause; white call");
    assert_eq!(run.rules(), ["paused", "paused"]);
    assert_eq!(run.legal(), Vec::<String>::new());
    let run = try_play(
        "",
        &format!(
            "{TO_PLACEMENT}; arbiter pause; white reveal R; arbiter resume; white reveal R; arbiter pause; white place R a1"
        ),
    );
    assert_eq!(run.rules(), ["paused", "paused"]);
}

// ---- events ----

#[test]
fn at_events_a_fallen_reading_stands_at_0_and_play_goes_on_until_the_claim() {
    let run = try_play(
        "chess, time 60, voice event",
        "0:00 black press; 1:30 white e2e4!; 1:40 black e7e5; white claim-flag; black claim-flag",
    );
    assert_eq!(run.rules(), ["no-flag-to-claim"]);
    assert_eq!(
        (run.outcome(), run.clocks().0, run.get("/flag")),
        ("B timeout".to_owned(), 0, json!("white"))
    );
}

#[test]
fn at_events_the_arbiter_may_claim_or_rule() {
    assert_eq!(
        play("chess, time 60, voice event", "0:00 black press; 1:30 arbiter claim-flag").outcome(),
        "B timeout"
    );
    let run = play("chess, time 60, voice event", r#"0:00 black press; 1:30 rule {"winner":null}"#);
    assert_eq!(run.outcome(), "nobody ruling");
    let run = play(
        "chess, time 60, voice event",
        r#"0:00 black press; 1:30 rule {"clock_ms":{"white":20000}}; 1:35 tick"#,
    );
    assert_eq!(
        (run.outcome(), run.clocks(), run.get("/flag")),
        ("-".to_owned(), (15_000, 60_000), Value::Null)
    );
}

#[test]
fn a_claimed_flag_against_bare_king_is_a_draw() {
    let run = try_play(
        "chess, time 60, voice event, fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "0:00 black press; 1:30 black claim-flag",
    );
    assert_eq!(run.outcome(), "nobody timeout-vs-insufficient-material");
}

#[test]
fn without_an_arbiter_a_flag_is_not_claimed() {
    assert_eq!(try_play("chess, time 60", "black claim-flag").rules(), ["no-flag-to-claim"]);
}

#[test]
fn a_physical_clocks_times_count_only_where_that_was_agreed() {
    let reads = r#"0:05 {"do":"clock-reads","white":50000,"black":60000}"#;
    assert_eq!(try_play("chess, time 60", reads).rules(), ["own-clock-counts"]);
    let run = play("chess, time 60, clock device", &format!("0:00 black press; {reads}; 0:06 tick"));
    assert_eq!(run.clocks(), (49_000, 60_000));
}

// ---- late presses, rulings and undo during a turn ----

#[test]
fn an_undo_of_a_press_from_before_a_pause_lets_the_clock_stand_as_it_stood_then() {
    let script =
        "0:00 black press; 0:12 arbiter pause; 0:20 arbiter resume; 0:21 white press when 0:10; 0:30 undo";
    assert_eq!(play("clock, time 300", script).clocks(), (290_000, 300_000));
    let run = play("clock, time 300", &format!("{script}; 0:40 tick"));
    assert_eq!(run.clocks(), (280_000, 300_000));
    let script = script.replace("0:10", "0:09");
    let run = play("clock, time 5:3x5", &script);
    assert_eq!((run.clocks(), run.get("/periods")), ((1_000, 5_000), json!({"white": 3, "black": 3})));
}

#[test]
fn a_ruling_on_the_other_side_leaves_the_turn_alone() {
    let other = r#"rule {"clock_ms":{"black":100000}}"#;
    let run = play("clock, time 300b5", &format!("0:00 black press; 0:04 {other}; 0:05 white press"));
    assert_eq!(run.clocks(), (300_000, 100_000));
    let run = play(
        "clock, time 300",
        &format!("0:00 black press; 0:12 {other}; 0:13 white press when 0:10; 0:13 tick"),
    );
    assert_eq!(run.clocks(), (290_000, 99_000));
    let run = play("clock, time 300d5", &format!("0:00 black press; 0:03 {other}; 0:06 white press"));
    assert_eq!(run.clocks(), (299_000, 100_000));
}

#[test]
fn a_ruling_on_the_running_side_holds_from_its_moment() {
    let own = r#"rule {"clock_ms":{"white":100000}}"#;
    let run = play("clock, time 300d5", &format!("0:00 black press; 0:03 {own}; 0:06 tick"));
    assert_eq!(run.clocks(), (99_000, 300_000));
    let run = play("clock, time 300", &format!("0:00 black press; 0:12 {own}; 0:15 white press"));
    assert_eq!(run.clocks(), (97_000, 300_000));
    let run = play("clock, time 10:3x5", r#"0:00 black press; 0:12 rule {"periods":{"white":1}}; 0:16 tick"#);
    assert_eq!((run.get("/flag"), run.get("/periods")), (json!("white"), json!({"white": 0, "black": 3})));
}

#[test]
fn a_fallen_side_gains_nothing_by_an_hourglass() {
    let run = play("clock, time *10, freeze false", "0:00 black press; 0:12 white press; 0:15 tick");
    assert_eq!((run.clocks(), run.get("/flag")), ((0, 17_000), json!("white")));
}

#[test]
fn a_late_press_gives_the_other_clock_its_time_although_a_flag_had_fallen() {
    let run = play(
        "clock, time 10, freeze false",
        "0:00 black press; 0:11 tick; 0:12 white press when 0:08; 0:13 tick",
    );
    assert_eq!(run.clocks().1, 5_000);
}

#[test]
fn a_stage_without_seconds_ends_nothing_where_another_follows() {
    check("time 20:0+2:5", &[], 20, 5, 20);
    let run = play("clock, time 20:0+2:3x5", "0:00 black press; 0:21 tick");
    assert_eq!((run.clocks(), run.get("/periods/white")), ((4_000, 20_000), json!(3)));
}

#[test]
fn moves_are_counted_while_a_flag_is_down_and_no_time_is_given_for_them() {
    let run = play(
        "chess, time 3/10:60, voice event",
        r#"0:00 black press; 0:01 white e2e4!; 0:01 black e7e5!; 0:20 white d2d4!; 0:20 rule {"clock_ms":{"white":30000}}; 0:20 black d7d5!; 0:21 white c2c4!"#,
    );
    assert_eq!((run.clocks().0, run.get("/moves/white")), (89_000, json!(3)));
}

#[test]
fn a_corrected_move_counter_counts_on_behind_a_stage_without_a_count_too() {
    let run = play(
        "clock, time 5:40/10",
        r#"0:00 black press; 0:06 rule {"moves":{"white":39}}; 0:07 white press; 0:07 tick"#,
    );
    assert_eq!((run.clocks().0, run.get("/moves/white")), (18_000, json!(40)));
}

#[test]
fn a_ruling_names_no_more_periods_than_a_control_can_have() {
    for set in [r#"{"periods":{"white":1000}}"#, r#"{"moves":{"white":10000}}"#] {
        let line = format!(r#"{{"t":0,"do":"rule","by":"arbiter","reason":"r","set":{set}}}"#);
        let header =
            r#"{"tabiya":1,"game":"clock","players":{"A":"a","B":"b"},"white":"A","terms":{"time":"1:3x1"}}"#;
        let mut replay = tabiya_engine::record::Replay::begin(header, tabiya_engine::rules::GAMES).unwrap();
        assert!(matches!(replay.feed(2, &line), Err(tabiya_engine::record::Stop::Unusable(_))), "{set}");
    }
}

// ---- placements ----

#[test]
fn periods_and_delays_apply_to_placements_and_blocks_count_moves_alone() {
    let begun = format!("{TO_PLACEMENT}; 0:00 black press");
    let run = play("time 5:3x10", &format!("{begun}; 0:12 white R@a1; 0:12 tick"));
    assert_eq!(run.clocks(), (10_000, 5_000));
    let run = play("time 60d5", &format!("{begun}; 0:08 white R@a1; 0:08 tick"));
    assert_eq!(run.clocks(), (57_000, 60_000));
    // The terms give a block of 100 s for one move. A placement is not a move, so White's block goes on.
    let run = play("time 5:c1/100", &format!("{begun}; 0:15 white R@a1; 0:15 tick"));
    assert_eq!(run.clocks(), (90_000, 5_000));
}

// ---- bugs that other programs have had ----

#[test]
fn a_new_games_clock_knows_nothing_of_the_last_flag() {
    let run = play("chess, time 60", "0:00 black press; 1:30 tick; 1:40 next; 5:00 tick");
    assert_eq!(
        (run.clocks(), run.get("/flag"), run.outcome()),
        ((60_000, 60_000), Value::Null, "-".to_owned())
    );
    let run = play("chess, time 60", "0:00 black press; 1:30 tick; 1:40 next; 5:00 black press; 5:10 tick");
    assert_eq!((run.clocks(), run.get("/flag")), ((50_000, 60_000), Value::Null));
}

#[test]
fn a_stage_is_given_once_however_often_the_clock_is_read() {
    let ticks: Vec<String> =
        (60..80).map(|second| format!("{}:{:02} tick", second / 60, second % 60)).collect();
    let run = play("clock, time 60:30", &format!("0:00 black press; {}", ticks.join("; ")));
    assert_eq!(run.clocks(), (11_000, 60_000));
    let run = play(
        "clock, time 1/60:30",
        "0:00 black press; 0:10 white press; 0:10 white press; 0:10 white press; 0:11 tick",
    );
    assert_eq!(run.clocks(), (80_000, 59_000));
}

#[test]
fn a_clock_that_is_read_again_after_a_crash_has_no_more_time() {
    let script = "0:00 black press; 0:10 white press; 0:25.5 black press; 0:31 arbiter pause";
    let whole = play("clock, time 60+2", script);
    // After a crash the program replays the same lines. The clock stays paused until the match is carried on.
    let again = play("clock, time 60+2", &format!("{script}; 9:00 arbiter resume; 9:00 tick"));
    assert_eq!(again.clocks(), whole.clocks());
}

#[test]
fn at_events_a_clock_alone_waits_for_the_claim_and_goes_on_after_a_ruling() {
    let run = play("clock, time 10, voice event", "0:00 black press; 0:11 tick; 0:12 black claim-flag");
    assert_eq!((run.get("/flag"), run.get("/phase")), (json!("white"), json!("over")));
    let run = play(
        "clock, time 10, voice event",
        r#"0:00 black press; 0:11 tick; 0:12 rule {"clock_ms":{"white":5000}}; 0:14 white press; 0:16 tick"#,
    );
    assert_eq!(
        (run.clocks(), run.get("/flag"), run.get("/phase")),
        ((3_000, 8_000), Value::Null, json!("clock"))
    );
}

#[test]
fn a_ruling_after_the_end_raises_no_flag() {
    let run = play(
        "clock, time 10",
        r#"0:00 black press; 0:11 tick; 0:12 rule {"clock_ms":{"white":5000}}; 0:16 tick"#,
    );
    assert_eq!((run.clocks().0, run.get("/flag"), run.get("/phase")), (5_000, json!("white"), json!("over")));
}

#[test]
fn a_late_press_takes_nothing_of_what_was_ruled_since() {
    let run = play(
        "clock, time 10",
        r#"0:00 black press; 0:06 rule {"clock_ms":{"black":8000}}; 0:08 white press when 0:04; 0:08 tick"#,
    );
    assert_eq!(run.clocks(), (6_000, 6_000));
    let run = play(
        "clock, time 10",
        r#"0:00 black press; 0:05 white press; 0:06 rule {"clock_ms":{"white":8000}}; 0:08 black press when 0:05.500; 0:08 tick"#,
    );
    assert_eq!(run.clocks(), (6_000, 9_500));
}
