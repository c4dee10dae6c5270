//! Each player's own agreement that sealed cards are shown. One person at the keyboard cannot agree for both: a player
//! lays down a card that was dealt to him, or types the code that he chose before the first cards were dealt. Who typed
//! wrong codes has to wait. The codes themselves: `tabiya_store::codes`.

use tabiya_types::{BySeat, Instant, Millis, Seat};

/// How many wrong codes a player may type before he has to wait.
const MOST_WRONG: u32 = 3;
/// How long he waits then before each further try.
const WAIT: Millis = Millis(30_000);

/// The wrong codes that were typed for each player. After some of them each further try has to wait.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrongCodes(BySeat<(u32, Option<Instant>)>);

impl WrongCodes {
    /// How long this player still has to wait at `now`; `None` if he may try.
    pub(super) fn wait(&self, by: Seat, now: Instant) -> Option<Millis> {
        let (count, last) = self.0[by];
        let until = last.filter(|_| count >= MOST_WRONG)? + WAIT;
        (until > now).then(|| until.since(now))
    }

    /// Counts a wrong code.
    pub(super) fn count(&mut self, by: Seat, now: Instant) {
        let (count, last) = &mut self.0[by];
        (*count, *last) = (*count + 1, Some(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wrong_codes_make_the_next_one_wait() {
        let (mut wrong, at) = (WrongCodes::default(), Instant::from_millis);
        for nth in 0..3 {
            assert_eq!(wrong.wait(Seat::A, at(nth)), None);
            wrong.count(Seat::A, at(nth));
        }
        assert_eq!(wrong.wait(Seat::A, at(2)), Some(Millis(30_000)));
        assert_eq!(wrong.wait(Seat::A, at(30_001)), Some(Millis(1)));
        assert_eq!(wrong.wait(Seat::A, at(30_002)), None);
        assert_eq!(wrong.wait(Seat::B, at(2)), None, "the other player has typed none");
        wrong.count(Seat::A, at(30_002));
        assert_eq!(wrong.wait(Seat::A, at(30_003)), Some(Millis(29_999)));
    }
}
