//! Looking after one alert of the queue, not after whatever is most urgent at a table.

use tabiya_app::hall::AlertKey;

use super::alerts::QueuedAlert;
use super::hall::Hall;
use super::link::ToLink;
use crate::wire::{FromConsole, Take};

impl Hall {
    /// This arbiter looks after this alert. Returns it; `None` if it is not open, or its table has no link.
    pub fn take_this(&mut self, key: &AlertKey, by: &str, now: u64) -> Option<QueuedAlert> {
        let alert = self.queue(now).into_iter().find(|alert| alert.key() == *key)?;
        match (&alert.id, alert.table) {
            (Some(id), Some(number)) => {
                let take = Take { alert: id.clone(), arbiter: Some(by.to_owned()), done: false };
                let link = self.tables.get(&number)?.link.as_ref()?;
                let _ = link.send.send(ToLink::Say(Box::new(FromConsole::Take(take))));
            }
            _ => {
                let own = self
                    .alerts
                    .open()
                    .iter()
                    .find(|own| own.table == alert.table && own.kind.word() == alert.kind);
                let kind = own?.kind;
                self.alerts.take(kind, alert.table, Some(by.to_owned()));
            }
        }
        Some(alert)
    }

    /// Closes an alert of the console's own. Returns whether it was open.
    pub fn close_own(&mut self, key: &AlertKey) -> bool {
        let own = self.alerts.open().iter().find(|own| own.table == key.table && own.kind.word() == key.id);
        let Some(kind) = own.map(|own| own.kind) else { return false };
        self.alerts.close(kind, key.table)
    }
}
