//! What the board has shown: each change of a square, with its time. The changes of one square are linked.
//!
//! This file knows no rules of a game.

use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Role, Square};

/// The content of the 64 squares, from a1 (index 0) to h8 (index 63): 0 is an empty square, 1 to 6 are White's pawn,
/// knight, bishop, rook, queen and king, 7 to 12 the same pieces of Black.
pub(super) type Grid = [u8; 64];

/// An update was lost: something stood on the square, but nobody knows what.
pub(super) const UNKNOWN: u8 = 15;
/// How a board that only feels its pieces shows any piece.
const FELT: u8 = 1;
/// The index of a change that does not exist.
const NONE: usize = usize::MAX;
/// A square flickers if one piece appears and disappears at least so often within [`FLICKER_SPAN`]. A piece that
/// slides over a square and back changes the square only four times.
const FLICKERS: usize = 8;
const FLICKER_SPAN: Millis = Millis(10_000);

/// A place in the history: a time, and how many changes the board had shown by then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HistoryMark {
    pub(super) at: Instant,
    pub(super) changes: usize,
}

/// One change of one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareChange {
    pub(super) at: Instant,
    pub(super) square: usize,
    pub(super) was: u8,
    pub(super) is: u8,
    /// The changes of the same square before and after this one.
    previous: usize,
    next: usize,
}

/// Everything that the board has shown.
#[derive(Clone, Debug)]
pub(super) struct BoardHistory {
    grid: Grid,
    felt: bool,
    known: bool,
    turned: bool,
    changes: Vec<SquareChange>,
    last_on: [usize; 64],
    last_change: Instant,
}

impl BoardHistory {
    pub(super) fn new() -> Self {
        Self {
            grid: [0; 64],
            felt: false,
            known: false,
            turned: false,
            changes: Vec::new(),
            last_on: [NONE; 64],
            last_change: Instant::ZERO,
        }
    }

    // ---- what comes in ----

    /// Takes in an observation. Returns whether a square changed, or all squares are known for the first time.
    pub(super) fn observe(&mut self, observation: &Observation, at: Instant) -> bool {
        match *observation {
            Observation::Press(_) => false,
            Observation::Whole(board) => self.observe_all(grid_of(&board), false, at),
            Observation::Occupied(squares) => {
                let mut grid = [0; 64];
                squares.iter().for_each(|square| grid[square.index()] = FELT);
                self.observe_all(grid, true, at)
            }
            Observation::Square(square, piece) => {
                let square = if self.turned { square.rotated() } else { square };
                self.observe_square(square.index(), code(piece), at)
            }
        }
    }

    fn observe_all(&mut self, mut grid: Grid, felt: bool, at: Instant) -> bool {
        if self.felt != felt {
            // The reports of another kind of board cannot be compared with the earlier ones.
            *self = Self { felt, turned: self.turned, ..Self::new() };
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
        let last = self.changes.get(self.last_on[square]);
        if self.grid[square] == is && self.known && last.is_none_or(|last| last.at != at) {
            self.change(square, if is == 0 { UNKNOWN } else { 0 }, at);
        }
        let changes = self.grid[square] != is;
        if changes {
            self.change(square, is, at);
        }
        changes
    }

    fn change(&mut self, square: usize, is: u8, at: Instant) {
        let (index, previous) = (self.changes.len(), self.last_on[square]);
        if let Some(previous) = self.changes.get_mut(previous) {
            previous.next = index;
        }
        self.changes.push(SquareChange { at, square, was: self.grid[square], is, previous, next: NONE });
        self.last_on[square] = index;
        self.grid[square] = is;
        if !self.flickers(square, at) {
            self.last_change = self.last_change.max(at);
        }
    }

    /// Turns the board by 180 degrees, together with all earlier changes, which were read from the wrong side.
    pub(super) fn turn(&mut self) {
        self.turned = !self.turned;
        self.grid.reverse();
        self.last_on.reverse();
        self.changes.iter_mut().for_each(|change| change.square = 63 - change.square);
    }

    /// Drops the earlier changes, so that a long evening needs no more memory than a game.
    pub(super) fn forget_changes(&mut self) {
        self.changes.clear();
        self.last_on = [NONE; 64];
    }

    // ---- questions ----

    /// What the board shows now.
    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether the board reports only which squares are occupied.
    pub(super) fn felt(&self) -> bool {
        self.felt
    }

    /// Whether all 64 squares were seen at least once.
    pub(super) fn known(&self) -> bool {
        self.known
    }

    /// Whether the board is turned by 180 degrees.
    pub(super) fn turned(&self) -> bool {
        self.turned
    }

    /// The time of the last change of a square. Changes of squares that flicker do not count.
    pub(super) fn last_change(&self) -> Instant {
        self.last_change
    }

    /// The present end of the history, at the time `at`.
    pub(super) fn mark(&self, at: Instant) -> HistoryMark {
        HistoryMark { at, changes: self.changes.len() }
    }

    /// How many changes the first report made.
    pub(super) fn first_changes(&self) -> usize {
        let first = self.changes.first().map(|change| change.at);
        self.changes.iter().take_while(|change| Some(change.at) == first).count()
    }

    /// The changes between two marks.
    pub(super) fn between(&self, begin: HistoryMark, end: HistoryMark) -> &[SquareChange] {
        self.changes.get(begin.changes..end.changes).unwrap_or_default()
    }

    /// A board as this board would show it: a board that only feels shows every piece alike.
    pub(super) fn shown(&self, mut pieces: Grid) -> Grid {
        if self.felt {
            pieces = pieces.map(|what| what.min(FELT));
        }
        pieces
    }

    /// What the board showed before the changes after `mark`.
    pub(super) fn grid_at(&self, mark: HistoryMark) -> Grid {
        let mut grid = self.grid;
        let later = self.changes.get(mark.changes..).unwrap_or_default();
        later.iter().rev().for_each(|change| grid[change.square] = change.was);
        grid
    }

    /// When the square showed something else again after this change; `None` if it never did.
    pub(super) fn until(&self, change: &SquareChange) -> Option<Instant> {
        self.changes.get(change.next).map(|next| next.at)
    }

    /// Whether the square changed again after this change and before `end`.
    pub(super) fn changed_again(change: &SquareChange, end: HistoryMark) -> bool {
        change.next < end.changes
    }

    /// The changes of a square after `mark`, the newest first.
    fn later_on(&self, square: usize, mark: HistoryMark) -> impl Iterator<Item = &SquareChange> {
        let newest = self.changes.get(self.last_on[square]);
        let earlier = |change: &&SquareChange| self.changes.get(change.previous);
        let from = self.changes.get(mark.changes).map(std::ptr::from_ref);
        std::iter::successors(newest, earlier)
            .take_while(move |change| from.is_some_and(|from| std::ptr::from_ref(*change) >= from))
    }

    /// When the square first showed this after `mark`; `None` if it never did.
    pub(super) fn first_shown(&self, square: usize, mark: HistoryMark, what: u8) -> Option<Instant> {
        let shows = |change: &&SquareChange| change.is == what || (change.is == UNKNOWN && what != 0);
        self.later_on(square, mark).filter(shows).last().map(|change| change.at)
    }

    /// When the square first changed after `mark`; `None` if it never did.
    pub(super) fn first_change(&self, square: usize, mark: HistoryMark) -> Option<Instant> {
        self.later_on(square, mark).last().map(|change| change.at)
    }

    /// Whether the square's contact is bad: one and the same piece appears and disappears all the time.
    pub(super) fn flickers(&self, square: usize, now: Instant) -> bool {
        let newest = self.changes.get(self.last_on[square]);
        let earlier = |change: &&SquareChange| self.changes.get(change.previous);
        let mut seen = std::iter::successors(newest, earlier);
        let Some(piece) = newest.map(|change| change.is.max(change.was)) else { return false };
        let recent = |change: &SquareChange| now.since(change.at) <= FLICKER_SPAN;
        let same =
            |change: &SquareChange| change.is.min(change.was) == 0 && change.is.max(change.was) == piece;
        (0..FLICKERS).all(|_| seen.next().is_some_and(|change| recent(change) && same(change)))
    }

    /// The board as shown. If the board only feels, a piece on a square where a piece is expected counts as that
    /// piece; the pieces on other squares count as the expected pieces that are missing, in the order of their squares.
    pub(super) fn named(&self, expected: &Board) -> Board {
        let mut named = Board::EMPTY;
        let grid = &self.grid;
        let mut missing = expected.pieces().filter(|(square, _)| grid[square.index()] == 0);
        for square in Square::all().filter(|square| grid[square.index()] != 0) {
            let name = if self.felt {
                expected[square].or_else(|| missing.next().map(|(_, piece)| piece))
            } else {
                None
            };
            named[square] = name.or_else(|| piece(grid[square.index()]));
        }
        named
    }
}

/// The code of a piece in a [`Grid`].
pub(super) fn code(piece: Option<Piece>) -> u8 {
    let Some(Piece { color, role }) = piece else { return 0 };
    let role = match role {
        Role::Pawn => 1,
        Role::Knight => 2,
        Role::Bishop => 3,
        Role::Rook => 4,
        Role::Queen => 5,
        Role::King => 6,
    };
    if color == Color::White { role } else { role + 6 }
}

fn piece(code: u8) -> Option<Piece> {
    let color = if code > 6 { Color::Black } else { Color::White };
    Role::ALL.into_iter().map(|role| Piece { color, role }).find(|piece| self::code(Some(*piece)) == code)
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
