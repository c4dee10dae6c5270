//! What the links of one table share: its seat in the event, its record, what it shows, its inbox, and what was refused.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tabiya_app::desk::{HallReport, OrderSight, OrderedAct, TableOrder};
use tabiya_app::seating::EventPlace;
use tabiya_store::follow::{EventState, Follower, FollowerState};
use tabiya_store::heads;
use tabiya_store::signing::TableKey;
use tabiya_types::{Instant, Timeline};
use tokio::sync::watch;

use super::seat::{SeatFile, TableSeat};
use super::source::{RecordPath, Source};
use crate::boot::Boot;
use crate::lists::{Newer, Staff, newer};
use crate::orders::OrderBook;

/// Sends an order to the table's loop. Returns whether the loop still runs.
pub type SendOrder = dyn Fn(Instant, Box<dyn TableOrder>) -> bool + Send + Sync;

/// Checks a signature with this program's one implementation of Ed25519.
pub(crate) fn has_signed(key: &str, text: &str, signature: &str) -> bool {
    tabiya_store::signing::PublicKey::from_digits(key).is_some_and(|key| key.has_signed(text, signature))
}

/// The record of the table, and how many of its lines have become durable since the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Durable {
    pub(super) record: Option<RecordPath>,
    pub(super) lines: u64,
}

/// A link that is open.
#[derive(Clone, Debug)]
struct OpenLink {
    /// The console's name; empty before its `welcome`.
    console: String,
    behind: u64,
    /// How long the file of signed heads was when its newest ones were told; `None` before that.
    heads: Option<u64>,
}

/// What the links of one table share.
pub struct TableHub {
    pub(super) key: Arc<TableKey>,
    pub(super) boot: Boot,
    pub(super) timeline: Box<dyn Timeline>,
    pub(super) book: Mutex<OrderBook>,
    /// How many orders wait for the table's loop.
    pub(super) waiting: AtomicUsize,
    pub(super) source: Mutex<Source>,
    /// Since when a deal that shows hidden cards stops the copies, in ms of this boot.
    pub(super) unsealed: Mutex<Option<u64>>,
    seat: Mutex<TableSeat>,
    /// Where the seat is kept. Its lock is taken before that of `seat`, and is held while the disk is waited for; the table's loop
    /// asks for `seat` alone.
    file: Mutex<Option<SeatFile>>,
    durable: watch::Sender<Durable>,
    staff: watch::Sender<u64>,
    report: watch::Receiver<Arc<HallReport>>,
    send: Box<SendOrder>,
    links: Mutex<BTreeMap<String, OpenLink>>,
    /// Something has changed in `links`.
    told: Condvar,
    trouble: Mutex<Option<String>>,
    states: AtomicU64,
    closing: AtomicBool,
}

/// How much a console lacks, as its link has counted it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedLack {
    /// The lines of the matches that were not durable at the console.
    pub(super) lines: u64,
    /// How many lines had become durable at the table when the matches were read.
    pub(super) read_at: u64,
    /// How long the file of signed heads was whose newest ones were told.
    pub(super) heads: Option<u64>,
}

impl fmt::Debug for TableHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableHub").field("boot", &self.boot.id()).finish_non_exhaustive()
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TableHub {
    /// The hub of a table with this key at this seat. `report` is what the table shows, `send` reaches its loop.
    pub fn new(
        (key, boot): (Arc<TableKey>, Boot),
        seat: (TableSeat, Option<SeatFile>),
        timeline: Box<dyn Timeline>,
        report: watch::Receiver<Arc<HallReport>>,
        send: Box<SendOrder>,
    ) -> Arc<Self> {
        let source = Mutex::new(Source::new(seat.0.event.clone(), seat.0.table));
        Arc::new(Self {
            key,
            boot,
            timeline,
            book: Mutex::default(),
            waiting: AtomicUsize::new(0),
            source,
            unsealed: Mutex::default(),
            staff: watch::Sender::new(seat.0.staff.n),
            seat: Mutex::new(seat.0),
            file: Mutex::new(seat.1),
            durable: watch::Sender::default(),
            report,
            send,
            links: Mutex::default(),
            told: Condvar::new(),
            trouble: Mutex::new(Some("no console was reached yet".to_owned())),
            states: AtomicU64::new(0),
            closing: AtomicBool::new(false),
        })
    }

    /// The table's place in the event, for its matches.
    pub fn place(self: &Arc<Self>) -> EventPlace {
        let (event, table) = self.with_seat(|seat| (seat.event.clone(), seat.table));
        let hub = Arc::clone(self);
        let follow = move |record: &Path| {
            hub.follow(record);
            Box::new(HubFollower(Arc::clone(&hub))) as Box<dyn Follower>
        };
        EventPlace { event, table, follow: Arc::new(follow) }
    }

    /// Reads the lines of this record from now on.
    pub fn follow(&self, record: &Path) {
        self.durable.send_modify(|durable| durable.record = Some(record.to_owned()));
    }

    pub(super) fn with_seat<T>(&self, look: impl FnOnce(&TableSeat) -> T) -> T {
        look(&locked(&self.seat))
    }

    /// The event and the table's number.
    pub fn event_and_table(&self) -> (String, u16) {
        self.with_seat(|seat| (seat.event.clone(), seat.table))
    }

    pub(super) fn durable(&self) -> watch::Receiver<Durable> {
        self.durable.subscribe()
    }

    pub(super) fn report(&self) -> watch::Receiver<Arc<HallReport>> {
        self.report.clone()
    }

    /// Tells the number of the newest list of consoles, whenever there is another one.
    pub(super) fn staff_news(&self) -> watch::Receiver<u64> {
        self.staff.subscribe()
    }

    /// The number of the next state.
    pub(super) fn next_state(&self) -> u64 {
        self.states.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends an order to the table's loop.
    pub(super) fn send(&self, order: Box<dyn TableOrder>) -> bool {
        (self.send)(self.timeline.now(), order)
    }

    /// Takes a list of consoles, if the authority has signed it and it counts more than the known one. Returns whether it counts.
    pub(super) fn take_staff(&self, list: &Value) -> bool {
        let kept = self.with_seat(|known| {
            let came = Staff::read(list, &known.event, &known.authority_key, &has_signed).ok()?;
            Some((newer((known.staff.signed(), known.staff.n), (list, came.n)), came))
        });
        let Some((counts, came)) = kept else { return false };
        if matches!(counts, Newer::Came | Newer::Both { came: true }) {
            let number = came.n;
            self.change_seat(|seat| {
                // Another link may have brought a newer one in the meantime.
                if came.n >= seat.staff.n {
                    seat.staff = came;
                }
            });
            // Told once it counts, so that no link looks at the list before.
            self.staff.send_replace(number);
        }
        true
    }

    /// Notes where a console was reached.
    pub(super) fn reached(&self, address: &str) {
        if self.with_seat(|seat| seat.consoles.first().map(String::as_str) != Some(address)) {
            self.change_seat(|seat| seat.note_address(address));
        }
    }

    /// Changes the seat and keeps it. What cannot be kept counts while the program runs.
    fn change_seat(&self, change: impl FnOnce(&mut TableSeat)) {
        let file = locked(&self.file);
        let changed = {
            let mut seat = locked(&self.seat);
            change(&mut seat);
            seat.clone()
        };
        if let Some(file) = &*file {
            let _ = file.keep(&changed);
        }
    }

    /// The place of the line that came from this order in a match of the record; `None` if there is none.
    pub(super) fn place_in(&self, uid: &str, order: &str) -> Option<u64> {
        let record = self.durable.borrow().record.clone()?;
        locked(&self.source).place_of(&record, uid, order)
    }

    // ---- what people see ----

    /// A link to the console with this key is opened. `None` if there is one already: a console may have several addresses.
    pub(super) fn claim(self: &Arc<Self>, key: String) -> Option<LinkClaim> {
        let mut links = locked(&self.links);
        if links.contains_key(&key) {
            return None;
        }
        links.insert(key.clone(), OpenLink { console: String::new(), behind: 0, heads: None });
        Some(LinkClaim { hub: Arc::clone(self), key })
    }

    /// The link to the console with this key and name lacks so much.
    pub(super) fn linked(&self, key: &str, console: &str, lack: CountedLack) {
        let mut links = locked(&self.links);
        // What has become durable since the matches were read is lacking, too. Lines are counted under the lock of the links, so
        // that none comes in between.
        let since = locked_count(&self.durable).saturating_sub(lack.read_at);
        let link = OpenLink { console: console.to_owned(), behind: lack.lines + since, heads: lack.heads };
        let before = links.insert(key.to_owned(), link);
        drop(links);
        self.told.notify_all();
        if before.is_none_or(|before| before.console != console) {
            self.show();
        }
    }

    /// Whether there is a link to the console with this key, or one is being opened.
    pub(super) fn has_link(&self, key: &str) -> bool {
        locked(&self.links).contains_key(key)
    }

    fn unlinked(&self, key: &str) {
        let before = locked(&self.links).remove(key);
        self.told.notify_all();
        if before.is_some_and(|before| !before.console.is_empty()) {
            self.show();
        }
    }

    /// Why no console is told now.
    pub(super) fn troubled(&self, why: &str) {
        let changed = locked(&self.trouble).replace(why.to_owned()).as_deref() != Some(why);
        if changed {
            self.show();
        }
    }

    /// Has the table's screens drawn anew, because the state of the links has changed.
    fn show(&self) {
        // Once the loop has ended there is nothing to draw.
        let _ = self.send(Box::new(Redraw));
    }

    /// How far the consoles have come.
    pub fn state(&self) -> EventState {
        let (event, table) = self.with_seat(|seat| (seat.name.clone(), seat.table));
        let links = locked(&self.links);
        let open = || links.values().filter(|link| !link.console.is_empty());
        let consoles: Vec<String> = open().map(|link| link.console.clone()).collect();
        let behind = open().map(|link| link.behind).min().unwrap_or(locked_count(&self.durable));
        let trouble = locked(&self.trouble).clone().filter(|_| consoles.is_empty());
        EventState { event, table, consoles, behind, trouble }
    }

    /// The links end once everything was told.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.durable.send_modify(|_| {});
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Whether every line is durable at a console.
    pub fn is_told(&self) -> bool {
        let links = locked(&self.links);
        links.values().any(|link| !link.console.is_empty() && link.behind == 0)
    }

    /// Waits until a console has every line and every signed head of this record, but no longer than `patience`; then the record is
    /// not read any more, because it is closed.
    fn rest(&self, patience: Duration) {
        let record = self.durable.borrow().record.clone();
        // The last head was signed without a line.
        self.durable.send_modify(|_| {});
        let length = record.as_deref().and_then(|record| std::fs::metadata(heads::file_of(record)).ok());
        let length = length.map_or(0, |found| found.len());
        let lacks = |links: &mut BTreeMap<String, OpenLink>| {
            // A link that is only being opened has told nothing yet.
            let has = |link: &OpenLink| {
                !link.console.is_empty() && link.behind == 0 && (length == 0 || link.heads == Some(length))
            };
            !links.is_empty() && !links.values().any(has)
        };
        drop(self.told.wait_timeout_while(locked(&self.links), patience, lacks));
        self.durable.send_modify(|durable| durable.record = None);
        locked(&self.source).close();
    }
}

fn locked_count(durable: &watch::Sender<Durable>) -> u64 {
    durable.borrow().lines
}

/// The one link of a table to a console, while it is being opened and while it is open. It ends when this is dropped, whatever ends it.
#[derive(Debug)]
pub(super) struct LinkClaim {
    hub: Arc<TableHub>,
    /// The console's key.
    pub(super) key: String,
}

impl Drop for LinkClaim {
    fn drop(&mut self) {
        self.hub.unlinked(&self.key);
    }
}

/// Follows a record for the hub.
#[derive(Debug)]
struct HubFollower(Arc<TableHub>);

impl Follower for HubFollower {
    fn written(&self, lines: u64) {
        // Under one lock: a link that counts anew counts these lines once, before or after.
        let mut open = locked(&self.0.links);
        self.0.durable.send_modify(|durable| durable.lines += lines);
        for link in open.values_mut() {
            link.behind += lines;
        }
    }

    fn moved(&self, record: &Path) {
        self.0.follow(record);
    }

    fn state(&self) -> FollowerState {
        FollowerState::Event(self.0.state())
    }

    /// The links go on; they read the next record of this table.
    fn finish(self: Box<Self>, patience: Duration) -> FollowerState {
        self.0.rest(patience);
        self.state()
    }
}

/// Changes nothing at the table; what its screens show is made anew.
struct Redraw;

impl TableOrder for Redraw {
    fn judge(&mut self, _: &OrderSight<'_>) -> Option<OrderedAct> {
        None
    }

    fn answer(self: Box<Self>, _: tabiya_app::desk::OrderAnswer) {}
}
