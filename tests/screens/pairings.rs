//! The rounds at the desk of an event's console: pairs, results and standings, drawn from views that are made by hand.

use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable;
use tabiya_app::hall::{
    BoardScore, BoardStage, Contender, HallView, HallWish, NotReady, PlaceRow, RoundBoard, RoundPlayed,
    RoundWish, RoundsView, Unpaired,
};
use tabiya_store::settings::Settings;
use tabiya_types::{ByColor, Color};

#[cfg(feature = "snapshots")]
use super::hall::photograph;
use super::hall::{Desk, hall, key, open, typed, wishes};

/// A score of a game of chess.
fn score(word: &'static str) -> BoardScore {
    let winner = match word {
        "1-0" | "+--" => Some(Color::White),
        "0-1" | "--+" => Some(Color::Black),
        _ => None,
    };
    BoardScore { word, chips: None, winner }
}

const NAMES: [&str; 24] = [
    "Anton Berg",
    "Hugo Stern",
    "Felix Weber",
    "Elsa Vega",
    "Karl Dahl",
    "Nina Lund",
    "Alba Serra",
    "Theo Engel",
    "Raúl Cano",
    "Marta Gil",
    "Olga Nowak",
    "Nora Haas",
    "Simon Kurz",
    "Paul Thiel",
    "Max Frank",
    "Rosa Marín",
    "Kai Peters",
    "Lars Blom",
    "Vera Jansen",
    "Tilda Roth",
    "Elin Olsen",
    "Zoe Prieto",
    "Ada Reyes",
    "Tim Wolf",
];

fn contender(number: usize) -> Contender {
    let points = ["3½", "3", "2½", "2", "1½", "1"];
    Contender {
        number: u32::try_from(number).unwrap(),
        name: NAMES[number - 1].to_owned(),
        points: points[(number - 1) / 4].to_owned(),
    }
}

/// The fourth of five rounds, with boards in every stage.
pub(crate) fn rounds() -> RoundsView {
    let board = |number: usize| {
        let players = ByColor { white: contender(number * 2 - 1), black: contender(number * 2) };
        let stage = match number {
            1 | 5 => BoardStage::Counts(score("1-0")),
            2 => BoardStage::Ended(score("0-1"), ByColor { white: false, black: true }),
            3 | 4 | 7 => BoardStage::Plays,
            6 => BoardStage::Counts(score("1/2")),
            8 => BoardStage::Waits(Some(NotReady::NotHere)),
            9 => BoardStage::Counts(score("--+")),
            10 => BoardStage::Ended(score("1/2"), ByColor { white: false, black: false }),
            _ => BoardStage::Waits(None),
        };
        RoundBoard { board: number, table: u16::try_from(number).ok(), players, stage }
    };
    let place = |number: usize| PlaceRow {
        rank: if number == 3 { 2 } else { number },
        shared: number == 2 || number == 3,
        moved: Some([0, 2, -1, 3][number % 4]),
        number: u32::try_from(number).unwrap(),
        name: NAMES[number - 1].to_owned(),
        rating: Some(2_300 - 40 * u32::try_from(number).unwrap()),
        points: contender(number).points,
        values: vec![
            format!("{}½", 14 - number / 3),
            (15 - number / 3).to_string(),
            "9¼".to_owned(),
            String::new(),
        ],
        course: (0..4)
            .map(|round| RoundPlayed {
                opponent: u32::try_from((number + 5 * (round + 1)) % 24 + 1).ok(),
                color: Some(if (number + round).is_multiple_of(2) { Color::White } else { Color::Black }),
                sign: ["1", "½", "0", "*"][(number + round) % if round == 3 { 4 } else { 3 }],
            })
            .collect(),
    };
    let away = |name: &str, bye| Unpaired { name: name.to_owned(), bye };
    RoundsView {
        system: "swiss",
        game: "chess".to_owned(),
        chips: false,
        planned: 5,
        players: 26,
        round: 4,
        boards: (1..=12).map(board).collect(),
        unpaired: Arc::new(vec![
            away("Tim Navarro", 'U'),
            away("Tilda Stern", 'H'),
            away("Nils Winter", 'Z'),
        ]),
        standings: Arc::new((1..=24).map(place).collect()),
        tiebreaks: ["BH/C1", "BH", "SB", "DE"].map(str::to_owned).to_vec(),
        edition: "2026",
    }
}

fn view(rounds: RoundsView) -> HallView {
    HallView { rounds: Some(Arc::new(rounds)), ..hall(24) }
}

/// The desk with the page of the round.
fn at_round(size: [f32; 2], settings: Settings, view: HallView) -> Desk {
    let mut desk = open(size, settings, view);
    key(&mut desk, Key::F3);
    desk
}

fn round_wishes(desk: &mut Desk) -> Vec<RoundWish> {
    let of_rounds = |wish| match wish {
        HallWish::Round(wish) => Some(wish),
        _ => None,
    };
    wishes(desk).into_iter().filter_map(of_rounds).collect()
}

/// Pairs as they stand before anything was played.
fn fresh() -> RoundsView {
    let mut rounds = rounds();
    for board in &mut rounds.boards {
        board.stage = BoardStage::Waits(None);
    }
    rounds
}

#[test]
fn a_result_that_nobody_confirms_is_recorded_with_one_key() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(rounds()));
    assert!(
        desk.query_by_label_contains("Vega").is_some()
            || desk.query_all_by_label_contains("Vega").count() > 0
    );
    key(&mut desk, Key::Enter);
    let recorded = RoundWish::Result(2, "0-1".to_owned(), None, String::new());
    assert_eq!(round_wishes(&mut desk), [recorded]);
}

#[test]
fn the_tables_that_are_ready_start_together() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(fresh()));
    key(&mut desk, Key::Enter);
    assert!(round_wishes(&mut desk).is_empty(), "the time control is asked first");
    key(&mut desk, Key::Enter);
    assert_eq!(round_wishes(&mut desk), [RoundWish::Start("90+30".to_owned(), 0)]);
}

#[test]
fn players_who_come_late_have_the_minutes_that_stand_in_the_start() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(fresh()));
    key(&mut desk, Key::Enter);
    desk.get_by_label("Default time, in minutes").click();
    desk.run();
    typed(&mut desk, "half an hour");
    key(&mut desk, Key::Enter);
    assert!(round_wishes(&mut desk).is_empty(), "these are no minutes");
    assert!(desk.query_by_label("The default time is a number of minutes, 0 to 999.").is_some());
    key(&mut desk, Key::Escape);
    key(&mut desk, Key::Enter);
    desk.get_by_label("Default time, in minutes").click();
    desk.run();
    typed(&mut desk, "30");
    key(&mut desk, Key::Enter);
    assert_eq!(round_wishes(&mut desk), [RoundWish::Start("90+30".to_owned(), 1_800)]);
}

#[test]
fn a_result_that_counts_is_changed_with_its_reason() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(rounds()));
    desk.get_all_by_label_contains("Board 1,").next().unwrap().click();
    desk.run();
    key(&mut desk, Key::B);
    key(&mut desk, Key::Enter);
    assert!(round_wishes(&mut desk).is_empty(), "without a reason nothing is changed");
    desk.get_by_label("Reason, for the record").click();
    desk.run();
    typed(&mut desk, "misread slip");
    desk.get_by_label("It counts").click();
    desk.run();
    let changed = RoundWish::Result(1, "0-1".to_owned(), None, "misread slip".to_owned());
    assert_eq!(round_wishes(&mut desk), [changed]);
}

#[test]
fn a_round_whose_results_are_all_in_leads_to_the_next_pairing() {
    let mut rounds = rounds();
    for board in &mut rounds.boards {
        board.stage = BoardStage::Counts(score("1-0"));
    }
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(rounds));
    key(&mut desk, Key::Enter);
    key(&mut desk, Key::Enter);
    assert_eq!(round_wishes(&mut desk), [RoundWish::Pair]);
}

#[test]
fn an_event_without_rounds_is_planned_and_its_players_are_pasted() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), hall(8));
    key(&mut desk, Key::Enter);
    desk.get_by_label("Round robin").click();
    desk.run();
    desk.get_by_label("Plan").click();
    desk.run();
    assert_eq!(round_wishes(&mut desk), [RoundWish::Plan("round-robin".to_owned(), 5, "choker".to_owned())]);
    typed(&mut desk, "Ann Keller; 1850\nBo Lindgren");
    desk.get_by_label("Enter 2 players").click();
    desk.run();
    assert_eq!(round_wishes(&mut desk), [RoundWish::Players("Ann Keller; 1850\nBo Lindgren".to_owned())]);
}

#[test]
fn who_is_called_goes_to_the_alerts_from_any_page() {
    let mut desk = at_round([1280.0, 800.0], Settings::default(), view(rounds()));
    key(&mut desk, Key::A);
    assert!(desk.query_by_label_contains("need you").is_some());
}

#[cfg(feature = "snapshots")]
#[test]
fn rounds_look_as_drawn() {
    type Picture<'a> = (&'a str, [f32; 2], Settings, HallView, &'a [Key]);
    use egui_kittest::SnapshotResults;
    use tabiya_store::settings::Appearance;
    use tabiya_text::Language;

    let with = |look, language| Settings { look, language, ..Settings::default() };
    let dark = || with(Appearance::Dark, Language::English);
    let wide = [1280.0, 800.0];
    let pictures: [Picture<'_>; 8] = [
        ("hall-round", wide, dark(), view(rounds()), &[Key::ArrowDown]),
        ("hall-round-1920", [1920.0, 1080.0], dark(), view(rounds()), &[Key::N]),
        (
            "hall-round-1024-de",
            [1024.0, 640.0],
            with(Appearance::Dark, Language::German),
            view(rounds()),
            &[],
        ),
        ("hall-round-start", wide, dark(), view(fresh()), &[]),
        ("hall-round-plan", wide, dark(), hall(8), &[Key::Enter]),
        ("hall-standings", wide, dark(), view(rounds()), &[Key::F4, Key::ArrowDown]),
        (
            "hall-standings-light",
            wide,
            with(Appearance::Light, Language::Spanish),
            view(rounds()),
            &[Key::F4],
        ),
        (
            "hall-crosstable",
            wide,
            dark(),
            view(rounds()),
            &[Key::F4, Key::Num2, Key::ArrowDown, Key::ArrowDown],
        ),
    ];
    let mut album = SnapshotResults::new();
    for (name, size, settings, view, keys) in pictures {
        let mut desk = at_round(size, settings, view);
        for pressed in keys {
            key(&mut desk, *pressed);
        }
        photograph(&mut album, &mut desk, name);
    }
}
