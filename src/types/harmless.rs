//! Free text on its way to people.

/// Free text (a name, a reason, a note) as one line that is safe to show: what would steer a terminal,
/// begin another line or turn the reading direction round becomes a space. The record keeps it as it is.
pub fn harmless(text: &str) -> String {
    let steers = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|letter| if steers(letter) { ' ' } else { letter }).collect()
}

/// The same for a text of several lines, which it keeps apart.
pub fn harmless_lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// The only letter of a text.
pub fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}
