//! Tie-breaks from a player's own rounds.
//!
//! Source: C.07 art. 7, 9.2 and 15.2 (in a round robin, games won by forfeit count as games).

use tabiya_types::Color;

use super::code::KoyaLimit;
use crate::rounds::crosstable::{Crosstable, Entrant, PlayerRound, RoundResult, System};
use crate::rounds::points::Points;

/// The points of all players.
pub(super) fn points(table: &Crosstable) -> Vec<Points> {
    table.players.iter().map(|player| table.points(player)).collect()
}

/// A player's rounds.
pub(super) fn rounds<'a>(
    table: &'a Crosstable,
    player: &'a Entrant,
) -> impl DoubleEndedIterator<Item = (usize, PlayerRound)> + Clone + 'a {
    (1..=table.rounds).map(|number| (number, player.round(number)))
}

/// How many rounds of each player are such.
fn count(table: &Crosstable, such: impl Fn(&PlayerRound) -> bool) -> Vec<usize> {
    let of = |player| rounds(table, player).filter(|(_, round)| such(round)).count();
    table.players.iter().map(of).collect()
}

/// Rounds with as many points as a win has.
pub(super) fn wins(table: &Crosstable) -> Vec<usize> {
    let win = table.scoring.win;
    count(table, |round| round.result != RoundResult::Open && table.scoring.of(round.result) == win)
}

/// Whether a round counts as a game with this result: played at the board, or in a round robin won by forfeit.
fn is_game(table: &Crosstable, round: &PlayerRound) -> bool {
    let forfeit = table.system == System::RoundRobin && round.result == RoundResult::WonByForfeit;
    round.met().is_some() || forfeit
}

fn is_won(round: &PlayerRound) -> bool {
    matches!(round.result, RoundResult::Won | RoundResult::WonByForfeit)
}

/// Games won.
pub(super) fn won(table: &Crosstable) -> Vec<usize> {
    count(table, |round| is_game(table, round) && is_won(round))
}

/// Games with Black.
pub(super) fn black(table: &Crosstable) -> Vec<usize> {
    count(table, |round| is_game(table, round) && round.color == Some(Color::Black))
}

/// Games won with Black.
pub(super) fn black_won(table: &Crosstable) -> Vec<usize> {
    count(table, |round| is_game(table, round) && is_won(round) && round.color == Some(Color::Black))
}

/// Rounds that the player elected to play.
pub(super) fn elected(table: &Crosstable) -> Vec<usize> {
    count(table, |round| !round.is_voluntarily_unplayed())
}

/// Points as 1, ½, 0, whatever results are worth in this event.
pub(super) fn standard(table: &Crosstable) -> Vec<Points> {
    let draw = table.scoring.draw;
    let of = |result: RoundResult| match table.scoring.of(result).cmp(&draw) {
        std::cmp::Ordering::Greater => Points::ONE,
        std::cmp::Ordering::Equal if result != RoundResult::Open => Points::HALF,
        _ => Points::ZERO,
    };
    let all = |player| rounds(table, player).map(|(_, round)| of(round.result)).sum();
    table.players.iter().map(all).collect()
}

/// The sum of the scores after each round, without the first `cut` rounds.
pub(super) fn progressive(table: &Crosstable, cut: usize) -> Vec<Points> {
    let of = |player| {
        let mut score = Points::ZERO;
        let mut sum = Points::ZERO;
        for (number, round) in rounds(table, player) {
            score += table.scoring.of(round.result);
            if number > cut {
                sum += score;
            }
        }
        sum
    };
    table.players.iter().map(of).collect()
}

/// The points against opponents with at least so many. In a round robin of an odd number of players, each player's own games count.
pub(super) fn koya(table: &Crosstable, limit: KoyaLimit, points: &[Points]) -> Vec<Points> {
    let of = |player| {
        let paired = rounds(table, player).filter_map(|(_, round)| Some((round.opponent?, round.result)));
        let games = match table.system {
            System::Swiss => table.rounds,
            System::RoundRobin => paired.clone().count(),
        };
        let least = table.scoring.win.times(games).percent(limit.percent) + limit.above;
        let counts = |opponent: usize| points.get(opponent).is_some_and(|points| *points >= least);
        paired.filter(|(opponent, _)| counts(*opponent)).map(|(_, result)| table.scoring.of(result)).sum()
    };
    table.players.iter().map(of).collect()
}
