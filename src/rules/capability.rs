//! What only some games have: each is a small trait that a game hands out if it has it.
//!
//! Screens, the record and the table ask for the capability, never which game it is.

use tabiya_types::{ByColor, Card, Color, Square};

use super::action::{Action, Place, Says};
use super::betting::BetDue;
use super::cards::HandName;
use super::stakes::Stakes;
use super::uci::Uci;

/// Chips are put in and won.
pub trait Betting {
    /// The chips.
    fn stakes(&self) -> Stakes;
    /// The bet that is due, if one is.
    fn due(&self) -> Option<BetDue>;
    /// Who has to decide within `bet_ms`, if anybody has.
    fn decides(&self) -> Option<Color>;
    /// What the table does for a player whose time to decide ran out.
    fn default_action(&self) -> Option<Action>;
}

/// Cards are dealt, turned over or lie on the table. Only public things are told. A game whose cards are not the five
/// of [`Card`] tells its [`Heap`]s alone.
pub trait Cards {
    /// Whose each card of the street is that waits for its cards, in the order dealt; empty where none is due.
    fn deal_order(&self) -> &'static [Color] {
        &[]
    }
    /// The cards that this player has turned over, in their order.
    fn shown(&self, _of: Color) -> Vec<ShownCard> {
        Vec::new()
    }
    /// The pieces that a player can still show, from what everybody has seen.
    fn still_to_come(&self, _of: Color) -> Vec<Card> {
        Vec::new()
    }
    /// A player's hand, once everybody has seen all of it.
    fn hand(&self, _of: Color) -> Option<ShownHand> {
        None
    }
    /// Where cards lie that are not a player's pieces to be: open ones and hidden ones.
    fn heaps(&self) -> Vec<Heap> {
        Vec::new()
    }
}

/// Pieces are put on the board one by one.
pub trait Placement {
    /// Where the open card may go, as long as it went nowhere.
    fn open_squares(&self) -> Vec<Square>;
    /// The word that the rules want said with this placement, before it is done.
    fn announcement(&self, place: &Place) -> Option<Says>;
    /// What was placed last and is not final yet, if it is another piece than its card: whose, the piece,
    /// and the word that belongs to it.
    fn announced(&self) -> Option<(Color, Card, Says)>;
    /// False pieces that were put right: the record's line, and whose.
    fn incidents(&self) -> Vec<(u32, Color)>;
}

/// Moves of chess are made, from a position that is known.
pub trait ChessPhase {
    /// The king in check, if one is.
    fn check(&self) -> Option<Square>;
    /// The position as a whole FEN.
    fn fen(&self) -> String;
    /// The move that a text in SAN means now.
    fn read_san(&self, text: &str) -> Option<Uci>;
    /// From where to where the last move went.
    fn last_move(&self) -> Vec<Square>;
    /// The start position as a whole FEN.
    fn start_fen(&self) -> &str;
    /// The moves made, in UCI.
    fn moves(&self) -> Vec<String>;
    /// The whole score sheet.
    fn score(&self) -> ChessScore;
}

/// The stages of a game in their printed order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stages {
    /// Their names; one may stand several times.
    pub names: &'static [&'static str],
    /// Which of them this is; a game that is over keeps the one that it reached.
    pub now: usize,
}

/// Points are won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// What each has.
    pub points: ByColor<u32>,
    /// What wins by points alone, if anything does.
    pub wins: Option<Goal>,
}

/// How many points win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Who has so many.
    Total(u32),
    /// Who is so many ahead.
    Lead(u32),
}

/// Cards that lie together, whatever their faces are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heap {
    /// Where they lie.
    pub lies: Lies,
    /// The faces that everybody sees, as the record spells them, in their order.
    pub up: Vec<String>,
    /// How many there are besides whose faces not everybody has seen.
    pub down: u32,
}

/// Where cards lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// In this player's hand.
    Hand(Color),
    /// Before this player, to be used.
    Before(Color),
    /// Before this player, won.
    Won(Color),
    /// Between the players, for both.
    Middle,
    /// Under a square, whoever's piece stands there.
    Under(Square),
    /// To be drawn from.
    Stock,
    /// Out of play.
    Used,
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

/// A hand that everybody has seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownHand {
    /// The faces in the record's order.
    pub cards: String,
    /// Which rule it falls under.
    pub name: HandName,
    /// What they became, in the same order.
    pub pieces: String,
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
