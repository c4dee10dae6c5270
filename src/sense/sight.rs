//! What the board has shown: the newest picture, since when it stands, and what was shown on the way.
//!
//! Knows no game. Squares that flicker do not keep the board from being quiet.

use std::collections::VecDeque;

use crate::clock::{Instant, Millis};
use crate::rules::{Board, Piece, Square};
use crate::sense::Observation;

/// How many pictures are kept as evidence of the way since the last settled position. A slow
/// slide across the board shows fewer than twenty.
const PICTURES: usize = 96;
/// A square that changed this often within [`FLICKER_SPAN`] flickers. Sliding a piece over a square
/// and back changes it four times.
const FLICKERS: usize = 8;
const FLICKER_SPAN: Millis = Millis(10_000);

/// A picture and when it was last shown.
#[derive(Clone, Copy, Debug)]
struct Picture {
    board: Board,
    at: Instant,
}

/// What the board has shown.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The newest picture, White below.
    board: Board,
    /// Whether all 64 squares were seen at least once.
    whole: bool,
    /// Whether the board stands the other way round.
    turned: bool,
    last_change: Instant,
    pictures: VecDeque<Picture>,
    /// Recent changes, for finding squares that flicker.
    changes: VecDeque<(Square, Instant)>,
}

impl Sight {
    pub(super) fn new() -> Self {
        Self {
            board: Board::EMPTY,
            whole: false,
            turned: false,
            last_change: Instant::ZERO,
            pictures: VecDeque::with_capacity(PICTURES),
            changes: VecDeque::new(),
        }
    }

    /// Takes an observation of squares in; returns whether the picture changed.
    pub(super) fn see(&mut self, observation: &Observation, at: Instant) -> bool {
        match *observation {
            Observation::Whole(board) => {
                let first = !self.whole;
                self.whole = true;
                self.show(if self.turned { board.turned() } else { board }, at) || first
            }
            Observation::Square(square, piece) => {
                let square = if self.turned { square.turned() } else { square };
                let changed = self.board[square] != piece;
                if changed {
                    self.change(square, piece, at);
                }
                changed
            }
            Observation::Press(_) => false,
        }
    }

    fn change(&mut self, square: Square, piece: Option<Piece>, at: Instant) {
        self.remember(at);
        self.board[square] = piece;
        self.note_change(square, at);
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
        while self.changes.front().is_some_and(|(_, then)| at.since(*then) > FLICKER_SPAN) {
            self.changes.pop_front();
        }
        self.changes.push_back((square, at));
        if !self.flickers(square) {
            self.last_change = at;
        }
    }

    fn flickers(&self, square: Square) -> bool {
        self.changes.len() >= FLICKERS
            && self.changes.iter().filter(|(then, _)| *then == square).count() >= FLICKERS
    }

    /// Squares that flicker at the moment.
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
        self.pictures.push_back(Picture { board: self.board, at: until });
    }

    /// Forgets the way: a position was settled.
    pub(super) fn forget_way(&mut self) {
        self.pictures.clear();
    }

    /// When a picture was last shown on the way here.
    pub(super) fn last_shown(&self, board: &Board) -> Option<Instant> {
        if self.board == *board {
            return Some(self.last_change);
        }
        self.pictures.iter().rev().find(|picture| picture.board == *board).map(|picture| picture.at)
    }

    /// When a square last showed a piece on the way here.
    pub(super) fn last_showed(&self, square: Square, piece: Option<Piece>) -> Option<Instant> {
        if self.board[square] == piece {
            return Some(self.last_change);
        }
        self.pictures.iter().rev().find(|picture| picture.board[square] == piece).map(|picture| picture.at)
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

    /// From now on the board is read from the other side.
    pub(super) fn turn(&mut self) {
        self.turned = !self.turned;
        self.board = self.board.turned();
        self.pictures.clear();
        self.changes.clear();
    }
}
