//! Makes free text safe to show to people.

use std::fmt::Write as _;

/// A free text (a name, a reason, a note) as one line that is safe to show: characters that control a
/// terminal, start a new line or reverse the reading direction become spaces. The record keeps the original text.
pub fn harmless(text: &str) -> String {
    text.chars().map(|letter| if steers(letter) { ' ' } else { letter }).collect()
}

/// Whether a character steers what shows it: control characters, and those that change the direction of writing.
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A JSON text in which such characters are written as escapes (`\u009b`); it says the same. They stand only inside
/// texts; line feeds between values stay.
pub fn harmless_json(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter != '\n' && steers(letter) {
            // All of them have at most four hexadecimal digits. Writing to a text cannot fail.
            let _ = write!(safe, "\\u{:04x}", u32::from(letter));
        } else {
            safe.push(letter);
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
