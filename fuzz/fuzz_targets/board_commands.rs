//! Bytes to any maker's board, and what is kept of it as text: what is understood comes back as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::commands_law(bytes));
