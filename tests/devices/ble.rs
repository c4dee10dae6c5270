//! Boards over Bluetooth LE: the real library and a real message bus, a stand-in for the system's service, and
//! simulated boards. The tests cover every row of the failure table in the notes on testing Bluetooth LE, section 4.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::bluez::{BoardSpec, CharSpec, DEVICE, Reaction, StandIn, on_private_bus};
use crate::child::Table;
use crate::live_board::{BEFORE_CHOKER, LiveBoard, a_game_with_a_lost_link};
use tabiya_boards::link::ble::{BleLink, Radio, Timings, WantedBoard};
use tabiya_boards::link::{Link as _, LinkError};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::chessnut;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use zbus::zvariant::Value;

/// Timeouts for tests, much shorter than in the program.
fn timings() -> Timings {
    let short = Duration::from_millis(400);
    Timings {
        ask: Duration::from_secs(2),
        scan: Duration::from_millis(700),
        connect: Duration::from_millis(500),
        step: short,
        command: short,
        leave: short,
        alive: Duration::from_millis(150),
        again: Duration::from_millis(40),
    }
}

/// A maker's board as it advertises itself.
fn advertised(maker: Maker, name: &'static str) -> BoardSpec {
    let gatt = maker.transports().ble.unwrap();
    let text = |number: u128| -> &'static str { uuid::Uuid::from_u128(number).to_string().leak() };
    let notify = gatt.notify.iter().zip(["char000d", "char0010", "char0013"]);
    let notify =
        notify.map(|(number, id)| CharSpec { id, uuid: text(*number), flags: &["notify"], mtu: Some(247) });
    let flags: &[&str] = &["write", "write-without-response"];
    let write = CharSpec { id: "char000b", uuid: text(gatt.write), flags, mtu: Some(247) };
    BoardSpec {
        address: "C0:FF:EE:00:00:01",
        name: Some(name),
        advertised: if gatt.own_service { vec![text(gatt.service)] } else { Vec::new() },
        service: text(gatt.service),
        chars: notify.chain([write]).collect(),
        resolve: true,
    }
}

fn air() -> BoardSpec {
    advertised(chessnut::MAKER, "Chessnut Air")
}

fn wanted() -> WantedBoard {
    let maker = chessnut::MAKER;
    WantedBoard { brand: maker.brand(), gatt: maker.transports().ble.unwrap(), which: None }
}

/// Opens a link to the wanted board on a blocking thread, as a supervisor does.
async fn open(radio: &Radio) -> Result<BleLink, LinkError> {
    open_this(radio, wanted()).await
}

async fn open_this(radio: &Radio, wanted: WantedBoard) -> Result<BleLink, LinkError> {
    let radio = radio.clone();
    tokio::task::spawn_blocking(move || radio.open(&wanted, &AtomicBool::new(false))).await.unwrap()
}

/// Uses a link on a blocking thread, as a supervisor does. Returns the link and the result of `act`.
async fn with<T: Send + 'static>(
    mut link: BleLink,
    act: impl FnOnce(&mut BleLink) -> T + Send + 'static,
) -> (BleLink, T) {
    tokio::task::spawn_blocking(move || {
        let done = act(&mut link);
        (link, done)
    })
    .await
    .unwrap()
}

/// Reads until there are `count` values.
async fn values(link: BleLink, count: usize) -> (BleLink, Vec<Vec<u8>>) {
    with(link, move |link| {
        let mut values = Vec::new();
        let until = Instant::now() + crate::wait::PATIENCE;
        while values.len() < count && Instant::now() < until {
            let value = link.read(Duration::from_millis(50)).expect("the link works");
            if !value.is_empty() {
                values.push(value);
            }
        }
        values
    })
    .await
}

/// Reads until the link is lost, and returns the error.
async fn loss(link: BleLink) -> LinkError {
    let (_, error) = with(link, |link| {
        let until = Instant::now() + crate::wait::PATIENCE;
        loop {
            match link.read(Duration::from_millis(50)) {
                Err(error) => return error,
                Ok(_) => assert!(Instant::now() < until, "the link was never lost"),
            }
        }
    })
    .await;
    error
}

async fn write(link: BleLink, bytes: &'static [u8]) -> (BleLink, Result<(), LinkError>) {
    with(link, move |link| link.write_all(bytes)).await
}

/// Adds a Bluetooth adapter that is switched on, and a board within its range. Returns the program's radio and the
/// description of the board.
async fn ready(bluez: &StandIn) -> (Radio, BoardSpec) {
    bluez.add_adapter(true).await;
    bluez.add_board(air()).await;
    (Radio::with(timings()), air())
}

fn message(error: &LinkError) -> String {
    error.to_string()
}

#[test]
fn a_board_is_found_by_its_name_and_talks_both_ways() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        bluez.notify(&board.char_path("char000d"), &[1, 2]).await;
        bluez.notify(&board.char_path("char0010"), &[3]).await;
        let (link, heard) = values(link, 2).await;
        assert_eq!(heard, [vec![1, 2], vec![3]]);
        let (_link, written) = write(link, &[0x21, 1, 0]).await;
        written.unwrap();
        let call = bluez.calls("WriteValue", 1).await.remove(0);
        assert_eq!((call.data, call.kind), (vec![0x21, 1, 0], "request".to_owned()));
    });
}

#[test]
fn a_burst_arrives_whole_and_in_order() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        for nth in 0..200 {
            bluez.notify(&board.char_path("char000d"), &[nth]).await;
        }
        let (_link, heard) = values(link, 200).await;
        assert_eq!(heard, (0..200).map(|nth| vec![nth]).collect::<Vec<_>>());
    });
}

#[test]
fn a_long_write_is_cut_to_the_size_of_the_link() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let mut small = air();
        small.chars.iter_mut().for_each(|one| one.mtu = Some(23));
        bluez.add_board(small).await;
        let radio = Radio::with(timings());
        let (_link, written) = write(open(&radio).await.unwrap(), &[7; 50]).await;
        written.unwrap();
        let parts: Vec<usize> =
            bluez.calls("WriteValue", 3).await.iter().map(|call| call.data.len()).collect();
        assert_eq!(parts, [20, 20, 10]);
    });
}

#[test]
fn no_message_bus() {
    on_private_bus("", |_| async {
        // `on_private_bus` provides a message bus, but this test needs a computer without one. So the program gets the
        // address of a bus that does not exist.
        let gone = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(["devices", "probe", "chessnut:ble"])
            .env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&gone.stderr).into_owned();
        assert!(said.contains("Bluetooth is not available on this computer"), "{said}");
    });
}

#[test]
fn the_service_does_not_run() {
    on_private_bus("", |bluez| async move {
        bluez.vanish().await;
        let error = open(&Radio::with(timings())).await.err().unwrap();
        assert!(message(&error).starts_with("the Bluetooth service is not running"), "{error}");
    });
}

#[test]
fn permission_is_refused() {
    let deny = "<deny send_destination=\"org.bluez\"/>";
    on_private_bus(deny, |_bluez| async {
        let error = open(&Radio::with(timings())).await.err().unwrap();
        assert!(message(&error).contains("not allowed to use Bluetooth"), "{error}");
    });
}

#[test]
fn an_adapter_that_comes_late_is_used() {
    on_private_bus("", |bluez| async move {
        let radio = Radio::with(timings());
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("no Bluetooth adapter was found"), "{error}");
        bluez.add_adapter(true).await;
        bluez.add_board(air()).await;
        open(&radio).await.unwrap();
    });
}

#[test]
fn an_adapter_that_is_off_is_not_switched_on() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(false).await;
        bluez.add_board(air()).await;
        let radio = Radio::with(timings());
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("Bluetooth is switched off or blocked"), "{error}");
        assert!(bluez.log().iter().all(|call| call.member != "Set"), "the adapter must stay off");
        bluez.change(crate::bluez::HCI, crate::bluez::ADAPTER, &[("Powered", true.into())], &[]).await;
        open(&radio).await.unwrap();
    });
}

#[test]
fn an_adapter_that_cannot_be_scanned_with_is_told_as_blocked() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        bluez.next("Set", Reaction::Fail("org.bluez.Error.Failed", "Failed"));
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("Bluetooth is switched off or blocked"), "{error}");
    });
}

#[test]
fn switched_off_while_playing() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        bluez.power_off().await;
        loss(link).await;
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("Bluetooth is switched off"), "{error}");
        bluez.change(crate::bluez::HCI, crate::bluez::ADAPTER, &[("Powered", true.into())], &[]).await;
        open(&radio).await.unwrap();
    });
}

#[test]
fn the_adapter_is_pulled_out() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        bluez.unplug().await;
        loss(link).await;
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("no Bluetooth adapter was found"), "{error}");
        bluez.add_adapter(true).await;
        let (link, heard) = {
            let link = open(&radio).await.unwrap();
            bluez.notify(&air().char_path("char000d"), &[9]).await;
            values(link, 1).await
        };
        assert_eq!(heard, [vec![9]]);
        drop(link);
    });
}

#[test]
fn a_connect_that_never_answers_is_given_up_and_the_next_works() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        bluez.next("Connect", Reaction::Hang);
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).contains("does not answer over Bluetooth"), "{error}");
        bluez.calls("Disconnect", 1).await;
        open(&radio).await.unwrap();
    });
}

#[test]
fn a_connect_that_is_refused_is_tried_once_more_at_once() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        bluez.next("Connect", Reaction::Fail("org.bluez.Error.Failed", "le-connection-abort-by-local"));
        open(&radio).await.unwrap();
        assert_eq!(bluez.calls("Connect", 2).await.len(), 2);
    });
}

#[test]
fn services_that_come_late_are_waited_for() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let board = BoardSpec { resolve: false, ..air() };
        bluez.add_board(board.clone()).await;
        let radio = Radio::with(timings());
        let opening = tokio::spawn(async move { open(&radio).await.map(drop) });
        bluez.calls("Connect", 1).await;
        bluez.resolve(&board).await;
        opening.await.unwrap().unwrap();
    });
}

#[test]
fn a_link_that_is_lost_while_services_are_waited_for_ends_the_attempt() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let board = BoardSpec { resolve: false, ..air() };
        bluez.add_board(board.clone()).await;
        let radio = Radio::with(Timings { connect: Duration::from_mins(1), ..timings() });
        let opening = tokio::spawn(async move { open(&radio).await.map(drop) });
        let mut count = 1;
        while !bluez.calls("Get", count).await.iter().any(|call| call.kind == "ServicesResolved") {
            count += 1;
        }
        bluez.drop_link(&board).await;
        let error = opening.await.unwrap().unwrap_err();
        assert!(message(&error).contains("out of reach"), "{error}");
    });
}

#[test]
fn something_else_of_that_name_is_told() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        bluez.add_board(BoardSpec { chars: Vec::new(), ..air() }).await;
        let error = open(&Radio::with(timings())).await.err().unwrap();
        assert!(message(&error).contains("is not a board of this maker"), "{error}");
    });
}

#[test]
fn what_a_board_says_before_it_was_subscribed_to_is_heard() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        bluez.next("StartNotify", Reaction::ValueFirst(board.char_path("char000d"), vec![7]));
        let (_link, heard) = values(open(&radio).await.unwrap(), 1).await;
        assert_eq!(heard, [vec![7]]);
    });
}

#[test]
fn a_link_that_is_lost_in_mid_burst_is_made_again() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        for nth in 0..3 {
            bluez.notify(&board.char_path("char000d"), &[nth]).await;
        }
        bluez.drop_link(&board).await;
        let (link, heard) = values(link, 3).await;
        assert_eq!(heard, [vec![0], vec![1], vec![2]]);
        assert!(message(&loss(link).await).contains("out of reach"));
        // The system now forgets the board. After that a scan finds the board again, and the stream of events still
        // works.
        bluez.forget(&board).await;
        let link = open(&radio).await.unwrap();
        bluez.notify(&board.char_path("char000d"), &[42]).await;
        assert_eq!(values(link, 1).await.1, [vec![42]]);
    });
}

#[test]
fn errors_of_a_write_are_told_by_what_can_be_done() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        let cases = [
            ("org.bluez.Error.NotPermitted", "Write not permitted", "pair it once"),
            ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", "pair it once"),
            ("org.bluez.Error.InvalidArguments", "Invalid arguments", "out of reach"),
        ];
        for (name, text, sentence) in cases {
            let link = open(&radio).await.unwrap();
            bluez.next("WriteValue", Reaction::Fail(name, text));
            let (_link, written) = write(link, b"x").await;
            assert!(message(&written.unwrap_err()).contains(sentence), "{name}");
            bluez.drop_link(&board).await;
        }
        // A write fails because another one is still in progress. The link tries it again.
        let link = open(&radio).await.unwrap();
        bluez.next("WriteValue", Reaction::Fail("org.bluez.Error.InProgress", "In RecordProgress"));
        let (_link, written) = write(link, b"y").await;
        written.unwrap();
    });
}

#[test]
fn a_slow_write_holds_up_nothing_else() {
    on_private_bus("", |bluez| async move {
        let (radio, board) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        let gate = Arc::new(Notify::new());
        bluez.next("WriteValue", Reaction::After(gate.clone()));
        let writing = tokio::spawn(write(link, b"slow"));
        bluez.calls("WriteValue", 1).await;
        bluez.notify(&board.char_path("char000d"), &[5]).await;
        gate.notify_one();
        let (link, written) = writing.await.unwrap();
        written.unwrap();
        assert_eq!(values(link, 1).await.1, [vec![5]]);
    });
}

#[test]
fn a_name_that_comes_late_is_seen() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let board = BoardSpec { name: None, advertised: Vec::new(), ..air() };
        bluez.add_board(board.clone()).await;
        let radio = Radio::with(Timings { scan: Duration::from_secs(5), ..timings() });
        let opening = tokio::spawn(async move { open(&radio).await.map(drop) });
        bluez.calls("StartDiscovery", 1).await;
        let named = [("Name", "Chessnut Air".into()), ("Alias", "Chessnut Air".into())];
        bluez.change(&board.path(), DEVICE, &named, &[]).await;
        opening.await.unwrap().unwrap();
    });
}

#[test]
fn a_board_that_is_still_connected_is_used() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let board = air();
        bluez.advertise(&board).await;
        bluez.change(&board.path(), DEVICE, &[("Connected", true.into())], &["RSSI"]).await;
        bluez.resolve(&board).await;
        bluez.know(&board);
        open(&Radio::with(timings())).await.unwrap();
        assert!(bluez.log().iter().all(|call| call.member != "StartDiscovery"), "no scan is needed");
    });
}

#[test]
fn a_service_that_dies_without_a_word_is_noticed() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        let link = open(&radio).await.unwrap();
        bluez.vanish().await;
        let error = loss(link).await;
        assert!(message(&error).contains("Bluetooth service is not running"), "{error}");
    });
}

#[test]
fn a_board_that_is_off_is_told_and_waiting_for_it_can_be_stopped() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let radio = Radio::with(timings());
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).starts_with("no Chessnut board was found over Bluetooth"), "{error}");
        let stop = Arc::new(AtomicBool::new(false));
        let patient = Radio::with(Timings { scan: Duration::from_mins(10), ..timings() });
        let told_to = Arc::clone(&stop);
        let opening =
            tokio::task::spawn_blocking(move || patient.open(&wanted(), &told_to).map(drop).is_err());
        bluez.calls("StartDiscovery", 2).await;
        stop.store(true, Ordering::Release);
        assert!(opening.await.unwrap());
    });
}

/// A policy of the message bus: each connection may have at most twelve match rules.
const FEW_RULES: &str =
    "</policy><limit name=\"max_match_rules_per_connection\">12</limit><policy context=\"default\">";

#[test]
fn connecting_for_ever_does_not_use_up_the_message_bus() {
    on_private_bus(FEW_RULES, |bluez| async move {
        let (_, board) = ready(&bluez).await;
        // This test uses the program's usual timeouts, not the short ones of the other tests, because so many signals
        // keep a slow machine busy.
        let radio = Radio::with(Timings::default());
        // After each connection the library removes a match rule, which selects signals of the message bus. If the
        // library's runtime had more than one thread, the library would leak the rule (never remove it) when a signal
        // for this rule arrives during the removal.
        tokio::spawn({
            let bluez = bluez.clone();
            let mut pace = tokio::time::interval(Duration::from_millis(1));
            pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            async move {
                for strength in (-90..-30_i16).cycle() {
                    bluez.change(&board.path(), DEVICE, &[("RSSI", Value::from(strength))], &[]).await;
                    // The signals come in bursts, so that many are read at once.
                    if strength % 30 == 0 {
                        pace.tick().await;
                    }
                }
            }
        });
        for round in 1..=40 {
            let link = open(&radio).await.unwrap_or_else(|error| panic!("connection {round}: {error}"));
            tokio::task::spawn_blocking(|| drop(link)).await.unwrap();
        }
    });
}

#[test]
fn what_the_bus_refuses_for_want_of_room_is_asked_over_a_new_connection() {
    on_private_bus("", |bluez| async move {
        let (radio, _) = ready(&bluez).await;
        let full = "org.freedesktop.DBus.Error.LimitsExceeded";
        for step in ["Connect", "StartNotify", "StartDiscovery"] {
            bluez.next(step, Reaction::Fail(full, "no room"));
            let link = open(&radio).await.unwrap_or_else(|error| panic!("{step}: {error}"));
            bluez.notify(&air().char_path("char000d"), &[1]).await;
            assert_eq!(values(link, 1).await.1, [vec![1]], "{step}");
        }
    });
}

#[test]
fn two_lines_do_not_want_the_same_board() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let other = BoardSpec { address: "C0:FF:EE:00:00:02", ..advertised(chessnut::MAKER, "Chessnut Pro") };
        bluez.add_board(air()).await;
        bluez.add_board(other.clone()).await;
        let radio = Radio::with(timings());
        let (one, two) = (open(&radio).await.unwrap(), open(&radio).await.unwrap());
        let error = open(&radio).await.err().unwrap();
        assert!(message(&error).contains("no Chessnut board was found"), "{error}");
        bluez.notify(&air().char_path("char000d"), &[1]).await;
        bluez.notify(&other.char_path("char000d"), &[2]).await;
        let (one, first) = values(one, 1).await;
        let (two, second) = values(two, 1).await;
        let mut heard = [first, second];
        heard.sort();
        assert_eq!(heard, [vec![vec![1]], vec![vec![2]]]);
        with(one, |_| ()).await;
        drop(two);
        open(&radio).await.expect("a released board can be opened");
    });
}

#[test]
fn an_attempt_that_is_given_up_ends_in_the_system_too_and_leaves_the_next_alone() {
    on_private_bus("", |bluez| async move {
        let (_, _) = ready(&bluez).await;
        let radio = Radio::with(Timings { connect: Duration::from_mins(10), ..timings() });
        bluez.next("Connect", Reaction::Hang);
        let stop = Arc::new(AtomicBool::new(false));
        let (patient, told_to) = (radio.clone(), Arc::clone(&stop));
        let opening =
            tokio::task::spawn_blocking(move || patient.open(&wanted(), &told_to).map(drop).is_err());
        bluez.calls("Connect", 1).await;
        stop.store(true, Ordering::Release);
        assert!(opening.await.unwrap());
        open(&radio).await.expect("the first attempt is over");
        let calls: Vec<String> = bluez.log().into_iter().map(|call| call.member).collect();
        let connects: Vec<usize> =
            calls.iter().enumerate().filter(|(_, call)| *call == "Connect").map(|(nth, _)| nth).collect();
        let [first, second] = connects[..] else { panic!("{calls:?}") };
        assert!(calls[first..second].iter().any(|call| call == "Disconnect"), "{calls:?}");
    });
}

#[test]
fn of_two_boards_the_named_one_is_taken() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let other = BoardSpec { address: "C0:FF:EE:00:00:02", ..advertised(chessnut::MAKER, "Chessnut Pro") };
        bluez.add_board(air()).await;
        bluez.add_board(other.clone()).await;
        let radio = Radio::with(timings());
        for which in ["chessnut pro", "c0:ff:ee:00:00:02"] {
            let link =
                open_this(&radio, WantedBoard { which: Some(which.to_owned()), ..wanted() }).await.unwrap();
            bluez.notify(&other.char_path("char000d"), &[2]).await;
            let (link, heard) = values(link, 1).await;
            assert_eq!(heard, [vec![2]], "{which}");
            drop(link);
        }
        let looking = radio.clone();
        let known = vec![(chessnut::MAKER.brand(), chessnut::MAKER.transports().ble.unwrap())];
        let seen = tokio::task::spawn_blocking(move || looking.look(Duration::from_millis(100), known));
        let names: Vec<String> = seen.await.unwrap().unwrap().into_iter().map(|seen| seen.name).collect();
        assert_eq!(names, ["Chessnut Air", "Chessnut Pro"]);
    });
}

/// Adds a maker's simulated board to the stand-in.
async fn simulated(bluez: &StandIn, maker: Maker, spec: &BoardSpec, board: &str) -> LiveBoard {
    bluez.add_board(spec.clone()).await;
    let (path, service, here) = (spec.char_path("char000d"), bluez.clone(), Handle::current());
    // The board's messages are split into pieces of at most 20 bytes, as over a link with the smallest MTU.
    let live_board = LiveBoard::start(maker, board, 20, move |message| {
        here.block_on(service.notify_if_on(&path, message));
    });
    let heard = live_board.clone();
    bluez.respond(move |call| {
        heard.hear(&call.data);
        Vec::new()
    });
    live_board
}

/// Whether this process ignores SIGHUP, the signal of a closed terminal. If so, every program that it starts ignores
/// the signal, too.
fn outlives_its_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn a_program_that_is_told_to_end_lets_the_board_go() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let _board = simulated(&bluez, chessnut::MAKER, &air(), BEFORE_CHOKER).await;
        // The signals of Ctrl-C, of the system's shutdown, and of a closed terminal (`HUP`). If the tests were started
        // with `nohup`, the program ignores `HUP`, so `HUP` is left out.
        let signals: &[&str] =
            if outlives_its_terminal() { &["INT", "TERM"] } else { &["INT", "TERM", "HUP"] };
        for signal in signals.iter().copied() {
            let connected = bluez.calls("Disconnect", 0).await.len();
            let ending = tokio::task::spawn_blocking(move || {
                let mut table = Table::start(&["play", "--headless", "--plain", "--board", "chessnut:ble"]);
                table.hear("connected: Chessnut");
                crate::child::signal(signal, table.process());
                table.end()
            });
            let (status, heard, errors) = ending.await.unwrap();
            assert_eq!(status.code(), Some(0), "{signal}: {heard:?}\n{errors}");
            assert_eq!(bluez.calls("Disconnect", 0).await.len(), connected + 1, "{signal}");
        }
    });
}

#[test]
fn a_game_is_played_over_the_air_and_goes_on_after_the_link_was_lost() {
    on_private_bus("", |bluez| async move {
        bluez.add_adapter(true).await;
        let board = simulated(&bluez, chessnut::MAKER, &air(), BEFORE_CHOKER).await;
        let (service, here) = (bluez.clone(), Handle::current());
        let playing = tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().unwrap();
            a_game_with_a_lost_link(&board, "chessnut:ble", &folder.path().join("game.tabiya"), || {
                here.block_on(async {
                    service.drop_link(&air()).await;
                    service.forget(&air()).await;
                });
            });
        });
        playing.await.unwrap();
        // If the program ended without a disconnect, the service would keep the connection to the board.
        assert!(bluez.log().iter().any(|call| call.member == "Disconnect"), "the board was not disconnected");
    });
}
