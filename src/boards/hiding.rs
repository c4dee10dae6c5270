//! How a maker hides what tells one board, card or person from another: in the bytes of one link.

use crate::chunk::{Chunk, Direction};

/// Overwrites in the chunks of one link what identifies a board, a card or a person.
pub type HideNumbers = fn(&mut [Chunk]);

/// For a maker whose boards report nothing of the kind.
pub const HIDE_NOTHING: HideNumbers = |_| {};

/// Edits the bytes of one direction as one stream, since a message may come in several chunks.
pub(crate) fn edit_stream(chunks: &mut [Chunk], direction: Direction, edit: impl FnOnce(&mut [u8])) {
    let of = |chunk: &&mut Chunk| chunk.direction == direction;
    let mut all: Vec<u8> = chunks.iter_mut().filter(of).flat_map(|chunk| chunk.bytes.clone()).collect();
    edit(&mut all);
    let mut edited = all.into_iter();
    for chunk in chunks.iter_mut().filter(of) {
        for (byte, new) in chunk.bytes.iter_mut().zip(&mut edited) {
            *byte = new;
        }
    }
}

/// The chunks that went to the device. Each holds one whole command.
pub(crate) fn commands(chunks: &mut [Chunk]) -> impl Iterator<Item = &mut Vec<u8>> {
    let sent = chunks.iter_mut().filter(|chunk| chunk.direction == Direction::ToDevice);
    sent.map(|chunk| &mut chunk.bytes)
}
