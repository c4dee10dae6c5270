//! A club's season: games of many evenings as standings, results of each pair, and ratings. An evening is a rating period: all its games
//! are rated against the ratings with which it began. Pure: the games come in.
//!
//! Sources: FIDE Handbook B.02, 8.1.2 and 8.3.1; Glickman, "Example of the Glicko-2 system" (2013), for the ratings.

use std::collections::BTreeMap;

use super::ratings::glicko::{Glicko, TAU};
use super::ratings::{Curve, expected};

/// The rating of who has none yet, for methods with a development coefficient.
const BEGIN: f64 = 1_500.0;

/// A game that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeasonGame {
    /// The two players.
    pub players: [String; 2],
    /// The half points of each: two for a win, one for a draw.
    pub half_points: [u32; 2],
}

/// An evening.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeasonEvening {
    /// Its games.
    pub games: Vec<SeasonGame>,
    /// The chips that one player has won of another one in a match: positive if the first has won them.
    pub chips: Vec<([String; 2], i64)>,
}

/// How players are rated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SeasonMethod {
    /// By a development coefficient, against what this curve expects.
    Curve(Curve, f64),
    /// Glicko-2.
    Glicko,
}

/// A player's place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeasonPlace {
    /// The rank, from 1 on. Equal players have the same.
    pub rank: usize,
    /// The name, as it was written first.
    pub name: String,
    /// Half points.
    pub half_points: u32,
    /// Games won, drawn, lost.
    pub games: [u32; 3],
    /// Chips won, less those lost.
    pub chips: i64,
}

/// What two players have played against each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeasonPair {
    /// Their names, in alphabetical order.
    pub players: [String; 2],
    /// The half points of each.
    pub half_points: [u32; 2],
    /// The games that each has won.
    pub won: [u32; 2],
    /// The games that were drawn.
    pub drawn: u32,
    /// The chips that the first has won of the second.
    pub chips: i64,
}

/// A player's rating after the season.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeasonRating {
    /// The rating; by Glicko-2 with deviation and volatility.
    pub rating: Glicko,
    /// What the last evening with games has changed.
    pub change: f64,
}

/// A season.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Season {
    /// The places, the first one first.
    pub places: Vec<SeasonPlace>,
    /// Who has played whom, in alphabetical order.
    pub pairs: Vec<SeasonPair>,
    /// The ratings, by name.
    pub ratings: BTreeMap<String, SeasonRating>,
}

/// The names as they were written first: a name may be written with other capital letters another time.
#[derive(Default)]
struct Spelled(BTreeMap<String, String>);

impl Spelled {
    fn of(&mut self, name: &str) -> String {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.entry(name.to_lowercase()).or_insert(name).clone()
    }
}

/// The season of these evenings, the oldest first. Places go by points, then by chips.
pub fn season(evenings: &[SeasonEvening], method: SeasonMethod) -> Season {
    let mut spelled = Spelled::default();
    let mut places: BTreeMap<String, SeasonPlace> = BTreeMap::new();
    let mut pairs: BTreeMap<[String; 2], SeasonPair> = BTreeMap::new();
    let mut ratings: BTreeMap<String, SeasonRating> = BTreeMap::new();
    for evening in evenings {
        for game in &evening.games {
            let names = game.players.each_ref().map(|name| spelled.of(name));
            for (own, other) in [(0, 1), (1, 0)] {
                let place = place_of(&mut places, &names[own]);
                place.half_points += game.half_points[own];
                place.games[won_drawn_lost(game.half_points[own], game.half_points[other])] += 1;
            }
            count_game(pair_of(&mut pairs, &names), &names, game);
        }
        for (players, chips) in &evening.chips {
            let names = players.each_ref().map(|name| spelled.of(name));
            place_of(&mut places, &names[0]).chips += chips;
            place_of(&mut places, &names[1]).chips -= chips;
            let pair = pair_of(&mut pairs, &names);
            pair.chips += if pair.players[0] == names[0] { *chips } else { -chips };
        }
        rate(&mut ratings, evening, &mut spelled, method);
    }
    Season { places: ranked(places), pairs: pairs.into_values().collect(), ratings }
}

fn place_of<'a>(places: &'a mut BTreeMap<String, SeasonPlace>, name: &str) -> &'a mut SeasonPlace {
    places
        .entry(name.to_owned())
        .or_insert_with(|| SeasonPlace { name: name.to_owned(), ..SeasonPlace::default() })
}

fn pair_of<'a>(pairs: &'a mut BTreeMap<[String; 2], SeasonPair>, names: &[String; 2]) -> &'a mut SeasonPair {
    let mut players = names.clone();
    players.sort_unstable();
    pairs.entry(players.clone()).or_insert_with(|| SeasonPair { players, ..SeasonPair::default() })
}

/// The place of a game among won, drawn and lost.
fn won_drawn_lost(own: u32, other: u32) -> usize {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    }
}

fn count_game(pair: &mut SeasonPair, names: &[String; 2], game: &SeasonGame) {
    let turned = pair.players[0] != names[0];
    let [one, other] = if turned { [1, 0] } else { [0, 1] }.map(|at: usize| game.half_points[at]);
    pair.half_points[0] += one;
    pair.half_points[1] += other;
    match won_drawn_lost(one, other) {
        0 => pair.won[0] += 1,
        1 => pair.drawn += 1,
        _ => pair.won[1] += 1,
    }
}

fn ranked(places: BTreeMap<String, SeasonPlace>) -> Vec<SeasonPlace> {
    let mut all: Vec<SeasonPlace> = places.into_values().collect();
    let key = |place: &SeasonPlace| (std::cmp::Reverse(place.half_points), std::cmp::Reverse(place.chips));
    all.sort_by_key(key);
    let mut rank = 0;
    let mut before = None;
    for (nth, place) in all.iter_mut().enumerate() {
        if before != Some(key(place)) {
            rank = nth + 1;
        }
        before = Some(key(place));
        place.rank = rank;
    }
    all
}

/// Rates the games of an evening, all against the ratings with which it began. By Glicko-2, who did not play becomes less certain.
fn rate(
    ratings: &mut BTreeMap<String, SeasonRating>,
    evening: &SeasonEvening,
    spelled: &mut Spelled,
    method: SeasonMethod,
) {
    let begin = SeasonRating { rating: Glicko { rating: BEGIN, ..Glicko::default() }, change: 0.0 };
    let games: Vec<([String; 2], [u32; 2])> = evening
        .games
        .iter()
        .map(|game| (game.players.each_ref().map(|name| spelled.of(name)), game.half_points))
        .filter(|(names, _)| names[0] != names[1])
        .collect();
    for name in games.iter().flat_map(|(names, _)| names) {
        ratings.entry(name.clone()).or_insert(begin);
    }
    let before = ratings.clone();
    for (name, now) in ratings.iter_mut() {
        let own = before.get(name).map_or(begin, |known| *known).rating;
        let played = games.iter().filter_map(|(names, half_points)| {
            let at = names.iter().position(|player| player == name)?;
            let other = before.get(&names[1 - at])?.rating;
            let all = half_points[0] + half_points[1];
            (all > 0).then(|| (other, f64::from(half_points[at]) / f64::from(all)))
        });
        let played: Vec<(Glicko, f64)> = played.collect();
        let after = match method {
            SeasonMethod::Glicko => own.after(&played, TAU),
            SeasonMethod::Curve(curve, k) => {
                let gain: f64 = played
                    .iter()
                    .map(|(other, score)| k * (score - expected(curve, own.rating, other.rating)))
                    .sum();
                Glicko { rating: own.rating + gain, ..own }
            }
        };
        if !played.is_empty() {
            now.change = after.rating - own.rating;
        }
        now.rating = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(one: &str, other: &str, half_points: [u32; 2]) -> SeasonGame {
        SeasonGame { players: [one.to_owned(), other.to_owned()], half_points }
    }

    #[test]
    fn a_season_adds_up_and_knows_players_across_evenings() {
        let first = SeasonEvening {
            games: vec![game("Ann", "Bo", [2, 0]), game("Cy", "Ann", [1, 1])],
            chips: vec![(["Ann".to_owned(), "Bo".to_owned()], 40)],
        };
        let second = SeasonEvening {
            games: vec![game("bo", "ANN", [2, 0])],
            chips: vec![(["bo".to_owned(), "ann".to_owned()], 15)],
        };
        let season = season(&[first, second], SeasonMethod::Curve(Curve::Fide, 20.0));
        let places: Vec<_> = season
            .places
            .iter()
            .map(|one| (one.rank, one.name.as_str(), one.half_points, one.chips))
            .collect();
        assert_eq!(places, [(1, "Ann", 3, 25), (2, "Bo", 2, -25), (3, "Cy", 1, 0)]);
        let pair = season.pairs.iter().find(|pair| pair.players == ["Ann", "Bo"]).expect("they have met");
        assert_eq!((pair.won, pair.drawn, pair.chips), ([1, 1], 0, 25));
        assert_eq!(season.places.iter().map(|one| one.chips).sum::<i64>(), 0);
        let sum: f64 = season.ratings.values().map(|one| one.rating.rating - BEGIN).sum();
        assert!(sum.abs() < 1e-9, "what one wins the other loses: {sum}");
    }

    #[test]
    fn an_evening_without_a_player_makes_the_rating_less_certain() {
        let first = SeasonEvening { games: vec![game("Ann", "Bo", [2, 0])], chips: Vec::new() };
        let second = SeasonEvening { games: vec![game("Cy", "Bo", [2, 0])], chips: Vec::new() };
        let once = season(std::slice::from_ref(&first), SeasonMethod::Glicko).ratings["Ann"].rating;
        let twice = season(&[first, second], SeasonMethod::Glicko).ratings["Ann"].rating;
        assert!((once.rating - twice.rating).abs() < 1e-9 && twice.deviation > once.deviation);
    }
}
