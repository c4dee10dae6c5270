//! Tests of simulated players, board, line and driver together, in simulated time. Whatever the players do and
//! whichever faults the line has, the driver finally reports the position that is on the board.

use std::collections::VecDeque;

use tabiya_types::Observation;

use super::*;
use crate::driver::Driver;
use crate::event::BoardEvent;
use crate::human::{HumanHands, PerMille, Profile, Task};
use crate::link::Carrier;
use crate::makers::dgt::MAKER;
use crate::makers::dgt::driver::DgtDriver;
use crate::sim_host::{Script, ScriptCommand, after_move};

/// A game with captures, castling on both sides, a capture en passant and a promotion. The moves need not all be
/// legal.
const GAME: &str = "e2e4 e7e6 e4e5 d7d5 e5d6 f8d6 g1f3 g8f6 f1e2 e8g8 d2d4 b8c6 c1g5 c8d7 b1c3 d8e7 d1d2 a8c8 \
                    e1c1 c6d4 f3d4 d6a3 b2a3 e7a3 c1b1 c7c5 d4b5 a3b4 g5f6 g7f6 d2d7 c5c4 d7d8 c8d8 d1d8 c4c3 \
                    d8f8 g8f8 h1d1 c3b2 d1d8 f8g7 d8d1 b4a3 d1c1 b2c1q";

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Returns the positions of the game, beginning with the start position.
fn boards() -> Vec<Board> {
    let mut boards = vec![START.parse().expect("a board")];
    for word in GAME.split_whitespace() {
        let command = Script::parse(&format!("move {word}")).expect("a move");
        let Some(ScriptCommand::Move { from, to, promotion, .. }) = command else {
            panic!("{word} is no move");
        };
        let before: &Board = boards.last().expect("the start");
        assert!(before[from].is_some(), "{word}: nothing stands on {from} of {before}");
        boards.push(after_move(before, from, to, promotion));
    }
    boards
}

/// The simulated board with its driver.
struct Evening {
    sim: Sim,
    driver: Option<DgtDriver>,
    reported: Vec<(Instant, Observation)>,
}

impl Evening {
    fn new(profile: &Profile, seed: u64) -> Self {
        let board = START.parse().expect("a board");
        let faults = DgtFaults::of(profile, seed);
        let config = SimConfig { board, seed, baud: Some(9_600), faults, ..SimConfig::default() };
        Self { sim: Sim::new(config), driver: None, reported: Vec::new() }
    }

    /// Lets time run to `until` and executes the events in `agenda`.
    fn run(&mut self, agenda: &mut VecDeque<(Instant, Physical)>, until: Instant) {
        let mut now = Instant::ZERO;
        while now <= until {
            while let Some((at, what)) = agenda.pop_front_if(|(at, _)| *at <= now) {
                self.sim.happen(what, at);
            }
            self.sim.on_time(now);
            self.talk(now);
            let driver = self.driver.as_ref().and_then(Driver::deadline);
            let next = [agenda.front().map(|(at, _)| *at), self.sim.deadline(), driver];
            now = next.into_iter().flatten().min().unwrap_or(until).max(now + Millis(1));
        }
    }

    fn talk(&mut self, now: Instant) {
        if !self.sim.plugged() {
            self.driver = None;
            return;
        }
        let driver = self.driver.get_or_insert_with(|| DgtDriver::new(MAKER.brand(), Carrier::Stream, now));
        driver.on_bytes(&self.sim.take_output(), now);
        driver.on_time(now);
        while let Some(bytes) = driver.next_write() {
            self.sim.on_host_bytes(&bytes, now);
        }
        while let Some(event) = driver.next_event() {
            if let BoardEvent::Observed(observation) = event {
                self.reported.push((now, observation));
            }
        }
        assert_eq!(driver.failure(), None, "at {now:?}");
    }

    /// Returns the position that the driver had reported by `moment`.
    fn known(&self, moment: Instant) -> Board {
        let mut board = Board::EMPTY;
        for (_, observation) in self.reported.iter().take_while(|(at, _)| *at <= moment) {
            match observation {
                Observation::Whole(whole) => board = *whole,
                Observation::Square(square, what) => board[*square] = *what,
                Observation::Occupied(_) | Observation::Press(_) => {}
            }
        }
        board
    }

    fn presses(&self) -> usize {
        self.reported.iter().filter(|(_, observation)| matches!(observation, Observation::Press(_))).count()
    }
}

/// Plays the game. Returns the board with its driver, and for each move the time of the clock press (`None` if the
/// player forgot it) and the position after the move.
fn play(profile: &Profile, seed: u64) -> (Evening, Vec<(Option<Instant>, Board)>) {
    let boards = boards();
    let mut hand = HumanHands::new(profile, seed);
    let mut agenda = VecDeque::new();
    let mut presses = Vec::new();
    let mut start = Instant::from_millis(5_000);
    let mut by = Color::White;
    for (before, after) in boards.iter().zip(boards.iter().skip(1)) {
        let done = hand.perform(&Task::new(*before, *after, by, start));
        agenda.extend(done.events);
        presses.push((done.pressed, *after));
        (start, by) = (done.ends, by.other());
    }
    let mut evening = Evening::new(profile, seed);
    evening.run(&mut agenda, start + Millis(20_000));
    (evening, presses)
}

#[test]
fn the_driver_ends_up_with_the_board_whatever_happens() {
    for profile in Profile::ALL {
        for seed in 0..8 {
            let (evening, presses) = play(&profile, seed);
            let last = presses.last().map(|(_, board)| *board);
            assert_eq!(Some(evening.sim.board()), last, "{} {seed}", profile.name);
            let known = evening.known(Instant::from_millis(u64::MAX));
            assert_eq!(Some(known), last, "{} {seed}", profile.name);
        }
    }
}

#[test]
fn clean_hands_are_seen_move_by_move_and_press_by_press() {
    let (evening, actions) = play(&Profile::CLEAN, 1);
    assert_eq!(evening.presses(), actions.len());
    for (pressed, board) in actions {
        let pressed = pressed.expect("clean hands press");
        assert_eq!(evening.known(pressed + Millis(300)), board);
    }
}

#[test]
fn casual_boards_are_known_soon_after_the_press_unless_the_reply_is_quicker() {
    let calm = Profile { bullet: PerMille::NEVER, ..Profile::CASUAL };
    for seed in 0..8 {
        let (evening, actions) = play(&calm, seed);
        for (pressed, board) in actions {
            let Some(pressed) = pressed else { continue };
            assert_eq!(evening.known(pressed + Millis(350)), board, "seed {seed}, pressed at {pressed:?}");
        }
    }
}
