//! The seam between the table and its games: the few questions that every game answers.
//!
//! A new game is one module that implements [`GameKind`], [`Agreed`] and [`Game`], and one line in
//! `rules/catalog.rs`. Nothing above this room asks which game it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use tabiya_types::{Board, ByColor, Color, Seat, Sentence};

use super::action::{Action, OwnAction};
use super::capability::{Betting, Cards, ChessPhase, Placement, Score, Stages};
use super::chips::Chips;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::offer::Offer;
use super::outcome::Outcome;
use super::own::own;
use super::stakes::Stakes;
use super::verb::Verb;
use super::violation::Violation;

/// A list of games to choose from by their name in a header.
pub type Games = &'static [&'static dyn GameKind];

/// A kind of game: what stands in a record before a match begins, and how its lines read.
pub trait GameKind: Sync {
    /// The header's word.
    fn name(&self) -> &'static str;
    /// The names of the terms that this game reads itself.
    fn terms(&self) -> &'static [&'static str];
    /// Those of its terms that a header must have.
    fn required_terms(&self) -> &'static [&'static str];
    /// Those of its terms that `next` may change.
    fn terms_for_next(&self) -> &'static [&'static str] {
        &[]
    }
    /// Terms that people know by a name; the first are the usual ones.
    fn presets(&self) -> &'static [Preset] {
        &[]
    }
    /// Whether it has no actions of its own, only a clock that is pressed.
    fn is_clock_alone(&self) -> bool {
        false
    }
    /// Whether cards are turned over in it, so that it can be played with a deck of cards with chips.
    fn turns_cards_over(&self) -> bool {
        false
    }
    /// Reads this game's own terms out of a header's.
    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// Those of the shared actions that it has.
    fn verbs(&self) -> &'static [Verb];
    /// Reads an action that only this game has, by the record's word; `None` if it has no such word.
    fn read_own(&self, _word: &str, _fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        Ok(None)
    }
    /// Reads what only this game has of the fields that a ruling sets; `None` if there is nothing of it. What every
    /// game has it leaves where it is.
    fn read_ruling(&self, _set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        Ok(None)
    }
    /// Whether a ruling may set this position, as far as its form tells: a whole FEN, by the rules of the game.
    fn reads_position(&self, fen: &str) -> bool;
}

/// Terms by name (ruling 3 in docs/rules.md).
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// As the record's `preset` has it.
    pub name: &'static str,
    /// The terms as the record has them.
    pub terms: fn() -> Group,
}

/// What a game needs to know when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Who has White.
    pub white: Seat,
    /// What each has before the blinds; no chips in games without.
    pub stacks: ByColor<Chips>,
    /// How many games that count were played before this one.
    pub games_before: u32,
    /// Whether a draw or a flag must be claimed (`voice: event`).
    pub claims: bool,
}

impl Start {
    /// Who sits behind a colour.
    pub fn seat_of(self, color: Color) -> Seat {
        Seat::playing(color, self.white)
    }

    /// The colour that a seat plays.
    pub fn color_of(self, seat: Seat) -> Color {
        seat.color(self.white)
    }
}

/// A game's own terms, agreed for the match.
pub trait Agreed: fmt::Debug + Send + Sync {
    /// The same terms with what `next` changed.
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// What each seat brings, A first.
    fn stacks(&self) -> [Chips; 2] {
        [Chips::ZERO; 2]
    }
    /// A game from its very start.
    fn begin(&self, start: Start) -> Box<dyn Game>;
    /// The terms in plain words, a line each, for the match sheet.
    fn sheet(&self) -> Vec<Sentence>;
    /// What a set of pieces (letters K Q R B N P) means under these terms: proposals, never settings.
    fn inventory_advice(&self, _: Color, _: &str) -> Vec<Sentence> {
        Vec::new()
    }
}

/// Whose turn it is on the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// No clock runs: dealing, betting, over.
    Untimed,
    /// This player's clock runs.
    Timed {
        /// Whose.
        by: Color,
        /// Whether there is something a press would end.
        acted: bool,
        /// Whether it is a chess move, which counted stages count.
        counts: bool,
    },
}

/// What an accepted action brought about, beyond the new state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Remarks for the record's reader: a missing word, and no more.
    pub notes: Vec<Sentence>,
    /// An incident by this player: the opponent gains the penalty time, unless the game is lost by it.
    pub incident: Option<Color>,
}

/// Who has to do something next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A player.
    Player(Color),
    /// Whoever deals.
    Dealer,
    /// Nobody.
    Nobody,
}

/// One thing a player may do next that changes the board, and how the board stands after it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What would be done.
    pub action: Action,
    /// The board after it, in the pieces the table counts (not in stand-ins).
    pub after: Board,
}

/// What surrounds an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The record's line, from 1, for what names lines.
    pub line: u32,
    /// Whole seconds since the header, for blinds that rise by time.
    pub seconds: u64,
}

/// An arbiter's change to a running game; what a game does not have it refuses.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Another position (chess phase), a whole FEN.
    Position(String),
    /// Another player is to act.
    ToAct(Color),
    /// Other chips.
    Stakes(Stakes),
    /// What only this game has.
    Own(OwnChange),
}

/// What an arbiter's change that only one game has must tell about itself.
pub trait ChangeData: Any + fmt::Debug + Send + Sync {
    /// What it sets, as a ruling's `set` has it.
    fn fields(&self) -> Group;
}

own! {
    /// An arbiter's change that only one game has; that game alone looks inside.
    OwnChange of ChangeData
}

/// The stage of a game, as every front shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Cards are to be dealt.
    Deal,
    /// Bets are made.
    Bet,
    /// Pieces are placed.
    Place,
    /// Chess is played.
    Chess,
    /// A clock without a game.
    Clock,
    /// A stage that only one game has, by its name.
    Own(&'static str),
    /// The game has a result.
    Over,
    /// The match has one.
    MatchOver,
}

impl Phase {
    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::Bet => "bet",
            Self::Place => "place",
            Self::Chess => "chess",
            Self::Clock => "clock",
            Self::Own(word) => word,
            Self::Over => "over",
            Self::MatchOver => "match-over",
        }
    }
}

/// One game from its deal to its result: what every game has. The rest are capabilities.
pub trait Game: fmt::Debug + Send + Sync {
    /// A copy, for looking ahead and for checkpoints.
    fn boxed(&self) -> Box<dyn Game>;
    /// Does an action. On `Err` the game is exactly as it was.
    fn apply(&mut self, action: &Action, context: Context) -> Result<Done, Violation>;
    /// Ends the turn of a player who has acted.
    fn end_turn(&mut self);
    /// Whose turn it is on the clock.
    fn turn(&self) -> Turn;
    /// Who has to do something next.
    fn to_act(&self) -> Actor;
    /// The stage.
    fn phase(&self) -> Phase;
    /// How it ended, if it did.
    fn outcome(&self) -> Option<Outcome>;
    /// Ends it, or gives an ended game another result; chips follow.
    fn end(&mut self, outcome: Outcome);
    /// This player's time ran out: how the game ends by that.
    fn flag_outcome(&self, fallen: Color) -> Outcome;
    /// Whether a flag decides nothing but the clock itself, as where there is no game.
    fn plays_on_after_flag(&self) -> bool {
        false
    }
    /// Whether it is played on a board at all; of a game without one nobody says how the board should stand.
    fn has_board(&self) -> bool {
        true
    }
    /// An arbiter's change.
    fn change(&mut self, change: &Change) -> Result<(), Violation>;
    /// All changes of a ruling that names no winner are made: what follows from them together.
    fn after_ruling(&mut self) {}
    /// Whether this game counts for the match (a fouled deal does not).
    fn counts(&self) -> bool {
        true
    }
    /// The board as it should stand now, unfinished turns included.
    fn board(&self) -> Board;
    /// What the player to act may do next on the board.
    fn candidates(&self) -> Vec<Candidate>;
    /// What the player to act may do next that leaves this board, and perhaps more that does not. A game where one
    /// action changes too much for all of them to be listed searches from the board.
    fn candidates_for(&self, _seen: &Board) -> Vec<Candidate> {
        self.candidates()
    }
    /// All that would be accepted now.
    fn offers(&self) -> Vec<Offer>;
    /// What comes next, for the players, in one sentence.
    fn prompt(&self) -> Sentence;
    /// What its result has besides that of every game, in the record's names. A name that every game's result has is
    /// this game's then.
    fn own_report(&self) -> Group {
        Group::new()
    }
    /// Its stages, if it has several.
    fn stages(&self) -> Option<Stages> {
        None
    }
    /// Its points, if points are won in it.
    fn score(&self) -> Option<Score> {
        None
    }
    /// Its chips, if it is played for chips.
    fn betting(&self) -> Option<&dyn Betting> {
        None
    }
    /// Its cards, if it has any.
    fn cards(&self) -> Option<&dyn Cards> {
        None
    }
    /// Its placement, if pieces are placed in it; in every stage of such a game.
    fn placement(&self) -> Option<&dyn Placement> {
        None
    }
    /// Its chess, once chess is played in it.
    fn chess(&self) -> Option<&dyn ChessPhase> {
        None
    }
}

impl dyn Game + '_ {
    /// The chips; none in a game without.
    pub fn stakes(&self) -> Stakes {
        self.betting().map(Betting::stakes).unwrap_or_default()
    }

    /// Whether a player has to decide within `bet_ms`.
    pub fn decides(&self) -> Option<Color> {
        self.betting()?.decides()
    }
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
