//! Starting stacks from the chips at hand: how many of each value each player gets.

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

/// How many chips of each kind each of two players gets for a stack, in the order of `kinds`; `None` if the chips do not
/// make two such stacks.
pub fn share(stack: u32, small_blind: u32, kinds: &[ChipKind]) -> Option<Vec<u32>> {
    let mut order: Vec<usize> = (0..kinds.len()).filter(|nth| kinds[*nth].value > 0).collect();
    order.sort_by_key(|nth| std::cmp::Reverse(kinds[*nth].value));
    let smallest = *order.last()?;
    let value = kinds[smallest].value;
    let wanted = (2 * IN_SMALL * small_blind).div_ceil(value).min(kinds[smallest].count / 2);
    // Fewer small chips are better than none.
    (0..=wanted).rev().find_map(|least| {
        let rest = stack.checked_sub(least * value)?;
        let mut counts = vec![0; kinds.len()];
        fill(rest, &order, kinds, (smallest, least), &mut counts).then(|| {
            counts[smallest] += least;
            counts
        })
    })
}

/// Pays `rest` with the largest chips first. Returns whether it came out even.
fn fill(rest: u32, order: &[usize], kinds: &[ChipKind], kept: (usize, u32), counts: &mut [u32]) -> bool {
    let available = |nth: usize| kinds[nth].count / 2 - if nth == kept.0 { kept.1 } else { 0 };
    let Some((first, smaller)) = order.split_first() else { return rest == 0 };
    let most = (rest / kinds[*first].value).min(available(*first));
    let room: u64 = smaller.iter().map(|nth| u64::from(available(*nth)) * u64::from(kinds[*nth].value)).sum();
    for count in (0..=most).rev() {
        let left = rest - count * kinds[*first].value;
        if u64::from(left) > room {
            break;
        }
        counts[*first] = count;
        if fill(left, smaller, kinds, kept, counts) {
            return true;
        }
    }
    counts[*first] = 0;
    false
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
        assert_eq!(share(100, 1, &kinds(&[(1, 100), (5, 50), (25, 50)])), Some(vec![20, 1, 3]));
        assert_eq!(
            share(100, 1, &kinds(&[(1, 10), (5, 50), (25, 50)])),
            Some(vec![5, 4, 3]),
            "only ten ones"
        );
        assert_eq!(share(100, 1, &kinds(&[(5, 8), (20, 4)])), None, "two stacks need 200");
        assert_eq!(share(7, 1, &kinds(&[(5, 10)])), None);
        assert_eq!(share(10, 1, &[]), None);
    }

    proptest::proptest! {
        #[test]
        fn a_share_is_the_stack_and_no_more_than_there_is(
            stack in 1_u32..400, blind in 1_u32..5,
            list in proptest::collection::vec((1_u32..60, 0_u32..80), 0..5),
        ) {
            let kinds = kinds(&list);
            if let Some(counts) = share(stack, blind, &kinds) {
                let sum: u32 = counts.iter().zip(&kinds).map(|(count, kind)| count * kind.value).sum();
                proptest::prop_assert_eq!(sum, stack);
                proptest::prop_assert!(counts.iter().zip(&kinds).all(|(count, kind)| count * 2 <= kind.count));
            }
        }
    }
}
