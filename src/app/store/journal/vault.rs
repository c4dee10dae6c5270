//! The box in which the journal keeps a deal's known cards: closed for whoever has the file, open for
//! whoever has the match's key.
//!
//! Pure: the key and the chance come from outside. Who may open a box, and against whom it protects:
//! `docs/record-chain.md`, "Boxes".
//!
//! Sources: ChaCha20-Poly1305 (RFC 8439) with the extended nonce (draft-irtf-cfrg-xchacha-03).

use std::sync::Arc;
use std::{fmt, io};

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use serde_json::{Map, Value};
pub use tabiya_engine::record::chain::BOX;
use tabiya_engine::record::chain::{self, COLOURS, HIDDEN, Head, LONGEST_BOX, SALTS, SEALS};
use tabiya_engine::record::json;

/// How many bytes a key has.
pub const KEY_BYTES: usize = 32;
/// How many bytes of chance each box begins with.
pub const NONCE_BYTES: usize = 24;
/// What is authenticated beside a box, before the deal's seals.
const PREFACE: &str = "tabiya box 1\n";
/// What lies in a box, and the field of the line that it is taken from.
const INSIDE: [(&str, &str); 2] = [("cards", "cards"), ("salts", SALTS)];

/// The key to the boxes of a match. No `Debug` prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct MatchKey([u8; KEY_BYTES]);

impl MatchKey {
    /// The key with these bytes.
    pub const fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// The key as its file has it, 64 lowercase hexadecimal digits.
    pub fn from_digits(digits: &str) -> Option<Self> {
        chain::unhex(digits)?.try_into().ok().map(Self)
    }

    /// 64 lowercase hexadecimal digits.
    pub fn digits(&self) -> String {
        chain::hex(&self.0)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

impl fmt::Debug for MatchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why sealed cards stay closed, or cannot be sealed. Cloning is cheap.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeyError {
    /// There is no place for keys.
    #[error("{0}")]
    NoPlace(String),
    /// The match has sealed cards, and their key is elsewhere.
    #[error(
        "the key to this match's sealed cards is not on this computer; it would be {file}: bring it from the computer that sealed them"
    )]
    Missing {
        /// Where it would lie.
        file: String,
    },
    /// The key's file holds something else.
    #[error("{file} is no key of this match; look after the file")]
    NotAKey {
        /// Its path.
        file: String,
    },
    /// The key's file cannot be read or written.
    #[error("the key {file} cannot be {doing}: {source}; look after the file and its folder")]
    Io {
        /// Its path.
        file: String,
        /// "read" or "written".
        doing: &'static str,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// The system gives no chance.
    #[error("this computer gives no random numbers for a key")]
    NoChance,
    /// The box does not open.
    #[error("line {line}: {source}")]
    Box {
        /// Which line of the record, counted from 1.
        line: u32,
        /// Why.
        source: BoxError,
    },
}

/// Where keys lie. A match is named by the hash of its header, which no copy and no rescue of a record changes.
pub trait KeyStore: fmt::Debug + Send {
    /// Why the key of a match is not here.
    fn missing(&self, header: Head) -> KeyError;
    /// The key of a match, if there is one here.
    fn find(&self, header: Head) -> Result<Option<MatchKey>, KeyError>;
    /// The key of a match, made if there is none yet. It is durable before it is given.
    fn find_or_make(&self, header: Head) -> Result<MatchKey, KeyError>;
}

/// Why a box does not open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoxError {
    /// The key is another one, or the box was changed.
    #[error("the key does not open the sealed cards, or they were changed")]
    OtherKey,
    /// What is in it is not what the seals stand for.
    #[error("the sealed cards are not the ones that were dealt")]
    OtherCards,
    /// The box of sealed cards is gone, and with it what they are.
    #[error("the sealed cards were taken out")]
    Gone,
    /// More than a box holds.
    #[error("these are more cards than can be sealed")]
    TooMany,
}

/// Whether a line holds cards that only a key shows.
pub fn is_closed(line: &Value) -> bool {
    line.get(BOX).is_some()
}

/// Whether the sealed cards of a line without a box are there, and are the ones that were sealed.
pub fn believed(line: &Value) -> Result<(), BoxError> {
    match chain::check_seals(line) {
        Ok(seals) if seals.sealed > 0 => Err(BoxError::Gone),
        Ok(_) => Ok(()),
        Err(_) => Err(BoxError::OtherCards),
    }
}

/// Whether a line shows cards that a seal stands for, so that it may not lie in a file as it is.
pub(super) fn is_open(line: &Value) -> bool {
    let Value::Object(members) = line else { return false };
    let shown = |salt: &&str| !salt.is_empty() && *salt != HIDDEN;
    COLOURS.iter().any(|colour| chain::texts(members, SALTS, colour).iter().any(shown))
}

/// The line with its sealed cards and their salts in a box. A card without a seal is public and stays.
pub(super) fn close(mut line: Value, key: &MatchKey, nonce: [u8; NONCE_BYTES]) -> Result<Value, BoxError> {
    let about = about(&line);
    let Value::Object(members) = &mut line else { return Ok(line) };
    let mut inside = Map::new();
    for (name, field) in INSIDE {
        inside.insert(name.to_owned(), members.get(field).cloned().unwrap_or_default());
    }
    members.shift_remove(SALTS);
    for colour in COLOURS {
        let sealed: Vec<bool> =
            chain::texts(members, SEALS, colour).iter().map(|seal| !seal.is_empty()).collect();
        for (card, sealed) in chain::cards_mut(members, colour).iter_mut().zip(sealed) {
            if sealed {
                *card = HIDDEN.into();
            }
        }
    }
    let text = Value::Object(inside).to_string();
    let sealed = key.cipher().encrypt(&XNonce::from(nonce), Payload { msg: text.as_bytes(), aad: &about });
    let digits = sealed.map(|sealed| chain::hex(&[nonce.as_slice(), &sealed].concat()));
    let digits = digits.ok().filter(|digits| digits.len() <= LONGEST_BOX).ok_or(BoxError::TooMany)?;
    members.insert(BOX.to_owned(), digits.into());
    Ok(line)
}

/// The line with its cards open and their salts beside them, each held against its seal. A line without a
/// box stays as it is.
pub fn open(line: &Value, key: &MatchKey) -> Result<Value, BoxError> {
    let Some(closed) = line.get(BOX) else { return Ok(line.clone()) };
    let bytes = closed.as_str().and_then(chain::unhex).ok_or(BoxError::OtherKey)?;
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(BoxError::OtherKey)?;
    let payload = Payload { msg: sealed, aad: &about(line) };
    let text = key.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| BoxError::OtherKey)?;
    let inside = std::str::from_utf8(&text).ok().and_then(|text| json::parse(text).ok());
    let mut opened = line.clone();
    let (Some(Value::Object(mut inside)), Value::Object(members)) = (inside, &mut opened) else {
        return Err(BoxError::OtherCards);
    };
    members.shift_remove(BOX);
    for (name, field) in INSIDE {
        members.insert(field.to_owned(), inside.remove(name).unwrap_or_default());
    }
    let same = chain::public_form(&opened) == chain::public_form(line);
    if same && chain::check_seals(&opened).is_ok() { Ok(opened) } else { Err(BoxError::OtherCards) }
}

/// A box belongs to its deal: the seals, which the chain holds, are authenticated with it.
fn about(line: &Value) -> Vec<u8> {
    let seals = line.get(SEALS).map(chain::canonical).unwrap_or_default();
    [PREFACE, &seals].concat().into_bytes()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]
mod tests {
    use super::*;

    const DEAL: &str = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"],"black":["?","N"]}}"#;

    fn sealed() -> Value {
        let mut nth = 0;
        chain::seal(json::parse(DEAL).expect("JSON"), &mut || {
            nth += 1;
            [nth; chain::SALT_BYTES]
        })
    }

    fn closed() -> Value {
        close(sealed(), &MatchKey::from_bytes([7; KEY_BYTES]), [9; NONCE_BYTES]).expect("it closes")
    }

    #[test]
    fn a_closed_line_shows_no_card_and_keeps_its_place_in_the_chain() {
        let (open_line, closed) = (sealed(), closed());
        let text = closed.to_string();
        assert!(text.contains(r#""cards":{"white":["?","?"],"black":["?","?"]}"#), "{text}");
        assert!(!text.contains("x-salts") && is_closed(&closed) && !is_open(&closed), "{text}");
        assert_eq!(chain::public_form(&closed), chain::public_form(&open_line));
        assert_eq!(chain::check_seals(&closed), Ok(chain::Seals { sealed: 3, opened: 0 }));
    }

    #[test]
    fn the_key_opens_it_and_no_other_does() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        let opened = open(&closed(), &key).expect("it opens");
        assert_eq!(chain::check_seals(&opened), Ok(chain::Seals { sealed: 0, opened: 3 }));
        assert_eq!(opened.get("cards"), sealed().get("cards"));
        assert_eq!(open(&closed(), &MatchKey::from_bytes([8; KEY_BYTES])), Err(BoxError::OtherKey));
        assert_eq!(MatchKey::from_digits(&key.digits()), Some(key));
        assert_eq!(open(&sealed(), &MatchKey::from_bytes([8; KEY_BYTES])), Ok(sealed()));
    }

    #[test]
    fn a_box_that_was_changed_or_moved_to_another_deal_does_not_open() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        let closed = closed();
        let digits = closed[BOX].as_str().expect("a text");
        for place in [0, NONCE_BYTES * 2, digits.len() - 1] {
            let mut changed = digits.as_bytes().to_vec();
            changed[place] = if changed[place] == b'0' { b'1' } else { b'0' };
            let mut line = closed.clone();
            line[BOX] = String::from_utf8(changed).expect("digits").into();
            assert_eq!(open(&line, &key), Err(BoxError::OtherKey), "digit {place}");
        }
        let mut moved = closed.clone();
        moved["x-seals"]["white"][0] = "00".repeat(32).into();
        assert_eq!(open(&moved, &key), Err(BoxError::OtherKey));
        for short in ["", "00", "zz", &digits[..NONCE_BYTES * 2]] {
            let mut line = closed.clone();
            line[BOX] = short.into();
            assert_eq!(open(&line, &key), Err(BoxError::OtherKey), "{short}");
        }
    }

    /// Whoever knows the key might still write other cards into the box.
    #[test]
    fn cards_that_the_seals_do_not_stand_for_are_not_believed() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        let mut other = sealed();
        other["cards"]["white"][0] = "B".into();
        let line = close(other, &key, [9; NONCE_BYTES]).expect("it closes");
        assert_eq!(open(&line, &key), Err(BoxError::OtherCards));
    }

    #[test]
    fn a_key_is_printed_by_no_debug() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        assert_eq!(format!("{key:?}"), "Key(…)");
    }
}
