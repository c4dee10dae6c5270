//! The devices of a desk, as the loop uses them: the board, the card-reader box beside the board, card readers, a
//! printer, and the search for boards.
//!
//! Carries out [`DeskOrder`]s. A result that is known at once is returned as a [`DeviceReport`]; a later result
//! arrives in the loop's inbox. Slow work runs on its own thread, because clocks must not wait for it. Only
//! disconnecting a device makes the loop wait for the device's thread. If the thread is just connecting over TCP, the
//! loop waits three seconds at most.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardPort, LiveAddress};
use tabiya_boards::capture::{Capture, CaptureHeader, CaptureWriter, Direction};
use tabiya_boards::maker::Maker;
use tabiya_boards::near::{BoardSearchError, find_only_board, search_ble};
use tabiya_boards::notes::Notes;
use tabiya_boards::ports::discover;
use tabiya_boards::recent::RecentBytes;
use tabiya_boards::supervisor::{self, BoardHandle, ByteTap};
use tabiya_cards::{self as cards, CardEvent, WriteError};
use tabiya_types::{Board, Instant, Timeline};

use super::boards::{DeskOrder, ReportRequest};
use super::finding::{found_board, found_ports};
use super::simulator::Simulator;
use super::table::TableSide;
use crate::board_notes::BoardNotes;
use crate::captures;
use crate::platform;
use crate::snapshot::{FoundBoard, FoundLink, SimulatedView};
use crate::time::RealTime;

/// A report from a device or from a background thread.
#[derive(Debug)]
pub(super) enum DeviceReport {
    /// An event from the board. The number identifies the connection to the board.
    Board(u32, Instant, BoardEvent),
    Bytes(u32, Instant, Direction, Vec<u8>),
    /// An event from the card-reader box beside the board. The number identifies the connection to the box.
    Beside(u32, Instant, BoardEvent),
    /// The attempt to connect to the board could not be started; the text says why.
    BoardFailed(String),
    /// The attempt to connect to the box could not be started; the text says why.
    BoxFailed(String),
    /// Raw bytes are saved in this file from now on. With `None`, the saving has ended; `Err` says why the bytes
    /// cannot be saved.
    Captures(Result<Option<PathBuf>, String>),
    /// The boards that a search has found so far, and whether it has ended.
    Found(Vec<FoundBoard>, bool),
    /// An event from the card readers. The number identifies the readers' thread.
    Card(u32, Instant, CardEvent),
    /// The result of a search, which succeeds only if exactly one board is nearby. The number identifies the connection
    /// that the search was started for.
    Only(u32, Result<LiveAddress, BoardSearchError>),
    /// The last bytes of the board, for this report of a fault; `None` if there are none.
    Report(ReportRequest, Option<Capture>),
    Printed(Result<(), String>),
    /// Why the folder of a file cannot be shown.
    NotOpened(String),
    /// The actual position and the lit lamps of the simulated board.
    Simulates(SimulatedView),
}

/// Sends a report to the loop, from any thread.
type Tell = Arc<dyn Fn(DeviceReport) + Send + Sync>;

type CaptureFile = Arc<Mutex<Option<CaptureWriter<std::fs::File>>>>;

/// The devices that the loop uses.
pub(super) struct Devices {
    timeline: RealTime,
    tell: Tell,
    board: Option<BoardHandle>,
    /// The maker of the connected board.
    maker: Option<Maker>,
    /// The number of the current connection to the board; reports with another number are ignored.
    link: u32,
    simulator: Option<Simulator>,
    /// The connection to the card-reader box beside the board, and the port of the box.
    beside: Option<(BoardHandle, BoardPort)>,
    /// The number of the current connection to the box; reports with another number are ignored.
    beside_number: u32,
    capture: CaptureFile,
    /// The last minutes of the board's bytes.
    recent: Arc<Mutex<RecentBytes>>,
    /// Whether the board keeps this table if it is plugged in elsewhere, because this table is one of several.
    pub(super) roams: bool,
    /// Whether a search for the only board nearby is running.
    looking: bool,
    /// The file in which to save the raw bytes of the board that is being searched for, if requested.
    to_capture: Option<PathBuf>,
    /// Whether the monitor shows the raw bytes.
    watched: Arc<AtomicBool>,
    /// The thread that watches the card readers; `None` while no readers are needed.
    readers: Option<cards::CardReaders>,
    /// The number of the current readers' thread; reports from earlier threads are ignored.
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
            recent: Arc::default(),
            roams: false,
            looking: false,
            to_capture: None,
            watched: Arc::default(),
            readers: None,
            readers_number: 0,
        }
    }

    /// Whether a board or a box is connected, so that events may still arrive.
    pub(super) fn any(&self) -> bool {
        self.board.is_some() || self.beside.is_some()
    }

    /// Whether the desk runs a simulated board.
    pub(super) fn simulates(&self) -> bool {
        self.simulator.is_some()
    }

    /// Whether this report belongs to the current connection of its device, not to an earlier connection.
    pub(super) fn is_current(&self, event: &DeviceReport) -> bool {
        match event {
            DeviceReport::Board(link, ..) | DeviceReport::Bytes(link, ..) | DeviceReport::Only(link, _) => {
                *link == self.link
            }
            DeviceReport::Card(number, ..) => *number == self.readers_number,
            DeviceReport::Beside(number, ..) => *number == self.beside_number,
            DeviceReport::BoardFailed(_)
            | DeviceReport::BoxFailed(_)
            | DeviceReport::Captures(_)
            | DeviceReport::Found(..)
            | DeviceReport::Report(..)
            | DeviceReport::Printed(_)
            | DeviceReport::NotOpened(_)
            | DeviceReport::Simulates(_) => true,
        }
    }

    /// Sends the board and the box the commands that are pending, and passes the state of a simulated board to the
    /// desk.
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

    /// Disconnects all devices.
    pub(super) fn stop(mut self) {
        (self.simulator, self.readers) = (None, None);
        if let Some(board) = self.board.take() {
            board.stop();
        }
        if let Some((beside, _)) = self.beside.take() {
            beside.stop();
        }
    }

    /// Carries out an order. Returns the results that are known immediately.
    pub(super) fn obey(&mut self, order: DeskOrder) -> Vec<DeviceReport> {
        let mut reports = Vec::new();
        match order {
            DeskOrder::Connect(address) => {
                reports.extend(self.disconnect());
                reports.extend(self.connect_found(&address));
            }
            DeskOrder::ConnectOnly => {
                reports.extend(self.disconnect());
                self.look_for_the_only_board();
            }
            DeskOrder::Simulate(maker, board) => {
                reports.extend(self.disconnect());
                reports.push(self.simulate(maker, board));
            }
            DeskOrder::Disconnect => reports.extend(self.disconnect()),
            DeskOrder::Beside(address) => {
                let failed = self.connect_box(&address).err();
                reports.extend(failed.map(|error| DeviceReport::BoxFailed(connect_error("box", &error))));
            }
            DeskOrder::Read => self.board.iter().for_each(BoardHandle::ask_dump),
            DeskOrder::Battery => self.board.iter().for_each(BoardHandle::ask_battery),
            DeskOrder::Move(what) => reports.extend(self.simulator.as_mut().map(|simulator| {
                simulator.order(&what);
                DeviceReport::Simulates(simulator.view())
            })),
            DeskOrder::Capture(path) if self.looking => self.to_capture = path,
            DeskOrder::Capture(path) => reports.push(DeviceReport::Captures(self.save_bytes(path))),
            DeskOrder::Report(request) => {
                let bytes = self.recent.lock().ok().and_then(|recent| recent.capture());
                reports.push(DeviceReport::Report(request, bytes));
            }
            DeskOrder::Discover => self.discover(),
            DeskOrder::Print(text) => self.print(text),
            DeskOrder::OpenFolder(file) => self.open_folder(file),
            DeskOrder::Readers(on) => self.watch_readers(on),
            DeskOrder::WriteCard(reader, uid, record) => {
                let asked = match &self.readers {
                    Some(readers) => readers.write(&reader, uid, record),
                    None => Err(WriteError::NoReader),
                };
                let failed = asked.err().map(|why| CardEvent::NotWritten { reader, why });
                let now = self.timeline.now();
                reports.extend(failed.map(|event| DeviceReport::Card(self.readers_number, now, event)));
            }
        }
        reports
    }

    // ---- the board and the box ----

    /// Connects to a board. If `capture` is given, the board's raw bytes are saved in that capture file.
    pub(super) fn connect(
        &mut self,
        address: &LiveAddress,
        capture: Option<CaptureWriter<std::fs::File>>,
    ) -> io::Result<()> {
        self.capture = Arc::new(Mutex::new(capture));
        self.connect_knowing(address, BoardNotes::usual().of(address.maker), true)
    }

    /// Connects to a board that was requested or found. If somebody asked to save the board's raw bytes, begins to save
    /// them.
    pub(super) fn connect_found(&mut self, address: &LiveAddress) -> Vec<DeviceReport> {
        let failed = self.connect_knowing(address, BoardNotes::usual().of(address.maker), true).err();
        let failed = failed.map(|error| DeviceReport::BoardFailed(connect_error("board", &error)));
        let captures = self.to_capture.take().map(|path| DeviceReport::Captures(self.save_bytes(Some(path))));
        failed.into_iter().chain(captures).collect()
    }

    /// Ends a search that found no board or more than one board. If somebody asked to save the board's raw bytes,
    /// returns a report that the saving could not begin.
    pub(super) fn found_none(&mut self) -> Option<DeviceReport> {
        self.looking = false;
        let unsaved = self.to_capture.take();
        unsaved.map(|path| DeviceReport::Captures(self.save_bytes(Some(path))))
    }

    /// Connects to a board. `notes` contains facts about the board that earlier connections learned. If `keeps` is
    /// `true`, the facts that this connection learns are saved, too.
    fn connect_knowing(&mut self, address: &LiveAddress, notes: Notes, keeps: bool) -> io::Result<()> {
        let (link, maker) = (self.link, address.maker);
        let (tell, kept) = (self.tell.clone(), BoardNotes::usual());
        if let Some(trouble) = kept.read_error() {
            tell(DeviceReport::Board(link, self.timeline.now(), BoardEvent::Wants(trouble)));
        }
        let sink = Box::new(move |at, event| {
            let event = if keeps { kept.save_remembered(maker, event) } else { event };
            tell(DeviceReport::Board(link, at, event));
        });
        if let Ok(mut recent) = self.recent.lock() {
            recent.begin(maker);
        }
        let timeline = Arc::new(self.timeline.clone());
        let spawn = if self.roams { supervisor::spawn_roaming } else { supervisor::spawn };
        self.board = Some(spawn(address, notes, timeline, sink, Some(self.tap()))?);
        (self.maker, self.looking) = (Some(maker), false);
        Ok(())
    }

    /// Makes the callback that keeps the board's raw bytes, and copies them to the capture file and to the monitor.
    fn tap(&self) -> ByteTap {
        let (link, tell) = (self.link, self.tell.clone());
        let (capture, watched) = (self.capture.clone(), self.watched.clone());
        let recent = self.recent.clone();
        Box::new(move |at: Instant, direction, bytes: &[u8]| {
            if let Ok(mut recent) = recent.lock() {
                recent.add(at, direction, bytes);
            }
            if let Ok(mut capture) = capture.lock()
                && let Some(writer) = &mut *capture
                && let Err(error) = writer.write(at, direction, bytes)
            {
                // If the capture file cannot be written, the match goes on. Only the saving ends, with a report.
                *capture = None;
                tell(DeviceReport::Captures(Err(format!("the raw bytes are no longer saved: {error}"))));
            }
            if watched.load(Ordering::Relaxed) {
                tell(DeviceReport::Bytes(link, at, direction, bytes.to_vec()));
            }
        })
    }

    /// Connects to a card-reader box beside the board, and keeps it connected independently of the board.
    pub(super) fn connect_box(&mut self, address: &LiveAddress) -> io::Result<()> {
        self.beside = None;
        self.beside_number += 1;
        let number = self.beside_number;
        let (maker, kept, tell) = (address.maker, BoardNotes::usual(), self.tell.clone());
        let notes = kept.of(maker);
        if let Some(trouble) = kept.read_error() {
            tell(DeviceReport::Beside(number, self.timeline.now(), BoardEvent::Wants(trouble)));
        }
        let sink = Box::new(move |at, event| {
            tell(DeviceReport::Beside(number, at, kept.save_remembered(maker, event)));
        });
        let handle = supervisor::spawn(address, notes, Arc::new(self.timeline.clone()), sink, None)?;
        self.beside = Some((handle, address.place.clone()));
        Ok(())
    }

    fn simulate(&mut self, maker: Maker, board: Option<Board>) -> DeviceReport {
        let simulator = match Simulator::start(maker, board) {
            Ok(simulator) => simulator,
            Err(sentence) => return DeviceReport::BoardFailed(sentence),
        };
        // New facts about a simulated board are not saved.
        let connected = self.connect_knowing(&simulator.address(), simulator.notes(), false);
        let view = simulator.view();
        self.simulator = Some(simulator);
        match connected {
            Ok(()) => DeviceReport::Simulates(view),
            Err(error) => DeviceReport::BoardFailed(connect_error("board", &error)),
        }
    }

    /// Disconnects the board. If its raw bytes were being saved, returns a report that the saving has ended.
    fn disconnect(&mut self) -> Option<DeviceReport> {
        self.link += 1;
        if let Some(board) = self.board.take() {
            board.stop();
        }
        (self.simulator, self.maker) = (None, None);
        (self.looking, self.to_capture) = (false, None);
        let ended = self.capture.lock().is_ok_and(|mut capture| capture.take().is_some());
        ended.then_some(DeviceReport::Captures(Ok(None)))
    }

    fn save_bytes(&self, path: Option<PathBuf>) -> Result<Option<PathBuf>, String> {
        let writer = match &path {
            None => None,
            // A capture file contains the bytes of one board, and its header names the board's maker.
            Some(path) => {
                let maker = self
                    .maker
                    .ok_or("no board is connected, so there are no bytes to save; connect a board first")?;
                Some(capture_file(path, maker)?)
            }
        };
        let mut capture =
            self.capture.lock().map_err(|_| "the connection to the board has failed".to_owned())?;
        *capture = writer;
        Ok(path)
    }

    // ---- what takes long ----

    fn discover(&self) {
        let tell = self.tell.clone();
        let listing = move || {
            let ports: Vec<FoundBoard> = discover().iter().flat_map(found_ports).collect();
            // Plugged-in boards are listed immediately; finding Bluetooth boards takes a while.
            tell(DeviceReport::Found(ports.clone(), false));
            let mut near: Vec<FoundBoard> =
                search_ble().unwrap_or_default().iter().map(found_board).collect();
            near.sort_by_key(|board| match board.link {
                FoundLink::Bluetooth(signal) => -i32::from(signal.unwrap_or(i16::MIN)),
                FoundLink::Cable | FoundLink::Program => 0,
            });
            let (sure, unsure): (Vec<_>, Vec<_>) = ports.into_iter().partition(|board| board.sure);
            tell(DeviceReport::Found(sure.into_iter().chain(near).chain(unsure).collect(), true));
        };
        drop(std::thread::Builder::new().name("discover".to_owned()).spawn(listing));
    }

    fn look_for_the_only_board(&mut self) {
        self.looking = true;
        self.link += 1;
        let (link, tell, timeline) = (self.link, self.tell.clone(), self.timeline.clone());
        let beside = self.beside.as_ref().map(|(_, place)| place.clone());
        let looking = move || {
            let only = find_only_board(beside.as_ref(), &|maker| BoardNotes::usual().of(maker), &timeline);
            tell(DeviceReport::Only(link, only));
        };
        drop(std::thread::Builder::new().name("look".to_owned()).spawn(looking));
    }

    /// Prints the text on a separate thread, because the printing program can be slow.
    fn print(&self, text: String) {
        let tell = self.tell.clone();
        let printing = move || tell(DeviceReport::Printed(print(&text)));
        drop(std::thread::Builder::new().name("print".to_owned()).spawn(printing));
    }

    /// Shows the folder of a file on a separate thread, because the file manager can be slow to start.
    fn open_folder(&self, file: PathBuf) {
        let tell = self.tell.clone();
        let opening = move || {
            if let Err(sentence) = open_folder(&file) {
                tell(DeviceReport::NotOpened(sentence));
            }
        };
        drop(std::thread::Builder::new().name("open".to_owned()).spawn(opening));
    }

    /// Starts the readers' thread, or stops it.
    fn watch_readers(&mut self, on: bool) {
        self.readers_number += 1;
        let (number, tell) = (self.readers_number, self.tell.clone());
        self.readers = on.then(|| {
            let sink = Box::new(move |at, event| tell(DeviceReport::Card(number, at, event)));
            cards::spawn(Arc::new(self.timeline.clone()), sink)
        });
    }
}

fn connect_error(what: &str, error: &io::Error) -> String {
    format!("the {what} cannot be connected here: {error}")
}

fn capture_file(path: &Path, maker: Maker) -> Result<CaptureWriter<std::fs::File>, String> {
    if path.extension().is_some_and(|ending| ending == "tabiya") {
        return Err(format!(
            "{}: this file is a record, so raw bytes cannot be saved in it: name another file",
            tabiya_types::shown(path)
        ));
    }
    captures::capture_file(path, &CaptureHeader { capture: maker.prefix().to_owned(), device: None })
}

/// Shows the folder of a file in the system's file manager. `Err` is a sentence that says why it does not appear.
fn open_folder(file: &Path) -> Result<(), String> {
    use std::process::{Command, Stdio};
    let folder = file.parent().unwrap_or(file);
    let shown = Command::new(platform::FILE_MANAGER)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match shown {
        Ok(status) if status.success() || !platform::FILE_MANAGER_TELLS => Ok(()),
        Ok(_) | Err(_) => {
            Err(format!("no file manager answers; the file is in {}", tabiya_types::shown(folder)))
        }
    }
}

/// Sends a text to the system's printer. `Err` is a sentence that says why it was not printed.
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
            Ok(_) | Err(_) => {
                Err("the printer did not accept the text; save the text as a file and print the file"
                    .to_owned())
            }
        };
    }
    Err("no printing program (`lp` or `lpr`) was found; save the text as a file and print the file"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_waits_for_a_board_that_is_not_found_is_told_as_not_begun() {
        let mut devices = Devices::new(RealTime::starting_at(Instant::ZERO), Arc::new(|_| {}));
        devices.looking = true;
        assert!(devices.obey(DeskOrder::Capture(Some("bytes.jsonl".into()))).is_empty(), "it waits");
        let report = devices.found_none();
        assert!(
            matches!(&report, Some(DeviceReport::Captures(Err(why))) if why.contains("no board")),
            "{report:?}"
        );
        assert!(devices.found_none().is_none(), "told once");
        let report = devices.obey(DeskOrder::Capture(Some("bytes.jsonl".into())));
        assert!(matches!(report[..], [DeviceReport::Captures(Err(_))]), "nobody looks any more: {report:?}");
    }

    #[test]
    fn what_an_earlier_box_still_tells_counts_no_more() {
        let mut devices = Devices::new(RealTime::starting_at(Instant::ZERO), Arc::new(|_| {}));
        devices.beside_number = 2;
        let beside = |number| DeviceReport::Beside(number, Instant::ZERO, BoardEvent::Back);
        assert!(!devices.is_current(&beside(1)) && devices.is_current(&beside(2)));
    }
}
