//! Tests of sessions, above all with a record that cannot be written: an input that is not durable is neither accepted
//! nor announced.

mod adjournments;
mod cards;
mod clock_pilot;
mod entries;
mod infringements;
mod laying;
mod levers;
mod never_deaf;
mod secrets;
mod unattended;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tabiya_engine::rules::{GAMES, Uci};
use tabiya_types::{Board, Color, Observation};

use super::*;
use crate::snapshot::{Asked, TableView};
use tabiya_store::keeper::PgnNews;

/// A record keeper for tests. It keeps lines in memory, and fails while `full` is true.
#[derive(Clone, Debug, Default)]
struct Switch {
    full: Arc<AtomicBool>,
    kept: Arc<Mutex<Vec<String>>>,
    /// The number of heartbeats (saves of the current time).
    moments: Arc<AtomicU64>,
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
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        if self.full.load(Ordering::Relaxed) {
            return Err(JournalError::Full { path: "evening.tabiya".into() });
        }
        self.kept.lock().expect("nobody panicked with it").extend(lines.iter().map(Line::to_string));
        Ok(())
    }

    fn moment(&mut self, _now: Instant) -> Result<(), JournalError> {
        self.moments.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn moved(&self) -> Option<&std::path::Path> {
        None
    }

    fn sign(&mut self) -> Option<tabiya_engine::record::proof::HeadSignature> {
        None
    }

    fn uid(&self) -> &'static str {
        "a match"
    }

    fn head(&self) -> Option<tabiya_engine::record::chain::Head> {
        None
    }

    fn head_at(&self, _: u64) -> Result<Option<tabiya_engine::record::chain::Head>, JournalError> {
        Ok(None)
    }

    fn followers(&self) -> Vec<tabiya_store::follow::FollowerState> {
        Vec::new()
    }

    fn lock(
        &mut self,
        _: Seat,
        _: tabiya_store::match_key_file::KeyShare,
    ) -> Result<(), tabiya_store::journal::vault::KeyError> {
        Ok(())
    }

    fn give_share(&mut self, _: Seat, _: tabiya_store::match_key_file::KeyShare) {}

    fn release(&mut self) -> Result<bool, tabiya_store::journal::vault::KeyError> {
        Ok(true)
    }

    fn is_doubted(&self) -> bool {
        false
    }

    fn vouch(&mut self) -> Result<(), JournalError> {
        Ok(())
    }

    fn unsigned(&self) -> Option<&str> {
        None
    }

    fn rescue(&mut self, _: &str, _: &[Line]) -> Result<std::path::PathBuf, JournalError> {
        Err(JournalError::Closed)
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

/// A PGN keeper for tests: what was written, and whether it wants the next text.
#[derive(Clone, Debug, Default)]
struct Pgns {
    written: Arc<Mutex<Vec<String>>>,
    busy: Arc<AtomicBool>,
}

impl PgnKeeper for Pgns {
    fn is_due(&self, news: PgnNews) -> bool {
        news == PgnNews::Result || !self.busy.load(Ordering::Relaxed)
    }

    fn write(&mut self, _: PgnNews, text: &str) -> Result<(), Sentence> {
        self.written.lock().expect("nobody panicked with it").push(text.to_owned());
        Ok(())
    }
}

#[test]
fn moves_that_follow_each_other_fast_are_in_the_pgn_within_a_second_and_a_result_at_once() {
    let pgn = Pgns::default();
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"60","press":"auto"}}"#;
    let header = Header::parse(header, GAMES).expect("a header");
    let mut session = Session::new(header, None, Some(Box::new(pgn.clone())));
    let written = || pgn.written.lock().expect("nobody panicked with it").clone();
    enter(&mut session, E4, 1_000).expect("it is legal");
    assert_eq!(written().len(), 1, "the first move is written at once");
    pgn.busy.store(true, Ordering::Relaxed);
    enter(&mut session, E5, 1_100).expect("it is legal");
    enter(&mut session, r#""do":"move","by":"white","uci":"g1f3""#, 1_200).expect("it is legal");
    assert_eq!(written().len(), 1, "the file was just written");
    let due = session.deadline().expect("the file is behind");
    assert!(due <= at(2_100), "{due:?}");
    session.time(due);
    assert_eq!(written().len(), 1, "the keeper is not ready yet, so it is asked again");
    assert!(session.deadline().is_some_and(|again| again > due && again <= due + Millis(1_000)));
    pgn.busy.store(false, Ordering::Relaxed);
    let again = session.deadline().expect("the file is behind");
    session.time(again);
    assert!(written().len() == 2 && written()[1].contains("e5"), "{:?}", written());
    pgn.busy.store(true, Ordering::Relaxed);
    enter(&mut session, r#""do":"resign","by":"black""#, 5_000).expect("it is allowed");
    assert!(written().len() == 3 && written()[2].trim_end().ends_with("1-0"), "{:?}", written());
}

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn enter(session: &mut Session, text: &str, millis: u64) -> Result<(), InputFault> {
    let line = format!(r#"{{"t":0,{text}}}"#);
    let Body::Acted(input) = Line::parse(&line, session.replay().header()).expect("a line").body else {
        panic!("{text} acts on nothing");
    };
    session.enter(&input, at(millis)).map(drop)
}

fn told(session: &mut Session) -> String {
    session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("\n")
}

const E4: &str = r#""do":"move","by":"white","uci":"e2e4""#;
const E5: &str = r#""do":"move","by":"black","uci":"e7e5""#;

fn clock(session: &Session, side: tabiya_types::Color, millis: u64) -> u64 {
    let shown = session.moment_shown(at(millis));
    session.watch().clock_shown(shown).reading(side, shown).expect("a clock").0
}

#[test]
fn an_input_that_cannot_be_written_is_not_taken_and_the_clocks_stand() {
    use tabiya_types::Color::Black;
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    enter(&mut session, E4, 1_000).expect("it is legal");
    told(&mut session);
    switch.set(true);
    let fault = enter(&mut session, E5, 5_000).expect_err("nothing can be written");
    assert!(matches!(fault, InputFault::NotWritten(_)));
    assert!(fault.to_string().contains("the input was not accepted"), "{fault}");
    assert_eq!(told(&mut session), "", "what was not taken is not told");
    assert_eq!(session.table().to_act(), tabiya_engine::rules::Actor::Player(Black));
    assert_eq!(clock(&session, Black, 5_000), 56_000);
    assert_eq!(clock(&session, Black, 90_000), 56_000, "the clock stands");

    // The session tries again by itself and fails again. The failure is announced only once.
    assert_eq!(session.deadline(), Some(at(6_000)));
    session.time(at(6_000));
    assert!(told(&mut session).contains("the clocks are stopped, and Tabiya tries again"));
    session.time(at(7_000));
    assert_eq!(told(&mut session), "");
    assert_eq!(switch.lines().len(), 1);

    // The disk has room again. The first line that is written is the pause, with the moment of the failure.
    switch.set(false);
    session.time(at(8_000));
    let said = told(&mut session);
    assert!(said.contains("can be written again") && said.contains("resume"), "{said}");
    assert_eq!(switch.lines().last().map(String::as_str), Some(r#"{"t":5000,"do":"pause","by":"arbiter"}"#));
    assert!(matches!(enter(&mut session, E5, 9_000), Err(InputFault::Refused(_))), "it is paused");
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
    assert!(matches!(enter(&mut session, E4, 1_000), Err(InputFault::NotWritten(_))));
    assert!(matches!(enter(&mut session, E4, 2_000), Err(InputFault::NotWritten(_))));
    switch.set(false);
    enter(&mut session, E4, 3_000).expect("there is room");
    let said = told(&mut session);
    assert!(said.contains("can be written again") && said.contains("White plays e2e4"), "{said}");
    assert_eq!(switch.lines().len(), 1);
}

#[test]
fn what_the_board_shows_meanwhile_is_looked_at_afterwards() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let [_, after] = e4_on_the_board(&mut session, |board| board);
    switch.set(true);
    let after = moved(after, "e7", "e5");
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
    let [start, after_e4] = e4_on_the_board(&mut session, |board| board);
    told(&mut session);
    session.board(&whole(start), at(5_000));
    session.time(at(7_000));
    let said = told(&mut session);
    assert!(said.contains("(yes or no)"), "{said}");
    let shown = Asked::of_session(&session).expect("people see the question");
    assert!(shown.text.to_string().starts_with("the "), "{shown:?}");
    assert!(session.no());
    assert!(session.question().is_none() && session.yes().is_empty());
    assert!(!session.no(), "it was answered");
    // The question is not asked again while the position stays the same.
    session.time(at(20_000));
    assert!(!told(&mut session).contains("yes or no") && Asked::of_session(&session).is_none());
    // After another position in between, the same position leads to a new question.
    session.board(&whole(after_e4), at(21_000));
    session.time(at(22_000));
    session.board(&whole(start), at(23_000));
    session.time(at(24_000));
    assert!(session.question().is_some());
}

/// The event of a board that reports all squares.
fn whole(board: tabiya_types::Board) -> BoardEvent {
    BoardEvent::Observed(tabiya_types::Observation::Whole(board))
}

/// Returns the board after the piece on one square was moved to another square.
fn moved(mut board: tabiya_types::Board, from: &str, to: &str) -> tabiya_types::Board {
    let (from, to) = (from.parse().expect("a square"), to.parse().expect("a square"));
    (board[to], board[from]) = (board[from], None);
    board
}

#[test]
fn while_the_record_fails_nothing_is_due_before_the_next_attempt() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    session.time(at(1_000));
    switch.set(true);
    session.board(&whole(moved(start, "e2", "e4")), at(2_000));
    for nth in 3..30 {
        assert_eq!(session.deadline(), Some(at(nth * 1_000)), "one attempt a second");
        session.time(at(nth * 1_000));
    }
    switch.set(false);
    session.time(at(30_000));
    assert!(told(&mut session).contains("White plays e2e4"), "{:?}", switch.lines());
}

#[test]
fn a_press_that_was_dropped_is_not_complained_about_and_the_next_one_is() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let press = BoardEvent::Observed(tabiya_types::Observation::Press(tabiya_types::Color::White));
    session.board(&whole(session.table().physical()), at(0));
    enter(&mut session, r#""do":"press","by":"black""#, 500).expect("it starts the clock");
    session.board(&press, at(1_000));
    enter(&mut session, r#""do":"undo""#, 1_100).expect("a press waits");
    session.time(at(2_000));
    assert!(!told(&mut session).contains("nothing was played"));
    assert!(session.deadline().is_some_and(|due| due > at(2_000)), "{:?}", session.deadline());
    session.board(&press, at(3_000));
    session.time(at(3_350));
    assert!(told(&mut session).contains("nothing was played on the board"));
    enter(&mut session, r#""do":"undo""#, 3_400).expect("a press waits");
    session.board(&press, at(4_000));
    session.time(at(4_350));
    assert!(told(&mut session).contains("nothing was played on the board"), "each press gets its complaint");
}

/// Types White's first move, and makes the same move on the board. Returns the positions before and after the move.
/// `seen` turns a position into the position that this board reports.
fn e4_on_the_board(
    session: &mut Session,
    seen: impl Fn(tabiya_types::Board) -> tabiya_types::Board,
) -> [tabiya_types::Board; 2] {
    let start = session.table().physical();
    session.board(&whole(seen(start)), at(0));
    enter(session, E4, 1_000).expect("it is legal");
    let after = moved(start, "e2", "e4");
    session.board(&whole(seen(after)), at(1_100));
    session.time(at(1_600));
    [start, after]
}

#[test]
fn a_restart_keeps_the_envelope_closed() {
    let mut session = chess(&Switch::default(), r#""voice":"event""#);
    enter(&mut session, r#""do":"press","by":"black""#, 0).expect("White's clock starts");
    session.adjourn("Sunday", at(1_000)).expect("White is to move");
    let mut session = carried_on(&session, 2_000);
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 3_000).expect("White still seals");
    // His press says that he has sealed.
    enter(&mut session, r#""do":"press","by":"white""#, 5_000).expect("the move is sealed");
    let envelope = told(&mut session);
    assert!(envelope.contains("time used: White 0:04, Black 0:00"), "{envelope}");
    assert!(envelope.contains("play is resumed: Sunday"), "{envelope}");
    let mut session = carried_on(&session, 6_000);
    let refused = enter(&mut session, r#""do":"resume","by":"arbiter""#, 7_000).expect_err("it is closed");
    assert!(refused.to_string().contains("open the envelope (guideline I.7)"), "{refused}");
    let e4 = Uci::parse("e2e4").expect("a move");
    session.open_envelope("e4", &[e4], at(9_000)).expect("a legal move");
    assert_eq!(
        (clock(&session, Color::White, 10_000), clock(&session, Color::Black, 10_000)),
        (56_000, 59_000)
    );
}

#[test]
fn a_lever_seals_the_move_of_the_player_to_move() {
    let mut session = chess(&Switch::default(), r#""voice":"event""#);
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    enter(&mut session, r#""do":"press","by":"black""#, 0).expect("White's clock starts");
    session.adjourn("", at(1_000)).expect("White is to move");
    session.board(&BoardEvent::Observed(Observation::Press(Color::White)), at(3_000));
    session.pass(at(5_000));
    let heard = told(&mut session);
    assert!(heard.contains("Ann (White) has sealed move 1") && !heard.contains("illegal"), "{heard}");
    assert_eq!(clock(&session, Color::White, 9_000), 57_000);
}

#[test]
fn a_board_that_was_turned_round_stays_so_when_the_record_failed() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let [_, after] = e4_on_the_board(&mut session, |board| board.rotated());
    switch.set(true);
    let reply = moved(after, "e7", "e5");
    let mut lifted = after;
    lifted["e7".parse().expect("a square")] = None;
    session.board(&whole(lifted.rotated()), at(2_000));
    switch.set(false);
    session.time(at(3_000));
    assert!(session.watch().turned());
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 4_000).expect("it goes on");
    session.board(&whole(reply.rotated()), at(5_000));
    session.time(at(6_000));
    assert!(told(&mut session).contains("Black plays e7e5"), "{:?}", switch.lines());
}

#[test]
fn a_move_seen_when_the_record_failed_happened_when_it_was_seen() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    let [_, after] = e4_on_the_board(&mut session, |board| board);
    switch.set(true);
    session.board(&whole(moved(after, "e7", "e5")), at(9_000));
    switch.set(false);
    session.time(at(12_000));
    assert_eq!(clock(&session, tabiya_types::Color::Black, 12_000), 52_000, "{:?}", switch.lines());
}

/// Carries the match on from the lines of its record, as after a restart.
fn carried_on(session: &Session, saved: u64) -> Session {
    let (header, lines) = (session.replay().header().clone(), session.lines().to_vec());
    Session::carry_on(header, lines, at(saved), None, None).expect("it was accepted before")
}

#[test]
fn a_board_that_was_turned_round_stays_so_after_a_restart_in_mid_move() {
    let mut session = chess(&Switch::default(), r#""press":"auto""#);
    let start = session.table().physical();
    session.board(&whole(start.rotated()), at(0));
    let mut session = carried_on(&session, 1_000);
    // The position on the board is far from the expected position, so it does not show whether the board is rotated.
    // Only the position that the board showed before the restart shows this.
    let lifted = moved(moved(start, "e2", "e4"), "g1", "d5");
    session.board(&whole(lifted.rotated()), at(2_000));
    assert_eq!((session.watch().turned(), session.watch().seen()), (true, Some(lifted)));
}

#[test]
fn a_match_carried_on_while_the_time_for_a_bet_ran_is_paused() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"bet_ms":20000}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    enter(&mut session, r#""do":"deal""#, 1_000).expect("a deal is due");
    let mut session = carried_on(&session, 9_000);
    assert!(session.table().clock().paused() && told(&mut session).contains("the clocks are paused"));
    session.time(at(500_000));
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 500_000).expect("it goes on");
    // Eight of the twenty seconds for the bet were used before the pause.
    assert_eq!(session.table().deadline(), Some(at(512_000)));
}

#[test]
fn the_time_for_a_bet_stands_while_the_record_fails() {
    let switch = Switch::default();
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1,"bet_ms":20000}}"#;
    let header = Header::parse(header, GAMES).expect("a header");
    let mut session = Session::new(header, Some(Box::new(switch.clone())), None);
    enter(&mut session, r#""do":"deal""#, 1_000).expect("a deal is due");
    switch.set(true);
    enter(&mut session, r#""do":"bet","by":"white","action":"call""#, 2_000).expect_err("no room");
    for nth in 3..60 {
        assert_eq!(session.deadline(), Some(at(nth * 1_000)));
        session.time(at(nth * 1_000));
    }
    assert_eq!(session.table().phase(), tabiya_engine::rules::Phase::Bet, "nobody was folded meanwhile");
}

fn event(terms: &str) -> Session {
    chess(&Switch::default(), &format!(r#""voice":"event","press":"auto"{terms}"#))
}

#[test]
fn each_press_that_ends_an_illegal_move_is_told_although_the_arbiter_has_not_ruled_on_the_first() {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400+30","voice":"event","fen":"7k/8/8/8/8/8/8/R3K3 w - - 0 1"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    let position = session.table().physical();
    let press = |session: &mut Session, by, millis| {
        session.board(&BoardEvent::Observed(tabiya_types::Observation::Press(by)), at(millis));
    };
    let (white, black) = (tabiya_types::Color::White, tabiya_types::Color::Black);
    session.board(&whole(position), at(0));
    press(&mut session, black, 1_000);
    session.board(&whole(moved(position, "a1", "b2")), at(2_000));
    press(&mut session, white, 2_400);
    session.time(at(4_000));
    let first = told(&mut session);
    assert!(first.contains("White's illegal move number 1"), "{first}");
    session.board(&whole(position), at(5_000));
    press(&mut session, black, 5_500);
    session.board(&whole(moved(position, "a1", "b3")), at(7_000));
    press(&mut session, white, 7_400);
    session.time(at(9_000));
    let second = told(&mut session);
    // A lone king cannot mate, so the game is drawn (Laws 7.5.5), and the line to type says so.
    assert!(
        second.contains("White's illegal move number 2") && second.contains("`rule draw second"),
        "{second}"
    );
}

#[test]
fn a_pawn_left_on_the_last_rank_becomes_a_queen_and_one_of_the_wrong_colour_is_named() {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400+30","voice":"event","fen":"7k/P7/8/8/8/8/8/K7 w - - 0 1"}}"#;
    for (piece, says, rules) in [
        (
            "P",
            "the pawn on a8 was not replaced: put a white queen in its place (Laws 7.5.2)",
            "the pawn on a8 becomes a queen, and Black gains 2 min (Laws 7.5.2, 7.5.5)",
        ),
        ("q", "put a white queen on a8 instead of the black queen", "the pawn on a8 becomes a queen"),
    ] {
        let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        let mut position = session.table().physical();
        session.board(&whole(position), at(0));
        let press = tabiya_types::Observation::Press;
        session.board(&BoardEvent::Observed(press(tabiya_types::Color::Black)), at(1_000));
        let square = |name: &str| name.parse::<tabiya_types::Square>().expect("a square");
        position[square("a7")] = None;
        let letter = piece.chars().next().expect("a letter");
        position[square("a8")] = tabiya_types::Piece::from_letter(letter);
        session.board(&whole(position), at(2_000));
        session.board(&BoardEvent::Observed(press(tabiya_types::Color::White)), at(2_400));
        session.time(at(20_000));
        let told = told(&mut session);
        assert!(told.contains(says) && told.contains(rules), "{told}");
        assert!(
            session.watch().question().is_none(),
            "{piece}: no piece is offered that does not stand there"
        );
    }
}

#[test]
fn illegal_moves_are_counted_on_after_a_restart() {
    let mut session = event("");
    enter(&mut session, E4, 1_000).expect("it is legal");
    let illegal = r#""do":"move","by":"black","uci":"e8e6""#;
    enter(&mut session, illegal, 2_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("Black's illegal move number 1"));
    let mut session = carried_on(&session, 3_000);
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 4_000).expect("it goes on");
    told(&mut session);
    enter(&mut session, illegal, 5_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("Black's illegal move number 2"));
    // The count of illegal moves begins again in the next game, also after a restart.
    enter(&mut session, r#""do":"resign","by":"black""#, 6_000).expect("it is legal");
    enter(&mut session, r#""do":"next""#, 7_000).expect("it is over");
    let mut session = carried_on(&session, 7_000);
    enter(&mut session, r#""do":"move","by":"white","uci":"e2e5""#, 8_000).expect_err("it is illegal");
    assert!(told(&mut session).contains("White's illegal move number 1"));
}

/// White presses the clock although his pawn stands on a square that it cannot reach. Returns the start position and
/// the event of the press.
fn pressed_for_nothing(session: &mut Session, millis: u64) -> (tabiya_types::Board, BoardEvent) {
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    enter(session, r#""do":"press","by":"black""#, 500).expect("it starts the clock");
    session.board(&whole(moved(start, "e2", "e5")), at(1_000));
    let press = BoardEvent::Observed(tabiya_types::Observation::Press(tabiya_types::Color::White));
    session.board(&press, at(millis));
    (start, press)
}

#[test]
fn a_press_that_waits_over_a_restart_is_counted_once() {
    let mut session = chess(&Switch::default(), r#""voice":"event""#);
    let (start, press) = pressed_for_nothing(&mut session, 2_000);
    session.time(at(3_000));
    assert!(told(&mut session).contains("White's illegal move number 1"));
    // Together with the next position that the board shows, the session writes down that the illegal move was counted.
    // The press still waits for an explanation.
    session.board(&whole(moved(start, "e2", "e6")), at(4_000));
    session.time(at(5_000));
    let mut session = carried_on(&session, 6_000);
    session.time(at(8_000));
    let said = told(&mut session);
    assert!(
        said.contains("no legal action explains the position") && !said.contains("illegal move number 2"),
        "{said}"
    );
    assert_eq!(said.matches("illegal move number 1").count(), 1, "it is proposed again: {said}");
    enter(&mut session, r#""do":"undo""#, 9_000).expect("a press waits");
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 10_000).expect("it goes on");
    session.board(&press, at(11_000));
    session.time(at(20_000));
    assert!(told(&mut session).contains("White's illegal move number 2"));
}

#[test]
fn illegal_moves_counted_while_the_record_fails_are_not_forgotten() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""voice":"event","press":"auto""#);
    let illegal = r#""do":"move","by":"white","uci":"e2e5""#;
    switch.set(true);
    enter(&mut session, illegal, 1_000).expect_err("it is illegal");
    switch.set(false);
    enter(&mut session, E4, 3_000).expect("it is legal");
    assert!(
        switch.lines().iter().any(|line| line.contains(r#""x-illegal":["white"]"#)),
        "{:?}",
        switch.lines()
    );
}

#[test]
fn at_an_event_what_is_false_or_asked_goes_to_the_arbiter() {
    use tabiya_engine::table::Audience::{Arbiter, Players};
    for (voice, to) in [("event", Arbiter), ("casual", Players)] {
        let header = format!(
            r#"{{"tabiya":1,"game":"choker","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"stacks":{{"A":1,"B":1}},"small_blind":1,"voice":"{voice}"}}}}"#
        );
        let mut session = Session::new(Header::parse(&header, GAMES).expect("a header"), None, None);
        for (text, millis) in [
            (r#""do":"deal""#, 1),
            (r#""do":"deal""#, 2),
            (r#""do":"deal""#, 3),
            (r#""do":"reveal","by":"white","card":"P""#, 4),
            (r#""do":"place","by":"white","piece":"R","at":"a1""#, 5),
            (r#""do":"press","by":"white""#, 6),
            (r#""do":"correct","by":"arbiter","at":"a1","piece":"Q""#, 7),
        ] {
            enter(&mut session, text, millis).expect("it is accepted");
        }
        let said = session.take_said();
        let heard =
            |words: &str| said.iter().find(|said| said.text.to_string().contains(words)).map(|said| said.to);
        assert_eq!(heard("nothing was said"), Some(to), "a missing word");
        assert_eq!(heard("the piece on a1 becomes a queen"), Some(to), "a correction");
        assert_eq!(heard("White placed a false piece"), Some(to), "an incident");
        assert_eq!(heard("White places a rook on a1"), Some(Players));

        // The position on the board is wrong while a press waits.
        session.board(&whole(moved(session.table().physical(), "e2", "h3")), at(8));
        let press = tabiya_types::Observation::Press(tabiya_types::Color::Black);
        session.board(&BoardEvent::Observed(press), at(9));
        session.time(at(30_000));
        let shown = TableView::of_session(&session, at(30_000));
        assert!(shown.waits_for_board.is_some());
        assert_eq!(shown.faults_to, to);
        // The board says itself what is wrong: a question to which nothing can be offered is not asked.
        assert!(Asked::of_session(&session).is_none());
    }
}

#[test]
fn a_month_without_news_costs_no_more_than_a_second() {
    const MONTH: u64 = 30 * 24 * 3_600 * 1_000;
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"auto""#);
    session.pass(at(MONTH));
    enter(&mut session, E4, MONTH).expect("it is legal");
    session.pass(at(2 * MONTH));
    assert_eq!(session.table().clock().flag(), Some(tabiya_types::Color::Black));
    assert_eq!(session.lines().last().map(|line| line.t), Some(at(MONTH + 60_000)), "at its own moment");
    assert!(switch.moments.load(Ordering::Relaxed) < 10);
}

#[test]
fn a_pause_that_waits_behind_a_press_does_not_keep_the_record_failing() {
    let switch = Switch::default();
    let mut session = chess(&switch, r#""press":"clock""#);
    let (start, _) = pressed_for_nothing(&mut session, 59_000);
    switch.set(true);
    // Without the press, White's flag would have fallen by now.
    session.board(&whole(moved(start, "e2", "e4")), at(62_000));
    session.time(at(62_500));
    assert!(told(&mut session).contains("cannot be written"));
    switch.set(false);
    session.time(at(70_000));
    assert!(told(&mut session).contains("White plays e2e4"), "{:?}", switch.lines());
    assert!(session.deadline().is_none_or(|due| due > at(70_000)), "nothing is due for ever");
}

#[test]
fn a_press_that_waits_outlives_a_second_restart() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let (start, _) = pressed_for_nothing(&mut session, 2_000);
    let session = carried_on(&session, 3_000);
    let mut session = carried_on(&session, 4_000);
    assert!(session.watch().press_waits());
    enter(&mut session, r#""do":"resume","by":"arbiter""#, 5_000).expect("it goes on");
    session.board(&whole(moved(start, "e2", "e4")), at(6_000));
    session.time(at(7_000));
    assert!(told(&mut session).contains("White plays e2e4"));
}

/// Answers `yes` to the open question. Returns the number of actions that are taken back.
fn yes(session: &mut Session, millis: u64) -> usize {
    let Some(Question::TakeBack { actions, .. }) = session.question().cloned() else {
        panic!("{:?}", session.question())
    };
    for input in session.yes() {
        session.enter(&input, at(millis)).expect("it can be undone");
    }
    actions
}

#[test]
fn a_typed_reply_that_waited_for_the_board_is_an_action_to_take_back() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let start = session.table().physical();
    session.board(&whole(start), at(0));
    enter(&mut session, r#""do":"press","by":"black""#, 500).expect("it starts the clock");
    let after = moved(start, "e2", "e4");
    session.board(&whole(after), at(1_000));
    enter(&mut session, E5, 2_000).expect("it counts as the press");
    session.board(&whole(moved(after, "e7", "e5")), at(2_500));
    session.time(at(4_000));
    assert!(told(&mut session).contains("Black plays e7e5"));
    session.board(&whole(start), at(5_000));
    session.time(at(7_000));
    assert_eq!(yes(&mut session, 8_000), 2);
    assert_eq!(session.table().physical(), start);
}

#[test]
fn a_takeback_takes_the_card_back_that_was_turned_over_since() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":1,"B":1},"small_blind":1,"press":"auto"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    let before = session.table().physical();
    session.board(&whole(before), at(0));
    for (text, millis) in [
        (r#""do":"deal""#, 1),
        (r#""do":"deal""#, 2),
        (r#""do":"deal""#, 3),
        (r#""do":"reveal","by":"white","card":"R""#, 1_000),
        (r#""do":"place","by":"white","piece":"R","at":"a1""#, 2_000),
        (r#""do":"reveal","by":"black","card":"N""#, 3_000),
    ] {
        enter(&mut session, text, millis).expect("it is accepted");
    }
    session.board(&whole(session.table().physical()), at(4_000));
    session.time(at(6_000));
    session.board(&whole(before), at(7_000));
    session.time(at(9_000));
    assert_eq!(yes(&mut session, 10_000), 1);
    assert_eq!(session.table().physical(), before);
}

#[test]
fn a_question_names_the_ways_that_there_are() {
    let session = chess(&Switch::default(), r#""press":"clock""#);
    let action = |uci: &str| {
        let line = format!(r#"{{"t":0,"do":"move","by":"white","uci":"{uci}"}}"#);
        let line = Line::parse(&line, session.replay().header()).expect("a line");
        let Body::Acted(Input::Game(action)) = line.body else { panic!("{uci} is a move") };
        action
    };
    let asked =
        |ways: &[&str]| Question::Which(ways.iter().map(|way| vec![action(way)]).collect()).to_string();
    assert_eq!(
        asked(&[]),
        "the board does not show what was played: enter the action, or take the press back with `undo`"
    );
    assert_eq!(
        asked(&["e2e4"]),
        "the board does not show for certain what was played; was it this: White plays e2e4"
    );
    assert_eq!(
        asked(&["e2e4", "e2e3"]),
        "the board fits more than one explanation; enter what was played: White plays e2e4, or White plays e2e3"
    );
}

#[test]
fn a_board_that_nobody_touches_asks_for_nothing_to_be_taken_back() {
    let mut session = chess(&Switch::default(), r#""press":"auto""#);
    let start = session.table().board();
    session.board(&whole(start), at(0));
    for (nth, uci) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        let by = if nth % 2 == 0 { "white" } else { "black" };
        let now = 1_000 * (u64::try_from(nth).expect("small") + 1);
        let text = format!(r#""do":"move","by":"{by}","uci":"{uci}""#);
        enter(&mut session, &text, now).expect("legal");
        session.time(at(now + 900));
        assert!(session.question().is_none(), "{uci}: {}", session.question().expect("asked"));
    }
    // After the board has shown a move, setting the piece back leads to the question whether to take the move back.
    session.board(&whole(session.table().board()), at(10_000));
    session.time(at(15_000));
    let back = moved(session.table().board(), "c6", "b8");
    session.board(&whole(back), at(16_000));
    session.time(at(25_000));
    assert!(session.question().is_some(), "{}", told(&mut session));
}

#[test]
fn a_computer_that_slept_takes_nobodys_time_and_says_whose_clock_ran() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    session.absent(Absence::Slept, Millis(3_600_000), at(500));
    assert!(session.lines().is_empty(), "no clock ran");
    enter(&mut session, r#""do":"press","by":"black""#, 1_000).expect("White's clock starts");
    let before = clock(&session, tabiya_types::Color::White, 4_000);
    told(&mut session);
    session.absent(Absence::Slept, Millis(72_000), at(4_000));
    assert!(session.table().clock().paused());
    assert_eq!(clock(&session, tabiya_types::Color::White, 60_000), before);
    let told = told(&mut session);
    assert!(told.contains("the computer slept for 1:12; the clocks did not run"), "{told}");
    assert!(
        told.contains("White's clock was running") && told.contains("the arbiter rules: the computer slept"),
        "{told}"
    );
}

#[test]
fn a_press_by_the_side_whose_clock_stands_is_not_written() {
    let header =
        r#"{"tabiya":1,"game":"clock","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"60"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    assert_eq!(session.press_of(Some(Color::White)), None, "Black starts White's clock");
    let mut press = |by: Option<Color>, now: u64| {
        if let Some(press) = session.press_of(by) {
            session.enter(&press, at(now)).expect("accepted");
        }
        (session.lines().len(), session.table().clock().turn())
    };
    assert_eq!(press(Some(Color::Black), 0), (1, Some(Color::White)));
    // A key that is held down sends further presses, which must have no effect.
    for now in [500, 530, 560] {
        assert_eq!(press(Some(Color::Black), now), (1, Some(Color::White)));
    }
    assert_eq!(press(None, 1_000), (2, Some(Color::Black)));
}

/// A session that runs only a clock, without a game, with these terms.
fn clock_alone(terms: &str) -> Session {
    let header = format!(
        r#"{{"tabiya":1,"game":"clock","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{terms}}}"#
    );
    Session::new(Header::parse(&header, GAMES).expect("a header"), None, None)
}

#[test]
fn a_game_without_a_board_says_nothing_about_one() {
    let mut session = clock_alone(r#"{"time":"60"}"#);
    let mut board = Board::EMPTY;
    board["a1".parse().expect("a square")] =
        Some(tabiya_types::Piece { color: Color::White, role: tabiya_types::Role::Rook });
    session.board(&BoardEvent::Back, at(0));
    session.board(&BoardEvent::Observed(Observation::Whole(board)), at(0));
    session.pass(at(5_000));
    for (press, now) in [(Color::Black, 5_000), (Color::White, 9_000)] {
        session.board(&BoardEvent::Observed(Observation::Press(press)), at(now));
    }
    session.enter(Input::Common(Common::TAKE_BACK), at(10_000)).expect("accepted");
    session.pass(at(15_000));
    assert_eq!(session.guidance(), None);
    let said: Vec<String> = session.take_said().into_iter().map(|said| said.text.to_string()).collect();
    assert!(!said.iter().any(|said| said.contains("set the board") || said.contains("rook")), "{said:?}");
}

#[test]
fn that_no_clock_tells_the_times_that_count_is_said_once() {
    let missed = |session: &mut Session| {
        let said = session.take_said().into_iter().filter(|said| said.text.id() == "clock-missing");
        said.count()
    };
    let press = |session: &mut Session, by: Color, now: u64| {
        session.enter(Input::Common(Common::Press(by)), at(now)).expect("accepted");
    };
    let mut session = clock_alone(r#"{"time":"60","clock":"device"}"#);
    assert_eq!(missed(&mut session), 0, "nothing runs yet");
    press(&mut session, Color::Black, 1_000);
    press(&mut session, Color::White, 2_000);
    assert_eq!(missed(&mut session), 1);
    let mut session = clock_alone(r#"{"time":"60"}"#);
    press(&mut session, Color::Black, 1_000);
    assert_eq!(missed(&mut session), 0);
}

#[test]
fn with_a_board_that_has_no_clock_a_key_presses_for_what_only_the_board_has_seen() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let start = session.table().physical();
    enter(&mut session, r#""do":"press","by":"black""#, 0).expect("it starts the clock");
    assert_eq!(session.press_of(None), None, "nobody has moved, and no board is there");
    session.board(&whole(start), at(500));
    session.board(&whole(moved(start, "e2", "e4")), at(2_000));
    let press = session.press_of(None).expect("White has moved on the board");
    assert_eq!(session.press_of(Some(tabiya_types::Color::Black)), None);
    session.enter(&press, at(2_500)).expect("it is taken");
    session.time(at(3_000));
    assert!(told(&mut session).contains("White plays e2e4"));
    session.leave_board();
    assert_eq!(session.press_of(None), None, "without the board a move has to be typed first");
}

#[test]
fn which_of_two_captures_it_was_is_asked_where_the_board_only_feels_pieces() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let felt = |board: tabiya_types::Board| {
        BoardEvent::Observed(tabiya_types::Observation::Occupied(board.occupied()))
    };
    let mut board = session.table().physical();
    session.board(&felt(board), at(0));
    let mut now = 1_000;
    for (by, from, to) in
        [("white", "e2", "e4"), ("black", "d7", "d5"), ("white", "a2", "a3"), ("black", "f7", "f5")]
    {
        board = moved(board, from, to);
        session.board(&felt(board), at(now));
        enter(&mut session, &format!(r#""do":"press","by":"{by}""#), now + 500).expect("it is taken");
        now += 2_000;
    }
    told(&mut session);
    // White's pawn on e4 captures one of two pawns. The board reports only that e4 becomes empty, so the capture is
    // ambiguous.
    board["e4".parse().expect("a square")] = None;
    session.board(&felt(board), at(now));
    enter(&mut session, r#""do":"press","by":"white""#, now + 500).expect("it waits");
    session.time(at(now + 3_000));
    let asked = told(&mut session);
    assert!(asked.contains("White plays e4d5") && asked.contains("White plays e4f5"), "{asked}");
    session.choose(2, at(now + 4_000)).expect("it is one of the ways");
    session.time(at(now + 5_000));
    let report = session.replay().report();
    let played = report["games"][0]["moves"][4].as_str().map(str::to_owned);
    assert!(asked.contains(&format!("or White plays {}", played.unwrap_or_default())), "{report:#}");
    assert_eq!(session.question(), None);
}

#[test]
fn a_board_that_only_feels_pieces_tells_by_the_first_move_which_way_round_it_stands() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let felt = |board: tabiya_types::Board| {
        BoardEvent::Observed(tabiya_types::Observation::Occupied(board.rotated().occupied()))
    };
    let start = session.table().physical();
    session.board(&felt(start), at(0));
    let mut lifted = start;
    lifted["e2".parse().expect("a square")] = None;
    session.board(&felt(lifted), at(1_000));
    session.board(&felt(moved(start, "e2", "e4")), at(1_500));
    enter(&mut session, r#""do":"press","by":"white""#, 2_000).expect("it is taken");
    session.time(at(3_000));
    assert!(told(&mut session).contains("White plays e2e4"));
    assert!(session.watch().turned());
}

#[test]
fn without_presses_a_board_that_stands_wrong_for_long_is_spoken_about() {
    let mut session = chess(&Switch::default(), r#""press":"auto""#);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    // A rook stands on e4, which it cannot reach by a legal move.
    let wrong = "rnbqkbnr/pppppppp/8/8/4R3/8/PPPPPPPP/1NBQKBNR".parse().expect("a board");
    session.board(&BoardEvent::Observed(Observation::Whole(start)), at(0));
    session.board(&BoardEvent::Observed(Observation::Whole(wrong)), at(1_000));
    let told = |session: &mut Session, until: u64| {
        while let Some(due) = session.deadline().filter(|due| *due <= at(until)) {
            session.time(due);
        }
        session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("; ")
    };
    assert!(!told(&mut session, 4_000).contains("set the board up"));
    let now = told(&mut session, 8_000);
    assert!(now.contains("set the board up: ") && now.contains("e4"), "{now}");
    // The wrong position is announced once.
    assert!(!told(&mut session, 20_000).contains("set the board up"));
    session.board(&BoardEvent::Observed(Observation::Whole(start)), at(20_500));
    assert!(told(&mut session, 22_000).contains("the board is set up correctly"));
}

#[test]
fn the_board_is_to_show_the_position_of_chess960() {
    let fen = tabiya_engine::rules::chess960::start_fen(734).expect("below 960");
    let terms = format!(r#""press":"auto","chess960":true,"fen":"{fen}""#);
    let mut session = chess(&Switch::default(), &terms);
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    let drawn = "rknqnbbr/pppppppp/8/8/8/8/PPPPPPPP/RKNQNBBR".parse().expect("a board");
    session.board(&BoardEvent::Back, at(0));
    session.board(&BoardEvent::Observed(Observation::Whole(usual)), at(0));
    session.pass(at(10_000));
    let heard = told(&mut session);
    assert!(
        heard.contains("set the board up: replace the white knight on b1 with the white king"),
        "{heard}"
    );
    session.board(&BoardEvent::Observed(Observation::Whole(drawn)), at(11_000));
    session.pass(at(20_000));
    let heard = told(&mut session);
    assert!(heard.contains("the board is set up correctly"), "{heard}");
}

#[test]
fn a_game_that_began_with_king_and_queen_exchanged_is_told_to_the_arbiter_again_and_again() {
    let mut session = chess(&Switch::default(), r#""voice":"event""#);
    let exchanged: tabiya_types::Board =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR".parse().expect("a board");
    let show = |session: &mut Session, board, millis| {
        session.board(&BoardEvent::Observed(Observation::Whole(board)), at(millis));
        session.pass(at(millis + 2_000));
    };
    session.board(&BoardEvent::Back, at(0));
    show(&mut session, exchanged, 0);
    enter(&mut session, r#""do":"press","by":"black""#, 3_000).expect("White's clock starts");
    let (mut board, mut heard) = (exchanged, Vec::new());
    for (nth, (from, to)) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")].into_iter().enumerate()
    {
        let millis = 10_000 + 10_000 * nth as u64;
        let by = if nth % 2 == 0 { tabiya_types::Color::White } else { tabiya_types::Color::Black };
        board = moved(board, from, to);
        show(&mut session, board, millis);
        session.board(&BoardEvent::Observed(Observation::Press(by)), at(millis + 3_000));
        session.pass(at(millis + 5_000));
        heard.push(told(&mut session).matches("the game began from a wrong position, and goes on").count());
    }
    // At the press that starts the clock, at the next one, and at the fourth.
    assert_eq!(heard, [2, 0, 1, 0]);
    // While the board is gone, nothing on it is called right.
    session.board(&BoardEvent::Lost(tabiya_boards::link::LinkError::NoBluetooth), at(60_000));
    session.pass(at(70_000));
    assert!(!told(&mut session).contains("set up correctly"));
}

/// A session at the first placement of a match in which nobody bets.
fn placing() -> Session {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":1,"B":1},"small_blind":1,"time":"300"}}"#;
    let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    session.board(&whole(session.table().physical()), at(0));
    for (text, millis) in [
        (r#""do":"deal""#, 1),
        (r#""do":"deal""#, 2),
        (r#""do":"deal""#, 3),
        (r#""do":"press","by":"black""#, 4),
    ] {
        enter(&mut session, text, millis).expect("it is accepted");
    }
    session
}

/// Puts a piece on the board.
fn put(session: &mut Session, role: tabiya_types::Role, square: &str, millis: u64) {
    let piece = tabiya_types::Piece { color: Color::White, role };
    let observation = Observation::Square(square.parse().expect("a square"), Some(piece));
    session.board(&BoardEvent::Observed(observation), at(millis));
}

#[test]
fn a_piece_on_the_board_is_refused_with_the_reason_that_a_typed_one_gets() {
    let mut session = placing();
    enter(&mut session, r#""do":"reveal","by":"white","card":"N""#, 1_000).expect("a card");
    let typed = enter(&mut session, r#""do":"place","by":"white","piece":"N","at":"d4""#, 1_100);
    let InputFault::Refused(violation) = typed.expect_err("out of its zone") else { panic!("a refusal") };
    put(&mut session, tabiya_types::Role::Knight, "d4", 1_200);
    session.board(&BoardEvent::Observed(Observation::Press(Color::White)), at(1_500));
    session.time(at(6_000));
    let said = told(&mut session);
    assert!(said.contains(&violation.what.to_string()), "{said}");
    assert!(said.contains("take the white knight off d4"), "{said}");
}

#[test]
fn a_stand_in_may_be_named_after_the_piece_stands() {
    let mut session = placing();
    enter(&mut session, r#""do":"reveal","by":"white","card":"Q""#, 1_000).expect("a card");
    put(&mut session, tabiya_types::Role::Rook, "d1", 1_200);
    session.board(&BoardEvent::Observed(Observation::Press(Color::White)), at(1_500));
    session.time(at(4_000));
    assert_eq!(session.table().mover(), Some(Color::White), "a queen's card does not become a rook");
    enter(&mut session, r#""do":"stands","by":"white","piece":"Q","as":"R""#, 5_000).expect("a stand-in");
    session.time(at(9_000));
    assert_eq!(session.table().mover(), Some(Color::Black), "{}", told(&mut session));
    assert_eq!(session.table().physical(), session.watch().seen().expect("a board"));
}

#[test]
fn after_an_undo_of_a_pressed_turn_the_clock_is_to_be_pushed_back() {
    let mut session = chess(&Switch::default(), r#""press":"clock""#);
    let start = session.table().physical();
    let press = |by| BoardEvent::Observed(Observation::Press(by));
    session.board(&whole(start), at(0));
    session.board(&press(Color::Black), at(500));
    session.board(&whole(moved(start, "e2", "e4")), at(1_000));
    session.board(&press(Color::White), at(1_500));
    session.time(at(3_000));
    enter(&mut session, r#""do":"undo","what":"game""#, 4_000).expect("an undo");
    assert!(told(&mut session).contains("push the clock back"));
    // The lever goes back and the move is made anew: the next press counts.
    session.board(&whole(start), at(5_000));
    session.board(&press(Color::Black), at(5_500));
    session.board(&whole(moved(start, "d2", "d4")), at(6_000));
    session.board(&press(Color::White), at(6_500));
    session.time(at(9_000));
    assert_eq!(session.table().mover(), Some(Color::Black));
}
