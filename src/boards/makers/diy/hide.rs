//! Hides what identifies cards and people in a capture of a self-built device: the numbers of the cards' chips, what is
//! written on them, the device's name, and what is shown on a display. All cards become the same one: two readings of one
//! card would otherwise show its face before it is turned over.
//!
//! Bytes that belong to no whole frame may be the rest of a damaged one, so they are overwritten.

use firmware_protocol::{AntennaTag, Frame, FrameDecoder, LONGEST_FRAME, Message, encode};

use crate::chunk::{Chunk, Direction};
use crate::hiding::{commands, edit_stream};

/// The fewest bytes of a frame: its header and its checksum.
const SHORTEST: usize = 9;
/// What stands in place of each letter of a name or text.
const BLANK: char = 'x';

/// Overwrites what identifies the cards and the device.
pub(super) fn hide_numbers(chunks: &mut [Chunk]) {
    edit_stream(chunks, Direction::FromDevice, hide_frames);
    for command in commands(chunks) {
        hide_frames(command);
    }
}

fn hide_frames(bytes: &mut [u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let length = if let Some((frame, length)) = whole_frame(rest) {
            let mut wire = [0; LONGEST_FRAME];
            let written = hidden(&frame).and_then(|frame| encode(&frame, &mut wire).ok());
            for (nth, byte) in rest.iter_mut().take(length).enumerate() {
                *byte = wire.get(nth).copied().filter(|_| written == Some(length)).unwrap_or(0);
            }
            length
        } else {
            rest.iter_mut().take(1).for_each(|byte| *byte = 0);
            1
        };
        rest = rest.split_at_mut(length).1;
    }
}

/// The frame with which these bytes begin, and its length in bytes.
fn whole_frame(bytes: &[u8]) -> Option<(Frame, usize)> {
    let length = SHORTEST + usize::from(*bytes.get(2)?);
    let mut decoder = FrameDecoder::new();
    let mut told = bytes.get(..length)?.iter().map(|byte| decoder.push(*byte));
    // A valid frame gives nothing before its last byte.
    let last = told.by_ref().nth(length - 1)??;
    last.ok().map(|frame| (frame, length))
}

/// The frame without what identifies anything, with as many bytes; `None` if its content is unknown.
fn hidden(frame: &Frame) -> Option<Frame> {
    let blank = |text: &str| -> String { text.bytes().map(|_| BLANK).collect() };
    let sequence = frame.sequence();
    match Message::read(frame)? {
        Message::Tag { antenna, tag: AntennaTag::There { uid, ndef } } => {
            let uid = vec![0; uid.len()];
            Message::Tag { antenna, tag: AntennaTag::There { uid: &uid, ndef } }.frame(sequence)
        }
        Message::Ndef { antenna, offset, bytes } => {
            let bytes = vec![0; bytes.len()];
            Message::Ndef { antenna, offset, bytes: &bytes }.frame(sequence)
        }
        Message::Hello(hello) => {
            let name = blank(hello.name);
            Message::Hello(firmware_protocol::Hello { name: &name, ..hello }).frame(sequence)
        }
        Message::Display { line, text } => {
            let text = blank(text);
            Message::Display { line, text: &text }.frame(sequence)
        }
        Message::Other { .. } => None,
        _ => Some(*frame),
    }
}
