//! What people found who used the window for the first time, as stories that must not happen again.

use egui::Key;
use tabiya_window::Page;

use crate::clock::at_the_clock;
use crate::harness::Screens;
use crate::pages::turn_to;

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

#[test]
fn leaving_a_match_says_what_becomes_of_it_and_who_owes_whom() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("fold");
    screens.key(Key::Escape);
    screens.click("Menu");
    assert!(screens.shows("so far Ann owes Bo 1 in chips"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    screens.ctrl(Key::N);
    screens.key(Key::D);
    screens.line("quit");
    assert!(screens.shows("leave the match? It can be carried on later"), "{:?}", screens.labels());
    assert!(screens.shows("chips in the pot stay with those who put them in"), "{:?}", screens.labels());
    assert!(screens.shows("so far Ann owes Bo 1 in chips"), "{:?}", screens.labels());
}

#[test]
fn a_clock_without_a_game_is_no_match_and_has_no_next_game() {
    let mut screens = at_the_clock();
    screens.key(Key::Space);
    screens.click("Another clock");
    assert!(screens.shows("the clocks are in use; leave them?"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    screens.wait(60 * 60 * 1000);
    let told = screens.table().prompts.first().map(|prompt| prompt.text.to_string());
    assert!(
        told.as_deref().is_some_and(|told| told.ends_with("set both clocks anew with `next`")),
        "{told:?}"
    );
}

#[test]
fn one_step_in_the_record_leads_to_what_can_be_seen() {
    let mut screens = at_chess();
    screens.ctrl(Key::P);
    screens.ctrl(Key::P);
    screens.line("e5");
    screens.key(Key::Escape);
    turn_to(&mut screens, Page::Record);
    screens.click("1. e4");
    screens.key(Key::ArrowRight);
    assert!(screens.shows("e5 black pawn"), "the stopped clocks are no step: {:?}", screens.labels());
    screens.key(Key::ArrowLeft);
    assert!(screens.shows("e7 black pawn") && screens.shows("e4 white pawn"), "{:?}", screens.labels());
}

#[test]
fn the_pots_of_the_record_have_no_chips_that_were_taken_back() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    for line in ["raise 40", "undo", "call"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    turn_to(&mut screens, Page::Record);
    assert!(screens.shows("Pot after the 1st bets: 4"), "{:?}", screens.labels());
}
