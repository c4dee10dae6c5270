//! Laws of the firmware protocol: properties that hold for every input. Unit tests and fuzz targets call this
//! function with arbitrary input; it panics, with the values in its message, if a law is broken.

use firmware_protocol::laws;

/// Frames from a board: decoding an encoded frame gives the same frame. A complete frame is decoded correctly after
/// arbitrary bytes. Whatever happened on a link, the link is usable again after both sides have exchanged hellos.
pub(crate) fn decoder_law(bytes: &[u8]) {
    laws::frame_law(bytes);
    laws::link_law(bytes);
}
