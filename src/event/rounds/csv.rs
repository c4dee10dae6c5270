//! Lists of players as tables of spreadsheets: `no;name;rating;fed;fide;club;team`.
//!
//! Source: `docs/rounds.md`, RFC 4180 (quotes). UTF-8 with or without a byte order mark, else Latin-1; `;` or `,`.

pub mod pairings;

use std::collections::BTreeSet;

use super::trf::TrfFile;
use super::trf::lines::{Encoding, decode};

/// The columns that are known.
const COLUMNS: [&str; 7] = ["no", "name", "rating", "fed", "fide", "club", "team"];
/// A spreadsheet takes a text that begins so for a formula.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// Why a list is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CsvFault {
    /// No column has names.
    #[error(
        "line 1: there is no column `name`; the first line names the columns: no;name;rating;fed;fide;club;team"
    )]
    NoNames,
    /// A column cannot be read.
    #[error("line {line}, column {column}: {what} (player {player:?})")]
    Field {
        /// The line, from 1 on.
        line: usize,
        /// The column's name.
        column: &'static str,
        /// The player.
        player: String,
        /// What is wrong.
        what: String,
    },
    /// The pairs of a round do not hold together.
    #[error("line {line}, column {column}: {what}")]
    Pairing {
        /// The line, from 1 on.
        line: usize,
        /// The column's name.
        column: &'static str,
        /// What is wrong.
        what: String,
    },
}

/// One player of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedPlayer {
    /// The number; `None` if the list gives none.
    pub number: Option<u32>,
    /// The name.
    pub name: String,
    /// The rating.
    pub rating: Option<u32>,
    /// The federation.
    pub federation: String,
    /// The team.
    pub team: String,
}

/// A list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerList {
    /// The players.
    pub players: Vec<ListedPlayer>,
    /// The columns that are not known.
    pub unknown: Vec<String>,
    /// How letters are written.
    pub encoding: Encoding,
    /// How the first line ends.
    pub ends: &'static str,
}

impl PlayerList {
    /// How many teams it names.
    pub fn teams(&self) -> usize {
        self.players
            .iter()
            .map(|player| &player.team)
            .filter(|team| !team.is_empty())
            .collect::<BTreeSet<_>>()
            .len()
    }
}

/// Reads a list.
pub fn read(bytes: &[u8]) -> Result<PlayerList, CsvFault> {
    let (encoding, lines) = decode(bytes);
    let ends = lines.first().map_or("lf", |line| line.end.word());
    let mut lines =
        (1..).zip(&lines).map(|(number, line)| (number, line.text.trim_start_matches('\u{FEFF}')));
    let head = lines.next().map(|(_, text)| text).unwrap_or_default();
    let separator = if head.contains(';') { ';' } else { ',' };
    let head: Vec<String> = fields(head, separator).iter().map(|name| name.trim().to_lowercase()).collect();
    if !head.iter().any(|name| name == "name") {
        return Err(CsvFault::NoNames);
    }
    let unknown = head.iter().filter(|name| !COLUMNS.contains(&name.as_str()) && !name.is_empty()).cloned();
    let unknown = unknown.collect();
    let rows = lines.filter(|(_, text)| !text.trim().is_empty());
    let players =
        rows.map(|(line, text)| player(line, &head, &fields(text, separator))).collect::<Result<_, _>>()?;
    Ok(PlayerList { players, unknown, encoding, ends })
}

fn player(line: usize, head: &[String], fields: &[String]) -> Result<ListedPlayer, CsvFault> {
    let field = |column: &str| -> &str {
        let place = head.iter().position(|name| name == column);
        place.and_then(|place| fields.get(place)).map(|text| text.trim()).unwrap_or_default()
    };
    let name = plain(field("name")).to_owned();
    let number = |column: &'static str, range: std::ops::RangeInclusive<u32>| match field(column) {
        "" => Ok(None),
        text => text.parse::<u32>().ok().filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
            let what = format!("{text:?} is no number from {} to {}", range.start(), range.end());
            CsvFault::Field { line, column, player: name.clone(), what }
        }),
    };
    let (given, rating) = (number("no", 1..=9999)?, number("rating", 0..=4000)?);
    if name.is_empty() {
        let what = "the name is missing".to_owned();
        return Err(CsvFault::Field { line, column: "name", player: name, what });
    }
    Ok(ListedPlayer {
        number: given,
        name: name.clone(),
        rating: rating.filter(|rating| *rating > 0),
        federation: field("fed").to_owned(),
        team: field("team").to_owned(),
    })
}

/// A text without the apostrophe with which a formula is made harmless.
fn plain(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA)).unwrap_or(text)
}

/// The fields of a line. Quotes enclose a field; within them two are one.
fn fields(line: &str, separator: char) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(field) = all.last_mut() else { break };
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' if quoted || field.is_empty() => quoted = !quoted,
            letter if letter == separator && !quoted => all.push(String::new()),
            letter => field.push(letter),
        }
    }
    all
}

/// The players of a tournament as a list, with a byte order mark, so that spreadsheets take it for UTF-8. FIDE ids stay in the file.
pub fn write(file: &TrfFile) -> String {
    let mut text = format!("\u{FEFF}{}\r\n", COLUMNS.join(";"));
    for player in file.players() {
        let rating = player.rating.map(|rating| rating.to_string()).unwrap_or_default();
        let name = quoted(&player.name);
        let row = [player.number.to_string(), name, rating, quoted(&player.federation)];
        text.push_str(&row.join(";"));
        text.push_str(";;;\r\n");
    }
    text
}

/// A text as a field: harmless, and in quotes if it needs them.
fn quoted(text: &str) -> String {
    let text = if text.starts_with(FORMULA) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ';', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_a_spreadsheet_is_read() {
        let text = "\u{FEFF}no;name;rating;Fed;shoe\r\n3;\"Ann \"\"A\"\" B; C\";2000;GER;42\r\n;'=Bo;;;\r\n";
        let list = read(text.as_bytes()).expect("a list");
        assert_eq!(list.unknown, ["shoe"]);
        assert_eq!((list.ends, list.encoding.word()), ("crlf", "utf-8"));
        let [ann, bo] = list.players.as_slice() else { panic!("two players") };
        assert_eq!((ann.number, ann.name.as_str(), ann.rating), (Some(3), "Ann \"A\" B; C", Some(2000)));
        assert_eq!((bo.number, bo.name.as_str()), (None, "=Bo"));
        assert_eq!(quoted("=Bo"), "'=Bo");
    }

    #[test]
    fn what_cannot_be_read_is_named_by_line_column_and_player() {
        let fault = read(b"name,rating\nAnn,fast\n").expect_err("no rating");
        assert_eq!(
            fault.to_string(),
            "line 2, column rating: \"fast\" is no number from 0 to 4000 (player \"Ann\")"
        );
        assert_eq!(read(b"a;b\n1;2\n"), Err(CsvFault::NoNames));
    }
}
