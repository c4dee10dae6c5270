//! The table: a pure state machine over rules and clock. All of the deciding, none of the waiting.
//!
//! A table is a fold over a record: [`Table::apply`] takes one input with its moment, and what
//! follows is the new state and effects. It does no IO, reads no time and draws no chance.
//!
//! Undo cuts the list of inputs that count and goes back to the nearest checkpoint, so that it costs
//! a few inputs and not the whole match (record, `undo` and `redo`).

mod agreement;
mod input;
mod pace;
mod probe;
mod standing;
mod state;
mod voice;

use std::sync::Arc;

pub use agreement::{Agreement, ClockSource, PressMode, Terms, TimeTerm, Voice};
pub use input::{Body, By, Common, Evidence, Input, Legal, Ruling, Stamp};
pub use pace::control_in_words;
pub use probe::Probe;
pub use standing::Standing;
pub use state::PastGame;
pub use voice::{Audience, Prompt, flag_fallen};

use crate::clock::Clock;
use crate::rules::{Action, Actor, Chips, Game, Outcome, Phase, Turn, Violation};
use state::{State, Step};
use tabiya_types::{Board, BySeat, Color, Instant, Millis, Seat, Sentence, Square, say};

/// How many inputs lie between two checkpoints.
const CHECKPOINT_EVERY: usize = 32;

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

/// One input that counts, with what undo has to know about it.
#[derive(Clone, Debug)]
enum Entry {
    /// An input at its moment.
    Did {
        input: Input,
        stamp: Stamp,
        /// Where the turn that this input ended began in the list.
        turn_from: Option<usize>,
        /// Where the turn that is unfinished after this input began.
        open: Option<usize>,
        /// The game that it belongs to, counted from 0.
        game: usize,
    },
    /// Time was read on to here before an input that acts at an earlier moment (`when`).
    Read(Instant),
    /// After an undo time goes on: what stood at `stood` runs from `on`.
    WentOn { stood: Instant, on: Instant },
}

/// What an undo took away.
#[derive(Clone, Debug)]
struct Undone {
    kept: usize,
    entries: Vec<Entry>,
    state: State,
    at: Instant,
    turn_first: Option<usize>,
}

/// A match at a table.
#[derive(Clone, Debug)]
pub struct Table {
    state: State,
    entries: Vec<Entry>,
    /// States before the entry of that number, oldest first.
    checkpoints: Vec<(usize, State)>,
    undone: Vec<Undone>,
    /// The first entry of the turn that has begun and not ended.
    turn_first: Option<usize>,
    /// How far time was read on.
    read_to: Instant,
    /// When the last undo or redo let the clocks go on: nothing acts on them before that.
    went_on: Instant,
}

impl Table {
    /// A table before its first input.
    pub fn new(agreement: Agreement) -> Self {
        let state = State::new(Arc::new(agreement));
        Self {
            checkpoints: vec![(0, state.clone())],
            state,
            entries: Vec::new(),
            undone: Vec::new(),
            turn_first: None,
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
        self.state.read_on(stamp.at);
        self.read_to = self.read_to.max(stamp.at);
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
                let step = self.state.step(input, stamp)?;
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

    /// Books an input that acted.
    fn keep(&mut self, input: &Input, stamp: Stamp, step: &Step, same_game: bool) {
        self.undone.clear();
        if self.read_to > stamp.at {
            self.entries.push(Entry::Read(self.read_to));
        }
        let index = self.entries.len();
        let turn_from = step.ended_turn.and(self.turn_first.or(Some(index)));
        if step.ended_turn.is_some() {
            self.turn_first = None;
        } else if step.in_turn {
            // The opponent's reveal or move also ends the turn before and begins his own.
            let goes_on = self.turn_first.is_some_and(|first| self.same_player(first, input));
            if !goes_on {
                self.turn_first = Some(index);
            }
        }
        if !same_game || self.state.game.turn() == Turn::Untimed {
            self.turn_first = None;
        }
        let game = self.state.past.len();
        self.entries.push(Entry::Did { input: input.clone(), stamp, turn_from, open: self.turn_first, game });
        self.mark();
    }

    /// Sets a checkpoint where the last one is far enough back.
    fn mark(&mut self) {
        let newest = self.checkpoints.last().map_or(0, |(index, _)| *index);
        if self.entries.len() >= newest + CHECKPOINT_EVERY {
            self.checkpoints.push((self.entries.len(), self.state.clone()));
        }
    }

    fn same_player(&self, first: usize, input: &Input) -> bool {
        let by = |input: &Input| match input {
            Input::Game(action) => action.by(),
            Input::Common(_) => None,
        };
        match self.entries.get(first) {
            Some(Entry::Did { input: before, .. }) => by(before) == by(input),
            Some(Entry::Read(_) | Entry::WentOn { .. }) | None => false,
        }
    }

    fn undo(&mut self, now: Instant) -> Result<(), Violation> {
        let last = self.entries.iter().rposition(|entry| matches!(entry, Entry::Did { .. }));
        let Some(last) = last else {
            let what = say!("nothing-to-undo", "nothing was done yet");
            return Err(Violation::new("nothing-to-undo", what, say!("nothing-to-undo-next", "begin")));
        };
        let Some(Entry::Did { turn_from, .. }) = self.entries.get(last) else { return Ok(()) };
        let cut = turn_from.unwrap_or(last);
        let Some(Entry::Did { stamp, .. }) = self.entries.get(cut) else { return Ok(()) };
        let stood = stamp.at;
        let before = self.state.clone();
        let removed = self.entries.split_off(cut);
        let turn_first = self.turn_first;
        self.checkpoints.retain(|(index, _)| *index <= cut);
        self.refold();
        self.state.read_on(stood);
        self.go_on(stood, now);
        self.undone.push(Undone { kept: cut, entries: removed, state: before, at: now, turn_first });
        Ok(())
    }

    /// Works the state out again from the nearest checkpoint.
    fn refold(&mut self) {
        let (from, mut state) = match self.checkpoints.last() {
            Some((index, state)) => (*index, state.clone()),
            None => (0, State::new(self.state.agreement.clone())),
        };
        for entry in self.entries.iter().skip(from) {
            match entry {
                Entry::Did { input, stamp, .. } => {
                    state.read_on(stamp.at);
                    let again = state.step(input, *stamp);
                    debug_assert!(again.is_ok(), "what was accepted once is accepted again");
                }
                Entry::Read(at) => state.read_on(*at),
                Entry::WentOn { stood, on } => {
                    state.read_on(*stood);
                    state.go_on(*stood, *on);
                }
            }
        }
        self.state = state;
        let last = self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Did { open, .. } => Some(*open),
            Entry::Read(_) | Entry::WentOn { .. } => None,
        });
        self.turn_first = last.flatten();
    }

    fn go_on(&mut self, stood: Instant, now: Instant) {
        self.state.go_on(stood, now);
        (self.went_on, self.read_to) = (now, now);
        self.entries.push(Entry::WentOn { stood, on: now });
        self.mark();
    }

    fn redo(&mut self, now: Instant) -> Result<(), Violation> {
        let Some(undone) = self.undone.pop() else {
            let what = say!("nothing-to-redo", "nothing was undone just now");
            return Err(Violation::new("nothing-to-redo", what, say!("nothing-to-redo-next", "play on")));
        };
        self.entries.truncate(undone.kept);
        self.checkpoints.retain(|(index, _)| *index <= undone.kept);
        self.entries.extend(undone.entries);
        self.state = undone.state;
        self.turn_first = undone.turn_first;
        self.go_on(undone.at, now);
        Ok(())
    }

    // ---- what is ----

    /// The inputs that count, with their lines in the record: what was undone is not among them.
    pub fn counted(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Did { input, stamp, .. } => Some((stamp.line, input)),
            Entry::WentOn { .. } | Entry::Read(_) => None,
        })
    }

    /// The games' own actions that count, game by game, the first one first, with their lines in the record.
    pub fn actions_by_game(&self) -> Vec<Vec<(u32, &Action)>> {
        let mut games = vec![Vec::new(); self.state.past.len() + 1];
        for entry in &self.entries {
            if let Entry::Did { input: Input::Game(action), stamp, game, .. } = entry
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
    pub fn past_games(&self) -> &[Arc<PastGame>] {
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
