//! Whose word it is: a colour, a player's name, before or after the word: `black draws`, `resign Bo`.

use tabiya_engine::table::Audience;
use tabiya_engine::table::{Input, QuestionBefore, Table};
use tabiya_types::{Color, Seat, Sentence, say};

use super::typed::{Typed, TypedOrder};

/// Whose word a line is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum WordOwner {
    /// Nobody is named.
    Unnamed,
    /// This player.
    Is(Color),
    /// The name can mean either player.
    Either(EitherPlayer),
}

/// A question which of two players a name means.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct EitherPlayer {
    name: String,
    players: [Sentence; 2],
}

impl EitherPlayer {
    /// Asks which player is meant; each answer enters what `enter` gives for that player.
    pub(super) fn ask(self, enter: impl Fn(Color) -> Vec<Input>) -> TypedOrder {
        let answers = Color::ALL.into_iter().zip(self.players).map(|(by, text)| (text, enter(by))).collect();
        let text = say!("ask-which-player", "which player is `{name}`?", name = self.name);
        TypedOrder::Ask(QuestionBefore { to: Audience::Players, text, answers })
    }
}

impl WordOwner {
    /// The player; the default if nobody is named.
    pub(super) fn or(
        self,
        usual: impl FnOnce() -> Result<Color, Sentence>,
    ) -> Result<Result<Color, EitherPlayer>, Sentence> {
        match self {
            Self::Is(color) => Ok(Ok(color)),
            Self::Unnamed => usual().map(Ok),
            Self::Either(question) => Ok(Err(question)),
        }
    }
}

/// The player that these words name, as a colour or by name; the words in lower case.
pub(super) fn player(words: &[&str], table: &Table) -> WordOwner {
    let said = words.join(" ");
    let by_color = Color::from_word(&said);
    let named: Vec<Color> =
        Color::ALL.into_iter().filter(|color| table.name_of(*color).to_lowercase() == said).collect();
    match (by_color, named.as_slice()) {
        (None, []) => WordOwner::Unnamed,
        (Some(color), []) => WordOwner::Is(color),
        (None, [color]) => WordOwner::Is(*color),
        (Some(color), [named]) if color == *named => WordOwner::Is(color),
        _ => {
            let of = |color: Color| {
                let name = table.name_of(color).to_owned();
                say!("player-with-color", "{name}, who has {color}", name, color)
            };
            WordOwner::Either(EitherPlayer { name: said, players: Color::ALL.map(of) })
        }
    }
}

/// The seat that the first of these words name: a letter, a colour or a name. Returns the other words too.
pub(super) fn seat<'a, 'b>(words: &'a [&'b str], table: &Table) -> Option<(Seat, &'a [&'b str])> {
    for length in (1..=words.len()).rev() {
        let (first, rest) = words.split_at(length);
        if let WordOwner::Is(color) = player(first, table) {
            return Some((table.seat_of(color), rest));
        }
    }
    let [first, rest @ ..] = words else { return None };
    let letter = Seat::ALL.into_iter().find(|seat| seat.word().eq_ignore_ascii_case(first))?;
    Some((letter, rest))
}

impl<'a> Typed<'a> {
    /// If the line is one of these verbs with its owner before it or after it (`black draws`, `draw Bo`), the verb, the
    /// owner, and the words after both.
    pub(super) fn verb_and_owner(
        &self,
        verbs: &[&'static str],
    ) -> Option<(&'static str, WordOwner, &'a [&'a str])> {
        let verb_of = |word: &str| {
            let word = word.trim_end_matches(['?', '!', '.']);
            verbs.iter().copied().find(|verb| {
                word == *verb
                    || word
                        .strip_suffix("es")
                        .or(word.strip_suffix('s'))
                        .is_some_and(|base| base == *verb || word.strip_suffix('s') == Some(verb))
            })
        };
        let after = |from: usize| (from, self.words.get(from..).unwrap_or_default());
        if let Some(verb) = self.lower.first().and_then(|word| verb_of(word)) {
            // The longest name after the verb counts; the rest may be a reason.
            for end in (2..=self.lower.len()).rev() {
                let owner = player(&self.lower[1..end], self.table);
                if owner != WordOwner::Unnamed {
                    return Some((verb, owner, after(end).1));
                }
            }
            return Some((verb, WordOwner::Unnamed, after(1).1));
        }
        for end in (1..self.lower.len()).rev() {
            if let Some(verb) = verb_of(self.lower[end]) {
                let owner = player(&self.lower[..end], self.table);
                if owner != WordOwner::Unnamed {
                    return Some((verb, owner, after(end + 1).1));
                }
            }
        }
        None
    }
}
