//! Cuts a time control as people write it into tokens: the words and signs of four languages.
//!
//! `vocabulary.rs` lists what words and signs mean; the grammar is in `grammar.rs`.

use super::vocabulary::{FILLERS, SIGNS, WORDS};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeUnit {
    Hours,
    Minutes,
    Seconds,
}

impl TimeUnit {
    pub(super) fn seconds(self) -> u64 {
        match self {
            Self::Hours => 3600,
            Self::Minutes => 60,
            Self::Seconds => 1,
        }
    }

    pub(super) fn smaller(self) -> Option<Self> {
        match self {
            Self::Hours => Some(Self::Minutes),
            Self::Minutes => Some(Self::Seconds),
            Self::Seconds => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Number(&'a str),
    /// A time such as `1:30:00` or `1.5 h`, in seconds.
    Time(u64),
    Unit(TimeUnit),
    /// What stands between a time and its bonus, as the record writes it: `+`, `d` or `b`.
    Sign(char),
    /// The name of a kind of bonus, before or after its seconds: `increment 30 s`, `5 s delay`.
    Named(char),
    /// A `;`, which may stand before a sign, for `+`, or between stages.
    Semicolon,
    Slash,
    /// What parts stages: `:`, `,` or a word.
    Then,
    /// The `x` between periods and their length.
    Times,
    Hourglass,
    /// The `=` of the record's time per move.
    Equals,
    /// The `per` of `per move` and `per player`, and `each`.
    Per,
    /// One move: that of `30 s per move`.
    Move,
    /// A number of moves stands before it.
    Moves,
    /// The one who has the time: `15 min per player`.
    Player,
    /// The move from which a bonus is given.
    From,
    CountUp,
    Untimed,
    /// The `g` of `G/60` and the `SD` of `SD/60`: the time is for all moves that are left.
    Game,
    Canadian,
    Unknown,
}

/// The length of `1:30:00`.
const CLOCK_TIME: usize = 7;

/// The tokens of a text in lower case, each with the index of its first character, from 0. Words that add nothing are left
/// out.
pub(super) fn tokens(said: &str) -> Vec<(usize, Token<'_>)> {
    let mut found: Vec<(usize, Token<'_>)> = Vec::new();
    let (mut rest, mut at, mut before) = (said, 0, ' ');
    while let Some(first) = rest.chars().next() {
        // A time such as `1:30:00` begins a stage, or follows the stage's number of moves.
        let fresh = found.last().is_none_or(|(_, last)| matches!(last, Token::Then | Token::Slash));
        let (token, length) = if let Some(seconds) = hours_minutes_seconds(rest).filter(|_| fresh) {
            (Some(Token::Time(seconds)), CLOCK_TIME)
        } else if let Some((seconds, length)) = with_fraction(rest).filter(|_| !before.is_ascii_digit()) {
            (Some(Token::Time(seconds)), length)
        } else if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            (rest.get(..length).map(Token::Number), length)
        } else if first.is_whitespace() || is_dot_of_abbreviation(before, rest) || "()[]".contains(first) {
            (None, first.len_utf8())
        } else if let Some(length) = elided(rest) {
            (None, length)
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            (Some(*token), sign.len())
        } else if first.is_alphabetic() || first == 'º' {
            let length = word(rest);
            (meaning(rest.get(..length).unwrap_or(rest), rest.get(length..).unwrap_or_default()), length)
        } else {
            (Some(Token::Unknown), first.len_utf8())
        };
        // `, then` parts two stages once.
        let again = token == Some(Token::Then) && first.is_alphabetic();
        let again = again && matches!(found.last(), Some((_, Token::Then | Token::Semicolon)));
        found.extend(token.filter(|_| !again).map(|token| (at, token)));
        let (eaten, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        at += eaten.chars().count();
        before = eaten.chars().next_back().unwrap_or(before);
        rest = after;
    }
    found
}

/// What a word means, before this text; `None` for a word that adds nothing.
fn meaning(word: &str, after: &str) -> Option<Token<'static>> {
    // A short word that a number follows at once is a slip: the Spanish `y` is a word, `3y0` is none.
    let stuck = after.starts_with(|next: char| next.is_ascii_digit());
    let ends = !after.starts_with(|next: char| !next.is_whitespace());
    if FILLERS.contains(&word) && !stuck {
        return None;
    }
    let known = WORDS.iter().find(|(known, _)| *known == word && (word != "y" || ends));
    Some(known.map_or(Token::Unknown, |(_, token)| *token))
}

/// The dot of `Min.` and of `1. Zug`; that of `5.3` is none.
fn is_dot_of_abbreviation(before: char, rest: &str) -> bool {
    let between = before.is_ascii_digit() && rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit());
    rest.starts_with('.') && before.is_alphanumeric() && !between
}

/// The length of the French `d'` before a vowel, as in `d'incrément`.
fn elided(rest: &str) -> Option<usize> {
    let length = ["d'", "d’", "l'", "l’"].iter().find(|article| rest.starts_with(**article))?.len();
    rest.get(length..)?.starts_with(char::is_alphabetic).then_some(length)
}

/// The length of the word with which the text begins, in bytes. A hyphen between letters belongs to it.
fn word(rest: &str) -> usize {
    let mut letters = rest.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = letter == '-' && letters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !letter.is_alphabetic() && letter != 'º' && !joins {
            return at;
        }
    }
    rest.len()
}

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

/// The seconds of `1.5 h`, `1,5 Std.`, `2½ min` and `½ hour`, and the length of the text in bytes. After a comma only these
/// fractions are read, since a comma also parts stages.
fn with_fraction(said: &str) -> Option<(u64, usize)> {
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = said.split_at_checked(digits)?;
    let fractions =
        [(".25", 1), (",25", 1), (".75", 3), (",75", 3), (".5", 2), (",5", 2), ("¼", 1), ("½", 2), ("¾", 3)];
    let (fraction, quarters) = fractions.iter().find(|(fraction, _)| rest.starts_with(fraction))?;
    let rest = rest.get(fraction.len()..)?;
    let rest = rest.trim_start();
    let named = rest.get(..word(rest))?;
    let unit = WORDS.iter().find_map(|(word, token)| match token {
        Token::Unit(unit) if *word == named => Some(*unit),
        _ => None,
    })?;
    // `,5` alone is the end of a list.
    if whole.is_empty() && fraction.starts_with([',', '.']) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let seconds = whole.checked_mul(4)?.checked_add(*quarters)?.checked_mul(unit.seconds())?;
    let length = said.len() - rest.len() + named.len();
    seconds.is_multiple_of(4).then_some((seconds / 4, length))
}
