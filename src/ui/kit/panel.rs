//! Grounds and small signs: panels, pills, the pot, a reason, the track of the stages.

use std::sync::Arc;

use std::cmp::Ordering;

use egui::{
    Align2, Color32, CornerRadius, FontId, Frame, Galley, Margin, Painter, Pos2, Rect, Stroke, StrokeKind,
    Vec2, pos2, vec2,
};

use super::icon::Icon;
use super::{rows, write};
use crate::art;
use crate::cx::Cx;
use crate::theme::{GRID, PANEL_RADIUS, Theme, bold_font};

/// Draws the ground of a group.
pub(crate) fn ground(painter: &Painter, theme: &Theme, rect: Rect) {
    let line = Stroke::new(1.0, theme.line);
    painter.rect(rect, CornerRadius::same(PANEL_RADIUS), theme.panel, line, StrokeKind::Inside);
}

/// Draws felt, on which cards lie.
pub(crate) fn felt(painter: &Painter, theme: &Theme, rect: Rect) {
    let line = Stroke::new(1.0, theme.felt_line);
    painter.rect(rect, CornerRadius::same(PANEL_RADIUS), theme.felt, line, StrokeKind::Inside);
}

/// What a pill says beside its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    Usual,
    Well,
    Wrong,
}

/// Draws a pill with an icon and words whose right end is at `right`, and returns its area.
pub(crate) fn pill(painter: &Painter, cx: &Cx<'_>, right: Pos2, icon: Icon, text: &str, mood: Mood) -> Rect {
    let theme = cx.theme;
    let size = cx.sizes.small();
    let ink = match mood {
        Mood::Usual => theme.text,
        Mood::Well => theme.good,
        Mood::Wrong => theme.bad,
    };
    let width = painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), ink).size().x;
    let (height, mark) = (size * 1.75, size * 1.2);
    let whole = vec2(width + mark + size * 1.9, height);
    let rect = Rect::from_min_size(pos2(right.x - whole.x, right.y - height / 2.0), whole);
    let edge = if mood == Mood::Wrong { Stroke::new(1.0, theme.bad) } else { Stroke::new(1.0, theme.line) };
    painter.rect(rect, CornerRadius::same(round(height / 2.0)), theme.raised, edge, StrokeKind::Inside);
    let at = pos2(rect.left() + size * 0.7, rect.center().y);
    icon.draw(painter, Rect::from_center_size(at + vec2(mark / 2.0, 0.0), Vec2::splat(mark)), ink);
    write(
        painter,
        at + vec2(mark + size * 0.45, 0.0),
        Align2::LEFT_CENTER,
        text,
        (FontId::proportional(size), ink),
        width,
    );
    rect
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a radius of a few points")]
pub(crate) fn round(radius: f32) -> u8 {
    radius.clamp(0.0, 120.0) as u8
}

/// Draws the pot as a pill of felt whose right end is at `right`, and returns its area.
pub(crate) fn pot_pill(painter: &Painter, cx: &Cx<'_>, right: Pos2, word: &str, amount: u32) -> Rect {
    let theme = cx.theme;
    let (small, figure) = (FontId::proportional(cx.sizes.small()), bold_font(cx.sizes.lead()));
    let number = amount.to_string();
    let width = |text: &str, font: &FontId| {
        painter.layout_no_wrap(text.to_owned(), font.clone(), theme.text).size().x
    };
    let (word_width, number_width) = (width(word, &small), width(&number, &figure));
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let chips = px(34.0);
    let whole = vec2(px(12.0) + word_width + px(6.0) + number_width + px(6.0) + chips + px(8.0), px(30.0));
    let rect = Rect::from_min_size(pos2(right.x - whole.x, right.y - whole.y / 2.0), whole);
    let edge = Stroke::new(1.0, theme.felt_line);
    painter.rect(rect, CornerRadius::same(round(whole.y / 2.0)), theme.felt, edge, StrokeKind::Inside);
    let at = pos2(rect.left() + px(12.0), rect.center().y);
    write(painter, at, Align2::LEFT_CENTER, word, (small, theme.on_felt), word_width);
    let at = at + vec2(word_width + px(6.0), 0.0);
    write(painter, at, Align2::LEFT_CENTER, &number, (figure, theme.on_felt), number_width);
    let row = pos2(at.x + number_width + px(6.0), rect.center().y - px(9.0));
    art::chips(painter, row, px(18.0), amount, chips);
    rect
}

/// Draws the pot on the board, over the ranks in the middle.
pub(crate) fn pot_on_board(painter: &Painter, cx: &Cx<'_>, rect: Rect, word: &str, amount: u32) {
    let theme = cx.theme;
    let corner = CornerRadius::same(round(rect.height() / 2.0));
    painter.rect(rect, corner, theme.felt, Stroke::new(2.0, theme.felt_line), StrokeKind::Inside);
    let inner = rect.shrink(rect.height() * 0.04);
    let faint = crate::widgets::translucent(theme.felt_line, 120);
    painter.rect_stroke(
        inner,
        CornerRadius::same(round(inner.height() / 2.0)),
        Stroke::new(1.0, faint),
        StrokeKind::Inside,
    );
    let (x, height) = (rect.center().x, rect.height());
    let small = FontId::proportional((height * 0.11).max(cx.sizes.small()));
    write(
        painter,
        pos2(x, rect.top() + height * 0.20),
        Align2::CENTER_CENTER,
        word,
        (small, theme.on_felt),
        rect.width(),
    );
    let figure = bold_font(height * 0.42);
    write(
        painter,
        pos2(x, rect.top() + height * 0.51),
        Align2::CENTER_CENTER,
        &amount.to_string(),
        (figure, theme.on_felt),
        rect.width(),
    );
    let chips = height * 0.17;
    let width = art::chips_width(amount, chips, rect.width() * 0.6);
    art::chips(
        painter,
        pos2(x - width / 2.0, rect.bottom() - height * 0.26),
        chips,
        amount,
        rect.width() * 0.6,
    );
}

/// The room that a reason's sign and edges take from its width.
fn reason_margin(cx: &Cx<'_>) -> f32 {
    cx.sizes.px(6.0 * GRID) + cx.sizes.px(20.0)
}

/// Lays out a reason for this width. A long one has smaller words.
pub(crate) fn lay_out_reason(painter: &Painter, cx: &Cx<'_>, width: f32, text: &str) -> Arc<Galley> {
    let lay = |size: f32| {
        rows(painter, text, (FontId::proportional(size), cx.theme.bad), width - reason_margin(cx), 4)
    };
    let usual = lay(cx.sizes.rem);
    if usual.rows.len() > 2 { lay(cx.sizes.small()) } else { usual }
}

/// Draws a reason in coral on its wash, and returns its height.
pub(crate) fn reason(painter: &Painter, cx: &Cx<'_>, area: Rect, words: Arc<Galley>) -> f32 {
    let theme = cx.theme;
    let pad = cx.sizes.px(2.0 * GRID);
    let mark = cx.sizes.px(20.0);
    let height = words.size().y + pad * 1.25;
    let rect = Rect::from_min_size(area.min, vec2(area.width(), height));
    painter.rect(
        rect,
        CornerRadius::same(8),
        theme.bad_wash,
        Stroke::new(1.0, theme.bad),
        StrokeKind::Inside,
    );
    let sign =
        Rect::from_center_size(pos2(rect.left() + pad + mark / 2.0, rect.center().y), Vec2::splat(mark));
    Icon::Warning.draw(painter, sign, theme.bad);
    let at = pos2(rect.left() + 2.0 * pad + mark, rect.center().y - words.size().y / 2.0);
    painter.galley(at, words, theme.bad);
    height
}

/// Draws the stages of a game as a track with the present stage in a ring. Where there is no room for all words, only the
/// present stage has its word.
pub(crate) fn track(painter: &Painter, cx: &Cx<'_>, area: Rect, words: &[String], now: usize) {
    let theme = cx.theme;
    let size = cx.sizes.small();
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let font = |chosen: bool| if chosen { bold_font(size) } else { FontId::proportional(size) };
    let width =
        |text: &str, chosen: bool| painter.layout_no_wrap(text.to_owned(), font(chosen), theme.text).size().x;
    let (dot, gap, ring) = (px(8.0), px(30.0), px(10.0));
    let part = |nth: usize, word: &String, all: bool| {
        let chosen = nth == now;
        let words = if all || chosen { px(7.0) + width(word, chosen) } else { 0.0 };
        dot + words + if chosen { 2.0 * ring } else { 0.0 }
    };
    let whole = |all: bool, gap: f32| {
        #[expect(clippy::cast_precision_loss, reason = "a handful of stages")]
        let gaps = gap * words.len().saturating_sub(1) as f32;
        words.iter().enumerate().map(|(nth, word)| part(nth, word, all)).sum::<f32>() + gaps
    };
    let all = whole(true, gap) <= area.width();
    let gap = if whole(all, gap) <= area.width() { gap } else { px(12.0) };
    if whole(all, gap) > area.width() {
        // In a very narrow bar only the present stage is named.
        if let Some(word) = words.get(now) {
            write(
                painter,
                area.center(),
                Align2::CENTER_CENTER,
                word,
                (font(true), theme.text),
                area.width(),
            );
        }
        return;
    }
    let (mut x, y) = (area.center().x - whole(all, gap) / 2.0, area.center().y);
    for (nth, word) in words.iter().enumerate() {
        let long = part(nth, word, all);
        let told = (all || nth == now).then_some(word.as_str());
        stage(painter, cx, (pos2(x, y), long), told, nth.cmp(&now));
        x += long;
        if nth + 1 < words.len() {
            let line = [pos2(x + gap * 0.25, y), pos2(x + gap * 0.75, y)];
            painter.line_segment(line, Stroke::new(1.0, theme.edge));
            x += gap;
        }
    }
}

/// Draws a stage of the track, from `left` on: its dot, its word if it has one, and a ring if it is the present one. `when` is
/// how it lies to the present one.
fn stage(painter: &Painter, cx: &Cx<'_>, (left, long): (Pos2, f32), word: Option<&str>, when: Ordering) {
    let (theme, size) = (cx.theme, cx.sizes.small());
    let (dot, ring, chosen) = (cx.sizes.px(8.0), cx.sizes.px(10.0), when == Ordering::Equal);
    let ink = if chosen { theme.text } else { theme.muted };
    let Pos2 { x: mut at, y } = left;
    if chosen {
        let frame = Rect::from_min_max(pos2(at, y - size * 0.95), pos2(at + long, y + size * 0.95));
        let edge = Stroke::new(2.0, theme.ivory);
        painter.rect(frame, CornerRadius::same(round(size)), theme.hover, edge, StrokeKind::Inside);
        at += ring;
    }
    let middle = pos2(at + dot / 2.0, y);
    if when == Ordering::Greater {
        painter.circle_stroke(middle, dot / 2.0 - 0.75, Stroke::new(1.5, theme.muted));
    } else {
        painter.circle_filled(middle, dot / 2.0, if chosen { theme.ivory } else { theme.muted });
    }
    if let Some(word) = word {
        let font = if chosen { bold_font(size) } else { FontId::proportional(size) };
        let place = pos2(at + dot + cx.sizes.px(7.0), y);
        write(painter, place, Align2::LEFT_CENTER, word, (font, ink), long);
    }
}

/// A card for what waits, such as an alert, with an edge in its colour.
pub(crate) fn card(fill: Color32, edge: Color32) -> Frame {
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, edge))
        .corner_radius(CornerRadius::same(PANEL_RADIUS))
        .inner_margin(Margin::same(10))
}

/// Draws the ring of the keyboard focus around a control.
pub(crate) fn ring(painter: &Painter, theme: &Theme, control: Rect) {
    let stroke = Stroke::new(3.0, theme.focus);
    painter.rect_stroke(control.expand(3.0), CornerRadius::same(10), stroke, StrokeKind::Middle);
}
