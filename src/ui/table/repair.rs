//! What has to be put right on the real board, as a list. Each line has the number that its arrow has on the board, and
//! is ticked when it was done; the list goes when the board stands right.

use egui::{Align2, CornerRadius, FontId, Rect, Stroke, Ui, Vec2, pos2};

use tabiya_app::alerts::AlertKind;
use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_app::snapshot::TableView;
use tabiya_types::Piece;

use super::acts::press_to_take_back;
use super::questions::take_press_back_ui;
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
    buttons_ui(ui, cx, state, view, &mut body);
    // All in one sentence, for those who hear it.
    if let Some(trouble) = cx.snapshot.alert(AlertKind::Piece) {
        label(ui, body, "trouble", &cx.say(&trouble.cause.says));
    }
    let gap = px(4.0);
    let fits = |count: u16| f32::from(count) * (px(LEAST_ROW) + gap) - gap <= body.height();
    let shown = (1..=MOST)
        .rev()
        .find(|count| fits(*count))
        .unwrap_or(1)
        .min(u16::try_from(fixes.len()).unwrap_or(MOST));
    let high = (body.height() + gap) / f32::from(shown.max(1)) - gap;
    // What is done makes room for what is not.
    let open = fixes.iter().filter(|line| !line.done).count();
    let mut spare = usize::from(shown).saturating_sub(open);
    let drawn = fixes.iter().filter(|line| {
        let takes = !line.done || spare > 0;
        spare -= usize::from(line.done && takes);
        takes
    });
    let drawn: Vec<&Repair> = drawn.take(shown.into()).collect();
    let more = fixes.len() - drawn.len();
    for (nth, repair) in drawn.iter().enumerate() {
        let mut place = cut_top(&mut body, high.min(px(ROW)), gap);
        ui.painter().rect_filled(place, CornerRadius::same(8), cx.theme.raised);
        if more > 0 && nth + 1 == drawn.len() {
            more_ui(ui, cx, &mut place, more);
        }
        draw_line(ui, cx, place, **repair);
    }
}

/// Says at the end of the last row how many more there are.
fn more_ui(ui: &Ui, cx: &Cx<'_>, row: &mut Rect, more: usize) {
    let text = cx.words.with("fixes-more", &[("count", more.into())]);
    let at = pos2(row.right() - cx.sizes.px(12.0), row.center().y);
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.text);
    let words = write(ui.painter(), at, Align2::RIGHT_CENTER, &text, font, row.width() * 0.4);
    label(ui, words, "fixes-more", &text);
    row.max.x = words.left() - cx.sizes.px(6.0);
}

/// The height of a row and the least one, at a rem of 16 points, and how many rows there are at most.
const ROW: f32 = 38.0;
const LEAST_ROW: f32 = 28.0;
const MOST: u16 = 4;

/// Draws the ways on below the list: take the press back, set a simulated board up, type what was played, stop the clocks.
fn buttons_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, view: &TableView, body: &mut Rect) {
    let (gap, high) = (cx.sizes.px(GAP), cx.sizes.px(LOW));
    let (other, stop) = (cx.t("something-else"), cx.t("pause"));
    let row = cut_bottom(body, high, gap);
    if let [left, right] = split(row, &[1.4, 1.0], gap)[..] {
        if button_at(ui, cx, left, "something-else", &ButtonFace::new(Kind::Plain, &other)).clicked() {
            state.focus_typed = true;
        }
        let face = ButtonFace::new(Kind::Plain, &stop).icon(Icon::Pause).key(cx.key(Command::Pause));
        if button_at(ui, cx, right, "stop-to-repair", &face).clicked() {
            cx.pressed.push(Command::Pause);
        }
    }
    let (waits, simulated) = (press_to_take_back(view).is_some(), cx.snapshot.board.simulated.is_some());
    if !waits && !simulated {
        return;
    }
    let row = cut_bottom(body, high, gap);
    let shares = vec![1.0; usize::from(waits) + usize::from(simulated)];
    let mut places = split(row, &shares, gap).into_iter();
    if let Some(place) = places.next().filter(|_| waits) {
        take_press_back_ui(ui, cx, place);
    }
    if let Some(place) = if simulated { places.next().or(Some(row)) } else { None } {
        let text = cx.t("set-as-table");
        if button_at(ui, cx, place, "set-as-table", &ButtonFace::new(Kind::Plain, &text)).clicked() {
            cx.board(BoardWish::Move(SimulatedMove::Set(view.physical)));
        }
    }
}

/// When the press was made that waits for the board; `None` if none waits, or if nobody may be told.
pub(super) fn press_counts(cx: &Cx<'_>, view: &TableView) -> Option<String> {
    let (by, left) = view.waiting_press.filter(|_| !view.is_event() || cx.drawer)?;
    let facts = [("name", view.names[by].clone().into()), ("left", cx.reading(Some(left?), false).into())];
    Some(cx.words.with("press-counts", &facts))
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
    let radius = (place.height() * 0.27).min(px(13.0));
    let center = pos2(place.left() + px(12.0) + radius, place.center().y);
    let (fill, ink) = match fix {
        _ if done => (theme.hover, theme.muted),
        Fix::Put { .. } => (PUT_HERE, KEYLINE),
        Fix::Move { .. } | Fix::Off { .. } => (STANDS_WRONG, KEYLINE),
    };
    painter.circle(center, radius, fill, Stroke::NONE);
    let font = (bold_font(radius * 1.15), ink);
    write(painter, center, Align2::CENTER_CENTER, &number.to_string(), font, px(30.0));
    let (piece, told) = piece_and_words(cx, fix);
    let side = place.height() * 0.8;
    let middle = pos2(center.x + radius + px(10.0) + side / 2.0, place.center().y);
    let picture = Rect::from_center_size(middle, Vec2::splat(side));
    painter.rect_filled(picture, CornerRadius::same(6), cx.theme.squares(cx.settings.board_colors)[1]);
    cx.art.piece(painter, picture.shrink(side * 0.05), piece, egui::Color32::WHITE);
    let name = cx.words.piece(piece);
    let at = pos2(picture.right() + px(10.0), place.center().y);
    let right = if done { place.right() - px(36.0) } else { place.right() - px(6.0) };
    let (bold, plain) = (bold_font(sizes.rem), FontId::proportional(sizes.rem));
    let ink = if done { theme.muted } else { theme.text };
    let first = write(painter, at, Align2::LEFT_CENTER, &name, (bold, ink), right - at.x);
    let at = pos2(first.right() + px(10.0), at.y);
    write(painter, at, Align2::LEFT_CENTER, &told, (plain, theme.muted), right - at.x);
    if done {
        let tick = pos2(place.right() - px(20.0), place.center().y);
        Icon::Check.draw(painter, Rect::from_center_size(tick, Vec2::splat(px(22.0))), theme.good);
    }
    let state = if done { format!(" – {}", cx.t("fix-done")) } else { String::new() };
    label(ui, place, &format!("fix-{number}"), &format!("{number}: {name}, {told}{state}"));
}
