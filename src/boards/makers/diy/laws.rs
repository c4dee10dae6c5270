//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same function. It
//! panics, with the values in the message, when its law is broken.

use firmware_protocol::laws;

/// From a board: every frame understood is written and read again as the same, a whole frame after any bytes is
/// understood, and a hello makes any link whole.
pub(crate) fn decoder_law(bytes: &[u8]) {
    laws::frame_law(bytes);
    laws::link_law(bytes);
}
