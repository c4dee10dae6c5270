//! The chess phase: printed rules 17–21 and rulings 11–13 (`docs/rules.md`); points 11 and 13 of "How lines act", and
//! the terms `fen` and `chess960` (`docs/record.md`).

use serde_json::{Value, json};

use crate::support::{Run, play, to_chess, try_play};

#[track_caller]
fn from(fen: &str, script: &str) -> Run {
    try_play(&format!("chess, fen {fen}"), script)
}

const FOOLS_MATE: &str = "white f2f3; black e7e5; white g2g4; black d8h4";
/// Both players move a knight out and back. After these four moves the position is the same as before them.
const ROUND: &str = "white g1f3; black g8f6; white f3g1; black f6g8";

fn rounds(times: usize) -> String {
    vec![ROUND; times].join("; ")
}

#[test]
fn rule_17_white_moves_first() {
    assert_eq!(try_play("chess", "black e7e5").rules(), ["not-your-move"]);
}

#[test]
fn rule_17_mate_wins_pressed_or_not() {
    let run = play("chess", FOOLS_MATE);
    assert_eq!((run.outcome(), run.get("/phase")), ("B checkmate".to_owned(), json!("over")));
}

#[test]
fn a_mate_stands_above_a_later_flag() {
    let run = play("chess, time 60", &format!("0:00 {FOOLS_MATE}; 5:00 tick"));
    assert_eq!((run.outcome(), run.get("/flag")), ("B checkmate".to_owned(), Value::Null));
}

#[test]
fn rule_18_an_illegal_move_is_refused() {
    let run = try_play("chess", "white e2e5; white e2e4; white d2d4; black e7e5");
    assert_eq!(run.rules(), ["illegal-move", "moved-already"]);
    assert!(run.messages()[0].starts_with("e2e5 is no legal move for White here"));
}

#[test]
fn an_illegal_move_says_what_is_wrong_with_it() {
    let pinned = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
    let checked = "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1";
    let near = "7k/8/6Q1/8/8/8/8/K7 w - - 0 1";
    for (fen, line, said) in [
        (
            pinned,
            "white e2c3",
            "e2c3 is no legal move for White here: White's own king would be in check (Laws 3.9.2)",
        ),
        (pinned, "white e1f3", "e1f3 is no legal move for White here;"),
        (
            checked,
            "white a1b3",
            "a1b3 is no legal move for White here: White is in check and has to end it (Laws 3.9.2)",
        ),
        (near, "white g6h8", "g6h8 is no legal move for White here: a king is never captured (Laws 1.4.1)"),
    ] {
        let run = from(fen, line);
        assert_eq!(run.rules(), ["illegal-move"], "{fen} {line}");
        assert!(run.messages()[0].starts_with(said), "{:?}", run.messages());
    }
}

#[test]
fn a_pawn_on_the_last_rank_must_say_what_it_becomes() {
    let run = from("8/P6k/8/8/8/8/8/K7 w - - 0 1", "white a7a8; white a7a8q");
    assert_eq!((run.rules(), run.get("/games/0/moves")), (vec!["no-promotion"], json!(["a7a8q"])));
}

#[test]
fn a_stand_in_goes_with_a_promotion_only() {
    let run = try_play("chess", r#"{"do":"move","by":"white","uci":"e2e4","stands":"R"}"#);
    assert_eq!(run.rules(), ["no-stand-in"]);
}

#[test]
fn castling_is_written_as_the_kings_two_squares() {
    let run = from("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "white e1h1; white e1g1");
    assert_eq!((run.rules(), run.get("/games/0/moves")), (vec!["illegal-move"], json!(["e1g1"])));
}

#[test]
fn chess960_castles_onto_its_rook() {
    let run = try_play("chess, chess960 true, fen 4k3/8/8/8/8/8/8/5K1R w H - 0 1", "white f1h1");
    assert_eq!((run.rules(), run.get("/games/0/moves")), (vec![], json!(["f1h1"])));
    assert_eq!(run.replay.table().board().to_string(), "4k3/8/8/8/8/8/8/5RK1");
}

#[test]
fn rule_19_stalemate_is_a_draw() {
    let run = from("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "white g6f7");
    assert_eq!(run.outcome(), "nobody stalemate");
}

#[test]
fn rule_19_the_same_position_three_times_is_a_draw() {
    let run = try_play("chess", &format!("{}; white e2e4", rounds(2)));
    assert_eq!((run.outcome(), run.rules()), ("nobody repetition".to_owned(), vec!["game-over"]));
}

#[test]
fn repetition_counts_from_the_end_of_placement() {
    let round = "white b1c3; black b8c6; white c3b1; black c6b8";
    let once = format!("{}; {round}", to_chess());
    assert_eq!(play("", &once).outcome(), "-");
    assert_eq!(play("", &format!("{once}; {round}")).outcome(), "nobody repetition");
}

#[test]
fn at_events_a_repetition_is_claimed_and_the_fifth_ends_it() {
    let run = play("chess, voice event", &rounds(2));
    assert_eq!(run.outcome(), "-");
    assert!(run.legal().contains(&r#"{"do":"claim-draw","by":"white"}"#.to_owned()));
    assert_eq!(
        play("chess, voice event", &format!("{}; white claim-draw", rounds(2))).outcome(),
        "nobody repetition"
    );
    assert_eq!(play("chess, voice event", &rounds(4)).outcome(), "nobody fivefold-repetition");
}

#[test]
fn a_claim_may_name_the_intended_move_which_is_not_played() {
    let before = format!("{ROUND}; white g1f3; black g8f6; white f3g1");
    let run = try_play(
        "chess, voice event",
        &format!("{before}; black claim-draw; white claim-draw; black claim-draw f6g8"),
    );
    assert_eq!(run.rules(), ["claim-fails", "not-your-claim"]);
    assert_eq!(run.outcome(), "nobody repetition");
    assert_eq!(run.get("/games/0/moves").as_array().unwrap().len(), 7);
    let legal = play("chess, voice event", &before).legal();
    assert!(legal.contains(&r#"{"do":"claim-draw","by":"black","uci":"f6g8"}"#.to_owned()));
}

#[test]
fn fifty_moves_are_claimed_and_seventy_five_end_the_game() {
    let rook = "8/8/8/8/8/4k3/8/R3K3 w - -";
    let run = from(&format!("{rook} 99 80"), "white claim-draw; white claim-draw a1a2");
    assert_eq!((run.rules(), run.outcome()), (vec!["claim-fails"], "nobody fifty-moves".to_owned()));
    assert_eq!(from(&format!("{rook} 149 80"), "white a1a2").outcome(), "nobody seventy-five-moves");
}

#[test]
fn mate_comes_before_seventy_five_moves() {
    let run = from("7k/8/6K1/8/8/8/8/R7 w - - 149 90", "white a1a8");
    assert_eq!(run.outcome(), "A checkmate");
}

#[test]
fn material_that_cannot_mate_on_either_side_ends_the_game() {
    assert_eq!(from("8/8/8/8/8/4k3/4p3/1K6 w - - 0 1", "tick").outcome(), "-");
    assert_eq!(from("4k3/8/8/8/8/8/4n3/4K3 w - - 0 1", "white e1e2").rules(), ["game-over"]);
    assert_eq!(
        from("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "white e1e2").outcome(),
        "nobody insufficient-material"
    );
}

#[test]
fn rule_19_time_won_without_mating_material_is_a_draw() {
    let run = try_play("chess, time 60, fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "0:00 white e2e4!; 1:00 tick");
    assert_eq!(run.outcome(), "A timeout");
    let run = try_play("chess, time 60, fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "0:00 black press; 1:00 tick");
    assert_eq!(run.outcome(), "nobody timeout-vs-insufficient-material");
}

#[test]
fn en_passant_counts_in_repetition_only_if_it_is_legal() {
    // After e2e4 and e7e5 no pawn can capture en passant. So when the same pieces return to their squares later, the
    // position counts as a repetition of the position after e7e5.
    let run = play("chess", &format!("white e2e4; black e7e5; {}", rounds(2)));
    assert_eq!(run.outcome(), "nobody repetition");
}

#[test]
fn rule_20_a_draw_gives_the_stakes_back() {
    let run =
        play("", &format!("{}; white e2e4; black e7e5; white offer-draw; black accept-draw", to_chess()));
    assert_eq!(run.outcome(), "nobody agreement");
    assert_eq!(run.get("/stacks"), json!({"A": 100, "B": 100}));
    assert_eq!(run.get("/games/0/awarded"), json!({"A": 2, "B": 2}));
}

#[test]
fn rule_21_the_winner_of_the_chess_wins_the_pot() {
    let run = play("", &format!("{}; black resign", to_chess()));
    assert_eq!((run.outcome(), run.get("/stacks")), ("A resignation".to_owned(), json!({"A": 102, "B": 98})));
}

#[test]
fn rules_22_and_23_the_next_game_swaps_colours_and_starts_anew() {
    let run = play("time 60", &format!("{}; black resign; next", to_chess()));
    assert_eq!((run.get("/games/1/white"), run.get("/phase")), (json!("B"), json!("deal")));
    assert_eq!(run.clocks(), (60_000, 60_000));
}

#[test]
fn a_draw_is_agreed_after_a_move_by_each() {
    let run = try_play("chess", "white offer-draw; black accept-draw; black decline-draw; black accept-draw");
    assert_eq!(run.rules(), ["too-early-to-agree", "no-offer"]);
}

#[test]
fn an_offer_dies_when_the_opponent_moves() {
    let run = try_play(
        "chess",
        "white e2e4; white offer-draw; black e7e5; black accept-draw; black offer-draw; white accept-draw",
    );
    assert_eq!((run.rules(), run.outcome()), (vec!["no-offer"], "nobody agreement".to_owned()));
}

#[test]
fn an_offer_stays_open_while_its_player_moves() {
    let run = play("chess", "white e2e4; black e7e5; white offer-draw; white d2d4; black accept-draw");
    assert_eq!(run.outcome(), "nobody agreement");
}

#[test]
fn offers_come_in_the_chess_phase_only() {
    assert_eq!(try_play("", "deal; white offer-draw").rules(), ["wrong-stage"]);
}

#[test]
fn the_side_to_move_claims_even_if_the_other_has_not_pressed() {
    let run = play("chess, voice event", &format!("{}; white claim-draw", rounds(2)));
    assert_eq!(run.outcome(), "nobody repetition");
}

#[test]
fn a_position_may_be_given_and_is_completed() {
    let run = play("chess, fen 4k3/8/8/8/8/8/4P3/4K3", "white e2e4");
    assert_eq!(run.get("/games/0/start_fen"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
}

#[test]
fn chess_has_no_chips() {
    let run = try_play("chess", r#"rule {"stacks":{"A":5,"B":5},"chips":"added"}"#);
    assert_eq!((run.rules(), run.get("/stacks")), (vec!["no-chips"], json!({"A": 0, "B": 0})));
}

#[test]
fn untimed_chess_has_no_readings() {
    let run = play("chess", "black press; white e2e4!");
    assert_eq!(run.get("/clock_ms"), Value::Null);
    assert_eq!(run.get("/moves"), json!({"white": 1, "black": 0}));
}
