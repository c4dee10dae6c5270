//! Measures how long it takes to replay a record: short matches, long records with many undos, and the table after any
//! chosen line.
//!
//! Goals: the table applies more than 500,000 inputs per second, so that a long evening is restored within a few
//! milliseconds. A record of 100,000 lines, half of them undos, is replayed in less than a second. Parsing the text
//! takes longer than replaying the parsed lines, and building the list of public events for exports takes longer than
//! both.

#[path = "../tests/support/long.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests; each program uses a part of it")]
mod long;

use std::fs;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use long::{Play, Shape};
use tabiya_engine::record::{Body, Checkpoints, Header, Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Input, Stamp, Table};

/// Complete matches: two games of Choker, sixty moves of chess, and games of PokerDrez and of Chess Joker.
const SESSIONS: [&str; 4] = ["choker-two-games", "chess-casual", "pokerdrez", "chess-joker"];
/// The terms with which the moves of the session `chess-casual` are folded as Poker Chess. No lead ends this game.
const POKER_CHESS: &str = r#"{"deal":"royal-flush","wipeout":1000}"#;

/// The number of lines of a long record, with its header.
const LONG: usize = 100_001;

/// A record as text, as parsed lines, and as inputs.
struct Session {
    name: &'static str,
    texts: Vec<String>,
    header: Header,
    lines: Vec<Line>,
    /// The inputs in these lines. Lines with evidence of what the board showed are left out.
    inputs: Vec<(Input, Stamp)>,
}

impl Session {
    fn read(name: &'static str) -> Self {
        let text = fs::read_to_string(format!("fixtures/sessions/{name}.jsonl")).expect("a session");
        Self::of(name, text.lines().map(str::to_owned).collect())
    }

    /// The session of chess as a session of Poker Chess, where each turn forms two hands.
    fn poker_chess() -> Self {
        let text = fs::read_to_string("fixtures/sessions/chess-casual.jsonl").expect("a session");
        let mut texts: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut header: serde_json::Value = serde_json::from_str(&texts[0]).expect("a header");
        let terms: serde_json::Value = serde_json::from_str(POKER_CHESS).expect("terms");
        header["game"] = "poker-chess".into();
        for (name, value) in terms.as_object().expect("terms") {
            header["terms"][name] = value.clone();
        }
        texts[0] = header.to_string();
        Self::of("poker-chess", texts)
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

    /// Makes a long record. `shape` says whether and how its lines are undone.
    fn made(play: Play, shape: Shape) -> Self {
        Self::of(shape.name(), long::record(play, shape, LONG))
    }
}

fn fold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold");
    for session in SESSIONS.map(Session::read).into_iter().chain([Session::poker_chess()]) {
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

/// Replays long records. For each game there is one record without undos, and for each kind of undo one record in which
/// half of the lines are undos.
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

/// Measures how long it takes to restore the table as it was after one of 100,000 lines of chess. This happens when
/// people browse a record.
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
            // Advancing by this number visits every line in the end, but never two neighbouring lines in a row.
            count = (count + 31_415) % of.lines.len();
            checkpoints.table_after(&of.lines, count)
        });
    });
}

criterion_group!(benches, fold, undo, look_back);
criterion_main!(benches);
