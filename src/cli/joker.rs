//! `tabiya joker check`: what is wrong with a file of cards of Chess Joker.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use tabiya_app::store::card_files;
use tabiya_engine::record::card_file::CardFileFault;
use tabiya_types::harmless;

use super::{ExitFailure, print};

/// Arguments of `tabiya joker`.
#[derive(Debug, clap::Args)]
pub(super) struct JokerArguments {
    #[command(subcommand)]
    command: JokerCommand,
}

#[derive(Debug, Subcommand)]
enum JokerCommand {
    /// Check a file of cards, card by card.
    ///
    /// Example: tabiya joker check ours.toml
    Check {
        /// The file: TOML, JSON or CSV, by its ending.
        file: PathBuf,
    },
}

pub(super) fn run(arguments: &JokerArguments) -> Result<(), ExitFailure> {
    let JokerCommand::Check { file } = &arguments.command;
    check(file)
}

fn check(path: &Path) -> Result<(), ExitFailure> {
    let (file, _) = card_files::read(path).map_err(ExitFailure::unusable)?;
    let mut lines: Vec<String> = file.faults.iter().flat_map(|fault| told(path, fault)).collect();
    let written = file.cards.iter().filter(|owned| owned.card.effect.is_some()).count();
    let starred = file.cards.iter().filter(|owned| owned.card.star == Some(true)).count();
    lines.push(format!(
        "{}: {} cards, {written} with an effect, {starred} with a star, {} faults",
        harmless(&path.display().to_string()),
        file.cards.len(),
        file.faults.len()
    ));
    print(&lines.join("\n"))?;
    match file.faults.len() {
        0 => Ok(()),
        faults => Err(ExitFailure::refused(format!("put right what is wrong with {faults} of the cards"))),
    }
}

/// A fault in a line; below an effect that cannot be read, the words that are wrong are marked.
fn told(path: &Path, fault: &CardFileFault) -> Vec<String> {
    let code = fault.code.map_or_else(String::new, |code| format!(" ({code})"));
    let mut lines = vec![format!(
        "{}: card {}{code}: {}",
        harmless(&path.display().to_string()),
        fault.number,
        harmless(&fault.what)
    )];
    if let Some((text, at)) = &fault.effect {
        let before = text.get(..at.start).unwrap_or_default().chars().count();
        let wrong = text.get(at.clone()).unwrap_or_default().chars().count().max(1);
        lines.push(format!("    {}", harmless(text)));
        lines.push(format!("    {}{}", " ".repeat(before), "^".repeat(wrong)));
    }
    lines
}
