//! What people found who used the window for the first time, as stories that must not happen again.

use egui::Key;

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

#[test]
fn a_game_of_five_minutes_is_one_click_away_in_every_window() {
    for size in [[800.0, 600.0], [1024.0, 640.0], WINDOW] {
        let mut screens = Screens::open(size);
        screens.click("Chess");
        screens.click("5 Blitz");
        screens.click("Begin the match");
        let five = Some(tabiya_types::Millis::from_secs(300));
        let table = screens.table();
        assert_eq!(table.clock.reading(tabiya_types::Color::White, tabiya_types::Instant::ZERO), five);
    }
}

/// A game of chess after White's first move and press.
fn at_chess() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    for line in ["e4", "press"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    screens
}

#[test]
fn clocks_that_stop_at_a_casual_table_were_stopped_by_no_arbiter() {
    let mut screens = at_chess();
    screens.ctrl(Key::P);
    assert!(screens.shows("  paused") && !screens.shows("by arbiter"), "{:?}", screens.labels());
    screens.ctrl(Key::P);
    assert!(screens.shows("  resumed") && !screens.shows("by arbiter"), "{:?}", screens.labels());
}

#[test]
fn only_a_connected_board_is_to_be_set_back() {
    let take_back = |screens: &mut Screens| {
        screens.ctrl(Key::Z);
        screens.key(Key::Enter);
        assert!(screens.table().moves.is_empty(), "{:?}", screens.labels());
    };
    let mut screens = at_chess();
    take_back(&mut screens);
    assert!(!screens.shows("set the board back"), "{:?}", screens.labels());
    let mut screens = at_chess();
    screens.board_shows(screens.table().physical);
    take_back(&mut screens);
    assert!(screens.shows("set the board back"), "{:?}", screens.labels());
}
