//! Notices: what they say floats over the window for a few seconds and moves nothing.

use tabiya_app::desk::{NewMatch, Wish};
use tabiya_engine::rules::presets;
use tabiya_types::{BySeat, Seat};

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// A match that the command line began, after a crash had left another one unfinished.
fn begun_after_a_crash() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    for line in ["press", "e4"] {
        screens.line(line);
    }
    // Between two whole seconds, so that the second at which it stopped is the same in each run.
    screens.wait(2_500);
    // Nobody leaves the match.
    let mut again = Screens::over(WINDOW, screens.folder);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let terms = presets::terms(Some("club"), "choker").unwrap();
    again.wish(Wish::Begin(Box::new(NewMatch::usual("choker", players, Seat::A, terms))));
    again
}

/// A designer saw the board shrink for a coral line that was no fault and stayed for the whole game.
#[test]
fn a_notice_moves_nothing_goes_after_six_seconds_and_has_the_way_on() {
    let mut screens = begun_after_a_crash();
    assert!(screens.shows("the last match (Ann – Bo) is unfinished"), "{:?}", screens.labels());
    let place = screens.middle_of("a1");
    screens.click("Carry it on");
    assert_eq!(screens.table().moves, ["e4"], "{:?}", screens.labels());
    let mut screens = begun_after_a_crash();
    screens.wait(6_100);
    assert!(!screens.shows("is unfinished"), "{:?}", screens.labels());
    assert_eq!(screens.middle_of("a1"), place);
}

#[cfg(feature = "snapshots")]
#[test]
fn an_unfinished_match_is_news_and_no_fault() {
    let mut album = egui_kittest::SnapshotResults::new();
    let mut screens = begun_after_a_crash();
    crate::pictures::photograph(&mut album, &mut screens, "notice");
}
