//! The loop behind a window: wishes, board and time in one inbox on a thread of its own; snapshots out.
//!
//! The screen's thread never waits for this one. If this one breaks down, the screen sees that the
//! snapshots have no writer any more.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::{Desk, Order, SimulatedMove, Wish};
use crate::board_notes::BoardNotes;
use crate::files;
use crate::signals::StopSignals;
use crate::sleep::{ClockPair, SleepWatch};
use crate::snapshot::{FoundBoard, SimulatedView, Snapshot};
use crate::time::RealTime;
use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::{Direction, Header as CaptureHeader, Writer};
use tabiya_boards::catalog::USUAL;
use tabiya_boards::maker::Maker;
use tabiya_boards::near::{only, over_the_air};
use tabiya_boards::notes::Notes;
use tabiya_boards::ports::{Likely, discover};
#[cfg(unix)]
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions, after_move};
use tabiya_boards::supervisor::{self, Handle};
use tabiya_cards::{self as cards, CardEvent, WriteError};
use tabiya_types::{Board, Instant, Role, Timeline};

/// How many events are taken before the screens are told.
const BATCH: usize = 256;
/// How often it is looked at what shines on a simulated board.
const LAMPS: std::time::Duration = std::time::Duration::from_millis(200);

/// Everything that wakes the desk.
enum Event {
    Wish(Instant, Wish),
    /// From the connection of that number.
    Board(u32, Instant, BoardEvent),
    Bytes(u32, Instant, Direction, Vec<u8>),
    CaptureFailed(String),
    Found(Vec<FoundBoard>),
    /// From the readers' thread of that number.
    Card(u32, Instant, CardEvent),
    /// The only board that is near, looked for under that link's number.
    Only(u32, Result<LiveAddress, String>),
    Printed(Result<(), String>),
    Close,
}

/// How an inbox was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inbox {
    Empty,
    MoreWaits,
    /// The window was closed.
    Ended,
}

/// A desk at work on its own thread.
#[derive(Debug)]
pub struct Running {
    inbox: UnboundedSender<Event>,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    timeline: RealTime,
    alive: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Hands a wish in. Never waits.
    pub fn wish(&self, wish: Wish) {
        // A desk that has ended is shown as such.
        drop(self.inbox.send(Event::Wish(self.timeline.now(), wish)));
    }

    /// The newest snapshot. Never waits.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// The program's own time.
    pub fn now(&self) -> Instant {
        self.timeline.now()
    }

    /// Whether the desk still works.
    pub fn alive(&self) -> bool {
        self.alive.load(Ordering::Acquire)
    }

    /// Lets everything go, safely written, and waits for that. To be called once, at the end.
    pub fn end(&mut self) {
        drop(self.inbox.send(Event::Close));
        if let Some(thread) = self.thread.take() {
            // One that broke down has told so on its way.
            drop(thread.join());
        }
    }
}

/// Starts a desk. `changed` is called after each new snapshot, from the desk's thread.
pub fn start(desk: Desk, changed: impl Fn() + Send + 'static) -> std::io::Result<Running> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let timeline = RealTime::starting_at(Instant::ZERO);
    let alive = Arc::new(AtomicBool::new(true));
    let (inbox, events) = unbounded_channel();
    let (publish, snapshots) = watch::channel(Arc::new(desk.snapshot(timeline.now())));
    let work = Work {
        desk,
        events,
        inbox: inbox.clone(),
        publish,
        changed: Box::new(changed),
        timeline: timeline.clone(),
        board: None,
        simulator: None,
        maker: None,
        capture: Arc::default(),
        published: None,
        alive: alive.clone(),
        link: 0,
        readers: None,
        readers_number: 0,
        watched: Arc::default(),
    };
    let thread =
        std::thread::Builder::new().name("desk".to_owned()).spawn(move || runtime.block_on(work.run()))?;
    Ok(Running { inbox, snapshots, timeline, alive, thread: Some(thread) })
}

type Capture = Arc<Mutex<Option<Writer<std::fs::File>>>>;

struct Work {
    desk: Desk,
    events: UnboundedReceiver<Event>,
    inbox: UnboundedSender<Event>,
    publish: watch::Sender<Arc<Snapshot>>,
    changed: Box<dyn Fn() + Send>,
    timeline: RealTime,
    board: Option<Handle>,
    simulator: Option<Simulator>,
    /// Whose board is connected.
    maker: Option<Maker>,
    capture: Capture,
    /// The version of the desk that the screens have.
    published: Option<u64>,
    /// Whether this loop runs.
    alive: Arc<AtomicBool>,
    /// The number of the present connection; what others tell counts no more.
    link: u32,
    /// The card readers, while somebody needs them.
    readers: Option<cards::Handle>,
    /// The number of their present thread; what earlier ones tell counts no more.
    readers_number: u32,
    /// Whether somebody looks at the raw bytes.
    watched: Arc<AtomicBool>,
}

/// However the loop ends, the screens are told.
impl Drop for Work {
    fn drop(&mut self) {
        self.alive.store(false, Ordering::Release);
        (self.changed)();
    }
}

impl Work {
    async fn run(mut self) {
        let mut stop = StopSignals::listen().ok();
        self.desk.look();
        let mut open = true;
        let mut sleep = SleepWatch::default();
        while open {
            // Read before the inbox: what is due at this moment comes after all that was stamped before it.
            let now = self.timeline.now();
            match self.take_waiting() {
                Inbox::Ended => open = false,
                Inbox::MoreWaits => {}
                Inbox::Empty => {
                    if self.desk.deadline().is_some_and(|due| due <= now) {
                        self.desk.time(now);
                    }
                }
            }
            self.obey_orders();
            if let Some(board) = &self.board {
                for order in self.desk.board_orders(self.timeline.now()) {
                    board.tell(order);
                }
            }
            if let Some(simulator) = &self.simulator {
                self.desk.simulated(simulator.view());
            }
            self.watched.store(self.desk.watches_bytes(), Ordering::Relaxed);
            self.publish();
            // The screens do not wait for the evening's files to be read.
            self.desk.catch_up();
            self.publish();
            if !open {
                break;
            }
            let due = self.desk.deadline();
            if due.is_some_and(|due| self.timeline.nap_until(due)) {
                continue;
            }
            let due = due.map(|due| self.timeline.roughly_until(due));
            // Nobody tells when the lamps of a simulated board change.
            let longest = self.simulator.as_ref().map_or(std::time::Duration::from_hours(1), |_| LAMPS);
            let due = due.unwrap_or(longest).min(longest);
            let event = tokio::select! {
                biased;
                () = asked(&mut stop) => {
                    self.desk.close();
                    // The window closes itself and then says so.
                    stop = None;
                    continue;
                }
                event = self.events.recv() => Some(event),
                () = tokio::time::sleep(due) => None,
            };
            // What had come in before was taken; whatever comes now comes after the sleep.
            if let Some(slept) = sleep.look(ClockPair::now()) {
                self.desk.slept(slept, self.timeline.now());
            }
            match event {
                Some(Some(event)) => open = self.handle(event),
                Some(None) => open = false,
                None => {}
            }
        }
        if let Some(board) = self.board.take() {
            board.stop();
        }
        (self.simulator, self.readers) = (None, None);
        self.desk.end(self.timeline.now());
    }

    /// Takes what has come in already, each at its own moment: it may have happened before something that
    /// is due, and then it comes first.
    fn take_waiting(&mut self) -> Inbox {
        for _ in 0..BATCH {
            let Ok(event) = self.events.try_recv() else { return Inbox::Empty };
            if !self.handle(event) {
                return Inbox::Ended;
            }
        }
        Inbox::MoreWaits
    }

    /// Whether the desk goes on. What a wish asks of the world is done before the next event: what an old
    /// board still tells then counts no more.
    fn handle(&mut self, event: Event) -> bool {
        match event {
            Event::Wish(at, wish) => {
                self.desk.wish(wish, at);
                self.obey_orders();
            }
            Event::Board(link, at, event) if link == self.link => self.desk.board(&event, at),
            Event::Bytes(link, at, direction, bytes) if link == self.link => {
                self.desk.bytes(direction, &bytes, at);
            }
            Event::Board(..) | Event::Bytes(..) => {}
            Event::Card(number, at, event) if number == self.readers_number => {
                self.desk.cards(&event, at);
                self.obey_orders();
            }
            Event::Card(..) => {}
            Event::Found(found) => self.desk.found(found),
            // The board that was looked for is not wanted any more.
            Event::Only(link, _) if link != self.link => {}
            Event::Only(_, Ok(address)) => self.connect(&address),
            Event::Only(_, Err(sentence)) => self.desk.board_failed(sentence),
            Event::Printed(done) => self.desk.printed(done, self.timeline.now()),
            Event::CaptureFailed(sentence) => self.desk.capturing(Err(sentence), self.timeline.now()),
            Event::Close => return false,
        }
        true
    }

    fn obey_orders(&mut self) {
        for order in self.desk.take_orders() {
            self.obey(order);
        }
    }

    /// Shows the screens what has changed, if anything has.
    fn publish(&mut self) {
        if self.published.replace(self.desk.version()) != Some(self.desk.version()) {
            self.publish.send_replace(Arc::new(self.desk.snapshot(self.timeline.now())));
            (self.changed)();
        }
    }

    fn obey(&mut self, order: Order) {
        let now = self.timeline.now();
        match order {
            Order::Connect(address) => {
                self.disconnect();
                self.connect(&address);
            }
            Order::ConnectOnly => {
                self.disconnect();
                self.look_for_the_only_board();
            }
            Order::Simulate(maker, board) => {
                self.disconnect();
                match Simulator::start(maker, board) {
                    Ok(simulator) => {
                        // What is learnt of a simulated board is nothing to keep.
                        self.connect_knowing(&simulator.address(), simulator.notes(), false);
                        self.desk.simulated(simulator.view());
                        self.simulator = Some(simulator);
                    }
                    Err(sentence) => self.desk.board_failed(sentence),
                }
            }
            Order::Disconnect => self.disconnect(),
            Order::Read => {
                if let Some(board) = &self.board {
                    board.ask_dump();
                }
            }
            Order::Battery => {
                if let Some(board) = &self.board {
                    board.ask_battery();
                }
            }
            Order::Discover => self.discover(),
            Order::Print(text) => self.print(text),
            Order::Readers(on) => self.watch_readers(on),
            Order::WriteCard(reader, uid, record) => {
                let asked = match &self.readers {
                    Some(readers) => readers.write(&reader, uid, record),
                    None => Err(WriteError::NoReader),
                };
                if let Err(why) = asked {
                    self.desk.cards(&CardEvent::NotWritten { reader, why }, now);
                }
            }
            Order::Move(what) => {
                if let Some(simulator) = &mut self.simulator {
                    simulator.order(&what);
                    self.desk.simulated(simulator.view());
                }
            }
            Order::Capture(path) => {
                let done = self.save_bytes(path);
                self.desk.capturing(done, now);
            }
        }
    }

    fn connect(&mut self, address: &LiveAddress) {
        self.connect_knowing(address, BoardNotes::usual().of(address.maker), true);
    }

    /// Connects to a board of which this is known beforehand; `keeps`: what is learnt of it is kept.
    fn connect_knowing(&mut self, address: &LiveAddress, notes: Notes, keeps: bool) {
        let link = self.link;
        let (events, raw) = (self.inbox.clone(), self.inbox.clone());
        let (capture, watched) = (self.capture.clone(), self.watched.clone());
        let (maker, kept) = (address.maker, BoardNotes::usual());
        if let Some(trouble) = kept.trouble() {
            drop(events.send(Event::Board(link, self.timeline.now(), BoardEvent::Wants(trouble))));
        }
        let sink = Box::new(move |at, event| {
            let event = if keeps { kept.hear(maker, event) } else { event };
            drop(events.send(Event::Board(link, at, event)));
        });
        let tap = Box::new(move |at: Instant, direction, bytes: &[u8]| {
            if let Ok(mut capture) = capture.lock()
                && let Some(writer) = &mut *capture
                && let Err(error) = writer.write(at, direction, bytes)
            {
                // A capture that cannot be written must not stop a match: it ends, and that is told.
                *capture = None;
                drop(raw.send(Event::CaptureFailed(format!("the capture ends: {error}"))));
            }
            if watched.load(Ordering::Relaxed) {
                drop(raw.send(Event::Bytes(link, at, direction, bytes.to_vec())));
            }
        });
        match supervisor::spawn(address, notes, Arc::new(self.timeline.clone()), sink, Some(tap)) {
            Ok(board) => (self.board, self.maker) = (Some(board), Some(maker)),
            Err(error) => self.desk.board_failed(format!("the board cannot be watched here: {error}")),
        }
    }

    /// Starts the readers' thread, or lets it go.
    fn watch_readers(&mut self, on: bool) {
        self.readers_number += 1;
        let (number, inbox) = (self.readers_number, self.inbox.clone());
        self.readers = on.then(|| {
            let sink = Box::new(move |at, event| drop(inbox.send(Event::Card(number, at, event))));
            cards::spawn(Arc::new(self.timeline.clone()), sink)
        });
    }

    fn disconnect(&mut self) {
        self.link += 1;
        if let Some(board) = self.board.take() {
            board.stop();
        }
        (self.simulator, self.maker) = (None, None);
        let ended = self.capture.lock().is_ok_and(|mut capture| capture.take().is_some());
        if ended {
            self.desk.capturing(Ok(None), self.timeline.now());
        }
    }

    /// Listing ports can take long; it must not hold the clocks up.
    fn discover(&self) {
        let inbox = self.inbox.clone();
        let listing = move || {
            let ports = discover().into_iter().filter(|candidate| candidate.likely < Likely::Other);
            // Some gadgets' numbers are several makers'; a bare port is taken for the first maker's.
            let ports = ports.flat_map(|candidate| {
                let makers = if candidate.makers.is_empty() { vec![USUAL] } else { candidate.makers.clone() };
                makers.into_iter().map(move |maker| FoundBoard {
                    address: LiveAddress::serial(maker, &candidate.port).to_string(),
                    text: format!("{} ({candidate})", maker.name()),
                })
            });
            let ports: Vec<FoundBoard> = ports.collect();
            // What is plugged in is there at once; who is in the air takes a while.
            drop(inbox.send(Event::Found(ports.clone())));
            let seen = over_the_air().unwrap_or_default().into_iter();
            let seen =
                seen.map(|near| FoundBoard { address: near.address.to_string(), text: near.to_string() });
            drop(inbox.send(Event::Found(ports.into_iter().chain(seen).collect())));
        };
        drop(std::thread::Builder::new().name("discover".to_owned()).spawn(listing));
    }

    /// Looking for boards takes seconds; it must not hold the clocks up.
    fn look_for_the_only_board(&mut self) {
        self.link += 1;
        let (link, inbox, timeline) = (self.link, self.inbox.clone(), self.timeline.clone());
        let looking = move || {
            let only = only(None, &|maker| BoardNotes::usual().of(maker), &timeline)
                .map_err(|error| error.to_string());
            drop(inbox.send(Event::Only(link, only)));
        };
        drop(std::thread::Builder::new().name("look".to_owned()).spawn(looking));
    }

    /// A printer can be slow, and its program may not be there.
    fn print(&self, text: String) {
        let inbox = self.inbox.clone();
        let printing = move || drop(inbox.send(Event::Printed(print(&text))));
        drop(std::thread::Builder::new().name("print".to_owned()).spawn(printing));
    }

    fn save_bytes(&self, path: Option<PathBuf>) -> Result<Option<PathBuf>, String> {
        let writer = match &path {
            None => None,
            // A capture is one maker's bytes, and says whose.
            Some(path) => {
                let maker = self.maker.ok_or("there is no board to save bytes of; connect to one first")?;
                Some(capture_file(path, maker)?)
            }
        };
        let mut capture = self.capture.lock().map_err(|_| "the board's thread has broken down".to_owned())?;
        *capture = writer;
        Ok(path)
    }
}

/// Hands a text to the system's printer.
fn print(text: &str) -> Result<(), String> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    for program in ["lp", "lpr"] {
        let started =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let Ok(mut started) = started else { continue };
        let given = started.stdin.take().is_some_and(|mut input| input.write_all(text.as_bytes()).is_ok());
        return match started.wait() {
            Ok(status) if status.success() && given => Ok(()),
            Ok(_) | Err(_) => Err("the printer did not take it; save it as a file and print that".to_owned()),
        };
    }
    Err("there is no printer here (`lp` or `lpr`); save it as a file and print that".to_owned())
}

async fn asked(stop: &mut Option<StopSignals>) {
    match stop {
        Some(stop) => stop.asked().await,
        None => std::future::pending().await,
    }
}

fn capture_file(path: &Path, maker: Maker) -> Result<Writer<std::fs::File>, String> {
    if path.extension().is_some_and(|ending| ending == "tabiya") {
        return Err(format!("{}: the capture cannot be written here: name another file", path.display()));
    }
    files::capture_file(path, &CaptureHeader { capture: maker.prefix().to_owned(), device: None })
}

/// A simulated board of our own, behind a real pseudo-terminal.
#[cfg(unix)]
struct Simulator {
    host: SimHost,
    maker: Maker,
    port: String,
    board: Board,
    notes: Notes,
}

#[cfg(unix)]
impl Simulator {
    fn start(maker: Maker, board: Option<Board>) -> Result<Self, String> {
        let mut options = SimOptions { maker, stdin: false, ..SimOptions::default() };
        if let Some(board) = board {
            options.setup.board = board;
        }
        let host = SimHost::start(&options, |_| {})
            .map_err(|error| format!("the simulated board cannot start: {error}"))?;
        let port = host.port().map(|port| port.display().to_string());
        let port = port.ok_or("the simulated board has no port")?;
        let notes = (maker.entry().sim)(&options.setup).notes();
        Ok(Self { host, maker, port, board: options.setup.board, notes })
    }

    fn address(&self) -> LiveAddress {
        let unit = self.host.unit().map(str::to_owned);
        LiveAddress { unit, ..LiveAddress::serial(self.maker, &self.port) }
    }

    /// What is to be known of it beforehand: its pieces, its key.
    fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// What stands on it once all that was ordered is done, and what shines now.
    fn view(&self) -> SimulatedView {
        SimulatedView { board: self.board, lit: self.host.lit() }
    }

    fn order(&mut self, what: &SimulatedMove) {
        let command = match *what {
            SimulatedMove::Carry(from, to) => {
                let last = matches!(to.rank(), 0 | 7);
                let pawn = self.board[from].is_some_and(|piece| piece.role == Role::Pawn);
                let promotion = (pawn && last).then_some(Role::Queen);
                self.board = after_move(&self.board, from, to, promotion);
                let press = None;
                ScriptCommand::Move { from, to, promotion, press }
            }
            SimulatedMove::Put(square, piece) => {
                self.board[square] = Some(piece);
                ScriptCommand::Put(square, piece)
            }
            SimulatedMove::Take(square) => {
                self.board[square] = None;
                ScriptCommand::Lift(square)
            }
            SimulatedMove::Set(board) => {
                self.board = board;
                ScriptCommand::Board(board)
            }
            SimulatedMove::Press(color) => ScriptCommand::Press(color),
            SimulatedMove::Unplug => ScriptCommand::Unplug(None),
            SimulatedMove::Plug => ScriptCommand::Plug,
        };
        self.host.order(command);
    }
}

/// Pseudo-terminals are a Unix thing.
#[cfg(not(unix))]
struct Simulator;

#[cfg(not(unix))]
impl Simulator {
    fn start(_: Maker, _: Option<Board>) -> Result<Self, String> {
        Err("the simulated board needs a pseudo-terminal, which this system has not".to_owned())
    }

    fn address(&self) -> LiveAddress {
        LiveAddress::serial(tabiya_boards::makers::dgt::MAKER, "")
    }

    fn notes(&self) -> Notes {
        Notes::NONE
    }

    fn view(&self) -> SimulatedView {
        SimulatedView { board: Board::EMPTY, lit: tabiya_types::Squares::NONE }
    }

    fn order(&mut self, _: &SimulatedMove) {}
}
