//! The pawns that the players take off before the deal.
//!
//! Source: `docs/rules-pokerdrez.md`, rules 3 and 4; `docs/record-pokerdrez.md`, "How lines act", 1.

use tabiya_types::{Board, ByColor, Color, Piece, Role, Square};

use super::refusals::DrezError;
use crate::rules::play::Play;

/// What each player has chosen. Black chooses first, and White takes no pawn off the file of Black's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrezPawns(ByColor<PawnChoice>);

/// Whether a player takes one of his pawns off before the deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum PawnChoice {
    /// The player has not said yet.
    #[default]
    Open,
    /// The player keeps all pawns.
    Keeps,
    /// The player has taken the pawn on this square off.
    Removes(Square),
}

impl DrezPawns {
    /// Who chooses a pawn next; `None` if both have chosen.
    pub(super) fn chooser(self) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|color| self.0[*color] == PawnChoice::Open)
    }

    /// The square of the pawn that a player has taken off.
    pub(super) fn taken_off(self, by: Color) -> Option<Square> {
        match self.0[by] {
            PawnChoice::Removes(at) => Some(at),
            PawnChoice::Open | PawnChoice::Keeps => None,
        }
    }

    /// A player takes the pawn on this square off, or keeps all.
    pub(super) fn remove(&mut self, by: Color, at: Option<Square>) -> Result<(), DrezError> {
        if self.0[by] != PawnChoice::Open {
            return Err(DrezError::ChosenAlready(by));
        }
        if self.chooser() != Some(by) {
            return Err(DrezError::BlackFirst);
        }
        if let Some(at) = at {
            if self.board()[at] != Some(Piece { color: by, role: Role::Pawn }) {
                return Err(DrezError::NoOwnPawn { by, at });
            }
            if !self.removable(by).contains(&at) {
                return Err(DrezError::SameFile(at));
            }
        }
        self.0[by] = at.map_or(PawnChoice::Keeps, PawnChoice::Removes);
        Ok(())
    }

    /// The pawns that a player may take off, from a1 to h8.
    pub(super) fn removable(self, by: Color) -> Vec<Square> {
        let taken = self.taken_off(by.other()).filter(|_| by == Color::White);
        let board = self.board();
        let own = |at: &Square| board[*at] == Some(Piece { color: by, role: Role::Pawn });
        Square::all().filter(own).filter(|at| taken.is_none_or(|taken| taken.file() != at.file())).collect()
    }

    /// The start position without the pawns that were taken off.
    pub(super) fn board(self) -> Board {
        let mut board = Play::usual(false).board();
        for at in Color::ALL.into_iter().filter_map(|color| self.taken_off(color)) {
            board[at] = None;
        }
        board
    }
}
