//! Each player's own agreement that sealed cards are shown. One person at the keyboard cannot agree for both: a player
//! lays down a card that was dealt to him, or types the code that he chose before the first cards were dealt.
//!
//! The record keeps only the code's hash, as `x-code-A` or `x-code-B` of a ruling. A seat's first code counts, whatever
//! is undone later. What this protects against: `docs/record-chain.md`, "Boxes".

use std::num::NonZeroU32;

use ring::pbkdf2;
use tabiya_engine::record::{Header, Line, chain};
use tabiya_engine::rules::Datum;
use tabiya_types::Seat;

/// How a code is hashed.
const HASH: pbkdf2::Algorithm = pbkdf2::PBKDF2_HMAC_SHA256;
/// The rounds of the hash. Whoever has the record can try codes: with these rounds, about 20 in a second.
const ROUNDS: NonZeroU32 = NonZeroU32::new(100_000).expect("not zero");
/// The fewest characters of a code.
pub(super) const SHORTEST: usize = 4;
/// The most characters of a code.
pub(super) const LONGEST: usize = 60;

/// The member of a ruling that keeps the hash of the code that the player of this seat has chosen.
pub(super) fn member(seat: Seat) -> &'static str {
    match seat {
        Seat::A => "x-code-A",
        Seat::B => "x-code-B",
    }
}

/// The hash of the code that the player of this seat chooses, as the record keeps it.
pub(super) fn kept(seat: Seat, code: &str, header: &Header) -> Datum {
    Datum::Text(chain::hex(&hash(seat, code, header)))
}

/// The hash of the code that the player of this seat has chosen; `None` if he has chosen none.
fn chosen(seat: Seat, lines: &[Line]) -> Option<Vec<u8>> {
    let code = lines.iter().find_map(|line| line.extension(member(seat)))?;
    chain::unhex(code.as_text()?)
}

/// Whether the player of this seat has chosen a code.
pub(super) fn has_code(seat: Seat, lines: &[Line]) -> bool {
    chosen(seat, lines).is_some()
}

/// Whether this is the code that the player of this seat has chosen.
pub(super) fn is_code(seat: Seat, code: &str, header: &Header, lines: &[Line]) -> bool {
    let salt = salt(seat, header);
    let fits = |chosen: Vec<u8>| pbkdf2::verify(HASH, ROUNDS, &salt, code.as_bytes(), &chosen).is_ok();
    chosen(seat, lines).is_some_and(fits)
}

fn hash(seat: Seat, code: &str, header: &Header) -> [u8; 32] {
    let mut hash = [0; 32];
    pbkdf2::derive(HASH, ROUNDS, &salt(seat, header), code.as_bytes(), &mut hash);
    hash
}

/// No two players or matches share a salt, so that each code must be guessed by itself.
fn salt(seat: Seat, header: &Header) -> Vec<u8> {
    format!("{} {}", seat.word(), header.line()).into_bytes()
}
