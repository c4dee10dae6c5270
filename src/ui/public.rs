//! The second window, for spectators, for a projector or as a public clock. It shows board, clocks and pot, but nothing
//! that only the arbiter may see, and it has no buttons.

use egui::{Align2, CornerRadius, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Stages;
use tabiya_types::Color;

use super::art;
use super::board::{BoardLook, BoardState, board_ui};
use super::cx::Cx;
use super::table::seat::{ClockLook, draw_clock};
use super::theme::bold_font;
use super::widgets::{lay_out_line, name, one_line};

/// Draws the spectators' view into the remaining area.
pub(super) fn public_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    if view.clock_alone {
        let half = vec2(area.width() / 2.0 - 6.0, area.height());
        for (color, x) in [(Color::White, area.left()), (Color::Black, area.right() - half.x)] {
            side_ui(ui, cx, view, color, Rect::from_min_size(pos2(x, area.top()), half));
        }
        return;
    }
    let side = area.height().min(area.width() * 0.62);
    let board = Rect::from_min_size(area.min, Vec2::splat(side));
    ui.scope_builder(UiBuilder::new().max_rect(board), |ui| {
        let look = BoardLook::of_view(view, cx.below());
        board_ui(ui, cx, side, &look, &mut BoardState::default());
    });
    let right = Rect::from_min_max(pos2(board.right() + 16.0, area.top()), area.max);
    let height = (right.height() - 16.0) / 3.0;
    let part = |nth: f32| {
        Rect::from_min_size(right.min + vec2(0.0, (height + 8.0) * nth), vec2(right.width(), height))
    };
    side_ui(ui, cx, view, cx.below().other(), part(0.0));
    middle_ui(ui, cx, view, part(1.0));
    side_ui(ui, cx, view, cx.below(), part(2.0));
}

fn side_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, color: Color, rect: Rect) {
    let look = ClockLook::of(cx, view, color);
    let clock = Rect::from_min_max(pos2(rect.left(), rect.top() + rect.height() * 0.34), rect.max);
    draw_clock(ui.painter(), cx, clock, look);
    let dot =
        Rect::from_min_size(rect.min + vec2(2.0, rect.height() * 0.06), Vec2::splat(rect.height() * 0.20));
    art::color_mark(ui.painter(), dot, color, cx.theme);
    let painter = ui.painter().with_clip_rect(rect);
    let size = rect.height() * 0.20;
    let mut end = rect.right();
    if view.has_chips() {
        let chips = cx.words.with("chips", &[("count", view.stakes.stacks[color].0.into())]);
        let at = pos2(end, dot.center().y);
        let font = bold_font(size * 0.8);
        end = painter.text(at, Align2::RIGHT_CENTER, chips, font, cx.theme.text).left() - 10.0;
    }
    let at = pos2(dot.right() + 10.0, dot.center().y);
    let (who, font) = (&view.names[color], bold_font(size));
    one_line(&painter, at, Align2::LEFT_CENTER, who, font, cx.theme.text, end - at.x);
    let response = ui.interact(rect, ui.scope_id().with(("public", color)), Sense::hover());
    name(&response, egui::Role::Label, true, &format!("{}: {}", view.names[color], look.words(cx, color)));
}

fn middle_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, rect: Rect) {
    let painter = ui.painter();
    painter.rect(
        rect,
        CornerRadius::same(8),
        cx.theme.panel,
        Stroke::new(1.0, cx.theme.line),
        StrokeKind::Inside,
    );
    let mut lines = Vec::new();
    if view.has_chips() {
        lines.push(cx.words.with("pot-is", &[("count", view.stakes.pot().0.into())]));
    }
    if let Some(outcome) = view.outcome {
        lines.push(cx.winner(view, outcome));
        lines.push(cx.reason(outcome.reason));
    } else if let Some(san) = view.moves.last() {
        lines.push(cx.words.san(san));
    } else if let Some(Stages { names: stages, now }) = view.stages {
        lines.extend(stages.get(now).map(|stage| cx.words.word("stage", stage)));
    }
    #[expect(clippy::cast_precision_loss, reason = "three lines at most")]
    let step = rect.height() / (lines.len() as f32 + 1.0);
    let mut y = rect.top() + step;
    for line in &lines {
        let font = bold_font((step * 0.6).min(40.0));
        let galley = lay_out_line(painter, line, font, cx.theme.text, rect.width() - 24.0);
        let at = pos2(rect.center().x - galley.size().x / 2.0, y - galley.size().y / 2.0);
        painter.galley(at, galley, cx.theme.text);
        y += step;
    }
    if view.has_chips() {
        let at = pos2(rect.left() + 16.0, rect.bottom() - 46.0);
        art::chips(painter, at, 34.0, view.stakes.pot().0, rect.width() - 32.0);
    }
    let response = ui.interact(rect, ui.scope_id().with("public-middle"), Sense::hover());
    name(&response, egui::Role::Label, true, &lines.join(", "));
}
