//! Fuzzes the DGT driver with a board that sends any bytes at any times: the driver never panics and never sends a
//! dangerous command.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::makers::dgt::laws::driver_law(bytes));
