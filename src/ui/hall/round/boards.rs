//! The boards of the round as rows: what is missing first, by the least time.

use egui::{Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, vec2};
use tabiya_app::hall::{BoardStage, HallView, RoundBoard, RoundsView};
use tabiya_types::Color;

use super::settle::not_ready;
use crate::cx::Cx;
use crate::hall::state::DeskState;
use crate::hall::tables::{clock, stage};
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::group::TabGroup;
use crate::kit::icon::Icon;
use crate::kit::{cut_top, panel, write};
use crate::theme::bold_font;
use crate::widgets::{label, name_with};

/// The heights of the head and of a row, at a rem of 16 points.
const HEAD: f32 = 28.0;
const ROW: f32 = 27.0;

/// The boards that are shown: those that are missing first.
pub(super) fn shown<'a>(rounds: &'a RoundsView, state: &DeskState) -> Vec<&'a RoundBoard> {
    let is_done = |board: &&RoundBoard| matches!(board.stage, BoardStage::Counts(_));
    let mut boards: Vec<&RoundBoard> =
        rounds.boards.iter().filter(|board| !state.kept.missing || !is_done(board)).collect();
    boards.sort_by_key(|board| {
        let rank = match &board.stage {
            BoardStage::Ended(..) => 0,
            BoardStage::Plays => 1,
            BoardStage::Waits(_) => 2,
            BoardStage::Counts(_) => 3,
        };
        (rank, board.board)
    });
    boards
}

/// Draws the filters and the boards.
pub(super) fn boards_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, rounds): (&HallView, &RoundsView),
    state: &mut DeskState,
    mut area: Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let head = cut_top(&mut area, px(36.0), px(10.0));
    filters_ui(ui, cx, rounds, state, head);
    panel::ground(ui.painter(), cx.theme, area);
    if rounds.boards.is_empty() {
        let text = cx.t("round-no-pairs");
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let place = area.shrink(px(16.0));
        let galley = crate::kit::rows(ui.painter(), &text, font, place.width(), 4);
        ui.painter().galley(place.min, galley, cx.theme.muted);
        label(ui, place, "round-no-pairs", &text);
        return;
    }
    let mut area = area.shrink2(vec2(1.0, 2.0));
    columns_head_ui(ui, cx, cut_top(&mut area, px(HEAD), 0.0));
    let boards = shown(rounds, state);
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = px(ROW);
        ScrollArea::vertical().id_salt("round-boards").auto_shrink(false).show_rows(
            ui,
            height,
            boards.len(),
            |ui, seen| {
                let rows = boards.get(seen).unwrap_or_default();
                let chosen = rows.iter().position(|board| state.board == Some(board.board));
                let mut group = TabGroup::new(ui, "boards", chosen);
                for board in rows {
                    let (place, _) =
                        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
                    let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
                    let id = ui.scope_id().with(("board", board.board));
                    let response = group.add(ui.interact(place, id, sense));
                    name_with(&response, Role::Button, || in_words(cx, view, board));
                    if response.clicked() {
                        state.board = Some(board.board);
                    }
                    let is_chosen = state.board == Some(board.board);
                    row_ui(ui, cx, (view, board), (place, is_chosen, response.hovered()));
                }
                group.end(ui);
            },
        );
    });
}

fn filters_ui(ui: &mut Ui, cx: &Cx<'_>, rounds: &RoundsView, state: &mut DeskState, row: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let facts = [("round", rounds.round.into()), ("rounds", rounds.planned.into())];
    let text = cx.words.with("round-of", &facts);
    let font = (bold_font(cx.sizes.name()), cx.theme.text);
    let end = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &text, font, row.width() * 0.4);
    label(ui, end, "round-of", &text);
    let mut x = end.right() + px(16.0);
    let all = rounds.boards.len();
    for (missing, text) in [
        (false, format!("{} {all}", cx.t("hall-all"))),
        (true, format!("{} {}", cx.t("round-missing-word"), rounds.missing())),
    ] {
        let font = bold_font(cx.sizes.rem);
        let width = ui.painter().layout_no_wrap(text.clone(), font, cx.theme.text).size().x + px(28.0);
        let place = Rect::from_min_size(egui::pos2(x, row.top()), vec2(width, row.height()));
        let face = ButtonFace::new(Kind::Choice(state.kept.missing == missing), &text);
        if button_at(ui, cx, place, ("round-filter", missing), &face).clicked() {
            state.kept.missing = missing;
        }
        x = place.right() + px(6.0);
    }
}

/// The columns of a row: board, sign, White, points, score, points, Black, state.
fn columns(row: Rect) -> [(Rect, Align2); 8] {
    const SHARES: [(f32, Align2); 8] = [
        (0.07, Align2::LEFT_CENTER),
        (0.05, Align2::CENTER_CENTER),
        (0.215, Align2::RIGHT_CENTER),
        (0.055, Align2::CENTER_CENTER),
        (0.17, Align2::CENTER_CENTER),
        (0.055, Align2::CENTER_CENTER),
        (0.215, Align2::LEFT_CENTER),
        (0.17, Align2::RIGHT_CENTER),
    ];
    let mut left = row.left();
    SHARES.map(|(share, anchor)| {
        let place = Rect::from_min_size(egui::pos2(left, row.top()), vec2(row.width() * share, row.height()));
        left = place.right();
        (place.shrink2(vec2(3.0, 0.0)), anchor)
    })
}

fn columns_head_ui(ui: &Ui, cx: &Cx<'_>, row: Rect) {
    let places = columns(row.shrink2(vec2(cx.sizes.px(8.0), 0.0)));
    let heads = [("round-column-board", 0), ("white", 2), ("round-column-score", 4), ("black", 6)];
    for (id, at) in heads {
        let Some((place, anchor)) = places.get(at).copied() else { continue };
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        let text = crate::widgets::capital(&cx.t(id));
        write(ui.painter(), anchor.pos_in_rect(&place), anchor, &text, font, place.width());
    }
    ui.painter().line_segment([row.left_bottom(), row.right_bottom()], Stroke::new(1.0, cx.theme.line));
}

/// What stands in the middle of a row: the score, or the clocks of a game that is played.
fn middle(view: &HallView, board: &RoundBoard) -> String {
    if let Some(score) = board.stage.score() {
        return score.shown();
    }
    let row = board.table.filter(|_| board.stage == BoardStage::Plays).and_then(|table| view.row(table));
    let clocks = row.and_then(|row| {
        let reading = |color: Color| clock(row, color, view.now).map(|(text, _)| text);
        Some(format!("{}   {}", reading(Color::White)?, reading(Color::Black)?))
    });
    clocks.unwrap_or_default()
}

/// How far a board is, in a word or two, and whether somebody has to act.
fn state_word(cx: &Cx<'_>, view: &HallView, board: &RoundBoard) -> (String, bool) {
    match &board.stage {
        BoardStage::Waits(None) => (cx.t("round-ready"), false),
        BoardStage::Waits(Some(why)) => (cx.t(not_ready(*why)), true),
        BoardStage::Plays => {
            let row = board.table.and_then(|table| view.row(table));
            (row.map(|row| stage(cx, row)).unwrap_or_default(), false)
        }
        BoardStage::Ended(_, signed) if signed.white && signed.black => (cx.t("round-confirmed"), false),
        BoardStage::Ended(..) => (cx.t("round-not-confirmed"), true),
        BoardStage::Counts(_) => (String::new(), false),
    }
}

fn row_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    (view, board): (&HallView, &RoundBoard),
    (place, chosen, hovered): (Rect, bool, bool),
) {
    let (theme, painter) = (cx.theme, ui.painter());
    if chosen || hovered {
        painter.rect_filled(place, 0.0, theme.raised);
    }
    if chosen {
        painter.rect_stroke(place, 4.0, Stroke::new(2.0, theme.ivory), StrokeKind::Inside);
    }
    painter.line_segment([place.left_bottom(), place.right_bottom()], Stroke::new(1.0, theme.line));
    let plain = FontId::proportional(cx.sizes.rem * 0.96);
    let winner = board.stage.score().and_then(|score| score.winner);
    let is_done = matches!(board.stage, BoardStage::Counts(_));
    let of_player = |color: Color| -> (FontId, Color32) {
        let lost = winner == Some(color.other());
        let font = if winner == Some(color) { bold_font(cx.sizes.rem) } else { plain.clone() };
        (font, if lost { theme.muted } else { theme.text })
    };
    let (word, acts) = state_word(cx, view, board);
    let small = FontId::proportional(cx.sizes.small());
    let ink = if acts { theme.bad } else { theme.muted };
    let points = |color: Color| (board.players[color].points.clone(), (small.clone(), theme.muted));
    let player = |color: Color| (board.players[color].name.clone(), of_player(color));
    let number = (bold_font(cx.sizes.rem), if is_done { theme.muted } else { theme.text });
    let cells = [
        (board.board.to_string(), number),
        (String::new(), (plain.clone(), theme.text)),
        player(Color::White),
        points(Color::White),
        (middle(view, board), (bold_font(cx.sizes.rem), theme.text)),
        points(Color::Black),
        player(Color::Black),
        (word, (small.clone(), ink)),
    ];
    let places = columns(place.shrink2(vec2(cx.sizes.px(8.0), 0.0)));
    for ((text, font), (at, anchor)) in cells.iter().zip(places) {
        write(painter, anchor.pos_in_rect(&at), anchor, text, font.clone(), at.width());
    }
    if let (Some(icon), Some((at, _))) = (sign(board), places.get(1)) {
        let ink = if acts { theme.bad } else { theme.muted };
        icon.draw(painter, Rect::from_center_size(at.center(), Vec2::splat(cx.sizes.px(16.0))), ink);
    }
}

fn sign(board: &RoundBoard) -> Option<Icon> {
    match &board.stage {
        BoardStage::Counts(_) | BoardStage::Waits(None) => Some(Icon::Check),
        BoardStage::Ended(..) => Some(Icon::Person),
        BoardStage::Waits(Some(_)) => Some(Icon::Warning),
        BoardStage::Plays => None,
    }
}

/// A board in words, for who listens.
pub(super) fn in_words(cx: &Cx<'_>, view: &HallView, board: &RoundBoard) -> String {
    let mut said = vec![cx.words.with("round-board", &[("board", board.board.into())])];
    for color in Color::ALL {
        let player = &board.players[color];
        let points = cx.words.with("round-points", &[("points", player.points.clone().into())]);
        said.push(format!("{} {}, {points}", player.name, cx.words.color(color)));
    }
    let score = middle(view, board);
    said.extend(Some(score).filter(|text| !text.is_empty()));
    said.extend(Some(state_word(cx, view, board).0).filter(|text| !text.is_empty()));
    said.join(", ")
}
