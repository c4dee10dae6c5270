//! A map of playing cards for a chess board: a thin sheet that lies on the board, each card in its square.
//!
//! The card stands in two corners of its square, for both players, where a piece hides neither. The board is larger than
//! the paper, so the map has several sheets, which are cut at the grey lines and glued together. Red suits are hollow.
//!
//! Source: `docs/rules-poker-chess.md`, rules 2 to 6.

use tabiya_types::Square;

use super::{Outline, Paint, Paper, PrintSheet, Stroke, circle, rectangle};

/// The margin that printers leave blank, in mm.
const MARGIN: f32 = 8.0;
/// The smallest and the largest width of a board's squares, in mm.
const SQUARES: std::ops::RangeInclusive<u8> = 25..=70;
/// The height of a rank or a suit, and its distance from the edges of its square, in parts of the square's width.
const SIGN: f32 = 0.19;
const EDGE: f32 = 0.05;
/// The thickness of a rank's strokes, in parts of its height.
const PEN: f32 = 0.13;

/// A card of the map: its square, the letter of its rank (`A K Q J T 9` … `2`) and of its suit (`h d s c`).
pub type MapCard = (Square, char, char);

/// The sheets of a map for a board with squares of this width in mm, from the top left, White below. `Err` says why they
/// cannot be drawn.
pub fn map(cards: &[MapCard], square: u8, paper: Paper) -> Result<Vec<PrintSheet>, String> {
    if !SQUARES.contains(&square) {
        let (least, most) = (SQUARES.start(), SQUARES.end());
        return Err(format!("the squares of a board are {least} to {most} mm wide, not {square}"));
    }
    let width = f32::from(square);
    let (across, down) = paper.size();
    let (columns, rows) = (fitting(across, width), fitting(down, width));
    let mut sheets = Vec::new();
    for top in (0..8_u8).step_by(rows.into()) {
        for left in (0..8_u8).step_by(columns.into()) {
            let squares = (top..(top + rows).min(8))
                .flat_map(|row| (left..(left + columns).min(8)).map(move |column| (row, column)));
            let mut shapes = Vec::new();
            for (row, column) in squares {
                let at = (MARGIN + width * f32::from(column - left), MARGIN + width * f32::from(row - top));
                shapes.push(rectangle(at, (width, width), Paint::Line));
                let here = cards.iter().filter(|(at, ..)| (7 - at.rank(), at.file()) == (row, column));
                shapes.extend(here.flat_map(|(_, rank, suit)| signs(at, width, *rank, *suit)));
            }
            sheets.push(PrintSheet { size: paper.size(), shapes, faces: Vec::new() });
        }
    }
    Ok(sheets)
}

/// How many squares of this width fit between the margins of a paper: 1 to 8.
fn fitting(paper: f32, width: f32) -> u8 {
    (1..=8_u8).rev().find(|count| width * f32::from(*count) <= paper - 2.0 * MARGIN).unwrap_or(1)
}

/// Rank and suit in the lower left corner, and upside down in the upper right one.
fn signs((left, top): (f32, f32), width: f32, rank: char, suit: char) -> Vec<Outline> {
    let (edge, height) = (EDGE * width, SIGN * width);
    let low = (left + edge, top + width - edge - height);
    let high = (left + width - edge, top + edge + height);
    [(low, height), (high, -height)]
        .into_iter()
        .flat_map(|(at, height)| {
            let beside = (at.0 + height * 0.85, at.1);
            rank_at(at, height, rank).into_iter().chain(suit_at(beside, height, suit))
        })
        .collect()
}

/// A point in a square of 100 by 100 on the paper. A negative height turns the drawing upside down.
fn placed((left, top): (f32, f32), height: f32) -> impl Fn((f32, f32)) -> (f32, f32) {
    move |(x, y)| (left + x * height / 100.0, top + y * height / 100.0)
}

/// A rank: strokes as thick as a pen.
fn rank_at(corner: (f32, f32), height: f32, rank: char) -> Vec<Outline> {
    let place = placed(corner, height);
    let half = height.abs() * PEN / 2.0;
    strokes(rank)
        .iter()
        .flat_map(|(from, to)| {
            let (from, to) = (place(*from), place(*to));
            let (x, y) = (to.0 - from.0, to.1 - from.1);
            let length = x.hypot(y).max(f32::EPSILON);
            let (across, along) = ((-y / length * half, x / length * half), [from, to]);
            let path = vec![
                Stroke::Move(from.0 + across.0, from.1 + across.1),
                Stroke::Line(to.0 + across.0, to.1 + across.1),
                Stroke::Line(to.0 - across.0, to.1 - across.1),
                Stroke::Line(from.0 - across.0, from.1 - across.1),
                Stroke::Close,
            ];
            // Round ends join the strokes.
            let ends = along.map(|end| circle(end, half, Paint::Black));
            std::iter::once(Outline { path, paint: Paint::Black }).chain(ends)
        })
        .collect()
}

/// A stroke from a point to a point.
type PenStroke = ((f32, f32), (f32, f32));

/// The strokes of a digit on a display of seven.
const TOP: PenStroke = ((8.0, 6.0), (62.0, 6.0));
const MIDDLE: PenStroke = ((8.0, 50.0), (62.0, 50.0));
const BOTTOM: PenStroke = ((8.0, 94.0), (62.0, 94.0));
const UPPER_LEFT: PenStroke = ((8.0, 6.0), (8.0, 50.0));
const UPPER_RIGHT: PenStroke = ((62.0, 6.0), (62.0, 50.0));
const LOWER_LEFT: PenStroke = ((8.0, 50.0), (8.0, 94.0));
const LOWER_RIGHT: PenStroke = ((62.0, 50.0), (62.0, 94.0));

/// The strokes of a rank; none for a letter that is no rank.
fn strokes(rank: char) -> &'static [PenStroke] {
    match rank {
        'A' => &[((8.0, 94.0), (35.0, 6.0)), ((35.0, 6.0), (62.0, 94.0)), ((18.0, 62.0), (52.0, 62.0))],
        'K' => &[((8.0, 6.0), (8.0, 94.0)), ((8.0, 56.0), (60.0, 6.0)), ((24.0, 42.0), (62.0, 94.0))],
        'Q' => {
            &[TOP, UPPER_LEFT, LOWER_LEFT, UPPER_RIGHT, LOWER_RIGHT, BOTTOM, ((40.0, 70.0), (70.0, 100.0))]
        }
        'J' => &[UPPER_RIGHT, LOWER_RIGHT, BOTTOM, ((8.0, 70.0), (8.0, 94.0))],
        'T' => &[
            ((4.0, 6.0), (4.0, 94.0)),
            ((26.0, 6.0), (66.0, 6.0)),
            ((66.0, 6.0), (66.0, 94.0)),
            ((66.0, 94.0), (26.0, 94.0)),
            ((26.0, 94.0), (26.0, 6.0)),
        ],
        '9' => &[TOP, UPPER_LEFT, UPPER_RIGHT, MIDDLE, LOWER_RIGHT, BOTTOM],
        '8' => &[TOP, UPPER_LEFT, UPPER_RIGHT, MIDDLE, LOWER_LEFT, LOWER_RIGHT, BOTTOM],
        '7' => &[TOP, UPPER_RIGHT, LOWER_RIGHT],
        '6' => &[TOP, UPPER_LEFT, MIDDLE, LOWER_LEFT, LOWER_RIGHT, BOTTOM],
        '5' => &[TOP, UPPER_LEFT, MIDDLE, LOWER_RIGHT, BOTTOM],
        '4' => &[UPPER_LEFT, UPPER_RIGHT, MIDDLE, LOWER_RIGHT],
        '3' => &[TOP, UPPER_RIGHT, MIDDLE, LOWER_RIGHT, BOTTOM],
        '2' => &[TOP, UPPER_RIGHT, MIDDLE, LOWER_LEFT, BOTTOM],
        _ => &[],
    }
}

/// A suit: black, and hollow if it is a red one.
fn suit_at(corner: (f32, f32), height: f32, suit: char) -> Vec<Outline> {
    let mut shapes = suit_shapes(corner, height, suit, Paint::Black);
    if matches!(suit, 'h' | 'd') {
        // The same shape once more in the middle, smaller and white.
        let small = height * 0.62;
        let middle = placed(corner, height)((50.0 - 31.0, 50.0 - 31.0));
        shapes.extend(suit_shapes(middle, small, suit, Paint::White));
    }
    shapes
}

/// The foot of a black suit.
const STEM: &[(f32, f32)] = &[(46.0, 50.0), (54.0, 50.0), (64.0, 96.0), (36.0, 96.0)];

fn suit_shapes(corner: (f32, f32), height: f32, suit: char, paint: Paint) -> Vec<Outline> {
    let place = placed(corner, height);
    let disc = |x: f32, y: f32, radius: f32| circle(place((x, y)), radius * height.abs() / 100.0, paint);
    let shape = |points: &[(f32, f32)]| {
        let mut path: Vec<Stroke> = Vec::new();
        for (x, y) in points.iter().map(|point| place(*point)) {
            path.push(if path.is_empty() { Stroke::Move(x, y) } else { Stroke::Line(x, y) });
        }
        path.push(Stroke::Close);
        Outline { path, paint }
    };
    match suit {
        'd' => vec![shape(&[(50.0, 4.0), (86.0, 50.0), (50.0, 96.0), (14.0, 50.0)])],
        'h' => vec![
            disc(29.0, 30.0, 22.0),
            disc(71.0, 30.0, 22.0),
            shape(&[(10.0, 42.0), (50.0, 30.0), (90.0, 42.0), (50.0, 96.0)]),
        ],
        's' => vec![
            disc(30.0, 56.0, 21.0),
            disc(70.0, 56.0, 21.0),
            shape(&[(50.0, 4.0), (89.0, 46.0), (50.0, 62.0), (11.0, 46.0)]),
            shape(STEM),
        ],
        'c' => vec![disc(50.0, 24.0, 20.0), disc(27.0, 58.0, 20.0), disc(73.0, 58.0, 20.0), shape(STEM)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<MapCard> {
        let ranks = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'];
        let cards = ranks.into_iter().flat_map(|rank| ['h', 'd', 's', 'c'].map(|suit| (rank, suit)));
        Square::all().zip(cards).map(|(at, (rank, suit))| (at, rank, suit)).collect()
    }

    #[test]
    fn every_square_is_on_one_sheet_and_all_is_on_the_paper() {
        for (paper, square) in [(Paper::A4, 55), (Paper::A4, 25), (Paper::A4, 70), (Paper::Letter, 57)] {
            let sheets = map(&all(), square, paper).expect("a board");
            let lines =
                sheets.iter().flat_map(|sheet| &sheet.shapes).filter(|shape| shape.paint == Paint::Line);
            assert_eq!(lines.count(), 64, "{square}");
            for sheet in &sheets {
                for stroke in sheet.shapes.iter().flat_map(|shape| &shape.path) {
                    let (Stroke::Move(x, y) | Stroke::Line(x, y) | Stroke::Curve([.., x, y])) = stroke else {
                        continue;
                    };
                    assert!((0.0..=sheet.size.0).contains(x) && (0.0..=sheet.size.1).contains(y), "{x} {y}");
                }
            }
        }
        assert_eq!(map(&all(), 55, Paper::A4).expect("a board").len(), 6);
        assert!(map(&all(), 12, Paper::A4).is_err());
    }

    #[test]
    fn no_two_cards_look_the_same() {
        let drawn: Vec<Vec<Outline>> =
            all().into_iter().map(|(_, rank, suit)| signs((0.0, 0.0), 55.0, rank, suit)).collect();
        for (nth, one) in drawn.iter().enumerate() {
            assert!(!one.is_empty() && !drawn[..nth].contains(one));
        }
    }
}
