//! On which side of the physical clock White sits: people say it, settings keep it, and the table guesses it.

use serde::{Deserialize, Serialize};
use tabiya_types::Color;

/// On which side of the clock White's lever is, seen from the clock's front.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ClockSide {
    /// White sits on the left of the clock, Black on the right.
    #[serde(rename = "left")]
    WhiteLeft,
    /// White sits on the right of the clock, Black on the left.
    #[serde(rename = "right")]
    WhiteRight,
}

impl ClockSide {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::WhiteLeft, Self::WhiteRight];

    /// The word for it: `left` or `right`.
    pub fn word(self) -> &'static str {
        match self {
            Self::WhiteLeft => "left",
            Self::WhiteRight => "right",
        }
    }

    /// Parses the word; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.word() == word)
    }

    /// The clock stands the other way round.
    #[must_use]
    pub fn other(self) -> Self {
        Self::with_left(self.left().other())
    }

    /// The colour that sits on the left of the clock.
    pub fn left(self) -> Color {
        match self {
            Self::WhiteLeft => Color::White,
            Self::WhiteRight => Color::Black,
        }
    }

    /// Where the clock stands if this colour sits on its left.
    pub fn with_left(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteLeft,
            Color::Black => Self::WhiteRight,
        }
    }
}
