//! Measures standings and files of a great tournament: 1,000 players, 11 rounds, six tie-breaks.
#![expect(clippy::expect_used, reason = "a benchmark that cannot run stops")]

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tabiya_event::rounds::standings::code::TieBreak;
use tabiya_event::rounds::standings::{Edition, standings};
use tabiya_event::rounds::trf::TrfFile;

const PLAYERS: usize = 1_000;
const ROUNDS: usize = 11;

/// A tournament in which neighbours meet, one step further apart in each round.
fn tournament() -> String {
    let mut text = format!("012 Great\n142 {ROUNDS}\n");
    for player in 0..PLAYERS {
        let _ = write!(
            text,
            "001 {:>4}      {:<33} {:>4}                             0.0 {:>4}",
            player + 1,
            format!("Player {player}"),
            2_700 - player,
            player + 1
        );
        for round in 0..ROUNDS {
            // A reflection is its own inverse, so that both name each other.
            let opponent = (PLAYERS + round * 2 + 1 - player) % PLAYERS;
            let (color, stronger) = if player < opponent { ("w", "1") } else { ("b", "0") };
            let result = if (player + opponent + round) % 3 == 0 { "=" } else { stronger };
            let _ = write!(text, "  {:>4} {color} {result}", opponent + 1);
        }
        text.push('\n');
    }
    text
}

fn great_tournaments(criterion: &mut Criterion) {
    let text = tournament();
    criterion.bench_function("import of 1,000 players and 11 rounds", |bencher| {
        bencher.iter(|| {
            let file = TrfFile::read(black_box(text.as_bytes())).expect("a file");
            (file.faults(), file.crosstable())
        });
    });
    let file = TrfFile::read(text.as_bytes()).expect("a file");
    assert!(file.faults().is_empty(), "{:?}", file.faults().first());
    let table = file.crosstable();
    let codes = TieBreak::list("BH/C1,BH,SB,PS,TPR,DE").expect("codes");
    criterion.bench_function("standings of 1,000 players, 11 rounds, six tie-breaks", |bencher| {
        bencher.iter(|| standings(black_box(&table), &codes, Edition::E2026));
    });
}

criterion_group!(rounds, great_tournaments);
criterion_main!(rounds);
