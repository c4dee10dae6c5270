//! The queue of alerts: the selected one open with its rulings, the others with their proposed one. A button acts only on what has
//! stood at its place long enough to be read.

use egui::{Align2, CornerRadius, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::hall::{HallAlert, HallRuling, HallView};
use tabiya_app::view::reading_with_tenths;
use tabiya_types::Millis;

use super::state::DeskState;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at, key_cap};
use crate::kit::{cut_bottom, cut_top, rows, split, write};
use crate::theme::{PANEL_RADIUS, bold_font};
use crate::widgets::{live_label, name};

/// How long what was told is shown, in ms.
const TOLD: u64 = 8_000;
/// How many other rulings stand below the proposed one.
const OTHERS: usize = 3;

/// Draws the queue.
pub(super) fn queue_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, mut area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let head = cut_top(&mut area, px(38.0), px(4.0));
    head_ui(ui, cx, view, head);
    foot_ui(ui, cx, view, cut_bottom(&mut area, px(46.0), px(8.0)));
    if view.queue.is_empty() {
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let text = cx.t("hall-nothing");
        let galley = rows(ui.painter(), &text, font, area.width(), 3);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        crate::widgets::label(ui, area, "hall-nothing", &text);
        return;
    }
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt("hall-queue").auto_shrink(false).show_viewport(ui, |ui, seen| {
            // Beside the bar, if the queue is longer than its place.
            let (origin, width) = (ui.min_rect().min, ui.available_width());
            let mut y = 0.0;
            for alert in &view.queue {
                let selected = state.is_selected(&alert.key);
                let height = if selected { open_height(ui, cx, alert, width) } else { px(84.0) };
                // Only what is seen is drawn.
                if y + height >= seen.min.y && y <= seen.max.y {
                    let card = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, height));
                    card_ui(ui, cx, (view, alert), state, card);
                }
                y += height + px(9.0);
            }
            ui.allocate_space(vec2(width, y));
        });
    });
}

fn head_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, row: Rect) {
    let open = view.queue.iter().filter(|alert| alert.taken.is_none()).count();
    let text = cx.words.with("hall-need-you", &[("count", open.into())]);
    let font = (bold_font(cx.sizes.name() * 0.9), cx.theme.text);
    write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &text, font, row.width());
    crate::widgets::label(ui, row, "hall-need-you", &text);
    let cap = pos2(row.right() - cx.sizes.px(22.0), row.center().y);
    key_cap(ui.painter(), cx, cap, "A", cx.theme.muted);
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let at = cap - vec2(cx.sizes.px(6.0), 0.0);
    write(ui.painter(), at, Align2::RIGHT_CENTER, &cx.t("hall-next"), small, row.width() * 0.4);
}

/// Draws what was told last, for a while; after that, how the queue is sorted.
fn foot_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, row: Rect) {
    let newest = view.told.last().filter(|told| view.now.saturating_sub(told.at) < TOLD);
    let text = newest.map_or_else(|| cx.t("hall-sorted"), |told| cx.words.sentence(&told.says));
    let ink = if newest.is_some_and(|told| told.failed) { cx.theme.bad } else { cx.theme.muted };
    let small = FontId::proportional(cx.sizes.small());
    let galley = rows(ui.painter(), &text, (small, ink), row.width(), 3);
    ui.painter().galley(row.min, galley, ink);
    live_label(ui, row, "hall-told", &text, newest.is_some_and(|told| told.failed));
}

/// The words of what happened, in the open card.
fn says(ui: &Ui, cx: &Cx<'_>, alert: &HallAlert, width: f32) -> std::sync::Arc<egui::Galley> {
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.text);
    rows(ui.painter(), &under(cx, alert, true), small, width - cx.sizes.px(28.0), 3)
}

fn open_height(ui: &Ui, cx: &Cx<'_>, alert: &HallAlert, width: f32) -> f32 {
    let others = if alert.rulings.len() > 1 { 44.0 } else { 0.0 };
    says(ui, cx, alert, width).size().y + cx.sizes.px(108.0 + others)
}

/// What stands below the title: who looks after it, what has happened, the articles.
fn under(cx: &Cx<'_>, alert: &HallAlert, whole: bool) -> String {
    let taken = alert.taken.as_ref();
    let mut parts: Vec<String> =
        taken.map(|name| cx.words.with("hall-taken", &[("name", name.clone().into())])).into_iter().collect();
    if taken.is_none() || whole {
        parts.push(sentence(&cx.words.sentence(&alert.says)));
    }
    parts.extend(alert.proposes.iter().filter(|_| whole).map(|says| sentence(&cx.words.sentence(says))));
    let articles = alert.rulings.first().and_then(|ruling| ruling.articles.clone());
    if let Some(articles) = articles.filter(|_| whole) {
        parts.push(cx.words.with("hall-laws", &[("articles", articles.into())]));
    }
    parts.join(". ")
}

/// What a table says, as a sentence. What begins with the name of a square begins with a small letter.
fn sentence(says: &str) -> String {
    let begins_with_word = says.chars().take(2).all(char::is_alphabetic);
    if begins_with_word { crate::widgets::capital(says) } else { says.to_owned() }
}

/// The alert in one line, for who listens.
pub(super) fn in_words(cx: &Cx<'_>, alert: &HallAlert) -> String {
    let title = cx.words.said(&alert.title);
    match alert.key.table {
        Some(table) => {
            cx.words.with("hall-at-table", &[("table", u32::from(table).into()), ("what", title.into())])
        }
        None => title,
    }
}

fn card_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, alert): (&HallView, &HallAlert),
    state: &mut DeskState,
    card: Rect,
) {
    let (theme, px) = (cx.theme, |points: f32| cx.sizes.px(points));
    let selected = state.is_selected(&alert.key);
    let response = ui.interact(card, ui.scope_id().with(("alert", &alert.key)), Sense::click());
    name(&response, Role::Button, true, &format!("{}, {}", in_words(cx, alert), under(cx, alert, true)));
    if response.clicked() {
        state.select(alert, view.now);
    }
    let (fill, edge) = match (selected, response.hovered()) {
        (true, _) => (theme.panel, Stroke::new(2.0, theme.ivory)),
        (false, true) => (theme.hover, Stroke::new(1.0, theme.edge)),
        (false, false) => (theme.panel, Stroke::new(1.0, theme.line)),
    };
    let painter = ui.painter().clone();
    // The edge at the left follows the corners: it is what the ground of the card leaves free.
    let is_trouble = alert.taken.is_none() && alert.rank <= 2;
    let round = CornerRadius::same(PANEL_RADIUS);
    painter.rect_filled(card, round, if is_trouble { theme.bad } else { theme.edge });
    painter.rect_filled(card.with_min_x(card.left() + px(5.0)), CornerRadius { nw: 0, sw: 0, ..round }, fill);
    painter.rect_stroke(card, round, edge, StrokeKind::Inside);
    let mut inner =
        Rect::from_min_max(card.min + vec2(px(18.0), px(8.0)), card.max - vec2(px(12.0), px(10.0)));
    let top = cut_top(&mut inner, px(28.0), px(4.0));
    title_ui(ui, cx, alert, top);
    if selected {
        open_ui(ui, cx, (view, alert), state, inner);
    } else {
        shut_ui(ui, cx, (view, alert), state, inner);
    }
}

fn title_ui(ui: &Ui, cx: &Cx<'_>, alert: &HallAlert, row: Rect) {
    let (theme, painter) = (cx.theme, ui.painter());
    let age = reading_with_tenths(Some(Millis(alert.age)), Millis::ZERO);
    let small = (FontId::proportional(cx.sizes.small()), theme.muted);
    let right = write(painter, row.right_center(), Align2::RIGHT_CENTER, &age, small, row.width()).left();
    let mut x = row.left();
    if let Some(table) = alert.key.table {
        let font = (bold_font(cx.sizes.name()), theme.text);
        let number = write(
            painter,
            pos2(x, row.center().y),
            Align2::LEFT_CENTER,
            &table.to_string(),
            font,
            row.width(),
        );
        x = number.right() + cx.sizes.px(9.0);
    }
    let title = cx.words.said(&alert.title);
    let font = (bold_font(cx.sizes.rem), theme.text);
    write(painter, pos2(x, row.center().y), Align2::LEFT_CENTER, &title, font, right - x - cx.sizes.px(6.0));
}

/// Draws a card that is not selected: what it says, and its proposed ruling.
fn shut_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, alert): (&HallView, &HallAlert),
    state: &mut DeskState,
    row: Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let mut words = row;
    if let Some(ruling) = alert.rulings.first() {
        let label = cx.words.said(&ruling.label);
        let font = FontId::proportional(cx.sizes.rem);
        let width = ui.painter().layout_no_wrap(label.clone(), font, cx.theme.text).size().x + px(24.0);
        let place = row.with_min_x(row.right() - width.min(row.width() * 0.62));
        words.max.x = place.left() - px(8.0);
        let face = ButtonFace::new(if ruling.asks { Kind::GraveAsks } else { Kind::Plain }, &label);
        let said = format!("{}: {label}", in_words(cx, alert));
        let clicked = button_at(ui, cx, place, ("proposed", &alert.key), &face.said(said)).clicked();
        if clicked && state.stands(&alert.key, view.now) {
            state.select(alert, view.now);
            state.rule(alert, ruling, (cx.words, view.now));
        }
    }
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let text = under(cx, alert, false);
    write(ui.painter(), words.left_center(), Align2::LEFT_CENTER, &text, small, words.width());
}

/// Draws the selected card: what happened, the proposed ruling in gold, the others beside it.
fn open_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, alert): (&HallView, &HallAlert),
    state: &mut DeskState,
    mut inner: Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let told = says(ui, cx, alert, inner.width() + px(28.0));
    let height = told.size().y;
    ui.painter().galley(cut_top(&mut inner, height, px(8.0)).min, told, cx.theme.text);
    let Some((first, others)) = alert.rulings.split_first() else { return };
    let gold = cut_top(&mut inner, px(44.0), px(8.0));
    ruling_ui(ui, cx, (view, alert), state, (gold, first, 0));
    let shown = others.len().min(OTHERS);
    let columns = split(cut_top(&mut inner, px(36.0), 0.0), &vec![1.0; shown], px(7.0));
    for (nth, (place, ruling)) in columns.into_iter().zip(others).enumerate() {
        ruling_ui(ui, cx, (view, alert), state, (place, ruling, nth + 1));
    }
}

fn ruling_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, alert): (&HallView, &HallAlert),
    state: &mut DeskState,
    (place, ruling, nth): (Rect, &HallRuling, usize),
) {
    let label = cx.words.said(&ruling.label);
    let (kind, key) =
        if nth == 0 { (Kind::Gold, cx.t("key-enter")) } else { (Kind::Plain, (nth + 1).to_string()) };
    let said = format!("{}: {label}", in_words(cx, alert));
    let face = ButtonFace::new(kind, &label).key(key).said(said);
    if button_at(ui, cx, place, ("ruling", &alert.key, nth), &face).clicked()
        && state.is_steady(view.now)
        && state.stands(&alert.key, view.now)
    {
        state.rule(alert, ruling, (cx.words, view.now));
    }
}
