//! Hides the numbers of the chips in the pieces in a capture: each chip gets other numbers with as many digits, the same ones
//! wherever it occurs. So the board can still be read, with a start position in the capture to tell the pieces apart.

use super::codec::TAG;
use crate::chunk::{Chunk, Direction};
use crate::hiding::edit_stream;

/// The count of numbers in a frame that shows only which squares are occupied.
const OCCUPANCY: usize = 8;

/// Overwrites what identifies the pieces.
pub(super) fn hide_numbers(chunks: &mut [Chunk]) {
    edit_stream(chunks, Direction::FromDevice, |bytes| {
        let mut chips = Vec::new();
        let (mut frame, mut number) = (Numbers::new(), Vec::new());
        let mut inside = false;
        for at in 0..bytes.len() {
            match bytes.get(at).copied().unwrap_or(0) {
                byte @ (b':' | b'\r') => {
                    frame.push(std::mem::take(&mut number));
                    hide_frame(bytes, &std::mem::take(&mut frame), &mut chips);
                    inside = byte == b':';
                }
                b' ' => frame.push(std::mem::take(&mut number)),
                b'0'..=b'9' if inside => number.push(at),
                // A digit outside a frame may belong to a chip whose frame began before the capture.
                b'0'..=b'9' => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = b'0'),
                _ => {}
            }
        }
        frame.push(number);
        hide_frame(bytes, &frame, &mut chips);
    });
}

/// The numbers of a frame, each as the places of its digits.
type Numbers = Vec<Vec<usize>>;

fn hide_frame(bytes: &mut [u8], frame: &Numbers, chips: &mut Vec<Vec<String>>) {
    let numbers: Vec<&Vec<usize>> = frame.iter().filter(|digits| !digits.is_empty()).collect();
    if numbers.len() == OCCUPANCY {
        return;
    }
    for chip in numbers.chunks(TAG) {
        let texts: Vec<String> = chip.iter().map(|digits| text(bytes, digits)).collect();
        let nth = chips.iter().position(|known| *known == texts).unwrap_or_else(|| {
            chips.push(texts.clone());
            chips.len() - 1
        });
        let mut left = nth;
        for (digits, old) in chip.iter().zip(&texts) {
            let new = instead_of(old, &mut left);
            for (place, digit) in digits.iter().zip(new.bytes()) {
                bytes.iter_mut().skip(*place).take(1).for_each(|byte| *byte = digit);
            }
        }
    }
}

fn text(bytes: &[u8], digits: &[usize]) -> String {
    digits.iter().filter_map(|at| bytes.get(*at)).map(|digit| char::from(*digit)).collect()
}

/// A number with as many digits as `old`, out of what is `left` of the chip's own number. Zeros stay, since they say that no
/// chip is there.
fn instead_of(old: &str, left: &mut usize) -> String {
    if old.bytes().all(|digit| digit == b'0') {
        return old.to_owned();
    }
    let (least, count) = match old.len() {
        1 => (1, 9),
        2 => (10, 90),
        _ => (100, 100),
    };
    let number = least + *left % count;
    *left /= count;
    format!("{number:0>width$}", width = old.len())
}
