//! Which squares of a board are lit, and for what reason. Each driver decides how its board shows the reasons.

use tabiya_types::Square;

/// Why a square is lit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glow {
    /// A piece may be placed here.
    May,
    /// The piece on this square should not be there, or should be another piece.
    Wrong,
    /// A piece should stand on this square, but is missing.
    Missing,
    /// The last move began or ended on this square.
    Last,
    /// The king on this square is in check.
    Check,
}

impl Glow {
    /// All reasons for which a square may be lit.
    pub const ALL: [Self; 5] = [Self::May, Self::Last, Self::Missing, Self::Wrong, Self::Check];
}

/// The lit squares of a board whose White side is below. For a board that is set up the other way round, the caller
/// rotates the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lights([Option<Glow>; 64]);

impl Lights {
    /// No square is lit.
    pub const DARK: Self = Self([None; 64]);

    /// Lights these squares. If a square occurs twice, its last reason counts.
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

    /// The same lights, rotated for a board that is set up the other way round.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::of(self.lit().map(|(square, glow)| (square.rotated(), glow)))
    }
}
