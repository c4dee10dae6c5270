//! What the arbiter is told, and what is proposed: wrong claims, players who have not come, illegal moves that were none.

use tabiya_engine::table::FinishClaim;
use tabiya_text::{Language, Words};

use super::*;

const CLAIM: &str = r#""do":"claim-draw","by":"white","uci":"g1f3""#;

/// A session of chess at an event under these terms.
fn under(terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"voice":"event","press":"auto",{terms}}}}}"#
    );
    Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
}

fn played(session: &mut Session, moves: &[&str], mut millis: u64) {
    for (nth, uci) in moves.iter().enumerate() {
        let by = if nth % 2 == 0 { "white" } else { "black" };
        enter(session, &format!(r#""do":"move","by":"{by}","uci":"{uci}""#), millis).expect("it is legal");
        millis += 1_000;
    }
}

#[test]
fn a_wrong_claim_gives_the_opponent_time_and_binds_to_the_intended_move() {
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, CLAIM, 1_000).expect_err("nothing was repeated");
    let said = told(&mut session);
    assert!(
        said.contains("Bo gains 2 min, and White must play Nf3")
            && said.contains("`rule clock black +120 wrong claim`"),
        "{said}"
    );
    let proposal = session.proposals().next().expect("it is proposed");
    assert_eq!((proposal.of, proposal.choices[0].articles.as_str()), (Infringement::WrongClaim, "9.5.3"));
    played(&mut session, &["e2e4"], 2_000);
    assert!(told(&mut session).contains("White claimed a draw with g1f3 and must play it"));
}

#[test]
fn who_plays_the_move_of_his_wrong_claim_hears_nothing_more() {
    let mut session = under(r#""time":"300+3""#);
    enter(&mut session, CLAIM, 1_000).expect_err("nothing was repeated");
    let said = told(&mut session);
    assert!(said.contains("Bo gains 1 min") && said.contains("9.5.3, A.3"), "{said}");
    played(&mut session, &["g1f3", "g8f6", "e2e4"], 2_000);
    assert!(!told(&mut session).contains("must play"));
}

#[test]
fn the_arbiter_hears_that_a_draw_can_be_claimed() {
    let mut session = event("");
    let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
    played(&mut session, &there_and_back, 1_000);
    assert!(!told(&mut session).contains("can claim"));
    played(&mut session, &there_and_back, 6_000);
    let said = session.take_said();
    let claim = said.iter().find(|said| said.text.to_string().contains("White can claim a draw"));
    assert_eq!(claim.expect("it is told").to, Audience::Arbiter);
}

#[test]
fn the_arbiter_hears_who_has_not_moved_at_the_end_of_the_default_time() {
    let mut session = under(r#""time":"5400","default_s":1800"#);
    assert_eq!(session.deadline().map(Instant::millis), Some(1_800_000));
    session.time(at(1_800_000));
    assert!(told(&mut session).contains("the default time is over, and nobody has begun"));
    let mut session = under(r#""time":"5400","default_s":1800"#);
    played(&mut session, &["e2e4"], 1_000);
    session.pass(at(1_800_000));
    let said = told(&mut session);
    assert!(said.contains("Bo has not moved") && said.contains("`rule forfeit B absent`"), "{said}");
    assert!(session.table().game().outcome().is_none(), "it is no loss by itself");
    let mut session = under(r#""time":"5400","default_s":1800"#);
    played(&mut session, &["e2e4", "e7e5"], 1_000);
    session.pass(at(1_800_000));
    assert!(!told(&mut session).contains("default time"));
}

/// A round without a default time told at each of its tables, before anybody sat down, that nobody had begun.
#[test]
fn of_a_default_time_of_zero_nobody_is_told_when_the_round_begins() {
    let mut session = under(r#""time":"5400","default_s":0"#);
    session.time(at(0));
    session.time(at(60_000));
    assert!(!told(&mut session).contains("default time"));
}

#[test]
fn an_illegal_move_that_the_arbiter_does_not_confirm_does_not_count() {
    let illegal = r#""do":"move","by":"black","uci":"e8e6""#;
    let mut session = event("");
    played(&mut session, &["e2e4"], 1_000);
    enter(&mut session, illegal, 2_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("illegal move number 1"));
    let (by, of) = (Color::Black, Infringement::IllegalMove(1));
    assert!(session.drop_proposal(by, of));
    assert!(!session.drop_proposal(by, of), "there is no proposal any more");
    enter(&mut session, illegal, 3_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("illegal move number 1"));
    session
        .correct_illegal(tabiya_types::Color::Black, 0, "the clerk mistyped", at(4_000))
        .expect("it is durable");
    // The count is the same after a restart.
    session.course.restore_recorded_state(at(5_000));
    enter(&mut session, illegal, 6_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("illegal move number 1"));
}

#[test]
fn a_penalty_names_the_articles_of_its_pace() {
    let illegal = r#""do":"move","by":"white","uci":"e2e5""#;
    for (time, told, articles) in [
        ("5400+30", "Black gains 2 min (Laws 7.5.5)", "7.5.5"),
        ("900+10", "Black gains 1 min (Laws 7.5.5, A.3)", "7.5.5, A.3"),
        // Blitz is played by A.3 unless the arbiter has no other game to watch.
        ("600", "Black gains 1 min (Laws 7.5.5, A.3, B.3)", "7.5.5, A.3, B.3"),
    ] {
        let mut session = under(&format!(r#""time":"{time}""#));
        enter(&mut session, illegal, 1_000).expect_err("it is illegal");
        let said = self::told(&mut session);
        assert!(said.contains(told), "{time}: {said}");
        assert_eq!(
            session.proposals().next().expect("it is proposed").choices[0].articles,
            articles,
            "{time}"
        );
    }
}

#[test]
fn a_corrected_count_of_illegal_moves_is_answered() {
    let mut session = event("");
    let black = tabiya_types::Color::Black;
    session.correct_illegal(black, 1, "the clerk missed one", at(1_000)).expect("it is durable");
    let said = told(&mut session);
    assert!(said.contains("illegal moves of Black in this game: 1"), "{said}");
}

/// White is to move with a minute and a half left.
fn white_may_claim(time: &str) -> Session {
    let mut session = under(&format!(r#""time":{time}"#));
    played(&mut session, &["e2e4", "e7e5"], 1_000);
    let short = r#""do":"rule","by":"arbiter","reason":"a test","set":{"clock_ms":{"white":90000}}"#;
    enter(&mut session, short, 3_000).expect("the arbiter may");
    session
}

#[test]
fn who_claims_after_the_fall_of_his_flag_is_refused() {
    let mut session = white_may_claim(r#""1800""#);
    let (by, claim) = (Color::White, FinishClaim::NormalMeans);
    let refused = session.claim_finish(by, claim, at(93_000)).expect_err("no time is left").to_string();
    assert!(refused.contains("the flag of White has fallen"), "{refused}");
    let mut session = white_may_claim(r#""1800""#);
    session.claim_finish(by, claim, at(92_999)).expect("a moment is left");
}

#[test]
fn an_increment_is_not_proposed_where_the_players_have_different_times() {
    let lines = |time: &str| {
        let mut session = white_may_claim(time);
        session.claim_finish(Color::White, FinishClaim::Increment, at(4_000)).expect("he may");
        let choices = &session.proposals().next().expect("it is proposed").choices;
        choices.iter().map(|choice| choice.line().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(lines(r#"{"white":"1800","black":"900"}"#), ["accept", "resume"]);
    assert_eq!(lines(r#""1800""#).len(), 3);
}

#[test]
fn play_goes_on_after_a_claim_and_nothing_is_proposed_any_more() {
    let mut session = white_may_claim(r#""1800""#);
    session.claim_finish(Color::White, FinishClaim::NoEffort, at(4_000)).expect("he may");
    let line = session.proposals().next().expect("it is proposed").choices[0].line().to_string();
    assert_eq!(line, "rule draw no effort to win by normal means");
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 5_000).expect("it goes on");
    assert!(session.proposals().next().is_none());
}

#[test]
fn a_ruling_in_another_language_answers_an_illegal_move_and_one_for_another_reason_does_not() {
    let ruled = |reason: &str| {
        let mut session = event("");
        enter(&mut session, r#""do":"move","by":"white","uci":"e2e5""#, 1_000).expect_err("it is illegal");
        let ruling = format!(
            r#""do":"rule","by":"arbiter","reason":"{reason}","set":{{"clock_ms":{{"black":180000}}}}"#
        );
        enter(&mut session, &ruling, 2_000).expect("the arbiter may");
        let line = session.lines().last().expect("a line").clone();
        line.extension("x-penalty").and_then(|by| by.as_text().map(str::to_owned))
    };
    assert_eq!(ruled("regelwidriger Zug").as_deref(), Some("white"));
    assert_eq!(ruled("illegal move").as_deref(), Some("white"));
    assert_eq!(ruled("Bo was disturbed"), None);
}

fn open(session: &Session) -> Vec<(Color, Infringement)> {
    session.proposals().map(|proposal| (proposal.by, proposal.of)).collect()
}

const ILLEGAL: &str = r#""do":"move","by":"white","uci":"e2e5""#;

/// A ruling with this reason that sets nothing, or Black's clock.
fn ruled(session: &mut Session, reason: &str, black_ms: Option<u64>, millis: u64) {
    let set = black_ms.map_or_else(String::new, |ms| format!(r#""clock_ms":{{"black":{ms}}}"#));
    let ruling = format!(r#""do":"rule","by":"arbiter","reason":"{reason}","set":{{{set}}}"#);
    enter(session, &ruling, millis).expect("the arbiter may");
}

#[test]
fn a_pause_and_its_reason_leave_what_is_proposed_open() {
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, ILLEGAL, 1_000).expect_err("it is illegal");
    let illegal = (Color::White, Infringement::IllegalMove(1));
    enter(&mut session, r#""do":"pause","by":"arbiter""#, 2_000).expect("the clock runs");
    ruled(&mut session, "illegal move", None, 2_000);
    ruled(&mut session, "Bo was disturbed", Some(5_400_000), 3_000);
    assert_eq!(open(&session), [illegal]);
    // His own words, with the time that is proposed.
    let left = session.table().reading(Color::Black, at(4_000)).expect("a clock").0;
    ruled(&mut session, "7.5.5", Some(left + 120_000), 4_000);
    assert_eq!(open(&session), []);
    let line = session.lines().last().expect("a line");
    assert_eq!(
        line.extension("x-penalty").and_then(|by| by.as_text().map(str::to_owned)).as_deref(),
        Some("white")
    );
}

#[test]
fn two_proposals_are_open_side_by_side_and_each_is_decided_alone() {
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, CLAIM, 1_000).expect_err("nothing was repeated");
    enter(&mut session, ILLEGAL, 2_000).expect_err("it is illegal");
    let (illegal, claim) =
        ((Color::White, Infringement::IllegalMove(1)), (Color::White, Infringement::WrongClaim));
    assert_eq!(open(&session), [illegal, claim], "the more urgent one is first");
    assert!(!session.drop_proposal(Color::Black, Infringement::WrongClaim));
    let proposal = session.proposals().next().expect("it is proposed");
    let ruling =
        proposal.choices[0].decision.input(session.table(), at(3_000), &Words::of(Language::English));
    session.enter(ruling, at(3_000)).expect("the arbiter may");
    assert_eq!(open(&session), [claim], "both would give Black two minutes");
    assert!(session.drop_proposal(claim.0, claim.1));
    assert_eq!(open(&session), []);
}

#[test]
fn the_second_illegal_move_takes_the_place_of_the_first_and_a_result_settles_all() {
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, ILLEGAL, 1_000).expect_err("it is illegal");
    enter(&mut session, ILLEGAL, 2_000).expect_err("it is illegal");
    enter(&mut session, CLAIM, 3_000).expect_err("nothing was repeated");
    assert_eq!(open(&session).len(), 2);
    assert_eq!(open(&session)[0], (Color::White, Infringement::IllegalMove(2)));
    let ruling = r#""do":"rule","by":"arbiter","reason":"enough","set":{"winner":"B"}"#;
    enter(&mut session, ruling, 4_000).expect("the arbiter may");
    assert_eq!(open(&session), []);
    assert_eq!(session.course.illegal.proposals(), []);
}

#[test]
fn what_is_proposed_when_people_leave_is_proposed_again_when_they_carry_on() {
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, ILLEGAL, 1_000).expect_err("it is illegal");
    session.leave(at(2_000)).expect("it is durable");
    let mut session = carried_on(&session, 2_000);
    let said = told(&mut session);
    assert!(
        said.contains("White's illegal move number 1") && said.contains("`rule clock black +120"),
        "{said}"
    );
    let illegal = (Color::White, Infringement::IllegalMove(1));
    assert_eq!(open(&session), [illegal]);
    assert!(session.drop_proposal(illegal.0, illegal.1));
    session.leave(at(3_000)).expect("it is durable");
    ruled(&mut session, "the clerk came", None, 3_000);
    assert_eq!(open(&carried_on(&session, 4_000)), [], "he let it be");
    // What is answered is not proposed again.
    let mut session = under(r#""time":"5400+30""#);
    enter(&mut session, ILLEGAL, 1_000).expect_err("it is illegal");
    ruled(&mut session, "illegal move", Some(5_520_000), 2_000);
    assert_eq!(open(&carried_on(&session, 4_000)), []);
    session.correct_illegal(Color::White, 2, "the clerk missed one", at(5_000)).expect("it is durable");
    assert_eq!(open(&carried_on(&session, 6_000)), []);
}

#[test]
fn an_undecided_claim_is_proposed_again_when_the_match_is_carried_on() {
    let mut session = white_may_claim(r#""1800""#);
    session.claim_finish(Color::White, FinishClaim::NormalMeans, at(4_000)).expect("he may");
    let mut again = carried_on(&session, 5_000);
    assert_eq!(open(&again), open(&session));
    assert!(told(&mut again).contains("the arbiter decides"));
    let choices = |session: &Session| session.proposals().next().map(|proposal| proposal.choices.clone());
    assert_eq!(choices(&again), choices(&session));
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 5_000).expect("it goes on");
    assert_eq!(open(&carried_on(&session, 6_000)), []);
}

#[test]
fn a_doubtful_flag_is_asked_about_until_it_is_decided() {
    // A wall of pawns; White has a bishop besides, which can never break it.
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"press":"auto","time":"60","fen":"k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/6BK w - - 0 1"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    played(&mut session, &["h1g2"], 1_000);
    session.pass(at(70_000));
    let doubtful = [(Color::Black, Infringement::DoubtfulFlag)];
    assert_eq!(open(&session), doubtful);
    let mut again = carried_on(&session, 71_000);
    assert_eq!(open(&again), doubtful);
    let ruling = r#""do":"rule","by":"arbiter","reason":"no mate was possible","set":{"winner":null}"#;
    enter(&mut again, ruling, 72_000).expect("the arbiter may");
    assert_eq!(open(&again), []);
    assert_eq!(open(&carried_on(&again, 73_000)), []);
    // What is taken back has not fallen.
    enter(&mut session, r#""do":"undo","by":"arbiter""#, 72_000).expect("the move is taken back");
    assert_eq!(session.course.illegal.proposals(), []);
}
