//! Tables as tiles: large ones with names and both clocks, small ones with the clock that counts, or the pot. Only what is seen is
//! drawn.

use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2,
    pos2, vec2,
};
use tabiya_app::hall::{HallRow, HallView, RowLink};
use tabiya_engine::rules::Phase;
use tabiya_types::Color;

use super::state::DeskState;
use super::tables::{clock, in_words, result, sign, stage};
use crate::art::color_disc;
use crate::cx::Cx;
use crate::kit::group::TabGroup;
use crate::kit::panel::round;
use crate::kit::{dashed, write};
use crate::theme::{PLATE_RADIUS, bold_font};
use crate::widgets::name_with;

/// The measures of tiles, at a rem of 16 points: least width, least and greatest height.
const LARGE: (f32, f32, f32) = (146.0, 90.0, 120.0);
const SMALL: (f32, f32, f32) = (59.0, 50.0, 76.0);
const GAP: f32 = 8.0;
/// The height at which both clocks of a small tile are read easily.
const EASY: f32 = 72.0;

/// Where tiles stand.
struct Grid {
    columns: usize,
    size: Vec2,
    gap: f32,
}

impl Grid {
    /// The grid for so many tiles: large ones stand four beside each other, small ones as many as have room.
    fn of(cx: &Cx<'_>, area: Rect, count: usize, large: bool) -> Self {
        let (width, least, most) = if large { LARGE } else { SMALL };
        let px = |points: f32| cx.sizes.px(points);
        let gap = px(if large { GAP } else { GAP * 0.6 });
        let most_columns = ((area.width() + gap) / (px(width) + gap)).floor().max(1.0);
        let fit = if large {
            most_columns.min(4.0)
        } else {
            // As few as have room below each other: wider tiles are read more easily.
            let lines = ((area.height() + gap) / (px(EASY) + gap)).floor().max(1.0);
            #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
            let wanted = (count as f32 / lines).ceil();
            wanted.clamp(4.0, 12.0).min(most_columns)
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a dozen")]
        let columns = fit as usize;
        #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
        let lines = count.div_ceil(columns).max(1) as f32;
        let height = ((area.height() + gap) / lines - gap).clamp(px(least), px(most));
        Self { columns, size: vec2((area.width() + gap) / fit - gap, height), gap }
    }

    #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
    fn place(&self, origin: Pos2, nth: usize) -> Rect {
        let (column, line) = ((nth % self.columns) as f32, (nth / self.columns) as f32);
        Rect::from_min_size(origin + vec2(column, line) * (self.size + Vec2::splat(self.gap)), self.size)
    }

    #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
    fn height(&self, count: usize) -> f32 {
        count.div_ceil(self.columns) as f32 * (self.size.y + self.gap) - self.gap
    }

    /// The numbers of the tiles of which something lies between these heights.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a thousand")]
    fn seen(&self, top: f32, bottom: f32, count: usize) -> std::ops::Range<usize> {
        let step = self.size.y + self.gap;
        let first = (top / step).floor().max(0.0) as usize * self.columns;
        let last = ((bottom / step).ceil().max(0.0) as usize * self.columns).min(count);
        first.min(last)..last
    }
}

/// Draws these tables as tiles.
pub(super) fn tiles_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    (area, shown, large): (Rect, &[&HallRow], bool),
) {
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt("hall-tiles").auto_shrink(false).show_viewport(ui, |ui, seen| {
            let origin = ui.min_rect().min;
            let room = Rect::from_min_size(area.min, vec2(ui.available_width(), area.height()));
            let grid = Grid::of(cx, room, shown.len(), large);
            ui.set_height(grid.height(shown.len()));
            let drawn = grid.seen(seen.min.y, seen.max.y, shown.len());
            let tiles = shown.get(drawn.clone()).unwrap_or_default();
            let chosen = tiles.iter().position(|row| state.kept.chosen == Some(row.table));
            let mut group = TabGroup::new(ui, "tables", chosen);
            for (nth, row) in drawn.zip(tiles) {
                let place = grid.place(origin, nth);
                touch_ui(ui, cx, (view, row), state, &mut group, place);
                if large {
                    large_tile(ui, cx, view, row, place);
                } else {
                    small_tile(ui, cx, view, row, place);
                }
            }
            group.end(ui);
        });
    });
}

/// Draws the ground of a tile, and lets it be chosen; a second click opens the table.
fn touch_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, row): (&HallView, &HallRow),
    state: &mut DeskState,
    group: &mut TabGroup,
    place: Rect,
) {
    let theme = cx.theme;
    // The Tab key stops at one tile; the arrow keys lead to the others.
    let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
    let response = group.add(ui.interact(place, ui.scope_id().with(("tile", row.table)), sense));
    name_with(&response, Role::Button, || in_words(cx, view, row));
    if response.double_clicked() {
        state.open = true;
    }
    if response.clicked() {
        state.choose(Some(row.table));
    }
    let trouble = matches!(row.rank, Some(1 | 2)) && row.taken.is_none();
    let chosen = state.kept.chosen == Some(row.table);
    let quiet = !row.runs();
    let fill = match (trouble, chosen || response.hovered(), quiet) {
        (true, _, _) => theme.bad_wash,
        (false, true, _) => theme.raised,
        (false, false, true) => theme.well,
        (false, false, false) => theme.panel,
    };
    let edge = match (chosen, trouble) {
        (true, _) => Stroke::new(3.0, theme.ivory),
        (false, true) => Stroke::new(2.0, theme.bad),
        (false, false) => Stroke::new(1.0, theme.line),
    };
    let is_stopped = (row.is_stopped() || row.link == RowLink::Gone) && !chosen && !trouble;
    let edge = if is_stopped { Stroke::NONE } else { edge };
    ui.painter().rect(place, CornerRadius::same(PLATE_RADIUS), fill, edge, StrokeKind::Inside);
    if is_stopped {
        dashed(ui.painter(), place.shrink(1.0), Stroke::new(1.5, theme.edge), 4.0);
    }
}

fn large_tile(ui: &Ui, cx: &Cx<'_>, view: &HallView, row: &HallRow, place: Rect) {
    let (theme, px) = (cx.theme, |points: f32| cx.sizes.px(points));
    let inner = place.shrink2(vec2(px(9.0), px(6.0)));
    let ink = if row.runs() { theme.text } else { theme.muted };
    let painter = ui.painter();
    let number = (bold_font(cx.sizes.name()), ink);
    let head = write(painter, inner.min, Align2::LEFT_TOP, &row.table.to_string(), number, px(60.0));
    let side = px(17.0);
    let mark =
        Rect::from_min_size(pos2(inner.right() - side, head.center().y - side / 2.0), Vec2::splat(side));
    let mut right = if sign(ui, cx, row, mark) { mark.left() - px(4.0) } else { mark.right() };
    let small = (FontId::proportional(cx.sizes.small()), theme.muted);
    let words = stage(cx, row);
    let at = pos2(head.right() + px(7.0), head.center().y);
    if let Some((pot, _)) = row.playing.as_ref().and_then(|playing| playing.chips).filter(|_| row.runs()) {
        // The stage counts more than the pot where there is no room for both.
        let wanted = painter.layout_no_wrap(words.clone(), small.0.clone(), theme.muted).size().x;
        if at.x + wanted + px(6.0) + pot_width(ui, cx, pot) <= right {
            right = pot_at(ui, cx, pos2(right, head.center().y), pot) - px(4.0);
        }
    }
    // The last result stands beside the stage of the next game, where it has room.
    let last = result(cx, row).filter(|_| row.runs());
    let with_last = last.map(|last| format!("{words} · {last}")).filter(|text| {
        let wanted = painter.layout_no_wrap(text.clone(), small.0.clone(), theme.muted).size().x;
        wanted <= right - at.x
    });
    let words = with_last.unwrap_or(words);
    write(painter, at, Align2::LEFT_CENTER, &words, small.clone(), right - at.x);
    let Some(playing) = &row.playing else { return };
    let below = inner.with_min_y(head.bottom() + px(2.0));
    if !row.runs() {
        let names = format!("{} – {}", playing.names.white, playing.names.black);
        let line = write(painter, below.min, Align2::LEFT_TOP, &names, small, below.width());
        let score = result(cx, row).unwrap_or_default();
        let at = pos2(below.left(), f32::midpoint(line.bottom(), below.bottom()));
        write(
            painter,
            at,
            Align2::LEFT_CENTER,
            &score,
            (bold_font(cx.sizes.name()), theme.muted),
            below.width(),
        );
        return;
    }
    let half = below.height() / 2.0;
    for (color, y) in [(Color::White, below.top() + half * 0.5), (Color::Black, below.top() + half * 1.5)] {
        let line = Rect::from_center_size(pos2(below.center().x, y), vec2(below.width(), half));
        side_line(ui, cx, (view, row), color, line);
    }
}

fn pot_width(ui: &Ui, cx: &Cx<'_>, pot: u32) -> f32 {
    let size = cx.sizes.small();
    let ink = cx.theme.on_felt;
    ui.painter().layout_no_wrap(pot.to_string(), bold_font(size), ink).size().x + size * 1.1
}

/// Draws the pot as a pill of felt whose right end is at `right`, and returns where it begins.
fn pot_at(ui: &Ui, cx: &Cx<'_>, right: Pos2, pot: u32) -> f32 {
    let (theme, size) = (cx.theme, cx.sizes.small());
    let (text, width) = (pot.to_string(), pot_width(ui, cx, pot));
    let pill = Rect::from_min_max(right - vec2(width, size * 0.72), right + vec2(0.0, size * 0.72));
    let edge = Stroke::new(1.0, theme.felt_line);
    ui.painter().rect(pill, CornerRadius::same(round(size * 0.7)), theme.felt, edge, StrokeKind::Inside);
    write(
        ui.painter(),
        pill.center(),
        Align2::CENTER_CENTER,
        &text,
        (bold_font(size), theme.on_felt),
        width + 2.0,
    );
    pill.left()
}

/// The ink and the font of a side's clock: bold for who has to act, coral when it is short.
fn clock_look(cx: &Cx<'_>, row: &HallRow, color: Color, short: bool, size: f32) -> (FontId, Color32) {
    let acts = row.playing.as_ref().and_then(|playing| playing.to_act) == Some(color);
    let ink = match (short, acts) {
        (true, _) => cx.theme.bad,
        (false, true) => cx.theme.text,
        (false, false) => cx.theme.muted,
    };
    (if acts || short { bold_font(size) } else { FontId::proportional(size) }, ink)
}

/// Draws one side of a large tile: who has to act, colour, name, clock.
fn side_line(ui: &Ui, cx: &Cx<'_>, (view, row): (&HallView, &HallRow), color: Color, line: Rect) {
    let (theme, px, painter) = (cx.theme, |points: f32| cx.sizes.px(points), ui.painter());
    let Some(playing) = &row.playing else { return };
    let mut x = line.left();
    if playing.to_act == Some(color) {
        to_act(ui, cx, pos2(x, line.center().y));
    }
    x += px(17.0);
    color_disc(painter, pos2(x, line.center().y), px(5.0), color, theme);
    x += px(11.0);
    let mut right = line.right();
    if let Some((text, short)) = clock(row, color, view.now) {
        let look = clock_look(cx, row, color, short, cx.sizes.rem);
        let at = pos2(right, line.center().y);
        right = write(painter, at, Align2::RIGHT_CENTER, &text, look, px(80.0)).left() - px(5.0);
    }
    let font = FontId::proportional(cx.sizes.rem * 0.94);
    let name = fitting_name(ui, &playing.names[color], &font, right - x);
    write(painter, pos2(x, line.center().y), Align2::LEFT_CENTER, name, (font, theme.text), right - x);
}

/// The whole name, or its last part where only that has room.
fn fitting_name<'a>(ui: &Ui, name: &'a str, font: &FontId, room: f32) -> &'a str {
    let width = ui.painter().layout_no_wrap(name.to_owned(), font.clone(), Color32::WHITE).size().x;
    let last = name.rsplit(' ').next().filter(|last| last.chars().count() > 2);
    if width <= room { name } else { last.unwrap_or(name) }
}

/// Draws the sign of who has to act: a triangle whose left end is there.
fn to_act(ui: &Ui, cx: &Cx<'_>, at: Pos2) {
    let side = cx.sizes.px(4.5);
    let points = vec![at + vec2(0.0, -side), at + vec2(side * 1.9, 0.0), at + vec2(0.0, side)];
    ui.painter().add(egui::Shape::convex_polygon(points, cx.theme.text, Stroke::NONE));
}

fn small_tile(ui: &Ui, cx: &Cx<'_>, view: &HallView, row: &HallRow, place: Rect) {
    let (theme, px, painter) = (cx.theme, |points: f32| cx.sizes.px(points), ui.painter());
    let inner = place.shrink2(vec2(px(6.0), px(4.0)));
    let ink = if row.runs() { theme.text } else { theme.muted };
    let number = (bold_font(cx.sizes.rem), ink);
    let head = write(painter, inner.min, Align2::LEFT_TOP, &row.table.to_string(), number, inner.width());
    let side = px(13.0);
    let mark =
        Rect::from_min_size(pos2(inner.right() - side, head.center().y - side / 2.0), Vec2::splat(side));
    sign(ui, cx, row, mark);
    let Some(playing) = &row.playing else { return };
    let below = inner.with_min_y(head.bottom());
    let small = FontId::proportional(cx.sizes.small());
    if !row.runs() {
        let score = result(cx, row).unwrap_or_default();
        write(painter, below.left_center(), Align2::LEFT_CENTER, &score, (small, theme.muted), below.width());
        return;
    }
    let betting = matches!(playing.phase, Phase::Bet | Phase::Deal);
    if let Some((pot, _)) = playing.chips.filter(|_| betting) {
        pot_at(ui, cx, pos2(below.right(), below.center().y), pot);
        return;
    }
    // A low tile has room for one clock: that of who has to act, or the lower one.
    let both = below.height() >= cx.sizes.small() * 2.1;
    let lower = row.clock.map_or(Color::White, |clock| {
        let left = |color| clock.left(color, view.now);
        if left(Color::Black) < left(Color::White) { Color::Black } else { Color::White }
    });
    let shown: &[Color] = if both { &Color::ALL } else { &[playing.to_act.unwrap_or(lower)] };
    #[expect(clippy::cast_precision_loss, reason = "one or two")]
    let step = below.height() / shown.len() as f32;
    let mut y = below.top() + step / 2.0;
    for color in shown {
        let line = Rect::from_center_size(pos2(below.center().x, y), vec2(below.width(), step));
        small_line(ui, cx, (view, row), *color, line);
        y += step;
    }
}

fn small_line(ui: &Ui, cx: &Cx<'_>, (view, row): (&HallView, &HallRow), color: Color, line: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    if row.playing.as_ref().and_then(|playing| playing.to_act) == Some(color) {
        to_act(ui, cx, pos2(line.left() - px(3.0), line.center().y));
    }
    color_disc(ui.painter(), pos2(line.left() + px(10.0), line.center().y), px(3.5), color, cx.theme);
    let mut right = line.right();
    if let Some((text, short)) = clock(row, color, view.now) {
        let look = clock_look(cx, row, color, short, cx.sizes.small());
        let room = line.width() - px(18.0);
        right = write(ui.painter(), line.right_center(), Align2::RIGHT_CENTER, &text, look, room).left();
    }
    // A wide tile has room for the name, too.
    let at = pos2(line.left() + px(17.0), line.center().y);
    let room = right - px(4.0) - at.x;
    if let Some(playing) = row.playing.as_ref().filter(|_| room > px(40.0)) {
        let font = FontId::proportional(cx.sizes.small());
        let name = fitting_name(ui, &playing.names[color], &font, room);
        write(ui.painter(), at, Align2::LEFT_CENTER, name, (font, cx.theme.text), room);
    }
}
