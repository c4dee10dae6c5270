//! Rounds on the command line: files of tournaments, standings, tables of pairs, ratings. Each command prints one JSON document with
//! `--json`, and ends with 0 (done), 1 (read, and wrong) or 2 (cannot be read).
//!
//! Source: `docs/rounds.md`.

mod book;
mod chips;
mod files;
mod pairs;
mod sheets;
mod tables;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::Value;
use tabiya_event::rounds::book::RoundBook;
use tabiya_event::rounds::crosstable::Crosstable;
use tabiya_event::rounds::standings::code::TieBreak;
use tabiya_event::rounds::trf::{LONGEST, TrfFile};
use tabiya_store::disk::read_bounded;

use super::super::output::{ExitFailure, print_line, unusable};
use super::find;

/// The commands of rounds.
#[derive(Debug, Subcommand)]
pub(super) enum RoundCommand {
    /// Read a tournament report file, and say what it has and what is wrong in it.
    ///
    /// Example: tabiya event import club.trf --check
    Import(files::ImportArguments),
    /// Write a tournament as a file of another program.
    ///
    /// Example: tabiya event export club.trf --csv -o club.csv
    Export(files::RoundExportArguments),
    /// Show the standings by FIDE's tie-break rules.
    ///
    /// Example: tabiya event standings club.trf --tiebreaks BH/C1,BH,SB,DE
    Standings(tables::StandingsArguments),
    /// Show who meets whom in a round robin or a knock-out of so many players.
    ///
    /// Example: tabiya event pairs berger 8
    Pairs(pairs::PairsArguments),
    /// Show what the games change in the ratings.
    ///
    /// Example: tabiya event ratings club.trf --k 20
    Ratings(tables::RatingsArguments),
    /// Show the level of the blinds that is in force.
    ///
    /// Example: tabiya event blinds --at 1300
    Blinds(chips::BlindsArguments),
    /// Show who gets how much of the money.
    ///
    /// Example: tabiya event prizes
    Prizes(chips::PrizesArguments),
    /// Make an event with rounds.
    ///
    /// Example: tabiya event new club --name "Club open" --system swiss --rounds 7
    New(book::NewArguments),
    /// Enter a player.
    ///
    /// Example: tabiya event add "Ann Example" --rating 1850
    Add(book::AddArguments),
    /// Pair the next round; nothing is kept without --accept.
    ///
    /// Example: tabiya event pair --engine bbpPairings --accept
    Pair(book::PairArguments),
    /// Enter or change the result of a board.
    ///
    /// Example: tabiya event result 3 1 1-0 --by Ann
    Result(book::ResultArguments),
    /// Give a player a bye: U (of the pairing), H (half a point), F (a point), Z (none).
    ///
    /// Example: tabiya event bye 7 4 H
    Bye(book::ByeArguments),
    /// Take a player out of the rounds to come.
    ///
    /// Example: tabiya event withdraw 7 --from 4
    Withdraw(book::WithdrawArguments),
    /// Let a player take the place of another one at a board of the last round.
    ///
    /// Example: tabiya event replace 3 7 12 --reason ill
    Replace(book::ReplaceArguments),
    /// Write a sheet for the wall or the tables as a page (HTML): pairs, names, standings, crosstable, cards, slips.
    ///
    /// Example: tabiya event print pairs -o pairs.html
    Print(sheets::PrintArguments),
    /// Take a player's birth date and FIDE id out of the event.
    ///
    /// Example: tabiya event forget 7
    Forget(book::ForgetArguments),
    /// Play a board of the last round at another table.
    ///
    /// Example: tabiya event move 17 3
    Move(book::MoveArguments),
}

/// Runs a command of rounds.
pub(super) fn run(command: &RoundCommand) -> Result<(), ExitFailure> {
    match command {
        RoundCommand::Import(arguments) => files::import(arguments),
        RoundCommand::Export(arguments) => files::export(arguments),
        RoundCommand::Standings(arguments) => tables::standings(arguments),
        RoundCommand::Pairs(arguments) => pairs::pairs(arguments),
        RoundCommand::Ratings(arguments) => tables::ratings(arguments),
        RoundCommand::Blinds(arguments) => chips::blinds(arguments),
        RoundCommand::Prizes(arguments) => chips::prizes(arguments),
        RoundCommand::New(arguments) => book::new(arguments),
        RoundCommand::Add(arguments) => book::add(arguments),
        RoundCommand::Pair(arguments) => book::pair(arguments),
        RoundCommand::Result(arguments) => book::result(arguments),
        RoundCommand::Bye(arguments) => book::bye(arguments),
        RoundCommand::Withdraw(arguments) => book::withdraw(arguments),
        RoundCommand::Replace(arguments) => book::replace(arguments),
        RoundCommand::Print(arguments) => sheets::sheet(arguments),
        RoundCommand::Forget(arguments) => book::forget(arguments),
        RoundCommand::Move(arguments) => book::move_board(arguments),
    }
}

/// Where a tournament is read from.
#[derive(Debug, Args)]
struct Source {
    /// The tournament report file; without it the event's own rounds.
    file: Option<PathBuf>,
    /// The event's folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    event: Option<PathBuf>,
}

/// A tournament: its file, and for an event its book.
struct Tournament {
    file: TrfFile,
    table: Crosstable,
    /// The tie-breaks of the event's plan.
    tiebreaks: Option<Vec<TieBreak>>,
}

impl Source {
    /// The event's book, if it is one in which chips are won.
    fn chips(&self) -> Result<Option<RoundBook>, ExitFailure> {
        if self.file.is_some() {
            return Ok(None);
        }
        let book = find(self.event.as_ref())?.rounds().map_err(unusable)?;
        Ok(Some(book).filter(|book| book.plan().stack.is_some()))
    }

    /// Reads it.
    fn tournament(&self) -> Result<Tournament, ExitFailure> {
        if let Some(path) = &self.file {
            let file = read(path)?;
            return Ok(Tournament { table: file.crosstable(), file, tiebreaks: None });
        }
        let book = find(self.event.as_ref())?.rounds().map_err(unusable)?;
        let tiebreaks = Some(book.plan().tiebreaks.clone()).filter(|codes| !codes.is_empty());
        let file = book.file().map_err(unusable)?;
        Ok(Tournament { table: book.crosstable(), file, tiebreaks })
    }
}

/// The bytes of a file.
fn bytes_of(path: &Path) -> Result<Vec<u8>, ExitFailure> {
    let longest = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    read_bounded(path, longest).map_err(|error| {
        ExitFailure::unusable(format!("{}: this file cannot be read: {error}", tabiya_types::shown(path)))
    })
}

/// The tournament report file at this path.
fn read(path: &Path) -> Result<TrfFile, ExitFailure> {
    TrfFile::read(&bytes_of(path)?)
        .map_err(|fault| ExitFailure::unusable(format!("{}: {fault}", tabiya_types::shown(path))))
}

/// Prints a document as one line of JSON.
fn print_json(document: &Value) -> Result<(), ExitFailure> {
    print_line(&document.to_string())
}
