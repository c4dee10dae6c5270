//! How a reading differs from what is written.

use super::super::reading::{Reading, Step, StepKind};
use super::Watch;

/// A reading whose new actions cost more than this each, for what the board does not show, explains nothing.
const STRANGE: i32 = 90;

/// So many decibans of doubt count as one where nothing else can explain what the board shows now.
const DOUBTS: i32 = 3;

/// What a reading says, and the written path does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'a> {
    /// How many recorded steps the two have in common.
    pub(super) shared: usize,
    /// The further steps of the reading, and whether the record lacks some of them.
    pub(super) new: &'a [Step],
    pub(super) adds: bool,
    /// Whether the written path has further steps.
    pub(super) replaces: bool,
    /// Whether moves use up cards: a wrong move would take cards with it.
    costs_cards: bool,
}

impl Difference<'_> {
    fn actions(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.new.iter().filter(|step| matches!(step.kind, StepKind::Act { .. }))
    }

    /// By how much the new steps are in doubt: a third of what they cost for what the board does not show. It counts in
    /// full if the board showed it only when the player was on turn again, because it may belong to his next action; and
    /// where moves use up cards, because a wrong move costs more than a question there.
    pub(super) fn doubt(&self) -> i32 {
        let share = |step: &Step| {
            let last = self.actions().rfind(|other| other.mark.at <= step.shown);
            let full = self.costs_cards || last.is_some_and(|last| last.by != step.by);
            if full { step.doubt } else { step.doubt / DOUBTS }
        };
        self.new.iter().map(share).sum()
    }

    /// Whether the board shows enough of the new actions.
    pub(super) fn is_plausible(&self) -> bool {
        let doubt: i32 = self.new.iter().map(|step| step.doubt).sum();
        doubt <= self.actions().map(|_| STRANGE).sum::<i32>().max(STRANGE)
    }
}

impl Watch {
    pub(super) fn difference<'a>(&self, reading: &'a Reading) -> Difference<'a> {
        let kind = |kind: &StepKind| std::mem::discriminant(kind);
        let both = self.recorded().zip(reading.recorded()).take_while(|(settled, step)| {
            settled.step.pieces == step.pieces && kind(&settled.step.kind) == kind(&step.kind)
        });
        let shared = both.count();
        let new = reading.after(shared);
        let adds = new.iter().any(Step::is_recorded);
        let replaces = self.recorded().count() > shared;
        let costs_cards = self.table().game().cards().is_some_and(|cards| cards.untold().is_some());
        Difference { shared, new, adds, replaces, costs_cards }
    }
}
