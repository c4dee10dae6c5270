//! Looking after an alert of the queue: by whom it is taken, and who has closed it. Both are acts of the desk.
//!
//! Source: `docs/hall.md`, §5 (`take`).

use tabiya_app::hall::AlertKey;

use super::acts::Act;
use super::alerts::{ConsoleAlertKind, QueuedAlert};
use super::hall::Hall;
use super::link::ToLink;
use super::serve::Console;
use super::shared::Shared;
use crate::wire::{FromConsole, Take};

impl Hall {
    /// The most urgent alert of this table that nobody looks after.
    pub fn free_alert(&self, number: u16, now: u64) -> Option<AlertKey> {
        let free = |alert: &&QueuedAlert| alert.table == Some(number) && alert.taken.is_none();
        self.queue(now).iter().find(free).map(QueuedAlert::key)
    }

    /// This arbiter looks after this alert. Returns it; `None` if it is not open, or its table has no link.
    pub fn take(&mut self, key: &AlertKey, by: &str, now: u64) -> Option<QueuedAlert> {
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
    fn close_own(&mut self, key: &AlertKey) -> bool {
        let Some(kind) = self.own_kind(key) else { return false };
        self.alerts.close(kind, key.table)
    }

    /// The kind of the console's own open alert with this key.
    fn own_kind(&self, key: &AlertKey) -> Option<ConsoleAlertKind> {
        let mut open = self.alerts.open().iter();
        open.find(|own| own.table == key.table && own.kind.word() == key.id).map(|own| own.kind)
    }

    /// The console's own open alerts of this table.
    fn own_alerts(&self, table: u16) -> Vec<AlertKey> {
        let of_table = self.alerts.open().iter().filter(|own| own.table == Some(table));
        of_table.map(|own| AlertKey { table: own.table, id: own.kind.word().to_owned() }).collect()
    }
}

impl Shared {
    /// This arbiter looks after this alert, which is noted. Returns it; `None` if it is not open, or its table has no link.
    pub(super) fn take(&self, key: &AlertKey, by: &str) -> Option<QueuedAlert> {
        let taken = self.hall().take(key, by, self.now())?;
        self.note_act(about(key, by).with("kind", taken.kind.as_str()));
        Some(taken)
    }

    /// This arbiter closes an alert of the console's own, which is noted. Returns whether it was open.
    pub(super) fn close(&self, key: &AlertKey, by: &str) -> bool {
        let closed = self.hall().close_own(key);
        if closed {
            self.note_act(about(key, by).with("kind", key.id.as_str()).with("done", true));
        }
        closed
    }
}

/// The act of looking after an alert.
fn about(key: &AlertKey, by: &str) -> Act {
    let act = Act::new("take", by).with("alert", key.id.as_str());
    match key.table {
        Some(table) => act.with("table", table),
        None => act,
    }
}

impl Console {
    /// This arbiter looks after the most urgent alert of this table that is nobody's. Returns it; `None` if there is none, or the
    /// table has no link.
    pub fn take(&self, table: u16, by: &str) -> Option<QueuedAlert> {
        let key = self.hall().free_alert(table, self.now())?;
        self.shared.take(&key, by)
    }

    /// This arbiter closes all that this console itself has noticed of a table. Returns how many alerts there were.
    pub fn close_all(&self, table: u16, by: &str) -> usize {
        let open = self.hall().own_alerts(table);
        open.iter().filter(|key| self.shared.close(key, by)).count()
    }
}
