//! Simulates a DGT board and the clock that is connected to it.
//!
//! The simulated board takes bytes and times and returns bytes; it uses no port, no thread and no system time. It
//! uses the driver's codec ([`codec`](super::codec)), and scans its squares with the sensor model that all simulated
//! boards share. `sim_host.rs` connects it to a pseudo-terminal or a TCP port.
//!
//! Source: the project's DGT protocol notes, sections "Modes", "Commands", "Scan behaviour", "Acks" and both
//! paragraphs "Simulator". Not simulated: bus mode, in which this board stays silent (`dgtbus/sim.rs` simulates it);
//! the boards for draughts; the content of the log; lights.

mod clock;
mod faults;

use std::collections::VecDeque;

pub(crate) use clock::{ClockSide, SimClock};
pub(crate) use faults::DgtFaults;
use tabiya_types::{Board, Color, Instant, Millis, Piece, Square};

use super::codec::{Battery, ClockCommand, ClockFrame, DgtCommand, DgtCommandDecoder, DgtMessage, Version};
use crate::event::ClockButton;
use crate::human::{Coils, Dice, Physical, Span};
use crate::sim::{ClockAction, ClockConfig, Plug, Plugged, SimBoard, SimSetup};

/// The command buffer of a board in single mode, in bytes (the maker's figure). Bytes that do not fit are lost.
const COMMAND_BUFFER: usize = 10;

/// The time after which the board reads its clock again. Real boards do so 2 to 3 times a second over Bluetooth, more
/// often over a cable.
const CLOCK_POLL: Millis = Millis(250);

/// The time from a clock command to its acknowledgement, in ms, as given in the protocol notes on simulators.
const ACK_AFTER: Span = Span::new(50, 1_500);

/// The length of the full log of an old board, in bytes.
const FULL_LOG: u16 = 7_936;

/// The configuration of a simulated board.
#[derive(Clone, Debug)]
pub(crate) struct SimConfig {
    /// The position at the start, seen with White below.
    pub board: Board,
    /// Whether the board is turned by 180°, so that its connector is on White's right.
    pub turned: bool,
    /// The serial number, five characters.
    pub serial: String,
    /// The long serial number, ten characters. Older boards have no long number and do not answer the request for it.
    pub long_serial: Option<String>,
    /// The firmware version.
    pub version: Version,
    /// The hardware version. Older boards do not report it.
    pub hardware: Option<Version>,
    /// The description that the board reports: Tabiya's own text, or another text if a user tests other software.
    pub trademark: String,
    /// The address on a tournament bus.
    pub bus_address: u16,
    /// The battery state. Boards on a cable have no battery and do not answer the request for it.
    pub battery: Option<Battery>,
    /// The clock that is connected to the board.
    pub clock: Option<ClockConfig>,
    /// Whether White sits at the right side of the clock.
    pub white_right: bool,
    /// The transmission speed of the line in bits per second; 9600 on a real line. Each byte takes ten bits. With
    /// `None`, messages are transmitted in no time.
    pub baud: Option<u32>,
    /// The seed for the random moment at which the scan starts, and for the random delays of acknowledgements.
    pub seed: u64,
    /// The simulated faults of the line and the clock.
    pub faults: DgtFaults,
}

impl SimConfig {
    /// Creates an ordinary board on a line of real speed.
    pub(crate) fn of(setup: &SimSetup) -> Self {
        let faults = DgtFaults {
            seed: setup.seed,
            drop_byte: setup.faults.lost,
            duplicate: setup.faults.doubled,
            unplug_at: setup.faults.unplug_at.clone(),
            ..DgtFaults::NONE
        };
        let (board, turned, seed) = (setup.board, setup.turned, setup.seed);
        let usual = setup.number.map_or_else(Self::default, Self::numbered);
        let clock = setup.clock.or(usual.clock);
        let white_right = setup.white_right();
        Self { board, turned, white_right, seed, baud: Some(9_600), faults, clock, ..usual }
    }

    /// A board with this serial number.
    fn numbered(number: u16) -> Self {
        let serial = format!("{number:05}");
        let trademark = format!("Tabiya simulator\r\nsoftware version: 3.10\r\nserial no: {serial}");
        Self { long_serial: Some(format!("30000{serial}")), serial, trademark, ..Self::default() }
    }
}

impl SimBoard for Sim {
    fn has_lever(&self) -> bool {
        true
    }

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

    fn is_started(&self) -> bool {
        self.mode().streams_squares()
    }

    fn clock(&mut self, what: ClockAction, now: Instant) {
        match what {
            ClockAction::Set(left, right) => self.set_clock(left, right, now),
            ClockAction::Run(run) => self.run_clock(run, now),
            ClockAction::Connect(on) => {
                let clock = on.then(|| self.config.clock.unwrap_or_default());
                self.connect_clock(clock, now);
            }
            ClockAction::Button(button) => self.button(button, now),
        }
    }

    fn display_text(&self) -> Option<String> {
        Sim::clock(self).map(SimClock::describe)
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

/// The reports that the board sends without being asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// No reports. The board obeys bus commands. This is the mode after power-up.
    Bus,
    /// No reports. The board obeys the commands for a single board.
    Idle,
    /// Reports of changed squares.
    UpdateBoard,
    /// Reports of changed squares, and of the clock at least once a second.
    Update,
    /// Reports of changed squares, and of the clock when it changes.
    UpdateNice,
}

impl Mode {
    /// Returns whether the board sends changed squares in this mode.
    pub(crate) fn streams_squares(self) -> bool {
        match self {
            Self::Bus | Self::Idle => false,
            Self::UpdateBoard | Self::Update | Self::UpdateNice => true,
        }
    }

    /// Returns whether, in this mode, the board sends the clock's state and acknowledgements without being asked.
    pub(crate) fn streams_clock(self) -> bool {
        match self {
            Self::Bus | Self::Idle | Self::UpdateBoard => false,
            Self::Update | Self::UpdateNice => true,
        }
    }
}

/// Returns the unsolicited acknowledgement that reports a pressed button.
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

/// The simulated board.
pub(crate) struct Sim {
    config: SimConfig,
    dice: Dice,
    faults: faults::FaultyLine,
    mode: Mode,
    coils: Coils,
    clock: Option<SimClock>,
    decoder: DgtCommandDecoder,
    /// Bytes from the host that wait while the line is busy.
    waiting: VecDeque<u8>,
    /// Frames that are on the line, each with the time at which its last byte will have been sent.
    line: VecDeque<(Instant, Vec<u8>)>,
    /// The bytes that the host may read.
    output: Vec<u8>,
    polled_at: Instant,
    reported_clock: Option<(Instant, ClockFrame)>,
    /// The command that the clock is executing, and the time at which the clock will have executed it.
    busy: Option<(Instant, ClockCommand)>,
    plug: Plug,
}

impl Sim {
    /// Creates a board that was just switched on.
    pub(crate) fn new(config: SimConfig) -> Self {
        let mut dice = Dice::new(config.seed);
        let board = if config.turned { config.board.rotated() } else { config.board };
        Self {
            coils: Coils::new(board, Coils::SCAN, &mut dice),
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
            reported_clock: None,
            busy: None,
        }
    }

    /// Returns the real position, seen with White below.
    pub(crate) fn board(&self) -> Board {
        if self.config.turned { self.coils.actual().rotated() } else { *self.coils.actual() }
    }

    /// Returns the mode: which reports the board sends without being asked.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns whether the board is plugged in.
    pub(crate) fn plugged(&self) -> bool {
        self.plug.is_in()
    }

    /// Returns the clock, if one is connected.
    pub(crate) fn clock(&self) -> Option<&SimClock> {
        self.clock.as_ref()
    }

    /// Removes and returns the bytes that the host may read.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// Handles bytes that the host sent.
    pub(crate) fn on_host_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.on_time(now);
        if !self.plugged() {
            return;
        }
        for byte in bytes {
            // Bytes that do not fit into the buffer are lost, as on the real board.
            if self.waiting.len() < COMMAND_BUFFER {
                self.waiting.push_back(*byte);
            }
            self.work_off(now);
        }
        self.on_time(now);
    }

    /// Handles something that people do at the board.
    pub(crate) fn happen(&mut self, what: Physical, now: Instant) {
        match what {
            Physical::Set(square, piece) => self.set(square, piece, now),
            Physical::Press(side) => self.press(side, now),
            Physical::Flicker(square, times) => self.flicker(square, times, now),
            Physical::Blind(out) => self.coils.blind(now + out),
            Physical::Unplug(out) => self.unplug(Some(out), now),
        }
    }

    /// Puts this piece on the square, or removes the piece there.
    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>, now: Instant) {
        self.on_time(now);
        self.coils.set(now, self.own(square), piece);
    }

    /// Lets the contact of the square open and close `times` times.
    pub(crate) fn flicker(&mut self, square: Square, times: u8, now: Instant) {
        self.on_time(now);
        self.coils.flicker(now, self.own(square), times);
    }

    /// Converts a square to the board's own coordinates, which are rotated by 180° if the board is turned.
    fn own(&self, square: Square) -> Square {
        if self.config.turned { square.rotated() } else { square }
    }

    /// Presses the lever on the side of this player.
    pub(crate) fn press(&mut self, side: Color, now: Instant) {
        self.on_time(now);
        let white = if self.config.white_right { ClockSide::Right } else { ClockSide::Left };
        let side = if side == Color::White { white } else { white.other() };
        if let Some(clock) = &mut self.clock {
            clock.press(side, now);
        }
    }

    /// Presses a button of the clock. If the clock counts the time by itself, the button "Run" starts or pauses it.
    pub(crate) fn button(&mut self, button: ClockButton, now: Instant) {
        self.on_time(now);
        let Some(clock) = &mut self.clock else { return };
        if button == ClockButton::Run {
            if clock.running().is_some() { clock.stop(now) } else { clock.start(now) }
        }
        if self.mode.streams_clock() {
            self.send(&DgtMessage::Ack(ack(button)), now);
        }
    }

    /// Sets the clock's times, as people do with its buttons.
    pub(crate) fn set_clock(&mut self, left: Millis, right: Millis, now: Instant) {
        self.on_time(now);
        if let Some(clock) = &mut self.clock {
            clock.set(left, right, now);
        }
    }

    /// Starts or pauses the clock, as people do with its buttons.
    pub(crate) fn run_clock(&mut self, run: bool, now: Instant) {
        self.on_time(now);
        if let Some(clock) = &mut self.clock {
            if run { clock.start(now) } else { clock.stop(now) }
        }
    }

    /// Connects a new clock, or disconnects the clock. A new clock is in its initial state.
    pub(crate) fn connect_clock(&mut self, clock: Option<ClockConfig>, now: Instant) {
        self.on_time(now);
        self.clock = clock.map(SimClock::new);
        self.busy = None;
    }

    /// Sets the battery's charge in percent, 0..=100. A board without a battery gets a battery.
    pub(crate) fn set_battery(&mut self, percent: u8) {
        let battery = self.config.battery.get_or_insert_default();
        battery.percent = percent.min(100);
        battery.status = if percent < 10 { 2 | 4 } else { 2 };
    }

    /// Unplugs the board for the time `out`, or until `plug` is called. Bytes on the line are lost.
    pub(crate) fn unplug(&mut self, out: Option<Millis>, now: Instant) {
        self.on_time(now);
        self.pull(out.map(|out| now + out));
    }

    /// Plugs the board in again. The board restarts in bus mode and senses its current position.
    pub(crate) fn plug(&mut self, now: Instant) {
        self.put(now);
    }

    /// Returns the next time at which the board does something by itself.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due()
    }

    /// Does everything that is due by `now`, in chronological order.
    pub(crate) fn on_time(&mut self, now: Instant) {
        self.run_until(now);
        if let Some(clock) = &mut self.clock {
            clock.count(now);
        }
        if !self.mode.streams_clock() {
            self.polled_at = self.polled_at.max(now);
        }
    }

    /// Scans one square and reports the square if it changed.
    fn look(&mut self, at: Instant, square: Square) {
        if let Some(piece) = self.coils.look(at, square)
            && self.mode.streams_squares()
        {
            self.send(&DgtMessage::Field { square, piece }, at);
        }
    }

    /// Reads the clock and reports its state if the mode requires a report now.
    fn poll(&mut self, at: Instant) {
        self.polled_at = at;
        let frame = self.frame(at);
        let tell = match (self.mode, self.reported_clock) {
            (Mode::Update, Some((reported_at, before))) => {
                before != frame || at.since(reported_at) >= Millis::from_secs(1)
            }
            (_, Some((_, before))) => before != frame,
            (_, None) => true,
        };
        if tell {
            self.tell_clock(frame, at);
        }
    }

    /// Returns the state of the clock at `at`, as the board reports it.
    fn frame(&mut self, at: Instant) -> ClockFrame {
        let Some(clock) = &mut self.clock else { return ClockFrame::ABSENT };
        clock.count(at);
        clock.frame()
    }

    fn tell_clock(&mut self, frame: ClockFrame, at: Instant) {
        self.reported_clock = Some((at, frame));
        self.send(&DgtMessage::Clock(frame), at);
    }

    /// Handles the moment at which the clock has executed a command.
    fn finish(&mut self, command: &ClockCommand, at: Instant) {
        let Some(ack) = self.clock.as_mut().and_then(|clock| clock.obey(command, at)) else { return };
        if !self.mode.streams_clock() {
            return;
        }
        for message in self.faults.acks(ack) {
            self.send(&message, at);
        }
        // The next clock message contains the times again, even if they did not change.
        self.reported_clock = None;
    }

    /// Executes the commands of the host as long as the line is free.
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
            // A bus command only switches the board to bus mode. To get an answer from a real board, the host has to
            // repeat the command in bus mode. This simulator never answers bus commands.
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
        self.reported_clock = None;
        self.polled_at = now;
        None
    }

    /// Passes a command on to the clock. The command is lost while the clock is busy with another command.
    fn pass_on(&mut self, command: ClockCommand, now: Instant) -> Option<DgtMessage> {
        if self.clock.is_some() && self.busy.is_none() {
            self.busy = Some((now + self.dice.span(ACK_AFTER), command));
        }
        None
    }

    /// Puts a message on the line, after the messages that are still being sent.
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

impl Plugged for Sim {
    fn socket(&self) -> &Plug {
        &self.plug
    }

    fn socket_mut(&mut self) -> &mut Plug {
        &mut self.plug
    }

    fn work_due(&self) -> Option<Instant> {
        let line = self.line.front().map(|(at, _)| *at);
        let look = self.coils.next().map(|(at, _)| at);
        let busy = self.busy.as_ref().map(|(at, _)| *at);
        let poll = self.mode.streams_clock().then_some(self.polled_at + CLOCK_POLL);
        [line, look, busy, poll].into_iter().flatten().min()
    }

    fn work(&mut self, due: Instant) {
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
        if self.mode.streams_clock() && self.polled_at + CLOCK_POLL <= due {
            self.poll(due);
        }
    }

    fn lose_power(&mut self) {
        self.line.clear();
        self.output.clear();
        self.waiting.clear();
        self.decoder.abandon();
    }

    /// Restarts in bus mode and senses the current position.
    fn start_up(&mut self, now: Instant) {
        self.mode = Mode::Bus;
        self.reported_clock = None;
        self.busy = None;
        self.coils.wake(now);
    }
}

#[cfg(test)]
mod tests;
