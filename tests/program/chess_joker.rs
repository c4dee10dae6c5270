//! Chess Joker as people run it: its options, an evening of simulated hands, typed words, the record, the card files.
#![cfg(unix)]

use serde_json::Value;

use crate::child::{Table, name, printed, tabiya};

const PRINTED: &str = "fixtures/chess-joker/cards/printed.toml";
const INVENTED: &str = "fixtures/chess-joker/cards/invented.json";

#[test]
fn an_evening_of_simulated_hands_is_played_recorded_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (record, lines) = (folder.path().join("evening.tabiya"), folder.path().join("evening.jsonl"));
    let played =
        ["play", "--headless", "--board", "sim", "--seed", "1", "--game", "chess-joker", "--cards", INVENTED];
    let rest = ["--time", "300+3", "--games", "1", "--plies", "8", "--record", name(&record)];
    let told = printed(&[&played[..], &rest].concat(), 0);
    assert!(told.contains("the effects are those of invented.json"), "{told}");
    assert!(told.contains(" plays the card") && told.contains(" draws "), "{told}");
    printed(&["export", name(&record), "--format", "jsonl", "--out", name(&lines)], 0);
    let report: Value = serde_json::from_str(&printed(&["replay", name(&lines), "--json"], 0)).unwrap();
    let uses = report["games"][0]["moves"].as_array().unwrap().iter();
    assert!(uses.filter(|one| one.as_str().unwrap().contains(':')).count() > 0, "{report:#}");
    assert_eq!(report["violations"], Value::Array(Vec::new()));
    // The board's evidence alone tells the same uses.
    let text = std::fs::read_to_string(&lines).unwrap();
    assert!(!text.contains("Warp your") && text.contains("\"effect\":"));
    for (format, word) in [("story", "plays the card"), ("sheet", "invented.json"), ("pgn", "chess-joker")] {
        let text = printed(&["export", name(&record), "--format", format], 0);
        assert!(text.contains(word), "{format}: {text}");
    }
    let german = printed(&["replay", name(&record), "--language", "de"], 0);
    assert!(german.contains(" vom Stapel"), "{german}");
}

#[test]
fn cards_are_typed_at_the_terminal() {
    let mut table = Table::start(&["play", "--game", "chess-joker", "--plain", "--cards", PRINTED]);
    table.enter_and_hear("e4", "White plays e2e4 (1. e4)");
    table.enter_and_hear("Nc6", "Black plays b8c6 (1… Nc6)");
    table.enter_and_hear("card vy", "Black draws VY (25 Elo); deck: 255");
    table.enter_and_hear("Nf3", "White plays g1f3");
    table.enter_and_hear("card QX", "White draws QX");
    table.enter_and_hear("play c6d2", "Black plays the card: c6d2");
    table.hear("Black scores the card VY face up: +25; 25 of 800");
    table.enter_and_hear("show", "points: White 0, Black 25 of 800   deck: 254");
    table.hear("cards: White QX, Black none");
    table.hear("scored: White none, Black VY");
    table.enter_and_hear("card AB 50 warp knite", "the effect cannot be read");
    table.enter_and_hear("card AB 50 warp *knight to center", "Black draws AB (50 Elo)");
    table.enter_and_hear("play f3e5 elo 75", "does the card of White say so?");
    table.enter_and_hear("confirm", "Black agrees");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn a_card_file_is_checked_card_by_card() {
    for file in [PRINTED, INVENTED] {
        assert!(printed(&["joker", "check", file], 0).contains("0 faults"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ours.csv");
    std::fs::write(&path, "code;elo;effect\nVY;25;warp knite to center\nVX;2000;\n").unwrap();
    let told = printed(&["joker", "check", name(&path)], 1);
    assert!(
        told.contains("card 1 (VY): `effect` cannot be read") && told.contains("         ^^^^^"),
        "{told}"
    );
    assert!(told.contains("card 2 (VX): `elo` must be"), "{told}");
    let told = printed(&["joker", "check", name(&path), "--language", "de"], 1);
    assert!(told.contains("Karte 1 (VY): `effect` ist nicht zu lesen: `knite`: hier muss"), "{told}");
    let told = printed(&["joker", "check", name(&path), "--language", "es"], 1);
    assert!(told.contains("carta 2 (VX): `elo` tiene que ser un número entero"), "{told}");
    printed(&["joker", "check", "Cargo.lock"], 2);
    // What is wrong with the file is told where a match begins, in the same words.
    std::fs::write(&path, "elo\n25\n").unwrap();
    let play = ["play", "--plain", "--game", "chess-joker", "--cards", name(&path), "--language"];
    for (language, told) in [
        ("en", "the first line must name the fields, `code` among them"),
        ("de", "die erste Zeile muss die Felder nennen, darunter `code`"),
        ("es", "la primera línea tiene que nombrar los campos, entre ellos `code`"),
    ] {
        let refused = tabiya(&[&play[..], &[language]].concat());
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains(told), "{language}: {said}");
    }
    printed(&["play", "--plain", "--game", "chess-joker", "--cards", "nobody.toml"], 2);
    printed(&["play", "--plain", "--game", "chess-joker", "--confirm", "arbiter"], 2);
}
