//! The decks of this user: one file each in the folder `decks` among the records, for nobody else to read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::{private_folder, write_private};
use super::folders::{self, NoFolder};
use crate::devices::capture::read_bounded;
use crate::devices::cards::Uid;
use crate::devices::cards::deck::{Deck, LONGEST_FILE, NoDeck};

/// The folder below that for records.
const FOLDER: &str = "decks";

/// Why a deck cannot be found, read or kept. Each sentence ends with what to do.
#[derive(Debug, thiserror::Error)]
pub enum DeckError {
    /// There is no home.
    #[error(transparent)]
    NoFolder(#[from] NoFolder),
    /// No deck is called so.
    #[error("no deck is called `{name}`; `tabiya deck list` names those that are")]
    Unknown {
        /// As it was asked for.
        name: String,
    },
    /// Another one is called so.
    #[error("a deck is called `{name}` already; choose another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// It is there already.
    #[error("this deck is there already, called `{name}`; there is nothing to import")]
    Known {
        /// What it is called here.
        name: String,
    },
    /// A file that cannot be read.
    #[error("{file} cannot be read: {source}; check its name and its permissions")]
    Unreadable {
        /// Its path.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file that holds something else.
    #[error("{file}: {source}")]
    NoDeck {
        /// Its path.
        file: String,
        /// What is wrong with it.
        source: NoDeck,
    },
    /// There is a file already.
    #[error("{file} is there already; name another file")]
    Exists {
        /// Its path.
        file: String,
    },
    /// It cannot be kept.
    #[error("{file} cannot be written: {source}; check the folder and the room on the disk")]
    Unwritable {
        /// Its path.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

/// The decks in a folder.
#[derive(Clone, Debug)]
pub struct Decks {
    folder: PathBuf,
}

impl Decks {
    /// This user's.
    pub fn usual() -> Result<Self, DeckError> {
        Ok(Self::among(&folders::data()?))
    }

    /// Those beside the records in this folder.
    pub fn among(records: &Path) -> Self {
        Self { folder: records.join(FOLDER) }
    }

    /// Those in a folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// All decks by name, and what is wrong with files that are none.
    pub fn list(&self) -> (Vec<Deck>, Vec<DeckError>) {
        let (mut decks, mut wrong) = (Vec::new(), Vec::new());
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "json")) {
            match read(file) {
                Ok(deck) => decks.push(deck),
                Err(error) => wrong.push(error),
            }
        }
        decks.sort_by(|one, other| one.name().cmp(other.name()));
        (decks, wrong)
    }

    /// The deck of this name.
    pub fn find(&self, name: &str) -> Result<Deck, DeckError> {
        let (decks, wrong) = self.list();
        let unknown = || wrong.into_iter().next().unwrap_or(DeckError::Unknown { name: name.to_owned() });
        decks.into_iter().find(|deck| deck.name() == name).ok_or_else(unknown)
    }

    /// The deck that has this card.
    pub fn of_card(&self, uid: Uid) -> Option<Deck> {
        self.list().0.into_iter().find(|deck| deck.cards().iter().any(|card| card.uid == uid))
    }

    /// Whether a new deck may be called so.
    pub fn check_free(&self, name: &str) -> Result<(), DeckError> {
        match self.list().0.iter().find(|deck| deck.name() == name) {
            Some(_) => Err(DeckError::NameTaken { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    /// Takes a deck that was not here before.
    pub fn add(&self, deck: &Deck) -> Result<(), DeckError> {
        if let Some(known) = self.list().0.iter().find(|known| known.number() == deck.number()) {
            return Err(DeckError::Known { name: known.name().to_owned() });
        }
        self.check_free(deck.name())?;
        self.keep(deck)
    }

    /// Removes a deck for ever.
    pub fn remove(&self, deck: &Deck) -> Result<(), DeckError> {
        let file = self.file_of(deck);
        fs::remove_file(&file)
            .map_err(|source| DeckError::Unwritable { file: file.display().to_string(), source })
    }

    fn file_of(&self, deck: &Deck) -> PathBuf {
        self.folder.join(format!("{}.json", deck.number()))
    }

    /// Keeps a deck in place of its older form.
    pub fn keep(&self, deck: &Deck) -> Result<(), DeckError> {
        let file = self.file_of(deck);
        let unwritable = |source| DeckError::Unwritable { file: file.display().to_string(), source };
        private_folder(&self.folder).map_err(unwritable)?;
        // Whoever reads it meanwhile sees the old one or the new one, and a power cut leaves one of them.
        let beside = file.with_extension("new");
        let _ = fs::remove_file(&beside);
        write_private(&beside, &deck.file()).map_err(unwritable)?;
        fs::rename(&beside, &file).map_err(unwritable)
    }
}

/// Reads a deck's file.
pub fn read(path: &Path) -> Result<Deck, DeckError> {
    let file = path.display().to_string();
    let bytes = read_bounded(path, LONGEST_FILE)
        .map_err(|source| DeckError::Unreadable { file: file.clone(), source })?;
    Deck::parse(&String::from_utf8_lossy(&bytes)).map_err(|source| DeckError::NoDeck { file, source })
}

/// Writes a deck's file where there is none yet, for nobody else to read.
pub fn export(deck: &Deck, path: &Path) -> Result<(), DeckError> {
    let file = path.display().to_string();
    write_private(path, &deck.file()).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => DeckError::Exists { file },
        _ => DeckError::Unwritable { file, source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::cards::CardId;
    use crate::devices::cards::deck::{DeckCard, Face};
    use crate::rules::Card;

    fn deck(number: u8, name: &str) -> Deck {
        let faces = Card::ALL
            .into_iter()
            .flat_map(|card| (1..=card.in_deck()).filter_map(move |copy| Face::new(card, copy)));
        let uid = |nth: u8| Uid::new(&[4, 1, 2, 3, 4, number, nth]).expect("seven bytes");
        let cards = faces.zip(0..).map(|(face, nth)| DeckCard { uid: uid(nth), id: None, face }).collect();
        Deck::new(CardId([number; 16]), name, "2026-11-22", cards).expect("a deck")
    }

    #[test]
    fn decks_are_kept_for_their_owner_alone_and_found_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let decks = Decks::in_folder(&folder.path().join("decks"));
        assert!(decks.list().0.is_empty());
        decks.add(&deck(1, "Club")).expect("kept");
        decks.add(&deck(2, "../Home")).expect("kept: a name is no path");
        assert_eq!(decks.find("Club").expect("there"), deck(1, "Club"));
        assert_eq!(decks.list().0.iter().map(Deck::name).collect::<Vec<_>>(), ["../Home", "Club"]);
        assert!(matches!(decks.add(&deck(3, "Club")), Err(DeckError::NameTaken { .. })));
        assert!(matches!(decks.add(&deck(1, "Again")), Err(DeckError::Known { name }) if name == "Club"));
        assert!(matches!(decks.find("Clubs"), Err(DeckError::Unknown { .. })));
        decks.keep(&deck(1, "Club")).expect("kept again");
        decks.remove(&deck(2, "../Home")).expect("removed");
        assert_eq!(decks.list().0.iter().map(Deck::name).collect::<Vec<_>>(), ["Club"]);
        assert!(matches!(decks.remove(&deck(2, "../Home")), Err(DeckError::Unwritable { .. })));
        #[cfg(unix)]
        for entry in fs::read_dir(folder.path().join("decks")).expect("a folder").flatten() {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(entry.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn an_export_is_imported_again_and_writes_over_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("club.json");
        export(&deck(1, "Club"), &file).expect("written");
        assert_eq!(read(&file).expect("read"), deck(1, "Club"));
        assert!(matches!(export(&deck(2, "Home"), &file), Err(DeckError::Exists { .. })));
        fs::write(&file, "{}").expect("written");
        assert!(matches!(read(&file), Err(DeckError::NoDeck { .. })));
        assert!(matches!(read(&folder.path().join("no")), Err(DeckError::Unreadable { .. })));
    }
}
