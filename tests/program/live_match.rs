//! A whole match of Choker in real time over pseudo-terminals and TCP, with a simulated board that is unplugged during
//! the game. `tests/devices/ble.rs` and `tests/vm.rs` test Bluetooth LE, and `tests/devices/livechess.rs` tests
//! LiveChess.
#![cfg(unix)]

use crate::child::name;
use crate::live_board::{BEFORE_CHOKER, QUICK, a_game_with_a_lost_link};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::{dgt, dgtbus, ichessone, millennium};
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions};
use tabiya_types::Millis;

/// How long the board is unplugged: longer than a hand carries a piece.
const OUT: Millis = Millis(2_500);

/// Plays the match on a maker's board behind a pseudo-terminal, or behind a TCP port.
fn a_match_on(maker: Maker, over_tcp: bool) {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let mut options = SimOptions {
        link: (!over_tcp).then(|| link.clone()),
        tcp: over_tcp.then(|| "127.0.0.1:0".to_owned()),
        profile: QUICK,
        stdin: false,
        maker,
        ..SimOptions::default()
    };
    options.setup.board = BEFORE_CHOKER.parse().unwrap();
    let host = SimHost::start(&options, |_| {}).unwrap();
    let prefix = maker.prefix();
    let unit = host.unit().map(|unit| format!("#{unit}")).unwrap_or_default();
    let address = match host.address() {
        Some(listening) => format!("{prefix}:tcp:{listening}"),
        None => format!("{prefix}:{}{unit}", name(&link)),
    };
    let record = folder.path().join("game.tabiya");
    a_game_with_a_lost_link(&host, &address, &record, || host.order(ScriptCommand::Unplug(Some(OUT))));
    host.end().unwrap();
}

#[test]
fn on_a_dgt_board_on_its_cable() {
    a_match_on(dgt::MAKER, false);
}

#[test]
fn on_one_of_the_boards_of_a_dgt_bus() {
    a_match_on(dgtbus::MAKER, false);
}

#[test]
fn on_a_millennium_board_on_its_cable() {
    a_match_on(millennium::MAKER, false);
}

#[test]
fn on_an_ichessone_over_tcp() {
    a_match_on(ichessone::MAKER, true);
}
