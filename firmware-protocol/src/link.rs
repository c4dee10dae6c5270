//! Acknowledged delivery. [`FrameLink`] numbers the counted frames of one side, keeps each frame until it is
//! acknowledged (acked), and decides which frames from the other side to accept.
//!
//! The link measures no time: its caller sends the frames of [`FrameLink::waiting`] again after [`RESEND_MILLIS`]
//! without an ack. If [`RESENDS`] repetitions bring no ack, the caller sends a hello that requests the other side's
//! full state ([`Hello::asks`]).

use crate::{Frame, FrameKind, Hello, LONGEST_PAYLOAD, Message};

/// The time in milliseconds after which frames that got no ack are sent again.
pub const RESEND_MILLIS: u16 = 300;
/// How many times frames that got no ack are sent again. After that, the sender sends a hello that requests the other
/// side's full state.
pub const RESENDS: u8 = 5;

/// The error of [`FrameLink::send`]: too many frames wait for their ack, a text is too long, or the message is of a
/// kind whose frames get no number of their own (hello, heartbeat, ack). The link has not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoRoom;

/// What the caller must do with a received frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// Act on the frame: it has the next number, so it is new.
    Take,
    /// Send the full state, because the other side has restarted the connection with a hello.
    Hello {
        /// Whether the received hello requests an answer. If so, first send a hello whose `asks` is `false`.
        asks: bool,
    },
    /// Do nothing: the frame is a heartbeat, an ack, a repetition, or out of order.
    Nothing,
    /// Send a hello that requests the other side's full state: a frame was lost and will not be sent again.
    Lost,
}

/// One side of a connection. At most `ROOM` frames (1 to 64) that this side has sent can wait for their ack.
#[derive(Clone, Debug)]
pub struct FrameLink<const ROOM: usize> {
    /// The number of the last counted frame that was sent.
    sent: u8,
    /// The number of the last counted frame that was accepted. `None` until the other side's hello arrives; before
    /// that, no counted frame is accepted.
    taken: Option<u8>,
    /// The frames that wait for their ack, the oldest first.
    waiting: [Frame; ROOM],
    /// How many frames wait for their ack.
    len: usize,
    /// How many times the waiting frames were sent again.
    resent: u8,
}

impl<const ROOM: usize> Default for FrameLink<ROOM> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ROOM: usize> FrameLink<ROOM> {
    /// A link that has sent and received nothing yet.
    pub const fn new() -> Self {
        let none = Frame { sequence: 0, kind: FrameKind::Heartbeat, len: 0, payload: [0; LONGEST_PAYLOAD] };
        Self { sent: 0, taken: None, waiting: [none; ROOM], len: 0, resent: 0 }
    }

    /// Makes a hello frame to send; `None` if the name is too long. Drops the frames that wait for their ack, because
    /// both sides send their full state again after a hello. If the hello requests an answer, this side ignores the
    /// other side's counted frames until the other side's hello arrives.
    pub fn hello(&mut self, hello: &Hello) -> Option<Frame> {
        let frame = Message::Hello(*hello).frame(self.sent)?;
        (self.len, self.resent) = (0, 0);
        if hello.asks {
            self.taken = None;
        }
        Some(frame)
    }

    /// Makes a heartbeat frame to send; `None` while a frame waits for its ack.
    pub fn heartbeat(&self) -> Option<Frame> {
        Message::Heartbeat.frame(self.sent).filter(|_| self.len == 0)
    }

    /// Makes the frame of a counted message to send. From now on this frame waits for its ack.
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

    /// Registers that the frames without an ack are about to be sent again. Returns `false` if they were already sent
    /// again [`RESENDS`] times. Instead of sending them, the caller must then send a hello that requests the other
    /// side's full state.
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
                // The other side sends a heartbeat only when none of its frames waits for an ack. So this side should
                // already have accepted the last counted frame that the other side has sent. The heartbeat carries the
                // number of that frame.
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

    /// Drops the waiting frames up to the one with this number, because they have arrived.
    fn acked(&mut self, number: u8) {
        let at = self.waiting().iter().position(|frame| frame.sequence() == number);
        if let Some(at) = at {
            self.waiting.copy_within(at + 1..self.len, 0);
            (self.len, self.resent) = (self.len - at - 1, 0);
        }
    }
}
