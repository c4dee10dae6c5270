//! A table as the service of a small computer behind a board: nobody types, the service manager hears from it, and after a
//! kill it goes on where it was.
#![cfg(unix)]

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use crate::child::{Table, name, printed, signal};
use crate::wait::PATIENCE;
use tabiya_boards::human::Profile;
use tabiya_boards::sim_host::{Script, SimHost, SimOptions};

/// A service manager at this socket: what it is told, in order.
fn manager(socket: &Path) -> Receiver<String> {
    let manager = UnixDatagram::bind(socket).unwrap();
    let (told, hears) = channel();
    // It reads for as long as the test runs: a full socket would stop the table.
    std::thread::spawn(move || {
        let mut message = [0; 64];
        while let Ok(length) = manager.recv(&mut message) {
            let _ = told.send(String::from_utf8_lossy(&message[..length]).into_owned());
        }
    });
    hears
}

fn board(link: &Path) -> SimHost {
    let link = Some(link.to_owned());
    SimHost::start(
        &SimOptions { link, profile: Profile::CLEAN, stdin: false, ..SimOptions::default() },
        |_| {},
    )
    .unwrap()
}

/// Lets the simulator carry out a line of a script, after a moment in which a person thinks.
fn order(host: &SimHost, line: &str) {
    host.order(Script::parse("wait 500").unwrap().unwrap());
    host.order(Script::parse(line).unwrap().unwrap());
}

/// Starts the table as the unit `tabiya-table@.service` does.
fn served(link: &Path, record: &Path, manager: &Path) -> Table {
    let socket = format!("NOTIFY_SOCKET={}", name(manager));
    let address = format!("dgt:{}", name(link));
    let mut table = Table::under(
        &["env", &socket, "WATCHDOG_USEC=900000"],
        &[
            "play",
            "--headless",
            "--plain",
            "--unattended",
            "--game",
            "chess",
            "--games",
            "1",
            "--time",
            "300s",
            "--board",
            &address,
            "--record",
            name(record),
        ],
    );
    table.end_input();
    table
}

#[test]
fn a_table_without_people_tells_its_manager_that_it_runs_and_goes_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (link, record, socket) = (file("board"), file("table.tabiya"), file("manager"));
    let manager = manager(&socket);
    let told = || manager.recv_timeout(PATIENCE).unwrap();
    let host = board(&link);
    let mut table = served(&link, &record, &socket);
    assert_eq!(told(), "READY=1\n");
    for _ in 0..3 {
        assert_eq!(told(), "WATCHDOG=1\n", "while nobody does anything");
    }
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    table.kill();

    let mut table = served(&link, &record, &socket);
    table.hear("touch a piece to go on");
    table.hear("a clock is connected");
    order(&host, "move e7e5 black presses");
    table.hear("resumed");
    table.hear("Black plays e7e5");
    signal("TERM", table.process());
    assert!(table.end().0.success());
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
    assert_eq!(report["games"][0]["moves"], serde_json::json!(["e2e4", "e7e5"]));
}

#[test]
fn a_table_without_people_begins_the_next_match_when_one_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (link, record, socket) = (file("board"), file("table.tabiya"), file("manager"));
    let _manager = manager(&socket);
    let host = board(&link);
    let mut table = served(&link, &record, &socket);
    table.hear("a clock is connected");
    order(&host, "press black");
    for (line, told) in [
        ("move f2f3 white presses", "White plays f2f3"),
        ("move e7e5 black presses", "Black plays e7e5"),
        ("move g2g4 white presses", "White plays g2g4"),
        ("move d8h4 black presses", "the match is over"),
    ] {
        order(&host, line);
        table.hear(told);
    }
    // The result stands until somebody sets the pieces up.
    order(&host, "setup start");
    assert!(table.end().0.success());
    let mut table = served(&link, &record, &socket);
    table.hear("a clock is connected");
    order(&host, "press black");
    order(&host, "move e2e4 white presses");
    table.hear("White plays e2e4");
    signal("TERM", table.process());
    assert!(table.end().0.success());
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["replay", name(&record), "--json"], 0)).unwrap();
    assert_eq!(report["games"][0]["moves"], serde_json::json!(["e2e4"]), "a match of its own");
}
