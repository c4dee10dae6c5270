//! `tabiya deck`: decks of cards with chips: made, looked at, mended, taken along.
#![expect(
    clippy::disallowed_methods,
    reason = "this room reads the date and draws the cards' random numbers"
)]

use std::collections::{BTreeSet, VecDeque};
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::{Failure, tell, unusable};
use crate::app::decks::{self, Decks};
use crate::app::time::RealTime;
use crate::clock::Instant;
use crate::devices::cards::deck::{Deck, Face, check_name, new_id, shuffled};
use crate::devices::cards::enrol::{Audit, Audited, Enrolment, Next, Way};
use crate::devices::cards::replace::{Replacement, Step};
use crate::devices::cards::{self, CardEvent, CardId, Record, Tap, Uid};
use crate::rules::Card;

/// Arguments of `tabiya deck`.
#[derive(Debug, clap::Args)]
pub(super) struct DeckArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a deck of 44 cards: lay them down one by one and type each one's letter, Q R B N P.
    ///
    /// Shuffle the cards first: chips from one roll are numbered in a row, and a deck that is enrolled sorted could be
    /// told by its numbers. `undo` takes the last card back. In the end all cards are laid down once more.
    Enrol {
        /// What the deck is to be called.
        name: String,
        /// Write nothing into the cards and note their numbers alone: any chip will do, and is easier to copy.
        #[arg(long)]
        adopt: bool,
        /// Be asked for the faces in a random order instead of typing them.
        #[arg(long)]
        asked: bool,
    },
    /// Lay all cards of a deck down, in any order: what is missing, what does not belong.
    Audit {
        /// The deck.
        name: String,
    },
    /// List the decks.
    List,
    /// Tell of one deck what is no secret.
    Show {
        /// The deck.
        name: String,
    },
    /// Put a new card in the place of a damaged one.
    Replace {
        /// The deck.
        name: String,
        /// Which card: R3 as the audit named it, or R, to find out by laying down the others of its face.
        card: String,
    },
    /// Write a deck's file, to take it to another computer. It says every card's face: keep it secret.
    Export {
        /// The deck.
        name: String,
        /// The new file.
        file: PathBuf,
    },
    /// Take over a deck from a file.
    Import {
        /// The file.
        file: PathBuf,
    },
}

pub(super) fn run(arguments: DeckArguments) -> Result<(), Failure> {
    let decks = Decks::usual().map_err(unusable)?;
    match arguments.command {
        Command::Enrol { name, adopt, asked } => {
            enrol(&decks, &name, if adopt { Way::Adopt } else { Way::Write }, asked)
        }
        Command::Audit { name } => audit(decks.find(&name).map_err(unusable)?),
        Command::List => list(&decks),
        Command::Show { name } => show(&decks.find(&name).map_err(unusable)?),
        Command::Replace { name, card } => replace(&decks, &decks.find(&name).map_err(unusable)?, &card),
        Command::Export { name, file } => export(&decks, &name, &file),
        Command::Import { file } => import(&decks, &file),
    }
}

// ---- without cards ----

fn list(decks: &Decks) -> Result<(), Failure> {
    let (known, wrong) = decks.list();
    for deck in &known {
        tell(&format!("{}: {}, made {}", deck.name(), kind(deck), deck.made()))?;
    }
    if known.is_empty() {
        tell("there is no deck yet: `tabiya deck enrol NAME` makes one")?;
    }
    match wrong.into_iter().next() {
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

fn show(deck: &Deck) -> Result<(), Failure> {
    let lines = [
        format!("name: {}", deck.name()),
        format!("number: {}", deck.number()),
        format!("made: {}", deck.made()),
        format!("cards: 44, {} of them adopted", deck.adopted()),
        "which card has which face stays in the deck's file".to_owned(),
    ];
    tell(&lines.join("\n"))
}

fn export(decks: &Decks, name: &str, file: &Path) -> Result<(), Failure> {
    let deck = decks.find(name).map_err(unusable)?;
    decks::export(&deck, file).map_err(unusable)?;
    tell(&format!("{}: written; it says every card's face, so keep it secret", file.display()))
}

fn import(decks: &Decks, file: &Path) -> Result<(), Failure> {
    let deck = decks::read(file).map_err(unusable)?;
    decks.add(&deck).map_err(unusable)?;
    tell(&format!("{}: taken over, {}", deck.name(), kind(&deck)))
}

// ---- with cards ----

/// What is heard while cards are laid down.
enum Heard {
    Line(String),
    /// Standard input has ended.
    End,
    Card(CardEvent),
}

/// What waits to be heard: more than anybody types and lays down.
const LONGEST_QUEUE: usize = 256;

/// The readers and the keyboard.
struct Bench {
    heard: Receiver<Heard>,
    readers: cards::Handle,
    /// How many readers are there.
    count: usize,
    ready: bool,
    /// What lay there already.
    early: VecDeque<Done>,
}

/// What a person did.
enum Done {
    Tap(Tap),
    Written(Uid),
    NotWritten(String),
    Typed(String),
    /// There is nobody any more.
    Left,
}

impl Bench {
    /// Opens all readers. `Err` if they cannot be used.
    fn open() -> Result<Self, Failure> {
        let (told, heard) = sync_channel(LONGEST_QUEUE);
        let cards_told = told.clone();
        let sink: cards::Sink = Box::new(move |_, event| drop(cards_told.send(Heard::Card(event))));
        let readers = cards::spawn(Arc::new(RealTime::starting_at(Instant::ZERO)), sink);
        let mut bench = Self { heard, readers, count: 0, ready: false, early: VecDeque::new() };
        while !bench.ready {
            let Ok(Heard::Card(event)) = bench.heard.recv() else { continue };
            let done = bench.card(event)?;
            bench.early.extend(done);
        }
        std::thread::spawn(move || read_lines(&told));
        Ok(bench)
    }

    /// The next thing that a person did; what happens to readers is told on the way.
    fn next(&mut self) -> Result<Done, Failure> {
        if let Some(done) = self.early.pop_front() {
            return Ok(done);
        }
        loop {
            match self.heard.recv() {
                Err(_) | Ok(Heard::End) => return Ok(Done::Left),
                Ok(Heard::Line(line)) if line.trim().is_empty() => {}
                Ok(Heard::Line(line)) => return Ok(Done::Typed(line.trim().to_owned())),
                Ok(Heard::Card(event)) => {
                    if let Some(done) = self.card(event)? {
                        return Ok(done);
                    }
                }
            }
        }
    }

    fn card(&mut self, event: CardEvent) -> Result<Option<Done>, Failure> {
        match event {
            CardEvent::Tapped(tap) | CardEvent::Lying(tap) => return Ok(Some(Done::Tap(tap))),
            CardEvent::Written(tap) => return Ok(Some(Done::Written(tap.uid))),
            CardEvent::NotWritten { why, .. } => return Ok(Some(Done::NotWritten(why.to_string()))),
            CardEvent::Unreadable { why, .. } => tell(&why.to_string())?,
            CardEvent::Lifted(_) => {}
            CardEvent::Came(reader) => {
                self.count += 1;
                tell(&format!("card reader: {reader}"))?;
            }
            CardEvent::Gone(reader) => {
                self.count -= 1;
                tell(&format!("the card reader {reader} is gone; plug it in again"))?;
            }
            CardEvent::Ready => {
                if self.count == 0 {
                    tell("no card reader is there: plug one in, it is noticed by itself")?;
                }
                self.ready = true;
            }
            // Whoever has just begun loses nothing.
            CardEvent::Trouble(error) if !self.ready => return Err(unusable(error)),
            CardEvent::Trouble(error) => tell(&error.to_string())?,
            CardEvent::TroubleOver(_) => tell("the cards can be read again")?,
        }
        Ok(None)
    }
}

fn read_lines(told: &SyncSender<Heard>) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if told.send(Heard::Line(line)).is_err() {
            return;
        }
    }
    drop(told.send(Heard::End));
}

fn random() -> Result<CardId, Failure> {
    with_chance(|chance| new_id(chance))
}

/// Something that chance makes, from the system's own.
fn with_chance<T>(make: impl FnOnce(&mut dyn FnMut(&mut [u8])) -> T) -> Result<T, Failure> {
    let mut failed = None;
    let drawn = make(&mut |bytes| failed = getrandom::fill(bytes).err().or(failed));
    match failed {
        None => Ok(drawn),
        Some(error) => {
            Err(Failure::unusable(format!("there are no random numbers: {error}; restart the computer")))
        }
    }
}

fn count((so_far, all): (usize, usize)) -> String {
    format!("{so_far} of {all}")
}

fn enrol(decks: &Decks, name: &str, way: Way, asked: bool) -> Result<(), Failure> {
    check_name(name).map_err(unusable)?;
    decks.check_free(name).map_err(unusable)?;
    let order = if asked { Some(with_chance(|chance| shuffled(chance))?) } else { None };
    let mut enrolment = Enrolment::new(way, order);
    let mut bench = Bench::open()?;
    tell("shuffle the 44 cards, then lay them down one by one; `undo` takes the last one back, `quit` ends")?;
    let mut reader = None;
    tell(&wanted(&enrolment))?;
    while enrolment.next() != Next::Check {
        let step = match bench.next()? {
            Done::Left => return Err(left(&enrolment)),
            Done::Typed(word) => match &*word {
                "quit" => return Err(left(&enrolment)),
                "undo" => enrolment.undo(),
                word => {
                    let Some(card) = face_letter(word) else {
                        tell(&format!("`{word}`: type one letter, Q R B N or P, or `undo`, or `quit`"))?;
                        continue;
                    };
                    enrolment.face(card)
                }
            },
            Done::Tap(tap) => {
                if let Some(other) = decks.of_card(tap.uid).filter(|_| way == Way::Write) {
                    tell(&format!(
                        "this card is in the deck {}: it is not written over; lay down another one",
                        other.name()
                    ))?;
                    continue;
                }
                reader = Some(tap.reader);
                enrolment.tapped(tap.uid, random()?)
            }
            Done::Written(uid) => enrolment.written(uid),
            Done::NotWritten(why) => {
                tell(&why)?;
                continue;
            }
        };
        match step {
            Ok(Next::Write(uid, id)) => {
                if let Some(Err(why)) =
                    reader.as_ref().map(|reader| bench.readers.write(reader, uid, Record::new(id)))
                {
                    tell(&why.to_string())?;
                }
            }
            Ok(_) => tell(&wanted(&enrolment))?,
            Err(refusal) => tell(&refusal.sentence().to_string())?,
        }
    }
    let made = chrono::Local::now().format("%Y-%m-%d").to_string();
    let deck = enrolment.deck(random()?, name, &made).map_err(unusable)?;
    // Kept before the check: whoever leaves now has lost nothing.
    decks.add(&deck).map_err(unusable)?;
    tell("the deck is kept; now lay all cards down once more, in any order")?;
    look_through(&mut bench, deck)
}

/// What is asked for now.
fn wanted(enrolment: &Enrolment) -> String {
    let so_far = count(enrolment.progress());
    match enrolment.next() {
        Next::Tap(None) => format!("{so_far}: lay down the next card"),
        Next::Tap(Some(card)) => format!("{so_far}: lay down a {card}"),
        Next::Write(..) => format!("{so_far}: leave the card until it is written"),
        Next::Face => format!("{so_far}: which card is it? Q R B N P"),
        Next::Check => so_far,
    }
}

fn left(enrolment: &Enrolment) -> Failure {
    Failure::unusable(format!(
        "{} cards: the deck is not whole and was not kept; enrol it again",
        count(enrolment.progress())
    ))
}

fn face_letter(word: &str) -> Option<Card> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Card::from_letter(letter.to_ascii_uppercase())
}

fn audit(deck: Deck) -> Result<(), Failure> {
    let mut bench = Bench::open()?;
    tell("lay all cards of the deck down, in any order; `quit` ends and tells what is missing")?;
    look_through(&mut bench, deck)
}

/// All cards once, in any order.
fn look_through(bench: &mut Bench, deck: Deck) -> Result<(), Failure> {
    let mut audit = Audit::new(deck);
    let mut faults = BTreeSet::new();
    while audit.progress().0 < audit.progress().1 {
        match bench.next()? {
            Done::Left => break,
            Done::Typed(word) if word == "quit" => break,
            Done::Typed(word) => tell(&format!("`{word}`: lay cards down, or type `quit`"))?,
            Done::Written(_) | Done::NotWritten(_) => {}
            Done::Tap(tap) => match audit.tapped(tap.uid, &tap.content) {
                Audited::New(_) => {
                    // One that was lifted too soon the first time.
                    faults.remove(&tap.uid);
                    tell(&count(audit.progress()))?;
                }
                Audited::Again => tell(&format!("{}: this one was there before", count(audit.progress())))?,
                Audited::Fault(fault) => {
                    faults.insert(tap.uid);
                    tell(&format!("{}: {}", tap.uid, fault.sentence()))?;
                }
            },
        }
    }
    let missing: Vec<String> =
        audit.missing().iter().map(|face| format!("{}{}", face.card().letter(), face.copy())).collect();
    match (missing.is_empty(), faults.len()) {
        (true, 0) => tell(&format!("the deck {} is whole", audit.deck().name())),
        (true, wrong) => Err(Failure::refused(format!(
            "all 44 cards are there, and {wrong} that should not be; take them out of the deck, and replace those that were rewritten"
        ))),
        (false, _) => Err(Failure::refused(format!(
            "missing: {}; find them, or replace each with `tabiya deck replace`",
            missing.join(", ")
        ))),
    }
}

// ---- a damaged card ----

fn replace(decks: &Decks, deck: &Deck, card: &str) -> Result<(), Failure> {
    let unknown = || {
        Failure::unusable(format!(
            "`{card}` is no card of a deck; write R for a rook, or R3 as the audit named it"
        ))
    };
    let mut letters = card.chars();
    let face = letters
        .next()
        .and_then(|letter| Card::from_letter(letter.to_ascii_uppercase()))
        .ok_or_else(unknown)?;
    let named = match letters.as_str() {
        "" => None,
        copy => Some(copy.parse().ok().and_then(|copy| Face::new(face, copy)).ok_or_else(unknown)?),
    };
    let mut bench = Bench::open()?;
    let mut replacement = Replacement::new(deck.clone(), face, named);
    tell(&wanted_new(&replacement.next()))?;
    loop {
        let (step, reader) = match bench.next()? {
            Done::Left => return Err(unchanged()),
            Done::Typed(word) if word == "quit" => return Err(unchanged()),
            Done::Typed(word) => {
                tell(&format!("`{word}`: lay cards down, or type `quit`"))?;
                continue;
            }
            Done::NotWritten(why) => {
                tell(&why)?;
                continue;
            }
            Done::Written(uid) => (replacement.written(uid), None),
            Done::Tap(tap) => {
                let other = decks.of_card(tap.uid).filter(|other| other.number() != deck.number());
                if let Some(other) = other.filter(|_| replacement.writes()) {
                    tell(&format!("this card is in the deck {}; lay down another one", other.name()))?;
                    continue;
                }
                (replacement.tapped(tap.uid, &tap.content, random()?), Some(tap.reader))
            }
        };
        match step {
            Ok(Step::Whole(deck)) => {
                decks.keep(&deck).map_err(unusable)?;
                return tell("the new card is in the deck; the old one is not a card of it any more");
            }
            Ok(Step::Write(uid, id)) => {
                if let Some(Err(why)) =
                    reader.map(|reader| bench.readers.write(&reader, uid, Record::new(id)))
                {
                    tell(&why.to_string())?;
                }
            }
            Ok(step) => tell(&wanted_new(&step))?,
            Err(refusal) => tell(&refusal.sentence().to_string())?,
        }
    }
}

/// What is asked for while a card is replaced.
fn wanted_new(step: &Step) -> String {
    match step {
        Step::Others(_, (0, all)) => format!("lay down the other {all} cards of this face, one by one"),
        Step::Others(_, progress) => count(*progress),
        Step::New | Step::Write(..) | Step::Whole(_) => "lay down the new card".to_owned(),
    }
}

fn unchanged() -> Failure {
    Failure::unusable("nothing was replaced; the deck is as it was")
}
