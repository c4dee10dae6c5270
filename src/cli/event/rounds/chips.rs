//! Events in which chips are won: standings, `tabiya event blinds` and `tabiya event prizes`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use tabiya_event::rounds::book::RoundBook;
use tabiya_event::rounds::chips::{ChipStanding, standings as order_of};
use tabiya_event::rounds::{levels, prizes as money};

use super::super::super::output::{ExitFailure, print_line, unusable};
use super::super::find;
use super::print_json;

fn name(book: &RoundBook, number: u32) -> &str {
    let player = book.players().iter().find(|player| player.number == number);
    player.map_or("", |player| player.name.as_str())
}

/// Prints the standings by match points and chips.
pub(super) fn standings(book: &RoundBook, as_json: bool) -> Result<(), ExitFailure> {
    let order = order_of(book);
    if as_json {
        let row = |one: &ChipStanding| {
            json!({
                "rank": one.rank, "id": one.number, "name": name(book, one.number), "points": one.points,
                "tiebreaks": {"CHIPS": one.chips, "CHIPS/DE": one.among},
            })
        };
        let rows: Vec<Value> = order.iter().map(row).collect();
        return print_json(&json!({
            "edition": null, "round": book.paired(), "rounds": book.plan().rounds,
            "system": book.plan().system.word(), "tiebreaks": ["CHIPS", "CHIPS/DE"], "standings": rows, "faults": [],
        }));
    }
    for one in &order {
        let text = format!(
            "{:>4}  {:<32} {:>3}  {:+} chips",
            one.rank,
            name(book, one.number),
            one.points,
            one.chips
        );
        print_line(&tabiya_types::harmless(&text))?;
    }
    Ok(())
}

/// Arguments of `tabiya event blinds`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct BlindsArguments {
    /// How many seconds the levels' clock has run.
    #[arg(long, value_name = "SECONDS")]
    at: u64,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Prints the level in force.
pub(super) fn blinds(arguments: &BlindsArguments) -> Result<(), ExitFailure> {
    let book = find(arguments.event.as_ref())?.rounds().map_err(unusable)?;
    let level = levels::in_force(&book.plan().levels, arguments.at).ok_or_else(|| {
        ExitFailure::unusable(
            "this event has no levels; `tabiya event new --levels 600/1/2,600/2/4` makes one that has",
        )
    })?;
    if arguments.json {
        return print_json(&json!({
            "level": level.level, "small": level.small, "big": level.big, "left": level.left, "break": level.is_break,
        }));
    }
    let left = level.left.map_or_else(|| "to the end".to_owned(), |left| format!("{left} s left"));
    let pause = if level.is_break { ", break" } else { "" };
    print_line(&format!("level {}: {}/{}, {left}{pause}", level.level, level.small, level.big))
}

/// Arguments of `tabiya event prizes`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct PrizesArguments {
    /// The event's folder.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Prints the prizes by the standings so far.
pub(super) fn prizes(arguments: &PrizesArguments) -> Result<(), ExitFailure> {
    let book = find(arguments.event.as_ref())?.rounds().map_err(unusable)?;
    let Some(paid) = &book.plan().money else {
        return Err(ExitFailure::unusable(
            "this event has no money; `tabiya event new --money 200 --shares 50,30,20` makes one that has",
        ));
    };
    let pool = money::pool(paid.paid, paid.rules.fee);
    let places = money::places(pool, &paid.rules);
    let order = order_of(&book);
    let groups: Vec<Vec<u32>> = order
        .chunk_by(|one, other| one.rank == other.rank)
        .map(|group| group.iter().map(|one| one.number).collect())
        .collect();
    let all = money::prizes(&places, &groups, paid.rules.unit);
    if arguments.json {
        let rows: Vec<Value> = all
            .iter()
            .map(|(number, prize)| json!({"id": number, "name": name(&book, *number), "prize": prize}))
            .collect();
        return print_json(&json!({"pool": pool, "places": places, "prizes": rows}));
    }
    print_line(&format!("in the pool: {pool}"))?;
    all.iter().filter(|(_, prize)| *prize > 0).try_for_each(|(number, prize)| {
        print_line(&tabiya_types::harmless(&format!("{prize:>8}  {}", name(&book, *number))))
    })
}
