//! `tabiya event pairs`: who meets whom, from the number of players alone.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tabiya_event::rounds::pairs::{BracketSide, MOST_PLAYERS, berger, knock_out};

use super::super::super::output::{ExitFailure, print_line};
use super::print_json;

/// Arguments of `tabiya event pairs`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct PairsArguments {
    #[command(subcommand)]
    system: PairsSystem,
}

#[derive(Debug, Subcommand)]
enum PairsSystem {
    /// Everybody meets everybody, by FIDE's Berger tables.
    ///
    /// Example: tabiya event pairs berger 8 --double
    Berger {
        /// How many players.
        players: usize,
        /// Everybody meets everybody twice.
        #[arg(long)]
        double: bool,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Who loses is out. Byes go to the best seeds.
    ///
    /// Example: tabiya event pairs knock-out 12 --third
    KnockOut {
        /// How many players.
        players: usize,
        /// The losers of the last but one round play for third place.
        #[arg(long)]
        third: bool,
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
}

/// Prints the rounds.
pub(super) fn pairs(arguments: &PairsArguments) -> Result<(), ExitFailure> {
    match arguments.system {
        PairsSystem::Berger { players, double, json } => {
            check(players)?;
            let rounds = berger(players, double);
            if json {
                let all: Vec<Value> = (1..)
                    .zip(&rounds)
                    .map(|(round, berger): (usize, _)| json!({"round": round, "pairs": berger.pairs, "bye": berger.bye}))
                    .collect();
                return print_json(&json!({"system": "berger", "players": players, "rounds": all}));
            }
            for (number, round) in (1..).zip(&rounds) {
                let pairs: Vec<String> =
                    round.pairs.iter().map(|(white, black)| format!("{white}-{black}")).collect();
                let bye = round.bye.map(|player| format!("  bye {player}")).unwrap_or_default();
                print_line(&format!("{number}: {}{bye}", pairs.join(" ")))?;
            }
        }
        PairsSystem::KnockOut { players, third, json } => {
            check(players)?;
            let rounds = knock_out(players, third);
            if json {
                let matches = |round: &Vec<(BracketSide, BracketSide)>| -> Vec<Value> {
                    round.iter().map(|(one, other)| json!([side(*one), side(*other)])).collect()
                };
                let all: Vec<Value> = (1..)
                    .zip(&rounds)
                    .map(|(number, round): (usize, _)| json!({"round": number, "matches": matches(round)}))
                    .collect();
                return print_json(&json!({"system": "knock-out", "players": players, "rounds": all}));
            }
            for (number, round) in (1..).zip(&rounds) {
                let all: Vec<String> =
                    round.iter().map(|(one, other)| format!("{}-{}", word(*one), word(*other))).collect();
                print_line(&format!("{number}: {}", all.join(" ")))?;
            }
        }
    }
    Ok(())
}

fn check(players: usize) -> Result<(), ExitFailure> {
    if (2..=MOST_PLAYERS).contains(&players) {
        return Ok(());
    }
    Err(ExitFailure::unusable(format!("{players}: pairs need 2 to {MOST_PLAYERS} players")))
}

/// A side as JSON: a seed's number, `"W3"` and `"L3"` for winner and loser of the third match of the round before, or null.
fn side(side: BracketSide) -> Value {
    match side {
        BracketSide::Seed(seed) => seed.into(),
        BracketSide::Nobody => Value::Null,
        BracketSide::Winner(_) | BracketSide::Loser(_) => word(side).into(),
    }
}

fn word(side: BracketSide) -> String {
    match side {
        BracketSide::Seed(seed) => seed.to_string(),
        BracketSide::Winner(nth) => format!("W{}", nth + 1),
        BracketSide::Loser(nth) => format!("L{}", nth + 1),
        BracketSide::Nobody => "bye".to_owned(),
    }
}
