//! Files that people choose: with the desktop's dialog, by a typed path, or by dropping them on the window.

use std::path::Path;
use std::sync::Arc;

use egui::Key;
use tabiya_window::Page;
use tabiya_window::desktop::Purpose;

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// A match with one move, with a desktop that has a dialog for files.
fn at_a_match() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.line("e4");
    screens.key(Key::Escape);
    screens.harness.state_mut().shell.chooser = true;
    screens
}

#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn turn_to(screens: &mut Screens, page: Page) {
    screens.harness.state_mut().shell.page = page;
    screens.harness.run();
}

/// Drops a file on the window.
fn drop_file(screens: &mut Screens, path: &Path) {
    screens.harness.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    screens.harness.run();
    screens.wait(50);
}

#[test]
fn an_export_goes_where_the_dialog_says_and_may_replace_what_is_there() {
    let mut screens = at_a_match();
    turn_to(&mut screens, Page::Record);
    screens.click("Export");
    screens.click("Write PGN");
    let shell = &mut screens.harness.state_mut().shell;
    let questions = shell.take_questions();
    let [(number, ask)] = &questions[..] else { panic!("{questions:?}") };
    assert_eq!((ask.purpose, ask.name.as_str()), (Purpose::Save, "2026-10-03 Ann-Bo.pgn"));
    let path = screens.folder.path().join("mine.pgn");
    std::fs::write(&path, "old").unwrap();
    screens.harness.state_mut().shell.chosen(*number, Some(path.clone()));
    screens.harness.run();
    screens.wait(50);
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. e4"));
    assert!(screens.shows("mine.pgn"));
}

#[test]
fn a_dialog_that_was_cancelled_writes_nothing_and_a_typed_name_needs_none() {
    let mut screens = at_a_match();
    turn_to(&mut screens, Page::Record);
    screens.click("Export");
    screens.click("Write PGN");
    let shell = &mut screens.harness.state_mut().shell;
    let (number, _) = shell.take_questions().remove(0);
    shell.chosen(number, None);
    screens.harness.run();
    assert!(!screens.folder.path().join("2026-10-03 Ann-Bo.pgn").exists());
    screens.fill("File", "typed");
    screens.click("Write PGN");
    assert!(screens.harness.state_mut().shell.take_questions().is_empty());
    assert!(screens.folder.path().join("typed.pgn").exists());
}

#[test]
fn every_dialog_gets_its_own_answer_and_without_a_desktop_there_is_none() {
    let mut screens = at_a_match();
    screens.ctrl(Key::O);
    screens.ctrl(Key::O);
    let shell = &mut screens.harness.state_mut().shell;
    let numbers: Vec<u64> = shell.take_questions().into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [1, 2]);
    for number in numbers {
        screens.harness.state_mut().shell.chosen(number, Some(format!("/no{number}.jsonl").into()));
        screens.wait(50);
        screens.wait(50);
        assert!(screens.shows(&format!("/no{number}.jsonl: there is no such file")));
    }
    screens.harness.state_mut().shell.chooser = false;
    screens.ctrl(Key::O);
    assert!(screens.harness.state_mut().shell.take_questions().is_empty());
}

#[test]
fn a_record_that_is_dropped_is_shown() {
    let mut screens = at_a_match();
    turn_to(&mut screens, Page::Record);
    screens.click("Export");
    screens.fill("File", "copy");
    screens.click("Write JSON Lines");
    let lines = screens.folder.path().join("copy.jsonl");
    let journal = std::fs::read_dir(screens.folder.path()).unwrap().map(|file| file.unwrap().path());
    let journal =
        journal.into_iter().find(|path| path.extension().is_some_and(|end| end == "tabiya")).unwrap();
    turn_to(&mut screens, Page::Table);
    for record in [lines, journal] {
        drop_file(&mut screens, &record);
        assert!(screens.harness.state().desk.snapshot(screens.harness.state().now).shows_other_match);
        screens.wish(tabiya_app::desk::Wish::StopViewing);
        turn_to(&mut screens, Page::Table);
    }
}

#[test]
fn what_is_no_record_gets_one_sentence() {
    let mut screens = at_a_match();
    let path = screens.folder.path().join("picture.png");
    std::fs::write(&path, [0x89, 0x50, 0xff, 0x00]).unwrap();
    for (path, told) in [
        (path.clone(), "picture.png: this is no record that can be shown (it is not text); choose a file"),
        (screens.folder.path().join("gone.tabiya"), "gone.tabiya: there is no such file"),
        (screens.folder.path().to_owned(), "this is not a file"),
    ] {
        drop_file(&mut screens, &path);
        assert!(screens.shows(told), "{told}: {:?}", screens.labels());
        assert!(!screens.harness.state().desk.snapshot(screens.harness.state().now).shows_other_match);
    }
}

#[test]
fn without_a_dialog_the_name_of_a_record_is_typed() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Record);
    screens.click("Records");
    assert!(!screens.shows("Look at a record"), "there is no dialog");
    screens.fill("Record file", "~/nothing.tabiya");
    screens.click("Look at this file");
    assert!(screens.shows("nothing.tabiya: there is no such file"));
}

#[test]
fn every_sound_has_a_button_to_hear_it() {
    let mut screens = Screens::open(WINDOW);
    turn_to(&mut screens, Page::Settings);
    let buttons = screens.pressables();
    for what in [
        "White presses the clock",
        "Black presses the clock",
        "Little time left",
        "The next stage or period",
        "A flag falls",
        "Something is refused",
        "A game is over",
        "A card is turned over",
        "Chips go into the pot",
        "The arbiter is needed",
    ] {
        let button = format!("Hear: {what}");
        assert!(buttons.contains(&button), "{buttons:?}");
        screens.click_by_name(&button);
    }
}
