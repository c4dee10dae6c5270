//! Fuzzes the parsers of a card's content and of a card reader's answers: a parsed value is the same after it was
//! written and parsed again, and parsing always ends.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_cards::laws::area_law(bytes));
