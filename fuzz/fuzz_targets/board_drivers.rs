//! Fuzzes the drivers of all makers with boards that send any bytes at any times: no driver panics, and each driver
//! keeps its limits on writes and events.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::drivers_law(bytes));
