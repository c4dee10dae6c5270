//! What an event's consoles are told of the table beside the lines of its record: clock, devices, alerts. It is made at each change,
//! and can be read at any later moment without the table, so that a heartbeat costs the table nothing.

use tabiya_engine::clock::Clock;
use tabiya_engine::table::BetClock;
use tabiya_types::Instant;

use super::Desk;
use crate::alerts::Alert;
use crate::session::Session;
use crate::snapshot::MatchTime;
use crate::view::{DeviceStatus, TableStatus};

/// A table as it is after a change.
#[derive(Clone, Debug, Default)]
pub struct HallReport {
    /// The match on the table; `None` without one, and without a record of it.
    pub on: Option<MatchReport>,
    /// The board, the card readers and the record.
    pub devices: DeviceStatus,
    /// The open alerts, the most urgent first.
    pub alerts: Vec<Alert>,
}

/// The match on a table as it is after a change.
#[derive(Clone, Debug)]
pub struct MatchReport {
    /// Its unique name.
    pub uid: String,
    time: MatchTime,
    clock: Clock,
    bet: Option<BetClock>,
}

impl MatchReport {
    /// What stands on the table's clock at this moment of the program's own time, if nothing has changed since the report.
    pub fn status(&self, now: Instant) -> TableStatus {
        TableStatus::of_clock(&self.clock, self.bet, self.time.of(now))
    }
}

impl Desk {
    /// What an event's consoles are told of this table now.
    pub fn hall_report(&self, now: Instant) -> HallReport {
        let sitting = self.table.sitting.as_ref();
        let session = self.table.session();
        let view = sitting.map(|sitting| sitting.view(now));
        let differing = session.filter(|_| self.table.calm.is_shown(now));
        let correction = differing.and_then(Session::correction);
        let alerts = self.table.alerts(view.as_ref(), correction.as_ref(), now);
        let (board, cards) =
            (self.table.boards.view(session.map(Session::watch)), self.table.cards.view(session));
        let record = session.map(Session::record_status).unwrap_or_default();
        let on = sitting.zip(view).and_then(|(sitting, view)| {
            let uid = sitting.session.uid()?.to_owned();
            let (time, bet) = (sitting.time_shown(now), sitting.session.table().bet_clock());
            Some(MatchReport { uid, time, clock: view.clock, bet })
        });
        HallReport { on, devices: DeviceStatus::of(&board, &cards, record), alerts }
    }
}
