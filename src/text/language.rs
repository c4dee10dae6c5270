//! The languages that people can choose.

use serde::{Deserialize, Serialize};

/// The languages of the screens.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::English, Self::Spanish, Self::German];

    /// Its tag, as systems name it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
            Self::German => "de",
        }
    }

    /// The language of a system's setting such as `de_AT.UTF-8`; English where there is none.
    pub fn of_locale(locale: &str) -> Self {
        Self::ALL.into_iter().find(|language| locale.starts_with(language.tag())).unwrap_or_default()
    }
}
