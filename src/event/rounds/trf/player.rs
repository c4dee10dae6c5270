//! The line of a player (001): what stands in its columns, and how a change is written into them.
//!
//! Source: FIDE Handbook C.04 Annex 2. Columns count characters from 1 on: 5–8 number, 10 sex, 11–13 title, 15–47 name, 49–52 rating,
//! 54–56 federation, 58–68 FIDE id, 70–79 birth, 81–84 points, 86–89 rank; round r from 92 + 10 (r − 1) on: four columns for
//! the opponent, a space, colour, a space, result.

use tabiya_types::Color;

use super::TrfFault;
use crate::rounds::crosstable::RoundResult;
use crate::rounds::points::Points;

/// The first column of the first round, by the standard.
pub(super) const FIRST_ROUND: usize = 92;
/// Where programs are known to begin the first round instead.
const NEAR: [usize; 4] = [91, 93, 90, 94];
/// From one round's first column to that of the next.
const ROUND_WIDTH: usize = 10;
/// The most rounds of a line, and so of an event.
pub const MOST_ROUNDS: usize = 99;
const NUMBER: Columns = Columns { first: 5, last: 8 };
const NAME: Columns = Columns { first: 15, last: 47 };
const RATING: Columns = Columns { first: 49, last: 52 };
const FEDERATION: Columns = Columns { first: 54, last: 56 };
const POINTS: Columns = Columns { first: 81, last: 84 };
const RANK: Columns = Columns { first: 86, last: 89 };

/// Columns of a line, from 1 on, the last one included.
#[derive(Clone, Copy)]
struct Columns {
    first: usize,
    last: usize,
}

impl Columns {
    fn of(self, letters: &[char]) -> String {
        let end = self.last.min(letters.len());
        letters.get(self.first - 1..end).map(|part| part.iter().collect()).unwrap_or_default()
    }

    fn width(self) -> usize {
        self.last - self.first + 1
    }

    /// Writes a text that ends in the last of these columns.
    fn write(self, letters: &mut Vec<char>, text: &str) -> Result<(), TrfFault> {
        let width = self.width();
        if text.chars().count() > width {
            return Err(TrfFault::Wide { what: text.to_owned(), width });
        }
        if letters.len() < self.last {
            letters.resize(self.last, ' ');
        }
        for (nth, letter) in format!("{text:>width$}").chars().enumerate() {
            if let Some(place) = letters.get_mut(self.first - 1 + nth) {
                *place = letter;
            }
        }
        Ok(())
    }
}

/// The columns of one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RoundColumns {
    /// The opponent's number; `None` for 0000 and for blanks.
    pub opponent: Option<u32>,
    /// The colour.
    pub color: Option<Color>,
    /// The result; `None` for blanks.
    pub result: Option<RoundResult>,
    /// Whether the game counts for ratings: not after less than one move (W, D, L).
    pub rated: bool,
}

impl RoundColumns {
    /// Reads them; `None` if they are blank. `begin` is the first column of the first round.
    fn read(
        letters: &[char],
        (begin, round): (usize, usize),
        (line, player): (usize, u32),
    ) -> Result<Option<Self>, TrfFault> {
        let first = begin + ROUND_WIDTH * (round - 1);
        let fault =
            |column: usize, what: String| TrfFault::Column { line, column, player: Some(player), what };
        let opponent = Columns { first, last: first + 3 }.of(letters);
        let color = Columns { first: first + 5, last: first + 5 }.of(letters);
        let result = Columns { first: first + 7, last: first + 7 }.of(letters);
        if [&opponent, &color, &result].iter().all(|part| part.trim().is_empty()) {
            return Ok(None);
        }
        let number = match opponent.trim() {
            "" => 0,
            digits => digits.parse().map_err(|_| {
                fault(first, format!("{digits:?} is no number of an opponent in round {round}"))
            })?,
        };
        let color = match color.trim() {
            "w" | "W" => Some(Color::White),
            "b" | "B" => Some(Color::Black),
            "" | "-" => None,
            other => {
                return Err(fault(first + 5, format!("{other:?} is no colour (w, b, -) in round {round}")));
            }
        };
        let letter = result.trim();
        let result = match letter {
            "" => None,
            letter => Some(
                read_result(letter, number != 0)
                    .ok_or_else(|| fault(first + 7, format!("{letter:?} is no result in round {round}")))?,
            ),
        };
        let rated = matches!(letter, "1" | "=" | "0");
        Ok(Some(Self { opponent: (number != 0).then_some(number), color, result, rated }))
    }

    /// The line with these columns for a round.
    pub(super) fn write(&self, text: &str, (begin, round): (usize, usize)) -> Result<String, TrfFault> {
        let mut letters: Vec<char> = text.chars().collect();
        let first = begin + ROUND_WIDTH * round.saturating_sub(1);
        let opponent = self.opponent.map_or_else(|| "0000".to_owned(), |number| number.to_string());
        let color = match self.color {
            Some(Color::White) => "w",
            Some(Color::Black) => "b",
            None => "-",
        };
        Columns { first, last: first + 3 }.write(&mut letters, &opponent)?;
        Columns { first: first + 5, last: first + 5 }.write(&mut letters, color)?;
        let result = self.result.map_or(" ", |result| result_letter(result, self.rated));
        Columns { first: first + 7, last: first + 7 }.write(&mut letters, result)?;
        Ok(letters.into_iter().collect())
    }
}

/// The first column of the first round in these lines of players: that of the standard, unless more rounds can be read a column or two
/// beside it. Some programs shift them.
pub(super) fn first_round(lines: &[&str]) -> usize {
    let readable = |begin: usize| -> usize {
        lines.iter().map(|text| text.chars().collect::<Vec<_>>()).map(|letters| blocks(&letters, begin)).sum()
    };
    let usual = readable(FIRST_ROUND);
    let best = NEAR.into_iter().map(|begin| (readable(begin), begin)).max_by_key(|(count, _)| *count);
    best.filter(|(count, _)| *count > usual).map_or(FIRST_ROUND, |(_, begin)| begin)
}

/// How many rounds of a line have colour and result in their places, and spaces between them.
fn blocks(letters: &[char], begin: usize) -> usize {
    let rounds = letters.get(begin - 1..).unwrap_or_default().chunks(ROUND_WIDTH);
    let reads = |block: &&[char]| {
        let at = |nth: usize| block.get(nth).copied().unwrap_or(' ');
        matches!(at(5), 'w' | 'b' | 'W' | 'B' | '-')
            && at(4) == ' '
            && at(6) == ' '
            && at(8) == ' '
            && at(3) != ' '
    };
    rounds.filter(reads).count()
}

/// What a letter of a result means; `None` if it is none.
fn read_result(letter: &str, has_opponent: bool) -> Option<RoundResult> {
    Some(match letter {
        "1" | "W" | "w" => RoundResult::Won,
        "=" | "D" | "d" => RoundResult::Drawn,
        "0" | "L" | "l" => RoundResult::Lost,
        "+" if has_opponent => RoundResult::WonByForfeit,
        "-" if has_opponent => RoundResult::LostByForfeit,
        // Without an opponent, a whole point is a bye, and no result an absence.
        "+" | "F" | "f" => RoundResult::FullBye,
        "-" | "Z" | "z" => RoundResult::ZeroBye,
        "H" | "h" => RoundResult::HalfBye,
        "U" | "u" => RoundResult::PairingBye,
        // Adjourned, or not known yet.
        "?" | "X" | "x" | "*" => RoundResult::Open,
        _ => return None,
    })
}

fn result_letter(result: RoundResult, rated: bool) -> &'static str {
    match (result, rated) {
        (RoundResult::Won, true) => "1",
        (RoundResult::Won, false) => "W",
        (RoundResult::Drawn, true) => "=",
        (RoundResult::Drawn, false) => "D",
        (RoundResult::Lost, true) => "0",
        (RoundResult::Lost, false) => "L",
        (RoundResult::WonByForfeit, _) => "+",
        (RoundResult::LostByForfeit, _) => "-",
        (RoundResult::PairingBye, _) => "U",
        (RoundResult::FullBye, _) => "F",
        (RoundResult::HalfBye, _) => "H",
        (RoundResult::ZeroBye, _) => "Z",
        (RoundResult::Open, _) => " ",
    }
}

/// A player who is added to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPlayer {
    /// The number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The rating.
    pub rating: Option<u32>,
    /// The federation, or blank.
    pub federation: String,
}

/// The line of a new player, without a round yet. A longer name is cut to the width of its columns.
pub(super) fn new_line(player: &NewPlayer) -> Result<String, TrfFault> {
    let mut letters: Vec<char> = "001".chars().collect();
    NUMBER.write(&mut letters, &player.number.to_string())?;
    let width = NAME.width();
    let name: String = player.name.chars().take(width).collect();
    NAME.write(&mut letters, &format!("{name:<width$}"))?;
    RATING.write(&mut letters, &player.rating.map(|rating| rating.to_string()).unwrap_or_default())?;
    FEDERATION.write(&mut letters, &player.federation.chars().take(3).collect::<String>())?;
    POINTS.write(&mut letters, "0.0")?;
    RANK.write(&mut letters, &player.number.to_string())?;
    Ok(letters.into_iter().collect())
}

/// The line with these points and this rank.
pub(super) fn write_standing(text: &str, points: Points, rank: u32) -> Result<String, TrfFault> {
    let mut letters: Vec<char> = text.chars().collect();
    let shown = points.one_decimal().ok_or_else(|| TrfFault::Wide { what: points.to_string(), width: 4 })?;
    POINTS.write(&mut letters, &shown)?;
    RANK.write(&mut letters, &rank.to_string())?;
    Ok(letters.into_iter().collect())
}

/// The line without sex, FIDE id and birth date.
pub(super) fn without_personal(text: &str) -> String {
    const PERSONAL: [Columns; 3] =
        [Columns { first: 10, last: 10 }, Columns { first: 58, last: 68 }, Columns { first: 70, last: 79 }];
    let is_personal = |column: usize| PERSONAL.iter().any(|of| (of.first..=of.last).contains(&column));
    (1..).zip(text.chars()).map(|(column, letter)| if is_personal(column) { ' ' } else { letter }).collect()
}

/// What a player's line says. Birth date and FIDE id are not read: they stay in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerLine {
    /// The line's place in the file, from 0 on.
    pub line: usize,
    /// The player's number.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The rating; `None` for blank or 0.
    pub rating: Option<u32>,
    /// The federation, or blank.
    pub federation: String,
    /// The points of the file, if they can be read.
    pub points: Option<Points>,
    /// The rank of the file, if it can be read.
    pub rank: Option<u32>,
    /// The rounds, from the first on, without blank ones at the end.
    pub rounds: Vec<RoundColumns>,
}

impl PlayerLine {
    /// Reads the line with this place in the file, from 0 on. `begin` is the first column of the first round.
    pub(super) fn read(line: usize, text: &str, begin: usize) -> Result<Self, TrfFault> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let letters: Vec<char> = text.chars().collect();
        let number = NUMBER.of(&letters);
        let number: u32 =
            number.trim().parse().ok().filter(|number| (1..=9999).contains(number)).ok_or_else(|| {
                let what = format!("{:?} is no number of a player (1 to 9999)", number.trim());
                TrfFault::Column { line: line + 1, column: NUMBER.first, player: None, what }
            })?;
        let rating = RATING.of(&letters);
        let rating = match rating.trim() {
            "" => None,
            digits => Some(digits.parse::<u32>().map_err(|_| {
                let what = format!("{digits:?} is no rating");
                TrfFault::Column { line: line + 1, column: RATING.first, player: Some(number), what }
            })?),
        };
        let mut rounds = Vec::new();
        let last = letters.len().saturating_sub(begin - 1).div_ceil(ROUND_WIDTH).min(MOST_ROUNDS);
        for round in 1..=last {
            if let Some(columns) = RoundColumns::read(&letters, (begin, round), (line + 1, number))? {
                rounds.resize(round - 1, RoundColumns::default());
                rounds.push(columns);
            }
        }
        Ok(Self {
            line,
            number,
            name: NAME.of(&letters).trim().to_owned(),
            rating: rating.filter(|rating| *rating > 0),
            federation: FEDERATION.of(&letters).trim().to_owned(),
            points: Points::read(POINTS.of(&letters).trim()),
            rank: RANK.of(&letters).trim().parse().ok(),
            rounds,
        })
    }
}
