//! The state of card readers and decks as the screens show it, in plain values. The values contain no chip numbers, no
//! ids, and no faces of unrevealed cards.
//!
//! Faces appear only in two cases in which the user knows them anyway: while a deck is made (the faces still missing,
//! and the face of the last card), and while a missing or damaged card is replaced.

use tabiya_types::{CardFace, Pack, Seat, Sentence};

/// Card readers, this user's decks, and the work in progress on a deck.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardsView {
    /// Whether Tabiya looks for card readers.
    pub listening: bool,
    /// Whether the search has reported every card reader that is plugged in.
    pub ready: bool,
    /// The card readers that are plugged in.
    pub readers: Vec<ReaderView>,
    /// Why no card can be read on any reader, and what to do about it.
    pub trouble: Option<String>,
    /// The name of the deck in use at the table.
    pub in_play: Option<String>,
    /// Whether a reader also reads the cards while they are dealt, so that the record can seal the hands.
    pub deals: bool,
    /// This user's decks, sorted by name.
    pub decks: Vec<DeckView>,
    /// The unfinished decks: the name, and how many cards the deck has so far and in the end.
    pub drafts: Vec<(String, (usize, usize))>,
    /// What is wrong with each deck file that cannot be read.
    pub wrong: Vec<String>,
    /// The work in progress on a deck.
    pub work: Option<WorkView>,
}

/// A card reader that is plugged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReaderView {
    /// The reader's name as the system reports it, not yet made safe to show.
    pub name: String,
    /// Who uses the reader at the table; `None` if the table has no deck.
    pub owner: Option<Owner>,
    /// Why the reader reads no cards, and what to do.
    pub trouble: Option<String>,
}

/// The owner of a card reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Nobody. The reader gets an owner when a player lays a card on the reader in his turn.
    Nobody,
    /// One player alone.
    Seat(Seat),
    /// Both players, who share the reader.
    Both,
    /// The dealer: cards are laid on this reader while they are dealt.
    Dealer,
}

/// The facts about a deck that are not secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckView {
    /// The deck's name.
    pub name: String,
    /// The date on which the deck was made.
    pub made: String,
    /// Which cards the deck has.
    pub pack: Pack,
    /// How many of its cards were adopted: their chips were not written, only the chips' own numbers were noted.
    pub adopted: usize,
}

/// A deck that is being made, checked or repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkView {
    /// The deck's name.
    pub deck: String,
    /// Which cards the deck has.
    pub pack: Pack,
    /// What the user has to do now.
    pub step: WorkStep,
    /// How many cards are done, and how many cards the present work needs in all.
    pub progress: (usize, usize),
    /// While the deck is made: how many cards of each face are still missing.
    pub missing: Vec<(CardFace, u8)>,
    /// While the deck is made: the face of the card that was added last.
    pub last: Option<CardFace>,
    /// What was wrong with the card that was laid down last, if anything.
    pub problem: Option<Sentence>,
}

/// What the user has to do next with a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkStep {
    /// Lay the next card on the reader: a card with this face, or any card if no face is given.
    Tap(Option<CardFace>),
    /// Leave the card on the reader: its chip is being written.
    Write,
    /// Enter the face of the card on the reader.
    Face,
    /// All cards are enrolled, but saving the deck failed: save it again.
    Keep,
    /// Lay every card down once more, to check the deck that has just been made.
    Check,
    /// Lay every card down, to check the deck.
    Audit,
    /// Lay down all other cards with this face. Tabiya then knows which card with this face is missing or damaged.
    Others(CardFace),
    /// Lay down the new card that replaces a damaged or missing one.
    New,
    /// The check is finished; this is its result.
    Over(DeckAudit),
}

/// The result of checking a whole deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckAudit {
    /// The cards that were not laid down: the face, and the number among the cards with that face, from 1.
    pub missing: Vec<(CardFace, u8)>,
    /// How many cards were laid down that do not belong to the deck, or whose chip was rewritten.
    pub wrong: usize,
}

impl DeckAudit {
    /// Whether no card of the deck is missing and no wrong card was laid down.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.wrong == 0
    }
}
