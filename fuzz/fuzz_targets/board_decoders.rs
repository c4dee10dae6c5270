//! Fuzzes the decoders of messages from boards of all makers: a message is the same after it was written and decoded
//! again, and after any bytes the next valid message is decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::decoders_law(bytes));
