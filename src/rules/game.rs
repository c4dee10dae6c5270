//! The traits that a game implements so that the table can play it.
//!
//! A new game is one module that implements [`GameKind`], [`Agreed`] and [`Game`], and one entry in
//! `rules/catalog.rs`. The table, the record and the screens never check which game is played.

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

/// A list of game kinds; a record's header selects one by its name.
pub type Games = &'static [&'static dyn GameKind];

/// A kind of game: its terms, and how its lines in a record are read.
pub trait GameKind: Sync {
    /// The name of the game in a record's header.
    fn name(&self) -> &'static str;
    /// The names of the terms that this game reads itself.
    fn terms(&self) -> &'static [&'static str];
    /// The names of its terms that a header must contain.
    fn required_terms(&self) -> &'static [&'static str];
    /// The names of its terms that the line `next` may change.
    fn terms_for_next(&self) -> &'static [&'static str] {
        &[]
    }
    /// Named sets of terms; the first is the usual one.
    fn presets(&self) -> &'static [Preset] {
        &[]
    }
    /// Whether the game consists only of a clock, without actions of its own.
    fn is_clock_only(&self) -> bool {
        false
    }
    /// Whether cards are turned over in the game, so that it can be played with cards that contain chips.
    fn turns_cards_over(&self) -> bool {
        false
    }
    /// Reads this game's own terms from the terms of a header.
    fn agree(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// The shared kinds of action that this game supports.
    fn verbs(&self) -> &'static [Verb];
    /// Reads an action that only this game has; `None` if the game has no action with this word.
    fn read_own(&self, _word: &str, _fields: &mut Fields) -> Result<Option<OwnAction>, FormError> {
        Ok(None)
    }
    /// Reads the fields of a ruling that only this game has; `None` if the ruling sets none of them. Fields that every
    /// game has are left for the caller.
    fn read_ruling(&self, _set: &mut Fields) -> Result<Option<OwnChange>, FormError> {
        Ok(None)
    }
    /// Whether the FEN of a ruling is well formed and playable by the rules of this game.
    fn reads_position(&self, fen: &str) -> bool;
}

/// A named set of terms (ruling 3 in docs/rules.md).
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset, as the record's term `preset` contains it.
    pub name: &'static str,
    /// Returns the terms of the preset in the record's form.
    pub terms: fn() -> Group,
}

/// The facts that a game needs when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The seat that has White.
    pub white: Seat,
    /// The chips of each player before the blinds; zero in a game without chips.
    pub stacks: ByColor<Chips>,
    /// The number of earlier games of the match that count.
    pub games_before: u32,
    /// Whether a repetition and a fallen flag must be claimed (`voice: event`).
    pub claims: bool,
}

impl Start {
    /// The seat that plays this colour.
    pub fn seat_of(self, color: Color) -> Seat {
        Seat::playing(color, self.white)
    }

    /// The colour that this seat plays.
    pub fn color_of(self, seat: Seat) -> Color {
        seat.color(self.white)
    }
}

/// A game's own terms, as agreed for the match.
pub trait Agreed: fmt::Debug + Send + Sync {
    /// These terms with the changes that the line `next` contains.
    fn changed(&self, terms: &mut Fields) -> Result<Arc<dyn Agreed>, FormError>;
    /// The chips that each seat starts with, A first.
    fn stacks(&self) -> [Chips; 2] {
        [Chips::ZERO; 2]
    }
    /// Begins a new game with these terms.
    fn begin(&self, start: Start) -> Box<dyn Game>;
    /// The terms in plain words for the match sheet, one line each.
    fn sheet(&self) -> Vec<Sentence>;
    /// Advice about a player's set of pieces (letters K Q R B N P) under these terms; it changes no term.
    fn inventory_advice(&self, _: Color, _: &str) -> Vec<Sentence> {
        Vec::new()
    }
}

/// The player whose clock runs, and what a press would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// No clock runs: during the deal, during betting, and after the game.
    Untimed,
    /// A player's clock runs.
    Timed {
        /// The player whose clock runs.
        by: Color,
        /// Whether the player has acted, so that a press would end the turn.
        acted: bool,
        /// Whether the turn is a chess move, which counts towards the moves of a time stage.
        counts: bool,
    },
}

/// The results of an accepted action besides the new state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Remarks for the reader of the record, such as a missing announcement.
    pub notes: Vec<Sentence>,
    /// The player who caused an incident. The opponent gains the penalty time, unless the incident loses the game.
    pub incident: Option<Color>,
}

/// Who has to act next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// This player has to act.
    Player(Color),
    /// The dealer has to deal.
    Dealer,
    /// No one has to act.
    Nobody,
}

/// A legal action that changes the board, and the board after it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The legal action.
    pub action: Action,
    /// The board after the action, as the table counts the pieces (not with stand-ins).
    pub after: Board,
}

/// Facts about the line that contains an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The number of the line in the record, from 1, for reports that refer to lines.
    pub line: u32,
    /// Whole seconds since the start of the record, for blinds that rise by time.
    pub seconds: u64,
}

/// A change that an arbiter's ruling makes to a running game. A game refuses a change that it does not support.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Sets another position in the chess phase, given as a complete FEN.
    Position(String),
    /// Gives the turn to this player.
    ToAct(Color),
    /// Sets the players' chips.
    Stakes(Stakes),
    /// A change that only one game has.
    Own(OwnChange),
}

/// The methods of a ruling's change that only one game has.
pub trait ChangeData: Any + fmt::Debug + Send + Sync {
    /// The fields that the change sets, as they appear in the `set` of a ruling.
    fn fields(&self) -> Group;
}

own! {
    /// A ruling's change that only one game has. The table passes it on; only that game reads its contents.
    OwnChange of ChangeData
}

/// The stage of a game, as every front shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The game waits for cards to be dealt.
    Deal,
    /// The players bet.
    Bet,
    /// The players place pieces.
    Place,
    /// The players play chess.
    Chess,
    /// A match with only a clock is running.
    Clock,
    /// A stage that only one game has, with its name.
    Own(&'static str),
    /// The game has a result.
    Over,
    /// The match is over.
    MatchOver,
}

impl Phase {
    /// The record's word for the stage.
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

/// One game from its first action to its result. Features that only some games have are capabilities.
pub trait Game: fmt::Debug + Send + Sync {
    /// A copy of the game, for looking ahead and for checkpoints.
    fn boxed(&self) -> Box<dyn Game>;
    /// Applies an action. On `Err` the game is unchanged.
    fn apply(&mut self, action: &Action, context: Context) -> Result<Done, Violation>;
    /// Ends the turn of a player who has acted.
    fn end_turn(&mut self);
    /// The player whose clock runs, and what a press would do.
    fn turn(&self) -> Turn;
    /// Who has to act next.
    fn to_act(&self) -> Actor;
    /// The present stage of the game.
    fn phase(&self) -> Phase;
    /// The outcome; `None` while the game is running.
    fn outcome(&self) -> Option<Outcome>;
    /// Ends the game with this outcome, or replaces the outcome of an ended game; the chips are awarded accordingly.
    fn end(&mut self, outcome: Outcome);
    /// The outcome if this player's flag falls.
    fn flag_outcome(&self, fallen: Color) -> Outcome;
    /// Whether the game goes on after a flag has fallen until no clock runs, as in a match with only a clock.
    fn continues_after_flag(&self) -> bool {
        false
    }
    /// Whether the game is played on a board. Without one, the program never says how the pieces should stand.
    fn has_board(&self) -> bool {
        true
    }
    /// Applies one change of an arbiter's ruling.
    fn change(&mut self, change: &Change) -> Result<(), Violation>;
    /// Called once after all changes of a ruling that names no winner; the game can draw its conclusions from them.
    fn after_ruling(&mut self) {}
    /// Whether this game counts for the match; a fouled deal does not count.
    fn counts(&self) -> bool {
        true
    }
    /// The board as it should be now, including an unfinished turn.
    fn board(&self) -> Board;
    /// The legal actions of the player to act that change the board.
    fn candidates(&self) -> Vec<Candidate>;
    /// The legal actions that lead to the board `seen`, and possibly others. A game with too many legal actions to
    /// list overrides this method and derives the actions from that board.
    fn candidates_for(&self, _seen: &Board) -> Vec<Candidate> {
        self.candidates()
    }
    /// All actions that the game would accept now.
    fn offers(&self) -> Vec<Offer>;
    /// What the players have to do next, in one sentence.
    fn prompt(&self) -> Sentence;
    /// Additional members of this game's results, with the record's names. A member with a name that every game's
    /// results have replaces that value.
    fn own_report(&self) -> Group {
        Group::new()
    }
    /// The stages of the game; `None` if it has only one.
    fn stages(&self) -> Option<Stages> {
        None
    }
    /// The points of the game; `None` if no points are counted.
    fn score(&self) -> Option<Score> {
        None
    }
    /// The betting capability; `None` if the game has no chips.
    fn betting(&self) -> Option<&dyn Betting> {
        None
    }
    /// The cards capability; `None` if the game has no cards.
    fn cards(&self) -> Option<&dyn Cards> {
        None
    }
    /// The placement capability, in every stage of a game with a placement phase; otherwise `None`.
    fn placement(&self) -> Option<&dyn Placement> {
        None
    }
    /// The chess capability; `None` before the chess phase and in a game without chess.
    fn chess(&self) -> Option<&dyn ChessPhase> {
        None
    }
}

impl dyn Game + '_ {
    /// The chips of the players; zero in a game without chips.
    pub fn stakes(&self) -> Stakes {
        self.betting().map(Betting::stakes).unwrap_or_default()
    }

    /// The player who has to bet within the agreed time `bet_ms`; `None` if no bet is due.
    pub fn bettor_on_time(&self) -> Option<Color> {
        self.betting()?.bettor_on_time()
    }
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
