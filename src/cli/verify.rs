//! `tabiya verify`: checks that a record was not changed after it was written.

mod facts;
#[cfg(feature = "event")]
mod orders;

#[cfg(feature = "event")]
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tabiya_engine::record::chain::{self, Broken, Head, Verified};
use tabiya_engine::record::proof::HeadSignature;
use tabiya_engine::record::{Header, json};
use tabiya_engine::rules::GAMES;
#[cfg(feature = "event")]
use tabiya_event::console::{EventFolder, FolderFault};
use tabiya_store::disk::read_bounded;
use tabiya_store::evening;
use tabiya_store::heads::{self, Compared, Contradiction, DatesBack, Heads, Signature};
use tabiya_store::journal::vault::KeyError;
use tabiya_store::journal::{self, FileKind, Journal, JournalError, JournalReader, MatchInfo};
use tabiya_store::keys::Keyring;
use tabiya_store::signing::PublicKey;
use tabiya_types::harmless;

use super::files::{self, Lines, choose, shown};
use super::output::{ExitFailure, print_line};

/// Arguments of `tabiya verify`.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArguments {
    /// The record: a journal, or an export in JSON Lines.
    #[cfg_attr(feature = "event", arg(required_unless_present = "event"))]
    file: Option<PathBuf>,
    /// The folder of an event: every copy, head, order and fork in it.
    #[cfg(feature = "event")]
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["file", "head", "signed_by", "id"])]
    event: Option<PathBuf>,
    /// The head hash from the match sheet or the PGN: all of it, or at least its first 8 digits, also in groups; or the text of the
    /// sheet's QR code.
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// The public key of the table that must have signed the record (`tabiya key` prints it there), or a file with that
    /// key.
    #[arg(long, value_name = "KEY")]
    signed_by: Option<String>,
    /// Which match of a journal; by default all of them. A head belongs to the last one then.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
}

/// A file that is verified, and against what.
struct Verifying {
    file: PathBuf,
    head: Option<String>,
    signed_by: Option<String>,
    id: Option<String>,
}

/// Runs `tabiya verify`.
pub(super) fn run(arguments: &VerifyArguments) -> Result<(), ExitFailure> {
    #[cfg(feature = "event")]
    if let Some(folder) = &arguments.event {
        return verify_event(folder);
    }
    let Some(file) = &arguments.file else { return Err(ExitFailure::unusable("name a record")) };
    let VerifyArguments { head, signed_by, id, .. } = arguments;
    let (head, signed_by, id) = (head.clone(), signed_by.clone(), id.clone());
    verify(&Verifying { file: file.clone(), head, signed_by, id })
}

/// The first match in a file of copies that no key of its table has signed; `None` if each one is signed.
#[cfg(feature = "event")]
fn unsigned_copy(file: &Path, roster: &tabiya_event::lists::Roster) -> Option<ExitFailure> {
    let reader = Journal::open_read(file).ok()?;
    let is_unsigned = |info: &&MatchInfo| {
        let table = json::parse(&info.header)
            .ok()
            .and_then(|header| header.get("x-table")?.as_u64()?.try_into().ok());
        let head_after = |seq| reader.head_after(info.id, seq).ok().flatten();
        let knows = |key: &str| table.is_some_and(|table| roster.knew(table, key));
        !heads::is_signed_by(file, (&info.uid, info.begins), knows, head_after)
    };
    let matches = reader.matches().ok()?;
    let info = matches.iter().find(is_unsigned)?;
    let name = shown(file);
    Some(ExitFailure::refused(format!("{name}: match {}: no key of its table has signed this copy", info.id)))
}

/// The first order in a file of copies whose key was never a console of the event; `None` if each one's was.
#[cfg(feature = "event")]
fn order_of_stranger(file: &Path, consoles: &BTreeSet<String>) -> Option<ExitFailure> {
    let reader = Journal::open_read(file).ok()?;
    let of_match = |info: &MatchInfo| orders::of_stranger(&reader, info, consoles).ok().flatten();
    let found = reader.matches().ok()?.into_iter().find_map(|info| Some((info.id, of_match(&info)?)));
    let (id, (number, key)) = found?;
    let name = shown(file);
    Some(ExitFailure::refused(format!(
        "{name}: match {id}: line {number} was ordered by the key {key}, which no list of the event's consoles has"
    )))
}

/// A match that signed heads beside this file are about, and that is not in it; `None` if there is none.
#[cfg(feature = "event")]
fn missing_match(file: &Path) -> Option<ExitFailure> {
    let matches = Journal::open_read(file).and_then(|reader| reader.matches()).unwrap_or_default();
    let is_there = |(uid, begins): &(String, Head)| {
        matches.iter().any(|info| info.uid == *uid && info.begins == *begins)
    };
    let (uid, _) = heads::signed_matches(file).into_iter().find(|signed| !is_there(signed))?;
    let name = shown(file);
    Some(ExitFailure::refused(format!("{name}: match {uid} was signed, but it is not there any more")))
}

/// Whether the event's own journal is another event's.
#[cfg(feature = "event")]
fn foreign_acts(file: &Path, event: &str) -> Option<ExitFailure> {
    let matches = Journal::open_read(file).ok()?.matches().ok()?;
    let of_event = |info: &MatchInfo| {
        json::parse(&info.header)
            .is_ok_and(|header| header.get("event").and_then(Value::as_str) == Some(event))
    };
    if !matches.is_empty() && matches.iter().all(of_event) {
        return None;
    }
    Some(ExitFailure::refused(format!("{}: this is not the journal of event {event}", shown(file))))
}

/// The files with further copies that are missing: they are numbered from 1 on, up to the greatest number that a file, its signed heads
/// or the event's journal have.
#[cfg(feature = "event")]
fn missing_forks(folder: &Path, named: &BTreeSet<usize>) -> Vec<ExitFailure> {
    let there: BTreeSet<usize> =
        tabiya_event::console::fork_files(folder).into_iter().map(|(number, _)| number).collect();
    let last = there.iter().chain(named).copied().chain(tabiya_event::console::fork_heads(folder)).max();
    let missing = (1..=last.unwrap_or(0)).filter(|number| !there.contains(number));
    let told = missing.map(|number| {
        let file = shown(&folder.join(format!("fork-{number}.tabiya")));
        ExitFailure::refused(format!(
            "{file}: this copy is not there any more; put it back from a copy of the folder"
        ))
    });
    told.collect()
}

/// The files of an event's folder that were missing before, as its journal says.
#[cfg(feature = "event")]
fn missed_before(folder: &Path, missed: &[(String, String)]) -> Vec<ExitFailure> {
    let told = missed.iter().map(|(name, date)| {
        let file = harmless(&shown(&folder.join(name)));
        let date = harmless(date);
        ExitFailure::refused(format!("{file}: it was not there any more on {date}, and was begun anew"))
    });
    told.collect()
}

/// The event's own journal, if no console of the event has signed it.
#[cfg(feature = "event")]
fn unsigned_acts(file: &Path, consoles: &BTreeSet<String>) -> Option<ExitFailure> {
    let reader = Journal::open_read(file).ok()?;
    let info = reader.matches().ok()?.pop()?;
    let head_after = |seq| reader.head_after(info.id, seq).ok().flatten();
    let knows = |key: &str| consoles.contains(key);
    if heads::is_signed_by(file, (&info.uid, info.begins), knows, head_after) {
        return None;
    }
    let beside = shown(&heads::file_of(file));
    Some(ExitFailure::refused(format!(
        "{}: no console of the event has signed it; put {beside} back from a copy of the folder",
        shown(file)
    )))
}

/// Verifies the event's own journal, the copies of all tables, and each copy that went another way.
#[cfg(feature = "event")]
fn verify_event(folder: &Path) -> Result<(), ExitFailure> {
    if !folder.join("event.json").exists() {
        return Err(ExitFailure::unusable(format!("{}: this is no folder of an event", shown(folder))));
    }
    let forks = tabiya_event::console::fork_files(folder).into_iter().map(|(_, path)| path);
    let files = ["event.tabiya", "hall.tabiya"].map(|name| folder.join(name)).into_iter().chain(forks);
    // The lists are the authority's, and each copy is one that its table has signed.
    let refused = |fault: FolderFault| ExitFailure::refused(fault.to_string());
    let of = EventFolder::find(Some(folder), folder, "").map_err(refused)?;
    let ((event, _), (_, roster)) = (of.about().map_err(refused)?, of.lists().map_err(refused)?);
    let consoles = of.consoles_ever().map_err(refused)?;
    let acts = folder.join("event.tabiya");
    let mut failures: Vec<ExitFailure> = foreign_acts(&acts, &event).into_iter().collect();
    failures.extend(unsigned_acts(&acts, &consoles));
    failures.extend(missing_forks(folder, &of.forks_ever().map_err(refused)?));
    failures.extend(missed_before(folder, &of.files_missed().map_err(refused)?));
    let doubt = of.rounds_doubt().map_err(|fault| ExitFailure::refused(fault.to_string()))?;
    failures.extend(doubt.map(ExitFailure::refused));
    let mut first = None;
    for failure in failures {
        print_line(&failure.sentence)?;
        first.get_or_insert(failure);
    }
    for file in files {
        if let Some(failure) = missing_match(&file) {
            print_line(&failure.sentence)?;
            first.get_or_insert(failure);
        }
        let is_empty = || {
            Journal::open_read(&file).and_then(|reader| reader.matches()).is_ok_and(|found| found.is_empty())
        };
        if is_empty() {
            print_line(&format!("{}: no match yet", shown(&file)))?;
            continue;
        }
        let is_copies = file.file_name().is_some_and(|name| name != "event.tabiya");
        let of_copies = [unsigned_copy(&file, &roster), order_of_stranger(&file, &consoles)];
        for failure in of_copies.into_iter().flatten().filter(|_| is_copies) {
            print_line(&failure.sentence)?;
            first.get_or_insert(failure);
        }
        // What is wrong with one file hides nothing of the others.
        if let Err(failure) = verify(&Verifying { file: file.clone(), head: None, signed_by: None, id: None })
        {
            print_line(&failure.sentence)?;
            first.get_or_insert(failure);
        }
    }
    first.map_or(Ok(()), |_| Err(ExitFailure::refused("not every file of this event is as it was written")))
}

/// Verifies the whole file, or one match of it, and prints a line for each match. Exit status 0: nothing is wrong.
/// Status 1: a line was changed, or is missing. Status 2: the file cannot be read, or is damaged.
fn verify(arguments: &Verifying) -> Result<(), ExitFailure> {
    let name = shown(&arguments.file);
    let asked = Asked::of(arguments)?;
    let mut told = Vec::new();
    let found = match files::check(&arguments.file)? {
        FileKind::Journal => journal::settled(&arguments.file, || {
            told.clear();
            of_journal(arguments, &asked, &mut told)
        }),
        FileKind::Lines => of_lines(arguments, &asked, &mut told),
    };
    told.iter().try_for_each(|line| print_line(line))?;
    let (verified, signed) = found?;
    let Verified { head, entries, marked, .. } = verified;
    let mut text = format!("{name}: {entries} lines after the header verified; head {head}");
    for signature in &signed {
        let _ = write!(text, "\n{}", said(signature, entries));
    }
    if asked.head.is_none() && signed.is_empty() {
        text.push_str("\ncompare this head with the one on the match sheet or in the PGN: only this shows whether lines are missing at the end");
    }
    if !signed.is_empty() && asked.by.is_none() {
        text.push_str("\ncompare the key with the one that `tabiya key` prints at that table, or give it as `--signed-by KEY`: anybody can sign with a key of his own");
    }
    if marked == 0 {
        text.push_str("\nthe lines contain no hashes: only the head shows whether the record was changed");
    }
    print_line(&text)
}

/// Says who signed, when, and up to which line of a record with this many lines after the header.
fn said(signature: &Signature, entries: usize) -> String {
    let Signature { key, seq, at } = signature;
    if usize::try_from(*seq).is_ok_and(|seq| seq == entries) {
        format!("signed by {key} on {at}, to the last line")
    } else {
        format!("signed by {key} on {at}, up to line {}", seq.saturating_add(1))
    }
}

/// What the record must agree with.
struct Asked {
    head: Option<String>,
    code: Option<HeadSignature>,
    by: Option<PublicKey>,
}

impl Asked {
    fn of(arguments: &Verifying) -> Result<Self, ExitFailure> {
        let code = arguments.head.as_deref().and_then(HeadSignature::from_code);
        // On paper the digits stand in groups.
        let digits = || arguments.head.as_ref().map(|text| text.split_whitespace().collect());
        let head: Option<String> = code.as_ref().map(|code| code.head.clone()).or_else(digits);
        if let Some(text) = &head
            && (!(DIGITS..=WHOLE).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()))
        {
            let what = format!(
                "`--head {text}` is not a head hash: copy at least {DIGITS} of its digits 0-9 and a-f"
            );
            return Err(ExitFailure::unusable(what));
        }
        let by = arguments.signed_by.as_deref().map(public_key).transpose()?;
        Ok(Self { head, code, by })
    }
}

/// Reads a public key: its digits, or a file that contains them.
fn public_key(given: &str) -> Result<PublicKey, ExitFailure> {
    let from_file =
        || read_bounded(Path::new(given), LONGEST_KEY).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let key =
        PublicKey::from_digits(given).or_else(|| from_file().and_then(|text| PublicKey::from_digits(&text)));
    key.ok_or_else(|| {
        ExitFailure::unusable(format!(
            "`--signed-by {given}` is not a public key: give the 64 digits that `tabiya key` prints at the table, or a file with them"
        ))
    })
}

/// The longest file with a public key that is read, in bytes.
const LONGEST_KEY: u64 = 1 << 12;

/// Reads the signed heads beside the record, once for all of its matches.
fn heads_beside(record: &Path) -> Result<Heads, ExitFailure> {
    Heads::beside(record).map_err(|error| {
        let file = shown(&heads::file_of(record));
        ExitFailure::unusable(format!("{file}: cannot be read: {error}"))
    })
}

/// Compares the signed heads beside the record with it, and the code of a sheet if one is given.
fn signatures(
    (file, beside): (&Path, &Heads),
    asked: &Asked,
    record: &Compared,
    place: &str,
    told: &mut Vec<String>,
) -> Result<Vec<Signature>, ExitFailure> {
    let refused = |why: Contradiction| ExitFailure::refused(format!("{place} {why}"));
    let mut coded = None;
    match (&asked.code, &record.uid) {
        (Some(code), Some(uid)) => {
            heads::is_of(code, record, uid).map_err(refused)?;
            let key = PublicKey::from_digits(&code.key);
            if asked.by.is_some_and(|by| Some(by) != key) {
                return Err(ExitFailure::refused(format!(
                    "{place}: another key signed the sheet: {}",
                    code.key
                )));
            }
            coded = key.map(|key| Signature { key, seq: code.seq, at: code.at.clone() });
        }
        (Some(_), None) => told.push(format!(
            "{place}: the signature in the sheet's code was not checked, because an export does not name its match: verify the record itself"
        )),
        (None, _) => {}
    }
    let mut signed = match beside.check(record, asked.by) {
        Err(Contradiction::Unsigned { .. }) if coded.is_some() => Vec::new(),
        checked => checked.map_err(refused)?,
    };
    if beside.are_foreign(record) {
        let file = shown(&heads::file_of(file));
        told.push(format!("{place}: {file} has signed heads, but none of this match"));
    }
    if let Some(DatesBack { key, first: (line, at), then: (later, earlier) }) =
        beside.dates_back(record, asked.by)
    {
        told.push(format!(
            "{place}: the dates of its signed heads go back: {key} signed up to line {line} on {at}, and up to line {later} on {earlier}; the computer's calendar was set back, or a date is not true"
        ));
    }
    signed.extend(
        coded.filter(|coded| !signed.iter().any(|other| other.key == coded.key && other.seq >= coded.seq)),
    );
    Ok(signed)
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
/// The digits of a whole head hash.
const WHOLE: usize = 64;

/// Verifies the structure of a journal, and the chosen match or, without a choice, all of its matches. Returns what was
/// verified of the last one, which is not printed yet.
fn of_journal(
    arguments: &Verifying,
    asked: &Asked,
    told: &mut Vec<String>,
) -> Result<(Verified, Vec<Signature>), ExitFailure> {
    let (name, unusable) = (shown(&arguments.file), |error: JournalError| ExitFailure::unusable(error));
    // Heads are signed after their lines are written, so those of an earlier moment fit.
    let beside = heads_beside(&arguments.file)?;
    // The pages are read before the file is opened: closing a file releases the locks on it.
    let found = journal::on_pages(&arguments.file);
    let reader = Journal::open_read(&arguments.file).map_err(unusable)?;
    reader.check_structure(&found).map_err(unusable)?;
    let matches = reader.matches().map_err(unusable)?;
    let last = choose(&arguments.file, matches.clone(), arguments.id.as_deref())?;
    let names = Arc::new(matches.iter().map(|info| info.uid.clone()).collect());
    let several = arguments.id.is_none() && matches.len() > 1;
    let checked = |info: &MatchInfo, asked: &Asked, place: &str, told: &mut Vec<String>| {
        let verified = of_match(&reader, info, asked.head.as_deref(), place, told)?;
        let compared = reader.compared_among(info, &names).map_err(unusable)?;
        let signed = signatures((&arguments.file, &beside), asked, &compared, place, told)?;
        let earlier = || matches.iter().take_while(|other| other.id != info.id);
        let unsigned = || facts::unsigned(info, &Keyring::usual(), &beside, earlier());
        told.extend(signed.is_empty().then(unsigned).flatten().map(|said| format!("{place}: {said}")));
        Ok::<_, ExitFailure>((verified, signed))
    };
    for info in matches.iter().filter(|info| several && info.id != last.id) {
        let place = format!("{name}: match {}", info.id);
        let earlier = Asked { head: None, code: None, by: asked.by };
        let (Verified { head, entries, .. }, signed) = checked(info, &earlier, &place, told)?;
        let mut text = format!("{place}: {entries} lines after the header verified; head {head}");
        for signature in &signed {
            let _ = write!(text, "\n{}", said(signature, entries));
        }
        told.push(text);
    }
    let place = if several { format!("{name}: match {}", last.id) } else { name.clone() };
    let found = checked(&last, asked, &place, told)?;
    if arguments.id.is_none() {
        let gone = beside.removed(&names, asked.by);
        gone.map_err(|why| ExitFailure::refused(format!("{name} {why}")))?;
    }
    Ok(found)
}

fn of_match(
    reader: &JournalReader,
    info: &MatchInfo,
    head: Option<&str>,
    place: &str,
    told: &mut Vec<String>,
) -> Result<Verified, ExitFailure> {
    let verified = reader.verify(info.id, head).map_err(ExitFailure::unusable)?;
    let verified = verified.map_err(|why| broken(&place, &why))?;
    // The hash chain does not cover the boxes, which contain hidden cards in encrypted form. So each box is decrypted,
    // which shows whether it is intact.
    let closed = evening::check_boxes(reader, info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
    match closed {
        Some(error @ KeyError::Box { .. }) => return Err(ExitFailure::refused(format!("{place}: {error}"))),
        Some(no_key) => told.push(format!("{place}: the sealed cards were not checked: {no_key}")),
        None => {}
    }
    let keys = Keyring::usual();
    let remarks = facts::remarks(reader, info, &keys).map_err(ExitFailure::unusable)?;
    told.extend(remarks.iter().map(|said| format!("{place}: {}", harmless(said))));
    #[cfg(feature = "event")]
    {
        let orders = orders::of_match(reader, info).map_err(ExitFailure::unusable)?;
        let orders = orders.map_err(|why| ExitFailure::refused(format!("{place}: {}", harmless(&why))))?;
        told.extend(orders.iter().map(|said| format!("{place}: {}", harmless(said))));
    }
    match facts::accusation(reader, info, &keys).map_err(ExitFailure::unusable)? {
        Some(said) => Err(ExitFailure::refused(format!("{place}: {said}"))),
        None => Ok(verified),
    }
}

fn of_lines(
    arguments: &Verifying,
    asked: &Asked,
    told: &mut Vec<String>,
) -> Result<(Verified, Vec<Signature>), ExitFailure> {
    let lines = Lines::of_text(&arguments.file, arguments.id.as_deref())?;
    let mut texts = Vec::new();
    for (number, line) in lines.numbered() {
        let line = line?;
        if !line.trim().is_empty() {
            texts.push((usize::try_from(number).unwrap_or(usize::MAX), line));
        }
    }
    let name = shown(&arguments.file);
    let mut facts = Vec::new();
    if let Some((number, text)) = texts.first() {
        let number = u32::try_from(*number).unwrap_or(u32::MAX);
        let header = Header::parse(text, GAMES).map_err(|error| lines.unusable(number, error))?;
        facts = facts::of_rulings(&header, &lines.rulings(&header));
    }
    let verified =
        chain::verify(texts.iter().copied(), asked.head.as_deref()).map_err(|why| broken(&name, &why))?;
    if lines.numbered().any(|(_, line)| line.is_ok_and(|line| json::may_have(line, "signs"))) {
        let replayed = files::replay(&lines, true);
        facts.extend(replayed.iter().flat_map(|replayed| facts::confirmations(&replayed.replay)));
    }
    told.extend(facts.iter().map(|fact| format!("{name}: {}", harmless(fact))));
    let mut heads: Vec<Head> = Vec::with_capacity(texts.len());
    let values: Vec<Value> = texts.iter().filter_map(|(_, text)| json::parse(text).ok()).collect();
    for value in &values {
        heads.push(heads.last().map_or_else(|| Head::of_header(value), |before| before.then(value)));
    }
    #[cfg(feature = "event")]
    if let Some(header) = values.first() {
        let uid = header.get("id").and_then(Value::as_str).unwrap_or_default();
        let lines: Vec<(u64, Value)> = (1..).zip(values.iter().cloned()).collect();
        let orders = orders::told(header, uid, &lines)
            .map_err(|why| ExitFailure::refused(format!("{name}: {}", harmless(&why))))?;
        told.extend(orders.iter().map(|said| format!("{name}: {}", harmless(said))));
    }
    let moment = values.last().and_then(|line| line.get("t")?.as_u64()).unwrap_or(0);
    let uid = values.first().and_then(|header| Some(header.get("id")?.as_str()?.to_owned()));
    let compared = Compared { uid, names: Arc::default(), heads, last_t: moment, moment: None };
    let beside = heads_beside(&arguments.file)?;
    let signed = signatures((&arguments.file, &beside), asked, &compared, &name, told)?;
    Ok((verified, signed))
}

#[cfg(all(test, feature = "event"))]
mod tests {
    use tabiya_store::journal::Store as _;

    use super::*;

    #[test]
    fn a_copy_that_was_removed_from_an_events_folder_is_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = |named: &[usize]| {
            let told = missing_forks(folder.path(), &named.iter().copied().collect());
            told.into_iter().map(|failure| failure.sentence).collect::<Vec<_>>()
        };
        assert!(missing(&[]).is_empty(), "no record has gone on in two ways");
        for number in [1, 2, 3] {
            let file = folder.path().join(format!("fork-{number}.tabiya"));
            Journal::create(&file).expect("a journal");
        }
        assert!(missing(&[1, 2, 3]).is_empty());
        std::fs::remove_file(folder.path().join("fork-1.tabiya")).expect("it is there");
        assert!(missing(&[]).iter().any(|said| said.contains("fork-1.tabiya")), "a gap");
        for number in [2, 3] {
            std::fs::remove_file(folder.path().join(format!("fork-{number}.tabiya"))).expect("it is there");
        }
        assert_eq!(missing(&[1, 2, 3]).len(), 3, "the last one and the only one, as the journal says");
        assert!(missing(&[]).is_empty(), "nothing tells of them");
        std::fs::write(folder.path().join("fork-2.heads"), "").expect("a disk");
        assert_eq!(missing(&[]).len(), 2, "its signed heads are left");
    }

    #[test]
    fn the_journal_of_another_event_is_not_this_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("event.tabiya");
        let mut journal = Journal::create(&file).expect("a journal");
        assert!(foreign_acts(&file, "34750f98bd59fcfc").is_some(), "it is empty");
        let header = r#"{"tabiya":1,"event":"34750f98bd59fcfc","name":"Open","start":"2026-11-29T12:00:00Z","id":"34750f98bd59fcfc"}"#;
        journal.begin_match(header).expect("a header");
        drop(journal);
        assert!(foreign_acts(&file, "34750f98bd59fcfc").is_none());
        assert!(foreign_acts(&file, "0000000000000000").is_some());
    }
}
