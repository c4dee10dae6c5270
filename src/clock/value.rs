//! The two-sided clock as a value: arithmetic on stamps, never a counter that ticks.
//!
//! Reads no time: every moment is an argument. Source: record, "The clock as text" and "How lines
//! act" 9, 10, 13, 14. A flag is decided by moments, so that a press with the flag's own
//! millisecond comes too late.

use std::sync::Arc;

use tabiya_types::{ByColor, Color, Instant, Millis};

use super::control::{Stage, TimeControl};
use super::side::{EndedTurn, SideState};
use super::spans::Spans;

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

/// Where a side stands in its control at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The stage, from 1.
    pub stage: usize,
    /// How many stages there are.
    pub stages: usize,
    /// Whether main time is used up, and periods, a block or a time per move run, or time is counted up.
    pub overtime: bool,
    /// The periods of byo-yomi that are left, the running one included; `None` without byo-yomi.
    pub periods: Option<u32>,
    /// The moves that are still to be made in the block of Canadian byo-yomi that runs, the one in progress
    /// included; `None` where none runs.
    pub block: Option<u32>,
    /// Whether the time used is counted.
    pub counts_up: bool,
    /// What is left of the free part of this turn.
    pub delay: Millis,
}

/// A chess clock for one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    setting: Arc<Setting>,
    /// As they stood at the moment from which `ran` is counted: the turn's beginning, or when a side was set in
    /// its midst. What ran since is worked out when it is asked for.
    sides: ByColor<SideState>,
    /// Whose turn it is; `None` before the start and after the end.
    turn: Option<Color>,
    /// Since when that side's time runs; `None` while it stands.
    since: Option<Instant>,
    /// When it ran in this turn before that: a pause or an undo lay between.
    ran: Spans,
    /// What was free of the turn's delay when the sides stood as they are kept.
    free: Millis,
    /// When each side was set last: what ran before that is settled.
    ruled: ByColor<Instant>,
    paused: bool,
    /// Stopped for good by a flag.
    frozen: bool,
    flag: Option<Color>,
}

impl Clock {
    /// A full clock that stands.
    pub fn new(setting: Arc<Setting>) -> Self {
        let sides =
            ByColor::new(|color| SideState::full(setting.controls[color].stages(), setting.first_increment));
        Self {
            setting,
            sides,
            turn: None,
            since: None,
            ran: Spans::default(),
            free: Millis::ZERO,
            ruled: ByColor::default(),
            paused: false,
            frozen: false,
            flag: None,
        }
    }

    // ---- what it shows ----

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

    /// Whether this side has a clock at all.
    pub fn timed(&self, side: Color) -> bool {
        !self.stages(side).is_empty()
    }

    /// What `side` has left at `now`, or has used where its time is counted up; `None` without a clock.
    /// Asking twice changes nothing.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.timed(side).then(|| self.side_at(side, now).left)
    }

    /// Where `side` stands in its control at `now`; `None` without a clock.
    pub fn standing(&self, side: Color, now: Instant) -> Option<Standing> {
        let stages = self.stages(side);
        let then = self.side_at(side, now);
        let delay = match self.turn {
            Some(turn) if turn == side => self.free.saturating_sub(self.elapsed(now)),
            Some(_) | None => Millis::ZERO,
        };
        (!stages.is_empty()).then_some(Standing {
            stage: then.stage + 1,
            stages: stages.len(),
            overtime: then.overtime,
            periods: matches!(stages.last(), Some(Stage::Byoyomi { .. })).then_some(then.periods),
            block: then.left_in_block(stages),
            counts_up: then.counts_up(stages),
            delay,
        })
    }

    /// Whether `side` counts the time used at `now`.
    pub fn counts_up(&self, side: Color, now: Instant) -> bool {
        self.side_at(side, now).counts_up(self.stages(side))
    }

    /// When the running side's flag falls if nobody presses.
    pub fn flag_at(&self) -> Option<Instant> {
        let side = self.turn?;
        let lasts = self.sides[side].lasts(self.stages(side))?;
        self.moment_of(self.free + lasts)
    }

    fn stages(&self, side: Color) -> &[Stage] {
        self.setting.controls[side].stages()
    }

    /// How long the running side has run in this turn, until a moment.
    fn ran_until(&self, moment: Instant) -> Millis {
        self.ran.until(moment) + self.runs_until(moment)
    }

    /// How much of that belongs to the span that runs.
    fn runs_until(&self, moment: Instant) -> Millis {
        self.since.map_or(Millis::ZERO, |since| moment.since(since))
    }

    /// How long the running side has run since the sides stood as they are kept.
    fn elapsed(&self, now: Instant) -> Millis {
        let before = self.ran.before() + self.runs_until(self.ran.from());
        self.ran_until(now).saturating_sub(before)
    }

    /// The moment at which it has run for so long; `None` if it stands before that.
    fn moment_of(&self, elapsed: Millis) -> Option<Instant> {
        let rest = elapsed.saturating_sub(self.ran.counted());
        let runs_on = || self.since.map(|since| since.max(self.ran.from()) + rest);
        self.ran.moment_of(elapsed).or_else(runs_on)
    }

    /// The running side after so long, and after how long its flag fell.
    fn spent(&self, side: Color, elapsed: Millis) -> (SideState, Option<Millis>) {
        let mut then = self.sides[side];
        if elapsed < self.free {
            return (then, None);
        }
        let fell = then.spend(self.stages(side), elapsed.saturating_sub(self.free));
        (then, fell.map(|fell| self.free + fell))
    }

    /// A side at a moment, whether it runs or not.
    fn side_at(&self, side: Color, now: Instant) -> SideState {
        match self.turn {
            Some(turn) if turn == side => self.spent(side, self.elapsed(now)).0,
            Some(turn) => {
                let mut then = self.sides[side];
                then.left = then.left + self.handed_over(turn, self.elapsed(now));
                then
            }
            None => self.sides[side],
        }
    }

    /// What the other side gains when this one runs for so long: an hourglass.
    fn handed_over(&self, running: Color, elapsed: Millis) -> Millis {
        let both = Color::ALL.iter().all(|color| self.setting.controls[*color].is_hourglass());
        // A fallen flag stays down until somebody rules otherwise.
        if both && !self.sides[running.other()].fallen {
            elapsed.min(self.sides[running].left)
        } else {
            Millis::ZERO
        }
    }

    // ---- time ----

    /// Lets time pass up to `now`: if a flag fell by then, whose and when. Everything else that time does
    /// is worked out when it is asked for.
    pub fn read_on(&mut self, now: Instant) -> Option<Fallen> {
        let side = self.turn?;
        let fell = self.spent(side, self.elapsed(now)).1?;
        let at = self.moment_of(fell)?;
        self.keep(side, fell, at);
        self.flag = self.flag.or(Some(side));
        if self.setting.freeze {
            self.stand(at);
            self.frozen = true;
        }
        Some(Fallen { side, at })
    }

    /// Keeps both sides as they stand at a moment, when the running one has run for so long.
    fn keep(&mut self, side: Color, elapsed: Millis, at: Instant) {
        let handed_over = self.handed_over(side, elapsed);
        let other = &mut self.sides[side.other()];
        other.left = other.left + handed_over;
        self.sides[side] = self.spent(side, elapsed).0;
        self.free = self.free.saturating_sub(elapsed);
        self.ran.count_from(self.ran.from().max(at));
    }

    /// Keeps both sides as they stand at `now`, in the midst of a turn.
    fn settle(&mut self, now: Instant) {
        self.read_on(now);
        if let Some(side) = self.turn {
            self.keep(side, self.elapsed(now), now);
        }
    }

    /// What runs has run until `at` and stands.
    fn stand(&mut self, at: Instant) {
        if let Some(since) = self.since.take() {
            self.ran.push(since, at.max(since));
        }
    }

    /// Goes on at `now` as if nothing had been since `stood`: an undo lets the clocks stand as they stood
    /// then.
    pub fn go_on(&mut self, stood: Instant, now: Instant) {
        self.ran.cut(stood);
        if let Some(since) = self.since.filter(|since| *since < stood) {
            self.ran.push(since, stood);
        }
        self.since = self.since.map(|_| now);
        self.ran.count_from(self.ran.from().min(stood));
    }

    // ---- what people do ----

    /// Starts the clock of the side to move.
    pub fn start(&mut self, side: Color, now: Instant) {
        (self.turn, self.ran) = (Some(side), Spans::counted_from(now));
        self.since = (!self.paused && !self.frozen).then_some(now);
        self.free = self.sides[side].delay(self.stages(side));
    }

    /// Ends the running side's turn; `counts` says whether it was a move that stages count. `now` may lie
    /// before a pause of this turn: what ran since was the other side's time.
    pub fn press(&mut self, now: Instant, counts: bool) {
        self.read_on(now);
        let Some(side) = self.turn else { return };
        let (used, goes_on, later) = (self.ran_until(now), self.since, self.ran.after(now));
        self.keep(side, self.elapsed(now), now);
        let setting = self.setting.clone();
        let (stages, mine) = (setting.controls[side].stages(), &mut self.sides[side]);
        let turn = EndedTurn { used, counts, first_increment: setting.first_increment, frozen: self.frozen };
        mine.end_turn(stages, turn);
        self.start(side.other(), goes_on.map_or(now, |since| since.max(now)));
        // What ran before a pause and after this press was the other side's, but not what ran before an
        // arbiter set it.
        self.ran = Spans::counted_from(now.max(self.ruled[side.other()]));
        for (from, until) in later {
            self.ran.push(from, until);
        }
    }

    /// Stops both sides until [`Clock::resume`].
    pub fn pause(&mut self, now: Instant) {
        self.stand(now);
        self.paused = true;
    }

    /// Goes on after a pause.
    pub fn resume(&mut self, now: Instant) {
        self.paused = false;
        self.since = (self.turn.is_some() && !self.frozen).then_some(now);
    }

    /// Nobody's time runs any more: the game is over.
    pub fn stop(&mut self, now: Instant) {
        self.settle(now);
        (self.turn, self.since) = (None, None);
    }

    /// Gives the turn to a side without ending a move, as a ruling does.
    pub fn hand_over(&mut self, side: Color, now: Instant) {
        if self.turn.is_some() {
            self.settle(now);
            self.start(side, now);
        }
    }

    /// Sets what a side has left, as an arbiter does; where time is counted up, what it has used. A fallen
    /// flag stands up again if that is more than nothing, and the game is not over.
    pub fn set(&mut self, side: Color, left: Millis, now: Instant) {
        self.settle_for(side, now);
        let setting = self.setting.clone();
        let had_fallen = self.sides[side].fallen;
        self.sides[side].set(setting.controls[side].stages(), left, self.turn.is_some());
        self.ruled[side] = now;
        if had_fallen && !self.sides[side].fallen {
            self.flag = Color::ALL.into_iter().find(|color| self.sides[*color].fallen);
            let was_frozen = std::mem::replace(&mut self.frozen, self.flag.is_some() && setting.freeze);
            if was_frozen && !self.frozen && self.turn.is_some() && !self.paused {
                self.since = Some(now);
            }
        }
    }

    /// Before a side is set: what ran until now is worked out if it is that side's. The other side's turn
    /// is not touched, but where what one uses the other gains.
    fn settle_for(&mut self, side: Color, now: Instant) {
        self.read_on(now);
        let glass = self.setting.controls[side].is_hourglass();
        if self.turn == Some(side) || glass {
            self.settle(now);
        }
    }

    /// Adds time to a side, as a penalty of the other. A flag that has fallen stays down: only a ruling puts it
    /// up again.
    pub fn add(&mut self, side: Color, gain: Millis, now: Instant) {
        if let Some(left) = self.reading(side, now).filter(|_| !self.sides[side].fallen) {
            let up = self.counts_up(side, now);
            self.set(side, if up { left.saturating_sub(gain) } else { left + gain }, now);
        }
    }

    /// Sets how many periods of byo-yomi a side has left, the running one included. Whether it can: it has
    /// byo-yomi, and does not play in a period while none shall be left.
    pub fn set_periods(&mut self, side: Color, periods: u32, now: Instant) -> bool {
        let Some(then) = self.standing(side, now).filter(|then| then.periods.is_some()) else { return false };
        if then.overtime && periods == 0 {
            return false;
        }
        self.settle_for(side, now);
        self.sides[side].periods = periods;
        true
    }

    /// Sets how many moves a side has made, as an arbiter corrects a clock's move counter. The stage
    /// follows from that where stages count moves; its time does not.
    pub fn set_moves(&mut self, side: Color, moves: u32, now: Instant) {
        self.settle_for(side, now);
        let setting = self.setting.clone();
        self.sides[side].set_moves(setting.controls[side].stages(), moves);
    }
}
