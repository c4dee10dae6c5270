//! The life of one board's connection, from the first attempt to the last word: when a port is to be opened, what of the
//! driver's news is told, when to give up and try again. No IO and no time of its own.

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

/// The life of one board's connection, from first attempt to stop. No IO, no time of its own.
pub struct ConnectionLife {
    maker: Maker,
    /// Which of several boards behind one port.
    unit: Option<String>,
    /// What earlier connections have left to be known.
    notes: Notes,
    /// Whether the port is looked for: what is not a board is then passed over.
    auto: bool,
    state: State,
    backoff: Backoff,
    /// How much the board has told of late.
    flood: Flood,
    /// Since when the board of this connection has told its position.
    linked: Option<Instant>,
    /// The last loss that was told.
    told: Option<LinkError>,
    /// The number of the board that was connected, to find it again and no other.
    number: Option<String>,
    text: Option<String>,
    lights: Lights,
    events: VecDeque<BoardEvent>,
    out: VecDeque<Vec<u8>>,
}

enum State {
    /// No port; the next attempt is due then.
    Closed { open_at: Instant },
    /// A port is open.
    Open(Box<Open>),
    /// For good.
    Stopped,
}

struct Open {
    port: String,
    /// Whether there are other ports to try if this one is no board.
    others_left: bool,
    driver: Box<dyn Driver>,
}

impl ConnectionLife {
    /// Nothing is open; the first attempt is due at once.
    pub fn new(address: &LiveAddress, notes: Notes, now: Instant) -> Self {
        Self {
            maker: address.maker,
            unit: address.unit.clone(),
            notes,
            auto: address.place == BoardPort::Auto,
            state: State::Closed { open_at: now },
            backoff: Backoff::new(address),
            flood: Flood::default(),
            linked: None,
            told: None,
            number: None,
            text: None,
            lights: Lights::DARK,
            events: VecDeque::new(),
            out: VecDeque::new(),
        }
    }

    /// Whether a port should be opened now.
    pub fn wants_port(&self, now: Instant) -> bool {
        matches!(self.state, State::Closed { open_at } if now >= open_at)
    }

    /// Whether an open port is still wanted; if not, it must be closed.
    pub fn keeps_port(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// Whether the board streams and its position was read.
    pub fn ready(&self) -> bool {
        matches!(&self.state, State::Open(open) if open.driver.ready())
    }

    /// What the board said of itself, while a port is open.
    pub fn info(&self) -> Option<&BoardInfo> {
        match &self.state {
            State::Open(open) => Some(open.driver.info()),
            State::Closed { .. } | State::Stopped => None,
        }
    }

    /// The port on which the board was found, once its position was read.
    pub(crate) fn found_at(&self) -> Option<&str> {
        match &self.state {
            State::Open(open) if open.driver.ready() => Some(&open.port),
            State::Open(_) | State::Closed { .. } | State::Stopped => None,
        }
    }

    /// What people have to do first, if the board has said so and it was not yet told.
    pub(crate) fn wants(&self) -> Option<Sentence> {
        self.events.iter().find_map(|event| match event {
            BoardEvent::Wants(what) => Some(what.clone()),
            _ => None,
        })
    }

    /// Which of the boards behind a port is meant: the named one, or where there may be several the one that it was.
    pub(crate) fn wanted(&self) -> Option<&str> {
        self.unit.as_deref().or(self.number.as_deref().filter(|_| self.shares()))
    }

    /// Whether several boards may be behind one port.
    fn shares(&self) -> bool {
        self.maker.transports().shared.is_some()
    }

    /// A port was opened; `others_left` if there are more that could be the board.
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

    /// A port could not be opened, or the open one broke.
    pub fn failed(&mut self, error: LinkError, now: Instant) {
        if matches!(self.state, State::Stopped) {
            return;
        }
        let linked = self.linked.take().map(|since| now.since(since));
        let wait = self.backoff.after(&error, linked);
        self.close(now + wait);
        // That a lost board's port is not there is what losing it means.
        let consequence = matches!(error, LinkError::Missing { .. } | LinkError::NoneFound { .. });
        let news = match &self.told {
            None => true,
            Some(told) => !consequence && !told.same_as(&error),
        };
        if news {
            self.told = Some(error.clone());
            self.events.push_back(BoardEvent::Lost(error));
        }
    }

    /// Bytes that arrived at `now`.
    pub fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.on_bytes(bytes, now);
            self.after(now);
        }
    }

    /// Time has come to `now`.
    pub fn on_time(&mut self, now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.on_time(now);
            if self.flood.is_calm(now) {
                open.driver.order(&BoardCommand::AskDump, now);
            }
            self.after(now);
        }
    }

    /// When time alone will do something.
    pub fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Closed { open_at } => Some(*open_at),
            State::Open(open) => [open.driver.deadline(), self.flood.calm_at()].into_iter().flatten().min(),
            State::Stopped => None,
        }
    }

    /// Bytes to write now, one command at a time.
    pub fn next_write(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    /// What [`next_write`](Self::next_write) gave is on the line.
    pub fn wrote(&mut self, now: Instant) {
        if let State::Open(open) = &mut self.state {
            open.driver.wrote(now);
        }
    }

    /// What happened, in its order.
    pub fn next_event(&mut self) -> Option<BoardEvent> {
        self.events.pop_front()
    }

    /// Leaves the board silent and opens nothing any more. What comes back is how long the first of the last writes
    /// has to wait.
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
        // Text and lights are what a new connection should still show.
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

    /// Collects what the driver says and closes the port if it gave up.
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

    /// This port is not the board: the next one is tried, if the port is looked for.
    fn passed_over(&mut self, error: LinkError, now: Instant) {
        let others_left = matches!(&self.state, State::Open(open) if open.others_left);
        if self.auto && others_left {
            self.close(now);
        } else if self.auto && matches!(error, LinkError::NoAnswer { .. }) {
            self.failed(self.maker.not_found(), now);
        } else {
            self.failed(error, now);
        }
    }

    fn close(&mut self, open_at: Instant) {
        self.state = State::Closed { open_at };
        // What was still to be written belongs to the line that is closed.
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
            if event.shows_all() {
                self.linked.get_or_insert(now);
                if self.told.take().is_some() {
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

    /// Why what tells this is not the board that is wanted, if it is not.
    fn not_the_board(&self, event: &BoardEvent) -> Option<LinkError> {
        let State::Open(open) = &self.state else { return None };
        let port = open.port.clone();
        // The named board may be on another wire, until it was on this one.
        if let BoardEvent::Wants(_) = event
            && (self.auto && open.others_left && self.unit.is_some() && self.number.is_none())
        {
            return Some(LinkError::NoAnswer { port, maker: self.maker.name() });
        }
        // With two boards in the room, the one that was lost is looked for.
        if let BoardEvent::Identified(info) = event
            && let (Some(expected), Some(found)) = (&self.number, info.number())
            && (self.remembers() && expected != found)
        {
            let (expected, found) = (expected.clone(), found.to_owned());
            return Some(LinkError::OtherBoard { port, expected, found });
        }
        None
    }

    /// Whether the board is looked for by its number after a break.
    fn remembers(&self) -> bool {
        self.auto || self.shares()
    }

    /// Keeps what the next connection has to know.
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

    /// Passes an event on, if the board has not told too much of late.
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
