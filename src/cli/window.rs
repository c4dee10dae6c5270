//! Opens the window for the command line, and reads its settings.

use std::path::PathBuf;

use tabiya_app::desk::{Preparation, Wish};
use tabiya_engine::rules::Group;
use tabiya_store::folders;
use tabiya_store::settings::Settings;
use tabiya_types::shown;
use tabiya_window::{Opening, SeveralOpening};

use super::output::ExitFailure;
#[cfg(debug_assertions)]
use super::surroundings::settings;
use super::surroundings::{SETTINGS, locale, surroundings, tell_settings};

/// Opens the window. `record` is the file for the evening's record, if the user named a file. With `kiosk` the window
/// fills the screen and cannot be left by accident. `Err` if the window
/// cannot be opened.
pub(super) fn open(
    record: Option<PathBuf>,
    wishes: Vec<Wish>,
    kiosk: bool,
    prepare: Option<Preparation>,
) -> Result<(), ExitFailure> {
    // Without these folders, the window would lose records and settings.
    folders::data().and_then(|_| folders::config()).map_err(ExitFailure::unusable)?;
    let around = surroundings();
    let place = Settings::peek(&around.settings).window;
    let desktop = super::desktop::command();
    let several = Some(Box::new(super::play::several_asked) as tabiya_window::MakeSeveral);
    let opening = Opening { surroundings: around, record, wishes, desktop, place, kiosk, prepare, several };
    tabiya_window::open(opening).map_err(ExitFailure::unusable)
}

/// Opens one window for these tables. `Err` if it cannot be opened.
pub(super) fn open_several(opening: SeveralOpening) -> Result<(), ExitFailure> {
    folders::data().and_then(|_| folders::config()).map_err(ExitFailure::unusable)?;
    tabiya_window::open_several(opening).map_err(ExitFailure::unusable)
}

/// Opens the gallery of the window's parts, in the look of this user's settings.
#[cfg(debug_assertions)]
pub(super) fn gallery() -> Result<(), ExitFailure> {
    tabiya_window::open_gallery(settings().look).map_err(ExitFailure::unusable)
}

/// Saves the terms of a match that has begun to the settings, as the window does.
pub(super) fn remember_terms(game: &str, terms: &Group) {
    // Without a folder for settings nothing is saved, and the match goes on.
    let Ok(folder) = folders::config() else { return };
    let file = folder.join(SETTINGS);
    let (mut settings, trouble) = Settings::open(&file, &locale());
    tell_settings(trouble);
    settings.remember_terms(game, terms);
    if let Err(error) = settings.save(&file) {
        super::output::complain(&format!("{}: the settings cannot be written: {error}", shown(&file)));
    }
}
