//! The settings of a desk, and the settings file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_text::Language;

use tabiya_store::settings::Settings;

/// The current settings, and the file in which they are saved.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// The settings file; with `None`, the settings are not saved.
    file: Option<PathBuf>,
    settings: Arc<Settings>,
}

impl Preferences {
    /// Reads the settings file. The second value is a sentence that says what is wrong with the file, if anything. If
    /// the file does not exist yet, the language is the system's language (`locale`).
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

    /// Shows everything in this language, without saving that.
    pub(super) fn speak(&mut self, language: Language) {
        Arc::make_mut(&mut self.settings).language = language;
    }

    /// Uses these settings from now on, and saves them. On `Err` the settings could not be saved, and are used only
    /// until the program ends.
    pub(super) fn keep(&mut self, settings: Settings) -> Result<(), String> {
        if *self.settings == settings {
            return Ok(());
        }
        let saved = match &self.file {
            Some(file) => settings.save(file).map_err(|error| {
                format!("{}: the settings cannot be written: {error}", tabiya_types::shown(file))
            }),
            None => Ok(()),
        };
        self.settings = Arc::new(settings);
        saved
    }
}
