//! The one configuration of TLS between tables and consoles.
//!
//! TLS 1.3 alone, ALPN `http/1.1`, no early data, no session tickets. Certificates are checked against the event's authority
//! alone, at one fixed date: a small computer without a clock starts in the past, and the lists say what still counts. The
//! secret half of a key stays in its module and signs there.
//!
//! Source: `docs/hall.md`, §1; TLS 1.3 (RFC 8446).

use std::sync::Arc;
use std::time::Duration;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::sign::{CertifiedKey, Signer, SigningKey, SingleCertAndKey};
use rustls::{
    ClientConfig, DigitallySignedStruct, DistinguishedName, Error, RootCertStore, ServerConfig,
    SignatureAlgorithm, SignatureScheme, version,
};
use tabiya_store::signing::{PublicKey, TableKey};

/// The date at which certificates are checked: 2026-01-01T00:00:00Z, in seconds since 1970.
const DATE: u64 = 1_767_225_600;
/// The protocol inside.
const ALPN: &[u8] = b"http/1.1";

/// A key with its certificate.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The key.
    pub key: Arc<TableKey>,
    /// Its certificate.
    pub certificate: CertificateDer<'static>,
}

impl Identity {
    fn certified(&self) -> Arc<CertifiedKey> {
        Arc::new(CertifiedKey::new(vec![self.certificate.clone()], Arc::new(KeyInPlace(self.key.clone()))))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn roots(authority: &CertificateDer<'static>) -> Result<Arc<RootCertStore>, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone())?;
    Ok(Arc::new(roots))
}

fn date() -> UnixTime {
    UnixTime::since_unix_epoch(Duration::from_secs(DATE))
}

/// For a console: whoever dials shows a certificate of the authority, or joins without one.
pub fn of_console(authority: &CertificateDer<'static>, own: &Identity) -> Result<ServerConfig, Error> {
    let verifier = WebPkiClientVerifier::builder_with_provider(roots(authority)?, provider())
        .allow_unauthenticated()
        .build()
        .map_err(|error| Error::General(error.to_string()))?;
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .with_client_cert_verifier(Arc::new(AtOneDate(verifier)))
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(own.certified())));
    config.alpn_protocols = vec![ALPN.to_vec()];
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(config)
}

/// For the pages for browsers: whoever comes is a stranger, and the certificate is one that browsers understand, which Ed25519 is
/// not. TLS 1.3 alone here, too; a browser may come back with a ticket, which spares an old telephone the work.
pub fn of_page(
    chain: Vec<CertificateDer<'static>>,
    key: rustls::pki_types::PrivateKeyDer<'static>,
) -> Result<ServerConfig, Error> {
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![ALPN.to_vec()];
    Ok(config)
}

/// Whether this certificate is for a host of this name or address.
pub fn is_for_host(certificate: &CertificateDer<'_>, host: &str) -> bool {
    let Ok(name) = ServerName::try_from(host) else { return false };
    rustls::server::ParsedCertificate::try_from(certificate)
        .is_ok_and(|parsed| rustls::client::verify_server_name(&parsed, &name).is_ok())
}

/// For who dials a console of this event with its certificate.
pub fn to_console(authority: &CertificateDer<'static>, own: &Identity) -> Result<ClientConfig, Error> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AtOneDate(server_verifier(authority)?)))
        .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(own.certified())));
    Ok(alone(config))
}

/// For who dials a console of this event without a certificate yet, with a prepared file.
pub fn to_console_unknown(authority: &CertificateDer<'static>) -> Result<ClientConfig, Error> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AtOneDate(server_verifier(authority)?)))
        .with_no_client_auth();
    Ok(alone(config))
}

fn server_verifier(authority: &CertificateDer<'static>) -> Result<Arc<WebPkiServerVerifier>, Error> {
    WebPkiServerVerifier::builder_with_provider(roots(authority)?, provider())
        .build()
        .map_err(|error| Error::General(error.to_string()))
}

/// Whether this authority has signed this certificate: its own is signed by itself.
pub fn is_signed_by(certificate: &CertificateDer<'_>, authority: &CertificateDer<'_>) -> bool {
    let Some(signer) = crate::certs::key_of_certificate(authority) else { return false };
    crate::certs::signed_parts(certificate)
        .is_some_and(|(body, signature)| signer.has_signed_bytes(body, signature))
}

/// For who joins: the server's certificate is not checked, because nothing secret passes and the digits bind both keys.
pub fn to_join() -> Result<ClientConfig, Error> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody(&[SignatureScheme::ED25519])))
        .with_no_client_auth();
    Ok(alone(config))
}

/// For tests of the pages for browsers: as a browser does whose user has looked at the six words, with a key of the kind that browsers speak.
#[cfg(test)]
pub(crate) fn to_page() -> Result<ClientConfig, Error> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody(&[SignatureScheme::ECDSA_NISTP256_SHA256])))
        .with_no_client_auth();
    Ok(alone(config))
}

fn alone(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![ALPN.to_vec()];
    config.resumption = rustls::client::Resumption::disabled();
    config
}

/// The key that the other side has proved.
pub fn peer_key(certificates: Option<&[CertificateDer<'_>]>) -> Option<PublicKey> {
    crate::certs::key_of_certificate(certificates?.first()?)
}

/// A key that signs where it is.
#[derive(Debug)]
struct KeyInPlace(Arc<TableKey>);

impl SigningKey for KeyInPlace {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&SignatureScheme::ED25519).then(|| Box::new(Self(self.0.clone())) as Box<dyn Signer>)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ED25519
    }
}

impl Signer for KeyInPlace {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.0.sign_bytes(message))
    }

    fn scheme(&self) -> SignatureScheme {
        SignatureScheme::ED25519
    }
}

/// A check of certificates at one date, whatever the computer's clock says.
#[derive(Debug)]
struct AtOneDate<V: ?Sized>(Arc<V>);

impl ServerCertVerifier for AtOneDate<WebPkiServerVerifier> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.0.verify_server_cert(end_entity, intermediates, name, ocsp, date())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

impl ClientCertVerifier for AtOneDate<dyn ClientCertVerifier> {
    fn offer_client_auth(&self) -> bool {
        self.0.offer_client_auth()
    }

    fn client_auth_mandatory(&self) -> bool {
        self.0.client_auth_mandatory()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.0.verify_client_cert(end_entity, intermediates, date())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// Takes any certificate with a key of these kinds, but the key must have signed the handshake.
#[derive(Debug)]
struct Anybody(&'static [SignatureScheme]);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("this version is not spoken".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let schemes = rustls::crypto::ring::default_provider().signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, cert, signed, &schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.to_vec()
    }
}

#[cfg(test)]
mod tests;
