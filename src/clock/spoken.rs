//! Reads time controls as people write them, and writes them so that people read them.
//!
//! The record writes times only in seconds (`parse.rs`). In clubs people say "90 plus 30" and mean minutes and
//! seconds. Only this room converts that notation into the record's. docs/clock.md, "What people say", has the table of
//! spellings that the tests read. A text that can mean two usual things is not guessed: the error offers the readings.

mod grammar;
mod meaning;
mod tokens;
mod vocabulary;

use tabiya_types::Millis;

use self::grammar::Reader;
use self::meaning::{Readings, readings};
use self::tokens::{TimeUnit, Token, tokens};
use super::control::{Stage, TimeControl};
use super::named::NAMED;
use super::parse::ParseControlError;

/// Usual times of a whole game, in seconds. Who says only a bonus, as in `delay 5`, is asked for one of them.
const USUAL_BASES: [u64; 4] = [300, 900, 1500, 3600];

/// Reads a time control as people write it: a common name; minutes, perhaps with a bonus in seconds, such as
/// `90 plus 30`, `5+3` and `15`; texts such as `G/60 d5`, `1 h 30 min + 30 s`, `hourglass 2` and `1:30:00`; or the
/// record's notation. A number without a unit means minutes up to 180, unless only seconds are usual, as in `180+2`.
/// If the text is wrong, the error contains a position in `text` itself; if it can mean several usual things, the error
/// offers them ([`ParseControlError::readings`]).
pub fn parse_spoken(text: &str) -> Result<TimeControl, ParseControlError> {
    let said = text.to_lowercase();
    if let Some(named) = NAMED.iter().find(|named| named.name == said.trim()) {
        return named.text.parse();
    }
    let tokens = tokens(&said);
    if let Some(colon) = hours_or_stages(&said, &tokens) {
        let wanted = "a unit: 1:30 could be a minute and a half, or two stages";
        return Err(ParseControlError::wrong(text, colon + 1, wanted));
    }
    if let Some(readings) = minutes_or_increment(&tokens).or_else(|| bonus_alone(&said, &tokens)) {
        return Err(ParseControlError::unsure(text, readings));
    }
    if let [(_, Token::Untimed)] = tokens.as_slice() {
        return Ok(TimeControl::Untimed);
    }
    let end = said.trim_end().chars().count();
    let mut reader = Reader { tokens: &tokens, end };
    let found = reader.stages().and_then(|stages| readings(stages, end));
    let Readings { texts, unsure } =
        found.map_err(|(at, wanted)| ParseControlError::wrong(text, at + 1, wanted))?;
    let mut readings: Vec<TimeControl> = Vec::new();
    let mut fault = None;
    for mapped in texts {
        match mapped.text.parse() {
            Ok(reading) if readings.contains(&reading) => {}
            Ok(reading) => readings.push(reading),
            Err(error) if fault.is_none() => {
                let at = mapped.from.get(error.at() - 1).copied().unwrap_or(end);
                fault = Some(error.about(text, at + 1));
            }
            Err(_) => {}
        }
    }
    match (readings.as_slice(), fault) {
        ([], Some(fault)) => Err(fault),
        ([sure], _) if !unsure => Ok(sure.clone()),
        _ => Err(ParseControlError::unsure(text, readings)),
    }
}

/// The index of the colon of `1:30`, where a time begins: it could part hours and minutes, minutes and seconds, or stages.
fn hours_or_stages(said: &str, tokens: &[(usize, Token)]) -> Option<usize> {
    tokens.windows(3).enumerate().find_map(|(nth, three)| {
        let [(from, Token::Number(one)), (at, Token::Then), (to, Token::Number(two))] = three else {
            return None;
        };
        let before = nth.checked_sub(1).and_then(|nth| tokens.get(nth));
        let begins = before.is_none_or(|(_, token)| matches!(token, Token::Slash | Token::Game));
        let goes_on = matches!(
            tokens.get(nth + 3),
            Some((_, Token::Then | Token::Times | Token::Unit(_) | Token::Slash | Token::Moves))
        );
        let joined = *at == from + one.len() && *to == at + 1 && said.chars().nth(*at) == Some(':');
        let alone = tokens.len() == 3 && said.chars().nth(*at) == Some(':');
        let clock = one.len() == 1 && begins && joined && !goes_on;
        (two.len() == 2 && (clock || alone)).then_some(*at)
    })
}

/// What a bare number up to 180 can mean to somebody who knows the record's seconds, if the text is one: minutes or seconds.
pub fn parse_bare(text: &str) -> Option<ParseControlError> {
    let number: u64 =
        text.trim().parse().ok().filter(|number| (1..=meaning::MOST_MINUTES).contains(number))?;
    let readings = [number * 60, number].into_iter().filter_map(|seconds| seconds.to_string().parse().ok());
    Some(ParseControlError::unsure(text, readings.collect()))
}

/// What `2 min5` and `1 h 5` can mean: a single digit after a unit is as likely an increment as a part of the time.
fn minutes_or_increment(tokens: &[(usize, Token)]) -> Option<Vec<TimeControl>> {
    let [(_, Token::Number(base)), (_, Token::Unit(unit)), (_, Token::Number(more))] = tokens else {
        return None;
    };
    let smaller = unit.smaller().filter(|_| more.len() == 1)?;
    let base = base.parse::<u64>().ok()?.checked_mul(unit.seconds())?;
    let more = more.parse::<u64>().ok()?;
    let whole = base.checked_add(more * smaller.seconds())?;
    let readings = [format!("{base}+{more}"), whole.to_string()];
    readings.iter().map(|reading| reading.parse().ok()).collect()
}

/// What `delay 5` can mean: the bonus is known, and the time before it is not.
fn bonus_alone(said: &str, tokens: &[(usize, Token)]) -> Option<Vec<TimeControl>> {
    let [(_, Token::Sign(sign) | Token::Named(sign)), (_, Token::Number(bonus)), unit @ ..] = tokens else {
        return None;
    };
    if !matches!(unit, [] | [(_, Token::Unit(TimeUnit::Seconds))]) {
        return None;
    }
    let in_words = said.trim_start().starts_with(char::is_alphabetic);
    let bonus = bonus.parse::<u64>().ok().filter(|_| in_words)?;
    USUAL_BASES.iter().map(|base| format!("{base}{sign}{bonus}").parse().ok()).collect()
}

/// Writes a control so that [`parse_spoken`] reads it back. The text has units such as `min` and `s`, because a bare
/// number could be read as minutes.
pub fn to_spoken(control: &TimeControl) -> String {
    let amount = |span: Millis| match span.0 / 1000 {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    };
    let stage = |stage: &Stage| match *stage {
        Stage::Time { moves, base, bonus } => {
            let moves = match moves {
                None => String::new(),
                // After a `/` so few seconds would be read as an increment.
                Some(moves) if base <= Millis::from_secs(60) => format!("{moves} moves in "),
                Some(moves) => format!("{moves}/"),
            };
            let more = bonus.sign().map(|sign| format!(" {sign} {} s", bonus.span().0 / 1000));
            format!("{moves}{}{}", amount(base), more.unwrap_or_default())
        }
        Stage::Byoyomi { .. }
        | Stage::Canadian { .. }
        | Stage::PerMove(_)
        | Stage::Hourglass(_)
        | Stage::CountUp => stage.to_string(),
    };
    match control.stages() {
        [] => control.to_string(),
        stages => stages.iter().map(stage).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests;
