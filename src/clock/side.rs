//! One side of a clock: the effect of time that runs and of a press, computed without reading the time.
//!
//! Source: `docs/clock.md`, which also has examples for each rule.

use tabiya_types::Millis;

use super::control::{Bonus, Stage};

/// The state of one side of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SideState {
    /// The time left. If the present stage counts up, this is the time used so far.
    pub(super) left: Millis,
    /// The index of the present stage, from 0.
    pub(super) stage: usize,
    /// The number of moves that were completed by a press in this stage, or in this block of Canadian byo-yomi.
    moves_in_stage: u32,
    /// The number of moves that were completed by a press in the whole game.
    pub(super) moves: u32,
    /// Whether main time is used up and overtime runs: byo-yomi periods, a Canadian block, a time per move, or
    /// counting up. While this is false, `left` is main time.
    pub(super) overtime: bool,
    /// The byo-yomi periods left, including the running one.
    pub(super) periods: u32,
    pub(super) fallen: bool,
}

impl SideState {
    /// The state before the first move.
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

    /// The delay of a turn that begins now.
    pub(super) fn delay(&self, stages: &[Stage]) -> Millis {
        stages.get(self.stage).map_or(Millis::ZERO, |stage| stage.bonus().delay())
    }

    /// Whether the used time is counted up.
    pub(super) fn counts_up(&self, stages: &[Stage]) -> bool {
        self.overtime && matches!(stages.get(self.stage), Some(Stage::CountUp))
    }

    /// How many moves are still to be made in the running block of Canadian byo-yomi; `None` if no block runs.
    pub(super) fn left_in_block(&self, stages: &[Stage]) -> Option<u32> {
        match stages.get(self.stage) {
            Some(Stage::Canadian { moves, .. }) if self.overtime => {
                Some(moves.saturating_sub(self.moves_in_stage))
            }
            Some(_) | None => None,
        }
    }

    /// Lets this side's time run for `span`. If the flag falls within `span`, returns how long after the beginning of
    /// `span` it falls.
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

    /// How long the time can run until the flag falls; `None` if it never falls or has already fallen.
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

    /// Begins the next stage, period or overtime when the time left is used up. Returns true if the control gives
    /// more time, false if the flag falls.
    fn follow(&mut self, stages: &[Stage]) -> bool {
        match stages.get(self.stage) {
            Some(Stage::Time { moves: None, .. }) => {
                let Some(next) = stages.get(self.stage + 1) else { return false };
                (self.stage, self.moves_in_stage) = (self.stage + 1, 0);
                match next {
                    // If the next stage has zero seconds, it is used up at once. The caller's loop calls `follow`
                    // again, which begins the stage after it.
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

    /// Begins overtime after main time is used up. Returns false if the overtime is byo-yomi and no period is left.
    fn begin_overtime(&mut self, stage: &Stage) -> bool {
        (self.overtime, self.moves_in_stage) = (true, 0);
        self.left = overtime(stage);
        !matches!(stage, Stage::Byoyomi { .. }) || self.periods > 0
    }

    /// Ends a turn. If the turn counts as a move, the number of moves increases, even after the side's flag has fallen.
    /// A side whose flag has fallen gets no more time.
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

    /// Begins the next stage when all moves of the present stage are made. If the present stage is the last, the same
    /// stage begins again. The main time of the stage that begins is added to the time left. If it is an overtime
    /// stage, nothing is added: the time left remains as main time, and overtime begins when this main time is used up.
    fn begin_stage(&mut self, stages: &[Stage], gives: bool) {
        self.stage = (self.stage + 1).min(stages.len().saturating_sub(1));
        self.moves_in_stage = 0;
        if let Some(Stage::Time { base, .. }) = stages.get(self.stage).filter(|_| gives) {
            self.left = self.left + *base;
        }
    }

    /// Sets the time left, as an arbiter does. If the new time exceeds a byo-yomi period or the time per move, it
    /// becomes main time.
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

    /// Puts the side under other stages. Its reading stays, if it `had_time`; its moves count from the first stage on.
    pub(super) fn change_stages(&mut self, stages: &[Stage], had_time: bool, first_increment: bool) {
        let full = Self::full(stages, first_increment);
        let Self { left, moves, fallen, .. } = *self;
        *self = Self { fallen, ..full };
        self.set_moves(stages, moves);
        if had_time {
            self.set(stages, left, false);
        }
    }

    /// Sets how many moves the side has made. If all stages before the present one end after a number of moves, the
    /// side goes to the stage that the new number of moves belongs to. If an earlier stage has no number of moves, the
    /// side remains in its stage, and only the count of moves in that stage changes. The time left does not change: the
    /// arbiter sets the time separately.
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
    /// How long the player's time ran in the turn.
    pub(super) used: Millis,
    /// Whether the turn counts as a move. Some stages end after a number of moves.
    pub(super) counts: bool,
    /// Whether a press adds the increment for the player's next move, as in FIDE's rules. Otherwise it adds the
    /// increment for the move that was just made. The difference matters if the press begins a new stage.
    pub(super) first_increment: bool,
    /// Whether the clocks of both sides are stopped because a flag has fallen.
    pub(super) frozen: bool,
}

/// The full time of a byo-yomi period, of a Canadian block, or of a single move in a stage with a time per move. Zero
/// for other stages.
fn overtime(stage: &Stage) -> Millis {
    match *stage {
        Stage::Byoyomi { period, .. } => period,
        Stage::Canadian { block, .. } => block,
        Stage::PerMove(span) => span,
        Stage::Time { .. } | Stage::Hourglass(_) | Stage::CountUp => Millis::ZERO,
    }
}
