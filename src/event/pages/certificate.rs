//! The certificate of the pages for browsers: made on this computer and kept, or the organiser's own. Browsers speak no Ed25519, so it
//! is not one of the event's; nothing trusts it but people, who compare its six words.
//!
//! Source: `docs/hall.md`, §6: ECDSA P-256, self-signed, serverAuth, at most 397 days; six words are the first 66 bits of SHA-256 of
//! the certificate (DER). X.509 (RFC 5280).

use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256,
    SanType, SerialNumber, date_time_ymd,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::hex;
use tabiya_engine::record::json as read_json;
use tabiya_store::codes::six_words;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::keys::{Keyring, PageKey};

use crate::boot::chance;

/// A day, in ms.
const DAY: u64 = 24 * 60 * 60 * 1_000;
/// How many days a certificate holds from the day on which it was made, and before it: clocks of telephones go wrong.
const DAYS_AFTER: u64 = 396;
const DAYS_BEFORE: u64 = 1;
/// The longest file with an organiser's own certificate that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// Why the page has no certificate.
#[derive(Debug, thiserror::Error)]
pub enum PageCertFault {
    /// It cannot be kept.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// It cannot be made.
    #[error("the page's certificate cannot be made ({0}); give one with --page-cert FILE")]
    Made(String),
    /// The organiser's own cannot be used.
    #[error("{0}: {1}; it needs the certificate with its chain, and its key, as PEM")]
    File(String, String),
}

/// The page's key with its certificate.
#[derive(Debug)]
pub(crate) struct PageIdentity {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    pub(crate) key: PrivateKeyDer<'static>,
}

/// The six words of a certificate, and its hash (SHA-256, hexadecimal), which a browser shows.
pub(crate) fn words_of(certificate: &CertificateDer<'_>) -> (Vec<&'static str>, String) {
    let hash: [u8; 32] = Sha256::digest(certificate.as_ref()).into();
    (six_words(&hash), hex(&hash))
}

impl PageIdentity {
    /// The one that this computer keeps for these pages, as long as it holds at this date (ms since 1970); else a new one, for these addresses.
    pub(crate) fn kept(
        (keys, of): (&Keyring, PageKey),
        addresses: &[IpAddr],
        unix_ms: u64,
    ) -> Result<Self, PageCertFault> {
        if let Some(found) = keys.find_page(of)?.and_then(|text| read(&text, unix_ms)) {
            return Ok(found);
        }
        let made = make(addresses, unix_ms).map_err(|error| PageCertFault::Made(error.to_string()))?;
        keys.keep_page(of, &written(&made, unix_ms))?;
        Ok(made)
    }

    /// The organiser's own, from a file (PEM).
    pub(crate) fn from_file(path: &Path) -> Result<Self, PageCertFault> {
        let shown = tabiya_types::shown(path);
        let fault = |why: String| PageCertFault::File(shown.clone(), why);
        let bytes =
            tabiya_store::disk::read_bounded(path, LONGEST).map_err(|error| fault(error.to_string()))?;
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&bytes)
            .collect::<Result<_, _>>()
            .map_err(|error| fault(error.to_string()))?;
        if chain.is_empty() {
            return Err(fault("there is no certificate".to_owned()));
        }
        let key = PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        Ok(Self { chain, key })
    }

    /// The page's own certificate.
    pub(crate) fn certificate(&self) -> Option<&CertificateDer<'static>> {
        self.chain.first()
    }
}

/// A new one, which begins to hold at the day of this date.
fn make(addresses: &[IpAddr], unix_ms: u64) -> Result<PageIdentity, rcgen::Error> {
    let pair = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let mut params = CertificateParams::default();
    // A serial number is a positive number (RFC 5280, 4.1.2.2).
    let mut serial: [u8; 16] = chance().map_err(|_| rcgen::Error::RingUnspecified)?;
    serial[0] = (serial[0] & 0x7f) | 0x40;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.distinguished_name.push(DnType::CommonName, "Tabiya");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.subject_alt_names = vec![SanType::DnsName("localhost".try_into()?)];
    params.subject_alt_names.extend(addresses.iter().copied().map(SanType::IpAddress));
    let begin = date_time_ymd(1970, 1, 1) + Duration::from_millis(unix_ms);
    let days = |days: u64| Duration::from_millis(days * DAY);
    params.not_before = begin - days(DAYS_BEFORE);
    // The last second counts (RFC 5280, 4.1.2.5).
    params.not_after = begin + days(DAYS_AFTER) - Duration::from_secs(1);
    let certificate = params.self_signed(&pair)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pair.serialize_der()));
    Ok(PageIdentity { chain: vec![certificate.into()], key })
}

/// As it is kept.
fn written(identity: &PageIdentity, unix_ms: u64) -> String {
    let certificate = identity.certificate().map(|certificate| STANDARD.encode(certificate));
    let key = STANDARD.encode(identity.key.secret_der());
    json!({"tabiya-page": 1, "made": unix_ms, "certificate": certificate, "key": key}).to_string() + "\n"
}

/// Reads what was kept; `None` if it is damaged, or does not hold at this date.
fn read(text: &str, unix_ms: u64) -> Option<PageIdentity> {
    let kept = read_json::parse(text).ok()?;
    if kept.get("tabiya-page")?.as_u64() != Some(1) {
        return None;
    }
    let made = kept.get("made")?.as_u64()?;
    if unix_ms + DAYS_BEFORE * DAY < made || unix_ms >= made + DAYS_AFTER * DAY {
        return None;
    }
    let bytes = |name: &str| STANDARD.decode(kept.get(name).and_then(Value::as_str)?).ok();
    let certificate = CertificateDer::from(bytes("certificate")?);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(bytes("key")?));
    Some(PageIdentity { chain: vec![certificate], key })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: u64 = 1_800_000_000_000;

    #[test]
    fn a_certificate_is_kept_until_it_does_not_hold_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let keys = Keyring::in_folder(folder.path());
        let of = |unix_ms: u64| {
            let identity =
                PageIdentity::kept((&keys, PageKey::Phones), &[IpAddr::from([192, 168, 1, 5])], unix_ms)
                    .expect("made");
            words_of(identity.certificate().expect("one")).0.join(" ")
        };
        let words = of(MADE);
        assert_eq!(words.split(' ').count(), 6);
        assert_eq!(of(MADE + 395 * DAY), words);
        let later = of(MADE + 396 * DAY);
        assert_ne!(later, words);
        assert_ne!(of(MADE), later, "a certificate that begins in the future is none");
    }

    #[test]
    fn it_is_for_its_addresses_and_holds_397_days() {
        let made = make(&[IpAddr::from([192, 168, 1, 5])], MADE).expect("made");
        let certificate = made.certificate().expect("one");
        assert!(crate::tls::is_for_host(certificate, "192.168.1.5"));
        assert!(crate::tls::is_for_host(certificate, "localhost"));
        assert!(!crate::tls::is_for_host(certificate, "192.168.1.6"));
        assert_eq!(DAYS_BEFORE + DAYS_AFTER, 397);
        assert!(crate::tls::of_page(made.chain, made.key).is_ok());
    }

    #[test]
    fn a_file_without_a_certificate_or_a_key_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.pem");
        for text in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            std::fs::write(&path, text).expect("a disk");
            assert!(PageIdentity::from_file(&path).is_err(), "{text}");
        }
    }
}
