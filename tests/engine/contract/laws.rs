//! Laws that hold for any session (property tests). `TABIYA_CASES=2000` tries more sessions than usual.

use proptest::prelude::*;
use serde_json::{Value, json};
use tabiya_engine::record::actions::legal_line;
use tabiya_engine::record::report::report;
use tabiya_engine::record::{Checkpoints, Line, Replay, Stop};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Color, Instant};

use crate::support::random::{Chance, Style, concrete, drez, session, subsets};

/// The games whose random sessions are tried.
const ALL_GAMES: [&str; 5] = ["choker", "chess", "poker-chess", "pokerdrez", "chess-joker"];

fn cases() -> ProptestConfig {
    let cases = std::env::var("TABIYA_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn fold(lines: &[String]) -> Replay {
    let mut replay = Replay::begin(&lines[0], GAMES).expect("a header");
    for (number, line) in (2..).zip(&lines[1..]) {
        match replay.feed(number, line) {
            Ok(()) | Err(Stop::Refused(_)) => {}
            Err(Stop::Unusable(error)) => panic!("{error}"),
        }
    }
    replay
}

/// The number of all chips: the stacks and the pot of the running game.
fn chips(replay: &Replay) -> u64 {
    let stakes = replay.table().game().stakes();
    u64::from((stakes.stacks.white + stakes.stacks.black + stakes.pot()).0)
}

fn at(replay: &Replay, mut line: Value) -> String {
    line["t"] = replay.last_t().millis().into();
    line.to_string()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn chips_are_neither_made_nor_lost(
        seed: u64, steps in 1..250_usize,
        game in prop::sample::select(&["choker", "pokerdrez"][..]),
    ) {
        let (lines, replay) = session(seed, steps, game, Style::ALL);
        let begun = Replay::begin(&lines[0], GAMES).expect("a header");
        prop_assert_eq!(chips(&begun), chips(&replay), "seed {}", seed);
        for past in replay.table().past_games() {
            let stakes = past.game.stakes();
            prop_assert_eq!(stakes.contributed.white, stakes.contributed.black);
            prop_assert_eq!(
                stakes.contributed.white + stakes.contributed.black,
                stakes.awarded.white + stakes.awarded.black
            );
        }
    }

    #[test]
    fn a_session_read_back_from_its_text_ends_the_same(
        seed: u64, steps in 1..250_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (lines, replay) = session(seed, steps, game, Style::ALL);
        let header = replay.header();
        let rewritten: Vec<String> = lines[1..]
            .iter()
            .map(|line| Line::parse(line, header).expect("a line of ours").to_string())
            .collect();
        prop_assert_eq!(&rewritten[..], &lines[1..], "a line reads back as it was written");
        prop_assert_eq!(fold(&lines).report(), replay.report(), "seed {}", seed);
    }

    #[test]
    fn everything_legal_is_accepted(
        seed: u64, steps in 1..150_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (_, replay) = session(seed, steps, game, Style::ALL);
        let mut chance = Chance::new(seed);
        for legal in replay.table().legal() {
            for _ in 0..3 {
                let mut line = match game {
                    "pokerdrez" => drez::concrete(&mut chance, &replay, &legal),
                    _ => concrete(&mut chance, &legal),
                };
                match line["do"].as_str() {
                    // A card that nobody knows can always be drawn; others may have been in the game before.
                    Some("draw") => line = json!({"do": "draw", "by": line["by"], "card": "?"}),
                    // What an unwritten card does is not listed.
                    Some("play") if legal_line(&legal)["first"].is_null() => continue,
                    _ => {}
                }
                let line = at(&replay, line);
                let accepted = replay.clone().feed(9999, &line);
                prop_assert!(accepted.is_ok(), "seed {}: {} refused: {:?}", seed, line, accepted);
            }
        }
    }

    #[test]
    fn everything_accepted_is_legal(
        seed: u64, steps in 1..150_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (_, replay) = session(seed, steps, game, Style::ALL);
        let legal: Vec<Value> =
            replay.report()["legal"].as_array().expect("a list").clone();
        for line in all_lines(game).into_iter().chain(all_choices(&replay)) {
            let mut then = replay.clone();
            if then.feed(9999, &at(&replay, line.clone())).is_err() {
                continue;
            }
            let does_nothing = line["do"] == "press" && then.table().turn() == replay.table().turn()
                && then.table().clock().turn() == replay.table().clock().turn();
            // Two inputs have another name in the list of legal inputs: a call with nothing to call is listed as a
            // check, and a raise of the whole stack is listed as an all-in.
            let another_name = line["action"] == "call" && legal.iter().any(|entry| entry["action"] == "check")
                || line["action"] == "raise" && legal.iter().any(|entry| entry["action"] == "all-in");
            prop_assert!(
                does_nothing || another_name || legal.iter().any(|entry| covers(entry, &line)),
                "seed {}: {} was accepted, but is not in {}", seed, line, Value::from(legal)
            );
        }
    }

    #[test]
    fn undo_then_redo_changes_nothing(
        seed: u64, steps in 1..200_usize, times in 1..6_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (_, mut replay) = session(seed, steps, game, Style::ALL);
        let tick = at(&replay, json!({"do": "tick"}));
        prop_assert!(replay.feed(9000, &tick).is_ok());
        let before = replay.report();
        let undone = (0..times)
            .take_while(|_| {
                let undo = at(&replay, json!({"do": "undo"}));
                replay.feed(9001, &undo).is_ok()
            })
            .count();
        let violations = replay.violations().len();
        for _ in 0..undone {
            let redo = at(&replay, json!({"do": "redo"}));
            let redone = replay.feed(9002, &redo).is_ok();
            prop_assert!(redone, "seed {}", seed);
        }
        prop_assert_eq!(replay.violations().len(), violations);
        let mut after = replay.report();
        after["violations"] = before["violations"].clone();
        prop_assert_eq!(after, before, "seed {}", seed);
    }

    #[test]
    fn undoing_everything_leaves_the_table_as_it_began(
        seed: u64, steps in 1..200_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (lines, mut replay) = session(seed, steps, game, Style::ALL);
        let undo = at(&replay, json!({"do": "undo"}));
        while replay.feed(9001, &undo).is_ok() {}
        let mut after = replay.report();
        let mut begun = Replay::begin(&lines[0], GAMES).expect("a header").report();
        for report in [&mut after, &mut begun] {
            report["violations"] = Value::Null;
            report["notes"] = Value::Null;
        }
        prop_assert_eq!(after, begun, "seed {}", seed);
    }

    #[test]
    fn an_undo_keeps_a_session_replayable(
        seed: u64, steps in 40..250_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let style = Style { undo: true, ..Style::PLAIN };
        let (lines, replay) = session(seed, steps, game, style);
        prop_assert_eq!(fold(&lines).report(), replay.report(), "seed {}", seed);
    }

    #[test]
    fn looking_back_shows_the_table_as_it_was_after_each_line(
        seed: u64, steps in 1..400_usize,
        game in prop::sample::select(&ALL_GAMES[..]),
    ) {
        let (texts, _) = session(seed, steps, game, Style::ALL);
        let mut replay = Replay::begin(&texts[0], GAMES).expect("a header");
        let mut checkpoints = Checkpoints::new(replay.table());
        let (mut lines, mut tables) = (Vec::new(), vec![replay.table().clone()]);
        for (nth, text) in texts[1..].iter().enumerate() {
            let mut line = Line::parse(text, replay.header()).expect("a line");
            // Every ninth line gets the id `0` or `1`. A line whose id an earlier line already has is skipped.
            line.id = (nth % 9 == 8).then(|| (nth % 2).to_string());
            let before = replay.clone();
            let number = u32::try_from(lines.len()).expect("few") + 2;
            match replay.take_before(number, &line, &mut checkpoints) {
                Ok(_) => {
                    tables.push(replay.table().clone());
                    lines.push(line);
                }
                // The rules refuse this line, so it does not become part of the record. But the line has already let
                // time pass on the clocks. Restoring `before` takes this time back, too.
                Err(_) => replay = before,
            }
        }
        for (count, table) in tables.iter().enumerate() {
            let at = lines[..count].last().map_or(Instant::ZERO, Line::moment);
            let then = checkpoints.table_after(&lines, count).expect("there are that many lines");
            prop_assert_eq!(report(&then, at, &[], &[]), report(table, at, &[], &[]), "seed {}, {}", seed, count);
        }
        prop_assert!(checkpoints.table_after(&lines, tables.len()).is_none());
    }

    #[test]
    fn time_is_neither_made_nor_lost(seed: u64, moves in 0..40_u64, base in 30..400_u64, plus in 0..9_u64) {
        let time = if plus > 0 { format!("{base}+{plus}") } else { base.to_string() };
        let mut run = crate::support::begin(&crate::support::header(&format!("clock, time {time}")));
        let mut chance = Chance::new(seed);
        let mut t = chance.below(5000);
        crate::support::feed(&mut run, json!({"t": t, "do": "press", "by": "black"}).to_string());
        let (started, mut presses, mut color) = (t, 0, Color::White);
        for _ in 0..moves {
            t += chance.below(9000);
            crate::support::feed(&mut run, json!({"t": t, "do": "press", "by": color.word()}).to_string());
            if run.replay.table().clock().flag().is_some() {
                return Ok(());
            }
            (presses, color) = (presses + 1, color.other());
        }
        let (white, black) = run.clocks();
        let given = 2 * base * 1000 + (2 + presses) * plus * 1000;
        prop_assert_eq!(white + black, given - (t - started), "seed {}", seed);
    }
}

/// Whether `entry`, one of the legal inputs, allows `line`. In place of a single value, an entry may contain a range or
/// a list of values.
fn covers(entry: &Value, line: &Value) -> bool {
    let (Some(entry), Some(line)) = (entry.as_object(), line.as_object()) else { return false };
    let same_play = || entry["do"] == line["do"] && entry["by"] == line["by"];
    match line["do"].as_str() {
        Some("draw") => return same_play(),
        // An unwritten card may do anything; a written one begins with a step that is listed.
        Some("play") => {
            let first = entry.get("first").and_then(Value::as_array);
            let begins = first.is_none_or(|first| first.contains(&line["steps"][0]));
            return same_play() && begins && (first.is_none() || entry.get("as") == line.get("as"));
        }
        _ => {}
    }
    if let Some(squares) = line.get("squares") {
        let (entry, mut set) = (Value::from(entry.clone()), squares.as_array().expect("a list").clone());
        let same = entry["do"] == line["do"] && entry["by"] == line["by"];
        set.sort_by_key(ToString::to_string);
        return same && crate::support::random::sets_of(&entry).iter().any(|wanted| *set == **wanted);
    }
    if ["show", "deal"].iter().any(|word| line["do"] == *word) {
        return entry["do"] == line["do"] && entry.get("by") == line.get("by");
    }
    entry.len() == line.len()
        && entry.iter().all(|(name, wanted)| match (wanted, line.get(name)) {
            (Value::Array(range), Some(Value::Number(to))) => {
                let to = to.as_u64();
                range[0].as_u64() <= to && to <= range[1].as_u64()
            }
            (Value::Array(list), Some(value)) => list.contains(value),
            (wanted, value) => Some(wanted) == value,
        })
}

/// Every line that players could enter, in canonical form: all bets up to 130, all cards, pieces, squares and moves.
fn all_lines(game: &str) -> Vec<Value> {
    let squares: Vec<String> = tabiya_types::Square::all().map(|square| square.to_string()).collect();
    let mut lines = vec![json!({"do": "next"})];
    if game == "choker" {
        lines.push(json!({"do": "deal"}));
    }
    if game == "pokerdrez" {
        lines.extend(drez::all_lines(&squares));
    }
    if game == "chess-joker" {
        lines.extend(all_joker_lines(&squares));
    }
    for by in ["white", "black"] {
        for verb in ["press", "resign", "offer-draw", "accept-draw", "decline-draw", "claim-draw"] {
            lines.push(json!({"do": verb, "by": by}));
        }
        if matches!(game, "choker" | "pokerdrez") {
            for action in ["fold", "check", "call", "all-in"] {
                lines.push(json!({"do": "bet", "by": by, "action": action}));
            }
            for to in 0..130 {
                lines.push(json!({"do": "bet", "by": by, "action": "raise", "to": to}));
            }
        }
        if game == "choker" {
            for letter in ["Q", "R", "B", "N", "P"] {
                lines.push(json!({"do": "reveal", "by": by, "card": letter}));
                for at in &squares {
                    lines.push(json!({"do": "place", "by": by, "piece": letter, "at": at}));
                }
            }
        }
        for from in &squares {
            for to in &squares {
                if from != to {
                    lines.push(json!({"do": "move", "by": by, "uci": format!("{from}{to}")}));
                    if (from.ends_with('7') && to.ends_with('8'))
                        || (from.ends_with('2') && to.ends_with('1'))
                    {
                        for role in ["q", "r", "b", "n"] {
                            lines.push(json!({"do": "move", "by": by, "uci": format!("{from}{to}{role}")}));
                        }
                    }
                }
            }
        }
    }
    lines
}

/// Every line with which a player could choose up to five of his pieces, if hands are chosen now.
fn all_choices(replay: &Replay) -> Vec<Value> {
    if replay.table().phase().word() != "hand" {
        return Vec::new();
    }
    let board = replay.table().board();
    let mut lines = Vec::new();
    for by in Color::ALL {
        let own: Vec<String> =
            board.pieces().filter(|(_, piece)| piece.color == by).map(|(at, _)| at.to_string()).collect();
        for squares in (1..=5).flat_map(|count| subsets(&own, count)) {
            lines.push(json!({"do": "choose", "by": by.word(), "squares": squares}));
        }
    }
    lines
}

/// Every answer and claim, draws of cards, and every step of one piece as a play.
fn all_joker_lines(squares: &[String]) -> Vec<Value> {
    let mut lines = Vec::new();
    for by in ["white", "black"] {
        for verb in ["confirm", "reject", "check"] {
            lines.push(json!({"do": verb, "by": by}));
        }
        lines.push(json!({"do": "check", "by": by, "mate": true}));
        lines.push(json!({"do": "draw", "by": by, "card": "?"}));
        lines.push(json!({"do": "play", "by": by, "steps": []}));
        for mask in [Value::Null, json!({"N": "P"}), json!({"B": "Q"}), json!({"Q": "K"}), json!({"R": "N"})]
        {
            for (from, to) in squares.iter().flat_map(|from| squares.iter().map(move |to| (from, to))) {
                if from != to {
                    let mut play = json!({"do": "play", "by": by, "steps": [format!("{from}{to}")]});
                    if !mask.is_null() {
                        play["as"] = mask.clone();
                    }
                    lines.push(play);
                }
            }
        }
    }
    lines
}
