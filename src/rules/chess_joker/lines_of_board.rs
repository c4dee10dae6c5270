//! The lines of the board as sets of squares: where each kind of piece strikes, and the neighbours of a square.
//!
//! A set of squares is a `u64`: bit 0 is a1, bit 63 is h8. A square is its number, 0 to 63.

use tabiya_types::{Color, Role, Square};

/// The squares of file a.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of rank 1.
pub(super) const RANK_1: u64 = 0xff;

/// Files and ranks of a step: first the four directions in which squares get larger numbers.
const STEPS: [(isize, isize); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
/// Where the straight and the diagonal directions stand in [`STEPS`].
const STRAIGHT: [usize; 4] = [0, 1, 4, 5];
const DIAGONAL: [usize; 4] = [2, 3, 6, 7];

static RAYS: [[u64; 64]; 8] = rays();
static KNIGHT: [u64; 64] = leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [u64; 64] = leaps(STEPS);
static PAWN: [[u64; 64]; 2] = [
    leaps([(1, 1), (-1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]),
    leaps([(1, -1), (-1, -1), (1, -1), (1, -1), (1, -1), (1, -1), (1, -1), (1, -1)]),
];

/// The square with this number: 0 is a1, 63 is h8.
pub(super) fn square(number: usize) -> Square {
    Square::from_index(number).expect("a number below 64")
}

/// The set with this square alone.
pub(super) const fn bit(square: usize) -> u64 {
    1 << square
}

/// The squares of a set, from a1 to h8.
pub(super) fn each(set: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|left| *left != 0)
        .map(|left| left.trailing_zeros() as usize)
}

/// The squares of the file (0 to 7) of a square.
pub(super) const fn file_of(square: usize) -> u64 {
    FILE_A << (square % 8)
}

/// The squares of the rank of a square.
pub(super) const fn rank_of(square: usize) -> u64 {
    RANK_1 << (square / 8 * 8)
}

/// The up to eight neighbours of a square.
pub(super) fn neighbours(square: usize) -> u64 {
    KING[square]
}

/// The left and the right neighbour of a square.
pub(super) fn beside(square: usize) -> u64 {
    KING[square] & rank_of(square)
}

/// The squares of the same file with larger ranks.
pub(super) fn above(square: usize) -> u64 {
    RAYS[0][square]
}

/// The squares of the same file with smaller ranks.
pub(super) fn below(square: usize) -> u64 {
    RAYS[4][square]
}

/// The squares diagonally in front of a pawn of this colour.
pub(super) fn pawn(color: Color, square: usize) -> u64 {
    PAWN[color as usize][square]
}

/// The squares onto which a piece of this kind and colour could go to capture if every other square of the board held
/// an enemy or nothing. `occupied` holds the squares that stop a line.
pub(super) fn strikes(role: Role, color: Color, square: usize, occupied: u64) -> u64 {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => KNIGHT[square],
        Role::King => KING[square],
        Role::Bishop => along(&DIAGONAL, square, occupied),
        Role::Rook => along(&STRAIGHT, square, occupied),
        Role::Queen => along(&DIAGONAL, square, occupied) | along(&STRAIGHT, square, occupied),
    }
}

fn along(directions: &[usize; 4], square: usize, occupied: u64) -> u64 {
    let mut reached = 0;
    for &direction in directions {
        let ray = RAYS[direction][square];
        let blockers = ray & occupied;
        reached |= match (blockers, direction < 4) {
            (0, _) => ray,
            (_, true) => ray & !RAYS[direction][blockers.trailing_zeros() as usize],
            (_, false) => ray & !RAYS[direction][63 - blockers.leading_zeros() as usize],
        };
    }
    reached
}

const fn on_board(square: usize, files: isize, ranks: isize) -> Option<usize> {
    match ((square % 8).checked_add_signed(files), (square / 8).checked_add_signed(ranks)) {
        (Some(file), Some(rank)) if file < 8 && rank < 8 => Some(rank * 8 + file),
        _ => None,
    }
}

const fn leaps(steps: [(isize, isize); 8]) -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut nth = 0;
        while nth < 8 {
            if let Some(to) = on_board(square, steps[nth].0, steps[nth].1) {
                all[square] |= bit(to);
            }
            nth += 1;
        }
        square += 1;
    }
    all
}

const fn rays() -> [[u64; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = STEPS[direction];
        let mut square = 0;
        while square < 64 {
            let mut at = square;
            while let Some(next) = on_board(at, files, ranks) {
                all[direction][square] |= bit(next);
                at = next;
            }
            square += 1;
        }
        direction += 1;
    }
    all
}
