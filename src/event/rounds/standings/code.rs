//! The codes of tie-breaks, such as `BH/C1`.
//!
//! Source: FIDE's table of codes (MTB26), C.07 art. 14 (modifiers).

use std::fmt;
use std::str::FromStr;

use crate::rounds::points::Points;

/// The most that a modifier cuts: there are no events with more rounds.
const MOST_CUT: usize = 99;

/// A tie-break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreakKind {
    /// Points.
    Pts,
    /// Rounds with as many points as a win has (art. 7.1).
    Win,
    /// Games won at the board (7.2).
    Won,
    /// Games played with Black (7.3).
    Bpg,
    /// Games won with Black (7.4).
    Bwg,
    /// Rounds that the player elected to play (7.6).
    Rep,
    /// Standard points: 1, ½, 0 for more than a draw, a draw, less (2026).
    Std,
    /// Progressive score (7.5).
    Ps,
    /// Koya: points against those with at least half of the points (9.2).
    Ks,
    /// The number in the list of players: the smaller one is better.
    Tpn,
    /// Buchholz (8.1).
    Bh,
    /// Fore Buchholz: the last round counts as if it were drawn (8.3).
    Fb,
    /// The average of the opponents' Buchholz (8.2).
    Aob,
    /// Sonneborn-Berger (9.1).
    Sb,
    /// The rating.
    Rtng,
    /// The average rating of opponents (10.1).
    Aro,
    /// The tournament performance rating (10.2).
    Tpr,
    /// The perfect tournament performance (10.3).
    Ptp,
    /// The average performance rating of opponents (10.4).
    Apro,
    /// The average perfect performance of opponents (10.5).
    Appo,
    /// Direct encounter (6).
    De,
}

impl TieBreakKind {
    /// All of them, with their codes.
    const CODES: [(&'static str, Self); 23] = [
        ("PTS", Self::Pts),
        ("WIN", Self::Win),
        ("WON", Self::Won),
        ("BPG", Self::Bpg),
        ("BWG", Self::Bwg),
        ("REP", Self::Rep),
        ("GE", Self::Rep),
        ("STD", Self::Std),
        ("PS", Self::Ps),
        ("KS", Self::Ks),
        ("TPN", Self::Tpn),
        ("SNO", Self::Tpn),
        ("BH", Self::Bh),
        ("FB", Self::Fb),
        ("AOB", Self::Aob),
        ("SB", Self::Sb),
        ("RTNG", Self::Rtng),
        ("ARO", Self::Aro),
        ("TPR", Self::Tpr),
        ("PTP", Self::Ptp),
        ("APRO", Self::Apro),
        ("APPO", Self::Appo),
        ("DE", Self::De),
    ];

    /// Whether it needs the ratings of all players.
    pub fn needs_ratings(self) -> bool {
        matches!(self, Self::Rtng | Self::Aro | Self::Tpr | Self::Ptp | Self::Apro | Self::Appo)
    }
}

/// From how many points on an opponent counts for Koya.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KoyaLimit {
    /// The share of the points that can be won, in percent.
    pub percent: i64,
    /// Points above that, or below.
    pub above: Points,
}

/// A tie-break with its modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TieBreak {
    /// Which.
    pub kind: TieBreakKind,
    /// How many of the least values are cut (`/C1`, `/M1`).
    pub cut_low: usize,
    /// How many of the greatest values are cut (`/M1`).
    pub cut_high: usize,
    /// Koya's limit (`/L60`, `/L+1`: half points).
    pub limit: KoyaLimit,
    /// Whether forfeited games count as played (`/P`).
    pub as_played: bool,
    text: String,
}

/// Why a code is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no code of a tie-break; use codes of FIDE's C.07, such as BH/C1,BH,SB,DE")]
pub struct CodeFault(pub String);

impl TieBreak {
    /// Reads a list of codes, which commas or spaces separate.
    pub fn list(text: &str) -> Result<Vec<Self>, CodeFault> {
        text.split([',', ' ', ';']).filter(|code| !code.is_empty()).map(str::parse).collect()
    }
}

impl FromStr for TieBreak {
    type Err = CodeFault;

    fn from_str(text: &str) -> Result<Self, CodeFault> {
        let fault = || CodeFault(text.to_owned());
        let upper = text.trim().to_ascii_uppercase();
        let mut parts = upper.split('/');
        let name = parts.next().unwrap_or_default();
        let (_, kind) = TieBreakKind::CODES.into_iter().find(|(code, _)| *code == name).ok_or_else(fault)?;
        let mut code = Self {
            kind,
            cut_low: 0,
            cut_high: 0,
            limit: KoyaLimit { percent: 50, above: Points::ZERO },
            as_played: false,
            text: upper.clone(),
        };
        for modifier in parts {
            code.modify(modifier).ok_or_else(fault)?;
        }
        Ok(code)
    }
}

impl TieBreak {
    /// Adds a modifier; `None` if there is none such.
    fn modify(&mut self, modifier: &str) -> Option<()> {
        let count =
            |digits: &str| digits.parse::<usize>().ok().filter(|count| (1..=MOST_CUT).contains(count));
        let mut letters = modifier.chars();
        match (letters.next()?, letters.as_str()) {
            ('C', digits) => self.cut_low = count(digits)?,
            ('M', digits) => {
                self.cut_low = count(digits)?;
                self.cut_high = self.cut_low;
            }
            ('P', "") => self.as_played = true,
            ('L', limit) => self.limit = read_limit(limit)?,
            _ => return None,
        }
        Some(())
    }
}

/// Koya's limit: a percentage, or `+n`, `-n` half points (points, if written with a decimal point) beside a half.
fn read_limit(text: &str) -> Option<KoyaLimit> {
    let signed =
        text.strip_prefix('+').map(|rest| (rest, false)).or(text.strip_prefix('-').map(|rest| (rest, true)));
    let Some((digits, below)) = signed else {
        let percent = text.parse::<i64>().ok().filter(|percent| (0..=100).contains(percent))?;
        return Some(KoyaLimit { percent, above: Points::ZERO });
    };
    let number = Points::read(digits).filter(|number| *number >= Points::ZERO)?;
    let above = if digits.contains('.') { number } else { number * Points::HALF };
    Some(KoyaLimit { percent: 50, above: if below { -above } else { above } })
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
