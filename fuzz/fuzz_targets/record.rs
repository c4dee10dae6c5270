//! Fuzzes the parser of records: a parsed record is the same after it was written and parsed again, and replaying both
//! gives the same results. No chips appear or disappear.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::record_law(bytes));
