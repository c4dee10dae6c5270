//! Tests of the life cycle of a connection, in simulated time: which events of the board are passed on, and when ports
//! are opened again.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use std::time::Duration;

use tabiya_types::{Board, Observation};

use super::*;
use crate::address::BoardPort;
use crate::link::Carrier;
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder, DgtMessage, Version};
use crate::makers::dgtbus::sim::{UnitConfig, Wire, WireConfig};
use crate::makers::{dgt, dgtbus};
use crate::sim::SimBoard as _;

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn named() -> ConnectionLife {
    ConnectionLife::new(&LiveAddress::serial(dgt::MAKER, "port"), Notes::NONE, at(0))
}

fn auto() -> ConnectionLife {
    ConnectionLife::new(&LiveAddress::at(dgt::MAKER, BoardPort::Auto), Notes::NONE, at(0))
}

fn missing() -> LinkError {
    LinkError::Missing { port: "port".to_owned() }
}

fn vanished() -> LinkError {
    LinkError::Vanished { port: "port".to_owned(), source: None }
}

/// Runs an open connection for `millis` ms against a board with this serial number. With `None`, nothing answers on the
/// port. Returns the time at the end.
fn serve(session: &mut ConnectionLife, serial: Option<&str>, from: Instant, millis: u64) -> Instant {
    let end = from + Millis(millis);
    let mut now = from;
    while session.keeps_port() {
        while let Some(bytes) = session.next_write() {
            let mut decoder = DgtCommandDecoder::new();
            for command in bytes.into_iter().filter_map(|byte| decoder.push(byte)) {
                let answer = match (command, serial) {
                    (_, None) => continue,
                    (DgtCommand::Version, _) => DgtMessage::Version(Version { main: 1, sub: 80 }),
                    (DgtCommand::Serial, Some(serial)) => DgtMessage::Serial(serial.to_owned()),
                    (DgtCommand::SendBoard, _) => DgtMessage::Dump(Board::EMPTY),
                    _ => continue,
                };
                session.on_bytes(&answer.to_bytes(), now);
            }
        }
        match session.deadline() {
            Some(due) if due <= end => now = now.max(due),
            _ => break,
        }
        session.on_time(now);
    }
    now.max(end)
}

fn events(session: &mut ConnectionLife) -> Vec<String> {
    let name = |event: BoardEvent| match event {
        BoardEvent::Lost(error) => format!("lost: {error}"),
        BoardEvent::Wants(what) => what.to_string(),
        BoardEvent::Identified(info) => format!("board {}", info.number().unwrap_or("?")),
        BoardEvent::Observed(Observation::Whole(board)) => board.to_string(),
        event => format!("{event:?}"),
    };
    std::iter::from_fn(|| session.next_event()).map(name).collect()
}

#[test]
fn a_port_that_does_not_open_is_tried_again_ever_more_patiently_and_told_once() {
    let mut session = named();
    let mut now = at(0);
    let mut waits = Vec::new();
    for _ in 0..8 {
        assert!(session.wants_port(now));
        session.failed(missing(), now);
        let due = session.deadline().expect("another attempt");
        waits.push(due.since(now).0);
        assert!(!session.wants_port(at(due.millis() - 1)));
        now = due;
    }
    assert_eq!(waits, [250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
    let told = events(&mut session);
    assert!(
        matches!(told.as_slice(), [lost] if lost.starts_with("lost: port is not there; plug")),
        "{told:?}"
    );
}

#[test]
fn another_reason_is_told_too() {
    let mut session = named();
    session.failed(missing(), at(0));
    session.failed(LinkError::NoPermission { port: "port".to_owned() }, at(250));
    session.failed(LinkError::NoPermission { port: "port".to_owned() }, at(500));
    let told = events(&mut session);
    assert_eq!(told.len(), 2);
    assert!(told[1].contains("`dialout`"), "{told:?}");
}

#[test]
fn after_a_break_the_whole_board_is_read_and_the_return_is_told() {
    let mut session = named();
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    let now = serve(&mut session, Some("12345"), at(0), 2000);
    assert!(session.ready());
    assert_eq!(events(&mut session), ["board 12345", "8/8/8/8/8/8/8/8"]);

    session.failed(vanished(), now);
    assert!(!session.keeps_port());
    // The port is missing because of the loss, which was reported already. So the missing port is not reported.
    session.failed(missing(), now + Millis(250));
    assert_eq!(
        events(&mut session),
        ["lost: the board on port is gone; plug it in again and it reconnects automatically"]
    );

    let now = now + Millis(750);
    assert!(session.wants_port(now));
    session.opened("port".to_owned(), Carrier::Stream, false, now);
    let now = serve(&mut session, Some("12345"), now, 2000);
    assert_eq!(events(&mut session), ["board 12345", "Back", "8/8/8/8/8/8/8/8"]);

    // After a successful connection, the first wait of the next outage is the shortest wait again.
    session.failed(vanished(), now);
    assert_eq!(session.deadline(), Some(now + Millis(250)));
}

#[test]
fn a_board_that_falls_silent_is_connected_again() {
    let mut session = named();
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    let now = serve(&mut session, Some("12345"), at(0), 2000);
    events(&mut session);
    let now = serve(&mut session, None, now, 5000);
    assert!(!session.keeps_port());
    assert!(session.next_write().is_none());
    assert!(events(&mut session)[0].starts_with("lost: the board on port has stopped answering"));
    assert!(session.wants_port(now));
}

#[test]
fn a_port_that_is_no_board_is_told_as_such() {
    let mut session = named();
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    serve(&mut session, None, at(0), 4000);
    assert!(events(&mut session)[0].starts_with("lost: nothing on port answers as a DGT board"));
}

#[test]
fn a_board_that_talks_without_end_is_not_listened_to_until_it_is_calm() {
    let mut session = named();
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    let mut now = serve(&mut session, Some("12345"), at(0), 2000);
    events(&mut session);
    let square = "e4".parse().expect("a square");
    for nth in 0..5_000 {
        let piece = (nth % 2 == 0).then(|| tabiya_types::Piece::from_letter('P').expect("a pawn"));
        now = now + Millis(1);
        session.on_bytes(&DgtMessage::Field { square, piece }.to_bytes(), now);
        while session.next_write().is_some() {}
    }
    let told = events(&mut session);
    assert!(told.len() <= 201, "{}", told.len());
    assert_eq!(told.iter().filter(|event| event.contains("changes than players")).count(), 1, "{told:?}");
    // After the flood the whole board is read, so that no change is lost.
    serve(&mut session, Some("12345"), now, 3000);
    assert_eq!(events(&mut session).last().map(String::as_str), Some("8/8/8/8/8/8/8/8"));
}

#[test]
fn a_search_passes_over_what_is_no_board_without_a_word() {
    let mut session = auto();
    session.opened("ups".to_owned(), Carrier::Stream, true, at(0));
    let now = serve(&mut session, None, at(0), 4000);
    assert!(session.wants_port(now));
    session.opened("board".to_owned(), Carrier::Stream, false, now);
    let now = serve(&mut session, Some("12345"), now, 2000);
    assert_eq!(events(&mut session), ["board 12345", "8/8/8/8/8/8/8/8"]);

    // A board with another number is not accepted.
    session.failed(vanished(), now);
    events(&mut session);
    session.opened("other".to_owned(), Carrier::Stream, true, now);
    let now = serve(&mut session, Some("99999"), now, 2000);
    assert!(!session.ready());
    assert_eq!(events(&mut session), [] as [String; 0]);
    session.opened("moved".to_owned(), Carrier::Stream, false, now);
    serve(&mut session, Some("12345"), now, 2000);
    assert_eq!(events(&mut session), ["board 12345", "Back", "8/8/8/8/8/8/8/8"]);
}

#[test]
fn a_search_without_a_board_says_that_none_was_found() {
    let mut session = auto();
    session.opened("ups".to_owned(), Carrier::Stream, false, at(0));
    serve(&mut session, None, at(0), 4000);
    assert!(events(&mut session)[0].starts_with("lost: no DGT board was found"));
}

#[test]
fn a_stopped_session_silences_the_board_and_opens_nothing() {
    let mut session = named();
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    serve(&mut session, Some("12345"), at(0), 2000);
    session.stop(at(0));
    assert_eq!(session.next_write(), Some(DgtCommand::Reset.to_bytes()));
    assert!(!session.keeps_port() && !session.wants_port(at(1_000_000)));
    session.failed(vanished(), at(1_000_000));
    assert_eq!(session.deadline(), None);
}

#[test]
fn a_text_is_shown_again_after_a_break() {
    let mut session = named();
    session.order(&BoardCommand::Show("e2e4".to_owned()), at(0));
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    let now = serve(&mut session, Some("12345"), at(0), 2000);
    let clock = [0x8D, 0x00, 0x0A, 0x00, 0x05, 0x00, 0x00, 0x05, 0x00, 0x08];
    session.on_bytes(&clock, now);
    session.on_bytes(&DgtMessage::Ack([0x10, 0x09, 0x20, 0]).to_bytes(), now + Millis(50));
    session.on_time(now + Millis(500));
    session.on_time(now + Millis(700));
    let written: Vec<u8> = std::iter::from_fn(|| session.next_write()).flatten().collect();
    let text = *b"e2e4    ";
    assert!(written.windows(8).any(|window| window == text), "{written:02x?}");
}

/// A simulated bus with boards at these addresses.
fn wire(addresses: &[u16]) -> Wire {
    let boards = addresses.iter().map(|address| UnitConfig { address: *address, ..UnitConfig::default() });
    Wire::new(&WireConfig { boards: boards.collect(), seed: 2, ..WireConfig::default() })
}

/// Runs an open connection on a simulated bus for `millis` ms. Returns the time at the end.
fn serve_wire(session: &mut ConnectionLife, wire: &mut Wire, from: Instant, millis: u64) -> Instant {
    let mut now = from;
    while session.keeps_port() && now < from + Millis(millis) {
        wire.on_time(now);
        for bytes in wire.take_messages() {
            session.on_bytes(&bytes, now);
        }
        session.on_time(now);
        while let Some(bytes) = session.next_write() {
            session.wrote(now);
            wire.on_host_bytes(&bytes, now);
        }
        now = now + Millis(1);
    }
    now
}

fn bus(place: BoardPort, unit: Option<&str>) -> ConnectionLife {
    let unit = unit.map(str::to_owned);
    ConnectionLife::new(&LiveAddress { unit, ..LiveAddress::at(dgtbus::MAKER, place) }, Notes::NONE, at(0))
}

#[test]
fn a_board_of_a_bus_is_looked_for_on_every_wire() {
    let mut session = bus(BoardPort::Auto, Some("1025"));
    session.opened("first".to_owned(), Carrier::Stream, true, at(0));
    let now = serve_wire(&mut session, &mut wire(&[7, 2054]), at(0), 8_000);
    assert!(session.wants_port(now), "others are on the first wire");
    assert_eq!(events(&mut session), [] as [String; 0]);
    session.opened("second".to_owned(), Carrier::Stream, false, now);
    let mut home = wire(&[1025, 2054]);
    let now = serve_wire(&mut session, &mut home, now, 2_000);
    assert!(session.ready());
    events(&mut session);
    // After the loss the named board does not answer any more. The session nevertheless keeps this port, because the
    // named board was on it, and reports which other boards answer.
    session.failed(vanished(), now);
    events(&mut session);
    home.switch(0, false, now);
    session.opened("second".to_owned(), Carrier::Stream, true, now);
    serve_wire(&mut session, &mut home, now, 5_000);
    assert!(session.keeps_port());
    let told = events(&mut session);
    assert!(
        told[0].starts_with("board 1025 does not answer on this line (boards that answer: 2054)"),
        "{told:?}"
    );
}

#[test]
fn the_only_board_of_a_wire_is_the_one_after_a_break_although_others_have_come() {
    for place in [BoardPort::Serial("port".to_owned()), BoardPort::Auto] {
        let mut session = bus(place, None);
        assert_eq!(session.wanted(), None);
        session.opened("port".to_owned(), Carrier::Stream, false, at(0));
        let now = serve_wire(&mut session, &mut wire(&[1025]), at(0), 6_000);
        assert!(session.ready());
        session.failed(vanished(), now);
        events(&mut session);
        assert_eq!(session.wanted(), Some("1025"));
        session.opened("port".to_owned(), Carrier::Stream, false, now);
        serve_wire(&mut session, &mut wire(&[7, 1025]), now, 2_000);
        assert!(session.ready());
        assert_eq!(events(&mut session)[0], "board 1025");
    }
}

/// A shared port on which a write has to wait for its turn. The bytes `heard` arrive during this wait, so they are no
/// answer to the write.
struct Crowded {
    heard: Vec<u8>,
    written: Arc<std::sync::Mutex<Vec<Vec<u8>>>>,
    free: bool,
}

impl Link for Crowded {
    fn read(&mut self, _: Duration) -> Result<Vec<u8>, LinkError> {
        Ok(Vec::new())
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.written.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(bytes.to_vec());
        Ok(())
    }

    fn write_unless(&mut self, bytes: &[u8], give_up: &dyn Fn() -> bool) -> Result<bool, LinkError> {
        if self.free {
            return self.write_all(bytes).map(|()| true);
        }
        while !give_up() {}
        Ok(false)
    }

    fn received_before_write(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.heard)
    }
}

/// A timeline that advances by 1 ms whenever it is read.
struct Ticks(std::sync::atomic::AtomicU64);

impl Timeline for Ticks {
    fn now(&self) -> Instant {
        at(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Creates the [`Keeper`] that normally runs on a thread, but without that thread, so that a test can call its methods.
fn keeper(session: ConnectionLife) -> (Keeper, SyncSender<BoardCommand>) {
    let (orders, inbox) = mpsc::sync_channel(LONGEST_ORDERS);
    let opener = Box::new(NamedPort { name: "port".to_owned(), open: |_: Option<&str>| Err(missing()) });
    let timeline = Arc::new(Ticks(std::sync::atomic::AtomicU64::new(20_000)));
    let (sink, stop) = (Box::new(|_, _| {}), Arc::new(AtomicBool::new(false)));
    (Keeper { session, opener, link: None, timeline, sink, tap: None, inbox, stop }, orders)
}

/// A connection to a board on a bus. The board's position was read, and the next poll is due.
fn asking() -> ConnectionLife {
    let mut session = bus(BoardPort::Serial("port".to_owned()), Some("1025"));
    session.opened("port".to_owned(), Carrier::Stream, false, at(0));
    serve_wire(&mut session, &mut wire(&[1025]), at(0), 2_000);
    assert!(session.ready());
    session.on_time(at(20_000));
    session
}

#[test]
fn what_a_shared_line_heard_before_its_turn_is_no_answer_and_nothing_is_asked_twice() {
    let written = Arc::default();
    // Another board's answer to a ping, damaged by a collision.
    let heard = vec![0x87, 0x00, 0x06, 0x00, 0x02, 0x00];
    let mut link = Crowded { heard, written: Arc::clone(&written), free: true };
    let (mut keeper, _orders) = keeper(asking());
    keeper.write(&mut link);
    assert_eq!(written.lock().expect("whole").len(), 1);
    assert!(keeper.session.keeps_port());
}

#[test]
fn whoever_stops_waits_for_no_line() {
    let written = Arc::default();
    let mut link = Crowded { heard: Vec::new(), written: Arc::clone(&written), free: false };
    let (mut keeper, _orders) = keeper(asking());
    keeper.stop.store(true, Ordering::Release);
    keeper.write(&mut link);
    // The port stays occupied, so the last command to the board is not sent.
    let wait = keeper.session.stop(at(21_000));
    keeper.take_leave(&mut link, wait);
    assert!(written.lock().expect("whole").is_empty());
}

#[test]
fn a_board_that_is_plugged_into_the_port_of_another_table_is_found_there_and_not_taken_by_it() {
    let address = LiveAddress::serial(dgt::MAKER, "home");
    let mut session = ConnectionLife::roaming(&address, Notes::NONE, at(0));
    assert!(!session.may_search(), "a board without a number is not looked for elsewhere");
    session.opened("home".to_owned(), Carrier::Stream, false, at(0));
    let now = serve(&mut session, Some("12345"), at(0), 2000);
    assert!(session.may_search());
    session.failed(vanished(), now);
    events(&mut session);

    // The boards of two tables were swapped: the other one stands here now. That is told, and the search goes on.
    session.opened("home".to_owned(), Carrier::Stream, true, now);
    let now = serve(&mut session, Some("99999"), now, 2000);
    assert!(!session.ready());
    let told = events(&mut session);
    assert!(
        matches!(told.as_slice(), [lost] if lost.contains("12345") && lost.contains("99999")),
        "{told:?}"
    );
    session.opened("elsewhere".to_owned(), Carrier::Stream, false, now);
    serve(&mut session, Some("12345"), now, 2000);
    assert_eq!(events(&mut session), ["board 12345", "Back", "8/8/8/8/8/8/8/8"]);
}

#[test]
fn a_search_for_a_number_takes_no_other_board() {
    let address: LiveAddress = "dgt:auto#0012345".parse().expect("an address");
    let mut session = ConnectionLife::new(&address, Notes::NONE, at(0));
    session.opened("one".to_owned(), Carrier::Stream, true, at(0));
    let now = serve(&mut session, Some("99999"), at(0), 2000);
    assert_eq!(events(&mut session), [] as [String; 0]);
    assert!(session.wants_port(now));
    session.opened("two".to_owned(), Carrier::Stream, false, now);
    serve(&mut session, Some("12345"), now, 2000);
    assert_eq!(events(&mut session), ["board 12345", "8/8/8/8/8/8/8/8"]);
}
