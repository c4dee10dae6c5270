//! What a console knows of its hall: the lists, each table with its link and its state, each match with its copies and what they fold
//! to. A value: time comes in, what is to be kept and sent goes out through the keeper and the links.
//!
//! Source: `docs/hall.md`, §3 to §6.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;
use tabiya_app::seating::{EVENT, TABLE};
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::replica::Reached;
use tabiya_engine::record::{Replay, Stop};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::Table;
use tabiya_store::heads::SignedHead;
use tabiya_store::signing::TableKey;
use tokio::sync::mpsc::UnboundedSender;

use super::alerts::{ConsoleAlert, ConsoleAlertKind, ConsoleAlerts, QueuedAlert, sort};
use super::keeper::{CopyKeeper, CopyName, Wanted};
use super::link::ToLink;
use super::ordering::{GivenOrder, WantedOrder};
use crate::copies::CopyNumber;
use crate::copies::{Coming, MatchCopies};
use crate::lists::{Roster, Staff};
use crate::socket::{EndCode, LinkEnd};
use crate::wire::{
    FromConsole, Have, MatchNote, RefusedNote, SentLine, StateNote, TableHello, Take, Welcome,
};

/// How long a table may be silent before the arbiter is told, in ms.
pub(super) const SILENT: u64 = 3_000;
/// The most lines of a match.
const MOST_LINES: u64 = 200_000;
/// The most bytes of a match, and of a table in a day.
const MOST_OF_MATCH: u64 = 64 << 20;
const MOST_OF_TABLE: u64 = 256 << 20;
/// A day, in ms.
const DAY: u64 = 86_400_000;
/// The most matches of a table that are known at once.
const MOST_MATCHES: usize = 4_096;
/// The most states of a table in a second.
const MOST_STATES: usize = 10;

/// What people at the console are told as it happens.
#[derive(Clone, PartialEq, Debug)]
pub enum ConsoleNews {
    /// A table has a link.
    Here(u16, String),
    /// A table's link has ended.
    Gone(u16, String),
    /// Something has to be looked after.
    Alert(QueuedAlert),
    /// An order is done: its table, what was ordered, and the place of its line.
    Did(u16, String, u64),
    /// An order was refused, with the sentence.
    Refused(u16, String, String),
    /// Nobody has answered an order: it does not act any more.
    Unanswered(u16, String),
    /// A computer waits to be admitted: what it calls itself, and from where.
    Joins(String, String),
    /// A computer has joined as this table.
    Joined(u16, String),
    /// The console's disk, which had failed, is well again.
    DiskIsWell,
    /// A game has ended: table, and the result in words.
    Result(u16, String),
}

/// A link to a table.
#[derive(Clone, Debug)]
pub(super) struct LinkHandle {
    pub(super) number: u64,
    pub(super) key: String,
    pub(super) send: UnboundedSender<ToLink>,
}

/// A table as the console knows it.
#[derive(Debug, Default)]
pub struct TableSeen {
    pub(super) link: Option<LinkHandle>,
    /// The start of the table's program.
    pub boot: String,
    /// The program and its version.
    pub program: String,
    /// When something was heard last, in ms of the console's own time.
    pub heard: u64,
    /// The newest state, and when it came.
    pub state: Option<(StateNote, u64)>,
    /// The matches, by their unique names.
    pub matches: BTreeMap<String, MatchSeen>,
    states: VecDeque<u64>,
    bytes: (u64, u64),
}

impl TableSeen {
    /// Whether the table has a link.
    pub fn is_here(&self) -> bool {
        self.link.is_some()
    }

    /// The match on the table, if the console has a copy of it.
    pub fn on(&self) -> Option<(&str, &MatchSeen)> {
        let (uid, _, _) = self.state.as_ref()?.0.on.as_ref()?;
        self.matches.get_key_value(uid).map(|(uid, of)| (uid.as_str(), of))
    }

    /// The match that began last: the one on the table, or the last that was there.
    pub fn newest(&self) -> Option<(&str, &MatchSeen)> {
        let last = self.matches.iter().max_by_key(|(_, of)| of.began);
        last.map(|(uid, of)| (uid.as_str(), of))
    }

    /// The least time of a side to move now, as the state says; `None` while no clock runs.
    pub fn time_of_mover(&self, now: u64) -> Option<u64> {
        let (state, came) = self.state.as_ref()?;
        let (_, _, clock) = state.on.as_ref()?;
        let clock = clock.as_ref()?;
        let left = match clock.runs? {
            "white" => clock.white,
            "black" => clock.black,
            _ => return None,
        };
        Some(left.saturating_sub(now.saturating_sub(*came)))
    }
}

/// A match as the console knows it.
#[derive(Debug)]
pub struct MatchSeen {
    copies: MatchCopies,
    /// What the followed copy folds to; `None` if a line cannot be folded, or while it has to be folded anew.
    replay: Option<Box<Replay>>,
    /// Whether a newer program has written a line.
    pub newer: bool,
    /// In which order the matches of a table began.
    pub began: u64,
    bytes: u64,
    /// For each copy, the place up to which it is durable.
    durable: BTreeMap<CopyNumber, u64>,
    /// The place of the newest signed head that is kept, and in which copy.
    head: Option<(CopyNumber, u64)>,
}

impl MatchSeen {
    pub(super) fn new(copies: MatchCopies, replay: Option<Box<Replay>>, began: u64, bytes: u64) -> Self {
        // What was read is durable.
        let durable = copies.ends().map(|(number, end)| (number, end.seq)).collect();
        Self { copies, newer: false, replay, began, bytes, durable, head: None }
    }

    /// The fold of the followed copy.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_deref()
    }

    /// How far the followed copy has come.
    pub fn reached(&self) -> Option<Reached> {
        self.copies.reached()
    }

    /// Which copy is followed.
    pub(super) fn followed(&self) -> CopyNumber {
        self.copies.followed()
    }

    /// The hash of the followed copy at this place.
    pub(super) fn hash_at(&self, seq: u64) -> Option<Head> {
        self.copies.head_at(seq)
    }

    /// How far the followed copy is durable.
    fn kept(&self) -> Option<Reached> {
        let seq = *self.durable.get(&self.copies.followed())?;
        Some(Reached { seq, head: self.copies.head_at(seq)? })
    }
}

/// What a console knows of its hall.
#[derive(Debug)]
pub struct Hall {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The event's name.
    pub name: String,
    /// This console's name.
    pub console: String,
    /// The authority's key, 64 hexadecimal digits.
    pub authority: String,
    /// The newest list of consoles.
    pub staff: Staff,
    /// The newest list of tables.
    pub roster: Roster,
    /// The tables, by their numbers.
    pub tables: BTreeMap<u16, TableSeen>,
    /// The console's own alerts.
    pub alerts: ConsoleAlerts,
    pub(super) orders: BTreeMap<String, GivenOrder>,
    pub(super) key: std::sync::Arc<TableKey>,
    pub(super) keeper: CopyKeeper,
    news: UnboundedSender<ConsoleNews>,
    links: u64,
    began: u64,
}

impl Hall {
    pub(super) fn new(
        (event, name, console): (String, String, String),
        (authority, key): (String, std::sync::Arc<TableKey>),
        (staff, roster): (Staff, Roster),
        keeper: CopyKeeper,
        news: UnboundedSender<ConsoleNews>,
    ) -> Self {
        Self {
            event,
            name,
            console,
            authority,
            staff,
            roster,
            tables: BTreeMap::new(),
            alerts: ConsoleAlerts::default(),
            orders: BTreeMap::new(),
            key,
            keeper,
            news,
            links: 0,
            began: 0,
        }
    }

    pub(super) fn tell(&self, news: ConsoleNews) {
        // Nobody listens to a console without a front.
        let _ = self.news.send(news);
    }

    pub(super) fn raise(
        &mut self,
        kind: ConsoleAlertKind,
        table: Option<u16>,
        says: impl Into<String>,
        now: u64,
    ) {
        if self.alerts.raise(kind, table, says, now)
            && let Some(alert) = self.alerts.open().last()
        {
            self.tell(ConsoleNews::Alert(QueuedAlert::of_console(alert, now)));
        }
    }

    /// Notes a match that was kept before this start.
    pub(super) fn restore(&mut self, table: u16, uid: String, seen: MatchSeen) {
        self.began += 1;
        self.tables.entry(table).or_default().matches.insert(uid, MatchSeen { began: self.began, ..seen });
    }

    // ---- links ----

    /// A table with this key says `hello`. Returns its welcome and the number of its link; `Err` is how the link ends.
    pub(super) fn meet(
        &mut self,
        hello: TableHello,
        (key, send): (&str, UnboundedSender<ToLink>),
        now: u64,
    ) -> Result<(Welcome, u64), LinkEnd> {
        let number = hello.table;
        if hello.event != self.event {
            return Err(LinkEnd::new(EndCode::Stranger, "this is another event"));
        }
        if self.roster.tables.get(&number).map(String::as_str) != Some(key) {
            let says = format!("a computer that is not table {number}'s speaks as table {number}");
            self.raise(ConsoleAlertKind::Stranger, Some(number), says, now);
            return Err(LinkEnd::new(
                EndCode::Stranger,
                format!("this key is not the key of table {number}"),
            ));
        }
        self.links += 1;
        let link = LinkHandle { number: self.links, key: key.to_owned(), send };
        let table = self.tables.entry(number).or_default();
        if let Some(before) = &table.link {
            if table.boot == hello.boot {
                let end = LinkEnd::new(EndCode::Replaced, "a later link of this table has taken its place");
                let _ = before.send.send(ToLink::End(end));
            } else if now.saturating_sub(table.heard) < SILENT {
                let says = format!("two programs speak as table {number}");
                self.raise(ConsoleAlertKind::Twice, Some(number), says, now);
                return Err(LinkEnd::new(EndCode::Twice, "another program speaks as this table"));
            } else {
                let _ = before.send.send(ToLink::End(LinkEnd::cut("the table's program was started anew")));
            }
        }
        let is_new_boot = table.boot != hello.boot;
        (table.boot, table.program, table.heard) = (hello.boot, tabiya_types::harmless(&hello.program), now);
        if is_new_boot {
            table.state = None;
        }
        let link_number = link.number;
        table.link = Some(link);
        let mut have = Vec::new();
        for note in hello.matches {
            have.extend(self.meet_match(number, &note, now));
        }
        for kind in [ConsoleAlertKind::Silent, ConsoleAlertKind::Twice] {
            self.alerts.close(kind, Some(number));
        }
        let program = self.tables.get(&number).map(|table| table.program.clone()).unwrap_or_default();
        self.tell(ConsoleNews::Here(number, program));
        let staff = self.staff.signed().clone();
        Ok((Welcome { console: self.console.clone(), table: number, have, staff }, link_number))
    }

    /// Which copy of this match the table goes on with.
    fn meet_match(&mut self, number: u16, note: &MatchNote, now: u64) -> Option<Have> {
        let of_match = self.tables.get_mut(&number)?.matches.get_mut(&note.uid)?;
        let end = Reached { seq: note.seq, head: note.head };
        let before = of_match.copies.followed();
        let reached = of_match.copies.meet(note.begins, end)?;
        let (other, shorter) = (of_match.copies.followed() != before, of_match.copies.is_shorter(end));
        if other {
            self.fold_anew(number, &note.uid);
        }
        if shorter {
            let lost = reached.seq - end.seq;
            let says = format!("table {number} has lost {lost} lines that the copy has");
            self.raise(ConsoleAlertKind::Shorter, Some(number), says, now);
        }
        // What is not durable yet is sent again.
        let reached = self.of_match(number, &note.uid)?.kept()?;
        Some(Have { uid: note.uid.clone(), reached })
    }

    /// Whether this link is the table's present one. Whatever it says is heard.
    pub(super) fn is_present(&mut self, number: u16, link: u64, now: u64) -> bool {
        let Some(table) = self.tables.get_mut(&number) else { return false };
        let present = table.link.as_ref().is_some_and(|present| present.number == link);
        if present {
            table.heard = now;
        }
        present
    }

    /// A link has ended.
    pub(super) fn left(&mut self, number: u16, link: u64, end: &LinkEnd) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        if table.link.as_ref().is_some_and(|present| present.number == link) {
            table.link = None;
            self.keep_moment(number);
            self.tell(ConsoleNews::Gone(number, tabiya_types::harmless(&end.to_string())));
        }
    }

    // ---- what a table says ----

    /// Whether this is the header of a match of this name, of this event and this table.
    fn is_header(&self, number: u16, uid: &str, line: &Value) -> bool {
        line.get("tabiya").is_some_and(Value::is_number)
            && line.get("id").is_none_or(|id| id.as_str() == Some(uid))
            && line.get(EVENT).and_then(Value::as_str) == Some(&self.event)
            && line.get(TABLE).and_then(Value::as_u64) == Some(u64::from(number))
    }

    /// A line has come. `Err` ends the link.
    pub(super) fn line(&mut self, number: u16, sent: SentLine, size: u64, now: u64) -> Result<(), LinkEnd> {
        let SentLine { uid, seq, line, hash } = sent;
        self.must_have_room(number, &uid, (seq, size), now)?;
        let began = self.began + 1;
        let may_follow =
            (seq == 0) == self.is_header(number, &uid, &line) && !crate::table::shows_hidden(&line);
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        let known = table.matches.contains_key(&uid);
        if !may_follow || (!known && seq != 0) {
            return Err(self.broken(number, &uid, seq, now));
        }
        let of_match = table
            .matches
            .entry(uid.clone())
            .or_insert_with(|| MatchSeen::new(MatchCopies::default(), None, began, 0));
        let coming = of_match.copies.receive(seq, &line, hash);
        if !matches!(coming, Coming::Known) {
            of_match.bytes += size;
        }
        if matches!(coming, Coming::Broken | Coming::TooMany) && !known {
            table.matches.remove(&uid);
        } else if !known {
            self.began = began;
        }
        match coming {
            Coming::Known => {
                self.tell_kept(number, &uid);
                Ok(())
            }
            Coming::Broken => Err(self.broken(number, &uid, seq, now)),
            Coming::TooMany => {
                self.flooded(number, now);
                Err(LinkEnd::new(EndCode::Wrong, "there are too many copies of this match"))
            }
            Coming::Keep(copy) => {
                let name = CopyName { table: number, uid: uid.clone(), number: copy };
                self.keep(Wanted::Line { copy: name, seq, line: line.clone() })?;
                self.note(number, &uid, coming, hash);
                self.fold(number, &uid, (seq, &line), now);
                // An order whose answer was lost with a link is on its line.
                if let Some(order) = line.get("id").and_then(Value::as_str) {
                    self.did(number, order, seq, now);
                }
                Ok(())
            }
            Coming::Follow(_) => {
                self.note(number, &uid, coming, hash);
                self.fold_anew(number, &uid);
                Ok(())
            }
            Coming::Fork { of, shared } => {
                self.fork(number, &uid, (of, shared), (seq, line, hash))?;
                let says = format!(
                    "the record of table {number} goes on in two ways after line {shared}: both are kept"
                );
                self.raise(ConsoleAlertKind::Fork, Some(number), says, now);
                Ok(())
            }
        }
    }

    fn fork(
        &mut self,
        number: u16,
        uid: &str,
        (of, shared): (usize, u64),
        (seq, line, hash): (u64, Value, Head),
    ) -> Result<(), LinkEnd> {
        let name = |copy| CopyName { table: number, uid: uid.to_owned(), number: copy };
        self.note(number, uid, Coming::Fork { of, shared }, hash);
        let to = self.of_match(number, uid).map_or(0, |of_match| of_match.copies.followed());
        if shared > 0 {
            self.keep(Wanted::Fork { of: name(of), shared, to: name(to) })?;
        }
        self.keep(Wanted::Line { copy: name(to), seq, line })?;
        self.fold_anew(number, uid);
        Ok(())
    }

    fn of_match(&mut self, number: u16, uid: &str) -> Option<&mut MatchSeen> {
        self.tables.get_mut(&number)?.matches.get_mut(uid)
    }

    /// Lines of a copy are durable. The table is told if it goes on with this copy.
    pub(super) fn kept(&mut self, copy: &CopyName, seq: u64) {
        let Some(of_match) = self.of_match(copy.table, &copy.uid) else { return };
        of_match.durable.insert(copy.number, seq);
        if of_match.copies.followed() == copy.number {
            self.tell_kept(copy.table, &copy.uid);
        }
    }

    fn tell_kept(&mut self, number: u16, uid: &str) {
        let Some(kept) = self.of_match(number, uid).and_then(|of_match| of_match.kept()) else { return };
        let link = self.tables.get(&number).and_then(|table| table.link.as_ref());
        // Without a link, the next one is told by `welcome`.
        let _ = link.map(|link| link.send.send(ToLink::Kept { uid: uid.to_owned(), seq: kept.seq }));
    }

    /// The journal refuses a line of a copy: what is not durable of it is forgotten, and the table's link ends.
    pub(super) fn not_kept(&mut self, copy: &CopyName, why: &str, now: u64) {
        let says = format!("a line of table {} cannot be kept: {why}", copy.table);
        self.raise(ConsoleAlertKind::Disk, Some(copy.table), says.clone(), now);
        if let Some(of_match) = self.of_match(copy.table, &copy.uid) {
            let durable = of_match.durable.get(&copy.number).copied();
            of_match.copies.cut(copy.number, durable.map_or(0, |durable| durable + 1));
            of_match.replay = None;
        }
        if let Some(link) = self.tables.get(&copy.table).and_then(|table| table.link.as_ref()) {
            let _ = link.send.send(ToLink::End(LinkEnd::new(EndCode::Wrong, says)));
        }
    }

    fn note(&mut self, number: u16, uid: &str, coming: Coming, hash: Head) {
        if let Some(of_match) = self.of_match(number, uid) {
            of_match.copies.note(coming, hash);
        }
    }

    fn keep(&mut self, wanted: Wanted) -> Result<(), LinkEnd> {
        if self.keeper.keep(wanted) { Ok(()) } else { Err(LinkEnd::cut("the console's disk is too slow")) }
    }

    fn broken(&mut self, number: u16, uid: &str, seq: u64, now: u64) -> LinkEnd {
        let uid = tabiya_types::harmless(uid);
        let says =
            format!("line {seq} of match {uid} of table {number} does not follow from the line before");
        self.raise(ConsoleAlertKind::Chain, Some(number), says.clone(), now);
        LinkEnd::new(EndCode::Wrong, says)
    }

    fn must_have_room(
        &mut self,
        number: u16,
        uid: &str,
        (seq, size): (u64, u64),
        now: u64,
    ) -> Result<(), LinkEnd> {
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        if now.saturating_sub(table.bytes.0) >= DAY {
            table.bytes = (now, 0);
        }
        table.bytes.1 += size;
        let of_match = table.matches.get(uid).map_or(0, |of_match| of_match.bytes);
        let many = !table.matches.contains_key(uid) && table.matches.len() >= MOST_MATCHES;
        if seq < MOST_LINES && of_match + size <= MOST_OF_MATCH && table.bytes.1 <= MOST_OF_TABLE && !many {
            return Ok(());
        }
        self.flooded(number, now);
        Err(LinkEnd::new(EndCode::Wrong, "this is more than is kept of a table"))
    }

    fn flooded(&mut self, number: u16, now: u64) {
        let says = format!("table {number} sends more than is kept; it is not read on");
        self.raise(ConsoleAlertKind::Flood, Some(number), says, now);
    }

    /// Folds the line that was just kept.
    fn fold(&mut self, number: u16, uid: &str, (seq, line): (u64, &Value), now: u64) {
        let Some(of_match) = self.of_match(number, uid) else { return };
        let text = line.to_string();
        if seq == 0 {
            of_match.replay = Replay::begin(&text, GAMES).ok().map(Box::new);
            of_match.newer = of_match.replay.is_none();
        } else if let Some(replay) = &mut of_match.replay {
            let was = (replay.table().past_games().len(), replay.table().game().outcome().is_some());
            let place = u32::try_from(seq + 1).unwrap_or(u32::MAX);
            if matches!(replay.feed(place, &text), Err(Stop::Unusable(_))) {
                (of_match.newer, of_match.replay) = (true, None);
            } else if let Some(result) = new_result(was, replay.table()) {
                self.tell(ConsoleNews::Result(number, result));
            }
        }
        if self.of_match(number, uid).is_some_and(|of_match| of_match.newer) {
            self.raise_version(number, now);
        }
    }

    fn raise_version(&mut self, number: u16, now: u64) {
        let says =
            format!("table {number} runs a newer program: its record is kept, but not understood here");
        self.raise(ConsoleAlertKind::Version, Some(number), says, now);
    }

    /// What a match folds to is not known any more: another copy is followed.
    fn fold_anew(&mut self, number: u16, uid: &str) {
        if let Some(of_match) = self.of_match(number, uid) {
            of_match.replay = None;
        }
    }

    /// A state has come.
    pub(super) fn state(&mut self, number: u16, state: StateNote, now: u64) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        table.states.retain(|came| now.saturating_sub(*came) < 1_000);
        let is_old = table.state.as_ref().is_some_and(|(known, _)| state.n <= known.n);
        if is_old || table.states.len() >= MOST_STATES {
            return;
        }
        table.states.push_back(now);
        let before: Vec<&str> = table
            .state
            .iter()
            .flat_map(|(known, _)| known.alerts.iter().map(|alert| alert.id.as_str()))
            .collect();
        let new: Vec<usize> = (0..state.alerts.len())
            .filter(|nth| state.alerts.get(*nth).is_some_and(|alert| !before.contains(&alert.id.as_str())))
            .collect();
        table.state = Some((state, now));
        let time = table.time_of_mover(now);
        let Some((state, _)) = &table.state else { return };
        let news: Vec<QueuedAlert> = new
            .into_iter()
            .filter_map(|nth| state.alerts.get(nth))
            .map(|alert| QueuedAlert::of_table(number, alert, state.up, time))
            .collect();
        for alert in news {
            self.tell(ConsoleNews::Alert(alert));
        }
    }

    /// A signed head has come: it is kept beside the copy with the console's own, if it fits.
    pub(super) fn head(&mut self, number: u16, text: String, key: &str, now: u64) -> Result<(), LinkEnd> {
        let wrong =
            || LinkEnd::new(EndCode::Wrong, "a signed head cannot be read, or its key has not signed it");
        let head = SignedHead::read(&text).ok_or_else(wrong)?;
        let uid = head.point.uid.clone();
        let signer = head.key.to_string();
        let fits = self.of_match(number, &uid).is_some_and(|of_match| {
            of_match.copies.head_at(head.point.seq) == Some(head.point.head)
                && of_match.copies.head_at(0) == Some(head.point.begins)
        });
        let is_tables = signer == key || self.roster.knew(number, &signer);
        if !fits || !is_tables {
            let says = format!("a signed head of table {number} does not fit the copy of its record");
            self.raise(ConsoleAlertKind::Head, Some(number), says, now);
            return Ok(());
        }
        let own = head.signed_too(&self.key);
        let Some(of_match) = self.of_match(number, &uid) else { return Ok(()) };
        let copy = of_match.copies.followed();
        // A table that comes again says its newest head again.
        if of_match.head.is_some_and(|(kept, seq)| kept == copy && seq >= head.point.seq) {
            return Ok(());
        }
        of_match.head = Some((copy, head.point.seq));
        self.keep(Wanted::Heads {
            copy: CopyName { table: number, uid, number: copy },
            lines: vec![text, own],
        })
    }

    /// An order is done. What was typed with it follows.
    pub(super) fn did(&mut self, number: u16, order: &str, seq: u64, now: u64) {
        if self.orders.get(order).is_none_or(|given| given.table != number) {
            return;
        }
        let Some(GivenOrder { words, arbiter, rest, .. }) = self.orders.remove(order) else { return };
        if rest.is_empty() {
            return self.tell(ConsoleNews::Did(number, words, seq));
        }
        // What was typed with it is for the table as this line has left it.
        let bound = self.bound_after(number, seq);
        let next = WantedOrder { lines: rest, words: words.clone(), question: None, ago: None, bound };
        if let Err(fault) = self.give(number, next, &arbiter, now) {
            self.tell(ConsoleNews::Refused(number, words, fault.to_string()));
        }
    }

    pub(super) fn refused(&mut self, number: u16, refused: &RefusedNote) {
        if self.orders.get(&refused.order).is_some_and(|given| given.table == number)
            && let Some(given) = self.orders.remove(&refused.order)
        {
            self.tell(ConsoleNews::Refused(number, given.words, tabiya_types::harmless(&refused.says.en)));
        }
    }

    /// Keeps how far the match on a table has come by its clock, so that another computer can carry it on there.
    fn keep_moment(&mut self, number: u16) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        let Some((state, _)) = &table.state else { return };
        let Some((uid, t, _)) = state.on.clone() else { return };
        let Some(of_match) = table.matches.get(&uid) else { return };
        let copy = CopyName { table: number, uid, number: of_match.copies.followed() };
        // A moment that is not kept costs a player seconds, no line.
        let _ = self.keeper.keep(Wanted::Moment { copy, t });
    }

    /// Whether the copies can be written.
    pub(super) fn disk(&mut self, failing: Option<&str>, now: u64) {
        if let Some(why) = failing {
            self.raise(ConsoleAlertKind::Disk, None, format!("the copies cannot be written: {why}"), now);
        } else if self.alerts.close(ConsoleAlertKind::Disk, None) {
            self.tell(ConsoleNews::DiskIsWell);
        }
    }

    // ---- time ----

    /// Lets time pass: who is silent is told, and which orders nobody has answered.
    pub(super) fn time(&mut self, now: u64) {
        let silent: Vec<u16> = self
            .tables
            .iter()
            .filter(|(number, table)| {
                self.roster.tables.contains_key(number)
                    && !table.boot.is_empty()
                    && now.saturating_sub(table.heard) >= SILENT
            })
            .map(|(number, _)| *number)
            .collect();
        for number in silent {
            let says = format!("nothing is heard of table {number}");
            self.raise(ConsoleAlertKind::Silent, Some(number), says, now);
        }
        let heard: Vec<u16> = self
            .alerts
            .open()
            .iter()
            .filter(|alert| alert.kind == ConsoleAlertKind::Silent)
            .filter_map(|alert| alert.table)
            .filter(|number| {
                self.tables.get(number).is_some_and(|table| now.saturating_sub(table.heard) < SILENT)
            })
            .collect();
        for number in heard {
            self.alerts.close(ConsoleAlertKind::Silent, Some(number));
        }
        let late: Vec<String> = self
            .orders
            .iter()
            .filter(|(_, given)| now.saturating_sub(given.at) > crate::orders::FRESH)
            .map(|(id, _)| id.clone())
            .collect();
        for id in late {
            if let Some(given) = self.orders.remove(&id) {
                self.tell(ConsoleNews::Unanswered(given.table, given.words));
            }
        }
    }

    /// The alerts of the whole hall, the most urgent first.
    pub fn queue(&self, now: u64) -> Vec<QueuedAlert> {
        let mut queue: Vec<QueuedAlert> =
            self.alerts.open().iter().map(|alert| QueuedAlert::of_console(alert, now)).collect();
        for (number, table) in &self.tables {
            let Some((state, came)) = table.state.as_ref().filter(|_| table.is_here()) else { continue };
            let up = state.up + now.saturating_sub(*came);
            let time = table.time_of_mover(now);
            queue.extend(state.alerts.iter().map(|note| QueuedAlert::of_table(*number, note, up, time)));
        }
        sort(&mut queue);
        queue
    }

    /// Somebody looks after the most urgent alert of this table, or closes it. Returns what it is; `None` if there is none that is
    /// nobody's.
    pub fn take(&mut self, number: u16, by: &str, now: u64) -> Option<QueuedAlert> {
        let free = |alert: &&QueuedAlert| alert.table == Some(number) && alert.taken.is_none();
        let alert = self.queue(now).iter().find(free).cloned()?;
        if let Some(id) = &alert.id {
            let take = Take { alert: id.clone(), arbiter: Some(by.to_owned()), done: false };
            let link = self.tables.get(&number)?.link.as_ref()?;
            let _ = link.send.send(ToLink::Say(Box::new(FromConsole::Take(take))));
        } else {
            let own = |own: &&ConsoleAlert| own.table == Some(number) && own.kind.word() == alert.kind;
            let kind = self.alerts.open().iter().find(own)?.kind;
            self.alerts.take(kind, Some(number), Some(by.to_owned()));
        }
        Some(alert)
    }

    // ---- lists ----

    /// Takes new lists: links of keys that do not count any more are closed, and all others are told.
    pub(super) fn take_lists(&mut self, staff: Option<Staff>, roster: Option<Roster>) {
        if let Some(roster) = roster {
            self.roster = roster;
        }
        // A list that all have already is not told again: a hall of tables joins one after the other.
        let new_staff = staff.filter(|staff| staff.signed() != self.staff.signed());
        let tell_staff = new_staff.is_some();
        if let Some(staff) = new_staff {
            self.staff = staff;
        }
        for (number, table) in &self.tables {
            let Some(link) = &table.link else { continue };
            if self.roster.tables.get(number) != Some(&link.key) {
                let end = LinkEnd::new(EndCode::Stranger, "this key is not the table's any more");
                let _ = link.send.send(ToLink::End(end));
            } else if tell_staff {
                let list = self.staff.signed().clone();
                let _ = link.send.send(ToLink::Say(Box::new(FromConsole::Staff(list))));
            }
        }
    }

    /// A followed copy was folded anew, up to this place.
    pub(super) fn folded(&mut self, (of, last): (&CopyName, u64), replay: Option<Box<Replay>>, now: u64) {
        if replay.is_none() {
            self.raise_version(of.table, now);
        }
        if let Some(of_match) = self.of_match(of.table, &of.uid)
            && of_match.copies.followed() == of.number
            && of_match.copies.reached().is_some_and(|end| end.seq == last)
        {
            (of_match.newer, of_match.replay) = (replay.is_none(), replay);
        }
    }

    /// The matches whose fold has to be made anew from their copies.
    pub(super) fn to_fold(&self) -> Vec<(CopyName, u64)> {
        let of_table = |(number, table): (&u16, &TableSeen)| {
            let number = *number;
            let unfolded = table.matches.iter().filter(|(_, of)| of.replay.is_none() && !of.newer);
            let named = unfolded.filter_map(|(uid, of)| {
                let name = CopyName { table: number, uid: uid.clone(), number: of.copies.followed() };
                Some((name, of.copies.reached()?.seq))
            });
            named.collect::<Vec<_>>()
        };
        self.tables.iter().flat_map(of_table).collect()
    }
}

/// The result of a game that has ended since the table had so many ended games, and a result of the present one or not.
fn new_result((games, has_result): (usize, bool), table: &Table) -> Option<String> {
    if !has_result && table.game().outcome().is_some() {
        return Some(table.prompt().to_string());
    }
    let ended = table.past_games().len() > games && !has_result;
    ended.then(|| table.results_in_words().last().map(ToString::to_string)).flatten()
}
