//! Cuts a stream of bytes into messages, whatever the pieces that it comes in: what opens no message is dropped byte
//! by byte until something does. A maker's codec only says what the front of the bytes is.

use std::marker::PhantomData;

/// What the bytes at hand begin with.
pub enum FrameStart<T> {
    /// The beginning of a message, or nothing. Every maker's messages are bounded, so this is too.
    Half,
    /// A message of so many bytes, at least one.
    Whole(usize, T),
    /// A byte that opens no message.
    Noise,
}

/// A maker's message that is known by how it begins.
pub trait Framed: Sized {
    /// What the bytes begin with.
    fn front(bytes: &[u8]) -> FrameStart<Self>;
}

/// Takes messages out of a stream of any pieces.
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
    /// Takes bytes in; what they complete comes out. A run of bytes outside any message is told once.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<M, String>> {
        self.held.extend_from_slice(bytes);
        cut(&mut self.held, M::front)
    }

    /// The rest of a half message will not come.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// What a stream held: a message, or for a run of bytes outside any message a sentence about it.
pub(super) type Found<T> = Result<T, String>;

/// Takes all that is whole out of `held`, in its order; a beginning stays.
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
            FrameStart::Half | FrameStart::Noise => None,
            FrameStart::Whole(length, message) => Some((length.max(1), message)),
        };
        found.extend(noise.take().and_then(|from| held.get(from..at)).map(|run| Err(outside(run))));
        let Some((length, message)) = whole else { break };
        found.push(Ok(message));
        at += length;
    }
    held.drain(..at.min(held.len()));
    found
}

/// A sentence about bytes outside any message.
fn outside(run: &[u8]) -> String {
    let first = run.first().copied().unwrap_or(0);
    format!("{} bytes from {first:02x} on belong to no message", run.len())
}
