//! What presses and typed actions mean: a table.

use tabiya_types::{BySeat, Color, Instant, Observation, Seat, Square};

use super::{Pressed, TypedAction};
use crate::rules::{Action, Fields, GAMES, Group, PlayAction, Uci};
use crate::sense::Watch;
use crate::table::{Agreement, Common, Input, Terms};

const NOW: Instant = Instant::from_millis(10_000);

/// A game of chess before its first move, on a board that shows the pieces; without a board if it is not `seen`.
fn begun(seen: bool) -> Watch {
    let chess = *GAMES.iter().find(|kind| kind.name() == "chess").expect("chess is in the catalogue");
    let agreed = chess.agree(&mut Fields::new("terms", Group::default())).expect("no term is needed");
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let mut watch = Watch::new(Agreement::new(chess, players, Seat::A, Terms::default(), agreed));
    if seen {
        let board = watch.table().physical();
        watch.observe(&Observation::Whole(board), NOW);
    }
    watch
}

/// The same, after White has moved the pawn on the board from e2 to e4, or has only lifted it.
fn moved(arrives: bool) -> Watch {
    let mut watch = begun(true);
    let [e2, e4]: [Square; 2] = ["e2", "e4"].map(|name| name.parse().expect("a square"));
    let mut board = watch.table().physical();
    let pawn = board[e2].take();
    board[e4] = pawn.filter(|_| arrives);
    watch.observe(&Observation::Whole(board), NOW);
    watch
}

fn typed(by: Color, uci: &str) -> Action {
    Action::Play(PlayAction::Move { by, uci: Uci::parse(uci).expect("a move"), stands: None })
}

#[test]
fn a_press_counts_ends_a_turn_starts_the_clock_or_waits() {
    let mut written = begun(true);
    let e4 = Input::Game(typed(Color::White, "e2e4"));
    written.enter(&e4, NOW).expect("a legal move");
    for (watch, by, means) in [
        (begun(false), Color::Black, Pressed::Counts),
        (begun(true), Color::Black, Pressed::Counts),
        (moved(true), Color::White, Pressed::Waits),
        (moved(true), Color::Black, Pressed::StartsClock),
        (written, Color::White, Pressed::EndsTurn),
    ] {
        assert_eq!(watch.sight().classify_press(by, watch.has_board), means, "{by:?} {:?}", watch.trouble());
    }
}

#[test]
fn a_typed_move_is_written_settles_a_press_or_waits() {
    let mut pressed = moved(false);
    let press = Input::Common(Common::Press(Color::White));
    pressed.enter(&press, NOW).expect("a press that waits");
    for (watch, by, uci, means) in [
        (begun(true), Color::White, "e2e4", TypedAction::PartOfTurn),
        (moved(true), Color::White, "e2e4", TypedAction::PartOfTurn),
        (moved(true), Color::Black, "e7e5", TypedAction::Waits),
        (pressed.clone(), Color::White, "e2e4", TypedAction::SettlesPress(NOW)),
        (pressed, Color::Black, "e7e5", TypedAction::Waits),
    ] {
        assert_eq!(watch.sight().classify(&typed(by, uci), NOW), means, "{by:?} {uci} {:?}", watch.trouble());
    }
}
