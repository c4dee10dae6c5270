//! `tabiya event standings` and `tabiya event ratings`.

use clap::Args;
use serde_json::{Map, Value, json};
use tabiya_event::rounds::crosstable::{Crosstable, System};
use tabiya_event::rounds::points::Points;
use tabiya_event::rounds::ratings::glicko::Glicko;
use tabiya_event::rounds::ratings::{Curve, RatingChange, changes, glicko_ratings};
use tabiya_event::rounds::standings::code::{TieBreak, TieBreakKind};
use tabiya_event::rounds::standings::{Edition, Standing, standings as order_of};

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

/// Standings as they are printed.
struct Shown {
    table: Crosstable,
    codes: Vec<TieBreak>,
    edition: Edition,
    order: Vec<Standing>,
    faults: Vec<String>,
}

/// Prints the standings.
pub(super) fn standings(arguments: &StandingsArguments) -> Result<(), ExitFailure> {
    if let Some(book) = arguments.source.chips()? {
        return chips::standings(&book, arguments.json);
    }
    let Tournament { file, mut table, tiebreaks } = arguments.source.tournament()?;
    if let Some(system) = &arguments.system {
        table.system = System::read(system).ok_or_else(|| {
            ExitFailure::unusable(format!(
                "--system {system}: there is no such system; use swiss or round-robin"
            ))
        })?;
    }
    if let Some(round) = arguments.round {
        if round > table.rounds {
            let played = table.rounds;
            return Err(ExitFailure::unusable(format!(
                "--round {round}: {played} rounds have been played; give one of them"
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
    let shown = Shown { table, codes, edition, order, faults: file.faults() };
    if arguments.json { print_json(&shown.document()) } else { shown.print() }
}

impl Shown {
    /// A standing's tie-breaks that have values.
    fn values<'a>(&'a self, standing: &'a Standing) -> impl Iterator<Item = (&'a TieBreak, Option<Points>)> {
        let all = self.codes.iter().zip(standing.values.iter().copied());
        all.filter(|(code, _)| !matches!(code.kind, TieBreakKind::Pts | TieBreakKind::De))
    }

    fn document(&self) -> Value {
        let row = |standing: &Standing| {
            let player = self.table.players.get(standing.player);
            let json = |value: Option<Points>| value.map_or(Value::Null, Points::json);
            let tiebreaks: Map<String, Value> =
                self.values(standing).map(|(code, value)| (code.to_string(), json(value))).collect();
            json!({
                "rank": standing.rank, "id": player.map(|player| player.number),
                "name": player.map(|player| player.name.as_str()),
                "points": standing.points.json(), "tiebreaks": tiebreaks,
            })
        };
        let rows: Vec<Value> = self.order.iter().map(row).collect();
        let codes = self.codes.iter().filter(|code| code.kind != TieBreakKind::Pts);
        let names: Vec<String> = codes.map(ToString::to_string).collect();
        json!({
            "edition": self.edition.word(), "round": self.table.rounds, "rounds": self.table.planned,
            "system": self.table.system.word(), "tiebreaks": names, "standings": rows, "faults": self.faults,
        })
    }

    fn print(&self) -> Result<(), ExitFailure> {
        let (round, rounds) = (self.table.rounds, self.table.planned);
        print_line(&format!("after round {round} of {rounds}, by C.07 of {}", self.edition.word()))?;
        for standing in &self.order {
            let Some(player) = self.table.players.get(standing.player) else { continue };
            let written =
                |value: Option<Points>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
            let values: Vec<String> =
                self.values(standing).map(|(code, value)| format!("{code} {}", written(value))).collect();
            let (rank, points) = (standing.rank, standing.points.to_string());
            let line = format!("{rank:>4}  {:<32} {points:>5}  {}", player.name, values.join("  "));
            print_line(&tabiya_types::harmless(&line))?;
        }
        self.faults.iter().try_for_each(|fault| print_line(&format!("note: {fault}")))
    }
}

/// Arguments of `tabiya event ratings`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct RatingsArguments {
    #[command(flatten)]
    source: Source,
    /// How players are rated: fide (its table of expected results), logistic, glicko2.
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
    if arguments.method == "glicko2" {
        return glicko(&glicko_ratings(&table), arguments.json);
    }
    let curve = match arguments.method.as_str() {
        "fide" => Curve::Fide,
        "logistic" => Curve::Logistic,
        other => {
            return Err(ExitFailure::unusable(format!("--method {other}: use fide, logistic or glicko2")));
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

/// Prints ratings by Glicko-2.
fn glicko(all: &[(RatingChange, Glicko)], as_json: bool) -> Result<(), ExitFailure> {
    if as_json {
        let to = |value: f64, unit: f64| (value * unit).round() / unit;
        let row = |(change, now): &(RatingChange, Glicko)| {
            let facts = json!({"change": to(change.change, 100.0), "rating": change.rating,
                "deviation": to(now.deviation, 100.0), "volatility": to(now.volatility, 1e6)});
            (change.number.to_string(), facts)
        };
        let rows: Map<String, Value> = all.iter().map(row).collect();
        return print_json(&Value::Object(rows));
    }
    for (one, now) in all {
        let line = format!("{:>4}  {:+.1}  {} ±{:.0}", one.number, one.change, one.rating, now.deviation);
        print_line(&line)?;
    }
    Ok(())
}
