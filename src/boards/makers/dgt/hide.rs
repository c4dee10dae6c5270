//! Hides what identifies a DGT board in a capture: its serial numbers, its address on a bus, and its trademark, in which newer
//! boards repeat their serial number.
//!
//! Only messages whose content is known to be about squares, clock, battery and versions stay. Bytes that belong to no
//! message may be the rest of a damaged one, so they are overwritten, too.

use super::codec::{ID_BATTERY, ID_CLOCK, ID_DUMP, ID_FIELD, ID_HARDWARE_VERSION, ID_LOG, ID_VERSION};
use crate::chunk::{Chunk, Direction};
use crate::hiding::edit_stream;

/// The messages that identify no board.
const PLAIN: [u8; 7] = [ID_DUMP, ID_CLOCK, ID_FIELD, ID_LOG, ID_VERSION, ID_HARDWARE_VERSION, ID_BATTERY];
/// What stands in place of a digit of a serial number.
const BLANK: u8 = b'0';
/// The length of the header: the id and two bytes for the length.
const HEADER: usize = 3;

/// Overwrites what identifies the board.
pub(in crate::makers) fn hide_numbers(chunks: &mut [Chunk]) {
    edit_stream(chunks, Direction::FromDevice, |bytes| {
        for_each_message(bytes, |message| {
            let [id, _, _, body @ ..] = message else { return };
            if !PLAIN.contains(id) {
                body.fill(BLANK);
            }
        });
    });
}

/// Calls `edit` with each message, header included; a damaged one may be cut short. Overwrites all other bytes.
pub(in crate::makers) fn for_each_message(bytes: &mut [u8], mut edit: impl FnMut(&mut [u8])) {
    let is_start = |byte: &u8| byte & 0x80 != 0;
    let mut rest = bytes;
    loop {
        let start = rest.iter().position(is_start).unwrap_or(rest.len());
        let (stray, messages) = rest.split_at_mut(start);
        stray.fill(0);
        // Only the first byte of a message has bit 7 set, so another such byte cuts the message short.
        let next = messages.iter().skip(1).position(is_start).map_or(messages.len(), |at| at + 1);
        let total = match messages {
            [] => return,
            [_, high, low, ..] => usize::from(*high) << 7 | usize::from(*low),
            _ => HEADER,
        };
        let (message, after) = messages.split_at_mut(total.max(HEADER).min(next));
        edit(message);
        rest = after;
    }
}
