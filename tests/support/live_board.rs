//! A simulated board in real time, and a game of Choker that is played on it. The test chooses what carries the board's
//! messages: a pseudo-terminal, a TCP port, a WebSocket, a stand-in for the system's Bluetooth service, or that service
//! itself.
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

use crate::child::{Table, name, printed};
use crate::club_game::{BETTING, PLACED};
use crate::wait::let_pass;

/// Simulated hands that make no mistakes and move pieces fast.
pub(crate) const QUICK: Profile = Profile { carry: Span::new(260, 320), ..Profile::CLEAN };

/// A simulated board. It runs until its last clone is dropped.
#[derive(Clone)]
pub(crate) struct LiveBoard(Arc<Works>);

struct Works {
    sim: Mutex<Box<dyn SimBoard>>,
    hand: Mutex<HumanHands>,
    began: Instant,
}

impl LiveBoard {
    /// Starts a board. `say` receives its messages, split into parts of at most `longest` bytes.
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
                let_pass(Duration::from_millis(10));
            }
        });
        Self(works)
    }

    /// Presses the clock for this side.
    pub(crate) fn press(&self, by: Color) {
        self.0.sim().happen(Physical::Press(by), self.0.now());
    }

    /// Gives the board bytes that the host has written.
    pub(crate) fn hear(&self, bytes: &[u8]) {
        self.0.sim().on_host_bytes(bytes, self.0.now());
    }
}

/// A board in real time on which simulated hands play.
pub(crate) trait Hands {
    /// The pieces on the board.
    fn stands(&self) -> Board;
    /// Lets the simulated hands of the player `by` move pieces until the position on the board is `after`.
    fn act(&self, after: Board, by: Color);
    /// The squares whose lamps are lit.
    fn lit(&self) -> Squares;

    /// Puts a piece on a square.
    fn put(&self, at: &str, piece: char, by: Color) {
        let mut after = self.stands();
        after[square(at)] = Piece::from_letter(piece);
        self.act(after, by);
    }

    /// Carries pieces, each from one square to another: `e8g8 h8f8`.
    fn carry(&self, pairs: &str, by: Color) {
        let mut after = self.stands();
        for pair in pairs.split(' ') {
            let (from, to) = pair.split_at(2);
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
            let_pass(Duration::from_millis(at.since(self.0.now()).0));
            if !matches!(what, Physical::Press(_)) {
                self.0.sim().happen(what, self.0.now());
            }
        }
    }

    fn lit(&self) -> Squares {
        self.0.sim().lit()
    }
}

/// A board behind a pseudo-terminal or a TCP port, as `tabiya sim` starts it.
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

/// The position before a game of Choker.
pub(crate) const BEFORE_CHOKER: &str = "4k3/4p3/8/8/8/8/4P3/4K3";

/// The pieces that are carried in each turn, as pairs of squares. The first pair is the move; a second pair is the way
/// of the rook in castling.
const MOVED: [&str; 6] = ["a1a7", "e8g8 h8f8", "d1a4", "d8b6", "a4d7", "b6g1"];

/// Starts a table for one game of Choker with `--press auto`: no clock is pressed.
pub(crate) fn one_game(address: &str, record: &Path, more: &[&str]) -> Table {
    let terms = ["play", "--headless", "--plain", "--time", "600", "--games", "1", "--press", "auto"];
    let who = ["--players", "Ann,Bo", "--board", address, "--record", name(record)];
    Table::start(&[terms.as_slice(), who.as_slice(), more].concat())
}

/// Plays a match of one game of Choker up to the checkmate. Cards and bets are typed; the program recognises everything
/// on the board by itself. The board must show [`BEFORE_CHOKER`] at first. `lose_link` is called twice during the game.
/// Each time it must break the link to the board and restore it after a while. A piece is moved while the link is lost.
/// At the end the program quits, and its record must contain the game that was played.
pub(crate) fn a_game_with_a_lost_link(
    board: &impl Hands,
    address: &str,
    record: &Path,
    mut lose_link: impl FnMut(),
) {
    let mut table = one_game(address, record, &[]);
    table.hear("connected: ");
    for (typed, answer) in BETTING {
        table.enter_and_hear(typed, answer);
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
    for (nth, pairs) in MOVED.into_iter().enumerate() {
        let by = if nth % 2 == 0 { Color::White } else { Color::Black };
        let lost = nth == 2;
        if lost {
            lose_link();
            table.hear("the board is gone");
        }
        board.carry(pairs, by);
        if lost {
            table.hear("the board is back");
        }
        table.hear(&format!("plays {}", &pairs[..4]));
    }
    table.hear("the match is over: Ann has 194 chips, Bo has 206");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    assert!(board.lit().is_empty(), "lamps are still lit");
    let report: Value =
        serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).expect("a report");
    let game = &report["games"][0];
    assert_eq!(game["moves"], json!(MOVED.map(|pairs| &pairs[..4])));
    assert_eq!(game["start_fen"], "2bqk2r/3pp3/5p2/8/8/2P5/3PP3/R1BQK3 w Qk - 0 1");
    for side in ["white", "black"] {
        assert_eq!(game["hands"][side]["pieces"], "QRBPP");
    }
    assert_eq!(game["outcome"]["reason"], "checkmate");
    assert_eq!(report["stacks"], json!({"A": 194, "B": 206}));
    assert_eq!(report["violations"], json!([]), "{heard:?}");
    assert_eq!(report["phase"], "match-over");
}
