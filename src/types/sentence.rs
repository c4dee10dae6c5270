//! Sentences for people, as values: an id, the English words with named holes, and the facts that fill
//! them.
//!
//! Whoever shows a sentence may put it into another language by its id and its facts; the English is
//! what [`Display`](fmt::Display) writes. Each sentence is made in one place by [`say!`], and
//! `src/text/` has the same ids in each language (`tests/words.rs` holds them against the code).

use std::fmt;

use crate::{Card, Color, Piece, Role, Seat, Square, harmless, say};

/// A sentence's id and its English words. [`say!`] makes one at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Template {
    id: &'static str,
    english: &'static str,
}

impl Template {
    /// A template whose holes are exactly these facts.
    ///
    /// # Panics
    /// If they are not; in [`say!`] such a sentence does not compile.
    pub const fn new(id: &'static str, english: &'static str, facts: &[&str]) -> Self {
        assert!(fits(english.as_bytes(), facts), "the holes of this sentence are not its facts");
        Self { id, english }
    }
}

/// Whether every hole names a fact and every fact has a hole.
const fn fits(english: &[u8], facts: &[&str]) -> bool {
    let mut at = 0;
    while at < english.len() {
        if english[at] == b'{' && !names_one(english, at + 1, facts) {
            return false;
        }
        at += 1;
    }
    let mut nth = 0;
    while nth < facts.len() {
        if !has_hole(english, facts[nth]) {
            return false;
        }
        nth += 1;
    }
    true
}

const fn names_one(english: &[u8], from: usize, facts: &[&str]) -> bool {
    let mut nth = 0;
    while nth < facts.len() {
        if names(english, from, facts[nth].as_bytes()) {
            return true;
        }
        nth += 1;
    }
    false
}

const fn has_hole(english: &[u8], fact: &str) -> bool {
    let mut at = 0;
    while at < english.len() {
        if english[at] == b'{' && names(english, at + 1, fact.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether the hole that opens before `from` has this name.
const fn names(english: &[u8], from: usize, name: &[u8]) -> bool {
    if from + name.len() >= english.len() || english[from + name.len()] != b'}' {
        return false;
    }
    let mut nth = 0;
    while nth < name.len() {
        if english[from + nth] != name[nth] {
            return false;
        }
        nth += 1;
    }
    true
}

/// A sentence for people, without capital or full stop, that carries what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    template: &'static Template,
    facts: Vec<(&'static str, Fact)>,
}

impl Sentence {
    /// A template with its facts; [`say!`] writes this.
    pub fn new(template: &'static Template, facts: Vec<(&'static str, Fact)>) -> Self {
        Self { template, facts }
    }

    /// The name under which every language has it.
    pub fn id(&self) -> &'static str {
        self.template.id
    }

    /// What fills its holes, by their names.
    pub fn facts(&self) -> &[(&'static str, Fact)] {
        &self.facts
    }

    /// The same with every free text in it made [`harmless`].
    #[must_use]
    pub fn harmless(self) -> Self {
        let facts = self.facts.into_iter().map(|(name, fact)| (name, fact.harmless())).collect();
        Self { facts, ..self }
    }

    fn fact(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

/// The English sentence.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template.english;
        while let Some((before, hole)) = rest.split_once('{') {
            f.write_str(before)?;
            let (name, after) = hole.split_once('}').unwrap_or((hole, ""));
            match self.fact(name) {
                Some(fact) => fact.fmt(f)?,
                None => debug_assert!(false, "{} has no fact `{name}`", self.id()),
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

/// Something that a sentence is about. Whoever shows it in another language has its own words for
/// colours and pieces; the rest looks the same everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// White or Black.
    Color(Color),
    /// A or B.
    Seat(Seat),
    /// A card's face.
    Card(Card),
    /// A kind of piece.
    Role(Role),
    /// A piece with its colour.
    Piece(Piece),
    /// A square.
    Square(Square),
    /// A whole number.
    Number(u64),
    /// A text that is no language's: a name, a reason, a move, a file, a clock's time. Shown as it is.
    Name(String),
    /// One after the other, with commas between.
    List(Vec<Fact>),
    /// A sentence, or a single word, within the sentence.
    Sentence(Box<Sentence>),
}

impl Fact {
    /// One after the other, with commas between.
    pub fn list<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::List(facts.into_iter().map(Into::into).collect())
    }

    /// One of these: `queen, rook or pawn`.
    pub fn either<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        let mut facts: Vec<Self> = facts.into_iter().map(Into::into).collect();
        match facts.pop() {
            Some(last) if facts.is_empty() => last,
            Some(last) => say!("joined-or", "{first} or {last}", first = Self::List(facts), last).into(),
            None => Self::List(facts),
        }
    }

    /// Longer things of which one holds: `this, or that, or something else`.
    pub fn ways<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::chain(facts, |one, other| say!("joined-or-else", "{one}, or {other}", one, other))
    }

    /// All of these: `this and that and the third`.
    pub fn all<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::chain(facts, |one, other| say!("joined-and", "{one} and {other}", one, other))
    }

    fn chain<T: Into<Self>>(
        facts: impl IntoIterator<Item = T>,
        join: impl Fn(Self, Self) -> Sentence,
    ) -> Self {
        let joined = facts.into_iter().map(Into::into).reduce(|one, other| join(one, other).into());
        joined.unwrap_or(Self::List(Vec::new()))
    }

    fn harmless(self) -> Self {
        match self {
            Self::Name(text) => Self::Name(harmless(&text)),
            Self::List(facts) => Self::List(facts.into_iter().map(Self::harmless).collect()),
            Self::Sentence(sentence) => sentence.harmless().into(),
            Self::Color(_)
            | Self::Seat(_)
            | Self::Card(_)
            | Self::Role(_)
            | Self::Piece(_)
            | Self::Square(_)
            | Self::Number(_) => self,
        }
    }
}

/// The English word.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Color(color) => color.fmt(f),
            Self::Seat(seat) => seat.fmt(f),
            Self::Card(card) => card.fmt(f),
            Self::Role(role) => role.fmt(f),
            Self::Piece(piece) => piece.fmt(f),
            Self::Square(square) => fmt::Display::fmt(square, f),
            Self::Number(number) => number.fmt(f),
            Self::Name(text) => text.fmt(f),
            Self::List(facts) => facts.iter().enumerate().try_for_each(|(nth, fact)| {
                f.write_str(if nth > 0 { ", " } else { "" })?;
                fact.fmt(f)
            }),
            Self::Sentence(sentence) => sentence.fmt(f),
        }
    }
}

macro_rules! facts_from {
    ($($variant:ident($from:ty)),* $(,)?) => {
        $(impl From<$from> for Fact {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

facts_from! {
    Color(Color), Seat(Seat), Card(Card), Role(Role), Piece(Piece), Square(Square),
    Number(u8), Number(u32), Number(u64), Name(String), Sentence(Sentence),
}

impl From<usize> for Fact {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// A sentence: its id, its English words with a `{name}` for each fact, and the facts, as `name` or
/// `name = value`. Id and words are literals, so that they are found in the sources.
///
/// ```
/// use tabiya_types::{Color, say};
/// let by = Color::White;
/// let sentence = say!("raises", "{by} raises to {to}", by, to = 6_u32);
/// assert_eq!(sentence.to_string(), "White raises to 6");
/// ```
///
/// A hole without a fact does not compile, nor does a fact without a hole:
///
/// ```compile_fail
/// tabiya_types::say!("raises", "{by} raises to {to}", to = 6_u32);
/// ```
#[macro_export]
macro_rules! say {
    (@$name:ident) => { $crate::Fact::from($name) };
    (@$name:ident = $fact:expr) => { $crate::Fact::from($fact) };
    ($id:literal, $english:literal $(, $name:ident $(= $fact:expr)?)* $(,)?) => {
        $crate::Sentence::new(
            const { &$crate::Template::new($id, $english, &[$(stringify!($name)),*]) },
            ::std::vec![$((stringify!($name), $crate::say!(@$name $(= $fact)?))),*],
        )
    };
}
