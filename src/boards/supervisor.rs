//! Keeps one board connected: opens its port, drives it, and after a break opens it again.
//!
//! [`Session`] decides and does no IO; the thread below it reads, stamps and writes.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::address::{LiveAddress, Place};
use super::backoff::Backoff;
use super::capture::Direction;
use super::discover::{Likely, discover};
use super::driver::{Carrier, Connection, Driver, Failure, Order};
use super::event::{BoardEvent, BoardInfo};
use super::flood::{Admitted, Flood};
use super::lights::Lights;
use super::link::ble::{Radio, Wanted};
use super::link::{Link, LinkError, SerialLink, SerialSettings, TcpLink, WebLink, join};
use super::notes::Notes;
use crate::makers::Maker;
use tabiya_types::{Instant, Millis, Sentence, Timeline};

/// How long the thread waits for bytes before it looks whether it was told something.
const LONGEST_READ: Duration = Duration::from_millis(50);
/// Orders that wait for the thread; more are dropped, as each can be given again.
const LONGEST_ORDERS: usize = 64;
/// Between two of the last writes to a board that is let go.
const LAST_WRITES: Millis = Millis(150);
/// How long a line that others use is waited for then: whoever lets a board go waits too.
const LAST_TURN: Millis = Millis(300);

/// Where events go, each with the moment at which its bytes arrived. It may wait, and the board
/// waits with it.
pub type Sink = Box<dyn FnMut(Instant, BoardEvent) + Send>;
/// Where raw bytes go: captures and the monitor.
pub type Tap = Box<dyn FnMut(Instant, Direction, &[u8]) + Send>;

/// The life of one board's connection, from first attempt to stop. No IO, no time of its own.
pub struct Session {
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

impl Session {
    /// Nothing is open; the first attempt is due at once.
    pub fn new(address: &LiveAddress, notes: Notes, now: Instant) -> Self {
        Self {
            maker: address.maker,
            unit: address.unit.clone(),
            notes,
            auto: address.place == Place::Auto,
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

    /// Which of the boards behind a port is meant: the named one, or where there may be several the one that it was.
    fn wanted(&self) -> Option<&str> {
        self.unit.as_deref().or(self.number.as_deref().filter(|_| self.shares()))
    }

    /// Whether several boards may be behind one port.
    fn shares(&self) -> bool {
        self.maker.entry().ways.shared.is_some()
    }

    /// A port was opened; `others_left` if there are more that could be the board.
    pub fn opened(&mut self, port: String, carrier: Carrier, others_left: bool, now: Instant) {
        let connection = Connection { carrier, unit: self.wanted(), notes: &self.notes, passive: false };
        let mut driver = (self.maker.entry().driver)(&connection, now);
        if let Some(text) = &self.text {
            driver.order(&Order::Show(text.clone()), now);
        }
        if !self.lights.is_dark() {
            driver.order(&Order::Light(self.lights), now);
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
                open.driver.order(&Order::AskDump, now);
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

    fn order(&mut self, order: &Order, now: Instant) {
        // Text and lights are what a new connection should still show.
        match order {
            Order::Show(text) => self.text = Some(text.clone()),
            Order::EndDisplay => self.text = None,
            Order::Light(lights) => self.lights = *lights,
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
            Failure::Silent => self.failed(LinkError::Silent { port }, now),
            Failure::NotABoard => {
                let maker = self.maker.entry().name;
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
            self.failed(none_found(self.maker), now);
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
        let (mut other, mut absent) = (None, false);
        let remembers = self.auto || self.maker.entry().ways.shared.is_some();
        while let Some(event) = open.driver.next_event() {
            match &event {
                // The named board may be on another wire, until it was on this one.
                BoardEvent::Wants(_)
                    if self.auto && open.others_left && self.unit.is_some() && self.number.is_none() =>
                {
                    absent = true;
                    break;
                }
                BoardEvent::Identified(info) if remembers => {
                    // With two boards in the room, the one that was lost is looked for.
                    match (&self.number, info.number()) {
                        (Some(expected), Some(found)) if expected != found => {
                            other = Some((expected.clone(), found.to_owned()));
                            break;
                        }
                        (None, Some(found)) => self.number = Some(found.to_owned()),
                        (Some(_), Some(_)) | (_, None) => {}
                    }
                }
                BoardEvent::Remember { name, value } => self.notes.set(name, value),
                BoardEvent::Observed(_)
                | BoardEvent::Identified(_)
                | BoardEvent::Lost(_)
                | BoardEvent::Wants(_)
                | BoardEvent::Declared(_)
                | BoardEvent::Battery { .. }
                | BoardEvent::ClockTimes(_)
                | BoardEvent::ClockFound(_)
                | BoardEvent::ClockGone
                | BoardEvent::ClockButton(_)
                | BoardEvent::ClockRefused { .. }
                | BoardEvent::Tag { .. }
                | BoardEvent::Back
                | BoardEvent::Damage { .. }
                | BoardEvent::Unknown { .. } => {}
            }
            if event.shows_all() {
                self.linked.get_or_insert(now);
                if self.told.take().is_some() {
                    self.events.push_back(BoardEvent::Back);
                }
            }
            let news = matches!(
                event,
                BoardEvent::Identified(_) | BoardEvent::Remember { .. } | BoardEvent::Wants(_)
            );
            match if news { Admitted::Yes } else { self.flood.admits(now) } {
                Admitted::Yes => self.events.push_back(event),
                Admitted::NoAnd(instead) => self.events.push_back(instead),
                Admitted::No => {}
            }
        }
        if let Some((expected, found)) = other {
            let port = open.port.clone();
            self.passed_over(LinkError::OtherBoard { port, expected, found }, now);
        } else if absent {
            let (port, maker) = (open.port.clone(), self.maker.entry().name);
            self.passed_over(LinkError::NoAnswer { port, maker }, now);
        }
    }
}

/// Opens ports, one attempt a call.
trait Opener: Send {
    /// A port's name and the port, for this one of several boards behind it. Returns early, with whatever error, when
    /// `stop` is set.
    fn open(&mut self, unit: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError>;
    /// Whether the next call tries another port than a first one would.
    fn others_left(&self) -> bool {
        false
    }
    /// The port that was opened last is the board.
    fn found(&mut self, _port: &str) {}
}

/// One port that people have named, or that a function opens.
struct Named<F> {
    name: String,
    open: F,
}

impl<F: FnMut(Option<&str>) -> Result<Box<dyn Link>, LinkError> + Send> Opener for Named<F> {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        Ok((self.name.clone(), (self.open)(unit)?))
    }
}

/// A line of this maker's boards for one of them: its own, or one that its neighbours use too.
fn line(
    maker: Maker,
    unit: Option<&str>,
    name: &str,
    open: impl FnOnce() -> Result<Box<dyn Link>, LinkError>,
) -> Result<Box<dyn Link>, LinkError> {
    match maker.entry().ways.shared {
        None => open(),
        Some(sharing) => join(name, unit, sharing, open),
    }
}

/// A serial port of this maker's boards.
fn serial(maker: Maker, unit: Option<&str>, port: &str) -> Result<Box<dyn Link>, LinkError> {
    let settings = maker.entry().ways.serial.unwrap_or(SerialSettings::PLAIN_9600);
    // Links and other spellings lead to the same port.
    let name =
        std::fs::canonicalize(port).map_or_else(|_| port.to_owned(), |path| path.display().to_string());
    line(maker, unit, &name, || Ok(Box::new(SerialLink::open(port, settings)?)))
}

/// All ports that may be the board, in turn.
struct Search {
    maker: Maker,
    /// The ports of this round that were not tried yet, the next one last.
    left: Vec<String>,
    /// Where the board was: it is looked for there first.
    last: Option<String>,
}

impl Opener for Search {
    fn open(&mut self, unit: Option<&str>, _: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let none = none_found(self.maker);
        if self.maker.entry().ways.serial.is_none() {
            return Err(none);
        }
        if self.left.is_empty() {
            let found = discover().into_iter().filter(|port| port.likely != Likely::Other);
            self.left = in_turn(found.map(|port| port.port).collect(), self.last.as_deref());
        }
        let mut error = none;
        while let Some(port) = self.left.pop() {
            match serial(self.maker, unit, &port) {
                Ok(link) => return Ok((port, link)),
                // What a person can put right is worth more than that nothing was found.
                Err(
                    refusal @ (LinkError::NoPermission { .. }
                    | LinkError::Busy { .. }
                    | LinkError::Taken { .. }),
                ) => error = refusal,
                Err(_) => {}
            }
        }
        Err(error)
    }

    fn others_left(&self) -> bool {
        !self.left.is_empty()
    }

    fn found(&mut self, port: &str) {
        if self.last.as_deref() != Some(port) {
            self.last = Some(port.to_owned());
        }
        self.left.clear();
    }
}

/// A board over Bluetooth LE.
struct OverBle {
    radio: Radio,
    wanted: Wanted,
}

impl Opener for OverBle {
    fn open(&mut self, _: Option<&str>, stop: &AtomicBool) -> Result<(String, Box<dyn Link>), LinkError> {
        let link = self.radio.open(&self.wanted, stop)?;
        Ok((Place::Ble(self.wanted.which.clone()).to_string(), Box::new(link)))
    }
}

/// The ports as a stack, likeliest on top, the one where the board was above all.
fn in_turn(mut ports: Vec<String>, last: Option<&str>) -> Vec<String> {
    ports.reverse();
    ports.sort_by_key(|port| Some(port.as_str()) == last);
    ports
}

fn opener(address: &LiveAddress) -> Box<dyn Opener> {
    let maker = address.maker;
    match address.place.clone() {
        Place::Serial(port) => {
            let name = port.clone();
            let open = move |unit: Option<&str>| serial(maker, unit, &port);
            Box::new(Named { name, open })
        }
        Place::Tcp { host, port } => {
            let name = Place::Tcp { host: host.clone(), port }.to_string();
            let line_name = name.clone();
            let open = move |unit: Option<&str>| {
                line(maker, unit, &line_name, || Ok(Box::new(TcpLink::open(&host, port)?)))
            };
            Box::new(Named { name, open })
        }
        Place::Ble(which) => {
            if let Some(gatt) = maker.entry().ways.ble {
                let wanted = Wanted { maker, gatt, which };
                return Box::new(OverBle { radio: Radio::shared(), wanted });
            }
            let open = move |_: Option<&str>| Err(none_found(maker));
            Box::new(Named { name: "ble".to_owned(), open })
        }
        Place::Web { host, port } => {
            let name = Place::Web { host: host.clone(), port }.to_string();
            let path = address.maker.entry().ways.web.map_or("/", |web| web.path);
            let maker = address.maker.entry().name;
            let open = move |_: Option<&str>| {
                Ok(Box::new(WebLink::open(&host, port, path, maker)?) as Box<dyn Link>)
            };
            Box::new(Named { name, open })
        }
        // A program that offers boards runs on this computer, if it is not named.
        Place::Auto if let Some(web) = address.maker.entry().ways.web => {
            let place = Place::Web { host: "localhost".to_owned(), port: web.port };
            opener(&LiveAddress { place, ..address.clone() })
        }
        // Boards that are only there over Bluetooth LE are looked for there.
        Place::Auto if address.maker.entry().ways.serial.is_none() => {
            opener(&LiveAddress { place: Place::Ble(None), ..address.clone() })
        }
        Place::Auto => Box::new(Search { maker, left: Vec::new(), last: None }),
    }
}

/// A board that is being kept connected. Dropping it stops it.
pub struct Handle {
    orders: SyncSender<Order>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// Asks for the whole board.
    pub fn ask_dump(&self) {
        self.tell(Order::AskDump);
    }

    /// Asks for the battery; boards without one stay silent.
    pub fn ask_battery(&self) {
        self.tell(Order::AskBattery);
    }

    /// Leaves the board silent, closes its port and waits until that is done. The sink must not
    /// wait for whoever calls this.
    pub fn stop(mut self) {
        self.join();
    }

    /// Has the board do something; what it cannot do it does not.
    pub fn tell(&self, order: Order) {
        // A full queue means a thread that waits for its sink; the order can be given again.
        let _ = self.orders.try_send(order);
    }

    fn join(&mut self) {
        self.stop.store(true, Ordering::Release);
        self.tell(Order::Wake);
        if let Some(thread) = self.thread.take() {
            // The thread's own panic was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.join();
    }
}

/// Keeps the board of `address` connected on a thread of its own, until the handle is stopped.
/// `Err` only if the system has no thread left; a port that does not open is a
/// [`BoardEvent::Lost`], and is tried again.
pub fn spawn(
    address: &LiveAddress,
    notes: Notes,
    timeline: Arc<dyn Timeline>,
    sink: Sink,
    tap: Option<Tap>,
) -> io::Result<Handle> {
    start(address, notes, opener(address), timeline, sink, tap)
}

/// Like [`spawn`], over a line that `open` makes: simulators and tests. The address's place is only a name in
/// sentences.
pub fn spawn_over(
    address: &LiveAddress,
    mut open: impl FnMut() -> Result<Box<dyn Link>, LinkError> + Send + 'static,
    timeline: Arc<dyn Timeline>,
    sink: Sink,
    tap: Option<Tap>,
) -> io::Result<Handle> {
    let name = address.place.to_string();
    let open = move |_: Option<&str>| open();
    start(address, Notes::NONE, Box::new(Named { name, open }), timeline, sink, tap)
}

fn start(
    address: &LiveAddress,
    notes: Notes,
    opener: Box<dyn Opener>,
    timeline: Arc<dyn Timeline>,
    sink: Sink,
    tap: Option<Tap>,
) -> io::Result<Handle> {
    let (orders, inbox) = mpsc::sync_channel(LONGEST_ORDERS);
    let stop = Arc::new(AtomicBool::new(false));
    let session = Session::new(address, notes, timeline.now());
    let mut keeper =
        Keeper { session, opener, link: None, timeline, sink, tap, inbox, stop: Arc::clone(&stop) };
    let thread = thread::Builder::new().name("board".to_owned()).spawn(move || keeper.run())?;
    Ok(Handle { orders, stop, thread: Some(thread) })
}

/// A board that was asked.
#[derive(Clone, Debug)]
pub struct Probed {
    /// What it says of itself.
    pub info: BoardInfo,
    /// What people have to do before it tells its position.
    pub wants: Option<Sentence>,
}

/// Opens the port of `address` once, asks what is there and leaves it again. Waits up to about
/// four seconds a port, over Bluetooth's serial profile twenty, on a bus with several boards 5 to 18.
pub fn probe(address: &LiveAddress, notes: Notes, timeline: &dyn Timeline) -> Result<Probed, LinkError> {
    let mut opener = opener(address);
    let mut session = Session::new(address, notes, timeline.now());
    loop {
        let (port, mut link) = opener.open(session.wanted(), &AtomicBool::new(false))?;
        session.opened(port, link.carrier(), opener.others_left(), timeline.now());
        while session.keeps_port() {
            let now = timeline.now();
            let bytes = link.read(patience(&session, now)).map_err(before_an_answer)?;
            let now = timeline.now();
            session.on_bytes(&bytes, now);
            session.on_time(now);
            let wants = session.events.iter().find_map(|event| match event {
                BoardEvent::Wants(what) => Some(what.clone()),
                _ => None,
            });
            let info = if session.ready() || wants.is_some() { session.info().cloned() } else { None };
            if info.is_some() {
                let wait = session.stop(now);
                pause(&mut *link, wait, timeline);
                while let Some(bytes) = session.next_write()
                    && last_write(&mut *link, &bytes, timeline)
                {}
            }
            while let Some(bytes) = session.next_write() {
                link.write_all(&bytes).map_err(before_an_answer)?;
                let now = timeline.now();
                session.on_bytes(&link.heard_before(), now);
                session.wrote(now);
            }
            if let Some(info) = info {
                return Ok(Probed { info, wants });
            }
        }
        while let Some(event) = session.next_event() {
            if let BoardEvent::Lost(error) = event {
                return Err(error);
            }
        }
    }
}

fn none_found(maker: Maker) -> LinkError {
    LinkError::NoneFound { maker: maker.entry().name, prefix: maker.entry().prefix }
}

/// What it means for people that a line broke on which no board had answered yet: there is nothing to go back to.
fn before_an_answer(error: LinkError) -> LinkError {
    match error {
        LinkError::Vanished { port, source } => LinkError::BrokeOff { port, source },
        error => error,
    }
}

/// A pause that ends when the line does. What is heard meanwhile is not listened to.
fn pause(link: &mut dyn Link, length: Millis, timeline: &dyn Timeline) {
    let until = timeline.now() + length;
    while timeline.now() < until && link.read(LONGEST_READ).is_ok() {}
}

/// Writes to a board that is let go, if the line is free soon; whether it was.
fn last_write(link: &mut dyn Link, bytes: &[u8], timeline: &dyn Timeline) -> bool {
    let until = timeline.now() + LAST_TURN;
    link.write_unless(bytes, &|| timeline.now() >= until).is_ok_and(|written| written)
}

/// How long to wait for bytes: until the session has something to do, and never long.
fn patience(session: &Session, now: Instant) -> Duration {
    let due = session.deadline().map_or(LONGEST_READ, |due| Duration::from_millis(due.since(now).0));
    due.clamp(Duration::from_millis(1), LONGEST_READ)
}

/// The thread: reads, stamps, writes, passes on.
struct Keeper {
    session: Session,
    opener: Box<dyn Opener>,
    link: Option<Box<dyn Link>>,
    timeline: Arc<dyn Timeline>,
    sink: Sink,
    tap: Option<Tap>,
    inbox: Receiver<Order>,
    stop: Arc<AtomicBool>,
}

impl Keeper {
    fn run(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            match self.link.take() {
                Some(link) => self.read(link),
                None => self.wait(),
            }
        }
        let wait = self.session.stop(self.timeline.now());
        if let Some(mut link) = self.link.take() {
            self.take_leave(&mut *link, wait);
        }
    }

    /// Reads once, and keeps the link if it is still good.
    fn read(&mut self, mut link: Box<dyn Link>) {
        let read = link.read(patience(&self.session, self.timeline.now()));
        let now = self.timeline.now();
        match read {
            Ok(bytes) => {
                self.tap(now, Direction::FromDevice, &bytes);
                self.session.on_bytes(&bytes, now);
                self.session.on_time(now);
                while let Ok(order) = self.inbox.try_recv() {
                    self.session.order(&order, now);
                }
                self.write(&mut *link);
            }
            Err(error) => self.session.failed(error, now),
        }
        if self.session.ready()
            && let State::Open(open) = &self.session.state
        {
            self.opener.found(&open.port);
        }
        if self.session.keeps_port() {
            self.link = Some(link);
        }
        self.tell(now);
    }

    /// Without a port: opens one if it is time, else waits for that time or for an order.
    fn wait(&mut self) {
        let now = self.timeline.now();
        if self.session.wants_port(now) {
            match self.opener.open(self.session.wanted(), &self.stop) {
                Ok((port, mut link)) => {
                    let (carrier, others_left) = (link.carrier(), self.opener.others_left());
                    self.session.opened(port, carrier, others_left, self.timeline.now());
                    self.write(&mut *link);
                    if self.session.keeps_port() {
                        self.link = Some(link);
                    }
                }
                // Whoever stops it gets any error, and nobody wants to hear of it.
                Err(_) if self.stop.load(Ordering::Acquire) => return,
                Err(error) => self.session.failed(error, self.timeline.now()),
            }
            self.tell(now);
            return;
        }
        match self.inbox.recv_timeout(patience(&self.session, now)) {
            Ok(order) => self.session.order(&order, now),
            Err(RecvTimeoutError::Timeout) => {}
            // The handle is gone, and with it whoever wanted this board.
            Err(RecvTimeoutError::Disconnected) => self.stop.store(true, Ordering::Release),
        }
    }

    fn write(&mut self, link: &mut dyn Link) {
        while let Some(bytes) = self.session.next_write() {
            let stop = Arc::clone(&self.stop);
            let written = link.write_unless(&bytes, &|| stop.load(Ordering::Acquire));
            // A shared line may have been waited for.
            let now = self.timeline.now();
            match written {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return self.session.failed(error, now),
            }
            let before = link.heard_before();
            self.tap(now, Direction::FromDevice, &before);
            self.session.on_bytes(&before, now);
            self.session.wrote(now);
            self.tap(now, Direction::ToDevice, &bytes);
        }
    }

    /// The last writes, with as much time between them as every board needs; what it still says is not heard.
    fn take_leave(&mut self, link: &mut dyn Link, mut wait: Millis) {
        while let Some(bytes) = self.session.next_write() {
            pause(link, wait, &*self.timeline);
            wait = LAST_WRITES;
            if !last_write(link, &bytes, &*self.timeline) {
                return;
            }
            self.tap(self.timeline.now(), Direction::ToDevice, &bytes);
        }
        // A line that is closed at once may lose what was written last.
        pause(link, wait, &*self.timeline);
    }

    fn tap(&mut self, at: Instant, direction: Direction, bytes: &[u8]) {
        if let Some(tap) = &mut self.tap
            && !bytes.is_empty()
        {
            tap(at, direction, bytes);
        }
    }

    fn tell(&mut self, at: Instant) {
        while let Some(event) = self.session.next_event() {
            (self.sink)(at, event);
        }
    }
}

#[cfg(test)]
mod tests;
