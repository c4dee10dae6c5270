//! Starting stacks from the chips at hand: how many of each value each player gets.

use std::collections::BTreeSet;

/// Chips of one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChipKind {
    /// What people call it, usually its colour.
    pub name: String,
    /// What one chip counts.
    pub value: u32,
    /// How many there are for both players together.
    pub count: u32,
}

/// How many big blinds a stack should hold in the smallest chips, if there are enough of them: then small bets can be
/// paid for a whole game without changing chips.
const IN_SMALL: u32 = 10;
/// How many numbers of the smallest chips are tried, from as many as wanted down to none.
const MOST_TRIES: u32 = 50;
/// How much of one search is remembered before it is given up.
const MOST_TRIED: usize = 5_000;

/// Why chips make no two stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoShare {
    /// No choice of them does.
    #[error("these chips do not make two such stacks: bring more, or choose another stack")]
    Impossible,
    /// No choice was found, but not all were tried.
    #[error(
        "no way was found to make two such stacks of these chips: bring chips of fewer values, or choose another stack"
    )]
    NotFound,
}

/// How many chips of each kind each of two players gets for a stack, in the order of `kinds`.
pub fn share(stack: u32, small_blind: u32, kinds: &[ChipKind]) -> Result<Vec<u32>, NoShare> {
    let mut order: Vec<usize> = (0..kinds.len()).filter(|nth| kinds[*nth].value > 0).collect();
    order.sort_by_key(|nth| std::cmp::Reverse(kinds[*nth].value));
    let smallest = *order.last().ok_or(NoShare::Impossible)?;
    let value = kinds[smallest].value;
    let wanted = (2 * u64::from(IN_SMALL) * u64::from(small_blind)).div_ceil(u64::from(value));
    let wanted = u32::try_from(wanted).unwrap_or(u32::MAX).min(kinds[smallest].count / 2).min(stack / value);
    // Fewer small chips are better than none.
    let mut complete = false;
    let mut tried = None;
    for nth in (0..=MOST_TRIES).rev() {
        let least = u32::try_from(u64::from(wanted) * u64::from(nth) / u64::from(MOST_TRIES)).unwrap_or(0);
        if tried.replace(least) == Some(least) {
            continue;
        }
        let mut counts = vec![0; kinds.len()];
        let mut search =
            Search { kinds, kept: (smallest, least), counts: &mut counts, tried: BTreeSet::new() };
        if search.fill(stack - least * value, &order) {
            counts[smallest] += least;
            return Ok(counts);
        }
        // With none set aside, every choice was among those that were tried.
        complete = search.tried.len() < MOST_TRIED;
    }
    Err(if complete { NoShare::Impossible } else { NoShare::NotFound })
}

/// A search for chips that make a stack.
struct Search<'a> {
    kinds: &'a [ChipKind],
    /// The smallest kind, and how many of it are set aside.
    kept: (usize, u32),
    counts: &'a mut [u32],
    /// What cannot be paid: the number of kinds that are left, and the rest. It grows to no more than [`MOST_TRIED`].
    tried: BTreeSet<(usize, u32)>,
}

impl Search<'_> {
    /// How many chips of a kind one player can get.
    fn available(&self, nth: usize) -> u32 {
        self.kinds[nth].count / 2 - if nth == self.kept.0 { self.kept.1 } else { 0 }
    }

    /// Pays `rest` with the largest chips first. Returns whether it came out even.
    fn fill(&mut self, rest: u32, order: &[usize]) -> bool {
        let Some((first, smaller)) = order.split_first() else { return rest == 0 };
        if self.tried.len() >= MOST_TRIED || self.tried.contains(&(order.len(), rest)) {
            return false;
        }
        let value = self.kinds[*first].value;
        let most = (rest / value).min(self.available(*first));
        let worth = |nth: &usize| u64::from(self.available(*nth)) * u64::from(self.kinds[*nth].value);
        let room: u64 = smaller.iter().map(worth).sum();
        for count in (0..=most).rev() {
            let left = rest - count * value;
            if u64::from(left) > room || self.tried.len() >= MOST_TRIED {
                break;
            }
            self.counts[*first] = count;
            if self.fill(left, smaller) {
                return true;
            }
        }
        self.counts[*first] = 0;
        if self.tried.len() < MOST_TRIED {
            self.tried.insert((order.len(), rest));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(list: &[(u32, u32)]) -> Vec<ChipKind> {
        list.iter()
            .map(|(value, count)| ChipKind { name: value.to_string(), value: *value, count: *count })
            .collect()
    }

    #[test]
    fn a_stack_has_small_chips_for_small_bets() {
        assert_eq!(share(100, 1, &kinds(&[(1, 100), (5, 50), (25, 50)])), Ok(vec![20, 1, 3]));
        assert_eq!(share(100, 1, &kinds(&[(1, 10), (5, 50), (25, 50)])), Ok(vec![5, 4, 3]), "only ten ones");
        assert_eq!(
            share(100, 1, &kinds(&[(5, 8), (20, 4)])),
            Err(NoShare::Impossible),
            "two stacks need 200"
        );
        assert_eq!(share(7, 1, &kinds(&[(5, 10)])), Err(NoShare::Impossible));
        assert_eq!(share(10, 1, &[]), Err(NoShare::Impossible));
        assert_eq!(share(1000, 5, &kinds(&[(1, 200), (500, 4)])), Ok(vec![0, 2]), "no small chip fits");
    }

    proptest::proptest! {
        #[test]
        fn a_share_is_the_stack_and_no_more_than_there_is(
            stack in 1_u32..400, blind in 1_u32..5,
            list in proptest::collection::vec((1_u32..60, 0_u32..80), 0..5),
        ) {
            let kinds = kinds(&list);
            // What can be paid at all, kind by kind.
            let mut payable = vec![false; stack as usize + 1];
            payable[0] = true;
            for kind in &kinds {
                for _ in 0..kind.count / 2 {
                    for sum in (kind.value as usize..payable.len()).rev() {
                        payable[sum] |= payable[sum - kind.value as usize];
                    }
                }
            }
            match share(stack, blind, &kinds) {
                Ok(counts) => {
                    let sum: u32 = counts.iter().zip(&kinds).map(|(count, kind)| count * kind.value).sum();
                    proptest::prop_assert_eq!(sum, stack);
                    proptest::prop_assert!(counts.iter().zip(&kinds).all(|(count, kind)| count * 2 <= kind.count));
                }
                Err(NoShare::Impossible) => proptest::prop_assert!(!payable[stack as usize]),
                Err(NoShare::NotFound) => {}
            }
        }
    }
}
