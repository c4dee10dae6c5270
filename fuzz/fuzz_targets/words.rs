//! Fuzzes the lines that people type at a table: nothing panics, every answer says something, and the record that follows
//! can be replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_app::desk::laws::typed_law(bytes));
