//! Measures how long the tracker takes for each update of a square, and for each press.
//!
//! Goals: while no press waits for its action, a typical update takes under 500 ns and the slowest under 20 us. A press
//! takes some tens of microseconds.
//!
//! For the first tables of results, the evenings in `fixtures/` are played again: the boards' bytes, and the input that
//! was typed between them. Each step is measured in several passes, and its shortest time counts, which excludes other
//! work of the machine. The measured time includes reading the system clock, about 25 ns.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the real time")]

mod support;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant as RealInstant;

use criterion::{BatchSize, Criterion, criterion_group};
use support::{Sample, head, rounds, row};
use tabiya_boards::BoardEvent;
use tabiya_boards::capture::Capture;
use tabiya_boards::human::{HumanHands, Profile, ReportMode, Sensor, Task};
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::{Action, GAMES, PlayAction};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Instant, Millis, Observation};

/// The evenings to play, grouped by how carefully the simulated hands moved the pieces. In all of them Tabiya
/// understood every move from the board alone (`tests/engine/fixtures.rs`). An evening in which people had to type a
/// move cannot be played again from the board's bytes.
const EVENINGS: [(&str, &[&str]); 2] = [
    ("casual hands", &["chess-casual", "chess-auto", "choker-casual", "choker-auto", "choker-two-games"]),
    ("hostile and clumsy hands", &["chess-hostile", "chess-auto-clumsy", "choker-clumsy"]),
];
/// The number of passes in which each step is timed.
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

/// A step of an evening: an observation of the board, or typed input.
enum Step {
    Observed(Observation),
    Typed(Input),
}

/// The kind of a step. The costs are listed by kind.
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

/// The time that each step of an evening took.
struct Evening {
    costs: Vec<(Kind, std::time::Duration)>,
}

impl Evening {
    /// Plays a session of the fixtures again, from its board's bytes and its typed input.
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
        // If an event of the board and a typed input have the same time, the event comes first, as at the live table.
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

/// Plays all steps once, and returns the time that each took.
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

/// Simulates a game of sixty moves, in which the pieces are moved as casual players move them. Returns the watch and
/// what a board observes of the game.
fn evening() -> (Watch, Vec<(Instant, Observation)>) {
    let header =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"900+10"}}"#;
    let mut watch = Watch::new(Header::parse(header, GAMES).expect("a header").agreement);
    let mut truth = watch.table().probe();
    let mut board = truth.physical();
    let mut sensor = Sensor::new(&Profile::CASUAL, ReportMode::Squares, board, 7);
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

    // Brings a watch into the state just before the tenth press. Two events are measured from this state: that press,
    // and one change of a square.
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
