//! The file of a match's key pair. Cards are sealed with the public half. The secret half opens them; it stands in the file,
//! or it is locked there with what only the players know: a share of each code that a player has chosen.
//!
//! Source: `docs/record-chain.md`, "Boxes".
#![expect(clippy::disallowed_methods, reason = "keys come from the system's chance")]

use std::collections::BTreeMap;

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::{self, Head};
use tabiya_types::Seat;
use zeroize::{Zeroize as _, ZeroizeOnDrop};

use super::journal::vault::{KEY_BYTES, KeyPair, MatchKey, NONCE_BYTES, Sealer};
use super::sums::sum_of;

/// What stands before the shares when the key of a lock is computed.
const PREFACE: &[u8] = b"tabiya lock 1\n";

/// A player's share of the key: what is derived slowly from his code, and stored nowhere. It is overwritten when it is
/// dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct KeyShare(pub [u8; 32]);

impl std::fmt::Debug for KeyShare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyShare(…)")
    }
}

/// The shares that are known, by the seats of their players.
pub type KeyShares = BTreeMap<Seat, KeyShare>;

/// The content of a key file. Its secrets are overwritten when it is dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchKeyFile {
    /// The hash of the match's header.
    header: String,
    /// The key of a match of an older version, which seals and opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    public: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    locked: Option<LockedSecret>,
    /// The sum of the rest: cards must not be sealed with a damaged public half. Older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
}

/// The secret half, encrypted.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockedSecret {
    /// The seats of the players whose shares open it, `A` before `B`.
    by: Vec<String>,
    #[serde(rename = "box")]
    sealed: String,
}

impl Drop for MatchKeyFile {
    fn drop(&mut self) {
        self.key.zeroize();
        self.secret.zeroize();
    }
}

/// What a key file holds for opening cards.
pub(super) enum MatchOpener {
    /// The key. `bound` says that it opens cards only in the file in which they were dealt; keys of older versions do not.
    Key { key: MatchKey, bound: bool },
    /// The key is locked with the codes of these players.
    Locked(Vec<Seat>),
}

impl MatchKeyFile {
    /// A file with an open secret.
    pub(super) fn open(header: Head, pair: &KeyPair) -> Self {
        Self {
            header: header.to_string(),
            key: None,
            public: Some(chain::hex(&pair.public())),
            secret: Some(chain::hex(pair.secret())),
            locked: None,
            sum: None,
        }
        .with_sum()
    }

    fn with_sum(mut self) -> Self {
        self.sum = Some(sum_of(&self));
        self
    }

    /// The key file with this content; `None` if it is not one, is damaged, or is of another match.
    pub(super) fn parse(content: &[u8], header: Head) -> Option<Self> {
        let mut read: Self = serde_json::from_slice(content).ok()?;
        let sum = read.sum.take();
        let fits = read.header == header.to_string() && sum.is_none_or(|sum| sum == sum_of(&read));
        fits.then_some(read)
    }

    /// A file whose secret is locked with these shares; `None` if the system provides no random numbers.
    pub(super) fn locked(header: Head, pair: &KeyPair, shares: &KeyShares) -> Option<Self> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).ok()?;
        let header = header.to_string();
        let payload = Payload { msg: pair.secret(), aad: header.as_bytes() };
        let sealed = lock(shares).encrypt(&XNonce::from(nonce), payload).ok()?;
        let by = shares.keys().map(|seat| seat.word().to_owned()).collect();
        let sealed = chain::hex(&[nonce.as_slice(), &sealed].concat());
        let public = Some(chain::hex(&pair.public()));
        let locked = Some(LockedSecret { by, sealed });
        Some(Self { header, key: None, public, secret: None, locked, sum: None }.with_sum())
    }

    /// What seals cards; `None` if the file is damaged.
    pub(super) fn sealer(&self) -> Option<Sealer> {
        match (&self.key, &self.public) {
            (Some(key), None) => Some(Sealer::Shared(bytes(key)?)),
            (None, Some(public)) => Some(Sealer::Public(bytes(public)?)),
            _ => None,
        }
    }

    /// What opens cards; `None` if the file is damaged.
    pub(super) fn opener(&self) -> Option<MatchOpener> {
        match (&self.key, &self.secret, &self.locked) {
            (Some(key), None, None) => {
                Some(MatchOpener::Key { key: MatchKey::from_bytes(bytes(key)?), bound: false })
            }
            (None, Some(secret), None) => {
                let pair = KeyPair::from_secret(bytes(secret)?)?;
                let fits = self.public.as_ref() == Some(&chain::hex(&pair.public()));
                fits.then_some(MatchOpener::Key { key: MatchKey::Pair(pair), bound: true })
            }
            (None, None, Some(locked)) => locked.seats().map(MatchOpener::Locked),
            _ => None,
        }
    }

    /// Opens the lock with these shares; `None` if they are not the right ones.
    pub(super) fn unlock(&self, shares: &KeyShares) -> Option<KeyPair> {
        let locked = self.locked.as_ref()?;
        let needed: KeyShares =
            locked.seats()?.iter().filter_map(|seat| Some((*seat, shares.get(seat)?.clone()))).collect();
        let sealed = chain::unhex(&locked.sealed)?;
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: sealed, aad: self.header.as_bytes() };
        let mut secret = lock(&needed).decrypt(&XNonce::from(*nonce), payload).ok()?;
        let pair = <[u8; KEY_BYTES]>::try_from(secret.as_slice()).ok().and_then(KeyPair::from_secret);
        secret.zeroize();
        pair
    }
}

impl LockedSecret {
    fn seats(&self) -> Option<Vec<Seat>> {
        self.by.iter().map(|word| Seat::ALL.into_iter().find(|seat| seat.word() == word)).collect()
    }
}

fn bytes(digits: &str) -> Option<[u8; KEY_BYTES]> {
    chain::unhex(digits)?.try_into().ok()
}

fn lock(shares: &KeyShares) -> XChaCha20Poly1305 {
    let key = shares.iter().fold(Sha256::new().chain_update(PREFACE), |hash, (seat, share)| {
        hash.chain_update(seat.word()).chain_update(share.0)
    });
    XChaCha20Poly1305::new(&key.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(some: &[(Seat, u8)]) -> KeyShares {
        some.iter().map(|(seat, byte)| (*seat, KeyShare([*byte; 32]))).collect()
    }

    #[test]
    fn a_locked_key_opens_with_the_shares_of_all_who_locked_it_and_with_no_others() {
        let header = Head::from_bytes([1; 32]);
        let pair = KeyPair::from_secret([7; KEY_BYTES]).expect("a key");
        let both = shares(&[(Seat::A, 2), (Seat::B, 3)]);
        let file = MatchKeyFile::locked(header, &pair, &both).expect("locked");
        let text = serde_json::to_string(&file).expect("text");
        assert!(!text.contains(&chain::hex(pair.secret())), "{text}");
        let read: MatchKeyFile = serde_json::from_str(&text).expect("read");
        assert!(matches!(read.opener(), Some(MatchOpener::Locked(seats)) if seats == [Seat::A, Seat::B]));
        assert_eq!(read.sealer(), Some(Sealer::Public(pair.public())));
        assert_eq!(read.unlock(&both).as_ref(), Some(&pair));
        for wrong in [
            shares(&[]),
            shares(&[(Seat::A, 2)]),
            shares(&[(Seat::A, 3), (Seat::B, 2)]),
            shares(&[(Seat::A, 2), (Seat::B, 4)]),
        ] {
            assert_eq!(read.unlock(&wrong), None);
        }
    }

    #[test]
    fn with_a_flipped_bit_a_key_file_is_none_and_without_a_sum_it_opens() {
        let header = Head::from_bytes([1; 32]);
        let pair = KeyPair::from_secret([7; KEY_BYTES]).expect("a key");
        let locked = MatchKeyFile::locked(header, &pair, &shares(&[(Seat::A, 2)])).expect("locked");
        for file in [MatchKeyFile::open(header, &pair), locked] {
            let whole = serde_json::to_string(&file).expect("text");
            assert!(MatchKeyFile::parse(whole.as_bytes(), header).is_some());
            assert!(MatchKeyFile::parse(whole.as_bytes(), Head::from_bytes([2; 32])).is_none());
            for bit in 0..whole.len() * 8 {
                let mut bytes = whole.clone().into_bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(MatchKeyFile::parse(&bytes, header).is_none(), "bit {bit}");
            }
            let (before, _) = whole.split_once(",\"sum\"").expect("a sum");
            let old = MatchKeyFile::parse(format!("{before}}}").as_bytes(), header).expect("a key");
            assert_eq!(old.sealer(), Some(Sealer::Public(pair.public())));
        }
    }
}
