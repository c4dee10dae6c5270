//! The seam between the table and its games: the few questions that every game answers.
//!
//! A new game is one module that implements [`Kind`], [`Agreed`] and [`Game`], and one line in
//! `rules/catalog.rs`. Nothing above this room asks which game it is.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::action::{Action, OwnAction, Verb};
use super::capability::{Betting, Cards, ChessPhase, Placement, Score, Stages};
use super::chips::Chips;
use super::datum::Group;
use super::fields::{Fields, FormError};
use super::offer::Offer;
use super::own::own;
use super::play::Play;
use tabiya_types::{Board, ByColor, Color, Seat, Sentence, Square, say};

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
    /// Whether a ruling may set this position, as far as its form tells: a whole FEN, by the rules of chess unless
    /// the game has others.
    fn reads_position(&self, fen: &str) -> bool {
        Play::from_fen(fen, true, false).is_ok()
    }
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
        match color {
            Color::White => self.white,
            Color::Black => self.white.other(),
        }
    }

    /// The colour that a seat plays.
    pub fn color_of(self, seat: Seat) -> Color {
        if seat == self.white { Color::White } else { Color::Black }
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

/// A ruling of another game.
pub(super) fn no_such_change() -> Violation {
    not_of_this_game(say!("no-such-change", "the ruling sets something that this game does not have"))
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
    /// What ends only one game.
    Own(OwnReason),
}

/// A reason that only one game has. Two are the same if their words are.
#[derive(Clone, Copy)]
pub struct OwnReason {
    /// The record's word.
    pub word: &'static str,
    /// The same for people.
    pub sentence: fn() -> Sentence,
}

impl PartialEq for OwnReason {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for OwnReason {}

impl Hash for OwnReason {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.word.hash(to);
    }
}

impl fmt::Debug for OwnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
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
            Self::Own(own) => own.word,
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
            Self::Own(own) => (own.sentence)(),
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
