//! Telephones as keypads at a desk's table: what they enter is their player's, and the table is asked first.

use tabiya_engine::record::Line;
use tabiya_types::Card;

use super::*;
use crate::keypads::{KeypadAct, KeypadAnswer, KeypadDoor, KeypadKey, KeypadOf, TurnMark};

fn open(desk: &mut Desk) {
    let door = KeypadDoor { addresses: vec!["https://192.168.1.5:44066".to_owned()], words: Vec::new() };
    desk.open_keypads(door, at(0)).expect("there is chance");
}

fn ticket(desk: &mut Desk, now: u64) -> u64 {
    let digits = desk.snapshot(at(now)).keypads.code.clone().expect("a code");
    match desk.keypad(KeypadAct::Code { digits, from: "192.168.1.7".to_owned() }, at(now)) {
        KeypadAnswer::Ticket(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

/// A telephone that is this keypad: it has the code, and somebody types `yes`.
fn keypad(desk: &mut Desk, of: KeypadOf, now: u64) -> u64 {
    let ticket = ticket(desk, now);
    let asks = KeypadAct::Ask { ticket, of, name: "Ann's own".to_owned() };
    assert_eq!(desk.keypad(asks, at(now)), KeypadAnswer::Done);
    assert!(desk.snapshot(at(now)).question.is_some());
    typed(desk, now, "yes");
    assert!(desk.snapshot(at(now)).question.is_none());
    ticket
}

fn press(desk: &mut Desk, ticket: u64, key: KeypadKey, now: u64) -> KeypadAnswer {
    let shown = desk.keypad_report(at(now)).mark;
    desk.keypad(KeypadAct::Press { ticket, key, shown }, at(now))
}

fn say(desk: &mut Desk, ticket: u64, line: &str, now: u64) -> KeypadAnswer {
    desk.keypad(KeypadAct::Say { ticket, line: line.to_owned() }, at(now))
}

fn lines(desk: &Desk) -> Vec<String> {
    desk.session().expect("a match").lines().iter().map(Line::to_string).collect()
}

fn choker(voice: &str) -> Wish {
    let stacks = Group::new().with("A", 100_u64).with("B", 100_u64);
    let terms = Group::new()
        .with("stacks", stacks)
        .with("small_blind", 1_u64)
        .with("time", "120")
        .with("voice", voice);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    Wish::Begin(Box::new(NewMatch::usual("choker", players, Seat::A, terms)))
}

#[test]
fn a_keypad_s_bets_stand_in_the_record_with_its_name_and_the_grave_ones_are_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(choker("casual"), at(0));
    open(&mut desk);
    let ann = keypad(&mut desk, KeypadOf::Player(Seat::A), 1_000);
    typed(&mut desk, 2_000, "deal");
    assert_eq!(press(&mut desk, ann, KeypadKey::Raise(6), 3_000), KeypadAnswer::Done);
    let last = lines(&desk).pop().expect("a line");
    assert!(
        last.contains(r#""action":"raise","to":6"#) && last.contains(r#""x-keypad":"Ann's own""#),
        "{last}"
    );
    assert!(matches!(press(&mut desk, ann, KeypadKey::Call, 4_000), KeypadAnswer::Late), "it is Bo's turn");
    typed(&mut desk, 5_000, "raise 20");
    let asked = press(&mut desk, ann, KeypadKey::AllIn, 6_000);
    let KeypadAnswer::Asks(text) = asked else { panic!("{asked:?}") };
    assert!(text.to_string().contains("whole stack"), "{text}");
    let before = lines(&desk).len();
    assert_eq!(desk.keypad(KeypadAct::Yes(ann + 1), at(6_500)), KeypadAnswer::Late, "another telephone");
    assert_eq!(lines(&desk).len(), before);
    assert_eq!(desk.keypad(KeypadAct::Yes(ann), at(7_000)), KeypadAnswer::Done);
    assert!(lines(&desk).iter().any(|line| line.contains("all-in")), "{:?}", lines(&desk));
    assert_eq!(desk.keypad(KeypadAct::Yes(ann), at(7_100)), KeypadAnswer::Late, "once");
}

#[test]
fn a_keypad_does_nothing_for_the_other_player_and_nothing_of_the_arbiter_s() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(choker("casual"), at(0));
    open(&mut desk);
    let bo = keypad(&mut desk, KeypadOf::Player(Seat::B), 1_000);
    typed(&mut desk, 2_000, "deal");
    let before = lines(&desk).len();
    for line in [
        "call",
        "white fold",
        "rule winner B bored",
        "undo",
        "next",
        "end bored",
        "pause",
        "help",
        "quit",
        "yes",
    ] {
        let answer = say(&mut desk, bo, line, 3_000);
        assert!(matches!(answer, KeypadAnswer::Refused(_)), "{line}: {answer:?}");
    }
    for key in [KeypadKey::Fold, KeypadKey::AllIn, KeypadKey::Raise(6), KeypadKey::Reveal(Card::Pawn)] {
        let answer = press(&mut desk, bo, key, 3_000);
        assert!(
            !matches!(answer, KeypadAnswer::Done | KeypadAnswer::Sent | KeypadAnswer::Asks(_)),
            "{key:?}: {answer:?}"
        );
    }
    assert_eq!(press(&mut desk, bo + 7, KeypadKey::Fold, 3_000), KeypadAnswer::NoKeypad);
    assert_eq!(lines(&desk).len(), before, "{:?}", lines(&desk));
    typed(&mut desk, 4_000, "call");
    assert_eq!(say(&mut desk, bo, "check", 5_000), KeypadAnswer::Done);
}

#[test]
fn a_press_of_an_old_page_is_not_done_and_a_press_of_this_turn_is_whatever_was_put_in_between() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    open(&mut desk);
    let clock = keypad(&mut desk, KeypadOf::Clock, 500);
    let white = KeypadKey::Press(Color::White);
    typed(&mut desk, 1_000, "press black");
    let shown = desk.keypad_report(at(1_000)).mark;
    typed(&mut desk, 2_000, "e2e4");
    let act = KeypadAct::Press { ticket: clock, key: white, shown };
    assert_eq!(desk.keypad(act.clone(), at(3_000)), KeypadAnswer::Done, "the move came in between");
    assert_eq!(desk.keypad(act, at(4_000)), KeypadAnswer::Late, "a double tap");
    assert_eq!(press(&mut desk, clock, white, 4_500), KeypadAnswer::Late, "Black's clock runs");
    assert_eq!(press(&mut desk, clock, KeypadKey::Stop, 5_000), KeypadAnswer::Done);
    assert!(desk.snapshot(at(5_000)).table.as_ref().is_some_and(|table| table.clock.paused()));
    assert!(matches!(say(&mut desk, clock, "e7e5", 6_000), KeypadAnswer::Refused(_)), "it is a clock");
    assert_eq!(press(&mut desk, clock, KeypadKey::GoOn, 7_000), KeypadAnswer::Done);
    let mark = TurnMark { acts: 0, press: 0 };
    let old = KeypadAct::Press { ticket: clock, key: KeypadKey::Press(Color::Black), shown: mark };
    assert_eq!(desk.keypad(old, at(8_000)), KeypadAnswer::Late);
}

#[test]
fn at_an_event_keypads_are_off_until_the_arbiter_admits_them_and_the_record_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(choker("event"), at(0));
    open(&mut desk);
    assert_eq!(desk.snapshot(at(0)).keypads.code, None);
    let code = KeypadAct::Code { digits: "0000".to_owned(), from: "x".to_owned() };
    assert_eq!(desk.keypad(code, at(500)), KeypadAnswer::NoKeypad);
    typed(&mut desk, 1_000, "keypads on hurt hand");
    let last = lines(&desk).pop().expect("a line");
    assert!(last.contains(r#""x-keypads":"on""#) && last.contains("hurt hand"), "{last}");
    let ann = keypad(&mut desk, KeypadOf::Player(Seat::A), 2_000);
    typed(&mut desk, 3_000, "deal");
    assert_eq!(press(&mut desk, ann, KeypadKey::CallArbiter, 4_000), KeypadAnswer::Done);
    assert!(!matches!(press(&mut desk, ann, KeypadKey::GoOn, 4_500), KeypadAnswer::Done), "the arbiter's");
    typed(&mut desk, 5_000, "resume");
    typed(&mut desk, 6_000, "keypads off enough");
    assert_eq!(press(&mut desk, ann, KeypadKey::Call, 7_000), KeypadAnswer::NoKeypad);
    assert_eq!(desk.snapshot(at(7_000)).keypads.pads, []);
}

#[test]
fn another_match_and_a_removal_end_a_keypad() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    open(&mut desk);
    let ann = keypad(&mut desk, KeypadOf::Player(Seat::A), 1_000);
    typed(&mut desk, 2_000, "keypads remove white");
    assert_eq!(press(&mut desk, ann, KeypadKey::Stop, 2_500), KeypadAnswer::NoKeypad);
    let again = keypad(&mut desk, KeypadOf::Player(Seat::A), 3_000);
    desk.wish(chess("60"), at(4_000));
    assert_eq!(press(&mut desk, again, KeypadKey::Stop, 5_000), KeypadAnswer::NoKeypad);
    let asks = KeypadAct::Ask { ticket: again, of: KeypadOf::Clock, name: "x".to_owned() };
    assert_eq!(desk.keypad(asks, at(5_000)), KeypadAnswer::NoKeypad, "it types the code again");
}

#[test]
fn the_question_about_a_telephone_waits_behind_another_and_outlasts_what_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(chess("300"), at(0));
    open(&mut desk);
    typed(&mut desk, 500, "press black");
    typed(&mut desk, 1_000, "resign white");
    let resigns = desk.snapshot(at(1_000)).question.clone().expect("asked");
    let ticket = ticket(&mut desk, 1_500);
    let asks = KeypadAct::Ask { ticket, of: KeypadOf::Player(Seat::B), name: "Bo's".to_owned() };
    assert_eq!(desk.keypad(asks, at(2_000)), KeypadAnswer::Done);
    assert_eq!(desk.snapshot(at(2_000)).question, Some(resigns), "the older one first");
    typed(&mut desk, 3_000, "no");
    assert!(desk.snapshot(at(3_000)).question.is_some_and(|asked| asked.text.to_string().contains("Bo's")));
    typed(&mut desk, 4_000, "e2e4");
    assert!(desk.snapshot(at(4_000)).question.is_some(), "play goes on, and it is still asked");
    desk.wish(Wish::No, at(5_000));
    assert!(desk.snapshot(at(5_000)).question.is_none());
    assert_eq!(press(&mut desk, ticket, KeypadKey::Stop, 6_000), KeypadAnswer::NoKeypad);
}
