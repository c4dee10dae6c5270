//! Measures the latency of a press on the clock: from the last byte of its message, written to a pseudo-terminal, to
//! the durable line and the next prompt. The serial port, supervisor, driver, inbox, session and journal are those of a
//! live table. A simulated DGT board at the other end of the pseudo-terminal plays random games.
//!
//! Goals: 99 of 100 presses within 5 ms if each line is synced to the disk, and within 1 ms if the journal is in memory
//! and a sync costs nothing. A real serial line needs another 10 ms to transmit a press.
//!
//! Two kinds of people play. Human hands move as slowly as the counted ones (profiles *casual* and *blitz*), so these games
//! take minutes; several are played at once. Hurried ones make a change every few milliseconds, faster than any hand, so that
//! many turns are measured; half of the time their press comes before the last change of a square. The table may ask what
//! they did; then the game ends, and that is counted.
//!
//! What is measured is the event that ended a turn. A turn that ended without one, because the table waited for what the
//! board had not shown yet, is only counted: how long it waits is in `docs/tracker.md`.
#![cfg_attr(unix, expect(clippy::disallowed_methods, reason = "a benchmark measures real time"))]

mod support;

#[cfg(unix)]
fn main() {
    use support::{folder_in_memory, folder_on_disk, head, row};

    let folders = [
        ("to a durable line on the disk, and its prompt", Some(folder_on_disk())),
        ("to a line in memory, where a sync costs nothing", folder_in_memory()),
    ];
    for (title, folder) in folders {
        let Some(folder) = folder else { continue };
        for (hands, measured) in
            [("human hands", unix::human(folder.path())), ("hurried", unix::hurried(folder.path()))]
        {
            head(&format!("{title}: {hands}"));
            let remark = format!("{} turns after a wait, {} games ended", measured.waited, measured.asked);
            row("from the press", &measured.press, remark);
            row("from the last square after a press", &measured.square, "");
            row("of both: the session alone", &measured.session, "");
        }
    }
}

/// Only Unix has pseudo-terminals.
#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::hint::black_box;
    use std::io::{Read as _, Write as _};
    use std::os::fd::OwnedFd;
    use std::path::Path;
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::sync::{Arc, Mutex};
    use std::thread::{self, JoinHandle};
    use std::time::{Duration, Instant as RealInstant};

    use nix::pty::openpty;
    use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
    use nix::unistd::ttyname;
    use tabiya_app::Session;
    use tabiya_app::time::RealTime;
    use tabiya_boards::address::LiveAddress;
    use tabiya_boards::human::{self, Dice, Profile, Task};
    use tabiya_boards::makers::dgt;
    use tabiya_boards::makers::dgt::codec::{
        ClockFrame, ClockStatus, DgtCommand, DgtCommandDecoder, DgtMessage, SideTime, Version,
    };
    use tabiya_boards::notes::Notes;
    use tabiya_boards::{BoardEvent, supervisor};
    use tabiya_engine::record::Header;
    use tabiya_engine::rules::{Candidate, GAMES};
    use tabiya_engine::table::{Probe, Table};
    use tabiya_store::keeper::JournalKeeper;
    use tabiya_store::keys::Keyring;
    use tabiya_types::{Board, Color, Instant, Millis, Observation, Piece, Square, Timeline as _};

    use crate::support::{Sample, rounds, thorough};

    /// The games of human hands, which are played at once, and the plies of each.
    const HUMAN: (usize, usize) = (12, 60);
    /// The games of hurried people, one after another, and the plies of each.
    const HURRIED: (usize, usize) = (32, 80);
    /// The mean pause of hurried people before the next event. Each pause has a random length, because equal pauses could
    /// keep time with the polling of the port.
    const PAUSE_MICROS: u64 = 4_000;
    /// How long people wait for the end of a turn.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// How long the table waits without news, and people until the board is found.
    const IDLE: Duration = Duration::from_secs(20);

    const HEADER: &str =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400"}}"#;

    /// The measured latencies in two groups: those of the turns whose last event was the press, and those of the
    /// turns whose last event was the change of a square.
    #[derive(Default)]
    pub(super) struct Latencies {
        pub(super) press: Sample,
        pub(super) square: Sample,
        /// The part of each latency that the session needs for inferring the action, writing the line, and waiting
        /// until the line is durable.
        pub(super) session: Sample,
        /// How many turns ended without an event.
        pub(super) waited: usize,
        /// How many games ended because the table did not know what had been done.
        pub(super) asked: usize,
    }

    impl Latencies {
        fn append(&mut self, other: Self) {
            self.press.append(other.press);
            self.square.append(other.square);
            self.session.append(other.session);
            self.waited += other.waited;
            self.asked += other.asked;
        }

        /// Adds a turn, which an event has ended that was written then.
        fn add(&mut self, (written, change): (RealInstant, Change), acted: Acted) {
            let sample = if matches!(change, Change::Press(_)) { &mut self.press } else { &mut self.square };
            sample.add(acted.done - written);
            self.session.add(acted.done - acted.taken);
        }
    }

    /// Plays games of human hands, all at once.
    pub(super) fn human(folder: &Path) -> Latencies {
        let (games, plies) = HUMAN;
        let play = |nth: usize| {
            let record = folder.join(format!("human-{nth}.tabiya"));
            let profile = if nth.is_multiple_of(2) { Profile::CASUAL } else { Profile::BLITZ };
            move || play(&record, move |game| human_game(game, nth as u64, &profile, plies))
        };
        // So few plies show that the benchmark works.
        let games = if thorough() { games } else { 1 };
        let tables: Vec<_> = (0..games).map(|nth| thread::spawn(play(nth))).collect();
        collect(tables.into_iter().map(|table| table.join().expect("the table")))
    }

    /// Plays games of hurried people, one after another.
    pub(super) fn hurried(folder: &Path) -> Latencies {
        let (games, plies) = HURRIED;
        let play = |nth: usize| {
            let record = folder.join(format!("hurried-{nth}.tabiya"));
            play(&record, move |game| hurried_game(game, nth as u64, rounds(plies)))
        };
        collect((0..rounds(games)).map(play))
    }

    fn collect(games: impl Iterator<Item = Latencies>) -> Latencies {
        games.fold(Latencies::default(), |mut all, game| {
            all.append(game);
            all
        })
    }

    // ---- the people ----

    /// What people have in front of them.
    struct GameAtBoard {
        board: Hardware,
        heard: Receiver<Heard>,
        latencies: Latencies,
        /// When each event was written.
        written: Vec<(RealInstant, Change)>,
    }

    impl GameAtBoard {
        fn tell(&mut self, change: Change) {
            let at = self.board.tell(change);
            self.written.push((at, change));
        }

        /// Takes what the table says about the end of a turn. `None` if it says nothing for so long.
        fn acted(&mut self, patience: Duration) -> Option<()> {
            loop {
                let Heard::Acted(acted) = self.heard.recv_timeout(patience).ok()? else { continue };
                // The event that the table took last.
                let ended = self.written.iter().rfind(|(at, _)| *at <= acted.taken);
                match ended.filter(|_| acted.by_event) {
                    Some(event) => self.latencies.add(*event, acted),
                    None => self.latencies.waited += 1,
                }
                return Some(());
            }
        }
    }

    /// A random action.
    fn choose(truth: &Probe, dice: &mut Dice) -> Option<Candidate> {
        let candidates = truth.candidates();
        let nth = dice.below(candidates.len().try_into().ok()?);
        candidates.into_iter().nth(usize::try_from(nth).ok()?)
    }

    /// Plays a game with hands of this profile, in real time.
    fn human_game(game: &mut GameAtBoard, seed: u64, profile: &Profile, plies: usize) {
        let (mut truth, mut dice) = (start(), Dice::new(seed));
        let (mut tasks, mut at) = (Vec::new(), Instant::from_millis(1_000));
        for _ in 0..if thorough() { plies } else { 3 } {
            let (Some(by), Some(chosen)) = (truth.mover(), choose(&truth, &mut dice)) else { break };
            let mut task = Task::new(truth.physical(), chosen.after, by, at);
            task.thinking = Millis(300 + dice.below(2_500));
            at = at + task.thinking;
            tasks.push(task);
            let Some(after) = truth.after_turn(&chosen.action) else { break };
            truth = after;
        }
        let began = RealInstant::now();
        for (at, what) in human::perform(&tasks, profile, seed) {
            thread::sleep(
                (began + Duration::from_millis(at.millis())).saturating_duration_since(RealInstant::now()),
            );
            match what {
                Observation::Square(square, piece) => game.tell(Change::Square(square, piece)),
                Observation::Whole(board) => game.tell(Change::All(board)),
                Observation::Press(by) => game.tell(Change::Press(by)),
                Observation::Occupied(_) => {}
            }
        }
        let mut turns = 0;
        while game.acted(PATIENCE).is_some() {
            turns += 1;
        }
        game.latencies.asked += usize::from(turns < tasks.len());
    }

    /// Plays a game as fast as no hand does. In every second turn the press comes before the last change of a square.
    fn hurried_game(game: &mut GameAtBoard, seed: u64, plies: usize) {
        let (mut truth, mut dice) = (start(), Dice::new(seed));
        for ply in 0..plies {
            let (Some(by), Some(chosen)) = (truth.mover(), choose(&truth, &mut dice)) else { return };
            let mut changes = changes(&truth.physical(), &chosen.after);
            changes.insert(changes.len() - ply % 2, Change::Press(by));
            for change in changes {
                thread::sleep(Duration::from_micros(PAUSE_MICROS / 2 + dice.below(PAUSE_MICROS)));
                game.tell(change);
            }
            if game.acted(PATIENCE).is_none() {
                game.latencies.asked += 1;
                return;
            }
            let Some(after) = truth.after_turn(&chosen.action) else { return };
            truth = after;
        }
    }

    fn start() -> Probe {
        Table::new(Header::parse(HEADER, GAMES).expect("a header").agreement).probe()
    }

    // ---- the table ----

    /// What the table reports to the benchmark.
    enum Heard {
        /// Board and clock are connected.
        Ready,
        /// A turn is in the record, and the next prompt is known.
        Acted(Acted),
    }

    /// The end of a turn.
    #[derive(Clone, Copy)]
    struct Acted {
        /// Whether an event of the board ended it, and not the time.
        by_event: bool,
        /// The time at which the session took the event from the inbox.
        taken: RealInstant,
        /// The time at which the session had processed the event.
        done: RealInstant,
    }

    /// Plays one game at one table. Returns its latencies.
    fn play(record: &Path, people: impl FnOnce(&mut GameAtBoard) + Send + 'static) -> Latencies {
        let mut header = Header::parse(HEADER, GAMES).expect("a header");
        let keys = Keyring::in_folder(&record.with_extension("keys"));
        let keeping = JournalKeeper::open(record, &keys)
            .and_then(|journal| JournalKeeper::begin(journal, &mut header, keys));
        let session = Session::new(header, Some(Box::new(keeping.expect("a record"))), None);

        let board = Hardware::plug_in(Board::EMPTY);
        let (news, heard) = mpsc::channel();
        let timeline = RealTime::starting_at(Instant::ZERO);
        let (sender, inbox) = tokio::sync::mpsc::channel(4096);
        let address = LiveAddress::serial(dgt::MAKER, &board.port);
        let sink = Box::new(move |at, event| drop(sender.blocking_send((at, event))));
        let people = thread::spawn({
            let timeline = Arc::new(timeline.clone());
            move || {
                board.set_up(start().physical());
                let handle =
                    supervisor::spawn(&address, Notes::NONE, timeline, sink, None).expect("a thread");
                while !matches!(heard.recv_timeout(IDLE).expect("the board is found"), Heard::Ready) {}
                let mut game =
                    GameAtBoard { board, heard, latencies: Latencies::default(), written: Vec::new() };
                people(&mut game);
                handle.stop();
                game.board.unplug();
                game.latencies
            }
        });
        let session = live(session, &timeline, inbox, &news);
        let latencies = people.join().expect("the people");
        session.close().expect("the record");
        latencies
    }

    /// Runs the loop of a live table (`app/desk/run.rs`) without a keyboard, until the inbox is closed.
    fn live(
        mut session: Session,
        timeline: &RealTime,
        mut inbox: tokio::sync::mpsc::Receiver<(Instant, BoardEvent)>,
        news: &Sender<Heard>,
    ) -> Session {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            loop {
                let before = session.table().mover();
                let due = session.deadline().map_or(IDLE, |at| timeline.until(at));
                let (mut ready, mut by_event, mut taken) = (false, false, RealInstant::now());
                tokio::select! {
                    biased;
                    event = inbox.recv() => {
                        let Some((at, event)) = event else { return };
                        (by_event, taken) = (true, RealInstant::now());
                        session.board(&event, at);
                        ready = matches!(event, BoardEvent::ClockFound(_));
                    }
                    () = tokio::time::sleep(due) => session.time(timeline.now()),
                }
                black_box((session.take_said(), session.table().prompt()));
                let acted = Acted { by_event, taken, done: RealInstant::now() };
                // After the last turn the receiver has been dropped, so sending fails. This error is ignored.
                if ready {
                    drop(news.send(Heard::Ready));
                } else if session.table().mover() != before {
                    drop(news.send(Heard::Acted(acted)));
                }
            }
        });
        session
    }

    // ---- the board ----

    /// An event on the board or at its clock.
    #[derive(Clone, Copy)]
    enum Change {
        Square(Square, Option<Piece>),
        All(Board),
        Press(Color),
    }

    /// Returns the changes from one position to another: first the lifted pieces, then the placed ones.
    fn changes(before: &Board, after: &Board) -> Vec<Change> {
        let mut squares: Vec<Square> = before.differences(after).collect();
        squares.sort_by_key(|square| after[*square].is_some());
        squares.into_iter().map(|square| Change::Square(square, after[square])).collect()
    }

    /// The board's position, its clock's lever, and its end of the pseudo-terminal.
    struct Inside {
        board: Board,
        /// Whether the right side of the clock's lever is up. It is up if the left side was pressed last, and White
        /// sits on the left.
        right_up: bool,
        line: File,
    }

    impl Inside {
        fn say(&mut self, message: &DgtMessage) {
            self.line.write_all(&message.to_bytes()).expect("the line is open");
        }

        fn clock(&self) -> DgtMessage {
            let time = SideTime::from_secs(5_400);
            let status = ClockStatus::new(true, self.right_up);
            DgtMessage::Clock(ClockFrame { left: time, right: time, status })
        }

        fn answer(&mut self, command: &DgtCommand) {
            match command {
                DgtCommand::Version => self.say(&DgtMessage::Version(Version { main: 3, sub: 10 })),
                DgtCommand::Serial => self.say(&DgtMessage::Serial("01025".to_owned())),
                DgtCommand::SendBoard => self.say(&DgtMessage::Dump(self.board)),
                DgtCommand::SendClock => self.say(&self.clock()),
                DgtCommand::Clock(command) => self.say(&DgtMessage::Ack([0x10, command.number(), 0x22, 0])),
                // The simulated board answers only the commands above.
                _ => {}
            }
        }
    }

    /// A simulated board that answers immediately, at the other end of a pseudo-terminal.
    struct Hardware {
        port: String,
        inside: Arc<Mutex<Inside>>,
        /// The program's end of the pseudo-terminal. The benchmark keeps it open, so that the pseudo-terminal exists
        /// until the board is unplugged.
        near_end: OwnedFd,
        answering: JoinHandle<()>,
    }

    impl Hardware {
        fn plug_in(board: Board) -> Self {
            let pair = openpty(None, None).expect("a pseudo-terminal");
            let mut settings = tcgetattr(&pair.slave).expect("its settings");
            cfmakeraw(&mut settings);
            tcsetattr(&pair.slave, SetArg::TCSANOW, &settings).expect("a raw line");
            let port = ttyname(&pair.slave).expect("a name").display().to_string();
            let line = File::from(pair.master);
            let hears = line.try_clone().expect("a second handle");
            let inside = Arc::new(Mutex::new(Inside { board, right_up: false, line }));
            let answering = thread::spawn({
                let inside = Arc::clone(&inside);
                move || answer_all(hears, &inside)
            });
            Self { port, inside, near_end: pair.slave, answering }
        }

        fn set_up(&self, board: Board) {
            self.inside.lock().expect("whole").board = board;
        }

        /// Makes the change and writes the board's message about it. Returns the time just before the message was
        /// written.
        fn tell(&self, change: Change) -> RealInstant {
            let mut inside = self.inside.lock().expect("whole");
            let message = match change {
                Change::Square(square, piece) => {
                    inside.board[square] = piece;
                    DgtMessage::Field { square, piece }
                }
                Change::All(board) => {
                    inside.board = board;
                    DgtMessage::Dump(board)
                }
                Change::Press(by) => {
                    inside.right_up = by == Color::White;
                    inside.clock()
                }
            };
            let now = RealInstant::now();
            inside.say(&message);
            now
        }

        fn unplug(self) {
            drop(self.near_end);
            self.answering.join().expect("the board");
        }
    }

    /// Answers the program's commands until the pseudo-terminal is closed.
    fn answer_all(mut hears: File, inside: &Mutex<Inside>) {
        let (mut decoder, mut bytes) = (DgtCommandDecoder::new(), [0; 256]);
        while let Ok(count) = hears.read(&mut bytes) {
            for command in bytes.iter().take(count).filter_map(|byte| decoder.push(*byte)) {
                inside.lock().expect("whole").answer(&command);
            }
        }
    }
}
