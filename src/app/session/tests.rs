//! A session whose record fails: what was not durable was not taken, and nothing of it was told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::*;
use crate::rules::GAMES;

/// Keeps lines in memory, and fails while the switch is on.
#[derive(Clone, Debug, Default)]
struct Switch {
    full: Arc<AtomicBool>,
    kept: Arc<Mutex<Vec<String>>>,
}

impl Switch {
    fn set(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    fn lines(&self) -> Vec<String> {
        self.kept.lock().expect("nobody panicked with it").clone()
    }
}

impl Keeper for Switch {
    fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        if self.full.load(Ordering::Relaxed) {
            return Err(JournalError::Full { path: "evening.tabiya".into() });
        }
        self.kept.lock().expect("nobody panicked with it").extend(lines.iter().map(Line::to_string));
        Ok(())
    }

    fn moment(&mut self, _now: Instant) {}

    fn head(&self) -> Option<crate::record::chain::Head> {
        None
    }

    fn close(self: Box<Self>) -> Result<(), JournalError> {
        Ok(())
    }
}

fn chess(switch: &Switch, terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"60",{terms}}}}}"#
    );
    let header = Header::parse(&header, GAMES).expect("a header");
    Session::new(header, Some(Box::new(switch.clone())), None)
}

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn enter(session: &mut Session, text: &str, millis: u64) -> Result<(), Fault> {
    let line = format!(r#"{{"t":0,{text}}}"#);
    let Body::Acted(input) = Line::parse(&line, session.replay().header()).expect("a line").body else {
        panic!("{text} acts on nothing");
    };
    session.enter(&input, at(millis))
}

fn told(session: &mut Session) -> String {
    session.take_said().into_iter().map(|said| said.text).collect::<Vec<_>>().join("\n")
}

const E4: &str = r#""do":"move","by":"white","uci":"e2e4""#;
const E5: &str = r#""do":"move","by":"black","uci":"e7e5""#;

fn clock(session: &Session, side: crate::rules::Color, millis: u64) -> u64 {
    let shown = session.moment_shown(at(millis));
    session.watch().clock_shown(shown).reading(side, shown).expect("a clock").0
}

#[test]
fn an_input_that_cannot_be_written_is_not_taken_and_the_clocks_stand() {
    use crate::rules::Color::Black;
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    enter(&mut session, E4, 1_000).expect("it is legal");
    told(&mut session);
    switch.set(true);
    let fault = enter(&mut session, E5, 5_000).expect_err("nothing can be written");
    assert!(matches!(fault, Fault::NotWritten(_)));
    assert!(fault.to_string().contains("nothing was taken"), "{fault}");
    assert_eq!(told(&mut session), "", "what was not taken is not told");
    assert_eq!(session.table().to_act(), crate::rules::Actor::Player(Black));
    assert_eq!(clock(&session, Black, 5_000), 56_000);
    assert_eq!(clock(&session, Black, 90_000), 56_000, "the clock stands");

    // It is tried again by itself, in vain: said once.
    assert_eq!(session.deadline(), Some(at(6_000)));
    session.time(at(6_000));
    assert!(told(&mut session).contains("the clocks stand, and it is tried again"));
    session.time(at(7_000));
    assert_eq!(told(&mut session), "");
    assert_eq!(switch.lines().len(), 1);

    // There is room again: the pause is the first thing on record, at the moment of the failure.
    switch.set(false);
    session.time(at(8_000));
    let said = told(&mut session);
    assert!(said.contains("can be written again") && said.contains("resume"), "{said}");
    assert_eq!(switch.lines().last().map(String::as_str), Some(r#"{"t":5000,"do":"pause","by":"arbiter"}"#));
    assert!(matches!(enter(&mut session, E5, 9_000), Err(Fault::Refused(_))), "it is paused");
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 9_500).expect("it goes on");
    enter(&mut session, E5, 10_000).expect("it is legal");
    assert_eq!(clock(&session, Black, 10_000), 55_500);
    assert_eq!(session.lines().len(), switch.lines().len());
}

#[test]
fn while_no_clock_runs_each_input_is_an_attempt() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    switch.set(true);
    assert!(matches!(enter(&mut session, E4, 1_000), Err(Fault::NotWritten(_))));
    assert!(matches!(enter(&mut session, E4, 2_000), Err(Fault::NotWritten(_))));
    switch.set(false);
    enter(&mut session, E4, 3_000).expect("there is room");
    let said = told(&mut session);
    assert!(said.contains("can be written again") && said.contains("White plays e2e4"), "{said}");
    assert_eq!(switch.lines().len(), 1);
}

#[test]
fn what_the_board_shows_meanwhile_is_looked_at_afterwards() {
    use crate::sense::Observation;
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let mut board = session.table().physical();
    let whole = |board: crate::rules::Board| BoardEvent::Observed(Observation::Whole(board));
    session.board(&whole(board), at(100));
    enter(&mut session, E4, 1_000).expect("it is legal");
    let mut play = |from: &str, to: &str| {
        let (from, to) = (from.parse().expect("a square"), to.parse().expect("a square"));
        (board[to], board[from]) = (board[from], None);
        board
    };
    session.board(&whole(play("e2", "e4")), at(1_100));
    session.time(at(1_600));
    switch.set(true);
    let after = play("e7", "e5");
    session.board(&whole(after), at(2_000));
    assert!(told(&mut session).contains("cannot be written"));
    session.board(&whole(after), at(2_500));
    switch.set(false);
    session.time(at(3_000));
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 4_000).expect("it goes on");
    session.time(at(5_000));
    assert!(told(&mut session).contains("Black plays e7e5"), "{:?}", switch.lines());
}

#[test]
fn a_question_is_answered_by_no_and_not_asked_again() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let start = session.table().physical();
    let whole = |board| BoardEvent::Observed(crate::sense::Observation::Whole(board));
    session.board(&whole(start), at(0));
    enter(&mut session, E4, 1_000).expect("it is legal");
    session.board(&whole(session.table().physical()), at(1_100));
    session.time(at(2_000));
    told(&mut session);
    session.board(&whole(start), at(5_000));
    session.time(at(7_000));
    let said = told(&mut session);
    if session.question().is_some() {
        assert!(said.contains("(yes or no)"), "{said}");
        assert!(session.no());
        assert!(session.question().is_none() && session.yes().is_empty());
        assert!(!session.no());
    } else {
        assert!(said.contains("taken back"), "{said}");
    }
}
