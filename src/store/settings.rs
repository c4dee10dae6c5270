//! The settings, and what the program remembers from one start to the next, as a JSON file.
//!
//! Fields that cannot be read have their default values, and that is reported; the file as it was is renamed, never
//! overwritten. The file has a sum: people may edit it, but a change that nobody made is reported, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tabiya_engine::clock::ClockSide;
use tabiya_engine::rules::{Group, clock_alone};
use tabiya_text::Language;
use tabiya_types::shown;

use super::disk::{read_bounded, write_whole};
use super::sums::sum_of;

/// The longest settings file that is read, in bytes. A usual one has a few thousand.
const LONGEST: u64 = 1 << 20;
/// The field of the file with the sum of the others.
const SUM: &str = "sum";
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
    /// On which side of the clock White's lever is; `None`: the table guesses it.
    pub clock_side: Option<ClockSide>,
    /// The keyboard shortcuts that the user changed. The map's key is the word of the command.
    pub keys: BTreeMap<String, String>,
    /// The keys that are levers of the clock. The map's key is `white`, `black` or `running`.
    pub levers: BTreeMap<String, String>,
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
            clock_side: None,
            keys: BTreeMap::new(),
            levers: BTreeMap::new(),
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

    /// Reads the file, for a program that will write it again. What cannot be read has its default value, and the sentence
    /// says so; the file as it was is then kept under another name, which the sentence contains.
    pub fn load(path: &Path) -> (Self, Option<String>) {
        let (settings, trouble) = examine(path);
        let Some(trouble) = trouble else { return (settings, None) };
        let told = match trouble {
            SettingsTrouble::Sum => trouble.told(path),
            SettingsTrouble::File(_) | SettingsTrouble::Fields(_) => {
                format!("{}; {}", trouble.sentence(path), set_aside(path))
            }
        };
        if matches!(trouble, SettingsTrouble::Fields(_)) {
            // What could be read is not lost with what could not. If this fails, the next change writes it.
            let _ = settings.save(path);
        }
        (settings, Some(told))
    }

    /// Reads the file without changing anything. The sentence says what is wrong with it.
    pub fn read(path: &Path) -> (Self, Option<String>) {
        let (settings, trouble) = examine(path);
        let told = trouble.map(|trouble| trouble.told(path));
        (settings, told)
    }

    /// Reads the file without changing or reporting anything.
    pub fn peek(path: &Path) -> Self {
        Self::read(path).0
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
        let mut fields = self.fields();
        fields.insert(SUM.to_owned(), sum_of(&fields).into());
        let text = serde_json::to_string_pretty(&fields).map_err(std::io::Error::other)?;
        write_whole(path, &(text + "\n"))
    }

    fn fields(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) | Err(_) => Map::new(),
        }
    }

    /// These settings with one change: each field that differs between `before` and `after` gets its value from
    /// `after`.
    #[must_use]
    pub fn changed(&self, before: &Self, after: &Self) -> Self {
        let (mut now, before) = (self.fields(), before.fields());
        now.extend(after.fields().into_iter().filter(|(name, value)| before.get(name) != Some(value)));
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
            None => self.last_of.get(clock_alone()).cloned(),
            Some(name) => self.clocks().find(|own| own.name == name).map(|own| own.terms.clone()),
        }
    }

    /// The names of the clocks that the user saved as presets.
    pub fn clock_names(&self) -> Vec<String> {
        self.clocks().map(|own| own.name.clone()).collect()
    }

    fn clocks(&self) -> impl Iterator<Item = &OwnPreset> {
        self.presets.iter().filter(|own| own.game == clock_alone())
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

// --- What is wrong with a file ---

/// What is wrong with a settings file.
enum SettingsTrouble {
    /// Nothing in it can be read, and why.
    File(String),
    /// These fields cannot be read: their names, and why.
    Fields(Vec<(String, String)>),
    /// Everything can be read, but the sum does not fit.
    Sum,
}

impl SettingsTrouble {
    /// What is wrong, what follows from it, and what to do.
    fn told(&self, path: &Path) -> String {
        format!("{}: check the settings", self.sentence(path))
    }

    /// What is wrong, and what follows from it, without what to do.
    fn sentence(&self, path: &Path) -> String {
        let name = shown(path);
        match self {
            Self::File(why) => {
                format!(
                    "{name} cannot be read as settings ({why}), so all settings are the usual ones, and records are copied into no folder (`copy`)"
                )
            }
            Self::Fields(fields) => {
                let (copy, others): (Vec<_>, Vec<_>) = fields.iter().partition(|(field, _)| field == "copy");
                let listed = |fields: &[&(String, String)]| -> String {
                    let fields = fields.iter().map(|(field, why)| format!("`{field}` ({why})"));
                    fields.collect::<Vec<_>>().join(", ")
                };
                let copy = listed(&copy);
                let mut parts = Vec::new();
                if !copy.is_empty() {
                    parts.push(format!(
                        "the folder of copies cannot be read, so records are copied into no folder: {copy}"
                    ));
                }
                if !others.is_empty() {
                    let others = listed(&others);
                    parts.push(format!("settings that cannot be read have their usual values: {others}"));
                }
                format!("{name}: {}", parts.join("; "))
            }
            Self::Sum => format!("{name} was changed outside Tabiya, or damaged"),
        }
    }
}

/// Reads what can be read of a file, field by field. A missing file is no trouble.
fn examine(path: &Path) -> (Settings, Option<SettingsTrouble>) {
    let usual = Settings::default();
    let bytes = match read_bounded(path, LONGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (usual, None),
        Err(error) => return (usual, Some(SettingsTrouble::File(error.to_string()))),
    };
    let text = String::from_utf8_lossy(&bytes);
    let (mut written, is_whole) = match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(fields) => (fields, true),
        Err(error) => match fields_in_lines(&text) {
            fields if fields.is_empty() => return (usual, Some(SettingsTrouble::File(error.to_string()))),
            fields => (fields, false),
        },
    };
    let sum = written.remove(SUM);
    let fits = sum.as_ref().is_none_or(|sum| *sum == sum_of(&written));
    let (mut fields, mut bad) = (usual.fields(), Vec::new());
    for (name, field) in &mut fields {
        let found = match written.remove(name) {
            // A file that this version wrote has every field.
            None if !is_whole || !fits => Err("it is missing or damaged".to_owned()),
            None => continue,
            Some(value) => readable(name, value),
        };
        match found {
            Ok(value) => *field = value,
            Err(why) => bad.push((name.clone(), why)),
        }
    }
    let settings = serde_json::from_value::<Settings>(Value::Object(fields)).unwrap_or(usual).within_bounds();
    let trouble = match bad.is_empty() {
        false => Some(SettingsTrouble::Fields(bad)),
        true if fits && is_whole => None,
        true => Some(SettingsTrouble::Sum),
    };
    (settings, trouble)
}

/// A field's value if the program can use it; `Err` says why not.
fn readable(name: &str, value: Value) -> Result<Value, String> {
    // A byte that is no text was read as this character.
    if value.to_string().contains(char::REPLACEMENT_CHARACTER) {
        return Err("it is not UTF-8 text".to_owned());
    }
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    let read = serde_json::from_value::<Settings>(Value::Object(alone));
    read.map(|_| value).map_err(|error| error.to_string())
}

/// The fields of a file that is no JSON as a whole: each begins a line with two spaces, as the program writes it.
fn fields_in_lines(text: &str) -> Map<String, Value> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        match parts.last_mut() {
            Some(part) if !line.starts_with("  \"") => {
                part.push('\n');
                part.push_str(line);
            }
            _ => parts.push(line.to_owned()),
        }
    }
    // The last part has the file's closing brace, too.
    let read = |part: String| {
        let part = part.trim_end();
        let part = part.strip_suffix("\n}").unwrap_or(part).trim_end_matches(',');
        serde_json::from_str::<Map<String, Value>>(&format!("{{{part}}}")).unwrap_or_default()
    };
    parts.into_iter().flat_map(read).collect()
}

/// Renames a settings file that cannot be read. Files that were renamed before are kept. Returns what became of it.
fn set_aside(path: &Path) -> String {
    let place = |number: u32| {
        let mut aside = path.as_os_str().to_owned();
        aside.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(aside)
    };
    let is_free = |aside: &PathBuf| aside.symlink_metadata().is_err();
    let aside = (1..100).map(place).find(is_free).unwrap_or_else(|| place(100));
    match std::fs::rename(path, &aside) {
        Ok(()) => format!("the file was renamed to {}", shown(&aside)),
        Err(error) => format!("the file could not be renamed: {error}"),
    }
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
        assert_eq!(Settings::peek(&path), Settings { volume: 10, ..Settings::default() });
        assert!(path.exists());
    }

    #[test]
    fn what_cannot_be_read_is_set_aside_and_told_and_the_rest_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{\"volume\": \"loud\", \"speech\": true, \"copy\": 7}").expect("written");
        let (settings, told) = Settings::load(&path);
        assert_eq!(settings, Settings { speech: true, ..Settings::default() });
        let told = told.expect("told");
        assert!(
            told.contains(
                "the folder of copies cannot be read, so records are copied into no folder: `copy`"
            )
        );
        assert!(
            told.contains("`volume` (") && told.contains("was renamed to") && !told.contains("speech"),
            "{told}"
        );
        assert!(folder.path().join("settings.json.unreadable").exists());
        assert_eq!(Settings::load(&path), (settings, None), "it is told once");
        // The next unreadable file gets another name.
        std::fs::write(&path, b"{\"names\": [\"J\xf6rg\"]}").expect("written");
        assert!(Settings::load(&path).1.is_some_and(|told| told.contains("unreadable-2")));
        std::fs::write(&path, "my notes").expect("written");
        let (settings, told) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(told.is_some_and(|told| told.contains("(`copy`)") && told.contains("unreadable-3")));
    }

    #[test]
    fn a_flipped_bit_of_the_settings_is_told_and_costs_one_field_at_most() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        let copy = Some(PathBuf::from("/media/stick"));
        let kept = Settings { copy, language: Language::German, volume: 33, ..Settings::default() };
        kept.save(&path).expect("written");
        let whole = std::fs::read(&path).expect("read");
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &bytes).expect("written");
            let (read, told) = Settings::read(&path);
            assert!(told.is_some() || read == kept, "bit {bit}");
            let (is, was) = (read.fields(), kept.fields());
            let changed: Vec<&String> = is.keys().filter(|name| is.get(*name) != was.get(*name)).collect();
            // A line feed that is no more joins two fields; so does a first quotation mark.
            assert!(changed.len() <= 2, "bit {bit}: {changed:?}");
            let told = told.unwrap_or_default();
            assert!(read.copy.is_some() || told.contains("the folder of copies"), "bit {bit}: {told}");
        }
    }

    #[test]
    fn settings_that_people_edit_are_used_and_a_sum_that_does_not_fit_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        Settings::default().save(&path).expect("written");
        let text = std::fs::read_to_string(&path).expect("read").replace("\"volume\": 70", "\"volume\": 60");
        std::fs::write(&path, text).expect("written");
        let (settings, told) = Settings::load(&path);
        assert_eq!(settings.volume, 60);
        assert!(told.is_some_and(|told| {
            told.ends_with("was changed outside Tabiya, or damaged: check the settings")
        }));
    }

    #[cfg(unix)]
    #[test]
    fn settings_that_are_a_device_or_a_pipe_hold_nothing_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        assert!(Settings::read(&path).1.is_some_and(|told| told.contains("not an ordinary file")));
        std::fs::remove_file(&path).expect("removed");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        assert_eq!(Settings::peek(&path), Settings::default());
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
