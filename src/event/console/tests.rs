//! A running console on a real port, and pretended tables, strangers and attackers that talk to it over real TLS.
#![allow(clippy::disallowed_methods, reason = "what travels over a real port is waited for in real time")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use hyper::Method;
use serde_json::{Value, json};
use tabiya_engine::record::chain::Head;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::TableKey;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::alerts::ConsoleAlertKind;
use super::*;
use crate::certs::console_name;
use crate::dial::{ask, connect};
use crate::join::{Joining, PATH, TableFile};
use crate::joining::{JoinAs, JoinPlace};
use crate::socket::PROTOCOL;
use crate::table::{TableSeat, has_signed};
use crate::tls;

mod between;
mod desk;

/// A console with its folder.
struct Hall {
    folder: TempDir,
    console: Option<Console>,
    news: Option<UnboundedReceiver<ConsoleNews>>,
    runtime: tokio::runtime::Runtime,
}

fn date() -> (String, u64) {
    ("2026-11-29T12:00:00Z".to_owned(), 1_800_000_000_000)
}

/// A pretended table: its key, its seat, and its link.
struct Pretended {
    key: Arc<TableKey>,
    seat: TableSeat,
}

type Link = WebSocketStream<TlsStream<TcpStream>>;

/// A pretended table's secured stream to the console at this address, and the console's name in it.
async fn secured(address: &str, of: &Pretended) -> (TlsStream<TcpStream>, String) {
    let name = console_name(&of.seat.event);
    let identity = of.seat.identity(Arc::clone(&of.key));
    let config = tls::to_console(&of.seat.authority, &identity).expect("TLS");
    let (stream, _) = connect(address, Arc::new(config), &name).await.expect("it listens");
    (stream, name)
}

impl Hall {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let mut hall = Self { folder, console: None, news: None, runtime };
        hall.start();
        hall
    }

    fn event(&self) -> OpenEvent {
        let keys = Keyring::in_folder(&self.folder.path().join("keys"));
        let (today, unix_ms) = date();
        let now = EventDates { date: &today, unix_ms };
        let folder = EventFolder::find(Some(&self.folder.path().join("event")), self.folder.path(), "")
            .expect("named");
        if folder.has_event() {
            return OpenEvent::open(&folder, &keys, &now).expect("it was made");
        }
        OpenEvent::make(&folder, ("Club open", "desk-1"), &keys, &now).expect("a new event")
    }

    fn start(&mut self) {
        let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let settings = ConsoleSettings { bind, announces: false, phones: None, date };
        let (console, news) = super::start(self.event(), &settings).expect("it runs");
        (self.console, self.news) = (Some(console), Some(news));
    }

    fn console(&self) -> &Console {
        self.console.as_ref().expect("it runs")
    }

    fn address(&self) -> String {
        self.console().listens.to_string()
    }

    /// A table that has joined with a prepared file. The console is started anew for it.
    fn table(&mut self, number: u16) -> Pretended {
        self.console = None;
        let mut event = self.event();
        let token = event.give_token(number).expect("this console keeps the authority");
        event.keep_tokens().expect("a disk");
        let file = json!({
            "tabiya-table": 1, "event": event.event, "authority": event.certificate_text(), "table": number,
            "token": token, "staff": event.staff.signed(), "consoles": [],
        });
        drop(event);
        self.start();
        let keys = Keyring::in_folder(&self.folder.path().join(format!("table-{number}")));
        let key = Arc::new(keys.table_key().expect("a key"));
        let file = TableFile::read(&file.to_string()).expect("a prepared file");
        let address = self.address();
        let seat = self.runtime.block_on(file.take(&address, &key, &has_signed)).expect("a seat");
        Pretended { key, seat }
    }

    /// The status with which a request without a certificate is answered.
    fn stranger(&self, method: Method, path: &str, body: Option<&Value>) -> u16 {
        let address = self.address();
        self.runtime.block_on(async {
            let config = Arc::new(tls::to_join().expect("TLS"));
            let (stream, _) = connect(&address, config, "console.tabiya.internal").await.expect("it listens");
            ask(&address, stream, (method, path, body)).await.expect("an answer").0
        })
    }

    /// The first line of the answer to these bytes without a certificate. What is answered to nobody in time is empty.
    fn answer(&self, sent: &[u8]) -> String {
        let address = self.address();
        self.runtime.block_on(async {
            let config = Arc::new(tls::to_join().expect("TLS"));
            let (mut stream, _) =
                connect(&address, config, "console.tabiya.internal").await.expect("it listens");
            // Who is answered early may not be read to the end.
            let _ = stream.write_all(sent).await;
            let _ = stream.flush().await;
            let mut answer = Vec::new();
            let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
            String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
        })
    }

    fn link(&self, of: &Pretended) -> Link {
        let address = self.address();
        self.runtime.block_on(async {
            let (stream, name) = secured(&address, of).await;
            let mut request = format!("wss://{name}/v1/table").into_client_request().expect("a request");
            request.headers_mut().insert("Sec-WebSocket-Protocol", PROTOCOL.parse().expect("a word"));
            client_async(request, stream).await.expect("an upgrade").0
        })
    }

    fn say(&self, link: &mut Link, message: &Value) {
        self.send(link, Message::text(message.to_string()));
    }

    fn send(&self, link: &mut Link, message: Message) {
        // A link that the console has ended takes nothing more.
        let _ = self.runtime.block_on(link.send(message));
    }

    /// The next message of this name.
    fn hear(&self, link: &mut Link, name: &str) -> Value {
        self.runtime.block_on(async {
            loop {
                let heard = tokio::time::timeout(PATIENCE, link.next()).await.expect("in time");
                let message = heard.expect("the link is open").expect("a message");
                if let Message::Text(text) = message {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    if value["m"] == name {
                        return value;
                    }
                }
            }
        })
    }

    /// The number with which the console ends the link.
    fn end(&self, link: &mut Link) -> u16 {
        self.runtime.block_on(async {
            loop {
                match tokio::time::timeout(PATIENCE, link.next()).await.expect("in time") {
                    Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                    Some(Ok(_)) => {}
                    other => panic!("the link ended with {other:?}"),
                }
            }
        })
    }

    /// What people are told until this holds of it.
    fn told_until(&mut self, holds: impl Fn(&[ConsoleNews]) -> bool) -> Vec<ConsoleNews> {
        let news = self.news.as_mut().expect("it runs");
        self.runtime.block_on(async {
            let mut told = Vec::new();
            while !holds(&told) {
                let next = tokio::time::timeout(PATIENCE, news.recv()).await;
                told.push(next.unwrap_or_else(|_| panic!("in time: {told:?}")).expect("it runs"));
            }
            told
        })
    }

    fn has_alert(&self, kind: ConsoleAlertKind) -> bool {
        self.console().hall().alerts.open().iter().any(|alert| alert.kind == kind)
    }
}

const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until this holds.
fn until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "it never holds");
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

impl Pretended {
    fn hello(&self, boot: &str, matches: &Value) -> Value {
        json!({
            "m": "hello", "event": self.seat.event, "table": self.seat.table, "boot": boot, "up": 5,
            "program": "pretended 1", "matches": matches,
        })
    }

    /// The header and two lines of a match of this table, with their hashes. `other` makes the last line another one.
    fn record(&self, other: bool) -> Vec<(Value, Head)> {
        let header = json!({
            "tabiya": 1, "game": "chess", "players": {"A": "Ann", "B": "Bo"}, "white": "A", "terms": {"time": "300"},
            "id": "r1", "x-event": self.seat.event, "x-table": self.seat.table,
        });
        let mut record = vec![(header.clone(), Head::of_header(&header))];
        let second = if other { "d2d4" } else { "e2e4" };
        for line in [
            json!({"t": 0, "do": "press", "by": "black"}),
            json!({"t": 900, "do": "move", "by": "white", "uci": second}),
        ] {
            let before = record.last().expect("the header").1;
            record.push((line.clone(), before.then(&line)));
        }
        record
    }
}

fn line(seq: usize, (line, hash): &(Value, Head)) -> Value {
    json!({"m": "line", "match": "r1", "seq": seq, "line": line, "hash": hash.to_string()})
}

#[test]
fn who_has_no_certificate_can_join_and_nothing_else() {
    let hall = Hall::open();
    for path in ["/v1/lists", "/v1/table", "/", "/v1/nothing"] {
        assert_eq!(hall.stranger(Method::GET, path, None), 403, "{path}");
    }
    assert_eq!(hall.stranger(Method::GET, PATH, None), 405);
    assert_eq!(hall.stranger(Method::POST, PATH, Some(&json!({"step": 9}))), 400);
    assert_eq!(hall.stranger(Method::POST, PATH, Some(&json!({"x": "y".repeat(17 << 10)}))), 413);
    let token = json!({"step": 0, "token": "ab".repeat(32), "key": "cd".repeat(32)});
    assert_eq!(hall.stranger(Method::POST, PATH, Some(&token)), 403);
    let first = json!({"step": 1, "commit": "ab".repeat(32), "as": "table"});
    let begun: Vec<u16> = (0..3).map(|_| hall.stranger(Method::POST, PATH, Some(&first))).collect();
    assert_eq!(begun, [200, 200, 429], "two from one address");
}

#[test]
fn who_sends_a_request_too_slowly_or_too_long_is_told_so() {
    let hall = Hall::open();
    let head = |more: &str| format!("POST {PATH} HTTP/1.1\r\nhost: console\r\n{more}").into_bytes();
    let long = format!("x: {}\r\n\r\n", "y".repeat(9 << 10));
    assert_eq!(hall.answer(&head(&long)), "HTTP/1.1 431 Request Header Fields Too Large");
    let body = format!("content-length: {}\r\n\r\n{}", 17 << 10, "y".repeat(17 << 10));
    assert_eq!(hall.answer(&head(&body)), "HTTP/1.1 413 Payload Too Large");
    let slow = Instant::now();
    assert_eq!(hall.answer(&head("x: ")), "HTTP/1.1 408 Request Timeout", "a head");
    assert_eq!(hall.answer(&head("content-length: 5\r\n\r\n{")), "HTTP/1.1 408 Request Timeout", "a body");
    assert!(slow.elapsed() >= Duration::from_secs(10), "each has 5 s");
}

#[test]
fn a_computer_joins_with_the_digits_that_the_arbiter_types() {
    let hall = Hall::open();
    let key = Arc::new(Keyring::in_folder(&hall.folder.path().join("joins")).table_key().expect("a key"));
    let address = hall.address();
    let joining =
        hall.runtime.block_on(Joining::begin(&address, key, (JoinAs::Table, "board 17"))).expect("it begins");
    assert!(
        !hall.console().admit("000000", &JoinPlace::Table(17)).expect("the authority")
            || joining.digits == "000000"
    );
    assert!(
        hall.runtime.block_on(joining.ask(&has_signed)).expect("an answer").is_none(),
        "not admitted yet"
    );
    assert!(hall.console().admit(&joining.digits, &JoinPlace::Table(17)).expect("the authority"));
    let seat = hall.runtime.block_on(joining.ask(&has_signed)).expect("an answer").expect("a seat");
    assert_eq!((seat.table, seat.name.as_str()), (17, "Club open"));
}

#[test]
fn what_is_no_message_ends_the_link_with_its_number() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let ends = |first: Message| {
        let mut link = hall.link(&table);
        hall.send(&mut link, first);
        hall.end(&mut link)
    };
    assert_eq!(ends(Message::binary(vec![1, 2, 3])), 1003);
    assert_eq!(ends(Message::text("x".repeat((64 << 10) + 1))), 1009);
    assert_eq!(ends(Message::text("[]")), 4400);
    assert_eq!(ends(Message::text(r#"{"m":"hello"}"#)), 4400);
    assert_eq!(ends(Message::text("{".repeat(70_000))), 1009);
    assert_eq!(ends(Message::text(format!("{}1{}", "[".repeat(100), "]".repeat(100)))), 4400, "too deep");
    let mut other = table.hello("0011223344556677", &json!([]));
    other["event"] = "0011223344556677".into();
    assert_eq!(ends(Message::text(other.to_string())), 4401);
    let mut other = table.hello("0011223344556677", &json!([]));
    other["table"] = 18.into();
    assert_eq!(ends(Message::text(other.to_string())), 4401);
    assert!(hall.has_alert(ConsoleAlertKind::Stranger));
}

#[test]
fn a_message_in_more_than_sixty_four_fragments_ends_the_link_with_1008() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    let hello = table.hello("0011223344556677", &json!([])).to_string();
    let parts = |text: &str, parts: usize| {
        let bytes = format!("{text}{}", " ".repeat(parts)).into_bytes();
        let each = bytes.len() / parts;
        let last = parts - 1;
        (0..parts)
            .map(|nth| {
                let end = if nth == last { bytes.len() } else { (nth + 1) * each };
                let code = if nth == 0 { Data::Text } else { Data::Continue };
                Message::Frame(Frame::message(
                    bytes[nth * each..end].to_vec(),
                    OpCode::Data(code),
                    nth == last,
                ))
            })
            .collect::<Vec<_>>()
    };
    for frame in parts(&hello, 64) {
        hall.send(&mut link, frame);
    }
    hall.hear(&mut link, "welcome");
    for frame in parts(r#"{"m":"unknown"}"#, 65) {
        hall.send(&mut link, frame);
    }
    assert_eq!(hall.end(&mut link), 1008);
}

#[test]
fn lines_are_kept_once_and_a_record_that_goes_another_way_beside() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    assert_eq!(hall.hear(&mut link, "welcome")["have"], json!([]));
    let (record, other) = (table.record(false), table.record(true));
    for (seq, one) in record.iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 2 {}
    // A table that comes again is told what is there.
    let note = json!([{"match": "r1", "begins": record[0].1.to_string(), "seq": 2, "head": record[2].1.to_string()}]);
    let mut again = hall.link(&table);
    hall.say(&mut again, &table.hello("0011223344556677", &note));
    let have = hall.hear(&mut again, "welcome")["have"].clone();
    assert_eq!(have, json!([{"match": "r1", "seq": 2, "head": record[2].1.to_string()}]));
    assert_eq!(hall.end(&mut link), 4410, "the older link of the same program");
    hall.say(&mut again, &line(2, &other[2]));
    assert_eq!(hall.hear(&mut again, "kept")["seq"], 2);
    assert!(hall.has_alert(ConsoleAlertKind::Fork));
    // What follows from nothing is not kept.
    hall.say(&mut again, &line(7, &other[2]));
    assert_eq!(hall.end(&mut again), 4400);
    assert!(hall.has_alert(ConsoleAlertKind::Chain));
    hall.console = None;
    let folder = hall.folder.path().join("event");
    let copies = |file: &str| {
        let reader = tabiya_store::journal::Journal::open_read(&folder.join(file)).expect("a journal");
        reader
            .matches()
            .expect("matches")
            .into_iter()
            .map(|info| (info.uid, info.entries, info.head))
            .collect::<Vec<_>>()
    };
    assert_eq!(copies("hall.tabiya"), [("r1".to_owned(), 2, record[2].1)]);
    assert_eq!(copies("fork-1.tabiya"), [("r1".to_owned(), 2, other[2].1)]);
    // After a restart, the copy with which the table's record fits is followed.
    hall.start();
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("8899aabbccddeeff", &note));
    assert_eq!(hall.hear(&mut link, "welcome")["have"][0]["head"], record[2].1.to_string());
}

#[test]
fn two_programs_of_one_table_are_told_and_a_revoked_one_is_closed() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    until(|| hall.console().now() > 3_000);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let mut second = hall.link(&table);
    hall.say(&mut second, &table.hello("8899aabbccddeeff", &json!([])));
    assert_eq!(hall.end(&mut second), 4409);
    assert!(hall.has_alert(ConsoleAlertKind::Twice));
    // Once the first one is silent, the second takes its place, and the first one is told why.
    let mut second = hall.link(&table);
    hall.console().hall().tables.get_mut(&17).expect("it came").heard = 0;
    hall.say(&mut second, &table.hello("8899aabbccddeeff", &json!([])));
    hall.hear(&mut second, "welcome");
    assert_eq!(hall.end(&mut link), 4409, "not a cut, after which it would come again at once");
    let mut link = second;
    let revoked = Instant::now();
    assert!(hall.console().revoke(17).expect("the authority"));
    assert_eq!(hall.end(&mut link), 4401);
    assert!(revoked.elapsed() < Duration::from_secs(1));
    assert_eq!(hall.link_refused(&table), Some(403));
}

impl Hall {
    /// The status with which an upgrade is refused.
    fn link_refused(&self, of: &Pretended) -> Option<u16> {
        let address = self.address();
        self.runtime.block_on(async {
            let (stream, name) = secured(&address, of).await;
            match crate::dial::open_link(&address, stream, &name).await {
                Err(crate::dial::DialFault::Refused { status, .. }) => Some(status),
                _ => None,
            }
        })
    }
}

#[test]
fn another_version_is_told_which_one_is_spoken() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let address = hall.address();
    let status = hall.runtime.block_on(async {
        let name = console_name(&table.seat.event);
        let config = tls::to_console(&table.seat.authority, &table.seat.identity(Arc::clone(&table.key)))
            .expect("TLS");
        let (stream, _) = connect(&address, Arc::new(config), &name).await.expect("it listens");
        ask(&address, stream, (Method::GET, "/v1/table", None)).await.expect("an answer").0
    });
    assert_eq!(status, 426);
}

#[test]
fn requests_that_are_over_take_no_place() {
    let hall = Hall::open();
    let ask = json!({"step": 3, "join": "ab".repeat(16)});
    for nth in 0..40 {
        assert_eq!(hall.stranger(Method::POST, PATH, Some(&ask)), 410, "request {nth}");
    }
}

#[test]
fn a_line_that_no_copy_can_have_ends_its_own_link_and_the_others_are_kept() {
    let mut hall = Hall::open();
    let (bad, good) = (hall.table(3), hall.table(4));
    let mut wrong = hall.link(&bad);
    hall.say(&mut wrong, &bad.hello("0011223344556677", &json!([])));
    hall.hear(&mut wrong, "welcome");
    let header = json!({"game": "chess", "id": "r1", "x-event": bad.seat.event, "x-table": 3});
    hall.say(&mut wrong, &line(0, &(header.clone(), Head::of_header(&header))));
    assert_eq!(hall.end(&mut wrong), 4400, "no header");
    // A line whose moment goes back follows by its hash, but no journal takes it.
    let mut back = hall.link(&bad);
    hall.say(&mut back, &bad.hello("0011223344556677", &json!([])));
    hall.hear(&mut back, "welcome");
    let record = bad.record(false);
    let late = json!({"t": 1, "do": "press", "by": "white"});
    for (seq, one) in record.iter().chain([&(late.clone(), record[2].1.then(&late))]).enumerate() {
        hall.say(&mut back, &line(seq, one));
    }
    assert_eq!(hall.end(&mut back), 4400);
    assert!(hall.has_alert(ConsoleAlertKind::Chain));
    let mut link = hall.link(&good);
    hall.say(&mut link, &good.hello("8899aabbccddeeff", &json!([])));
    hall.hear(&mut link, "welcome");
    for (seq, one) in good.record(false).iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 2 {}
    // The bad table is told how far it really came.
    let note = json!([{"match": "r1", "begins": record[0].1.to_string(), "seq": 2, "head": record[2].1.to_string()}]);
    let mut again = hall.link(&bad);
    hall.say(&mut again, &bad.hello("0011223344556677", &note));
    assert_eq!(hall.hear(&mut again, "welcome")["have"][0]["seq"], 2);
}

#[test]
fn a_table_whose_records_fork_again_and_again_is_not_read_on_and_the_others_are() {
    let mut hall = Hall::open();
    let (bad, good) = (hall.table(3), hall.table(4));
    let mut link = hall.link(&bad);
    hall.say(&mut link, &bad.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let (header, begins) = bad.record(false).remove(0);
    for nth in 0..3 {
        let uid = format!("other-{nth}");
        let (mut header, mut begins) = (header.clone(), begins);
        if nth > 0 {
            header["id"] = uid.as_str().into();
            begins = Head::of_header(&header);
        }
        let named = |seq, one: &(Value, Head)| {
            let mut message = line(seq, one);
            message["match"] = header["id"].clone();
            message
        };
        hall.say(&mut link, &named(0, &(header.clone(), begins)));
        for t in 0..16 {
            let press = json!({"t": t, "do": "press", "by": "black"});
            hall.say(&mut link, &named(1, &(press.clone(), begins.then(&press))));
        }
    }
    assert_eq!(hall.end(&mut link), 4400);
    assert!(hall.has_alert(ConsoleAlertKind::Flood));
    let mut link = hall.link(&good);
    hall.say(&mut link, &good.hello("8899aabbccddeeff", &json!([])));
    hall.hear(&mut link, "welcome");
    for (seq, one) in good.record(false).iter().enumerate() {
        hall.say(&mut link, &line(seq, one));
    }
    while hall.hear(&mut link, "kept")["seq"] != 2 {}
    hall.console = None;
    // The files of the first table, and one of the second, whose match has the name of another one.
    assert_eq!(fork_files(&hall.folder.path().join("event")).len(), 32 + 1);
    hall.start();
    let mut link = hall.link(&bad);
    hall.say(&mut link, &bad.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    let press = json!({"t": 99, "do": "press", "by": "black"});
    hall.say(&mut link, &line(1, &(press.clone(), begins.then(&press))));
    assert_eq!(hall.end(&mut link), 4400, "after a restart, too");
}

#[test]
fn a_table_that_has_other_alerts_all_the_time_is_told_of_as_far_as_people_can_read_and_nothing_urgent_is_lost()
 {
    let mut hall = Hall::open();
    let table = hall.table(17);
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    for n in 1..=4 {
        let alert = |nth: u64| {
            json!({
                "id": format!("0011223344556677-{}", n * 100 + nth), "rank": 1, "kind": "call", "by": null, "since": 1,
                "count": 1, "say": {"id": "x", "en": "come"}, "taken": null,
            })
        };
        let state = json!({
            "m": "state", "n": n, "up": n, "match": null, "t": null, "clock": null,
            "board": {"link": "none", "battery": null}, "reader": null, "record": "ok",
            "alerts": (0..32).map(alert).collect::<Vec<_>>(),
        });
        hall.say(&mut link, &state);
    }
    let is_alert = |news: &&ConsoleNews| matches!(news, ConsoleNews::Alert(_));
    let told = hall.told_until(|told| told.contains(&ConsoleNews::TooMuch(17)));
    let alerts = told.iter().filter(is_alert).count();
    assert_eq!(alerts, 31 + 16, "with the link there are 32, and room for what is urgent");
    assert!(!hall.has_alert(ConsoleAlertKind::Flood), "nothing of it is refused");
    until(|| hall.console().hall().tables[&17].state.as_ref().is_some_and(|(state, _)| state.n == 4));
    assert_eq!(hall.console().hall().queue(9).len(), 32, "all that is open stands there");
    // Once there is room, people are told what is still open.
    let later = hall.console().now() + 20_000;
    hall.console().hall().time(later);
    let told = hall.told_until(|told| told.iter().filter(is_alert).count() >= 32);
    let is_last = |news: &ConsoleNews| match news {
        ConsoleNews::Alert(alert) => alert.id.as_deref().is_some_and(|id| id.contains("-4")),
        _ => true,
    };
    assert!(told.iter().all(is_last), "{told:?}");
}

#[test]
fn while_the_disk_is_slow_with_a_joining_the_links_of_tables_go_on() {
    let mut hall = Hall::open();
    let table = hall.table(17);
    // Whoever writes the event's folder holds the event.
    let shared = Arc::clone(&hall.console().shared);
    let busy = shared.event();
    let body = json!({"step": 0, "token": "ab".repeat(32), "key": "cd".repeat(32)}).to_string();
    let head = format!("POST {PATH} HTTP/1.1\r\nhost: console\r\ncontent-length: {}\r\n\r\n", body.len());
    let address = hall.address();
    let joins = hall.runtime.block_on(async {
        let config = Arc::new(tls::to_join().expect("TLS"));
        let (mut stream, _) = connect(&address, config, "console.tabiya.internal").await.expect("it listens");
        stream.write_all(format!("{head}{body}").as_bytes()).await.expect("a request");
        stream.flush().await.expect("a request");
        stream
    });
    let mut link = hall.link(&table);
    hall.say(&mut link, &table.hello("0011223344556677", &json!([])));
    hall.hear(&mut link, "welcome");
    drop((busy, joins));
}

#[test]
fn files_of_another_version_are_refused() {
    let mut hall = Hall::open();
    hall.console = None;
    let event = hall.event();
    let prepared = |version: Value| {
        let file = json!({
            "tabiya-table": version, "event": event.event, "authority": event.certificate_text(), "table": 17,
            "token": "ab".repeat(32), "staff": event.staff.signed(), "consoles": [],
        });
        TableFile::read(&file.to_string()).is_ok()
    };
    assert!(prepared(json!(1)));
    for version in [json!(0), json!(2), json!("1"), Value::Null] {
        assert!(!prepared(version.clone()), "{version}");
    }
    drop(event);
    let keys = Keyring::in_folder(&hall.folder.path().join("keys"));
    let folder =
        EventFolder::find(Some(&hall.folder.path().join("event")), hall.folder.path(), "").expect("named");
    let (today, unix_ms) = date();
    for (file, version) in [("tokens.json", "tabiya-tokens"), ("event.json", "tabiya-event")] {
        let path = folder.path().join(file);
        let before = std::fs::read_to_string(&path)
            .unwrap_or_else(|_| r#"{"tabiya-tokens":1,"tokens":{}}"#.to_owned());
        let mut other: Value = serde_json::from_str(&before).expect("JSON");
        other[version] = 2.into();
        std::fs::write(&path, other.to_string()).expect("a disk");
        let now = EventDates { date: &today, unix_ms };
        let fault = OpenEvent::open(&folder, &keys, &now).expect_err(file);
        assert!(matches!(fault, FolderFault::Damaged(..) | FolderFault::Tokens(..)), "{file}: {fault}");
        std::fs::write(&path, before).expect("a disk");
        OpenEvent::open(&folder, &keys, &now).expect("as it was");
    }
}

#[test]
fn a_console_that_is_none_any_more_stays_in_the_lists_that_the_journal_of_the_event_has() {
    let mut hall = Hall::open();
    hall.console = None;
    let mut event = hall.event();
    let (second, (_, unix_ms)) = ("ab".repeat(32), date());
    let deputy = (second.as_str(), "deputy", (1, 9_999));
    event.set_console("desk-2", Some(deputy), unix_ms).expect("the authority");
    event.set_console("desk-2", None, unix_ms).expect("the authority");
    assert!(event.staff.console(&second).is_none());
    let first = event.own.key.public().to_string();
    drop(event);
    // Opening it again notes no list twice.
    drop(hall.event());
    let path = hall.folder.path().join("event");
    let folder = EventFolder::find(Some(&path), hall.folder.path(), "").expect("named");
    assert_eq!(folder.consoles_ever().expect("lists"), [second, first].into());
    let acts = tabiya_store::journal::Journal::open_read(&path.join("event.tabiya")).expect("a journal");
    assert_eq!(acts.matches().expect("acts").first().map(|info| info.entries), Some(3));
}

#[test]
fn a_restored_authority_takes_the_lists_of_other_consoles_and_the_one_before_gives_it_up() {
    let mut first = Hall::open();
    first.console = None;
    let (_, unix_ms) = date();
    // The second computer is a console of the event already, and has a copy of the folder and the authority.
    let second = tempfile::tempdir().expect("a folder");
    let keys = Keyring::in_folder(&second.path().join("keys"));
    let own = keys.table_key().expect("a key").public().to_string();
    let mut event = first.event();
    event.set_console("desk-2", Some((&own, "deputy", (1, 9_999))), unix_ms).expect("the authority");
    let (name, of) = (event.event.clone(), event.event.clone());
    drop(event);
    let copied = second.path().join("event");
    std::fs::create_dir_all(&copied).expect("a disk");
    for file in ["event.json", "staff.json", "roster.json"] {
        std::fs::copy(first.folder.path().join("event").join(file), copied.join(file)).expect("a disk");
    }
    let authority = format!("authority-{name}.json");
    let kept = first.folder.path().join("keys").join(&authority);
    std::fs::copy(&kept, second.path().join("keys").join(&authority)).expect("a disk");
    // What the first one signs after that is known to the second before it signs anything.
    let table = first.table(17);
    let folder = EventFolder::find(Some(&copied), second.path(), "").expect("named");
    assert!(is_restored(&folder, &keys).expect("an event"));
    assert_eq!(
        ask_first(&folder, &keys, (&[first.address(), "127.0.0.1:1".to_owned()], None)).expect("a disk"),
        1
    );
    let (today, unix_ms) = date();
    let mut event = OpenEvent::open(&folder, &keys, &EventDates { date: &today, unix_ms }).expect("restored");
    assert!(event.roster.has_key(&table.key.public().to_string()) && event.event == of);
    assert!(!is_restored(&folder, &keys).expect("an event"));
    // The second one signs; the first one hears of it.
    event.set_table(18, Some(&own), unix_ms).expect("the authority");
    let settings = ConsoleSettings {
        bind: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        announces: false,
        phones: None,
        date,
    };
    let (other, _news) = super::start(event, &settings).expect("it runs");
    let (shared, address) = (Arc::clone(&first.console().shared), other.listens.to_string());
    first.runtime.block_on(peers::ask(&shared, &address));
    assert!(first.has_alert(ConsoleAlertKind::Lists));
    assert!(matches!(first.console().admit("000000", &JoinPlace::Table(19)), Err(FolderFault::NoAuthority)));
    assert!(first.console().hall().roster.has_key(&own) && !kept.exists());
    // The second one hears nothing new from the first.
    let (shared, address) = (Arc::clone(&other.shared), first.address());
    first.runtime.block_on(peers::ask(&shared, &address));
    assert!(other.hall().alerts.open().is_empty());
    assert!(other.admit("000000", &JoinPlace::Table(19)).is_ok());
}
