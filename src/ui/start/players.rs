//! Who plays: a field for each side's name, with the names of earlier matches behind it, and who has White.

use egui::{
    Align, Align2, FontId, Layout, Popup, Rect, RichText, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, pos2,
};
use tabiya_app::desk::Wish;
use tabiya_types::{Color, Seat};

use super::form::Form;
use super::{label_line, shown_name};
use crate::art;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{cut_top, split, write};
use crate::theme::{BUTTON_RADIUS, GRID, bold_font};

/// How many names of earlier matches are offered.
const NAMES: usize = 12;

/// The height of this part, for a rem of 16 points.
pub(super) fn height(narrow: bool) -> f32 {
    if narrow { 42.0 } else { 24.0 + 44.0 + 8.0 + 44.0 }
}

/// Draws both names, the swap and the toss.
pub(super) fn players_ui(ui: &mut Ui, cx: &mut Cx<'_>, mut area: Rect, form: &mut Form, narrow: bool) {
    if narrow {
        let swap = area.height();
        let shares = [area.width() / 2.0 - swap, swap, area.width() / 2.0 - swap, swap];
        let [white, change, black, coin] = split(area, &shares, GRID * 2.0).try_into().unwrap_or([area; 4]);
        field_ui(ui, cx, white, Color::White, form);
        field_ui(ui, cx, black, Color::Black, form);
        swap_ui(ui, cx, change, form, "");
        toss_ui(ui, cx, coin, "");
        return;
    }
    let title = cut_top(&mut area, cx.sizes.px(20.0), cx.sizes.px(4.0));
    let mut text = cx.t("who-plays");
    // The result of the toss is shown only until a user chooses the other player for White.
    if let Some(seat) = cx.snapshot.coin.map(|coin| coin.seat).filter(|seat| *seat == form.white) {
        text = cx.words.with("coin-says", &[("name", shown_name(form, seat).into())]);
    }
    label_line(ui, cx, title, "who-plays", &text);
    // The Tab key leads from one name to the other.
    let sides = Color::ALL.map(|color| {
        let row = cut_top(&mut area, cx.sizes.px(44.0), cx.sizes.px(8.0));
        let [field, side] = split(row, &[61.0, 17.0], GRID * 2.0).try_into().unwrap_or([row; 2]);
        field_ui(ui, cx, field, color, form);
        side
    });
    swap_ui(ui, cx, sides[0], form, &cx.t("swap-colors"));
    toss_ui(ui, cx, sides[1], &cx.t("toss"));
}

fn swap_ui(ui: &mut Ui, cx: &Cx<'_>, place: Rect, form: &mut Form, text: &str) {
    let face = ButtonFace::new(Kind::Plain, text).icon(Icon::Swap).said(cx.t("swap-colors"));
    if button_at(ui, cx, place, "swap", &face).clicked() {
        form.white = form.white.other();
    }
}

fn toss_ui(ui: &mut Ui, cx: &mut Cx<'_>, place: Rect, text: &str) {
    let face = ButtonFace::new(Kind::Plain, text).icon(Icon::Coin).said(cx.t("toss"));
    if button_at(ui, cx, place, "toss", &face).clicked() {
        cx.wish(Wish::Toss);
    }
}

/// Draws the field for the name of the player who has this colour.
fn field_ui(ui: &mut Ui, cx: &Cx<'_>, place: Rect, color: Color, form: &mut Form) {
    let seat = if color == Color::White { form.white } else { form.white.other() };
    let (theme, sizes) = (cx.theme, cx.sizes);
    let px = move |points: f32| sizes.px(points);
    let edge = Stroke::new(1.0, theme.edge);
    ui.painter().rect(place, BUTTON_RADIUS, theme.input, edge, StrokeKind::Inside);
    let radius = (place.height() * 0.28).min(px(13.0));
    let disc = pos2(place.left() + px(12.0) + radius, place.center().y);
    art::color_disc(ui.painter(), disc, radius, color, theme);
    let word = Rect::from_min_max(
        pos2(disc.x + radius + px(10.0), place.top()),
        pos2(disc.x + radius + px(72.0), place.bottom()),
    );
    let mut inner =
        ui.new_child(UiBuilder::new().max_rect(word).layout(Layout::left_to_right(Align::Center)));
    let label = inner.label(RichText::new(cx.words.color(color)).color(theme.muted));
    let known = !cx.settings.names.is_empty();
    let end = if known { px(44.0) } else { px(8.0) };
    let line = Rect::from_min_max(
        pos2(label.rect.right() + px(10.0), place.top()),
        pos2(place.right() - end, place.bottom()),
    );
    let name = &mut form.players[seat];
    let mut inner =
        ui.new_child(UiBuilder::new().max_rect(line).layout(Layout::left_to_right(Align::Center)));
    let edit = TextEdit::singleline(name)
        .frame(egui::Frame::NONE)
        .font(bold_font(sizes.lead()))
        .hint_text(seat.word())
        .align(egui::Align2::LEFT_CENTER);
    inner.add_sized(line.size(), edit).labelled_by(label.id);
    // A pasted text may contain line breaks, but a name must be one line.
    name.retain(|sign| !sign.is_control());
    if known {
        let place = Rect::from_min_max(pos2(place.right() - end, place.top()), place.max);
        names_ui(ui, cx, place, seat, name);
    }
}

/// Draws a menu with the names of players of earlier matches. A chosen name is filled in for this seat.
fn names_ui(ui: &mut Ui, cx: &Cx<'_>, place: Rect, seat: Seat, name: &mut String) {
    let said = cx.words.with("known-names", &[("seat", seat.word().into())]);
    let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Down).said(said);
    let response = button_at(ui, cx, place, ("names", seat), &face);
    Popup::menu(&response).show(|ui| {
        for known in cx.settings.names.iter().take(NAMES) {
            if ui.button(known).clicked() {
                name.clone_from(known);
                ui.close();
            }
        }
    });
}

/// Writes a player's name beside the disc of his colour.
pub(super) fn name_line(ui: &Ui, cx: &Cx<'_>, place: Rect, color: Color, who: &str) {
    let radius = place.height() * 0.34;
    let disc = pos2(place.left() + radius + 2.0, place.center().y);
    art::color_disc(ui.painter(), disc, radius, color, cx.theme);
    let font = (FontId::proportional(cx.sizes.rem), cx.theme.text);
    let at = pos2(disc.x + radius + 8.0, place.center().y);
    write(ui.painter(), at, Align2::LEFT_CENTER, who, font, place.right() - at.x);
}
