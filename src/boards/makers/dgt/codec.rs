//! Codec for the serial protocol of DGT boards. It decodes and encodes both [`DgtMessage`]s and [`DgtCommand`]s, so
//! that the driver and the simulator use the same types.
//!
//! The codec does not depend on games, time or ports: `driver.rs` handles timing, and `link/` handles ports.
//!
//! Source: the project's DGT protocol notes (the maker's header files, three recorded games, programs of other
//! projects). Checked by: the worked vectors in `codec/tests.rs` and the laws in `laws.rs`. Not tested with hardware:
//! acknowledgements of the clock, the board's log, the Revelation II.

mod command;
mod frames;
mod log;

pub use command::{
    ClockCommand, DgtCommand, DgtCommandDecoder, SetAndRun, SideSetting, XlText, segments, shown_as,
};
pub use frames::{DgtFrameDecoder, FromFrame};
pub use log::{LogEntry, LogTag, entries, write_entries};
use tabiya_types::{Board, Color, Millis, Piece, Role, Square};

/// Message id of a report of all 64 squares, as piece codes.
pub const ID_DUMP: u8 = 0x86;
/// Message id of the clock, for its times or for an acknowledgement.
pub const ID_CLOCK: u8 = 0x8D;
/// Message id of the report that one square changed.
pub const ID_FIELD: u8 = 0x8E;
/// Message id of the board's internal log.
pub const ID_LOG: u8 = 0x8F;
/// Message id of the bus address.
pub const ID_BUS_ADDRESS: u8 = 0x90;
/// Message id of the serial number.
pub const ID_SERIAL: u8 = 0x91;
/// Message id of the maker's description of the board.
pub const ID_TRADEMARK: u8 = 0x92;
/// Message id of the firmware version.
pub const ID_VERSION: u8 = 0x93;
/// Message id of the hardware version.
pub const ID_HARDWARE_VERSION: u8 = 0x96;
/// Message id of the battery state.
pub const ID_BATTERY: u8 = 0xA0;
/// Message id of the long serial number.
pub const ID_LONG_SERIAL: u8 = 0xA2;

/// The length of a header in bytes: the message id and two length bytes.
const HEADER: u16 = 3;
/// The longest body that is stored, in bytes. The maker's description has at most 256 characters.
pub const LONGEST_KEPT: usize = 256;
/// The longest body that is accepted, in bytes: the full log of an old board. A body above [`LONGEST_KEPT`] is
/// skipped, not stored.
pub const LONGEST_BODY: u16 = 7936;

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DgtMessage {
    /// All 64 squares.
    Dump(Board),
    /// All 64 squares, of which some have signal pieces. The second value contains the signal pieces; in the
    /// [`Board`] their squares are empty.
    SignalDump(Board, Box<Signals>),
    /// One square changed.
    Field {
        /// The square.
        square: Square,
        /// The piece that is now on the square; `None` if the square is empty.
        piece: Option<Piece>,
    },
    /// A signal piece was put on a square.
    Signal {
        /// The square.
        square: Square,
        /// The meaning of the signal piece.
        signal: Signal,
    },
    /// The clock's times and the position of its lever.
    Clock(ClockFrame),
    /// The clock acknowledged a command, or a button of the clock was pressed. The four bytes are numbered as in the
    /// maker's documents, ack0 first.
    Ack([u8; 4]),
    /// A clock message of seven zero bytes. Bluetooth boards send this message after clock commands. The message has
    /// no meaning.
    ClockBlank,
    /// The board's address on a tournament bus, 0..=16383.
    BusAddress(u16),
    /// The serial number: five characters, or nine on boards of 1998. The number is text, because it may start with
    /// zeros.
    Serial(String),
    /// The long serial number: ten characters.
    LongSerial(String),
    /// The maker's description of the board: at most 256 ASCII characters, including line ends.
    Trademark(String),
    /// The firmware version.
    Version(Version),
    /// The hardware version.
    HardwareVersion(Version),
    /// The battery state of a wireless board.
    Battery(Battery),
    /// The board's internal log. Its content is discarded.
    Log {
        /// The length of the log in bytes, 0..=7936.
        len: u16,
    },
    /// A message with an unknown id. This is not an error.
    Other {
        /// The message id, 0x80..=0xFF.
        id: u8,
        /// The body, at most [`LONGEST_KEPT`] bytes.
        body: Vec<u8>,
    },
    /// A message with an unknown id whose body is too long to be stored.
    Skipped {
        /// The message id, 0x80..=0xFF.
        id: u8,
        /// The length of the body in bytes, above [`LONGEST_KEPT`] and up to [`LONGEST_BODY`].
        len: u16,
    },
}

/// A version number in two parts. Version 3.10 has the parts 3 and 10, and is later than version 3.9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// The part before the point, 0..=127.
    pub main: u8,
    /// The part after the point, 0..=127.
    pub sub: u8,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.main, self.sub)
    }
}

/// The meaning of a signal piece: a special piece that players put on the board to declare the result. Few players
/// own such pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// The game is drawn.
    Draw,
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
}

/// The signal pieces on a board, one entry for each square, a1 first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signals([Option<Signal>; 64]);

impl Signals {
    /// No signal pieces.
    pub const NONE: Self = Self([None; 64]);

    /// Puts the signal piece `signal` on `square`.
    pub fn put(&mut self, square: Square, signal: Signal) {
        if let Some(slot) = self.0.get_mut(square.index()) {
            *slot = Some(signal);
        }
    }

    /// Returns the signal piece on `square`.
    pub fn on(&self, square: Square) -> Option<Signal> {
        self.0.get(square.index()).copied().flatten()
    }

    /// Returns all signal pieces with their squares, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Signal)> {
        Square::all().filter_map(|square| self.on(square).map(|signal| (square, signal)))
    }
}

/// What a piece code means: a piece, an empty square or a signal piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Piece(Option<Piece>),
    Signal(Signal),
}

/// The roles in the order of their codes: 1 to 6 for White, 7 to 12 for Black.
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

/// Returns the code of a piece in the protocol; 0 is an empty square.
pub fn piece_code(piece: Option<Piece>) -> u8 {
    Content::Piece(piece).code()
}

/// Returns the number of a square in the protocol: 0 = a8, 1 = b8 … 63 = h1.
pub fn wire_square(square: Square) -> u8 {
    (7 - square.rank()) * 8 + square.file()
}

/// Returns the square with this number in the protocol; `None` above 63.
pub fn square_from_wire(number: u8) -> Option<Square> {
    Square::from_coords(number % 8, 7_u8.checked_sub(number / 8)?)
}

/// Returns all 64 squares in the order in which a message reports them.
fn wire_order() -> impl Iterator<Item = Square> {
    (0..64).filter_map(square_from_wire)
}

/// The display of one side of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideTime {
    /// The time in seconds, 0..=35999. The display has only one digit for hours.
    secs: u16,
    /// Whether the flag fell and the clock stopped at zero.
    pub blocked: bool,
    /// Whether the indicator of a bonus or delay per move is on.
    pub bonus: bool,
    /// Whether the display shows that the flag fell. The clock may continue to count.
    pub flag: bool,
}

impl SideTime {
    /// The longest time that the display can show, in seconds: 9:59:59.
    pub const MOST_SECS: u16 = 35_999;

    /// Creates a display without indicators. Times above 9:59:59 are reduced to 9:59:59.
    pub fn from_secs(secs: u32) -> Self {
        let secs = u16::try_from(secs).unwrap_or(u16::MAX).min(Self::MOST_SECS);
        Self { secs, blocked: false, bonus: false, flag: false }
    }

    /// Returns the time in whole seconds, 0..=35999.
    pub fn secs(self) -> u16 {
        self.secs
    }

    /// Returns the time in ms, as a multiple of 1000.
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

/// The status byte of the clock. Left and right are as seen from the front of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockStatus(u8);

impl ClockStatus {
    const RUNNING: u8 = 0x01;
    const LEVER: u8 = 0x02;
    const BATTERY_LOW: u8 = 0x04;
    const LEFT_TURN: u8 = 0x08;
    const RIGHT_TURN: u8 = 0x10;
    const ABSENT: u8 = 0x20;

    /// Creates the status of a connected clock. `running` says whether the clock counts, `right_up` whether the right
    /// side of its lever is up. The turn bits agree with the lever, as in recordings of real clocks.
    pub fn new(running: bool, right_up: bool) -> Self {
        let turn = if right_up { Self::LEVER | Self::RIGHT_TURN } else { Self::LEFT_TURN };
        Self(turn | u8::from(running))
    }

    /// The status that a board without a clock reports.
    pub const ABSENT_CLOCK: Self = Self(Self::ABSENT);

    /// Creates a status from its byte; bit 7 is ignored.
    pub fn from_byte(byte: u8) -> Self {
        Self(byte & 0x7F)
    }

    /// Returns the status byte, below 128.
    pub fn byte(self) -> u8 {
        self.0
    }

    /// Returns whether a clock is connected. The protocol's bit has the opposite meaning: it is set if no clock is
    /// connected.
    pub fn connected(self) -> bool {
        self.0 & Self::ABSENT == 0
    }

    /// Returns whether the clock is running, which means that one of its sides counts.
    pub fn running(self) -> bool {
        self.0 & Self::RUNNING != 0
    }

    /// Returns whether the right side of the lever is up, which means that the right player is to move.
    pub fn right_up(self) -> bool {
        self.0 & Self::LEVER != 0
    }

    /// Returns whether the clock's batteries are low.
    pub fn battery_low(self) -> bool {
        self.0 & Self::BATTERY_LOW != 0
    }
}

/// The state of the clock, as the board reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockFrame {
    /// The left display.
    pub left: SideTime,
    /// The right display.
    pub right: SideTime,
    /// The status: the lever, whether the clock runs, its battery, and whether a clock is connected.
    pub status: ClockStatus,
}

impl ClockFrame {
    /// The state that a board without a clock reports.
    pub const ABSENT: Self = Self {
        left: SideTime { secs: 0, blocked: false, bonus: false, flag: false },
        right: SideTime { secs: 0, blocked: false, bonus: false, flag: false },
        status: ClockStatus::ABSENT_CLOCK,
    };
}

/// The battery state of a wireless board. Every field is below 128. On newer boards all times are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Battery {
    /// The charge in percent.
    pub percent: u8,
    /// Hours of use left; 127 means unknown.
    pub hours_left: u8,
    /// Minutes of use left, in addition to the hours; 127 means unknown.
    pub minutes_left: u8,
    /// Hours since the board was switched on.
    pub hours_on: u8,
    /// Minutes since the board was switched on, in addition to the hours.
    pub minutes_on: u8,
    /// Days in standby.
    pub days_standby: u8,
    /// Hours in standby, in addition to the days.
    pub hours_standby: u8,
    /// Minutes in standby, in addition to the days and hours.
    pub minutes_standby: u8,
    /// Status bits: 0 charging, 1 discharging, 2 low, 3 empty.
    pub status: u8,
}

impl Battery {
    /// Returns whether the battery is being charged.
    pub fn charging(self) -> bool {
        self.status & 0x01 != 0
    }

    /// Returns whether the battery is low or empty.
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

/// Bytes that are not a valid message. Damage is counted and never fatal: the driver requests all squares again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DgtDamage {
    /// A new message began before the previous message was complete.
    #[error("message {id:02x} was cut short by the next message; missing bytes: {missing}")]
    CutShort {
        /// The id of the damaged message.
        id: u8,
        /// The number of missing bytes. If the header itself is incomplete, only the missing bytes of the header are
        /// counted.
        missing: u16,
    },
    /// The remaining bytes of a message did not arrive in time.
    #[error("message {id:02x} stopped in the middle; missing bytes: {missing}")]
    Overdue {
        /// The id of the damaged message.
        id: u8,
        /// The number of missing bytes. If the header itself is incomplete, only the missing bytes of the header are
        /// counted.
        missing: u16,
    },
    /// A message has a length that its id does not allow.
    #[error("message {id:02x} has the length {total}, which is not valid for this message")]
    Length {
        /// The message id.
        id: u8,
        /// The length in the header, which includes the three bytes of the header.
        total: u16,
    },
    /// Bytes outside any message, because a start byte was lost or the line is noisy. A run of such bytes is reported
    /// once.
    #[error("bytes outside any message")]
    Noise,
    /// A piece code that does not exist.
    #[error("{code:02x} is not a valid piece code")]
    Piece {
        /// The invalid piece code.
        code: u8,
    },
    /// A square number above 63.
    #[error("{number} is not a valid square number")]
    Square {
        /// The invalid square number.
        number: u8,
    },
    /// A time with an invalid digit.
    #[error("{hours:02x}:{minutes:02x}:{seconds:02x} is not a valid time")]
    Time {
        /// The byte with the hours.
        hours: u8,
        /// The byte with the minutes.
        minutes: u8,
        /// The byte with the seconds.
        seconds: u8,
    },
    /// A byte in the log with which no entry can begin.
    #[error("an entry of the log begins with {byte:02x}, which is not valid")]
    Entry {
        /// The invalid byte.
        byte: u8,
    },
    /// The log ends in the middle of an entry.
    #[error("the log ends in the middle of an entry")]
    EntryCut,
}

/// Cuts the byte stream from a board into messages. It does no IO, reads no system time and uses a fixed amount of
/// memory.
pub type DgtDecoder = DgtFrameDecoder<DgtMessage, LONGEST_KEPT>;

impl FromFrame for DgtMessage {
    type Damage = DgtDamage;

    /// Returns whether a message with this id may have a body of `need` bytes. Boards with 10×10 squares send 100
    /// piece codes. Tabiya cannot use such a board, but its messages do not count as damage.
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

    fn from_frame(id: u8, len: u16, body: Option<&[u8]>) -> Result<Self, DgtDamage> {
        if id == ID_LOG {
            return Ok(Self::Log { len });
        }
        body.map_or(Ok(Self::Skipped { id, len }), |body| decode_body(id, body))
    }
}

/// Decodes the body of a message from a single board. On the tournament bus, the messages with all squares and with
/// the clock have the same body, so the bus codec uses this function too.
pub(crate) fn decode_body(id: u8, body: &[u8]) -> Result<DgtMessage, DgtDamage> {
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

/// Converts a body to text. All bytes of a body are below 128, so each byte is an ASCII character.
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
    // The digit for the hours is never hexadecimal A. So if the low nibble of either hour byte is A, the message is
    // an acknowledgement. The DGT protocol notes, section "Acks", require testing both bytes.
    if b3 & 0x0F == 0x0A || b6 & 0x0F == 0x0A {
        let high = |bits: u8, shift: u32| (bits << shift) & 0x80;
        return Ok(DgtMessage::Ack([b4 | high(b6, 3), b5 | high(b6, 2), b7 | high(b3, 3), b8 | high(b3, 2)]));
    }
    let status = ClockStatus::from_byte(b9);
    if !status.connected() {
        // If no clock is connected, the times have no meaning.
        return Ok(DgtMessage::Clock(ClockFrame { status, ..ClockFrame::default() }));
    }
    Ok(DgtMessage::Clock(ClockFrame {
        right: SideTime::decode(b3, b4, b5)?,
        left: SideTime::decode(b6, b7, b8)?,
        status,
    }))
}

impl DgtMessage {
    /// Appends the bytes of the message. Text that is too long is cut; characters that are not ASCII become `?`.
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
                // The body consists of filler bytes and the end mark of a log.
                let body = (0..*len).rev().map(|after| if after == 0 { 0x6B } else { 0x7F });
                frame(ID_LOG, body, out);
            }
            Self::Other { id, body } => frame(*id, body.iter().copied(), out),
            Self::Skipped { id, len } => frame(*id, (0..*len).map(|_| 0), out),
        }
    }

    /// Returns the bytes of the message.
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

/// Appends a message: the header and the body. Bit 7 of every body byte is cleared, and a body above [`LONGEST_BODY`]
/// is cut.
fn frame(id: u8, body: impl IntoIterator<Item = u8>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([id | 0x80, 0, 0]);
    out.extend(body.into_iter().take(usize::from(LONGEST_BODY)).map(|byte| byte & 0x7F));
    // The length in the header includes the header itself.
    let total = u16::try_from(out.len() - start).unwrap_or(LONGEST_BODY + HEADER);
    if let Some(slots) = out.get_mut(start + 1..start + 3) {
        slots.copy_from_slice(&address_bytes(total));
    }
}

/// Encodes a 14-bit number as two bytes of seven bits each, the high one first.
pub(crate) fn address_bytes(number: u16) -> [u8; 2] {
    let seven = |bits: u16| u8::try_from(bits & 0x7F).unwrap_or(0);
    [seven(number >> 7), seven(number)]
}

fn ascii_byte(letter: char) -> u8 {
    if letter.is_ascii() { u8::try_from(letter).unwrap_or(b'?') } else { b'?' }
}

/// Returns `text` as exactly `len` bytes, cut or padded with spaces.
fn padded(text: &str, len: usize) -> impl Iterator<Item = u8> {
    text.chars().map(ascii_byte).chain(std::iter::repeat(b' ')).take(len)
}

#[cfg(test)]
mod tests;
