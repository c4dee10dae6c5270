//! What waits for the arbiter alone, and which of it the desktop has been told to show.
//!
//! A notification names the players and nothing else: at an event they must not learn from the screen what only the
//! arbiter may know.

use tabiya_app::snapshot::Snapshot;
use tabiya_engine::table::Audience;
use tabiya_types::Sentence;

/// What waits for the arbiter alone: a refusal, prompts, a question.
pub(crate) fn waiting(snapshot: &Snapshot) -> Vec<&Sentence> {
    let refused = snapshot.refused.as_ref().map(|refused| (refused.to, &refused.text));
    let prompts = snapshot.table.iter().flat_map(|view| &view.prompts);
    let asked = snapshot.question.as_ref().map(|asked| (asked.to, &asked.text));
    let all = refused.into_iter().chain(prompts.map(|prompt| (prompt.to, &prompt.text))).chain(asked);
    all.filter(|(to, _)| *to == Audience::Arbiter).map(|(_, text)| text).collect()
}

/// What is to be done with a notification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AlertChange {
    /// Show one with this number.
    Show(u64),
    /// Take the one with this number away.
    Withdraw(u64),
}

/// The alerts that wait, each with the number of its notification; without one, it came while the window was in front.
#[derive(Debug, Default)]
pub(super) struct Alerts {
    known: Vec<(Sentence, Option<u64>)>,
    number: u64,
}

impl Alerts {
    /// Compares with what waits now: an alert that is new gets a notification, unless the window is in front; one that
    /// is answered loses it.
    pub(super) fn follow(&mut self, waiting: &[&Sentence], in_front: bool) -> Vec<AlertChange> {
        let mut changes = Vec::new();
        self.known.retain(|(text, number)| {
            let stays = waiting.contains(&text);
            changes.extend(number.filter(|_| !stays).map(AlertChange::Withdraw));
            stays
        });
        for text in waiting {
            if self.known.iter().any(|(known, _)| known == *text) {
                continue;
            }
            let number = (!in_front).then(|| {
                self.number += 1;
                self.number
            });
            changes.extend(number.map(AlertChange::Show));
            self.known.push(((*text).clone(), number));
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_engine::rules::Reason;

    #[test]
    fn one_notification_per_alert_until_it_is_answered() {
        let (flag, claim) = (Reason::Timeout.ending_sentence(), Reason::Stalemate.ending_sentence());
        let mut alerts = Alerts::default();
        assert_eq!(alerts.follow(&[&flag], false), [AlertChange::Show(1)]);
        assert_eq!(alerts.follow(&[&flag], false), []);
        assert_eq!(alerts.follow(&[&flag, &claim], false), [AlertChange::Show(2)]);
        assert_eq!(alerts.follow(&[&claim], true), [AlertChange::Withdraw(1)]);
        assert_eq!(alerts.follow(&[], false), [AlertChange::Withdraw(2)]);
        // The same alert later is another one.
        assert_eq!(alerts.follow(&[&flag], false), [AlertChange::Show(3)]);
    }

    #[test]
    fn what_the_arbiter_has_seen_is_not_notified() {
        let flag = Reason::Timeout.ending_sentence();
        let mut alerts = Alerts::default();
        assert_eq!(alerts.follow(&[&flag], true), []);
        assert_eq!(alerts.follow(&[&flag], false), []);
        assert_eq!(alerts.follow(&[], false), []);
    }
}
