//! The drawings of the faces, made for this project.

use tabiya_types::{Card, CardFace};

use super::{CARD, Outline, Paint, Stroke, circle};

/// The width of the large drawing, and of the two small ones in the corners, in mm.
const LARGE: f32 = 40.0;
const SMALL: f32 = 10.0;
/// The distance of the small drawings from the edges, in mm.
const EDGE: f32 = 4.0;

/// A face on a card whose top left corner is at `corner`: a large drawing, and a small one in two corners, the lower
/// one upside down.
pub(super) fn face(card: CardFace, corner: (f32, f32)) -> Vec<Outline> {
    let at = |x: f32, y: f32| (corner.0 + x, corner.1 + y);
    let mut shapes = drawing(card, at((CARD.0 - LARGE) / 2.0, (CARD.1 - LARGE) / 2.0), LARGE);
    shapes.extend(drawing(card, at(EDGE, EDGE), SMALL));
    shapes.extend(drawing(card, at(CARD.0 - EDGE, CARD.1 - EDGE), -SMALL));
    shapes
}

/// A face's drawing in a square with this corner and width; a negative width turns it upside down.
fn drawing(card: CardFace, corner: (f32, f32), width: f32) -> Vec<Outline> {
    let place = |x: f32, y: f32| (corner.0 + x * width / 100.0, corner.1 + y * width / 100.0);
    let mut shapes: Vec<Outline> = outlines(card)
        .into_iter()
        .map(|(points, paint)| {
            let mut path: Vec<Stroke> = Vec::new();
            for (x, y) in points {
                let (x, y) = place(*x, *y);
                path.push(if path.is_empty() { Stroke::Move(x, y) } else { Stroke::Line(x, y) });
            }
            path.push(Stroke::Close);
            Outline { path, paint }
        })
        .collect();
    shapes.extend(
        discs(card)
            .iter()
            .map(|(x, y, radius, paint)| circle(place(*x, *y), radius * width.abs() / 100.0, *paint)),
    );
    shapes
}

/// Points in a square of 100 by 100, from its top left corner.
type Points = &'static [(f32, f32)];

const BASE: Points = &[(22.0, 82.0), (78.0, 82.0), (82.0, 94.0), (18.0, 94.0)];

fn outlines(face: CardFace) -> Vec<(Points, Paint)> {
    match face {
        CardFace::Piece(card) => piece(card),
        CardFace::Joker => CAP.iter().map(|part| (*part, Paint::Black)).collect(),
        CardFace::Neutral => vec![(SHEET, Paint::Black), (HOLE, Paint::White)],
    }
}

/// A cap with three points, and its brim.
const CAP: &[Points] = &[
    &[(10.0, 30.0), (32.0, 42.0), (50.0, 12.0), (68.0, 42.0), (90.0, 30.0), (78.0, 74.0), (22.0, 74.0)],
    &[(22.0, 80.0), (78.0, 80.0), (78.0, 92.0), (22.0, 92.0)],
];
/// A square on its corner, and the hole in it: a card that is no piece.
const SHEET: Points = &[(50.0, 8.0), (92.0, 50.0), (50.0, 92.0), (8.0, 50.0)];
const HOLE: Points = &[(50.0, 24.0), (76.0, 50.0), (50.0, 76.0), (24.0, 50.0)];

/// A crown with three points.
const QUEEN: Points = &[
    (16.0, 28.0),
    (34.0, 54.0),
    (34.0, 18.0),
    (50.0, 50.0),
    (66.0, 18.0),
    (66.0, 54.0),
    (84.0, 28.0),
    (72.0, 78.0),
    (28.0, 78.0),
];
/// A tower.
const ROOK: Points = &[
    (24.0, 14.0),
    (36.0, 14.0),
    (36.0, 24.0),
    (44.0, 24.0),
    (44.0, 14.0),
    (56.0, 14.0),
    (56.0, 24.0),
    (64.0, 24.0),
    (64.0, 14.0),
    (76.0, 14.0),
    (76.0, 36.0),
    (67.0, 43.0),
    (69.0, 70.0),
    (75.0, 78.0),
    (25.0, 78.0),
    (31.0, 70.0),
    (33.0, 43.0),
    (24.0, 36.0),
];
/// A mitre.
const BISHOP: Points = &[
    (50.0, 14.0),
    (62.0, 27.0),
    (68.0, 42.0),
    (66.0, 56.0),
    (58.0, 64.0),
    (64.0, 70.0),
    (70.0, 78.0),
    (30.0, 78.0),
    (36.0, 70.0),
    (42.0, 64.0),
    (34.0, 56.0),
    (32.0, 42.0),
    (38.0, 27.0),
];
/// A horse's head.
const KNIGHT: Points = &[
    (30.0, 78.0),
    (34.0, 62.0),
    (46.0, 50.0),
    (36.0, 52.0),
    (28.0, 60.0),
    (19.0, 54.0),
    (22.0, 44.0),
    (34.0, 26.0),
    (36.0, 12.0),
    (46.0, 19.0),
    (62.0, 24.0),
    (74.0, 42.0),
    (77.0, 62.0),
    (76.0, 78.0),
];
/// A body without a head, which is a disc.
const PAWN: Points = &[(40.0, 48.0), (60.0, 48.0), (64.0, 62.0), (74.0, 78.0), (26.0, 78.0), (36.0, 62.0)];
/// The slit of the mitre.
const SLIT: Points = &[(52.0, 26.0), (56.0, 26.0), (56.0, 46.0), (52.0, 46.0)];

fn piece(card: Card) -> Vec<(Points, Paint)> {
    let body = match card {
        Card::Queen => QUEEN,
        Card::Rook => ROOK,
        Card::Bishop => BISHOP,
        Card::Knight => KNIGHT,
        Card::Pawn => PAWN,
    };
    let cut = (card == Card::Bishop).then_some((SLIT, Paint::White));
    [(body, Paint::Black), (BASE, Paint::Black)].into_iter().chain(cut).collect()
}

/// Discs of a drawing: centre, radius, paint.
fn discs(face: CardFace) -> &'static [(f32, f32, f32, Paint)] {
    match face {
        CardFace::Joker => &[
            (10.0, 26.0, 6.0, Paint::Black),
            (50.0, 9.0, 6.0, Paint::Black),
            (90.0, 26.0, 6.0, Paint::Black),
        ],
        CardFace::Neutral => &[(50.0, 50.0, 8.0, Paint::Black)],
        CardFace::Piece(Card::Queen) => &[
            (16.0, 24.0, 5.0, Paint::Black),
            (34.0, 14.0, 5.0, Paint::Black),
            (66.0, 14.0, 5.0, Paint::Black),
            (84.0, 24.0, 5.0, Paint::Black),
        ],
        CardFace::Piece(Card::Rook) => &[],
        CardFace::Piece(Card::Bishop) => &[(50.0, 10.0, 5.0, Paint::Black)],
        CardFace::Piece(Card::Knight) => &[(45.0, 32.0, 3.5, Paint::White)],
        CardFace::Piece(Card::Pawn) => &[(50.0, 34.0, 17.0, Paint::Black)],
    }
}
