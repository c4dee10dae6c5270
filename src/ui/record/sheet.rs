//! The score sheet of a game: its moves with figurines and times, its cards and bets, or everything that its record
//! tells. A click on a line shows the table at that moment.

use egui::{
    Align, Align2, CornerRadius, EventFilter, FontId, Id, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, pos2, vec2,
};
use tabiya_app::view::reading_with_tenths;
use tabiya_engine::record::NarratedLine;
use tabiya_engine::rules::Decision;
use tabiya_types::{Color, Millis, Seat};

use super::facts::{self, Cell};
use super::{Moment, look, opens};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::score::figurine;
use crate::kit::{cut_bottom, cut_top, panel, rows, write};
use crate::theme::{BUTTON_RADIUS, bold_font};
use crate::widgets::{hint, label, name};

/// The height of a row of moves, of the tabs, and of the result below the rows.
const ROW: f32 = 31.0;
const TABS: f32 = 40.0;
const FOOT: f32 = 36.0;
/// The room for the number of a move.
const NUMBERS: f32 = 40.0;

/// What the sheet shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tab {
    Moves,
    Cards,
    Everything,
}

/// What the sheet remembers between frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScoreSheetState {
    /// The tab that the user chose; `None` for the usual one.
    tab: Option<Tab>,
    /// The moment that was in view in the last frame.
    seen: Option<usize>,
}

/// The id under which the sheet has the keyboard focus: it is one stop, and the arrow keys lead through its lines.
pub(super) fn focus_id() -> Id {
    Id::unique("score sheet")
}

/// Draws the sheet.
pub(super) fn sheet_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    moment: &Moment<'_>,
    state: &mut ScoreSheetState,
    area: Rect,
) {
    let sizes = cx.sizes;
    panel::ground(ui.painter(), cx.theme, area);
    let focus = ui.interact(area, focus_id(), Sense::focusable_noninteractive());
    name(&focus, Role::Group, true, &cx.t("score-sheet"));
    if focus.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(focus_id(), filter));
    }
    let mut inner = area.shrink2(vec2(sizes.px(6.0), 0.0));
    let tabs = cut_top(&mut inner, sizes.px(TABS), sizes.px(4.0));
    let foot = cut_bottom(&mut inner, sizes.px(FOOT), 0.0);
    let moves = facts::moves(moment.game);
    let usual = if moves.is_empty() { Tab::Cards } else { Tab::Moves };
    let cards = moment.view.has_chips() || moment.game.iter().any(|line| line.pot.0 > 0);
    let mut tab = state.tab.unwrap_or(usual);
    if !cards && tab == Tab::Cards {
        tab = if moves.is_empty() { Tab::Everything } else { Tab::Moves };
    }
    tabs_ui(ui, cx, (&mut tab, cards), state, tabs);
    foot_ui(ui, cx, moment, foot);
    let jumped = state.seen.replace(moment.at) != Some(moment.at);
    ui.scope_builder(UiBuilder::new().max_rect(inner), |ui| match tab {
        Tab::Moves => moves_ui(ui, cx, moment, &moves, jumped),
        Tab::Cards => lines_ui(ui, cx, moment, jumped, |line| line.moves.is_empty()),
        Tab::Everything => lines_ui(ui, cx, moment, jumped, |_| true),
    });
}

fn tabs_ui(ui: &mut Ui, cx: &Cx<'_>, (tab, cards): (&mut Tab, bool), state: &mut ScoreSheetState, row: Rect) {
    let sizes = cx.sizes;
    let tabs = [
        (Tab::Moves, "tab-moves", true),
        (Tab::Cards, "tab-cards", cards),
        (Tab::Everything, "tab-all", true),
    ];
    let tabs: Vec<(Tab, String)> =
        tabs.into_iter().filter(|(.., shown)| *shown).map(|(tab, id, _)| (tab, cx.t(id))).collect();
    let wide = |ui: &Ui, text: &str| {
        let font = FontId::proportional(sizes.rem);
        ui.painter().layout_no_wrap(text.to_owned(), font, cx.theme.text).size().x
    };
    let whole: f32 = tabs.iter().map(|(_, text)| wide(ui, text)).sum();
    #[expect(clippy::cast_precision_loss, reason = "three tabs")]
    let pad = ((row.width() - whole) / tabs.len().max(1) as f32).clamp(0.0, sizes.px(24.0));
    // Where the words do not fit, all tabs are narrower by the same share.
    let share = (row.width() / (whole + pad * 3.0)).min(1.0);
    let mut x = row.left();
    for (which, text) in tabs {
        let width = (wide(ui, &text) + pad) * share;
        let place = Rect::from_min_size(pos2(x, row.top()), vec2(width, row.height()));
        x += width;
        let face = ButtonFace { strong: false, ..ButtonFace::new(Kind::Bare, &text) };
        if button_at(ui, cx, place, ("tab", &text), &face).clicked() {
            (*tab, state.tab, state.seen) = (which, Some(which), None);
        }
        if *tab == which {
            let left = pos2(place.left() + sizes.px(6.0), place.bottom() - 3.0);
            let line = Rect::from_min_max(left, pos2(place.right() - sizes.px(6.0), place.bottom()));
            ui.painter().rect_filled(line, 2.0, cx.theme.ivory);
        }
    }
    ui.painter().hline(row.x_range(), row.bottom(), Stroke::new(1.0, cx.theme.line));
}

/// Writes how the game ended.
fn foot_ui(ui: &Ui, cx: &Cx<'_>, moment: &Moment<'_>, row: Rect) {
    let record = cx.snapshot.record.as_deref();
    let nth = moment.view.number.saturating_sub(1);
    let Some((record, game)) = record.and_then(|record| Some((record, record.results.games.get(nth)?)))
    else {
        return;
    };
    ui.painter().hline(row.x_range(), row.top(), Stroke::new(1.0, cx.theme.line));
    let (score, words) = match game.outcome {
        None => (String::new(), cx.t("in-progress")),
        Some(outcome) => {
            let reason = cx.reason(outcome.reason);
            let words = match outcome.decision() {
                Decision::Won(winner) => {
                    let name = record.players[Seat::playing(winner, game.white)].clone();
                    format!("{} {reason}", cx.words.with("wins", &[("name", name.into())]))
                }
                Decision::Drawn | Decision::Points(_) | Decision::NoResult => reason,
            };
            (cx.score(outcome), words)
        }
    };
    let words = match game.points {
        Some(points) => format!("{words} {}", facts::score(game.white, points)),
        None => words,
    };
    let (bold, small) = (bold_font(cx.sizes.small()), FontId::proportional(cx.sizes.small()));
    let at = pos2(row.left() + cx.sizes.px(10.0), row.center().y);
    let ink = (bold, cx.theme.text);
    let mut x = write(ui.painter(), at, Align2::LEFT_CENTER, &score, ink, row.width()).right();
    x += if score.is_empty() { 0.0 } else { cx.sizes.px(8.0) };
    let at = pos2(x, at.y);
    write(ui.painter(), at, Align2::LEFT_CENTER, &words, (small, cx.theme.muted), row.right() - x);
    label(ui, row, "sheet-result", &format!("{score} {words}"));
}

/// Draws the moves of a game in two columns.
fn moves_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, moves: &[Cell], jumped: bool) {
    if moves.is_empty() {
        ui.add_space(cx.sizes.px(8.0));
        hint(ui, &cx.t("no-moves"));
        return;
    }
    let height = cx.sizes.px(ROW);
    let rows = facts::rows(moves);
    let chosen = moves.iter().rfind(|cell| cell.line <= moment.at).map(|cell| cell.line);
    let row = rows.iter().position(|row| row.iter().flatten().any(|cell| Some(cell.line) == chosen));
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut scroll = ScrollArea::vertical().id_salt("moves").auto_shrink(false);
    if let Some(row) = row.filter(|_| jumped) {
        // The chosen row stands in the middle.
        #[expect(clippy::cast_precision_loss, reason = "a place on the screen")]
        let top = height * row as f32 - (ui.available_height() - height) / 2.0;
        scroll = scroll.vertical_scroll_offset(top.max(0.0));
    }
    scroll.show_rows(ui, height, rows.len(), |ui, shown| {
        for row in rows.get(shown).unwrap_or_default() {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
            row_ui(ui, cx, rect, *row, chosen);
        }
    });
}

fn row_ui(ui: &mut Ui, cx: &mut Cx<'_>, rect: Rect, row: [Option<&Cell>; 2], chosen: Option<usize>) {
    let numbers = cx.sizes.px(NUMBERS);
    if let Some(number) = row.iter().flatten().next().map(|cell| cell.number) {
        let at = pos2(rect.left() + numbers - cx.sizes.px(14.0), rect.center().y);
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        write(ui.painter(), at, Align2::RIGHT_CENTER, &number.to_string(), font, numbers);
    }
    let half = (rect.width() - numbers) / 2.0;
    for (cell, side) in row.into_iter().zip([0.0, 1.0]) {
        let Some(cell) = cell else { continue };
        let left = rect.left() + numbers + half * side;
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(half, rect.height())).shrink(1.0);
        cell_ui(ui, cx, place, cell, chosen == Some(cell.line));
    }
}

fn cell_ui(ui: &mut Ui, cx: &mut Cx<'_>, place: Rect, cell: &Cell, chosen: bool) {
    let response = ui.interact(place, ui.scope_id().with(("cell", cell.line)), Sense::CLICK);
    ground(ui, cx, place, chosen, response.hovered());
    let spent = cell.spent.map(|spent| spent.to_string()).unwrap_or_default();
    let small = FontId::proportional(cx.sizes.small());
    let at = pos2(place.right() - cx.sizes.px(8.0), place.center().y);
    let end =
        write(ui.painter(), at, Align2::RIGHT_CENTER, &spent, (small, cx.theme.muted), place.width() * 0.5);
    let font = if chosen { bold_font(cx.sizes.rem) } else { FontId::proportional(cx.sizes.rem) };
    let at = pos2(place.left() + cx.sizes.px(7.0), place.center().y);
    figurine(ui, cx, at, &cell.san, (font, cx.theme.text), end.left() - at.x - cx.sizes.px(4.0));
    let dots = if cell.by == Color::White { ". " } else { "… " };
    let time = if spent.is_empty() { spent } else { format!(", {spent}") };
    let said = format!("{}{dots}{}{time}", cell.number, cx.words.san(&cell.san));
    name(&response, Role::Button, true, &said);
    if response.clicked() {
        look(cx, cell.line);
    }
}

/// Draws the ground of a line: what is chosen has an ivory edge.
fn ground(ui: &Ui, cx: &Cx<'_>, place: Rect, chosen: bool, pointed: bool) {
    let round = CornerRadius::same(BUTTON_RADIUS);
    if chosen {
        let edge = Stroke::new(2.0, cx.theme.ivory);
        ui.painter().rect(place, round, cx.theme.hover, edge, StrokeKind::Inside);
    } else if pointed {
        ui.painter().rect_filled(place, round, cx.theme.hover);
    }
}

/// What a line of the record tells here: what happened, and what a clock beside the board showed.
fn told(cx: &Cx<'_>, line: &NarratedLine) -> String {
    let mut told: Vec<String> =
        line.told.iter().filter(|told| opens(told.to, cx)).map(|told| cx.say(&told.text)).collect();
    told.extend(clock_words(cx, line));
    told.join("; ")
}

/// What a clock beside the board showed at a line, compared with what it should have shown by the record.
pub(super) fn clock_words(cx: &Cx<'_>, line: &NarratedLine) -> Option<String> {
    let device = line.device?;
    let read = |left: Millis| reading_with_tenths(Some(left), Millis::ZERO);
    let facts = [("white", read(device.white).into()), ("black", read(device.black).into())];
    let mut words = cx.words.with("clock-showed", &facts);
    for color in Color::ALL {
        let Some(record) = line.clocks[color] else { continue };
        let off = device[color].0.abs_diff(record.0) / 1000;
        if off > 0 {
            let facts = [
                ("color", cx.words.color(color).into()),
                ("record", read(record).into()),
                ("seconds", off.into()),
            ];
            words = format!("{words}; {}", cx.words.with("clock-differs", &facts));
        }
    }
    Some(words)
}

/// Draws the lines of a game that `wanted` takes and that say something.
fn lines_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    moment: &Moment<'_>,
    jumped: bool,
    wanted: impl Fn(&NarratedLine) -> bool,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let shown = moment.game.iter().filter(|line| wanted(line));
    let shown: Vec<(&NarratedLine, String)> =
        shown.map(|line| (&**line, told(cx, line))).filter(|(_, told)| !told.is_empty()).collect();
    let chosen = shown.iter().rfind(|(line, _)| line.line <= moment.at).map(|(line, _)| line.line);
    let times = shown.last().map_or(0.0, |(line, _)| {
        let time = Millis(line.at.millis()).to_string();
        ui.painter().layout_no_wrap(time, FontId::proportional(cx.sizes.small()), cx.theme.muted).size().x
    });
    ScrollArea::vertical().id_salt("lines").auto_shrink(false).show(ui, |ui| {
        for (line, told) in &shown {
            let chosen = chosen == Some(line.line);
            line_ui(ui, cx, (line, told), times, (chosen, chosen && jumped));
        }
    });
}

fn line_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    (line, told): (&NarratedLine, &str),
    times: f32,
    (chosen, scroll): (bool, bool),
) {
    let pad = cx.sizes.px(8.0);
    let width = ui.available_width() - times - 3.0 * pad;
    let font = FontId::proportional(cx.sizes.rem);
    let words = rows(ui.painter(), told, (font, cx.theme.text), width, 6);
    let height = (words.size().y + pad).max(cx.sizes.px(ROW));
    let (place, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::CLICK);
    ground(ui, cx, place.shrink(1.0), chosen, response.hovered());
    let time = Millis(line.at.millis()).to_string();
    let first = words.rows.first().map_or(0.0, |row| row.height());
    let y = place.center().y - words.size().y / 2.0;
    let at = pos2(place.left() + pad + times, y + first / 2.0);
    let small = FontId::proportional(cx.sizes.small());
    write(ui.painter(), at, Align2::RIGHT_CENTER, &time, (small, cx.theme.muted), times + pad);
    ui.painter().galley(pos2(place.left() + 2.0 * pad + times, y), words, cx.theme.text);
    name(&response, Role::Button, true, &format!("{time}  {told}"));
    if scroll {
        response.scroll_to_me(Some(Align::Center));
    }
    if response.clicked() {
        look(cx, line.line);
    }
}
