//! A board that is kept connected in real time, and what it told. Every wait has a patience that only a broken program
//! exhausts.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]
#![allow(clippy::disallowed_methods, reason = "boards are kept connected in real time")]

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::link::LinkError;
use tabiya_boards::notes::Notes;
use tabiya_boards::supervisor::{self, BoardHandle, ByteTap, EventSink};
pub(crate) use tabiya_boards::time::MonotonicTime;
use tabiya_types::{Board, Observation};

/// Longer than anything here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A board that is kept connected, and what it told.
pub(crate) struct Kept {
    pub(crate) handle: BoardHandle,
    events: Receiver<BoardEvent>,
}

impl Kept {
    pub(crate) fn new(address: &LiveAddress, time: MonotonicTime, tap: Option<ByteTap>) -> Self {
        Self::by(|sink| supervisor::spawn(address, Notes::NONE, Arc::new(time), sink, tap).unwrap())
    }

    /// What `keep` keeps connected.
    pub(crate) fn by(keep: impl FnOnce(EventSink) -> BoardHandle) -> Self {
        let (sink, events) = mpsc::sync_channel(1024);
        let handle = keep(Box::new(move |_, event| {
            let _ = sink.send(event);
        }));
        Self { handle, events }
    }

    /// The next event for which `wanted` has an answer.
    pub(crate) fn until<T>(&self, what: &str, mut wanted: impl FnMut(&BoardEvent) -> Option<T>) -> T {
        loop {
            let event = self.events.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {what}"));
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

    /// The squares and presses that are told next, up to a press.
    pub(crate) fn until_press(&self) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let seen = self.until("move", |event| match event {
                BoardEvent::Observed(seen @ (Observation::Square(..) | Observation::Press(_))) => Some(*seen),
                _ => None,
            });
            match seen {
                Observation::Square(square, None) => told.push(format!("{square}-")),
                Observation::Square(square, Some(piece)) => told.push(format!("{}{square}", piece.letter())),
                Observation::Press(by) => {
                    told.push(format!("{by:?}"));
                    return told;
                }
                _ => {}
            }
        }
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
