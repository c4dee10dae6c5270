//! A chess move in UCI notation: from, to and promotion. The chess phase checks whether the move is legal.

use std::fmt;

use tabiya_types::{Role, Square};

/// A move in UCI notation. Castling is `e1g1`, or in Chess960 the king's move onto the rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uci {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that the piece reaches; always different from `from`.
    pub to: Square,
    /// The piece that a pawn promotes to: never a king or a pawn.
    pub promotion: Option<Role>,
}

impl Uci {
    /// Parses a move such as `e2e4` or `e7e8q`; `None` if the text does not have that form.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = (text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
        let promotion = match text.get(4..)? {
            "" => None,
            letter => {
                let of = |role: &Role| role.letter().to_ascii_lowercase().to_string() == letter;
                let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
                Some(roles.into_iter().find(of)?)
            }
        };
        (from != to).then_some(Self { from, to, promotion })
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter().to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_read_as_it_was_written_and_nothing_else_is_one() {
        for text in ["e2e4", "e7e8q", "a1h8", "h2h1n", "e1g1"] {
            assert_eq!(Uci::parse(text).map(|uci| uci.to_string()).as_deref(), Some(text));
        }
        for text in
            ["", "e2", "e2e9", "e2e2", "E2E4", "e7e8k", "e7e8p", "e7e8Q", "e7e8qq", "0000", "Q@e4", "e2é4"]
        {
            assert_eq!(Uci::parse(text), None, "{text}");
        }
    }
}
