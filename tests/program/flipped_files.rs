//! Flipped bits in the files that stand beside the records: the settings, decks, the table's key, the keys of matches, their
//! notes and the list of openings.
//!
//! A flip is unnoticed if the file is read with another meaning and nobody is told. The reading is that of the program's own
//! store; and where a command reads the file, it says something else than before. A file without a flip is told by nobody.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tabiya_cards::deck::Deck;
use tabiya_store::decks::{self, Decks};
use tabiya_store::journal::vault::{KeyStore as _, MatchKey, Sealer};
use tabiya_store::journal::{Journal, MatchInfo};
use tabiya_store::keys::Keyring;
use tabiya_store::match_key_file::{KeyShare, KeyShares};
use tabiya_store::settings::Settings;
use tabiya_types::Seat;

use crate::child::{name, text};
use crate::damaged_copies::{FLIPS, SEED, sealed};
use crate::tries::{report, seed, tries};

/// A folder with settings, data and a record, as on a user's computer.
struct Home {
    folder: tempfile::TempDir,
    matches: Vec<MatchInfo>,
}

/// A file, what is read from it, and the command that reads it, if there is one.
struct Kept<'a> {
    what: &'a str,
    file: PathBuf,
    /// Everything that is read; `None` if the reader is told that something is wrong.
    read: Box<dyn Fn() -> Option<String> + 'a>,
    asked: Vec<&'a str>,
}

impl Home {
    /// A record of two matches with sealed cards: anybody's who has the first key, locked by a player in the second.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("s.tabiya");
        let keys = Keyring::in_folder(&folder.path().join("data/keys"));
        sealed(&record, &keys);
        let journal = Journal::open_read(&record).unwrap();
        let matches = journal.matches().unwrap();
        keys.lock(matches[1].begins, &mut None, &shares()).unwrap();
        for info in &matches {
            let seen = keys.noted(&info.name()).expect("a note");
            keys.note_opening(&info.name(), seen.progress, "2026-11-29T12:00:00Z", "both have agreed")
                .unwrap();
        }
        let home = Self { folder, matches };
        let copy = Some(PathBuf::from("/media/stick"));
        Settings { copy, volume: 33, ..Settings::default() }.save(&home.settings()).unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/decks/practice.json");
        let deck = Deck::parse(&fs::read_to_string(fixture).unwrap()).unwrap();
        Decks::in_folder(&home.folder.path().join("data/decks")).add(&deck).unwrap();
        home
    }

    fn keys(&self) -> Keyring {
        Keyring::in_folder(&self.folder.path().join("data/keys"))
    }

    fn record(&self) -> PathBuf {
        self.folder.path().join("s.tabiya")
    }

    fn settings(&self) -> PathBuf {
        self.folder.path().join("config/settings.json")
    }

    /// The one file in this folder with this ending.
    fn only(&self, folder: &str, ending: &str) -> PathBuf {
        let all = fs::read_dir(self.folder.path().join(folder)).unwrap().flatten().map(|entry| entry.path());
        let mut all = all.filter(|path| path.extension().is_some_and(|found| found == ending));
        all.next().expect("a file")
    }

    /// What the program prints with these arguments, and its status; nothing without any.
    fn said(&self, arguments: &[&str]) -> Option<(String, Option<i32>)> {
        if arguments.is_empty() {
            return None;
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let program = program.args(arguments).env("TABIYA_CONFIG", self.folder.path().join("config"));
        let done = program.env("TABIYA_DATA", self.folder.path().join("data")).output().unwrap();
        Some((text(&done.stdout) + &text(&done.stderr), done.status.code()))
    }

    fn files<'a>(&'a self, record: &'a str) -> Vec<Kept<'a>> {
        let [open, locked] = &self.matches[..] else { panic!("two matches") };
        let verify = || vec!["verify", record];
        let (settings, deck) = (self.settings(), self.only("data/decks", "json"));
        let (read_settings, read_deck) = (settings.clone(), deck.clone());
        let key_file = |info: &MatchInfo| self.keys().file(info.begins).unwrap();
        let kept =
            |what, file, asked, read: Box<dyn Fn() -> Option<String> + 'a>| Kept { what, file, read, asked };
        vec![
            kept("settings", settings, vec![], Box::new(move || read_of_settings(&read_settings))),
            kept(
                "a deck",
                deck,
                vec!["deck", "list"],
                Box::new(move || decks::read(&read_deck).ok().map(|deck| deck.file())),
            ),
            kept(
                "the table's key",
                self.folder.path().join("data/keys/table.json"),
                vec!["key"],
                Box::new(|| {
                    let key = self.keys().find_table_key().ok()??;
                    Some(format!("{} {}", key.public(), key.sign("text")))
                }),
            ),
            kept("a match's key", key_file(open), verify(), Box::new(|| read_of_key(&self.keys(), open))),
            kept(
                "a locked key",
                key_file(locked),
                verify(),
                Box::new(|| {
                    let unlocked = self.keys().release(locked.begins, None, &shares()).ok()?;
                    Some(format!("{unlocked} {}", read_of_key(&self.keys(), locked)?))
                }),
            ),
            kept(
                "a note",
                self.only("data/keys", "seen"),
                verify(),
                Box::new(|| {
                    let seen = self.matches.iter().map(|info| self.keys().seen(&info.name()).ok());
                    Some(format!("{:?}", seen.collect::<Option<Vec<_>>>()?))
                }),
            ),
            kept(
                "the list of openings",
                self.folder.path().join("data/keys/openings.jsonl"),
                verify(),
                Box::new(|| {
                    let keys = self.keys();
                    let read = self.matches.iter().map(|info| match keys.damaged_openings(&info.name()) {
                        Some(_) => None,
                        None => Some(keys.openings_of(&info.name())),
                    });
                    Some(format!("{:?}", read.collect::<Option<Vec<_>>>()?))
                }),
            ),
        ]
    }
}

fn shares() -> KeyShares {
    KeyShares::from([(Seat::A, KeyShare([7; 32]))])
}

fn read_of_settings(file: &Path) -> Option<String> {
    match Settings::read(file) {
        (settings, None) => Some(format!("{settings:?}")),
        (_, Some(_)) => None,
    }
}

fn read_of_key(keys: &Keyring, info: &MatchInfo) -> Option<String> {
    let sealer = match keys.sealer(info.begins).ok()?? {
        Sealer::Public(bytes) | Sealer::Shared(bytes) => bytes,
    };
    match keys.find(info.begins).ok()?? {
        MatchKey::Pair(pair) => Some(format!("{sealer:?} {:?}", pair.secret())),
        MatchKey::Shared(_) => panic!("this version makes pairs"),
    }
}

#[test]
fn a_flipped_bit_of_settings_decks_keys_and_notes_is_told() {
    let (flips, seed) = (tries("TABIYA_FLIPS", FLIPS) / 2, seed(SEED));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |limit: usize| usize::try_from(random.next_u64() % limit as u64).unwrap();
    let home = Home::new();
    let record = home.record();
    let files = home.files(name(&record));
    let (mut told, mut unnoticed, mut alarms) = (vec![0; files.len()], Vec::new(), 0);
    for (nth, kept) in files.iter().enumerate() {
        let whole = fs::read(&kept.file).unwrap();
        let said = home.said(&kept.asked);
        assert!(said.as_ref().is_none_or(|said| said.1 == Some(0)), "{}: {said:?}", kept.what);
        let before = (kept.read)().unwrap_or_else(|| panic!("{}: told without a flip", kept.what));
        for _ in (nth as u64..flips).step_by(files.len()) {
            let mut bytes = whole.clone();
            let (at, bit) = (below(bytes.len()), below(8));
            bytes[at] ^= 1 << bit;
            fs::write(&kept.file, &bytes).unwrap();
            match (kept.read)() {
                None if kept.asked.is_empty() || home.said(&kept.asked) != said => told[nth] += 1,
                Some(read) if read == before => {}
                None | Some(_) => unnoticed.push((kept.what, at, bit)),
            }
            fs::write(&kept.file, &whole).unwrap();
            alarms += usize::from((kept.read)().as_ref() != Some(&before));
            fs::write(&kept.file, &whole).unwrap();
        }
        assert_eq!(home.said(&kept.asked), said, "{}", kept.what);
    }
    assert_eq!(unnoticed, [], "flips that nobody is told of: file, byte, bit");
    assert_eq!(alarms, 0, "files without a flip are told");
    let each: Vec<String> =
        files.iter().zip(&told).map(|(kept, told)| format!("{}: {told}", kept.what)).collect();
    report(&format!(
        "flipped bits of files beside the records (seed {seed:#x}) | {flips} | {} told ({}), 0 unnoticed, 0 false alarms; the others change nothing that is read",
        told.iter().sum::<u64>(),
        each.join(", ")
    ));
    assert!(told.iter().all(|told| *told > 0), "nothing is told: {each:?}");
}
