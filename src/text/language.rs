//! The languages that a person can choose.

use serde::{Deserialize, Serialize};

/// A language of the screens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
    /// German.
    German,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::German];

    /// The language tag that operating systems use, such as `de`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
        }
    }

    /// The language for a system locale such as `de_AT.UTF-8`; English if the locale names no supported language.
    pub fn of_locale(locale: &str) -> Self {
        Self::ALL.into_iter().find(|language| locale.starts_with(language.tag())).unwrap_or_default()
    }
}
