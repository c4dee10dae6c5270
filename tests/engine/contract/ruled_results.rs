//! Rulings on a game's result that are no win, loss or draw, games that go on or are begun again, time controls that are put
//! right, and players who confirm a result (`docs/record.md`).

use serde_json::{Value, json};

use crate::support::{Run, TO_PLACEMENT, play, to_chess, try_play};

#[test]
fn both_players_lose_a_game_of_chess() {
    let run = play("chess", r#"white e2e4!; rule {"points":{"A":0,"B":0}}"#);
    let outcome = json!({"winner": null, "points": {"A": 0, "B": 0}, "reason": "ruling"});
    assert_eq!(run.get("/games/0/outcome"), outcome);
    assert_eq!(run.get("/legal"), json!([{"do": "next"}]));
    let half = play("chess", r#"white e2e4!; black resign; rule {"points":{"A":0.5,"B":0}}"#);
    assert_eq!(half.get("/games/0/outcome/points"), json!({"A": 0.5, "B": 0}));
}

#[test]
fn points_leave_the_chips_as_at_a_draw_unless_the_ruling_says_otherwise() {
    let run = play("", &format!(r#"{TO_PLACEMENT}; rule {{"points":{{"A":0,"B":0}}}}"#));
    assert_eq!(run.get("/stacks"), json!({"A": 100, "B": 100}));
    let set = r#"rule {"points":{"A":0,"B":0.5},"stacks":{"A":98,"B":102}}"#;
    let run = play("", &format!("{TO_PLACEMENT}; {set}"));
    assert_eq!(run.get("/stacks"), json!({"A": 98, "B": 102}));
    let none_from_nowhere = r#"rule {"points":{"A":0,"B":0},"stacks":{"A":99,"B":102}}"#;
    assert_eq!(
        try_play("", &format!("{TO_PLACEMENT}; {none_from_nowhere}")).rules(),
        ["chips-do-not-add-up"]
    );
}

#[test]
fn points_do_not_go_to_the_colour_that_wins_draws() {
    let run = play("chess, draw_wins black", r#"rule {"points":{"A":0,"B":0}}"#);
    assert_eq!(run.get("/games/0/outcome/winner"), json!(null));
}

#[test]
fn a_game_that_is_ruled_drawn_goes_to_the_colour_that_wins_draws_and_is_told_as_a_draw() {
    let run = play("chess, draw_wins black", r#"white e2e4!; rule {"winner":null}"#);
    assert_eq!(run.get("/games/0/outcome"), json!({"winner": "B", "reason": "ruling"}));
    let told: Vec<String> = run.replay.table().results_in_words().iter().map(ToString::to_string).collect();
    assert!(told[0].ends_with("drawn (by the arbiter’s ruling); Bo wins, as agreed"), "{told:?}");
}

#[test]
fn a_player_who_did_not_come_loses() {
    let run = play("chess", r#"rule {"forfeit":"A"}"#);
    assert_eq!(run.get("/games/0/outcome"), json!({"winner": "B", "reason": "ruling"}));
    let run = play("chess", r#"rule {"forfeit":"both"}"#);
    let nobody = json!({"winner": null, "points": {"A": 0, "B": 0}, "reason": "ruling"});
    assert_eq!(run.get("/games/0/outcome"), nobody);
}

#[test]
fn a_cancelled_game_is_begun_again_with_the_same_colours() {
    let cancelled = r#"white e2e4!; black e7e5; rule {"game":"void"}"#;
    let run = play("chess", cancelled);
    assert_eq!(run.get("/games/0/outcome"), json!({"winner": null, "reason": "ruling"}));
    for again in ["next; white d2d4", "white d2d4"] {
        let run = play("chess", &format!("{cancelled}; {again}"));
        assert_eq!(
            (run.get("/games/1/white"), run.get("/games/1/moves")),
            (json!("A"), json!(["d2d4"])),
            "{again}"
        );
    }
    let swapped = play("chess", &format!("{cancelled}; next; white resign; next"));
    assert_eq!(swapped.get("/games/2/white"), json!("B"), "after a game that counts the colours swap");
}

#[test]
fn the_bets_of_a_cancelled_game_go_back_and_it_counts_nothing() {
    let run = play("games 1", &format!(r#"{}; rule {{"game":"void"}}"#, to_chess()));
    assert_eq!((run.get("/stacks"), run.get("/phase")), (json!({"A": 100, "B": 100}), json!("over")));
    assert_eq!(run.get("/games/0/awarded"), run.get("/games/0/contributed"));
    let again = play("games 1", &format!(r#"{}; rule {{"game":"void"}}; deal"#, to_chess()));
    assert_eq!((again.get("/games/1/white"), again.get("/phase")), (json!("A"), json!("bet")));
}

#[test]
fn a_game_whose_flag_fell_wrongly_goes_on() {
    let fell = "0:00 black press; 0:01 white e2e4; 0:02 white press; 2:00 tick";
    let run = play("chess, time 60", fell);
    assert_eq!((run.outcome(), run.get("/flag")), ("A timeout".to_owned(), json!("black")));
    let on = format!(r#"{fell}; 2:10 rule {{"game":"on","clock_ms":{{"black":30000}}}}; 2:15 tick"#);
    let run = play("chess, time 60", &on);
    assert_eq!((run.outcome(), run.get("/flag")), ("-".to_owned(), json!(null)));
    assert_eq!((run.clocks(), run.get("/to_act")), ((58_000, 25_000), json!("black")));
    let played = play("chess, time 60", &format!("{on}; 2:16 black e7e5; 2:17 black press"));
    assert_eq!(played.get("/games/0/moves"), json!(["e2e4", "e7e5"]));
}

#[test]
fn a_game_goes_on_after_a_resignation_and_the_pot_is_open_again() {
    let story = format!(r#"{}; white resign; rule {{"game":"on"}}"#, to_chess());
    let run = play("", &story);
    assert_eq!((run.outcome(), run.get("/phase")), ("-".to_owned(), json!("chess")));
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 0, "B": 0}));
    let folded = play("", r#"deal; white raise 6; black fold; rule {"game":"on"}; black call"#);
    assert_eq!(folded.get("/games/0/contributed"), json!({"A": 6, "B": 6}));
}

#[test]
fn who_bought_chips_after_the_end_of_a_game_that_goes_on_keeps_them() {
    let bought = r#"deal; white raise 6; black fold; rule {"stacks":{"B":118},"chips":"added"}"#;
    let run = play("", &format!(r#"{bought}; rule {{"game":"on"}}"#));
    assert_eq!(run.get("/stacks"), json!({"A": 94, "B": 118}), "98 before the fold, and 20 bought");
    let called = play("", &format!(r#"{bought}; rule {{"game":"on"}}; black call; rule {{"winner":"A"}}"#));
    assert_eq!(called.get("/stacks"), json!({"A": 106, "B": 114}));
    let gone = r#"deal; white raise 50; black fold; rule {"stacks":{"A":0},"chips":"added"}"#;
    assert_eq!(try_play("", &format!(r#"{gone}; rule {{"game":"on"}}"#)).rules(), ["chips-do-not-add-up"]);
}

#[test]
fn a_game_that_was_ended_on_the_board_does_not_go_on() {
    let mate = "white f2f3!; black e7e5!; white g2g4!; black d8h4!";
    let run = try_play("chess", &format!(r#"{mate}; rule {{"game":"on"}}"#));
    assert_eq!((run.rules(), run.outcome()), (vec!["ended-on-board"], "B checkmate".to_owned()));
    assert_eq!(try_play("chess", r#"rule {"game":"on"}"#).rules(), ["game-running"]);
}

#[test]
fn a_forgotten_increment_is_put_in() {
    let begun = r#"0:00 black press; 0:10 white e2e4; 0:10 white press; 0:20 rule {"time":"5400+30"}"#;
    let run = play("chess, time 5400", &format!("{begun}; 0:30 black e7e5; 0:30 black press; 0:40 tick"));
    assert_eq!(run.clocks(), (5_380_000, 5_410_000));
    let other = r#"rule {"time":{"white":"300","black":"180"},"clock_ms":{"white":300000,"black":180000}}"#;
    assert_eq!(play("chess, time 60", other).clocks(), (300_000, 180_000));
    let next = play("chess, time 5400", &format!("{begun}; black resign; next"));
    assert_eq!(next.clocks(), (5_430_000, 5_430_000), "the agreed control is this one from then on");
}

#[test]
fn the_moves_made_so_far_count_in_the_stages_of_the_new_control() {
    let two = "0:00 black press; 0:01 white e2e4; 0:01 white press; 0:02 black e7e5; 0:02 black press";
    let ruled =
        format!(r#"{two}; 0:03 rule {{"time":"2/100:50"}}; 0:04 white g1f3; 0:04 white press; 0:04 tick"#);
    // White's second move ends the first stage, and adds the second one.
    assert_eq!(play("chess, time 90", &ruled).clocks(), (90_000 - 3_000 + 50_000, 89_000));
    let periods = play("chess, time 90", r#"rule {"time":"60:3x10"}"#);
    assert_eq!(
        (periods.clocks(), periods.get("/periods")),
        ((90_000, 90_000), json!({"white": 3, "black": 3}))
    );
}

/// The seats that have confirmed the first game's result.
fn signed(run: &Run) -> Value {
    run.report()["games"][0]["signed"].clone()
}

#[test]
fn both_players_confirm_a_result_once() {
    let over = "white e2e4!; black resign";
    assert_eq!(try_play("chess", "white signs").rules(), ["nothing-to-sign"]);
    let run = try_play("chess", &format!("{over}; white signs; black signs; white signs"));
    assert_eq!((run.rules(), signed(&run)), (vec!["signed-already"], json!(["A", "B"])));
    let changed = format!(r#"{over}; white signs; rule {{"winner":null}}"#);
    assert_eq!(signed(&play("chess", &changed)), json!(null));
    assert_eq!(play("chess", &format!("{changed}; white signs")).get("/games/0/signed"), json!(["A"]));
    let past = play("chess", &format!("{over}; white signs; next"));
    assert_eq!(signed(&past), json!(["A"]));
}

#[test]
fn a_confirmation_is_no_line_that_an_undo_takes_back() {
    let over = "white e2e4!; black resign; white signs";
    for undo in ["undo", "undo game"] {
        let run = play("chess", &format!("{over}; {undo}; redo"));
        assert_eq!(run.outcome(), "A resignation", "{undo}");
        let run = play("chess", &format!("{over}; {undo}"));
        assert_eq!((run.outcome(), signed(&run)), ("-".to_owned(), json!(null)), "{undo}");
    }
}

#[test]
fn a_pause_or_a_clock_that_is_taken_back_leaves_the_confirmations() {
    let over = "white e2e4!; black resign";
    for undo in ["undo", "undo; redo", "undo; undo"] {
        let run =
            play("chess", &format!("{over}; arbiter pause; white signs; black resume; black signs; {undo}"));
        assert_eq!(signed(&run), json!(["A", "B"]), "{undo}");
    }
    let clock = r#"rule {"clock_ms":{"white":9000}}; white signs; undo ruling"#;
    assert_eq!(signed(&play("chess, time 60", &format!("{over}; {clock}"))), json!(["A"]));
    // Who has confirmed a result does not confirm another one.
    let changed = r#"rule {"winner":null}; white signs"#;
    for undo in ["undo", "undo ruling"] {
        let run = play("chess", &format!("{over}; {changed}; {undo}"));
        assert_eq!(signed(&run), json!(null), "{undo}");
    }
}

#[test]
fn a_player_who_resigns_to_a_bare_king_draws_but_not_in_choker() {
    let run = play("chess, fen 8/8/8/4k3/8/8/4K3/R7 w - - 0 1", "white resign");
    assert_eq!(run.outcome(), "nobody resignation-vs-insufficient-material");
    let run = play("chess, fen 8/8/8/4k3/8/8/4K3/R7 w - - 0 1", "black resign");
    assert_eq!(run.outcome(), "A resignation");
    let bare = json!({"do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "8/8/8/4k3/8/8/4K3/R7 w - - 0 1"}});
    assert_eq!(play("", &format!("{}; {bare}; white resign", to_chess())).outcome(), "B resignation");
}

#[test]
fn nobody_wins_on_time_or_by_resignation_behind_a_locked_wall() {
    let wall = "fen k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/7K w - - 0 1";
    let run = play(&format!("chess, time 5, {wall}"), "0:00 black press; 0:06 tick");
    assert_eq!(
        (run.outcome(), run.get("/flag")),
        ("nobody timeout-vs-insufficient-material".to_owned(), json!("white"))
    );
    let run = play(&format!("chess, {wall}"), "black resign");
    assert_eq!(run.outcome(), "nobody resignation-vs-insufficient-material");
    // The pawn that has just moved two squares can be taken in passing.
    let open = "fen k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/7K w - b6 0 1";
    let run = play(&format!("chess, {open}"), "black resign");
    assert_eq!(run.outcome(), "A resignation");
}

#[test]
fn a_line_that_is_refused_after_the_end_does_not_keep_the_game_from_going_on() {
    let over = "white e2e4!; black resign; black e7e5";
    let run = try_play("chess", &format!(r#"{over}; rule {{"game":"on"}}; black e7e5"#));
    assert_eq!((run.rules(), run.get("/games/0/moves")), (vec!["game-over"], json!(["e2e4", "e7e5"])));
}

#[test]
fn a_game_goes_on_under_the_control_that_was_put_right_since() {
    let fell = r#"0:00 black press; 2:00 tick; 2:05 rule {"time":"300+5"}"#;
    let on = format!(r#"{fell}; 2:10 rule {{"game":"on","clock_ms":{{"white":60000}}}}"#);
    let run = play("chess, time 60", &format!("{on}; 2:20 white e2e4; 2:20 white press"));
    assert_eq!(run.clocks(), (55_000, 60_000));
}

#[test]
fn chips_that_the_ending_ruling_moved_are_as_before_when_the_game_goes_on() {
    let ended = r#"rule {"points":{"A":0,"B":0.5},"stacks":{"A":80,"B":120}}"#;
    let run = play("", &format!(r#"{TO_PLACEMENT}; {ended}; rule {{"game":"on"}}"#));
    assert_eq!(run.get("/stacks"), json!({"A": 98, "B": 98}));
}

#[test]
fn points_and_a_position_are_one_ruling() {
    let set = json!({"do": "rule", "by": "arbiter", "reason": "x",
        "set": {"fen": "4k3/8/8/8/8/8/R7/4K3 b - - 0 1", "points": {"A": 0, "B": 0.5}}});
    let run = play("chess", &format!("white e2e4!; {set}"));
    assert_eq!(run.get("/games/0/outcome/points"), json!({"A": 0, "B": 0.5}));
}

#[test]
fn a_position_that_was_ruled_to_an_end_by_mistake_goes_on_from_before_it() {
    let offered = "0:00 black press; 0:01 white e2e4; 0:01 white press; 0:10 white offer-draw";
    let stalemate = json!({"t": 60_000, "do": "rule", "by": "arbiter", "reason": "x", "set": {"fen": "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"}});
    let run =
        play("chess, time 300", &format!(r#"{offered}; {stalemate}; 1:00 rule {{"game":"on"}}; 1:00 tick"#));
    assert_eq!((run.outcome(), run.clocks()), ("-".to_owned(), (299_000, 241_000)));
}

#[test]
fn a_stack_that_is_empty_after_a_cancelled_game_ends_the_match() {
    let story = r#"deal; rule {"game":"void"}; rule {"stacks":{"A":0,"B":200}}; deal"#;
    let run = try_play("", story);
    assert_eq!((run.rules(), run.get("/phase")), (vec!["match-over"], json!("match-over")));
    assert_eq!(run.report()["games"].as_array().map(Vec::len), Some(1));
}
