//! Buttons: one gold button per screen for what is to be done now, plain ones, grave ones that are armed first, and
//! choices.

use egui::{
    Align2, Color32, CornerRadius, Id, Painter, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::icon::Icon;
use super::{dashed, fitting, write};
use crate::cx::Cx;
use crate::landmarks::Landmark;
use crate::theme::{BUTTON_RADIUS, Theme, bold_font};
use crate::widgets::{describe, name};

/// A button that is smaller than this, in points, is not drawn.
const SMALLEST: f32 = 8.0;

/// How strongly a key is drawn that does nothing while people type.
const ASLEEP: f32 = 0.28;

/// The kind of a button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// What is to be done now.
    Gold,
    /// Any other action.
    Plain,
    /// An action that cannot be taken lightly: it is armed first.
    Grave,
    /// An action that opens a question before it does something grave.
    GraveAsks,
    /// One of several choices; `true` if it is the chosen one.
    Choice(bool),
    /// A button without a ground of its own, in the bar.
    Bare,
}

/// What shows how long a button stays armed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Burns {
    /// A line that burns down; the share that is left.
    Line(f32),
    /// With reduced motion, the seconds that are left.
    Number(u64),
}

/// What a button shows.
#[derive(Clone, Debug)]
pub(crate) struct ButtonFace<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// A second, weaker text: beside the first one, or below it in a tall button.
    pub(crate) under: &'a str,
    /// The key that does the same; empty for none.
    pub(crate) key: String,
    pub(crate) icon: Option<Icon>,
    /// The name for screen readers, if it is not the text.
    pub(crate) said: Option<String>,
    pub(crate) enabled: bool,
    /// Why the button is off, if it is; people see it under the pointer, and screen readers read it.
    pub(crate) why_off: Option<String>,
    /// What is left of the time while the button is armed.
    pub(crate) armed: Option<Burns>,
    /// How much of its gold is on the button, 0 to 1.
    pub(crate) gold: f32,
    /// Whether the text is bold and large.
    pub(crate) strong: bool,
    /// Whether the Tab key passes by, because the arrow keys lead here.
    pub(crate) passed_by: bool,
}

impl<'a> ButtonFace<'a> {
    /// A button of this kind with this text.
    pub(crate) fn new(kind: Kind, text: &'a str) -> Self {
        let strong = matches!(kind, Kind::Gold | Kind::Grave);
        Self {
            kind,
            text,
            under: "",
            key: String::new(),
            icon: None,
            said: None,
            enabled: true,
            why_off: None,
            armed: None,
            gold: if kind == Kind::Gold { 1.0 } else { 0.0 },
            strong,
            passed_by: false,
        }
    }

    /// With the key that does the same.
    pub(crate) fn key(self, key: String) -> Self {
        Self { key, ..self }
    }

    /// With an icon.
    pub(crate) fn icon(self, icon: Icon) -> Self {
        Self { icon: Some(icon), ..self }
    }

    /// With a second, weaker text.
    pub(crate) fn under(self, under: &'a str) -> Self {
        Self { under, ..self }
    }

    /// With another name for screen readers.
    pub(crate) fn said(self, said: String) -> Self {
        Self { said: Some(said), ..self }
    }

    /// With bold, larger text.
    pub(crate) fn strong(self) -> Self {
        Self { strong: true, ..self }
    }

    /// Off, if it cannot be used.
    pub(crate) fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }

    /// Off, if there is a reason why it cannot be used.
    pub(crate) fn off(self, why_off: Option<String>) -> Self {
        Self { enabled: why_off.is_none(), why_off, ..self }
    }

    /// A button of a group at which the Tab key does not stop, unless `stops`.
    pub(crate) fn stops(self, stops: bool) -> Self {
        Self { passed_by: !stops, ..self }
    }

    /// Armed, with what is left of the time.
    pub(crate) fn armed(self, armed: Option<Burns>) -> Self {
        Self { armed, ..self }
    }
}

/// The look of a button at one moment. The gallery draws each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Touched {
    pub(crate) pointer: bool,
    pub(crate) pressed: bool,
}

/// Draws a button into an area. The response says whether it was clicked, by the pointer, by Enter or by a screen reader.
pub(crate) fn button_at(
    ui: &mut Ui,
    cx: &Cx<'_>,
    rect: Rect,
    id: impl std::hash::Hash + std::fmt::Debug,
    face: &ButtonFace<'_>,
) -> Response {
    let id: Id = ui.scope_id().with(id);
    let sense = match (face.enabled, face.passed_by) {
        (false, _) => Sense::hover(),
        (true, false) => Sense::click(),
        (true, true) => Sense::CLICK,
    };
    let response = ui.interact(rect, id, sense);
    let touched = Touched {
        pointer: response.hovered(),
        pressed: response.is_pointer_button_down_on() && face.enabled,
    };
    let gold = cx.gold(id, face.kind == Kind::Gold);
    if face.kind == Kind::Gold && face.enabled {
        Landmark::Middle.mark(&cx.ctx, id);
    }
    draw(ui.painter(), cx, rect, &ButtonFace { gold, ..face.clone() }, touched);
    let said = face.said.clone().unwrap_or_else(|| match face.under {
        "" => face.text.to_owned(),
        under => format!("{} {under}", face.text),
    });
    let sleeps = face.key.is_empty() || cx.key_sleeps(&face.key);
    let said = if sleeps { said } else { format!("{said}  [{}]", face.key) };
    match face.kind {
        // A choice has its state for those who hear it, too.
        Kind::Choice(chosen) => {
            response.widget_info(|| WidgetInfo::selected(Role::Button, face.enabled, chosen, &said));
        }
        _ => name(&response, Role::Button, face.enabled, &said),
    }
    if let Some(why) = &face.why_off {
        describe(&response, why);
        return response.on_hover_text(why);
    }
    // An icon alone says in words what it does.
    if face.text.is_empty() && face.icon.is_some() { response.on_hover_text(said) } else { response }
}

/// The fill, the edge and the ink of a button.
fn colors(theme: &Theme, face: &ButtonFace<'_>, touched: Touched) -> (Color32, Stroke, Color32) {
    let none = Stroke::NONE;
    if !face.enabled {
        return (Color32::TRANSPARENT, none, theme.muted);
    }
    if face.armed.is_some() {
        return (theme.bad_fill, none, theme.on_bad);
    }
    let edge = |color: Color32| Stroke::new(1.0, color);
    let passing = |from: Color32, to: Color32| Theme::between(from, to, face.gold);
    let (fill, stroke, ink) = match face.kind {
        Kind::Gold | Kind::Plain => (
            passing(theme.raised, theme.gold),
            edge(passing(theme.line, theme.gold_edge)),
            if face.gold > 0.5 { theme.on_gold } else { theme.text },
        ),
        Kind::Grave => (theme.panel, edge(theme.bad), theme.bad),
        Kind::GraveAsks => (theme.raised, edge(theme.line), theme.bad),
        Kind::Choice(true) => (theme.hover, Stroke::new(2.0, theme.ivory), theme.text),
        Kind::Choice(false) => (theme.raised, edge(theme.line), theme.text),
        Kind::Bare => (Color32::TRANSPARENT, none, theme.text),
    };
    match (touched, face.kind) {
        (Touched { pressed: true, .. }, Kind::Gold) => (fill.gamma_multiply(0.85), stroke, ink),
        (Touched { pressed: true, .. }, _) => (theme.well, stroke, ink),
        (Touched { pointer: true, .. }, Kind::Gold) => (fill, Stroke::new(2.0, theme.ivory), ink),
        (Touched { pointer: true, .. }, Kind::Choice(true)) => (fill, stroke, ink),
        (Touched { pointer: true, .. }, _) => (theme.hover, edge(theme.edge), ink),
        _ => (fill, stroke, ink),
    }
}

/// Draws a button as it looks at one moment.
pub(crate) fn draw(painter: &Painter, cx: &Cx<'_>, rect: Rect, face: &ButtonFace<'_>, touched: Touched) {
    // In a window that is far too low a button has no room; it can still be reached by its name.
    if rect.width() < SMALLEST || rect.height() < SMALLEST {
        return;
    }
    let theme = cx.theme;
    let (fill, stroke, ink) = colors(theme, face, touched);
    let round = CornerRadius::same(BUTTON_RADIUS);
    painter.rect(rect, round, fill, stroke, StrokeKind::Inside);
    if !face.enabled {
        dashed(painter, rect.shrink(1.0), Stroke::new(1.0, theme.edge), 3.0);
    }
    if let Some(Burns::Line(share)) = face.armed {
        let line =
            Rect::from_min_size(pos2(rect.left(), rect.bottom() - 4.0), vec2(rect.width() * share, 4.0));
        painter.rect_filled(line, CornerRadius::same(2), theme.on_bad);
    }
    if face.kind == Kind::Choice(true) {
        let dot = pos2(rect.right() - cx.sizes.px(10.0), rect.top() + cx.sizes.px(10.0));
        painter.circle_filled(dot, cx.sizes.px(3.5), theme.ivory);
    }
    words(painter, cx, rect, face, ink);
}

fn words(painter: &Painter, cx: &Cx<'_>, rect: Rect, face: &ButtonFace<'_>, ink: Color32) {
    let sizes = cx.sizes;
    let px = |points: f32| sizes.px(points);
    let bold = face.strong || face.kind == Kind::Choice(true) || face.armed.is_some();
    // Words never stand out of a low button.
    let largest = if face.strong { sizes.lead() } else { sizes.rem }.min(rect.height() * 0.66);
    let font = move |size: f32| if bold { bold_font(size) } else { egui::FontId::proportional(size) };
    let stacked = !face.under.is_empty() && rect.height() >= px(40.0) && rect.width() < px(150.0)
        || (!face.under.is_empty() && rect.height() >= px(56.0));
    let icon = if face.icon.is_some() { px(20.0) } else { 0.0 };
    // The key is left out where there is no room for it.
    let cap = key_width(painter, cx, &face.key);
    let text = match face.armed {
        Some(Burns::Number(seconds)) => format!("{} · {seconds}", face.text),
        Some(Burns::Line(_)) | None => face.text.to_owned(),
    };
    let wanted = painter.layout_no_wrap(text.clone(), font(largest), ink).size().x;
    let gap = px(8.0);
    let room = rect.width() - px(12.0);
    let icon_gap = if icon > 0.0 && !face.text.is_empty() { gap } else { 0.0 };
    let beside = if stacked { 0.0 } else { under_width(painter, cx, face, ink) };
    let cap_fits = cap > 0.0
        && rect.height() > sizes.small() * 1.6
        && wanted * 0.8 + icon + icon_gap + beside + gap + cap <= room;
    let cap_room = if cap_fits { gap + cap } else { 0.0 };
    let size = fitting(painter, &text, &font, largest, room - icon - icon_gap - cap_room - beside)
        .max(largest * 0.6);
    let width = painter.layout_no_wrap(text.clone(), font(size), ink).size().x;
    let whole = icon + icon_gap + width + cap_room + beside;
    let mut x = rect.center().x - whole.min(room) / 2.0;
    let y = if stacked { rect.center().y - sizes.small() * 0.55 } else { rect.center().y };
    if let Some(of) = face.icon {
        of.draw(painter, Rect::from_center_size(pos2(x + icon / 2.0, y), Vec2::splat(icon)), ink);
        x += icon + icon_gap;
    }
    let text = write(painter, pos2(x, y), Align2::LEFT_CENTER, &text, (font(size), ink), rect.right() - x);
    x = text.right();
    let weak = if matches!(face.kind, Kind::Gold) || face.armed.is_some() { ink } else { cx.theme.muted };
    let small = egui::FontId::proportional(sizes.small());
    if stacked {
        let at = pos2(rect.center().x, y + size * 0.5 + sizes.small() * 0.62);
        write(painter, at, Align2::CENTER_CENTER, face.under, (small, weak), room);
    } else if !face.under.is_empty() {
        x = write(
            painter,
            pos2(x + px(6.0), y),
            Align2::LEFT_CENTER,
            face.under,
            (small, weak),
            rect.right() - x,
        )
        .right();
    }
    if cap_fits {
        // A key that does nothing now is only just seen; its place stays, so that no words move.
        let ink = if cx.key_sleeps(&face.key) { weak.gamma_multiply(ASLEEP) } else { weak };
        key_cap(painter, cx, pos2(x + gap, y), &face.key, ink);
    }
}

/// The width of the second text beside the first one, with the gap between them.
fn under_width(painter: &Painter, cx: &Cx<'_>, face: &ButtonFace<'_>, ink: Color32) -> f32 {
    if face.under.is_empty() {
        return 0.0;
    }
    let small = egui::FontId::proportional(cx.sizes.small());
    cx.sizes.px(6.0) + painter.layout_no_wrap(face.under.to_owned(), small, ink).size().x
}

fn key_width(painter: &Painter, cx: &Cx<'_>, key: &str) -> f32 {
    if key.is_empty() {
        return 0.0;
    }
    let font = egui::FontId::proportional(cx.sizes.small() * 0.92);
    painter.layout_no_wrap(key.to_owned(), font, cx.theme.text).size().x + cx.sizes.px(12.0)
}

/// Draws a key as a small cap, and returns its area.
pub(crate) fn key_cap(painter: &Painter, cx: &Cx<'_>, left: egui::Pos2, key: &str, ink: Color32) -> Rect {
    let size = cx.sizes.small() * 0.92;
    let cap = Rect::from_min_size(
        pos2(left.x, left.y - size * 0.78),
        vec2(key_width(painter, cx, key), size * 1.56),
    );
    painter.rect_stroke(cap, CornerRadius::same(5), Stroke::new(1.0, ink), StrokeKind::Inside);
    write(
        painter,
        cap.center(),
        Align2::CENTER_CENTER,
        key,
        (egui::FontId::proportional(size), ink),
        cap.width(),
    );
    cap
}

/// The height of a choice, at a rem of 16 points.
pub(crate) const CHOICE: f32 = 38.0;

/// Draws choices in rows; the chosen one has an ivory edge.
pub(crate) fn choices<T: PartialEq + Copy>(
    ui: &mut Ui,
    cx: &Cx<'_>,
    value: &mut T,
    options: &[(T, String)],
) -> bool {
    let before = *value;
    ui.horizontal_wrapped(|ui| {
        for (option, text) in options {
            if chip(ui, cx, *value == *option, text).clicked() {
                *value = *option;
            }
        }
    });
    *value != before
}

/// Draws a rule as one chip, which has an ivory edge while the rule is used; a click turns it over.
pub(crate) fn toggle(ui: &mut Ui, cx: &Cx<'_>, on: &mut bool, text: &str) -> Response {
    let response = chip(ui, cx, *on, text);
    *on ^= response.clicked();
    response
}

/// Draws a chip in the flow of a page. A text that is too long for the row is drawn smaller.
fn chip(ui: &mut Ui, cx: &Cx<'_>, chosen: bool, text: &str) -> Response {
    // The width is that of the bold words, so that nothing moves when another one is chosen.
    let words = ui.painter().layout_no_wrap(text.to_owned(), bold_font(cx.sizes.rem), cx.theme.text);
    let wide = (words.size().x + cx.sizes.px(30.0)).min(ui.max_rect().width());
    let (place, _) = ui.allocate_exact_size(vec2(wide, cx.sizes.px(CHOICE)), Sense::hover());
    button_at(ui, cx, place, ("choice", text), &ButtonFace::new(Kind::Choice(chosen), text))
}
