//! Positions in which nobody can ever mate because a wall of pawns divides the board (Laws of Chess, 5.2.2 and 6.9).
//!
//! Only walls of pawns with the kings alone are decided: no pawn can ever move or capture, and no king can ever take one.
//! In every other position somebody may mate, as far as this file knows. In some of them that is doubtful: then the arbiter is
//! asked.

use tabiya_types::{Board, Color, Piece, Role, Square, Squares};

/// Whether no pawn of this board can ever move, capture or be captured, and only kings stand beside the pawns. A capture in
/// passing that is possible now is not seen by the board alone.
pub(super) fn is_locked(board: &Board) -> bool {
    let alone = board.pieces().all(|(_, piece)| matches!(piece.role, Role::King | Role::Pawn));
    let pawns = || board.pieces().filter(|(_, piece)| piece.role == Role::Pawn);
    alone
        && pawns().all(|(square, pawn)| is_blocked(board, square, pawn))
        && Color::ALL.into_iter().all(|color| takes_no_pawn(board, color))
}

/// Whether this side's pieces other than pawns cannot mate, and every pawn stands before another pawn and attacks none. There is a
/// pawn at least, and whether pieces can capture now is not looked at.
pub(super) fn is_blocked_without_pieces(board: &Board, by: Color) -> bool {
    let mut pawns = board.pieces().filter(|(_, piece)| piece.role == Role::Pawn).peekable();
    let others = board
        .pieces()
        .filter(|(_, piece)| piece.color == by && !matches!(piece.role, Role::King | Role::Pawn));
    let (minor, major): (Vec<_>, Vec<_>) =
        others.partition(|(_, piece)| matches!(piece.role, Role::Bishop | Role::Knight));
    pawns.peek().is_some()
        && pawns.all(|(square, pawn)| is_blocked(board, square, pawn))
        && major.is_empty()
        && minor.len() <= 1
}

/// The squares that a pawn attacks.
fn attacked(square: Square, by: Color) -> impl Iterator<Item = Square> {
    [-1, 1].into_iter().filter_map(move |files| square.offset(files, forward(by)))
}

fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Whether a pawn stands before another pawn and attacks none.
fn is_blocked(board: &Board, square: Square, pawn: Piece) -> bool {
    let is_pawn = |square: Square| board[square].is_some_and(|piece| piece.role == Role::Pawn);
    let takes = |to: Square| is_pawn(to) && board[to].is_some_and(|piece| piece.color != pawn.color);
    square.offset(0, forward(pawn.color)).is_some_and(is_pawn) && !attacked(square, pawn.color).any(takes)
}

/// Whether the king of this colour reaches no pawn that he could take, wherever he walks.
fn takes_no_pawn(board: &Board, color: Color) -> bool {
    let enemy = Piece { color: color.other(), role: Role::Pawn };
    let guarded: Squares = board
        .pieces()
        .filter(|(_, piece)| *piece == enemy)
        .flat_map(|(square, _)| attacked(square, enemy.color))
        .collect();
    let king = board.pieces().find(|(_, piece)| *piece == Piece { color, role: Role::King });
    let (mut seen, mut ways) = (Squares::default(), Vec::from_iter(king.map(|(square, _)| square)));
    while let Some(from) = ways.pop() {
        let around = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
        for to in around.filter_map(|(files, ranks)| from.offset(files, ranks)) {
            if guarded.has(to) || seen.has(to) {
                continue;
            }
            match board[to] {
                Some(piece) if piece == enemy => return false,
                Some(piece) if piece.role == Role::Pawn => {}
                Some(_) | None => {
                    seen.set(to, true);
                    ways.push(to);
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(placement: &str) -> bool {
        is_locked(&placement.parse().expect("the placement of a FEN"))
    }

    #[test]
    fn a_wall_of_pawns_that_nobody_can_pass_is_locked() {
        assert!(locked("k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/7K"));
    }

    #[test]
    fn behind_a_wall_one_minor_piece_is_doubtful_and_more_is_not() {
        let doubtful = |last_rank: &str| {
            let placement = format!("k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/{last_rank}");
            is_blocked_without_pieces(&placement.parse().expect("the placement of a FEN"), Color::White)
        };
        assert!(doubtful("6BK") && doubtful("6NK") && doubtful("6bK") && doubtful("5rqK"));
        assert!(!doubtful("5BNK") && !doubtful("6RK") && !doubtful("6QK"));
        let pawn_moves = "k7/8/8/8/8/8/P7/6BK".parse().expect("the placement of a FEN");
        let no_pawn = "k7/8/8/8/8/8/8/6BK".parse().expect("the placement of a FEN");
        assert!(!is_blocked_without_pieces(&pawn_moves, Color::White));
        assert!(!is_blocked_without_pieces(&no_pawn, Color::White));
    }

    #[test]
    fn a_wall_with_a_gap_a_free_pawn_or_a_pawn_that_can_be_taken_is_not() {
        // The king walks round over the h file.
        assert!(!locked("k7/8/p1p1p3/PpPpP3/1P1P4/8/8/7K"));
        // The pawn on h4 moves on.
        assert!(!locked("k7/8/p1p1p3/PpPpPp2/1P1P1P1P/8/8/7K"));
        // Black's pawn on a6 has no guard, and his king lets White's pass.
        assert!(!locked("k7/8/p7/P7/8/8/8/7K"));
        // A bishop can break every wall.
        assert!(!locked("k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/6BK"));
    }
}
