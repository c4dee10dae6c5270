//! The window's simulated boards, one of each maker: a real pseudo-terminal between the board and the desk.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]
#![allow(clippy::disallowed_methods, reason = "a real line is waited for in real time")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_app::desk::{
    self, BoardWish, Desk, NewMatch, Position, Running, SimulatedMove, Surroundings, Wish,
};
use tabiya_app::snapshot::{LinkState, Snapshot};
use tabiya_boards::brand::Lamps;
use tabiya_boards::catalog::CATALOG;
use tabiya_boards::maker::Maker;
use tabiya_types::{BySeat, Seat, Squares};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn until(desk: &Running, what: &str, there: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
    let began = Instant::now();
    loop {
        let snapshot = desk.snapshot();
        if there(&snapshot) {
            return snapshot;
        }
        let table = snapshot.table.as_ref().map(|table| (&table.last_move, table.phase));
        assert!(began.elapsed() < PATIENCE, "{what}: {:?} {table:?}", snapshot.board);
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn a_move_is_made_on(maker: Maker) {
    let name = maker.name();
    let folder = tempfile::tempdir().unwrap();
    let surroundings = Surroundings {
        date: Box::new(|| "2026-10-03T19:30:00+02:00".to_owned()),
        coin: Box::new(|| Ok(Seat::A)),
        chance: Box::new(|_| Err("no chance is needed here".to_owned())),
        evenings: folder.path().join("evenings"),
        settings: folder.path().join("settings.json"),
        home: None,
        locale: "en".to_owned(),
    };
    let mut desk = desk::start(Desk::new(surroundings, None), || {}).unwrap();
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let terms =
        [("press".to_owned(), "auto".into()), ("time".to_owned(), "300".into())].into_iter().collect();
    let game = "chess".to_owned();
    desk.wish(Wish::Begin(Box::new(NewMatch {
        game,
        players,
        white: Seat::A,
        position: Position::Usual,
        terms,
        deck: None,
    })));
    desk.wish(Wish::Board(BoardWish::Connect(format!("sim:{}", maker.prefix()))));
    let connected =
        until(&desk, name, |now| now.board.link == LinkState::Connected && now.board.seen.is_some());
    assert_eq!(connected.board.facts.first().map(|(_, value)| value.as_str()), Some(name));
    let (from, to) = ("e2".parse().unwrap(), "e4".parse().unwrap());
    desk.wish(Wish::Board(BoardWish::Move(SimulatedMove::Carry(from, to))));
    let moved =
        until(&desk, name, |now| now.table.as_ref().is_some_and(|table| table.last_move == [from, to]));
    assert_eq!(moved.board.simulated.unwrap().board[to], moved.table.as_ref().unwrap().board[to]);
    if maker.abilities().lights != Lamps::None {
        // Lamps at corners are their neighbours' too.
        let both = |lit: Squares| lit.has(from) && lit.has(to);
        until(&desk, name, |now| now.board.simulated.is_some_and(|board| both(board.lit)));
    }
    desk.end();
}

#[test]
fn a_move_is_made_on_the_simulated_board_of_every_maker() {
    let makers = CATALOG.iter().copied().filter(|maker| maker.ways().web.is_none());
    let boards = makers.map(|maker| (maker, std::thread::spawn(move || a_move_is_made_on(maker))));
    for (maker, board) in boards.collect::<Vec<_>>() {
        assert!(board.join().is_ok(), "{maker:?}");
    }
}
