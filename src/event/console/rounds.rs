//! The rounds of an event's folder: the book is folded from the event's journal, and each act is checked against it before it is
//! written.
//!
//! Source: `docs/rounds.md`, "The event's own journal".

mod audit;
mod boards;
pub(super) mod engine;
mod games;
pub(super) mod keeper;
pub(super) mod sheets;
mod starting;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::hex;
use tabiya_store::disk::{read_bounded, replace_private};

pub use self::audit::AuditedAct;
use super::acts::{Act, acts_of};
use super::folder::{EventFolder, FolderFault, OpenEvent};
use crate::rounds::book::act::{Plan, RoundAct};
use crate::rounds::book::{BookFault, RoundBook};
use crate::rounds::trf::{LONGEST, TrfFault, TrfFile};

/// The file that was read into the event, as it was. It has birth dates and FIDE ids, so it is no part of the journal.
const IMPORTED: &str = "tournament.trf";
/// The act by which a player's personal data were taken out.
const FORGET: &str = "forget";
/// The act by which a file was read.
const IMPORT: &str = "import";

/// Why rounds cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum RoundsFault {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// The act.
    #[error(transparent)]
    Refused(#[from] BookFault),
    /// A tournament report file.
    #[error("{0}: {1}")]
    File(String, TrfFault),
    /// The event has no rounds.
    #[error(
        "this event has no plan of rounds; `tabiya event new FOLDER --system … --rounds N` makes one that has"
    )]
    NoPlan,
    /// No file with personal data was read into the event.
    #[error("this event has no birth dates and no FIDE ids: no tournament file was read into it")]
    NothingPersonal,
    /// The running console, to which the act was handed over, has refused it.
    #[error("{0}")]
    Answered(String),
    /// The journal contradicts itself.
    #[error(
        "event.tabiya: an act of the rounds cannot be read or carried out ({0}); `tabiya verify --event` says where it is damaged"
    )]
    Damaged(String),
}

/// Who acts, and why.
#[derive(Clone, Copy, Debug)]
pub struct ActedBy<'a> {
    /// Who.
    pub who: &'a str,
    /// Why; may be empty.
    pub why: &'a str,
    /// The act's id: an act with an id that is known changes nothing.
    pub id: &'a str,
}

impl EventFolder {
    /// The book of this event's rounds.
    pub fn rounds(&self) -> Result<RoundBook, RoundsFault> {
        self.rounds_after(&acts_of(&self.journal()).map_err(FolderFault::from)?)
    }

    /// The book after these acts of the event.
    fn rounds_after(&self, lines: &[Value]) -> Result<RoundBook, RoundsFault> {
        let (_, name) = self.about()?;
        let begins: String = self.made()?.chars().take(10).collect();
        let mut book = None;
        for line in lines {
            let verb = line.get("do").and_then(Value::as_str).unwrap_or_default();
            if verb == Plan::WORD {
                let plan = Plan::read(line).ok_or_else(|| RoundsFault::Damaged(line.to_string()))?;
                book = Some(RoundBook::new(plan, &name, &begins));
            } else if let Some(now) = book.take() {
                book = Some(self.after(now, verb, line)?);
            }
        }
        book.ok_or(RoundsFault::NoPlan)
    }

    fn after(&self, mut book: RoundBook, verb: &str, line: &Value) -> Result<RoundBook, RoundsFault> {
        let damaged = |fault: BookFault| RoundsFault::Damaged(fault.to_string());
        if verb == IMPORT {
            return book.import(self.imported()?).map_err(damaged);
        }
        if let Some(act) = RoundAct::read(line) {
            book.apply(&act).map_err(damaged)?;
        }
        Ok(book)
    }

    /// What is wrong with the acts of the rounds, as a sentence: one that cannot be carried out, or a tournament file that is not the one
    /// that was read. `None` if all is as it was written, or the event has no rounds.
    pub fn rounds_doubt(&self) -> Result<Option<String>, RoundsFault> {
        let lines = acts_of(&self.journal()).map_err(FolderFault::from)?;
        match self.rounds_after(&lines) {
            Ok(_) | Err(RoundsFault::NoPlan) => {}
            Err(fault) => return Ok(Some(fault.to_string())),
        }
        let of_file = lines.iter().rev().find_map(|line| line.get("sha256")?.as_str());
        let Some(noted) = of_file else { return Ok(None) };
        let path = self.imported_path();
        let shown = tabiya_types::shown(&path);
        let bytes =
            read_bounded(&path, LONGEST as u64).map_err(|error| FolderFault::Io(shown.clone(), error))?;
        let same = hex(&Sha256::digest(&bytes)) == noted;
        Ok((!same).then(|| {
            format!("{shown}: this is not the file that was read into the event; put back a copy of it")
        }))
    }

    fn imported(&self) -> Result<TrfFile, RoundsFault> {
        let path = self.imported_path();
        let longest = u64::try_from(LONGEST).unwrap_or(u64::MAX);
        let shown = tabiya_types::shown(&path);
        let bytes = read_bounded(&path, longest).map_err(|error| FolderFault::Io(shown.clone(), error))?;
        TrfFile::read(&bytes).map_err(|fault| RoundsFault::File(shown, fault))
    }

    fn imported_path(&self) -> PathBuf {
        self.path().join(IMPORTED)
    }
}

impl OpenEvent {
    /// Plans the rounds of this event.
    pub fn plan(&mut self, plan: &Plan, by: ActedBy<'_>, now: (u64, &str)) -> Result<(), RoundsFault> {
        let mut act = Act::new(Plan::WORD, by.who);
        act.facts.extend(plan.facts());
        self.note(&act, now.0, now.1)?;
        self.rounds_changed();
        Ok(())
    }

    /// Carries an act of the rounds out. An act whose id is known changes nothing.
    pub fn act(&mut self, act: &RoundAct, by: ActedBy<'_>, now: (u64, &str)) -> Result<(), RoundsFault> {
        self.acts(std::slice::from_ref(act), by, now)
    }

    /// Carries several acts of the rounds out, or none of them; the journal is read once for all. Of several, each has an id of its own:
    /// the given one and the act's place, from 1 on.
    pub fn acts(&mut self, acts: &[RoundAct], by: ActedBy<'_>, now: (u64, &str)) -> Result<(), RoundsFault> {
        let folder = self.of_folder();
        let lines = acts_of(&folder.journal()).map_err(FolderFault::from)?;
        let known: BTreeSet<&str> = lines.iter().filter_map(|line| line.get("id")?.as_str()).collect();
        let mut book = None;
        let mut new = Vec::new();
        for (nth, act) in (1..).zip(acts) {
            let id = if acts.len() == 1 { by.id.to_owned() } else { format!("{}-{nth}", by.id) };
            if known.contains(id.as_str()) {
                continue;
            }
            let book = match &mut book {
                Some(book) => book,
                none => none.insert(folder.rounds_after(&lines)?),
            };
            book.apply(act)?;
            let mut line = Act::new(act.word(), by.who);
            line.facts.extend(act.facts());
            new.push(with_reason(line, ActedBy { id: &id, ..by }));
        }
        for line in &new {
            self.note(line, now.0, now.1)?;
        }
        if !new.is_empty() {
            self.rounds_changed();
        }
        Ok(())
    }

    /// Reads a tournament report file into the event, which has no players yet.
    pub fn import(
        &mut self,
        bytes: &[u8],
        by: ActedBy<'_>,
        now: (u64, &str),
    ) -> Result<RoundBook, RoundsFault> {
        let folder = self.of_folder();
        let file = TrfFile::read(bytes).map_err(|fault| RoundsFault::File(IMPORTED.to_owned(), fault))?;
        let book = folder.rounds()?.import(file)?;
        let path = folder.imported_path();
        replace_private(&path, bytes).map_err(|error| FolderFault::Io(tabiya_types::shown(&path), error))?;
        let line = Act::new(IMPORT, by.who).with("sha256", hex(&Sha256::digest(bytes)));
        self.note(&with_reason(line, by), now.0, now.1)?;
        self.rounds_changed();
        Ok(book)
    }
}

impl OpenEvent {
    /// Takes sex, birth date and FIDE id of this player out of the event's tournament file. The name stays: the results have it.
    pub fn forget(&mut self, player: u32, by: ActedBy<'_>, now: (u64, &str)) -> Result<(), RoundsFault> {
        let folder = self.of_folder();
        let path = folder.imported_path();
        let shown = tabiya_types::shown(&path);
        if !path.exists() {
            return Err(RoundsFault::NothingPersonal);
        }
        let mut file = folder.imported()?;
        let wrong = |fault| RoundsFault::File(shown.clone(), fault);
        file.forget(player).map_err(wrong)?;
        let bytes = file.to_bytes().map_err(wrong)?;
        replace_private(&path, &bytes).map_err(|error| FolderFault::Io(shown.clone(), error))?;
        let line =
            Act::new(FORGET, by.who).with("player", player).with("sha256", hex(&Sha256::digest(&bytes)));
        self.note(&with_reason(line, by), now.0, now.1)?;
        self.rounds_changed();
        Ok(())
    }
}

fn with_reason(act: Act, by: ActedBy<'_>) -> Act {
    let act = act.with("id", by.id);
    if by.why.is_empty() { act } else { act.with("why", by.why) }
}
