//! How a real board is put right: which piece goes where, as the list beside the board says it and the arrows on the board
//! show it.

use tabiya_types::{Board, Piece, Square};

/// One thing to do on the real board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fix {
    /// The piece stands on `from` and belongs on `to`.
    Move { piece: Piece, from: Square, to: Square },
    /// The piece is missing from `to`.
    Put { piece: Piece, to: Square },
    /// The piece stands on `from` and belongs nowhere.
    Off { piece: Piece, from: Square },
}

/// What to do so that the board shows what is expected: pieces that only slipped first, by the shortest ways.
pub(super) fn fixes(seen: &Board, expected: &Board) -> Vec<Fix> {
    let differing: Vec<Square> = seen.differences(expected).collect();
    let mut missing: Vec<(Square, Piece)> =
        differing.iter().filter_map(|square| Some((*square, expected[*square]?))).collect();
    let (mut moves, mut off) = (Vec::new(), Vec::new());
    for (from, piece) in differing.iter().filter_map(|square| Some((*square, seen[*square]?))) {
        let fitting = missing.iter().enumerate().filter(|(_, (_, wanted))| *wanted == piece);
        match fitting.min_by_key(|(_, (to, _))| way(from, *to)).map(|(nth, _)| nth) {
            Some(nth) => {
                let (to, _) = missing.remove(nth);
                moves.push(Fix::Move { piece, from, to });
            }
            None => off.push(Fix::Off { piece, from }),
        }
    }
    let put = missing.into_iter().map(|(to, piece)| Fix::Put { piece, to });
    moves.into_iter().chain(off).chain(put).collect()
}

/// How far apart two squares are, as a king goes.
pub(super) fn way(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
}

impl Fix {
    /// The squares on which it does something.
    fn squares(self) -> impl Iterator<Item = Square> {
        let (from, to) = match self {
            Self::Move { from, to, .. } => (Some(from), Some(to)),
            Self::Put { to, .. } => (None, Some(to)),
            Self::Off { from, .. } => (Some(from), None),
        };
        from.into_iter().chain(to)
    }
}

/// One line of the list of what to put right. It keeps its number until the board stands right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repair {
    /// The number in the list and on the board, from 1.
    pub(super) number: usize,
    pub(super) fix: Fix,
    /// Whether it has been done.
    pub(super) done: bool,
}

/// Follows the list while people put the board right: `now` is what is still to be done. What was done stays as a ticked
/// line; a line in whose place something else is to be done goes.
pub(super) fn follow(list: &mut Vec<Repair>, now: &[Fix]) {
    if now.is_empty() {
        list.clear();
        return;
    }
    let busy = |square: Square| now.iter().any(|fix| fix.squares().any(|other| other == square));
    list.retain(|line| now.contains(&line.fix) || !line.fix.squares().any(busy));
    for line in list.iter_mut() {
        line.done = !now.contains(&line.fix);
    }
    for fix in now {
        if !list.iter().any(|line| line.fix == *fix) {
            let free = |number: &usize| list.iter().all(|line| line.number != *number);
            let number = (1..=list.len() + 1).find(free).unwrap_or_default();
            list.push(Repair { number, fix: *fix, done: false });
        }
    }
    list.sort_by_key(|line| line.number);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(seen: &str, expected: &str) -> Vec<String> {
        let board = |text: &str| text.parse::<Board>().expect("a board");
        let fixes = fixes(&board(seen), &board(expected));
        let one = |fix: &Fix| match fix {
            Fix::Move { piece, from, to } => format!("{} {from}-{to}", piece.letter()),
            Fix::Put { piece, to } => format!("{} to {to}", piece.letter()),
            Fix::Off { piece, from } => format!("{} off {from}", piece.letter()),
        };
        fixes.iter().map(one).collect()
    }

    #[test]
    fn a_piece_that_slipped_goes_back_and_a_lost_one_is_put_on() {
        let expected = "4k3/3p4/8/8/8/5N2/8/4K3";
        assert_eq!(told("4k3/8/8/8/8/7N/8/4K3", expected), ["N h3-f3", "p to d7"]);
        assert_eq!(told(expected, expected), Vec::<String>::new());
    }

    #[test]
    fn exchanged_pieces_go_the_shortest_ways() {
        assert_eq!(told("8/8/8/8/8/8/8/NB6", "8/8/8/8/8/8/8/BN6"), ["N a1-b1", "B b1-a1"]);
        assert_eq!(told("8/8/8/8/8/8/8/N6N", "8/8/8/8/8/8/NQ6/8"), ["N a1-a2", "N off h1", "Q to b2"]);
    }

    #[test]
    fn a_line_that_was_done_is_ticked_and_the_others_keep_their_numbers() {
        let board = |text: &str| text.parse::<Board>().expect("a board");
        let expected = board("4k3/3p4/8/8/8/5N2/8/4K3");
        let mut list = Vec::new();
        let told = |list: &[Repair]| list.iter().map(|line| (line.number, line.done)).collect::<Vec<_>>();
        follow(&mut list, &fixes(&board("4k3/8/8/8/8/7N/8/4K3"), &expected));
        assert_eq!(told(&list), [(1, false), (2, false)]);
        follow(&mut list, &fixes(&board("4k3/8/8/8/8/5N2/8/4K3"), &expected));
        assert_eq!(told(&list), [(1, true), (2, false)], "the knight is back");
        follow(&mut list, &fixes(&board("4k3/8/8/8/8/8/8/4K3"), &expected));
        assert_eq!(told(&list), [(1, false), (2, false)], "it was lifted again: another line in its place");
        follow(&mut list, &[]);
        assert!(list.is_empty());
    }
}
