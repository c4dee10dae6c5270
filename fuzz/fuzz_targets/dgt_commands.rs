//! Bytes to a DGT board: commands are the same after a round trip, and the next command is always decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::command_law(bytes));
