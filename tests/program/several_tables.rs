//! Several tables in one program: each has its own board, record and clock, a kill loses nothing of any, and boards that were
//! plugged in the other way round find their tables.
#![cfg(unix)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabiya_boards::human::Profile;
use tabiya_boards::sim::SimSetup;
use tabiya_boards::sim_host::{Script, SimHost, SimOptions};
use tempfile::TempDir;

use crate::child::{Table, name, printed, signal};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A folder with the file of these tables, and the ports of their boards.
struct Club(TempDir);

impl Club {
    /// `[[table]]`s of chess with these boards, each with a record of its own. `press`: how a turn ends.
    fn of(boards: &[String], press: &str) -> Self {
        let club = Self(tempfile::tempdir().unwrap());
        let mut text = format!("game = \"chess\"\ntime = 300\npress = \"{press}\"\n");
        for (number, board) in (1..).zip(boards) {
            let board = board.replace("FOLDER", name(club.0.path()));
            let _ = write!(
                text,
                "\n[[table]]\nboard = \"{board}\"\nrecord = \"{number}.tabiya\"\nplayers = [\"Ann {number}\", \"Bo {number}\"]\n"
            );
        }
        std::fs::write(club.path("tables.toml"), text).unwrap();
        club
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn open(&self) -> Table {
        Table::start(&["play", "--headless", "--tables", name(&self.path("tables.toml"))])
    }

    /// The moves in the record of this table, which must be whole.
    fn moves(&self, number: usize) -> Value {
        let record = self.path(&format!("{number}.tabiya"));
        printed(&["verify", name(&record)], 0);
        let report: Value = serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
        report["games"][0]["moves"].clone()
    }
}

/// A DGT board with this serial number and these pieces, behind a pseudo-terminal with this name.
fn board(link: &Path, number: u16, pieces: &str) -> SimHost {
    let setup =
        SimSetup { number: Some(number), board: pieces.parse().unwrap(), ..SimOptions::default().setup };
    let (link, profile) = (Some(link.to_owned()), Profile::CLEAN);
    SimHost::start(&SimOptions { link, profile, stdin: false, setup, ..SimOptions::default() }, |_| {})
        .unwrap()
}

/// Lets a hand carry out this line of a script, after a moment.
fn order(board: &SimHost, line: &str) {
    for line in ["wait 500", line] {
        board.order(Script::parse(line).unwrap().unwrap());
    }
}

/// Asks that the program ends, and waits for it.
fn end(table: Table) -> Vec<String> {
    signal("TERM", table.process());
    let (status, heard, errors) = table.end();
    assert!(status.success(), "{heard:?}\n{errors}");
    heard
}

/// Waits until this table, and no other, has told something, however many lines of others come before it.
fn hear(table: &mut Table, number: usize, wanted: &str) {
    table.heard_by_now(wanted, 1);
    let of = format!("{number}  ");
    let told = table.heard.iter().filter(|line| line.contains(wanted));
    assert!(told.clone().count() > 0 && told.clone().all(|line| line.starts_with(&of)), "{:?}", table.heard);
}

fn two_boards(press: &str) -> Club {
    Club::of(&["one", "two"].map(|port| format!("dgt:FOLDER/{port}")), press)
}

#[test]
fn two_tables_are_played_in_one_program_and_each_keeps_its_own_record() {
    let club = two_boards("clock");
    let boards = [("one", 1), ("two", 2)].map(|(port, number)| board(&club.path(port), number, START));
    let mut table = club.open();
    table.heard_by_now("a clock is connected", 2);
    for host in &boards {
        order(host, "press black");
    }
    order(&boards[0], "move e2e4 white presses");
    hear(&mut table, 1, "White plays e2e4");
    order(&boards[1], "move d2d4 white presses");
    hear(&mut table, 2, "White plays d2d4");
    order(&boards[0], "move e7e5 black presses");
    hear(&mut table, 1, "Black plays e7e5");
    // What is typed goes to the table whose number stands in front, and then to the same one.
    table.enter("2: d7d5");
    hear(&mut table, 2, "Black plays d7d5");
    end(table);
    assert_eq!(club.moves(1), json!(["e2e4", "e7e5"]));
    assert_eq!(club.moves(2), json!(["d2d4", "d7d5"]));
}

#[test]
fn after_a_kill_all_tables_go_on_where_they_were() {
    let club = two_boards("clock");
    let boards = [("one", 1), ("two", 2)].map(|(port, number)| board(&club.path(port), number, START));
    let mut table = club.open();
    table.heard_by_now("a clock is connected", 2);
    for host in &boards {
        order(host, "press black");
    }
    order(&boards[0], "move e2e4 white presses");
    order(&boards[1], "move c2c4 white presses");
    hear(&mut table, 1, "White plays e2e4");
    hear(&mut table, 2, "White plays c2c4");
    table.kill();

    let mut table = club.open();
    hear(&mut table, 1, "the match of Ann 1 and Bo 1 goes on");
    hear(&mut table, 2, "the match of Ann 2 and Bo 2 goes on");
    table.heard_by_now("a clock is connected", 2);
    table.enter("all: resume");
    table.heard_by_now("resumed", 2);
    order(&boards[0], "move e7e5 black presses");
    order(&boards[1], "move c7c5 black presses");
    hear(&mut table, 1, "Black plays e7e5");
    hear(&mut table, 2, "Black plays c7c5");
    end(table);
    assert_eq!(club.moves(1), json!(["e2e4", "e7e5"]));
    assert_eq!(club.moves(2), json!(["c2c4", "c7c5"]));
}

#[test]
fn two_boards_that_were_plugged_in_the_other_way_round_find_their_tables() {
    let club = two_boards("auto");
    let (one, two) = (club.path("one"), club.path("two"));
    let [first, second] = [(&one, 1), (&two, 2)].map(|(port, number)| board(port, number, START));
    let mut table = club.open();
    table.heard_by_now("a clock is connected", 2);
    table.enter("all: press black");
    order(&first, "move e2e4");
    hear(&mut table, 1, "White plays e2e4");
    drop((first, second));
    table.heard_by_now("the board is gone", 2);
    let second = board(&one, 2, START);
    let first = board(&two, 1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    table.heard_by_now("the board is back", 2);
    order(&first, "move e7e5");
    hear(&mut table, 1, "Black plays e7e5");
    order(&second, "move d2d4");
    hear(&mut table, 2, "White plays d2d4");
    end(table);
    assert_eq!(club.moves(1), json!(["e2e4", "e7e5"]));
    assert_eq!(club.moves(2), json!(["d2d4"]));
}

#[test]
fn a_table_whose_board_is_not_there_keeps_no_other_table_waiting() {
    let club = two_boards("auto");
    let present = board(&club.path("two"), 2, START);
    let mut table = club.open();
    hear(&mut table, 2, "a clock is connected");
    order(&present, "press black");
    order(&present, "move e2e4 white presses");
    hear(&mut table, 2, "White plays e2e4");
    table.enter_and_hear("9: d2d4", "there is no table 9 here; the tables are 1 to 2");
    table.enter_and_hear("1:", "1  chess · game 1");
    table.enter("press black");
    table.enter("d2d4");
    hear(&mut table, 1, "White plays d2d4");
    end(table);
    assert_eq!(club.moves(1), json!(["d2d4"]));
    assert_eq!(club.moves(2), json!(["e2e4"]));
}

#[test]
fn the_boards_of_one_wire_serve_a_table_each() {
    let club = Club::of(&[1025, 1026, 2054].map(|number| format!("dgtbus:FOLDER/wire#{number}")), "auto");
    let maker = tabiya_boards::makers::dgtbus::MAKER;
    let options = SimOptions {
        link: Some(club.path("wire")),
        maker,
        profile: Profile::CLEAN,
        stdin: false,
        ..SimOptions::default()
    };
    let wire = SimHost::start(&options, |_| {}).unwrap();
    let mut table = club.open();
    table.heard_by_now("connected: ", 3);
    table.enter("all: press black");
    order(&wire, "move e2e4");
    hear(&mut table, 1, "White plays e2e4");
    table.enter("3: d2d4");
    hear(&mut table, 3, "White plays d2d4");
    end(table);
    assert_eq!(club.moves(1), json!(["e2e4"]));
    assert_eq!(club.moves(2), json!([]));
    assert_eq!(club.moves(3), json!(["d2d4"]));
}
