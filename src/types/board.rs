//! Squares, pieces and a board that admits any material.
//!
//! Knows no rule: eleven queens are fine here. The chess rules are `rules/play.rs`'s.
//! Squares are numbered 0 = a1, 1 = b1 … 63 = h8 everywhere in this program; devices that count
//! otherwise translate in their codec.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// A colour for one game. Seats swap colours after each game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Moves first in the chess phase.
    White,
    /// Deals, unless there is a dealer.
    Black,
}

impl Color {
    /// Both, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The word of the record: `white` or `black`.
    pub fn word(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The colour of a record's word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "white" => Some(Self::White),
            "black" => Some(Self::Black),
            _ => None,
        }
    }
}

/// The name as it opens a sentence: `White`, `Black`.
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
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// One value made for each colour.
    pub fn new(mut make: impl FnMut(Color) -> T) -> Self {
        Self { white: make(Color::White), black: make(Color::Black) }
    }

    /// The pair, each value replaced.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor { white: change(self.white), black: change(self.black) }
    }

    /// Both, White first.
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

/// A person's place for the whole match. Colours change from game to game, seats do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The first named.
    A,
    /// The second named.
    B,
}

impl Seat {
    /// Both, A first.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Who plays this colour in a game in which `white` plays White.
    #[must_use]
    pub fn playing(color: Color, white: Self) -> Self {
        match color {
            Color::White => white,
            Color::Black => white.other(),
        }
    }

    /// The colour that this player has in a game in which `white` plays White.
    pub fn color(self, white: Self) -> Color {
        if self == white { Color::White } else { Color::Black }
    }

    /// The letter of the record.
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
    /// Seat A's.
    pub a: T,
    /// Seat B's.
    pub b: T,
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

/// What a piece is, whatever its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// P
    Pawn,
    /// N
    Knight,
    /// B
    Bishop,
    /// R
    Rook,
    /// Q
    Queen,
    /// K
    King,
}

impl Role {
    /// All six, the pawn first.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The English capital letter, as the record has it.
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

    /// The role of an English capital letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// The English word.
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

/// A chess piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose.
    pub color: Color,
    /// Which.
    pub role: Role,
}

impl Piece {
    /// FEN's letter: capital for White.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
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

/// A square, 0 = a1, 1 = b1 … 63 = h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// All 64, a1 first, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The square of an index 0..=63.
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|i| *i < 64).map(Self)
    }

    /// The square of a file 0..=7 (a first) and a rank 0..=7 (White's first).
    pub fn from_coords(file: u8, rank: u8) -> Option<Self> {
        (file < 8 && rank < 8).then_some(Self(rank * 8 + file))
    }

    /// 0..=63.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0 = a … 7 = h.
    pub fn file(self) -> u8 {
        self.0 % 8
    }

    /// 0 = White's first rank … 7.
    pub fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Whether the square is a light one, as h1 is.
    pub fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// The square that stands here when the board is turned round by 180°.
    #[must_use]
    pub fn turned(self) -> Self {
        Self(63 - self.0)
    }

    /// The square so many files to the right and ranks further, White below.
    pub fn beside(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file().checked_add_signed(files)?;
        Self::from_coords(file, self.rank().checked_add_signed(ranks)?)
    }

    /// The squares strictly between two on one rank, file or diagonal, in order; none if they share none.
    pub fn between(self, to: Self) -> impl Iterator<Item = Self> {
        let away = |from: u8, to: u8| to.cast_signed() - from.cast_signed();
        let (files, ranks) = (away(self.file(), to.file()), away(self.rank(), to.rank()));
        let lined_up = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = move |at: &Self| at.beside(files.signum(), ranks.signum());
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

/// A word that names no square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSquare(String);

impl std::error::Error for NoSquare {}

impl fmt::Display for NoSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no square: a letter a to h and a digit 1 to 8", self.0)
    }
}

impl FromStr for Square {
    type Err = NoSquare;
    fn from_str(text: &str) -> Result<Self, NoSquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(NoSquare(text.to_owned())),
        }
    }
}

/// Some of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Squares(u64);

impl Squares {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// From a number in which bit 0 is a1, bit 1 b1 … bit 63 h8.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// As such a number.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether this square is one of them.
    pub fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Puts a square in, or takes it out.
    pub fn set(&mut self, square: Square, is_in: bool) {
        let bit = 1 << square.0;
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }

    /// The squares, a1 first.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| self.has(*square))
    }

    /// How many they are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same squares seen from the other side of the board (180°).
    #[must_use]
    pub fn turned(self) -> Self {
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

/// What stands on each square. Any material, any number of kings.
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
    /// Nothing stands anywhere.
    pub const EMPTY: Self = Self([None; 64]);

    /// The pieces and where they stand, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| self[square].map(|piece| (square, piece)))
    }

    /// The same squares taken, each by such a piece.
    #[must_use]
    pub fn all_as(&self, piece: Piece) -> Self {
        Self(self.0.map(|stands| stands.map(|_| piece)))
    }

    /// The squares on which something stands.
    pub fn occupied(&self) -> Squares {
        self.pieces().map(|(square, _)| square).collect()
    }

    /// The squares on which two boards differ, a1 first.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&square| self[square] != other[square])
    }

    /// On how many squares two boards differ.
    pub fn distance(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).filter(|(a, b)| a != b).count()
    }

    /// The same pieces seen from the other side of the board (180°).
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut turned = *self;
        turned.0.reverse();
        turned
    }
}

/// The placement field of a FEN.
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

/// A text that is no placement field of a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoBoard(String);

impl std::error::Error for NoBoard {}

impl fmt::Display for NoBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no board: eight ranks from 8 to 1 joined by `/`, letters pnbrqkPNBRQK and digits 1 to 8",
            self.0
        )
    }
}

impl FromStr for Board {
    type Err = NoBoard;
    fn from_str(text: &str) -> Result<Self, NoBoard> {
        let wrong = || NoBoard(text.to_owned());
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
