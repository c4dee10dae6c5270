//! Frames of boards anyone can build: they come back as they were and say the same again, the next one is understood,
//! and a link that has heard anything is made whole by a hello.
#![no_main]

use firmware_protocol::laws;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    laws::frame_law(bytes);
    laws::link_law(bytes);
});
