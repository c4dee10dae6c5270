//! The thread that owns the journal, so that nobody else waits for the disk.
//!
//! Group commit: whatever arrives while one commit runs goes into the next one together. So a slow
//! disk costs each sender at most two syncs, however many tables write.
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use tabiya_engine::record::chain::Head;

use super::{Batch, JournalError, MatchId, Store};

/// How many orders may wait; a sender beyond that waits himself.
const QUEUE: usize = 1024;
/// How many orders one commit takes at most.
const GROUP: usize = 256;

/// Called on the writer's thread with the answer: it must be quick and must not wait.
type Reply<T> = Box<dyn FnOnce(Result<T, JournalError>) + Send>;

enum Order {
    Begin { header: String, reply: Reply<MatchId> },
    Append { batch: Batch, reply: Reply<Head> },
    Moment { id: MatchId, t: u64, reply: Reply<()> },
}

/// A thread that writes a [`Store`]. Dropping it writes what was ordered and ends the thread.
#[derive(Debug)]
pub struct JournalWriter<S: Store> {
    orders: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<S>>,
}

/// The answer to an order, when it comes.
#[derive(Debug)]
pub struct Ticket<T>(Receiver<Result<T, JournalError>>);

impl<T> Ticket<T> {
    /// Waits for the answer.
    pub fn wait(self) -> Result<T, JournalError> {
        self.0.recv().unwrap_or(Err(JournalError::Closed))
    }
}

impl<S: Store + Send + 'static> JournalWriter<S> {
    /// Starts the thread.
    pub fn start(store: S) -> Self {
        let (orders, inbox) = mpsc::sync_channel(QUEUE);
        let thread = thread::spawn(move || serve(store, &inbox));
        Self { orders: Some(orders), thread: Some(thread) }
    }

    /// Begins a match, and waits until it is durable.
    pub fn begin_match(&self, header: impl Into<String>) -> Result<MatchId, JournalError> {
        let (reply, ticket) = ticket();
        self.order(Order::Begin { header: header.into(), reply });
        ticket.wait()
    }

    /// Orders lines to be added. They go in after all that was ordered before.
    pub fn submit(&self, batch: Batch) -> Ticket<Head> {
        let (reply, ticket) = ticket();
        self.order(Order::Append { batch, reply });
        ticket
    }

    /// Adds lines and waits until they are durable.
    pub fn append_wait(&self, batch: Batch) -> Result<Head, JournalError> {
        self.submit(batch).wait()
    }

    /// Saves that a match has come to `t`, in ms since its header. Of several that wait the latest counts.
    pub fn moment(&self, id: MatchId, t: u64) -> Ticket<()> {
        let (reply, ticket) = ticket();
        self.order(Order::Moment { id, t, reply });
        ticket
    }

    /// Writes what was ordered and gives the store back; `None` if the thread broke down.
    pub fn stop(mut self) -> Option<S> {
        self.orders = None;
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl<S: Store> JournalWriter<S> {
    fn order(&self, order: Order) {
        // A writer that is gone drops the order, and with it the reply: the ticket says `Closed`.
        let Some(orders) = &self.orders else { return closed(order) };
        if let Err(mpsc::SendError(order)) = orders.send(order) {
            closed(order);
        }
    }
}

impl<S: Store> Drop for JournalWriter<S> {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn ticket<T: Send + 'static>() -> (Reply<T>, Ticket<T>) {
    let (send, receive) = mpsc::sync_channel(1);
    // Whoever dropped his ticket does not want the answer.
    (Box::new(move |answer| drop(send.send(answer))), Ticket(receive))
}

fn closed(order: Order) {
    match order {
        Order::Begin { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Append { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Moment { reply, .. } => reply(Err(JournalError::Closed)),
    }
}

fn serve<S: Store>(mut store: S, inbox: &Receiver<Order>) -> S {
    while let Ok(first) = inbox.recv() {
        let group: Vec<Order> = std::iter::once(first).chain(inbox.try_iter().take(GROUP - 1)).collect();
        let (mut batches, mut replies) = (Vec::new(), Vec::new());
        let mut moments: BTreeMap<MatchId, (u64, Vec<Reply<()>>)> = BTreeMap::new();
        for order in group {
            match order {
                Order::Append { batch, reply } => {
                    batches.push(batch);
                    replies.push(reply);
                }
                Order::Begin { header, reply } => {
                    commit(&mut store, &mut batches, &mut replies);
                    reply(store.begin_match(&header));
                }
                Order::Moment { id, t, reply } => {
                    let (latest, waiting) = moments.entry(id).or_default();
                    *latest = t.max(*latest);
                    waiting.push(reply);
                }
            }
        }
        commit(&mut store, &mut batches, &mut replies);
        for (id, (t, waiting)) in moments {
            let answer = store.moment(id, t);
            for reply in waiting {
                reply(answer.clone());
            }
        }
    }
    store
}

fn commit<S: Store>(store: &mut S, batches: &mut Vec<Batch>, replies: &mut Vec<Reply<Head>>) {
    if batches.is_empty() {
        return;
    }
    let answers = store.append_all(&std::mem::take(batches));
    for (reply, answer) in replies.drain(..).zip(answers) {
        reply(answer);
    }
}
