//! The bar of a console: the event, how many tables run, stopped, wait and are done, joining, stopping all, the bell.

use egui::{Align2, FontId, Rect, Sense, Ui, pos2, vec2};
use tabiya_app::hall::{HallView, HallWish};

use super::sheets::Sheet;
use super::state::{DeskPage, DeskState, Filter};
use crate::chrome::fill_screen;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::counts::{StateCount, counts_ui};
use crate::kit::icon::Icon;
use crate::kit::tabs::tabs_ui;
use crate::kit::write;
use crate::theme::bold_font;

/// Draws the bar.
pub(super) fn bar_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), cx.sizes.px(36.0)), Sense::hover());
    let narrow = row.width() / cx.sizes.rem < super::WITH_ALERTS;
    let right = controls_ui(ui, cx, view, state, row, narrow);
    let px = |points: f32| cx.sizes.px(points);
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    let room = (right - row.left() - px(12.0)) * if narrow { 1.0 } else { 0.5 };
    let end = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &view.event, font, room).right();
    if narrow {
        return;
    }
    let tabs = Rect::from_min_max(pos2(end + px(18.0), row.top()), pos2(right - px(8.0), row.bottom()));
    let end = pages_ui(ui, cx, view, state, tabs);
    let weak = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
    let who = format!("{} · {}", view.console, view.arbiter);
    let who = if view.console == view.arbiter { view.console.clone() } else { who };
    let at = pos2(end + px(8.0), row.center().y);
    let end = write(ui.painter(), at, Align2::LEFT_CENTER, &who, weak, px(180.0)).right();
    tables_ui(ui, cx, view, Rect::from_min_max(pos2(end + px(8.0), row.top()), pos2(right, row.bottom())));
}

/// Draws what can be done with the whole hall, and returns where it begins.
fn controls_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    row: Rect,
    narrow: bool,
) -> f32 {
    let px = |points: f32| cx.sizes.px(points);
    let mut right = row.right();
    let mut at_right = |width: f32| {
        let place = Rect::from_min_max(pos2(right - width, row.top()), pos2(right, row.bottom()));
        right -= width + px(6.0);
        place
    };
    let said = cx.t("command-full-screen");
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Full).said(said).key("F11".to_owned());
    if button_at(ui, cx, at_right(px(40.0)), "full", &face).clicked() {
        fill_screen(&cx.ctx);
    }
    let said = cx.t(if state.kept.mute { "hall-bell-on" } else { "hall-bell-off" });
    let face = ButtonFace::new(Kind::Choice(!state.kept.mute), "").icon(Icon::Bell).said(said);
    if button_at(ui, cx, at_right(px(40.0)), "bell", &face).clicked() {
        state.kept.mute = !state.kept.mute;
    }
    let text = cx.t("hall-stop-all");
    let face = ButtonFace::new(Kind::GraveAsks, if narrow { "" } else { &text })
        .icon(Icon::Pause)
        .said(text.clone());
    if button_at(ui, cx, at_right(px(if narrow { 40.0 } else { 110.0 })), "stop-all", &face).clicked() {
        state.wishes.push(HallWish::StopAll);
    }
    let waiting = view.joining.waiting.len();
    let text = match waiting {
        0 => cx.t("hall-join"),
        count => cx.words.with("hall-joining", &[("count", count.into())]),
    };
    let kind = Kind::Choice(waiting > 0);
    let face = ButtonFace::new(kind, if narrow { "" } else { &text }).icon(Icon::Plus).said(text.clone());
    let face = face.key("J".to_owned());
    if button_at(ui, cx, at_right(px(if narrow { 40.0 } else { 150.0 })), "joining", &face).clicked() {
        state.sheet = Some(Sheet::joining());
    }
    if view.phones.is_some() {
        let said = cx.t("hall-phone-code");
        let face = ButtonFace::new(Kind::Plain, "").icon(Icon::Phone).said(said).key("F".to_owned());
        if button_at(ui, cx, at_right(px(40.0)), "phone", &face).clicked() {
            state.sheet = Some(Sheet::phone());
        }
    }
    if narrow {
        let text = cx.t(if state.tables_shown { "hall-alerts" } else { "hall-tables" });
        let face = ButtonFace::new(Kind::Plain, &text);
        if button_at(ui, cx, at_right(px(120.0)), "turn", &face).clicked() {
            state.tables_shown = !state.tables_shown;
        }
    }
    right - px(10.0)
}

/// Draws the words of the pages, and returns where they end.
fn pages_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, place: Rect) -> f32 {
    let alerts = view.queue.iter().filter(|alert| alert.taken.is_none()).count();
    let desk = cx.t("page-desk");
    let desk = if alerts > 0 { format!("{desk} {alerts}") } else { desk };
    let tabs = [
        (DeskPage::Desk, desk),
        (DeskPage::Round, cx.t("page-round")),
        (DeskPage::Standings, cx.t("page-standings")),
    ];
    let font = bold_font(cx.sizes.rem);
    let width = |text: &str| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), cx.theme.text).size().x + cx.sizes.px(24.0)
    };
    let whole: f32 = tabs.iter().map(|(_, text)| width(text)).sum();
    let place = place.with_max_x((place.left() + whole).min(place.right()));
    state.kept.page = tabs_ui(ui, cx, place, &tabs, state.kept.page);
    place.right()
}

/// Draws how many tables run, stopped, wait for somebody, are done.
fn tables_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, area: Rect) {
    let count = |filter: Filter| view.rows.iter().filter(|row| filter.takes(row)).count();
    let runs = view.rows.iter().filter(|row| row.runs() && !row.is_stopped()).count();
    let theme = cx.theme;
    let counted = |icon, number, word, ink| StateCount { icon, number, word, ink, drawn: true };
    let counts = [
        counted(Icon::Play, runs, "hall-run", theme.text),
        counted(Icon::Pause, count(Filter::Stopped), "hall-stopped-word", theme.text),
        counted(Icon::Warning, count(Filter::Alerts), "hall-alerts-word", theme.bad),
        counted(Icon::Check, count(Filter::Done), "hall-done-word", theme.text),
    ];
    counts_ui(ui, cx, area, &counts);
}
