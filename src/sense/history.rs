//! What the board has shown: each change of a square, with its time. The changes of one square are linked.
//!
//! This file knows no rules of a game.

use tabiya_types::{Board, Color, Instant, Observation, Piece, Role, Square};

use super::by_hand::{FLICKER_SPAN, FLICKERS, RECENT};
use super::kind::BoardKind;

/// The content of the 64 squares, from a1 (index 0) to h8 (index 63): 0 is an empty square, 1 to 6 are White's pawn,
/// knight, bishop, rook, queen and king, 7 to 12 the same pieces of Black.
pub(super) type Grid = [u8; 64];

/// An update was lost: something stood on the square, but nobody knows what.
pub(super) const UNKNOWN: u8 = 15;
/// How a board that only feels its pieces shows any piece.
pub(super) const FELT: u8 = 1;

/// A place in the history: a time, and how many changes the board had shown by then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HistoryMark {
    pub(super) at: Instant,
    pub(super) changes: usize,
}

/// A stretch of the history: its begin and its end.
pub(super) type Stretch = (HistoryMark, HistoryMark);

/// One change of one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareChange {
    pub(super) at: Instant,
    pub(super) square: usize,
    pub(super) was: u8,
    pub(super) is: u8,
}

/// Everything that the board has shown.
#[derive(Clone, Debug)]
pub(super) struct BoardHistory {
    /// What the board shows now.
    pub(super) grid: Grid,
    pub(super) kind: BoardKind,
    /// Whether all 64 squares were seen at least once.
    pub(super) known: bool,
    /// Whether the board is turned by 180 degrees.
    pub(super) turned: bool,
    changes: Vec<SquareChange>,
    /// The time of the last change of a square. Changes of squares that flicker do not count.
    pub(super) last_change: Instant,
}

impl BoardHistory {
    pub(super) fn new() -> Self {
        let (grid, changes, last_change) = ([0; 64], Vec::new(), Instant::ZERO);
        Self { grid, kind: BoardKind::Knows, known: false, turned: false, changes, last_change }
    }

    // ---- what comes in ----

    /// Takes in an observation. Returns whether a square changed, or all squares are known for the first time.
    pub(super) fn observe(&mut self, observation: &Observation, at: Instant) -> bool {
        match *observation {
            Observation::Press(_) => false,
            Observation::Whole(board) => self.observe_all(grid_of(&board), BoardKind::Knows, at),
            Observation::Occupied(squares) => {
                let mut grid = [0; 64];
                squares.iter().for_each(|square| grid[square.index()] = FELT);
                self.observe_all(grid, BoardKind::Feels, at)
            }
            Observation::Square(square, piece) => {
                let square = if self.turned { square.rotated() } else { square };
                self.observe_square(square.index(), code(piece), at)
            }
        }
    }

    fn observe_all(&mut self, mut grid: Grid, kind: BoardKind, at: Instant) -> bool {
        if self.kind != kind {
            // The reports of another kind of board cannot be compared with the earlier ones.
            *self = Self { kind, turned: self.turned, ..Self::new() };
        }
        if self.turned {
            grid.reverse();
        }
        let first = !std::mem::replace(&mut self.known, true);
        let wrong = differences(&self.grid, &grid);
        squares(wrong).for_each(|square| self.change(square, grid[square], at));
        wrong != 0 || first
    }

    /// A report that changes nothing, and is no repetition, means that an update was lost before it.
    fn observe_square(&mut self, square: usize, is: u8, at: Instant) -> bool {
        let repeats =
            || self.changes.iter().rev().take_while(|last| last.at == at).any(|last| last.square == square);
        if self.grid[square] == is && self.known && !repeats() {
            self.change(square, if is == 0 { UNKNOWN } else { 0 }, at);
        }
        let changes = self.grid[square] != is;
        if changes {
            self.change(square, is, at);
        }
        changes
    }

    fn change(&mut self, square: usize, is: u8, at: Instant) {
        self.changes.push(SquareChange { at, square, was: self.grid[square], is });
        self.grid[square] = is;
        if !self.flickers(square, at) {
            self.last_change = self.last_change.max(at);
        }
    }

    /// Turns the board by 180 degrees, together with all earlier changes, which were read from the wrong side.
    pub(super) fn turn(&mut self) {
        self.turned = !self.turned;
        self.grid.reverse();
        self.changes.iter_mut().for_each(|change| change.square = 63 - change.square);
    }

    /// Drops the earlier changes, so that a long evening needs no more memory than a game.
    pub(super) fn forget_changes(&mut self) {
        self.changes.clear();
    }

    // ---- questions ----

    /// The present end of the history, at the time `at`.
    pub(super) fn mark(&self, at: Instant) -> HistoryMark {
        HistoryMark { at, changes: self.changes.len() }
    }

    /// The changes between two marks.
    pub(super) fn between(&self, begin: HistoryMark, end: HistoryMark) -> &[SquareChange] {
        self.changes.get(begin.changes..end.changes).unwrap_or_default()
    }

    /// A board as this board would show it: a board that only feels shows every piece alike.
    pub(super) fn shown(&self, pieces: Grid) -> Grid {
        self.kind.shown(pieces)
    }

    /// What the board showed before the changes after `mark`.
    pub(super) fn grid_at(&self, mark: HistoryMark) -> Grid {
        let mut grid = self.grid;
        self.since(mark).iter().rev().for_each(|change| grid[change.square] = change.was);
        grid
    }

    /// The changes after a mark.
    pub(super) fn since(&self, mark: HistoryMark) -> &[SquareChange] {
        self.changes.get(mark.changes..).unwrap_or_default()
    }

    /// When the square first showed this after `mark`; `None` if it never did.
    pub(super) fn first_shown(&self, square: usize, mark: HistoryMark, what: u8) -> Option<Instant> {
        let shows = |change: &&SquareChange| change.is == what || (change.is == UNKNOWN && what != 0);
        let mut changes = self.since(mark).iter().filter(|change| change.square == square);
        changes.find(shows).map(|change| change.at)
    }

    /// The end of the first report after `mark` that leaves exactly this board; `None` if none does.
    pub(super) fn restored(&self, board: &Grid, mark: HistoryMark) -> Option<HistoryMark> {
        let (mut wrong, mut changes) = (differences(&self.grid_at(mark), board), mark.changes);
        for report in self.since(mark).chunk_by(|one, next| one.at == next.at) {
            for change in report {
                let bit = 1 << change.square;
                wrong = if change.is == board[change.square] { wrong & !bit } else { wrong | bit };
            }
            changes += report.len();
            if wrong == 0 {
                return report.last().map(|last| HistoryMark { at: last.at, changes });
            }
        }
        None
    }

    /// When one of these squares first changed after `mark`; `None` if none ever did.
    pub(super) fn first_change(&self, squares: u64, mark: HistoryMark) -> Option<Instant> {
        self.since(mark).iter().find(|change| squares >> change.square & 1 == 1).map(|change| change.at)
    }

    /// Whether the square's contact is bad: one and the same piece appears and disappears all the time.
    fn flickers(&self, square: usize, now: Instant) -> bool {
        let recent =
            self.changes.iter().rev().take(RECENT).take_while(|change| now.since(change.at) <= FLICKER_SPAN);
        let mut recent = recent.filter(|change| change.square == square).peekable();
        let Some(piece) = recent.peek().map(|change| change.is.max(change.was)) else { return false };
        let same =
            |change: &SquareChange| [change.is, change.was].iter().all(|what| [0, piece].contains(what));
        recent.take(FLICKERS).filter(|change| same(change)).count() == FLICKERS
    }
}

/// The code of a piece in a [`Grid`].
pub(super) fn code(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |Piece { color, role }| role as u8 + if color == Color::White { 1 } else { 7 })
}

fn piece(code: u8) -> Option<Piece> {
    let color = if code > 6 { Color::Black } else { Color::White };
    Role::ALL.into_iter().map(|role| Piece { color, role }).find(|piece| self::code(Some(*piece)) == code)
}

/// Whether a square of a board that names its pieces shows one of this colour.
pub(super) fn is_of(code: u8, color: Color) -> bool {
    code != 0 && code != UNKNOWN && (code > 6) == (color == Color::Black)
}

/// A board as a [`Grid`].
pub(super) fn grid_of(board: &Board) -> Grid {
    let mut grid = [0; 64];
    board.pieces().for_each(|(square, piece)| grid[square.index()] = code(Some(piece)));
    grid
}

/// A [`Grid`] as a board. What is not known is left out.
pub(super) fn board_of(grid: &Grid) -> Board {
    let mut board = Board::EMPTY;
    Square::all().for_each(|square| board[square] = piece(grid[square.index()]));
    board
}

/// The squares on which two boards differ, as a mask: bit 0 is a1, bit 63 is h8.
pub(super) fn differences(one: &Grid, other: &Grid) -> u64 {
    (0..64).fold(0, |mask, square| mask | u64::from(one[square] != other[square]) << square)
}

/// The squares of a mask, as indices.
pub(super) fn squares(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (mask != 0).then_some(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(square)
    })
}
