//! The reasons of the rulings by which a game is adjourned, as the record has them and as people read them.
//!
//! The record keeps the reason in English; who reads the story or the match sheet reads it in his own language.

use tabiya_types::{Color, Sentence, say};

/// The reason of the ruling that this player is to seal a move or, with its number, has sealed it. `resumes`: when and where play
/// is resumed, in the words of people; it may be empty.
pub fn sealed_reason(by: Color, number: Option<u64>, resumes: &str) -> String {
    let when = if resumes.is_empty() { String::new() } else { format!("; resumed {resumes}") };
    match number {
        Some(number) => format!("{by} has sealed move {number}{when}"),
        None => format!("adjourned, {by} seals a move{when}"),
    }
}

/// When and where play is resumed, as such a reason has it; empty if it does not say so.
pub fn resumed(reason: &str) -> &str {
    reason.split_once("; resumed ").map_or("", |(_, when)| when)
}

/// Such a reason as a sentence; `None` for any other reason.
pub(crate) fn told(reason: &str) -> Option<Sentence> {
    let (what, when) = (reason.split("; resumed ").next().unwrap_or(reason), resumed(reason));
    let told = Color::ALL.into_iter().find_map(|by| {
        if what == sealed_reason(by, None, "") {
            return Some(say!("adjourned-seals", "the game is adjourned, {by} seals a move", by));
        }
        let number = what.strip_prefix(&format!("{by} has sealed move "))?.parse::<u64>().ok()?;
        Some(say!("adjourned-sealed", "{by} has sealed move {number}", by, number))
    })?;
    Some(match when {
        "" => told,
        when => say!("adjourned-until", "{told}; resumed: {when}", told, when = when.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_an_adjournment_are_told_in_the_readers_language_and_others_as_they_are() {
        for resumes in ["", "Sunday 10:00; town hall"] {
            for number in [None, Some(41)] {
                let reason = sealed_reason(Color::Black, number, resumes);
                let told = told(&reason).expect("a reason of the table's own").to_string();
                assert!(told.contains("Black") && told.contains(resumes), "{told}");
            }
        }
        assert_eq!(told("White has sealed move x"), None);
        assert_eq!(told("he disturbed his opponent"), None);
    }
}
