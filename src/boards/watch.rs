//! The front door: a board by its address, and what it tells, one thing after another.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use tabiya_types::Instant;

use crate::address::LiveAddress;
use crate::driver::BoardCommand;
use crate::event::BoardEvent;
use crate::notes::Notes;
use crate::supervisor::{BoardHandle, spawn};
use crate::time::MonotonicTime;

/// Events that wait for whoever watches. When there are more its thread stands still until somebody takes one: a board
/// that is left alone for long may then be lost, and is read anew.
const WAITING: usize = 1024;

/// Keeps the board of an address connected and gives all that it tells, with the moment at which it was told, in
/// milliseconds since now. A port that does not open and a board that is lost are told as [`BoardEvent::Lost`], and are
/// tried again for as long as somebody watches. `Err` only if the system has no thread left.
///
/// Whoever has to know more of a board than its address (a calibration, a key), saves its bytes, or has a time of his
/// own uses [`supervisor::spawn`](crate::supervisor::spawn).
pub fn watch(address: &LiveAddress) -> io::Result<BoardEvents> {
    let (tell, events) = sync_channel(WAITING);
    let sink = Box::new(move |at, event| {
        // Nobody watches any more: the board is let go.
        let _ = tell.send((at, event));
    });
    let board = spawn(address, Notes::NONE, Arc::new(MonotonicTime::begin()), sink, None)?;
    Ok(BoardEvents { events, board })
}

/// A board that is watched: an iterator that waits for the next event and does not end by itself. Dropping it leaves the
/// board silent and closes its port.
pub struct BoardEvents {
    // Dropped before the board, which may wait for room here.
    events: Receiver<(Instant, BoardEvent)>,
    board: BoardHandle,
}

impl BoardEvents {
    /// The next event, if one comes within this time; for a program that has a loop of its own. `None` if none came.
    pub fn next_within(&self, time: Duration) -> Option<(Instant, BoardEvent)> {
        self.events.recv_timeout(time).ok()
    }

    /// Has the board do something, such as [`BoardCommand::Light`]; what it cannot do it does not.
    pub fn tell(&self, order: BoardCommand) {
        self.board.tell(order);
    }
}

impl Iterator for BoardEvents {
    type Item = (Instant, BoardEvent);

    fn next(&mut self) -> Option<Self::Item> {
        self.events.recv().ok()
    }
}
