//! Marks on the squares. Each has a shape of its own, so that none is known by its colour alone.

use egui::{Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, vec2};
use tabiya_types::{Piece, Square};

use super::Geometry;
use crate::cx::Cx;
use crate::fixes::Fix;
use crate::theme::{GHOST_GROUND, KEYLINE, MARK, PUT_HERE, STANDS_WRONG, bold_font};
use crate::widgets::translucent;

/// A square of the last move while it has not been pressed: dashed gold on a dark ground.
pub(super) fn draw_open(painter: &Painter, cx: &Cx<'_>, rect: Rect) {
    let width = (rect.width() * 0.055).max(2.0);
    let inner = rect.shrink(width);
    let round = CornerRadius::same(4);
    painter.rect_stroke(inner, round, Stroke::new(width * 1.8, MARK), StrokeKind::Middle);
    dashes(painter, inner, Stroke::new(width, cx.theme.gold), rect.width() * 0.13);
}

fn dashes(painter: &Painter, rect: Rect, stroke: Stroke, dash: f32) {
    let path = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    painter.extend(Shape::dashed_line(&path, stroke, dash, dash * 0.7));
}

/// One gold outline around the squares to which the piece may go.
pub(super) fn draw_outline(painter: &Painter, cx: &Cx<'_>, geometry: &Geometry, lit: &[Square]) {
    let width = (geometry.side() * 0.045).max(2.0);
    for square in lit {
        let rect = geometry.square(*square);
        let sides = [
            (geometry.step(*square, 0, 1), rect.left_top(), rect.right_top()),
            (geometry.step(*square, 0, -1), rect.left_bottom(), rect.right_bottom()),
            (geometry.step(*square, -1, 0), rect.left_top(), rect.left_bottom()),
            (geometry.step(*square, 1, 0), rect.right_top(), rect.right_bottom()),
        ];
        for (beside, from, to) in sides {
            // At the edge of the board a step leads back to the square itself.
            if beside == *square || !lit.contains(&beside) {
                painter.line_segment([from, to], Stroke::new(width * 2.0, MARK));
            }
        }
    }
    for square in lit {
        let rect = geometry.square(*square);
        let half = width / 2.0;
        let sides = [
            (
                geometry.step(*square, 0, 1),
                rect.left_top() - vec2(half, 0.0),
                rect.right_top() + vec2(half, 0.0),
            ),
            (
                geometry.step(*square, 0, -1),
                rect.left_bottom() - vec2(half, 0.0),
                rect.right_bottom() + vec2(half, 0.0),
            ),
            (
                geometry.step(*square, -1, 0),
                rect.left_top() - vec2(0.0, half),
                rect.left_bottom() + vec2(0.0, half),
            ),
            (
                geometry.step(*square, 1, 0),
                rect.right_top() - vec2(0.0, half),
                rect.right_bottom() + vec2(0.0, half),
            ),
        ];
        for (beside, from, to) in sides {
            if beside == *square || !lit.contains(&beside) {
                painter.line_segment([from, to], Stroke::new(width, cx.theme.gold));
            }
        }
    }
}

/// A piece that must not stand here: a red frame with a cross, or with a number.
pub(super) fn draw_wrong(painter: &Painter, rect: Rect, number: &str) {
    draw_leaving(painter, rect);
    badge(painter, rect, STANDS_WRONG, if number.is_empty() { "×" } else { number });
}

/// A piece that goes away from here: a red frame.
fn draw_leaving(painter: &Painter, rect: Rect) {
    let width = rect.width() * 0.05;
    let inner = rect.shrink(width * 0.7);
    let round = CornerRadius::same(5);
    painter.rect_stroke(inner, round, Stroke::new(width * 2.2, KEYLINE), StrokeKind::Middle);
    painter.rect(
        inner,
        round,
        translucent(STANDS_WRONG, 60),
        Stroke::new(width, STANDS_WRONG),
        StrokeKind::Middle,
    );
}

/// How strongly a ghost is drawn at rest, and by how much it fades in the depth of a breath.
const GHOST: f32 = 120.0;
const BREATH: f32 = 80.0;

/// A square on which this piece belongs: a ghost in a dashed blue frame. `breath`: how deep it breathes, 0 to 1.
pub(super) fn draw_ghost(
    painter: &Painter,
    cx: &Cx<'_>,
    rect: Rect,
    (piece, breath): (Piece, f32),
    number: &str,
) {
    let width = rect.width() * 0.05;
    let inner = rect.shrink(width * 0.8);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "40 to 120")]
    let alpha = (GHOST - BREATH * breath) as u8;
    painter.rect_filled(inner, CornerRadius::same(5), translucent(GHOST_GROUND, 225));
    cx.art.piece(painter, rect.shrink(rect.width() * 0.08), piece, Color32::from_white_alpha(alpha));
    painter.rect_stroke(inner, CornerRadius::same(5), Stroke::new(width * 1.9, KEYLINE), StrokeKind::Middle);
    dashes(painter, inner, Stroke::new(width, PUT_HERE), rect.width() * 0.12);
    if !number.is_empty() {
        badge(painter, rect, PUT_HERE, number);
    }
}

pub(super) fn badge(painter: &Painter, rect: Rect, fill: Color32, text: &str) {
    let radius = rect.width() * 0.16;
    let center = rect.right_top() + vec2(-radius * 0.75, radius * 0.75);
    painter.circle(center, radius, fill, Stroke::new(1.5, KEYLINE));
    painter.text(center, Align2::CENTER_CENTER, text, bold_font(radius * 1.3), KEYLINE);
}

/// Draws what has to be put right, each with its number in the list beside the board, or without a number what goes back.
pub(super) fn draw_fixes(
    painter: &Painter,
    cx: &Cx<'_>,
    geometry: &Geometry,
    fixes: &[(Option<usize>, Fix)],
) {
    for (number, fix) in fixes {
        let text = number.map(|number| number.to_string()).unwrap_or_default();
        let leaves = |square: Rect| match number {
            None => draw_leaving(painter, square),
            Some(_) => draw_wrong(painter, square, &text),
        };
        // What is to be put right breathes; what would go back only stands there.
        let ghost = |piece: Piece, to: Square| match number {
            Some(_) => (piece, cx.motion.breath(("ghost", to, piece.letter()), cx.now)),
            None => (piece, 0.0),
        };
        match fix {
            Fix::Move { piece, from, to } => {
                draw_ghost(painter, cx, geometry.square(*to), ghost(*piece, *to), "");
                leaves(geometry.square(*from));
            }
            Fix::Put { piece, to } => {
                draw_ghost(painter, cx, geometry.square(*to), ghost(*piece, *to), &text);
            }
            Fix::Off { from, .. } => leaves(geometry.square(*from)),
        }
    }
    for (_, fix) in fixes {
        if let Fix::Move { from, to, .. } = fix {
            let places = [geometry.square(*from), geometry.square(*to)];
            arrow(painter, places, (KEYLINE, ARROW), ArrowPart::Ground);
            arrow(painter, places, (PUT_HERE, ARROW), ArrowPart::Ink);
        }
    }
}

/// The width of an arrow's shaft as a share of a square.
const ARROW: f32 = 0.085;

/// A part of an arrow. The grounds of several arrows are drawn before their ink, so that none is cut by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArrowPart {
    /// The light line around it.
    Ground,
    /// The arrow itself.
    Ink,
}

/// Draws a part of an arrow from one square to another. `width` is that of its shaft as a share of a square.
pub(super) fn arrow(painter: &Painter, [from, to]: [Rect; 2], (ink, width): (Color32, f32), part: ArrowPart) {
    let (start, end) = (from.center(), to.center());
    let along = (end - start).normalized();
    let (start, end) = (start + along * from.width() * 0.36, end - along * to.width() * 0.22);
    let width = from.width() * width;
    let head = (width * 2.6).max(from.width() * 0.17).min(start.distance(end));
    let across = Vec2::new(-along.y, along.x);
    let neck = end - along * head;
    let (shaft, grow) = match part {
        ArrowPart::Ground => (2.0, 2.5),
        ArrowPart::Ink => (0.0, 0.0),
    };
    let tip: Vec<Pos2> = vec![
        end + along * grow * 1.6,
        neck + across * (head * 0.62 + grow) - along * grow,
        neck - across * (head * 0.62 + grow) - along * grow,
    ];
    painter.line_segment([start - along * shaft, neck], Stroke::new(width + 2.0 * shaft, ink));
    painter.add(Shape::convex_polygon(tip, ink, Stroke::NONE));
}
