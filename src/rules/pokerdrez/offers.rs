//! What a player may do in PokerDrez where one line of `legal` stands for several actions, and the fields of rulings.
//!
//! Source: `docs/record-pokerdrez.md`, "Results" (`legal`) and "How lines act", 14.

use tabiya_types::{BySeat, Color, Fact, Sentence, Square, say};

use super::letter::DrezCard;
use super::lines::{LETTERS, SwapWith};
use super::pool::ROW;
use crate::rules::capability::CardPlace;
use crate::rules::change::ChangeData;
use crate::rules::datum::Group;
use crate::rules::fields::{Fields, FormError};
use crate::rules::offer::OfferData;

/// The largest stock that a ruling can name: two decks after the deal.
const MOST_STOCK: u64 = 103;

/// An offer that stands for several actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrezOffer {
    /// Taking one of these pawns off. Without squares: keeping all.
    Remove {
        /// The player.
        by: Color,
        /// The squares of the pawns.
        at: Vec<Square>,
    },
    /// The first deal.
    Deal,
    /// A throw of the die.
    Roll {
        /// The player.
        by: Color,
    },
    /// The exchange of a neutral card.
    Swap {
        /// The player.
        by: Color,
        /// Where the neutral card lies.
        from: CardPlace,
        /// What it is exchanged for.
        with: SwapWith,
        /// The cards that the other card can be; empty where nobody sees it.
        cards: Vec<DrezCard>,
    },
    /// Showing both own cards.
    Show {
        /// The player.
        by: Color,
    },
}

impl OfferData for DrezOffer {
    fn word(&self) -> &'static str {
        match self {
            Self::Remove { .. } => "remove",
            Self::Deal => "deal",
            Self::Roll { .. } => "roll",
            Self::Swap { .. } => "swap",
            Self::Show { .. } => "show",
        }
    }

    fn by(&self) -> Option<Color> {
        match self {
            Self::Deal => None,
            Self::Remove { by, .. } | Self::Roll { by } | Self::Swap { by, .. } | Self::Show { by } => {
                Some(*by)
            }
        }
    }

    fn fields(&self) -> Group {
        match self {
            Self::Remove { at, .. } if !at.is_empty() => {
                Group::new().with("at", at.iter().map(Square::to_string).collect::<Vec<_>>())
            }
            Self::Roll { .. } => Group::new().with("pips", vec![1_u8, 6]),
            Self::Swap { from, with, cards, .. } => {
                let fields = Group::new().with("from", from.word()).with("with", with.word());
                if cards.is_empty() { fields } else { fields.with("card", cards.clone()) }
            }
            Self::Remove { .. } | Self::Deal | Self::Show { .. } => Group::new(),
        }
    }

    fn takes_turn(&self) -> bool {
        !matches!(self, Self::Remove { .. } | Self::Deal)
    }

    fn waits_while_paused(&self) -> bool {
        true
    }
}

/// The cards that a ruling sets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrezRuled {
    /// The open cards: five.
    pub common: Option<Vec<DrezCard>>,
    /// The number of cards in the stock.
    pub stock: Option<u32>,
    /// Who has the die.
    pub die: Option<Color>,
}

impl DrezRuled {
    /// Reads the fields of a ruling; `None` if it sets none of them.
    pub(super) fn read(set: &mut Fields) -> Result<Option<Self>, FormError> {
        let wanted = format!("a list of five cards, each {LETTERS}");
        let common = set.list("common", &wanted, DrezCard::from_text)?;
        if common.as_ref().is_some_and(|cards| cards.len() != ROW) {
            return Err(set.wrong("common", &wanted));
        }
        let stock = set.number("stock", MOST_STOCK)?.and_then(|stock| u32::try_from(stock).ok());
        let die = set.parsed("die", "`white` or `black`", Color::from_word)?;
        let ruled = Self { common, stock, die };
        Ok((ruled != Self::default()).then_some(ruled))
    }
}

impl ChangeData for DrezRuled {
    fn describe(&self, _: &BySeat<String>) -> Vec<Sentence> {
        let row = self.common.as_ref().map(|common| {
            let cards = Fact::list(common.iter().copied());
            say!("ruled-row", "the row is {cards}", cards)
        });
        let stock = self.stock.map(|stock| say!("ruled-stock", "cards in the stock: {stock}", stock));
        let die = self.die.map(|by| say!("ruled-die", "{by} has the die", by));
        [row, stock, die].into_iter().flatten().collect()
    }

    fn fields(&self) -> Group {
        let mut fields = Group::new();
        if let Some(common) = &self.common {
            fields.set("common", common.clone());
        }
        if let Some(stock) = self.stock {
            fields.set("stock", stock);
        }
        if let Some(die) = self.die {
            fields.set("die", die.word());
        }
        fields
    }
}
