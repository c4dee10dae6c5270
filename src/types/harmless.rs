//! Makes free text safe to show to people.

use std::fmt::Write as _;
use std::path::Path;

/// The first character of the scripts in which an invisible joiner changes how a word is written. Before it are Latin,
/// Greek and Cyrillic, in which a joiner only makes two equal names out of one.
const JOINED_SCRIPTS: char = '\u{0590}';

/// A free text (a name, a reason, a note) as one line that is safe to show: characters that control a
/// terminal, start a new line or reverse the reading direction become spaces, and invisible characters are left out. The
/// record keeps the original text.
pub fn harmless(text: &str) -> String {
    let shown = effects(text).filter_map(|(letter, effect)| match effect {
        Effect::Shows => Some(letter),
        Effect::Steers => Some(' '),
        Effect::Hides => None,
    });
    shown.collect()
}

/// A text from another computer as one line that is safe to show: each character that steers what shows it, and each that nobody sees,
/// is marked with � (U+FFFD), so that nobody takes a made name for the one that it resembles.
pub fn marked(text: &str) -> String {
    let mark = |(letter, effect)| if effect == Effect::Shows { letter } else { char::REPLACEMENT_CHARACTER };
    effects(text).map(mark).collect()
}

/// A file's path as one line that is safe to show: a name with a line feed must not look like a line of its own.
pub fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy())
}

/// What a character does to a text in which it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is seen.
    Shows,
    /// It steers what shows it: it controls a terminal, starts a line, or changes the direction of writing.
    Steers,
    /// Nobody sees it.
    Hides,
}

impl Effect {
    fn of(letter: char) -> Self {
        match letter {
            '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Self::Steers,
            // Soft hyphen, marks of direction, spaces without width, joiners, invisible operators, the mark of a file's
            // beginning, notes between lines, and tags.
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' => Self::Hides,
            letter if letter.is_control() => Self::Steers,
            _ => Self::Shows,
        }
    }
}

/// Each character with its effect. The two joiners (U+200C, U+200D) stay between letters of scripts that need them: without
/// them Persian and Hindi names are misspelled, and a family falls apart into persons.
fn effects(text: &str) -> impl Iterator<Item = (char, Effect)> {
    let (mut rest, mut before) = (text.chars(), None::<char>);
    std::iter::from_fn(move || {
        let letter = rest.next()?;
        let needs_joiner = |letter: char| letter >= JOINED_SCRIPTS && Effect::of(letter) == Effect::Shows;
        let joins = matches!(letter, '\u{200c}' | '\u{200d}')
            && before.is_some_and(needs_joiner)
            && rest.clone().next().is_some_and(needs_joiner);
        before = Some(letter);
        Some((letter, if joins { Effect::Shows } else { Effect::of(letter) }))
    })
}

/// A JSON text in which such characters are written as escapes (`\u009b`); it says the same. They stand only inside
/// texts; line feeds between values stay.
pub fn harmless_json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (letter, effect) in effects(text) {
        if letter == '\n' || effect == Effect::Shows {
            safe.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            // Writing to a text cannot fail.
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

/// A free text of several lines in which each line is made safe to show with [`harmless`].
pub fn harmless_lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// The letter of a one-letter text; `None` if the text is empty or longer.
pub fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_another_computer_shows_where_it_would_steer_or_hide() {
        assert_eq!(marked("Ann\u{1b}[2J\nBo\u{202e}oR\u{200b}"), "Ann�[2J�Bo�oR�");
        assert_eq!(marked("José 王 Ann"), "José 王 Ann");
        assert_eq!(harmless(&marked("a\u{7}b")), "a�b", "it stays marked");
    }

    #[test]
    fn invisible_characters_make_no_second_name() {
        for hidden in ['\u{200b}', '\u{200d}', '\u{200e}', '\u{61c}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
            assert_eq!(harmless(&format!("A{hidden}nn")), "Ann", "{:x}", u32::from(hidden));
        }
        assert_eq!(harmless("A\u{202e}nn\u{1b}[2J\r"), "A nn [2J ");
        assert_eq!(shown(Path::new("a\nrecord: b")), "a record: b");
    }

    #[test]
    fn names_keep_the_joiners_that_their_script_needs() {
        for name in ["می\u{200c}نا", "क्\u{200d}ष", "👨\u{200d}👩\u{200d}👧"] {
            assert_eq!(harmless(name), name);
            assert_eq!(harmless_json(name), name);
        }
        assert_eq!(harmless("\u{200d}م\u{200c}\u{200c}ن\u{200c}"), "من");
    }

    #[test]
    fn an_export_says_the_same_in_escapes() {
        assert_eq!(harmless_json("\"A\u{200b}\u{9b}n\u{e0041}\"\n"), "\"A\\u200b\\u009bn\\udb40\\udc41\"\n");
    }
}
