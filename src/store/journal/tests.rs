#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

use super::form::name;
use super::pretender::{FakeStore, StoreFaults};
use super::vault::{KeyError, MatchKey, Sealer};
use super::*;
use crate::notes::{RecordProgress, Seen};

const HEADER: &str = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;

/// A folder with a journal in it, open for writing.
fn evening() -> (TempDir, PathBuf, Journal) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening %3f.tabiya");
    let journal = Journal::create(&path).unwrap();
    (folder, path, journal)
}

fn tick(t: u64) -> NewEntry {
    NewEntry { t, line: format!(r#"{{"t":{t},"do":"tick"}}"#) }
}

fn ticks(times: std::ops::Range<u64>) -> Vec<NewEntry> {
    times.map(tick).collect()
}

/// The error as a sentence with its cause, without the folder's name.
fn said(error: &JournalError) -> String {
    let cause = error.source().filter(|_| matches!(error, JournalError::Refused { .. }));
    let text = cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
    match (text.find("/tmp"), text.find("evening")) {
        (Some(from), Some(to)) => text.replace(&text[from..to], ""),
        _ => text,
    }
}

#[test]
fn lines_come_back_as_they_were_written() {
    let (_folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let odd =
        NewEntry { t: 7, line: "{ \"t\":7,\r\n\"do\":\"tick\", \"x-b\":1.50,\"x-a\":\"é\"}".to_owned() };
    journal.append(id, &ticks(0..3)).unwrap();
    let head = journal.append(id, &[odd]).unwrap();
    journal.moment(id, 900).unwrap();
    journal.moment(id, 800).unwrap();
    journal.close().unwrap();

    let journal = Journal::open(&path).unwrap();
    let lines = journal.lines(id).unwrap();
    assert_eq!(lines[2], (2, r#"{"t":2,"do":"tick"}"#.to_owned()));
    assert_eq!(lines[3], (7, r#"{"t":7,"do":"tick","x-b":1.5,"x-a":"é"}"#.to_owned()));
    let info = &journal.matches().unwrap()[0];
    assert_eq!((info.entries, info.last_t, info.moment, info.head), (4, 7, Some(900), head));
    assert_eq!(journal.reader().verify(id, Some(&head.short())).unwrap().unwrap().entries, 4);
}

#[test]
fn lines_are_read_one_by_one_until_somebody_has_enough() {
    let (_folder, _, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..9)).unwrap();
    let mut read = Vec::new();
    let stopped = journal.reader().each_entry(id, |entry| {
        read.push(entry.seq);
        if entry.seq == 4 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((stopped.unwrap(), read), (Err("enough"), vec![1, 2, 3, 4]));
    let nowhere = journal.reader().each_entry::<()>(MatchId::new(7).unwrap(), |_| Ok(()));
    assert!(matches!(nowhere, Err(JournalError::NoMatch { .. })));
}

#[test]
fn closing_leaves_one_file() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..9)).unwrap();
    journal.close().unwrap();
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names, std::slice::from_ref(&path));
    // Opening the closed journal for reading creates no write-ahead log, although the head of the file says that the
    // file uses such a log.
    let reader = Journal::open_read(&path).unwrap();
    assert_eq!(reader.lines(id).unwrap().len(), 9);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_table_whose_record_was_moved_away_leaves_the_lock_of_the_next_table() {
    let (folder, path, journal) = evening();
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        fs::rename(entry.path(), elsewhere.join(entry.file_name())).unwrap();
    }
    let next = Journal::create(&path).unwrap();
    drop(journal);
    assert!(
        matches!(Journal::open(&path), Err(JournalError::Busy { .. })),
        "the next table has its lock still"
    );
    next.close().unwrap();
    assert!(!beside(&path, ".lock").exists(), "who has the lock removes it");
}

#[test]
fn drafts_of_a_program_that_was_ended_are_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let path = at("evening.tabiya");
    // The program was ended before it wrote, while it wrote, and after it gave the file its name.
    fs::write(at("evening.tabiya.77-1.new"), "").unwrap();
    write_empty(&at("evening.tabiya.77-2.new"), &path).unwrap();
    for ending in ["-wal", "-shm", "-journal"] {
        fs::write(at(&format!("evening.tabiya.4000000-3.new{ending}")), "x").unwrap();
    }
    let mut others = vec![
        "evening.tabiya.77-1.new2",
        "evening.tabiya.77-01.new",
        "evening.tabiya.77.new",
        "evening.tabiya.new",
        "evening.tabiya.77-1.newest",
        "evening-2.tabiya.77-1.new",
        "evening.tabiya.77-9.new",
    ];
    for other in &others {
        fs::write(at(other), "somebody's own").unwrap();
    }
    // A draft that has lines may be the only copy of a record that was removed.
    let mut saved = Journal::create(&at("saved")).unwrap();
    saved.begin_match(HEADER).unwrap();
    saved.close().unwrap();
    fs::rename(at("saved"), at("evening.tabiya.77-4.new")).unwrap();
    others.extend(["evening.tabiya.77-4.new", "evening.tabiya"]);

    Journal::create(&path).unwrap().close().unwrap();
    let names = || -> BTreeSet<String> {
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    };
    let others: BTreeSet<String> = others.into_iter().map(str::to_owned).collect();
    assert_eq!(names(), others);
    fs::write(at("evening.tabiya.78-1.new-wal"), "x").unwrap();
    Journal::open(&path).unwrap().close().unwrap();
    assert_eq!(names(), others);
}

#[test]
fn a_file_holds_an_evening_of_matches() {
    let (_folder, _, mut journal) = evening();
    let first = journal.begin_match(HEADER).unwrap();
    let second =
        journal.begin_match(r#"{"tabiya":1,"id":"round-1","start":"2026-01-02T20:00:00Z"}"#).unwrap();
    let (one, two) = (
        Batch { id: first, after: None, entries: ticks(5..8) },
        Batch { id: second, after: Some(0), entries: ticks(0..1) },
    );
    let heads = journal.append_all(&[one, two]);
    let infos = journal.matches().unwrap();
    assert_eq!(infos.iter().map(|info| info.entries).collect::<Vec<_>>(), [3, 1]);
    assert_eq!(
        infos.iter().map(|info| info.head).collect::<Vec<_>>(),
        heads.into_iter().map(Result::unwrap).collect::<Vec<_>>()
    );
    assert_eq!((infos[1].uid.as_str(), infos[1].begun.as_deref()), ("round-1", Some("2026-01-02T20:00:00Z")));
    assert_eq!(infos[0].uid.len(), 16);
    let twice = journal.begin_match(r#"{"tabiya":1,"id":"round-1"}"#).unwrap_err();
    assert_eq!(twice.source().unwrap().to_string(), "the file already has a match with the id round-1");
}

#[test]
fn what_was_recorded_cannot_be_changed_or_removed() {
    let (_folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..3)).unwrap();
    let other = Connection::open(&path).unwrap();
    for tampering in [
        "UPDATE entry SET t = 9 WHERE seq = 2",
        "DELETE FROM entry WHERE seq = 3",
        "INSERT OR REPLACE INTO entry SELECT id, \"match\", seq, 9, line, hash FROM entry WHERE seq = 2",
        "INSERT INTO entry SELECT id + 7, \"match\", seq + 7, 9, line, hash FROM entry WHERE seq = 2",
        "UPDATE \"match\" SET header = '{}'",
        "DELETE FROM \"match\"",
        "INSERT OR REPLACE INTO \"match\" SELECT id, uid, '{}', begun, hash FROM \"match\"",
    ] {
        let error = other.execute_batch(tampering).unwrap_err().to_string();
        assert!(error.contains("stays") || error.contains("after the last one"), "{tampering}: {error}");
    }
}

const ONE_KEY: MatchKey = MatchKey::from_bytes([5; 32]);

/// A key store that has the same key for every match.
#[derive(Debug)]
struct OneKey;

impl KeyStore for OneKey {
    fn find(&self, _: Head) -> Result<Option<MatchKey>, KeyError> {
        Ok(Some(ONE_KEY))
    }
    fn missing(&self, _: Head) -> KeyError {
        KeyError::Missing { file: "nowhere".to_owned() }
    }
    fn sealer(&self, _: Head) -> Result<Option<Sealer>, KeyError> {
        Ok(Some(Sealer::Shared([5; 32])))
    }
    fn make(&self, _: Head) -> Result<Sealer, KeyError> {
        Ok(Sealer::Shared([5; 32]))
    }
    fn seen(&self, _: &MatchName) -> Result<Option<Seen>, KeyError> {
        Ok(None)
    }
    fn note(&self, _: &MatchName, _: &Path, _: RecordProgress, _: bool) -> Result<(), KeyError> {
        Ok(())
    }
    fn go_on(&self, _: &MatchName, _: Head, _: RecordProgress, _: bool) -> Result<bool, KeyError> {
        Ok(true)
    }
}

#[test]
fn known_cards_are_sealed_on_the_way_in_and_no_file_shows_them() {
    let (folder, _, journal) = evening();
    let mut journal = journal.with_keys(OneKey);
    let id = journal.begin_match(HEADER).unwrap();
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"],"black":["?","N"]}}"#;
    let head = journal.append(id, &[NewEntry { t: 0, line: deal.to_owned() }]).unwrap();
    let found = journal.reader().verify(id, Some(&head.to_string())).unwrap().unwrap();
    assert_eq!((found.opened, found.sealed), (0, 3));
    for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        for face in [&b"\"Q\""[..], b"\"R\"", b"\"N\""] {
            assert!(!bytes.windows(face.len()).any(|part| part == face), "{:?}", file.file_name());
        }
    }
    let opened: Vec<Value> = journal
        .reader()
        .chained(id)
        .unwrap()
        .iter()
        .map(|line| vault::open(&json::parse(line).unwrap(), &ONE_KEY).unwrap())
        .collect();
    assert_eq!(opened[1]["cards"], json::parse(deal).unwrap()["cards"]);
    let hidden: Vec<String> =
        opened.iter().map(|line| chain::redact(line, &chain::ShownCards::default()).to_string()).collect();
    assert!(!hidden[1].contains("\"Q\""));
    let found =
        chain::verify(hidden.iter().map(String::as_str).enumerate(), Some(&head.to_string())).unwrap();
    assert_eq!((found.opened, found.sealed), (0, 3));
    // An exported match can be added to another journal and keeps its head hash.
    let (_folder, _, mut other) = evening();
    let id = other.begin_match(&hidden[0]).unwrap();
    assert_eq!(other.append(id, &[NewEntry { t: 0, line: hidden[1].clone() }]).unwrap(), head);
}

#[test]
fn a_rescued_record_keeps_its_boxes_and_the_name_of_their_key() {
    let (folder, path, journal) = evening();
    let mut journal = journal.with_keys(OneKey);
    let id = journal.begin_match(HEADER).unwrap();
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"]}}"#;
    journal.append(id, &[NewEntry { t: 0, line: deal.to_owned() }]).unwrap();
    let begins = journal.matches().unwrap()[0].begins;
    journal.close().unwrap();
    let out = folder.path().join("rescued.tabiya");
    assert!(rescue(&[&path], &out).unwrap().is_whole());
    let reader = Journal::open_read(&out).unwrap();
    let info = reader.matches().unwrap().remove(0);
    assert_eq!(info.begins, begins);
    let line = reader.lines(info.id).unwrap().remove(0).1;
    let opened = vault::open(&json::parse(&line).unwrap(), &ONE_KEY).unwrap();
    assert_eq!(opened["cards"], json::parse(deal).unwrap()["cards"]);
}

#[test]
fn a_line_whose_column_is_damaged_is_saved_with_its_own_moment() {
    let (folder, path, _) = long_evening();
    without_trigger(&path, "entry_stays", "UPDATE entry SET t = 999999 WHERE seq = 41");
    let out = folder.path().join("rescued.tabiya");
    let head = |path: &Path| Journal::open_read(path).unwrap().matches().unwrap()[0].head;
    assert!(rescue(&[&path], &out).unwrap().is_whole());
    assert_eq!(head(&out), head(&path), "the text and the hash were intact");
}

#[test]
fn of_two_boxes_of_one_deal_none_is_called_whole() {
    let (folder, path, journal) = evening();
    let mut journal = journal.with_keys(OneKey);
    let id = journal.begin_match(HEADER).unwrap();
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"]}}"#;
    journal.append(id, &[NewEntry { t: 0, line: deal.to_owned() }]).unwrap();
    journal.close().unwrap();
    let copy = folder.path().join("copy.tabiya");
    fs::copy(&path, &copy).unwrap();
    let other = "UPDATE entry SET line = replace(line, '\"x-sealed\":\"', '\"x-sealed\":\"00')";
    without_trigger(&copy, "entry_stays", other);
    let out = |name: &str| folder.path().join(name);
    assert!(rescue(&[&path, &path], &out("same.tabiya")).unwrap().is_whole());
    let rescued = rescue(&[&path, &copy], &out("both.tabiya")).unwrap();
    assert_eq!((rescued.is_whole(), rescued.matches[0].changed), (false, 1));
}

#[test]
fn without_a_place_for_keys_known_cards_are_not_taken() {
    let (_folder, _, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let deal = |cards: &str| NewEntry { t: 0, line: format!(r#"{{"t":0,"do":"deal","cards":{cards}}}"#) };
    let error = journal.append(id, &[deal(r#"{"white":["Q","R"]}"#)]).unwrap_err();
    assert!(matches!(error, JournalError::NoKeys), "{error}");
    journal.append(id, &[deal(r#"{"white":["?","?"]}"#)]).unwrap();
}

#[test]
fn a_refused_line_takes_its_batch_with_it_and_no_other() {
    let (_folder, _, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(5..6)).unwrap();
    let entry = |t, line: &str| NewEntry { t, line: line.to_owned() };
    for (bad, why) in [
        (entry(6, r#"{"t":6"#), "column 6: EOF while parsing an object"),
        (entry(6, "6"), "a line must be a JSON object"),
        (entry(6, r#"{"t":7}"#), "the `t` in the line is not 6 ms"),
        (entry(6, r#"{"do":"tick"}"#), "the `t` in the line is not 6 ms"),
        (entry(4, r#"{"t":4}"#), "4 ms is before the last line, which is at 6 ms"),
        (
            entry(1 << 60, r#"{"t":1152921504606846976}"#),
            "1152921504606846976 ms is later than a record allows",
        ),
        (entry(6, r#"{"t":6,"x-hash":"00"}"#), "the line's x-hash does not follow from the lines before it"),
        (
            entry(6, r#"{"t":6,"do":"deal","x-seals":7}"#),
            "the list of seals does not fit the list of cards, or a seal is malformed",
        ),
    ] {
        let good = Batch { id, after: None, entries: ticks(6..7) };
        let bad = Batch { id, after: None, entries: vec![tick(6), bad] };
        let before = journal.matches().unwrap()[0].entries;
        let answers = journal.append_all(&[good.clone(), bad, good]);
        assert!(answers[0].is_ok() && answers[2].is_ok());
        let error = answers[1].as_ref().unwrap_err();
        assert_eq!(said(error), format!("line 2 of the lines to be added was refused: {why}"));
        assert_eq!(journal.matches().unwrap()[0].entries, before + 2);
    }
    let late =
        journal.append_all(&[Batch { id, after: Some(16), entries: ticks(9..10) }]).remove(0).unwrap_err();
    assert_eq!(
        late.source().unwrap().to_string(),
        "16 lines should come before this line, but the match has 17"
    );
    let nowhere = journal.append(MatchId::new(9).unwrap(), &[]).unwrap_err();
    assert_eq!(said(&nowhere), "evening %3f.tabiya has no match 9; choose another match");
    assert!(journal.begin_match("{}").is_err());
}

#[test]
fn a_second_writer_is_told_who_goes_on_and_a_reader_may_read() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..2)).unwrap();
    let reader = Journal::open_read(&path).unwrap();
    journal.append(id, &ticks(2..4)).unwrap();
    assert_eq!(reader.lines(id).unwrap().len(), 4);
    let process = std::process::id();
    let sentence = format!(
        "evening %3f.tabiya is being written by another program (process {process}); close the file there, or open it for reading only"
    );
    assert_eq!(said(&Journal::open(&path).unwrap_err()), sentence);
    #[cfg(unix)]
    {
        let alias = folder.path().join("evening2");
        std::os::unix::fs::symlink(&path, &alias).unwrap();
        assert!(matches!(Journal::open(&alias), Err(JournalError::Busy { .. })));
    }
    drop(folder);
    // The lines have no place any more, and closing says so.
    assert!(journal.close().is_err());
}

#[test]
fn a_lock_that_a_dead_process_left_means_nothing() {
    let (_folder, path, journal) = evening();
    drop(journal);
    fs::write(beside(&path, ".lock"), "4000000").unwrap();
    assert!(Journal::open(&path).is_ok());
    assert!(!beside(&path, ".lock").exists());
}

#[test]
fn files_that_are_no_journals_get_a_sentence() {
    let (folder, path, journal) = evening();
    journal.close().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("evening.jsonl"), HEADER).unwrap();
    fs::write(file("evening.empty"), "").unwrap();
    Connection::open(file("evening.other")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    fs::copy(&path, file("evening.newer")).unwrap();
    Connection::open(file("evening.newer")).unwrap().pragma_update(None, "user_version", 2).unwrap();
    assert_eq!(sniff(&file("evening.jsonl")).unwrap(), FileKind::Lines);
    assert_eq!(sniff(&path).unwrap(), FileKind::Journal);
    for (name, sentence) in [
        ("evening.jsonl", "evening.jsonl is not a Tabiya record; choose another file"),
        ("evening.empty", "evening.empty is not a Tabiya record; choose another file"),
        ("evening.other", "evening.other is not a Tabiya record; choose another file"),
        (
            "evening.newer",
            "evening.newer was written by a newer version of Tabiya (the file has format 2, this version reads format 1); update the program to open it",
        ),
        ("evening.none", "evening.none does not exist; check the name"),
    ] {
        assert_eq!(said(&Journal::open(&file(name)).unwrap_err()), sentence);
        assert_eq!(said(&Journal::open_read(&file(name)).unwrap_err()), sentence);
        assert!(!file(&format!("{name}.lock")).exists());
    }
    let there = Journal::create(&path).unwrap_err();
    assert_eq!(
        said(&there),
        "evening %3f.tabiya already exists; open this record to continue it, or choose another name"
    );
}

#[test]
fn a_full_disk_is_named_where_sqlite_has_only_a_number_for_it() {
    // SQLITE_IOERR_SHMSIZE: the index of the log has no room. People were told "Error code 4874".
    let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(4874), None);
    let full = JournalError::sqlite(Path::new("evening.tabiya"), error);
    assert!(matches!(full, JournalError::Full { .. }), "{full}");
    // SQLITE_IOERR_READ says nothing about room.
    let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(266), None);
    assert!(!matches!(JournalError::sqlite(Path::new("evening.tabiya"), error), JournalError::Full { .. }));
}

/// SQLite's own limit on the number of pages simulates a full disk. At this limit SQLite fails in the same call and
/// with the same error code as on a full disk.
#[test]
fn on_a_full_disk_nothing_is_taken_and_trying_again_works() {
    let (_folder, _, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..5)).unwrap();
    let pages: i64 = journal.reader.conn.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let limit = |journal: &Journal, pages: i64| {
        journal.reader.conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).unwrap();
    };
    limit(&journal, pages + 1);
    let many = ticks(5..500);
    let full = journal.append(id, &many).unwrap_err();
    assert_eq!(
        said(&full),
        "the disk of evening %3f.tabiya is full and nothing was added; make room, then try again"
    );
    assert_eq!(journal.lines(id).unwrap().len(), 5);
    limit(&journal, 1_000_000);
    let head = journal.append(id, &many).unwrap();
    assert_eq!(journal.reader().verify(id, Some(&head.to_string())).unwrap().unwrap().entries, 500);
}

/// Tests may run as root, who may write to any folder or file. Therefore `/proc` serves as a folder that is not
/// writable, and SQLite's `query_only` makes a file not writable.
#[test]
fn what_may_not_be_written_gets_a_sentence() {
    let (_folder, _, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.reader.conn.pragma_update(None, "query_only", true).unwrap();
    let sentence =
        "evening %3f.tabiya is not writable; get permission to write there, or choose another folder";
    assert_eq!(said(&journal.append(id, &ticks(0..1)).unwrap_err()), sentence);
    assert_eq!(said(&journal.moment(id, 1).unwrap_err()), sentence);
    if cfg!(target_os = "linux") {
        let error = Journal::create(Path::new("/proc/evening.tabiya")).unwrap_err();
        assert!(matches!(error, JournalError::Missing { .. } | JournalError::ReadOnly { .. }), "{error:?}");
    }
}

#[test]
fn other_programs_that_hold_the_file_are_waited_for_and_told() {
    let (_folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    journal.reader.conn.busy_timeout(Duration::from_millis(5)).unwrap();
    let busy = journal.append(id, &ticks(0..2)).unwrap_err();
    assert!(matches!(busy, JournalError::Busy { process: None, .. }));
    other.execute_batch("COMMIT").unwrap();
    assert!(journal.append(id, &ticks(0..2)).is_ok());
}

/// A closed journal of 600 lines, one of them longer than a page.
fn long_evening() -> (TempDir, PathBuf, MatchId) {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let long =
        NewEntry { t: 300, line: format!(r#"{{"t":300,"do":"tick","x-long":"{}"}}"#, "é".repeat(6_000)) };
    journal.append(id, &ticks(0..300)).unwrap();
    journal.append(id, &[long]).unwrap();
    journal.append(id, &ticks(301..600)).unwrap();
    journal.close().unwrap();
    (folder, path, id)
}

fn overwrite(path: &Path, at: usize, with: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at..at + with.len()].copy_from_slice(with);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_file_is_told_and_the_rest_of_it_can_be_read() {
    let (_folder, path, id) = long_evening();
    assert_eq!(salvage(&path).unwrap().matches[0].lines.iter().filter(|line| line.fits).count(), 600);
    // The third leaf page, found by a line that it contains.
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(19).position(|text| text == br#"{"t":100,"do":"tick"#).unwrap();
    overwrite(&path, at / 4096 * 4096, &[0xa5; 4096]);
    let sentence = "evening %3f.tabiya is damaged; leave it as it is, and save what can be read into a new file with `tabiya salvage`";
    assert_eq!(said(&Journal::open(&path).unwrap_err()), sentence);
    assert_eq!(said(&Journal::open_read(&path).unwrap().lines(id).unwrap_err()), sentence);

    let saved = salvage(&path).unwrap();
    let found = &saved.matches[0];
    assert!(saved.lost > 10 && saved.lost < 100, "{}", saved.lost);
    assert_eq!(found.lines.len() as u64 + saved.lost, 600);
    assert_eq!(found.header.as_deref(), Some(HEADER));
    assert_eq!(found.lines.iter().filter(|line| !line.fits).count(), 1, "the one after the gap");
    assert!(found.lines.iter().any(|line| line.line.len() > 12_000));
}

#[test]
fn a_file_without_its_head_can_be_salvaged() {
    let (_folder, path, _) = long_evening();
    overwrite(&path, 0, &[0; 4096]);
    assert!(matches!(Journal::open(&path), Err(JournalError::NotARecord { .. })));
    assert_eq!(salvage(&path).unwrap().matches[0].lines.len(), 600);
    fs::write(&path, [7; 9000]).unwrap();
    assert!(matches!(salvage(&path), Err(JournalError::NotARecord { .. })));
}

#[test]
fn a_changed_letter_breaks_the_chain_where_it_stands() {
    let (_folder, path, id) = long_evening();
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(19).position(|text| text == br#"{"t":100,"do":"tick"#).unwrap();
    overwrite(&path, at + 15, b"T");
    let reader = Journal::open_read(&path).unwrap();
    let broken = reader.verify(id, None).unwrap().unwrap_err();
    assert_eq!(broken.to_string(), "line 102 was changed, or a line before it was removed or added");
    drop(reader);
    let salvaged = salvage(&path).unwrap().matches.remove(0).lines.remove(100);
    assert_eq!((salvaged.line.as_str(), salvaged.fits), (r#"{"t":100,"do":"tick"}"#, true), "put right");
    overwrite(&path, at + 15, b"TOCK");
    assert!(!salvage(&path).unwrap().matches[0].lines[100].fits);
}

/// Changes a file as somebody would who knows SQLite: takes the trigger away, makes the change, and puts it back.
fn without_trigger(path: &Path, trigger: &str, change: &str) {
    let conn = Connection::open(path).unwrap();
    let made: String =
        conn.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [trigger], |row| row.get(0)).unwrap();
    conn.execute_batch(&format!("DROP TRIGGER {trigger}; {change}; {made};")).unwrap();
}

#[test]
fn a_moment_that_is_not_the_lines_own_is_noticed() {
    let (_folder, path, id) = long_evening();
    without_trigger(&path, "entry_stays", "UPDATE entry SET t = 41 WHERE seq = 41");
    let broken = Journal::open_read(&path).unwrap().verify(id, None).unwrap().unwrap_err();
    assert_eq!(broken.to_string(), "line 42 was changed, or a line before it was removed or added");
}

#[test]
fn a_copy_of_a_file_that_was_not_closed_can_be_read_without_touching_it() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..30)).unwrap();
    let copy = folder.path().join("evening2.tabiya");
    fs::copy(&path, &copy).unwrap();
    fs::copy(beside(&path, "-wal"), beside(&copy, "-wal")).unwrap();
    assert_eq!(salvage(&copy).unwrap().matches[0].lines.len(), 30);
    let before = (fs::read(&copy).unwrap(), fs::read(beside(&copy, "-wal")).unwrap());
    let reader = Journal::open_read(&copy).unwrap();
    assert_eq!(reader.lines(id).unwrap().len(), 30);
    drop(reader);
    assert_eq!(before, (fs::read(&copy).unwrap(), fs::read(beside(&copy, "-wal")).unwrap()));
    // Opening the copy for writing merges its log.
    let mut copied = Journal::open(&copy).unwrap();
    copied.append(id, &ticks(30..31)).unwrap();
    copied.close().unwrap();
    assert!(!beside(&copy, "-wal").exists());
}

// --- The writer ---

fn batch(id: MatchId, times: std::ops::Range<u64>) -> Batch {
    Batch { id, after: None, entries: ticks(times) }
}

#[test]
fn what_arrives_while_a_commit_runs_goes_into_the_next_one() {
    let pretender = FakeStore::new(StoreFaults::default());
    let disk = pretender.disk();
    let writer = JournalWriter::start(pretender);
    let id = writer.begin_match(HEADER).unwrap();
    // The first commit is delayed until 50 more batches of lines wait to be written.
    let held = disk.lock().unwrap();
    writer.submit(batch(id, 0..1));
    let tickets: Vec<_> = (1..51).map(|t| writer.submit(batch(id, t..t + 1))).collect();
    let moments = [writer.moment(id, 60), writer.moment(id, 70)];
    drop(held);
    for ticket in tickets {
        ticket.wait().unwrap();
    }
    for moment in moments {
        moment.wait().unwrap();
    }
    let store = writer.stop().unwrap();
    assert_eq!(store.read(id).unwrap().len(), 51);
    let commits = disk.lock().unwrap().commits;
    assert!(commits <= 5, "{commits} commits");
}

#[test]
fn a_failed_commit_is_told_to_everyone_in_it_and_can_be_tried_again() {
    let writer =
        JournalWriter::start(FakeStore::new(StoreFaults { full_at: Some(2), ..StoreFaults::default() }));
    let id = writer.begin_match(HEADER).unwrap();
    let full = writer.append_wait(batch(id, 0..3)).unwrap_err();
    assert!(matches!(full, JournalError::Full { .. }));
    writer.append_wait(batch(id, 0..3)).unwrap();
    let out_of_place = Batch { after: Some(9), ..batch(id, 3..4) };
    drop(writer.submit(out_of_place));
    assert_eq!(writer.stop().unwrap().read(id).unwrap().len(), 3);
}

#[test]
fn a_writer_brings_the_journal_back() {
    let (_folder, path, journal) = evening();
    let writer = JournalWriter::start(journal);
    let id = writer.begin_match(HEADER).unwrap();
    let tickets: Vec<_> = (0..40).map(|t| writer.submit(batch(id, t..t + 1))).collect();
    let heads: Vec<Head> = tickets.into_iter().map(|ticket| ticket.wait().unwrap()).collect();
    writer.stop().unwrap().close().unwrap();
    let reader = Journal::open_read(&path).unwrap();
    let stored: Vec<Head> = reader.entries(id).unwrap().into_iter().map(|entry| entry.head).collect();
    assert_eq!(stored, heads);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_was_acknowledged_survives_a_power_cut(dies_at in 2_usize..12, sizes in proptest::collection::vec(1_u64..4, 1..12)) {
        let pretender = FakeStore::new(StoreFaults { dies_at: Some(dies_at), ..StoreFaults::default() });
        let disk = pretender.disk();
        let writer = JournalWriter::start(pretender);
        let id = writer.begin_match(HEADER).unwrap();
        let mut acknowledged = 0;
        for size in sizes {
            match writer.append_wait(batch(id, acknowledged..acknowledged + size)) {
                Ok(_) => acknowledged += size,
                Err(error) => prop_assert!(matches!(error, JournalError::Closed)),
            }
        }
        drop(writer);
        let after = FakeStore::after_power_cut(&disk);
        prop_assert_eq!(after.read(id).unwrap().len() as u64, acknowledged);
    }

    /// After damage at any place, salvaging does not panic and returns only lines.
    #[test]
    fn salvage_takes_any_bytes(at in 0_usize..20_000, noise in proptest::collection::vec(any::<u8>(), 1..200)) {
        thread_local! { static WHOLE: (TempDir, Vec<u8>) = {
            let (folder, path, _) = long_evening();
            let bytes = fs::read(path).unwrap();
            (folder, bytes)
        } }
        WHOLE.with(|(folder, whole)| {
            let path = folder.path().join("noise");
            let mut bytes = whole.clone();
            let at = at % (bytes.len() - noise.len());
            bytes[at..at + noise.len()].copy_from_slice(&noise);
            salvage_law(&bytes);
            fs::write(&path, bytes).unwrap();
            let saved = salvage(&path);
            assert!(saved.is_ok_and(|saved| saved.matches.iter().map(|one| one.lines.len()).sum::<usize>() > 300));
        });
    }
}

/// A journal with lines in its log, as a crash leaves it, and the log's bytes.
fn unclosed() -> (TempDir, PathBuf, Vec<u8>) {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    for t in 0..40 {
        journal.append(id, &ticks(t..t + 1)).unwrap();
    }
    let copy = folder.path().join("copy.tabiya");
    fs::copy(&path, &copy).unwrap();
    let log = fs::read(beside(&path, "-wal")).unwrap();
    fs::write(beside(&copy, "-wal"), &log).unwrap();
    (folder, copy, log)
}

#[test]
fn a_log_whose_last_frame_a_power_cut_tore_is_whole_and_any_other_damage_is_told() {
    let (_folder, path, log) = unclosed();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = log.clone();
        change(&mut changed);
        fs::write(beside(&path, "-wal"), changed).unwrap();
        let _ = fs::remove_file(beside(&path, "-shm"));
        verified(&path).map(|matches| matches.first().map_or(0, |(_, entries)| entries.len()))
    };
    let frame = 24 + 4096;
    assert_eq!(with(&|_| ()).unwrap(), 40);
    let last = log.len() - frame;
    assert_eq!(with(&|log| log[last + 24..last + 24 + 512].fill(0)).unwrap(), 39, "a torn last frame");
    assert_eq!(with(&|log| log.truncate(last + 700)).unwrap(), 39, "a cut last frame");
    assert_eq!(with(&|log| log.extend([0; 9_000])).unwrap(), 40, "zeros at the end");
    let before = last - frame;
    assert!(
        with(&|log| log[before + 24..before + 24 + 512].fill(0)).is_err(),
        "a synced frame lost a sector"
    );
    for (at, bit) in
        [(last + 1, 2), (last + 7, 0), (last + 10, 3), (last + 18, 6), (last + 24, 4), (last + 4_000, 7)]
    {
        assert!(
            with(&|log| log[at] ^= 1 << bit).is_err(),
            "bit {bit} of byte {} of the last frame",
            at - last
        );
    }
    for at in 0..32 {
        let changed = with(&|log| log[at] ^= 4);
        assert!(changed.is_err() || changed.is_ok_and(|lines| lines == 40), "byte {at} of the head");
    }
}

/// A cut that keeps the last transaction's later frames and drops its first one leaves an older log's frame in that place.
#[test]
fn a_frame_of_an_older_log_in_the_transaction_that_a_power_cut_tore_is_no_damage() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..1)).unwrap();
    journal.append(id, &ticks(1..2)).unwrap();
    let synced = fs::read(beside(&path, "-wal")).unwrap().len();
    // Too many lines for one page.
    journal.append(id, &ticks(2..200)).unwrap();
    let copy = folder.path().join("copy.tabiya");
    fs::copy(&path, &copy).unwrap();
    let lines_with_an_older_frame = |at: usize| {
        let mut log = fs::read(beside(&path, "-wal")).unwrap();
        assert!(log.len() > synced + 2 * (24 + 4096), "a transaction of several frames");
        // The frame commits the 37 pages of then.
        log[at + 4..at + 8].copy_from_slice(&37_u32.to_be_bytes());
        log[at + 8..at + 24].copy_from_slice(b"other salts, sum");
        fs::write(beside(&copy, "-wal"), log).unwrap();
        let _ = fs::remove_file(beside(&copy, "-shm"));
        verified(&copy).map(|matches| matches.first().map_or(0, |(_, entries)| entries.len()))
    };
    assert_eq!(lines_with_an_older_frame(synced).unwrap(), 2);
    // The lines before were synced, so no power cut leaves such a frame there.
    assert!(lines_with_an_older_frame(synced - 2 * (24 + 4096)).is_err());
}

// ---- finding 1: a file that is removed or replaced while it is open ----

/// What an attacker does to the files of a journal while it is open.
#[cfg(unix)]
type Attack = (&'static str, fn(&Path));

#[cfg(unix)]
const ATTACKS: [Attack; 4] = [
    ("all files are removed", |path| {
        for ending in ["", "-wal", "-shm"] {
            fs::remove_file(beside(path, ending)).unwrap();
        }
    }),
    ("only the log is removed", |path| fs::remove_file(beside(path, "-wal")).unwrap()),
    ("another file takes the name", |path| {
        let other = beside(path, "-other");
        fs::write(&other, "not a record").unwrap();
        fs::rename(other, path).unwrap();
    }),
    ("it gets another name", |path| fs::rename(path, beside(path, "-away")).unwrap()),
];

#[cfg(unix)]
#[test]
fn a_record_that_is_removed_or_replaced_goes_on_in_a_new_file() {
    for (what, attack) in ATTACKS {
        let (folder, path, mut journal) = evening();
        let id = journal.begin_match(HEADER).unwrap();
        journal.append(id, &ticks(0..40)).unwrap();
        attack(&path);
        let told = journal.append(id, &ticks(40..41)).unwrap_err();
        let new = folder.path().join("evening %3f-2.tabiya");
        assert!(matches!(&told, JournalError::Moved { new: moved, .. } if *moved == new), "{what}: {told}");
        journal.append(id, &ticks(40..41)).unwrap();
        journal.moment(id, 50).unwrap();
        assert_eq!(journal.path(), new, "{what}");
        let away = beside(&path, "-away");
        if away.exists() {
            let last = Journal::open_read(&away).unwrap().lines(id).unwrap().pop().unwrap().1;
            assert!(last.contains(r#""x-goes-on":"evening %3f-2.tabiya""#), "{what}: {last}");
            assert_eq!(left_log(&path), None, "{what}: its log is merged into it");
        }
        // What was acknowledged is there even if the program is killed now.
        let reader = Journal::open_read(&new).unwrap();
        assert_eq!(reader.lines(id).unwrap().len(), 41, "{what}");
        reader.verify(id, None).unwrap().unwrap();
        drop(reader);
        journal.close().unwrap();
        assert_eq!(Journal::open(&new).unwrap().lines(id).unwrap().len(), 41, "{what}");
    }
}

/// Whether this process has SQLite's shared lock on the file, by the system's own list of locks.
#[cfg(target_os = "linux")]
fn has_shared_lock(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const SHARED_FIRST: &str = "1073741826";
    let (own, inode) = (std::process::id().to_string(), format!(":{}", fs::metadata(path).unwrap().ino()));
    let locks = fs::read_to_string("/proc/locks").unwrap();
    locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).any(|words| {
        words.get(1) == Some(&"POSIX")
            && words.contains(&own.as_str())
            && words.iter().any(|word| word.ends_with(&inode))
            && words.contains(&SHARED_FIRST)
    })
}

/// A program that loses this lock looks as if it had gone: another one then deletes the log under it.
#[cfg(target_os = "linux")]
#[test]
fn whoever_looks_at_an_open_record_in_this_process_leaves_its_lock_alone() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    assert!(has_shared_lock(&path), "after the start");
    for start in (0..3_600).step_by(30) {
        journal.append(id, &ticks(start..start + 30)).unwrap();
        journal.moment(id, start).unwrap();
    }
    assert!(has_shared_lock(&path), "after 3,600 lines, of which each hundred was merged into the file");
    assert_eq!(sniff(&path).unwrap(), FileKind::Journal);
    assert!(has_shared_lock(&path), "after a look at its kind");
    assert!(crate::files::may_write(&path, &[]).is_err());
    assert!(has_shared_lock(&path), "after somebody wanted to export over it");
    assert!(matches!(salvage(&path), Err(JournalError::Busy { .. })));
    let seen = crate::evening::read_evening(folder.path(), &path);
    assert_eq!(seen.matches.len(), 1, "{seen:?}");
    drop(Journal::open_read(&path).unwrap());
    assert!(has_shared_lock(&path), "after the evening was listed");
    journal.close().unwrap();
    assert_eq!(sniff(&path).unwrap(), FileKind::Journal);
}

/// What any SQLite program does when it opens a record to read or to look after it.
#[cfg(unix)]
const VISITS: [(&str, &str); 4] = [
    ("reads", "SELECT count(*) FROM entry"),
    ("locks and lets go", "BEGIN IMMEDIATE; ROLLBACK"),
    ("merges the log", "PRAGMA wal_checkpoint(PASSIVE)"),
    ("merges the log and empties it", "PRAGMA wal_checkpoint(TRUNCATE)"),
];

#[cfg(unix)]
#[test]
fn another_program_that_opens_reads_and_merges_does_not_move_the_record() {
    for (what, sql) in VISITS {
        let (_folder, path, mut journal) = evening();
        let id = journal.begin_match(HEADER).unwrap();
        for nth in 0..20 {
            journal.append(id, &ticks(nth * 10..nth * 10 + 10)).unwrap();
            let visitor = Connection::open(&path).unwrap();
            visitor.execute_batch(sql).unwrap();
            visitor.close().unwrap();
        }
        assert_eq!(journal.path(), path, "{what}");
        journal.close().unwrap();
        let reader = Journal::open_read(&path).unwrap();
        assert_eq!(reader.verify(id, None).unwrap().unwrap().entries, 200, "{what}");
    }
}

#[cfg(unix)]
#[test]
fn a_record_that_is_removed_before_it_is_closed_is_saved() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..40)).unwrap();
    ATTACKS[0].1(&path);
    let told = journal.close().unwrap_err();
    assert!(matches!(told, JournalError::Moved { .. }), "{told}");
    let new = folder.path().join("evening %3f-2.tabiya");
    let lines = Journal::open(&new).unwrap().lines(id).unwrap();
    assert!(lines.len() == 41 && lines[40].1.contains("x-continues"), "{lines:?}");
}

#[cfg(unix)]
#[test]
fn a_record_with_two_names_is_not_opened_for_writing() {
    let (folder, path, mut journal) = evening();
    journal.begin_match(HEADER).unwrap();
    let second = folder.path().join("second.tabiya");
    fs::hard_link(&path, &second).unwrap();
    let told = Journal::open(&second).unwrap_err();
    assert!(matches!(told, JournalError::TwoNames { .. }), "{told}");
    fs::remove_file(&second).unwrap();
    journal.append(MatchId::new(1).unwrap(), &ticks(0..1)).unwrap();
}

/// What a kill leaves behind: the file, and the log with all lines.
fn killed_beside(name: &str, folder: &Path) -> PathBuf {
    let path = folder.join(name);
    let mut journal = Journal::create(&path).unwrap();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..9)).unwrap();
    let log = fs::read(beside(&path, "-wal")).unwrap();
    let file = fs::read(&path).unwrap();
    drop(journal);
    fs::write(&path, file).unwrap();
    fs::write(beside(&path, "-wal"), log).unwrap();
    path
}

#[test]
fn a_new_record_is_not_made_beside_the_log_of_one_that_was_removed() {
    for part in ["-wal", "-shm", "-journal"] {
        let folder = tempfile::tempdir().unwrap();
        let path = killed_beside("evening.tabiya", folder.path());
        let other = killed_beside("other.tabiya", folder.path());
        fs::remove_file(&path).unwrap();
        let left = beside(&path, part);
        if part != "-wal" {
            fs::rename(beside(&path, "-wal"), &left).unwrap();
        }
        let bytes = fs::read(&left).unwrap();
        for told in [Journal::create(&path).map(drop), rescue(&[&other], &path).map(drop)] {
            let told = told.unwrap_err().to_string();
            assert!(told.contains(&name(&left)) && told.contains("choose another name"), "{told}");
        }
        assert!(!path.exists(), "{part}: nothing was made");
        assert_eq!(fs::read(&left).unwrap(), bytes, "{part}: what was left stays");
        // Beside its record it is read again.
        if part == "-wal" {
            Journal::create(&folder.path().join("empty.tabiya")).unwrap().close().unwrap();
            fs::rename(folder.path().join("empty.tabiya"), &path).unwrap();
            assert_eq!(Journal::open(&path).unwrap().matches().unwrap()[0].entries, 9);
        }
    }
}

#[test]
fn a_record_that_was_emptied_keeps_its_log_and_is_saved_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = killed_beside("evening.tabiya", folder.path());
    fs::write(&path, "").unwrap();
    let log = fs::read(beside(&path, "-wal")).unwrap();
    for told in [Journal::open(&path).map(drop), Journal::open_read(&path).map(drop)] {
        assert!(matches!(told, Err(JournalError::Damaged { .. })), "{told:?}");
        assert_eq!(fs::read(beside(&path, "-wal")).unwrap(), log);
    }
    let saved = rescue(&[&path], &folder.path().join("saved.tabiya")).unwrap();
    assert_eq!(saved.matches[0].lines, 9);
}

#[test]
fn what_is_wrong_counts_only_if_nothing_was_written_while_it_was_looked_at() {
    let (_folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    // Found wrong while lines come, and not any more.
    let mut looks = 0;
    let found = settled(&path, || {
        looks += 1;
        journal.append(id, &[tick(looks)]).unwrap();
        if looks < 9 { Err("torn") } else { Ok(looks) }
    });
    assert_eq!(found, Ok(9));
    // Wrong in a file that stays as it is: told after one more look, or after one if there is no log.
    let mut looks = 0;
    assert_eq!(
        settled(&path, || Err::<(), _>({
            looks += 1;
            looks
        })),
        Err(2)
    );
    journal.close().unwrap();
    let mut looks = 0;
    assert_eq!(
        settled(&path, || Err::<(), _>({
            looks += 1;
            looks
        })),
        Err(1)
    );
}

// ---- finding 3: damage that SQLite's quick check does not notice ----

/// Everything that a file says, if its verification passes.
fn verified(path: &Path) -> Result<Vec<(MatchInfo, Vec<JournalEntry>)>, JournalError> {
    let found = on_pages(path);
    let reader = Journal::open_read(path)?;
    reader.check_structure(&found)?;
    let read = |info: MatchInfo| {
        reader.verify(info.id, None)?.map_err(|_| JournalError::Damaged { path: path.to_owned() })?;
        let entries = reader.entries(info.id)?;
        Ok((info, entries))
    };
    reader.matches()?.into_iter().map(read).collect()
}

#[test]
fn lines_that_a_table_is_still_syncing_are_not_lines_that_are_missing() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    journal.append(id, &ticks(0..3)).unwrap();
    let copy = folder.path().join("copy.tabiya");
    let copied = |ending: &str| {
        let content = fs::read(beside(&path, ending)).unwrap();
        fs::write(beside(&copy, ending), content).unwrap();
    };
    // The index of the log is written after the log was synced, which may take long.
    copied("");
    copied("-shm");
    let before = Journal::open_read(&path).unwrap().matches().unwrap()[0].entries;
    journal.append(id, &ticks(3..4)).unwrap();
    copied("-wal");
    let found = on_pages(&copy);
    assert!(!found.log_is_damaged);
    assert_eq!((before, found.last), (3, BTreeMap::from([(id.number(), 3)])));
    fs::remove_file(beside(&copy, "-shm")).unwrap();
    assert_eq!(
        on_pages(&copy).last,
        BTreeMap::from([(id.number(), 4)]),
        "what is in the log is found without its index"
    );
}

/// A closed journal with two matches.
fn two_matches() -> (TempDir, PathBuf) {
    let (folder, path, mut journal) = evening();
    for id in ["one", "two"] {
        let header =
            format!(r#"{{"tabiya":1,"id":"{id}","start":"2026-10-03T19:30:00+02:00","game":"chess"}}"#);
        let id = journal.begin_match(&header).unwrap();
        journal.append(id, &ticks(0..150)).unwrap();
        journal.moment(id, 160).unwrap();
    }
    journal.close().unwrap();
    (folder, path)
}

#[test]
fn a_bit_that_flips_is_noticed_or_changes_nothing() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
    let (folder, path) = two_matches();
    let whole = verified(&path).unwrap();
    assert_eq!(whole.iter().map(|(_, entries)| entries.len()).collect::<Vec<_>>(), [150, 150]);
    let bytes = fs::read(&path).unwrap();
    let copy = folder.path().join("copy.tabiya");
    let mut chance = ChaCha8Rng::seed_from_u64(3);
    let mut below = |end: usize| usize::try_from(chance.next_u64() % end as u64).unwrap();
    let mut noticed = 0;
    for nth in 0..400_usize {
        let mut damaged = bytes.clone();
        // Every second flip is aimed at the head of a page or at its list of cells.
        let at = match nth % 2 {
            0 => below(bytes.len()),
            _ => below(bytes.len() / 4096) * 4096 + below(40),
        };
        damaged[at] ^= 1 << below(8);
        fs::write(&copy, &damaged).unwrap();
        match verified(&copy) {
            Err(_) => noticed += 1,
            // The saved moment is no line, and is not part of the chain.
            Ok(mut told) => {
                for ((told, _), (before, _)) in told.iter_mut().zip(&whole) {
                    told.moment = before.moment;
                }
                assert!(told == whole, "bit flip {nth} at byte {at} went unnoticed");
            }
        }
    }
    assert!(noticed > 200, "{noticed}");
}

#[test]
fn a_table_that_keeps_nothing_is_no_record() {
    let (_folder, path) = two_matches();
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "DROP TRIGGER entry_stays; DROP TRIGGER entry_is_kept; DROP TRIGGER entry_comes_last;
         ALTER TABLE entry RENAME TO hidden; CREATE VIEW entry AS SELECT * FROM hidden;
         CREATE TRIGGER swallow INSTEAD OF INSERT ON entry BEGIN SELECT 1; END;",
    )
    .unwrap();
    drop(conn);
    for told in [Journal::open(&path).unwrap_err(), Journal::open_read(&path).unwrap_err()] {
        assert!(matches!(told, JournalError::OtherTables { .. }), "{told}");
    }
}

#[test]
fn a_changed_name_or_beginning_of_a_match_is_noticed() {
    for change in ["uid = 'three'", "begun = '2020-01-01T00:00:00Z'"] {
        let (_folder, path) = two_matches();
        let change = format!(r#"UPDATE "match" SET {change} WHERE id = 2"#);
        without_trigger(&path, "match_stays", &change);
        let told = verified(&path).unwrap_err();
        assert!(matches!(told, JournalError::Damaged { .. }), "{change}: {told}");
    }
}

// ---- findings 7 and 17: salvage, and files of other people ----

#[test]
fn a_changed_byte_in_the_header_costs_nothing_and_two_cost_the_header_alone() {
    let (folder, path, id) = long_evening();
    let info = Journal::open_read(&path).unwrap().matches().unwrap().remove(0);
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(9).position(|text| text == br#""players""#).unwrap();
    for (nth, damage) in [&[(at, b'{')][..], &[(at, b'{'), (at + 5, b'{')][..]].into_iter().enumerate() {
        for (at, byte) in damage {
            overwrite(&path, *at, &[*byte]);
        }
        let out = folder.path().join(format!("rescued-{nth}.tabiya"));
        let rescue = rescue(&[&path], &out).unwrap();
        assert_eq!(rescue.is_whole(), damage.len() == 1);
        let reader = Journal::open_read(&out).unwrap();
        assert_eq!(reader.lines(id).unwrap().len() as u64, info.entries, "all lines are saved");
        let saved = reader.matches().unwrap().remove(0);
        assert_eq!(saved.head == info.head, damage.len() == 1, "{}", saved.header);
    }
}

#[test]
fn a_changed_byte_in_a_line_or_in_its_hash_is_put_right_by_the_chain() {
    let (folder, path, id) = long_evening();
    let whole = fs::read(&path).unwrap();
    let reader = Journal::open_read(&path).unwrap();
    let (lines, head) = (reader.lines(id).unwrap(), reader.matches().unwrap()[0].head);
    let (last, hash) = (&lines.last().unwrap().1, head.bytes());
    drop(reader);
    let place = |text: &[u8]| whole.windows(text.len()).position(|found| found == text).unwrap();
    let line = place(lines[40].1.as_bytes());
    let places = [
        ("a digit", line + 5, b'7'),
        ("a brace, so that it is no JSON", line, b'x'),
        ("a letter, so that it is no text", line + 12, 0xff),
        ("the last line", place(last.as_bytes()) + 10, b'#'),
        ("the last hash", place(hash), hash[0] ^ 0x40),
    ];
    for (what, at, byte) in places {
        fs::write(&path, &whole).unwrap();
        overwrite(&path, at, &[byte]);
        let out = folder.path().join("rescued.tabiya");
        let rescued = rescue(&[&path], &out).unwrap();
        assert!(rescued.is_whole(), "{what}: {rescued:?}");
        let reader = Journal::open_read(&out).unwrap();
        assert_eq!((reader.lines(id).unwrap(), reader.matches().unwrap()[0].head), (lines.clone(), head));
        drop(reader);
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn a_changed_byte_in_a_box_is_not_guessed() {
    let (folder, path, journal) = evening();
    let mut journal = journal.with_keys(OneKey);
    let id = journal.begin_match(HEADER).unwrap();
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"]}}"#;
    journal.append(id, &[NewEntry { t: 0, line: deal.to_owned() }]).unwrap();
    journal.close().unwrap();
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(11).position(|found| found == br#""x-sealed":"#).unwrap();
    // A quotation mark inside the box ends its text too early; any digit there would fit the chain.
    overwrite(&path, at + 20, &[0x22]);
    let rescued = rescue(&[&path], &folder.path().join("rescued.tabiya")).unwrap();
    assert_eq!((rescued.is_whole(), rescued.matches[0].changed), (false, 1));
}

#[test]
fn a_file_that_was_cut_is_not_called_whole() {
    let (folder, path, _) = long_evening();
    let bytes = fs::read(&path).unwrap();
    for kept in [20_000, bytes.len() - 4096, bytes.len() / 2] {
        let cut = folder.path().join(format!("cut-{kept}.tabiya"));
        fs::write(&cut, &bytes[..kept]).unwrap();
        let rescue = rescue(&[&cut], &folder.path().join(format!("out-{kept}.tabiya"))).unwrap();
        assert!(!rescue.is_whole() && rescue.cut_pages > 0, "{kept}");
    }
}

#[test]
fn a_file_with_the_name_of_a_draft_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tabiya");
    let own = beside(&path, ".new");
    fs::write(&own, "somebody's").unwrap();
    Journal::create(&path).unwrap().close().unwrap();
    assert_eq!(fs::read_to_string(&own).unwrap(), "somebody's");
}

// ---- findings 6 and 13 ----

#[test]
fn the_file_alone_holds_all_but_the_last_lines() {
    let (folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let alone = |nth: u32| {
        let copy = folder.path().join(format!("copy-{nth}.tabiya"));
        fs::copy(&path, &copy).unwrap();
        Journal::open_read(&copy).unwrap().lines(id).map_or(0, |lines| lines.len())
    };
    journal.append(id, &ticks(0..40)).unwrap();
    for beat in 0..3 {
        journal.moment(id, 1_000 * (beat + 1)).unwrap();
    }
    assert_eq!(alone(1), 40, "after three quiet seconds");
    for nth in 0..120 {
        journal.append(id, &[tick(5_000 + nth)]).unwrap();
        journal.moment(id, 5_000 + nth).unwrap();
    }
    assert!(alone(2) >= 140, "after a hundred lines: {}", alone(3));
    journal.close().unwrap();
}

#[test]
fn another_programs_lock_holds_a_line_up_for_a_moment_only() {
    let (_folder, path, mut journal) = evening();
    let id = journal.begin_match(HEADER).unwrap();
    let waits: u64 = journal
        .reader
        .conn
        .query_row("PRAGMA busy_timeout", [], |row| row.get::<_, i64>(0))
        .map(|millis| u64::try_from(millis).unwrap())
        .unwrap();
    assert_eq!(waits, 250);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(journal.append(id, &ticks(0..1)), Err(JournalError::Busy { .. })));
    other.execute_batch("COMMIT").unwrap();
    journal.append(id, &ticks(0..1)).unwrap();
}
