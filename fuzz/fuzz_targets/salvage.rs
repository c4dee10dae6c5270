//! Fuzzes salvage with any bytes as a journal and its log: nothing panics, a line that fits was written by a journal, and
//! two equal copies give what one gives.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_store::journal::salvage_law(bytes));
