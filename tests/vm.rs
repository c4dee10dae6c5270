//! Boards over Bluetooth LE with the system's own service: real BlueZ and a real kernel, and behind an emulated adapter
//! the boards of the simulators. Runs in the machine that `tests/run vm` makes (`tests/vm/`), and nowhere else.
//!
//! `tests/vm/radio.py` is the boards' radio; what a board says, and how its maker's boards show themselves, comes from
//! here, which is to say from the catalogue and the simulators.
#![cfg(all(target_os = "linux", feature = "headless"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "support/child.rs"]
mod child;
#[path = "support/on_air.rs"]
mod on_air;

use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use child::{PATIENCE, Table, printed, text, wait_until};
use on_air::{BEFORE_CHOKER, OnAir, a_game_with_a_lost_link};
use serde_json::{Value, json};
use tabiya::devices::boards::{Maker, chessnut};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const ADDRESS: &str = "C0:FF:EE:00:00:01";

/// By what a board is recognised before anybody has connected to it.
#[derive(Clone, Copy)]
enum Shows {
    Name,
    Service,
}

/// A simulated board within reach of the adapter. It is switched off when this is dropped.
struct Near {
    board: OnAir,
    radio: UnixStream,
    /// Each time that it was connected to, or was left.
    linked: Receiver<bool>,
}

impl Near {
    fn switch_on(maker: Maker, shows: Shows, stands: &str) -> Self {
        let path = std::env::var("TABIYA_TEST_RADIO")
            .expect("these tests run in a machine of their own; `tests/run vm` makes it");
        let radio = UnixStream::connect(path).unwrap();
        let gatt = maker.entry().ways.ble.unwrap();
        let uuid = |number: u128| uuid::Uuid::from_u128(number).to_string();
        let looks = json!({
            "address": ADDRESS,
            "name": gatt.names[0],
            "shows": match shows { Shows::Name => "name", Shows::Service => "service" },
            "service": uuid(gatt.service),
            "notify": gatt.notify.iter().map(|number| uuid(*number)).collect::<Vec<_>>(),
            "write": uuid(gatt.write),
        });
        tell(&radio, &looks);
        let mut happened = BufReader::new(radio.try_clone().unwrap()).lines();
        assert_eq!(happened.next().unwrap().unwrap(), r#"{"on": true}"#);
        let speaking = radio.try_clone().unwrap();
        let board =
            OnAir::start(maker, stands, None, move |message| tell(&speaking, &json!({ "say": message })));
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

    /// The link is lost; the board can be found again at once.
    fn hang_up(&self) {
        tell(&self.radio, &json!({"hang_up": true}));
    }

    /// Waits until it is connected to, or left.
    fn expect(&self, linked: bool) {
        assert_eq!(self.linked.recv_timeout(PATIENCE), Ok(linked));
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        let _ = self.radio.shutdown(Shutdown::Both);
    }
}

fn tell(mut radio: &UnixStream, what: &Value) {
    // A board that was switched off has nothing to say.
    let _ = radio.write_all(format!("{what}\n").as_bytes());
}

/// Asks the system's service, as people do.
fn bluetoothctl(arguments: &[&str]) -> String {
    let asked = Command::new("bluetoothctl").args(arguments).stdin(Stdio::null()).output().unwrap();
    text(&asked.stdout)
}

/// Waits until the service says this.
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
#[ignore = "needs the machine of `tests/run vm`"]
fn a_game_is_played_through_the_real_service_and_goes_on_after_the_link_was_lost() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, BEFORE_CHOKER);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    a_game_with_a_lost_link(&near.board, "chessnut:ble", &record, || near.hang_up());
    // Linked, twice lost and linked again, and at the program's end left: the service by itself would hold the board.
    for linked in [true, false, true, false, true, false] {
        near.expect(linked);
    }
    assert!(bluetoothctl(&["info", ADDRESS]).contains("Connected: no"));
}

#[test]
#[ignore = "needs the machine of `tests/run vm`"]
fn a_board_is_listed_by_its_name_and_found_by_its_service_alone() {
    let near = Near::switch_on(chessnut::MAKER, Shows::Name, START);
    let list = printed(&["devices"], 0);
    assert!(list.contains("Chessnut Air"), "{list}");
    drop(near);
    let _near = Near::switch_on(chessnut::MAKER, Shows::Service, START);
    let said = printed(&["devices", "probe", "chessnut:ble"], 0);
    assert!(said.contains("a Chessnut board answers"), "{said}");
}

#[test]
#[ignore = "needs the machine of `tests/run vm`"]
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
