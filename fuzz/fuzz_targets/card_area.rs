//! What is written on any card, and what its reader answers: understood in the same way again, and always in the end.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_cards::laws::area_law(bytes));
