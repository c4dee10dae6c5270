//! The parser for time controls in the record's notation.
//!
//! ```text
//! control  = "-" | hourglass | stage { ":" stage } [ ":" overtime ] | overtime
//! stage    = [ moves "/" ] seconds [ ( "+" | "d" | "b" ) seconds ]
//! overtime = periods "x" seconds | "c" moves "/" seconds | "=" seconds | "^"
//! hourglass = "*" seconds
//! ```

use std::str::FromStr;

use tabiya_types::Millis;

use super::control::{Bonus, Stage, TimeControl};
use super::spoken::to_spoken;

/// The largest number of stages of a control. The record's format sets no limit; this limit bounds the memory use.
const MOST_STAGES: usize = 99;
/// The largest number of seconds that one number in a control may mean, about 115 days.
const MOST_SECONDS: u64 = 9_999_999;
/// The largest number of moves that a stage may count.
pub const MOST_MOVES: u64 = 9_999;
/// The largest number of byo-yomi periods.
pub const MOST_PERIODS: u64 = 999;

/// Why a text is not taken as a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseControlError {
    /// The text is not a time control.
    #[error("`{text}` is not a time control: at character {at}, expected {wanted}")]
    Wrong {
        /// The text.
        text: String,
        /// The position of the mistake, in characters from 1; after the last character it is the length plus 1.
        at: usize,
        /// What was expected there.
        wanted: &'static str,
    },
    /// The text can mean several things that are usual, or has an unusual order.
    #[error("`{text}` is not certain: write {}", .readings.iter().map(|reading| format!("`{}`", to_spoken(reading))).collect::<Vec<_>>().join(" or "))]
    Unsure {
        /// The text.
        text: String,
        /// What it can mean, the likeliest first.
        readings: Vec<TimeControl>,
    },
}

impl ParseControlError {
    /// The error for a text with a mistake at this position, in characters from 1.
    pub(super) fn wrong(text: &str, at: usize, wanted: &'static str) -> Self {
        Self::Wrong { text: text.to_owned(), at, wanted }
    }

    /// The error for a text that has these plausible meanings.
    pub(super) fn unsure(text: &str, readings: Vec<TimeControl>) -> Self {
        Self::Unsure { text: text.to_owned(), readings }
    }

    /// This error with the text that a person wrote, and with the position of the mistake in that text.
    pub(super) fn about(self, text: &str, at: usize) -> Self {
        match self {
            Self::Wrong { wanted, .. } => Self::wrong(text, at, wanted),
            Self::Unsure { readings, .. } => Self::unsure(text, readings),
        }
    }

    /// The position of the mistake, in characters from 1; after the last character it is the length plus 1. A text that is
    /// only unsure is wrong nowhere: 1.
    pub fn at(&self) -> usize {
        match self {
            Self::Wrong { at, .. } => *at,
            Self::Unsure { .. } => 1,
        }
    }

    /// The text from the mistake on; empty if something is missing at the end, or if the text is only unsure.
    pub fn not_understood(&self) -> &str {
        let Self::Wrong { text, at, .. } = self else { return "" };
        let begin = text.char_indices().nth(at.saturating_sub(1)).map_or(text.len(), |(begin, _)| begin);
        text.get(begin..).unwrap_or_default().trim()
    }

    /// What the text can mean, the likeliest first; empty for a text that is wrong.
    pub fn readings(&self) -> &[TimeControl] {
        match self {
            Self::Wrong { .. } => &[],
            Self::Unsure { readings, .. } => readings,
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<Self, ParseControlError> {
        if text == "-" {
            return Ok(Self::Untimed);
        }
        let mut reader = Reader { text, at: 0 };
        let mut stages = Vec::new();
        loop {
            let stage = reader.stage(stages.is_empty())?;
            stages.push(stage);
            let is_last = !matches!(stage, Stage::Time { .. });
            if reader.at == text.len() {
                return Ok(Self::Stages(stages));
            }
            if is_last {
                return Err(reader.wrong(match stage {
                    Stage::Hourglass(_) => "the end, since an hourglass stands alone",
                    _ => "the end, since nothing follows such a stage",
                }));
            }
            if stages.len() == MOST_STAGES {
                return Err(reader.wrong("the end, since a control has at most 99 stages"));
            }
            if !reader.eat(':') {
                return Err(reader.wrong(match stage {
                    Stage::Time { bonus: Bonus::None, moves: None, .. } => {
                        "`+`, `d`, `b`, `/` or `x` and seconds, `:` and another stage, or the end"
                    }
                    Stage::Time { bonus: Bonus::None, .. } => {
                        "`+`, `d` or `b` and seconds, `:` and another stage, or the end"
                    }
                    _ => "`:` and another stage, or the end",
                }));
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    /// The byte index of the next character.
    at: usize,
}

const SECONDS: &str = "a number of seconds";

impl Reader<'_> {
    fn stage(&mut self, first: bool) -> Result<Stage, ParseControlError> {
        let start = self.at;
        if self.eat('^') {
            return Ok(Stage::CountUp);
        }
        if self.eat('=') {
            return Ok(Stage::PerMove(self.some_seconds()?));
        }
        if self.eat('*') {
            if !first {
                self.at = start;
                return Err(self.wrong("another stage: an hourglass stands alone"));
            }
            return Ok(Stage::Hourglass(self.some_seconds()?));
        }
        if self.eat('c') {
            let moves = self.moves("a number of moves")?;
            if !self.eat('/') {
                return Err(self.wrong("`/` and seconds"));
            }
            return Ok(Stage::Canadian { moves, block: self.some_seconds()? });
        }
        let number = self.number(if first {
            "a number of seconds, `=`, `*` or `c` with numbers, `^` to count up, or `-` alone for no clock"
        } else {
            "a number of seconds, moves or periods, or `=`, `c` or `^`"
        })?;
        if self.eat('x') {
            if number == 0 || number > MOST_PERIODS {
                self.at = start;
                return Err(self.wrong("a number of periods from 1 to 999"));
            }
            let periods = u32::try_from(number).expect("at most 999");
            return Ok(Stage::Byoyomi { periods, period: self.some_seconds()? });
        }
        self.time(start, number)
    }

    /// Parses the rest of a stage such as `40/5400+30` after its first number.
    fn time(&mut self, start: usize, first: u64) -> Result<Stage, ParseControlError> {
        let moves = if self.eat('/') { Some(self.few_moves(start, first)?) } else { None };
        let base_at = if moves.is_some() { self.at } else { start };
        let base = if moves.is_some() { self.number(SECONDS)? } else { first };
        let base = self.few(base_at, base)?;
        let sign_at = self.at;
        let bonus: Option<fn(Millis) -> Bonus> = if self.eat('+') {
            Some(Bonus::Increment)
        } else if self.eat('d') {
            Some(Bonus::Delay)
        } else if self.eat('b') {
            Some(Bonus::Bronstein)
        } else {
            None
        };
        let bonus = match bonus {
            // `300+0` means the same as `300`.
            Some(kind) => Some(self.seconds()?).filter(|span| *span > Millis::ZERO).map_or(Bonus::None, kind),
            None => Bonus::None,
        };
        match bonus {
            Bonus::None if base == Millis::ZERO => {
                self.at = base_at;
                Err(self.wrong("a stage with some time"))
            }
            Bonus::Bronstein(_) if base == Millis::ZERO => {
                self.at = sign_at;
                Err(self.wrong("`d` or `+`, since `b` gives back what was used, and there is nothing to use"))
            }
            bonus => Ok(Stage::Time { moves, base, bonus }),
        }
    }

    fn moves(&mut self, wanted: &'static str) -> Result<u32, ParseControlError> {
        let start = self.at;
        let number = self.number(wanted)?;
        self.few_moves(start, number)
    }

    fn few_moves(&mut self, start: usize, number: u64) -> Result<u32, ParseControlError> {
        if number == 0 || number > MOST_MOVES {
            self.at = start;
            return Err(self.wrong("a number of moves from 1 to 9999"));
        }
        Ok(u32::try_from(number).expect("at most 9999"))
    }

    fn seconds(&mut self) -> Result<Millis, ParseControlError> {
        let start = self.at;
        let number = self.number(SECONDS)?;
        self.few(start, number)
    }

    fn some_seconds(&mut self) -> Result<Millis, ParseControlError> {
        let start = self.at;
        let span = self.seconds()?;
        if span == Millis::ZERO {
            self.at = start;
            return Err(self.wrong("at least 1 second"));
        }
        Ok(span)
    }

    fn few(&mut self, start: usize, seconds: u64) -> Result<Millis, ParseControlError> {
        if seconds > MOST_SECONDS {
            self.at = start;
            return Err(self.wrong("at most 9999999 seconds"));
        }
        Ok(Millis::from_secs(seconds))
    }

    fn number(&mut self, wanted: &'static str) -> Result<u64, ParseControlError> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.wrong(wanted));
        }
        // A number that does not fit into 64 bits is read as the largest 64-bit number, which exceeds every limit
        // that is checked later.
        let number = rest[..digits].parse().unwrap_or(u64::MAX);
        self.at += digits;
        Ok(number)
    }

    fn eat(&mut self, sign: char) -> bool {
        let there = self.text[self.at..].starts_with(sign);
        if there {
            self.at += 1;
        }
        there
    }

    fn wrong(&self, wanted: &'static str) -> ParseControlError {
        ParseControlError::wrong(self.text, self.text[..self.at].chars().count() + 1, wanted)
    }
}
