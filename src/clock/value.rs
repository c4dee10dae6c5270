//! A chess clock as a value: it computes readings from the moments of the presses and has no running counter.
//!
//! It does not read the time: every method takes the moment as an argument. Source: `docs/clock.md`;
//! `docs/record.md`, "How lines act", rules 9, 10, 13 and 14. A flag falls at an exact millisecond, and a press in
//! that same millisecond comes too late.

use std::sync::Arc;

use tabiya_types::{ByColor, Color, Instant, Millis};

use super::control::{Stage, TimeControl};
use super::side::{EndedTurn, SideState};
use super::spans::Spans;

/// The setting of a clock for one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The time control of each side.
    pub controls: ByColor<TimeControl>,
    /// Whether each side gets the increment for its first move already before the game, as in FIDE's rules. If so, its
    /// clock starts with the main time plus the increment.
    pub first_increment: bool,
    /// Whether the clocks of both sides stop as soon as the first flag falls.
    pub freeze: bool,
}

/// A flag that has fallen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FallenFlag {
    /// The side whose flag fell.
    pub side: Color,
    /// The moment at which the flag fell.
    pub at: Instant,
}

/// How far one side has got in its time control at some moment: stage, periods, moves and delay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlProgress {
    /// The number of the present stage, from 1.
    pub stage: usize,
    /// How many stages the control has.
    pub stages: usize,
    /// Whether main time is used up, so that periods, a block, a time per move or counting up applies.
    pub overtime: bool,
    /// The byo-yomi periods left, including the running one; `None` without byo-yomi.
    pub periods: Option<u32>,
    /// The moves still to be made in the running block of Canadian byo-yomi, including the move in progress;
    /// `None` if no block runs.
    pub block: Option<u32>,
    /// Whether the clock counts the used time up.
    pub counts_up: bool,
    /// The rest of this turn's delay, during which no time is used.
    pub delay: Millis,
}

/// A chess clock for one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    setting: Arc<Setting>,
    /// The states of both sides at one stored moment: the beginning of the turn, or a later change of a state during
    /// the turn, such as a ruling that sets a side's time. Time used since that moment is not stored, but computed on
    /// request. `ran` counts time from the same moment.
    sides: ByColor<SideState>,
    /// The side whose turn it is; `None` before the start and after the end of the game.
    turn: Option<Color>,
    /// The moment at which the current uninterrupted run began; `None` while no time runs.
    since: Option<Instant>,
    /// The earlier runs of this turn, which a pause or an undo has ended.
    ran: Spans,
    /// The part of the turn's delay that was left when `sides` was stored.
    free: Millis,
    /// The moment at which each side's time was last set. Time that the side used before that moment is no longer
    /// charged.
    ruled: ByColor<Instant>,
    paused: bool,
    /// Whether both sides stand although a turn is in progress, because the game waits for something untimed.
    held: bool,
    /// Whether a fallen flag has stopped both sides.
    frozen: bool,
    flag: Option<Color>,
}

impl Clock {
    /// A clock with full time that has not been started.
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
            held: false,
            frozen: false,
            flag: None,
        }
    }

    // ---- what it shows ----

    /// The side whose turn it is on the clock; `None` before the start and after the end of the game.
    pub fn turn(&self) -> Option<Color> {
        self.turn
    }

    /// Whether the clock is paused.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Whether both sides stand although a turn is in progress, because the game waits for something untimed.
    pub fn held(&self) -> bool {
        self.held
    }

    /// The side whose flag fell first; `None` if no flag has fallen.
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

    /// How many moves this side has ended with a press.
    pub fn moves(&self, side: Color) -> u32 {
        self.sides[side].moves
    }

    /// Whether this side has a time control.
    pub fn timed(&self, side: Color) -> bool {
        !self.stages(side).is_empty()
    }

    /// The time that `side` has left at `now`, or the time it has used if it counts up; `None` without a time
    /// control. Reading the clock does not change it.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.timed(side).then(|| self.side_at(side, now).left)
    }

    /// How far `side` has got in its time control at `now`; `None` without a time control.
    pub fn standing(&self, side: Color, now: Instant) -> Option<ControlProgress> {
        let stages = self.stages(side);
        let then = self.side_at(side, now);
        let delay = match self.turn {
            Some(turn) if turn == side => self.free.saturating_sub(self.elapsed(now)),
            Some(_) | None => Millis::ZERO,
        };
        (!stages.is_empty()).then_some(ControlProgress {
            stage: then.stage + 1,
            stages: stages.len(),
            overtime: then.overtime,
            periods: matches!(stages.last(), Some(Stage::Byoyomi { .. })).then_some(then.periods),
            block: then.left_in_block(stages),
            counts_up: then.counts_up(stages),
            delay,
        })
    }

    /// Whether the clock of `side` counts upwards at `now`: it then gives the time used, not the time left.
    pub fn counts_up(&self, side: Color, now: Instant) -> bool {
        self.side_at(side, now).counts_up(self.stages(side))
    }

    /// The moment at which the flag of the running side falls if nobody presses; `None` if it never falls.
    pub fn flag_at(&self) -> Option<Instant> {
        let side = self.turn?;
        let lasts = self.sides[side].lasts(self.stages(side))?;
        self.moment_of(self.free + lasts)
    }

    fn stages(&self, side: Color) -> &[Stage] {
        self.setting.controls[side].stages()
    }

    /// How long the time has run in this turn, up to `moment`. Interruptions, such as pauses, are not included.
    fn ran_until(&self, moment: Instant) -> Millis {
        self.ran.until(moment) + self.runs_until(moment)
    }

    /// How long the time has run, up to `moment`, since the turn began or the last interruption ended; zero while no
    /// time runs.
    fn runs_until(&self, moment: Instant) -> Millis {
        self.since.map_or(Millis::ZERO, |since| moment.since(since))
    }

    /// How long the running side's time has run, from the moment whose states are stored in `sides` until `now`.
    fn elapsed(&self, now: Instant) -> Millis {
        let before = self.ran.before() + self.runs_until(self.ran.from());
        self.ran_until(now).saturating_sub(before)
    }

    /// The moment at which the running side's time will have run, or had run, for `elapsed` since the moment whose
    /// states are stored in `sides`. `None` if the clock stops before that.
    fn moment_of(&self, elapsed: Millis) -> Option<Instant> {
        let rest = elapsed.saturating_sub(self.ran.counted());
        let runs_on = || self.since.map(|since| since.max(self.ran.from()) + rest);
        self.ran.moment_of(elapsed).or_else(runs_on)
    }

    /// Returns the state of the running side after its time ran for `elapsed`. If the side's flag falls within
    /// `elapsed`, the second value is the length of time that ran before the fall.
    fn spent(&self, side: Color, elapsed: Millis) -> (SideState, Option<Millis>) {
        let mut then = self.sides[side];
        if elapsed < self.free {
            return (then, None);
        }
        let fell = then.spend(self.stages(side), elapsed.saturating_sub(self.free));
        (then, fell.map(|fell| self.free + fell))
    }

    /// The state of a side at `now`, whether its time runs or not.
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

    /// The time that the opponent of `running` gains while `running` uses `elapsed`; zero unless both have an
    /// hourglass.
    fn handed_over(&self, running: Color, elapsed: Millis) -> Millis {
        let both = Color::ALL.iter().all(|color| self.setting.controls[*color].is_hourglass());
        // A side whose flag has fallen gains no time. With a gain it would have time left again, which would raise its
        // flag; but only a ruling may raise a flag.
        if both && !self.sides[running.other()].fallen {
            elapsed.min(self.sides[running].left)
        } else {
            Millis::ZERO
        }
    }

    // ---- time ----

    /// Advances the clock to `now`. Returns a flag that has fallen by then, unless an earlier call returned it.
    /// Everything else that depends on time is computed on request.
    pub fn advance(&mut self, now: Instant) -> Option<FallenFlag> {
        let side = self.turn?;
        let fell = self.spent(side, self.elapsed(now)).1?;
        let at = self.moment_of(fell)?;
        self.keep(side, fell, at);
        self.flag = self.flag.or(Some(side));
        if self.setting.freeze {
            self.end_run(at);
            self.frozen = true;
        }
        Some(FallenFlag { side, at })
    }

    /// Stores both sides' states at the moment `at`. Between the states stored before and this moment, the running
    /// side's time ran for `elapsed`.
    fn keep(&mut self, side: Color, elapsed: Millis, at: Instant) {
        let handed_over = self.handed_over(side, elapsed);
        let other = &mut self.sides[side.other()];
        other.left = other.left + handed_over;
        self.sides[side] = self.spent(side, elapsed).0;
        self.free = self.free.saturating_sub(elapsed);
        self.ran.count_from(self.ran.from().max(at));
    }

    /// Stores both sides' states at `now`. If it is nobody's turn, nothing has to be stored.
    fn settle(&mut self, now: Instant) {
        self.advance(now);
        if let Some(side) = self.turn {
            self.keep(side, self.elapsed(now), now);
        }
    }

    /// Stops the running time at the moment `at`, and stores from when until when it ran.
    fn end_run(&mut self, at: Instant) {
        if let Some(since) = self.since.take() {
            self.ran.push(since, at.max(since));
        }
    }

    /// Continues at `now` with the readings that the clock had at the earlier moment `as_of`, as an undo requires. The
    /// time between the two moments is charged to neither side.
    pub fn continue_from(&mut self, as_of: Instant, now: Instant) {
        self.ran.cut(as_of);
        if let Some(since) = self.since.filter(|since| *since < as_of) {
            self.ran.push(since, as_of);
        }
        self.since = self.since.map(|_| now);
        self.ran.count_from(self.ran.from().min(as_of));
    }

    // ---- what people do ----

    /// Starts the turn of this side.
    pub fn start(&mut self, side: Color, now: Instant) {
        (self.turn, self.ran) = (Some(side), Spans::counted_from(now));
        self.since = (!self.paused && !self.held && !self.frozen).then_some(now);
        self.free = self.sides[side].delay(self.stages(side));
    }

    /// Ends the running side's turn. `counts`: whether the turn counts as a move, which matters in stages with a number
    /// of moves. `now` may lie before a pause that has already interrupted this turn. In that case the time that ran
    /// after `now` is charged to the other side.
    pub fn press(&mut self, now: Instant, counts: bool) {
        self.advance(now);
        let Some(side) = self.turn else { return };
        let (used, goes_on, later) = (self.ran_until(now), self.since, self.ran.after(now));
        self.keep(side, self.elapsed(now), now);
        let setting = self.setting.clone();
        let (stages, mine) = (setting.controls[side].stages(), &mut self.sides[side]);
        let turn = EndedTurn { used, counts, first_increment: setting.first_increment, frozen: self.frozen };
        mine.end_turn(stages, turn);
        self.start(side.other(), goes_on.map_or(now, |since| since.max(now)));
        // If the turn contains a pause after the moment of this press, the time that ran between the press and the
        // pause is charged to the other side. But if a ruling has set the other side's clock, only time after the
        // ruling is charged.
        self.ran = Spans::counted_from(now.max(self.ruled[side.other()]));
        for (from, until) in later {
            self.ran.push(from, until);
        }
    }

    /// Stops both sides until [`Clock::resume`].
    pub fn pause(&mut self, now: Instant) {
        self.end_run(now);
        self.paused = true;
    }

    /// Lets time run again after a pause.
    pub fn resume(&mut self, now: Instant) {
        self.paused = false;
        self.since = (self.turn.is_some() && !self.held && !self.frozen).then_some(now);
    }

    /// Lets both sides stand in the middle of a turn, or lets the turn go on where it stood.
    pub fn hold(&mut self, held: bool, now: Instant) {
        if self.held == held {
            return;
        }
        self.held = held;
        if held {
            self.end_run(now);
        } else {
            self.since = (self.turn.is_some() && !self.paused && !self.frozen).then_some(now);
        }
    }

    /// Stops both sides because the game is over.
    pub fn stop(&mut self, now: Instant) {
        self.settle(now);
        (self.turn, self.since, self.held) = (None, None, false);
    }

    /// Gives the turn to a side without ending a move, as a ruling does.
    pub fn hand_over(&mut self, side: Color, now: Instant) {
        if self.turn.is_some() {
            self.settle(now);
            self.start(side, now);
        }
    }

    /// Sets the time that a side has left, or has used if it counts up. If the side's flag has fallen, it is
    /// raised again, provided that the new time is more than zero and the game is still running.
    pub fn set(&mut self, side: Color, left: Millis, now: Instant) {
        self.settle_for(side, now);
        let setting = self.setting.clone();
        let had_fallen = self.sides[side].fallen;
        self.sides[side].set(setting.controls[side].stages(), left, self.turn.is_some());
        self.ruled[side] = now;
        if had_fallen && !self.sides[side].fallen {
            self.flag = Color::ALL.into_iter().find(|color| self.sides[*color].fallen);
            let was_frozen = std::mem::replace(&mut self.frozen, self.flag.is_some() && setting.freeze);
            if was_frozen && !self.frozen && self.turn.is_some() && !self.paused && !self.held {
                self.since = Some(now);
            }
        }
    }

    /// Stores the sides' states before the time of `side` is set. Usually this is needed only if `side` is running.
    /// With an hourglass the states are always stored, because each side gains the time that the other uses.
    fn settle_for(&mut self, side: Color, now: Instant) {
        self.advance(now);
        let glass = self.setting.controls[side].is_hourglass();
        if self.turn == Some(side) || glass {
            self.settle(now);
        }
    }

    /// Adds time to a side, as a penalty for the other side. A fallen flag stays fallen: only a ruling can raise it.
    pub fn add(&mut self, side: Color, gain: Millis, now: Instant) {
        if let Some(left) = self.reading(side, now).filter(|_| !self.sides[side].fallen) {
            let up = self.counts_up(side, now);
            self.set(side, if up { left.saturating_sub(gain) } else { left + gain }, now);
        }
    }

    /// Sets how many byo-yomi periods a side has left, including the running one. Returns false without a change if
    /// the side has no byo-yomi, or if `periods` is 0 while a period is running.
    pub fn set_periods(&mut self, side: Color, periods: u32, now: Instant) -> bool {
        let Some(then) = self.standing(side, now).filter(|then| then.periods.is_some()) else { return false };
        if then.overtime && periods == 0 {
            return false;
        }
        self.settle_for(side, now);
        self.sides[side].periods = periods;
        true
    }

    /// Changes the time controls in the middle of a game (Laws of Chess, 6.10.2): the moves made so far count in the new
    /// stages, the readings stay, and periods are full. A side that had no time control begins with full time.
    pub fn change_setting(&mut self, setting: Arc<Setting>, now: Instant) {
        for color in Color::ALL {
            self.settle_for(color, now);
        }
        for color in Color::ALL {
            let had_time = self.timed(color);
            let stages = setting.controls[color].stages();
            self.sides[color].change_stages(stages, had_time, setting.first_increment);
        }
        self.setting = setting;
    }

    /// Corrects the number of moves that a side has made. If stages count moves, the stage is adjusted. The time left
    /// does not change.
    pub fn set_moves(&mut self, side: Color, moves: u32, now: Instant) {
        self.settle_for(side, now);
        let setting = self.setting.clone();
        self.sides[side].set_moves(setting.controls[side].stages(), moves);
    }
}
