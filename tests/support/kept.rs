//! A board that a supervisor keeps connected in real time, and the board's events. Every wait has a time limit. Only a
//! broken program makes a wait last that long.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]
#![allow(clippy::disallowed_methods, reason = "boards are kept connected in real time")]

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::link::LinkError;
use tabiya_boards::notes::Notes;
use tabiya_boards::supervisor::{self, BoardHandle, ByteTap, EventSink};
pub(crate) use tabiya_boards::time::MonotonicTime;
use tabiya_types::{Board, Observation, Piece, Square};

use crate::wait::PATIENCE;

/// A board that a supervisor keeps connected, and its events.
pub(crate) struct Kept {
    pub(crate) handle: BoardHandle,
    events: Receiver<BoardEvent>,
}

impl Kept {
    pub(crate) fn new(address: &LiveAddress, time: MonotonicTime, tap: Option<ByteTap>) -> Self {
        Self::by(|sink| supervisor::spawn(address, Notes::NONE, Arc::new(time), sink, tap).unwrap())
    }

    /// Creates the board. `keep` starts the board's supervisor, and gets a sink for the board's events.
    pub(crate) fn by(keep: impl FnOnce(EventSink) -> BoardHandle) -> Self {
        let (sink, events) = mpsc::sync_channel(1024);
        let handle = keep(Box::new(move |_, event| {
            let _ = sink.send(event);
        }));
        Self { handle, events }
    }

    /// Waits for the next event for which `wanted` returns `Some`, and returns that value.
    pub(crate) fn until<T>(&self, what: &str, mut wanted: impl FnMut(&BoardEvent) -> Option<T>) -> T {
        // A board that goes on reporting something else must not make the wait endless.
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left).unwrap_or_else(|_| panic!("no event: {what}"));
            if let Some(found) = wanted(&event) {
                return found;
            }
        }
    }

    pub(crate) fn until_board(&self, position: &str) {
        let position: Board = position.parse().unwrap();
        self.until("board", |event| match event {
            BoardEvent::Observed(Observation::Whole(board)) => (*board == position).then_some(()),
            _ => None,
        });
    }

    /// Waits until the board shows this on the square. It may say so by a change of the square or by its whole position,
    /// if that was read first; the next change of a square must be this one.
    pub(crate) fn until_square(&self, wanted: Square, piece: Option<Piece>) {
        self.until("change", |event| match event {
            BoardEvent::Observed(Observation::Square(square, seen)) => {
                assert_eq!((*square, *seen), (wanted, piece));
                Some(())
            }
            BoardEvent::Observed(Observation::Whole(board)) => (board[wanted] == piece).then_some(()),
            _ => None,
        });
    }

    /// Waits for the next change of a square or the next press, and returns it as text: `e2-`, `Pe4` or `White`.
    pub(crate) fn next_change(&self) -> String {
        self.until("change", |event| match event {
            BoardEvent::Observed(Observation::Square(square, None)) => Some(format!("{square}-")),
            BoardEvent::Observed(Observation::Square(square, Some(piece))) => {
                Some(format!("{}{square}", piece.letter()))
            }
            BoardEvent::Observed(Observation::Press(by)) => Some(format!("{by:?}")),
            _ => None,
        })
    }

    pub(crate) fn until_lost(&self) -> LinkError {
        self.until("loss", |event| match event {
            BoardEvent::Lost(error) => Some(error.clone()),
            _ => None,
        })
    }

    pub(crate) fn until_wants(&self) -> String {
        self.until("request", |event| match event {
            BoardEvent::Wants(what) => Some(what.to_string()),
            _ => None,
        })
    }
}
