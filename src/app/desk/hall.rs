//! What an event's consoles are told of the table beside the lines of its record: clock, devices, alerts. It is made at each change,
//! and can be read at any later moment without the table, so that a heartbeat costs the table nothing.

use tabiya_engine::clock::Clock;
use tabiya_engine::record::Body;
use tabiya_engine::rules::Reason;
use tabiya_engine::table::{Audience, Author, BetClock, Common, Input, Table};
use tabiya_types::{Instant, say};

use super::Desk;
use crate::alerts::{Alert, AlertKind, Cause};
use crate::session::Session;
use crate::snapshot::{LinkState, MatchTime};
use crate::view::{DeviceLink, DeviceStatus, LOW_BATTERY, TableStatus};

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
        // A board that is only being connected has not been lost.
        let is_lost = matches!(shown.board.link, LinkState::Lost(_));
        let mut causes = causes_of(&shown.devices, is_lost);
        let mut alerts = shown.alerts;
        if let Some(session) = shown.session {
            causes.extend(call(session));
            causes.extend(deal(session.table()));
            if session.clock_is_silent() {
                let says = say!("alert-clock", "the clock at the board does not report its times");
                causes.push(Cause::new(AlertKind::Clock, Audience::Arbiter, None, says));
            }
            // A claim comes and goes with each move; the arbiter is told of each side once.
            let claimable = alerts.iter().any(|alert| alert.cause.kind == AlertKind::Claimable);
            alerts.retain(|alert| alert.cause.kind != AlertKind::Claimable);
            causes.extend(self.table.lasting.borrow_mut().causes(session.table(), claimable, now));
        }
        let mut book = self.table.for_consoles.borrow_mut();
        book.follow(causes, now);
        alerts.extend_from_slice(book.open());
        alerts.sort_by_key(|alert| (alert.cause.kind.rank(), alert.since));
        HallReport { on, devices: shown.devices, alerts }
    }
}

/// The causes of alerts that lie in the devices.
fn causes_of(devices: &DeviceStatus, is_lost: bool) -> Vec<Cause> {
    let cause = |kind, says| Cause::new(kind, Audience::Arbiter, None, says);
    let mut causes = Vec::new();
    if is_lost {
        causes.push(cause(AlertKind::Board, say!("alert-board", "the board does not answer")));
    }
    if devices.reader.is_some_and(|reader| reader.link == DeviceLink::Lost) {
        causes.push(cause(AlertKind::Reader, say!("alert-reader", "a card reader does not answer")));
    }
    if let Some(percent) = devices.board.battery.filter(|percent| *percent < LOW_BATTERY) {
        let percent = u64::from(percent);
        let says = say!("alert-battery", "the board's battery has {percent} % left", percent);
        causes.push(cause(AlertKind::Battery, says));
    }
    causes
}

/// A deal that was fouled and not repeated yet, though play goes on. While the clocks are stopped, somebody is at it.
fn deal(table: &Table) -> Option<Cause> {
    if table.clock().paused() {
        return None;
    }
    let outcome = table.game().outcome()?;
    let fouled = !table.game().counts() && outcome.reason != Reason::Cancelled;
    let says = say!("alert-deal", "the last deal was fouled, and has to be repeated");
    fouled.then(|| Cause::new(AlertKind::Deal, Audience::Arbiter, None, says))
}

/// The call of a player who has stopped the clocks; `None` if they run, or somebody else has stopped them.
fn call(session: &Session) -> Option<Cause> {
    let table = session.table();
    // Who claims stops the clocks, too; the claim is told by itself. Once a game has its result, nobody waits any more.
    let is_decided = table.game().outcome().is_some() && table.game().counts();
    if !table.clock().paused() || is_decided || session.proposals().next().is_some() {
        return None;
    }
    let stopped = session.lines().iter().rev().find_map(|line| match &line.body {
        Body::Acted(Input::Common(Common::Pause(by))) => Some(*by),
        Body::Acted(Input::Common(Common::Resume(_))) => Some(Author::Arbiter),
        Body::Acted(_) | Body::Evidence(_) => None,
    });
    let Author::Player(by) = stopped? else { return None };
    let name = table.name_of(by).to_owned();
    let says = say!("alert-call", "{name} has stopped the clocks, and waits for the arbiter", name);
    Some(Cause::new(AlertKind::Call, Audience::Arbiter, Some(by), says))
}
