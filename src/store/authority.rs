//! The key of an event's authority under a passphrase, in one file: whoever has both can admit and revoke tables in the place of the
//! computer that had it.
//!
//! The key of the file is derived slowly from the passphrase (Argon2id, RFC 9106), as the players' codes are, and encrypts the
//! authority's seed (ChaCha20-Poly1305, RFC 8439). Each file has a salt of its own, so its key is used once.
#![expect(clippy::disallowed_methods, reason = "the salt comes from the system's chance")]

use std::io;
use std::path::Path;

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead as _, KeyInit as _};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use serde_json::{Value, json};
use tabiya_engine::record::chain::{hex, unhex};
use tabiya_engine::record::json as read_json;
use zeroize::Zeroize as _;

use crate::disk::{read_bounded, write_private_whole};
use crate::keys::Keyring;
use crate::signing::{PublicKey, TableKeyFile};

/// The work of deriving a key: memory in KiB, and passes over it.
const MEMORY_KIB: u32 = 64 << 10;
const PASSES: u32 = 3;
const SALT_BYTES: usize = 16;
/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 13;

/// Why an authority cannot be saved or restored.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityFault {
    /// This computer does not keep the authority.
    #[error("this computer does not keep the authority of this event; save it at the console that does")]
    NotHere,
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// The file is none that this program has written.
    #[error("{0}: this is no saved authority")]
    NoAuthority(String),
    /// The file is that of another event.
    #[error("{0}: this is the authority of event {1}; nothing was restored")]
    Another(String, String),
    /// The passphrase does not fit.
    #[error("the passphrase does not fit; type it again")]
    Passphrase,
    /// The computer has too little memory or chance.
    #[error(
        "this computer has too little memory or chance to derive a key; close other programs, then try again"
    )]
    NoMemory,
    /// The key cannot be read or kept.
    #[error(transparent)]
    Key(#[from] crate::journal::vault::KeyError),
}

fn cipher(passphrase: &str, salt: &[u8]) -> Option<ChaCha20Poly1305> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).ok()?;
    let mut key = [0; 32];
    let worker = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    worker.hash_password_into(passphrase.as_bytes(), salt, &mut key).ok()?;
    let cipher = ChaCha20Poly1305::new(&Key::from(key));
    key.zeroize();
    Some(cipher)
}

impl Keyring {
    /// Saves the authority of this event in a new file under a passphrase.
    pub fn save_authority(&self, event: &str, passphrase: &str, file: &Path) -> Result<(), AuthorityFault> {
        let own = self.authority_seed(event)?.ok_or(AuthorityFault::NotHere)?;
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(|_| AuthorityFault::NoMemory)?;
        let cipher = cipher(passphrase, &salt).ok_or(AuthorityFault::NoMemory)?;
        let sealed =
            cipher.encrypt(&Nonce::default(), own.as_bytes()).map_err(|_| AuthorityFault::NoMemory)?;
        let saved =
            json!({"tabiya-authority": 1, "event": event, "salt": hex(&salt), "sealed": hex(&sealed)});
        write_private_whole(file, &(saved.to_string() + "\n"))
            .map_err(|error| AuthorityFault::Io(tabiya_types::shown(file), error))
    }

    /// Restores an authority from its file, and keeps it on this computer. `event` names the event of a key; with `wanted`
    /// only the authority of this event is taken. Returns the event.
    pub fn restore_authority(
        &self,
        file: &Path,
        (passphrase, wanted): (&str, Option<&str>),
        event: impl Fn(&PublicKey) -> String,
    ) -> Result<String, AuthorityFault> {
        let name = || tabiya_types::shown(file);
        let bytes = read_bounded(file, LONGEST).map_err(|error| AuthorityFault::Io(name(), error))?;
        let no = || AuthorityFault::NoAuthority(name());
        let saved =
            std::str::from_utf8(&bytes).ok().and_then(|text| read_json::parse(text).ok()).ok_or_else(no)?;
        let part = |member: &str| saved.get(member).and_then(Value::as_str).and_then(unhex).ok_or_else(no);
        let (salt, sealed) = (part("salt")?, part("sealed")?);
        let cipher = cipher(passphrase, &salt).ok_or(AuthorityFault::NoMemory)?;
        let opened =
            cipher.decrypt(&Nonce::default(), sealed.as_slice()).map_err(|_| AuthorityFault::Passphrase)?;
        let read: TableKeyFile = serde_json::from_slice(&opened).map_err(|_| no())?;
        let of = event(&read.key().ok_or_else(no)?.public());
        if wanted.is_some_and(|wanted| wanted != of) {
            return Err(AuthorityFault::Another(name(), of));
        }
        self.keep_authority(&read, &event)?;
        Ok(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_restored_with_its_passphrase_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        let name = |key: &PublicKey| key.to_string()[..16].to_owned();
        let made = Keyring::in_folder(&first).make_authority(name).expect("an authority");
        let event = name(&made.public());
        let file = folder.path().join("chief.authority");
        Keyring::in_folder(&first).save_authority(&event, "four words and more", &file).expect("it is saved");
        let other = Keyring::in_folder(&second);
        assert!(matches!(other.save_authority(&event, "x", &file), Err(AuthorityFault::NotHere)));
        let wrong = other.restore_authority(&file, ("four words and less", None), name);
        assert!(matches!(wrong, Err(AuthorityFault::Passphrase)));
        assert_eq!(
            other.restore_authority(&file, ("four words and more", Some(&event)), name).expect("it fits"),
            event
        );
        let restored = other.find_authority(&event).expect("a folder").expect("the authority");
        assert_eq!(restored.public(), made.public());
        let text = std::fs::read_to_string(&file).expect("the file");
        assert!(!text.contains("seed"), "{text}");
    }
}
