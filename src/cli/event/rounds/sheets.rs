//! `tabiya event print`: sheets for the wall and the tables.

use std::path::PathBuf;

use clap::Args;
use tabiya_event::console::{RoundSheet, round_sheet};

use super::super::super::language::LanguageArgument;
use super::super::super::output::{ExitFailure, print, unusable};
use super::super::find;

/// Arguments of `tabiya event print`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct PrintArguments {
    /// What is printed: pairs (by board), names (pairs by name), standings, crosstable, cards (for the tables), slips (for results).
    sheet: String,
    /// The event's folder. Without it: the one event of this user.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// The page that is written (HTML); without it: standard output. A browser prints it, or saves it as PDF.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArgument,
}

/// Writes a sheet.
pub(super) fn sheet(arguments: &PrintArguments) -> Result<(), ExitFailure> {
    let sheet = RoundSheet::read(&arguments.sheet).ok_or_else(|| {
        let all = RoundSheet::ALL.map(RoundSheet::word).join(", ");
        ExitFailure::unusable(format!("{}: there is no such sheet; use one of {all}", arguments.sheet))
    })?;
    let book = find(arguments.event.as_ref())?.rounds().map_err(unusable)?;
    let page = round_sheet(book, sheet, &arguments.language.words());
    let Some(path) = &arguments.out else { return print(page.trim_end()) };
    let failed = |error| {
        ExitFailure::unusable(format!("{}: this file cannot be written: {error}", tabiya_types::shown(path)))
    };
    std::fs::write(path, page).map_err(failed)
}
