//! Earlier positions are recognised when people set them up again (`docs/record.md`, "What was seen, and what was
//! understood", rule 8).

use super::super::by_hand::EARLIER;
use super::super::history::Grid;
use super::Watch;
use crate::table::Question;

/// An earlier position, and how many inputs counted then.
#[derive(Clone, Debug)]
pub(super) struct Earlier {
    pieces: Grid,
    count: usize,
    /// Whether the board has shown the position after the action that was made here.
    pub(super) shown: bool,
}

impl Watch {
    /// Remembers the position before an action.
    pub(super) fn remember(&mut self, pieces: Grid, count: usize) {
        self.earlier.retain(|earlier| earlier.count < count);
        self.earlier.push(Earlier { pieces, count, shown: !self.tracker.differs() });
        let more = self.earlier.len().saturating_sub(EARLIER);
        self.earlier.drain(..more);
    }

    /// If an earlier position was set up again: asks whether to take back the actions since then, or after the end of
    /// a game, whether to begin a new one.
    pub(super) fn offer_earlier(&mut self) {
        let count = self.table().count();
        self.earlier.retain(|earlier| earlier.count < count);
        let shows =
            |earlier: &Earlier| self.tracker.history().shown(earlier.pieces) == self.tracker.history().grid;
        let Some(nth) = self.earlier.iter().rposition(shows) else { return };
        let since = &self.earlier[nth..];
        // If the board has shown none of the actions, nobody has set the position up again: its reports are late.
        if !since.iter().any(|earlier| earlier.shown) {
            return;
        }
        let (actions, undos) = (since.len(), self.undos_to(since[0].count));
        let new_game = self.is_over() && nth == 0 && self.earlier.len() < EARLIER && actions > 2;
        let question = if new_game { Question::NewGame } else { Question::TakeBack { actions, undos } };
        self.tracker.ask(question);
    }
}
