//! What the cards of Chess Joker do, drawn over the squares: what a card could do, what it does now, and how it
//! threatens a king.

use egui::{Color32, Painter};
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
            StepMeaning::Could => (PUT_HERE, SLIM),
            StepMeaning::Chosen => (PUT_HERE, WIDE),
            StepMeaning::Threat => (STANDS_WRONG, WIDE),
        }
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
            StepMeaning::Could => "mark-card",
            StepMeaning::Chosen => "mark-card-chosen",
            StepMeaning::Threat => "mark-card-threat",
        })
    }
}

/// Draws the marks.
pub(super) fn draw_card_marks(painter: &Painter, cx: &Cx<'_>, geometry: &Geometry, marks: &[CardMark]) {
    let place = |square: Square| geometry.square(square);
    for part in [ArrowPart::Ground, ArrowPart::Ink] {
        for mark in marks {
            let (ink, width) = mark.look();
            let ink = if part == ArrowPart::Ground { KEYLINE } else { ink };
            for [from, to] in mark.arrows() {
                arrow(painter, [place(from), place(to)], (ink, width), part);
            }
        }
    }
    for mark in marks {
        match mark.step {
            CardStep::Goes(..) | CardStep::Swaps(..) => {}
            CardStep::Adds(piece, at) => draw_ghost(painter, cx, place(at), (piece, 0.0), "+"),
            CardStep::Takes(at) => draw_wrong(painter, place(at), ""),
            CardStep::Becomes(at, role) => badge(painter, place(at), mark.look().0, &cx.words.letter(role)),
        }
    }
}
