//! Bytes from any maker's board: messages come back as they were, and the next one is always understood.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::decoders_law(bytes));
