//! The user interface of plain text lines: prints each announcement. After each typed line that was accepted, it prints
//! the next prompt. Among several tables, each line has the table's number in front.

use std::io::{self, Write as _};
use std::ops::ControlFlow;

use tabiya_app::desk::{Front, Latest, News, Wish};
use tabiya_app::view::addressed;
use tabiya_app::words::typed_wish;
use tabiya_text::Words;
use tabiya_types::{Instant, harmless, harmless_lines};

use super::lines::lines;
use super::several::numbered;
use super::{QueueTokensTaken, Typing};

/// Prints lines to standard output.
pub(super) struct Plain {
    taken: QueueTokensTaken,
    words: Words,
    /// The table's number among several.
    number: Option<usize>,
    /// Whether the table has been shown already.
    begun: bool,
}

impl Plain {
    pub(super) fn new(taken: QueueTokensTaken, words: Words) -> Self {
        Self { taken, words, number: None, begun: false }
    }

    /// The same for the table of this number among several.
    pub(super) fn of_table(self, number: usize) -> Self {
        Self { number: Some(number), ..self }
    }

    fn line(&self, text: &str) -> io::Result<()> {
        line(&numbered(self.number, text))
    }
}

impl Front for Plain {
    type Input = Typing;

    fn understand(&mut self, input: Typing, _: Instant) -> Option<Wish> {
        // Frees this input's place in the queue.
        let _ = self.taken.try_recv();
        match input {
            Typing::Line(line) => Some(typed_wish(line, &self.words)),
            Typing::Key(_) => None,
        }
    }

    fn show(&mut self, latest: &Latest<'_>, news: Vec<News>, now: Instant) -> io::Result<ControlFlow<()>> {
        if !std::mem::replace(&mut self.begun, true) {
            let snapshot = latest.snapshot();
            self.line(&lines(&snapshot, &self.words, snapshot.time.of(now)).join("\n"))?;
        }
        for news in news {
            match news {
                News::Said(said) | News::Refused(said) => {
                    self.line(&harmless_lines(&addressed(
                        said.to,
                        &self.words.said(&said.text),
                        &self.words,
                    )))?;
                }
                News::Answer(lines) => {
                    for answer in lines {
                        self.line(&harmless(&self.words.said(&answer)))?;
                    }
                }
                News::Next(prompt) => self.line(&harmless(&format!("> {}", self.words.said(&prompt))))?,
                News::Failed(text) => self.line(&harmless(&self.words.said(&text)))?,
                News::Show(at) => self.line(&lines(&latest.snapshot(), &self.words, at).join("\n"))?,
            }
        }
        Ok(if latest.closing { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Prints a line. A closed pipe is not an error.
pub(super) fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
