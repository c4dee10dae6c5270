//! The betting: printed rules 0–7 and B1–B7 and rulings 3, 4, 5, 13 and 14 (`docs/rules.md`); points 3–5 and 11 of
//! "How lines act", and the terms `blinds` and `bet_ms` (`docs/record.md`).

use serde_json::json;
use tabiya_types::Color;

use crate::support::{TO_PLACEMENT, play, tell, try_play};

/// The actions of a game up to and including the deal of the second street. By then each player has put 2 chips into
/// the pot.
const SECOND: &str = "deal; white call; black check; deal";

#[test]
fn rule_0_whites_blind_is_small_and_blacks_is_twice_that() {
    let run = play("blinds fixed, small_blind 3", "deal");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 3, "B": 6}));
    assert_eq!(run.get("/stacks"), json!({"A": 97, "B": 94}));
}

#[test]
fn rule_1_betting_comes_after_two_four_and_five_cards() {
    let run = play(
        "",
        "deal white:QP black:??; white call; black check; deal white:RR; black check; white check; \
        deal black:N; white check; black check",
    );
    assert_eq!(run.get("/phase"), "place");
    let run = try_play("", "deal white:QPP; deal white:Q");
    assert_eq!(run.rules(), ["wrong-count", "wrong-count"]);
}

#[test]
fn rule_2_white_bets_first_on_the_first_street() {
    let run = try_play("", "deal; black call");
    assert_eq!((run.rules(), run.get("/to_act")), (vec!["not-your-bet"], json!("white")));
}

#[test]
fn rule_4_black_bets_first_on_the_second_street() {
    assert_eq!(play("", SECOND).get("/to_act"), "black");
}

#[test]
fn rule_5_white_bets_first_on_the_third_street() {
    let run = play("", &format!("{SECOND}; black check; white check; deal"));
    assert_eq!(run.get("/to_act"), "white");
}

#[test]
fn rule_6_equal_bets_after_five_cards_fix_the_pot() {
    let run = play("", TO_PLACEMENT);
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 2, "B": 2}));
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("place"), json!("white")));
}

#[test]
fn rule_7_a_fold_gives_up_the_pot_without_placement() {
    let run = play("", "deal; white raise 6; black fold");
    assert_eq!((run.outcome(), run.get("/phase")), ("A fold".to_owned(), json!("over")));
    assert_eq!(run.get("/stacks"), json!({"A": 102, "B": 98}));
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 2, "B": 2}), "matched chips only");
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 4, "B": 0}));
    assert_eq!(run.get("/games/0/hands"), json!({}), "a folded hand is not shown");
}

#[test]
fn rule_7_folding_with_nothing_to_call_is_accepted() {
    assert_eq!(play("", "deal; white call; black fold").outcome(), "A fold");
}

#[test]
fn rule_b1_white_folds_calls_or_raises_first() {
    let run = play("", "deal");
    assert_eq!(
        run.legal(),
        [
            r#"{"do":"bet","by":"white","action":"fold"}"#,
            r#"{"do":"bet","by":"white","action":"call"}"#,
            r#"{"do":"bet","by":"white","action":"raise","to":[4,100]}"#,
            r#"{"do":"bet","by":"white","action":"all-in"}"#,
        ]
    );
}

#[test]
fn rule_b2_black_checks_or_raises_after_a_call() {
    let run = play("", "deal; white call");
    assert_eq!(run.legal()[1], r#"{"do":"bet","by":"black","action":"check"}"#);
    assert_eq!(play("", "deal; white call; black raise 4").get("/to_act"), "white");
}

#[test]
fn rule_b3_a_raise_and_a_reraise_go_back_and_forth() {
    insta::assert_snapshot!(tell("A 100, B 80", "deal; white raise 4; black raise 10; white raise 30; black call"), @r"
    0:00  deal                     pot 3    A 99   B 78    bet: white
    0:01  white raise 4            pot 6    A 96   B 78    bet: black
    0:02  black raise 10           pot 14   A 96   B 70    bet: white
    0:03  white raise 30           pot 40   A 70   B 70    bet: black
    0:04  black call               pot 60   A 70   B 50    deal: dealer
    ");
}

#[test]
fn rules_b4_to_b6_later_streets_open_at_the_big_blind() {
    let run = try_play("", &format!("{SECOND}; black raise 1; black raise 2"));
    assert_eq!(run.rules(), ["raise-too-small"]);
    assert_eq!(run.get("/to_act"), "white");
}

#[test]
fn rule_b7_no_limit_allows_the_whole_stack() {
    assert_eq!(play("", "deal; white raise 100").get("/stacks/A"), 0);
}

#[test]
fn rule_b7_a_pot_limit_raise_is_at_most_the_pot_after_calling() {
    // The pot is 3 chips. White's call would cost 1 chip and make the pot 4. So White's largest raise adds 4 to the 2
    // chips of a call: a raise to 6.
    let run = try_play(
        "structure pot-limit",
        "deal; white raise 7; white all-in; white raise 6; black raise 19; black raise 18",
    );
    assert_eq!(run.rules(), ["raise-above-pot-limit"; 3]);
    assert_eq!(run.get("/games/0/contributed/B"), 18);
    let opening = play("structure pot-limit", SECOND);
    assert_eq!(opening.legal()[2], r#"{"do":"bet","by":"black","action":"raise","to":[2,4]}"#);
}

#[test]
fn pot_limit_allows_an_all_in_within_the_limit() {
    let run = play("A 5, structure pot-limit", "deal; white all-in");
    assert_eq!(run.get("/games/0/contributed/A"), 5);
}

const LIMIT: &str = r#"structure {"limit":{"bet":2,"raises":3}}"#;

#[test]
fn rule_b7_limit_raises_are_fixed_and_capped() {
    let run = try_play(
        LIMIT,
        "deal; white raise 5; white raise 4; black raise 6; white raise 8; black raise 10; black all-in; black call",
    );
    assert_eq!(run.rules(), ["raise-not-fixed", "raises-used-up", "raises-used-up"]);
    assert_eq!(run.get("/phase"), "deal");
}

#[test]
fn limit_counts_raises_after_the_opening_bet_of_a_later_street() {
    let run = try_play(
        LIMIT,
        &format!("{SECOND}; black raise 2; white raise 4; black raise 6; white raise 8; black raise 10"),
    );
    assert_eq!(run.rules(), ["raises-used-up"]);
}

#[test]
fn limit_allows_an_all_in_for_less_and_refuses_one_for_more() {
    assert_eq!(play(&format!("A 3, {LIMIT}"), "deal; white all-in").get("/games/0/contributed/A"), 3);
    assert_eq!(try_play(&format!("A 5, {LIMIT}"), "deal; white all-in").rules(), ["raise-not-fixed"]);
}

#[test]
fn a_short_all_in_uses_up_one_limit_raise() {
    let one = r#"B 100, A 5, structure {"limit":{"bet":2,"raises":2}}"#;
    // The raises to 4 and to 6 are the two raises that the limit allows on this street. White has only 5 chips, so an
    // all-in of White against 6 is a call.
    let run = play(one, "deal; white raise 4; black raise 6");
    assert_eq!(run.legal()[1], r#"{"do":"bet","by":"white","action":"call"}"#);
    assert!(!run.legal().iter().any(|legal| legal.contains("raise")));
}

#[test]
fn ruling_3_a_short_stack_posts_what_it_has_and_is_all_in() {
    insta::assert_snapshot!(tell("A 100, B 3, small_blind 5", "deal; deal; deal"), @r"
    0:00  deal                     pot 6    A 97   B 0     deal: dealer
    0:01  deal                     pot 6    A 97   B 0     deal: dealer
    0:02  deal                     pot 6    A 97   B 0     place: white
    ");
}

#[test]
fn a_small_blind_without_a_rest_leaves_nobody_a_decision() {
    let run = try_play("A 1", "deal; black check; deal; deal");
    assert_eq!(run.rules(), ["wrong-stage"]);
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 1, "B": 1}));
    assert_eq!(run.get("/stacks"), json!({"A": 0, "B": 99}));
}

#[test]
fn white_decides_where_blacks_short_blind_is_more_than_the_small_one() {
    let run = play("B 7, small_blind 5", "deal");
    assert_eq!(run.get("/to_act"), "white");
    assert!(!run.legal().iter().any(|legal| legal.contains("raise")), "no raise against an all-in");
}

#[test]
fn ruling_5_a_raise_is_at_least_the_last_full_raise() {
    let run = try_play("", "deal; white raise 3; white raise 10; black raise 17; black raise 18");
    assert_eq!(run.rules(), ["raise-too-small", "raise-too-small"]);
}

#[test]
fn an_all_in_below_the_least_raise_is_allowed_and_leaves_call_or_fold() {
    let run = play("B 14", "deal; white raise 10; black raise 14");
    assert_eq!((run.get("/to_act"), run.get("/stacks/B")), (json!("white"), json!(0)));
    assert!(!run.legal().iter().any(|legal| legal.contains("raise")));
}

#[test]
fn an_all_in_for_more_than_the_other_has_gives_back_what_cannot_be_matched() {
    insta::assert_snapshot!(tell("A 100, B 40", "deal; white all-in; black call; deal; deal"), @r"
    0:00  deal                     pot 3    A 99   B 38    bet: white
    0:01  white all-in             pot 102  A 0    B 38    bet: black
    0:02  black call               pot 80   A 60   B 0     deal: dealer
    0:03  deal                     pot 80   A 60   B 0     deal: dealer
    0:04  deal                     pot 80   A 60   B 0     place: white
    ");
}

#[test]
fn an_all_in_that_does_not_exceed_the_call_is_a_call() {
    let run = play("B 6", "deal; white raise 10; black all-in");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 6, "B": 6}));
    assert_eq!(run.get("/phase"), "deal");
}

#[test]
fn an_all_in_facing_an_all_in_counts_as_the_call() {
    for answer in ["all-in", "raise 100", "call"] {
        let run = play("B 40", &format!("deal; white call; black all-in; white {answer}"));
        assert_eq!(run.get("/games/0/contributed"), json!({"A": 40, "B": 40}), "{answer}");
    }
    let run = try_play("B 40", "deal; white call; black all-in; white raise 60; white raise 101");
    assert_eq!(run.rules(), ["raise-facing-all-in", "raise-above-stack"]);
}

#[test]
fn a_raise_above_the_stack_is_refused() {
    assert_eq!(try_play("", "deal; white raise 101").rules(), ["raise-above-stack"]);
    assert_eq!(try_play("", "deal; white raise 99999999999").rules(), ["raise-above-stack"]);
}

#[test]
fn a_call_with_nothing_to_call_is_a_check_and_a_check_facing_a_bet_is_refused() {
    let run = try_play("", "deal; white check; white call; black call");
    assert_eq!((run.rules(), run.get("/phase")), (vec!["check-facing-a-bet"], json!("deal")));
}

#[test]
fn no_bet_comes_from_a_player_without_a_decision_and_cards_still_come() {
    let run = try_play("", "deal; white all-in; black call; black check; deal; black check; deal");
    assert_eq!(run.rules(), ["wrong-stage", "wrong-stage"]);
    assert_eq!(run.get("/phase"), "place");
}

#[test]
fn while_it_runs_contributed_includes_unmatched_chips() {
    let run = play("", "deal; white raise 10");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 10, "B": 2}));
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 0, "B": 0}));
}

#[test]
fn resigning_while_betting_is_a_fold_by_the_player_to_act() {
    let run = try_play("", "deal; white resign; white call; white resign; black resign");
    assert_eq!(run.rules(), ["wrong-stage", "not-your-bet"]);
    assert_eq!(run.outcome(), "A fold");
}

#[test]
fn resigning_between_streets_is_a_fold_by_either() {
    for (by, winner) in [("white", "B fold"), ("black", "A fold")] {
        assert_eq!(play("", &format!("deal; white call; black check; {by} resign")).outcome(), winner);
    }
}

#[test]
fn ruling_14_colours_swap_after_every_game_folds_included() {
    let run = play("white B", "deal; white fold; next; deal");
    assert_eq!(run.get("/games/0/white"), "B");
    assert_eq!(run.get("/games/1/white"), "A");
    assert_eq!(run.get("/games/1/contributed"), json!({"A": 1, "B": 2}));
}

#[test]
fn rule_24_an_empty_stack_ends_the_match() {
    let run = try_play("A 2", &format!("{TO_PLACEMENT}; white resign; next; deal").replace("; 0:00 deal; 0:00 black check; 0:00 white check; 0:00 deal; 0:00 white check; 0:00 black check", "; deal; deal").replace("0:00 black check", "tick"));
    assert_eq!(run.get("/phase"), "match-over");
    assert_eq!(run.get("/stacks"), json!({"A": 0, "B": 102}));
    assert_eq!(run.rules(), ["match-over", "match-over"]);
    assert_eq!(run.get("/legal"), json!([]));
}

#[test]
fn an_agreed_number_of_games_ends_the_match() {
    let run = try_play("games 2", "deal; white fold; next; deal; white fold; next");
    assert_eq!((run.get("/phase"), run.rules()), (json!("match-over"), vec!["match-over"]));
}

#[test]
fn next_comes_only_after_a_result() {
    assert_eq!(try_play("", "next; deal; next").rules(), ["game-running", "game-running"]);
}

#[test]
fn blinds_rise_after_every_game_that_counted_and_the_last_level_stays() {
    let game = "deal; white fold; next; ";
    let blinds = |games: usize| {
        let script = format!("{}deal", game.repeat(games));
        let run = play(r#"blinds {"every":"game","levels":[1,2,4]}"#, &script);
        run.get(&format!("/games/{games}/contributed"))
    };
    assert_eq!(blinds(0), json!({"A": 1, "B": 2}));
    assert_eq!(blinds(1), json!({"A": 4, "B": 2}));
    assert_eq!(blinds(2), json!({"A": 4, "B": 8}));
    assert_eq!(blinds(3), json!({"A": 8, "B": 4}));
}

#[test]
fn a_fouled_game_counts_for_no_blind_level() {
    let run = play(r#"blinds {"every":"game","levels":[1,2]}"#, "deal; white fouled; deal");
    assert_eq!(run.get("/games/1/contributed"), json!({"A": 1, "B": 2}));
}

#[test]
fn blinds_rise_by_whole_intervals_to_the_first_deal() {
    let terms = r#"blinds {"every":60,"levels":[1,2,3]}"#;
    for (deal, small) in [("0:59.999", 1), ("1:00", 2), ("2:00", 3), ("9:00", 3)] {
        assert_eq!(play(terms, &format!("{deal} deal")).get("/games/0/contributed/A"), small, "{deal}");
    }
    // Blinds do not rise during a game.
    let run = play(terms, "0:59 deal; 1:01 white call; 1:01 black check; 1:02 deal; 1:03 black raise 2");
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 2, "B": 4}));
}

#[test]
fn bet_ms_checks_what_is_free_and_folds_else_at_its_instant() {
    let run = play("bet_ms 5000", "0:00 deal; 0:04 white call; 0:09 tick");
    assert_eq!(run.get("/phase"), "deal", "Black checked at 0:09");
    let run = play("bet_ms 5000", "0:00 deal; 0:05 tick");
    assert_eq!(run.outcome(), "B fold");
    let run = try_play("bet_ms 5000", "0:00 deal; 0:05 white call");
    assert_eq!((run.rules(), run.outcome()), (vec!["wrong-stage"], "B fold".to_owned()));
    let run = play("bet_ms 5000", "0:00 deal; 0:04.999 white call");
    assert_eq!(run.outcome(), "-");
}

#[test]
fn bet_ms_runs_out_for_one_after_the_other() {
    let second = "0:00 deal; 0:00 white call; 0:00 black check; 0:00 deal";
    let run = play("bet_ms 5000", &format!("{second}; 0:09.999 tick"));
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("bet"), json!("white")));
    let run = play("bet_ms 5000", &format!("{second}; 0:10 tick"));
    assert_eq!(run.get("/phase"), "deal");
}

#[test]
fn bet_ms_stands_while_paused() {
    let run = play("bet_ms 5000", "0:00 deal; 0:04 white pause; 1:00 white resume; 1:00.999 white call");
    assert_eq!(run.get("/to_act"), "black");
    let run = try_play("bet_ms 5000", "0:00 deal; 0:04 white pause; 1:00 white resume; 1:01 white call");
    assert_eq!(run.outcome(), "B fold");
}

#[test]
fn a_fouled_deal_gives_all_bets_back_and_the_same_colours_deal_again() {
    let run = try_play(
        "games 1",
        "white fouled; deal; white raise 10; black fouled; next; resign; deal"
            .replace("resign", "white resign")
            .as_str(),
    );
    assert_eq!(run.rules(), ["wrong-stage", "deal-again", "deal-again"]);
    assert_eq!(run.get("/games/0/outcome"), json!({"winner": null, "reason": "fouled-deck"}));
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 2, "B": 2}));
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 2, "B": 2}));
    assert_eq!(run.get("/games/1/white"), "A");
    assert_eq!(run.get("/stacks"), json!({"A": 99, "B": 98}));
}

#[test]
fn after_a_fouled_deal_only_a_deal_is_legal() {
    assert_eq!(play("", "deal; white fouled").legal(), [r#"{"do":"deal"}"#]);
}

#[test]
fn stopping_early_leaves_the_stacks_as_they_stand() {
    let run = try_play("", "deal; white fold; white end-match; next");
    assert_eq!((run.get("/phase"), run.get("/stacks")), (json!("match-over"), json!({"A": 99, "B": 101})));
    assert_eq!(run.rules(), ["match-over"]);
}

#[test]
fn a_ruling_on_the_chips_of_a_street_changes_what_a_call_costs() {
    let run = play("", r#"deal; rule {"contributed":{"B":4},"stacks":{"B":96}}; white call"#);
    assert_eq!(run.get("/games/0/contributed"), json!({"A": 4, "B": 4}));
}

#[test]
fn the_bet_that_is_due_is_told_in_chips() {
    let due = |terms: &str, script: &str| {
        play(terms, script).replay.table().game().betting().and_then(tabiya_engine::rules::Betting::due)
    };
    let first = due("", "deal").unwrap();
    assert_eq!((first.by, first.call.0, first.put.white.0, first.put.black.0), (Color::White, 1, 1, 2));
    // If White calls, White has put in 2 chips, and the pot is 4 chips. A raise by the size of that pot is a raise to 2
    // + 4 = 6.
    assert_eq!(first.pot_raise.map(|to| to.0), Some(6));
    let raised = due("", "deal; white raise 6").unwrap();
    assert_eq!((raised.by, raised.call.0, raised.pot_raise.map(|to| to.0)), (Color::Black, 4, Some(18)));
    assert!(due("", "deal; white fold").is_none());
    // Against an all-in no raise is possible, so none is offered.
    let all_in = due("", "deal; white all-in").unwrap();
    assert_eq!((all_in.raise, all_in.pot_raise), (None, None));
}

#[test]
fn a_fixed_bet_rises_with_the_blinds() {
    let terms = r#"structure {"limit":{"bet":2,"raises":3}}, blinds {"every":"game","levels":[1,3]}"#;
    let run = play(terms, "deal; white raise 4; black fold; next; deal; white raise 12");
    assert_eq!(run.get("/games/1/contributed"), json!({"A": 6, "B": 12}));
    assert_eq!(
        try_play(terms, "deal; white raise 4; black fold; next; deal; white raise 8").rules(),
        ["raise-not-fixed"]
    );
}
