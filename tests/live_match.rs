//! A whole match of Choker over each line that the simulators can be at the other end of, in real time, with the plug out
//! in mid-game. Over the air: `tests/ble.rs` and `tests/vm.rs`; through LiveChess: `tests/livechess.rs`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "support/child.rs"]
mod child;
#[path = "support/live_board.rs"]
mod live_board;

use child::name;
use live_board::{BEFORE_CHOKER, QUICK, a_game_with_a_lost_link};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::{dgt, dgtbus, ichessone, millennium};
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions};
use tabiya_types::Millis;

/// How long the plug is out: longer than a piece is carried.
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
