//! The chosen table: board and clocks for reading only, its story and the orders that it got, and the orders that can be given.

use egui::{Align2, FontId, Rect, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2};
use tabiya_app::hall::{ChosenTable, HallRow, HallView, RowLink};
use tabiya_app::snapshot::TableView;
use tabiya_app::view::reading_with_tenths;
use tabiya_types::{Color, Instant, Millis};

use super::sheets::Sheet;
use super::state::DeskState;
use super::tables::{beside, clock, result, sign, stage};
use crate::art::color_disc;
use crate::board::{BoardLook, BoardState, board_ui};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::plate::{self, Plate};
use crate::kit::{cut_bottom, cut_top, panel, rows, split, write};
use crate::theme::{BUTTON_RADIUS, PLATE_RADIUS, bold_font};
use crate::widgets::label;

/// How many lines of the story are laid out at most.
const MOST_LINES: usize = 40;

/// Draws the column of the chosen table.
pub(super) fn detail_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, area: Rect) {
    panel::ground(ui.painter(), cx.theme, area);
    let px = |points: f32| cx.sizes.px(points);
    let mut area = area.shrink2(vec2(px(16.0), px(14.0)));
    let Some(row) = state.kept.chosen.and_then(|table| view.row(table)) else {
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let text = cx.t("hall-choose");
        let galley = rows(ui.painter(), &text, font, area.width(), 4);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        label(ui, area, "hall-choose", &text);
        return;
    };
    head_ui(ui, cx, row, cut_top(&mut area, px(44.0), px(8.0)));
    let acts = cut_bottom(&mut area, px(178.0), px(10.0));
    acts_ui(ui, cx, state, row, acts);
    let chosen = view.chosen.as_deref().filter(|chosen| chosen.table == row.table);
    let Some((chosen, table)) = chosen.and_then(|chosen| Some((chosen, chosen.view.as_deref()?))) else {
        let text = cx.t(if row.newer { "hall-newer-says" } else { "hall-no-match-says" });
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let galley = rows(ui.painter(), &text, font, area.width(), 5);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        label(ui, area, "hall-no-match-says", &text);
        return;
    };
    let plate = px(44.0);
    let below = cx.below();
    seat_ui(ui, cx, (view, row), below.other(), cut_top(&mut area, plate, px(8.0)));
    let side = area.width().min(area.height() - plate - px(60.0)).max(px(120.0));
    let board = cut_top(&mut area, side, px(8.0));
    board_at(ui, cx, table, Rect::from_min_size(board.min, Vec2::splat(side)));
    seat_ui(ui, cx, (view, row), below, cut_top(&mut area, plate, px(8.0)));
    beside_ui(ui, cx, (view, row), &mut area);
    story_ui(ui, cx, chosen, area);
}

/// Draws what is to be said of the table beside its game, if there is something.
fn beside_ui(ui: &Ui, cx: &Cx<'_>, (view, row): (&HallView, &HallRow), area: &mut Rect) {
    let text = beside(cx, row, view.now);
    if !text.is_empty() {
        let line = cut_top(area, cx.sizes.small() * 1.4, cx.sizes.px(4.0));
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.text);
        write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &text, font, line.width());
        label(ui, line, "hall-beside", &text);
    }
}

/// Draws the chosen table's own screen, for reading only, with its story beside it.
pub(super) fn whole_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, mut area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let Some(row) = state.kept.chosen.and_then(|table| view.row(table)) else {
        state.open = false;
        return;
    };
    let head = cut_top(&mut area, px(44.0), px(8.0));
    let back = head.with_min_x(head.right() - px(120.0));
    let text = cx.t("hall-back");
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.t("key-escape"));
    if button_at(ui, cx, back, "hall-back", &face).clicked() {
        state.open = false;
    }
    head_ui(ui, cx, row, head.with_max_x(back.left() - px(8.0)));
    let acts = cut_bottom(&mut area, px(178.0), px(10.0));
    let right = area.with_min_x(area.right() - px(super::DETAIL).min(area.width() * 0.4));
    let left = area.with_max_x(right.left() - px(12.0));
    acts_ui(ui, cx, state, row, acts.with_min_x(right.left()));
    let Some(chosen) = view.chosen.as_deref().filter(|chosen| chosen.table == row.table) else { return };
    if let Some(table) = &chosen.view {
        ui.scope_builder(UiBuilder::new().max_rect(left.with_max_y(acts.bottom())), |ui| {
            crate::public::public_ui(ui, cx, table);
        });
    }
    story_ui(ui, cx, chosen, right);
}

fn head_ui(ui: &Ui, cx: &Cx<'_>, row: &HallRow, place: Rect) {
    let (theme, painter) = (cx.theme, ui.painter());
    let font = (bold_font(cx.sizes.title()), theme.text);
    let number = row.table.to_string();
    let end = write(painter, place.left_center(), Align2::LEFT_CENTER, &number, font, place.width()).right();
    let x = end + cx.sizes.px(12.0);
    let room = place.right() - x - cx.sizes.px(28.0);
    let (first, second) = heading(cx, row);
    let weak = (FontId::proportional(cx.sizes.rem), theme.muted);
    let at = pos2(x, place.center().y - cx.sizes.rem * 0.62);
    write(painter, at, Align2::LEFT_CENTER, &first, weak, room);
    let small = (FontId::proportional(cx.sizes.small()), theme.muted);
    let at = pos2(x, place.center().y + cx.sizes.rem * 0.62);
    write(painter, at, Align2::LEFT_CENTER, &second, small, room);
    let side = cx.sizes.px(22.0);
    let mark = Rect::from_center_size(place.right_center() - vec2(side / 2.0, 0.0), Vec2::splat(side));
    sign(ui, cx, row, mark);
    label(ui, place, "hall-heading", &format!("{number}, {first}, {second}"));
}

/// The stage and the move; the number of the game, the pot, the last result.
fn heading(cx: &Cx<'_>, row: &HallRow) -> (String, String) {
    let Some(playing) = &row.playing else { return (stage(cx, row), String::new()) };
    let mut first = stage(cx, row);
    if row.runs() && playing.turn > 0 {
        first = format!("{first}, {}", cx.words.with("hall-move", &[("number", playing.turn.into())]));
    }
    let mut second = vec![cx.words.with("game-number", &[("number", playing.number.into())])];
    if let Some((pot, _)) = playing.chips.filter(|_| row.runs()) {
        second.push(format!("{} {pot}", cx.t("hall-column-pot")));
    }
    if let Some(result) = result(cx, row) {
        second.push(cx.words.with("hall-last-result", &[("result", result.into())]));
    }
    (first, second.join(" · "))
}

/// Draws a player's name and clock. The clock that runs has an ivory edge: gold is for what is to be done at the desk.
fn seat_ui(ui: &Ui, cx: &Cx<'_>, (view, row): (&HallView, &HallRow), color: Color, place: Rect) {
    let (theme, px) = (cx.theme, |points: f32| cx.sizes.px(points));
    let Some(playing) = &row.playing else { return };
    let plate_at = place.with_min_x(place.right() - place.width() * 0.43);
    let shown = clock(row, color, view.now);
    let radius = px(10.0);
    color_disc(ui.painter(), pos2(place.left() + radius, place.center().y), radius, color, theme);
    let at = pos2(place.left() + radius * 2.0 + px(10.0), place.center().y);
    let font = (bold_font(cx.sizes.rem), theme.text);
    let room = if shown.is_some() { plate_at.left() - px(6.0) } else { place.right() } - at.x;
    write(ui.painter(), at, Align2::LEFT_CENTER, &playing.names[color], font, room);
    let text = shown.map_or_else(String::new, |(text, _)| text);
    if !text.is_empty() {
        plate::draw(ui.painter(), cx, plate_at, &Plate { text: text.clone(), ..Plate::default() });
        if row.clock.and_then(|clock| clock.runs) == Some(color) {
            let edge = Stroke::new(2.0, theme.ivory);
            ui.painter().rect_stroke(plate_at, f32::from(PLATE_RADIUS), edge, StrokeKind::Inside);
        }
    }
    let said = format!("{}, {}, {text}", cx.words.color(color), playing.names[color]);
    label(ui, place, if color == Color::White { "hall-white" } else { "hall-black" }, &said);
}

fn board_at(ui: &mut Ui, cx: &Cx<'_>, table: &TableView, place: Rect) {
    if !table.has_board {
        return;
    }
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        let look = BoardLook::of_view(table, cx.below());
        board_ui(ui, cx, place.width(), &look, &mut BoardState::default());
    });
}

/// Draws what has happened at the table, the newest first, with the orders that it got.
fn story_ui(ui: &mut Ui, cx: &Cx<'_>, chosen: &ChosenTable, area: Rect) {
    let small = FontId::proportional(cx.sizes.small());
    let told = chosen.orders.iter().rev().take(2).map(|told| (String::new(), &told.says, told.failed));
    let when = |at: &Instant| reading_with_tenths(Some(Millis(at.millis())), Millis::ZERO) + "  ";
    let story = chosen.story.iter().rev().take(MOST_LINES).map(|(at, says)| (when(at), says, false));
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt("hall-story").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (when, says, failed) in told.chain(story) {
                let text = format!("{when}{}", cx.words.sentence(says));
                let ink = if failed { cx.theme.bad } else { cx.theme.muted };
                ui.label(egui::RichText::new(text).font(small.clone()).color(ink));
            }
        });
    });
}

/// Draws the orders for the chosen table.
fn acts_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, row: &HallRow, area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let mut area = area;
    let why_off = why_off(cx, row);
    let table = u32::from(row.table);
    let stops = !row.is_stopped();
    let text = cx
        .words
        .with(if stops { "hall-stop-table" } else { "hall-resume-table" }, &[("table", table.into())]);
    let icon = if stops { Icon::Pause } else { Icon::Play };
    let key = format!("{}+P", cx.t("key-ctrl"));
    let face = ButtonFace::new(Kind::Plain, &text).icon(icon).key(key).off(why_off.clone());
    let place = cut_top(&mut area, px(44.0), px(8.0));
    if button_at(ui, cx, place, "hall-stop", &face).clicked() {
        state.order(row.table, if stops { "pause" } else { "resume" });
    }
    if why_off.is_none() {
        let edge = Stroke::new(2.0, cx.theme.ivory);
        ui.painter().rect_stroke(place, f32::from(BUTTON_RADIUS), edge, StrokeKind::Inside);
    }
    let acts = [
        [
            ("hall-time", "+", Sheet::time(row.table, true)),
            ("hall-result", "W", Sheet::result(row.table, None)),
        ],
        [("hall-take-back", "U", Sheet::take_back(row.table)), ("hall-other", "R", Sheet::other(row.table))],
    ];
    for pair in acts {
        let places = split(cut_top(&mut area, px(36.0), px(8.0)), &[1.0, 1.0], px(6.0));
        for (place, (id, key, sheet)) in places.into_iter().zip(pair) {
            let text = cx.t(id);
            let face = ButtonFace::new(Kind::Plain, &text).key(key.to_owned()).off(why_off.clone());
            if button_at(ui, cx, place, id, &face).clicked() {
                state.sheet = Some(sheet);
            }
        }
    }
    let text = cx.t(if state.open { "hall-back" } else { "hall-open" });
    let face = ButtonFace::new(Kind::Plain, &text).key("O".to_owned());
    if button_at(ui, cx, cut_top(&mut area, px(36.0), 0.0), "hall-open", &face).clicked() {
        state.open = !state.open;
    }
}

/// Why nothing can be ordered at a table.
fn why_off(cx: &Cx<'_>, row: &HallRow) -> Option<String> {
    cx.why_off(&[
        (row.link == RowLink::Here, "hall-off-link"),
        (row.playing.is_some() || row.newer, "hall-off-match"),
    ])
}
