//! Keeps a board that talks without end from taking the table away from the people at it.

use tabiya_types::{Instant, Millis, say};

use crate::event::BoardEvent;

/// The span over which is counted,
const SPAN: Millis = Millis(1_000);
/// and how much a board may tell in it. Hands that set up a whole board on sensors with bad contacts make a third of it.
const MOST: u32 = 200;

/// How much one board has told of late.
#[derive(Debug, Default)]
pub(super) struct Flood {
    since: Instant,
    told: u32,
    /// Whether it told too much: then nothing counts before it has been calm for a whole span.
    over: bool,
}

/// What to do with something that a board told.
#[derive(Debug)]
pub(super) enum Admitted {
    /// It counts.
    Yes,
    /// It does not; this is to be told in its place, once.
    NoAnd(BoardEvent),
    /// It does not.
    No,
}

impl Flood {
    /// Whether what was told at `now` counts.
    pub(super) fn admits(&mut self, now: Instant) -> Admitted {
        if now.since(self.since) >= SPAN && !self.over {
            (self.since, self.told) = (now, 0);
        }
        self.told = self.told.saturating_add(1);
        if self.told <= MOST && !self.over {
            return Admitted::Yes;
        }
        if std::mem::replace(&mut self.over, true) {
            // The calm has to begin anew.
            self.since = now;
            return Admitted::No;
        }
        self.since = now;
        Admitted::NoAnd(BoardEvent::Wants(say!(
            "board-floods",
            "the board tells more changes than hands can make, so it is not listened to until it is calm: check its cable and power, and type the moves meanwhile"
        )))
    }

    /// When it may be listened to again.
    pub(super) fn calm_at(&self) -> Option<Instant> {
        self.over.then(|| self.since + SPAN)
    }

    /// Whether it is calm again now, so that its whole position is to be asked for.
    pub(super) fn is_calm(&mut self, now: Instant) -> bool {
        if self.calm_at().is_none_or(|at| now < at) {
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

    /// How many of those that come every `gap` ms for so long count, and how often people are told.
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
        assert!(!flood.is_calm(at(30_500)));
        let calm = flood.calm_at().expect("it is over some day");
        assert!(calm >= at(30_900) && calm <= at(31_000), "{calm:?}");
        assert!(flood.is_calm(calm) && flood.calm_at().is_none());
        assert_eq!(counted(&mut flood, 31_000, 10_000, 10), (1_000, 0));
    }
}
