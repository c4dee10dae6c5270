//! The page of the round: what is to be settled at the left, all boards in the middle, the chosen one at the right.
//!
//! Source: `docs/event.md`, "Rounds at the desk".

mod boards;
mod chosen;
mod settle;

use egui::{FontId, Key, Rect, Ui};
use tabiya_app::hall::{BoardStage, HallView, RoundBoard, RoundWish, RoundsView};

use super::sheets::Sheet;
use super::state::DeskState;
use super::{ALERTS, DETAIL, GAP, WITH_ALERTS, WITH_DETAIL, inside};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{cut_top, panel, rows};
use crate::widgets::label;

/// Draws the page.
pub(super) fn round_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, area: Rect) {
    let Some(rounds) = view.rounds.as_deref() else {
        return without_plan_ui(ui, cx, view, state, area);
    };
    let px = |points: f32| cx.sizes.px(points);
    let wide = cx.ctx.content_rect().width() / cx.sizes.rem;
    let mut middle = area;
    if wide >= WITH_ALERTS {
        let left = area.with_max_x(area.left() + px(ALERTS));
        inside(ui, left, |ui| settle::settle_ui(ui, cx, (view, rounds), state, left));
        middle.min.x = left.right() + px(GAP);
    }
    let right = (wide >= WITH_DETAIL).then(|| {
        let column = middle.with_min_x(middle.right() - px(DETAIL));
        middle.max.x = column.left() - px(GAP);
        column
    });
    inside(ui, middle, |ui| boards::boards_ui(ui, cx, (view, rounds), state, middle));
    if let Some(right) = right {
        inside(ui, right, |ui| chosen::chosen_ui(ui, cx, (view, rounds), state, right));
    }
}

/// Draws what is done first: plan the rounds.
fn without_plan_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, area: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    panel::ground(ui.painter(), cx.theme, area);
    let mut inner = area.shrink(px(20.0));
    let text = cx.t("round-no-plan");
    let font = (FontId::proportional(cx.sizes.rem), cx.theme.text);
    let galley = rows(ui.painter(), &text, font, inner.width().min(px(640.0)), 4);
    let place = cut_top(&mut inner, galley.size().y, px(16.0));
    label(ui, place, "round-no-plan", &text);
    ui.painter().galley(place.min, galley, cx.theme.text);
    let button = cut_top(&mut inner, px(56.0), px(12.0));
    let button = button.with_max_x(button.left() + px(280.0).min(button.width()));
    let words = cx.t("round-plan");
    if button_at(ui, cx, button, "round-plan", &ButtonFace::new(Kind::Gold, &words)).clicked() {
        state.sheet = Some(Sheet::plan());
    }
    fault_ui(ui, cx, view, inner);
}

/// Draws why the last wish was not carried out.
fn fault_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, place: Rect) {
    let Some(fault) = &view.round_fault else { return };
    let text = crate::widgets::capital(&cx.words.sentence(fault));
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.bad);
    let galley = rows(ui.painter(), &text, font, place.width(), 6);
    ui.painter().galley(place.min, galley, cx.theme.bad);
    crate::widgets::live_label(ui, place, "round-fault", &text, true);
}

/// The boards that wait for somebody at the desk: their result stands at the table, and not both players have confirmed it.
fn to_settle(rounds: &RoundsView) -> impl Iterator<Item = &RoundBoard> {
    rounds.boards.iter().filter(|board| match &board.stage {
        BoardStage::Ended(_, signed) => !(signed.white && signed.black),
        BoardStage::Waits(_) | BoardStage::Plays | BoardStage::Counts(_) => false,
    })
}

/// What the golden button does now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextStep {
    /// Enter players.
    Players,
    /// Pair the next round.
    Pair,
    /// Start the boards that are ready.
    Start,
    /// Take over the result that stands at the table of this board.
    Record(usize),
}

/// What is to be done next at the desk; `None` while the round is played, and when all is over.
fn next_step(rounds: &RoundsView) -> Option<NextStep> {
    if rounds.players < 2 {
        return Some(NextStep::Players);
    }
    if let Some(board) = to_settle(rounds).next() {
        return Some(NextStep::Record(board.board));
    }
    if rounds.ready() > 0 {
        return Some(NextStep::Start);
    }
    (rounds.missing() == 0 && rounds.round < rounds.planned).then_some(NextStep::Pair)
}

/// Does the next step, or opens the sheet that asks for what it needs.
fn do_step(rounds: &RoundsView, state: &mut DeskState, step: NextStep) {
    match step {
        NextStep::Players => state.sheet = Some(Sheet::players()),
        NextStep::Pair => state.sheet = Some(Sheet::Pair),
        NextStep::Start => state.sheet = Some(Sheet::start(&state.kept)),
        NextStep::Record(board) => record(rounds, state, board),
    }
}

/// Takes over the result that stands at the table.
fn record(rounds: &RoundsView, state: &mut DeskState, board: usize) {
    if let Some(score) = rounds.board(board).and_then(|board| board.stage.score()) {
        let wish = RoundWish::Result(board, score.word.to_owned(), score.chips, String::new());
        state.round(wish);
    }
}

/// A key on this page.
pub(super) fn round_key(view: &HallView, state: &mut DeskState, key: Key, command: bool) {
    let Some(rounds) = view.rounds.as_deref() else {
        if key == Key::Enter {
            state.sheet = Some(Sheet::plan());
        }
        return;
    };
    let chosen = state.board.filter(|board| rounds.board(*board).is_some());
    match (key, chosen) {
        (Key::Enter, _) => {
            if let Some(step) = next_step(rounds) {
                do_step(rounds, state, step);
            }
        }
        (Key::R, _) if command && rounds.missing() == 0 => state.sheet = Some(Sheet::Pair),
        (Key::N, _) => state.board = next_missing(rounds, chosen),
        (Key::ArrowDown, _) => step_by(rounds, state, 1),
        (Key::ArrowUp, _) => step_by(rounds, state, -1),
        (Key::M, _) => state.kept.missing = !state.kept.missing,
        (Key::W, Some(board)) => state.sheet = Some(Sheet::board_result(rounds, board, Some("1-0"))),
        (Key::D, Some(board)) => state.sheet = Some(Sheet::board_result(rounds, board, Some("1/2"))),
        (Key::B, Some(board)) => state.sheet = Some(Sheet::board_result(rounds, board, Some("0-1"))),
        (Key::O, Some(board)) => open_table(rounds, state, board),
        (Key::Escape, _) => state.board = None,
        _ => {}
    }
}

/// The next board without a result that counts.
fn next_missing(rounds: &RoundsView, after: Option<usize>) -> Option<usize> {
    let open: Vec<usize> = rounds
        .boards
        .iter()
        .filter(|board| !matches!(board.stage, BoardStage::Counts(_)))
        .map(|board| board.board)
        .collect();
    open.iter().find(|board| after.is_none_or(|after| **board > after)).or(open.first()).copied()
}

fn step_by(rounds: &RoundsView, state: &mut DeskState, by: isize) {
    let shown = boards::shown(rounds, state);
    let now = state.board.and_then(|chosen| shown.iter().position(|board| board.board == chosen));
    let next = now.map_or(0, |now| now.saturating_add_signed(by).min(shown.len().saturating_sub(1)));
    state.board = shown.get(next).map(|board| board.board);
}

/// Shows the table of this board at the desk.
fn open_table(rounds: &RoundsView, state: &mut DeskState, board: usize) {
    if let Some(table) = rounds.board(board).and_then(|board| board.table) {
        state.kept.page = super::state::DeskPage::Desk;
        state.choose(Some(table));
    }
}
