//! What the legal moves do to the poker hands, if both players want to see it.

use egui::{Align2, FontId, Popup, PopupCloseBehavior, Rect, RichText, Role, ScrollArea, Sense, Ui, pos2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{PokerView, TableView};
use tabiya_types::Color;

use crate::cx::Cx;
use crate::kit::button::{ButtonFace, CHOICE, Kind, button_at};
use crate::kit::{split, write};
use crate::widgets::name;

/// The width of the menu and the height of its list, at a rem of 16 points.
const MENU: f32 = 440.0;
const MOVES: f32 = 320.0;

/// Draws the words that open the menu at the right end of a row, from which their place is cut, in a game that has one.
pub(super) fn study_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, row: &mut Rect) {
    let Some(poker) = view.poker.as_ref().filter(|poker| poker.learners.is_some()) else { return };
    let text = cx.t("study-hands");
    let lay =
        |size: f32| ui.painter().layout_no_wrap(text.clone(), FontId::proportional(size), cx.theme.text);
    let room = row.width() * 0.5;
    let size = Some(cx.sizes.small()).filter(|size| lay(*size).size().x <= room);
    // In a narrow row a sign stands for the words.
    let shown = if size.is_some() { text.as_str() } else { "…" };
    let size = cx.sizes.small();
    let font = FontId::proportional(size);
    let width = ui.painter().layout_no_wrap(shown.to_owned(), font.clone(), cx.theme.text).size().x;
    let width = (width + cx.sizes.px(8.0)).max(cx.sizes.px(32.0));
    let place = Rect::from_min_max(pos2(row.right() - width, row.top()), row.max);
    let response = ui.interact(place, ui.scope_id().with("study-hands"), Sense::click());
    let ink = if response.hovered() { cx.theme.text } else { cx.theme.muted };
    write(ui.painter(), place.right_center(), Align2::RIGHT_CENTER, shown, (font, ink), width);
    if response.has_focus() {
        crate::kit::panel::ring(ui.painter(), cx.theme, place.shrink(2.0));
    }
    name(&response, Role::Button, true, &text);
    row.max.x = place.left() - cx.sizes.px(8.0);
    let stays = PopupCloseBehavior::CloseOnClickOutside;
    Popup::menu(&response).close_behavior(stays).show(|ui| {
        ui.set_width(cx.sizes.px(MENU));
        learn_ui(ui, cx, view, poker);
    });
}

/// Draws for each player whether he wants to see what the moves do to the hands, and the list if both want it.
fn learn_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, poker: &PokerView) {
    let Some(learners) = poker.learners else { return };
    ui.label(RichText::new(cx.t("learn-moves")).color(cx.theme.muted));
    let (_, row) = ui.allocate_space(egui::vec2(ui.available_width(), cx.sizes.px(CHOICE)));
    for (place, color) in split(row, &[1.0, 1.0], cx.sizes.px(8.0)).into_iter().zip(Color::ALL) {
        let seat = view.seats[color];
        let on = learners[seat];
        let text = cx.words.with("learn-agrees", &[("name", view.names[color].clone().into())]);
        let face = ButtonFace::new(Kind::Choice(on), &text);
        if button_at(ui, cx, place, ("learn", color), &face).clicked() {
            cx.wish(Wish::Learn(seat, !on));
        }
    }
    if poker.moves.is_empty() {
        return;
    }
    ScrollArea::vertical()
        .id_salt("moves")
        .max_height(cx.sizes.px(MOVES))
        .min_scrolled_height(cx.sizes.px(MOVES) / 2.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for (san, after) in poker.moves.iter() {
                let won = after.winner.map_or_else(|| "=".to_owned(), |by| cx.who(by));
                let facts = [
                    ("move", cx.words.san(san).into()),
                    ("white", cx.say(&after.hands.white.sentence()).into()),
                    ("black", cx.say(&after.hands.black.sentence()).into()),
                    ("won", won.into()),
                ];
                ui.label(RichText::new(cx.words.with("move-line", &facts)).color(cx.theme.muted));
            }
        });
}
