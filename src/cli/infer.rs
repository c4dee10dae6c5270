//! `tabiya infer`: infers the moves that were played from what the board showed.

use std::path::PathBuf;

use tabiya_app::desk::Format;
use tabiya_engine::record::json;
use tabiya_engine::record::secrets::Exported;
use tabiya_engine::sense::Explanation;
use tabiya_store::disk::write_whole;

use tabiya_text::{Language, Words};

use super::files::{self, InferredFile, Lines};
use super::output::{ExitFailure, print, summary};

/// Arguments of `tabiya infer`.
#[derive(Debug, clap::Args)]
pub(super) struct InferArguments {
    /// A record with `sees` and `press` lines and no `place` or `move`.
    file: PathBuf,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    /// Print the results as JSON, as `replay` does.
    #[arg(long)]
    json: bool,
    /// For each action: print the three likeliest readings of the board, what each costs (in decibans: 10 is one in ten,
    /// 20 one in a hundred), and for what.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write the record with the inferred moves to this file, without cards that were never shown.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Returns the record as `export` writes it, without cards that were never shown. Only a journal contains such cards.
fn public(understood: &InferredFile, lines: &Lines) -> Result<String, ExitFailure> {
    let written = understood.inferred.lines.iter().map(ToString::to_string);
    let texts = std::iter::once(understood.header.clone()).chain(written);
    let mut exported = Exported::begin(&understood.inferred.replay);
    for (number, text) in (1..).zip(texts) {
        exported.add(number, json::parse(&text).map_err(|error| lines.unusable(number, error))?);
    }
    Ok(exported.into_text())
}

pub(super) fn run(arguments: &InferArguments) -> Result<(), ExitFailure> {
    let lines = Lines::read(&arguments.file, arguments.id.as_deref())?;
    if let Some(path) = &arguments.out {
        files::may_write(path, &[&arguments.file])?;
        if files::is_somebodys(path, Format::JsonLines) {
            let name = files::shown(path);
            let what = format!(
                "{name}: this file exists and is no earlier record in this form; choose another file"
            );
            return Err(ExitFailure::unusable(what));
        }
    }
    let understood = files::infer(&lines, arguments.explain)?;
    if let Some(path) = &arguments.out {
        let text = public(&understood, &lines)?;
        write_whole(path, &text).map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", tabiya_types::shown(path)))
        })?;
    }
    let replay = &understood.inferred.replay;
    for Explanation { at, readings } in &understood.inferred.explanations {
        let mut readings = readings.iter().map(ToString::to_string);
        print(&format!("{} ms  {}", at.millis(), readings.next().unwrap_or_default()))?;
        for other in readings {
            print(&format!("    or {other}"))?;
        }
    }
    if arguments.json {
        print(&replay.report().to_string())?;
    } else {
        print(&summary(replay, &Words::of(Language::English)))?;
    }
    match understood.refused {
        Some(sentence) => Err(ExitFailure::refused(sentence)),
        None if understood.inferred.understood => Ok(()),
        None => {
            let violations: Vec<String> = replay
                .violations()
                .iter()
                .map(|violation| format!("{}:{}: {}", lines.name, violation.line, violation.message))
                .collect();
            Err(ExitFailure::refused(violations.join("\n")))
        }
    }
}
