//! A line of the match sheet with what it is about, so that screens can put lines together without reading them.

use tabiya_types::{BySeat, Sentence};

/// What a line of the match sheet is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SheetTopic {
    /// The game and its players.
    Players,
    /// The chips that each seat starts with.
    Stacks(BySeat<u32>),
    /// What else is played for, and for how long.
    Stakes,
    /// The rules of the game.
    Rules,
    /// The time control that both players have.
    SharedTime,
    /// What a time control means.
    TimeMeaning,
    /// Anything else about time and clocks.
    Time,
    /// How a turn ends.
    Turn,
    /// Who is told what.
    Voice,
}

/// A line of the match sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetLine {
    /// What the line is about.
    pub topic: SheetTopic,
    /// The line.
    pub says: Sentence,
}

impl SheetLine {
    /// A line about this topic.
    pub const fn new(topic: SheetTopic, says: Sentence) -> Self {
        Self { topic, says }
    }
}

/// A line about the rules of the game.
impl From<Sentence> for SheetLine {
    fn from(says: Sentence) -> Self {
        Self::new(SheetTopic::Rules, says)
    }
}
