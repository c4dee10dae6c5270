//! Drives one DGT board: what to say to it and when, and what its answers mean. No IO and no time
//! of its own: bytes and moments come in, bytes and [`BoardEvent`]s go out.
//!
//! A [`DgtDriver`] lives as long as one connection; the supervisor makes a new one for the next, so
//! nothing of a dead connection lingers.
//!
//! Source: `docs/boards.md`, "DGT", starting and keeping alive, clocks, timing. Unverified on
//! hardware: how often a Bluetooth board repeats its acks, icons, the Revelation II.

mod clock;

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation};

use self::clock::ClockLink;
use super::codec::{
    DgtCommand, DgtDamage, DgtDecoder, DgtMessage, SetAndRun, SideSetting, Signal, Signals, Version,
};
use super::declared::Declared;
use crate::brand::Brand;
use crate::driver::{BoardCommand, Driver, DriverFailure};
use crate::event::{BoardEvent, BoardInfo, ClockSetting, Side};
use crate::link::{Carrier, WAKES_WITHIN};

/// Between two commands: a board's buffer holds ten bytes, and slow ones lose more.
pub const SPACING: Millis = Millis(100);
/// From the reset until what the board still streamed has arrived and can be dropped.
pub const RESET_WAIT: Millis = Millis(100);
/// How long a board may take to tell its version.
pub const PROBE_WAIT: Millis = Millis(1000);
/// How often the version is asked for: the first write after connecting may get lost.
pub const PROBES: u8 = 3;
/// Over Bluetooth's serial profile a board needs so long after connecting before it listens,
pub const LATE_RESET_WAIT: Millis = Millis(500);
/// and while it is not connected, what is asked waits for it: more than its buffer holds would be lost.
pub const LATE_PROBE_WAIT: Millis = Millis(2500);
/// How often a board is asked for its serial number, to notice a dead link.
pub const KEEP_ALIVE: Millis = Millis(850);
/// After so long without an answer the link is dead: three keep-alives stayed unanswered. A read and a
/// frame come on top, and people are to see it within three seconds.
pub const DEAD_AFTER: Millis = Millis(2700);
/// A pause after which changes may have been lost: a keep-alive or two stayed unanswered.
pub const DOUBT_AFTER: Millis = Millis(2000);
/// So long after the last change the whole board is read: the cheap cure for lost bytes.
pub const QUIET: Millis = Millis(250);
/// A whole board takes 70 ms on the line; one that was asked for and is not here by now got lost.
pub const DUMP_WAIT: Millis = Millis(2000);
/// Commands that wait to be sent. More are not needed: each is cheap to ask for again.
const LONGEST_QUEUE: usize = 32;

/// One connection to one board.
pub struct DgtDriver {
    decoder: DgtDecoder,
    phase: Phase,
    /// Whether the board may take a while to be there.
    late: bool,
    /// Commands that wait for their turn.
    waiting: VecDeque<Vec<u8>>,
    /// When the next command may go.
    free_at: Instant,
    /// Bytes to write now.
    out: VecDeque<Vec<u8>>,
    events: VecDeque<BoardEvent>,
    last_byte: Instant,
    last_heard: Instant,
    info: BoardInfo,
    /// `info` knows more than was told.
    info_news: bool,
    dump: DumpPlan,
    /// Whether the base is here: a change before it means nothing.
    based: bool,
    declared: Declared,
    clock: ClockLink,
}

/// How far the connection is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Only listens; nothing is ever written.
    Passive,
    /// The reset was sent; what still arrives is dropped.
    Resetting { until: Instant },
    /// The version was asked for `asked` times.
    Probing { asked: u8, until: Instant },
    /// The board streams.
    Running { ping_at: Instant },
    /// Nothing more is sent or understood.
    Ended { failure: Option<DriverFailure> },
}

/// When to ask for the whole board.
#[derive(Clone, Copy, Default)]
struct DumpPlan {
    /// Changes came: ask when they rest. Each change puts it off.
    quiet: Option<Instant>,
    /// Something may have been lost: ask then, whatever else comes.
    doubted: Option<Instant>,
    /// Asked, not answered; ask again then.
    again: Option<Instant>,
}

impl DumpPlan {
    fn due(&self) -> Option<Instant> {
        [self.quiet, self.doubted, self.again].into_iter().flatten().min()
    }

    fn doubt(&mut self, at: Instant) {
        self.doubted = Some(self.doubted.map_or(at, |due| due.min(at)));
    }
}

impl DgtDriver {
    /// Begins the start sequence: reset, version, numbers, streaming, whole board.
    pub fn new(brand: Brand, carrier: Carrier, now: Instant) -> Self {
        let late = carrier == Carrier::LateStream;
        let wait = if late { LATE_RESET_WAIT } else { RESET_WAIT };
        let mut driver = Self::in_phase(brand, Phase::Resetting { until: now + wait }, now);
        driver.late = late;
        driver.out.push_back(DgtCommand::Reset.to_bytes());
        driver.free_at = now + SPACING;
        driver
    }

    /// Only listens: everything that arrives counts, from the first byte on, and nothing is ever
    /// written. For captures.
    pub fn passive(brand: Brand) -> Self {
        Self::in_phase(brand, Phase::Passive, Instant::ZERO)
    }

    fn in_phase(brand: Brand, phase: Phase, now: Instant) -> Self {
        Self {
            decoder: DgtDecoder::new(),
            phase,
            late: false,
            waiting: VecDeque::new(),
            free_at: now,
            out: VecDeque::new(),
            events: VecDeque::new(),
            last_byte: now,
            last_heard: now,
            info: BoardInfo::new(brand),
            info_news: false,
            dump: DumpPlan::default(),
            based: phase == Phase::Passive,
            declared: Declared::default(),
            clock: ClockLink::default(),
        }
    }

    /// Shows `text` on the clock; the newest text replaces one that was not sent yet. Before the
    /// clock has told what it is, the text waits.
    fn show(&mut self, text: &str, now: Instant) {
        self.clock.show(text, &mut self.events);
        self.on_time(now);
    }

    /// Beeps for about `length`, at most eight seconds.
    fn beep(&mut self, length: Millis, now: Instant) {
        let times = u8::try_from(length.0.div_ceil(64).clamp(1, 127)).unwrap_or(127);
        self.clock.beep(times, &mut self.events);
        self.on_time(now);
    }

    /// The clock shows its times again.
    fn end_display(&mut self, now: Instant) {
        self.clock.end_display();
        self.on_time(now);
    }

    /// Sets the clock's times and what runs; seconds that have begun are shown as whole ones.
    fn set_clock(&mut self, setting: ClockSetting, now: Instant) {
        let side =
            |time: Millis| SideSetting::from_secs(u32::try_from(time.0.div_ceil(1000)).unwrap_or(u32::MAX));
        let flags = match setting.running {
            Some(Side::Left) => SetAndRun::LEFT_RUNS,
            Some(Side::Right) => SetAndRun::RIGHT_RUNS,
            None => SetAndRun::PAUSE,
        };
        let (left, right) = (side(setting.left), side(setting.right));
        self.clock.set(SetAndRun { left, right, flags }, &mut self.events);
        self.on_time(now);
    }

    /// Asks for the whole board.
    fn ask_dump(&mut self, now: Instant) {
        self.dump.doubt(now);
        self.on_time(now);
    }

    /// Asks for the battery. Boards without one stay silent.
    fn ask_battery(&mut self, now: Instant) {
        if matches!(self.phase, Phase::Running { .. }) {
            self.send(&DgtCommand::Battery);
        }
        self.on_time(now);
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.waiting.clear();
        self.phase = Phase::Ended { failure };
    }

    fn probe(&mut self, nth: u8, now: Instant) {
        self.decoder = DgtDecoder::new();
        self.send(&DgtCommand::Version);
        let wait = if self.late { LATE_PROBE_WAIT } else { PROBE_WAIT };
        self.phase = Phase::Probing { asked: nth, until: now + wait };
    }

    /// The board has told its version: it is one. The rest may stay unanswered, and the board
    /// answers in order, so the position comes after the numbers.
    fn begin(&mut self, now: Instant) {
        // The clock is asked for once, because a board that reports changes only may have none.
        let start = [
            DgtCommand::Serial,
            DgtCommand::LongSerial,
            DgtCommand::Trademark,
            DgtCommand::HardwareVersion,
            DgtCommand::UpdateNice,
            DgtCommand::SendBoard,
            DgtCommand::SendClock,
        ];
        for command in &start {
            self.send(command);
        }
        // The position is due when its turn has come, and not earlier.
        let turns = u64::try_from(start.len()).unwrap_or(0);
        self.dump.again = Some(now + Millis(SPACING.0 * turns) + DUMP_WAIT);
        self.phase = Phase::Running { ping_at: now + KEEP_ALIVE };
    }

    fn ask_for_board(&mut self, now: Instant) {
        self.send(&DgtCommand::SendBoard);
        self.dump = DumpPlan { again: Some(now + DUMP_WAIT), ..DumpPlan::default() };
    }

    fn send(&mut self, command: &DgtCommand) {
        if self.waiting.len() < LONGEST_QUEUE {
            self.waiting.push_back(command.to_bytes());
        }
    }

    /// Lets the next command go when the board has had time for the last.
    fn pump(&mut self, now: Instant) {
        if now >= self.free_at
            && let Some(bytes) = self.waiting.pop_front()
        {
            self.out.push_back(bytes);
            self.free_at = now + SPACING;
        }
    }

    fn heard(&mut self, now: Instant) {
        if matches!(self.phase, Phase::Running { .. }) && now.since(self.last_heard) > DOUBT_AFTER {
            self.dump.doubt(now);
        }
        self.last_heard = now;
    }

    fn damaged(&mut self, damage: DgtDamage, now: Instant) {
        if matches!(self.phase, Phase::Passive | Phase::Running { .. }) {
            self.dump.doubt(now + QUIET);
            self.events.push_back(BoardEvent::Damage { what: damage.to_string() });
        }
    }

    fn understand(&mut self, message: DgtMessage, now: Instant) {
        match (self.phase, &message) {
            (Phase::Probing { .. }, DgtMessage::Version(version)) => {
                self.info.version = Some(version.to_string());
                self.info_news = true;
                self.heard(now);
                self.begin(now);
                return;
            }
            // What a board still says from before is not this connection's.
            (Phase::Probing { .. } | Phase::Resetting { .. } | Phase::Ended { .. }, _) => return,
            (Phase::Running { .. } | Phase::Passive, _) => self.heard(now),
        }
        match message {
            DgtMessage::Dump(board) => self.whole(board, &Signals::NONE),
            DgtMessage::SignalDump(board, signals) => self.whole(board, &signals),
            DgtMessage::Field { square, piece } => {
                self.changed(now);
                self.observe(Observation::Square(square, piece));
            }
            DgtMessage::Signal { square, signal } => {
                self.changed(now);
                self.observe(Observation::Square(square, None));
                self.declare(Some(signal));
            }
            DgtMessage::Clock(frame) => self.clock.on_frame(frame, &mut self.events),
            DgtMessage::Ack(ack) => self.clock.on_ack(ack, now, &mut self.events),
            DgtMessage::ClockBlank | DgtMessage::BusAddress(_) | DgtMessage::Log { .. } => {}
            DgtMessage::Serial(text) => self.learn(|info| &mut info.serial, text),
            DgtMessage::LongSerial(text) => self.learn(|info| &mut info.long_serial, text),
            DgtMessage::Trademark(text) => self.learn(|info| &mut info.text, text),
            DgtMessage::Version(version) => self.learn_version(|info| &mut info.version, version),
            DgtMessage::HardwareVersion(version) => self.learn_version(|info| &mut info.hardware, version),
            DgtMessage::Battery(battery) => self.events.push_back(BoardEvent::Battery {
                percent: battery.percent.min(100),
                charging: battery.charging(),
                low: battery.low(),
            }),
            DgtMessage::Other { id, body } => {
                let len = u16::try_from(body.len()).unwrap_or(u16::MAX);
                self.events.push_back(BoardEvent::Unknown { id, len });
            }
            DgtMessage::Skipped { id, len } => self.events.push_back(BoardEvent::Unknown { id, len }),
        }
    }

    fn whole(&mut self, board: Board, signals: &Signals) {
        self.based = true;
        self.dump.again = None;
        self.tell_info();
        self.events.push_back(BoardEvent::Observed(Observation::Whole(board)));
        self.declare(signals.iter().next().map(|(_, signal)| signal));
    }

    fn changed(&mut self, now: Instant) {
        self.dump.quiet = Some(now + QUIET);
    }

    fn observe(&mut self, seen: Observation) {
        if self.based {
            self.events.push_back(BoardEvent::Observed(seen));
        }
    }

    fn declare(&mut self, signal: Option<Signal>) {
        self.events.extend(self.declared.tell(signal).map(BoardEvent::Declared));
    }

    fn learn_version(&mut self, field: impl Fn(&mut BoardInfo) -> &mut Option<String>, version: Version) {
        self.learn(field, version.to_string());
    }

    fn learn(&mut self, field: impl Fn(&mut BoardInfo) -> &mut Option<String>, text: String) {
        let known = field(&mut self.info);
        if known.as_ref() != Some(&text) {
            *known = Some(text);
            self.info_news = true;
        }
    }

    /// Says who the board is, once the start has gathered it all.
    fn tell_info(&mut self) {
        if self.based && self.info_news {
            self.info_news = false;
            self.events.push_back(BoardEvent::Identified(self.info.clone()));
        }
    }
}

impl Driver for DgtDriver {
    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() {
            return;
        }
        if let Some(damage) = self.decoder.stale(now.since(self.last_byte)) {
            self.damaged(damage, now);
        }
        self.last_byte = now;
        if matches!(self.phase, Phase::Resetting { .. } | Phase::Ended { .. }) {
            return;
        }
        for &byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(message)) => self.understand(message, now),
                Some(Err(damage)) => self.damaged(damage, now),
            }
        }
        // A long message is a sign of life before it is whole.
        if self.decoder.patience().is_some() {
            self.heard(now);
        }
        self.tell_info();
        self.on_time(now);
    }

    fn on_time(&mut self, now: Instant) {
        if let Some(damage) = self.decoder.stale(now.since(self.last_byte)) {
            self.damaged(damage, now);
        }
        match self.phase {
            Phase::Passive | Phase::Ended { .. } => return,
            Phase::Resetting { until } if now >= until => self.probe(1, now),
            Phase::Resetting { .. } => {}
            Phase::Probing { asked, until } if now >= until => {
                let most = if self.late { WAKES_WITHIN.0 / LATE_PROBE_WAIT.0 } else { u64::from(PROBES) };
                if u64::from(asked) < most {
                    self.probe(asked + 1, now);
                } else {
                    self.end(Some(DriverFailure::NotABoard));
                    return;
                }
            }
            Phase::Probing { .. } => {}
            Phase::Running { ping_at } => {
                if now.since(self.last_heard) > DEAD_AFTER {
                    self.end(Some(DriverFailure::Silent));
                    return;
                }
                if now >= ping_at {
                    self.phase = Phase::Running { ping_at: now + KEEP_ALIVE };
                    self.send(&DgtCommand::Serial);
                }
                if self.dump.due().is_some_and(|due| now >= due) {
                    self.ask_for_board(now);
                }
                if let Some(command) = self.clock.next(now, &mut self.events) {
                    self.send(&DgtCommand::Clock(command));
                }
            }
        }
        self.pump(now);
    }

    fn deadline(&self) -> Option<Instant> {
        let rest = self.decoder.patience().map(|span| self.last_byte + span + Millis(1));
        let pump = if self.waiting.is_empty() { None } else { Some(self.free_at) };
        match self.phase {
            Phase::Passive | Phase::Ended { .. } => None,
            Phase::Resetting { until } | Phase::Probing { until, .. } => {
                [Some(until), rest, pump].into_iter().flatten().min()
            }
            Phase::Running { ping_at } => {
                let dead = self.last_heard + DEAD_AFTER + Millis(1);
                [Some(ping_at), Some(dead), rest, pump, self.dump.due(), self.clock.deadline()]
                    .into_iter()
                    .flatten()
                    .min()
            }
        }
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    fn next_event(&mut self) -> Option<BoardEvent> {
        self.events.pop_front()
    }

    fn failure(&self) -> Option<DriverFailure> {
        match self.phase {
            Phase::Ended { failure } => failure,
            _ => None,
        }
    }

    fn ready(&self) -> bool {
        self.based && matches!(self.phase, Phase::Running { .. })
    }

    fn info(&self) -> &BoardInfo {
        &self.info
    }

    fn order(&mut self, order: &BoardCommand, now: Instant) {
        match order {
            BoardCommand::AskDump => self.ask_dump(now),
            BoardCommand::AskBattery => self.ask_battery(now),
            BoardCommand::Show(text) => self.show(text, now),
            BoardCommand::Beep(length) => self.beep(*length, now),
            BoardCommand::EndDisplay => self.end_display(now),
            BoardCommand::SetClock(setting) => self.set_clock(*setting, now),
            // These boards have no lamps.
            BoardCommand::Light(_) | BoardCommand::Wake => {}
        }
    }

    fn stop(&mut self, _: Instant) -> Millis {
        if matches!(self.phase, Phase::Resetting { .. } | Phase::Probing { .. } | Phase::Running { .. }) {
            self.end(None);
            self.out.push_back(DgtCommand::Reset.to_bytes());
        }
        Millis(0)
    }
}

#[cfg(test)]
mod tests;
