//! A card that lies before a player, and its code.
//!
//! Source: `docs/record-chess-joker.md`, "Lines" and "The game as a value".

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use tabiya_types::{Sentence, say};

use super::effect::CardEffect;
use crate::rules::datum::Group;
use crate::rules::fields::{Fields, FormError};

/// The most Elo points that a card may have.
pub const MOST_ELO: u32 = 1000;

/// The code of a card: two capital letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code([u8; 2]);

impl FromStr for Code {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.as_bytes() {
            [one @ b'A'..=b'Z', other @ b'A'..=b'Z'] => Ok(Self([*one, *other])),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.0.map(char::from);
        write!(f, "{one}{other}")
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is known of a card. A card without an effect is *unwritten*.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JokerCard {
    /// The code; `None` if the card is not known.
    pub code: Option<Code>,
    /// The Elo points, 0 to [`MOST_ELO`].
    pub elo: Option<u32>,
    /// Whether the card has a star; `None` if nobody said.
    pub star: Option<bool>,
    /// The effect, if its owner has written it. Then the points are known too.
    pub effect: Option<Arc<CardEffect>>,
}

impl JokerCard {
    /// The code as the record writes it: `?` for a card that is not known.
    pub fn word(&self) -> String {
        self.code.map_or_else(|| "?".to_owned(), |code| code.to_string())
    }

    /// The card for people: its code with its points.
    pub(super) fn told(&self) -> Sentence {
        let code = self.word();
        match self.elo {
            None => say!("card-code", "{code}", code),
            Some(elo) => say!("card-with-elo", "{code} ({elo} Elo)", code, elo),
        }
    }

    /// Takes the fields `card elo? star? effect?` of a line or of a ruling.
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FormError> {
        let code = fields.need("card", "two capital letters or `?`", |text| match text {
            "?" => Some(None),
            _ => text.parse().ok().map(Some),
        })?;
        let elo = elo(fields)?;
        let star = fields.flag("star")?;
        let effect = match fields.text("effect")? {
            None => None,
            Some(text) => match text.parse::<CardEffect>() {
                Ok(effect) => Some(Arc::new(effect)),
                Err(error) => return Err(FormError(format!("`effect` cannot be read: {error}"))),
            },
        };
        if code.is_none() && (elo.is_some() || star.is_some() || effect.is_some()) {
            return Err(FormError::new("a card that is not known has no `elo`, `star` and `effect`"));
        }
        if effect.is_some() && elo.is_none() {
            return Err(FormError::new("a card with an `effect` needs its `elo`"));
        }
        Ok(Self { code, elo, star, effect })
    }

    /// The fields `card elo? star? effect?` as a table writes them into a record: the effect by its words, without what
    /// else stands on the card.
    pub fn recorded(&self) -> Group {
        let fields = self.write(Group::new());
        match &self.effect {
            None => fields,
            Some(effect) => fields.with("effect", effect.words()),
        }
    }

    /// The card with its effect by its words alone, as a table draws it.
    #[must_use]
    pub fn in_its_words(self) -> Self {
        let words = self.effect.as_ref().and_then(|effect| effect.words().parse().ok());
        Self { effect: words.map(Arc::new).or(self.effect), ..self }
    }

    /// Adds the card's fields to those of a line.
    pub(super) fn write(&self, mut fields: Group) -> Group {
        fields.set("card", self.word());
        if let Some(elo) = self.elo {
            fields.set("elo", elo);
        }
        if let Some(star) = self.star {
            fields.set("star", star);
        }
        if let Some(effect) = &self.effect {
            fields.set("effect", effect.text());
        }
        fields
    }
}

/// Takes the field `elo`.
pub(super) fn elo(fields: &mut Fields) -> Result<Option<u32>, FormError> {
    let elo = fields.number("elo", MOST_ELO.into())?;
    Ok(elo.map(|elo| u32::try_from(elo).unwrap_or(MOST_ELO)))
}
