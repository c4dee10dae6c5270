//! The program and the services of a desktop, which are simulated on a private message bus: what the program asks of
//! them, and that nothing of it is left when the program is gone.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use tabiya_store::settings::{Appearance, Settings};
use tabiya_window::theme::Theme;

use super::display::Picture;
use super::program::{Place, Window};
use crate::child::{name, printed};
use crate::desktop_services::{NOTIFICATIONS, PORTAL, SCREEN, Services};
use crate::wait::{let_pass, wait_for};

const CHESS: [&str; 7] = ["play", "--game", "chess", "--time", "300", "--players", "Ann,Bo"];

fn place(services: &Services) -> Place {
    Place { bus: Some(services.address()), ..Place::new() }
}

/// Plays White's first move, so that Black's clock runs.
fn first_move(window: &Window<'_>) {
    window.carry("e2", "e4");
    window.done(1);
    window.key("space");
    window.done(2);
}

#[test]
fn the_computer_stays_awake_exactly_while_a_clock_runs() {
    let services = Services::start(&[SCREEN, NOTIFICATIONS, PORTAL]);
    let place = place(&services);
    let window = place.open(&CHESS);
    assert!(services.asked().awake.is_empty());
    first_move(&window);
    services.wait("awake", |asked| asked.awake.len() == 1);
    window.key("ctrl+p");
    window.done(3);
    services.wait("asleep", |asked| asked.awake.is_empty());
    window.key("ctrl+p");
    window.done(4);
    services.wait("awake again", |asked| asked.awake.len() == 1);
    assert_eq!(window.close().code(), Some(0));
    services.wait("nothing left", |asked| asked.awake.is_empty());
    assert_eq!((services.count("Inhibit"), services.count("UnInhibit")), (2, 1));
}

#[test]
fn without_a_screen_saver_the_portal_keeps_the_computer_awake() {
    let services = Services::start(&[PORTAL]);
    let place = place(&services);
    let window = place.open(&CHESS);
    first_move(&window);
    services.wait("awake", |asked| asked.portal_awake.len() == 1);
    window.key("ctrl+p");
    services.wait("asleep", |asked| asked.portal_awake.is_empty());
    assert_eq!(services.count("Close"), 1);
    window.kill();
}

#[test]
fn after_a_kill_nothing_keeps_the_computer_awake() {
    let services = Services::start(&[SCREEN, NOTIFICATIONS, PORTAL]);
    let place = place(&services);
    let window = place.open(&CHESS);
    first_move(&window);
    services.wait("awake", |asked| asked.awake.len() == 1);
    window.kill();
    services.wait("nothing left", |asked| asked.awake.is_empty());
    assert_eq!(services.count("UnInhibit"), 0, "the bus forgets it, nobody has to say so");
}

#[test]
fn a_record_is_chosen_in_the_desktops_dialog_and_nothing_stays_open_after_a_kill() {
    let services = Services::start(&[SCREEN, NOTIFICATIONS, PORTAL]);
    let place = place(&services);
    let window = place.open(&CHESS);
    first_move(&window);
    let copy = place.file_beside("copy.jsonl");
    std::fs::write(&copy, printed(&["export", name(&place.file()), "--format", "jsonl"], 0)).unwrap();
    let before = window.look("the table", Picture::board);
    // The dialog is known only when the portal has answered.
    wait_for("a dialog", || {
        window.key("ctrl+o");
        (services.count("OpenFile") > 0).then_some(())
    });
    services.wait("an open dialog", |asked| !asked.choosers.is_empty());
    // Meanwhile the table goes on.
    window.key("ctrl+p");
    window.done(3);
    // Nobody chooses a file in less time.
    let_pass(Duration::from_millis(500));
    services.choose(name(&copy));
    window.look("the record's page", |picture| (picture.board() != Some(before)).then_some(()));
    window.keep("record-from-a-file");
    // No kill leaves a dialog open.
    window.key("ctrl+o");
    services.wait("an open dialog", |asked| !asked.choosers.is_empty());
    window.kill();
    services.wait("nothing left", |asked| asked.choosers.is_empty() && asked.awake.is_empty());
}

#[test]
fn the_window_has_the_look_of_the_desktop() {
    let services = Services::start(&[PORTAL]);
    let place = place(&services);
    let ground = |look| {
        let ground = Theme::of(look).ground;
        vec![ground.r(), ground.g(), ground.b()]
    };
    services.change_look(2);
    let window = place.open(&[]);
    for look in [(2, Appearance::Light), (1, Appearance::Dark), (2, Appearance::Light)] {
        services.change_look(look.0);
        window.look("the look", |picture| (picture.color((3, 700)) == ground(look.1)).then_some(()));
    }
    window.keep("look-of-the-desktop");
    assert_eq!(window.close().code(), Some(0));
}

#[test]
fn the_desktops_wish_for_reduced_motion_is_reported_with_each_change() {
    let services = Services::start(&[PORTAL]);
    let mut serve = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["desktop", "serve"])
        .env("DBUS_SESSION_BUS_ADDRESS", services.address())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(serve.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut next = || lines.find(|line| line.contains("still"));
    assert_eq!(next().as_deref(), Some(r#"{"still":false}"#));
    for (motion, report) in [(1, r#"{"still":true}"#), (0, r#"{"still":false}"#)] {
        services.change_motion(motion);
        assert_eq!(next().as_deref(), Some(report));
    }
    drop(serve.stdin.take());
    assert!(serve.wait().unwrap().success());
}

#[test]
fn an_alert_is_notified_once_and_withdrawn_when_it_is_answered() {
    let services = Services::start(&[SCREEN, NOTIFICATIONS, PORTAL]);
    let place = place(&services);
    let event = ["--time", "3 s", "--voice", "event"];
    let window = place.open(&[&CHESS[..3], &event, &CHESS[5..]].concat());
    first_move(&window);
    window.minimise();
    // At an event only the arbiter is told that Black's flag has fallen.
    services.wait("a notification", |asked| {
        asked.shown.values().map(String::as_str).eq(["The arbiter is needed: Ann – Bo"])
    });
    window.bring_back();
    window.begin_typing();
    window.line("black resigns");
    // The input line keeps the keyboard, so the answer is typed as well.
    window.line("yes");
    services.wait("no notification", |asked| asked.shown.is_empty());
    assert_eq!((services.count("Notify"), services.count("CloseNotification")), (1, 1));
    assert_eq!(window.close().code(), Some(0));
}

#[test]
fn no_notification_outlives_a_kill() {
    let services = Services::start(&[NOTIFICATIONS]);
    let place = place(&services);
    let event = ["--time", "3 s", "--voice", "event"];
    let window = place.open(&[&CHESS[..3], &event, &CHESS[5..]].concat());
    first_move(&window);
    window.minimise();
    services.wait("a notification", |asked| asked.shown.len() == 1);
    window.kill();
    services.wait("no notification", |asked| asked.shown.is_empty());
}

#[test]
fn a_sound_is_given_whole_to_a_program_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard.wav");
    let player = folder.path().join("pw-play");
    std::fs::write(&player, format!("#!/bin/sh\nexec cat >'{}'\n", name(&heard))).unwrap();
    std::fs::set_permissions(&player, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", name(folder.path()), std::env::var("PATH").unwrap());
    let place = Place { path: Some(path), ..Place::new() };
    let settings = place.folder.path().join("config/settings.json");
    Settings { sounds: true, ..Settings::load(&settings).0 }.save(&settings).unwrap();
    let window = place.open(&CHESS);
    first_move(&window);
    let wav = wait_for("a sound", || std::fs::read(&heard).ok().filter(|wav| wav.len() > 44));
    assert!(wav.starts_with(b"RIFF"));
    assert_eq!(window.close().code(), Some(0));
}
