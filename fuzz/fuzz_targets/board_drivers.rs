//! A board that says anything at any pace: no maker's driver panics, and each stays within its bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::drivers_law(bytes));
