//! The key with which this computer's table signs the heads of its records: an Ed25519 key (RFC 8032), made at the
//! first start and kept beside the keys of matches. Its public half may be given to everybody.
//!
//! Source: `docs/record-chain.md`, "Signed heads".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::fmt;

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use tabiya_engine::record::chain;
use zeroize::Zeroize as _;

/// The length of a key's secret seed and of its public half, in bytes.
const KEY_BYTES: usize = 32;
/// The length of a signature, in bytes.
const SIGNATURE_BYTES: usize = 64;

/// The public half of a table's key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PublicKey([u8; KEY_BYTES]);

impl PublicKey {
    /// Reads a public key from 64 hexadecimal digits in either case, with white space around them; `None` for any other
    /// text.
    pub fn from_digits(digits: &str) -> Option<Self> {
        chain::unhex(&digits.trim().to_ascii_lowercase())?.try_into().ok().map(Self)
    }

    /// The key as 32 bytes.
    pub fn to_bytes(self) -> [u8; KEY_BYTES] {
        self.0
    }

    /// Whether these 64 bytes were made for `message` with this key's other half.
    pub fn has_signed_bytes(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0).verify(message, signature).is_ok()
    }

    /// Whether `signature`, 128 hexadecimal digits, was made for `text` with this key's other half.
    pub fn has_signed(&self, text: &str, signature: &str) -> bool {
        let Some(bytes) = chain::unhex(signature).filter(|bytes| bytes.len() == SIGNATURE_BYTES) else {
            return false;
        };
        self.has_signed_bytes(text.as_bytes(), &bytes)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chain::hex(&self.0))
    }
}

/// A table's key. Its `Debug` output shows the public half alone.
pub struct TableKey(Ed25519KeyPair);

impl TableKey {
    /// The public half.
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; KEY_BYTES];
        bytes.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(bytes)
    }

    /// The public half as 32 bytes.
    pub fn public_bytes(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }

    /// Signs bytes; the signature has 64 bytes.
    pub fn sign_bytes(&self, message: &[u8]) -> Vec<u8> {
        self.0.sign(message).as_ref().to_vec()
    }

    /// A key from its 32 secret bytes, for tests of what is signed with known keys. `None` if they are not 32 bytes.
    pub fn from_seed(seed: &[u8]) -> Option<Self> {
        Ed25519KeyPair::from_seed_unchecked(seed).ok().map(Self)
    }

    /// Signs a text; the signature is 128 lowercase hexadecimal digits.
    pub fn sign(&self, text: &str) -> String {
        chain::hex(self.0.sign(text.as_bytes()).as_ref())
    }
}

impl fmt::Debug for TableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TableKey").field(&self.public()).finish()
    }
}

/// The content of the key's file. The seed is overwritten when it is dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableKeyFile {
    public: String,
    seed: String,
}

impl Drop for TableKeyFile {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

impl TableKeyFile {
    /// A new key; `None` if the system provides no random numbers.
    pub(super) fn new() -> Option<Self> {
        let mut seed = [0; KEY_BYTES];
        getrandom::fill(&mut seed).ok()?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).ok()?;
        let file = Self { public: TableKey(pair).public().to_string(), seed: chain::hex(&seed) };
        seed.zeroize();
        Some(file)
    }

    /// The key in this file; `None` if its two halves do not belong together.
    pub(super) fn key(&self) -> Option<TableKey> {
        let mut seed = chain::unhex(&self.seed)?;
        let public = PublicKey::from_digits(&self.public)?;
        let pair = Ed25519KeyPair::from_seed_and_public_key(&seed, &public.0).ok();
        seed.zeroize();
        pair.map(TableKey)
    }
}
