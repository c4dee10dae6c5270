//! `tabiya joker check`: what is wrong with a file of cards of Chess Joker.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use tabiya_engine::record::card_file::CardFileFault;
use tabiya_store::card_files;
use tabiya_text::Words;
use tabiya_types::{harmless, say};

use super::language::LanguageArgument;
use super::output::{ExitFailure, print};

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
        #[command(flatten)]
        language: LanguageArgument,
    },
}

pub(super) fn run(arguments: &JokerArguments) -> Result<(), ExitFailure> {
    let JokerCommand::Check { file, language } = &arguments.command;
    check(file, &language.words())
}

fn check(path: &Path, words: &Words) -> Result<(), ExitFailure> {
    let (file, _) = card_files::read(path).map_err(|what| ExitFailure::unusable(words.said(&what)))?;
    let mut lines: Vec<String> = file.faults.iter().flat_map(|fault| told(path, fault, words)).collect();
    let written = file.cards.iter().filter(|owned| owned.card.effect.is_some()).count();
    let starred = file.cards.iter().filter(|owned| owned.card.star == Some(true)).count();
    lines.push(words.said(&say!(
        "card-file-checked",
        "{file}: {cards} cards, {written} with an effect, {starred} with a star, {faults} faults",
        file = tabiya_types::shown(path),
        cards = file.cards.len(),
        written,
        starred,
        faults = file.faults.len()
    )));
    print(&lines.join("\n"))?;
    match file.faults.len() {
        0 => Ok(()),
        faults => Err(ExitFailure::refused(words.said(&say!(
            "card-file-put-right",
            "put right what is wrong with {faults} of the cards",
            faults
        )))),
    }
}

/// A fault in a line; below an effect that cannot be read, the words that are wrong are marked.
fn told(path: &Path, fault: &CardFileFault, words: &Words) -> Vec<String> {
    let code = fault.code.map_or_else(String::new, |code| format!(" ({code})"));
    let mut lines = vec![words.said(&say!(
        "card-file-fault",
        "{file}: card {card}: {what}",
        file = tabiya_types::shown(path),
        card = format!("{}{code}", fault.number),
        what = fault.what.clone().harmless()
    ))];
    if let Some((text, at)) = &fault.effect {
        let before = text.get(..at.start).unwrap_or_default().chars().count();
        let wrong = text.get(at.clone()).unwrap_or_default().chars().count().max(1);
        lines.push(format!("    {}", harmless(text)));
        lines.push(format!("    {}{}", " ".repeat(before), "^".repeat(wrong)));
    }
    lines
}
