//! A match played with keys and mouse.

use std::time::Duration;

use serde_json::{Value, json};

use super::display::pictures;
use super::program::{Place, Window, signal};

use crate::wait::{let_pass, wait_for};

/// A window, and the lines that its record must contain so far.
struct Player<'a> {
    window: Window<'a>,
    expected: Vec<Value>,
}

impl Player<'_> {
    /// Does something in the window, and asserts that it adds exactly this line to the record.
    #[track_caller]
    fn does(&mut self, act: impl FnOnce(&Window<'_>), line: Value) {
        act(&self.window);
        self.expected.push(line);
        let last = self.window.done(self.expected.len());
        assert_eq!(Some(&last), self.expected.last());
    }

    #[track_caller]
    fn key(&mut self, key: &str, line: Value) {
        self.does(|window| window.key(key), line);
    }

    fn bet(&mut self, key: &str, by: &str, action: &str) {
        self.key(key, json!({"do": "bet", "by": by, "action": action}));
    }

    /// Does something that the table asks about first, and answers yes.
    fn surely(&mut self, act: impl FnOnce(&Window<'_>), line: Value) {
        act(&self.window);
        // The question is drawn a frame later than the key was pressed.
        let_pass(Duration::from_millis(400));
        self.key("y", line);
    }

    fn press(&mut self, by: &str) {
        self.key("space", json!({"do": "press", "by": by}));
    }

    /// Turns a card over, places its piece and presses.
    fn place(&mut self, card: &str, by: &str, square: &str) {
        self.key(&card.to_lowercase(), json!({"do": "reveal", "by": by, "card": card, "how": "typed"}));
        self.does(
            |window| window.square(square),
            json!({"do": "place", "by": by, "piece": card, "at": square}),
        );
        self.press(by);
    }
}

#[test]
fn a_match_is_played_with_keys_and_mouse_and_the_record_says_just_that() {
    let place = Place::new();
    let window = place.open(&[]);
    window.accent("the button that begins", |areas| areas.last().copied());
    window.look("the board", super::display::Picture::board);
    window.keep("table-deal");
    let mut table = Player { window, expected: Vec::new() };

    // The first game ends at once.
    table.key("d", json!({"do": "deal"}));
    table.surely(|window| window.key("f"), json!({"do": "bet", "by": "white", "action": "fold"}));
    table.window.keep("table-fold");
    table.key("ctrl+n", json!({"do": "next"}));

    // The second game is played to its end.
    table.key("d", json!({"do": "deal"}));
    table.key("r", json!({"do": "bet", "by": "white", "action": "raise", "to": 4}));
    table.window.keep("table-bet");
    table.bet("c", "black", "call");
    table.key("d", json!({"do": "deal"}));
    table.bet("c", "black", "check");
    table.bet("c", "white", "check");
    table.key("d", json!({"do": "deal"}));
    table.window.key("4");
    table.surely(|window| window.key("r"), json!({"do": "bet", "by": "white", "action": "all-in"}));
    table.bet("c", "black", "call");
    for (card, white, black) in
        [("R", "h1", "a8"), ("N", "g1", "g8"), ("B", "f1", "f8"), ("N", "b1", "b8"), ("P", "d2", "d7")]
    {
        table.place(card, "white", white);
        table.window.keep("table-place");
        table.place(card, "black", black);
    }

    let chess = |by: &str, uci: &str| json!({"do": "move", "by": by, "uci": uci});
    table.does(|window| window.carry("d2", "d4"), chess("white", "d2d4"));
    table.press("white");
    table.window.begin_typing();
    table.does(|window| window.line("d7d5"), chess("black", "d7d5"));
    table.does(|window| window.line("press"), json!({"do": "press", "by": "black"}));
    table.does(|window| window.line("Nf3"), chess("white", "g1f3"));
    table.does(|window| window.line("press"), json!({"do": "press", "by": "white"}));
    table.window.keep("table-chess");
    table.window.line("resign");
    table.does(|window| window.line("yes"), json!({"do": "resign", "by": "black"}));
    table.window.keep("table-over");

    let Player { window, expected } = table;
    assert_eq!(window.close().code(), Some(0));
    assert_eq!(place.done(), expected);
    place.verify();
    let report = place.report();
    assert_eq!(report["games"][1]["moves"], json!(["d2d4", "d7d5", "g1f3"]));
    assert_eq!(report["games"][1]["outcome"]["reason"], "resignation");
}

#[test]
fn the_spectators_clock_runs_on_while_the_main_window_is_minimised() {
    let place = Place::new();
    let mut window = place.open(&["play", "--game", "clock", "--time", "300", "--players", "Ann,Bo"]);
    window.key("F9");
    let public = place.display.window_named("^Tabiya: ");
    place.display.window();
    // Keys of the keyboard's left half press the clock for the player at the far half of the screen.
    window.key("q");
    window.done(1);
    window.minimise();
    let mut shown = wait_for("the spectators' window", || place.display.look(&public));
    for _ in 0..5 {
        shown = wait_for("the next second", || place.display.look(&public).filter(|now| *now != shown));
    }
    place.display.keep(&public, &pictures().join("spectators-clock.png"));
    signal("TERM", window.process());
    assert_eq!(window.end().code(), Some(0));
}
