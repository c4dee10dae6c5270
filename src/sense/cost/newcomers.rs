//! Pieces that stand where they did not stand at first, and those of them that only seem to.

use tabiya_types::{Board, Instant, Piece, Square};

use super::PASS;
use crate::sense::sight::Picture;

/// A piece that stands where it did not stand at the root.
pub(super) struct Newcomer {
    pub(super) at: Square,
    pub(super) piece: Piece,
    pub(super) since: Instant,
    /// Since when the same piece is shown on a square that it came to later.
    gone_on: Option<Instant>,
    /// That square, unless it lies on the way here and was only told late.
    went_to: Option<Square>,
    /// Whether that was so for so long, or until the piece had left there, that the board must have looked
    /// here: its lift was lost.
    pub(super) behind: bool,
}

impl Newcomer {
    /// Whether the same piece has come to another square since, so that only its lift was lost.
    pub(super) fn has_gone_on(&self) -> bool {
        self.gone_on.is_some()
    }
}

/// All of them, picture by picture.
pub(super) struct Newcomers<'a> {
    root: &'a Board,
    /// Where the way ends: a piece that is placed on it is one more.
    end: &'a Board,
    pub(super) list: Vec<Newcomer>,
}

impl<'a> Newcomers<'a> {
    pub(super) fn between(root: &'a Board, end: &'a Board) -> Self {
        Self { root, end, list: Vec::new() }
    }

    /// Takes the next picture in.
    pub(super) fn see(&mut self, picture: &Picture) {
        self.list.retain(|newcomer| picture.board[newcomer.at] == Some(newcomer.piece));
        for at in self.root.differences(&picture.board) {
            let Some(piece) = picture.board[at] else { continue };
            if !self.list.iter().any(|newcomer| newcomer.at == at) {
                self.list.push(Newcomer {
                    at,
                    piece,
                    since: picture.from,
                    gone_on: None,
                    went_to: None,
                    behind: false,
                });
            }
        }
        let newest: Vec<(Square, Piece, Instant)> =
            self.list.iter().map(|newcomer| (newcomer.at, newcomer.piece, newcomer.since)).collect();
        let until = picture.until.unwrap_or(picture.from);
        for newcomer in &mut self.list {
            let Newcomer { at, piece, since, .. } = *newcomer;
            let later = |(_, other, came): &&(Square, Piece, Instant)| *other == piece && *came > since;
            let twice = newest.iter().any(|other| later(&other))
                && count(&picture.board, piece) > count(self.root, piece).max(count(self.end, piece));
            newcomer.behind |= newcomer.went_to.is_some_and(|there| picture.board[there] != Some(piece));
            let froms = || self.root.pieces().filter(|(_, there)| *there == piece);
            let passed = |there: Square| froms().any(|(from, _)| from.between(at).any(|on| on == there));
            let mut came = newest.iter().filter(later).filter(|(.., came)| *came == picture.from);
            let went_to = came.find(|(there, ..)| !passed(*there)).map(|(there, ..)| *there);
            newcomer.went_to = went_to.or(newcomer.went_to).filter(|_| twice);
            newcomer.gone_on = twice.then(|| newcomer.gone_on.unwrap_or(picture.from));
            newcomer.behind |= newcomer.gone_on.is_some_and(|gone_on| until > gone_on + PASS);
        }
    }
}

/// How many such pieces stand on a board.
pub(super) fn count(board: &Board, piece: Piece) -> usize {
    board.pieces().filter(|(_, other)| *other == piece).count()
}
