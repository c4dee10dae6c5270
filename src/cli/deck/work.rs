//! The commands of `tabiya deck` at which cards are laid down. The steps are those of the window (`deck_work.rs`).

use std::collections::BTreeSet;

use tabiya_app::deck_work::{DeckCheck, DeckWork, Due, WorkError, WorkTools, Worked, new_draft};
use tabiya_app::desk::RandomSource;
use tabiya_cards::deck::{Deck, Face, check_name};
use tabiya_cards::draft::Draft;
use tabiya_cards::enrol::{EnrolMethod, EnrolStep};
use tabiya_cards::replace::ReplaceStep;
use tabiya_cards::{Record, Uid};
use tabiya_store::decks::Decks;
use tabiya_types::{CardFace, Fact, Pack};

use super::super::surroundings::{date, random_source};
use super::bench::{Bench, BenchEvent};
use super::count;
use crate::cli::output::{ExitFailure, print_line, unusable};

/// The message if people want to lock a deck of adopted cards, on which nothing was written.
const ADOPTED: &str = "this deck has adopted cards: Tabiya wrote nothing on their chips, so there is nothing to lock; only a deck of written cards can be locked";

/// What all commands need: the folder of decks, random numbers, the date.
struct Tools<'a> {
    decks: &'a Decks,
    random: RandomSource,
}

impl<'a> Tools<'a> {
    fn new(decks: &'a Decks) -> Self {
        Self { decks, random: random_source() }
    }

    fn work(&self) -> WorkTools<'_> {
        WorkTools { decks: self.decks, random: &self.random, today: &today }
    }
}

/// Returns today's date for a new deck; empty if the computer's clock shows no usual date.
fn today() -> String {
    date().unwrap_or_default().chars().take(10).collect()
}

/// How laying cards down ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The deck is made, checked or repaired.
    Complete,
    /// People ended the work before it was complete.
    Left,
}

/// Prints what people have to do next, and carries out what they do, until the deck is made, checked or repaired, or
/// until they end the work.
fn lead(bench: &mut Bench, work: &mut DeckWork, tools: &Tools<'_>) -> Result<End, ExitFailure> {
    while !is_checked(work) {
        let worked = match bench.next()? {
            BenchEvent::Left => return Ok(End::Left),
            BenchEvent::Typed(line) if line == "quit" => return Ok(End::Left),
            BenchEvent::Typed(line) => {
                let Some(worked) = typed(work, &line, tools) else {
                    print_line(&format!("`{line}`: {}", can_type(work)))?;
                    continue;
                };
                worked
            }
            BenchEvent::Tap(tap) => work.tapped(&tap, tools.work()),
            BenchEvent::Written(tap) => work.written(&tap, tools.work()),
            BenchEvent::NotWritten(why) => {
                print_line(&why)?;
                continue;
            }
            BenchEvent::Locked(_) => continue,
        };
        match worked {
            Ok(Worked::Write(reader, uid, id)) => {
                if let Err(why) = bench.readers.write(&reader, uid, Record::new(id)) {
                    print_line(&why.to_string())?;
                }
            }
            Ok(Worked::Made | Worked::Replaced(_)) => break,
            Ok(Worked::Next) => print_line(&prompt(work))?,
            Err(WorkError::Refused(sentence)) => print_line(&sentence.to_string())?,
            // Every card that is on disk is safe. The command ends, because further cards could not be saved.
            Err(WorkError::NotSaved(sentence)) => return Err(ExitFailure::unusable(sentence.to_string())),
        }
    }
    Ok(End::Complete)
}

/// Whether the work is a check of a deck, and all cards have been laid down.
fn is_checked(work: &DeckWork) -> bool {
    let (so_far, all) = work.progress();
    work.checked().is_some() && so_far == all
}

/// Applies a typed line: a face, or `undo`. `None` if the line is neither, or if this work takes no typed lines.
fn typed(work: &mut DeckWork, line: &str, tools: &Tools<'_>) -> Option<Result<Worked, WorkError>> {
    work.draft()?;
    if line == "undo" {
        return Some(work.undo(tools.work()));
    }
    face_letter(line).map(|card| work.face(card, tools.work()))
}

fn can_type(work: &DeckWork) -> String {
    match work.draft() {
        Some(draft) => {
            format!("type one letter, {}, or `undo`, or `quit`", letters(draft.enrolment.pack(), " "))
        }
        None => "lay cards down, or type `quit`".to_owned(),
    }
}

/// The letters of the deck's faces, the last one after "or".
fn letters(pack: Pack, between: &str) -> String {
    let mut letters: Vec<String> = pack.faces().map(|face| face.letter().to_string()).collect();
    let last = letters.pop().unwrap_or_default();
    format!("{} or {last}", letters.join(between))
}

/// Returns the prompt for the step that is due.
fn prompt(work: &DeckWork) -> String {
    let so_far = count(work.progress());
    match work.due() {
        Due::Enrol(EnrolStep::Tap(None)) => format!("{so_far}: lay down the next card"),
        Due::Enrol(EnrolStep::Tap(Some(card))) => {
            format!("{so_far}: lay down a {}", Fact::from(card))
        }
        Due::Enrol(EnrolStep::Write(..)) => format!("{so_far}: leave the card until it is written"),
        Due::Enrol(EnrolStep::Face) => {
            let pack = work.draft().map(|draft| draft.enrolment.pack()).unwrap_or_default();
            format!("{so_far}: which card is it? Type {}", letters(pack, ", "))
        }
        Due::Enrol(EnrolStep::Check) | Due::Check { .. } => so_far,
        Due::Replace(ReplaceStep::Others(_, (0, all))) => {
            format!("lay down the other {all} cards of this face, one by one")
        }
        Due::Replace(ReplaceStep::Others(..)) => so_far,
        Due::Replace(ReplaceStep::New | ReplaceStep::Write(..) | ReplaceStep::Done(_)) => {
            "lay down the new card".to_owned()
        }
    }
}

fn face_letter(word: &str) -> Option<CardFace> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    CardFace::from_letter(letter.to_ascii_uppercase())
}

// ---- a new deck ----

/// The options for enrolling a deck.
pub(super) struct Wishes {
    pub(super) pack: Pack,
    pub(super) method: EnrolMethod,
    pub(super) asked: bool,
    pub(super) anew: bool,
    pub(super) lock: bool,
}

/// Returns the draft with this name, or a new draft.
fn begin(name: &str, wishes: &Wishes, tools: WorkTools<'_>) -> Result<Draft, ExitFailure> {
    let decks = tools.decks;
    check_name(name).map_err(unusable)?;
    decks.check_free(name).map_err(unusable)?;
    let (begun, damaged) = if wishes.anew { (None, Vec::new()) } else { decks.draft(name) };
    // A damaged draft may belong to this deck, but the deck's name in a damaged draft cannot be read. Damaged drafts
    // are reported, and do not prevent a new draft.
    for error in &damaged {
        print_line(&error.to_string())?;
    }
    if let Some(draft) = begun {
        let (adopted, asked) =
            (draft.enrolment.method() == EnrolMethod::Adopt, draft.enrolment.asked().is_some());
        for (wanted, begun, option) in
            [(wishes.method == EnrolMethod::Adopt, adopted, "--adopt"), (wishes.asked, asked, "--asked")]
        {
            if wanted && !begun {
                return Err(ExitFailure::unusable(format!(
                    "this deck was begun without {option}; leave {option} out to continue, or add --anew to begin again"
                )));
            }
        }
        // The usual pack is also what nobody named.
        if wishes.pack != Pack::default() && wishes.pack != draft.enrolment.pack() {
            return Err(ExitFailure::unusable(format!(
                "this deck was begun with the cards of {}; leave --pack out to continue, or add --anew to begin again",
                draft.enrolment.pack().word()
            )));
        }
        if wishes.lock && adopted {
            return Err(ExitFailure::unusable(ADOPTED));
        }
        return Ok(draft);
    }
    new_draft(name, wishes.pack, wishes.method, wishes.asked, tools).map_err(ExitFailure::unusable)
}

pub(super) fn enrol(decks: &Decks, name: &str, wishes: &Wishes, quiet: bool) -> Result<(), ExitFailure> {
    let tools = Tools::new(decks);
    let draft = begin(name, wishes, tools.work())?;
    let mut bench = Bench::open(quiet)?;
    if wishes.anew {
        // Damaged drafts are not deleted, because the names in them cannot be read.
        for old in decks.drafts().0.iter().filter(|old| old.name == name) {
            decks.drop_draft(old.number).map_err(unusable)?;
        }
    }
    match draft.enrolment.progress() {
        (0, all) => print_line(&format!(
            "shuffle the {all} cards, then lay them down one by one; `undo` takes the last one back, `quit` ends"
        ))?,
        so_far => print_line(&format!(
            "{} cards of this deck were enrolled before; now lay down the others (`--anew` begins again)",
            count(so_far)
        ))?,
    }
    let mut work = DeckWork::enrol(draft);
    print_line(&prompt(&work))?;
    // The draft may be complete already, if an earlier attempt to save it as a deck failed. In that case `settle`
    // saves it now.
    match work.settle(tools.work()) {
        Ok(Worked::Made) => {}
        Ok(Worked::Next | Worked::Write(..) | Worked::Replaced(_)) => {
            if lead(&mut bench, &mut work, &tools)? == End::Left {
                return Err(left(&work));
            }
        }
        Err(error) => return Err(ExitFailure::unusable(error.sentence().to_string())),
    }
    print_line("the deck is saved; now lay all cards down once more, in any order")?;
    check(&mut bench, work, decks)?;
    if wishes.lock { lock_all(&mut bench, &decks.find(name).map_err(unusable)?) } else { Ok(()) }
}

fn left(work: &DeckWork) -> ExitFailure {
    let so_far = count(work.progress());
    ExitFailure::unusable(match work.progress() {
        (0, _) => format!("{so_far} cards were enrolled, so nothing was saved; enrol the deck again"),
        _ => {
            format!(
                "{so_far} cards are saved; run the same command to continue, or add --anew to begin again"
            )
        }
    })
}

// ---- all cards of a deck ----

pub(super) fn audit(decks: &Decks, deck: Deck, quiet: bool) -> Result<(), ExitFailure> {
    let mut bench = Bench::open(quiet)?;
    print_line("lay all cards of the deck down, in any order; `quit` ends and shows what is missing")?;
    check(&mut bench, DeckWork::check(deck, false), decks)
}

/// Asks people to lay down all cards once, in any order, and reports which cards are missing or wrong.
fn check(bench: &mut Bench, mut work: DeckWork, decks: &Decks) -> Result<(), ExitFailure> {
    lead(bench, &mut work, &Tools::new(decks))?;
    let (_, all) = work.progress();
    let missing = work.checked().map(DeckCheck::missing).unwrap_or_default();
    let missing: Vec<String> =
        missing.iter().map(|face| format!("{}{}", face.shows().letter(), face.copy())).collect();
    match (missing.is_empty(), work.checked().map_or(0, DeckCheck::wrong)) {
        (true, 0) => print_line(&format!("the deck {} is complete", work.deck())),
        (true, wrong) => Err(ExitFailure::refused(format!(
            "all {all} cards of the deck are there; wrong cards that were laid down: {wrong}; take the wrong cards out of the deck, and replace those that were rewritten"
        ))),
        (false, _) => Err(ExitFailure::refused(format!(
            "missing: {}; find them, or replace each with `tabiya deck replace`",
            missing.join(", ")
        ))),
    }
}

/// Checks that a deck is complete, then locks its cards.
pub(super) fn lock(decks: &Decks, deck: &Deck, quiet: bool) -> Result<(), ExitFailure> {
    if deck.adopted() > 0 {
        return Err(ExitFailure::unusable(ADOPTED));
    }
    let mut bench = Bench::open(quiet)?;
    print_line(
        "lay all cards of the deck down as a check, in any order; no card is locked before all have been checked",
    )?;
    check(&mut bench, DeckWork::check(deck.clone(), false), decks)?;
    lock_all(&mut bench, deck)
}

fn lock_all(bench: &mut Bench, deck: &Deck) -> Result<(), ExitFailure> {
    let unlocked = || ExitFailure::unusable("no card was locked; the deck is as it was");
    print_line(
        "locking cannot be undone: these cards can never be written again; type `lock` to lock them, or `quit`",
    )?;
    loop {
        match bench.next()? {
            BenchEvent::Left => return Err(unlocked()),
            BenchEvent::Typed(word) => match &*word {
                "lock" => break,
                "quit" => return Err(unlocked()),
                word => print_line(&format!("`{word}`: type `lock`, or `quit`"))?,
            },
            BenchEvent::Tap(_)
            | BenchEvent::Written(_)
            | BenchEvent::Locked(_)
            | BenchEvent::NotWritten(_) => {}
        }
    }
    let mut locked = BTreeSet::new();
    let all = deck.cards().len();
    let so_far = |locked: &BTreeSet<Uid>| count((locked.len(), all));
    let left = |locked: &BTreeSet<Uid>| {
        ExitFailure::unusable(format!(
            "{} cards are locked; run `tabiya deck lock` with the deck's name to lock the others",
            so_far(locked)
        ))
    };
    print_line("lay all cards down once more, each until it is locked")?;
    while locked.len() < all {
        match bench.next()? {
            BenchEvent::Left => return Err(left(&locked)),
            BenchEvent::Typed(word) if word == "quit" => return Err(left(&locked)),
            BenchEvent::Typed(word) => print_line(&format!("`{word}`: lay cards down, or type `quit`"))?,
            BenchEvent::NotWritten(why) => print_line(&why)?,
            BenchEvent::Written(_) => {}
            BenchEvent::Locked(uid) => {
                locked.insert(uid);
                print_line(&format!("{} locked", so_far(&locked)))?;
            }
            BenchEvent::Tap(tap) if locked.contains(&tap.uid) => {
                print_line(&format!("{}: this card is locked already", so_far(&locked)))?;
            }
            BenchEvent::Tap(tap) => {
                let id = deck.cards().iter().find(|card| card.uid == tap.uid).and_then(|card| card.id);
                match (deck.check(tap.uid, &tap.content), id) {
                    (Err(fault), _) => print_line(&fault.sentence().to_string())?,
                    // Cannot happen: adopted cards, which have no id, are refused above.
                    (Ok(_), None) => {}
                    (Ok(_), Some(id)) => {
                        if let Err(why) = bench.readers.lock(&tap.reader, tap.uid, id) {
                            print_line(&why.to_string())?;
                        }
                    }
                }
            }
        }
    }
    print_line(&format!("all cards of the deck {} are locked", deck.name()))
}

// ---- a damaged card ----

pub(super) fn replace(decks: &Decks, deck: &Deck, card: &str, quiet: bool) -> Result<(), ExitFailure> {
    let unknown = || {
        ExitFailure::unusable(format!(
            "`{card}` is not a card of a deck; write R for a rook, or R3 for the rook that the audit calls R3"
        ))
    };
    let mut letters = card.chars();
    let face = letters
        .next()
        .and_then(|letter| CardFace::from_letter(letter.to_ascii_uppercase()))
        .filter(|face| deck.pack().count(*face) > 0)
        .ok_or_else(unknown)?;
    let named = match letters.as_str() {
        "" => None,
        copy => {
            Some(copy.parse().ok().and_then(|copy| Face::new(deck.pack(), face, copy)).ok_or_else(unknown)?)
        }
    };
    let mut bench = Bench::open(quiet)?;
    let mut work = DeckWork::replace(deck.clone(), face, named);
    print_line(&prompt(&work))?;
    match lead(&mut bench, &mut work, &Tools::new(decks))? {
        End::Complete => print_line("the new card is in the deck; the old card no longer belongs to it"),
        End::Left => Err(ExitFailure::unusable("nothing was replaced; the deck is as it was")),
    }
}
