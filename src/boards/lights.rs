//! Which squares of a board are lit, and why. Each driver decides how its board shows that.

use tabiya_types::Square;

/// Why a square is lit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glow {
    /// A piece may be placed here.
    May,
    /// A piece stands here that should not, or the wrong piece.
    Wrong,
    /// A piece is missing here.
    Missing,
    /// The last move went from or to here.
    Last,
    /// The king on this square is in check.
    Check,
}

impl Glow {
    /// All reasons.
    pub const ALL: [Self; 5] = [Self::May, Self::Last, Self::Missing, Self::Wrong, Self::Check];
}

/// The lit squares of a board, with White below. For a board that stands the other way round the caller turns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lights([Option<Glow>; 64]);

impl Lights {
    /// No square is lit.
    pub const DARK: Self = Self([None; 64]);

    /// Lights these squares. If a square is named twice, the last one counts.
    pub fn of(lit: impl IntoIterator<Item = (Square, Glow)>) -> Self {
        let mut lights = Self::DARK;
        for (square, glow) in lit {
            if let Some(place) = lights.0.get_mut(square.index()) {
                *place = Some(glow);
            }
        }
        lights
    }

    /// Why this square is lit; `None` if it is dark.
    pub fn at(&self, square: Square) -> Option<Glow> {
        self.0.get(square.index()).copied().flatten()
    }

    /// The lit squares with their reasons, a1 first.
    pub fn lit(&self) -> impl Iterator<Item = (Square, Glow)> {
        Square::all().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Whether no square is lit.
    pub fn is_dark(&self) -> bool {
        *self == Self::DARK
    }

    /// The same lights for a board that stands the other way round.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::of(self.lit().map(|(square, glow)| (square.rotated(), glow)))
    }
}
