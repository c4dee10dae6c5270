//! Fuzzes messages between a table and a console.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_event::laws::message_law(bytes));
