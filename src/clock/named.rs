//! Named time controls, and a parser for the way in which people write time controls.
//!
//! The record writes times only in seconds (`parse.rs`). In clubs people say "90 plus 30" and mean minutes and
//! seconds. Only this file converts that notation into the record's notation.

use tabiya_types::Millis;

use super::control::{Bonus, Stage, TimeControl};
use super::parse::ParseControlError;

/// The speed of a game, as FIDE's Laws divide games by their length (Laws of Chess 2023, A.1, B.1). "Bullet" is not
/// in the Laws, but it is in general use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameSpeed {
    /// At least 60 minutes for 60 moves.
    Standard,
    /// More than 10 and less than 60 minutes for 60 moves.
    Rapid,
    /// At least 3 and at most 10 minutes for 60 moves.
    Blitz,
    /// Less than 3 minutes for 60 moves.
    Bullet,
}

impl GameSpeed {
    /// All speeds, the slowest first.
    pub const ALL: [Self; 4] = [Self::Standard, Self::Rapid, Self::Blitz, Self::Bullet];

    /// The English name of the speed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
            Self::Bullet => "bullet",
        }
    }

    /// The speed of a control; `None` for a control without a time limit.
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

/// A time control with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedControl {
    /// The name that people use.
    pub name: &'static str,
    /// The control in the record's notation.
    pub text: &'static str,
}

/// The common time controls, slowest first. The first control of each speed has the name of the speed, such as
/// `blitz`.
pub static NAMED: [NamedControl; 21] = [
    NamedControl { name: "standard", text: "40/5400+30:1800+30" },
    NamedControl { name: "40/90+30, 30+30", text: "40/5400+30:1800+30" },
    NamedControl { name: "40/100+30, 20/50+30, 15+30", text: "40/6000+30:20/3000+30:900+30" },
    NamedControl { name: "40/120, 20/60, 15+30", text: "40/7200:20/3600:900+30" },
    NamedControl { name: "90+30", text: "5400+30" },
    NamedControl { name: "60+30", text: "3600+30" },
    NamedControl { name: "45+15", text: "2700+15" },
    NamedControl { name: "rapid", text: "900+10" },
    NamedControl { name: "25+10", text: "1500+10" },
    NamedControl { name: "15+10", text: "900+10" },
    NamedControl { name: "10+5", text: "600+5" },
    NamedControl { name: "blitz", text: "180+2" },
    NamedControl { name: "10+0", text: "600" },
    NamedControl { name: "5+3", text: "300+3" },
    NamedControl { name: "5+0", text: "300" },
    NamedControl { name: "3+2", text: "180+2" },
    NamedControl { name: "3+0", text: "180" },
    NamedControl { name: "2+1", text: "120+1" },
    NamedControl { name: "bullet", text: "60" },
    NamedControl { name: "1+1", text: "60+1" },
    NamedControl { name: "1+0", text: "60" },
];

/// The largest bare number that is read as minutes in texts such as `90+30`; a larger one is read as seconds.
const MOST_MINUTES: u64 = 180;

/// Parses a time control as people write it: a common name; minutes, perhaps with a bonus in seconds, such as
/// `90 plus 30`, `5+3` and `15`; texts such as `G/60 d5`, `1 h 30 min + 30 s` and `1:30:00`; or the record's notation.
/// A first number up to 180 without a unit means minutes; for 180 seconds with an increment of 2, write `180s+2`. If
/// the text is wrong, the error contains a position in `text` itself.
pub fn parse_spoken(text: &str) -> Result<TimeControl, ParseControlError> {
    let said = text.to_lowercase();
    if let Some(named) = NAMED.iter().find(|named| named.name == said.trim()) {
        return named.text.parse();
    }
    let parts = parts(&said);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if let ([(_, first), (_, second)], true) = (parts.as_slice(), said.contains(':'))
        && digits(first)
        && digits(second)
        && second.len() == 2
    {
        let wanted = "a unit: 1:30 could be a minute and a half, or two stages";
        let at = said.chars().take_while(|letter| *letter != ':').count() + 1;
        return Err(ParseControlError::unclear(text, at, wanted));
    }
    let mut mapped = MappedText::default();
    for (at, part) in parts {
        if !mapped.text.is_empty() {
            mapped.add(":", at);
        }
        match stage_in_words(part, at) {
            Some(stage) => mapped.join(stage),
            // Any other stage is copied unchanged. The parser of the record's notation then reports the position of
            // an error.
            None => mapped.copy(part, at),
        }
    }
    mapped.text.parse::<TimeControl>().map_err(|error| {
        let end = said.trim_end().chars().count();
        let at = mapped.from.get(error.at() - 1).copied().unwrap_or(end);
        error.about(text, at + 1)
    })
}

/// Splits a control into the texts of its stages, without blanks around them. The number beside each stage is the index
/// of its first character in `said`, from 0.
fn parts(said: &str) -> Vec<(usize, &str)> {
    const THEN: &str = " then ";
    let mut found = Vec::new();
    let mut push = |from: usize, until: usize| {
        let part = said.get(from..until).unwrap_or_default();
        let blanks = part.len() - part.trim_start().len();
        let at = said.get(..from + blanks).unwrap_or_default().chars().count();
        found.push((at, part.trim()));
    };
    let (mut from, mut at) = (0, 0);
    // Whether a time such as `1:30:00` may begin at the index `at`. It may begin at the beginning of a stage, or after
    // the stage's number of moves.
    let mut fresh = true;
    while let Some(rest) = said.get(at..).filter(|rest| !rest.is_empty()) {
        let letter = rest.chars().next().map_or(1, char::len_utf8);
        if let Some((_, after)) = hours_minutes_seconds(rest).filter(|_| fresh) {
            (at, fresh) = (said.len() - after.len(), false);
        } else if rest.starts_with([':', ',']) {
            push(from, at);
            (from, at, fresh) = (at + 1, at + 1, true);
        } else if rest.starts_with(THEN) {
            push(from, at);
            (from, at, fresh) = (at + THEN.len(), at + THEN.len(), true);
        } else {
            at += letter;
            fresh = rest.starts_with('/') || (fresh && rest.starts_with(' '));
        }
    }
    push(from, said.len());
    found
}

/// Parses `1:30:00`; returns the seconds and the text after it. `None` if the hours have two digits, or if another
/// colon follows, because the text is then a list of stages.
fn hours_minutes_seconds(said: &str) -> Option<(u64, &str)> {
    let (time, after) = said.split_at_checked(7)?;
    let [hours, b':', minutes @ .., b':', ten, one] = time.as_bytes() else { return None };
    let number = |digits: &[u8]| -> Option<u64> { std::str::from_utf8(digits).ok()?.parse().ok() };
    let plain = [*hours, *ten, *one].iter().chain(minutes).all(u8::is_ascii_digit);
    let (hours, minutes, seconds) = (number(&[*hours])?, number(minutes)?, number(&[*ten, *one])?);
    let goes_on = after.starts_with(|next: char| next == ':' || next.is_ascii_digit());
    (plain && minutes < 60 && seconds < 60 && !goes_on)
        .then_some((hours * 3600 + minutes * 60 + seconds, after))
}

/// A text in the record's notation, converted from a text that a person wrote. For each character of `text`, `from`
/// contains the index, from 0, of the character in the person's text from which it was made.
#[derive(Debug, Default)]
struct MappedText {
    text: String,
    from: Vec<usize>,
}

impl MappedText {
    /// Adds text that replaces the original character at the index `at`.
    fn add(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.from.extend(text.chars().map(|_| at));
    }

    /// Adds a part of the original text unchanged; `at` is the index of its first character.
    fn copy(&mut self, said: &str, at: usize) {
        self.text.push_str(said);
        self.from.extend((at..).take(said.chars().count()));
    }

    fn join(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.from.extend(other.from);
    }
}

/// Converts a stage such as `40/90 + 30` or `5x30`; `at` is the index of its first character.
fn stage_in_words(part: &str, at: usize) -> Option<MappedText> {
    let mut mapped = MappedText::default();
    // People write periods, blocks and times per move in seconds, as the record does. So such a stage is copied
    // unchanged.
    if part.contains('x') || part.starts_with(['c', '=', '*', '^', '-']) {
        mapped.copy(part, at);
        return Some(mapped);
    }
    match part.split_once('/').filter(|(moves, _)| *moves != "g") {
        Some((moves, time)) => {
            mapped.copy(moves.trim_end(), at);
            let slash = at + moves.chars().count();
            mapped.add("/", slash);
            let blanks = time.len() - time.trim_start().len();
            mapped.join(in_words(time.trim_start(), slash + 1 + blanks)?);
        }
        None => mapped.join(in_words(part, at)?),
    }
    Some(mapped)
}

/// Writes a control so that [`parse_spoken`] parses it back. The text has units such as `min` and `s`, because a bare
/// number could be read as minutes.
pub fn to_spoken(control: &TimeControl) -> String {
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

/// Converts a text such as `90 plus 30`; `at` is the index of its first character.
fn in_words(whole: &str, at: usize) -> Option<MappedText> {
    let mut said = whole.strip_prefix("g/").unwrap_or(whole);
    let here = |rest: &str| at + whole.chars().count() - rest.chars().count();
    let begun = here(said);
    let (mut main, mut unit) = amount(&mut said)?;
    if unit == Unit::None && main > MOST_MINUTES {
        unit = Unit::Seconds;
    }
    main = main.checked_mul(unit.seconds())?;
    // An amount without a sign, such as `30 min` in `1 h 30 min`, is added to the amount before it and must have a
    // smaller unit.
    let mut bonus = MappedText::default();
    loop {
        let signed = here(said);
        let sign = sign(&mut said);
        match (sign, said.is_empty()) {
            (None, true) => {
                let mut mapped = MappedText::default();
                mapped.add(&main.to_string(), begun);
                mapped.join(bonus);
                return Some(mapped);
            }
            (None, false) => {
                let (more, smaller) = amount(&mut said)?;
                // `1h30` means one hour and thirty minutes.
                let smaller = if smaller == Unit::None { unit.smaller()? } else { smaller };
                if smaller.seconds() >= unit.seconds() || unit == Unit::None {
                    return None;
                }
                main = main.checked_add(more.checked_mul(smaller.seconds())?)?;
                unit = smaller;
            }
            (Some(sign), _) => {
                let counted = here(said);
                let (more, of) = amount(&mut said)?;
                let of = if of == Unit::None { Unit::Seconds } else { of };
                if of == Unit::Hours || !said.is_empty() {
                    return None;
                }
                bonus.add(&sign.to_string(), signed);
                bonus.add(&more.checked_mul(of.seconds())?.to_string(), counted);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    /// No unit was given. The function `seconds` treats the number as minutes; a caller that means seconds replaces this
    /// variant before.
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

/// If `said` begins with one of `words`, removes the word and the blanks after it, and returns the value that belongs
/// to the word. Otherwise returns `None`.
fn take<T: Copy>(said: &mut &str, words: &[(&str, T)]) -> Option<T> {
    let (word, found) = words.iter().find(|(word, _)| said.starts_with(word))?;
    *said = said.strip_prefix(word)?.trim_start();
    Some(*found)
}

/// Removes the sign between a time and its bonus from the beginning of `said`, and returns the record's character for
/// it. The sign may be a word in English, Spanish or German.
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

/// Takes a number and its unit.
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
    if let Some((seconds, after)) = hours_minutes_seconds(said) {
        *said = after.trim_start();
        return Some((seconds, Unit::Seconds));
    }
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
            ("2:30:00", "9000"),
            ("1:00:00+30", "3600+30"),
            (" 0:45:00 plus 10 s ", "2700+10"),
            ("40/1:30:00+30, 0:30:00+30", "40/5400+30:1800+30"),
            ("5:10:75", "300:600:4500"),
            ("=30", "=30"),
            ("*60", "*60"),
            ("^", "^"),
            ("-", "-"),
        ];
        for (text, wanted) in cases {
            assert_eq!(
                parse_spoken(text).map(|control| control.to_string()),
                Ok(wanted.to_owned()),
                "{text}"
            );
        }
        for text in
            ["300", "90", "7200", "300+3", "0+30", "300d5", "95b2", "40/5400+30:1800+30", "*60", "-", "^"]
        {
            let control: TimeControl = text.parse().expect("a control");
            assert_eq!(parse_spoken(&to_spoken(&control)), Ok(control.clone()), "{text}");
        }
        assert_eq!(to_spoken(&"900+10".parse().expect("a control")), "15 min + 10 s");
        for text in
            ["", "five", "5+", "5 + 3 + 2", "3 h + 2 h", "5 3", "30 s 5 min", "18446744073709551615 h"]
        {
            assert!(parse_spoken(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_about_the_text_as_it_was_written() {
        let cases = [
            ("5s:2x3s", 7),
            ("5 min, 2x3s", 11),
            ("5+3 then 0x30", 10),
            ("90 min, 30 apples", 11),
            ("  5 apples", 4),
            ("40/90+30:", 10),
            ("15 min : *60", 10),
            ("90 plus 99999999", 9),
            ("1:30", 2),
            ("0", 1),
        ];
        for (text, at) in cases {
            let error = parse_spoken(text).expect_err(text);
            assert_eq!(error.at(), at, "{error}");
            assert!(error.to_string().starts_with(&format!("`{text}` is no")), "{error}");
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
            assert_eq!(parse_spoken(named.name), Ok(control.clone()), "{}", named.name);
            if let Some(pace) = GameSpeed::ALL.into_iter().find(|pace| pace.word() == named.name) {
                assert_eq!(GameSpeed::of(&control), Some(pace));
            }
        }
        let order = |named: &NamedControl| {
            let pace = GameSpeed::of(&named.text.parse().expect("a control")).expect("an end");
            GameSpeed::ALL.into_iter().position(|other| other == pace)
        };
        assert!(NAMED.windows(2).all(|pair| order(&pair[0]) <= order(&pair[1])));
    }
}
