//! A tournament board through LiveChess: a real WebSocket to a simulated LiveChess, in real time.
#![cfg(unix)]

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::child::{Table, name, printed};
use crate::live_board::{BEFORE_CHOKER, Hands as _, LiveBoard, a_game_with_a_lost_link};
use crate::wait::let_pass;
use tabiya_boards::link::{Link as _, WebLink};
use tabiya_boards::makers::livechess;
use tabiya_types::Color;
use tungstenite::{Error, Message, WebSocket};

/// A simulated LiveChess on this computer, with one board.
struct Program {
    board: LiveBoard,
    /// Whether to close the connection of the current client.
    hang_up: Arc<AtomicBool>,
    address: SocketAddr,
}

impl Program {
    fn start() -> Self {
        Self::with(BEFORE_CHOKER)
    }

    /// Starts with this position on the board.
    fn with(position: &str) -> Self {
        let said: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
        let saying = said.clone();
        let board = LiveBoard::start(livechess::MAKER, position, usize::MAX, move |message| {
            saying.lock().unwrap().push(message.to_vec());
        });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, hang_up) = (listener.local_addr().unwrap(), Arc::<AtomicBool>::default());
        let (hearing, told_to) = (board.clone(), hang_up.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                // Drop the messages that were meant for an earlier client.
                said.lock().unwrap().clear();
                serve(stream.unwrap(), &hearing, &said, &told_to);
            }
        });
        Self { board, hang_up, address }
    }
}

/// Serves one client until it disconnects or `hang_up` is set.
fn serve(stream: TcpStream, board: &LiveBoard, said: &Mutex<Vec<Vec<u8>>>, hang_up: &AtomicBool) {
    let mut socket: WebSocket<TcpStream> = tungstenite::accept(stream).unwrap();
    socket.get_ref().set_read_timeout(Some(Duration::from_millis(10))).unwrap();
    while !hang_up.swap(false, Ordering::AcqRel) {
        match socket.read() {
            Ok(Message::Text(text)) => board.hear(text.as_bytes()),
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        let messages = std::mem::take(&mut *said.lock().unwrap());
        for message in messages {
            if socket.send(Message::text(String::from_utf8(message).unwrap())).is_err() {
                return;
            }
        }
    }
}

#[test]
fn a_match_is_played_through_livechess_and_goes_on_after_it_was_gone() {
    let program = Program::start();
    let folder = tempfile::tempdir().unwrap();
    let address = format!("livechess:{}", program.address);
    a_game_with_a_lost_link(&program.board, &address, &folder.path().join("game.tabiya"), || {
        program.hang_up.store(true, Ordering::Release);
    });
}

/// LiveChess reports no presses, but whose time runs: White's, Black's, White's.
#[test]
fn the_clock_behind_livechess_ends_the_turns_and_its_times_count() {
    for clock in ["tabiya", "device"] {
        let program = Program::with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("game.tabiya");
        let (address, record) = (format!("livechess:{}", program.address), name(&record));
        let usual =
            ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--players", "Ann,Bo"];
        let mut table = Table::start(
            &[&usual[..], &["--clock", clock, "--board", &address, "--record", record]].concat(),
        );
        table.hear("a clock is connected");
        let_pass(Duration::from_secs(1));
        program.board.press(Color::Black);
        let_pass(Duration::from_millis(2_500));
        for (carried, by, told) in
            [("e2e4", Color::White, "e2e4"), ("e7e5", Color::Black, "e7e5"), ("g1f3", Color::White, "g1f3")]
        {
            program.board.carry(carried, by);
            let_pass(Duration::from_millis(500));
            program.board.press(by);
            table.hear(told);
        }
        let (_, said, _) = table.quit();
        let state: serde_json::Value =
            serde_json::from_str(&printed(&["replay", record, "--json"], 0)).unwrap();
        assert_eq!(state["moves"], serde_json::json!({"white": 2, "black": 1}), "{said:?}");
        let left = |side: &str| state["clock_ms"][side].as_u64().unwrap();
        assert!(
            left("white") < 297_000 && left("black") < 299_500 && left("black") > left("white"),
            "{state}"
        );
    }
}

#[test]
fn what_is_not_livechess_is_told_apart_from_what_is_not_there() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let done = crate::child::tabiya(&["devices", "probe", &format!("livechess:{nobody}")]);
    let said = crate::child::text(&done.stderr);
    assert!(said.contains("refuses the connection") && done.status.code() == Some(2), "{said}");
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    thread::spawn(move || drop(other.accept()));
    let done = crate::child::tabiya(&["devices", "probe", &format!("livechess:{address}")]);
    let said = crate::child::text(&done.stderr);
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

/// Findings 5 and 19: what a program behind the address may send is bounded in length and in time.
#[test]
fn a_message_without_end_is_refused_and_a_handshake_has_a_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut socket = tungstenite::accept(listener.accept().unwrap().0).unwrap();
        // The reader hangs up in the middle.
        drop(socket.send(Message::text("0".repeat(60_000_000))));
    });
    let mut link = WebLink::open("127.0.0.1", address.port(), "/", "LiveChess").unwrap();
    let refused = (0..1_000).find_map(|_| link.read(Duration::from_millis(100)).err());
    assert!(refused.is_some(), "60 MB were taken");

    let dripping = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = dripping.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = dripping.accept().unwrap();
        let answer = b"HTTP/1.1 101 Switching Protocols\r\nX-Long: ".iter().chain(std::iter::repeat(&b'x'));
        for byte in answer {
            if std::io::Write::write_all(&mut stream, &[*byte]).is_err() {
                break;
            }
            crate::wait::let_pass(Duration::from_millis(50));
        }
    });
    assert!(WebLink::open("127.0.0.1", address.port(), "/", "LiveChess").is_err(), "it gives up");
}
