//! Earlier positions are recognised when people set them up again (`docs/record.md`, "What was seen, and what was
//! understood", rule 8).

use super::super::by_hand::EARLIER;
use super::super::history::Grid;

/// An earlier position, and how many inputs counted then.
#[derive(Clone, Debug)]
struct Earlier {
    pieces: Grid,
    count: usize,
    /// Whether the board has shown the position after the action that was made here.
    shown: bool,
}

/// The last positions before actions, the oldest first: at most [`EARLIER`] of them, each with fewer inputs than the next.
#[derive(Clone, Default, Debug)]
pub(super) struct EarlierPositions(Vec<Earlier>);

/// An earlier position that was set up again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SetUpAgain {
    /// How many actions were made since.
    pub(super) actions: usize,
    /// How many inputs counted then.
    pub(super) count: usize,
    /// Whether it is the position with which the game began.
    pub(super) is_first: bool,
}

impl EarlierPositions {
    /// Remembers the position before an action, at which this number of inputs counted. `shown`: the board shows it.
    pub(super) fn remember(&mut self, pieces: Grid, count: usize, shown: bool) {
        self.keep_before(count);
        self.0.push(Earlier { pieces, count, shown });
        let more = self.0.len().saturating_sub(EARLIER);
        self.0.drain(..more);
    }

    /// Forgets positions at which this number of inputs counted, or more.
    fn keep_before(&mut self, count: usize) {
        self.0.retain(|earlier| earlier.count < count);
    }

    /// The board shows what it should after the last action.
    pub(super) fn show_last(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.shown = true;
        }
    }

    /// Forgets all positions.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The newest position that the board `shows`, where this number of inputs counts now. `None` if the board has shown none
    /// of the actions since: then nobody has set the position up again, and its reports are late.
    pub(super) fn set_up_again(&mut self, count: usize, shows: impl Fn(Grid) -> bool) -> Option<SetUpAgain> {
        self.keep_before(count);
        let nth = self.0.iter().rposition(|earlier| shows(earlier.pieces))?;
        let since = &self.0[nth..];
        let is_first = nth == 0 && self.0.len() < EARLIER;
        since.iter().any(|earlier| earlier.shown).then(|| SetUpAgain {
            actions: since.len(),
            count: since[0].count,
            is_first,
        })
    }
}
