//! The window, as the command line opens it.
#![expect(
    clippy::disallowed_methods,
    reason = "this room reads the date for headers and draws chance for cards"
)]

use std::path::PathBuf;

use super::{Failure, play};
use tabiya_app::desk::{Surroundings, Wish};
use tabiya_app::folders;
use tabiya_app::settings::Settings;
use tabiya_engine::rules::Group;
use tabiya_types::harmless_lines;
use tabiya_window::Opening;

/// The settings' file in the folder for them.
const SETTINGS: &str = "settings.json";

/// Opens the window; `record` is the evening's file where it is named.
pub(super) fn open(record: Option<PathBuf>, wishes: Vec<Wish>) -> Result<(), Failure> {
    tabiya_window::open(Opening { around: surroundings()?, record, wishes }).map_err(Failure::unusable)
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

/// Dates, chance and the places of this user's files.
fn surroundings() -> Result<Surroundings, Failure> {
    let data = folders::data().map_err(Failure::unusable)?;
    let config = folders::config().map_err(Failure::unusable)?;
    Ok(Surroundings {
        date: Box::new(|| chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)),
        coin: Box::new(|| play::toss().map_err(|failure| failure.sentence)),
        chance: Box::new(|bytes| {
            getrandom::fill(bytes)
                .map_err(|error| format!("there are no random numbers: {error}; restart the computer"))
        }),
        evenings: data,
        settings: config.join(SETTINGS),
        home: directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        locale: locale(),
    })
}

/// The language of messages, as POSIX has it: the first of these that says something.
fn locale() -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let first = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
    first.and_then(|name| std::env::var(name).ok()).unwrap_or_default()
}
