//! `tabiya manual`: writes the manual pages, for packagers.

use std::path::PathBuf;

use clap::{Command, CommandFactory};

use super::Arguments;
use super::output::ExitFailure;

/// Arguments of `tabiya manual`.
#[derive(Debug, clap::Args)]
pub(super) struct ManualArguments {
    /// The folder, for example man/man1.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes one page for the program and one for each command: `tabiya.1`, `tabiya-play.1`, …
pub(super) fn run(arguments: &ManualArguments) -> Result<(), ExitFailure> {
    let folder = &arguments.folder;
    crate::platform::let_all_read();
    let version = env!("CARGO_PKG_VERSION");
    let named = |command: Command| command.version(version).propagate_version(true);
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(named(Arguments::command()), folder))
        .map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", tabiya_types::shown(folder)))
        })
}
