//! How a reading differs from what is written.

use super::super::reading::{Reading, StepKind};
use super::tracker::Tracker;

/// A reading whose new actions cost more than this each, for what the board does not show, explains nothing.
const STRANGE: i32 = 90;

/// What a reading says, and the written path does not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Difference {
    /// How many recorded steps the two have in common.
    pub(super) shared: usize,
    /// Whether the reading has further steps, and whether the path has.
    pub(super) adds: bool,
    pub(super) replaces: bool,
    /// How many actions the reading adds, and what they cost for what the board does not show.
    actions: i32,
    pub(super) doubt: i32,
}

impl Difference {
    /// Whether the board shows enough of the new actions.
    pub(super) fn is_plausible(&self) -> bool {
        self.doubt <= STRANGE * self.actions.max(1)
    }
}

impl Tracker {
    pub(super) fn difference(&self, reading: &Reading) -> Difference {
        let kind = |kind: &StepKind| std::mem::discriminant(kind);
        let both = self.recorded().zip(reading.recorded()).take_while(|(settled, step)| {
            settled.step.pieces == step.pieces && kind(&settled.step.kind) == kind(&step.kind)
        });
        let shared = both.count();
        let mut difference =
            Difference { shared, replaces: self.recorded().count() > shared, ..Difference::default() };
        let mut recorded = 0;
        for step in &reading.steps {
            if recorded >= shared {
                difference.doubt += step.doubt;
                difference.actions += i32::from(matches!(step.kind, StepKind::Act { .. }));
                difference.adds |= step.is_recorded();
            }
            recorded += usize::from(step.is_recorded());
        }
        difference
    }
}
