//! Commands from the host to a board: commands of one byte, and commands with arguments, which carry their length.
//!
//! Source: the project's DGT protocol notes, sections "Commands" and "Clock messages". Not tested with hardware: the
//! icons of the XL, counting up, the lights of the Revelation II.

use super::address_bytes;

/// A command to a board. The boot loader commands and the scan settings, which survive a power cut, have no variant:
/// Tabiya must never send them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DgtCommand {
    /// Stops all streams; the board becomes idle. There is no answer.
    Reset,
    /// Asks for one clock message.
    SendClock,
    /// Asks for all squares once.
    SendBoard,
    /// Starts streaming changed squares, and the clock's state every second.
    Update,
    /// Starts streaming changed squares only.
    UpdateBoard,
    /// Starts streaming changed squares, and the clock's state when it changes.
    UpdateNice,
    /// Asks for the serial number. This command also serves as the keep-alive.
    Serial,
    /// Asks for the address on a tournament bus.
    BusAddress,
    /// Asks for the maker's description of the board.
    Trademark,
    /// Asks for the hardware version.
    HardwareVersion,
    /// Asks for the board's internal log; the transfer takes up to eight seconds.
    Log,
    /// Switches the board to bus mode.
    BusMode,
    /// Asks for the battery state.
    Battery,
    /// Asks for the firmware version.
    Version,
    /// Asks for the long serial number.
    LongSerial,
    /// A command to the clock.
    Clock(ClockCommand),
    /// A command with arguments that are not decoded here: lights, keys, names, unknown clock commands.
    Argued {
        /// The command id: 0x2B, 0x60, 0x63 or 0x65.
        id: u8,
        /// The arguments: at most 127 bytes, each below 128.
        body: Vec<u8>,
    },
    /// A command of the tournament bus, with a correct checksum.
    Bus {
        /// The command id, 0x81..=0xFF.
        id: u8,
        /// The address, 0..=16383; 0 means all boards.
        address: u16,
    },
}

/// The commands of one byte.
static PLAIN: [(u8, DgtCommand); 15] = [
    (0x40, DgtCommand::Reset),
    (0x41, DgtCommand::SendClock),
    (0x42, DgtCommand::SendBoard),
    (0x43, DgtCommand::Update),
    (0x44, DgtCommand::UpdateBoard),
    (0x45, DgtCommand::Serial),
    (0x46, DgtCommand::BusAddress),
    (0x47, DgtCommand::Trademark),
    (0x48, DgtCommand::HardwareVersion),
    (0x49, DgtCommand::Log),
    (0x4A, DgtCommand::BusMode),
    (0x4B, DgtCommand::UpdateNice),
    (0x4C, DgtCommand::Battery),
    (0x4D, DgtCommand::Version),
    (0x55, DgtCommand::LongSerial),
];

/// The first byte of a command to the clock.
const ID_CLOCK_MESSAGE: u8 = 0x2B;
/// The first byte of the arguments of every clock command.
const CLOCK_START: u8 = 0x03;
/// The largest length of the arguments in bytes. The length is sent as one byte below 128.
const LONGEST_ARGUMENT: usize = 127;

/// A command to the clock that is connected to a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClockCommand {
    /// Shows six characters on a DGT XL.
    Xl(XlText),
    /// Sets the icons of a DGT XL: left, right, periods left, periods right, special.
    Icons([u8; 5]),
    /// Shows the times again.
    End,
    /// Asks which button was pressed.
    Button,
    /// Asks for the clock's version.
    Version,
    /// Sets both times and which side counts. The clock obeys only in its mode for computers.
    SetAndRun(SetAndRun),
    /// Beeps for this number of units of 64 ms.
    Beep(u8),
    /// Shows eight characters on a DGT 3000 and beeps.
    Text3000 {
        /// The characters, each below 128, padded with spaces.
        text: [u8; 8],
        /// The length of the beep, 0..=15. With 0 the clock does not beep; with any other `n` it beeps for 62.5 ms +
        /// `n`/16 s.
        beep: u8,
    },
    /// Shows eleven characters on a Revelation II and beeps.
    TextRevelation {
        /// The characters, each below 128, padded with spaces.
        text: [u8; 11],
        /// The length of the beep, 0..=15. With 0 the clock does not beep; with any other `n` it beeps for 62.5 ms +
        /// `n`/16 s.
        beep: u8,
    },
}

/// A text for the display of a DGT XL, whose layout is `1A:BC 1D:EF`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XlText {
    /// The segments of the characters A to F, from left to right. Bits from 0: top, upper right, lower right, bottom,
    /// lower left, upper left, middle.
    pub segments: [u8; 6],
    /// The dots and colons. Bits from 0: right dot, right colon, right `1`, left dot, left colon, left `1`.
    pub icons: u8,
    /// Whether the clock beeps.
    pub beep: bool,
}

impl XlText {
    /// Creates the display of the first six characters of `text`, padded with spaces, without icons.
    pub fn new(text: &str, beep: bool) -> Self {
        let mut letters = text.chars();
        Self { segments: [(); 6].map(|()| letters.next().map_or(0, segments)), icons: 0, beep }
    }

    /// Returns the characters on the display; `?` stands for a shape that is no known character.
    pub fn text(&self) -> String {
        self.segments.iter().map(|shape| shown_as(*shape)).collect()
    }
}

/// The setting of one side in [`SetAndRun`]. The numbers are binary, not BCD.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideSetting {
    /// Hours, 0..=9.
    pub hours: u8,
    /// Minutes, 0..=59.
    pub minutes: u8,
    /// Seconds, 0..=59.
    pub seconds: u8,
    /// Whether this side counts up, which DGT XL clocks up to version 1.14 cannot do.
    pub up: bool,
}

impl SideSetting {
    /// Creates the setting for a countdown from `secs` seconds, at most 9:59:59.
    pub fn from_secs(secs: u32) -> Self {
        let secs = secs.min(35_999);
        let byte = |n: u32| u8::try_from(n).unwrap_or(0);
        Self { hours: byte(secs / 3600), minutes: byte(secs / 60 % 60), seconds: byte(secs % 60), up: false }
    }

    /// Returns the time in seconds, including hours and minutes.
    pub fn secs(self) -> u32 {
        u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds)
    }

    fn encode(self) -> [u8; 3] {
        [self.hours & 0x0F | u8::from(self.up) << 4, self.minutes, self.seconds]
    }

    fn decode(hours: u8, minutes: u8, seconds: u8) -> Self {
        Self { hours: hours & 0x0F, minutes, seconds, up: hours & 0x10 != 0 }
    }
}

/// A command that sets both times and which side counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SetAndRun {
    /// The left side.
    pub left: SideSetting,
    /// The right side.
    pub right: SideSetting,
    /// Flags. Bits from 0: left counts down, right counts down, pause, moving the lever changes the side that counts.
    pub flags: u8,
}

impl SetAndRun {
    /// Flag: the left side counts down.
    pub const LEFT_RUNS: u8 = 0x01;
    /// Flag: the right side counts down.
    pub const RIGHT_RUNS: u8 = 0x02;
    /// Flag: neither side counts.
    pub const PAUSE: u8 = 0x04;
    /// Flag: moving the lever changes the side that counts.
    pub const LEVER: u8 = 0x08;
}

impl ClockCommand {
    /// Returns the command's number, which the clock repeats in its acknowledgement.
    pub fn number(&self) -> u8 {
        match self {
            Self::Xl(_) => 0x01,
            Self::Icons(_) => 0x02,
            Self::End => 0x03,
            Self::Button => 0x08,
            Self::Version => 0x09,
            Self::SetAndRun(_) => 0x0A,
            Self::Beep(_) => 0x0B,
            Self::Text3000 { .. } => 0x0C,
            Self::TextRevelation { .. } => 0x0D,
        }
    }

    fn arguments(&self) -> Vec<u8> {
        match self {
            Self::Xl(XlText { segments, icons, beep }) => {
                let tail = [*icons, if *beep { 0x03 } else { 0x01 }];
                xl_order(*segments).into_iter().chain(tail).collect()
            }
            Self::Icons(icons) => icons.iter().copied().chain([0; 3]).collect(),
            Self::End | Self::Button | Self::Version => Vec::new(),
            Self::SetAndRun(SetAndRun { left, right, flags }) => {
                left.encode().into_iter().chain(right.encode()).chain([*flags]).collect()
            }
            Self::Beep(length) => vec![*length],
            Self::Text3000 { text, beep } => text.iter().copied().chain([*beep]).collect(),
            Self::TextRevelation { text, beep } => text.iter().copied().chain([*beep]).collect(),
        }
    }

    /// Decodes the arguments of a clock command; `None` if the command is unknown.
    fn decode(body: &[u8]) -> Option<Self> {
        let [CLOCK_START, number, arguments @ .., 0] = body else { return None };
        Some(match (number, arguments) {
            (0x01, [shapes @ .., icons, beep]) => Self::Xl(XlText {
                segments: xl_order(shapes.try_into().ok()?),
                icons: *icons,
                beep: *beep == 0x03,
            }),
            (0x02, &[d0, d1, d2, d3, special, 0, 0, 0]) => Self::Icons([d0, d1, d2, d3, special]),
            (0x03, []) => Self::End,
            (0x08, []) => Self::Button,
            (0x09, []) => Self::Version,
            (0x0A, &[lh, lm, ls, rh, rm, rs, flags]) => Self::SetAndRun(SetAndRun {
                left: SideSetting::decode(lh, lm, ls),
                right: SideSetting::decode(rh, rm, rs),
                flags,
            }),
            (0x0B, &[length]) => Self::Beep(length),
            (0x0C, [text @ .., beep]) => Self::Text3000 { text: text.try_into().ok()?, beep: *beep },
            (0x0D, [text @ .., beep]) => Self::TextRevelation { text: text.try_into().ok()?, beep: *beep },
            _ => return None,
        })
    }

    /// Creates a text for a DGT 3000: the first eight characters of `text`, padded with spaces. Characters that are
    /// not ASCII become `?`.
    pub fn text_3000(text: &str, beep: u8) -> Self {
        Self::Text3000 { text: fixed(text), beep: beep.min(15) }
    }
}

/// Converts the segments from the order A B C D E F to the protocol's order C B A F E D, or back.
fn xl_order(mut segments: [u8; 6]) -> [u8; 6] {
    segments.swap(0, 2);
    segments.swap(3, 5);
    segments
}

fn fixed<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = super::padded(text, N);
    [(); N].map(|()| bytes.next().unwrap_or(b' '))
}

impl DgtCommand {
    /// Appends the bytes of the command.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Clock(command) => {
                let arguments = command.arguments();
                let content = [CLOCK_START, command.number()].into_iter().chain(arguments).chain([0]);
                argued(ID_CLOCK_MESSAGE, content, out);
            }
            Self::Argued { id, body } => argued(*id, body.iter().copied(), out),
            Self::Bus { id, address } => {
                let start = out.len();
                out.push(*id | 0x80);
                out.extend(address_bytes(*address));
                let sum = out.iter().skip(start).fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
                out.push(sum & 0x7F);
            }
            plain => out.extend(PLAIN.iter().filter(|(_, command)| command == plain).map(|(byte, _)| *byte)),
        }
    }

    /// Returns the bytes of the command.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }
}

fn argued(id: u8, body: impl Iterator<Item = u8>, out: &mut Vec<u8>) {
    out.extend([id & 0x7F, 0]);
    let start = out.len();
    out.extend(body.take(LONGEST_ARGUMENT).map(|byte| byte & 0x7F));
    let len = u8::try_from(out.len() - start).unwrap_or(0);
    if let Some(slot) = out.get_mut(start - 1) {
        *slot = len;
    }
}

/// Cuts the byte stream from a host into commands, for simulators. It uses a fixed amount of memory. Bytes that are
/// no command are ignored, as on a real board.
#[derive(Default)]
pub struct DgtCommandDecoder {
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Between,
    /// The next byte is the length of the arguments of command `id`.
    Length { id: u8 },
    /// The arguments are arriving; `need` is their length in bytes.
    Argument { id: u8, need: usize, body: Vec<u8> },
    /// A bus command is arriving. `rest` contains its bytes after the command id.
    Bus { id: u8, rest: Vec<u8> },
}

impl DgtCommandDecoder {
    /// Creates a decoder that waits for a command.
    pub fn new() -> Self {
        Self::default()
    }

    /// Processes one byte and returns at most one command; never panics. A byte with bit 7 set always starts a bus
    /// command.
    pub fn push(&mut self, byte: u8) -> Option<DgtCommand> {
        if byte & 0x80 != 0 {
            self.state = State::Bus { id: byte, rest: Vec::with_capacity(3) };
            return None;
        }
        match std::mem::take(&mut self.state) {
            State::Between => {
                if matches!(byte, ID_CLOCK_MESSAGE | 0x60 | 0x63 | 0x65) {
                    self.state = State::Length { id: byte };
                    return None;
                }
                PLAIN.iter().find(|(plain, _)| *plain == byte).map(|(_, command)| command.clone())
            }
            State::Length { id } => {
                let body = Vec::with_capacity(usize::from(byte));
                self.collect(id, usize::from(byte), body)
            }
            State::Argument { id, need, mut body } => {
                body.push(byte);
                self.collect(id, need, body)
            }
            State::Bus { id, mut rest } => {
                rest.push(byte);
                let &[high, low, sum] = rest.as_slice() else {
                    self.state = State::Bus { id, rest };
                    return None;
                };
                let right = id.wrapping_add(high).wrapping_add(low) & 0x7F == sum;
                right.then_some(DgtCommand::Bus { id, address: u16::from(high) << 7 | u16::from(low) })
            }
        }
    }

    /// Drops an incomplete command.
    pub fn abandon(&mut self) {
        self.state = State::Between;
    }

    fn collect(&mut self, id: u8, need: usize, body: Vec<u8>) -> Option<DgtCommand> {
        if body.len() < need {
            self.state = State::Argument { id, need, body };
            return None;
        }
        let known = if id == ID_CLOCK_MESSAGE { ClockCommand::decode(&body) } else { None };
        Some(known.map_or(DgtCommand::Argued { id, body }, DgtCommand::Clock))
    }
}

/// Seven-segment shapes. The maker defines the bits of the segments; the shapes of the letters are a common choice.
const SHAPES: [(char, u8); 45] = [
    (' ', 0x00),
    ('0', 0x3F),
    ('1', 0x06),
    ('2', 0x5B),
    ('3', 0x4F),
    ('4', 0x66),
    ('5', 0x6D),
    ('6', 0x7D),
    ('7', 0x07),
    ('8', 0x7F),
    ('9', 0x6F),
    ('a', 0x5F),
    ('b', 0x7C),
    ('c', 0x58),
    ('d', 0x5E),
    ('e', 0x7B),
    ('f', 0x71),
    ('g', 0x3D),
    ('h', 0x74),
    ('i', 0x10),
    ('j', 0x1E),
    ('k', 0x75),
    ('l', 0x38),
    ('m', 0x55),
    ('n', 0x54),
    ('o', 0x5C),
    ('p', 0x73),
    ('q', 0x67),
    ('r', 0x50),
    ('s', 0x6D),
    ('t', 0x78),
    ('u', 0x3E),
    ('v', 0x2A),
    ('w', 0x7E),
    ('x', 0x64),
    ('y', 0x6E),
    ('z', 0x5B),
    ('-', 0x40),
    ('/', 0x52),
    ('|', 0x36),
    ('\\', 0x64),
    ('?', 0x53),
    ('@', 0x65),
    ('=', 0x48),
    ('_', 0x08),
];

/// Returns the segments of a character on a DGT XL. A character that the display cannot show is blank.
pub fn segments(letter: char) -> u8 {
    let letter = letter.to_ascii_lowercase();
    SHAPES.iter().find(|(known, _)| *known == letter).map_or(0, |(_, shape)| *shape)
}

/// Returns the character with this shape on a DGT XL. If a digit and a letter have the same shape, returns the digit.
/// An unknown shape is `?`.
pub fn shown_as(shape: u8) -> char {
    SHAPES.iter().find(|(_, known)| *known == shape).map_or('?', |(letter, _)| *letter)
}
