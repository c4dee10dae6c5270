//! The kit of parts that the screens are built from. A part knows its sizes and colours; a screen says only where it
//! stands and what it shows. `tabiya --gallery` (in debug builds) shows every part in every state.

pub(crate) mod button;
pub(crate) mod card;
pub(crate) mod counts;
pub(crate) mod die;
pub(crate) mod group;
pub(crate) mod icon;
pub(crate) mod panel;
pub(crate) mod plate;
pub(crate) mod score;
pub(crate) mod spark;
pub(crate) mod tabs;

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

/// The least size of a font, in points: egui cannot draw a font without a size.
const LEAST: f32 = 1.0;

/// Writes one line at a place, and returns the area that it covers. Text that does not fit into `room` ends in an
/// ellipsis.
pub(crate) fn write(
    painter: &Painter,
    at: Pos2,
    anchor: Align2,
    text: &str,
    (font, ink): (FontId, Color32),
    room: f32,
) -> Rect {
    let font = FontId { size: font.size.max(LEAST), ..font };
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, ink);
    job.wrap = TextWrapping {
        max_width: room.max(1.0),
        max_rows: 1,
        break_anywhere: true,
        ..TextWrapping::default()
    };
    let galley = painter.layout_job(job);
    let rect = anchor.anchor_size(at, galley.size());
    painter.galley(rect.min, galley, ink);
    rect
}

/// Lays out text in at most `rows` rows of this width.
pub(crate) fn rows(
    painter: &Painter,
    text: &str,
    (font, ink): (FontId, Color32),
    width: f32,
    rows: usize,
) -> Arc<Galley> {
    let font = FontId { size: font.size.max(LEAST), ..font };
    let mut job = LayoutJob::simple(text.to_owned(), font, ink, width.max(1.0));
    job.wrap.max_rows = rows;
    painter.layout_job(job)
}

/// The widest font size, at most `largest`, in which the text fits into `room`.
pub(crate) fn fitting(
    painter: &Painter,
    text: &str,
    font: &dyn Fn(f32) -> FontId,
    largest: f32,
    room: f32,
) -> f32 {
    let width = painter.layout_no_wrap(text.to_owned(), font(largest), Color32::WHITE).size().x;
    if width <= room { largest } else { largest * room / width }
}

/// Draws a triangle around a point, whose tip points that way.
pub(crate) fn triangle(painter: &Painter, at: Pos2, way: Vec2, ink: Color32) {
    let across = way.rot90();
    let points = vec![at + way, at - way + across, at - way - across];
    painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
}

/// Draws a dashed frame.
pub(crate) fn dashed(painter: &Painter, rect: Rect, stroke: Stroke, dash: f32) {
    let corners =
        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    painter.extend(Shape::dashed_line(&corners, stroke, dash, dash * 0.7));
}

/// Cuts a row into columns of these shares, with a gap between them.
pub(crate) fn split(row: Rect, shares: &[f32], gap: f32) -> Vec<Rect> {
    let whole: f32 = shares.iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "a handful of columns")]
    let room = row.width() - gap * shares.len().saturating_sub(1) as f32;
    let mut left = row.left();
    let column = |share: &f32| {
        let width = room * share / whole;
        let rect = Rect::from_min_size(pos2(left, row.top()), vec2(width, row.height()));
        left += width + gap;
        rect
    };
    shares.iter().map(column).collect()
}

/// Cuts a strip of this height off the top of an area; the rest begins after the gap.
pub(crate) fn cut_top(area: &mut Rect, height: f32, gap: f32) -> Rect {
    let height = height.min(area.height());
    let strip = Rect::from_min_max(area.min, pos2(area.right(), area.top() + height));
    area.min.y = (strip.bottom() + gap).min(area.bottom());
    strip
}

/// Cuts a strip of this height off the bottom of an area; the rest ends before the gap.
pub(crate) fn cut_bottom(area: &mut Rect, height: f32, gap: f32) -> Rect {
    let height = height.min(area.height());
    let strip = Rect::from_min_max(pos2(area.left(), area.bottom() - height), area.max);
    area.max.y = (strip.top() - gap).max(area.top());
    strip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_cut_into_columns_that_fill_it() {
        let row = Rect::from_min_size(pos2(10.0, 0.0), vec2(108.0, 20.0));
        let columns = split(row, &[1.0, 3.0], 8.0);
        assert_eq!(columns.iter().map(Rect::width).collect::<Vec<_>>(), [25.0, 75.0]);
        assert_eq!(columns.last().map(Rect::right), Some(row.right()));
    }

    #[test]
    fn a_strip_that_is_cut_off_leaves_the_rest() {
        let mut area = Rect::from_min_size(pos2(0.0, 0.0), vec2(10.0, 100.0));
        assert_eq!(cut_top(&mut area, 30.0, 10.0).max, pos2(10.0, 30.0));
        assert_eq!(cut_bottom(&mut area, 20.0, 10.0).min, pos2(0.0, 80.0));
        assert_eq!((area.top(), area.bottom()), (40.0, 70.0));
        cut_top(&mut area, 500.0, 10.0);
        assert!(area.height() >= 0.0, "an area is never turned inside out");
    }
}
