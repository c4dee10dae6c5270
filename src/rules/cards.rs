//! Hands of five chess cards, and the pieces that each hand becomes.
//!
//! Source: `docs/rules.md`, printed rules 0 and 8a–8e, and rulings 6 and 7 (Empress, Becket). Which cards have been
//! shown is handled in `hidden.rs`.

use std::fmt;
use std::sync::OnceLock;

use tabiya_types::{Card, Counts};

/// The number of cards of this face that become the piece which they show. Every further card of this face becomes
/// another piece (printed rules 8a and 8b in `docs/rules.md`).
fn kept(card: Card) -> u8 {
    match card {
        Card::Queen => 1,
        Card::Rook | Card::Bishop | Card::Knight | Card::Pawn => 2,
    }
}

/// The agreed rules that change the pieces of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HandRules {
    /// Printed rule 8e: with three of a kind and a pair, the third of the three becomes a queen. On unless agreed
    /// otherwise.
    pub empress: bool,
    /// Printed rule 8c: with two rooks and three pawns, the third pawn becomes a bishop. Off unless agreed before the
    /// game.
    pub becket: bool,
}

impl Default for HandRules {
    fn default() -> Self {
        Self { empress: true, becket: false }
    }
}

/// The name of a hand, which shows the printed rule that decides its pieces (`docs/rules.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandName {
    /// Printed rules 8a and 8b decide, or all cards keep their pieces.
    Plain,
    /// Printed rule 8d: one card of each face.
    Palace,
    /// Printed rule 8e: three of a kind and a pair.
    Empress,
    /// Printed rule 8c: the hand RRPPP, if Becket is agreed.
    Becket,
}

impl HandName {
    /// All four hand names.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Palace, Self::Empress, Self::Becket];

    /// The record's word for the hand name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Palace => "palace",
            Self::Empress => "empress",
            Self::Becket => "becket",
        }
    }
}

/// The reason why some letters are not a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandError {
    /// The hand has fewer or more than five cards.
    #[error("a hand has five cards, not {0}: for example QRBNP")]
    Count(usize),
    /// The letter does not belong to any card.
    #[error("no card has the letter `{0}`: the letters are Q R B N P")]
    Letter(char),
    /// The hand has more cards of a face than the deck.
    #[error(
        "the deck has only {deck} {card}s, not {count}: check the cards, or declare the deck fouled",
        deck = card.in_deck()
    )]
    Deck {
        /// The face that occurs too often.
        card: Card,
        /// The number of cards with this face.
        count: u8,
    },
}

/// Five cards that one deck of 44 can deal. The constructors check this, so other code does not check again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hand(Counts);

impl Hand {
    /// Creates a hand from five faces in any order.
    pub fn new(cards: impl IntoIterator<Item = Card>) -> Result<Self, HandError> {
        let counts: Counts = cards.into_iter().collect();
        if counts.total() != 5 {
            return Err(HandError::Count(counts.total().into()));
        }
        match Card::ALL.into_iter().find(|card| counts.of(*card) > card.in_deck()) {
            Some(card) => Err(HandError::Deck { card, count: counts.of(card) }),
            None => Ok(Self(counts)),
        }
    }

    /// Parses a hand from five letters, capital or small, in any order.
    pub fn parse(letters: &str) -> Result<Self, HandError> {
        let count = letters.chars().count();
        if count != 5 {
            return Err(HandError::Count(count));
        }
        let cards: Result<Vec<_>, _> = letters
            .chars()
            .map(|c| Card::from_letter(c.to_ascii_uppercase()).ok_or(HandError::Letter(c)))
            .collect();
        Self::new(cards?)
    }

    /// All 125 possible hands, from `QQQQR` to `PPPPP`.
    pub fn all() -> Vec<Self> {
        let mut hands = Vec::with_capacity(125);
        let [q, r, b, n] = [4_u8, 5, 5, 5];
        for queens in (0..=q).rev() {
            for rooks in (0..=r.min(5 - queens)).rev() {
                for bishops in (0..=b.min(5 - queens - rooks)).rev() {
                    for knights in (0..=n.min(5 - queens - rooks - bishops)).rev() {
                        let pawns = 5 - queens - rooks - bishops - knights;
                        hands.push(Self(Counts::new([queens, rooks, bishops, knights, pawns])));
                    }
                }
            }
        }
        hands
    }

    /// The number of cards of each face in the hand.
    pub fn counts(self) -> Counts {
        self.0
    }

    /// The name of this hand. Becket, if agreed, takes precedence over Empress.
    pub fn name(self, rules: HandRules) -> HandName {
        let is = |wanted: &[u8]| {
            let mut counts = Card::ALL.map(|card| self.0.of(card));
            counts.sort_unstable();
            counts.iter().rev().take(wanted.len()).eq(wanted)
        };
        let becket = self.0.of(Card::Rook) == 2 && self.0.of(Card::Pawn) == 3;
        if is(&[1, 1, 1, 1, 1]) {
            HandName::Palace
        } else if rules.becket && becket {
            HandName::Becket
        } else if rules.empress && is(&[3, 2]) {
            HandName::Empress
        } else {
            HandName::Plain
        }
    }

    /// For each card of the hand, the pair of its face and the piece that it becomes. The pairs are sorted by face, in
    /// the record's order. Cards of the same face are in the order in which the rules count them (the third of three
    /// comes last).
    pub fn pairs(self, rules: HandRules) -> [(Card, Card); 5] {
        let name = self.name(rules);
        let mut pairs = [(Card::Pawn, Card::Pawn); 5];
        let each = Card::ALL.into_iter().flat_map(|card| (1..=self.0.of(card)).map(move |nth| (card, nth)));
        for (pair, (card, nth)) in pairs.iter_mut().zip(each) {
            *pair = (card, becomes(card, nth, name));
        }
        pairs
    }

    /// The five pieces that the hand becomes.
    pub fn pieces(self, rules: HandRules) -> Counts {
        self.pairs(rules).into_iter().map(|(_, piece)| piece).collect()
    }
}

/// The piece that the `nth` card of a face becomes, counted from 1.
fn becomes(card: Card, nth: u8, name: HandName) -> Card {
    match name {
        HandName::Palace if card == Card::Pawn => Card::Queen,
        HandName::Becket if card == Card::Pawn && nth == 3 => Card::Bishop,
        HandName::Empress if nth == 3 => Card::Queen,
        _ if nth <= kept(card) => card,
        _ if card != Card::Pawn => Card::Pawn,
        _ if nth == 3 => Card::Rook,
        _ => Card::Queen,
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A multiset of pairs of face and piece, packed into four bits per pair, so that one subtraction compares two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Pairs(u128);

impl Pairs {
    /// The top bit of each of the 25 four-bit fields.
    const GUARD: u128 = 0x0008_8888_8888_8888_8888_8888_8888;

    fn shift(card: Card, piece: Card) -> u32 {
        u32::try_from((card.index() * 5 + piece.index()) * 4).expect("at most 96")
    }

    /// The set with one more of this pair. A hand has five cards, so no field can overflow into its top bit.
    #[must_use]
    pub(crate) fn with(self, card: Card, piece: Card) -> Self {
        Self(self.0 + (1 << Self::shift(card, piece)))
    }

    /// Whether `other` contains every pair of this set at least as often.
    pub(crate) fn within(self, other: Self) -> bool {
        ((other.0 | Self::GUARD) - self.0) & Self::GUARD == Self::GUARD
    }
}

/// A hand, with its name and its pairs of face and piece under the agreed rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownHand {
    pub(crate) hand: Hand,
    pub(crate) name: HandName,
    pub(crate) pairs: Pairs,
}

/// All 125 hands under these rules, computed once.
pub(crate) fn known_hands(rules: HandRules) -> &'static [KnownHand] {
    static TABLES: [OnceLock<Vec<KnownHand>>; 4] = [const { OnceLock::new() }; 4];
    let table = &TABLES[usize::from(rules.empress) * 2 + usize::from(rules.becket)];
    table.get_or_init(|| {
        Hand::all()
            .into_iter()
            .map(|hand| {
                let pairs =
                    hand.pairs(rules).into_iter().fold(Pairs::default(), |all, (c, p)| all.with(c, p));
                KnownHand { hand, name: hand.name(rules), pairs }
            })
            .collect()
    })
}
