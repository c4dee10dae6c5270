//! Pictures of the main screens, compared pixel by pixel (`cargo test --features snapshots`).

use egui::Key;
use egui_kittest::SnapshotResults;
use tabiya_app::desk::{CardWish, Wish};
use tabiya_store::settings::{Appearance, FaceHalves, Settings};
use tabiya_text::Language;
use tabiya_types::{Card, Pack, Seat};
use tabiya_window::Page;

use crate::cards::with_a_deck;
use crate::harness::Screens;
use crate::stories::{at_chess, at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const SMALLEST: [f32; 2] = [1024.0, 640.0];

pub(crate) fn settings(look: Appearance, language: Language) -> Settings {
    Settings { look, language, names: vec!["Ann".to_owned(), "Bo".to_owned()], ..Settings::default() }
}

pub(crate) fn photograph(album: &mut SnapshotResults, screens: &mut Screens, name: &str) {
    screens.harness.remove_cursor();
    // A picture shows how everything ends, and the text cursor in every case.
    for still in [Some(true), None] {
        screens.harness.state_mut().shell.system_still = still;
        screens.harness.step();
    }
    screens.harness.ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = false);
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
fn the_panels_of_a_new_match() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Light, Language::English));
    screens.click("Chess");
    screens.click("Custom …");
    screens.fill("Time for each", "40/90, 30, +30");
    photograph(&mut album, &mut screens, "start-custom-time");
    screens.click("Use this time");
    screens.click("Choker");
    screens.click("More rules");
    photograph(&mut album, &mut screens, "start-rules");
    let mut screens = Screens::with(SMALLEST, &settings(Appearance::Dark, Language::German));
    screens.click("Eigene …");
    photograph(&mut album, &mut screens, "start-custom-time-de-1024");
}

#[test]
fn poker_chess_with_its_cards_and_hands() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    screens.click("Poker Chess");
    screens.rule("Players name their hands");
    screens.click("Begin the match");
    for uci in ["e2e4", "e7e5"] {
        screens.line(uci);
    }
    photograph(&mut album, &mut screens, "poker-chess-hand");
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    screens.click("Poker Chess");
    screens.click("Begin the match");
    for uci in ["e2e4", "e7e5", "d1e2", "a7a6", "e2a6", "b7a6", "g1f3", "g8f6", "press"] {
        screens.line(uci);
    }
    screens.click("show what moves do to hands …");
    for name in ["Ann", "Bo"] {
        screens.click(&format!("{name} agrees"));
    }
    photograph(&mut album, &mut screens, "poker-chess-learn");
}

#[test]
fn pokerdrez_with_its_row_its_hands_and_the_die() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    screens.click("PokerDrez");
    screens.click("Begin the match");
    photograph(&mut album, &mut screens, "pokerdrez-pawns");
    for line in ["remove c7", "deal P N B X R", "row P", "e4", "return J", "press white"] {
        screens.line(line);
    }
    photograph(&mut album, &mut screens, "pokerdrez-turn");
}

#[test]
fn chess_joker_with_its_cards_their_uses_and_the_form() {
    let mut album = SnapshotResults::new();
    let mut screens = crate::chess_joker::example(20);
    photograph(&mut album, &mut screens, "chess-joker-table");
    screens.click("Play the card VY");
    screens.click("c6 black knight");
    photograph(&mut album, &mut screens, "chess-joker-use");
    screens.click("d2 white pawn");
    screens.click("Play VY: c6–d2");
    screens.fill("Code", "ZB");
    screens.click("Write a card …");
    screens.fill("Elo", "75");
    screens.fill(
        "What it does, in the words of the card; a star before what is printed bold",
        "warp *rook to empty edge in its row",
    );
    photograph(&mut album, &mut screens, "chess-joker-form");
}

#[test]
fn the_other_games_in_a_small_window() {
    let mut album = SnapshotResults::new();
    let small = || Screens::with([800.0, 600.0], &settings(Appearance::Dark, Language::English));
    let mut screens = small();
    screens.click("Poker Chess");
    screens.click("Begin the match");
    for line in ["e4", "press", "e5", "press", "Qe2", "press", "a6", "press"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    photograph(&mut album, &mut screens, "poker-chess-800");
    let mut screens = small();
    screens.click("PokerDrez");
    screens.click("Begin the match");
    for line in ["remove c7", "deal P N B X R", "row P", "e4", "return J", "press white"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    photograph(&mut album, &mut screens, "pokerdrez-800");
    let mut screens = crate::chess_joker::example(20);
    crate::pages::resize(&mut screens, [800.0, 600.0]);
    screens.key(Key::Escape);
    photograph(&mut album, &mut screens, "chess-joker-800");
}

#[test]
fn a_pawn_that_becomes_another_piece() {
    let mut album = SnapshotResults::new();
    photograph(&mut album, &mut crate::sheet::at_a_promotion(), "promotion");
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
fn the_clocks_in_the_drawer() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    screens.key(Key::F4);
    screens.click("Clocks");
    photograph(&mut album, &mut screens, "arbiter-clocks");
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
        if page == Page::Learn {
            screens.click("PokerDrez");
            photograph(&mut album, &mut screens, "learn-pokerdrez");
            screens.click("Choker");
            screens.click("Play a first match, step by step");
            for _ in 0..10 {
                screens.click("Next step");
            }
            photograph(&mut album, &mut screens, "learn-lesson");
            screens.click("Leave the lesson");
        }
    }
    screens.harness.state_mut().shell.page = Page::Table;
    screens.key(Key::F8);
    photograph(&mut album, &mut screens, "face-1280");
    screens.key(Key::F8);
    screens.click("Menu");
    screens.click("Something is wrong …");
    photograph(&mut album, &mut screens, "report");
    let mut screens = Screens::with([800.0, 480.0], &settings(Appearance::Dark, Language::English));
    screens.click("Clock only");
    screens.click("Begin the match");
    screens.key(Key::Q);
    screens.wait(95_000);
    photograph(&mut album, &mut screens, "face-800");
    let beside = Settings { face: FaceHalves::Beside, ..settings(Appearance::Dark, Language::English) };
    let mut screens = Screens::with([1920.0, 1080.0], &beside);
    clock_alone(&mut screens, "40/5400+30:1800+30");
    photograph(&mut album, &mut screens, "face-beside-1920");
    let mut screens = Screens::with([1024.0, 640.0], &settings(Appearance::Dark, Language::English));
    clock_alone(&mut screens, "1 min, 5x30");
    screens.wait(75_000);
    photograph(&mut album, &mut screens, "face-periods-1024");
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    clock_alone(&mut screens, "300d5");
    photograph(&mut album, &mut screens, "face-delay-1280");
}

/// A clock without a game, with this time; White's has run for two seconds.
pub(crate) fn clock_alone(screens: &mut Screens, time: &str) {
    screens.click("Clock only");
    screens.set_time(time);
    screens.click("Begin the match");
    screens.key(Key::Q);
    screens.wait(2_000);
}

#[test]
fn the_gallery_shows_every_part_in_every_look() {
    let mut album = SnapshotResults::new();
    for (look, name) in
        [(Appearance::Dark, "dark"), (Appearance::Light, "light"), (Appearance::Contrast, "contrast")]
    {
        let gallery = tabiya_window::Gallery::new(look);
        let draw = |ui: &mut egui::Ui, gallery: &mut tabiya_window::Gallery| gallery.ui(ui);
        let mut harness = egui_kittest::Harness::builder().with_size(WINDOW).build_ui_state(draw, gallery);
        harness.run();
        harness.snapshot(format!("gallery-{name}"));
        album.extend(harness.take_snapshot_results());
    }
}

/// A game of chess on a board, in which a knight and a pawn have slipped.
fn slipped(size: [f32; 2]) -> Screens {
    let mut screens = Screens::with(size, &settings(Appearance::Dark, Language::English));
    screens.click("Chess");
    screens.click("Begin the match");
    let board = |text: &str| text.parse().unwrap();
    screens.board_shows(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    screens.board_shows(board("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R"));
    screens.wait(3_000);
    screens
}

#[test]
fn a_board_that_differs() {
    let mut album = SnapshotResults::new();
    for (size, name) in [(WINDOW, "1280"), ([800.0, 600.0], "800")] {
        photograph(&mut album, &mut slipped(size), &format!("differs-{name}"));
    }
}

#[test]
fn every_size_of_the_table() {
    let mut album = SnapshotResults::new();
    for (size, name) in [([800.0, 600.0], "800"), ([1920.0, 1080.0], "1920")] {
        let mut screens = Screens::with(size, &settings(Appearance::Dark, Language::English));
        screens.begin_anyhow();
        photograph(&mut album, &mut screens, &format!("betting-{name}"));
        let mut screens = at_chess(Screens::with(size, &settings(Appearance::Dark, Language::English)));
        playing(&mut screens);
        photograph(&mut album, &mut screens, &format!("table-dark-{name}"));
    }
}

#[test]
fn between_a_move_and_its_press_and_stopped_and_taking_back() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    screens.line("b8c6");
    screens.key(Key::Escape);
    photograph(&mut album, &mut screens, "not-pressed");
    screens.ctrl(Key::Z);
    photograph(&mut album, &mut screens, "take-back");
    screens.key(Key::Escape);
    screens.ctrl(Key::P);
    screens.click("Phone");
    photograph(&mut album, &mut screens, "stopped");
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    screens.begin_anyhow();
    screens.key(Key::F);
    photograph(&mut album, &mut screens, "fold-armed");
    let large = Settings { text_percent: 200, ..settings(Appearance::Dark, Language::English) };
    let mut screens = at_chess(Screens::with(WINDOW, &large));
    playing(&mut screens);
    photograph(&mut album, &mut screens, "table-200");
    let mut screens =
        at_chess(Screens::with([3840.0, 2160.0], &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    photograph(&mut album, &mut screens, "table-3840");
}

#[test]
fn a_game_that_is_over() {
    let mut album = SnapshotResults::new();
    let mut screens = at_chess(Screens::with(WINDOW, &settings(Appearance::Dark, Language::English)));
    playing(&mut screens);
    screens.click("Resign …");
    screens.click("Bo resigns");
    screens.click("Bo resigns");
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
        screens.cards_wish(CardWish::Enrol {
            pack: Pack::Choker,
            name: "Club".to_owned(),
            adopt: true,
            asked: false,
        });
        screens.plug_in("ACS ACR122U PICC Interface 00 00");
        for (chip, card) in (100..).zip([Card::Queen, Card::Pawn, Card::Rook]) {
            screens.tap("ACS ACR122U PICC Interface 00 00", chip);
            screens.cards_wish(CardWish::Face(card.into()));
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

#[test]
fn an_illegal_move_in_the_drawer() {
    let mut album = SnapshotResults::new();
    let mut screens = Screens::with(WINDOW, &settings(Appearance::Dark, Language::English));
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.line("press");
    screens.line("e2e5");
    screens.key(Key::Escape);
    screens.key(Key::F4);
    photograph(&mut album, &mut screens, "arbiter-illegal");
}
