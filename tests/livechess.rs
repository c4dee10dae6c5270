//! A hall's board through LiveChess: a real WebSocket, with the simulated program behind it, in real time.
#![cfg(all(unix, feature = "headless"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]
#![allow(clippy::disallowed_methods, reason = "a real line is waited for in real time")]

#[path = "support/child.rs"]
mod child;

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use child::{Table, name, printed};
use tabiya::clock;
use tabiya::devices::boards::livechess;
use tabiya::devices::human::Physical;
use tabiya::devices::link::{Link as _, WebLink};
use tabiya::devices::sim::{SimBoard, SimSetup};
use tabiya::rules::Board;
use tungstenite::{Error, Message, WebSocket};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// LiveChess on this computer.
struct Program {
    sim: Arc<Mutex<Box<dyn SimBoard>>>,
    began: Instant,
    /// Whether whoever is connected is to be thrown out.
    hang_up: Arc<AtomicBool>,
    address: SocketAddr,
}

impl Program {
    fn start() -> Self {
        let setup = SimSetup { board: START.parse().unwrap(), ..SimSetup::default() };
        let sim = Arc::new(Mutex::new((livechess::MAKER.entry().sim)(&setup)));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, began, hang_up) =
            (listener.local_addr().unwrap(), Instant::now(), Arc::new(AtomicBool::new(false)));
        let (serving, told_to) = (sim.clone(), hang_up.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &serving, began, &told_to);
            }
        });
        Self { sim, began, hang_up, address }
    }

    fn now(&self) -> clock::Instant {
        moment(self.began)
    }

    /// A piece goes from one square to another.
    fn carry(&self, from: &str, to: &str) {
        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
        let piece = self.sim.lock().unwrap().board()[from];
        self.sim.lock().unwrap().happen(Physical::Set(from, None), self.now());
        thread::sleep(Duration::from_millis(300));
        self.sim.lock().unwrap().happen(Physical::Set(to, piece), self.now());
    }
}

fn moment(began: Instant) -> clock::Instant {
    clock::Instant::from_millis(u64::try_from(began.elapsed().as_millis()).unwrap())
}

/// One client, until it goes or is thrown out.
fn serve(stream: TcpStream, sim: &Mutex<Box<dyn SimBoard>>, began: Instant, hang_up: &AtomicBool) {
    let mut socket: WebSocket<TcpStream> = tungstenite::accept(stream).unwrap();
    socket.get_ref().set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    while !hang_up.swap(false, Ordering::AcqRel) {
        match socket.read() {
            Ok(Message::Text(text)) => sim.lock().unwrap().on_host_bytes(text.as_bytes(), moment(began)),
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        let messages = {
            let mut sim = sim.lock().unwrap();
            sim.on_time(moment(began));
            sim.take_messages()
        };
        for message in messages {
            if socket.send(Message::text(String::from_utf8(message).unwrap())).is_err() {
                return;
            }
        }
    }
}

#[test]
fn a_game_is_played_through_livechess_and_goes_on_after_it_was_gone() {
    let program = Program::start();
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.tabiya");
    let address = format!("livechess:{}", program.address);
    let mut table = Table::start(&[
        "play",
        "--headless",
        "--plain",
        "--game",
        "chess",
        "--time",
        "300",
        "--press",
        "auto",
        "--board",
        &address,
        "--record",
        name(&record),
    ]);
    table.hear("connected: LiveChess");
    for (from, to) in [("f2", "f3"), ("e7", "e5")] {
        program.carry(from, to);
        table.hear(&format!("plays {from}{to}"));
    }
    program.hang_up.store(true, Ordering::Release);
    table.hear("the board is gone");
    table.hear("the board is back");
    for (from, to) in [("g2", "g4"), ("d8", "h4")] {
        program.carry(from, to);
        table.hear(&format!("plays {from}{to}"));
    }
    table.hear("checkmate");
    drop(table);
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
    assert_eq!(report["games"][0]["moves"], serde_json::json!(["f2f3", "e7e5", "g2g4", "d8h4"]));
    let stands: Board = program.sim.lock().unwrap().board();
    assert_eq!(stands.to_string(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR");
}

#[test]
fn what_is_not_livechess_is_told_apart_from_what_is_not_there() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let done = child::tabiya(&["devices", "probe", &format!("livechess:{nobody}")]);
    let said = child::text(&done.stderr);
    assert!(said.contains("refuses the connection") && done.status.code() == Some(2), "{said}");
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    thread::spawn(move || drop(other.accept()));
    let done = child::tabiya(&["devices", "probe", &format!("livechess:{address}")]);
    let said = child::text(&done.stderr);
    assert!(said.contains("answers as a LiveChess board") && done.status.code() == Some(2), "{said}");
}

#[test]
fn a_message_that_is_longer_than_a_read_of_a_stream_arrives_whole() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let long = "x".repeat(10_000);
    let said = long.clone();
    thread::spawn(move || {
        let mut socket = tungstenite::accept(listener.accept().unwrap().0).unwrap();
        socket.send(Message::text(said)).unwrap();
        drop(socket.read());
    });
    let mut link = WebLink::open("127.0.0.1", address.port(), "/", "LiveChess").unwrap();
    assert_eq!(link.read(Duration::from_secs(5)).unwrap(), long.into_bytes());
}
