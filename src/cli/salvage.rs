//! `tabiya salvage`: saves the readable part of a damaged record to a new record.

use std::path::PathBuf;

use tabiya_store::journal::{self, Rescued};

use super::files;
use super::output::{ExitFailure, print_line, unusable};

/// Arguments of `tabiya salvage`.
#[derive(Debug, clap::Args)]
pub(super) struct SalvageArguments {
    /// The damaged record, or several damaged copies of it; each line is taken from the copy in which it is intact. A -wal
    /// file beside a copy is read, too. No copy is changed.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The new record. This file must not exist yet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command. Exit status 0: no loss is known. Status 1: something was lost. Status 2: nothing could be saved.
pub(super) fn run(arguments: &SalvageArguments) -> Result<(), ExitFailure> {
    let names: Vec<String> = arguments.files.iter().map(|file| files::shown(file)).collect();
    let (file, out) = (names.join(", "), files::shown(&arguments.out));
    arguments.files.iter().try_for_each(|file| files::check(file).map(drop))?;
    let rescued = journal::rescue(&arguments.files, &arguments.out).map_err(unusable)?;
    let lines: usize = rescued.matches.iter().map(|one| one.lines).sum();
    let saved = matches(rescued.matches.len());
    let saved = format!("{out}: {saved} with {lines} lines after the header saved");
    let lines_are_whole = rescued.matches.iter().all(Rescued::is_whole);
    let verdict = if lines_are_whole { "; no line is missing before the last saved one" } else { "" };
    print_line(&format!("{saved}{verdict}"))?;
    if rescued.is_whole() {
        Ok(())
    } else {
        let damaged = rescued.matches.iter().filter(|one| !one.is_whole());
        let mut lost: Vec<String> = damaged.map(|one| describe(one, &out)).collect();
        if rescued.cut_pages > 0 {
            let pages = rescued.cut_pages;
            lost.push(format!(
                "the file was cut: {pages} of its pages are missing, and what was on them is lost"
            ));
        }
        Err(ExitFailure::refused(format!("{file}: {}", lost.join("\n"))))
    }
}

fn describe(one: &Rescued, out: &dyn std::fmt::Display) -> String {
    let id = one.id;
    let mut what = Vec::new();
    if one.header_lost {
        what.push("its header cannot be read, so its lines are saved under an empty header".to_owned());
    }
    if let Some(first) = one.first_gap {
        what.push(format!("{} lost, the first after line {first}", count(one.lost)));
    }
    if one.changed > 0 {
        what.push(format!("{} saved with content that differs from the original record", count(one.changed)));
    }
    if one.left_out > 0 {
        what.push(format!("{} too damaged to be saved", count(one.left_out)));
    }
    format!(
        "match {id}: {}; `tabiya replay {out} --keep-going` replays the lines that were saved",
        what.join(", ")
    )
}

fn count(lines: usize) -> String {
    if lines == 1 { "1 line is".to_owned() } else { format!("{lines} lines are") }
}

fn matches(number: usize) -> String {
    if number == 1 { "1 match".to_owned() } else { format!("{number} matches") }
}
