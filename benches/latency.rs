//! From the last byte of a press, written to a pseudo-terminal, to the durable line and the next
//! prompt: the port, the supervisor and its driver, the inbox, the session and its journal as in a live
//! table. The board on the other end of the line answers as a DGT board does and plays games of chance.
//!
//! Goals: 99 of 100 within 5 ms where each line is synced to the disk, within 1 ms where the journal lies
//! in memory and a sync is nothing. A real line takes 10 ms to bring a press.
//!
//! Two orders are measured: the press comes after the move is on the board, and the last square comes
//! after the press (a slow scan). What the board tells before that is taken in first, unmeasured.
#![cfg_attr(unix, expect(clippy::disallowed_methods, reason = "a bench lives in real time"))]

mod support;

#[cfg(unix)]
fn main() {
    use support::{folder_in_memory, folder_on_disk, head, row};

    let folders = [
        ("to a durable line on the disk, and its prompt", Some(folder_on_disk())),
        ("to a line in memory, where a sync is nothing", folder_in_memory()),
    ];
    for (title, folder) in folders {
        let Some(folder) = folder else { continue };
        let told = unix::evenings(folder.path());
        head(title);
        row("from the press", &told.press, "");
        row("from the last square after a press", &told.square, "");
        row("of both: the session alone", &told.session, "");
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
    use tabiya_app::store::keeper::Keeping;
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

    /// Games, each with a new record and a new connection.
    const GAMES_PLAYED: usize = 16;
    /// Moves of a game, both sides counted.
    const PLIES: usize = 80;
    /// Between a thing that was understood and the next that happens, so that nothing runs in step.
    const PAUSE_MICROS: u64 = 4_000;
    /// Far longer than anything takes here; a bench that hangs says nothing.
    const PATIENCE: Duration = Duration::from_secs(20);

    const HEADER: &str =
        r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"5400"}}"#;

    /// How long it took, by what came last.
    #[derive(Default)]
    pub(super) struct Told {
        pub(super) press: Sample,
        pub(super) square: Sample,
        /// What of it went by in the session: understanding, writing, waiting until it is durable.
        pub(super) session: Sample,
    }

    pub(super) fn evenings(folder: &Path) -> Told {
        let mut told = Told::default();
        for nth in 0..rounds(GAMES_PLAYED) {
            play(&folder.join(format!("{nth}.tabiya")), u64::try_from(nth).expect("few"), &mut told);
        }
        told
    }

    /// One game at one table.
    fn play(record: &Path, seed: u64, told: &mut Told) {
        let header = Header::parse(HEADER, GAMES).expect("a header");
        let keeping =
            Keeping::open(record).and_then(|journal| Keeping::begin(journal, HEADER, Keyring::usual()));
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
                let mut told = Told::default();
                let mut truth = Table::new(Header::parse(HEADER, GAMES).expect("a header").agreement).probe();
                board.set_up(truth.physical());
                let handle =
                    supervisor::spawn(&address, Notes::NONE, timeline, sink, None).expect("a thread");
                wait_for(&heard, News::Ready);
                let mut dice = Dice::new(seed);
                for ply in 0..rounds(PLIES) {
                    let late = ply % 2 == 1;
                    let Some(after) = turn(&truth, late, &board, &heard, &mut dice, &mut told) else { break };
                    truth = after;
                }
                handle.stop();
                board.unplug();
                told
            }
        });
        let session = live(session, &timeline, inbox, &news);
        let Told { press, square, session: inside } = people.join().expect("the people");
        told.press.append(press);
        told.square.append(square);
        told.session.append(inside);
        session.close().expect("the record");
    }

    /// One action and its press, in one order or the other; `None` once the game is over, or if the
    /// table guessed the action before its last square was told: then nothing is left to measure.
    fn turn(
        truth: &Probe,
        late: bool,
        board: &Hardware,
        heard: &Receiver<Heard>,
        dice: &mut Dice,
        told: &mut Told,
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
        let sample = if late { &mut told.square } else { &mut told.press };
        sample.add(known.told - written);
        told.session.add(known.told - known.taken);
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

    /// What the table lets people know, outside the line.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum News {
        /// Board and clock are connected.
        Ready,
        /// Something that the board told was taken in.
        Seen,
        /// A turn is on record, and the next prompt is known.
        Acted,
    }

    /// News, and when.
    struct Heard {
        what: News,
        /// The inbox gave the event to the session.
        taken: RealInstant,
        /// It was done.
        told: RealInstant,
    }

    /// The loop of a live table (`app/desk/run.rs`) without a keyboard. It ends with its inbox.
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
                    // Who has left does not want to know.
                    drop(news.send(Heard { what, taken, told: RealInstant::now() }));
                }
            }
        });
        session
    }

    // ---- the board ----

    /// Something that happens on the board or at its clock.
    #[derive(Clone, Copy)]
    enum Change {
        Square(Square, Option<Piece>),
        Press(Color),
    }

    /// From one board to another: what is lifted first, then what is put down.
    fn changes(before: &Board, after: &Board) -> Vec<Change> {
        let mut squares: Vec<Square> = before.differences(after).collect();
        squares.sort_by_key(|square| after[*square].is_some());
        squares.into_iter().map(|square| Change::Square(square, after[square])).collect()
    }

    /// What stands on the board, and its end of the line.
    struct Inside {
        board: Board,
        /// White presses on the left, which lets the right side up.
        right_up: bool,
        line: File,
    }

    impl Inside {
        fn say(&mut self, message: &DgtMessage) {
            self.line.write_all(&message.to_bytes()).expect("the line stands");
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
                // What a board need not know, or need not answer.
                _ => {}
            }
        }
    }

    /// A board that answers at once, on the far side of a pseudo-terminal.
    struct Hardware {
        port: String,
        inside: Arc<Mutex<Inside>>,
        /// Held open, so that the line stands until it is unplugged.
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

        /// Lets it happen and writes the board's message. When: just before its bytes were written.
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

    /// Until the line hangs up.
    fn answer_all(mut hears: File, inside: &Mutex<Inside>) {
        let (mut decoder, mut bytes) = (DgtCommandDecoder::new(), [0; 256]);
        while let Ok(count) = hears.read(&mut bytes) {
            for command in bytes.iter().take(count).filter_map(|byte| decoder.push(*byte)) {
                inside.lock().expect("whole").answer(&command);
            }
        }
    }
}
