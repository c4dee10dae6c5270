//! The settings of a desk, and the settings file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::clock::ClockSide;
use tabiya_text::Language;

use tabiya_store::settings::Settings;

/// The current settings, and the file in which they are saved.
#[derive(Debug, Default)]
pub(super) struct Preferences {
    /// The settings file; with `None`, the settings are not saved.
    file: Option<PathBuf>,
    settings: Arc<Settings>,
    /// On which side of the clock White's lever is in this run, until another side is chosen in the settings.
    clock_side: Option<ClockSide>,
    /// The folder for copies of records that the command line named.
    copy: Option<PathBuf>,
}

impl Preferences {
    /// Reads the settings file. The second value is a sentence that says what is wrong with the file, if anything. If
    /// the file does not exist yet, the language is the system's language (`locale`).
    pub(super) fn open(file: &Path, locale: &str) -> (Self, Option<String>) {
        let (settings, trouble) = Settings::open(file, locale);
        (Self { file: Some(file.to_owned()), settings: Arc::new(settings), ..Self::default() }, trouble)
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

    /// White's lever is on this side of the clock in this run, whatever the settings say.
    pub(super) fn put_clock(&mut self, side: ClockSide) {
        self.clock_side = Some(side);
    }

    /// On which side of the clock White's lever is; `None` lets the table guess.
    pub(super) fn clock_side(&self) -> Option<ClockSide> {
        self.clock_side.or(self.settings.clock_side)
    }

    /// Copies every record of this run into this folder, whatever the settings say.
    pub(super) fn copy_into(&mut self, folder: PathBuf) {
        self.copy = Some(folder);
    }

    /// The folder into which records are copied as they are written: the one of the command line, or else that of the
    /// settings.
    pub(super) fn copy_folder(&self) -> Option<PathBuf> {
        self.copy.clone().or_else(|| self.settings.copy.clone())
    }

    /// Uses these settings from now on, and saves them. Another side of the clock counts in this run, too. On `Err` the settings could not be saved, and are used only
    /// until the program ends.
    pub(super) fn keep(&mut self, settings: Settings) -> Result<(), String> {
        if *self.settings == settings {
            return Ok(());
        }
        if self.settings.clock_side != settings.clock_side {
            self.clock_side = None;
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
