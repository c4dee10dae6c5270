//! Tie-breaks from ratings. Only games that were played at the board count; if anybody has no rating, none of these is defined.
//!
//! Source: C.07 art. 10, FIDE rating regulations B.02 8.1.1 and 8.1.2.

use super::code::{TieBreak, TieBreakKind};
use super::games::rounds;
use super::strength::averages;
use crate::rounds::crosstable::{Crosstable, Entrant, RoundResult};
use crate::rounds::points::Points;
use crate::rounds::ratings::{expected_hundredths, rating_difference};

/// A player's games at the board.
struct Games {
    /// The opponents' ratings, from the lowest on.
    ratings: Vec<i64>,
    /// The score in half points: 2, 1, 0, whatever results are worth in this event.
    halves: i64,
}

/// The column of a tie-break of this kind.
pub(super) fn column(table: &Crosstable, code: &TieBreak) -> Vec<Option<Points>> {
    if table.players.iter().any(|player| player.rating.is_none()) {
        return vec![None; table.players.len()];
    }
    let all: Vec<Games> = table.players.iter().map(|player| games(table, player)).collect();
    let whole = |values: Vec<Option<i64>>| -> Vec<Option<Points>> {
        values.into_iter().map(|value| value.map(Points::whole)).collect()
    };
    match code.kind {
        TieBreakKind::Rtng => table
            .players
            .iter()
            .map(|player| player.rating.map(|rating| Points::whole(rating.into())))
            .collect(),
        TieBreakKind::Aro => whole(all.iter().map(|games| average(&cut(&games.ratings, code))).collect()),
        TieBreakKind::Tpr => whole(all.iter().map(Games::performance).collect()),
        TieBreakKind::Ptp => whole(all.iter().map(Games::perfect).collect()),
        TieBreakKind::Apro => average_of(table, all.iter().map(Games::performance)),
        TieBreakKind::Appo => average_of(table, all.iter().map(Games::perfect)),
        _ => vec![None; table.players.len()],
    }
}

/// The average of the opponents' values, to the next whole number. Whoever was met at the board has a value, because he met somebody.
fn average_of(table: &Crosstable, values: impl Iterator<Item = Option<i64>>) -> Vec<Option<Points>> {
    let values: Vec<Points> = values.map(|value| Points::whole(value.unwrap_or(0))).collect();
    let rounded = |average: Points| average.rounded();
    averages(table, &values).into_iter().map(|average| average.map(rounded)).collect()
}

fn games(table: &Crosstable, player: &Entrant) -> Games {
    let mut ratings = Vec::new();
    let mut halves = 0;
    for (_, round) in rounds(table, player) {
        let opponent = round.met().and_then(|opponent| table.players.get(opponent));
        if let Some(rating) = opponent.and_then(|opponent| opponent.rating) {
            ratings.push(i64::from(rating));
            halves += match round.result {
                RoundResult::Won => 2,
                RoundResult::Drawn => 1,
                _ => 0,
            };
        }
    }
    ratings.sort_unstable();
    Games { ratings, halves }
}

/// The ratings without those that the code cuts.
fn cut(ratings: &[i64], code: &TieBreak) -> Vec<i64> {
    let end = ratings.len().saturating_sub(code.cut_high);
    ratings.get(code.cut_low.min(end)..end).map(<[i64]>::to_vec).unwrap_or_default()
}

/// The average, rounded half up; `None` without any.
fn average(ratings: &[i64]) -> Option<i64> {
    let count = i64::try_from(ratings.len()).ok().filter(|count| *count > 0)?;
    Some((2 * ratings.iter().sum::<i64>() + count).div_euclid(2 * count))
}

impl Games {
    /// The average of the opponents' ratings and the difference that belongs to the share of points (10.2).
    fn performance(&self) -> Option<i64> {
        let average = average(&self.ratings)?;
        let count = i64::try_from(self.ratings.len()).ok()?;
        // The share in hundredths, rounded half up: a half point is 50 of 100 for each game.
        let share = (100 * self.halves + count).div_euclid(2 * count);
        Some(average + rating_difference(share))
    }

    /// The lowest rating from which on the score is expected (10.3). Without a point it is 800 below the weakest opponent.
    fn perfect(&self) -> Option<i64> {
        let lowest = *self.ratings.first()?;
        let highest = *self.ratings.last()?;
        if self.halves == 0 {
            return Some(lowest - 800);
        }
        let (mut below, mut enough) = (lowest - 801, highest + 800);
        let expected = |rating: i64| -> i64 {
            self.ratings.iter().map(|other| expected_hundredths(rating - other)).sum()
        };
        while enough - below > 1 {
            let middle = below.midpoint(enough);
            if expected(middle) >= self.halves * 50 {
                enough = middle;
            } else {
                below = middle;
            }
        }
        Some(enough)
    }
}
