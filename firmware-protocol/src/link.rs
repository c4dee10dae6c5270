//! Acknowledged delivery: numbers the counted frames of one side, keeps them until they are acked, and decides which
//! frames of the other side to accept.
//!
//! It measures no time. The caller sends the frames of [`FrameLink::waiting`] again after [`RESEND_MILLIS`] without an
//! ack. After [`RESENDS`] repetitions without success, the caller sends a hello that asks.

use crate::{Frame, FrameKind, Hello, LONGEST_PAYLOAD, Message};

/// After how many milliseconds without an ack the waiting frames are sent again.
pub const RESEND_MILLIS: u16 = 300;
/// How often the waiting frames are sent again before the sender sends a hello that asks.
pub const RESENDS: u8 = 5;

/// The error of [`FrameLink::send`]: too many frames wait for their ack, a text is too long, or the message is not
/// counted. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

/// What to do with a received frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// Act on the frame: it is new and has the next number.
    Take,
    /// The other side begins again. Send everything that there is to show.
    Hello {
        /// Whether the other side asks for a hello. If so, answer first with a hello that does not ask.
        asks: bool,
    },
    /// Do nothing: it is a heartbeat, an ack, a repeated frame, or a frame that arrived too early.
    Nothing,
    /// A frame was lost and will not be sent again: send a hello that asks.
    Lost,
}

/// One side of a connection. At most `ROOM` of its frames (1 to 64) can wait for their ack.
#[derive(Clone, Debug)]
pub struct FrameLink<const ROOM: usize> {
    /// The number of the last counted frame that was sent.
    sent: u8,
    /// The number of the last counted frame that was accepted; `None` before the other side's hello, until which none
    /// is accepted.
    taken: Option<u8>,
    /// The frames that wait for their ack, the oldest first.
    waiting: [Frame; ROOM],
    /// How many frames wait.
    len: usize,
    /// How often the waiting frames were sent again.
    resent: u8,
}

impl<const ROOM: usize> Default for FrameLink<ROOM> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ROOM: usize> FrameLink<ROOM> {
    /// A link before its first frame.
    pub const fn new() -> Self {
        let none = Frame { sequence: 0, kind: FrameKind::Heartbeat, len: 0, payload: [0; LONGEST_PAYLOAD] };
        Self { sent: 0, taken: None, waiting: [none; ROOM], len: 0, resent: 0 }
    }

    /// Makes a hello to send; `None` if the name is too long. Waiting frames are dropped, because everything is
    /// reported again after a hello. After a hello that asks, no frame is accepted until the other side's hello.
    pub fn hello(&mut self, hello: &Hello) -> Option<Frame> {
        let frame = Message::Hello(*hello).frame(self.sent)?;
        (self.len, self.resent) = (0, 0);
        if hello.asks {
            self.taken = None;
        }
        Some(frame)
    }

    /// Makes a heartbeat to send; `None` while a frame waits for its ack.
    pub fn heartbeat(&self) -> Option<Frame> {
        Message::Heartbeat.frame(self.sent).filter(|_| self.len == 0)
    }

    /// Makes the frame of a counted message to send. The frame waits for its ack from now on.
    pub fn send(&mut self, message: &Message) -> Result<Frame, NoRoom> {
        let number = self.sent.wrapping_add(1);
        let frame = message.frame(number).filter(|frame| frame.kind().counted()).ok_or(NoRoom)?;
        *self.waiting.get_mut(self.len).ok_or(NoRoom)? = frame;
        self.len += 1;
        self.sent = number;
        Ok(frame)
    }

    /// The frames that wait for their ack, the oldest first.
    pub fn waiting(&self) -> &[Frame] {
        self.waiting.get(..self.len).unwrap_or_default()
    }

    /// Counts one repetition of the waiting frames. Returns `false` after [`RESENDS`] repetitions: send a hello that
    /// asks instead.
    pub fn resend(&mut self) -> bool {
        self.resent = self.resent.saturating_add(1);
        self.resent <= RESENDS
    }

    /// Handles a received frame. Returns what to do with it, and the ack to send, if any.
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
                // No frame of the sender waits, so this side should have accepted its last number.
                let lost = self.taken.is_some_and(|taken| taken != frame.sequence());
                (if lost { Received::Lost } else { Received::Nothing }, None)
            }
            _ if frame.kind().counted() => self.count(frame),
            _ => (Received::Nothing, None),
        }
    }

    /// Handles a counted frame: accepts it if it has the next number, and acks the last accepted number.
    fn count(&mut self, frame: &Frame) -> (Received, Option<Frame>) {
        let Some(taken) = self.taken else { return (Received::Nothing, None) };
        let next = taken.wrapping_add(1) == frame.sequence();
        let taken = if next { frame.sequence() } else { taken };
        self.taken = Some(taken);
        let heard = if next { Received::Take } else { Received::Nothing };
        (heard, Message::Ack(taken).frame(self.sent))
    }

    /// Drops the waiting frames up to this number.
    fn acked(&mut self, number: u8) {
        let at = self.waiting().iter().position(|frame| frame.sequence() == number);
        if let Some(at) = at {
            self.waiting.copy_within(at + 1..self.len, 0);
            (self.len, self.resent) = (self.len - at - 1, 0);
        }
    }
}
