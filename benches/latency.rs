//! Measures the latency of a press on the clock: from the last byte of its message, written to a pseudo-terminal, to
//! the durable line and the next prompt. The serial port, supervisor, driver, inbox, session and journal are those of a
//! live table. A simulated DGT board at the other end of the pseudo-terminal plays random games.
//!
//! Goals: 99 of 100 presses within 5 ms if each line is synced to the disk, and within 1 ms if the journal is in memory
//! and a sync costs nothing. A real serial line needs another 10 ms to transmit a press.
//!
//! Two orders of events are measured: either the press follows the last change of a square, or the last change follows
//! the press, as with a slow scan of the board. The changes before these two events are processed first and not
//! measured.
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
        let measured = unix::evenings(folder.path());
        head(title);
        row("from the press", &measured.press, "");
        row("from the last square after a press", &measured.square, "");
        row("of both: the session alone", &measured.session, "");
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
    use tabiya_app::store::keeper::JournalKeeper;
    use tabiya_app::store::keys::Keyring;
    use tabiya_app::time::RealTime;
    use tabiya_boards::address::LiveAddress;
    use tabiya_boards::human::Dice;
    use tabiya_boards::makers::dgt;
    use tabiya_boards::makers::dgt::codec::{
        ClockFrame, ClockStatus, DgtCommand, DgtCommandDecoder, DgtMessage, SideTime, Version,
    };
    use tabiya_boards::notes::Notes;
    use tabiya_boards::{BoardEvent, supervisor};
    use tabiya_engine::record::Header;
    use tabiya_engine::rules::GAMES;
    use tabiya_engine::table::{Probe, Table};
    use tabiya_types::{Board, Color, Instant, Piece, Square, Timeline as _};

    use crate::support::{Sample, rounds};

    /// The number of games. Each has a new record and a new connection.
    const GAMES_PLAYED: usize = 16;
    /// The number of plies of a game.
    const PLIES: usize = 80;
    /// The mean pause before the next event. Each pause has a random length, because equal pauses could keep time
    /// with the polling of the port.
    const PAUSE_MICROS: u64 = 4_000;
    /// The timeout for an answer of the table, much longer than any answer takes.
    const PATIENCE: Duration = Duration::from_secs(20);

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
    }

    pub(super) fn evenings(folder: &Path) -> Latencies {
        let mut latencies = Latencies::default();
        for nth in 0..rounds(GAMES_PLAYED) {
            play(&folder.join(format!("{nth}.tabiya")), u64::try_from(nth).expect("few"), &mut latencies);
        }
        latencies
    }

    /// Plays one game at one table, and adds its latencies to `latencies`.
    fn play(record: &Path, seed: u64, latencies: &mut Latencies) {
        let mut header = Header::parse(HEADER, GAMES).expect("a header");
        let keeping = JournalKeeper::open(record)
            .and_then(|journal| JournalKeeper::begin(journal, &mut header, Keyring::usual()));
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
                let mut latencies = Latencies::default();
                let mut truth = Table::new(Header::parse(HEADER, GAMES).expect("a header").agreement).probe();
                board.set_up(truth.physical());
                let handle =
                    supervisor::spawn(&address, Notes::NONE, timeline, sink, None).expect("a thread");
                wait_for(&heard, News::Ready);
                let mut dice = Dice::new(seed);
                for ply in 0..rounds(PLIES) {
                    let late = ply % 2 == 1;
                    let Some(after) = turn(&truth, late, &board, &heard, &mut dice, &mut latencies) else {
                        break;
                    };
                    truth = after;
                }
                handle.stop();
                board.unplug();
                latencies
            }
        });
        let session = live(session, &timeline, inbox, &news);
        let Latencies { press, square, session: inside } = people.join().expect("the people");
        latencies.press.append(press);
        latencies.square.append(square);
        latencies.session.append(inside);
        session.close().expect("the record");
    }

    /// Plays one turn on the board: the changes of an action, and a press. If `late`, the press comes before the last
    /// change of a square, otherwise after it. Returns the table after this turn; `None` once the game is over. Also
    /// `None` if the table inferred the action before the turn's last event: then nothing was measured.
    fn turn(
        truth: &Probe,
        late: bool,
        board: &Hardware,
        heard: &Receiver<Heard>,
        dice: &mut Dice,
        latencies: &mut Latencies,
    ) -> Option<Probe> {
        let by = truth.mover()?;
        let candidates = truth.candidates();
        let nth = usize::try_from(dice.below(candidates.len().try_into().ok()?)).ok()?;
        let chosen = candidates.get(nth)?;
        let mut changes = changes(&truth.physical(), &chosen.after);
        changes.insert(changes.len() - usize::from(late), Change::Press(by));
        let last = changes.pop()?;
        for change in changes {
            pause(dice);
            board.tell(change);
            if next(heard).what == News::Acted {
                return None;
            }
        }
        pause(dice);
        let written = board.tell(last);
        let known = wait_for(heard, News::Acted);
        let sample = if late { &mut latencies.square } else { &mut latencies.press };
        sample.add(known.done - written);
        latencies.session.add(known.done - known.taken);
        truth.after_turn(&chosen.action)
    }

    fn pause(dice: &mut Dice) {
        thread::sleep(Duration::from_micros(PAUSE_MICROS / 2 + dice.below(PAUSE_MICROS)));
    }

    fn wait_for(heard: &Receiver<Heard>, wanted: News) -> Heard {
        loop {
            let news = next(heard);
            if news.what == wanted {
                return news;
            }
        }
    }

    fn next(heard: &Receiver<Heard>) -> Heard {
        heard.recv_timeout(PATIENCE).expect("the table answers")
    }

    // ---- the table ----

    /// What the table reports to the benchmark.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum News {
        /// Board and clock are connected.
        Ready,
        /// A change that the board reported was processed.
        Seen,
        /// A turn is in the record, and the next prompt is known.
        Acted,
    }

    /// The table's report on one event, with the times at which the session took the event and had processed it.
    struct Heard {
        what: News,
        /// The time at which the session took the event from the inbox.
        taken: RealInstant,
        /// The time at which the session had processed the event.
        done: RealInstant,
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
                let due = session.deadline().map_or(PATIENCE, |at| timeline.until(at));
                let (mut happened, mut taken) = (None, RealInstant::now());
                tokio::select! {
                    biased;
                    event = inbox.recv() => {
                        let Some((at, event)) = event else { return };
                        taken = RealInstant::now();
                        session.board(&event, at);
                        happened = match event {
                            BoardEvent::ClockFound(_) => Some(News::Ready),
                            BoardEvent::Observed(_) => Some(News::Seen),
                            _ => None,
                        };
                    }
                    () = tokio::time::sleep(due) => session.time(timeline.now()),
                }
                black_box((session.take_said(), session.table().prompt()));
                if session.table().mover() != before {
                    happened = Some(News::Acted);
                }
                if let Some(what) = happened {
                    // After the last turn the receiver has been dropped, so sending fails. This error is ignored.
                    drop(news.send(Heard { what, taken, done: RealInstant::now() }));
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
