//! The middle while the clocks are stopped: *Go on*, and why they were stopped, which may be left out.

use egui::{Align2, FontId, Rect, Role, Sense, Ui, UiBuilder};
use tabiya_app::snapshot::TableView;

use super::acts::go_on;
use super::sizes::{GAP, LOW};
use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, split};
use crate::widgets::{label, name};

/// While the clocks are stopped: *Go on*, and why they were stopped, which may be left out.
pub(super) fn paused_body(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    body: &mut Rect,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    let row = cut_top(body, px(48.0).min(body.height()), gap);
    let text = cx.t("resume");
    let face = ButtonFace::new(Kind::Gold, &text).key(cx.key(Command::Pause));
    if button_at(ui, cx, row, "go-on", &face).clicked() {
        go_on(cx, view, state);
    }
    if body.height() < px(44.0) {
        return;
    }
    if body.height() > px(80.0) {
        let why = cut_top(body, px(22.0), px(4.0));
        let text = cx.t("why-stopped");
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        crate::kit::write(ui.painter(), why.left_center(), Align2::LEFT_CENTER, &text, font, why.width());
        label(ui, why, "why", &text);
    }
    let row = cut_top(body, px(38.0).min(body.height()), gap);
    if state.other_reason {
        other_reason_ui(ui, cx, state, row);
        return;
    }
    let places = reason_places(cx, row, body);
    for (place, id) in places.iter().zip(["reason-illegal", "reason-phone", "reason-clock"]) {
        let text = cx.t(id);
        let chosen = state.reason == text;
        if button_at(ui, cx, *place, id, &ButtonFace::new(Kind::Choice(chosen), &text)).clicked() {
            state.reason = if chosen { String::new() } else { text };
        }
    }
    if let Some(place) = places.last() {
        let text = cx.t("reason-other");
        if button_at(ui, cx, *place, "reason-other", &ButtonFace::new(Kind::Choice(false), &text)).clicked() {
            state.reason.clear();
            state.other_reason = true;
        }
    }
    if body.height() >= px(28.0) && !view.is_event() {
        while_stopped_ui(ui, cx, state, cut_top(body, px(LOW), gap));
    }
}

/// Draws the field for another reason, and the way back to the usual ones.
fn other_reason_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, row: Rect) {
    let places = split(row, &[4.0, 1.0], cx.sizes.px(GAP));
    if let [field, back] = places[..] {
        ui.scope_builder(UiBuilder::new().max_rect(field), |ui| {
            let named = ui.interact(field, ui.scope_id().with("reason"), Sense::hover());
            name(&named, Role::Label, true, &cx.t("reason"));
            let edit = egui::TextEdit::singleline(&mut state.reason).hint_text(cx.t("reason"));
            ui.add_sized(field.size(), edit).labelled_by(named.id);
        });
        let face = ButtonFace::new(Kind::Plain, "").icon(Icon::Cross).said(cx.t("leave-it"));
        if button_at(ui, cx, back, "no-reason", &face).clicked() {
            state.reason.clear();
            state.other_reason = false;
        }
    }
}

/// Draws what else can be done while the clocks are stopped: set them.
fn while_stopped_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, row: Rect) {
    let text = cx.t("set-the-clocks");
    let face = ButtonFace::new(Kind::Plain, &text).icon(Icon::Clock);
    if button_at(ui, cx, row, "set-the-clocks", &face).clicked() {
        state.wants_clocks = true;
    }
}

/// The places of the four reasons: one row, or two where the row is narrow.
fn reason_places(cx: &Cx<'_>, row: Rect, body: &mut Rect) -> Vec<Rect> {
    let gap = cx.sizes.px(GAP);
    if row.width() > cx.sizes.px(400.0) {
        return split(row, &[1.35, 0.9, 1.15, 0.9], gap);
    }
    let second = cut_top(body, row.height().min(body.height()), gap);
    [row, second].into_iter().flat_map(|row| split(row, &[1.3, 1.0], gap)).collect()
}
