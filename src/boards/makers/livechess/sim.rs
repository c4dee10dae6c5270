//! Simulates the parts of LiveChess that our client uses, with one board and its clock of five minutes. LiveChess reports
//! no presses, but whose time runs.

use serde_json::{Value, json};
use tabiya_types::{Board, Color, Instant, Millis, Piece, Square};

use super::field;
use crate::sim::Firmware;

/// The serial number of the board.
const SERIAL: &str = "23946";

/// The time of each side at the start.
const TIME: Millis = Millis::from_secs(300);

/// The simulated program with the ids of its subscribed feeds.
#[derive(Debug, Default)]
pub(crate) struct Program {
    feeds: Vec<Value>,
    clock: Clock,
}

/// The clock, with the sides that LiveChess calls White's and Black's.
#[derive(Debug, Default)]
struct Clock {
    white_used: Millis,
    black_used: Millis,
    /// Whose time runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clock {
    fn used(&self, side: Color, now: Instant) -> Millis {
        let before = if side == Color::White { self.white_used } else { self.black_used };
        match self.running {
            Some((running, since)) if running == side => before + now.since(since),
            _ => before,
        }
    }

    fn press(&mut self, by: Color, now: Instant) {
        if self.running.is_some_and(|(running, _)| running != by) {
            return;
        }
        (self.white_used, self.black_used) = (self.used(Color::White, now), self.used(Color::Black, now));
        self.running = Some((by.other(), now));
    }

    fn told(&self, now: Instant) -> Value {
        let left = |side: Color| TIME.saturating_sub(self.used(side, now)).0.div_ceil(1_000);
        let run = self.running.map(|(running, _)| running == Color::White);
        json!({"white": left(Color::White), "black": left(Color::Black), "run": run, "time": now.millis()})
    }
}

impl Program {
    fn answer(&mut self, call: &Value, squares: &Board, now: Instant) -> Vec<Value> {
        let id = field(call, "id").clone();
        let answer =
            |param: Value| json!({"response": "call", "id": id, "param": param, "time": now.millis()});
        match field(call, "call").as_str() {
            Some("eboards") => vec![answer(json!([{
                "serialnr": SERIAL, "source": "COM3", "state": "ACTIVE", "battery": "84%", "comment": null,
                "board": squares.to_string(), "flipped": false, "clock": self.clock.told(now),
            }]))],
            Some("subscribe") if field(field(field(call, "param"), "param"), "serialnr") == SERIAL => {
                let feed = field(field(call, "param"), "id").clone();
                self.feeds.retain(|other| *other != feed);
                self.feeds.push(feed.clone());
                vec![answer(Value::Null), self.event(&feed, squares, now)]
            }
            Some("unsubscribe") => {
                self.feeds.retain(|feed| feed != field(field(call, "param"), "id"));
                vec![answer(Value::Null)]
            }
            _ => {
                let param = json!({"message": "unknown call"});
                vec![json!({"response": "error", "id": id, "param": param, "time": now.millis()})]
            }
        }
    }

    fn event(&self, feed: &Value, squares: &Board, now: Instant) -> Value {
        let (board, clock) = (squares.to_string(), self.clock.told(now));
        let param = json!({"serialnr": SERIAL, "flipped": false, "board": board, "clock": clock});
        json!({"response": "feed", "id": feed, "param": param, "time": now.millis()})
    }

    /// The same for each feed.
    fn events(&self, squares: &Board, now: Instant) -> Vec<Vec<u8>> {
        self.feeds.iter().map(|feed| self.event(feed, squares, now).to_string().into_bytes()).collect()
    }
}

impl Firmware for Program {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        let Ok(call) = serde_json::from_slice::<Value>(bytes) else { return };
        say.extend(
            self.answer(&call, squares, now).into_iter().map(|answer| answer.to_string().into_bytes()),
        );
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        say.extend(self.events(squares, now));
    }

    fn press(&mut self, by: Color, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        self.clock.press(by, now);
        say.extend(self.events(squares, now));
    }

    fn wake(&mut self, _: Instant) {
        self.feeds.clear();
    }

    fn tells(&self) -> bool {
        !self.feeds.is_empty()
    }
}
