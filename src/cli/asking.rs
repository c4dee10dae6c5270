//! Questions in the terminal before a match begins. An answer that is not understood is asked for again.

use std::io::{BufRead as _, Write as _};

use tabiya_text::Words;
use tabiya_types::{Sentence, harmless, say};

use super::output::{ExitFailure, print_line};

/// Prints a question and reads the answer; `None` at the end of the input.
pub(super) fn prompted(question: &str) -> Result<Option<String>, ExitFailure> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question} ").and_then(|()| out.flush()).map_err(ExitFailure::unusable)?;
    drop(out);
    let mut answer = String::new();
    let length = std::io::stdin().lock().read_line(&mut answer).map_err(ExitFailure::unusable)?;
    Ok((length > 0).then(|| answer.trim().to_owned()))
}

/// Asks until the answer is yes or no. The end of the input is a no.
pub(super) fn agreed(question: &Sentence, words: &Words) -> Result<bool, ExitFailure> {
    loop {
        let Some(answer) = prompted(&words.said(question))? else { return Ok(false) };
        match yes_or_no(&answer) {
            Some(answer) => return Ok(answer),
            None => {
                print_line(&words.said(&say!("ask-yes-or-no-again", "`{answer}`: type yes or no", answer)))?;
            }
        }
    }
}

/// Asks until the answer is yes, no, or empty for the usual answer.
pub(super) fn confirmed(question: &str, usual: bool) -> Result<bool, ExitFailure> {
    loop {
        match prompted(question)? {
            None => return Ok(usual),
            Some(answer) if answer.is_empty() => return Ok(usual),
            Some(answer) => match yes_or_no(&answer) {
                Some(answer) => return Ok(answer),
                None => print_line(&format!("`{}`: type yes or no", harmless(&answer)))?,
            },
        }
    }
}

/// An answer in English, German or Spanish.
fn yes_or_no(answer: &str) -> Option<bool> {
    match answer.to_lowercase().as_str() {
        "y" | "yes" | "j" | "ja" | "s" | "si" | "sí" => Some(true),
        "n" | "no" | "nein" => Some(false),
        _ => None,
    }
}
