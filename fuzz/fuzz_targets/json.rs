//! JSON: the strict reader and the plain one agree on what both take.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::json_law(bytes));
