//! What must hold for any bytes that a card says: ordinary tests and the fuzz target call the same function. It panics,
//! with the values in the message, when its law is broken.
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use super::apdu;
use super::ndef::{LONGEST_AREA, Scan, TagContent, scan};

/// What lies from page 4 on, and what a reader answers: whatever is understood is written and read again as the same;
/// more bytes change nothing that was known; and a tag that has been read to its end is known.
pub fn area_law(bytes: &[u8]) {
    let known = scan(bytes);
    assert!(known != Scan::More || bytes.len() < LONGEST_AREA, "it never ends: {bytes:02X?}");
    for len in 0..bytes.len().min(LONGEST_AREA) {
        let before = bytes.get(..len).map(scan);
        assert!(
            before == Some(Scan::More) || before == Some(scan(bytes.get(..LONGEST_AREA).unwrap_or(bytes))),
            "{len} bytes said otherwise: {bytes:02X?}"
        );
    }
    if let Scan::Is(TagContent::Ours(record)) = known {
        assert_eq!(scan(&record.area()), known, "written and read again: {bytes:02X?}");
    }
    if let Some(command) = apdu::ReaderCommand::parse(bytes) {
        assert_eq!(command.to_bytes(), bytes);
    }
    if let Some(uid) = apdu::uid(bytes) {
        assert_eq!(apdu::done(bytes), Some(uid.bytes()));
    }
}
