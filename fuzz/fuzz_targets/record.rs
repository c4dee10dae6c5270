//! Records: what is read is written and read as the same, and the fold keeps its laws.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_engine::record::laws::record_law(bytes));
