//! Fuzzes an event's signed lists and prepared files of tables.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_event::laws::list_law(bytes));
