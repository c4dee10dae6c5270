//! The frames that boards and readers anyone can build exchange with Tabiya.
//!
//! Bytes only: no ports, no time, no heap, no chess library, so that the same code runs on a
//! microcontroller. The byte-level specification is `README.md` beside this folder; the vectors in
//! `vectors/` bind implementations in other languages too, first of all the C one in `c/`.
//!
//! Three layers, each usable without the next: frames (here), what they say ([`Message`]), and who
//! has heard what ([`FrameLink`]).
//!
//! ```
//! use firmware_protocol::{Content, Decoder, LONGEST_FRAME, Message, encode};
//!
//! let event = Message::Square { square: 28, content: Content::Empty }.frame(7).unwrap();
//! let mut wire = [0; LONGEST_FRAME];
//! let len = encode(&event, &mut wire).unwrap();
//! let mut decoder = Decoder::new();
//! let told = wire[..len].iter().filter_map(|byte| decoder.push(*byte)).last();
//! assert_eq!(told, Some(Ok(event)));
//! assert_eq!(decoder.more(), None);
//! ```
#![no_std]
#![warn(clippy::indexing_slicing)]

pub mod laws;
mod link;
mod message;

pub use link::{FrameLink, NoRoom, RESEND_MILLIS, RESENDS, Received};
pub use message::{
    AntennaTag, Can, Hello, LampReason, Lamps, LeverSide, MESSAGES, Message, PieceRole, Refresh,
    SMALLEST_PAYLOAD, SquareContent,
};

/// The first byte of every frame. It may occur inside one as well; length and checksum tell.
pub const START: u8 = 0xA5;
/// The version of the frame layer that this crate writes and reads.
pub const VERSION: u8 = 1;
/// The longest payload, in bytes: a whole board of pieces.
pub const LONGEST_PAYLOAD: usize = 64;
/// The lowest kind whose frames are counted.
const FIRST_COUNTED: u8 = 0x10;
/// Start, version, length, sequence, kind.
const HEADER: usize = 5;
/// The checksum, low byte first.
const CHECKSUM: usize = 4;
/// The longest frame, in bytes.
pub const LONGEST_FRAME: usize = HEADER + LONGEST_PAYLOAD + CHECKSUM;

/// What a frame says. The payload of each is in `README.md`, its values are in [`Message`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// Who I am and what I can do. The first frame after power-up, both ways.
    Hello,
    /// I am still here.
    Heartbeat,
    /// The counted frames up to this number have arrived.
    Ack,
    /// One square changed.
    Square,
    /// All 64 squares.
    Board,
    /// A side of the clock's lever went down.
    Press,
    /// A button was pressed or let go.
    Button,
    /// What lies on an antenna.
    Tag,
    /// A part of what is written on the tag there.
    Ndef,
    /// How full the battery is.
    Battery,
    /// Which squares are to shine.
    Lamps,
    /// A text for the display.
    Display,
    /// Make a sound.
    Beep,
    /// Tell this again.
    Refresh,
    /// A kind that this version does not know. It is passed on as it came.
    Other(u8),
}

impl FrameKind {
    /// The kind of a byte. Every byte is a kind.
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            0x01 => Self::Hello,
            0x02 => Self::Heartbeat,
            0x03 => Self::Ack,
            0x10 => Self::Square,
            0x11 => Self::Board,
            0x12 => Self::Press,
            0x13 => Self::Button,
            0x14 => Self::Tag,
            0x15 => Self::Ndef,
            0x16 => Self::Battery,
            0x20 => Self::Lamps,
            0x21 => Self::Display,
            0x22 => Self::Beep,
            0x23 => Self::Refresh,
            other => Self::Other(other),
        }
    }

    /// The byte of the kind.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Hello => 0x01,
            Self::Heartbeat => 0x02,
            Self::Ack => 0x03,
            Self::Square => 0x10,
            Self::Board => 0x11,
            Self::Press => 0x12,
            Self::Button => 0x13,
            Self::Tag => 0x14,
            Self::Ndef => 0x15,
            Self::Battery => 0x16,
            Self::Lamps => 0x20,
            Self::Display => 0x21,
            Self::Beep => 0x22,
            Self::Refresh => 0x23,
            Self::Other(byte) => byte,
        }
    }

    /// Whether frames of this kind are counted, acked and sent again: all from `10` on, those that
    /// nobody knows yet included.
    pub const fn counted(self) -> bool {
        self.byte() >= FIRST_COUNTED
    }
}

/// One frame.
#[derive(Clone, Copy)]
pub struct Frame {
    sequence: u8,
    kind: FrameKind,
    len: usize,
    payload: [u8; LONGEST_PAYLOAD],
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        // By bytes: an `Other` with a known kind's byte is that kind.
        (self.sequence, self.kind.byte(), self.payload())
            == (other.sequence, other.kind.byte(), other.payload())
    }
}

impl Eq for Frame {}

impl core::fmt::Debug for Frame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frame")
            .field("sequence", &self.sequence)
            .field("kind", &self.kind)
            .field("payload", &self.payload())
            .finish_non_exhaustive()
    }
}

impl Frame {
    /// A frame, or `None` when `payload` is longer than [`LONGEST_PAYLOAD`].
    ///
    /// `sequence` is the frame's own number if its kind is counted, else the number of the last such frame of this
    /// sender. After 255 comes 0.
    pub fn new(sequence: u8, kind: FrameKind, payload: &[u8]) -> Option<Self> {
        let mut kept = [0; LONGEST_PAYLOAD];
        kept.get_mut(..payload.len())?.copy_from_slice(payload);
        Some(Self { sequence, kind, len: payload.len(), payload: kept })
    }

    /// The sender's count: of this frame, or of the last counted one before it.
    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    /// What the frame says.
    pub fn kind(&self) -> FrameKind {
        self.kind
    }

    /// The bytes after the kind, at most [`LONGEST_PAYLOAD`].
    pub fn payload(&self) -> &[u8] {
        self.payload.get(..self.len).unwrap_or_default()
    }
}

/// The buffer is too short for the frame; it was left as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooShort {
    /// The bytes that the frame needs.
    pub need: usize,
}

impl core::fmt::Display for TooShort {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the frame needs {} bytes; give it a buffer of LONGEST_FRAME", self.need)
    }
}

impl core::error::Error for TooShort {}

/// Writes a frame to the start of `out` and returns its length.
pub fn encode(frame: &Frame, out: &mut [u8]) -> Result<usize, TooShort> {
    let payload = frame.payload();
    let need = HEADER + payload.len() + CHECKSUM;
    // A payload never exceeds 64 bytes, so its length is a byte.
    let len = payload.len().to_le_bytes();
    let header = [START, VERSION, *len.first().unwrap_or(&0), frame.sequence, frame.kind.byte()];
    let body = || header.iter().chain(payload).copied();
    let checksum = crc32(body().skip(1)).to_le_bytes();
    let slots = out.get_mut(..need).ok_or(TooShort { need })?;
    for (slot, byte) in slots.iter_mut().zip(body().chain(checksum)) {
        *slot = byte;
    }
    Ok(need)
}

/// CRC-32 as in IEEE 802.3: polynomial 04C11DB7 reflected, start and final value all ones. Of
/// the text `123456789` it is `CBF43926`.
pub fn crc32(bytes: impl IntoIterator<Item = u8>) -> u32 {
    !bytes.into_iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            // All ones if the lowest bit is set, else nothing.
            let mask = (crc & 1).wrapping_neg();
            crc >> 1 ^ 0xEDB8_8320 & mask
        })
    })
}

/// Bytes that are no frame. The decoder looks for the next one by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameDamage {
    /// Bytes before a frame's first byte; told once for a run of them.
    Noise,
    /// A frame of another version of the frame layer.
    Version(u8),
    /// A payload length above [`LONGEST_PAYLOAD`].
    Length(u8),
    /// The checksum does not fit.
    Checksum,
}

/// Cuts a stream of bytes into frames. Fixed memory; never panics.
///
/// After damage the bytes of the broken frame are looked through again for another start, so a
/// damaged frame never hides the whole one behind it.
#[derive(Clone, Debug)]
pub struct FrameDecoder {
    bytes: [u8; LONGEST_FRAME],
    len: usize,
    noisy: bool,
}

impl Default for FrameDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl FrameDecoder {
    /// Waits for a frame's first byte.
    pub const fn new() -> Self {
        Self { bytes: [0; LONGEST_FRAME], len: 0, noisy: false }
    }

    /// One byte in, the first frame or damage that it completes out. A damaged frame may have hidden several behind
    /// it: ask for [`more`](Self::more) until there is none.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame, FrameDamage>> {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
        self.more()
    }

    /// What else the last byte completed.
    pub fn more(&mut self) -> Option<Result<Frame, FrameDamage>> {
        loop {
            match self.look() {
                Ok(None) => return None,
                Ok(Some((frame, len))) => {
                    self.drop_first(len);
                    self.noisy = false;
                    return Some(Ok(frame));
                }
                Err(damage) => {
                    self.drop_first(1);
                    // The first damage is the cause; what follows in its wreck is not told.
                    if !core::mem::replace(&mut self.noisy, true) {
                        return Some(Err(damage));
                    }
                }
            }
        }
    }

    /// Whether a frame may have begun that is not whole yet. While not, the next whole frame is
    /// understood at once.
    pub const fn in_frame(&self) -> bool {
        self.len > 0
    }

    /// Drops what has been collected. Call it after a pause in the middle of a frame.
    pub fn abandon(&mut self) {
        *self = Self::new();
    }

    /// What the collected bytes are: the start of a frame, a frame and its length, or damage.
    fn look(&self) -> Result<Option<(Frame, usize)>, FrameDamage> {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        match *bytes {
            [] | [START] => return Ok(None),
            [START, VERSION, ..] => {}
            [START, version, ..] => return Err(FrameDamage::Version(version)),
            _ => return Err(FrameDamage::Noise),
        }
        let Some(&len) = bytes.get(2) else { return Ok(None) };
        if usize::from(len) > LONGEST_PAYLOAD {
            return Err(FrameDamage::Length(len));
        }
        let need = HEADER + usize::from(len);
        let Some((checked, [c0, c1, c2, c3, ..])) = bytes.split_at_checked(need) else { return Ok(None) };
        if crc32(checked.iter().copied().skip(1)) != u32::from_le_bytes([*c0, *c1, *c2, *c3]) {
            return Err(FrameDamage::Checksum);
        }
        let [_, _, _, sequence, kind, payload @ ..] = checked else { return Ok(None) };
        let frame = Frame::new(*sequence, FrameKind::from_byte(*kind), payload);
        Ok(frame.map(|frame| (frame, need + CHECKSUM)))
    }

    fn drop_first(&mut self, count: usize) {
        self.bytes.copy_within(count.min(self.len)..self.len, 0);
        self.len = self.len.saturating_sub(count);
    }
}
