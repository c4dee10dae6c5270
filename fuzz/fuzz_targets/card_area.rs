//! Contents of cards and answers of their readers: parsed data is the same after a round trip, and parsing always ends.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_cards::laws::area_law(bytes));
