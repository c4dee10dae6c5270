//! The board as a picture: its address says all that it shows, so a browser fetches it once for each position.
//!
//! `/board/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_e2e4.svg`: the pieces as FEN has them with `-` between the ranks, then the
//! squares of the last move. Pure.

use std::fmt::Write as _;

use tabiya_types::{Board, Color, Piece, Role, Square};

/// The length of a square in the picture: the pieces are drawn in so much.
const SIDE: u8 = 45;
/// Where the pictures are.
pub(super) const BOARD: &str = "/board/";

/// The drawing of a piece.
fn drawing(piece: Piece) -> &'static str {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => include_str!("../../../ui/assets/pieces/white-king.svg"),
        (Color::White, Role::Queen) => include_str!("../../../ui/assets/pieces/white-queen.svg"),
        (Color::White, Role::Rook) => include_str!("../../../ui/assets/pieces/white-rook.svg"),
        (Color::White, Role::Bishop) => include_str!("../../../ui/assets/pieces/white-bishop.svg"),
        (Color::White, Role::Knight) => include_str!("../../../ui/assets/pieces/white-knight.svg"),
        (Color::White, Role::Pawn) => include_str!("../../../ui/assets/pieces/white-pawn.svg"),
        (Color::Black, Role::King) => include_str!("../../../ui/assets/pieces/black-king.svg"),
        (Color::Black, Role::Queen) => include_str!("../../../ui/assets/pieces/black-queen.svg"),
        (Color::Black, Role::Rook) => include_str!("../../../ui/assets/pieces/black-rook.svg"),
        (Color::Black, Role::Bishop) => include_str!("../../../ui/assets/pieces/black-bishop.svg"),
        (Color::Black, Role::Knight) => include_str!("../../../ui/assets/pieces/black-knight.svg"),
        (Color::Black, Role::Pawn) => include_str!("../../../ui/assets/pieces/black-pawn.svg"),
    }
}

/// What stands inside the drawing of a piece.
fn inside(piece: Piece) -> &'static str {
    let drawing = drawing(piece);
    let body = drawing.split_once('>').map_or("", |(_, body)| body);
    body.rsplit_once("</svg>").map_or(body, |(body, _)| body)
}

/// The address of the picture of this board.
pub(super) fn address(board: &Board, last_move: &[Square]) -> String {
    let mut ranks = Vec::new();
    for rank in (0..8).rev() {
        let (mut text, mut empty) = (String::new(), 0);
        for file in 0..8 {
            match Square::from_coords(file, rank).and_then(|square| board[square]) {
                Some(piece) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                    }
                    empty = 0;
                    text.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        ranks.push(text);
    }
    let marks: String = last_move.iter().map(ToString::to_string).collect();
    format!("{BOARD}{}_{marks}.svg", ranks.join("-"))
}

/// The picture at this address; `None` if it is none of ours.
pub(super) fn picture(path: &str) -> Option<String> {
    let name = path.strip_prefix(BOARD)?.strip_suffix(".svg")?;
    let (ranks, marks) = name.split_once('_')?;
    let marked = squares(marks)?;
    let mut pieces = Vec::new();
    let mut seen = 0;
    for (row, rank) in (0_u8..).zip(ranks.split('-')) {
        let mut file = 0_u8;
        for letter in rank.chars() {
            if let Some(empty) = letter.to_digit(10).and_then(|empty| u8::try_from(empty).ok()) {
                file += empty;
            } else {
                pieces.push((file, row, Piece::from_letter(letter)?));
                file += 1;
            }
            if file > 8 {
                return None;
            }
        }
        seen += 1;
        if file != 8 || seen > 8 {
            return None;
        }
    }
    (seen == 8).then(|| drawn(&pieces, &marked))
}

/// The squares of a last move: at most four, one after the other.
fn squares(marks: &str) -> Option<Vec<Square>> {
    let letters: Vec<char> = marks.chars().collect();
    if letters.len() > 8 || !letters.len().is_multiple_of(2) {
        return None;
    }
    letters.chunks(2).map(|pair| pair.iter().collect::<String>().parse().ok()).collect()
}

fn drawn(pieces: &[(u8, u8, Piece)], marked: &[Square]) -> String {
    let whole = u32::from(SIDE) * 8;
    let at = |nth: u8| u32::from(nth) * u32::from(SIDE);
    // The colours of the squares, and of a last move, are those of the window.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\">\
         <path fill=\"#e9dbc1\" d=\"M0 0h{whole}v{whole}H0z\"/><g fill=\"#a88261\">"
    );
    for square in Square::all().filter(|square| !square.is_light()) {
        let (x, y) = (at(square.file()), at(7 - square.rank()));
        let _ = write!(svg, "<path d=\"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z\"/>");
    }
    svg.push_str("</g><g fill=\"#beb014\" fill-opacity=\".55\">");
    for square in marked {
        let (x, y) = (at(square.file()), at(7 - square.rank()));
        let _ = write!(svg, "<path d=\"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z\"/>");
    }
    svg.push_str("</g>");
    for (file, row, piece) in pieces {
        let _ = write!(svg, "<g transform=\"translate({} {})\">{}</g>", at(*file), at(*row), inside(*piece));
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_says_all_that_the_picture_shows() {
        let mut board = Board::default();
        let square = |name: &str| name.parse::<Square>().expect("a square");
        board[square("e1")] = Piece::from_letter('K');
        board[square("a8")] = Piece::from_letter('q');
        let address = address(&board, &[square("e2"), square("e1")]);
        assert_eq!(address, "/board/q7-8-8-8-8-8-8-4K3_e2e1.svg");
        let svg = picture(&address).expect("ours");
        assert_eq!(svg.matches("translate").count(), 2);
        assert!(svg.contains("translate(180 315)") && svg.contains("translate(0 0)"));
    }

    #[test]
    fn other_addresses_are_none() {
        let full = "8-8-8-8-8-8-8-8";
        assert!(picture(&format!("/board/{full}_.svg")).is_some());
        for other in ["8_", "8-8-8-8-8-8-8-8-8_", "9-8-8-8-8-8-8-8_", "x7-8-8-8-8-8-8-8_", "7-8-8-8-8-8-8-8_"]
        {
            assert_eq!(picture(&format!("/board/{other}.svg")), None, "{other}");
        }
        for marks in ["e", "e9", "a1a2a3a4a5", "é1"] {
            assert_eq!(picture(&format!("/board/{full}_{marks}.svg")), None, "{marks}");
        }
        assert_eq!(picture("/board/../x"), None);
    }
}
