//! What all parts of a running console share: the hall, who waits to join, the event on the disk. Only the last is waited for with the
//! disk; what the links, the desk and the telephones ask again and again lies outside it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use tabiya_store::signing::PublicKey;
use tabiya_types::say;
use tokio::sync::Notify;

use super::acts::{Act, FORK, FORK_NUMBER};
use super::alerts::ConsoleAlertKind;
use super::folder::{FolderFault, OpenEvent};
use super::hall::{ConsoleNews, Hall};
use super::keeper::{CopyName, KeeperNews};
use super::noting::ActQueue;
use super::ordering::{OrderFault, WantedOrder};
use super::page::PhonePage;
use super::peers::OtherLists;
use super::tokens::TokenUse;
use crate::boot::Boot;
use crate::certs::CertificatePurpose;
use crate::joining::{AdmittedComputer, JoinPlace, Joinings, StepAnswer};
use crate::tls::Identity;

/// What of an event does not change while its console runs.
#[derive(Clone, Debug)]
pub(super) struct RunningEvent {
    /// The event, 16 hexadecimal digits.
    pub(super) event: String,
    pub(super) folder: PathBuf,
    /// The authority's certificate, and the same as text.
    pub(super) authority: CertificateDer<'static>,
    pub(super) authority_text: String,
    /// The authority's key.
    pub(super) authority_key: [u8; 32],
    /// This console's key with its certificate.
    pub(super) own: Identity,
}

impl RunningEvent {
    pub(super) fn of(event: &OpenEvent) -> Self {
        Self {
            event: event.event.clone(),
            folder: event.folder().to_owned(),
            authority: event.certificate.clone(),
            authority_text: event.certificate_text(),
            authority_key: PublicKey::from_digits(&event.authority_key).map_or([0; 32], PublicKey::to_bytes),
            own: event.own.clone(),
        }
    }
}

/// What all parts of a console share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) of: RunningEvent,
    hall: Mutex<Hall>,
    joinings: Mutex<Joinings>,
    /// Held while the disk is waited for. Its lock is taken before that of the hall.
    event: Mutex<OpenEvent>,
    keeps_authority: AtomicBool,
    /// The acts that wait to be noted.
    pub(super) acts: ActQueue,
    boot: Boot,
    date: fn() -> (String, u64),
    pub(super) addresses: Vec<String>,
    pub(super) page: Option<PhonePage>,
    pub(super) stop: Notify,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(super) fn new(
        (event, hall): (OpenEvent, Hall),
        (boot, date): (Boot, fn() -> (String, u64)),
        (acts, page): (ActQueue, Option<PhonePage>),
        addresses: Vec<String>,
    ) -> Self {
        let of = RunningEvent::of(&event);
        Self {
            joinings: Mutex::new(Joinings::new(of.event.clone(), of.authority_key)),
            of,
            hall: Mutex::new(hall),
            keeps_authority: AtomicBool::new(event.authority.is_some()),
            event: Mutex::new(event),
            acts,
            boot,
            date,
            addresses,
            page,
            stop: Notify::new(),
        }
    }

    pub(super) fn hall(&self) -> MutexGuard<'_, Hall> {
        locked(&self.hall)
    }

    /// The event on the disk. Whoever asks may wait for the disk.
    pub(super) fn event(&self) -> MutexGuard<'_, OpenEvent> {
        locked(&self.event)
    }

    /// Who joins. Nobody holds this while the disk is waited for.
    pub(super) fn joinings(&self) -> MutexGuard<'_, Joinings> {
        locked(&self.joinings)
    }

    /// Whether this console keeps the event's authority, so that it may admit.
    pub(super) fn keeps_authority(&self) -> bool {
        self.keeps_authority.load(Ordering::Relaxed)
    }

    /// The console's own time, in ms.
    pub(super) fn now(&self) -> u64 {
        self.boot.up()
    }

    /// The present date (RFC 3339), and the ms since 1970.
    pub(super) fn date(&self) -> (String, u64) {
        (self.date)()
    }

    // ---- acts ----

    /// Notes an act of the desk or of a telephone in the event's journal, without waiting for the disk. What cannot be noted is
    /// told.
    pub(super) fn note_act(&self, act: Act) {
        let date = self.date();
        if let Some((act, date)) = self.acts.send(act, date) {
            // The console ends: nobody else writes any more.
            self.write_act(&act, &date);
        }
    }

    /// Notes an act that must be in the event's journal before it counts.
    pub(super) fn note_first(&self, act: &Act) -> Result<(), FolderFault> {
        self.note(&mut self.event(), act)
    }

    /// Writes an act of this date, and tells if that fails.
    pub(super) fn write_act(&self, act: &Act, (date, unix_ms): &(String, u64)) {
        let written = self.event().note(act, *unix_ms, date);
        if let Err(fault) = written {
            self.hall().tell(ConsoleNews::NotNoted(fault.to_string()));
        }
    }

    pub(super) fn note(&self, event: &mut OpenEvent, act: &Act) -> Result<(), FolderFault> {
        let (date, unix_ms) = self.date();
        event.note(act, unix_ms, &date)
    }

    /// Notes that a further file of copies has begun: whoever verifies the folder knows then that there must be one.
    pub(super) fn note_fork(&self, number: usize, copy: &CopyName) {
        let console = self.hall().console.clone();
        let act = Act::new(FORK, console)
            .with(FORK_NUMBER, number)
            .with("table", copy.table)
            .with("match", copy.uid.as_str());
        self.note_act(act);
    }

    /// Gives an order, and notes it in the event's journal with who gave it; `phone`: from a telephone.
    pub(super) fn give(
        &self,
        table: u16,
        wanted: WantedOrder,
        (who, phone): (&str, bool),
    ) -> Result<(), OrderFault> {
        let words = wanted.words.clone();
        let now = self.now();
        let id = self.hall().give(table, wanted, who, now)?;
        let act = Act::new("order", who).with("table", table).with("order", id).with("words", words);
        self.note_act(if phone { act.with("phone", true) } else { act });
        Ok(())
    }

    // ---- what comes from elsewhere ----

    /// Takes a report of the keeper, on its thread.
    pub(super) fn hear_keeper(&self, news: KeeperNews) {
        let now = self.now();
        match news {
            KeeperNews::Kept(copy, seq) => self.hall().kept(&copy, seq),
            KeeperNews::Signed(copy, seq) => self.hall().signed(&copy, seq),
            KeeperNews::Further(number, copy) => self.note_fork(number, &copy),
            KeeperNews::Refused(copy, why) => self.hall().not_kept(&copy, &why, now),
            KeeperNews::Fails(why) => self.hall().disk(Some(&why), now),
            KeeperNews::IsWell => self.hall().disk(None, now),
        }
    }

    /// Another console has these lists.
    pub(super) fn hear_lists(&self, lists: &OtherLists) {
        let (date, unix_ms) = self.date();
        let mut event = self.event();
        let taken = event.take_lists(lists, (unix_ms, &date));
        self.keeps_authority.store(event.authority.is_some(), Ordering::Relaxed);
        let mut hall = self.hall();
        let says = match taken {
            Err(fault) => say!(
                "own-lists-fault",
                "the lists of another console cannot be taken: {why}",
                why = fault.to_string()
            ),
            Ok(taken) => {
                if taken.replaced {
                    hall.take_lists(Some(event.staff.clone()), Some(event.roster.clone()));
                }
                match (taken.gave_up, taken.differs) {
                    (true, _) => say!(
                        "own-lists-other",
                        "another console signs the lists of this event; this one does not keep its authority any more: admit and revoke there"
                    ),
                    (false, true) => say!(
                        "own-lists-differ",
                        "two lists of this event have one number and say different things; the one with the greater hash counts: ask who else has the event's authority"
                    ),
                    (false, false) => return,
                }
            }
        };
        hall.raise(ConsoleAlertKind::Lists, None, says, self.now());
    }

    /// Gives the lists of the event to the hall, which tells its tables.
    pub(super) fn spread(&self, event: &OpenEvent) {
        self.hall().take_lists(Some(event.staff.clone()), Some(event.roster.clone()));
    }

    // ---- joining ----

    /// Answers a step of a joining. Waits for the disk where a computer is seated, and nobody else waits for that.
    pub(super) fn join(
        &self,
        body: &Value,
        from: std::net::IpAddr,
        chance: ([u8; 16], [u8; 32]),
    ) -> StepAnswer {
        let now = self.now();
        let stepped = self.joinings().step(body, (from, now), chance, &self.of.authority_text);
        if let Some(new) = stepped.new {
            let name = tabiya_types::marked(&new.name);
            self.hall().tell(ConsoleNews::Joins(name, new.from.to_string(), new.joins));
        }
        match stepped.answer {
            Ok(answer) => answer,
            Err(computer) => {
                let answer = self.admit(&computer);
                self.joinings().seated(body, &answer);
                answer
            }
        }
    }

    /// What a computer gets that both people have admitted.
    fn admit(&self, computer: &AdmittedComputer) -> StepAnswer {
        match self.seat(computer) {
            Ok(body) => StepAnswer { status: 200, body: Some(body) },
            Err(fault) => {
                // The computer is only told to ask again; who can do something about it sits here.
                let why = fault.to_string();
                let says = say!("own-seat", "a computer that was admitted cannot be seated: {why}", why);
                let table = match computer.place {
                    JoinPlace::Table(table) => Some(table),
                    JoinPlace::Console { .. } => None,
                };
                self.hall().raise(ConsoleAlertKind::Disk, table, says, self.now());
                StepAnswer { status: 503, body: None }
            }
        }
    }

    fn seat(&self, AdmittedComputer { place, key, name }: &AdmittedComputer) -> Result<Value, FolderFault> {
        let mut event = self.event();
        let unreadable = || FolderFault::Damaged("the key".to_owned(), "it is no key".to_owned());
        let public = PublicKey::from_digits(key).ok_or_else(unreadable)?;
        let (_, unix_ms) = self.date();
        let act = Act::new("admit", event.console.clone()).with("key", key.as_str());
        let (table, certificate) = match place {
            JoinPlace::Table(table) => {
                let certificate = event.certify(&public, CertificatePurpose::Table, name)?;
                event.set_table(*table, Some(key), unix_ms)?;
                // Tables are told before anything else can fail.
                self.spread(&event);
                event.tokens().forget(*table, Some(key));
                event.keep_tokens()?;
                let act = act.with("table", *table).with("name", name.as_str());
                self.note(&mut event, &act)?;
                (Some(*table), certificate)
            }
            JoinPlace::Console { name, role, tables } => {
                let certificate = event.certify(&public, CertificatePurpose::Console, name)?;
                event.set_console(name, Some((key, role.word(), *tables)), unix_ms)?;
                self.spread(&event);
                let act = act.with("console", name.as_str()).with("role", role.word());
                self.note(&mut event, &act)?;
                (None, certificate)
            }
        };
        let answer = json!({
            "table": table, "event": event.event, "name": event.name, "certificate": certificate,
            "staff": event.staff.signed(), "consoles": self.addresses,
        });
        self.hall().tell(match place {
            JoinPlace::Table(table) => ConsoleNews::Joined(*table, tabiya_types::marked(name)),
            JoinPlace::Console { name, .. } => ConsoleNews::JoinedConsole(tabiya_types::marked(name)),
        });
        Ok(answer)
    }

    /// A computer with a prepared file asks for its table.
    pub(super) fn take_token(&self, token: &str, key: &str) -> StepAnswer {
        let only = |status| StepAnswer { status, body: None };
        let spent = {
            let mut event = self.event();
            if event.authority.is_none() {
                return only(503);
            }
            let spent = event.tokens().spend(token, key);
            // A token that is used counts as used only once that is kept.
            if matches!(spent, TokenUse::Table(_)) && event.keep_tokens().is_err() {
                return only(503);
            }
            spent
        };
        match spent {
            TokenUse::Unknown | TokenUse::Used => only(403),
            TokenUse::Table(table) => self.admit(&AdmittedComputer {
                place: JoinPlace::Table(table),
                key: key.to_owned(),
                name: format!("table {table}"),
            }),
        }
    }
}
