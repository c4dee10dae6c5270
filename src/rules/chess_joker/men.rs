//! The pieces on the board as sets of squares, and what they do by themselves: threaten, go, be pinned, be immobile.
//!
//! Source: `docs/rules-chess-joker.md`, rules 13 to 15 and 22; `docs/effects-chess-joker.md`, "Meaning". Check and cards
//! are left to `position.rs`, effects to `effect`.

use tabiya_types::{Board, Color, Piece, Role, Square};

use super::lines_of_board::{FILE_A, RANK_1, above, below, bit, each, file_of, strikes};

/// The pieces on a board. Equal boards are equal men.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Men {
    color: [u64; 2],
    role: [u64; 6],
}

impl Men {
    pub(super) fn of(board: &Board) -> Self {
        let mut men = Self::default();
        board.pieces().for_each(|(at, piece)| men.put(at.index(), piece));
        men
    }

    pub(super) fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::all() {
            board[square] = self.at(square.index());
        }
        board
    }

    pub(super) fn occupied(&self) -> u64 {
        self.color[0] | self.color[1]
    }

    pub(super) fn empty(&self) -> u64 {
        !self.occupied()
    }

    pub(super) fn of_color(&self, color: Color) -> u64 {
        self.color[color as usize]
    }

    pub(super) fn of_role(&self, role: Role) -> u64 {
        self.role[role as usize]
    }

    /// The squares of all pieces of these kinds; bit n of `roles` stands for `Role::ALL[n]`.
    pub(super) fn of_roles(&self, roles: u8) -> u64 {
        let of = |(nth, squares): (usize, &u64)| if roles >> nth & 1 == 1 { *squares } else { 0 };
        self.role.iter().enumerate().map(of).fold(0, |all, squares| all | squares)
    }

    pub(super) fn king(&self, color: Color) -> u64 {
        self.of_role(Role::King) & self.of_color(color)
    }

    pub(super) fn at(&self, square: usize) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|color| self.of_color(*color) & bit(square) != 0)?;
        let role = Role::ALL.into_iter().find(|role| self.of_role(*role) & bit(square) != 0)?;
        Some(Piece { color, role })
    }

    /// Clears the squares of a set.
    pub(super) fn clear(&mut self, squares: u64) {
        self.color.iter_mut().chain(&mut self.role).for_each(|set| *set &= !squares);
    }

    /// Puts a piece on a square; what stood there is gone.
    pub(super) fn put(&mut self, square: usize, piece: Piece) {
        self.clear(bit(square));
        self.color[piece.color as usize] |= bit(square);
        self.role[piece.role as usize] |= bit(square);
    }

    /// The same men without those on these squares.
    pub(super) fn without(&self, squares: u64) -> Self {
        let mut men = *self;
        men.clear(squares);
        men
    }

    /// The squares on which these men and others differ.
    pub(super) fn differences(&self, other: &Self) -> u64 {
        let colors = self.color.iter().zip(&other.color);
        let roles = self.role.iter().zip(&other.role);
        colors.chain(roles).fold(0, |all, (ours, theirs)| all | (ours ^ theirs))
    }

    /// The pawns that stand on their own eighth rank.
    pub(super) fn pawns_at_the_end(&self) -> u64 {
        let last = self.of_color(Color::White) & RANK_1 << 56 | self.of_color(Color::Black) & RANK_1;
        self.of_role(Role::Pawn) & last
    }

    /// The squares that the piece on a square threatens (rule J13); empty without a piece.
    pub(super) fn threatened_from(&self, square: usize) -> u64 {
        self.at(square).map_or(0, |Piece { color, role }| {
            strikes(role, color, square, self.occupied()) & !self.of_color(color)
        })
    }

    /// The pieces of a colour that strike a square, whatever stands on it.
    pub(super) fn striking(&self, square: usize, by: Color) -> u64 {
        let occupied = self.occupied();
        let queens = self.of_role(Role::Queen);
        let from = |role, set: u64| set & strikes(role, by.other(), square, occupied);
        let striking = from(Role::Pawn, self.of_role(Role::Pawn))
            | from(Role::Knight, self.of_role(Role::Knight))
            | from(Role::King, self.of_role(Role::King))
            | from(Role::Bishop, self.of_role(Role::Bishop) | queens)
            | from(Role::Rook, self.of_role(Role::Rook) | queens);
        striking & self.of_color(by)
    }

    /// The pieces, of either colour, that threaten a square.
    pub(super) fn threatening(&self, square: usize) -> u64 {
        let by = |color: Color| {
            let own = self.of_color(color) & bit(square) != 0;
            if own { 0 } else { self.striking(square, color) }
        };
        by(Color::White) | by(Color::Black)
    }

    /// Whether pieces threaten the king of a colour. False without a king.
    pub(super) fn king_threatened(&self, color: Color) -> bool {
        each(self.king(color)).any(|king| self.striking(king, color.other()) != 0)
    }

    /// Whether the piece on a square is pinned (rule J14).
    pub(super) fn pinned(&self, square: usize) -> bool {
        let Some(Piece { color, role }) = self.at(square) else { return false };
        if role == Role::King {
            return false;
        }
        each(self.king(color)).any(|king| {
            let then = self.without(bit(square)).striking(king, color.other());
            then & !self.striking(king, color.other()) != 0
        })
    }

    /// Whether a pawn has another of its colour in its file.
    pub(super) fn doubled(&self, square: usize) -> bool {
        let Some(Piece { color, role: Role::Pawn }) = self.at(square) else { return false };
        let others = self.of_role(Role::Pawn) & self.of_color(color) & file_of(square) & !bit(square);
        others != 0
    }

    /// Whether the piece on a square is immobile (rule J15).
    pub(super) fn immobile(&self, square: usize) -> bool {
        let Some(piece) = self.at(square) else { return false };
        if self.king(piece.color) == 0 {
            return true;
        }
        let prey = self.of_color(piece.color.other()) & !self.of_role(Role::King);
        each(self.goings(square, piece.role, piece.color, prey)).all(|to| {
            let mut then = self.without(bit(square));
            then.put(to, piece);
            then.king_threatened(piece.color)
        })
    }

    /// The squares to which the piece on a square can go as this kind of piece. `prey`: what it may capture. Castling
    /// and en passant are left out.
    pub(super) fn goings(&self, square: usize, role: Role, color: Color, prey: u64) -> u64 {
        let occupied = self.occupied();
        if role == Role::Pawn {
            return self.pawn_steps(square, color) | strikes(role, color, square, occupied) & prey;
        }
        strikes(role, color, square, occupied) & (!occupied | prey)
    }

    /// One step forward, and from the first and the second rank two (rules J18a and J22), each onto empty squares.
    fn pawn_steps(&self, square: usize, color: Color) -> u64 {
        let (empty, from) = (self.empty(), bit(square));
        let forward = |from: u64| match color {
            Color::White => from << 8,
            Color::Black => from >> 8,
        };
        let home = match color {
            Color::White => RANK_1 | RANK_1 << 8,
            Color::Black => RANK_1 << 56 | RANK_1 << 48,
        };
        let one = forward(from) & empty;
        let two = if from & home == 0 { 0 } else { forward(one) & empty };
        one | two
    }
}

/// The squares of a file (0 to 7).
pub(super) fn file(number: u8) -> u64 {
    FILE_A << number
}

/// The squares of a player's own rank (1 to 8).
pub(super) fn rank(you: Color, number: u8) -> u64 {
    let from_below = match you {
        Color::White => number - 1,
        Color::Black => 8 - number,
    };
    RANK_1 << (from_below * 8)
}

/// The squares of the same file that are nearer to a player, and those further away.
pub(super) fn nearer_and_further(you: Color, square: usize) -> (u64, u64) {
    match you {
        Color::White => (below(square), above(square)),
        Color::Black => (above(square), below(square)),
    }
}
