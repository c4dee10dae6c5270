//! Cuts the byte stream of a DGT board into frames, on a line of its own and on the bus: both have a first byte with
//! bit 7 set, a length in two halves of seven bits, and no other byte with bit 7 set.
//!
//! Knows no message: whoever uses it says which lengths a frame may have, and what its body means.
//! Source: the DGT notes, "Frames".

use tabiya_types::Millis;

use super::{DgtDamage, HEADER};

/// Which bodies a frame can have: its first byte and the bytes of its body, without the three of the header.
pub(crate) type CanHave = fn(u8, u16) -> bool;

/// The stream, cut. Bodies of up to `KEPT` bytes are kept, longer ones are skipped by their length. No IO, no time,
/// fixed memory.
pub(crate) struct Framer<const KEPT: usize> {
    state: State,
    can_have: CanHave,
    body: [u8; KEPT],
}

/// A frame that is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DgtFrame {
    /// Its first byte, 0x80..=0xFF.
    pub(crate) id: u8,
    /// The bytes of its body.
    pub(crate) len: u16,
}

/// Where in a frame the stream is.
#[derive(Clone, Copy)]
enum State {
    /// Between frames; `noisy` once stray bytes were told.
    Between { noisy: bool },
    /// The high length byte comes next.
    High { id: u8 },
    /// The low length byte comes next.
    Low { id: u8, high: u8 },
    /// `got` of `need` bytes of the body are here.
    Body { id: u8, need: u16, got: u16 },
}

impl<const KEPT: usize> Framer<KEPT> {
    /// Waits for a frame's first byte.
    pub(crate) fn new(can_have: CanHave) -> Self {
        Self { state: State::Between { noisy: false }, can_have, body: [0; KEPT] }
    }

    /// One byte in, at most one frame out; never panics, whatever the bytes.
    ///
    /// Only a frame's first byte has bit 7 set, so any such byte starts afresh: a lost byte costs the frame that it was
    /// in and never the next one.
    pub(crate) fn push(&mut self, byte: u8) -> Option<Result<DgtFrame, DgtDamage>> {
        if byte & 0x80 != 0 {
            let broken = self.broken();
            self.state = State::High { id: byte };
            return broken.map(|(id, missing)| Err(DgtDamage::CutShort { id, missing }));
        }
        match self.state {
            State::Between { noisy: true } => None,
            State::Between { noisy: false } => {
                self.state = State::Between { noisy: true };
                Some(Err(DgtDamage::Noise))
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
                (got + 1 == need).then(|| Ok(self.finish(id, need)))
            }
        }
    }

    /// The body of the frame that was told last; `None` if it was too long to be kept.
    pub(crate) fn body(&self, frame: DgtFrame) -> Option<&[u8]> {
        self.body.get(..usize::from(frame.len))
    }

    /// How long the rest of the frame that has begun may take after its last byte, or `None` between frames: one
    /// second, and 1.1 ms for each byte that is missing.
    pub(crate) fn patience(&self) -> Option<Millis> {
        self.broken().map(|(_, missing)| Millis(1000 + u64::from(missing) * 11 / 10))
    }

    /// Drops the frame that has begun, if one has.
    pub(crate) fn abandon(&mut self) -> Option<DgtDamage> {
        let (id, missing) = self.broken()?;
        self.state = State::Between { noisy: false };
        Some(DgtDamage::Stale { id, missing })
    }

    /// The frame that has begun and how much of it is missing, as far as known.
    fn broken(&self) -> Option<(u8, u16)> {
        match self.state {
            State::Between { .. } => None,
            State::High { id } => Some((id, 2)),
            State::Low { id, .. } => Some((id, 1)),
            State::Body { id, need, got } => Some((id, need - got)),
        }
    }

    fn begin_body(&mut self, id: u8, total: u16) -> Option<Result<DgtFrame, DgtDamage>> {
        let Some(need) = total.checked_sub(HEADER).filter(|need| (self.can_have)(id, *need)) else {
            // What follows belongs to the same wreck: it was told here.
            self.state = State::Between { noisy: true };
            return Some(Err(DgtDamage::Length { id, total }));
        };
        self.state = State::Body { id, need, got: 0 };
        (need == 0).then(|| Ok(self.finish(id, need)))
    }

    fn finish(&mut self, id: u8, len: u16) -> DgtFrame {
        self.state = State::Between { noisy: false };
        DgtFrame { id, len }
    }
}
