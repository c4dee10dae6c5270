//! `tabiya salvage`: what can be read of a damaged record, into a new one.

use std::path::PathBuf;

use tabiya_app::store::journal::{self, Rescued};

use super::{ExitFailure, files, tell, unusable};

/// Arguments of `tabiya salvage`.
#[derive(Debug, clap::Args)]
pub(super) struct SalvageArguments {
    /// The damaged record, with the -wal file beside it if there is one. It is only read.
    file: PathBuf,
    /// The new record. It must not be there yet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Status 0 if nothing is known to be lost, 1 if something is, 2 if nothing could be saved.
pub(super) fn run(arguments: &SalvageArguments) -> Result<(), ExitFailure> {
    let (file, out) = (arguments.file.display(), arguments.out.display());
    files::check(&arguments.file)?;
    let rescued = journal::rescue(&arguments.file, &arguments.out).map_err(unusable)?;
    let lines: usize = rescued.iter().map(|one| one.lines).sum();
    let whole = rescued.iter().all(Rescued::is_whole);
    let saved = rescued.iter().filter(|one| !one.header_lost).count();
    let saved = format!("{out}: {} with {lines} lines after the header saved", matches(saved));
    if whole {
        tell(&format!("{saved}; nothing is missing before the last of them"))
    } else {
        tell(&saved)?;
        let lost: Vec<String> =
            rescued.iter().filter(|one| !one.is_whole()).map(|one| describe(one, &out)).collect();
        Err(ExitFailure::refused(format!("{file}: {}", lost.join("\n"))))
    }
}

fn describe(one: &Rescued, out: &dyn std::fmt::Display) -> String {
    let id = one.id;
    if one.header_lost {
        return format!("match {id}: its header cannot be read, and without it nothing of it can be saved");
    }
    let mut what = Vec::new();
    if let Some(first) = one.first_gap {
        what.push(format!("{} lost, the first after line {first}", count(one.lost)));
    }
    if one.changed > 0 {
        what.push(format!("{} not what was written", count(one.changed)));
    }
    if one.left_out > 0 {
        what.push(format!("{} too damaged to be saved", count(one.left_out)));
    }
    format!(
        "match {id}: {}; `tabiya replay {out} --keep-going` shows what follows from the rest",
        what.join(", ")
    )
}

fn count(lines: usize) -> String {
    if lines == 1 { "1 line is".to_owned() } else { format!("{lines} lines are") }
}

fn matches(number: usize) -> String {
    if number == 1 { "1 match".to_owned() } else { format!("{number} matches") }
}
