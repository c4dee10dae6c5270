//! The seam between the table and its games: the few questions that every game answers.
//!
//! A new game is one module that implements [`Kind`], [`Agreed`] and [`Game`], and one line in
//! `rules/catalog.rs`. Nothing above this room asks which game it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::betting::BetDue;
use super::chips::Chips;
use super::text::{Fields, FormError};
use tabiya_types::{Board, ByColor, Card, Color, Role, Sentence, Square, say};

/// A list of games to choose from by their name in a header.
pub type Games = &'static [&'static dyn Kind];

/// A kind of game: what stands in a record before a match begins, and how its lines read.
pub trait Kind: Sync {
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
    /// Reads an action of this game; `None` if it has no such word.
    fn read(&self, verb: &str, fields: &mut Fields) -> Result<Option<Action>, FormError>;
}

/// Terms by name (ruling 3 in docs/rules.md).
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// As the record's `preset` has it.
    pub name: &'static str,
    /// The terms as the record has them, an object in JSON.
    pub terms: &'static str,
}

/// What a game needs to know when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// What each has before the blinds; no chips in games without.
    pub stacks: ByColor<Chips>,
    /// How many games that count were played before this one.
    pub games_before: u32,
    /// Whether a draw or a flag must be claimed (`voice: event`).
    pub claims: bool,
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

/// What an action of some game must tell about itself.
pub trait ActionData: Any + fmt::Debug + Send + Sync {
    /// The record's word.
    fn verb(&self) -> &'static str;
    /// Whose it is, where it is one player's.
    fn by(&self) -> Option<Color>;
    /// Its fields but `by`, in the record's order.
    fn fields(&self, fields: &mut Map<String, Value>);
    /// Whether it is part of a timed turn: such a line by the other player counts as a press.
    fn takes_turn(&self) -> bool;
    /// Whether it has to wait while the game is paused.
    fn waits_while_paused(&self) -> bool;
    /// The physical piece said to stand in, if any.
    fn stand_in(&self) -> Option<Role> {
        None
    }
    /// Whether it puts right what somebody did falsely.
    fn mends_a_fault(&self) -> bool {
        false
    }
    /// How it reads in the story of a game: `White raises to 6`.
    fn tell(&self) -> Sentence;
}

/// One action of some game. Cheap to clone.
#[derive(Clone)]
pub struct Action(Arc<dyn ActionData>);

impl Action {
    /// Wraps a game's own action.
    pub fn new(data: impl ActionData) -> Self {
        Self(Arc::new(data))
    }

    /// The game's own action, if it is of that type.
    pub fn of<T: ActionData>(&self) -> Option<&T> {
        let data: &dyn Any = &*self.0;
        data.downcast_ref()
    }
}

impl std::ops::Deref for Action {
    type Target = dyn ActionData;
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        let (mut mine, mut theirs) = (Map::new(), Map::new());
        self.fields(&mut mine);
        other.fields(&mut theirs);
        self.verb() == other.verb() && self.by() == other.by() && mine == theirs
    }
}

/// A broken rule: what was done, why it cannot be, and what to do. The table is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Violation {
    /// The variant's name, in words joined by `-`.
    pub rule: &'static str,
    /// What was done and why it cannot be.
    pub what: Sentence,
    /// What to do instead.
    pub next: Sentence,
    /// The squares involved.
    pub squares: Vec<Square>,
}

impl Violation {
    /// A broken rule that involves no square.
    pub fn new(rule: &'static str, what: Sentence, next: Sentence) -> Self {
        Self { rule, what, next, squares: Vec::new() }
    }

    /// The same, with the squares involved.
    #[must_use]
    pub fn at(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.squares.extend(squares);
        self
    }

    /// What, and what to do, as one sentence.
    pub fn sentence(&self) -> Sentence {
        say!("violation", "{what}; {next}", what = self.what.clone(), next = self.next.clone())
    }
}

/// What many refusals, and the prompts of most games, have to say.
pub(crate) fn game_over() -> Sentence {
    say!("game-over", "the game is over")
}

/// What is to be done after a result.
pub(crate) fn begin_next() -> Sentence {
    say!("game-over-next", "begin the next game with `next`")
}

/// What is to be done by a player who has acted.
pub(super) fn press_the_clock(by: Color) -> Sentence {
    say!("press-the-clock", "{by}: press the clock", by)
}

/// A line of another game; `what` says so.
pub(super) fn not_of_this_game(what: Sentence) -> Violation {
    Violation::new("not-of-this-game", what, say!("not-of-this-game-next", "leave it out"))
}

/// Why a game ended, with the record's words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Gave up the pot in betting.
    Fold,
    /// Mate.
    Checkmate,
    /// Time ran out.
    Timeout,
    /// Gave up in placement or chess.
    Resignation,
    /// No legal move, no check.
    Stalemate,
    /// The same position three times.
    Repetition,
    /// The same position five times.
    FivefoldRepetition,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Time ran out against a player who cannot mate.
    TimeoutVsInsufficientMaterial,
    /// Fifty moves without capture or pawn move, claimed.
    FiftyMoves,
    /// Seventy-five such moves.
    SeventyFiveMoves,
    /// Agreed.
    Agreement,
    /// The arbiter said so.
    Ruling,
    /// A second false piece.
    FalseDeclaration,
    /// The deck or the deal was wrong.
    FouledDeck,
}

impl Reason {
    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Checkmate => "checkmate",
            Self::Timeout => "timeout",
            Self::Resignation => "resignation",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FivefoldRepetition => "fivefold-repetition",
            Self::InsufficientMaterial => "insufficient-material",
            Self::TimeoutVsInsufficientMaterial => "timeout-vs-insufficient-material",
            Self::FiftyMoves => "fifty-moves",
            Self::SeventyFiveMoves => "seventy-five-moves",
            Self::Agreement => "agreement",
            Self::Ruling => "ruling",
            Self::FalseDeclaration => "false-declaration",
            Self::FouledDeck => "fouled-deck",
        }
    }

    /// The same for people.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Fold => say!("reason-fold", "fold"),
            Self::Checkmate => say!("reason-checkmate", "checkmate"),
            Self::Timeout => say!("reason-timeout", "timeout"),
            Self::Resignation => say!("reason-resignation", "resignation"),
            Self::Stalemate => say!("reason-stalemate", "stalemate"),
            Self::Repetition => say!("reason-repetition", "repetition"),
            Self::FivefoldRepetition => say!("reason-fivefold-repetition", "fivefold repetition"),
            Self::InsufficientMaterial => say!("reason-insufficient-material", "insufficient material"),
            Self::TimeoutVsInsufficientMaterial => {
                say!("reason-timeout-vs-insufficient-material", "timeout vs insufficient material")
            }
            Self::FiftyMoves => say!("reason-fifty-moves", "fifty moves"),
            Self::SeventyFiveMoves => say!("reason-seventy-five-moves", "seventy five moves"),
            Self::Agreement => say!("reason-agreement", "agreement"),
            Self::Ruling => say!("reason-ruling", "ruling"),
            Self::FalseDeclaration => say!("reason-false-declaration", "false declaration"),
            Self::FouledDeck => say!("reason-fouled-deck", "fouled deck"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` for a draw and for a game that does not count.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// This colour won.
    pub fn won(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// Nobody won.
    pub fn drawn(reason: Reason) -> Self {
        Self { winner: None, reason }
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

/// The chips of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stakes {
    /// What each has behind, what was won included.
    pub stacks: ByColor<Chips>,
    /// What each has put in; matched chips only once the game is over.
    pub contributed: ByColor<Chips>,
    /// What each got out.
    pub awarded: ByColor<Chips>,
}

impl Stakes {
    /// What lies in the pot.
    pub fn pot(&self) -> Chips {
        (self.contributed.white + self.contributed.black).less(self.awarded.white + self.awarded.black)
    }

    /// Chips that the other did not match go back.
    pub fn return_uncalled(&mut self) {
        for color in Color::ALL {
            let over = self.contributed[color].less(self.contributed[color.other()]);
            self.contributed[color] = self.contributed[color].less(over);
            self.stacks[color] += over;
        }
    }

    /// The pot goes to the winner, or each takes back what he put in. An award made before goes back
    /// first; where a ruling has taken some of those chips away since, it is so much smaller now.
    pub fn award(&mut self, winner: Option<Color>) {
        self.return_uncalled();
        let mut gone = ByColor::<Chips>::default();
        for color in Color::ALL {
            gone[color] = self.awarded[color].less(self.stacks[color]);
            self.stacks[color] = self.stacks[color].less(self.awarded[color]);
        }
        for color in Color::ALL {
            let got = match winner {
                Some(winner) if winner == color => self.contributed.white + self.contributed.black,
                Some(_) => Chips::ZERO,
                None => self.contributed[color],
            };
            self.awarded[color] = got;
            self.stacks[color] += got;
        }
        for color in Color::ALL {
            let payer = if self.stacks[color] >= gone[color] { color } else { color.other() };
            self.stacks[payer] = self.stacks[payer].less(gone[color]);
        }
    }
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

/// Something that would be accepted now, with a range where the record has one.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal {
    /// The record's word.
    pub verb: &'static str,
    /// Whose it would be, where it is one player's.
    pub by: Option<Color>,
    /// The other fields: a raise has `"to":[least,most]`, a placement `"at":[squares]`.
    pub fields: Map<String, Value>,
    /// Whether it is part of a timed turn, so that it counts as the press that the other did not give.
    pub takes_turn: bool,
}

impl Legal {
    /// A legal line without further fields.
    pub fn new(verb: &'static str, by: Option<Color>) -> Self {
        Self { verb, by, fields: Map::new(), takes_turn: false }
    }

    /// The same as part of a timed turn ([`ActionData::takes_turn`]).
    #[must_use]
    pub fn in_turn(mut self) -> Self {
        self.takes_turn = true;
        self
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }
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
}

/// One game from its deal to its result.
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
    /// The record's word for the stage.
    fn phase(&self) -> &'static str;
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
    /// Whose each card of the street is that waits for its cards, in the order dealt; empty where none is due.
    fn deal_order(&self) -> &'static [Color] {
        &[]
    }
    /// Whether it is played on a board at all; of a game without one nobody says how the board should stand.
    fn has_board(&self) -> bool {
        true
    }
    /// Whether a player has to decide within `bet_ms`.
    fn decides(&self) -> Option<Color> {
        None
    }
    /// What the table does for a player whose time to decide ran out.
    fn default_decision(&mut self) {}
    /// The chips.
    fn stakes(&self) -> Stakes {
        Stakes::default()
    }
    /// An arbiter's change.
    fn change(&mut self, change: &Change) -> Result<(), Violation>;
    /// Whether this game counts for the match (a fouled deal does not).
    fn counts(&self) -> bool {
        true
    }
    /// The board as it should stand now, unfinished turns included.
    fn board(&self) -> Board;
    /// What the player to act may do next on the board.
    fn candidates(&self) -> Vec<Candidate>;
    /// All that would be accepted now.
    fn legal(&self) -> Vec<Legal>;
    /// What comes next, for the players, in one sentence.
    fn prompt(&self) -> Sentence;
    /// Where the open card may go, as long as it went nowhere.
    fn open_squares(&self) -> Vec<Square> {
        Vec::new()
    }
    /// From where to where the last move went.
    fn last_move(&self) -> Vec<Square> {
        Vec::new()
    }
    /// The game's own keys of a result: `hands`, `start_fen`, `moves`, and what it adds.
    fn report(&self, report: &mut Map<String, Value>);
    /// The pieces that a player can still show, from what everybody has seen.
    fn still_to_come(&self, _: Color) -> Vec<Card> {
        Vec::new()
    }
    /// The bet that is due, if one is.
    fn bet_due(&self) -> Option<BetDue> {
        None
    }
    /// The cards that this player has turned over, in their order.
    fn cards(&self, _: Color) -> Vec<ShownCard> {
        Vec::new()
    }
    /// The stages of a game in their printed order, and which of them this is; a game that is over
    /// keeps the one that it reached.
    fn stages(&self) -> Option<(&'static [&'static str], usize)> {
        None
    }
    /// The word that the rules want said with this action, before it is done.
    fn announcement(&self, _: &Action) -> Option<&'static str> {
        None
    }
    /// What was placed last and is not final yet, if it is another piece than its card: whose, the piece,
    /// and the word that belongs to it.
    fn announced(&self) -> Option<(Color, Card, &'static str)> {
        None
    }
    /// The king in check, if one is.
    fn check(&self) -> Option<Square> {
        None
    }
    /// The position as a whole FEN, once there is one.
    fn fen(&self) -> Option<String> {
        None
    }
    /// The move that a text in SAN means now, as UCI.
    fn read_san(&self, _: &str) -> Option<String> {
        None
    }
    /// The start position and the moves of the chess phase, for PGN.
    fn chess(&self) -> Option<ChessScore> {
        None
    }
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A card that everybody has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownCard {
    /// Its face.
    pub card: Card,
    /// What it stands as; nothing while it lies open.
    pub piece: Option<Card>,
    /// Where that was placed.
    pub at: Option<Square>,
}

/// What a chess score sheet needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessScore {
    /// The whole FEN of the start position.
    pub start_fen: String,
    /// Whether castling is written in the Chess960 way.
    pub chess960: bool,
    /// The moves in UCI.
    pub moves: Vec<String>,
    /// The same moves in SAN; more than one leg where an arbiter set another position in between.
    pub legs: Vec<ChessLeg>,
}

/// Moves in a row from one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessLeg {
    /// The whole FEN of that position.
    pub start_fen: String,
    /// The moves in SAN.
    pub san: Vec<String>,
}
