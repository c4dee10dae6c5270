//! Simulates the parts of LiveChess that our client uses, with one board.

use serde_json::{Value, json};
use tabiya_types::{Board, Instant, Piece, Square};

use super::field;
use crate::sim::Firmware;

/// The serial number of the board.
const SERIAL: &str = "23946";

/// The simulated program with the ids of its subscribed feeds.
#[derive(Debug, Default)]
pub(crate) struct Program {
    feeds: Vec<Value>,
}

impl Program {
    fn answer(&mut self, call: &Value, squares: &Board, now: Instant) -> Vec<Value> {
        let id = field(call, "id").clone();
        let answer =
            |param: Value| json!({"response": "call", "id": id, "param": param, "time": now.millis()});
        match field(call, "call").as_str() {
            Some("eboards") => vec![answer(json!([{
                "serialnr": SERIAL, "source": "COM3", "state": "ACTIVE", "battery": "84%", "comment": null,
                "board": squares.to_string(), "flipped": false, "clock": null,
            }]))],
            Some("subscribe") if field(field(field(call, "param"), "param"), "serialnr") == SERIAL => {
                let feed = field(field(call, "param"), "id").clone();
                self.feeds.retain(|other| *other != feed);
                self.feeds.push(feed.clone());
                vec![answer(Value::Null), event(&feed, squares, now)]
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
}

fn event(feed: &Value, squares: &Board, now: Instant) -> Value {
    let param = json!({"serialnr": SERIAL, "flipped": false, "board": squares.to_string()});
    json!({"response": "feed", "id": feed, "param": param, "time": now.millis()})
}

impl Firmware for Program {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        let Ok(call) = serde_json::from_slice::<Value>(bytes) else { return };
        say.extend(
            self.answer(&call, squares, now).into_iter().map(|answer| answer.to_string().into_bytes()),
        );
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        say.extend(self.feeds.iter().map(|feed| event(feed, squares, now).to_string().into_bytes()));
    }

    fn wake(&mut self, _: Instant) {
        self.feeds.clear();
    }

    fn tells(&self) -> bool {
        !self.feeds.is_empty()
    }
}
