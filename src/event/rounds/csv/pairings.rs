//! Pairs of one round as a table: `round;board;white;black`, the numbers of the players. A bye has no `black`.
//!
//! Source: `docs/rounds.md`, "Files".

use super::{CsvFault, fields};
use crate::rounds::trf::lines::{Encoding, decode};

/// The columns, all of them needed.
const COLUMNS: [&str; 4] = ["round", "board", "white", "black"];

/// The pairs of a round, as another program made them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedRound {
    /// The round, from 1 on.
    pub round: usize,
    /// White's and Black's numbers, in the order of the boards.
    pub pairs: Vec<(u32, u32)>,
    /// Who has no opponent.
    pub bye: Option<u32>,
    /// How letters are written.
    pub encoding: Encoding,
    /// How the first line ends.
    pub ends: &'static str,
}

/// One line: its number, round, board, White and Black.
struct Row {
    line: usize,
    round: usize,
    board: usize,
    white: u32,
    black: Option<u32>,
}

/// Reads the pairs of a round; `None` if the first line names other columns.
pub fn read(bytes: &[u8]) -> Option<Result<ListedRound, CsvFault>> {
    let (encoding, lines) = decode(bytes);
    let ends = lines.first().map_or("lf", |line| line.end.word());
    let head = lines.first()?.text.trim_start_matches('\u{FEFF}');
    let separator = if head.contains(';') { ';' } else { ',' };
    let head: Vec<String> = fields(head, separator).iter().map(|name| name.trim().to_lowercase()).collect();
    let place = |name: &str| head.iter().position(|known| known == name);
    let [Some(round), Some(board), Some(white), Some(black)] = COLUMNS.map(place) else { return None };
    let rows = (1..).zip(&lines).skip(1).filter(|(_, line)| !line.text.trim().is_empty());
    let rows =
        rows.map(|(line, text)| row(line, &fields(&text.text, separator), [round, board, white, black]));
    let round = rows.collect::<Result<Vec<_>, _>>().and_then(ordered);
    Some(round.map(|(round, pairs, bye)| ListedRound { round, pairs, bye, encoding, ends }))
}

fn row(line: usize, fields: &[String], places: [usize; 4]) -> Result<Row, CsvFault> {
    let [round, board, white, black] = places.map(|place| fields.get(place).map_or("", |text| text.trim()));
    let number = |column: &'static str, text: &str| {
        text.parse::<u16>().ok().filter(|number| (1..=9999).contains(number)).ok_or_else(|| {
            CsvFault::Pairing { line, column, what: format!("{text:?} is no number from 1 to 9999") }
        })
    };
    let black = if matches!(black, "" | "0") { None } else { Some(number("black", black)?.into()) };
    Ok(Row {
        line,
        round: number("round", round)?.into(),
        board: number("board", board)?.into(),
        white: number("white", white)?.into(),
        black,
    })
}

/// The round, its pairs in the order of their boards, and the bye.
type Ordered = (usize, Vec<(u32, u32)>, Option<u32>);

/// Rows in the order of their boards: one round, each board once from 1 on, and a bye at most.
fn ordered(mut rows: Vec<Row>) -> Result<Ordered, CsvFault> {
    let wrong = |line: usize, column: &'static str, what: String| CsvFault::Pairing { line, column, what };
    let Some(round) = rows.first().map(|row| row.round) else {
        return Err(wrong(2, "round", "the list has no pairs".to_owned()));
    };
    rows.sort_by_key(|row| (row.black.is_none(), row.board));
    let mut pairs = Vec::new();
    let mut bye = None;
    for row in &rows {
        if row.round != round {
            let what = format!("round {} beside round {round}: a list has one round", row.round);
            return Err(wrong(row.line, "round", what));
        }
        match row.black {
            Some(black) => {
                pairs.push((row.white, black));
                if row.board != pairs.len() {
                    let what = format!("board {} where board {} is expected", row.board, pairs.len());
                    return Err(wrong(row.line, "board", what));
                }
            }
            None if bye.is_some() => {
                let what = format!("player {} has no opponent either; a round has one bye", row.white);
                return Err(wrong(row.line, "black", what));
            }
            None => bye = Some(row.white),
        }
    }
    Ok((round, pairs, bye))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_in_the_order_of_their_boards() {
        let list = read("\u{FEFF}Round;Board;White;Black\r\n2;2;3;4\r\n2;1;2;1\r\n2;3;5;\r\n".as_bytes());
        let list = list.expect("pairs").expect("a round");
        assert_eq!((list.round, list.pairs, list.bye), (2, vec![(2, 1), (3, 4)], Some(5)));
        assert_eq!(read(b"no;name\n1;Ann\n"), None);
    }

    #[test]
    fn pairs_that_do_not_hold_together_are_named_by_line_and_column() {
        let said = |text: &str| match read(text.as_bytes()) {
            Some(Err(fault)) => fault.to_string(),
            other => panic!("{text}: {other:?}"),
        };
        let head = "round,board,white,black\n";
        for (rows, sentence) in [
            ("", "line 2, column round: the list has no pairs"),
            ("1,1,2,x\n", "line 2, column black: \"x\" is no number from 1 to 9999"),
            ("1,1,1,2\n2,2,3,4\n", "line 3, column round: round 2 beside round 1: a list has one round"),
            ("1,1,1,2\n1,1,3,4\n", "line 3, column board: board 1 where board 2 is expected"),
            (
                "1,1,1,\n1,2,2,0\n",
                "line 3, column black: player 2 has no opponent either; a round has one bye",
            ),
        ] {
            assert_eq!(said(&format!("{head}{rows}")), sentence);
        }
    }
}
