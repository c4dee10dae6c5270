//! The user's own card file of Chess Joker: which one it is, what stands in it, and new cards for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::card_file::{CardFile, OwnedCard};
use tabiya_engine::rules::{Group, presets};
use tabiya_types::{Sentence, say};

use tabiya_store::card_files;
use tabiya_store::disk::write_whole;

/// Whether the game with this name can use a card file.
pub(crate) fn has_cards(game: &str) -> bool {
    presets::kind(game).is_some_and(|kind| kind.has_term("cards"))
}

/// The name of the file for cards that are typed before any file was chosen. It lies beside the records.
const USUAL: &str = "cards.toml";

/// The card file that the user has chosen, as it was read last.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OwnCardFile {
    /// The file; `None` while there is none.
    pub path: Option<PathBuf>,
    /// Its cards; none if the file cannot be read.
    pub file: Arc<CardFile>,
    /// Why the file cannot be read, if so.
    pub trouble: Option<Sentence>,
    /// The term that names the file, as it was read.
    term: Option<Group>,
}

impl OwnCardFile {
    /// Reads the file that the settings name.
    pub(crate) fn open(path: Option<&Path>) -> Self {
        let Some(path) = path else { return Self::default() };
        let path = Some(path.to_owned());
        match path.as_deref().map(card_files::read) {
            Some(Ok((file, term))) => Self { path, file: Arc::new(file), trouble: None, term: Some(term) },
            Some(Err(trouble)) => Self { path, trouble: Some(trouble), ..Self::default() },
            None => Self::default(),
        }
    }

    /// Reads the file at this full path to use it from now on; without one, no file is used. `Err` is a sentence that says why the
    /// file cannot be read.
    pub(crate) fn to_use(path: Option<&Path>) -> Result<Self, Sentence> {
        let cards = Self::open(path);
        cards.trouble.clone().map_or(Ok(cards), Err)
    }

    /// The term that names the file; `None` without a file. `Err` is a sentence that says why the file cannot be read.
    pub(crate) fn term(&self) -> Result<Option<Group>, Sentence> {
        self.trouble.clone().map_or_else(|| Ok(self.term.clone()), Err)
    }

    /// Writes a card into the file, in the place of the one with the same code. Without a file one is begun in `folder`.
    /// Returns the file. `Err` is a sentence.
    pub(crate) fn keep(&self, card: &OwnedCard, folder: &Path) -> Result<PathBuf, Sentence> {
        let path = self.path.clone().unwrap_or_else(|| folder.join(USUAL));
        let wrong = |what: Sentence| card_files::wrong(&path, what);
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
            return Err(wrong(say!(
                "card-file-not-toml",
                "cards are typed into a file that ends in .toml; choose such a file"
            )));
        }
        let text = card_files::text(&path)?;
        let text = CardFile::with_card(&text, card).map_err(|what| wrong(what.harmless()))?;
        if text.len() as u64 > card_files::LARGEST {
            return Err(wrong(say!(
                "card-file-too-large",
                "the file would be larger than 1 MiB; shorten what is printed on the card"
            )));
        }
        let failed = |error: std::io::Error| {
            wrong(say!(
                "card-file-unwritten",
                "the file cannot be written: {error}",
                error = error.to_string()
            ))
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        write_whole(&path, &text).map_err(failed)?;
        Ok(path)
    }
}
