//! Time controls and their text.
//!
//! Source: record, "The clock as text"; defined method by method in `docs/clock.md`.
//! Here: sudden death, Fischer and stages. Whole seconds.

use std::fmt;
use std::str::FromStr;

use super::instant::Millis;

/// The most stages a control may have. The record names no limit; this one keeps memory bounded.
const MOST_STAGES: usize = 99;
/// The most seconds a number may name: some 115 days.
const MOST_SECONDS: u64 = 9_999_999;
/// The most moves a stage may count.
const MOST_MOVES: u64 = 9_999;

/// How much time a player has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeControl {
    /// `-`: no clock.
    #[default]
    Untimed,
    /// At least one stage, and at most 99, the first one first.
    Stages(Vec<Stage>),
}

/// One stage of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// How many moves it has; `None` until the time is used up.
    pub moves: Option<u32>,
    /// Time for the whole stage.
    pub base: Millis,
    /// Time added for each move (Fischer).
    pub increment: Millis,
}

/// A text that is no time control, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no time control: at character {at} there should be {wanted}")]
pub struct NoControl {
    text: String,
    /// From 1.
    at: usize,
    wanted: &'static str,
}

impl FromStr for TimeControl {
    type Err = NoControl;

    fn from_str(text: &str) -> Result<Self, NoControl> {
        if text == "-" {
            return Ok(Self::Untimed);
        }
        let mut reader = Reader { text, at: 0 };
        let mut stages = vec![reader.stage()?];
        while reader.eat(':') {
            if stages.len() == MOST_STAGES {
                return Err(reader.wrong("the end, since a control has at most 99 stages"));
            }
            stages.push(reader.stage()?);
        }
        if reader.at < text.len() {
            return Err(reader.wrong("`+` and seconds, `:` and another stage, or the end"));
        }
        Ok(Self::Stages(stages))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// `40/5400+30`, of which only the seconds must be there.
    fn stage(&mut self) -> Result<Stage, NoControl> {
        let start = self.at;
        let first = self.number("a number of seconds, or `-` alone for no clock")?;
        let (moves, base) = if self.eat('/') {
            if first == 0 || first > MOST_MOVES {
                self.at = start;
                return Err(self.wrong("a number of moves from 1 to 9999"));
            }
            (Some(first), self.number("a number of seconds")?)
        } else {
            (None, first)
        };
        let increment = if self.eat('+') { self.number("a number of seconds")? } else { 0 };
        if base > MOST_SECONDS || increment > MOST_SECONDS {
            self.at = start;
            return Err(self.wrong("at most 9999999 seconds"));
        }
        if base == 0 && increment == 0 {
            self.at = start;
            return Err(self.wrong("a stage with some time"));
        }
        Ok(Stage {
            moves: moves.map(|n| u32::try_from(n).expect("at most 9999")),
            base: Millis::from_secs(base),
            increment: Millis::from_secs(increment),
        })
    }

    fn number(&mut self, wanted: &'static str) -> Result<u64, NoControl> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..digits].parse().map_err(|_| self.wrong(wanted))?;
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

    fn wrong(&self, wanted: &'static str) -> NoControl {
        NoControl { text: self.text.to_owned(), at: self.text[..self.at].chars().count() + 1, wanted }
    }
}

/// The record's text, which reads back to the same control.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages = match self {
            Self::Untimed => return f.write_str("-"),
            Self::Stages(stages) => stages,
        };
        for (nth, stage) in stages.iter().enumerate() {
            if nth > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = stage.moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", stage.base.0 / 1000)?;
            if stage.increment > Millis::ZERO {
                write!(f, "+{}", stage.increment.0 / 1000)?;
            }
        }
        Ok(())
    }
}
