//! Frames of boards anyone can build: they come back as they were, and the next one is understood.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| firmware_protocol::laws::frame_law(bytes));
