//! What a desk needs from the system: the date, chance, and the places of its files. Tests and simulated players give others.

use std::path::PathBuf;

use tabiya_types::Seat;

/// Fills a buffer with random bytes; `Err` is a sentence that says why there are no random bytes.
pub type RandomSource = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send>;

/// What a desk needs from the system: the date, random numbers, and the paths of its files.
pub struct Environment {
    /// Returns the current date and time in RFC 3339 format, for a record's header; `Err` is a sentence that says why
    /// there is no usual date.
    pub date: Box<dyn Fn() -> Result<String, String> + Send>,
    /// Tosses a coin to choose the seat that plays White; `Err` is a sentence that says why there is no random number.
    pub coin: Box<dyn Fn() -> Result<Seat, String> + Send>,
    /// The source of random numbers for the ids of cards and decks.
    pub chance: RandomSource,
    /// The folder of the records. The decks are kept inside this folder, too.
    pub evenings: PathBuf,
    /// The path of the settings file.
    pub settings: PathBuf,
    /// The folder for exported files; `None` for the folder of the records.
    pub documents: Option<PathBuf>,
    /// The user's home folder, if there is one; `~` in a file's name means this folder.
    pub home: Option<PathBuf>,
    /// The system's language, such as `de_AT.UTF-8`. The screens use this language until somebody chooses another
    /// language.
    pub locale: String,
    /// The features with which the program was built, for a report of a fault.
    pub features: &'static [&'static str],
}

impl Environment {
    /// For a desk that keeps no files, such as that of simulated players: there is no date, no chance and no folder.
    pub fn without_files() -> Self {
        let none = "this table keeps no files and draws no chance";
        Self {
            date: Box::new(|| Err(none.to_owned())),
            coin: Box::new(|| Err(none.to_owned())),
            chance: Box::new(|_| Err(none.to_owned())),
            evenings: PathBuf::new(),
            settings: PathBuf::new(),
            documents: None,
            home: None,
            locale: String::new(),
            features: &[],
        }
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("evenings", &self.evenings).finish_non_exhaustive()
    }
}
