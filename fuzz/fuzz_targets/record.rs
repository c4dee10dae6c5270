//! Records: a parsed record is the same after writing and parsing it again, and replaying it keeps all laws.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::record_law(bytes));
