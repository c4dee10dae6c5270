//! Faults of the machine under the running program: a disk that reports errors, a calendar that jumps, a second program on
//! the same record. The disk's errors are injected into the program's own system calls (`strace -e inject`).
#![cfg(target_os = "linux")]

use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::child::{Table, name, printed, tabiya, text};
use crate::faults::moves;
use crate::tries::{report, seed, tries};

const SEED: u64 = 0xe10;
/// The number of disks that fail, unless `TABIYA_BAD_DISKS` says another one.
const DISKS: u64 = 4;
const MOVES: [&str; 12] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"];
/// What a disk reports, and at which call.
const FAULTS: [(&str, &str); 4] =
    [("EIO", "pwrite64"), ("EIO", "fdatasync"), ("ENOSPC", "pwrite64"), ("ENOSPC", "fdatasync")];

/// A table of chess whose record's files fail: this system call returns this error from the call `first` on, several times.
fn on_a_bad_disk(record: &Path, (error, call): (&str, &str), first: u64) -> Table {
    let inject = format!("inject={call}:error={error}:when={first}..{}", first + 6);
    let log = format!("{}-wal", name(record));
    let out = format!("{}.trace", name(record));
    let strace = ["strace", "-f", "-o", &out, "-P", name(record), "-P", &log, "-e", &inject];
    let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--record"];
    Table::under(&strace, &[&play[..], &[name(record)]].concat())
}

#[test]
fn a_disk_that_reports_errors_is_told_and_loses_nothing() {
    let (disks, seed) = (tries("TABIYA_BAD_DISKS", DISKS), seed(SEED));
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut told, mut outages) = (0, 0);
    for nth in 0..disks {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("e.tabiya");
        let fault = FAULTS[usize::try_from(nth).unwrap() % FAULTS.len()];
        let mut table = on_a_bad_disk(&record, fault, 8 + chance.next_u64() % 24);
        table.hear("chess");
        let mut played = 0;
        while played < MOVES.len() {
            table.enter(MOVES[played]);
            let heard = table.hear_one_of(&[" plays ", "cannot be written", "the clocks are stopped"]);
            if heard.contains(" plays ") {
                played += 1;
                table.enter("");
                continue;
            }
            outages += 1;
            table.hear("can be written again");
            table.enter("resume");
            table.enter("");
        }
        let (status, heard, errors) = table.quit();
        // A disk that fails just when the record is closed is told, too, and the log keeps the lines.
        let told_at_end = status.code() == Some(2) && errors.contains("e.tabiya");
        assert!(status.success() || told_at_end, "{fault:?}: {heard:?}\n{errors}");
        assert_eq!(moves(&record), played, "{fault:?} (seed {seed:#x})");
        printed(&["verify", name(&record)], 0);
        told += played;
    }
    report(&format!(
        "disks that report EIO or ENOSPC (seed {seed:#x}) | {disks} | {told} told moves, 0 lost; {outages} outages told"
    ));
    assert!(outages > 0, "no disk failed");
}

#[test]
fn a_calendar_that_jumps_by_years_costs_nobody_time() {
    // The last jump is the one at which the end is signed.
    after_jumps(["-3650d", "-20000d", "+0", "+3650d"], "2036");
    after_jumps(["+3650d", "-3650d", "+0", "-30000d"], "1970");
    report("jumps of the calendar by years, and before 1970 | 8 | clocks and record as without");
}

/// Plays moves while the calendar jumps. The end of the record is signed in this year.
fn after_jumps(jumps: [&str; 4], year: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (record, offset) = (folder.path().join("e.tabiya"), folder.path().join("offset"));
    std::fs::write(&offset, "+0").unwrap();
    let file = format!("FAKETIME_TIMESTAMP_FILE={}", name(&offset));
    let library = "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1";
    let faketime = ["env", library, &file, "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1"];
    let play = ["play", "--headless", "--plain", "--game", "chess", "--time", "300", "--record"];
    let mut table = Table::under(&faketime, &[&play[..], &[name(&record)]].concat());
    for (typed, jump) in MOVES.iter().zip(jumps) {
        table.enter_and_hear(typed, " plays ");
        table.enter("");
        std::fs::write(&offset, jump).unwrap();
    }
    let (status, heard, errors) = table.quit();
    assert_eq!(status.code(), Some(0), "{heard:?}\n{errors}");
    printed(&["verify", name(&record)], 0);
    let replayed = printed(&["replay", name(&record), "--json"], 0);
    let replayed: serde_json::Value = serde_json::from_str(&replayed).unwrap();
    assert_eq!(replayed["games"][0]["moves"].as_array().unwrap().len(), jumps.len());
    for color in ["white", "black"] {
        let left = replayed["clock_ms"][color].as_u64().unwrap();
        assert!((200_000..=300_000).contains(&left), "{color} has {left} ms left");
    }
    // The calendar did jump. A date before 1970 is signed as the first day that a signature can have.
    let heads = std::fs::read_to_string(record.with_extension("heads")).unwrap();
    let dates = || heads.split("\"at\":\"").skip(1).filter_map(|rest| rest.get(..4));
    assert!(dates().last() == Some(year) && dates().next() != Some(year), "{heads}");
}

#[test]
fn a_second_program_is_kept_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("e.tabiya");
    let play = ["play", "--headless", "--plain", "--game", "chess", "--record", name(&record)];
    let mut table = Table::start(&[&play[..], &["--time", "300"]].concat());
    table.enter_and_hear("e4", " plays ");
    for more in [&["--time", "300"][..], &["--carry-on"]] {
        let second = tabiya(&[&play[..], more].concat());
        let said = text(&second.stderr);
        assert_eq!(second.status.code(), Some(2), "{said}");
        assert!(said.contains("is being written by another program"), "{said}");
    }
    printed(&["verify", name(&record)], 0);
    table.enter("");
    table.enter_and_hear("e5", " plays ");
    let (status, ..) = table.quit();
    assert!(status.success());
    assert_eq!(moves(&record), 2);
    report("a second program on the record | 2 | refused with the first one's name, 0 lost");
}
