//! Fuzzes files of cards of Chess Joker in each of their forms: they are read, or refused in a sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::card_file_law(bytes));
