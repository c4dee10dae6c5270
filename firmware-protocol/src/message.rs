//! Messages: converts the payloads of frames to values and back. Source: `README.md`, "Messages".

use core::str::from_utf8;

use crate::{Frame, FrameKind, LONGEST_PAYLOAD};

/// The version of the message table in `README.md` that this crate implements.
pub const MESSAGES: u8 = 1;
/// The payload length in bytes that every device and program must be able to receive. A lamps message has this
/// length.
pub const SMALLEST_PAYLOAD: u8 = 32;
/// The value of the field for the NDEF length that means: the device has not read the NDEF message.
const NOT_READ: u16 = 0xFFFF;

/// The contents of a frame. Numbers of more than one byte are sent lowest byte first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message<'a> {
    /// The sender's name and abilities. After this message the sender sends its full state.
    Hello(Hello<'a>),
    /// The sender is still connected, and none of its frames waits for an ack.
    Heartbeat,
    /// All counted frames (frames of kind 0x10 and above, see `README.md`) up to this number have arrived.
    Ack(u8),
    /// A square changed.
    Square {
        /// The number of the square: 0 = a1, 1 = b1 … 63 = h8.
        square: u8,
        /// The new content of the square.
        content: SquareContent,
    },
    /// The content of all 64 squares, a1 first, then b1.
    Board([SquareContent; 64]),
    /// This side of the clock's lever went down.
    Press(LeverSide),
    /// A button was pressed or released.
    Button {
        /// The number of the button: 0 back, 1 minus, 2 start and stop, 3 plus, 4 ok. The maker of a device may
        /// define others.
        number: u8,
        /// Whether the button was pressed (`true`) or released (`false`).
        down: bool,
    },
    /// Reports what lies on an antenna at present. It may be the same as in the last report.
    Tag {
        /// The number of the antenna, from 0 on.
        antenna: u8,
        /// What lies on the antenna.
        tag: AntennaTag<'a>,
    },
    /// A part of the NDEF message of the tag on an antenna.
    Ndef {
        /// The number of the antenna, from 0 on.
        antenna: u8,
        /// The position of the first of these bytes in the NDEF message, from 0 on.
        offset: u16,
        /// The bytes of this part, 60 at most.
        bytes: &'a [u8],
    },
    /// The state of the battery.
    Battery {
        /// The charge in percent, 0 to 100; `None` if it is unknown.
        percent: Option<u8>,
        /// Whether the battery is being charged.
        charging: bool,
        /// Whether the battery needs charging.
        low: bool,
    },
    /// Lights these squares and switches off the lamps of all other squares.
    Lamps(Lamps),
    /// Shows a text on a line of the display. An empty text clears the line.
    Display {
        /// The number of the line, from 0 on.
        line: u8,
        /// The text, 62 bytes at most. The device cuts off what does not fit on its display.
        text: &'a str,
    },
    /// Makes the device sound for about this many milliseconds.
    Beep(u16),
    /// Requests that the device report these things again.
    Refresh(Refresh),
    /// A message that this version does not know.
    Other {
        /// The byte of the message's kind.
        kind: u8,
        /// The payload, unchanged.
        payload: &'a [u8],
    },
}

/// The contents of a hello: what the sender is and what it can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello<'a> {
    /// The highest version of the message table in `README.md` that the sender knows.
    pub messages: u8,
    /// Whether the sender requests a hello and the full state from the other side.
    pub asks: bool,
    /// The longest payload that the sender can receive, [`SMALLEST_PAYLOAD`] to 64 bytes.
    pub takes: u8,
    /// The abilities of the sender.
    pub can: Can,
    /// The name of the sender, 56 bytes at most.
    pub name: &'a str,
}

/// The abilities of a device, one bit each. Bits that this version does not know are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Can(pub u32);

impl Can {
    /// The device identifies the piece on a square.
    pub const SEES_PIECES: Self = Self(1 << 0);
    /// The device senses only whether a square is occupied.
    pub const FEELS_SQUARES: Self = Self(1 << 1);
    /// The device has a clock's lever, or two buttons that are used like a lever.
    pub const LEVER: Self = Self(1 << 2);
    /// The device has other buttons.
    pub const BUTTONS: Self = Self(1 << 3);
    /// The device reads tags.
    pub const TAGS: Self = Self(1 << 4);
    /// The device has a lamp in each square.
    pub const LAMPS: Self = Self(1 << 5);
    /// The device has a display for texts.
    pub const DISPLAY: Self = Self(1 << 6);
    /// The device can beep.
    pub const BEEP: Self = Self(1 << 7);
    /// The device reports the state of its battery.
    pub const BATTERY: Self = Self(1 << 8);

    /// The abilities of both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether this set contains all abilities of `other`.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The content of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareContent {
    /// No piece.
    Empty,
    /// A white piece.
    White(PieceRole),
    /// A black piece.
    Black(PieceRole),
    /// A piece of unknown colour and kind.
    Something,
}

/// A kind of piece. The variants are in ascending order of the bytes that encode them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "these are the pieces of chess")]
pub enum PieceRole {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceRole {
    const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
}

impl SquareContent {
    /// The content that this byte encodes; `None` for a byte without a meaning.
    pub fn from_byte(byte: u8) -> Option<Self> {
        let role = |number: u8| PieceRole::ALL.get(usize::from(number)).copied();
        match byte {
            0 => Some(Self::Empty),
            1..=6 => role(byte - 1).map(Self::White),
            7..=12 => role(byte - 7).map(Self::Black),
            255 => Some(Self::Something),
            _ => None,
        }
    }

    /// The byte for this content: 0 empty; 1 to 6 white pawn, knight, bishop, rook, queen, king; 7 to 12 the black
    /// pieces in the same order; 255 an unknown piece.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Empty => 0,
            Self::White(role) => 1 + role as u8,
            Self::Black(role) => 7 + role as u8,
            Self::Something => 255,
        }
    }
}

/// A side of the lever, seen from the front of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeverSide {
    /// The left side. It is White's side unless the board is turned.
    Left,
    /// The right side. It is Black's side unless the board is turned.
    Right,
}

/// What lies on an antenna.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AntennaTag<'a> {
    /// No tag.
    Gone,
    /// One tag.
    There {
        /// The UID of the tag: 4, 7 or 10 bytes.
        uid: &'a [u8],
        /// The length of the tag's NDEF message, whose bytes follow in [`Message::Ndef`]. `None` if the device could
        /// not read that message or did not try.
        ndef: Option<u16>,
    },
    /// More than one tag, so no tag is read.
    Several,
    /// The reader of this antenna does not answer.
    NoReader,
}

/// The reason why a square is lit. The device chooses colour and rhythm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampReason {
    /// No reason: the lamp is off.
    Dark,
    /// A piece may be put on this square.
    May,
    /// The piece on this square is wrong.
    Wrong,
    /// A piece is missing on this square.
    Missing,
    /// The last move began or ended on this square.
    Last,
    /// The king on this square is in check.
    Check,
    /// A reason that this version does not know, as its number from 6 to 15. A later version of the protocol may define
    /// its meaning. The device lights the square anyway.
    Other(u8),
}

impl LampReason {
    /// The reason that the low four bits of `bits` encode.
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 15 {
            0 => Self::Dark,
            1 => Self::May,
            2 => Self::Wrong,
            3 => Self::Missing,
            4 => Self::Last,
            5 => Self::Check,
            other => Self::Other(other),
        }
    }

    /// The four bits that encode this reason.
    pub const fn bits(self) -> u8 {
        match self {
            Self::Dark => 0,
            Self::May => 1,
            Self::Wrong => 2,
            Self::Missing => 3,
            Self::Last => 4,
            Self::Check => 5,
            Self::Other(bits) => bits & 15,
        }
    }
}

/// The lamps of the 64 squares, four bits each: a1 in the low half of the first byte, b1 in its high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lamps(pub [u8; 32]);

impl Lamps {
    /// The reason why `square` is lit. Squares are numbered 0 = a1 … 63 = h8.
    pub fn at(&self, square: u8) -> LampReason {
        let byte = self.0.get(usize::from(square / 2)).copied().unwrap_or(0);
        LampReason::from_bits(byte >> (square % 2 * 4))
    }

    /// Sets the reason why `square` is lit. Squares are numbered 0 = a1 … 63 = h8.
    pub fn set(&mut self, square: u8, glow: LampReason) {
        let shift = square % 2 * 4;
        if let Some(byte) = self.0.get_mut(usize::from(square / 2)) {
            *byte = *byte & !(15 << shift) | glow.bits() << shift;
        }
    }
}

/// The things that a device must report again, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refresh(pub u8);

impl Refresh {
    /// The content of the squares.
    pub const BOARD: Self = Self(1);
    /// The tags on the antennas.
    pub const TAGS: Self = Self(2);
    /// The state of the battery.
    pub const BATTERY: Self = Self(4);

    /// Whether this set contains everything in `other`.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A payload that is being written.
struct Payload {
    bytes: [u8; LONGEST_PAYLOAD],
    len: usize,
}

impl Payload {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len + bytes.len();
        self.bytes.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    /// Writes the length of `bytes` as one byte, then `bytes`. `None` if the payload has no room for them.
    fn put_counted(&mut self, bytes: &[u8]) -> Option<()> {
        self.put(&[u8::try_from(bytes.len()).ok()?])?;
        self.put(bytes)
    }
}

/// Reads a length from the first byte of `bytes`. Returns as many of the following bytes as this length says, and the
/// bytes after them. `None` if there are too few bytes.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(*len))
}

const fn bit(yes: bool, bit: u8) -> u8 {
    if yes { 1 << bit } else { 0 }
}

impl<'a> Message<'a> {
    /// The kind of this message's frame.
    pub const fn kind(&self) -> FrameKind {
        match self {
            Self::Hello(_) => FrameKind::Hello,
            Self::Heartbeat => FrameKind::Heartbeat,
            Self::Ack(_) => FrameKind::Ack,
            Self::Square { .. } => FrameKind::Square,
            Self::Board(_) => FrameKind::Board,
            Self::Press(_) => FrameKind::Press,
            Self::Button { .. } => FrameKind::Button,
            Self::Tag { .. } => FrameKind::Tag,
            Self::Ndef { .. } => FrameKind::Ndef,
            Self::Battery { .. } => FrameKind::Battery,
            Self::Lamps(_) => FrameKind::Lamps,
            Self::Display { .. } => FrameKind::Display,
            Self::Beep(_) => FrameKind::Beep,
            Self::Refresh(_) => FrameKind::Refresh,
            Self::Other { kind, .. } => FrameKind::from_byte(*kind),
        }
    }

    /// The message as a frame with this number; `None` if a text or a byte sequence is too long for a frame.
    pub fn frame(&self, sequence: u8) -> Option<Frame> {
        let mut payload = Payload { bytes: [0; LONGEST_PAYLOAD], len: 0 };
        self.write(&mut payload)?;
        Frame::new(sequence, self.kind(), payload.bytes.get(..payload.len)?)
    }

    fn write(&self, to: &mut Payload) -> Option<()> {
        match *self {
            Self::Hello(hello) => {
                to.put(&[hello.messages, bit(hello.asks, 0), hello.takes])?;
                to.put(&hello.can.0.to_le_bytes())?;
                to.put_counted(hello.name.as_bytes())
            }
            Self::Heartbeat => Some(()),
            Self::Ack(number) => to.put(&[number]),
            Self::Square { square, content } => to.put(&[square, content.byte()]),
            Self::Board(squares) => to.put(&squares.map(SquareContent::byte)),
            Self::Press(side) => to.put(&[bit(side == LeverSide::Right, 0)]),
            Self::Button { number, down } => to.put(&[number, bit(down, 0)]),
            Self::Tag { antenna, tag } => {
                let state = match tag {
                    AntennaTag::Gone => 0,
                    AntennaTag::There { .. } => 1,
                    AntennaTag::Several => 2,
                    AntennaTag::NoReader => 3,
                };
                to.put(&[antenna, state])?;
                let AntennaTag::There { uid, ndef } = tag else { return Some(()) };
                to.put_counted(uid)?;
                to.put(&ndef.unwrap_or(NOT_READ).to_le_bytes())
            }
            Self::Ndef { antenna, offset, bytes } => {
                to.put(&[antenna])?;
                to.put(&offset.to_le_bytes())?;
                to.put_counted(bytes)
            }
            Self::Battery { percent, charging, low } => {
                to.put(&[percent.unwrap_or(255), bit(charging, 0) | bit(low, 1)])
            }
            Self::Lamps(Lamps(lamps)) => to.put(&lamps),
            Self::Display { line, text } => {
                to.put(&[line])?;
                to.put_counted(text.as_bytes())
            }
            Self::Beep(millis) => to.put(&millis.to_le_bytes()),
            Self::Refresh(Refresh(bits)) => to.put(&[bits]),
            Self::Other { payload, .. } => to.put(payload),
        }
    }

    /// Reads the message in a frame; `None` if the payload is too short for its kind or has a value without meaning.
    /// Additional bytes at the end belong to a later version and are ignored.
    pub fn read(frame: &'a Frame) -> Option<Self> {
        let payload = frame.payload();
        Some(match (frame.kind(), payload) {
            (FrameKind::Hello, &[messages, flags, takes, c0, c1, c2, c3, ref name @ ..]) => {
                let can = Can(u32::from_le_bytes([c0, c1, c2, c3]));
                let name = text_of(counted(name)?.0);
                let takes = (SMALLEST_PAYLOAD..).contains(&takes).then_some(takes)?;
                Self::Hello(Hello { messages, asks: flags & 1 != 0, takes, can, name })
            }
            (FrameKind::Heartbeat, _) => Self::Heartbeat,
            (FrameKind::Ack, &[number, ..]) => Self::Ack(number),
            (FrameKind::Square, &[square @ 0..=63, content, ..]) => {
                Self::Square { square, content: SquareContent::from_byte(content)? }
            }
            (FrameKind::Board, _) => Self::Board(board(payload)?),
            (FrameKind::Press, &[0, ..]) => Self::Press(LeverSide::Left),
            (FrameKind::Press, &[1, ..]) => Self::Press(LeverSide::Right),
            (FrameKind::Button, &[number, state @ 0..=1, ..]) => Self::Button { number, down: state == 1 },
            (FrameKind::Tag, &[antenna, state, ref rest @ ..]) => {
                Self::Tag { antenna, tag: tag(state, rest)? }
            }
            (FrameKind::Ndef, &[antenna, o0, o1, ref rest @ ..]) => {
                Self::Ndef { antenna, offset: u16::from_le_bytes([o0, o1]), bytes: counted(rest)?.0 }
            }
            (FrameKind::Battery, &[percent @ (0..=100 | 255), flags, ..]) => Self::Battery {
                percent: (percent != 255).then_some(percent),
                charging: flags & 1 != 0,
                low: flags & 2 != 0,
            },
            (FrameKind::Lamps, _) => Self::Lamps(Lamps(*payload.first_chunk()?)),
            (FrameKind::Display, &[line, ref text @ ..]) => {
                Self::Display { line, text: from_utf8(counted(text)?.0).ok()? }
            }
            (FrameKind::Beep, &[m0, m1, ..]) => Self::Beep(u16::from_le_bytes([m0, m1])),
            (FrameKind::Refresh, &[bits, ..]) => Self::Refresh(Refresh(bits)),
            (FrameKind::Other(kind), _) => Self::Other { kind, payload },
            _ => return None,
        })
    }
}

/// The part of a text before the first byte that is not valid UTF-8. So a hello can be read even if the name in it is
/// malformed.
fn text_of(bytes: &[u8]) -> &str {
    let whole = from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    bytes.get(..whole).and_then(|bytes| from_utf8(bytes).ok()).unwrap_or_default()
}

fn board(payload: &[u8]) -> Option<[SquareContent; 64]> {
    let mut squares = [SquareContent::Empty; 64];
    let bytes: &[u8; 64] = payload.first_chunk()?;
    for (square, byte) in squares.iter_mut().zip(bytes) {
        *square = SquareContent::from_byte(*byte)?;
    }
    Some(squares)
}

fn tag(state: u8, rest: &[u8]) -> Option<AntennaTag<'_>> {
    Some(match state {
        0 => AntennaTag::Gone,
        1 => {
            let (uid, rest) = counted(rest)?;
            let ndef = u16::from_le_bytes(*rest.first_chunk()?);
            matches!(uid.len(), 4 | 7 | 10).then_some(())?;
            AntennaTag::There { uid, ndef: (ndef != NOT_READ).then_some(ndef) }
        }
        2 => AntennaTag::Several,
        3 => AntennaTag::NoReader,
        _ => return None,
    })
}
