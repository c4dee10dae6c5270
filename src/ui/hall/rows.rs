//! Tables as rows, for a hall with many of them: a click on the head of a column sorts. Only what is seen is drawn.

use egui::{Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Stroke, Ui, Vec2, pos2, vec2};
use tabiya_app::hall::{HallRow, HallView};
use tabiya_app::view::reading_with_tenths;
use tabiya_types::{Color, Millis};

use super::state::{DeskState, Sort};
use super::tables::{SILENT, clock, devices, in_words, result, sign, stage, trouble};
use crate::cx::Cx;
use crate::kit::group::TabGroup;
use crate::kit::{cut_top, panel, triangle, write};
use crate::theme::bold_font;
use crate::widgets::{name, name_with};

/// The heights of the head and of a row, at a rem of 16 points.
const HEAD: f32 = 32.0;
const ROW: f32 = 36.0;
/// From this width on, at a rem of 16 points, a row shows the stage and the last result, too; from that on board, age and illegal
/// moves.
const WIDE: f32 = 780.0;
const WIDEST: f32 = 840.0;

/// What a column shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Table,
    Sign,
    Stage,
    Name(Color),
    Time(Color),
    Pot,
    Result,
    /// Board and reader, and the charge of their batteries.
    Devices,
    /// For how long nothing was heard.
    Heard,
    /// The illegal moves of both.
    Illegal,
}

/// The columns: what each shows, its share of the width, and how it is set.
const COLUMNS: [(Column, f32, Align2); 12] = [
    (Column::Table, 0.09, Align2::LEFT_CENTER),
    (Column::Sign, 0.05, Align2::CENTER_CENTER),
    (Column::Stage, 0.13, Align2::LEFT_CENTER),
    (Column::Name(Color::White), 0.24, Align2::RIGHT_CENTER),
    (Column::Time(Color::White), 0.12, Align2::RIGHT_CENTER),
    (Column::Time(Color::Black), 0.12, Align2::LEFT_CENTER),
    (Column::Name(Color::Black), 0.24, Align2::LEFT_CENTER),
    (Column::Pot, 0.08, Align2::RIGHT_CENTER),
    (Column::Result, 0.08, Align2::RIGHT_CENTER),
    (Column::Illegal, 0.11, Align2::RIGHT_CENTER),
    (Column::Devices, 0.16, Align2::RIGHT_CENTER),
    (Column::Heard, 0.08, Align2::RIGHT_CENTER),
];

impl Column {
    /// The id of its head, and what a click on it sorts by.
    fn head(self) -> (&'static str, Option<Sort>) {
        match self {
            Self::Table => ("hall-column-table", Some(Sort::Table)),
            Self::Sign => ("", None),
            Self::Stage => ("hall-column-stage", None),
            Self::Name(Color::White) => ("white", Some(Sort::White)),
            Self::Name(Color::Black) => ("black", Some(Sort::Black)),
            Self::Time(_) => ("hall-column-time", Some(Sort::Time)),
            Self::Pot => ("hall-column-pot", Some(Sort::Pot)),
            Self::Result => ("hall-column-result", None),
            Self::Devices => ("hall-column-board", None),
            Self::Heard => ("hall-column-heard", Some(Sort::Heard)),
            Self::Illegal => ("hall-column-illegal", None),
        }
    }
}

/// The columns of a row, from its left to its right end.
fn columns(cx: &Cx<'_>, row: Rect) -> Vec<(Column, Rect, Align2)> {
    let from = |width: f32| row.width() >= cx.sizes.px(width);
    let there = |column: Column| match column {
        Column::Stage | Column::Result => from(WIDE),
        Column::Devices | Column::Heard | Column::Illegal => from(WIDEST),
        Column::Table | Column::Sign | Column::Name(_) | Column::Time(_) | Column::Pot => true,
    };
    let whole: f32 = COLUMNS.iter().filter(|(column, ..)| there(*column)).map(|(_, share, _)| share).sum();
    let mut x = row.left();
    let pad = cx.sizes.px(7.0);
    COLUMNS
        .into_iter()
        .filter(|(column, ..)| there(*column))
        .map(|(column, share, anchor)| {
            let width = row.width() * share / whole;
            let place = Rect::from_min_size(pos2(x, row.top()), vec2(width, row.height()));
            x += width;
            (column, place.shrink2(vec2(pad, 0.0)), anchor)
        })
        .collect()
}

/// Draws these tables as rows.
pub(super) fn rows_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    (mut area, shown): (Rect, &[&HallRow]),
) {
    panel::ground(ui.painter(), cx.theme, area);
    let head = cut_top(&mut area, cx.sizes.px(HEAD), 0.0);
    head_ui(ui, cx, state, head.shrink2(vec2(4.0, 0.0)));
    let height = cx.sizes.px(ROW);
    let area = area.shrink2(vec2(1.0, 2.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().id_salt("hall-rows").auto_shrink(false).show_rows(
            ui,
            height,
            shown.len(),
            |ui, seen| {
                let rows = shown.get(seen).unwrap_or_default();
                let chosen = rows.iter().position(|row| state.kept.chosen == Some(row.table));
                let mut group = TabGroup::new(ui, "tables", chosen);
                for row in rows {
                    let (place, _) =
                        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
                    // The Tab key stops at one row; the arrow keys lead to the others.
                    let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
                    let id = ui.scope_id().with(("row", row.table));
                    let response = group.add(ui.interact(place, id, sense));
                    name_with(&response, Role::Button, || in_words(cx, view, row));
                    if response.double_clicked() {
                        state.open = true;
                    }
                    if response.clicked() {
                        state.choose(Some(row.table));
                    }
                    let chosen = state.kept.chosen == Some(row.table);
                    row_ui(ui, cx, view, row, (place, chosen, response.hovered()));
                }
                group.end(ui);
            },
        );
    });
}

fn head_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, row: Rect) {
    for (nth, (column, place, anchor)) in columns(cx, row).into_iter().enumerate() {
        let (id, sort) = column.head();
        if id.is_empty() {
            continue;
        }
        let by_this = sort == Some(state.kept.sort) && column != Column::Time(Color::Black);
        let text = cx.t(id);
        let font = if by_this { bold_font(cx.sizes.small()) } else { FontId::proportional(cx.sizes.small()) };
        let ink = if by_this { cx.theme.text } else { cx.theme.muted };
        let written =
            write(ui.painter(), anchor.pos_in_rect(&place), anchor, &text, (font, ink), place.width());
        if by_this {
            let x = if anchor == Align2::RIGHT_CENTER { written.left() - 8.0 } else { written.right() + 8.0 };
            let down = if state.kept.backwards { -1.0 } else { 1.0 };
            triangle(ui.painter(), pos2(x, written.center().y), vec2(0.0, down * cx.sizes.px(3.5)), ink);
        }
        let Some(sort) = sort else { continue };
        let response = ui.interact(place, ui.scope_id().with(("hall-sort", nth)), Sense::click());
        name(&response, Role::Button, true, &cx.words.with("hall-sort", &[("column", cx.t(id).into())]));
        if response.clicked() {
            state.kept.backwards = by_this && !state.kept.backwards;
            state.kept.sort = sort;
        }
    }
    let line = Stroke::new(1.0, cx.theme.line);
    ui.painter().line_segment([row.left_bottom(), row.right_bottom()], line);
}

fn row_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    view: &HallView,
    row: &HallRow,
    (place, chosen, hovered): (Rect, bool, bool),
) {
    let (theme, painter) = (cx.theme, ui.painter());
    let trouble = matches!(row.rank, Some(1 | 2)) && row.taken.is_none();
    let fill = match (trouble, chosen || hovered) {
        (true, _) => theme.bad_wash,
        (false, true) => theme.raised,
        (false, false) => Color32::TRANSPARENT,
    };
    painter.rect_filled(place, 0.0, fill);
    if chosen {
        painter.rect_stroke(place, 4.0, Stroke::new(2.0, theme.ivory), egui::StrokeKind::Inside);
    }
    painter.line_segment([place.left_bottom(), place.right_bottom()], Stroke::new(1.0, theme.line));
    for (column, at, anchor) in columns(cx, place.shrink2(vec2(4.0, 0.0))) {
        let (text, font, ink) = cell(cx, view, row, column);
        if column == Column::Sign {
            sign(ui, cx, row, Rect::from_center_size(at.center(), Vec2::splat(cx.sizes.px(16.0))));
        } else if !text.is_empty() {
            let written = write(painter, anchor.pos_in_rect(&at), anchor, &text, (font, ink), at.width());
            if let Column::Time(color) = column
                && row.playing.as_ref().and_then(|playing| playing.to_act) == Some(color)
            {
                let side = cx.sizes.px(4.0);
                let (x, way) = match color {
                    Color::White => (written.left() - side * 2.0, side),
                    Color::Black => (written.right() + side * 2.0, -side),
                };
                triangle(ui.painter(), pos2(x, at.center().y), vec2(way, 0.0), theme.text);
            }
        }
    }
}

/// What stands in a cell.
fn cell(cx: &Cx<'_>, view: &HallView, row: &HallRow, column: Column) -> (String, FontId, Color32) {
    let (theme, size) = (cx.theme, cx.sizes.rem);
    let plain = FontId::proportional(size * 0.96);
    let playing = row.playing.as_ref();
    let ink = if row.runs() { theme.text } else { theme.muted };
    match column {
        Column::Table => (row.table.to_string(), bold_font(size), ink),
        Column::Sign => (String::new(), plain, ink),
        Column::Stage => (stage(cx, row), FontId::proportional(cx.sizes.small()), theme.muted),
        Column::Name(color) => {
            let stage = || if color == Color::White { stage(cx, row) } else { String::new() };
            (playing.map_or_else(stage, |playing| playing.names[color].clone()), plain, ink)
        }
        Column::Time(color) => {
            let Some((text, short)) = clock(row, color, view.now).filter(|_| row.runs()) else {
                return (String::new(), plain, ink);
            };
            let acts = playing.and_then(|playing| playing.to_act) == Some(color);
            let ink = if short {
                theme.bad
            } else if acts {
                theme.text
            } else {
                theme.muted
            };
            (text, if acts || short { bold_font(size) } else { plain }, ink)
        }
        Column::Pot => {
            let pot = playing.and_then(|playing| playing.chips).filter(|_| row.runs());
            (pot.map_or_else(String::new, |(pot, _)| pot.to_string()), plain, theme.muted)
        }
        Column::Result => (result(cx, row).unwrap_or_default(), plain, theme.muted),
        Column::Devices => {
            let bad = row.board.is_some_and(trouble) || row.reader.is_some_and(trouble);
            (devices(cx, row), plain, if bad { theme.bad } else { theme.muted })
        }
        Column::Heard => {
            let silent = row.silent(view.now).filter(|silent| *silent >= SILENT);
            let text = silent.map(|silent| reading_with_tenths(Some(Millis(silent)), Millis::ZERO));
            (text.unwrap_or_default(), plain, theme.bad)
        }
        Column::Illegal => {
            let counts = row.illegal;
            let text = format!("{} · {}", counts.white, counts.black);
            (if counts.white + counts.black > 0 { text } else { String::new() }, plain, theme.text)
        }
    }
}
