//! When a side's time ran in one turn, and how long it ran up to any moment.
//!
//! Pauses, undos and redos cut a turn into spans, and there is no end to how many. What ran is asked for at
//! every line, mostly for the newest moment: each span keeps the sum of those below it, so that only spans
//! that end after the moment in question are looked at.

use tabiya_types::{Instant, Millis, Stack};

/// From when until when time ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    from: Instant,
    until: Instant,
    /// The length of this span and of all below it.
    total: Millis,
    /// The latest end of this span and of all below it.
    latest: Instant,
}

impl Span {
    /// How much of it lies before a moment.
    fn before(&self, moment: Instant) -> Millis {
        self.until.min(moment).since(self.from)
    }
}

/// The spans of one turn that are over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Spans {
    over: Stack<Span>,
    /// The moment from which time is counted.
    from: Instant,
    /// What ran before it.
    before: Millis,
}

impl Spans {
    /// None yet, counted from that moment.
    pub(super) fn counted_from(from: Instant) -> Self {
        Self { from, ..Self::default() }
    }

    /// The moment from which time is counted.
    pub(super) fn from(&self) -> Instant {
        self.from
    }

    /// Counts from another moment.
    pub(super) fn count_from(&mut self, from: Instant) {
        if self.from != from {
            (self.from, self.before) = (from, self.until(from));
        }
    }

    /// Adds a span that is over. They come in their order.
    pub(super) fn push(&mut self, from: Instant, until: Instant) {
        let below = self.over.top();
        let total = below.map_or(Millis::ZERO, |below| below.total) + until.since(from);
        let latest = below.map_or(until, |below| below.latest.max(until));
        let span = Span { from, until, total, latest };
        self.before = self.before + span.before(self.from);
        self.over.push(span);
    }

    /// What ran until a moment, all of the turn.
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

    /// What ran before the moment from which time is counted.
    pub(super) fn before(&self) -> Millis {
        self.before
    }

    /// What ran from the moment from which time is counted to the end of the last span.
    pub(super) fn counted(&self) -> Millis {
        self.over.top().map_or(Millis::ZERO, |span| span.total).saturating_sub(self.before)
    }

    /// The moment at which so much of what is counted had run; `None` if that lies behind the last span.
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

    /// What ran after a moment, the oldest first.
    pub(super) fn after(&self, moment: Instant) -> Vec<(Instant, Instant)> {
        let later = self.over.iter().take_while(|span| span.latest > moment);
        let later = later.filter(|span| span.until > moment);
        let mut later: Vec<_> = later.map(|span| (span.from.max(moment), span.until)).collect();
        later.reverse();
        later
    }

    /// As if nothing had been since that moment.
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

    /// The same by adding up span by span.
    fn plainly(spans: &[(u64, u64)], from: u64, until: u64) -> u64 {
        spans.iter().map(|(a, b)| (*b).min(until).saturating_sub((*a).max(from))).sum()
    }

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    #[test]
    fn what_ran_is_the_sum_of_the_spans_in_any_order_and_from_any_moment() {
        // The third begins before the second has ended: a late line said so.
        let told = [(10, 20), (30, 30), (25, 40), (50, 65)];
        for from in 0..70 {
            let mut spans = Spans::counted_from(at(from));
            for (a, b) in told {
                spans.push(at(a), at(b));
            }
            assert_eq!(spans.counted(), Millis(plainly(&told, from, 100)), "from {from}");
            for until in 0..70 {
                assert_eq!(spans.until(at(until)), Millis(plainly(&told, 0, until)), "until {until}");
                let later = spans.after(at(until)).iter().map(|(a, b)| b.since(*a).0).sum::<u64>();
                assert_eq!(later, plainly(&told, until, 100), "after {until}");
                let mut cut = spans.clone();
                cut.cut(at(until));
                assert_eq!(cut.until(at(100)), Millis(plainly(&told, 0, until)), "cut at {until}");
                assert_eq!(cut.counted(), Millis(plainly(&told, from, until)), "cut at {until}, from {from}");
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
