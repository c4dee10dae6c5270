//! Fuzzes tournament report files and lists of players.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_event::laws::tournament_law(bytes));
