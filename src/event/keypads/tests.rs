//! A table's keypads over real TLS, with a running desk behind them: what players do, and what attackers try.
#![allow(clippy::disallowed_methods, reason = "what travels over a real port is waited for in real time")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant as RealInstant};

use tabiya_app::desk::{Environment, NewMatch, Preparation, Running, Wish, start};
use tabiya_engine::rules::Group;
use tabiya_types::{BySeat, Seat};
use tempfile::TempDir;

use super::*;
use crate::pages::client::{HttpAnswer, PageClient};

const PATIENT: Duration = Duration::from_mins(1);

/// A table with keypads.
struct KeypadTable {
    desk: Running,
    client: PageClient,
    _folder: TempDir,
}

impl std::ops::Deref for KeypadTable {
    type Target = PageClient;

    fn deref(&self) -> &PageClient {
        &self.client
    }
}

impl Drop for KeypadTable {
    fn drop(&mut self) {
        self.desk.end();
    }
}

fn chess() -> Wish {
    new_match("chess", Group::new().with("time", "300"))
}

fn choker(voice: &str) -> Wish {
    let stacks = Group::new().with("A", 200_u64).with("B", 180_u64);
    let terms = Group::new().with("stacks", stacks).with("small_blind", 1_u64).with("time", "120");
    new_match("choker", terms.with("voice", voice))
}

fn new_match(game: &str, terms: Group) -> Wish {
    let players = BySeat { a: "Ann <b>".to_owned(), b: "Bo".to_owned() };
    Wish::Begin(Box::new(NewMatch::usual(game, players, Seat::A, terms)))
}

impl KeypadTable {
    fn open(first: Wish) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let around = Environment {
            date: Box::new(|| Ok("2026-10-03T19:30:00+02:00".to_owned())),
            chance: Box::new(|bytes| {
                bytes.fill(7);
                Ok(())
            }),
            evenings: folder.path().join("evenings"),
            settings: folder.path().join("settings.json"),
            locale: "en".to_owned(),
            ..Environment::without_files()
        };
        let keys = Keyring::in_folder(&folder.path().join("keys"));
        let (tell, told) = channel();
        let prepare: Preparation = Box::new(move |table, desk| {
            let (report, reports) = watch::channel(Arc::new(KeypadReport::default()));
            table.tell_keypads(report);
            let (inbox, timeline) = (table.inbox(), table.timeline());
            let link = KeypadLink {
                report: reports,
                timeline: Box::new(timeline),
                send: Box::new(move |at, act, reply| inbox.keypad(at, act, reply)),
            };
            let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
            let settings = PageSettings { bind, certificate: None };
            let served =
                serve(&settings, &keys, link, 1_800_000_000_000).map_err(|fault| fault.to_string())?;
            desk.open_keypads(served.door().clone(), Instant::ZERO)?;
            tell.send(served.door().addresses.clone()).expect("the test waits");
            Ok(Box::new(served))
        });
        let desk = tabiya_app::desk::Desk::new(around, None);
        let desk = start(desk, Some(prepare), || {}).expect("it runs");
        let address = told.recv().expect("an address").pop().expect("one");
        let listens = address.trim_start_matches("https://").parse().expect("an address");
        let table = Self { desk, client: PageClient::new(listens), _folder: folder };
        table.desk.wish(first);
        table.until_shown(|shown| shown.table.is_some());
        table
    }

    /// Waits until the table's own screen shows this.
    fn until_shown(&self, has: impl Fn(&tabiya_app::snapshot::Snapshot) -> bool) {
        let began = RealInstant::now();
        while !has(&self.desk.snapshot()) {
            assert!(began.elapsed() < PATIENT, "{:?}", self.desk.snapshot().refused);
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }

    fn typed(&self, line: &str) {
        let version = self.desk.snapshot().table.as_ref().map_or(0, |table| table.lines);
        self.desk.wish(Wish::Typed(line.to_owned()));
        self.until_shown(|shown| shown.table.as_ref().is_some_and(|table| table.lines > version));
    }

    fn code(&self) -> String {
        self.desk.snapshot().keypads.code.clone().expect("a code")
    }

    /// Types the code. Returns the cookie.
    fn visit(&self) -> String {
        let answer = self.post("/code", "", &format!("code={}", self.code()));
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{}", answer.body);
        answer.cookie()
    }

    /// A telephone that is this keypad.
    fn keypad(&self, of: &str) -> String {
        let cookie = self.visit();
        let page = self.get("/", &cookie);
        let sent = format!("form={}&of={of}&name=Ann%27s+%3Cown%3E", page.form());
        assert_eq!(self.post("/whose", &cookie, &sent).status, 303);
        self.until_shown(|shown| shown.question.is_some());
        assert!(self.get("/", &cookie).body.contains("The table is asked"), "it waits");
        self.desk.wish(Wish::Yes);
        self.until("/", &cookie, |page| page.contains("class=\"pad "));
        cookie
    }

    /// Uses a key of the newest page.
    fn uses(&self, cookie: &str, what: &str) -> HttpAnswer {
        let page = self.get("/", cookie);
        self.post("/do", cookie, &format!("{}&what={what}", hidden(&page.body)))
    }

    fn lines(&self) -> usize {
        self.desk.snapshot().table.as_ref().map_or(0, |table| table.lines)
    }
}

/// The hidden fields of a keypad's first form, as they are sent.
fn hidden(page: &str) -> String {
    let field = |name: &str| {
        let (_, after) = page.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
        format!("{name}={}", after.split('"').next().expect("a value"))
    };
    [field("form"), field("face"), field("acts"), field("press")].join("&")
}

#[test]
fn a_telephone_types_the_code_asks_and_is_a_keypad_once_the_table_agrees() {
    let table = KeypadTable::open(choker("casual"));
    for path in ["/clock", "/bets", "/ask", "/nothing"] {
        let answer = table.get(path, "");
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{path}");
    }
    let first = table.get("/", "");
    assert!(!first.body.contains("Ann") && !first.body.contains("Bo"), "{}", first.body);
    assert_eq!(table.desk.snapshot().keypads.door.as_ref().map(|door| door.words.len()), Some(6));
    let ann = table.keypad("A");
    let shown = table.desk.snapshot();
    let pad = shown.keypads.pads.first().expect("a keypad");
    assert_eq!((pad.0, pad.1.name.as_str()), (tabiya_app::keypads::KeypadOf::Player(Seat::A), "Ann's <own>"));
    table.typed("deal");
    let page = table.until("/", &ann, |page| page.contains("value=\"call\""));
    assert!(page.body.contains("Ann &#60;b&#62;") && !page.body.contains("<b>Ann"), "names are escaped");
    assert!(page.body.contains("Call 1") && page.body.contains("<b>199</b>"), "{}", page.body);
    for picture in ["board", "<svg", "card/"] {
        assert!(!page.body.contains(picture), "no cards and no board: {picture}");
    }
    assert_eq!(table.uses(&ann, "call").status, 303);
    table.until("/", &ann, |page| page.contains("Bo to act"));
    // Fold asks, and a no folds nothing.
    table.typed("check");
    table.typed("deal");
    table.typed("check");
    table.until("/", &ann, |page| page.contains("value=\"fold\""));
    let before = table.lines();
    assert_eq!(table.uses(&ann, "fold").header("location"), Some("/ask"));
    let asked = table.get("/ask", &ann);
    table.post("/ask", &ann, &format!("form={}&answer=no", asked.form()));
    assert_eq!(table.lines(), before);
    assert_eq!(table.uses(&ann, "fold").header("location"), Some("/ask"));
    let asked = table.get("/ask", &ann);
    table.post("/ask", &ann, &format!("form={}&answer=yes", asked.form()));
    let page = table.get("/ask", &ann);
    assert!(page.body.contains("a check is free"), "the table asks besides: {}", page.body);
    table.post("/ask", &ann, &format!("form={}&answer=yes", page.form()));
    table.until_shown(|shown| shown.table.as_ref().is_some_and(|table| table.outcome.is_some()));
}

#[test]
fn a_clock_s_half_presses_once_however_often_its_form_is_sent() {
    let table = KeypadTable::open(chess());
    let clock = table.keypad("clock");
    table.typed("press black");
    table.typed("e2e4");
    let page = table.get("/clock", &clock);
    let sent = format!("{}&what=press+white", hidden(&page.body));
    let before = table.lines();
    assert_eq!(table.post("/do", &clock, &sent).header("location"), Some("/clock"));
    assert_eq!(table.lines(), before + 1);
    table.post("/do", &clock, &sent);
    let page = table.get("/", &clock);
    assert!(page.body.contains("sent before"), "{}", page.body);
    // A new number with what an old page showed is no newer.
    let fresh = hidden(&page.body);
    let form = fresh.split('&').next().expect("a form");
    let old = sent.split_once('&').map_or("", |(_, rest)| rest);
    table.post("/do", &clock, &format!("{form}&{old}"));
    assert!(table.get("/", &clock).body.contains("The table has gone on") || table.lines() == before + 1);
    assert_eq!(table.lines(), before + 1);
}

#[test]
fn what_another_seat_or_a_stranger_or_another_site_sends_does_nothing() {
    let table = KeypadTable::open(choker("casual"));
    let bo = table.keypad("B");
    let stranger = table.visit();
    table.typed("deal");
    let before = table.lines();
    let page = table.get("/", &bo);
    assert!(page.body.contains("to act"), "{}", page.body);
    for what in ["call", "fold-sure", "all-in", "raise&to=6", "press+white", "reveal+queen", "draw"] {
        table.uses(&bo, what);
    }
    for line in ["white+call", "rule+winner+B+bored", "undo", "next", "pause", "yes"] {
        let page = table.get("/", &bo);
        table.post("/say", &bo, &format!("{}&line={line}", hidden(&page.body)));
    }
    let form = table.get("/", &stranger).form();
    table.post("/do", &stranger, &format!("form={form}&acts=0&press=0&what=call"));
    table.post("/do", "", "form=1&acts=0&press=0&what=call");
    let forged = format!("__Host-tabiya-keypad={}", "0".repeat(64));
    table.post("/do", &forged, "form=1&acts=0&press=0&what=call");
    assert_eq!(table.lines(), before);
    let host = table.host();
    let page = table.get("/", &bo);
    let sent = format!("{}&what=call", hidden(&page.body));
    for origin in [None, Some("null"), Some("https://evil.example"), Some("http://127.0.0.1")] {
        assert_eq!(table.post_from("/do", &bo, &sent, origin).status, 403, "{origin:?}");
        assert_eq!(table.post_from("/leave", &bo, "", origin).status, 403, "{origin:?}");
    }
    let long = format!(
        "POST /do HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nCookie: {bo}\r\nContent-Length: 20000\r\nConnection: close\r\n\r\n{}",
        "x".repeat(20_000)
    );
    assert_eq!(table.send(long.as_bytes()).status, 413);
    let other = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(table.send(other.as_bytes()).status, 403);
    assert_eq!(table.post("/do", &bo, "what=%zz").status, 400);
    assert!(table.get("/", &bo).body.contains("class=\"pad "), "it is still a keypad");
    assert_eq!(table.lines(), before);
}

#[test]
fn wrong_codes_are_counted_and_then_nobody_types_one() {
    let table = KeypadTable::open(chess());
    let wrong = if table.code() == "0001" { "0002" } else { "0001" };
    let page = table.post("/code", "", &format!("code={wrong}"));
    assert!(page.body.contains("4 tries left"), "{}", page.body);
    for _ in 0..4 {
        table.post("/code", "", &format!("code={wrong}"));
    }
    let page = table.post("/code", "", "code=0000");
    assert!(page.body.contains("Too many wrong codes"), "{}", page.body);
    assert!(page.header("set-cookie").is_none());
    table.until_shown(|shown| shown.keypads.code.is_none());
    assert!(table.desk.snapshot().notices.iter().any(|notice| notice.text.to_string().contains("127.0.0.1")));
}

#[test]
fn a_page_that_waits_is_told_of_a_change_and_of_none() {
    let table = KeypadTable::open(chess());
    let ann = table.keypad("A");
    let page = table.get("/", &ann);
    let (_, after) = page.body.split_once("data-after=\"").expect("a number");
    let after = after.split('"').next().expect("a number").to_owned();
    let same = table.get(&format!("/?after={after}"), &ann);
    assert_eq!((same.status, same.body.as_str()), (204, ""));
    table.typed("press black");
    let news = table.get(&format!("/?after={after}"), &ann);
    assert!(news.status == 200 && news.body.contains("data-left"), "{}", news.body);
    let left = table.post("/leave", &ann, "");
    assert!(left.header("set-cookie").is_some_and(|set| set.contains("Max-Age=0")), "{}", left.head);
    table.until_shown(|shown| shown.keypads.pads.is_empty());
}

#[test]
fn at_an_event_no_code_is_taken_before_the_arbiter_admits_keypads() {
    let table = KeypadTable::open(choker("event"));
    assert!(table.get("/", "").body.contains("the arbiter has to admit them"));
    let page = table.post("/code", "", "code=0000");
    assert!(page.header("set-cookie").is_none() && page.body.contains("Keypads are off"), "{}", page.body);
    table.typed("keypads on hurt hand");
    let ann = table.keypad("A");
    table.typed("deal");
    assert_eq!(table.uses(&ann, "arbiter").status, 303);
    let page = table.until("/", &ann, |page| page.contains("Somebody comes"));
    assert!(!page.body.contains("value=\"go-on\""), "the arbiter lets the clocks run again");
    table.typed("keypads off enough");
    table.until("/", &ann, |page| page.contains("the arbiter has to admit them"));
}
