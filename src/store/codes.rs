//! The codes with which players agree that sealed cards are shown: how one is proposed, kept and known again.
//!
//! From a code, a random salt and much work two things are derived: a hash, by which the record knows the code again, and a
//! share of the key to the sealed cards, which stands nowhere. A seat's first code counts, whatever is undone later. What
//! this protects against: `docs/record-chain.md`, "Boxes".
//!
//! Source: Argon2id (RFC 9106).
#![expect(clippy::disallowed_methods, reason = "salts and proposed words come from the system's chance")]

use std::num::NonZeroU32;

use argon2::{Algorithm, Argon2, Params, Version};
use bip39::Language;
use ring::pbkdf2;
use tabiya_engine::record::{Header, Line, chain};
use tabiya_engine::rules::{Datum, Group};
use tabiya_types::{Seat, Sentence, say};
use zeroize::Zeroize as _;

use super::match_key_file::KeyShare;

/// How codes of older records are hashed.
const OLD_HASH: pbkdf2::Algorithm = pbkdf2::PBKDF2_HMAC_SHA256;
const OLD_ROUNDS: NonZeroU32 = NonZeroU32::new(100_000).expect("not zero");
/// The memory that one try of a code takes, in KiB.
const MEMORY_KIB: u32 = 128 * 1024;
/// How often that memory is gone through: together two thirds of a second on two cores of 2.6 GHz.
const PASSES: u32 = 6;
/// The length of a salt, in bytes.
const SALT_BYTES: usize = 16;
/// The fewest characters of a code.
pub const SHORTEST: usize = 6;
/// The most characters of a code.
pub const LONGEST: usize = 60;
/// How many words a proposed code has.
const WORDS: usize = 4;

/// The members of a ruling that keep the hash of the code that the player of this seat has chosen, and its salt.
const fn members(seat: Seat) -> (&'static str, &'static str) {
    match seat {
        Seat::A => ("x-code-A", "x-code-salt-A"),
        Seat::B => ("x-code-B", "x-code-salt-B"),
    }
}

/// A code that a player has chosen: what its ruling keeps, and the player's share of the key.
#[derive(Debug)]
pub struct ChosenCode {
    /// The members that the ruling keeps: the hash and its salt.
    pub members: Group,
    /// The player's share of the key, which stands nowhere.
    pub share: KeyShare,
}

/// Derives what is kept of this code. `Err` if the computer provides no random numbers, or too little memory.
pub fn choose(seat: Seat, code: &str) -> Result<ChosenCode, Sentence> {
    let mut salt = [0; SALT_BYTES];
    let filled = getrandom::fill(&mut salt).is_ok();
    let derived = if filled { derive(seat, code, &salt) } else { None };
    let Some((hash, share)) = derived else {
        return Err(say!("code-not-derived", "this computer has too little memory or chance to keep a code"));
    };
    let ((hash_name, salt_name), text) = (members(seat), |bytes: &[u8]| Datum::Text(chain::hex(bytes)));
    let members = Group::new().with(hash_name, text(&hash)).with(salt_name, text(&salt));
    Ok(ChosenCode { members, share })
}

/// The hash of a code, and the share; `None` without enough memory.
fn derive(seat: Seat, code: &str, salt: &[u8]) -> Option<([u8; 32], KeyShare)> {
    const BOTH: usize = 64;
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(BOTH)).ok()?;
    let mut both = [0; BOTH];
    // No two seats share a salt, even if the same one were drawn.
    let salt = [salt, seat.word().as_bytes()].concat();
    let worker = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    worker.hash_password_into(code.as_bytes(), &salt, &mut both).ok()?;
    let (hash, share) = both.split_first_chunk::<32>()?;
    let derived = (*hash, KeyShare(share.try_into().ok()?));
    both.zeroize();
    Some(derived)
}

/// A member of the ruling by which the player of this seat has chosen his code.
fn kept(name: &str, lines: &[Line]) -> Option<Vec<u8>> {
    let member = lines.iter().find_map(|line| line.extension(name))?;
    chain::unhex(member.as_text()?)
}

/// Whether the player of this seat has chosen a code.
pub fn has_code(seat: Seat, lines: &[Line]) -> bool {
    kept(members(seat).0, lines).is_some()
}

/// What a typed code turns out to be.
#[derive(Debug)]
pub enum TypedCode {
    /// Not the player's code, or he has chosen none.
    Wrong,
    /// The player's code, from which his share of the key is derived.
    Right(KeyShare),
    /// The player's code in an older record, which has no share.
    RightOld,
}

/// Whether this is the code that the player of this seat has chosen.
pub fn check(seat: Seat, code: &str, header: &Header, lines: &[Line]) -> TypedCode {
    let (hash_name, salt_name) = members(seat);
    let Some(hash) = kept(hash_name, lines) else { return TypedCode::Wrong };
    let Some(salt) = kept(salt_name, lines) else {
        let salt = format!("{} {}", seat.word(), header.line());
        let fits = pbkdf2::verify(OLD_HASH, OLD_ROUNDS, salt.as_bytes(), code.as_bytes(), &hash);
        return if fits.is_ok() { TypedCode::RightOld } else { TypedCode::Wrong };
    };
    match derive(seat, code, &salt) {
        Some((derived, share)) if derived.as_slice() == hash => TypedCode::Right(share),
        _ => TypedCode::Wrong,
    }
}

/// A code of four words that nobody has thought of before: 44 bits of chance. Empty without chance.
pub fn proposed_code() -> String {
    four_words().unwrap_or_default()
}

/// Six words for a hash, to compare it by voice and by eye: its first 66 bits, 11 for each word of the list.
pub fn six_words(hash: &[u8; 32]) -> Vec<&'static str> {
    let words = Language::English.word_list();
    let (bits, _) = hash.split_first_chunk::<16>().unwrap_or((&[0; 16], &[]));
    let bits = u128::from_be_bytes(*bits);
    let word = |nth: u32| usize::try_from((bits >> (128 - 11 * (nth + 1))) & 0x7ff).unwrap_or(0);
    (0..6).filter_map(|nth| words.get(word(nth)).copied()).collect()
}

fn four_words() -> Option<String> {
    let mut chance = [0; 2 * WORDS];
    getrandom::fill(&mut chance).ok()?;
    let words = Language::English.word_list();
    let picks = chance.chunks_exact(2).map(|pair| match pair {
        [high, low] => words.get(usize::from(u16::from_be_bytes([*high, *low])) % words.len()).copied(),
        _ => None,
    });
    Some(picks.collect::<Option<Vec<_>>>()?.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_words_are_the_first_66_bits() {
        // The list of BIP 39 begins with `abandon` and ends with `zoo`.
        assert_eq!(six_words(&[0; 32]), ["abandon"; 6]);
        assert_eq!(six_words(&[0xff; 32]), ["zoo"; 6]);
        let mut hash = [0; 32];
        // 00000000001 then 55 zeros: the second word of the list, and five times the first.
        hash[1] = 0b0010_0000;
        assert_eq!(six_words(&hash), ["ability", "abandon", "abandon", "abandon", "abandon", "abandon"]);
        hash[1] = 0;
        hash[8] = 0b0100_0000;
        assert_eq!(six_words(&hash)[5], "ability", "bit 66 is the last one that counts");
    }

    #[test]
    fn proposed_codes_are_four_words_and_differ() {
        let (one, other) = (proposed_code(), proposed_code());
        assert_ne!(one, other);
        assert_eq!(one.split('-').count(), 4);
        assert!((SHORTEST..=LONGEST).contains(&one.len()), "{one}");
    }

    #[test]
    fn a_share_comes_from_the_code_and_the_salt_and_the_hash_does_not_tell_it() {
        let (hash, share) = derive(Seat::A, "abcdef", &[1; SALT_BYTES]).expect("memory");
        assert_ne!(hash, share.0);
        let again = derive(Seat::A, "abcdef", &[1; SALT_BYTES]).expect("memory");
        assert_eq!((again.0, again.1), (hash, share.clone()));
        for (seat, code, salt) in [(Seat::B, "abcdef", 1), (Seat::A, "abcdeg", 1), (Seat::A, "abcdef", 2)] {
            let other = derive(seat, code, &[salt; SALT_BYTES]).expect("memory");
            assert!(other.0 != hash && other.1 != share);
        }
    }
}
