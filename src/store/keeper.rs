//! The interface through which a session writes its record, and its implementation for a match in a journal.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::Action;
use tabiya_engine::table::Input;
use tabiya_types::{Instant, LAST_MOMENT, Seat, Sentence};

use super::copy::RecordCopy;
use super::evening;
use super::follow::{CopyState, Follower, FollowerState};
use super::heads::{Point, Signer};
use super::journal::place::free_name;
use super::journal::vault::{KeyError, KeyPair};
use super::keys::Keyring;
use super::match_key_file::{KeyShare, KeyShares};
use super::notes::MatchName;
use super::trust;
use super::verbs::{CONTINUES, PLACE, place_of};
use crate::journal::{
    self, Batch, Journal, JournalError, JournalWriter, MatchId, MatchInfo, NewEntry, Store as _, Ticket,
    say_elsewhere,
};

/// How long closing a record waits for each who follows it.
const PATIENCE: Duration = Duration::from_secs(2);

/// The operations by which a session writes its record.
pub trait Keeper: fmt::Debug + Send {
    /// Writes lines. After `Ok` they are durable; after `Err` none of them was written. If a line is a deal with known
    /// cards, the seals that the record contains for this deal are also added to the line in `lines`.
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError>;
    /// Saves the current moment of the match, so that the match can continue there after a crash. Does not wait for the
    /// disk. `Err` if the record has had to go on in another file since the last call, or was overwritten.
    fn moment(&mut self, now: Instant) -> Result<(), JournalError>;
    /// Signs the newest line's hash, and waits until the signature is durable. `None` if this computer has no key to sign
    /// with, or if the signature cannot be kept.
    fn sign(&mut self) -> Option<HeadSignature>;
    /// Why the record's heads are not signed now; `None` if they are.
    fn unsigned(&self) -> Option<&str>;
    /// Whether the record's earlier lines are in doubt, so that nothing of it is signed until [`Self::vouch`].
    fn is_doubted(&self) -> bool;
    /// Signs the record from now on although its earlier lines are in doubt: the arbiter has ruled so.
    fn vouch(&mut self) -> Result<(), JournalError>;
    /// The match's unique name.
    fn uid(&self) -> &str;
    /// The hash of the newest line; `None` before the first line.
    fn head(&self) -> Option<Head>;
    /// The hash of the line at this place, where the header is 0; `None` if the record has no such line. `Err` if it cannot be read.
    fn head_at(&self, place: u64) -> Result<Option<Head>, JournalError>;
    /// Writes the whole match again, into a new file beside the old one, because the record's file was overwritten
    /// ([`JournalError::Overwritten`]). Later lines go there. Returns the new file.
    fn rescue(&mut self, header: &str, lines: &[Line]) -> Result<PathBuf, JournalError>;
    /// The file in which the record goes on, because its own file was removed or replaced; `None` if it was not.
    fn moved(&self) -> Option<&Path>;
    /// Locks the key to the match's sealed cards with this player's share, besides those that have locked it before.
    fn lock(&mut self, seat: Seat, share: KeyShare) -> Result<(), KeyError>;
    /// Takes the share of a player who agrees that sealed cards are shown.
    fn give_share(&mut self, seat: Seat, share: KeyShare);
    /// Unlocks the key to the match's sealed cards for good. `Ok(false)` if shares are missing.
    fn release(&mut self) -> Result<bool, KeyError>;
    /// How far those who follow the record have come.
    fn followers(&self) -> Vec<FollowerState>;
    /// Closes the record.
    fn close(self: Box<Self>) -> Result<(), JournalError>;
}

/// What a PGN lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnNews {
    /// A move, or something else that happened in a game.
    Move,
    /// The result of a game.
    Result,
}

/// The operations by which a session writes the PGN of its running match.
pub trait PgnKeeper: fmt::Debug + Send {
    /// Whether the PGN is to be written again now, after a move or a result. Making and writing the text of a long match
    /// takes time, so a keeper may want it more rarely than moves are made.
    fn is_due(&self, news: PgnNews) -> bool;
    /// Writes the whole PGN again. The error says what could not be written, and why; the session tries again at the
    /// next move.
    fn write(&mut self, news: PgnNews, text: &str) -> Result<(), Sentence>;
}

/// A match in a journal that is open for writing.
#[derive(Debug)]
pub struct JournalKeeper {
    writer: JournalWriter<Journal>,
    id: MatchId,
    /// The match's unique name, its file, and its keys: what is needed to begin it again in another file.
    of: MatchName,
    path: PathBuf,
    keys: Keyring,
    head: Option<Head>,
    /// The answer to the last saved moment.
    saved: Option<Ticket<()>>,
    moved: Option<PathBuf>,
    followers: Vec<Box<dyn Follower>>,
    signing: Signing,
    /// The key to the sealed cards, if this program has locked it.
    locked: Option<KeyPair>,
    /// The shares that players have given.
    shares: KeyShares,
}

/// Whether the record's heads are signed.
#[derive(Debug)]
struct Signing {
    /// Whether there is a key to sign with.
    has_key: bool,
    /// Whether the record's earlier lines are in doubt.
    doubted: bool,
    /// Why nothing is signed.
    trouble: Option<String>,
}

/// Why a record in doubt is not signed.
const DOUBTED: &str =
    "its earlier lines are in doubt, and the arbiter has not vouched for them with `vouch` and a reason";

impl Signing {
    /// Notes what this answer tells about signatures.
    fn note<T>(&mut self, answer: &Result<T, JournalError>) {
        match answer {
            Err(error @ JournalError::NotSigned { .. }) => self.trouble = Some(error.to_string()),
            Ok(_) if self.has_key => self.trouble = None,
            Ok(_) | Err(_) => {}
        }
    }
}

impl JournalKeeper {
    /// Opens the journal file, or creates it. `Err` with [`JournalError::Alone`] if the file has no match although its signed
    /// heads or this computer's notes know one: nothing is written into it without its log.
    pub fn open(path: &Path, keys: &Keyring) -> Result<Journal, JournalError> {
        // If `path` is a symbolic link to a missing file, `exists` returns `false`. So `create` is called, and returns
        // an error.
        if !path.exists() {
            return Journal::create(path);
        }
        trust::must_have_its_log(path, keys)?;
        Journal::open(path)
    }

    /// Signs the last match of a journal to its end, if a kill came before that and this table's note proves that it wrote
    /// every line. Otherwise does nothing: what nobody can prove is signed only where it is carried on and vouched for.
    pub fn sign_last(journal: Journal, keys: &Keyring) -> Result<Journal, JournalError> {
        let Some(info) = journal.matches()?.pop() else { return Ok(journal) };
        let is_signed = evening::signed_until(journal.reader(), &info, keys)? == Some(info.entries);
        if is_signed || !trust::is_proved(journal.reader(), &info, keys)? {
            return Ok(journal);
        }
        let (mut journal, _) = equipped(journal, keys.clone());
        // A signature that cannot be kept is tried again the next time.
        let _ = journal.sign(info.id);
        Ok(journal)
    }

    /// Begins a match in an open journal. The known cards of its deals will be encrypted with a key from `keys`.
    /// Without a key to sign with, the header says so from then on.
    pub fn begin(journal: Journal, header: &mut Header, keys: Keyring) -> Result<Self, JournalError> {
        let (mut journal, signing) = equipped(Self::sign_last(journal, &keys)?, keys.clone());
        if !signing.has_key {
            header.mark_unsigned();
        }
        let id = journal.begin_match(&header.line())?;
        let info = journal.matches()?.into_iter().find(|info| info.id == id);
        let info = info.ok_or_else(|| JournalError::NoMatch { path: journal.path().to_owned(), id })?;
        Ok(Self::over(journal, &info, keys, signing))
    }

    fn over(journal: Journal, info: &MatchInfo, keys: Keyring, signing: Signing) -> Self {
        let path = journal.path().to_owned();
        let writer = JournalWriter::start(journal);
        let of = info.name();
        Self {
            writer,
            id: info.id,
            of,
            path,
            keys,
            head: None,
            saved: None,
            moved: None,
            followers: Vec::new(),
            signing,
            locked: None,
            shares: KeyShares::new(),
        }
    }

    /// Carries on a match of an open journal. The known cards of its deals will be encrypted with a key from `keys`. If its
    /// earlier lines are in doubt, nothing of it is signed until [`Keeper::vouch`].
    /// `stopped` is the moment at which it goes on.
    pub fn carry_on(
        journal: Journal,
        info: &MatchInfo,
        keys: Keyring,
        (stopped, in_doubt): (Instant, bool),
    ) -> Self {
        let (mut journal, signing) = equipped(journal, keys.clone());
        journal.take_on(info.id, stopped.millis(), in_doubt);
        let carried = Self::over(journal, info, keys, Signing { doubted: in_doubt, ..signing });
        Self { head: Some(info.head), ..carried }
    }

    /// Tells this follower of each line from now on.
    #[must_use]
    pub fn followed(mut self, by: Box<dyn Follower>) -> Self {
        self.followers.push(by);
        self
    }

    /// Copies the record `path` into this folder from now on, if one is named.
    #[must_use]
    pub fn with_copy(self, path: &Path, folder: Option<&Path>) -> Self {
        match folder {
            Some(folder) => self.followed(Box::new(RecordCopy::start(path, folder))),
            None => self,
        }
    }

    /// Says in a deal with sealed cards, and where the record goes on in this file, which file this is.
    fn mark_place(&self, line: &mut Line) {
        if line.is_sealed() || line.extension(CONTINUES).is_some() {
            line.set_extension(PLACE, place_of(&self.path, self.of.begins));
        }
    }

    /// Notes the file in which the record goes on, if this error says so.
    fn note_move<T>(&mut self, done: Result<T, JournalError>) -> Result<T, JournalError> {
        if let Err(JournalError::Moved { new, .. }) = &done {
            self.moved = Some(new.clone());
            self.path.clone_from(new);
            for follower in &self.followers {
                follower.moved(new);
            }
        }
        done
    }
}

/// A journal with its keys. Without a key to sign with, the record is kept all the same, and `tabiya verify` says
/// then that it is not signed.
fn equipped(journal: Journal, keys: Keyring) -> (Journal, Signing) {
    let key = keys.table_key();
    let (has_key, trouble) = (key.is_ok(), key.as_ref().err().map(ToString::to_string));
    let journal = journal.with_keys(keys);
    let journal = match key {
        Ok(key) => journal.with_signer(Signer::new(key)),
        Err(_) => journal,
    };
    (journal, Signing { has_key, doubted: false, trouble })
}

impl Keeper for JournalKeeper {
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        for line in lines.iter_mut() {
            seal(line)?;
            self.mark_place(line);
        }
        let entries =
            lines.iter().map(|line| NewEntry { t: line.t.millis(), line: line.to_string() }).collect();
        let written = self.writer.append_wait(Batch { id: self.id, after: None, entries });
        self.head = Some(self.note_move(written)?);
        for follower in &self.followers {
            follower.written(lines.len() as u64);
        }
        Ok(())
    }

    fn moment(&mut self, now: Instant) -> Result<(), JournalError> {
        if let Some(answer) = self.saved.take().and_then(Ticket::answered) {
            self.signing.note(&answer);
            // A moment that could not be saved is saved by the next one. Only what has happened to the file is news. Then
            // nothing more is asked of the writer, who would look for a new name at the same time as this thread.
            if matches!(answer, Err(JournalError::Moved { .. } | JournalError::Overwritten { .. })) {
                return self.note_move(answer);
            }
        }
        self.saved = Some(self.writer.moment(self.id, now.millis()));
        Ok(())
    }

    fn sign(&mut self) -> Option<HeadSignature> {
        let signed = self.writer.sign_wait(self.id);
        self.signing.note(&signed);
        signed.ok().flatten()
    }

    fn unsigned(&self) -> Option<&str> {
        self.signing.trouble.as_deref().or(self.signing.doubted.then_some(DOUBTED))
    }

    fn is_doubted(&self) -> bool {
        self.signing.doubted
    }

    fn vouch(&mut self) -> Result<(), JournalError> {
        let vouched = self.writer.vouch_wait(self.id);
        self.signing.note(&vouched);
        self.signing.doubted = false;
        vouched
    }

    fn rescue(&mut self, header: &str, lines: &[Line]) -> Result<PathBuf, JournalError> {
        let old = self.path.clone();
        let new = free_name(&old).ok_or_else(|| JournalError::Exists { path: old.clone() })?;
        let (mut journal, signing) = equipped(Journal::create(&new)?, self.keys.clone());
        let id = journal.begin_again(header, &self.of.uid)?;
        let entry = |line: &Line| NewEntry { t: line.t.millis(), line: line.to_string() };
        let head = journal.append(id, &lines.iter().map(entry).collect::<Vec<_>>())?;
        let info = journal.matches()?.into_iter().find(|info| info.id == id);
        let info = info.ok_or_else(|| JournalError::NoMatch { path: new.clone(), id })?;
        let followers = std::mem::take(&mut self.followers);
        // The old journal is closed first: what is left of its log belongs to no file any more.
        let (locked, shares) = (self.locked.take(), std::mem::take(&mut self.shares));
        let signing = Signing { doubted: self.signing.doubted, ..signing };
        journal.take_on(id, LAST_MOMENT, signing.doubted);
        *self = Self::over(journal, &info, self.keys.clone(), signing);
        let Self { of: MatchName { begins, uid }, .. } = &self;
        let written = Point { uid: uid.clone(), begins: *begins, seq: info.entries, head: info.head };
        say_elsewhere(&old, &[written], &new);
        (self.locked, self.shares) = (locked, shares);
        (self.head, self.followers, self.moved) = (Some(head), followers, Some(new.clone()));
        for follower in &self.followers {
            follower.moved(&new);
        }
        Ok(new)
    }

    fn moved(&self) -> Option<&Path> {
        self.moved.as_deref()
    }

    fn uid(&self) -> &str {
        &self.of.uid
    }

    fn head(&self) -> Option<Head> {
        self.head
    }

    fn head_at(&self, place: u64) -> Result<Option<Head>, JournalError> {
        Journal::open_read(&self.path)?.head_after(self.id, place)
    }

    fn lock(&mut self, seat: Seat, share: KeyShare) -> Result<(), KeyError> {
        self.shares.insert(seat, share);
        self.keys.lock(self.of.begins, &mut self.locked, &self.shares)
    }

    fn give_share(&mut self, seat: Seat, share: KeyShare) {
        self.shares.insert(seat, share);
    }

    fn release(&mut self) -> Result<bool, KeyError> {
        self.keys.release(self.of.begins, self.locked.as_ref(), &self.shares)
    }

    fn followers(&self) -> Vec<FollowerState> {
        self.followers.iter().map(|follower| follower.state()).collect()
    }

    /// Signs the end and gives those who follow a moment to catch up. Merges the write-ahead log into the journal file and closes
    /// it. `Err` also if the copy lacks lines.
    fn close(mut self: Box<Self>) -> Result<(), JournalError> {
        let _ = self.writer.sign_wait(self.id);
        let followers: Vec<_> = self.followers.drain(..).map(|follower| follower.finish(PATIENCE)).collect();
        self.writer.stop().map_or(Ok(()), Journal::close)?;
        match followers.into_iter().find_map(FollowerState::copy) {
            Some(CopyState { folder, behind, .. }) if behind > 0 => {
                Err(JournalError::CopyBehind { folder, behind })
            }
            _ => Ok(()),
        }
    }
}

/// Adds the seals of a deal to the session's copy of the line, so that an export of that copy has the same hashes as
/// the journal.
fn seal(line: &mut Line) -> Result<(), JournalError> {
    // Only deals have seals; no other line needs to be converted to JSON.
    let deals = match &line.body {
        Body::Acted(Input::Game(Action::Deal(_))) => true,
        Body::Acted(Input::Game(Action::Own(own))) => own.deals().is_some(),
        Body::Acted(_) | Body::Evidence(_) => false,
    };
    if deals {
        line.take_own(journal::sealed(line.to_value())?);
    }
    Ok(())
}
