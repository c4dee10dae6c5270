//! The capability of a game whose moves use up cards: where its cards can lie, what a card that is laid down now becomes,
//! and the lines of the record for it.
//!
//! Whoever reads cards with chips asks it. It knows faces and places; chips, readers and decks are not its affair.

use tabiya_types::{ByColor, CardFace, Color};

use crate::rules::action::{Action, OwnAction};
use crate::rules::change::OwnChange;
use crate::rules::datum::Group;
use crate::rules::offer::Offer;

/// The capability of a game whose moves use up cards.
pub trait Laying {
    /// The players who get the hidden cards of a deal, in order.
    fn hidden_order(&self) -> &'static [Color];
    /// The number of open cards of a deal. They come after the hidden ones.
    fn open_count(&self) -> usize;
    /// The number of cards that a player has in hand between two turns.
    fn hand_size(&self) -> usize;
    /// How many cards each player has drawn whose faces no line has told.
    fn untold(&self) -> ByColor<u32>;
    /// What has to be done with cards, if the table accepts these offers of the game now.
    fn due(&self, offers: &[Offer]) -> CardsDue;

    // ---- the lines ----

    /// The deal with these open cards, in order, and what is known of the hidden ones.
    fn deal(&self, open: &[CardFace], hidden: &ByColor<HiddenFaces>) -> Action;
    /// The line that tells the face of a card that this player has drawn.
    fn tell(&self, by: Color, card: CardFace) -> Action;
    /// The line that uses a card.
    fn lay(&self, by: Color, card: CardFace, from: CardPlace, source: CardSource) -> Action;
    /// The line that puts an own card into the row.
    fn put_back(&self, by: Color, card: CardFace, source: CardSource) -> Action;
    /// The line that shows a whole hand; `None` unless these are as many cards as a hand has.
    fn show(&self, by: Color, cards: &[CardFace]) -> Option<Action>;
    /// The lines that show a hand with this card, one for each hand that a deck could give.
    fn shows_with(&self, by: Color, card: CardFace) -> Vec<Action>;

    // ---- what lines and rulings say ----

    /// The open cards of a deal that tells no hidden card; `None` for any other action.
    fn open_deal(&self, action: &OwnAction) -> Option<Vec<CardFace>>;
    /// Where an action of the game brought cards, in order. A deal says nothing here.
    fn travels(&self, action: &OwnAction) -> Vec<CardTravel>;
    /// Whether a ruling says which cards lie in the row.
    fn sets_row(&self, ruled: &OwnChange) -> bool;
}

/// What is known of the hidden cards that one player gets in a deal; `None` if nothing is told of them. A face that is
/// not known is `None`.
pub type HiddenFaces = Option<Vec<Option<CardFace>>>;

/// What has to be done with cards now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardsDue {
    /// Whether the cards have to be dealt.
    pub deal: bool,
    /// The player who lays, puts back or shows a card.
    pub by: Option<Color>,
    /// The cards that he may use, each with the place from which it comes.
    pub lays: Vec<(CardFace, CardPlace)>,
    /// The own cards that he may put into the row; empty if he owes none.
    pub returns: Vec<CardFace>,
    /// Whether he may show his hand.
    pub shows: bool,
}

/// The place from which a card is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardPlace {
    /// The player's hand.
    Own,
    /// The row of open cards.
    Common,
}

impl CardPlace {
    /// Both places, in the order in which `legal` lists them.
    pub const ALL: [Self; 2] = [Self::Own, Self::Common];

    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Common => "common",
        }
    }

    /// The place with this word in the record; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.word() == word)
    }
}

/// How a card became known: read by a reader, or typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CardSource {
    /// `true` if a reader read the card, `false` if a person typed it; `None` if that is not known.
    pub read: Option<bool>,
    /// The number of this card among the deck's cards with the same face, if a reader reported it.
    pub copy: Option<u64>,
}

impl CardSource {
    /// Adds the record's fields `how` and `copy`, as far as they are known.
    pub(in crate::rules) fn write(self, fields: &mut Group) {
        if let Some(read) = self.read {
            fields.set("how", if read { "read" } else { "typed" });
        }
        if let Some(copy) = self.copy {
            fields.set("copy", copy);
        }
    }
}

/// Where a card of the deck lies, apart from the stock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardSpot {
    /// The card lies open.
    Row,
    /// The card is this player's own.
    Hand(Color),
    /// The card is out of play.
    Used,
}

/// What an action did to cards that lay somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardTravel {
    /// A card with this face went from one place to another.
    Went {
        /// The face.
        card: CardFace,
        /// Which of the deck's equal cards it was, if the line says so.
        copy: Option<u64>,
        /// Where it lay.
        from: CardSpot,
        /// Where it lies now.
        to: CardSpot,
    },
    /// A card left this place, and nobody has seen which one: any with this face there, or any at all.
    LeftUnseen {
        /// Where it lay.
        from: CardSpot,
        /// Its face; `None` if nobody has seen even that.
        card: Option<CardFace>,
    },
}
