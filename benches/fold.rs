//! What a record costs to fold: opening one, replaying one, undoing the whole of one.
//!
//! Goal: more than 500,000 inputs a second at the table, so that a long evening is back within a few
//! milliseconds, and less than a second for a record of 100,000 lines of which half are undos, whatever they undo.
//! Reading the text costs more than folding it, and the story for exports more than both.

#[path = "../tests/support/long.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests, and each uses what it needs")]
mod long;

use std::fs;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use long::{Play, Shape};
use tabiya_engine::record::{Body, Checkpoints, Header, Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Input, Stamp, Table};

/// Whole matches: two games of Choker, and sixty moves of chess.
const SESSIONS: [&str; 2] = ["choker-two-games", "chess-casual"];

/// How many lines a long record has.
const LONG: usize = 100_001;

/// A record in all the forms that it takes on the way.
struct Session {
    name: &'static str,
    texts: Vec<String>,
    header: Header,
    lines: Vec<Line>,
    /// What acts; the rest is what the board showed.
    inputs: Vec<(Input, Stamp)>,
}

impl Session {
    fn read(name: &'static str) -> Self {
        let text = fs::read_to_string(format!("fixtures/sessions/{name}.jsonl")).expect("a session");
        Self::of(name, text.lines().map(str::to_owned).collect())
    }

    fn of(name: &'static str, texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let header = Header::parse(&texts.next().expect("a first line"), GAMES).expect("a header");
        let texts: Vec<String> = texts.collect();
        let lines: Vec<Line> = texts.iter().map(|text| Line::parse(text, &header).expect("a line")).collect();
        let acts = |(number, line): (u32, &Line)| match &line.body {
            Body::Acted(input) => Some((input.clone(), Stamp::new(line.moment(), number))),
            Body::Evidence(_) => None,
        };
        let inputs = (2..).zip(&lines).filter_map(acts).collect();
        Self { name, texts, header, lines, inputs }
    }

    /// A long record of that shape.
    fn made(play: Play, shape: Shape) -> Self {
        Self::of(shape.name(), long::record(play, shape, LONG))
    }
}

fn fold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold");
    for session in SESSIONS.map(Session::read) {
        let count = |length: usize| Throughput::Elements(length.try_into().expect("a length"));

        group.throughput(count(session.inputs.len()));
        group.bench_with_input(BenchmarkId::new("inputs, table", session.name), &session, |bencher, of| {
            bencher.iter(|| {
                let mut table = Table::new(of.header.agreement.clone());
                for (input, stamp) in &of.inputs {
                    black_box(table.apply(input, *stamp).expect("accepted"));
                }
                table
            });
        });
        group.throughput(count(session.lines.len()));
        group.bench_with_input(BenchmarkId::new("lines, replay", session.name), &session, |bencher, of| {
            bencher.iter(|| {
                let mut replay = Replay::new(of.header.clone());
                for (number, line) in (2..).zip(&of.lines) {
                    black_box(replay.take(number, line).expect("accepted"));
                }
                replay
            });
        });
        group.bench_with_input(BenchmarkId::new("text, replay", session.name), &session, |bencher, of| {
            bencher.iter(|| {
                let mut replay = Replay::new(of.header.clone());
                for (number, text) in (2..).zip(&of.texts) {
                    replay.feed(number, text).expect("accepted");
                }
                replay
            });
        });
    }
    group.finish();
}

/// Long records, as lines: of each game one without undos, and half of it undone in each way.
fn undo(criterion: &mut Criterion) {
    for play in Play::ALL {
        let mut group = criterion.benchmark_group(format!("100,000 lines, {}", play.name()));
        group.sample_size(10);
        for session in Shape::ALL.map(|shape| Session::made(play, shape)) {
            group.bench_with_input(BenchmarkId::new("replay", session.name), &session, |bencher, of| {
                bencher.iter(|| {
                    let mut replay = Replay::new(of.header.clone());
                    for (number, line) in (2..).zip(&of.lines) {
                        black_box(replay.take(number, line).expect("accepted"));
                    }
                    replay
                });
            });
        }
        group.finish();
    }
}

/// The table after any of 100,000 lines of chess, as when a record is browsed.
fn look_back(criterion: &mut Criterion) {
    let of = Session::made(Play::Chess, Shape::Plain);
    let mut replay = Replay::new(of.header.clone());
    let mut checkpoints = Checkpoints::new(replay.table());
    for (number, line) in (2..).zip(&of.lines) {
        replay.take_before(number, line, &mut checkpoints).expect("accepted");
    }
    let mut count = 0;
    criterion.bench_function("look back, any of 100,000 lines", |bencher| {
        bencher.iter(|| {
            // A step that meets every line in the end, and no two in a row.
            count = (count + 31_415) % of.lines.len();
            checkpoints.table_after(&of.lines, count)
        });
    });
}

criterion_group!(benches, fold, undo, look_back);
criterion_main!(benches);
