//! The eleven points that a referee found at the table of version 0.1.0, each played by typed words. They are played in the
//! terminal (`tests/program/referee.rs`) and in the window (`tests/screens/referee.rs`), which both have to say the same.

use super::plays;

const TO_CHESS: &str = "deal; call; check; deal; check; check; deal; check; check; press black; \
    Q; Qd1; ; R; Ra8; ; N; Ng1; ; N; Nb8; ; B; Bf1; ; N; Ng8; ; R; Rh1; ; R; Rh8; ; P; Qd2 palace; ; P; Pf7; ";

#[test]
fn point_1_a_player_who_leaves_settles_the_pot() {
    let output = plays(
        "play",
        "deal; raise 50; end Bo has to catch a train; 2; results",
        &[
            "48 uncalled chips go back",
            "1: each takes his own back",
            "2: Ann wins the game",
            "Ann takes the pot of 4",
            "Ann 202 chips, Bo 198 chips",
        ],
    );
    assert!(!output.contains("pot 52   Ann 150"), "{output}");
    // Without an answer the match does not end.
    plays("play", "deal; raise 50; end he leaves; no; results", &["nothing is changed", "in progress"]);
}

#[test]
fn point_2_undo_takes_back_the_last_action_and_says_which() {
    let script = format!("{TO_CHESS}; e4; ; pause; undo");
    plays("play --time 300", &script, &["paused by", "taken back: 1. e4; White", "paused"]);
    plays(
        "play --game chess",
        "e4; ; e5; ; undo 100; no; show",
        &["2 actions are taken back: 1. e4, 1… e5?", "nothing is changed", "4  . . . . P . . ."],
    );
    plays("play --game chess", "e4; rule clock white 60 a slip; undo ruling wrong side", &["no clock"]);
    plays(
        "play --game chess --time 300",
        "e4; rule clock white 60 a slip; undo ruling wrong side",
        &["taken back: the arbiter rules: a slip"],
    );
}

#[test]
fn point_3_chips_blinds_and_results_are_announced() {
    plays(
        "play --preset tour",
        "deal; fold; next",
        &["Bo takes the pot of", "game 2: Bo has White; blinds", "(they rose); first card to Bo; Ann"],
    );
    plays(
        "play --stacks 28,100",
        "deal; raise 6; raise 50; call",
        &["White calls 22 and is all-in; 22 come back to Black; pot 56"],
    );
    let script = format!("{TO_CHESS}; e4; ; e5; ; Qd8");
    plays(
        "play --games 1",
        &script,
        &[
            "first to White, then to Black",
            "first to Black, then to White",
            "Qd8#",
            "Ann (White) wins by checkmate; Ann takes the pot of 4",
            "the match is over: Ann has 202 chips",
        ],
    );
}

#[test]
fn point_4_the_terms_in_force_are_shown_and_becket_can_end() {
    plays(
        "play",
        "deal; fold; next becket; sheet; deal; fold; next becket off; sheet",
        &["Becket on", "Becket on", "Becket off", "Becket off"],
    );
}

#[test]
fn point_5_a_bet_that_runs_out_of_time_is_told() {
    plays(
        r#"play --terms {"bet_ms":400}"#,
        "deal; show; ~600; show",
        &["White has 0:0", "White's time to bet is up: White folds", "Bo takes the pot of 2"],
    );
}

#[test]
fn point_6_a_typed_stand_in_may_be_taken_back() {
    let script = "deal; call; check; deal; check; check; deal; check; check; Q; q d1 as R; show; q d1; show";
    plays("play", script, &["1  . . . R K", "1  . . . Q K"]);
}

#[test]
fn point_7_words_have_owners() {
    plays(
        "play --game chess",
        "e4; ; e5; draw black; ; accept",
        &["Black offers a draw", "White accepts the draw"],
    );
    plays("play --game chess", "e4; ; e5; black draws?", &["Black offers a draw"]);
    plays(
        "play --game chess",
        "e4; ; resign; no; resign Ann; yes",
        &["does Bo (Black) resign?", "does Ann (White) resign?", "Bo (Black) wins by resignation"],
    );
    plays("play --game chess", "e4; pause; resume", &["paused by white", "resumed by white"]);
    plays("play", "deal; rule winner black he left; yes", &["Bo wins the game?", "Bo (Black) wins"]);
    plays("play", "deal; rule winner Bo he left; yes", &["Bo (Black) wins"]);
    plays("play", "deal; fouled Bo a torn card; yes", &["do both players agree?", "no result"]);
}

#[test]
fn point_8_every_field_of_a_ruling_has_words() {
    plays(
        "play",
        "deal; rule stacks Ann 120 Bo 277 moved by mistake; yes",
        &["(Ann has a stack of 120, Bo has a stack of 277)"],
    );
    plays(
        "play",
        "deal; rule stacks Ann 120 moved; rule pot Ann 3 Bo 2 added a blind too many; yes",
        &["the chips on the table would add up to", "Ann has put 3 into the pot"],
    );
    plays(
        "play --game chess",
        "rule fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 set up anew",
        &["the arbiter rules: set up anew (the position is 4k3"],
    );
    plays(
        "play --game chess --time 60s",
        "rule clock white +60 black 1:30 a slip; rule moves white 12 wrong; rule to-act black slip",
        &["White's clock: 2:00", "Black's clock: 1:30", "White's moves made: 12", "Black is to act"],
    );
}

#[test]
fn point_9_what_ends_a_game_by_a_single_word_is_asked_once() {
    let script = "deal; call; check; deal; check; check; deal; check; check; Q; Pd2; ; R; Ra8; ; correct d2 Q; N; Pc2; ; N; Nb8; ; correct c2 N; no; results";
    plays(
        "play",
        script,
        &["White placed a false piece", "second false piece of White", "nothing is changed", "in progress"],
    );
}

#[test]
fn point_10_folding_with_nothing_to_call_is_asked() {
    plays(
        "play",
        "deal; call; fold; check",
        &["a check is free: does Black fold?", "the question is dropped", "Black checks"],
    );
}

#[test]
fn point_11_words_are_understood_as_people_write_them() {
    plays(
        "play",
        "deal; 4 more; re-raise 20; call",
        &["White raises to 6", "Black raises to 20", "White calls 14"],
    );
    plays("play", "deal; call 1; check; deal; bet 4", &["White calls 1", "Black bets 4"]);
    plays(
        "play --game chess",
        "1. d4; ; d7 d5; ; nf3!; ; N-f6; ; e2-e3; ; g7xg6; g6; ; Bd3; ; Bg7; ; 0-0",
        &["1. d4", "1… d5", "2. Nf3", "2… Nf6", "3. e3", "3… g6", "Bg7"],
    );
    plays(
        "play --game chess",
        "O-O; Nf6; claim Nb8",
        &["e1g1 is no legal move", "is no legal move for White"],
    );
    plays("play --game chess", "e4; ; ", &["1. e4", ": make a move"]);
    let output = plays("play --game chess --voice event", "e4; ; ; ", &["White plays e"]);
    assert!(!output.contains("illegal"), "a second Enter is no illegal move: {output}");
    let script = "deal; call; check; deal; check; check; deal; check; check; n";
    plays("play", script, &["White turns a knight over"]);
    plays("play --structure limit:2:3 --preset tour", "deal; fold; next; deal; raise 6", &["they rose"]);
}

#[test]
fn point_12_both_lose_or_one_who_did_not_come_does() {
    plays(
        "play --game chess",
        "e4; ; rule points Ann 0 Bo 0 both phones rang; yes; results; next; rule forfeit Ann absent; yes; results",
        &["Ann 0, Bo 0", "Ann 0, Bo 0", "Ann 0, Bo 1"],
    );
    plays(
        "play --game chess",
        "rule points A 1 B 0 a win; rule forfeit both absent; yes; results",
        &["1/2", "Ann 0, Bo 0"],
    );
}

#[test]
fn point_13_a_cancelled_game_is_begun_again_with_the_same_colours() {
    plays(
        "play --game chess",
        "e4; ; rule void the kings were exchanged; yes; next; e4; ; results",
        &["White Ann, Black Bo", "White Ann, Black Bo", "Ann 0, Bo 0"],
    );
    plays("play", "deal; raise 50; end Bo has to go; 4; results", &["Ann 200 chips, Bo 200 chips"]);
}

#[test]
fn point_14_a_game_goes_on_and_its_control_is_put_right() {
    plays(
        "play --game chess --time 300",
        "e4; ; resign Bo; yes; rule on he said it in jest; yes; e5; ; rule time 90+30 the increment was forgotten; sheet",
        &["1… e5", "5400+30"],
    );
}

#[test]
fn point_15_wrong_blinds_are_put_right_by_one_ruling() {
    plays(
        "play",
        "deal; rule pot Ann 4 Bo 4 stacks Ann 196 Bo 196 blinds were 2 and 4; yes; results",
        &["Ann has a stack of 196", "Ann 200 chips, Bo 200 chips"],
    );
}

#[test]
fn point_18_both_players_confirm_the_result() {
    plays(
        "play --game chess",
        "sign white; e4; ; resign Bo; yes; sign white; sign Bo; sign Bo; sheet",
        &[
            "Ann confirms the result",
            "Bo confirms the result",
            "confirmed by Ann, Bo",
            "Ann: ____",
            "arbiter: ____",
        ],
    );
}

#[test]
fn point_19_an_empty_stack_ends_the_match_before_a_deal() {
    plays(
        "play",
        "rule stacks Ann 400 Bo 0 he lost them elsewhere; yes; deal",
        &["the match is over: Ann has 400 chips, Bo has 0", "the match is over"],
    );
}

#[test]
fn point_20_the_sheet_has_results_chips_clocks_and_rulings() {
    plays(
        "play --time 300",
        "deal; raise 6; rule clock white 200 the plug was out; fold; next becket; deal; fold; sheet",
        &[
            "game 1: White Ann, Black Bo: Ann wins",
            "played on other terms: hands: Palace on, Empress on, Becket off",
            "chips: Ann 202, Bo 198; put in: 2 and 2",
            "clocks: White 3:20, Black 5:00",
            "the arbiter rules: the plug was out",
            "game 2: White Bo, Black Ann",
        ],
    );
}
