//! The simplest way to use a board: connect to it by its address, and iterate over its events.

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

/// The most events that the queue holds. When the queue is full, the board's thread waits until an event is taken. If
/// no event is taken for a long time, the board may disconnect. After it has connected again, its whole position is
/// read again.
const WAITING: usize = 1024;

/// Keeps the board at `address` connected and returns its events, each with its time in milliseconds since this call. A
/// port that cannot be opened and a lost board are reported as [`BoardEvent::Lost`] and retried until the iterator is
/// dropped. `Err` only if the thread cannot be started.
///
/// A program that has notes about the board (a calibration, a key), saves the board's bytes, or has its own timeline
/// uses [`supervisor::spawn`](crate::supervisor::spawn) instead.
pub fn watch(address: &LiveAddress) -> io::Result<BoardEvents> {
    let (tell, events) = sync_channel(WAITING);
    let sink = Box::new(move |at, event| {
        // Sending fails only if the iterator is being dropped. Dropping the iterator also disconnects the board, so
        // the error is ignored.
        let _ = tell.send((at, event));
    });
    let board = spawn(address, Notes::NONE, Arc::new(MonotonicTime::begin()), sink, None)?;
    Ok(BoardEvents { events, board })
}

/// An iterator over the events of a board. It waits for the next event and does not end by itself. Dropping the
/// iterator silences the board and closes its port.
pub struct BoardEvents {
    // Fields are dropped in the order of their declaration. The queue must be dropped before `board`, because the
    // thread of `board` may be waiting for room in the queue.
    events: Receiver<(Instant, BoardEvent)>,
    board: BoardHandle,
}

impl BoardEvents {
    /// Waits at most `time` for the next event; `None` if no event came. For programs that have their own loop.
    pub fn next_within(&self, time: Duration) -> Option<(Instant, BoardEvent)> {
        self.events.recv_timeout(time).ok()
    }

    /// Gives the board a command, such as [`BoardCommand::Light`]. A command that the board cannot carry out is
    /// ignored.
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
