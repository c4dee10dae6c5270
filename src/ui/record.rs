//! The page of the record: the games of a match, any moment of them with board, players and score sheet, the pots and
//! the time of each turn; the evening's results; the records of the last evenings; and exports.

mod evening;
mod export;
mod facts;
mod games;
mod moment;
mod sheet;
mod standings;
mod strip;

use std::sync::Arc;

use egui::{
    Align2, Event, FontId, Key, Popup, PopupCloseBehavior, Rect, Response, ScrollArea, Ui, UiBuilder, pos2,
    vec2,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::record::NarratedLine;
use tabiya_engine::table::Audience;
use tabiya_types::{BySeat, Millis};

use self::export::ExportState;
use self::facts::Jump;
use self::sheet::ScoreSheetState;
use super::board::{BoardLook, BoardState, board_ui};
use super::choosing::open_record_ui;
use super::cx::Cx;
use super::focus::Focus;
use super::kit::button::{ButtonFace, Kind, button_at};
use super::kit::icon::Icon;
use super::kit::{cut_bottom, cut_top, write};
use super::theme::bold_font;
use super::widgets::{date, label};

/// The width of the menu of records.
const RECORDS: f32 = 400.0;
/// A window that is narrower than this, in rem, shows board and sheet only.
const SMALL: f32 = 60.0;
/// The heights of the rows above the board and of the strip below it, and the gaps between the parts.
const HEADER: f32 = 40.0;
const GAMES: f32 = 52.0;
const STRIP: f32 = 96.0;
const GAP: f32 = 12.0;
/// Beside a board that is lower than this, in rem, all buttons stand in one row.
const LOW: f32 = 22.0;
/// The least widths beside the board: of the players with the move, and of the sheet.
const MOMENT: f32 = 300.0;
const SHEET: f32 = 330.0;
const SMALL_SHEET: f32 = 300.0;

/// The time that each move of the game in progress took, in the order of its moves. Empty if the record does not have
/// these moves.
pub(super) fn times_of_moves(cx: &Cx<'_>, view: &TableView) -> Vec<Option<Millis>> {
    if cx.snapshot.shows_other_match {
        return Vec::new();
    }
    let lines = &cx.snapshot.moments;
    let first = lines.partition_point(|line| line.game < view.number);
    let moves = facts::moves(lines.get(first..).unwrap_or_default());
    let same = moves.len() == view.moves.len();
    moves.into_iter().filter(|_| same).map(|made| made.spent).collect()
}

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordState {
    /// Whether the screen shows the evening's results instead of the match.
    evening: bool,
    /// The name of a record to look at, as typed.
    opened: String,
    sheet: ScoreSheetState,
    export: ExportState,
    /// What a chip is worth, as typed; empty if nothing was agreed.
    chip: String,
}

impl RecordState {
    /// Shows a match, not the evening's results.
    pub(super) fn show_match(&mut self) {
        self.evening = false;
    }
}

/// A moment of a match: the lines of its record, and how many of them are shown.
struct Moment<'a> {
    view: &'a TableView,
    lines: &'a [Arc<NarratedLine>],
    /// The lines of the game that is shown.
    game: &'a [Arc<NarratedLine>],
    /// How many lines are shown.
    at: usize,
    /// Whether the present moment of a running match is shown.
    live: bool,
}

impl Moment<'_> {
    /// The newest line that is shown.
    fn line(&self) -> Option<&NarratedLine> {
        self.lines.get(self.at.checked_sub(1)?).map(|line| &**line)
    }
}

/// Whether people may read this line of the record here.
fn may_be_read(line: &NarratedLine, cx: &Cx<'_>) -> bool {
    line.told.iter().any(|told| opens(told.to, cx))
}

/// Whether a line of the story for these people may be shown here.
fn opens(to: Audience, cx: &Cx<'_>) -> bool {
    to.open_to_players(cx.snapshot.moments_over)
}

/// Wishes to look at the table after this many lines.
fn look(cx: &mut Cx<'_>, line: usize) {
    let whole = cx.snapshot.moments.len();
    cx.wish(Wish::LookBack(Some(line).filter(|line| *line < whole)));
}

/// Draws the screen. `shown` is the table at the moment that the user looks at.
pub(super) fn record_ui(ui: &mut Ui, cx: &mut Cx<'_>, shown: Option<&TableView>, state: &mut RecordState) {
    let mut area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let px = |cx: &Cx<'_>, points: f32| cx.sizes.px(points);
    let header = cut_top(&mut area, px(cx, HEADER), px(cx, GAP * 0.75));
    header_ui(ui, cx, shown.is_some(), state, header);
    let lines = cx.snapshot.moments.clone();
    let Some(view) = shown.filter(|_| !state.evening) else {
        ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
            evening::evening_ui(ui, cx, state, shown.is_some());
        });
        return;
    };
    let at = cx.snapshot.past.as_ref().map_or(lines.len(), |past| past.line);
    let game = facts::of_game(&lines, view.number);
    let live = cx.snapshot.past.is_none() && !cx.snapshot.shows_other_match;
    let moment = Moment { view, lines: &lines, game, at, live };
    keys(cx, &moment);
    let row = cut_top(&mut area, px(cx, GAMES), px(cx, GAP));
    games::games_ui(ui, cx, &moment, row);
    match_ui(ui, cx, &moment, state, area);
}

/// Draws title and buttons above the page.
fn header_ui(ui: &mut Ui, cx: &mut Cx<'_>, shown: bool, state: &mut RecordState, row: Rect) {
    let sizes = cx.sizes;
    let narrow = row.width() / sizes.rem < SMALL;
    let mut right = row.right();
    let mut at_right = |ui: &Ui, text: &str, icons: f32| {
        let words = ui.painter().layout_no_wrap(
            text.to_owned(),
            FontId::proportional(sizes.rem),
            egui::Color32::WHITE,
        );
        let width = words.size().x + sizes.px(32.0 + 24.0 * icons);
        let place = Rect::from_min_size(pos2(right - width, row.top()), vec2(width, row.height()));
        right -= width + sizes.px(8.0);
        place
    };
    let text = cx.t("export");
    let shown_text = if narrow { String::new() } else { text.clone() };
    let place = at_right(ui, &shown_text, if narrow { 0.4 } else { 1.0 });
    let face = ButtonFace::new(Kind::Plain, &shown_text).icon(Icon::Share).said(text);
    let response = button_at(ui, cx, place, "export", &face);
    export::menu_ui(&response, cx, shown && !state.evening, &mut state.export);
    let text = cx.t("records");
    let shown_text = if narrow { String::new() } else { text.clone() };
    let place = at_right(ui, &shown_text, if narrow { 0.4 } else { 1.0 });
    let face = ButtonFace::new(Kind::Plain, &shown_text).icon(Icon::Sheet).said(text);
    let response = button_at(ui, cx, place, "records", &face);
    records_ui(&response, cx, state);
    for (evening, id) in [(true, "this-evening"), (false, "this-match")] {
        let text = cx.t(id);
        let place = at_right(ui, &text, 0.3);
        let chosen = state.evening == evening;
        if button_at(ui, cx, place, id, &ButtonFace::new(Kind::Choice(chosen), &text)).clicked() {
            state.evening = evening;
        }
    }
    title_ui(ui, cx, state.evening, Rect::from_min_max(row.min, pos2(right - sizes.px(8.0), row.bottom())));
}

/// Opens the menu of records below its button: the newest matches, and a field for any other file.
fn records_ui(response: &Response, cx: &mut Cx<'_>, state: &mut RecordState) {
    let wide = cx.sizes.px(RECORDS);
    let menu = Popup::menu(response).width(wide).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        ui.set_max_width(wide);
        let tray = ScrollArea::vertical().id_salt("tray").max_height(cx.sizes.px(340.0));
        let opened = tray.show(ui, |ui| evening::tray_ui(ui, cx)).inner;
        ui.separator();
        if open_record_ui(ui, cx, &mut state.opened) || opened {
            state.evening = false;
            ui.close();
        }
    });
}

/// Writes who plays, what and since when. Where there is little room, only the players are named.
fn title_ui(ui: &Ui, cx: &Cx<'_>, evening: bool, row: Rect) {
    let (title, rest) = match cx.snapshot.record.as_deref().filter(|_| !evening) {
        Some(record) => {
            let BySeat { a, b } = &record.players;
            let game = cx.words.word("game", &record.game);
            let begun = date(cx.words, record.begun.as_deref());
            (format!("{a} – {b}"), format!("{game}  {begun}"))
        }
        None => (cx.t("this-evening"), evening::line(cx)),
    };
    let size = super::kit::fitting(ui.painter(), &title, &bold_font, cx.sizes.title(), row.width());
    let font = (bold_font(size.max(cx.sizes.rem)), cx.theme.text);
    let end = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &title, font, row.width()).right();
    let font = FontId::proportional(cx.sizes.rem);
    let width = ui.painter().layout_no_wrap(rest.clone(), font.clone(), cx.theme.muted).size().x;
    let at = pos2(end + cx.sizes.px(12.0), row.center().y + cx.sizes.px(2.0));
    if at.x + width <= row.right() {
        write(ui.painter(), at, Align2::LEFT_CENTER, &rest, (font, cx.theme.muted), width);
    }
    label(ui, row, "title", &format!("{title} {rest}"));
}

/// Draws the match below the games: board, players, sheet and strip; in a small window board and sheet only.
fn match_ui(ui: &mut Ui, cx: &mut Cx<'_>, moment: &Moment<'_>, state: &mut RecordState, mut area: Rect) {
    let sizes = cx.sizes;
    let gap = sizes.px(GAP);
    let small = area.width() / sizes.rem < SMALL;
    if !small {
        let strip = cut_bottom(&mut area, sizes.px(STRIP), gap);
        strip::strip_ui(ui, cx, moment, strip);
    }
    let beside = if small { sizes.px(SMALL_SHEET) } else { sizes.px(MOMENT + SHEET) + gap };
    let side = area.height().min((area.width() - beside - gap).max(area.width() * 0.4));
    let mut left = area.left();
    if moment.view.has_board {
        let view = moment.view;
        let board = Rect::from_min_size(area.min, vec2(side, side));
        ui.scope_builder(UiBuilder::new().max_rect(board), |ui| {
            let look = BoardLook { stand_ins: &view.stand_ins, ..BoardLook::of_view(view, cx.below()) };
            board_ui(ui, cx, side, &look, &mut BoardState::default());
        });
        left = board.right() + gap;
    }
    let mut rest = Rect::from_min_max(pos2(left, area.top()), area.max);
    if small {
        let low = rest.height() / sizes.rem < LOW;
        let mut row = cut_bottom(&mut rest, sizes.px(44.0), sizes.px(8.0));
        if !moment.live && low {
            let back = row.with_min_x(row.left() + row.width() * 0.56);
            row.max.x = back.left() - sizes.px(8.0);
            moment::back_ui(ui, cx, moment, back);
        }
        moment::steps_ui(ui, cx, moment, row);
        if !moment.live && !low {
            let row = cut_bottom(&mut rest, sizes.px(40.0), sizes.px(8.0));
            moment::back_ui(ui, cx, moment, row);
        }
        sheet::sheet_ui(ui, cx, moment, &mut state.sheet, rest);
        return;
    }
    let middle = (rest.width() - gap) * 0.47;
    let players = Rect::from_min_size(rest.min, vec2(middle, rest.height()));
    moment::moment_ui(ui, cx, moment, players);
    let sheet = Rect::from_min_max(pos2(players.right() + gap, rest.top()), rest.max);
    sheet::sheet_ui(ui, cx, moment, &mut state.sheet, sheet);
}

/// The keys that lead from moment to moment, while nothing else has the focus.
fn keys(cx: &mut Cx<'_>, moment: &Moment<'_>) {
    let free = cx.focus == Focus::Nothing
        || cx.ctx.memory(egui::Memory::focused).is_some_and(|id| id == sheet::focus_id());
    if !free || Popup::is_any_open(&cx.ctx) {
        return;
    }
    let pressed = cx.ctx.input(|input| {
        let mut steps = input.events.iter().filter_map(|event| match event {
            Event::Key { key: Key::ArrowLeft | Key::ArrowUp, pressed: true, .. } => Some(Jump::Back),
            Event::Key { key: Key::ArrowRight | Key::ArrowDown, pressed: true, .. } => Some(Jump::On),
            Event::Key { key: Key::Home, pressed: true, .. } => Some(Jump::First),
            Event::Key { key: Key::End, pressed: true, .. } => Some(Jump::Last),
            _ => None,
        });
        steps.next_back()
    });
    if let Some(step) = pressed {
        go(cx, moment, step);
    }
}

/// Goes to another moment.
fn go(cx: &mut Cx<'_>, moment: &Moment<'_>, step: Jump) {
    let led = facts::step(moment.lines, moment.at, step, |line| may_be_read(line, cx));
    if let Some(line) = led {
        look(cx, line);
    }
}
