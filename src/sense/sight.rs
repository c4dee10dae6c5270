//! What the board has shown: the newest picture of all its squares, the time of the last change, and the
//! earlier pictures.
//!
//! This file knows no rules of a game. A board counts as quiet even if some of its squares flicker.

use std::collections::VecDeque;

use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Role, Square, Squares};

/// How many earlier pictures are kept. A move produces two to twenty pictures. Those of the last few moves are
/// needed, because later pictures may show that a settled move was really another move.
const PICTURES: usize = 192;
/// A square counts as flickering if it changes at least this often within [`FLICKER_SPAN`]. A piece that slides over
/// a square and back changes the square only four times.
const FLICKERS: usize = 8;
const FLICKER_SPAN: Millis = Millis(10_000);
/// How many changes of squares are kept to detect flicker. The hands of the players cause fewer changes than this
/// within [`FLICKER_SPAN`].
const CHANGES: usize = 512;

/// What a board reports about the piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Acuity {
    /// The board reports the colour and the kind of the piece.
    Pieces,
    /// The board reports only that there is a piece.
    Occupancy,
}

/// The piece that stands for every piece on a board that senses only occupancy.
const SOMETHING: Piece = Piece { color: Color::White, role: Role::Pawn };

/// The content of the board's squares, and the time during which the board showed it unchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    pub(super) board: Board,
    pub(super) from: Instant,
    /// The time at which the next picture replaced this one; `None` for the picture that is shown now.
    pub(super) until: Option<Instant>,
}

impl Picture {
    /// Whether another picture replaced this one before `at`.
    pub(super) fn ended_before(&self, at: Instant) -> bool {
        self.until.is_some_and(|until| until < at)
    }

    /// Whether this picture was shown at the moment `at`.
    pub(super) fn shown_at(&self, at: Instant) -> bool {
        self.from <= at && self.until.is_none_or(|until| until > at)
    }

    /// Whether this picture was shown for at least `long` and has been replaced since.
    pub(super) fn lasted(&self, long: Millis) -> bool {
        self.until.is_some_and(|until| until.since(self.from) >= long)
    }
}

/// Everything that the board has shown.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The newest picture, seen from White's side.
    board: Board,
    /// What the board reports about its pieces.
    acuity: Acuity,
    /// Whether all 64 squares were seen at least once.
    complete: bool,
    /// Whether the board is turned by 180 degrees.
    turned: bool,
    /// The time of the last change of a square. Changes of squares that flicker do not count.
    last_change: Instant,
    /// The time since which the newest picture is shown. A change of a flickering square begins a new picture
    /// too.
    shown_since: Instant,
    /// The earlier pictures, the newest last.
    pictures: VecDeque<Picture>,
    /// Recent changes, to detect squares that flicker. Each has the square, the moment, and the piece on the
    /// square after the change.
    changes: VecDeque<(Square, Instant, Option<Piece>)>,
}

impl Sight {
    pub(super) fn new() -> Self {
        Self {
            board: Board::EMPTY,
            acuity: Acuity::Pieces,
            complete: false,
            turned: false,
            last_change: Instant::ZERO,
            shown_since: Instant::ZERO,
            pictures: VecDeque::with_capacity(PICTURES),
            changes: VecDeque::new(),
        }
    }

    /// Takes in an observation. Returns `true` if it changed the newest picture or completed the first one. A press
    /// changes no picture, so the result is `false`.
    pub(super) fn see(&mut self, observation: &Observation, at: Instant) -> bool {
        match *observation {
            Observation::Whole(board) => self.see_all(board, Acuity::Pieces, at),
            Observation::Occupied(squares) => {
                let mut board = Board::EMPTY;
                squares.iter().for_each(|square| board[square] = Some(SOMETHING));
                self.see_all(board, Acuity::Occupancy, at)
            }
            Observation::Square(square, piece) => {
                let square = if self.turned { square.rotated() } else { square };
                let mut board = self.board;
                board[square] = piece;
                self.show(board, at)
            }
            Observation::Press(_) => false,
        }
    }

    fn see_all(&mut self, board: Board, acuity: Acuity, at: Instant) -> bool {
        if self.acuity != acuity {
            // The observation comes from another kind of board, whose pictures cannot be compared with the
            // earlier pictures.
            self.acuity = acuity;
            self.pictures.clear();
            self.changes.clear();
            self.complete = false;
        }
        let first = !self.complete;
        self.complete = true;
        self.show(if self.turned { board.rotated() } else { board }, at) || first
    }

    /// Whether the board reports which piece is on a square. If `false`, it reports only whether there is a
    /// piece.
    pub(super) fn identifies_pieces(&self) -> bool {
        self.acuity == Acuity::Pieces
    }

    /// The picture that this board would show if its pieces stood as in `position`.
    pub(super) fn view(&self, position: &Board) -> Board {
        match self.acuity {
            Acuity::Pieces => *position,
            Acuity::Occupancy => position.all_as(SOMETHING),
        }
    }

    /// The squares that an action must have emptied for a moment. They matter only if the board senses only
    /// occupancy. For a board that identifies its pieces the result is empty.
    pub(super) fn felt(&self, before: &Board, after: &Board) -> Felt {
        if self.identifies_pieces() { Felt::default() } else { Felt::of(before, after) }
    }

    /// The newest picture with its pieces identified. If the board senses only occupancy, the identity of each piece
    /// is concluded from `expected`. A piece on a square where a piece is expected counts as that expected piece. The
    /// pieces on other squares count as the expected pieces whose squares are empty; these are assigned in the order
    /// of their empty squares.
    pub(super) fn named(&self, expected: &Board) -> Board {
        if self.identifies_pieces() {
            return self.board;
        }
        let mut named = Board::EMPTY;
        let mut missing = expected.pieces().filter(|(square, _)| self.board[*square].is_none());
        for (square, _) in self.board.pieces() {
            let name = expected[square].or_else(|| missing.next().map(|(_, piece)| piece));
            named[square] = name.or(Some(SOMETHING));
        }
        named
    }

    fn show(&mut self, board: Board, at: Instant) -> bool {
        if board == self.board {
            return false;
        }
        self.remember(at);
        let before = std::mem::replace(&mut self.board, board);
        for square in before.differences(&board) {
            self.note_change(square, at);
        }
        true
    }

    fn note_change(&mut self, square: Square, at: Instant) {
        let old = |(_, then, _): &(Square, Instant, Option<Piece>)| at.since(*then) > FLICKER_SPAN;
        while self.changes.len() >= CHANGES || self.changes.front().is_some_and(old) {
            self.changes.pop_front();
        }
        self.changes.push_back((square, at, self.board[square]));
        if !self.flickers(square) {
            self.last_change = at;
        }
    }

    /// Whether the same piece repeatedly appears and disappears on this square. If different pieces appear,
    /// that is not flicker.
    fn flickers(&self, square: Square) -> bool {
        if self.changes.len() < FLICKERS {
            return false;
        }
        let here = || self.changes.iter().filter(|(then, _, _)| *then == square).map(|(_, _, piece)| *piece);
        let piece = here().flatten().next();
        here().count() >= FLICKERS && here().flatten().all(|other| Some(other) == piece)
    }

    /// The squares that flicker.
    pub(super) fn flickering(&self) -> Vec<Square> {
        if self.changes.len() < FLICKERS {
            return Vec::new();
        }
        Square::all().filter(|square| self.flickers(*square)).collect()
    }

    /// Adds the newest picture, which was shown until `until`, to the earlier pictures.
    fn remember(&mut self, until: Instant) {
        if self.pictures.len() == PICTURES {
            self.pictures.pop_front();
        }
        self.pictures.push_back(Picture { board: self.board, from: self.shown_since, until: Some(until) });
        self.shown_since = until;
    }

    /// Drops the earlier pictures, so that they no longer count as evidence.
    pub(super) fn forget_pictures(&mut self) {
        self.pictures.clear();
    }

    /// The pictures that were shown after `since`, the newest last. The first of them may have appeared before
    /// `since`.
    pub(super) fn pictures(&self, since: Instant) -> Vec<Picture> {
        let first =
            self.pictures.partition_point(|picture| picture.until.is_some_and(|until| until <= since));
        let now = Picture { board: self.board, from: self.shown_since, until: None };
        self.pictures.range(first..).copied().chain([now]).collect()
    }

    /// Whether the picture stayed unchanged from the moment `from` to the moment `until`.
    pub(super) fn unchanged_between(&self, from: Instant, until: Instant) -> bool {
        self.shown_since <= from
            || self.pictures.iter().any(|picture| {
                picture.from <= from && picture.until.is_some_and(|shown_until| shown_until > until)
            })
    }

    /// Finds the latest earlier picture that equals `board` and was shown for at least `long`, and returns the time
    /// at which this picture appeared. `None` if there is no such picture. The newest picture does not count.
    pub(super) fn last_shown_for(&self, board: &Board, long: Millis) -> Option<Instant> {
        let shown = |picture: &&Picture| picture.board == *board && picture.lasted(long);
        self.pictures.iter().rev().find(shown).map(|picture| picture.from)
    }

    /// The newest picture.
    pub(super) fn board(&self) -> Board {
        self.board
    }

    /// Whether all 64 squares were seen at least once.
    pub(super) fn known(&self) -> bool {
        self.complete
    }

    /// The time of the last change of a square. Changes of squares that flicker do not count.
    pub(super) fn last_change(&self) -> Instant {
        self.last_change
    }

    /// Whether the board is turned by 180 degrees.
    pub(super) fn turned(&self) -> bool {
        self.turned
    }

    /// Turns the board by 180 degrees, together with all earlier pictures, which were read from the wrong side.
    pub(super) fn turn_with_pictures(&mut self) {
        self.turned = !self.turned;
        self.board = self.board.rotated();
        for picture in &mut self.pictures {
            picture.board = picture.board.rotated();
        }
        for (square, ..) in &mut self.changes {
            *square = square.rotated();
        }
    }

    /// Turns the board by 180 degrees from now on, and drops the earlier pictures.
    pub(super) fn turn(&mut self) {
        self.turned = !self.turned;
        self.board = self.board.rotated();
        self.pictures.clear();
        self.changes.clear();
    }
}

/// The squares that a board which senses only occupancy must show empty for a moment while an action is played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Felt {
    /// The squares from which pieces move away.
    pub(super) left: Squares,
    /// The squares on which a piece is captured and replaced by another.
    pub(super) taken: Squares,
}

impl Felt {
    pub(super) fn of(before: &Board, after: &Board) -> Self {
        let emptied = |put: bool| {
            let changed = before.differences(after).filter(|at| before[*at].is_some());
            changed.filter(|at| after[*at].is_some() == put).collect()
        };
        Self { left: emptied(false), taken: emptied(true) }
    }

    /// Counts the squares from which pieces moved away but which no picture shows empty.
    pub(super) fn never_left<'a>(&self, pictures: &(impl Iterator<Item = &'a Picture> + Clone)) -> usize {
        self.left.iter().filter(|at| !pictures.clone().any(|picture| picture.board[*at].is_none())).count()
    }

    /// Counts the capture squares (`taken`) for which no picture shows this: the capture square and all squares of
    /// `left` are empty at the same time. During a capture a player usually has both pieces in the air for a moment.
    pub(super) fn never_taken<'a>(&self, pictures: impl Iterator<Item = &'a Picture> + Clone) -> usize {
        let in_hand = |picture: &&Picture| self.left.iter().all(|at| picture.board[at].is_none());
        let in_hand = pictures.filter(in_hand);
        self.taken.iter().filter(|at| !in_hand.clone().any(|picture| picture.board[*at].is_none())).count()
    }
}
