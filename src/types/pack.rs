//! What is printed on the cards of a deck, and which cards each kind of deck has.
//!
//! Source: printed rule 0 in `docs/rules.md`; `docs/rules-pokerdrez.md`, rule 2.

use crate::card::Card;
use crate::say;
use crate::sentence::Fact;

/// What the front of a card shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardFace {
    /// A piece.
    Piece(Card),
    /// The joker.
    Joker,
    /// The neutral card (treason) of PokerDrez.
    Neutral,
}

impl CardFace {
    /// All faces: the pieces in the record's order, then the joker and the neutral card.
    pub const ALL: [Self; 7] = [
        Self::Piece(Card::Queen),
        Self::Piece(Card::Rook),
        Self::Piece(Card::Bishop),
        Self::Piece(Card::Knight),
        Self::Piece(Card::Pawn),
        Self::Joker,
        Self::Neutral,
    ];

    /// The record's letter for the face: Q R B N P, J for the joker, X for the neutral card.
    pub fn letter(self) -> char {
        match self {
            Self::Piece(card) => card.letter(),
            Self::Joker => 'J',
            Self::Neutral => 'X',
        }
    }

    /// The face with this capital letter; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// The piece that the face shows; `None` for the joker and the neutral card.
    pub fn piece(self) -> Option<Card> {
        match self {
            Self::Piece(card) => Some(card),
            Self::Joker | Self::Neutral => None,
        }
    }
}

impl From<Card> for CardFace {
    fn from(card: Card) -> Self {
        Self::Piece(card)
    }
}

impl From<CardFace> for Fact {
    fn from(face: CardFace) -> Self {
        match face {
            CardFace::Piece(card) => card.role().into(),
            CardFace::Joker => say!("card-joker", "joker").into(),
            CardFace::Neutral => say!("card-neutral", "neutral card").into(),
        }
    }
}

/// A kind of deck: which cards it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Pack {
    /// The 44 cards of Choker.
    #[default]
    Choker,
    /// The 56 cards of PokerDrez.
    PokerDrez,
    /// Two decks of PokerDrez in one: 112 cards.
    PokerDrezDouble,
}

impl Pack {
    /// All kinds of deck.
    pub const ALL: [Self; 3] = [Self::Choker, Self::PokerDrez, Self::PokerDrezDouble];

    /// Which cards it has, for the help of the command line.
    pub fn cards_in_words(self) -> &'static str {
        match self {
            Self::Choker => "The 44 cards of Choker",
            Self::PokerDrez => "The 56 cards of PokerDrez",
            Self::PokerDrezDouble => "Two decks of PokerDrez in one: 112 cards",
        }
    }

    /// The word in a deck's file and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Choker => "choker",
            Self::PokerDrez => "pokerdrez",
            Self::PokerDrezDouble => "pokerdrez-double",
        }
    }

    /// The kind of deck with this word; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pack| pack.word() == word)
    }

    /// The number of cards with this face: 0 to 18.
    pub fn count(self, face: CardFace) -> u8 {
        let single = match face {
            CardFace::Neutral => 2,
            CardFace::Joker | CardFace::Piece(_) => 9,
        };
        match (self, face) {
            (Self::Choker, face) => face.piece().map_or(0, Card::in_deck),
            (Self::PokerDrez, _) => single,
            (Self::PokerDrezDouble, _) => 2 * single,
        }
    }

    /// The number of all cards: 44, 56 or 112.
    pub fn size(self) -> usize {
        CardFace::ALL.into_iter().map(|face| usize::from(self.count(face))).sum()
    }

    /// The faces that such a deck has.
    pub fn faces(self) -> impl Iterator<Item = CardFace> {
        CardFace::ALL.into_iter().filter(move |face| self.count(*face) > 0)
    }

    /// The face of each card, sorted.
    pub fn cards(self) -> impl Iterator<Item = CardFace> {
        self.faces().flat_map(move |face| std::iter::repeat_n(face, self.count(face).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pack_has_its_cards_and_is_found_by_its_word() {
        assert_eq!(Pack::ALL.map(Pack::size), [44, 56, 112]);
        for pack in Pack::ALL {
            assert_eq!(Pack::from_word(pack.word()), Some(pack));
            assert_eq!(pack.cards().count(), pack.size());
        }
        assert_eq!(Pack::from_word("tarot"), None);
    }

    #[test]
    fn each_face_is_found_by_its_letter() {
        for face in CardFace::ALL {
            assert_eq!(CardFace::from_letter(face.letter()), Some(face));
        }
        assert_eq!(CardFace::from_letter('K'), None);
    }
}
