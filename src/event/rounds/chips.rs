//! Standings of an event in which chips are won: match points, then chips.
//!
//! Source: `docs/rounds.md`, "Games with chips".

use std::cmp::Reverse;

use super::book::{PairedBoard, RoundBook};
use super::crosstable::RoundResult;

/// Match points of a win; a level match has half of them.
const WIN: i64 = 2;

/// One player's standing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChipStanding {
    /// The rank, from 1 on. Equal players have the same.
    pub rank: usize,
    /// The player's number.
    pub number: u32,
    /// Match points.
    pub points: i64,
    /// Chips won, less those lost.
    pub chips: i64,
    /// The same in the matches among players who are equal in both.
    pub among: i64,
}

/// One player's round.
#[derive(Clone, Copy)]
struct Played {
    number: u32,
    opponent: Option<u32>,
    points: i64,
    chips: i64,
}

/// The players in the order of match points, chips, and chips among those who are equal so far.
pub fn standings(book: &RoundBook) -> Vec<ChipStanding> {
    let played = rounds(book);
    let sum = |number: u32, of: &dyn Fn(&Played) -> i64| -> i64 {
        played.iter().filter(|round| round.number == number).map(of).sum()
    };
    let mut all: Vec<ChipStanding> = book
        .players()
        .iter()
        .map(|player| ChipStanding {
            rank: 0,
            number: player.number,
            points: sum(player.number, &|round| round.points),
            chips: sum(player.number, &|round| round.chips),
            among: 0,
        })
        .collect();
    let before = all.clone();
    for one in &mut all {
        let equal = |number: u32| {
            before
                .iter()
                .any(|other| other.number == number && (other.points, other.chips) == (one.points, one.chips))
        };
        let among = |round: &&Played| round.number == one.number && round.opponent.is_some_and(equal);
        one.among = played.iter().filter(among).map(|round| round.chips).sum();
    }
    let key = |one: &ChipStanding| (Reverse(one.points), Reverse(one.chips), Reverse(one.among));
    all.sort_by_key(|one| (key(one), one.number));
    let mut rank = 0;
    for nth in 0..all.len() {
        let equal = nth.checked_sub(1).and_then(|before| all.get(before)).map(key) == all.get(nth).map(key);
        rank = if equal { rank } else { nth + 1 };
        if let Some(one) = all.get_mut(nth) {
            one.rank = rank;
        }
    }
    all
}

/// What each player's rounds gave.
fn rounds(book: &RoundBook) -> Vec<Played> {
    let stack = i64::from(book.plan().stack.unwrap_or(0));
    let mut all = Vec::new();
    for round in 1..=book.paired() {
        for board in book.boards(round) {
            let result = book.result_of(board.white, round);
            let (white, black) = scores(board, result, stack).unwrap_or_default();
            for (number, opponent, (points, chips)) in
                [(board.white, board.black, white), (board.black, board.white, black)]
            {
                all.push(Played { number, opponent: Some(opponent), points, chips });
            }
        }
        for player in book.players() {
            let points = match book.result_of(player.number, round) {
                Some(RoundResult::PairingBye | RoundResult::FullBye) => WIN,
                Some(RoundResult::HalfBye) => WIN / 2,
                _ => continue,
            };
            all.push(Played { number: player.number, opponent: None, points, chips: 0 });
        }
    }
    all
}

/// White's and Black's match points and chips; `None` without a result.
fn scores(board: &PairedBoard, result: Option<RoundResult>, stack: i64) -> Option<((i64, i64), (i64, i64))> {
    match result? {
        RoundResult::WonByForfeit => return Some(((WIN, stack), (0, -stack))),
        RoundResult::LostByForfeit if board.forfeits_both => return Some(((0, 0), (0, 0))),
        RoundResult::LostByForfeit => return Some(((0, -stack), (WIN, stack))),
        _ => {}
    }
    let (white, black) = board.chips.map_or((0, 0), |(white, black)| (i64::from(white), i64::from(black)));
    let points = |own: i64, other: i64| match own.cmp(&other) {
        std::cmp::Ordering::Greater => WIN,
        std::cmp::Ordering::Equal => WIN / 2,
        std::cmp::Ordering::Less => 0,
    };
    // Who has fewer chips has paid for what was bought again.
    let bought = (white + black - 2 * stack).max(0);
    let paid = |own: i64, other: i64| if own < other { bought } else { 0 };
    let won = |own: i64, other: i64| own - stack - paid(own, other);
    let level = white == black;
    let (white_won, black_won) = if level { (0, 0) } else { (won(white, black), won(black, white)) };
    Some(((points(white, black), white_won), (points(black, white), black_won)))
}
