//! The telephones' page of a running console, over real TLS, with simulated tables behind it.
#![allow(clippy::disallowed_methods, reason = "what travels over a real port is waited for in real time")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_app::hall::{OtherRuling, ReasonedOrder};
use tabiya_store::keys::Keyring;
use tabiya_text::Words;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::super::{Console, ConsoleSettings, EventDates, EventFolder, OpenEvent, start};
use super::*;
use crate::simulate::{HallPlan, SimulatedHall, begin, prepare};
use crate::tls;

const PATIENCE: Duration = Duration::from_mins(1);

fn date() -> (String, u64) {
    ("2026-11-29T12:00:00Z".to_owned(), 1_800_000_000_000)
}

/// A console with telephones.
struct PhoneHall {
    console: Console,
    _hall: Option<SimulatedHall>,
    _folder: TempDir,
    runtime: tokio::runtime::Runtime,
}

/// An answer: its status, its head, its body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn cookie(&self) -> String {
        let set = self.header("set-cookie").expect("a cookie");
        set.split(';').next().expect("a pair").to_owned()
    }

    /// The number of the page's forms.
    fn form(&self) -> String {
        let (_, after) = self.body.split_once("name=\"form\" value=\"").expect("a form");
        after.split('"').next().expect("a number").to_owned()
    }
}

impl PhoneHall {
    fn open(tables: u16) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (today, unix_ms) = date();
        let now = EventDates { date: &today, unix_ms };
        let event_folder =
            EventFolder::find(Some(&folder.path().join("event")), folder.path(), "").expect("named");
        let keys = Keyring::in_folder(&folder.path().join("keys"));
        let mut event =
            OpenEvent::make(&event_folder, ("Club <open>", "desk-1"), &keys, &now).expect("a new event");
        let plan = HallPlan { tables, seed: 1, speed: 1, drill: None };
        let files = prepare(&mut event, &plan, "").expect("prepared tables");
        let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let phones = Some(PageSettings { bind, certificate: None });
        let settings = ConsoleSettings { bind, announces: false, phones, date };
        let (console, _) = start(event, &settings).expect("it runs");
        let hall = (tables > 0).then(|| {
            begin(&plan, &files, (console.listens, &folder.path().join("tables"))).expect("they run")
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { console, _hall: hall, _folder: folder, runtime }
    }

    fn desk(&self) -> PhoneDesk {
        self.console.phone_desk()
    }

    fn host(&self) -> String {
        self.desk().page().expect("telephones are on").listens.to_string()
    }

    /// Sends these bytes in a connection of their own.
    fn send(&self, bytes: &[u8]) -> Answer {
        let host = self.host();
        self.runtime.block_on(async {
            let connector = TlsConnector::from(Arc::new(tls::to_page().expect("TLS")));
            let stream = TcpStream::connect(&host).await.expect("it listens");
            let name = "127.0.0.1".try_into().expect("an address");
            let mut stream = connector.connect(name, stream).await.expect("a handshake");
            // Who is answered early may not be read to the end.
            let _ = stream.write_all(bytes).await;
            let _ = stream.flush().await;
            let mut read = Vec::new();
            let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut read)).await;
            let text = String::from_utf8(read).expect("UTF-8");
            let (head, body) = text.split_once("\r\n\r\n").expect("a head");
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
            Answer { status, head: head.to_owned(), body: body.to_owned() }
        })
    }

    fn get(&self, path: &str, cookie: &str) -> Answer {
        let host = self.host();
        self.send(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        )
    }

    fn post(&self, path: &str, cookie: &str, form: &str) -> Answer {
        let host = self.host();
        self.post_from(path, cookie, form, Some(&format!("https://{host}")))
    }

    fn post_from(&self, path: &str, cookie: &str, form: &str, origin: Option<&str>) -> Answer {
        let (host, length) = (self.host(), form.len());
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\n{origin}Cookie: {cookie}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        self.send(format!("{head}{form}").as_bytes())
    }

    /// Signs a telephone in. Returns its cookie.
    fn sign_in(&self, name: &str, rights: PhoneRights) -> String {
        let code = self.desk().give_code(name, rights, "chief").expect("noted").expect("a code");
        let answer = self.post("/sign-in", "", &format!("code={code}"));
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
        answer.cookie()
    }

    /// Looks at a page until it has this.
    fn until(&self, path: &str, cookie: &str, has: impl Fn(&str) -> bool) -> Answer {
        let began = Instant::now();
        loop {
            let answer = self.get(path, cookie);
            if has(&answer.body) {
                return answer;
            }
            assert!(began.elapsed() < PATIENCE, "{path}: {}", answer.body);
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }
}

#[test]
fn nobody_sees_anything_of_the_hall_without_a_code() {
    let hall = PhoneHall::open(0);
    for path in ["/tables", "/me", "/ask", "/table/1", "/table/1/time", "/nothing"] {
        let answer = hall.get(path, "");
        assert_eq!((answer.status, answer.header("location")), (303, Some("/sign-in")), "{path}");
        assert!(answer.body.is_empty());
    }
    let page = hall.get("/", "");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Club &#60;open&#62;"), "names are escaped: {}", page.body);
    for word in &hall.desk().page().expect("on").words {
        assert!(page.body.contains(&format!("<li>{word}</li>")), "{word}");
    }
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    for path in ["/page.css", "/live.js", "/tabiya.svg", "/board/8-8-8-8-8-8-8-8_.svg"] {
        let answer = hall.get(path, "");
        assert_eq!(answer.status, 200, "{path}");
    }
    assert_eq!(hall.post("/table/1/order", "", "what=pause").status, 303);
    assert!(!page.body.contains("style=") && !page.body.contains("onclick"), "nothing is inline");
}

#[test]
fn other_hosts_origins_and_methods_are_refused_without_a_body() {
    let hall = PhoneHall::open(0);
    let cookie = hall.sign_in("Rossi", PhoneRights::ALL);
    let host = hall.host();
    let asked = |head: &str| hall.send(format!("{head}Connection: close\r\n\r\n").as_bytes());
    let cases = [
        (403, "GET / HTTP/1.1\r\nHost: evil.example\r\n".to_owned()),
        (
            403,
            format!("GET / HTTP/1.1\r\nHost: evil.example:{}\r\n", host.rsplit(':').next().expect("a port")),
        ),
        (400, "GET / HTTP/1.1\r\n".to_owned()),
        (400, format!("GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n")),
        (405, format!("DELETE / HTTP/1.1\r\nHost: {host}\r\n")),
        (
            413,
            format!(
                "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nContent-Length: 20000\r\n\r\n{}",
                "x".repeat(20_000)
            ),
        ),
    ];
    for (status, head) in cases {
        let answer = asked(&head);
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (status, ""),
            "{}",
            head.lines().next().unwrap_or_default()
        );
    }
    for origin in [None, Some("null"), Some("https://evil.example"), Some("http://127.0.0.1")] {
        assert_eq!(hall.post_from("/sign-out", &cookie, "", origin).status, 403, "{origin:?}");
    }
    assert_eq!(hall.get("/me", &cookie).status, 200, "it is still signed in");
    assert_eq!(hall.get("/nothing", &cookie).status, 404);
}

#[test]
fn a_code_signs_in_once_and_the_chief_ends_it() {
    let hall = PhoneHall::open(0);
    let code = hall.desk().give_code("Rossi", PhoneRights::ALL, "chief").expect("noted").expect("a code");
    let wrong = hall.post("/sign-in", "", "code=12");
    assert!(wrong.body.contains("4 tries left"), "{}", wrong.body);
    let answer = hall.post("/sign-in", "", &format!("code={}+{}", &code[..4], &code[4..]));
    let set = answer.header("set-cookie").expect("a cookie").to_owned();
    for part in ["__Host-tabiya=", "Secure", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    let cookie = answer.cookie();
    assert!(hall.get("/", &cookie).body.contains("Rossi"));
    assert_eq!(hall.desk().signed_in(), [("Rossi".to_owned(), PhoneRights::ALL)]);
    assert!(hall.post("/sign-in", "", &format!("code={code}")).body.contains("no code that holds"), "once");
    assert_eq!(hall.desk().end("Rossi", "chief").expect("noted"), 1);
    assert_eq!(hall.get("/tables", &cookie).status, 303);
    assert!(hall.get("/", &cookie).body.contains("The chief has signed this telephone out"));
}

#[test]
fn a_telephone_looks_orders_and_is_asked_first() {
    let hall = PhoneHall::open(3);
    let cookie = hall.sign_in("Rossi", PhoneRights::Tables(1, 2));
    let list = hall.until("/tables", &cookie, |page| page.matches("data-left").count() >= 2);
    assert!(list.body.contains("/table/2") && !list.body.contains("/table/3"), "only its tables");
    assert_eq!(hall.get("/table/3", &cookie).status, 404);
    let page = hall.until("/table/2", &cookie, |page| page.contains("value=\"pause\""));
    assert!(page.body.contains("/board/"), "{}", page.body);
    let picture = page.body.split("src=\"").find(|part| part.starts_with("/board/")).expect("a board");
    assert_eq!(hall.get(picture.split('"').next().expect("an address"), &cookie).status, 200);
    // A pause acts at once, and a double tap once.
    let form = page.form();
    let pause = format!("form={form}&what=pause");
    assert_eq!(hall.post("/table/2/order", &cookie, &pause).header("location"), Some("/table/2"));
    hall.post("/table/2/order", &cookie, &pause);
    hall.until("/table/2", &cookie, |page| page.contains("value=\"resume\""));
    assert_eq!(hall.post("/table/3/order", &cookie, &format!("form={form}&what=pause")).status, 404);
    // Time needs a reason, and is done without a question.
    let page = hall.get("/table/2/time", &cookie);
    let sent = format!("form={}&what=time&side=white&gain=60&reason=", page.form());
    assert_eq!(hall.post("/table/2/order", &cookie, &sent).header("location"), Some("/table/2/time"));
    let page = hall.get("/table/2/time", &cookie);
    assert!(page.body.contains("Without a reason nothing is ordered"), "{}", page.body);
    let sent = format!("form={}&what=time&side=white&gain=60&reason=Laws+7.5.5", page.form());
    hall.post("/table/2/order", &cookie, &sent);
    hall.until("/table/2", &cookie, |page| page.contains("rule clock white +60 Laws 7.5.5"));
    // A result is asked once more.
    let page = hall.get("/table/2/result", &cookie);
    let sent = format!("form={}&what=result&ends=black&reason=late", page.form());
    assert_eq!(hall.post("/table/2/order", &cookie, &sent).header("location"), Some("/ask"));
    let asked = hall.get("/ask", &cookie);
    let sent = format!("form={}&answer=yes", asked.form());
    assert_eq!(hall.post("/ask", &cookie, &sent).header("location"), Some("/table/2"));
    hall.until("/table/2", &cookie, |page| page.contains("rule winner black late"));
    let row = hall.console.hall().rows(&[]).into_iter().find(|row| row.table == 2).expect("a row");
    assert!(!row.runs(), "{row:?}");
    assert_eq!(hall.get("/ask", &cookie).header("location"), Some("/"), "no question waits");
}

#[test]
fn every_order_has_its_page_in_three_languages_with_the_usual_reasons() {
    let hall = PhoneHall::open(1);
    let cookie = hall.sign_in("Rossi", PhoneRights::ALL);
    hall.until("/table/1", &cookie, |page| page.contains("/other\""));
    let (host, words) = (hall.host(), tabiya_text::Language::ALL.map(Words::of));
    let get = |path: &str, words: &Words| {
        let language = words.language.tag();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nAccept-Language: {language}\r\nConnection: close\r\n\r\n"
        );
        hall.send(head.as_bytes())
    };
    let of_others =
        OtherRuling::ALL.map(|ruling| (format!("other/{}", ruling.word()), ReasonedOrder::Other(ruling)));
    let own =
        [("time", ReasonedOrder::Time), ("result", ReasonedOrder::Result), ("undo", ReasonedOrder::TakeBack)];
    let forms: Vec<_> = own.map(|(path, of)| (path.to_owned(), of)).into_iter().chain(of_others).collect();
    for words in &words {
        let list = get("/table/1/other", words).body;
        for ruling in OtherRuling::ALL {
            assert!(list.contains(&words.t(ruling.label())), "{}: {ruling:?}", words.language.tag());
        }
        for (path, of) in &forms {
            let page = get(&format!("/table/1/{path}"), words);
            assert_eq!(page.status, 200, "{path}");
            for reason in of.usual() {
                assert!(page.body.contains(&words.t(reason)), "{path}: {reason} in {}", words.language.tag());
            }
        }
    }
    // A usual reason is enough; a reason of one's own counts more.
    let page = hall.get("/table/1/other/control", &cookie);
    let sent =
        format!("form={}&what=other&ruling=control&value=5%2B3&why=wrong+time+control&reason=", page.form());
    hall.post("/table/1/order", &cookie, &sent);
    hall.until("/table/1", &cookie, |page| page.contains("rule time 5+3 wrong time control"));
    let page = hall.get("/table/1/undo", &cookie);
    let sent = format!("form={}&what=undo&why=misread&reason=he+touched+it", page.form());
    assert_eq!(hall.post("/table/1/order", &cookie, &sent).header("location"), Some("/ask"));
    let page = hall.get("/table/1/other/void", &cookie);
    let sent = format!("form={}&what=other&ruling=void&reason=", page.form());
    assert_eq!(hall.post("/table/1/order", &cookie, &sent).header("location"), Some("/table/1/other/void"));
}

#[test]
fn who_has_results_alone_stops_nothing() {
    let hall = PhoneHall::open(1);
    let cookie = hall.sign_in("Weber", PhoneRights::Results);
    let page =
        hall.until("/table/1", &cookie, |page| page.contains("data-left") && page.contains("/result\""));
    assert!(!page.body.contains("value=\"pause\"") && !page.body.contains("/table/1/time"), "{}", page.body);
    hall.post("/table/1/order", &cookie, &format!("form={}&what=pause", page.form()));
    let page = hall.get("/table/1", &cookie);
    assert!(page.body.contains("has not given you the right"), "{}", page.body);
    let row = hall.console.hall().rows(&[]).into_iter().find(|row| row.table == 1).expect("a row");
    assert!(!row.is_stopped());
}

#[test]
fn each_page_speaks_three_languages() {
    let hall = PhoneHall::open(0);
    let host = hall.host();
    for (accepted, says) in [
        ("de-AT", "Als Schiedsrichter anmelden"),
        ("es", "Entrar como árbitro"),
        ("fr", "Sign in as arbiter"),
    ] {
        let head = format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nAccept-Language: {accepted}\r\nConnection: close\r\n\r\n"
        );
        let page = hall.send(head.as_bytes());
        assert!(page.body.contains(says), "{accepted}: {}", page.body);
        assert!(page.body.contains(&format!(
            "<html lang=\"{}\">",
            says.chars().next().map_or("", |first| match first {
                'A' => "de",
                'E' => "es",
                _ => "en",
            })
        )));
    }
}
