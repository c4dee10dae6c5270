//! Derives from two states of a reader what happened in between: a card was laid down, lifted, or replaced.

use pcsc::State;
use tabiya_types::{Instant, Millis};

/// After the start of the service or of a reader, it may take this long until a card that already lies on the reader is
/// detected. So a card that is detected within this time does not count as laid down now.
pub(super) const SETTLE: Millis = Millis(500);

/// One reader's state as the service last reported it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownState {
    /// The time at which the service first reported a state of this reader.
    since: Option<Instant>,
    /// The service's event count: one for each card laid down or lifted.
    count: u32,
    /// Whether a card lies on the reader.
    card: bool,
    /// Whether an increment of the service's event count is overdue: the service has reported a change of the state,
    /// but its count has not grown yet. The overdue increment does not count as a new event when it arrives.
    owed: bool,
}

/// A change of a reader's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateChange {
    /// A card lies on the reader. `fresh`: it was laid down now. `mute`: it does not answer the reset command.
    Laid { count: u32, fresh: bool, mute: bool },
    /// A card lies on the reader as before, but it may be another card; its UID must be read again. `late` is `true` if
    /// a missing increment of the count has arrived, and `false` if the service was restarted.
    Doubtful { count: u32, late: bool },
    /// The card was lifted.
    Lifted,
}

/// Returns how many times cards were laid down or lifted between two values of the service's 16-bit count.
pub(super) fn steps(before: u32, now: u32) -> u32 {
    now.wrapping_sub(before) & 0xFFFF
}

impl KnownState {
    /// Compares a new state with the last one and returns the changes. If a card was swapped between two polls, only
    /// the service's event count shows this. Each lift and each lay increments the count once. So the count must have
    /// grown by an odd number if the state has changed, and otherwise by an even number. The service changes the state
    /// first and increments the count afterwards, so a poll in between sees a count that is too low by one. The count
    /// then breaks the rule, which shows that an increment is still missing.
    pub(super) fn look(&mut self, state: State, count: u32, now: Instant) -> Vec<StateChange> {
        let card = state.contains(State::PRESENT);
        let new = self.since.is_none();
        let since = *self.since.get_or_insert(now);
        // The first state has no earlier count to compare with.
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

    /// Prepares for a restarted service: keeps only the information whether a card lay on the reader, and forgets the
    /// rest.
    pub(super) fn begins_anew(&mut self) {
        *self = Self { card: self.card, ..Self::default() };
    }

    /// Notes that the service reported no change during a full wait. Then no increment of its count is missing any
    /// more.
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

    /// Passes a state that is seen long after the first one.
    fn look(seen: &mut KnownState, state: State, count: u32) -> Vec<StateChange> {
        seen.look(state, count, START + Millis(60_000))
    }

    /// An empty reader that has been known for a long time.
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
        // A service that has just started detects its cards a moment later.
        let mut seen = KnownState::default();
        assert_eq!(seen.look(EMPTY, 0, START), []);
        assert_eq!(seen.look(LIES, 1, START + Millis(40)), [laid(1, false)]);
    }

    #[test]
    fn two_taps_between_two_looks_are_told_by_the_count() {
        let mut seen = empty(0);
        assert_eq!(look(&mut seen, LIES, 1), [laid(1, true)]);
        assert_eq!(look(&mut seen, LIES, 3), [StateChange::Lifted, laid(3, true)]);
        assert_eq!(look(&mut seen, EMPTY, 3), [StateChange::Lifted], "seen early, with the old count");
        assert_eq!(look(&mut seen, EMPTY, 4), [], "and again with the new one");
        assert_eq!(look(&mut seen, EMPTY, 6), [], "a card that was lifted again between two polls");
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
        // Here the count for the lifted card arrives only after the next card was laid down.
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
