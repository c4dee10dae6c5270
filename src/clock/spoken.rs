//! Reads time controls as people write them, and writes them so that people read them.
//!
//! The record writes times only in seconds (`parse.rs`). In clubs people say "90 plus 30" and mean minutes and
//! seconds. Only this file converts that notation into the record's. docs/clock.md, "What people say", has the table of
//! spellings that the tests read. A text that can mean two usual things is not guessed: the error offers the readings.

use tabiya_types::Millis;

use super::control::{Bonus, Stage, TimeControl};
use super::named::NAMED;
use super::parse::ParseControlError;

/// A number up to this one without a unit can mean minutes; a larger one means seconds.
const MOST_MINUTES: u64 = 180;
/// Numbers of moves that people count. In `90/40` they tell which of the two numbers is the time.
const USUAL_MOVES: [u64; 9] = [15, 16, 20, 30, 36, 40, 45, 50, 60];
/// Numbers that can be a whole game's minutes, and its seconds.
const MINUTES_OR_SECONDS: [u64; 3] = [60, 120, 180];
/// Usual times of a whole game, in seconds. Who says only a bonus, as in `delay 5`, is asked for one of them.
const USUAL_BASES: [u64; 4] = [300, 900, 1500, 3600];
/// Nobody plays an hour and more with increments below this many seconds.
const LEAST_LONG_INCREMENT: u64 = 5;

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
    if let [(_, Token::Number(_)), (at, Token::Then), (_, Token::Number(two))] = tokens.as_slice()
        && said.contains(':')
        && two.len() == 2
    {
        let wanted = "a unit: 1:30 could be a minute and a half, or two stages";
        return Err(ParseControlError::wrong(text, at + 1, wanted));
    }
    if let Some(readings) = minutes_or_increment(&tokens).or_else(|| bonus_alone(&said, &tokens)) {
        return Err(ParseControlError::unsure(text, readings));
    }
    let end = said.trim_end().chars().count();
    let mut reader = Reader { tokens: &tokens, end, unsure: false };
    let written = reader.control().map_err(|(at, wanted)| ParseControlError::wrong(text, at + 1, wanted))?;
    let mut readings = Vec::new();
    for mapped in written {
        let read: Result<TimeControl, _> = mapped.text.parse();
        readings.push(read.map_err(|error| {
            let at = mapped.from.get(error.at() - 1).copied().unwrap_or(end);
            error.about(text, at + 1)
        })?);
    }
    match readings.as_slice() {
        [sure] if !reader.unsure => Ok(sure.clone()),
        _ => Err(ParseControlError::unsure(text, readings)),
    }
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
    let [(_, Token::Sign(sign)), (_, Token::Number(bonus)), unit @ ..] = tokens else { return None };
    if !matches!(unit, [] | [(_, Token::Unit(Unit::Seconds))]) {
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

// ---- tokens ----

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Hours,
    Minutes,
    Seconds,
}

impl Unit {
    fn seconds(self) -> u64 {
        match self {
            Self::Hours => 3600,
            Self::Minutes => 60,
            Self::Seconds => 1,
        }
    }

    fn smaller(self) -> Option<Self> {
        match self {
            Self::Hours => Some(Self::Minutes),
            Self::Minutes => Some(Self::Seconds),
            Self::Seconds => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Number(&'a str),
    /// A time such as `1:30:00`, in seconds.
    Time(u64),
    Unit(Unit),
    /// What stands between a time and its bonus, as the record writes it: `+`, `d` or `b`.
    Sign(char),
    /// A `;`, which may stand before a sign, or for `+`.
    Semicolon,
    Slash,
    /// What parts stages: `:`, `,` or a word.
    Then,
    /// The `x` between periods and their length.
    Times,
    Hourglass,
    PerMove,
    CountUp,
    Untimed,
    /// The `g` of `G/60`: the time is for the whole game.
    Game,
    /// A number of moves stands before it.
    Moves,
    Canadian,
    /// A word that adds nothing, as the `byo-yomi` after its periods.
    Filler,
    Unknown,
}

/// What words and signs mean, in English, Spanish and German.
const WORDS: [(&str, Token<'static>); 66] = [
    ("hours", Token::Unit(Unit::Hours)),
    ("hour", Token::Unit(Unit::Hours)),
    ("horas", Token::Unit(Unit::Hours)),
    ("hora", Token::Unit(Unit::Hours)),
    ("stunden", Token::Unit(Unit::Hours)),
    ("stunde", Token::Unit(Unit::Hours)),
    ("std", Token::Unit(Unit::Hours)),
    ("h", Token::Unit(Unit::Hours)),
    ("minutes", Token::Unit(Unit::Minutes)),
    ("minutos", Token::Unit(Unit::Minutes)),
    ("minuten", Token::Unit(Unit::Minutes)),
    ("minute", Token::Unit(Unit::Minutes)),
    ("minuto", Token::Unit(Unit::Minutes)),
    ("mins", Token::Unit(Unit::Minutes)),
    ("min", Token::Unit(Unit::Minutes)),
    ("m", Token::Unit(Unit::Minutes)),
    ("seconds", Token::Unit(Unit::Seconds)),
    ("segundos", Token::Unit(Unit::Seconds)),
    ("sekunden", Token::Unit(Unit::Seconds)),
    ("second", Token::Unit(Unit::Seconds)),
    ("secs", Token::Unit(Unit::Seconds)),
    ("sec", Token::Unit(Unit::Seconds)),
    ("seg", Token::Unit(Unit::Seconds)),
    ("sek", Token::Unit(Unit::Seconds)),
    ("s", Token::Unit(Unit::Seconds)),
    ("plus", Token::Sign('+')),
    ("and", Token::Sign('+')),
    ("más", Token::Sign('+')),
    ("y", Token::Sign('+')),
    ("und", Token::Sign('+')),
    ("inc", Token::Sign('+')),
    ("increment", Token::Sign('+')),
    ("delay", Token::Sign('d')),
    ("d", Token::Sign('d')),
    ("bronstein", Token::Sign('b')),
    ("b", Token::Sign('b')),
    ("then", Token::Then),
    ("dann", Token::Then),
    ("luego", Token::Then),
    ("x", Token::Times),
    ("hourglass", Token::Hourglass),
    ("sanduhr", Token::Hourglass),
    ("per", Token::PerMove),
    ("pro", Token::PerMove),
    ("por", Token::PerMove),
    ("each", Token::PerMove),
    ("move", Token::Filler),
    ("zug", Token::Filler),
    ("jugada", Token::Filler),
    ("upcount", Token::CountUp),
    ("count-up", Token::CountUp),
    ("stopwatch", Token::CountUp),
    ("untimed", Token::Untimed),
    ("none", Token::Untimed),
    ("unlimited", Token::Untimed),
    ("g", Token::Game),
    ("game", Token::Filler),
    ("moves", Token::Moves),
    ("züge", Token::Moves),
    ("jugadas", Token::Moves),
    ("in", Token::Filler),
    ("en", Token::Filler),
    ("byo-yomi", Token::Filler),
    ("byoyomi", Token::Filler),
    ("canadian", Token::Canadian),
    ("c", Token::Canadian),
];
const SIGNS: [(&str, Token<'static>); 19] = [
    ("''", Token::Unit(Unit::Seconds)),
    ("\"", Token::Unit(Unit::Seconds)),
    ("″", Token::Unit(Unit::Seconds)),
    ("”", Token::Unit(Unit::Seconds)),
    ("'", Token::Unit(Unit::Minutes)),
    ("′", Token::Unit(Unit::Minutes)),
    ("’", Token::Unit(Unit::Minutes)),
    ("+", Token::Sign('+')),
    ("|", Token::Sign('+')),
    (";", Token::Semicolon),
    ("/", Token::Slash),
    (":", Token::Then),
    (",", Token::Then),
    ("×", Token::Times),
    ("*", Token::Hourglass),
    ("=", Token::PerMove),
    ("^", Token::CountUp),
    ("-", Token::Untimed),
    ("–", Token::Untimed),
];

/// The tokens of a text in lower case, each with the index of its first character, from 0.
fn tokens(said: &str) -> Vec<(usize, Token<'_>)> {
    let mut found: Vec<(usize, Token<'_>)> = Vec::new();
    let (mut rest, mut at) = (said, 0);
    while let Some(first) = rest.chars().next() {
        // A time such as `1:30:00` begins a stage, or follows the stage's number of moves.
        let fresh = found.last().is_none_or(|(_, last)| matches!(last, Token::Then | Token::Slash));
        let (token, length) = if let Some(seconds) = hours_minutes_seconds(rest).filter(|_| fresh) {
            (Some(Token::Time(seconds)), CLOCK_TIME)
        } else if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            (rest.get(..length).map(Token::Number), length)
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else if first.is_alphabetic() {
            let length = word(rest);
            // The Spanish `y` is a word; in `3y0` a letter was mistyped.
            let stuck = first == 'y' && rest.get(length..).is_some_and(|after| !after.starts_with(' '));
            let known = WORDS.iter().find(|(word, _)| rest.get(..length) == Some(word) && !stuck);
            (Some(known.map_or(Token::Unknown, |(_, token)| *token)), length)
        } else {
            let known = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
            let unknown = (Some(Token::Unknown), first.len_utf8());
            known.map_or(unknown, |(sign, token)| (Some(*token), sign.len()))
        };
        found.extend(token.map(|token| (at, token)));
        let (before, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        at += before.chars().count();
        rest = after;
    }
    found
}

/// The length of the word with which the text begins, in bytes. A hyphen between letters belongs to it.
fn word(rest: &str) -> usize {
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = letter == '-' && letters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !letter.is_alphabetic() && !joins {
            return at;
        }
    }
    rest.len()
}

/// The length of `1:30:00`.
const CLOCK_TIME: usize = 7;

/// The seconds of `1:30:00`. `None` if the hours have two digits, or if another colon follows, because the text is then a
/// list of stages.
fn hours_minutes_seconds(said: &str) -> Option<u64> {
    let (time, after) = said.split_at_checked(CLOCK_TIME)?;
    let [hours, b':', minutes @ .., b':', ten, one] = time.as_bytes() else { return None };
    let number = |digits: &[u8]| -> Option<u64> { std::str::from_utf8(digits).ok()?.parse().ok() };
    let plain = [*hours, *ten, *one].iter().chain(minutes).all(u8::is_ascii_digit);
    let (hours, minutes, seconds) = (number(&[*hours])?, number(minutes)?, number(&[*ten, *one])?);
    let goes_on = after.starts_with(|next: char| next == ':' || next.is_ascii_digit());
    (plain && minutes < 60 && seconds < 60 && !goes_on).then_some(hours * 3600 + minutes * 60 + seconds)
}

// ---- grammar ----

/// A text in the record's notation. For each of its characters, `from` has the index of the character in the person's
/// text from which it was made.
#[derive(Clone, Debug, Default)]
struct MappedText {
    text: String,
    from: Vec<usize>,
}

impl MappedText {
    fn with(mut self, text: &str, at: usize) -> Self {
        self.text.push_str(text);
        self.from.extend(text.chars().map(|_| at));
        self
    }
}

/// A number with a unit, if one is written, at this index.
#[derive(Clone, Copy, Debug)]
struct Amount {
    number: u64,
    unit: Option<Unit>,
    at: usize,
}

impl Amount {
    fn seconds_as(self, unit: Unit) -> u64 {
        // What does not fit exceeds every limit that is checked later.
        self.number.saturating_mul(self.unit.unwrap_or(unit).seconds())
    }
}

#[derive(Clone, Copy, Debug)]
struct SpokenBonus {
    sign: char,
    at: usize,
    amount: Amount,
}

/// A stage as it was read.
#[derive(Clone, Debug)]
enum SpokenStage {
    /// Overtime, or a method that stands alone, already in the record's notation.
    Whole(MappedText),
    Time {
        moves: Option<(u64, usize)>,
        base: Amount,
        bonuses: Vec<SpokenBonus>,
    },
    /// A bonus for all stages before it that have none.
    ForAll(SpokenBonus),
}

/// Where the text stops making sense, and what was expected there.
type Fault = (usize, &'static str);

struct Reader<'a> {
    tokens: &'a [(usize, Token<'a>)],
    end: usize,
    /// Whether the text has an unusual order, so that people are asked.
    unsure: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Token<'_>> {
        self.tokens.first().map(|(_, token)| *token)
    }

    fn at(&self) -> usize {
        self.tokens.first().map_or(self.end, |(at, _)| *at)
    }

    /// Removes the next token if it is this one.
    fn eat(&mut self, wanted: Token) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.tokens = &self.tokens[1..];
        }
        there
    }

    fn number(&mut self) -> Option<(u64, usize)> {
        let [(at, Token::Number(digits)), rest @ ..] = self.tokens else { return None };
        self.tokens = rest;
        Some((digits.parse().unwrap_or(u64::MAX), *at))
    }

    /// The possible readings of the whole text, the likeliest first.
    fn control(&mut self) -> Result<Vec<MappedText>, Fault> {
        if let [(at, Token::Untimed)] = self.tokens {
            return Ok(vec![MappedText::default().with("-", *at)]);
        }
        let mut stages = vec![self.stage()?];
        loop {
            if self.periods_follow() {
                self.tokens = &self.tokens[1..];
            } else if self.tokens.is_empty() {
                break;
            } else if !self.eat(Token::Then) {
                return Err((self.at(), "`+`, `d` or `b` and seconds, `,` and another stage, or the end"));
            }
            stages.push(self.stage()?);
        }
        self.readings(stages)
    }

    fn stage(&mut self) -> Result<SpokenStage, Fault> {
        let begun = self.at();
        let whole = |text: String| Ok(SpokenStage::Whole(MappedText::default().with(&text, begun)));
        if self.eat(Token::CountUp) {
            return whole("^".to_owned());
        }
        if self.eat(Token::Hourglass) {
            let written = self.tokens.first().is_some_and(|(at, _)| *at == begun + 1);
            let unit = if written { Unit::Seconds } else { Unit::Minutes };
            return Ok(SpokenStage::Whole(self.amount()?.mapped("*", begun, unit)));
        }
        if self.eat(Token::PerMove) {
            return Ok(SpokenStage::Whole(self.amount()?.mapped("=", begun, Unit::Seconds)));
        }
        if self.eat(Token::Canadian) {
            let (moves, at) = self.number().ok_or((self.at(), "a number of moves"))?;
            if !self.eat(Token::Slash) {
                return Err((self.at(), "`/` and the time for these moves"));
            }
            let block = self.amount()?;
            let mapped =
                MappedText::default().with("c", begun).with(&moves.to_string(), at).with("/", block.at);
            let seconds = block.seconds_as(Unit::Seconds).to_string();
            return Ok(SpokenStage::Whole(mapped.with(&seconds, block.at)));
        }
        if let Some(bonus) = self.bonus()? {
            return if self.tokens.is_empty() && bonus.sign == '+' {
                Ok(SpokenStage::ForAll(bonus))
            } else {
                Err((begun, "the time before the bonus, as in `25 delay 5`"))
            };
        }
        if self.eat(Token::Game) && !self.eat(Token::Slash) {
            return Err((self.at(), "`/` and minutes, as in `G/60`"));
        }
        self.time(begun)
    }

    /// A stage that begins with a number.
    fn time(&mut self, begun: usize) -> Result<SpokenStage, Fault> {
        let of_game = begun != self.at();
        let mut base = self.amount()?;
        if self.eat(Token::Times) {
            let period = self.amount()?;
            while self.eat(Token::Filler) {}
            let mapped = MappedText::default().with(&base.number.to_string(), base.at).with("x", period.at);
            let seconds = period.seconds_as(Unit::Seconds).to_string();
            return Ok(SpokenStage::Whole(mapped.with(&seconds, period.at)));
        }
        for (token, sign, unit) in
            [(Token::Hourglass, "*", Unit::Minutes), (Token::PerMove, "=", Unit::Seconds)]
        {
            if self.eat(token) {
                while self.eat(Token::Filler) {}
                return Ok(SpokenStage::Whole(base.mapped(sign, begun, unit)));
            }
        }
        let mut moves = None;
        let in_words = base.unit.is_none() && self.eat(Token::Moves);
        if in_words {
            while self.eat(Token::Filler) {}
        }
        if in_words || (!of_game && self.eat(Token::Slash)) {
            let second = self.amount()?;
            let usual = |amount: Amount| amount.unit.is_none() && USUAL_MOVES.contains(&amount.number);
            let turned = base.unit.is_some() || (!usual(base) && usual(second));
            self.unsure |= turned && !in_words;
            let (count, time) = if turned && !in_words { (second, base) } else { (base, second) };
            (moves, base) = (Some((count.number, count.at)), time);
        } else if of_game && base.unit.is_none() {
            base.unit = Some(Unit::Minutes);
        }
        let mut bonuses = Vec::new();
        while !self.periods_follow()
            && let Some(bonus) = self.bonus()?
        {
            bonuses.push(bonus);
        }
        Ok(SpokenStage::Time { moves, base, bonuses })
    }

    /// A time: one number, or several whose units become smaller, as in `1 h 30 min` and `1h30`.
    fn amount(&mut self) -> Result<Amount, Fault> {
        let at = self.at();
        if let [(_, Token::Time(seconds)), rest @ ..] = self.tokens {
            self.tokens = rest;
            return Ok(Amount { number: *seconds, unit: Some(Unit::Seconds), at });
        }
        let (number, _) = self.number().ok_or((at, "a number"))?;
        let mut amount = Amount { number, unit: self.unit(), at };
        let mut last = amount.unit;
        while let (Some(larger), Some(Token::Number(_))) = (last, self.peek()) {
            let begun = self.at();
            let single = matches!(self.peek(), Some(Token::Number(digits)) if digits.len() == 1);
            let Some((more, _)) = self.number() else { break };
            let written = self.unit();
            if single && written.is_none() {
                return Err((begun, "`+` before an increment, or a unit after the number"));
            }
            let unit = written.or(larger.smaller());
            let Some(unit) = unit.filter(|unit| unit.seconds() < larger.seconds()) else {
                return Err((begun, "a smaller unit than before"));
            };
            let seconds = amount.seconds_as(larger).saturating_add(more.saturating_mul(unit.seconds()));
            (amount.number, amount.unit, last) = (seconds, Some(Unit::Seconds), Some(unit));
        }
        Ok(amount)
    }

    /// Whether periods follow, as in `10 min + 5 x 30 s`: they are a stage, and no bonus.
    fn periods_follow(&self) -> bool {
        matches!(self.tokens, [(_, Token::Sign('+')), (_, Token::Number(_)), (_, Token::Times), ..])
    }

    fn unit(&mut self) -> Option<Unit> {
        let [(_, Token::Unit(unit)), rest @ ..] = self.tokens else { return None };
        self.tokens = rest;
        Some(*unit)
    }

    /// A sign and the seconds after it.
    fn bonus(&mut self) -> Result<Option<SpokenBonus>, Fault> {
        let at = self.at();
        let semicolon = self.eat(Token::Semicolon);
        let sign = match self.tokens {
            [(_, Token::Sign(sign)), rest @ ..] => {
                self.tokens = rest;
                *sign
            }
            _ if semicolon => '+',
            _ => return Ok(None),
        };
        Ok(Some(SpokenBonus { sign, at, amount: self.amount()? }))
    }

    // ---- meaning ----

    /// What the stages can mean, the likeliest first.
    fn readings(&mut self, mut stages: Vec<SpokenStage>) -> Result<Vec<MappedText>, Fault> {
        let for_all = match stages.pop_if(|last| matches!(last, SpokenStage::ForAll(_))) {
            Some(SpokenStage::ForAll(bonus)) => Some(bonus),
            _ => None,
        };
        if stages.is_empty() {
            let at = for_all.map_or(self.end, |bonus| bonus.at);
            return Err((at, "the time before the bonus, as in `25 + 10`"));
        }
        if let [SpokenStage::Time { moves: Some(moves), base, bonuses }] = stages.as_slice() {
            return self.after_moves(*moves, *base, bonuses);
        }
        if let ([SpokenStage::Time { moves: None, base, bonuses }], None) = (stages.as_slice(), for_all)
            && base.unit.is_none()
        {
            let units = units_of(base.number, bonuses.first());
            let read = |unit: &Unit| {
                let stage = SpokenStage::Time { moves: None, base: *base, bonuses: bonuses.clone() };
                stage.written(*unit, None)
            };
            return units.iter().map(read).collect();
        }
        let mut control = MappedText::default();
        for (nth, stage) in stages.into_iter().enumerate() {
            let stage = stage.written(Unit::Minutes, for_all)?;
            let joint = if nth == 0 { "" } else { ":" };
            control = control.with(joint, stage.from.first().copied().unwrap_or(self.end));
            control.text.push_str(&stage.text);
            control.from.extend(stage.from);
        }
        Ok(vec![control])
    }

    /// `40/90+30` and `40/90+30+30`: with two amounts, the first one is the time of the rest of the game, and the second one
    /// the increment of all moves. With one, it is the increment, or after a turned `90/40` perhaps the rest.
    fn after_moves(
        &self,
        moves: (u64, usize),
        base: Amount,
        bonuses: &[SpokenBonus],
    ) -> Result<Vec<MappedText>, Fault> {
        let counted = |bonuses: Vec<SpokenBonus>| SpokenStage::Time { moves: Some(moves), base, bonuses };
        let then = |rest: SpokenBonus, bonuses: Vec<SpokenBonus>| {
            let first = counted(bonuses.clone()).written(Unit::Minutes, None)?;
            let rest = SpokenStage::Time { moves: None, base: rest.amount, bonuses };
            let rest = rest.written(Unit::Minutes, None)?;
            let mut both = first.with(":", rest.from.first().copied().unwrap_or(self.end));
            both.text.push_str(&rest.text);
            both.from.extend(rest.from);
            Ok(both)
        };
        match bonuses {
            [rest, all] if rest.sign == '+' => Ok(vec![then(*rest, vec![*all])?]),
            [one] if self.unsure && one.sign == '+' => {
                Ok(vec![counted(vec![*one]).written(Unit::Minutes, None)?, then(*one, Vec::new())?])
            }
            _ => Ok(vec![counted(bonuses.to_vec()).written(Unit::Minutes, None)?]),
        }
    }
}

impl Amount {
    fn mapped(self, sign: &str, at: usize, unit: Unit) -> MappedText {
        MappedText::default().with(sign, at).with(&self.seconds_as(unit).to_string(), self.at)
    }
}

impl SpokenStage {
    /// The stage in the record's notation. A time without a unit is in this unit, and in seconds above 180 minutes.
    fn written(&self, unit: Unit, for_all: Option<SpokenBonus>) -> Result<MappedText, Fault> {
        let (moves, base, bonuses) = match self {
            Self::Whole(mapped) => return Ok(mapped.clone()),
            Self::ForAll(bonus) => return Err((bonus.at, "a time")),
            Self::Time { moves, base, bonuses } => (moves, base, bonuses),
        };
        let mut mapped = MappedText::default();
        if let Some((moves, at)) = moves {
            mapped = mapped.with(&moves.to_string(), *at).with("/", base.at);
        }
        let unit = if base.number > MOST_MINUTES { Unit::Seconds } else { unit };
        mapped = mapped.with(&base.seconds_as(unit).to_string(), base.at);
        let own = bonuses.first().copied();
        if let Some(second) = bonuses.get(1) {
            return Err((second.at, "`,` and another stage, or the end"));
        }
        if let Some(SpokenBonus { sign, at, amount }) = own.or(for_all) {
            if amount.unit == Some(Unit::Hours) {
                return Err((amount.at, "seconds"));
            }
            mapped = mapped
                .with(&sign.to_string(), at)
                .with(&amount.seconds_as(Unit::Seconds).to_string(), amount.at);
        }
        Ok(mapped)
    }
}

/// The units in which a whole game's number without a unit is usual, the likeliest first.
fn units_of(number: u64, bonus: Option<&SpokenBonus>) -> &'static [Unit] {
    let seconds =
        bonus.filter(|bonus| bonus.sign == '+').map_or(0, |bonus| bonus.amount.seconds_as(Unit::Seconds));
    let is_long = (MINUTES_OR_SECONDS[0]..=MOST_MINUTES).contains(&number);
    match seconds {
        1..LEAST_LONG_INCREMENT if is_long => &[Unit::Seconds],
        0 if MINUTES_OR_SECONDS.contains(&number) && bonus.is_none_or(|bonus| bonus.sign == '+') => {
            &[Unit::Minutes, Unit::Seconds]
        }
        _ => &[Unit::Minutes],
    }
}

#[cfg(test)]
mod tests;
