//! Notes on boards that outlast one connection, such as calibrations and keys. They are saved in `boards.json` in the
//! settings folder: an object with one object of names and values for each maker.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_boards::BoardEvent;
use tabiya_boards::maker::Maker;
use tabiya_boards::notes::Notes;
use tabiya_store::disk::read_bounded;
use tabiya_types::{Sentence, say};

use tabiya_store::disk::write_whole;
use tabiya_store::folders::{self, BOARD_NOTES};

/// The length of the longest file that is read, in bytes. A calibration has a few hundred bytes.
const LONGEST: u64 = 1 << 20;

/// How many times to try to take a lock that another program holds. A pause follows each failed try.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Takes a lock that another program may hold for a moment. Dropping the returned file releases the lock.
#[expect(clippy::disallowed_methods, reason = "a lock of another program tells nobody when it is free")]
fn locked(file: &Path) -> io::Result<File> {
    let lock = File::create(file)?;
    for _ in 1..LOCK_TRIES {
        if lock.try_lock().is_ok() {
            return Ok(lock);
        }
        std::thread::sleep(LOCK_PAUSE);
    }
    let held =
        |_| io::Error::new(io::ErrorKind::ResourceBusy, "another program holds it; close that program");
    lock.try_lock().map_err(held)?;
    Ok(lock)
}

/// The notes of all makers. The key is the prefix of the maker's addresses, such as `dgt`.
type All = BTreeMap<String, BTreeMap<String, String>>;

/// The file with this user's notes on boards.
#[derive(Clone, Debug)]
pub struct BoardNotes {
    file: Option<PathBuf>,
}

impl BoardNotes {
    /// The file in this user's settings folder; if the user has no such folder, no notes are read or saved.
    pub fn usual() -> Self {
        Self { file: folders::config().ok().map(|folder| folder.join(BOARD_NOTES)) }
    }

    /// The file in the given folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { file: Some(folder.join(BOARD_NOTES)) }
    }

    /// The notes on a maker's boards; they are empty if the file cannot be read.
    pub fn of(&self, maker: Maker) -> Notes {
        let mut all = self.read().unwrap_or_default();
        all.remove(maker.prefix()).unwrap_or_default().into_iter().collect()
    }

    /// Saves a value under a name, in place of an older one. `Err` if the file cannot be written, or if it contains
    /// anything but notes, because a foreign file is not overwritten.
    pub fn keep(&self, maker: Maker, name: &str, value: &str) -> io::Result<()> {
        let Some(file) = &self.file else { return Err(io::Error::other("there is no folder for settings")) };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // The lock keeps two programs that save at the same moment from overwriting each other's notes.
        let _lock = locked(&file.with_extension("lock"))?;
        let mut all = match self.read() {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            read => read.unwrap_or_default(),
        };
        all.entry(maker.prefix().to_owned()).or_default().insert(name.to_owned(), value.to_owned());
        let text = format!("{}\n", serde_json::to_string_pretty(&all)?);
        if u64::try_from(text.len()).is_ok_and(|len| len > LONGEST) {
            let full = format!("the notes would be longer than {LONGEST} bytes; remove other notes first");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, full));
        }
        write_whole(file, &text)
    }

    /// Saves the value of a `Remember` event. Returns the event to report: the event itself, or one that says that the
    /// value could not be saved.
    pub fn save_remembered(&self, maker: Maker, event: BoardEvent) -> BoardEvent {
        let BoardEvent::Remember { name, value } = &event else { return event };
        match self.keep(maker, name, value) {
            Ok(()) => event,
            Err(error) => BoardEvent::Wants(say!(
                "board-note-not-kept",
                "Tabiya cannot save what it has learnt about the board ({error}) and will have to learn it again; check the settings folder",
                error = error.to_string()
            )),
        }
    }

    /// The sentence that says why the saved notes cannot be read; `None` if the notes can be read, or if no file
    /// exists.
    pub fn read_error(&self) -> Option<Sentence> {
        let file = self.file.as_ref()?;
        let error = self.read().err().filter(|error| error.kind() != io::ErrorKind::NotFound)?;
        Some(say!(
            "board-notes-damaged",
            "{file} cannot be read ({error}), so the calibrations and keys of boards in it are not used; repair the file or delete it",
            file = tabiya_types::shown(file),
            error = error.to_string()
        ))
    }

    fn read(&self) -> io::Result<All> {
        let Some(file) = &self.file else { return Ok(All::new()) };
        Ok(serde_json::from_slice(&read_bounded(file, LONGEST)?)?)
    }
}

#[cfg(test)]
mod tests {
    use tabiya_boards::makers::{chessnut, dgt};

    use super::*;

    #[test]
    fn what_is_kept_of_a_board_is_known_to_the_next_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let notes = BoardNotes::in_folder(&folder.path().join("new"));
        assert_eq!(notes.of(dgt::MAKER), Notes::NONE);
        notes.keep(dgt::MAKER, "a", "1").expect("it is written");
        notes.keep(dgt::MAKER, "a", "2").expect("it is written");
        notes.keep(chessnut::MAKER, "b", "3").expect("it is written");
        let again = BoardNotes::in_folder(&folder.path().join("new"));
        assert_eq!(again.of(dgt::MAKER).get("a"), Some("2"));
        assert_eq!(again.of(dgt::MAKER).get("b"), None);
    }

    #[test]
    fn what_several_programs_keep_at_the_same_moment_is_all_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..8).map(|nth| format!("note-{nth}")).collect();
        std::thread::scope(|threads| {
            for name in &names {
                let notes = BoardNotes::in_folder(folder.path());
                threads.spawn(move || notes.keep(dgt::MAKER, name, "kept").expect("it is written"));
            }
        });
        let all = BoardNotes::in_folder(folder.path()).of(dgt::MAKER);
        assert!(names.iter().all(|name| all.get(name) == Some("kept")), "{all:?}");
    }

    #[test]
    fn a_lock_that_another_program_holds_is_told_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = std::fs::File::create(folder.path().join("boards.lock")).expect("a lock");
        lock.lock().expect("it is free");
        let error = BoardNotes::in_folder(folder.path()).keep(dgt::MAKER, "a", "1").expect_err("it is held");
        assert!(error.to_string().contains("another program holds it"), "{error}");
    }

    #[test]
    fn notes_never_grow_longer_than_what_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let notes = BoardNotes::in_folder(folder.path());
        let long = "v".repeat(600_000);
        notes.keep(dgt::MAKER, "a", &long).expect("there is room");
        assert!(notes.keep(dgt::MAKER, "b", &long).is_err());
        assert_eq!(notes.of(dgt::MAKER).get("a"), Some(long.as_str()));
    }

    #[cfg(unix)]
    #[test]
    fn notes_behind_a_link_are_written_where_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let real = folder.path().join("real.json");
        std::fs::write(&real, "{}").expect("written");
        std::os::unix::fs::symlink(&real, folder.path().join(BOARD_NOTES)).expect("a link");
        BoardNotes::in_folder(folder.path()).keep(dgt::MAKER, "a", "1").expect("it is written");
        assert!(std::fs::read_to_string(&real).expect("it is there").contains("\"a\""));
        assert!(folder.path().join(BOARD_NOTES).is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_notes_holds_nothing_up() {
        let folder = tempfile::tempdir().expect("a folder");
        nix::unistd::mkfifo(&folder.path().join(BOARD_NOTES), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        assert_eq!(BoardNotes::in_folder(folder.path()).of(dgt::MAKER), Notes::NONE);
    }

    #[test]
    fn a_file_that_holds_something_else_is_not_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(BOARD_NOTES), "my notes").expect("it is written");
        let notes = BoardNotes::in_folder(folder.path());
        assert_eq!(notes.of(dgt::MAKER), Notes::NONE);
        assert!(notes.keep(dgt::MAKER, "a", "1").is_err());
        assert_eq!(
            std::fs::read_to_string(folder.path().join(BOARD_NOTES)).expect("it is there"),
            "my notes"
        );
    }
}
