//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken.

use tabiya_types::Squares;

use super::calibration::TagTable;
use super::codec::{CertaboDecoder, CertaboMessage};

/// From a board: every message understood is written and read again as the same, and the next whole message is
/// understood after any bytes, even without a pause.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = CertaboDecoder::default();
    for message in decoder.push(bytes).into_iter().flatten() {
        // Zeros among a tag that is none are not kept, so what was read once is read the same ever after.
        assert_eq!(
            CertaboDecoder::default().push(&message.to_bytes()),
            [Ok(message)],
            "written and read again"
        );
    }
    let next = CertaboMessage::Occupied(Squares::from_bits(0x8000_0000_0000_0001));
    assert_eq!(decoder.push(&next.to_bytes()).last(), Some(&Ok(next.clone())), "the message after any bytes");
    decoder.give_up_half();
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after a pause");
}

/// What is kept of the pieces: a text that is understood is written and read again as the same.
pub(crate) fn table_law(text: &str) {
    if let Some(table) = TagTable::parse(text) {
        assert_eq!(TagTable::parse(&table.to_text()), Some(table), "written and read again");
    }
}
