//! Ratings: FIDE's tables, the change after an event, a logistic curve, and Glicko-2 for a club's season.
//!
//! Source: FIDE Handbook B.02 8.1.1, 8.1.2 and 8.3.1 (from 1 October 2025 on: differences of more than 400 points count as 400, but not
//! for players rated 2650 or higher); Glickman, "Example of the Glicko-2 system" (2013).

use self::glicko::{Glicko, RatedGame, TAU};
use super::crosstable::{Crosstable, RoundResult};

pub mod glicko;

/// The rating difference for a share of 50 to 100 hundredths (8.1.1).
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
];
/// The greatest rating difference for an expected share of 50 to 99 hundredths (8.1.2). Beyond the last one, 100 are expected.
const GREATEST: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179,
    188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456,
    484, 517, 559, 619, 735,
];
/// Greater differences count as this one (8.3.1).
const MOST_DIFFERENCE: i64 = 400;
/// For who is rated as high as this, all differences count.
const UNLIMITED_FROM: i64 = 2650;

/// The rating difference that belongs to a share of points in hundredths, 0 to 100.
pub fn rating_difference(share: i64) -> i64 {
    let above = usize::try_from((share - 50).abs()).unwrap_or(usize::MAX);
    let difference = DIFFERENCES.get(above).copied().unwrap_or(800);
    if share < 50 { -difference } else { difference }
}

/// The share of points that is expected against an opponent with this difference (own rating minus his), in hundredths.
pub fn expected_hundredths(difference: i64) -> i64 {
    let place = GREATEST.iter().position(|greatest| difference.abs() <= *greatest);
    let share = place.and_then(|place| i64::try_from(place).ok()).map_or(100, |place| 50 + place);
    if difference < 0 { 100 - share } else { share }
}

/// What a player's rating becomes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingChange {
    /// The player's number.
    pub number: u32,
    /// The change in rating points.
    pub change: f64,
    /// The new rating, to the next whole point.
    pub rating: i64,
}

/// How a game is expected to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Curve {
    /// FIDE's table.
    Fide,
    /// The logistic curve itself, without limits.
    Logistic,
}

/// The share of points, 0 to 1, that this curve expects of a player with the rating `own` against one with `other`.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "ratings have four digits")]
pub fn expected(curve: Curve, own: f64, other: f64) -> f64 {
    match curve {
        // FIDE's table goes by whole points.
        Curve::Fide => expected_hundredths(limited(own.round() as i64, other.round() as i64)) as f64 / 100.0,
        Curve::Logistic => 1.0 / (1.0 + 10.0_f64.powf((other - own) / 400.0)),
    }
}

/// The change of each rated player after the rated games of this table against rated opponents; `k` is the development coefficient.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "ratings have four digits")]
pub fn changes(table: &Crosstable, curve: Curve, k: f64) -> Vec<RatingChange> {
    let mut all = Vec::new();
    for player in &table.players {
        let Some(rating) = player.rating.map(i64::from) else { continue };
        let mut hundredths = 0;
        let mut change = 0.0;
        for round in player.rounds.iter().take(table.rounds).filter(|round| round.rated) {
            let opponent = round.met().and_then(|opponent| table.players.get(opponent));
            let Some(other) = opponent.and_then(|opponent| opponent.rating).map(i64::from) else { continue };
            let score = match round.result {
                RoundResult::Won => 100,
                RoundResult::Drawn => 50,
                _ => 0,
            };
            match curve {
                Curve::Fide => hundredths += score - expected_hundredths(limited(rating, other)),
                Curve::Logistic => {
                    let share = expected(curve, rating as f64, other as f64);
                    change += k * (score as f64 / 100.0 - share);
                }
            }
        }
        change += k * hundredths as f64 / 100.0;
        let new = (rating as f64 + change + 0.5).floor() as i64;
        all.push(RatingChange { number: player.number, change, rating: new });
    }
    all
}

/// The rating of each rated player by Glicko-2 after the rated games of this table against rated opponents: the whole event is one
/// rating period, into which everybody comes with the rating of the file, and with deviation and volatility of a new player.
pub fn glicko_ratings(table: &Crosstable) -> Vec<(RatingChange, Glicko)> {
    let before = |rating: u32| Glicko { rating: f64::from(rating), ..Glicko::default() };
    let rated = table.players.iter().filter_map(|player| Some((player, player.rating?)));
    let of_player = rated.map(|(player, rating)| {
        let games = player.rounds.iter().take(table.rounds).filter(|round| round.rated).filter_map(|round| {
            let other = table.players.get(round.met()?)?.rating?;
            let score = match round.result {
                RoundResult::Won => 1.0,
                RoundResult::Drawn => 0.5,
                _ => 0.0,
            };
            Some((before(other), score))
        });
        let games: Vec<RatedGame> = games.collect();
        let own = before(rating);
        // Without games there is no rating period for the player.
        let after = if games.is_empty() { own } else { own.after(&games, TAU) };
        #[expect(clippy::cast_possible_truncation, reason = "ratings have four digits")]
        let new = (after.rating + 0.5).floor() as i64;
        (RatingChange { number: player.number, change: after.rating - own.rating, rating: new }, after)
    });
    of_player.collect()
}

/// The difference to an opponent as it counts.
fn limited(rating: i64, other: i64) -> i64 {
    let difference = rating - other;
    if rating >= UNLIMITED_FROM { difference } else { difference.clamp(-MOST_DIFFERENCE, MOST_DIFFERENCE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_each_other_and_are_even() {
        for share in 0..=100 {
            assert_eq!(rating_difference(share), -rating_difference(100 - share));
        }
        for difference in 0..900 {
            assert_eq!(expected_hundredths(difference) + expected_hundredths(-difference), 100);
            assert!(expected_hundredths(difference) <= expected_hundredths(difference + 1));
        }
        assert_eq!(
            (expected_hundredths(0), expected_hundredths(400), expected_hundredths(736)),
            (50, 92, 100)
        );
    }
}
