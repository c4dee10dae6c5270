//! Hides the addresses of boards on a bus in a capture, which usually are their serial numbers: the boards become 1, 2, 3 …
//! in the order in which they occur. Checksums that were right are right again, wrong ones stay wrong.

use super::codec::{ALL, ENVELOPE_START, KNOWN_ANSWERS, sum_of};
use crate::chunk::{Chunk, Direction};
use crate::hiding::{commands, edit_stream};
use crate::makers::dgt::for_each_message;

/// The number of bytes in a question: command, address, checksum.
const QUESTION: usize = 4;

/// Overwrites what identifies the boards.
pub(super) fn hide_numbers(chunks: &mut [Chunk]) {
    let mut boards = Addresses::default();
    for question in commands(chunks).filter(|bytes| bytes.len() == QUESTION) {
        rewrite(question, 1, &mut boards);
    }
    edit_stream(chunks, Direction::FromDevice, |bytes| {
        for_each_message(bytes, |answer| {
            let known = answer.first().is_some_and(|id| KNOWN_ANSWERS.contains(id));
            if !known {
                answer.iter_mut().skip(ENVELOPE_START + 2).for_each(|byte| *byte = 0);
            }
            rewrite(answer, ENVELOPE_START, &mut boards);
        });
    });
}

/// The addresses that occurred, in order.
#[derive(Default)]
struct Addresses(Vec<[u8; 2]>);

impl Addresses {
    /// The address in place of this one. That of all boards together stays.
    fn instead_of(&mut self, address: [u8; 2]) -> [u8; 2] {
        if address == [0, 0] {
            return address;
        }
        let nth = self.0.iter().position(|known| *known == address).unwrap_or_else(|| {
            self.0.push(address);
            self.0.len() - 1
        });
        let number = u16::try_from(nth + 1).unwrap_or(ALL);
        [u8::try_from(number >> 7 & 0x7F).unwrap_or(0), u8::try_from(number & 0x7F).unwrap_or(0)]
    }
}

/// Replaces the address that begins at byte `at`. A frame that was cut within its address loses what is left of it.
fn rewrite(frame: &mut [u8], at: usize, boards: &mut Addresses) {
    let right = frame.split_last().is_some_and(|(sum, rest)| sum_of(rest.iter()) == *sum);
    let Some((_, [high, low, ..])) = frame.split_at_mut_checked(at) else {
        frame.iter_mut().skip(at).for_each(|byte| *byte = 0);
        return;
    };
    [*high, *low] = boards.instead_of([*high, *low]);
    if frame.len() > at + 2
        && let Some((sum, rest)) = frame.split_last_mut()
    {
        let new = sum_of(rest.iter());
        *sum = if right { new } else { (new + 1) & 0x7F };
    }
}
