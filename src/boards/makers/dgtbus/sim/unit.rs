//! One board of a simulated wire: its squares, its clock, its log, and what it answers.
//!
//! Source: the DGT notes, "Commands and answers", "EE_MOVES" and "Simulator". In single mode only its questions are
//! answered: nothing is streamed (`dgt/sim.rs` does that).

use tabiya_types::{Board, Color, Instant, Millis, Piece, Square};

use super::{hall_clock, is_for};
use crate::event::ClockButton;
use crate::human::{Coils, Dice, Physical, Span};
use crate::makers::dgt::codec::{
    ClockFrame, DgtCommand, DgtMessage, LogEntry, LogTag, Version, entries, write_entries,
};
use crate::makers::dgt::sim::{ClockSide, SimClock};
use crate::makers::dgtbus::codec::{ALL, Answer, AnswerContent, Ask};
use crate::sim::{ClockConfig, ClockDeed};

/// From a command to its answer, and while the board writes its log.
const ANSWER: Span = Span::new(1, 5);
const WRITING: Span = Span::new(5, 20);
/// So long after a change the board writes.
const WRITES: Millis = Millis(250);
/// From a ping of all to a board's answer.
const PING: Span = Span::new(0, 1_100);
/// From the word that a game begins to the answer.
const START: Millis = Millis(70);
/// Bytes of the log.
const LOG: usize = 7_936;
/// Two changes within this are marked.
const SOON: Millis = Millis(250);
/// Pieces that have to leave the start position before it is noted again.
const LEFT: usize = 2;

/// What kind of board hangs on the wire.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
pub struct UnitConfig {
    /// Its address, 1..=16383.
    pub address: u16,
    /// What stands on it at first, seen with White below.
    pub board: Board,
    /// It lies the other way round.
    pub turned: bool,
    /// The clock behind it; it counts from the start.
    pub clock: Option<ClockConfig>,
    /// The firmware; up to 1.2 it does not tell its version.
    pub version: Version,
    /// Whether what it tells of its log ends with a mark: the maker does not say so, one program does it.
    pub marks_end: bool,
    /// Whether a piece that comes and goes is written over its last entry even if that was told: what came then is never
    /// told. Nobody knows whether real boards take care.
    pub forgets: bool,
    /// Whether it has been made a single board.
    pub single: bool,
}

impl Default for UnitConfig {
    fn default() -> Self {
        Self {
            address: 1,
            board: Board::EMPTY,
            turned: false,
            clock: Some(hall_clock()),
            version: Version { main: 1, sub: 4 },
            marks_end: false,
            forgets: false,
            single: false,
        }
    }
}

/// Whether it is there, and which commands it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Off,
    Bus,
    Single,
}

/// The board itself.
pub struct Unit {
    config: UnitConfig,
    coils: Coils,
    clock: Option<SimClock>,
    mode: Mode,
    log: Vec<u8>,
    /// Where the last entry begins.
    last_entry: usize,
    /// The piece that came or went with it.
    last_piece: Option<Piece>,
    /// What of the log was told.
    told: usize,
    /// Where the game began, if a host has said so.
    game: Option<usize>,
    packet: Vec<u8>,
    ignores_ping: bool,
    last_change: Option<Instant>,
    in_start: bool,
    /// The place in time up to which it has the line.
    line: u64,
    tells: bool,
}

impl Unit {
    pub(super) fn new(config: &UnitConfig, dice: &mut Dice) -> Self {
        let board = if config.turned { config.board.turned() } else { config.board };
        let mut unit = Self {
            coils: Coils::new(board, dice),
            clock: None,
            config: config.clone(),
            mode: Mode::Off,
            log: Vec::new(),
            last_entry: 0,
            last_piece: None,
            told: 0,
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

    /// Its address.
    pub fn address(&self) -> u16 {
        self.config.address
    }

    /// What really stands on it, seen with White below.
    pub fn board(&self) -> Board {
        if self.config.turned { self.coils.actual().turned() } else { *self.coils.actual() }
    }

    /// Whether it takes commands of the bus.
    pub fn on_bus(&self) -> bool {
        self.mode == Mode::Bus
    }

    /// Whether a host has asked for its squares.
    pub fn tells(&self) -> bool {
        self.on() && self.tells
    }

    /// Its log so far, oldest byte first.
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

    /// Starts afresh: on the bus, with an empty log.
    fn power_up(&mut self, now: Instant) {
        self.coils.wake(now);
        self.mode = Mode::Bus;
        (self.ignores_ping, self.tells, self.in_start) = (false, false, false);
        self.log.clear();
        self.packet.clear();
        (self.told, self.game, self.last_change) = (0, None, None);
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

    /// Notes the start position, once until it was left, and the empty board.
    fn note_position(&mut self) {
        let start: Board = super::START.parse().unwrap_or_default();
        let seen = *self.coils.seen();
        let (here, turned) = (seen == start, seen == start.turned());
        if here || turned {
            if !std::mem::replace(&mut self.in_start, true) {
                self.note(LogEntry::Tag(if here { LogTag::Start } else { LogTag::TurnedStart }));
            }
        } else if seen.distance(&start).min(seen.distance(&start.turned())) > LEFT {
            self.in_start = false;
        }
        if seen == Board::EMPTY {
            self.note(LogEntry::Tag(LogTag::Empty));
        }
    }

    /// Writes an entry; what does not fit any more is forgotten from the old end on.
    fn note(&mut self, entry: LogEntry) {
        self.last_entry = self.log.len();
        entry.encode(&mut self.log);
        let over = self.log.len().saturating_sub(LOG);
        if over > 0 {
            self.log.drain(..over);
            self.last_entry = self.last_entry.saturating_sub(over);
            self.told = self.told.saturating_sub(over);
            self.game = self.game.and_then(|game| game.checked_sub(over));
        }
    }

    fn note_change(&mut self, square: Square, before: Option<Piece>, piece: Option<Piece>, at: Instant) {
        let soon = self.last_change.replace(at).is_some_and(|before| at.since(before) < SOON);
        let last = self.log.get(self.last_entry..).and_then(|entry| entries(entry).next());
        let who = piece.or(before);
        let same = std::mem::replace(&mut self.last_piece, who) == who;
        // A piece that comes and goes is one entry, as long as nobody has read it.
        if let Some(Ok(LogEntry::Square { square: there, .. })) = last
            && there == square
            && same
            && (self.told <= self.last_entry || self.config.forgets)
        {
            self.log.truncate(self.last_entry);
        }
        self.note(LogEntry::Square { square, piece, soon });
        self.note_position();
    }

    pub(super) fn next_look(&self) -> Option<Instant> {
        self.coils.next().filter(|_| self.on()).map(|(at, _)| at)
    }

    /// Takes the looks that are due.
    pub(super) fn look(&mut self, due: Instant) {
        while let Some((at, square)) = self.coils.next().filter(|(at, _)| self.on() && *at <= due) {
            let before = self.coils.seen()[square];
            if let Some(piece) = self.coils.look(at, square) {
                self.note_change(square, before, piece, at);
            }
        }
    }

    pub(super) fn happen(&mut self, what: Physical, at: Instant) {
        let own = |square: Square| if self.config.turned { square.turned() } else { square };
        match what {
            Physical::Set(square, piece) => self.coils.set(at, own(square), piece),
            Physical::Flicker(square, times) => self.coils.flicker(at, own(square), times),
            Physical::Press(side) => self.press(side, at),
            // The plug is the wire's.
            Physical::Unplug(_) => {}
        }
    }

    /// White sits on the clock's left.
    fn press(&mut self, color: Color, at: Instant) {
        let side = if color == Color::White { ClockSide::Left } else { ClockSide::Right };
        let Some(clock) = &mut self.clock else { return };
        let counted = clock.running() == Some(side);
        clock.press(side, at);
        let ClockFrame { left, right, .. } = clock.frame();
        // A clock that stands is not stopped by a press: only its lever tells.
        if counted && self.on() {
            let left_side = side == ClockSide::Left;
            self.note(LogEntry::Press { left: left_side, time: if left_side { left } else { right } });
        }
    }

    pub(super) fn clock_deed(&mut self, what: ClockDeed, now: Instant) {
        match (what, &mut self.clock) {
            (ClockDeed::Connect(on), _) => self.connect_clock(on, now),
            (ClockDeed::Set(left, right), Some(clock)) => clock.set(left, right, now),
            (ClockDeed::Run(true), Some(clock)) => clock.start(now),
            (ClockDeed::Run(false), Some(clock)) => clock.stop(now),
            (ClockDeed::Button(ClockButton::Run), Some(clock)) => match clock.running() {
                Some(_) => clock.stop(now),
                None => clock.start(now),
            },
            // Buttons are not told on the bus.
            (ClockDeed::Button(_) | ClockDeed::Set(..) | ClockDeed::Run(_), _) => {}
        }
    }

    fn connect_clock(&mut self, on: bool, now: Instant) {
        self.clock = self.config.clock.filter(|_| on).map(SimClock::new);
        if let Some(clock) = &mut self.clock {
            clock.start(now);
        }
    }

    pub(super) fn clock_told(&self) -> Option<String> {
        self.clock.as_ref().map(SimClock::told)
    }

    /// Takes the line for so many bytes, not before that place and not before the last answer is out.
    pub(super) fn takes_line(&mut self, from: u64, bytes: u64) -> u64 {
        let first = from.max(self.line);
        self.line = first + bytes;
        first
    }

    /// Hears a command; what it answers, each with how long after the command.
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
            // It only switches: the host has to say it again.
            DgtCommand::Bus { .. } if self.mode == Mode::Single => self.mode = Mode::Bus,
            DgtCommand::Bus { id, address } if is_for(self.config.address, *address) => {
                if let Some(ask) = Ask::from_id(*id) {
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
        ask: Ask,
        all: bool,
        delay: Millis,
        now: Instant,
        dice: &mut Dice,
        say: &mut Vec<(Millis, Vec<u8>)>,
    ) {
        let address = self.config.address;
        let mut tell =
            |after: Millis, said: AnswerContent| say.push((after, Answer { address, said }.to_bytes()));
        match ask {
            Ask::Ping if all => {
                if !std::mem::take(&mut self.ignores_ping) {
                    tell(dice.span(PING), AnswerContent::Ping);
                }
            }
            Ask::EndBus => self.mode = Mode::Single,
            Ask::Reset => self.power_up(now),
            // All else is for one board.
            _ if all => {}
            Ask::Ping => tell(delay, AnswerContent::Ping),
            Ask::IgnorePing => {
                self.ignores_ping = true;
                tell(delay, AnswerContent::Ping);
            }
            Ask::Clock => tell(delay, self.times(now)),
            Ask::Board => tell(delay, self.squares()),
            Ask::Changes => tell(delay, self.changes()),
            Ask::Repeat => tell(delay, AnswerContent::Changes(self.packet.clone())),
            Ask::Everything => {
                let all = [self.changes(), self.times(now), self.squares()];
                for said in all {
                    tell(delay, said);
                }
            }
            Ask::StartGame => {
                self.game = None;
                self.note(LogEntry::Tag(LogTag::Game));
                self.game = Some(self.last_entry);
                self.note_pieces();
                tell(START, AnswerContent::Started);
            }
            Ask::FromStart => {
                let log = self.game.and_then(|game| self.log.get(game..self.told));
                tell(delay, AnswerContent::FromStart(log.unwrap_or_default().to_vec()));
            }
            Ask::Version => {
                let told = self.config.version > Version { main: 1, sub: 2 };
                tell(delay, AnswerContent::Version(told.then_some(self.config.version)));
            }
        }
    }

    fn squares(&mut self) -> AnswerContent {
        self.tells = true;
        AnswerContent::Told(DgtMessage::Dump(*self.coils.seen()))
    }

    fn times(&mut self, now: Instant) -> AnswerContent {
        let frame = self.clock.as_mut().map_or(ClockFrame::ABSENT, |clock| {
            clock.count(now);
            clock.frame()
        });
        AnswerContent::Told(DgtMessage::Clock(frame))
    }

    fn changes(&mut self) -> AnswerContent {
        self.packet = self.log.get(self.told..).unwrap_or_default().to_vec();
        self.told = self.log.len();
        if self.config.marks_end {
            self.packet.extend(write_entries([LogEntry::Tag(LogTag::End)]));
        }
        AnswerContent::Changes(self.packet.clone())
    }

    /// What a single board answers to its questions.
    fn answer_alone(&mut self, command: &DgtCommand, now: Instant) -> Option<DgtMessage> {
        match command {
            DgtCommand::SendBoard => Some(DgtMessage::Dump(*self.coils.seen())),
            DgtCommand::SendClock => match self.times(now) {
                AnswerContent::Told(message) => Some(message),
                _ => None,
            },
            DgtCommand::BusAddress => Some(DgtMessage::BusAddress(self.config.address)),
            DgtCommand::Serial => Some(DgtMessage::Serial(format!("{:05}", self.config.address))),
            DgtCommand::Version => Some(DgtMessage::Version(self.config.version)),
            _ => None,
        }
    }
}
