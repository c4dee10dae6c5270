//! The plate with the large figure that counts now: a clock, a stack, or a result. The digits fill their plate.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, Galley, Painter, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2,
};

use super::icon::Icon;
use super::write;
use crate::cx::Cx;
use crate::theme::{PLATE_RADIUS, Theme, bold_font};

/// The state of a plate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    /// It waits.
    #[default]
    Stands,
    /// The lamp stands over its player, and no clock runs.
    Lit,
    /// Its clock runs.
    Runs,
    /// Its clock would run, but the clocks are stopped.
    Stopped,
    /// Its clock runs, and its last seconds have begun.
    Last,
    /// Its flag has fallen.
    Fallen,
}

/// What a plate shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Plate {
    pub(crate) text: String,
    pub(crate) state: State,
    /// The share of the time that is left, drawn as a line; `None` for no line.
    pub(crate) share: Option<f32>,
    /// The words below the figure: stage, periods, free seconds.
    pub(crate) signs: String,
    /// Whether a warning time has been reached.
    pub(crate) warned: bool,
    /// How much of the lamp's gold is on the plate, 0 to 1, while it passes; `None` if it stays where it is.
    pub(crate) gold: Option<f32>,
}

impl Plate {
    /// The plate while gold passes to it or from it; `key` names it.
    pub(crate) fn passing(self, cx: &Cx<'_>, key: impl Hash + Debug) -> Self {
        let gold = Some(cx.gold(key, self.is_lit()));
        Self { gold, ..self }
    }

    /// Whether the lamp stands over the plate.
    pub(crate) fn is_lit(&self) -> bool {
        matches!(self.state, State::Lit | State::Runs)
    }

    /// The share of gold.
    fn gold(&self) -> f32 {
        self.gold.unwrap_or(if self.is_lit() { 1.0 } else { 0.0 })
    }

    /// The fill and the ink; `well` is the fill without gold.
    pub(crate) fn colors(&self, theme: &Theme, well: Color32) -> (Color32, Color32) {
        match self.state {
            State::Stands | State::Stopped | State::Lit | State::Runs => {
                let gold = self.gold();
                let ink = if gold > 0.5 { theme.on_gold } else { theme.text };
                (Theme::between(well, theme.gold, gold), ink)
            }
            State::Last | State::Fallen => (theme.bad_fill, theme.on_bad),
        }
    }
}

/// Draws a plate.
pub(crate) fn draw(painter: &Painter, cx: &Cx<'_>, rect: Rect, plate: &Plate) {
    let theme = cx.theme;
    let (fill, ink) = plate.colors(theme, theme.well);
    let edge = match plate.state {
        State::Lit | State::Runs => {
            Stroke::new(if theme.gold_edge == theme.gold { 1.0 } else { 2.0 }, theme.gold_edge)
        }
        State::Last | State::Fallen => Stroke::new(2.0, theme.bad),
        State::Stands | State::Stopped if plate.warned => Stroke::new(2.0, theme.bad),
        State::Stands | State::Stopped => Stroke::new(1.0, theme.line),
    };
    painter.rect(rect, CornerRadius::same(PLATE_RADIUS), fill, edge, StrokeKind::Inside);
    if plate.state == State::Last {
        stripes(painter, rect, theme);
    }
    let foot = foot_height(rect, plate);
    let above = Rect::from_min_max(rect.min, pos2(rect.right(), rect.bottom() - foot));
    figure(painter, above, &plate.text, ink);
    draw_foot(painter, cx, Rect::from_min_max(pos2(rect.left(), above.bottom()), rect.max), plate, ink);
}

/// The height of the strip with line, mark and words.
fn foot_height(rect: Rect, plate: &Plate) -> f32 {
    let marked = plate.share.is_some()
        || !plate.signs.is_empty()
        || matches!(plate.state, State::Fallen | State::Stopped);
    if marked { (rect.height() * 0.19).clamp(12.0, 44.0) } else { 0.0 }
}

/// Writes the figure as large as its area allows.
fn figure(painter: &Painter, area: Rect, text: &str, ink: Color32) {
    let galley = lay_out(painter, area, text, ink);
    // The digits are centred by their ink: a font leaves room above them that would push them down.
    let at = area.center() - galley.mesh_bounds.center().to_vec2();
    painter.galley(at, galley, ink);
}

/// Lays out a figure as large as its area allows: a digit advances 0.65 em, a colon 0.30 em, and both are 0.76 em high.
pub(crate) fn lay_out(painter: &Painter, area: Rect, text: &str, ink: Color32) -> Arc<Galley> {
    let advance: f32 = text.chars().map(|letter| if matches!(letter, ':' | '.') { 0.30 } else { 0.65 }).sum();
    let size = (0.91 * area.width() / advance.max(0.65)).min(0.84 * area.height() / 0.76);
    painter.layout_no_wrap(text.to_owned(), bold_font(size.max(8.0)), ink)
}

fn draw_foot(painter: &Painter, cx: &Cx<'_>, strip: Rect, plate: &Plate, ink: Color32) {
    if strip.height() < 1.0 {
        return;
    }
    let side = (strip.height() * 0.62).min(26.0);
    let inset = (strip.width() * 0.045).clamp(8.0, 26.0);
    let (mut left, right, y) =
        (strip.left() + inset, strip.right() - inset, strip.center().y - strip.height() * 0.12);
    let mark = Rect::from_center_size(pos2(left + side / 2.0, y), Vec2::splat(side));
    match plate.state {
        State::Runs | State::Last => {
            let points = vec![mark.left_top(), mark.right_center(), mark.left_bottom()];
            painter.add(Shape::convex_polygon(points, ink, Stroke::NONE));
        }
        State::Stopped => Icon::Pause.draw(painter, mark.expand(side * 0.2), ink),
        State::Fallen => Icon::Flag.draw(painter, mark.expand(side * 0.25), ink),
        State::Stands | State::Lit => left -= side + 8.0,
    }
    left += side + 8.0;
    let mut end = right;
    if !plate.signs.is_empty() {
        let letters = (strip.height() * 0.62).clamp(10.0, 1.4 * cx.sizes.rem);
        let font = egui::FontId::proportional(letters);
        let room = (right - left) * if plate.share.is_some() { 0.66 } else { 1.0 };
        end = write(painter, pos2(right, y), Align2::RIGHT_CENTER, &plate.signs, (font, ink), room).left()
            - 10.0;
    }
    if let Some(share) = plate.share.filter(|_| end - left > 16.0) {
        let thick = (strip.height() * 0.16).clamp(3.0, 7.0);
        let whole = Rect::from_min_max(pos2(left, y - thick / 2.0), pos2(end, y + thick / 2.0));
        let rest = Rect::from_min_size(whole.min, vec2(whole.width() * share.clamp(0.0, 1.0), thick));
        painter.rect_filled(whole, CornerRadius::same(2), crate::widgets::translucent(ink, 60));
        painter.rect_filled(rest, CornerRadius::same(2), crate::widgets::translucent(ink, 215));
    }
}

/// Draws stripes along the lower edge: the last seconds are seen without their colour too.
pub(crate) fn stripes(painter: &Painter, rect: Rect, theme: &Theme) {
    let height = (rect.height() * 0.06).clamp(5.0, 14.0);
    let strip = Rect::from_min_max(
        pos2(rect.left() + 8.0, rect.bottom() - height),
        pos2(rect.right() - 8.0, rect.bottom() - 1.0),
    );
    let mut x = strip.left();
    while x + height < strip.right() {
        let points = vec![
            pos2(x, strip.bottom()),
            pos2(x + height, strip.top()),
            pos2((x + height * 2.0).min(strip.right()), strip.top()),
            pos2((x + height).min(strip.right()), strip.bottom()),
        ];
        painter.add(Shape::convex_polygon(points, theme.on_bad, Stroke::NONE));
        x += height * 2.0;
    }
}
