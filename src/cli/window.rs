//! The window, as the command line opens it.
#![expect(clippy::disallowed_methods, reason = "this room reads the date for headers")]

use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde_json::{Map, Value};

use super::{Failure, play};
use crate::app::desk::{Surroundings, Wish};
use crate::app::settings::Settings;
use crate::rules::harmless_lines;
use crate::ui::{self, Opening};

/// The folder for records instead of the system's own; tests and portable installations set it.
const DATA: &str = "TABIYA_DATA";
/// The folder for settings, likewise.
const CONFIG: &str = "TABIYA_CONFIG";
/// The settings' file in it.
const SETTINGS: &str = "settings.json";

/// Opens the window; `record` is the evening's file where it is named.
pub(super) fn open(record: Option<PathBuf>, wishes: Vec<Wish>) -> Result<(), Failure> {
    ui::open(Opening { around: surroundings()?, record, wishes }).map_err(Failure::unusable)
}

/// What this user has set, as it is on disk; the usual where nothing is.
pub(super) fn settings() -> Settings {
    let file = folder(CONFIG, ProjectDirs::config_dir).map(|folder| folder.join(SETTINGS));
    let Ok(file) = file else { return Settings::default() };
    let (settings, told) = Settings::load(&file);
    if let Some(told) = told {
        eprintln!("{}", harmless_lines(&told));
    }
    settings
}

/// Remembers on which terms a match was begun, as the window does.
pub(super) fn remember_terms(game: &str, terms: &Map<String, Value>) {
    // Whoever has no place for settings has nothing remembered, and plays all the same.
    let Ok(folder) = folder(CONFIG, ProjectDirs::config_dir) else { return };
    let file = folder.join(SETTINGS);
    let (mut settings, _) = Settings::open(&file, &locale());
    settings.remember_terms(game, terms);
    if let Err(error) = settings.save(&file) {
        let file = file.display().to_string();
        eprintln!("{}: the settings cannot be written: {error}", harmless_lines(&file));
    }
}

/// A folder of this user's, where it is not named otherwise.
fn folder(name: &str, usual: fn(&ProjectDirs) -> &Path) -> Result<PathBuf, Failure> {
    let own = std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let dirs = || ProjectDirs::from("", "", "tabiya").map(|dirs| usual(&dirs).to_owned());
    own.or_else(dirs).ok_or_else(|| {
        Failure::unusable(format!("there is no home folder to keep files in; name one in {name}"))
    })
}

/// Dates, chance and the places of this user's files.
fn surroundings() -> Result<Surroundings, Failure> {
    let data = folder(DATA, ProjectDirs::data_dir)?;
    let config = folder(CONFIG, ProjectDirs::config_dir)?;
    Ok(Surroundings {
        date: Box::new(|| chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)),
        coin: Box::new(|| play::toss().map_err(|failure| failure.sentence)),
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
