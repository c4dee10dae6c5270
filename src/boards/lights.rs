//! Which squares of a board shine, and why. Each driver shows it in its board's own fashion.

use tabiya_types::Square;

/// Why a square shines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glow {
    /// The piece may go here.
    May,
    /// Something stands here that should not, or something else than should.
    Wrong,
    /// A piece is missing here.
    Missing,
    /// The last move went from or to here.
    Last,
    /// The king here is in check.
    Check,
}

impl Glow {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::May, Self::Last, Self::Missing, Self::Wrong, Self::Check];
}

/// What shines on a board, White below; squares of a board that stands turned are turned by whoever lights them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lights([Option<Glow>; 64]);

impl Lights {
    /// Nothing shines.
    pub const DARK: Self = Self([None; 64]);

    /// These squares shine; of a square that is named twice the last counts.
    pub fn of(lit: impl IntoIterator<Item = (Square, Glow)>) -> Self {
        let mut lights = Self::DARK;
        for (square, glow) in lit {
            if let Some(place) = lights.0.get_mut(square.index()) {
                *place = Some(glow);
            }
        }
        lights
    }

    /// Why this square shines, if it does.
    pub fn at(&self, square: Square) -> Option<Glow> {
        self.0.get(square.index()).copied().flatten()
    }

    /// The squares that shine, a1 first.
    pub fn lit(&self) -> impl Iterator<Item = (Square, Glow)> {
        Square::all().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Whether nothing shines.
    pub fn is_dark(&self) -> bool {
        *self == Self::DARK
    }

    /// The same squares on a board that stands the other way round.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self::of(self.lit().map(|(square, glow)| (square.turned(), glow)))
    }
}
