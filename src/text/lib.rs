//! The texts of the screens and of the table, in English, German and Spanish.
//!
//! The texts of the screens are Fluent files, one for each language. If a language lacks a text, the English text is
//! used; a test compares the three files. The sentences of the table have their English text in the code
//! (`Sentence`) and a file for each other language; `tests/house/words.rs` compares those files with the code.

mod language;

use std::borrow::Cow;
use std::fmt;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
pub use language::Language;
use tabiya_types::{Card, Color, Fact, Piece, Role, Sentence, ToldSentence};
use unic_langid::LanguageIdentifier;

/// The Fluent file with the texts of the screens.
fn screens(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("en/screens.ftl"),
        Language::Spanish => include_str!("es/screens.ftl"),
        Language::German => include_str!("de/screens.ftl"),
    }
}

/// The Fluent file with the sentences of the rules, the table and the tracker; `None` for English, whose text is in the
/// code. A sentence may have the same id as a text of the screens, so each of the two files is loaded into its own
/// Fluent bundle.
fn sentences(language: Language) -> Option<&'static str> {
    match language {
        Language::English => None,
        Language::Spanish => Some(include_str!("es/sentences.ftl")),
        Language::German => Some(include_str!("de/sentences.ftl")),
    }
}

/// All texts in one language.
pub struct Words {
    /// The language of the texts.
    pub language: Language,
    screens: FluentBundle<FluentResource>,
    sentences: Option<FluentBundle<FluentResource>>,
    english: Option<FluentBundle<FluentResource>>,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Words").field("language", &self.language).finish_non_exhaustive()
    }
}

impl Words {
    /// Loads the texts of a language.
    pub fn of(language: Language) -> Self {
        let of = |text| bundle(language, text);
        let english = (language != Language::English).then(|| of(screens(Language::English)));
        Self { language, screens: of(screens(language)), sentences: sentences(language).map(of), english }
    }

    /// The text with this id, for a text without holes.
    pub fn t(&self, id: &str) -> String {
        self.with(id, &[])
    }

    /// The text with this id, for a text without holes that need not be there.
    pub fn find(&self, id: &str) -> Option<String> {
        let args = FluentArgs::new();
        read(&self.screens, id, &args)
    }

    /// The text with this id, its holes filled with `facts`.
    pub fn with(&self, id: &str, facts: &[(&'static str, FluentValue<'_>)]) -> String {
        let args: FluentArgs = facts.iter().map(|(name, value)| (Cow::from(*name), value.clone())).collect();
        let found = read(&self.screens, id, &args)
            .or_else(|| self.english.as_ref().and_then(|english| read(english, id, &args)));
        debug_assert!(found.is_some(), "there is no text `{id}` with these holes");
        found.unwrap_or_else(|| id.to_owned())
    }

    /// A sentence of the table in this language, for screens. Terminal commands in it are replaced by the names of the
    /// buttons, and what people type stands in the quotation marks of the language.
    pub fn sentence(&self, sentence: &Sentence) -> String {
        const BUTTONS: [(&str, &str); 4] =
            [("`resume`", "resume"), ("`next`", "next-game"), ("`deal`", "deal"), ("`undo`", "command-undo")];
        let mut text = self.said(sentence);
        for (word, button) in BUTTONS {
            if text.contains(word) {
                text = text.replace(word, &format!("`{}`", self.t(button)));
            }
        }
        self.quoted(&text)
    }

    /// A text with the quotation marks of this language in place of backticks.
    fn quoted(&self, text: &str) -> String {
        let [open, close] = match self.language {
            Language::English => ["“", "”"],
            Language::German => ["„", "“"],
            Language::Spanish => ["«", "»"],
        };
        let mut parts = text.split('`');
        let mut quoted = parts.next().unwrap_or_default().to_owned();
        for (nth, part) in parts.enumerate() {
            quoted.push_str(if nth % 2 == 0 { open } else { close });
            quoted.push_str(part);
        }
        quoted
    }

    /// A sentence of the table in this language. Words that people type in a terminal stay as they are.
    pub fn said(&self, sentence: &Sentence) -> String {
        let Some(sentences) = &self.sentences else { return sentence.to_string() };
        let args: FluentArgs<'_> =
            sentence.facts().iter().map(|(name, fact)| (Cow::from(*name), self.value(fact))).collect();
        read(sentences, sentence.id(), &args).unwrap_or_else(|| sentence.to_string())
    }

    /// A sentence of another program; in English if it is not known here, or if a fact of it was not told.
    fn told(&self, told: &ToldSentence) -> String {
        let facts = || told.facts.iter().map(|(name, fact)| (Cow::from(name.as_str()), self.value(fact)));
        let said = self.sentences.as_ref().and_then(|known| read(known, &told.id, &facts().collect()));
        said.unwrap_or_else(|| told.english.clone())
    }

    /// A fact for a sentence. A number stays one, so that the translation can choose the singular or the plural.
    fn value(&self, fact: &Fact) -> FluentValue<'_> {
        match fact {
            Fact::Number(number) => FluentValue::from(*number),
            _ => FluentValue::from(self.fact(fact)),
        }
    }

    fn fact(&self, fact: &Fact) -> String {
        match fact {
            Fact::Color(color) => self.color(*color),
            Fact::Card(card) => self.card(*card),
            Fact::Role(role) => self.role(*role),
            Fact::Piece(piece) => self.piece(*piece),
            Fact::San(san) => self.san(san),
            Fact::List(facts) => facts.iter().map(|fact| self.fact(fact)).collect::<Vec<_>>().join(", "),
            Fact::Sentence(inner) => self.said(inner),
            Fact::Told(told) => self.told(told),
            Fact::Seat(_) | Fact::Square(_) | Fact::Number(_) | Fact::Name(_) => fact.to_string(),
        }
    }

    /// The name of a colour.
    pub fn color(&self, color: Color) -> String {
        self.t(match color {
            Color::White => "white",
            Color::Black => "black",
        })
    }

    /// The name of a piece with its colour: `white rook`.
    pub fn piece(&self, piece: Piece) -> String {
        self.t(&format!("{}-{}", piece.color.word(), piece.role.word()))
    }

    /// The name of a kind of piece.
    pub fn role(&self, role: Role) -> String {
        self.t(&format!("piece-{}", role.word()))
    }

    /// The name of a card.
    pub fn card(&self, card: Card) -> String {
        self.role(card.role())
    }

    /// The letter of a kind of piece in this language.
    pub fn letter(&self, role: Role) -> String {
        self.t(&format!("letter-{}", role.word()))
    }

    /// Translates a move in SAN to the piece letters of this language. The code of a card, which stands before a colon,
    /// stays as it is.
    pub fn san(&self, san: &str) -> String {
        if let Some((code, steps)) = san.split_once(':') {
            return format!("{code}:{}", self.san(steps));
        }
        let letter = |letter: char| match Role::from_letter(letter) {
            // Pawns have no letter in SAN, and a lower-case `b` means the b-file of the board, not a bishop.
            Some(role) if letter.is_ascii_uppercase() && role != Role::Pawn => self.letter(role),
            _ => letter.to_string(),
        };
        san.chars().map(letter).collect()
    }

    /// The text for a word that the record uses, such as `resignation` or `placement`. `group` is the prefix of the
    /// text's id.
    pub fn word(&self, group: &str, word: &str) -> String {
        self.t(&format!("{group}-{word}"))
    }
}

fn bundle(language: Language, text: &'static str) -> FluentBundle<FluentResource> {
    let id: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Turns off Unicode isolation marks, which would end up in copied text. All three languages are written left to
    // right.
    bundle.set_use_isolating(false);
    // Lines that cannot be parsed are ignored here; a test parses every file strictly.
    let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(resource, _)| resource);
    bundle.add_resource_overriding(resource);
    bundle
}

fn read(bundle: &FluentBundle<FluentResource>, id: &str, args: &FluentArgs<'_>) -> Option<String> {
    let pattern = bundle.get_message(id)?.value()?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(args), &mut errors);
    errors.is_empty().then(|| text.into_owned())
}

#[cfg(test)]
mod tests;
