//! The moments at which a turn may have ended without a press.

use std::cmp::Reverse;

use tabiya_types::{Instant, Millis};

use super::by_hand::{NEARLY, ON_THE_WAY};
use super::history::{BoardHistory, Grid, HistoryMark, SquareChange, Stretch, differences, squares};

/// A moment at which a turn may have ended: the mark, and what the board showed.
pub(super) type PossibleStop = (HistoryMark, Grid);

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
    /// At the first mark, the board should have shown `before`.
    pub(super) fn new(history: &'a BoardHistory, before: &'a Grid, (begin, limit): Stretch) -> Self {
        Self { before, first: history.grid_at(begin), begin, limit, changes: history.between(begin, limit) }
    }

    /// Where the reply began to a turn whose press came later: these reports end there, and the board showed `pressed`. `None`
    /// unless the board looked more like `wanted` soon before the press.
    pub(super) fn before_reply(&self, wanted: &Grid, pressed: &Grid) -> Option<PossibleStop> {
        let fewer = (differences(pressed, wanted) & self.counting(wanted)).count_ones().checked_sub(1)?;
        let (mark, seen) = self.most_like(wanted, Some(fewer.min(NEARLY))).pop()?;
        Some((HistoryMark { at: self.limit.at, ..mark }, seen))
    }

    /// The squares that count on the way to this board. What was wrong at first, and is not changed by the action that leads
    /// there, belongs to an earlier action.
    fn counting(&self, wanted: &Grid) -> u64 {
        differences(self.before, wanted) | !differences(self.before, &self.first)
    }

    /// The ends of the reports after which the fewest squares are wrong: the first, and the one that lasted longest. Squares
    /// may change in any order within one report, so squares that only this report made wrong count as right if it made others
    /// right. Soon before a press, at most `pressed` squares may be wrong, and none is forgiven so.
    pub(super) fn most_like(&self, wanted: &Grid, pressed: Option<u32>) -> Vec<PossibleStop> {
        let early = Instant::from_millis(self.limit.at.millis().saturating_sub(ON_THE_WAY.0));
        let (since, most) = pressed.map_or((Instant::ZERO, NEARLY), |most| (early, most));
        let (mut wrong, mut told, mut found) = (differences(&self.first, wanted), 0, Vec::new());
        let counting = self.counting(wanted);
        for report in self.changes.chunk_by(|one, next| one.at == next.at) {
            let before = wrong;
            for change in report {
                let bit = 1 << change.square;
                wrong = if wanted[change.square] == change.is { wrong & !bit } else { wrong | bit };
            }
            told += report.len();
            let until = self.changes.get(told).map_or(self.limit.at, |next| next.at);
            let forgives = pressed.is_none() && before & !wrong & counting != 0;
            let new = if forgives { wrong & !before } else { 0 };
            let many = (wrong & !new & counting).count_ones();
            if many <= most && until >= since {
                found.push((many, until.since(report[0].at), told, until, new));
            }
        }
        let first = found.iter().min_by_key(|(many, _, told, ..)| (*many, *told));
        let best = found.iter().min_by_key(|(many, span, told, ..)| (*many, Reverse((*span, *told))));
        let mut stops: Vec<_> = first.into_iter().chain(best).collect();
        stops.dedup();
        let shown = |&(_, _, told, at, new): &(u32, Millis, usize, Instant, u64)| {
            let mut seen = self.first;
            self.changes[..told].iter().for_each(|change| seen[change.square] = change.is);
            squares(new).for_each(|square| seen[square] = wanted[square]);
            (HistoryMark { at, changes: self.begin.changes + told }, seen)
        };
        stops.into_iter().map(shown).collect()
    }
}
