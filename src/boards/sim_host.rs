//! A simulated board in real time. Programs reach it over a pseudo-terminal or a TCP port.
//!
//! This is the only file of the simulators that waits and reads the time; [`SimBoard`] decides what is sent and when. A
//! thread owns the board. [`SimHost`] gives the thread its requests: lines of a script ([`Script`]), or whole actions
//! ([`Task`]) for simulated hands.
//!
//! This module reads the real time: `std::time::Instant::now` once at the start, and the time elapsed since then.
#![expect(clippy::disallowed_methods, reason = "a hosted board lives in real time")]

mod ports;
mod script;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use mio::Waker;
pub use script::{HELP, Script, ScriptCommand, ScriptError, after_move};
use tabiya_types::{Board, Color, Instant, Millis, Square, Squares, harmless};
use tokio::sync::oneshot;

use self::ports::Ports;
use crate::capture::read_bounded;
use crate::human::{HumanHands, PerMille, Performance, Physical, Profile, Span, Task};
use crate::link::Carrier;
use crate::maker::Maker;
use crate::makers::USUAL;
use crate::platform::StopSignals;
use crate::sim::{ClockAction, LineFaults, SimBoard, SimSetup};
use crate::typed;

/// The options of `tabiya sim`.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// The path of a symbolic link to the pseudo-terminal. If a symbolic link already exists there, it is replaced. The
    /// link is removed at the end.
    pub link: Option<PathBuf>,
    /// The `HOST:PORT` at which the board listens for TCP connections; with port 0, the system chooses a free port. If
    /// this address is given, a pseudo-terminal is opened only if `link` is given, too.
    pub tcp: Option<String>,
    /// How the simulated hands move pieces, and how reliable the board's link is.
    pub profile: Profile,
    /// The seed of all random decisions.
    pub seed: u64,
    /// A file with the first commands, one per line.
    pub script: Option<PathBuf>,
    /// Actions that [`run`] lets the simulated hands carry out after the script, once a program listens to the board.
    pub tasks: Vec<Task>,
    /// Whether [`run`] also reads commands from standard input.
    pub stdin: bool,
    /// The maker of the board.
    pub maker: Maker,
    /// The initial state of the board. Its seed is replaced by a seed derived from `seed`. If it has no link faults, it
    /// gets the faults of the profile.
    pub setup: SimSetup,
}

impl Default for SimOptions {
    /// The start position, the profile *casual*, and a link that carries a byte stream.
    fn default() -> Self {
        let board = script::START.parse().unwrap_or_default();
        let setup = SimSetup { board, carrier: Carrier::Stream, ..SimSetup::default() };
        Self {
            link: None,
            tcp: None,
            profile: Profile::CASUAL,
            seed: 0,
            script: None,
            tasks: Vec::new(),
            stdin: true,
            maker: USUAL,
            setup,
        }
    }
}

/// Why a simulated board could not start, or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// The maker has no box that can be simulated.
    #[error("no box of {maker} can be simulated; `tabiya sim diy --box` simulates a box")]
    NoBox {
        /// The name of the maker.
        maker: &'static str,
    },
    /// No board of this maker can be simulated.
    #[error("no board of {maker} can be simulated")]
    NoSimulator {
        /// The name of the maker.
        maker: &'static str,
    },
    /// The system cannot open a pseudo-terminal.
    #[error("no pseudo-terminal can be opened")]
    Pty {
        /// The operating system's error.
        source: io::Error,
    },
    /// The symbolic link cannot be created.
    #[error("no symbolic link to the board can be created at {path}", path = path.display())]
    Link {
        /// The path of the link.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Something other than a symbolic link exists at the path.
    #[error("{path} exists and is not a symbolic link; choose another path, or remove the file",
        path = path.display())]
    LinkTaken {
        /// The path of the link.
        path: PathBuf,
    },
    /// The program cannot listen on the TCP port.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address, as `HOST:PORT`.
        address: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The script cannot be read.
    #[error("the script {path} cannot be read", path = path.display())]
    ScriptFile {
        /// The path of the script.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A line of the script is not a command.
    #[error("{path}, line {line}: {source}", path = path.display())]
    ScriptLine {
        /// The path of the script.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        source: ScriptError,
    },
    /// The operating system failed while the board was running.
    #[error("the simulated board had to stop")]
    System {
        /// The operating system's error.
        #[from]
        source: io::Error,
    },
}

/// A request to the thread that owns the board. All requests except `End` are carried out in order.
enum Order {
    /// Carry out a line of a script.
    Script(ScriptCommand),
    /// Let the simulated hands carry out actions.
    Play(Vec<Task>),
    /// Send the pieces that really stand on the board to the caller of `settle`, who waits until all earlier requests
    /// are done.
    Reached(Sender<Board>),
    /// End the board at once.
    End,
}

/// A running simulated board. Dropping this value ends the board.
pub struct SimHost {
    orders: Sender<Order>,
    bell: Arc<Waker>,
    thread: Option<JoinHandle<Result<(), SimError>>>,
    ended: oneshot::Receiver<()>,
    port: Option<PathBuf>,
    address: Option<SocketAddr>,
    lit: Arc<AtomicU64>,
    unit: Option<String>,
    lever: bool,
}

impl SimHost {
    /// Opens the ports and starts the board. `say` receives the output of `show` and `help`, and a message for each
    /// command that cannot be carried out. Only [`run`] reads the script file and standard input.
    pub fn start(options: &SimOptions, say: impl FnMut(&str) + Send + 'static) -> Result<Self, SimError> {
        let ports = Ports::open(options.link.as_deref(), options.tcp.as_deref())?;
        let (port, address) = (ports.pty_name().map(Path::to_owned), ports.address());
        let bell = ports.bell()?;
        let (orders, inbox) = mpsc::channel();
        let (over, ended) = oneshot::channel();
        let host = Worker::new(options, ports, inbox, Box::new(say))
            .ok_or(SimError::NoSimulator { maker: options.maker.name() })?;
        if options.setup.without_squares && host.sim.has_squares() {
            return Err(SimError::NoBox { maker: options.maker.name() });
        }
        let lit = Arc::clone(&host.lit);
        let (unit, lever) = (host.sim.unit(), host.sim.has_lever());
        let thread = std::thread::Builder::new().name("sim".to_owned()).spawn(move || {
            // When the thread ends for any reason, `over` is dropped. This closes the channel, which shows that the
            // thread has ended.
            let _over = over;
            host.work()
        })?;
        Ok(Self { orders, bell, thread: Some(thread), ended, port, address, lit, unit, lever })
    }

    /// The path that the pseudo-terminal had when the board was started; `None` without a pseudo-terminal. When the
    /// plug is pulled and put back, a new pseudo-terminal with a different path is opened. The symbolic link, if there
    /// is one, then points to the new path.
    pub fn port(&self) -> Option<&Path> {
        self.port.as_deref()
    }

    /// The address of the TCP port.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Whether the board tells the presses of a clock.
    pub fn has_lever(&self) -> bool {
        self.lever
    }

    /// The squares that are lit now, with White below.
    pub fn lit(&self) -> Squares {
        Squares::from_bits(self.lit.load(Ordering::Acquire))
    }

    /// The number of the simulated board, if several boards share its port.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Queues a command, which is carried out after all earlier requests.
    pub fn order(&self, command: ScriptCommand) {
        self.give(Order::Script(command));
    }

    /// Queues `tasks`. The simulated hands begin them when all earlier requests are done. First the pieces are set up
    /// as the first task expects them, and the turn of the first task begins at once. The turn of each later task
    /// begins as long after it as the `start` times of the two tasks differ, or when the previous task is done,
    /// whichever is later.
    pub fn play(&self, tasks: Vec<Task>) {
        self.give(Order::Play(tasks));
    }

    /// Waits until all earlier requests are done. Returns the pieces that then really stand on the board, or `None` if
    /// the host has ended.
    pub fn settle(&self) -> Option<Board> {
        let (reached, told) = mpsc::channel();
        self.give(Order::Reached(reached));
        told.recv().ok()
    }

    /// Ends the board at once and removes the symbolic link.
    pub fn end(mut self) -> Result<(), SimError> {
        self.give(Order::End);
        self.join()
    }

    fn give(&self, order: Order) {
        // Errors are ignored: the thread may have ended.
        let _ = self.orders.send(order);
        let _ = self.bell.wake();
    }

    fn join(&mut self) -> Result<(), SimError> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the thread of the simulated board panicked").into()),
            None => Ok(()),
        }
    }
}

impl Drop for SimHost {
    fn drop(&mut self) {
        self.give(Order::End);
        // The result is ignored. A caller that needs the result calls `end`.
        let _ = self.join();
    }
}

/// Runs `tabiya sim`: serves the board until the command `quit`, or until a signal ends the program. First prints the
/// ports of the board, one per line.
pub fn run(options: &SimOptions) -> Result<(), SimError> {
    let script = options.script.as_deref().map(read_script).transpose()?.unwrap_or_default();
    let mut host = SimHost::start(options, print)?;
    for found in found_at(options, &host) {
        print(&found);
    }
    for command in script {
        host.order(command);
    }
    if !options.tasks.is_empty() {
        host.order(ScriptCommand::WaitForHost);
        // After it has connected, a program gets time to read the board before the hands touch the first piece.
        host.order(ScriptCommand::Wait(FIRST_LOOK));
        host.play(options.tasks.clone());
    }
    if options.stdin {
        let (orders, bell) = (host.orders.clone(), Arc::clone(&host.bell));
        std::thread::Builder::new()
            .name("sim script".to_owned())
            .spawn(move || follow_stdin(&orders, &bell))?;
    }
    wait_for_end(&mut host.ended)?;
    host.end()
}

/// The time that a program gets to read the board before the first action begins.
const FIRST_LOOK: Millis = Millis(2_000);

fn found_at(options: &SimOptions, host: &SimHost) -> Vec<String> {
    let port = options.link.as_deref().or(host.port());
    let number = host.unit().map(|unit| format!(", board number {unit}")).unwrap_or_default();
    let what = if options.setup.without_squares { "box" } else { "board" };
    let port = port.map(|port| format!("the {what} is at {port}{number}", port = port.display()));
    let address = host.address().map(|address| format!("the {what} listens at {address}{number}"));
    port.into_iter().chain(address).collect()
}

/// Returns when the host has ended or a signal asks the program to end.
fn wait_for_end(ended: &mut oneshot::Receiver<()>) -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let mut signals = StopSignals::listen()?;
        tokio::select! {
            _ = ended => {}
            () = signals.received() => {}
        }
        Ok(())
    })
}

/// The longest script, in bytes.
const LONGEST_SCRIPT: u64 = 1 << 24;

fn read_script(path: &Path) -> Result<Vec<ScriptCommand>, SimError> {
    let text = read_bounded(path, LONGEST_SCRIPT)
        .and_then(|bytes| {
            String::from_utf8(bytes).map_err(|wrong| io::Error::new(io::ErrorKind::InvalidData, wrong))
        })
        .map_err(|source| SimError::ScriptFile { path: path.to_owned(), source })?;
    Script::parse_all(&text).map_err(|(line, source)| SimError::ScriptLine {
        path: path.to_owned(),
        line,
        source,
    })
}

/// Passes on commands from standard input, line by line. The board keeps running after the end of the input.
fn follow_stdin(orders: &Sender<Order>, bell: &Waker) {
    for line in typed::lines(io::stdin().lock()) {
        match Script::parse(&line) {
            Ok(None) => {}
            Ok(Some(command)) => {
                if orders.send(Order::Script(command)).is_err() {
                    return;
                }
                let _ = bell.wake();
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "{}", harmless(&error.to_string()));
            }
        }
    }
}

fn print(text: &str) {
    // If standard output is closed, the board keeps running.
    let _ = writeln!(io::stdout(), "{text}");
}

/// Makes the seed of the board differ from the seed of the hands.
const BOARD_STREAM: u64 = 0x0b0a_4d00_0000_0000;

/// The state of the thread that owns the board.
struct Worker {
    sim: Box<dyn SimBoard>,
    hand: HumanHands,
    /// The hands for the command `slide`. They always push the piece, whatever the profile.
    pusher: HumanHands,
    ports: Ports,
    inbox: Receiver<Order>,
    say: Box<dyn FnMut(&str) + Send>,
    began: std::time::Instant,
    orders: VecDeque<Order>,
    /// The coming physical events, in order of time.
    agenda: VecDeque<(Instant, Physical)>,
    pause: Pause,
    /// The lit squares, one bit each, shared with `SimHost`.
    lit: Arc<AtomicU64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pause {
    No,
    Until(Instant),
    ForHost,
}

impl Worker {
    fn new(
        options: &SimOptions,
        ports: Ports,
        inbox: Receiver<Order>,
        say: Box<dyn FnMut(&str) + Send>,
    ) -> Option<Self> {
        let seed = options.seed;
        // The board and the hands have different seeds, because with equal seeds their random decisions would coincide.
        let mut setup = SimSetup { seed: seed ^ BOARD_STREAM, ..options.setup.clone() };
        if setup.faults == LineFaults::default() {
            setup.faults = LineFaults::of(&options.profile);
        }
        let pushing = Profile { slide: PerMille::ALWAYS, slide_step: Span::new(60, 160), ..Profile::CLEAN };
        Some(Self {
            sim: options.maker.simulated(&setup)?,
            hand: HumanHands::new(&options.profile, seed),
            pusher: HumanHands::new(&pushing, seed),
            ports,
            inbox,
            say,
            began: std::time::Instant::now(),
            orders: VecDeque::new(),
            agenda: VecDeque::new(),
            pause: Pause::No,
            lit: Arc::default(),
        })
    }

    fn now(&self) -> Instant {
        Instant::from_millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn work(mut self) -> Result<(), SimError> {
        loop {
            if self.hear_orders() || self.obey() {
                return Ok(());
            }
            let now = self.now();
            self.happen(now);
            self.sim.on_time(now);
            self.lit.store(self.sim.lit().bits(), Ordering::Release);
            self.ports.set_plugged(self.sim.plugged())?;
            let output = self.sim.take_messages().concat();
            self.ports.write(&output);
            self.wait()?;
            let bytes = self.ports.read();
            if !bytes.is_empty() {
                self.sim.on_host_bytes(&bytes, self.now());
            }
        }
    }

    /// Moves new requests from the channel to the queue. Returns true if the board must end, because a request is `End`
    /// or because nobody is left who could send requests.
    fn hear_orders(&mut self) -> bool {
        loop {
            match self.inbox.try_recv() {
                Ok(Order::End) | Err(mpsc::TryRecvError::Disconnected) => return true,
                Ok(order) => self.orders.push_back(order),
                Err(mpsc::TryRecvError::Empty) => return false,
            }
        }
    }

    /// Carries out the queued requests, until one of them makes the next one wait. Returns true if a request ends the
    /// board.
    fn obey(&mut self) -> bool {
        while self.idle()
            && let Some(order) = self.orders.pop_front()
        {
            match order {
                Order::Script(ScriptCommand::Quit) | Order::End => return true,
                Order::Script(command) => self.command(&command),
                Order::Play(tasks) => self.play(&tasks),
                Order::Reached(told) => {
                    // An error only means that the caller no longer waits for the answer.
                    let _ = told.send(self.sim.board());
                }
            }
        }
        false
    }

    /// Whether the next request may be carried out now: no pause runs, and no physical event is still to come.
    fn idle(&mut self) -> bool {
        let over = match self.pause {
            Pause::No => true,
            Pause::Until(moment) => moment <= self.now(),
            Pause::ForHost => self.sim.is_started(),
        };
        if over {
            self.pause = Pause::No;
        }
        over && self.agenda.is_empty()
    }

    /// Carries out the physical events that are due by `now`.
    fn happen(&mut self, now: Instant) {
        while let Some((at, what)) = self.agenda.pop_front_if(|(at, _)| *at <= now) {
            self.sim.happen(what, at);
        }
    }

    /// Waits until bytes or a new request arrive, or something is due.
    fn wait(&mut self) -> io::Result<()> {
        let paused = match self.pause {
            Pause::Until(moment) => Some(moment),
            Pause::No | Pause::ForHost => None,
        };
        let agenda = self.agenda.front().map(|(at, _)| *at);
        let now = self.now();
        let ready = self.pause == Pause::No && self.agenda.is_empty() && !self.orders.is_empty();
        let ready = ready.then_some(now);
        let due = [self.sim.deadline(), agenda, paused, ready].into_iter().flatten().min();
        self.ports.wait(due.map(|due| Duration::from_millis(due.since(now).0)))
    }

    fn command(&mut self, command: &ScriptCommand) {
        let now = self.now();
        match *command {
            ScriptCommand::Lift(square) => {
                if self.piece_on(square).is_some() {
                    self.sim.happen(Physical::Set(square, None), now);
                }
            }
            ScriptCommand::Put(square, piece) => self.sim.happen(Physical::Set(square, Some(piece)), now),
            ScriptCommand::Slide(from, to) => {
                if let Some(by) = self.piece_on(from) {
                    let after = after_move(&self.sim.board(), from, to, None);
                    let task = self.task(after, by, false);
                    let done = self.pusher.perform(&task);
                    self.expect(done);
                }
            }
            ScriptCommand::Move { from, to, promotion, press } => {
                if let Some(by) = self.piece_on(from) {
                    let after = after_move(&self.sim.board(), from, to, promotion);
                    let task = self.task(after, press.unwrap_or(by), press.is_some());
                    let done = self.hand.perform(&task);
                    self.expect(done);
                }
            }
            ScriptCommand::Press(side) => self.sim.happen(Physical::Press(side), now),
            ScriptCommand::Flicker(square, times) => self.sim.happen(Physical::Flicker(square, times), now),
            ScriptCommand::Unplug(None) => self.sim.unplug(now),
            ScriptCommand::Unplug(Some(out)) => self.sim.happen(Physical::Unplug(out), now),
            ScriptCommand::Plug => self.sim.plug(now),
            ScriptCommand::Board(board) => self.set_up(&board, now),
            ScriptCommand::Wait(long) => self.pause = Pause::Until(now + long),
            ScriptCommand::WaitForHost => self.pause = Pause::ForHost,
            ScriptCommand::Clock(left, right) => self.sim.clock(ClockAction::Set(left, right), now),
            ScriptCommand::RunClock(run) => self.sim.clock(ClockAction::Run(run), now),
            ScriptCommand::ConnectClock(on) => self.sim.clock(ClockAction::Connect(on), now),
            ScriptCommand::Button(button) => self.sim.clock(ClockAction::Button(button), now),
            ScriptCommand::Card(ref card) => self.sim.lay_card(card.clone(), now),
            ScriptCommand::Battery(percent) => self.sim.set_battery(percent),
            ScriptCommand::Show => {
                if self.sim.has_squares() {
                    (self.say)(&drawn(&self.sim.board()));
                }
                if let Some(clock) = self.sim.display_text() {
                    (self.say)(&clock);
                }
            }
            ScriptCommand::Help => (self.say)(HELP),
            ScriptCommand::Quit => {}
        }
    }

    /// The colour of the piece on a square. If the square is empty, reports that and returns `None`.
    fn piece_on(&mut self, square: Square) -> Option<Color> {
        let owner = self.sim.board()[square].map(|piece| piece.color);
        if owner.is_none() {
            (self.say)(&format!("no piece stands on {square}"));
        }
        owner
    }

    /// An action that leads from the current board to `after` and begins at once.
    fn task(&self, after: Board, by: Color, press: bool) -> Task {
        let task = Task::new(self.sim.board(), after, by, self.now());
        Task { press, thinking: Millis::ZERO, ..task }
    }

    fn expect(&mut self, done: Performance) {
        self.agenda.extend(done.events);
    }

    fn set_up(&mut self, board: &Board, now: Instant) {
        let current = self.sim.board();
        for square in current.differences(board) {
            self.sim.happen(Physical::Set(square, board[square]), now);
        }
    }

    fn play(&mut self, tasks: &[Task]) {
        let Some(first) = tasks.first() else { return };
        let now = self.now();
        self.set_up(&first.before, now);
        for task in tasks {
            let start = now + task.start.since(first.start);
            let done = self.hand.perform(&Task { start, ..*task });
            self.expect(done);
        }
    }
}

/// Formats the board as text, with White below.
fn drawn(board: &Board) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text.push(char::from(b'1' + rank));
        text.push(' ');
        for file in 0..8 {
            let piece = Square::from_coords(file, rank).and_then(|square| board[square]);
            text.push(' ');
            text.push(piece.map_or('.', tabiya_types::Piece::letter));
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h");
    text
}

#[cfg(test)]
mod tests;
