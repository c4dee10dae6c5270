//! Who has heard what: one side's numbers, what of its own waits for an ack, and what it takes of the other's.
//!
//! No time of its own: the caller sends [`Link::waiting`] again when [`RESEND_MILLIS`] have gone by without an ack, and
//! says hello, asking, when that has helped [`RESENDS`] times no more.

use crate::{Frame, FrameKind, Hello, LONGEST_PAYLOAD, Message};

/// What waits for an ack is sent again after so many milliseconds.
pub const RESEND_MILLIS: u16 = 300;
/// So often; then a hello that asks begins anew.
pub const RESENDS: u8 = 5;

/// There is no room for another frame that waits for its ack, or the text in it is too long. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

/// What to do with a frame that came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// Act on it: it is new and comes in its turn.
    Take,
    /// The other side begins anew. If it asks, say hello without asking, and all that there is to show.
    Hello {
        /// Whether it asks.
        asks: bool,
    },
    /// Nothing to act on: a sign of life, an ack, or something that was taken before or comes too early.
    Nothing,
    /// Something was lost for good: say a hello that asks.
    Lost,
}

/// One side of a connection, with room for `ROOM` frames (1 to 64) that wait for their ack.
#[derive(Clone, Debug)]
pub struct FrameLink<const ROOM: usize> {
    /// The number of the last counted frame sent.
    sent: u8,
    /// The number of the last counted frame taken; nothing is taken before the other side's hello.
    taken: Option<u8>,
    waiting: [Frame; ROOM],
    len: usize,
    resent: u8,
}

impl<const ROOM: usize> Default for FrameLink<ROOM> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ROOM: usize> FrameLink<ROOM> {
    /// Nothing was said yet.
    pub const fn new() -> Self {
        let none = Frame { sequence: 0, kind: FrameKind::Heartbeat, len: 0, payload: [0; LONGEST_PAYLOAD] };
        Self { sent: 0, taken: None, waiting: [none; ROOM], len: 0, resent: 0 }
    }

    /// A hello to send. What waited is forgotten: all there is to show follows a hello. After one that asks nothing is
    /// taken until the other side's hello. `None` if the name is too long.
    pub fn hello(&mut self, hello: &Hello) -> Option<Frame> {
        let frame = Message::Hello(*hello).frame(self.sent)?;
        (self.len, self.resent) = (0, 0);
        if hello.asks {
            self.taken = None;
        }
        Some(frame)
    }

    /// A heartbeat to send; `None` while something waits for its ack.
    pub fn heartbeat(&self) -> Option<Frame> {
        Message::Heartbeat.frame(self.sent).filter(|_| self.len == 0)
    }

    /// A counted message to send; it waits for its ack from now on.
    pub fn send(&mut self, message: &Message) -> Result<Frame, NoRoom> {
        let number = self.sent.wrapping_add(1);
        let frame = message.frame(number).filter(|frame| frame.kind().counted()).ok_or(NoRoom)?;
        *self.waiting.get_mut(self.len).ok_or(NoRoom)? = frame;
        self.len += 1;
        self.sent = number;
        Ok(frame)
    }

    /// What waits for its ack, the oldest first.
    pub fn waiting(&self) -> &[Frame] {
        self.waiting.get(..self.len).unwrap_or_default()
    }

    /// Counts that all that waits is sent again; `false` if that was done often enough, and a hello is due.
    pub fn resend(&mut self) -> bool {
        self.resent = self.resent.saturating_add(1);
        self.resent <= RESENDS
    }

    /// A frame came: what to do with it, and the ack to send, if one is due.
    pub fn hear(&mut self, frame: &Frame) -> (Received, Option<Frame>) {
        match Message::read(frame) {
            Some(Message::Hello(hello)) => {
                self.taken = Some(frame.sequence());
                (Received::Hello { asks: hello.asks }, None)
            }
            Some(Message::Ack(number)) => {
                self.acked(number);
                (Received::Nothing, None)
            }
            Some(Message::Heartbeat) => {
                // Nothing waits over there, so this number should have been taken.
                let lost = self.taken.is_some_and(|taken| taken != frame.sequence());
                (if lost { Received::Lost } else { Received::Nothing }, None)
            }
            _ if frame.kind().counted() => self.count(frame),
            _ => (Received::Nothing, None),
        }
    }

    fn count(&mut self, frame: &Frame) -> (Received, Option<Frame>) {
        let Some(taken) = self.taken else { return (Received::Nothing, None) };
        let next = taken.wrapping_add(1) == frame.sequence();
        let taken = if next { frame.sequence() } else { taken };
        self.taken = Some(taken);
        let heard = if next { Received::Take } else { Received::Nothing };
        (heard, Message::Ack(taken).frame(self.sent))
    }

    fn acked(&mut self, number: u8) {
        let at = self.waiting().iter().position(|frame| frame.sequence() == number);
        if let Some(at) = at {
            self.waiting.copy_within(at + 1..self.len, 0);
            (self.len, self.resent) = (self.len - at - 1, 0);
        }
    }
}
