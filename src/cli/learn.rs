//! `tabiya learn`: a first match of Choker, step by step, in the terminal. It can be left and gone on with.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use tabiya_app::lesson::Lesson;
use tabiya_app::snapshot::Snapshot;
use tabiya_boards::typed;
use tabiya_store::disk::read_bounded;
use tabiya_store::disk::write_whole;
use tabiya_store::folders;
use tabiya_text::Words;
use tabiya_types::{Instant, say};

use super::language::LanguageArgument;
use super::output::{ExitFailure, print_line};

/// The file in the folder of records that says how far the lesson has come.
const PLACE: &str = "lesson";
/// The longest such file that is read, in bytes: it has one number.
const LONGEST_PLACE: u64 = 32;

/// Arguments of `tabiya learn`.
#[derive(Debug, clap::Args)]
pub(super) struct LearnArguments {
    /// Begin again, even if the lesson was left in the middle.
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    language: LanguageArgument,
}

pub(super) fn run(arguments: &LearnArguments) -> Result<(), ExitFailure> {
    let words = arguments.language.words();
    let place: Option<PathBuf> = folders::data().ok().map(|folder| folder.join(PLACE));
    let kept = place.as_ref().and_then(|path| steps_in(path));
    let mut lesson = Lesson::after(kept.filter(|_| !arguments.anew).unwrap_or(0));
    if lesson.over() {
        lesson = Lesson::after(0);
    } else if lesson.steps() > 0 {
        tell(&words, &[say!("learn-resumed", "the lesson goes on where it was left")])?;
    }
    show(&lesson, &words)?;
    tell(&words, &lesson.prompt())?;
    for line in typed::lines(std::io::stdin().lock()) {
        match line.trim().to_lowercase().as_str() {
            "quit" | "exit" => break,
            "" => {
                let said = lesson.go_on();
                tell(&words, &said)?;
                show(&lesson, &words)?;
                keep(place.as_ref(), lesson.steps());
                tell(&words, &lesson.prompt())?;
            }
            _ => tell(
                &words,
                &[say!(
                    "learn-how",
                    "Enter does the next step; `quit` leaves the lesson, and `tabiya learn` goes on with it"
                )],
            )?,
        }
        if lesson.over() {
            keep(place.as_ref(), 0);
            return Ok(());
        }
    }
    tell(&words, &[say!("learn-left", "the lesson is left; `tabiya learn` goes on with it")])
}

/// How far the lesson has come, as its file says; `None` if the file says nothing.
fn steps_in(path: &Path) -> Option<usize> {
    let bytes = read_bounded(path, LONGEST_PLACE).ok()?;
    std::str::from_utf8(&bytes).ok()?.trim().parse().ok()
}

/// Notes how far the lesson has come. If that cannot be written, the lesson begins anew next time.
fn keep(place: Option<&PathBuf>, steps: usize) {
    if let Some(path) = place {
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let _ = folder.and_then(|()| write_whole(path, steps.to_string()));
    }
}

fn tell(words: &Words, lines: &[tabiya_types::Sentence]) -> Result<(), ExitFailure> {
    lines.iter().try_for_each(|line| print_line(&words.said(line)))
}

/// Shows the table after a step. Without a terminal, where nobody looks, only the sentences are printed.
fn show(lesson: &Lesson, words: &Words) -> Result<(), ExitFailure> {
    if !std::io::stdout().is_terminal() {
        return Ok(());
    }
    let at = Instant::ZERO.max(lesson.session().last_t());
    print_line(&tabiya_terminal::lines(&Snapshot::of_session(lesson.session(), at), words, at).join("\n"))
}
