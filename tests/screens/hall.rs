//! The desk of an event's console, drawn from views that are made by hand: what its keys do, and what is seen of many tables.

use std::net::IpAddr;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use tabiya_app::hall::{
    AlertKey, AlertOf, ChosenTable, HallAlert, HallQuestion, HallRow, HallTold, HallView, HallWish, HallYes,
    JoiningView, PhonesView, RowClock, RowLink, RowMatch, WaitingComputer, called, rulings, title,
};
use tabiya_app::snapshot::TableView;
use tabiya_app::view::{DeviceLink, DevicePresence};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::{GAMES, Outcome, Phase, Reason};
use tabiya_store::settings::Settings;
use tabiya_types::{ByColor, Color, Instant, ToldSentence, say};
use tabiya_window::HallShell;

/// The desk, the view that it draws, and what was wished.
pub(crate) struct Behind {
    pub(crate) shell: HallShell,
    pub(crate) view: HallView,
    wishes: Vec<HallWish>,
}

pub(crate) type Desk = Harness<'static, Behind>;

pub(crate) fn open(size: [f32; 2], settings: Settings, view: HallView) -> Desk {
    let behind = Behind { shell: HallShell::with(settings), view, wishes: Vec::new() };
    let draw = |ui: &mut egui::Ui, behind: &mut Behind| {
        let wishes = behind.shell.ui(ui, &behind.view);
        behind.wishes.extend(wishes);
    };
    let mut desk = Harness::builder().with_size(egui::Vec2::from(size)).build_ui_state(draw, behind);
    desk.run();
    desk
}

/// Names as they are long in one row and short in another.
const NAMES: [&str; 12] = [
    "Ann Keller",
    "Bo Lindgren",
    "Mateo Ruiz",
    "Greta Holm",
    "Oskar Castro",
    "Lucía Vogel",
    "Jana Brandt",
    "Iván Soto",
    "Ines Moreno",
    "Emil Falk",
    "Lena Lehmann",
    "Karl Vega",
];

/// A game of chess in which White has made an illegal move, as a record.
pub(crate) fn record() -> Replay {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann Keller","B":"Bo Lindgren"},"white":"A","terms":{"time":"300+5","voice":"event"}}"#;
    let mut replay = Replay::begin(header, GAMES).unwrap();
    let mut feed = |line: &str, number| replay.feed(number, line).unwrap();
    feed(r#"{"t":0,"do":"press","by":"black"}"#, 2);
    for (nth, (by, uci)) in
        [("white", "e2e4"), ("black", "e7e5"), ("white", "g1f3"), ("black", "b8c6")].into_iter().enumerate()
    {
        let (t, number) = (4_000 * (nth + 1), u32::try_from(nth * 2 + 3).unwrap());
        feed(&format!(r#"{{"t":{t},"do":"move","by":"{by}","uci":"{uci}"}}"#), number);
        feed(&format!(r#"{{"t":{t},"do":"press","by":"{by}"}}"#), number + 1);
    }
    replay
}

/// A row; `seed` decides the stage.
fn row(table: u16) -> HallRow {
    let seed = u64::from(table) * 7_919;
    let name = |nth: u64| NAMES[usize::try_from(nth % 12).unwrap()].to_owned();
    let done = table.is_multiple_of(5);
    let (phase, street) = match table % 4 {
        _ if done => (Phase::MatchOver, 2),
        3 => (Phase::Bet, 2),
        1 if table > 10 => (Phase::Place, 2),
        _ => (Phase::Chess, 2),
    };
    let to_act = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
    let winner = [Some(Color::White), Some(Color::Black), None][usize::from(table / 5 % 3)];
    let reason = if winner.is_some() { Reason::Resignation } else { Reason::Agreement };
    let playing = RowMatch {
        game: "choker",
        number: usize::from(table % 3) + 1,
        phase,
        street,
        turn: if phase == Phase::Chess { u32::try_from(seed % 40 + 1).unwrap() } else { 0 },
        names: match table {
            12 => ByColor { white: name(0), black: name(1) },
            _ => ByColor { white: name(seed / 3), black: name(seed / 3 + 1) },
        },
        to_act: (!done).then_some(to_act),
        chips: Some((u32::try_from(seed % 90 + 2).unwrap(), ByColor { white: 190, black: 170 })),
        stopped: table == 21,
        result: done.then_some(Outcome { winner, reason }),
        over: done,
        begun: true,
    };
    let clock = RowClock {
        left: ByColor { white: 9_000 + seed * 37 % 290_000, black: 9_000 + seed * 53 % 290_000 },
        runs: (phase == Phase::Chess && table != 21).then_some(to_act),
        told: NOW,
    };
    HallRow {
        link: RowLink::Here,
        heard: NOW,
        playing: (table != 22).then_some(playing),
        clock: (table != 22).then_some(clock),
        ..HallRow::unknown(table)
    }
}

/// The console's time in these views.
const NOW: u64 = 3_600_000;

fn alert(table: u16, (kind, sentence, rank): (&str, &str, u8), by: Option<Color>, says: &str) -> HallAlert {
    let replay = record();
    let name = by.map(|by| called(replay.table(), by));
    let told = ToldSentence { id: sentence.to_owned(), english: says.to_owned(), ..ToldSentence::default() };
    let of =
        AlertOf { kind, says: &told, by, count: 1, taken: false, own: false, table: Some(replay.table()) };
    HallAlert {
        key: AlertKey { table: Some(table), id: format!("b-{table}") },
        rank,
        title: title(kind, name.as_deref(), 1),
        says: of.in_words(),
        proposes: None,
        age: 4_000,
        count: 1,
        taken: None,
        rulings: rulings(of),
    }
}

/// A hall with so many tables and some that need somebody.
pub(crate) fn hall(tables: u16) -> HallView {
    let illegal = "Black's illegal move number 1 of this game";
    let mut queue = vec![
        alert(12, ("illegal", "alert-illegal", 1), Some(Color::Black), illegal),
        alert(7, ("flag", "flag-fallen", 1), Some(Color::White), "White's flag has fallen"),
        alert(
            17,
            ("claim", "alert-wrong-claim", 2),
            Some(Color::White),
            "Ann Keller's claim of a draw is wrong",
        ),
        alert(3, ("refused", "not-legal", 3), None, "a1a8 is not legal"),
    ];
    queue[2].taken = Some("Rossi".to_owned());
    queue.retain(|alert| alert.key.table.is_some_and(|table| table <= tables));
    let rows = (1..=tables).map(|table| {
        let alert = queue.iter().find(|alert| alert.key.table == Some(table));
        HallRow {
            rank: alert.map(|alert| alert.rank),
            taken: alert.and_then(|alert| alert.taken.clone()),
            ..row(table)
        }
    });
    let rows = Arc::new(rows.collect());
    HallView {
        event: "Elbe Open 2026".to_owned(),
        console: "desk-1".to_owned(),
        arbiter: "Rossi".to_owned(),
        now: NOW,
        queue,
        rows,
        ..HallView::default()
    }
}

/// Table 12 as it is chosen.
fn chosen() -> ChosenTable {
    let replay = record();
    let view = TableView::of(replay.table(), replay.header());
    let at = |seconds: u64| Instant::from_millis(seconds * 1_000);
    let story =
        Arc::new(vec![(at(12), say!("test-story", "3. Nf3")), (at(16), say!("test-story-2", "3... Nc6"))]);
    let done = HallTold {
        table: Some(12),
        at: NOW,
        says: say!("test-told", "table 12: `pause` is done (line 9)"),
        failed: false,
    };
    ChosenTable { table: 12, view: Some(Arc::new(view)), at: at(20), story, orders: vec![done] }
}

/// Presses a key, and draws.
pub(crate) fn key(desk: &mut Desk, key: Key) {
    desk.key_press(key);
    desk.run();
}

/// Types a text, and draws.
pub(crate) fn typed(desk: &mut Desk, text: &str) {
    desk.event(egui::Event::Text(text.to_owned()));
    desk.run();
}

/// Lets time pass, and draws.
pub(crate) fn wait(desk: &mut Desk, millis: u64) {
    desk.state_mut().view.now += millis;
    desk.run();
}

/// What was wished since it was asked last. What is chosen is shown.
pub(crate) fn wishes(desk: &mut Desk) -> Vec<HallWish> {
    let wishes = std::mem::take(&mut desk.state_mut().wishes);
    for wish in &wishes {
        if let HallWish::Choose(table) = wish {
            desk.state_mut().view.chosen = table.filter(|table| *table == 12).map(|_| Arc::new(chosen()));
        }
    }
    desk.run();
    wishes
}

fn labels(desk: &Desk) -> Vec<String> {
    desk.query_all_by_label_contains("").filter_map(|node| node.accesskit_node().label()).collect()
}

/// The numbers of the tables that are shown.
fn tables(desk: &Desk) -> Vec<u16> {
    let number = |label: &String| label.split_once(',')?.0.strip_prefix("Table ")?.parse().ok();
    labels(desk).iter().filter_map(number).collect()
}

fn order(table: u16, words: &str) -> HallWish {
    HallWish::Order(table, words.to_owned())
}

const WINDOW: [f32; 2] = [1280.0, 800.0];

fn desk(tables: u16) -> Desk {
    open(WINDOW, Settings::default(), hall(tables))
}

#[test]
fn a_key_rules_only_on_what_has_been_selected_long_enough() {
    let mut desk = desk(24);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [], "nothing is selected by itself");
    key(&mut desk, Key::A);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [HallWish::Choose(Some(12))], "nobody has read it");
    // An arbiter who knew the alerts pressed `A` and `Enter` without a pause, and nothing happened.
    wait(&mut desk, 300);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [order(12, "rule clock white +60 illegal move")]);
    // Until the table has answered, the alert stays; who presses twice rules once.
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), []);
    wait(&mut desk, 700);
    key(&mut desk, Key::Num2);
    assert_eq!(wishes(&mut desk), [order(12, "rule illegal black 0 the move was legal")]);
    wait(&mut desk, 700);
    key(&mut desk, Key::Num4);
    assert_eq!(wishes(&mut desk), [HallWish::Take(AlertKey { table: Some(12), id: "b-12".to_owned() })]);
}

#[test]
fn a_key_that_does_something_else_now_is_read_anew() {
    let mut desk = desk(24);
    key(&mut desk, Key::A);
    wait(&mut desk, 700);
    // A colleague takes the alert, or its table goes on, just before the key is pressed.
    desk.state_mut().view.queue[0].rulings.remove(0);
    desk.run();
    wishes(&mut desk);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), []);
    wait(&mut desk, 700);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk).len(), 1);
}

#[test]
fn the_selection_never_moves_by_itself() {
    let mut desk = desk(24);
    key(&mut desk, Key::A);
    wait(&mut desk, 700);
    wishes(&mut desk);
    desk.state_mut().view.queue.swap(0, 1);
    desk.run();
    key(&mut desk, Key::Enter);
    assert_eq!(
        wishes(&mut desk),
        [order(12, "rule clock white +60 illegal move")],
        "it has moved with its alert"
    );
    desk.state_mut().view.queue.remove(1);
    desk.run();
    key(&mut desk, Key::T);
    assert_eq!(wishes(&mut desk), [], "what was closed is selected no more, and nothing else instead");
    key(&mut desk, Key::A);
    assert_eq!(wishes(&mut desk), [HallWish::Choose(Some(7))]);
    key(&mut desk, Key::A);
    assert_eq!(wishes(&mut desk), [HallWish::Choose(Some(3))], "what is taken is passed over");
}

#[test]
fn the_chosen_table_is_stopped_by_a_key_that_says_which() {
    let mut desk = desk(24);
    for pressed in [Key::N, Key::Num1, Key::Num2, Key::Enter] {
        key(&mut desk, pressed);
    }
    assert_eq!(wishes(&mut desk), [HallWish::Choose(Some(12))]);
    assert!(desk.query_by_label_contains("Stop table 12").is_some());
    desk.key_press_modifiers(Modifiers::COMMAND, Key::P);
    desk.run();
    assert_eq!(wishes(&mut desk), [order(12, "pause")]);
    key(&mut desk, Key::U);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [], "at an event nothing is taken back without a reason");
    typed(&mut desk, "misread");
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [order(12, "undo misread")]);
}

#[test]
fn a_clock_is_corrected_by_two_keys_and_a_reason() {
    let mut desk = desk(24);
    key(&mut desk, Key::A);
    wishes(&mut desk);
    key(&mut desk, Key::Plus);
    assert!(desk.query_by_label_contains("First choose a side").is_some());
    key(&mut desk, Key::B);
    assert!(desk.query_by_label_contains("Without a reason").is_some());
    desk.event(egui::Event::Text("phone".to_owned()));
    desk.run();
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [order(12, "rule clock black +60 phone")]);
    key(&mut desk, Key::D);
    desk.event(egui::Event::Text("agreed".to_owned()));
    desk.run();
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [order(12, "rule draw agreed")]);
}

#[test]
fn another_ruling_is_chosen_by_its_number_and_asks_for_what_it_needs() {
    let mut desk = desk(24);
    key(&mut desk, Key::A);
    wishes(&mut desk);
    key(&mut desk, Key::R);
    key(&mut desk, Key::Num1);
    typed(&mut desk, "5+3");
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [], "without a reason nothing is ordered");
    typed(&mut desk, "wrong");
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [order(12, "rule time 5+3 wrong")]);
    key(&mut desk, Key::R);
    key(&mut desk, Key::Num5);
    desk.get_by_label("a card was seen").click();
    desk.run();
    desk.get_by_label("Order it").click();
    desk.run();
    assert_eq!(wishes(&mut desk), [order(12, "fouled a card was seen")]);
    key(&mut desk, Key::R);
    key(&mut desk, Key::Escape);
    assert!(desk.query_by_label("Order it").is_none());
}

#[test]
fn my_tables_are_those_that_i_look_after_and_y_shows_all_again() {
    let mut desk = desk(24);
    let mut rows = (*desk.state().view.rows).clone();
    rows[6].mine = true;
    desk.state_mut().view.rows = Arc::new(rows);
    key(&mut desk, Key::Y);
    assert_eq!(tables(&desk), [7]);
    key(&mut desk, Key::Y);
    assert_eq!(tables(&desk).len(), 24);
}

#[test]
fn a_telephone_gets_its_code_at_the_desk() {
    let mut desk = desk(24);
    key(&mut desk, Key::F);
    assert!(desk.query_by_label("Give a code").is_none(), "this console lets no telephones in");
    desk.state_mut().view.phones = Some(PhonesView {
        addresses: vec!["https://192.168.1.5:44065".to_owned()],
        words: ["tell", "come", "night", "motor", "shock", "crouch"].map(str::to_owned).to_vec(),
        ..PhonesView::default()
    });
    key(&mut desk, Key::F);
    typed(&mut desk, "Bianchi");
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [HallWish::Phone("Bianchi".to_owned(), String::new())]);
    let code = ("Bianchi".to_owned(), "12345678".to_owned(), 290_000);
    desk.state_mut().view.phones.as_mut().unwrap().code = Some(code);
    desk.run();
    assert!(desk.query_by_label("1234 5678").is_some());
    assert!(desk.query_by_label_contains("tell come night").is_some());
}

#[test]
fn who_waits_is_refused_or_takes_the_place_of_a_table_that_is_here() {
    let mut desk = desk(24);
    let from: IpAddr = "192.168.1.77".parse().unwrap();
    let waiting = vec![WaitingComputer {
        join: "j-1".to_owned(),
        left: 94_000,
        name: "pi-17".to_owned(),
        from,
        agreed: true,
    }];
    desk.state_mut().view.joining = JoiningView { waiting, may_admit: true, ..JoiningView::default() };
    key(&mut desk, Key::J);
    assert!(desk.query_by_label("1:34").is_some(), "how long its digits hold");
    typed(&mut desk, "222557");
    key(&mut desk, Key::Tab);
    typed(&mut desk, "12");
    desk.get_by_label("Replace the computer of table 12 …").click();
    desk.run();
    assert_eq!(wishes(&mut desk), [HallWish::Replace("222557".to_owned(), 12)]);
    desk.get_by_label("Refuse").click();
    desk.run();
    assert_eq!(wishes(&mut desk), [HallWish::Refuse("j-1".to_owned())]);
}

#[test]
fn a_wide_row_says_what_is_wrong_beside_the_game() {
    let mut view = hall(24);
    let mut rows = (*view.rows).clone();
    rows[0].illegal = ByColor { white: 0, black: 1 };
    rows[0].board = Some(DevicePresence { link: DeviceLink::Here, battery: Some(12) });
    rows[1].board = Some(DevicePresence { link: DeviceLink::Lost, battery: None });
    rows[1].heard = NOW - 9_000;
    view.rows = Arc::new(rows);
    let desk = open([1920.0, 1080.0], Settings::default(), view);
    let said = |wanted: &str| labels(&desk).iter().any(|label| label.contains(wanted));
    assert!(said("illegal moves: White 0, Black 1 · 12 %"));
    assert!(said("board lost · silent for 0:09"), "{:?}", labels(&desk));
}

#[test]
fn what_was_told_last_is_shown_for_a_while() {
    let mut desk = desk(24);
    let says = say!("test-refused", "table 12: `undo` was refused: the table has gone on");
    desk.state_mut().view.told = vec![HallTold { table: Some(12), at: NOW, says, failed: true }];
    wait(&mut desk, 1_000);
    assert!(desk.query_by_label_contains("the table has gone on").is_some());
    wait(&mut desk, 8_000);
    assert!(desk.query_by_label_contains("the table has gone on").is_none());
}

#[test]
fn stopping_all_tables_asks() {
    let mut desk = desk(24);
    desk.get_by_label_contains("Stop all").click();
    desk.run();
    assert_eq!(wishes(&mut desk), [HallWish::StopAll]);
    let text = say!("test-stop", "stop the clocks of all 24 tables?");
    desk.state_mut().view.question =
        Some(HallQuestion { number: 1, table: None, text, yes: HallYes::StopAll });
    desk.run();
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [], "a yes must be read");
    key(&mut desk, Key::Y);
    assert_eq!(wishes(&mut desk), [HallWish::Answer(1, true)]);
}

#[test]
fn a_table_is_admitted_by_the_digits_that_it_shows() {
    let mut desk = desk(24);
    let from: IpAddr = "192.168.1.77".parse().unwrap();
    let waiting = vec![WaitingComputer {
        join: "j-1".to_owned(),
        left: 94_000,
        name: "pi-17".to_owned(),
        from,
        agreed: false,
    }];
    desk.state_mut().view.joining = JoiningView { waiting, may_admit: true, ..JoiningView::default() };
    key(&mut desk, Key::J);
    desk.event(egui::Event::Text("222557".to_owned()));
    desk.run();
    key(&mut desk, Key::Tab);
    desk.event(egui::Event::Text("25".to_owned()));
    desk.run();
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [HallWish::Admit("222557".to_owned(), 25)]);
}

#[test]
fn of_a_thousand_tables_only_those_that_are_seen_are_drawn() {
    let desk = desk(1_000);
    let drawn = labels(&desk).iter().filter(|label| label.starts_with("Table ")).count();
    assert!((10..60).contains(&drawn), "{drawn} rows");
}

#[test]
fn tables_are_filtered_sorted_and_found() {
    let mut desk = desk(24);
    assert_eq!(tables(&desk).len(), 24);
    desk.get_by_label("More filters").click();
    desk.run();
    desk.get_by_label("No match 1").click();
    desk.run();
    assert_eq!(tables(&desk), [22]);
    desk.get_by_label("All 24").click();
    desk.run();
    key(&mut desk, Key::Slash);
    desk.event(egui::Event::Text("vogel".to_owned()));
    desk.run();
    let found = tables(&desk).len();
    assert!((1..12).contains(&found), "{found} tables of Vogel's");
}

#[test]
fn all_tables_are_one_stop_of_the_tab_key_and_the_arrows_lead_on() {
    let mut desk = desk(24);
    desk.get_by_label_contains("Table 1, ").focus();
    desk.run();
    key(&mut desk, Key::ArrowRight);
    key(&mut desk, Key::Enter);
    assert_eq!(wishes(&mut desk), [HallWish::Choose(Some(2))]);
    key(&mut desk, Key::Tab);
    key(&mut desk, Key::Enter);
    let wished = wishes(&mut desk);
    assert!(!wished.iter().any(|wish| matches!(wish, HallWish::Choose(_))), "{wished:?}");
}

#[test]
fn opened_again_the_desk_is_as_it_was() {
    let mut desk = desk(24);
    desk.get_by_label("Tables as rows").click();
    desk.get_by_label("Bets 5").click();
    desk.run();
    let kept = desk.state().shell.kept();
    let again = HallShell::opened(Settings::default(), Some(&kept));
    assert_eq!(again.kept(), kept);
    assert!(kept.contains("rows") && kept.contains("bets"), "{kept}");
    assert_eq!(HallShell::opened(Settings::default(), Some("{")).kept(), HallShell::default().kept());
}

#[test]
fn the_bell_rings_once_for_what_is_urgent_and_nobodys() {
    let mut shell = HallShell::default();
    let mut view = hall(24);
    let urgent = view.queue.remove(0);
    assert!(!shell.listen(&view), "what was there at the start is no news");
    view.queue.insert(0, urgent);
    assert!(shell.listen(&view));
    assert!(!shell.listen(&view));
    view.queue[0].key.id = "b-99".to_owned();
    view.queue[0].taken = Some("Rossi".to_owned());
    assert!(!shell.listen(&view), "somebody looks after it");
    let told: Vec<String> = shell.urgent(&view).into_iter().map(|(_, words)| words).collect();
    assert_eq!(told, ["Table 7 needs the arbiter"], "a notification names the table alone");
}

/// Takes a picture of the desk.
#[cfg(feature = "snapshots")]
pub(crate) fn photograph(album: &mut egui_kittest::SnapshotResults, desk: &mut Desk, name: &str) {
    desk.remove_cursor();
    desk.state_mut().shell.system_still = Some(true);
    desk.ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = false);
    desk.run();
    desk.snapshot(name);
    album.extend(desk.take_snapshot_results());
}

#[cfg(feature = "snapshots")]
mod pictures {
    //! Pictures of the desk, compared pixel by pixel.

    use egui_kittest::SnapshotResults;
    use tabiya_store::settings::Appearance;
    use tabiya_text::Language;

    use super::*;

    /// Telephones with a code that was just given.
    fn phones() -> PhonesView {
        PhonesView {
            addresses: vec!["https://192.168.1.5:44065".to_owned()],
            words: ["tell", "come", "night", "motor", "shock", "crouch"].map(str::to_owned).to_vec(),
            signed_in: vec!["Weber".to_owned()],
            code: Some(("Bianchi".to_owned(), "42917306".to_owned(), 290_000)),
        }
    }

    /// Batteries, a lost board, silence and illegal moves, as they are in a hall.
    fn with_trouble(row: &mut HallRow) {
        let charge = u8::try_from(row.table * 37 % 90 + 9).ok();
        row.board = Some(DevicePresence { link: DeviceLink::Here, battery: charge });
        match row.table % 17 {
            3 => row.board = Some(DevicePresence { link: DeviceLink::Lost, battery: None }),
            5 => row.illegal.white = 1,
            7 => row.illegal = ByColor { white: 1, black: 1 },
            11 => row.heard = NOW - 14_000,
            _ => {}
        }
    }

    /// A desk at which the first alert is selected.
    fn selected(size: [f32; 2], settings: Settings, tables: u16) -> Desk {
        let mut desk = open(size, settings, hall(tables));
        key(&mut desk, Key::A);
        wait(&mut desk, 700);
        wishes(&mut desk);
        desk
    }

    #[test]
    fn the_desk_in_every_size() {
        let mut album = SnapshotResults::new();
        for (size, name) in [([1024.0, 640.0], "1024"), (WINDOW, "1280")] {
            let mut desk = selected(size, Settings::default(), 24);
            photograph(&mut album, &mut desk, &format!("hall-24-{name}"));
        }
        let mut desk = selected([1920.0, 1080.0], Settings::default(), 120);
        photograph(&mut album, &mut desk, "hall-120-1920");
        let mut desk = selected(WINDOW, Settings::default(), 1_000);
        photograph(&mut album, &mut desk, "hall-rows");
        let mut wide = hall(120);
        Arc::make_mut(&mut wide.rows).iter_mut().for_each(with_trouble);
        let mut desk = open([1920.0, 1080.0], Settings::default(), wide);
        desk.get_by_label("Tables as rows").click();
        desk.run();
        photograph(&mut album, &mut desk, "hall-rows-1920");
        let mut desk = selected([800.0, 600.0], Settings::default(), 24);
        photograph(&mut album, &mut desk, "hall-alerts-800");
    }

    #[test]
    fn the_desk_for_other_eyes_and_in_other_languages() {
        let mut album = SnapshotResults::new();
        let settings =
            |look, language, text_percent| Settings { look, language, text_percent, ..Settings::default() };
        for (look, language, percent, size, name) in [
            (Appearance::Contrast, Language::English, 100, WINDOW, "contrast"),
            (Appearance::Light, Language::Spanish, 100, WINDOW, "light-es"),
            (Appearance::Dark, Language::German, 200, WINDOW, "words-200"),
        ] {
            let mut desk = selected(size, settings(look, language, percent), 24);
            photograph(&mut album, &mut desk, &format!("hall-{name}"));
        }
    }

    #[test]
    fn what_covers_the_desk() {
        let mut album = SnapshotResults::new();
        let mut desk = selected(WINDOW, Settings::default(), 24);
        key(&mut desk, Key::O);
        photograph(&mut album, &mut desk, "hall-open");
        key(&mut desk, Key::Escape);
        key(&mut desk, Key::Plus);
        key(&mut desk, Key::B);
        photograph(&mut album, &mut desk, "hall-time");
        let mut desk = selected([1024.0, 640.0], Settings::default(), 24);
        key(&mut desk, Key::R);
        key(&mut desk, Key::Num1);
        photograph(&mut album, &mut desk, "hall-other-1024");
        let mut desk = selected(WINDOW, Settings::default(), 24);
        desk.state_mut().view.phones = Some(phones());
        key(&mut desk, Key::F);
        typed(&mut desk, "Bianchi");
        photograph(&mut album, &mut desk, "hall-phone");
        let from: IpAddr = "192.168.1.77".parse().unwrap();
        let one = |name: &str, left, agreed| WaitingComputer {
            join: name.to_owned(),
            left,
            name: name.to_owned(),
            from,
            agreed,
        };
        let waiting = vec![one("pi-17", 94_000, true), one("pi-22", 11_000, false)];
        let mut desk = super::desk(24);
        desk.state_mut().view.joining = JoiningView { waiting, may_admit: true, ..JoiningView::default() };
        key(&mut desk, Key::J);
        desk.event(egui::Event::Text("222557".to_owned()));
        desk.run();
        photograph(&mut album, &mut desk, "hall-joining");
        let mut desk = open(WINDOW, Settings::default(), HallView { queue: Vec::new(), ..hall(0) });
        photograph(&mut album, &mut desk, "hall-empty");
    }
}
