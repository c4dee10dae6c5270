//! The moments at which a turn may have ended without a press.

use std::cmp::Reverse;

use tabiya_types::{Instant, Millis};

use super::history::{BoardHistory, Grid, HistoryMark, SquareChange, differences, squares};

/// A reply that begins before the press begins at most so long before it.
pub(super) const EARLY: Millis = Millis(420);
/// What may have been forgotten shows at most so many wrong squares where it is believed to have stood.
const NEARLY: u32 = 2;

/// How many squares are wrong, and for how long the board stood so: less is better.
type Rank = (u32, Reverse<Millis>);

/// What the board reported between two marks.
pub(super) struct Stops<'a> {
    /// What the board should have shown at first, and what it showed.
    before: &'a Grid,
    first: Grid,
    begin: HistoryMark,
    limit: HistoryMark,
    changes: &'a [SquareChange],
}

impl<'a> Stops<'a> {
    /// At first, the board should have shown `before`.
    pub(super) fn new(
        history: &'a BoardHistory,
        before: &'a Grid,
        begin: HistoryMark,
        limit: HistoryMark,
    ) -> Self {
        Self { before, first: history.grid_at(begin), begin, limit, changes: history.between(begin, limit) }
    }

    /// Where the board looked most like `wanted`, for the longest time: the mark, and what the board showed there.
    /// Squares may change in any order within one report, so squares that only that report made wrong count as right if it
    /// made others right.
    /// `None` if the board never looked nearly like it.
    pub(super) fn best(&self, wanted: &Grid) -> Option<(HistoryMark, Grid)> {
        self.most_like(wanted, None).map(|[_, longest]| longest)
    }

    /// The first such moment and the best.
    pub(super) fn first_and_best(&self, wanted: &Grid) -> impl Iterator<Item = (HistoryMark, Grid)> {
        let both = self.most_like(wanted, None);
        let first = both.filter(|[first, best]| first.0 != best.0).map(|[first, _]| first);
        first.into_iter().chain(both.map(|[_, best]| best))
    }

    /// The same for a turn whose reply began before its press, at which these reports end and the board showed `pressed`:
    /// where the reply began. `None` unless the board looked more like `wanted` there, soon before the press.
    pub(super) fn before_reply(&self, wanted: &Grid, pressed: &Grid) -> Option<(HistoryMark, Grid)> {
        let fewer = (differences(pressed, wanted) & self.counts(wanted)).count_ones().checked_sub(1)?;
        let [_, (mark, seen)] = self.most_like(wanted, Some(fewer.min(NEARLY)))?;
        Some((HistoryMark { at: self.limit.at, ..mark }, seen))
    }

    /// The squares that count on the way to this board. What was wrong at first, and does not change now, belongs to an
    /// earlier action.
    fn counts(&self, wanted: &Grid) -> u64 {
        differences(self.before, wanted) | !differences(self.before, &self.first)
    }

    /// The end of the report after which the fewest squares are wrong: the mark, and what the board showed. Soon before a
    /// press, at most `pressed` squares may be wrong; otherwise see `best`.
    fn most_like(&self, wanted: &Grid, pressed: Option<u32>) -> Option<[(HistoryMark, Grid); 2]> {
        let early = Instant::from_millis(self.limit.at.millis().saturating_sub(EARLY.0));
        let (since, most) = pressed.map_or((Instant::ZERO, NEARLY), |most| (early, most));
        let counts = self.counts(wanted);
        let (mut wrong, mut told) = (differences(&self.first, wanted), 0);
        let mut best: Option<[(Rank, usize, Instant, u64); 2]> = None;
        for report in self.changes.chunk_by(|one, next| one.at == next.at) {
            let before = wrong;
            for change in report {
                let bit = 1 << change.square;
                wrong = if wanted[change.square] == change.is { wrong & !bit } else { wrong | bit };
            }
            told += report.len();
            let until = self.changes.get(told).map_or(self.limit.at, |next| next.at);
            let mends = before & !wrong & counts != 0;
            let new = if pressed.is_none() && mends { wrong & !before } else { 0 };
            let rank = ((wrong & !new & counts).count_ones(), Reverse(until.since(report[0].at)));
            if rank.0 <= most && until >= since && best.is_none_or(|[_, (least, ..)]| rank <= least) {
                let this = (rank, told, until, new);
                let first = best.map_or(this, |[first, _]| first);
                best = Some([if rank.0 < first.0.0 { this } else { first }, this]);
            }
        }
        let shown = |(_, told, at, new): (Rank, usize, Instant, u64)| {
            let mut seen = self.first;
            self.changes[..told].iter().for_each(|change| seen[change.square] = change.is);
            squares(new).for_each(|square| seen[square] = wanted[square]);
            (HistoryMark { at, changes: self.begin.changes + told }, seen)
        };
        best.map(|moments| moments.map(shown))
    }
}
