//! A DGT board that says anything at any pace: the driver keeps its bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::driver_law(bytes));
