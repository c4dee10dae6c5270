//! Draws pieces, cards, chips and marks.
//!
//! Pieces are vector graphics (cburnett, see `assets/pieces`), rendered at the size in use.

use std::cell::RefCell;
use std::collections::BTreeMap;

use egui::{
    Align2, Color32, ColorImage, Context, CornerRadius, IconData, Painter, Pos2, Rect, Shape, Stroke,
    StrokeKind, TextureHandle, TextureOptions, Vec2, pos2, vec2,
};
use resvg::{tiny_skia, usvg};
use tabiya_types::{Card, Color, Piece, Role};

use super::theme::{Theme, bold_font};

/// The step in pixels to which picture sizes are rounded up, so that resizing a window does not render new pictures all
/// the time.
const STEP: u32 = 8;

/// The colour of a card's sheet.
const PAPER: Color32 = Color32::from_rgb(250, 248, 242);

/// A card that is folded to less than this width, in points, is not drawn.
const LEAST_FOLD: f32 = 2.0;

/// Pictures of the pieces, rendered when they are first needed.
#[derive(Default)]
pub(crate) struct Art {
    made: RefCell<BTreeMap<(char, u32), TextureHandle>>,
}

impl std::fmt::Debug for Art {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Art({} pictures)", self.made.borrow().len())
    }
}

fn vectors(piece: Piece) -> &'static [u8] {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => include_bytes!("assets/pieces/white-king.svg"),
        (Color::White, Role::Queen) => include_bytes!("assets/pieces/white-queen.svg"),
        (Color::White, Role::Rook) => include_bytes!("assets/pieces/white-rook.svg"),
        (Color::White, Role::Bishop) => include_bytes!("assets/pieces/white-bishop.svg"),
        (Color::White, Role::Knight) => include_bytes!("assets/pieces/white-knight.svg"),
        (Color::White, Role::Pawn) => include_bytes!("assets/pieces/white-pawn.svg"),
        (Color::Black, Role::King) => include_bytes!("assets/pieces/black-king.svg"),
        (Color::Black, Role::Queen) => include_bytes!("assets/pieces/black-queen.svg"),
        (Color::Black, Role::Rook) => include_bytes!("assets/pieces/black-rook.svg"),
        (Color::Black, Role::Bishop) => include_bytes!("assets/pieces/black-bishop.svg"),
        (Color::Black, Role::Knight) => include_bytes!("assets/pieces/black-knight.svg"),
        (Color::Black, Role::Pawn) => include_bytes!("assets/pieces/black-pawn.svg"),
    }
}

/// A picture of this size in pixels, in the upper left corner of a `square` that is so many pixels wide.
fn picture(vectors: &[u8], size: u32, square: u32) -> Option<ColorImage> {
    let tree = usvg::Tree::from_data(vectors, &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(square, square)?;
    #[expect(clippy::cast_precision_loss, reason = "a picture's size is far below 2^24")]
    let scale = size as f32 / tree.size().width().max(tree.size().height());
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let width = usize::try_from(square).ok()?;
    Some(ColorImage::from_rgba_premultiplied([width, width], pixels.data()))
}

impl Art {
    /// Draws a piece into a square. The colours of the piece are multiplied with `tint`.
    pub(crate) fn piece(&self, painter: &Painter, rect: Rect, piece: Piece, tint: Color32) {
        let ctx = painter.ctx();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size on a screen")]
        let size = (rect.height() * ctx.pixels_per_point()).clamp(8.0, 1024.0) as u32;
        let size = size.div_ceil(STEP) * STEP;
        if let Some(texture) = self.texture(ctx, piece, size) {
            #[expect(clippy::cast_precision_loss, reason = "a picture's size is far below 2^24")]
            let part = size as f32 / texture.size()[0] as f32;
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(part, part));
            painter.image(texture.id(), rect, whole, tint);
        }
    }

    fn texture(&self, ctx: &Context, piece: Piece, size: u32) -> Option<TextureHandle> {
        let key = (piece.letter(), size);
        if let Some(texture) = self.made.borrow().get(&key) {
            return Some(texture.clone());
        }
        // Without a graphics card, each kind of texture needs a program of its own, which takes milliseconds to make when
        // the window opens. The picture of letters has sides of powers of two.
        let image = picture(vectors(piece), size, size.next_power_of_two())?;
        let name = format!("{}-{size}", piece.letter());
        let texture = ctx.load_texture(name, image, TextureOptions::LINEAR);
        let mut made = self.made.borrow_mut();
        // Only a few sizes are in use at the same time, so most of many pictures have sizes of former windows. All
        // pictures are dropped; those in use are rendered again.
        if made.len() > 120 {
            made.clear();
        }
        made.insert(key, texture.clone());
        Some(texture)
    }

    /// Draws a card that is turned over to this share, 0 to 1: first its back, which gets narrower, then its face.
    pub(crate) fn turning_card(
        &self,
        painter: &Painter,
        (rect, turned): (Rect, f32),
        card: Card,
        of: Color,
        letter: &str,
    ) {
        let fold = (2.0 * turned - 1.0).abs();
        if turned >= 1.0 {
            self.card(painter, rect, card, of, letter);
        } else if rect.width() * fold < LEAST_FOLD {
            // Its edge alone is seen.
        } else if turned < 0.5 {
            Self::card_back(painter, folded(rect, fold));
        } else {
            self.folded_face(painter, (rect, fold), card, of);
        }
    }

    /// Draws a face that is not yet turned over whole: the sheet and the piece, of which this share of the width is seen.
    fn folded_face(&self, painter: &Painter, (rect, fold): (Rect, f32), card: Card, of: Color) {
        let round = CornerRadius::same(corner(rect.width() * fold * 0.12));
        let edge = Stroke::new(1.0, Color32::from_gray(90));
        painter.rect(folded(rect, fold), round, PAPER, edge, StrokeKind::Inside);
        let piece = Piece { color: of, role: card.role() };
        self.piece(painter, folded(on_card(rect), fold), piece, Color32::WHITE);
    }

    /// Draws a card face: a white sheet with the piece, and its letter in the corner.
    pub(crate) fn card(&self, painter: &Painter, rect: Rect, card: Card, of: Color, letter: &str) {
        let round = CornerRadius::same(corner(rect.width() * 0.12));
        painter.rect(rect, round, PAPER, Stroke::new(1.0, Color32::from_gray(90)), StrokeKind::Inside);
        let piece = Piece { color: of, role: card.role() };
        self.piece(painter, on_card(rect), piece, Color32::WHITE);
        let font = bold_font((rect.width() * 0.30).max(9.0));
        painter.text(
            rect.left_top() + vec2(rect.width() * 0.10, rect.width() * 0.05),
            Align2::LEFT_TOP,
            letter,
            font,
            Color32::from_gray(25),
        );
    }

    /// Draws the back of a card that has not been revealed.
    pub(crate) fn card_back(painter: &Painter, rect: Rect) {
        let round = CornerRadius::same(corner(rect.width() * 0.12));
        let (cream, green) = (Color32::from_rgb(246, 239, 220), Color32::from_rgb(22, 64, 53));
        painter.rect(rect, round, cream, Stroke::new(1.0, Color32::from_gray(40)), StrokeKind::Inside);
        let inner = rect.shrink((rect.width() * 0.06).max(1.5));
        painter.rect_filled(inner, round, green);
        let painter = painter.with_clip_rect(inner.intersect(painter.clip_rect()));
        let step = rect.width() * 0.22;
        let faint = Stroke::new(1.0, Color32::from_rgb(58, 105, 90));
        let mut x = inner.left() - inner.height();
        while x < inner.right() {
            painter.line_segment([pos2(x, inner.top()), pos2(x + inner.height(), inner.bottom())], faint);
            painter.line_segment([pos2(x + inner.height(), inner.top()), pos2(x, inner.bottom())], faint);
            x += step;
        }
        let gold = Color32::from_rgb(240, 184, 73);
        let radius = rect.width() * 0.24;
        painter.circle(rect.center(), radius, green, Stroke::new((rect.width() * 0.04).max(1.0), gold));
        painter.circle_filled(rect.center(), radius * 0.4, gold);
    }
}

/// The part of an area that is seen when it is folded about its vertical middle to this share of its width.
fn folded(rect: Rect, fold: f32) -> Rect {
    Rect::from_center_size(rect.center(), vec2(rect.width() * fold, rect.height()))
}

/// Where the piece stands on a card.
fn on_card(card: Rect) -> Rect {
    let side = card.width() * 0.86;
    Rect::from_center_size(pos2(card.center().x, card.bottom() - side * 0.56), Vec2::splat(side))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a radius of a few points")]
fn corner(radius: f32) -> u8 {
    radius.clamp(0.0, 40.0) as u8
}

/// The values of the chips, with the colours that are usual at card tables. The amount is always shown as a number
/// beside the chips.
const CHIPS: [(u32, Color32); 5] = [
    (500, Color32::from_rgb(106, 76, 147)),
    (100, Color32::from_rgb(38, 38, 44)),
    (25, Color32::from_rgb(38, 120, 76)),
    (5, Color32::from_rgb(178, 46, 46)),
    (1, Color32::from_rgb(222, 218, 206)),
];

/// Draws an amount as a row of chips, the most valuable first. Returns the width used, which is at most `room`.
pub(crate) fn chips(painter: &Painter, at: Pos2, height: f32, amount: u32, room: f32) -> f32 {
    let mut rest = amount;
    let mut discs: Vec<(Color32, bool)> = Vec::new();
    for (value, color) in CHIPS {
        let count = (rest / value).min(9);
        rest -= (rest / value) * value;
        discs.extend((0..count).map(|nth| (color, nth == 0)));
    }
    let radius = height / 2.0;
    let (lap, gap) = (height * 0.26, height * 0.30);
    let mut x = at.x + radius;
    for (nth, (color, first)) in discs.into_iter().enumerate() {
        if nth > 0 {
            x += if first { lap + gap } else { lap };
        }
        if x + radius > at.x + room {
            break;
        }
        disc(painter, pos2(x, at.y + radius), radius, color);
    }
    if amount == 0 { 0.0 } else { x + radius - at.x }
}

/// The width that [`chips`] uses for an amount.
pub(crate) fn chips_width(amount: u32, height: f32, room: f32) -> f32 {
    let lap = height * 0.26;
    let mut rest = amount;
    let mut width = 0.0;
    for (value, _) in CHIPS {
        let count = (rest / value).min(9);
        rest -= (rest / value) * value;
        if count > 0 {
            #[expect(clippy::cast_precision_loss, reason = "at most nine chips")]
            let more = lap * (count - 1) as f32;
            width += if width > 0.0 { lap + height * 0.30 + more } else { height + more };
        }
    }
    width.min(room)
}

/// Draws one chip from above, with eight marks on its rim and an inner ring, so that people recognise a chip by more
/// than its colour.
fn disc(painter: &Painter, center: Pos2, radius: f32, color: Color32) {
    let light = color.r() > 150 && color.g() > 150;
    let mark = if light { Color32::from_gray(70) } else { Color32::from_gray(240) };
    painter.circle(center, radius, color, Stroke::new(1.0, Color32::from_gray(if light { 60 } else { 200 })));
    for nth in 0..8_u8 {
        let angle = f32::from(nth) * std::f32::consts::TAU / 8.0;
        let out = vec2(angle.cos(), angle.sin());
        painter.line_segment(
            [center + out * radius * 0.74, center + out * radius * 0.96],
            Stroke::new(radius * 0.20, mark),
        );
    }
    painter.circle_stroke(center, radius * 0.62, Stroke::new(1.0, mark));
}

/// The program's icon, `size` pixels wide and high.
pub(crate) fn icon(size: u32) -> IconData {
    let tile = include_bytes!("assets/tabiya.svg");
    let rgba = picture(tile, size, size)
        .map(|image| image.pixels.iter().flat_map(Color32::to_srgba_unmultiplied).collect::<Vec<u8>>());
    IconData { rgba: rgba.unwrap_or_default(), width: size, height: size }
}

/// Draws a disc in a player's colour, beside the name.
pub(crate) fn color_disc(painter: &Painter, center: Pos2, radius: f32, color: Color, theme: &Theme) {
    let fill = if color == Color::White { Color32::from_rgb(252, 250, 244) } else { Color32::from_gray(18) };
    let ring = if color == Color::White { Color32::from_rgb(150, 130, 90) } else { theme.ivory };
    painter.circle(center, radius, fill, Stroke::new(2.0, ring));
}

/// Draws the sign of a suit, given by the record's letter `h`, `d`, `s` or `c`.
pub(crate) fn suit(painter: &Painter, rect: Rect, letter: &str, color: Color32) {
    // Places in the sign, from -1 to 1 in both directions; down is positive.
    let at = |x: f32, y: f32| rect.center() + vec2(x * rect.width() / 2.0, y * rect.height() / 2.0);
    let area = |points: Vec<Pos2>| painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    let disc =
        |x: f32, y: f32, radius: f32| painter.circle_filled(at(x, y), radius * rect.width() / 2.0, color);
    match letter {
        "h" => {
            disc(-0.45, -0.35, 0.5);
            disc(0.45, -0.35, 0.5);
            area(vec![at(-0.92, -0.15), at(0.0, -0.5), at(0.92, -0.15), at(0.0, 1.0)]);
        }
        "d" => {
            area(vec![at(0.0, -1.0), at(0.75, 0.0), at(0.0, 1.0), at(-0.75, 0.0)]);
        }
        "s" => {
            disc(-0.45, 0.25, 0.48);
            disc(0.45, 0.25, 0.48);
            area(vec![at(0.0, -1.0), at(0.9, 0.1), at(0.0, 0.45), at(-0.9, 0.1)]);
            area(vec![at(0.0, 0.1), at(0.35, 1.0), at(-0.35, 1.0)]);
        }
        "c" => {
            disc(0.0, -0.5, 0.46);
            disc(-0.5, 0.2, 0.46);
            disc(0.5, 0.2, 0.46);
            area(vec![at(0.0, -0.2), at(0.35, 1.0), at(-0.35, 1.0)]);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_picture_with_something_on_it() {
        for color in Color::ALL {
            for role in Role::ALL {
                let picture = picture(vectors(Piece { color, role }), 48, 48).expect("a picture");
                let drawn = picture.pixels.iter().filter(|pixel| pixel.a() > 0).count();
                assert!((200..2304).contains(&drawn), "{color} {role}: {drawn} pixels");
            }
        }
    }
}
