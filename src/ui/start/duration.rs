//! How long a game may last, as a bar: the time of each stage, and beside it what its moves add.

use egui::{Align2, Color32, CornerRadius, FontId, Rect, Sense, Ui, pos2, vec2};
use tabiya_engine::clock::{StageShare, TimeControl};
use tabiya_types::Millis;

use crate::cx::Cx;
use crate::kit::write;
use crate::theme::bold_font;
use crate::widgets::{label, translucent};

/// The heights of the line above the bar, of the bar and of the words below it, for a rem of 16 points.
const TITLE: f32 = 28.0;
const BAR: f32 = 32.0;
const BELOW: f32 = 24.0;
/// The gap between two parts, in points.
const GAP: f32 = 2.0;

/// A part of the bar.
struct Part {
    span: Millis,
    inside: String,
    below: String,
    fill: Color32,
}

/// Draws the bar, if the control has a limit.
pub(super) fn duration_ui(ui: &mut Ui, cx: &Cx<'_>, control: &TimeControl) {
    let (Some(one), Some(shares)) = (control.for_sixty_moves(), control.sixty_moves_by_stage()) else {
        return;
    };
    ui.add_space(cx.sizes.px(8.0));
    let size = vec2(ui.available_width(), cx.sizes.px(TITLE + BAR + BELOW));
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let whole = Millis(one.0.saturating_mul(2)).to_string();
    let title = Rect::from_min_size(rect.min, vec2(rect.width(), cx.sizes.px(TITLE)));
    let small = FontId::proportional(cx.sizes.small());
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    let figure =
        write(ui.painter(), title.right_center(), Align2::RIGHT_CENTER, &whole, font, title.width() * 0.4);
    let text = cx.t("sixty-moves-title");
    let room = figure.left() - title.left();
    let ink = (small, cx.theme.muted);
    write(ui.painter(), title.left_center(), Align2::LEFT_CENTER, &text, ink, room);
    label(ui, title, "sixty-moves", &cx.words.with("sixty-moves", &[("time", whole.into())]));
    let bar = Rect::from_min_size(title.left_bottom(), vec2(rect.width(), cx.sizes.px(BAR)));
    bar_ui(ui, cx, bar, &parts(cx, &shares));
}

/// The parts of the bar: of each stage its own time, and what its moves add.
fn parts(cx: &Cx<'_>, shares: &[StageShare]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (nth, share) in shares.iter().enumerate() {
        let id = if nth == 0 { "stage-moves" } else { "more-moves" };
        let moves = cx.words.with(id, &[("count", share.moves.into())]);
        if share.base > Millis::ZERO {
            let inside = cx.words.with("time-for-each", &[("time", in_minutes(share.base).into())]);
            parts.push(Part { span: share.base, inside, below: moves.clone(), fill: cx.theme.hover });
        }
        if share.bonus > Millis::ZERO {
            let below = if share.base > Millis::ZERO { cx.t("their-seconds") } else { moves };
            let fill = translucent(cx.theme.gold, 80);
            parts.push(Part { span: share.bonus, inside: in_minutes(share.bonus), below, fill });
        }
    }
    parts
}

/// Whole minutes as `90 min`, any other time as clocks show it.
fn in_minutes(span: Millis) -> String {
    let minutes = span.0 / 60_000;
    if span.0 == minutes * 60_000 && minutes < 600 { format!("{minutes} min") } else { span.to_string() }
}

fn bar_ui(ui: &Ui, cx: &Cx<'_>, bar: Rect, parts: &[Part]) {
    let all: u64 = parts.iter().map(|part| part.span.0).sum();
    let painter = ui.painter();
    let mut left = bar.left();
    for (nth, part) in parts.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a share of the width")]
        let width = bar.width() * (part.span.0 as f32 / all.max(1) as f32);
        let place = Rect::from_min_size(pos2(left, bar.top()), vec2((width - GAP).max(1.0), bar.height()));
        left += width;
        painter.rect_filled(place, CornerRadius::same(6), part.fill);
        let small = FontId::proportional(cx.sizes.small());
        let wide = |text: &str| painter.layout_no_wrap(text.to_owned(), small.clone(), part.fill).size().x;
        // Words that have no room are left out; screen readers have them all.
        let pad = cx.sizes.px(8.0);
        if wide(&part.inside) + 2.0 * pad <= place.width() {
            let at = place.left_center() + vec2(pad, 0.0);
            let ink = (small.clone(), cx.theme.text);
            write(painter, at, Align2::LEFT_CENTER, &part.inside, ink, place.width());
        }
        if wide(&part.below) <= place.width() {
            let at = place.left_bottom() + vec2(0.0, cx.sizes.px(BELOW / 2.0));
            write(painter, at, Align2::LEFT_CENTER, &part.below, (small, cx.theme.muted), place.width());
        }
        label(ui, place, &format!("part-{nth}"), &format!("{}: {}", part.below, part.inside));
    }
}
