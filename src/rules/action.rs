//! The actions of a game, as values.
//!
//! An action that several games share has a type here; an action that only one kind of game has is an [`OwnAction`].
//! Source: `docs/record.md`, "What a line may be". The record module decides how a line spells an action.

use std::any::Any;
use std::fmt;

use tabiya_types::{ByColor, Card, Color, Role, Sentence, Square, say};

use super::bet::Bet;
use super::datum::Group;
use super::own::own;
use super::play_action::PlayAction;
use super::verb::Verb;

/// A card as dealt; `None` if its face is not known. The face is secret until the card is turned over, so
/// `Debug` prints `?` and no log or failed assertion reveals it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dealt<Face = Card>(pub Option<Face>);

impl<Face> fmt::Debug for Dealt<Face> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("?")
    }
}

/// The known cards of one street: for each colour the cards in the order dealt, or `None` if nothing is known.
pub type DealtCards = ByColor<Option<Vec<Dealt>>>;

/// The known cards of one street as the record spells them, for any deck; `?` stands for an unknown face.
pub type Faces = ByColor<Option<Vec<String>>>;

/// The announcement for a piece that differs from its card (printed rule 10 in `docs/rules.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceAnnouncement {
    /// The announcement "promoted": the piece is worth more than the card.
    Promoted,
    /// The announcement "demoted": the piece is worth less than the card.
    Demoted,
    /// The announcement "palace": the hand has one card of each face.
    Palace,
    /// The announcement "empress": the hand has three cards of one face and a pair.
    Empress,
}

impl PieceAnnouncement {
    /// All four announcements.
    pub const ALL: [Self; 4] = [Self::Promoted, Self::Demoted, Self::Palace, Self::Empress];

    /// The record's word for the announcement.
    pub fn word(self) -> &'static str {
        match self {
            Self::Promoted => "promoted",
            Self::Demoted => "demoted",
            Self::Palace => "palace",
            Self::Empress => "empress",
        }
    }

    /// The announcement as players say it.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Promoted => say!("says-promoted", "promoted"),
            Self::Demoted => say!("says-demoted", "demoted"),
            Self::Palace => say!("says-palace", "palace"),
            Self::Empress => say!("says-empress", "empress"),
        }
    }

    /// The announcement for a word of the record; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|says| says.word() == word)
    }
}

/// A card that a player turns over in the placement phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reveal {
    /// The player who turns the card over.
    pub by: Color,
    /// The face of the card.
    pub card: Card,
    /// `true` if a card reader read the card, `false` if a person typed it; `None` if that is not known.
    pub read: Option<bool>,
    /// The number of this card among the deck's cards with the same face, if a card reader reported it.
    pub copy: Option<u64>,
}

/// A piece that a player puts on the board in the placement phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The player who places the piece.
    pub by: Color,
    /// The piece that the card is played as.
    pub piece: Card,
    /// The square on which the piece is placed.
    pub at: Square,
    /// The announcement that was made, if any.
    pub says: Option<PieceAnnouncement>,
    /// The physical piece that stands in for `piece`, if another one is used.
    pub stands: Option<Role>,
}

impl Place {
    /// A placement without an announcement and without a stand-in.
    pub fn new(by: Color, piece: Card, at: Square) -> Self {
        Self { by, piece, at, says: None, stands: None }
    }
}

/// The correction of a wrongly placed piece: the right piece takes its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correct {
    /// The player who corrects; `None` means the arbiter.
    pub by: Option<Color>,
    /// The square on which the wrong piece was placed.
    pub at: Square,
    /// The piece that should have been placed.
    pub piece: Card,
    /// The square for the right piece; `None` means the square of the wrong piece.
    pub on: Option<Square>,
    /// The reason for the correction, if one was given.
    pub reason: Option<String>,
}

/// An action in a game. Cloning an action is cheap.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// The cards of one street are on the table.
    Deal(DealtCards),
    /// A player bets.
    Bet {
        /// The player who bets.
        by: Color,
        /// The kind of bet.
        bet: Bet,
    },
    /// A player turns a card over.
    Reveal(Reveal),
    /// A player places the piece of the open card.
    Place(Place),
    /// A player or the arbiter corrects a piece that was placed wrongly.
    Correct(Correct),
    /// A player or the arbiter declares the deck or the deal fouled.
    Fouled {
        /// The player who declares it; `None` means the arbiter.
        by: Option<Color>,
        /// The reason why the deck or the deal is fouled.
        reason: String,
    },
    /// An action of the chess phase, such as a move.
    Play(PlayAction),
    /// An action that only one kind of game has.
    Own(OwnAction),
}

impl Action {
    /// The kind of the action; `None` for an action that only one kind of game has.
    pub fn verb(&self) -> Option<Verb> {
        self.verb_or_own_word().ok()
    }

    /// The record's word for the action, for sentences that quote it.
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

    /// The player who acts; `None` if the action belongs to no player or is the arbiter's.
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

    /// Whether the action is part of a timed turn. If the opponent forgot to press the clock after the turn before, the
    /// action also counts as the opponent's press.
    pub fn takes_turn(&self) -> bool {
        match self {
            Self::Reveal(_) | Self::Place(_) | Self::Play(PlayAction::Move { .. }) => true,
            Self::Deal(_) | Self::Bet { .. } | Self::Correct(_) | Self::Fouled { .. } | Self::Play(_) => {
                false
            }
            Self::Own(own) => own.takes_turn(),
        }
    }

    /// Whether the action is refused while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Deal(_) | Self::Bet { .. } => true,
            Self::Own(own) => own.waits_while_paused(),
            Self::Reveal(_) | Self::Place(_) | Self::Correct(_) | Self::Fouled { .. } | Self::Play(_) => {
                self.takes_turn()
            }
        }
    }

    /// Whether the action changes the pieces on the board, so that a sensor board can show it.
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

    /// The physical piece that the action names as a stand-in, if any.
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

    /// Whether the action corrects a mistake, such as a piece that was placed wrongly.
    pub fn is_correction(&self) -> bool {
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

    /// The action as a sentence for the list of past events: `White raises to 6`.
    pub fn describe(&self) -> Sentence {
        match self {
            Self::Deal(_) => say!("tell-deal", "the cards are dealt"),
            Self::Bet { by, bet } => tell_bet(*by, *bet),
            Self::Reveal(Reveal { by, card, .. }) => {
                say!("tell-reveal", "{by} turns a {card} over", by = *by, card = *card)
            }
            Self::Place(place) => tell_place(*place),
            Self::Correct(correct) => tell_correct(correct),
            // Where the reason is not for those who are told, it is empty.
            Self::Fouled { by: None, reason } if reason.is_empty() => {
                say!("tell-fouled-alone", "the deal is fouled")
            }
            Self::Fouled { by: None, reason } => {
                say!("tell-fouled", "the deal is fouled: {reason}", reason = reason.clone())
            }
            Self::Fouled { by: Some(by), reason } => {
                let (by, reason) = (*by, reason.clone());
                say!("tell-fouled-by", "the deal is fouled: {reason} (declared by {by})", reason, by)
            }
            Self::Play(play) => play.describe(),
            Self::Own(own) => own.describe(),
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
    match says.map(PieceAnnouncement::sentence) {
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

/// The methods of an [`OwnAction`].
pub trait ActionData: Any + fmt::Debug + Send + Sync {
    /// The record's word for the action.
    fn word(&self) -> &'static str;
    /// The player who acts; `None` if the action belongs to no player or is the arbiter's.
    fn by(&self) -> Option<Color>;
    /// The fields of the action's line except `by`, in the record's order.
    fn fields(&self) -> Group;
    /// Whether the action is part of a timed turn. If the opponent forgot to press the clock after the turn before, the
    /// action also counts as the opponent's press.
    fn takes_turn(&self) -> bool;
    /// Whether the action is refused while the game is paused.
    fn waits_while_paused(&self) -> bool;
    /// Whether the action changes the pieces on the board.
    fn changes_board(&self) -> bool;
    /// Whether the action belongs after the move of the same turn, such as a card that is drawn.
    fn follows_move(&self) -> bool {
        false
    }
    /// The physical piece that the action names as a stand-in, if any.
    fn stand_in(&self) -> Option<Role> {
        None
    }
    /// Whether the action corrects a mistake, such as a piece that was placed wrongly.
    fn mends_a_fault(&self) -> bool {
        false
    }
    /// The hidden cards that the action deals. They stay sealed until they are shown. If an action deals hidden cards,
    /// its word in the record is `deal`, and its field `cards` lists these cards for each colour.
    fn deals(&self) -> Option<Faces> {
        None
    }
    /// How many hidden cards each player gets by the action, or with the move that it prepares. [`deals`](Self::deals)
    /// may tell some of their faces, at once or later.
    fn draws(&self) -> ByColor<u32> {
        ByColor::default()
    }
    /// Whether the action is the first deal of its game.
    fn begins_deal(&self) -> bool {
        false
    }
    /// The hidden cards that the action turns over: for each card its owner and its face as the record spells it.
    fn shows(&self) -> Vec<(Color, String)> {
        Vec::new()
    }
    /// The cards that come into a hand in sight of everybody: for each its new owner and its face as the record spells it.
    /// Who shows such a card later turns no hidden card over.
    fn gains(&self) -> Vec<(Color, String)> {
        Vec::new()
    }
    /// The action as a sentence for the list of past events.
    fn describe(&self) -> Sentence;
}

own! {
    /// An action that only one kind of game has. The table passes the action on; only that kind of game reads its
    /// contents.
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
