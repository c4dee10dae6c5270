//! The words of every screen in every size and language: nothing is cut off, nothing stands over anything else, and
//! nothing is smaller than the least size.

use egui::Key;
use tabiya_text::Language;
use tabiya_window::Page;

use crate::harness::Screens;
use crate::pages::{resize, set, turn_to};
use crate::stories::{at_chess, at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const EVERY_SIZE: [[f32; 2]; 5] =
    [[800.0, 600.0], [1024.0, 640.0], WINDOW, [1920.0, 1080.0], [3840.0, 2160.0]];

/// The faults of a screen in every size and language at words of 100 %.
fn faults_everywhere(mut screens: Screens) -> Vec<String> {
    let mut faults = Vec::new();
    for language in [Language::English, Language::German, Language::Spanish] {
        set(&mut screens, |settings| settings.language = language);
        for size in EVERY_SIZE {
            resize(&mut screens, size);
            faults.extend(
                screens.faults().into_iter().map(|fault| format!("{language:?} at {size:?}: {fault}")),
            );
        }
    }
    faults
}

fn fits(screens: Screens) {
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}

fn page(page: Page) -> Screens {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, page);
    screens
}

#[test]
fn a_new_match_fits() {
    fits(Screens::open(WINDOW));
}

#[test]
fn a_new_match_of_every_game_fits() {
    for game in ["Chess", "Poker Chess", "PokerDrez", "Chess Joker", "Clock only"] {
        let mut screens = Screens::open(WINDOW);
        screens.click(game);
        fits(screens);
    }
}

#[test]
fn betting_fits() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    fits(screens);
}

#[test]
fn placing_fits() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    fits(screens);
    screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::P);
    fits(screens);
}

#[test]
fn chess_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    fits(screens);
}

#[test]
fn a_stopped_clock_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.ctrl(Key::P);
    fits(screens);
}

#[test]
fn taking_back_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.ctrl(Key::Z);
    fits(screens);
}

#[test]
fn the_arbiters_drawer_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.key(Key::F4);
    screens.wait(1_000);
    fits(screens);
}

#[test]
fn a_result_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.click("Resign …");
    screens.click("Bo resigns");
    screens.click("Bo resigns");
    fits(screens);
}

#[test]
fn the_clock_face_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    screens.key(Key::F8);
    fits(screens);
}

#[test]
fn the_record_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    turn_to(&mut screens, Page::Record);
    fits(screens);
}

#[test]
fn the_other_pages_fit() {
    for which in [Page::Devices, Page::Decks, Page::Learn, Page::Settings] {
        fits(page(which));
    }
}

#[test]
fn the_tables_of_the_other_games_fit() {
    for game in ["Chess", "Poker Chess", "PokerDrez", "Chess Joker"] {
        let mut screens = Screens::open(WINDOW);
        screens.click(game);
        screens.click("Begin the match");
        assert_eq!(faults_everywhere(screens), Vec::<String>::new(), "{game}");
    }
}

#[test]
fn digits_are_as_high_as_they_were_drawn() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    for (size, words, least) in [
        ([800.0, 600.0], 100, 50.0),
        ([1024.0, 640.0], 100, 56.0),
        (WINDOW, 100, 84.0),
        ([1920.0, 1080.0], 100, 144.0),
        (WINDOW, 200, 104.0),
    ] {
        set(&mut screens, |settings| settings.text_percent = words);
        resize(&mut screens, size);
        for clock in ["1:47", "1:51"] {
            let digits = screens.digits(clock);
            assert!(digits >= least, "{clock} at {size:?} and {words} %: {digits}, drawn {least}");
        }
    }
}
