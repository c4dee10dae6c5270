//! Random deals of cards under squares, start positions of Chess960 and throws of a die, drawn with the system's random numbers.
//!
//! The record knows no seed: a random deal is written into the header as the list of its cards, a start position as its FEN.

use tabiya_engine::rules::{GAMES, SquareDeals};

use crate::desk::RandomSource;

/// The deals of cards under squares, if a game has such cards.
pub fn under_squares() -> Option<&'static dyn SquareDeals> {
    GAMES.iter().find_map(|kind| kind.square_deals())
}

/// The cards of a deal under squares in random order, as the term `deal` lists them. `Err` is a sentence that says why there
/// are no random numbers.
pub fn random(chance: &RandomSource) -> Result<Vec<String>, String> {
    under_squares().map_or_else(|| Ok(Vec::new()), |deals| deals.random(&mut |end| below(end, chance)))
}

/// A throw of a die, 1 to 6. `Err` is a sentence that says why there are no random numbers.
pub fn throw(chance: &RandomSource) -> Result<u8, String> {
    let pips = below(6, chance)? + 1;
    Ok(u8::try_from(pips).unwrap_or(1))
}

/// The number of a start position of Chess960, each with the same chance. `Err` is a sentence that says why there are no random
/// numbers.
pub fn chess960(chance: &RandomSource) -> Result<u16, String> {
    // 960 is 30 times 32.
    let number = below(30, chance)? * 32 + below(32, chance)?;
    Ok(u16::try_from(number).unwrap_or_default())
}

/// A random number below `end`, each with the same chance. `end` is at most 256.
fn below(end: usize, chance: &RandomSource) -> Result<usize, String> {
    let end = u8::try_from(end.clamp(1, 255)).unwrap_or(u8::MAX);
    // Bytes from the last, incomplete run of `end` numbers are not used, because they would favour small numbers.
    let most = u8::MAX - (u8::MAX % end + 1) % end;
    loop {
        let mut byte = [0_u8];
        chance(&mut byte)?;
        if byte[0] <= most {
            return Ok(usize::from(byte[0] % end));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

    use tabiya_engine::rules::poker_chess::{Deal, PlayingCard};

    use super::*;

    fn listed(deal: &[String]) -> Vec<PlayingCard> {
        deal.iter().map(|card| PlayingCard::parse(card).expect("a card")).collect()
    }

    #[test]
    fn a_random_deal_is_a_usable_list_and_depends_on_chance() {
        let counter = AtomicU8::new(7);
        let chance: RandomSource = Box::new(move |bytes: &mut [u8]| {
            bytes.fill_with(|| counter.fetch_add(101, Ordering::Relaxed));
            Ok(())
        });
        let (first, second) = (random(&chance).expect("chance"), random(&chance).expect("chance"));
        assert!(Deal::listed(&listed(&first)).is_some() && Deal::listed(&listed(&second)).is_some());
        assert_ne!(first, second);
    }

    #[test]
    fn a_start_position_of_chess960_is_any_of_the_960() {
        let counter = AtomicU16::new(0);
        // Two bytes for each draw: 30 times each number below 32, and so on.
        let chance: RandomSource = Box::new(move |bytes: &mut [u8]| {
            let nth = counter.fetch_add(1, Ordering::Relaxed);
            let byte = if nth.is_multiple_of(2) { nth / 2 / 32 } else { nth / 2 % 32 };
            bytes.fill(u8::try_from(byte).expect("below 32"));
            Ok(())
        });
        let drawn: Vec<u16> = (0..960).map(|_| chess960(&chance).expect("chance")).collect();
        assert_eq!(drawn, (0..960).collect::<Vec<u16>>());
        let none: RandomSource = Box::new(|_: &mut [u8]| Err("no chance".to_owned()));
        assert_eq!(chess960(&none), Err("no chance".to_owned()));
    }

    #[test]
    fn without_random_numbers_there_is_no_deal() {
        let none: RandomSource = Box::new(|_: &mut [u8]| Err("no chance".to_owned()));
        assert_eq!(random(&none), Err("no chance".to_owned()));
    }

    #[test]
    fn each_number_below_the_end_is_drawn_equally_often() {
        for end in [2, 3, 5, 26] {
            let counter = AtomicU8::new(0);
            let chance: RandomSource = Box::new(move |bytes: &mut [u8]| {
                bytes.fill_with(|| counter.fetch_add(1, Ordering::Relaxed));
                Ok(())
            });
            let whole = 256 / end;
            let mut drawn = vec![0; end];
            for _ in 0..whole * end {
                drawn[below(end, &chance).expect("chance")] += 1;
            }
            assert_eq!(drawn, vec![whole; end], "{end}");
        }
    }
}
