//! The masquerade: other kinds of piece in the place of bold ones.
//!
//! Source: `docs/rules-chess-joker.md`, rules 20 and 20a.

use std::fmt;

use tabiya_types::Role;

use super::tree::{Kinds, roles};

/// The kinds in the order in which a record lists them: by their letters.
const BY_LETTER: [Role; 6] = [Role::Bishop, Role::King, Role::Knight, Role::Pawn, Role::Queen, Role::Rook];

/// What stands for each kind of piece where it is printed bold. Without any replacement it is no masquerade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Masquerade([Role; 6]);

impl Masquerade {
    /// Every kind as printed.
    pub const NONE: Self = Self(Role::ALL);

    /// The same masquerade with `by` in place of `role`.
    #[must_use]
    pub fn with(mut self, role: Role, by: Role) -> Self {
        self.0[role as usize] = by;
        self
    }

    /// Whether nothing is replaced.
    pub fn is_none(self) -> bool {
        self.0 == Role::ALL
    }

    /// The replacements, by the letter of what they replace: B K N P Q R.
    pub fn replaced(self) -> impl Iterator<Item = (Role, Role)> {
        BY_LETTER.into_iter().map(move |role| (role, self.0[role as usize])).filter(|(role, by)| role != by)
    }

    /// Whether it replaces none but these kinds (bits).
    pub(in super::super) fn replaces_only(self, of: u8) -> bool {
        self.replaced().all(|(role, _)| of >> role as u8 & 1 == 1)
    }

    /// The kinds that are meant, as bits.
    pub(super) fn applied(self, kind: Kinds) -> u8 {
        roles(kind.bold).fold(kind.plain, |all, role| all | 1 << self.0[role as usize] as u8)
    }

    /// Whether this is true of any masquerade that replaces one or more of these kinds (bits), each by any other.
    pub(in super::super) fn any(of: u8, is_so: &mut dyn FnMut(Self) -> bool) -> bool {
        Self::NONE.any_with(of, is_so)
    }

    fn any_with(self, of: u8, is_so: &mut dyn FnMut(Self) -> bool) -> bool {
        let Some(role) = roles(of).next() else { return !self.is_none() && is_so(self) };
        let left = of & !(1 << role as u8);
        self.any_with(left, is_so)
            || Role::ALL
                .into_iter()
                .filter(|by| *by != role)
                .any(|by| self.with(role, by).any_with(left, is_so))
    }
}

/// The replacements as a list of moves writes them: `N=P`, joined by commas.
impl fmt::Display for Masquerade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (role, by)) in self.replaced().enumerate() {
            let comma = if nth > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", role.letter(), by.letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Masquerade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}
