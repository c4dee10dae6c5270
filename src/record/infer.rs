//! The live table fed from a file: what the board showed becomes what was played.
//!
//! Source: record, "What was seen, and what was understood". The watch decides; this hands it the
//! lines of a record with `sees` and `press` and keeps what it writes as a complete record.
#![warn(clippy::indexing_slicing)]

use tabiya_types::Instant;

use super::header::Header;
use super::replay::{Replay, Stop};
use super::text::{Body, Line};
use crate::rules::FormError;
use crate::sense::{Unexplained, Watch, WrittenLine};
use crate::table::{Common, Evidence, Input};

impl From<WrittenLine> for Line {
    fn from(entry: WrittenLine) -> Self {
        Self::new(entry.t, entry.when, entry.body)
    }
}

/// An inference in progress.
#[derive(Debug)]
pub struct Infer {
    header: Header,
    watch: Watch,
    ids: std::collections::BTreeSet<String>,
    last_t: Instant,
    last_line: u32,
    /// The moments of lines that may wait, with their numbers.
    read: Vec<(Instant, u32)>,
    written: Vec<Line>,
    replay: Replay,
}

impl Infer {
    /// Begins a match with this header.
    pub fn new(header: Header) -> Self {
        let replay = Replay::new(header.clone());
        let mut watch = Watch::over(replay.table().clone(), 1);
        watch.expect_board();
        Self {
            watch,
            replay,
            header,
            ids: std::collections::BTreeSet::new(),
            last_t: Instant::ZERO,
            last_line: 1,
            read: Vec::new(),
            written: Vec::new(),
        }
    }

    /// Reads the line of that number. Blank lines pass.
    pub fn feed(&mut self, number: u32, text: &str) -> Result<(), Stop> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let line = Line::parse(text, &self.header).map_err(Stop::Unusable)?;
        if let Some(id) = &line.id
            && !self.ids.insert(id.clone())
        {
            return Ok(());
        }
        if line.t < self.last_t {
            let what = format!("time goes back: t is {} after {}", line.t.millis(), self.last_t.millis());
            return Err(Stop::Unusable(FormError(what)));
        }
        (self.last_t, self.last_line) = (line.t, number);
        let taken = match &line.body {
            Body::Evidence(Evidence::Sees(board)) => {
                self.watch.sees(board, line.t);
                Ok(())
            }
            // What an earlier table did not understand is told again as a press.
            Body::Evidence(Evidence::Button(by)) => {
                self.read.push((line.t, number));
                let press = Input::Common(Common::Press(*by));
                self.watch.enter(&press, line.t).map_err(Stop::Refused)
            }
            Body::Acted(input) => {
                self.read.push((line.moment(), number));
                self.watch.enter_late(input, line.moment(), line.t).map_err(Stop::Refused)
            }
        };
        self.keep(Some(&line));
        taken
    }

    /// Keeps what came of a line; the line that says the same keeps its id and fields of its own.
    fn keep(&mut self, read: Option<&Line>) {
        let entries = self.watch.take_lines();
        let same = read.and_then(|read| entries.iter().position(|entry| entry.body == read.body));
        for (nth, WrittenLine { t, when, body, effects, after }) in entries.into_iter().enumerate() {
            let mut line = Line::new(t, when, body);
            if let Some(read) = read.filter(|_| same == Some(nth)) {
                line.id.clone_from(&read.id);
                line.own.clone_from(&read.own);
            }
            let number = u32::try_from(self.written.len() + 2).unwrap_or(u32::MAX);
            self.replay.follow(number, &line, (&effects, after), &mut ());
            self.written.push(line);
        }
    }

    /// The input ends here: what stands settles. A press that still waits is a violation.
    pub fn finish(mut self) -> Inferred {
        let waits = self.watch.finish(self.last_t);
        self.keep(None);
        let Self { read, mut replay, .. } = self;
        let understood = waits.is_empty();
        for Unexplained { at, violation } in waits {
            let line =
                read.iter().rev().find(|(then, _)| *then == at).map_or(self.last_line, |(_, line)| *line);
            replay.add_violation(line, &violation);
        }
        Inferred { replay, lines: self.written, understood }
    }
}

/// What an inference came to.
#[derive(Debug)]
pub struct Inferred {
    /// The complete record with its table.
    pub replay: Replay,
    /// Its lines after the header.
    pub lines: Vec<Line>,
    /// Whether every press was understood.
    pub understood: bool,
}
