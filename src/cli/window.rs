//! The window, as the command line opens it.
#![expect(clippy::disallowed_methods, reason = "this room reads the date for headers")]

use std::path::PathBuf;

use super::{Failure, play};
use crate::app::desk::{Surroundings, Wish};
use crate::ui::{self, Opening};

/// The folder for records instead of the system's own; tests and portable installations set it.
const DATA: &str = "TABIYA_DATA";
/// The folder for settings, likewise.
const CONFIG: &str = "TABIYA_CONFIG";

/// Opens the window; `record` is the evening's file where it is named.
pub(super) fn open(record: Option<PathBuf>, wishes: Vec<Wish>) -> Result<(), Failure> {
    ui::open(Opening { around: surroundings()?, record, wishes }).map_err(Failure::unusable)
}

/// Dates, chance and the places of this user's files.
fn surroundings() -> Result<Surroundings, Failure> {
    let named = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let usual = directories::ProjectDirs::from("", "", "tabiya");
    let folder = |own: Option<PathBuf>, usual: Option<PathBuf>, name: &str| {
        own.or(usual).ok_or_else(|| {
            Failure::unusable(format!("there is no home folder to keep files in; name one in {name}"))
        })
    };
    let data = folder(named(DATA), usual.as_ref().map(|dirs| dirs.data_dir().to_owned()), DATA)?;
    let config = folder(named(CONFIG), usual.as_ref().map(|dirs| dirs.config_dir().to_owned()), CONFIG)?;
    Ok(Surroundings {
        date: Box::new(|| chrono::Local::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, false)),
        coin: Box::new(|| play::toss().map_err(|failure| failure.sentence)),
        evenings: data,
        settings: config.join("settings.json"),
        locale: locale(),
    })
}

/// The language of messages, as POSIX has it: the first of these that says something.
fn locale() -> String {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let first = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
    first.and_then(|name| std::env::var(name).ok()).unwrap_or_default()
}
