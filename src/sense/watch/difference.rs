//! How a reading differs from what is written.

use super::super::reading::{Reading, Step, StepKind};
use super::Watch;

/// A reading whose new actions cost more than this each, for what the board does not show, explains nothing.
const STRANGE: i32 = 90;

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
}

impl Difference<'_> {
    /// What the new steps cost for what the board does not show.
    pub(super) fn doubt(&self) -> i32 {
        self.new.iter().map(|step| step.doubt).sum()
    }

    /// Whether the board shows enough of the new actions.
    pub(super) fn is_plausible(&self) -> bool {
        let actions = self.new.iter().filter(|step| matches!(step.kind, StepKind::Act { .. }));
        self.doubt() <= actions.map(|_| STRANGE).sum::<i32>().max(STRANGE)
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
        Difference { shared, new, adds, replaces: self.recorded().count() > shared }
    }
}
