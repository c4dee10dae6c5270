//! What has to be put right on the real board, as a list. Each line has the number that its arrow has on the board, and
//! is ticked when it was done; the list goes when the board stands right.

use egui::{Align2, CornerRadius, FontId, Rect, Stroke, Ui, Vec2, pos2, vec2};

use tabiya_app::alerts::AlertKind;
use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_app::snapshot::TableView;
use tabiya_types::Piece;

use super::sizes::{GAP, LOW};
use super::state::TableState;
use crate::cx::Cx;
use crate::fixes::{Fix, Repair};
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_bottom, cut_top, split, write};
use crate::theme::{KEYLINE, PUT_HERE, STANDS_WRONG, bold_font};
use crate::widgets::label;

/// Draws the list, and the buttons for those who see it otherwise.
pub(super) fn repair_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    state: &mut TableState,
    (fixes, view): (&[Repair], &TableView),
    mut body: Rect,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    let row = cut_bottom(&mut body, px(LOW), gap);
    let (other, stop) = (cx.t("something-else"), cx.t("pause"));
    if cx.snapshot.board.simulated.is_some() {
        let row = cut_bottom(&mut body, px(LOW), gap);
        let text = cx.t("set-as-table");
        if button_at(ui, cx, row, "set-as-table", &ButtonFace::new(Kind::Gold, &text)).clicked() {
            cx.board(BoardWish::Move(SimulatedMove::Set(view.physical)));
        }
    }
    if let [left, right] = split(row, &[1.4, 1.0], gap)[..] {
        if button_at(ui, cx, left, "something-else", &ButtonFace::new(Kind::Plain, &other)).clicked() {
            state.focus_typed = true;
        }
        let face = ButtonFace::new(Kind::Plain, &stop).icon(Icon::Pause).key(cx.key(Command::Pause));
        if button_at(ui, cx, right, "stop-to-repair", &face).clicked() {
            cx.pressed.push(Command::Pause);
        }
    }
    waiting_ui(ui, cx, view, &mut body);
    // All in one sentence, for those who hear it.
    if let Some(trouble) = cx.snapshot.alert(AlertKind::Piece) {
        label(ui, body, "trouble", &cx.say(&trouble.cause.says));
    }
    let line = px(50.0);
    #[expect(clippy::cast_precision_loss, reason = "at most 64 squares")]
    let all = (line + gap) * fixes.len() as f32;
    let line = if all > body.height() { px(30.0) } else { line };
    for repair in fixes {
        if body.height() < line {
            return;
        }
        let place = cut_top(&mut body, line, gap.min(line * 0.2));
        draw_line(ui, cx, place, *repair);
    }
}

/// From which reading a press counts that waits for the board; `None` if none waits, or if nobody may be told.
pub(super) fn press_counts(cx: &Cx<'_>, view: &TableView) -> Option<String> {
    let (_, left) = view.waiting_press.filter(|_| !view.is_event() || cx.drawer)?;
    Some(cx.words.with("press-counts", &[("left", cx.reading(Some(left?), false).into())]))
}

/// Says from which reading a press counts that waits for the board.
fn waiting_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, body: &mut Rect) {
    let Some(text) = press_counts(cx, view) else { return };
    let line = cut_bottom(body, cx.sizes.px(24.0).min(body.height() * 0.3), cx.sizes.px(4.0));
    let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
    write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &text, font, line.width());
    label(ui, line, "press-counts", &text);
}

/// The piece that has to be moved, and what has to be done with it.
fn piece_and_words(cx: &Cx<'_>, fix: Fix) -> (Piece, String) {
    match fix {
        Fix::Move { piece, from, to } => (
            piece,
            cx.words.with("fix-move", &[("from", from.to_string().into()), ("to", to.to_string().into())]),
        ),
        Fix::Put { piece, to } => (piece, cx.words.with("fix-put", &[("to", to.to_string().into())])),
        Fix::Off { piece, from } => (piece, cx.words.with("fix-off", &[("from", from.to_string().into())])),
    }
}

fn draw_line(ui: &Ui, cx: &Cx<'_>, place: Rect, Repair { number, fix, done }: Repair) {
    let theme = cx.theme;
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let painter = ui.painter();
    painter.rect_filled(place, CornerRadius::same(8), theme.raised);
    let radius = (place.height() * 0.27).min(px(13.0));
    let center = pos2(place.left() + px(12.0) + radius, place.center().y);
    if done {
        Icon::Check.draw(painter, Rect::from_center_size(center, Vec2::splat(radius * 2.0)), theme.good);
    } else {
        let fill = if matches!(fix, Fix::Put { .. }) { PUT_HERE } else { STANDS_WRONG };
        painter.circle(center, radius, fill, Stroke::NONE);
        let font = (bold_font(radius * 1.15), KEYLINE);
        write(painter, center, Align2::CENTER_CENTER, &number.to_string(), font, px(30.0));
    }
    let (piece, told) = piece_and_words(cx, fix);
    let side = place.height() * 0.8;
    let picture = Rect::from_center_size(
        pos2(center.x + radius + px(10.0) + side / 2.0, place.center().y),
        Vec2::splat(side),
    );
    painter.rect_filled(picture, CornerRadius::same(6), cx.theme.squares(cx.settings.board_colors)[1]);
    cx.art.piece(painter, picture.shrink(side * 0.05), piece, egui::Color32::WHITE);
    let name = cx.words.piece(piece);
    let x = picture.right() + px(10.0);
    let room = place.right() - x - px(6.0);
    let (bold, plain) = (bold_font(cx.sizes.rem), FontId::proportional(cx.sizes.rem));
    if place.height() >= px(44.0) {
        let at = pos2(x, place.center().y);
        write(
            painter,
            at - vec2(0.0, cx.sizes.rem * 0.62),
            Align2::LEFT_CENTER,
            &name,
            (bold, theme.text),
            room,
        );
        write(
            painter,
            at + vec2(0.0, cx.sizes.rem * 0.62),
            Align2::LEFT_CENTER,
            &told,
            (plain, theme.muted),
            room,
        );
    } else {
        let at = pos2(x, place.center().y);
        let first = write(painter, at, Align2::LEFT_CENTER, &name, (bold, theme.text), room);
        let at = pos2(first.right() + px(8.0), at.y);
        write(painter, at, Align2::LEFT_CENTER, &told, (plain, theme.muted), place.right() - at.x);
    }
    let state = if done { format!(" – {}", cx.t("fix-done")) } else { String::new() };
    label(ui, place, &format!("fix-{number}"), &format!("{number}: {name}, {told}{state}"));
}
