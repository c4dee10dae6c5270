//! `tabiya season`: a club's season from the records of its evenings.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use tabiya_event::rounds::ratings::Curve;
use tabiya_event::rounds::season::{Season, SeasonEvening, SeasonGame, SeasonMethod, season};
use tabiya_store::evening::{EveningView, csv_text, inert, update_from_file};
use tabiya_types::{BySeat, Seat, harmless};

use super::output::{ExitFailure, print, print_line};

/// Arguments of `tabiya season`.
#[derive(Debug, Args)]
pub(super) struct SeasonArguments {
    /// The folder with the records of the evenings.
    folder: PathBuf,
    /// How players are rated: glicko2, fide (its table of expected results), logistic.
    #[arg(long, value_name = "METHOD", default_value = "glicko2")]
    method: String,
    /// The development coefficient of fide and logistic.
    #[arg(long, value_name = "NUMBER", default_value_t = 20.0)]
    k: f64,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    /// Print the standings as a table (CSV).
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// The evenings of a folder, the oldest first, and what could not be read.
fn evenings(folder: &PathBuf) -> Result<(Vec<SeasonEvening>, Vec<String>), ExitFailure> {
    let shown = tabiya_types::shown(folder);
    let failed = |error| ExitFailure::unusable(format!("{shown}: this folder cannot be read: {error}"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "tabiya") && path.is_file())
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(ExitFailure::unusable(format!(
            "{shown}: no record of an evening (`.tabiya`) lies there; name the folder with the records"
        )));
    }
    let mut trouble = Vec::new();
    let mut dated = Vec::new();
    for path in files {
        let mut view = EveningView { path: path.clone(), ..EveningView::default() };
        update_from_file(&mut view, &path);
        trouble.append(&mut view.trouble);
        let begun = view.matches.iter().filter_map(|played| played.begun.clone()).min();
        dated.push((begun, path, evening(&view)));
    }
    dated.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    Ok((dated.into_iter().map(|(_, _, evening)| evening).collect(), trouble))
}

fn evening(view: &EveningView) -> SeasonEvening {
    let names = |players: &BySeat<String>| [players.a.clone(), players.b.clone()];
    let mut evening = SeasonEvening::default();
    for played in &view.matches {
        for game in &played.games {
            let half_points = game.half_points();
            if game.decision().is_none() || half_points == BySeat::default() {
                continue;
            }
            let half_points = [u32::from(half_points.a), u32::from(half_points.b)];
            evening.games.push(SeasonGame { players: names(&played.players), half_points });
        }
        let net = i64::from(played.stacks[Seat::A]) - played.brought[Seat::A];
        if net != 0 && played.over {
            evening.chips.push((names(&played.players), net));
        }
    }
    evening
}

/// Prints the season.
pub(super) fn run(arguments: &SeasonArguments) -> Result<(), ExitFailure> {
    let method = match arguments.method.as_str() {
        "glicko2" => SeasonMethod::Glicko,
        "fide" => SeasonMethod::Curve(Curve::Fide, arguments.k),
        "logistic" => SeasonMethod::Curve(Curve::Logistic, arguments.k),
        other => {
            return Err(ExitFailure::unusable(format!("--method {other}: use glicko2, fide or logistic")));
        }
    };
    if !(arguments.k.is_finite() && (0.0..=1000.0).contains(&arguments.k)) {
        return Err(ExitFailure::unusable(format!("--k {}: use a number from 0 to 1000", arguments.k)));
    }
    let (evenings, trouble) = evenings(&arguments.folder)?;
    let all = season(&evenings, method);
    if arguments.json {
        print_line(&document(&all, &evenings, &arguments.method).to_string())?;
    } else if arguments.csv {
        print(csv(&all).trim_end_matches('\n'))?;
    } else {
        shown(&all)?;
    }
    match trouble.first() {
        None => Ok(()),
        Some(first) => Err(ExitFailure::refused(format!("{first}; the other records are counted"))),
    }
}

fn points(half_points: u32) -> Value {
    if half_points.is_multiple_of(2) {
        (half_points / 2).into()
    } else {
        (f64::from(half_points) / 2.0).into()
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10.0_f64.powi(digits);
    (value * unit).round() / unit
}

fn document(all: &Season, evenings: &[SeasonEvening], method: &str) -> Value {
    let games: usize = evenings.iter().map(|evening| evening.games.len()).sum();
    let places: Vec<Value> = all
        .places
        .iter()
        .map(|one| {
            let [won, drawn, lost] = one.games;
            json!({"rank": one.rank, "name": one.name, "points": points(one.half_points),
                "won": won, "drawn": drawn, "lost": lost, "chips": one.chips})
        })
        .collect();
    let pairs: Vec<Value> = all
        .pairs
        .iter()
        .map(|pair| {
            json!({"players": pair.players, "points": pair.half_points.map(points), "won": pair.won,
                "drawn": pair.drawn, "chips": [pair.chips, -pair.chips]})
        })
        .collect();
    let ratings: Map<String, Value> = all
        .ratings
        .iter()
        .map(|(name, one)| {
            let mut rating =
                json!({"rating": rounded(one.rating.rating, 2), "change": rounded(one.change, 2)});
            if let Some(members) = rating.as_object_mut().filter(|_| method == "glicko2") {
                members.insert("deviation".to_owned(), rounded(one.rating.deviation, 2).into());
                members.insert("volatility".to_owned(), rounded(one.rating.volatility, 6).into());
            }
            (name.clone(), rating)
        })
        .collect();
    json!({"method": method, "evenings": evenings.len(), "games": games, "standings": places, "pairs": pairs,
        "ratings": ratings})
}

fn rating(all: &Season, name: &str) -> f64 {
    all.ratings.get(name).map_or(0.0, |one| one.rating.rating)
}

fn csv(all: &Season) -> String {
    let heading = ["place", "player", "points", "won", "drawn", "lost", "chips", "rating"];
    let mut rows = vec![heading.map(str::to_owned)];
    for one in &all.places {
        let [won, drawn, lost] = one.games.map(|count| count.to_string());
        let (rank, points, chips) =
            (one.rank.to_string(), points(one.half_points).to_string(), one.chips.to_string());
        let rating = format!("{:.0}", rating(all, &one.name));
        rows.push([rank, inert(&one.name), points, won, drawn, lost, chips, rating]);
    }
    csv_text(rows)
}

fn shown(all: &Season) -> Result<(), ExitFailure> {
    for one in &all.places {
        let [won, drawn, lost] = one.games;
        let (points, rating) = (points(one.half_points), rating(all, &one.name));
        let line = format!(
            "{:>4}  {:<32} {points:>5}  won {won}, drawn {drawn}, lost {lost}; chips {:+}; rating {rating:.0}",
            one.rank, one.name, one.chips
        );
        print_line(&harmless(&line))?;
    }
    for pair in &all.pairs {
        let ([one, other], [mine, theirs]) = (&pair.players, pair.half_points.map(points));
        print_line(&harmless(&format!("{one} – {other}: {mine} : {theirs}, chips {:+}", pair.chips)))?;
    }
    Ok(())
}
