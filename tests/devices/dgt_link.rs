//! DGT boards over real pseudo-terminals and TCP: opening, unplugging, reconnecting, and the messages when a port
//! does not open.
//!
//! Every test waits for events, with a deadline that only a broken program reaches.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::kept::{Kept, MonotonicTime};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::capture::{Capture, CaptureHeader, CaptureWriter, Direction};
use tabiya_boards::driver::BoardCommand;
use tabiya_boards::link::{Link, LinkError, SerialLink, TcpLink};
use tabiya_boards::makers::dgt;
use tabiya_boards::makers::dgt::codec::{
    ClockFrame, ClockStatus, DgtCommand, DgtCommandDecoder, DgtMessage, SideTime, Version,
};
use tabiya_boards::notes::Notes;
use tabiya_boards::probe::probe;
use tabiya_boards::supervisor::{self, ByteTap};
use tabiya_boards::transports::SerialSettings;
use tabiya_types::{Board, Color, Millis, Observation};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

/// The answers of a simple board that knows only its position.
struct Answers {
    decoder: DgtCommandDecoder,
    position: Board,
}

impl Answers {
    fn new(position: &str) -> Self {
        Self { decoder: DgtCommandDecoder::new(), position: position.parse().unwrap() }
    }

    fn to(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for command in bytes.iter().filter_map(|byte| self.decoder.push(*byte)) {
            match command {
                DgtCommand::Version => DgtMessage::Version(Version { main: 1, sub: 80 }).encode(&mut out),
                DgtCommand::Serial => DgtMessage::Serial("23946".to_owned()).encode(&mut out),
                DgtCommand::Trademark => DgtMessage::Trademark("A test's board".repeat(9)).encode(&mut out),
                DgtCommand::SendBoard => DgtMessage::Dump(self.position).encode(&mut out),
                _ => {}
            }
        }
        out
    }
}

/// A board on a pseudo-terminal. Dropping this unplugs the board.
struct PtyBoard {
    path: PathBuf,
    say: Sender<DgtMessage>,
    unplugged: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// The program's end of the pseudo-terminal. The test keeps the program's end open, because reads at the board's
    /// end fail while the program's end is closed.
    slave: Option<OwnedFd>,
}

impl PtyBoard {
    fn new(position: &str) -> Self {
        let pty = nix::pty::openpty(None, None).unwrap();
        // The pseudo-terminal must be in raw mode before the first byte is sent. Otherwise it would change some
        // bytes.
        let mut raw = tcgetattr(&pty.slave).unwrap();
        cfmakeraw(&mut raw);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &raw).unwrap();
        let path = std::fs::read_link(format!("/proc/self/fd/{}", pty.slave.as_raw_fd())).unwrap();
        let (say, heard) = mpsc::channel();
        let unplugged = Arc::new(AtomicBool::new(false));
        let (master, flag, answers) =
            (File::from(pty.master), Arc::clone(&unplugged), Answers::new(position));
        let thread = thread::spawn(move || live(master, answers, &heard, &flag));
        Self { path, say, unplugged, thread: Some(thread), slave: Some(pty.slave) }
    }

    fn say(&self, message: DgtMessage) {
        self.say.send(message).unwrap();
    }
}

impl Drop for PtyBoard {
    fn drop(&mut self) {
        self.unplugged.store(true, Ordering::Release);
        self.thread.take().unwrap().join().unwrap();
        self.slave = None;
    }
}

fn live(mut master: File, mut answers: Answers, heard: &Receiver<DgtMessage>, unplugged: &AtomicBool) {
    let mut buffer = [0; 256];
    while !unplugged.load(Ordering::Acquire) {
        let mut ready = [PollFd::new(master.as_fd(), PollFlags::POLLIN)];
        if poll(&mut ready, PollTimeout::from(10_u8)).unwrap() > 0 {
            let count = master.read(&mut buffer).unwrap();
            let answer = answers.to(&buffer[..count]);
            master.write_all(&answer).unwrap();
        }
        while let Ok(message) = heard.try_recv() {
            master.write_all(&message.to_bytes()).unwrap();
        }
    }
}

fn serial(path: &Path) -> LiveAddress {
    LiveAddress::serial(dgt::MAKER, path.to_str().unwrap())
}

fn field(square: &str, piece: Option<char>) -> DgtMessage {
    let piece = piece.and_then(tabiya_types::Piece::from_letter);
    DgtMessage::Field { square: square.parse().unwrap(), piece }
}

fn clock(right_up: bool) -> DgtMessage {
    let time = SideTime::from_secs(180);
    DgtMessage::Clock(ClockFrame { left: time, right: time, status: ClockStatus::new(true, right_up) })
}

#[test]
fn a_board_is_identified_and_its_changes_and_presses_are_told() {
    let board = PtyBoard::new(START);
    let kept = Kept::new(&serial(&board.path), MonotonicTime::begin(), None);
    let info = kept.until("identity", |event| match event {
        BoardEvent::Identified(info) => Some(info.clone()),
        _ => None,
    });
    assert_eq!((info.number(), info.version.as_deref()), (Some("23946"), Some("1.80")));
    assert_eq!(info.text.map(|text| text.len()), Some(14 * 9));
    kept.until_board(START);
    board.say(clock(false));
    board.say(field("e2", None));
    board.say(field("e4", Some('P')));
    board.say(clock(true));
    let e4 = "e4".parse().unwrap();
    kept.until("e4", |event| match event {
        BoardEvent::Observed(Observation::Square(square, Some(_))) if *square == e4 => Some(()),
        _ => None,
    });
    let pressed = kept.until("press", |event| match event {
        BoardEvent::Observed(Observation::Press(color)) => Some(*color),
        _ => None,
    });
    assert_eq!(pressed, Color::White);
    // When the board reports no more changes, the driver requests the whole board without an order.
    kept.until_board(START);
    kept.handle.stop();
}

#[test]
fn a_board_that_is_pulled_out_and_put_back_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let board = PtyBoard::new(START);
    symlink(&board.path, &port).unwrap();
    let kept = Kept::new(&serial(&port), MonotonicTime::begin(), None);
    kept.until_board(START);
    drop(board);
    let lost = kept.until_lost();
    assert!(matches!(lost, LinkError::Vanished { .. }), "{lost:?}");
    let sentence =
        format!("the board on {} is gone; plug it in again and it reconnects automatically", port.display());
    assert_eq!(lost.to_string(), sentence);

    // A move is made while the board is unplugged.
    let board = PtyBoard::new(AFTER_E4);
    std::fs::remove_file(&port).unwrap();
    symlink(&board.path, &port).unwrap();
    kept.until("return", |event| matches!(event, BoardEvent::Back).then_some(()));
    kept.until_board(AFTER_E4);
    kept.handle.stop();
}

#[test]
fn a_port_that_is_not_there_is_named_and_found_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let kept = Kept::new(&serial(&port), MonotonicTime::begin(), None);
    let lost = kept.until_lost();
    assert!(matches!(&lost, LinkError::Missing { port: named } if Path::new(named) == port), "{lost:?}");
    assert!(lost.to_string().contains("is not there; plug the board in"), "{lost}");
    let board = PtyBoard::new(START);
    symlink(&board.path, &port).unwrap();
    kept.until_board(START);
    kept.handle.stop();
}

#[test]
fn a_port_that_another_program_holds_is_busy() {
    let board = PtyBoard::new(START);
    let path = board.path.to_str().unwrap();
    let first = SerialLink::open(path, SerialSettings::PLAIN_9600).unwrap();
    let busy = SerialLink::open(path, SerialSettings::PLAIN_9600).err().unwrap();
    assert!(matches!(busy, LinkError::Busy { .. }), "{busy:?}");
    assert!(busy.to_string().contains("is in use by another program; close that program"), "{busy}");
    let kept = Kept::new(&serial(&board.path), MonotonicTime::begin(), None);
    assert!(matches!(kept.until_lost(), LinkError::Busy { .. }));
    drop(first);
    kept.until_board(START);
    kept.handle.stop();
}

#[test]
fn what_is_no_serial_port_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "hello").unwrap();
    for path in [file.to_str().unwrap(), folder.path().to_str().unwrap(), "/dev/null"] {
        let error = SerialLink::open(path, SerialSettings::PLAIN_9600).err().unwrap();
        assert!(matches!(error, LinkError::NotSerial { .. }), "{path}: {error:?}");
    }
}

#[test]
fn unread_bytes_of_the_last_user_are_dropped() {
    let board = PtyBoard::new(START);
    let path = board.path.to_str().unwrap();
    let first = SerialLink::open(path, SerialSettings::PLAIN_9600).unwrap();
    board.say(clock(false));
    board.say(clock(true));
    // Wait until the bytes have arrived at the program's end, but do not read them.
    let line = board.slave.as_ref().unwrap();
    while poll(&mut [PollFd::new(line.as_fd(), PollFlags::POLLIN)], PollTimeout::from(50_u8)).unwrap() == 0 {}
    drop(first);
    let kept = Kept::new(&serial(&board.path), MonotonicTime::begin(), None);
    let damage = kept.until("board", |event| match event {
        BoardEvent::Observed(Observation::Whole(_)) => Some(false),
        BoardEvent::Damage { .. } | BoardEvent::ClockTimes(_) => Some(true),
        _ => None,
    });
    assert!(!damage);
    kept.handle.stop();
}

#[test]
fn a_line_where_nothing_answers_is_no_board() {
    let pty = nix::pty::openpty(None, None).unwrap();
    let path = std::fs::read_link(format!("/proc/self/fd/{}", pty.slave.as_raw_fd())).unwrap();
    let error = probe(&serial(&path), Notes::NONE, &MonotonicTime::begin()).unwrap_err();
    assert!(matches!(error, LinkError::NoAnswer { .. }), "{error:?}");
    assert!(error.to_string().contains("answers as a DGT board"), "{error}");
}

#[test]
fn a_probe_tells_who_is_there_and_leaves_the_port_free() {
    let board = PtyBoard::new(START);
    let info = probe(&serial(&board.path), Notes::NONE, &MonotonicTime::begin()).unwrap();
    assert_eq!(info.info.serial.as_deref(), Some("23946"));
    SerialLink::open(board.path.to_str().unwrap(), SerialSettings::PLAIN_9600).unwrap();
}

#[test]
fn what_went_over_the_line_can_be_saved_and_played_again() {
    let board = PtyBoard::new(START);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.jsonl");
    let header = CaptureHeader { capture: "dgt".to_owned(), device: Some("a test's".to_owned()) };
    let mut writer = CaptureWriter::append(&file, &header).unwrap();
    let tap: ByteTap = Box::new(move |at, direction, bytes| writer.write(at, direction, bytes).unwrap());
    let kept = Kept::new(&serial(&board.path), MonotonicTime::begin(), Some(tap));
    kept.until_board(START);
    kept.handle.ask_dump();
    kept.until_board(START);
    kept.handle.stop();
    let capture = Capture::read(&file).unwrap();
    let written = capture.chunks.iter().filter(|chunk| chunk.direction == Direction::ToDevice);
    let written: Vec<u8> = written.flat_map(|chunk| chunk.bytes.clone()).collect();
    assert_eq!((written.first(), written.last()), (Some(&0x40), Some(&0x40)), "resets first and last");
    let boards =
        capture.play().filter(|(_, event)| matches!(event, BoardEvent::Observed(Observation::Whole(_))));
    assert!(boards.count() >= 2);
}

#[test]
fn a_board_behind_tcp_is_kept_like_one_on_a_cable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        for position in [START, AFTER_E4] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut answers = Answers::new(position);
            let mut buffer = [0; 256];
            // The first connection is closed right after the board has answered the request for its position (0x42).
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                stream.write_all(&answers.to(&buffer[..count])).unwrap();
                if position == START && buffer[..count].contains(&0x42) {
                    break;
                }
            }
        }
    });
    let address: BoardAddress = format!("dgt:tcp:127.0.0.1:{port}").parse().unwrap();
    let BoardAddress::Live(address) = address else { panic!("{address}") };
    let kept = Kept::new(&address, MonotonicTime::begin(), None);
    kept.until_board(START);
    let lost = kept.until_lost();
    assert!(matches!(lost, LinkError::Vanished { .. }), "{lost:?}");
    kept.until("return", |event| matches!(event, BoardEvent::Back).then_some(()));
    kept.until_board(AFTER_E4);
    kept.handle.tell(BoardCommand::Show("bye".to_owned()));
    kept.handle.tell(BoardCommand::Beep(Millis(100)));
    kept.handle.stop();
    server.join().unwrap();
}

#[test]
fn a_host_that_refuses_is_told_so() {
    // A port that was free a moment ago, so nothing listens there.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = TcpLink::open("127.0.0.1", port).err().unwrap();
    assert!(matches!(error, LinkError::Refused { .. }), "{error:?}");
    let error = TcpLink::open("", 4001).err().unwrap();
    assert!(matches!(error, LinkError::UnknownHost { .. }), "{error:?}");
}

/// A link inside the program: bytes that are written go to the board, and reads return the board's answers.
struct Inside {
    answers: Arc<Mutex<Answers>>,
    arrived: Vec<u8>,
}

impl Link for Inside {
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        if self.arrived.is_empty() {
            thread::park_timeout(patience);
        }
        Ok(std::mem::take(&mut self.arrived))
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let answer = self.answers.lock().unwrap().to(bytes);
        self.arrived.extend(answer);
        Ok(())
    }
}

#[test]
fn a_board_inside_the_program_needs_no_port() {
    let answers = Arc::new(Mutex::new(Answers::new(START)));
    let open =
        move || Ok(Box::new(Inside { answers: Arc::clone(&answers), arrived: Vec::new() }) as Box<dyn Link>);
    let simulated = LiveAddress::serial(dgt::MAKER, "the simulator");
    let time = Arc::new(MonotonicTime::begin());
    let kept = Kept::by(|sink| supervisor::spawn_over(&simulated, open, time, sink, None).unwrap());
    kept.until_board(START);
    kept.handle.stop();
}
