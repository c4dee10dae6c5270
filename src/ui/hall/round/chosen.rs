//! The right column of the round: the chosen board, its players, its result, and what can be done about it.

use egui::{Align2, FontId, Rect, Ui, pos2, vec2};
use tabiya_app::hall::{BoardStage, HallView, RoundBoard, RoundsView};
use tabiya_types::Color;

use super::boards::in_words;
use super::open_table;
use crate::art::color_disc;
use crate::cx::Cx;
use crate::hall::sheets::Sheet;
use crate::hall::state::DeskState;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_bottom, cut_top, panel, rows, write};
use crate::theme::bold_font;
use crate::widgets::label;

/// Draws the column.
pub(super) fn chosen_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (view, rounds): (&HallView, &RoundsView),
    state: &mut DeskState,
    area: Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    panel::ground(ui.painter(), cx.theme, area);
    let mut area = area.shrink2(vec2(px(16.0), px(14.0)));
    let Some(board) = state.board.and_then(|board| rounds.board(board)) else {
        let text = cx.t("round-choose-says");
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        let galley = rows(ui.painter(), &text, font, area.width(), 5);
        ui.painter().galley(area.min, galley, cx.theme.muted);
        label(ui, area, "round-choose-says", &text);
        return;
    };
    let head = cut_top(&mut area, px(44.0), px(8.0));
    let font = (bold_font(cx.sizes.title()), cx.theme.text);
    write(
        ui.painter(),
        head.left_center(),
        Align2::LEFT_CENTER,
        &board.board.to_string(),
        font,
        head.width(),
    );
    label(ui, head, "round-chosen", &in_words(cx, view, board));
    for color in Color::ALL {
        player_ui(ui, cx, (board, color), cut_top(&mut area, px(48.0), px(6.0)));
    }
    if let Some(score) = board.stage.score() {
        let line = cut_top(&mut area, px(48.0), px(8.0));
        let font = (bold_font(cx.sizes.figure()), cx.theme.text);
        let text = score.shown();
        write(ui.painter(), line.center(), Align2::CENTER_CENTER, &text, font, line.width());
    }
    acts_ui(ui, cx, (rounds, board), state, &mut area);
    note_ui(ui, cx, board, cut_bottom(&mut area, px(66.0), 0.0));
}

fn player_ui(ui: &Ui, cx: &Cx<'_>, (board, color): (&RoundBoard, Color), place: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let (player, radius) = (&board.players[color], px(10.0));
    color_disc(ui.painter(), pos2(place.left() + radius, place.center().y), radius, color, cx.theme);
    let x = place.left() + radius * 2.0 + px(12.0);
    let font = (bold_font(cx.sizes.rem), cx.theme.text);
    let at = pos2(x, place.center().y - cx.sizes.rem * 0.6);
    write(ui.painter(), at, Align2::LEFT_CENTER, &player.name, font, place.right() - x - px(24.0));
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let text = cx.words.with("round-points-before", &[("points", player.points.clone().into())]);
    let at = pos2(x, place.center().y + cx.sizes.rem * 0.6);
    write(ui.painter(), at, Align2::LEFT_CENTER, &text, small, place.right() - x - px(24.0));
    if let BoardStage::Ended(_, signed) = &board.stage {
        let at =
            Rect::from_center_size(place.right_center() - vec2(px(10.0), 0.0), egui::Vec2::splat(px(16.0)));
        let (icon, ink) =
            if signed[color] { (Icon::Check, cx.theme.good) } else { (Icon::Person, cx.theme.muted) };
        icon.draw(ui.painter(), at, ink);
    }
}

fn acts_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    (rounds, board): (&RoundsView, &RoundBoard),
    state: &mut DeskState,
    area: &mut Rect,
) {
    let px = |points: f32| cx.sizes.px(points);
    let head = cut_top(area, px(26.0), px(2.0));
    let text =
        cx.t(if matches!(board.stage, BoardStage::Counts(_)) { "round-change" } else { "round-enter" });
    let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &text, small, head.width());
    let wins = |color: Color| {
        let name = board.players[color].name.clone();
        cx.words.with("wins", &[("name", name.into())])
    };
    let results = [
        ("1-0", "W", wins(Color::White)),
        ("1/2", "D", crate::widgets::capital(&cx.t("drawn"))),
        ("0-1", "B", wins(Color::Black)),
    ];
    for (word, key, text) in results {
        let place = cut_top(area, px(40.0), px(6.0));
        let is_now = board.stage.score().is_some_and(|score| score.word == word);
        let face = ButtonFace::new(Kind::Choice(is_now), &text).key(key.to_owned());
        if button_at(ui, cx, place, ("round-result", word), &face).clicked() {
            state.sheet = Some(Sheet::board_result(rounds, board.board, Some(word)));
        }
    }
    let place = cut_top(area, px(36.0), px(6.0));
    let text = cx.t("round-by-default");
    if button_at(ui, cx, place, "round-by-default", &ButtonFace::new(Kind::Plain, &text)).clicked() {
        state.sheet = Some(Sheet::board_result(rounds, board.board, None));
    }
    let place = cut_top(area, px(36.0), px(6.0));
    let text = cx.t("round-open-table");
    let off = cx.why_off(&[(board.table.is_some(), "round-no-table")]);
    let face = ButtonFace::new(Kind::Plain, &text).key("O".to_owned()).off(off);
    if button_at(ui, cx, place, "round-open-table", &face).clicked() {
        open_table(rounds, state, board.board);
    }
}

fn note_ui(ui: &Ui, cx: &Cx<'_>, board: &RoundBoard, place: Rect) {
    let id = if matches!(board.stage, BoardStage::Counts(_)) { "round-locked" } else { "round-locks" };
    let text = cx.t(id);
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let galley = rows(ui.painter(), &text, font, place.width(), 4);
    ui.painter().galley(place.min, galley, cx.theme.muted);
    label(ui, place, "round-lock-note", &text);
}
