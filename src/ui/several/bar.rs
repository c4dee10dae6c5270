//! The bar above the tiles: what they are, how many play, are stopped, differ and are done, and the full screen.

use egui::{Align2, FontId, Rect, Role, Sense, Ui, pos2};

use super::{Standing, TileNow};
use crate::chrome::fill_screen;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::counts::{StateCount, counts_ui};
use crate::kit::icon::Icon;
use crate::kit::write;
use crate::theme::bold_font;
use crate::widgets::name;

/// Draws the bar.
pub(super) fn bar_ui(ui: &mut Ui, cx: &Cx<'_>, (title, tables): (&str, &[TileNow]), bar: Rect) {
    let px = |points: f32| cx.sizes.px(points);
    let full = bar.with_min_x(bar.right() - px(40.0));
    let said = cx.words.word("command", Command::FullScreen.word());
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Full).said(said).key(cx.key(Command::FullScreen));
    if button_at(ui, cx, full, "full-screen", &face).clicked() {
        fill_screen(&cx.ctx);
    }
    let painter = ui.painter().clone();
    let font = (bold_font(cx.sizes.lead()), cx.theme.text);
    let end = write(&painter, bar.left_center(), Align2::LEFT_CENTER, title, font, bar.width() * 0.4).right();
    let weak = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
    let text = cx.words.with("several-tables", &[("count", tables.len().into())]);
    let at = pos2(end + px(9.0), bar.center().y);
    let end = write(&painter, at, Align2::LEFT_CENTER, &text, weak, bar.width() * 0.22).right();
    let head = bar.with_max_x(end);
    let response = ui.interact(head, ui.scope_id().with("title"), Sense::hover());
    name(&response, Role::Label, true, &format!("{title}, {text}"));
    let rest = Rect::from_min_max(pos2(end + px(8.0), bar.top()), pos2(full.left() - px(12.0), bar.bottom()));
    tables_ui(ui, cx, tables, rest);
}

/// Draws how many tables play, are stopped, have trouble with the board, and are done.
fn tables_ui(ui: &Ui, cx: &Cx<'_>, tables: &[TileNow], area: Rect) {
    let count =
        |wanted: &[Standing]| tables.iter().filter(|table| wanted.contains(&Standing::of(table))).count();
    let theme = cx.theme;
    let trouble = [Standing::Differs, Standing::Lost, Standing::Broken];
    let counted = |icon, number, word, ink| StateCount { icon, number, word, ink, drawn: number > 0 };
    let plays = count(&[Standing::Plays, Standing::Asks]);
    let counts = [
        StateCount { drawn: true, ..counted(Icon::Play, plays, "hall-run", theme.text) },
        counted(Icon::Pause, count(&[Standing::Stopped]), "hall-stopped-word", theme.text),
        counted(Icon::Warning, count(&trouble), "several-trouble", theme.bad),
        counted(Icon::Check, count(&[Standing::Done]), "hall-done-word", theme.text),
    ];
    counts_ui(ui, cx, area, &counts);
}
