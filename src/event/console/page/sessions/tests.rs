use serde_json::json;

use super::*;
use crate::console::ordering::OrderFault;

const MINUTE: u64 = 60_000;

/// A code of an arbiter who may do all, given at 0.
fn with_code() -> (Phones, String) {
    let mut phones = Phones::default();
    let code = phones.give("Rossi", PhoneRights::ALL, 12_345_678, 0);
    assert_eq!(code, "12345678");
    (phones, code)
}

#[test]
fn a_code_serves_once_and_for_five_minutes() {
    let (mut phones, code) = with_code();
    assert_eq!(phones.sign_in(&code, "a", 5 * MINUTE - 1), SignIn::In("Rossi".to_owned(), PhoneRights::ALL));
    assert_eq!(phones.sign_in(&code, "b", 5 * MINUTE - 1), SignIn::Wrong(0), "once");
    let (mut phones, code) = with_code();
    assert_eq!(phones.sign_in(&code, "a", 5 * MINUTE), SignIn::Wrong(0), "too late");
    assert_eq!(phones.session("a", 0), Err(NoSession::Unknown));
}

#[test]
fn a_code_survives_four_wrong_tries() {
    let (mut phones, code) = with_code();
    for left in (1..=4).rev() {
        assert_eq!(phones.sign_in("00000000", "x", 1), SignIn::Wrong(left));
    }
    assert!(matches!(phones.clone().sign_in(&code, "a", 1), SignIn::In(..)));
    assert_eq!(phones.sign_in("00000000", "x", 1), SignIn::Wrong(0));
    assert_eq!(phones.sign_in(&code, "a", 1), SignIn::Wrong(0), "it holds no more");
}

#[test]
fn a_wrong_try_counts_against_every_code_and_a_new_one_replaces_the_old_one() {
    let (mut phones, first) = with_code();
    let other = phones.give("Weber", PhoneRights::Results, 7, 0);
    assert_eq!(other, "00000007");
    let second = phones.give("Rossi", PhoneRights::Tables(1, 9), 99, 0);
    assert_eq!(phones.sign_in(&first, "a", 1), SignIn::Wrong(4), "replaced");
    assert!(matches!(phones.sign_in(&second, "a", 1), SignIn::In(_, PhoneRights::Tables(1, 9))));
    for _ in 0..4 {
        phones.sign_in("1", "x", 1);
    }
    assert_eq!(phones.sign_in(&other, "b", 1), SignIn::Wrong(0));
}

#[test]
fn a_session_ends_after_twelve_hours_or_at_the_console() {
    let (mut phones, code) = with_code();
    phones.sign_in(&code, "a", 0);
    let end = 12 * 60 * MINUTE;
    assert!(phones.session("a", end - 1).is_ok());
    assert_eq!(phones.session("a", end), Err(NoSession::Over));
    assert_eq!(phones.session("b", 0), Err(NoSession::Unknown));
    assert_eq!(phones.signed_in(1), [("Rossi".to_owned(), PhoneRights::ALL)]);
    assert_eq!(phones.end("rossi", 1), 1);
    assert_eq!(phones.end("rossi", 1), 0);
    assert_eq!(phones.session("a", 1), Err(NoSession::Ended));
    assert!(phones.signed_in(1).is_empty());
    let waiting = phones.give("Weber", PhoneRights::ALL, 5, 1);
    assert_eq!(phones.end("Weber", 1), 1, "a code that nobody has used is taken back");
    assert_eq!(phones.sign_in(&waiting, "c", 1), SignIn::Wrong(0));
}

#[test]
fn what_is_signed_out_is_gone() {
    let (mut phones, code) = with_code();
    phones.sign_in(&code, "a", 0);
    phones.sign_out("a");
    assert_eq!(phones.session("a", 1), Err(NoSession::Unknown));
}

#[test]
fn codes_and_sessions_are_bounded() {
    let mut phones = Phones::default();
    for nth in 0..100_u64 {
        let code = phones.give(&format!("A{nth}"), PhoneRights::ALL, nth, nth);
        phones.sign_in(&code, &nth.to_string(), nth);
        phones.give(&format!("B{nth}"), PhoneRights::ALL, 1_000 + nth, nth);
    }
    assert_eq!((phones.codes.len(), phones.sessions.len()), (MOST_CODES, MOST_SESSIONS));
    assert!(phones.session("99", 100).is_ok(), "the oldest made room");
}

#[test]
fn rights_are_at_most_those_of_a_sector() {
    let order = |line: Value| line.as_object().cloned().expect("an object");
    let undo = order(json!({"do": "undo", "by": "arbiter"}));
    let result = order(json!({"do": "rule", "by": "arbiter", "set": {"winner": "A"}}));
    let time = order(json!({"do": "rule", "by": "arbiter", "set": {"add_ms": {"white": 1}}}));
    let both = order(json!({"do": "rule", "by": "arbiter", "set": {"winner": "A", "fen": "8/8"}}));
    let tables = PhoneRights::Tables(3, 5);
    for line in [&undo, &result, &time, &both] {
        assert!(tables.may_order(3, line) && tables.may_order(5, line) && !tables.may_order(6, line));
    }
    assert!(PhoneRights::Results.may_order(6, &result));
    for line in [&undo, &time, &both] {
        assert!(!PhoneRights::Results.may_order(6, line), "{line:?}");
    }
    assert!(tables.may_take(Some(4)) && !tables.may_take(Some(9)) && !tables.may_take(None));
    assert!(PhoneRights::ALL.may_take(None) && !PhoneRights::Results.may_take(Some(4)));
}

#[test]
fn rights_are_read_from_words() {
    assert_eq!(PhoneRights::from_words("Results"), Some(PhoneRights::Results));
    assert_eq!(PhoneRights::from_words("17"), Some(PhoneRights::Tables(17, 17)));
    assert_eq!(PhoneRights::from_words("1-20"), Some(PhoneRights::Tables(1, 20)));
    for wrong in ["", "0", "20-1", "1-10000", "x", "-", "1-", "chief"] {
        assert_eq!(PhoneRights::from_words(wrong), None, "{wrong}");
    }
}

#[test]
fn a_form_is_sent_once() {
    let (mut phones, code) = with_code();
    phones.sign_in(&code, "a", 0);
    let session = phones.session("a", 0).expect("signed in");
    let (first, second) = (session.new_form(), session.new_form());
    assert!(session.take_form(second) && session.take_form(first));
    assert!(!session.take_form(first), "a double tap");
    assert!(!session.take_form(0) && !session.take_form(99), "never made");
}

#[test]
fn a_question_waits_for_a_minute() {
    let (mut phones, code) = with_code();
    phones.sign_in(&code, "a", 0);
    let wanted =
        || WantedOrder { lines: vec![], words: "undo".to_owned(), question: None, ago: None, bound: None };
    let session = phones.session("a", 0).expect("signed in");
    session.ask(3, wanted(), OrderFault::NoChance.in_words(), 0);
    assert!(session.question(MINUTE - 1).is_some());
    let form = session.new_form();
    assert_eq!(session.answer(form, MINUTE), None);
    session.ask(3, wanted(), OrderFault::NoChance.in_words(), 0);
    assert_eq!(session.answer(form, 1), None, "this page asked something else");
    let form = session.new_form();
    assert_eq!(session.answer(form, 1).map(|question| question.table), Some(3));
    assert_eq!(session.answer(form, 1), None, "once");
}
