//! The head of the middle: the prompt, the pot, and a second line with a reason or what is said besides.

use std::sync::Arc;

use egui::{FontId, Galley, Painter, Rect, Role, Sense, Ui, pos2, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Phase;

use super::said::Said;
use crate::cx::Cx;
use crate::kit::{panel, rows};
use crate::theme::bold_font;
use crate::widgets::{capital, label, live_label, name};

/// Draws the head, with the pot if that `shows` here. Returns where the pot is, if it is here.
pub(super) fn head_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    view: &TableView,
    (head, shows): (Rect, bool),
    said: &Said,
) -> Option<Rect> {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let painter = ui.painter().with_clip_rect(head.expand(4.0));
    let mut under = head;
    let has_line = said.wrong.is_some() || !said.under.is_empty();
    let title_room = if has_line { (head.height() - px(30.0)).max(px(20.0)) } else { head.height() };
    // Where there is room, the pot stands below the first line of the prompt.
    let low = has_line || head.height() > px(66.0);
    let pot_place = if shows { pot_ui(ui, &painter, cx, view, (head, low)) } else { None };
    let pot_left = pot_place.map_or(head.right(), |pot| pot.left() - px(8.0));
    let width = if pot_place.is_some() && !low { pot_left - head.left() } else { head.width() };
    let reason = said
        .wrong
        .as_ref()
        .map(|wrong| panel::lay_out_reason(&painter, cx, pot_left - head.left(), &capital(wrong)));
    // A reason of several rows stands in the place of the prompt, so that it covers no control.
    if reason.as_ref().is_some_and(|reason| reason.rows.len() > 1) {
        live_label(ui, head, "title", &said.title, false);
    } else {
        let largest = if view.outcome.is_some() { sizes.figure() } else { sizes.title() };
        let mut galley = fit(ui, cx, &said.title, largest, vec2(width, title_room));
        let covers = |galley: &Galley, pot: Rect| {
            Rect::from_min_size(head.min, galley.size()).intersects(pot.expand(px(4.0)))
        };
        if let Some(pot) = pot_place.filter(|pot| covers(&galley, *pot)) {
            // The prompt stands above the pot or beside it, in the larger letters.
            let above = fit(ui, cx, &said.title, largest, vec2(width, pot.top() - px(4.0) - head.top()));
            let beside = fit(ui, cx, &said.title, largest, vec2(pot_left - head.left(), title_room));
            let letters = |galley: &Galley| galley.rows.first().map_or(0.0, |row| row.height());
            galley = if letters(&above) >= letters(&beside) { above } else { beside };
        }
        let place = Rect::from_min_size(head.min, galley.size());
        painter.galley(place.min, galley, cx.theme.text);
        live_label(ui, place, "title", &said.title, said.asks);
        under.min.y = place.bottom() + px(4.0);
    }
    if let Some(heard) = &said.heard {
        live_label(ui, head, "heard", heard, true);
    }
    let line = Rect::from_min_max(under.min, pos2(pot_left, head.bottom().max(under.top() + px(24.0))));
    line_ui(ui, &painter, cx, said, (line, reason));
    pot_place
}

/// Lays out text in the largest of some sizes in which it fits into an area, from `largest` down.
fn fit(ui: &Ui, cx: &Cx<'_>, text: &str, largest: f32, room: egui::Vec2) -> Arc<Galley> {
    let (sizes, ink) = (cx.sizes, cx.theme.text);
    // The table's sentences begin in lower case, because they also stand inside others.
    let text = &capital(text);
    let try_sizes =
        [largest, sizes.title(), sizes.name(), sizes.lead(), sizes.rem, sizes.small(), sizes.small() * 0.85];
    let lay = |size: f32| rows(ui.painter(), text, (bold_font(size), ink), room.x, 6);
    let fits = |galley: &Arc<Galley>| galley.size().y <= room.y && !galley.elided;
    try_sizes.iter().map(|size| lay(*size)).find(fits).unwrap_or_else(|| lay(sizes.small() * 0.85))
}

/// Draws the pot at the right end of the head, unless it lies on the board, as during the betting. Returns its place.
fn pot_ui(
    ui: &Ui,
    painter: &Painter,
    cx: &Cx<'_>,
    view: &TableView,
    (head, low): (Rect, bool),
) -> Option<Rect> {
    let px = |points: f32| cx.sizes.px(points);
    if !view.has_chips() || matches!(view.phase, Phase::Deal | Phase::Bet | Phase::Over | Phase::MatchOver) {
        return None;
    }
    let pot = view.stakes.pot().0;
    let right = if low {
        let below_board = head.height() > px(110.0);
        let bottom = if below_board { head.top() + px(110.0) } else { head.bottom() };
        pos2(head.right(), bottom - px(15.0))
    } else {
        head.right_center()
    };
    let rect = panel::pot_pill(painter, cx, right, &cx.t("pot-word"), pot);
    let response = ui.interact(rect, ui.scope_id().with("pot"), Sense::hover());
    name(&response, Role::Label, true, &cx.words.with("pot-is", &[("count", pot.into())]));
    Some(rect)
}

/// Draws the second line of the head: the reason of a refusal or a fault, or else what is said besides.
fn line_ui(
    ui: &Ui,
    painter: &Painter,
    cx: &Cx<'_>,
    said: &Said,
    (line, reason): (Rect, Option<Arc<Galley>>),
) {
    if let (Some(wrong), Some(reason)) = (&said.wrong, reason) {
        let height = panel::reason(painter, cx, line, reason);
        live_label(ui, Rect::from_min_size(line.min, vec2(line.width(), height)), "wrong", wrong, true);
    } else if !said.under.is_empty() {
        let lay = |size: f32| {
            let words = (FontId::proportional(size), cx.theme.muted);
            rows(painter, &capital(&said.under), words, line.width(), 2)
        };
        // Two rows of usual words would stand on what comes below.
        let usual = lay(cx.sizes.rem);
        let galley = if usual.rows.len() > 1 { lay(cx.sizes.small()) } else { usual };
        painter.galley(line.min, galley, cx.theme.muted);
        // A clock that is told here changes every second: that is not read aloud.
        label(ui, line, "under", &said.under);
    }
}
