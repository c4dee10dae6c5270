//! The middle of the table: prompt, controls, score sheet and log. The prompt stands above the controls, or in a small
//! window under the board; a refusal, a question or a reason takes its place and moves nothing.

use egui::style::ScrollStyle;
use egui::{Align2, Rect, ScrollArea, Ui, UiBuilder};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, DealtCards, Verb};

use super::acts::{press, press_to_take_back, waits_for_press};
use super::course::lead_ui;
use super::head::head_ui;
use super::questions::{question_body, take_press_back_ui};
use super::said::{players_question, said};
use super::sheet::{is_at_moves, said_ui, sheet_ui};
use super::sizes::{FOOT, GAP, LOW, TALL};
use super::state::TableState;
use super::stopped::paused_body;
use super::{answer, betting, cards, chess, foot, hands, own_cards, repair, result};
use crate::cx::Cx;
use crate::fixes::Repair;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{cut_bottom, cut_top, panel};
use crate::theme::bold_font;
use crate::widgets::label;

/// From this width on, the log stands beside the bets.
const BESIDE: f32 = 640.0;

/// What the middle is drawn into, and what is wrong on the board.
pub(super) struct Parts<'a> {
    pub(super) middle: Rect,
    pub(super) below_board: Option<Rect>,
    /// The place of the quieter actions, if they stand under the board.
    pub(super) quiet: Option<Rect>,
    pub(super) fixes: &'a [Repair],
}

/// Draws the middle.
pub(super) fn middle_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    panel::ground(ui.painter(), cx.theme, parts.middle);
    let small = parts.below_board.is_some();
    let mut body = parts.middle.shrink(if small { px(9.0) } else { px(16.0) });
    let said = said(cx, view, state, parts.fixes);
    // Where the quieter actions stand under the board, the line for words does so too, and leaves the middle to the moves.
    let mut below_board = parts.below_board;
    let line = below_board.as_mut().filter(|_| parts.quiet.is_some() && foot::types(state));
    let line = line.map(|below| cut_bottom(below, px(LOW), px(GAP)));
    let head = match below_board {
        Some(below) => below,
        // A result is told in large words.
        None if view.outcome.is_some() => cut_top(&mut body, px(94.0), px(4.0)),
        // Over the score sheet a prompt of one line leaves the room to the moves.
        None if is_at_moves(view) && said.is_short() => cut_top(&mut body, px(44.0), px(6.0)),
        // The list of what to put right needs the room.
        None if !parts.fixes.is_empty() && said.wrong.is_none() => cut_top(&mut body, px(66.0), px(4.0)),
        None => cut_top(&mut body, px(74.0), px(10.0)),
    };
    if let Some(pot) = head_ui(ui, cx, view, (head, parts.fixes.is_empty()), &said) {
        state.flights.pot_at(pot);
    }
    if body.height() < px(24.0) {
        return;
    }
    let asked = players_question(cx).is_some() && !state.armed.any();
    let keeps = if view.bet.is_some() && small { px(5.0 * LOW) } else { px(LOW) };
    // The buttons below that list take the place of the quieter actions.
    let keeps = if shows_repair(cx, view, state, parts.fixes) { f32::INFINITY } else { keeps };
    let foot = foot::places(cx, &mut body, state, (parts.quiet, line, keeps));
    if answer::open(cx, state).is_some() && players_question(cx).is_none() && parts.fixes.is_empty() {
        answer::answer_ui(ui, cx, state, body);
    } else {
        body_ui(ui, cx, view, state, parts, body);
    }
    let acts = !asked && view.outcome.is_none() && !view.clock.paused() && parts.fixes.is_empty();
    foot::foot_ui(ui, cx, view, state, (foot, acts));
}

/// Whether the controls are the list of what to put right.
fn shows_repair(cx: &Cx<'_>, view: &TableView, state: &TableState, fixes: &[Repair]) -> bool {
    let asked = players_question(cx).is_some() && !state.armed.any();
    !fixes.is_empty() && !asked && view.outcome.is_none() && !view.clock.paused()
}

/// With large words the quieter actions stand under the board, if the prompt leaves room there.
pub(super) fn quiet_place(cx: &Cx<'_>, below_board: &mut Rect) -> Option<Rect> {
    let height = cx.sizes.px(FOOT);
    (below_board.height() > height * 3.0).then(|| cut_bottom(below_board, height, cx.sizes.px(GAP)))
}

/// Draws the controls, and below them the score sheet and the log.
fn body_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
    mut body: Rect,
) {
    // Beside the bets a wide window has room for the log.
    if view.bet.is_some() && body.width() > cx.sizes.px(BESIDE) {
        let log = body.with_min_x(body.right() - body.width() * 0.26);
        body.max.x = log.left() - cx.sizes.px(16.0);
        said_ui(ui, cx, log);
        controls_ui(ui, cx, view, state, parts, &mut body);
        return;
    }
    if let Some(poker) = view.poker.as_ref().filter(|_| view.outcome.is_none() && !view.clock.paused())
        && players_question(cx).is_none()
        && body.height() > cx.sizes.px(TALL + LOW)
    {
        lead_ui(ui, cx, poker, &mut body);
    }
    if own_cards::are_there(view) && players_question(cx).is_none() {
        let height = body.height();
        // A bet needs the room; then the row alone is seen.
        let least = cx.sizes.px(TALL).min(height);
        let press = if view.presser().is_some() { cx.sizes.px(TALL + GAP) } else { 0.0 };
        let wanted = state.cards_height.unwrap_or(f32::INFINITY);
        let part = if view.bet.is_some() { least } else { (height - press.min(height * 0.5)).min(wanted) };
        let part = cut_top(&mut body, part, cx.sizes.px(GAP));
        cards_part(ui, cx, view, state, part);
    }
    controls_ui(ui, cx, view, state, parts, &mut body);
    sheet_ui(ui, cx, view, state, body);
}

/// Draws the cards of a game whose moves use cards into an area, in which they scroll if there are too many.
fn cards_part(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, place: Rect) {
    let mut part = ui.new_child(UiBuilder::new().max_rect(place));
    // The gold edge of a card stands out of its place.
    part.set_clip_rect(place.expand(cx.sizes.px(4.0)));
    // A bar beside the cards would change their size, and with it whether there is one.
    let kinetic = part.spacing().scroll.kinetic;
    part.spacing_mut().scroll = ScrollStyle { kinetic, ..ScrollStyle::floating() };
    let drawn = ScrollArea::vertical().id_salt("laid").auto_shrink(false).show(&mut part, |ui| {
        own_cards::cards_ui(ui, cx, view, state);
    });
    let height = Some(drawn.content_size.y);
    if state.cards_height != height {
        state.cards_height = height;
        cx.ctx.request_repaint();
    }
}

fn controls_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    parts: &Parts<'_>,
    body: &mut Rect,
) {
    if let Some(asked) = players_question(cx).filter(|_| !state.armed.any()) {
        question_body(ui, cx, state, &asked, body);
        return;
    }
    if view.outcome.is_some() {
        result::result_ui(ui, cx, view, body);
        return;
    }
    if view.clock.paused() {
        paused_body(ui, cx, view, state, body);
        return;
    }
    announcement_ui(ui, cx, view, body);
    if !parts.fixes.is_empty() {
        repair::repair_ui(ui, cx, state, (parts.fixes, view), *body);
        body.min.y = body.bottom();
        return;
    }
    if view.may(Verb::Deal) {
        let row = cut_top(body, cx.sizes.px(TALL), cx.sizes.px(GAP));
        let text = cx.t("deal");
        let face = ButtonFace::new(Kind::Gold, &text).key(cx.key(Command::Deal));
        if button_at(ui, cx, row, "deal", &face).clicked() || cx.takes(Command::Deal) {
            cx.enter(Action::Deal(DealtCards::default()));
        }
    }
    if view.poker.as_ref().is_some_and(|poker| poker.choices.is_some()) {
        let row = cut_top(body, cx.sizes.px(TALL).min(body.height()), cx.sizes.px(GAP));
        hands::choose_ui(ui, cx, view, state, row);
    }
    if view.may(Verb::Bet) {
        betting::betting_ui(ui, cx, view, state, body);
    }
    if (view.may(Verb::Reveal) || view.may(Verb::Place)) && !waits_for_press(view) {
        cards::cards_ui(ui, cx, view, state, body);
    }
    press_ui(ui, cx, view, body);
    chess::answer_ui(ui, cx, view, body);
}

/// Draws the word that a player must say with a placement, such as "Promoted", in large letters until the next input.
fn announcement_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, body: &mut Rect) {
    let Some((_, piece, word)) = view.announced else { return };
    let word = cx.words.word("announce", word.word());
    let text = cx.words.with("announced", &[("word", word.into()), ("piece", cx.words.card(piece).into())]);
    let row = cut_top(body, cx.sizes.px(48.0).min(body.height()), cx.sizes.px(GAP));
    let edge = egui::Stroke::new(2.0, cx.theme.ivory);
    ui.painter().rect(row, egui::CornerRadius::same(8), cx.theme.hover, edge, egui::StrokeKind::Inside);
    let font = (bold_font(cx.sizes.title()), cx.theme.text);
    crate::kit::write(ui.painter(), row.center(), Align2::CENTER_CENTER, &text, font, row.width() - 16.0);
    label(ui, row, "announced", &text);
}

/// Draws the button that presses the clock, in gold once the player has acted.
fn press_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, body: &mut Rect) {
    if press_to_take_back(view).is_some() {
        let row = cut_top(body, cx.sizes.px(LOW).min(body.height()), cx.sizes.px(GAP));
        take_press_back_ui(ui, cx, row);
        return;
    }
    let Some(by) = view.presser() else { return };
    // What is still to be done with a card stands before the press.
    let open = waits_for_press(view) && !own_cards::owes(view);
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let height = if open { px(TALL) } else { px(LOW) };
    let row = cut_top(body, height.min(body.height()), px(GAP));
    let text = cx.words.with("press", &[("color", cx.who(by).into())]);
    // While something else is the thing to do now, the press is no gold button.
    let other = view.may(Verb::Reveal) || view.may(Verb::Place) || view.may(Verb::Move);
    let now = open || !(other || own_cards::owes(view));
    let kind = if now { Kind::Gold } else { Kind::Plain };
    let face = ButtonFace::new(kind, &text).key(cx.key(Command::Press));
    if button_at(ui, cx, row, "press", &face).clicked() {
        press(cx, view, Some(by));
    }
}
