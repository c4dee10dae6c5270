//! Plays whole matches on every board of the catalogue, through its simulator and its driver, byte for byte, in
//! simulated time, with hands that make mistakes and boards that are unplugged.

use tabiya_app::robots::{MatchSimulation, SimulatedMatch};
use tabiya_app::session::Session;
use tabiya_boards::brand::LampLayout;
use tabiya_boards::capture::{self, Capture, CaptureWriter, Direction};
use tabiya_boards::driver::{BoardCommand, Connection, Driver};
use tabiya_boards::human::{Dice, Profile};
use tabiya_boards::lights::{Glow, Lights};
use tabiya_boards::link::Carrier;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::sim::{SimBoard, SimSetup};
use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Instant, Millis};
use tempfile::NamedTempFile;

const CHOKER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":60,"B":60},"small_blind":1,"games":2}}"#;
const CHESS: &str =
    r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"games":1}}"#;

/// The ten moments within the first minutes at which the board is unplugged, in ascending order. With each moment comes
/// the length of time after which the board is plugged in again.
fn unpluggings(seed: u64) -> Vec<(Instant, Millis)> {
    let mut dice = Dice::new(seed);
    let mut at = Instant::from_millis(5_000);
    let pull = |_| {
        at = at + Millis(7_000 + dice.below(15_000));
        let out = Millis(200 + dice.below(6_000));
        (at, out)
    };
    (0..10).map(pull).collect()
}

/// Plays a match, replays its record, and compares the board of the replay with the board of the match.
fn plays(maker: Maker, header: &str, profile: &Profile, pulled: bool) {
    let who = format!("{} with {} hands, pulled: {pulled}", maker.name(), profile.name);
    let session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
    let unplug_at = if pulled { unpluggings(7) } else { Vec::new() };
    let setup = SimulatedMatch {
        maker,
        unplug_at,
        profile: *profile,
        seed: 11,
        plies: Some(if pulled { 70 } else { 30 }),
    };
    let mut said = Vec::new();
    let bytes = NamedTempFile::new().expect("a file");
    let head = capture::CaptureHeader { capture: maker.prefix().to_owned(), device: None };
    let writer = CaptureWriter::append(bytes.path(), &head).expect("a capture");
    let session = MatchSimulation::new(session, &setup, Some(writer))
        .expect("a simulator")
        .run(&mut |words| said.push(words.text.to_string()))
        .unwrap_or_else(|fault| panic!("{who}: {fault:?}\n{}", said.join("\n")));
    let report = session.replay().report();
    assert!(session.table().match_over() || session.table().game().outcome().is_some(), "{who}: {report:#}");
    assert_eq!(report["violations"].as_array().map(Vec::len), Some(0), "{who}: {report:#}");
    // At each press the board showed what the table expected.
    let differs =
        report["notes"].as_array().expect("a list").iter().find(|note| note["rule"] == "board-differs");
    assert_eq!(differs, None, "{who}: {report:#}");
    // The record contains what was played: replaying it line by line gives the same board.
    let mut replay = Replay::begin(header, GAMES).expect("its own header");
    for (number, line) in (2..).zip(session.lines()) {
        replay.feed(number, &line.to_string()).unwrap_or_else(|stop| panic!("{who}: {stop}"));
    }
    assert_eq!(replay.table().physical(), session.table().physical(), "{who}");
    let found = said.iter().filter(|words| words.starts_with("connected: ")).count();
    assert!(found > 0, "{who} was never connected:\n{}", said.join("\n"));
    // The program begins each connection with the same write. So each repetition of the first write shows that the
    // board was connected again.
    let capture = Capture::read(bytes.path()).expect("a capture");
    let mut told = capture.chunks.iter().filter(|chunk| chunk.direction == Direction::ToDevice);
    let greeting = told.next().map(|first| first.bytes.clone());
    let again = told.filter(|write| Some(&write.bytes) == greeting.as_ref()).count();
    assert!(!pulled || greeting.is_none() || again >= 10, "{who}: connected again {again} times");
}

/// The driver of a new connection to a simulated board.
fn driver(maker: Maker, sim: &dyn SimBoard, now: Instant) -> Box<dyn Driver> {
    let notes = sim.notes();
    let unit = sim.unit();
    let connection = Connection {
        brand: maker.brand(),
        carrier: Carrier::Messages,
        unit: unit.as_deref(),
        notes: &notes,
        passive: false,
    };
    (maker.entry().driver)(&connection, now)
}

/// A driver and a simulated board, which exchange bytes in simulated time.
struct Bench {
    sim: Box<dyn SimBoard>,
    driver: Box<dyn Driver>,
    now: Instant,
}

impl Bench {
    fn new(maker: Maker, board: &str) -> Self {
        let board = board.parse().expect("a board");
        let sim = maker.simulated(&SimSetup { board, ..SimSetup::default() }).expect("a simulator");
        Self { driver: driver(maker, &*sim, Instant::ZERO), sim, now: Instant::ZERO }
    }

    /// Loses the link and connects again with a new driver. The board stays switched on.
    fn connect_again(&mut self, maker: Maker) {
        self.driver = driver(maker, &*self.sim, self.now);
    }

    fn run(&mut self, span: Millis) {
        let until = self.now + span;
        while self.now < until {
            self.now = self.now + Millis(10);
            self.sim.on_time(self.now);
            for message in self.sim.take_messages() {
                self.driver.on_bytes(&message, self.now);
            }
            self.driver.on_time(self.now);
            while let Some(bytes) = self.driver.next_write() {
                self.driver.wrote(self.now);
                self.sim.on_host_bytes(&bytes, self.now);
            }
        }
    }

    fn light(&mut self, squares: &[&str]) {
        let lit = squares.iter().map(|square| (square.parse().expect("a square"), Glow::May));
        self.driver.order(&BoardCommand::Light(Lights::of(lit)), self.now);
    }

    /// Ends the driver, and sends its last commands as the driver's thread does.
    fn leave(&mut self) {
        self.now = self.now + self.driver.stop(self.now);
        while let Some(bytes) = self.driver.next_write() {
            self.sim.on_host_bytes(&bytes, self.now);
            self.now = self.now + Millis(150);
        }
        self.sim.on_time(self.now + Millis(2_000));
    }

    fn lit(&self) -> Vec<String> {
        self.sim.lit().iter().map(|square| square.to_string()).collect()
    }
}

/// The makers whose boards have lamps.
fn with_lamps() -> impl Iterator<Item = Maker> {
    CATALOG.iter().copied().filter(|maker| maker.abilities().lights != LampLayout::None)
}

/// Returns a board whose lamps are still lit after its link was lost and restored.
fn still_lit(maker: Maker) -> Bench {
    let mut bench = Bench::new(maker, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    bench.run(Millis(6_000));
    bench.light(&["b2", "g7"]);
    bench.run(Millis(6_000));
    assert_eq!(bench.lit(), ["b2", "g7"], "{maker:?}");
    bench.connect_again(maker);
    bench
}

#[test]
fn every_board_with_lamps_shows_the_newest_picture_and_is_dark_at_the_end() {
    for maker in with_lamps() {
        let mut bench = Bench::new(maker, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        bench.run(Millis(6_000));
        assert!(bench.driver.ready(), "{maker:?}");
        // These orders for lamps come faster than the board can carry them out. In the end the board must show the
        // last one.
        for squares in [["a1", "h8"], ["c3", "f6"], ["b2", "g7"]] {
            bench.light(&squares);
        }
        bench.run(Millis(6_000));
        assert_eq!(bench.lit(), ["b2", "g7"], "{maker:?}");
        // The order for d4 has just been sent. So the driver must wait before it may send the next order, which
        // switches all lamps off.
        bench.light(&["d4"]);
        for _ in 0..60 {
            if bench.lit() != ["d4"] {
                bench.run(Millis(50));
            }
        }
        assert_eq!(bench.lit(), ["d4"], "{maker:?}");
        bench.leave();
        assert_eq!(bench.lit(), Vec::<String>::new(), "{maker:?}");
    }
}

/// The lamps of a board stay lit when its link is lost or its program is killed. The next driver switches them off.
#[test]
fn lamps_that_shone_when_the_link_was_lost_go_out_when_nothing_is_to_shine() {
    for maker in with_lamps() {
        let mut bench = still_lit(maker);
        bench.run(Millis(6_000));
        assert_eq!(bench.lit(), Vec::<String>::new(), "{maker:?}");
    }
}

/// A driver switches off the lamps that an earlier driver has lit, even if the new driver ends before it has set any
/// lamp itself.
#[test]
fn lamps_that_shone_when_the_link_was_lost_go_out_when_the_program_ends_soon() {
    for maker in with_lamps() {
        let mut bench = still_lit(maker);
        while !bench.driver.ready() {
            bench.run(Millis(20));
        }
        bench.leave();
        assert_eq!(bench.lit(), Vec::<String>::new(), "{maker:?}");
    }
}

#[test]
fn every_board_plays_whole_matches_of_choker() {
    for &maker in CATALOG {
        for profile in [Profile::CASUAL, Profile::CLUMSY] {
            plays(maker, CHOKER, &profile, false);
        }
    }
}

#[test]
fn every_board_plays_whole_games_of_chess() {
    for &maker in CATALOG {
        for profile in [Profile::CASUAL, Profile::CLUMSY] {
            plays(maker, CHESS, &profile, false);
        }
    }
}

#[test]
fn every_board_is_unplugged_ten_times_and_nothing_is_lost() {
    for &maker in CATALOG {
        plays(maker, CHOKER, &Profile::CASUAL, true);
        plays(maker, CHESS, &Profile::CLUMSY, true);
    }
}
