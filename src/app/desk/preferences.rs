//! The settings of a desk, and the file that keeps them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::settings::Settings;

/// The settings and their file.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// The file of the settings; without one nothing is saved.
    file: Option<PathBuf>,
    settings: Arc<Settings>,
}

impl Preferences {
    /// Reads the settings' file. The second value is a sentence that says what is wrong with the file. If nothing was
    /// ever set, the language is the system's (`locale`).
    pub(super) fn open(file: &Path, locale: &str) -> (Self, Option<String>) {
        let (settings, trouble) = Settings::open(file, locale);
        (Self { file: Some(file.to_owned()), settings: Arc::new(settings) }, trouble)
    }

    pub(super) fn now(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Uses these settings from now on, and saves them. On `Err` they could not be saved: they last until the program
    /// ends.
    pub(super) fn keep(&mut self, settings: Settings) -> Result<(), String> {
        if *self.settings == settings {
            return Ok(());
        }
        let saved = match &self.file {
            Some(file) => settings
                .save(file)
                .map_err(|error| format!("{}: the settings cannot be written: {error}", file.display())),
            None => Ok(()),
        };
        self.settings = Arc::new(settings);
        saved
    }
}
