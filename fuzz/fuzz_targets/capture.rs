//! Capture files: a parsed capture is the same after writing and parsing it again, and can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::capture_law(bytes));
