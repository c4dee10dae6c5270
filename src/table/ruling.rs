//! A ruling of the arbiter: what it leaves is put together and checked as a whole before it replaces anything.

use std::sync::Arc;

use tabiya_types::{ByColor, BySeat, Color, Instant, Millis, Seat, say};

use super::agreement::{Agreement, Voice};
use super::input::{RuledResult, Ruling};
use super::state::{AppliedInput, MatchState};
use crate::clock::Clock;
use crate::rules::{Change, Chips, Game, Outcome, Reason, Stakes, Violation};

/// Applies a ruling. On `Err` nothing has changed.
pub(super) fn rule(state: &mut MatchState, ruling: &Ruling, at: Instant) -> Result<AppliedInput, Violation> {
    let mut ruled = match ruling.result {
        Some(RuledResult::GoesOn) => Ruled::going_on(state, at)?,
        _ => Ruled::as_it_is(state),
    };
    ruled.set_times(ruling, at)?;
    ruled.change_game(ruling)?;
    let Ruled { agreement, game, clock, bought, .. } = ruled;
    if game.outcome().is_some() {
        state.may_end(at);
    }
    let before = state.game.turn();
    let dropped_turn = state.in_midst_of_turn();
    if game.outcome() != state.game.outcome() {
        state.signed = BySeat::default();
    }
    (state.agreement, state.game, state.clock, state.bought) = (agreement, game, clock, bought);
    let dropped_turn = dropped_turn && !state.in_midst_of_turn();
    state.follow_turn(at);
    state.standing.follow(&state.game.board(), None);
    state.after_action(before, at);
    Ok(AppliedInput { dropped_turn, ..AppliedInput::acted() })
}

/// What a ruling leaves of a match.
struct Ruled {
    agreement: Arc<Agreement>,
    /// The seat that has White. No ruling changes it.
    white: Seat,
    game: Box<dyn Game>,
    clock: Clock,
    bought: BySeat<i64>,
}

impl Ruled {
    /// A ruling that changes nothing yet.
    fn as_it_is(state: &MatchState) -> Self {
        let (agreement, white) = (state.agreement.clone(), state.white);
        let (game, clock) = (state.game.clone(), state.clock.clone());
        Self { agreement, white, game, clock, bought: state.bought }
    }

    /// The game and the clock as they were before the game ended. The clock goes on from there at `now`.
    fn going_on(state: &MatchState, now: Instant) -> Result<Self, Violation> {
        if state.ended {
            state.in_play()?;
        }
        if state.game.outcome().is_none() {
            let what = say!("game-goes-on-already", "the game has not ended");
            return Err(Violation::new("game-running", what, say!("game-goes-on-already-next", "play on")));
        }
        let Some(before) = state.before_end() else {
            let what = say!("ended-on-board", "the game ended by what was played on the board");
            let next = say!("ended-on-board-next", "take that back with `undo`");
            return Err(Violation::new("ended-on-board", what, next));
        };
        let mut clock = before.clock.clone();
        clock.continue_from(before.at, now);
        match (clock.paused(), state.clock.paused()) {
            (false, true) => clock.pause(now),
            (true, false) => clock.resume(now),
            (false, false) | (true, true) => {}
        }
        // The control may have been put right since.
        clock.change_setting(Arc::new(state.agreement.terms.setting(state.white)), now);
        let mut game = before.game.clone();
        let met = game.stakes();
        let mut stakes = met;
        // Who has bought chips meanwhile keeps them.
        for seat in Seat::ALL {
            let color = state.color_of(seat);
            let chips = i64::from(met.stacks[color].0) + state.bought[seat] - before.bought[seat];
            let chips = u32::try_from(chips).map_err(|_| do_not_add_up(0, met.stacks[color].0.into()))?;
            stakes.stacks[color] = Chips(chips);
        }
        if stakes != met {
            game.change(&Change::Stakes(stakes))?;
        }
        Ok(Self { game, clock, ..Self::as_it_is(state) })
    }

    /// Sets the time control and the clocks as the ruling says.
    fn set_times(&mut self, ruling: &Ruling, at: Instant) -> Result<(), Violation> {
        if let Some(time) = &ruling.time {
            Arc::make_mut(&mut self.agreement).terms.time = time.clone();
            self.clock.change_setting(Arc::new(self.agreement.terms.setting(self.white)), at);
        }
        for color in Color::ALL {
            if let Some(millis) = ruling.clock_ms[color] {
                if !self.clock.timed(color) {
                    let what = say!("no-clock", "{color} has no clock in this match", color);
                    return Err(Violation::new("no-clock", what, say!("no-clock-next", "set no clock")));
                }
                self.clock.set(color, Millis(millis), at);
            }
            if let Some(periods) = ruling.periods[color]
                && !self.clock.set_periods(color, periods, at)
            {
                return Err(no_periods(&self.clock, color, at));
            }
            if let Some(moves) = ruling.moves[color] {
                self.clock.set_moves(color, moves, at);
            }
        }
        if ruling.result == Some(RuledResult::GoesOn)
            && self.agreement.terms.voice == Voice::Casual
            && let Some(fallen) = self.clock.flag()
        {
            let what = say!("flag-stays-down", "{fallen}'s flag is still down", fallen);
            let next = say!("flag-stays-down-next", "rule how much time is left, too");
            return Err(Violation::new("flag-stays-down", what, next));
        }
        Ok(())
    }

    /// Changes the game as the ruling says: its chips, its position, its result.
    fn change_game(&mut self, ruling: &Ruling) -> Result<(), Violation> {
        // Points leave the chips as at a draw, unless the ruling says otherwise.
        let chips_last = matches!(ruling.result, Some(RuledResult::Points(_)));
        if !chips_last {
            self.change_chips(ruling)?;
        }
        if let Some(own) = &ruling.own {
            self.game.change(&Change::Own(own.clone()))?;
        }
        if let Some(fen) = &ruling.fen {
            self.game.change(&Change::Position(fen.clone()))?;
        }
        if let Some(color) = ruling.to_act {
            self.game.change(&Change::ToAct(color))?;
        }
        match self.outcome(ruling) {
            Some(outcome) => self.game.end(outcome),
            None => self.game.after_ruling(),
        }
        if chips_last {
            self.change_chips(ruling)?;
        }
        Ok(())
    }

    /// Changes the chips as a ruling says, and counts what was bought by it.
    fn change_chips(&mut self, ruling: &Ruling) -> Result<(), Violation> {
        let met = self.game.stakes();
        let said = ruling.chips_added && self.game.refuses_chips();
        let Some(stakes) = self.stakes(ruling, met)?.or_else(|| said.then_some(met)) else {
            return Ok(());
        };
        self.game.change(&Change::Stakes(stakes))?;
        let added = self.bought_by(&met, &stakes);
        for seat in Seat::ALL {
            self.bought[seat] += added[seat];
        }
        Ok(())
    }

    /// The outcome that a ruling gives to the game; `None` if it gives none.
    fn outcome(&self, ruling: &Ruling) -> Option<Outcome> {
        let color = |seat: Seat| seat.color(self.white);
        Some(match ruling.result? {
            RuledResult::Winner(Some(winner)) => Outcome::won(color(winner), Reason::Ruling),
            RuledResult::Winner(None) => Outcome::drawn(Reason::RuledDraw),
            RuledResult::Points(points) => {
                let points = ByColor::new(|color| points[Seat::playing(color, self.white)]);
                Outcome::drawn(Reason::RuledPoints(points))
            }
            RuledResult::Forfeit(absent) => {
                Outcome { winner: absent.map(|seat| color(seat.other())), reason: Reason::Forfeit }
            }
            RuledResult::Void => Outcome::drawn(Reason::Cancelled),
            RuledResult::GoesOn => return None,
        })
    }

    /// The chips after a ruling that meets the chips `before`; `None` if it says nothing about chips.
    fn stakes(&self, ruling: &Ruling, before: Stakes) -> Result<Option<Stakes>, Violation> {
        let mut stakes = before;
        let mut changes = false;
        for seat in Seat::ALL {
            let color = seat.color(self.white);
            if let Some(chips) = ruling.stacks[seat] {
                (stakes.stacks[color], changes) = (Chips(chips), true);
            }
            if let Some(chips) = ruling.contributed[seat] {
                (stakes.contributed[color], changes) = (Chips(chips), true);
            }
        }
        let sum = |stakes: &Stakes| {
            let all = [
                stakes.stacks.white,
                stakes.stacks.black,
                stakes.contributed.white,
                stakes.contributed.black,
            ];
            all.iter().map(|chips| u64::from(chips.0)).sum::<u64>()
        };
        if changes && !ruling.chips_added && sum(&stakes) != sum(&before) {
            return Err(do_not_add_up(sum(&stakes), sum(&before)));
        }
        Ok(changes.then_some(stakes))
    }

    /// Who brought the chips by which the stakes `after` are more than those `before`, or took them away: he whose chips grew or
    /// shrank with the total. What only passes from one player to the other is not bought.
    fn bought_by(&self, before: &Stakes, after: &Stakes) -> BySeat<i64> {
        let of = |stakes: &Stakes, color| {
            i64::from(stakes.stacks[color].0) + i64::from(stakes.contributed[color].0)
        };
        let grown = |seat: Seat| {
            let color = seat.color(self.white);
            of(after, color) - of(before, color)
        };
        let (a, b) = (grown(Seat::A), grown(Seat::B));
        match a + b {
            _ if a.signum() * b.signum() >= 0 => BySeat { a, b },
            total if total.signum() == a.signum() => BySeat { a: total, b: 0 },
            total => BySeat { a: 0, b: total },
        }
    }
}

/// The refusal of a ruling by which all chips would be `sum` instead of `before`.
fn do_not_add_up(sum: u64, before: u64) -> Violation {
    let what = say!(
        "chips-do-not-add-up",
        "the chips on the table would add up to {sum} instead of {before}",
        sum,
        before
    );
    let next = say!("chips-do-not-add-up-next", "correct the numbers, or say that chips were added");
    Violation::new("chips-do-not-add-up", what, next)
}

fn no_periods(clock: &Clock, color: Color, at: Instant) -> Violation {
    let has_some = clock.standing(color, at).is_some_and(|standing| standing.periods.is_some());
    if has_some {
        let what =
            say!("last-period", "{color} is in a byo-yomi period, so at least one period is left", color);
        return Violation::new("no-periods", what, say!("last-period-next", "set at least one period"));
    }
    let what = say!("no-periods", "{color}'s time control has no periods", color);
    Violation::new("no-periods", what, say!("no-periods-next", "set no periods"))
}
