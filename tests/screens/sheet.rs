//! Chess at the table: the tabs below the prompt, the score sheet, the line for words, and the choice of a pawn's new piece.

use egui::Key;
use tabiya_app::desk::{DeskOrder, SimulatedMove};
use tabiya_store::settings::Settings;
use tabiya_types::{Color, Piece, Role, Squares};

use crate::harness::Screens;
use crate::pages::resize;

const WINDOW: [f32; 2] = [1280.0, 800.0];
const PAWN_ON_B7: &str = "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1";

fn from_fen(fen: &str) -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("More rules");
    screens.click("from a FEN");
    screens.fill("FEN", fen);
    screens.click("Done");
    screens.click("Begin the match");
    screens
}

/// A pawn that was carried to b8 and waits for its piece.
pub(crate) fn at_a_promotion() -> Screens {
    let mut screens = from_fen(PAWN_ON_B7);
    screens.click("b7 white pawn");
    screens.click("a8 black rook");
    screens
}

#[test]
fn a_pawn_becomes_what_is_clicked_on_the_board() {
    let mut screens = at_a_promotion();
    assert!(screens.shows("Ann: bxa8="), "{:?}", screens.labels());
    assert!(screens.table().moves.is_empty(), "the piece is still to be chosen");
    screens.click("knight");
    assert_eq!(screens.table().moves, ["bxa8=N"]);
}

#[test]
fn a_pawn_becomes_what_a_letter_or_enter_says_and_goes_back_with_escape() {
    for (key, san) in [(Key::R, "bxa8=R+"), (Key::B, "bxa8=B"), (Key::Enter, "bxa8=Q+")] {
        let mut screens = at_a_promotion();
        screens.key(Key::Escape);
        assert!(screens.shows("b7 white pawn") && !screens.shows("Ann: bxa8="), "{:?}", screens.labels());
        screens.click("b7 white pawn");
        screens.click("a8 black rook");
        screens.key(key);
        assert_eq!(screens.table().moves, [san]);
    }
}

#[test]
fn a_click_beside_the_pieces_puts_the_pawn_back() {
    let mut screens = at_a_promotion();
    screens.click("Put the pawn back");
    assert!(screens.shows("b7 white pawn"), "{:?}", screens.labels());
    assert_eq!(screens.table().board["a8".parse().unwrap()].map(|piece| piece.role), Some(Role::Rook));
}

#[test]
fn the_newest_move_is_in_view_at_every_size() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    for pawns in ["a3 a6", "b3 b6", "c3 c6", "e3 e6", "f3 f6", "g3 g6", "h3 h6"] {
        for pawn in pawns.split(' ') {
            screens.line(pawn);
            screens.line("press");
        }
    }
    screens.line("d4");
    screens.key(Key::Escape);
    for size in [[800.0, 600.0], [1920.0, 1080.0], [1024.0, 640.0], WINDOW] {
        resize(&mut screens, size);
        assert!(screens.is_written("d4"), "{size:?}");
    }
}

#[test]
fn tabs_show_the_moves_the_log_and_the_simulated_board() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    for line in ["e4", "press", "e5", "press"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    assert!(screens.is_written("e4") && !screens.shows("Simulated board"), "{:?}", screens.labels());
    screens.click("Log");
    assert!(screens.is_written("1. e4"), "{:?}", screens.labels());
    let board = screens.table().physical;
    let view = tabiya_app::snapshot::SimulatedView { board, lit: Squares::default(), lever: true };
    screens.harness.state_mut().desk.simulated(view);
    screens.harness.run();
    screens.click("Simulated board");
    assert!(screens.shows("Ann presses") && screens.shows("Bo presses"), "{:?}", screens.labels());
    assert_eq!(screens.unexplained(), Vec::<String>::new());
    // A piece from the box goes where the next click is.
    screens.harness.state_mut().desk.take_orders();
    screens.click("From the box: black queen");
    screens.click("d4");
    let orders = screens.harness.state_mut().desk.take_orders();
    let queen = Piece { color: Color::Black, role: Role::Queen };
    let put = SimulatedMove::Put("d4".parse().unwrap(), queen);
    assert!(orders.iter().any(|order| matches!(order, DeskOrder::Move(what) if *what == put)), "{orders:?}");
    screens.click("Moves");
    assert!(screens.is_written("e4"));
}

#[test]
fn the_line_for_words_opens_by_its_button_and_closes_when_nobody_types() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    assert!(!screens.shows("Type a move or a word"), "{:?}", screens.labels());
    screens.click("Open the line for words");
    let resign = screens.middle_of("Resign …");
    screens.line("e4");
    assert_eq!(screens.middle_of("Resign …"), resign, "the row below the line stays");
    screens.key(Key::Escape);
    assert!(!screens.shows("Type a move or a word"), "{:?}", screens.labels());
    assert_eq!(screens.table().moves, ["e4"]);
}

/// With large words nobody could see the moves while he typed.
#[test]
fn with_large_words_the_moves_stay_while_somebody_types_and_so_do_the_ways_to_stop_and_to_take_back() {
    let large =
        Settings { text_percent: 200, names: vec!["Ann".to_owned(), "Bo".to_owned()], ..Settings::default() };
    let mut screens = Screens::with(WINDOW, &large);
    screens.click("Chess");
    screens.click("Begin the match");
    for line in ["press", "e4", "press", "e5", "press"] {
        screens.line(line);
    }
    screens.open_line();
    assert!(screens.is_written("e4") && screens.is_written("e5"), "{:?}", screens.labels());
    for way in ["Type a move or a word", "Take back …", "Stop the clocks"] {
        assert!(screens.shows(way), "{way}: {:?}", screens.labels());
    }
    let [left, right] = ["a1 white rook", "h1 white rook"].map(|corner| screens.middle_of(corner).x);
    assert!((right - left) * 8.0 / 7.0 < 0.45 * WINDOW[0], "the board leaves room for the words");
    assert_eq!(screens.faults(), Vec::<String>::new());
}

#[test]
fn words_grow_with_the_window_up_to_the_largest_screens() {
    let prompt = |size: [f32; 2]| {
        let mut screens = Screens::open(size);
        screens.click("Chess");
        screens.click("Begin the match");
        assert_eq!(screens.faults(), Vec::<String>::new(), "{size:?}");
        screens.digits("2:00")
    };
    let (usual, large) = (prompt(WINDOW), prompt([3840.0, 2160.0]));
    assert!(large > 2.4 * usual, "{usual} and {large}");
    let size = |screens: &Screens| {
        screens.harness.ctx.style_of(egui::Theme::Dark).text_styles[&egui::TextStyle::Body].size
    };
    let sizes = [WINDOW, [3840.0, 2160.0]].map(|window| size(&Screens::open(window)));
    assert!(sizes[1] > 1.95 * sizes[0], "{sizes:?}");
}
