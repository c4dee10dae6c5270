//! The box in which the journal keeps the known cards of a deal: encrypted, and readable only with the match's key. A box is
//! made for the public half of the key, so that a table can seal cards without being able to open any. Older versions used one
//! key for both.
//!
//! Who may open a box, and against whom it protects: `docs/record-chain.md`, "Boxes".
//!
//! Sources: HPKE (RFC 9180) with X25519, HKDF-SHA256 and ChaCha20-Poly1305. Boxes of older versions: ChaCha20-Poly1305
//! (RFC 8439) with the extended nonce (draft-irtf-cfrg-xchacha-03).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256 as Kem;
use hpke::{Deserializable as _, Kem as KemTrait, OpModeR, OpModeS, Serializable as _};
use serde_json::{Map, Value};
pub use tabiya_engine::record::chain::BOX;
use tabiya_engine::record::chain::{self, COLOURS, HIDDEN, Head, LONGEST_BOX, SALTS, SEALS};
use tabiya_engine::record::json;
use zeroize::ZeroizeOnDrop;

use crate::notes::{MatchName, RecordProgress, Seen};

/// The length of a key, in bytes.
pub const KEY_BYTES: usize = 32;
/// The length of the random nonce with which each box begins, in bytes.
pub const NONCE_BYTES: usize = 24;
/// What the encryption for the public half is about.
const INFO: &[u8] = b"tabiya box 2\n";
/// The beginning of the data that is authenticated together with a box. The deal's seals follow it.
const PREFACE: &str = "tabiya box 1\n";
/// The names of the fields in a box. The second name of each pair is the field of the line from which the value is
/// taken.
const INSIDE: [(&str, &str); 2] = [("cards", "cards"), ("salts", SALTS)];

/// The two halves of the key of a match: the public half seals cards, the secret half opens them. The secret is overwritten
/// when it is dropped, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct KeyPair {
    secret: [u8; KEY_BYTES],
    #[zeroize(skip)]
    public: [u8; KEY_BYTES],
}

impl KeyPair {
    /// The pair with this secret half; `None` if the bytes are none.
    pub fn from_secret(secret: [u8; KEY_BYTES]) -> Option<Self> {
        let key = <Kem as KemTrait>::PrivateKey::from_bytes(&secret).ok()?;
        let public = Kem::sk_to_pk(&key).to_bytes().as_slice().try_into().ok()?;
        Some(Self { secret, public })
    }

    /// The public half.
    pub const fn public(&self) -> [u8; KEY_BYTES] {
        self.public
    }

    /// The secret half.
    pub const fn secret(&self) -> &[u8; KEY_BYTES] {
        &self.secret
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyPair(…)")
    }
}

/// What opens the boxes of a match.
#[derive(Clone, PartialEq, Eq)]
pub enum MatchKey {
    /// The secret key of a match of an older version, which sealed the boxes, too.
    Shared(SharedKey),
    /// The secret half.
    Pair(KeyPair),
}

/// A key that seals and opens. It is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct SharedKey([u8; KEY_BYTES]);

impl SharedKey {
    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

impl MatchKey {
    /// The key of an older version with these bytes.
    pub const fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self::Shared(SharedKey(bytes))
    }
}

impl fmt::Debug for MatchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// What seals the cards of a match.
#[derive(Clone, PartialEq, Eq)]
pub enum Sealer {
    /// The key of a match of an older version.
    Shared([u8; KEY_BYTES]),
    /// The public half: whoever has it can seal, and not open.
    Public([u8; KEY_BYTES]),
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer(…)")
    }
}

impl Sealer {
    /// Encrypts a text together with what it is about. A shared key needs the random nonce; the other way takes its one-time
    /// key from the system.
    fn seal(&self, text: &[u8], about: &[u8], nonce: [u8; NONCE_BYTES]) -> Option<Vec<u8>> {
        match self {
            Self::Shared(key) => {
                let cipher = SharedKey(*key).cipher();
                let sealed = cipher.encrypt(&XNonce::from(nonce), Payload { msg: text, aad: about }).ok()?;
                Some([nonce.as_slice(), &sealed].concat())
            }
            Self::Public(public) => {
                let to = <Kem as KemTrait>::PublicKey::from_bytes(public).ok()?;
                let mode = OpModeS::Base;
                let (once, sealed) = hpke::single_shot_seal::<ChaCha20Poly1305, HkdfSha256, Kem>(
                    &mode, &to, INFO, text, about,
                )
                .ok()?;
                Some([once.to_bytes().as_slice(), &sealed].concat())
            }
        }
    }
}

impl MatchKey {
    /// Decrypts what [`Sealer::seal`] has encrypted.
    fn unseal(&self, bytes: &[u8], about: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Shared(key) => {
                let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
                key.cipher().decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: about }).ok()
            }
            Self::Pair(pair) => {
                let (once, sealed) = bytes.split_first_chunk::<KEY_BYTES>()?;
                let key = <Kem as KemTrait>::PrivateKey::from_bytes(&pair.secret).ok()?;
                let once = <Kem as KemTrait>::EncappedKey::from_bytes(once).ok()?;
                let mode = OpModeR::Base;
                hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, Kem>(
                    &mode, &key, &once, INFO, sealed, about,
                )
                .ok()
            }
        }
    }
}

/// Why sealed cards cannot be opened, or cards cannot be sealed. Cloning is cheap.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeyError {
    /// There is no folder for keys.
    #[error("{0}")]
    NoPlace(String),
    /// The match has sealed cards, but their key is not on this computer.
    #[error(
        "the key to this match's sealed cards is not on this computer; copy the key from the computer on which the cards were sealed to {file}"
    )]
    Missing {
        /// The path that the key's file must have.
        file: String,
    },
    /// The key's file does not contain the key of this match.
    #[error("{file} is not the key of this match; check the file")]
    NotAKey {
        /// The path of the key's file.
        file: String,
    },
    /// The file of the table's own key does not contain one.
    #[error(
        "{file} is not the key with which this table signs; restore it from a backup, or remove it: a new key is made then"
    )]
    NotATableKey {
        /// The path of the key's file.
        file: String,
    },
    /// The file that says how far a record has come does not say it.
    #[error(
        "{file} does not say how far the match's record has come; restore it from a backup, or remove it if you trust the record"
    )]
    NotSeen {
        /// The path of the file.
        file: String,
    },
    /// The key's file cannot be read or written.
    #[error("the key {file} cannot be {doing}: {source}; check the file and its folder")]
    Io {
        /// The path of the key's file.
        file: String,
        /// What could not be done with the file, as a participle: "read" or "written".
        doing: &'static str,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// The table wrote the match in another file.
    #[error("the sealed cards of this match open only in its own record, {}", tabiya_types::shown(.original))]
    Copy {
        /// The match's own record.
        original: PathBuf,
    },
    /// The store has never seen the match.
    #[error(
        "the sealed cards of this match open only on the computer and with the keys with which they were dealt, and these keys have never seen the match"
    )]
    NeverSeen,
    /// The store of keys is a copy of another one.
    #[error(
        "these keys are a copy: sealed cards open only with the folder of keys in its own place, where the table has it"
    )]
    CopiedStore,
    /// The cards were dealt into another file.
    #[error(
        "the sealed cards of this match open only in the file in which they were dealt; move the record back there"
    )]
    MovedAway,
    /// The table has not signed a line that opens cards.
    #[error(
        "sealed cards open only by lines that this table has signed, and line {line} is not signed; carry the match on at the table once"
    )]
    NotSigned {
        /// The number of the line in the record, from 1.
        line: u64,
    },
    /// The record does not continue the newest line that the key's store has seen.
    #[error(
        "sealed cards open only for a record with all lines that were written at the table, and line {line} here is missing or another one; look for the newest copy of {original}"
    )]
    Behind {
        /// The number of the line in the record, from 1.
        line: u64,
        /// The record that had that line.
        original: PathBuf,
    },
    /// The key is locked with the players' codes.
    #[error(
        "the sealed cards are locked with the codes of {by}: they open once the match is over and each of these players has agreed with his code at the table (`play --carry-on` opens it again), with `consent white CODE` or `consent black CODE`"
    )]
    Locked {
        /// The seats of the players.
        by: String,
    },
    /// The key of an older version cannot be locked.
    #[error("the key of this match was made by an older version of Tabiya, which locks no keys")]
    OldKey,
    /// The system provides no random numbers.
    #[error("this computer provides no random numbers for a key")]
    NoRandomNumbers,
    /// A box cannot be opened.
    #[error("line {line}: {source}")]
    Box {
        /// The number of the line in the record, from 1.
        line: u32,
        /// Why the box cannot be opened.
        source: BoxError,
    },
}

/// A store of match keys. A match is identified by the hash of its header, which is the same in every copy of a record.
pub trait KeyStore: fmt::Debug + Send {
    /// The error to report if the key of a match is not in the store.
    fn missing(&self, header: Head) -> KeyError;
    /// What opens the cards of a match; `None` if the store does not have it. `Err` if it is locked with the players' codes.
    fn find(&self, header: Head) -> Result<Option<MatchKey>, KeyError>;
    /// What seals the cards of a match; `None` if the store has no key for it.
    fn sealer(&self, header: Head) -> Result<Option<Sealer>, KeyError>;
    /// Makes a key for a match that has none, and saves it durably. Returns what seals its cards.
    fn make(&self, header: Head) -> Result<Sealer, KeyError>;
    /// What the store remembers of a match; `None` if it has never seen it.
    fn seen(&self, of: &MatchName) -> Result<Option<Seen>, KeyError>;
    /// Notes in which file the match goes on and how far its record has come. With `carried_on`, a store that has not noted this
    /// match before has taken it on from another one. The note is durable when this returns `Ok`.
    fn note(
        &self,
        of: &MatchName,
        record: &Path,
        progress: RecordProgress,
        carried_on: bool,
    ) -> Result<(), KeyError>;
    /// Notes how far the record has come, if the note's newest hash is `before`; `Ok(false)` if it is another one. With
    /// `durable` the note is on the disk when this returns.
    fn go_on(
        &self,
        of: &MatchName,
        before: Head,
        progress: RecordProgress,
        durable: bool,
    ) -> Result<bool, KeyError>;
}

/// Why a box cannot be opened or made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoxError {
    /// The key is not the right one, or the box was changed.
    #[error("the key does not open the sealed cards, or they were changed")]
    OtherKey,
    /// The cards in the box do not fit their seals.
    #[error("the sealed cards are not the ones that were dealt")]
    OtherCards,
    /// The line has sealed cards, but their box is missing.
    #[error("the sealed cards were removed")]
    Gone,
    /// The cards do not fit into a box.
    #[error("the line has more cards than can be sealed")]
    TooMany,
}

/// Whether a line has a box, that is, encrypted cards.
pub fn is_closed(line: &Value) -> bool {
    line.get(BOX).is_some()
}

/// Checks a line without a box. The line must contain all its sealed cards unencrypted, and each card must fit its
/// seal.
pub fn check_open_seals(line: &Value) -> Result<(), BoxError> {
    match chain::check_seals(line) {
        Ok(seals) if seals.sealed > 0 => Err(BoxError::Gone),
        Ok(_) => Ok(()),
        Err(_) => Err(BoxError::OtherCards),
    }
}

/// Whether a line contains sealed cards that are not encrypted. The journal must encrypt them before it writes the
/// line.
pub(super) fn is_open(line: &Value) -> bool {
    let Value::Object(members) = line else { return false };
    let shown = |salt: &&str| !salt.is_empty() && *salt != HIDDEN;
    COLOURS.iter().any(|colour| chain::texts(members, SALTS, colour).iter().any(shown))
}

/// Moves the sealed cards of a line and their salts into a box. A card without a seal is public and stays visible.
pub(super) fn close(mut line: Value, with: &Sealer, nonce: [u8; NONCE_BYTES]) -> Result<Value, BoxError> {
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
    let digits = with.seal(text.as_bytes(), &about, nonce).map(|sealed| chain::hex(&sealed));
    let digits = digits.filter(|digits| digits.len() <= LONGEST_BOX).ok_or(BoxError::TooMany)?;
    members.insert(BOX.to_owned(), digits.into());
    Ok(line)
}

/// Opens the box of a line. Returns the line with its cards and salts; each card was checked against its seal. A line
/// without a box is returned unchanged.
pub fn open(line: &Value, key: &MatchKey) -> Result<Value, BoxError> {
    let Some(closed) = line.get(BOX) else { return Ok(line.clone()) };
    let bytes = closed.as_str().and_then(chain::unhex).ok_or(BoxError::OtherKey)?;
    let text = key.unseal(&bytes, &about(line)).ok_or(BoxError::OtherKey)?;
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

/// The data that is authenticated together with a box: the deal's seals. They keep a box from being moved to another
/// deal.
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
        close(sealed(), &Sealer::Shared([7; KEY_BYTES]), [9; NONCE_BYTES]).expect("it closes")
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

    /// A person who knows the key can encrypt other cards into a box. These cards do not fit the seals, so the box is
    /// refused.
    #[test]
    fn cards_that_the_seals_do_not_stand_for_are_not_believed() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        let mut other = sealed();
        other["cards"]["white"][0] = "B".into();
        let line = close(other, &Sealer::Shared([7; KEY_BYTES]), [9; NONCE_BYTES]).expect("it closes");
        assert_eq!(open(&line, &key), Err(BoxError::OtherCards));
    }

    #[test]
    fn what_is_sealed_for_a_public_half_opens_with_the_secret_half_alone() {
        let pair = KeyPair::from_secret([7; KEY_BYTES]).expect("a key");
        let line = close(sealed(), &Sealer::Public(pair.public()), [0; NONCE_BYTES]).expect("it closes");
        assert_eq!(chain::public_form(&line), chain::public_form(&sealed()));
        let opened = open(&line, &MatchKey::Pair(pair.clone())).expect("it opens");
        assert_eq!(opened.get("cards"), sealed().get("cards"));
        let other = KeyPair::from_secret([8; KEY_BYTES]).expect("a key");
        assert_eq!(open(&line, &MatchKey::Pair(other)), Err(BoxError::OtherKey));
        let mut moved = line;
        moved["x-seals"]["white"][0] = "00".repeat(32).into();
        assert_eq!(open(&moved, &MatchKey::Pair(pair)), Err(BoxError::OtherKey));
    }

    #[test]
    fn a_key_is_printed_by_no_debug() {
        let key = MatchKey::from_bytes([7; KEY_BYTES]);
        assert_eq!(format!("{key:?}"), "Key(…)");
        let pair = KeyPair::from_secret([7; KEY_BYTES]).expect("a key");
        assert_eq!(format!("{pair:?} {:?}", Sealer::Shared([7; KEY_BYTES])), "KeyPair(…) Sealer(…)");
    }
}
