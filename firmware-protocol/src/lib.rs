//! The protocol between Tabiya and self-built boards and readers.
//!
//! This crate handles only bytes. It needs no serial port, no clock, no heap and no chess library, so the same code
//! runs on a microcontroller. `README.md` specifies the protocol byte for byte. Every implementation must pass the
//! test vectors in `vectors/`, including implementations in other languages, such as the C code in `tabiya.c` beside this file.
//!
//! There are three layers: frames (this file), messages ([`Message`]), and acknowledged delivery ([`FrameLink`]).
//! Each layer can be used without the ones after it.
//!
//! ```
//! use firmware_protocol::{SquareContent, FrameDecoder, LONGEST_FRAME, Message, encode};
//!
//! let event = Message::Square { square: 28, content: SquareContent::Empty }.frame(7).unwrap();
//! let mut wire = [0; LONGEST_FRAME];
//! let len = encode(&event, &mut wire).unwrap();
//! let mut decoder = FrameDecoder::new();
//! let decoded = wire[..len].iter().filter_map(|byte| decoder.push(*byte)).last();
//! assert_eq!(decoded, Some(Ok(event)));
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

/// The first byte of every frame. The same value may occur inside a frame; the length and the checksum show where a
/// frame really begins.
pub const START: u8 = 0xA5;
/// The version of the frame layer that this crate writes and reads.
pub const VERSION: u8 = 1;
/// The greatest length of a payload, in bytes. A board message has this length: one byte for each square.
pub const LONGEST_PAYLOAD: usize = 64;
/// The lowest kind byte of a counted frame. A counted frame has its own number, is acknowledged, and is sent again if
/// no acknowledgement arrives.
const FIRST_COUNTED: u8 = 0x10;
/// The length of the header in bytes: one each for start, version, length, sequence and kind.
const HEADER: usize = 5;
/// The length of the checksum in bytes. The checksum is sent lowest byte first.
const CHECKSUM: usize = 4;
/// The greatest length of a frame, in bytes.
pub const LONGEST_FRAME: usize = HEADER + LONGEST_PAYLOAD + CHECKSUM;

/// The kind of a frame. `README.md` specifies the payload of each kind; [`Message`] is the decoded payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// The sender's name and abilities. Both sides send this frame first after power-up.
    Hello,
    /// A sign that the sender is still connected.
    Heartbeat,
    /// An acknowledgement: all counted frames up to a given number have arrived.
    Ack,
    /// One square changed.
    Square,
    /// The content of all 64 squares.
    Board,
    /// A side of the clock's lever went down.
    Press,
    /// A button was pressed or released.
    Button,
    /// The tag that lies on a card reader's antenna, if any.
    Tag,
    /// A part of the NDEF message of the tag on an antenna.
    Ndef,
    /// The state of the battery.
    Battery,
    /// A request to light squares, with the reason for each square.
    Lamps,
    /// A text for a line of the display.
    Display,
    /// A request to make a sound.
    Beep,
    /// A request to report the squares, the tags or the battery again.
    Refresh,
    /// A kind that this version does not know. Its payload is passed on unchanged.
    Other(u8),
}

impl FrameKind {
    /// The kind that this byte encodes. A byte without a known kind gives [`Other`](Self::Other).
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

    /// The byte that encodes this kind.
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

    /// Whether frames of this kind are counted. A counted frame has its own number, and its sender sends it again
    /// until it is acknowledged. All kinds from hexadecimal 10 on are counted, including unknown kinds.
    pub const fn counted(self) -> bool {
        self.byte() >= FIRST_COUNTED
    }
}

/// One frame: a number, a kind and a payload.
#[derive(Clone, Copy)]
pub struct Frame {
    sequence: u8,
    kind: FrameKind,
    len: usize,
    payload: [u8; LONGEST_PAYLOAD],
}

impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        // Compares the kinds as bytes, so that `Other(0x10)` equals `Square`, whose byte is 0x10.
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
    /// Makes a frame; `None` if `payload` is longer than [`LONGEST_PAYLOAD`].
    ///
    /// If frames of this kind are counted, `sequence` is the frame's own number. Otherwise it is the number of the
    /// sender's last counted frame. After 255 the numbers begin again with 0.
    pub fn new(sequence: u8, kind: FrameKind, payload: &[u8]) -> Option<Self> {
        let mut kept = [0; LONGEST_PAYLOAD];
        kept.get_mut(..payload.len())?.copy_from_slice(payload);
        Some(Self { sequence, kind, len: payload.len(), payload: kept })
    }

    /// The frame's own number if frames of this kind are counted; otherwise the number of the sender's last counted
    /// frame.
    pub fn sequence(&self) -> u8 {
        self.sequence
    }

    /// The kind of the frame.
    pub fn kind(&self) -> FrameKind {
        self.kind
    }

    /// The payload: the bytes between the kind and the checksum, at most [`LONGEST_PAYLOAD`].
    pub fn payload(&self) -> &[u8] {
        self.payload.get(..self.len).unwrap_or_default()
    }
}

/// The error of [`encode`] for a buffer that is too short. The buffer was not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooShort {
    /// How many bytes the frame needs.
    pub need: usize,
}

impl core::fmt::Display for TooShort {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "the buffer is too short: this frame needs {} bytes, and no frame needs more than {LONGEST_FRAME}",
            self.need
        )
    }
}

impl core::error::Error for TooShort {}

/// Writes a frame to the start of `out` and returns its length.
pub fn encode(frame: &Frame, out: &mut [u8]) -> Result<usize, TooShort> {
    let payload = frame.payload();
    let need = HEADER + payload.len() + CHECKSUM;
    // A payload never exceeds 64 bytes, so one byte can hold its length.
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

/// Computes the CRC-32 of IEEE 802.3: polynomial 04C11DB7, reflected, start value and final XOR all ones. For the
/// text `123456789` it is `CBF43926`.
pub fn crc32(bytes: impl IntoIterator<Item = u8>) -> u32 {
    !bytes.into_iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            // The mask has all bits set if the lowest bit of `crc` is set; otherwise it is zero.
            let mask = (crc & 1).wrapping_neg();
            crc >> 1 ^ 0xEDB8_8320 & mask
        })
    })
}

/// The reason why received bytes are not a valid frame. After such damage the decoder searches for the next frame by
/// itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameDamage {
    /// There are bytes before the first byte of a frame. Several such bytes in a row are reported only once.
    Noise,
    /// The frame has this version of the frame layer, which is not [`VERSION`].
    Version(u8),
    /// The header gives this payload length, which exceeds [`LONGEST_PAYLOAD`].
    Length(u8),
    /// The checksum does not match the bytes of the frame.
    Checksum,
}

/// Splits a byte stream into frames. It uses a fixed amount of memory and never panics.
///
/// After damage the decoder searches the bytes of the broken frame for another start byte. So a damaged frame never
/// hides an undamaged frame that follows it.
#[derive(Clone, Debug)]
pub struct FrameDecoder {
    bytes: [u8; LONGEST_FRAME],
    len: usize,
    /// Whether damage was reported since the last valid frame.
    noisy: bool,
}

impl Default for FrameDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl FrameDecoder {
    /// A decoder that has received nothing yet.
    pub const fn new() -> Self {
        Self { bytes: [0; LONGEST_FRAME], len: 0, noisy: false }
    }

    /// Adds a received byte. Returns the first frame that this byte completes, or the damage that it reveals. After
    /// damage one byte can complete several frames, so call [`more`](Self::more) until it returns `None`.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame, FrameDamage>> {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
        self.more()
    }

    /// Returns the next frame or damage in the bytes received so far; `None` if more bytes are needed.
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
                    // Reports only the first damage after a valid frame. Further damage is a consequence of the
                    // first.
                    if !core::mem::replace(&mut self.noisy, true) {
                        return Some(Err(damage));
                    }
                }
            }
        }
    }

    /// Whether the decoder holds the beginning of a possible frame. If `false`, the next undamaged frame will be
    /// recognised as soon as its last byte has arrived.
    pub const fn in_frame(&self) -> bool {
        self.len > 0
    }

    /// Drops the bytes of an incomplete frame. Call this method after 200 ms without a byte in the middle of a frame.
    pub fn abandon(&mut self) {
        *self = Self::new();
    }

    /// Examines the collected bytes. Returns a frame and its length in bytes, `Ok(None)` while the frame is
    /// incomplete, or the damage as `Err`.
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
