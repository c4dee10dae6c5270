//! What the board has shown: the newest picture, since when it stands, and what was shown on the way.
//!
//! Knows no game. Squares that flicker do not keep the board from being quiet.

use std::collections::VecDeque;

use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Role, Square, Squares};

/// How many pictures are kept as evidence of the way here. A move shows two to twenty; the last few
/// moves must stay, because what was settled may have to be understood anew.
const PICTURES: usize = 192;
/// A square that changed this often within [`FLICKER_SPAN`] flickers. Sliding a piece over a square
/// and back changes it four times.
const FLICKERS: usize = 8;
const FLICKER_SPAN: Millis = Millis(10_000);
/// How many changes are kept for finding them: more than hands make in that time.
const CHANGES: usize = 512;

/// What the pieces on a board are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Acuity {
    /// Colour and kind.
    Pieces,
    /// Nothing: the board only feels that something stands there.
    Occupancy,
}

/// What stands for every piece where the board only feels that something stands there.
const SOMETHING: Piece = Piece { color: Color::White, role: Role::Pawn };

/// A picture and how long it was shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picture {
    pub(super) board: Board,
    pub(super) from: Instant,
    /// `None`: it still is.
    pub(super) until: Option<Instant>,
}

impl Picture {
    /// Whether it was shown only before `at`.
    pub(super) fn ended_before(&self, at: Instant) -> bool {
        self.until.is_some_and(|until| until < at)
    }

    /// Whether it was shown at that moment.
    pub(super) fn shown_at(&self, at: Instant) -> bool {
        self.from <= at && self.until.is_none_or(|until| until > at)
    }

    /// Whether it was shown for so long, and no longer is.
    pub(super) fn stood(&self, long: Millis) -> bool {
        self.until.is_some_and(|until| until.since(self.from) >= long)
    }
}

/// What the board has shown.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The newest picture, White below.
    board: Board,
    /// What its pieces are told apart by.
    acuity: Acuity,
    /// Whether all 64 squares were seen at least once.
    whole: bool,
    /// Whether the board stands the other way round.
    turned: bool,
    last_change: Instant,
    /// Since when the newest picture is shown, squares that flicker included.
    shown_since: Instant,
    pictures: VecDeque<Picture>,
    /// Recent changes, for finding squares that flicker: where, when, and what came.
    changes: VecDeque<(Square, Instant, Option<Piece>)>,
}

impl Sight {
    pub(super) fn new() -> Self {
        Self {
            board: Board::EMPTY,
            acuity: Acuity::Pieces,
            whole: false,
            turned: false,
            last_change: Instant::ZERO,
            shown_since: Instant::ZERO,
            pictures: VecDeque::with_capacity(PICTURES),
            changes: VecDeque::new(),
        }
    }

    /// Takes an observation of squares in; returns whether the picture changed.
    pub(super) fn see(&mut self, observation: &Observation, at: Instant) -> bool {
        match *observation {
            Observation::Whole(board) => self.see_all(board, Acuity::Pieces, at),
            Observation::Occupied(squares) => {
                let mut board = Board::EMPTY;
                squares.iter().for_each(|square| board[square] = Some(SOMETHING));
                self.see_all(board, Acuity::Occupancy, at)
            }
            Observation::Square(square, piece) => {
                let square = if self.turned { square.turned() } else { square };
                let mut board = self.board;
                board[square] = piece;
                self.show(board, at)
            }
            Observation::Press(_) => false,
        }
    }

    fn see_all(&mut self, board: Board, acuity: Acuity, at: Instant) -> bool {
        if self.acuity != acuity {
            // Another kind of board: what the last one has shown cannot be compared.
            self.acuity = acuity;
            self.pictures.clear();
            self.changes.clear();
            self.whole = false;
        }
        let first = !self.whole;
        self.whole = true;
        self.show(if self.turned { board.turned() } else { board }, at) || first
    }

    /// Whether the board tells which piece stands where, and not only that one does.
    pub(super) fn tells_pieces(&self) -> bool {
        self.acuity == Acuity::Pieces
    }

    /// A position as this board shows it.
    pub(super) fn view(&self, position: &Board) -> Board {
        match self.acuity {
            Acuity::Pieces => *position,
            Acuity::Occupancy => position.all_as(SOMETHING),
        }
    }

    /// What of an action must have been felt, where this board cannot tell one piece from another.
    pub(super) fn felt(&self, before: &Board, after: &Board) -> Felt {
        if self.tells_pieces() { Felt::default() } else { Felt::of(before, after) }
    }

    /// The newest picture with names for its pieces: those that should stand there, and where none should,
    /// those that are missing elsewhere, in the order of their squares.
    pub(super) fn named(&self, expected: &Board) -> Board {
        if self.tells_pieces() {
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

    /// Whether one piece comes and goes here. Another piece on the square is no flicker.
    fn flickers(&self, square: Square) -> bool {
        if self.changes.len() < FLICKERS {
            return false;
        }
        let here = || self.changes.iter().filter(|(then, _, _)| *then == square).map(|(_, _, piece)| *piece);
        let piece = here().flatten().next();
        here().count() >= FLICKERS && here().flatten().all(|other| Some(other) == piece)
    }

    /// Squares that flickered until the last change.
    pub(super) fn flickering(&self) -> Vec<Square> {
        if self.changes.len() < FLICKERS {
            return Vec::new();
        }
        Square::all().filter(|square| self.flickers(*square)).collect()
    }

    /// Keeps the present picture as evidence; it was shown until `until`.
    fn remember(&mut self, until: Instant) {
        if self.pictures.len() == PICTURES {
            self.pictures.pop_front();
        }
        self.pictures.push_back(Picture { board: self.board, from: self.shown_since, until: Some(until) });
        self.shown_since = until;
    }

    /// Forgets the way: what was shown so far has no meaning any more.
    pub(super) fn forget_way(&mut self) {
        self.pictures.clear();
    }

    /// The pictures that were shown at `since` and later, the newest last.
    pub(super) fn pictures(&self, since: Instant) -> Vec<Picture> {
        let first =
            self.pictures.partition_point(|picture| picture.until.is_some_and(|until| until <= since));
        let now = Picture { board: self.board, from: self.shown_since, until: None };
        self.pictures.range(first..).copied().chain([now]).collect()
    }

    /// Whether the picture has not changed from `from` to `until`.
    pub(super) fn stood(&self, from: Instant, until: Instant) -> bool {
        self.shown_since <= from
            || self.pictures.iter().any(|picture| {
                picture.from <= from && picture.until.is_some_and(|shown_until| shown_until > until)
            })
    }

    /// Since when a board was shown for so long, the last time that it was.
    pub(super) fn last_stood(&self, board: &Board, long: Millis) -> Option<Instant> {
        let shown = |picture: &&Picture| picture.board == *board && picture.stood(long);
        self.pictures.iter().rev().find(shown).map(|picture| picture.from)
    }

    /// The newest picture.
    pub(super) fn board(&self) -> Board {
        self.board
    }

    /// Whether a whole picture was ever seen.
    pub(super) fn known(&self) -> bool {
        self.whole
    }

    /// Since when the newest picture stands, squares that flicker left aside.
    pub(super) fn last_change(&self) -> Instant {
        self.last_change
    }

    /// Whether the board stands the other way round.
    pub(super) fn turned(&self) -> bool {
        self.turned
    }

    /// The board has been read from the wrong side so far: what it has shown on the way is turned, too.
    pub(super) fn turn_with_its_way(&mut self) {
        self.turned = !self.turned;
        self.board = self.board.turned();
        for picture in &mut self.pictures {
            picture.board = picture.board.turned();
        }
        for (square, ..) in &mut self.changes {
            *square = square.turned();
        }
    }

    /// From now on the board is read from the other side.
    pub(super) fn turn(&mut self) {
        self.turned = !self.turned;
        self.board = self.board.turned();
        self.pictures.clear();
        self.changes.clear();
    }
}

/// The squares that an action leaves empty for a moment: none of a board that knows its pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Felt {
    /// What it moves away from.
    pub(super) left: Squares,
    /// What it takes, and puts another piece there.
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

    /// How many of the squares that it left were never shown empty.
    pub(super) fn never_left<'a>(&self, pictures: &(impl Iterator<Item = &'a Picture> + Clone)) -> usize {
        self.left.iter().filter(|at| !pictures.clone().any(|picture| picture.board[*at].is_none())).count()
    }

    /// How many of the squares that it took were never shown empty together with those that it left: whoever
    /// takes a piece has both in his hands for a moment.
    pub(super) fn never_taken<'a>(&self, pictures: impl Iterator<Item = &'a Picture> + Clone) -> usize {
        let in_hand = |picture: &&Picture| self.left.iter().all(|at| picture.board[at].is_none());
        let in_hand = pictures.filter(in_hand);
        self.taken.iter().filter(|at| !in_hand.clone().any(|picture| picture.board[*at].is_none())).count()
    }
}
