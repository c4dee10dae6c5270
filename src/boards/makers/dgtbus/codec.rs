//! The words of DGT's bus: commands of four bytes to one board or to all, and answers with the address of whoever gives
//! them and a sum.
//!
//! Knows no time and no port. What stands on the squares, what the clock shows and what the log says are the single
//! board's own words (`dgt/codec.rs`); commands are its [`DgtCommand::Bus`].
//!
//! A frame has the command or answer with bit 7 set, two length bytes (answers only), the address in two halves of seven
//! bits, the high one first, what it says, and the sum of all bytes before, mod 128. Ids collide with a single board's:
//! `86` is a whole board there and a log here, so that a reader must know the mode.
//!
//! Source: the DGT notes, "Bus mode", "Frames" and "Commands and answers". Checked by: the notes' vectors V60 to V70 and
//! the laws in `laws.rs`. Not seen on hardware.

use std::time::Duration;

use tabiya_types::Millis;

use crate::makers::dgt::codec::{
    self as single, DgtCommand, DgtFrame, DgtMessage, Framer, ID_CLOCK, ID_DUMP, Version, address_bytes,
    understand,
};
use crate::transports::LineHold;

/// The address of all boards: pings, the end of bus mode, resets.
pub const ALL: u16 = 0;
/// The highest address: 14 bits.
pub const LAST_ADDRESS: u16 = 0x3FFF;

/// The address and the sum around what an answer says.
const AROUND: u16 = 3;
/// The whole log of a board, and the mark of its end.
const LONGEST_LOG: u16 = 7936 + 1;
/// The longest body that is kept.
const KEPT: usize = 7936 + 1 + 3;

/// What a board on the bus is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ask {
    /// The clock's times and lever.
    Clock,
    /// All squares.
    Board,
    /// What the log has noted since this was asked last.
    Changes,
    /// The last answer to [`Changes`](Self::Changes) again.
    Repeat,
    /// To note that a game begins, and all pieces.
    StartGame,
    /// The log since the game's begin, up to what was told already.
    FromStart,
    /// Whether it is there. Asked of all, each answers once, after 0 to 1100 ms.
    Ping,
    /// To be a single board. Asked of all, a line with several boards jams.
    EndBus,
    /// To start anew, which takes seconds.
    Reset,
    /// To let the next ping of all go by; answered as a ping, at once.
    IgnorePing,
    /// The firmware's version.
    Version,
    /// Changes, clock and board, in this order.
    Everything,
}

/// Each question with its byte. 50-square boards and what nobody knows are left out.
const ASKS: [(Ask, u8); 12] = [
    (Ask::Clock, 0x81),
    (Ask::Board, 0x82),
    (Ask::Changes, 0x83),
    (Ask::Repeat, 0x84),
    (Ask::StartGame, 0x85),
    (Ask::FromStart, 0x86),
    (Ask::Ping, 0x87),
    (Ask::EndBus, 0x88),
    (Ask::Reset, 0x89),
    (Ask::IgnorePing, 0x8A),
    (Ask::Version, 0x8B),
    (Ask::Everything, 0x8D),
];

impl Ask {
    /// The question of a byte.
    pub fn from_id(id: u8) -> Option<Self> {
        ASKS.into_iter().find(|(_, byte)| *byte == id).map(|(ask, _)| ask)
    }

    /// Its byte, 0x81..=0x8D.
    pub fn id(self) -> u8 {
        ASKS.into_iter().find(|(ask, _)| *ask == self).map_or(0x87, |(_, byte)| byte)
    }

    /// How long after it, asked of this address, an answer may begin: 80 ms. A board answers within milliseconds, within
    /// 20 while it writes its log, and 70 after it has noted a game's begin; a ping of all is answered by each after 0 to
    /// 1100 ms, and this is when the last answer is over.
    pub fn wait(self, address: u16) -> Millis {
        match (self, address) {
            (Self::Ping, ALL) => Millis(1150),
            (Self::StartGame, _) => Millis(150),
            _ => Millis(80),
        }
    }

    /// Whether this is what was asked for.
    pub fn is_answered(self, said: &AnswerContent) -> bool {
        matches!(
            (self, said),
            (
                Self::Board | Self::Everything,
                AnswerContent::Told(DgtMessage::Dump(_) | DgtMessage::SignalDump(..))
            ) | (
                Self::Clock,
                AnswerContent::Told(DgtMessage::Clock(_) | DgtMessage::Ack(_) | DgtMessage::ClockBlank)
            ) | (Self::Changes | Self::Repeat, AnswerContent::Changes(_))
                | (Self::FromStart, AnswerContent::FromStart(_))
                | (Self::StartGame, AnswerContent::Started)
                | (Self::Ping | Self::IgnorePing, AnswerContent::Ping)
                | (Self::Version, AnswerContent::Version(_))
        )
    }

    /// The four bytes that ask the board of this address, 1..=16383, or [`ALL`].
    pub fn to_bytes(self, address: u16) -> Vec<u8> {
        DgtCommand::Bus { id: self.id(), address }.to_bytes()
    }
}

/// For how long a question, as its bytes, has a line that is shared.
pub(super) fn turn(bytes: &[u8]) -> LineHold {
    let Some((ask, address)) = asked(bytes) else { return LineHold::Span(Duration::ZERO) };
    let wait = Duration::from_millis(ask.wait(address).0);
    match (ask, address) {
        // Nobody answers.
        (Ask::EndBus | Ask::Reset, _) => LineHold::Span(Duration::ZERO),
        (Ask::Ping, ALL) => LineHold::Span(wait),
        _ => LineHold::Answer(wait),
    }
}

/// The question of these bytes, and whom it asks.
fn asked(bytes: &[u8]) -> Option<(Ask, u16)> {
    match bytes {
        &[id, high, low, _] => Some((Ask::from_id(id)?, u16::from(high) << 7 | u16::from(low))),
        _ => None,
    }
}

/// Whether what was heard holds the answer to a question, both as bytes, or one with a wrong sum: nothing more comes of it.
/// What another board says, or this one of something else, is late and answers nothing.
pub(super) fn answered(question: &[u8], heard: &[u8]) -> bool {
    let Some((ask, address)) = asked(question) else { return false };
    let mut decoder = BusDecoder::new();
    let over = |told: Result<Answer, BusDamage>| match told {
        Ok(answer) => answer.address == address && ask.is_answered(&answer.said),
        Err(damage) => matches!(damage, BusDamage::Sum { .. }),
    };
    heard.iter().filter_map(|byte| decoder.push(*byte)).any(over)
}

/// Whether two numbers, as people write them, are the same board's.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other || address_of(one).is_some_and(|address| address_of(other) == Some(address))
}

/// The address that people have written, zeros in front or not; nothing if no board can have it.
pub(super) fn address_of(unit: &str) -> Option<u16> {
    unit.parse().ok().filter(|address| (1..=LAST_ADDRESS).contains(address))
}

/// What a board on the bus says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Who says it, 0..=16383.
    pub address: u16,
    /// What.
    pub said: AnswerContent,
}

/// What an answer says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerContent {
    /// What a single board says in the same bytes: all squares ([`DgtMessage::Dump`], [`DgtMessage::SignalDump`]), or its clock
    /// ([`DgtMessage::Clock`], [`DgtMessage::Ack`], [`DgtMessage::ClockBlank`]).
    Told(DgtMessage),
    /// What the log has noted since it was asked last; at most 7936 bytes, and `6B` at the end on some boards.
    Changes(Vec<u8>),
    /// The log since the game's begin, with `7B` in front on some boards.
    FromStart(Vec<u8>),
    /// It is there.
    Ping,
    /// The game's begin is noted.
    Started,
    /// The firmware. Versions up to 1.2 do not tell which.
    Version(Option<Version>),
    /// Something that this program does not know: news, not an error.
    Other {
        /// Its first byte, 0x80..=0xFF.
        id: u8,
        /// What it says, without address and sum.
        data: Vec<u8>,
    },
}

/// Bytes that are no answer: on the bus the everyday sign that two boards spoke at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BusDamage {
    /// The sum is another.
    #[error("answer {id:02x} has a wrong sum")]
    Sum {
        /// The answer's first byte.
        id: u8,
    },
    /// What is wrong on any line.
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

/// Whether an answer of this id can have a body of so many bytes, address and sum with it. 10×10 boards have 100 squares.
fn can_have(id: u8, need: u16) -> bool {
    match need.checked_sub(AROUND) {
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

/// Cuts the byte stream of a bus into answers, whoever gives them. No IO, no time, fixed memory.
pub struct BusDecoder(Framer<KEPT>);

impl Default for BusDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl BusDecoder {
    /// Waits for an answer's first byte.
    pub fn new() -> Self {
        Self(Framer::new(can_have))
    }

    /// One byte in, at most one answer out; never panics, whatever the bytes. A byte with bit 7 set starts afresh.
    pub fn push(&mut self, byte: u8) -> Option<Result<Answer, BusDamage>> {
        match self.0.push(byte)? {
            Ok(frame) => Some(self.finish(frame)),
            Err(damage) => Some(Err(damage.into())),
        }
    }

    /// How long the rest of the answer that has begun may take after its last byte, or `None` between answers.
    pub fn patience(&self) -> Option<Millis> {
        self.0.patience()
    }

    /// Drops the answer that has begun, if one has.
    pub fn abandon(&mut self) -> Option<BusDamage> {
        self.0.abandon().map(BusDamage::from)
    }

    fn finish(&self, frame: DgtFrame) -> Result<Answer, BusDamage> {
        let DgtFrame { id, len } = frame;
        let wrong = BusDamage::Sum { id };
        let Some(&[high, low, ref data @ .., sum]) = self.0.body(frame) else { return Err(wrong) };
        let [len_high, len_low] = address_bytes(len + 3);
        if sum_of([id, len_high, len_low, high, low].iter().chain(data)) != sum {
            return Err(wrong);
        }
        Ok(Answer { address: u16::from(high) << 7 | u16::from(low), said: said(id, data)? })
    }
}

/// The sum of these bytes, mod 128.
fn sum_of<'a>(bytes: impl Iterator<Item = &'a u8>) -> u8 {
    bytes.fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

fn said(id: u8, data: &[u8]) -> Result<AnswerContent, BusDamage> {
    Ok(match (id, data) {
        (ID_BOARD, squares) if squares.len() == 64 => AnswerContent::Told(understand(ID_DUMP, squares)?),
        (ID_TIMES, times) => AnswerContent::Told(understand(ID_CLOCK, times)?),
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
    /// Appends the answer's bytes; a log is cut at what an answer can hold.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match &self.said {
            AnswerContent::Told(message) => {
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

    /// The answer's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    fn frame(&self, id: u8, data: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        let data = data.get(..usize::from(LONGEST_LOG)).unwrap_or(data);
        let total = u16::try_from(data.len()).unwrap_or(LONGEST_LOG) + AROUND + 3;
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
