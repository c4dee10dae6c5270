//! The accounts of an evening (its table, the window's table, and each match's story, sheet, PGN and JSON), compared with one
//! another and with what a ledger and the outcomes say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tabiya_app::owing::Payment;

use crate::totals::{Totals, points, tabiya};

/// What the table of a match told when people had played it.
pub(crate) struct Told {
    pub(crate) pgn: String,
    pub(crate) story: String,
    pub(crate) sheet: String,
}

/// The accounts of an evening.
pub(crate) struct Accounts<'a> {
    record: PathBuf,
    matches: Vec<(Totals, &'a Told)>,
}

/// Returns an error with this text unless the condition holds.
macro_rules! agree {
    ($holds:expr, $($text:tt)*) => {
        if !$holds {
            return Err(format!($($text)*));
        }
    };
}

impl<'a> Accounts<'a> {
    /// Reads the evening's file. `told` has an element for each match in it.
    pub(crate) fn read(record: &Path, told: &'a [Told]) -> Self {
        let matches = (1..)
            .zip(told)
            .map(|(number, told): (usize, _)| (Totals::read(record, &number.to_string()), told));
        Self { record: record.to_owned(), matches: matches.collect() }
    }

    /// How many games the evening had.
    pub(crate) fn games(&self) -> usize {
        self.matches.iter().map(|(totals, _)| totals.games().len()).sum()
    }

    /// Whether a record does not say how the chips were when a ruling changed them.
    pub(crate) fn are_unsure(&self) -> bool {
        self.matches.iter().any(|(totals, _)| totals.ledger.unsure)
    }

    /// Compares all accounts of the games and the matches. `rows` is the window's table of the games.
    pub(crate) fn agree(&self, rows: &str) -> Result<(), String> {
        let mut rows = rows.lines().skip(1);
        for (number, (totals, told)) in self.matches.iter().enumerate() {
            let result = all_agree(totals, told, &mut rows);
            result.map_err(|how| {
                let lines: Vec<String> = totals.lines.iter().map(ToString::to_string).collect();
                format!("match {}: {how}\n{}\n{}", number + 1, lines.join("\n"), told.story)
            })?;
        }
        agree!(rows.next().is_none(), "the window's table has more games");
        Ok(())
    }

    /// Compares the chips and the payments with the ledger, and what `tabiya evening --csv` prints with both.
    pub(crate) fn settle(&self, chips: &BTreeMap<&str, i64>, payments: &[Payment]) -> Result<(), String> {
        let mut counted: BTreeMap<&str, ([u32; 3], i64)> = BTreeMap::new();
        for (totals, _) in &self.matches {
            for (seat, name) in totals.names().into_iter().enumerate() {
                let of = counted.entry(name).or_default();
                of.1 += if totals.for_chips() { totals.ledger.net()[seat] } else { 0 };
                for game in 0..totals.games().len() {
                    match (totals.winner(game), totals.half_points_of(game)) {
                        (Some(winner), _) => of.0[if winner == seat { 0 } else { 2 }] += 1,
                        (None, [1, 1]) => of.0[1] += 1,
                        (None, _) => {}
                    }
                }
            }
        }
        let sum: i64 = counted.values().map(|(_, chips)| chips).sum();
        agree!(sum == 0, "the winnings add up to {sum}: {counted:?}");
        let mut left: BTreeMap<&str, i64> =
            counted.iter().map(|(name, (_, chips))| (*name, *chips)).collect();
        let ledgers: Vec<_> =
            self.matches.iter().map(|(totals, _)| (totals.names(), &totals.lines, &totals.ledger)).collect();
        agree!(left == *chips, "the evening has {chips:?}, the ledgers {left:?}: {ledgers:?}");
        let mut rows: Vec<String> = counted
            .iter()
            .map(|(name, ([won, drawn, lost], chips))| format!("{name},{won},{drawn},{lost},{chips},,"))
            .collect();
        for Payment { from, to, chips } in payments {
            let paid = i64::try_from(*chips).expect("few");
            *left.get_mut(from.as_str()).ok_or("a stranger pays")? += paid;
            *left.get_mut(to.as_str()).ok_or("a stranger is paid")? -= paid;
            rows.push(format!("{from},,,,{chips},,{to}"));
        }
        agree!(left.values().all(|chips| *chips == 0), "after all payments {left:?} are left");
        let printed = tabiya(&["evening", "--csv"], &self.record);
        // Matches that are still open are listed last; they change no chips.
        let is_open = |row: &&str| row.ends_with(",,,,,,");
        let printed: Vec<&str> = printed.lines().skip(1).filter(|row| !is_open(row)).collect();
        // A player without a game has no row.
        rows.retain(|row| printed.contains(&row.as_str()) || !row.ends_with(",0,0,0,0,,"));
        agree!(printed == rows, "`tabiya evening` prints {printed:?} instead of {rows:?}");
        Ok(())
    }
}

/// Compares all accounts of a match.
fn all_agree<'a>(
    totals: &Totals,
    told: &Told,
    rows: &mut impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    totals.check()?;
    for game in 0..totals.games().len() {
        let row = rows.next().ok_or("the window's table has too few games")?;
        row_agrees(totals, game, row)?;
        story_agrees(totals, game, &told.story)?;
    }
    pgn_agrees(totals, &told.pgn)?;
    sheet_agrees(totals, told)?;
    end_agrees(totals, &told.story)
}

/// Compares a row of the window's table with the game's outcome and the ledger.
fn row_agrees(totals: &Totals, game: usize, row: &str) -> Result<(), String> {
    let cells: Vec<&str> = row.split(',').collect();
    let [_, _, _, number, _, _, winner, reason, _, chips @ .., points_a, points_b] = cells.as_slice() else {
        return Err(format!("a row of the window's table: {row}"));
    };
    agree!(*number == (game + 1).to_string(), "game {}: the window's table has {row}", game + 1);
    let outcome = &totals.games()[game]["outcome"];
    let name = totals.winner(game).map_or("", |seat| totals.names()[seat]);
    let word = outcome["reason"].as_str().unwrap_or("in progress");
    agree!((*winner, *reason) == (name, word), "game {}: the window's table has {row}", game + 1);
    let counted = totals.ledger.after[game].map(|chips| chips.to_string());
    agree!(chips == counted, "game {}: the window's table has {row}, the ledger {counted:?}", game + 1);
    let counts = !outcome.is_null() && reason != &"fouled-deck" && !totals.ledger.is_cancelled(game);
    let wanted = totals
        .half_points_of(game)
        .map(|half| if counts { (f64::from(half) / 2.0).to_string() } else { String::new() });
    agree!(
        [*points_a, *points_b] == wanted,
        "game {}: the window's table has {row}, not {wanted:?}",
        game + 1
    );
    Ok(())
}

/// Compares what the story says last of a game with its outcome and the ledger.
fn story_agrees(totals: &Totals, game: usize, story: &str) -> Result<(), String> {
    let begins = format!("  game {}: ", game + 1);
    let lines: Vec<&str> = story.lines().collect();
    let is_result = |line: &&str| line.contains(&begins) && !line.contains(" has White");
    let (Some(last), false) = (lines.iter().rposition(is_result), totals.games()[game]["outcome"].is_null())
    else {
        agree!(totals.games()[game]["outcome"].is_null(), "game {}: the story has no result", game + 1);
        return Ok(());
    };
    // What was taken back or ruled afterwards stands in lines of its own.
    let next = format!("  game {}: ", game + 2);
    let mut later = lines[last + 1..].iter().take_while(|line| !line.contains(&next));
    if later
        .any(|line| ["taken back", "restored", "the arbiter rules"].iter().any(|word| line.contains(word)))
    {
        return Ok(());
    }
    let line = lines[last].split_once(&begins).expect("a result").1;
    let wanted = totals.result_in_words(game);
    agree!(
        wanted.iter().all(|part| line.contains(part)),
        "game {}: the story says: {line}; not {wanted:?}",
        game + 1
    );
    if totals.for_chips() {
        let ([a, b], [chips_a, chips_b]) = (totals.names(), totals.ledger.after[game]);
        let stacks = format!("; {a} {chips_a}, {b} {chips_b}");
        agree!(line.ends_with(&stacks), "game {}: the story says: {line}; not {stacks}", game + 1);
    }
    Ok(())
}

/// Compares the last line of the story with the totals, if the match is over.
fn end_agrees(totals: &Totals, story: &str) -> Result<(), String> {
    let Some(line) = story.lines().rfind(|line| line.contains("  the match is over: ")) else {
        return Ok(());
    };
    if totals.report["phase"] != "match-over" {
        return Ok(());
    }
    let [a, b] = totals.names();
    let wanted = if totals.for_chips() {
        let [chips_a, chips_b] = totals.ledger.has();
        format!("the match is over: {a} has {chips_a} chips, {b} has {chips_b}")
    } else {
        let [points_a, points_b] = totals.half_points().map(points);
        format!("the match is over: {a} {points_a}, {b} {points_b}")
    };
    agree!(line.ends_with(&wanted), "the story ends with: {line}; not: {wanted}");
    Ok(())
}

/// Compares the results and the stacks of the PGN with the outcomes and the ledger.
fn pgn_agrees(totals: &Totals, pgn: &str) -> Result<(), String> {
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    let begun = totals.games().len() - usize::from(totals.last_is_untouched() && totals.games().len() > 1);
    agree!(games.len() == begun, "the PGN has {} games, the report {begun}", games.len());
    for (game, text) in games.iter().enumerate() {
        let tag = |name: &str| {
            let after = text.split_once(&format!("[{name} \""));
            after.and_then(|(_, rest)| rest.split_once('"')).map(|(value, _)| value)
        };
        let white = usize::from(totals.games()[game]["white"] == "B");
        let seats = (tag("White"), tag("Black"));
        let names = totals.names();
        agree!(
            seats == (Some(names[white]), Some(names[1 - white])),
            "game {}: the PGN has {seats:?}",
            game + 1
        );
        let wanted = match (totals.winner(game), totals.half_points_of(game)) {
            (Some(winner), _) => {
                if winner == white {
                    "1-0"
                } else {
                    "0-1"
                }
            }
            (None, [1, 1]) => "1/2-1/2",
            (None, _) => "*",
        };
        agree!(
            tag("Result") == Some(wanted),
            "game {}: the PGN has the result {:?}, not {wanted}",
            game + 1,
            tag("Result")
        );
        agree!(
            text.trim_end().ends_with(wanted),
            "game {}: the PGN's moves do not end with {wanted}",
            game + 1
        );
        if totals.for_chips() && !totals.games()[game]["outcome"].is_null() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let after = totals.ledger.after[game];
            let (first, second) = (white, 1 - white);
            let stacks =
                format!("Stacks: {} {}, {} {}.", names[first], after[first], names[second], after[second]);
            let told = text.rfind("Stacks: ").map_or("", |at| &text[at..]);
            agree!(told.starts_with(&stacks), "game {}: the PGN ends with: {told}; not: {stacks}", game + 1);
        }
    }
    Ok(())
}

/// Compares the sheet with the record's header, and its head with that of the PGN.
fn sheet_agrees(totals: &Totals, told: &Told) -> Result<(), String> {
    let [a, b] = totals.names();
    let sheet = &told.sheet;
    agree!(sheet.contains(&format!("{a} (A) against {b} (B)")), "the sheet names other players: {sheet}");
    let stacks = &totals.lines[0]["terms"]["stacks"];
    if totals.lines[0]["game"] == "choker" {
        let wanted = format!("stacks: A {}, B {}", stacks["A"], stacks["B"]);
        agree!(sheet.contains(&wanted), "the sheet has not the stacks {wanted}: {sheet}");
    }
    let head = sheet.lines().find_map(|line| line.strip_prefix("head of the record: ")).unwrap_or_default();
    agree!(!head.is_empty(), "the sheet has no head: {sheet}");
    let games = told.pgn.matches("[Event ").count();
    let same = told.pgn.matches(&format!("[TabiyaHead \"{head}\"]")).count();
    agree!(same == games, "{same} of {games} games of the PGN have the head of the sheet");
    // A match whose clocks run when people leave it is paused, which is one line more.
    let known = totals.lines.iter().rev().take(2).any(|line| line["x-hash"] == *head);
    agree!(totals.lines.len() <= 2 || known, "the record does not end with the sheet's head {head}");
    Ok(())
}
