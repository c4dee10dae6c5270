//! The two-sided clock as a value: arithmetic on stamps, never a counter that ticks.
//!
//! Reads no time: every moment is an argument. Source: record, "The clock as text" and "How lines
//! act" 9, 10, 13, 14. A flag is decided by moments, so that a press with the flag's own
//! millisecond comes too late.

use std::sync::Arc;

use super::control::{Stage, TimeControl};
use super::instant::{Instant, Millis};
use crate::rules::{ByColor, Color};

/// What a clock is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Each side's control.
    pub controls: ByColor<TimeControl>,
    /// FIDE's way: the first move's increment stands on the clock from the start.
    pub first_increment: bool,
    /// Whether the first flag stops both sides.
    pub freeze: bool,
}

/// A flag that fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallen {
    /// Whose.
    pub side: Color,
    /// At that very moment.
    pub at: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Side {
    /// What was left when it last started or stopped running.
    left: Millis,
    stage: usize,
    moves_in_stage: u32,
    moves: u32,
    fallen: bool,
}

/// A chess clock for one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    setting: Arc<Setting>,
    sides: ByColor<Side>,
    /// Whose turn it is; `None` before the start and after the end.
    turn: Option<Color>,
    /// Since when that side's time runs; `None` while it stands.
    since: Option<Instant>,
    /// When it ran in this turn before that, from and until: a pause lay between.
    ran: Vec<(Instant, Instant)>,
    paused: bool,
    /// Stopped for good by a flag.
    frozen: bool,
    flag: Option<Color>,
}

impl Clock {
    /// A full clock that stands.
    pub fn new(setting: Arc<Setting>) -> Self {
        let sides = ByColor::new(|color| {
            let left = match &setting.controls[color] {
                TimeControl::Untimed => Millis::ZERO,
                TimeControl::Stages(stages) => stages.first().map_or(Millis::ZERO, |first| {
                    if setting.first_increment { first.base + first.increment } else { first.base }
                }),
            };
            Side { left, ..Side::default() }
        });
        Self {
            setting,
            sides,
            turn: None,
            since: None,
            ran: Vec::new(),
            paused: false,
            frozen: false,
            flag: None,
        }
    }

    /// Whose turn it is on the clock, once it was started.
    pub fn turn(&self) -> Option<Color> {
        self.turn
    }

    /// Whether somebody paused it.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Whose flag fell first.
    pub fn flag(&self) -> Option<Color> {
        self.flag
    }

    /// Whether this side's flag has fallen.
    pub fn has_fallen(&self, side: Color) -> bool {
        self.sides[side].fallen
    }

    /// Whether a fallen flag has stopped both sides.
    pub fn frozen(&self) -> bool {
        self.frozen
    }

    /// How many moves this side has ended by a press.
    pub fn moves(&self, side: Color) -> u32 {
        self.sides[side].moves
    }

    fn stages(&self, side: Color) -> Option<&[Stage]> {
        match &self.setting.controls[side] {
            TimeControl::Untimed => None,
            TimeControl::Stages(stages) => Some(stages),
        }
    }

    /// Whether this side has a time to run out.
    pub fn timed(&self, side: Color) -> bool {
        self.stages(side).is_some()
    }

    /// What `side` has left at `now`; `None` without a clock. Asking twice changes nothing.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.stages(side)?;
        let mut then = self.clone();
        then.read_on(now);
        let used = match then.since {
            Some(since) if then.turn == Some(side) => now.since(since),
            _ => Millis::ZERO,
        };
        Some(then.sides[side].left.saturating_sub(used))
    }

    /// When the running side's time is used up, be it a stage's end or the flag.
    pub fn used_up_at(&self) -> Option<Instant> {
        let (side, since) = (self.turn?, self.since?);
        self.stages(side)?;
        (!self.sides[side].fallen).then(|| since + self.sides[side].left)
    }

    /// When the running side's flag falls if nobody presses; stages without a count come before that.
    pub fn flag_at(&self) -> Option<Instant> {
        let mut then = self.clone();
        while let Some(at) = then.used_up_at() {
            if let Some(fallen) = then.read_on(at) {
                return Some(fallen.at);
            }
        }
        None
    }

    /// Lets time pass up to `now`: stages without a count begin, a flag falls, each at its own moment.
    pub fn read_on(&mut self, now: Instant) -> Option<Fallen> {
        while let (Some(at), Some(side)) = (self.used_up_at(), self.turn) {
            if at > now {
                return None;
            }
            let stage = self.sides[side].stage;
            let stages = self.stages(side)?;
            let next = stages.get(stage + 1).filter(|_| stages.get(stage).is_some_and(|s| s.moves.is_none()));
            if let Some(next) = next.copied() {
                let mine = &mut self.sides[side];
                mine.left = mine.left + next.base;
                (mine.stage, mine.moves_in_stage) = (stage + 1, 0);
                if next.base > Millis::ZERO {
                    continue;
                }
            }
            self.fall(side, at);
            return Some(Fallen { side, at });
        }
        None
    }

    fn fall(&mut self, side: Color, at: Instant) {
        self.sides[side].left = Millis::ZERO;
        self.sides[side].fallen = true;
        self.flag = self.flag.or(Some(side));
        self.since = Some(at);
        if self.setting.freeze {
            (self.frozen, self.since) = (true, None);
        }
    }

    /// Starts the clock of the side to move.
    pub fn start(&mut self, side: Color, now: Instant) {
        self.turn = Some(side);
        self.since = (!self.paused && !self.frozen).then_some(now);
    }

    /// Ends the running side's turn; `counts` says whether it was a move that stages count. `now` may lie
    /// before a pause of this turn: what ran since was the other side's time.
    /// Call [`Clock::read_on`] first.
    pub fn press(&mut self, now: Instant, counts: bool) {
        let Some(side) = self.turn else { return };
        self.bank(now);
        let ran_since = self.give_back(side, now);
        let goes_on = self.since;
        let stages = self.stages(side).map(<[Stage]>::to_vec);
        let (first_increment, frozen) = (self.setting.first_increment, self.frozen);
        let mine = &mut self.sides[side];
        mine.moves += u32::from(counts);
        if let Some(stages) = stages.filter(|_| !mine.fallen && !frozen) {
            let before = mine.stage;
            mine.moves_in_stage += u32::from(counts);
            if stages.get(before).is_some_and(|stage| stage.moves == Some(mine.moves_in_stage)) {
                // The last stage repeats.
                mine.stage = (before + 1).min(stages.len() - 1);
                mine.moves_in_stage = 0;
                mine.left = mine.left + stages.get(mine.stage).map_or(Millis::ZERO, |stage| stage.base);
            }
            let adds = if first_increment { mine.stage } else { before };
            mine.left = mine.left + stages.get(adds).map_or(Millis::ZERO, |stage| stage.increment);
        }
        self.start(side.other(), now);
        let other = &mut self.sides[side.other()];
        other.left = other.left.saturating_sub(ran_since);
        self.since = self.since.map(|since| goes_on.map_or(since, |goes_on| goes_on.max(since)));
    }

    /// Takes what the running side used out of what it has left; it goes on from `now`.
    fn bank(&mut self, now: Instant) {
        if let (Some(side), Some(since)) = (self.turn, self.since)
            && now > since
        {
            self.sides[side].left = self.sides[side].left.saturating_sub(now.since(since));
            self.ran.push((since, now));
            self.since = Some(now);
        }
    }

    /// Gives back what ran in this turn after `now`, where it ended before a pause; returns how much.
    fn give_back(&mut self, side: Color, now: Instant) -> Millis {
        self.ran.retain(|(_, until)| *until > now);
        for (from, _) in &mut self.ran {
            *from = (*from).max(now);
        }
        let ran = self.ran.iter().fold(Millis::ZERO, |sum, (from, until)| sum + until.since(*from));
        self.sides[side].left = self.sides[side].left + ran;
        ran
    }

    /// Stops both sides until [`Clock::resume`].
    pub fn pause(&mut self, now: Instant) {
        self.bank(now);
        (self.paused, self.since) = (true, None);
    }

    /// Goes on after a pause.
    pub fn resume(&mut self, now: Instant) {
        self.paused = false;
        if self.turn.is_some() && !self.frozen {
            self.since = Some(now);
        }
    }

    /// Nobody's time runs any more: the game is over.
    pub fn stop(&mut self, now: Instant) {
        self.bank(now);
        if let Some(side) = self.turn {
            self.give_back(side, now);
        }
        self.ran.clear();
        (self.turn, self.since) = (None, None);
    }

    /// Gives the turn to a side without ending a move, as a ruling does.
    pub fn hand_over(&mut self, side: Color, now: Instant) {
        if self.turn.is_some() {
            self.bank(now);
            self.ran.clear();
            self.start(side, now);
        }
    }

    /// Sets what a side has left, as an arbiter does. A fallen flag stands up again if that is more than nothing.
    pub fn set(&mut self, side: Color, left: Millis, now: Instant) {
        self.bank(now);
        self.ran.clear();
        self.sides[side].left = left;
        if left > Millis::ZERO && self.sides[side].fallen {
            self.sides[side].fallen = false;
            self.flag = Color::ALL.into_iter().find(|color| self.sides[*color].fallen);
            self.frozen = self.flag.is_some() && self.setting.freeze;
            if self.turn.is_some() && !self.paused && !self.frozen {
                self.since = Some(now);
            }
        }
    }

    /// Adds time to a side, as a penalty of the other. A flag that has fallen stays down: only a ruling puts it
    /// up again.
    pub fn add(&mut self, side: Color, gain: Millis, now: Instant) {
        if let Some(left) = self.reading(side, now).filter(|_| !self.sides[side].fallen) {
            self.set(side, left + gain, now);
        }
    }

    /// The same clock as if `span` had not passed: what runs goes on from that much later.
    pub fn shift(&mut self, span: Millis) {
        self.since = self.since.map(|since| since + span);
    }
}
