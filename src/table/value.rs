//! The table as a value: one input changes it, and everybody asks it.

use tabiya_types::{Board, BySeat, Color, Instant, Millis, Seat, Square, say};

use super::agreement::{Agreement, PressMode, Terms, Voice};
use super::course::Course;
use super::effect::Effect;
use super::history::HistoryInput;
use super::input::{Common, Input, LegalInput, Stamp, UndoWhat};
use super::past::{PastGames, PlayedGame};
use super::probe::Probe;
use super::state::{BetClock, MatchState};
use super::takeback::{last_action_at, take_back};
use crate::clock::Clock;
use crate::rules::{Action, Actor, Chips, Game, Phase, Reason, Turn, Violation};

/// A match at a table. Copying a table is cheap.
#[derive(Clone, Debug)]
pub struct Table {
    course: Course,
}

impl Table {
    /// A table before its first input.
    pub fn new(agreement: Agreement) -> Self {
        Self { course: Course::new(agreement) }
    }

    /// Applies one input. On `Err` nothing has changed, except that time has passed up to the input's moment.
    pub fn apply(&mut self, input: &Input, stamp: Stamp) -> Result<Vec<Effect>, Violation> {
        self.check_moment(stamp)?;
        let stamp = Stamp { at: stamp.at.max(self.course.went_on()), ..stamp };
        let flag_before = self.state().clock.flag();
        let over_before = self.state().game.outcome();
        self.course.read_on(stamp.at);
        let mut effects = Vec::new();
        match input {
            Input::Common(Common::Tick) => {}
            Input::Common(Common::Undo { what: UndoWhat::LastLine, .. }) => {
                let taken = self.course.undo(stamp.at)?;
                return Ok(vec![Effect::SetBack, Effect::TakenBack(taken)]);
            }
            Input::Common(Common::Undo { what, .. }) => return take_back(&mut self.course, *what, stamp.at),
            Input::Common(Common::Redo { .. }) => {
                self.course.redo(stamp.at)?;
                return Ok(vec![Effect::SetBack]);
            }
            Input::Common(_) | Input::Game(_) => {
                let games = self.state().past.len();
                let step = self.course.act(input, stamp)?;
                effects.extend(step.notes.into_iter().map(Effect::Note));
                effects.extend(step.ended_turn.map(Effect::TurnEnded));
                effects.extend(step.incident.map(Effect::Incident));
                if games != self.state().past.len() {
                    return Ok(effects);
                }
            }
        }
        if let Some(side) = self.state().clock.flag().filter(|side| flag_before != Some(*side)) {
            effects.push(Effect::FlagFell(side));
        }
        if let Some(outcome) = self.state().game.outcome().filter(|outcome| over_before != Some(*outcome)) {
            effects.push(Effect::GameOver(outcome));
            if self.state().match_over() {
                effects.push(Effect::MatchOver);
            }
        }
        Ok(effects)
    }

    /// Refuses an input whose moment `when` lies before the turn to which it belongs.
    fn check_moment(&self, stamp: Stamp) -> Result<(), Violation> {
        if stamp.at < self.state().turn_began() && matches!(self.turn(), Turn::Timed { .. }) {
            let what = say!(
                "before-the-turn",
                "the moment is {when} ms, but the turn began later, at {began} ms",
                when = stamp.at.millis(),
                began = self.state().turn_began().millis()
            );
            let next = say!("before-the-turn-next", "name the moment at which the action happened");
            return Err(Violation::new("before-the-turn", what, next));
        }
        Ok(())
    }

    /// Why this input would be refused at this moment; `None` if it would be accepted. The table does not change.
    pub fn refusal(&self, input: &Input, at: Instant) -> Option<Violation> {
        self.clone().apply(input, Stamp::new(at, 0)).err()
    }

    /// The inputs that count, with their lines in the record. Inputs that were undone do not count.
    pub fn counted_inputs(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.course.history().inputs().map(|did| (did.stamp.line, &did.input))
    }

    /// The inputs that count, the newest first, with their lines in the record. What is not asked for is not walked over.
    pub fn newest_inputs(&self) -> impl Iterator<Item = (u32, &Input)> {
        self.course.history().newest_inputs().map(|did| (did.stamp.line, &did.input))
    }

    /// Whether nothing has happened to the table, and no time has passed at it, since `copy` was cloned from it.
    pub fn is_still(&self, copy: &Self) -> bool {
        self.course.is_still(&copy.course)
    }

    /// The number of inputs that count; an undo reduces it.
    pub fn count(&self) -> usize {
        self.course.history().count()
    }

    /// The game actions that count, one list for each game in order, with their lines in the record.
    pub fn actions_by_game(&self) -> Vec<Vec<(u32, &Action)>> {
        let mut games = vec![Vec::new(); self.state().past.len() + 1];
        for HistoryInput { input, stamp, game, .. } in self.course.history().inputs() {
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
        let mut rulings = vec![Vec::new(); self.state().past.len() + 1];
        for HistoryInput { input, game, .. } in self.course.history().inputs() {
            if let (Input::Common(Common::Rule(ruling)), Some(of)) = (input, rulings.get_mut(*game)) {
                of.push(&**ruling);
            }
        }
        let past = self.state().past.iter().map(|past| PlayedGame {
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
            signed: self.state().signed,
            rulings: Vec::new(),
        };
        let games = past.chain([now]).zip(rulings);
        games.map(|(game, rulings)| PlayedGame { rulings, ..game }).collect()
    }

    /// The terms in force: what the players agreed on before the match, and what `next` has changed since.
    pub fn agreement(&self) -> &Agreement {
        &self.state().agreement
    }

    /// The terms that every game has.
    pub fn terms(&self) -> &Terms {
        &self.state().agreement.terms
    }

    /// The game in progress, or the last game.
    pub fn game(&self) -> &dyn Game {
        &*self.state().game
    }

    /// The clock of the game in progress, or of the last game.
    pub fn clock(&self) -> &Clock {
        &self.state().clock
    }

    /// The games before the present one, oldest first.
    pub fn past_games(&self) -> &PastGames {
        &self.state().past
    }

    /// The seat that has White in the present game.
    pub fn white(&self) -> Seat {
        self.state().white
    }

    /// The seat that plays this colour in the present game.
    pub fn seat_of(&self, color: Color) -> Seat {
        self.state().seat_of(color)
    }

    /// The name of the player of this colour in the present game.
    pub fn name_of(&self, color: Color) -> &str {
        &self.state().agreement.players[self.seat_of(color)]
    }

    /// The chips in each seat's stack.
    pub fn stacks(&self) -> BySeat<Chips> {
        self.state().stacks()
    }

    /// The number of games with a result that counts for the match.
    pub fn games_counted(&self) -> u32 {
        self.state().games_counted()
    }

    /// Whether this seat has agreed that its sealed cards may be shown.
    pub fn consented(&self, seat: Seat) -> bool {
        self.state().consents[seat]
    }

    /// Whether this player can confirm the result of the game that has just ended, and has not yet.
    pub fn may_sign(&self, by: Color) -> bool {
        self.state().may_sign(by).is_ok()
    }

    /// Whether this seat has confirmed the result of the game that has just ended.
    pub fn signed(&self, seat: Seat) -> bool {
        self.state().signed[seat]
    }

    /// Whether the match is over.
    pub fn match_over(&self) -> bool {
        self.state().match_over()
    }

    /// Whether any input has changed the present game.
    pub fn begun(&self) -> bool {
        self.state().begun
    }

    /// The stage of the game, or of the match if it is over.
    pub fn phase(&self) -> Phase {
        match self.state().match_over() {
            true if self.state().has_chips() => Phase::MatchOver,
            true => Phase::Over,
            false => self.state().game.phase(),
        }
    }

    /// Who has to act next.
    pub fn to_act(&self) -> Actor {
        if self.state().ended { Actor::Nobody } else { self.state().game.to_act() }
    }

    /// The player whose clock runs, and whether a press would end the turn.
    pub fn turn(&self) -> Turn {
        if self.state().ended { Turn::Untimed } else { self.state().game.turn() }
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
        self.state().turn_began()
    }

    /// The logical board: the pieces as the game counts them.
    pub fn board(&self) -> Board {
        self.state().game.board()
    }

    /// The physical board: the pieces as they stand, including stand-ins.
    pub fn physical(&self) -> Board {
        self.state().physical()
    }

    /// A copy of the game and the board. Actions can be tried on it without changing the table.
    pub fn probe(&self) -> Probe {
        Probe::new(self.state().game.clone(), self.state().standing.clone())
    }

    /// The squares on which a stand-in represents another piece.
    pub fn stand_ins(&self) -> Vec<Square> {
        self.state().standing.stand_ins().collect()
    }

    /// The next moment at which the state changes only because time has passed, for example because a flag falls. The
    /// app sends a `tick` at this moment.
    pub fn deadline(&self) -> Option<Instant> {
        self.state().deadline()
    }

    /// The clock for the bet that is due; `None` if no bet is due or bets have no time limit.
    pub fn bet_clock(&self) -> Option<BetClock> {
        self.state().bet
    }

    /// Whether time runs against a player, on the clock or for a bet.
    pub fn time_runs(&self) -> bool {
        self.state().time_runs()
    }

    /// The time that this side has left at `now`; `None` without a time control.
    pub fn reading(&self, side: Color, now: Instant) -> Option<Millis> {
        self.state().clock.reading(side, now)
    }

    /// All inputs that would be accepted now, except the inputs that are always possible (`undo`, `rule`, `pause` …).
    pub fn legal(&self) -> Vec<LegalInput> {
        if self.match_over() {
            return Vec::new();
        }
        let game = &self.state().game;
        let mut legal = match game.outcome() {
            None => self.legal_in_game(),
            Some(_) if game.counts() => vec![LegalInput::Next],
            // After a fouled deal or a cancelled game the players keep their colours and begin again.
            Some(outcome) => {
                let again = self.state().fresh_game().offers().into_iter().map(LegalInput::Game);
                let next = (outcome.reason == Reason::Cancelled).then_some(LegalInput::Next);
                again.chain(next).collect()
            }
        };
        if self.state().clock.paused() {
            legal.retain(|legal| !legal.waits_while_paused());
        }
        legal
    }

    fn legal_in_game(&self) -> Vec<LegalInput> {
        let mut legal: Vec<LegalInput> =
            self.state().game.offers().into_iter().map(LegalInput::Game).collect();
        self.add_presses(&mut legal);
        if self.terms().voice == Voice::Event {
            let fallen = Color::ALL.into_iter().filter(|side| self.state().clock.has_fallen(*side));
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
        match self.state().clock.turn() {
            None => legal.push(LegalInput::Press(by.other())),
            Some(running) if running == by && acted => {
                legal.push(LegalInput::Press(by));
                let mut next = self.state().game.clone();
                next.end_turn();
                let reply = |legal: &LegalInput| legal.takes_turn() && legal.by() == Some(by.other());
                let replies = next.offers().into_iter().map(LegalInput::Game).filter(reply);
                let new: Vec<LegalInput> = replies.filter(|reply| !legal.contains(reply)).collect();
                legal.extend(new);
            }
            Some(_) => {}
        }
    }

    /// Whether a game is in progress that something has changed.
    pub(super) fn game_runs(&self) -> bool {
        self.begun() && self.game().outcome().is_none() && !self.match_over()
    }

    /// The moment that the table has reached. Everything that is due by this moment has happened.
    pub(super) fn read_to(&self) -> Instant {
        self.course.read_to()
    }

    /// When the last action that can be taken back began.
    pub(super) fn last_action_at(&self) -> Option<Instant> {
        last_action_at(&self.course)
    }

    /// The chips that came to each player during the present game by rulings; negative if they left the table.
    pub(super) fn bought(&self) -> BySeat<i64> {
        self.state().bought
    }

    fn state(&self) -> &MatchState {
        self.course.state()
    }
}
