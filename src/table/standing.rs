//! What physically stands on the board, where a piece stands for another.
//!
//! The sensor sees a rook, the table a queen (ruling 15). This follows the logical board from change
//! to change and carries each stand-in along; it asks no game how its pieces move.

use tabiya_types::{Board, ByColor, Piece, Role, Square};

/// The logical board and the physical one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardPair {
    logical: Board,
    physical: Board,
    declared: ByColor<Option<Declared>>,
}

/// A stand-in that was announced before the board shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Declared {
    piece: Role,
    shown_by: Role,
}

impl BoardPair {
    /// Every piece stands for itself.
    pub fn new(board: Board) -> Self {
        Self { logical: board, physical: board, declared: ByColor::default() }
    }

    /// The board as a sensor sees it.
    pub fn physical(&self) -> Board {
        self.physical
    }

    /// This player's next `piece` will be shown by another one.
    pub fn declare(&mut self, by: tabiya_types::Color, piece: Role, shown_by: Role) {
        self.declared[by] = Some(Declared { piece, shown_by });
    }

    /// Follows a change of the logical board; `stands` is what the action itself said.
    pub fn follow(&mut self, board: &Board, stands: Option<Role>) {
        if stands.is_none() && self.is_plain() {
            (self.physical, self.logical) = (*board, *board);
            return;
        }
        let (physical, used) = self.shown(board, stands);
        if let Some(color) = used {
            self.declared[color] = None;
        }
        (self.physical, self.logical) = (physical, *board);
    }

    /// Whether every piece stands for itself and no stand-in was announced.
    pub fn is_plain(&self) -> bool {
        self.declared == ByColor::default() && self.logical == self.physical
    }

    /// How another logical board would look to the sensor, from here, and whether an announced
    /// stand-in would be used up by it.
    pub fn physical_of(&self, board: &Board, stands: Option<Role>) -> (Board, bool) {
        let (physical, used) = self.shown(board, stands);
        (physical, used.is_some())
    }

    fn shown(&self, board: &Board, stands: Option<Role>) -> (Board, Option<tabiya_types::Color>) {
        let changed = || self.logical.differences(board);
        let mut physical = self.physical;
        for square in changed() {
            physical[square] = None;
        }
        let mut used = None;
        for square in changed() {
            let Some(piece) = board[square] else { continue };
            // The same piece left another square: whatever stood for it there walks along.
            let walked =
                changed().find(|from| self.logical[*from] == Some(piece) && board[*from] != Some(piece));
            physical[square] = match (walked, stands, self.declared[piece.color]) {
                (Some(from), _, _) => self.physical[from],
                (None, Some(role), _) => Some(Piece { color: piece.color, role }),
                (None, None, Some(declared)) if declared.piece == piece.role => {
                    used = Some(piece.color);
                    Some(Piece { color: piece.color, role: declared.shown_by })
                }
                (None, None, _) => Some(piece),
            };
        }
        (physical, used)
    }

    /// The squares where a piece stands for another.
    pub fn stand_ins(&self) -> impl Iterator<Item = Square> {
        self.logical.differences(&self.physical)
    }
}
