//! What a console knows of its hall: the lists, each table with its link and its state, each match with its copies and what they fold
//! to. A value: time comes in, what is to be kept and sent goes out through the keeper and the links.
//!
//! Source: `docs/hall.md`, §3 to §6.

mod answers;
mod bounds;
mod folding;
mod lines;
mod meeting;
mod queue;

use std::collections::{BTreeMap, VecDeque};

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::infringements::IllegalCounts;
use tabiya_engine::record::replica::Reached;
use tabiya_engine::record::{Replay, Stop};
use tabiya_engine::rules::GAMES;
use tabiya_store::signing::TableKey;
use tabiya_types::{ByColor, Sentence, ToldSentence, say};
use tokio::sync::mpsc::UnboundedSender;

use super::alerts::{ConsoleAlertKind, ConsoleAlerts, QueuedAlert};
use super::keeper::CopyKeeper;
use super::link::ToLink;
use super::ordering::GivenOrder;
use crate::copies::{CopyNumber, MatchCopies};
use crate::lists::{Roster, Staff};
use crate::socket::{EndCode, LinkEnd};
use crate::wire::{FromConsole, StateNote};

/// How long a table may be silent before the arbiter is told, in ms.
const SILENT: u64 = 3_000;
/// The most news of one table that people are told in so many ms. A table that has more is told of as a flood, and everything
/// that lasts stands in the hall.
const MOST_NEWS: usize = 32;
const NEWS_TIME: u64 = 10_000;
/// How many answers to orders are kept.
const MOST_ANSWERS: usize = 100;

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
    Refused(u16, String, ToldSentence),
    /// Nobody has answered an order: it does not act any more.
    Unanswered(u16, String),
    /// A computer waits to be admitted: what it calls itself, and from where.
    Joins(String, String),
    /// A computer has joined as this table.
    Joined(u16, String),
    /// The console's disk, which had failed, is well again.
    DiskIsWell,
    /// A game has ended: table, and the result in words.
    Result(u16, Sentence),
}

/// What became of an order, for who has given it.
#[derive(Clone, PartialEq, Debug)]
pub struct AnsweredOrder {
    /// Who has given it.
    pub arbiter: String,
    /// When it was answered, in ms of the console's own time.
    pub at: u64,
    /// What is told of it.
    pub news: ConsoleNews,
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
    /// When people were told something of it.
    told: VecDeque<u64>,
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

/// What a copy folds to.
#[derive(Debug)]
pub(super) struct MatchFold {
    pub(super) replay: Replay,
    illegal: IllegalCounts,
}

impl MatchFold {
    /// Begins with this header; `None` if it cannot be read here.
    pub(super) fn begin(header: &str) -> Option<Box<Self>> {
        let replay = Replay::begin(header, GAMES).ok()?;
        Some(Box::new(Self { replay, illegal: IllegalCounts::default() }))
    }

    /// Folds the line at this place. `Err` as [`Replay::feed`].
    pub(super) fn feed(&mut self, place: u32, line: &str) -> Result<(), Stop> {
        self.replay.feed_before(place, line, &mut self.illegal).map(drop)
    }
}

/// A match as the console knows it.
#[derive(Debug)]
pub struct MatchSeen {
    copies: MatchCopies,
    /// What the followed copy folds to; `None` if a line cannot be folded, or while it has to be folded anew.
    fold: Option<Box<MatchFold>>,
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
    pub(super) fn new(copies: MatchCopies, fold: Option<Box<MatchFold>>, began: u64, bytes: u64) -> Self {
        // What was read is durable.
        let durable = copies.ends().map(|(number, end)| (number, end.seq)).collect();
        Self { copies, newer: false, fold, began, bytes, durable, head: None }
    }

    /// The fold of the followed copy.
    pub fn replay(&self) -> Option<&Replay> {
        self.fold.as_deref().map(|fold| &fold.replay)
    }

    /// How many illegal moves each player has made in the present game.
    pub fn illegal(&self) -> ByColor<u32> {
        self.fold.as_deref().map(|fold| fold.illegal.0).unwrap_or_default()
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

/// A match that was kept before this start.
#[derive(Debug)]
pub(super) struct RestoredMatch {
    pub(super) table: u16,
    pub(super) uid: String,
    pub(super) seen: MatchSeen,
    /// How many of its copies lie in files beside the hall's journal.
    pub(super) files: usize,
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
    /// What became of the last orders, the newest last.
    pub answered: VecDeque<AnsweredOrder>,
    /// How many files beside the hall's journal the copies of each table have.
    files: BTreeMap<u16, usize>,
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
            answered: VecDeque::new(),
            files: BTreeMap::new(),
            links: 0,
            began: 0,
        }
    }

    pub(super) fn tell(&self, news: ConsoleNews) {
        // Nobody listens to a console without a front.
        let _ = self.news.send(news);
    }

    /// Tells what became of an order, and keeps it for who has given it.
    fn tell_answer(&mut self, arbiter: String, news: ConsoleNews, now: u64) {
        if self.answered.len() >= MOST_ANSWERS {
            self.answered.pop_front();
        }
        self.answered.push_back(AnsweredOrder { arbiter, at: now, news: news.clone() });
        self.tell(news);
    }

    /// Tells news of a table, as long as it has not too many of them.
    fn tell_of(&mut self, number: u16, news: ConsoleNews, now: u64) {
        let Some(table) = self.tables.get_mut(&number) else { return };
        table.told.retain(|told| now.saturating_sub(*told) < NEWS_TIME);
        if table.told.len() < MOST_NEWS {
            table.told.push_back(now);
            return self.tell(news);
        }
        let says = say!(
            "own-news",
            "table {table} has more news than can be told; look at its alerts and its link",
            table = number
        );
        self.raise(ConsoleAlertKind::Flood, Some(number), says, now);
    }

    pub(super) fn raise(&mut self, kind: ConsoleAlertKind, table: Option<u16>, says: Sentence, now: u64) {
        if self.alerts.raise(kind, table, says, now)
            && let Some(alert) = self.alerts.open().last()
        {
            self.tell(ConsoleNews::Alert(QueuedAlert::of_console(alert, now)));
        }
    }

    /// Notes a match that was kept before this start.
    pub(super) fn restore(&mut self, RestoredMatch { table, uid, seen, files }: RestoredMatch) {
        self.began += 1;
        *self.files.entry(table).or_default() += files;
        self.tables.entry(table).or_default().matches.insert(uid, MatchSeen { began: self.began, ..seen });
    }

    fn of_match(&mut self, number: u16, uid: &str) -> Option<&mut MatchSeen> {
        self.tables.get_mut(&number)?.matches.get_mut(uid)
    }

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
}
