//! The pages beside the table: the record, the devices, the settings, and the spectators' window. Each is looked at in
//! every size, in German and with large words: everything can be read, and nothing stands over anything else.

use egui::{Key, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use tabiya_app::desk::{BoardWish, DeskOrder, ReportRequest, Wish};
use tabiya_app::snapshot::{FoundBoard, FoundLink};
use tabiya_boards::BoardEvent;
use tabiya_boards::link::LinkError;
use tabiya_store::settings::Settings;
use tabiya_text::Language;
use tabiya_types::{Board, Color, Observation, Piece, Role, Square};
use tabiya_window::{Page, Shell};
use tempfile::TempDir;

use crate::harness::{Behind, Screens, faults_in};
use crate::stories::{at_chess, place};

const WINDOW: [f32; 2] = [1280.0, 800.0];
/// The sizes that every page must fit into.
const SIZES: [[f32; 2]; 4] = [[800.0, 600.0], [1024.0, 640.0], WINDOW, [1920.0, 1080.0]];

/// Changes the settings as the page does.
pub(crate) fn set(screens: &mut Screens, change: impl FnOnce(&mut Settings)) {
    let before = screens.settings();
    let mut after = before.clone();
    change(&mut after);
    screens.wish(Wish::Change(Box::new(before), Box::new(after)));
    screens.wait(50);
}

/// Shows a page.
pub(crate) fn turn_to(screens: &mut Screens, page: Page) {
    screens.harness.state_mut().shell.page = page;
    screens.harness.run();
}

/// Makes the window this large.
pub(crate) fn resize(screens: &mut Screens, size: [f32; 2]) {
    screens.harness.set_size(Vec2::from(size));
    screens.harness.run();
}

/// A match of three games of Choker: two were folded, the third is at chess.
pub(crate) fn an_evening(size: [f32; 2]) -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    for line in [
        "deal",
        "raise to 8",
        "call",
        "deal",
        "bet 20",
        "yes",
        "fold",
        "next",
        "deal",
        "call",
        "fold",
        "yes",
        "next",
    ] {
        screens.wait(1_000);
        screens.wish(Wish::Typed(line.to_owned()));
    }
    screens.wait(50);
    assert_eq!(screens.table().number, 3, "{:?}", screens.labels());
    let mut screens = at_chess_again(screens);
    for (nth, uci) in ["d2d4", "d7d5", "g1f3", "g8f6", "e2e3", "b8c6", "f1d3"].into_iter().enumerate() {
        screens.wait(4_000 + 3_000 * (nth as u64 % 3));
        screens.wish(Wish::Typed(uci.to_owned()));
        screens.wish(Wish::Press(None));
    }
    resize(&mut screens, size);
    screens
}

/// Plays the game that is running up to its chess.
fn at_chess_again(mut screens: Screens) -> Screens {
    for line in ["deal", "call", "check", "deal", "check", "check", "deal", "check", "check"] {
        screens.wish(Wish::Typed(line.to_owned()));
    }
    let cards = [
        (Key::R, "h1", "a8"),
        (Key::N, "g1", "g8"),
        (Key::B, "f1", "f8"),
        (Key::N, "b1", "b8"),
        (Key::P, "d2", "d7"),
    ];
    for (card, white, black) in cards {
        for square in [white, black] {
            screens.wait(2_000);
            place(&mut screens, card, square);
        }
    }
    screens
}

/// Looks at a page in every size, in German and with words twice as large.
pub(crate) fn looked_at_everywhere(screens: &mut Screens, page: Page) {
    turn_to(screens, page);
    for language in [Language::English, Language::German, Language::Spanish] {
        set(screens, |settings| settings.language = language);
        for size in SIZES {
            resize(screens, size);
            assert_eq!(screens.faults(), Vec::<String>::new(), "{page:?} in {language:?} at {size:?}");
        }
    }
    set(screens, |settings| (settings.language, settings.text_percent) = (Language::English, 200));
    for size in SIZES {
        resize(screens, size);
        let over: Vec<String> =
            screens.faults().into_iter().filter(|fault| fault.starts_with("over each other")).collect();
        assert_eq!(over, Vec::<String>::new(), "{page:?} with large words at {size:?}");
    }
}

#[test]
fn the_record_fits_into_every_window() {
    let mut screens = an_evening(WINDOW);
    looked_at_everywhere(&mut screens, Page::Record);
    // An earlier moment has more buttons.
    set(&mut screens, |settings| settings.text_percent = 100);
    screens.click("2. Nf3");
    looked_at_everywhere(&mut screens, Page::Record);
}

#[test]
fn the_evening_fits_into_every_window_and_says_what_is_next() {
    let mut screens = Screens::open(WINDOW);
    looked_at_everywhere(&mut screens, Page::Record);
    set(&mut screens, |settings| settings.text_percent = 100);
    screens.click_last("Play");
    assert_eq!(screens.harness.state().shell.page, Page::Table);
    let mut screens = an_evening(WINDOW);
    turn_to(&mut screens, Page::Record);
    screens.click("This evening");
    looked_at_everywhere(&mut screens, Page::Record);
    assert!(screens.shows("Chips over the evening: Ann −10, Bo +10"), "{:?}", screens.labels());
    assert!(screens.shows("Ann, Won 0, Drawn 0, Lost 2, Chips −10"), "{:?}", screens.labels());
}

#[test]
fn a_record_is_walked_through_by_keys_clicks_and_games() {
    let mut screens = an_evening(WINDOW);
    turn_to(&mut screens, Page::Record);
    assert!(screens.shows("Game 3: chess"), "{:?}", screens.labels());
    screens.key(Key::ArrowLeft);
    assert!(screens.shows("Back to now"), "{:?}", screens.labels());
    screens.click("2. Nf3");
    assert!(screens.shows("f3 white knight") && screens.shows("g8 black knight"));
    screens.key(Key::ArrowRight);
    assert!(screens.shows("f6 black knight"), "{:?}", screens.labels());
    screens.key(Key::Home);
    assert!(screens.shows("Game 3: deal"), "{:?}", screens.labels());
    let first = screens.labels().into_iter().find(|label| label.starts_with("Game 1: ")).unwrap();
    assert!(first.starts_with("Game 1: +"), "{first}");
    screens.click(&first);
    assert!(screens.shows("Pot after the 2nd bets: "), "{:?}", screens.labels());
    screens.key(Key::End);
    assert!(screens.shows("Game 1: over"), "{:?}", screens.labels());
    screens.click("Back to now");
    assert!(screens.shows("Game 3: chess") && !screens.shows("Back to now"));
}

#[test]
fn an_export_says_where_the_file_went_and_shows_its_folder() {
    let mut screens = an_evening(WINDOW);
    turn_to(&mut screens, Page::Record);
    screens.click("Export");
    assert_eq!(screens.value("File"), "2026-10-03 Ann-Bo");
    screens.click("Write PGN");
    let path = screens.folder.path().join("2026-10-03 Ann-Bo.pgn");
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. d4"));
    assert!(screens.shows(&format!("written: {}", path.display())), "{:?}", screens.labels());
    screens.harness.state_mut().desk.take_orders();
    screens.click_last("Open folder");
    let orders = screens.harness.state_mut().desk.take_orders();
    assert_eq!(orders, [DeskOrder::OpenFolder(path)]);
    screens.click("Print the match sheet");
    let orders = screens.harness.state_mut().desk.take_orders();
    let printed = |order: &DeskOrder| matches!(order, DeskOrder::Print(text) if text.contains("Ann"));
    assert!(orders.iter().any(printed), "{orders:?}");
}

#[test]
fn something_is_wrong_tells_what_is_in_the_report_before_it_is_written() {
    let mut screens = at_chess(Screens::open(WINDOW));
    screens.click("Menu");
    screens.click("Something is wrong …");
    for told in [
        "the record of the match, with A and B for the names and … for each reason",
        "codes, keys, and cards that were not turned over",
        "Nothing is sent. Read the file if you like, and give it to whom you like.",
    ] {
        assert!(screens.shows(told), "{told}: {:?}", screens.labels());
    }
    screens.harness.state_mut().desk.take_orders();
    screens.click("Write the file …");
    let orders = screens.harness.state_mut().desk.take_orders();
    let request = ReportRequest { path: "tabiya-report.jsonl".into(), typed: false };
    assert_eq!(orders, [DeskOrder::Report(request)]);
    for size in SIZES {
        resize(&mut screens, size);
        assert_eq!(faults_in(&screens.harness), Vec::<String>::new(), "{size:?}");
    }
    resize(&mut screens, WINDOW);
    screens.key(Key::Escape);
    assert!(!screens.shows("Write the file …"), "{:?}", screens.labels());
}

#[test]
fn the_records_of_the_last_evenings_can_be_opened() {
    let mut screens = at_chess(Screens::open(WINDOW));
    for line in ["quit", "yes"] {
        screens.wish(Wish::Typed(line.to_owned()));
    }
    turn_to(&mut screens, Page::Record);
    // Older matches stand behind one button, not beside the evening too.
    assert!(!screens.labels().iter().any(|label| label.starts_with("Open: ")), "{:?}", screens.labels());
    screens.click("Records");
    let kept = screens.labels().into_iter().find(|label| label.starts_with("Open: Ann – Bo")).unwrap();
    screens.click(&kept);
    assert!(screens.shows("Game 1: chess") && screens.shows("Close this match"), "{:?}", screens.labels());
}

/// A board that is tested: all squares but three were felt, and c6 changes by itself.
fn a_tested_board(size: [f32; 2]) -> Screens {
    let mut screens = Screens::open(size);
    turn_to(&mut screens, Page::Devices);
    let empty: Board = "4k3/4p3/8/8/8/8/4P3/4K3".parse().unwrap();
    screens.board_shows(empty);
    let battery = BoardEvent::Battery { percent: 84, charging: false, low: false };
    told(&mut screens, &battery);
    screens.click("Begin the test");
    let piece = Some(Piece { color: Color::White, role: Role::Knight });
    for square in Square::all().filter(|square| empty[*square].is_none()).skip(3) {
        let times = if square.to_string() == "c6" { 5 } else { 1 };
        for _ in 0..times {
            told(&mut screens, &BoardEvent::Observed(Observation::Square(square, piece)));
            told(&mut screens, &BoardEvent::Observed(Observation::Square(square, None)));
        }
    }
    screens.harness.run();
    screens
}

fn told(screens: &mut Screens, event: &BoardEvent) {
    let state = screens.harness.state_mut();
    state.desk.board(event, state.now);
}

#[test]
fn the_devices_fit_into_every_window() {
    let mut screens = a_tested_board(WINDOW);
    looked_at_everywhere(&mut screens, Page::Devices);
    let mut screens = Screens::open(WINDOW);
    looked_at_everywhere(&mut screens, Page::Devices);
}

#[test]
fn a_sensor_test_says_what_is_left_and_which_square_is_restless() {
    let screens = a_tested_board(WINDOW);
    assert!(screens.shows("57 of 64 felt"), "{:?}", screens.labels());
    assert!(screens.shows("c6 has changed 10 times"), "{:?}", screens.labels());
    assert!(screens.shows("DGT: connected, 84 %"), "{:?}", screens.labels());
}

#[test]
fn a_board_that_does_not_answer_is_told_in_words_for_people() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Devices);
    let state = screens.harness.state_mut();
    state.desk.wish(Wish::Board(BoardWish::Connect("dgt:/dev/ttyACM7".to_owned())), state.now);
    told(&mut screens, &BoardEvent::Lost(LinkError::Missing { port: "/dev/ttyACM7".to_owned() }));
    screens.harness.run();
    assert!(screens.shows("Board not found") && !screens.shows("Board lost"), "{:?}", screens.labels());
    let terminal = ["/dev", "`", "os error", "dgt:", "ttyACM"];
    let found: Vec<String> = screens
        .labels()
        .into_iter()
        .filter(|label| terminal.iter().any(|word| label.contains(word)))
        .collect();
    assert_eq!(found, Vec::<String>::new());
    screens.scroll_to("For experts");
    screens.click("For experts");
    assert!(screens.shows("dgt:/dev/ttyACM7") && screens.shows("`tabiya devices list`"), "experts see all");
}

#[test]
fn a_search_says_that_it_goes_on() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Devices);
    assert!(screens.shows("press “Find boards”"));
    screens.click("Find boards");
    assert!(screens.shows("looking …"), "{:?}", screens.labels());
}

/// Boards that a search has found: one by cable, two over Bluetooth.
fn found_boards(screens: &mut Screens) {
    let found = |address: &str, name: &str, link: FoundLink, sure: bool| FoundBoard {
        address: address.to_owned(),
        name: name.to_owned(),
        link,
        sure,
    };
    let boards = vec![
        found("chessnut:ble:C0", "Chessnut Air+ (Chessnut)", FoundLink::Bluetooth(Some(-58)), true),
        found(
            "millennium:ble:C1",
            "Millennium ChessLink (Millennium)",
            FoundLink::Bluetooth(Some(-90)),
            true,
        ),
        found("dgt:/dev/ttyUSB3", "DGT", FoundLink::Cable, false),
    ];
    let state = screens.harness.state_mut();
    let now = state.now;
    state.desk.found(boards, Some(now));
    screens.harness.run();
}

#[test]
fn boards_that_were_found_have_cards_and_the_best_one_connects_by_the_gold_button() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Devices);
    found_boards(&mut screens);
    assert!(screens.shows("Chessnut Air+ (Chessnut): Bluetooth, good"), "{:?}", screens.labels());
    assert!(screens.shows("weak: bring it nearer") && screens.shows("This device may be such a board."));
    assert!(screens.shows("looked 0 s ago") && !screens.shows("ttyUSB3"), "{:?}", screens.labels());
    assert_eq!(screens.faults(), Vec::<String>::new());
    screens.click("Connect: Chessnut Air+ (Chessnut)");
    let orders = screens.harness.state_mut().desk.take_orders();
    assert!(matches!(orders[..], [DeskOrder::Connect(_)]), "{orders:?}");
    let state = screens.harness.state_mut();
    let now = state.now;
    state.desk.found(Vec::new(), Some(now));
    state.desk.wish(Wish::Board(BoardWish::Disconnect), now);
    screens.harness.run();
    assert!(
        screens.shows("Nothing was found, neither at a USB port nor over Bluetooth"),
        "{:?}",
        screens.labels()
    );
}

#[test]
fn the_settings_fit_into_every_window() {
    looked_at_everywhere(&mut Screens::open(WINDOW), Page::Settings);
}

#[test]
fn keys_have_the_names_that_stand_on_keyboards_of_the_language() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Settings);
    assert!(screens.shows("Press the clock: Space") && screens.shows("Offer a draw: Ctrl+D"));
    screens.click("Deutsch");
    assert!(screens.shows("Leertaste") && screens.shows("Strg+D"), "{:?}", screens.labels());
    assert!(!screens.shows("Ctrl+") && !screens.shows("Space") && !screens.shows("Escape"));
    screens.click("Español");
    assert!(!screens.shows("Space") && screens.shows("Se descubre una dama: D"), "{:?}", screens.labels());
}

/// The spectators' window of these screens, which stay open as long as the folder exists.
fn spectators(screens: Screens, size: [f32; 2]) -> (egui_kittest::Harness<'static, Behind>, TempDir) {
    let Screens { harness, folder, .. } = screens;
    let draw = |ui: &mut egui::Ui, behind: &mut Behind| {
        let snapshot = behind.desk.snapshot(behind.now);
        behind.shell.spectators(ui, &snapshot, behind.now);
    };
    // A window of its own has fonts of its own.
    let behind = Behind { shell: Shell::default(), ..harness.into_state() };
    let mut harness = egui_kittest::Harness::builder().with_size(size).build_ui_state(draw, behind);
    harness.run();
    (harness, folder)
}

#[test]
fn the_spectators_see_who_thinks_and_have_nothing_to_press() {
    for language in [Language::German, Language::Spanish] {
        let mut screens = an_evening(WINDOW);
        set(&mut screens, |settings| settings.language = language);
        let (mut harness, _folder) = spectators(screens, WINDOW);
        for size in SIZES {
            harness.set_size(Vec2::from(size));
            harness.run();
            assert_eq!(faults_in(&harness), Vec::<String>::new(), "{language:?} at {size:?}");
        }
    }
    let mut screens = an_evening(WINDOW);
    screens.wait(48_000);
    let (mut harness, _folder) = spectators(screens, WINDOW);
    for size in SIZES.into_iter().chain([[3840.0, 2160.0]]) {
        harness.set_size(Vec2::from(size));
        harness.run();
        assert_eq!(faults_in(&harness), Vec::<String>::new(), "{size:?}");
    }
    assert!(harness.query_by_label_contains("Bd3, Bo thinks, 0:48 so far").is_some());
    let pressable =
        |node: &egui_kittest::Node<'_>| node.accesskit_node().role() == egui::accesskit::Role::Button;
    assert_eq!(harness.query_all_by_label_contains("").filter(pressable).count(), 0);
}

#[cfg(feature = "snapshots")]
mod pictures {
    use egui_kittest::SnapshotResults;
    use tabiya_store::settings::Appearance;

    use super::*;
    use crate::pictures::photograph;

    #[test]
    fn the_record_in_every_size() {
        let mut album = SnapshotResults::new();
        let mut screens = an_evening(WINDOW);
        turn_to(&mut screens, Page::Record);
        screens.click("2. Nf3");
        for (size, name) in SIZES.into_iter().zip(["800", "1024", "1280", "1920"]) {
            resize(&mut screens, size);
            photograph(&mut album, &mut screens, &format!("record-{name}"));
        }
        resize(&mut screens, WINDOW);
        screens.click("Export");
        photograph(&mut album, &mut screens, "record-export");
        screens.key(Key::Escape);
        let first = screens.labels().into_iter().find(|label| label.starts_with("Game 1: ")).unwrap();
        screens.click(&first);
        set(&mut screens, |settings| settings.language = Language::German);
        photograph(&mut album, &mut screens, "record-bets-de");
        screens.click("Dieser Abend");
        photograph(&mut album, &mut screens, "record-evening-de");
        set(&mut screens, |settings| settings.language = Language::English);
        photograph(&mut album, &mut screens, "record-evening");
        set(&mut screens, |settings| settings.look = Appearance::Light);
        resize(&mut screens, [1024.0, 640.0]);
        photograph(&mut album, &mut screens, "record-evening-light-1024");
        resize(&mut screens, WINDOW);
        set(&mut screens, |settings| settings.look = Appearance::Dark);
        set(&mut screens, |settings| (settings.language, settings.text_percent) = (Language::English, 200));
        screens.click("This match");
        photograph(&mut album, &mut screens, "record-200");
    }

    #[test]
    fn the_spectators_in_two_sizes_and_while_bets_are_made() {
        let mut album = SnapshotResults::new();
        let mut screens = an_evening(WINDOW);
        screens.wait(48_000);
        let (mut harness, _folder) = spectators(screens, WINDOW);
        for (size, name) in [(WINDOW, "1280"), ([1920.0, 1080.0], "1920"), ([800.0, 600.0], "800")] {
            harness.set_size(Vec2::from(size));
            harness.run();
            harness.snapshot(format!("spectators-{name}"));
            album.extend(harness.take_snapshot_results());
        }
        for (look, language, name) in [
            (Appearance::Light, Language::English, "light"),
            (Appearance::Contrast, Language::English, "contrast"),
            (Appearance::Dark, Language::German, "de"),
            (Appearance::Dark, Language::Spanish, "es"),
        ] {
            let mut screens = an_evening(WINDOW);
            set(&mut screens, |settings| (settings.look, settings.language) = (look, language));
            let (mut harness, _folder) = spectators(screens, WINDOW);
            harness.snapshot(format!("spectators-{name}"));
            album.extend(harness.take_snapshot_results());
        }
        let mut screens = Screens::open(WINDOW);
        screens.begin_anyhow();
        let (mut harness, _folder) = spectators(screens, WINDOW);
        harness.snapshot("spectators-betting");
        album.extend(harness.take_snapshot_results());
    }

    #[test]
    fn the_devices() {
        let mut album = SnapshotResults::new();
        let mut screens = a_tested_board(WINDOW);
        for (size, name) in [(WINDOW, "1280"), ([800.0, 600.0], "800"), ([1920.0, 1080.0], "1920")] {
            resize(&mut screens, size);
            photograph(&mut album, &mut screens, &format!("devices-test-{name}"));
        }
        let mut screens = Screens::open(WINDOW);
        turn_to(&mut screens, Page::Devices);
        set(&mut screens, |settings| settings.language = Language::German);
        photograph(&mut album, &mut screens, "devices-de");
        set(&mut screens, |settings| settings.language = Language::English);
        screens.board_shows("4k3/4p3/8/8/8/8/4P3/4K3".parse().unwrap());
        found_boards(&mut screens);
        photograph(&mut album, &mut screens, "devices-found");
    }
}
