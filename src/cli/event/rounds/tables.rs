//! `tabiya event standings` and `tabiya event ratings`.

use clap::Args;
use serde_json::{Map, Value, json};
use tabiya_event::rounds::crosstable::System;
use tabiya_event::rounds::ratings::{Curve, changes};
use tabiya_event::rounds::standings::code::{Kind, TieBreak};
use tabiya_event::rounds::standings::{Edition, standings as order_of};

use super::super::super::output::{ExitFailure, print_line};
use super::{Source, Tournament, chips, print_json};

/// The tie-breaks of a tournament that names none.
const USUAL: &str = "BH/C1,BH,SB,DE";

/// Arguments of `tabiya event standings`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct StandingsArguments {
    #[command(flatten)]
    source: Source,
    /// The tie-breaks by FIDE's codes; without it those of the file, else BH/C1,BH,SB,DE.
    #[arg(long, value_name = "LIST")]
    tiebreaks: Option<String>,
    /// The edition of FIDE's tie-break regulations: 2024 or 2026; without it by the tournament's first day.
    #[arg(long, value_name = "YEAR")]
    edition: Option<String>,
    /// After this round; without it after the last one.
    #[arg(long, value_name = "ROUND")]
    round: Option<usize>,
    /// The system: swiss or round-robin; without it what the file says.
    #[arg(long, value_name = "SYSTEM")]
    system: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Prints the standings.
pub(super) fn standings(arguments: &StandingsArguments) -> Result<(), ExitFailure> {
    if let Some(book) = arguments.source.chips()? {
        return chips::standings(&book, arguments.json);
    }
    let Tournament { file, mut table, tiebreaks } = arguments.source.tournament()?;
    let faults = file.faults();
    if let Some(system) = &arguments.system {
        table.system = System::read(system).ok_or_else(|| {
            ExitFailure::unusable(format!(
                "--system {system}: there is no such system; use swiss or round-robin"
            ))
        })?;
    }
    if let Some(round) = arguments.round {
        if round > table.rounds {
            return Err(ExitFailure::unusable(format!(
                "--round {round}: {} rounds have been played; give one of them",
                table.rounds
            )));
        }
        table = table.after(round);
    }
    let edition = match &arguments.edition {
        Some(year) => Edition::read(year)
            .ok_or_else(|| ExitFailure::unusable(format!("--edition {year}: use 2024 or 2026")))?,
        None => Edition::on(file.header().begins.as_deref()),
    };
    let of_file = || file.header().tiebreaks.as_ref().map(|list| list.join(","));
    let codes = match (&arguments.tiebreaks, tiebreaks) {
        (None, Some(planned)) => planned,
        (named, _) => {
            let list = named.clone().or_else(of_file);
            TieBreak::list(list.as_deref().unwrap_or(USUAL)).map_err(ExitFailure::unusable)?
        }
    };
    let order = order_of(&table, &codes, edition);
    let shown: Vec<&TieBreak> = codes.iter().filter(|code| code.kind != Kind::Pts).collect();
    let rows: Vec<Value> = order
        .iter()
        .map(|standing| {
            let player = table.players.get(standing.player);
            let values = codes.iter().zip(&standing.values);
            let valued = values.filter(|(code, _)| !matches!(code.kind, Kind::Pts | Kind::De));
            let tiebreaks: Map<String, Value> = valued
                .map(|(code, value)| (code.to_string(), value.map_or(Value::Null, |value| value.json())))
                .collect();
            json!({
                "rank": standing.rank, "id": player.map(|player| player.number),
                "name": player.map(|player| player.name.as_str()),
                "points": standing.points.json(), "tiebreaks": tiebreaks,
            })
        })
        .collect();
    if arguments.json {
        let names: Vec<String> = shown.iter().map(ToString::to_string).collect();
        return print_json(&json!({
            "edition": edition.word(), "round": table.rounds, "rounds": table.planned,
            "system": table.system.word(), "tiebreaks": names, "standings": rows, "faults": faults,
        }));
    }
    print_line(&format!("after round {} of {}, by C.07 of {}", table.rounds, table.planned, edition.word()))?;
    for standing in &order {
        let Some(player) = table.players.get(standing.player) else { continue };
        let values =
            codes.iter().zip(&standing.values).filter(|(code, _)| !matches!(code.kind, Kind::Pts | Kind::De));
        let values: Vec<String> = values
            .map(|(code, value)| {
                format!("{code} {}", value.map_or_else(|| "-".to_owned(), |value| value.to_string()))
            })
            .collect();
        print_line(&tabiya_types::harmless(&format!(
            "{:>4}  {:<32} {:>5}  {}",
            standing.rank,
            player.name,
            standing.points.to_string(),
            values.join("  ")
        )))?;
    }
    faults.iter().try_for_each(|fault| print_line(&format!("note: {fault}")))
}

/// Arguments of `tabiya event ratings`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct RatingsArguments {
    #[command(flatten)]
    source: Source,
    /// How results are expected: fide (its table), logistic.
    #[arg(long, value_name = "METHOD", default_value = "fide")]
    method: String,
    /// The development coefficient.
    #[arg(long, value_name = "NUMBER", default_value_t = 20.0)]
    k: f64,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Prints what each rated player wins or loses.
pub(super) fn ratings(arguments: &RatingsArguments) -> Result<(), ExitFailure> {
    let table = arguments.source.tournament()?.table;
    let curve = match arguments.method.as_str() {
        "fide" => Curve::Fide,
        "logistic" => Curve::Logistic,
        other => {
            return Err(ExitFailure::unusable(format!("--method {other}: use fide or logistic")));
        }
    };
    if !(arguments.k.is_finite() && (0.0..=1000.0).contains(&arguments.k)) {
        return Err(ExitFailure::unusable(format!("--k {}: use a number from 0 to 1000", arguments.k)));
    }
    let all = changes(&table, curve, arguments.k);
    if arguments.json {
        let of = |change: f64| (change * 100.0).round() / 100.0;
        let rows: Map<String, Value> = all
            .iter()
            .map(|one| (one.number.to_string(), json!({"change": of(one.change), "rating": one.rating})))
            .collect();
        return print_json(&Value::Object(rows));
    }
    for one in &all {
        print_line(&format!("{:>4}  {:+.1}  {}", one.number, one.change, one.rating))?;
    }
    Ok(())
}
