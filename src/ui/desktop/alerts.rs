//! Which alerts for the arbiter alone the desktop has been told to show.
//!
//! A notification names the players and nothing else: at an event they must not learn from the screen what only the
//! arbiter may know.

use tabiya_app::alerts::Alert;

/// What is to be done with a notification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AlertChange {
    /// Show one with this number.
    Show(u64),
    /// Take the one with this number away.
    Withdraw(u64),
}

/// The alerts that wait, by their numbers, and whether each has a notification. One that came while the window was in front has
/// none.
#[derive(Debug, Default)]
pub(super) struct Notified(Vec<(u64, bool)>);

impl Notified {
    /// Compares with the alerts that are open now: one that is new gets a notification, unless the window is in front; one that is
    /// closed loses it.
    pub(super) fn follow(&mut self, open: &[Alert], in_front: bool) -> Vec<AlertChange> {
        let waiting: Vec<u64> =
            open.iter().filter(|alert| alert.calls_arbiter()).map(|alert| alert.number).collect();
        self.follow_numbers(&waiting, in_front)
    }

    /// The same for alerts of which only the numbers are known.
    pub(super) fn follow_numbers(&mut self, waiting: &[u64], in_front: bool) -> Vec<AlertChange> {
        let mut changes = Vec::new();
        self.0.retain(|(number, notified)| {
            let stays = waiting.contains(number);
            changes.extend((*notified && !stays).then_some(AlertChange::Withdraw(*number)));
            stays
        });
        for number in waiting {
            if self.0.iter().all(|(known, _)| known != number) {
                changes.extend((!in_front).then_some(AlertChange::Show(*number)));
                self.0.push((*number, !in_front));
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_notification_per_alert_until_it_is_answered() {
        let mut notified = Notified::default();
        assert_eq!(notified.follow_numbers(&[1], false), [AlertChange::Show(1)]);
        assert_eq!(notified.follow_numbers(&[1], false), []);
        assert_eq!(notified.follow_numbers(&[1, 2], false), [AlertChange::Show(2)]);
        assert_eq!(notified.follow_numbers(&[2], true), [AlertChange::Withdraw(1)]);
        assert_eq!(notified.follow_numbers(&[], false), [AlertChange::Withdraw(2)]);
    }

    #[test]
    fn what_the_arbiter_has_seen_is_not_notified() {
        let mut notified = Notified::default();
        assert_eq!(notified.follow_numbers(&[1], true), []);
        assert_eq!(notified.follow_numbers(&[1], false), []);
        assert_eq!(notified.follow_numbers(&[], false), []);
    }
}
