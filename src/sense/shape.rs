//! The shape of an action: which role each square has in it.
//!
//! Shapes know no rules. They follow from the boards before and after the action.

use tabiya_types::{Color, Square};

use super::history::{Grid, differences, squares};

listed! {
    /// The role of a square in an action.
    enum SquareRole {
        /// A moving piece leaves the square.
        From,
        /// A moving piece arrives, and the square was empty.
        Put,
        /// A moving piece arrives and replaces another piece.
        Take,
        /// A captured piece leaves the square, and nothing arrives (en passant).
        Passing,
        /// The square is empty, and a moving piece may pass over it.
        Line,
        /// A piece of the acting side stands on the square and does not move.
        Own,
        /// A piece of the other side stands on the square and does not move.
        Other,
        /// The square is empty, and a king's step from a square of the action.
        Near,
        /// The square is empty, and further away.
        Far,
    }
}

impl SquareRole {
    /// Whether the action changes what stands on the square.
    pub(super) fn acts(self) -> bool {
        matches!(self, Self::From | Self::Put | Self::Take | Self::Passing)
    }
}

/// An action as sets of squares (bit 0 is a1, bit 63 is h8) and of kinds of pieces (one bit for each code of a [`Grid`]).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    white: bool,
    pub(super) from: u64,
    /// Squares on which a moving piece arrives.
    pub(super) put: u64,
    /// Those of `put` on which another piece stood.
    pub(super) take: u64,
    pub(super) passing: u64,
    pub(super) line: u64,
    near: u64,
    /// Squares with pieces of the acting side, before the action.
    own: u64,
    /// The pieces that move, as they leave and as they arrive.
    pub(super) moving: u16,
    /// The pieces that are captured.
    pub(super) victims: u16,
}

impl Shape {
    /// The shape of a turn in which nothing is done, on this board.
    pub(super) fn idle(before: &Grid, mover: Color) -> Self {
        let white = mover == Color::White;
        let own = |what: u8| what != 0 && (what <= 6) == white;
        let own = (0..64).fold(0, |mask, square| mask | u64::from(own(before[square])) << square);
        Self { white, own, ..Self::default() }
    }

    /// The shape of the action that leads from `before` to `after`. `self` is the idle shape on the board `before`.
    pub(super) fn to(&self, before: &Grid, after: &Grid) -> Self {
        let mut shape = *self;
        for square in squares(differences(before, after)) {
            let (bit, was, is) = (1_u64 << square, before[square], after[square]);
            if self.own & bit != 0 {
                shape.from |= bit;
                shape.moving |= 1 << was;
            } else if was != 0 {
                shape.victims |= 1 << was;
                *if is == 0 { &mut shape.passing } else { &mut shape.take } |= bit;
            }
            if is != 0 {
                shape.put |= bit;
                shape.moving |= 1 << is;
            }
        }
        let acts = shape.acts();
        shape.line = shape.path_to(shape.put) & !acts;
        shape.near = squares(acts).fold(0, |near, square| near | around(square)) & !acts & !shape.line;
        shape
    }

    /// The squares that the action changes.
    pub(super) fn acts(&self) -> u64 {
        self.from | self.put | self.passing
    }

    /// The squares that the moving pieces may pass over on their way to the squares `put`.
    fn path_to(&self, put: u64) -> u64 {
        let on = |mask: u64| squares(mask).filter_map(Square::from_index);
        let mut path = 0;
        for to in on(put) {
            for from in on(self.from) {
                path = from.between(to).fold(path, |path, over| path | 1 << over.index());
            }
            // A placed piece comes from its owner's side of the board.
            let back = to.offset(0, if self.white { -1 } else { 1 }).filter(|_| self.from == 0);
            path |= back.map_or(0, |over| 1 << over.index());
        }
        path
    }

    /// The role of a square, on the board before the action.
    pub(super) fn role(&self, square: usize, before: &Grid) -> SquareRole {
        let among = |mask: u64| mask >> square & 1 == 1;
        match before[square] {
            _ if among(self.take) => SquareRole::Take,
            _ if among(self.put) => SquareRole::Put,
            _ if among(self.from) => SquareRole::From,
            _ if among(self.passing) => SquareRole::Passing,
            0 if among(self.line) => SquareRole::Line,
            0 if among(self.near) => SquareRole::Near,
            0 => SquareRole::Far,
            _ if among(self.own) => SquareRole::Own,
            _ => SquareRole::Other,
        }
    }
}

/// The squares a king's step away from a square.
fn around(square: usize) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    let bit = 1_u64 << square;
    let row = bit | (bit & !FILE_A) >> 1 | (bit & !FILE_H) << 1;
    (row | row << 8 | row >> 8) & !bit
}
