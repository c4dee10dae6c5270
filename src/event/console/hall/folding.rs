//! What the copies fold to: the followed copy of each match line by line, and anew after it was another one.
//!
//! Source: `docs/hall.md`, §5 (`version`).

use serde_json::Value;
use tabiya_engine::record::Stop;
use tabiya_engine::table::Table;
use tabiya_types::{Sentence, say};

use super::{ConsoleNews, Hall, MatchFold, TableSeen};
use crate::console::alerts::ConsoleAlertKind;
use crate::console::keeper::CopyName;

impl Hall {
    /// Folds the line that was just kept.
    pub(super) fn fold(&mut self, number: u16, uid: &str, (seq, line): (u64, &Value), now: u64) {
        let Some(of_match) = self.of_match(number, uid) else { return };
        let text = line.to_string();
        if seq == 0 {
            of_match.fold = MatchFold::begin(&text);
            of_match.newer = of_match.fold.is_none();
        } else if let Some(fold) = &mut of_match.fold {
            let table = fold.replay.table();
            let was = (table.past_games().len(), table.game().outcome().is_some());
            let place = u32::try_from(seq + 1).unwrap_or(u32::MAX);
            if matches!(fold.feed(place, &text), Err(Stop::Unusable(_))) {
                (of_match.newer, of_match.fold) = (true, None);
            } else if let Some(result) = new_result(was, fold.replay.table()) {
                self.tell_of(number, ConsoleNews::Result(number, result), now);
            }
        }
        if self.of_match(number, uid).is_some_and(|of_match| of_match.newer) {
            self.raise_version(number, now);
        }
    }

    pub(super) fn raise_version(&mut self, number: u16, now: u64) {
        let says = say!(
            "own-version",
            "table {table} runs a newer program: its record is kept, but not understood here",
            table = number
        );
        self.raise(ConsoleAlertKind::Version, Some(number), says, now);
    }

    /// What a match folds to is not known any more: another copy is followed.
    pub(super) fn fold_anew(&mut self, number: u16, uid: &str) {
        if let Some(of_match) = self.of_match(number, uid) {
            of_match.fold = None;
        }
    }

    /// A followed copy was folded anew, up to this place.
    pub(in crate::console) fn folded(
        &mut self,
        (of, last): (&CopyName, u64),
        fold: Option<Box<MatchFold>>,
        now: u64,
    ) {
        if fold.is_none() {
            self.raise_version(of.table, now);
        }
        if let Some(of_match) = self.of_match(of.table, &of.uid)
            && of_match.copies.followed() == of.number
            && of_match.copies.reached().is_some_and(|end| end.seq == last)
        {
            (of_match.newer, of_match.fold) = (fold.is_none(), fold);
        }
    }

    /// The matches whose fold has to be made anew from their copies.
    pub(in crate::console) fn to_fold(&self) -> Vec<(CopyName, u64)> {
        let of_table = |(number, table): (&u16, &TableSeen)| {
            let number = *number;
            let unfolded = table.matches.iter().filter(|(_, of)| of.fold.is_none() && !of.newer);
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
fn new_result((games, has_result): (usize, bool), table: &Table) -> Option<Sentence> {
    if !has_result && table.game().outcome().is_some() {
        return Some(table.prompt());
    }
    let ended = table.past_games().len() > games && !has_result;
    ended.then(|| table.results_in_words().pop()).flatten()
}
