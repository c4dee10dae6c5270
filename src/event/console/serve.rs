//! A running console: what its links, its page of joining and its people share, and the thread on which all of it runs.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use tabiya_engine::record::chain::Head;
use tabiya_store::journal::JournalError;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::acts::Act;
use super::folder::{FolderFault, OpenEvent};
use super::hall::{ConsoleNews, Hall, MatchFold, MatchSeen, RestoredMatch};
use super::handed;
use super::keeper::{
    CopyFiles, CopyKeeper, CopyName, FoldedCopy, KeeperReport, OpenedCopies, ReadCopy, fold_copy,
};
use super::noting::ActQueue;
use super::page::{self, ALL_TABLES, PageFault, PageSettings, PhoneDesk, PhonePage};
use super::peers;
use super::platform::CommandSocket;
use super::rounds::keeper::RoundKeeper;
use super::server;
use super::shared::Shared;
use crate::boot::Boot;
use crate::copies::MatchCopies;
use crate::discover::{Announced, NearbyConsoles, announce};
use crate::joining::{JoinPlace, Waiting};
use crate::pages::PageDoor;
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
    /// The telephones' page cannot be served.
    #[error("the telephones' page (--page-port, --page-cert): {0}")]
    Page(#[from] PageFault),
    /// TLS cannot be set up.
    #[error(
        "this console's certificate cannot be used ({0}); put back a copy of event.json, or restore the authority"
    )]
    Tls(String),
    /// The system provides no thread.
    #[error("the system provides no thread or port ({0}); end other programs, and try again")]
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

/// A running console.
#[derive(Debug)]
pub struct Console {
    pub(super) shared: Arc<Shared>,
    /// Where it listens.
    pub listens: SocketAddr,
    /// Why it cannot be found in the local network, if it cannot.
    pub unannounced: Option<String>,
    rounds: RoundKeeper,
    thread: Option<JoinHandle<()>>,
    _announced: Option<Announced>,
}

/// What of a console is open before its thread runs.
struct OpenDoors {
    runtime: Runtime,
    listener: TcpListener,
    listens: SocketAddr,
    page: Option<PhonePage>,
    door: Option<PageDoor>,
    /// Where commands hand acts over; `None` if the folder cannot have a socket: its path may be too long for one.
    commands: Option<CommandSocket>,
}

/// Opens the ports of this console.
fn open_doors(event: &OpenEvent, settings: &ConsoleSettings) -> Result<OpenDoors, ServeFault> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeFault::System)?;
    let listener = runtime
        .block_on(TcpListener::bind(settings.bind))
        .map_err(|error| ServeFault::Port(settings.bind, error))?;
    let listens = listener.local_addr().map_err(ServeFault::System)?;
    let phones = settings.phones.as_ref();
    let phones = phones.map(|page| page::open(page, event, &runtime, (settings.date)().1)).transpose()?;
    let (page, door) = phones.unzip();
    let commands = runtime.block_on(async { handed::open(event.folder()) }).ok();
    Ok(OpenDoors { runtime, listener, listens, page, door, commands })
}

/// A hall, its news, and the further files of copies that the event's journal does not name yet, each with a copy in it.
type OpenedHall = (Hall, UnboundedReceiver<ConsoleNews>, Vec<(usize, CopyName)>);

/// The hall with what was kept of it before this start, and the further files that the event's journal does not name yet.
fn open_hall(
    event: &mut OpenEvent,
    (whole, date): (&Arc<OnceLock<Weak<Shared>>>, &(String, u64)),
) -> Result<OpenedHall, ServeFault> {
    let OpenedCopies { files, read, missing, unnamed } =
        CopyFiles::open(event.folder(), &event.forks_named()?)?;
    for notice in missing {
        event.notice(notice, date.1, &date.0)?;
    }
    let restored = restored(&files, read)?;
    // The keeper reports to what all parts share, which needs the keeper.
    let keeper = CopyKeeper::start(files, keeper_reports(whole)).map_err(ServeFault::System)?;
    let (tell, news) = unbounded_channel();
    let names = (event.event.clone(), event.name.clone(), event.console.clone());
    let keys = (event.authority_key.clone(), Arc::clone(&event.own.key));
    let mut hall = Hall::new(names, keys, (event.staff.clone(), event.roster.clone()), keeper, tell);
    for kept in restored {
        hall.restore(kept);
    }
    for notice in event.notices() {
        hall.tell(ConsoleNews::Notice(notice.clone()));
    }
    Ok((hall, news, unnamed))
}

/// Runs a console of this event. Returns it with the news that people are told.
pub fn start(
    mut event: OpenEvent,
    settings: &ConsoleSettings,
) -> Result<(Console, UnboundedReceiver<ConsoleNews>), ServeFault> {
    let whole: Arc<OnceLock<Weak<Shared>>> = Arc::default();
    let (hall, news, unnamed) = open_hall(&mut event, (&whole, &(settings.date)()))?;
    let config = tls::of_console(&event.certificate, &event.own)
        .map_err(|error| ServeFault::Tls(error.to_string()))?;
    let OpenDoors { runtime, listener, listens, page, door, commands } = open_doors(&event, settings)?;
    let announced = settings
        .announces
        .then(|| announce(&event.console, (&event.event, &event.name), listens.port()))
        .transpose();
    let unannounced = announced.as_ref().err().cloned();
    let others = settings.announces.then(|| crate::discover::watch(&event.event)).flatten();
    let boot = Boot::now().map_err(|_| FolderFault::NoChance)?;
    let acts = ActQueue::start(Arc::clone(&whole)).map_err(ServeFault::System)?;
    let dated = (boot, settings.date);
    let shared = Arc::new(Shared::new((event, hall), dated, (acts, page), own_addresses(listens)));
    let _ = whole.set(Arc::downgrade(&shared));
    for (number, copy) in unnamed {
        shared.note_fork(number, &copy);
    }
    let serving = Arc::clone(&shared);
    let run = move || {
        let serves = server::serve(Arc::clone(&serving), listener, Arc::new(config));
        runtime.block_on(work(&serving, serves, (door, commands), others));
    };
    let thread =
        std::thread::Builder::new().name("console".to_owned()).spawn(run).map_err(ServeFault::System)?;
    let announced = announced.ok().flatten();
    let rounds = RoundKeeper::start(Arc::clone(&shared));
    let console =
        Console { shared, listens, unannounced, rounds, thread: Some(thread), _announced: announced };
    Ok((console, news))
}

/// Everything that a console does on its thread, until it is stopped.
async fn work(
    serving: &Arc<Shared>,
    serves: impl Future<Output = ()>,
    (door, commands): (Option<PageDoor>, Option<CommandSocket>),
    others: Option<NearbyConsoles>,
) {
    tokio::select! {
        () = serves => {}
        () = page::serve(Arc::clone(serving), door) => {}
        () = beat(serving) => {}
        () = handed::serve(Arc::clone(serving), commands) => {}
        () = peers::watch(Arc::clone(serving), others) => {}
        () = serving.stop.notified() => {}
    }
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

/// Lets time pass for the hall.
async fn beat(shared: &Arc<Shared>) {
    let mut beats = tokio::time::interval(BEAT);
    let folds = Arc::new(AtomicBool::new(false));
    loop {
        beats.tick().await;
        let now = shared.now();
        shared.hall().time(now);
        let unfolded = shared.hall().to_fold();
        // Long matches are read beside the links, and the next beat does not wait for them.
        if !unfolded.is_empty() && !folds.swap(true, Ordering::Relaxed) {
            let (folding, folds) = (Arc::clone(shared), Arc::clone(&folds));
            tokio::task::spawn_blocking(move || {
                refold(&folding, unfolded);
                folds.store(false, Ordering::Relaxed);
            });
        }
    }
}

/// Folds anew the copies that are followed now, once they are in their files.
fn refold(shared: &Shared, names: Vec<(CopyName, u64)>) {
    for (name, last) in names {
        match fold_copy(&shared.of.folder, &name, last) {
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

    /// Who keeps the rounds.
    pub(super) fn keeper(&self) -> &RoundKeeper {
        &self.rounds
    }

    /// The folder of the event.
    pub(super) fn folder(&self) -> std::path::PathBuf {
        self.shared.of.folder.clone()
    }

    /// Whether this console may admit tables: it has the event's authority.
    pub fn may_admit(&self) -> bool {
        self.shared.keeps_authority()
    }

    /// Who waits to be admitted.
    pub fn waiting(&self) -> Vec<Waiting> {
        self.shared.joinings().waiting(self.shared.now())
    }

    /// The arbiter types the digits that a joining computer shows, and what it is to be. Returns whether they fit.
    pub fn admit(&self, digits: &str, place: &JoinPlace) -> Result<bool, FolderFault> {
        if !self.may_admit() {
            return Err(FolderFault::NoAuthority);
        }
        Ok(self.shared.joinings().admit(digits, place, self.shared.now()))
    }

    /// Refuses a computer that waits. Returns whether it waited.
    pub fn refuse(&self, join: &str) -> bool {
        self.shared.joinings().refuse(join)
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
        let (_, unix_ms) = self.shared.date();
        event.set_table(table, None, unix_ms)?;
        self.shared.spread(&event);
        event.tokens().forget(table, None);
        event.keep_tokens()?;
        let who = event.console.clone();
        self.shared.note(&mut event, &Act::new("revoke", who).with("table", table))?;
        Ok(true)
    }

    /// Notes an act of the desk in the event's journal. What cannot be noted is told.
    pub fn note(&self, act: Act) {
        self.shared.note_act(act);
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
        // What was done is written before the folder is closed.
        self.shared.acts.close();
    }
}
