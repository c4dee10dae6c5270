//! JSON: the strict parser of records and the usual one agree on every text that both accept.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::json_law(bytes));
