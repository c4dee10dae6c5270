//! The referee's exam (`docs/referee-exam.md`): each of its situations is played as the page says, and the table says what
//! the page says.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::wait::let_pass;

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
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(&self.arguments)
            .args(["--plain"])
            .args(if self.arguments.iter().any(|one| one == "--players") {
                &[][..]
            } else {
                &["--players", "Ann,Bo"]
            })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("standard input is open");
        for line in &self.typed {
            if let Some(millis) = line.strip_prefix('~') {
                let_pass(Duration::from_millis(millis.parse().expect("milliseconds")));
                continue;
            }
            writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the program listens");
            // Each line is typed at a moment of its own, as by hand.
            let_pass(Duration::from_millis(4));
        }
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        String::from_utf8(output.stdout).expect("text")
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
            let block = rest.split("```exam\n").nth(1).and_then(|rest| rest.split("```").next());
            Situation::read(title, block.expect("a block"))
        })
        .collect();
    assert!(situations.len() >= 50, "{}", situations.len());
    let mut wrong = Vec::new();
    for situation in &situations {
        assert!(!situation.printed.is_empty(), "{}: nothing is checked", situation.title);
        let output = situation.play();
        let mut lines = output.lines();
        for wanted in &situation.printed {
            if !lines.any(|line| line.ends_with(wanted)) {
                wrong.push(format!(
                    "{}: not printed, or not in this order: {wanted}\n{output}",
                    situation.title
                ));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), situations.len(), wrong.join("\n\n"));
}
