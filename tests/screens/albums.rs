//! Pictures of rarer states, and of each screen at the other sizes, looks and languages.

use egui::Key;
use egui_kittest::SnapshotResults;
use tabiya_store::settings::{Appearance, Settings};
use tabiya_text::Language;
use tabiya_types::Squares;
use tabiya_window::Page;

use crate::harness::Screens;
use crate::pages::set;
use crate::pictures::{clock_alone, photograph, settings};
use crate::stories::{at_chess, at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const LOW: [f32; 2] = [1024.0, 640.0];
const SMALL: [f32; 2] = [800.0, 600.0];
const LARGE: [f32; 2] = [1920.0, 1080.0];

/// A size, a look, a language and large words, of which three are usual.
struct Other {
    size: [f32; 2],
    look: Appearance,
    language: Language,
    percent: u16,
    name: &'static str,
}

const fn other(
    size: [f32; 2],
    look: Appearance,
    language: Language,
    percent: u16,
    name: &'static str,
) -> Other {
    Other { size, look, language, percent, name }
}

/// The other sizes, looks and languages of a screen, and large words.
const OTHERS: [Other; 8] = [
    other(SMALL, Appearance::Dark, Language::English, 100, "800"),
    other(LOW, Appearance::Dark, Language::English, 100, "1024"),
    other(LARGE, Appearance::Dark, Language::English, 100, "1920"),
    other(WINDOW, Appearance::Light, Language::English, 100, "light"),
    other(WINDOW, Appearance::Contrast, Language::English, 100, "contrast"),
    other(WINDOW, Appearance::Dark, Language::German, 100, "de"),
    other(WINDOW, Appearance::Dark, Language::Spanish, 100, "es"),
    other(WINDOW, Appearance::Dark, Language::English, 200, "words-200"),
];

impl Other {
    /// Photographs a screen in this way.
    fn photograph(&self, album: &mut SnapshotResults, screens: &mut Screens, name: &str) {
        let (language, percent) = (self.language, self.percent);
        set(screens, |settings| (settings.language, settings.text_percent) = (language, percent));
        photograph(album, screens, name);
        set(screens, |settings| (settings.language, settings.text_percent) = (Language::English, 100));
    }
}

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
fn placing_in_the_other_sizes_looks_and_languages() {
    let mut album = SnapshotResults::new();
    for other in OTHERS {
        let mut screens =
            at_the_placement(Screens::with(other.size, &settings(other.look, Language::English)));
        screens.key(Key::P);
        other.photograph(&mut album, &mut screens, &format!("placing-{}", other.name));
    }
}

#[test]
fn the_drawer_the_result_and_the_face_in_the_other_sizes_looks_and_languages() {
    let mut album = SnapshotResults::new();
    for other in OTHERS {
        let name = other.name;
        let mut screens = at_chess(Screens::with(other.size, &settings(other.look, Language::English)));
        playing(&mut screens);
        screens.key(Key::F4);
        other.photograph(&mut album, &mut screens, &format!("arbiter-{name}"));
        screens.key(Key::F4);
        screens.key(Key::F8);
        other.photograph(&mut album, &mut screens, &format!("face-{name}-match"));
        screens.key(Key::F8);
        screens.line("black resigns");
        screens.line("yes");
        screens.key(Key::Escape);
        other.photograph(&mut album, &mut screens, &format!("result-{name}"));
    }
}

#[test]
fn pages_in_the_other_sizes_looks_and_languages() {
    const PAGES: [(Page, &str, &[&str]); 5] = [
        (Page::Record, "record", &["light", "contrast", "es", "words-200"]),
        (Page::Devices, "devices", &["light", "contrast", "es", "words-200"]),
        (Page::Decks, "decks", &["1920", "light", "contrast", "de", "es", "words-200"]),
        (Page::Learn, "learn", &["800", "1024", "1920", "light", "contrast", "de", "es", "words-200"]),
        (Page::Settings, "settings", &["800", "1920", "light", "contrast", "words-200"]),
    ];
    let mut album = SnapshotResults::new();
    for other in OTHERS {
        let mut screens = at_chess(Screens::with(other.size, &settings(other.look, Language::English)));
        playing(&mut screens);
        // The others of a page are in the albums of the page.
        for (page, word, _) in PAGES.into_iter().filter(|(.., names)| names.contains(&other.name)) {
            screens.harness.state_mut().shell.page = page;
            other.photograph(&mut album, &mut screens, &format!("{word}-{}", other.name));
        }
    }
}

#[test]
fn what_waits_and_what_is_asked() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &usual());
    screens.click("Chess");
    screens.click("Begin the match");
    screens.line("e4");
    screens.line("press");
    screens.wish(tabiya_app::desk::Wish::Leave);
    screens.wish(tabiya_app::desk::Wish::Yes);
    screens.harness.run();
    photograph(&mut album, &mut screens, "start-carry-on");
    let mut screens = Screens::with(WINDOW, &usual());
    screens.click("Watch a game");
    screens.wait(1_000);
    photograph(&mut album, &mut screens, "demonstration");
    let mut screens = Screens::with(WINDOW, &usual());
    screens.begin_anyhow();
    screens.line("call 1");
    screens.line("end bad light");
    photograph(&mut album, &mut screens, "asked");
    let mut screens = Screens::with(WINDOW, &usual());
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
    screens.board_shows("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R".parse().unwrap());
    screens.wait(3_000);
    screens.board_shows("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
    photograph(&mut album, &mut screens, "differs-done");
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
