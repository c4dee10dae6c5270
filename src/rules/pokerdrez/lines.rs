//! The lines that only PokerDrez has: taking a pawn off, dealing, the cards and the die of a turn.
//!
//! Source: `docs/record-pokerdrez.md`, "Lines".

use tabiya_types::{ByColor, Color, Fact, Sentence, Square, say};

use super::letter::DrezCard;
use super::pool::{HAND, HAND_CARDS};
use crate::rules::action::{ActionData, Dealt, Faces};
use crate::rules::capability::{CardPlace, CardSource};
use crate::rules::datum::Group;
use crate::rules::fields::{Fields, FormError};

/// What the letter of a card may be.
pub(super) const LETTERS: &str = "one of J Q R B N P X";
/// The largest number that a reader may give to one of the deck's equal cards.
const MOST_COPIES: u64 = 99;

/// A player's own cards of one deal, as a reader knows them. `None` if the line does not mention the player.
pub type DrezOwn = Option<Vec<Dealt<DrezCard>>>;

/// What a neutral card is exchanged for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwapWith {
    /// A card of the stock.
    Stock,
    /// An open card.
    Common,
    /// A card of the opponent's.
    Opponent,
}

impl SwapWith {
    /// All of them, in the order in which `legal` lists them.
    pub const ALL: [Self; 3] = [Self::Stock, Self::Common, Self::Opponent];

    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Common => "common",
            Self::Opponent => "opponent",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|with| with.word() == word)
    }
}

/// An action that only PokerDrez has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrezAction {
    /// Before the deal a player takes one of his pawns off, or keeps all.
    Remove {
        /// The player.
        by: Color,
        /// The square of the pawn; `None` if he keeps all.
        at: Option<Square>,
    },
    /// The first deal; later the faces of cards that were drawn.
    Deal {
        /// The open cards; only the first deal names them.
        common: Option<Vec<DrezCard>>,
        /// The players' own cards, as far as a reader knows them.
        own: ByColor<DrezOwn>,
    },
    /// A player lays the card that he uses in this turn.
    Reveal {
        /// The player.
        by: Color,
        /// The card.
        card: DrezCard,
        /// Where the card lay.
        from: CardPlace,
        /// How the card became known.
        source: CardSource,
    },
    /// After a move with an open card, a player lays one of his cards in its place.
    Return {
        /// The player.
        by: Color,
        /// The card.
        card: DrezCard,
        /// How the card became known.
        source: CardSource,
    },
    /// A player threw the die.
    Roll {
        /// The player.
        by: Color,
        /// The number thrown, 1 to 6.
        pips: u8,
    },
    /// A player exchanges a neutral card.
    Swap {
        /// The player.
        by: Color,
        /// Where the neutral card lay.
        from: CardPlace,
        /// What it is exchanged for.
        with: SwapWith,
        /// The other card, where everybody can see it.
        card: Option<DrezCard>,
    },
    /// A player shows both own cards, because none of them moves anything.
    Show {
        /// The player.
        by: Color,
        /// The cards.
        cards: [DrezCard; HAND],
    },
}

impl DrezAction {
    /// Reads the fields of the line with this word; `None` if PokerDrez has no such line.
    pub(super) fn read(word: &str, fields: &mut Fields) -> Result<Option<Self>, FormError> {
        Ok(Some(match word {
            "remove" => Self::Remove {
                by: fields.by_player()?,
                at: fields.parsed("at", "a square a1 to h8", |text| text.parse().ok())?,
            },
            "deal" => read_deal(fields)?,
            "reveal" => Self::Reveal {
                by: fields.by_player()?,
                card: fields.need("card", LETTERS, DrezCard::from_text)?,
                from: fields.need("from", "`own` or `common`", CardPlace::from_word)?,
                source: read_source(fields)?,
            },
            "return" => Self::Return {
                by: fields.by_player()?,
                card: fields.need("card", LETTERS, DrezCard::from_text)?,
                source: read_source(fields)?,
            },
            "roll" => {
                let by = fields.by_player()?;
                let pips = fields.number("pips", 6)?.ok_or_else(|| fields.missing("pips"))?;
                let pips = u8::try_from(pips).ok().filter(|pips| DrezCard::of_pips(*pips).is_some());
                Self::Roll { by, pips: pips.ok_or_else(|| fields.wrong("pips", "a whole number 1 to 6"))? }
            }
            "swap" => read_swap(fields)?,
            "show" => {
                const WANTED: &str = "a list of two of the letters J Q R B N P X";
                let by = fields.by_player()?;
                let cards = fields.list("cards", WANTED, DrezCard::from_text)?;
                let cards = cards.ok_or_else(|| fields.missing("cards"))?;
                Self::Show { by, cards: cards.try_into().map_err(|_| fields.wrong("cards", WANTED))? }
            }
            _ => return Ok(None),
        }))
    }
}

fn read_source(fields: &mut Fields) -> Result<CardSource, FormError> {
    let read = fields.parsed("how", "`read` or `typed`", |word| match word {
        "read" => Some(true),
        "typed" => Some(false),
        _ => None,
    })?;
    Ok(CardSource { read, copy: fields.number("copy", MOST_COPIES)? })
}

fn read_deal(fields: &mut Fields) -> Result<DrezAction, FormError> {
    let Some(cards) = fields.take("cards") else {
        return Ok(DrezAction::Deal { common: None, own: ByColor::default() });
    };
    let mut cards = Fields::of_value("`cards`", cards)?;
    let common = cards.list("common", "a list of J Q R B N P X", DrezCard::from_text)?;
    let mut own = ByColor::<DrezOwn>::default();
    for color in Color::ALL {
        let face = |text: &str| match text {
            "?" => Some(Dealt(None)),
            _ => DrezCard::from_text(text).map(|card| Dealt(Some(card))),
        };
        own[color] = cards.list(color.word(), "a list of J Q R B N P X or ?", face)?;
    }
    cards.finish()?;
    Ok(DrezAction::Deal { common, own })
}

fn read_swap(fields: &mut Fields) -> Result<DrezAction, FormError> {
    let by = fields.by_player()?;
    let from = fields.need("from", "`own` or `common`", CardPlace::from_word)?;
    let with = fields.need("with", "`stock`, `common` or `opponent`", SwapWith::from_word)?;
    let card = fields.parsed("card", LETTERS, DrezCard::from_text)?;
    let seen = from == CardPlace::Common || with == SwapWith::Common;
    match card {
        _ if from == CardPlace::Common && with == SwapWith::Common => {
            Err(FormError::new("a neutral card of the row is not exchanged for another card of the row"))
        }
        None if seen => Err(fields.missing("card")),
        Some(_) if !seen => {
            Err(FormError::new("nobody sees the card that comes for this neutral card, so `card` names none"))
        }
        card => Ok(DrezAction::Swap { by, from, with, card }),
    }
}

impl ActionData for DrezAction {
    fn word(&self) -> &'static str {
        match self {
            Self::Remove { .. } => "remove",
            Self::Deal { .. } => "deal",
            Self::Reveal { .. } => "reveal",
            Self::Return { .. } => "return",
            Self::Roll { .. } => "roll",
            Self::Swap { .. } => "swap",
            Self::Show { .. } => "show",
        }
    }

    fn by(&self) -> Option<Color> {
        match self {
            Self::Deal { .. } => None,
            Self::Remove { by, .. }
            | Self::Reveal { by, .. }
            | Self::Return { by, .. }
            | Self::Roll { by, .. }
            | Self::Swap { by, .. }
            | Self::Show { by, .. } => Some(*by),
        }
    }

    fn fields(&self) -> Group {
        let mut fields = Group::new();
        match self {
            Self::Remove { at, .. } => {
                if let Some(at) = at {
                    fields.set("at", at.to_string());
                }
            }
            Self::Deal { common, own } => {
                let cards = dealt_fields(common.as_deref(), own);
                if !cards.is_empty() {
                    fields.set("cards", cards);
                }
            }
            Self::Reveal { card, from, source, .. } => {
                fields = fields.with("card", card.letter()).with("from", from.word());
                source.write(&mut fields);
            }
            Self::Return { card, source, .. } => {
                fields.set("card", card.letter());
                source.write(&mut fields);
            }
            Self::Roll { pips, .. } => fields.set("pips", *pips),
            Self::Swap { from, with, card, .. } => {
                fields = fields.with("from", from.word()).with("with", with.word());
                if let Some(card) = card {
                    fields.set("card", card.letter());
                }
            }
            Self::Show { cards, .. } => fields.set("cards", cards.to_vec()),
        }
        fields
    }

    fn takes_turn(&self) -> bool {
        !matches!(self, Self::Deal { .. } | Self::Remove { .. })
    }

    fn waits_while_paused(&self) -> bool {
        true
    }

    fn changes_board(&self) -> bool {
        matches!(self, Self::Remove { .. })
    }

    fn follows_move(&self) -> bool {
        matches!(self, Self::Return { .. })
    }

    fn deals(&self) -> Option<Faces> {
        let Self::Deal { own, .. } = self else { return None };
        Some(ByColor::new(|color| own[color].as_ref().map(|cards| cards.iter().copied().map(face).collect())))
    }

    fn draws(&self) -> ByColor<u32> {
        let only = |by: Color, count: u32| ByColor::new(|color| if color == by { count } else { 0 });
        match self {
            Self::Deal { common: Some(_), .. } => ByColor::new(|_| HAND_CARDS),
            // A card is drawn with the move.
            Self::Reveal { by, .. } => only(*by, 1),
            Self::Show { by, .. } => only(*by, HAND_CARDS),
            Self::Swap { by, from: CardPlace::Common, with: SwapWith::Opponent, .. } => only(by.other(), 1),
            Self::Swap { from: CardPlace::Own, with: SwapWith::Opponent, .. } => ByColor::new(|_| 1),
            Self::Swap { by, from: CardPlace::Own, .. } => only(*by, 1),
            Self::Swap { .. }
            | Self::Remove { .. }
            | Self::Deal { .. }
            | Self::Return { .. }
            | Self::Roll { .. } => ByColor::default(),
        }
    }

    fn begins_deal(&self) -> bool {
        // Only the first deal names the open cards.
        matches!(self, Self::Deal { common: Some(_), .. })
    }

    fn gains(&self) -> Vec<(Color, String)> {
        match self {
            Self::Swap { by, with: SwapWith::Common, card: Some(card), .. } => vec![(*by, (*card).into())],
            Self::Swap { by, with: SwapWith::Opponent, .. } => {
                vec![(by.other(), DrezCard::Neutral.into())]
            }
            _ => Vec::new(),
        }
    }

    fn shows(&self) -> Vec<(Color, String)> {
        match self {
            Self::Reveal { by, card, from: CardPlace::Own, .. } | Self::Return { by, card, .. } => {
                vec![(*by, (*card).into())]
            }
            Self::Swap { by, from: CardPlace::Own, .. } => vec![(*by, DrezCard::Neutral.into())],
            Self::Swap { by, from: CardPlace::Common, with: SwapWith::Opponent, card: Some(card) } => {
                vec![(by.other(), (*card).into())]
            }
            Self::Show { by, cards } => cards.iter().map(|card| (*by, (*card).into())).collect(),
            Self::Remove { .. }
            | Self::Deal { .. }
            | Self::Reveal { .. }
            | Self::Roll { .. }
            | Self::Swap { .. } => Vec::new(),
        }
    }

    fn describe(&self) -> Sentence {
        match self {
            Self::Remove { by, at: Some(at) } => {
                say!("tell-remove", "{by} takes the pawn on {at} off", by = *by, at = *at)
            }
            Self::Remove { by, at: None } => say!("tell-keep-pawns", "{by} keeps all pawns", by = *by),
            Self::Deal { common: Some(common), .. } => {
                let cards = Fact::list(common.iter().copied());
                say!("tell-deal-row", "the cards are dealt; open: {cards}", cards)
            }
            Self::Deal { common: None, .. } => say!("tell-faces", "a reader tells drawn cards"),
            Self::Reveal { by, card, from: CardPlace::Own, .. } => {
                say!("tell-lay-own", "{by} lays a {card} from the hand", by = *by, card = *card)
            }
            Self::Reveal { by, card, from: CardPlace::Common, .. } => {
                say!("tell-lay-open", "{by} lays a {card} from the row", by = *by, card = *card)
            }
            Self::Return { by, card, .. } => {
                say!("tell-return", "{by} puts a {card} into the row", by = *by, card = *card)
            }
            Self::Roll { by, pips } => {
                let card = DrezCard::of_pips(*pips).map(Fact::from).unwrap_or(Fact::Number((*pips).into()));
                say!("tell-roll", "{by} throws {pips} ({card})", by = *by, pips = *pips, card)
            }
            Self::Swap { by, from, with, card } => tell_swap(*by, *from, *with, *card),
            Self::Show { by, cards } => {
                let cards = Fact::list(*cards);
                say!("tell-show", "{by} shows {cards}", by = *by, cards)
            }
        }
    }
}

fn tell_swap(by: Color, from: CardPlace, with: SwapWith, card: Option<DrezCard>) -> Sentence {
    let neutral = match from {
        CardPlace::Own => say!("neutral-of-hand", "the neutral card of the hand"),
        CardPlace::Common => say!("neutral-of-row", "the neutral card of the row"),
    };
    let of = match with {
        SwapWith::Stock => say!("of-the-stock", "the stock"),
        SwapWith::Common => say!("of-the-row", "the row"),
        SwapWith::Opponent => say!("of-the-opponent", "the opponent"),
    };
    match card {
        Some(card) => {
            say!("tell-swap-for", "{by} swaps {neutral} for a {card} ({of})", by, neutral, card, of)
        }
        None => say!("tell-swap", "{by} swaps {neutral} for a hidden card ({of})", by, neutral, of),
    }
}

fn face(card: Dealt<DrezCard>) -> String {
    card.0.map_or_else(|| "?".to_owned(), String::from)
}

fn dealt_fields(common: Option<&[DrezCard]>, own: &ByColor<DrezOwn>) -> Group {
    let mut cards = Group::new();
    if let Some(common) = common {
        cards.set("common", common.to_vec());
    }
    for (color, dealt) in own.iter() {
        if let Some(dealt) = dealt {
            cards.set(color.word(), dealt.iter().copied().map(face).collect::<Vec<String>>());
        }
    }
    cards
}

impl From<DrezCard> for crate::rules::datum::Datum {
    fn from(card: DrezCard) -> Self {
        card.letter().into()
    }
}
