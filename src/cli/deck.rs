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

use tabiya_app::store::decks::{self, Decks};
use tabiya_app::time::RealTime;
use tabiya_cards::deck::{Deck, Face, check_name, new_id, shuffled};
use tabiya_cards::draft::Draft;
use tabiya_cards::enrol::{Audit, Audited, EnrolMethod, EnrolRefusal, Enrolment, Next};
use tabiya_cards::replace::{ReplaceStep, Replacement};
use tabiya_cards::{self as cards, CardEvent, CardId, CardTap, Options, ReaderName, Record, Uid};
use tabiya_types::{Card, Instant};

use super::{ExitFailure, tell, unusable};

/// Arguments of `tabiya deck`.
#[derive(Debug, clap::Args)]
pub(super) struct DeckArguments {
    #[command(subcommand)]
    command: Command,
    /// Ask readers not to beep at each card (ACR122U). They forget it when they are unplugged.
    #[arg(long, global = true)]
    quiet: bool,
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
        /// Begin anew, even if a deck of this name was begun and is not whole.
        #[arg(long)]
        anew: bool,
        /// Lock the cards for good in the end, once all have been checked.
        #[arg(long, conflicts_with = "adopt")]
        lock: bool,
    },
    /// Lay all cards of a deck down, in any order: what is missing, what does not belong.
    Audit {
        /// The deck.
        name: String,
    },
    /// Lock the cards of a deck for good: nobody can write over them any more. It cannot be undone.
    ///
    /// All cards are laid down once as a check, and once more to be locked. They stay cards of this deck, and can be
    /// enrolled in another one only with --adopt.
    Lock {
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

pub(super) fn run(arguments: DeckArguments) -> Result<(), ExitFailure> {
    let decks = Decks::usual().map_err(unusable)?;
    let quiet = arguments.quiet;
    match arguments.command {
        Command::Enrol { name, adopt, asked, anew, lock } => {
            let wishes = Wishes {
                way: if adopt { EnrolMethod::Adopt } else { EnrolMethod::Write },
                asked,
                anew,
                lock,
            };
            enrol(&decks, &name, &wishes, quiet)
        }
        Command::Audit { name } => audit(&decks.find(&name).map_err(unusable)?, quiet),
        Command::Lock { name } => lock(&decks.find(&name).map_err(unusable)?, quiet),
        Command::List => list(&decks),
        Command::Show { name } => show(&decks.find(&name).map_err(unusable)?),
        Command::Replace { name, card } => {
            replace(&decks, &decks.find(&name).map_err(unusable)?, &card, quiet)
        }
        Command::Export { name, file } => export(&decks, &name, &file),
        Command::Import { file } => import(&decks, &file),
    }
}

// ---- without cards ----

fn list(decks: &Decks) -> Result<(), ExitFailure> {
    let (known, wrong) = decks.list();
    for deck in &known {
        tell(&format!("{}: {}, made {}", deck.name(), kind(deck), deck.made()))?;
    }
    let (begun, damaged) = decks.drafts();
    for draft in &begun {
        tell(&format!(
            "{}: begun, {} cards; `tabiya deck enrol` with its name goes on there",
            draft.name,
            count(draft.enrolment.progress())
        ))?;
    }
    if known.is_empty() && begun.is_empty() {
        tell("there is no deck yet: `tabiya deck enrol NAME` makes one")?;
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
        "which card has which face stays in the deck's file".to_owned(),
    ];
    tell(&lines.join("\n"))
}

fn export(decks: &Decks, name: &str, file: &Path) -> Result<(), ExitFailure> {
    let deck = decks.find(name).map_err(unusable)?;
    decks::export(&deck, file).map_err(unusable)?;
    tell(&format!("{}: written; it says every card's face, so keep it secret", file.display()))
}

fn import(decks: &Decks, file: &Path) -> Result<(), ExitFailure> {
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
    readers: cards::CardReaders,
    /// How many readers are there.
    count: usize,
    ready: bool,
    /// What lay there already.
    early: VecDeque<Done>,
}

/// What a person did.
enum Done {
    Tap(CardTap),
    Written(CardTap),
    Locked(Uid),
    NotWritten(String),
    Typed(String),
    /// There is nobody any more.
    Left,
}

impl Bench {
    /// Opens all readers. `Err` if they cannot be used.
    fn open(quiet: bool) -> Result<Self, ExitFailure> {
        let (told, heard) = sync_channel(LONGEST_QUEUE);
        let cards_told = told.clone();
        let sink: cards::CardSink = Box::new(move |_, event| drop(cards_told.send(Heard::Card(event))));
        let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
        let readers = cards::spawn_with(timeline, sink, Options { quiet, ..Options::default() });
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
    fn next(&mut self) -> Result<Done, ExitFailure> {
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

    fn card(&mut self, event: CardEvent) -> Result<Option<Done>, ExitFailure> {
        match event {
            CardEvent::Tapped(tap) | CardEvent::Lying(tap) => return Ok(Some(Done::Tap(tap))),
            CardEvent::Written(tap) => return Ok(Some(Done::Written(tap))),
            CardEvent::Locked(tap) => return Ok(Some(Done::Locked(tap.uid))),
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

fn random() -> Result<CardId, ExitFailure> {
    with_chance(|chance| new_id(chance))
}

/// Something that chance makes, from the system's own.
fn with_chance<T>(make: impl FnOnce(&mut dyn FnMut(&mut [u8])) -> T) -> Result<T, ExitFailure> {
    let mut failed = None;
    let drawn = make(&mut |bytes| failed = getrandom::fill(bytes).err().or(failed));
    match failed {
        None => Ok(drawn),
        Some(error) => {
            Err(ExitFailure::unusable(format!("there are no random numbers: {error}; restart the computer")))
        }
    }
}

fn count((so_far, all): (usize, usize)) -> String {
    format!("{so_far} of {all}")
}

/// Why a deck is not locked.
const ADOPTED: &str = "this deck has adopted cards, which hold nothing of ours to be locked; only a deck of written cards is locked";

/// How a deck is to be made.
struct Wishes {
    way: EnrolMethod,
    asked: bool,
    anew: bool,
    lock: bool,
}

/// The deck of this name that was begun, or a new one.
fn begin(decks: &Decks, name: &str, wishes: &Wishes) -> Result<Draft, ExitFailure> {
    check_name(name).map_err(unusable)?;
    decks.check_free(name).map_err(unusable)?;
    let (begun, damaged) = if wishes.anew { (None, Vec::new()) } else { decks.draft(name) };
    // One of them may be this deck; nobody can tell, and none of them keeps others from being begun.
    for error in &damaged {
        tell(&error.to_string())?;
    }
    if let Some(draft) = begun {
        let (adopted, asked) =
            (draft.enrolment.method() == EnrolMethod::Adopt, draft.enrolment.asked().is_some());
        for (wanted, begun, option) in
            [(wishes.way == EnrolMethod::Adopt, adopted, "--adopt"), (wishes.asked, asked, "--asked")]
        {
            if wanted && !begun {
                return Err(ExitFailure::unusable(format!(
                    "this deck was begun without {option}; leave it out to go on, or add --anew to begin again"
                )));
            }
        }
        if wishes.lock && adopted {
            return Err(ExitFailure::unusable(ADOPTED));
        }
        return Ok(draft);
    }
    let order = if wishes.asked { Some(with_chance(|chance| shuffled(chance))?) } else { None };
    Ok(Draft { number: random()?, name: name.to_owned(), enrolment: Enrolment::new(wishes.way, order) })
}

fn enrol(decks: &Decks, name: &str, wishes: &Wishes, quiet: bool) -> Result<(), ExitFailure> {
    let draft = begin(decks, name, wishes)?;
    let mut bench = Bench::open(quiet)?;
    if wishes.anew {
        // Damaged ones are nobody's that could be named, and stay.
        for old in decks.drafts().0.iter().filter(|old| old.name == name) {
            decks.drop_draft(old.number).map_err(unusable)?;
        }
    }
    match draft.enrolment.progress() {
        (0, _) => tell(
            "shuffle the 44 cards, then lay them down one by one; `undo` takes the last one back, `quit` ends",
        )?,
        so_far => tell(&format!(
            "{} cards of this deck were enrolled before; it goes on there (`--anew` begins again)",
            count(so_far)
        ))?,
    }
    tell(&wanted(&draft.enrolment))?;
    let mut enrolling = Enrolling { decks, draft, reader: None };
    while enrolling.draft.enrolment.next() != Next::Check {
        enrolling.step(&mut bench)?;
    }
    let draft = enrolling.draft;
    let made = chrono::Local::now().format("%Y-%m-%d").to_string();
    let deck = draft.deck(&made).map_err(unusable)?;
    // Kept before the check: whoever leaves now has lost nothing.
    decks.add(&deck).map_err(unusable)?;
    decks.drop_draft(draft.number).map_err(unusable)?;
    tell("the deck is kept; now lay all cards down once more, in any order")?;
    look_through(&mut bench, &deck)?;
    if wishes.lock { lock_all(&mut bench, &deck) } else { Ok(()) }
}

/// A deck in the making, card by card.
struct Enrolling<'a> {
    decks: &'a Decks,
    draft: Draft,
    /// Where the last card was laid: there it is written.
    reader: Option<ReaderName>,
}

impl Enrolling<'_> {
    /// Waits for the next thing that is done, keeps what came of it, and tells what is asked for then.
    fn step(&mut self, bench: &mut Bench) -> Result<(), ExitFailure> {
        let before = self.draft.enrolment.progress();
        let done = bench.next()?;
        let Some(step) = self.take(done)? else { return Ok(()) };
        // Kept before it is told: whoever pulls the plug has lost no card that was counted.
        if self.draft.enrolment.progress() != before {
            let kept = match self.draft.enrolment.progress() {
                (0, _) => self.decks.drop_draft(self.draft.number),
                _ => self.decks.keep_draft(&self.draft),
            };
            kept.map_err(unusable)?;
        }
        match step {
            Ok(Next::Write(uid, id)) => {
                let written =
                    self.reader.as_ref().map(|reader| bench.readers.write(reader, uid, Record::new(id)));
                if let Some(Err(why)) = written {
                    tell(&why.to_string())?;
                }
                Ok(())
            }
            Ok(_) => tell(&wanted(&self.draft.enrolment)),
            Err(refusal) => tell(&refusal.sentence().to_string()),
        }
    }

    /// What the enrolment makes of it; nothing where it means nothing to it.
    fn take(&mut self, done: Done) -> Result<Option<Result<Next, EnrolRefusal>>, ExitFailure> {
        let enrolment = &mut self.draft.enrolment;
        Ok(Some(match done {
            Done::Left => return Err(left(&self.draft)),
            Done::Typed(word) => match &*word {
                "quit" => return Err(left(&self.draft)),
                "undo" => enrolment.undo(),
                word => {
                    let Some(card) = face_letter(word) else {
                        tell(&format!("`{word}`: type one letter, Q R B N or P, or `undo`, or `quit`"))?;
                        return Ok(None);
                    };
                    enrolment.face(card)
                }
            },
            Done::Tap(tap) => {
                if enrolment.method() == EnrolMethod::Write
                    && let Some(other) = self.decks.holder(tap.uid, &self.draft.name)
                {
                    tell(&format!(
                        "this card is in the deck {other}: it is not written over; lay down another one"
                    ))?;
                    return Ok(None);
                }
                self.reader = Some(tap.reader);
                enrolment.tapped(tap.uid, random()?)
            }
            Done::Written(tap) => enrolment.written(tap.uid),
            Done::Locked(_) => return Ok(None),
            Done::NotWritten(why) => {
                tell(&why)?;
                return Ok(None);
            }
        }))
    }
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

fn left(draft: &Draft) -> ExitFailure {
    let so_far = count(draft.enrolment.progress());
    ExitFailure::unusable(match draft.enrolment.progress() {
        (0, _) => format!("{so_far} cards: nothing was kept; enrol the deck again"),
        _ => format!("{so_far} cards are kept; the same command goes on there, with --anew it begins again"),
    })
}

fn face_letter(word: &str) -> Option<Card> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Card::from_letter(letter.to_ascii_uppercase())
}

fn audit(deck: &Deck, quiet: bool) -> Result<(), ExitFailure> {
    let mut bench = Bench::open(quiet)?;
    tell("lay all cards of the deck down, in any order; `quit` ends and tells what is missing")?;
    look_through(&mut bench, deck)
}

/// Locks a deck that has just been seen to be whole.
fn lock(deck: &Deck, quiet: bool) -> Result<(), ExitFailure> {
    if deck.adopted() > 0 {
        return Err(ExitFailure::unusable(ADOPTED));
    }
    let mut bench = Bench::open(quiet)?;
    tell("lay all cards of the deck down as a check, in any order; none is locked before all are there")?;
    look_through(&mut bench, deck)?;
    lock_all(&mut bench, deck)
}

fn lock_all(bench: &mut Bench, deck: &Deck) -> Result<(), ExitFailure> {
    let unlocked = || ExitFailure::unusable("no card was locked; the deck is as it was");
    tell(
        "locking cannot be undone: these cards can never be written again; type `lock` to lock them, or `quit`",
    )?;
    loop {
        match bench.next()? {
            Done::Left => return Err(unlocked()),
            Done::Typed(word) => match &*word {
                "lock" => break,
                "quit" => return Err(unlocked()),
                word => tell(&format!("`{word}`: type `lock`, or `quit`"))?,
            },
            Done::Tap(_) | Done::Written(_) | Done::Locked(_) | Done::NotWritten(_) => {}
        }
    }
    let mut locked = BTreeSet::new();
    let all = deck.cards().len();
    let so_far = |locked: &BTreeSet<Uid>| count((locked.len(), all));
    let left = |locked: &BTreeSet<Uid>| {
        ExitFailure::unusable(format!(
            "{} cards are locked; `tabiya deck lock` with the deck's name locks the others",
            so_far(locked)
        ))
    };
    tell("lay all cards down once more, each until it is locked")?;
    while locked.len() < all {
        match bench.next()? {
            Done::Left => return Err(left(&locked)),
            Done::Typed(word) if word == "quit" => return Err(left(&locked)),
            Done::Typed(word) => tell(&format!("`{word}`: lay cards down, or type `quit`"))?,
            Done::NotWritten(why) => tell(&why)?,
            Done::Written(_) => {}
            Done::Locked(uid) => {
                locked.insert(uid);
                tell(&format!("{} locked", so_far(&locked)))?;
            }
            Done::Tap(tap) if locked.contains(&tap.uid) => {
                tell(&format!("{}: this one is locked already", so_far(&locked)))?;
            }
            Done::Tap(tap) => {
                let id = deck.cards().iter().find(|card| card.uid == tap.uid).and_then(|card| card.id);
                match (deck.check(tap.uid, &tap.content), id) {
                    (Err(fault), _) => tell(&fault.sentence().to_string())?,
                    // Every card of this deck has an id; of one without there is nothing to lock.
                    (Ok(_), None) => {}
                    (Ok(_), Some(id)) => {
                        if let Err(why) = bench.readers.lock(&tap.reader, tap.uid, id) {
                            tell(&why.to_string())?;
                        }
                    }
                }
            }
        }
    }
    tell(&format!("all cards of the deck {} are locked", deck.name()))
}

/// All cards once, in any order.
fn look_through(bench: &mut Bench, deck: &Deck) -> Result<(), ExitFailure> {
    let mut audit = Audit::new(deck.clone());
    let mut faults = BTreeSet::new();
    while audit.progress().0 < audit.progress().1 {
        match bench.next()? {
            Done::Left => break,
            Done::Typed(word) if word == "quit" => break,
            Done::Typed(word) => tell(&format!("`{word}`: lay cards down, or type `quit`"))?,
            Done::Written(_) | Done::Locked(_) | Done::NotWritten(_) => {}
            Done::Tap(tap) => match audit.tapped(tap.uid, &tap.content) {
                Audited::New(_) => {
                    // One that was lifted too soon the first time.
                    faults.remove(&tap.uid);
                    tell(&count(audit.progress()))?;
                }
                Audited::Again => tell(&format!("{}: this one was there before", count(audit.progress())))?,
                Audited::Fault(fault) => {
                    faults.insert(tap.uid);
                    // Not its number: others may see this screen.
                    tell(&fault.sentence().to_string())?;
                }
            },
        }
    }
    let missing: Vec<String> =
        audit.missing().iter().map(|face| format!("{}{}", face.card().letter(), face.copy())).collect();
    match (missing.is_empty(), faults.len()) {
        (true, 0) => tell(&format!("the deck {} is whole", audit.deck().name())),
        (true, wrong) => Err(ExitFailure::refused(format!(
            "all 44 cards are there, and {wrong} that should not be; take them out of the deck, and replace those that were rewritten"
        ))),
        (false, _) => Err(ExitFailure::refused(format!(
            "missing: {}; find them, or replace each with `tabiya deck replace`",
            missing.join(", ")
        ))),
    }
}

// ---- a damaged card ----

fn replace(decks: &Decks, deck: &Deck, card: &str, quiet: bool) -> Result<(), ExitFailure> {
    let unknown = || {
        ExitFailure::unusable(format!(
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
    let mut bench = Bench::open(quiet)?;
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
            Done::Locked(_) => continue,
            Done::Written(tap) => (replacement.written(tap.uid, &tap.content), None),
            Done::Tap(tap) => {
                if replacement.writes()
                    && let Some(other) = decks.holder(tap.uid, deck.name())
                {
                    tell(&format!("this card is in the deck {other}; lay down another one"))?;
                    continue;
                }
                (replacement.tapped(tap.uid, &tap.content, random()?), Some(tap.reader))
            }
        };
        match step {
            Ok(ReplaceStep::Whole(deck)) => {
                decks.keep(&deck).map_err(unusable)?;
                return tell("the new card is in the deck; the old one is not a card of it any more");
            }
            Ok(ReplaceStep::Write(uid, id)) => {
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
fn wanted_new(step: &ReplaceStep) -> String {
    match step {
        ReplaceStep::Others(_, (0, all)) => {
            format!("lay down the other {all} cards of this face, one by one")
        }
        ReplaceStep::Others(_, progress) => count(*progress),
        ReplaceStep::New | ReplaceStep::Write(..) | ReplaceStep::Whole(_) => {
            "lay down the new card".to_owned()
        }
    }
}

fn unchanged() -> ExitFailure {
    ExitFailure::unusable("nothing was replaced; the deck is as it was")
}
