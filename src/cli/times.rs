//! Time controls on the command line: as people write them. A text that can mean several usual things is asked about in a
//! terminal, and refused elsewhere.

use std::io::IsTerminal as _;

use tabiya_engine::clock::{ParseControlError, TimeControl, parse_bare, parse_spoken, to_spoken};
use tabiya_text::Words;
use tabiya_types::say;

use super::asking::prompted;
use super::output::{ExitFailure, print_line};

/// Reads the time of a match. A bare number up to 180 is asked about: at a clock it means minutes, in a record seconds.
pub(super) fn of_match(text: &str, words: &Words) -> Result<TimeControl, ExitFailure> {
    let read = parse_bare(text).map_or_else(|| parse_spoken(text), Err);
    certain(read, words, |error| ExitFailure::unusable(format!("`--time`: {error}")))
}

/// Reads the time of a clock alone.
pub(super) fn of_clock(text: &str, words: &Words) -> Result<TimeControl, ExitFailure> {
    certain(parse_spoken(text), words, |error| {
        ExitFailure::unusable(format!(
            "{error}; write for example 5+3 (minutes and seconds), or a name (--list shows the names)"
        ))
    })
}

/// The control that was read, or the one that people choose among the readings.
fn certain(
    read: Result<TimeControl, ParseControlError>,
    words: &Words,
    refused: impl Fn(&ParseControlError) -> ExitFailure,
) -> Result<TimeControl, ExitFailure> {
    let error = match read {
        Ok(control) => return Ok(control),
        Err(error) => error,
    };
    let ParseControlError::Unsure { text, readings } = &error else { return Err(refused(&error)) };
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(refused(&error));
    }
    print_line(&words.said(&say!(
        "ask-time",
        "`{text}` can mean several times; which one?",
        text = text.clone()
    )))?;
    for (nth, reading) in readings.iter().enumerate() {
        print_line(&format!("  {}: {}", nth + 1, to_spoken(reading)))?;
    }
    loop {
        let Some(answer) = prompted(">")? else { return Err(refused(&error)) };
        let chosen = answer.parse::<usize>().ok().and_then(|number| readings.get(number.checked_sub(1)?));
        if let Some(chosen) = chosen {
            return Ok(chosen.clone());
        }
        let number = u64::try_from(readings.len()).unwrap_or(u64::MAX);
        print_line(&words.said(&say!("ask-time-number", "type a number from 1 to {number}", number)))?;
    }
}
