//! Commands: the actions that can have a key. Each command has a word, for the settings file, and a default key. The keys of
//! cards, bets and the input line are letters of the language that is shown: a card's key is the letter on the card.

use std::collections::BTreeMap;
use std::fmt;

use egui::{Key, KeyboardShortcut, Modifiers};
use tabiya_text::{Language, Words};
use tabiya_types::Card;

/// An action that has a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Command {
    /// Press the clock for the player whose turn it is.
    Press,
    /// Enter that the cards of the present street (betting round) have been dealt.
    Deal,
    /// Fold the hand.
    Fold,
    /// Check, or call.
    Call,
    /// Raise to the chosen amount.
    Raise,
    /// Choose the least amount of a raise.
    Least,
    /// Choose the amount of a raise by half of the pot.
    HalfPot,
    /// Choose the size of the pot as the amount of the raise.
    Pot,
    /// Choose the whole stack as the amount of the raise.
    AllIn,
    /// Enter that a queen was turned over.
    Queen,
    /// Enter that a rook was turned over.
    Rook,
    /// Enter that a bishop was turned over.
    Bishop,
    /// Enter that a knight was turned over.
    Knight,
    /// Enter that a pawn was turned over.
    Pawn,
    /// Ask whether to offer a draw.
    Draw,
    /// Begin the next game.
    Next,
    /// Confirm the result.
    Sign,
    /// Pause or resume the clocks.
    Pause,
    /// Take back the last action.
    Undo,
    /// Restore the last action that was taken back.
    Redo,
    /// Answer yes.
    Yes,
    /// Answer no.
    No,
    /// Move the keyboard focus to the input line, to type a move or a word.
    Type,
    /// Jump between the board, the middle and the bar.
    Jump,
    /// Turn the board around, so that the other side is at the bottom.
    Turn,
    /// Open or close the arbiter's drawer.
    Arbiter,
    /// Open or close the two-sided clock.
    Face,
    /// Open or close the spectators' window.
    Public,
    /// Fill the whole screen with the window, or stop doing so.
    FullScreen,
    /// Choose a record to look at.
    Open,
    /// Show the page with these keys.
    Help,
}

/// The faces of cards and their commands, in the order in which they are shown.
pub(super) const FACES: [(Card, Command); 5] = [
    (Card::Queen, Command::Queen),
    (Card::Rook, Command::Rook),
    (Card::Bishop, Command::Bishop),
    (Card::Knight, Command::Knight),
    (Card::Pawn, Command::Pawn),
];

impl Command {
    /// All commands, in the order of the settings page.
    pub const ALL: [Self; 31] = [
        Self::Press,
        Self::Deal,
        Self::Fold,
        Self::Call,
        Self::Raise,
        Self::Least,
        Self::HalfPot,
        Self::Pot,
        Self::AllIn,
        Self::Queen,
        Self::Rook,
        Self::Bishop,
        Self::Knight,
        Self::Pawn,
        Self::Draw,
        Self::Next,
        Self::Sign,
        Self::Pause,
        Self::Undo,
        Self::Redo,
        Self::Yes,
        Self::No,
        Self::Type,
        Self::Jump,
        Self::Turn,
        Self::Arbiter,
        Self::Face,
        Self::Public,
        Self::FullScreen,
        Self::Open,
        Self::Help,
    ];

    /// The command's word and its default key. The word is used in the settings file, and in the id of the text that
    /// names the command on the screen.
    pub fn word_and_key(self) -> (&'static str, &'static str) {
        match self {
            Self::Press => ("press", "Space"),
            Self::Deal => ("deal", "D"),
            Self::Fold => ("fold", "F"),
            Self::Call => ("call", "C"),
            Self::Raise => ("raise", "R"),
            Self::Least => ("least", "1"),
            Self::HalfPot => ("half-pot", "2"),
            Self::Pot => ("pot", "3"),
            Self::AllIn => ("all-in", "4"),
            Self::Queen => ("queen", "Q"),
            Self::Rook => ("rook", "R"),
            Self::Bishop => ("bishop", "B"),
            Self::Knight => ("knight", "N"),
            Self::Pawn => ("pawn", "P"),
            Self::Draw => ("draw", "Ctrl+D"),
            Self::Next => ("next", "Ctrl+N"),
            Self::Sign => ("sign", "Ctrl+K"),
            Self::Pause => ("pause", "Ctrl+P"),
            Self::Undo => ("undo", "Ctrl+Z"),
            Self::Redo => ("redo", "Ctrl+Y"),
            Self::Yes => ("yes", "Y"),
            Self::No => ("no", "Escape"),
            Self::Type => ("type", "T"),
            Self::Jump => ("jump", "F6"),
            Self::Turn => ("turn", "X"),
            Self::Arbiter => ("arbiter", "F4"),
            Self::Face => ("face", "F8"),
            Self::Public => ("public", "F9"),
            Self::FullScreen => ("full-screen", "F11"),
            Self::Open => ("open", "Ctrl+O"),
            Self::Help => ("help", "F1"),
        }
    }

    /// The default key while the screens are in the language of these words. A card's key is the letter on the card.
    fn usual_key(self, words: &Words) -> String {
        let letters = match words.language {
            Language::English => ["F", "C", "R", "T"],
            Language::German => ["P", "M", "E", "W"],
            Language::Spanish => ["R", "V", "S", "E"],
        };
        let lettered = [Self::Fold, Self::Call, Self::Raise, Self::Type];
        let own = lettered.into_iter().zip(letters).find(|(command, _)| *command == self);
        let card = FACES.into_iter().find(|(_, command)| *command == self);
        match (own, card) {
            (Some((_, letter)), _) => letter.to_owned(),
            (_, Some((card, _))) => words.letter(card.role()),
            (None, None) => self.word_and_key().1.to_owned(),
        }
    }

    /// The command's word, which is used in the settings file and in the id of the command's text.
    pub fn word(self) -> &'static str {
        self.word_and_key().0
    }

    /// When the command can be used. Two commands that can be used at the same time must not share a key.
    pub fn scope(self) -> CommandScope {
        match self {
            Self::Deal
            | Self::Fold
            | Self::Call
            | Self::Raise
            | Self::Least
            | Self::HalfPot
            | Self::Pot
            | Self::AllIn => CommandScope::Betting,
            Self::Queen | Self::Rook | Self::Bishop | Self::Knight | Self::Pawn => CommandScope::Cards,
            _ => CommandScope::Always,
        }
    }
}

/// When a command can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandScope {
    /// At any time.
    Always,
    /// While cards are dealt and bets are made.
    Betting,
    /// While cards are turned over.
    Cards,
}

/// A key with its modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyName(pub KeyboardShortcut);

impl KeyName {
    /// The name of a pressed key with its modifiers. Some systems report Ctrl as two modifiers; the name contains it
    /// once.
    pub fn of(modifiers: Modifiers, key: Key) -> Self {
        let command = modifiers.command || modifiers.ctrl;
        let held = Modifiers { command, alt: modifiers.alt, shift: modifiers.shift, ..Modifiers::NONE };
        Self(KeyboardShortcut::new(held, key))
    }

    /// Whether the key can press one half of the two-sided clock. Letters, digits, signs and Enter can, with or without
    /// Shift.
    pub fn presses_a_half(self) -> bool {
        let KeyboardShortcut { modifiers, logical_key } = self.0;
        let held = modifiers.command || modifiers.alt;
        !held && !is_function_key(logical_key) && !matches!(logical_key, Key::Space | Key::Escape)
    }

    /// Parses a key name such as `Ctrl+Z`, `F4` or `Space`; `None` for a text that is no key name.
    pub fn parse(text: &str) -> Option<Self> {
        let mut modifiers = Modifiers::NONE;
        let mut words: Vec<&str> = text.split('+').map(str::trim).collect();
        let key = Key::from_name(words.pop()?)?;
        for word in words {
            modifiers |= match word {
                "Ctrl" => Modifiers::COMMAND,
                "Shift" => Modifiers::SHIFT,
                "Alt" => Modifiers::ALT,
                _ => return None,
            };
        }
        Some(Self::of(modifiers, key))
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KeyboardShortcut { modifiers, logical_key } = self.0;
        for (held, word) in
            [(modifiers.command, "Ctrl+"), (modifiers.shift, "Shift+"), (modifiers.alt, "Alt+")]
        {
            if held {
                f.write_str(word)?;
            }
        }
        f.write_str(logical_key.name())
    }
}

/// The keys of all commands.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyBindings {
    keys: Vec<(Command, KeyName)>,
}

impl KeyBindings {
    /// The default keys of the words' language with the user's changes. `changed` maps a command's word to its new key.
    pub fn new(changed: &BTreeMap<String, String>, words: &Words) -> Self {
        let key = |command: Command| {
            let own = changed.get(command.word()).and_then(|text| KeyName::parse(text));
            Some((command, own.or_else(|| KeyName::parse(&command.usual_key(words)))?))
        };
        Self { keys: Command::ALL.into_iter().filter_map(key).collect() }
    }

    /// The key of a command.
    pub fn of(&self, command: Command) -> Option<KeyName> {
        self.keys.iter().find(|(known, _)| *known == command).map(|(_, key)| *key)
    }

    /// All commands with their keys.
    pub fn iter(&self) -> impl Iterator<Item = (Command, KeyName)> + '_ {
        self.keys.iter().copied()
    }

    /// Returns another command that already has this key and can be used at the same time as `command`.
    pub fn clash(&self, command: Command, key: KeyName) -> Option<Command> {
        let together = |other: Command| {
            other.scope() == command.scope()
                || other.scope() == CommandScope::Always
                || command.scope() == CommandScope::Always
        };
        self.iter()
            .find(|(other, known)| *other != command && *known == key && together(*other))
            .map(|(other, _)| other)
    }
}

/// Whether the key is a function key, such as F1.
pub(super) fn is_function_key(key: Key) -> bool {
    let name = key.name();
    name.len() > 1 && name.starts_with('F') && name.bytes().skip(1).all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(changed: &BTreeMap<String, String>) -> KeyBindings {
        KeyBindings::new(changed, &Words::of(Language::English))
    }

    #[test]
    fn every_command_has_a_key_that_no_other_has_at_the_same_time() {
        for language in [Language::English, Language::German, Language::Spanish] {
            let keys = KeyBindings::new(&BTreeMap::new(), &Words::of(language));
            for command in Command::ALL {
                let key = keys.of(command).unwrap_or_else(|| panic!("{language:?}: {command:?} has no key"));
                assert_eq!(keys.clash(command, key), None, "{language:?}: {command:?} and {key}");
            }
        }
    }

    #[test]
    fn the_letters_on_the_cards_are_their_keys_in_every_language() {
        for (language, letters) in [
            (Language::English, ["Q", "R", "B", "N", "P"]),
            (Language::German, ["D", "T", "L", "S", "B"]),
            (Language::Spanish, ["D", "T", "A", "C", "P"]),
        ] {
            let keys = KeyBindings::new(&BTreeMap::new(), &Words::of(language));
            let of =
                FACES.map(|(_, command)| keys.of(command).map(|key| key.to_string()).unwrap_or_default());
            assert_eq!(of, letters, "{language:?}");
        }
    }

    #[test]
    fn a_key_is_the_same_however_the_system_names_it() {
        let keys = english(&BTreeMap::new());
        let pressed = KeyName::of(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::Z);
        assert_eq!(keys.of(Command::Undo), Some(pressed));
        assert_eq!(keys.clash(Command::Help, pressed), Some(Command::Undo));
    }

    #[test]
    fn a_changed_key_is_in_force_and_a_wrong_one_is_not() {
        let changed = [("fold", "Ctrl+F"), ("deal", "no such key")];
        let changed = changed.map(|(word, key)| (word.to_owned(), key.to_owned())).into();
        let keys = english(&changed);
        assert_eq!(keys.of(Command::Fold).map(|key| key.to_string()), Some("Ctrl+F".to_owned()));
        assert_eq!(keys.of(Command::Deal).map(|key| key.to_string()), Some("D".to_owned()));
    }
}
