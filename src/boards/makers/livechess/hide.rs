//! Hides what identifies boards and computers in a capture of LiveChess: serial numbers, ports, and what people have noted
//! about a board. Each text keeps its length. The boards get the numbers 1, 2, 3 … in the order in which they occur. Of the
//! moments in LiveChess's messages only the time within a day is kept.

use crate::chunk::{Chunk, Direction};
use crate::hiding::edit_stream;

/// The fields whose texts identify something. The first is the board's number.
const FIELDS: [&str; 3] = ["serialnr", "source", "comment"];

/// How many digits of a moment in milliseconds stay.
const WITHIN_A_DAY: usize = 8;

/// Overwrites what identifies the boards.
pub(super) fn hide_numbers(chunks: &mut [Chunk]) {
    let mut boards: Vec<Vec<u8>> = Vec::new();
    for direction in [Direction::FromDevice, Direction::ToDevice] {
        edit_stream(chunks, direction, |bytes| {
            for field in FIELDS {
                hide_field(bytes, field, &mut boards);
            }
            hide_days(bytes);
        });
    }
}

fn hide_field(bytes: &mut [u8], field: &str, boards: &mut Vec<Vec<u8>>) {
    let name = format!("\"{field}\"");
    let mut from = 0;
    while let Some(at) = find(bytes.get(from..).unwrap_or_default(), name.as_bytes()) {
        from += at + name.len();
        let value = bytes.get_mut(from..).unwrap_or_default();
        hide_digits_after_colon(value);
        let Some(text) = text_after_colon(value) else { continue };
        let number = if Some(&field) == FIELDS.first() {
            let nth = boards.iter().position(|known| known == text).unwrap_or_else(|| {
                boards.push(text.to_vec());
                boards.len() - 1
            });
            nth + 1
        } else {
            0
        };
        let new = format!("{number:0>width$}", width = text.len());
        for (byte, digit) in text.iter_mut().zip(new.bytes()) {
            *byte = digit;
        }
    }
}

/// Overwrites the day in each moment, which is in milliseconds since 1970. The last digits, up to 28 hours, stay.
fn hide_days(bytes: &mut [u8]) {
    const TIME: &[u8] = b"\"time\":";
    let mut from = 0;
    while let Some(at) = find(bytes.get(from..).unwrap_or_default(), TIME) {
        from += at + TIME.len();
        let number = bytes.get_mut(from..).unwrap_or_default();
        let length = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
        for (nth, digit) in number.iter_mut().take(length.saturating_sub(WITHIN_A_DAY)).enumerate() {
            *digit = if nth == 0 { b'1' } else { b'0' };
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Overwrites a value that is a number, which LiveChess does not write here, but another program may.
fn hide_digits_after_colon(bytes: &mut [u8]) {
    let begins = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b':';
    let value = bytes.iter().position(begins).and_then(|at| bytes.get_mut(at..)).unwrap_or_default();
    value.iter_mut().take_while(|byte| byte.is_ascii_digit()).for_each(|digit| *digit = b'9');
}

/// The text of the value that follows the name of a field; `None` if the value is no text. The text of a message that was
/// cut short goes to the end.
fn text_after_colon(bytes: &mut [u8]) -> Option<&mut [u8]> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let colon = bytes.iter().position(|byte| !is_space(byte)).filter(|at| bytes.get(*at) == Some(&b':'))?;
    let after = bytes.get_mut(colon + 1..)?;
    let quote = after.iter().position(|byte| !is_space(byte)).filter(|at| after.get(*at) == Some(&b'"'))?;
    let text = after.get_mut(quote + 1..)?;
    let mut escaped = false;
    let end = text.iter().position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    let end = end.unwrap_or(text.len());
    text.get_mut(..end)
}
