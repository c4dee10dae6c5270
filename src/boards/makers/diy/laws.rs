//! Laws of the firmware protocol. Unit tests and fuzz targets call the same function with arbitrary input; it panics,
//! with the values in its message, if a law is broken.

use firmware_protocol::laws;

/// Frames from a board: decoding an encoded frame gives the same frame. A complete frame is understood after
/// arbitrary bytes, and a hello restores any link.
pub(crate) fn decoder_law(bytes: &[u8]) {
    laws::frame_law(bytes);
    laws::link_law(bytes);
}
