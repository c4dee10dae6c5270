//! The spans of one turn during which a side's time ran, and the sum of their lengths up to any moment.
//!
//! Pauses, undos and redos divide a turn into any number of spans. The sum is needed for every line of the record,
//! mostly up to the newest moment. So each span stores the sum of its own length and the lengths of all earlier spans.
//! To find the sum up to a moment, only the spans that end after that moment have to be visited.

use tabiya_types::{Instant, Millis, Stack};

/// A span during which time ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    from: Instant,
    until: Instant,
    /// The sum of the lengths of this span and all earlier spans.
    total: Millis,
    /// The latest moment at which this span or any earlier span ended.
    latest: Instant,
}

impl Span {
    /// The length of the part of this span that lies before a moment.
    fn before(&self, moment: Instant) -> Millis {
        self.until.min(moment).since(self.from)
    }
}

/// The finished spans of one turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Spans {
    over: Stack<Span>,
    /// The start of the count: time that ran before this moment is not counted.
    from: Instant,
    /// The time that ran in this turn before `from`.
    before: Millis,
}

impl Spans {
    /// Creates the spans of a turn in which no time has run yet. Time will be counted from the moment `from` on.
    pub(super) fn counted_from(from: Instant) -> Self {
        Self { from, ..Self::default() }
    }

    /// The start of the count: time that ran before this moment is not counted.
    pub(super) fn from(&self) -> Instant {
        self.from
    }

    /// Sets the start of the count: time that ran before this moment is not counted.
    pub(super) fn count_from(&mut self, from: Instant) {
        if self.from != from {
            (self.from, self.before) = (from, self.until(from));
        }
    }

    /// Adds a finished span after the earlier ones.
    pub(super) fn push(&mut self, from: Instant, until: Instant) {
        let below = self.over.top();
        let total = below.map_or(Millis::ZERO, |below| below.total) + until.since(from);
        let latest = below.map_or(until, |below| below.latest.max(until));
        let span = Span { from, until, total, latest };
        self.before = self.before + span.before(self.from);
        self.over.push(span);
    }

    /// The time that ran in this turn before a moment.
    pub(super) fn until(&self, moment: Instant) -> Millis {
        let mut sum = Millis::ZERO;
        for span in self.over.iter() {
            if span.latest <= moment {
                return sum + span.total;
            }
            sum = sum + span.before(moment);
        }
        sum
    }

    /// The time that ran in this turn before the start of the count.
    pub(super) fn before(&self) -> Millis {
        self.before
    }

    /// The counted time: the time that ran from the start of the count to the end of the last span.
    pub(super) fn counted(&self) -> Millis {
        self.over.top().map_or(Millis::ZERO, |span| span.total).saturating_sub(self.before)
    }

    /// The moment at which the counted time reached `ran`; `None` if the last span ended before that.
    pub(super) fn moment_of(&self, ran: Millis) -> Option<Instant> {
        if ran > self.counted() {
            return None;
        }
        let mut rest = ran;
        for span in self.over.oldest_first() {
            let from = span.from.max(self.from);
            let length = span.until.since(from);
            if span.until > self.from && rest <= length {
                return Some(from + rest);
            }
            rest = rest.saturating_sub(length);
        }
        None
    }

    /// The spans after a moment, oldest first; a span that contains the moment is shortened to begin there.
    pub(super) fn after(&self, moment: Instant) -> Vec<(Instant, Instant)> {
        let later = self.over.iter().take_while(|span| span.latest > moment);
        let later = later.filter(|span| span.until > moment);
        let mut later: Vec<_> = later.map(|span| (span.from.max(moment), span.until)).collect();
        later.reverse();
        later
    }

    /// Removes all time that ran after a moment.
    pub(super) fn cut(&mut self, moment: Instant) {
        let mut kept = Vec::new();
        while let Some(span) = self.over.top().filter(|span| span.latest >= moment).copied() {
            kept.extend((span.from < moment).then_some((span.from, span.until.min(moment))));
            self.before = self.before.saturating_sub(span.before(self.from));
            self.over = self.over.below();
        }
        for (from, until) in kept.into_iter().rev() {
            self.push(from, until);
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_types::{Instant, Millis};

    use super::Spans;

    /// The time that ran between two moments, computed span by span.
    fn plainly(spans: &[(u64, u64)], from: u64, until: u64) -> u64 {
        spans.iter().map(|(a, b)| (*b).min(until).saturating_sub((*a).max(from))).sum()
    }

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    #[test]
    fn what_ran_is_the_sum_of_the_spans_in_any_order_and_from_any_moment() {
        // The third span begins before the second span ends. This can happen if a line of the record has an earlier
        // moment than the line before it.
        let runs = [(10, 20), (30, 30), (25, 40), (50, 65)];
        for from in 0..70 {
            let mut spans = Spans::counted_from(at(from));
            for (a, b) in runs {
                spans.push(at(a), at(b));
            }
            assert_eq!(spans.counted(), Millis(plainly(&runs, from, 100)), "from {from}");
            for until in 0..70 {
                assert_eq!(spans.until(at(until)), Millis(plainly(&runs, 0, until)), "until {until}");
                let later = spans.after(at(until)).iter().map(|(a, b)| b.since(*a).0).sum::<u64>();
                assert_eq!(later, plainly(&runs, until, 100), "after {until}");
                let mut cut = spans.clone();
                cut.cut(at(until));
                assert_eq!(cut.until(at(100)), Millis(plainly(&runs, 0, until)), "cut at {until}");
                assert_eq!(cut.counted(), Millis(plainly(&runs, from, until)), "cut at {until}, from {from}");
            }
        }
    }

    #[test]
    fn a_span_tells_the_moment_at_which_so_much_had_run() {
        let mut spans = Spans::counted_from(at(15));
        spans.push(at(10), at(20));
        spans.push(at(30), at(40));
        let moments = [0, 5, 6, 15, 16].map(|ran| spans.moment_of(Millis(ran)).map(Instant::millis));
        assert_eq!(moments, [Some(15), Some(20), Some(31), Some(40), None]);
        spans.count_from(at(35));
        assert_eq!((spans.counted(), spans.before()), (Millis(5), Millis(15)));
    }
}
