//! What an event's consoles are told of the table beside the lines of its record: clock, devices, alerts. It is made at each change,
//! and can be read at any later moment without the table, so that a heartbeat costs the table nothing.

use tabiya_engine::clock::Clock;
use tabiya_engine::table::BetClock;
use tabiya_types::Instant;

use super::Desk;
use crate::alerts::Alert;
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
        let shown = self.shown(now);
        let on = shown.sitting.zip(shown.view).and_then(|(sitting, view)| {
            let uid = sitting.session.uid()?.to_owned();
            let (time, bet) = (sitting.time_shown(now), sitting.session.table().bet_clock());
            Some(MatchReport { uid, time, clock: view.clock, bet })
        });
        HallReport { on, devices: shown.devices, alerts: shown.alerts }
    }
}
