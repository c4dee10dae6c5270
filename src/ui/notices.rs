//! The newest notice: a file that was written, a match that can be carried on, or a failure. It floats above the lower edge over
//! the column, moves nothing, and goes after a few seconds.

use std::time::Duration;

use egui::{Area, CornerRadius, FontId, Id, LayerId, Order, Rect, Sense, Stroke, StrokeKind, pos2, vec2};
use tabiya_app::desk::Wish;

use super::cx::Cx;
use super::kit::button::{ButtonFace, Kind, button_at};
use super::motion::frame_after;
use super::theme::{BUTTON_RADIUS, FAILURE, NOTICE};
use super::widgets::{capital, lay_out_line, live_label};

/// Its height, its distance from the edges and the width of its button, at a rem of 16 points.
const HIGH: f32 = 44.0;
const EDGE: f32 = 16.0;
const BUTTON: f32 = 150.0;

/// Draws the newest notice while it is new: one line, and at most one button.
pub(super) fn notices_ui(cx: &mut Cx<'_>) {
    let Some(notice) = cx.snapshot.notices.last().cloned() else { return };
    let span = if notice.failed { FAILURE } else { NOTICE };
    let passed = cx.now.since(notice.at);
    if passed >= span {
        return;
    }
    frame_after(&cx.ctx, Duration::from_millis(span.0 - passed.0));
    // What was begun is not thrown away by one click.
    let in_use = cx.snapshot.table.as_ref().is_some_and(|view| view.in_use);
    let carry_on = notice.carry_on.filter(|_| !in_use);
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let (pad, window) = (px(14.0), cx.ctx.content_rect());
    let button = if carry_on.is_some() { px(BUTTON) + pad } else { 0.0 };
    let ink = if notice.failed { cx.theme.bad } else { cx.theme.muted };
    let told = cx.say(&notice.text);
    let text = capital(&told);
    let painter = cx.ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("notice")));
    let room = window.width() - 2.0 * (px(EDGE) + pad) - button;
    let words = lay_out_line(&painter, &text, FontId::proportional(sizes.small()), ink, room);
    let size = vec2(words.size().x + 2.0 * pad + button, px(HIGH));
    let place = Rect::from_min_size(window.max - vec2(px(EDGE), px(EDGE)) - size, size);
    let area = Area::new(Id::unique("notice")).order(Order::Foreground).fixed_pos(place.min);
    // Without a button it lets clicks through to what it covers.
    let area = area.interactable(carry_on.is_some());
    let ctx = cx.ctx.clone();
    area.show(&ctx, |ui| {
        let (place, response) = ui.allocate_exact_size(size, Sense::hover());
        let edge = Stroke::new(1.0, if notice.failed { cx.theme.bad } else { cx.theme.edge });
        let corner = CornerRadius::same(BUTTON_RADIUS);
        ui.painter().rect(place, corner, cx.theme.panel, edge, StrokeKind::Inside);
        let elided = words.elided;
        let at = pos2(place.left() + pad, place.center().y - words.size().y / 2.0);
        ui.painter().galley(at, words, ink);
        live_label(ui, place, "notice", &told, notice.failed);
        if elided {
            response.on_hover_text(&text);
        }
        if let Some((path, id)) = carry_on {
            let place = place.with_min_x(place.right() - px(BUTTON) - px(6.0)).shrink(px(6.0));
            let word = cx.t("carry-it-on");
            if button_at(ui, cx, place, "carry-it-on", &ButtonFace::new(Kind::Plain, &word)).clicked() {
                cx.wish(Wish::CarryOn { path, id, deck: None, pgn: None });
            }
        }
    });
}
