//! What people have set, as a desk keeps it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::settings::Settings;

/// The settings and their file.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// Nothing is kept where there is none.
    file: Option<PathBuf>,
    settings: Arc<Settings>,
}

impl Preferences {
    /// Reads the file; what is wrong with it is a sentence. Whoever has never set anything gets the system's language.
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

    /// From now on it is these. `Err` says that they are for this evening alone.
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
