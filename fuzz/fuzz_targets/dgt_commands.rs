//! Fuzzes the decoder of commands to a DGT board: a command is the same after it was written and decoded again, and
//! after any bytes the next valid command is decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::command_law(bytes));
