//! One link of a table to one console, from `hello` to its end: lines, heads, heartbeats; orders and what they came to.
//!
//! Source: `docs/hall.md`, §3 to §6.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tabiya_store::journal::JournalError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};

use super::hub::{CountedLack, LinkClaim, TableHub, locked};
use super::order::{Answered, HallOrder, LookAfter};
use super::source::{EventMatch, Source};
use super::telling;
use crate::lists::Staff;
use crate::socket::{EndCode, HallSocket, LinkEnd, SILENCE};
use crate::wire::{FromConsole, FromTable, MatchNote, RefusedNote, SentWords, TableHello, Take, Welcome};
use tabiya_engine::record::replica::{Feed, Reached};

/// How long the console may take to answer `hello`.
const WELCOME: Duration = Duration::from_secs(5);
/// The shortest time between two states.
const FASTEST: Duration = Duration::from_millis(100);
/// The longest time between two states.
const SLOWEST: Duration = Duration::from_secs(1);
/// The most lines of a match that are read at once.
const LINES_AT_ONCE: u32 = 64;

/// A link that is open.
pub(super) struct TableLink<S> {
    hub: Arc<TableHub>,
    socket: HallSocket<S>,
    /// The start of the program that this link has told.
    boot: String,
    /// That this is the one link to its console, with the console's key; and the console's name.
    console: (LinkClaim, String),
    /// For each match: what is sent next, and how far the console has it durable.
    feeds: BTreeMap<String, (Feed, Option<u64>)>,
    /// The matches as they were read last, and how many lines were durable before.
    known: (Vec<EventMatch>, u64),
    heads_read: Option<u64>,
    heads_sent: BTreeMap<String, u64>,
    answers: (UnboundedSender<Answered>, UnboundedReceiver<Answered>),
    /// Orders whose lines are still to be sent.
    dids: Vec<(String, String, u64)>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> TableLink<S> {
    /// Talks to the console that is claimed until the link ends. Returns how it has ended, and how long it was open.
    pub(super) async fn run(
        hub: Arc<TableHub>,
        socket: HallSocket<S>,
        claim: LinkClaim,
    ) -> (LinkEnd, Duration) {
        let opened = Instant::now();
        let mut link = Self {
            boot: hub.boot.id(),
            hub,
            socket,
            console: (claim, String::new()),
            feeds: BTreeMap::new(),
            known: (Vec::new(), 0),
            heads_read: None,
            heads_sent: BTreeMap::new(),
            answers: unbounded_channel(),
            dids: Vec::new(),
        };
        let end = match link.talk().await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        // People see that the console is not told any more before it says good-bye.
        let Self { socket, console, .. } = link;
        drop(console);
        socket.end(&end).await;
        (end, opened.elapsed())
    }

    async fn talk(&mut self) -> Result<std::convert::Infallible, LinkEnd> {
        self.meet().await?;
        let (mut durable, mut report, mut staff) =
            (self.hub.durable(), self.hub.report(), self.hub.staff_news());
        let mut heard = Instant::now();
        // A table that has just begun to show itself is told once it has.
        let mut told = Instant::now();
        let (mut news, mut due, mut more) = (true, true, true);
        loop {
            if due || more {
                due = false;
                more = self.send_lines().await?;
            }
            if self.hub.is_closing() && !more && self.is_told() {
                return Err(LinkEnd::new(EndCode::Away, "the table's program ends"));
            }
            let next_state = if news { told + FASTEST } else { told + SLOWEST };
            tokio::select! {
                biased;
                message = self.socket.hear() => {
                    heard = Instant::now();
                    self.take(&message?)?;
                }
                Some(answer) = self.answers.1.recv() => {
                    self.note_answer(answer).await?;
                    due = true;
                }
                () = sleep_until(next_state), if Instant::now() >= next_state || !more => {
                    told = Instant::now();
                    news = false;
                    self.must_be_awake()?;
                    let state = telling::state(&self.hub, &report.borrow_and_update().clone(), self.hub.timeline.now());
                    self.say(&FromTable::State(Box::new(state))).await?;
                    // A signature is made without a line.
                    if !more {
                        self.send_heads().await?;
                        self.note_behind();
                    }
                }
                () = std::future::ready(()), if more => {}
                // What was changed in the meantime is seen at the next pass.
                changed = durable.changed() => {
                    changed.map_err(|_| away())?;
                    due = true;
                }
                changed = report.changed(), if !news => {
                    changed.map_err(|_| away())?;
                    news = true;
                }
                changed = staff.changed() => {
                    changed.map_err(|_| away())?;
                    self.must_be_in_staff()?;
                }
                () = sleep_until(heard + SILENCE) => {
                    return Err(LinkEnd::new(EndCode::Silent, "the console was silent for 6 s"));
                }
            }
        }
    }

    async fn say(&mut self, message: &FromTable) -> Result<(), LinkEnd> {
        self.socket.say(message.to_text()).await
    }

    // ---- meeting ----

    async fn meet(&mut self) -> Result<(), LinkEnd> {
        self.read_matches()?;
        let (event, table) = self.hub.event_and_table();
        let (boot, up) = self.hub.boot.moment();
        if boot != self.boot {
            return Err(slept());
        }
        let notes: Vec<MatchNote> = self.known.0.iter().map(|one| one.note.clone()).collect();
        let hello = TableHello {
            event,
            table,
            boot,
            up,
            program: concat!("tabiya ", env!("CARGO_PKG_VERSION")).to_owned(),
            matches: notes,
        };
        self.say(&FromTable::Hello(hello)).await?;
        let welcome = timeout(WELCOME, self.welcome(table)).await;
        let welcome =
            welcome.map_err(|_| LinkEnd::new(EndCode::Silent, "the console did not answer within 5 s"))??;
        self.console.1.clone_from(&welcome.console);
        for one in self.known.0.clone() {
            let have = welcome.have.iter().find(|have| have.uid == one.note.uid).map(|have| have.reached);
            let feed = self.begin(&one, have)?;
            let kept = feed.next().checked_sub(1);
            self.feeds.insert(one.note.uid.clone(), (feed, kept));
        }
        self.note_behind();
        Ok(())
    }

    async fn welcome(&mut self, table: u16) -> Result<Welcome, LinkEnd> {
        loop {
            let text = self.socket.hear().await?;
            match FromConsole::read(&text).map_err(|fault| wrong(&fault))? {
                Some(FromConsole::Welcome(welcome)) => {
                    if welcome.table != table {
                        let why = format!("the console takes this table for table {}", welcome.table);
                        return Err(LinkEnd::new(EndCode::Stranger, why));
                    }
                    if !self.hub.take_staff(&welcome.staff) {
                        return Err(LinkEnd::new(EndCode::Wrong, "the list of consoles is not the event's"));
                    }
                    self.must_be_in_staff()?;
                    return Ok(welcome);
                }
                None | Some(FromConsole::Here) => {}
                Some(_) => return Err(LinkEnd::new(EndCode::Wrong, "the first message is no `welcome`")),
            }
        }
    }

    /// Where sending begins to a console that has this much of a match.
    fn begin(&mut self, of: &EventMatch, have: Option<Reached>) -> Result<Feed, LinkEnd> {
        self.read(|source, record| Feed::begin(have, of.note.seq, |seq| source.head_at(record, of, seq)))
    }

    /// Reads from the record; without one, as from an empty one.
    fn read<T: Default>(
        &self,
        look: impl FnOnce(&mut Source, &std::path::Path) -> Result<T, JournalError>,
    ) -> Result<T, LinkEnd> {
        let Some(record) = self.hub.durable().borrow().record.clone() else { return Ok(T::default()) };
        let mut source = locked(&self.hub.source);
        look(&mut source, &record).map_err(|error| {
            source.close();
            LinkEnd::cut(format!("the record cannot be read: {error}"))
        })
    }

    /// The link ends if the computer slept: the console's orders are for another start.
    fn must_be_awake(&self) -> Result<(), LinkEnd> {
        self.hub.boot.wake();
        if self.hub.boot.id() == self.boot {
            return Ok(());
        }
        Err(slept())
    }

    /// Reads the matches of the record anew.
    fn read_matches(&mut self) -> Result<(), LinkEnd> {
        // Counted before they are read: a line that comes in between is counted twice until they are read again, never left out.
        let lines = self.hub.durable().borrow().lines;
        self.known = (self.read(Source::matches)?, lines);
        Ok(())
    }

    fn must_be_in_staff(&self) -> Result<(), LinkEnd> {
        let key = &self.console.0.key;
        if self.hub.with_seat(|seat| seat.staff.console(key).is_some()) {
            return Ok(());
        }
        Err(LinkEnd::new(EndCode::Stranger, "this console is not in the event's list"))
    }

    // ---- lines ----

    /// Sends lines that the console lacks, and what follows them. Returns whether there are more.
    async fn send_lines(&mut self) -> Result<bool, LinkEnd> {
        self.read_matches()?;
        let mut more = false;
        let mut unsealed = false;
        for one in self.known.0.clone() {
            let (feed, _) = *self.feeds.entry(one.note.uid.clone()).or_default();
            if feed.behind(one.note.seq) == 0 {
                continue;
            }
            let next = self.read(|source, record| source.lines(record, &one, feed.next(), LINES_AT_ONCE))?;
            unsealed |= next.unsealed;
            let count = next.lines.len() as u64;
            for line in next.lines {
                self.say(&FromTable::Line(line)).await?;
            }
            if let Some((feed, _)) = self.feeds.get_mut(&one.note.uid) {
                feed.sent(count);
                more |= count > 0 && feed.behind(one.note.seq) > 0;
            }
            if more {
                break;
            }
        }
        self.note_unsealed(unsealed, more);
        if !more {
            self.send_heads().await?;
        }
        self.send_dids().await?;
        self.note_behind();
        Ok(more)
    }

    fn note_unsealed(&self, unsealed: bool, more: bool) {
        let mut since = locked(&self.hub.unsealed);
        if unsealed {
            since.get_or_insert_with(|| self.hub.boot.up());
        } else if !more {
            *since = None;
        }
    }

    /// Sends the signed heads whose lines the console has.
    async fn send_heads(&mut self) -> Result<(), LinkEnd> {
        let Some(record) = self.hub.durable().borrow().record.clone() else { return Ok(()) };
        let own = self.hub.key.public();
        let (length, heads) = Source::heads(&record, &self.known.0, (self.heads_read, own));
        let mut all_sent = true;
        for (text, head) in heads {
            let uid = head.point.uid;
            let is_new = self.heads_sent.get(&uid).is_none_or(|sent| *sent < head.point.seq);
            let has_lines = self.feeds.get(&uid).is_some_and(|(feed, _)| feed.next() > head.point.seq);
            if !has_lines {
                all_sent = false;
            } else if is_new {
                self.say(&FromTable::Head(text)).await?;
                self.heads_sent.insert(uid, head.point.seq);
            }
        }
        self.heads_read = Some(length).filter(|_| all_sent);
        Ok(())
    }

    /// Tells what became of orders whose lines have been sent.
    async fn send_dids(&mut self) -> Result<(), LinkEnd> {
        let sent = |uid: &str, seq: u64| self.feeds.get(uid).is_some_and(|(feed, _)| feed.next() > seq);
        let (ready, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.dids).into_iter().partition(|(_, uid, seq)| sent(uid, *seq));
        self.dids = waiting;
        for (order, uid, seq) in ready {
            self.say(&FromTable::Did { order, uid, seq }).await?;
        }
        Ok(())
    }

    /// Whether the console has everything durable.
    fn is_told(&self) -> bool {
        self.dids.is_empty() && self.hub.is_told()
    }

    /// Notes how many lines are not durable at the console.
    fn note_behind(&self) {
        let (matches, read_at) = &self.known;
        let lacks = |one: &EventMatch| {
            let kept = self.feeds.get(&one.note.uid).and_then(|(_, kept)| *kept);
            kept.map_or(one.note.seq + 1, |kept| one.note.seq.saturating_sub(kept))
        };
        let lines = matches.iter().map(lacks).sum();
        let lack = CountedLack { lines, read_at: *read_at, heads: self.heads_read };
        self.hub.linked(&self.console.0.key, &self.console.1, lack);
    }

    // ---- what comes ----

    /// Takes a message.
    fn take(&mut self, text: &str) -> Result<(), LinkEnd> {
        self.must_be_awake()?;
        match FromConsole::read(text).map_err(|fault| wrong(&fault))? {
            None | Some(FromConsole::Here | FromConsole::Welcome(_)) => {}
            Some(FromConsole::Kept { uid, seq }) => {
                if let Some((_, kept)) = self.feeds.get_mut(&uid) {
                    *kept = Some(kept.map_or(seq, |before| before.max(seq)));
                }
                self.note_behind();
            }
            Some(FromConsole::Staff(list)) => {
                if !self.hub.take_staff(&list) {
                    return Err(LinkEnd::new(EndCode::Wrong, "the list of consoles is not the event's"));
                }
                self.must_be_in_staff()?;
            }
            Some(FromConsole::Take(take)) => self.look_after(take),
            Some(FromConsole::Order(order)) => HallOrder::send(&self.hub, order, &self.answers.0),
        }
        Ok(())
    }

    /// Takes or closes an alert, if the console may.
    fn look_after(&self, Take { alert, arbiter, done }: Take) {
        let may = |staff: &Staff, table: u16| {
            staff.console(&self.console.0.key).is_some_and(|console| {
                console.has_table(table) && console.role.is_some_and(crate::lists::StaffRole::is_arbiter)
            })
        };
        let number =
            alert.strip_prefix(self.boot.as_str()).and_then(|rest| rest.strip_prefix('-')?.parse().ok());
        let (Some(alert), true) = (number, self.hub.with_seat(|seat| may(&seat.staff, seat.table))) else {
            return;
        };
        // Once the loop has ended there is no alert.
        let _ = self.hub.send(Box::new(LookAfter { alert, by: arbiter, done }));
    }

    async fn note_answer(&mut self, answer: Answered) -> Result<(), LinkEnd> {
        match answer {
            Answered::Did { order, uid, seq } => {
                self.dids.push((order, uid, seq));
                Ok(())
            }
            Answered::Refused { order, refusal } => {
                let (code, says) = (refusal.code.word().to_owned(), SentWords::of(&refusal.says));
                self.say(&FromTable::Refused(RefusedNote { order, code, says })).await
            }
        }
    }
}

fn wrong(fault: &crate::wire::WireFault) -> LinkEnd {
    LinkEnd::new(EndCode::Wrong, fault.to_string())
}

fn slept() -> LinkEnd {
    LinkEnd::new(EndCode::Away, "the table's computer slept")
}

fn away() -> LinkEnd {
    LinkEnd::new(EndCode::Away, "the table's program ends")
}
