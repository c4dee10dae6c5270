//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken. What a Pegasus says is read by DGT's decoder, which
//! has its own law.

use super::codec::{Lit, UnlockKey};
use crate::makers::dgt::codec::DgtCommandDecoder;

/// To a board: lights and keys that are understood are written and read again as the same.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = DgtCommandDecoder::new();
    for command in bytes.iter().filter_map(|byte| decoder.push(*byte)) {
        if let Some(lit) = Lit::of(&command) {
            // No squares is dark, however it was said.
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

/// A key that is understood is written and read again as the same.
pub(crate) fn key_law(text: &str) {
    if let Some(key) = UnlockKey::parse(text) {
        let hex = key.0.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x} "));
        assert_eq!(UnlockKey::parse(&hex), Some(key), "written and read again");
    }
}
