//! What is done in a game, as values.
//!
//! The actions that several games share are typed here, once for all of them; what only one game has
//! is its own ([`OwnAction`]). Source: record, "Lines". How a line spells an action is the record's matter.

use std::any::Any;
use std::fmt;

use tabiya_types::{ByColor, Card, Color, Role, Sentence, Square, say};

use super::bet::Bet;
use super::datum::Group;
use super::own::own;
use super::play_action::PlayAction;
use super::verb::Verb;

/// A card as dealt: `None` where nobody knows it. It is a secret until it is turned over, so that no log
/// and no failing assertion shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dealt<Face = Card>(pub Option<Face>);

impl<Face> fmt::Debug for Dealt<Face> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("?")
    }
}

/// What a reader or a dealer knows of the cards of a street: per colour those cards in the order dealt, or nothing.
pub type DealtCards = ByColor<Option<Vec<Dealt>>>;

/// The same as the record spells it, whatever the faces are: `?` where one is not known.
pub type Faces = ByColor<Option<Vec<String>>>;

/// The word that goes with a changed piece (rule 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Says {
    /// The piece is worth more than the face.
    Promoted,
    /// The piece is worth less than the face.
    Demoted,
    /// One of each.
    Palace,
    /// Three of a kind and a pair.
    Empress,
}

impl Says {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Promoted, Self::Demoted, Self::Palace, Self::Empress];

    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Demoted => "demoted",
            Self::Palace => "palace",
            Self::Empress => "empress",
        }
    }

    /// The same as it is said at the table.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Promoted => say!("says-promoted", "promoted"),
            Self::Demoted => say!("says-demoted", "demoted"),
            Self::Palace => say!("says-palace", "palace"),
            Self::Empress => say!("says-empress", "empress"),
        }
    }

    /// The meaning of a record's word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|says| says.word() == word)
    }
}

/// A card turned over in placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reveal {
    /// Whose.
    pub by: Color,
    /// Its face.
    pub card: Card,
    /// Whether a reader read it, where that is known.
    pub read: Option<bool>,
    /// Which of the deck's equal cards, if a reader knows.
    pub copy: Option<u64>,
}

/// A piece put on the board in placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Whose.
    pub by: Color,
    /// What the card is played as.
    pub piece: Card,
    /// Where.
    pub at: Square,
    /// The announced change.
    pub says: Option<Says>,
    /// The physical piece standing in.
    pub stands: Option<Role>,
}

impl Place {
    /// A piece that stands for itself, put down without a word.
    pub fn new(by: Color, piece: Card, at: Square) -> Self {
        Self { by, piece, at, says: None, stands: None }
    }
}

/// A false piece becomes the right one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correct {
    /// A player; `None` is the arbiter.
    pub by: Option<Color>,
    /// Where the false piece was placed.
    pub at: Square,
    /// The right piece.
    pub piece: Card,
    /// Where it goes, if not there.
    pub on: Option<Square>,
    /// Why.
    pub reason: Option<String>,
}

/// What is done in a game. Cheap to clone.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// The street's cards lie on the table.
    Deal(DealtCards),
    /// A bet.
    Bet {
        /// Whose.
        by: Color,
        /// What.
        bet: Bet,
    },
    /// A card is turned over.
    Reveal(Reveal),
    /// Its piece is put on the board.
    Place(Place),
    /// A false piece becomes the right one.
    Correct(Correct),
    /// A fouled deck or deal.
    Fouled {
        /// A player; `None` is the arbiter.
        by: Option<Color>,
        /// Why.
        reason: String,
    },
    /// An action of the chess phase.
    Play(PlayAction),
    /// What only one game has.
    Own(OwnAction),
}

impl Action {
    /// The shared word it goes by; `None` for what only one game has.
    pub fn verb(&self) -> Option<Verb> {
        self.verb_or_own_word().ok()
    }

    /// The record's word, for the sentences that quote it.
    pub fn word(&self) -> &'static str {
        self.verb_or_own_word().map_or_else(|own| own, Verb::word)
    }

    fn verb_or_own_word(&self) -> Result<Verb, &'static str> {
        Ok(match self {
            Self::Deal(_) => Verb::Deal,
            Self::Bet { .. } => Verb::Bet,
            Self::Reveal(_) => Verb::Reveal,
            Self::Place(_) => Verb::Place,
            Self::Correct(_) => Verb::Correct,
            Self::Fouled { .. } => Verb::Fouled,
            Self::Play(play) => play.verb(),
            Self::Own(own) => return Err(own.word()),
        })
    }

    /// Whose it is, where it is one player's.
    pub fn by(&self) -> Option<Color> {
        match self {
            Self::Deal(_) => None,
            Self::Bet { by, .. } => Some(*by),
            Self::Reveal(reveal) => Some(reveal.by),
            Self::Place(place) => Some(place.by),
            Self::Correct(Correct { by, .. }) | Self::Fouled { by, .. } => *by,
            Self::Play(play) => Some(play.player()),
            Self::Own(own) => own.by(),
        }
    }

    /// Whether it is part of a timed turn: such a line by the other player counts as a press.
    pub fn takes_turn(&self) -> bool {
        match self {
            Self::Reveal(_) | Self::Place(_) | Self::Play(PlayAction::Move { .. }) => true,
            Self::Deal(_) | Self::Bet { .. } | Self::Correct(_) | Self::Fouled { .. } | Self::Play(_) => {
                false
            }
            Self::Own(own) => own.takes_turn(),
        }
    }

    /// Whether it has to wait while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Deal(_) | Self::Bet { .. } => true,
            Self::Own(own) => own.waits_while_paused(),
            Self::Reveal(_) | Self::Place(_) | Self::Correct(_) | Self::Fouled { .. } | Self::Play(_) => {
                self.takes_turn()
            }
        }
    }

    /// Whether it changes what stands on the board, so that a board can show it.
    pub fn changes_board(&self) -> bool {
        match self {
            Self::Reveal(_) => false,
            Self::Own(own) => own.changes_board(),
            Self::Deal(_)
            | Self::Bet { .. }
            | Self::Place(_)
            | Self::Correct(_)
            | Self::Fouled { .. }
            | Self::Play(_) => true,
        }
    }

    /// The physical piece said to stand in, if any.
    pub fn stand_in(&self) -> Option<Role> {
        match self {
            Self::Place(place) => place.stands,
            Self::Play(PlayAction::Move { stands, .. }) => *stands,
            Self::Own(own) => own.stand_in(),
            Self::Deal(_)
            | Self::Bet { .. }
            | Self::Reveal(_)
            | Self::Correct(_)
            | Self::Fouled { .. }
            | Self::Play(_) => None,
        }
    }

    /// Whether it puts right what somebody did falsely.
    pub fn mends_a_fault(&self) -> bool {
        match self {
            Self::Correct(_) => true,
            Self::Own(own) => own.mends_a_fault(),
            Self::Deal(_)
            | Self::Bet { .. }
            | Self::Reveal(_)
            | Self::Place(_)
            | Self::Fouled { .. }
            | Self::Play(_) => false,
        }
    }

    /// How it reads in the story of a game: `White raises to 6`.
    pub fn tell(&self) -> Sentence {
        match self {
            Self::Deal(_) => say!("tell-deal", "the cards are dealt"),
            Self::Bet { by, bet } => tell_bet(*by, *bet),
            Self::Reveal(Reveal { by, card, .. }) => {
                say!("tell-reveal", "{by} turns a {card} over", by = *by, card = *card)
            }
            Self::Place(place) => tell_place(*place),
            Self::Correct(correct) => tell_correct(correct),
            Self::Fouled { reason, .. } => {
                say!("tell-fouled", "the deal is fouled: {reason}", reason = reason.clone())
            }
            Self::Play(play) => play.tell(),
            Self::Own(own) => own.tell(),
        }
    }
}

fn tell_bet(by: Color, bet: Bet) -> Sentence {
    match bet {
        Bet::Fold => say!("tell-fold", "{by} folds", by),
        Bet::Check => say!("tell-check", "{by} checks", by),
        Bet::Call => say!("tell-call", "{by} calls", by),
        Bet::Raise(to) => say!("tell-raise", "{by} raises to {to}", by, to),
        Bet::AllIn => say!("tell-all-in", "{by} is all-in", by),
    }
}

fn tell_place(Place { by, piece, at, says, .. }: Place) -> Sentence {
    match says.map(Says::sentence) {
        None => say!("tell-place", "{by} places a {piece} on {at}", by, piece, at),
        Some(says) => say!("tell-place-says", "{by} places a {piece} on {at}, {says}", by, piece, at, says),
    }
}

fn tell_correct(Correct { at, piece, on, reason, .. }: &Correct) -> Sentence {
    let (at, piece, on) = (*at, *piece, on.unwrap_or(*at));
    match reason.clone() {
        Some(reason) => say!(
            "tell-correct-because",
            "the piece on {at} becomes a {piece} on {on}: {reason}",
            at,
            piece,
            on,
            reason
        ),
        None => say!("tell-correct", "the piece on {at} becomes a {piece} on {on}", at, piece, on),
    }
}

/// What an action that only one game has must tell about itself.
pub trait ActionData: Any + fmt::Debug + Send + Sync {
    /// The record's word.
    fn word(&self) -> &'static str;
    /// Whose it is, where it is one player's.
    fn by(&self) -> Option<Color>;
    /// Its fields but `by`, in the record's order.
    fn fields(&self) -> Group;
    /// Whether it is part of a timed turn: such a line by the other player counts as a press.
    fn takes_turn(&self) -> bool;
    /// Whether it has to wait while the game is paused.
    fn waits_while_paused(&self) -> bool;
    /// Whether it changes what stands on the board.
    fn changes_board(&self) -> bool;
    /// The physical piece said to stand in, if any.
    fn stand_in(&self) -> Option<Role> {
        None
    }
    /// Whether it puts right what somebody did falsely.
    fn mends_a_fault(&self) -> bool {
        false
    }
    /// The hidden cards that it tells of. They stay sealed until they are shown; its word is `deal` then, and its
    /// field `cards` has them by colour.
    fn deals(&self) -> Option<Faces> {
        None
    }
    /// The hidden cards that it turns over: whose each is, and its face as the record spells it.
    fn shows(&self) -> Vec<(Color, String)> {
        Vec::new()
    }
    /// How it reads in the story of a game.
    fn tell(&self) -> Sentence;
}

own! {
    /// An action that only one game has; that game alone looks inside.
    OwnAction of ActionData
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dealt_card_is_printed_by_no_debug() {
        let cards = |faces: [Option<Card>; 2]| Some(faces.map(Dealt).to_vec());
        let deal = Action::Deal(ByColor {
            white: cards([Some(Card::Queen), Some(Card::Rook)]),
            black: cards([Some(Card::Knight), None]),
        });
        let shown = format!("{deal:?} {deal:#?}");
        assert!(shown.contains('?'), "{shown}");
        for name in ["Queen", "Rook", "Knight"] {
            assert!(!shown.contains(name), "{shown}");
        }
    }
}
