//! The sounds in the settings: each has its name, and a button to hear it.

use egui::{Grid, Role, Ui};

use super::aloud::Sound;
use super::cx::Cx;
use super::widgets::{button, hint, name};

/// Draws the list. Returns the sound that the user wants to hear.
pub(super) fn hear_ui(ui: &mut Ui, cx: &Cx<'_>) -> Option<Sound> {
    let mut heard = None;
    Grid::new("sounds-heard").num_columns(2).spacing([cx.sizes.px(24.0), cx.sizes.px(4.0)]).show(ui, |ui| {
        for sound in Sound::ALL {
            let what = cx.words.word("sound", sound.word());
            ui.label(&what);
            let response = button(ui, &cx.t("hear"), cx.settings.volume > 0);
            let said = cx.words.with("hear-sound", &[("what", what.into())]);
            name(&response, Role::Button, cx.settings.volume > 0, &said);
            if response.clicked() {
                heard = Some(sound);
            }
            ui.end_row();
        }
    });
    if cx.mute {
        hint(ui, &cx.t("no-player"));
    }
    heard
}
