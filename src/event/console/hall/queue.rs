//! What passes with time, and what has to be looked after in the whole hall.
//!
//! Source: `docs/hall.md`, §3 (silence), §4 (the queue), §6 (orders without an answer).

use tabiya_types::say;

use super::{ConsoleNews, Hall, SILENT};
use crate::console::alerts::{ConsoleAlert, ConsoleAlertKind, QueuedAlert, sort};
use crate::console::link::ToLink;
use crate::wire::{FromConsole, Take};

impl Hall {
    /// Lets time pass: who is silent is told, and which orders nobody has answered.
    pub(in crate::console) fn time(&mut self, now: u64) {
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
            let says = say!("own-silent", "nothing is heard of table {table}", table = number);
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
                self.tell_answer(given.arbiter, ConsoleNews::Unanswered(given.table, given.words), now);
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
}
