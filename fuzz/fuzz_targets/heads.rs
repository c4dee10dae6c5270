//! Fuzzes files of signed heads and the codes of match sheets: what is read is written in the same way, and nothing counts
//! that its key has not signed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_store::heads::heads_law(bytes));
