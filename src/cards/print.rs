//! A deck to print: its cards with their backs, on sheets with cutting marks, as SVG or PDF.
//!
//! A sheet is a list of shapes in millimetres, measured from its top left corner; `print/svg.rs` and `print/pdf.rs` write
//! such sheets, `print/faces.rs` has the drawings, and `print/map.rs` a map of cards for a board. Nothing in a sheet is text, so no font is needed.
//!
//! Source: `docs/rules.md`, printed rule 1 (the deck of 44); `docs/rules-pokerdrez.md`, rule 2; ISO/IEC 7810 does not apply: the cards have the usual size
//! of poker cards, 63 mm × 88 mm.

mod faces;
mod map;
mod pdf;
mod svg;

use tabiya_types::{CardFace, Pack};

pub use self::map::{MapCard, map};
pub use self::pdf::pdf;
pub use self::svg::svg;

/// The width and the height of a card, in mm.
pub const CARD: (f32, f32) = (63.0, 88.0);
/// How many cards lie side by side, and how many below each other, on a sheet.
const GRID: (usize, usize) = (3, 3);
/// The length of a cutting mark, in mm, and its distance from the cards.
const MARK: (f32, f32) = (5.0, 1.0);
/// The diameter of the blank circle on a back, in mm. Round sticker tags (NTAG213 and the like) are 22 mm or 25 mm wide.
const STICKER: f32 = 26.0;

/// The size of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// ISO 216 A4: 210 mm × 297 mm.
    A4,
    /// US Letter: 215.9 mm × 279.4 mm.
    Letter,
}

impl Paper {
    /// The width and the height, in mm.
    pub fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (210.0, 297.0),
            Self::Letter => (215.9, 279.4),
        }
    }
}

/// One step of an outline, in mm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stroke {
    /// Begin at this point.
    Move(f32, f32),
    /// A straight line to this point.
    Line(f32, f32),
    /// A cubic curve: two control points and the end.
    Curve([f32; 6]),
    /// Back to the beginning.
    Close,
}

/// How an outline is painted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Filled in black.
    Black,
    /// Filled in white.
    White,
    /// A thin grey line.
    Line,
}

/// An outline with its paint.
#[derive(Clone, PartialEq, Debug)]
pub struct Outline {
    /// The outline.
    pub path: Vec<Stroke>,
    /// How it is painted.
    pub paint: Paint,
}

/// One page.
#[derive(Clone, PartialEq, Debug)]
pub struct PrintSheet {
    /// The width and the height, in mm.
    pub size: (f32, f32),
    /// What is drawn, in order.
    pub shapes: Vec<Outline>,
    /// The faces on this sheet in rows from the top left; empty for a sheet of backs.
    pub faces: Vec<CardFace>,
}

/// The sheets of a whole deck of this kind for this paper: each sheet of faces is followed by the sheet of their backs, for printing on
/// both sides.
pub fn sheets(pack: Pack, paper: Paper) -> Vec<PrintSheet> {
    let deck: Vec<CardFace> = pack.cards().collect();
    deck.chunks(GRID.0 * GRID.1)
        .flat_map(|faces| {
            let front = sheet(paper, faces.len(), |nth, at| faces::face(faces[nth], at));
            let back = sheet(paper, GRID.0 * GRID.1, |_, at| back(at));
            [PrintSheet { faces: faces.to_vec(), ..front }, back]
        })
        .collect()
}

/// A sheet with this many cards, each drawn at its corner, and cutting marks around them.
fn sheet(paper: Paper, count: usize, draw: impl Fn(usize, (f32, f32)) -> Vec<Outline>) -> PrintSheet {
    let size = paper.size();
    let (columns, rows) = (steps(GRID.0), steps(GRID.1));
    let left = (size.0 - CARD.0 * columns[GRID.0]) / 2.0;
    let top = (size.1 - CARD.1 * rows[GRID.1]) / 2.0;
    let mut shapes = Vec::new();
    for nth in 0..count {
        let at = (left + CARD.0 * columns[nth % GRID.0], top + CARD.1 * rows[nth / GRID.0]);
        shapes.push(rectangle(at, CARD, Paint::Line));
        shapes.extend(draw(nth, at));
    }
    let (right, bottom) = (left + CARD.0 * columns[GRID.0], top + CARD.1 * rows[GRID.1]);
    let (length, gap) = MARK;
    for step in &columns {
        let x = left + CARD.0 * step;
        shapes.push(line((x, top - gap - length), (x, top - gap)));
        shapes.push(line((x, bottom + gap), (x, bottom + gap + length)));
    }
    for step in &rows {
        let y = top + CARD.1 * step;
        shapes.push(line((left - gap - length, y), (left - gap, y)));
        shapes.push(line((right + gap, y), (right + gap + length, y)));
    }
    PrintSheet { size, shapes, faces: Vec::new() }
}

/// The numbers from 0 to `count`, as factors.
fn steps(count: usize) -> Vec<f32> {
    (0..=count).scan(0.0, |next, _| Some(std::mem::replace(next, *next + 1.0))).collect()
}

/// A back: a lattice in a frame, with a blank circle for a sticker tag. It looks the same both ways round.
fn back((left, top): (f32, f32)) -> Vec<Outline> {
    const EDGE: f32 = 4.0;
    const DIAMOND: f32 = 5.0;
    let mut shapes = Vec::new();
    let (width, height) = (CARD.0 - 2.0 * EDGE, CARD.1 - 2.0 * EDGE);
    let (columns, rows) = (11, 16);
    for row in steps(rows - 1) {
        for column in steps(columns - 1) {
            let x = left + EDGE + width * (column + 0.5) / 11.0;
            let y = top + EDGE + height * (row + 0.5) / 16.0;
            let half = DIAMOND / 2.0 * 0.8;
            let path = vec![
                Stroke::Move(x, y - half),
                Stroke::Line(x + half, y),
                Stroke::Line(x, y + half),
                Stroke::Line(x - half, y),
                Stroke::Close,
            ];
            shapes.push(Outline { path, paint: Paint::Black });
        }
    }
    let middle = (left + CARD.0 / 2.0, top + CARD.1 / 2.0);
    shapes.push(circle(middle, STICKER / 2.0 + 2.0, Paint::White));
    shapes.push(circle(middle, STICKER / 2.0, Paint::Line));
    shapes.push(rectangle((left + EDGE, top + EDGE), (width, height), Paint::Line));
    shapes
}

fn line(from: (f32, f32), to: (f32, f32)) -> Outline {
    Outline { path: vec![Stroke::Move(from.0, from.1), Stroke::Line(to.0, to.1)], paint: Paint::Line }
}

fn rectangle((x, y): (f32, f32), (width, height): (f32, f32), paint: Paint) -> Outline {
    let path = vec![
        Stroke::Move(x, y),
        Stroke::Line(x + width, y),
        Stroke::Line(x + width, y + height),
        Stroke::Line(x, y + height),
        Stroke::Close,
    ];
    Outline { path, paint }
}

fn circle((x, y): (f32, f32), radius: f32, paint: Paint) -> Outline {
    // The control points that make four cubic curves a circle to within a thousandth of the radius.
    let c = radius * 0.552_285;
    let path = vec![
        Stroke::Move(x + radius, y),
        Stroke::Curve([x + radius, y + c, x + c, y + radius, x, y + radius]),
        Stroke::Curve([x - c, y + radius, x - radius, y + c, x - radius, y]),
        Stroke::Curve([x - radius, y - c, x - c, y - radius, x, y - radius]),
        Stroke::Curve([x + c, y - radius, x + radius, y - c, x + radius, y]),
        Stroke::Close,
    ];
    Outline { path, paint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_has_all_its_cards_and_each_fits_on_its_sheet() {
        let papers = [Paper::A4, Paper::Letter].into_iter();
        for (pack, paper) in papers.flat_map(|paper| Pack::ALL.map(|pack| (pack, paper))) {
            let sheets = sheets(pack, paper);
            let faces: Vec<CardFace> = sheets.iter().flat_map(|sheet| sheet.faces.iter().copied()).collect();
            assert_eq!(faces, pack.cards().collect::<Vec<_>>());
            for sheet in &sheets {
                for stroke in sheet.shapes.iter().flat_map(|shape| &shape.path) {
                    let (x, y) = match stroke {
                        Stroke::Move(x, y) | Stroke::Line(x, y) => (*x, *y),
                        Stroke::Curve([.., x, y]) => (*x, *y),
                        Stroke::Close => continue,
                    };
                    assert!(
                        (0.0..=sheet.size.0).contains(&x) && (0.0..=sheet.size.1).contains(&y),
                        "{x} {y}"
                    );
                }
            }
        }
    }

    #[test]
    fn all_backs_are_alike() {
        let sheets = sheets(Pack::Choker, Paper::A4);
        let backs: Vec<&PrintSheet> = sheets.iter().filter(|sheet| sheet.faces.is_empty()).collect();
        assert_eq!(backs.len(), 5);
        assert!(backs.iter().all(|back| *back == backs[0]), "a back that differs would tell its face");
    }
}
