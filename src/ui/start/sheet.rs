//! The right side of the first screen: both clocks as they will start, the terms in plain lines, how to set up the board,
//! the board itself, and the button that begins the match.

use egui::{
    Align2, CornerRadius, FontId, Rect, RichText, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use tabiya_app::desk::{BoardWish, NewMatch, Position, Wish, upright};
use tabiya_app::snapshot::{BoardFact, LinkState};
use tabiya_engine::rules::{SheetLine, fen_of};
use tabiya_engine::table::Table;
use tabiya_types::{Board, BySeat, Color, Seat, Sentence, Square};

use super::form::Form;
use super::players::name_line;
use super::shown_name;
use super::summary::{summary, summary_ui};
use super::times::{fault_in_words, time_in_words};
use crate::board_state::SIMULATED;
use crate::cx::Cx;
use crate::file_use::FileUse;
use crate::focus::Focus;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::group::TabGroup;
use crate::kit::icon::Icon;
use crate::kit::panel::ground;
use crate::kit::plate::{self, Plate};
use crate::kit::{cut_bottom, cut_top, rows, split, write};
use crate::theme::{GRID, PANEL_RADIUS, bold_font};
use crate::widgets::{field_below, label};

/// What the sheet remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct SheetState {
    /// The path for saving the match sheet.
    path: String,
    /// Whether the field for this path is shown.
    saving: bool,
    /// The frame in which the main button was drawn last.
    drawn: Option<u64>,
}

/// The new match, and its sheet or what is wrong with its terms.
struct Terms {
    new: NewMatch,
    sheet: Result<Vec<SheetLine>, String>,
    /// The board as it stands before the first act, and what is to be done then.
    start: Option<(Board, Sentence)>,
}

fn terms_of(cx: &Cx<'_>, form: &Form) -> Terms {
    let deck = super::fitting_deck(cx, &form.game, form.deck.as_deref());
    let new = NewMatch { deck, ..form.new_match() };
    let header = as_it_stands(cx, &new).header(None);
    let start = header.as_ref().ok().filter(|_| !form.is_clock_alone()).map(|header| {
        let table = Table::new(header.agreement.clone());
        (table.physical(), table.prompt())
    });
    // If a time control has a fault, show the sentence that quotes the text from the form, as the user typed it. The
    // other sentence quotes the text that a record would contain.
    let sheet = header.map(|header| header.agreement.sheet_lines());
    let sheet =
        sheet.map_err(|sentence| form.time_fault().map_or(sentence, |fault| fault_in_words(cx, &fault)));
    Terms { new, sheet, start }
}

/// Draws the whole side. `covered`: the left side is covered by a panel, which has the main button then.
pub(super) fn side_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    mut area: Rect,
    form: &Form,
    state: &mut SheetState,
    covered: bool,
) {
    let terms = terms_of(cx, form);
    let begin = cut_bottom(&mut area, cx.sizes.px(68.0), cx.sizes.px(16.0));
    begin_ui(ui, cx, begin, &terms, (state, covered));
    if !form.is_clock_alone() {
        let board = cut_bottom(&mut area, cx.sizes.px(62.0), cx.sizes.px(16.0));
        board_line(ui, cx, board);
    }
    ground(ui.painter(), cx.theme, area);
    let mut inside = area.shrink(cx.sizes.px(20.0));
    let faces = cut_top(&mut inside, cx.sizes.px(122.0), cx.sizes.px(16.0));
    faces_ui(ui, cx, faces, form);
    if let Ok(lines) = &terms.sheet {
        let row = cut_bottom(&mut inside, cx.sizes.px(36.0), cx.sizes.px(8.0));
        files_ui(ui, cx, row, lines, state);
    }
    // In a low window the terms need the room.
    if let Some((board, prompt)) = terms.start.as_ref().filter(|_| inside.height() > cx.sizes.px(260.0)) {
        let place = cut_bottom(&mut inside, cx.sizes.px(104.0), cx.sizes.px(12.0));
        set_up_ui(ui, cx, place, board, prompt);
    }
    let mut inner = ui.new_child(UiBuilder::new().max_rect(inside));
    inner.shrink_clip_rect(inside.expand(4.0));
    ScrollArea::vertical().id_salt("sheet").auto_shrink(false).show(&mut inner, |ui| match &terms.sheet {
        Ok(lines) => {
            summary_ui(ui, cx, &summary(cx, lines, &names(form), time_in_words(cx, form).as_deref()));
            if state.saving {
                saving_ui(ui, cx, lines, state);
            }
        }
        Err(sentence) => {
            ui.label(cx.t("terms-wrong"));
            ui.label(RichText::new(sentence).color(cx.theme.bad));
        }
    });
}

/// Draws what a narrow window has room for: two lines, and the button.
pub(super) fn strip_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    mut area: Rect,
    form: &Form,
    state: &mut SheetState,
    covered: bool,
) {
    let terms = terms_of(cx, form);
    let wide = (area.width() * 0.24).max(cx.sizes.px(180.0));
    let begin = Rect::from_min_max(pos2(area.right() - wide, area.top()), area.max);
    area.max.x = begin.left() - cx.sizes.px(12.0);
    begin_ui(ui, cx, begin, &terms, (state, covered));
    let (text, ink) = match &terms.sheet {
        Ok(lines) => {
            // The sentence below the times says what they mean.
            let lines = summary(cx, lines, &names(form), Some(""));
            let texts: Vec<String> = lines.into_iter().map(|(_, text)| text).collect();
            (texts.join(" · "), cx.theme.muted)
        }
        Err(sentence) => (sentence.clone(), cx.theme.bad),
    };
    let words = rows(ui.painter(), &text, (FontId::proportional(cx.sizes.small()), ink), area.width(), 3);
    let at = pos2(area.left(), area.center().y - words.size().y / 2.0);
    ui.painter().galley(at, words, ink);
    label(ui, area, "sheet-line", &text);
}

/// The names of the players, by seat.
fn names(form: &Form) -> BySeat<String> {
    BySeat { a: shown_name(form, Seat::A), b: shown_name(form, Seat::B) }
}

/// Draws both clocks as they will start.
fn faces_ui(ui: &Ui, cx: &Cx<'_>, area: Rect, form: &Form) {
    let seats = [form.white, form.white.other()];
    for ((place, seat), color) in split(area, &[1.0, 1.0], GRID * 3.0).into_iter().zip(seats).zip(Color::ALL)
    {
        let mut plate = place;
        let head = cut_top(&mut plate, cx.sizes.px(26.0), 2.0);
        let who = shown_name(form, seat);
        name_line(ui, cx, head, color, &who);
        let Some(start) = form.starting_time(seat, color) else { continue };
        let shown = Plate { text: cx.reading(Some(start), false), ..Plate::default() };
        plate::draw(ui.painter(), cx, plate, &shown);
        label(ui, plate, &format!("starts-{}", color.word()), &format!("{who}: {}", shown.text));
    }
}

/// Draws the button that begins the match. Enter begins it too while nothing has the keyboard, and Ctrl+Enter from
/// anywhere, so nobody has to go through the whole form for the same match again.
fn begin_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    place: Rect,
    terms: &Terms,
    (state, covered): (&mut SheetState, bool),
) {
    let text = cx.t("begin");
    let can = terms.sheet.is_ok();
    let kind = if covered { Kind::Plain } else { Kind::Gold };
    let face = ButtonFace::new(kind, &text).strong().key(cx.t("key-enter")).enabled(can);
    let face = if covered { face.key("Ctrl+Enter".to_owned()) } else { face };
    let button = button_at(ui, cx, place, "begin", &face);
    let clicked = button.clicked();
    // Whoever comes to this page can begin at once.
    let frame = ui.ctx().cumulative_frame_nr();
    let fresh = state.drawn.replace(frame).is_none_or(|last| last + 1 < frame);
    if fresh && ui.memory(egui::Memory::focused).is_none() {
        button.request_focus();
    }
    let (enter, held) = ui.input(|input| (input.key_pressed(egui::Key::Enter), input.modifiers.command));
    let by_key = can && enter && ((cx.focus == Focus::Nothing && !covered) || held);
    if clicked || by_key {
        cx.wish(Wish::Begin(Box::new(terms.new.clone())));
    }
}

/// Draws the connected board in one line; without one, the way to a simulated one.
fn board_line(ui: &mut Ui, cx: &mut Cx<'_>, place: Rect) {
    let theme = cx.theme;
    let board = &cx.snapshot.board;
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let edge = Stroke::new(1.0, theme.line);
    ui.painter().rect(place, CornerRadius::same(PANEL_RADIUS), theme.well, edge, StrokeKind::Inside);
    let connected = board.link == LinkState::Connected;
    let (ink, id) = match &board.link {
        LinkState::None => (theme.muted, "board-none"),
        LinkState::Connecting => (theme.gold_ink, "board-connecting"),
        LinkState::Connected => (theme.good, "board-connected"),
        LinkState::Lost(_) if !cx.snapshot.board.answered => (theme.bad, "board-not-found"),
        LinkState::Lost(_) => (theme.bad, "board-lost"),
    };
    let fact =
        |what: BoardFact| board.facts.iter().find(|(fact, _)| *fact == what).map(|(_, value)| value.clone());
    let title = fact(BoardFact::Maker).filter(|_| connected).unwrap_or_else(|| cx.t(id));
    let side = px(22.0);
    let mark = Rect::from_center_size(
        pos2(place.left() + px(16.0) + side / 2.0, place.center().y),
        vec2(side, side),
    );
    Icon::Board.draw(ui.painter(), mark, ink);
    let left = mark.right() + px(12.0);
    let mut right = place.right() - px(12.0);
    if board.link == LinkState::None {
        let wide = (place.width() * 0.52).min(px(230.0));
        let button = Rect::from_min_max(
            pos2(right - wide, place.top() + px(10.0)),
            pos2(right, place.bottom() - px(10.0)),
        );
        let text = cx.t("try-simulated");
        if button_at(ui, cx, button, "try-simulated", &ButtonFace::new(Kind::Plain, &text)).clicked() {
            cx.board(BoardWish::Connect(SIMULATED.to_owned()));
        }
        right = button.left() - px(8.0);
    } else if connected {
        let tick = Rect::from_center_size(pos2(right - side / 2.0, place.center().y), vec2(side, side));
        Icon::Check.draw(ui.painter(), tick, theme.good);
        right = tick.left() - px(8.0);
    }
    let charge = cx.snapshot.board.battery.map(|(percent, _)| format!("{percent} %"));
    let under: Vec<String> = charge.into_iter().chain(fact(BoardFact::Clock)).collect();
    board_words(ui, cx, place, (left, right), (title, under));
}

/// Writes which board it is, and below it what it reports, from `left` to `right`.
fn board_words(
    ui: &Ui,
    cx: &Cx<'_>,
    place: Rect,
    (left, right): (f32, f32),
    (title, under): (String, Vec<String>),
) {
    let theme = cx.theme;
    let px = |points: f32| cx.sizes.px(points);
    let y = if under.is_empty() { place.center().y } else { place.center().y - px(10.0) };
    let room = right - left;
    write(
        ui.painter(),
        pos2(left, y),
        Align2::LEFT_CENTER,
        &title,
        (bold_font(cx.sizes.rem), theme.text),
        room,
    );
    let font = (FontId::proportional(cx.sizes.small()), theme.muted);
    write(
        ui.painter(),
        pos2(left, place.center().y + px(12.0)),
        Align2::LEFT_CENTER,
        &under.join(" · "),
        font,
        room,
    );
    let words = [vec![title], under].concat().join(", ");
    label(ui, Rect::from_min_max(place.min, pos2(right, place.bottom())), "board-line", &words);
}

/// Draws how the board stands before the first act.
fn set_up_ui(ui: &Ui, cx: &Cx<'_>, area: Rect, board: &Board, prompt: &Sentence) {
    let side = area.height();
    let small = Rect::from_min_size(area.min, vec2(side, side));
    let [light, dark] = cx.theme.squares(cx.settings.board_colors);
    let one = side / 8.0;
    for square in Square::all() {
        let at = small.min + vec2(f32::from(square.file()), f32::from(7 - square.rank())) * one;
        let place = Rect::from_min_size(at, vec2(one, one));
        ui.painter().rect_filled(place, CornerRadius::ZERO, if square.is_light() { light } else { dark });
        if let Some(piece) = board[square] {
            cx.art.piece(ui.painter(), place, piece, egui::Color32::WHITE);
        }
    }
    let left = small.right() + cx.sizes.px(16.0);
    let room = area.right() - left;
    let title = rows(ui.painter(), &cx.t("set-up"), (bold_font(cx.sizes.rem), cx.theme.text), room, 2);
    let prompt = cx.say(prompt);
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let words = rows(ui.painter(), &prompt, font, room, 3);
    let top = area.center().y - f32::midpoint(title.size().y, words.size().y);
    let below = top + title.size().y;
    ui.painter().galley(pos2(left, top), title, cx.theme.text);
    ui.painter().galley(pos2(left, below), words, cx.theme.muted);
    label(ui, area, "set-up", &format!("{}: {prompt}", cx.t("set-up")));
}

/// Draws the buttons that copy, print and save the match sheet.
fn files_ui(ui: &mut Ui, cx: &mut Cx<'_>, row: Rect, lines: &[SheetLine], state: &mut SheetState) {
    let [copy, print, save] = split(row, &[1.0, 1.0, 1.0], GRID).try_into().unwrap_or([row; 3]);
    let mut group = TabGroup::new(ui, "files", None);
    let text = cx.t("copy");
    let face = ButtonFace::new(Kind::Bare, &text).icon(Icon::Copy).stops(group.stops());
    if group.add(button_at(ui, cx, copy, "copy", &face)).clicked() {
        ui.ctx().copy_text(sheet_text(cx, lines));
    }
    let text = cx.t("print");
    let face = ButtonFace::new(Kind::Bare, &text).icon(Icon::Sheet).stops(group.stops());
    if group.add(button_at(ui, cx, print, "print", &face)).clicked() {
        cx.wish(Wish::Print(sheet_text(cx, lines)));
    }
    let text = cx.t("save-as");
    let face = ButtonFace::new(Kind::Bare, &text).stops(group.stops());
    if group.add(button_at(ui, cx, save, "save-as", &face)).clicked() {
        state.saving = !state.saving;
        // The field stays beside the dialog, for a desktop whose dialog does not open.
        if state.saving && cx.chooser {
            cx.with_file(FileUse::Text(sheet_text(cx, lines)), "tabiya", false);
        }
    }
    group.end(ui);
}

/// Draws the field for the file of the match sheet.
fn saving_ui(ui: &mut Ui, cx: &mut Cx<'_>, lines: &[SheetLine], state: &mut SheetState) {
    field_below(ui, &cx.t("sheet-path"), &mut state.path, (ui.available_width() - 20.0).min(300.0));
    let path = state.path.trim();
    if crate::widgets::button(ui, &cx.t("save"), !path.is_empty()).clicked() {
        cx.wish(Wish::SaveText(sheet_text(cx, lines), path.into()));
    }
}

/// The new match. If the match is to begin from the position on the board, this contains the position that the board
/// shows now.
fn as_it_stands(cx: &Cx<'_>, new: &NewMatch) -> NewMatch {
    let position = match (&new.position, &cx.snapshot.board.seen) {
        (Position::AsItStands(to_move), Some(seen)) => Position::Fen(fen_of(&upright(seen), *to_move)),
        (position, _) => position.clone(),
    };
    NewMatch { position, ..new.clone() }
}

/// The match sheet as text for printing or saving.
fn sheet_text(cx: &Cx<'_>, lines: &[SheetLine]) -> String {
    lines.iter().map(|line| cx.say(&line.says) + "\n").collect()
}
