//! What frames say: each payload as a value, both ways. Table of messages: `README.md`, "Messages".

use core::str::from_utf8;

use crate::{Frame, FrameKind, LONGEST_PAYLOAD};

/// The version of the table of messages that this crate knows.
pub const MESSAGES: u8 = 1;
/// What every side can take, in bytes of payload: lamps are never cut.
pub const SMALLEST_PAYLOAD: u8 = 32;
/// The NDEF length that says "not read".
const NOT_READ: u16 = 0xFFFF;

/// What a frame says. Numbers of more than a byte go lowest byte first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message<'a> {
    /// Who I am. All that I have to show follows.
    Hello(Hello<'a>),
    /// I am still here, and nothing of mine waits for an ack.
    Heartbeat,
    /// All counted frames up to this number have arrived.
    Ack(u8),
    /// A square changed.
    Square {
        /// 0 = a1, 1 = b1 … 63 = h8.
        square: u8,
        /// What stands there now.
        content: SquareContent,
    },
    /// What stands on the 64 squares, a1 first, then b1.
    Board([SquareContent; 64]),
    /// This side of the lever went down.
    Press(LeverSide),
    /// A button was pressed or let go.
    Button {
        /// 0 back, 1 minus, 2 start and stop, 3 plus, 4 ok; others as the maker likes.
        number: u8,
        /// Whether it went down.
        down: bool,
    },
    /// What lies on an antenna now, whatever lay there before.
    Tag {
        /// Which one, from 0 on.
        antenna: u8,
        /// What lies there.
        tag: AntennaTag<'a>,
    },
    /// A part of what is written on the tag that lies on an antenna.
    Ndef {
        /// Which one.
        antenna: u8,
        /// Where these bytes begin in the whole.
        offset: u16,
        /// At most 60 bytes.
        bytes: &'a [u8],
    },
    /// The battery.
    Battery {
        /// How full, 0 to 100; `None` if only the rest is known.
        percent: Option<u8>,
        /// Whether it is being charged.
        charging: bool,
        /// Whether it asks to be charged.
        low: bool,
    },
    /// These squares shine and no others.
    Lamps(Lamps),
    /// A text for a line of the display, at most 62 bytes; none clears the line.
    Display {
        /// Which line, from 0 on.
        line: u8,
        /// What it shows; what has no room there is cut by the device.
        text: &'a str,
    },
    /// A sound of about so many milliseconds.
    Beep(u16),
    /// Tell these again.
    Refresh(Refresh),
    /// What this version does not know.
    Other {
        /// The kind's byte.
        kind: u8,
        /// As it came.
        payload: &'a [u8],
    },
}

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello<'a> {
    /// The highest version of the table of messages that it knows.
    pub messages: u8,
    /// Whether it wants a hello back, and all that the other side has to show.
    pub asks: bool,
    /// The longest payload that it can take, [`SMALLEST_PAYLOAD`] to 64.
    pub takes: u8,
    /// What it can do.
    pub can: Can,
    /// What it calls itself, at most 56 bytes.
    pub name: &'a str,
}

/// Abilities, a bit each. Bits that this version does not know are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Can(pub u32);

impl Can {
    /// It tells which piece stands on a square.
    pub const SEES_PIECES: Self = Self(1 << 0);
    /// It feels that something stands on a square.
    pub const FEELS_SQUARES: Self = Self(1 << 1);
    /// It has a clock's lever, or two buttons that serve as one.
    pub const LEVER: Self = Self(1 << 2);
    /// It has other buttons.
    pub const BUTTONS: Self = Self(1 << 3);
    /// It reads tags.
    pub const TAGS: Self = Self(1 << 4);
    /// It has a lamp in each square.
    pub const LAMPS: Self = Self(1 << 5);
    /// It shows texts.
    pub const DISPLAY: Self = Self(1 << 6);
    /// It beeps.
    pub const BEEP: Self = Self(1 << 7);
    /// It knows how full its battery is.
    pub const BATTERY: Self = Self(1 << 8);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is among these.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareContent {
    /// Nothing.
    Empty,
    /// A white piece.
    White(PieceRole),
    /// A black piece.
    Black(PieceRole),
    /// A piece; which one is not known.
    Something,
}

/// A kind of piece, in the order of its bytes.
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
    /// The content of a byte; `None` for bytes that have no meaning.
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

    /// Its byte: 0 empty, 1 to 6 white pawn, knight, bishop, rook, queen, king, 7 to 12 the black ones, 255 something.
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
    /// White's, as long as the board is not turned.
    Left,
    /// Black's, likewise.
    Right,
}

/// What lies on an antenna.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AntennaTag<'a> {
    /// Nothing.
    Gone,
    /// One tag.
    There {
        /// 4, 7 or 10 bytes.
        uid: &'a [u8],
        /// How many bytes are written on it as NDEF; they follow in [`Message::Ndef`]. `None`: it could not be read, or
        /// nobody tried.
        ndef: Option<u16>,
    },
    /// More than one: none of them is read.
    Several,
    /// The reader behind the antenna does not answer.
    NoReader,
}

/// Why a square shines. The device decides how that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LampReason {
    /// It does not.
    Dark,
    /// The piece may go here.
    May,
    /// Something stands here that should not.
    Wrong,
    /// A piece is missing here.
    Missing,
    /// The last move went from or to here.
    Last,
    /// The king here is in check.
    Check,
    /// A reason of a later version, 6 to 15: let it shine.
    Other(u8),
}

impl LampReason {
    /// The meaning of the low four bits.
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

    /// Its four bits.
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

/// Which of the 64 squares shine, and why: four bits each, a1 in the low half of the first byte, b1 in its high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lamps(pub [u8; 32]);

impl Lamps {
    /// Why a square shines, 0 = a1 … 63 = h8.
    pub fn at(&self, square: u8) -> LampReason {
        let byte = self.0.get(usize::from(square / 2)).copied().unwrap_or(0);
        LampReason::from_bits(byte >> (square % 2 * 4))
    }

    /// Has a square shine so.
    pub fn set(&mut self, square: u8, glow: LampReason) {
        let shift = square % 2 * 4;
        if let Some(byte) = self.0.get_mut(usize::from(square / 2)) {
            *byte = *byte & !(15 << shift) | glow.bits() << shift;
        }
    }
}

/// What is to be told again, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refresh(pub u8);

impl Refresh {
    /// What stands on the squares.
    pub const BOARD: Self = Self(1);
    /// What lies on the antennas.
    pub const TAGS: Self = Self(2);
    /// The battery.
    pub const BATTERY: Self = Self(4);

    /// Whether all of `other` is among these.
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

    /// The length as a byte, then the bytes themselves.
    fn put_counted(&mut self, bytes: &[u8]) -> Option<()> {
        self.put(&[u8::try_from(bytes.len()).ok()?])?;
        self.put(bytes)
    }
}

/// The bytes behind a length, and what follows them.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(*len))
}

const fn bit(yes: bool, bit: u8) -> u8 {
    if yes { 1 << bit } else { 0 }
}

impl<'a> Message<'a> {
    /// The kind of its frame.
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

    /// Its frame with this number; `None` if a text or a run of bytes is too long for one.
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

    /// What a frame says; `None` if its payload is shorter than its kind wants or says what has no meaning. Bytes behind
    /// it are a later version's and are left out.
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

/// The bytes up to the first that is no UTF-8: a name that is none keeps nobody from speaking.
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
