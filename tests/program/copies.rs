//! The second copy of a record (`play --copy`), and one whole record out of two damaged ones (`tabiya salvage A B`).

use std::fs;
use std::path::{Path, PathBuf};

use crate::child::{Table, name, printed, simulated, tabiya, text};
use crate::tries::report;

/// The record's file and the folder of its copy, and a chess match that is kept in both.
fn copied(folder: &Path) -> (PathBuf, PathBuf, Table) {
    let (record, other) = (folder.join("e.tabiya"), folder.join("stick"));
    fs::create_dir(&other).unwrap();
    let table = playing(&record, &other, &["--game", "chess"]);
    (record, other, table)
}

fn playing(record: &Path, other: &Path, more: &[&str]) -> Table {
    let kept = ["play", "--headless", "--plain", "--record", name(record), "--copy", name(other)];
    Table::start(&[&kept[..], more].concat())
}

fn is_same(record: &Path, copy: &Path) {
    printed(&["verify", name(copy)], 0);
    assert_eq!(printed(&["export", name(copy)], 0), printed(&["export", name(record)], 0));
}

#[test]
fn every_line_is_in_the_second_copy_too() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other, mut table) = copied(folder.path());
    table.enter_and_hear("e4", "White plays e2e4");
    table.enter_and_hear("e5", "Black plays e7e5");
    assert!(table.quit().0.success());
    is_same(&record, &other.join("e.tabiya"));
    assert!(fs::exists(other.join("e.heads")).unwrap(), "the signatures are copied too");
}

#[test]
fn a_copy_whose_folder_is_gone_stops_nothing_and_catches_up() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other, mut table) = copied(folder.path());
    let away = folder.path().join("away");
    table.enter_and_hear("e4", "White plays e2e4");
    fs::rename(&other, &away).unwrap();
    table.enter_and_hear("e5", "Black plays e7e5");
    table.hear("cannot be written: ");
    table.enter_and_hear("Nf3", "White plays g1f3");
    fs::rename(&away, &other).unwrap();
    table.hear("is written again");
    table.enter_and_hear("Nc6", "Black plays b8c6");
    assert!(table.quit().0.success());
    is_same(&record, &other.join("e.tabiya"));
    report("the folder of the second copy gone and back | 1 | the match went on, the copy is whole");
}

#[test]
fn a_copy_goes_on_where_it_stopped_and_never_over_another_record() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other, mut table) = copied(folder.path());
    table.enter_and_hear("e4", "White plays e2e4");
    table.kill();
    let mut table = playing(&record, &other, &["--carry-on"]);
    table.enter_and_hear("e5", "Black plays e7e5");
    assert!(table.quit().0.success());
    is_same(&record, &other.join("e.tabiya"));
    // An older record, carried on another way, is another record: the copy that has more stays.
    let before = printed(&["export", name(&other.join("e.tabiya"))], 0);
    let new = folder.path().join("new.tabiya");
    simulated(&new, 1, &[]);
    fs::rename(&new, &record).unwrap();
    fs::rename(new.with_extension("heads"), record.with_extension("heads")).unwrap();
    let mut table = playing(&record, &other, &["--new", "--game", "chess"]);
    table.enter_and_hear("d4", "White plays d2d4");
    assert!(table.quit().0.success());
    assert_eq!(printed(&["export", name(&other.join("e.tabiya"))], 0), before);
    is_same(&record, &other.join("e-2.tabiya"));
}

#[test]
fn two_tables_at_once_whose_records_have_one_name_have_a_copy_each() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("stick");
    let records = ["hall", "study"].map(|room| folder.path().join(room).join("e.tabiya"));
    for record in &records {
        fs::create_dir(record.parent().unwrap()).unwrap();
    }
    fs::create_dir(&other).unwrap();
    let mut tables = records.each_ref().map(|record| {
        let mut table = playing(record, &other, &["--game", "chess"]);
        table.enter_and_hear("e4", "White plays e2e4");
        table
    });
    for table in &mut tables {
        table.enter_and_hear("e5", "Black plays e7e5");
    }
    for table in tables {
        let (status, heard, errors) = table.quit();
        assert!(status.success(), "{heard:?} {errors}");
    }
    let exported = |path: &Path| printed(&["export", name(path)], 0);
    let mut copies = ["e.tabiya", "e-2.tabiya"].map(|copy| exported(&other.join(copy)));
    let mut kept = records.each_ref().map(|record| exported(record));
    copies.sort();
    kept.sort();
    assert_eq!(copies, kept);
}

#[cfg(unix)]
#[test]
fn a_copy_beside_its_record_is_refused_before_the_match() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let record = folder.path().join("e.tabiya");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    for named in [folder.path().to_owned(), folder.path().join("."), link] {
        let done = tabiya(&["play", "--headless", "--record", name(&record), "--copy", name(&named)]);
        let told = text(&done.stderr);
        assert!(
            done.status.code() == Some(2)
                && told.contains("the record is in this folder already; name another folder"),
            "{told}"
        );
        assert!(!record.exists());
    }
}

#[test]
fn of_two_damaged_copies_one_whole_record_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (record, other) = (folder.path().join("e.tabiya"), folder.path().join("stick"));
    fs::create_dir(&other).unwrap();
    simulated(&record, 2, &["--copy", name(&other)]);
    let copy = other.join("e.tabiya");
    is_same(&record, &copy);
    let whole = printed(&["export", name(&record)], 0);
    // Every second page of one file is overwritten, and the other pages of the other file.
    for (path, odd) in [(&record, 0), (&copy, 1)] {
        let mut bytes = fs::read(path).unwrap();
        for (_, page) in bytes.chunks_mut(4096).enumerate().filter(|(nth, _)| nth % 2 == odd) {
            page.fill(0x55);
        }
        fs::write(path, bytes).unwrap();
    }
    let out = folder.path().join("out.tabiya");
    let alone = tabiya(&["salvage", name(&record), "--out", name(&out)]);
    assert_eq!(alone.status.code(), Some(1), "{}", text(&alone.stderr));
    fs::remove_file(&out).unwrap();
    let said = printed(&["salvage", name(&record), name(&copy), "--out", name(&out)], 0);
    assert!(said.contains("no line is missing"), "{said}");
    assert_eq!(printed(&["export", name(&out)], 0), whole);
    printed(&["verify", name(&out)], 0);
}

#[test]
fn a_file_that_is_named_for_the_copy_is_told_to_be_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (record, file) = (folder.path().join("e.tabiya"), folder.path().join("stick"));
    fs::write(&file, "not a folder").unwrap();
    let done = tabiya(&["play", "--headless", "--record", name(&record), "--copy", name(&file)]);
    assert!(
        done.status.code() == Some(2) && text(&done.stderr).contains("stick: this is a file; name a folder")
    );
    assert!(!record.exists() && fs::read(&file).unwrap() == b"not a folder");
}
