//! What binds two keys while a computer joins an event: each side commits to its number before it sees the other's, and both
//! people see the same six digits only if nobody stands between.
//!
//! Source: `docs/hall.md`, §2.

use sha2::{Digest as _, Sha256};

/// How many digits there are to compare: six decimal places.
const RANGE: u64 = 1_000_000;

/// What a joining computer sends first: a hash over its key and its random number.
pub fn joiner_commit(key: &[u8; 32], nonce: &[u8; 32]) -> [u8; 32] {
    hash("tabiya join 1\n", &[key, nonce])
}

/// What the console answers: a hash over its random number.
pub fn console_commit(nonce: &[u8; 32]) -> [u8; 32] {
    hash("tabiya join 2\n", &[nonce])
}

/// The six digits that the joining computer shows and the arbiter types at the console.
pub fn digits(authority: &[u8; 32], key: &[u8; 32], joiner: &[u8; 32], console: &[u8; 32]) -> String {
    let hash = hash("tabiya digits 1\n", &[authority, key, joiner, console]);
    let (first, _) = hash.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    format!("{:06}", u64::from_be_bytes(*first) % RANGE)
}

/// The event's name on the wire: the first 16 hexadecimal digits of the hash of the authority's key.
pub fn event_of(authority: &[u8; 32]) -> String {
    let mut digits = tabiya_engine::record::chain::hex(&Sha256::digest(authority));
    digits.truncate(16);
    digits
}

fn hash(preface: &str, parts: &[&[u8; 32]]) -> [u8; 32] {
    let hasher = Sha256::new().chain_update(preface);
    parts.iter().fold(hasher, sha2::Digest::chain_update).finalize().into()
}

#[cfg(test)]
mod tests {
    use tabiya_engine::record::chain::{hex, unhex};

    use super::*;

    fn key(digits: &str) -> [u8; 32] {
        unhex(digits).and_then(|bytes| bytes.try_into().ok()).expect("64 digits")
    }

    #[test]
    fn the_digits_of_the_page_follow_from_its_keys_and_numbers() {
        let page = include_str!("../../docs/hall.md");
        let word = |before: &str| {
            let at = page.find(before).expect(before) + before.len();
            page[at..].split_whitespace().next().expect("a word")
        };
        let authority = key(word("    authority "));
        let table = key(word("    table "));
        let (joiner, console) = ([4; 32], [5; 32]);
        assert_eq!(event_of(&authority), word("   event "));
        assert_eq!(hex(&joiner_commit(&table, &joiner)), word("    commit "));
        assert_eq!(hex(&console_commit(&console)), word("    console's commit "));
        assert_eq!(digits(&authority, &table, &joiner, &console), word("    digits "));
    }
}
