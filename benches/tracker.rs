//! What the tracker costs: an observation in a casual game, and a press.
//!
//! Goals: an observation under 500 ns as a rule and under 20 us at worst, where it is no press and
//! nothing waits; a press is a matter of tens of microseconds.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tabiya::clock::{Instant, Millis};
use tabiya::devices::human::{Hand, Profile, Sensor, Task, Tells};
use tabiya::record::Header;
use tabiya::rules::GAMES;
use tabiya::sense::{Observation, Watch};

/// A casual game of sixty moves as a board tells it.
fn evening() -> (Watch, Vec<(Instant, Observation)>) {
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"900+10"}}"#;
    let mut watch = Watch::new(Header::parse(header, GAMES).expect("a header").agreement);
    let mut truth = watch.table().probe();
    let mut board = truth.physical();
    let mut sensor = Sensor::new(&Profile::CASUAL, Tells::Squares, board, 7);
    let mut hand = Hand::new(&Profile::CASUAL, 7);
    watch.observe(&Observation::Whole(board), Instant::ZERO);
    let (mut told, mut at) = (Vec::new(), Instant::from_millis(1000));
    for nth in 0..60 {
        let Some(by) = truth.mover() else { break };
        let candidates = truth.candidates();
        let chosen = candidates.get(nth * 7 % candidates.len()).expect("below the length").clone();
        truth = truth.after_turn(&chosen.action).expect("legal");
        let done = hand.perform(&Task { thinking: Millis(2_000), ..Task::new(board, chosen.after, by, at) });
        for (when, what) in done.events {
            told.extend(sensor.feed(when, what));
        }
        (board, at) = (chosen.after, done.ends);
    }
    told.extend(sensor.finish());
    (watch, told)
}

fn benches(criterion: &mut Criterion) {
    let (watch, told) = evening();
    let presses = |(_, what): &&(Instant, Observation)| matches!(what, Observation::Press(_));
    let count = told.len();
    criterion.bench_function(&format!("a casual game, {count} observations"), |bencher| {
        bencher.iter_batched(
            || watch.clone(),
            |mut watch| {
                for (at, what) in &told {
                    watch.observe(what, *at);
                }
                black_box(watch.take_lines());
                watch
            },
            BatchSize::LargeInput,
        );
    });

    // Before the tenth press: what one square, and the press after it, cost.
    let press = told.iter().enumerate().filter(|(_, told)| presses(&told)).nth(9).map_or(0, |(nth, _)| nth);
    let mut before = watch.clone();
    for (at, what) in told.iter().take(press) {
        before.observe(what, *at);
    }
    before.take_lines();
    let (at, what) = told.get(press).copied().expect("ten presses");
    criterion.bench_function("a press", |bencher| {
        bencher.iter_batched_ref(|| before.clone(), |watch| watch.observe(&what, at), BatchSize::SmallInput);
    });
    let lift = Observation::Square("a1".parse().expect("a square"), None);
    criterion.bench_function("a square", |bencher| {
        bencher.iter_batched_ref(|| before.clone(), |watch| watch.observe(&lift, at), BatchSize::SmallInput);
    });
    let mut quiet = before.clone();
    quiet.observe(&lift, at);
    quiet.take_lines();
    criterion.bench_function("a board at rest that fits nothing", |bencher| {
        bencher.iter_batched_ref(
            || quiet.clone(),
            |watch| watch.time(at + Millis(400)),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(tracker, benches);
criterion_main!(tracker);
