//! The certificates of an event: the authority's own, and those that it signs for tables and consoles. A certificate proves a
//! key; what the key may do stands in the lists.
//!
//! Source: `docs/hall.md`, §1; X.509 (RFC 5280), Ed25519 in certificates (RFC 8410).

use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyUsagePurpose,
    PKCS_ED25519, PublicKeyData, SerialNumber, SignatureAlgorithm, SigningKey, date_time_ymd,
};
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;
use tabiya_engine::record::chain::unhex;
use tabiya_store::signing::{PublicKey, TableKey};

/// What stands before the 32 bytes of an Ed25519 key in a certificate (SubjectPublicKeyInfo, DER).
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
/// The length of a serial number, in bytes.
const SERIAL_BYTES: usize = 16;

/// A random serial number of a certificate.
pub type Serial = [u8; SERIAL_BYTES];

/// What a certificate is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificatePurpose {
    /// A table dials consoles.
    Table,
    /// A console is dialled by tables, and dials other consoles.
    Console,
}

/// A certificate could not be made; the text says why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a certificate cannot be made ({0}); try again, and choose a plainer name for the computer if it stays"
)]
pub struct CertificateFault(String);

impl From<rcgen::Error> for CertificateFault {
    fn from(error: rcgen::Error) -> Self {
        Self(error.to_string())
    }
}

/// The name by which a client checks a console of this event, whatever address it has dialled.
pub fn console_name(event: &str) -> String {
    format!("console.{event}.tabiya.internal")
}

/// The authority's own certificate (DER).
pub fn of_authority(
    key: &TableKey,
    event: &str,
    serial: Serial,
) -> Result<CertificateDer<'static>, CertificateFault> {
    Ok(authority_params(event, serial)?.self_signed(&Pair(key))?.into())
}

fn authority_params(event: &str, serial: Serial) -> Result<CertificateParams, CertificateFault> {
    let mut params = dated(serial)?;
    params.distinguished_name.push(DnType::CommonName, format!("Tabiya event {event}"));
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    Ok(params)
}

/// A certificate that the authority signs for this key (DER). `name` is for people.
pub fn signed(
    authority: &TableKey,
    (key, purpose, name): (&PublicKey, CertificatePurpose, &str),
    event: &str,
    serial: Serial,
) -> Result<CertificateDer<'static>, CertificateFault> {
    let mut params = dated(serial)?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = match purpose {
        CertificatePurpose::Table => vec![ExtendedKeyUsagePurpose::ClientAuth],
        CertificatePurpose::Console => {
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth]
        }
    };
    if purpose == CertificatePurpose::Console {
        params.subject_alt_names = vec![rcgen::SanType::DnsName(console_name(event).try_into()?)];
    }
    // Of the authority's certificate only its name and its key stand in what it signs.
    let own = authority_params(event, serial)?;
    let issuer = Issuer::from_params(&own, Pair(authority));
    let bytes = unhex(&key.to_string()).and_then(|bytes| bytes.try_into().ok());
    let subject = Subject(bytes.ok_or_else(|| CertificateFault("the key has not 32 bytes".to_owned()))?);
    Ok(params.signed_by(&subject, &issuer)?.into())
}

/// The key that a certificate is for; `None` for another kind of key.
pub fn key_of_certificate(certificate: &CertificateDer<'_>) -> Option<PublicKey> {
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    key_of(parsed.subject_public_key_info().as_ref())
}

/// What is signed of a certificate (DER), and its signature of 64 bytes: a sequence of body, algorithm and bit string
/// (RFC 5280, 4.1). `None` for anything else.
pub(crate) fn signed_parts<'a>(certificate: &'a CertificateDer<'_>) -> Option<(&'a [u8], &'a [u8])> {
    let (whole, rest) = element(certificate, SEQUENCE)?;
    let (body, after) = element(whole.content, SEQUENCE)?;
    let (_, after) = element(after, SEQUENCE)?;
    let (signature, end) = element(after, BIT_STRING)?;
    // The first byte of a bit string says how many bits of the last byte are not used.
    let (unused, signature) = signature.content.split_first()?;
    (rest.is_empty() && end.is_empty() && *unused == 0).then_some((body.all, signature))
}

const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;

/// An element of DER: all of it, and its content.
struct Element<'a> {
    all: &'a [u8],
    content: &'a [u8],
}

/// The element of this kind at the beginning, and what follows it (X.690, 8.1).
fn element(bytes: &[u8], kind: u8) -> Option<(Element<'_>, &[u8])> {
    let [first, length, ..] = *bytes else { return None };
    if first != kind {
        return None;
    }
    let (head, length) = match length {
        short @ 0..=0x7f => (2, usize::from(short)),
        0x81 => (3, usize::from(*bytes.get(2)?)),
        0x82 => (4, usize::from(*bytes.get(2)?) << 8 | usize::from(*bytes.get(3)?)),
        _ => return None,
    };
    let (all, rest) = bytes.split_at_checked(head + length)?;
    Some((Element { all, content: all.get(head..)? }, rest))
}

/// The key that a certificate proves, from its subject's key info (DER); `None` for another kind of key.
fn key_of(info: &[u8]) -> Option<PublicKey> {
    let bytes = info.strip_prefix(&SPKI).filter(|bytes| bytes.len() == 32)?;
    PublicKey::from_digits(&tabiya_engine::record::chain::hex(bytes))
}

/// A certificate's dates and its serial number. The dates say nothing, because a small computer without a clock starts in the
/// past.
fn dated(serial: Serial) -> Result<CertificateParams, CertificateFault> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.not_before = date_time_ymd(1970, 1, 1);
    params.not_after = date_time_ymd(9999, 12, 31) + END_OF_DAY;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.serial_number = Some(SerialNumber::from_slice(&positive(serial)));
    Ok(params)
}

/// From the beginning of a day to its last second.
const END_OF_DAY: Duration = Duration::from_secs(24 * 60 * 60 - 1);

/// A serial number is a positive number (RFC 5280, 4.1.2.2).
fn positive(mut serial: Serial) -> Serial {
    if let Some(first) = serial.first_mut() {
        *first = (*first & 0x7f) | 0x40;
    }
    serial
}

/// A key that signs where it is.
struct Pair<'a>(&'a TableKey);

impl PublicKeyData for Pair<'_> {
    fn der_bytes(&self) -> &[u8] {
        self.0.public_bytes()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ED25519
    }
}

impl SigningKey for Pair<'_> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        Ok(self.0.sign_bytes(message))
    }
}

/// The public half of somebody else's key.
struct Subject([u8; 32]);

impl PublicKeyData for Subject {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ED25519
    }
}
