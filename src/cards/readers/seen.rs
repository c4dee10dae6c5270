//! What a look at a reader's state says: a card laid, lifted, or another one.

use pcsc::State;
use tabiya_types::{Instant, Millis};

/// How long the service and a reader take to find what lies there already: until then nothing was laid down now.
pub(super) const SETTLE: Millis = Millis(500);

/// One reader's state, as the service told it last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownState {
    /// The first look.
    since: Option<Instant>,
    /// The service's count of cards laid and lifted.
    count: u32,
    /// Whether a card lies there.
    card: bool,
    /// The state was seen before the service had counted it: the next count is no news.
    owed: bool,
}

/// What a look at a reader's state says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateChange {
    /// A card lies there; `fresh` if it was laid down now.
    Laid { count: u32, fresh: bool, mute: bool },
    /// A card lies there as before, but perhaps another. Whoever reads it knows. `late` if nothing but a count that was
    /// owed has come; else the service began anew meanwhile, and nobody has laid a card down now.
    Doubtful { count: u32, late: bool },
    /// It does not lie there any more.
    Lifted,
}

/// How often cards were laid and lifted between two counts of the service, which has 16 bits for them.
pub(super) fn steps(before: u32, now: u32) -> u32 {
    now.wrapping_sub(before) & 0xFFFF
}

impl KnownState {
    /// Two cards may have come and gone between two looks: the count tells, pairs of states do not. The service
    /// changes the state first and counts then, and may be looked at in between: it owes one count then. As each card
    /// that is laid or lifted is one count, whether one is owed follows from what was seen and counted.
    pub(super) fn look(&mut self, state: State, count: u32, now: Instant) -> Vec<StateChange> {
        let card = state.contains(State::PRESENT);
        let new = self.since.is_none();
        let since = *self.since.get_or_insert(now);
        // The first look has nothing to be compared with.
        let steps = if new { 0 } else { steps(self.count, count) };
        let owed = !new && (self.owed ^ (self.card != card) ^ (steps % 2 == 1));
        let fresh = now.since(since) >= SETTLE;
        let laid = StateChange::Laid { count, fresh, mute: state.contains(State::MUTE) };
        let changes = match (self.card, card) {
            (false, false) => vec![],
            (false, true) => vec![laid],
            (true, false) => vec![StateChange::Lifted],
            (true, true) if new => vec![StateChange::Doubtful { count, late: false }],
            (true, true) if steps == 0 => vec![],
            (true, true) if steps == 1 && self.owed => vec![StateChange::Doubtful { count, late: true }],
            (true, true) => vec![StateChange::Lifted, laid],
        };
        *self = Self { since: Some(since), count, card, owed };
        changes
    }

    /// The service begins anew: all that is still known is whether a card lay there.
    pub(super) fn begins_anew(&mut self) {
        *self = Self { card: self.card, ..Self::default() };
    }

    /// The service has been quiet for so long that it has counted everything.
    pub(super) fn settled(&mut self) {
        self.owed = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIES: State = State::PRESENT;
    const EMPTY: State = State::EMPTY;

    fn laid(count: u32, fresh: bool) -> StateChange {
        StateChange::Laid { count, fresh, mute: false }
    }

    fn late(count: u32) -> StateChange {
        StateChange::Doubtful { count, late: true }
    }

    const START: Instant = Instant::ZERO;

    /// Looks at a moment long after the first look.
    fn look(seen: &mut KnownState, state: State, count: u32) -> Vec<StateChange> {
        seen.look(state, count, START + Millis(60_000))
    }

    /// An empty reader, known for long.
    fn empty(count: u32) -> KnownState {
        KnownState { since: Some(START), count, ..KnownState::default() }
    }

    #[test]
    fn what_lies_there_at_first_was_not_laid_down_now() {
        let mut seen = KnownState::default();
        assert_eq!(seen.look(LIES, 7, START), [laid(7, false)]);
        assert_eq!(look(&mut seen, LIES | State::INUSE, 7), []);
        assert_eq!(look(&mut seen, EMPTY, 8), [StateChange::Lifted]);
        assert_eq!(look(&mut seen, LIES, 9), [laid(9, true)]);
        // A service that has just begun finds its cards a moment later.
        let mut seen = KnownState::default();
        assert_eq!(seen.look(EMPTY, 0, START), []);
        assert_eq!(seen.look(LIES, 1, START + Millis(40)), [laid(1, false)]);
    }

    #[test]
    fn two_taps_between_two_looks_are_told_by_the_count() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 1), [laid(1, true)]);
        assert_eq!(look(&mut seen, LIES, 3), [StateChange::Lifted, laid(3, true)]);
        assert_eq!(look(&mut seen, EMPTY, 3), [StateChange::Lifted], "told early, with the old count");
        assert_eq!(look(&mut seen, EMPTY, 4), [], "and again with the new one");
        assert_eq!(look(&mut seen, EMPTY, 6), [], "a card that was gone before anyone looked");
        assert_eq!(look(&mut seen, LIES, 7), [laid(7, true)]);
    }

    #[test]
    fn a_count_that_comes_late_is_left_to_whoever_reads_and_one_more_is_another_card() {
        let mut seen = empty(4);
        assert_eq!(look(&mut seen, LIES, 4), [laid(4, true)], "not counted yet");
        assert_eq!(look(&mut seen, LIES, 5), [late(5)]);
        assert_eq!(look(&mut seen, LIES, 6), [StateChange::Lifted, laid(6, true)], "counted half");
        assert_eq!(look(&mut seen, LIES, 7), [late(7)], "and whole");
        assert_eq!(look(&mut seen, EMPTY, 7), [StateChange::Lifted]);
        assert_eq!(look(&mut seen, EMPTY, 8), []);
        // The going of one was not counted when the next was laid.
        assert_eq!(look(&mut seen, LIES, 9), [laid(9, true)]);
        assert_eq!(look(&mut seen, EMPTY, 9), [StateChange::Lifted]);
        assert_eq!(look(&mut seen, LIES, 10), [laid(10, true)]);
        assert_eq!(look(&mut seen, LIES, 11), [late(11)]);
    }

    #[test]
    fn a_card_laid_again_is_told_though_both_counts_are_seen_one_at_a_time() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 1), [laid(1, true)]);
        let changes = [look(&mut seen, LIES, 2), look(&mut seen, LIES, 3)].concat();
        assert_eq!(changes, [StateChange::Lifted, laid(2, true), late(3)], "once");
    }

    #[test]
    fn a_service_that_counts_its_first_card_never_is_believed_once_it_is_quiet() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 0), [laid(0, true)]);
        seen.settled();
        assert_eq!(look(&mut seen, LIES, 1), [StateChange::Lifted, laid(1, true)]);
    }

    #[test]
    fn a_count_that_wraps_is_another_count() {
        let mut seen = KnownState { card: true, ..empty(65_535) };
        assert_eq!(look(&mut seen, LIES, 1), [StateChange::Lifted, laid(1, true)]);
    }

    #[test]
    fn after_a_new_start_of_the_service_a_card_that_has_gone_is_told_and_one_that_stayed_is_read_again() {
        let before = KnownState { card: true, ..KnownState::default() };
        assert_eq!(before.clone().look(EMPTY, 0, START), [StateChange::Lifted]);
        assert_eq!(before.clone().look(LIES, 1, START), [StateChange::Doubtful { count: 1, late: false }]);
    }
}
