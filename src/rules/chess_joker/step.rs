//! One step of a played card as the record writes it: `c8f5`, `+Nb3`, `-d5`, `d6=B`, `a1<>h8`.
//!
//! Source: `docs/record-chess-joker.md`, "Lines".

use std::fmt;
use std::str::FromStr;

use tabiya_types::{Board, Piece, Role, Square};

/// What one step does to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardStep {
    /// A piece goes from one square to another one: `c8f5`.
    Goes(Square, Square),
    /// A new piece, no king, stands on a square: `+Nb3`.
    Adds(Piece, Square),
    /// The piece on a square is taken off: `-d5`.
    Takes(Square),
    /// The piece on a square becomes another one, no king: `d6=B`.
    Becomes(Square, Role),
    /// The pieces on two different squares change places: `a1<>h8`.
    Swaps(Square, Square),
}

impl CardStep {
    /// The squares that the step names.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let (first, second) = match self {
            Self::Goes(from, to) | Self::Swaps(from, to) => (from, Some(to)),
            Self::Adds(_, at) | Self::Takes(at) | Self::Becomes(at, _) => (at, None),
        };
        std::iter::once(first).chain(second)
    }

    /// The board after the step, as far as it can be done there: what does not stand on it is not moved.
    #[must_use]
    pub fn on(self, board: &Board) -> Board {
        let mut after = *board;
        match self {
            Self::Goes(from, to) => {
                if let Some(piece) = after[from].take() {
                    after[to] = Some(piece);
                }
            }
            Self::Adds(piece, at) => after[at] = Some(piece),
            Self::Takes(at) => after[at] = None,
            Self::Becomes(at, role) => after[at] = after[at].map(|piece| Piece { role, ..piece }),
            Self::Swaps(one, other) => (after[one], after[other]) = (board[other], board[one]),
        }
        after
    }
}

impl fmt::Display for CardStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goes(from, to) => write!(f, "{from}{to}"),
            Self::Adds(piece, at) => write!(f, "+{}{at}", piece.letter()),
            Self::Takes(at) => write!(f, "-{at}"),
            Self::Becomes(at, role) => write!(f, "{at}={}", role.letter()),
            Self::Swaps(one, other) => write!(f, "{one}<>{other}"),
        }
    }
}

/// The error for a text that is no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no step: write `c8f5`, `+Nb3`, `-d5`, `d6=B` or `a1<>h8`")]
pub struct NoStep(String);

impl FromStr for CardStep {
    type Err = NoStep;

    fn from_str(text: &str) -> Result<Self, NoStep> {
        read(text).ok_or_else(|| NoStep(text.to_owned()))
    }
}

fn read(text: &str) -> Option<CardStep> {
    let square = |text: &str| text.parse::<Square>().ok();
    if let Some(at) = text.strip_prefix('-') {
        return Some(CardStep::Takes(square(at)?));
    }
    if let Some(added) = text.strip_prefix('+') {
        let piece = Piece::from_letter(added.chars().next()?).filter(|piece| piece.role != Role::King)?;
        return Some(CardStep::Adds(piece, square(added.get(1..)?)?));
    }
    if let Some((at, letter)) = text.split_once('=') {
        let role = tabiya_types::one_letter(letter).and_then(Role::from_letter);
        return Some(CardStep::Becomes(square(at)?, role.filter(|role| *role != Role::King)?));
    }
    if let Some((one, other)) = text.split_once("<>") {
        let (one, other) = (square(one)?, square(other)?);
        return (one != other).then_some(CardStep::Swaps(one, other));
    }
    let (from, to) = (square(text.get(..2)?)?, square(text.get(2..)?)?);
    (from != to).then_some(CardStep::Goes(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_it_was_written_and_nothing_else_is_one() {
        for text in ["c8f5", "+Nb3", "+pa2", "-d5", "d6=B", "d6=P", "a1<>h8"] {
            assert_eq!(text.parse::<CardStep>().map(|step| step.to_string()).as_deref(), Ok(text));
        }
        let wrong = [
            "", "c8", "c8c8", "c8f9", "+Kb3", "+kb3", "+b3", "+Nb", "-", "-d9", "d6=K", "d6=b", "d6=",
            "d6=BB", "=B", "a1<>a1", "a1<h8", "c8f5q", "C8F5", "é8f5", "+éb3", "c8 f5",
        ];
        for text in wrong {
            assert!(text.parse::<CardStep>().is_err(), "{text}");
        }
    }
}
