//! The option `--language`: the language of what people read. Errors, JSON and the words of the record stay English.

use tabiya_text::{Language, Words};

use super::surroundings::settings;

/// The option `--language`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct LanguageArgument {
    /// The language of the table's sentences; by default the one that was chosen in the window's settings.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<Spoken>,
}

/// A language by its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Spoken {
    En,
    De,
    Es,
}

impl LanguageArgument {
    /// The language that was asked for.
    pub(super) fn asked(&self) -> Option<Language> {
        self.language.map(|spoken| match spoken {
            Spoken::En => Language::English,
            Spoken::De => Language::German,
            Spoken::Es => Language::Spanish,
        })
    }

    /// The texts in this language. Without the option and without a settings file, they are English.
    pub(super) fn words(&self) -> Words {
        Words::of(self.asked().unwrap_or_else(|| settings().language))
    }
}
