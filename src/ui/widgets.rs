//! Controls and text helpers that several screens use.

use std::sync::Arc;

use egui::text::{CCursor, CCursorRange, LayoutJob, TextWrapping};
use egui::text_edit::TextEditState;
use egui::{
    self, Button, Color32, CornerRadius, FontId, Frame, Galley, Margin, Painter, Response, RichText,
    Role as Kind, Stroke, TextEdit, Ui, UiBuilder, WidgetInfo, vec2,
};

use tabiya_text::Words;

use super::theme::{PANEL_RADIUS, Theme, bold_font};

/// The frame of a panel.
pub(super) fn panel(theme: &Theme) -> Frame {
    Frame::new()
        .fill(theme.panel)
        .stroke(Stroke::new(1.0, theme.line))
        .corner_radius(CornerRadius::same(PANEL_RADIUS))
        .inner_margin(Margin::same(12))
}

/// A card of a page, with the margin of one grid.
pub(super) fn card_ui(ui: &mut Ui, theme: &Theme, content: impl FnOnce(&mut Ui)) {
    panel(theme).inner_margin(Margin::same(16)).show(ui, content);
}

/// The main button of a screen.
pub(super) fn main_button(ui: &mut Ui, theme: &Theme, text: &str, enabled: bool) -> Response {
    let words = RichText::new(text).font(bold_font(16.0 * scale(ui))).color(theme.on_gold);
    ui.add_enabled(enabled, Button::new(words).fill(theme.gold).min_size(vec2(90.0, 38.0)))
}

/// A button for an action that is hard to undo.
pub(super) fn grave_button(ui: &mut Ui, theme: &Theme, text: &str, enabled: bool) -> Response {
    let words = RichText::new(text).color(theme.bad);
    filled(ui, enabled, Button::new(words).min_size(vec2(0.0, 38.0)))
}

/// An ordinary button, large enough for a finger.
pub(super) fn button(ui: &mut Ui, text: &str, enabled: bool) -> Response {
    filled(ui, enabled, Button::new(text).min_size(vec2(0.0, 38.0)))
}

/// Adds a button that looks like those of the kit: its fill makes it a button, not an outline. The ring of the keyboard
/// and the edge under the pointer stay.
pub(super) fn filled(ui: &mut Ui, enabled: bool, button: Button<'_>) -> Response {
    let widgets = &ui.visuals().widgets;
    let (bound, line) = (widgets.inactive.bg_stroke, widgets.noninteractive.bg_stroke);
    ui.visuals_mut().widgets.inactive.bg_stroke = line;
    let response = ui.add_enabled(enabled, button);
    ui.visuals_mut().widgets.inactive.bg_stroke = bound;
    response
}

/// The factor of the current text size; 1 is the usual size.
pub(super) fn scale(ui: &Ui) -> f32 {
    ui.text_style_height(&egui::TextStyle::Body) / 18.0
}

/// A text field with its name to the left. Tests and screen readers find the field by this name.
pub(super) fn field(ui: &mut Ui, name: &str, text: &mut String, width: f32) -> Response {
    let label = ui.label(name);
    ui.add(TextEdit::singleline(text).desired_width(width).margin(Margin::symmetric(8, 6)))
        .labelled_by(label.id)
}

/// A text field below its name. Tests and screen readers find the field by this name.
pub(super) fn field_below(ui: &mut Ui, name: &str, text: &mut String, width: f32) -> Response {
    ui.vertical(|ui| {
        let label = ui.label(RichText::new(name).small().color(ui.visuals().weak_text_color()));
        ui.add(TextEdit::singleline(text).desired_width(width).margin(Margin::symmetric(8, 6)))
            .labelled_by(label.id)
    })
    .inner
}

/// Selects the whole text of a field that was just entered, by key or by click: what is typed then replaces it. For
/// fields whose text is a number or a time.
pub(super) fn select_all_on_entry(ui: &Ui, response: &Response, length: usize) {
    let entering = response.id.with("entering");
    let by_pointer = ui.input(|input| input.pointer.any_down());
    if response.gained_focus() {
        ui.data_mut(|data| data.insert_temp(entering, by_pointer));
    }
    // A click has placed its cursor only when the button goes up.
    let clicked = response.clicked() && ui.data_mut(|data| data.remove_temp(entering)).unwrap_or(false);
    if clicked || response.gained_focus() && !by_pointer {
        let mut state = TextEditState::load(ui.ctx(), response.id).unwrap_or_default();
        state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(length))));
        state.store(ui.ctx(), response.id);
    }
}

/// Lays out text in one line; text that does not fit ends in an ellipsis.
pub(super) fn lay_out_line(
    painter: &Painter,
    text: &str,
    font: FontId,
    ink: Color32,
    room: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, ink);
    job.wrap = TextWrapping { max_width: room, max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
    painter.layout_job(job)
}

/// A heading within a screen.
pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).heading());
    ui.add_space(2.0);
}

/// A line of explanation in a weaker colour.
pub(super) fn hint(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(ui.visuals().weak_text_color()));
}

/// Radio buttons in a row. Returns whether the value was changed.
pub(super) fn choice<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, options: &[(T, String)]) -> bool {
    let mut changed = false;
    ui.horizontal_wrapped(|ui| {
        for (option, text) in options {
            changed |= ui.radio_value(value, *option, text).changed();
        }
    });
    changed
}

/// Radio buttons one below the other. Returns whether the value was changed.
pub(super) fn choice_below<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, options: &[(T, String)]) -> bool {
    ui.vertical(|ui| {
        let mut changed = false;
        for (option, text) in options {
            changed |= ui.radio_value(value, *option, text).changed();
        }
        changed
    })
    .inner
}

/// Writes a moment such as `2026-10-03T19:30:00+02:00` as people of the language do: `3 October 2026, 19:30`. What is no such
/// moment stays as it is; nothing, if none is known.
pub(super) fn date(words: &Words, written: Option<&str>) -> String {
    date_as(words, "date-and-time", written)
}

/// The same without the time of the day.
pub(super) fn day(words: &Words, written: Option<&str>) -> String {
    date_as(words, "date-alone", written)
}

fn date_as(words: &Words, form: &str, written: Option<&str>) -> String {
    let Some(written) = written else { return String::new() };
    let number = |at: std::ops::Range<usize>| written.get(at).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return written.to_owned();
    };
    let facts = [
        ("year", year.to_string().into()),
        ("name", words.word("month", &month.to_string()).into()),
        ("day", day.to_string().into()),
        ("time", written.get(11..16).unwrap_or_default().to_owned().into()),
    ];
    words.with(form, &facts)
}

/// A text that begins with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A number of chips with its sign.
pub(crate) fn signed(chips: i64) -> String {
    match chips {
        0 => "0".to_owned(),
        1.. => format!("+{chips}"),
        _ => format!("\u{2212}{}", chips.unsigned_abs()),
    }
}

/// Gives a painted element a name, for screen readers and for tests.
pub(super) fn name(response: &Response, role: Kind, enabled: bool, text: &str) {
    response.widget_info(|| WidgetInfo::labeled(role, enabled, text));
}

/// Gives an element a second text for screen readers, besides its name.
pub(super) fn describe(response: &Response, text: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(text));
}

/// Says why a button is off: under the pointer and to screen readers.
pub(super) fn because(response: Response, why_off: Option<&String>) -> Response {
    let Some(why) = why_off else { return response };
    describe(&response, why);
    response.on_disabled_hover_text(why)
}

/// Gives written words a name for screen readers and for tests.
pub(super) fn label(ui: &Ui, rect: egui::Rect, id: &str, text: &str) {
    labelled(ui, rect, id, text);
}

/// The same for what changes by itself: screen readers read the new text aloud, at once if it is `urgent`.
pub(super) fn live_label(ui: &Ui, rect: egui::Rect, id: &str, text: &str, urgent: bool) {
    read_aloud(&labelled(ui, rect, id, text), urgent);
}

fn labelled(ui: &Ui, rect: egui::Rect, id: &str, text: &str) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(id), egui::Sense::hover());
    name(&response, Kind::Label, true, text);
    response
}

/// Screen readers read this element aloud whenever its text changes: at once if it is `urgent`, otherwise when they are
/// done with what they are reading.
pub(super) fn read_aloud(response: &Response, urgent: bool) {
    let live = if urgent { egui::accesskit::Live::Assertive } else { egui::accesskit::Live::Polite };
    response.ctx.accesskit_node_builder(response.id, |node| node.set_live(live));
}

/// Gives a painted element a name that is computed only if a screen reader or a test asks for it.
pub(super) fn name_with(response: &Response, role: Kind, text: impl Fn() -> String) {
    response.widget_info(|| WidgetInfo::labeled(role, true, text()));
}

/// A colour with the opacity `strength`, from 0 to 255.
pub(super) fn translucent(color: Color32, strength: u8) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r(), color.g(), color.b(), strength)
}

/// Two columns whose widths do not depend on their content; the left one takes `share` of the width.
pub(super) fn columns<T>(
    ui: &mut Ui,
    share: f32,
    context: &mut T,
    left: impl FnOnce(&mut Ui, &mut T),
    right: impl FnOnce(&mut Ui, &mut T),
) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let cut = area.left() + area.width() * share;
    let (first, second) = (area.with_max_x(cut - 6.0), area.with_min_x(cut + 6.0));
    ui.scope_builder(UiBuilder::new().max_rect(first), |ui| {
        ui.shrink_clip_rect(first.expand(4.0));
        left(ui, context);
    });
    ui.scope_builder(UiBuilder::new().max_rect(second), |ui| {
        ui.shrink_clip_rect(second.expand(4.0));
        right(ui, context);
    });
}
