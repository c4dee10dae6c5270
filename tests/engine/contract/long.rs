//! The results of records with a hundred thousand lines, half of which are undos. The time is measured in
//! `benches/fold.rs`. But these tests would take minutes if the cost of an undo grew with the number of earlier undos.

use serde_json::Value;
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

use crate::support::long::{BEGUN, Play, Shape, record};

const LINES: usize = 100_001;
/// A smaller number of lines, for the games whose lines take longer to apply.
const FEWER: usize = 10_001;

fn lines_of(play: Play) -> usize {
    match play {
        Play::Presses => LINES,
        Play::Chess | Play::Folds => FEWER,
    }
}

fn fold(lines: &[String]) -> Replay {
    let mut replay = Replay::begin(&lines[0], GAMES).expect("a header");
    for (number, line) in (2..).zip(&lines[1..]) {
        replay.feed(number, line).unwrap_or_else(|stop| panic!("line {number}: {stop}"));
    }
    replay
}

/// The report of a record, without the clock readings. An undo does not give back the time of a turn, so the readings
/// differ from those of a record without undos.
fn came_to(replay: &Replay) -> Value {
    let mut report = replay.report();
    report.as_object_mut().unwrap().remove("clock_ms");
    for game in report.get_mut("games").and_then(Value::as_array_mut).into_iter().flatten() {
        game.as_object_mut().unwrap().remove("clock_ms");
    }
    report
}

/// A record that contains only the first `actions` actions, without any undo.
fn without(play: Play, actions: usize) -> Replay {
    fold(&record(play, Shape::Plain, actions + 1))
}

#[test]
fn fifty_thousand_actions_undone_in_a_row_leave_the_table_as_it_began() {
    for play in Play::ALL {
        assert_eq!(came_to(&fold(&record(play, Shape::Row, lines_of(play)))), came_to(&without(play, 0)));
    }
}

#[test]
fn fifty_thousand_actions_undone_one_by_one_leave_the_turn_as_it_began() {
    for play in Play::ALL {
        let replay = fold(&record(play, Shape::Alternating, lines_of(play)));
        // The record ends with an action, before the undo of this action. So one action more than the first `BEGUN`
        // counts.
        assert_eq!(came_to(&replay), came_to(&without(play, BEGUN + 1)));
    }
}

#[test]
fn what_is_undone_and_redone_for_ever_stays_done() {
    for play in Play::ALL {
        for shape in [Shape::Wavering, Shape::ThereAndBack] {
            let replay = fold(&record(play, shape, lines_of(play)));
            assert_eq!(came_to(&replay), came_to(&without(play, lines_of(play) / 2)), "{play:?}, {shape:?}");
        }
    }
}

#[test]
fn an_undone_turn_that_ran_in_fifty_thousand_pieces_has_run_as_long_as_all_of_them() {
    let replay = fold(&record(Play::Presses, Shape::Alternating, LINES));
    let report = replay.report();
    // White's first turn took 100 ms. White's second turn was ended and undone many times, and each time took 100 ms.
    // Black had one turn of 100 ms.
    let left = |side: &str| report["clock_ms"][side].as_u64();
    let pieces = u64::try_from(LINES - 1 - BEGUN).unwrap().div_ceil(2);
    assert_eq!(left("white"), Some(900_000_000 - (1 + pieces) * 100));
    assert_eq!(left("black"), Some(900_000_000 - 100));
}
