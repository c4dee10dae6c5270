//! Infers the actions of a match from a record that contains only what the board showed.
//!
//! Source: `docs/record.md`, "What was seen, and what was understood". This file passes the lines to a [`Watch`],
//! as the program does during a match, and collects the complete record that the [`Watch`] writes.
#![warn(clippy::indexing_slicing)]

use tabiya_types::Instant;

use super::header::Header;
use super::replay::{Replay, Stop};
use super::text::{Body, Line};
use crate::rules::FormError;
use crate::sense::{Explanation, Unexplained, Watch, WrittenLine};
use crate::table::{Common, Evidence, Input};

impl From<WrittenLine> for Line {
    fn from(entry: WrittenLine) -> Self {
        Self::new(entry.t, entry.when, entry.body)
    }
}

/// An inference of the actions of one match, while its lines are read.
#[derive(Debug)]
pub struct Infer {
    header: Header,
    watch: Watch,
    ids: std::collections::BTreeSet<String>,
    last_t: Instant,
    last_line: u32,
    /// For each press and each other input that was read: its moment and its line number. If no action explains a
    /// press, its line number is looked up here for the violation.
    read: Vec<(Instant, u32)>,
    written: Vec<Line>,
    replay: Replay,
    explanations: Vec<Explanation>,
}

impl Infer {
    /// An inference for a match with this header, before its first line.
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
            explanations: Vec::new(),
        }
    }

    /// From now on, what is understood is explained.
    pub fn explain(&mut self) {
        self.watch.explain();
    }

    /// Reads the line with this number. Blank lines are ignored. `Err` means that the line was refused or is
    /// unusable.
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
            let what = format!(
                "time goes back: `t` is {}, but an earlier line has {}",
                line.t.millis(),
                self.last_t.millis()
            );
            return Err(Stop::Unusable(FormError(what)));
        }
        (self.last_t, self.last_line) = (line.t, number);
        let taken = match &line.body {
            Body::Evidence(Evidence::Sees(board)) => {
                self.watch.sees(board, line.t);
                Ok(())
            }
            // A `button` line contains a press for which the board showed no action when the line was written. Here the
            // press is entered again.
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

    /// Collects the lines that the [`Watch`] wrote after the line `read` was passed to it. If a written line has the
    /// same input or evidence as `read`, the written line gets the id and the extension fields of `read`.
    fn keep(&mut self, read: Option<&Line>) {
        self.explanations.extend(self.watch.take_explanations());
        let entries = self.watch.take_lines();
        let same = read.and_then(|read| entries.iter().position(|entry| entry.body == read.body));
        for (nth, WrittenLine { t, when, body, effects, after, .. }) in entries.into_iter().enumerate() {
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

    /// Ends the inference after the last line. If the board shows an action that is not settled yet, that action is
    /// settled now. Each press for which the board has shown no action becomes a violation.
    pub fn finish(mut self) -> Inferred {
        let waits = self.watch.finish(self.last_t);
        self.keep(None);
        let Self { read, mut replay, explanations, .. } = self;
        let understood = waits.is_empty();
        for Unexplained { at, violation } in waits {
            let line =
                read.iter().rev().find(|(then, _)| *then == at).map_or(self.last_line, |(_, line)| *line);
            replay.add_violation(line, &violation);
        }
        Inferred { replay, lines: self.written, understood, explanations }
    }
}

/// The result of an inference.
#[derive(Debug)]
pub struct Inferred {
    /// The replay of the complete record.
    pub replay: Replay,
    /// The lines of the complete record after the header.
    pub lines: Vec<Line>,
    /// Whether the boards of the record show an action for every press.
    pub understood: bool,
    /// Why each action was understood, if [`Infer::explain`] was called.
    pub explanations: Vec<Explanation>,
}
