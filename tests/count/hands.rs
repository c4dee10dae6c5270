//! Counts what hands and boards do in labelled games, and prints the tracker's table (`src/sense/counts.txt`).
//!
//!     cargo run --release --example count-hands [GAMES] > counts.txt
//!     cargo run --release --example count-hands -- GAMES --against GAME.pgn CAPTURE.jsonl …
//!
//! GAMES is the number of seeds: each seed gives a game by every simulated hand, of chess and of Choker, with presses and
//! without, on boards of different speeds. The captures are a board's own bytes, with the moves that were played in them.
//! docs/tracker.md describes the table and how to teach it a board.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for developers")]

mod captures;
#[path = "../support/deal.rs"]
mod deal;
#[path = "../support/labelled.rs"]
mod labelled;

use std::path::Path;
use std::process::ExitCode;

use labelled::{Simulated, shown, simulated};
use tabiya_boards::human::{Profile, ReportMode, Span};
use tabiya_engine::sense::counting::{HandCounter, LabelledGame};

/// The first seed. Tests use seeds below it only.
const FIRST_SEED: u64 = 5_000_000;
/// How many seeds are counted by default.
const USUAL: u64 = 40;
/// How many games of each hand are counted for a seed.
const SHARES: [(Profile, u64); 7] = [
    (Profile::CLEAN, 1),
    (Profile::CASUAL, 2),
    (Profile::CLUMSY, 2),
    (Profile::BEGINNER, 1),
    (Profile::BLITZ, 2),
    (Profile::BULLET, 3),
    (Profile::HOSTILE, 2),
];
/// The time of one pass over the squares, in ms: two DGT boards, a fast board and a slow one.
const SCANS: [Span; 4] = [Span::new(200, 250), Span::new(20, 60), Span::new(200, 250), Span::new(300, 420)];
/// Two passes of the table: the second knows from the first which entries are odd.
const PASSES: usize = 2;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("count-hands: {what}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (own, captures) = match arguments.iter().position(|word| word == "--against") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (arguments, &arguments[..0]),
    };
    let seeds = match own.first() {
        None => USUAL,
        Some(number) => number.parse().map_err(|_| format!("`{number}` is no number of seeds"))?,
    };
    let taught = match captures.split_first() {
        None => Vec::new(),
        Some((_, [])) => return Err("after `--against GAME.pgn` comes a capture".to_owned()),
        Some((pgn, captures)) => captures::labelled(Path::new(pgn), captures)?,
    };
    let mut table = String::new();
    for _ in 0..PASSES {
        table = counted(seeds, &table, &taught);
    }
    Ok(format!("# cargo run --release --example count-hands {seeds}\n{table}"))
}

/// The table for boards that identify their pieces and for boards that only feel them.
fn counted(seeds: u64, table: &str, taught: &[LabelledGame]) -> String {
    let mut counters = [false, true].map(|felt| (felt, HandCounter::new(felt, table)));
    let mut count = |game: &LabelledGame| {
        for (felt, counter) in &mut counters {
            counter.count(&shown(game, *felt));
        }
    };
    for seed in FIRST_SEED..FIRST_SEED + seeds {
        for choker in [false, true] {
            for (profile, share) in &SHARES {
                for nth in 0..*share {
                    count(&game(profile, choker, false, seed * 10 + nth));
                }
                if *profile != Profile::HOSTILE {
                    count(&game(profile, choker, true, seed * 10 + 9));
                }
            }
        }
    }
    taught.iter().for_each(&mut count);
    counters.map(|(_, counter)| counter.to_text()).concat()
}

/// A game by simulated hands, on a board whose speed depends on the seed. Even seeds report whole boards.
fn game(profile: &Profile, choker: bool, auto: bool, seed: u64) -> LabelledGame {
    let scan = if *profile == Profile::BULLET {
        profile.scan
    } else {
        SCANS[usize::try_from(seed / 2 % 4).unwrap_or(0)]
    };
    let mode = if seed.is_multiple_of(2) { ReportMode::Boards } else { ReportMode::Squares };
    simulated(&Simulated { profile: &Profile { scan, ..*profile }, choker, auto, mode, seed })
}
