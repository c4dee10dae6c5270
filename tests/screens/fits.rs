//! The words of the table in every size and language: nothing is cut off sideways and nothing stands over anything else.

use egui::Key;
use tabiya_text::Language;

use crate::harness::Screens;
use crate::pages::{resize, set};
use crate::stories::{at_chess, playing};

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

#[test]
fn betting_fits() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}

#[test]
fn chess_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}

#[test]
fn a_stopped_clock_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.ctrl(Key::P);
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}

#[test]
fn a_result_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.click("Resign …");
    screens.click("Black resigns");
    screens.click("Yes");
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}

#[test]
fn the_clock_face_fits() {
    let mut screens = at_chess(Screens::open(WINDOW));
    screens.key(Key::F8);
    assert_eq!(faults_everywhere(screens), Vec::<String>::new());
}
