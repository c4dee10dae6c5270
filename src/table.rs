//! The table: a pure state machine over rules and clock. All of the deciding, none of the waiting.
//!
//! A table is a fold over a record: [`Table::apply`] takes one input with its moment, and what
//! follows is the new state and effects. It does no IO, reads no time and draws no chance.
//!
//! A table costs little to copy: what was done before (`history.rs`) is shared by all copies. Undo goes back in
//! that history, to the nearest state that is kept, so that it costs a few inputs and not the whole match; redo
//! goes forward to the history that the undo left (record, `undo` and `redo`).

mod agreement;
mod history;
mod input;
mod pace;
mod past;
mod probe;
mod standing;
mod state;
mod voice;

use std::sync::Arc;

pub use agreement::{Agreement, ClockSource, PressMode, Terms, TimeTerm, Voice};
use history::{Begun, Did, History, HistoryEntry};
pub use input::{Body, By, Common, Evidence, Input, Legal, Ruling, Stamp};
pub use pace::control_in_words;
pub use past::{PastGame, PastGames};
pub use probe::Probe;
pub use standing::BoardPair;
use state::{AppliedInput, MatchState};
use tabiya_types::{Board, BySeat, Color, Instant, Millis, Seat, Sentence, Square, Stack, say};
pub use voice::{Audience, Prompt, flag_fallen};

use crate::clock::Clock;
use crate::rules::{Action, Actor, Chips, Game, Outcome, Phase, Turn, Violation};

/// What the table asks of the world, and what it has noticed. It waits for no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// A remark for the reader of the record.
    Note(Sentence),
    /// This player's turn is over: a short beep, and the clock's lever changes.
    TurnEnded(Color),
    /// A false piece: the opponent gained the penalty time.
    Incident(Color),
    /// A flag fell.
    FlagFell(Color),
    /// The game has a result.
    GameOver(Outcome),
    /// The match is over.
    MatchOver,
    /// Something was undone or restored: the board has to be set back.
    SetBack,
}

/// What an undo left.
#[derive(Clone, Debug)]
struct Undone {
    history: History,
    /// How far time had been read on.
    read_to: Instant,
    /// When it was undone.
    at: Instant,
}

/// A match at a table. Cheap to copy.
#[derive(Clone, Debug)]
pub struct Table {
    state: Arc<MatchState>,
    /// The state before the first input.
    start: Arc<MatchState>,
    history: History,
    /// What the undos since the last input left, the last of them on top.
    undone: Stack<Undone>,
    /// How far time was read on.
    read_to: Instant,
    /// When the last undo or redo let the clocks go on: nothing acts on them before that.
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

    /// Applies one input. On `Err` nothing has changed but the time read on.
    pub fn apply(&mut self, input: &Input, stamp: Stamp) -> Result<Vec<Effect>, Violation> {
        self.check_moment(stamp)?;
        let stamp = Stamp { at: stamp.at.max(self.went_on), ..stamp };
        let flag_before = self.state.clock.flag();
        let over_before = self.state.game.outcome();
        self.read_on(stamp.at);
        let mut effects = Vec::new();
        match input {
            Input::Common(Common::Tick) => {}
            Input::Common(Common::Undo { .. }) => {
                self.undo(stamp.at)?;
                return Ok(vec![Effect::SetBack]);
            }
            Input::Common(Common::Redo { .. }) => {
                self.redo(stamp.at)?;
                return Ok(vec![Effect::SetBack]);
            }
            Input::Common(_) | Input::Game(_) => {
                let games = self.state.past.len();
                let step = Arc::make_mut(&mut self.state).step(input, stamp)?;
                if step.acted {
                    self.keep(input, stamp, &step, games == self.state.past.len());
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

    /// A moment given as `when` cannot lie before the turn that it belongs to.
    fn check_moment(&self, stamp: Stamp) -> Result<(), Violation> {
        if stamp.at < self.state.turn_began() && matches!(self.turn(), Turn::Timed { .. }) {
            let what = say!(
                "before-the-turn",
                "`when` {when} lies before the turn, which began at {began}",
                when = stamp.at.millis(),
                began = self.state.turn_began().millis()
            );
            let next = say!("before-the-turn-next", "give the moment at which it happened");
            return Err(Violation::new("before-the-turn", what, next));
        }
        Ok(())
    }

    /// Lets time pass.
    fn read_on(&mut self, to: Instant) {
        Arc::make_mut(&mut self.state).read_on(to);
        self.read_to = self.read_to.max(to);
    }

    /// Books an input that acted.
    fn keep(&mut self, input: &Input, stamp: Stamp, step: &AppliedInput, same_game: bool) {
        self.undone = Stack::EMPTY;
        let first = self.history.unfinished_turn();
        if self.read_to > stamp.at {
            self.history.push(HistoryEntry::Read(self.read_to), &self.state);
        }
        let ended = step.ended_turn.is_some();
        // The opponent's reveal or move also ends the turn before and begins his own.
        let new_turn =
            !ended && step.in_turn && !first.as_ref().is_some_and(|first| same_player(first, input));
        let over = ended || !same_game || self.state.game.turn() == Turn::Untimed;
        let open = match &first {
            _ if over => None,
            _ if new_turn => Some(Begun::Here),
            first => first.clone().map(Begun::There),
        };
        let turn_from = first.filter(|_| ended);
        let game = self.state.past.len();
        let did = Did { input: input.clone(), stamp, turn_from, open, game };
        self.history.push(HistoryEntry::Did(did), &self.state);
    }

    fn undo(&mut self, now: Instant) -> Result<(), Violation> {
        let newest = self.history.up_to_newest_input();
        let cut = newest.and_then(|newest| match newest.last_input()?.turn_from.clone() {
            Some(first) => Some(first),
            None => Some(newest),
        });
        let Some((cut, stood)) = cut.and_then(|cut| Some((cut.before_last(), cut.last_input()?.stamp.at)))
        else {
            let what = say!("nothing-to-undo", "nothing was done yet");
            return Err(Violation::new("nothing-to-undo", what, say!("nothing-to-undo-next", "begin")));
        };
        let history = std::mem::replace(&mut self.history, cut);
        self.undone.push(Undone { history, read_to: self.read_to, at: now });
        self.stand_again(stood, stood, now);
        Ok(())
    }

    fn redo(&mut self, now: Instant) -> Result<(), Violation> {
        let Some(Undone { history, read_to, at }) = self.undone.top().cloned() else {
            let what = say!("nothing-to-redo", "nothing was undone just now");
            return Err(Violation::new("nothing-to-redo", what, say!("nothing-to-redo-next", "play on")));
        };
        self.undone = self.undone.below();
        self.history = history;
        self.stand_again(read_to, at, now);
        Ok(())
    }

    /// Works the state out from the history, with time read on so far; the clocks go on at `now` as they stood
    /// at `stood`.
    fn stand_again(&mut self, read_to: Instant, stood: Instant, now: Instant) {
        self.state = self.history.state(&self.start);
        let state = Arc::make_mut(&mut self.state);
        state.read_on(read_to);
        state.go_on(stood, now);
        (self.went_on, self.read_to) = (now, now);
        self.history.push(HistoryEntry::WentOn { stood, on: now }, &self.state);
    }

    // ---- what is ----

    /// The inputs that count, with their lines in the record: what was undone is not among them.
    pub fn counted(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.history.inputs().map(|did| (did.stamp.line, &did.input))
    }

    /// How many there are: an undo makes them fewer.
    pub fn count(&self) -> usize {
        self.history.count()
    }

    /// The games' own actions that count, game by game, the first one first, with their lines in the record.
    pub fn actions_by_game(&self) -> Vec<Vec<(u32, &Action)>> {
        let mut games = vec![Vec::new(); self.state.past.len() + 1];
        for Did { input, stamp, game, .. } in self.history.inputs() {
            if let Input::Game(action) = input
                && let Some(actions) = games.get_mut(*game)
            {
                actions.push((stamp.line, action));
            }
        }
        games
    }

    /// What was agreed.
    pub fn agreement(&self) -> &Agreement {
        &self.state.agreement
    }

    /// The terms that every game has.
    pub fn terms(&self) -> &Terms {
        &self.state.agreement.terms
    }

    /// The game in progress, or the last one.
    pub fn game(&self) -> &dyn Game {
        &*self.state.game
    }

    /// The clock of that game.
    pub fn clock(&self) -> &Clock {
        &self.state.clock
    }

    /// The games before it, oldest first.
    pub fn past_games(&self) -> &PastGames {
        &self.state.past
    }

    /// The seat that has White now.
    pub fn white(&self) -> Seat {
        self.state.white
    }

    /// Who sits behind a colour now.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.state.seat_of(color)
    }

    /// The name behind a colour now.
    pub fn name_of(&self, color: Color) -> &str {
        &self.state.agreement.players[self.seat_of(color)]
    }

    /// What each seat has behind.
    pub fn stacks(&self) -> BySeat<Chips> {
        self.state.stacks()
    }

    /// Games played to a result that counts.
    pub fn games_counted(&self) -> u32 {
        self.state.games_counted()
    }

    /// Whether this seat agreed that its sealed cards may be shown.
    pub fn consented(&self, seat: Seat) -> bool {
        self.state.consents[seat]
    }

    /// Whether the match is over.
    pub fn match_over(&self) -> bool {
        self.state.match_over()
    }

    /// Whether anything happened yet in the present game.
    pub fn begun(&self) -> bool {
        self.state.begun
    }

    /// The stage of the game, or of the match.
    pub fn phase(&self) -> Phase {
        match self.state.match_over() {
            true if self.state.has_chips() => Phase::MatchOver,
            true => Phase::Over,
            false => self.state.game.phase(),
        }
    }

    /// Who has to do something next.
    pub fn to_act(&self) -> Actor {
        if self.state.ended { Actor::Nobody } else { self.state.game.to_act() }
    }

    /// Whose turn it is, and whether a press would end it.
    pub fn turn(&self) -> Turn {
        if self.state.ended { Turn::Untimed } else { self.state.game.turn() }
    }

    /// Whose timed turn it is.
    pub fn mover(&self) -> Option<Color> {
        match self.turn() {
            Turn::Timed { by, .. } => Some(by),
            Turn::Untimed => None,
        }
    }

    /// When the running turn began.
    pub fn turn_began(&self) -> Instant {
        self.state.turn_began()
    }

    /// The board as the table counts it.
    pub fn board(&self) -> Board {
        self.state.game.board()
    }

    /// The board as the pieces physically stand, stand-ins included.
    pub fn physical(&self) -> Board {
        self.state.physical()
    }

    /// The game and the board as they stand, for trying what could come next.
    pub fn probe(&self) -> Probe {
        Probe::new(self.state.game.clone(), self.state.standing.clone())
    }

    /// Squares where a piece stands for another.
    pub fn stand_ins(&self) -> Vec<Square> {
        self.state.standing.stand_ins().collect()
    }

    /// When time alone will change something: the app sends a `tick` then.
    pub fn deadline(&self) -> Option<Instant> {
        self.state.deadline()
    }

    /// Whether time runs against somebody: a clock, or the time for a bet.
    pub fn time_runs(&self) -> bool {
        self.state.time_runs()
    }

    /// What this side has left at `now`; `None` without a clock.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.state.clock.reading(side, now)
    }

    /// All that would be accepted now, but what is always possible (`undo`, `rule`, `pause` …).
    pub fn legal(&self) -> Vec<Legal> {
        if self.match_over() {
            return Vec::new();
        }
        let game = &self.state.game;
        let mut legal = match game.outcome() {
            None => self.legal_in_game(),
            Some(_) if game.counts() => vec![Legal::Next],
            // After a fouled deal the same colours deal again.
            Some(_) => self.state.fresh_game().offers().into_iter().map(Legal::Game).collect(),
        };
        if self.state.clock.paused() {
            legal.retain(|legal| !legal.waits_while_paused());
        }
        legal
    }

    fn legal_in_game(&self) -> Vec<Legal> {
        let mut legal: Vec<Legal> = self.state.game.offers().into_iter().map(Legal::Game).collect();
        self.add_presses(&mut legal);
        if self.terms().voice == Voice::Event {
            let fallen = Color::ALL.into_iter().filter(|side| self.state.clock.has_fallen(*side));
            legal.extend(fallen.map(|side| Legal::ClaimFlag(side.other())));
        }
        legal
    }

    /// The press that would end or start something, and what would count as one.
    fn add_presses(&self, legal: &mut Vec<Legal>) {
        let Turn::Timed { by, acted, .. } = self.turn() else { return };
        if self.terms().press == PressMode::Auto {
            return;
        }
        match self.state.clock.turn() {
            None => legal.push(Legal::Press(by.other())),
            Some(running) if running == by && acted => {
                legal.push(Legal::Press(by));
                let mut next = self.state.game.clone();
                next.end_turn();
                let reply = |legal: &Legal| legal.takes_turn() && legal.by() == Some(by.other());
                let replies = next.offers().into_iter().map(Legal::Game).filter(reply);
                let new: Vec<Legal> = replies.filter(|reply| !legal.contains(reply)).collect();
                legal.extend(new);
            }
            Some(_) => {}
        }
    }
}

/// Whether the last input of a history is by the player who gives this one.
fn same_player(before: &History, input: &Input) -> bool {
    let by = |input: &Input| match input {
        Input::Game(action) => action.by(),
        Input::Common(_) => None,
    };
    before.last_input().is_some_and(|did| by(&did.input) == by(input))
}
