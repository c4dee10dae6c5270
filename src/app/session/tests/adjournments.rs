//! What people do while a game is adjourned.

use tabiya_engine::table::RuledResult;

use super::*;

/// White seals a move from 0:01 on, with a minute on his clock.
fn white_seals(terms: &str) -> Session {
    let mut session = chess(&Switch::default(), terms);
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    // With `auto`, nobody presses.
    let _ = enter(&mut session, r#""do":"press","by":"black""#, 0);
    session.adjourn("Sunday", at(1_000)).expect("White is to move");
    told(&mut session);
    session
}

const PRESS: &str = r#""do":"press","by":"white""#;
const RESUME: &str = r#""do":"resume","by":"arbiter""#;
const UNDO: &str = r#""do":"undo""#;

#[test]
fn a_flag_falls_while_a_move_is_sealed_and_the_press_after_it_seals_nothing() {
    let mut session = white_seals(r#""voice":"casual""#);
    // A press after the end changes nothing.
    let _ = enter(&mut session, PRESS, 70_000);
    let said = told(&mut session);
    assert!(said.contains("wins on time") && !said.contains("envelope"), "{said}");
    session.seal(at(71_000)).expect_err("the game is over");
    let mut session = white_seals(r#""voice":"casual""#);
    session.seal(at(70_000)).expect_err("his flag has fallen");
    assert!(!told(&mut session).contains("envelope"));
}

#[test]
fn a_flag_that_nobody_has_claimed_ends_the_time_to_seal() {
    let mut session = white_seals(r#""voice":"event""#);
    let refused = session.seal(at(70_000)).expect_err("his flag has fallen");
    assert!(refused.to_string().contains("the time of White was over"), "{refused}");
}

#[test]
fn a_draw_offer_is_taken_back_and_the_envelope_stays_closed() {
    let mut session = white_seals(r#""voice":"event""#);
    enter(&mut session, PRESS, 5_000).expect("the move is sealed");
    enter(&mut session, r#""do":"offer-draw","by":"white""#, 6_000).expect("he may offer a draw");
    enter(&mut session, UNDO, 7_000).expect("the clerk mistyped");
    let refused = enter(&mut session, RESUME, 8_000).expect_err("it is closed");
    assert!(refused.to_string().contains("open the envelope"), "{refused}");
}

#[test]
fn a_sealed_move_is_taken_back_and_sealed_again() {
    let mut session = white_seals(r#""voice":"event""#);
    session.seal(at(5_000)).expect("he seals");
    enter(&mut session, r#""do":"undo","by":"arbiter","what":"ruling""#, 6_000).expect("it was an error");
    enter(&mut session, RESUME, 7_000).expect("White still seals");
    session.seal(at(8_000)).expect("he seals");
    assert!(told(&mut session).contains("play is resumed: Sunday"));
}

#[test]
fn a_move_is_sealed_while_the_clocks_stand() {
    let mut session = white_seals(r#""voice":"event""#);
    enter(&mut session, r#""do":"pause","by":"arbiter""#, 4_000).expect("a light went out");
    session.seal(at(5_000)).expect("nothing runs, and he seals");
    assert!(told(&mut session).contains("on the envelope") && session.table().clock().paused());
}

#[test]
fn somebody_resigns_and_the_envelope_is_opened_no_more() {
    let mut session = white_seals(r#""voice":"event""#);
    session.seal(at(5_000)).expect("he seals");
    enter(&mut session, r#""do":"resign","by":"black""#, 7_000).expect("he may resign");
    let e4 = Uci::parse("e2e4").expect("a move");
    let refused = session.open_envelope("e4", &[e4], at(9_000)).expect_err("the game is over");
    assert!(refused.to_string().contains("no sealed move waits"), "{refused}");
}

#[test]
fn a_game_is_begun_again_and_a_press_seals_nothing() {
    let mut session = white_seals(r#""voice":"event""#);
    let void = Ruling::on_result("a wrong position", RuledResult::Void);
    session.enter(void, at(2_000)).expect("the arbiter may");
    let _ = enter(&mut session, PRESS, 3_000);
    assert!(!told(&mut session).contains("envelope"));
}

#[test]
fn who_is_to_seal_a_move_makes_it_on_the_board() {
    for press in ["clock", "auto"] {
        let mut session = white_seals(&format!(r#""voice":"event","press":"{press}""#));
        let refused = enter(&mut session, E4, 2_000).expect_err("it is typed");
        assert!(refused.to_string().contains("it is not made on the board"), "{refused}");
        let start = session.table().physical();
        session.board(&whole(moved(start, "e2", "e4")), at(3_000));
        session.pass(at(5_000));
        let _ = enter(&mut session, PRESS, 6_000);
        let said = session.take_said();
        let shown = "White plays e2e4 on the board, but was to seal a move";
        let told = said.iter().find(|said| said.text.to_string().contains(shown));
        assert_eq!(told.expect("the arbiter hears it").to, Audience::Arbiter, "{said:?}");
        if press == "auto" {
            enter(&mut session, UNDO, 7_000).expect("it is taken back");
            session.board(&whole(start), at(7_500));
            session.seal(at(8_000)).expect("he seals that move");
            assert!(self::told(&mut session).contains("on the envelope"));
        }
    }
}

#[test]
fn who_cannot_mate_does_not_win_by_an_illegal_sealed_move() {
    let mut session = white_seals(r#""voice":"event","fen":"7k/8/8/8/8/8/8/R3K3 w - - 0 1""#);
    session.seal(at(5_000)).expect("he seals");
    let refused = session.open_envelope("Ra9", &[], at(9_000)).expect_err("it is no move").to_string();
    assert!(refused.contains("a draw, because Bo cannot mate"), "{refused}");
    assert!(refused.contains("(guideline I.8): `rule draw sealed move`"), "{refused}");
}
