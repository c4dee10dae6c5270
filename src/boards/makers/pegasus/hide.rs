//! Hides what identifies a Pegasus in a capture: its serial numbers, and the developer key of its owner.

use super::codec::ID_KEY;
use crate::chunk::Chunk;
use crate::hiding::commands;
use crate::makers::dgt;

/// Overwrites what identifies the board and its owner.
pub(super) fn hide_numbers(chunks: &mut [Chunk]) {
    dgt::hide_numbers(chunks);
    for command in commands(chunks) {
        if let [ID_KEY, _, key @ ..] = command.as_mut_slice() {
            key.fill(0);
        }
    }
}
