//! `tabiya verify`: whether a record is the one that was written.

use std::path::PathBuf;

use tabiya_app::store::evening;
use tabiya_app::store::journal::vault::KeyError;
use tabiya_app::store::journal::{FileKind, Journal};
use tabiya_app::store::keys::Keyring;
use tabiya_engine::record::Header;
use tabiya_engine::record::chain::{self, Broken, Verified};
use tabiya_engine::rules::GAMES;

use super::files::{self, Lines, choose};
use super::{ExitFailure, tell};

/// Arguments of `tabiya verify`.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// The record: a journal, or an export in JSON Lines.
    file: PathBuf,
    /// The head hash from the match sheet or the PGN: all of it, or its first digits.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// Which match of a journal; without it the last one.
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
    let mut text = format!("{name}: {entries} lines after the header hang together; head {head}");
    if arguments.head.is_none() {
        text.push_str("\ncompare this head with the match sheet's or the PGN's: a record cut short at its end shows only there");
    }
    if marked == 0 {
        text.push_str("\nthe lines carry no hashes of their own: only the head can tell a changed record");
    }
    tell(&text)
}

/// The fewest digits of a head that say anything.
const DIGITS: usize = 8;

fn verify(arguments: &VerifyArguments) -> Result<Result<Verified, Broken>, ExitFailure> {
    let head = arguments.head.as_deref();
    if let Some(text) = head
        && (text.len() < DIGITS || !text.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        let what = format!("`--head {text}` is no head: copy at least {DIGITS} of its digits 0-9 and a-f");
        return Err(ExitFailure::unusable(what));
    }
    if files::check(&arguments.file)? == FileKind::Journal {
        let reader = Journal::open_read(&arguments.file).map_err(ExitFailure::unusable)?;
        let matches = reader.matches().map_err(ExitFailure::unusable)?;
        let info = choose(matches, arguments.id.as_deref())
            .map_err(|what| ExitFailure::unusable(format!("{}: {what}", arguments.file.display())))?;
        let verified = reader.verify(info.id, head).map_err(ExitFailure::unusable)?;
        // A box is outside the chain: whoever has its key can tell whether it is whole.
        let (_, closed) =
            evening::opened(&reader, &info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
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
