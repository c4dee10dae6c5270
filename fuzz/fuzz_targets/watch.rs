//! Fuzzes the watch with a board that reports anything at any times: nothing panics, time gets on, and what is written
//! can be replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::watch_law(bytes));
