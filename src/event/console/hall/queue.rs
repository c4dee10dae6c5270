//! What passes with time, and what has to be looked after in the whole hall.
//!
//! Source: `docs/hall.md`, §3 (silence), §4 (the queue), §6 (orders without an answer).

use std::collections::BTreeSet;

use tabiya_types::say;

use super::{ConsoleNews, Hall, SILENT, TableSeen};
use crate::console::alerts::{ConsoleAlertKind, QueuedAlert, sort};

/// How long a match may wait to begin while most others have, in ms.
const WAITS: u64 = 180_000;

impl Hall {
    /// Lets time pass: who is silent is told, and which orders nobody has answered.
    pub(in crate::console) fn time(&mut self, now: u64) {
        self.tell_waiting(now);
        self.note_waiting(now);
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

    /// Notes which matches have not begun although most of the hall has: without pairings nothing else says that a round runs.
    fn note_waiting(&mut self, now: u64) {
        let begun = |table: &TableSeen| {
            let replay = table.on().filter(|_| table.is_here())?.1.replay()?;
            Some(replay.table().begun())
        };
        let all: Vec<(u16, bool)> =
            self.tables.iter().filter_map(|(number, table)| Some((*number, begun(table)?))).collect();
        let runs = 2 * all.iter().filter(|(_, begun)| *begun).count() > all.len();
        let waiting: BTreeSet<u16> =
            all.iter().filter(|(_, begun)| runs && !begun).map(|(number, _)| *number).collect();
        let mut late = Vec::new();
        for (number, table) in &mut self.tables {
            if !waiting.contains(number) {
                if table.waits.take().is_some() {
                    self.alerts.close(ConsoleAlertKind::NotStarted, Some(*number));
                }
                continue;
            }
            let (since, told) = table.waits.get_or_insert((now, false));
            if !*told && now.saturating_sub(*since) >= WAITS {
                *told = true;
                late.push(*number);
            }
        }
        for number in late {
            let says = say!(
                "own-not-started",
                "the match on table {table} has not begun, and most others have",
                table = number
            );
            self.raise(ConsoleAlertKind::NotStarted, Some(number), says, now);
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
}
