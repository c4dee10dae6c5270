//! What somebody does who can write the record's folder, or who owns the account: rewrites records and signed heads, moves
//! them away and back, copies the keys. Each attack is closed, or told by the next carry-on, `verify` and the sheet.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rusqlite::{Connection, params};
use serde_json::Value;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::{Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_store::journal::{Journal, JournalReader};
use tabiya_store::keeper::{JournalKeeper, Keeper as _};
use tabiya_store::keys::Keyring;
use tabiya_store::match_key_file::KeyShare;
use tabiya_types::{Instant, Seat};
use tempfile::TempDir;

use crate::child::{Table, name, text, typed_into};
use crate::wait::let_pass;

/// A computer with a data folder of its own.
struct Computer {
    folder: TempDir,
}

impl Computer {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn keys(&self) -> Keyring {
        Keyring::in_folder(&self.path("data/keys"))
    }

    fn command(&self, data: &str, arguments: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        program.args(arguments).env("TABIYA_CONFIG", self.path("config")).env("TABIYA_DATA", self.path(data));
        program
    }

    /// Runs the program to its end, with these lines typed.
    fn run(&self, arguments: &[&str], typed: &[&str]) -> String {
        self.run_with("data", arguments, typed).0
    }

    /// The same with another data folder. Returns all that was printed, and the status.
    fn run_with(&self, data: &str, arguments: &[&str], typed: &[&str]) -> (String, Option<i32>) {
        let mut command = self.command(data, arguments);
        let Output { status, stdout, stderr } = typed_into(&mut command, &(typed.join("\n") + "\n"));
        (text(&stdout) + &text(&stderr), status.code())
    }

    fn play(&self, record: &Path, more: &[&str], typed: &[&str]) -> String {
        let play = ["play", "--headless", "--plain", "--game", "chess", "--record", name(record)];
        let terms =
            if more.contains(&"--carry-on") { &[][..] } else { &["--time", "300", "--press", "auto"] };
        let all = [&play[..], terms, more].concat();
        self.run(&all, &[typed, &["quit", "yes"]].concat())
    }

    fn verify(&self, record: &Path) -> (String, Option<i32>) {
        self.run_with("data", &["verify", name(record)], &[])
    }

    fn sheet(&self, record: &Path) -> String {
        self.run(&["export", name(record), "--format", "sheet"], &[])
    }
}

fn hash_of(line: &str, before: Option<Head>) -> Head {
    let value: Value = serde_json::from_str(line).unwrap();
    before.map_or_else(|| Head::of_header(&value), |before| before.then(&value))
}

/// Changes a record as somebody does who knows SQLite: without the triggers, and with all hashes computed again.
fn rewritten(record: &Path, change: impl Fn(&mut Vec<String>)) {
    let conn = Connection::open(record).unwrap();
    let triggers: Vec<(String, String)> = {
        let mut query = conn.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for (name, _) in &triggers {
        conn.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    let header: String =
        conn.query_row(r#"SELECT header FROM "match" WHERE id = 1"#, [], |row| row.get(0)).unwrap();
    let mut lines: Vec<String> = {
        let mut query = conn.prepare(r#"SELECT line FROM entry WHERE "match" = 1 ORDER BY id"#).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    change(&mut lines);
    conn.execute(r#"DELETE FROM entry WHERE "match" = 1"#, []).unwrap();
    let mut head = hash_of(&header, None);
    for (seq, line) in (1_i64..).zip(&lines) {
        head = hash_of(line, Some(head));
        let t = serde_json::from_str::<Value>(line).unwrap()["t"].as_i64().unwrap();
        let key = 4_294_967_296 + seq;
        conn.execute(
            r#"INSERT INTO entry (id, "match", seq, t, line, hash) VALUES (?1, 1, ?2, ?3, ?4, ?5)"#,
            params![key, seq, t, line, head.bytes()],
        )
        .unwrap();
    }
    for (_, sql) in &triggers {
        conn.execute_batch(sql).unwrap();
    }
}

fn other_opening(lines: &mut Vec<String>) {
    for line in lines {
        *line = line.replace("e2e4", "d2d4").replace("e7e5", "d7d5");
    }
}

fn set_moment(record: &Path, millis: i64) {
    let conn = Connection::open(record).unwrap();
    conn.execute(r#"INSERT OR REPLACE INTO moment ("match", t) VALUES (1, ?1)"#, [millis]).unwrap();
}

const CARRY_ON: [&str; 1] = ["--carry-on"];

/// An unfinished game of which two moves are written.
fn unfinished(computer: &Computer) -> PathBuf {
    let record = computer.path("e.tabiya");
    let played = computer.play(&record, &[], &["press black", "e2e4", "e7e5"]);
    assert!(played.contains("plays e7e5"), "{played}");
    record
}

fn heads(record: &Path) -> PathBuf {
    record.with_extension("heads")
}

#[test]
fn an_untouched_record_is_carried_on_without_a_word_about_doubt_and_stays_signed() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    let told = computer.play(&record, &CARRY_ON, &["resume", "g1f3"]);
    assert!(!told.contains("nothing of it is signed") && !told.contains("check the clocks"), "{told}");
    let (verified, status) = computer.verify(&record);
    assert!(status == Some(0) && verified.contains("to the last line"), "{verified}");
}

#[test]
fn a_game_that_was_rewritten_beside_removed_heads_is_told_and_not_signed_until_the_arbiter_vouches() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, other_opening);
    fs::remove_file(heads(&record)).unwrap();
    let pgn = computer.path("e.pgn");
    let told = computer.play(&record, &["--carry-on", "--pgn", name(&pgn)], &["resume", "g1f3"]);
    assert!(
        told.contains("the record was changed: its line 2 is not") || told.contains("was changed"),
        "{told}"
    );
    assert!(told.contains("nothing of it is signed"), "{told}");
    assert!(!heads(&record).exists(), "nothing is signed");
    assert!(!fs::read_to_string(&pgn).unwrap().contains("TabiyaSignature"));
    // The arbiter looks into it and vouches.
    let told = computer.play(
        &record,
        &["--carry-on", "--pgn", name(&pgn)],
        &["vouch the score sheets of both players agree", "resume", "g8f6"],
    );
    assert!(told.contains("the record is signed again, from line "), "{told}");
    let from = told.split("signed again, from line ").nth(1).unwrap();
    let from: u64 = from.split(|sign: char| !sign.is_ascii_digit()).next().unwrap().parse().unwrap();
    let (verified, status) = computer.verify(&record);
    assert_eq!(status, Some(0), "{verified}");
    assert!(verified.contains(&format!("from line {from} on")), "{verified}");
    assert!(fs::read_to_string(&pgn).unwrap().contains(&format!("[TabiyaSignedFrom \"{from}\"]")));
    let sheet = computer.sheet(&record);
    assert!(sheet.contains(&format!("the signature counts from line {from} on")), "{sheet}");
    // From now on the record is this one, and nobody has to vouch again.
    let told = computer.play(&record, &CARRY_ON, &["resume"]);
    assert!(!told.contains("nothing of it is signed"), "{told}");
}

/// A mate has no word of its own: only who plays the lines again knows that they end the game.
#[test]
fn a_mate_that_somebody_has_added_is_told_and_taken_back() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, |lines| {
        let last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        let t = last["t"].as_u64().unwrap();
        lines.push(format!(r#"{{"t":{t},"do":"resume","by":"arbiter"}}"#));
        for (by, uci) in
            [("white", "f1c4"), ("black", "a7a6"), ("white", "d1h5"), ("black", "a6a5"), ("white", "h5f7")]
        {
            lines.push(format!(r#"{{"t":{t},"do":"move","by":"{by}","uci":"{uci}"}}"#));
        }
    });
    let (verified, status) = computer.verify(&record);
    assert!(status == Some(1) && verified.contains("that this table has not written"), "{verified}");
    let copy = computer.path("copy.tabiya");
    fs::copy(&record, &copy).unwrap();
    let told = computer.play(&record, &[], &[]);
    assert!(told.contains("that this table has not written"), "{told}");
    fs::copy(&copy, &record).unwrap();
    let told = computer.play(&record, &CARRY_ON, &["undo", "resume", "g1f3"]);
    assert!(told.contains("nothing of it is signed") && told.contains("taken back"), "{told}");
    assert!(!computer.sheet(&record).contains("1-0"), "{}", computer.sheet(&record));
}

#[test]
fn heads_that_were_removed_alone_are_told() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    fs::remove_file(heads(&record)).unwrap();
    let told = computer.play(&record, &CARRY_ON, &["resume", "g1f3"]);
    assert!(
        told.contains("no signed heads of this table beside it; the match is carried on, but nothing"),
        "{told}"
    );
    assert!(!heads(&record).exists());
}

#[test]
fn heads_that_contradict_the_record_are_told_and_the_new_head_is_not_signed() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, other_opening);
    let before = fs::read(heads(&record)).unwrap();
    let told = computer.play(&record, &CARRY_ON, &["resume", "g1f3"]);
    assert!(told.contains("nothing of it is signed"), "{told}");
    assert_eq!(fs::read(heads(&record)).unwrap(), before, "not a head more");
    assert_eq!(computer.verify(&record).1, Some(1));
    assert!(!computer.sheet(&record).contains("signature:"));
}

#[test]
fn a_record_that_was_cut_together_with_its_heads_is_told() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, |lines| {
        lines.pop();
        lines.pop();
    });
    let first = fs::read_to_string(heads(&record)).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(heads(&record), first).unwrap();
    let told = computer.play(&record, &CARRY_ON, &["resume"]);
    assert!(told.contains("the record lacks line ") && told.contains("nothing of it is signed"), "{told}");
}

#[test]
fn lines_that_somebody_has_added_are_told_and_a_ruling_among_them_is_not_signed() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, |lines| {
        let t = serde_json::from_str::<Value>(lines.last().unwrap()).unwrap()["t"].as_u64().unwrap();
        lines.push(format!(r#"{{"t":{t},"do":"offer-draw","by":"white"}}"#));
    });
    let told = computer.play(&record, &CARRY_ON, &[]);
    assert!(told.contains("has no note of the record's lines from"), "{told}");

    let other = Computer::new();
    let record = unfinished(&other);
    rewritten(&record, |lines| {
        let t = serde_json::from_str::<Value>(lines.last().unwrap()).unwrap()["t"].as_u64().unwrap();
        lines.push(format!(r#"{{"t":{t},"do":"rule","by":"arbiter","reason":"x","set":{{"winner":"B"}}}}"#));
    });
    let told = other.play(&record, &CARRY_ON, &[]);
    assert!(told.contains("nothing of it is signed"), "{told}");
    assert!(!other.sheet(&record).contains("signature:"));
}

/// A game that White has lost.
const MATE: [&str; 5] = ["press black", "f2f3", "e7e5", "g2g4", "d8h4"];

/// Leaves the first signatures alone beside a record, as a kill does just after its last line.
fn leave_first_head(record: &Path) {
    let first = fs::read_to_string(heads(record)).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(heads(record), first).unwrap();
}

#[test]
fn a_result_that_a_kill_left_unsigned_is_signed_when_its_file_is_opened_again() {
    for carry_on in [true, false] {
        let computer = Computer::new();
        let record = computer.path("e.tabiya");
        assert!(computer.play(&record, &[], &MATE).contains("checkmate"));
        leave_first_head(&record);
        let (verified, _) = computer.verify(&record);
        assert!(verified.contains("up to line 1"), "{verified}");
        let more: &[&str] = if carry_on { &CARRY_ON } else { &[] };
        let told = computer.play(&record, more, &[]);
        assert_eq!(told.contains("the last match is over"), carry_on, "{told}");
        let (verified, status) = computer.run_with("data", &["verify", name(&record), "--match", "1"], &[]);
        assert!(status == Some(0) && verified.contains("to the last line"), "{carry_on}: {verified}");
    }
}

#[test]
fn an_end_that_somebody_has_added_is_taken_back_by_the_arbiter_and_the_game_goes_on() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    rewritten(&record, |lines| {
        let t = serde_json::from_str::<Value>(lines.last().unwrap()).unwrap()["t"].as_u64().unwrap();
        lines.push(format!(r#"{{"t":{t},"do":"resign","by":"white"}}"#));
    });
    let told = computer.play(&record, &CARRY_ON, &["undo", "yes", "vouch nobody resigned", "resume", "g1f3"]);
    assert!(told.contains("has not written; the match is carried on, but nothing of it is signed"), "{told}");
    assert!(told.contains("the record is signed again, from line ") && told.contains("plays g1f3"), "{told}");
    let (verified, status) = computer.verify(&record);
    assert!(status == Some(0) && verified.contains("signatures count from line "), "{verified}");
}

#[test]
fn verify_tells_a_match_whose_heads_alone_were_removed_beside_signed_ones() {
    let computer = Computer::new();
    let record = computer.path("e.tabiya");
    for _ in 0..2 {
        computer.play(&record, &["--new"], &MATE);
    }
    let written = fs::read_to_string(heads(&record)).unwrap();
    let uid = |line: &str| serde_json::from_str::<Value>(line).unwrap()["match"].as_str().unwrap().to_owned();
    let without = |gone: &str| -> String {
        written.lines().filter(|line| uid(line) != gone).flat_map(|line| [line, "\n"]).collect()
    };
    let (first, last) = (uid(written.lines().next().unwrap()), uid(written.lines().last().unwrap()));
    assert_ne!(first, last);
    fs::write(heads(&record), without(&first)).unwrap();
    let (verified, _) = computer.verify(&record);
    assert!(
        verified.contains("match 1: this computer's table has written it, but no signed head"),
        "{verified}"
    );
    // Elsewhere nobody can tell it from a match that an older program has left unsigned. A later one can be told.
    let (verified, _) = computer.run_with("elsewhere", &["verify", name(&record)], &[]);
    assert!(!verified.contains("is not: its signed heads"), "{verified}");
    fs::write(heads(&record), without(&last)).unwrap();
    let (verified, _) = computer.run_with("elsewhere", &["verify", name(&record)], &[]);
    assert!(
        verified.contains("match 2: an earlier match of this file is signed, and this one is not"),
        "{verified}"
    );
}

#[test]
fn verify_of_an_export_tells_from_which_line_on_signatures_count() {
    let computer = Computer::new();
    let record = unfinished(&computer);
    fs::remove_file(heads(&record)).unwrap();
    computer.play(&record, &CARRY_ON, &["vouch the players agree", "resume", "g1f3"]);
    let export = computer.path("e.jsonl");
    computer.run(&["export", name(&record), "--out", name(&export), "--format", "jsonl"], &[]);
    let (verified, status) = computer.verify(&export);
    assert!(status == Some(0) && verified.contains("signatures count from line "), "{verified}");
}

#[test]
fn a_match_that_a_kill_left_with_its_header_alone_is_carried_on_without_a_doubt() {
    let computer = Computer::new();
    let record = computer.path("e.tabiya");
    computer.play(&record, &[], &[]);
    fs::remove_file(heads(&record)).unwrap();
    let told = computer.play(&record, &CARRY_ON, &["press black", "e2e4"]);
    assert!(told.contains("plays e2e4") && !told.contains("nothing of it is signed"), "{told}");
    assert!(computer.verify(&record).0.contains("to the last line"));
}

#[test]
fn ten_hours_and_fifty_seconds_more_on_the_saved_moment_are_told_and_not_believed() {
    for (millis, without_heads) in [(36_000_000, true), (36_000_000, false), (50_000, false)] {
        let computer = Computer::new();
        let record = unfinished(&computer);
        set_moment(&record, millis);
        if without_heads {
            fs::remove_file(heads(&record)).unwrap();
        }
        let told = computer.play(&record, &CARRY_ON, &["resume", "g1f3"]);
        assert!(told.contains("saved moment") || without_heads, "{millis}: {told}");
        assert!(!told.contains("flag"), "{millis}: {told}");
        // After a power cut the note may lag behind by some seconds, so that alone is no reason not to sign.
        assert!(millis == 50_000 || told.contains("nothing of it is signed"), "{told}");
    }
}

#[test]
fn a_record_that_had_to_go_on_under_another_name_says_so_and_the_older_file_is_asked_about() {
    let computer = Computer::new();
    let (record, new) = (computer.path("e.tabiya"), computer.path("e-2.tabiya"));
    let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--press", "auto"];
    let play = [&play[..], &["--record", name(&record)]].concat();
    let mut table = at_table(&computer, &play);
    table.enter("press black");
    table.enter_and_hear("e2e4", "plays e2e4");
    fs::remove_file(computer.path("e.tabiya-wal")).unwrap();
    table.hear("all lines are saved in");
    table.enter_and_hear("resume", "resumed");
    table.enter_and_hear("e7e5", "plays e7e5");
    drop(table.quit());
    let lines = |path: &Path| -> String {
        let reader = Journal::open_read(path).unwrap();
        let id = reader.matches().unwrap().pop().unwrap().id;
        reader.lines(id).unwrap().into_iter().map(|(_, line)| line + "\n").collect()
    };
    assert!(lines(&record).contains(r#""x-goes-on":"e-2.tabiya""#), "{}", lines(&record));
    assert!(lines(&new).contains(r#""x-continues":"e.tabiya""#), "{}", lines(&new));
    let (verified, _) = computer.verify(&record);
    assert!(verified.contains("goes on in") && verified.contains("e-2.tabiya"), "{verified}");
    let (refused, status) =
        computer.run_with("data", &["play", "--plain", "--record", name(&record), "--carry-on"], &[]);
    assert!(
        status == Some(2) && refused.contains("goes on in") && refused.contains("e-2.tabiya"),
        "{refused}"
    );
    let (verified, status) = computer.verify(&new);
    assert!(status == Some(0) && verified.contains("to the last line"), "{verified}");
}

/// How often a record is verified while its table writes without a pause. Of so many readings that do not look again one in
/// eight is wrong.
const LOOKS: u32 = 60;

#[test]
fn a_sound_record_is_not_called_damaged_while_its_table_writes_it() {
    let computer = Computer::new();
    let record = computer.path("e.tabiya");
    let play = ["play", "--headless", "--plain", "--game", "clock", "--time", "3000"];
    let mut table = at_table(&computer, &[&play[..], &["--record", name(&record)]].concat());
    table.hear("White's clock (Black: press to start the clock)");
    table.enter_and_hear("press black", "White's clock");
    let mut lines = 0_u32;
    for look in 0..LOOKS {
        let mut verify = computer.command("data", &["verify", name(&record)]);
        let mut verify = verify.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while verify.try_wait().unwrap().is_none() {
            table.enter(["press white", "press black"][lines as usize % 2]);
            let_pass(Duration::from_millis(2));
            lines += 1;
        }
        let Output { status, stdout, stderr } = verify.wait_with_output().unwrap();
        assert!(status.success(), "look {look}: {}{}", text(&stdout), text(&stderr));
    }
    drop(table.quit());
    assert_eq!(computer.verify(&record).1, Some(0), "{lines} lines");
}

/// A match that a kill has ended: everything is in the log.
fn killed(computer: &Computer) -> PathBuf {
    let record = computer.path("e.tabiya");
    let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--press", "auto"];
    let mut table = at_table(computer, &[&play[..], &["--record", name(&record)]].concat());
    table.enter("press black");
    table.enter_and_hear("e2e4", "plays e2e4");
    table.kill();
    record
}

#[test]
fn whoever_plays_in_a_record_whose_log_was_removed_is_told_before_anything_is_written() {
    // The heads and the note of this computer know the match; each of them alone is enough.
    for without in [None, Some("e.heads"), Some("data/keys")] {
        let computer = Computer::new();
        let record = killed(&computer);
        let log = fs::read(computer.path("e.tabiya-wal")).unwrap();
        fs::remove_file(computer.path("e.tabiya-wal")).unwrap();
        let _ = fs::remove_file(computer.path("e.tabiya-shm"));
        let before = fs::read(&record).unwrap();
        match without.map(|name| computer.path(name)) {
            Some(folder) if folder.is_dir() => fs::remove_dir_all(folder).unwrap(),
            Some(file) => fs::remove_file(file).unwrap(),
            None => {}
        }
        let (verified, _) = computer.verify(&record);
        for more in [&[][..], &["--carry-on"], &["--new"]] {
            let told = computer.play(&record, more, &["d2d4"]);
            assert!(told.contains("e.tabiya-wal, which belongs to it and is not there"), "{more:?}: {told}");
            assert!(told.contains(verified.trim()), "{more:?}: {told}, and verify: {verified}");
            assert_eq!(fs::read(&record).unwrap(), before, "{more:?}: nothing is written");
            assert!(!computer.path("e.tabiya-wal").exists(), "{more:?}");
        }
        fs::write(computer.path("e.tabiya-wal"), log).unwrap();
        let carried = computer.play(&record, &["--carry-on"], &["resume", "e7e5"]);
        assert!(carried.contains("plays e7e5"), "{carried}");
    }
}

#[test]
fn whoever_plays_in_a_record_from_which_a_match_or_lines_were_removed_is_told() {
    let computer = Computer::new();
    let record = computer.path("e.tabiya");
    for _ in 0..2 {
        computer.play(&record, &["--new"], &["press black", "e2e4", "e7e5"]);
    }
    let whole = fs::read(&record).unwrap();
    let conn = Connection::open(&record).unwrap();
    let kept = "DROP TRIGGER match_is_kept; DROP TRIGGER entry_is_kept";
    let triggers: Vec<String> = {
        let mut query = conn.prepare("SELECT sql FROM sqlite_schema WHERE name LIKE '%_is_kept'").unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let remove = |what: &str| {
        conn.execute_batch(&format!("{kept}; {what}; {}", triggers.join(";"))).unwrap();
    };
    remove(
        r#"DELETE FROM entry WHERE "match" = 2; DELETE FROM moment WHERE "match" = 2; DELETE FROM "match" WHERE id = 2"#,
    );
    drop(conn);
    let lacks = "lacks a match that was in it";
    assert!(computer.verify(&record).0.contains(lacks));
    for more in ["--new", "--carry-on"] {
        let copy = fs::read(&record).unwrap();
        let told = computer.play(&record, &[more], &[]);
        assert!(told.contains(lacks), "{more}: {told}");
        fs::write(&record, copy).unwrap();
    }
    // The same for the last lines of the last match.
    fs::write(&record, whole).unwrap();
    let conn = Connection::open(&record).unwrap();
    conn.execute_batch(&format!(
        "{kept}; DELETE FROM entry WHERE id = (SELECT max(id) FROM entry); {}",
        triggers.join(";")
    ))
    .unwrap();
    drop(conn);
    let told = computer.play(&record, &[], &[]);
    assert!(told.contains("lacks line"), "{told}");
}

/// Adds a resignation to an open record, as any program that knows SQLite can.
fn resigned_by_another_program(record: &Path) {
    let conn = Connection::open(record).unwrap();
    let (id, seq, t, hash): (i64, i64, i64, [u8; 32]) = conn
        .query_row("SELECT id, seq, t, hash FROM entry ORDER BY id DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .unwrap();
    let line = format!(r#"{{"t":{t},"do":"resign","by":"black"}}"#);
    conn.execute(
        r#"INSERT INTO entry (id, "match", seq, t, line, hash) VALUES (?1, 1, ?2, ?3, ?4, ?5)"#,
        params![id + 1, seq + 1, t, line, hash_of(&line, Some(Head::from_bytes(hash))).bytes()],
    )
    .unwrap();
}

/// Adds an empty match to an open record.
fn match_added_by_another_program(record: &Path) {
    let header = r#"{"tabiya":1,"game":"chess","players":{"A":"x","B":"y"},"white":"A"}"#;
    Connection::open(record)
        .unwrap()
        .execute(
            r#"INSERT INTO "match" (id, uid, header, hash) VALUES (2, 'x', ?1, ?2)"#,
            params![header, hash_of(header, None).bytes()],
        )
        .unwrap();
}

fn moved_away(record: &Path) {
    fs::rename(record, record.with_file_name("away.tabiya")).unwrap();
}

#[test]
fn a_record_that_was_moved_or_added_to_while_it_was_played_says_where_it_goes_on() {
    /// What is done, how, and the old record's name afterwards.
    type Attack = (&'static str, fn(&Path), &'static str);
    let attacks: [Attack; 3] = [
        ("a line added", resigned_by_another_program, "e.tabiya"),
        ("a match added", match_added_by_another_program, "e.tabiya"),
        ("moved", moved_away, "away.tabiya"),
    ];
    for (what, attack, old) in attacks {
        let computer = Computer::new();
        let (record, old, new) = (computer.path("e.tabiya"), computer.path(old), computer.path("e-2.tabiya"));
        let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--press", "auto"];
        let mut table = at_table(&computer, &[&play[..], &["--record", name(&record)]].concat());
        table.enter("press black");
        table.enter_and_hear("e2e4", "plays e2e4");
        attack(&record);
        table.hear("all lines are saved in");
        table.enter_and_hear("resume", "resumed");
        table.enter_and_hear("e7e5", "plays e7e5");
        let (verified, _) = computer.run_with("data", &["verify", name(&old), "--match", "1"], &[]);
        assert!(verified.contains("goes on in") && verified.contains("e-2.tabiya"), "{what}: {verified}");
        drop(table.quit());
        let (verified, status) = computer.verify(&new);
        assert!(status == Some(0) && !verified.contains("resign"), "{what}: {verified}");
        if what == "a match added" {
            continue;
        }
        let before = fs::read(&old).unwrap();
        let carry_on = ["play", "--headless", "--plain", "--record", name(&old), "--carry-on"];
        let (refused, status) = computer.run_with("data", &carry_on, &[]);
        assert!(status == Some(2) && refused.contains("goes on in"), "{what}: {refused}");
        assert_eq!(fs::read(&old).unwrap(), before, "{what}: nothing was written");
        let played = computer.play(&old, &[], &["press black", "a2a3"]);
        assert!(played.contains("e-2.tabiya; a new one begins here"), "{what}: {played}");
    }
}

fn at_table(computer: &Computer, arguments: &[&str]) -> Table {
    let (data, config) = (computer.path("data"), computer.path("config"));
    let data = format!("TABIYA_DATA={}", data.display());
    let config = format!("TABIYA_CONFIG={}", config.display());
    Table::under(&["env", &data, &config], arguments)
}

// ---- sealed cards ----

const SEALED: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":100},"small_blind":1}}"#;

fn line(header: &Header, text: &str) -> Line {
    Line::parse(text, header).unwrap()
}

/// A record with a sealed deal, as a table leaves it whose program was closed. With `codes`, both players have locked the key.
fn sealed(computer: &Computer, codes: bool) -> PathBuf {
    let record = computer.path("r.tabiya");
    let mut header = Header::parse(SEALED, GAMES).unwrap();
    let journal = Journal::create(&record).unwrap();
    let mut keeper = Box::new(JournalKeeper::begin(journal, &mut header, computer.keys()).unwrap());
    if codes {
        keeper.lock(Seat::A, KeyShare([1; 32])).unwrap();
        keeper.lock(Seat::B, KeyShare([2; 32])).unwrap();
    }
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","R"],"black":["B","N"]}}"#;
    let fold = r#"{"t":4000,"do":"bet","by":"white","action":"fold"}"#;
    keeper.append(&mut [line(&header, deal)]).unwrap();
    keeper.append(&mut [line(&header, fold)]).unwrap();
    keeper.close().unwrap();
    record
}

/// Appends the end of the match and both consents, with right hashes.
fn forged_consent(lines: &mut Vec<String>) {
    for what in [
        r#""do":"end-match","by":"arbiter","reason":"x""#,
        r#""do":"consent","by":"white""#,
        r#""do":"consent","by":"black""#,
    ] {
        lines.push(format!(r#"{{"t":5000,{what}}}"#));
    }
}

/// Whether White's cards are said. Keys, seals and signatures, which contain any letters, are passed over.
fn shows_cards(said: &str) -> bool {
    let is_random = |word: &&str| word.len() > 16;
    let words: Vec<&str> = said
        .split(|letter: char| !letter.is_ascii_alphanumeric() && !"+/=-_".contains(letter))
        .filter(|word| !is_random(word) && !word.is_empty())
        .collect();
    words.contains(&"QR") || words.windows(2).any(|two| two == ["Q", "R"])
}

fn looks(computer: &Computer, data: &str, record: &Path) {
    for more in [&["hands"][..], &["hands", "--reason", "peek"], &["export"]] {
        let arguments = [&more[..1], &[name(record)], &more[1..]].concat();
        let (said, _) = computer.run_with(data, &arguments, &[]);
        assert!(!shows_cards(&said), "{arguments:?}: {said}");
    }
}

#[test]
fn the_arbiters_ruling_opens_the_original_and_stands_in_it() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    let (said, status) = computer.run_with("data", &["hands", name(&record), "--reason", "dispute"], &[]);
    assert!(status == Some(0) && shows_cards(&said), "{said}");
    assert!(computer.sheet(&record).contains("opened for the arbiter, by the ruling on line 4: dispute"));
    let (verified, status) = computer.verify(&record);
    assert!(status == Some(0) && verified.contains("dispute"), "{verified}");
}

/// The first way of the attackers: the original out of the way, a forged copy of it.
#[test]
fn a_forged_copy_opens_nothing_while_the_original_is_away() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    let (away, copy) = (computer.path("away"), computer.path("x.tabiya"));
    fs::rename(&record, &away).unwrap();
    fs::copy(&away, &copy).unwrap();
    fs::copy(heads(&record), heads(&copy)).unwrap();
    looks(&computer, "data", &copy);
    rewritten(&copy, forged_consent);
    looks(&computer, "data", &copy);
    // The same under the original's name.
    fs::rename(&copy, &record).unwrap();
    looks_without_reason(&computer, &record);
    fs::rename(&away, &record).unwrap();
    assert_eq!(computer.verify(&record).1, Some(0));
}

fn looks_without_reason(computer: &Computer, record: &Path) {
    for arguments in [["hands", name(record)], ["export", name(record)]] {
        let said = computer.run(&arguments, &[]);
        assert!(!shows_cards(&said), "{arguments:?}: {said}");
    }
}

#[test]
fn a_forged_ruling_in_place_opens_nothing() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    rewritten(&record, |lines| {
        lines.push(r#"{"t":5000,"do":"rule","by":"arbiter","reason":"x","set":{},"x-opens":1}"#.to_owned());
    });
    looks_without_reason(&computer, &record);
}

/// The second way: carry the copy on, open it there, and put everything back.
#[test]
fn a_copy_that_is_carried_on_elsewhere_opens_nothing_that_was_dealt_before() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    let (away, copy) = (computer.path("away"), computer.path("x.tabiya"));
    fs::rename(&record, &away).unwrap();
    fs::copy(&away, &copy).unwrap();
    fs::copy(heads(&record), heads(&copy)).unwrap();
    let choker = ["play", "--headless", "--plain", "--record", name(&copy), "--carry-on"];
    let said = computer.run(&choker, &["open look", "quit", "yes"]);
    assert!(!shows_cards(&said), "{said}");
    looks(&computer, "data", &copy);
}

/// A copy of the whole data folder, in which the match is carried on: the first store's keys alone open what was dealt before.
#[test]
fn a_copy_of_the_data_folder_in_which_the_match_is_carried_on_opens_nothing() {
    for keeps_notes in [true, false] {
        let computer = Computer::new();
        let record = sealed(&computer, false);
        let (data, other) = (computer.path("data/keys"), computer.path("other/keys"));
        fs::create_dir_all(&other).unwrap();
        for entry in fs::read_dir(&data).unwrap().flatten() {
            let is_note = entry.path().extension().is_some_and(|ending| ending == "seen");
            if entry.path().is_file() && (keeps_notes || !is_note) {
                fs::copy(entry.path(), other.join(entry.file_name())).unwrap();
            }
        }
        let carry_on = ["play", "--headless", "--plain", "--record", name(&record), "--carry-on"];
        looks(&computer, "other", &record);
        let (said, _) = computer.run_with("other", &carry_on, &["open look", "quit", "yes"]);
        assert!(!shows_cards(&said), "{said}");
        looks(&computer, "other", &record);
        let ends = ["resume", "end-match look", "consent white", "consent black", "quit", "yes"];
        let (said, _) = computer.run_with("other", &carry_on, &ends);
        assert!(!shows_cards(&said), "{said}");
        looks(&computer, "other", &record);
    }
}

/// The second way on the original itself: a snapshot of record and note is put back after the look.
#[test]
fn a_record_that_is_put_back_after_a_look_is_told_everywhere() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    let saved: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(computer.path("data/keys"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .chain([record.clone(), heads(&record)])
        .filter(|path| path.extension().is_some_and(|ending| ending != "jsonl"))
        .map(|path| (path.clone(), fs::read(&path).unwrap()))
        .collect();
    let (said, status) = computer.run_with("data", &["hands", name(&record), "--reason", "look"], &[]);
    assert!(status == Some(0) && shows_cards(&said), "{said}");
    for (path, bytes) in saved {
        fs::write(path, bytes).unwrap();
    }
    let told = "shown on";
    let (verified, status) = computer.verify(&record);
    assert!(status == Some(1) && verified.contains(told) && verified.contains("look"), "{verified}");
    assert!(computer.sheet(&record).contains(told), "{}", computer.sheet(&record));
    let carried = ["play", "--headless", "--plain", "--record", name(&record), "--carry-on"];
    let said = computer.run(&carried, &["quit", "yes"]);
    assert!(said.contains(told), "{said}");
}

/// The third way: keys without their note, in another data folder, while the table runs.
#[test]
fn a_copy_of_the_keys_opens_nothing_with_or_without_its_notes() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    for (data, with_notes) in [("other", true), ("third", false)] {
        fs::create_dir_all(computer.path(data).join("keys")).unwrap();
        for entry in fs::read_dir(computer.path("data/keys")).unwrap().flatten() {
            if with_notes || entry.path().extension().is_some_and(|ending| ending != "seen") {
                fs::copy(entry.path(), computer.path(data).join("keys").join(entry.file_name())).unwrap();
            }
        }
        let copy = computer.path(data).join("r.tabiya");
        fs::copy(&record, &copy).unwrap();
        fs::copy(heads(&record), heads(&copy)).unwrap();
        looks(&computer, data, &copy);
        looks(&computer, data, &record);
        let untouched: JournalReader = Journal::open_read(&record).unwrap();
        let id = untouched.matches().unwrap().pop().unwrap().id;
        assert_eq!(untouched.lines(id).unwrap().len(), 2, "no ruling was written");
    }
}

#[test]
fn without_its_note_the_original_opens_nothing_either() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    for entry in fs::read_dir(computer.path("data/keys")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "seen") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    looks(&computer, "data", &record);
}

#[test]
fn cards_that_both_players_locked_open_for_nobody_but_them() {
    let computer = Computer::new();
    let record = sealed(&computer, true);
    looks(&computer, "data", &record);
    let (said, status) = computer.run_with("data", &["hands", name(&record), "--reason", "dispute"], &[]);
    assert!(status == Some(2) && said.contains("locked with the codes of A and B"), "{said}");
    for entry in fs::read_dir(computer.path("data/keys")).unwrap().flatten() {
        let kept = text(&fs::read(entry.path()).unwrap());
        let is_match_key = kept.contains("\"public\"") && kept.contains("\"header\"");
        assert!(!is_match_key || !kept.contains("\"secret\""), "{kept}");
    }
    // Both give their shares, as they do with their codes at the table.
    let reader = Journal::open_read(&record).unwrap();
    let info = reader.matches().unwrap().pop().unwrap();
    drop(reader);
    let journal = Journal::open(&record).unwrap();
    let mut keeper = Box::new(JournalKeeper::carry_on(
        journal,
        &info,
        computer.keys(),
        (Instant::from_millis(4_000), false),
    ));
    keeper.give_share(Seat::A, KeyShare([1; 32]));
    assert!(!keeper.release().unwrap(), "one of them has not agreed");
    keeper.give_share(Seat::B, KeyShare([9; 32]));
    assert!(!keeper.release().unwrap(), "a wrong share");
    keeper.give_share(Seat::B, KeyShare([2; 32]));
    assert!(keeper.release().unwrap());
    keeper.close().unwrap();
    let (said, status) = computer.run_with("data", &["hands", name(&record), "--reason", "dispute"], &[]);
    assert!(status == Some(0) && shows_cards(&said), "{said}");
}

/// The last game ended, and the players left before they had agreed: the table can be opened again for that.
#[test]
fn players_who_left_before_they_agreed_agree_when_the_table_is_opened_again() {
    let computer = Computer::new();
    let record = computer.path("r.tabiya");
    let play = ["play", "--headless", "--plain", "--record", name(&record)];
    let codes = ["code white abcdefg lock", "code black hijklmn lock"];
    let begins = [&play[..], &["--game", "choker", "--games", "1"]].concat();
    let told = computer.run(&begins, &[&codes[..], &["deal", "fold", "quit", "yes"]].concat());
    assert!(told.contains("the match is over"), "{told}");
    let locked = || {
        let keys = fs::read_dir(computer.path("data/keys")).unwrap().flatten();
        keys.filter_map(|entry| fs::read_to_string(entry.path()).ok()).any(|key| key.contains("\"locked\""))
    };
    assert!(locked());
    let carry_on = [&play[..], &CARRY_ON].concat();
    let (told, status) = computer.run_with(
        "data",
        &carry_on,
        &["consent white abcdefg", "consent black hijklmn", "quit", "yes"],
    );
    assert!(status == Some(0) && told.contains("Black agrees that the cards may be shown"), "{told}");
    assert!(!locked());
    // Then there is nothing left to do.
    let (told, status) = computer.run_with("data", &carry_on, &[]);
    assert!(status == Some(2) && told.contains("the last match is over"), "{told}");
}

// ---- the table's key ----

#[test]
fn a_damaged_table_key_is_said_before_the_first_line_and_the_match_is_marked() {
    let flips: [&dyn Fn(&Path); 3] = [
        &|key| fs::write(key, "").unwrap(),
        &|key| {
            let mut bytes = fs::read(key).unwrap();
            bytes[20] ^= 1;
            fs::write(key, bytes).unwrap();
        },
        &|key| {
            fs::remove_file(key).unwrap();
            fs::create_dir(key).unwrap();
        },
    ];
    for damage in flips {
        let computer = Computer::new();
        unfinished(&computer);
        damage(&computer.path("data/keys/table.json"));
        let record = computer.path("new.tabiya");
        let told = computer.play(&record, &[], &["press black", "e2e4"]);
        let (before, _) = told.split_once("plays e2e4").unwrap();
        assert!(before.contains("written but not signed"), "{told}");
        let (verified, status) = computer.verify(&record);
        assert!(status == Some(0) && verified.contains("not signed"), "{verified}");
        assert!(computer.sheet(&record).contains("not signed: the table had no key"));
        let jsonl = computer.run(&["export", name(&record)], &[]);
        assert!(jsonl.lines().next().unwrap().contains(r#""x-unsigned":true"#), "{jsonl}");
    }
}

#[test]
fn a_data_folder_that_is_a_file_is_said_before_the_first_line() {
    let computer = Computer::new();
    fs::write(computer.path("data"), "").unwrap();
    let told = computer.play(&computer.path("new.tabiya"), &[], &["press black", "e2e4"]);
    let (before, _) = told.split_once("plays e2e4").unwrap();
    assert!(before.contains("written but not signed"), "{told}");
}

/// JSON lets a letter stand as an escape, and the chain of hashes is over the canonical text: such a line is the same line.
#[test]
fn letters_that_stand_as_escapes_hide_nothing_from_those_who_look() {
    let computer = Computer::new();
    let record = sealed(&computer, false);
    let copy = computer.path("x.tabiya");
    fs::copy(&record, &copy).unwrap();
    fs::copy(heads(&record), heads(&copy)).unwrap();
    // The box and the words that open it, in a copy and in place.
    let escaped = |lines: &mut Vec<String>| {
        forged_consent(lines);
        lines.push(
            r#"{"t":5000,"do":"\u0072ule","by":"arbiter","reason":"x","set":{},"x-\u006fpens":1}"#.to_owned(),
        );
        for line in lines {
            *line = line
                .replace("x-sealed", "x-\\u0073ealed")
                .replace("end-match", "\\u0065nd-match")
                .replace("\"consent\"", "\"\\u0063onsent\"");
        }
    };
    for place in [&copy, &record] {
        rewritten(place, escaped);
        looks_without_reason(&computer, place);
    }
    let (told, status) = computer.verify(&record);
    assert!(status == Some(1) && told.contains("has not written"), "{told}");
}
