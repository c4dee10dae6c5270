//! Codec for DGT's tournament bus. Commands have four bytes and go to one board or to all boards. Answers contain the
//! address of their sender and a checksum.
//!
//! The codec does not depend on times or ports. Squares, clock times and log entries are encoded as on a single board
//! (`dgt/codec.rs`); commands are [`DgtCommand::Bus`].
//!
//! A frame consists of: the command or answer id with bit 7 set, two length bytes (answers only), the address as two
//! bytes of seven bits (high one first), the data, and the checksum (the sum of all previous bytes, mod 128). The
//! same id can have another meaning in single mode: there, `86` is a report of all squares; on the bus, it is a log.
//! So a decoder must know the mode.
//!
//! Source: the project's DGT protocol notes, sections "Bus mode", "Frames" and "Commands and answers". Checked by:
//! the vectors V60 to V70 of the notes and the laws in `laws.rs`. Not tested with hardware.

use std::time::Duration;

use tabiya_types::Millis;

use crate::makers::dgt::codec::{
    self as single, DgtCommand, DgtFrameDecoder, DgtMessage, FromFrame, ID_CLOCK, ID_DUMP, Version,
    address_bytes, decode_body,
};
use crate::transports::PortHold;

/// The address of all boards together, for pings, the end of bus mode and resets.
pub const ALL: u16 = 0;
/// The highest address; addresses have 14 bits.
pub const LAST_ADDRESS: u16 = 0x3FFF;

/// The number of bytes in an answer's body that are not data: two for the address, one for the checksum.
const ENVELOPE: u16 = 3;
/// The longest data of an answer in bytes: the full log of a board and its end mark.
const LONGEST_LOG: u16 = 7936 + 1;
/// The longest body that the decoder stores, in bytes: the longest data, the address and the checksum.
const KEPT: usize = 7936 + 1 + 3;

/// A question or command to a board on the bus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BusQuestion {
    /// Asks for the clock's times and lever.
    Clock,
    /// Asks for all squares.
    Board,
    /// Asks for the log entries since the last question of this kind.
    Changes,
    /// Asks for the last answer to [`Changes`](Self::Changes) again.
    Repeat,
    /// Makes the board write the start of a game and all pieces to its log.
    StartGame,
    /// Asks for the log since the start of the game, up to the last entry that was already sent as an answer to
    /// [`Changes`](Self::Changes).
    FromStart,
    /// Asks whether the board is connected. If all boards are asked, each board answers once, after 0 to 1100 ms.
    Ping,
    /// Switches the board to single mode. If all boards get this command, they all send at the same time and the line
    /// becomes unusable.
    EndBus,
    /// Restarts the board, which takes some seconds.
    Reset,
    /// Makes the board ignore the next ping to all boards. The board confirms this command immediately, like a ping.
    IgnorePing,
    /// Asks for the firmware version.
    Version,
    /// Asks for three answers, in this order: those to [`Changes`](Self::Changes), [`Clock`](Self::Clock) and
    /// [`Board`](Self::Board).
    Everything,
}

/// The command byte of each question. The table omits unknown commands and commands for boards with 50 squares.
const ASKS: [(BusQuestion, u8); 12] = [
    (BusQuestion::Clock, 0x81),
    (BusQuestion::Board, 0x82),
    (BusQuestion::Changes, 0x83),
    (BusQuestion::Repeat, 0x84),
    (BusQuestion::StartGame, 0x85),
    (BusQuestion::FromStart, 0x86),
    (BusQuestion::Ping, 0x87),
    (BusQuestion::EndBus, 0x88),
    (BusQuestion::Reset, 0x89),
    (BusQuestion::IgnorePing, 0x8A),
    (BusQuestion::Version, 0x8B),
    (BusQuestion::Everything, 0x8D),
];

impl BusQuestion {
    /// Returns the question with this command byte; `None` if it is unknown.
    pub fn from_id(id: u8) -> Option<Self> {
        ASKS.into_iter().find(|(_, byte)| *byte == id).map(|(ask, _)| ask)
    }

    /// Returns the command byte, 0x81..=0x8D.
    pub fn id(self) -> u8 {
        ASKS.into_iter().find(|(ask, _)| *ask == self).map_or(0x87, |(_, byte)| byte)
    }

    /// Returns the longest time from this question to the beginning of the answer from `address`, normally 80 ms.
    ///
    /// A board normally answers within a few milliseconds. While it writes its log, it answers within 20 ms. After the
    /// start of a game it answers within 70 ms. After a ping to all boards, each board answers after 0 to 1100 ms;
    /// then the returned time covers all answers.
    pub fn wait(self, address: u16) -> Millis {
        match (self, address) {
            (Self::Ping, ALL) => Millis(1150),
            (Self::StartGame, _) => Millis(150),
            _ => Millis(80),
        }
    }

    /// Returns whether the answer `said` belongs to this question.
    pub fn is_answered(self, said: &AnswerContent) -> bool {
        matches!(
            (self, said),
            (
                Self::Board | Self::Everything,
                AnswerContent::SingleMode(DgtMessage::Dump(_) | DgtMessage::SignalDump(..))
            ) | (
                Self::Clock,
                AnswerContent::SingleMode(DgtMessage::Clock(_) | DgtMessage::Ack(_) | DgtMessage::ClockBlank)
            ) | (Self::Changes | Self::Repeat, AnswerContent::Changes(_))
                | (Self::FromStart, AnswerContent::FromStart(_))
                | (Self::StartGame, AnswerContent::Started)
                | (Self::Ping | Self::IgnorePing, AnswerContent::Ping)
                | (Self::Version, AnswerContent::Version(_))
        )
    }

    /// Returns the four bytes of this question to the board with the address 1..=16383, or to [`ALL`].
    pub fn to_bytes(self, address: u16) -> Vec<u8> {
        DgtCommand::Bus { id: self.id(), address }.to_bytes()
    }
}

/// Returns how long a shared line is occupied after a question was sent. `bytes` is the encoded question.
pub(super) fn line_hold(bytes: &[u8]) -> PortHold {
    let Some((ask, address)) = asked(bytes) else { return PortHold::Span(Duration::ZERO) };
    let wait = Duration::from_millis(ask.wait(address).0);
    match (ask, address) {
        // Boards do not answer these commands.
        (BusQuestion::EndBus | BusQuestion::Reset, _) => PortHold::Span(Duration::ZERO),
        (BusQuestion::Ping, ALL) => PortHold::Span(wait),
        _ => PortHold::Answer(wait),
    }
}

/// Decodes the bytes of a question into the question and the address.
fn asked(bytes: &[u8]) -> Option<(BusQuestion, u16)> {
    match bytes {
        &[id, high, low, _] => Some((BusQuestion::from_id(id)?, u16::from(high) << 7 | u16::from(low))),
        _ => None,
    }
}

/// Returns whether `heard` contains the answer to `question`. Answers of other boards, and late answers to earlier
/// questions, do not count. An answer with a wrong checksum counts, because no other answer will follow.
pub(super) fn answered(question: &[u8], heard: &[u8]) -> bool {
    let Some((ask, address)) = asked(question) else { return false };
    let mut decoder = BusDecoder::new();
    let over = |decoded: Result<Answer, BusDamage>| match decoded {
        Ok(answer) => answer.address == address && ask.is_answered(&answer.content),
        Err(damage) => matches!(damage, BusDamage::Sum { .. }),
    };
    heard.iter().filter_map(|byte| decoder.push(*byte)).any(over)
}

/// Returns whether two board numbers, as written by people, mean the same board.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other || address_of(one).is_some_and(|address| address_of(other) == Some(address))
}

/// Parses an address written by people, with or without leading zeros; `None` if no board can have it.
pub(super) fn address_of(unit: &str) -> Option<u16> {
    unit.parse().ok().filter(|address| (1..=LAST_ADDRESS).contains(address))
}

/// An answer of a board on the bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The address of the board, 0..=16383.
    pub address: u16,
    /// The content of the answer.
    pub content: AnswerContent,
}

/// The content of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerContent {
    /// Content that is encoded as on a single board: all squares ([`DgtMessage::Dump`], [`DgtMessage::SignalDump`])
    /// or the clock ([`DgtMessage::Clock`], [`DgtMessage::Ack`], [`DgtMessage::ClockBlank`]).
    SingleMode(DgtMessage),
    /// The log entries since the last question for changes: at most 7936 bytes. Some boards add a final `6B`.
    Changes(Vec<u8>),
    /// The log since the start of the game; some boards put `7B` in front.
    FromStart(Vec<u8>),
    /// The answer to a ping, or to [`BusQuestion::IgnorePing`].
    Ping,
    /// The board wrote the start of the game to its log.
    Started,
    /// The firmware version. Versions up to 1.2 do not report it.
    Version(Option<Version>),
    /// An answer with an unknown id. This is not an error.
    Other {
        /// The answer id, 0x80..=0xFF.
        id: u8,
        /// The data, without address and checksum.
        data: Vec<u8>,
    },
}

/// Bytes that are not a valid answer. On the bus this happens regularly, when two boards send at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BusDamage {
    /// The checksum is wrong.
    #[error("answer {id:02x} has a wrong checksum")]
    Sum {
        /// The answer id.
        id: u8,
    },
    /// Damage of a kind that also occurs in single mode.
    #[error(transparent)]
    Frame(#[from] single::DgtDamage),
}

const ID_BOARD: u8 = 0x83;
const ID_TIMES: u8 = 0x84;
const ID_CHANGES: u8 = 0x85;
const ID_FROM_START: u8 = 0x86;
const ID_PING: u8 = 0x87;
const ID_STARTED: u8 = 0x88;
const ID_VERSION: u8 = 0x89;

/// The answers whose data is known: squares, clock, log and version.
pub(super) const KNOWN_ANSWERS: [u8; 7] =
    [ID_BOARD, ID_TIMES, ID_CHANGES, ID_FROM_START, ID_PING, ID_STARTED, ID_VERSION];
/// Where an answer's address begins: after the id and two bytes for the length.
pub(super) const ENVELOPE_START: usize = 3;

/// Cuts the byte stream of a bus into answers from any board. It does no IO, reads no system time and uses a fixed
/// amount of memory.
pub type BusDecoder = DgtFrameDecoder<Answer, KEPT>;

impl FromFrame for Answer {
    type Damage = BusDamage;

    /// Returns whether an answer with this id may have a body of `need` bytes, including address and checksum. Boards
    /// with 10×10 squares send 100 piece codes.
    fn can_have(id: u8, need: u16) -> bool {
        match need.checked_sub(ENVELOPE) {
            None => false,
            Some(data) => match id {
                ID_BOARD => matches!(data, 64 | 100),
                ID_TIMES => data == 7,
                ID_PING | ID_STARTED => data == 0,
                ID_VERSION => matches!(data, 0 | 2),
                _ => data <= LONGEST_LOG,
            },
        }
    }

    fn from_frame(id: u8, len: u16, body: Option<&[u8]>) -> Result<Self, BusDamage> {
        let wrong = BusDamage::Sum { id };
        let Some(&[high, low, ref data @ .., sum]) = body else { return Err(wrong) };
        let [len_high, len_low] = address_bytes(len + 3);
        if sum_of([id, len_high, len_low, high, low].iter().chain(data)) != sum {
            return Err(wrong);
        }
        Ok(Self { address: u16::from(high) << 7 | u16::from(low), content: said(id, data)? })
    }
}

/// Returns the sum of these bytes, mod 128.
pub(super) fn sum_of<'a>(bytes: impl Iterator<Item = &'a u8>) -> u8 {
    bytes.fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

fn said(id: u8, data: &[u8]) -> Result<AnswerContent, BusDamage> {
    Ok(match (id, data) {
        (ID_BOARD, squares) if squares.len() == 64 => {
            AnswerContent::SingleMode(decode_body(ID_DUMP, squares)?)
        }
        (ID_TIMES, times) => AnswerContent::SingleMode(decode_body(ID_CLOCK, times)?),
        (ID_CHANGES, log) => AnswerContent::Changes(log.to_vec()),
        (ID_FROM_START, log) => AnswerContent::FromStart(log.to_vec()),
        (ID_PING, []) => AnswerContent::Ping,
        (ID_STARTED, []) => AnswerContent::Started,
        (ID_VERSION, []) => AnswerContent::Version(None),
        (ID_VERSION, &[main, sub]) => AnswerContent::Version(Some(Version { main, sub })),
        _ => AnswerContent::Other { id, data: data.to_vec() },
    })
}

impl Answer {
    /// Appends the bytes of the answer. A log that is too long for an answer is cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match &self.content {
            AnswerContent::SingleMode(message) => {
                let bytes = message.to_bytes();
                let id = if bytes.first() == Some(&ID_DUMP) { ID_BOARD } else { ID_TIMES };
                self.frame(id, bytes.get(3..).unwrap_or_default(), out);
            }
            AnswerContent::Changes(log) => self.frame(ID_CHANGES, log, out),
            AnswerContent::FromStart(log) => self.frame(ID_FROM_START, log, out),
            AnswerContent::Ping => self.frame(ID_PING, &[], out),
            AnswerContent::Started => self.frame(ID_STARTED, &[], out),
            AnswerContent::Version(None) => self.frame(ID_VERSION, &[], out),
            AnswerContent::Version(Some(Version { main, sub })) => {
                self.frame(ID_VERSION, &[*main, *sub], out);
            }
            AnswerContent::Other { id, data } => self.frame(*id, data, out),
        }
    }

    /// Returns the bytes of the answer.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    fn frame(&self, id: u8, data: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let data = data.get(..usize::from(LONGEST_LOG)).unwrap_or(data);
        let total = u16::try_from(data.len()).unwrap_or(LONGEST_LOG) + ENVELOPE + 3;
        out.push(id | 0x80);
        out.extend(address_bytes(total));
        out.extend(address_bytes(self.address));
        out.extend(data.iter().map(|byte| byte & 0x7F));
        let sum = sum_of(out.iter().skip(start));
        out.push(sum);
    }
}

#[cfg(test)]
mod tests;
