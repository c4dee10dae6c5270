//! What else comes from a table and from the keeper: states with alerts, answers to orders, whether the disk is well.
//!
//! Source: `docs/hall.md`, §4 and §6.

use tabiya_types::{ToldSentence, say};

use super::{ConsoleNews, Hall};
use crate::console::alerts::{ConsoleAlertKind, QueuedAlert};
use crate::console::ordering::{GivenOrder, WantedOrder};
use crate::wire::{RefusedNote, StateNote};

/// The most states of a table in a second.
const MOST_STATES: usize = 10;

impl Hall {
    /// A state has come.
    pub(in crate::console) fn state(&mut self, number: u16, state: StateNote, now: u64) {
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
            self.tell_of(number, ConsoleNews::Alert(alert), now);
        }
    }

    /// An order is done. What was typed with it follows.
    pub(in crate::console) fn did(&mut self, number: u16, order: &str, seq: u64, now: u64) {
        if self.orders.get(order).is_none_or(|given| given.table != number) {
            return;
        }
        let Some(GivenOrder { words, arbiter, rest, .. }) = self.orders.remove(order) else { return };
        if rest.is_empty() {
            return self.tell_answer(arbiter, ConsoleNews::Did(number, words, seq), now);
        }
        // What was typed with it is for the table as this line has left it.
        let bound = self.bound_after(number, seq);
        let next = WantedOrder { lines: rest, words: words.clone(), question: None, ago: None, bound };
        if let Err(fault) = self.give(number, next, &arbiter, now) {
            let why = ToldSentence::from(&fault.in_words());
            self.tell_answer(arbiter, ConsoleNews::Refused(number, words, why), now);
        }
    }

    pub(in crate::console) fn refused(&mut self, number: u16, refused: &RefusedNote, now: u64) {
        if self.orders.get(&refused.order).is_some_and(|given| given.table == number)
            && let Some(given) = self.orders.remove(&refused.order)
        {
            let says = refused.says.0.clone();
            self.tell_answer(given.arbiter, ConsoleNews::Refused(number, given.words, says), now);
        }
    }

    /// Whether the copies can be written.
    pub(in crate::console) fn disk(&mut self, failing: Option<&str>, now: u64) {
        if let Some(why) = failing {
            let says = say!("own-disk", "the copies cannot be written: {why}", why = why.to_owned());
            self.raise(ConsoleAlertKind::Disk, None, says, now);
        } else if self.alerts.close(ConsoleAlertKind::Disk, None) {
            self.tell(ConsoleNews::DiskIsWell);
        }
    }
}
