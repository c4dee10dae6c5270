//! A short game that plays itself at the table, for people who have not seen one yet. It is a record like any other,
//! entered line by line as its time comes; nothing of it is kept.

use std::collections::VecDeque;

use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::Input;
use tabiya_types::Instant;

/// The record of the game.
const RECORD: &str = include_str!("demonstration.jsonl");

/// What is still to be played, each with its time since the program's start.
#[derive(Debug, Default)]
pub(super) struct Demonstration {
    rest: VecDeque<(Instant, Input)>,
}

impl Demonstration {
    /// The game from its beginning, which is `now`; `Err` is a sentence that says what is wrong with its record.
    pub(super) fn begin(now: Instant) -> Result<(Header, Self), String> {
        let mut lines = RECORD.lines();
        let header =
            Header::parse(lines.next().unwrap_or_default(), GAMES).map_err(|error| error.to_string())?;
        let mut rest = VecDeque::new();
        for line in lines {
            let line = Line::parse(line, &header).map_err(|error| error.to_string())?;
            if let Body::Acted(input) = line.body {
                rest.push_back((Instant::from_millis(now.millis().saturating_add(line.t.millis())), input));
            }
        }
        Ok((header, Self { rest }))
    }

    /// When the next input is due; `None` if all was played.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.rest.front().map(|(at, _)| *at)
    }

    /// Removes and returns the next input that is due.
    pub(super) fn next(&mut self, now: Instant) -> Option<Input> {
        self.rest.pop_front_if(|(at, _)| *at <= now).map(|(_, input)| input)
    }

    /// Plays no further: somebody has taken over.
    pub(super) fn stop(&mut self) {
        self.rest.clear();
    }
}
