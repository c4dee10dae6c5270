//! Counts the fragments of a WebSocket's messages as the bytes come: a library puts messages together, and does not say of how many
//! frames. Bytes in, a place out; [`Counted`] is the stream around it.
//!
//! What a frame means, and whether it may be there, is left to the library.
//!
//! Source: WebSocket (RFC 6455, 5.2 and 5.4); `docs/hall.md`, §9.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

use crate::passing::passes_writes;

/// The most fragments of one message.
pub const MOST_FRAGMENTS: usize = 64;

/// A message came in too many fragments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a message has more than {MOST_FRAGMENTS} fragments")]
pub struct TooManyFragments;

/// Where in the stream the next byte stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In the head of the answer that opens the WebSocket. `text`: whether it has begun; `line`: whether this line has.
    Answer { text: bool, line: bool },
    /// At the first byte of a frame.
    Frame,
    /// At the byte with the short length of a frame.
    Length,
    /// In a length of more bytes: how many are left, and its value so far; whether a mask follows.
    Longer { left: u8, value: u64, masked: bool },
    /// In what is passed over: the mask and the body.
    Body { left: u64 },
}

/// Counts fragments.
#[derive(Debug)]
pub struct FragmentCount {
    place: Place,
    /// How many fragments of the present message have come.
    count: usize,
}

/// How long a mask is.
const MASK: u64 = 4;

impl FragmentCount {
    /// From the first frame on.
    pub fn of_frames() -> Self {
        Self { place: Place::Frame, count: 0 }
    }

    /// From the answer on that opens the WebSocket: its head ends with an empty line.
    pub fn of_answer() -> Self {
        Self { place: Place::Answer { text: false, line: false }, count: 0 }
    }

    /// Takes the next bytes. `Err` is the place among them of the first fragment that is too many; what comes from there on is not
    /// looked at.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if let Place::Body { left } = self.place {
                let rest = (bytes.len() - at) as u64;
                let passed = left.min(rest);
                self.place = body(left - passed);
                // No more than what is there, which is a `usize`.
                at += usize::try_from(passed).unwrap_or(bytes.len());
                continue;
            }
            self.place = match self.place {
                Place::Answer { text, line } => answer(byte, (text, line)),
                Place::Frame => {
                    self.begin(byte).map_err(|TooManyFragments| at)?;
                    Place::Length
                }
                Place::Length => length(byte),
                Place::Longer { left, value, masked } => longer(byte, left, value, masked),
                Place::Body { .. } => self.place,
            };
            at += 1;
        }
        Ok(())
    }

    /// A frame begins: its first byte has the bit for the last fragment and what kind it is. Pings and closes may stand between.
    fn begin(&mut self, byte: u8) -> Result<(), TooManyFragments> {
        if byte & 0x08 != 0 {
            return Ok(());
        }
        self.count += 1;
        if self.count > MOST_FRAGMENTS {
            return Err(TooManyFragments);
        }
        if byte & 0x80 != 0 {
            self.count = 0;
        }
        Ok(())
    }
}

fn answer(byte: u8, (text, line): (bool, bool)) -> Place {
    match byte {
        // Whoever reads the head passes over empty lines before it, and takes a line feed alone for the end of a line.
        b'\n' if text && !line => Place::Frame,
        b'\n' => Place::Answer { text, line: false },
        b'\r' => Place::Answer { text, line },
        _ => Place::Answer { text: true, line: true },
    }
}

fn length(byte: u8) -> Place {
    let masked = byte & 0x80 != 0;
    match byte & 0x7F {
        126 => Place::Longer { left: 2, value: 0, masked },
        127 => Place::Longer { left: 8, value: 0, masked },
        short => body(u64::from(short) + if masked { MASK } else { 0 }),
    }
}

fn longer(byte: u8, left: u8, value: u64, masked: bool) -> Place {
    let value = value << 8 | u64::from(byte);
    match left {
        0 | 1 => body(value.saturating_add(if masked { MASK } else { 0 })),
        left => Place::Longer { left: left - 1, value, masked },
    }
}

fn body(left: u64) -> Place {
    if left == 0 { Place::Frame } else { Place::Body { left } }
}

/// A stream of which no more is read than the fragments of a message may be: then reading fails with [`TooManyFragments`].
#[derive(Debug)]
pub struct Counted<S> {
    stream: S,
    count: FragmentCount,
    over: bool,
}

impl<S> Counted<S> {
    /// This stream.
    pub fn new(stream: S, count: FragmentCount) -> Self {
        Self { stream, count, over: false }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if !self.over {
            match Pin::new(&mut self.stream).poll_read(cx, buf) {
                Poll::Ready(Ok(())) => {}
                other => return other,
            }
            let Err(at) = self.count.push(buf.filled().get(before..).unwrap_or_default()) else {
                return Poll::Ready(Ok(()));
            };
            self.over = true;
            // What came before it is heard first.
            buf.set_filled(before + at);
            if at > 0 {
                return Poll::Ready(Ok(()));
            }
        }
        Poll::Ready(Err(io::Error::other(TooManyFragments)))
    }
}

passes_writes!(Counted);

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// A frame with a body of so many bytes, masked or not, with its length in the shortest form.
    fn frame(first: u8, len: usize, masked: bool) -> Vec<u8> {
        let mask = if masked { 0x80 } else { 0 };
        let mut frame = vec![first];
        match u16::try_from(len) {
            Ok(short) if short < 126 => frame.push(mask | u8::try_from(short).expect("short")),
            Ok(medium) => {
                frame.push(mask | 0x7E);
                frame.extend(medium.to_be_bytes());
            }
            Err(_) => {
                frame.push(mask | 0x7F);
                frame.extend((len as u64).to_be_bytes());
            }
        }
        // A body that looks like frames, and must not be taken for them.
        frame.resize(frame.len() + len + if masked { 4 } else { 0 }, 0x01);
        frame
    }

    proptest! {
        #[test]
        fn the_sixty_fifth_fragment_of_a_message_is_found_wherever_its_bytes_are_parted(
            lens in vec((prop_oneof![0_usize..130, Just(65_535), Just(70_000)], any::<bool>(), any::<bool>()), 60..70),
            part in 1_usize..5_000,
            answer in any::<bool>(),
        ) {
            let mut bytes = if answer { b"\r\nHTTP/1.1 101 X\r\na: b\n\n".to_vec() } else { Vec::new() };
            let mut too_many = None;
            for (nth, (len, masked, ping)) in lens.iter().enumerate() {
                if nth == MOST_FRAGMENTS {
                    too_many = Some(bytes.len());
                }
                bytes.extend(frame(u8::from(nth == 0), *len, *masked));
                // Between fragments, others may stand.
                if *ping {
                    bytes.extend(frame(0x89, 3, *masked));
                }
            }
            let mut count = if answer { FragmentCount::of_answer() } else { FragmentCount::of_frames() };
            let mut passed = 0;
            let found = bytes.chunks(part).find_map(|chunk| {
                let found = count.push(chunk).err().map(|at| passed + at);
                passed += chunk.len();
                found
            });
            // The ping behind the last allowed fragment comes before it.
            prop_assert_eq!(found, too_many);
        }

        #[test]
        fn messages_of_few_fragments_go_on_for_ever(lens in vec((0_usize..300, any::<bool>(), 1_usize..=MOST_FRAGMENTS), 1..40)) {
            let mut count = FragmentCount::of_frames();
            for (len, masked, fragments) in lens {
                for nth in 1..=fragments {
                    let first = u8::from(nth == 1) | if nth == fragments { 0x80 } else { 0 };
                    prop_assert_eq!(count.push(&frame(first, len, masked)), Ok(()));
                }
            }
        }
    }
}
