//! The table with an electronic board: a piece that is put on it goes through the same states as a click, and no press leads to a
//! dead end.

use egui::Key;
use tabiya_app::snapshot::SimulatedView;
use tabiya_types::{Board, Color, Piece, Role, Squares};

use crate::harness::Screens;
use crate::stories::at_the_placement;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// The simulated board shows this.
pub(crate) fn shows(screens: &mut Screens, board: Board) {
    let view = SimulatedView { board, lit: Squares::default(), lever: true };
    screens.harness.state_mut().desk.simulated(view);
    screens.board_shows(board);
    screens.wait(50);
}

/// The board with a piece more, or with one square empty.
pub(crate) fn with(board: &Board, square: &str, piece: Option<(Color, Role)>) -> Board {
    let mut then = *board;
    then[square.parse().unwrap()] = piece.map(|(color, role)| Piece { color, role });
    then
}

/// White's clock runs, his first card is a pawn, and the board is connected.
pub(crate) fn with_an_open_pawn(size: [f32; 2]) -> (Screens, Board) {
    let mut screens = at_the_placement(Screens::open(size));
    let board = screens.table().physical;
    shows(&mut screens, board);
    screens.key(Key::Space);
    screens.key(Key::P);
    screens.wait(2_000);
    (screens, board)
}

const PAWN: Option<(Color, Role)> = Some((Color::White, Role::Pawn));

#[test]
fn a_piece_that_stands_right_on_the_board_waits_for_the_press_as_a_click_does() {
    let (mut screens, board) = with_an_open_pawn(WINDOW);
    assert!(screens.shows("d3, possible square"), "{:?}", screens.labels());
    shows(&mut screens, with(&board, "d3", PAWN));
    assert!(screens.shows("Ann: press the clock"), "{:?}", screens.labels());
    assert!(!screens.shows("possible square"), "the zone goes: {:?}", screens.labels());
    assert!(screens.shows("not pressed yet"), "{:?}", screens.labels());
    screens.key(Key::Space);
    assert_eq!(screens.table().mover(), Some(Color::Black));
    assert!(!screens.shows("not pressed yet"), "{:?}", screens.labels());
}

#[test]
fn a_piece_outside_its_zone_is_told_before_any_press_and_the_zone_stays() {
    let (mut screens, board) = with_an_open_pawn(WINDOW);
    shows(&mut screens, with(&board, "d5", PAWN));
    screens.wait(1_200);
    assert!(screens.shows("not on d5"), "{:?}", screens.labels());
    assert!(screens.shows("d3, possible square"), "{:?}", screens.labels());
    assert!(!screens.shows("Put the board right"), "{:?}", screens.labels());
    shows(&mut screens, with(&board, "d3", PAWN));
    assert!(!screens.shows("not on d5"), "{:?}", screens.labels());
    screens.wait(300);
    screens.key(Key::Space);
    screens.wait(500);
    assert_eq!(screens.table().mover(), Some(Color::Black));
}

/// A designer pressed again while a press waited; after that the table took no press any more.
#[test]
fn a_second_press_takes_back_the_one_that_waits_and_the_table_goes_on_taking_presses() {
    for presses in 1..5 {
        let (mut screens, board) = with_an_open_pawn(WINDOW);
        shows(&mut screens, with(&board, "d5", PAWN));
        for nth in 1..=presses {
            screens.key(Key::Space);
            screens.wait(1_500);
            let waits = nth % 2 == 1;
            assert_eq!(screens.is_written("press waits"), waits, "{nth}: {:?}", screens.labels());
            assert_eq!(screens.shows("Take my press back"), waits, "{nth}: {:?}", screens.labels());
            let ann = screens.table().clock.turn();
            assert_eq!(ann, Some(Color::White), "her clock runs, and that is shown");
        }
        let before = screens.table().clock.reading(Color::Black, screens.at());
        shows(&mut screens, with(&board, "d3", PAWN));
        screens.wait(1_500);
        if presses % 2 == 0 {
            assert_eq!(screens.table().mover(), Some(Color::White));
            screens.key(Key::Space);
        }
        assert_eq!(screens.table().mover(), Some(Color::Black), "{presses}: {:?}", screens.labels());
        assert!(!screens.is_written("press waits"), "{:?}", screens.labels());
        let after = screens.table().clock.reading(Color::Black, screens.at());
        let paid = before.unwrap().0 - after.unwrap().0;
        assert!(paid <= 2_500, "{presses}: the other player pays {paid} ms for her error");
    }
}

/// A game of chess whose board lacks six pawns, and what it shows.
fn six_wrong() -> (Screens, Board) {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    let start = screens.table().physical;
    shows(&mut screens, start);
    screens.key(Key::Space);
    let mut wrong = start;
    for file in ["a2", "b2", "c2", "d2", "e2", "f2"] {
        wrong = with(&wrong, file, None);
    }
    shows(&mut screens, wrong);
    screens.wait(3_000);
    (screens, wrong)
}

#[test]
fn what_has_to_be_put_right_has_rows_for_four_and_tells_how_many_more() {
    let (mut screens, wrong) = six_wrong();
    assert!(screens.is_written("put it on d2"), "{:?}", screens.labels());
    assert!(!screens.is_written("put it on e2"), "{:?}", screens.labels());
    assert!(screens.is_written("+ 2 more"), "{:?}", screens.labels());
    assert_eq!(screens.faults(), Vec::<String>::new());
    shows(&mut screens, with(&wrong, "a2", PAWN));
    assert!(screens.is_written("put it on e2"), "what is done makes room: {:?}", screens.labels());
}

#[test]
fn the_pot_hides_while_the_board_has_to_be_put_right() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    let board = screens.table().physical;
    shows(&mut screens, board);
    screens.key(Key::D);
    assert!(screens.shows("Pot 3"), "{:?}", screens.labels());
    shows(&mut screens, with(&board, "d4", PAWN));
    screens.wait(3_000);
    assert!(screens.shows("Put the board right"), "{:?}", screens.labels());
    assert!(!screens.shows("Pot 3"), "{:?}", screens.labels());
}

#[test]
fn nothing_takes_the_place_of_the_controls_while_the_pointer_moves_over_them() {
    let (mut screens, board) = with_an_open_pawn(WINDOW);
    screens.wait(2_000);
    let over = screens.middle_of("rook");
    for step in 0..4_u8 {
        screens.harness.hover_at(over + egui::vec2(f32::from(step), 0.0));
        screens.harness.run();
        shows(&mut screens, with(&with(&board, "d5", PAWN), "e2", None));
        screens.wait(450);
    }
    assert!(!screens.shows("Put the board right"), "{:?}", screens.labels());
    assert_eq!(screens.middle_of("rook"), over);
    screens.wait(650);
    assert!(screens.shows("Put the board right"), "{:?}", screens.labels());
}

#[cfg(feature = "snapshots")]
#[test]
fn a_board_before_the_press_and_while_one_waits() {
    use crate::pictures::photograph;
    let mut album = egui_kittest::SnapshotResults::new();
    let (mut screens, board) = with_an_open_pawn(WINDOW);
    shows(&mut screens, with(&board, "d5", PAWN));
    screens.wait(1_200);
    photograph(&mut album, &mut screens, "board-wrong-zone");
    shows(&mut screens, with(&board, "d3", PAWN));
    photograph(&mut album, &mut screens, "board-seen");
    let (mut screens, board) = with_an_open_pawn(WINDOW);
    let slipped = with(&with(&board, "e2", None), "f3", PAWN);
    shows(&mut screens, with(&slipped, "d5", PAWN));
    screens.key(Key::Space);
    screens.wait(2_000);
    shows(&mut screens, with(&with(&board, "d5", PAWN), "g7", PAWN));
    screens.wait(500);
    photograph(&mut album, &mut screens, "board-press-waits");
    let (mut screens, _) = six_wrong();
    photograph(&mut album, &mut screens, "board-six-wrong");
}
