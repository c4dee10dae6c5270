//! Somebody stands between a computer that joins and the console, and changes one thing of what passes: certificates, keys, numbers,
//! digits, at each message of each step. It is refused and told, and nothing has changed at the console.

use std::sync::Arc;

use hyper::Method;
use serde_json::{Value, json};
use tabiya_engine::record::chain::hex;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::TableKey;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::{Hall, has_signed};
use crate::certs::{CertificatePurpose, of_authority, signed};
use crate::dial::{ask, connect};
use crate::digits::{event_of, joiner_commit};
use crate::join::{Joining, PATH, TableFile};
use crate::joining::{JoinAs, JoinPlace};
use crate::lists::signed_text;
use crate::table::text_of;
use crate::tls::{self, Identity};

/// Who stands in between: an authority and a key of his own.
struct Between {
    authority: TableKey,
    key: TableKey,
    nonce: [u8; 32],
}

impl Between {
    fn new() -> Self {
        let key = |seed| TableKey::from_seed(&[seed; 32]).expect("32 bytes");
        Self { authority: key(71), key: key(72), nonce: [73; 32] }
    }

    fn event(&self) -> String {
        event_of(&self.authority.public().to_bytes())
    }

    fn certificate(&self) -> rustls::pki_types::CertificateDer<'static> {
        of_authority(&self.authority, &self.event(), [7; 16]).expect("a certificate")
    }

    /// His certificate for this key, as text.
    fn certified(&self, key: &TableKey) -> String {
        let purpose = (&key.public(), CertificatePurpose::Table, "x");
        text_of(&signed(&self.authority, purpose, &self.event(), [8; 16]).expect("a certificate"))
    }

    /// A list of consoles that he has signed.
    fn staff(&self, event: &str) -> Value {
        let key = self.key.public().to_string();
        let mut list = json!({
            "m": "staff", "event": event, "n": 1_u64 << 50,
            "consoles": [{"name": "x", "key": key, "role": "chief", "tables": [1, 9_999]}],
        });
        list["sig"] = self.authority.sign(&signed_text(&list)).into();
        list
    }

    fn acceptor(&self) -> TlsAcceptor {
        let purpose = (&self.key.public(), CertificatePurpose::Console, "x");
        let certificate = signed(&self.authority, purpose, &self.event(), [9; 16]).expect("a certificate");
        let own = Identity { key: Arc::new(TableKey::from_seed(&[72; 32]).expect("32 bytes")), certificate };
        TlsAcceptor::from(Arc::new(tls::of_console(&self.certificate(), &own).expect("TLS")))
    }
}

/// What passes: a message of this step, to the console or from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passes {
    To(u64),
    From(u64),
}

/// A change of what passes. The key is that of the computer that joins.
type Change = fn(&Between, &TableKey, &mut Value);

/// How a joining ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ends {
    /// It does not come to digits, and says this.
    Refused(&'static str),
    /// The arbiter types digits that fit nobody.
    WrongDigits,
    /// Both people have agreed, and the computer takes no seat, and says this.
    NoSeat(&'static str),
}

const UNFIT: &str = "somebody may stand in between";

/// What is changed, and how that ends.
type Attack = (&'static str, Vec<(Passes, Change)>, Ends);

/// In what both promise each other first.
fn attacks_on_promises() -> Vec<Attack> {
    use Ends::{Refused, WrongDigits};
    use Passes::{From, To};
    vec![
        (
            "his own key and number for the computer's",
            vec![
                (To(1), |him, _, body| {
                    body["commit"] = hex(&joiner_commit(&him.key.public().to_bytes(), &him.nonce)).into();
                }),
                (To(2), |him, _, body| {
                    body["key"] = him.key.public().to_string().into();
                    body["nonce"] = hex(&him.nonce).into();
                }),
            ],
            WrongDigits,
        ),
        (
            "another promise of the computer",
            vec![(To(1), |_, _, body| body["commit"] = "ab".repeat(32).into())],
            Refused("refuses this computer"),
        ),
        (
            "his authority for the console's",
            vec![(From(1), |him, _, body| body["authority"] = text_of(&him.certificate()).into())],
            Refused(UNFIT),
        ),
        (
            "his event for the console's",
            vec![(From(1), |him, _, body| body["event"] = him.event().into())],
            Refused(UNFIT),
        ),
        (
            "his authority and his event",
            vec![(From(1), |him, _, body| {
                body["authority"] = text_of(&him.certificate()).into();
                body["event"] = him.event().into();
            })],
            WrongDigits,
        ),
        (
            "another promise of the console",
            vec![(From(1), |_, _, body| body["commit"] = "ab".repeat(32).into())],
            Refused(UNFIT),
        ),
        (
            "another joining",
            vec![(From(1), |_, _, body| body["join"] = "ab".repeat(16).into())],
            Refused("this joining is over"),
        ),
    ]
}

/// In the numbers that follow.
fn attacks_on_numbers() -> Vec<Attack> {
    use Ends::Refused;
    use Passes::{From, To};
    vec![
        (
            "his key for the computer's",
            vec![(To(2), |him, _, body| body["key"] = him.key.public().to_string().into())],
            Refused("refuses this computer"),
        ),
        (
            "his number for the computer's",
            vec![(To(2), |him, _, body| body["nonce"] = hex(&him.nonce).into())],
            Refused("refuses this computer"),
        ),
        (
            "his number for the console's",
            vec![(From(2), |him, _, body| body["nonce"] = hex(&him.nonce).into())],
            Refused(UNFIT),
        ),
    ]
}

/// In the seat that a computer gets.
fn attacks_on_seats() -> Vec<Attack> {
    use Ends::NoSeat;
    use Passes::{From, To};
    vec![
        (
            "another joining at the end",
            vec![(To(3), |_, _, body| body["join"] = "ab".repeat(16).into())],
            NoSeat("this joining is over"),
        ),
        (
            "his certificate",
            vec![(From(3), |him, own, body| body["certificate"] = him.certified(own).into())],
            NoSeat("not signed by the authority"),
        ),
        (
            "the certificate of another computer",
            vec![(From(3), |him, _, body| body["certificate"] = him.certified(&him.key).into())],
            NoSeat(UNFIT),
        ),
        (
            "his list of consoles",
            vec![(From(3), |him, _, body| {
                let event = body["event"].as_str().unwrap_or_default().to_owned();
                body["staff"] = him.staff(&event);
            })],
            NoSeat("has not signed this list"),
        ),
        (
            "a list with one more console",
            vec![(From(3), |him, _, body| {
                let more = json!({"name": "x", "key": him.key.public().to_string(), "role": "chief", "tables": [1, 9_999]});
                if let Some(consoles) = body["staff"]["consoles"].as_array_mut() {
                    consoles.push(more);
                }
            })],
            NoSeat("has not signed this list"),
        ),
        (
            "his event at the end",
            vec![(From(3), |him, _, body| body["event"] = him.event().into())],
            NoSeat("not that of the digits"),
        ),
        (
            "a whole seat of his own",
            vec![(From(3), |him, own, body| {
                *body = json!({
                    "table": 17, "event": body["event"], "certificate": him.certified(own),
                    "staff": him.staff(&him.event()), "consoles": [],
                });
            })],
            NoSeat(UNFIT),
        ),
    ]
}

/// Passes each request on to the console at `to`, and its answer back, with these changes. Returns when nobody comes any more.
async fn stand_between(
    listener: TcpListener,
    (to, own): (String, Arc<TableKey>),
    changes: Vec<(Passes, Change)>,
) {
    let him = Between::new();
    let acceptor = him.acceptor();
    let change = |passes: Passes, body: &mut Value| {
        for (_, change) in changes.iter().filter(|(of, _)| *of == passes) {
            change(&him, &own, body);
        }
    };
    loop {
        let (stream, _) = listener.accept().await.expect("it listens");
        let Ok(mut stream) = acceptor.accept(stream).await else { continue };
        let mut read = Vec::new();
        let mut body: Value = loop {
            let mut part = [0; 4_096];
            let count = stream.read(&mut part).await.expect("a request");
            assert!(count > 0, "the request is cut");
            read.extend_from_slice(&part[..count]);
            let text = String::from_utf8_lossy(&read).into_owned();
            let body = text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
            if let Some(body) = body {
                break body;
            }
        };
        let step = body["step"].as_u64().unwrap_or(0);
        change(Passes::To(step), &mut body);
        let config = Arc::new(tls::to_join().expect("TLS"));
        let (onward, _) = connect(&to, config, "console.tabiya.internal").await.expect("it listens");
        let (status, mut answer) =
            ask(&to, onward, (Method::POST, PATH, Some(&body))).await.expect("an answer");
        if status == 200 || status == 202 && step == 2 {
            change(Passes::From(step), &mut answer);
        }
        let answer = if answer.is_null() { String::new() } else { answer.to_string() };
        let head =
            format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
        let _ = stream.write_all(format!("{head}{answer}").as_bytes()).await;
        let _ = stream.shutdown().await;
    }
}

/// Joins through him. Returns how that ends, in words: the sentence, or that the digits were wrong.
async fn join_through(hall: &Hall, changes: Vec<(Passes, Change)>) -> Result<&'static str, (bool, String)> {
    let own = Keyring::in_folder(&hall.folder.path().join("joins")).table_key().expect("a key");
    let own = Arc::new(own);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let between = tokio::spawn(stand_between(listener, (hall.address(), Arc::clone(&own)), changes));
    let joined = async {
        let joining = Joining::begin(&address, own, (JoinAs::Table, "board 17"))
            .await
            .map_err(|fault| (false, fault.to_string()))?;
        if !hall.console().admit(&joining.digits, &JoinPlace::Table(17)).expect("the authority") {
            return Ok("the digits fit nobody");
        }
        let seat = joining.ask(&has_signed).await.map_err(|fault| (true, fault.to_string()))?;
        Ok(if seat.is_some() { "it has a seat" } else { "it waits" })
    };
    let joined = joined.await;
    between.abort();
    joined
}

#[test]
fn who_stands_between_a_joining_computer_and_the_console_is_found_out_at_each_step() {
    let all = [attacks_on_promises(), attacks_on_numbers(), attacks_on_seats()];
    for (what, changes, ends) in all.into_iter().flatten() {
        let hall = Hall::open();
        let staff = hall.console().hall().staff.signed().clone();
        let joined = hall.runtime.block_on(join_through(&hall, changes));
        let is_seated = matches!(joined, Err((true, _)));
        match (ends, joined) {
            (Ends::WrongDigits, Ok("the digits fit nobody")) => {}
            (Ends::Refused(says), Err((false, said))) | (Ends::NoSeat(says), Err((true, said))) => {
                assert!(said.contains(says), "{what}: {said}");
            }
            (ends, joined) => panic!("{what}: {ends:?}, and it ended with {joined:?}"),
        }
        let console = hall.console().hall();
        // Who was admitted by both is in the list, and has taken no seat that somebody else gave him.
        assert!(console.roster.tables.is_empty() || is_seated, "{what}: {:?}", console.roster.tables);
        let him = Between::new().key.public().to_string();
        assert!(!console.roster.has_key(&him) && console.staff.signed() == &staff, "{what}");
    }
}

#[test]
fn who_passes_everything_on_unchanged_changes_nothing() {
    let hall = Hall::open();
    assert_eq!(hall.runtime.block_on(join_through(&hall, Vec::new())), Ok("it has a seat"));
}

#[test]
fn a_token_is_told_to_the_event_s_own_console_alone() {
    let mut hall = Hall::open();
    hall.console = None;
    let mut event = hall.event();
    let token = event.give_token(17).expect("this console keeps the authority");
    let file = json!({
        "tabiya-table": 1, "event": event.event, "authority": event.certificate_text(), "table": 17,
        "token": token, "staff": event.staff.signed(), "consoles": [],
    });
    drop(event);
    let file = TableFile::read(&file.to_string()).expect("a prepared file");
    let key = Keyring::in_folder(&hall.folder.path().join("joins")).table_key().expect("a key");
    let (fault, heard) = hall.runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let acceptor = Between::new().acceptor();
        let listens = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("it listens");
            let Ok(mut stream) = acceptor.accept(stream).await else { return Vec::new() };
            let mut heard = Vec::new();
            let _ = stream.read_to_end(&mut heard).await;
            heard
        });
        let fault = file.take(&address, &key, &has_signed).await.expect_err("he is not the console");
        (fault.to_string(), listens.await.expect("it ends"))
    });
    assert!(fault.contains("this is no console of the event"), "{fault}");
    assert!(heard.is_empty(), "{}", String::from_utf8_lossy(&heard));
}
