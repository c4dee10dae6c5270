//! The games as tiles: a name, what the game is, and a small picture.

use egui::{
    Align2, Color32, CornerRadius, Painter, Rect, Response, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Card, Color, Piece, Role};

use super::form::Form;
use crate::art;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::group::TabGroup;
use crate::kit::{cut_top, fitting, split, write};
use crate::theme::{GRID, PAPER, PAPER_EDGE, PRINT, PRINT_JOKER, PRINT_RED, bold_font};

/// How many tiles stand in a row.
const IN_ROW: usize = 3;
/// The least and the greatest height of a tile, for a rem of 16 points.
const HEIGHTS: (f32, f32) = (72.0, 188.0);

/// How many rows of tiles there are.
fn rows() -> usize {
    GAMES.len().div_ceil(IN_ROW)
}

#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
fn gaps() -> f32 {
    rows().saturating_sub(1) as f32 * GRID * 2.0
}

/// The height of all tiles if this much room is left for them.
#[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
pub(super) fn height(cx: &Cx<'_>, room: f32) -> f32 {
    let count = rows() as f32;
    let (least, most) = (cx.sizes.px(HEIGHTS.0), cx.sizes.px(HEIGHTS.1));
    ((room - gaps()) / count).clamp(least, most) * count + gaps()
}

/// Draws the tiles. A click on a tile changes to its game.
pub(super) fn tiles_ui(ui: &mut Ui, cx: &Cx<'_>, mut area: Rect, form: &mut Form) {
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let high = (area.height() - gaps()) / rows() as f32;
    let mut group = TabGroup::new(ui, "games", GAMES.iter().position(|kind| kind.name() == form.game));
    for kinds in GAMES.chunks(IN_ROW) {
        let row = cut_top(&mut area, high, GRID * 2.0);
        for (place, kind) in split(row, &[1.0; IN_ROW], GRID * 2.0).into_iter().zip(kinds) {
            let game = kind.name();
            let chosen = form.game == game;
            let tile = tile(ui, cx, place, game, (chosen, group.stops()));
            if group.add(tile).clicked() && !chosen {
                form.change_game(game, cx.settings);
            }
        }
    }
    group.end(ui);
}

/// Draws the tile of a game: whether it is the chosen one, and whether the Tab key stops at it.
pub(crate) fn tile(
    ui: &mut Ui,
    cx: &Cx<'_>,
    place: Rect,
    game: &str,
    (chosen, stops): (bool, bool),
) -> Response {
    let text = cx.words.word("game", game);
    // The words of a tile stand where its picture leaves room, so the button itself has none.
    let face = ButtonFace::new(Kind::Choice(chosen), "").said(text.clone()).stops(stops);
    let response = button_at(ui, cx, place, ("game", game), &face);
    let px = |points: f32| cx.sizes.px(points);
    let low = place.height() < px(124.0);
    // Below the picture of a high tile stands a line across the whole width.
    let room = place.height() - px(if low { 20.0 } else { 44.0 });
    let wide = room.min(place.width() * 0.42).min(px(112.0));
    let middle = if low { place.center().y } else { place.top() + px(12.0) + wide / 2.0 };
    let picture =
        Rect::from_center_size(pos2(place.right() - px(16.0) - wide / 2.0, middle), Vec2::splat(wide));
    let painter = ui.painter().with_clip_rect(place.shrink(2.0).intersect(ui.clip_rect()));
    picture_of(&painter, cx, game, picture);
    let left = place.left() + px(16.0);
    let room = picture.left() - left - px(4.0);
    let ink = cx.theme.text;
    let line = cx.words.word("game-line", game);
    let largest = cx.sizes.name().min(place.height() * 0.4);
    let size = fitting(&painter, &text, &bold_font, largest, room);
    let y = if low { place.center().y } else { place.bottom() - px(44.0) };
    write(&painter, pos2(left, y), Align2::LEFT_CENTER, &text, (bold_font(size), ink), room);
    if !low {
        let font = (egui::FontId::proportional(cx.sizes.small()), cx.theme.muted);
        let room = place.width() - px(32.0);
        write(&painter, pos2(left, place.bottom() - px(20.0)), Align2::LEFT_CENTER, &line, font, room);
    }
    response
}

/// The pictures, by the names of the games. A game without a picture has its initial.
pub(crate) fn picture_of(painter: &Painter, cx: &Cx<'_>, game: &str, area: Rect) {
    match game {
        "clock" => clock(painter, cx, area),
        "chess" => chess(painter, cx, area),
        "choker" => choker(painter, cx, area),
        "poker-chess" => poker_chess(painter, area),
        "pokerdrez" => pokerdrez(painter, cx, area),
        "chess-joker" => chess_joker(painter, area),
        _ => {
            let initial: String = game.chars().take(1).flat_map(char::to_uppercase).collect();
            let font = (bold_font(area.height() * 0.7), cx.theme.muted);
            write(painter, area.center(), Align2::CENTER_CENTER, &initial, font, area.width());
        }
    }
}

fn clock(painter: &Painter, cx: &Cx<'_>, area: Rect) {
    let theme = cx.theme;
    let body =
        Rect::from_center_size(area.center() + vec2(0.0, 4.0), vec2(area.width(), area.height() * 0.62));
    let edge = Stroke::new(2.0, theme.edge);
    for (x, up) in [(0.28, 0.10), (0.72, 0.17)] {
        let high = area.height() * up;
        let top = pos2(body.left() + body.width() * x, body.top() - high / 2.0);
        let button = Rect::from_center_size(top, vec2(body.width() * 0.28, high));
        painter.rect_stroke(button, CornerRadius::same(2), edge, StrokeKind::Middle);
    }
    painter.rect(body, CornerRadius::same(10), theme.well, edge, StrokeKind::Middle);
    let halves = split(body.shrink(body.height() * 0.16), &[1.0, 1.0], 4.0);
    let looks = [("4:07", theme.gold, theme.on_gold), ("4:12", theme.raised, theme.text)];
    for (half, (text, fill, ink)) in halves.into_iter().zip(looks) {
        painter.rect_filled(half, CornerRadius::same(5), fill);
        let font = (bold_font(half.width() * 0.36), ink);
        write(painter, half.center(), Align2::CENTER_CENTER, text, font, half.width());
    }
}

fn chess(painter: &Painter, cx: &Cx<'_>, area: Rect) {
    let [light, dark] = cx.theme.squares(cx.settings.board_colors);
    for (nth, color) in [dark, light, light, dark].into_iter().enumerate() {
        let at = area.min
            + vec2(if nth % 2 == 0 { 0.0 } else { 0.5 }, if nth < 2 { 0.0 } else { 0.5 }) * area.width();
        painter.rect_filled(Rect::from_min_size(at, area.size() / 2.0), CornerRadius::ZERO, color);
    }
    let knight = Piece { color: Color::Black, role: Role::Knight };
    cx.art.piece(painter, area.shrink(area.width() * 0.05), knight, Color32::WHITE);
}

/// A card that stands upright, as high as the area, at this share of its width.
fn upright(area: Rect, left: f32, high: f32) -> Rect {
    let size = vec2(area.height() * high * 0.70, area.height() * high);
    Rect::from_min_size(pos2(area.left() + area.width() * left, area.top()), size)
}

fn choker(painter: &Painter, cx: &Cx<'_>, area: Rect) {
    for (left, down, card) in
        [(-0.10, 0.10, Card::Rook), (0.18, 0.04, Card::Knight), (0.46, 0.0, Card::Queen)]
    {
        let place = upright(area, left, 0.86).translate(vec2(0.0, area.height() * down));
        cx.art.card(painter, place, card, Color::Black, &cx.words.letter(card.role()));
    }
    let high = area.height() * 0.28;
    art::chips(
        painter,
        pos2(area.left() + area.width() * 0.08, area.bottom() - high),
        high,
        31,
        area.width(),
    );
}

/// An empty card face.
fn sheet(painter: &Painter, place: Rect) {
    let round = CornerRadius::same(6);
    let edge = Stroke::new(1.0, PAPER_EDGE);
    painter.rect(place, round, PAPER, edge, StrokeKind::Inside);
}

fn poker_chess(painter: &Painter, area: Rect) {
    let looks = [(-0.02, "s", PRINT), (0.44, "h", PRINT_RED)];
    for (left, letter, ink) in looks {
        let place = upright(area, left, 0.84).translate(vec2(0.0, area.height() * 0.08));
        sheet(painter, place);
        let corner = place.left_top() + vec2(place.width() * 0.12, place.height() * 0.06);
        let font = (bold_font(place.width() * 0.34), ink);
        write(painter, corner, Align2::LEFT_TOP, "A", font, place.width());
        let suit = Rect::from_center_size(
            place.center() + vec2(0.0, place.height() * 0.12),
            Vec2::splat(place.width() * 0.5),
        );
        art::suit(painter, suit, letter, ink);
    }
}

fn pokerdrez(painter: &Painter, cx: &Cx<'_>, area: Rect) {
    let card = upright(area, 0.04, 0.9);
    cx.art.card(painter, card, Card::Bishop, Color::Black, &cx.words.letter(Role::Bishop));
    let side = area.height() * 0.46;
    let die = Rect::from_min_size(area.max - vec2(side * 0.95, side), Vec2::splat(side));
    let edge = Stroke::new(1.0, PAPER_EDGE);
    painter.rect(die, CornerRadius::same(8), PAPER, edge, StrokeKind::Inside);
    for (x, y) in [(0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)] {
        painter.circle_filled(die.min + vec2(x, y) * side, side * 0.09, PRINT);
    }
}

fn chess_joker(painter: &Painter, area: Rect) {
    let card = upright(area, 0.2, 0.94);
    sheet(painter, card);
    let (center, radius) = (card.center() - vec2(0.0, card.height() * 0.08), card.width() * 0.36);
    let violet = PRINT_JOKER;
    let point = |nth: u8, far: f32| {
        let angle = f32::from(nth) * std::f32::consts::TAU / 10.0 - std::f32::consts::FRAC_PI_2;
        center + vec2(angle.cos(), angle.sin()) * radius * far
    };
    // A star is a pentagon with five points: each part is convex.
    let inner: Vec<_> = (0..5_u8).map(|nth| point(2 * nth + 1, 0.42)).collect();
    painter.add(egui::Shape::convex_polygon(inner, violet, Stroke::NONE));
    for nth in 0..5_u8 {
        let tip = vec![point(2 * nth, 1.0), point(2 * nth + 1, 0.42), point((2 * nth + 9) % 10, 0.42)];
        painter.add(egui::Shape::convex_polygon(tip, violet, Stroke::NONE));
    }
    let at = pos2(card.center().x, card.bottom() - card.height() * 0.14);
    let font = (bold_font(card.height() * 0.15), PRINT);
    write(painter, at, Align2::CENTER_CENTER, "+25", font, card.width());
}
