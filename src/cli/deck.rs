//! `tabiya deck`: enrols, audits, locks, repairs, exports and imports decks of NFC cards.

mod bench;
mod work;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use tabiya_app::deals;
use tabiya_cards::deck::Deck;
use tabiya_cards::enrol::EnrolMethod;
use tabiya_cards::print;
use tabiya_engine::rules::SquareDeals;
use tabiya_store::decks::{self, Decks};
use tabiya_text::Words;
use tabiya_types::{Pack, Square, say};

use self::work::{Wishes, audit, enrol, lock, replace};
use super::files;
use super::language::LanguageArgument;
use super::output::{ExitFailure, print_line, unusable};

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
    /// Make a deck: lay its cards down one by one and type each one's letter, Q R B N P, in PokerDrez also J and X.
    ///
    /// Shuffle the cards first: the chips of one roll have consecutive numbers, so the numbers of a deck that is
    /// enrolled in order would reveal the faces. `undo` takes the last card back. At the end all cards are laid down
    /// once more.
    Enrol {
        /// The name of the new deck.
        name: String,
        /// Which cards the deck has: 44 of Choker, 56 of PokerDrez, or 112, two decks of PokerDrez in one.
        #[arg(long, default_value_t = PackName(Pack::default()), value_enum)]
        pack: PackName,
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
    /// Draw a deck to print and cut out: its cards with backs, on sheets with cutting marks.
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
        /// Which cards the deck has.
        #[arg(long, default_value_t = PackName(Pack::default()), value_enum)]
        pack: PackName,
    },
    /// Draw the map of Poker Chess in the size of a board's squares, as a thin sheet for the board: which card lies where.
    ///
    /// The board is larger than the paper, so the map has several sheets; cut them at the lines and glue them together.
    Map {
        /// The deal: a name (`tabiya play --deal list`), or its cards, separated by commas.
        #[arg(long, default_value = "corner-aces")]
        deal: String,
        /// The width of the board's squares, in mm.
        #[arg(long, value_name = "MM", default_value_t = 55)]
        square: u8,
        /// The file to write: a PDF, or with the ending .svg one file for each sheet (map-1.svg, map-2.svg …).
        #[arg(long, value_name = "FILE", default_value = "map.pdf")]
        out: PathBuf,
        /// The paper.
        #[arg(long, default_value = "a4")]
        paper: PaperSize,
    },
    /// Tell how the 44 cards of Choker are taken from two ordinary decks of playing cards.
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

/// Which cards a deck has, by the word of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PackName(Pack);

/// All kinds of deck, the usual one first.
static PACKS: [PackName; Pack::ALL.len()] = {
    let [one, two, three] = Pack::ALL;
    [PackName(one), PackName(two), PackName(three)]
};

impl clap::ValueEnum for PackName {
    fn value_variants<'a>() -> &'a [Self] {
        &PACKS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.word()).help(self.0.cards_in_words()))
    }
}

impl From<PackName> for Pack {
    fn from(name: PackName) -> Self {
        name.0
    }
}

pub(super) fn run(arguments: DeckArguments) -> Result<(), ExitFailure> {
    let decks = Decks::usual().map_err(unusable)?;
    let quiet = arguments.quiet;
    match arguments.command {
        Command::Enrol { name, pack, adopt, asked, anew, lock } => {
            let wishes = Wishes {
                pack: pack.into(),
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
        Command::Print { out, paper, pack } => print_deck(&out, paper, pack.into()),
        Command::Map { deal, square, out, paper } => print_map(&deal, square, &out, paper),
        Command::Ordinary { language } => ordinary(&language.words()),
        Command::Import { file } => import(&decks, &file),
    }
}

// ---- without cards ----

impl From<PaperSize> for print::Paper {
    fn from(paper: PaperSize) -> Self {
        match paper {
            PaperSize::A4 => Self::A4,
            PaperSize::Letter => Self::Letter,
        }
    }
}

/// Writes the sheets of the map of a deal.
fn print_map(deal: &str, square: u8, out: &Path, paper: PaperSize) -> Result<(), ExitFailure> {
    let deals = deals::under_squares();
    let found = deals.and_then(|deals| deals.cards(deal)).ok_or_else(|| {
        ExitFailure::unusable(format!(
            "`{deal}` is no deal: name one of {}, or its 26 red or all 52 cards, separated by commas",
            deals.map(SquareDeals::names).unwrap_or_default().join(", ")
        ))
    })?;
    let letters = |(at, card): &(Square, String)| {
        let mut letters = card.chars();
        Some((*at, letters.next()?, letters.next()?))
    };
    let cards: Vec<print::MapCard> = found.iter().filter_map(letters).collect();
    let sheets = print::map(&cards, square, paper.into())
        .map_err(|what| ExitFailure::unusable(format!("--square: {what}")))?;
    write_sheets(out, &sheets)
}

/// Writes the sheets of a deck.
fn print_deck(out: &Path, paper: PaperSize, pack: Pack) -> Result<(), ExitFailure> {
    write_sheets(out, &print::sheets(pack, paper.into()))
}

/// Writes sheets: one PDF, or an SVG for each.
fn write_sheets(out: &Path, sheets: &[print::PrintSheet]) -> Result<(), ExitFailure> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    match ending.as_deref() {
        Some("pdf") => files.push((out.to_owned(), print::pdf(sheets))),
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
            let what = format!("--out {}: name a file that ends with .pdf or .svg", tabiya_types::shown(out));
            return Err(ExitFailure::unusable(what));
        }
    }
    for (path, bytes) in files {
        files::may_write(&path, &[])?;
        std::fs::write(&path, bytes).map_err(|error| {
            ExitFailure::unusable(format!("{}: cannot be written: {error}", tabiya_types::shown(&path)))
        })?;
        print_line(&tabiya_types::shown(&path))?;
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

fn kind(deck: &Deck) -> String {
    let all = deck.cards().len();
    match deck.adopted() {
        0 => format!("{all} written cards"),
        adopted if adopted == all => format!("{all} adopted cards"),
        _ => format!("{all} cards, some of them adopted"),
    }
}

fn show(deck: &Deck) -> Result<(), ExitFailure> {
    let mut lines = vec![
        format!("name: {}", deck.name()),
        format!("number: {}", deck.number()),
        format!("made: {}", deck.made()),
        format!("cards: {}, {} of them adopted", deck.cards().len(), deck.adopted()),
    ];
    // At first this was the only kind of deck.
    if deck.pack() != Pack::default() {
        lines.push(format!("pack: {}", deck.pack().word()));
    }
    lines.push("the faces of the cards are only in the deck's file".to_owned());
    print_line(&lines.join("\n"))
}

fn export(decks: &Decks, name: &str, file: &Path) -> Result<(), ExitFailure> {
    let deck = decks.find(name).map_err(unusable)?;
    decks::export(&deck, file).map_err(unusable)?;
    print_line(&format!(
        "{}: written; it shows every card's face, so keep it secret",
        tabiya_types::shown(file)
    ))
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
