//! Bytes from a DGT board: messages come back as they were, the next one is always understood,
//! and the driver keeps its bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::devices::dgt::laws;

fuzz_target!(|bytes: &[u8]| {
    laws::decoder_law(bytes);
    laws::driver_law(bytes);
});
