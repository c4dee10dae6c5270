//! An event's folder: what the event is, its lists, its own journal and the copies. Private keys lie elsewhere: a copied folder is no
//! copied authority.
//!
//! Source: `docs/hall.md`, §1 and §11.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use serde_json::{Map, Value, json};
use tabiya_engine::record::json;
use tabiya_store::disk::{read_bounded, write_whole};
use tabiya_store::journal::JournalError;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::{PublicKey, TableKey};

use super::acts::{Act, ActJournal, STAFF as STAFF_ACT, files_missed, fork_numbers, staff_lists};
use super::keeper::{COPIES, make_copies};
use super::notice::FolderNotice;
use super::peers::OtherLists;
use super::tokens::Tokens;
use crate::boot::chance;
use crate::certs::{CertificateFault, CertificatePurpose, key_of_certificate, of_authority, signed};
use crate::digits::event_of;
use crate::lists::{Newer, Roster, Staff, StaffRole, newer, next_number, signed_text};
use crate::table::{ConsoleSeat, certificate_of, has_signed, text_of};
use crate::tls::Identity;
use crate::wire::DEEPEST;

/// The longest file of a folder that is read, in bytes: the keys of 9,999 tables.
const LONGEST: u64 = 4 << 20;
/// What an event is.
const EVENT: &str = "event.json";
const STAFF: &str = "staff.json";
const ROSTER: &str = "roster.json";
const TOKENS: &str = "tokens.json";
/// The event's own journal.
const JOURNAL: &str = "event.tabiya";

/// Why an event cannot be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum FolderFault {
    /// A file cannot be read or written.
    #[error("{0}: this cannot be read or written ({1}); see whether it is there, is yours, and has room")]
    Io(String, std::io::Error),
    /// A file is not what this program has written.
    #[error("{0}: this file is damaged ({1}); put back a copy of it")]
    Damaged(String, String),
    /// The list of the prepared files that were given out is damaged.
    #[error(
        "{0}: the list of prepared files is damaged ({1}); put back a copy of it, or remove it: files that nobody has used yet serve nobody then, and `tabiya event tables` writes new ones"
    )]
    Tokens(String, String),
    /// A journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A key cannot be read or made.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A certificate cannot be made.
    #[error(transparent)]
    Certificate(#[from] CertificateFault),
    /// This computer is none of the event's consoles.
    #[error(
        "{0}: this computer is no console of this event, and does not have its authority; restore it with `tabiya event authority --restore FILE`"
    )]
    NoConsole(String),
    /// Several events are in the data folder.
    #[error("there are several events in {0}; name one with --event FOLDER")]
    Several(String),
    /// Nobody would be chief.
    #[error("an event needs a console with the role chief: add another one first; nothing was changed")]
    NoChief,
    /// This console does not keep the authority.
    #[error("this console does not keep the event's authority: admit and revoke at the console that does")]
    NoAuthority,
    /// The console that has admitted this one does not give its lists.
    #[error(
        "{0}: the console that has admitted this computer does not give the event's lists; see whether it runs, then join again"
    )]
    NoLists(String),
    /// An event lies in the folder already.
    #[error(
        "{0}: an event lies there already; `tabiya event --event FOLDER` opens it, or name another folder"
    )]
    Taken(String),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers; restart the computer")]
    NoChance,
}

/// Where an event lies.
#[derive(Clone, Debug)]
pub struct EventFolder(PathBuf);

impl EventFolder {
    /// This folder, or else the one event of the folder `events`, or a new one there. The new one is named after its date.
    pub fn find(named: Option<&Path>, events: &Path, date: &str) -> Result<Self, FolderFault> {
        if let Some(named) = named {
            return Ok(Self(named.to_owned()));
        }
        let found: Vec<PathBuf> = std::fs::read_dir(events)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        let found: Vec<PathBuf> = found.into_iter().filter(|path| path.join(EVENT).exists()).collect();
        match found.as_slice() {
            [] => Ok(Self(events.join(date))),
            [one] => Ok(Self(one.clone())),
            _ => Err(FolderFault::Several(tabiya_types::shown(events))),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The event in this folder and its name, without opening it: another program may run its console.
    pub fn about(&self) -> Result<(String, String), FolderFault> {
        let (file, about) = self.about_file()?;
        let text = |name: &str| about.get(name).and_then(Value::as_str).map(str::to_owned);
        text("event").zip(text("name")).ok_or_else(|| damaged(&file, &"no event"))
    }

    /// The file that says what the event is, and what it says.
    fn about_file(&self) -> Result<(PathBuf, Value), FolderFault> {
        let file = self.0.join(EVENT);
        let about = read(&file)?;
        if about.get("tabiya-event").and_then(Value::as_u64) != Some(1) {
            return Err(damaged(&file, &"it is of another version"));
        }
        Ok((file, about))
    }

    fn certificate(&self, name: &str) -> Result<CertificateDer<'static>, FolderFault> {
        let (file, about) = self.about_file()?;
        let text = about.get(name).and_then(Value::as_str).unwrap_or_default();
        certificate_of(text).map_err(|fault| damaged(&file, &fault))
    }

    /// The authority's certificate.
    pub(super) fn authority(&self) -> Result<CertificateDer<'static>, FolderFault> {
        self.certificate("authority")
    }

    /// The authority's key, 64 hexadecimal digits.
    fn authority_key(&self) -> Result<String, FolderFault> {
        let (event, _) = self.about()?;
        let key = key_of_certificate(&self.authority()?).filter(|key| event_of(&key.to_bytes()) == event);
        let file = self.0.join(EVENT);
        Ok(key.ok_or_else(|| damaged(&file, &"the authority is another event's"))?.to_string())
    }

    /// Whether this folder is that of the console with this key.
    pub(super) fn is_console(&self, key: &PublicKey) -> Result<bool, FolderFault> {
        Ok(key_of_certificate(&self.certificate("certificate")?).as_ref() == Some(key))
    }

    /// Takes what counts more of the lists that another console has.
    pub(super) fn take_lists(&self, lists: &OtherLists) -> Result<TakenLists, FolderFault> {
        let ((event, _), key) = (self.about()?, self.authority_key()?);
        let (staff, roster) = self.lists()?;
        let mut taken = TakenLists::default();
        if let Ok(came) = Staff::read(&lists.staff, &event, &key, &has_signed)
            && taken.counts((staff.signed(), staff.n), (came.signed(), came.n))
        {
            write(&self.0.join(STAFF), came.signed())?;
        }
        if let Ok(came) = Roster::read(&lists.roster, &event, &key, &has_signed)
            && taken.counts((roster.signed(), roster.n), (came.signed(), came.n))
        {
            write(&self.0.join(ROSTER), came.signed())?;
        }
        Ok(taken)
    }

    /// Makes the folder of a further console with these lists, which the authority has signed.
    pub(super) fn make_of_console(
        &self,
        seat: &ConsoleSeat,
        lists: &OtherLists,
        (keys, now): (&Keyring, &EventDates<'_>),
    ) -> Result<(), FolderFault> {
        let path = &self.0;
        if self.has_event() {
            return Err(FolderFault::Taken(tabiya_types::shown(path)));
        }
        must_be_empty(path)?;
        let authority = key_of_certificate(&seat.authority).map(|key| key.to_string()).unwrap_or_default();
        Staff::read(&lists.staff, &seat.event, &authority, &has_signed)
            .map_err(|fault| damaged(&path.join(STAFF), &fault))?;
        Roster::read(&lists.roster, &seat.event, &authority, &has_signed)
            .map_err(|fault| damaged(&path.join(ROSTER), &fault))?;
        std::fs::create_dir_all(path).map_err(|error| FolderFault::Io(tabiya_types::shown(path), error))?;
        write(&path.join(STAFF), &lists.staff)?;
        write(&path.join(ROSTER), &lists.roster)?;
        make_copies(path)?;
        let about = json!({
            "tabiya-event": 1, "event": seat.event, "name": seat.name, "made": now.date, "console": seat.console,
            "authority": text_of(&seat.authority), "certificate": text_of(&seat.own.certificate),
        });
        ActJournal::open(&path.join(JOURNAL), (&seat.event, &seat.name), now.date, keys)?;
        // It is an event once this file is there.
        write(&path.join(EVENT), &about)
    }

    /// Reads and checks what the event is and its two lists, without opening it: the authority has signed them.
    pub fn lists(&self) -> Result<(Staff, Roster), FolderFault> {
        let (event, _) = self.about()?;
        let key = self.authority_key()?;
        let list = |name: &str| read(&self.0.join(name)).map(|list| (self.0.join(name), list));
        let ((staff_file, staff), (roster_file, roster)) = (list(STAFF)?, list(ROSTER)?);
        let staff =
            Staff::read(&staff, &event, &key, &has_signed).map_err(|fault| damaged(&staff_file, &fault))?;
        let roster = Roster::read(&roster, &event, &key, &has_signed)
            .map_err(|fault| damaged(&roster_file, &fault))?;
        Ok((staff, roster))
    }

    /// The keys of all consoles that there were: each stands in a list that the authority has signed, and that the event's journal
    /// has, or that is the newest one.
    pub fn consoles_ever(&self) -> Result<BTreeSet<String>, FolderFault> {
        let (event, _) = self.about()?;
        let (newest, _) = self.lists()?;
        let authority = self.authority_key()?;
        let kept = staff_lists(&self.0.join(JOURNAL))?;
        let read = kept.iter().filter_map(|list| Staff::read(list, &event, &authority, &has_signed).ok());
        let consoles = read.chain([newest]).flat_map(|staff| staff.consoles);
        Ok(consoles.map(|console| console.key).collect())
    }

    /// The file of the event's own journal.
    pub(super) fn journal(&self) -> PathBuf {
        self.0.join(JOURNAL)
    }

    /// When the event was made, RFC 3339.
    pub(super) fn made(&self) -> Result<String, FolderFault> {
        self.says("made")
    }

    /// This console's name.
    pub fn console(&self) -> Result<String, FolderFault> {
        self.says("console")
    }

    fn says(&self, name: &str) -> Result<String, FolderFault> {
        let (file, about) = self.about_file()?;
        let said = about.get(name).and_then(Value::as_str).map(str::to_owned);
        said.ok_or_else(|| damaged(&file, &format!("no {name}")))
    }

    /// The numbers of all further files of copies that there were, as the event's journal says.
    pub fn forks_ever(&self) -> Result<BTreeSet<usize>, FolderFault> {
        Ok(fork_numbers(&self.0.join(JOURNAL))?)
    }

    /// The files of the folder that were missing when a console began, as the event's journal says, each with the date.
    pub fn files_missed(&self) -> Result<Vec<(String, String)>, FolderFault> {
        Ok(files_missed(&self.0.join(JOURNAL))?)
    }

    /// Whether an event lies there.
    pub fn has_event(&self) -> bool {
        self.0.join(EVENT).exists()
    }
}

/// What the lists of another console have come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TakenLists {
    /// One of them counts more than the known one, which this console did not sign then.
    pub(super) replaced: bool,
    /// One of them has the number of the known one, and another text.
    pub(super) differs: bool,
    /// This console has given up the authority.
    pub(super) gave_up: bool,
}

impl TakenLists {
    fn counts(&mut self, known: (&Value, u64), came: (&Value, u64)) -> bool {
        let counts = match newer(known, came) {
            Newer::Came => true,
            Newer::Known => false,
            Newer::Both { came } => {
                self.differs = true;
                came
            }
        };
        self.replaced |= counts;
        counts
    }
}

/// An open event.
#[derive(Debug)]
pub struct OpenEvent {
    folder: PathBuf,
    keys: Keyring,
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The event's name.
    pub name: String,
    /// This console's name.
    pub console: String,
    /// The authority's certificate.
    pub certificate: CertificateDer<'static>,
    /// The authority's key, 64 hexadecimal digits.
    pub authority_key: String,
    /// The authority, if this console keeps it.
    pub authority: Option<Arc<TableKey>>,
    /// This console's key with its certificate.
    pub own: Identity,
    /// The newest list of consoles.
    pub staff: Staff,
    /// The newest list of tables.
    pub roster: Roster,
    tokens: Tokens,
    acts: ActJournal,
    /// How often the rounds have changed since the event was opened.
    rounds_version: u64,
    /// What is not there any more, or not as it was.
    notices: Vec<FolderNotice>,
}

/// What an event is called, and when it was made.
#[derive(Clone, Debug)]
pub struct EventDates<'a> {
    /// The present date, RFC 3339.
    pub date: &'a str,
    /// The same in ms since 1970.
    pub unix_ms: u64,
}

fn damaged(path: &Path, why: &impl ToString) -> FolderFault {
    FolderFault::Damaged(tabiya_types::shown(path), why.to_string())
}

fn read(path: &Path) -> Result<Value, FolderFault> {
    let bytes =
        read_bounded(path, LONGEST).map_err(|error| FolderFault::Io(tabiya_types::shown(path), error))?;
    let text = std::str::from_utf8(&bytes).map_err(|error| damaged(path, &error))?;
    json::parse_within(text, DEEPEST).map_err(|error| damaged(path, &error))
}

fn write(path: &Path, value: &Value) -> Result<(), FolderFault> {
    write_whole(path, value.to_string() + "\n")
        .map_err(|error| FolderFault::Io(tabiya_types::shown(path), error))
}

/// The event's own journal, and what is to be told of it.
fn kept_acts(
    file: &Path,
    of: (&str, &str),
    made: &str,
    keys: &Keyring,
) -> Result<(ActJournal, Option<FolderNotice>), FolderFault> {
    let was_there = file.exists();
    let (acts, doubt) = ActJournal::open(file, of, made, keys)?;
    let notice = if was_there { doubt.map(FolderNotice::Acts) } else { Some(FolderNotice::NoActs) };
    Ok((acts, notice))
}

/// The prepared files that were given out, as they are kept; none without the file.
fn kept_tokens(file: &Path) -> Result<Tokens, FolderFault> {
    if !file.exists() {
        return Ok(Tokens::default());
    }
    let why = match read(file) {
        Ok(kept) => match Tokens::read(&kept) {
            Some(tokens) => return Ok(tokens),
            None => "it is of another version, or not of this program".to_owned(),
        },
        Err(FolderFault::Damaged(_, why)) => why,
        Err(fault) => return Err(fault),
    };
    Err(FolderFault::Tokens(tabiya_types::shown(file), why))
}

/// What is left of an event is not written over.
fn must_be_empty(folder: &Path) -> Result<(), FolderFault> {
    let mut files = [STAFF, ROSTER, JOURNAL, COPIES].iter().map(|name| folder.join(name));
    match files.find(|file| file.exists()) {
        Some(left) => Err(damaged(&left, &"its event.json is missing")),
        None => Ok(()),
    }
}

/// The list with the authority's signature.
fn signed_by(authority: &TableKey, mut list: Value) -> Value {
    let signature = authority.sign(&signed_text(&list));
    if let Some(members) = list.as_object_mut() {
        members.insert("sig".to_owned(), signature.into());
    }
    list
}

fn roster_list(event: &str, n: u64, tables: &Map<String, Value>, was: &Map<String, Value>) -> Value {
    json!({"m": "roster", "event": event, "n": n, "tables": tables, "was": was})
}

/// This console's certificate for the key of another computer, which is kept in the event's file.
fn taken_over(
    authority: &TableKey,
    own: &TableKey,
    (event, console): (&str, &str),
    (file, mut about): (&Path, Value),
) -> Result<CertificateDer<'static>, FolderFault> {
    let serial = chance().map_err(|_| FolderFault::NoChance)?;
    let certificate =
        signed(authority, (&own.public(), CertificatePurpose::Console, console), event, serial)?;
    if let Some(members) = about.as_object_mut() {
        members.insert("certificate".to_owned(), text_of(&certificate).into());
    }
    write(file, &about)?;
    Ok(certificate)
}

impl OpenEvent {
    /// This computer's keys.
    pub(super) fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// Makes an event in this folder, with this console as its chief's, which keeps the authority.
    pub fn make(
        folder: &EventFolder,
        (name, console): (&str, &str),
        keys: &Keyring,
        now: &EventDates<'_>,
    ) -> Result<Self, FolderFault> {
        let path = folder.path();
        must_be_empty(path)?;
        std::fs::create_dir_all(path).map_err(|error| FolderFault::Io(tabiya_types::shown(path), error))?;
        let authority = keys.make_authority(|key| event_of(&key.to_bytes()))?;
        let own = keys.table_key()?;
        let event = event_of(&authority.public().to_bytes());
        let serial = || chance().map_err(|_| FolderFault::NoChance);
        let certificate = of_authority(&authority, &event, serial()?)?;
        let purpose = (&own.public(), CertificatePurpose::Console, console);
        let console_certificate = signed(&authority, purpose, &event, serial()?)?;
        let consoles = json!([{"name": console, "key": own.public().to_string(), "role": "chief", "tables": [1, 9_999]}]);
        let n = next_number(0, now.unix_ms);
        let staff =
            signed_by(&authority, json!({"m": "staff", "event": event, "n": n, "consoles": consoles}));
        let roster = signed_by(&authority, roster_list(&event, n, &Map::new(), &Map::new()));
        write(&path.join(STAFF), &staff)?;
        write(&path.join(ROSTER), &roster)?;
        let about = json!({
            "tabiya-event": 1, "event": event, "name": name, "made": now.date, "console": console,
            "authority": text_of(&certificate), "certificate": text_of(&console_certificate),
        });
        make_copies(path)?;
        ActJournal::open(&path.join(JOURNAL), (&event, name), now.date, keys)?;
        // It is an event once this file is there.
        write(&path.join(EVENT), &about)?;
        Self::open(folder, keys, now)
    }

    /// Opens the event in this folder.
    pub fn open(folder: &EventFolder, keys: &Keyring, now: &EventDates<'_>) -> Result<Self, FolderFault> {
        let path = folder.path();
        let (file, about) = folder.about_file()?;
        let text = |name: &str| {
            about
                .get(name)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| damaged(&file, &format!("no {name}")))
        };
        let (event, name, console, made) = (text("event")?, text("name")?, text("console")?, text("made")?);
        let read_certificate =
            |name: &str| certificate_of(&text(name)?).map_err(|fault| damaged(&file, &fault));
        let (certificate, console_certificate) =
            (read_certificate("authority")?, read_certificate("certificate")?);
        let of = key_of_certificate(&certificate).filter(|key| event_of(&key.to_bytes()) == event);
        let of = of.ok_or_else(|| damaged(&file, &"the authority is another event's"))?;
        let authority_key = of.to_string();
        let authority = keys.find_authority(&event)?.map(Arc::new);
        let own = keys.table_key()?;
        let is_other = key_of_certificate(&console_certificate) != Some(own.public());
        let console_certificate = match &authority {
            // The authority was restored here: this computer takes the place of the one that had it.
            Some(authority) if is_other => {
                taken_over(authority, &own, (&event, &console), (&file, about.clone()))?
            }
            None if is_other => return Err(FolderFault::NoConsole(tabiya_types::shown(path))),
            Some(_) | None => console_certificate,
        };
        let (staff, roster) = folder.lists()?;
        let tokens = kept_tokens(&path.join(TOKENS))?;
        let (acts, notice) = kept_acts(&path.join(JOURNAL), (&event, &name), &made, keys)?;
        let mut opened = Self {
            folder: path.to_owned(),
            keys: keys.clone(),
            event,
            name,
            console,
            certificate,
            authority_key,
            authority,
            own: Identity { key: Arc::new(own), certificate: console_certificate },
            staff,
            roster,
            tokens,
            acts,
            rounds_version: 0,
            notices: Vec::new(),
        };
        if let Some(notice) = notice {
            opened.notice(notice, now.unix_ms, now.date)?;
        }
        let own_key = opened.own.key.public().to_string();
        if is_other && opened.staff.console(&own_key).is_none() {
            let (name, chief) = (opened.console.clone(), (own_key.as_str(), "chief", (1, 9_999)));
            opened.set_console(&name, Some(chief), now.unix_ms)?;
        }
        opened.keep_staff(now.unix_ms, now.date)?;
        Ok(opened)
    }

    /// Takes what counts more of the lists that another console has. If the authority has signed it, and this console has not, another
    /// one keeps the authority: this one gives it up.
    pub(super) fn take_lists(
        &mut self,
        lists: &OtherLists,
        (unix_ms, date): (u64, &str),
    ) -> Result<TakenLists, FolderFault> {
        let folder = EventFolder(self.folder.clone());
        let mut taken = folder.take_lists(lists)?;
        if taken.replaced {
            taken.gave_up = self.authority.take().is_some();
            (self.staff, self.roster) = folder.lists()?;
            self.keep_staff(unix_ms, date)?;
        }
        if taken.gave_up {
            self.keys.give_up_authority(&self.event)?;
        }
        Ok(taken)
    }

    /// Keeps the present list of consoles in the event's journal, if it is not there: an order that was given under it can be checked
    /// when a console is none any more.
    fn keep_staff(&mut self, unix_ms: u64, date: &str) -> Result<(), FolderFault> {
        let list = self.staff.signed().clone();
        if self.acts.has(STAFF_ACT, (STAFF_ACT, &list))? {
            return Ok(());
        }
        let act = Act::new(STAFF_ACT, self.console.clone()).with(STAFF_ACT, list);
        self.note(&act, unix_ms, date)
    }

    /// Notes that a file is not there any more, or not as it was: for people, and in the event's journal.
    pub(super) fn notice(
        &mut self,
        notice: FolderNotice,
        unix_ms: u64,
        date: &str,
    ) -> Result<(), FolderFault> {
        let act = notice.act(&self.console);
        self.notices.push(notice);
        act.map_or(Ok(()), |act| self.note(&act, unix_ms, date))
    }

    /// The numbers of the further files of copies that the event's journal names.
    pub(super) fn forks_named(&self) -> Result<BTreeSet<usize>, FolderFault> {
        Ok(self.acts.forks()?)
    }

    /// What is not there any more of the event's folder, or not as it was.
    pub fn notices(&self) -> &[FolderNotice] {
        &self.notices
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same, to be read.
    pub(super) fn of_folder(&self) -> EventFolder {
        EventFolder(self.folder.clone())
    }

    /// The authority's certificate as text.
    pub fn certificate_text(&self) -> String {
        text_of(&self.certificate)
    }

    fn authority(&self) -> Result<&Arc<TableKey>, FolderFault> {
        self.authority.as_ref().ok_or(FolderFault::NoAuthority)
    }

    /// Writes an act of the desk into the event's journal.
    pub fn note(&mut self, act: &Act, unix_ms: u64, date: &str) -> Result<(), FolderFault> {
        Ok(self.acts.write(act, unix_ms, date)?)
    }

    /// How often the rounds have changed since the event was opened.
    pub(super) fn rounds_version(&self) -> u64 {
        self.rounds_version
    }

    /// Notes that the rounds have changed.
    pub(super) fn rounds_changed(&mut self) {
        self.rounds_version += 1;
    }

    /// Gives a table's number to a key, or to nobody. The key that it had before becomes a former one.
    pub fn set_table(&mut self, table: u16, key: Option<&str>, unix_ms: u64) -> Result<(), FolderFault> {
        self.set_tables(&[(table, key)], unix_ms)
    }

    /// Gives the numbers of tables to keys, or to nobody, in one new list. Keys that tables had before become former ones.
    pub fn set_tables(&mut self, keys: &[(u16, Option<&str>)], unix_ms: u64) -> Result<(), FolderFault> {
        let authority = Arc::clone(self.authority()?);
        let member =
            |of: &Value, name: &str| of.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
        let signed = self.roster.signed().clone();
        let (mut tables, mut was) = (member(&signed, "tables"), member(&signed, "was"));
        for (table, key) in keys {
            let name = table.to_string();
            if let Some(before) = tables.shift_remove(&name).filter(|before| before.as_str() != *key) {
                let former = was.entry(name.clone()).or_insert_with(|| json!([]));
                if let Some(former) = former.as_array_mut().filter(|former| !former.contains(&before)) {
                    former.push(before);
                }
            }
            if let Some(key) = *key {
                tables.insert(name, key.into());
            }
        }
        let n = next_number(self.roster.n, unix_ms);
        let list = signed_by(&authority, roster_list(&self.event, n, &tables, &was));
        let file = self.folder.join(ROSTER);
        let read = Roster::read(&list, &self.event, &self.authority_key, &has_signed);
        let read = read.map_err(|fault| damaged(&file, &fault))?;
        write(&file, &list)?;
        self.roster = read;
        Ok(())
    }

    /// Adds a console with its role, changes it, or takes it out with `None`.
    pub fn set_console(
        &mut self,
        name: &str,
        console: Option<(&str, &str, (u16, u16))>,
        unix_ms: u64,
    ) -> Result<(), FolderFault> {
        let authority = Arc::clone(self.authority()?);
        let mut list = self.staff.signed().clone();
        let n = next_number(self.staff.n, unix_ms);
        if let Some(consoles) = list.get_mut("consoles").and_then(Value::as_array_mut) {
            let key = console.map(|(key, _, _)| key);
            let text = |of: &Value, member: &str| of.get(member).and_then(Value::as_str).map(str::to_owned);
            // One entry for each name and for each key.
            consoles.retain(|known| {
                text(known, "name").as_deref() != Some(name)
                    && (key.is_none() || text(known, "key").as_deref() != key)
            });
            if let Some((key, role, (from, to))) = console {
                consoles.push(json!({"name": name, "key": key, "role": role, "tables": [from, to]}));
            }
        }
        if let Some(members) = list.as_object_mut() {
            members.insert("n".to_owned(), n.into());
            members.shift_remove("sig");
        }
        let list = signed_by(&authority, list);
        let file = self.folder.join(STAFF);
        let read = Staff::read(&list, &self.event, &self.authority_key, &has_signed);
        let read = read.map_err(|fault| damaged(&file, &fault))?;
        if !read.consoles.iter().any(|console| console.role == Some(StaffRole::Chief)) {
            return Err(FolderFault::NoChief);
        }
        write(&file, &list)?;
        self.staff = read;
        let millis = i64::try_from(unix_ms).unwrap_or(i64::MAX);
        let date = chrono::DateTime::from_timestamp_millis(millis).unwrap_or_default();
        self.keep_staff(unix_ms, &date.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
    }

    /// A certificate for a computer that has been admitted, as text.
    pub fn certify(
        &self,
        key: &PublicKey,
        purpose: CertificatePurpose,
        name: &str,
    ) -> Result<String, FolderFault> {
        let serial = chance().map_err(|_| FolderFault::NoChance)?;
        Ok(text_of(&signed(self.authority()?, (key, purpose, name), &self.event, serial)?))
    }

    /// Gives out a token for this table: 64 hexadecimal digits.
    pub fn give_token(&mut self, table: u16) -> Result<String, FolderFault> {
        self.authority()?;
        let bytes: [u8; 32] = chance().map_err(|_| FolderFault::NoChance)?;
        let token = tabiya_engine::record::chain::hex(&bytes);
        self.tokens.give(&token, table);
        Ok(token)
    }

    pub(super) fn tokens(&mut self) -> &mut Tokens {
        &mut self.tokens
    }

    /// Keeps the tokens as they are now.
    pub fn keep_tokens(&self) -> Result<(), FolderFault> {
        write(&self.folder.join(TOKENS), &self.tokens.value())
    }
}
