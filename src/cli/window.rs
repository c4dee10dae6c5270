//! Opens the window for the command line, and reads its settings.

use std::path::PathBuf;

use tabiya_app::desk::Wish;
use tabiya_app::store::folders;
use tabiya_app::store::settings::Settings;
use tabiya_engine::rules::Group;
use tabiya_types::harmless_lines;
use tabiya_window::Opening;

use super::ExitFailure;
use super::surroundings::{SETTINGS, locale, surroundings};

/// Opens the window. `record` is the file for the evening's record, if the user named a file. With `kiosk` the window
/// fills the screen and cannot be left by accident. `Err` if the window
/// cannot be opened.
pub(super) fn open(record: Option<PathBuf>, wishes: Vec<Wish>, kiosk: bool) -> Result<(), ExitFailure> {
    // Without these folders, the window would lose records and settings.
    folders::data().and_then(|_| folders::config()).map_err(ExitFailure::unusable)?;
    let around = surroundings();
    let place = Settings::peek(&around.settings).window;
    let desktop = super::desktop::command();
    let opening = Opening { surroundings: around, record, wishes, desktop, place, kiosk };
    tabiya_window::open(opening).map_err(ExitFailure::unusable)
}

/// Opens the gallery of the window's parts, in the look of this user's settings.
#[cfg(debug_assertions)]
pub(super) fn gallery() -> Result<(), ExitFailure> {
    tabiya_window::open_gallery(settings().look).map_err(ExitFailure::unusable)
}

/// Reads this user's settings. If the file is missing or unreadable, returns the default settings. Prints what is wrong
/// with the file.
pub(super) fn settings() -> Settings {
    let file = folders::config().map(|folder| folder.join(SETTINGS));
    let Ok(file) = file else { return Settings::default() };
    let (settings, fault) = Settings::load(&file);
    if let Some(fault) = fault {
        eprintln!("{}", harmless_lines(&fault));
    }
    settings
}

/// Saves the terms of a match that has begun to the settings, as the window does.
pub(super) fn remember_terms(game: &str, terms: &Group) {
    // Without a folder for settings nothing is saved, and the match goes on.
    let Ok(folder) = folders::config() else { return };
    let file = folder.join(SETTINGS);
    let (mut settings, _) = Settings::open(&file, &locale());
    settings.remember_terms(game, terms);
    if let Err(error) = settings.save(&file) {
        let file = tabiya_types::shown(&file);
        eprintln!("{}: the settings cannot be written: {error}", harmless_lines(&file));
    }
}
