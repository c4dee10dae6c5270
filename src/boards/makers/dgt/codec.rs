//! The DGT board's serial protocol: bytes to [`DgtMessage`]s and [`DgtCommand`]s to bytes, both ways, so
//! that a simulator speaks with the same words as the driver.
//!
//! Knows no game, no time and no port: `driver.rs` knows when, `link/` knows where.
//!
//! Source: `docs/boards.md`, "DGT" (the maker's header files, three recorded games, the readers of
//! other projects). Checked by: the table of vectors below and the laws in `laws.rs`.
//! Not seen on hardware by this project: clock acks, the board's log, Revelation II.

mod command;
mod frames;
mod log;

pub use command::{
    ClockCommand, DgtCommand, DgtCommandDecoder, SetAndRun, SideSetting, XlText, segments, shown_as,
};
pub(crate) use frames::{DgtFrame, Framer};
pub use log::{LogEntry, LogTag, entries, write_entries};
use tabiya_types::{Board, Color, Millis, Piece, Role, Square};

/// Message id of a whole board: 64 piece codes.
pub const ID_DUMP: u8 = 0x86;
/// Message id of the clock: times, or an ack.
pub const ID_CLOCK: u8 = 0x8D;
/// Message id of one changed square.
pub const ID_FIELD: u8 = 0x8E;
/// Message id of the board's own log.
pub const ID_LOG: u8 = 0x8F;
/// Message id of the bus address.
pub const ID_BUS_ADDRESS: u8 = 0x90;
/// Message id of the serial number.
pub const ID_SERIAL: u8 = 0x91;
/// Message id of the maker's text.
pub const ID_TRADEMARK: u8 = 0x92;
/// Message id of the firmware's version.
pub const ID_VERSION: u8 = 0x93;
/// Message id of the hardware's version.
pub const ID_HARDWARE_VERSION: u8 = 0x96;
/// Message id of the battery.
pub const ID_BATTERY: u8 = 0xA0;
/// Message id of the long serial number.
pub const ID_LONG_SERIAL: u8 = 0xA2;

/// Start byte and the two length bytes.
const HEADER: u16 = 3;
/// The longest body that is kept: the maker's text may have 256 characters.
pub const LONGEST_KEPT: usize = 256;
/// The longest body that is skipped by its length: the whole log of an old board.
pub const LONGEST_BODY: u16 = 7936;

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DgtMessage {
    /// All 64 squares, in our numbering.
    Dump(Board),
    /// All 64 squares, and on some of them a piece that is a signal and no chess piece. The board
    /// shows those squares empty.
    SignalDump(Board, Box<Signals>),
    /// What one square now holds.
    Field {
        /// Where, in our numbering.
        square: Square,
        /// What stands there; `None` is empty.
        piece: Option<Piece>,
    },
    /// A signal piece was put on a square.
    Signal {
        /// Where, in our numbering.
        square: Square,
        /// Which.
        signal: Signal,
    },
    /// The clock's times and its lever.
    Clock(ClockFrame),
    /// The clock's answer to a command, or its button; four bytes as the maker numbers them, ack0
    /// first.
    Ack([u8; 4]),
    /// A clock message of seven zero bytes: Bluetooth boards send it after clock commands, and it
    /// says nothing.
    ClockBlank,
    /// The address on a tournament bus, 0..=16383.
    BusAddress(u16),
    /// The serial number: five characters, or nine on boards of 1998. Text, because zeros lead.
    Serial(String),
    /// The long serial number, ten characters.
    LongSerial(String),
    /// The maker's text, up to 256 characters below 128, line ends included.
    Trademark(String),
    /// The firmware.
    Version(Version),
    /// The hardware.
    HardwareVersion(Version),
    /// The battery of a wireless board.
    Battery(Battery),
    /// The board's own log of so many bytes, 0..=7936; its content is not kept.
    Log {
        /// Bytes of the log.
        len: u16,
    },
    /// A message that this program does not know: news, not an error.
    Other {
        /// Its first byte, 0x80..=0xFF.
        id: u8,
        /// Its body, at most [`LONGEST_KEPT`] bytes.
        body: Vec<u8>,
    },
    /// An unknown message too long to be kept.
    Skipped {
        /// Its first byte, 0x80..=0xFF.
        id: u8,
        /// Bytes of its body, above [`LONGEST_KEPT`] and up to [`LONGEST_BODY`].
        len: u16,
    },
}

/// A version in two binary numbers: 3.10 is 3 and 10, and is later than 3.9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// Before the point, 0..=127.
    pub main: u8,
    /// After the point, 0..=127.
    pub sub: u8,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.main, self.sub)
    }
}

/// A piece that is no chess piece but says how the game ended. Hardly anybody owns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// The game is drawn.
    Draw,
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
}

/// The signal pieces of a whole board, a1 first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signals([Option<Signal>; 64]);

impl Signals {
    /// None anywhere.
    pub const NONE: Self = Self([None; 64]);

    /// Puts `signal` on `square`.
    pub fn put(&mut self, square: Square, signal: Signal) {
        if let Some(slot) = self.0.get_mut(square.index()) {
            *slot = Some(signal);
        }
    }

    /// What stands on `square`.
    pub fn on(&self, square: Square) -> Option<Signal> {
        self.0.get(square.index()).copied().flatten()
    }

    /// All of them, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Signal)> {
        Square::all().filter_map(|square| self.on(square).map(|signal| (square, signal)))
    }
}

/// What a piece code means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Piece(Option<Piece>),
    Signal(Signal),
}

/// The roles in the order of their codes, 1 to 6 for White and 7 to 12 for Black.
const ROLES: [Role; 6] = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::King, Role::Queen];

impl Content {
    fn from_code(code: u8) -> Result<Self, DgtDamage> {
        let (color, nth) = match code {
            0 => return Ok(Self::Piece(None)),
            1..=6 => (Color::White, code - 1),
            7..=12 => (Color::Black, code - 7),
            13 => return Ok(Self::Signal(Signal::Draw)),
            14 => return Ok(Self::Signal(Signal::WhiteWins)),
            15 => return Ok(Self::Signal(Signal::BlackWins)),
            _ => return Err(DgtDamage::Piece { code }),
        };
        let role = ROLES.get(usize::from(nth)).copied();
        Ok(Self::Piece(role.map(|role| Piece { color, role })))
    }

    fn code(self) -> u8 {
        match self {
            Self::Piece(None) => 0,
            Self::Piece(Some(Piece { color, role })) => {
                let nth = match role {
                    Role::Pawn => 1,
                    Role::Rook => 2,
                    Role::Knight => 3,
                    Role::Bishop => 4,
                    Role::King => 5,
                    Role::Queen => 6,
                };
                if color == Color::White { nth } else { nth + 6 }
            }
            Self::Signal(Signal::Draw) => 13,
            Self::Signal(Signal::WhiteWins) => 14,
            Self::Signal(Signal::BlackWins) => 15,
        }
    }
}

/// The code of a piece on the wire, 0 = empty.
pub fn piece_code(piece: Option<Piece>) -> u8 {
    Content::Piece(piece).code()
}

/// The board's number of a square: 0 = a8, 1 = b8 … 63 = h1.
pub fn wire_square(square: Square) -> u8 {
    (7 - square.rank()) * 8 + square.file()
}

/// The square of a board's number, if there is one.
pub fn square_from_wire(number: u8) -> Option<Square> {
    Square::from_coords(number % 8, 7_u8.checked_sub(number / 8)?)
}

/// All 64 squares in the order of a dump.
fn wire_order() -> impl Iterator<Item = Square> {
    (0..64).filter_map(square_from_wire)
}

/// One side of the clock's display.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideTime {
    /// Seconds, 0..=35999: hours have one digit.
    secs: u16,
    /// The flag fell and the clock stands at zero.
    pub blocked: bool,
    /// The indicator of a bonus or delay per move.
    pub bonus: bool,
    /// The flag fell and is shown; the clock may run on.
    pub flag: bool,
}

impl SideTime {
    /// The most that the display can show, in seconds: 9:59:59.
    pub const MOST_SECS: u16 = 35_999;

    /// So many seconds, at most 9:59:59, without a mark.
    pub fn from_secs(secs: u32) -> Self {
        let secs = u16::try_from(secs).unwrap_or(u16::MAX).min(Self::MOST_SECS);
        Self { secs, blocked: false, bonus: false, flag: false }
    }

    /// Whole seconds, 0..=35999.
    pub fn secs(self) -> u16 {
        self.secs
    }

    /// The time in ms; the display knows whole seconds only.
    pub fn millis(self) -> Millis {
        Millis::from_secs(u64::from(self.secs))
    }

    fn decode(hours: u8, minutes: u8, seconds: u8) -> Result<Self, DgtDamage> {
        let digit = |nibble: u8| (nibble <= 9).then_some(u16::from(nibble));
        let bcd = |byte: u8| Some(digit(byte >> 4)? * 10 + digit(byte & 0x0F)?).filter(|n| *n <= 59);
        let secs = || Some(digit(hours & 0x0F)? * 3600 + bcd(minutes)? * 60 + bcd(seconds)?);
        Ok(Self {
            secs: secs().ok_or(DgtDamage::Time { hours, minutes, seconds })?,
            blocked: hours & 0x10 != 0,
            bonus: hours & 0x20 != 0,
            flag: hours & 0x40 != 0,
        })
    }

    fn encode(self) -> [u8; 3] {
        let bcd = |n: u16| u8::try_from(n / 10 * 16 + n % 10).unwrap_or(0);
        let marks = u8::from(self.blocked) << 4 | u8::from(self.bonus) << 5 | u8::from(self.flag) << 6;
        [bcd(self.secs / 3600) | marks, bcd(self.secs / 60 % 60), bcd(self.secs % 60)]
    }
}

/// The clock's status byte. Left and right are the clock's own, seen from the front.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockStatus(u8);

impl ClockStatus {
    const RUNNING: u8 = 0x01;
    const LEVER: u8 = 0x02;
    const BATTERY_LOW: u8 = 0x04;
    const LEFT_TURN: u8 = 0x08;
    const RIGHT_TURN: u8 = 0x10;
    const ABSENT: u8 = 0x20;

    /// The status of a clock that is connected: whether it counts, and whether its right side is
    /// up. The turn bits follow the lever, as they do in recordings.
    pub fn new(running: bool, right_up: bool) -> Self {
        let turn = if right_up { Self::LEVER | Self::RIGHT_TURN } else { Self::LEFT_TURN };
        Self(turn | u8::from(running))
    }

    /// The status without a clock.
    pub const ABSENT_CLOCK: Self = Self(Self::ABSENT);

    /// The status of a byte; bit 7 is dropped.
    pub fn from_byte(byte: u8) -> Self {
        Self(byte & 0x7F)
    }

    /// The byte, below 128.
    pub fn byte(self) -> u8 {
        self.0
    }

    /// Whether a clock is connected at all. The wire's bit says the contrary.
    pub fn connected(self) -> bool {
        self.0 & Self::ABSENT == 0
    }

    /// Whether a side counts.
    pub fn running(self) -> bool {
        self.0 & Self::RUNNING != 0
    }

    /// Whether the right side of the lever is up, so that right is to move.
    pub fn right_up(self) -> bool {
        self.0 & Self::LEVER != 0
    }

    /// Whether the clock asks for batteries.
    pub fn battery_low(self) -> bool {
        self.0 & Self::BATTERY_LOW != 0
    }
}

/// The clock as a board reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockFrame {
    /// The left display.
    pub left: SideTime,
    /// The right display.
    pub right: SideTime,
    /// What it does.
    pub status: ClockStatus,
}

impl ClockFrame {
    /// What a board without a clock reports.
    pub const ABSENT: Self = Self {
        left: SideTime { secs: 0, blocked: false, bonus: false, flag: false },
        right: SideTime { secs: 0, blocked: false, bonus: false, flag: false },
        status: ClockStatus::ABSENT_CLOCK,
    };
}

/// The battery of a wireless board; every field is below 128. Newer boards leave the times 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Battery {
    /// How full, in percent.
    pub percent: u8,
    /// Hours left; 127 is unknown.
    pub hours_left: u8,
    /// Minutes left; 127 is unknown.
    pub minutes_left: u8,
    /// Hours since it was switched on.
    pub hours_on: u8,
    /// Minutes since it was switched on.
    pub minutes_on: u8,
    /// Days on standby.
    pub days_standby: u8,
    /// Hours on standby.
    pub hours_standby: u8,
    /// Minutes on standby.
    pub minutes_standby: u8,
    /// Bit 0 charging, 1 discharging, 2 low, 3 empty.
    pub status: u8,
}

impl Battery {
    /// Whether it is being charged.
    pub fn charging(self) -> bool {
        self.status & 0x01 != 0
    }

    /// Whether it asks to be charged.
    pub fn low(self) -> bool {
        self.status & 0x0C != 0
    }

    fn decode(body: [u8; 9]) -> Self {
        let [percent, hours_left, minutes_left, hours_on, minutes_on, days, hours, minutes, status] = body;
        Self {
            percent,
            hours_left,
            minutes_left,
            hours_on,
            minutes_on,
            days_standby: days,
            hours_standby: hours,
            minutes_standby: minutes,
            status,
        }
    }

    fn encode(self) -> [u8; 9] {
        [
            self.percent,
            self.hours_left,
            self.minutes_left,
            self.hours_on,
            self.minutes_on,
            self.days_standby,
            self.hours_standby,
            self.minutes_standby,
            self.status,
        ]
    }
}

/// Bytes that are no message. Counted and cured by asking for the whole board, never fatal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DgtDamage {
    /// A new message began inside this one.
    #[error("message {id:02x} was cut short: {missing} bytes of it are missing")]
    CutShort {
        /// The broken message's first byte.
        id: u8,
        /// How many bytes of it did not come, as far as known.
        missing: u16,
    },
    /// The rest of the message did not come in time.
    #[error("message {id:02x} stopped in the middle: {missing} bytes of it are missing")]
    Stale {
        /// The broken message's first byte.
        id: u8,
        /// How many bytes of it did not come, as far as known.
        missing: u16,
    },
    /// A length that this message cannot have.
    #[error("message {id:02x} claims {total} bytes, which it cannot have")]
    Length {
        /// The message's first byte.
        id: u8,
        /// The length that it claims, with its three bytes of header.
        total: u16,
    },
    /// Bytes outside any message: a start byte was lost, or the line makes noise. Told once for a
    /// run of such bytes.
    #[error("bytes outside any message")]
    Noise,
    /// A piece code that no piece has.
    #[error("no piece has the code {code:02x}")]
    Piece {
        /// The code.
        code: u8,
    },
    /// A square that no board has.
    #[error("no square has the number {number}")]
    Square {
        /// The number.
        number: u8,
    },
    /// A time that no clock shows.
    #[error("{hours:02x}:{minutes:02x}:{seconds:02x} is no time")]
    Time {
        /// The byte of the hours.
        hours: u8,
        /// The byte of the minutes.
        minutes: u8,
        /// The byte of the seconds.
        seconds: u8,
    },
    /// A byte of the log that begins no entry.
    #[error("no entry of the log begins with {byte:02x}")]
    Entry {
        /// The byte.
        byte: u8,
    },
    /// The log ends in the middle of an entry.
    #[error("the log ends within an entry")]
    EntryCut,
}

/// Cuts the byte stream of a board into messages. No IO, no time, fixed memory.
pub struct DgtDecoder(Framer<LONGEST_KEPT>);

impl Default for DgtDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl DgtDecoder {
    /// Waits for a message's first byte.
    pub fn new() -> Self {
        Self(Framer::new(can_have))
    }

    /// One byte in, at most one message out; never panics, whatever the bytes. A byte with bit 7 set starts afresh.
    pub fn push(&mut self, byte: u8) -> Option<Result<DgtMessage, DgtDamage>> {
        Some(self.0.push(byte)?.and_then(|frame| self.finish(frame)))
    }

    /// How long the rest of the message that has begun may take after its last byte, or `None`
    /// between messages: one second, and 1.1 ms for each byte that is missing.
    pub fn patience(&self) -> Option<Millis> {
        self.0.patience()
    }

    /// Told that nothing came for `idle`: drops a message whose rest is overdue.
    pub fn stale(&mut self, idle: Millis) -> Option<DgtDamage> {
        if self.patience()? < idle { self.abandon() } else { None }
    }

    /// Drops the message that has begun, if one has.
    pub fn abandon(&mut self) -> Option<DgtDamage> {
        self.0.abandon()
    }

    fn finish(&self, frame: DgtFrame) -> Result<DgtMessage, DgtDamage> {
        let DgtFrame { id, len } = frame;
        if id == ID_LOG {
            return Ok(DgtMessage::Log { len });
        }
        match self.0.body(frame) {
            Some(body) => understand(id, body),
            None => Ok(DgtMessage::Skipped { id, len }),
        }
    }
}

/// Whether a message of this id can have a body of `need` bytes. 10×10 boards send 100 codes; they
/// are no chess boards, but no damage either.
fn can_have(id: u8, need: u16) -> bool {
    match id {
        ID_DUMP => matches!(need, 64 | 100),
        ID_CLOCK => need == 7,
        ID_FIELD | ID_BUS_ADDRESS | ID_VERSION | ID_HARDWARE_VERSION => need == 2,
        ID_SERIAL => matches!(need, 5 | 9),
        ID_TRADEMARK => usize::from(need) <= LONGEST_KEPT,
        ID_BATTERY => need == 9,
        ID_LONG_SERIAL => need == 10,
        _ => need <= LONGEST_BODY,
    }
}

/// What a body means. The bus has the same bodies for a board and its clock.
pub(crate) fn understand(id: u8, body: &[u8]) -> Result<DgtMessage, DgtDamage> {
    Ok(match (id, body) {
        (ID_DUMP, codes) if codes.len() == 64 => dump(codes)?,
        (ID_FIELD, &[number, code]) => {
            let square = square_from_wire(number).ok_or(DgtDamage::Square { number })?;
            match Content::from_code(code)? {
                Content::Piece(piece) => DgtMessage::Field { square, piece },
                Content::Signal(signal) => DgtMessage::Signal { square, signal },
            }
        }
        (ID_CLOCK, &[b3, b4, b5, b6, b7, b8, b9]) => clock([b3, b4, b5, b6, b7, b8, b9])?,
        (ID_BUS_ADDRESS, &[high, low]) => DgtMessage::BusAddress(u16::from(high) << 7 | u16::from(low)),
        (ID_SERIAL, text) => DgtMessage::Serial(ascii(text)),
        (ID_LONG_SERIAL, text) => DgtMessage::LongSerial(ascii(text)),
        (ID_TRADEMARK, text) => DgtMessage::Trademark(ascii(text)),
        (ID_VERSION, &[main, sub]) => DgtMessage::Version(Version { main, sub }),
        (ID_HARDWARE_VERSION, &[main, sub]) => DgtMessage::HardwareVersion(Version { main, sub }),
        (ID_BATTERY, body) => match body.first_chunk() {
            Some(nine) => DgtMessage::Battery(Battery::decode(*nine)),
            None => other(id, body),
        },
        _ => other(id, body),
    })
}

fn other(id: u8, body: &[u8]) -> DgtMessage {
    DgtMessage::Other { id, body: body.to_vec() }
}

/// Bytes below 128, which is what a body holds, are text as they stand.
fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn dump(codes: &[u8]) -> Result<DgtMessage, DgtDamage> {
    let (mut board, mut signals) = (Board::EMPTY, Signals::NONE);
    for (square, code) in wire_order().zip(codes) {
        match Content::from_code(*code)? {
            Content::Piece(piece) => board[square] = piece,
            Content::Signal(signal) => signals.put(square, signal),
        }
    }
    Ok(if signals == Signals::NONE {
        DgtMessage::Dump(board)
    } else {
        DgtMessage::SignalDump(board, Box::new(signals))
    })
}

fn clock(body: [u8; 7]) -> Result<DgtMessage, DgtDamage> {
    let [b3, b4, b5, b6, b7, b8, b9] = body;
    if body == [0; 7] {
        return Ok(DgtMessage::ClockBlank);
    }
    // No hour has the digit A, so one such nibble is enough; both are looked at because the other
    // may carry the acks' high bits.
    if b3 & 0x0F == 0x0A || b6 & 0x0F == 0x0A {
        let high = |bits: u8, shift: u32| (bits << shift) & 0x80;
        return Ok(DgtMessage::Ack([b4 | high(b6, 3), b5 | high(b6, 2), b7 | high(b3, 3), b8 | high(b3, 2)]));
    }
    let status = ClockStatus::from_byte(b9);
    if !status.connected() {
        // Without a clock the times are junk.
        return Ok(DgtMessage::Clock(ClockFrame { status, ..ClockFrame::default() }));
    }
    Ok(DgtMessage::Clock(ClockFrame {
        right: SideTime::decode(b3, b4, b5)?,
        left: SideTime::decode(b6, b7, b8)?,
        status,
    }))
}

impl DgtMessage {
    /// Appends the message's bytes. Text is cut at what the message can hold; characters that
    /// are not ASCII become `?`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Dump(board) => encode_dump(board, &Signals::NONE, out),
            Self::SignalDump(board, signals) => encode_dump(board, signals, out),
            Self::Field { square, piece } => frame(ID_FIELD, [wire_square(*square), piece_code(*piece)], out),
            Self::Signal { square, signal } => {
                frame(ID_FIELD, [wire_square(*square), Content::Signal(*signal).code()], out);
            }
            Self::Clock(ClockFrame { left, right, status }) => {
                let times = right.encode().into_iter().chain(left.encode());
                frame(ID_CLOCK, times.chain([status.byte()]), out);
            }
            Self::Ack([a0, a1, a2, a3]) => {
                let b3 = 0x0A | (a2 & 0x80) >> 3 | (a3 & 0x80) >> 2;
                let b6 = 0x0A | (a0 & 0x80) >> 3 | (a1 & 0x80) >> 2;
                frame(ID_CLOCK, [b3, *a0, *a1, b6, *a2, *a3, 0], out);
            }
            Self::ClockBlank => frame(ID_CLOCK, [0; 7], out),
            Self::BusAddress(address) => frame(ID_BUS_ADDRESS, address_bytes(*address), out),
            Self::Serial(text) => {
                let len = if text.chars().count() > 5 { 9 } else { 5 };
                frame(ID_SERIAL, padded(text, len), out);
            }
            Self::LongSerial(text) => frame(ID_LONG_SERIAL, padded(text, 10), out),
            Self::Trademark(text) => frame(ID_TRADEMARK, text.chars().map(ascii_byte), out),
            Self::Version(Version { main, sub }) => frame(ID_VERSION, [*main, *sub], out),
            Self::HardwareVersion(Version { main, sub }) => frame(ID_HARDWARE_VERSION, [*main, *sub], out),
            Self::Battery(battery) => frame(ID_BATTERY, battery.encode(), out),
            Self::Log { len } => {
                // Filler, then the log's own end mark.
                let body = (0..*len).rev().map(|after| if after == 0 { 0x6B } else { 0x7F });
                frame(ID_LOG, body, out);
            }
            Self::Other { id, body } => frame(*id, body.iter().copied(), out),
            Self::Skipped { id, len } => frame(*id, (0..*len).map(|_| 0), out),
        }
    }

    /// The message's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }
}

fn encode_dump(board: &Board, signals: &Signals, out: &mut Vec<u8>) {
    let code = |square| match signals.on(square) {
        Some(signal) => Content::Signal(signal).code(),
        None => piece_code(board[square]),
    };
    frame(ID_DUMP, wire_order().map(code), out);
}

/// Appends a whole message; every byte of the body loses bit 7, and what is longer than the
/// longest body is cut.
fn frame(id: u8, body: impl IntoIterator<Item = u8>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([id | 0x80, 0, 0]);
    out.extend(body.into_iter().take(usize::from(LONGEST_BODY)).map(|byte| byte & 0x7F));
    // The length counts the header too, and stands in it.
    let total = u16::try_from(out.len() - start).unwrap_or(LONGEST_BODY + HEADER);
    if let Some(slots) = out.get_mut(start + 1..start + 3) {
        slots.copy_from_slice(&address_bytes(total));
    }
}

/// A 14-bit number in two halves of seven bits, the high one first.
pub(crate) fn address_bytes(number: u16) -> [u8; 2] {
    let seven = |bits: u16| u8::try_from(bits & 0x7F).unwrap_or(0);
    [seven(number >> 7), seven(number)]
}

fn ascii_byte(letter: char) -> u8 {
    if letter.is_ascii() { u8::try_from(letter).unwrap_or(b'?') } else { b'?' }
}

/// `text` cut or filled with blanks to `len` bytes.
fn padded(text: &str, len: usize) -> impl Iterator<Item = u8> {
    text.chars().map(ascii_byte).chain(std::iter::repeat(b' ')).take(len)
}

#[cfg(test)]
mod tests;
