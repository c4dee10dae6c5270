//! Makes free text safe to show to people.

/// A free text (a name, a reason, a note) as one line that is safe to show: characters that control a
/// terminal, start a new line or reverse the reading direction become spaces. The record keeps the original text.
pub fn harmless(text: &str) -> String {
    let steers = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|letter| if steers(letter) { ' ' } else { letter }).collect()
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
