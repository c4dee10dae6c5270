//! Squares, pieces, colours, seats, and a board that may hold any pieces on any squares.
//!
//! This module knows no chess rules: a board with eleven queens is valid here. The rules are in
//! `rules/play.rs`. Squares are numbered 0 = a1, 1 = b1 … 63 = h8 in the whole program; a device with
//! another numbering converts it in its codec.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// A player's colour in one game. The two seats swap colours after each game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// White, who moves first in the chess phase.
    White,
    /// Black, who deals the cards unless the match has a separate dealer.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other colour.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The record's word for the colour: `white` or `black`.
    pub fn word(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The colour for the record's word `white` or `black`; `None` for any other text.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "white" => Some(Self::White),
            "black" => Some(Self::Black),
            _ => None,
        }
    }
}

/// The colour's name with a capital letter: `White` or `Black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// One value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// The value for White.
    pub white: T,
    /// The value for Black.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Calls `make` once for each colour and keeps both results.
    pub fn new(mut make: impl FnMut(Color) -> T) -> Self {
        Self { white: make(Color::White), black: make(Color::Black) }
    }

    /// Replaces each of the two values by the result of `change`.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor { white: change(self.white), black: change(self.black) }
    }

    /// Iterates over both values with their colours, White first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &T)> {
        [(Color::White, &self.white), (Color::Black, &self.black)].into_iter()
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// A player's seat for the whole match. Colours change from game to game, seats do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Seat A: the player named first.
    A,
    /// Seat B: the player named second.
    B,
}

impl Seat {
    /// Both seats, A first.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The seat with this word in the record; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.word() == word)
    }

    /// The other seat.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// The seat that plays `color` in a game in which the seat `white` has White.
    #[must_use]
    pub fn playing(color: Color, white: Self) -> Self {
        match color {
            Color::White => white,
            Color::Black => white.other(),
        }
    }

    /// The colour of this seat in a game in which the seat `white` has White.
    pub fn color(self, white: Self) -> Color {
        if self == white { Color::White } else { Color::Black }
    }

    /// The record's letter for the seat: `A` or `B`.
    pub fn word(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One value for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySeat<T> {
    /// The value for seat A.
    pub a: T,
    /// The value for seat B.
    pub b: T,
}

impl<T> BySeat<T> {
    /// Calls `make` once for each seat and keeps both results.
    pub fn new(mut make: impl FnMut(Seat) -> T) -> Self {
        Self { a: make(Seat::A), b: make(Seat::B) }
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::A => &self.a,
            Seat::B => &self.b,
        }
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::A => &mut self.a,
            Seat::B => &mut self.b,
        }
    }
}

/// A kind of chess piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Pawn, letter P.
    Pawn,
    /// Knight, letter N.
    Knight,
    /// Bishop, letter B.
    Bishop,
    /// Rook, letter R.
    Rook,
    /// Queen, letter Q.
    Queen,
    /// King, letter K.
    King,
}

impl Role {
    /// All six kinds of piece, from pawn to king.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The English capital letter of the piece, as the record writes it.
    pub fn letter(self) -> char {
        match self {
            Self::Pawn => 'P',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Rook => 'R',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The kind of piece for an English capital letter; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// The English name of the piece, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A chess piece: its colour and its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The colour of the piece.
    pub color: Color,
    /// The kind of piece.
    pub role: Role,
}

impl Piece {
    /// The FEN letter of the piece: a capital for White, lower case for Black.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece for a FEN letter; `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Role::from_letter(letter.to_ascii_uppercase()).map(|role| Self { color, role })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.word(), self.role)
    }
}

/// A square of the board, numbered 0 = a1, 1 = b1 … 63 = h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// All 64 squares, rank by rank from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The square with this index, 0 to 63; `None` for a larger index.
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|i| *i < 64).map(Self)
    }

    /// The square at a file (0 = a … 7 = h) and a rank (0 = rank 1 … 7 = rank 8); `None` outside the board.
    pub fn from_coords(file: u8, rank: u8) -> Option<Self> {
        (file < 8 && rank < 8).then_some(Self(rank * 8 + file))
    }

    /// The index of the square, 0 = a1 to 63 = h8.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The file of the square, 0 = a to 7 = h.
    pub fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank of the square, 0 = rank 1 to 7 = rank 8.
    pub fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Whether this is a light square, such as h1.
    pub fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// The square at the same place after the board was rotated by 180°: a1 becomes h8.
    #[must_use]
    pub fn rotated(self) -> Self {
        Self(63 - self.0)
    }

    /// The square that lies `files` files to the right of this square and `ranks` ranks above it, seen from White's
    /// side; `None` outside the board.
    pub fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file().checked_add_signed(files)?;
        Self::from_coords(file, self.rank().checked_add_signed(ranks)?)
    }

    /// The squares strictly between two squares of one rank, file or diagonal, in order; empty for any other pair.
    pub fn between(self, to: Self) -> impl Iterator<Item = Self> {
        let away = |from: u8, to: u8| to.cast_signed() - from.cast_signed();
        let (files, ranks) = (away(self.file(), to.file()), away(self.rank(), to.rank()));
        let lined_up = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = move |at: &Self| at.offset(files.signum(), ranks.signum());
        let first = if lined_up { step(&self) } else { None };
        std::iter::successors(first, step).take_while(move |at| *at != to)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that does not name a square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSquareError(String);

impl std::error::Error for ParseSquareError {}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a square: write a letter from a to h and a digit from 1 to 8", self.0)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(u64);

impl Squares {
    /// The empty set of squares.
    pub const NONE: Self = Self(0);

    /// The set of squares given as a bit mask: bit 0 is a1, bit 1 is b1 … bit 63 is h8.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The set of squares as a bit mask: bit 0 is a1, bit 63 is h8.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set contains this square.
    pub fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Adds a square to the set, or removes it if `is_in` is false.
    pub fn set(&mut self, square: Square, is_in: bool) {
        let bit = 1 << square.0;
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }

    /// Iterates over the squares in the set, from a1 to h8.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| self.has(*square))
    }

    /// The number of squares in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set contains no square.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same set after the board was rotated by 180°: a1 becomes h8.
    #[must_use]
    pub fn rotated(self) -> Self {
        Self(self.0.reverse_bits())
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut all = Self::NONE;
        squares.into_iter().for_each(|square| all.set(square, true));
        all
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A board: for each square a piece or nothing. Any number of pieces of any kind is allowed, kings too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board([Option<Piece>; 64]);

impl Default for Board {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Index<Square> for Board {
    type Output = Option<Piece>;
    fn index(&self, square: Square) -> &Option<Piece> {
        &self.0[square.index()]
    }
}

impl IndexMut<Square> for Board {
    fn index_mut(&mut self, square: Square) -> &mut Option<Piece> {
        &mut self.0[square.index()]
    }
}

impl Board {
    /// The board without pieces.
    pub const EMPTY: Self = Self([None; 64]);

    /// Iterates over the occupied squares and their pieces, from a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| self[square].map(|piece| (square, piece)))
    }

    /// The occupied squares.
    pub fn occupied(&self) -> Squares {
        self.pieces().map(|(square, _)| square).collect()
    }

    /// The English capital letters of one colour's pieces, kings first and pawns last.
    pub fn letters_of(&self, color: Color) -> String {
        let mut roles: Vec<Role> =
            self.pieces().filter(|(_, piece)| piece.color == color).map(|(_, piece)| piece.role).collect();
        roles.sort_by(|a, b| b.cmp(a));
        roles.into_iter().map(Role::letter).collect()
    }

    /// The squares on which this board and the other differ, from a1 to h8.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&square| self[square] != other[square])
    }

    /// The number of squares on which this board and the other differ.
    pub fn distance(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(a, b)| a != b).count()
    }

    /// The same pieces after the board was rotated by 180°: a piece on a1 is then on h8.
    #[must_use]
    pub fn rotated(&self) -> Self {
        let mut turned = *self;
        turned.0.reverse();
        turned
    }
}

/// Writes the board as the piece placement field of a FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.0[rank * 8 + file] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not the piece placement field of a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseBoardError(String);

impl std::error::Error for ParseBoardError {}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a board: write eight ranks from 8 to 1 joined by `/`, with letters pnbrqkPNBRQK and \
             digits 1 to 8",
            self.0
        )
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let wrong = || ParseBoardError(text.to_owned());
        let mut board = Self::EMPTY;
        let (mut file, mut rank) = (0_u8, 7_u8);
        for letter in text.chars() {
            match letter {
                '/' => {
                    if file != 8 || rank == 0 {
                        return Err(wrong());
                    }
                    (file, rank) = (0, rank - 1);
                }
                '1'..='8' => file += u8::try_from(letter).map_err(|_| wrong())? - b'0',
                _ => {
                    let piece = Piece::from_letter(letter).ok_or_else(wrong)?;
                    let square = Square::from_coords(file, rank).ok_or_else(wrong)?;
                    board[square] = Some(piece);
                    file += 1;
                }
            }
            if file > 8 {
                return Err(wrong());
            }
        }
        if (file, rank) == (8, 0) { Ok(board) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_between_are_those_of_one_line() {
        let names = |from: &str, to: &str| {
            let (from, to): (Square, Square) =
                (from.parse().expect("a square"), to.parse().expect("a square"));
            from.between(to).map(|at| at.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("a1", "d1"), "b1 c1");
        assert_eq!(names("h8", "e5"), "g7 f6");
        assert_eq!(names("e2", "e4"), "e3");
        assert_eq!(names("b1", "c3"), "");
        assert_eq!(names("d4", "d4"), "");
    }
}
