//! Pairs that follow from the number of players alone: Berger tables and knock-out brackets.
//!
//! Source: FIDE Handbook C.05 Annex 1 (Berger); for brackets the usual seeding: the better seed meets the worst one that is left.

/// The most players of a table that is made.
pub const MOST_PLAYERS: usize = 1024;

/// One round of a Berger table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BergerRound {
    /// White's and Black's numbers, in the order of the boards.
    pub pairs: Vec<(usize, usize)>,
    /// Who has no opponent, with an odd number of players.
    pub bye: Option<usize>,
}

/// The Berger table for so many players; with `double`, everybody meets everybody twice, the second time with the other colour.
pub fn berger(players: usize, double: bool) -> Vec<BergerRound> {
    if players < 2 {
        return Vec::new();
    }
    let even = players + players % 2;
    let single: Vec<BergerRound> = (0..even - 1).map(|round| berger_round(players, even, round)).collect();
    if !double {
        return single;
    }
    let turned = single.iter().map(|round| BergerRound {
        pairs: round.pairs.iter().map(|(white, black)| (*black, *white)).collect(),
        bye: round.bye,
    });
    single.iter().cloned().chain(turned).collect()
}

/// A round, from 0 on. The last number of an even table stays; the others move on by half a table.
fn berger_round(players: usize, even: usize, round: usize) -> BergerRound {
    let ring = even - 1;
    let first = round * (even / 2) % ring;
    let mut pairs = Vec::with_capacity(even / 2);
    let mut bye = None;
    if players == even {
        // Who stays has White and Black in turn.
        pairs.push(if round.is_multiple_of(2) { (first + 1, even) } else { (even, first + 1) });
    } else {
        bye = Some(first + 1);
    }
    for step in 1..even / 2 {
        pairs.push(((first + step) % ring + 1, (first + ring - step) % ring + 1));
    }
    BergerRound { pairs, bye }
}

/// The order of the seeds in the first round of a bracket with so many places, a power of two: neighbours meet, and the best two can
/// only meet in the final.
pub fn bracket_seeds(places: usize) -> Vec<usize> {
    let mut seeds = vec![1];
    while seeds.len() < places {
        let sum = seeds.len() * 2 + 1;
        seeds = seeds.iter().flat_map(|seed| [*seed, sum - seed]).collect();
    }
    seeds
}

/// A match of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BracketSide {
    /// This seed.
    Seed(usize),
    /// Who wins that match of the round before, from 0 on.
    Winner(usize),
    /// Who loses that match of the round before.
    Loser(usize),
    /// Nobody: the other one goes on.
    Nobody,
}

/// The rounds of a bracket for so many players, each a list of matches. Byes go to the best seeds. With `third`, the last round has the
/// match for third place as its second one.
pub fn knock_out(players: usize, third: bool) -> Vec<Vec<(BracketSide, BracketSide)>> {
    if players < 2 {
        return Vec::new();
    }
    let places = players.next_power_of_two();
    let side = |seed: usize| if seed <= players { BracketSide::Seed(seed) } else { BracketSide::Nobody };
    let seeds = bracket_seeds(places);
    let mut round: Vec<(BracketSide, BracketSide)> =
        seeds.chunks(2).filter_map(|pair| Some((side(*pair.first()?), side(*pair.get(1)?)))).collect();
    let mut rounds = Vec::new();
    while round.len() > 1 {
        let next = (0..round.len() / 2).map(|nth| (goes_on(&round, 2 * nth), goes_on(&round, 2 * nth + 1)));
        let next = next.collect();
        rounds.push(std::mem::replace(&mut round, next));
    }
    if third && places > 2 {
        let loser =
            |nth: usize| match rounds.last().and_then(|last: &Vec<(BracketSide, BracketSide)>| last.get(nth))
            {
                Some((BracketSide::Nobody, _) | (_, BracketSide::Nobody)) | None => BracketSide::Nobody,
                Some(_) => BracketSide::Loser(nth),
            };
        round.push((loser(0), loser(1)));
    }
    rounds.push(round);
    rounds
}

/// Who comes out of a match: its winner, or at once who has a bye.
fn goes_on(round: &[(BracketSide, BracketSide)], nth: usize) -> BracketSide {
    match round.get(nth) {
        Some((side, BracketSide::Nobody) | (BracketSide::Nobody, side)) => *side,
        _ => BracketSide::Winner(nth),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_berger_tables_of_the_handbook_come_out() {
        let four: Vec<_> = berger(4, false).into_iter().map(|round| round.pairs).collect();
        assert_eq!(four, [vec![(1, 4), (2, 3)], vec![(4, 3), (1, 2)], vec![(2, 4), (3, 1)]]);
        let six: Vec<_> = berger(6, false).into_iter().map(|round| round.pairs).collect();
        assert_eq!(six.get(1), Some(&vec![(6, 4), (5, 3), (1, 2)]));
        assert_eq!(six.get(4), Some(&vec![(3, 6), (4, 2), (5, 1)]));
    }

    #[test]
    fn everybody_meets_everybody_once_and_a_bye_comes_to_each_once() {
        for players in 2..=24 {
            let mut met = BTreeSet::new();
            let mut byes = BTreeSet::new();
            for round in berger(players, false) {
                for (white, black) in round.pairs {
                    assert!(met.insert((white.min(black), white.max(black))), "{players}: {white} {black}");
                }
                byes.extend(round.bye);
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert_eq!(byes.len(), if players % 2 == 1 { players } else { 0 });
        }
    }

    #[test]
    fn a_bracket_of_n_has_n_minus_1_matches_and_its_best_seeds_have_the_byes() {
        for players in 2..=128 {
            let rounds = knock_out(players, false);
            let real = |side: &(BracketSide, BracketSide)| {
                side.0 != BracketSide::Nobody && side.1 != BracketSide::Nobody
            };
            let matches: usize = rounds.iter().flatten().filter(|side| real(side)).count();
            assert_eq!(matches, players - 1);
            let first = rounds.first().expect("a round");
            let byes: BTreeSet<usize> = first
                .iter()
                .filter_map(|pair| match pair {
                    (BracketSide::Seed(seed), BracketSide::Nobody)
                    | (BracketSide::Nobody, BracketSide::Seed(seed)) => Some(*seed),
                    _ => None,
                })
                .collect();
            let expected: BTreeSet<usize> = (1..=players.next_power_of_two() - players).collect();
            assert_eq!(byes, expected, "{players}");
        }
        assert_eq!(bracket_seeds(8), [1, 8, 4, 5, 2, 7, 3, 6]);
    }
}
