//! A whole match of Choker through the screen reader's interface alone, by names and roles, without pointer or keys.

use serde_json::json;

use super::program::Place;
use crate::bus::PrivateBus;
use crate::screen_reader::{LABEL, ScreenReader};

#[test]
fn a_match_of_choker_is_played_by_a_screen_reader_alone() {
    let session = PrivateBus::start("");
    let reader = ScreenReader::start(&session.address);
    let place = Place { bus: Some(session.address.clone()), ..Place::new() };
    let window = place.open(&["play", "--game", "choker", "--time", "300", "--players", "Ann,Bo"]);
    // Everything is bet at once. What is grave is asked, and the question can be read.
    reader.press("Cards are dealt");
    reader.hear(LABEL, "Ann: call 1, raise to 4 or more, or fold");
    reader.press("200 all-in");
    reader.press("Raise to 200");
    reader.hear(LABEL, "the whole stack: White raises to 200 and is all-in?");
    reader.press("Raise to 200");
    reader.press("Call 198");
    reader.press("Cards are dealt");
    reader.hear(LABEL, "Bo: deal one card each, first to White");
    reader.press("Cards are dealt");
    // Five cards each are turned over and placed.
    reader.press("Bo: press the clock");
    for (card, squares) in [
        ("queen", ["d1", "d8"]),
        ("rook", ["a1", "a8"]),
        ("knight", ["b1", "b8"]),
        ("pawn", ["a2", "a7"]),
        ("rook", ["h1", "h8"]),
    ] {
        for (side, square) in ["Ann", "Bo"].into_iter().zip(squares) {
            reader.press(&format!("Turn over {card}"));
            reader.press(&format!("{square}, possible square"));
            reader.press(&format!("{side}: press the clock"));
        }
    }
    reader.hear(LABEL, "Ann: make a move");
    reader.press("e2 white pawn");
    reader.press("e4, possible square");
    reader.press("Ann: press the clock");
    reader.hear(LABEL, "Bo: make a move");
    reader.press("Resign …");
    reader.press("Bo resigns");
    reader.hear(LABEL, "does Bo (Black) resign?");
    reader.press("Bo resigns");
    reader.hear(LABEL, "Ann wins");
    reader.hear(LABEL, "Chips: Ann 400 (+200), Bo 0 (−200)");
    let report = place.report();
    assert_eq!(report["stacks"], json!({"A": 400, "B": 0}));
    assert_eq!(report["games"][0]["moves"], json!(["e2e4"]));
    assert_eq!(report["games"][0]["outcome"], json!({"winner": "A", "reason": "resignation"}));
    place.verify();
    window.kill();
}
