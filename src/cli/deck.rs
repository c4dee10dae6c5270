//! `tabiya deck`: enrols, audits, locks, repairs, exports and imports decks of NFC cards.

mod bench;
mod work;

use std::path::{Path, PathBuf};

use tabiya_app::store::decks::{self, Decks};
use tabiya_cards as cards;
use tabiya_cards::deck::Deck;
use tabiya_cards::enrol::EnrolMethod;
use tabiya_cards::print;
use tabiya_text::Words;
use tabiya_types::say;

use self::work::{Wishes, audit, enrol, lock, replace};
use super::language::LanguageArgument;
use super::{ExitFailure, files, print_line, unusable};

/// Arguments of `tabiya deck`.
#[derive(Debug, clap::Args)]
pub(super) struct DeckArguments {
    #[command(subcommand)]
    command: Command,
    /// Turn off the beep of readers that support this (ACR122U). Unplugging the reader turns its beep on again.
    #[arg(long, global = true)]
    quiet: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a deck of 44 cards: lay them down one by one and type each one's letter, Q R B N P.
    ///
    /// Shuffle the cards first: the chips of one roll have consecutive numbers, so the numbers of a deck that is
    /// enrolled in order would reveal the faces. `undo` takes the last card back. At the end all cards are laid down
    /// once more.
    Enrol {
        /// The name of the new deck.
        name: String,
        /// Write nothing on the chips of the cards, only note their numbers. Any NFC chip will do, but copies are
        /// harder to notice.
        #[arg(long)]
        adopt: bool,
        /// Let Tabiya ask for the faces in a random order. Then you need not type them.
        #[arg(long)]
        asked: bool,
        /// Begin again, even if a deck of this name was begun and is not finished.
        #[arg(long)]
        anew: bool,
        /// Lock the cards permanently at the end, once all have been checked.
        #[arg(long, conflicts_with = "adopt")]
        lock: bool,
    },
    /// Check a deck: lay all its cards down in any order to see which are missing and which do not belong to it.
    Audit {
        /// The deck's name.
        name: String,
    },
    /// Lock the cards of a deck permanently, so that they can never be written again. This cannot be undone.
    ///
    /// All cards are laid down once as a check, and once more to be locked. They stay cards of this deck, and can be
    /// enrolled in another deck only with --adopt.
    Lock {
        /// The deck's name.
        name: String,
    },
    /// List the decks.
    List,
    /// Show a deck without its secret, the faces of its cards.
    Show {
        /// The deck's name.
        name: String,
    },
    /// Replace a damaged card by a new one.
    Replace {
        /// The deck's name.
        name: String,
        /// Which card: R3, the name that the audit shows, or R to find it by laying down all other rooks.
        card: String,
    },
    /// Write a deck to a file, to take it to another computer. The file contains every card's face: keep it secret.
    Export {
        /// The deck's name.
        name: String,
        /// The new file.
        file: PathBuf,
    },
    /// Draw a deck to print and cut out: 44 cards with backs, on sheets with cutting marks.
    ///
    /// A sheet of faces and a sheet of backs take turns, for printing on both sides. Each back has a blank circle for a
    /// round sticker tag, so that the deck can be enrolled.
    Print {
        /// The file to write: a PDF, or with the ending .svg one file for each sheet (deck-1.svg, deck-2.svg …).
        #[arg(long, value_name = "FILE", default_value = "deck.pdf")]
        out: PathBuf,
        /// The paper.
        #[arg(long, default_value = "a4")]
        paper: PaperSize,
    },
    /// Tell how the 44 cards are taken from two ordinary decks of playing cards.
    Ordinary {
        #[command(flatten)]
        language: LanguageArgument,
    },
    /// Add a deck from a file.
    Import {
        /// The file.
        file: PathBuf,
    },
}

/// The size of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PaperSize {
    A4,
    Letter,
}

pub(super) fn run(arguments: DeckArguments) -> Result<(), ExitFailure> {
    let decks = Decks::usual().map_err(unusable)?;
    let quiet = arguments.quiet;
    match arguments.command {
        Command::Enrol { name, adopt, asked, anew, lock } => {
            let wishes = Wishes {
                method: if adopt { EnrolMethod::Adopt } else { EnrolMethod::Write },
                asked,
                anew,
                lock,
            };
            enrol(&decks, &name, &wishes, quiet)
        }
        Command::Audit { name } => audit(&decks, decks.find(&name).map_err(unusable)?, quiet),
        Command::Lock { name } => lock(&decks, &decks.find(&name).map_err(unusable)?, quiet),
        Command::List => list(&decks),
        Command::Show { name } => show(&decks.find(&name).map_err(unusable)?),
        Command::Replace { name, card } => {
            replace(&decks, &decks.find(&name).map_err(unusable)?, &card, quiet)
        }
        Command::Export { name, file } => export(&decks, &name, &file),
        Command::Print { out, paper } => print_deck(&out, paper),
        Command::Ordinary { language } => ordinary(&language.words()),
        Command::Import { file } => import(&decks, &file),
    }
}

// ---- without cards ----

/// Writes the sheets of a deck: one PDF, or an SVG for each sheet.
fn print_deck(out: &Path, paper: PaperSize) -> Result<(), ExitFailure> {
    let paper = match paper {
        PaperSize::A4 => print::Paper::A4,
        PaperSize::Letter => print::Paper::Letter,
    };
    let sheets = print::sheets(paper);
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    match ending.as_deref() {
        Some("pdf") => files.push((out.to_owned(), print::pdf(&sheets))),
        Some("svg") => {
            let stem = out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for (sheet, number) in sheets.iter().zip(1..) {
                files.push((
                    out.with_file_name(format!("{stem}-{number}.svg")),
                    print::svg(sheet).into_bytes(),
                ));
            }
        }
        _ => {
            let what = format!("--out {}: name a file that ends with .pdf or .svg", out.display());
            return Err(ExitFailure::unusable(what));
        }
    }
    for (path, bytes) in files {
        files::may_write(&path, &[])?;
        std::fs::write(&path, bytes).map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", path.display()))
        })?;
        print_line(&path.display().to_string())?;
    }
    Ok(())
}

/// Prints which ordinary cards stand for the 44 cards.
fn ordinary(words: &Words) -> Result<(), ExitFailure> {
    let lines = [
        say!("ordinary-queens", "queens (4): the four queens of one deck"),
        say!("ordinary-rooks", "rooks (8): the aces of both decks"),
        say!("ordinary-bishops", "bishops (8): the tens of both decks"),
        say!("ordinary-knights", "knights (8): the jacks of both decks"),
        say!("ordinary-pawns", "pawns (16): the twos and the threes of both decks"),
        say!("ordinary-backs", "both decks need the same backs; the other cards stay in the box"),
    ];
    lines.iter().try_for_each(|line| print_line(&words.said(line)))
}

fn list(decks: &Decks) -> Result<(), ExitFailure> {
    let (known, wrong) = decks.list();
    for deck in &known {
        print_line(&format!("{}: {}, made {}", deck.name(), kind(deck), deck.made()))?;
    }
    let (begun, damaged) = decks.drafts();
    for draft in &begun {
        print_line(&format!(
            "{}: begun, {} cards; `tabiya deck enrol` with this name continues it",
            draft.name,
            count(draft.enrolment.progress())
        ))?;
    }
    if known.is_empty() && begun.is_empty() {
        print_line("there is no deck yet: `tabiya deck enrol NAME` makes one")?;
    }
    match wrong.into_iter().chain(damaged).next() {
        Some(error) => Err(unusable(error)),
        None => Ok(()),
    }
}

fn kind(deck: &Deck) -> &'static str {
    match deck.adopted() {
        0 => "44 written cards",
        cards::deck::CARDS => "44 adopted cards",
        _ => "44 cards, some of them adopted",
    }
}

fn show(deck: &Deck) -> Result<(), ExitFailure> {
    let lines = [
        format!("name: {}", deck.name()),
        format!("number: {}", deck.number()),
        format!("made: {}", deck.made()),
        format!("cards: 44, {} of them adopted", deck.adopted()),
        "the faces of the cards are only in the deck's file".to_owned(),
    ];
    print_line(&lines.join("\n"))
}

fn export(decks: &Decks, name: &str, file: &Path) -> Result<(), ExitFailure> {
    let deck = decks.find(name).map_err(unusable)?;
    decks::export(&deck, file).map_err(unusable)?;
    print_line(&format!("{}: written; it shows every card's face, so keep it secret", file.display()))
}

fn import(decks: &Decks, file: &Path) -> Result<(), ExitFailure> {
    let deck = decks::read(file).map_err(unusable)?;
    decks.add(&deck).map_err(unusable)?;
    print_line(&format!("{}: imported, {}", deck.name(), kind(&deck)))
}

/// Returns a progress as text, such as `3 of 44`.
fn count((so_far, all): (usize, usize)) -> String {
    format!("{so_far} of {all}")
}
