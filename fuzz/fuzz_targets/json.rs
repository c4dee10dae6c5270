//! Fuzzes the strict JSON parser for records: it agrees with the general parser (`serde_json`) on every text that both
//! accept.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::json_law(bytes));
