//! Searches a bus for one wanted board, or for all boards.
//!
//! The search decides which question is asked next, and is informed of the boards that answered. Source: the
//! project's DGT protocol notes, section "Discovery".

use crate::makers::dgtbus::codec::{ALL, BusQuestion};

/// How many times the wanted board is pinged. The first ping may only switch a board from single mode to bus mode.
const CALLS: u8 = 3;
/// The search ends after this number of consecutive rounds without a new board. One round is not enough: if two boards
/// answer at the same time, neither answer can be read.
const QUIET_ROUNDS: u8 = 2;
/// The search ends after this number of rounds in which no board answered. The first round may only switch boards
/// from single mode to bus mode.
const LONELY_ROUNDS: u8 = 3;
/// The largest number of rounds of a search.
const MOST_ROUNDS: u8 = 16;
/// The largest number of boards that a search lists; a bus has no room for more.
const MOST_BOARDS: usize = 64;

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Search {
    wanted: SearchTarget,
    stage: Stage,
    found: Vec<u16>,
    /// The number of rounds so far.
    rounds: u8,
    /// How many rounds without a new board there have been since the last round that found one.
    quiet: u8,
    /// Whether this round found a new board.
    news: bool,
}

/// The board to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchTarget {
    /// The only board on the bus.
    Any,
    /// The board with this address, 1..=16383; `None` if people wrote a number that no board can have.
    One(Option<u16>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The wanted board was pinged this many times.
    Calling(u8),
    /// The boards found so far are told, one after another, to ignore the next ping. The number is the index of the
    /// first board that was not told yet.
    Hushing(usize),
    /// All boards were pinged together, and their answers are awaited.
    Listening,
}

/// The next step of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SearchStep {
    /// Ask the board at this address this question, and continue when the question is answered or timed out.
    Ask(BusQuestion, u16),
    /// The search found the wanted or only board, which has this address.
    Found(u16),
    /// These boards are on the bus, in order of their addresses. Either no board was named, or the named board is not
    /// among these boards.
    Several(Vec<u16>),
    /// No board is on the bus.
    NoBoard,
}

impl Search {
    pub(super) fn new(wanted: SearchTarget) -> Self {
        let stage = match wanted {
            SearchTarget::One(Some(_)) => Stage::Calling(0),
            SearchTarget::Any | SearchTarget::One(None) => Stage::Hushing(0),
        };
        Self { wanted, stage, found: Vec::new(), rounds: 0, quiet: 0, news: false }
    }

    /// Records that a board answered a ping.
    pub(super) fn heard(&mut self, address: u16) {
        if address != ALL && !self.found.contains(&address) && self.found.len() < MOST_BOARDS {
            self.found.push(address);
            self.news = true;
        }
    }

    /// Returns the boards that were found so far.
    pub(super) fn found(&self) -> &[u16] {
        &self.found
    }

    /// Returns the next step, once the last question is answered or timed out.
    pub(super) fn next(&mut self) -> SearchStep {
        if let SearchTarget::One(Some(address)) = self.wanted
            && self.found.contains(&address)
        {
            return SearchStep::Found(address);
        }
        match (self.stage, self.wanted) {
            (Stage::Calling(times), SearchTarget::One(Some(address))) if times < CALLS => {
                self.stage = Stage::Calling(times + 1);
                SearchStep::Ask(BusQuestion::Ping, address)
            }
            (Stage::Calling(_), _) => self.hush(0),
            (Stage::Hushing(next), _) => self.hush(next),
            (Stage::Listening, _) => self.end_round(),
        }
    }

    fn hush(&mut self, next: usize) -> SearchStep {
        if let Some(address) = self.found.get(next) {
            self.stage = Stage::Hushing(next + 1);
            return SearchStep::Ask(BusQuestion::IgnorePing, *address);
        }
        self.stage = Stage::Listening;
        self.rounds += 1;
        self.news = false;
        SearchStep::Ask(BusQuestion::Ping, ALL)
    }

    fn end_round(&mut self) -> SearchStep {
        self.quiet = if self.news { 0 } else { self.quiet + 1 };
        // If a wanted board is missing, the search ends after one round, although the result may then lack some of the
        // other boards. More rounds are avoided, because the other boards may be in the middle of games.
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
            (_, []) => SearchStep::NoBoard,
            (SearchTarget::Any, [only]) => SearchStep::Found(*only),
            (_, several) => SearchStep::Several(several.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a search on a bus. `rounds` returns the boards whose answers are readable in a round. Returns the
    /// questions and the result.
    fn search(
        wanted: SearchTarget,
        mut rounds: impl FnMut(usize) -> Vec<u16>,
    ) -> (Vec<(BusQuestion, u16)>, SearchStep) {
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
        let hush = (BusQuestion::IgnorePing, 1025);
        assert_eq!(
            asked,
            [(BusQuestion::Ping, ALL), hush, (BusQuestion::Ping, ALL), hush, (BusQuestion::Ping, ALL)]
        );
    }

    #[test]
    fn a_board_that_collided_is_found_in_a_later_round() {
        let (_, end) = search(SearchTarget::Any, |round| match round {
            0 => vec![2050],
            2 => vec![1025],
            _ => vec![],
        });
        assert_eq!(end, SearchStep::Several(vec![1025, 2050]));
    }

    #[test]
    fn boards_in_single_mode_miss_the_first_round_and_are_found_in_the_second() {
        let (_, end) = search(SearchTarget::Any, |round| if round == 1 { vec![7] } else { vec![] });
        assert_eq!(end, SearchStep::Found(7));
    }

    #[test]
    fn an_empty_wire_has_nobody() {
        let (asked, end) = search(SearchTarget::Any, |_| vec![]);
        assert_eq!((asked.len(), end), (3, SearchStep::NoBoard));
    }

    #[test]
    fn the_wanted_board_is_called_and_nobody_else_is_bothered() {
        let mut search = Search::new(SearchTarget::One(Some(1025)));
        assert_eq!(search.next(), SearchStep::Ask(BusQuestion::Ping, 1025));
        search.heard(1025);
        assert_eq!(search.next(), SearchStep::Found(1025));
    }

    #[test]
    fn if_the_wanted_board_is_not_there_one_round_names_who_is() {
        let (asked, end) = search(SearchTarget::One(Some(9)), |_| vec![2050, 1025]);
        assert_eq!(end, SearchStep::Several(vec![1025, 2050]));
        assert_eq!(
            asked,
            [
                (BusQuestion::Ping, 9),
                (BusQuestion::Ping, 9),
                (BusQuestion::Ping, 9),
                (BusQuestion::Ping, ALL)
            ]
        );
        let (_, end) = search(SearchTarget::One(None), |_| vec![1025]);
        assert_eq!(end, SearchStep::Several(vec![1025]));
        let (_, end) = search(SearchTarget::One(Some(9)), |_| vec![]);
        assert_eq!(end, SearchStep::NoBoard);
    }
}
