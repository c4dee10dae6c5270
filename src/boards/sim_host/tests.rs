//! Tests of the host over real pseudo-terminals and sockets.
#![expect(clippy::disallowed_methods, reason = "these tests wait for a board that lives in real time")]

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Instant as RealInstant;

use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::*;
use crate::makers::dgt::codec::{DgtDecoder, DgtMessage};
use crate::waiting::{PATIENCE, until};

fn options() -> SimOptions {
    SimOptions { stdin: false, profile: Profile::CLEAN, ..SimOptions::default() }
}

fn quiet(options: &SimOptions) -> SimHost {
    SimHost::start(options, |_| {}).expect("a host")
}

fn open(path: &Path) -> File {
    let flags = OFlag::O_NOCTTY.bits();
    OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).expect("a port")
}

/// Reads messages until `wanted` accepts one, and returns that message.
fn await_message(port: &mut (impl Read + AsFd), wanted: impl Fn(&DgtMessage) -> bool) -> DgtMessage {
    let mut decoder = DgtDecoder::new();
    let end = RealInstant::now() + PATIENCE;
    loop {
        let left = end.saturating_duration_since(RealInstant::now());
        let timeout = PollTimeout::try_from(left).expect("a short time");
        let ready = poll(&mut [PollFd::new(port.as_fd(), PollFlags::POLLIN)], timeout).expect("poll");
        assert!(ready > 0, "nothing came");
        let mut buffer = [0; 256];
        let got = port.read(&mut buffer).expect("bytes");
        assert!(got > 0, "the line is closed");
        for byte in buffer.into_iter().take(got) {
            if let Some(Ok(message)) = decoder.push(byte)
                && wanted(&message)
            {
                return message;
            }
        }
    }
}

#[test]
fn a_dump_comes_over_a_real_pseudo_terminal() {
    let host = quiet(&options());
    let mut port = open(host.port().expect("a pseudo-terminal"));
    port.write_all(&[0x40, 0x42]).expect("written");
    let dump = await_message(&mut port, |message| matches!(message, DgtMessage::Dump(_)));
    assert_eq!(dump, DgtMessage::Dump(options().setup.board));
    host.end().expect("a good end");
}

#[test]
fn a_dump_comes_over_tcp() {
    let host = quiet(&SimOptions { tcp: Some("127.0.0.1:0".to_owned()), ..options() });
    assert_eq!(host.port(), None);
    let mut port = TcpStream::connect(host.address().expect("an address")).expect("a connection");
    port.write_all(&[0x42]).expect("written");
    await_message(&mut port, |message| matches!(message, DgtMessage::Dump(_)));
}

#[test]
fn the_link_is_there_while_the_board_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    std::os::unix::fs::symlink("/nowhere", &link).expect("a stale link");
    let host = quiet(&SimOptions { link: Some(link.clone()), ..options() });
    assert_eq!(fs::read_link(&link).ok().as_deref(), host.port());
    drop(host);
    assert!(fs::symlink_metadata(&link).is_err());
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn a_file_in_the_links_place_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("notes");
    fs::write(&link, "precious").expect("a file");
    let refused = SimHost::start(&SimOptions { link: Some(link.clone()), ..options() }, |_| {});
    assert!(matches!(refused, Err(SimError::LinkTaken { .. })));
    assert_eq!(fs::read_to_string(&link).expect("the file"), "precious");
}

#[test]
fn a_script_waits_for_a_program_and_then_moves() {
    let host = quiet(&options());
    for line in ["wait host", "move e2e4 white presses", "move e7e5"] {
        host.order(Script::parse(line).expect("a command").expect("not empty"));
    }
    let mut port = open(host.port().expect("a pseudo-terminal"));
    port.write_all(&[0x4B]).expect("written");
    await_message(&mut port, |message| matches!(message, DgtMessage::Field { piece: None, .. }));
    await_message(&mut port, |message| matches!(message, DgtMessage::Field { piece: Some(_), .. }));
    await_message(
        &mut port,
        |message| matches!(message, DgtMessage::Clock(clock) if clock.status.right_up()),
    );
    let board = host.settle().expect("a board");
    assert_eq!(board.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn tasks_are_played_by_hand() {
    let before = options().setup.board;
    let after = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R".parse().expect("a board");
    let host = quiet(&options());
    let task = Task::new(before, after, Color::White, Instant::from_millis(9_000_000));
    host.play(vec![Task { thinking: Millis(10), ..task }]);
    assert_eq!(host.settle(), Some(after));
}

#[test]
fn a_pulled_plug_takes_the_link_away_and_brings_it_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    let host = quiet(&SimOptions { link: Some(link.clone()), ..options() });
    host.order(ScriptCommand::Unplug(None));
    until(|| fs::symlink_metadata(&link).is_err());
    host.order(ScriptCommand::Plug);
    until(|| fs::symlink_metadata(&link).is_ok());
    let mut port = open(&link);
    port.write_all(&[0x4D]).expect("written");
    await_message(&mut port, |message| matches!(message, DgtMessage::Version(_)));
}

#[test]
fn show_prints_the_board() {
    let (said, heard) = mpsc::channel();
    let host = SimHost::start(&options(), move |text: &str| {
        let _ = said.send(text.to_owned());
    });
    let host = host.expect("a host");
    host.order(ScriptCommand::Lift("e3".parse().expect("a square")));
    host.order(ScriptCommand::Show);
    assert_eq!(heard.recv_timeout(PATIENCE).ok().as_deref(), Some("no piece stands on e3"));
    let shown = heard.recv_timeout(PATIENCE).expect("a board");
    assert!(shown.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n"), "{shown}");
    assert!(shown.ends_with("   a b c d e f g h"), "{shown}");
}

#[test]
fn quit_ends_the_host() {
    let mut host = quiet(&options());
    host.order(ScriptCommand::Quit);
    wait_for_end(&mut host.ended).expect("an end");
    assert_eq!(host.settle(), None);
}

#[test]
fn a_script_file_with_a_wrong_line_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("evening.txt");
    fs::write(&script, "# an evening\nsetup start\nhop e2\n").expect("a file");
    let error = run(&SimOptions { script: Some(script.clone()), ..options() }).expect_err("a wrong line");
    assert_eq!(
        error.to_string(),
        format!("{}, line 3: `hop` is not a command; `help` lists the commands", script.display())
    );
}

#[test]
fn run_carries_out_a_script_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("evening.txt");
    fs::write(&script, "setup choker\nput a1 R\nquit\n").expect("a file");
    run(&SimOptions { script: Some(script), ..options() }).expect("a good end");
}
