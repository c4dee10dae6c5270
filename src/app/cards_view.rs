//! What a screen shows of card readers and decks: plain values without chips' numbers, ids or faces that nobody has shown.
//!
//! Faces stand here where people name them anyway: while a deck is made (which are still to come, which came last), and
//! for whoever looks for a card that is missing or damaged.

use tabiya_types::{Card, Sentence};

use super::session::Owner;

/// Card readers, this user's decks, and what is being done with one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardsView {
    /// Whether readers are looked for.
    pub listening: bool,
    /// Whether all that are there have been told.
    pub ready: bool,
    /// Those that are there.
    pub readers: Vec<ReaderView>,
    /// Why no card can be read, and what to do.
    pub trouble: Option<String>,
    /// The deck that the table is played with.
    pub in_play: Option<String>,
    /// Whether cards are dealt over a reader there, too.
    pub deals: bool,
    /// This user's decks by name.
    pub decks: Vec<DeckView>,
    /// Decks that were begun and are not whole, with how many cards they have.
    pub begun: Vec<(String, usize)>,
    /// What is wrong with files that are no decks.
    pub wrong: Vec<String>,
    /// What is being done with a deck.
    pub work: Option<WorkView>,
}

/// A reader that is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReaderView {
    /// The system's name for it, as it is.
    pub name: String,
    /// Whose it is at the table; `None` where no deck is in play.
    pub owner: Option<Owner>,
    /// Why its cards are not read, and what to do.
    pub trouble: Option<String>,
}

/// What is no secret about a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckView {
    /// Its name.
    pub name: String,
    /// The date on which it was made.
    pub made: String,
    /// How many of its 44 cards were adopted as they are.
    pub adopted: usize,
}

/// A deck that is made, looked through or mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkView {
    /// Its name.
    pub deck: String,
    /// What is to be done now.
    pub step: WorkStep,
    /// How many cards are done, of how many.
    pub progress: (usize, usize),
    /// While it is made: how many of each face are still to come.
    pub missing: Vec<(Card, u8)>,
    /// While it is made: the face of the card that came last.
    pub last: Option<Card>,
    /// What was wrong with the last card.
    pub told: Option<Sentence>,
}

/// What is to be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkStep {
    /// Lay down the next card: any, or one of this face.
    Tap(Option<Card>),
    /// Leave the card there: it is being written.
    Write,
    /// Say which face the card has that lies there.
    Face,
    /// All cards are there, but the deck could not be kept: try again.
    Keep,
    /// Lay all cards down once more: the deck has just been made.
    Check,
    /// Lay all cards down.
    Audit,
    /// Lay down the other cards of this face.
    Others(Card),
    /// Lay down the new card.
    New,
    /// All cards were looked through.
    Over(DeckAudit),
}

/// What a look through a whole deck has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckAudit {
    /// The cards that were not laid down, by face and number among their equals.
    pub missing: Vec<(Card, u8)>,
    /// How many were laid down that should not be there, or not so.
    pub wrong: usize,
}

impl DeckAudit {
    /// Whether the deck is as it should be.
    pub fn whole(&self) -> bool {
        self.missing.is_empty() && self.wrong == 0
    }
}
