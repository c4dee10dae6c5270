//! A thousand tables in one process and a console, over real sockets.
#![allow(clippy::disallowed_methods, reason = "what travels over real sockets is waited for in real time")]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, Instant as RealInstant};

use tabiya_app::desk::Wish;
use tabiya_engine::rules::{GAMES, presets};
use tabiya_store::signing::PublicKey;
use tabiya_types::{BySeat, Seat};
use tempfile::TempDir;

use super::*;
use crate::certs::CertificatePurpose;
use crate::console::{Console, ConsoleSettings, EventDates, EventFolder, OpenEvent, start};
use crate::table::certificate_of;

const PATIENCE: Duration = Duration::from_mins(2);

/// A table's time that stands still.
struct Still;

impl Timeline for Still {
    fn now(&self) -> Instant {
        Instant::ZERO
    }
}

fn date() -> (String, u64) {
    ("2026-11-29T12:00:00Z".to_owned(), 1_800_000_000_000)
}

/// A folder in memory, where the system has one: a thousand journals are to be made, not a disk measured.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

fn header(number: u16) -> Header {
    let terms = presets::terms(None, "chess").expect("chess has terms");
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let header = Header::compose("chess", &players, Seat::A, &terms, None, Some(&format!("r1-{number}")));
    Header::from_value(header, GAMES).expect("a header")
}

/// A console, and the seats of so many tables, whose keys are in their folders.
fn open(folder: &Path, tables: u16) -> (Console, Vec<TableSeat>) {
    let (today, unix_ms) = date();
    let now = EventDates { date: &today, unix_ms };
    let keys = Keyring::in_folder(&folder.join("keys"));
    let event = EventFolder::find(Some(&folder.join("event")), folder, "").expect("it is named");
    let mut event = OpenEvent::make(&event, ("Club open", "desk-1"), &keys, &now).expect("a new event");
    let key = |table| Keyring::beside_records(&of_table(folder, table)).table_key().expect("a key").public();
    let keys: Vec<(u16, PublicKey)> = (1..=tables).map(|table| (table, key(table))).collect();
    let digits: Vec<(u16, String)> = keys.iter().map(|(table, key)| (*table, key.to_string())).collect();
    let listed: Vec<(u16, Option<&str>)> =
        digits.iter().map(|(table, key)| (*table, Some(key.as_str()))).collect();
    event.set_tables(&listed, unix_ms).expect("this console keeps the authority");
    let authority = certificate_of(&event.certificate_text()).expect("a certificate");
    let seat = |(table, key): (u16, PublicKey)| TableSeat {
        event: event.event.clone(),
        name: event.name.clone(),
        table,
        authority: authority.clone(),
        authority_key: event.authority_key.clone(),
        certificate: certificate_of(
            &event.certify(&key, CertificatePurpose::Table, "table").expect("signed"),
        )
        .expect("a certificate"),
        staff: event.staff.clone(),
        consoles: Vec::new(),
    };
    let mut seats: Vec<TableSeat> = keys.into_iter().map(seat).collect();
    let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let settings = ConsoleSettings { bind, announces: false, phones: None, date };
    let (console, _) = start(event, &settings).expect("it runs");
    for seat in &mut seats {
        seat.consoles = vec![console.listens.to_string()];
    }
    (console, seats)
}

fn of_table(folder: &Path, table: u16) -> PathBuf {
    folder.join(format!("table-{table}"))
}

fn write(table: &mut SteppedTable, words: &[&str]) {
    for word in words {
        table.desk.wish(Wish::Typed((*word).to_owned()), Instant::ZERO);
    }
}

/// Waits until each table has a link and its console every line of it, and compares the copies with the tables.
fn all_are_kept(console: &Console, tables: &[SteppedTable], lines: u64) {
    let until = RealInstant::now() + PATIENCE;
    let told = |table: &SteppedTable| {
        let state = table.links.hub().state();
        !state.consoles.is_empty() && state.behind == 0
    };
    while !tables.iter().all(told) {
        let still = tables.iter().filter(|table| !told(table)).count();
        assert!(RealInstant::now() < until, "{still} tables are not told");
        std::thread::park_timeout(Duration::from_millis(10));
    }
    let hall = console.hall();
    for (number, table) in (1_u16..).zip(tables) {
        let shown = table.desk.snapshot(Instant::ZERO).table.clone().expect("a match");
        let reached = hall.tables[&number].matches[&format!("r1-{number}")].reached().expect("a copy");
        assert_eq!(reached.seq, lines, "table {number}");
        assert_eq!(Some(reached.head.to_string()), shown.head, "table {number}");
    }
    assert!(hall.alerts.open().is_empty(), "{:?}", hall.alerts.open());
}

#[test]
fn a_thousand_tables_come_to_one_console_which_keeps_every_line_of_each() {
    let folder = folder();
    let (console, seats) = open(folder.path(), 1_000);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mut tables = Vec::new();
    for seat in seats {
        let number = seat.table;
        let at = of_table(folder.path(), number);
        let mut table = sit(&at, seat, &header(number), Box::new(Still)).expect("a match");
        write(&mut table, &["e4", "pause"]);
        table.links.dial(runtime.handle());
        tables.push(table);
    }
    all_are_kept(&console, &tables, 2);
    // While every third table has no network, it plays on.
    for table in tables.iter_mut().step_by(3) {
        table.links.cut();
    }
    for table in &mut tables {
        write(table, &["resume", "e5"]);
    }
    for table in tables.iter_mut().step_by(3) {
        table.links.dial(runtime.handle());
    }
    all_are_kept(&console, &tables, 4);
}
