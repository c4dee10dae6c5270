//! The window, as the command line opens it.

use std::path::PathBuf;

use tabiya_app::desk::Wish;
use tabiya_app::store::folders;
use tabiya_app::store::settings::Settings;
use tabiya_engine::rules::Group;
use tabiya_types::harmless_lines;
use tabiya_window::Opening;

use super::ExitFailure;
use super::surroundings::{SETTINGS, locale, surroundings};

/// Opens the window; `record` is the evening's file where it is named.
pub(super) fn open(record: Option<PathBuf>, wishes: Vec<Wish>) -> Result<(), ExitFailure> {
    // A window without a place for records and settings would lose them.
    folders::data().and_then(|_| folders::config()).map_err(ExitFailure::unusable)?;
    let around = surroundings();
    tabiya_window::open(Opening { around, record, wishes }).map_err(ExitFailure::unusable)
}

/// What this user has set, as it is on disk; the usual where nothing is.
pub(super) fn settings() -> Settings {
    let file = folders::config().map(|folder| folder.join(SETTINGS));
    let Ok(file) = file else { return Settings::default() };
    let (settings, told) = Settings::load(&file);
    if let Some(told) = told {
        eprintln!("{}", harmless_lines(&told));
    }
    settings
}

/// Remembers on which terms a match was begun, as the window does.
pub(super) fn remember_terms(game: &str, terms: &Group) {
    // Whoever has no place for settings has nothing remembered, and plays all the same.
    let Ok(folder) = folders::config() else { return };
    let file = folder.join(SETTINGS);
    let (mut settings, _) = Settings::open(&file, &locale());
    settings.remember_terms(game, terms);
    if let Err(error) = settings.save(&file) {
        let file = file.display().to_string();
        eprintln!("{}: the settings cannot be written: {error}", harmless_lines(&file));
    }
}
