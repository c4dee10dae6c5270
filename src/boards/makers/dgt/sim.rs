//! A DGT board with a clock behind it, from the board's side.
//!
//! Bytes and moments in, bytes out: no port, no thread, no clock of its own. It speaks with the
//! driver's own words ([`codec`](super::codec)) and looks at its squares with the coils that
//! all simulated boards share. `sim_host.rs` puts it behind a pseudo-terminal or a TCP port.
//!
//! Source: the DGT notes, "Modes", "Commands", "Scan behaviour", "Acks" and both paragraphs
//! "Simulator". Not simulated: the tournament bus (the board goes silent there; `dgtbus/sim.rs` is a whole one), draughts dumps,
//! the content of the log, lights.

mod clock;
mod faults;

use std::collections::VecDeque;

pub(crate) use clock::{ClockSide, SimClock};
pub(crate) use faults::DgtFaults;
use tabiya_types::{Board, Color, Instant, Millis, Piece, Square};

use super::codec::{Battery, ClockCommand, ClockFrame, DgtCommand, DgtCommandDecoder, DgtMessage, Version};
use crate::event::ClockButton;
use crate::human::{Coils, Dice, Physical, Span};
use crate::sim::{ClockConfig, ClockDeed, Plug, SimBoard, SimSetup};

/// A board in single mode keeps so many bytes of commands that it has not got to (maker's figure).
const COMMAND_BUFFER: usize = 10;

/// The board asks its clock so often: 2-3 times a second over Bluetooth, more over a cable.
const CLOCK_POLL: Millis = Millis(250);

/// From a command to the clock to its ack, in ms (the notes' figure for simulators).
const ACK_AFTER: Span = Span::new(50, 1_500);

/// Bytes of the log of an old board whose memory is full.
const FULL_LOG: u16 = 7_936;

/// What kind of board it is and what stands on it.
#[derive(Clone, Debug)]
pub(crate) struct SimConfig {
    /// What stands on it at first, seen with White below.
    pub board: Board,
    /// The board lies the other way round: the connector is on White's right.
    pub turned: bool,
    /// Five characters.
    pub serial: String,
    /// Ten characters; older boards have none and stay silent.
    pub long_serial: Option<String>,
    /// The firmware.
    pub version: Version,
    /// The hardware; older boards stay silent.
    pub hardware: Option<Version>,
    /// What it says of itself. Our own text unless a user who must test against software that
    /// insists on another gives one.
    pub trademark: String,
    /// Its address on a bus.
    pub bus_address: u16,
    /// The battery; boards on a cable have none and stay silent.
    pub battery: Option<Battery>,
    /// The clock behind it.
    pub clock: Option<ClockConfig>,
    /// White sits on the clock's right.
    pub white_right: bool,
    /// Bits a second of the line, ten to a byte: 9600 on a real one. `None`: answers are whole at once.
    pub baud: Option<u32>,
    /// Decides the scan's phase and the delays of acks.
    pub seed: u64,
    /// What goes wrong.
    pub faults: DgtFaults,
}

impl SimConfig {
    /// A usual board, at the speed of a real line.
    pub(crate) fn of(setup: &SimSetup) -> Self {
        let faults = DgtFaults {
            seed: setup.seed,
            drop_byte: setup.faults.lost,
            duplicate: setup.faults.doubled,
            unplug_at: setup.faults.unplug_at.clone(),
            ..DgtFaults::NONE
        };
        let (board, turned, seed) = (setup.board, setup.turned, setup.seed);
        let usual = Self::default();
        let clock = setup.clock.or(usual.clock);
        Self { board, turned, seed, baud: Some(9_600), faults, clock, ..usual }
    }
}

impl SimBoard for Sim {
    fn happen(&mut self, what: Physical, at: Instant) {
        Sim::happen(self, what, at);
    }

    fn on_host_bytes(&mut self, bytes: &[u8], now: Instant) {
        Sim::on_host_bytes(self, bytes, now);
    }

    fn on_time(&mut self, now: Instant) {
        Sim::on_time(self, now);
    }

    fn deadline(&self) -> Option<Instant> {
        Sim::deadline(self)
    }

    fn take_messages(&mut self) -> Vec<Vec<u8>> {
        let bytes = self.take_output();
        if bytes.is_empty() { Vec::new() } else { vec![bytes] }
    }

    fn board(&self) -> Board {
        Sim::board(self)
    }

    fn plugged(&self) -> bool {
        Sim::plugged(self)
    }

    fn unplug(&mut self, now: Instant) {
        Sim::unplug(self, None, now);
    }

    fn plug(&mut self, now: Instant) {
        Sim::plug(self, now);
    }

    fn tells(&self) -> bool {
        self.mode().tells_squares()
    }

    fn clock(&mut self, what: ClockDeed, now: Instant) {
        match what {
            ClockDeed::Set(left, right) => self.set_clock(left, right, now),
            ClockDeed::Run(run) => self.run_clock(run, now),
            ClockDeed::Connect(on) => {
                let clock = on.then(|| self.config.clock.unwrap_or_default());
                self.connect_clock(clock, now);
            }
            ClockDeed::Button(button) => self.button(button, now),
        }
    }

    fn clock_told(&self) -> Option<String> {
        Sim::clock(self).map(SimClock::told)
    }

    fn set_battery(&mut self, percent: u8) {
        Sim::set_battery(self, percent);
    }
}

impl Default for SimConfig {
    fn default() -> Self {
        Self {
            board: Board::EMPTY,
            turned: false,
            serial: "01025".to_owned(),
            long_serial: Some("3000001025".to_owned()),
            version: Version { main: 3, sub: 10 },
            hardware: Some(Version { main: 1, sub: 0 }),
            trademark: "Tabiya simulator\r\nsoftware version: 3.10\r\nserial no: 01025".to_owned(),
            bus_address: 1025,
            battery: Some(Battery {
                percent: 84,
                hours_left: 0x7F,
                minutes_left: 0x7F,
                status: 2,
                ..Battery::default()
            }),
            clock: Some(ClockConfig::default()),
            white_right: false,
            baud: None,
            seed: 0,
            faults: DgtFaults::NONE,
        }
    }
}

/// What the board sends without being asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing, and only the bus's own commands are for it. The state after power-up.
    Bus,
    /// Nothing.
    Idle,
    /// Changed squares.
    UpdateBoard,
    /// Changed squares, and the clock at least once a second.
    Update,
    /// Changed squares, and the clock when it changed.
    UpdateNice,
}

impl Mode {
    /// Whether changed squares are told.
    pub(crate) fn tells_squares(self) -> bool {
        match self {
            Self::Bus | Self::Idle => false,
            Self::UpdateBoard | Self::Update | Self::UpdateNice => true,
        }
    }

    /// Whether the clock and its acks are told.
    pub(crate) fn tells_clock(self) -> bool {
        match self {
            Self::Bus | Self::Idle | Self::UpdateBoard => false,
            Self::Update | Self::UpdateNice => true,
        }
    }
}

/// The ack that tells a button, nobody having asked.
fn ack(button: ClockButton) -> [u8; 4] {
    let (mask, name) = match button {
        ClockButton::Back => (0x05, 0x31),
        ClockButton::Minus => (0x21, 0x34),
        ClockButton::Run => (0x11, 0x33),
        ClockButton::Plus => (0x09, 0x32),
        ClockButton::Ok => (0x41, 0x35),
    };
    [0x10, 0x88, mask, name]
}

/// The board itself.
pub(crate) struct Sim {
    config: SimConfig,
    dice: Dice,
    faults: faults::FaultyLine,
    mode: Mode,
    coils: Coils,
    clock: Option<SimClock>,
    decoder: DgtCommandDecoder,
    /// Bytes of the host that wait while the line is busy.
    waiting: VecDeque<u8>,
    /// Frames on the line, each with the moment at which its last byte is out.
    line: VecDeque<(Instant, Vec<u8>)>,
    /// What the host may read.
    output: Vec<u8>,
    polled_at: Instant,
    told_clock: Option<(Instant, ClockFrame)>,
    /// The command that the clock is busy with, and until when.
    busy: Option<(Instant, ClockCommand)>,
    plug: Plug,
}

impl Sim {
    /// A board that was just switched on.
    pub(crate) fn new(config: SimConfig) -> Self {
        let mut dice = Dice::new(config.seed);
        let board = if config.turned { config.board.turned() } else { config.board };
        Self {
            coils: Coils::new(board, &mut dice),
            plug: Plug::new(&config.faults.unplug_at),
            faults: faults::FaultyLine::new(config.faults.clone()),
            clock: config.clock.map(SimClock::new),
            config,
            dice,
            mode: Mode::Bus,
            decoder: DgtCommandDecoder::new(),
            waiting: VecDeque::new(),
            line: VecDeque::new(),
            output: Vec::new(),
            polled_at: Instant::ZERO,
            told_clock: None,
            busy: None,
        }
    }

    /// What really stands on it, seen with White below.
    pub(crate) fn board(&self) -> Board {
        if self.config.turned { self.coils.actual().turned() } else { *self.coils.actual() }
    }

    /// What it sends by itself now.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether the host has a line to it.
    pub(crate) fn plugged(&self) -> bool {
        self.plug.is_in()
    }

    /// The clock, if one is connected.
    pub(crate) fn clock(&self) -> Option<&SimClock> {
        self.clock.as_ref()
    }

    /// What the host may read; empty afterwards.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// The host sent these bytes.
    pub(crate) fn on_host_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.on_time(now);
        if !self.plugged() {
            return;
        }
        for byte in bytes {
            // What does not fit is lost, as on the real board.
            if self.waiting.len() < COMMAND_BUFFER {
                self.waiting.push_back(*byte);
            }
            self.work_off(now);
        }
        self.on_time(now);
    }

    /// Something happens on the board.
    pub(crate) fn happen(&mut self, what: Physical, now: Instant) {
        match what {
            Physical::Set(square, piece) => self.set(square, piece, now),
            Physical::Press(side) => self.press(side, now),
            Physical::Flicker(square, times) => self.flicker(square, times, now),
            Physical::Unplug(out) => self.unplug(Some(out), now),
        }
    }

    /// This now stands on the square.
    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>, now: Instant) {
        self.on_time(now);
        self.coils.set(now, self.own(square), piece);
    }

    /// The square's contact comes and goes.
    pub(crate) fn flicker(&mut self, square: Square, times: u8, now: Instant) {
        self.on_time(now);
        self.coils.flicker(now, self.own(square), times);
    }

    /// The square as the board counts it.
    fn own(&self, square: Square) -> Square {
        if self.config.turned { square.turned() } else { square }
    }

    /// This colour's player presses the lever.
    pub(crate) fn press(&mut self, side: Color, now: Instant) {
        self.on_time(now);
        let white = if self.config.white_right { ClockSide::Right } else { ClockSide::Left };
        let side = if side == Color::White { white } else { white.other() };
        if let Some(clock) = &mut self.clock {
            clock.press(side, now);
        }
    }

    /// A button of the clock is pressed. Run starts and pauses a clock that keeps its own time.
    pub(crate) fn button(&mut self, button: ClockButton, now: Instant) {
        self.on_time(now);
        let Some(clock) = &mut self.clock else { return };
        if button == ClockButton::Run {
            if clock.running().is_some() { clock.stop(now) } else { clock.start(now) }
        }
        if self.mode.tells_clock() {
            self.send(&DgtMessage::Ack(ack(button)), now);
        }
    }

    /// Sets the clock's times by hand.
    pub(crate) fn set_clock(&mut self, left: Millis, right: Millis, now: Instant) {
        self.on_time(now);
        if let Some(clock) = &mut self.clock {
            clock.set(left, right, now);
        }
    }

    /// Starts or pauses the clock by hand.
    pub(crate) fn run_clock(&mut self, run: bool, now: Instant) {
        self.on_time(now);
        if let Some(clock) = &mut self.clock {
            if run { clock.start(now) } else { clock.stop(now) }
        }
    }

    /// Connects or disconnects the clock. A clock that comes back is as it came out of its box.
    pub(crate) fn connect_clock(&mut self, clock: Option<ClockConfig>, now: Instant) {
        self.on_time(now);
        self.clock = clock.map(SimClock::new);
        self.busy = None;
    }

    /// Sets the battery's charge in percent, 0..=100; a board on a cable gets one.
    pub(crate) fn set_battery(&mut self, percent: u8) {
        let battery = self.config.battery.get_or_insert_default();
        battery.percent = percent.min(100);
        battery.status = if percent < 10 { 2 | 4 } else { 2 };
    }

    /// Pulls the plug, for good or for a while. What was on the line is lost.
    pub(crate) fn unplug(&mut self, out: Option<Millis>, now: Instant) {
        self.on_time(now);
        self.pull(out.map(|out| now + out));
    }

    /// Puts the plug back: the board starts afresh, on the bus, and sees what stands on it.
    pub(crate) fn plug(&mut self, now: Instant) {
        if !self.plug.put() {
            return;
        }
        self.mode = Mode::Bus;
        self.told_clock = None;
        self.busy = None;
        self.coils.wake(now);
    }

    /// When time alone will do something.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        if !self.plug.is_in() {
            return self.plug.deadline();
        }
        let line = self.line.front().map(|(at, _)| *at);
        let look = self.coils.next().map(|(at, _)| at);
        let busy = self.busy.as_ref().map(|(at, _)| *at);
        let poll = self.mode.tells_clock().then_some(self.polled_at + CLOCK_POLL);
        [line, look, busy, poll, self.plug.deadline()].into_iter().flatten().min()
    }

    /// Does all that is due by `now`, in its order.
    pub(crate) fn on_time(&mut self, now: Instant) {
        while let Some(due) = self.deadline().filter(|due| *due <= now) {
            self.step(due);
        }
        if let Some(clock) = &mut self.clock {
            clock.count(now);
        }
        if !self.mode.tells_clock() {
            self.polled_at = self.polled_at.max(now);
        }
    }

    fn step(&mut self, due: Instant) {
        if !self.plug.is_in() {
            self.plug(due);
            return;
        }
        if let Some(back) = self.plug.fails(due) {
            self.pull(Some(back));
            return;
        }
        while let Some((_, frame)) = self.line.pop_front_if(|(at, _)| *at <= due) {
            self.output.extend(frame);
        }
        self.work_off(due);
        if let Some((at, square)) = self.coils.next().filter(|(at, _)| *at <= due) {
            self.look(at, square);
        }
        if let Some((_, command)) = self.busy.take_if(|(at, _)| *at <= due) {
            self.finish(&command, due);
        }
        if self.mode.tells_clock() && self.polled_at + CLOCK_POLL <= due {
            self.poll(due);
        }
    }

    fn pull(&mut self, back: Option<Instant>) {
        self.plug.pull(back);
        self.line.clear();
        self.output.clear();
        self.waiting.clear();
        self.decoder.abandon();
    }

    /// Takes a look at one square and tells what is new there.
    fn look(&mut self, at: Instant, square: Square) {
        if let Some(piece) = self.coils.look(at, square)
            && self.mode.tells_squares()
        {
            self.send(&DgtMessage::Field { square, piece }, at);
        }
    }

    /// Asks the clock and tells it, if the mode wants that now.
    fn poll(&mut self, at: Instant) {
        self.polled_at = at;
        let frame = self.frame(at);
        let tell = match (self.mode, self.told_clock) {
            (Mode::Update, Some((told, before))) => before != frame || at.since(told) >= Millis::from_secs(1),
            (_, Some((_, before))) => before != frame,
            (_, None) => true,
        };
        if tell {
            self.tell_clock(frame, at);
        }
    }

    /// What a message about the clock says at `at`.
    fn frame(&mut self, at: Instant) -> ClockFrame {
        let Some(clock) = &mut self.clock else { return ClockFrame::ABSENT };
        clock.count(at);
        clock.frame()
    }

    fn tell_clock(&mut self, frame: ClockFrame, at: Instant) {
        self.told_clock = Some((at, frame));
        self.send(&DgtMessage::Clock(frame), at);
    }

    /// The clock is done with a command.
    fn finish(&mut self, command: &ClockCommand, at: Instant) {
        let Some(ack) = self.clock.as_mut().and_then(|clock| clock.obey(command, at)) else { return };
        if !self.mode.tells_clock() {
            return;
        }
        for message in self.faults.acks(ack) {
            self.send(&message, at);
        }
        // The next message is the times again, even if they are as before.
        self.told_clock = None;
    }

    /// Works off what the host sent, as long as the line is free.
    fn work_off(&mut self, now: Instant) {
        while self.line.back().is_none_or(|(at, _)| *at <= now) {
            let Some(byte) = self.waiting.pop_front() else { return };
            if let Some(command) = self.decoder.push(byte) {
                self.answer(command, now);
            }
        }
    }

    fn answer(&mut self, command: DgtCommand, now: Instant) {
        if let DgtCommand::Bus { .. } = command {
            // It switches and does no more: the host has to say it again, and we know no bus.
            self.mode = Mode::Bus;
            return;
        }
        if self.mode == Mode::Bus {
            self.mode = Mode::Idle;
        }
        let answer = match command {
            DgtCommand::Reset => self.enter(Mode::Idle, now),
            DgtCommand::BusMode => self.enter(Mode::Bus, now),
            DgtCommand::Update => self.enter(Mode::Update, now),
            DgtCommand::UpdateBoard => self.enter(Mode::UpdateBoard, now),
            DgtCommand::UpdateNice => self.enter(Mode::UpdateNice, now),
            DgtCommand::SendClock => Some(DgtMessage::Clock(self.frame(now))),
            DgtCommand::SendBoard => Some(DgtMessage::Dump(*self.coils.seen())),
            DgtCommand::Serial => Some(DgtMessage::Serial(self.config.serial.clone())),
            DgtCommand::LongSerial => self.config.long_serial.clone().map(DgtMessage::LongSerial),
            DgtCommand::BusAddress => Some(DgtMessage::BusAddress(self.config.bus_address)),
            DgtCommand::Trademark => Some(DgtMessage::Trademark(self.config.trademark.clone())),
            DgtCommand::Version => Some(DgtMessage::Version(self.config.version)),
            DgtCommand::HardwareVersion => self.config.hardware.map(DgtMessage::HardwareVersion),
            DgtCommand::Log => Some(DgtMessage::Log { len: FULL_LOG }),
            DgtCommand::Battery => self.config.battery.map(DgtMessage::Battery),
            DgtCommand::Clock(command) => self.pass_on(command, now),
            DgtCommand::Argued { .. } | DgtCommand::Bus { .. } => None,
        };
        if let Some(message) = answer {
            self.send(&message, now);
        }
    }

    fn enter(&mut self, mode: Mode, now: Instant) -> Option<DgtMessage> {
        self.mode = mode;
        self.told_clock = None;
        self.polled_at = now;
        None
    }

    /// To the clock. While it is busy with one command, another is lost.
    fn pass_on(&mut self, command: ClockCommand, now: Instant) -> Option<DgtMessage> {
        if self.clock.is_some() && self.busy.is_none() {
            self.busy = Some((now + self.dice.span(ACK_AFTER), command));
        }
        None
    }

    /// Puts a message on the line, after what is on it already.
    fn send(&mut self, message: &DgtMessage, now: Instant) {
        for bytes in self.faults.damaged(message, now) {
            let free = self.line.back().map_or(now, |(at, _)| (*at).max(now));
            let bits = u64::try_from(bytes.len()).unwrap_or(0) * 10;
            let takes = self.config.baud.map_or(0, |baud| bits * 1000 / u64::from(baud.max(1)));
            let out = free + Millis(takes);
            if self.line.is_empty() && out <= now {
                self.output.extend(bytes);
            } else {
                self.line.push_back((out, bytes));
            }
        }
    }
}

#[cfg(all(test, unix))]
mod evening;
#[cfg(test)]
mod tests;
