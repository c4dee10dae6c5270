//! What a table shows at a moment, gathered once: the screens of the desk and the event's consoles are told the same.

use std::sync::Arc;

use tabiya_types::Instant;

use super::Desk;
use super::sitting::Sitting;
use crate::alerts::Alert;
use crate::session::Session;
use crate::view::{BoardView, CardsView, DeviceStatus, TableView};

/// What a table shows at a moment.
pub(super) struct ShownTable<'a> {
    pub(super) sitting: Option<&'a Sitting>,
    pub(super) session: Option<&'a Session>,
    pub(super) view: Option<TableView>,
    /// The session, while what differs on its board is shown.
    pub(super) differing: Option<&'a Session>,
    pub(super) alerts: Vec<Alert>,
    pub(super) board: BoardView,
    pub(super) cards: Arc<CardsView>,
    pub(super) devices: DeviceStatus,
}

impl Desk {
    /// What the table shows now.
    pub(super) fn shown(&self, now: Instant) -> ShownTable<'_> {
        let (sitting, session) = (self.table.sitting.as_ref(), self.table.session());
        let view = sitting.map(|sitting| sitting.view(now));
        let differing = session.filter(|_| self.table.calm.is_shown(now));
        let correction = differing.and_then(Session::correction);
        let alerts = self.table.alerts(view.as_ref(), correction.as_ref(), self.asks_about_keypad(), now);
        let (board, cards) =
            (self.table.boards.view(session.map(Session::watch)), self.table.cards.view(session));
        let record = session.map(Session::record_status).unwrap_or_default();
        let devices = DeviceStatus::of(&board, &cards, record);
        ShownTable { sitting, session, view, differing, alerts, board, cards, devices }
    }
}
