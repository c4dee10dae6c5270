//! Cuts a byte stream, which arrives in chunks of any size, into messages. Bytes with which no message can begin are
//! dropped one by one. The codec of each maker only has to recognise the message at the beginning of the bytes.

use std::marker::PhantomData;

/// What the received bytes begin with.
pub enum FrameStart<T> {
    /// An incomplete message, or no bytes at all. The messages of every maker have a limited length, so incomplete
    /// messages cannot grow without limit.
    Incomplete,
    /// A complete message with its length in bytes, at least one.
    Complete(usize, T),
    /// A byte with which no message can begin.
    Noise,
}

/// A message type of a maker that can be found in a byte stream.
pub trait Framed: Sized {
    /// Returns what `bytes` begin with.
    fn first_frame(bytes: &[u8]) -> FrameStart<Self>;
}

/// Extracts messages from a byte stream that arrives in chunks of any size.
#[derive(Clone, Debug)]
pub struct StreamDecoder<M> {
    held: Vec<u8>,
    of: PhantomData<M>,
}

impl<M> Default for StreamDecoder<M> {
    fn default() -> Self {
        Self { held: Vec::new(), of: PhantomData }
    }
}

impl<M: Framed> StreamDecoder<M> {
    /// Appends received bytes and returns the messages that they complete. Consecutive bytes that belong to no message
    /// are reported together, as a single error.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<M, String>> {
        self.held.extend_from_slice(bytes);
        cut(&mut self.held, M::first_frame)
    }

    /// Drops an incomplete message whose remaining bytes did not arrive in time.
    pub fn drop_incomplete(&mut self) {
        self.held.clear();
    }
}

/// A message from the stream, or a description of bytes outside any message.
pub(super) type Found<T> = Result<T, String>;

/// Removes all complete messages from `held` and returns them in order. An incomplete message stays in `held`.
pub(super) fn cut<T>(held: &mut Vec<u8>, front: impl Fn(&[u8]) -> FrameStart<T>) -> Vec<Found<T>> {
    let (mut found, mut at) = (Vec::new(), 0);
    let mut noise: Option<usize> = None;
    loop {
        let whole = match front(held.get(at..).unwrap_or_default()) {
            FrameStart::Noise if at < held.len() => {
                noise = noise.or(Some(at));
                at += 1;
                continue;
            }
            FrameStart::Incomplete | FrameStart::Noise => None,
            FrameStart::Complete(length, message) => Some((length.max(1), message)),
        };
        found.extend(noise.take().and_then(|from| held.get(from..at)).map(|run| Err(outside(run))));
        let Some((length, message)) = whole else { break };
        found.push(Ok(message));
        at += length;
    }
    held.drain(..at.min(held.len()));
    found
}

/// Describes bytes outside any message.
fn outside(run: &[u8]) -> String {
    let first = run.first().copied().unwrap_or(0);
    format!("bytes outside any message (count: {}, first byte: {first:02x})", run.len())
}
