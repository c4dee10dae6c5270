//! A sparkline: shares of a whole over the games, without axes.

use egui::{Painter, Pos2, Rect, Shape, Stroke, pos2};

use crate::cx::Cx;

/// Draws shares from 0 to 1, the first at the left, around the half as the middle: a whole line with filled points, or a
/// dashed one with hollow points for the other side. The line uses the whole height, so that small differences are seen.
#[expect(clippy::cast_precision_loss, reason = "places on the screen")]
pub(crate) fn spark_line(painter: &Painter, cx: &Cx<'_>, plot: Rect, shares: &[f32], dashed: bool) {
    let step = plot.width() / shares.len().saturating_sub(1).max(1) as f32;
    let widest = shares.iter().map(|share| (share - 0.5).abs()).fold(0.05, f32::max);
    let point = |(nth, share): (usize, &f32)| {
        let height = 0.5 + (share - 0.5) / widest / 2.0;
        pos2(plot.left() + step * nth as f32, plot.bottom() - plot.height() * height)
    };
    let points: Vec<Pos2> = shares.iter().enumerate().map(point).collect();
    let radius = cx.sizes.px(3.5);
    if dashed {
        let stroke = Stroke::new(2.0, cx.theme.muted);
        painter.extend(Shape::dashed_line(&points, stroke, 5.0, 4.0));
        for at in &points {
            painter.circle(*at, radius, cx.theme.ground, Stroke::new(1.5, cx.theme.muted));
        }
    } else {
        painter.add(Shape::line(points.clone(), Stroke::new(2.5, cx.theme.ivory)));
        for at in &points {
            painter.circle_filled(*at, radius, cx.theme.ivory);
        }
    }
}
