//! Capabilities that only some games have. Each capability is a small trait. A game returns a capability only if it
//! supports it.
//!
//! Screens, record and table ask for a capability; they never check which game is played.

mod deals;
mod laying;

use tabiya_types::{ByColor, Card, Color, Fact, Sentence, Square, Squares, say};

pub use deals::SquareDeals;
pub use laying::{CardPlace, CardSource, CardSpot, CardTravel, CardsDue, HiddenFaces, Laying};

use super::action::{Action, PieceAnnouncement, Place};
use super::betting::BetDue;
use super::cards::HandName;
use super::chips::Chips;
use super::outcome::Reason;
use super::stakes::Stakes;
use super::uci::Uci;

/// The capability of a game in which players bet chips.
pub trait Betting {
    /// The present stacks, contributions and awards.
    fn stakes(&self) -> Stakes;
    /// The bet that a player has to make now; `None` outside a betting round.
    fn due(&self) -> Option<BetDue>;
    /// The player who has to bet within the agreed time `bet_ms`; `None` if no bet is due.
    fn bettor_on_time(&self) -> Option<Color>;
    /// The blinds that this game posts, if its first cards are dealt this many seconds after the start of the match;
    /// after that deal, the blinds that it posted. A player with fewer chips posts the whole stack.
    fn blinds(&self, seconds: u64) -> ByColor<Chips>;
    /// What of the terms changes from game to game and was in force in this one, in words; `None` before its first cards are
    /// dealt, and if nothing changes.
    fn in_force(&self) -> Option<Sentence> {
        None
    }
    /// The action that the table takes for a player whose time for a bet has run out.
    fn default_action(&self) -> Option<Action>;
}

/// The capability of a game with cards. All methods report public information only. A game whose cards are not
/// the five faces of [`Card`] implements only the last methods.
pub trait Cards {
    /// The players who get the cards of the street that is dealt next, in order; empty if no cards are to be dealt.
    fn deal_order(&self) -> &'static [Color] {
        &[]
    }
    /// The cards that this player has turned over, in the order in which they were turned over.
    fn shown(&self, _of: Color) -> Vec<ShownCard> {
        Vec::new()
    }
    /// The pieces that this player can still place, computed from public information.
    fn possible_pieces(&self, _of: Color) -> Vec<Card> {
        Vec::new()
    }
    /// This player's hand, once all five of its cards have been shown.
    fn hand(&self, _of: Color) -> Option<ShownHand> {
        None
    }
    /// The die, in a game that is played with one.
    fn die(&self) -> Option<DieOnTable> {
        None
    }
    /// The heaps of cards on the table, with their visible and hidden cards, except cards that become pieces.
    fn heaps(&self) -> Vec<Heap> {
        Vec::new()
    }
}

/// The capability of a game in which pieces are placed on the board one by one.
pub trait Placement {
    /// The squares on which the open card may be placed; empty once it has been placed.
    fn open_squares(&self) -> Vec<Square>;
    /// The pieces that the open card may be placed as, each with its ranks in words; empty once it has been placed.
    fn open_places(&self) -> Vec<(Card, Sentence)>;
    /// The announcement that the rules require for a placement that has not been made yet.
    fn announcement(&self, place: &Place) -> Option<PieceAnnouncement>;
    /// Describes the last placement: its player, its piece and the announcement that the rules require. `None` if
    /// that placement is already final, or if its piece is the one on the card.
    fn announced(&self) -> Option<(Color, Card, PieceAnnouncement)>;
    /// The corrections of wrongly placed pieces. Each entry has the number of the record's line with the correction,
    /// counted from 1, and the player whose piece was wrong.
    fn incidents(&self) -> Vec<(u32, Color)>;
}

/// The capability of a game in which chess is played.
pub trait ChessPhase {
    /// The square of the king in check, if one is in check.
    fn check(&self) -> Option<Square>;
    /// The present position as a complete FEN.
    fn fen(&self) -> String;
    /// The legal moves that a text in SAN can mean. If no legal move fits, the illegal move that it means: of the first
    /// piece of that kind. Empty if the text is not SAN or there is no such piece.
    fn read_san(&self, text: &str) -> Vec<Uci>;
    /// The move number and the SAN of a move that is legal now; `None` for any other move.
    fn in_san(&self, uci: Uci) -> Option<(u32, String)>;
    /// The from square and the to square of the last move; empty before the first move.
    fn last_move(&self) -> Vec<Square>;
    /// The start position as a complete FEN.
    fn start_fen(&self) -> &str;
    /// The moves so far, in UCI notation.
    fn moves(&self) -> Vec<String>;
    /// How many moves have been made so far.
    fn move_count(&self) -> usize {
        self.moves().len()
    }
    /// Whether the side to move can claim a draw in the present position: it occurred three times, or fifty moves were made
    /// without a capture or a pawn move (Laws of Chess, 9.2 and 9.3).
    fn claimable(&self) -> bool;
    /// Whether it is doubtful that this side can mate by any series of legal moves: no pawn can move, nothing can be captured, and
    /// its other pieces alone cannot mate (Laws of Chess, 5.2.2 and 6.9). It decides nothing; the arbiter is asked.
    fn may_be_dead(&self, _winner: Color) -> bool {
        false
    }
    /// The complete score sheet.
    fn score(&self) -> ChessScore;
}

/// The capability of a game in which the cards under the players' pieces form poker hands, turn by turn.
pub trait PokerHands {
    /// The hands that would count if the present turn ended with the present position.
    fn now(&self) -> TurnHands;
    /// The hands that have been decided, the oldest first.
    fn decided(&self) -> Vec<TurnHands>;
    /// How many turns have had a hand.
    fn count(&self) -> usize;
    /// The hands that were decided last.
    fn last(&self) -> Option<TurnHands>;
    /// The deal in one line: its name, or its cards in the order of the record.
    fn deal(&self) -> String;
    /// How the chess ended; `None` while it goes on, and in a game that ended in another way.
    fn ended_by(&self) -> Option<Reason>;
    /// The hands that would count after each legal move, if the turn ended then. Empty while nobody has to move.
    fn after_moves(&self) -> Vec<(Uci, TurnHands)>;
}

/// The stages of a game in their printed order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stages {
    /// The names of the stages; a name may occur several times.
    pub names: &'static [&'static str],
    /// The index of the present stage. A game that is over keeps the stage that it reached.
    pub now: usize,
}

/// The plays of a game whose plays are not all chess moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayList<'a> {
    /// The player who made the first play; the players take turns.
    pub first: Color,
    /// The plays so far: moves in SAN, other plays as the results list them.
    pub plays: &'a [String],
    /// The moves among them in SAN, one list for each position from which only moves follow.
    pub legs: &'a [ChessLeg],
}

/// A play as a score sheet has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetEntry {
    /// The number of the move.
    pub number: u32,
    /// Who plays.
    pub by: Color,
    /// A move in SAN, or another play in words.
    pub played: Fact,
}

impl SheetEntry {
    /// The entry with its number: `1. e4`, `1… e5`.
    pub fn sentence(self) -> Sentence {
        let Self { number, by, played } = self;
        match by {
            Color::White => say!("log-move-white", "{number}. {san}", number, san = played),
            Color::Black => say!("log-move-black", "{number}… {san}", number, san = played),
        }
    }
}

/// The points in a game that counts points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The points of each player.
    pub points: ByColor<u32>,
    /// How many points win the game; `None` if points alone do not win it.
    pub wins: Option<Goal>,
}

/// The points that a player needs to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The player who reaches this many points wins.
    Total(u32),
    /// A player wins as soon as he has this many points more than the opponent.
    Lead(u32),
}

/// Cards that lie together in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heap {
    /// The place where the heap lies.
    pub place: HeapPlace,
    /// The faces that everybody has seen, in their order, as the record spells them.
    pub up: Vec<String>,
    /// The number of further cards whose faces are hidden from at least one player.
    pub down: u32,
}

/// The die of a game: who has it, and what lies on top in this turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DieOnTable {
    /// The player who has the die.
    pub owner: Color,
    /// The number that was thrown in this turn, 1 to 6.
    pub thrown: Option<u8>,
}

/// A place where cards lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapPlace {
    /// The cards are in this player's hand.
    Hand(Color),
    /// The cards lie in front of this player, who may use them.
    Before(Color),
    /// The cards lie in front of this player, who has won them.
    Won(Color),
    /// The cards lie between the players, for both of them.
    Middle,
    /// The cards belong to this square of the board, whichever piece stands on it.
    Under(Square),
    /// The cards are in the stock, from which players draw.
    Stock,
    /// The cards are out of play.
    Used,
}

/// A card that everybody has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownCard {
    /// The face of the card.
    pub card: Card,
    /// The piece that the card was placed as; `None` while the card only lies open.
    pub piece: Option<Card>,
    /// The square on which the piece was placed.
    pub at: Option<Square>,
}

/// A hand that everybody has seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownHand {
    /// The letters of the five faces, in the record's order.
    pub cards: String,
    /// The name of the hand.
    pub name: HandName,
    /// The letters of the five pieces that the hand became, in the record's order.
    pub pieces: String,
}

/// All sets of pieces that may form a player's hand: some pieces that every set has, and a number of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceSets {
    /// The squares of the pieces that every set has.
    pub all: Squares,
    /// The other squares of the sets: how many of which. There are at most two entries, the higher kind of piece first.
    pub some: Vec<(usize, Squares)>,
}

/// The poker hands of both players in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnHands {
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The hand of each player.
    pub hands: ByColor<FormedHand>,
    /// The player with the higher hand; `None` if the hands are equal.
    pub winner: Option<Color>,
}

/// A poker hand that a player's pieces form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormedHand {
    /// The letters of the ranks in the order in which they are compared; empty without a card.
    pub cards: String,
    /// The record's name of the hand.
    pub name: &'static str,
    /// The name of the hand as players say it.
    pub kind: Sentence,
    /// The squares whose cards form the hand, from a1 to h8.
    pub squares: Vec<Square>,
}

impl FormedHand {
    /// The hand for people: its cards and its name.
    pub fn sentence(&self) -> Sentence {
        let (cards, kind) = (self.cards.clone(), self.kind.clone());
        if cards.is_empty() { kind } else { say!("formed-hand", "{cards} ({kind})", cards, kind) }
    }
}

/// The contents of a chess score sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessScore {
    /// The start position as a complete FEN.
    pub start_fen: String,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// The moves in SAN, one list for each start position. A new list begins when an arbiter sets another position.
    pub legs: Vec<ChessLeg>,
}

/// A sequence of moves from one start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChessLeg {
    /// The start position of this sequence as a complete FEN.
    pub start_fen: String,
    /// The moves of this sequence in SAN.
    pub san: Vec<String>,
}
