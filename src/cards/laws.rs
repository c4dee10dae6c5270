//! Laws: what must hold for any bytes that come from a card. Ordinary tests and the fuzz target call the function in
//! this module. If a law is broken, the function panics, and its message contains the values.
#![expect(clippy::missing_panics_doc, reason = "a law reports a violation by panicking")]

use super::apdu;
use super::ndef::{LONGEST_AREA, Scan, TagContent, scan};

/// Parses the bytes first as a tag's memory from page 4 on, then as a command to a reader, then as a reader's answer. A
/// parsed record is the same after it was written and parsed again. The beginning of a memory may be enough to know the
/// tag's content; then the bytes that follow do not change the content. After [`LONGEST_AREA`] bytes the content is
/// always known.
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
