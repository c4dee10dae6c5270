//! Boards that send any bytes at any times: no maker's driver panics, and all keep their limits on writes and events.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::drivers_law(bytes));
