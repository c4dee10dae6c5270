//! The prize table: what is in the pool, and who gets how much of it.
//!
//! Source: `docs/rounds.md`, "Choker".

/// What the prizes follow from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrizeRules {
    /// The organiser's part, in percent.
    pub fee: u64,
    /// The share of each place, in percent, from the first on.
    pub shares: Vec<u64>,
    /// The least part of money that is paid; each share is rounded down to it.
    pub unit: u64,
}

/// The pool from this money: what is left after the organiser's part, rounded down.
pub fn pool(money: u64, fee: u64) -> u64 {
    money - money.saturating_mul(fee.min(100)) / 100
}

/// The prize of each place. What rounding leaves goes to the first one, so that the sum is the pool.
pub fn places(pool: u64, rules: &PrizeRules) -> Vec<u64> {
    let unit = rules.unit.max(1);
    let share = |percent: &u64| pool.saturating_mul(*percent) / 100 / unit * unit;
    let mut places: Vec<u64> = rules.shares.iter().map(share).collect();
    let paid: u64 = places.iter().sum();
    if let Some(first) = places.first_mut() {
        *first += pool.saturating_sub(paid);
    }
    places
}

/// What each player gets: the players as groups of equal rank, from the best on, each in the order of their seeds. Equal players
/// divide the sum of their places; odd units go to the better seeds, one each.
pub fn prizes(places: &[u64], groups: &[Vec<u32>], unit: u64) -> Vec<(u32, u64)> {
    let unit = unit.max(1);
    let mut all = Vec::new();
    let mut next = 0;
    for group in groups {
        let count = group.len();
        let sum: u64 = places.iter().skip(next).take(count).sum();
        next += count;
        let Ok(of) = u64::try_from(count) else { continue };
        if of == 0 {
            continue;
        }
        let each = sum / of / unit * unit;
        let mut rest = sum - each * of;
        for player in group {
            let odd = rest.min(unit);
            rest -= odd;
            all.push((*player, each + odd));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prizes_add_up_to_the_pool(
            money in 0..1_000_000_u64,
            fee in 0..=100_u64,
            shares in prop::collection::vec(1..=25_u64, 1..=4),
            unit in 1..=50_u64,
            sizes in prop::collection::vec(1..=4_usize, 1..=8),
        ) {
            let rules = PrizeRules { fee, shares, unit };
            let pool = pool(money, fee);
            let places = places(pool, &rules);
            prop_assert_eq!(places.iter().sum::<u64>(), pool);
            let mut number = 0;
            let groups: Vec<Vec<u32>> = sizes.iter().map(|size| (0..*size).map(|_| { number += 1; number }).collect()).collect();
            let paid: u64 = prizes(&places, &groups, unit).iter().map(|(_, prize)| prize).sum();
            let reached: u64 = places.iter().take(sizes.iter().sum()).sum();
            prop_assert_eq!(paid, reached);
        }
    }

    #[test]
    fn equal_players_divide_their_places() {
        let rules = PrizeRules { fee: 10, shares: vec![50, 30, 20], unit: 5 };
        let places = places(pool(200, rules.fee), &rules);
        assert_eq!(places, [95, 50, 35]);
        assert_eq!(prizes(&places, &[vec![4], vec![2, 7], vec![1]], 5), [(4, 95), (2, 45), (7, 40), (1, 0)]);
    }
}
