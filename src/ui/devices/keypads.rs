//! The players' keypads: where a telephone reaches the table, the code, and which telephones are keypads.

use egui::{Color32, Rect, RichText, Role, Sense, Ui, vec2};
use tabiya_app::desk::{KeypadWish, Wish};
use tabiya_app::keypads::{KeypadDoor, KeypadOf, KeypadVisitor, keypad_in_words, square_of};
use tabiya_types::{Color, Seat};

use crate::cx::Cx;
use crate::widgets::{button, heading, hint, label, name, panel};

/// The side of a module of the square, and the quiet edge around it in modules.
const MODULE: f32 = 3.5;
const QUIET: f32 = 4.0;

/// Draws the keypads.
pub(super) fn keypads_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    heading(ui, &cx.t("keypads"));
    let view = cx.snapshot.keypads.clone();
    let Some(door) = &view.door else {
        hint(ui, &cx.t("keypads-how"));
        return;
    };
    if view.waits_for_arbiter {
        hint(ui, &cx.t("keypads-need-arbiter"));
        return;
    }
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        door_ui(ui, cx, door, view.code.as_deref());
    });
    for (of, visitor) in &view.pads {
        pad_ui(ui, cx, *of, visitor);
    }
}

/// Draws where the keypads are, and the code.
fn door_ui(ui: &mut Ui, cx: &mut Cx<'_>, door: &KeypadDoor, code: Option<&str>) {
    ui.horizontal_wrapped(|ui| {
        if let Some(address) = door.addresses.first() {
            square_ui(ui, cx, address);
        }
        ui.vertical(|ui| {
            for address in &door.addresses {
                ui.label(RichText::new(address).font(cx.bold(15.0)));
            }
            match code {
                Some(code) => {
                    let said = cx.words.with("keypads-code", &[("code", code.to_owned().into())]);
                    let response = ui.label(RichText::new(code).font(cx.bold(52.0)));
                    name(&response, Role::Label, true, &said);
                }
                None => hint(ui, &cx.t("keypads-code-waits")),
            }
            let text = cx.t("keypads-other-code");
            if button(ui, &text, code.is_some()).clicked() {
                cx.wish(Wish::Keypads(KeypadWish::Renew));
            }
        });
    });
    hint(ui, &cx.words.with("keypads-six-words", &[("words", door.words.join(" ").into())]));
}

/// Draws a square that a camera reads: dark on light in every look, as cameras want it.
fn square_ui(ui: &mut Ui, cx: &Cx<'_>, address: &str) {
    let rows = square_of(address);
    let module = cx.sizes.px(MODULE);
    #[expect(clippy::cast_precision_loss, reason = "a square has at most 177 rows")]
    let side = (rows.len() as f32 + 2.0 * QUIET) * module;
    let (place, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
    ui.painter().rect_filled(place, 4.0, Color32::WHITE);
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, dark)| **dark) {
            #[expect(clippy::cast_precision_loss, reason = "a square has at most 177 rows")]
            let at = place.min + (vec2(x as f32, y as f32) + vec2(QUIET, QUIET)) * module;
            ui.painter().rect_filled(Rect::from_min_size(at, vec2(module, module)), 0.0, Color32::BLACK);
        }
    }
    label(
        ui,
        place,
        "keypads-square",
        &cx.words.with("keypads-square", &[("address", address.to_owned().into())]),
    );
}

/// Draws one keypad, with the way to remove it.
fn pad_ui(ui: &mut Ui, cx: &mut Cx<'_>, of: KeypadOf, visitor: &KeypadVisitor) {
    let table = cx.snapshot.table.clone();
    let name_of = |seat: Seat| {
        let view = table.as_ref();
        view.map_or_else(String::new, |view| {
            let color = if view.seats.white == seat { Color::White } else { Color::Black };
            view.names[color].clone()
        })
    };
    let what = crate::widgets::capital(&cx.say(&keypad_in_words(of, name_of)));
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(&what).font(cx.bold(14.0)));
        hint(ui, &format!("“{}”, {}", visitor.name, visitor.from));
        let text = cx.t("keypads-remove");
        let response = button(ui, &text, true);
        name(&response, Role::Button, true, &format!("{text}: {what}"));
        if response.clicked() {
            cx.wish(Wish::Keypads(KeypadWish::Remove(of)));
        }
    });
}
