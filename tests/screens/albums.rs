//! Pictures of rarer states, and of each screen at the other sizes, looks and languages.

use egui::Key;
use egui_kittest::SnapshotResults;
use tabiya_app::store::settings::{Appearance, Settings};
use tabiya_text::Language;
use tabiya_types::Squares;
use tabiya_window::Page;

use crate::harness::Screens;
use crate::pictures::{clock_alone, photograph, settings};
use crate::stories::{at_chess, at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const LOW: [f32; 2] = [1024.0, 640.0];
const SMALL: [f32; 2] = [800.0, 600.0];
const LARGE: [f32; 2] = [1920.0, 1080.0];

/// The other sizes and looks of the table.
const OTHERS: [([f32; 2], Appearance, &str); 5] = [
    (SMALL, Appearance::Dark, "800"),
    (LOW, Appearance::Dark, "1024"),
    (LARGE, Appearance::Dark, "1920"),
    (WINDOW, Appearance::Light, "light"),
    (WINDOW, Appearance::Contrast, "contrast"),
];

fn usual() -> Settings {
    settings(Appearance::Dark, Language::English)
}

#[test]
fn a_new_match_in_the_other_sizes_looks_and_languages() {
    let mut album = SnapshotResults::new();
    for (size, look, language, name) in [
        (SMALL, Appearance::Dark, Language::English, "800"),
        (LARGE, Appearance::Dark, Language::English, "1920"),
        (WINDOW, Appearance::Light, Language::English, "light"),
        (WINDOW, Appearance::Contrast, Language::English, "contrast"),
        (WINDOW, Appearance::Dark, Language::German, "de-1280"),
    ] {
        let mut screens = Screens::with(size, &settings(look, language));
        photograph(&mut album, &mut screens, &format!("start-{name}"));
    }
}

#[test]
fn placing_in_the_other_sizes_and_looks() {
    let mut album = SnapshotResults::new();
    for (size, look, name) in OTHERS {
        let mut screens = at_the_placement(Screens::with(size, &settings(look, Language::English)));
        screens.key(Key::P);
        photograph(&mut album, &mut screens, &format!("placing-{name}"));
    }
}

#[test]
fn the_drawer_the_result_and_the_face_in_the_other_sizes_and_looks() {
    let mut album = SnapshotResults::new();
    for (size, look, name) in OTHERS {
        let mut screens = at_chess(Screens::with(size, &settings(look, Language::English)));
        playing(&mut screens);
        screens.key(Key::F4);
        photograph(&mut album, &mut screens, &format!("arbiter-{name}"));
        screens.key(Key::F4);
        screens.key(Key::F8);
        photograph(&mut album, &mut screens, &format!("face-{name}-match"));
        screens.key(Key::F8);
        screens.line("black resigns");
        screens.line("yes");
        screens.key(Key::Escape);
        photograph(&mut album, &mut screens, &format!("result-{name}"));
    }
}

#[test]
fn pages_in_the_other_looks_and_with_large_words() {
    let mut album = SnapshotResults::new();
    for (look, percent, name) in [
        (Appearance::Light, 100, "light"),
        (Appearance::Contrast, 100, "contrast"),
        (Appearance::Dark, 200, "words-200"),
    ] {
        let settings = Settings { text_percent: percent, ..settings(look, Language::English) };
        let mut screens = at_chess(Screens::with(WINDOW, &settings));
        playing(&mut screens);
        for (page, word) in [
            (Page::Record, "record"),
            (Page::Devices, "devices"),
            (Page::Decks, "decks"),
            (Page::Learn, "learn"),
            (Page::Settings, "settings"),
        ] {
            screens.harness.state_mut().shell.page = page;
            photograph(&mut album, &mut screens, &format!("{word}-{name}"));
        }
    }
}

#[test]
fn rarer_states_of_the_table() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &usual()));
    playing(&mut screens);
    screens.click("Menu");
    photograph(&mut album, &mut screens, "menu");
    screens.key(Key::Escape);
    screens.click("No board");
    photograph(&mut album, &mut screens, "board-menu");
    screens.key(Key::Escape);
    let view = tabiya_app::snapshot::SimulatedView {
        board: screens.table().physical,
        lit: Squares::default(),
        lever: true,
    };
    screens.harness.state_mut().desk.simulated(view);
    screens.harness.run();
    photograph(&mut album, &mut screens, "simulated");
    let mut screens = Screens::with(WINDOW, &usual());
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows(screens.table().physical);
    screens.line("press");
    screens.board_shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap());
    photograph(&mut album, &mut screens, "seen");
    screens.line("press");
    screens.line("e5");
    screens.key(Key::Escape);
    screens.ctrl(Key::D);
    screens.key(Key::Y);
    photograph(&mut album, &mut screens, "draw-offer");
    screens.click("Ann accepts the draw");
    photograph(&mut album, &mut screens, "result-chess");
}

#[test]
fn the_last_seconds_and_a_fallen_flag() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &usual());
    clock_alone(&mut screens, "20 s");
    screens.key(Key::Space);
    screens.wait(11_600);
    photograph(&mut album, &mut screens, "face-last-seconds");
    screens.wait(9_000);
    photograph(&mut album, &mut screens, "face-fallen");
}
