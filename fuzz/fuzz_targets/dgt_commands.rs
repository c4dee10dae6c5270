//! Fuzzes the decoder of commands to a DGT board. Decoding an encoded command gives the same command. After any bytes
//! and a pause, the next command is decoded correctly.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::command_law(bytes));
