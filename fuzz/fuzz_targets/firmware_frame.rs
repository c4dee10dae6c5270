//! Frames of boards that people build themselves: frames and messages are the same after a round trip, the next frame
//! is always decoded, and after any bytes a hello restores the link.
#![no_main]

use firmware_protocol::laws;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    laws::frame_law(bytes);
    laws::link_law(bytes);
});
