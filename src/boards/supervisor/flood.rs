//! Limits the rate of a board's events, so that a faulty board that reports without end cannot block the table.

use tabiya_types::{Instant, Millis, say};

use crate::event::BoardEvent;

/// The length of the period in which events are counted.
const SPAN: Millis = Millis(1_000);
/// The most events that a board may report per period. This is three times as many as people cause when they set up a
/// whole board whose sensors have bad contacts.
const MOST: u32 = 200;

/// Counts the recent events of one board.
#[derive(Debug, Default)]
pub(super) struct Flood {
    since: Instant,
    count: u32,
    /// Whether the board has exceeded the limit. If so, its events are dropped until it has been quiet for a whole
    /// period.
    over: bool,
}

/// What to do with an event of a board.
#[derive(Debug)]
pub(super) enum Admitted {
    /// Pass the event on.
    Yes,
    /// Drop the event. Instead, report the event that this variant contains: a warning to people. Returned once per
    /// flood.
    NoAnd(BoardEvent),
    /// Drop the event.
    No,
}

impl Flood {
    /// Decides about an event that was reported at `now`.
    pub(super) fn admits(&mut self, now: Instant) -> Admitted {
        if now.since(self.since) >= SPAN && !self.over {
            (self.since, self.count) = (now, 0);
        }
        self.count = self.count.saturating_add(1);
        if self.count <= MOST && !self.over {
            return Admitted::Yes;
        }
        if std::mem::replace(&mut self.over, true) {
            // The board was not quiet for a whole period. So the quiet period is measured again, from this event on.
            self.since = now;
            return Admitted::No;
        }
        self.since = now;
        Admitted::NoAnd(BoardEvent::Wants(say!(
            "board-floods",
            "the board reports more changes than players can make by hand, so its reports are ignored until it is quiet: check its cable and power, and type the moves meanwhile"
        )))
    }

    /// When the board's events are passed on again, if it reports nothing until then; `None` if they are not being
    /// dropped.
    pub(super) fn quiet_at(&self) -> Option<Instant> {
        self.over.then(|| self.since + SPAN)
    }

    /// Whether the flood has ended at `now`. The caller must then ask for the whole position.
    pub(super) fn has_ended(&mut self, now: Instant) -> bool {
        if self.quiet_at().is_none_or(|at| now < at) {
            return false;
        }
        *self = Self { since: now, ..Self::default() };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    /// Reports an event every `gap` ms for `long` ms. Returns the number of events that are passed on, and the number
    /// of warnings.
    fn counted(flood: &mut Flood, from: u64, long: u64, gap: u64) -> (u32, u32) {
        let (mut counted, mut told) = (0, 0);
        for now in (from..from + long).step_by(usize::try_from(gap).expect("small")) {
            match flood.admits(at(now)) {
                Admitted::Yes => counted += 1,
                Admitted::NoAnd(_) => told += 1,
                Admitted::No => {}
            }
        }
        (counted, told)
    }

    #[test]
    fn hands_are_never_too_fast() {
        assert_eq!(counted(&mut Flood::default(), 0, 60_000, 6), (10_000, 0));
    }

    #[test]
    fn a_flood_is_told_once_and_ends_with_a_whole_span_of_calm() {
        let mut flood = Flood::default();
        assert_eq!(counted(&mut flood, 0, 30_000, 1), (MOST, 1));
        assert!(!flood.has_ended(at(30_500)));
        let calm = flood.quiet_at().expect("it is over some day");
        assert!(calm >= at(30_900) && calm <= at(31_000), "{calm:?}");
        assert!(flood.has_ended(calm) && flood.quiet_at().is_none());
        assert_eq!(counted(&mut flood, 31_000, 10_000, 10), (1_000, 0));
    }
}
