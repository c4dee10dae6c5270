//! Laws of the Pegasus codec: properties that hold for every input. Unit tests and fuzz targets call these functions
//! with arbitrary input; a function panics, with the values in its message, if its law is broken. The messages of a
//! Pegasus are decoded by the DGT decoder, which has its own law.

use super::codec::{Lit, UnlockKey};
use crate::makers::dgt::codec::DgtCommandDecoder;

/// Commands to a board: decoding encoded lights gives the same lights, and decoding an encoded key gives the same
/// key.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = DgtCommandDecoder::new();
    for command in bytes.iter().filter_map(|byte| decoder.push(*byte)) {
        if let Some(lit) = Lit::of(&command) {
            // The encoded command for no lit squares leaves out all other fields (such as the speed), so only the
            // squares are compared.
            assert_eq!(
                Lit::of(&lit.command()).map(|lit| lit.squares),
                Some(lit.squares),
                "written and read again"
            );
        }
        if let Some(key) = UnlockKey::of(&command) {
            assert_eq!(UnlockKey::of(&key.command()), Some(key), "written and read again");
        }
    }
}

/// Keys as text: parsing the hex digits of a parsed key gives the same key.
pub(crate) fn key_law(text: &str) {
    if let Some(key) = UnlockKey::parse(text) {
        let hex = key.0.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x} "));
        assert_eq!(UnlockKey::parse(&hex), Some(key), "written and read again");
    }
}
