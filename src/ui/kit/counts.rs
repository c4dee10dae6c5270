//! How many tables are in each state: signs with numbers and words, at the right end of a bar.

use egui::{Align2, Color32, FontId, Rect, Role, Sense, Ui, Vec2, pos2};

use super::icon::Icon;
use super::write;
use crate::cx::Cx;
use crate::theme::bold_font;
use crate::widgets::name;

/// The tables of one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StateCount {
    pub(crate) icon: Icon,
    pub(crate) number: usize,
    /// The name of the text beside the number.
    pub(crate) word: &'static str,
    pub(crate) ink: Color32,
    /// Whether it is drawn; screen readers hear of it in any case.
    pub(crate) drawn: bool,
}

/// Draws the counts from the right; those for which there is no room are left out.
pub(crate) fn counts_ui(ui: &Ui, cx: &Cx<'_>, area: Rect, counts: &[StateCount]) {
    let px = |points: f32| cx.sizes.px(points);
    let (mut said, mut x, y) = (Vec::new(), area.right(), area.center().y);
    for StateCount { icon, number, word, ink, drawn } in counts.iter().rev() {
        let word = cx.words.with(word, &[("count", (*number).into())]);
        said.insert(0, format!("{number} {word}"));
        if x - area.left() < px(110.0) || !drawn {
            continue;
        }
        let small = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        x = write(ui.painter(), pos2(x, y), Align2::RIGHT_CENTER, &word, small, px(90.0)).left() - px(6.0);
        let bold = (bold_font(cx.sizes.rem), *ink);
        x = write(ui.painter(), pos2(x, y), Align2::RIGHT_CENTER, &number.to_string(), bold, px(60.0)).left();
        let sign = Rect::from_center_size(pos2(x - px(14.0), y), Vec2::splat(px(15.0)));
        icon.draw(ui.painter(), sign, *ink);
        x = sign.left() - px(12.0);
    }
    let response = ui.interact(area, ui.scope_id().with("counts"), Sense::hover());
    name(&response, Role::Label, true, &said.join(", "));
}
