//! The moments at which a turn may have ended without a press.

use std::cmp::Reverse;

use tabiya_types::{Instant, Millis};

use super::history::{BoardHistory, Grid, HistoryMark, differences, squares};

/// A reply that begins before the press begins at most so long before it.
const EARLY: Millis = Millis(420);
/// What may have been forgotten shows at most so many wrong squares where it is believed to have stood.
const NEARLY: u32 = 2;

/// What the board reported at one moment.
struct Report {
    changes: Vec<(usize, u8)>,
    /// The squares that changed.
    told: u64,
    /// The moment, the time until which the board stood so, and the number of changes by then.
    at: Instant,
    until: Instant,
    end: usize,
}

/// The reports between two marks.
pub(super) struct Stops {
    first: Grid,
    reports: Vec<Report>,
}

impl Stops {
    pub(super) fn new(history: &BoardHistory, begin: HistoryMark, limit: HistoryMark) -> Self {
        let mut reports: Vec<Report> = Vec::new();
        for (end, change) in (begin.changes + 1..).zip(history.between(begin, limit)) {
            if reports.last().is_none_or(|report| report.at != change.at) {
                reports.last_mut().into_iter().for_each(|report| report.until = change.at);
                let (at, until) = (change.at, limit.at);
                reports.push(Report { changes: Vec::new(), told: 0, at, until, end });
            }
            if let Some(report) = reports.last_mut() {
                report.changes.push((change.square, change.is));
                report.told |= 1 << change.square;
                report.end = end;
            }
        }
        Self { first: history.grid_at(begin), reports }
    }

    /// Where the board looked most like `wanted`, for the longest time: the mark, and what the board showed there.
    /// Squares may change in any order within one report, so squares that only that report made wrong count as right.
    /// `None` if the board never looked nearly like it.
    pub(super) fn best(&self, wanted: &Grid) -> Option<(HistoryMark, Grid)> {
        let (_, nth, seen) = self.most_like(wanted, Instant::ZERO, true)?;
        let report = self.reports.get(nth)?;
        Some((HistoryMark { at: report.until, changes: report.end }, seen))
    }

    /// The same for a turn whose reply began before its press, which ends these reports: where the reply began. `None`
    /// unless the board looked more like `wanted` there, soon before the press at which it showed `pressed`.
    pub(super) fn before_reply(
        &self,
        wanted: &Grid,
        press: HistoryMark,
        pressed: &Grid,
    ) -> Option<(HistoryMark, Grid)> {
        let at_press = differences(pressed, wanted).count_ones();
        let since = Instant::from_millis(press.at.millis().saturating_sub(EARLY.0));
        let (wrong, nth, seen) = self.most_like(wanted, since, false)?;
        let report = self.reports.get(nth)?;
        (wrong < at_press).then_some((HistoryMark { changes: report.end, ..press }, seen))
    }

    /// The report after which the fewest squares are wrong among those that stood until `since` or later: how many
    /// are wrong, its number, and what the board showed. With `any_order`, squares that only this report made wrong
    /// count as right.
    fn most_like(&self, wanted: &Grid, since: Instant, any_order: bool) -> Option<(u32, usize, Grid)> {
        let mut wrong = differences(&self.first, wanted);
        let mut best: Option<((u32, Reverse<Millis>), usize, u64)> = None;
        for (nth, report) in self.reports.iter().enumerate() {
            let before = wrong;
            for (square, is) in &report.changes {
                wrong = wrong & !(1 << square) | u64::from(wanted[*square] != *is) << square;
            }
            let new = if any_order { wrong & report.told & !before } else { 0 };
            let rank = ((wrong & !new).count_ones(), Reverse(report.until.since(report.at)));
            if rank.0 <= NEARLY
                && report.until >= since
                && best.as_ref().is_none_or(|(least, ..)| rank <= *least)
            {
                best = Some((rank, nth, new));
            }
        }
        let ((wrong, _), nth, new) = best?;
        let mut seen = self.first;
        let told = self.reports.iter().take(nth + 1).flat_map(|report| &report.changes);
        told.for_each(|(square, is)| seen[*square] = *is);
        squares(new).for_each(|square| seen[square] = wanted[square]);
        Some((wrong, nth, seen))
    }
}
