//! Codes, questions and ends of keypads, without a table.

use super::*;

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn door() -> KeypadDoor {
    KeypadDoor { addresses: vec!["https://192.168.1.5:44066".to_owned()], words: Vec::new() }
}

/// Keypads whose code is 0042.
fn open() -> Keypads {
    let mut keypads = Keypads::default();
    keypads.open(door(), 30_042);
    keypads
}

/// A telephone that has typed the code, and asks to be this.
fn asks(keypads: &mut Keypads, of: KeypadOf, name: &str) -> u64 {
    let CodeTyped::Right(ticket) = keypads.typed("0042", "192.168.1.7", at(0)) else { panic!("the code") };
    assert!(keypads.ask(ticket, of, name));
    ticket
}

#[test]
fn a_code_has_four_digits_and_five_tries_and_then_everybody_waits() {
    let mut keypads = open();
    assert_eq!(keypads.code(at(0)), Some("0042"));
    for left in [4, 3, 2, 1] {
        assert_eq!(keypads.typed("42", "x", at(0)), CodeTyped::Wrong(left));
    }
    assert_eq!(keypads.typed("0043", "x", at(0)), CodeTyped::Waits(PAUSE));
    assert!(keypads.needs_code());
    keypads.renew(7);
    assert_eq!(keypads.typed("0007", "x", at(29_000)), CodeTyped::Waits(Millis(1_000)));
    assert_eq!(keypads.code(at(29_000)), None, "it is not shown either");
    assert!(!keypads.pass(at(29_000)) && keypads.pass(at(30_000)));
    assert_eq!(keypads.typed("0042", "x", at(30_000)), CodeTyped::Wrong(4), "the old one");
    assert_eq!(keypads.typed("0007", "x", at(30_000)), CodeTyped::Right(1));
}

#[test]
fn nobody_is_a_keypad_before_the_table_has_said_yes() {
    let mut keypads = open();
    let of = KeypadOf::Player(Seat::A);
    let CodeTyped::Right(ticket) = keypads.typed("0042", "192.168.1.7", at(0)) else { panic!("the code") };
    assert_eq!(keypads.asked(), None, "nobody has asked yet");
    assert!(!keypads.ask(ticket + 1, of, "x"), "a number that nobody has");
    assert!(keypads.ask(ticket, of, "  Ann's\u{202e} telephone, which has a very long name"));
    assert_eq!(keypads.pad(of), None);
    let asked = keypads.question(|_| "Ann".to_owned()).expect("a question").to_string();
    assert!(asked.contains("192.168.1.7") && asked.contains("keypad of Ann:"), "{asked}");
    assert!(!asked.contains('\u{202e}'), "{asked:?}");
    let (visitor, _) = keypads.answer(true).expect("asked");
    assert_eq!((visitor.ticket, visitor.name.chars().count()), (ticket, LONGEST_NAME));
    assert_eq!(keypads.pad(of).map(|pad| pad.ticket), Some(ticket));
    assert!(!keypads.ask(ticket, KeypadOf::Player(Seat::B), "x"), "who is one keypad asks for no other");
}

#[test]
fn a_second_telephone_takes_the_first_one_s_place_only_with_a_yes_that_says_so() {
    let mut keypads = open();
    let of = KeypadOf::Player(Seat::B);
    let first = asks(&mut keypads, of, "one");
    keypads.answer(true);
    let second = asks(&mut keypads, of, "two");
    let asked = keypads.question(|_| "Bo".to_owned()).expect("a question").to_string();
    assert!(asked.contains("in the place of “one”"), "{asked}");
    keypads.answer(false);
    assert_eq!(keypads.pad(of).map(|pad| pad.ticket), Some(first));
    let refused = keypads.visitor(second).map(|visitor| visitor.stage);
    assert_eq!(refused, Some(VisitorStage::Ended(KeypadEnd::Refused)));
    let third = asks(&mut keypads, of, "three");
    keypads.answer(true);
    assert_eq!(keypads.pad(of).map(|pad| pad.ticket), Some(third));
    let replaced = keypads.visitor(first).map(|visitor| visitor.stage);
    assert_eq!(replaced, Some(VisitorStage::Ended(KeypadEnd::Replaced)));
    assert_eq!(keypads.remove(of).map(|pad| pad.ticket), Some(third));
    assert_eq!(keypads.remove(of), None);
}

#[test]
fn a_crowd_that_knows_the_code_pushes_no_keypad_out() {
    let mut keypads = open();
    let ticket = asks(&mut keypads, KeypadOf::Clock, "clock");
    keypads.answer(true);
    for _ in 0..3 * MOST {
        keypads.typed("0042", "x", at(0));
    }
    assert_eq!(keypads.visitors().len(), MOST);
    assert_eq!(keypads.pad(KeypadOf::Clock).map(|pad| pad.ticket), Some(ticket));
    assert!(keypads.end(KeypadEnd::OtherMatch) && !keypads.end(KeypadEnd::OtherMatch));
    assert_eq!(keypads.pad(KeypadOf::Clock), None);
}

#[test]
fn words_of_keypads_are_read_as_they_are_written() {
    for of in [KeypadOf::Player(Seat::A), KeypadOf::Player(Seat::B), KeypadOf::Clock] {
        assert_eq!(KeypadOf::from_word(of.word()), Some(of));
    }
    assert_eq!(KeypadOf::from_word("white"), None);
}
