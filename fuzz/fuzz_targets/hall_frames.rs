//! Fuzzes the count of fragments alone: what a WebSocket of a hall brings, in two parts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_event::laws::frames_law(bytes));
