//! How a reading differs from what is written.

use super::super::by_hand::{DOUBTS, RECENT_ACTIONS, STRANGE};
use super::super::reading::{Reading, Step, StepKind};
use super::Tracker;

/// What a reading says, and the written path does not.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Difference<'a> {
    /// How many recorded steps the two have in common.
    pub(in super::super) shared: usize,
    /// The further steps of the reading, and whether the record lacks some of them.
    pub(in super::super) new: &'a [Step],
    pub(in super::super) adds: bool,
    /// Whether the written path has further steps.
    pub(in super::super) replaces: bool,
}

impl Difference<'_> {
    fn actions(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.new.iter().filter(|step| matches!(step.kind, StepKind::Act { .. }))
    }

    /// By how much the new steps are in doubt: what they cost for a press that was forgotten or that came too late, and a
    /// third of what they cost for what the board does not show. All of it counts if the board showed it only when the
    /// player was on turn again, because it may belong to his next action; and where moves use up cards
    /// (`costs_cards`), because a wrong move costs more than a question there. Beside a `rival`, what both say
    /// and pay for alike is in doubt only as one of the last actions.
    pub(super) fn doubt(&self, rival: Option<&Reading>, costs_cards: bool) -> i32 {
        let share = |step: &Step| {
            // A press that seems to end nothing may have ended a turn.
            let ends = |kind: &StepKind| matches!(kind, StepKind::Act { .. } | StepKind::Idle);
            let last = self.new.iter().rfind(|other| ends(&other.kind) && other.mark.at <= step.shown);
            // Less doubt about an earlier step, because this one replaces what it owed, is worth no more than a third.
            let full = costs_cards || step.doubt > 0 && last.is_some_and(|last| last.by != step.by);
            step.odds + if full { step.doubt } else { step.doubt / DOUBTS }
        };
        // The last actions are in doubt even if all readings say them: what was done may be what no reading says.
        let last = self.actions().rev().nth(RECENT_ACTIONS - 1).map_or(0, |first| first.events);
        let parts = |step: &Step| (step.events, step.odds, step.doubt);
        let alike = |one: &Step, other: &Step| one.kind == other.kind && parts(one) == parts(other);
        let both = |step: &&Step| {
            step.events < last
                && rival.is_some_and(|rival| rival.steps.iter().any(|other| alike(step, other)))
        };
        self.new.iter().filter(|step| !both(step)).map(share).sum()
    }

    /// Whether the board shows enough of the new actions.
    pub(in super::super) fn is_plausible(&self) -> bool {
        let doubt: i32 = self.new.iter().map(|step| step.odds + step.doubt).sum();
        doubt <= self.actions().map(|_| STRANGE).sum::<i32>().max(STRANGE)
    }
}

impl Tracker {
    pub(in super::super) fn difference<'a>(&self, reading: &'a Reading) -> Difference<'a> {
        let kind = |kind: &StepKind| std::mem::discriminant(kind);
        let both = self.recorded().zip(reading.recorded()).take_while(|(settled, step)| {
            settled.step.pieces == step.pieces && kind(&settled.step.kind) == kind(&step.kind)
        });
        let shared = both.count();
        let new = reading.after(shared);
        let adds = new.iter().any(Step::is_recorded);
        let replaces = self.recorded().count() > shared;
        Difference { shared, new, adds, replaces }
    }
}
