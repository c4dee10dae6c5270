//! Boards behind real pseudo-terminals, each simulated by a process of its own.

use serde_json::{Value, json};

use super::program::{Place, Window, signal};
use crate::child::{Table, name};
use crate::wait::wait_for;

/// A simulated board in its own process, and a window that follows it.
struct Watched<'a> {
    board: Table,
    window: Window<'a>,
    expected: Vec<Value>,
}

impl<'a> Watched<'a> {
    /// Begins chess on a board in the start position.
    fn chess(place: &'a Place) -> Self {
        let link = place.folder.path().join("board");
        let mut board = Table::start(&["sim", "dgt", "--link", name(&link), "--profile", "clean"]);
        board.hear("the board is at");
        let address = format!("dgt:{}", name(&link));
        let terms = ["play", "--game", "chess", "--time", "300", "--players", "Ann,Bo", "--board", &address];
        let capture = place.file_beside("bytes.capture");
        let window = place.open(&[&terms[..], &["--capture", name(&capture)]].concat());
        wait_for("what the board shows", || place.lines().iter().find(|line| line["do"] == "sees").map(drop));
        Self { board, window, expected: Vec::new() }
    }

    /// Makes a move on the board and presses. The record must contain exactly that.
    #[track_caller]
    fn moves(&mut self, by: &str, uci: &str) {
        self.board.enter(&format!("move {uci} {by} presses"));
        self.expects(by, uci);
    }

    /// Makes a move with the mouse and presses with a key. The record must contain exactly that.
    #[track_caller]
    fn clicks(&mut self, by: &str, uci: &str) {
        self.window.carry(&uci[..2], &uci[2..]);
        self.window.done(self.expected.len() + 1);
        self.window.key("space");
        self.expects(by, uci);
    }

    #[track_caller]
    fn expects(&mut self, by: &str, uci: &str) {
        self.expected.push(json!({"do": "move", "by": by, "uci": uci}));
        self.expected.push(json!({"do": "press", "by": by}));
        self.window.done(self.expected.len());
        assert_eq!(self.window.place.done(), self.expected);
    }

    /// Waits until the window shows that the board is connected again.
    #[track_caller]
    fn is_back(&self) {
        self.window.look("a board that is back", |picture| (!picture.warns_above()).then_some(()));
    }

    /// Waits until the window shows that the board is lost. The driver's own tests check how soon it does.
    #[track_caller]
    fn is_lost(&self) {
        self.window.look("a lost board", |picture| picture.warns_above().then_some(()));
    }

    fn close(self) {
        let Self { board, window, expected } = self;
        let place = window.place;
        assert_eq!(window.close().code(), Some(0));
        assert_eq!(place.done(), expected);
        let bytes = std::fs::read_to_string(place.file_beside("bytes.capture")).unwrap();
        assert!(bytes.lines().count() > 2, "the board's bytes must be saved: {bytes}");
        place.verify();
        assert_eq!(board.quit().0.code(), Some(0));
    }
}

#[test]
fn a_game_on_a_board_is_followed_by_the_window_and_its_record() {
    let place = Place::new();
    let mut table = Watched::chess(&place);
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6", "f3e5", "c6e5"];
    for (uci, by) in moves.iter().zip(["white", "black"].into_iter().cycle()) {
        table.moves(by, uci);
    }
    table.window.keep("board-chess");
    table.window.begin_typing();
    table.window.line("resign white");
    table.window.line("yes");
    table.expected.push(json!({"do": "resign", "by": "white"}));
    table.window.done(table.expected.len());
    table.close();
    let report = place.report();
    assert_eq!(report["games"][0]["moves"], json!(moves));
    assert_eq!(report["games"][0]["outcome"], json!({"winner": "B", "reason": "resignation"}));
}

#[test]
fn a_board_without_a_plug_is_told_and_the_match_goes_on_by_hand() {
    let place = Place::new();
    let mut table = Watched::chess(&place);
    table.moves("white", "e2e4");
    table.board.enter("unplug");
    table.is_lost();
    table.window.keep("board-lost");
    table.clicks("black", "e7e5");
    table.clicks("white", "g1f3");
    table.board.enter("plug");
    table.is_back();
    // Closing the window pauses the clock.
    table.expected.push(json!({"do": "pause", "by": "arbiter"}));
    table.close();
}

#[test]
fn a_board_that_falls_silent_is_told_and_the_match_goes_on_by_hand() {
    let place = Place::new();
    let mut table = Watched::chess(&place);
    table.moves("white", "e2e4");
    signal("STOP", table.board.process());
    table.is_lost();
    table.clicks("black", "e7e5");
    table.clicks("white", "g1f3");
    signal("CONT", table.board.process());
    table.is_back();
    // Closing the window pauses the clock.
    table.expected.push(json!({"do": "pause", "by": "arbiter"}));
    table.close();
}
