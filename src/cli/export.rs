//! `tabiya export`: writes a match as JSON Lines, PGN, match sheet or story.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use tabiya_app::desk::{self, match_sheet};
use tabiya_app::story;
use tabiya_engine::record::pgn;
use tabiya_engine::record::proof::{Proof, signed_from};
use tabiya_engine::record::secrets::{Exported, opening_told};
use tabiya_store::disk::write_whole;
use tabiya_types::shown;

use super::files::{self, Lines};
use super::language::LanguageArgument;
use super::output::{ExitFailure, print};

/// Arguments of `tabiya export`.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArguments {
    /// The record: a journal, or JSON Lines.
    file: PathBuf,
    /// The format: jsonl, pgn, sheet (the terms in plain words), or story (what happened, line by line).
    #[arg(long, default_value = "jsonl")]
    format: Format,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    /// Skip lines that the rules refuse, list them, and go on: for a record that `tabiya salvage` has saved.
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    language: LanguageArgument,
    /// Write to this file instead of to the terminal.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace this file, whatever it is. Without this option only an earlier export is replaced without a question.
    #[arg(long, requires = "out")]
    replace: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Jsonl,
    Pgn,
    Sheet,
    Story,
}

pub(super) fn run(arguments: &ExportArguments) -> Result<(), ExitFailure> {
    let lines = Lines::read(&arguments.file, arguments.id.as_deref())?;
    if let Some(path) = &arguments.out {
        files::may_write(path, &[&arguments.file])?;
        may_replace(path, arguments)?;
    }
    let (replayed, log) = match arguments.format {
        Format::Story => files::replay_and_log(&lines, arguments.keep_going)?,
        Format::Jsonl | Format::Pgn | Format::Sheet => {
            (files::replay(&lines, arguments.keep_going)?, Vec::new())
        }
    };
    if !replayed.refused.is_empty() && !arguments.keep_going {
        return Err(ExitFailure::refused(replayed.refused.join("\n")));
    }
    let replay = &replayed.replay;
    let rulings = lines.rulings(replay.header());
    let mut told: Vec<_> = rulings.iter().filter_map(|(number, line)| opening_told(*number, line)).collect();
    told.extend(lines.told.iter().cloned());
    let (head, from) = (lines.head.as_deref(), signed_from(rulings.iter().map(|(_, line)| line)));
    let proof = Proof { head, signed: lines.signed.as_ref(), from, told: &told };
    if arguments.format == Format::Pgn && !replay.table().game().has_board() {
        let file = shown(&arguments.file);
        return Err(ExitFailure::unusable(format!(
            "{file}: there is nothing to write as PGN, since a clock alone has no moves; `--format jsonl` writes its presses, `--format sheet` its terms"
        )));
    }
    let text = match arguments.format {
        Format::Pgn => pgn::text(replay, proof),
        Format::Sheet => match_sheet(replay, proof, &arguments.language.words()),
        Format::Story => {
            story::text(replay.header(), &story::public(log, replay.table()), &arguments.language.words())
        }
        Format::Jsonl => {
            if let Some(error) = &lines.closed {
                files::remark(&format!(
                    "{error}; all sealed cards are left out, even those that were turned over"
                ));
            }
            let mut exported = Exported::begin(replay);
            for line in lines.values() {
                let (number, line) = line?;
                exported.add(number, line);
            }
            exported.into_text()
        }
    };
    match &arguments.out {
        Some(path) => write_whole(path, &text)
            .map_err(|error| ExitFailure::unusable(format!("{}: cannot be written: {error}", shown(path)))),
        None => print(text.trim_end_matches('\n')),
    }?;
    if replayed.refused.is_empty() { Ok(()) } else { Err(ExitFailure::refused(replayed.refused.join("\n"))) }
}

impl From<Format> for desk::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Jsonl => Self::JsonLines,
            Format::Pgn => Self::Pgn,
            Format::Sheet => Self::Sheet,
            Format::Story => Self::Story,
        }
    }
}

/// Checks that the file may be replaced, if it exists: it is an earlier export, it is empty, or somebody says so.
fn may_replace(path: &Path, arguments: &ExportArguments) -> Result<(), ExitFailure> {
    if arguments.replace || !files::is_somebodys(path, arguments.format.into()) {
        return Ok(());
    }
    let name = shown(path);
    if !std::io::stdin().is_terminal() {
        return Err(ExitFailure::unusable(format!(
            "{name}: this file exists and is no earlier export in this format; choose another file, or replace it with `--replace`"
        )));
    }
    let mut asked = std::io::stderr().lock();
    write!(asked, "{name} exists and is no earlier export in this format. Replace it? [y/N] ")
        .and_then(|()| asked.flush())
        .map_err(ExitFailure::unusable)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(ExitFailure::unusable)?;
    if answer.trim().to_lowercase().starts_with('y') {
        Ok(())
    } else {
        Err(ExitFailure::unusable(format!("{name}: nothing was written")))
    }
}
