//! The physical board and the logical board, which differ where a stand-in represents another piece.
//!
//! With a stand-in, the sensor may see a rook while the table counts a queen (ruling 15 in `docs/rules.md`). This
//! module follows the logical board from change to change and moves each stand-in with its piece; it needs no rules
//! of the game.

use tabiya_types::{Board, ByColor, Piece, Role, Square};

/// The logical board and the physical board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardPair {
    logical: Board,
    physical: Board,
    declared: ByColor<Option<Declared>>,
}

/// The most logical boards that one physical board may mean. Few pieces stand in for others.
const MOST_MEANINGS: usize = 16;

/// A board with another piece on a square.
fn with(board: &Board, square: Square, piece: Piece) -> Board {
    let mut board = *board;
    board[square] = Some(piece);
    board
}

/// A stand-in that a player has declared but not put on the board yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Declared {
    piece: Role,
    shown_by: Role,
}

impl BoardPair {
    /// A pair of equal boards, without stand-ins.
    pub fn new(board: Board) -> Self {
        Self { logical: board, physical: board, declared: ByColor::default() }
    }

    /// The physical board, as a sensor sees it.
    pub fn physical(&self) -> Board {
        self.physical
    }

    /// Declares that the next new piece of this player, if it is of the kind `piece`, will be represented by a physical
    /// piece of the kind `shown_by`.
    pub fn declare(&mut self, by: tabiya_types::Color, piece: Role, shown_by: Role) {
        self.declared[by] = Some(Declared { piece, shown_by });
    }

    /// Updates both boards after an action. `board` is the logical board after the action; `stands` is the kind of
    /// physical piece that the action names as a stand-in, if any.
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

    /// Takes off what a placement replaces, so that it counts anew, with or without a stand-in: the piece on its square
    /// `at`, and one that was placed elsewhere in the same turn. `board` is the logical board after the placement.
    pub fn take_off_replaced(&mut self, board: &Board, at: Square) {
        let replaced: Vec<Square> = self.logical.differences(board).chain([at]).collect();
        for square in replaced {
            (self.physical[square], self.logical[square]) = (None, None);
        }
    }

    /// Whether no stand-in is on the board and no stand-in is declared.
    pub fn is_plain(&self) -> bool {
        self.declared == ByColor::default() && self.logical == self.physical
    }

    /// The physical board as it would be if `board` became the logical board. The second value is `true` if this change
    /// would put a declared stand-in on the board.
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
            // If a piece of the same kind and colour has left another square, that piece has moved to this square. If a
            // stand-in represents it, the stand-in has moved, too.
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

    /// The logical boards that the physical board `seen` may mean, the likeliest first: a piece that came to its square
    /// may be the stand-in that was declared, or one that stood elsewhere. `logical` is the board without that.
    pub fn meant_by(&self, logical: &Board, seen: &Board) -> Vec<Board> {
        let mut boards = vec![*logical];
        if self.is_plain() {
            return boards;
        }
        for square in self.physical.differences(seen) {
            let Some(came) = seen[square] else { continue };
            let meant: Vec<Board> = self
                .represented_by(came, seen)
                .flat_map(|piece| boards.iter().map(move |board| with(board, square, piece)))
                .collect();
            boards.splice(0..0, meant);
            boards.truncate(MOST_MEANINGS);
        }
        boards
    }

    /// What a physical piece that came to a square may represent beside itself: first what was declared, then the pieces
    /// of stand-ins that have left their squares.
    fn represented_by(&self, came: Piece, seen: &Board) -> impl Iterator<Item = Piece> {
        let declared = self.declared[came.color].filter(|declared| declared.shown_by == came.role);
        let declared = declared.map(|declared| Piece { role: declared.piece, ..came });
        let mut pieces: Vec<Piece> = declared.into_iter().collect();
        for from in
            self.stand_ins().filter(|from| self.physical[*from] == Some(came) && seen[*from] != Some(came))
        {
            pieces.extend(self.logical[from].filter(|piece| !pieces.contains(piece)));
        }
        pieces.into_iter()
    }

    /// The squares on which a stand-in represents another piece.
    pub fn stand_ins(&self) -> impl Iterator<Item = Square> {
        self.logical.differences(&self.physical)
    }
}
