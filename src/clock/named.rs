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
/// `G/60 d5`, `1 h 30 min + 30 s`, or the record's text. Minutes are meant up to 180; whoever means 180
/// seconds and 2 writes `180s+2` or the record's `180+2` in a record.
pub fn said(text: &str) -> Result<TimeControl, NoControl> {
    let text = text.trim();
    let said = text.to_lowercase();
    if let Some(named) = NAMED.iter().find(|named| named.name == said) {
        return named.text.parse();
    }
    let parts: Vec<&str> =
        said.split([':', ',']).flat_map(|part| part.split(" then ")).map(str::trim).collect();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if let ([first, second], true) = (parts.as_slice(), said.contains(':'))
        && digits(first)
        && digits(second)
        && second.len() == 2
    {
        let wanted = "a unit: 1:30 could be a minute and a half, or two stages";
        return Err(NoControl::unclear(text, first.len() + 1, wanted));
    }
    let stages: Option<Vec<String>> = parts.into_iter().map(stage_in_words).collect();
    match stages {
        Some(stages) => stages.join(":").parse(),
        None => text.parse(),
    }
}

/// The record's text of a stage: `40/90 + 30`, `5x30`.
fn stage_in_words(part: &str) -> Option<String> {
    // Periods, blocks and times per move are short: everybody counts them in seconds.
    if part.contains('x') || part.starts_with(['c', '=', '*', '^', '-']) {
        return Some(part.to_owned());
    }
    match part.split_once('/').filter(|(moves, _)| *moves != "g") {
        Some((moves, time)) => Some(format!("{}/{}", moves.trim(), in_words(time)?)),
        None => in_words(part),
    }
}

/// A control as [`said`] reads it back, in units where the record's bare seconds could be taken for
/// minutes.
pub fn as_said(control: &TimeControl) -> String {
    let amount = |span: Millis| match span.0 / 1000 {
        seconds if seconds >= 60 && seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    };
    let stage = |stage: &Stage| match *stage {
        Stage::Time { moves, base, bonus } => {
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            let (sign, more) = match bonus {
                Bonus::None => return format!("{moves}{}", amount(base)),
                Bonus::Increment(more) => ('+', more),
                Bonus::Delay(free) => ('d', free),
                Bonus::Bronstein(back) => ('b', back),
            };
            format!("{moves}{} {sign} {} s", amount(base), more.0 / 1000)
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

/// The record's text of `90 plus 30` and the like.
fn in_words(said: &str) -> Option<String> {
    let mut said = said.trim().strip_prefix("g/").unwrap_or(said.trim());
    let (mut main, mut unit) = amount(&mut said)?;
    if unit == Unit::None && main > MOST_MINUTES {
        unit = Unit::Seconds;
    }
    main = main.checked_mul(unit.seconds())?;
    // `1 h 30 min`: a second amount without a sign belongs to the first, and is of a smaller unit.
    let mut bonus = String::new();
    loop {
        let sign = sign(&mut said);
        match (sign, said.is_empty()) {
            (None, true) => return Some(format!("{main}{bonus}")),
            (None, false) => {
                let (more, smaller) = amount(&mut said)?;
                // `1h30` has thirty minutes.
                let smaller = if smaller == Unit::None { unit.smaller()? } else { smaller };
                if smaller.seconds() >= unit.seconds() || unit == Unit::None {
                    return None;
                }
                main = main.checked_add(more.checked_mul(smaller.seconds())?)?;
                unit = smaller;
            }
            (Some(sign), _) => {
                let (more, of) = amount(&mut said)?;
                let of = if of == Unit::None { Unit::Seconds } else { of };
                if of == Unit::Hours || !said.is_empty() {
                    return None;
                }
                bonus = format!("{sign}{}", more.checked_mul(of.seconds())?);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    /// None was said: minutes.
    None,
    Hours,
    Minutes,
    Seconds,
}

impl Unit {
    fn seconds(self) -> u64 {
        match self {
            Self::Hours => 3600,
            Self::None | Self::Minutes => 60,
            Self::Seconds => 1,
        }
    }

    fn smaller(self) -> Option<Self> {
        match self {
            Self::Hours => Some(Self::Minutes),
            Self::Minutes => Some(Self::Seconds),
            Self::None | Self::Seconds => None,
        }
    }
}

/// Takes one of these words from the beginning of what is left, and the blanks after it.
fn take<T: Copy>(said: &mut &str, words: &[(&str, T)]) -> Option<T> {
    let (word, found) = words.iter().find(|(word, _)| said.starts_with(word))?;
    *said = said.strip_prefix(word)?.trim_start();
    Some(*found)
}

/// What joins a bonus to the time, in the screens' languages.
fn sign(said: &mut &str) -> Option<char> {
    const SIGNS: [(&str, char); 16] = [
        (";+", '+'),
        ("; +", '+'),
        ("+", '+'),
        ("|", '+'),
        ("plus ", '+'),
        ("and ", '+'),
        ("más ", '+'),
        ("y ", '+'),
        ("und ", '+'),
        (";d", 'd'),
        ("; d", 'd'),
        ("delay", 'd'),
        ("d", 'd'),
        ("bronstein", 'b'),
        ("b", 'b'),
        (";", '+'),
    ];
    take(said, &SIGNS)
}

/// A number with its unit.
fn amount(said: &mut &str) -> Option<(u64, Unit)> {
    const UNITS: [(&str, Unit); 25] = [
        ("hours", Unit::Hours),
        ("hour", Unit::Hours),
        ("horas", Unit::Hours),
        ("hora", Unit::Hours),
        ("stunden", Unit::Hours),
        ("stunde", Unit::Hours),
        ("h", Unit::Hours),
        ("minutes", Unit::Minutes),
        ("minutos", Unit::Minutes),
        ("minuten", Unit::Minutes),
        ("minute", Unit::Minutes),
        ("minuto", Unit::Minutes),
        ("mins", Unit::Minutes),
        ("min", Unit::Minutes),
        ("m", Unit::Minutes),
        ("seconds", Unit::Seconds),
        ("segundos", Unit::Seconds),
        ("sekunden", Unit::Seconds),
        ("second", Unit::Seconds),
        ("secs", Unit::Seconds),
        ("sec", Unit::Seconds),
        ("sek", Unit::Seconds),
        ("s", Unit::Seconds),
        ("''", Unit::Seconds),
        ("'", Unit::Minutes),
    ];
    const MARKS: [(&str, Unit); 3] = [("\"", Unit::Seconds), ("″", Unit::Seconds), ("′", Unit::Minutes)];
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let number = said.get(..digits)?.parse().ok()?;
    *said = said.get(digits..)?.trim_start();
    let unit = take(said, &UNITS).or_else(|| take(said, &MARKS)).unwrap_or(Unit::None);
    Some((number, unit))
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
            ("1 h 30 min", "5400"),
            ("1h30", "5400"),
            ("1 hour 30 minutes plus 30 seconds", "5400+30"),
            ("1 min 30 s", "90"),
            ("15 Minuten", "900"),
            ("90 minutos más 30 segundos", "5400+30"),
            ("G/90; +30", "5400+30"),
            ("Blitz", "180+2"),
            ("standard", "40/5400+30:1800+30"),
            ("180s+2", "180+2"),
            ("300+3", "300+3"),
            ("40/5400+30:1800+30", "40/5400+30:1800+30"),
            ("600:5x30", "600:5x30"),
            ("10:5x30", "600:5x30"),
            ("40/90+30", "40/5400+30"),
            ("40/90+30 then 30+30", "40/5400+30:1800+30"),
            ("40/2 h, 1 h, 15 min + 30 s", "40/7200:3600:900+30"),
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
        for text in
            ["", "five", "5+", "5 + 3 + 2", "3 h + 2 h", "5 3", "30 s 5 min", "18446744073709551615 h"]
        {
            assert!(said(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_pace_of_a_control_is_that_of_its_first_sixty_moves() {
        let cases = [
            ("40/5400+30:1800+30", 5400 + 40 * 30 + 1800 + 20 * 30),
            ("900+10", 900 + 600),
            ("40/7200", 14_400),
            ("5400:900", 6300),
            ("600:5x30", 600 + 900),
            ("=30", 1800),
            ("300d5", 600),
        ];
        for (text, seconds) in cases {
            let control: TimeControl = text.parse().expect("a control");
            assert_eq!(control.for_sixty_moves(), Some(Millis::from_secs(seconds)), "{text}");
        }
        assert_eq!("1500:^".parse::<TimeControl>().expect("a control").for_sixty_moves(), None);
        assert_eq!(TimeControl::Untimed.for_sixty_moves(), None);
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
