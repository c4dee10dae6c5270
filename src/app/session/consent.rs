//! Each player's own agreement that sealed cards are shown. One person at the keyboard cannot agree for both: a player
//! lays down a card that was dealt to him, or types the code that he chose before the first cards were dealt.
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
use tabiya_types::{BySeat, Instant, Millis, Seat, Sentence, say};
use zeroize::Zeroize as _;

use crate::store::match_key_file::KeyShare;

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
pub(super) const SHORTEST: usize = 6;
/// The most characters of a code.
pub(super) const LONGEST: usize = 60;
/// How many words a proposed code has.
const WORDS: usize = 4;
/// How many wrong codes a player may type before he has to wait.
const MOST_WRONG: u32 = 3;
/// How long he waits then before each further try.
const WAIT: Millis = Millis(30_000);

/// The members of a ruling that keep the hash of the code that the player of this seat has chosen, and its salt.
const fn members(seat: Seat) -> (&'static str, &'static str) {
    match seat {
        Seat::A => ("x-code-A", "x-code-salt-A"),
        Seat::B => ("x-code-B", "x-code-salt-B"),
    }
}

/// A code that a player has chosen: what its ruling keeps, and the player's share of the key.
pub(super) struct ChosenCode {
    pub(super) members: Group,
    pub(super) share: KeyShare,
}

/// Derives what is kept of this code. `Err` if the computer provides no random numbers, or too little memory.
pub(super) fn choose(seat: Seat, code: &str) -> Result<ChosenCode, Sentence> {
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
pub(super) fn has_code(seat: Seat, lines: &[Line]) -> bool {
    kept(members(seat).0, lines).is_some()
}

/// What a typed code turns out to be.
pub(super) enum TypedCode {
    Wrong,
    /// The player's code, from which his share of the key is derived.
    Right(KeyShare),
    /// The player's code in an older record, which has no share.
    RightOld,
}

/// Whether this is the code that the player of this seat has chosen.
pub(super) fn check(seat: Seat, code: &str, header: &Header, lines: &[Line]) -> TypedCode {
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
pub(crate) fn proposed_code() -> String {
    four_words().unwrap_or_default()
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

/// The wrong codes that were typed for each player. After some of them each further try has to wait.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrongCodes(BySeat<(u32, Option<Instant>)>);

impl WrongCodes {
    /// How long this player still has to wait at `now`; `None` if he may try.
    pub(super) fn wait(&self, by: Seat, now: Instant) -> Option<Millis> {
        let (count, last) = self.0[by];
        let until = last.filter(|_| count >= MOST_WRONG)? + WAIT;
        (until > now).then(|| until.since(now))
    }

    /// Counts a wrong code.
    pub(super) fn count(&mut self, by: Seat, now: Instant) {
        let (count, last) = &mut self.0[by];
        (*count, *last) = (*count + 1, Some(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wrong_codes_make_the_next_one_wait() {
        let (mut wrong, at) = (WrongCodes::default(), Instant::from_millis);
        for nth in 0..3 {
            assert_eq!(wrong.wait(Seat::A, at(nth)), None);
            wrong.count(Seat::A, at(nth));
        }
        assert_eq!(wrong.wait(Seat::A, at(2)), Some(Millis(30_000)));
        assert_eq!(wrong.wait(Seat::A, at(30_001)), Some(Millis(1)));
        assert_eq!(wrong.wait(Seat::A, at(30_002)), None);
        assert_eq!(wrong.wait(Seat::B, at(2)), None, "the other player has typed none");
        wrong.count(Seat::A, at(30_002));
        assert_eq!(wrong.wait(Seat::A, at(30_003)), Some(Millis(29_999)));
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
