//! The tables of a hall: filters, search, and tiles or rows.

use egui::{FontId, Popup, Rect, TextEdit, Ui, UiBuilder, pos2};
use tabiya_app::hall::{HallRow, HallView, RowLink};
use tabiya_app::view::{DeviceLink, DevicePresence, LOW_BATTERY, reading_with_tenths};
use tabiya_engine::rules::Phase;
use tabiya_types::{Color, Millis};

use super::state::{DeskState, Filter, Look};
use super::{rows, tiles};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, write};
use crate::theme::bold_font;

/// The most tables that are large tiles, and that are tiles at all.
const LARGE: usize = 24;
const TILES: usize = 120;

/// From how much silence on a table's age is shown, in ms: as soon as the arbiter is told.
pub(super) const SILENT: u64 = 3_000;

/// Draws the filters and the tables that they let through.
pub(super) fn tables_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, mut area: Rect) {
    let head = cut_top(&mut area, cx.sizes.px(36.0), cx.sizes.px(10.0));
    let count = state.shown(view, false).len();
    let as_rows = match state.kept.look {
        Some(Look::Rows) => true,
        Some(Look::Tiles) => false,
        None => count > TILES,
    };
    head_ui(ui, cx, view, state, head, as_rows);
    let shown = state.shown(view, as_rows);
    if shown.is_empty() {
        let text = cx.t(if view.rows.is_empty() { "hall-no-tables" } else { "hall-none-fits" });
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let galley = crate::kit::rows(ui.painter(), &text, font, area.width(), 4);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        crate::widgets::label(ui, area, "hall-empty", &text);
    } else if as_rows {
        rows::rows_ui(ui, cx, view, state, (area, &shown));
    } else {
        tiles::tiles_ui(ui, cx, view, state, (area, &shown, count <= LARGE));
    }
}

fn head_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, row: Rect, as_rows: bool) {
    let px = |points: f32| cx.sizes.px(points);
    let mut right = row.right();
    for (look, icon, id) in
        [(Look::Rows, Icon::Menu, "hall-as-rows"), (Look::Tiles, Icon::Board, "hall-as-tiles")]
    {
        let place = row.with_min_x(right - px(38.0)).with_max_x(right);
        let chosen = (look == Look::Rows) == as_rows;
        let face = ButtonFace::new(Kind::Choice(chosen), "").icon(icon).said(cx.t(id));
        if button_at(ui, cx, place, id, &face).clicked() {
            state.kept.look = Some(look);
        }
        right = place.left() - px(6.0);
    }
    let width = if row.width() > px(800.0) { px(170.0) } else { px(80.0) };
    let field = row.with_max_x(right).with_min_x(right - width);
    search_ui(ui, cx, state, field);
    if let Some(number) = &state.number {
        let text = cx.words.with("hall-number-typed", &[("number", number.clone().into())]);
        let font = (bold_font(cx.sizes.name()), cx.theme.text);
        write(
            ui.painter(),
            row.left_center(),
            egui::Align2::LEFT_CENTER,
            &text,
            font,
            field.left() - row.left(),
        );
        crate::widgets::label(ui, row.with_max_x(field.left()), "hall-number", &text);
        return;
    }
    filters_ui(ui, cx, view, state, row.with_max_x(field.left() - px(6.0)));
}

/// Draws the filters that let something through. Those that have no room are in a menu behind the last one.
fn filters_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, row: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let shown = |filter: &Filter| {
        let count = view.rows.iter().filter(|row| filter.takes(row)).count();
        let always = matches!(filter, Filter::All | Filter::Alerts) || state.kept.filter == *filter;
        (count > 0 || always).then(|| (*filter, format!("{} {count}", cx.t(filter.word()))))
    };
    let chips: Vec<(Filter, String)> = Filter::ALL.iter().filter_map(shown).collect();
    let font = bold_font(cx.sizes.rem);
    let width = |text: &str| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), cx.theme.text).size().x + px(26.0)
    };
    let widths: Vec<f32> = chips.iter().map(|(_, text)| width(text)).collect();
    let more = px(44.0);
    let mut x = row.left();
    let mut rest = Vec::new();
    for (nth, ((filter, text), width)) in chips.into_iter().zip(&widths).enumerate() {
        let left: f32 = widths.get(nth..).unwrap_or_default().iter().map(|width| width + px(6.0)).sum();
        let reserve = if x + left - px(6.0) <= row.right() { 0.0 } else { more + px(6.0) };
        if !rest.is_empty() || x + width > row.right() - reserve {
            rest.push((filter, text));
            continue;
        }
        let place = Rect::from_min_max(pos2(x, row.top()), pos2(x + width, row.bottom()));
        let face = ButtonFace::new(Kind::Choice(state.kept.filter == filter), &text);
        if button_at(ui, cx, place, filter.word(), &face).clicked() {
            state.kept.filter = filter;
        }
        x = place.right() + px(6.0);
    }
    if !rest.is_empty() {
        let place = Rect::from_min_max(pos2(x, row.top()), pos2(x + more, row.bottom()));
        more_ui(ui, cx, state, place, &rest);
    }
}

/// Draws the menu of the filters that have no room.
fn more_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, place: Rect, rest: &[(Filter, String)]) {
    let chosen = rest.iter().any(|(filter, _)| *filter == state.kept.filter);
    let face = ButtonFace::new(Kind::Choice(chosen), "").icon(Icon::Down).said(cx.t("hall-more-filters"));
    let response = button_at(ui, cx, place, "hall-more", &face);
    Popup::menu(&response).width(cx.sizes.px(190.0)).show(|ui| {
        for (filter, text) in rest {
            if crate::widgets::button(ui, text, true).clicked() {
                state.kept.filter = *filter;
            }
        }
    });
}

fn search_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, place: Rect) {
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        // Where there is little room, the key says enough.
        let wide = place.width() > cx.sizes.px(110.0);
        let hint = if wide { format!("{}  /", cx.t("hall-search")) } else { "/".to_owned() };
        let field = TextEdit::singleline(&mut state.kept.search)
            .hint_text(hint)
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(place.width());
        let response = ui.put(place, field.font(FontId::proportional(cx.sizes.small() * 1.05)));
        crate::widgets::describe(&response, &cx.t("hall-search"));
        if std::mem::take(&mut state.to_search) {
            response.request_focus();
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            state.kept.search.clear();
        }
    });
}

/// The stage of a table in a word or two: `Bets 2`, `Chess`, `done`, `no match`.
pub(super) fn stage(cx: &Cx<'_>, row: &HallRow) -> String {
    let Some(playing) = &row.playing else {
        return cx.t(if row.newer { "hall-newer" } else { "hall-no-match" });
    };
    if playing.is_done() {
        return cx.t("hall-done-word-one");
    }
    match playing.phase {
        Phase::Bet | Phase::Deal if playing.street > 0 => format!("{} {}", cx.t("hall-bets"), playing.street),
        Phase::Place => cx.t("hall-placing"),
        // In a game with rounds of bets, chess is a stage of it.
        Phase::Chess if playing.street > 0 => cx.t("hall-chess"),
        _ => cx.words.word("game", playing.game),
    }
}

/// The result that stands at a table: of its last game, if one has ended.
pub(super) fn result(cx: &Cx<'_>, row: &HallRow) -> Option<String> {
    row.playing.as_ref()?.result.map(|outcome| cx.score(outcome))
}

/// What a clock shows, in whole seconds.
pub(super) fn clock(row: &HallRow, color: Color, now: u64) -> Option<(String, bool)> {
    let left = row.clock?.left(color, now);
    Some((reading_with_tenths(Some(Millis(left)), Millis::ZERO), left < 20_000))
}

/// Whether something has to be done about a device: it is lost, or its battery is low.
pub(super) fn trouble(device: DevicePresence) -> bool {
    device.link == DeviceLink::Lost || device.battery.is_some_and(|percent| percent < LOW_BATTERY)
}

/// Board and reader of a table: which one is lost, and the charge of their batteries.
pub(super) fn devices(cx: &Cx<'_>, row: &HallRow) -> String {
    let one = |device: Option<DevicePresence>, lost: &str| {
        let device = device?;
        match (device.link, device.battery) {
            (DeviceLink::Lost, _) => Some(cx.t(lost)),
            (DeviceLink::Here, Some(percent)) => Some(format!("{percent} %")),
            (DeviceLink::Here | DeviceLink::None, _) => None,
        }
    };
    let parts = [one(row.board, "hall-board-lost"), one(row.reader, "hall-reader-lost")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// How many illegal moves each player has made, in words; `None` if nobody has.
fn illegal(cx: &Cx<'_>, row: &HallRow) -> Option<String> {
    let counts = row.illegal;
    let facts = [("white", counts.white.into()), ("black", counts.black.into())];
    (counts.white + counts.black > 0).then(|| cx.words.with("hall-illegal", &facts))
}

/// For how long nothing was heard of a table, in words; `None` if it was heard lately.
fn silent(cx: &Cx<'_>, row: &HallRow, now: u64) -> Option<String> {
    let silent = row.silent(now).filter(|silent| *silent >= SILENT)?;
    let since = reading_with_tenths(Some(Millis(silent)), Millis::ZERO);
    Some(cx.words.with("hall-silent", &[("since", since.into())]))
}

/// What is to be said of a table beside its game: illegal moves, board and reader, silence.
pub(super) fn beside(cx: &Cx<'_>, row: &HallRow, now: u64) -> String {
    let devices = Some(devices(cx, row)).filter(|text| !text.is_empty());
    [illegal(cx, row), devices, silent(cx, row, now)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A table in words, for who listens.
pub(super) fn in_words(cx: &Cx<'_>, view: &HallView, row: &HallRow) -> String {
    let mut said =
        vec![cx.words.with("hall-table", &[("table", u32::from(row.table).into())]), stage(cx, row)];
    if let Some(playing) = &row.playing {
        for color in Color::ALL {
            let mut side = vec![playing.names[color].clone(), cx.words.color(color)];
            side.extend(clock(row, color, view.now).map(|(text, _)| text));
            if playing.to_act == Some(color) && row.runs() {
                side.push(cx.t("hall-to-act"));
            }
            said.push(side.join(" "));
        }
    }
    said.extend(result(cx, row));
    if row.is_stopped() {
        said.push(cx.t("hall-stopped"));
    }
    said.extend(Some(beside(cx, row, view.now)).filter(|text| !text.is_empty()));
    if row.link != RowLink::Here {
        said.push(cx.t("hall-gone"));
    }
    let alert = view.queue.iter().find(|alert| alert.key.table == Some(row.table));
    said.extend(alert.map(|alert| cx.words.said(&alert.title)));
    said.join(", ")
}

/// Draws the sign of a table's state into a square, if it has one: trouble, stopped, done, no link. Returns whether it has.
pub(super) fn sign(ui: &Ui, cx: &Cx<'_>, row: &HallRow, place: Rect) -> bool {
    let theme = cx.theme;
    let icon = match (row.rank, row.link) {
        (Some(1 | 2), _) if row.taken.is_none() => Some((Icon::Warning, theme.bad)),
        (Some(_), _) => Some((Icon::Hand, theme.text)),
        (None, RowLink::Gone) => Some((Icon::Cable, theme.bad)),
        (None, _) if row.is_stopped() => Some((Icon::Pause, theme.muted)),
        (None, _) if row.playing.is_some() && !row.runs() => Some((Icon::Check, theme.muted)),
        _ => None,
    };
    icon.map(|(icon, ink)| icon.draw(ui.painter(), place, ink)).is_some()
}
