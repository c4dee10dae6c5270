//! Tabs: words in a row, of which the chosen one is underlined. They are one stop of the Tab key; the arrow keys lead from one
//! to the next.

use egui::{Align2, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::group::TabGroup;
use super::write;
use crate::cx::Cx;
use crate::theme::bold_font;

/// The height of a row of tabs, at a rem of 16 points.
pub(crate) const TABS: f32 = 32.0;

/// Draws tabs into a row, and returns the one that is chosen after this frame.
pub(crate) fn tabs_ui<T: Copy + PartialEq>(
    ui: &Ui,
    cx: &Cx<'_>,
    row: Rect,
    tabs: &[(T, String)],
    chosen: T,
) -> T {
    let painter = ui.painter();
    painter.hline(row.x_range(), row.bottom() - 0.5, Stroke::new(1.0, cx.theme.line));
    let pad = cx.sizes.px(12.0);
    let size = cx.sizes.rem.min(row.height() * 0.6);
    let width = |text: &String| {
        painter.layout_no_wrap(text.clone(), bold_font(size), cx.theme.text).size().x + 2.0 * pad
    };
    let whole: f32 = tabs.iter().map(|(_, text)| width(text)).sum();
    let shrink = (row.width() / whole.max(1.0)).min(1.0);
    let mut group = TabGroup::new(ui, "tabs", tabs.iter().position(|(tab, _)| *tab == chosen));
    let (mut left, mut now) = (row.left(), chosen);
    for (nth, (tab, text)) in tabs.iter().enumerate() {
        let place = Rect::from_min_size(pos2(left, row.top()), vec2(width(text) * shrink, row.height()));
        left = place.right();
        let sense = if group.stops() { Sense::click() } else { Sense::CLICK };
        let response = group.add(ui.interact(place, ui.scope_id().with(("tab", nth)), sense));
        let is_chosen = *tab == chosen;
        let ink = if is_chosen || response.hovered() { cx.theme.text } else { cx.theme.muted };
        let letters = size * shrink;
        let font = if is_chosen { bold_font(letters) } else { FontId::proportional(letters) };
        write(painter, place.center(), Align2::CENTER_CENTER, text, (font, ink), place.width());
        if is_chosen {
            let line = place.shrink2(vec2(pad * 0.5, 0.0)).x_range();
            painter.hline(line, row.bottom() - 1.5, Stroke::new(3.0, cx.theme.ivory));
        }
        if response.has_focus() {
            super::panel::ring(painter, cx.theme, place.shrink(2.0));
        }
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_chosen, text));
        if response.clicked() {
            now = *tab;
        }
    }
    group.end(ui);
    now
}
