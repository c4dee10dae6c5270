//! Bytes from a DGT board: messages are the same after a round trip, and the next message is always decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::decoder_law(bytes));
