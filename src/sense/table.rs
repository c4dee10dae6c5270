//! The table of counts: how often squares and hands did what in labelled games, and what that costs.
//!
//! A cost is in decibans: 10 is one in ten, 20 one in a hundred. The counts are in `counts.txt`, which
//! `cargo run --release --example count-hands` writes.

use tabiya_types::Millis;

use super::by_hand::{LATE_LIMITS, MOST_FOR_ENTRY, ON_THE_WAY, RUN_LIMITS, TOGETHER, UNSEEN};
use super::counts::CountTable;
use super::shape::SquareRole;

pub(super) const BUCKETS: usize = LATE_LIMITS.len() + 1;
/// The cost of what is so unlikely that its share cannot be computed.
const LEAST_LIKELY: f64 = 1_000.0;

listed! {
    /// What a square shows, as seen from the action.
    enum Class {
        /// What the action leaves on the square.
        After,
        /// What stood on the square before the action.
        Before,
        Empty,
        /// A piece that the action moves.
        Mover,
        /// A piece that the action captures.
        Victim,
        /// A piece that was lifted from some square in this turn.
        Lifted,
        /// Any other piece.
        Foreign,
        /// An update was lost, so the piece is not known.
        Unknown,
    }
}

listed! {
    /// When a square shows it.
    enum When {
        /// For a while during the turn.
        Run,
        /// For a while, soon after the turn: the pieces of the action before may still be on their way.
        Left,
        /// At the end of the turn, which was a press or a typed line.
        Press,
        /// At the end of the turn, which was a rest.
        Rest,
    }
}

impl When {
    /// The line of `counts.txt` that says how many squares had each role.
    pub(super) fn line(self) -> String {
        format!("squares {self:?}")
    }

    /// Whether it is the end of a turn.
    pub(super) fn ends(self) -> bool {
        matches!(self, Self::Press | Self::Rest)
    }
}

/// A row of the table: what an entry is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) when: When,
    pub(super) role: SquareRole,
    pub(super) class: Class,
}

pub(super) const ROWS: usize = When::ALL.len() * SquareRole::ALL.len() * Class::ALL.len();

impl Row {
    pub(super) fn index(self) -> usize {
        (self.when as usize * SquareRole::ALL.len() + self.role as usize) * Class::ALL.len()
            + self.class as usize
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        let roles = |when| SquareRole::ALL.into_iter().map(move |role| (when, role));
        let pairs = When::ALL.into_iter().flat_map(roles);
        pairs.flat_map(|(when, role)| Class::ALL.into_iter().map(move |class| Self { when, role, class }))
    }

    /// Its line in `counts.txt`: how often it took so long.
    pub(super) fn line(self) -> String {
        format!("{:?} {:?} {:?}", self.when, self.role, self.class)
    }

    /// The bucket of a duration.
    pub(super) fn bucket(self, lasted: Millis) -> usize {
        let limits: &[u64] = if self.when.ends() { &LATE_LIMITS } else { &RUN_LIMITS };
        limits.iter().position(|limit| lasted.0 <= *limit).unwrap_or(limits.len())
    }

    /// The group of an entry. Where one entry of a group is, more are likely.
    pub(super) fn group(self, lasted: Millis) -> usize {
        match (self.when.ends(), self.role) {
            (false, role) if role.acts() => 0,
            (false, SquareRole::Line) => 1,
            (false, SquareRole::Own | SquareRole::Other) => 2,
            (false, _) => 3,
            (true, role) if role.acts() && lasted <= ON_THE_WAY => 4,
            (true, role) if role.acts() => LOST,
            (true, SquareRole::Line) => 6,
            (true, SquareRole::Own | SquareRole::Other) => 7,
            (true, _) => 8,
        }
    }
}

pub(super) const GROUPS: usize = 9;
/// The group of the action's squares that are wrong for long: an update was lost, or the piece stands elsewhere.
pub(super) const LOST: usize = 5;

listed! {
    /// How an entry keeps company with the entries of the same turn.
    enum Company {
        /// Another entry of its group is on the same square.
        SameSquare,
        /// Another entry of its group came together with it.
        SameTime,
        /// Another entry of its group came at another time.
        OtherTime,
        /// It is the first of its group, but a square of the action is lost.
        WithLost,
    }
}
pub(super) const COMPANIES: usize = Company::ALL.len();

/// The line of `counts.txt` for a group: how many squares had an odd entry, of how many; with a company, the same for
/// squares where another entry was there already.
pub(super) fn group_line(group: usize, company: Option<Company>) -> String {
    company.map_or(format!("group {group}"), |company| format!("group {group} company {}", company as usize))
}

listed! {
    /// What happens to presses and rests.
    enum HandEvent {
        /// The press of a turn is forgotten.
        Forgotten,
        /// The reply begins before the press of a turn.
        Early,
        /// A press by mistake.
        Mistaken,
        /// The action stood there for a while after its press, and then another one in its place.
        Corrected,
        /// A rest that looks like an action, but none was made.
        Paused,
        /// The same, where the board only feels that a piece is gone.
        Hovering,
    }
}

impl HandEvent {
    /// Its line in `counts.txt`: how often it happened, of how many chances.
    pub(super) fn line(self) -> String {
        format!("event {self:?}")
    }
}

impl CountTable {
    /// What was counted, as costs.
    pub(super) fn prices(&self) -> Prices {
        let mut exact = vec![[0; BUCKETS]; ROWS];
        let mut tail = exact.clone();
        for row in Row::all() {
            let squares: [u64; SquareRole::ALL.len()] = self.numbers(&row.when.line());
            let squares = float(squares[row.role as usize]) + 1.0;
            let counts: [u64; BUCKETS] = self.numbers(&row.line());
            let mut left = 0.0;
            for bucket in (0..BUCKETS).rev() {
                let times = float(counts[bucket]) + UNSEEN;
                left += times;
                exact[row.index()][bucket] = decibans(times / squares);
                tail[row.index()][bucket] = decibans(left / squares);
            }
        }
        let rate = |[times, squares]: [u64; 2]| (float(times) + UNSEEN) / (float(squares) + 1.0);
        let share = |group, company| rate(self.numbers(&group_line(group, company)));
        let discount = |group, company| {
            (-rounded(10.0 * (share(group, None) / share(group, Some(company))).log10())).max(0)
        };
        let discounts = std::array::from_fn(|group| Company::ALL.map(|company| discount(group, company)));
        // What there was no chance for is not known to be likely.
        let price = |event: [u64; 2]| {
            if event[1] == 0 { MOST_FOR_ENTRY } else { decibans(rate(event)).min(MOST_FOR_ENTRY) }
        };
        let events = HandEvent::ALL.map(|event| price(self.numbers(&event.line())));
        Prices { exact, tail, discounts, events }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cost of a share is between 0 and a few hundred decibans"
)]
fn rounded(cost: f64) -> i32 {
    cost.round() as i32
}

/// What it costs that something happens with this share of all chances.
pub(super) fn decibans(share: f64) -> i32 {
    rounded((-10.0 * share.min(1.0).log10()).min(LEAST_LIKELY))
}

/// The counts as costs.
#[derive(Debug)]
pub(super) struct Prices {
    /// For each row and bucket: what it costs that it took so long, and that it takes at least so long.
    pub(super) exact: Vec<[i32; BUCKETS]>,
    tail: Vec<[i32; BUCKETS]>,
    /// How much less an entry costs in company.
    discounts: [[i32; COMPANIES]; GROUPS],
    events: [i32; HandEvent::ALL.len()],
}

impl Prices {
    pub(super) fn event(&self, event: HandEvent) -> i32 {
        self.events[event as usize]
    }

    /// The cost of an entry. If it is not `over`, it has lasted so long and still lasts.
    pub(super) fn entry(&self, row: Row, lasted: Millis, over: bool) -> i32 {
        let prices = if over { &self.exact } else { &self.tail };
        prices[row.index()][row.bucket(lasted)]
    }

    pub(super) fn discount(&self, group: usize, company: Option<Company>) -> i32 {
        company.map_or(0, |company| self.discounts[group][company as usize])
    }
}

/// The odd entries of a turn so far, by group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OddEntries {
    /// The squares of each group's entries.
    pub(super) squares: [u64; GROUPS],
    /// The times of each group's first and last entry, in ms.
    times: [[u64; 2]; GROUPS],
}

impl OddEntries {
    /// Adds an entry. Returns the company that it finds.
    pub(super) fn add(&mut self, group: usize, square: usize, at: u64) -> Option<Company> {
        let [first, last] = self.times[group];
        let near = |then: u64| at.abs_diff(then) <= TOGETHER.0;
        let company = match self.squares[group] {
            0 if group > LOST && self.squares[LOST] != 0 => Some(Company::WithLost),
            0 => None,
            squares if squares >> square & 1 == 1 => Some(Company::SameSquare),
            _ if near(first) || near(last) => Some(Company::SameTime),
            _ => Some(Company::OtherTime),
        };
        self.times[group] = [if self.squares[group] == 0 { at } else { first }, at];
        self.squares[group] |= 1 << square;
        company
    }
}
