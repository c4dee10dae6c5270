//! Bytes to boards of all makers, and saved texts such as keys: whatever is parsed is the same after a round trip.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::commands_law(bytes));
