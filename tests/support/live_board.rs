//! A simulated board in real time, and the game of Choker that is played on it. Who carries the board's messages is the
//! test's business: a pseudo-terminal, a TCP port, a WebSocket, a stand-in for the system's Bluetooth service, or the
//! service itself.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::disallowed_methods, reason = "a board on the air lives in real time")]

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_boards::human::{HumanHands, Physical, Profile, Span, Task};
use tabiya_boards::maker::Maker;
use tabiya_boards::sim::{LineFaults, SimBoard, SimSetup};
#[cfg(unix)]
use tabiya_boards::sim_host::SimHost;
use tabiya_types::{Board, Color, Millis, Piece, Square, Squares};

#[path = "club_game.rs"]
pub(crate) mod club_game;

use self::club_game::{BETTING, PLACED};
use crate::child::{Table, name, printed};

/// Clean hands in a hurry.
pub(crate) const QUICK: Profile = Profile { carry: Span::new(260, 320), ..Profile::CLEAN };

/// A simulated board. It works as long as one of its copies is there.
#[derive(Clone)]
pub(crate) struct LiveBoard(Arc<Works>);

struct Works {
    sim: Mutex<Box<dyn SimBoard>>,
    hand: Mutex<HumanHands>,
    began: Instant,
}

impl LiveBoard {
    /// `say` gets each message of the board, none longer than `longest`.
    pub(crate) fn start(
        maker: Maker,
        board: &str,
        longest: usize,
        mut say: impl FnMut(&[u8]) + Send + 'static,
    ) -> Self {
        let board = board.parse().expect("a board");
        let faults = LineFaults { split: Some(longest), ..LineFaults::default() };
        let sim = maker.simulated(&SimSetup { board, faults, ..SimSetup::default() }).expect("a simulator");
        let works = Arc::new(Works {
            sim: Mutex::new(sim),
            hand: Mutex::new(HumanHands::new(&QUICK, 1)),
            began: Instant::now(),
        });
        let still_there = Arc::downgrade(&works);
        std::thread::spawn(move || {
            while let Some(works) = still_there.upgrade() {
                let messages = {
                    let mut sim = works.sim();
                    sim.on_time(works.now());
                    sim.take_messages()
                };
                drop(works);
                for message in messages {
                    say(&message);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        Self(works)
    }

    /// The host has written.
    pub(crate) fn hear(&self, bytes: &[u8]) {
        self.0.sim().on_host_bytes(bytes, self.0.now());
    }
}

/// A board in real time that hands play on.
pub(crate) trait Hands {
    /// What really stands on it.
    fn stands(&self) -> Board;
    /// Carries out an action, and waits for its end.
    fn act(&self, after: Board, by: Color);
    /// What shines on it.
    fn lit(&self) -> Squares;

    /// A piece is set up.
    fn put(&self, at: &str, piece: char, by: Color) {
        let mut after = self.stands();
        after[square(at)] = Piece::from_letter(piece);
        self.act(after, by);
    }

    /// Pieces are carried, each from one square to another: `e8g8 h8f8`.
    fn carry(&self, ways: &str, by: Color) {
        let mut after = self.stands();
        for way in ways.split(' ') {
            let (from, to) = way.split_at(2);
            after[square(to)] = after[square(from)].take();
        }
        self.act(after, by);
    }
}

impl Hands for LiveBoard {
    fn stands(&self) -> Board {
        self.0.sim().board()
    }

    fn act(&self, after: Board, by: Color) {
        let task =
            Task { press: false, thinking: Millis(50), ..Task::new(self.stands(), after, by, self.0.now()) };
        let events = self.0.hand.lock().unwrap_or_else(PoisonError::into_inner).perform(&task).events;
        for (at, what) in events {
            std::thread::sleep(Duration::from_millis(at.since(self.0.now()).0));
            if !matches!(what, Physical::Press(_)) {
                self.0.sim().happen(what, self.0.now());
            }
        }
    }

    fn lit(&self) -> Squares {
        self.0.sim().lit()
    }
}

/// A board behind a pseudo-terminal or a TCP port, as `tabiya sim` has it.
#[cfg(unix)]
impl Hands for SimHost {
    fn stands(&self) -> Board {
        self.settle().expect("the board works")
    }

    fn act(&self, after: Board, by: Color) {
        let task = Task::new(self.stands(), after, by, tabiya_types::Instant::ZERO);
        self.play(vec![Task { press: false, thinking: Millis(50), ..task }]);
        self.stands();
    }

    fn lit(&self) -> Squares {
        Self::lit(self)
    }
}

impl Works {
    fn sim(&self) -> MutexGuard<'_, Box<dyn SimBoard>> {
        self.sim.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> tabiya_types::Instant {
        tabiya_types::Instant::from_millis(
            u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
        )
    }
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// What stands before a game of Choker.
pub(crate) const BEFORE_CHOKER: &str = "4k3/4p3/8/8/8/8/4P3/4K3";

/// What is carried in each turn, the move first.
const MOVED: [&str; 6] = ["a1a7", "e8g8 h8f8", "d1a4", "d8b6", "a4d7", "b6g1"];

/// A table for one game of Choker without presses.
pub(crate) fn one_game(address: &str, record: &Path, more: &[&str]) -> Table {
    let terms = ["play", "--headless", "--plain", "--time", "600", "--games", "1", "--press", "auto"];
    let who = ["--players", "Ann,Bo", "--board", address, "--record", name(record)];
    Table::start(&[terms.as_slice(), who.as_slice(), more].concat())
}

/// Plays a match of one game of Choker: cards and bets are typed, and everything on the board is understood by itself,
/// to the checkmate. The board begins as [`BEFORE_CHOKER`]. `lose_link` is called twice in mid-game, and must give the
/// link back by and by; a piece is moved before it is there again. At the end the program is told to quit; what it
/// had written down is what was played.
pub(crate) fn a_game_with_a_lost_link(
    board: &impl Hands,
    address: &str,
    record: &Path,
    mut lose_link: impl FnMut(),
) {
    let mut table = one_game(address, record, &[]);
    table.hear("connected: ");
    for (typed, told) in BETTING {
        table.enter_and_hear(typed, told);
    }
    for (nth, (card, white, black)) in PLACED.into_iter().enumerate() {
        for (by, at, piece) in [(Color::White, white, card), (Color::Black, black, card.to_ascii_lowercase())]
        {
            table.enter_and_hear(&card.to_string(), "over");
            let lost = nth == 2 && by == Color::White;
            if lost {
                lose_link();
                table.hear("the board is gone");
            }
            board.put(at, piece, by);
            if lost {
                table.hear("the board is back");
            }
            table.hear(&format!(" on {at}"));
        }
    }
    for (nth, ways) in MOVED.into_iter().enumerate() {
        let by = if nth % 2 == 0 { Color::White } else { Color::Black };
        let lost = nth == 2;
        if lost {
            lose_link();
            table.hear("the board is gone");
        }
        board.carry(ways, by);
        if lost {
            table.hear("the board is back");
        }
        table.hear(&format!("plays {}", &ways[..4]));
    }
    table.hear("the match is over: Ann 194, Bo 206");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    assert!(board.lit().is_empty(), "lamps still shine");
    let report: Value =
        serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).expect("a report");
    let game = &report["games"][0];
    assert_eq!(game["moves"], json!(MOVED.map(|ways| &ways[..4])));
    assert_eq!(game["start_fen"], "2bqk2r/3pp3/5p2/8/8/2P5/3PP3/R1BQK3 w Qk - 0 1");
    for side in ["white", "black"] {
        assert_eq!(game["hands"][side]["pieces"], "QRBPP");
    }
    assert_eq!(game["outcome"]["reason"], "checkmate");
    assert_eq!(report["stacks"], json!({"A": 194, "B": 206}));
    assert_eq!(report["violations"], json!([]), "{heard:?}");
    assert_eq!(report["phase"], "match-over");
}
