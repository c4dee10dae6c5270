//! The world around a desk, for the loop: the board, the box beside it, card readers, a printer, and looking for boards.
//!
//! Carries out the desk's [`Order`]s. What comes of them is told as a [`World`]: at once where it is known at once, else
//! through the loop's inbox. What takes long runs on a thread of its own, as clocks must not wait for it; only letting a
//! device go waits for its thread, which may just be connecting (three seconds at most, over TCP).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardPort, LiveAddress};
use tabiya_boards::capture::{CaptureHeader, CaptureWriter, Direction};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::USUAL;
use tabiya_boards::near::{only, over_the_air};
use tabiya_boards::notes::Notes;
use tabiya_boards::ports::{Likely, discover};
use tabiya_boards::supervisor::{self, BoardHandle, ByteTap};
use tabiya_cards::{self as cards, CardEvent, WriteError};
use tabiya_types::{Board, Instant, Timeline};

use super::DeskOrder;
use super::simulator::Simulator;
use super::table::TableSide;
use crate::snapshot::{FoundBoard, SimulatedView};
use crate::store::board_notes::BoardNotes;
use crate::store::files;
use crate::time::RealTime;

/// What devices and helpers tell.
#[derive(Debug)]
pub(super) enum World {
    /// From the connection of that number.
    Board(u32, Instant, BoardEvent),
    Bytes(u32, Instant, Direction, Vec<u8>),
    /// From the box beside the board, under its number.
    Beside(u32, Instant, BoardEvent),
    /// The board cannot even be begun with.
    BoardFailed(String),
    /// The box cannot even be begun with.
    BoxFailed(String),
    /// Raw bytes are saved there from now on, or no more; or why they are not.
    Captures(Result<Option<PathBuf>, String>),
    Found(Vec<FoundBoard>),
    /// From the readers' thread of that number.
    Card(u32, Instant, CardEvent),
    /// The only board that is near, looked for under that link's number.
    Only(u32, Result<LiveAddress, String>),
    Printed(Result<(), String>),
    /// What really stands on the simulated board.
    Simulates(SimulatedView),
}

/// Where it is told from other threads.
type Tell = Arc<dyn Fn(World) + Send + Sync>;

type Capture = Arc<Mutex<Option<CaptureWriter<std::fs::File>>>>;

/// The devices that a loop has.
pub(super) struct Devices {
    timeline: RealTime,
    tell: Tell,
    board: Option<BoardHandle>,
    /// Whose board is connected.
    maker: Option<Maker>,
    /// The number of the present connection; what others tell counts no more.
    link: u32,
    simulator: Option<Simulator>,
    /// The box beside the board, and where it is.
    beside: Option<(BoardHandle, BoardPort)>,
    /// The number of the present box; what earlier ones tell counts no more.
    beside_number: u32,
    capture: Capture,
    /// Whether the only board that is near is being looked for.
    looking: bool,
    /// Where its bytes are to be saved once it is found.
    to_capture: Option<PathBuf>,
    /// Whether somebody looks at the raw bytes.
    watched: Arc<AtomicBool>,
    /// The card readers, while somebody needs them.
    readers: Option<cards::CardReaders>,
    /// The number of their present thread; what earlier ones tell counts no more.
    readers_number: u32,
}

impl Devices {
    pub(super) fn new(timeline: RealTime, tell: Tell) -> Self {
        Self {
            timeline,
            tell,
            board: None,
            maker: None,
            link: 0,
            simulator: None,
            beside: None,
            beside_number: 0,
            capture: Arc::default(),
            looking: false,
            to_capture: None,
            watched: Arc::default(),
            readers: None,
            readers_number: 0,
        }
    }

    /// Whether there is a board or a box, which may tell something.
    pub(super) fn any(&self) -> bool {
        self.board.is_some() || self.beside.is_some()
    }

    /// Whether a simulated board of our own is there.
    pub(super) fn simulates(&self) -> bool {
        self.simulator.is_some()
    }

    /// Whether this is told by what is connected now.
    pub(super) fn counts(&self, event: &World) -> bool {
        match event {
            World::Board(link, ..) | World::Bytes(link, ..) | World::Only(link, _) => *link == self.link,
            World::Card(number, ..) => *number == self.readers_number,
            World::Beside(number, ..) => *number == self.beside_number,
            World::BoardFailed(_)
            | World::BoxFailed(_)
            | World::Captures(_)
            | World::Found(_)
            | World::Printed(_)
            | World::Simulates(_) => true,
        }
    }

    /// Tells board and box what they are to show now, and the table what stands on a simulated board.
    pub(super) fn steer(&self, table: &mut TableSide) {
        if let Some(board) = &self.board {
            for order in table.board_orders(self.timeline.now()) {
                board.tell(order);
            }
        }
        if let Some((beside, _)) = &self.beside {
            for order in table.box_orders(self.timeline.now()) {
                beside.tell(order);
            }
        }
        if let Some(simulator) = &self.simulator {
            table.simulated(simulator.view());
        }
        self.watched.store(table.watches_bytes(), Ordering::Relaxed);
    }

    /// Lets everything go.
    pub(super) fn stop(mut self) {
        (self.simulator, self.readers) = (None, None);
        if let Some(board) = self.board.take() {
            board.stop();
        }
        if let Some((beside, _)) = self.beside.take() {
            beside.stop();
        }
    }

    /// Does what the desk asks for. What comes of it at once is returned.
    pub(super) fn obey(&mut self, order: DeskOrder) -> Vec<World> {
        let mut told = Vec::new();
        match order {
            DeskOrder::Connect(address) => {
                told.extend(self.disconnect());
                told.extend(self.connect_found(&address));
            }
            DeskOrder::ConnectOnly => {
                told.extend(self.disconnect());
                self.look_for_the_only_board();
            }
            DeskOrder::Simulate(maker, board) => {
                told.extend(self.disconnect());
                told.push(self.simulate(maker, board));
            }
            DeskOrder::Disconnect => told.extend(self.disconnect()),
            DeskOrder::Beside(address) => {
                let failed = self.connect_box(&address).err();
                told.extend(failed.map(|error| World::BoxFailed(unwatched("box", &error))));
            }
            DeskOrder::Read => self.board.iter().for_each(BoardHandle::ask_dump),
            DeskOrder::Battery => self.board.iter().for_each(BoardHandle::ask_battery),
            DeskOrder::Move(what) => told.extend(self.simulator.as_mut().map(|simulator| {
                simulator.order(&what);
                World::Simulates(simulator.view())
            })),
            DeskOrder::Capture(path) if self.looking => self.to_capture = path,
            DeskOrder::Capture(path) => told.push(World::Captures(self.save_bytes(path))),
            DeskOrder::Discover => self.discover(),
            DeskOrder::Print(text) => self.print(text),
            DeskOrder::Readers(on) => self.watch_readers(on),
            DeskOrder::WriteCard(reader, uid, record) => {
                let asked = match &self.readers {
                    Some(readers) => readers.write(&reader, uid, record),
                    None => Err(WriteError::NoReader),
                };
                let failed = asked.err().map(|why| CardEvent::NotWritten { reader, why });
                let now = self.timeline.now();
                told.extend(failed.map(|event| World::Card(self.readers_number, now, event)));
            }
        }
        told
    }

    // ---- the board and the box ----

    /// Connects to a board whose bytes go into that file, if there is one.
    pub(super) fn connect(
        &mut self,
        address: &LiveAddress,
        capture: Option<CaptureWriter<std::fs::File>>,
    ) -> io::Result<()> {
        self.capture = Arc::new(Mutex::new(capture));
        self.connect_knowing(address, BoardNotes::usual().of(address.maker), true)
    }

    /// Connects to a board that was asked for or found.
    pub(super) fn connect_found(&mut self, address: &LiveAddress) -> Vec<World> {
        let failed = self.connect_knowing(address, BoardNotes::usual().of(address.maker), true).err();
        let failed = failed.map(|error| World::BoardFailed(unwatched("board", &error)));
        let captures = self.to_capture.take().map(|path| World::Captures(self.save_bytes(Some(path))));
        failed.into_iter().chain(captures).collect()
    }

    /// No board was found, or more than one. What was to be captured of it is told as not captured.
    pub(super) fn found_none(&mut self) -> Option<World> {
        self.looking = false;
        let unsaved = self.to_capture.take();
        unsaved.map(|path| World::Captures(self.save_bytes(Some(path))))
    }

    /// Connects to a board of which this is known beforehand; `keeps`: what is learnt of it is kept.
    fn connect_knowing(&mut self, address: &LiveAddress, notes: Notes, keeps: bool) -> io::Result<()> {
        let (link, maker) = (self.link, address.maker);
        let (tell, kept) = (self.tell.clone(), BoardNotes::usual());
        if let Some(trouble) = kept.trouble() {
            tell(World::Board(link, self.timeline.now(), BoardEvent::Wants(trouble)));
        }
        let sink = Box::new(move |at, event| {
            let event = if keeps { kept.hear(maker, event) } else { event };
            tell(World::Board(link, at, event));
        });
        let timeline = Arc::new(self.timeline.clone());
        self.board = Some(supervisor::spawn(address, notes, timeline, sink, Some(self.tap()))?);
        (self.maker, self.looking) = (Some(maker), false);
        Ok(())
    }

    /// Where the board's raw bytes go: into a capture, and to whoever looks at them.
    fn tap(&self) -> ByteTap {
        let (link, tell) = (self.link, self.tell.clone());
        let (capture, watched) = (self.capture.clone(), self.watched.clone());
        Box::new(move |at: Instant, direction, bytes: &[u8]| {
            if let Ok(mut capture) = capture.lock()
                && let Some(writer) = &mut *capture
                && let Err(error) = writer.write(at, direction, bytes)
            {
                // A capture that cannot be written must not stop a match: it ends, and that is told.
                *capture = None;
                tell(World::Captures(Err(format!("the capture ends: {error}"))));
            }
            if watched.load(Ordering::Relaxed) {
                tell(World::Bytes(link, at, direction, bytes.to_vec()));
            }
        })
    }

    /// Connects to a box beside the board, and keeps it connected whatever becomes of the board.
    pub(super) fn connect_box(&mut self, address: &LiveAddress) -> io::Result<()> {
        self.beside = None;
        self.beside_number += 1;
        let number = self.beside_number;
        let (maker, kept, tell) = (address.maker, BoardNotes::usual(), self.tell.clone());
        let notes = kept.of(maker);
        if let Some(trouble) = kept.trouble() {
            tell(World::Beside(number, self.timeline.now(), BoardEvent::Wants(trouble)));
        }
        let sink = Box::new(move |at, event| tell(World::Beside(number, at, kept.hear(maker, event))));
        let handle = supervisor::spawn(address, notes, Arc::new(self.timeline.clone()), sink, None)?;
        self.beside = Some((handle, address.place.clone()));
        Ok(())
    }

    fn simulate(&mut self, maker: Maker, board: Option<Board>) -> World {
        let simulator = match Simulator::start(maker, board) {
            Ok(simulator) => simulator,
            Err(sentence) => return World::BoardFailed(sentence),
        };
        // What is learnt of a simulated board is nothing to keep.
        let connected = self.connect_knowing(&simulator.address(), simulator.notes(), false);
        let view = simulator.view();
        self.simulator = Some(simulator);
        match connected {
            Ok(()) => World::Simulates(view),
            Err(error) => World::BoardFailed(unwatched("board", &error)),
        }
    }

    /// Lets the board go; whether a capture ended by that.
    fn disconnect(&mut self) -> Option<World> {
        self.link += 1;
        if let Some(board) = self.board.take() {
            board.stop();
        }
        (self.simulator, self.maker) = (None, None);
        (self.looking, self.to_capture) = (false, None);
        let ended = self.capture.lock().is_ok_and(|mut capture| capture.take().is_some());
        ended.then_some(World::Captures(Ok(None)))
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

    // ---- what takes long ----

    fn discover(&self) {
        let tell = self.tell.clone();
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
            tell(World::Found(ports.clone()));
            let seen = over_the_air().unwrap_or_default().into_iter();
            let seen =
                seen.map(|near| FoundBoard { address: near.address.to_string(), text: near.to_string() });
            tell(World::Found(ports.into_iter().chain(seen).collect()));
        };
        drop(std::thread::Builder::new().name("discover".to_owned()).spawn(listing));
    }

    fn look_for_the_only_board(&mut self) {
        self.looking = true;
        self.link += 1;
        let (link, tell, timeline) = (self.link, self.tell.clone(), self.timeline.clone());
        let beside = self.beside.as_ref().map(|(_, place)| place.clone());
        let looking = move || {
            let only = only(beside.as_ref(), &|maker| BoardNotes::usual().of(maker), &timeline)
                .map_err(|error| error.to_string());
            tell(World::Only(link, only));
        };
        drop(std::thread::Builder::new().name("look".to_owned()).spawn(looking));
    }

    /// A printer can be slow, and its program may not be there.
    fn print(&self, text: String) {
        let tell = self.tell.clone();
        let printing = move || tell(World::Printed(print(&text)));
        drop(std::thread::Builder::new().name("print".to_owned()).spawn(printing));
    }

    /// Starts the readers' thread, or lets it go.
    fn watch_readers(&mut self, on: bool) {
        self.readers_number += 1;
        let (number, tell) = (self.readers_number, self.tell.clone());
        self.readers = on.then(|| {
            let sink = Box::new(move |at, event| tell(World::Card(number, at, event)));
            cards::spawn(Arc::new(self.timeline.clone()), sink)
        });
    }
}

fn unwatched(what: &str, error: &io::Error) -> String {
    format!("the {what} cannot be watched here: {error}")
}

fn capture_file(path: &Path, maker: Maker) -> Result<CaptureWriter<std::fs::File>, String> {
    if path.extension().is_some_and(|ending| ending == "tabiya") {
        return Err(format!("{}: the capture cannot be written here: name another file", path.display()));
    }
    files::capture_file(path, &CaptureHeader { capture: maker.prefix().to_owned(), device: None })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_waits_for_a_board_that_is_not_found_is_told_as_not_begun() {
        let mut devices = Devices::new(RealTime::starting_at(Instant::ZERO), Arc::new(|_| {}));
        devices.looking = true;
        assert!(devices.obey(DeskOrder::Capture(Some("bytes.jsonl".into()))).is_empty(), "it waits");
        let told = devices.found_none();
        assert!(matches!(&told, Some(World::Captures(Err(why))) if why.contains("no board")), "{told:?}");
        assert!(devices.found_none().is_none(), "told once");
        let told = devices.obey(DeskOrder::Capture(Some("bytes.jsonl".into())));
        assert!(matches!(told[..], [World::Captures(Err(_))]), "nobody looks any more: {told:?}");
    }

    #[test]
    fn what_an_earlier_box_still_tells_counts_no_more() {
        let mut devices = Devices::new(RealTime::starting_at(Instant::ZERO), Arc::new(|_| {}));
        devices.beside_number = 2;
        let told = |number| World::Beside(number, Instant::ZERO, BoardEvent::Back);
        assert!(!devices.counts(&told(1)) && devices.counts(&told(2)));
    }
}
