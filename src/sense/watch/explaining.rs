//! Readings in words: what each costs, and for what (`tabiya infer --explain`).

use tabiya_types::{Fact, Instant, Sentence, Square, say};

use super::super::history::Grid;
use super::super::reading::{End, Occasion, Reading, Step, StepKind};
use super::super::shape::SquareRole;
use super::super::table::Class;
use super::super::tracker::Tracker;
use super::super::turn::TurnEntry;

/// Why the tracker understood something, or asked.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The time of the decision.
    pub at: Instant,
    /// The likeliest readings of what has just been done, the likeliest first. Each has its cost in decibans and the
    /// reasons for this cost.
    pub readings: Vec<Sentence>,
}

/// How many readings are explained.
const EXPLAINED: usize = 3;
/// How much dearer than the best a reading may be that is explained beside it; and if there are too many of them.
const RIVALS: i32 = 45;
const FEW_RIVALS: i32 = 10;
/// What costs less is not named.
const LEAST: i32 = 5;

/// Explains what is about to be believed or asked: the likeliest readings that differ in what is new.
pub(super) fn explained(
    tracker: &mut Tracker,
    now: Instant,
    occasion: Occasion,
    shared: usize,
) -> Explanation {
    let mut told: Vec<Vec<Grid>> = Vec::new();
    let mut read = |margin| tracker.read(now, occasion, margin, true).readings;
    let mut found = read(RIVALS);
    if found.is_empty() {
        found = read(FEW_RIVALS);
    }
    found.retain(|reading| {
        let recorded = reading.after(shared).iter().filter(|step| step.is_recorded());
        let new = recorded.map(|step| step.pieces).collect();
        let first = !told.contains(&new);
        told.push(new);
        first
    });
    let words = |reading: &Reading| in_words(reading, shared);
    let readings: Vec<Sentence> = found.iter().take(EXPLAINED).map(words).collect();
    Explanation { at: now, readings }
}

/// A reading in words, without the first `skipped` of its recorded steps and what they cost.
fn in_words(reading: &Reading, skipped: usize) -> Sentence {
    let new = reading.after(skipped);
    let known = &reading.steps[..reading.steps.len() - new.len()];
    let cost = reading.cost - known.iter().map(|step| step.cost).sum::<i32>();
    let said = new.iter().filter(|step| step.kind != StepKind::Pause);
    let steps: Vec<Sentence> = said.map(step_in_words).collect();
    let cost = u64::try_from(cost).unwrap_or(0);
    if steps.is_empty() {
        return say!("reading-nothing", "nothing was done yet ({cost} decibans)", cost);
    }
    say!("reading", "{steps} ({cost} decibans)", steps = Fact::all(steps), cost)
}

fn step_in_words(step: &Step) -> Sentence {
    let mut reasons: Vec<Sentence> = ending(step).into_iter().collect();
    let charges = step.charges.iter().filter(|(_, cost)| *cost >= LEAST);
    reasons.extend(charges.filter_map(|(entry, cost)| charge_in_words(entry, *cost)));
    let done = match &step.kind {
        StepKind::Act { action, .. } | StepKind::Line(action) => action.describe(),
        StepKind::Idle => {
            say!("reading-idle", "{by} pressed although {by}'s clock was stopped", by = step.by)
        }
        StepKind::Again => say!("reading-again", "{by} pressed again", by = step.by),
        StepKind::Mistake => say!("reading-mistake", "{by} pressed by mistake", by = step.by),
        StepKind::Back => say!("reading-back", "{by} cancelled the mistaken press", by = step.by),
        StepKind::Pause => say!("reading-pause", "a pause in the turn"),
    };
    if reasons.is_empty() {
        return done;
    }
    say!("reading-reasons", "{done}: {reasons}", done, reasons = Fact::list(reasons))
}

/// How the turn ended, if it did not end with a press, or if the action was corrected after that.
fn ending(step: &Step) -> Option<Sentence> {
    match step.kind {
        StepKind::Act { .. } if step.corrected => {
            Some(say!("reading-corrected", "it was corrected after the end of the turn"))
        }
        StepKind::Act { end: End::Forgotten, .. } => Some(say!("reading-forgot", "the press was forgotten")),
        StepKind::Act { end: End::Line, .. } => {
            Some(say!("reading-line", "the opponent's line ended the turn"))
        }
        StepKind::Act { end: End::Rest, .. } => Some(say!("reading-rest", "the board stood still")),
        _ => None,
    }
}

fn charge_in_words(charge: &TurnEntry, cost: i32) -> Option<Sentence> {
    let square = Square::from_index(charge.square)?;
    let (ms, cost) = (charge.lasted.0, u64::try_from(cost).unwrap_or(0));
    let row = charge.row;
    Some(match (row.when.ends(), row.role, row.class) {
        (true, SquareRole::Take, _) if row.class == Class::After => {
            say!("charge-take", "the capture on {square} was not felt in the hand ({cost})", square, cost)
        }
        (true, ..) if charge.over => {
            say!("charge-late", "{square} was shown {ms} ms late ({cost})", square, ms, cost)
        }
        (true, ..) => {
            say!("charge-missing", "{square} has been wrong for {ms} ms ({cost})", square, ms, cost)
        }
        (false, _, Class::Before) => {
            say!(
                "charge-left",
                "{square} was left {ms} ms after the piece had arrived ({cost})",
                square,
                ms,
                cost
            )
        }
        (false, SquareRole::Line, _) => {
            say!("charge-line", "a piece was on {square} on its way for {ms} ms ({cost})", square, ms, cost)
        }
        (false, _, Class::Empty) => {
            say!("charge-lifted", "{square} was empty for {ms} ms ({cost})", square, ms, cost)
        }
        (false, ..) => {
            say!("charge-other", "{square} showed another piece for {ms} ms ({cost})", square, ms, cost)
        }
    })
}
