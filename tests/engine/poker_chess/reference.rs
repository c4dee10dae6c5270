//! The rules of hands once more, written from the pages in another way, to compare with.
//!
//! A deal is a text of 64 cards; sets are found by trying all groups of pieces; hands are compared as lists.

use std::collections::BTreeMap;

use serde_json::Value;
use tabiya_types::{Board, Color, Role, Square};

/// The card under each square that has one: its rank from 2 to 14, and its suit.
pub(super) type Map = BTreeMap<Square, (u8, char)>;

/// The rank of a letter of the record.
fn rank(letter: char) -> u8 {
    match letter {
        'T' => 10,
        'J' => 11,
        'Q' => 12,
        'K' => 13,
        'A' => 14,
        digit => u8::try_from(digit.to_digit(10).unwrap()).unwrap(),
    }
}

fn letter(rank: u8) -> char {
    char::from(b"??23456789TJQKA"[usize::from(rank)])
}

/// White's half of the named deals as docs/record-poker-chess.md prints them.
pub(super) const DEALS: [(&str, &str); 4] = [
    ("corner-aces", "A36TT63A 259KK952 48Q..Q84 7J....J7"),
    ("rande-schande", "54322345 98766789 QJT..TJQ AK....KA"),
    ("twisted-corner-aces", "A36TA36T 259K259K 48Q..48Q 7J....7J"),
    ("royal-flush", "JQKAAKQJ T987789T 654..456 32....23"),
];

/// The squares with a card on White's half, then those on Black's, in the order of a list of 52.
pub(super) fn order() -> [Vec<Square>; 2] {
    let white = "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 f3 g3 h3 a4 b4 g4 h4";
    let white: Vec<Square> = white.split(' ').map(|name| name.parse().unwrap()).collect();
    let black = white.iter().map(|at| Square::from_coords(at.file(), 7 - at.rank()).unwrap()).collect();
    [white, black]
}

/// The map of the term `deal`.
pub(super) fn map(deal: &Value) -> Map {
    let [white, black] = order();
    let mut map = Map::new();
    match deal {
        Value::String(name) => {
            let (_, ranks) = DEALS.iter().find(|(known, _)| known == name).unwrap();
            let letters = ranks.chars().filter(|letter| !" .".contains(*letter));
            for ((at, across), letter) in white.iter().zip(&black).zip(letters) {
                let (red, dark) = if at.file() < 4 { ('d', 'c') } else { ('h', 's') };
                map.insert(*at, (rank(letter), red));
                map.insert(*across, (rank(letter), dark));
            }
        }
        list => {
            let cards: Vec<(u8, char)> = list
                .as_array()
                .unwrap()
                .iter()
                .map(|card| {
                    let mut letters = card.as_str().unwrap().chars();
                    (rank(letters.next().unwrap()), letters.next().unwrap())
                })
                .collect();
            map.extend(white.into_iter().chain(black.clone()).zip(cards.iter().copied()));
            if cards.len() == 26 {
                let other = |suit| if suit == 'h' { 's' } else { 'c' };
                map.extend(black.into_iter().zip(cards.iter().map(|(rank, suit)| (*rank, other(*suit)))));
            }
        }
    }
    map
}

/// How high a kind of piece is: the king first.
fn height(role: Role) -> usize {
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
        .iter()
        .position(|known| *known == role)
        .unwrap()
}

/// All sets of a player's pieces that may form his hand.
pub(super) fn sets(board: &Board, by: Color) -> Vec<Vec<Square>> {
    let mut pieces: Vec<(Square, usize)> = board
        .pieces()
        .filter(|(_, piece)| piece.color == by)
        .map(|(at, piece)| (at, height(piece.role)))
        .collect();
    let all: Vec<Square> = pieces.iter().map(|(at, _)| *at).collect();
    if pieces.len() <= 5 {
        return vec![all];
    }
    pieces.sort_by_key(|(_, height)| std::cmp::Reverse(*height));
    let heights: Vec<usize> = pieces.iter().map(|(_, height)| *height).collect();
    let (four, lowest) = (&heights[..4], *heights.last().unwrap());
    let mut sets = Vec::new();
    // Every choice of four pieces with the heights of the four highest, and of one more of the lowest kind.
    for a in 0..pieces.len() {
        for b in a + 1..pieces.len() {
            for c in b + 1..pieces.len() {
                for d in c + 1..pieces.len() {
                    let chosen = [a, b, c, d];
                    if chosen.iter().map(|nth| heights[*nth]).collect::<Vec<_>>() != four {
                        continue;
                    }
                    for last in
                        (0..pieces.len()).filter(|nth| heights[*nth] == lowest && !chosen.contains(nth))
                    {
                        let mut set: Vec<Square> =
                            chosen.iter().chain([&last]).map(|nth| pieces[*nth].0).collect();
                        set.sort();
                        sets.push(set);
                    }
                }
            }
        }
    }
    sets.sort();
    sets.dedup();
    sets
}

/// What a hand is worth: its place among the names, and the ranks that are compared.
type Worth = (usize, Vec<u8>);

const NAMES: [&str; 10] = [
    "none",
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
];

/// The worth of a set, and the squares that have a card.
fn worth(map: &Map, set: &[Square]) -> (Worth, Vec<Square>) {
    let carded: Vec<Square> = set.iter().copied().filter(|at| map.contains_key(at)).collect();
    let cards: Vec<(u8, char)> = carded.iter().map(|at| map[at]).collect();
    let mut groups: Vec<(usize, u8)> = (2..=14)
        .map(|rank| (cards.iter().filter(|card| card.0 == rank).count(), rank))
        .filter(|(times, _)| *times > 0)
        .collect();
    groups.sort_by(|one, other| other.cmp(one));
    let times: Vec<usize> = groups.iter().map(|(times, _)| *times).collect();
    let ranks: Vec<u8> = groups.iter().map(|(_, rank)| *rank).collect();
    let high = match ranks[..] {
        [14, 5, 4, 3, 2] => Some(5),
        [high, ..] if ranks.len() == 5 && ranks.windows(2).all(|pair| pair[0] == pair[1] + 1) => Some(high),
        _ => None,
    };
    let flush = cards.len() == 5 && cards.iter().all(|card| card.1 == cards[0].1);
    let name = match times[..] {
        [] => "none",
        [4, ..] => "four-of-a-kind",
        [3, 2] => "full-house",
        [3, ..] => "three-of-a-kind",
        [2, 2, ..] => "two-pair",
        [2, ..] => "pair",
        _ if flush && high.is_some() => "straight-flush",
        _ if flush => "flush",
        _ if high.is_some() => "straight",
        _ => "high-card",
    };
    let place = NAMES.iter().position(|known| *known == name).unwrap();
    ((place, high.map_or(ranks, |high| vec![high])), carded)
}

/// The best hand of a player as the report has it, and its worth.
pub(super) fn best(map: &Map, board: &Board, by: Color) -> (Value, Worth) {
    let hands = sets(board, by).into_iter().map(|set| worth(map, &set));
    let ((place, ranks), squares) = hands
        .reduce(|best, next| {
            let better = next.0 > best.0 || next.0 == best.0 && next.1 < best.1;
            if better { next } else { best }
        })
        .unwrap();
    let name = NAMES[place];
    let mut cards: Vec<u8> = squares.iter().map(|at| map[at].0).collect();
    let all = cards.clone();
    let often = |rank: u8| all.iter().map(|card| usize::from(*card == rank)).sum::<usize>();
    cards.sort_by_key(|rank| std::cmp::Reverse((often(*rank), *rank)));
    if name.starts_with("straight") && ranks == [5] {
        cards.rotate_left(1);
    }
    let cards: String = cards.into_iter().map(letter).collect();
    let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
    (serde_json::json!({"cards": cards, "name": name, "squares": squares}), (place, ranks))
}
