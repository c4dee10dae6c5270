//! Pictures of the main screens, compared pixel by pixel (`cargo test --features snapshots`).

use egui::Key;
use egui_kittest::SnapshotResults;
use tabiya_app::desk::{CardWish, Wish};
use tabiya_app::store::settings::{Appearance, Settings};
use tabiya_text::Language;
use tabiya_types::{Card, Seat};
use tabiya_window::Page;

use crate::cards::with_a_deck;
use crate::harness::Screens;
use crate::stories::{at_chess, at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const SMALLEST: [f32; 2] = [1024.0, 640.0];

fn settings(look: Appearance, language: Language) -> Settings {
    Settings { look, language, names: vec!["Ann".to_owned(), "Bo".to_owned()], ..Settings::default() }
}

fn photograph(album: &mut SnapshotResults, screens: &mut Screens, name: &str) {
    screens.harness.remove_cursor();
    screens.harness.run();
    screens.harness.snapshot(name);
    album.extend(screens.harness.take_snapshot_results());
}

#[test]
fn the_table_in_three_looks_and_two_sizes() {
    let mut album = SnapshotResults::new();
    for (look, name) in
        [(Appearance::Dark, "dark"), (Appearance::Light, "light"), (Appearance::Contrast, "contrast")]
    {
        for (size, wide) in [(WINDOW, "1280"), (SMALLEST, "1024")] {
            let mut screens = at_chess(Screens::with(size, &settings(look, Language::English)));
            playing(&mut screens);
            photograph(&mut album, &mut screens, &format!("table-{name}-{wide}"));
        }
    }
}

#[test]
fn betting_and_placing() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    photograph(&mut album, &mut screens, "start");
    screens.click("Begin the match");
    screens.key(Key::D);
    photograph(&mut album, &mut screens, "betting");
    let mut screens = at_the_placement(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    photograph(&mut album, &mut screens, "reveal");
    screens.key(Key::P);
    photograph(&mut album, &mut screens, "placing");
    screens.click("a5");
    photograph(&mut album, &mut screens, "wrong-zone");
    screens.click("queen");
    screens.click("d1");
    photograph(&mut album, &mut screens, "promoted");
}

#[test]
fn large_words_in_the_smallest_window() {
    let mut album = SnapshotResults::new();
    for (percent, language) in [(150, Language::Spanish), (200, Language::German)] {
        let large = Settings { text_percent: percent, ..settings(Appearance::Dark, language) };
        let mut screens = Screens::with(SMALLEST, &large);
        photograph(&mut album, &mut screens, &format!("start-{percent}"));
        screens.begin_anyhow();
        photograph(&mut album, &mut screens, &format!("betting-{percent}"));
        screens.harness.state_mut().shell.page = Page::Learn;
        photograph(&mut album, &mut screens, &format!("learn-{percent}"));
    }
}

#[test]
fn every_language_where_words_are_long() {
    let mut album = SnapshotResults::new();
    for (language, name) in [(Language::English, "en"), (Language::Spanish, "es"), (Language::German, "de")] {
        let mut screens = Screens::with(SMALLEST, &settings(Appearance::Dark, language));
        photograph(&mut album, &mut screens, &format!("start-{name}-1024"));
        screens.begin_anyhow();
        photograph(&mut album, &mut screens, &format!("betting-{name}-1024"));
        screens.harness.state_mut().shell.page = Page::Settings;
        photograph(&mut album, &mut screens, &format!("settings-{name}-1024"));
    }
}

#[test]
fn the_other_screens() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    screens.key(Key::F4);
    photograph(&mut album, &mut screens, "arbiter");
    screens.key(Key::F4);
    for (page, name) in [
        (Page::Record, "record"),
        (Page::Devices, "devices"),
        (Page::Learn, "learn"),
        (Page::Settings, "settings"),
    ] {
        screens.harness.state_mut().shell.page = page;
        photograph(&mut album, &mut screens, name);
    }
    screens.harness.state_mut().shell.page = Page::Table;
    screens.key(Key::F8);
    photograph(&mut album, &mut screens, "face-1280");
    let mut screens = Screens::with([800.0, 480.0], &settings(Appearance::Dark, Language::English));
    screens.click("Clock only");
    screens.click("Begin the match");
    screens.key(Key::Q);
    screens.wait(95_000);
    photograph(&mut album, &mut screens, "face-800");
}

#[test]
fn a_game_that_is_over() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    screens.click("Resign …");
    screens.click("Black resigns");
    screens.click("Yes");
    photograph(&mut album, &mut screens, "result");
}

#[test]
fn decks_and_card_readers() {
    let mut album = SnapshotResults::new();
    for (size, language, name) in
        [(SMALLEST, Language::English, "1024"), ([800.0, 480.0], Language::German, "800")]
    {
        let chosen = Settings { deck: Some("Blue cards".to_owned()), ..settings(Appearance::Dark, language) };
        let mut screens = with_a_deck(size, &chosen);
        photograph(&mut album, &mut screens, &format!("start-deck-{name}"));
        screens.harness.state_mut().shell.page = Page::Decks;
        screens.harness.run();
        screens.click("Blue cards");
        photograph(&mut album, &mut screens, &format!("decks-{name}"));
        screens.cards_wish(CardWish::Enrol { name: "Club".to_owned(), adopt: true, asked: false });
        screens.plug_in("ACS ACR122U PICC Interface 00 00");
        for (chip, card) in (100..).zip([Card::Queen, Card::Pawn, Card::Rook]) {
            screens.tap("ACS ACR122U PICC Interface 00 00", chip);
            screens.cards_wish(CardWish::Face(card));
        }
        screens.tap("ACS ACR122U PICC Interface 00 00", 103);
        screens.tap("ACS ACR122U PICC Interface 00 00", 100);
        photograph(&mut album, &mut screens, &format!("decks-face-{name}"));
        screens.cards_wish(CardWish::Stop);
        screens.cards_wish(CardWish::Audit("Blue cards".to_owned()));
        screens.tap("ACS ACR122U PICC Interface 00 00", 100);
        (0..40).for_each(|chip| screens.tap("ACS ACR122U PICC Interface 00 00", chip));
        screens.cards_wish(CardWish::Finish);
        photograph(&mut album, &mut screens, &format!("decks-verdict-{name}"));
        screens.cards_wish(CardWish::Stop);
        screens.begin_with("Blue cards");
        screens.harness.state_mut().shell.page = Page::Devices;
        screens.plug_in("ACS ACR122U PICC Interface 00 00");
        screens.plug_in("ACS ACR122U PICC Interface 01 00");
        screens.cards_wish(CardWish::Give("ACS ACR122U PICC Interface 00 00".to_owned(), Some(Seat::A)));
        photograph(&mut album, &mut screens, &format!("devices-readers-{name}"));
        // Cards are dealt over the reader. When the match is over, each player is asked whether that player's cards may
        // be shown.
        screens.cards_wish(CardWish::Give("ACS ACR122U PICC Interface 00 00".to_owned(), None));
        screens.cards_wish(CardWish::ReadDeals);
        screens.harness.state_mut().shell.page = Page::Table;
        (0..4).for_each(|chip| screens.tap("ACS ACR122U PICC Interface 00 00", chip));
        for word in ["fold", "end", "yes", "consent white"] {
            screens.wish(Wish::Typed(if word == "end" { "end late".to_owned() } else { word.to_owned() }));
        }
        screens.wait(50);
        if size == SMALLEST {
            photograph(&mut album, &mut screens, "result-consents");
        }
    }
}
