//! What a fault injector and an attacker did to the running program, and what the program does about it.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_store::heads::Signer;
use tabiya_store::journal::{NewEntry, Store as _};
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;

use crate::child::{Table, config, name, printed, simulated, tabiya, text};
use crate::tries::report;
use crate::wait::{let_pass, wait_for};

/// A table of chess with a record, and two moves played.
fn playing(record: &Path) -> Table {
    let arguments = ["play", "--headless", "--plain", "--game", "chess", "--time", "300"];
    let mut table = Table::start(&[&arguments[..], &["--record", name(record)]].concat());
    for (typed, told) in [("e4", "White plays e2e4"), ("", ""), ("e5", "Black plays e7e5")] {
        table.enter_and_hear(typed, told);
    }
    table
}

/// The moves that the record has.
pub(crate) fn moves(record: &Path) -> usize {
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(record), "--json"], 0)).unwrap();
    report["games"][0]["moves"].as_array().unwrap().len()
}

fn beside(record: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", record.display()))
}

#[test]
fn a_record_that_is_removed_while_it_is_played_goes_on_in_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let mut table = playing(&record);
    for ending in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&record, ending)).unwrap();
    }
    // Nobody types anything: the loss is noticed by itself, and the clocks are stopped.
    table.hear("was removed, replaced or overwritten while it was open; all lines are saved in");
    table.hear("the record can be written again; the clocks stopped at");
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    let new = folder.path().join("e-2.tabiya");
    assert!(heard.iter().any(|line| line.contains("e-2.tabiya, ")), "the end names the file: {heard:?}");
    assert_eq!(moves(&new), 3);
    assert!(!record.exists());
    printed(&["verify", name(&new)], 0);
    report("the record's files removed while it is played | 1 | told at once, goes on in a new file, 0 lost");
}

#[test]
fn a_record_that_is_replaced_and_killed_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other) = (folder.path().join("e.tabiya"), folder.path().join("other.tabiya"));
    let (status, ..) = playing(&other).quit();
    assert!(status.success());
    let mut table = playing(&record);
    std::fs::rename(&other, &record).unwrap();
    table.enter("");
    table.hear("all lines are saved in");
    table.hear("the record can be written again");
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    table.kill();
    assert_eq!(moves(&folder.path().join("e-2.tabiya")), 3);
    assert_eq!(moves(&record), 2, "the other record is as it was");
    report("the record replaced by another, then a kill | 1 | goes on in a new file, 0 lost in either");
}

/// `cp other e.tabiya` and `: > e.tabiya` keep the file and change what is in it.
#[test]
fn a_record_that_is_overwritten_in_place_goes_on_in_a_new_file() {
    type Attack = fn(&Path, &[u8]);
    let attacks: [(&str, Attack); 3] = [
        ("another record is copied over it", |record, other| std::fs::write(record, other).unwrap()),
        ("it is emptied", |record, _| std::fs::write(record, "").unwrap()),
        ("its log is emptied", |record, _| std::fs::write(beside(record, "-wal"), "").unwrap()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.tabiya");
    let (status, ..) = playing(&other).quit();
    assert!(status.success());
    let other = std::fs::read(&other).unwrap();
    for (nth, (what, attack)) in (1..).zip(attacks) {
        let record = folder.path().join(format!("r{nth}.tabiya"));
        let mut table = playing(&record);
        attack(&record, &other);
        table.hear("overwritten while it was open; all lines are saved in");
        table.hear("the record can be written again");
        table.enter_and_hear("resume", "resumed");
        table.enter("");
        table.enter_and_hear("Nf3", "White plays g1f3");
        let (status, heard, errors) = table.quit();
        assert_eq!(status.code(), Some(0), "{what}: {heard:?}\n{errors}");
        let new = folder.path().join(format!("r{nth}-2.tabiya"));
        assert_eq!(moves(&new), 3, "{what}");
        printed(&["verify", name(&new)], 0);
        assert!(
            !beside(&record, "-wal").exists(),
            "{what}: no log is left that another file could take for its own"
        );
    }
    report(
        "the record overwritten or cut in place, or its log | 3 | told at once, goes on in a new file, 0 lost",
    );
}

#[test]
fn a_record_that_is_only_touched_stays_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let mut table = playing(&record);
    let file = std::fs::File::options().write(true).open(&record).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    let (status, ..) = table.quit();
    assert!(status.success() && !folder.path().join("e-2.tabiya").exists());
    assert_eq!(moves(&record), 3);
}

#[test]
fn every_match_of_a_file_is_verified_and_a_name_cannot_fake_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("x\ne.tabiya: 99 lines after the header verified");
    for _ in 0..2 {
        let (status, ..) = playing(&record).quit();
        assert!(status.success());
    }
    let said = printed(&["verify", name(&record)], 0);
    assert_eq!(said.lines().filter(|line| line.contains("verified; head ")).count(), 2, "{said}");
    assert!(said.lines().all(|line| !line.starts_with("e.tabiya")), "{said}");
    assert!(said.lines().next().is_some_and(|line| line.contains(": match 1: ")), "{said}");
}

#[test]
fn without_a_match_there_is_nothing_to_carry_on() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    drop(tabiya_store::journal::Journal::create(&record).unwrap());
    let done =
        crate::child::tabiya(&["play", "--headless", "--plain", "--carry-on", "--record", name(&record)]);
    let said = crate::child::text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no match in it; leave --carry-on out"), "{said}");
}

#[test]
fn what_the_program_writes_is_its_owners() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (record, game) = (folder.path().join("e.tabiya"), folder.path().join("e.pgn"));
    let arguments = ["play", "--headless", "--plain", "--game", "chess", "--record", name(&record)];
    let mut table = Table::start(&[&arguments[..], &["--pgn", name(&game)]].concat());
    table.enter_and_hear("e4", "White plays e2e4");
    // No other program may read its memory.
    let status = std::fs::metadata(format!("/proc/{}/mem", table.process()))
        .map(|found| std::os::unix::fs::MetadataExt::uid(&found));
    assert_eq!(status.ok(), Some(0), "memory that may be dumped belongs to its user");
    let (ended, ..) = table.quit();
    assert!(ended.success());
    for file in [&record, &game] {
        let mode = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", file.display());
    }
}

/// Whether the memory of a process contains this text now. Only the superuser may read it.
#[cfg(target_os = "linux")]
fn memory_has(process: u32, wanted: &str) -> std::io::Result<bool> {
    use std::os::unix::fs::FileExt as _;
    let memory = std::fs::File::open(format!("/proc/{process}/mem"))?;
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps"))?;
    let number = |digits: &str| u64::from_str_radix(digits, 16).unwrap();
    let ranges = maps.lines().filter(|line| line.contains(" rw-p "));
    let mut ranges = ranges.filter_map(|line| line.split(' ').next()?.split_once('-'));
    Ok(ranges.any(|(from, to)| {
        let mut bytes = vec![0; usize::try_from(number(to) - number(from)).unwrap()];
        let read = memory.read_at(&mut bytes, number(from)).unwrap_or(0);
        bytes[..read].windows(wanted.len()).any(|part| part == wanted.as_bytes())
    }))
}

/// Finding 16: keys are wiped, and other users' programs may not look.
#[test]
#[cfg(target_os = "linux")]
fn the_digits_of_the_tables_secret_key_are_wiped() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let table = playing(&record);
    let key = std::fs::read_to_string(crate::child::config().join("keys").join("table.json")).unwrap();
    let key: serde_json::Value = serde_json::from_str(&key).unwrap();
    let secret = key["seed"].as_str().unwrap();
    assert_eq!(secret.len(), 64, "the seed as digits");
    match memory_has(table.process(), name(&record)) {
        Ok(found) => {
            assert!(found, "the name of the record is in memory");
            assert!(!memory_has(table.process(), secret).unwrap(), "the key's digits are still there");
        }
        // Then nobody else may look either, and there is nothing to search.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "{error}"),
    }
    let (status, ..) = table.quit();
    assert!(status.success());
}

#[test]
fn text_that_steers_a_terminal_is_printed_by_no_export() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.jsonl");
    let steering = ["\u{202e}", "\u{2066}", "\u{9b}"];
    let header = format!(
        r#"{{"tabiya":1,"game":"chess","players":{{"A":"An{}n","B":"Bo"}},"white":"A"}}"#,
        steering.concat()
    );
    let reason =
        format!(r#"{{"t":0,"do":"rule","by":"arbiter","set":{{}},"reason":"a{}b"}}"#, steering.concat());
    std::fs::write(&record, format!("{header}\n{reason}\n")).unwrap();
    for format in ["jsonl", "pgn", "sheet", "story"] {
        let said = printed(&["export", name(&record), "--format", format], 0);
        assert!(steering.iter().all(|steers| !said.contains(steers)), "{format}: {said:?}");
    }
    // The export as JSON still says the same.
    let again = folder.path().join("again.jsonl");
    std::fs::write(&again, printed(&["export", name(&record), "--format", "jsonl"], 0)).unwrap();
    let line = std::fs::read_to_string(&again).unwrap();
    let line: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!(line["players"]["A"], format!("An{}n", steering.concat()));
    printed(&["verify", name(&again)], 0);
}

#[test]
fn a_line_without_end_is_refused_before_it_is_parsed() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.jsonl");
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
    let long = format!(r#"{{"t":0,"do":"note","text":"{}"}}"#, "x".repeat(20_000_000));
    std::fs::write(&record, format!("{header}\n{long}\n")).unwrap();
    for command in ["replay", "verify"] {
        let done = crate::child::tabiya(&[command, name(&record)]);
        let said = crate::child::text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said:.200}");
        assert!(said.contains("longer than 16 MiB") && said.len() < 500, "{said:.200}");
    }
}

/// Finding 12: a press that is made while the program is stopped must not lose on time.
#[test]
fn a_stop_of_the_process_is_charged_to_nobody_and_is_in_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let arguments =
        ["play", "--headless", "--plain", "--game", "chess", "--time", "10 s", "--record", name(&record)];
    let mut table = Table::start(&arguments);
    table.enter("press black");
    table.enter_and_hear("e4", "White plays e2e4");
    crate::child::signal("STOP", table.process());
    let_pass(Duration::from_secs(2));
    // The press of the player is there while nobody reads it.
    table.enter("");
    let_pass(Duration::from_secs(11));
    crate::child::signal("CONT", table.process());
    table.hear("Tabiya was stopped for ");
    table.hear("White's clock was running when Tabiya was stopped: to charge ");
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("e5", "Black plays e7e5");
    let (status, heard, errors) = table.quit();
    assert!(status.success(), "{heard:?}\n{errors}");
    let lines = printed(&["export", name(&record), "--format", "jsonl"], 0);
    assert!(lines.contains("\"x-stopped-ms\":") && !lines.contains("flag"), "{lines}");
    printed(&["verify", name(&record)], 0);
    report(
        "the program stopped (SIGSTOP) across a press, with less time left | 1 | charged to nobody, in the record",
    );
}

/// What a command that ends with status 1 says about it.
fn complaint(arguments: &[&str]) -> String {
    let done = tabiya(arguments);
    assert_eq!(done.status.code(), Some(1), "{arguments:?}");
    text(&done.stderr)
}

/// A played game with its record, and the public key of its table.
fn signed_game(folder: &Path) -> (PathBuf, String) {
    let record = folder.join("o.tabiya");
    simulated(&record, 2, &[]);
    (record, printed(&["key"], 0).trim().to_owned())
}

#[test]
fn who_rewrites_a_record_or_cuts_it_is_found_out_by_its_signed_heads() {
    let folder = tempfile::tempdir().unwrap();
    let (record, key) = signed_game(folder.path());
    let told = printed(&["verify", name(&record), "--signed-by", &key], 0);
    assert!(told.contains(&format!("signed by {key} on ")) && told.contains("to the last line"), "{told}");
    printed(&["verify", name(&record), "--signed-by", &"ab".repeat(32)], 1);
    printed(&["verify", name(&record), "--signed-by", "nonsense"], 2);

    // The attacker exports the record, changes a name, and computes every hash anew: the chain is whole.
    let text = printed(&["export", name(&record)], 0);
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let forge = |lines: &[serde_json::Value]| {
        let plain = lines.iter().cloned().map(|mut line| {
            line.as_object_mut().unwrap().shift_remove("x-hash");
            line.to_string() + "\n"
        });
        plain.collect::<String>()
    };
    let forged = folder.path().join("o.jsonl");
    let mut changed = lines.clone();
    changed[5]["x-note"] = "a line that was never played".into();
    std::fs::write(&forged, forge(&changed)).unwrap();
    let told = complaint(&["verify", name(&forged)]);
    assert!(told.contains("was changed: on "), "{told}");
    std::fs::write(&forged, forge(&lines[..lines.len() - 1])).unwrap();
    let told = complaint(&["verify", name(&forged)]);
    assert!(told.contains("was shortened: on "), "{told}");
    std::fs::write(&forged, forge(&lines)).unwrap();
    printed(&["verify", name(&forged), "--signed-by", &key], 0);
}

/// Adds a signed match with this name and a few lines to a record.
fn add_match(record: &Path, uid: &str) {
    let keys = Keyring::in_folder(&config().join("keys"));
    let signer = Signer::new(keys.table_key().unwrap());
    let mut journal = JournalKeeper::open(record, &keys).unwrap().with_signer(signer);
    let header = format!(
        r#"{{"tabiya":1,"id":"{uid}","game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"time":"300"}}}}"#
    );
    let id = journal.begin_match(&header).unwrap();
    let line = |t| NewEntry { t, line: format!(r#"{{"t":{t},"do":"tick"}}"#) };
    journal.append(id, &[line(1), line(2), line(3)]).unwrap();
    journal.close().unwrap();
}

#[test]
fn a_match_that_was_taken_out_of_an_evening_is_told_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    for uid in ["first", "second", "third"] {
        add_match(&record, uid);
    }
    printed(&["verify", name(&record)], 0);
    // Who knows SQLite takes the match out and leaves the triggers as they were.
    let without = |uid: &str| {
        let conn = rusqlite::Connection::open(&record).unwrap();
        let triggers: Vec<(String, String)> = conn
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let drops =
            triggers.iter().map(|(name, _)| format!("DROP TRIGGER {name}")).collect::<Vec<_>>().join(";");
        let makes = triggers.iter().map(|(_, sql)| sql.as_str()).collect::<Vec<_>>().join(";");
        let of = format!("(SELECT id FROM \"match\" WHERE uid = '{uid}')");
        conn.execute_batch(&format!(
            "{drops}; DELETE FROM entry WHERE \"match\" = {of}; DELETE FROM moment WHERE \"match\" = {of};
             DELETE FROM \"match\" WHERE uid = '{uid}'; {makes}"
        ))
        .unwrap();
    };
    without("second");
    let told = complaint(&["verify", name(&record)]);
    assert!(told.contains("e.tabiya lacks a match that was in it: on "), "{told}");
    assert!(told.contains(" signed the match second up to line 4"), "{told}");
    // An export has one match of several; the heads beside it are the whole evening's.
    let lines = printed(&["export", name(&record)], 0);
    let export = folder.path().join("e.jsonl");
    std::fs::write(&export, lines).unwrap();
    printed(&["verify", name(&export)], 0);
}

#[test]
fn signed_heads_whose_dates_go_back_are_told_and_the_record_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let (status, ..) = playing(&record).quit();
    assert!(status.success());
    // The computer's calendar is set back before the match is carried on.
    let library = "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1";
    let date = ["env", library, "FAKETIME=@2019-06-01 12:00:00", "FAKETIME_DONT_FAKE_MONOTONIC=1"];
    let play = ["play", "--headless", "--plain", "--carry-on", "--record", name(&record)];
    let mut table = Table::under(&date, &play);
    table.enter_and_hear("resume", "resumed");
    table.enter("");
    table.enter_and_hear("Nf3", "White plays g1f3");
    let (status, ..) = table.quit();
    assert!(status.success());
    let told = printed(&["verify", name(&record)], 0);
    assert!(told.contains("the dates of its signed heads go back: "), "{told}");
    assert!(told.contains(" on 2019-06-01T"), "{told}");
}

#[test]
fn a_file_that_was_copied_without_its_log_names_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let (record, copy) = (folder.path().join("e.tabiya"), folder.path().join("copy.tabiya"));
    let table = playing(&record);
    std::fs::copy(&record, &copy).unwrap();
    let out = folder.path().join("out.tabiya");
    let asked: [&[&str]; 4] = [
        &["verify", name(&copy)],
        &["replay", name(&copy)],
        &["export", name(&copy)],
        &["salvage", name(&copy), "--out", name(&out)],
    ];
    for arguments in asked {
        let done = tabiya(arguments);
        let told = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains("copy.tabiya alone has no match; "), "{told}");
        assert!(
            told.contains("its lines are in copy.tabiya-wal, which belongs to it and is not there"),
            "{told}"
        );
    }
    std::fs::copy(folder.path().join("e.tabiya-wal"), folder.path().join("copy.tabiya-wal")).unwrap();
    printed(&["verify", name(&copy)], 0);
    let (status, ..) = table.quit();
    assert!(status.success());
}

#[test]
fn a_salvaged_record_keeps_its_name_its_moment_and_its_signatures() {
    let folder = tempfile::tempdir().unwrap();
    let (record, key) = signed_game(folder.path());
    let out = folder.path().join("saved.tabiya");
    printed(&["salvage", name(&record), "--out", name(&out)], 0);
    let told = printed(&["verify", name(&out), "--signed-by", &key], 0);
    assert!(told.contains("to the last line"), "{told}");
    // Heads of another match beside a record are said to be of another match.
    let other = folder.path().join("other.tabiya");
    let (status, ..) = playing(&other).quit();
    assert!(status.success());
    std::fs::copy(record.with_extension("heads"), other.with_extension("heads")).unwrap();
    let told = printed(&["verify", name(&other)], 0);
    assert!(told.contains("other.heads has signed heads, but none of this match"), "{told}");
}

#[test]
fn heads_that_cannot_be_signed_are_told_and_signed_later() {
    let folder = tempfile::tempdir().unwrap();
    let (record, heads) = (folder.path().join("e.tabiya"), folder.path().join("e.heads"));
    std::fs::create_dir(&heads).unwrap();
    let mut table = playing(&record);
    table.hear("the record is written but not signed: the signed heads of the record cannot be written to");
    std::fs::remove_dir(&heads).unwrap();
    table.hear("the record is signed again");
    let (status, heard, errors) = table.quit();
    assert!(status.success(), "{heard:?}\n{errors}");
    let key = printed(&["key"], 0);
    let said = printed(&["verify", name(&record), "--signed-by", key.trim()], 0);
    assert!(said.contains("to the last line"), "{said}");
}

/// Finding 4: a clock that was changed in the file gives nobody time.
#[test]
fn a_match_is_not_carried_on_with_a_forged_moment() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let table = playing(&record);
    let saved = || {
        let conn = rusqlite::Connection::open(&record).unwrap();
        conn.query_row("SELECT count(*) FROM moment", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    wait_for("a heartbeat saves the moment", || (saved() == 1).then_some(()));
    let (status, ..) = table.quit();
    assert!(status.success());
    let sql = "UPDATE moment SET t = t + 200000";
    assert_eq!(rusqlite::Connection::open(&record).unwrap().execute(sql, []).unwrap(), 1);
    let arguments = ["play", "--headless", "--plain", "--carry-on", "--record", name(&record)];
    let mut table = Table::start(&arguments);
    let told = table.hear("nothing of it is signed");
    assert!(told.contains("has a saved moment that was changed"), "{told}");
    table.enter("sheet");
    let (status, ..) = table.quit();
    assert!(status.success());
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
    let left = report["clock_ms"]["white"].as_u64().unwrap();
    assert!(left > 250_000, "White keeps the time of the last signed moment: {left}");
}

#[test]
fn a_saved_moment_that_was_changed_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (record, _) = signed_game(folder.path());
    let change = |sql: &str| rusqlite::Connection::open(&record).unwrap().execute(sql, []).unwrap();
    assert_eq!(change("UPDATE moment SET t = t + 100000"), 1);
    let told = complaint(&["verify", name(&record)]);
    assert!(told.contains("has a saved moment that was changed"), "{told}");
    assert_eq!(change("UPDATE moment SET t = t - 100000"), 1);
    printed(&["verify", name(&record)], 0);
}

#[test]
fn the_code_of_a_photographed_sheet_proves_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let (record, key) = signed_game(folder.path());
    let pgn = printed(&["export", name(&record), "--format", "pgn"], 0);
    let tag = |name: &str| {
        let line = pgn.lines().find(|line| line.starts_with(&format!("[{name} "))).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    assert_eq!(tag("TabiyaKey"), key);
    let lines = printed(&["export", name(&record)], 0).lines().count() - 1;
    let (head, at, signature) = (tag("TabiyaHead"), tag("TabiyaSigned"), tag("TabiyaSignature"));
    let code = format!("TABIYA1 {lines} {at} {head} {key} {signature}").to_uppercase();
    std::fs::remove_file(record.with_extension("heads")).unwrap();
    printed(&["verify", name(&record), "--head", &code], 0);
    let other = code.replacen(&lines.to_string(), &(lines - 1).to_string(), 1);
    printed(&["verify", name(&record), "--head", &other], 1);
    let sheet = printed(&["export", name(&record), "--format", "sheet"], 0);
    assert!(!sheet.contains('█'), "without the file of heads there is nothing to draw: {sheet}");
}
