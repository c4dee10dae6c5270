//! Several tables in one window: what the keys of the tiles do, and what is seen of eight tables at once.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use tabiya_app::desk::{Desk, NewMatch, Wish};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Group;
use tabiya_store::settings::Settings;
use tabiya_types::{BySeat, Instant, Seat};
use tabiya_window::{SeveralShell, TileNow};
use tempfile::TempDir;

use crate::harness::surroundings;

/// The window, its desks, each in a folder of its own, and the time.
struct Behind {
    shell: SeveralShell,
    desks: Vec<(Desk, TempDir)>,
    now: Instant,
}

impl Behind {
    fn tables(&self) -> Vec<TileNow> {
        let now = |(desk, _): &(Desk, TempDir)| TileNow {
            snapshot: Arc::new(desk.snapshot(self.now)),
            now: self.now,
            alive: true,
        };
        self.desks.iter().map(now).collect()
    }

    fn view(&self, nth: usize) -> Arc<TableView> {
        self.desks[nth].0.snapshot(self.now).table.expect("a match is played")
    }
}

type Window = Harness<'static, Behind>;

const NAMES: [(&str, &str); 8] = [
    ("Keller", "Lindgren"),
    ("Moreno", "Falk"),
    ("Ruiz", "Holm"),
    ("Dubois", "Vogel"),
    ("Castro", "Lehmann"),
    ("Lange", "Marín"),
    ("Sauer", "Reyes"),
    ("Olsen", "Vega"),
];

fn frame(ui: &mut egui::Ui, behind: &mut Behind) {
    let tables = behind.tables();
    let wishes = behind.shell.ui(ui, &tables);
    let some = !wishes.is_empty();
    for (table, wish) in wishes {
        behind.desks[table].0.wish(wish, behind.now);
    }
    if some {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(1));
    }
}

/// So many tables of chess, the second of them Choker; nobody has moved.
fn open(size: [f32; 2], settings: &Settings, count: usize) -> Window {
    let desks = NAMES.iter().take(count).enumerate().map(|(nth, (a, b))| {
        let folder = tempfile::tempdir().unwrap();
        settings.save(&folder.path().join("settings.json")).unwrap();
        let mut desk = Desk::new(surroundings(&folder), None);
        desk.look();
        let players = BySeat { a: (*a).to_owned(), b: (*b).to_owned() };
        let (game, terms) = match nth {
            1 => (
                "choker",
                Group::new()
                    .with("stacks", Group::new().with("A", 200_u64).with("B", 200_u64))
                    .with("small_blind", 1_u64),
            ),
            _ => ("chess", Group::new()),
        };
        let new = NewMatch::usual(game, players, Seat::A, terms.with("time", "300+3"));
        desk.wish(Wish::Begin(Box::new(new)), Instant::ZERO);
        (desk, folder)
    });
    let behind = Behind {
        shell: SeveralShell::new("Club evening", count),
        desks: desks.collect(),
        now: Instant::ZERO,
    };
    let mut window = Harness::builder().with_size(egui::Vec2::from(size)).build_ui_state(frame, behind);
    window.run();
    window
}

fn key(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run();
}

fn enter(window: &mut Window, nth: usize, line: &str) {
    let behind = window.state_mut();
    let now = behind.now;
    behind.desks[nth].0.wish(Wish::Typed(line.to_owned()), now);
    window.run();
}

fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn a_number_chooses_a_table_and_its_keys_go_there_alone() {
    let mut window = open([1280.0, 800.0], &Settings::default(), 8);
    assert_eq!(window.state().shell.chosen(), (0, false));
    key(&mut window, Key::Num5);
    assert_eq!(window.state().shell.chosen(), (4, false));
    assert!(shows(&window, "Castro: make a move (Lehmann: press to start the clock)"));
    key(&mut window, Key::Space);
    let runs = |window: &Window| {
        (0..8).filter(|nth| window.state().view(*nth).clock.turn().is_some()).collect::<Vec<_>>()
    };
    assert_eq!(runs(&window), [4], "the chosen clock alone was pressed");
    key(&mut window, Key::Num3);
    window.key_press_modifiers(Modifiers::CTRL, Key::P);
    window.run();
    let stopped = |nth| window.state().view(nth).clock.paused();
    assert_eq!((0..8).filter(|nth| stopped(*nth)).collect::<Vec<_>>(), [2]);
    assert!(shows(&window, "The clocks are stopped"));
    key(&mut window, Key::ArrowDown);
    assert_eq!(window.state().shell.chosen(), (6, false), "the tile below");
    key(&mut window, Key::ArrowDown);
    assert_eq!(window.state().shell.chosen(), (6, false), "there is none below that");
}

#[test]
fn enter_opens_the_chosen_table_and_escape_leads_back() {
    let mut window = open([1280.0, 800.0], &Settings::default(), 4);
    key(&mut window, Key::Num4);
    key(&mut window, Key::Enter);
    assert_eq!(window.state().shell.chosen(), (3, true));
    assert!(shows(&window, "All tables") && shows(&window, "Dubois"));
    enter(&mut window, 3, "press black");
    enter(&mut window, 3, "e4");
    assert!(shows(&window, "Dubois: press the clock"));
    // At a table a number is no choice of another one.
    key(&mut window, Key::Num1);
    assert_eq!(window.state().shell.chosen(), (3, true));
    key(&mut window, Key::Escape);
    assert_eq!(window.state().shell.chosen(), (3, false));
    assert!(shows(&window, "Dubois: press the clock"), "the line below says the same");
    key(&mut window, Key::Space);
    assert!(shows(&window, "Vogel: make a move"));
}

#[test]
fn a_question_at_the_table_takes_escape_first() {
    let mut window = open([1280.0, 800.0], &Settings::default(), 2);
    enter(&mut window, 0, "press black");
    enter(&mut window, 0, "e4");
    window.key_press_modifiers(Modifiers::CTRL, Key::Z);
    window.run();
    assert_eq!(window.state().shell.chosen(), (0, true), "taking back is asked at the table");
    assert!(shows(&window, "Take back how far?"));
    key(&mut window, Key::Escape);
    assert_eq!(window.state().shell.chosen(), (0, true), "the question is answered");
    assert!(!shows(&window, "Take back how far?"));
    key(&mut window, Key::Escape);
    assert_eq!(window.state().shell.chosen(), (0, false));
}

#[test]
fn a_window_with_running_games_asks_before_it_closes() {
    let mut window = open([1280.0, 800.0], &Settings::default(), 2);
    let may_close = |window: &mut Window| {
        let tables = window.state().tables();
        window.state_mut().shell.may_close(&tables)
    };
    assert!(may_close(&mut window), "nobody has moved");
    enter(&mut window, 1, "deal");
    assert!(!may_close(&mut window));
    window.run();
    assert!(shows(&window, "A game is running"));
    key(&mut window, Key::Escape);
    assert!(!window.state().shell.closes());
    assert!(!may_close(&mut window));
    window.run();
    key(&mut window, Key::Enter);
    assert!(window.state().shell.closes());
}

#[cfg(feature = "snapshots")]
mod pictures {
    //! Pictures of the tiles, compared pixel by pixel.

    use egui_kittest::SnapshotResults;
    use tabiya_boards::makers::dgt;
    use tabiya_boards::{BoardEvent, BoardInfo};
    use tabiya_store::settings::Appearance;
    use tabiya_text::Language;
    use tabiya_types::{Board, Observation};

    use super::*;

    fn photograph(album: &mut SnapshotResults, window: &mut Window, name: &str) {
        window.remove_cursor();
        window.state_mut().shell.still_by_system(Some(true));
        window.run();
        window.snapshot(name);
        album.extend(window.take_snapshot_results());
    }

    fn board_shows(window: &mut Window, nth: usize, board: &str) {
        let behind = window.state_mut();
        let (now, desk) = (behind.now, &mut behind.desks[nth].0);
        desk.board(&BoardEvent::Identified(BoardInfo::new(dgt::MAKER.brand())), now);
        desk.board(&BoardEvent::Observed(Observation::Whole(board.parse::<Board>().unwrap())), now);
    }

    /// Lets time pass at all tables.
    fn wait(window: &mut Window, millis: u64) {
        let behind = window.state_mut();
        behind.now = behind.now + tabiya_types::Millis(millis);
        let now = behind.now;
        for (desk, _) in &mut behind.desks {
            while desk.deadline().is_some_and(|due| due <= now) {
                desk.time(now);
            }
        }
        window.run();
    }

    #[test]
    fn tables_as_tiles() {
        let mut album = SnapshotResults::new();
        let mut window = open([1280.0, 800.0], &Settings::default(), 8);
        for (nth, lines) in [
            (0, "press black;e4;press white;c5"),
            (1, "deal;call;check"),
            (2, "press black;d4"),
            (3, "press black;Nf3;press white"),
            (4, "press black;e4;press white;e5;press black;Nc3"),
            (5, "press black;c4;pause"),
            (6, "press black;e4;press white;resign black;yes"),
            (7, "press black;e4;press white;resign black"),
        ] {
            for line in lines.split(';') {
                enter(&mut window, nth, line);
            }
        }
        // The knight of g8 lies beside the board, and a pawn stands where none should.
        board_shows(&mut window, 2, "rnbqkb1r/pppppppp/8/8/3P4/5P2/PPP1P1PP/RNBQKBNR");
        wait(&mut window, 20_000);
        key(&mut window, Key::Num5);
        photograph(&mut album, &mut window, "several-8-1280");

        let look = Settings { look: Appearance::Light, language: Language::German, ..Settings::default() };
        let mut window = open([1024.0, 640.0], &look, 4);
        enter(&mut window, 0, "press black");
        photograph(&mut album, &mut window, "several-4-1024-light-de");
    }
}
