//! The referee's exam (`docs/referee-exam.md`): each of its situations is played as the page says, and the table says what
//! the page says.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::totals::Totals;
use crate::wait::{let_pass, wait_for};

/// How many situations are played at the same time.
const AT_ONCE: usize = 4;

/// A situation of the page: the arguments, what is typed, and what is printed.
pub(crate) struct Situation<'a> {
    title: &'a str,
    arguments: Vec<String>,
    typed: Vec<&'a str>,
    printed: Vec<&'a str>,
}

impl<'a> Situation<'a> {
    fn read(title: &'a str, block: &'a str) -> Self {
        let mut lines = block.lines();
        let arguments = words(lines.next().expect("a command"));
        let mut situation = Self { title, arguments, typed: Vec::new(), printed: Vec::new() };
        for line in lines {
            match line.strip_prefix('>') {
                // A prompt of the table begins with `> ` too, but nothing of it is on the page.
                Some(typed) => situation.typed.push(typed.strip_prefix(' ').unwrap_or(typed)),
                None => situation.printed.push(line),
            }
        }
        situation
    }

    /// A situation of a test: the command, and what is typed.
    pub(crate) fn of(command: &'a str, typed: Vec<&'a str>) -> Self {
        Self { title: command, arguments: words(command), typed, printed: Vec::new() }
    }

    /// Plays the situation. Returns what was printed.
    pub(crate) fn play(&self) -> String {
        self.play_with(&[], &[])
    }

    /// Plays the situation with more arguments, and types more lines after its own. Returns what was printed.
    fn play_with(&self, more: &[&str], later: &[&str]) -> String {
        let named = self.arguments.iter().any(|one| one == "--players");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(&self.arguments)
            .args(["--plain"])
            .args(if named { &[][..] } else { &["--players", "Ann,Bo"] })
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("standard input is open");
        let printed = Arc::new(Mutex::new(String::new()));
        let (kept, stdout) = (Arc::clone(&printed), child.stdout.take().expect("standard output is open"));
        let reader = thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                writeln!(kept.lock().expect("no reader panics"), "{}", line.expect("text")).expect("memory");
            }
        });
        for line in self.typed.iter().chain(later) {
            if let Some(millis) = line.strip_prefix('~').and_then(|waited| waited.parse().ok()) {
                let_pass(Duration::from_millis(millis));
                continue;
            }
            if let Some(waited) = line.strip_prefix('~') {
                match waited.parse() {
                    Ok(millis) => let_pass(Duration::from_millis(millis)),
                    Err(_) => wait_for(waited, || {
                        printed.lock().expect("no reader panics").contains(waited).then_some(())
                    }),
                }
                continue;
            }
            writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the program listens");
            // Each line is typed at a moment of its own, as by hand.
            let_pass(Duration::from_millis(4));
        }
        drop(stdin);
        child.wait().expect("the program ends");
        reader.join().expect("all was read");
        let printed = printed.lock().expect("no reader panics");
        printed.clone()
    }

    /// Plays the situation, and compares what is printed with the page, and the totals with totals that are computed a second
    /// way. `Err` says how they differ.
    fn check(&self, folder: &Path, number: usize) -> Result<(), String> {
        let record = folder.join(format!("{number}.tabiya"));
        let path = record.to_str().expect("a path of letters");
        let output = self.play_with(&["--record", path], &["results"]);
        let mut lines = output.lines();
        for wanted in &self.printed {
            if !lines.any(|line| line.ends_with(wanted)) {
                return Err(format!("not printed, or not in this order: {wanted}\n{output}"));
            }
        }
        let totals = Totals::read(&record, "1");
        let standing = totals.standing();
        if !output.lines().any(|line| line == standing) {
            return Err(format!("the standing is not {standing}\n{output}"));
        }
        totals.check()
    }
}

/// The words of a command; an argument in braces or a FEN has spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in command.split(" --").enumerate() {
        match part {
            (0, first) => words.push(first.to_owned()),
            (_, option) => match option.split_once(' ') {
                Some((name, value)) => words.extend([format!("--{name}"), value.to_owned()]),
                None => words.push(format!("--{option}")),
            },
        }
    }
    words
}

#[test]
fn the_table_says_what_the_exam_says() {
    let page = include_str!("../../docs/referee-exam.md");
    let situations: Vec<Situation<'_>> = page
        .split("\n## ")
        .skip(1)
        .map(|part| {
            let (title, rest) = part.split_once('\n').expect("a title");
            let (source, rest) = rest.split_once("```exam\n").expect("a block");
            assert!(source.trim().ends_with(['.', ')']), "{title}: a sentence names the article or the rule");
            Situation::read(title, rest.split("```").next().expect("a block"))
        })
        .collect();
    assert!(situations.len() >= 100, "{}", situations.len());
    let folder = tempfile::tempdir().expect("a folder");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let play_on = || {
        while let Some((number, situation)) = Some(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|number| Some((number, situations.get(number)?)))
        {
            let title = situation.title;
            assert!(!situation.printed.is_empty(), "{title}: nothing is checked");
            if let Err(how) = situation.check(folder.path(), number) {
                wrong.lock().expect("a list").push(format!("{title}: {how}"));
            }
        }
    };
    // Most situations wait for a clock or for the program to start, so several are played at once.
    thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(play_on))));
    let wrong = wrong.into_inner().expect("a list");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), situations.len(), wrong.join("\n\n"));
}
