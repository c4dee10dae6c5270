//! One board of a simulated bus: its squares, its clock, its log and its answers.
//!
//! Source: the project's DGT protocol notes, sections "Commands and answers", "EE_MOVES" and "Simulator". In single
//! mode this simulator only answers questions; only the simulator in `dgt/sim.rs` streams changes.

use tabiya_types::{Board, Color, Instant, Millis, Piece, Square};

use super::{hall_clock, is_for};
use crate::event::ClockButton;
use crate::human::{Coils, Dice, Physical, Span};
use crate::makers::dgt::codec::{
    ClockFrame, DgtCommand, DgtMessage, LogEntry, LogTag, Version, entries, write_entries,
};
use crate::makers::dgt::sim::{ClockSide, SimClock};
use crate::makers::dgtbus::codec::{ALL, Answer, AnswerContent, BusQuestion};
use crate::sim::{ClockAction, ClockConfig};

/// The time from a command to its answer, in ms.
const ANSWER: Span = Span::new(1, 5);
/// The time from a command to its answer while the board writes its log, in ms.
const WRITING: Span = Span::new(5, 20);
/// How long after a change the board is busy writing its log.
const WRITES: Millis = Millis(250);
/// The time from a ping to all boards to a board's answer, in ms.
const PING: Span = Span::new(0, 1_100);
/// The time from the command that starts a game to the answer.
const START: Millis = Millis(70);
/// The capacity of the log, in bytes.
const LOG: usize = 7_936;
/// If a change follows the previous change within this time, its log entry is marked `soon`.
const SOON: Millis = Millis(250);
/// After the board has logged the start position, it logs that position again only if more than this number of squares
/// differed from it in the meantime.
const LEFT: usize = 2;

/// The configuration of a board on the bus.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
pub struct UnitConfig {
    /// The address, 1..=16383.
    pub address: u16,
    /// The position at the start, seen with White below.
    pub board: Board,
    /// Whether the board is turned by 180°, so that White sits at its other side.
    pub turned: bool,
    /// Whether White sits on the clock's right.
    pub white_right: bool,
    /// The clock that is connected to the board. It counts from the start of the simulation.
    pub clock: Option<ClockConfig>,
    /// The firmware version. Versions up to 1.2 do not report it.
    pub version: Version,
    /// Whether the board sends an end mark after log entries. The maker's documents do not mention such a mark, but
    /// one emulator sends it.
    pub marks_end: bool,
    /// A flickering piece has only one log entry, which each new entry of this piece replaces. This flag says whether
    /// the last entry is replaced even if it was already sent. If so, the new entry is never sent. The behaviour of
    /// real boards is unknown.
    pub overwrites_sent: bool,
    /// Whether the board starts in single mode.
    pub single: bool,
}

impl Default for UnitConfig {
    fn default() -> Self {
        Self {
            address: 1,
            board: Board::EMPTY,
            turned: false,
            white_right: false,
            clock: Some(hall_clock()),
            version: Version { main: 1, sub: 4 },
            marks_end: false,
            overwrites_sent: false,
            single: false,
        }
    }
}

/// Whether the board is on, and which commands it obeys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Off,
    Bus,
    Single,
}

/// A simulated board on the bus.
pub struct Unit {
    config: UnitConfig,
    coils: Coils,
    clock: Option<SimClock>,
    mode: Mode,
    log: Vec<u8>,
    /// The offset of the last entry in the log, in bytes.
    last_entry: usize,
    /// The piece that was lifted or placed in the last entry.
    last_piece: Option<Piece>,
    /// How many bytes of the log, from its beginning, were already sent to the host as changes.
    delivered: usize,
    /// The offset in the log at which the game starts, if the host announced a game.
    game: Option<usize>,
    packet: Vec<u8>,
    ignores_ping: bool,
    last_change: Option<Instant>,
    in_start: bool,
    /// The first time slot on the serial line that this board has not reserved yet.
    line: u64,
    tells: bool,
}

impl Unit {
    pub(super) fn new(config: &UnitConfig, dice: &mut Dice) -> Self {
        let board = if config.turned { config.board.rotated() } else { config.board };
        let mut unit = Self {
            coils: Coils::new(board, Coils::SCAN, dice),
            clock: None,
            config: config.clone(),
            mode: Mode::Off,
            log: Vec::new(),
            last_entry: 0,
            last_piece: None,
            delivered: 0,
            game: None,
            packet: Vec::new(),
            ignores_ping: false,
            last_change: None,
            in_start: false,
            line: 0,
            tells: false,
        };
        unit.connect_clock(true, Instant::ZERO);
        unit.switch(true, Instant::ZERO);
        if config.single {
            unit.mode = Mode::Single;
        }
        unit
    }

    /// Returns the address of the board.
    pub fn address(&self) -> u16 {
        self.config.address
    }

    /// Returns the real position, seen with White below.
    pub fn board(&self) -> Board {
        if self.config.turned { self.coils.actual().rotated() } else { *self.coils.actual() }
    }

    /// Returns whether the board obeys bus commands.
    pub fn on_bus(&self) -> bool {
        self.mode == Mode::Bus
    }

    /// Returns whether a host has asked for the squares.
    pub fn tells(&self) -> bool {
        self.on() && self.tells
    }

    /// Returns the log, oldest byte first.
    pub fn log(&self) -> &[u8] {
        &self.log
    }

    fn on(&self) -> bool {
        self.mode != Mode::Off
    }

    pub(super) fn switch(&mut self, on: bool, now: Instant) {
        match (self.on(), on) {
            (false, true) => self.power_up(now),
            (true, false) => self.mode = Mode::Off,
            (true, true) | (false, false) => {}
        }
    }

    /// Restarts the board in bus mode, with an empty log.
    fn power_up(&mut self, now: Instant) {
        self.coils.wake(now);
        self.mode = Mode::Bus;
        (self.ignores_ping, self.tells, self.in_start) = (false, false, false);
        self.log.clear();
        self.packet.clear();
        (self.delivered, self.game, self.last_change) = (0, None, None);
        let filler = LogEntry::Tag(LogTag::Filler(0x7F));
        for entry in [filler, filler, filler, LogEntry::Tag(LogTag::PowerUp)] {
            self.note(entry);
        }
        self.note_pieces();
        self.note_position();
    }

    fn note_pieces(&mut self) {
        let pieces: Vec<_> = self.coils.seen().pieces().collect();
        for (square, piece) in pieces {
            self.note(LogEntry::Square { square, piece: Some(piece), soon: true });
        }
    }

    /// Logs that the board shows the start position or is empty. The start position is logged again only after more
    /// than [`LEFT`] squares have differed from it.
    fn note_position(&mut self) {
        let start: Board = super::START.parse().unwrap_or_default();
        let seen = *self.coils.seen();
        let (here, turned) = (seen == start, seen == start.rotated());
        if here || turned {
            if !std::mem::replace(&mut self.in_start, true) {
                self.note(LogEntry::Tag(if here { LogTag::Start } else { LogTag::TurnedStart }));
            }
        } else if seen.distance(&start).min(seen.distance(&start.rotated())) > LEFT {
            self.in_start = false;
        }
        if seen == Board::EMPTY {
            self.note(LogEntry::Tag(LogTag::Empty));
        }
    }

    /// Appends an entry to the log. If the log is full, its oldest bytes are dropped.
    fn note(&mut self, entry: LogEntry) {
        self.last_entry = self.log.len();
        entry.encode(&mut self.log);
        let over = self.log.len().saturating_sub(LOG);
        if over > 0 {
            self.log.drain(..over);
            self.last_entry = self.last_entry.saturating_sub(over);
            self.delivered = self.delivered.saturating_sub(over);
            self.game = self.game.and_then(|game| game.checked_sub(over));
        }
    }

    fn note_change(&mut self, square: Square, before: Option<Piece>, piece: Option<Piece>, at: Instant) {
        let soon = self.last_change.replace(at).is_some_and(|before| at.since(before) < SOON);
        let last = self.log.get(self.last_entry..).and_then(|entry| entries(entry).next());
        let who = piece.or(before);
        let same = std::mem::replace(&mut self.last_piece, who) == who;
        // A flickering piece has only one entry, which is replaced as long as the host has not read it.
        if let Some(Ok(LogEntry::Square { square: there, .. })) = last
            && there == square
            && same
            && (self.delivered <= self.last_entry || self.config.overwrites_sent)
        {
            self.log.truncate(self.last_entry);
        }
        self.note(LogEntry::Square { square, piece, soon });
        self.note_position();
    }

    pub(super) fn next_look(&self) -> Option<Instant> {
        self.coils.next().filter(|_| self.on()).map(|(at, _)| at)
    }

    /// Scans all squares that are due.
    pub(super) fn look(&mut self, due: Instant) {
        while let Some((at, square)) = self.coils.next().filter(|(at, _)| self.on() && *at <= due) {
            let before = self.coils.seen()[square];
            if let Some(piece) = self.coils.look(at, square) {
                self.note_change(square, before, piece, at);
            }
        }
    }

    pub(super) fn happen(&mut self, what: Physical, at: Instant) {
        let own = |square: Square| if self.config.turned { square.rotated() } else { square };
        match what {
            Physical::Set(square, piece) => self.coils.set(at, own(square), piece),
            Physical::Flicker(square, times) => self.coils.flicker(at, own(square), times),
            Physical::Press(side) => self.press(side, at),
            // Unplugging affects all boards on the bus, so the bus handles it.
            Physical::Blind(out) => self.coils.blind(at + out),
            Physical::Unplug(_) => {}
        }
    }

    /// Presses the lever on the side of this player.
    fn press(&mut self, color: Color, at: Instant) {
        let white = if self.config.white_right { ClockSide::Right } else { ClockSide::Left };
        let side = if color == Color::White { white } else { white.other() };
        let Some(clock) = &mut self.clock else { return };
        let counted = clock.running() == Some(side);
        clock.press(side, at);
        let ClockFrame { left, right, .. } = clock.frame();
        // If the clock is not running, only its lever shows the press, and the log gets no entry.
        if counted && self.on() {
            let left_side = side == ClockSide::Left;
            self.note(LogEntry::Press { left: left_side, time: if left_side { left } else { right } });
        }
    }

    pub(super) fn clock_deed(&mut self, what: ClockAction, now: Instant) {
        match (what, &mut self.clock) {
            (ClockAction::Connect(on), _) => self.connect_clock(on, now),
            (ClockAction::Set(left, right), Some(clock)) => clock.set(left, right, now),
            (ClockAction::Run(true), Some(clock)) => clock.start(now),
            (ClockAction::Run(false), Some(clock)) => clock.stop(now),
            (ClockAction::Button(ClockButton::Run), Some(clock)) => match clock.running() {
                Some(_) => clock.stop(now),
                None => clock.start(now),
            },
            // Buttons are not reported on the bus.
            (ClockAction::Button(_) | ClockAction::Set(..) | ClockAction::Run(_), _) => {}
        }
    }

    fn connect_clock(&mut self, on: bool, now: Instant) {
        self.clock = self.config.clock.filter(|_| on).map(SimClock::new);
        if let Some(clock) = &mut self.clock {
            clock.start(now);
        }
    }

    pub(super) fn display_text(&self) -> Option<String> {
        self.clock.as_ref().map(SimClock::describe)
    }

    /// Reserves `bytes` time slots on the serial line for an answer. They begin at the slot `from`, or later if this
    /// board's previous answer is still being sent. Returns the first reserved slot.
    pub(super) fn takes_line(&mut self, from: u64, bytes: u64) -> u64 {
        let first = from.max(self.line);
        self.line = first + bytes;
        first
    }

    /// Executes a command. Appends its answers to `say`, each with its delay after the command.
    pub(super) fn obey(
        &mut self,
        command: &DgtCommand,
        now: Instant,
        dice: &mut Dice,
        say: &mut Vec<(Millis, Vec<u8>)>,
    ) {
        if !self.on() {
            return;
        }
        let writes = self.last_change.is_some_and(|change| now.since(change) < WRITES);
        let delay = dice.span(if writes { WRITING } else { ANSWER });
        match command {
            // The first bus command only switches the board to bus mode. The host has to repeat the command.
            DgtCommand::Bus { .. } if self.mode == Mode::Single => self.mode = Mode::Bus,
            DgtCommand::Bus { id, address } if is_for(self.config.address, *address) => {
                if let Some(ask) = BusQuestion::from_id(*id) {
                    self.answer(ask, *address == ALL, delay, now, dice, say);
                }
            }
            DgtCommand::Bus { .. } => {}
            plain => {
                self.mode = if *plain == DgtCommand::BusMode { Mode::Bus } else { Mode::Single };
                say.extend(self.answer_alone(plain, now).map(|message| (delay, message.to_bytes())));
            }
        }
    }

    fn answer(
        &mut self,
        ask: BusQuestion,
        all: bool,
        delay: Millis,
        now: Instant,
        dice: &mut Dice,
        say: &mut Vec<(Millis, Vec<u8>)>,
    ) {
        let address = self.config.address;
        let mut tell = |after: Millis, said: AnswerContent| {
            say.push((after, Answer { address, content: said }.to_bytes()));
        };
        match ask {
            BusQuestion::Ping if all => {
                if !std::mem::take(&mut self.ignores_ping) {
                    tell(dice.span(PING), AnswerContent::Ping);
                }
            }
            BusQuestion::EndBus => self.mode = Mode::Single,
            BusQuestion::Reset => self.power_up(now),
            // A board ignores all other commands that are sent to all boards.
            _ if all => {}
            BusQuestion::Ping => tell(delay, AnswerContent::Ping),
            BusQuestion::IgnorePing => {
                self.ignores_ping = true;
                tell(delay, AnswerContent::Ping);
            }
            BusQuestion::Clock => tell(delay, self.times(now)),
            BusQuestion::Board => tell(delay, self.squares()),
            BusQuestion::Changes => tell(delay, self.changes()),
            BusQuestion::Repeat => tell(delay, AnswerContent::Changes(self.packet.clone())),
            BusQuestion::Everything => {
                let all = [self.changes(), self.times(now), self.squares()];
                for said in all {
                    tell(delay, said);
                }
            }
            BusQuestion::StartGame => {
                self.game = None;
                self.note(LogEntry::Tag(LogTag::Game));
                self.game = Some(self.last_entry);
                self.note_pieces();
                tell(START, AnswerContent::Started);
            }
            BusQuestion::FromStart => {
                let log = self.game.and_then(|game| self.log.get(game..self.delivered));
                tell(delay, AnswerContent::FromStart(log.unwrap_or_default().to_vec()));
            }
            BusQuestion::Version => {
                let reported = self.config.version > Version { main: 1, sub: 2 };
                tell(delay, AnswerContent::Version(reported.then_some(self.config.version)));
            }
        }
    }

    fn squares(&mut self) -> AnswerContent {
        self.tells = true;
        AnswerContent::SingleMode(DgtMessage::Dump(*self.coils.seen()))
    }

    fn times(&mut self, now: Instant) -> AnswerContent {
        let frame = self.clock.as_mut().map_or(ClockFrame::ABSENT, |clock| {
            clock.count(now);
            clock.frame()
        });
        AnswerContent::SingleMode(DgtMessage::Clock(frame))
    }

    fn changes(&mut self) -> AnswerContent {
        self.packet = self.log.get(self.delivered..).unwrap_or_default().to_vec();
        self.delivered = self.log.len();
        if self.config.marks_end {
            self.packet.extend(write_entries([LogEntry::Tag(LogTag::End)]));
        }
        AnswerContent::Changes(self.packet.clone())
    }

    /// Returns the answer of a board in single mode.
    fn answer_alone(&mut self, command: &DgtCommand, now: Instant) -> Option<DgtMessage> {
        match command {
            DgtCommand::SendBoard => Some(DgtMessage::Dump(*self.coils.seen())),
            DgtCommand::SendClock => match self.times(now) {
                AnswerContent::SingleMode(message) => Some(message),
                _ => None,
            },
            DgtCommand::BusAddress => Some(DgtMessage::BusAddress(self.config.address)),
            DgtCommand::Serial => Some(DgtMessage::Serial(format!("{:05}", self.config.address))),
            DgtCommand::Version => Some(DgtMessage::Version(self.config.version)),
            _ => None,
        }
    }
}
