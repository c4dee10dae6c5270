//! The settings, and what the program remembers from one start to the next, as a JSON file.
//!
//! A file that cannot be read is renamed, never overwritten; the program then starts with the default settings and
//! reports it.

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

/// The colour scheme of the screens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Appearance {
    /// Dark or light as the system has it; dark if the system does not say.
    #[default]
    System,
    /// Light text on a dark background.
    Dark,
    /// Dark text on a light background.
    Light,
    /// High contrast: black, white and yellow.
    Contrast,
}

impl Appearance {
    /// All colour schemes.
    pub const ALL: [Self; 4] = [Self::System, Self::Dark, Self::Light, Self::Contrast];

    /// The scheme that is drawn while the system has a dark look; `None` if it does not say.
    #[must_use]
    pub fn drawn(self, dark: Option<bool>) -> Self {
        match self {
            Self::System if dark == Some(false) => Self::Light,
            Self::System => Self::Dark,
            Self::Dark | Self::Light | Self::Contrast => self,
        }
    }
}

/// Where the window stood when it was used last, in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WindowPlace {
    /// The upper left corner of its frame; `None` where the system does not tell, as under Wayland.
    pub at: Option<[f32; 2]>,
    /// The width and the height of its content while it is not maximised.
    pub size: [f32; 2],
    /// Whether it was maximised.
    #[serde(default)]
    pub maximised: bool,
}

/// The colours of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardColors {
    /// Brown, like wood.
    #[default]
    Brown,
    /// Green, like vinyl boards at tournaments.
    Green,
    /// Blue.
    Blue,
    /// Grey.
    Grey,
}

impl BoardColors {
    /// All board colours.
    pub const ALL: [Self; 4] = [Self::Brown, Self::Green, Self::Blue, Self::Grey];
}

/// How the halves of the clock face stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaceHalves {
    /// Face to face, for a screen that lies between the players.
    #[default]
    Facing,
    /// Side by side, for a screen that stands beside the board.
    Beside,
}

/// A preset: terms that the user saved under a name.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OwnPreset {
    /// The name of the preset.
    pub name: String,
    /// The game's name in the record.
    pub game: String,
    /// The terms, as in the record.
    pub terms: Group,
}

/// Everything that is kept from one start to the next.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language of the screens.
    pub language: Language,
    /// The colour scheme of the screens.
    pub look: Appearance,
    /// The size of text in percent, 80..=200.
    pub text_percent: u16,
    /// The colours of the squares.
    pub board_colors: BoardColors,
    /// Whether the board is drawn with Black's side at the bottom.
    pub black_below: bool,
    /// How the halves of the clock face stand.
    pub face: FaceHalves,
    /// Whether sounds are played.
    pub sounds: bool,
    /// Whether everything that moves is at its end at once; `None` for as the system says.
    pub reduced_motion: Option<bool>,
    /// The volume of sounds, 0..=100.
    pub volume: u8,
    /// Whether prompts, moves and times are spoken.
    pub speech: bool,
    /// The remaining times at which a clock warns, in seconds.
    pub warnings: Vec<u32>,
    /// The remaining time below which a clock shows tenths of a second, in seconds, 0..=60. With 0 it never shows
    /// tenths.
    pub tenths_below: u32,
    /// The keyboard shortcuts that the user changed. The map's key is the word of the command.
    pub keys: BTreeMap<String, String>,
    /// The names of players, the latest first.
    pub names: Vec<String>,
    /// The presets that the user saved.
    pub presets: Vec<OwnPreset>,
    /// The terms of the last match.
    pub last: Option<OwnPreset>,
    /// The terms of the last match of each game. The map's key is the game's name.
    pub last_of: BTreeMap<String, Group>,
    /// The address of the board that was connected last.
    pub board: Option<String>,
    /// The name of the deck of cards with chips that was used last.
    pub deck: Option<String>,
    /// The file with the user's cards of Chess Joker.
    pub cards: Option<PathBuf>,
    /// The folder on another disk into which every record is copied as it is written.
    pub copy: Option<PathBuf>,
    /// Where the window stood; `None` until it has been opened once.
    pub window: Option<WindowPlace>,
    /// Unfinished matches that are not offered any more: each file, and the number of the match in it.
    pub put_aside: Vec<(PathBuf, i64)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::default(),
            look: Appearance::default(),
            text_percent: 100,
            board_colors: BoardColors::default(),
            black_below: false,
            face: FaceHalves::default(),
            sounds: true,
            reduced_motion: None,
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
            cards: None,
            copy: None,
            window: None,
            put_aside: Vec::new(),
        }
    }
}

/// How many matches that are not offered any more are remembered.
const PUT_ASIDE: usize = 100;

impl Settings {
    /// Does not offer an unfinished match any more: the file, and the number of the match in it.
    pub fn put_aside(&mut self, place: (PathBuf, i64)) {
        self.put_aside.push(place);
        let oldest = self.put_aside.len().saturating_sub(PUT_ASIDE);
        self.put_aside.drain(..oldest);
    }

    /// Reads the file. If the file cannot be read, it is renamed, and the returned sentence contains its new name.
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

    /// Reads the file without reporting or renaming anything. If it cannot be read, these are the default settings.
    pub fn peek(path: &Path) -> Self {
        let read = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        read.map(Self::within_bounds).unwrap_or_default()
    }

    /// Reads the file as [`Self::load`] does. If there is no file yet, the language is that of the system's `locale`.
    pub fn open(path: &Path, locale: &str) -> (Self, Option<String>) {
        let first = !path.exists();
        let (mut settings, trouble) = Self::load(path);
        if first {
            settings.language = Language::of_locale(locale);
        }
        (settings, trouble)
    }

    /// Writes the file atomically.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        write_whole(path, &(text + "\n"))
    }

    /// These settings with one change: each field that differs between `before` and `after` gets its value from
    /// `after`.
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

    /// Puts these players first in the list of remembered names.
    pub fn remember_names<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        for name in names.filter(|name| !name.trim().is_empty()) {
            self.names.retain(|known| known != name);
            self.names.insert(0, name.to_owned());
        }
        self.names.truncate(NAMES);
    }

    /// Remembers the terms of a match that has begun.
    pub fn remember_terms(&mut self, game: &str, terms: &Group) {
        self.last = Some(OwnPreset { name: String::new(), game: game.to_owned(), terms: terms.clone() });
        self.last_of.insert(game.to_owned(), terms.clone());
    }

    /// The terms of the preset with this name, which the user saved for matches with only a clock. If `name` is
    /// `None`, the terms of the last match with only a clock.
    pub fn clock(&self, name: Option<&str>) -> Option<Group> {
        match name {
            None => self.last_of.get(presets::clock_alone()).cloned(),
            Some(name) => self.clocks().find(|own| own.name == name).map(|own| own.terms.clone()),
        }
    }

    /// The names of the clocks that the user saved as presets.
    pub fn clock_names(&self) -> Vec<String> {
        self.clocks().map(|own| own.name.clone()).collect()
    }

    fn clocks(&self) -> impl Iterator<Item = &OwnPreset> {
        self.presets.iter().filter(|own| own.game == presets::clock_alone())
    }

    /// Limits all values to their ranges, because people may have edited the file.
    fn within_bounds(mut self) -> Self {
        self.text_percent = self.text_percent.clamp(80, 200);
        self.volume = self.volume.min(100);
        self.warnings.truncate(5);
        self.tenths_below = self.tenths_below.min(60);
        self.names.truncate(NAMES);
        if let Some(place) = &mut self.window {
            place.size = place.size.map(|length| length.clamp(200.0, 16_000.0));
            place.at = place.at.map(|at| at.map(|length| length.clamp(-100_000.0, 100_000.0)));
        }
        self
    }
}

/// Renames a settings file that cannot be read. Files that were renamed before are kept. Returns a sentence with the
/// new name.
fn set_aside(path: &Path, why: &str) -> String {
    let name = tabiya_types::shown(path);
    let place = |number: u32| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(aside)
    };
    let aside = (1..100).map(place).find(|aside| !aside.exists()).unwrap_or_else(|| place(100));
    let kept = match std::fs::rename(path, &aside) {
        Ok(()) => format!("the file was renamed to {}", tabiya_types::shown(&aside)),
        Err(error) => format!("the file could not be renamed: {error}"),
    };
    format!("{name} cannot be read as settings ({why}); {kept}")
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
    fn a_look_at_the_file_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        let place = WindowPlace { at: Some([1.0, 2.0]), size: [900.0, 700.0], maximised: false };
        Settings { window: Some(place), ..Settings::default() }.save(&path).expect("written");
        assert_eq!(Settings::peek(&path).window, Some(place));
        std::fs::write(&path, "{\"window\": [900, 700], \"volume\": 10}").expect("written");
        assert_eq!(Settings::peek(&path), Settings::default());
        assert!(path.exists());
    }

    #[test]
    fn a_file_that_is_no_settings_is_set_aside_and_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"volume\": \"loud\"}").expect("written");
        let (settings, told) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(told.is_some_and(|told| told.contains("was renamed to")));
        assert!(folder.path().join("settings.json.unreadable").exists());
        // The next unreadable file gets another name.
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
