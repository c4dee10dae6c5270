//! Laws of the Certabo codec: properties that hold for every input. Unit tests and fuzz targets call these functions
//! with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::Squares;

use super::calibration::TagTable;
use super::codec::{CertaboDecoder, CertaboMessage};

/// Messages from a board: decoding an encoded message gives the same message. After arbitrary bytes, the next
/// complete frame is decoded correctly, even without a pause.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = CertaboDecoder::default();
    for message in decoder.push(bytes).into_iter().flatten() {
        // A cell with fewer than three nonzero numbers is decoded as empty, so encoding a message may not give the
        // original bytes. Therefore the message is encoded and decoded again, and the two messages are compared.
        assert_eq!(
            CertaboDecoder::default().push(&message.to_bytes()),
            [Ok(message)],
            "written and read again"
        );
    }
    let next = CertaboMessage::Occupied(Squares::from_bits(0x8000_0000_0000_0001));
    assert_eq!(decoder.push(&next.to_bytes()).last(), Some(&Ok(next.clone())), "the message after any bytes");
    decoder.drop_incomplete();
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after a pause");
}

/// Stored tag tables: writing a parsed table as text and parsing this text gives the same table.
pub(crate) fn table_law(text: &str) {
    if let Some(table) = TagTable::parse(text) {
        assert_eq!(TagTable::parse(&table.to_text()), Some(table), "written and read again");
    }
}
