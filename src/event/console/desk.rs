//! The desk of a console for a window: it carries out what people want, keeps what was told, and makes the views that are shown.
//!
//! One thread owns it and is the only one that waits (`ConsoleDesk::run`); the window never does.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tabiya_app::hall::{
    AlertKey, ChosenTable, HallEnd, HallHeard, HallQuestion, HallRow, HallTold, HallView, HallWish,
    JoiningView, PhonesView, RowLink, WaitingComputer,
};
use tabiya_app::snapshot::TableView;
use tabiya_engine::record::{MatchLog, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Instant, Sentence, harmless, say};
use tokio::sync::mpsc::UnboundedReceiver;

use super::acts::Act;
use super::alerts::QueuedAlert;
use super::hall::ConsoleNews;
use super::keeper::{CopyName, read_copy};
use super::ordering::WantedOrder;
use super::page::{ALL_TABLES, CODE_TIME, PhoneRights};
use super::serve::Console;
use super::told::not_noted;

/// How long the desk waits for a wish before it looks at the hall again. What a table tells is shown after this time at the latest.
const BEAT: Duration = Duration::from_millis(100);
/// How often a view is made although nothing was told: clocks and silences, in ms.
const LOOK: u64 = 500;
/// How much of what was told is kept.
const MOST_TOLD: usize = 200;

/// What waits for a yes.
#[derive(Clone, PartialEq, Debug)]
enum Asked {
    Order(u16, Box<WantedOrder>),
    StopAll,
    Replace(String, u16),
}

/// The story of the chosen table's match, as far as it was read.
#[derive(Debug)]
struct ReadStory {
    of: CopyName,
    seq: u64,
    lines: Arc<Vec<(Instant, Sentence)>>,
}

/// The desk of a console.
#[derive(Debug)]
pub struct ConsoleDesk {
    console: Console,
    arbiter: String,
    chosen: Option<u16>,
    asked: Option<(Asked, Sentence)>,
    told: VecDeque<HallTold>,
    story: Option<ReadStory>,
    wrong_digits: u32,
    typed_digits: Option<(Sentence, bool)>,
    /// The code for a telephone that was given last: for whom, its digits, and when.
    code: Option<(String, String, u64)>,
}

impl ConsoleDesk {
    /// The desk of this console, at which this arbiter gives the orders.
    pub fn new(console: Console, arbiter: &str) -> Self {
        Self {
            console,
            arbiter: arbiter.to_owned(),
            chosen: None,
            asked: None,
            told: VecDeque::new(),
            story: None,
            wrong_digits: 0,
            typed_digits: None,
            code: None,
        }
    }

    /// Carries out wishes and shows views until the window is closed. Returns the console.
    pub fn run(mut self, end: &HallEnd, mut news: UnboundedReceiver<ConsoleNews>) -> Console {
        let mut shown = None;
        loop {
            let heard = end.hear(BEAT);
            let mut changed = heard != HallHeard::Nothing;
            match heard {
                HallHeard::Wish(wish) => self.wish(wish),
                HallHeard::Nothing => {}
                HallHeard::Closed => return self.console,
            }
            while let Ok(news) = news.try_recv() {
                self.hear(&news);
                changed = true;
            }
            let now = self.console.now();
            if changed || shown.is_none_or(|shown| now >= shown + LOOK) {
                end.show(self.view());
                shown = Some(now);
            }
        }
    }

    /// Keeps what has happened.
    pub fn hear(&mut self, news: &ConsoleNews) {
        // What waits to be looked after stands in the queue.
        if !matches!(news, ConsoleNews::Alert(_)) {
            let (table, failed) = news.about();
            self.tell(table, news.in_words(), failed);
        }
    }

    fn tell(&mut self, table: Option<u16>, says: Sentence, failed: bool) {
        if self.told.len() >= MOST_TOLD {
            self.told.pop_front();
        }
        self.told.push_back(HallTold { table, at: self.console.now(), says, failed });
    }

    // ---- wishes ----

    /// Carries out a wish. What cannot be done is told.
    pub fn wish(&mut self, wish: HallWish) {
        match wish {
            HallWish::Choose(table) => self.chosen = table,
            HallWish::Order(table, words) => self.order(table, &words),
            HallWish::Answer(yes) => self.answer(yes),
            HallWish::Take(key) => self.take(&key),
            HallWish::Close(key) => {
                self.console.hall().close_own(&key);
            }
            HallWish::StopAll => {
                let running = self.running();
                let what =
                    say!("ask-stop-all", "stop the clocks of all {count} tables?", count = running.len());
                self.asked = Some((Asked::StopAll, what));
            }
            HallWish::Admit(digits, table) => self.admit(&digits, table),
            HallWish::Replace(digits, table) => {
                let what = say!(
                    "ask-replace",
                    "admit the computer with these digits as table {table}, in place of the one that is here?",
                    table
                );
                self.asked = Some((Asked::Replace(digits, table), what));
            }
            HallWish::Refuse(join) => {
                // Who was admitted in the meantime, or does not wait any more, is not in the list.
                self.console.refuse(&join);
            }
            HallWish::Phone(name, rights) => self.give_code(&name, &rights),
        }
    }

    fn order(&mut self, table: u16, words: &str) {
        let now = self.console.now();
        let wanted = self.console.hall().wanted(table, words, now);
        match wanted {
            Err(fault) => self.tell(Some(table), fault.in_words(), true),
            Ok(wanted) => match wanted.question.clone() {
                Some(question) => {
                    self.asked = Some((Asked::Order(table, Box::new(wanted)), question.harmless()));
                }
                None => self.give(table, wanted),
            },
        }
    }

    fn answer(&mut self, yes: bool) {
        match self.asked.take().filter(|_| yes) {
            None => {}
            Some((Asked::Order(table, wanted), _)) => {
                let wanted = self.console.hall().answered_now(table, *wanted);
                self.give(table, wanted);
            }
            Some((Asked::StopAll, _)) => {
                for table in self.running() {
                    self.order(table, "pause");
                }
            }
            Some((Asked::Replace(digits, table), _)) => self.seat(&digits, table),
        }
    }

    fn give(&mut self, table: u16, wanted: WantedOrder) {
        let words = wanted.words.clone();
        let now = self.console.now();
        let given = self.console.hall().give(table, wanted, &self.arbiter, now);
        match given {
            Err(fault) => self.tell(Some(table), fault.in_words(), true),
            Ok(id) => {
                let act = Act::new("order", self.arbiter.as_str());
                self.note(&act.with("table", table).with("order", id).with("words", words));
            }
        }
    }

    /// Notes an act of the desk. What cannot be noted is done all the same, and told.
    fn note(&mut self, act: &Act) {
        if let Err(fault) = self.console.note(act) {
            let says = not_noted(&fault);
            self.tell(None, says, true);
        }
    }

    fn take(&mut self, key: &AlertKey) {
        let now = self.console.now();
        let taken = self.console.hall().take_this(key, &self.arbiter, now);
        if let Some(alert) = taken {
            let act = Act::new("take", self.arbiter.as_str()).with("kind", alert.kind);
            self.note(&match key.table {
                Some(table) => act.with("table", table),
                None => act,
            });
        }
    }

    /// The tables that play: also those whose clocks stand for a moment, as while cards are dealt.
    fn running(&self) -> Vec<u16> {
        let rows = self.console.hall().rows(&[]);
        let plays = |row: &HallRow| row.link == RowLink::Here && row.runs() && !row.is_stopped();
        rows.iter().filter(|row| plays(row)).map(|row| row.table).collect()
    }

    fn admit(&mut self, digits: &str, table: u16) {
        let here = self.console.hall().tables.get(&table).is_some_and(super::hall::TableSeen::is_here);
        if here {
            let taken = say!("admit-taken", "table {table} has a computer that is here", table);
            self.typed_digits = Some((taken, true));
        } else {
            self.seat(digits, table);
        }
    }

    /// Admits the computer that shows these digits as this table, whoever was it before.
    fn seat(&mut self, digits: &str, table: u16) {
        self.typed_digits = Some(match self.console.admit(digits, table) {
            Ok(true) => {
                (say!("admit-fits", "the digits fit: table {table} says yes, then it joins", table), false)
            }
            Ok(false) => {
                self.wrong_digits += 1;
                (say!("admit-wrong", "no table waits with these digits"), true)
            }
            Err(fault) => (say!("admit-fault", "{why}", why = fault.to_string()), true),
        });
    }

    fn give_code(&mut self, name: &str, rights: &str) {
        let name = harmless(name);
        let rights = if rights.is_empty() { Some(PhoneRights::ALL) } else { PhoneRights::from_words(rights) };
        let Some(rights) = rights else {
            let says = say!("phone-which-tables", "write which tables, as 1-20, or nothing for all of them");
            return self.tell(None, says, true);
        };
        match self.console.phone_desk().give_code(&name, rights, &self.arbiter) {
            Ok(Some(code)) => self.code = Some((name, code, self.console.now())),
            Ok(None) => {
                let says = say!(
                    "phone-no-code",
                    "this console lets no telephones in, or the system has no random numbers"
                );
                self.tell(None, says, true);
            }
            Err(fault) => {
                let says = not_noted(&fault);
                self.tell(None, says, true);
            }
        }
    }

    // ---- views ----

    /// Everything that the desk shows now.
    pub fn view(&mut self) -> HallView {
        let now = self.console.now();
        let chosen = self.chosen_table(now);
        let joining = self.joining();
        let (phones, own_tables) = (self.phones(now), self.console.own_tables());
        let hall = self.console.hall();
        let queue = hall.queue(now);
        let mut rows = hall.rows(&queue);
        for row in &mut rows {
            row.mine = is_mine(row, own_tables, &self.arbiter, &queue);
        }
        HallView {
            event: harmless(&hall.name),
            console: harmless(&hall.console),
            arbiter: harmless(&self.arbiter),
            now,
            rows: Arc::new(rows),
            queue: queue.iter().map(|alert| hall.alert_shown(alert)).collect(),
            chosen: chosen.map(Arc::new),
            joining,
            question: self.asked.as_ref().map(|(asked, text)| HallQuestion {
                table: match asked {
                    Asked::Order(table, _) | Asked::Replace(_, table) => Some(*table),
                    Asked::StopAll => None,
                },
                text: text.clone(),
            }),
            told: self.told.iter().cloned().collect(),
            phones,
        }
    }

    fn phones(&mut self, now: u64) -> Option<PhonesView> {
        let desk = self.console.phone_desk();
        let page = desk.page()?;
        let left = |given: u64| CODE_TIME.saturating_sub(now.saturating_sub(given));
        self.code.take_if(|(_, _, given)| left(*given) == 0);
        Some(PhonesView {
            addresses: page.addresses.clone(),
            words: page.words.iter().map(|word| (*word).to_owned()).collect(),
            signed_in: desk.signed_in().into_iter().map(|(name, _)| harmless(&name)).collect(),
            code: self.code.as_ref().map(|(name, code, given)| (name.clone(), code.clone(), left(*given))),
        })
    }

    fn joining(&self) -> JoiningView {
        let waiting = self.console.waiting().into_iter().map(|one| WaitingComputer {
            join: one.join,
            left: one.left,
            name: harmless(&one.name),
            from: one.from,
            agreed: one.agreed,
        });
        JoiningView {
            waiting: waiting.collect(),
            may_admit: self.console.may_admit(),
            wrong: self.wrong_digits,
            answer: self.typed_digits.clone(),
        }
    }

    fn chosen_table(&mut self, now: u64) -> Option<ChosenTable> {
        let number = self.chosen?;
        let (copy, seq, view, at) = {
            let hall = self.console.hall();
            let table = hall.tables.get(&number);
            let seen = table.and_then(|table| table.on().or_else(|| table.newest()));
            let copy =
                seen.map(|(uid, of)| CopyName { table: number, uid: uid.to_owned(), number: of.followed() });
            let replay = seen.and_then(|(_, of)| of.replay());
            let view = replay.map(|replay| TableView::of(replay.table(), replay.header()));
            let state = table
                .and_then(|table| table.state.as_ref())
                .filter(|_| table.is_some_and(super::hall::TableSeen::is_here));
            let told = state.and_then(|(state, came)| Some(state.on.as_ref()?.1 + now.saturating_sub(*came)));
            let last = replay.map_or(Instant::ZERO, Replay::last_t);
            let at = told.map_or(last, |t| Instant::from_millis(t).max(last));
            (copy, seen.and_then(|(_, of)| of.reached()).map_or(0, |end| end.seq), view, at)
        };
        let story = copy.map(|copy| self.story(copy, seq)).unwrap_or_default();
        let orders = self.told.iter().filter(|told| told.table == Some(number)).cloned().collect();
        Some(ChosenTable { table: number, view: view.map(Arc::new), at, story, orders })
    }

    /// The story of a copy, read anew when lines have come.
    fn story(&mut self, of: CopyName, seq: u64) -> Arc<Vec<(Instant, Sentence)>> {
        if self.story.as_ref().is_none_or(|read| (&read.of, read.seq) != (&of, seq)) {
            let folder = self.console.folder();
            let lines = read_copy(&folder, &of).map(|(info, lines)| Arc::new(told_of(&info.header, &lines)));
            // What is not in its file yet is read when more has come.
            let before = self.story.take().filter(|read| read.of == of).map(|read| read.lines);
            let lines = lines.or(before).unwrap_or_default();
            self.story = Some(ReadStory { of, seq, lines });
        }
        self.story.as_ref().map(|read| Arc::clone(&read.lines)).unwrap_or_default()
    }
}

/// Whether a table is this arbiter's: in the console's own part of the hall, or with an alert that he looks after.
fn is_mine(row: &HallRow, (first, last): (u16, u16), arbiter: &str, queue: &[QueuedAlert]) -> bool {
    let is_part = (first, last) != ALL_TABLES;
    let takes =
        |alert: &QueuedAlert| alert.table == Some(row.table) && alert.taken.as_deref() == Some(arbiter);
    (is_part && (first..=last).contains(&row.table)) || queue.iter().any(takes)
}

/// What a record tells, as far as it can be folded.
fn told_of(header: &str, lines: &[String]) -> Vec<(Instant, Sentence)> {
    let Ok(mut replay) = Replay::begin(header, GAMES) else { return Vec::new() };
    let mut log = MatchLog::new(replay.table());
    for (line, place) in lines.iter().zip(2..) {
        if replay.feed_before(place, line, &mut log).is_err() {
            break;
        }
    }
    log.into_entries().into_iter().map(|entry| (entry.at, entry.beside.harmless())).collect()
}

#[cfg(test)]
mod tests;
