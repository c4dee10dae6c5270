//! `tabiya replay`: replays a record and prints its story and its results.

use std::path::PathBuf;

use tabiya_app::story;

use super::files::{self, Lines};
use super::language::LanguageArgument;
use super::output::{ExitFailure, print, summary};

/// Arguments of `tabiya replay`.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArguments {
    /// The record: JSON Lines, or a journal.
    file: PathBuf,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    language: LanguageArgument,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Skip lines that the rules refuse, list them, and go on.
    #[arg(long)]
    keep_going: bool,
}

pub(super) fn run(arguments: &ReplayArguments) -> Result<(), ExitFailure> {
    let lines = Lines::read(&arguments.file, arguments.id.as_deref())?;
    let replayed = if arguments.json {
        let replayed = files::replay(&lines, arguments.keep_going)?;
        print(&replayed.replay.report().to_string())?;
        replayed
    } else {
        let (replayed, log) = files::replay_and_log(&lines, arguments.keep_going)?;
        let words = arguments.language.words();
        // The story ends with an empty line.
        print(&story::text(replayed.replay.header(), &log, &words))?;
        print(&summary(&replayed.replay, &words))?;
        replayed
    };
    if replayed.refused.is_empty() { Ok(()) } else { Err(ExitFailure::refused(replayed.refused.join("\n"))) }
}
