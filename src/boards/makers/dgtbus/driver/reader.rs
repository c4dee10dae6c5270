//! Interprets what one board on the bus reports: changed squares and presses of the clock, in their true order.
//!
//! The log gives the order of changes; a read of all squares gives the certain position. A log entry is reported only
//! if it changes the known position, so a packet that arrives twice reports nothing the second time. Only the reports
//! of the clock need the current time.
//!
//! Source: the project's DGT protocol notes, sections "EE_MOVES: the board's own log", "During games" and "BWTIME
//! with times".

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation, Piece, Square};

use crate::event::{BoardEvent, ClockInfo, ClockKind, Side};
use crate::makers::dgt::codec::{ClockFrame, DgtMessage, LogEntry, LogTag, Signal, Signals, entries};
use crate::makers::dgt::{DeclarationFilter, TimesFilter};

/// If only clock reports show a new lever position, the new position counts as a press after this time. Clock reports
/// are up to a second old. While the clock runs, the log reports a press sooner and in the right order.
const LEVER: Millis = Millis(900);

/// The known state of one board.
#[derive(Default)]
pub(super) struct BoardReader {
    /// The position, once all squares were read.
    squares: Option<Board>,
    declared: DeclarationFilter,
    /// The bytes of the last log packet that contained entries.
    packet: Vec<u8>,
    /// How many bytes of the log since the start of the game were decoded; `None` if this number is unknown.
    since_game: Option<usize>,
    clock: Clock,
}

/// The known state of the clock that is connected to a board.
#[derive(Default)]
struct Clock {
    connected: bool,
    lever: Option<Lever>,
    /// The time since which clock reports have shown a lever position that differs from `lever`; `None` if the reports
    /// show the position in `lever`.
    doubted: Option<Instant>,
    dial: TimesFilter,
}

/// The position of the clock's lever.
#[derive(Clone, Copy)]
struct Lever {
    right_up: bool,
    /// Whether the log reported this position of the lever. Otherwise a clock report did.
    by_log: bool,
}

/// The result of decoding a log packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LogOutcome {
    /// Whether the packet contained changes of squares that were not known yet.
    pub(super) changed: bool,
    /// Whether the packet alone is unreliable, so that all squares must be read.
    pub(super) doubtful: bool,
    /// Whether the board has restarted, so that its log no longer contains the start of the game.
    pub(super) restarted: bool,
}

impl BoardReader {
    /// Returns whether all squares were read.
    pub(super) fn has_board(&self) -> bool {
        self.squares.is_some()
    }

    /// Handles a message with all squares or with the state of the clock.
    pub(super) fn on_message(
        &mut self,
        message: DgtMessage,
        now: Instant,
        events: &mut VecDeque<BoardEvent>,
    ) {
        match message {
            DgtMessage::Dump(board) => self.whole(board, &Signals::NONE, events),
            DgtMessage::SignalDump(board, signals) => self.whole(board, &signals, events),
            DgtMessage::Clock(frame) => self.clock.on_frame(frame, now, events),
            // The bus has no commands for the clock, so an acknowledgement is old or meant for another program.
            _ => {}
        }
    }

    fn whole(&mut self, board: Board, signals: &Signals, events: &mut VecDeque<BoardEvent>) {
        self.squares = Some(board);
        events.push_back(BoardEvent::Observed(Observation::Whole(board)));
        let signal = signals.iter().next().map(|(_, signal)| signal);
        events.extend(self.declared.update(signal).map(BoardEvent::Declared));
    }

    /// Handles the log entries since the last question. `again` says that the packet may repeat the previous packet,
    /// because a repetition was requested or the line may have delivered the packet twice. In that case a packet equal
    /// to the previous packet is ignored. Without `again`, a packet equal to the previous packet is new: people did the
    /// same again, for example lifted a piece and put it back twice.
    pub(super) fn changes(
        &mut self,
        log: Vec<u8>,
        again: bool,
        events: &mut VecDeque<BoardEvent>,
    ) -> LogOutcome {
        // A restarted board writes the same first log entries again. So a packet that equals the last one may be new.
        let starts = |log: &[u8]| entries(log).any(|entry| entry == Ok(LogEntry::Tag(LogTag::PowerUp)));
        if again && log == self.packet && !starts(&log) {
            return LogOutcome::default();
        }
        let read = self.fold(&log, events);
        if !matches!(log.as_slice(), [] | [0x6B]) {
            self.packet = log;
        }
        read
    }

    /// Handles the log since the start of the game, after a packet was lost. Entries that were decoded before are
    /// skipped.
    pub(super) fn game_log(&mut self, log: &[u8], events: &mut VecDeque<BoardEvent>) -> LogOutcome {
        let doubtful = LogOutcome { doubtful: true, ..LogOutcome::default() };
        let Some(known) = self.since_game else { return doubtful };
        let log = log.strip_prefix(&[0x7B]).unwrap_or(log);
        // If the oldest entries of the log were overwritten, the log may be shorter than the part that was decoded
        // before.
        let Some(news) = log.get(known..) else {
            self.forget_game();
            return doubtful;
        };
        // The log shows where the lost packet begins but not where it ends, so all squares are read too.
        LogOutcome { doubtful: true, ..self.fold(news, events) }
    }

    /// Returns whether a lost packet can be recovered from the log since the start of the game.
    pub(super) fn knows_game(&self) -> bool {
        self.since_game.is_some()
    }

    /// Marks the log since the start of the game as unusable, because a lost packet could not be recovered from it.
    pub(super) fn forget_game(&mut self) {
        self.since_game = None;
    }

    fn fold(&mut self, log: &[u8], events: &mut VecDeque<BoardEvent>) -> LogOutcome {
        let mut read = LogOutcome::default();
        for entry in entries(log) {
            match entry {
                Ok(entry) => self.note(entry, &mut read, events),
                Err(damage) => {
                    self.since_game = None;
                    read.doubtful = true;
                    if self.has_board() {
                        events.push_back(BoardEvent::Damage { what: damage.to_string() });
                    }
                }
            }
        }
        read
    }

    fn note(&mut self, entry: LogEntry, read: &mut LogOutcome, events: &mut VecDeque<BoardEvent>) {
        match entry {
            LogEntry::Square { square, piece, .. } => {
                read.changed |= self.change(square, piece, None, events);
            }
            LogEntry::Signal { square, signal, .. } => {
                read.changed |= self.change(square, None, Some(signal), events);
            }
            LogEntry::Press { left, .. } => {
                if self.has_board() {
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
            // The end mark belongs to the packet, not to the log, so its size is not counted.
            LogEntry::Tag(LogTag::End) => return,
            LogEntry::Tag(
                LogTag::FourRanksFull
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

    /// Applies a change of a square. Returns whether the change was not known yet.
    fn change(
        &mut self,
        square: Square,
        piece: Option<Piece>,
        signal: Option<Signal>,
        events: &mut VecDeque<BoardEvent>,
    ) -> bool {
        // Ignore changes until all squares are known.
        let Some(squares) = &mut self.squares else { return false };
        let news = squares[square] != piece;
        if news {
            squares[square] = piece;
            events.push_back(BoardEvent::Observed(Observation::Square(square, piece)));
        }
        if signal.is_some() {
            events.extend(self.declared.update(signal).map(BoardEvent::Declared));
        }
        news || signal.is_some()
    }

    /// Returns whether a clock is connected to the board.
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
            // The bus has no commands for the clock, so Tabiya can only read the clock's times, whatever its model.
            let info = ClockInfo { kind: ClockKind::TimesOnly, version: None };
            events.push_back(BoardEvent::ClockFound(info));
        }
        self.lever(frame.status.right_up(), now, events);
        events.extend(self.dial.accept(frame).map(BoardEvent::ClockTimes));
    }

    /// Handles the lever position in a clock report. The first report is never a press. If the log does not report a
    /// change of the lever, the change counts as a press only after [`LEVER`].
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

    /// Handles a press that the log reports. `left` is whether the lever went down on the left side.
    fn on_press(&mut self, left: bool, events: &mut VecDeque<BoardEvent>) {
        let known = self.lever.filter(|lever| lever.right_up == left);
        self.lever = Some(Lever { right_up: left, by_log: true });
        self.doubted = None;
        match known {
            // A clock report has already shown this press, so do not report it again.
            Some(Lever { by_log: false, .. }) => {}
            // The log contains two presses of the same side in a row. So the other side must have pressed between them,
            // for too short a time to appear in the log.
            Some(Lever { by_log: true, .. }) => {
                press(!left, events);
                press(left, events);
            }
            None => press(left, events),
        }
    }
}

/// Reports a press by the side whose lever is now down: by the left side if the right side is up, otherwise by the
/// right.
fn press(right_up: bool, events: &mut VecDeque<BoardEvent>) {
    let side = if right_up { Side::Left } else { Side::Right };
    events.push_back(BoardEvent::Observed(Observation::Press(side.color())));
}
