//! The score sheet: moves in two columns with figurines, the newest in a frame.

use egui::{
    Align2, Color32, CornerRadius, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, pos2,
    vec2,
};
use tabiya_app::snapshot::TableView;
use tabiya_types::{Color, Millis, Piece, Role as PieceRole};

use super::{dashed, write};
use crate::cx::Cx;
use crate::theme::bold_font;
use crate::widgets::name;

/// A move in SAN, drawn with a figurine in place of the piece's letter. Figurines are white, because those are seen on
/// every ground; the column says whose move it is.
pub(crate) fn figurine(
    ui: &Ui,
    cx: &Cx<'_>,
    at: egui::Pos2,
    san: &str,
    (font, ink): (FontId, Color32),
    room: f32,
) {
    let painter = ui.painter();
    let is_letter = |letter: &char| letter.is_ascii_uppercase() && *letter != 'O' && !san.contains(':');
    let first = san.chars().next().filter(is_letter);
    let role = first.and_then(PieceRole::from_letter);
    let side = font.size * 1.25;
    let (mut x, mut text) = (at.x, san);
    if let Some(role) = role {
        let place = Rect::from_center_size(pos2(x + side / 2.0, at.y), Vec2::splat(side));
        cx.art.piece(painter, place, Piece { color: Color::White, role }, Color32::WHITE);
        x += side + 1.0;
        text = san.get(1..).unwrap_or_default();
    }
    write(painter, pos2(x, at.y), Align2::LEFT_CENTER, text, (font, ink), room - (x - at.x));
}

/// Draws one move with its time. `newest` is set for the newest move: whether it has not been pressed yet.
fn cell_ui(ui: &Ui, cx: &Cx<'_>, cell: Rect, (san, time): (&str, Option<String>), newest: Option<bool>) {
    if let Some(open) = newest {
        let edge = if open { Stroke::NONE } else { Stroke::new(1.0, cx.theme.line) };
        ui.painter().rect(cell, CornerRadius::same(4), cx.theme.hover, edge, StrokeKind::Inside);
        if open {
            dashed(ui.painter(), cell.shrink(1.0), Stroke::new(1.5, cx.theme.gold_edge), 5.0);
        }
    }
    let font = if newest.is_some() { bold_font(cx.sizes.rem) } else { FontId::proportional(cx.sizes.rem) };
    let mut right = cell.right() - 4.0;
    if let Some(time) = time.filter(|_| cell.width() > cx.sizes.px(96.0)) {
        let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        let at = pos2(cell.right() - cx.sizes.px(7.0), cell.center().y);
        right = write(ui.painter(), at, Align2::RIGHT_CENTER, &time, small, cell.width()).left();
    }
    let at = pos2(cell.left() + 8.0, cell.center().y);
    figurine(ui, cx, at, san, (font, cx.theme.text), right - at.x - 4.0);
}

/// A list of so many cells, two in a line, in an area of this height, which has its newest one in view: with each new move, and in a
/// window of another size. Else it is where people have scrolled it.
fn at_the_newest(ui: &Ui, (cells, height, line): (usize, f32, f32)) -> ScrollArea {
    let scroll = ScrollArea::vertical().id_salt("moves").auto_shrink(false).stick_to_bottom(true);
    // The area may be as low as one row.
    let scroll = scroll.min_scrolled_height(0.0);
    let (known, now) = (ui.scope_id().with("seen"), (cells, height.to_bits(), line.to_bits()));
    if ui.data(|data| data.get_temp::<(usize, u32, u32)>(known)) == Some(now) {
        return scroll;
    }
    ui.data_mut(|data| data.insert_temp(known, now));
    #[expect(clippy::cast_precision_loss, reason = "some hundred moves")]
    let all = cells.div_ceil(2) as f32 * line;
    scroll.vertical_scroll_offset((all - height).max(0.0))
}

/// Draws the moves into an area, each with the time that it took if `spent` has one; the newest move stays in view.
/// `open` marks a move that has not been pressed yet.
pub(crate) fn sheet_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    area: Rect,
    (view, spent): (&TableView, &[Option<Millis>]),
    open: bool,
) {
    let line = cx.sizes.px(29.0);
    let mut cells: Vec<Option<&String>> = Vec::new();
    if view.first_mover == Color::Black {
        cells.push(None);
    }
    cells.extend(view.moves.iter().map(Some));
    let last = cells.len().saturating_sub(1);
    // Only whole rows are seen.
    let seen = (area.height() / line).floor().max(1.0) * line;
    let area = area.with_max_y(area.bottom().min(area.top() + seen));
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(area));
    let scroll = at_the_newest(&inner, (cells.len(), area.height(), line));
    inner.shrink_clip_rect(area);
    scroll.show(&mut inner, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (row, (pair, number)) in cells.chunks(2).zip(view.first_number..).enumerate() {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), line), Sense::hover());
            let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
            let numbers = cx.sizes.px(36.0);
            let at = pos2(rect.left() + numbers - cx.sizes.px(12.0), rect.center().y);
            write(ui.painter(), at, Align2::RIGHT_CENTER, &number.to_string(), small, numbers);
            let half = (rect.width() - numbers) / 2.0;
            for (nth, san) in pair.iter().enumerate() {
                let Some(san) = san else { continue };
                #[expect(clippy::cast_precision_loss, reason = "two columns")]
                let left = rect.left() + numbers + half * nth as f32;
                let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(half - 4.0, line - 1.0));
                let newest = row * 2 + nth == last;
                // The first cell is empty where Black moved first.
                let nth_move = (row * 2 + nth).saturating_sub(cells.len() - view.moves.len());
                let time = spent.get(nth_move).copied().flatten().map(|spent| spent.to_string());
                cell_ui(ui, cx, cell, (san.as_str(), time), newest.then_some(open));
                let response = ui.interact(cell, ui.scope_id().with(("move", row, nth)), Sense::hover());
                name(&response, Role::Label, true, &cx.words.san(san));
            }
        }
    });
}
