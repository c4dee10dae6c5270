//! This user's decks: one file per deck in the folder `decks` beside the records, readable by its owner alone; and
//! drafts of unfinished decks (`*.draft`).

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::disk::read_bounded;
use tabiya_cards::deck::{Deck, InvalidDeck, LONGEST_FILE};
use tabiya_cards::draft::Draft;
use tabiya_cards::{CardId, Uid};

use super::disk::{private_folder, write_private};
use super::folders::{self, NoFolder};
use crate::platform::sync_folder;

/// The folder's name in the folder for records.
pub(super) const FOLDER: &str = "decks";
/// The extension of a deck's file.
const DECK: &str = "json";
/// The extension of the draft of an unfinished deck.
const DRAFT: &str = "draft";
/// The most deck files that a folder may have. If the folder has more, no file is read.
const MOST: usize = 500;

/// Why a deck cannot be found, read or saved. Each sentence ends with what to do.
#[derive(Debug, thiserror::Error)]
pub enum DeckError {
    /// There is no home folder.
    #[error(transparent)]
    NoFolder(#[from] NoFolder),
    /// No deck has this name.
    #[error("no deck is called `{name}`; `tabiya deck list` shows all decks")]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// Another deck has this name.
    #[error("a deck is called `{name}` already; choose another name")]
    NameTaken {
        /// The name of both decks.
        name: String,
    },
    /// The deck to import is on this computer already: a deck with the same number was imported before.
    #[error("this deck already exists under the name `{name}`; there is nothing to import")]
    Known {
        /// The deck's name on this computer.
        name: String,
    },
    /// A file cannot be read.
    #[error("{file} cannot be read: {source}; check its name and its permissions")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// A file is not a valid deck.
    #[error("{file}: {source}")]
    NoDeck {
        /// The path of the file.
        file: String,
        /// What is wrong with the file.
        source: InvalidDeck,
    },
    /// The folder has more deck files than Tabiya reads.
    #[error("there are more than {MOST} decks in {folder}; move unused decks to another folder")]
    TooMany {
        /// The path of the folder.
        folder: String,
    },
    /// The file to write exists already.
    #[error("{file} already exists; name another file")]
    Exists {
        /// The path of the file.
        file: String,
    },
    /// A file cannot be written.
    #[error("{file} cannot be written: {source}; check the folder and the room on the disk")]
    Unwritable {
        /// The path of the file.
        file: String,
        /// The operating system's error.
        source: io::Error,
    },
}

/// The decks in a folder.
#[derive(Clone, Debug)]
pub struct Decks {
    folder: PathBuf,
}

impl Decks {
    /// The decks in this user's data folder.
    pub fn usual() -> Result<Self, DeckError> {
        Ok(Self::beside_records(&folders::data()?))
    }

    /// The decks beside the records in this folder.
    pub fn beside_records(records: &Path) -> Self {
        Self { folder: records.join(FOLDER) }
    }

    /// The decks in the given folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// All decks, sorted by name, and the errors of files that cannot be read.
    pub fn list(&self) -> (Vec<Deck>, Vec<DeckError>) {
        let (mut decks, wrong) = self.read_all(DECK, Deck::parse);
        decks.sort_by(|one, other| one.name().cmp(other.name()));
        (decks, wrong)
    }

    /// The drafts of all unfinished decks, sorted by name, and the errors of files that cannot be read.
    pub fn drafts(&self) -> (Vec<Draft>, Vec<DeckError>) {
        let (mut drafts, wrong) = self.read_all(DRAFT, Draft::parse);
        drafts.sort_by(|one, other| one.name.cmp(&other.name));
        (drafts, wrong)
    }

    fn read_all<T>(
        &self,
        ending: &str,
        parse: impl Fn(&str) -> Result<T, InvalidDeck>,
    ) -> (Vec<T>, Vec<DeckError>) {
        let folder = || tabiya_types::shown(&self.folder);
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (Vec::new(), Vec::new()),
            Err(source) => return (Vec::new(), vec![DeckError::Unreadable { file: folder(), source }]),
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let fitting = paths.filter(|path| path.extension().is_some_and(|end| end == ending));
        let mut files: Vec<PathBuf> = fitting.take(MOST + 1).collect();
        if files.len() > MOST {
            return (Vec::new(), vec![DeckError::TooMany { folder: folder() }]);
        }
        files.sort();
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for file in &files {
            match read_as(file, &parse) {
                Ok(one) => found.push(one),
                Err(error) => wrong.push(error),
            }
        }
        (found, wrong)
    }

    /// The deck with this name. If no deck has the name and some file cannot be read, the error is about that file,
    /// because it may be the wanted deck.
    pub fn find(&self, name: &str) -> Result<Deck, DeckError> {
        let (decks, wrong) = self.list();
        let unknown = || wrong.into_iter().next().unwrap_or(DeckError::Unknown { name: name.to_owned() });
        decks.into_iter().find(|deck| deck.name() == name).ok_or_else(unknown)
    }

    /// The name of the deck that contains this card. Unfinished decks are searched, too. The deck named `besides` is
    /// skipped.
    pub fn holder(&self, uid: Uid, besides: &str) -> Option<String> {
        let decks = self.list().0.into_iter().map(|deck| (deck.name().to_owned(), deck.cards().to_vec()));
        let drafts = self.drafts().0.into_iter().map(|draft| (draft.name, draft.enrolment.cards().to_vec()));
        let mut holders = decks.chain(drafts).filter(|(name, _)| name != besides);
        holders.find(|(_, cards)| cards.iter().any(|card| card.uid == uid)).map(|(name, _)| name)
    }

    /// The draft of the deck with this name. If no draft is found, returns the errors of all files that cannot be read,
    /// because one of them may be the draft.
    pub fn draft(&self, name: &str) -> (Option<Draft>, Vec<DeckError>) {
        let (drafts, wrong) = self.drafts();
        match drafts.into_iter().find(|draft| draft.name == name) {
            Some(draft) => (Some(draft), Vec::new()),
            None => (None, wrong),
        }
    }

    /// Saves the draft of an unfinished deck.
    pub fn keep_draft(&self, draft: &Draft) -> Result<(), DeckError> {
        self.write(&self.file_of(draft.number, DRAFT), &draft.file())
    }

    /// Deletes a draft, because its deck is finished or because no card is enrolled in the draft any more. A missing
    /// file is not an error.
    pub fn drop_draft(&self, number: CardId) -> Result<(), DeckError> {
        let file = self.file_of(number, DRAFT);
        match fs::remove_file(&file) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(DeckError::Unwritable { file: tabiya_types::shown(&file), source })
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Checks that no deck has this name yet.
    pub fn check_free(&self, name: &str) -> Result<(), DeckError> {
        match self.list().0.iter().find(|deck| deck.name() == name) {
            Some(_) => Err(DeckError::NameTaken { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    /// Saves a new deck. `Err` if this deck, or its name, exists already.
    pub fn add(&self, deck: &Deck) -> Result<(), DeckError> {
        if let Some(known) = self.list().0.iter().find(|known| known.number() == deck.number()) {
            return Err(DeckError::Known { name: known.name().to_owned() });
        }
        self.check_free(deck.name())?;
        self.keep(deck)
    }

    /// Deletes the deck's file. The file cannot be restored.
    pub fn remove(&self, deck: &Deck) -> Result<(), DeckError> {
        let file = self.file_of(deck.number(), DECK);
        fs::remove_file(&file)
            .map_err(|source| DeckError::Unwritable { file: tabiya_types::shown(&file), source })
    }

    /// Saves a deck in place of its older version.
    pub fn keep(&self, deck: &Deck) -> Result<(), DeckError> {
        self.write(&self.file_of(deck.number(), DECK), &deck.file())
    }

    /// The path of a deck's file. The file is named by the deck's number, because the deck's name may contain any
    /// character.
    fn file_of(&self, number: CardId, ending: &str) -> PathBuf {
        self.folder.join(format!("{number}.{ending}"))
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), DeckError> {
        let unwritable = |source| DeckError::Unwritable { file: tabiya_types::shown(file), source };
        private_folder(&self.folder).map_err(unwritable)?;
        // Renaming is atomic: a reader sees either the old file or the new one, and one of the two survives a power
        // cut.
        let beside = file.with_extension("new");
        let _ = fs::remove_file(&beside);
        write_private(&beside, text).map_err(unwritable)?;
        fs::rename(&beside, file).and_then(|()| sync_folder(file)).map_err(unwritable)
    }
}

/// Reads a deck's file.
pub fn read(path: &Path) -> Result<Deck, DeckError> {
    read_as(path, Deck::parse)
}

fn read_as<T>(path: &Path, parse: impl Fn(&str) -> Result<T, InvalidDeck>) -> Result<T, DeckError> {
    let file = tabiya_types::shown(path);
    let bytes = read_bounded(path, LONGEST_FILE)
        .map_err(|source| DeckError::Unreadable { file: file.clone(), source })?;
    parse(&String::from_utf8_lossy(&bytes)).map_err(|source| DeckError::NoDeck { file, source })
}

/// Writes a deck into a new file that only its owner may read. `Err` if the file exists.
pub fn export(deck: &Deck, path: &Path) -> Result<(), DeckError> {
    let file = tabiya_types::shown(path);
    write_private(path, deck.file()).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => DeckError::Exists { file },
        _ => DeckError::Unwritable { file, source },
    })
}

#[cfg(test)]
mod tests {
    use tabiya_cards::CardId;
    use tabiya_cards::deck::{DeckCard, Face};
    use tabiya_types::{Card, Pack};

    use super::*;

    fn deck(number: u8, name: &str) -> Deck {
        let faces = Card::ALL.into_iter().flat_map(|card| {
            (1..=card.in_deck()).filter_map(move |copy| Face::new(Pack::Choker, card, copy))
        });
        let uid = |nth: u8| Uid::new(&[4, 1, 2, 3, 4, number, nth]).expect("seven bytes");
        let cards = faces.zip(0..).map(|(face, nth)| DeckCard { uid: uid(nth), id: None, face }).collect();
        Deck::new(Pack::Choker, CardId([number; 16]), name, "2026-11-22", cards).expect("a deck")
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
    fn a_deck_that_was_begun_is_kept_by_its_name_and_forgotten_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let decks = Decks::in_folder(folder.path());
        let none = || matches!(decks.draft("Club"), (None, wrong) if wrong.is_empty());
        assert!(none());
        let begun = r#"{"draft":"00000000000000000000000000000007","name":"Club","way":"adopt","asked":null,"cards":[{"id":null,"uid":"04010203","face":"Q","copy":1}]}"#;
        let draft = Draft::parse(begun).expect("a draft");
        decks.keep_draft(&draft).expect("kept");
        decks.keep_draft(&draft).expect("kept again");
        let found = decks.draft("Club").0.expect("there");
        assert_eq!(found.enrolment.progress(), (1, 44));
        assert!(decks.list().0.is_empty(), "it is no deck yet");
        let uid = Uid::parse("04010203").expect("four bytes");
        assert_eq!(decks.holder(uid, "Home").as_deref(), Some("Club"));
        assert_eq!(decks.holder(uid, "Club"), None);
        #[cfg(unix)]
        for entry in fs::read_dir(folder.path()).expect("a folder").flatten() {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(entry.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
        }
        decks.drop_draft(draft.number).expect("gone");
        decks.drop_draft(draft.number).expect("gone already");
        assert!(none());
        fs::write(folder.path().join("torn.draft"), &begun[..50]).expect("written");
        let (found, wrong) = decks.draft("Club");
        let said = wrong.first().expect("damaged").to_string();
        assert!(
            found.is_none()
                && said.contains("torn.draft: this is not the draft of a deck")
                && said.contains("--anew"),
            "{said}"
        );
        decks.keep_draft(&draft).expect("kept");
        let (found, wrong) = decks.draft("Club");
        assert!(found.is_some() && wrong.is_empty(), "what is wrong with others is not its matter");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_strange_in_the_folder_is_told_in_a_sentence_and_holds_nothing_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let decks = Decks::in_folder(folder.path());
        decks.add(&deck(1, "Club")).expect("kept");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("folder.json")).expect("a folder");
        nix::unistd::mkfifo(&at("pipe.json"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        std::os::unix::fs::symlink(at("pipe.json"), at("to-pipe.json")).expect("a link");
        std::os::unix::fs::symlink(at("nowhere"), at("to-nowhere.json")).expect("a link");
        std::os::unix::fs::symlink("/dev/zero", at("to-zeros.json")).expect("a link");
        // A sparse file: one gigabyte long, but without any data on the disk.
        fs::File::create(at("long.json")).and_then(|file| file.set_len(1 << 30)).expect("a long file");
        fs::write(at("binary.json"), [0xFF, 0xFE, 0x00]).expect("written");
        fs::write(at("notes.txt"), "nothing of ours").expect("written");
        let (known, wrong) = decks.list();
        assert_eq!(known, [deck(1, "Club")]);
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        for (file, why) in [
            ("binary", "this is not a deck file"),
            ("folder", "this is not an ordinary file"),
            ("long", "the file is longer than 65536 bytes"),
            ("pipe", "this is not an ordinary file"),
            ("to-nowhere", "cannot be read"),
            ("to-pipe", "this is not an ordinary file"),
            ("to-zeros", "this is not an ordinary file"),
        ] {
            let file = format!("/{file}.json");
            assert!(wrong.iter().any(|said| said.contains(&file) && said.contains(why)), "{file}: {wrong:?}");
        }
        assert_eq!(wrong.len(), 7);
        assert_eq!(decks.find("Club").expect("there"), deck(1, "Club"));
        // A deck's file may be a symbolic link. Reading follows the link, and saving the deck replaces the link by a
        // file.
        let (link, target) = (decks.file_of(CardId([2; 16]), DECK), at("elsewhere"));
        fs::write(&target, deck(2, "Home").file()).expect("written");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        assert_eq!(decks.find("Home").expect("there"), deck(2, "Home"));
        decks.keep(&deck(2, "Home")).expect("kept");
        assert!(fs::symlink_metadata(&link).expect("a file").is_file());
    }

    #[test]
    fn names_are_no_paths_and_too_many_decks_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let decks = Decks::in_folder(&folder.path().join("decks"));
        for (number, name) in (1..).zip(["../../etc/passwd", "CON", "nul.txt", "Ö ♞ 🂡", "a/b\\c:d", ".", "~"])
        {
            decks.add(&deck(number, name)).expect(name);
            assert_eq!(decks.find(name).expect(name).name(), name);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing lies beside it");
        for nth in 0..MOST {
            fs::write(folder.path().join(format!("decks/{nth}.json")), "").expect("written");
        }
        let (known, wrong) = decks.list();
        assert!(known.is_empty() && matches!(&wrong[..], [DeckError::TooMany { .. }]));
        fs::remove_dir_all(folder.path().join("decks")).expect("removed");
        fs::write(folder.path().join("decks"), "a file").expect("written");
        let said = decks.find("Club").expect_err("no folder").to_string();
        assert!(said.contains("cannot be read"), "{said}");
        assert!(matches!(decks.add(&deck(1, "Club")), Err(DeckError::Unwritable { .. })));
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
