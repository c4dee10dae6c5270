//! Tests of a Certabo driver with a simulated board: pieces are learned, stored and recognised, and the kind of
//! lights is detected.

use tabiya_types::Observation;

use super::*;
use crate::driver::BoardCommand;
use crate::makers::certabo::MAKER;
use crate::makers::certabo::sim::{CertaboFirmware, Model};
use crate::makers::meeting::TestBench;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

fn of(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn meet(model: Model, fen: &str, notes: &Notes) -> TestBench {
    let mut meeting = TestBench::new(MAKER, CertaboFirmware::with(model, 5), &of(fen), notes);
    meeting.pass(Millis(2_000));
    meeting
}

fn wants(meeting: &TestBench) -> usize {
    meeting.events.iter().filter(|event| matches!(event, BoardEvent::Wants(_))).count()
}

fn remembered(meeting: &TestBench) -> Option<String> {
    meeting.events.iter().find_map(|event| match event {
        BoardEvent::Remember { name, value } if *name == NOTE.name => Some(value.clone()),
        _ => None,
    })
}

fn sees(meeting: &TestBench) -> Option<Board> {
    match meeting.last_observation() {
        Some(Observation::Whole(board)) => Some(board),
        _ => None,
    }
}

#[test]
fn pieces_are_learned_once_from_the_start_position_and_known_ever_after() {
    // The e2 pawn is still missing from the board.
    let mut meeting = meet(Model::Tags, "rnbqkbnr/pppppppp/3q4/8/8/8/PPPP1PPP/RNBQKBNR", &Notes::NONE);
    meeting.pass(Millis(8_000));
    assert_eq!((wants(&meeting), sees(&meeting)), (1, None));
    assert!(!meeting.driver.ready() && meeting.driver.failure().is_none(), "it waits for people");
    assert_eq!(meeting.written.first(), Some(&vec![0, 0, 0, 0, 0, 0x08, 0xFF, 0xFF]));
    meeting.set("e2", Some('P'));
    meeting.pass(Millis(8_000));
    assert_eq!(sees(&meeting), Some(of("rnbqkbnr/pppppppp/3q4/8/8/8/PPPPPPPP/RNBQKBNR")));
    assert_eq!((wants(&meeting), meeting.sim.lit().len()), (1, 0));
    meeting.set("d6", None);
    meeting.set("e2", None);
    meeting.set("e4", Some('P'));
    assert_eq!(sees(&meeting), Some(of(E4)));
    // The next connection can use the stored table in any position.
    let table = remembered(&meeting).expect("the pieces were learned");
    let notes = [(NOTE.name, table.as_str())].into_iter().collect();
    let again = meet(Model::Tags, "4k3/8/8/8/8/8/4P3/4K3", &notes);
    assert_eq!((wants(&again), sees(&again)), (0, Some(of("4k3/8/8/8/8/8/4P3/4K3"))));
}

#[test]
fn other_pieces_than_the_known_ones_are_learned_anew() {
    let table = TagTable::from_iter([(
        super::super::codec::PieceTag([9, 9, 9, 9, 9]),
        of(START)["e1".parse().expect("e1")].expect("a king"),
    )]);
    let text = table.to_text();
    assert_eq!(TagTable::parse(&text), Some(table));
    let notes = [(NOTE.name, text.as_str())].into_iter().collect();
    let mut meeting = meet(Model::Tags, START, &notes);
    meeting.pass(Millis(8_000));
    assert_eq!((wants(&meeting), sees(&meeting)), (1, Some(of(START))));
    // The stored table now contains the new pieces, and also the pieces that were known before.
    let both = remembered(&meeting).expect("the pieces were learned");
    assert!(both.split(' ').count() == 33 && both.contains(&text), "{both}");
}

#[test]
fn a_board_that_only_feels_says_so_and_learns_nothing() {
    let mut meeting = meet(Model::Occupancy, START, &Notes::NONE);
    assert_eq!(meeting.driver.info().abilities.sees, Sees::Occupancy);
    assert_eq!(wants(&meeting), 0);
    meeting.set("e2", None);
    let felt = of("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR").occupied();
    assert!(matches!(meeting.last_observation(), Some(Observation::Occupied(squares)) if squares == felt));
}

#[test]
fn lights_are_found_out_by_their_answers() {
    let e4 = "e4".parse().expect("a square");
    for (model, lamps) in [
        (Model::Occupancy, LampLayout::Squares),
        (Model::OccupancyInColors, LampLayout::Corners),
        (Model::Mute, LampLayout::Squares),
    ] {
        let mut meeting = meet(model, START, &Notes::NONE);
        meeting.driver.order(&BoardCommand::Light(Lights::of([(e4, Glow::Wrong)])), meeting.now);
        meeting.pass(Millis(6_000));
        assert!(meeting.sim.lit().has(e4), "{model:?}");
        assert_eq!(meeting.driver.info().abilities.lights, lamps, "{model:?}");
        let written = meeting.written.len();
        meeting.driver.order(&BoardCommand::Light(Lights::DARK), meeting.now);
        meeting.pass(Millis(3_000));
        assert!(meeting.sim.lit().is_empty(), "{model:?}");
        assert_eq!(meeting.written.len(), written + 1, "{model:?} is known by now");
    }
}
