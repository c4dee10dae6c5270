//! Sentences for people, as values: an id, the English text with named holes, and the facts that fill
//! the holes.
//!
//! A screen can show a sentence in another language by using the id and the facts; [`Display`](fmt::Display) writes
//! the English text. Each sentence is created in one place by [`say!`], and the files in `src/text/` contain the same
//! ids for each language (`tests/house/words.rs` compares them with the code).

use std::fmt;

use crate::{Card, Color, Piece, Role, Seat, Square, harmless, say};

/// The id and the English text of a sentence. [`say!`] creates it at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Template {
    id: &'static str,
    english: &'static str,
}

impl Template {
    /// Creates a template after checking that its holes and the names of the facts are the same.
    ///
    /// # Panics
    /// If the holes and the facts differ. In [`say!`] this is a compile error.
    pub const fn new(id: &'static str, english: &'static str, facts: &[&str]) -> Self {
        assert!(fits(english.as_bytes(), facts), "the holes of this sentence and its facts differ");
        Self { id, english }
    }
}

/// Whether every hole in the text names a fact and every fact has a hole.
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

/// Whether the text continues at the index `from` with this name and the closing `}` of a hole.
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

/// A sentence for people, without a capital at the beginning or a full stop, together with its facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    template: &'static Template,
    facts: Vec<(&'static str, Fact)>,
}

impl Sentence {
    /// Combines a template and its facts; [`say!`] expands to this call.
    pub fn new(template: &'static Template, facts: Vec<(&'static str, Fact)>) -> Self {
        Self { template, facts }
    }

    /// The id of the sentence, which is the same in every language.
    pub fn id(&self) -> &'static str {
        self.template.id
    }

    /// The facts that fill the holes of the sentence, each with its name.
    pub fn facts(&self) -> &[(&'static str, Fact)] {
        &self.facts
    }

    /// The same sentence with every free text in it made [`harmless`].
    #[must_use]
    pub fn harmless(self) -> Self {
        self.with_names(&|text| harmless(&text))
    }

    /// The same sentence, with every free text in it put in this form.
    #[must_use]
    pub fn with_names(self, form: &impl Fn(String) -> String) -> Self {
        let facts = self.facts.into_iter().map(|(name, fact)| (name, fact.with_names(form))).collect();
        Self { facts, ..self }
    }

    /// The same sentence, with the player whom it addresses called by name: `White: make a move` becomes `Ann: make a
    /// move`. A colour inside a sentence stays, because languages join it to articles and verbs. `name` is asked for the
    /// name of a colour.
    #[must_use]
    pub fn addressed(mut self, name: &impl Fn(Color) -> String) -> Self {
        let addressee = self.template.english.strip_prefix('{').and_then(|rest| rest.split_once("}: "));
        let addressee = addressee.map(|(hole, _)| hole);
        for (hole, fact) in &mut self.facts {
            let spoken = match fact {
                Fact::Color(color) if addressee == Some(*hole) => Fact::Name(name(*color)),
                Fact::Sentence(inner) => inner.clone().addressed(name).into(),
                _ => continue,
            };
            *fact = spoken;
        }
        self
    }

    fn fact(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

/// Writes the sentence in English.
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

/// A sentence of another program, which may know other sentences than this one: its id, its English text, and its facts as far as they
/// were told. Whoever knows the id and has all facts says it in his own language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ToldSentence {
    /// The id.
    pub id: String,
    /// The English text.
    pub english: String,
    /// The facts, each with its name.
    pub facts: Vec<(String, Fact)>,
}

impl From<&Sentence> for ToldSentence {
    fn from(sentence: &Sentence) -> Self {
        let facts = sentence.facts().iter().map(|(name, fact)| ((*name).to_owned(), fact.clone()));
        Self { id: sentence.id().to_owned(), english: sentence.to_string(), facts: facts.collect() }
    }
}

impl ToldSentence {
    /// The same sentence, with every free text in it put in this form.
    #[must_use]
    pub fn with_names(self, form: &impl Fn(String) -> String) -> Self {
        let facts = self.facts.into_iter().map(|(name, fact)| (name, fact.with_names(form))).collect();
        Self { english: form(self.english), facts, ..self }
    }
}

/// A value in a sentence. A screen in another language translates colours and pieces; numbers, squares and names look
/// the same in every language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A colour: White or Black.
    Color(Color),
    /// A seat: A or B.
    Seat(Seat),
    /// The face of a card.
    Card(Card),
    /// A kind of piece without its colour.
    Role(Role),
    /// A piece with its colour.
    Piece(Piece),
    /// A square, such as e4.
    Square(Square),
    /// A whole number.
    Number(u64),
    /// A text that is not translated, such as a name, a reason, a move, a file or a clock reading.
    Name(String),
    /// A chess move in SAN with English piece letters, such as `Nf3`. A screen shows the letters of its language.
    San(String),
    /// Several values, joined by commas.
    List(Vec<Fact>),
    /// A sentence, or a single translatable word, inside another sentence.
    Sentence(Box<Sentence>),
    /// A sentence of another program.
    Told(Box<ToldSentence>),
}

impl Fact {
    /// A list of values, joined by commas.
    pub fn list<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::List(facts.into_iter().map(Into::into).collect())
    }

    /// Alternatives of one word each: `queen, rook or pawn`.
    pub fn either<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        let mut facts: Vec<Self> = facts.into_iter().map(Into::into).collect();
        match facts.pop() {
            Some(last) if facts.is_empty() => last,
            Some(last) => say!("joined-or", "{first} or {last}", first = Self::List(facts), last).into(),
            None => Self::List(facts),
        }
    }

    /// Alternatives of several words each: `this, or that, or something else`.
    pub fn alternatives<T: Into<Self>>(facts: impl IntoIterator<Item = T>) -> Self {
        Self::chain(facts, |one, other| say!("joined-or-else", "{one}, or {other}", one, other))
    }

    /// Several values that all hold: `this and that and the third`.
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

    fn with_names(self, form: &impl Fn(String) -> String) -> Self {
        match self {
            Self::Name(text) => Self::Name(form(text)),
            Self::List(facts) => Self::List(facts.into_iter().map(|fact| fact.with_names(form)).collect()),
            Self::Sentence(sentence) => sentence.with_names(form).into(),
            Self::Told(told) => told.with_names(form).into(),
            Self::San(_)
            | Self::Color(_)
            | Self::Seat(_)
            | Self::Card(_)
            | Self::Role(_)
            | Self::Piece(_)
            | Self::Square(_)
            | Self::Number(_) => self,
        }
    }
}

/// Writes the value in English.
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
            Self::Name(text) | Self::San(text) => text.fmt(f),
            Self::List(facts) => facts.iter().enumerate().try_for_each(|(nth, fact)| {
                f.write_str(if nth > 0 { ", " } else { "" })?;
                fact.fmt(f)
            }),
            Self::Sentence(sentence) => sentence.fmt(f),
            Self::Told(told) => told.english.fmt(f),
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
    Number(u8), Number(u16), Number(u32), Number(u64), Name(String), Sentence(Sentence),
    Told(ToldSentence),
}

impl From<usize> for Fact {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// Creates a `Sentence` from its id, its English text with a `{name}` for each fact, and the facts, each
/// given as `name` or `name = value`. Id and text must be literals, so that a search in the sources finds them.
///
/// ```
/// use tabiya_types::{Color, say};
/// let by = Color::White;
/// let sentence = say!("raises", "{by} raises to {to}", by, to = 6_u32);
/// assert_eq!(sentence.to_string(), "White raises to 6");
/// ```
///
/// A hole without a fact is a compile error, and so is a fact without a hole:
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
