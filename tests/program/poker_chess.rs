//! Poker Chess as people run it: its options, an evening of simulated hands, the record and its exports.
#![cfg(unix)]

use serde_json::Value;
use tabiya_engine::rules::poker_chess::{Deal, PlayingCard};

use crate::child::{Table, name, printed};

#[test]
fn an_evening_with_a_random_deal_is_played_recorded_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (record, lines) = (folder.path().join("evening.tabiya"), folder.path().join("evening.jsonl"));
    let told = printed(
        &[
            "play",
            "--headless",
            "--board",
            "sim",
            "--seed",
            "4",
            "--game",
            "poker-chess",
            "--deal",
            "random",
            "--wipeout",
            "7",
            "--time",
            "300+3",
            "--games",
            "2",
            "--plies",
            "30",
            "--record",
            name(&record),
        ],
        0,
    );
    assert!(told.contains("the cards lie as the terms list them"), "{told}");
    assert!(told.contains("hand 1: White "), "{told}");
    printed(&["export", name(&record), "--format", "jsonl", "--out", name(&lines)], 0);
    let text = std::fs::read_to_string(&lines).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let listed = header["terms"]["deal"].as_array().expect("a list");
    let cards: Vec<PlayingCard> =
        listed.iter().map(|card| PlayingCard::parse(card.as_str().unwrap()).unwrap()).collect();
    assert!(Deal::listed(&cards).is_some() && cards.len() == 26, "{header}");
    let report: Value = serde_json::from_str(&printed(&["replay", name(&lines), "--json"], 0)).unwrap();
    assert_eq!(report["games"][1]["deal"], header["terms"]["deal"]);
    assert!(report["games"][0]["hands"].as_object().is_some_and(|hands| hands.len() > 5), "{report:#}");
    let pgn = printed(&["export", name(&record), "--format", "pgn"], 0);
    assert!(pgn.contains("[Variant \"Standard\"]") && pgn.contains("{ [%clk"), "{pgn}");
    for (format, word) in [("story", "hand 1: White "), ("sheet", "whoever leads by 7")] {
        let text = printed(&["export", name(&record), "--format", format], 0);
        assert!(text.contains(word), "{format}: {text}");
    }
    let german = printed(&["replay", name(&record), "--language", "de"], 0);
    assert!(german.contains("Hand 1: Weiß "), "{german}");
}

#[test]
fn the_deals_are_listed_and_a_wrong_one_is_unusable() {
    let listed = printed(&["play", "--deal", "list"], 0);
    for part in
        ["corner-aces", "rande-schande", "twisted-corner-aces", "royal-flush", "7d Jd -- -- -- -- Jh 7h"]
    {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    for wrong in [["--deal", "nobody"], ["--deal", "Ah,Kh"], ["--wipeout", "0"], ["--choice", "worst"]] {
        printed(&[&["play", "--plain", "--game", "poker-chess"][..], &wrong].concat(), 2);
    }
}

#[test]
fn players_name_their_hands_at_the_terminal() {
    let mut table = Table::start(&["play", "--game", "poker-chess", "--plain", "--choice", "player"]);
    table.enter_and_hear("a3", "plays");
    table.enter_and_hear("a6", "name the pieces of the hand");
    table.enter_and_hear("choose a8 d8 e8 h8 e7", "Black chooses");
    table.enter_and_hear(
        "choose a1 d1 e1 h1 b2",
        "hand 1: White AATT5 (two pair), Black AATTK (two pair); Black wins it",
    );
    assert_eq!(table.quit().0.code(), Some(0));
}
