//! `tabiya verify`: checks that a record was not changed after it was written.

use std::fmt::Display;
use std::path::PathBuf;

use tabiya_app::store::evening;
use tabiya_app::store::journal::vault::KeyError;
use tabiya_app::store::journal::{self, FileKind, Journal, JournalError, JournalReader, MatchInfo};
use tabiya_app::store::keys::Keyring;
use tabiya_engine::record::Header;
use tabiya_engine::record::chain::{self, Broken, Verified};
use tabiya_engine::rules::GAMES;

use super::files::{self, Lines, choose, shown};
use super::{ExitFailure, print_line};

/// Arguments of `tabiya verify`.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// The record: a journal, or an export in JSON Lines.
    file: PathBuf,
    /// The head hash from the match sheet or the PGN: all of it, or at least its first 8 digits.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// Which match of a journal; by default all of them. A head belongs to the last one then.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
}

/// Verifies the whole file, or one match of it, and prints a line for each match. Exit status 0: nothing is wrong.
/// Status 1: a line was changed, or is missing. Status 2: the file cannot be read, or is damaged.
pub(super) fn run(arguments: &VerifyArguments) -> Result<(), ExitFailure> {
    let name = shown(&arguments.file);
    if let Some(text) = &arguments.head
        && (text.len() < DIGITS || !text.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        let what =
            format!("`--head {text}` is not a head hash: copy at least {DIGITS} of its digits 0-9 and a-f");
        return Err(ExitFailure::unusable(what));
    }
    let verified = match files::check(&arguments.file)? {
        FileKind::Journal => of_journal(arguments)?,
        FileKind::Lines => of_lines(arguments)?,
    };
    let Verified { head, entries, marked, .. } = verified;
    let mut text = format!("{name}: {entries} lines after the header verified; head {head}");
    if arguments.head.is_none() {
        text.push_str("\ncompare this head with the one on the match sheet or in the PGN: only this shows whether lines are missing at the end");
    }
    if marked == 0 {
        text.push_str("\nthe lines contain no hashes: only the head shows whether the record was changed");
    }
    print_line(&text)
}

fn broken(place: &dyn Display, broken: &Broken) -> ExitFailure {
    match broken {
        Broken::Empty | Broken::Unreadable { .. } | Broken::NotALine { .. } => {
            ExitFailure::unusable(format!("{place}: {broken}"))
        }
        broken => ExitFailure::refused(format!("{place}: {broken}")),
    }
}

/// The least number of digits of a head hash that people must give.
const DIGITS: usize = 8;

/// Verifies the structure of a journal, and the chosen match or, without a choice, all of its matches. Returns what was
/// verified of the last one, which is not printed yet.
fn of_journal(arguments: &VerifyArguments) -> Result<Verified, ExitFailure> {
    let (name, unusable) = (shown(&arguments.file), |error: JournalError| ExitFailure::unusable(error));
    // The pages are read before the file is opened: closing a file releases the locks on it.
    let found = journal::salvage(&arguments.file).unwrap_or_default();
    let reader = Journal::open_read(&arguments.file).map_err(unusable)?;
    reader.check_structure(&found).map_err(unusable)?;
    let matches = reader.matches().map_err(unusable)?;
    let last = choose(matches.clone(), arguments.id.as_deref())
        .map_err(|what| ExitFailure::unusable(format!("{name}: {what}")))?;
    let several = arguments.id.is_none() && matches.len() > 1;
    let before = matches.into_iter().filter(|info| several && info.id != last.id);
    for info in before.collect::<Vec<_>>() {
        let place = format!("{name}: match {}", info.id);
        let Verified { head, entries, .. } = of_match(&reader, &info, None, &place)?;
        print_line(&format!("{place}: {entries} lines after the header verified; head {head}"))?;
    }
    let place = if several { format!("{name}: match {}", last.id) } else { name };
    of_match(&reader, &last, arguments.head.as_deref(), &place)
}

fn of_match(
    reader: &JournalReader,
    info: &MatchInfo,
    head: Option<&str>,
    place: &str,
) -> Result<Verified, ExitFailure> {
    let verified = reader.verify(info.id, head).map_err(ExitFailure::unusable)?;
    let verified = verified.map_err(|why| broken(&place, &why))?;
    // The hash chain does not cover the boxes, which contain hidden cards in encrypted form. So each box is decrypted,
    // which shows whether it is intact.
    let (_, closed) =
        evening::opened_lines(reader, info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
    match closed {
        Some(error @ KeyError::Box { .. }) => Err(ExitFailure::refused(format!("{place}: {error}"))),
        Some(no_key) => print_line(&format!("{place}: the sealed cards were not checked: {no_key}")),
        None => Ok(()),
    }?;
    Ok(verified)
}

fn of_lines(arguments: &VerifyArguments) -> Result<Verified, ExitFailure> {
    let lines = Lines::of_text(&arguments.file, arguments.id.as_deref())?;
    let mut texts = Vec::new();
    for (number, line) in lines.numbered() {
        let line = line?;
        if !line.trim().is_empty() {
            texts.push((usize::try_from(number).unwrap_or(usize::MAX), line));
        }
    }
    if let Some((number, text)) = texts.first() {
        let number = u32::try_from(*number).unwrap_or(u32::MAX);
        Header::parse(text, GAMES).map_err(|error| lines.unusable(number, error))?;
    }
    chain::verify(texts.into_iter(), arguments.head.as_deref())
        .map_err(|why| broken(&shown(&arguments.file), &why))
}
