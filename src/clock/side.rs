//! One side of a clock: what running time makes of it, and what a press does. Arithmetic alone.
//!
//! Source: record, "The clock as text". Each rule is worked through in `docs/clock.md`.

use tabiya_types::Millis;

use super::control::{Bonus, Stage};

/// How a side stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SideState {
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

impl SideState {
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
            Some(
                stage @ (Stage::Byoyomi { .. } | Stage::Canadian { .. } | Stage::PerMove(_) | Stage::CountUp),
            ) => {
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

    /// How many moves the running block of Canadian byo-yomi still wants.
    pub(super) fn left_in_block(&self, stages: &[Stage]) -> Option<u32> {
        match stages.get(self.stage) {
            Some(Stage::Canadian { moves, .. }) if self.overtime => {
                Some(moves.saturating_sub(self.moves_in_stage))
            }
            Some(_) | None => None,
        }
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
                    // Without seconds of its own: what follows it follows at once.
                    Stage::Time { base, .. } => {
                        self.left = *base;
                        true
                    }
                    overtime @ (Stage::Byoyomi { .. }
                    | Stage::Canadian { .. }
                    | Stage::PerMove(_)
                    | Stage::Hourglass(_)
                    | Stage::CountUp) => self.begin_overtime(overtime),
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

    /// Ends a turn. Moves are counted in any case; time is given to nobody whose flag is down.
    pub(super) fn end_turn(&mut self, stages: &[Stage], turn: EndedTurn) {
        let EndedTurn { used, counts, first_increment, frozen } = turn;
        let gives = !self.fallen && !frozen;
        self.moves = self.moves.saturating_add(u32::from(counts));
        let Some(stage) = stages.get(self.stage) else { return };
        match *stage {
            Stage::Time { moves, bonus, .. } => {
                if let Bonus::Bronstein(most) = bonus
                    && gives
                {
                    self.left = self.left + used.min(most);
                }
                self.moves_in_stage = self.moves_in_stage.saturating_add(u32::from(counts));
                if counts && moves == Some(self.moves_in_stage) {
                    self.begin_stage(stages, gives);
                }
                let adds = if first_increment { stages.get(self.stage) } else { Some(stage) };
                let more = adds.filter(|_| gives).map_or(Millis::ZERO, |stage| stage.bonus().increment());
                self.left = self.left + more;
            }
            _ if !gives => {}
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
    fn begin_stage(&mut self, stages: &[Stage], gives: bool) {
        self.stage = (self.stage + 1).min(stages.len().saturating_sub(1));
        self.moves_in_stage = 0;
        if let Some(Stage::Time { base, .. }) = stages.get(self.stage).filter(|_| gives) {
            self.left = self.left + *base;
        }
    }

    /// Sets what is left, as an arbiter does. More than a period is main time that comes before it.
    pub(super) fn set(&mut self, stages: &[Stage], left: Millis, in_play: bool) {
        if left > Millis::ZERO && self.fallen && in_play {
            self.fallen = false;
            self.periods = self.periods.max(u32::from(self.overtime));
        }
        self.left = left;
        match stages.get(self.stage) {
            Some(stage @ (Stage::Byoyomi { .. } | Stage::PerMove(_))) => {
                self.overtime &= left <= overtime(stage);
            }
            Some(Stage::Time { .. } | Stage::Canadian { .. } | Stage::Hourglass(_) | Stage::CountUp)
            | None => {}
        }
    }

    /// Sets how many moves were made. Where all stages so far count moves, it goes on in the stage that so
    /// many moves lead to; behind a stage without a count, in this stage, by as many more or less. What time
    /// a stage has is the arbiter's to set.
    pub(super) fn set_moves(&mut self, stages: &[Stage], moves: u32) {
        let before = std::mem::replace(&mut self.moves, moves);
        let counts = |stage: &Stage| match stage {
            Stage::Time { moves, .. } => *moves,
            _ => None,
        };
        let uncounted = stages.iter().position(|stage| counts(stage).is_none()).unwrap_or(stages.len());
        if self.stage > uncounted {
            let count = stages.get(self.stage).and_then(counts).unwrap_or(u32::MAX);
            let in_stage = i64::from(self.moves_in_stage) + i64::from(moves) - i64::from(before);
            let most = i64::from(count).saturating_sub(1);
            self.moves_in_stage = u32::try_from(in_stage.clamp(0, most)).unwrap_or_default();
            return;
        }
        let (mut stage, mut rest) = (0, moves);
        for (nth, count) in stages.iter().map_while(counts).enumerate() {
            // The last stage repeats.
            if rest < count || nth + 1 == stages.len() {
                (self.stage, self.moves_in_stage, self.overtime) = (nth, rest % count, false);
                return;
            }
            (stage, rest) = (nth + 1, rest - count);
        }
        if stage > self.stage {
            (self.stage, self.moves_in_stage, self.overtime) = (stage, 0, false);
        }
    }
}

/// A turn that a press has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndedTurn {
    /// How long it ran.
    pub(super) used: Millis,
    /// Whether it was a move that stages count.
    pub(super) counts: bool,
    /// FIDE's way: the next move's increment is given.
    pub(super) first_increment: bool,
    /// Whether a flag has stopped both sides.
    pub(super) frozen: bool,
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
