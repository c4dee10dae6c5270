//! What is entered has an identity and an answer: who gave an order finds its line.

use tabiya_engine::rules::Group;
use tabiya_engine::table::{Author, Common, Entry, Note};

use super::*;

fn order(input: impl Into<Input>, id: &str) -> Entry {
    let own = Group::new().with("x-order", Group::new().with("arbiter", "Rossi"));
    Entry { input: input.into(), note: Note { id: Some(id.to_owned()), own } }
}

fn pause() -> Input {
    Common::Pause(Author::Arbiter).into()
}

#[test]
fn an_order_is_told_its_line_and_the_same_order_again_changes_nothing() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    enter(&mut session, E4, 1_000).expect("it is legal");
    let lines = session.lines().len() as u64;
    let entered = session.enter(order(pause(), "o-1"), at(2_000)).expect("the arbiter may pause");
    assert_eq!(entered, Entered { lines: lines + 1..lines + 2, own: Some(lines + 1) });
    let line = session.lines().last().expect("a line").to_string();
    assert!(
        line.ends_with(r#""do":"pause","by":"arbiter","id":"o-1","x-order":{"arbiter":"Rossi"}}"#),
        "{line}"
    );
    assert!(switch.lines().iter().any(|kept| kept.contains("o-1")), "it is durable: {:?}", switch.lines());
    let again = session.enter(order(pause(), "o-1"), at(3_000)).expect("it was done");
    assert_eq!((again.own, session.lines().len() as u64), (Some(lines + 1), lines + 1));
}

#[test]
fn an_order_that_is_refused_is_on_no_line_and_its_note_on_no_other() {
    let mut session = chess(&Switch::default(), r#""press":"auto""#);
    let resume: Input = Common::Resume(Author::Arbiter).into();
    session.enter(order(resume.clone(), "o-1"), at(1_000)).expect_err("nothing is paused");
    enter(&mut session, E4, 2_000).expect("it is legal");
    session.enter(pause(), at(3_000)).expect("a clock runs");
    session.enter(&resume, at(4_000)).expect("it is paused");
    assert!(session.lines().iter().all(|line| line.id.is_none()), "{:?}", session.lines());
}

#[test]
fn an_order_that_waits_behind_a_press_keeps_its_id() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"clock""#);
    let (start, _) = pressed_for_nothing(&mut session, 59_000);
    // Without the press, White's flag would have fallen by now.
    let entered = session.enter(order(pause(), "o-1"), at(61_000)).expect("it waits");
    assert_eq!(entered.own, None);
    session.board(&whole(moved(start, "e2", "e4")), at(62_000));
    session.time(at(63_000));
    let line = session.lines().iter().find(|line| line.id.as_deref() == Some("o-1")).expect("it is written");
    assert_eq!(line.body, Body::Acted(pause()));
    let place = session.replay().place_of("o-1");
    assert_eq!(session.enter(order(pause(), "o-1"), at(64_000)).expect("it was done").own, place);
}

#[test]
fn a_reason_that_is_too_long_for_a_message_to_a_console_is_refused_with_one_sentence() {
    let mut session = chess(&Switch::default(), r#""press":"auto""#);
    enter(&mut session, E4, 1_000).expect("it is legal");
    let before = session.lines().len();
    // Each quotation mark takes two bytes in the record.
    let ruling = |length: usize| {
        let reason = r#"\""#.repeat(length);
        format!(r#""do":"rule","by":"arbiter","reason":"{reason}","set":{{"clock_ms":{{"black":50000}}}}"#)
    };
    let refused = enter(&mut session, &ruling(33_000), 2_000).expect_err("66,000 bytes");
    assert_eq!(
        refused.to_string(),
        "this is too long for a line of the record, so it was not accepted: say it in fewer words"
    );
    assert_eq!(session.lines().len(), before);
    enter(&mut session, &ruling(30_000), 2_000).expect("60,000 bytes");
}
