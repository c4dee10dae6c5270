//! Drives one DGT board: decides which commands to send and when, and interprets the answers. It does no IO and does
//! not read the system time: its caller passes in bytes and times, and takes out bytes and [`BoardEvent`]s.
//!
//! A [`DgtDriver`] belongs to one connection. For the next connection the supervisor creates a new one, so no state
//! of a broken connection remains.
//!
//! Source: the project's DGT protocol notes, sections "Starting, keeping alive, stopping", "Clocks" and "Timing". Not
//! tested with hardware: how often a Bluetooth board repeats its acknowledgements, icons, the Revelation II.

mod clock;

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation};

use self::clock::ClockLink;
use super::codec::{
    DgtCommand, DgtDamage, DgtDecoder, DgtMessage, SetAndRun, SideSetting, Signal, Signals, Version,
};
use super::declared::DeclarationFilter;
use crate::brand::Brand;
use crate::driver::{BoardCommand, Driver, DriverFailure, DriverOutput};
use crate::event::{BoardEvent, BoardInfo, ClockSetting, Side};
use crate::link::{Carrier, LATE_CONNECT_TIMEOUT};

/// The time between two commands. The command buffer of a board holds ten bytes, and slow boards lose commands that
/// follow too quickly.
pub const SPACING: Millis = Millis(100);
/// How long received bytes are dropped after the reset command. The board may have been streaming when the command
/// arrived.
pub const RESET_WAIT: Millis = Millis(100);
/// How long a board may take to report its version.
pub const PROBE_WAIT: Millis = Millis(1000);
/// How many times the version is requested, because the first write after connecting may be lost.
pub const PROBES: u8 = 3;
/// How long the driver waits after it has connected over Bluetooth's serial profile, because the board does not listen
/// at first.
pub const LATE_RESET_WAIT: Millis = Millis(500);
/// How long a board may take to report its version over Bluetooth's serial profile. Requests that are written before
/// the board connects reach the board all at once, and its buffer holds only ten bytes. So requests must not be more
/// frequent.
pub const LATE_PROBE_WAIT: Millis = Millis(2500);
/// The time between two requests for the serial number, which detect a broken link.
pub const KEEP_ALIVE: Millis = Millis(850);
/// The time without an answer after which the link counts as broken: three keep-alives were not answered. Including
/// the time to read and decode a frame, people see the failure within three seconds.
pub const DEAD_AFTER: Millis = Millis(2700);
/// The length of a silence during which changes may have been lost: one or two keep-alives were not answered.
pub const DOUBT_AFTER: Millis = Millis(2000);
/// How long after the last change of a square the driver requests all squares. This repairs lost bytes cheaply.
pub const QUIET: Millis = Millis(250);
/// How long the board may take to report all squares before the request counts as lost. The transmission takes 70 ms.
pub const DUMP_WAIT: Millis = Millis(2000);
/// The largest number of commands that wait to be sent. Further commands are dropped, because each can be requested
/// again.
const LONGEST_QUEUE: usize = 32;

/// A connection to one DGT board.
pub struct DgtDriver {
    decoder: DgtDecoder,
    phase: Phase,
    /// Whether the link is Bluetooth's serial profile, where the board may connect late.
    late: bool,
    /// The commands that wait to be sent.
    waiting: VecDeque<Vec<u8>>,
    /// The time from which the next command may be sent.
    free_at: Instant,
    output: DriverOutput,
    last_byte: Instant,
    last_heard: Instant,
    dump: DumpPlan,
    /// Whether all squares have been reported once. Changes of squares before that are ignored.
    based: bool,
    declared: DeclarationFilter,
    clock: ClockLink,
}

/// The phase of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The driver only listens and never writes.
    Passive,
    /// The reset was sent. Bytes that arrive until the time `until` are dropped.
    Resetting { until: Instant },
    /// The version was requested `asked` times.
    Probing { asked: u8, until: Instant },
    /// The board streams changes.
    Running { ping_at: Instant },
    /// The connection ended: nothing more is sent or decoded.
    Ended,
}

/// The times at which the driver requests all squares.
#[derive(Clone, Copy, Default)]
struct DumpPlan {
    /// The time at which all squares are requested after a change. Each further change postpones this time.
    quiet: Option<Instant>,
    /// The time at which all squares are requested because messages may have been lost. Further changes do not
    /// postpone it.
    doubted: Option<Instant>,
    /// The time at which an unanswered request is repeated.
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
    /// Starts a connection: reset, version, serial numbers, streaming, all squares.
    pub fn new(brand: Brand, carrier: Carrier, now: Instant) -> Self {
        let late = carrier == Carrier::LateStream;
        let wait = if late { LATE_RESET_WAIT } else { RESET_WAIT };
        let mut driver = Self::in_phase(brand, Phase::Resetting { until: now + wait }, now);
        driver.late = late;
        driver.output.writes.push_back(DgtCommand::Reset.to_bytes());
        driver.free_at = now + SPACING;
        driver
    }

    /// Creates a driver that only listens and never writes, for captures. It reports everything from the first byte
    /// on.
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
            output: DriverOutput { info_changed: false, ..DriverOutput::new(brand) },
            last_byte: now,
            last_heard: now,
            dump: DumpPlan::default(),
            based: phase == Phase::Passive,
            declared: DeclarationFilter::default(),
            clock: ClockLink::default(),
        }
    }

    /// Shows `text` on the clock, once the clock has reported its version. The text replaces a text that was not sent
    /// yet.
    fn show(&mut self, text: &str, now: Instant) {
        self.clock.show(text, &mut self.output.events);
        self.on_time(now);
    }

    /// Beeps for about `length`, at most eight seconds.
    fn beep(&mut self, length: Millis, now: Instant) {
        let times = u8::try_from(length.0.div_ceil(64).clamp(1, 127)).unwrap_or(127);
        self.clock.beep(times, &mut self.output.events);
        self.on_time(now);
    }

    /// Lets the clock show its times again.
    fn end_display(&mut self, now: Instant) {
        self.clock.end_display();
        self.on_time(now);
    }

    /// Sets the times of the clock, and the side whose time runs (or neither). Times are rounded up to whole seconds.
    fn set_clock(&mut self, setting: ClockSetting, now: Instant) {
        let side =
            |time: Millis| SideSetting::from_secs(u32::try_from(time.0.div_ceil(1000)).unwrap_or(u32::MAX));
        let flags = match setting.running {
            Some(Side::Left) => SetAndRun::LEFT_RUNS,
            Some(Side::Right) => SetAndRun::RIGHT_RUNS,
            None => SetAndRun::PAUSE,
        };
        let (left, right) = (side(setting.left), side(setting.right));
        self.clock.set(SetAndRun { left, right, flags }, &mut self.output.events);
        self.on_time(now);
    }

    /// Requests all squares.
    fn ask_dump(&mut self, now: Instant) {
        self.dump.doubt(now);
        self.on_time(now);
    }

    /// Requests the battery state. Boards without a battery do not answer.
    fn ask_battery(&mut self, now: Instant) {
        if matches!(self.phase, Phase::Running { .. }) {
            self.send(&DgtCommand::Battery);
        }
        self.on_time(now);
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.waiting.clear();
        self.phase = Phase::Ended;
        self.output.failure = failure;
    }

    fn probe(&mut self, nth: u8, now: Instant) {
        self.decoder = DgtDecoder::new();
        self.send(&DgtCommand::Version);
        let wait = if self.late { LATE_PROBE_WAIT } else { PROBE_WAIT };
        self.phase = Phase::Probing { asked: nth, until: now + wait };
    }

    /// Continues after the board reported its version, which proves that it is a DGT board. The board may leave other
    /// requests unanswered. It answers requests in order, so the position comes after the serial numbers.
    fn begin(&mut self, now: Instant) {
        // Ask for the clock's state once, because in this streaming mode the board reports it only when it changes.
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
        // The board cannot report the position before it has received the earlier commands.
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

    /// Sends the next command if the board had enough time for the previous one.
    fn pump(&mut self, now: Instant) {
        if now >= self.free_at
            && let Some(bytes) = self.waiting.pop_front()
        {
            self.output.writes.push_back(bytes);
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
            self.output.events.push_back(BoardEvent::Damage { what: damage.to_string() });
        }
    }

    fn understand(&mut self, message: DgtMessage, now: Instant) {
        match (self.phase, &message) {
            (Phase::Probing { .. }, DgtMessage::Version(version)) => {
                self.output.learn(|info| info.version = Some(version.to_string()));
                self.heard(now);
                self.begin(now);
                return;
            }
            // These bytes were sent before this connection began.
            (Phase::Probing { .. } | Phase::Resetting { .. } | Phase::Ended, _) => return,
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
            DgtMessage::Clock(frame) => self.clock.on_frame(frame, &mut self.output.events),
            DgtMessage::Ack(ack) => self.clock.on_ack(ack, now, &mut self.output.events),
            DgtMessage::ClockBlank | DgtMessage::BusAddress(_) | DgtMessage::Log { .. } => {}
            DgtMessage::Serial(text) => self.learn(|info| &mut info.serial, text),
            DgtMessage::LongSerial(text) => self.learn(|info| &mut info.long_serial, text),
            DgtMessage::Trademark(text) => self.learn(|info| &mut info.text, text),
            DgtMessage::Version(version) => self.learn_version(|info| &mut info.version, version),
            DgtMessage::HardwareVersion(version) => self.learn_version(|info| &mut info.hardware, version),
            DgtMessage::Battery(battery) => self.output.events.push_back(BoardEvent::Battery {
                percent: battery.percent.min(100),
                charging: battery.charging(),
                low: battery.low(),
            }),
            DgtMessage::Other { id, body } => {
                let len = u16::try_from(body.len()).unwrap_or(u16::MAX);
                self.output.events.push_back(BoardEvent::Unknown { id, len });
            }
            DgtMessage::Skipped { id, len } => self.output.events.push_back(BoardEvent::Unknown { id, len }),
        }
    }

    fn whole(&mut self, board: Board, signals: &Signals) {
        self.based = true;
        self.dump.again = None;
        self.tell_info();
        self.output.events.push_back(BoardEvent::Observed(Observation::Whole(board)));
        self.declare(signals.iter().next().map(|(_, signal)| signal));
    }

    fn changed(&mut self, now: Instant) {
        self.dump.quiet = Some(now + QUIET);
    }

    fn observe(&mut self, seen: Observation) {
        if self.based {
            self.output.events.push_back(BoardEvent::Observed(seen));
        }
    }

    fn declare(&mut self, signal: Option<Signal>) {
        self.output.events.extend(self.declared.update(signal).map(BoardEvent::Declared));
    }

    fn learn_version(&mut self, field: impl Fn(&mut BoardInfo) -> &mut Option<String>, version: Version) {
        self.learn(field, version.to_string());
    }

    fn learn(&mut self, field: impl Fn(&mut BoardInfo) -> &mut Option<String>, text: String) {
        self.output.learn(|info| *field(info) = Some(text));
    }

    /// Reports what is known about the board, after the first report of all squares and after each change.
    fn tell_info(&mut self) {
        if self.based {
            self.output.report_info();
        }
    }
}

impl Driver for DgtDriver {
    fn output(&self) -> &DriverOutput {
        &self.output
    }

    fn output_mut(&mut self) -> &mut DriverOutput {
        &mut self.output
    }

    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() {
            return;
        }
        if let Some(damage) = self.decoder.stale(now.since(self.last_byte)) {
            self.damaged(damage, now);
        }
        self.last_byte = now;
        if matches!(self.phase, Phase::Resetting { .. } | Phase::Ended) {
            return;
        }
        for &byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(message)) => self.understand(message, now),
                Some(Err(damage)) => self.damaged(damage, now),
            }
        }
        // While a long message is still arriving, it already shows that the board is alive.
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
            Phase::Passive | Phase::Ended => return,
            Phase::Resetting { until } if now >= until => self.probe(1, now),
            Phase::Resetting { .. } => {}
            Phase::Probing { asked, until } if now >= until => {
                let most =
                    if self.late { LATE_CONNECT_TIMEOUT.0 / LATE_PROBE_WAIT.0 } else { u64::from(PROBES) };
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
                if let Some(command) = self.clock.next(now, &mut self.output.events) {
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
            Phase::Passive | Phase::Ended => None,
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

    fn ready(&self) -> bool {
        self.based && matches!(self.phase, Phase::Running { .. })
    }

    fn order(&mut self, order: &BoardCommand, now: Instant) {
        match order {
            BoardCommand::AskDump => self.ask_dump(now),
            BoardCommand::AskBattery => self.ask_battery(now),
            BoardCommand::Show(text) => self.show(text, now),
            BoardCommand::Beep(length) => self.beep(*length, now),
            BoardCommand::EndDisplay => self.end_display(now),
            BoardCommand::SetClock(setting) => self.set_clock(*setting, now),
            // DGT boards have no lights.
            BoardCommand::Light(_) | BoardCommand::Wake => {}
        }
    }

    fn stop(&mut self, _: Instant) -> Millis {
        if matches!(self.phase, Phase::Resetting { .. } | Phase::Probing { .. } | Phase::Running { .. }) {
            self.end(None);
            self.output.writes.push_back(DgtCommand::Reset.to_bytes());
        }
        Millis(0)
    }
}

#[cfg(test)]
mod tests;
