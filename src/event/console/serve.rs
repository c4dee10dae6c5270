//! A running console: what its links, its page of joining and its people share, and the thread on which all of it runs.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_engine::record::chain::Head;
use tabiya_store::journal::JournalError;
use tabiya_store::signing::PublicKey;
use tabiya_types::say;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::acts::Act;
use super::alerts::ConsoleAlertKind;
use super::folder::{FolderFault, OpenEvent};
use super::hall::{ConsoleNews, Hall, MatchFold, MatchSeen, RestoredMatch};
use super::keeper::{CopyFiles, CopyKeeper, FoldedCopy, KeeperNews, KeeperReport, ReadCopy};
use super::page::ALL_TABLES;
use super::page::{self, PageCertFault, PageSettings, PhoneDesk, PhonePage};
use super::peers::{self, OtherLists};
use super::server;
use super::tokens::TokenUse;
use crate::boot::Boot;
use crate::certs::CertificatePurpose;
use crate::copies::MatchCopies;
use crate::discover::{Announced, announce};
use crate::joining::{AdmittedComputer, JoinAs, Joinings, StepAnswer, Waiting};
use crate::tls;

/// How often the console looks at the time: silence, orders without an answer.
const BEAT: Duration = Duration::from_millis(250);

/// Why a console cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeFault {
    /// The event cannot be opened.
    #[error(transparent)]
    Folder(#[from] FolderFault),
    /// The copies cannot be opened.
    #[error(transparent)]
    Copies(#[from] JournalError),
    /// The port cannot be opened.
    #[error(
        "{0}: this port cannot be opened ({1}); end the other program that uses it, or choose another with --port"
    )]
    Port(SocketAddr, std::io::Error),
    /// The port of the telephones' page cannot be opened.
    #[error(
        "{0}: this port cannot be opened ({1}); end the other program that uses it, or choose another with --page-port"
    )]
    PagePort(SocketAddr, std::io::Error),
    /// The telephones' page has no certificate.
    #[error(transparent)]
    PageCert(#[from] PageCertFault),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The system provides no thread.
    #[error("the system provides no thread: {0}")]
    System(std::io::Error),
}

/// How a console runs.
#[derive(Clone, Debug)]
pub struct ConsoleSettings {
    /// Where it listens.
    pub bind: SocketAddr,
    /// Whether it lets itself be found in the local network.
    pub announces: bool,
    /// How the telephones' page runs; `None` without one.
    pub phones: Option<PageSettings>,
    /// Returns the present date (RFC 3339) and the ms since 1970.
    pub date: fn() -> (String, u64),
}

/// What all parts of a console share.
#[derive(Debug)]
pub(super) struct Shared {
    hall: Mutex<Hall>,
    pub(super) joinings: Mutex<Joinings>,
    event: Mutex<OpenEvent>,
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
    pub(super) fn hall(&self) -> MutexGuard<'_, Hall> {
        locked(&self.hall)
    }

    pub(super) fn event(&self) -> MutexGuard<'_, OpenEvent> {
        locked(&self.event)
    }

    /// The console's own time, in ms.
    pub(super) fn now(&self) -> u64 {
        self.boot.up()
    }

    /// Notes an act of the desk or of a telephone in the event's journal.
    pub(super) fn note_act(&self, act: &Act) -> Result<(), FolderFault> {
        self.note(&mut self.event(), act)
    }

    fn note(&self, event: &mut OpenEvent, act: &Act) -> Result<(), FolderFault> {
        let (date, unix_ms) = (self.date)();
        event.note(act, unix_ms, &date)
    }

    /// Takes a report of the keeper, on its thread.
    fn hear_keeper(&self, news: KeeperNews) {
        let now = self.now();
        match news {
            KeeperNews::Kept(copy, seq) => self.hall().kept(&copy, seq),
            KeeperNews::Refused(copy, why) => self.hall().not_kept(&copy, &why, now),
            KeeperNews::Fails(why) => self.hall().disk(Some(&why), now),
            KeeperNews::IsWell => self.hall().disk(None, now),
        }
    }

    /// Another console has these lists.
    pub(super) fn hear_lists(&self, lists: &OtherLists) {
        let (date, unix_ms) = (self.date)();
        let mut event = self.event();
        let taken = event.take_lists(lists, (unix_ms, &date));
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
                        "another console signs the lists of this event; this one does not keep its authority any more"
                    ),
                    (false, true) => say!(
                        "own-lists-differ",
                        "two lists of this event have one number and say different things; the one with the greater hash counts"
                    ),
                    (false, false) => return,
                }
            }
        };
        hall.raise(ConsoleAlertKind::Lists, None, says, self.now());
    }

    /// Gives the lists of the event to the hall, which tells its tables.
    fn spread(&self, event: &OpenEvent) {
        self.hall().take_lists(Some(event.staff.clone()), Some(event.roster.clone()));
    }

    /// What a computer gets that both people have admitted.
    pub(super) fn admit(&self, computer: &AdmittedComputer) -> StepAnswer {
        match self.seat(computer) {
            Ok(body) => StepAnswer { status: 200, body: Some(body) },
            Err(fault) => {
                // The computer is only told to ask again; who can do something about it sits here.
                let why = fault.to_string();
                let says = say!("own-seat", "a computer that was admitted cannot be seated: {why}", why);
                self.hall().raise(ConsoleAlertKind::Disk, computer.table, says, self.now());
                StepAnswer { status: 503, body: None }
            }
        }
    }

    fn seat(
        &self,
        AdmittedComputer { table, key, name, joins }: &AdmittedComputer,
    ) -> Result<Value, FolderFault> {
        let mut event = self.event();
        let unreadable = || FolderFault::Damaged("the key".to_owned(), "it is no key".to_owned());
        let public = PublicKey::from_digits(key).ok_or_else(unreadable)?;
        let (_, unix_ms) = (self.date)();
        let purpose = match joins {
            JoinAs::Table => CertificatePurpose::Table,
            JoinAs::Console => CertificatePurpose::Console,
        };
        let certificate = event.certify(&public, purpose, name)?;
        if let Some(table) = table {
            event.set_table(*table, Some(key), unix_ms)?;
            // Tables are told before anything else can fail.
            self.spread(&event);
            event.tokens().forget(*table, Some(key));
            event.keep_tokens()?;
            let who = event.console.clone();
            let act = Act::new("admit", who)
                .with("table", *table)
                .with("key", key.as_str())
                .with("name", name.as_str());
            self.note(&mut event, &act)?;
        }
        let answer = json!({
            "table": table, "event": event.event, "name": event.name, "certificate": certificate,
            "staff": event.staff.signed(), "consoles": self.addresses,
        });
        if let Some(table) = table {
            self.hall().tell(ConsoleNews::Joined(*table, tabiya_types::harmless(name)));
        }
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
            TokenUse::Table(table) => {
                let name = format!("table {table}");
                self.admit(&AdmittedComputer {
                    table: Some(table),
                    key: key.to_owned(),
                    name,
                    joins: JoinAs::Table,
                })
            }
        }
    }
}

/// A running console.
#[derive(Debug)]
pub struct Console {
    pub(super) shared: Arc<Shared>,
    /// Where it listens.
    pub listens: SocketAddr,
    /// Why it cannot be found in the local network, if it cannot.
    pub unannounced: Option<String>,
    thread: Option<JoinHandle<()>>,
    _announced: Option<Announced>,
}

/// Runs a console of this event. Returns it with the news that people are told.
pub fn start(
    event: OpenEvent,
    settings: &ConsoleSettings,
) -> Result<(Console, UnboundedReceiver<ConsoleNews>), ServeFault> {
    let (files, read) = CopyFiles::open(event.folder())?;
    let (tell, news) = unbounded_channel();
    // The keeper reports to what all parts share, which needs the keeper.
    let whole: Arc<OnceLock<Weak<Shared>>> = Arc::default();
    let report = keeper_reports(&whole);
    let restored = restored(&files, read)?;
    let keeper = CopyKeeper::start(files, report).map_err(ServeFault::System)?;
    let names = (event.event.clone(), event.name.clone(), event.console.clone());
    let lists = (event.staff.clone(), event.roster.clone());
    let mut hall =
        Hall::new(names, (event.authority_key.clone(), Arc::clone(&event.own.key)), lists, keeper, tell);
    for kept in restored {
        hall.restore(kept);
    }
    let config = tls::of_console(&event.certificate, &event.own)
        .map_err(|error| ServeFault::Tls(error.to_string()))?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeFault::System)?;
    let listener = runtime
        .block_on(TcpListener::bind(settings.bind))
        .map_err(|error| ServeFault::Port(settings.bind, error))?;
    let listens = listener.local_addr().map_err(ServeFault::System)?;
    let announced = settings
        .announces
        .then(|| announce(&event.console, (&event.event, &event.name), listens.port()))
        .transpose();
    let unannounced = announced.as_ref().err().cloned();
    let others = settings.announces.then(|| crate::discover::watch(&event.event)).flatten();
    let boot = Boot::now().map_err(|_| FolderFault::NoChance)?;
    let phones = settings.phones.as_ref();
    let phones = phones.map(|page| page::open(page, &event, &runtime, (settings.date)().1)).transpose()?;
    let (page, door) = phones.unzip();
    let shared = Arc::new(Shared {
        joinings: Mutex::new(Joinings::new(event.event.clone(), event_key(&event))),
        hall: Mutex::new(hall),
        event: Mutex::new(event),
        boot,
        date: settings.date,
        addresses: own_addresses(listens),
        page,
        stop: Notify::new(),
    });
    let _ = whole.set(Arc::downgrade(&shared));
    let serving = Arc::clone(&shared);
    let thread = std::thread::Builder::new()
        .name("console".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = server::serve(Arc::clone(&serving), listener, Arc::new(config)) => {}
                    () = page::serve(Arc::clone(&serving), door) => {}
                    () = beat(&serving) => {}
                    () = peers::watch(Arc::clone(&serving), others) => {}
                    () = serving.stop.notified() => {}
                }
            });
        })
        .map_err(ServeFault::System)?;
    let announced = announced.ok().flatten();
    Ok((Console { shared, listens, unannounced, thread: Some(thread), _announced: announced }, news))
}

/// Passes the keeper's reports on, once there is somebody who takes them.
fn keeper_reports(to: &Arc<OnceLock<Weak<Shared>>>) -> Box<KeeperReport> {
    let to = Arc::clone(to);
    Box::new(move |news| {
        if let Some(shared) = to.get().and_then(Weak::upgrade) {
            shared.hear_keeper(news);
        }
    })
}

fn event_key(event: &OpenEvent) -> [u8; 32] {
    PublicKey::from_digits(&event.authority_key).map_or([0; 32], PublicKey::to_bytes)
}

/// Lets time pass for the hall.
async fn beat(shared: &Arc<Shared>) {
    let mut beats = tokio::time::interval(BEAT);
    loop {
        beats.tick().await;
        let now = shared.now();
        shared.hall().time(now);
        let unfolded = shared.hall().to_fold();
        if !unfolded.is_empty() {
            let folding = Arc::clone(shared);
            // Long matches are read beside the links.
            let _ = tokio::task::spawn_blocking(move || refold(&folding, unfolded)).await;
        }
    }
}

/// Folds anew the copies that are followed now, once they are in their files.
fn refold(shared: &Shared, names: Vec<(super::keeper::CopyName, u64)>) {
    let folder = shared.event().folder().to_owned();
    for (name, last) in names {
        match super::keeper::fold_copy(&folder, &name, last) {
            FoldedCopy::NotYet => {}
            FoldedCopy::Newer => shared.hall().folded((&name, last), None, shared.now()),
            FoldedCopy::Whole(replay) => shared.hall().folded((&name, last), Some(replay), shared.now()),
        }
    }
}

/// A match as it was read: whose it is, the hashes of its copies, what the last one folds to, the bytes of its lines, and how many
/// copies lie in files of their own.
type ReadMatch = ((u16, String), Vec<Vec<Head>>, Option<Box<MatchFold>>, u64, usize);

/// The matches of all copies, with what they fold to.
fn restored(files: &CopyFiles, read: Vec<ReadCopy>) -> Result<Vec<RestoredMatch>, ServeFault> {
    let mut of_matches: Vec<ReadMatch> = Vec::new();
    for copy in read {
        let lines = files.lines(&copy)?;
        let heads: Vec<Head> =
            std::iter::once(copy.info.begins).chain(lines.iter().map(|line| line.head)).collect();
        let bytes = lines.iter().map(|line| line.line.len() as u64).sum();
        let key = (copy.name.table, copy.name.uid.clone());
        // Until the table says `hello`, the newest copy is followed.
        let replay = fold(&copy.info.header, lines.iter().map(|line| line.line.as_str()));
        match of_matches.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, copies, folded, size, beside)) => {
                copies.push(heads);
                *folded = replay;
                *size += bytes;
                *beside += usize::from(copy.is_beside());
            }
            None => {
                of_matches.push((key, vec![heads], replay, bytes, usize::from(copy.is_beside())));
            }
        }
    }
    let kept = of_matches.into_iter().map(|((table, uid), copies, replay, bytes, files)| {
        let followed = copies.len() - 1;
        let seen = MatchSeen::new(MatchCopies::kept(copies, followed), replay, 0, bytes);
        RestoredMatch { table, uid, seen, files }
    });
    Ok(kept.collect())
}

/// What a header and its lines fold to; `None` if a line cannot be folded.
pub(super) fn fold<'a>(header: &str, lines: impl Iterator<Item = &'a str>) -> Option<Box<MatchFold>> {
    let mut fold = MatchFold::begin(header)?;
    for (line, place) in lines.zip(2..) {
        if matches!(fold.feed(place, line), Err(tabiya_engine::record::Stop::Unusable(_))) {
            return None;
        }
    }
    Some(fold)
}

/// The addresses at which tables reach this console.
fn own_addresses(listens: SocketAddr) -> Vec<String> {
    if !listens.ip().is_unspecified() {
        return vec![listens.to_string()];
    }
    let of = |address: if_addrs::Interface| SocketAddr::new(address.ip(), listens.port());
    let found = if_addrs::get_if_addrs()
        .unwrap_or_default()
        .into_iter()
        .filter(|address| !address.is_loopback())
        .map(of);
    found
        .filter(|address| !(address.is_ipv6() && is_link_local(address)))
        .map(|address| address.to_string())
        .collect()
}

fn is_link_local(address: &SocketAddr) -> bool {
    matches!(address.ip(), std::net::IpAddr::V6(address) if address.segments()[0] & 0xffc0 == 0xfe80)
}

impl Console {
    /// The hall as it is known now.
    pub fn hall(&self) -> MutexGuard<'_, Hall> {
        self.shared.hall()
    }

    /// The console's own time, in ms.
    pub fn now(&self) -> u64 {
        self.shared.now()
    }

    /// The addresses at which tables reach this console.
    pub fn addresses(&self) -> &[String] {
        &self.shared.addresses
    }

    /// The folder of the event.
    pub(super) fn folder(&self) -> std::path::PathBuf {
        self.shared.event().folder().to_owned()
    }

    /// Whether this console may admit tables: it has the event's authority.
    pub fn may_admit(&self) -> bool {
        self.shared.event().authority.is_some()
    }

    /// Who waits to be admitted.
    pub fn waiting(&self) -> Vec<Waiting> {
        locked(&self.shared.joinings).waiting(self.shared.now())
    }

    /// The arbiter types the digits that a joining computer shows, with its table's number. Returns whether they fit.
    pub fn admit(&self, digits: &str, table: u16) -> Result<bool, FolderFault> {
        if self.shared.event().authority.is_none() {
            return Err(FolderFault::NoAuthority);
        }
        Ok(locked(&self.shared.joinings).admit(digits, Some(table), self.shared.now()))
    }

    /// Refuses a computer that waits. Returns whether it waited.
    pub fn refuse(&self, join: &str) -> bool {
        locked(&self.shared.joinings).refuse(join)
    }

    /// The tables of this console, the first and the last; all of them unless a list says otherwise.
    pub fn own_tables(&self) -> (u16, u16) {
        let hall = self.shared.hall();
        hall.staff.console(&hall.key.public().to_string()).map_or(ALL_TABLES, |own| own.tables)
    }

    /// Takes a table out of the list: its computer counts no more.
    pub fn revoke(&self, table: u16) -> Result<bool, FolderFault> {
        let mut event = self.shared.event();
        if !event.roster.tables.contains_key(&table) {
            return Ok(false);
        }
        let (_, unix_ms) = (self.shared.date)();
        event.set_table(table, None, unix_ms)?;
        self.shared.spread(&event);
        event.tokens().forget(table, None);
        event.keep_tokens()?;
        let who = event.console.clone();
        self.shared.note(&mut event, &Act::new("revoke", who).with("table", table))?;
        Ok(true)
    }

    /// Notes an act of the desk in the event's journal.
    pub fn note(&self, act: &Act) -> Result<(), FolderFault> {
        self.shared.note_act(act)
    }

    /// What the chief does about telephones.
    pub fn phone_desk(&self) -> PhoneDesk {
        PhoneDesk::new(Arc::clone(&self.shared))
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.shared.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
