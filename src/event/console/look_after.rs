//! Looking after one alert of the queue, not after whatever is most urgent at a table.

use tabiya_app::hall::AlertKey;

use super::alerts::{ConsoleAlertKind, QueuedAlert};
use super::hall::Hall;
use super::link::ToLink;
use crate::wire::{FromConsole, Take};

impl Hall {
    /// This arbiter looks after this alert. Returns it; `None` if it is not open, or its table has no link.
    pub fn take_this(&mut self, key: &AlertKey, by: &str, now: u64) -> Option<QueuedAlert> {
        let alert = self.queue(now).into_iter().find(|alert| alert.key() == *key)?;
        if let (Some(id), Some(number)) = (&alert.id, alert.table) {
            let take = Take { alert: id.clone(), arbiter: Some(by.to_owned()), done: false };
            let link = self.tables.get(&number)?.link.as_ref()?;
            let _ = link.send.send(ToLink::Say(Box::new(FromConsole::Take(take))));
        } else {
            let kind = self.own_kind(key)?;
            self.alerts.take(kind, alert.table, Some(by.to_owned()));
        }
        Some(alert)
    }

    /// Closes an alert of the console's own. Returns whether it was open.
    pub fn close_own(&mut self, key: &AlertKey) -> bool {
        let Some(kind) = self.own_kind(key) else { return false };
        self.alerts.close(kind, key.table)
    }

    /// The kind of the console's own open alert with this key.
    fn own_kind(&self, key: &AlertKey) -> Option<ConsoleAlertKind> {
        let mut open = self.alerts.open().iter();
        open.find(|own| own.table == key.table && own.kind.word() == key.id).map(|own| own.kind)
    }
}
