//! The life cycle of one board's connection: when to open a port, which of the driver's events to pass on, when to give
//! up and retry. This module does no IO and reads no clock.

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis, Sentence};

use super::backoff::Backoff;
use super::flood::{Admitted, Flood};
use crate::address::{BoardPort, LiveAddress};
use crate::driver::{BoardCommand, Connection, Driver, DriverFailure};
use crate::event::{BoardEvent, BoardInfo};
use crate::lights::Lights;
use crate::link::{Carrier, LinkError};
use crate::maker::Maker;
use crate::notes::Notes;

/// The life cycle of one board's connection, from the first attempt to the stop. Does no IO and reads no clock.
pub struct ConnectionLife {
    maker: Maker,
    /// The number of the wanted board, if several boards share one port.
    unit: Option<String>,
    /// The notes about the board, such as a calibration.
    notes: Notes,
    /// Whether the port is searched for. If so, a port without the wanted board is skipped.
    auto: bool,
    /// The port on which a board that is looked for everywhere is expected first.
    home: Option<String>,
    /// Whether people have named the board's number.
    named: bool,
    state: State,
    backoff: Backoff,
    /// Limits the rate of the board's events.
    flood: Flood,
    /// When the board first reported its whole position over this connection.
    linked: Option<Instant>,
    /// The error with which the loss of the board was last reported; `None` after the board came back.
    reported: Option<LinkError>,
    /// The number of the board that was connected. After a break, no other board is accepted.
    number: Option<String>,
    text: Option<String>,
    lights: Lights,
    events: VecDeque<BoardEvent>,
    out: VecDeque<Vec<u8>>,
}

enum State {
    /// No port is open. The next attempt is due at `open_at`.
    Closed { open_at: Instant },
    /// A port is open.
    Open(Box<Open>),
    /// The connection was stopped and does not start again.
    Stopped,
}

struct Open {
    port: String,
    /// Whether the search has other ports to try if this port does not have the board.
    others_left: bool,
    driver: Box<dyn Driver>,
}

impl ConnectionLife {
    /// Creates the life cycle without a port. The first attempt is due at once.
    pub fn new(address: &LiveAddress, notes: Notes, now: Instant) -> Self {
        // Where boards share no port, the number is that of the board that a search has to find.
        let (unit, number) = match address.unit.clone() {
            number if !address.maker.transports().has_units() => (None, number),
            unit => (unit, None),
        };
        Self {
            maker: address.maker,
            unit,
            notes,
            auto: address.place == BoardPort::Auto,
            home: None,
            named: number.is_some(),
            state: State::Closed { open_at: now },
            backoff: Backoff::new(address),
            flood: Flood::default(),
            linked: None,
            reported: None,
            number,
            text: None,
            lights: Lights::DARK,
            events: VecDeque::new(),
            out: VecDeque::new(),
        }
    }

    /// The same for a board that keeps its table: if it reports its number, and is plugged in again elsewhere, it is found there,
    /// and no other board takes its place.
    pub fn roaming(address: &LiveAddress, notes: Notes, now: Instant) -> Self {
        let home = match &address.place {
            BoardPort::Serial(port) if !address.maker.transports().has_units() => Some(port.clone()),
            _ => None,
        };
        Self { home, ..Self::new(address, notes, now) }
    }

    /// Whether the board may be looked for on all ports: only one whose number is known can be told from others.
    pub(crate) fn may_search(&self) -> bool {
        self.home.is_some() && self.number.is_some()
    }

    /// Whether a port should be opened now.
    pub fn wants_port(&self, now: Instant) -> bool {
        matches!(self.state, State::Closed { open_at } if now >= open_at)
    }

    /// Whether a port is open and still needed. If not, the caller must close the port.
    pub fn keeps_port(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// Whether the board's position was read and is kept up to date.
    pub fn ready(&self) -> bool {
        matches!(&self.state, State::Open(open) if open.driver.ready())
    }

    /// What the board has reported about itself; `None` while no port is open.
    pub fn info(&self) -> Option<&BoardInfo> {
        match &self.state {
            State::Open(open) => Some(open.driver.info()),
            State::Closed { .. } | State::Stopped => None,
        }
    }

    /// The port on which the board was found; `None` until the board's position was read.
    pub(crate) fn found_at(&self) -> Option<&str> {
        match &self.state {
            State::Open(open) if open.driver.ready() => Some(&open.port),
            State::Open(_) | State::Closed { .. } | State::Stopped => None,
        }
    }

    /// What people have to do first, if the board has asked for something and the caller has not yet taken the event
    /// that says so.
    pub(crate) fn wants(&self) -> Option<Sentence> {
        self.events.iter().find_map(|event| match event {
            BoardEvent::Wants(what) => Some(what.clone()),
            _ => None,
        })
    }

    /// The number of the wanted board, if the address names it. Otherwise, on a port that several boards can share, the
    /// number of the board that was connected before.
    pub(crate) fn wanted(&self) -> Option<&str> {
        self.unit.as_deref().or(self.number.as_deref().filter(|_| self.shares()))
    }

    /// Whether several boards of the maker can share one port.
    fn shares(&self) -> bool {
        self.maker.transports().shared.is_some()
    }

    /// Tells the life cycle that a port was opened. `others_left` is true if other ports could have the board, too.
    pub fn opened(&mut self, port: String, carrier: Carrier, others_left: bool, now: Instant) {
        let brand = self.maker.brand();
        let connection =
            Connection { brand, carrier, unit: self.wanted(), notes: &self.notes, passive: false };
        let mut driver = (self.maker.entry().driver)(&connection, now);
        if let Some(text) = &self.text {
            driver.order(&BoardCommand::Show(text.clone()), now);
        }
        if !self.lights.is_dark() {
            driver.order(&BoardCommand::Light(self.lights), now);
        }
        self.state = State::Open(Box::new(Open { port, others_left, driver }));
        self.gather(now);
    }

    /// Tells the life cycle that a port could not be opened, or that the open port failed.
    pub fn failed(&mut self, error: LinkError, now: Instant) {
        if matches!(self.state, State::Stopped) {
            return;
        }
        let linked = self.linked.take().map(|since| now.since(since));
        let wait = self.backoff.after(&error, linked);
        self.close(now + wait);
        // After a reported loss, the board's port may be missing. The missing port is only a consequence of that loss,
        // so it is not reported.
        let consequence = matches!(error, LinkError::Missing { .. } | LinkError::NoneFound { .. });
        let news = match &self.reported {
            None => true,
            Some(reported) => !consequence && !reported.same_as(&error),
        };
        if news {
            self.reported = Some(error.clone());
            self.events.push_back(BoardEvent::Lost(error));
        }
    }

    /// Takes in bytes that arrived at `now`.
    pub fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.on_bytes(bytes, now);
            self.after(now);
        }
    }

    /// Does what is due by `now`.
    pub fn on_time(&mut self, now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.on_time(now);
            if self.flood.has_ended(now) {
                open.driver.order(&BoardCommand::AskDump, now);
            }
            self.after(now);
        }
    }

    /// When [`on_time`](Self::on_time) or an attempt to open a port is due; `None` after the stop.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Closed { open_at } => Some(*open_at),
            State::Open(open) => [open.driver.deadline(), self.flood.quiet_at()].into_iter().flatten().min(),
            State::Stopped => None,
        }
    }

    /// Returns the next command to write now, or `None`.
    pub fn next_write(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    /// Tells the life cycle that the command from [`next_write`](Self::next_write) was written at `now`.
    pub fn wrote(&mut self, now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.wrote(now);
        }
    }

    /// Returns the next event, oldest first.
    pub fn next_event(&mut self) -> Option<BoardEvent> {
        self.events.pop_front()
    }

    /// Ends the life cycle. Afterwards the caller still has to write the last commands, which make the board stop
    /// sending. Returns how long the caller has to wait before the first of these commands.
    pub fn stop(&mut self, now: Instant) -> Millis {
        let mut wait = Millis(0);
        if let State::Open(open) = &mut self.state {
            wait = open.driver.stop(now);
            self.gather(now);
        }
        self.state = State::Stopped;
        wait
    }

    pub(crate) fn order(&mut self, order: &BoardCommand, now: Instant) {
        // The text and the lights are kept, so that a new connection shows them again.
        match order {
            BoardCommand::Show(text) => self.text = Some(text.clone()),
            BoardCommand::EndDisplay => self.text = None,
            BoardCommand::Light(lights) => self.lights = *lights,
            _ => {}
        }
        let State::Open(open) = &mut self.state else { return };
        open.driver.order(order, now);
        self.after(now);
    }

    /// Collects the driver's commands and events. Closes the port if the driver gave up.
    fn after(&mut self, now: Instant) {
        self.gather(now);
        let State::Open(open) = &self.state else { return };
        let Some(failure) = open.driver.failure() else { return };
        let port = open.port.clone();
        match failure {
            DriverFailure::Silent => self.failed(LinkError::Silent { port }, now),
            DriverFailure::NotABoard => {
                let maker = self.maker.name();
                self.passed_over(LinkError::NoAnswer { port, maker }, now);
            }
        }
    }

    /// Handles a port that does not have the wanted board. A search goes on with the next port; without another port,
    /// `error` is reported.
    fn passed_over(&mut self, error: LinkError, now: Instant) {
        let others_left = matches!(&self.state, State::Open(open) if open.others_left);
        // People are told that another board stands where theirs was.
        let at_home =
            matches!(&error, LinkError::OtherBoard { port, .. } if self.home.as_ref() == Some(port));
        if (self.auto || self.may_search() && !at_home) && others_left {
            self.close(now);
        } else if self.auto && matches!(error, LinkError::NoAnswer { .. }) {
            self.failed(self.maker.not_found(), now);
        } else {
            self.failed(error, now);
        }
    }

    fn close(&mut self, open_at: Instant) {
        self.state = State::Closed { open_at };
        // Commands that were not sent yet were meant for the port that is closed.
        self.out.clear();
    }

    fn gather(&mut self, now: Instant) {
        let State::Open(open) = &mut self.state else { return };
        while let Some(bytes) = open.driver.next_write() {
            self.out.push_back(bytes);
        }
        while let Some(event) = self.next_of_the_driver() {
            if let Some(error) = self.not_the_board(&event) {
                return self.passed_over(error, now);
            }
            self.learn(&event);
            if event.completes_reading() {
                self.linked.get_or_insert(now);
                if self.reported.take().is_some() {
                    self.events.push_back(BoardEvent::Back);
                }
            }
            self.tell(event, now);
        }
    }

    fn next_of_the_driver(&mut self) -> Option<BoardEvent> {
        match &mut self.state {
            State::Open(open) => open.driver.next_event(),
            State::Closed { .. } | State::Stopped => None,
        }
    }

    /// Returns the error if `event` shows that this is not the wanted board. `None` means that it may be the wanted
    /// board.
    fn not_the_board(&self, event: &BoardEvent) -> Option<LinkError> {
        let State::Open(open) = &self.state else { return None };
        let port = open.port.clone();
        // As long as the named board has never been connected, it may be on another port.
        if let BoardEvent::Wants(_) = event
            && (self.auto && open.others_left && self.unit.is_some() && self.number.is_none())
        {
            return Some(LinkError::NoAnswer { port, maker: self.maker.name() });
        }
        // If another board answers, the search for the lost board goes on.
        if let BoardEvent::Identified(info) = event
            && let Some(expected) = self.number.as_ref().filter(|_| self.remembers())
            && !info.has_number(expected)
            && (info.number().is_some() || self.named)
        {
            let (expected, found) = (expected.clone(), info.number().unwrap_or("none").to_owned());
            return Some(LinkError::OtherBoard { port, expected, found });
        }
        None
    }

    /// Whether only a board with the same number is accepted after a break.
    fn remembers(&self) -> bool {
        self.auto || self.home.is_some() || self.shares()
    }

    /// Keeps what the next connection needs from an event: notes and the board's number.
    fn learn(&mut self, event: &BoardEvent) {
        if let BoardEvent::Remember { name, value } = event {
            self.notes.set(name, value);
        }
        if let BoardEvent::Identified(info) = event
            && (self.remembers() && self.number.is_none())
        {
            self.number = info.number().map(str::to_owned);
        }
    }

    /// Passes an event on, unless the board reports too many events. Information, notes and requests of the board are
    /// always passed on.
    fn tell(&mut self, event: BoardEvent, now: Instant) {
        let news =
            matches!(event, BoardEvent::Identified(_) | BoardEvent::Remember { .. } | BoardEvent::Wants(_));
        match if news { Admitted::Yes } else { self.flood.admits(now) } {
            Admitted::Yes => self.events.push_back(event),
            Admitted::NoAnd(instead) => self.events.push_back(instead),
            Admitted::No => {}
        }
    }
}
