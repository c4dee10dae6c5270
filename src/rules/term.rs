//! A term of a match as it is declared: its name in the record, its values, the usual one, its line on the match sheet,
//! and its option of `tabiya play`.
//!
//! Each term is declared once, beside the game that has it. The reader of headers, the command line, the window's form
//! and the check of the documents follow from the declaration. A value that is more than a number, a word or a yes is read
//! by its game; its kind then says how people write it.

use tabiya_types::Sentence;

use super::datum::{Datum, Group};

/// A term of a match. `K` is its kind; terms of all kinds together are in lists of `TermSpec`.
#[derive(Clone, Copy, Debug)]
pub struct TermSpec<K = TermKind> {
    /// The name in the record. The window's texts have this name, too, with `-` for `_`.
    pub name: &'static str,
    /// What the term may say, and what holds if nobody says it.
    pub kind: K,
    /// The option of `tabiya play` that says it; `None` if there is none.
    pub option: Option<TermOption>,
    /// Whether the window's form asks for it. A term that it does not ask for is kept as it is.
    pub in_form: bool,
}

/// An option of the command line that says a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermOption {
    /// The name without its two hyphens.
    pub long: &'static str,
    /// What the help calls the value; empty for an option without a value.
    pub value: &'static str,
    /// The sentence in the help, without a full stop.
    pub about: &'static str,
}

/// What a term may say.
#[derive(Clone, Copy, Debug)]
pub enum TermKind {
    /// Yes or no.
    YesNo(YesNo),
    /// A whole number in a range.
    Number(WholeNumber),
    /// One of few numbers.
    OneNumber(OneNumber),
    /// One of few words.
    OneWord(OneWord),
    /// A number of chips, at least 1.
    Chips,
    /// The chips of both seats.
    Stacks,
    /// The least and the highest stake of a game, in chips.
    Stakes,
    /// How bets are limited.
    Limit,
    /// How blinds rise.
    Blinds,
    /// The physical pieces of both players. Each game's header may have them; a game that declares them asks for them.
    Sets,
    /// A position, as FEN.
    Position,
    /// Whether the match begins from a start position of Chess960.
    Start960,
    /// Which card lies under which square.
    Deal,
    /// The file with the texts of the cards.
    CardFile,
}

/// A term that is `true` or `false`.
#[derive(Clone, Copy, Debug)]
pub struct YesNo {
    /// What holds if nobody says it.
    pub usual: bool,
    /// The line on the match sheet; `None` if it has none of its own.
    pub line: Option<fn(bool) -> Sentence>,
}

/// A term that is a whole number in a range.
#[derive(Clone, Copy, Debug)]
pub struct WholeNumber {
    /// The least number.
    pub least: u32,
    /// The greatest number.
    pub most: u32,
    /// What holds if nobody says it.
    pub usual: UsualNumber,
    /// The line on the match sheet; `None` if it has none of its own.
    pub line: Option<fn(u32) -> Sentence>,
}

/// The number that holds if nobody says one.
#[derive(Clone, Copy, Debug)]
pub enum UsualNumber {
    /// Always the same one.
    Is(u32),
    /// It follows from the other terms, in the form of the record.
    Follows(fn(&Group) -> u32),
}

/// A term that is one of few numbers.
#[derive(Clone, Copy, Debug)]
pub struct OneNumber {
    /// The numbers in rising order; the first is the usual one.
    pub numbers: &'static [u32],
    /// The line on the match sheet; `None` if it has none of its own.
    pub line: Option<fn(u32) -> Sentence>,
}

/// A term that is one of few words.
#[derive(Clone, Copy, Debug)]
pub struct OneWord(
    /// The words; the first is the usual one.
    pub &'static [TermWord],
);

/// A word that a term may say.
#[derive(Clone, Copy, Debug)]
pub struct TermWord {
    /// The word in the record.
    pub word: &'static str,
    /// The line on the match sheet; `None` if the word has none.
    pub line: Option<fn() -> Sentence>,
}

impl<K: Copy> TermSpec<K> {
    /// A term that the window's form asks for, and that has no option of `tabiya play`.
    pub const fn new(name: &'static str, kind: K) -> Self {
        Self { name, kind, option: None, in_form: true }
    }

    /// The same term with an option: its name, what the help calls its value (empty for none), and its sentence.
    #[must_use]
    pub const fn option(self, long: &'static str, value: &'static str, about: &'static str) -> Self {
        Self {
            name: self.name,
            kind: self.kind,
            option: Some(TermOption { long, value, about }),
            in_form: self.in_form,
        }
    }

    /// The same term, for which neither the window nor the command line asks.
    #[must_use]
    pub const fn unasked(self) -> Self {
        Self { name: self.name, kind: self.kind, option: None, in_form: false }
    }

    const fn of_kind(&self, kind: TermKind) -> TermSpec {
        TermSpec { name: self.name, kind, option: self.option, in_form: self.in_form }
    }
}

impl TermSpec<YesNo> {
    /// The term in a list of terms.
    pub const fn spec(&self) -> TermSpec {
        self.of_kind(TermKind::YesNo(self.kind))
    }

    /// What these terms say, or else the usual value.
    pub fn of(&self, terms: &Group) -> bool {
        terms.get(self.name).and_then(Datum::as_flag).unwrap_or(self.kind.usual)
    }
}

impl TermSpec<WholeNumber> {
    /// The term in a list of terms.
    pub const fn spec(&self) -> TermSpec {
        self.of_kind(TermKind::Number(self.kind))
    }

    /// What these terms say, or else the usual number.
    pub fn of(&self, terms: &Group) -> u32 {
        let said = terms.get(self.name).and_then(Datum::as_number).and_then(|said| u32::try_from(said).ok());
        let said = said.filter(|said| (self.kind.least..=self.kind.most).contains(said));
        said.unwrap_or_else(|| self.kind.usual.among(terms))
    }
}

impl UsualNumber {
    /// The number that holds beside these terms.
    pub fn among(self, terms: &Group) -> u32 {
        match self {
            Self::Is(number) => number,
            Self::Follows(usual) => usual(terms),
        }
    }
}

impl TermSpec<OneNumber> {
    /// The term in a list of terms.
    pub const fn spec(&self) -> TermSpec {
        self.of_kind(TermKind::OneNumber(self.kind))
    }
}

impl TermSpec<OneWord> {
    /// The term in a list of terms.
    pub const fn spec(&self) -> TermSpec {
        self.of_kind(TermKind::OneWord(self.kind))
    }
}

impl TermKind {
    /// What holds if nobody says it; `None` if that follows from the other terms or is more than one plain value.
    pub fn usual(&self) -> Option<Datum> {
        match self {
            Self::YesNo(YesNo { usual, .. }) => Some((*usual).into()),
            Self::Number(WholeNumber { usual: UsualNumber::Is(number), .. }) => Some((*number).into()),
            Self::OneNumber(OneNumber { numbers, .. }) => numbers.first().map(|number| (*number).into()),
            Self::OneWord(OneWord(words)) => words.first().map(|word| word.word.into()),
            Self::Number(WholeNumber { usual: UsualNumber::Follows(_), .. })
            | Self::Chips
            | Self::Stacks
            | Self::Stakes
            | Self::Limit
            | Self::Blinds
            | Self::Sets
            | Self::Position
            | Self::Start960
            | Self::Deal
            | Self::CardFile => None,
        }
    }

    /// Whether the term is a plain number, word or yes.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::YesNo(_) | Self::Number(_) | Self::OneNumber(_) | Self::OneWord(_))
    }

    /// The words or numbers of which a plain term is one, the usual one first; none for a term of another kind.
    pub fn choices(&self) -> Vec<Datum> {
        match self {
            Self::OneNumber(OneNumber { numbers, .. }) => {
                numbers.iter().map(|number| (*number).into()).collect()
            }
            Self::OneWord(OneWord(words)) => words.iter().map(|word| word.word.into()).collect(),
            Self::YesNo(_)
            | Self::Number(_)
            | Self::Chips
            | Self::Stacks
            | Self::Stakes
            | Self::Limit
            | Self::Blinds
            | Self::Sets
            | Self::Position
            | Self::Start960
            | Self::Deal
            | Self::CardFile => Vec::new(),
        }
    }
}
