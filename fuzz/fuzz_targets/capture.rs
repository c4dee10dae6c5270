//! Fuzzes the parser of capture files: a parsed capture is the same after it was written and parsed again, and it can
//! be played.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::capture_law(bytes));
