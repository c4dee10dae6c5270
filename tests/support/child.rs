//! The program as people run it: a child process whose lines are read while it runs.
//!
//! Every wait is for a printed line or for the end of the process, with a deadline that only a broken program reaches.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::disallowed_methods, reason = "a program that runs is waited for in real time")]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::wait::PATIENCE;

/// The name under which the test runner knows the test whose body is the closure `F`.
pub(crate) fn test_name<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let (_binary, test) = path.split_once("::").expect("a closure inside a test");
    test.trim_end_matches("::{{closure}}")
}

/// The settings folder of this test process, outside of any home folder. Files that an earlier process with the same
/// id has left there are removed first.
pub(crate) fn config() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let empty = || {
        let name = format!("config-{}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => panic!("{}: {error}", folder.display()),
            Ok(()) | Err(_) => folder,
        }
    };
    FOLDER.get_or_init(empty).clone()
}

/// A command that runs the program with the test's own folders for settings and data, `under` another program if one is
/// named.
fn program(under: &[&str], arguments: &[&str]) -> Command {
    build(env!("CARGO_BIN_EXE_tabiya"), under, arguments)
}

/// The same as a command that is not started yet.
pub(crate) fn program_of(under: &[&str], arguments: &[&str]) -> Command {
    program(under, arguments)
}

/// The same for another build of the program.
fn build(path: &str, under: &[&str], arguments: &[&str]) -> Command {
    let all = [under, &[path], arguments].concat();
    let mut program = Command::new(all[0]);
    program.args(&all[1..]).env("TABIYA_CONFIG", config());
    if std::env::var_os("TABIYA_DATA").is_none() {
        program.env("TABIYA_DATA", config());
    }
    program
}

/// Runs the program to its end.
pub(crate) fn tabiya(arguments: &[&str]) -> Output {
    build_of(Path::new(env!("CARGO_BIN_EXE_tabiya")), arguments)
}

/// Runs another build of the program to its end.
pub(crate) fn build_of(path: &Path, arguments: &[&str]) -> Output {
    build(name(path), &[], arguments).stdin(Stdio::null()).output().expect("the program starts")
}

/// Runs this command to its end, with this text typed into it.
pub(crate) fn typed_into(command: &mut Command, typed: &str) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    // A program that refuses at once does not listen.
    let _ = child.stdin.take().expect("it is piped").write_all(typed.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Runs the program to its end, asserts its exit status, and returns its standard output.
pub(crate) fn printed(arguments: &[&str], status: i32) -> String {
    let done = tabiya(arguments);
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(status), "{arguments:?}\n{out}\n{err}");
    out
}

/// Plays a match of this many games between simulated hands into a record. `more`: further arguments.
pub(crate) fn simulated(record: &Path, games: u32, more: &[&str]) {
    let games = games.to_string();
    let played =
        ["play", "--headless", "--board", "sim", "--seed", "7", "--time", "300+5", "--games", &games];
    printed(&[&played[..], &["--record", name(record)], more].concat(), 0);
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn name(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

/// Sends a signal, such as `TERM`, to a process.
pub(crate) fn signal(word: &str, process: u32) {
    let sent = Command::new("kill").args([format!("-{word}"), process.to_string()]).status();
    assert!(sent.expect("kill is installed").success(), "{word} to {process}");
}

/// A running `tabiya play --plain`.
pub(crate) struct Table {
    child: Child,
    stdin: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    /// All lines that it has printed so far.
    pub(crate) heard: Vec<String>,
    /// The index of the first line that `hear` has not looked at.
    cursor: usize,
    errors: Option<JoinHandle<String>>,
}

impl Table {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::under(&[], arguments)
    }

    /// Starts a table under another program, such as `strace`.
    pub(crate) fn under(other: &[&str], arguments: &[&str]) -> Self {
        Self::typed(program(other, arguments))
    }

    /// Starts a table of another build of the program.
    pub(crate) fn of_build(path: &Path, arguments: &[&str]) -> Self {
        Self::typed(build(name(path), &[], arguments))
    }

    fn typed(program: Command) -> Self {
        let mut table = Self::reading(program, Stdio::piped());
        table.stdin = table.child.stdin.take().map(|stdin| Box::new(stdin) as _);
        table
    }

    /// Starts a table whose lines are typed at a terminal.
    #[cfg(unix)]
    pub(crate) fn at_a_terminal(arguments: &[&str]) -> Self {
        let pty = nix::pty::openpty(None, None).expect("a pseudo-terminal");
        let mut table = Self::reading(program(&[], arguments), Stdio::from(pty.slave));
        table.stdin = Some(Box::new(std::fs::File::from(pty.master)));
        table
    }

    fn reading(mut program: Command, stdin: Stdio) -> Self {
        let mut child = program
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut err = child.stderr.take().expect("it is piped");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = err.read_to_string(&mut text);
            text
        });
        Self { child, stdin: None, lines, heard: Vec::new(), cursor: 0, errors: Some(errors) }
    }

    /// The process id, for signals.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Types a line.
    pub(crate) fn enter(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the program listens");
    }

    /// Nobody will type anything more.
    pub(crate) fn end_input(&mut self) {
        self.stdin = None;
    }

    /// Types a line, then waits for a printed line that contains `wanted`.
    pub(crate) fn enter_and_hear(&mut self, line: &str, wanted: &str) -> String {
        self.enter(line);
        self.hear(wanted)
    }

    /// Waits until a line that contains `wanted` is printed, and returns the line. Lines up to the one that the
    /// previous call returned are skipped.
    pub(crate) fn hear(&mut self, wanted: &str) -> String {
        self.hear_one_of(&[wanted])
    }

    /// The same for a line that contains one of these.
    pub(crate) fn hear_one_of(&mut self, wanted: &[&str]) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            while let Some(line) = self.heard.get(self.cursor) {
                self.cursor += 1;
                if wanted.iter().any(|wanted| line.contains(wanted)) {
                    return line.clone();
                }
            }
            let patience = until.saturating_duration_since(Instant::now());
            if let Ok(line) = self.lines.recv_timeout(patience) {
                self.heard.push(line);
            } else {
                let _ = self.child.kill();
                let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default());
                panic!("the program never printed {wanted:?}:\n{}\n{errors:?}", self.heard.join("\n"));
            }
        }
    }

    /// Waits until at least `times` of the lines printed since the start contain `wanted`.
    pub(crate) fn heard_by_now(&mut self, wanted: &str, times: usize) {
        while self.heard.iter().filter(|line| line.contains(wanted)).count() < times {
            let cursor = self.cursor;
            self.cursor = self.heard.len();
            self.hear(wanted);
            self.cursor = cursor;
        }
    }

    /// Kills the process (`kill -9`) and returns all lines that it printed.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        self.heard.extend(self.lines.iter());
        std::mem::take(&mut self.heard)
    }

    /// Types `quit` and waits for the end. If a game is running, the program asks before it ends. Returns the status, the printed lines and standard error.
    pub(crate) fn quit(mut self) -> (ExitStatus, Vec<String>, String) {
        self.enter("quit");
        // Without a running game the program has ended already, and nobody listens any more.
        if let Some(stdin) = self.stdin.as_mut() {
            let _ = writeln!(stdin, "yes").and_then(|()| stdin.flush());
        }
        self.end()
    }

    /// Waits for the end. Returns the status, the printed lines and standard error.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        let status = self.child.wait().expect("it ends");
        self.heard.extend(self.lines.iter());
        let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default()).unwrap_or_default();
        (status, std::mem::take(&mut self.heard), errors)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // A test that failed leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
