//! What the cards of Chess Joker do, drawn over the squares: what a card could do, what it does now, and how it
//! threatens a king.

use egui::{Color32, Painter, Rect, Shape, Stroke, vec2};
use tabiya_engine::rules::chess_joker::CardStep;
use tabiya_types::Square;

use super::Geometry;
use super::marks::{ArrowPart, arrow, badge, draw_ghost, draw_wrong};
use crate::cx::Cx;
use crate::theme::{KEYLINE, PUT_HERE, STANDS_WRONG};

/// The widths of arrows, as shares of a square: of what could be, and of what is.
const SLIM: f32 = 0.045;
const WIDE: f32 = 0.085;

/// What a drawn step means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepMeaning {
    /// The card could do this.
    Could,
    /// The same, where the list beside the board points at it.
    Pointed,
    /// The player has chosen or done this.
    Chosen,
    /// The card captures the king so.
    Threat,
}

/// A step of a card on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CardMark {
    pub(crate) step: CardStep,
    pub(crate) meaning: StepMeaning,
}

impl CardMark {
    /// Marks with this meaning.
    pub(crate) fn all(steps: impl IntoIterator<Item = CardStep>, meaning: StepMeaning) -> Vec<Self> {
        steps.into_iter().map(|step| Self { step, meaning }).collect()
    }

    /// Its colour, and the width of its arrow.
    fn look(self) -> (Color32, f32) {
        match self.meaning {
            StepMeaning::Could | StepMeaning::Pointed => (PUT_HERE, SLIM),
            StepMeaning::Chosen => (PUT_HERE, WIDE),
            StepMeaning::Threat => (STANDS_WRONG, WIDE),
        }
    }

    /// The squares of the pieces that it uses.
    fn begins_at(self) -> impl Iterator<Item = Square> {
        let (one, other) = match self.step {
            CardStep::Goes(at, _) | CardStep::Takes(at) | CardStep::Becomes(at, _) => (Some(at), None),
            CardStep::Swaps(one, other) => (Some(one), Some(other)),
            CardStep::Adds(..) => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// Whether it is drawn while the pointer or the cursor is on this square.
    fn is_shown(self, focus: Option<Square>) -> bool {
        let goal = match self.step {
            CardStep::Goes(_, to) => focus == Some(to),
            CardStep::Adds(_, at) | CardStep::Takes(at) | CardStep::Becomes(at, _) => focus == Some(at),
            CardStep::Swaps(one, other) => focus == Some(one) || focus == Some(other),
        };
        self.meaning != StepMeaning::Could || goal
    }

    /// From where to where its arrows lead.
    fn arrows(self) -> Vec<[Square; 2]> {
        match self.step {
            CardStep::Goes(from, to) => vec![[from, to]],
            CardStep::Swaps(one, other) => vec![[one, other], [other, one]],
            CardStep::Adds(..) | CardStep::Takes(_) | CardStep::Becomes(..) => Vec::new(),
        }
    }

    /// The text that names a mark on this square for screen readers, if it is on it.
    pub(super) fn word_on(self, square: Square) -> Option<&'static str> {
        let here = self.step.squares().any(|named| named == square);
        here.then_some(match self.meaning {
            StepMeaning::Could | StepMeaning::Pointed => "mark-card",
            StepMeaning::Chosen => "mark-card-chosen",
            StepMeaning::Threat => "mark-card-threat",
        })
    }
}

/// Draws the marks. What a card could do is shown one at a time: its pieces have corners; with the pointer or the keyboard's cursor
/// (`focus`) on a piece its goals have dots, and on a goal there are the arrows that lead there.
pub(super) fn draw_card_marks(
    painter: &Painter,
    cx: &Cx<'_>,
    geometry: &Geometry,
    marks: &[CardMark],
    focus: Option<Square>,
) {
    let place = |square: Square| geometry.square(square);
    for square in
        marks.iter().filter(|mark| mark.meaning == StepMeaning::Could).flat_map(|mark| mark.begins_at())
    {
        draw_corners(painter, place(square));
    }
    for mark in marks.iter().filter(|mark| mark.meaning == StepMeaning::Could) {
        match mark.step {
            CardStep::Goes(from, to) if focus == Some(from) => draw_goal(painter, place(to)),
            CardStep::Adds(_, at) if focus != Some(at) => draw_goal(painter, place(at)),
            _ => {}
        }
    }
    let shown: Vec<&CardMark> = marks.iter().filter(|mark| mark.is_shown(focus)).collect();
    for part in [ArrowPart::Ground, ArrowPart::Ink] {
        for mark in &shown {
            let (ink, width) = mark.look();
            let ink = if part == ArrowPart::Ground { KEYLINE } else { ink };
            for [from, to] in mark.arrows() {
                arrow(painter, [place(from), place(to)], (ink, width), part);
            }
        }
    }
    for mark in shown {
        match mark.step {
            CardStep::Goes(..) | CardStep::Swaps(..) => {}
            CardStep::Adds(piece, at) => draw_ghost(painter, cx, place(at), (piece, 0.0), "+"),
            CardStep::Takes(at) => draw_wrong(painter, place(at), ""),
            CardStep::Becomes(at, role) => badge(painter, place(at), mark.look().0, &cx.words.letter(role)),
        }
    }
}

/// The corners of a square whose piece a card could use.
fn draw_corners(painter: &Painter, rect: Rect) {
    let inner = rect.shrink(rect.width() * 0.05);
    let arm = rect.width() * 0.20;
    for (corner, right, down) in [
        (inner.left_top(), 1.0, 1.0),
        (inner.right_top(), -1.0, 1.0),
        (inner.left_bottom(), 1.0, -1.0),
        (inner.right_bottom(), -1.0, -1.0),
    ] {
        let path = vec![corner + vec2(right * arm, 0.0), corner, corner + vec2(0.0, down * arm)];
        for (width, ink) in [(0.085, KEYLINE), (0.05, PUT_HERE)] {
            painter.add(Shape::line(path.clone(), Stroke::new(rect.width() * width, ink)));
        }
    }
}

/// A square to which a card could bring something.
fn draw_goal(painter: &Painter, rect: Rect) {
    let edge = Stroke::new(rect.width() * 0.02, KEYLINE);
    painter.circle(rect.center(), rect.width() * 0.12, PUT_HERE, edge);
}
