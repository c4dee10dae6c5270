//! Fuzzes the decoders of messages from boards of all makers. Decoding an encoded message gives the same message. After
//! any bytes and a pause, the next message is decoded correctly.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::decoders_law(bytes));
