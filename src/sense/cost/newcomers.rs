//! Newcomers: pieces on squares where they were not at the beginning of an explanation. A newcomer that the
//! board still shows may really be on another square by now.
//!
//! If a board fails to report that a piece was lifted, it shows the piece both on its old square and on its
//! new square.

use tabiya_types::{Board, Instant, Piece, Square};

use super::SCAN_TIME;
use crate::sense::sight::Picture;

/// A piece on a square where it was not at the beginning of the explanation.
pub(super) struct Newcomer {
    pub(super) at: Square,
    pub(super) piece: Piece,
    /// The time at which the board first showed the piece on this square.
    pub(super) since: Instant,
    /// The time since which the board has shown this piece twice: on this square, and on a second square that the piece
    /// reached later. `None` if the board shows the piece only on this square.
    gone_on: Option<Instant>,
    /// The second square on which the board shows this piece. `None` in two cases: there is no such square, or the
    /// piece only passed over it on its way to this square and the board reported that late.
    went_to: Option<Square>,
    /// Whether the piece has certainly been lifted from this square without a report by the board. This is certain in
    /// two cases: the board has scanned this square since the piece arrived on the second square, or the piece has
    /// left the second square too.
    pub(super) lift_lost: bool,
}

impl Newcomer {
    /// Whether the same piece has arrived on a second square since. Then the piece is no longer here, and the
    /// board only failed to report its lift.
    pub(super) fn has_moved_on(&self) -> bool {
        self.gone_on.is_some()
    }
}

/// The newcomers of one explanation. Each picture updates them; a picture is the content of all squares,
/// and the time during which the board showed this content.
pub(super) struct Newcomers<'a> {
    /// The board at the beginning of the explanation.
    root: &'a Board,
    /// The board at the end of the explanation. It may have more pieces than `root`, because actions can place
    /// pieces.
    end: &'a Board,
    pub(super) list: Vec<Newcomer>,
}

impl<'a> Newcomers<'a> {
    pub(super) fn between(root: &'a Board, end: &'a Board) -> Self {
        Self { root, end, list: Vec::new() }
    }

    /// Updates the list of newcomers with the next picture.
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
                    lift_lost: false,
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
            newcomer.lift_lost |= newcomer.went_to.is_some_and(|there| picture.board[there] != Some(piece));
            let froms = || self.root.pieces().filter(|(_, there)| *there == piece);
            let passed = |there: Square| froms().any(|(from, _)| from.between(at).any(|on| on == there));
            let mut came = newest.iter().filter(later).filter(|(.., came)| *came == picture.from);
            let went_to = came.find(|(there, ..)| !passed(*there)).map(|(there, ..)| *there);
            newcomer.went_to = went_to.or(newcomer.went_to).filter(|_| twice);
            newcomer.gone_on = twice.then(|| newcomer.gone_on.unwrap_or(picture.from));
            newcomer.lift_lost |= newcomer.gone_on.is_some_and(|gone_on| until > gone_on + SCAN_TIME);
        }
    }
}

/// How many pieces of this colour and kind stand on a board.
pub(super) fn count(board: &Board, piece: Piece) -> usize {
    board.pieces().filter(|(_, other)| *other == piece).count()
}
