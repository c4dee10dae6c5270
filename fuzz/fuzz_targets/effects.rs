//! Fuzzes the reader of effects: an effect is the same after its words were read again, and errors point into the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::effect_law(bytes));
