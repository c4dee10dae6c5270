//! The table: a state machine over the rules of a game and the clock. It makes all decisions and never waits.
//!
//! A table is a fold over a record: [`Table::apply`] takes one input with its moment, changes the state and
//! returns effects. It does no IO, reads no time and draws no random numbers.
//!
//! A table is cheap to copy, because all copies share the history (`history.rs`). Undo returns to an earlier point of
//! that history and computes the state from the nearest stored state, so it applies only a few inputs again and not
//! the whole match. Redo restores the history that the undo replaced (`docs/record.md`, "Taking back").

mod adjourned;
mod agreement;
mod entry;
mod finish;
mod grave;
mod guide;
mod history;
mod input;
mod leaving;
mod log;
mod pace;
mod past;
mod probe;
mod results;
mod standing;
mod state;
mod takeback;
mod voice;

use std::sync::Arc;

pub(crate) use adjourned::told as told_adjournment;
pub use adjourned::{resumed, sealed_reason};
pub use agreement::{Agreement, ClockSource, PressMode, Terms, TimeTerm, Voice};
pub use entry::{Entry, Note};
pub use finish::FinishClaim;
pub use grave::{LastAction, QuestionBefore};
pub use guide::{Correction, Question, Trouble};
use history::{History, HistoryEntry, HistoryInput, TurnStart, is_confirmation};
pub use input::{Author, Body, Common, Evidence, Input, LegalInput, RuledResult, Ruling, Stamp, UndoWhat};
pub use log::{LogLine, describe_ruling, joined, log_of, opening};
pub use pace::control_in_words;
pub use past::{PastGame, PastGames, PlayedGame};
pub use probe::Probe;
pub use results::{GameResult, MatchResults, points_in_words};
pub use standing::BoardPair;
pub use state::BetClock;
use state::{AppliedInput, MatchState};
use tabiya_types::{Board, BySeat, Color, Instant, Millis, Seat, Sentence, Square, Stack, say};
use takeback::{TimeGiven, nothing_to_undo};
pub use voice::{Audience, Matter, Prompt, flag_fallen};

use crate::clock::Clock;
use crate::rules::{Action, Actor, Chips, Game, Outcome, Phase, Reason, Stakes, Turn, Violation};

/// Something that the table requests from the app or reports to it. The table does not wait for an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// A remark for the reader of the record.
    Note(Sentence),
    /// This player's turn has ended.
    TurnEnded(Color),
    /// This player placed a wrong piece; the opponent has gained the penalty time.
    Incident(Color),
    /// This player's flag fell.
    FlagFell(Color),
    /// The game has ended with this outcome.
    GameOver(Outcome),
    /// The match has ended.
    MatchOver,
    /// An action was undone, or an undo was reversed. So people must change the pieces on the board accordingly.
    SetBack,
    /// These inputs were taken back, the oldest first.
    TakenBack(Vec<Input>),
    /// After an action was taken back, this later input acted again.
    ActedAgain(Input),
}

/// The data with which redo reverses one undo.
#[derive(Clone, Debug)]
struct Undone {
    history: History,
    /// The moment that the table had reached before the undo.
    read_to: Instant,
    /// The moment of the undo.
    at: Instant,
}

/// A match at a table. Copying a table is cheap.
#[derive(Clone, Debug)]
pub struct Table {
    state: Arc<MatchState>,
    /// The state before the first input.
    start: Arc<MatchState>,
    history: History,
    /// The undos that redo can reverse, the newest on top. Any other input that changes the state removes them.
    undone: Stack<Undone>,
    /// The moment that the table has reached. Everything that is due by this moment has happened.
    read_to: Instant,
    /// The moment of the last undo or redo. An input with an earlier moment acts on the clocks at the moment of the
    /// undo or redo.
    went_on: Instant,
}

impl Table {
    /// A table before its first input.
    pub fn new(agreement: Agreement) -> Self {
        let state = Arc::new(MatchState::new(Arc::new(agreement)));
        Self {
            start: state.clone(),
            state,
            history: History::default(),
            undone: Stack::EMPTY,
            read_to: Instant::ZERO,
            went_on: Instant::ZERO,
        }
    }

    /// Applies one input. On `Err` nothing has changed, except that time has passed up to the input's moment.
    pub fn apply(&mut self, input: &Input, stamp: Stamp) -> Result<Vec<Effect>, Violation> {
        self.check_moment(stamp)?;
        let stamp = Stamp { at: stamp.at.max(self.went_on), ..stamp };
        let flag_before = self.state.clock.flag();
        let over_before = self.state.game.outcome();
        self.read_on(stamp.at);
        let mut effects = Vec::new();
        match input {
            Input::Common(Common::Tick) => {}
            Input::Common(Common::Undo { what: UndoWhat::LastLine, .. }) => {
                let taken = self.undo(stamp.at)?;
                return Ok(vec![Effect::SetBack, Effect::TakenBack(taken)]);
            }
            Input::Common(Common::Undo { what, .. }) => return self.take_back(*what, stamp.at),
            Input::Common(Common::Redo { .. }) => {
                self.redo(stamp.at)?;
                return Ok(vec![Effect::SetBack]);
            }
            Input::Common(_) | Input::Game(_) => {
                let games = self.state.past.len();
                let step = Arc::make_mut(&mut self.state).step(input, stamp)?;
                if step.acted {
                    // A confirmation is no acting line.
                    if !matches!(input, Input::Common(Common::Signs(_))) {
                        self.undone = Stack::EMPTY;
                    }
                    self.push_input(input, stamp, &step, games == self.state.past.len(), None);
                }
                effects.extend(step.notes.into_iter().map(Effect::Note));
                effects.extend(step.ended_turn.map(Effect::TurnEnded));
                effects.extend(step.incident.map(Effect::Incident));
                if games != self.state.past.len() {
                    return Ok(effects);
                }
            }
        }
        if let Some(side) = self.state.clock.flag().filter(|side| flag_before != Some(*side)) {
            effects.push(Effect::FlagFell(side));
        }
        if let Some(outcome) = self.state.game.outcome().filter(|outcome| over_before != Some(*outcome)) {
            effects.push(Effect::GameOver(outcome));
            if self.state.match_over() {
                effects.push(Effect::MatchOver);
            }
        }
        Ok(effects)
    }

    /// Refuses an input whose moment `when` lies before the turn to which it belongs.
    fn check_moment(&self, stamp: Stamp) -> Result<(), Violation> {
        if stamp.at < self.state.turn_began() && matches!(self.turn(), Turn::Timed { .. }) {
            let what = say!(
                "before-the-turn",
                "the moment is {when} ms, but the turn began later, at {began} ms",
                when = stamp.at.millis(),
                began = self.state.turn_began().millis()
            );
            let next = say!("before-the-turn-next", "name the moment at which the action happened");
            return Err(Violation::new("before-the-turn", what, next));
        }
        Ok(())
    }

    /// Lets time pass up to `to`.
    fn read_on(&mut self, to: Instant) {
        Arc::make_mut(&mut self.state).advance(to);
        self.read_to = self.read_to.max(to);
    }

    /// Adds an input that changed the state to the history. `given` is what a ruling gave that acts again.
    fn push_input(
        &mut self,
        input: &Input,
        stamp: Stamp,
        step: &AppliedInput,
        same_game: bool,
        given: Option<TimeGiven>,
    ) {
        let first = self.history.unfinished_turn();
        if self.read_to > stamp.at {
            self.history.push(HistoryEntry::Read(self.read_to), &self.state);
        }
        let ended = step.ended_turn.is_some();
        // If a player forgot to press, the opponent's reveal or move ends the player's turn and begins the opponent's
        // turn.
        let new_turn =
            !ended && step.in_turn && !first.as_ref().is_some_and(|first| same_player(first, input));
        let over = ended || step.dropped_turn || !same_game || self.state.game.turn() == Turn::Untimed;
        let open = match &first {
            _ if over => None,
            _ if new_turn => Some(TurnStart::Here),
            first => first.clone().map(TurnStart::There),
        };
        let turn_from = first.filter(|_| ended || step.ended_game);
        let game = self.state.past.len();
        let did =
            HistoryInput { input: input.clone(), stamp, turn_from, open, game, given: given.map(Box::new) };
        self.history.push(HistoryEntry::Did(did), &self.state);
    }

    /// Takes back the last turn or line. Returns its inputs.
    fn undo(&mut self, now: Instant) -> Result<Vec<Input>, Violation> {
        let newest = self.history.newest_acting();
        let cut = newest.and_then(|newest| match newest.last_input()?.turn_from.clone() {
            Some(first) => Some(first),
            None => Some(newest),
        });
        let Some((cut, as_of)) = cut.and_then(|cut| Some((cut.before_last(), cut.last_input()?.stamp.at)))
        else {
            return Err(nothing_to_undo());
        };
        let (signed, taken): (Vec<_>, Vec<_>) =
            self.history.inputs_after(cut.count()).into_iter().partition(|did| is_confirmation(&did.input));
        let confirmed = self.confirmable();
        self.cut_back(cut, as_of, now);
        self.confirm_again(&signed, confirmed, now);
        Ok(taken.into_iter().map(|did| did.input).collect())
    }

    /// What the players confirm after a game: its result and its chips.
    fn confirmable(&self) -> (Option<Outcome>, Stakes, BySeat<Chips>) {
        (self.state.game.outcome(), self.state.game.stakes(), self.stacks())
    }

    /// Lets confirmations stand after something was taken back, if the result and the chips are those that were `confirmed`.
    fn confirm_again(
        &mut self,
        signed: &[HistoryInput],
        confirmed: (Option<Outcome>, Stakes, BySeat<Chips>),
        now: Instant,
    ) {
        if self.confirmable() != confirmed {
            return;
        }
        for did in signed {
            let stamp = Stamp::new(now, did.stamp.line);
            if let Ok(step) = Arc::make_mut(&mut self.state).step(&did.input, stamp) {
                self.push_input(&did.input, stamp, &step, true, None);
            }
        }
    }

    /// Goes back to this earlier history, whose clocks stood as they did at `as_of`. Redo can reverse it.
    fn cut_back(&mut self, earlier: History, as_of: Instant, now: Instant) {
        let history = std::mem::replace(&mut self.history, earlier);
        self.undone.push(Undone { history, read_to: self.read_to, at: now });
        self.restore(as_of, as_of, now);
    }

    fn redo(&mut self, now: Instant) -> Result<(), Violation> {
        let Some(Undone { history, read_to, at }) = self.undone.top().cloned() else {
            let what = say!("nothing-to-redo", "there is no undo that can be reversed");
            return Err(Violation::new("nothing-to-redo", what, say!("nothing-to-redo-next", "play on")));
        };
        self.undone = self.undone.below();
        self.history = history;
        self.restore(read_to, at, now);
        Ok(())
    }

    /// Computes the state from the history, and lets time pass up to `read_to`. Then the clocks continue at `now` with
    /// the readings that they had at `as_of`.
    fn restore(&mut self, read_to: Instant, as_of: Instant, now: Instant) {
        self.state = self.history.state(&self.start);
        let state = Arc::make_mut(&mut self.state);
        state.advance(read_to);
        state.continue_from(as_of, now);
        (self.went_on, self.read_to) = (now, now);
        self.history.push(HistoryEntry::ClocksContinued { as_of, on: now }, &self.state);
    }

    // ---- queries ----

    /// Why this input would be refused at this moment; `None` if it would be accepted. The table does not change.
    pub fn refusal(&self, input: &Input, at: Instant) -> Option<Violation> {
        self.clone().apply(input, Stamp::new(at, 0)).err()
    }

    /// The inputs that count, with their lines in the record. Inputs that were undone do not count.
    pub fn counted_inputs(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.history.inputs().map(|did| (did.stamp.line, &did.input))
    }

    /// The inputs that count, the newest first, with their lines in the record. What is not asked for is not walked over.
    pub fn newest_inputs(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.history.newest_inputs().map(|did| (did.stamp.line, &did.input))
    }

    /// Whether nothing has happened to the table, and no time has passed at it, since `copy` was cloned from it.
    pub fn is_still(&self, copy: &Self) -> bool {
        Arc::ptr_eq(&self.state, &copy.state)
    }

    /// The number of inputs that count; an undo reduces it.
    pub fn count(&self) -> usize {
        self.history.count()
    }

    /// The game actions that count, one list for each game in order, with their lines in the record.
    pub fn actions_by_game(&self) -> Vec<Vec<(u32, &Action)>> {
        let mut games = vec![Vec::new(); self.state.past.len() + 1];
        for HistoryInput { input, stamp, game, .. } in self.history.inputs() {
            if let Input::Game(action) = input
                && let Some(actions) = games.get_mut(*game)
            {
                actions.push((stamp.line, action));
            }
        }
        games
    }

    /// All games of the match in order; the last one may be running.
    pub fn played_games(&self) -> Vec<PlayedGame<'_>> {
        let mut rulings = vec![Vec::new(); self.state.past.len() + 1];
        for HistoryInput { input, game, .. } in self.history.inputs() {
            if let (Input::Common(Common::Rule(ruling)), Some(of)) = (input, rulings.get_mut(*game)) {
                of.push(&**ruling);
            }
        }
        let past = self.state.past.iter().map(|past| PlayedGame {
            white: past.white,
            game: &*past.game,
            clock: &past.clock,
            agreement: &past.agreement,
            signed: past.signed,
            rulings: Vec::new(),
        });
        let now = PlayedGame {
            white: self.white(),
            game: self.game(),
            clock: self.clock(),
            agreement: self.agreement(),
            signed: self.state.signed,
            rulings: Vec::new(),
        };
        let games = past.chain([now]).zip(rulings);
        games.map(|(game, rulings)| PlayedGame { rulings, ..game }).collect()
    }

    /// The terms in force: what the players agreed on before the match, and what `next` has changed since.
    pub fn agreement(&self) -> &Agreement {
        &self.state.agreement
    }

    /// The terms that every game has.
    pub fn terms(&self) -> &Terms {
        &self.state.agreement.terms
    }

    /// The game in progress, or the last game.
    pub fn game(&self) -> &dyn Game {
        &*self.state.game
    }

    /// The clock of the game in progress, or of the last game.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// The games before the present one, oldest first.
    pub fn past_games(&self) -> &PastGames {
        &self.state.past
    }

    /// The seat that has White in the present game.
    pub fn white(&self) -> Seat {
        self.state.white
    }

    /// The seat that plays this colour in the present game.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.state.seat_of(color)
    }

    /// The name of the player of this colour in the present game.
    pub fn name_of(&self, color: Color) -> &str {
        &self.state.agreement.players[self.seat_of(color)]
    }

    /// The chips in each seat's stack.
    pub fn stacks(&self) -> BySeat<Chips> {
        self.state.stacks()
    }

    /// The number of games with a result that counts for the match.
    pub fn games_counted(&self) -> u32 {
        self.state.games_counted()
    }

    /// Whether this seat has agreed that its sealed cards may be shown.
    pub fn consented(&self, seat: Seat) -> bool {
        self.state.consents[seat]
    }

    /// Whether this player can confirm the result of the game that has just ended, and has not yet.
    pub fn may_sign(&self, by: Color) -> bool {
        self.state.may_sign(by).is_ok()
    }

    /// Whether this seat has confirmed the result of the game that has just ended.
    pub fn signed(&self, seat: Seat) -> bool {
        self.state.signed[seat]
    }

    /// Whether the match is over.
    pub fn match_over(&self) -> bool {
        self.state.match_over()
    }

    /// Whether any input has changed the present game.
    pub fn begun(&self) -> bool {
        self.state.begun
    }

    /// The stage of the game, or of the match if it is over.
    pub fn phase(&self) -> Phase {
        match self.state.match_over() {
            true if self.state.has_chips() => Phase::MatchOver,
            true => Phase::Over,
            false => self.state.game.phase(),
        }
    }

    /// Who has to act next.
    pub fn to_act(&self) -> Actor {
        if self.state.ended { Actor::Nobody } else { self.state.game.to_act() }
    }

    /// The player whose clock runs, and whether a press would end the turn.
    pub fn turn(&self) -> Turn {
        if self.state.ended { Turn::Untimed } else { self.state.game.turn() }
    }

    /// The player whose timed turn it is; `None` if no turn is timed.
    pub fn mover(&self) -> Option<Color> {
        match self.turn() {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// The moment at which the present turn began.
    pub fn turn_began(&self) -> Instant {
        self.state.turn_began()
    }

    /// The logical board: the pieces as the game counts them.
    pub fn board(&self) -> Board {
        self.state.game.board()
    }

    /// The physical board: the pieces as they stand, including stand-ins.
    pub fn physical(&self) -> Board {
        self.state.physical()
    }

    /// A copy of the game and the board. Actions can be tried on it without changing the table.
    pub fn probe(&self) -> Probe {
        Probe::new(self.state.game.clone(), self.state.standing.clone())
    }

    /// The squares on which a stand-in represents another piece.
    pub fn stand_ins(&self) -> Vec<Square> {
        self.state.standing.stand_ins().collect()
    }

    /// The next moment at which the state changes only because time has passed, for example because a flag falls. The
    /// app sends a `tick` at this moment.
    pub fn deadline(&self) -> Option<Instant> {
        self.state.deadline()
    }

    /// The clock for the bet that is due; `None` if no bet is due or bets have no time limit.
    pub fn bet_clock(&self) -> Option<BetClock> {
        self.state.bet
    }

    /// Whether time runs against a player, on the clock or for a bet.
    pub fn time_runs(&self) -> bool {
        self.state.time_runs()
    }

    /// The time that this side has left at `now`; `None` without a time control.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.state.clock.reading(side, now)
    }

    /// All inputs that would be accepted now, except the inputs that are always possible (`undo`, `rule`, `pause` …).
    pub fn legal(&self) -> Vec<LegalInput> {
        if self.match_over() {
            return Vec::new();
        }
        let game = &self.state.game;
        let mut legal = match game.outcome() {
            None => self.legal_in_game(),
            Some(_) if game.counts() => vec![LegalInput::Next],
            // After a fouled deal or a cancelled game the players keep their colours and begin again.
            Some(outcome) => {
                let again = self.state.fresh_game().offers().into_iter().map(LegalInput::Game);
                let next = (outcome.reason == Reason::Cancelled).then_some(LegalInput::Next);
                again.chain(next).collect()
            }
        };
        if self.state.clock.paused() {
            legal.retain(|legal| !legal.waits_while_paused());
        }
        legal
    }

    fn legal_in_game(&self) -> Vec<LegalInput> {
        let mut legal: Vec<LegalInput> = self.state.game.offers().into_iter().map(LegalInput::Game).collect();
        self.add_presses(&mut legal);
        if self.terms().voice == Voice::Event {
            let fallen = Color::ALL.into_iter().filter(|side| self.state.clock.has_fallen(*side));
            legal.extend(fallen.map(|side| LegalInput::ClaimFlag(side.other())));
        }
        legal
    }

    /// Adds the press that would end the turn or start the clock, and the opponent's actions that would count as a
    /// press.
    fn add_presses(&self, legal: &mut Vec<LegalInput>) {
        let Turn::Timed { by, acted, .. } = self.turn() else { return };
        if self.terms().press == PressMode::Auto {
            return;
        }
        match self.state.clock.turn() {
            None => legal.push(LegalInput::Press(by.other())),
            Some(running) if running == by && acted => {
                legal.push(LegalInput::Press(by));
                let mut next = self.state.game.clone();
                next.end_turn();
                let reply = |legal: &LegalInput| legal.takes_turn() && legal.by() == Some(by.other());
                let replies = next.offers().into_iter().map(LegalInput::Game).filter(reply);
                let new: Vec<LegalInput> = replies.filter(|reply| !legal.contains(reply)).collect();
                legal.extend(new);
            }
            Some(_) => {}
        }
    }
}

/// Whether `input` was made by the same player as the last input of the history `before`.
fn same_player(before: &History, input: &Input) -> bool {
    let by = |input: &Input| match input {
        Input::Game(action) => action.by(),
        Input::Common(_) => None,
    };
    before.last_input().is_some_and(|did| by(&did.input) == by(input))
}
