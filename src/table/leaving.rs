//! What is asked and said before people put a match aside: what becomes of it, and who owes whom.

use tabiya_types::{BySeat, Seat, Sentence, say};

use super::value::Table;
use crate::rules::Chips;

impl Table {
    /// The question before people leave the match: `None` if no game is running.
    pub fn question_before_leaving(&self) -> Option<Sentence> {
        if !self.game_runs() {
            return None;
        }
        Some(match self.owed() {
            _ if self.game().presses_alone() => {
                say!("ask-leave-clock", "the clocks are in use; leave them? They can be carried on later")
            }
            None => say!("ask-leave", "a game is running; leave the match? It can be carried on later"),
            Some(owed) => say!(
                "ask-leave-chips",
                "a game is running; leave the match? It can be carried on later; chips in the pot stay with those who put them in, and {owed}",
                owed
            ),
        })
    }

    /// The question before the program ends: `None` if no game is running.
    pub fn question_before_closing(&self) -> Option<Sentence> {
        let alone = self.game().presses_alone();
        self.is_in_use().then(|| {
            if alone {
                say!("ask-close-clock", "the clocks are in use; close Tabiya? They can be carried on later")
            } else {
                say!("ask-close", "a game is running; close Tabiya? The match can be carried on later")
            }
        })
    }

    /// Whether something was done at the table, a ruling before the first move included, and the game is not over.
    pub fn is_in_use(&self) -> bool {
        (self.begun() || self.count() > 0) && self.game().outcome().is_none() && !self.match_over()
    }

    /// Who owes whom as the match stands, chips in the pot counted for those who put them in; `None` without chips.
    pub fn owed(&self) -> Option<Sentence> {
        let [a, b] = self.agreement().agreed.stacks();
        if a == Chips::ZERO && b == Chips::ZERO {
            return None;
        }
        let results = self.results();
        let brought = results.brought(BySeat { a, b });
        let debts = Seat::ALL.map(|seat| (seat, brought[seat] - i64::from(results.stacks[seat].0)));
        let (seat, chips) = debts.into_iter().max_by_key(|(_, chips)| *chips)?;
        let chips = u64::try_from(chips).unwrap_or_default();
        if chips == 0 {
            return Some(say!("owed-nothing", "so far nobody owes anything"));
        }
        let players = &self.agreement().players;
        let (from, to) = (players[seat].clone(), players[seat.other()].clone());
        Some(say!("owed-so-far", "so far {from} owes {to} {chips} in chips", from, to, chips))
    }
}
