//! What the tracker costs: each update of whole evenings, and a press.
//!
//! Goals: an update under 500 ns as a rule and under 20 us at worst, where it is no press and nothing
//! waits; a press is a matter of tens of microseconds.
//!
//! The table at the start is of the evenings in `fixtures/`: what the boards told, byte for byte, and
//! what was typed between. Each step is timed in several passes and its least time counts, so that
//! what else the machine does is left out; reading the time is in it, some 25 ns.
#![expect(clippy::disallowed_methods, reason = "a bench reads the real time")]

mod support;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant as RealInstant;

use criterion::{BatchSize, Criterion, criterion_group};
use support::{Sample, head, rounds, row};
use tabiya_boards::BoardEvent;
use tabiya_boards::capture::Capture;
use tabiya_boards::human::{HumanHands, Profile, Sensor, Task, Tells};
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::{Action, GAMES, PlayAction};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Instant, Millis, Observation};

/// Evenings of hands that are as people's are, and of such as hardly anybody has. Of these, those in which nobody had to type
/// what the board had shown (`tests/fixtures.rs`): only they can be played again from the board's bytes.
const EVENINGS: [(&str, &[&str]); 2] = [
    ("casual hands", &["chess-casual", "chess-auto", "choker-casual", "choker-auto", "choker-two-games"]),
    ("hostile and clumsy hands", &["chess-hostile", "chess-auto-clumsy", "choker-clumsy"]),
];
/// How often each step is timed.
const PASSES: usize = 25;

fn main() {
    for (hands, names) in EVENINGS {
        let evenings: Vec<Evening> = names.iter().map(|name| Evening::read(name)).collect();
        head(&format!("the tracker, evenings with {hands}"));
        for kind in Kind::ALL {
            let costs = evenings.iter().flat_map(|evening| &evening.costs);
            let of_kind: Sample = costs.filter(|(of, _)| *of == kind).map(|(_, cost)| *cost).collect();
            row(kind.name(), &of_kind, "");
        }
    }
    tracker();
    Criterion::default().configure_from_args().final_summary();
}

/// Something that reaches a watch.
enum Step {
    Observed(Observation),
    Typed(Input),
}

/// What a step was, as far as its cost goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Update,
    WhileAPressWaits,
    Press,
    AtRest,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Update, Self::WhileAPressWaits, Self::Press, Self::AtRest];

    fn name(self) -> &'static str {
        match self {
            Self::Update => "an update, nothing waits",
            Self::WhileAPressWaits => "an update while a press waits",
            Self::Press => "a press",
            Self::AtRest => "time passes, the board is at rest",
        }
    }
}

/// What each step of an evening cost.
struct Evening {
    costs: Vec<(Kind, std::time::Duration)>,
}

impl Evening {
    /// Plays a session of the fixtures again, from what its board told and what was typed.
    fn read(name: &str) -> Self {
        let text = fs::read_to_string(format!("fixtures/sessions/{name}.jsonl")).expect("a session");
        let mut lines = text.lines();
        let header = Header::parse(lines.next().expect("a first line"), GAMES).expect("a header");
        let typed = lines.filter_map(|line| {
            let line = Line::parse(line, &header).expect("a line");
            let Body::Acted(input) = line.body else { return None };
            let by_hand = match &input {
                Input::Game(action) => {
                    matches!(action, Action::Place(_) | Action::Play(PlayAction::Move { .. }))
                }
                Input::Common(common) => matches!(common, Common::Press(_) | Common::Tick),
            };
            (!by_hand).then_some((line.t, Step::Typed(input)))
        });
        let capture = Capture::read(Path::new(&format!("fixtures/dgt/{name}.jsonl"))).expect("a capture");
        let told = capture.play().filter_map(|(at, event)| match event {
            BoardEvent::Observed(what) => Some((at, Step::Observed(what))),
            _ => None,
        });
        // Of two things at one moment the board's comes first, as at the live table.
        let mut steps: Vec<(Instant, Step)> = told.chain(typed).collect();
        steps.sort_by_key(|(at, _)| *at);

        let mut costs = pass(&header, &steps);
        for _ in 1..rounds(PASSES) {
            for ((_, least), (_, cost)) in costs.iter_mut().zip(pass(&header, &steps)) {
                *least = cost.min(*least);
            }
        }
        Self { costs }
    }
}

/// What each step costs, this time.
fn pass(header: &Header, steps: &[(Instant, Step)]) -> Vec<(Kind, std::time::Duration)> {
    let mut watch = Watch::new(header.agreement.clone());
    watch.expect_board();
    let mut costs = Vec::new();
    for (at, step) in steps {
        while let Some(due) = watch.deadline().filter(|due| due <= at) {
            let began = RealInstant::now();
            watch.time(due);
            costs.push((Kind::AtRest, began.elapsed()));
            watch.take_lines();
        }
        match step {
            Step::Observed(what) => {
                let kind = match what {
                    Observation::Press(_) => Kind::Press,
                    _ if watch.press_waits() => Kind::WhileAPressWaits,
                    _ => Kind::Update,
                };
                let began = RealInstant::now();
                watch.observe(what, *at);
                costs.push((kind, began.elapsed()));
            }
            Step::Typed(input) => watch.enter(input, *at).expect("what was typed that evening"),
        }
        watch.take_lines();
    }
    costs
}

/// A casual game of sixty moves as a board tells it.
fn evening() -> (Watch, Vec<(Instant, Observation)>) {
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"900+10"}}"#;
    let mut watch = Watch::new(Header::parse(header, GAMES).expect("a header").agreement);
    let mut truth = watch.table().probe();
    let mut board = truth.physical();
    let mut sensor = Sensor::new(&Profile::CASUAL, Tells::Squares, board, 7);
    let mut hand = HumanHands::new(&Profile::CASUAL, 7);
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
    let presses = |(_, (_, what)): &(usize, &(Instant, Observation))| matches!(what, Observation::Press(_));
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
    let press = told.iter().enumerate().filter(presses).nth(9).map_or(0, |(nth, _)| nth);
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
