//! Capture files: what is read is written and read as the same, and it plays.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::capture_law(bytes));
