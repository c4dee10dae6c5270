//! What a table tells of itself beside its lines: its heartbeat, made from what it showed last (`docs/hall.md`, §4, `state`).

use tabiya_app::alerts::Alert;
use tabiya_app::desk::HallReport;
use tabiya_app::view::{ClockRuns, ClockShown, DevicePresence};
use tabiya_types::{Instant, say};

use super::hub::{TableHub, locked};
use crate::wire::{AlertNote, ClockNote, DeviceNote, GREATEST, MOST_ALERTS, SentWords, StateNote};

/// The state of the table now.
pub(super) fn state(hub: &TableHub, report: &HallReport, now: Instant) -> StateNote {
    let (boot, up) = hub.boot.moment();
    let on = report.on.as_ref().map(|on| {
        let status = on.status(now);
        (on.uid.clone(), status.t.millis().min(GREATEST), status.clock.map(clock))
    });
    let since = |at: Instant| up.saturating_sub(now.since(at).0);
    let unsealed = locked(&hub.unsealed).map(|since| unsealed(&boot, since));
    let alerts = report.alerts.iter().map(|alert| note(&boot, alert, since(alert.since)));
    StateNote {
        n: hub.next_state(),
        up,
        on,
        board: device(report.devices.board),
        reader: report.devices.reader.map(device),
        failing: report.devices.record.failing,
        alerts: unsealed.into_iter().chain(alerts).take(MOST_ALERTS).collect(),
    }
}

fn clock(ClockShown { left, runs }: ClockShown) -> ClockNote {
    let reading = |side| left[side].map_or(0, |left: tabiya_types::Millis| left.0.min(GREATEST));
    ClockNote {
        white: reading(tabiya_types::Color::White),
        black: reading(tabiya_types::Color::Black),
        runs: runs.map(ClockRuns::word),
    }
}

fn device(DevicePresence { link, battery }: DevicePresence) -> DeviceNote {
    DeviceNote { link: link.word(), battery }
}

fn note(boot: &str, alert: &Alert, since: u64) -> AlertNote {
    let Alert { number, cause, taken, .. } = alert;
    AlertNote {
        id: format!("{boot}-{number}"),
        rank: cause.kind.rank(),
        kind: cause.kind.word().to_owned(),
        by: cause.by,
        since,
        count: u64::from(cause.count),
        says: SentWords::of(&cause.says),
        proposes: cause
            .proposal
            .as_ref()
            .and_then(|proposal| proposal.choices.first())
            .map(|choice| SentWords::of(&choice.told)),
        taken: taken.clone(),
    }
}

/// The alert that a deal in the record shows what must stay hidden. It is none of the desk's, so it has no number there.
fn unsealed(boot: &str, since: u64) -> AlertNote {
    let says =
        say!("alert-unsealed", "a deal shows hidden cards, so the record does not go on at the consoles");
    AlertNote {
        id: format!("{boot}-0"),
        rank: 1,
        kind: "unsealed".to_owned(),
        by: None,
        since,
        count: 1,
        says: SentWords::of(&says),
        proposes: None,
        taken: None,
    }
}
