//! Fuzzes what a WebSocket of a hall brings, at either end.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_event::laws::socket_law(bytes));
