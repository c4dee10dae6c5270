//! Tests of the simulated boards that the window offers, one of each maker. A real pseudo-terminal connects
//! each board to the desk.
#![cfg(unix)]

use crate::headless::{Headless, chess};
use tabiya_app::desk::{BoardWish, SimulatedMove, Wish};
use tabiya_app::snapshot::LinkState;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::brand::LampLayout;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions};
use tabiya_types::{Color, Squares};

fn a_move_is_made_on(maker: Maker) {
    let name = maker.name();
    let desk = Headless::start();
    desk.wish(Wish::Begin(Box::new(chess("auto"))));
    desk.wish(Wish::Board(BoardWish::Connect(format!("sim:{}", maker.prefix()))));
    let connected =
        desk.until(name, |now| now.board.link == LinkState::Connected && now.board.seen.is_some());
    assert_eq!(connected.board.facts.first().map(|(_, value)| value.as_str()), Some(name));
    let (from, to) = ("e2".parse().unwrap(), "e4".parse().unwrap());
    desk.wish(Wish::Board(BoardWish::Move(SimulatedMove::Carry(from, to))));
    let moved = desk.until(name, |now| now.table.as_ref().is_some_and(|table| table.last_move == [from, to]));
    assert_eq!(moved.board.simulated.unwrap().board[to], moved.table.as_ref().unwrap().board[to]);
    if maker.abilities().lights != LampLayout::None {
        // Some boards have lamps at the corners of the squares. There, lighting one square also lights its
        // neighbours. So the test only requires that both squares are among those that are lit.
        let both = |lit: Squares| lit.has(from) && lit.has(to);
        desk.until(name, |now| now.board.simulated.is_some_and(|board| both(board.lit)));
    }
    desk.end();
}

#[test]
fn a_move_is_made_on_the_simulated_board_of_every_maker() {
    let makers = CATALOG.iter().copied().filter(|maker| maker.transports().web.is_none());
    let boards = makers.map(|maker| (maker, std::thread::spawn(move || a_move_is_made_on(maker))));
    for (maker, board) in boards.collect::<Vec<_>>() {
        assert!(board.join().is_ok(), "{maker:?}");
    }
}

#[test]
fn a_box_beside_the_board_is_heard_whatever_shows_the_table() {
    let maker = Maker::from_prefix("diy").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("box");
    let mut options = SimOptions { maker, link: Some(link.clone()), stdin: false, ..SimOptions::default() };
    options.setup.without_squares = true;
    let host = SimHost::start(&options, |_| {}).unwrap();
    let desk = Headless::start();
    desk.wish(Wish::Board(BoardWish::Beside(LiveAddress::serial(maker, &link.display().to_string()))));
    desk.wish(Wish::Begin(Box::new(chess("clock"))));
    desk.until("the box is there", |now| {
        now.announcements.iter().any(|said| said.text.id() == "box-connected")
    });
    desk.typed("e2e4");
    desk.until("a move", |now| now.table.as_ref().is_some_and(|table| table.moves == ["e4"]));
    host.order(ScriptCommand::Press(Color::White));
    desk.until("its press", |now| {
        now.table.as_ref().is_some_and(|table| table.clock.turn() == Some(Color::Black))
    });
    // A new match begins while the box stays connected. The new match's table must be informed about the box, too.
    desk.wish(Wish::Begin(Box::new(chess("clock"))));
    desk.until("the next table", |now| {
        let new = now.table.as_ref().is_some_and(|table| table.moves.is_empty());
        new && now.announcements.iter().any(|said| said.text.id() == "box-connected")
    });
    host.order(ScriptCommand::Press(Color::Black));
    desk.until("White's clock", |now| {
        now.table.as_ref().is_some_and(|table| table.clock.turn() == Some(Color::White))
    });
    desk.end();
    host.end().unwrap();
}
