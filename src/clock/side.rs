//! One side of a clock: what running time makes of it, and what a press does. Arithmetic alone.
//!
//! Source: record, "The clock as text". Each rule is worked through in `docs/clock.md`.

use super::control::{Bonus, Stage};
use super::instant::Millis;

/// How a side stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Side {
    /// What is left; where time is counted up, what was used.
    pub(super) left: Millis,
    /// The stage, from 0.
    pub(super) stage: usize,
    /// The moves of this stage, or of this block of Canadian byo-yomi, that were pressed for.
    moves_in_stage: u32,
    /// All moves that were pressed for.
    pub(super) moves: u32,
    /// Whether the last stage's own time runs: periods, a block, a time per move, the count. Before that
    /// what is left is main time.
    pub(super) overtime: bool,
    /// The periods of byo-yomi that are left, the running one included.
    pub(super) periods: u32,
    pub(super) fallen: bool,
}

impl Side {
    /// As it stands before the first move.
    pub(super) fn full(stages: &[Stage], first_increment: bool) -> Self {
        let mut side = Self::default();
        if let Some(Stage::Byoyomi { periods, .. }) = stages.last() {
            side.periods = *periods;
        }
        match stages.first() {
            Some(Stage::Time { base, bonus, .. }) => {
                let first = if first_increment { bonus.increment() } else { Millis::ZERO };
                side.left = *base + first;
            }
            Some(Stage::Hourglass(base)) => side.left = *base,
            Some(stage) => {
                side.begin_overtime(stage);
            }
            None => {}
        }
        side
    }

    /// The free first part of a turn that begins now.
    pub(super) fn delay(&self, stages: &[Stage]) -> Millis {
        stages.get(self.stage).map_or(Millis::ZERO, |stage| stage.bonus().delay())
    }

    /// Whether it counts the time used.
    pub(super) fn counts_up(&self, stages: &[Stage]) -> bool {
        self.overtime && matches!(stages.get(self.stage), Some(Stage::CountUp))
    }

    /// Lets it run for a while; if the flag fell, after how long.
    pub(super) fn spend(&mut self, stages: &[Stage], span: Millis) -> Option<Millis> {
        let mut rest = span;
        while !stages.is_empty() && !self.fallen {
            if self.counts_up(stages) {
                self.left = self.left + rest;
                return None;
            }
            if rest < self.left {
                self.left = self.left.saturating_sub(rest);
                return None;
            }
            rest = rest.saturating_sub(self.left);
            if !self.follow(stages) {
                (self.left, self.fallen) = (Millis::ZERO, true);
                return Some(span.saturating_sub(rest));
            }
        }
        None
    }

    /// How long it can run until its flag falls; `None` if it never does, or has.
    pub(super) fn lasts(&self, stages: &[Stage]) -> Option<Millis> {
        let (mut then, mut lasts) = (*self, Millis::ZERO);
        if stages.is_empty() || self.fallen {
            return None;
        }
        loop {
            if then.counts_up(stages) {
                return None;
            }
            lasts = lasts + then.left;
            if !then.follow(stages) {
                return Some(lasts);
            }
        }
    }

    /// What is left is used up: whether something follows.
    fn follow(&mut self, stages: &[Stage]) -> bool {
        match stages.get(self.stage) {
            Some(Stage::Time { moves: None, .. }) => {
                let Some(next) = stages.get(self.stage + 1) else { return false };
                (self.stage, self.moves_in_stage) = (self.stage + 1, 0);
                match next {
                    Stage::Time { base, .. } => {
                        self.left = *base;
                        *base > Millis::ZERO
                    }
                    overtime => self.begin_overtime(overtime),
                }
            }
            Some(Stage::Time { moves: Some(_), .. } | Stage::Hourglass(_)) | None => false,
            Some(overtime) if !self.overtime => self.begin_overtime(overtime),
            Some(Stage::Byoyomi { period, .. }) => {
                self.periods = self.periods.saturating_sub(1);
                self.left = *period;
                self.periods > 0
            }
            Some(Stage::Canadian { .. } | Stage::PerMove(_) | Stage::CountUp) => false,
        }
    }

    /// Main time is used up: whether the last stage has something to give.
    fn begin_overtime(&mut self, stage: &Stage) -> bool {
        (self.overtime, self.moves_in_stage) = (true, 0);
        self.left = overtime(stage);
        !matches!(stage, Stage::Byoyomi { .. }) || self.periods > 0
    }

    /// Ends a turn that used so much; `counts`: it was a move that stages count.
    pub(super) fn end_turn(&mut self, stages: &[Stage], used: Millis, counts: bool, first_increment: bool) {
        self.moves = self.moves.saturating_add(u32::from(counts));
        let Some(stage) = stages.get(self.stage).filter(|_| !self.fallen) else { return };
        match *stage {
            Stage::Time { moves, bonus, .. } => {
                if let Bonus::Bronstein(most) = bonus {
                    self.left = self.left + used.min(most);
                }
                self.moves_in_stage = self.moves_in_stage.saturating_add(u32::from(counts));
                if counts && moves == Some(self.moves_in_stage) {
                    self.begin_stage(stages);
                }
                let adds = if first_increment { stages.get(self.stage) } else { Some(stage) };
                self.left = self.left + adds.map_or(Millis::ZERO, |stage| stage.bonus().increment());
            }
            Stage::Byoyomi { .. } | Stage::PerMove(_) if self.overtime => self.left = overtime(stage),
            Stage::Canadian { moves, .. } if self.overtime => {
                self.moves_in_stage = self.moves_in_stage.saturating_add(u32::from(counts));
                if self.moves_in_stage >= moves {
                    (self.left, self.moves_in_stage) = (overtime(stage), 0);
                }
            }
            Stage::Byoyomi { .. }
            | Stage::PerMove(_)
            | Stage::Canadian { .. }
            | Stage::Hourglass(_)
            | Stage::CountUp => {}
        }
    }

    /// The moves of a stage are made: the next one's time comes to what is left. The last stage repeats;
    /// before an overtime what is left is main time without a count.
    fn begin_stage(&mut self, stages: &[Stage]) {
        self.stage = (self.stage + 1).min(stages.len().saturating_sub(1));
        self.moves_in_stage = 0;
        if let Some(Stage::Time { base, .. }) = stages.get(self.stage) {
            self.left = self.left + *base;
        }
    }

    /// Sets what is left, as an arbiter does. More than a period is main time that comes before it.
    pub(super) fn set(&mut self, stages: &[Stage], left: Millis) {
        if left > Millis::ZERO && self.fallen {
            self.fallen = false;
            self.periods = self.periods.max(u32::from(self.overtime));
        }
        self.left = left;
        if let Some(stage @ (Stage::Byoyomi { .. } | Stage::PerMove(_))) = stages.get(self.stage) {
            self.overtime &= left <= overtime(stage);
        }
    }

    /// Sets how many moves were made. Where stages count moves, it goes on in the stage that so many moves
    /// lead to; what time that has is the arbiter's to set.
    pub(super) fn set_moves(&mut self, stages: &[Stage], moves: u32) {
        self.moves = moves;
        let (mut stage, mut rest) = (0, moves);
        while let Some(Stage::Time { moves: Some(count), .. }) = stages.get(stage) {
            // The last stage repeats.
            let is_last = stage + 1 == stages.len();
            if rest < *count || is_last {
                (self.stage, self.moves_in_stage, self.overtime) = (stage, rest % count, false);
                return;
            }
            rest -= count;
            stage += 1;
        }
        // From here on stages end by time, which this does not change.
        self.stage = self.stage.max(stage);
    }
}

/// The whole of what the last stage gives at a time.
fn overtime(stage: &Stage) -> Millis {
    match *stage {
        Stage::Byoyomi { period, .. } => period,
        Stage::Canadian { block, .. } => block,
        Stage::PerMove(span) => span,
        Stage::Time { .. } | Stage::Hourglass(_) | Stage::CountUp => Millis::ZERO,
    }
}
