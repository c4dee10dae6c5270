//! What people have set and what is remembered from one start to the next, as a JSON file.
//!
//! A file that cannot be read is set aside, never overwritten; the program then starts with its own
//! settings and says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabiya_engine::rules::Group;
use tabiya_text::Language;

use super::files::write_whole;
use crate::presets;

/// How many players' names are remembered.
const NAMES: usize = 40;

/// How bright the screens are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Appearance {
    /// Light words on dark.
    #[default]
    Dark,
    /// Dark words on light.
    Light,
    /// Black, white and yellow.
    Contrast,
}

impl Appearance {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Contrast];
}

/// The colours of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardColors {
    /// Wood.
    #[default]
    Brown,
    /// Tournament vinyl.
    Green,
    /// Cool.
    Blue,
    /// Without colour.
    Grey,
}

impl BoardColors {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Brown, Self::Green, Self::Blue, Self::Grey];
}

/// Terms that somebody named.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OwnPreset {
    /// Its name.
    pub name: String,
    /// The game's name in the record.
    pub game: String,
    /// The terms as the record has them.
    pub terms: Group,
}

/// What is kept between two starts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The screens' language.
    pub language: Language,
    /// Their brightness.
    pub look: Appearance,
    /// The size of words in percent, 80..=200.
    pub text_percent: u16,
    /// The squares' colours.
    pub board_colors: BoardColors,
    /// Whether the black side is shown below.
    pub black_below: bool,
    /// Whether sounds are played.
    pub sounds: bool,
    /// How loud, 0..=100.
    pub volume: u8,
    /// Whether prompts, moves and times are spoken.
    pub speech: bool,
    /// Seconds left at which a clock warns.
    pub warnings: Vec<u32>,
    /// Seconds left below which a clock shows tenths, 0..=60; never at 0.
    pub tenths_below: u32,
    /// Keys that people changed: the command's word to the key's name.
    pub keys: BTreeMap<String, String>,
    /// Players, the latest first.
    pub names: Vec<String>,
    /// Terms that somebody named.
    pub presets: Vec<OwnPreset>,
    /// The terms of the last match.
    pub last: Option<OwnPreset>,
    /// The last terms of each game, by its name.
    pub last_of: BTreeMap<String, Group>,
    /// The board that was connected last.
    pub board: Option<String>,
    /// The deck of cards with chips that was played with last.
    pub deck: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::default(),
            look: Appearance::default(),
            text_percent: 100,
            board_colors: BoardColors::default(),
            black_below: false,
            sounds: true,
            volume: 70,
            speech: false,
            warnings: vec![30, 10],
            tenths_below: 10,
            keys: BTreeMap::new(),
            names: Vec::new(),
            presets: Vec::new(),
            last: None,
            last_of: BTreeMap::new(),
            board: None,
            deck: None,
        }
    }
}

impl Settings {
    /// Reads the file. A file that is no settings is set aside, and a sentence says where.
    pub fn load(path: &Path) -> (Self, Option<String>) {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => return (Self::default(), Some(set_aside(path, &error.to_string()))),
        };
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(settings) => (settings.within_bounds(), None),
            Err(error) => (Self::default(), Some(set_aside(path, &error.to_string()))),
        }
    }

    /// The same, where whoever has never set anything gets the language of the system.
    pub fn open(path: &Path, locale: &str) -> (Self, Option<String>) {
        let first = !path.exists();
        let (mut settings, trouble) = Self::load(path);
        if first {
            settings.language = Language::of_locale(locale);
        }
        (settings, trouble)
    }

    /// Writes the file, whole.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        write_whole(path, &(text + "\n"))
    }

    /// These settings with what somebody changed between `before` and `after`, and nothing else.
    #[must_use]
    pub fn changed(&self, before: &Self, after: &Self) -> Self {
        let fields = |settings: &Self| match serde_json::to_value(settings) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) | Err(_) => Map::new(),
        };
        let (mut now, before) = (fields(self), fields(before));
        now.extend(fields(after).into_iter().filter(|(name, value)| before.get(name) != Some(value)));
        serde_json::from_value(Value::Object(now)).map_or_else(|_| after.clone(), Self::within_bounds)
    }

    /// Remembers who played, the latest first.
    pub fn remember_names<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names.filter(|name| !name.trim().is_empty()) {
            self.names.retain(|known| known != name);
            self.names.insert(0, name.to_owned());
        }
        self.names.truncate(NAMES);
    }

    /// Remembers on which terms a match was begun.
    pub fn remember_terms(&mut self, game: &str, terms: &Group) {
        self.last = Some(OwnPreset { name: String::new(), game: game.to_owned(), terms: terms.clone() });
        self.last_of.insert(game.to_owned(), terms.clone());
    }

    /// The terms that were kept under this name for a clock alone; without a name the last ones.
    pub fn clock(&self, name: Option<&str>) -> Option<Group> {
        match name {
            None => self.last_of.get(presets::clock_alone()).cloned(),
            Some(name) => self.clocks().find(|own| own.name == name).map(|own| own.terms.clone()),
        }
    }

    /// The names under which clocks were kept.
    pub fn clock_names(&self) -> Vec<String> {
        self.clocks().map(|own| own.name.clone()).collect()
    }

    fn clocks(&self) -> impl Iterator<Item = &OwnPreset> {
        self.presets.iter().filter(|own| own.game == presets::clock_alone())
    }

    /// A file that was written by hand can ask for anything.
    fn within_bounds(mut self) -> Self {
        self.text_percent = self.text_percent.clamp(80, 200);
        self.volume = self.volume.min(100);
        self.warnings.truncate(5);
        self.tenths_below = self.tenths_below.min(60);
        self.names.truncate(NAMES);
        self
    }
}

/// Moves a file that is no settings out of the way, beside those that were moved before; a sentence says
/// where.
fn set_aside(path: &Path, why: &str) -> String {
    let name = path.display();
    let place = |number: u32| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(aside)
    };
    let aside = (1..100).map(place).find(|aside| !aside.exists()).unwrap_or_else(|| place(100));
    let kept = match std::fs::rename(path, &aside) {
        Ok(()) => format!("it was set aside as {}", aside.display()),
        Err(error) => format!("it could not be set aside: {error}"),
    };
    format!("{name}: these are no settings ({why}); {kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_were_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings { text_percent: 140, speech: true, ..Settings::default() };
        settings.remember_names(["Ann", "Bo", "Ann"].into_iter());
        settings.save(&path).expect("written");
        assert_eq!(Settings::load(&path), (settings.clone(), None));
        assert_eq!(settings.names, ["Ann", "Bo"]);
    }

    #[test]
    fn a_file_that_is_no_settings_is_set_aside_and_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"volume\": \"loud\"}").expect("written");
        let (settings, told) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(told.is_some_and(|told| told.contains("set aside")));
        assert!(folder.path().join("settings.json.unreadable").exists());
        // The next one does not take its place.
        std::fs::write(&path, b"{\"names\": [\"J\xf6rg\"]}").expect("written");
        assert!(Settings::load(&path).1.is_some_and(|told| told.contains("unreadable-2")));
    }

    #[test]
    fn two_changes_from_the_same_screen_both_count() {
        let shown = Settings::default();
        let first = shown.changed(&shown, &Settings { speech: true, ..shown.clone() });
        let second = first.changed(&shown, &Settings { volume: 10, ..shown.clone() });
        assert!(second.speech && second.volume == 10);
    }

    #[test]
    fn what_a_file_asks_for_stays_within_bounds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"text_percent\": 9000, \"volume\": 255}").expect("written");
        let (settings, _) = Settings::load(&path);
        assert_eq!((settings.text_percent, settings.volume), (200, 100));
    }
}
