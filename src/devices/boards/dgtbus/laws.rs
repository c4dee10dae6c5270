//! What must hold for any bytes whatever on a bus: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken.
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use super::codec::{Answer, Ask, Decoder, Said};
use crate::devices::boards::dgt::codec::{Command, CommandDecoder};
use crate::devices::boards::dgt::laws::log_law;

/// From boards: every answer understood is written and read again as the same, its log keeps its own law, and after any
/// bytes the very next whole answer is understood.
pub fn decoder_law(bytes: &[u8]) {
    let mut decoder = Decoder::new();
    for &byte in bytes {
        if let Some(Ok(answer)) = decoder.push(byte) {
            assert_eq!(decode(&answer.to_bytes()).as_ref(), Some(&answer), "written and read again");
            if let Said::Changes(log) | Said::FromStart(log) = &answer.said {
                log_law(log);
            }
        }
    }
    // The notes' own: board 1025 has no changes.
    let last = [0x85, 0x00, 0x06, 0x08, 0x01, 0x14].into_iter().filter_map(|byte| decoder.push(byte)).last();
    let next = Answer { address: 1025, said: Said::Changes(Vec::new()) };
    assert_eq!(last, Some(Ok(next)), "the answer after any bytes");
}

/// The one answer of `bytes`, if they are that and nothing else.
fn decode(bytes: &[u8]) -> Option<Answer> {
    let mut decoder = Decoder::new();
    let mut told = bytes.iter().filter_map(|byte| decoder.push(*byte));
    match (told.next(), told.next()) {
        (Some(Ok(answer)), None) => Some(answer),
        _ => None,
    }
}

/// To boards: whatever was said before, a question is read as it was asked. The first two bytes choose it.
pub fn command_law(bytes: &[u8]) {
    let Some((&[which, low], before)) = bytes.split_first_chunk() else { return };
    let mut decoder = CommandDecoder::new();
    for byte in before {
        drop(decoder.push(*byte));
    }
    let (ask, address) = (Ask::from_id(0x80 | which & 0x0F), u16::from(which >> 4) << 8 | u16::from(low));
    let Some(ask) = ask else { return };
    let last = ask.to_bytes(address).into_iter().filter_map(|byte| decoder.push(byte)).last();
    assert_eq!(last, Some(Command::Bus { id: ask.id(), address }), "asked after any bytes");
}
