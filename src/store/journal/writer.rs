//! The thread that owns the journal, so that no other thread has to wait for the disk.
//!
//! Group commit: all orders that arrive during one commit go into the next one together. So each sender waits for at
//! most two syncs, however many tables write.
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;

use super::error::JournalError;
use super::form::{Batch, MatchId, Store};

/// How many orders may be queued; when the queue is full, senders block.
const QUEUE: usize = 1024;
/// The largest number of orders in one commit.
const GROUP: usize = 256;

/// The callback for the answer to an order. It runs on the writer's thread, so it must be quick and must not block.
type Reply<T> = Box<dyn FnOnce(Result<T, JournalError>) + Send>;

enum Order {
    Begin { header: String, reply: Reply<MatchId> },
    Append { batch: Batch, reply: Reply<Head> },
    Moment { id: MatchId, t: u64, reply: Reply<()> },
    Sign { id: MatchId, reply: Reply<Option<HeadSignature>> },
    Vouch { id: MatchId, reply: Reply<()> },
}

/// A thread that writes a [`Store`]. Dropping it writes all queued orders and then ends the thread.
#[derive(Debug)]
pub struct JournalWriter<S: Store> {
    orders: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<S>>,
}

/// A pending answer to an order.
#[derive(Debug)]
pub struct Ticket<T>(Receiver<Result<T, JournalError>>);

impl<T> Ticket<T> {
    /// The answer, if it is there; `None` if the order still waits.
    pub fn answered(self) -> Option<Result<T, JournalError>> {
        self.0.try_recv().ok()
    }

    /// Waits for the answer. `Err` with `Closed` if the thread has ended.
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

    /// Queues lines. They are added after everything that was queued before.
    pub fn submit(&self, batch: Batch) -> Ticket<Head> {
        let (reply, ticket) = ticket();
        self.order(Order::Append { batch, reply });
        ticket
    }

    /// Adds lines and waits until they are durable.
    pub fn append_wait(&self, batch: Batch) -> Result<Head, JournalError> {
        self.submit(batch).wait()
    }

    /// Queues `t`, in ms since the match began, to be saved as the current moment of a match. Of several queued moments
    /// only the latest is written.
    pub fn moment(&self, id: MatchId, t: u64) -> Ticket<()> {
        let (reply, ticket) = ticket();
        self.order(Order::Moment { id, t, reply });
        ticket
    }

    /// Signs a match's newest head, which covers everything that was queued before, and waits until the signature is
    /// durable. `None` if there is no key to sign with.
    pub fn sign_wait(&self, id: MatchId) -> Result<Option<HeadSignature>, JournalError> {
        let (reply, ticket) = ticket();
        self.order(Order::Sign { id, reply });
        ticket.wait()
    }

    /// Signs and notes a match from now on although its earlier lines are in doubt, and waits until that is durable.
    pub fn vouch_wait(&self, id: MatchId) -> Result<(), JournalError> {
        let (reply, ticket) = ticket();
        self.order(Order::Vouch { id, reply });
        ticket.wait()
    }

    /// Writes all queued orders and returns the store; `None` if the thread panicked.
    pub fn stop(mut self) -> Option<S> {
        self.orders = None;
        self.thread.take().and_then(|thread| thread.join().ok())
    }
}

impl<S: Store> JournalWriter<S> {
    fn order(&self, order: Order) {
        // If the writer's thread has ended, the answer to the order is `Closed`.
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
    // Sending fails if the ticket was dropped. Then nobody waits for the answer.
    (Box::new(move |answer| drop(send.send(answer))), Ticket(receive))
}

fn closed(order: Order) {
    match order {
        Order::Begin { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Append { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Moment { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Sign { reply, .. } => reply(Err(JournalError::Closed)),
        Order::Vouch { reply, .. } => reply(Err(JournalError::Closed)),
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
                Order::Sign { id, reply } => {
                    commit(&mut store, &mut batches, &mut replies);
                    reply(store.sign(id));
                }
                Order::Vouch { id, reply } => {
                    commit(&mut store, &mut batches, &mut replies);
                    reply(store.vouch(id));
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
