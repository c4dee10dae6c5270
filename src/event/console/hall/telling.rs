//! What people are told of one table as it happens: not more than they can read, but everything that cannot wait.
//!
//! Everything that lasts stands in the hall. What is urgent and finds no room is told as soon as there is room, if it is still open.

use std::collections::VecDeque;

use super::{ConsoleNews, Hall};
use crate::console::alerts::QueuedAlert;

/// The most news of one table that people are told in so many ms.
const MOST_NEWS: usize = 32;
const NEWS_TIME: u64 = 10_000;
/// The most news that cannot wait, which have room of their own: an alert of each kind for each side and the whole table.
const MOST_URGENT: usize = 16;

/// What people were told of a table in the last moments.
#[derive(Debug, Default)]
pub(super) struct TableTelling {
    /// When they were told something.
    told: VecDeque<u64>,
    /// The same of what could not wait.
    urgent: VecDeque<u64>,
    /// Whether they know that there is more than can be told.
    too_much: bool,
    /// The ids of open alerts that cannot wait, and for which there was no room.
    waiting: Vec<String>,
}

impl TableTelling {
    fn takes(told: &mut VecDeque<u64>, most: usize, now: u64) -> bool {
        told.retain(|told| now.saturating_sub(*told) < NEWS_TIME);
        let takes = told.len() < most;
        if takes {
            told.push_back(now);
        }
        takes
    }
}

impl Hall {
    /// Tells news of a table, as long as it has not too many of them.
    pub(super) fn tell_of(&mut self, number: u16, news: ConsoleNews, now: u64) {
        let Some(TableTelling { told, urgent, too_much, waiting }) =
            self.tables.get_mut(&number).map(|table| &mut table.telling)
        else {
            return;
        };
        if TableTelling::takes(told, MOST_NEWS, now) {
            *too_much = false;
            return self.tell(news);
        }
        if let ConsoleNews::Alert(QueuedAlert { rank: 1, id: Some(id), .. }) = &news {
            if TableTelling::takes(urgent, MOST_URGENT, now) {
                return self.tell(news);
            }
            waiting.push(id.clone());
        }
        if !std::mem::replace(too_much, true) {
            self.tell(ConsoleNews::TooMuch(number));
        }
    }

    /// Tells of a table what could not wait and found no room, once there is room.
    pub(super) fn tell_waiting(&mut self, now: u64) {
        let waits = |(number, table): (&u16, &mut super::TableSeen)| {
            (!table.telling.waiting.is_empty()).then(|| (*number, std::mem::take(&mut table.telling.waiting)))
        };
        let waiting: Vec<(u16, Vec<String>)> = self.tables.iter_mut().filter_map(waits).collect();
        for (number, ids) in waiting {
            let Some(table) = self.tables.get(&number) else { continue };
            let Some((state, _)) = &table.state else { continue };
            let time = table.time_of_mover(now);
            let open = state.alerts.iter().filter(|alert| ids.contains(&alert.id));
            let news: Vec<QueuedAlert> =
                open.map(|alert| QueuedAlert::of_table(number, alert, state.up, time)).collect();
            for alert in news {
                self.tell_of(number, ConsoleNews::Alert(alert), now);
            }
        }
    }
}
