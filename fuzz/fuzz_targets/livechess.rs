//! Fuzzes the reader of LiveChess's WebSocket and its driver with any bytes from a server: each message keeps its bound,
//! and the driver its limits.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::livechess_law(bytes));
