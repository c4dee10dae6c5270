//! A table of an event whose desk is moved step by step from outside, instead of by a loop of its own: simulated halls, load and
//! tests have a thousand of them in one program.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_app::desk::{Desk, Environment, HallReport, SingleTable, TableOrder};
use tabiya_app::seating::{self, Keeping, Seated};
use tabiya_engine::record::Header;
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::TableKey;
use tabiya_types::{Instant, Timeline};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::boot::Boot;
use crate::table::{TableHub, TableSeat, serve};

/// Orders that wait for the desk, each with its moment.
type Waiting = Arc<Mutex<Vec<(Instant, Box<dyn TableOrder>)>>>;

/// A table that has sat down to its match, and has not dialled yet.
#[derive(Debug)]
pub struct SteppedTable {
    /// Its desk, with the match on it.
    pub desk: Desk,
    /// Its links.
    pub links: SteppedLinks,
    /// The match's own time at the moment when the desk's time is zero: zero for a match that was begun.
    pub at: Instant,
}

/// Begins a match with this header in the record `match.tabiya` of a folder, or carries on the one that is there. The folder has the
/// table's key, too. The error is a sentence.
pub fn sit(
    folder: &Path,
    seat: TableSeat,
    header: &Header,
    timeline: Box<dyn Timeline>,
) -> Result<SteppedTable, String> {
    let keys = Keyring::beside_records(folder);
    let key = keys.table_key().map_err(|error| error.to_string())?;
    let boot = Boot::now().map_err(|error| error.to_string())?;
    let links = SteppedLinks::new((key, boot), seat, timeline);
    let record = folder.join("match.tabiya");
    let journal = JournalKeeper::open(&record, &keys).map_err(|error| error.to_string())?;
    let matches = journal.matches().map_err(|error| error.to_string())?;
    let with = Keeping { keys, copy: None, event: Some(links.hub().place()), pgn: None, cards: None };
    let Seated { session, at, .. } = match matches.last() {
        Some(info) => seating::carry_on(journal, info.id.number(), with)?,
        None => seating::begin(Some(journal), header.clone(), with).map_err(|error| error.to_string())?,
    };
    let single = SingleTable { session, at, record: Some(record), deck: None, read_deals: false, next: None };
    Ok(SteppedTable { desk: Desk::for_table(Environment::without_files(), single), links, at })
}

/// What connects a stepped desk with the consoles of its event. Dropping it cuts the links.
pub struct SteppedLinks {
    hub: Arc<TableHub>,
    waiting: Waiting,
    report: watch::Sender<Arc<HallReport>>,
    /// The version of the desk that was told last.
    shown: Option<u64>,
    task: Option<JoinHandle<()>>,
}

impl SteppedLinks {
    /// The links of a table with this key at this seat; `timeline` is the desk's time. Nobody is dialled yet.
    pub fn new((key, boot): (TableKey, Boot), seat: TableSeat, timeline: Box<dyn Timeline>) -> Self {
        let waiting = Waiting::default();
        let queue = Arc::clone(&waiting);
        let send = Box::new(move |at, order| {
            queue.lock().unwrap_or_else(PoisonError::into_inner).push((at, order));
            true
        });
        let report = watch::Sender::new(Arc::default());
        let hub = TableHub::new((Arc::new(key), boot), (seat, None), timeline, report.subscribe(), send);
        Self { hub, waiting, report, shown: None, task: None }
    }

    /// What the links share.
    pub fn hub(&self) -> &Arc<TableHub> {
        &self.hub
    }

    /// Dials the consoles of the seat from now on.
    pub fn dial(&mut self, runtime: &Handle) {
        self.cut();
        self.task = Some(runtime.spawn(serve(Arc::clone(&self.hub), Vec::new(), None)));
    }

    /// Cuts all links, as when the network is gone.
    pub fn cut(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    /// Gives the desk the orders that have come.
    pub fn take_orders(&self, desk: &mut Desk) {
        let orders = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        for (at, order) in orders {
            desk.order(order, at);
        }
    }

    /// Tells the consoles how the desk stands, if it has changed.
    pub fn tell(&mut self, desk: &Desk, now: Instant) {
        if self.shown.replace(desk.version()) != Some(desk.version()) {
            self.report.send_replace(Arc::new(desk.hall_report(now)));
        }
    }
}

impl Drop for SteppedLinks {
    fn drop(&mut self) {
        self.cut();
    }
}

impl fmt::Debug for SteppedLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteppedLinks").field("hub", &self.hub).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
