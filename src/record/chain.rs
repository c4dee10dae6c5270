//! The chain of hashes over the lines of a match, and the seals (commitments) that hide cards in it.
//!
//! This file only computes and checks hashes. The journal stores them, and an export writes them as `x-hash`.
//! `docs/record-chain.md` specifies the computation exactly; a test checks the example in that document.
//!
//! This file does not interpret lines. It only knows that a `deal` has `cards`.
//!
//! Sources: SHA-256 (FIPS 180-4), canonical JSON (RFC 8785).
#![warn(clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::json::{self, JsonError};

/// The bytes that are hashed before the header, at the beginning of every chain.
const PREFACE: &[u8] = b"tabiya 1\n";
/// The length of a salt in bytes. Each sealed card has its own random salt.
pub const SALT_BYTES: usize = 16;
/// The fewest digits of a head (the hash after the last line) that suffice to check a record.
const FEWEST_DIGITS: usize = 8;
/// How many digits of a head are printed on a match sheet.
const SHEET_DIGITS: usize = 16;
/// The text in place of a card's letter if the card is unknown or hidden.
pub const HIDDEN: &str = "?";
/// The words for the two colours in a record, White first.
pub const COLOURS: [&str; 2] = ["white", "black"];
/// The name of the field in a journal's `deal` line that contains the box: the encrypted faces and salts of the sealed
/// cards.
pub const BOX: &str = "x-sealed";
/// The name of the field in a `deal` line that contains the seals: a commitment to each known card.
pub const SEALS: &str = "x-seals";
/// The name of the field in a `deal` line that contains the salts, which are needed to check the seals.
pub const SALTS: &str = "x-salts";
/// The greatest length of a box in hexadecimal digits. The cards of one street need far fewer.
pub const LONGEST_BOX: usize = 1 << 16;

/// The hash after a line. It depends on that line and on all lines before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Head([u8; 32]);

impl Head {
    /// Computes the hash of a match's header, which is the first hash of the match's chain.
    pub fn of_header(header: &Value) -> Self {
        Self(Sha256::new().chain_update(PREFACE).chain_update(public_form(header)).finalize().into())
    }

    /// Computes the hash after `line`. `self` is the hash after the line (or header) before it.
    #[must_use]
    pub fn then(self, line: &Value) -> Self {
        Self(Sha256::new().chain_update(self.0).chain_update(public_form(line)).finalize().into())
    }

    /// The hash as 32 bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Makes this value from the 32 bytes of a hash that was computed earlier.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The first sixteen digits in groups of four, for the match sheet: `2cf2 4dba 5fb0 a30e`.
    pub fn short(&self) -> String {
        let digits: Vec<char> = self.to_string().chars().take(SHEET_DIGITS).collect();
        digits.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }
}

/// Writes all 64 hexadecimal digits, as in `x-hash`.
impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Head({self})")
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// Parses lower-case hexadecimal digits; `None` for anything else. Upper-case digits are refused, so that a salt
/// or a seal has only one spelling and every change of it is noticed.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

// --- The canonical text ---

/// The canonical text of a value (RFC 8785): without white space, keys sorted by their UTF-16 units, numbers as
/// ECMAScript prints them. There is one difference from RFC 8785: whole numbers that fit 64 bits keep all their
/// digits.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (nth, item) in items.iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            out.push('{');
            for (nth, (key, member)) in sorted.into_iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write_canonical(member, out);
            }
            out.push('}');
        }
        Value::String(text) => write_text(text, out),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => write_float(float, out),
            _ => out.push_str(&number.to_string()),
        },
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
    }
}

/// Writes a string. `serde_json` escapes the same characters as RFC 8785, in the same way.
fn write_text(text: &str, out: &mut String) {
    out.push_str(&Value::from(text).to_string());
}

/// Writes a number as ECMAScript's `Number::toString` does. Rust's `{:e}` gives the same shortest digits.
fn write_float(float: f64, out: &mut String) {
    if float == 0.0 {
        return out.push('0'); // negative zero too
    }
    let shortest = format!("{float:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let point = exponent + 1; // the place of the decimal point, counted from the first digit
    let (head, tail) = digits.split_at_checked(usize::try_from(point).unwrap_or(0)).unwrap_or((&digits, ""));
    let zeros = |many: i32| "0".repeat(usize::try_from(many).unwrap_or(0));
    out.push_str(sign);
    let text = match point {
        _ if count <= point && point <= 21 => [&digits, zeros(point - count).as_str()].concat(),
        1..=21 => [head, ".", tail].concat(),
        -5..=0 => ["0.", &zeros(-point), &digits].concat(),
        _ => {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let dot = if rest.is_empty() { "" } else { "." };
            let plus = if exponent < 0 { "" } else { "+" };
            [first, dot, rest, "e", plus, &exponent.to_string()].concat()
        }
    };
    out.push_str(&text);
}

/// The text that is hashed for a line: the line's canonical text without `x-hash`, `x-salts` and `x-sealed`, and
/// with `"?"` in place of every sealed card of a `deal`.
pub fn public_form(line: &Value) -> String {
    let Value::Object(members) = line else { return canonical(line) };
    let mut public = members.clone();
    for outside in ["x-hash", SALTS, BOX] {
        public.shift_remove(outside);
    }
    if is_deal(members) {
        for colour in COLOURS {
            let seals = texts(members, SEALS, colour);
            for (nth, card) in cards_mut(&mut public, colour).iter_mut().enumerate() {
                if card.is_string() && seals.get(nth).is_some_and(|seal| !seal.is_empty()) {
                    *card = HIDDEN.into();
                }
            }
        }
    }
    canonical(&Value::Object(public))
}

/// Adds the field `x-hash` to a line of an export.
#[must_use]
pub fn with_hash(mut line: Value, head: Head) -> Value {
    if let Value::Object(members) = &mut line {
        members.insert("x-hash".to_owned(), head.to_string().into());
    }
    line
}

fn is_deal(members: &Map<String, Value>) -> bool {
    members.get("do").is_some_and(|word| word == "deal")
}

/// The list that a line has for one colour in its field `cards`, `x-seals` or `x-salts`. For an item that is not a
/// string, the result contains an empty string.
pub fn texts<'a>(members: &'a Map<String, Value>, field: &str, colour: &str) -> Vec<&'a str> {
    let list = members.get(field).and_then(|both| both.get(colour)).and_then(Value::as_array);
    list.map(|items| items.iter().map(|item| item.as_str().unwrap_or("")).collect()).unwrap_or_default()
}

/// The cards of one colour in a `deal`, as a mutable slice. The slice is empty if the line has no cards of this
/// colour.
pub fn cards_mut<'a>(members: &'a mut Map<String, Value>, colour: &str) -> &'a mut [Value] {
    let list = members.get_mut("cards").and_then(|both| both.get_mut(colour)).and_then(Value::as_array_mut);
    list.map(Vec::as_mut_slice).unwrap_or_default()
}

// --- Seals ---

/// Computes the commitment to one card: SHA-256 over the salt's bytes and the face's letter.
pub fn commitment(salt: &[u8; SALT_BYTES], face: &str) -> String {
    hex(&Sha256::new().chain_update(salt).chain_update(face).finalize())
}

/// Seals the known cards of a `deal`: adds the fields `x-seals` and `x-salts`, with a separate salt for each card.
/// Returns any other line, and a `deal` that already has seals, unchanged.
#[must_use]
pub fn seal(mut line: Value, salts: &mut dyn FnMut() -> [u8; SALT_BYTES]) -> Value {
    let Value::Object(members) = &mut line else { return line };
    let knows = |card: &&str| !card.is_empty() && *card != HIDDEN;
    let any_known = COLOURS.iter().any(|colour| texts(members, "cards", colour).iter().any(knows));
    if !is_deal(members) || members.contains_key(SEALS) || !any_known {
        return line;
    }
    let (mut all_seals, mut all_salts) = (Map::new(), Map::new());
    for colour in COLOURS {
        let cards = texts(members, "cards", colour);
        if cards.is_empty() {
            continue;
        }
        let pairs = cards.iter().map(|card| {
            if !knows(card) {
                return (Value::from(""), Value::from(""));
            }
            let salt = salts();
            (commitment(&salt, card).into(), hex(&salt).into())
        });
        let (seals, its_salts): (Vec<Value>, Vec<Value>) = pairs.unzip();
        all_seals.insert(colour.to_owned(), seals.into());
        all_salts.insert(colour.to_owned(), its_salts.into());
    }
    members.insert(SEALS.to_owned(), all_seals.into());
    members.insert(SALTS.to_owned(), all_salts.into());
    line
}

/// The cards of one `deal` that may be shown to everybody.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShownCards {
    /// The indices of White's cards that may be shown, from 0 in the order of the `deal` line.
    pub white: BTreeSet<usize>,
    /// The indices of Black's cards that may be shown, from 0 in the order of the `deal` line.
    pub black: BTreeSet<usize>,
}

impl ShownCards {
    fn has(&self, colour: &str, nth: usize) -> bool {
        match colour {
            "white" => self.white.contains(&nth),
            "black" => self.black.contains(&nth),
            _ => false,
        }
    }
}

/// Removes the box of encrypted cards from a line. Only lines inside the journal may have a box.
#[must_use]
pub fn without_box(mut line: Value) -> Value {
    if let Value::Object(members) = &mut line {
        members.shift_remove(BOX);
    }
    line
}

/// The field of a deal's `cards` with the cards that lie open on the table; they are never hidden.
pub const OPEN_CARDS: &str = "common";

/// Replaces every card that is not in `shown`, and its salt, by `"?"`, and removes the box of encrypted cards. Hiding a
/// sealed card does not change the hash of the line. Hiding a card without a seal does change the hash. Such a card is
/// hidden all the same, because its secrecy is more important than an intact chain.
#[must_use]
pub fn redact(line: &Value, shown: &ShownCards) -> Value {
    let mut line = without_box(line.clone());
    let Value::Object(members) = &mut line else { return line };
    if !is_deal(members) {
        return line;
    }
    if members.get(SALTS).is_some_and(|salts| !salts.is_object()) {
        members.shift_remove(SALTS);
    }
    for field in ["cards", SALTS] {
        for (colour, list) in members.get_mut(field).and_then(Value::as_object_mut).into_iter().flatten() {
            if field == "cards" && colour == OPEN_CARDS {
                continue;
            }
            let Value::Array(items) = list else {
                *list = HIDDEN.into();
                continue;
            };
            for (nth, item) in items.iter_mut().enumerate() {
                if !shown.has(colour, nth) && *item != "" {
                    *item = HIDDEN.into();
                }
            }
        }
    }
    line
}

/// How many of the sealed cards on a line are hidden, and how many are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seals {
    /// How many cards are hidden behind a seal.
    pub sealed: usize,
    /// How many cards are open and match their seal.
    pub opened: usize,
}

/// Why the cards and the seals of a line do not match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SealError {
    /// The line does not have exactly one entry in its lists of seals for each card, or a seal is not a hash.
    #[error("the list of seals does not fit the list of cards, or a seal is malformed")]
    Shape,
    /// There is a salt without a sealed card. The chain does not cover salts, so other data could be hidden in
    /// this salt.
    #[error("there is a salt for a card that was not sealed")]
    StraySalts,
    /// The box of encrypted cards is malformed, or it is on a line that must not have a box. This is checked because
    /// the chain does not cover boxes, so other data could be hidden in one.
    #[error("`x-sealed`, the box of encrypted cards, is malformed or does not belong on this line")]
    StrayBox,
    /// An open card cannot be checked, because its salt is missing.
    #[error("{colour}'s card {card} is shown, but the salt that proves its face is missing")]
    NoSalt {
        /// The colour of the player who has the card.
        colour: &'static str,
        /// The number of the card, from 1.
        card: usize,
    },
    /// An open card does not match its seal.
    #[error("{colour}'s card {card} is not the card that was sealed")]
    OtherCard {
        /// The colour of the player who has the card.
        colour: &'static str,
        /// The number of the card, from 1.
        card: usize,
    },
    /// A card is hidden, but its salt is shown. With the salt, anyone can find the face by trying the five
    /// possible faces.
    #[error("{colour}'s card {card} is hidden, but its salt is shown")]
    BareSalt {
        /// The colour of the player who has the card.
        colour: &'static str,
        /// The number of the card, from 1.
        card: usize,
    },
}

/// Checks the cards, salts and box of a line against its seals.
pub fn check_seals(line: &Value) -> Result<Seals, SealError> {
    let mut count = Seals::default();
    let Value::Object(members) = line else { return Ok(count) };
    let (seals, salts, closed) = (members.get(SEALS), members.get(SALTS), members.get(BOX));
    if !is_deal(members) || seals.is_none() {
        return match (salts, closed) {
            (None, None) => Ok(count),
            (Some(_), _) => Err(SealError::StraySalts),
            (None, Some(_)) => Err(SealError::StrayBox),
        };
    }
    let is_box = |value: &Value| {
        value.as_str().is_some_and(|digits| digits.len() <= LONGEST_BOX && unhex(digits).is_some())
    };
    if closed.is_some_and(|closed| !is_box(closed) || salts.is_some()) {
        return Err(SealError::StrayBox);
    }
    let cards = members.get("cards");
    if !seals.is_none_or(|seals| same_shape(seals, cards)) {
        return Err(SealError::Shape);
    }
    if !salts.is_none_or(|salts| same_shape(salts, cards)) {
        return Err(SealError::StraySalts);
    }
    for colour in COLOURS {
        let cards = texts(members, "cards", colour);
        let seals = texts(members, SEALS, colour);
        let mut salts = texts(members, SALTS, colour).into_iter();
        for (nth, (card, seal)) in cards.into_iter().zip(seals).enumerate() {
            match check_card(card, seal, salts.next().unwrap_or(""), colour, nth + 1)? {
                Some(true) => count.opened += 1,
                Some(false) => count.sealed += 1,
                None => {}
            }
        }
    }
    Ok(count)
}

/// Checks a card against its seal. Returns whether the card is open (`true`) or hidden (`false`); `None` if it has
/// no seal.
fn check_card(
    card: &str,
    seal: &str,
    salt: &str,
    colour: &'static str,
    nth: usize,
) -> Result<Option<bool>, SealError> {
    let no_salt = salt.is_empty() || salt == HIDDEN;
    if seal.is_empty() {
        return if no_salt { Ok(None) } else { Err(SealError::StraySalts) };
    }
    if unhex(seal).is_none_or(|seal| seal.len() != 32) {
        return Err(SealError::Shape);
    }
    match (card == HIDDEN, no_salt) {
        (true, true) => Ok(Some(false)),
        (true, false) => Err(SealError::BareSalt { colour, card: nth }),
        (false, true) => Err(SealError::NoSalt { colour, card: nth }),
        (false, false) => match unhex(salt).and_then(|salt| salt.try_into().ok()) {
            Some(salt) if commitment(&salt, card) == seal => Ok(Some(true)),
            _ => Err(SealError::OtherCard { colour, card: nth }),
        },
    }
}

/// Whether `lists` has the same colours as `cards`, and for each colour the same number of items. Each item must be a
/// string or `null`.
fn same_shape(lists: &Value, cards: Option<&Value>) -> bool {
    let (Some(lists), Some(cards)) = (lists.as_object(), cards.and_then(Value::as_object)) else {
        return false;
    };
    let count = |list: &Value| {
        let items = list.as_array()?;
        items.iter().all(|item| item.is_string() || item.is_null()).then_some(items.len())
    };
    let hidden = cards.keys().filter(|colour| *colour != OPEN_CARDS).count();
    lists.len() == hidden
        && lists.iter().all(|(colour, list)| {
            COLOURS.contains(&colour.as_str())
                && cards
                    .get(colour)
                    .is_some_and(|cards| count(cards).is_some() && count(cards) == count(list))
        })
}

// --- Checking a record ---

/// A record whose chain of hashes is intact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The hash after the last line.
    pub head: Head,
    /// How many lines follow the header.
    pub entries: usize,
    /// How many lines, the header included, have an `x-hash`.
    pub marked: usize,
    /// How many cards are hidden behind a seal.
    pub sealed: usize,
    /// How many cards are open and match their seal.
    pub opened: usize,
}

/// Why the chain of a record is not intact, or does not end with the given head.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Broken {
    /// The record has no lines.
    #[error("the record is empty")]
    Empty,
    /// A line is not JSON.
    #[error("line {line} cannot be read")]
    Unreadable {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the JSON of the line.
        source: JsonError,
    },
    /// A line is JSON, but not an object.
    #[error("line {line} is not a JSON object")]
    NotALine {
        /// The number of the line, from 1.
        line: usize,
    },
    /// The `x-hash` of a line differs from the computed hash.
    #[error("{}", unfit(*.line, *.after))]
    Unfit {
        /// The number of the first line with a wrong `x-hash`, from 1.
        line: usize,
        /// The number of the last earlier line with a correct `x-hash`; `None` if no earlier line has an `x-hash`.
        after: Option<usize>,
    },
    /// The cards and the seals of a line do not match.
    #[error("the cards of line {line} do not fit their seals")]
    Seal {
        /// The number of the line, from 1.
        line: usize,
        /// Which card, salt or box does not match.
        source: SealError,
    },
    /// The given head contains a character that is no hexadecimal digit, or it has too few or too many digits.
    #[error("`{given}` is not the head of a record: copy at least {FEWEST_DIGITS} of its digits 0-9 and a-f")]
    NotAHead {
        /// The head as it was given.
        given: String,
    },
    /// The given head is the hash after a line that is not the last one. When this head was copied, the record ended
    /// with that line; the lines after it were added later.
    #[error("the record had the head {given} after line {line}; the lines after that were added later")]
    GoesOn {
        /// The head as it was given.
        given: String,
        /// The number of the line with that head, from 1.
        line: usize,
    },
    /// The given head is not the hash after any line of the record.
    #[error(
        "the head of this record is {}, not {given}: lines at its end are missing, or this is another record",
        .ends.short()
    )]
    OtherHead {
        /// The head as it was given.
        given: String,
        /// The head of the record's last line.
        ends: Head,
    },
}

/// The error message for [`Broken::Unfit`]. It says between which lines the record was changed.
fn unfit(line: usize, after: Option<usize>) -> String {
    match after {
        Some(after) if after + 1 < line => {
            format!(
                "after line {after}, up to and including line {line}, a line was changed, removed or added"
            )
        }
        _ => format!("line {line} was changed, or a line before it was removed or added"),
    }
}

/// Computes the chain of one match again, and checks every `x-hash` and every seal. `lines` are the lines of the
/// match with their numbers, the header first; blank lines are ignored. `head` is the hash with which the record
/// must end, or at least its first eight digits; spaces in `head` are ignored.
pub fn verify<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    head: Option<&str>,
) -> Result<Verified, Broken> {
    let wanted = head.map(head_digits).transpose()?;
    let mut found: Option<Verified> = None;
    let mut fitted = None;
    let mut named = None;
    for (number, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let line = json::parse(text).map_err(|source| Broken::Unreadable { line: number, source })?;
        let Value::Object(members) = &line else { return Err(Broken::NotALine { line: number }) };
        let here = found.as_ref().map_or_else(|| Head::of_header(&line), |found| found.head.then(&line));
        let marked = members.get("x-hash");
        if marked.is_some_and(|mark| mark.as_str() != Some(here.to_string().as_str())) {
            return Err(Broken::Unfit { line: number, after: fitted });
        }
        let seals = check_seals(&line).map_err(|source| Broken::Seal { line: number, source })?;
        if marked.is_some() {
            fitted = Some(number);
        }
        if wanted.as_ref().is_some_and(|digits| here.to_string().starts_with(digits)) {
            named = Some(number);
        }
        let entries = found.as_ref().map_or(0, |found| found.entries + 1);
        let so_far =
            found.take().unwrap_or(Verified { head: here, entries, marked: 0, sealed: 0, opened: 0 });
        found = Some(Verified {
            head: here,
            entries,
            marked: so_far.marked + usize::from(marked.is_some()),
            sealed: so_far.sealed + seals.sealed,
            opened: so_far.opened + seals.opened,
        });
    }
    let found = found.ok_or(Broken::Empty)?;
    match wanted {
        Some(digits) if !found.head.to_string().starts_with(&digits) => Err(match named {
            Some(line) => Broken::GoesOn { given: head.unwrap_or_default().to_owned(), line },
            None => Broken::OtherHead { given: head.unwrap_or_default().to_owned(), ends: found.head },
        }),
        _ => Ok(found),
    }
}

/// The digits of a head that people copied from a match sheet, without spaces and in lower case.
fn head_digits(given: &str) -> Result<String, Broken> {
    let digits: String =
        given.chars().filter(|sign| !sign.is_whitespace()).map(|sign| sign.to_ascii_lowercase()).collect();
    let fits =
        (FEWEST_DIGITS..=64).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if fits { Ok(digits) } else { Err(Broken::NotAHead { given: given.to_owned() }) }
}

#[cfg(test)]
mod tests;
