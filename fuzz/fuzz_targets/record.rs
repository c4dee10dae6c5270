//! Fuzzes the parser of records: a parsed record is the same after it was written and parsed again, and replaying both
//! gives the same results. The total number of chips never changes during a replay.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::record_law(bytes));
