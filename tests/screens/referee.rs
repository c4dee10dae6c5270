//! A referee's eleven points in the window: what is typed at the table, and what the screen shows then.

use tabiya_app::desk::{NewMatch, Wish};
use tabiya_engine::clock::parse_spoken;
use tabiya_engine::rules::{Group, presets};
use tabiya_types::{BySeat, Piece, Seat};

use crate::harness::Screens;

#[path = "../support/referee_points.rs"]
mod points;

/// Begins a match with the arguments of `tabiya play`.
fn begin(arguments: &str) -> Screens {
    let options: Vec<(&str, &str)> = arguments
        .split(" --")
        .skip(1)
        .map(|option| option.split_once(' ').expect("an option with its value"))
        .collect();
    let given = |wanted: &str| options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let game = given("game").unwrap_or("choker");
    let mut terms: Group = presets::terms(given("preset"), game).expect("a preset");
    for (name, value) in &options {
        match *name {
            "game" | "preset" => {}
            "stacks" => {
                let stacks: Vec<u64> = value.split(',').map(|chips| chips.parse().unwrap()).collect();
                terms.set("stacks", Group::new().with("A", stacks[0]).with("B", stacks[1]));
            }
            "structure" => {
                let limit: Vec<u64> = value.split(':').skip(1).map(|part| part.parse().unwrap()).collect();
                let limit = Group::new().with("bet", limit[0]).with("raises", limit[1]);
                terms.set("structure", Group::new().with("limit", limit));
            }
            "time" => terms.set("time", parse_spoken(value).expect("a time").to_string()),
            "games" => terms.set("games", value.parse::<u64>().unwrap()),
            "terms" => {
                let (name, value) = value.trim_matches(['{', '}']).split_once(':').expect("a term");
                terms.set(name.trim_matches('"'), value.parse::<u64>().unwrap());
            }
            name => terms.set(name, *value),
        }
    }
    let mut screens = Screens::open([1280.0, 800.0]);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    screens.wish(Wish::Begin(Box::new(NewMatch::usual(game, players, Seat::A, terms))));
    screens
}

/// What the screen showed after a line: everything, and what was new.
struct Shown {
    all: Vec<String>,
    new: String,
}

/// The names of the squares in a row as the terminal prints it: `1  . . . R K` is `d1 white rook` and `e1 white king`.
fn squares(row: &str) -> Option<Vec<String>> {
    let (rank, pieces) = row.split_once("  ")?;
    let rank = rank.parse::<u8>().ok()?;
    let pieces = ('a'..).zip(pieces.split(' ')).filter(|(_, piece)| *piece != ".");
    let name = |(file, letter): (char, &str)| {
        let piece = Piece::from_letter(letter.chars().next()?)?;
        Some(format!("{file}{rank} {} {}", piece.color.word(), piece.role.word()))
    };
    pieces.map(name).collect()
}

/// Begins a match with these arguments, types these lines into the window, and asserts that these texts are shown in this
/// order. A text that is a row of the board is held against the squares. Returns all that was shown.
#[track_caller]
fn plays(arguments: &str, typed: &str, printed: &[&str]) -> String {
    let mut screens = begin(arguments);
    let all = screens.labels();
    let mut steps = vec![Shown { new: all.join("\n"), all }];
    for line in typed.split(';').map(str::trim) {
        match line.strip_prefix('~') {
            Some(millis) => screens.wait(millis.parse().unwrap()),
            None => screens.line(line),
        }
        let all = screens.labels();
        let before = &steps.last().unwrap().all;
        let new: Vec<&str> = all.iter().filter(|label| !before.contains(label)).map(String::as_str).collect();
        steps.push(Shown { new: new.join("\n"), all });
    }
    let told = || steps.iter().map(|step| step.new.as_str()).collect::<Vec<_>>().join("\n");
    let (mut at, mut from) = (0, 0);
    for wanted in printed {
        let found = (at..steps.len()).find_map(|nth| {
            let step = &steps[nth];
            let from = if nth == at { from } else { 0 };
            match squares(wanted) {
                Some(squares) => {
                    // The terminal prints the piece that stands there, the window names the piece that it counts as.
                    let is = |label: &String, square: &str| {
                        let side = &square[..square.rfind(' ').unwrap_or(0)];
                        label.starts_with(square)
                            || (label.starts_with(side) && label.ends_with(", stand-in"))
                    };
                    let stands = |square: &String| step.all.iter().any(|label| is(label, square));
                    squares.iter().all(stands).then_some((nth, from))
                }
                None => step.new[from..].find(wanted).map(|found| (nth, from + found + wanted.len())),
            }
        });
        let Some(found) = found else {
            panic!("not shown, or not in this order: {wanted}\n{}", told());
        };
        (at, from) = found;
    }
    told()
}

#[test]
fn point_27_a_position_of_chess960_is_drawn_and_told_in_the_window() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Chess");
    screens.rule("Chess960");
    screens.click("More rules");
    screens.scroll_to("Draw another position");
    screens.click("Draw another position");
    screens.wait(50);
    screens.click("Done");
    let drawn = |screens: &Screens| {
        let labels = screens.labels();
        let found = labels.iter().find_map(|label| Some(label[label.find("et up: ")?..].to_owned()));
        found.unwrap_or_else(|| panic!("no position: {labels:?}"))
    };
    let before = drawn(&screens);
    assert!(before.contains("(Chess960, position "), "{before}");
    screens.click("Begin the match");
    let told = drawn(&screens);
    assert!(told.starts_with(before.split(';').next().unwrap()), "{before}, then {told}");
}

#[test]
fn point_28_an_adjourned_game_is_resumed_in_the_window() {
    plays(
        "play --game chess --time 5400",
        "press black; e4; press white; adjourn Sunday; sealed; resume; sealed Nf6",
        &["Bo (Black) seals his move", "on the envelope", "play is resumed: Sunday", "open the envelope"],
    );
}

#[test]
fn point_29_the_arbiters_choices_are_buttons_in_the_window() {
    let mut screens = begin("play --game chess --voice event --time 1800");
    for line in ["press black", "e4", "press white", "rule clock black 90 a test", "claim no effort"] {
        screens.line(line);
    }
    screens.key(egui::Key::Escape);
    screens.key(egui::Key::F4);
    for text in [
        "claims under the guidelines for games without increments",
        "the game is drawn",
        "(III.5.2)",
        "(III.5.3)",
    ] {
        assert!(screens.shows(text), "{text}: {:?}", screens.labels());
    }
    screens.click("the claim is rejected, and Ann gains 2 min (III.5.3)");
    assert!(screens.labels().iter().any(|label| label.contains("claim rejected")), "{:?}", screens.labels());
}
