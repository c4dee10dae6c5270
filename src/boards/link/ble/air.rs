//! The Bluetooth adapter: checks that it is switched on, lists the boards in range, and connects to a board. Only one
//! attempt runs at a time.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use btleplug::api::{
    Central, CentralEvent, CentralState, CharPropFlags, Characteristic, Manager as _, Peripheral as _,
    PeripheralProperties, ScanFilter,
};
use btleplug::platform::{Manager, Peripheral, PeripheralId};
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::{Mutex, broadcast, oneshot};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use uuid::Uuid;

use super::fault::{BleFault, classify};
use super::held::{ActiveAdapter, BoardClaim, ClaimedBoards, HeldBoard, limited};
use super::line::{self, BleConnection};
use super::timings::Timings;
use super::who::{Known, Sighting, WantedBoard, brand_of};
use crate::link::error::LinkError;
use crate::transports::trimmed_name;

/// The largest number of adapter events that are kept for a slow receiver.
const EVENTS: usize = 256;
/// How many times an empty service list of a connected board is read again.
const LATE_SERVICES: u32 = 3;

/// The state of the computer's Bluetooth.
pub(super) struct BleAdapter {
    timings: Timings,
    state: Mutex<State>,
    /// Locked while a task searches for a board or connects to a board.
    attempt: Mutex<()>,
    taken: ClaimedBoards,
}

#[derive(Default)]
struct State {
    manager: Option<Manager>,
    on: Option<Arc<ActiveAdapter>>,
    known: HashMap<PeripheralId, HeldBoard>,
}

impl BleAdapter {
    pub(super) fn new(timings: Timings) -> Self {
        Self { timings, state: Mutex::default(), attempt: Mutex::default(), taken: ClaimedBoards::default() }
    }

    /// Searches for a board, connects to it and subscribes to its notifications. Stops when `given_up` resolves. After
    /// that, the system's Bluetooth service does nothing more for this attempt.
    pub(super) async fn open(
        &self,
        wanted: &WantedBoard,
        mut given_up: oneshot::Receiver<()>,
    ) -> Result<line::Ends, LinkError> {
        let mut opened = self.try_open(wanted, &mut given_up).await;
        if self.begins_anew(opened.as_ref().err().copied()).await {
            opened = self.try_open(wanted, &mut given_up).await;
        }
        opened.map_err(|fault| fault.sentence(&wanted.name()))
    }

    /// Whether the attempt must be repeated over a new connection to the message bus, because the old connection has
    /// reached its limits. If so, drops the old connection.
    async fn begins_anew(&self, fault: Option<BleFault>) -> bool {
        let used_up = fault == Some(BleFault::UsedUp);
        if used_up {
            *self.state.lock().await = State::default();
        }
        used_up
    }

    async fn try_open(
        &self,
        wanted: &WantedBoard,
        given_up: &mut oneshot::Receiver<()>,
    ) -> Result<line::Ends, BleFault> {
        let _attempt = until(given_up, async { Ok(self.attempt.lock().await) }).await?;
        let on = self.on().await?;
        let found = until(given_up, self.find(&on, wanted)).await;
        // Attempts to connect during a scan are reported to fail, so the scan is stopped first.
        self.quietly(on.adapter.stop_scan()).await;
        let (peripheral, taken) = found?;
        let known = self.known(peripheral).await?;
        match until(given_up, self.begin(&on, &known, wanted)).await {
            Ok((events, notify, write)) => {
                let cuts = wanted.gatt.splits_writes;
                Ok(BleConnection { on, taken, known, notify, write, cuts, events, timings: self.timings }
                    .start())
            }
            Err(fault) => {
                // Without a disconnection, the system's Bluetooth service would continue a cancelled attempt, which
                // would disturb the next attempt.
                self.quietly(known.peripheral.disconnect()).await;
                Err(fault)
            }
        }
    }

    /// Connects to a board, reads its services and subscribes to its notifications.
    async fn begin(
        &self,
        on: &ActiveAdapter,
        known: &HeldBoard,
        wanted: &WantedBoard,
    ) -> Result<(broadcast::Receiver<CentralEvent>, Vec<Characteristic>, Characteristic), BleFault> {
        // Drops notifications that arrived after the previous link was closed.
        let mut old = known.notifications.lock().await;
        while old.next().now_or_never().flatten().is_some() {}
        drop(old);
        let mut events = on.events()?;
        self.connect(&known.peripheral, &mut events).await?;
        let (notify, write) = self.characteristics(&known.peripheral, wanted).await?;
        for characteristic in &notify {
            self.step(known.peripheral.subscribe(characteristic)).await?;
        }
        Ok((events, notify, write))
    }

    /// Returns the boards of the known brands that advertise themselves within `span`.
    pub(super) async fn look(&self, span: Duration, known: &Known) -> Result<Vec<Sighting>, LinkError> {
        let mut seen = self.try_look(span, known).await;
        if self.begins_anew(seen.as_ref().err().copied()).await {
            seen = self.try_look(span, known).await;
        }
        seen.map_err(|fault| fault.sentence("board"))
    }

    async fn try_look(&self, span: Duration, known: &Known) -> Result<Vec<Sighting>, BleFault> {
        let _attempt = self.attempt.lock().await;
        let on = self.on().await?;
        self.step(on.adapter.start_scan(ScanFilter::default())).await?;
        sleep(span).await;
        let near = self.near(&on).await;
        self.quietly(on.adapter.stop_scan()).await;
        let sighting = |(_, near): (Peripheral, PeripheralProperties)| {
            let brand = brand_of(known, near.local_name.as_deref(), &services(&near))?;
            let name = trimmed_name(&near.local_name.unwrap_or_default()).to_owned();
            Some(Sighting { name, address: near.address.to_string(), brand, rssi_dbm: near.rssi })
        };
        let mut found: Vec<Sighting> = near?.into_iter().filter_map(sighting).collect();
        found.sort_by(|one, other| (&one.name, &one.address).cmp(&(&other.name, &other.address)));
        Ok(found)
    }

    /// Disconnects all boards when the radio ends. Otherwise the system would stay connected to them.
    pub(super) async fn leave(&self) {
        let known: Vec<HeldBoard> = self.state.lock().await.known.drain().map(|(_, known)| known).collect();
        for known in known {
            self.quietly(known.peripheral.disconnect()).await;
        }
    }

    /// Returns the adapter if it exists and is switched on. Never switches the adapter on.
    async fn on(&self) -> Result<Arc<ActiveAdapter>, BleFault> {
        let mut state = self.state.lock().await;
        if state.on.as_ref().is_some_and(|on| on.listening.is_finished()) {
            // The connection to the message bus has ended, so nothing that used it works any more.
            *state = State::default();
        }
        if state.manager.is_none() {
            state.manager = Some(self.ask(Manager::new()).await.map_err(|fault| match fault {
                BleFault::Passing | BleFault::NoAnswer => BleFault::NoBus,
                fault => fault,
            })?);
        }
        let Some(manager) = &state.manager else { return Err(BleFault::NoBus) };
        let adapters = self.ask(manager.adapters()).await?;
        // The system lists its adapters in no fixed order. After sorting by name, the same adapter always comes first.
        let mut named = Vec::new();
        for adapter in adapters {
            named.push((self.ask(adapter.adapter_info()).await.unwrap_or_default(), adapter));
        }
        named.sort_by(|one, other| one.0.cmp(&other.0));
        let Some((_, adapter)) = named.into_iter().next() else {
            state.on = None;
            return Err(BleFault::NoAdapter);
        };
        if self.ask(adapter.adapter_state()).await? == CentralState::PoweredOff {
            return Err(BleFault::Off);
        }
        if let Some(on) = &state.on {
            return Ok(Arc::clone(on));
        }
        let mut source = self.ask(adapter.events()).await?;
        let (events, _) = broadcast::channel(EVENTS);
        let weak = events.downgrade();
        // One event stream serves all links.
        let listening = tokio::spawn(async move {
            while let Some(event) = source.next().await {
                // An error only means that there is no receiver at the moment.
                let _ = events.send(event);
            }
        });
        Ok(Arc::clone(state.on.insert(Arc::new(ActiveAdapter { adapter, events: weak, listening }))))
    }

    /// Waits until the wanted board is seen, and claims it for a link.
    async fn find(
        &self,
        on: &ActiveAdapter,
        wanted: &WantedBoard,
    ) -> Result<(Peripheral, BoardClaim), BleFault> {
        let mut events = on.events()?;
        let until = Instant::now() + self.timings.scan;
        // A board that is still connected from an earlier run does not advertise itself.
        if let Some(found) = self.wanted(on, wanted, true).await? {
            return Ok(found);
        }
        self.step(on.adapter.start_scan(ScanFilter::default())).await.map_err(|fault| match fault {
            BleFault::Passing => BleFault::Off,
            fault => fault,
        })?;
        loop {
            if let Some(found) = self.wanted(on, wanted, false).await? {
                return Ok(found);
            }
            // A board's name may arrive late and without an event, so the list is read again after each event and each
            // pause.
            let event = timeout(self.timings.again, events.recv());
            match timeout_at(until, event).await {
                Err(_) => return Err(BleFault::NotSeen),
                Ok(Ok(Ok(CentralEvent::StateUpdate(CentralState::PoweredOff)))) => return Err(BleFault::Off),
                Ok(_) => {}
            }
        }
    }

    /// Returns the wanted board if it is in range and no other link uses it. With `connected`, only a board that is
    /// already connected counts.
    async fn wanted(
        &self,
        on: &ActiveAdapter,
        wanted: &WantedBoard,
        connected: bool,
    ) -> Result<Option<(Peripheral, BoardClaim)>, BleFault> {
        for (peripheral, near) in self.near(on).await? {
            let name = near.local_name.as_deref().map(trimmed_name);
            let meant = wanted.which.as_deref().is_none_or(|which| {
                name.is_some_and(|name| name.eq_ignore_ascii_case(which))
                    || near.address.to_string().eq_ignore_ascii_case(which)
            });
            let is_one = wanted.gatt.matches_device(name, &services(&near));
            let named = wanted.which.is_some() && meant;
            if meant && (is_one || named) {
                let is_connected = peripheral.is_connected().await.unwrap_or(false);
                // If the system knows no signal strength of a board, it received the board long ago, and the board may
                // be out of range.
                if (is_connected || (!connected && near.rssi.is_some()))
                    && let Some(taken) = BoardClaim::take(&self.taken, peripheral.id())
                {
                    return Ok(Some((peripheral, taken)));
                }
            }
        }
        Ok(None)
    }

    async fn near(&self, on: &ActiveAdapter) -> Result<Vec<(Peripheral, PeripheralProperties)>, BleFault> {
        let mut near = Vec::new();
        for peripheral in self.ask(on.adapter.peripherals()).await? {
            // Skips a board that the system has just removed from its list.
            if let Ok(Some(properties)) = self.ask(peripheral.properties()).await {
                near.push((peripheral, properties));
            }
        }
        Ok(near)
    }

    /// Returns the handle and the notification stream that are kept since the board's first connection. Creates both
    /// for a new board.
    async fn known(&self, peripheral: Peripheral) -> Result<HeldBoard, BleFault> {
        let mut state = self.state.lock().await;
        let id = peripheral.id();
        if let Some(known) = state.known.get(&id) {
            return Ok(known.clone());
        }
        // The stream is created before the connection. Otherwise the first notifications would be lost.
        let notifications = Arc::new(Mutex::new(self.step(peripheral.notifications()).await?));
        let known = HeldBoard { peripheral, notifications };
        state.known.insert(id, known.clone());
        Ok(known)
    }

    /// Connects to the board and reads its list of services. Retries once after a temporary fault.
    async fn connect(
        &self,
        peripheral: &Peripheral,
        events: &mut broadcast::Receiver<CentralEvent>,
    ) -> Result<(), BleFault> {
        match self.connect_once(peripheral, events).await {
            Err(BleFault::Passing) => {
                self.quietly(peripheral.disconnect()).await;
                // Waits until the board is disconnected, so that late events about the first attempt do not end the
                // second one.
                let until = Instant::now() + self.timings.connect;
                while self.ask(peripheral.is_connected()).await == Ok(true) && Instant::now() < until {
                    sleep(self.timings.again).await;
                }
                *events = events.resubscribe();
                self.connect_once(peripheral, events).await
            }
            done => done,
        }
    }

    async fn connect_once(
        &self,
        peripheral: &Peripheral,
        events: &mut broadcast::Receiver<CentralEvent>,
    ) -> Result<(), BleFault> {
        let id = peripheral.id();
        // The end of an earlier link may be reported late. So a disconnection counts only once the board has been
        // connected.
        let mut began = self.ask(peripheral.is_connected()).await?;
        let lost = async {
            loop {
                match events.recv().await {
                    Ok(CentralEvent::DeviceConnected(come)) if come == id => began = true,
                    Ok(CentralEvent::DeviceDisconnected(gone)) if gone == id && began => {
                        return BleFault::Lost;
                    }
                    Ok(CentralEvent::StateUpdate(CentralState::PoweredOff)) => return BleFault::Off,
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    // The connection to the message bus has ended.
                    Err(broadcast::error::RecvError::Closed) => return BleFault::Lost,
                }
            }
        };
        tokio::select! {
            // The library would keep waiting even if the link is lost meanwhile.
            fault = lost => Err(fault),
            connected = timeout(self.timings.connect, peripheral.connect()) => match connected {
                Err(_) => Err(BleFault::NoAnswer),
                Ok(Err(error)) => Err(classify(&error)),
                Ok(Ok(())) => Ok(()),
            },
        }
    }

    /// Returns the characteristics on which the board notifies, and the characteristic to which the host writes.
    async fn characteristics(
        &self,
        peripheral: &Peripheral,
        wanted: &WantedBoard,
    ) -> Result<(Vec<Characteristic>, Characteristic), BleFault> {
        for _ in 0..=LATE_SERVICES {
            self.step(peripheral.discover_services()).await?;
            let all = peripheral.characteristics();
            if all.is_empty() {
                // The list of characteristics may still be empty although the system reports it as complete.
                sleep(self.timings.again).await;
                continue;
            }
            let find = |number: u128, can: CharPropFlags| {
                let number = Uuid::from_u128(number);
                all.iter().find(|one| one.uuid == number && one.properties.intersects(can)).cloned()
            };
            let speaks = CharPropFlags::NOTIFY | CharPropFlags::INDICATE;
            let listens = CharPropFlags::WRITE | CharPropFlags::WRITE_WITHOUT_RESPONSE;
            let notify: Option<Vec<_>> =
                wanted.gatt.notify.iter().map(|number| find(*number, speaks)).collect();
            return notify.zip(find(wanted.gatt.write, listens)).ok_or(BleFault::NotABoard);
        }
        Err(BleFault::NotABoard)
    }

    async fn ask<T>(&self, question: impl Future<Output = btleplug::Result<T>>) -> Result<T, BleFault> {
        limited(self.timings.ask, question).await
    }

    async fn step<T>(&self, step: impl Future<Output = btleplug::Result<T>>) -> Result<T, BleFault> {
        limited(self.timings.step, step).await
    }

    /// Runs a step and ignores its result.
    async fn quietly<T>(&self, step: impl Future<Output = btleplug::Result<T>>) {
        let _ = limited(self.timings.leave, step).await;
    }
}

/// Runs `step` until it is done or `given_up` resolves. If `given_up` resolves first, the result is
/// [`BleFault::GivenUp`].
async fn until<T>(
    given_up: &mut oneshot::Receiver<()>,
    step: impl Future<Output = Result<T, BleFault>>,
) -> Result<T, BleFault> {
    tokio::select! {
        done = step => done,
        _ = given_up => Err(BleFault::GivenUp),
    }
}

fn services(near: &PeripheralProperties) -> Vec<u128> {
    near.services.iter().map(Uuid::as_u128).collect()
}
