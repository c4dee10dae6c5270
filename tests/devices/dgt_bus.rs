//! Several DGT boards on one wire behind a real pseudo-terminal: a table for each board, a board that is lost and comes
//! back, and the messages when it is not clear which board is meant.
//!
//! Every test waits for events, with a deadline that only a broken program reaches.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::kept::{Kept, MonotonicTime};
use crate::wait::wait_for;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::human::Physical;
use tabiya_boards::link::{LinkError, SerialLink};
use tabiya_boards::makers::dgt;
use tabiya_boards::makers::dgt::codec::{DgtCommand, DgtCommandDecoder};
use tabiya_boards::makers::dgtbus::sim::{UnitConfig, Wire, WireConfig};
use tabiya_boards::notes::Notes;
use tabiya_boards::probe::probe;
use tabiya_boards::sim::SimBoard as _;
use tabiya_boards::transports::SerialSettings;
use tabiya_types::{Board, Color, Observation, Piece, Square, Timeline};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

/// Several simulated boards on one bus wire, which the program reaches through a pseudo-terminal. Dropping this value
/// unplugs the wire.
struct Hall {
    wire: Arc<Mutex<Wire>>,
    /// How many commands each board has received. The key is the board's address on the bus.
    asked: Arc<Mutex<BTreeMap<u16, usize>>>,
    time: MonotonicTime,
    path: PathBuf,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// The program's end of the pseudo-terminal. The test itself holds this end open, because reads at the wire's end
    /// would fail while nobody has opened the program's end.
    slave: Option<OwnedFd>,
}

impl Hall {
    fn new(addresses: &[u16]) -> Self {
        let board: Board = START.parse().unwrap();
        let boards =
            addresses.iter().map(|address| UnitConfig { address: *address, board, ..UnitConfig::default() });
        let config = WireConfig { boards: boards.collect(), seed: 2, ..WireConfig::default() };
        let wire = Arc::new(Mutex::new(Wire::new(&config)));
        let pty = nix::pty::openpty(None, None).unwrap();
        let mut raw = tcgetattr(&pty.slave).unwrap();
        cfmakeraw(&mut raw);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &raw).unwrap();
        let path = std::fs::read_link(format!("/proc/self/fd/{}", pty.slave.as_raw_fd())).unwrap();
        let (ends, time) = (Arc::new(AtomicBool::new(false)), MonotonicTime::begin());
        let asked = Arc::default();
        let (lives, told, counts) = (Arc::clone(&wire), Arc::clone(&ends), Arc::clone(&asked));
        let master = File::from(pty.master);
        let thread = thread::spawn(move || live(master, &lives, &counts, time, &told));
        Self { wire, asked, time, path, ends, thread: Some(thread), slave: Some(pty.slave) }
    }

    fn address(&self, unit: &str) -> LiveAddress {
        let text = format!("dgtbus:{}{unit}", self.path.display());
        let BoardAddress::Live(address) = text.parse().unwrap() else { panic!("{text}") };
        address
    }

    fn table(&self, unit: &str) -> Kept {
        Kept::new(&self.address(unit), self.time, None)
    }

    fn set(&self, nth: usize, square: &str, letter: char) {
        let what = Physical::Set(square.parse().unwrap(), Piece::from_letter(letter));
        self.wire.lock().unwrap().happen_at(nth, what, self.time.now());
    }

    /// Moves a piece on the board with index `nth`, and presses the clock for `by`. After each step, waits until the
    /// table of this board has reported the step.
    fn play(&self, table: &mut Kept, nth: usize, from: &str, to: &str, by: Color) {
        let piece = self.wire.lock().unwrap().units()[nth].board()[from.parse::<Square>().unwrap()].unwrap();
        self.set(nth, from, '-');
        table.until_square(from.parse().unwrap(), None);
        self.set(nth, to, piece.letter());
        table.until_square(to.parse().unwrap(), Some(piece));
        self.wire.lock().unwrap().happen_at(nth, Physical::Press(by), self.time.now());
        assert_eq!(table.next_change(), format!("{by:?}"));
    }

    fn switch(&self, nth: usize, on: bool) {
        self.wire.lock().unwrap().switch(nth, on, self.time.now());
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        self.thread.take().unwrap().join().unwrap();
        self.slave = None;
    }
}

fn live(
    mut master: File,
    wire: &Mutex<Wire>,
    asked: &Mutex<BTreeMap<u16, usize>>,
    time: MonotonicTime,
    ends: &AtomicBool,
) {
    let (mut buffer, mut decoder) = ([0; 256], DgtCommandDecoder::new());
    while !ends.load(Ordering::Acquire) {
        let mut ready = [PollFd::new(master.as_fd(), PollFlags::POLLIN)];
        let heard = if poll(&mut ready, PollTimeout::from(2_u8)).unwrap() > 0 {
            master.read(&mut buffer).unwrap()
        } else {
            0
        };
        for command in buffer[..heard].iter().filter_map(|byte| decoder.push(*byte)) {
            if let DgtCommand::Bus { address, .. } = command {
                *asked.lock().unwrap().entry(address).or_default() += 1;
            }
        }
        let mut wire = wire.lock().unwrap();
        wire.on_host_bytes(&buffer[..heard], time.now());
        wire.on_time(time.now());
        for bytes in wire.take_messages() {
            master.write_all(&bytes).unwrap();
        }
    }
}

#[test]
fn two_tables_play_on_one_wire_and_one_boards_loss_is_not_the_others() {
    let hall = Hall::new(&[1025, 1026, 2054]);
    let (mut one, mut other) = (hall.table("#1025"), hall.table("#2054"));
    one.until_board(START);
    other.until_board(START);
    thread::scope(|scope| {
        scope.spawn(|| hall.play(&mut one, 0, "e2", "e4", Color::White));
        scope.spawn(|| hall.play(&mut other, 2, "d2", "d4", Color::White));
    });

    hall.switch(0, false);
    let lost = one.until_lost();
    assert!(matches!(lost, LinkError::Silent { .. }), "{lost:?}");
    // The other table's game goes on while the lost board is searched for.
    for (from, to, by) in [("g8", "f6", Color::Black), ("b1", "c3", Color::White)] {
        hall.play(&mut other, 2, from, to, by);
    }
    assert!(one.until_wants().starts_with("board 1025 does not answer on this line (boards that answer: "));
    hall.switch(0, true);
    one.until("return", |event| matches!(event, BoardEvent::Back).then_some(()));
    one.until_board(AFTER_E4);
    hall.play(&mut one, 0, "e7", "e5", Color::Black);

    one.handle.stop();
    // The table that was stopped has left its board in single-board mode. The other table has switched the other
    // boards back to bus mode.
    hall.play(&mut other, 2, "f6", "e4", Color::Black);
    other.handle.stop();
    SerialLink::open(hall.path.to_str().unwrap(), SerialSettings::PLAIN_9600).unwrap();
}

#[test]
fn eight_tables_share_a_wire_and_none_starves() {
    let addresses: Vec<u16> = (100..108).collect();
    let hall = Hall::new(&addresses);
    let tables: Vec<_> = addresses.iter().map(|address| hall.table(&format!("#{address}"))).collect();
    for table in &tables {
        table.until_board(START);
    }
    for nth in 0..tables.len() {
        hall.set(nth, "e2", '-');
    }
    let lifted: Observation = Observation::Square("e2".parse().unwrap(), None);
    for table in &tables {
        table.until("lift", |event| {
            matches!(event, BoardEvent::Observed(seen) if *seen == lifted).then_some(())
        });
    }
    // At any speed, all boards are polled about equally often.
    hall.asked.lock().unwrap().clear();
    let asked = wait_for("thirty polls for each board", || {
        let asked = hall.asked.lock().unwrap();
        (asked.values().sum::<usize>() >= 30 * tables.len()).then(|| asked.clone())
    });
    assert!(
        addresses.iter().all(|address| asked.get(address).is_some_and(|times| *times >= 20)),
        "{asked:?}"
    );
    for table in tables {
        table.handle.stop();
    }
}

#[test]
fn all_lose_a_wire_that_is_pulled_out_and_find_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("wire");
    let hall = Hall::new(&[1025, 2054]);
    std::os::unix::fs::symlink(&hall.path, &port).unwrap();
    let time = hall.time;
    let table = |unit: &str| {
        let text = format!("dgtbus:{}#{unit}", port.display());
        let BoardAddress::Live(address) = text.parse().unwrap() else { panic!("{text}") };
        Kept::new(&address, time, None)
    };
    let (one, other) = (table("1025"), table("2054"));
    one.until_board(START);
    other.until_board(START);
    drop(hall);
    assert!(matches!(one.until_lost(), LinkError::Vanished { .. }));
    assert!(matches!(other.until_lost(), LinkError::Vanished { .. }));
    let hall = Hall::new(&[1025, 2054]);
    std::fs::remove_file(&port).unwrap();
    std::os::unix::fs::symlink(&hall.path, &port).unwrap();
    for table in [&one, &other] {
        table.until("return", |event| matches!(event, BoardEvent::Back).then_some(()));
    }
    hall.set(1, "e2", '-');
    other.until_board("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
    one.handle.stop();
    other.handle.stop();
}

#[test]
fn the_only_board_needs_no_number_and_several_are_named() {
    let alone = Hall::new(&[1025]);
    let probed = probe(&alone.address(""), Notes::NONE, &alone.time).unwrap();
    assert_eq!((probed.info.number(), probed.wants), (Some("1025"), None));
    // The probe leaves the board in single-board mode.
    wait_for("a board off the bus", || (!alone.wire.lock().unwrap().units()[0].on_bus()).then_some(()));
    let hall = Hall::new(&[2054, 1025]);
    let probed = probe(&hall.address(""), Notes::NONE, &hall.time).unwrap();
    let asked =
        "several boards are on this line (1025, 2054): choose one by its number, as in dgtbus:PORT#1025";
    assert_eq!(probed.wants.map(|what| what.to_string()).as_deref(), Some(asked));
}

#[test]
fn a_wire_that_was_asked_for_a_single_board_is_a_bus_again_when_it_is_asked_as_one() {
    let hall = Hall::new(&[1025, 2054]);
    let single = LiveAddress::serial(dgt::MAKER, hall.path.to_str().unwrap());
    // The probe expects a single board, but both boards answer at once. So it may find one board, or no valid answer.
    // It must not report that the port is broken or silent.
    match probe(&single, Notes::NONE, &hall.time) {
        Ok(_) | Err(LinkError::NoAnswer { .. }) => {}
        Err(error) => panic!("{error}"),
    }
    assert!(hall.wire.lock().unwrap().units().iter().all(|unit| !unit.on_bus()));
    let probed = probe(&hall.address(""), Notes::NONE, &hall.time).unwrap();
    assert!(probed.wants.is_some_and(|what| what.to_string().contains("(1025, 2054)")));
}

#[test]
fn a_board_that_another_table_has_is_refused_and_a_wire_without_boards_is_none() {
    let hall = Hall::new(&[1025, 2054]);
    let first = hall.table("#1025");
    first.until_board(START);
    let second = hall.table("#1025");
    assert!(matches!(second.until_lost(), LinkError::Taken { .. }));
    first.handle.stop();
    second.until_board(START);
    second.handle.stop();
    let empty = Hall::new(&[]);
    let error = probe(&empty.address(""), Notes::NONE, &empty.time).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "nothing on {} answers as a DGT bus board; switch the board on, or choose another port",
            empty.path.display()
        )
    );
}
