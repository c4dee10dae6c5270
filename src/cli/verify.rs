//! `tabiya verify`: checks that a record was not changed after it was written.

use std::path::PathBuf;

use tabiya_app::store::evening;
use tabiya_app::store::journal::vault::KeyError;
use tabiya_app::store::journal::{FileKind, Journal};
use tabiya_app::store::keys::Keyring;
use tabiya_engine::record::Header;
use tabiya_engine::record::chain::{self, Broken, Verified};
use tabiya_engine::rules::GAMES;

use super::files::{self, Lines, choose};
use super::{ExitFailure, print_line};

/// Arguments of `tabiya verify`.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// The record: a journal, or an export in JSON Lines.
    file: PathBuf,
    /// The head hash from the match sheet or the PGN: all of it, or at least its first 8 digits.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<(), ExitFailure> {
    let name = arguments.file.display();
    let verified = verify(arguments)?.map_err(|broken| match broken {
        Broken::Empty | Broken::Unreadable { .. } | Broken::NotALine { .. } => {
            ExitFailure::unusable(format!("{name}: {broken}"))
        }
        broken => ExitFailure::refused(format!("{name}: {broken}")),
    })?;
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

/// The least number of digits of a head hash that people must give.
const DIGITS: usize = 8;

fn verify(arguments: &VerifyArguments) -> Result<Result<Verified, Broken>, ExitFailure> {
    let head = arguments.head.as_deref();
    if let Some(text) = head
        && (text.len() < DIGITS || !text.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        let what =
            format!("`--head {text}` is not a head hash: copy at least {DIGITS} of its digits 0-9 and a-f");
        return Err(ExitFailure::unusable(what));
    }
    if files::check(&arguments.file)? == FileKind::Journal {
        let reader = Journal::open_read(&arguments.file).map_err(ExitFailure::unusable)?;
        let matches = reader.matches().map_err(ExitFailure::unusable)?;
        let info = choose(matches, arguments.id.as_deref())
            .map_err(|what| ExitFailure::unusable(format!("{}: {what}", arguments.file.display())))?;
        let verified = reader.verify(info.id, head).map_err(ExitFailure::unusable)?;
        // The hash chain does not cover the boxes, which contain hidden cards in encrypted form. So each box is
        // decrypted, which shows whether it is intact.
        let (_, closed) =
            evening::opened_lines(&reader, &info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
        return match closed {
            Some(error @ KeyError::Box { .. }) if verified.is_ok() => {
                Err(ExitFailure::refused(format!("{}: {error}", arguments.file.display())))
            }
            _ => Ok(verified),
        };
    }
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
    Ok(chain::verify(texts.into_iter(), head))
}
