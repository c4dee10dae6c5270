//! Cuts the byte stream of DGT boards into frames, both for a single board and on the tournament bus. In both modes a
//! frame starts with a byte that has bit 7 set, followed by the length as two bytes of seven bits. No other byte has
//! bit 7 set.
//!
//! The messages of each mode ([`FromFrame`]) define which lengths a frame may have, and decode the bodies.
//!
//! Source: the project's DGT protocol notes, section "Frames".

use std::marker::PhantomData;

use tabiya_types::Millis;

use super::{DgtDamage, HEADER};

/// A type of message that one frame contains: a message of a single board, or an answer on the tournament bus.
pub trait FromFrame: Sized {
    /// The kinds of damage that the bytes of a frame can have.
    type Damage: From<DgtDamage>;

    /// Returns whether a frame with this first byte may have a body of `need` bytes (without the header).
    fn can_have(id: u8, need: u16) -> bool;

    /// Decodes a complete frame. `id` is its first byte (0x80 to 0xFF), `len` the length of its body in bytes; `body`
    /// is `None` if the body was too long to be stored.
    fn from_frame(id: u8, len: u16, body: Option<&[u8]>) -> Result<Self, Self::Damage>;
}

/// Cuts a byte stream into messages. It stores bodies of up to `KEPT` bytes and skips longer bodies. It does no IO,
/// reads no system time and uses a fixed amount of memory.
pub struct DgtFrameDecoder<M, const KEPT: usize> {
    state: State,
    body: [u8; KEPT],
    of: PhantomData<M>,
}

/// The decoder's position in the current frame.
#[derive(Clone, Copy)]
enum State {
    /// The decoder is between two frames. `noisy` is whether stray bytes were already reported here.
    Between { noisy: bool },
    /// The next byte is the high half of the length.
    High { id: u8 },
    /// The next byte is the low half of the length.
    Low { id: u8, high: u8 },
    /// The body is arriving: `got` of its `need` bytes have been received.
    Body { id: u8, need: u16, got: u16 },
}

impl<M: FromFrame, const KEPT: usize> Default for DgtFrameDecoder<M, KEPT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: FromFrame, const KEPT: usize> DgtFrameDecoder<M, KEPT> {
    /// Creates a decoder that waits for the first byte of a frame.
    pub fn new() -> Self {
        Self { state: State::Between { noisy: false }, body: [0; KEPT], of: PhantomData }
    }

    /// Processes one byte and returns at most one message. Never panics, whatever the bytes.
    ///
    /// Only the first byte of a frame has bit 7 set, so a byte with bit 7 always starts a new frame. A lost byte
    /// damages only the frame that it belonged to.
    pub fn push(&mut self, byte: u8) -> Option<Result<M, M::Damage>> {
        if byte & 0x80 != 0 {
            let broken = self.broken();
            self.state = State::High { id: byte };
            return broken.map(|(id, missing)| Err(DgtDamage::CutShort { id, missing }.into()));
        }
        match self.state {
            State::Between { noisy: true } => None,
            State::Between { noisy: false } => {
                self.state = State::Between { noisy: true };
                Some(Err(DgtDamage::Noise.into()))
            }
            State::High { id } => {
                self.state = State::Low { id, high: byte };
                None
            }
            State::Low { id, high } => self.begin_body(id, u16::from(high) << 7 | u16::from(byte)),
            State::Body { id, need, got } => {
                if let Some(slot) = self.body.get_mut(usize::from(got)) {
                    *slot = byte;
                }
                self.state = State::Body { id, need, got: got + 1 };
                (got + 1 == need).then(|| self.finish(id, need))
            }
        }
    }

    /// Returns how long the remaining bytes of the current frame may take, counted from the last received byte: one
    /// second, and 1.1 ms for each missing byte. `None` between two frames.
    pub fn patience(&self) -> Option<Millis> {
        self.broken().map(|(_, missing)| Millis(1000 + u64::from(missing) * 11 / 10))
    }

    /// Drops the current frame if its remaining bytes are overdue. `idle` is the time since the last received byte.
    /// Returns the damage if a frame was dropped.
    pub fn stale(&mut self, idle: Millis) -> Option<M::Damage> {
        if self.patience()? < idle { self.abandon() } else { None }
    }

    /// Drops the current frame and returns it as damage; `None` between two frames.
    pub fn abandon(&mut self) -> Option<M::Damage> {
        let (id, missing) = self.broken()?;
        self.state = State::Between { noisy: false };
        Some(DgtDamage::Overdue { id, missing }.into())
    }

    /// Returns the id of the current frame and the number of its missing bytes; `None` between two frames. While the
    /// header is incomplete, only its missing bytes are counted.
    fn broken(&self) -> Option<(u8, u16)> {
        match self.state {
            State::Between { .. } => None,
            State::High { id } => Some((id, 2)),
            State::Low { id, .. } => Some((id, 1)),
            State::Body { id, need, got } => Some((id, need - got)),
        }
    }

    fn begin_body(&mut self, id: u8, total: u16) -> Option<Result<M, M::Damage>> {
        let Some(need) = total.checked_sub(HEADER).filter(|need| M::can_have(id, *need)) else {
            // The following bytes belong to the damage that is reported here, so do not report them again.
            self.state = State::Between { noisy: true };
            return Some(Err(DgtDamage::Length { id, total }.into()));
        };
        self.state = State::Body { id, need, got: 0 };
        (need == 0).then(|| self.finish(id, need))
    }

    fn finish(&mut self, id: u8, len: u16) -> Result<M, M::Damage> {
        self.state = State::Between { noisy: false };
        M::from_frame(id, len, self.body.get(..usize::from(len)))
    }
}
