//! Controls that people call by a name, and how people say any other.
//!
//! The record knows seconds alone (`parse.rs`). At a club one says "90 plus 30" and means minutes and
//! seconds. What is said so is turned into the record's text here, and nowhere else.

use super::control::{Bonus, Stage, TimeControl};
use super::instant::Millis;
use super::parse::NoControl;

/// How long a game is, as FIDE's Laws divide them (Laws of Chess 2023, A.1, B.1). Bullet is no word of
/// theirs, but everybody's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// At least 60 minutes for 60 moves.
    Standard,
    /// More than 10 and less than 60 minutes.
    Rapid,
    /// At most 10 minutes.
    Blitz,
    /// Less than 3 minutes.
    Bullet,
}

impl Pace {
    /// All, the slowest first.
    pub const ALL: [Self; 4] = [Self::Standard, Self::Rapid, Self::Blitz, Self::Bullet];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
            Self::Bullet => "bullet",
        }
    }

    /// Of a control; `None` where there is no end to it.
    pub fn of(control: &TimeControl) -> Option<Self> {
        const MINUTE: u64 = 60_000;
        Some(match control.for_sixty_moves()?.0 {
            whole if whole >= 60 * MINUTE => Self::Standard,
            whole if whole > 10 * MINUTE => Self::Rapid,
            whole if whole >= 3 * MINUTE => Self::Blitz,
            _ => Self::Bullet,
        })
    }
}

/// A control that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// As people say it.
    pub name: &'static str,
    /// The record's text.
    pub text: &'static str,
}

/// The controls that are in use, the slowest first; before each pace's others the one that is called by
/// the pace alone.
pub static NAMED: [Named; 21] = [
    Named { name: "standard", text: "40/5400+30:1800+30" },
    Named { name: "40/90+30, 30+30", text: "40/5400+30:1800+30" },
    Named { name: "40/100+30, 20/50+30, 15+30", text: "40/6000+30:20/3000+30:900+30" },
    Named { name: "40/120, 20/60, 15+30", text: "40/7200:20/3600:900+30" },
    Named { name: "90+30", text: "5400+30" },
    Named { name: "60+30", text: "3600+30" },
    Named { name: "45+15", text: "2700+15" },
    Named { name: "rapid", text: "900+10" },
    Named { name: "25+10", text: "1500+10" },
    Named { name: "15+10", text: "900+10" },
    Named { name: "10+5", text: "600+5" },
    Named { name: "blitz", text: "180+2" },
    Named { name: "10+0", text: "600" },
    Named { name: "5+3", text: "300+3" },
    Named { name: "5+0", text: "300" },
    Named { name: "3+2", text: "180+2" },
    Named { name: "3+0", text: "180" },
    Named { name: "2+1", text: "120+1" },
    Named { name: "bullet", text: "60" },
    Named { name: "1+1", text: "60+1" },
    Named { name: "1+0", text: "60" },
];

/// The most that can be minutes in `90+30`; more is seconds.
const MOST_MINUTES: u64 = 180;

/// Reads a control as people say it: a name, `90 plus 30`, `5+3` and `15` in minutes and seconds,
/// `G/60 d5`, `90 min + 30 s`, or the record's text. Minutes are meant up to 180; whoever means 180
/// seconds and 2 writes `180s+2` or the record's `180+2` in a record.
pub fn said(text: &str) -> Result<TimeControl, NoControl> {
    let said = text.trim().to_lowercase();
    if let Some(named) = NAMED.iter().find(|named| named.name == said) {
        return named.text.parse();
    }
    match in_words(&said) {
        Some(control) => control.parse(),
        None => text.trim().parse(),
    }
}

/// A control as [`said`] reads it back, in units where the record's bare seconds could be taken for
/// minutes.
pub fn as_said(control: &TimeControl) -> String {
    let amount = |span: Millis| match span.0 / 1000 {
        seconds if seconds >= 60 && seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    };
    match *control.stages() {
        [Stage::Time { moves: None, base, bonus }] => {
            let (sign, more) = match bonus {
                Bonus::None => return amount(base),
                Bonus::Increment(more) => ('+', more),
                Bonus::Delay(free) => ('d', free),
                Bonus::Bronstein(back) => ('b', back),
            };
            format!("{} {sign} {} s", amount(base), more.0 / 1000)
        }
        _ => control.to_string(),
    }
}

/// The record's text of `90 plus 30` and the like.
fn in_words(said: &str) -> Option<String> {
    let spaced: String = said
        .replace("plus", "+")
        .replace("and", "+")
        .replace("delay", "d")
        .replace('|', "+")
        .replace(';', " ")
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .collect();
    let said = spaced.strip_prefix("g/").unwrap_or(&spaced);
    let (main, unit, rest) = amount(said)?;
    let main = match unit {
        Unit::Hours => main.checked_mul(3600)?,
        Unit::Minutes => main.checked_mul(60)?,
        Unit::Seconds => main,
        Unit::None if main <= MOST_MINUTES => main * 60,
        Unit::None => main,
    };
    if rest.is_empty() {
        return Some(main.to_string());
    }
    let sign = rest.chars().next().filter(|sign| "+db".contains(*sign));
    let rest = sign.map_or(rest, |sign| rest.strip_prefix(sign).unwrap_or(rest));
    let (bonus, unit, rest) = amount(rest)?;
    let bonus = if unit == Unit::Minutes { bonus.checked_mul(60)? } else { bonus };
    let sign = sign.unwrap_or('+');
    (rest.is_empty() && unit != Unit::Hours).then(|| format!("{main}{sign}{bonus}"))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    None,
    Hours,
    Minutes,
    Seconds,
}

/// A number with its unit, and what follows.
fn amount(text: &str) -> Option<(u64, Unit, &str)> {
    const UNITS: [(&str, Unit); 14] = [
        ("hours", Unit::Hours),
        ("hour", Unit::Hours),
        ("h", Unit::Hours),
        ("minutes", Unit::Minutes),
        ("minute", Unit::Minutes),
        ("mins", Unit::Minutes),
        ("min", Unit::Minutes),
        ("m", Unit::Minutes),
        ("seconds", Unit::Seconds),
        ("second", Unit::Seconds),
        ("secs", Unit::Seconds),
        ("sec", Unit::Seconds),
        ("s", Unit::Seconds),
        ("''", Unit::Seconds),
    ];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text.get(..digits)?.parse().ok()?;
    let rest = text.get(digits..)?;
    for (word, unit) in UNITS {
        if let Some(rest) = rest.strip_prefix(word) {
            return Some((number, unit, rest));
        }
    }
    match rest.strip_prefix('\'').or_else(|| rest.strip_prefix('′')) {
        Some(rest) => Some((number, Unit::Minutes, rest)),
        None => match rest.strip_prefix('"').or_else(|| rest.strip_prefix('″')) {
            Some(rest) => Some((number, Unit::Seconds, rest)),
            None => Some((number, Unit::None, rest)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_becomes_the_records_text() {
        let cases = [
            ("5+3", "300+3"),
            ("5", "300"),
            ("90 plus 30", "5400+30"),
            ("90 min + 30 s", "5400+30"),
            ("90'+30''", "5400+30"),
            ("1 hour and 30 seconds", "3600+30"),
            ("G/60;d5", "3600d5"),
            ("g/90 +30", "5400+30"),
            ("25 delay 5", "1500d5"),
            ("15|10", "900+10"),
            ("Blitz", "180+2"),
            ("standard", "40/5400+30:1800+30"),
            ("180s+2", "180+2"),
            ("300+3", "300+3"),
            ("40/5400+30:1800+30", "40/5400+30:1800+30"),
            ("600:5x30", "600:5x30"),
            ("=30", "=30"),
            ("*60", "*60"),
            ("^", "^"),
            ("-", "-"),
        ];
        for (text, wanted) in cases {
            assert_eq!(said(text).map(|control| control.to_string()), Ok(wanted.to_owned()), "{text}");
        }
        for text in
            ["300", "90", "7200", "300+3", "0+30", "300d5", "95b2", "40/5400+30:1800+30", "*60", "-", "^"]
        {
            let control: TimeControl = text.parse().expect("a control");
            assert_eq!(said(&as_said(&control)), Ok(control.clone()), "{text}");
        }
        assert_eq!(as_said(&"900+10".parse().expect("a control")), "15 min + 10 s");
        for text in ["", "five", "5+", "5 + 3 + 2", "3 h + 2 h", "18446744073709551615 h"] {
            assert!(said(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_named_control_is_one_and_has_its_pace() {
        for named in NAMED {
            let control: TimeControl = named.text.parse().expect(named.name);
            assert_eq!(said(named.name), Ok(control.clone()), "{}", named.name);
            if let Some(pace) = Pace::ALL.into_iter().find(|pace| pace.word() == named.name) {
                assert_eq!(Pace::of(&control), Some(pace));
            }
        }
        let order = |named: &Named| {
            let pace = Pace::of(&named.text.parse().expect("a control")).expect("an end");
            Pace::ALL.into_iter().position(|other| other == pace)
        };
        assert!(NAMED.windows(2).all(|pair| order(&pair[0]) <= order(&pair[1])));
    }
}
