//! The adapter: is it there and on, who is near, and connecting to one of them. One attempt at a time.

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
use super::held::{HeldBoard, On, Taken, TakenBoards, limited};
use super::line::{self, BleConnection};
use super::timings::Timings;
use super::who::{Known, Sighting, WantedBoard, brand_of};
use crate::link::error::LinkError;
use crate::transports::plain;

/// How many events may wait for a slow line before it asks anew.
const EVENTS: usize = 256;
/// How often a connected board may show no services yet.
const LATE_SERVICES: u32 = 3;

/// All that is known of the computer's Bluetooth.
pub(super) struct Air {
    timings: Timings,
    state: Mutex<State>,
    /// Held while a board is looked for or connected to.
    attempt: Mutex<()>,
    taken: TakenBoards,
}

#[derive(Default)]
struct State {
    manager: Option<Manager>,
    on: Option<Arc<On>>,
    known: HashMap<PeripheralId, HeldBoard>,
}

impl Air {
    pub(super) fn new(timings: Timings) -> Self {
        Self { timings, state: Mutex::default(), attempt: Mutex::default(), taken: TakenBoards::default() }
    }

    /// Looks for a board, connects and listens to it, until `given_up`: then the system's service does nothing of it
    /// any more.
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

    /// Whether it is worth trying once more, over a new connection to the message bus: only that has its limits
    /// afresh.
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
        // Connecting while scanning is said to abort attempts.
        self.quietly(on.adapter.stop_scan()).await;
        let (peripheral, taken) = found?;
        let known = self.known(peripheral).await?;
        match until(given_up, self.begin(&on, &known, wanted)).await {
            Ok((events, notify, write)) => {
                let cuts = wanted.gatt.cuts;
                Ok(BleConnection { on, taken, known, notify, write, cuts, events, timings: self.timings }
                    .start())
            }
            Err(fault) => {
                // What is given up goes on inside the system's service, and would hinder the next attempt.
                self.quietly(known.peripheral.disconnect()).await;
                Err(fault)
            }
        }
    }

    /// Connects to a board, looks at what it offers and subscribes.
    async fn begin(
        &self,
        on: &On,
        known: &HeldBoard,
        wanted: &WantedBoard,
    ) -> Result<(broadcast::Receiver<CentralEvent>, Vec<Characteristic>, Characteristic), BleFault> {
        // What the board said to the last line, after that was left, is no news.
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

    /// The boards that advertise themselves within that span.
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
            let name = plain(&near.local_name.unwrap_or_default()).to_owned();
            Some(Sighting { name, address: near.address.to_string(), brand })
        };
        let mut found: Vec<Sighting> = near?.into_iter().filter_map(sighting).collect();
        found.sort_by(|one, other| (&one.name, &one.address).cmp(&(&other.name, &other.address)));
        Ok(found)
    }

    /// The program ends: boards that are still connected are let go, or the system would hold them.
    pub(super) async fn leave(&self) {
        let known: Vec<HeldBoard> = self.state.lock().await.known.drain().map(|(_, known)| known).collect();
        for known in known {
            self.quietly(known.peripheral.disconnect()).await;
        }
    }

    /// The adapter, if it is there and on. Nothing is switched on unasked.
    async fn on(&self) -> Result<Arc<On>, BleFault> {
        let mut state = self.state.lock().await;
        if state.on.as_ref().is_some_and(|on| on.listening.is_finished()) {
            // The message bus has ended, and all that hung on it.
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
        // The system's list has no order: the first by name stays the first.
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
        let mut told = self.ask(adapter.events()).await?;
        let (events, _) = broadcast::channel(EVENTS);
        let weak = events.downgrade();
        // One stream for the program's life.
        let listening = tokio::spawn(async move {
            while let Some(event) = told.next().await {
                // That nobody listens just now is no reason to stop.
                let _ = events.send(event);
            }
        });
        Ok(Arc::clone(state.on.insert(Arc::new(On { adapter, events: weak, listening }))))
    }

    /// Waits until the wanted board is seen, and takes it.
    async fn find(&self, on: &On, wanted: &WantedBoard) -> Result<(Peripheral, Taken), BleFault> {
        let mut events = on.events()?;
        let until = Instant::now() + self.timings.scan;
        // A board that our last run left connected does not advertise.
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
            // Names come late and without an event: it is looked again at each sign of life.
            let event = timeout(self.timings.again, events.recv());
            match timeout_at(until, event).await {
                Err(_) => return Err(BleFault::NotSeen),
                Ok(Ok(Ok(CentralEvent::StateUpdate(CentralState::PoweredOff)))) => return Err(BleFault::Off),
                Ok(_) => {}
            }
        }
    }

    /// The wanted board, if it is near and no other line's.
    async fn wanted(
        &self,
        on: &On,
        wanted: &WantedBoard,
        connected: bool,
    ) -> Result<Option<(Peripheral, Taken)>, BleFault> {
        for (peripheral, near) in self.near(on).await? {
            let name = near.local_name.as_deref().map(plain);
            let meant = wanted.which.as_deref().is_none_or(|which| {
                name.is_some_and(|name| name.eq_ignore_ascii_case(which))
                    || near.address.to_string().eq_ignore_ascii_case(which)
            });
            let is_one = wanted.gatt.is_of(name, &services(&near));
            let named = wanted.which.is_some() && meant;
            if meant && (is_one || named) {
                let is_connected = peripheral.is_connected().await.unwrap_or(false);
                // What was seen long ago has no strength any more.
                if (is_connected || (!connected && near.rssi.is_some()))
                    && let Some(taken) = Taken::take(&self.taken, peripheral.id())
                {
                    return Ok(Some((peripheral, taken)));
                }
            }
        }
        Ok(None)
    }

    async fn near(&self, on: &On) -> Result<Vec<(Peripheral, PeripheralProperties)>, BleFault> {
        let mut near = Vec::new();
        for peripheral in self.ask(on.adapter.peripherals()).await? {
            // One that has just been forgotten is not near.
            if let Ok(Some(properties)) = self.ask(peripheral.properties()).await {
                near.push((peripheral, properties));
            }
        }
        Ok(near)
    }

    /// The handle and the stream that a board has had since it was first connected.
    async fn known(&self, peripheral: Peripheral) -> Result<HeldBoard, BleFault> {
        let mut state = self.state.lock().await;
        let id = peripheral.id();
        if let Some(known) = state.known.get(&id) {
            return Ok(known.clone());
        }
        // Before the connection: what a board says at once would be lost otherwise.
        let notifications = Arc::new(Mutex::new(self.step(peripheral.notifications()).await?));
        let known = HeldBoard { peripheral, notifications };
        state.known.insert(id, known.clone());
        Ok(known)
    }

    /// Connects, with the list of services; once more at once if it was refused for no good reason.
    async fn connect(
        &self,
        peripheral: &Peripheral,
        events: &mut broadcast::Receiver<CentralEvent>,
    ) -> Result<(), BleFault> {
        match self.connect_once(peripheral, events).await {
            Err(BleFault::Passing) => {
                self.quietly(peripheral.disconnect()).await;
                // The end of the first attempt is no news about the second.
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
        // The end of an earlier link may be told late: only a link that began can end.
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
                    // The message bus itself has ended.
                    Err(broadcast::error::RecvError::Closed) => return BleFault::Lost,
                }
            }
        };
        tokio::select! {
            // The library goes on waiting when the link is lost meanwhile.
            fault = lost => Err(fault),
            connected = timeout(self.timings.connect, peripheral.connect()) => match connected {
                Err(_) => Err(BleFault::NoAnswer),
                Ok(Err(error)) => Err(classify(&error)),
                Ok(Ok(())) => Ok(()),
            },
        }
    }

    /// The characteristics on which the board speaks, and the one that it listens to.
    async fn characteristics(
        &self,
        peripheral: &Peripheral,
        wanted: &WantedBoard,
    ) -> Result<(Vec<Characteristic>, Characteristic), BleFault> {
        for _ in 0..=LATE_SERVICES {
            self.step(peripheral.discover_services()).await?;
            let all = peripheral.characteristics();
            if all.is_empty() {
                // The list may be late although the system says that it is there.
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

    /// Something whose failure changes nothing.
    async fn quietly<T>(&self, step: impl Future<Output = btleplug::Result<T>>) {
        let _ = limited(self.timings.leave, step).await;
    }
}

/// Something that ends when nobody waits for it any more.
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
