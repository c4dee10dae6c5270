//! Fuzzes the decoder of messages from a DGT board: a message is the same after it was written and decoded again, and
//! after any bytes the next valid message is decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::decoder_law(bytes));
