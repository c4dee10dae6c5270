//! Clocks that stand on either side of a board, and presses while the link is away: the program beside a simulated board,
//! in real time. Each test is what people did at a table.
#![cfg(unix)]

use std::path::Path;

use serde_json::Value;
use tabiya_boards::human::Profile;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::{dgt, dgtbus};
use tabiya_boards::sim_host::{Script, SimHost, SimOptions};

use crate::child::{Table, name, printed};

/// What is played, and how.
struct Case<'a> {
    maker: Maker,
    /// What the hands do: commands of the simulator, separated by semicolons. After the last one the board rests.
    hands: &'a str,
    turned: bool,
    clock_turned: bool,
    /// More arguments of `tabiya play`.
    arguments: &'a [&'a str],
}

const CASUAL: &[&str] = &["--time", "300"];
const EVENT: &[&str] = &["--time", "5400+30", "--voice", "event"];

impl Default for Case<'_> {
    fn default() -> Self {
        Self { maker: dgt::MAKER, hands: "", turned: false, clock_turned: false, arguments: CASUAL }
    }
}

/// What came of it: what was printed, and the state of the match that its record gives.
struct Played {
    said: String,
    state: Value,
}

impl Case<'_> {
    /// Plays until this line is printed, and then to the end of what the hands do.
    #[track_caller]
    fn play(&self, last: &str) -> Played {
        let folder = tempfile::tempdir().unwrap();
        let (link, record) = (folder.path().join("board"), folder.path().join("game.tabiya"));
        let mut options = SimOptions {
            link: Some(link.clone()),
            profile: Profile::CLEAN,
            stdin: false,
            maker: self.maker,
            ..SimOptions::default()
        };
        (options.setup.turned, options.setup.clock_turned) = (self.turned, self.clock_turned);
        let host = SimHost::start(&options, |_| {}).unwrap();
        for line in "wait host; wait 1200".split("; ").chain(self.hands.split("; ")) {
            host.order(Script::parse(line).unwrap().unwrap());
        }
        let unit = host.unit().map(|unit| format!("#{unit}")).unwrap_or_default();
        let address = format!("{}:{}{unit}", self.maker.prefix(), name(&link));
        let usual = ["play", "--headless", "--plain", "--game", "chess", "--players", "Ann,Bo"];
        let places = ["--board", &address, "--record", name(&record)];
        let mut table = Table::start(&[&usual[..], &places, self.arguments].concat());
        table.hear(last);
        let (_, said, _) = table.quit();
        host.end().unwrap();
        Played { said: said.join("\n"), state: state(&record) }
    }
}

fn state(record: &Path) -> Value {
    let replayed = printed(&["replay", name(record), "--json"], 0);
    serde_json::from_str(&replayed).unwrap()
}

impl Played {
    #[track_caller]
    fn says(&self, wanted: &str) -> &Self {
        assert!(self.said.contains(wanted), "not said: {wanted}\n{}", self.said);
        self
    }

    #[track_caller]
    fn never_says(&self, word: &str) -> &Self {
        assert!(!self.said.contains(word), "said: {word}\n{}", self.said);
        self
    }

    /// Asserts that this many half-moves count, and that this player is to move.
    #[track_caller]
    fn stands(&self, plies: u64, to_act: &str) -> &Self {
        let moves =
            self.state["moves"].as_object().map_or(0, |moves| moves.values().filter_map(Value::as_u64).sum());
        assert_eq!(
            (moves, self.state["to_act"].as_str()),
            (plies, Some(to_act)),
            "{}\n{}",
            self.state,
            self.said
        );
        self
    }
}

/// The Ruy Lopez up to 2... Nc6 on a clock whose right side is White's, as the lever was moved: `white` is its left side.
const PRESSED_THE_OTHER_WAY: &str = "press white; wait 1500; lift e2; wait 300; put e4 P; wait 300; press black; wait 1500; \
    lift e7; wait 300; put e5 p; wait 300; press white; wait 1500; lift g1; wait 300; put f3 N; wait 300; press black; \
    wait 1500; lift b8; wait 300; put c6 n; wait 300; press white; wait 1000";

#[test]
fn the_clock_stands_on_the_other_side_of_the_board() {
    for maker in [dgt::MAKER, dgtbus::MAKER] {
        for arguments in [CASUAL, EVENT] {
            let case = Case { maker, hands: PRESSED_THE_OTHER_WAY, arguments, ..Case::default() };
            let played = case.play("b8c6");
            played.says("White's lever is on the right of the clock, ");
            played.never_says("illegal").never_says("forgot to press").stands(4, "white");
        }
    }
}

#[test]
fn people_say_where_the_clock_stands_and_nothing_is_guessed() {
    let arguments = [EVENT, &["--clock-side", "right"]].concat();
    let played = Case { hands: PRESSED_THE_OTHER_WAY, arguments: &arguments, ..Case::default() }.play("b8c6");
    played.says("White's lever is on the right of the clock").never_says("because").never_says("illegal");
    played.stands(4, "white");
}

const PRESSED: &str = "press black; wait 1200; lift e2; wait 300; put e4 P; wait 300; press white; wait 1500; lift e7; \
    wait 300; put e5 p; wait 300; press black; wait 1000";

#[test]
fn a_turned_board_has_its_clock_turned_with_it() {
    for maker in [dgt::MAKER, dgtbus::MAKER] {
        for (clock_turned, arguments) in [(false, CASUAL), (false, EVENT), (true, EVENT)] {
            let case = Case { maker, hands: PRESSED, turned: true, clock_turned, arguments };
            case.play("e7e5").never_says("illegal").never_says("forgot to press").stands(2, "white");
        }
    }
}

#[test]
fn black_moves_and_presses_while_the_link_is_away() {
    let away = "press black; wait 1200; lift e2; wait 300; put e4 P; wait 300; press white; wait 1500; unplug; wait 1000; \
        lift e7; put e5 p; wait 500; press black; wait 1500; plug; wait 11000; lift g1; wait 300; put f3 N; wait 300; \
        press white; wait 1000";
    for (arguments, clock_turned) in [(CASUAL, false), (EVENT, false)] {
        let played = Case { hands: away, arguments, clock_turned, ..Case::default() }.play("g1f3");
        played
            .says("Black pressed the clock while its link was away")
            .never_says("forgot to press")
            .never_says("illegal");
        played.stands(3, "black");
    }
}
