//! What leaves a table: two matches that differ in the faces of hidden cards alone send the same messages, in the same number and of
//! the same lengths.

#![allow(clippy::disallowed_methods, reason = "how long a link is waited for is real time")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant as RealInstant};

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_app::Session;
use tabiya_app::desk::HallReport;
use tabiya_app::seating::{self, Keeping, Seated};
use tabiya_app::words::{self, TypedOrder};
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardEvent, CardId, CardTap, TagContent, Uid};
use tabiya_engine::record::Header;
use tabiya_engine::rules::GAMES;
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::TableKey;
use tabiya_types::{Card, Instant, Pack, Timeline};
use tokio::io::DuplexStream;
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::hub::{CountedLack, TableHub, has_signed};
use super::link::TableLink;
use super::seat::TableSeat;
use super::serve::AddressRest;
use crate::boot::Boot;
use crate::certs::{self, CertificatePurpose};
use crate::digits::event_of;
use crate::fragments::{Counted, FragmentCount};
use crate::lists::{Staff, signed_text};
use crate::socket::{HallSocket, bounds};

/// What is typed after the cards of each street are dealt; each street has so many cards.
const STREETS: [(u8, &[&str]); 3] =
    [(4, &["raise 8", "call"]), (4, &["check", "check"]), (2, &["check", "raise 4", "call"])];
/// The chips of the cards that are turned over at the end.
const TURNED_OVER: [u8; 2] = [1, 2];

/// A table's time that stands still.
struct Still;

impl Timeline for Still {
    fn now(&self) -> Instant {
        Instant::ZERO
    }
}

fn key(seed: u8) -> TableKey {
    TableKey::from_seed(&[seed; 32]).expect("32 bytes")
}

/// The seat of table 17 in an event with one console.
fn seat() -> TableSeat {
    let (authority, console, table) = (key(1), key(2), key(3));
    let event = event_of(authority.public_bytes().try_into().expect("32 bytes"));
    let mut list = json!({
        "m": "staff", "event": event, "n": 1,
        "consoles": [{"name": "desk-1", "key": console.public().to_string(), "role": "chief", "tables": [1, 9999]}],
    });
    list["sig"] = authority.sign(&signed_text(&list)).into();
    let authority_key = authority.public().to_string();
    let named = (&table.public(), CertificatePurpose::Table, "table 17");
    TableSeat {
        name: "Club open".to_owned(),
        table: 17,
        authority: certs::of_authority(&authority, &event, [1; 16]).expect("a certificate"),
        certificate: certs::signed(&authority, named, &event, [3; 16]).expect("a certificate"),
        staff: Staff::read(&list, &event, &authority_key, &has_signed).expect("a list"),
        consoles: Vec::new(),
        authority_key,
        event,
    }
}

fn header() -> Header {
    let text = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A",
        "terms":{"stacks":{"A":200,"B":200},"small_blind":1,"time":"600","voice":"event"},"id":"r1-17"}"#;
    Header::parse(text, GAMES).expect("a header")
}

fn uid(nth: u8) -> Uid {
    Uid::new(&[4, 0, 0, 0, 0, 0, nth]).expect("seven bytes")
}

/// A deck in which the card with the chip number `n` has the face with the number `order[n - 1]`.
fn deck(order: &[usize]) -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let faces: Vec<Face> =
        faces.map(|(card, copy)| Face::new(Pack::Choker, card, copy).expect("a face")).collect();
    let card = |(nth, face): (u8, &usize)| DeckCard { uid: uid(nth), id: None, face: faces[*face] };
    let cards = (1..).zip(order).map(card).collect();
    Deck::new(Pack::Choker, CardId([1; 16]), "Club", "2026-11-22", cards).expect("a deck")
}

fn tap(session: &mut Session, chip: u8) {
    let tap = CardTap { reader: "spot".into(), uid: uid(chip), content: TagContent::Empty };
    session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
}

fn enter(session: &mut Session, text: &str) {
    let read = words::read(text, session.table(), None, None, Instant::ZERO).expect("it is understood");
    let TypedOrder::Do(inputs) = read else { panic!("{text} is no input") };
    for input in &inputs {
        session.enter(input, Instant::ZERO).expect("the table takes it");
    }
}

/// A game to its cards, with chips that have these faces.
fn play(session: &mut Session, faces: &[usize]) {
    session.use_deck(deck(faces));
    session.read_deals();
    let mut chip = 0;
    for (cards, typed) in STREETS {
        for _ in 0..cards {
            chip += 1;
            tap(session, chip);
        }
        for text in typed {
            enter(session, text);
        }
    }
    for chip in TURNED_OVER {
        tap(session, chip);
    }
}

/// What the links share of a table that shows nothing.
fn hub() -> Arc<TableHub> {
    let report = watch::Sender::new(Arc::new(HallReport::default()));
    let boot = Boot::now().expect("chance");
    let refuses = Box::new(|_, _| false);
    TableHub::new((Arc::new(key(3)), boot), (seat(), None), Box::new(Still), report.subscribe(), refuses)
}

/// The messages that a table whose cards have these faces sends to a console that has nothing: lines and heads.
fn sent(faces: &[usize]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let keys = Keyring::in_folder(&folder.path().join("keys"));
    let hub = hub();
    let mut session = begin(&folder.path().join("match.tabiya"), keys, &hub);
    play(&mut session, faces);
    runtime.block_on(async {
        let (table, console) = tokio::io::duplex(1 << 20);
        let table = Counted::new(table, FragmentCount::of_frames());
        let table = WebSocketStream::from_raw_socket(table, Role::Client, Some(bounds())).await;
        let claim = hub.claim(key(2).public().to_string()).expect("the only link");
        let link = TableLink::run(hub, HallSocket::opened(table), claim);
        let heard = hear(HallSocket::accepted(console).await, session.lines().len());
        tokio::select! {
            (end, _) = link => panic!("the link ended: {end}"),
            heard = heard => heard,
        }
    })
}

fn begin(record: &Path, keys: Keyring, hub: &Arc<TableHub>) -> Session {
    let journal = JournalKeeper::open(record, &keys).expect("a record");
    let with = Keeping { keys, copy: None, event: Some(hub.place()), pgn: None, cards: None };
    let Seated { session, .. } = seating::begin(Some(journal), header(), with).expect("a match");
    session
}

/// Hears `hello`, answers it, and collects what follows until the last line has come.
async fn hear(mut console: HallSocket<DuplexStream>, lines: usize) -> Vec<String> {
    let hello = console.hear().await.expect("a message");
    assert!(hello.contains(r#""m":"hello""#), "{hello}");
    let staff = seat().staff.signed().clone();
    let welcome = json!({"m": "welcome", "console": "desk-1", "table": 17, "have": [], "staff": staff});
    console.say(welcome.to_string()).await.expect("it hears");
    let mut heard = Vec::new();
    let mut count = 0;
    // The header is a line, too.
    while count <= lines {
        let text = console.hear().await.expect("a message");
        if text.contains(r#""m":"line""#) {
            count += 1;
        }
        if !text.contains(r#""m":"state""#) {
            heard.push(text.to_string());
        }
    }
    heard
}

#[test]
fn a_console_that_is_only_being_dialled_has_not_been_told_anything() {
    let hub = hub();
    let rests = |patience: Duration| {
        let follower = (hub.place().follow)(Path::new("nowhere.tabiya"));
        let began = RealInstant::now();
        follower.finish(patience);
        began.elapsed()
    };
    let claim = hub.claim("key".to_owned()).expect("the only link");
    let short = Duration::from_millis(200);
    assert!(rests(short) >= short, "the record waits for it");
    hub.linked(&claim.key, "desk-1", CountedLack { lines: 0, read_at: 0, heads: None });
    assert!(rests(Duration::from_mins(1)) < Duration::from_secs(30), "it has everything");
}

#[test]
fn a_line_that_becomes_durable_while_a_link_counts_is_not_left_out() {
    let hub = hub();
    let follower = (hub.place().follow)(Path::new("nowhere.tabiya"));
    follower.written(3);
    let claim = hub.claim("key".to_owned()).expect("the only link");
    // The link has read the matches when one of the three lines was durable.
    hub.linked(&claim.key, "desk-1", CountedLack { lines: 0, read_at: 1, heads: None });
    assert_eq!(hub.state().behind, 2);
    follower.written(1);
    assert_eq!(hub.state().behind, 3);
    hub.linked(&claim.key, "desk-1", CountedLack { lines: 0, read_at: 4, heads: None });
    assert!(hub.is_told());
}

#[test]
fn another_address_of_a_console_that_is_told_rests_only_as_long_as_that_link_lasts() {
    let hub = hub();
    let claim = hub.claim("key".to_owned()).expect("the only link");
    let rest = AddressRest::while_told("key".to_owned());
    assert!(rest.lasts(&hub), "it is told at the other address");
    drop(claim);
    assert!(!rest.lasts(&hub), "the cable was pulled: the Wi-Fi's address is dialled at once");
}

/// The message without what may differ: seals cover faces, hashes and signatures cover seals, and a head has the date.
fn told(text: &str) -> Value {
    let mut message: Value = serde_json::from_str(text).expect("JSON");
    message.as_object_mut().expect("an object").shift_remove("hash");
    if let Some(line) = message.get_mut("line").and_then(Value::as_object_mut) {
        line.shift_remove("x-seals");
        // A hash of the record's path, which is another folder each time.
        line.shift_remove("x-place");
    }
    message
}

/// Two random orders of the deck. The cards that are turned over have the same faces in both.
fn decks() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let any = Just((0..44).collect::<Vec<usize>>()).prop_shuffle();
    any.prop_flat_map(|one| {
        let (turned_over, hidden) = one.split_at(TURNED_OVER.len());
        let turned_over = turned_over.to_vec();
        let other = Just(hidden.to_vec()).prop_shuffle();
        (Just(one.clone()), other.prop_map(move |hidden| [turned_over.clone(), hidden].concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn matches_that_differ_in_hidden_faces_alone_send_the_same_messages((one, other) in decks()) {
        let (one, other) = (sent(&one), sent(&other));
        let lengths = |sent: &[String]| sent.iter().map(String::len).collect::<Vec<_>>();
        prop_assert_eq!(lengths(&one), lengths(&other));
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!(told(one), told(other));
            for secret in ["x-sealed", "x-salts", "salt"] {
                prop_assert!(!one.contains(secret), "{}", one);
            }
        }
        prop_assert!(one.iter().any(|text| text.contains("x-seals")), "cards were dealt sealed");
        prop_assert!(one.iter().any(|text| text.contains("reveal")), "and some were turned over");
    }
}
