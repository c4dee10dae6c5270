//! The state of a table at one moment, and how one input changes it.
//!
//! Every input is checked before it changes anything: after a violation only time has passed.

use std::sync::Arc;

use tabiya_types::{Board, ByColor, BySeat, Color, Instant, Millis, Seat, Sentence, say};

use super::agreement::{Agreement, PressMode, Voice};
use super::input::{Author, Stamp};
use super::past::{PastGame, PastGames};
use super::standing::BoardPair;
use crate::clock::Clock;
use crate::rules::{
    Action, Articles, Betting, Chips, Context, Done, Fields, Game, Group, Phase, Reason, Start, Turn,
    Violation, begin_next, game_over,
};

/// The effects of an accepted input, for the history and for the caller.
#[derive(Clone, PartialEq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the input")]
pub(super) struct AppliedInput {
    /// Remarks for the reader of the record.
    pub(super) notes: Vec<Sentence>,
    /// Whether the input changed anything. A press by the side whose clock does not run changes nothing.
    pub(super) acted: bool,
    /// The player whose turn the input ended.
    pub(super) ended_turn: Option<Color>,
    /// Whether the input ended the game in a turn that it would have ended otherwise, without a press.
    pub(super) ended_game: bool,
    /// Whether a ruling ended a turn that was not finished.
    pub(super) dropped_turn: bool,
    /// Whether the input was part of a timed turn.
    pub(super) in_turn: bool,
    /// The player who caused an incident.
    pub(super) incident: Option<Color>,
}

impl AppliedInput {
    pub(super) fn acted() -> Self {
        Self { acted: true, ..Self::default() }
    }
}

/// The complete state of a match at one moment.
#[derive(Clone, Debug)]
pub(super) struct MatchState {
    /// The terms in force, including the changes made by `next`.
    pub(super) agreement: Arc<Agreement>,
    pub(super) white: Seat,
    pub(super) past: PastGames,
    /// How many of the earlier games count for the match.
    past_counted: u32,
    pub(super) game: Box<dyn Game>,
    pub(super) clock: Clock,
    /// The clock for the bet that is due; `None` if there is no bet or no time limit for bets.
    pub(super) bet: Option<BetClock>,
    /// The logical board, which the rules use, and the physical board. They differ on the squares where a stand-in
    /// represents another piece.
    pub(super) standing: BoardPair,
    pub(super) ended: bool,
    pub(super) consents: BySeat<bool>,
    /// The seats that have confirmed the result of the game that has just ended.
    pub(super) signed: BySeat<bool>,
    /// The chips that came to each player during this game by rulings; negative if they left the table.
    pub(super) bought: BySeat<i64>,
    /// The game before what ended it, if that can be ruled away: it was no move on the board.
    before_end: Option<Arc<BeforeEnd>>,
    /// The moment at which the present turn began.
    turn_began: Instant,
    /// Whether a turn waits for something that takes no time from either side. It is the same turn afterwards.
    turn_waits: bool,
    /// Whether any input has changed the present game, so that a restart of the game would lose something.
    pub(super) begun: bool,
}

/// A game and its clock before an input, or time, ended the game.
#[derive(Debug)]
pub(super) struct BeforeEnd {
    pub(super) game: Box<dyn Game>,
    pub(super) clock: Clock,
    pub(super) bought: BySeat<i64>,
    pub(super) at: Instant,
}

/// The clock for one bet, which has the time limit of the term `bet_ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BetClock {
    /// Who has to bet.
    pub by: Color,
    left: Millis,
    /// The moment since which the time for the bet runs; `None` while the game is paused.
    since: Option<Instant>,
}

impl BetClock {
    /// How much time is left at `now`.
    pub fn left(&self, now: Instant) -> Millis {
        self.left.saturating_sub(self.since.map_or(Millis::ZERO, |since| now.since(since)))
    }

    /// The sentence that tells how much time is left at `now`.
    pub fn sentence(&self, now: Instant) -> Sentence {
        say!("bet-time-left", "{by} has {left} to bet", by = self.by, left = self.left(now).to_string())
    }
}

impl MatchState {
    pub(super) fn new(agreement: Arc<Agreement>) -> Self {
        let [a, b] = agreement.agreed.stacks();
        let white = agreement.white;
        let game = Self::begin(&agreement, white, BySeat { a, b }, 0);
        let clock = Clock::new(Arc::new(agreement.terms.setting(white)));
        let standing = BoardPair::new(game.board());
        Self {
            agreement,
            white,
            past: PastGames::default(),
            past_counted: 0,
            game,
            clock,
            bet: None,
            standing,
            ended: false,
            consents: BySeat::default(),
            signed: BySeat::default(),
            bought: BySeat::default(),
            before_end: None,
            turn_began: Instant::ZERO,
            turn_waits: false,
            begun: false,
        }
    }

    fn begin(agreement: &Agreement, white: Seat, stacks: BySeat<Chips>, games_before: u32) -> Box<dyn Game> {
        let stacks = ByColor { white: stacks[white], black: stacks[white.other()] };
        let claims = agreement.terms.voice == Voice::Event;
        let mut game = agreement.agreed.begin(Start { white, stacks, games_before, claims });
        // A game may be over at its beginning.
        agreement.award_draw(&mut *game);
        game
    }

    pub(super) fn seat_of(&self, color: Color) -> Seat {
        Seat::playing(color, self.white)
    }

    pub(super) fn color_of(&self, seat: Seat) -> Color {
        seat.color(self.white)
    }

    /// The chips in each seat's stack.
    pub(super) fn stacks(&self) -> BySeat<Chips> {
        let stacks = self.game.stakes().stacks;
        BySeat { a: stacks[self.color_of(Seat::A)], b: stacks[self.color_of(Seat::B)] }
    }

    /// How many games have ended with a result that counts. The present game is included if it has such a result.
    pub(super) fn games_counted(&self) -> u32 {
        let now = self.game.outcome().is_some() && self.game.counts();
        self.past_counted.saturating_add(u32::from(now))
    }

    /// Whether the match is played for chips.
    pub(super) fn has_chips(&self) -> bool {
        self.agreement.agreed.stacks() != [Chips::ZERO; 2]
    }

    /// Whether the match is over.
    pub(super) fn match_over(&self) -> bool {
        if self.ended {
            return true;
        }
        let stacks = self.stacks();
        let broke = self.has_chips() && (stacks.a == Chips::ZERO || stacks.b == Chips::ZERO);
        if self.game.outcome().is_none() {
            // A ruling may empty a stack before the cards are dealt.
            return broke
                && self.game.phase() == Phase::Deal
                && self.game.stakes().contributed == ByColor::default();
        }
        if !self.game.counts() {
            return broke;
        }
        broke || self.agreement.terms.games.is_some_and(|games| self.games_counted() >= games)
    }

    fn auto(&self) -> bool {
        self.agreement.terms.press == PressMode::Auto
    }

    /// The moment at which the present turn began. An input of this turn cannot act earlier.
    pub(super) fn turn_began(&self) -> Instant {
        self.turn_began
    }

    // ---- time ----

    /// The next moment at which something changes without an input: a flag falls, or the time for a bet runs out.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let bet = self.bet.and_then(|bet| bet.since.map(|since| since + bet.left));
        [self.clock.flag_at(), bet].into_iter().flatten().min()
    }

    /// Whether time runs against a player, on the clock or for a bet.
    pub(super) fn time_runs(&self) -> bool {
        let running = self.clock.turn().is_some_and(|turn| self.clock.timed(turn));
        let clock = running && !self.clock.paused() && !self.clock.held() && !self.clock.frozen();
        let bet = self.bet.is_some_and(|bet| bet.since.is_some());
        (clock || bet) && self.game.outcome().is_none()
    }

    /// Lets time pass up to `now`: flags fall and times for bets run out, each at its exact moment.
    pub(super) fn advance(&mut self, now: Instant) {
        if let Some(fallen) = self.clock.advance(now) {
            self.flag_fell(fallen.side, fallen.at);
            // If the clocks run on after a flag, the other side's flag may fall as well.
            self.advance(now);
        }
        while let Some(at) = self.bet.and_then(|bet| bet.since.map(|since| since + bet.left)) {
            if at > now {
                break;
            }
            let before = self.game.turn();
            self.may_end(at);
            self.decide();
            self.bet = None;
            self.after_action(before, at);
        }
    }

    /// Makes the default bet for a player whose time for a bet has run out: a check if it is free, otherwise a fold.
    fn decide(&mut self) {
        let Some(action) = self.game.betting().and_then(Betting::default_action) else { return };
        let decided = self.game.apply(&action, Context::default());
        debug_assert!(decided.is_ok(), "a check that is free and a fold are always accepted");
    }

    fn flag_fell(&mut self, side: Color, at: Instant) {
        // Without an arbiter (casual terms), a fallen flag ends the game immediately. But if the match is only a clock,
        // the game ends when neither side's time runs any more.
        let over =
            !self.game.continues_after_flag() || self.clock.frozen() || self.clock.has_fallen(side.other());
        let ends = over && self.agreement.terms.voice == Voice::Casual;
        if ends && self.game.outcome().is_none() {
            let first = self.clock.flag().unwrap_or(side);
            self.may_end(at);
            self.game.end(self.game.flag_outcome(first));
            self.close_game(at);
        }
    }

    /// Keeps the running game as it is before something ends it that a ruling can undo.
    pub(super) fn may_end(&mut self, at: Instant) {
        self.before_end = self.running(at).or(self.before_end.take());
    }

    /// The running game as it is now; `None` if it has ended.
    fn running(&self, at: Instant) -> Option<Arc<BeforeEnd>> {
        self.game.outcome().is_none().then(|| {
            let (game, clock) = (self.game.clone(), self.clock.clone());
            Arc::new(BeforeEnd { game, clock, bought: self.bought, at })
        })
    }

    /// The game before what ended it, if that can be ruled away.
    pub(super) fn before_end(&self) -> Option<&BeforeEnd> {
        self.before_end.as_deref()
    }

    /// Whether a player has acted and not pressed, or a part of his turn is missing.
    pub(super) fn in_midst_of_turn(&self) -> bool {
        matches!(self.game.turn(), Turn::Timed { acted: true, .. }) || self.game.missing_part().is_some()
    }

    /// If the game has ended: gives a drawn game to the colour that wins draws, if the players agreed on that, and stops
    /// the clocks.
    fn close_game(&mut self, at: Instant) {
        if self.game.outcome().is_some() {
            self.agreement.award_draw(&mut *self.game);
            self.clock.stop(at);
        }
    }

    /// Lets the clocks continue at `now` with the readings that they had at `as_of`. The moment at which the turn
    /// began does not change.
    pub(super) fn continue_from(&mut self, as_of: Instant, now: Instant) {
        self.clock.continue_from(as_of, now);
        if let Some(bet) = &mut self.bet {
            bet.since = bet.since.map(|since| since + now.since(as_of));
        }
    }

    // ---- inputs, each at its moment ----

    pub(super) fn in_play(&self) -> Result<(), Violation> {
        if self.match_over() {
            let next = say!("match-over-next", "begin another match, or undo");
            return Err(Violation::new("match-over", match_over(), next));
        }
        Ok(())
    }

    pub(super) fn act(&mut self, action: &Action, stamp: Stamp) -> Result<AppliedInput, Violation> {
        self.in_play()?;
        if self.clock.paused() && action.waits_while_paused() {
            let verb = action.word().to_owned();
            let what = say!("paused", "`{verb}` has to wait: the game is paused", verb);
            return Err(Violation::new("paused", what, say!("paused-next", "go on with `resume`")));
        }
        if self.game.outcome().is_some() && !self.game.counts() {
            return self.begin_again(action, stamp);
        }
        let mut step = AppliedInput { acted: true, in_turn: action.takes_turn(), ..AppliedInput::default() };
        let before = self.game.turn();
        // A move on the board ends a game for good, unless it is taken back.
        let running = if action.takes_turn() { None } else { self.running(stamp.at) };
        let done = self.play(action, before, stamp)?;
        self.before_end = running.filter(|_| self.game.outcome().is_some());
        step.notes = done.notes;
        step.incident = done.incident;
        if let Some(offender) = done.incident {
            self.clock.add(offender.other(), self.agreement.terms.penalty, stamp.at);
        }
        self.begun = true;
        if let Action::Place(place) = action {
            self.standing.take_off_replaced(&self.game.board(), place.at);
        }
        self.standing.follow(&self.game.board(), action.stand_in());
        self.after_action(before, stamp.at);
        // The press is missing too if an answer of the opponent's completes the turn.
        let completes = |by| matches!(before, Turn::Timed { by: mover, acted: false, .. } if mover == by);
        if let Turn::Timed { by, acted: true, .. } = self.game.turn()
            && self.auto()
            && (action.takes_turn() || completes(by))
        {
            self.end_turn(stamp.at);
            step.ended_turn = Some(by);
        }
        step.ended_game = self.auto() && action.takes_turn() && self.game.outcome().is_some();
        Ok(step)
    }

    /// Lets the game do an action, which counts as the press that the other player forgot, or starts the clock.
    fn play(&mut self, action: &Action, before: Turn, stamp: Stamp) -> Result<Done, Violation> {
        match before {
            // The opponent's next reveal or move counts as the press that the player did not make.
            Turn::Timed { by, acted: true, counts }
                if action.takes_turn()
                    && action.by() == Some(by.other())
                    && self.clock.turn() == Some(by) =>
            {
                let mut next = self.game.clone();
                next.end_turn();
                let done = next.apply(action, context(stamp))?;
                self.game = next;
                self.clock.press(stamp.at, counts);
                self.turn_began = stamp.at;
                Ok(done)
            }
            _ => {
                let done = self.game.apply(action, context(stamp))?;
                if let Turn::Timed { by, .. } = before
                    && action.takes_turn()
                    && self.clock.turn().is_none()
                {
                    self.clock.start(by, stamp.at);
                    self.turn_began = stamp.at;
                }
                Ok(done)
            }
        }
    }

    /// After a fouled deal (the line `fouled` of the record), starts a new game with the same colours. `action` becomes
    /// the first action of the new game.
    fn begin_again(&mut self, action: &Action, stamp: Stamp) -> Result<AppliedInput, Violation> {
        let fresh = self.fresh_game();
        let mut game = fresh.clone();
        game.apply(action, context(stamp)).map_err(|violation| {
            if self.is_cancelled() {
                return violation;
            }
            let what = say!("last-deal-fouled", "the last deal was fouled");
            Violation::new("deal-again", what, say!("last-deal-fouled-next", "deal again with `deal`"))
        })?;
        self.replace_game(fresh, self.white);
        self.act(action, stamp)
    }

    /// Whether the arbiter has cancelled the present game.
    fn is_cancelled(&self) -> bool {
        self.game.outcome().is_some_and(|outcome| outcome.reason == Reason::Cancelled)
    }

    /// A new game with the present stacks, colours and terms.
    pub(super) fn fresh_game(&self) -> Box<dyn Game> {
        Self::begin(&self.agreement, self.white, self.stacks(), self.games_counted())
    }

    fn replace_game(&mut self, game: Box<dyn Game>, white: Seat) {
        let clock = Clock::new(Arc::new(self.agreement.terms.setting(white)));
        let old = std::mem::replace(&mut self.game, game);
        let old_clock = std::mem::replace(&mut self.clock, clock);
        let paused = old_clock.paused();
        self.past_counted = self.past_counted.saturating_add(u32::from(old.counts()));
        let (signed, bought) = (std::mem::take(&mut self.signed), std::mem::take(&mut self.bought));
        let agreement = self.agreement.clone();
        let past = PastGame { white: self.white, game: old, clock: old_clock, agreement, signed, bought };
        self.past.push(past);
        self.white = white;
        self.standing = BoardPair::new(self.game.board());
        self.bet = None;
        self.turn_waits = false;
        self.begun = false;
        self.before_end = None;
        if paused {
            self.clock.pause(Instant::ZERO);
        }
    }

    /// Updates the clocks after a change of the game: the clocks stop if the game is over, and a bet that has become
    /// due gets its time limit.
    pub(super) fn after_action(&mut self, before: Turn, at: Instant) {
        self.close_game(at);
        // In the middle of a turn a game can wait for something that takes no time from either side.
        if self.clock.turn().is_some() {
            self.clock.hold(self.game.turn() == Turn::Untimed, at);
        }
        let limit = self.agreement.terms.bet_time;
        self.bet = match (self.game.bettor_on_time(), limit) {
            (Some(by), Some(left)) => Some(match self.bet {
                Some(bet) if bet.by == by => bet,
                _ => BetClock { by, left, since: (!self.clock.paused()).then_some(at) },
            }),
            _ => None,
        };
        let untimed = self.game.turn() == Turn::Untimed;
        let waits = untimed && self.game.outcome().is_none() && (self.turn_waits || before != Turn::Untimed);
        let waited = std::mem::replace(&mut self.turn_waits, waits);
        if (before == Turn::Untimed || untimed) && !waits && !waited {
            self.turn_began = at;
        }
    }

    fn end_turn(&mut self, at: Instant) {
        let counts = matches!(self.game.turn(), Turn::Timed { counts: true, .. });
        self.clock.press(at, counts);
        self.before_end = None;
        self.game.end_turn();
        self.follow_turn(at);
        self.standing.follow(&self.game.board(), None);
        self.turn_began = at;
        self.close_game(at);
    }

    /// If a game gives one player two turns in a row, the clock has passed to the opponent although this player has the
    /// next turn. Then gives the clock back to the player who has the turn.
    pub(super) fn follow_turn(&mut self, at: Instant) {
        if let Turn::Timed { by, .. } = self.game.turn()
            && self.clock.turn().is_some_and(|turn| turn != by)
        {
            self.clock.hand_over(by, at);
            self.turn_began = at;
        }
    }

    pub(super) fn press(&mut self, by: Color, at: Instant) -> Result<AppliedInput, Violation> {
        let Turn::Timed { by: mover, acted, .. } = self.game.turn() else {
            return Ok(AppliedInput::default());
        };
        if self.clock.paused() || self.auto() || self.ended {
            return Ok(AppliedInput::default());
        }
        if self.clock.frozen() && self.game.continues_after_flag() {
            return Ok(AppliedInput::default());
        }
        match self.clock.turn() {
            None if by == mover.other() => {
                self.clock.start(mover, at);
                self.turn_began = at;
                self.begun = true;
                Ok(AppliedInput::acted())
            }
            Some(running) if by == running && by == mover => {
                if !acted && let Some(violation) = self.game.missing_part() {
                    return Err(violation);
                }
                if !acted {
                    let what =
                        say!("press-too-early", "{by} has not acted yet, so a press cannot end the turn", by);
                    let early = Violation::new("press-too-early", what, self.game.prompt());
                    // A press without a move.
                    return Err(early.as_illegal_move().under(Articles::EarlyPress));
                }
                self.end_turn(at);
                Ok(AppliedInput { ended_turn: Some(by), in_turn: true, ..AppliedInput::acted() })
            }
            None | Some(_) => Ok(AppliedInput::default()),
        }
    }

    pub(super) fn pause(&mut self, at: Instant) -> Result<AppliedInput, Violation> {
        if self.clock.paused() {
            let what = say!("paused-already", "the game is paused already");
            return Err(Violation::new(
                "paused-already",
                what,
                say!("paused-already-next", "go on with `resume`"),
            ));
        }
        self.clock.pause(at);
        if let Some(bet) = &mut self.bet
            && let Some(since) = bet.since.take()
        {
            bet.left = bet.left.saturating_sub(at.since(since));
        }
        Ok(AppliedInput::acted())
    }

    pub(super) fn resume(&mut self, at: Instant) -> Result<AppliedInput, Violation> {
        if !self.clock.paused() {
            let what = say!("not-paused", "the game is not paused");
            return Err(Violation::new("not-paused", what, say!("not-paused-next", "play on")));
        }
        self.clock.resume(at);
        if let Some(bet) = &mut self.bet {
            bet.since = Some(at);
        }
        Ok(AppliedInput::acted())
    }

    pub(super) fn next(&mut self, changes: &Group, at: Instant) -> Result<AppliedInput, Violation> {
        self.in_play()?;
        if self.game.outcome().is_none() {
            let what = say!("game-running", "the game has no result yet");
            return Err(Violation::new("game-running", what, self.game.prompt()));
        }
        let cancelled = self.is_cancelled();
        if !self.game.counts() && !cancelled {
            let what = say!(
                "deal-again-first",
                "the last deal was fouled and must be repeated with the same colours"
            );
            return Err(Violation::new(
                "deal-again",
                what,
                say!("deal-again-first-next", "deal with `deal`"),
            ));
        }
        let mut fields = Fields::new("`next`", changes.clone());
        let agreed = self.agreement.agreed.changed(&mut fields).map_err(|error| {
            let what = say!("bad-term", "{error}", error = error.to_string());
            Violation::new("bad-term", what, say!("bad-term-next", "leave the term out, or correct it"))
        })?;
        let stacks = self.stacks();
        let white = if cancelled { self.white } else { self.white.other() };
        let agreement = Arc::new(Agreement { agreed, ..Agreement::clone(&self.agreement) });
        let game = Self::begin(&agreement, white, stacks, self.games_counted());
        // The game that is over keeps the terms under which it was played.
        self.replace_game(game, white);
        self.agreement = agreement;
        self.turn_began = at;
        Ok(AppliedInput::acted())
    }

    pub(super) fn end_match(&mut self, at: Instant) -> Result<AppliedInput, Violation> {
        self.in_play()?;
        self.ended = true;
        self.clock.stop(at);
        self.bet = None;
        Ok(AppliedInput::acted())
    }

    pub(super) fn claim_flag(&mut self, by: Author, at: Instant) -> Result<AppliedInput, Violation> {
        let no = |what, next| Err(Violation::new("no-flag-to-claim", what, next));
        if self.agreement.terms.voice == Voice::Casual {
            return no(
                say!("flag-ends-by-itself", "without an arbiter a flag ends the game by itself"),
                say!("flag-ends-by-itself-next", "no claim is needed"),
            );
        }
        self.in_play()?;
        if self.game.outcome().is_some() {
            return no(game_over(), begin_next());
        }
        let fallen = match by {
            Author::Player(color) => Some(color.other()).filter(|side| self.clock.has_fallen(*side)),
            Author::Arbiter => self.clock.flag(),
        };
        let Some(fallen) = fallen else {
            let what = say!("no-flag-to-claim", "no flag has fallen");
            let next = say!("no-flag-to-claim-next", "play on");
            return Err(Violation::new("no-flag-to-claim", what, next).under(Articles::Flag));
        };
        self.may_end(at);
        self.game.end(self.game.flag_outcome(fallen));
        self.close_game(at);
        Ok(AppliedInput::acted())
    }

    /// Refuses a confirmation while no result waits for it.
    pub(super) fn may_sign(&self, by: Color) -> Result<(), Violation> {
        if self.game.outcome().is_none() || self.ended {
            let what = say!("nothing-to-sign", "no game has just ended, so there is no result to confirm");
            let next = say!("nothing-to-sign-next", "confirm after a result, before the next game");
            return Err(Violation::new("nothing-to-sign", what, next));
        }
        if self.signed[self.seat_of(by)] {
            let what = say!("signed-already", "{by} has confirmed the result already", by);
            let next = say!("signed-already-next", "go on");
            return Err(Violation::new("signed-already", what, next));
        }
        Ok(())
    }

    pub(super) fn sign(&mut self, by: Color) -> Result<AppliedInput, Violation> {
        self.may_sign(by)?;
        let seat = self.seat_of(by);
        self.signed[seat] = true;
        Ok(AppliedInput::acted())
    }

    pub(super) fn clock_reads(
        &mut self,
        reads: ByColor<u64>,
        at: Instant,
    ) -> Result<AppliedInput, Violation> {
        if self.agreement.terms.clock != super::agreement::ClockSource::Device {
            let what = say!("own-clock-counts", "the physical clock's times do not count in this match");
            let next = say!("own-clock-counts-next", "agree before the match that the physical clock counts");
            return Err(Violation::new("own-clock-counts", what, next));
        }
        for (color, millis) in reads.iter() {
            self.clock.set(color, Millis(*millis), at);
        }
        Ok(AppliedInput::acted())
    }

    /// The physical board: the pieces as they stand, including stand-ins.
    pub(super) fn physical(&self) -> Board {
        self.standing.physical()
    }
}

fn context(stamp: Stamp) -> Context {
    Context { line: stamp.line, seconds: stamp.at.millis() / 1000 }
}

/// The sentence that the match is over.
pub(super) fn match_over() -> Sentence {
    say!("match-over", "the match is over")
}
