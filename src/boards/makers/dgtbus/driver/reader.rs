//! What one board on the bus tells, as news for the app: squares in the order in which they changed, presses among them.
//!
//! The log is the order, a whole board is the truth. What the log tells is only news where it changes what is known, so
//! that a packet which comes twice tells nothing the second time. Knows no time but that of the clock's frames.
//!
//! Source: the DGT notes, "EE_MOVES: the board's own log", "During games" and "BWTIME with times".

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation, Piece, Square};

use crate::event::{BoardEvent, ClockInfo, ClockKind, Side};
use crate::makers::dgt::codec::{ClockFrame, DgtMessage, LogEntry, LogTag, Signal, Signals, entries};
use crate::makers::dgt::{Declared, Dial};

/// A lever that the log does not know of counts when it has stood so for so long: frames are up to a second old, and the
/// log tells a press of a running clock sooner and in its order.
const LEVER: Millis = Millis(900);

/// What is known of one board.
#[derive(Default)]
pub(super) struct BoardReader {
    /// Its squares, once they were read whole.
    squares: Option<Board>,
    declared: Declared,
    /// The last packet with changes in it, as it came.
    packet: Vec<u8>,
    /// Bytes of the log since the game's begin that were understood; `None` where that is not known.
    since_game: Option<usize>,
    clock: Clock,
}

/// The clock behind it.
#[derive(Default)]
struct Clock {
    connected: bool,
    lever: Option<Lever>,
    /// Another lever than the known one was told, first then.
    doubted: Option<Instant>,
    dial: Dial,
}

/// Which side of the clock is up.
#[derive(Clone, Copy)]
struct Lever {
    right_up: bool,
    /// Whether the log has told it.
    by_log: bool,
}

/// What a piece of the log was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Read {
    /// Squares changed.
    pub(super) changed: bool,
    /// It cannot be trusted alone: the whole board has to be read.
    pub(super) doubtful: bool,
    /// The board has started anew: it knows of no game.
    pub(super) restarted: bool,
}

impl BoardReader {
    /// Whether the whole board was read.
    pub(super) fn based(&self) -> bool {
        self.squares.is_some()
    }

    /// All squares, or the clock.
    pub(super) fn told(&mut self, message: DgtMessage, now: Instant, events: &mut VecDeque<BoardEvent>) {
        match message {
            DgtMessage::Dump(board) => self.whole(board, &Signals::NONE, events),
            DgtMessage::SignalDump(board, signals) => self.whole(board, &signals, events),
            DgtMessage::Clock(frame) => self.clock.on_frame(frame, now, events),
            // Nobody on a bus can tell the clock anything, so that acks are old or another program's.
            _ => {}
        }
    }

    fn whole(&mut self, board: Board, signals: &Signals, events: &mut VecDeque<BoardEvent>) {
        self.squares = Some(board);
        events.push_back(BoardEvent::Observed(Observation::Whole(board)));
        let signal = signals.iter().next().map(|(_, signal)| signal);
        events.extend(self.declared.tell(signal).map(BoardEvent::Declared));
    }

    /// What the log has noted since it was asked last. If it may come `again`, a packet like the last one is that once
    /// more: a repeat, or an answer that came twice, perhaps after the next question. Otherwise the same was done again: a
    /// piece was lifted and put back twice.
    pub(super) fn changes(&mut self, log: Vec<u8>, again: bool, events: &mut VecDeque<BoardEvent>) -> Read {
        // A board that starts anew begins its log as it did before.
        let starts = |log: &[u8]| entries(log).any(|entry| entry == Ok(LogEntry::Tag(LogTag::PowerUp)));
        if again && log == self.packet && !starts(&log) {
            return Read::default();
        }
        let read = self.fold(&log, events);
        if !matches!(log.as_slice(), [] | [0x6B]) {
            self.packet = log;
        }
        read
    }

    /// The log since the game's begin, after a packet was lost: what was understood before is passed over.
    pub(super) fn game_log(&mut self, log: &[u8], events: &mut VecDeque<BoardEvent>) -> Read {
        let doubtful = Read { doubtful: true, ..Read::default() };
        let Some(known) = self.since_game else { return doubtful };
        let log = log.strip_prefix(&[0x7B]).unwrap_or(log);
        // A log that was written over is shorter than what is known of it.
        let Some(news) = log.get(known..) else {
            self.forget_game();
            return doubtful;
        };
        // The lost packet's place is known, its end is not: the whole board is read too.
        Read { doubtful: true, ..self.fold(news, events) }
    }

    /// Whether a lost packet can be had again from the game's log.
    pub(super) fn knows_game(&self) -> bool {
        self.since_game.is_some()
    }

    /// A lost packet was not had again: what the game's log holds is not known any more.
    pub(super) fn forget_game(&mut self) {
        self.since_game = None;
    }

    fn fold(&mut self, log: &[u8], events: &mut VecDeque<BoardEvent>) -> Read {
        let mut read = Read::default();
        for entry in entries(log) {
            match entry {
                Ok(entry) => self.note(entry, &mut read, events),
                Err(damage) => {
                    self.since_game = None;
                    read.doubtful = true;
                    if self.based() {
                        events.push_back(BoardEvent::Damage { what: damage.to_string() });
                    }
                }
            }
        }
        read
    }

    fn note(&mut self, entry: LogEntry, read: &mut Read, events: &mut VecDeque<BoardEvent>) {
        match entry {
            LogEntry::Square { square, piece, .. } => {
                read.changed |= self.change(square, piece, None, events);
            }
            LogEntry::Signal { square, signal, .. } => {
                read.changed |= self.change(square, None, Some(signal), events);
            }
            LogEntry::Press { left, .. } => {
                if self.based() {
                    self.clock.on_press(left, events);
                }
            }
            LogEntry::Tag(LogTag::Game) => {
                self.since_game = Some(0);
                return;
            }
            LogEntry::Tag(LogTag::PowerUp | LogTag::Watchdog) => {
                self.since_game = None;
                (read.doubtful, read.restarted) = (true, true);
                return;
            }
            // It belongs to the packet and not to the log.
            LogEntry::Tag(LogTag::End) => return,
            LogEntry::Tag(
                LogTag::OddStart
                | LogTag::Empty
                | LogTag::Read
                | LogTag::Start
                | LogTag::TurnedStart
                | LogTag::Reserved(_)
                | LogTag::Filler(_),
            ) => {}
        }
        self.since_game = self.since_game.map(|bytes| bytes + entry.size());
    }

    /// What a square now holds; whether that is new.
    fn change(
        &mut self,
        square: Square,
        piece: Option<Piece>,
        signal: Option<Signal>,
        events: &mut VecDeque<BoardEvent>,
    ) -> bool {
        // Before the whole board is known a change means nothing.
        let Some(squares) = &mut self.squares else { return false };
        let news = squares[square] != piece;
        if news {
            squares[square] = piece;
            events.push_back(BoardEvent::Observed(Observation::Square(square, piece)));
        }
        if signal.is_some() {
            events.extend(self.declared.tell(signal).map(BoardEvent::Declared));
        }
        news || signal.is_some()
    }

    /// Whether a clock is behind the board.
    pub(super) fn has_clock(&self) -> bool {
        self.clock.connected
    }
}

impl Clock {
    fn on_frame(&mut self, frame: ClockFrame, now: Instant, events: &mut VecDeque<BoardEvent>) {
        if !frame.status.connected() {
            if self.connected {
                *self = Self::default();
                events.push_back(BoardEvent::ClockGone);
            }
            return;
        }
        if !std::mem::replace(&mut self.connected, true) {
            // The bus has no words to the clock: whichever it is, it only tells.
            let info = ClockInfo { kind: ClockKind::TimesOnly, version: None };
            events.push_back(BoardEvent::ClockFound(info));
        }
        self.lever(frame.status.right_up(), now, events);
        events.extend(self.dial.read(frame).map(BoardEvent::ClockTimes));
    }

    /// A frame tells the lever: the first sight is no press, and what the log does not tell too is doubted for a while.
    fn lever(&mut self, right_up: bool, now: Instant, events: &mut VecDeque<BoardEvent>) {
        let seen = Lever { right_up, by_log: false };
        match self.lever {
            None => self.lever = Some(seen),
            Some(known) if known.right_up == right_up => self.doubted = None,
            Some(_) => {
                let since = *self.doubted.get_or_insert(now);
                if now.since(since) >= LEVER {
                    (self.lever, self.doubted) = (Some(seen), None);
                    press(right_up, events);
                }
            }
        }
    }

    /// The log tells a press: that side went down.
    fn on_press(&mut self, left: bool, events: &mut VecDeque<BoardEvent>) {
        let told = self.lever.filter(|lever| lever.right_up == left);
        self.lever = Some(Lever { right_up: left, by_log: true });
        self.doubted = None;
        match told {
            // A frame was quicker.
            Some(Lever { by_log: false, .. }) => {}
            // The same side twice: the press between was too quick for the log.
            Some(Lever { by_log: true, .. }) => {
                press(!left, events);
                press(left, events);
            }
            None => press(left, events),
        }
    }
}

/// The left side was pressed if the right one is now up.
fn press(right_up: bool, events: &mut VecDeque<BoardEvent>) {
    let side = if right_up { Side::Left } else { Side::Right };
    events.push_back(BoardEvent::Observed(Observation::Press(side.color())));
}
