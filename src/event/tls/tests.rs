//! Handshakes in memory between a table and a console of an event, and between those who do not belong together.

use std::io::{Read as _, Write as _};

use rustls::{ClientConnection, ServerConnection};

use super::*;
use crate::certs::{self, CertificatePurpose};
use crate::digits::event_of;

fn key(seed: u8) -> Arc<TableKey> {
    Arc::new(TableKey::from_seed(&[seed; 32]).expect("32 bytes"))
}

struct Hall {
    event: String,
    authority: Arc<TableKey>,
    certificate: CertificateDer<'static>,
}

impl Hall {
    fn new(seed: u8) -> Self {
        let authority = key(seed);
        let event = event_of(authority.public_bytes().try_into().expect("32 bytes"));
        let certificate = certs::of_authority(&authority, &event, [1; 16]).expect("a certificate");
        Self { event, authority, certificate }
    }

    fn identity(&self, seed: u8, purpose: CertificatePurpose) -> Identity {
        let own = key(seed);
        let named = (&own.public(), purpose, "somebody");
        let made = certs::signed(&self.authority, named, &self.event, [seed; 16]);
        Identity { key: own, certificate: made.expect("a certificate") }
    }

    fn name(&self) -> ServerName<'static> {
        certs::console_name(&self.event).try_into().expect("a name")
    }
}

/// Lets both sides talk until nothing is left to say, and passes a word over.
fn shake(
    client: ClientConfig,
    server: ServerConfig,
    name: ServerName<'static>,
) -> Result<ServerConnection, Error> {
    let mut client = ClientConnection::new(Arc::new(client), name)?;
    let mut server = ServerConnection::new(Arc::new(server))?;
    client.writer().write_all(b"hello").expect("it is kept");
    for _ in 0..10 {
        let mut bytes = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut bytes).expect("memory");
        }
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            server.read_tls(&mut rest).expect("memory");
            server.process_new_packets()?;
        }
        let mut bytes = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut bytes).expect("memory");
        }
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            client.read_tls(&mut rest).expect("memory");
            client.process_new_packets()?;
        }
    }
    let mut word = [0; 5];
    server.reader().read_exact(&mut word).map_err(|error| Error::General(error.to_string()))?;
    assert_eq!(&word, b"hello");
    Ok(server)
}

#[test]
fn a_table_and_a_console_of_one_event_meet_and_know_each_others_keys() {
    let hall = Hall::new(1);
    let (table, console) =
        (hall.identity(3, CertificatePurpose::Table), hall.identity(2, CertificatePurpose::Console));
    let client = to_console(&hall.certificate, &table).expect("a configuration");
    let server = of_console(&hall.certificate, &console).expect("a configuration");
    let server = shake(client, server, hall.name()).expect("they meet");
    assert_eq!(peer_key(server.peer_certificates()), Some(key(3).public()));
    assert_eq!(server.alpn_protocol(), Some(ALPN));
}

#[test]
fn who_joins_has_no_certificate_and_is_heard() {
    let hall = Hall::new(1);
    let server = of_console(&hall.certificate, &hall.identity(2, CertificatePurpose::Console))
        .expect("a configuration");
    let server = shake(to_join().expect("a configuration"), server, hall.name()).expect("they meet");
    assert_eq!(peer_key(server.peer_certificates()), None);
}

#[test]
fn certificates_of_another_event_or_for_another_purpose_meet_nobody() {
    let (hall, other) = (Hall::new(1), Hall::new(9));
    let meets = |client: Result<ClientConfig, Error>, console: &Identity| {
        let server = of_console(&hall.certificate, console).expect("a configuration");
        shake(client.expect("a configuration"), server, hall.name()).is_ok()
    };
    let (table, console) =
        (hall.identity(3, CertificatePurpose::Table), hall.identity(2, CertificatePurpose::Console));
    assert!(meets(to_console(&hall.certificate, &table), &console));
    assert!(
        !meets(to_console(&hall.certificate, &other.identity(3, CertificatePurpose::Table)), &console),
        "a stranger"
    );
    assert!(!meets(to_console(&other.certificate, &table), &console), "another event's console");
    assert!(!meets(to_console(&hall.certificate, &table), &table), "a table is no console");
    let stolen = Identity { key: key(4), certificate: table.certificate.clone() };
    assert!(!meets(to_console(&hall.certificate, &stolen), &console), "another key than the certificate's");
}
