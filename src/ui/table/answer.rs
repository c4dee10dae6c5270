//! A long answer to a typed line, such as the list of words: it takes the place of the controls until it is closed or
//! people play on.

use egui::{RichText, ScrollArea, Ui, UiBuilder};
use tabiya_app::snapshot::{LongAnswer, TableView};

use super::sizes::{GAP, LOW};
use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::cut_bottom;

/// Closes the answer as soon as the table has accepted an action, however people entered it: then they play on.
pub(super) fn follow(cx: &Cx<'_>, view: &TableView, state: &mut TableState) {
    let Some(number) = open(cx, state).map(|answer| answer.number) else { return };
    let (of, acts) = *state.answer_since.get_or_insert((number, view.acts));
    if of != number {
        state.answer_since = Some((number, view.acts));
    } else if acts != view.acts {
        state.answers_read = number;
    }
}

/// The answer that is open: the last one, unless it was closed.
pub(super) fn open<'a>(cx: &Cx<'a>, state: &TableState) -> Option<&'a LongAnswer> {
    cx.snapshot.answer.as_deref().filter(|answer| answer.number > state.answers_read)
}

/// Draws the answer into the area, in which it scrolls.
pub(super) fn answer_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, mut area: egui::Rect) {
    let Some(answer) = open(cx, state) else { return };
    let high = cx.sizes.px(LOW).min(area.height() * 0.4);
    let foot = cut_bottom(&mut area, high, cx.sizes.px(GAP));
    let mut inner = ui.new_child(UiBuilder::new().max_rect(area));
    inner.shrink_clip_rect(area);
    ScrollArea::vertical().id_salt(("answer", answer.number)).auto_shrink(false).show(&mut inner, |ui| {
        ui.vertical(|ui| {
            for line in &answer.lines {
                ui.label(RichText::new(cx.say(line)).size(cx.sizes.small()).color(cx.theme.text));
            }
        });
    });
    let number = answer.number;
    let text = cx.t("close-answer");
    let face = ButtonFace::new(Kind::Plain, &text).key(cx.key(Command::No));
    if button_at(ui, cx, foot, "close-answer", &face).clicked() || cx.takes(Command::No) {
        state.answers_read = number;
    }
}
