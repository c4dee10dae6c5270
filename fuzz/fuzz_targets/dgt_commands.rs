//! Bytes to a DGT board: commands come back as they were, and the next one is always understood.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::command_law(bytes));
