//! Finds the boards on a wire: the one that is wanted, or all.
//!
//! Asks one question at a time and is told who answered. Source: the DGT notes, "Discovery".

use crate::makers::dgtbus::codec::{ALL, Ask};

/// How often the wanted board is called: the first call only brings a board in single mode to the bus.
const CALLS: u8 = 3;
/// So many rounds without a new board are enough: two boards that answer at once are both not understood.
const QUIET_ROUNDS: u8 = 2;
/// So many rounds without any board at all: the first may only bring boards in single mode to the bus.
const LONELY_ROUNDS: u8 = 3;
/// Rounds at most, and boards at most: more do not fit on a wire.
const MOST_ROUNDS: u8 = 16;
const MOST_BOARDS: usize = 64;

/// A search while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Search {
    wanted: SearchTarget,
    stage: Stage,
    found: Vec<u16>,
    /// Rounds so far.
    rounds: u8,
    /// How many of them, to the last, brought nothing.
    quiet: u8,
    /// Whether this round brought something.
    news: bool,
}

/// Which board is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchTarget {
    /// The only one.
    Any,
    /// The one of this address, 1..=16383; `None` is a name that no board can have.
    One(Option<u16>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The wanted board was called so often.
    Calling(u8),
    /// The found boards from here on have still to be told to let the next ping by.
    Hushing(usize),
    /// All are pinged.
    Listening,
}

/// What comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SearchStep {
    /// Ask this, and come back when it is answered or has waited long enough.
    Ask(Ask, u16),
    /// This board is the one.
    Found(u16),
    /// These are on the wire, in order of their addresses, and it is not known which is meant.
    Which(Vec<u16>),
    /// Nobody is on the wire.
    Nobody,
}

impl Search {
    pub(super) fn new(wanted: SearchTarget) -> Self {
        let stage = match wanted {
            SearchTarget::One(Some(_)) => Stage::Calling(0),
            SearchTarget::Any | SearchTarget::One(None) => Stage::Hushing(0),
        };
        Self { wanted, stage, found: Vec::new(), rounds: 0, quiet: 0, news: false }
    }

    /// A board has answered a ping.
    pub(super) fn heard(&mut self, address: u16) {
        if address != ALL && !self.found.contains(&address) && self.found.len() < MOST_BOARDS {
            self.found.push(address);
            self.news = true;
        }
    }

    /// The boards that were found so far.
    pub(super) fn found(&self) -> &[u16] {
        &self.found
    }

    /// What comes next, when the last question is answered or has waited long enough.
    pub(super) fn next(&mut self) -> SearchStep {
        if let SearchTarget::One(Some(address)) = self.wanted
            && self.found.contains(&address)
        {
            return SearchStep::Found(address);
        }
        match (self.stage, self.wanted) {
            (Stage::Calling(times), SearchTarget::One(Some(address))) if times < CALLS => {
                self.stage = Stage::Calling(times + 1);
                SearchStep::Ask(Ask::Ping, address)
            }
            (Stage::Calling(_), _) => self.hush(0),
            (Stage::Hushing(next), _) => self.hush(next),
            (Stage::Listening, _) => self.end_round(),
        }
    }

    fn hush(&mut self, next: usize) -> SearchStep {
        if let Some(address) = self.found.get(next) {
            self.stage = Stage::Hushing(next + 1);
            return SearchStep::Ask(Ask::IgnorePing, *address);
        }
        self.stage = Stage::Listening;
        self.rounds += 1;
        self.news = false;
        SearchStep::Ask(Ask::Ping, ALL)
    }

    fn end_round(&mut self) -> SearchStep {
        self.quiet = if self.news { 0 } else { self.quiet + 1 };
        // The wanted board's neighbours may be in the midst of games: one look is enough to name some of them.
        let enough = match (self.wanted, self.found.is_empty()) {
            (SearchTarget::One(_), _) => true,
            (SearchTarget::Any, true) => self.rounds >= LONELY_ROUNDS,
            (SearchTarget::Any, false) => self.quiet >= QUIET_ROUNDS || self.rounds >= MOST_ROUNDS,
        };
        if !enough {
            return self.hush(0);
        }
        self.found.sort_unstable();
        match (self.wanted, self.found.as_slice()) {
            (_, []) => SearchStep::Nobody,
            (SearchTarget::Any, [only]) => SearchStep::Found(*only),
            (_, several) => SearchStep::Which(several.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search on a wire where in each round these boards are understood; what was asked, and how it ended.
    fn search(
        wanted: SearchTarget,
        mut rounds: impl FnMut(usize) -> Vec<u16>,
    ) -> (Vec<(Ask, u16)>, SearchStep) {
        let mut search = Search::new(wanted);
        let (mut asked, mut round) = (Vec::new(), 0);
        loop {
            match search.next() {
                SearchStep::Ask(ask, address) => {
                    asked.push((ask, address));
                    if address == ALL {
                        for address in rounds(round) {
                            search.heard(address);
                        }
                        round += 1;
                    }
                }
                end => return (asked, end),
            }
        }
    }

    #[test]
    fn the_only_board_is_found_and_two_more_rounds_bring_nobody() {
        let (asked, end) = search(SearchTarget::Any, |round| if round == 0 { vec![1025] } else { vec![] });
        assert_eq!(end, SearchStep::Found(1025));
        let hush = (Ask::IgnorePing, 1025);
        assert_eq!(asked, [(Ask::Ping, ALL), hush, (Ask::Ping, ALL), hush, (Ask::Ping, ALL)]);
    }

    #[test]
    fn a_board_that_collided_is_found_in_a_later_round() {
        let (_, end) = search(SearchTarget::Any, |round| match round {
            0 => vec![2050],
            2 => vec![1025],
            _ => vec![],
        });
        assert_eq!(end, SearchStep::Which(vec![1025, 2050]));
    }

    #[test]
    fn boards_in_single_mode_miss_the_first_round_and_are_found_in_the_second() {
        let (_, end) = search(SearchTarget::Any, |round| if round == 1 { vec![7] } else { vec![] });
        assert_eq!(end, SearchStep::Found(7));
    }

    #[test]
    fn an_empty_wire_has_nobody() {
        let (asked, end) = search(SearchTarget::Any, |_| vec![]);
        assert_eq!((asked.len(), end), (3, SearchStep::Nobody));
    }

    #[test]
    fn the_wanted_board_is_called_and_nobody_else_is_bothered() {
        let mut search = Search::new(SearchTarget::One(Some(1025)));
        assert_eq!(search.next(), SearchStep::Ask(Ask::Ping, 1025));
        search.heard(1025);
        assert_eq!(search.next(), SearchStep::Found(1025));
    }

    #[test]
    fn if_the_wanted_board_is_not_there_one_round_names_who_is() {
        let (asked, end) = search(SearchTarget::One(Some(9)), |_| vec![2050, 1025]);
        assert_eq!(end, SearchStep::Which(vec![1025, 2050]));
        assert_eq!(asked, [(Ask::Ping, 9), (Ask::Ping, 9), (Ask::Ping, 9), (Ask::Ping, ALL)]);
        let (_, end) = search(SearchTarget::One(None), |_| vec![1025]);
        assert_eq!(end, SearchStep::Which(vec![1025]));
        let (_, end) = search(SearchTarget::One(Some(9)), |_| vec![]);
        assert_eq!(end, SearchStep::Nobody);
    }
}
