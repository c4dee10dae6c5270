//! The foot of the middle: the quieter actions in one row, and above them the line for words while it is used.

use egui::{Key, Margin, Popup, Rect, RichText, Role, Sense, Ui, UiBuilder, pos2};
use tabiya_app::snapshot::TableView;
use tabiya_app::words::typed_wish;

use super::acts::{go_on, pause, take_back};
use super::sizes::{FOOT, GAP, LOW};
use super::state::TableState;
use super::{chess, own_cards};
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_bottom, split};
use crate::landmarks::Landmark;
use crate::widgets::name;

/// A row with less room than this for words, at a rem of 16 points, has an icon in place of some.
const NARROW: f32 = 370.0;
/// An action of the cards has few words in a place that is narrower than this.
const OWN: f32 = 130.0;
/// With less than this, actions share it alike.
const VERY_NARROW: f32 = 260.0;

/// The places of the foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPlaces {
    /// The row of the quieter actions, if there is room.
    row: Option<Rect>,
    /// The line for words, while it is used.
    line: Option<Rect>,
}

/// Whether the line for words is used.
pub(super) fn types(state: &TableState) -> bool {
    state.focus_typed || !state.typed.is_empty() || state.line_focused
}

/// Cuts the places of the foot off the middle. `quiet` and `line` are the places of the row and of the line elsewhere, if they have
/// one; `keeps` is the height that the rest needs.
pub(super) fn places(
    cx: &Cx<'_>,
    body: &mut Rect,
    state: &TableState,
    (quiet, line, keeps): (Option<Rect>, Option<Rect>, f32),
) -> FootPlaces {
    let gap = cx.sizes.px(GAP);
    let height = cx.sizes.px(FOOT);
    let row = quiet.or_else(|| (body.height() >= height + keeps).then(|| cut_bottom(body, height, gap)));
    // The line stands above the row, which does not move.
    let line = line.or_else(|| types(state).then(|| cut_bottom(body, cx.sizes.px(LOW), gap)));
    FootPlaces { row, line }
}

/// Draws the foot. `acts`: whether players can act now, so that a draw may be offered and a game resigned.
pub(super) fn foot_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    (places, acts): (FootPlaces, bool),
) {
    if let Some(row) = places.row {
        row_ui(ui, cx, view, state, (row, acts));
    }
    match places.line {
        Some(line) => line_ui(ui, cx, state, line),
        None => state.line_focused = false,
    }
}

/// Draws the row: take back, offer a draw, resign, stop the clocks, and open the line for words.
fn row_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, (row, acts): (Rect, bool)) {
    let gap = cx.sizes.px(GAP);
    let side = row.height().min(cx.sizes.px(FOOT));
    let mut rest = row;
    let mut at_the_end = || {
        let place = Rect::from_min_max(pos2(rest.right() - side, rest.top()), rest.max);
        rest.max.x = place.left() - gap;
        place
    };
    let (line, stop) = (at_the_end(), at_the_end());
    let narrow = rest.width() < cx.sizes.px(NARROW);
    let own = own_cards::quiet(view).filter(|_| acts);
    let mut shares = if acts { chess::shares(view) } else { Vec::new() };
    if rest.width() < cx.sizes.px(VERY_NARROW) {
        shares.fill(1.0);
    }
    // Beside many words the way back is an icon.
    let icon_alone = narrow || (own.is_some() && shares.len() > 1);
    let back = if icon_alone {
        let place = Rect::from_min_size(rest.min, egui::vec2(side, rest.height()));
        rest.min.x = place.right() + gap;
        Some(place)
    } else {
        None
    };
    let first = if back.is_none() { Some(1.25) } else { None };
    let all: Vec<f32> = first.into_iter().chain(own.map(|_| 2.4)).chain(shares).collect();
    let mut parts = split(rest, &all, gap).into_iter();
    let back = back.or_else(|| parts.next());
    if let Some(place) = back {
        take_back_ui(ui, cx, view, state, (place, icon_alone));
    }
    if let Some(place) = own.and_then(|_| parts.next()) {
        let said = cx.t(own.unwrap_or_default());
        let short = cx.t(&format!("{}-short", own.unwrap_or_default()));
        let text = if place.width() < cx.sizes.px(OWN) { &short } else { &said };
        let face = ButtonFace::new(Kind::Plain, text).said(said.clone());
        let response = button_at(ui, cx, place, "own-quiet", &face);
        Popup::menu(&response).show(|ui| own_cards::quiet_ui(ui, cx, view, state));
    }
    if acts {
        chess::actions_ui(ui, cx, view, state, parts.collect());
    }
    stop_ui(ui, cx, view, state, stop);
    open_line_ui(ui, cx, state, line);
}

fn take_back_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    (place, icon_alone): (Rect, bool),
) {
    let off = cx.why_off(&[(!view.is_event(), "off-event"), (view.begun, "off-not-begun")]);
    let said = cx.t("take-back-asks");
    let text = if icon_alone { "" } else { said.as_str() };
    let face = ButtonFace::new(Kind::Plain, text).icon(Icon::Undo).said(said.clone());
    if button_at(ui, cx, place, "take-back", &face.key(cx.key(Command::Undo)).off(off)).clicked() {
        take_back(cx, view, state);
    }
}

/// Draws the button that stops the clocks, or lets them go on.
fn stop_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, place: Rect) {
    let paused = view.clock.paused();
    let off = cx.why_off(&[(view.outcome.is_none(), "off-over")]);
    let (icon, word) = if paused { (Icon::Play, "resume") } else { (Icon::Pause, "pause") };
    let face = ButtonFace::new(Kind::Plain, "").icon(icon).said(cx.t(word)).key(cx.key(Command::Pause));
    if button_at(ui, cx, place, "stop", &face.off(off)).clicked() {
        if paused {
            go_on(cx, view, state);
        } else {
            pause(cx, view);
        }
    }
}

/// Draws the button that opens the line for words, or closes it.
fn open_line_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, place: Rect) {
    let key = cx.key(Command::Type);
    let text = if key.is_empty() { "…" } else { key.as_str() };
    let face = ButtonFace::new(Kind::Plain, text).said(cx.t("open-line")).strong();
    let response = button_at(ui, cx, place, "open-line", &face);
    Landmark::Middle.mark(&cx.ctx, response.id);
    if response.clicked() {
        state.focus_typed = true;
    }
    response.on_hover_text(cx.t("open-line"));
}

/// Draws an input line for moves, placements and everything else that users can type in the terminal.
fn line_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, field: Rect) {
    let hint = cx.t("type-a-line");
    let said = match cx.key(Command::Type) {
        none if none.is_empty() => hint.clone(),
        key => format!("{hint}  [{key}]"),
    };
    ui.scope_builder(UiBuilder::new().max_rect(field), |ui| {
        let edit = egui::TextEdit::singleline(&mut state.typed)
            .desired_width(f32::INFINITY)
            .align(egui::Align2::LEFT_CENTER)
            .hint_text(RichText::new(&hint).color(cx.theme.muted))
            .margin(Margin::symmetric(10, 4));
        let named = ui.interact(field, ui.scope_id().with("type-a-line"), Sense::hover());
        name(&named, Role::Label, true, &said);
        let response = ui.add_sized(field.size(), edit).labelled_by(named.id);
        Landmark::Middle.mark(&cx.ctx, response.id);
        if std::mem::take(&mut state.focus_typed) {
            response.request_focus();
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        // An empty line presses the clock, as in the terminal.
        if entered {
            cx.wish(typed_wish(std::mem::take(&mut state.typed), cx.words));
            state.focus_typed = true;
        }
        state.line_focused = response.has_focus();
    });
}
