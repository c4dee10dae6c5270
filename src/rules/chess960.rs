//! The start positions of Chess960 and their numbers.
//!
//! Source: FIDE's Laws of Chess, Guidelines II (bishops on squares of both colours, the king between the rooks, Black's pieces
//! opposite White's); the numbers are those of Reinhard Scharnagl, by which 518 is the usual array.

use tabiya_types::Role;

/// How many start positions there are; their numbers are those below.
pub const POSITIONS: u16 = 960;

/// The files of the knights among the five that are free when bishops and queen stand.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// The pieces of the first rank in this position, from the a-file; `None` from 960 on.
pub fn array(number: u16) -> Option<[Role; 8]> {
    if number >= POSITIONS {
        return None;
    }
    let mut files: [Option<Role>; 8] = [None; 8];
    let mut put = |nth_free: usize, role: Role| {
        let mut free = files.iter_mut().filter(|piece| piece.is_none());
        if let Some(file) = free.nth(nth_free) {
            *file = Some(role);
        }
    };
    let number = usize::from(number);
    let (rest, light) = (number / 4, 2 * (number % 4) + 1);
    let (rest, dark) = (rest / 4, 2 * (rest % 4));
    let (knights, queen) = (rest / 6, rest % 6);
    // While nothing stands, the files that are free are all files; after the first bishop, one less from there on.
    put(light, Role::Bishop);
    put(if dark > light { dark - 1 } else { dark }, Role::Bishop);
    put(queen, Role::Queen);
    let (first, second) = *KNIGHTS.get(knights)?;
    // The farther one goes first, so that the nearer one keeps its place.
    put(second, Role::Knight);
    put(first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(0, role);
    }
    let mut whole = [Role::King; 8];
    for (role, file) in whole.iter_mut().zip(files) {
        *role = file?;
    }
    Some(whole)
}

/// This position as a FEN; `None` from 960 on. `KQkq` means the rooks of the position, wherever they stand.
pub fn start_fen(number: u16) -> Option<String> {
    let pieces = array(number)?;
    let white: String = pieces.iter().map(|role| role.letter().to_ascii_uppercase()).collect();
    let black = white.to_ascii_lowercase();
    Some(format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"))
}

/// The letters of the first rank in this position, for people: `R N B Q K B N R`.
pub fn letters(number: u16) -> Option<String> {
    let letters: Vec<String> =
        array(number)?.iter().map(|role| role.letter().to_ascii_uppercase().to_string()).collect();
    Some(letters.join(" "))
}

/// The number of the position with these pieces on the first rank, from the a-file; `None` if there is none.
pub fn number_of(pieces: &[Role; 8]) -> Option<u16> {
    (0..POSITIONS).find(|number| array(*number).as_ref() == Some(pieces))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::Play;

    #[test]
    fn each_of_the_960_positions_is_another_one_with_bishops_of_both_colours_and_the_king_between_the_rooks()
    {
        let mut seen = BTreeSet::new();
        for number in 0..POSITIONS {
            let pieces = array(number).expect("below 960");
            let files = |role: Role| -> Vec<usize> {
                (0..8).filter(|file| pieces.get(*file) == Some(&role)).collect()
            };
            let (bishops, rooks) = (files(Role::Bishop), files(Role::Rook));
            let counts = [Role::Queen, Role::King, Role::Knight].map(|role| files(role).len());
            assert_eq!((bishops.len(), rooks.len(), counts), (2, 2, [1, 1, 2]), "{number}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{number}");
            assert!(rooks[0] < files(Role::King)[0] && files(Role::King)[0] < rooks[1], "{number}");
            assert_eq!(number_of(&pieces), Some(number));
            let fen = start_fen(number).expect("below 960");
            let play = Play::from_fen(&fen, true, false).expect("a position");
            assert!(play.start_fen() == fen, "{number}: {}", play.start_fen());
            assert!(seen.insert(fen), "{number} is there twice");
        }
        assert_eq!(seen.len(), 960);
        assert_eq!(array(POSITIONS), None);
    }

    #[test]
    fn the_numbers_are_scharnagls() {
        for (number, letters_of) in [
            (0, "B B Q N N R K R"),
            (518, "R N B Q K B N R"),
            (534, "R N B K Q B N R"),
            (734, "R K N Q N B B R"),
            (959, "R K R N N Q B B"),
        ] {
            assert_eq!(letters(number).as_deref(), Some(letters_of), "{number}");
        }
    }
}
