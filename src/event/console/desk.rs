//! The desk of a console for a window: it carries out what people want, keeps what was told, and makes the views that are shown.
//!
//! One thread owns it and is the only one that waits (`ConsoleDesk::run`); the window never does. It waits for wishes alone: the story
//! of the chosen match is read, and acts are noted, on other threads.

mod story;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tabiya_app::hall::{
    ChosenTable, HallEnd, HallHeard, HallQuestion, HallRow, HallTold, HallView, HallWish, HallYes,
    JoiningView, PhonesView, RowLink, WaitingComputer,
};
use tabiya_app::snapshot::TableView;
use tabiya_engine::record::Replay;
use tabiya_types::{Instant, Sentence, harmless, marked, say};
use tokio::sync::mpsc::UnboundedReceiver;

use self::story::StoryReader;
use super::alerts::QueuedAlert;
use super::hall::ConsoleNews;
use super::keeper::CopyName;
use super::ordering::WantedOrder;
use super::page::{ALL_TABLES, CODE_TIME, PhoneRights};
use super::serve::Console;
use crate::joining::{JoinAs, JoinPlace};

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

/// The desk of a console.
#[derive(Debug)]
pub struct ConsoleDesk {
    console: Console,
    arbiter: String,
    chosen: Option<u16>,
    /// The question that waits for a yes, with its number.
    asked: Option<(u64, Asked, Sentence)>,
    /// How many questions were asked.
    questions: u64,
    told: VecDeque<HallTold>,
    story: StoryReader,
    wrong_digits: u32,
    typed_digits: Option<(Sentence, bool)>,
    /// The code for a telephone that was given last: for whom, its digits, and when.
    code: Option<(String, String, u64)>,
}

impl ConsoleDesk {
    /// The desk of this console, at which this arbiter gives the orders.
    pub fn new(console: Console, arbiter: &str) -> Self {
        Self {
            story: StoryReader::start(console.folder()),
            console,
            arbiter: arbiter.to_owned(),
            chosen: None,
            asked: None,
            questions: 0,
            told: VecDeque::new(),
            wrong_digits: 0,
            typed_digits: None,
            code: None,
        }
    }

    /// Carries out wishes and shows views until the window is closed. Returns the console.
    pub fn run(mut self, end: &HallEnd, mut news: UnboundedReceiver<ConsoleNews>) -> Console {
        let mut shown: Option<HallView> = None;
        let mut looked = 0;
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
            changed |= self.story.hear();
            let now = self.console.now();
            if changed || shown.is_none() || now >= looked + LOOK {
                looked = now;
                let view = self.view();
                // A desk at which nothing happens is not drawn.
                if changed || !shown.as_ref().is_some_and(|before| view.stands_still_since(before)) {
                    end.show(view.clone());
                    shown = Some(view);
                }
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
            HallWish::Answer(number, yes) => self.answer(number, yes),
            HallWish::Take(key) => drop(self.console.shared.take(&key, &self.arbiter)),
            HallWish::Close(key) => drop(self.console.shared.close(&key, &self.arbiter)),
            HallWish::StopAll => {
                let running = self.running();
                let what =
                    say!("ask-stop-all", "stop the clocks of all {count} tables?", count = running.len());
                self.ask(Asked::StopAll, what);
            }
            HallWish::Admit(digits, table) => self.admit(&digits, table),
            HallWish::Replace(digits, table) => {
                let what = say!(
                    "ask-replace",
                    "admit the computer with these digits as table {table}, in place of the one that is here?",
                    table
                );
                self.ask(Asked::Replace(digits, table), what);
            }
            HallWish::Refuse(join) => {
                // Who was admitted in the meantime, or does not wait any more, is not in the list.
                self.console.refuse(&join);
            }
            HallWish::Phone(name, rights) => self.give_code(&name, &rights),
            HallWish::Round(wish) => self.console.round(wish, &self.arbiter),
        }
    }

    fn order(&mut self, table: u16, words: &str) {
        let now = self.console.now();
        let wanted = self.console.hall().wanted(table, words, now);
        match wanted {
            Err(fault) => self.tell(Some(table), fault.in_words(), true),
            Ok(wanted) => match wanted.question.clone() {
                Some(question) => {
                    self.ask(Asked::Order(table, Box::new(wanted)), question.harmless());
                }
                None => self.give(table, wanted),
            },
        }
    }

    fn ask(&mut self, what: Asked, text: Sentence) {
        self.questions += 1;
        self.asked = Some((self.questions, what, text));
    }

    /// Takes the answer to this question. An answer to an older one, which has given way to another, is none.
    fn answer(&mut self, number: u64, yes: bool) {
        let Some((_, asked, _)) = self.asked.take_if(|(asked, ..)| *asked == number).filter(|_| yes) else {
            return;
        };
        match asked {
            Asked::Order(table, wanted) => {
                let wanted = self.console.hall().answered_now(table, *wanted);
                self.give(table, wanted);
            }
            Asked::StopAll => {
                for table in self.running() {
                    self.order(table, "pause");
                }
            }
            Asked::Replace(digits, table) => self.seat(&digits, table),
        }
    }

    fn give(&mut self, table: u16, wanted: WantedOrder) {
        if let Err(fault) = self.console.give(table, wanted, &self.arbiter) {
            self.tell(Some(table), fault.in_words(), true);
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
        self.typed_digits = Some(match self.console.admit(digits, &JoinPlace::Table(table)) {
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
                let says = ConsoleNews::NotNoted(fault.to_string()).in_words();
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
        let known = self.console.rounds();
        let (phones, own_tables) = (self.phones(now), self.console.own_tables());
        let hall = self.console.hall();
        let rounds = known.book.map(|known| known.view(&hall));
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
            question: self.asked.as_ref().map(|(number, asked, text)| HallQuestion {
                number: *number,
                table: match asked {
                    Asked::Order(table, _) | Asked::Replace(_, table) => Some(*table),
                    Asked::StopAll => None,
                },
                text: text.clone(),
                yes: match asked {
                    Asked::Order(..) => HallYes::Order,
                    Asked::StopAll => HallYes::StopAll,
                    Asked::Replace(..) => HallYes::Replace,
                },
            }),
            told: self.told.iter().cloned().collect(),
            phones,
            rounds: rounds.map(Arc::new),
            round_fault: known.fault,
        }
    }

    fn phones(&mut self, now: u64) -> Option<PhonesView> {
        let desk = self.console.phone_desk();
        let page = desk.page()?;
        let left = |given: u64| CODE_TIME.saturating_sub(now.saturating_sub(given));
        self.code.take_if(|(_, _, given)| left(*given) == 0);
        Some(PhonesView {
            addresses: page.place.addresses.clone(),
            words: page.place.words.iter().map(|word| (*word).to_owned()).collect(),
            signed_in: desk.signed_in().into_iter().map(|(name, _)| harmless(&name)).collect(),
            code: self.code.as_ref().map(|(name, code, given)| (name.clone(), code.clone(), left(*given))),
        })
    }

    fn joining(&self) -> JoiningView {
        // A console is admitted with a name and a role, which are typed in the terminal.
        let tables = self.console.waiting().into_iter().filter(|one| one.joins == JoinAs::Table);
        let waiting = tables.map(|one| WaitingComputer {
            join: one.join,
            left: one.left,
            name: marked(&one.name),
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
        let story = copy.map(|copy| self.story.story(copy, seq)).unwrap_or_default();
        let orders = self.told.iter().filter(|told| told.table == Some(number)).cloned().collect();
        Some(ChosenTable { table: number, view: view.map(Arc::new), at, story, orders })
    }
}

/// Whether a table is this arbiter's: in the console's own part of the hall, or with an alert that he looks after.
fn is_mine(row: &HallRow, (first, last): (u16, u16), arbiter: &str, queue: &[QueuedAlert]) -> bool {
    let is_part = (first, last) != ALL_TABLES;
    let takes =
        |alert: &QueuedAlert| alert.table == Some(row.table) && alert.taken.as_deref() == Some(arbiter);
    (is_part && (first..=last).contains(&row.table)) || queue.iter().any(takes)
}

#[cfg(test)]
mod tests;
