//! Boards over Bluetooth LE through the real BlueZ and a real kernel. The adapter and the boards' radios are
//! emulated; the boards are simulators. These tests run only in the virtual machine that `tests/run vm` starts
//! (`tests/vm/`).
//!
//! `tests/vm/radio.py` emulates the radios. These tests send it each board's advertisement, taken from the catalogue,
//! and each board's messages, taken from the simulators.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot continue fails")]

#[path = "support/child.rs"]
mod child;
#[path = "support/club_game.rs"]
mod club_game;
#[path = "support/live_board.rs"]
mod live_board;
#[path = "support/wait.rs"]
mod wait;

use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use child::{Table, printed, signal, text};
use live_board::{BEFORE_CHOKER, LiveBoard, a_game_with_a_lost_link};
use serde_json::{Value, json};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::makers::chessnut;
use wait::{PATIENCE, wait_until};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const ADDRESS: &str = "C0:FF:EE:00:00:01";
/// The longest notification of a board's radio, in bytes.
const LONGEST: usize = 244;

/// What a board advertises: its name or its service.
#[derive(Clone, Copy)]
enum Shows {
    Name,
    Service,
}

/// A simulated board in range of the adapter. Dropping it switches the board off.
struct Near {
    board: LiveBoard,
    radio: UnixStream,
    /// `true` for each connection that was made, `false` for each that ended.
    linked: Receiver<bool>,
}

impl Near {
    /// Switches on a maker's board with the address [`ADDRESS`].
    fn switch_on(maker: Maker, shows: Shows, stands: &str) -> Self {
        Self::switch_on_as(ADDRESS, maker, shows, stands)
    }

    fn switch_on_as(address: &str, maker: Maker, shows: Shows, stands: &str) -> Self {
        let path = std::env::var("TABIYA_TEST_RADIO")
            .expect("these tests need the virtual machine that `tests/run vm` starts");
        let radio = UnixStream::connect(path).unwrap();
        let gatt = maker.transports().ble.unwrap();
        let uuid = |number: u128| uuid::Uuid::from_u128(number).to_string();
        let looks = json!({
            "address": address,
            "name": gatt.names.first().unwrap_or(&maker.name()),
            "shows": match shows { Shows::Name => "name", Shows::Service => "service" },
            "service": uuid(gatt.service),
            "notify": gatt.notify.iter().map(|number| uuid(*number)).collect::<Vec<_>>(),
            "write": uuid(gatt.write),
        });
        send(&radio, &looks);
        let mut happened = BufReader::new(radio.try_clone().unwrap()).lines();
        assert_eq!(happened.next().unwrap().unwrap(), r#"{"on": true}"#);
        let speaking = radio.try_clone().unwrap();
        let board = LiveBoard::start(maker, stands, LONGEST, move |message| {
            send(&speaking, &json!({ "say": message }));
        });
        let (hearing, (say, linked)) = (board.clone(), channel());
        thread::spawn(move || {
            for line in happened.map_while(Result::ok) {
                let what: Value = serde_json::from_str(&line).unwrap();
                if let Some(bytes) = what["written"].as_array() {
                    let byte = |byte: &Value| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()).unwrap();
                    hearing.hear(&bytes.iter().map(byte).collect::<Vec<u8>>());
                } else if say.send(what["linked"].as_bool().unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { board, radio, linked }
    }

    /// Drops the link. The board advertises again at once.
    fn hang_up(&self) {
        send(&self.radio, &json!({"hang_up": true}));
    }

    /// Waits until a connection is made (`true`) or ends (`false`).
    fn expect(&self, linked: bool) {
        assert_eq!(self.linked.recv_timeout(PATIENCE), Ok(linked));
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        let _ = self.radio.shutdown(Shutdown::Both);
    }
}

fn send(mut radio: &UnixStream, what: &Value) {
    // Writing fails if the board is already switched off. Then the message is not needed, so the failure is ignored.
    let _ = radio.write_all(format!("{what}\n").as_bytes());
}

/// Runs `bluetoothctl` and returns what it prints.
fn bluetoothctl(arguments: &[&str]) -> String {
    let asked = Command::new("bluetoothctl").args(arguments).stdin(Stdio::null()).output().unwrap();
    text(&asked.stdout)
}

/// Waits until `bluetoothctl` prints `wanted`.
fn service_says(arguments: &[&str], wanted: &str) {
    wait_until(|| {
        let said = bluetoothctl(arguments);
        if said.contains(wanted) { Ok(()) } else { Err(format!("`{wanted}` in\n{said}")) }
    });
}

fn play_chess() -> Table {
    let mut table =
        Table::start(&["play", "--headless", "--plain", "--game", "chess", "--board", "chessnut:ble"]);
    table.hear("connected: Chessnut");
    table
}

#[test]
fn a_game_is_played_through_the_real_service_and_goes_on_after_the_link_was_lost() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, BEFORE_CHOKER);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    a_game_with_a_lost_link(&near.board, "chessnut:ble", &record, || near.hang_up());
    // The board was connected. Twice the link was lost and the board was connected again. At its end the program
    // disconnected the board; otherwise the service would have kept the connection.
    for linked in [true, false, true, false, true, false] {
        near.expect(linked);
    }
    assert!(bluetoothctl(&["info", ADDRESS]).contains("Connected: no"));
}

#[test]
fn boards_are_listed_by_their_names_and_of_two_the_named_one_is_taken() {
    let (first, second) = ("C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02");
    let boards =
        [first, second].map(|address| Near::switch_on_as(address, chessnut::MAKER, Shows::Name, START));
    let list = printed(&["devices"], 0);
    for address in [first, second] {
        assert!(list.contains("Chessnut Air") && list.contains(address), "{list}");
    }
    printed(&["devices", "probe", &format!("chessnut:ble:{second}")], 0);
    boards[1].expect(true);
    boards[1].expect(false);
    assert!(boards[0].linked.try_recv().is_err(), "the program connected to the other board");
}

#[test]
fn an_adapter_that_is_switched_off_is_told_and_left_off_and_on_again_the_board_is_back() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    let mut table = play_chess();
    bluetoothctl(&["power", "off"]);
    table.hear("the board is gone");
    table.hear("Bluetooth is switched off or blocked");
    let list = printed(&["devices"], 0);
    assert!(list.contains("Bluetooth is switched off or blocked"), "{list}");
    service_says(&["show"], "Powered: no");
    bluetoothctl(&["power", "on"]);
    table.hear("the board is back");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    for linked in [true, false, true, false] {
        near.expect(linked);
    }
}

#[test]
fn a_board_that_a_killed_program_has_left_connected_is_used_again() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    play_chess().kill();
    near.expect(true);
    // The service keeps the connection, so the board does not advertise itself.
    assert!(bluetoothctl(&["info", ADDRESS]).contains("Connected: yes"));
    let table = play_chess();
    // The signal HUP tells the program that its terminal was closed. The program then disconnects the board.
    signal("HUP", table.process());
    let (status, heard, errors) = table.end();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    near.expect(false);
}

#[test]
fn a_board_that_was_off_until_the_service_forgot_it_is_found_again() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    let mut table = play_chess();
    drop(near);
    table.hear("the board is gone");
    // The service forgets a device that it has not seen for half a minute.
    service_says(&["info", ADDRESS], "not available");
    let _near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    table.hear("the board is back");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn a_service_that_dies_in_mid_game_and_is_started_again_costs_nothing() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    let mut table = play_chess();
    let service = std::fs::read_to_string("/run/service.pid").unwrap();
    signal("KILL", service.trim().parse().unwrap());
    table.hear("the board is gone");
    table.hear("the board is back");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    drop(near);
}

/// Tests each maker's services, and the lengths of its boards' writes and notifications.
#[test]
fn every_makers_board_answers() {
    for (nth, maker) in CATALOG.iter().enumerate() {
        let Some(gatt) = maker.transports().ble else { continue };
        let shows = if gatt.names.is_empty() { Shows::Service } else { Shows::Name };
        let address = format!("C0:FF:EE:00:01:{nth:02}");
        let _near = Near::switch_on_as(&address, *maker, shows, START);
        let said = printed(&["devices", "probe", &format!("{}:ble", maker.prefix())], 0);
        assert!(said.contains(&format!("a {} board answers", maker.name())), "{said}");
    }
}
