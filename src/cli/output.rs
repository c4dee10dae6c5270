//! What commands leave behind: text on the terminal, or the reason why they failed.

use std::io::Write as _;

use tabiya_types::{harmless, harmless_lines};

/// Why a command failed: a message for the terminal, and the exit status.
#[derive(Debug)]
pub(crate) struct ExitFailure {
    pub(super) status: u8,
    pub(super) sentence: String,
}

impl ExitFailure {
    /// The failure (status 1) when the rules refused something.
    pub(super) fn refused(sentence: impl Into<String>) -> Self {
        Self { status: 1, sentence: sentence.into() }
    }

    /// The failure (status 2) when the input cannot be used.
    pub(super) fn unusable(sentence: impl std::fmt::Display) -> Self {
        Self { status: 2, sentence: sentence.to_string() }
    }
}

/// Prints a line to standard error. If nobody reads it any more, the exit status still tells.
pub(super) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Makes a failure (status 2) from an error. Adds the message of each cause, unless the error's own message contains it
/// already.
pub(super) fn unusable(error: impl std::error::Error) -> ExitFailure {
    let mut sentence = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !sentence.contains(&text) {
            sentence = format!("{sentence}: {text}");
        }
        cause = inner.source();
    }
    ExitFailure { status: 2, sentence }
}

/// Summarises a match for people: its results, the current prompt, refused lines and notes.
pub(super) fn summary(replay: &tabiya_engine::record::Replay, words: &tabiya_text::Words) -> String {
    let table = replay.table();
    let results = table.results_in_words();
    let mut lines: Vec<String> = results.iter().map(|line| words.said(line)).collect();
    lines.push(words.said(&table.prompt()));
    for (kind, remarks) in [("refused", replay.violations()), ("note", replay.notes())] {
        lines
            .extend(remarks.iter().map(|remark| format!("{kind}, line {}: {}", remark.line, remark.message)));
    }
    // Names, reasons and notes are free text, so control characters are replaced by spaces.
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

/// Prints text with control characters replaced by spaces, so that names and messages of boards cannot control the
/// terminal.
pub(super) fn print_line(text: &str) -> Result<(), ExitFailure> {
    print(&harmless_lines(text))
}

/// Prints a text unchanged. If the program that receives the output has ended, as with `| head`, that is not a failure.
pub(super) fn print(text: &str) -> Result<(), ExitFailure> {
    let mut out = std::io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(ExitFailure::unusable(format!("the results cannot be written: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
