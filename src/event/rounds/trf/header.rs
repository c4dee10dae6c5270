//! What the records besides the players say: the event, its system, what results are worth, byes and points that were given.
//!
//! Source: TRF26 (012–132, 142, 162, 192, 202, 212, 240, 299), JaVaFo (`XXR`, `XXS`).

use super::lines::TextLine;
use crate::rounds::crosstable::{RoundResult, Scoring, System};
use crate::rounds::points::Points;

/// Byes that were announced for a round (240).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnouncedByes {
    /// Which bye.
    pub result: RoundResult,
    /// The round, from 1 on.
    pub round: usize,
    /// The players' numbers.
    pub players: Vec<u32>,
}

/// Points that no round gave (299).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbnormalPoints {
    /// How many, for each of the players.
    pub points: Points,
    /// The players' numbers.
    pub players: Vec<u32>,
}

/// What stands before the players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrfHeader {
    /// The event's name (012).
    pub name: String,
    /// The first day, `YYYY-MM-DD`, if the file has it in a form that is known (042).
    pub begins: Option<String>,
    /// The system in words (092), and as a code (192).
    pub kind: Vec<String>,
    /// How many rounds are planned (142, `XXR`).
    pub planned: Option<usize>,
    /// What results are worth (162, `XXS`).
    pub scoring: Scoring,
    /// The tie-breaks: of record 202, else of 212.
    pub tiebreaks: Option<Vec<String>>,
    /// Byes.
    pub byes: Vec<AnnouncedByes>,
    /// Points given.
    pub abnormal: Vec<AbnormalPoints>,
    /// How many teams the file has (013, 310).
    pub teams: usize,
}

impl TrfHeader {
    /// The system: what the file says, else a round robin if there are as many rounds as everybody needs to meet everybody, once or
    /// twice.
    pub fn system(&self, players: usize, planned: usize) -> System {
        let says = |words: &[&str]| {
            self.kind.iter().any(|kind| words.iter().any(|word| kind.to_uppercase().contains(word)))
        };
        if says(&["SWISS", "DUTCH"]) {
            return System::Swiss;
        }
        let needed = (players + players % 2).saturating_sub(1);
        if says(&["ROBIN", "BERGER", "ROUND-ROBIN", "_RR"])
            || (players > 2 && planned > 2 && planned == needed)
        {
            return System::RoundRobin;
        }
        System::Swiss
    }
}

/// Reads the records of a file.
pub(super) fn read_header(lines: &[TextLine]) -> TrfHeader {
    let mut header = TrfHeader::default();
    let mut defining: Option<Vec<String>> = None;
    for line in lines {
        let value = line.value();
        match line.code().to_ascii_uppercase().as_str() {
            "012" if header.name.is_empty() => value.clone_into(&mut header.name),
            "042" => header.begins = date(value),
            "092" | "192" => header.kind.push(value.to_owned()),
            "142" | "XXR" => header.planned = value.parse().ok().or(header.planned),
            "162" => scores_by_letter(&mut header.scoring, &line.text),
            "XXS" => scores_by_name(&mut header.scoring, value),
            "202" => header.tiebreaks = Some(list(value)),
            "212" => defining = Some(list(value)),
            "240" => header.byes.extend(byes(&line.text)),
            "299" => header.abnormal.extend(abnormal(&line.text)),
            "013" | "310" => header.teams += 1,
            _ => {}
        }
    }
    header.tiebreaks = header.tiebreaks.or(defining);
    header
}

/// The codes of a list, which commas, semicolons or spaces separate.
fn list(value: &str) -> Vec<String> {
    let codes = value.split([',', ';', ' ']).map(str::trim).filter(|code| !code.is_empty());
    codes.map(str::to_ascii_uppercase).collect()
}

/// A date as `YYYY-MM-DD`; `None` if it is written in no form that is known: year first (two or four digits) or year last (four).
fn date(value: &str) -> Option<String> {
    let day = value.split_whitespace().next()?;
    let parts: Vec<&str> = day.split(['/', '-', '.']).collect();
    let [first, month, last] = parts.as_slice() else { return None };
    let (year, day) = if last.len() == 4 { (*last, *first) } else { (*first, *last) };
    let number = |text: &str| text.parse::<u32>().ok();
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    let year = if year < 100 { year + 2000 } else { year };
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// Record 162: a letter in column 6 and its points in 7 to 10, and so on every nine columns. Programs write the columns loosely, so
/// letters and numbers are looked for.
fn scores_by_letter(scoring: &mut Scoring, text: &str) {
    let rest = text.get(3..).unwrap_or_default();
    let mut letter = None;
    let mut digits = String::new();
    for next in rest.chars().chain([' ', 'W']) {
        if next.is_ascii_alphabetic() {
            set_score(scoring, letter, &digits);
            (letter, digits) = (Some(next.to_ascii_uppercase()), String::new());
        } else if !next.is_whitespace() {
            digits.push(next);
        }
    }
}

fn set_score(scoring: &mut Scoring, letter: Option<char>, digits: &str) {
    let (Some(letter), Some(points)) = (letter, Points::read(digits)) else { return };
    match letter {
        'W' => scoring.win = points,
        'D' => scoring.draw = points,
        'L' => scoring.loss = points,
        'A' => scoring.absent = points,
        'P' => scoring.pairing_bye = points,
        _ => {}
    }
}

/// Record `XXS`: `W=1 D=0.5 …`. Colours are not told apart: White's value counts.
fn scores_by_name(scoring: &mut Scoring, value: &str) {
    for part in value.split([' ', ',', ';']) {
        let Some((name, points)) = part.split_once('=') else { continue };
        let Some(points) = Points::read(points.trim()) else { continue };
        match name.trim().to_ascii_uppercase().as_str() {
            "W" | "WW" => scoring.win = points,
            "D" | "WD" => scoring.draw = points,
            "L" | "WL" => scoring.loss = points,
            "ZPB" | "FL" => scoring.absent = points,
            "PAB" | "U" => scoring.pairing_bye = points,
            _ => {}
        }
    }
}

/// Record 240: kind in column 5, round in 7 to 9, players of four columns each from 11 on.
fn byes(text: &str) -> Option<AnnouncedByes> {
    let mut parts = text.split_whitespace().skip(1);
    let result = match parts.next()?.to_ascii_uppercase().as_str() {
        "F" => RoundResult::FullBye,
        "H" => RoundResult::HalfBye,
        "Z" => RoundResult::ZeroBye,
        _ => return None,
    };
    let round = parts.next()?.parse().ok()?;
    Some(AnnouncedByes { result, round, players: parts.filter_map(|number| number.parse().ok()).collect() })
}

/// Record 299: points in columns 14 to 17 (those in 8 to 11 are a team's), round in 20 to 22, players of four columns each
/// from 24 on.
fn abnormal(text: &str) -> Option<AbnormalPoints> {
    let letters: Vec<char> = text.chars().collect();
    let column = |first: usize, last: usize| -> String {
        letters.get(first - 1..last.min(letters.len())).map(|part| part.iter().collect()).unwrap_or_default()
    };
    let points = Points::read(column(14, 17).trim())?;
    let players: Vec<u32> = column(24, letters.len())
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .filter(|number| *number > 0)
        .collect();
    (!players.is_empty()).then_some(AbnormalPoints { points, players })
}
