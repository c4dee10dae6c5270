//! What is sure by itself although what came after it is not: the beginning of a reading.

use super::super::by_hand::{FOLLOWED, MOST_FOR_DOUBT, MOST_READINGS};
use super::super::reading::Reading;
use super::super::search::Findings;
use super::Tracker;

impl Tracker {
    /// The longest beginning of the best reading that is sure: every reading that begins otherwise is far enough behind.
    /// What is in doubt about the actions after it does not concern it. `searched` is the doubt up to which other readings
    /// were searched for, beyond the `margin`.
    pub(super) fn sure_beginning(&self, found: &Findings, margin: i32, searched: i32) -> Option<Reading> {
        let [best, others @ ..] = found.readings.as_slice() else { return None };
        let difference = self.difference(best);
        if found.open || difference.replaces {
            return None;
        }
        let is_sure = |beginning: &Reading| {
            let doubt = |rival: Option<&Reading>| {
                self.difference(beginning).doubt(rival, self.costs_cards).min(MOST_FOR_DOUBT)
            };
            let limit = best.cost + margin + doubt(None);
            // Of the readings that were not returned, nothing is known but that they cost no less.
            let known =
                found.readings.len() < MOST_READINGS || others.last().is_some_and(|last| last.cost >= limit);
            let is_far = |other: &Reading| {
                other.begins_with(beginning) || other.cost >= best.cost + margin + doubt(Some(other))
            };
            known && doubt(None) <= searched && others.iter().all(is_far)
        };
        let acts = difference.actions().count().saturating_sub(FOLLOWED);
        let beginnings = (1..=acts).rev().filter_map(|acts| best.beginning(difference.shared, acts));
        beginnings.into_iter().find(is_sure)
    }
}
