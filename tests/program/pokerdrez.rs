//! PokerDrez as people run it: its options, an evening of simulated hands, the record and its exports, what is typed.
#![cfg(unix)]

use serde_json::Value;

use crate::child::{Table, name, printed};

#[test]
fn an_evening_of_simulated_hands_is_recorded_read_again_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (record, lines) = (folder.path().join("evening.tabiya"), folder.path().join("evening.jsonl"));
    let options = "play --headless --board sim --seed 4 --game pokerdrez --time 900 --games 2 --plies 40 \
        --stacks 60 --bets 2-9 --record";
    let arguments: Vec<&str> = options.split_whitespace().chain([name(&record)]).collect();
    let told = printed(&arguments, 0);
    assert!(told.contains("each game is played for 2 chips each, at most 9"), "{told}");
    assert!(told.contains("the cards are dealt; open: "), "{told}");
    printed(&["export", name(&record), "--format", "jsonl", "--out", name(&lines)], 0);
    let report: Value = serde_json::from_str(&printed(&["replay", name(&lines), "--json"], 0)).unwrap();
    let moves = report["games"][0]["cards"].as_array().map_or(0, Vec::len);
    assert!(moves > 5 && report["violations"].as_array().is_some_and(Vec::is_empty), "{report:#}");
    let pgn = printed(&["export", name(&record), "--format", "pgn"], 0);
    assert!(pgn.contains("[TabiyaGame \"pokerdrez\"]") && pgn.contains("lays a "), "{pgn}");
    let german = printed(&["replay", name(&record), "--language", "de"], 0);
    assert!(german.contains("die Karten sind gegeben; offen: "), "{german}");
    let spanish = printed(&["export", name(&record), "--format", "story", "--language", "es"], 0);
    assert!(spanish.contains("las cartas están dadas; abiertas: "), "{spanish}");
}

#[test]
fn wrong_terms_are_unusable() {
    for wrong in [
        &["--decks", "3"][..],
        &["--bets", "5-20"],
        &["--bets", "9-2", "--stacks", "50"],
        &["--bets", "five", "--stacks", "50"],
        &["--stuck", "never"],
    ] {
        printed(&[&["play", "--plain", "--game", "pokerdrez"][..], wrong].concat(), 2);
    }
}

#[test]
fn cards_are_typed_at_the_terminal() {
    let mut table =
        Table::start(&["play", "--game", "pokerdrez", "--plain", "--stacks", "100", "--bets", "5-20"]);
    table.enter_and_hear("remove c7", "Black takes the pawn on c7 off");
    table.enter_and_hear("keep", "White keeps all pawns");
    table.enter_and_hear("deal P N B R X", "the cards are dealt");
    table.enter_and_hear("e4", "White has laid no card for this move");
    table.enter_and_hear("raise by 3", "White raises to 8");
    table.enter_and_hear("call", "Black calls 3");
    table.enter_and_hear("lay P", "where does P come from?");
    table.enter_and_hear("2", "White lays a pawn from the row");
    table.enter_and_hear("e4", "White plays");
    table.enter_and_hear("Q", "White puts a queen into the row");
    table.enter_and_hear("press", "lay a card, or throw the die");
    table.enter_and_hear("roll 7", "a number from 1 to 6");
    table.enter_and_hear("throw 2", "Black throws 2 (knight)");
    table.enter_and_hear("own P", "Black lays a pawn from the hand");
    table.enter_and_hear("a6", "Black plays");
    table.enter_and_hear("press", "lay a card");
    table.enter_and_hear("swap row stock J", "neutral card of the row for a joker (the stock)");
    table.enter_and_hear("rule stock 9 counted again", "cards in the stock: 9");
    table.enter_and_hear("rule die black it lay there", "Black has the die");
    table.enter_and_hear("n", "where does N come from?");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn letters_of_the_language_are_cards() {
    let mut table = Table::start(&["play", "--game", "pokerdrez", "--plain", "--language", "de"]);
    table.enter_and_hear("deal B S L T X", "offen: Bauer, Springer, Läufer, Turm, neutrale Karte");
    table.enter_and_hear("row B", "Weiß legt aus der Kartenreihe: Bauer");
    table.enter_and_hear("e4", "e2e4");
    table.enter_and_hear("return D", "Weiß legt in die Kartenreihe: Dame");
    assert_eq!(table.quit().0.code(), Some(0));
}

#[test]
fn its_deck_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deck.svg");
    let written = printed(&["deck", "print", "--pack", "pokerdrez", "--out", name(&out)], 0);
    // 56 cards, nine to a sheet, and a sheet of backs for each.
    assert_eq!(written.lines().count(), 14);
    assert!(folder.path().join("deck-14.svg").exists());
    printed(&["deck", "print", "--pack", "tarot"], 2);
}

#[test]
fn the_map_of_poker_chess_is_printed_in_the_size_of_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("map.svg");
    let map =
        |more: &[&str], status| printed(&[&["deck", "map", "--out", name(&out)][..], more].concat(), status);
    assert_eq!(map(&[], 0).lines().count(), 6);
    let sheet = std::fs::read_to_string(folder.path().join("map-1.svg")).unwrap();
    assert!(sheet.contains("<svg"), "{sheet}");
    assert_eq!(map(&["--square", "35", "--deal", "royal-flush"], 0).lines().count(), 2);
    map(&["--square", "5"], 2);
    map(&["--deal", "nobody"], 2);
}
