//! Fuzzes the parsers of commands to boards of all makers, and of saved texts such as keys. Writing a parsed value and
//! parsing the result gives the same value.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_boards::laws::commands_law(bytes));
