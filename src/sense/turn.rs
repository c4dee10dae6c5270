//! What the squares showed during a turn, as entries of the table. The same function counts them in labelled games and
//! prices them in readings.

use tabiya_types::{Instant, Millis};

use super::by_hand::{FELT_APART, FELT_TOGETHER, MOST_FOR_ENTRY, NOT_FELT, ODD, ON_THE_WAY, PASS};
use super::history::{BoardHistory, Grid, HistoryMark, SquareChange, Stretch, UNKNOWN, squares};
use super::kind::BoardKind;
use super::shape::{Shape, SquareRole};
use super::table::{Class, OddEntries, Prices, Row, When};

/// For a while a square shows this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) square: usize,
    pub(super) what: u8,
    from: Instant,
    until: Option<Instant>,
    /// The square shows it at the end of the turn.
    last: bool,
}

/// What the board showed between two marks.
pub(super) struct TurnEvidence<'a> {
    history: &'a BoardHistory,
    now: Instant,
    begin: HistoryMark,
    end: HistoryMark,
    /// By what the turn ends, and what the board shows then; `None` if the turn goes on.
    ended: Option<(When, Grid)>,
    pub(super) runs: Vec<Run>,
    /// The squares that changed.
    pub(super) touched: u64,
    /// The pieces that were lifted.
    lifted: u16,
}

impl<'a> TurnEvidence<'a> {
    /// `now` is the time up to which the board was observed.
    pub(super) fn new(
        history: &'a BoardHistory,
        now: Instant,
        (begin, end): Stretch,
        ended: Option<(When, Grid)>,
    ) -> Self {
        let (mut runs, mut touched, mut lifted) = (Vec::new(), 0, 0);
        // For each square, the change after the one that is looked at, and whether that was during the turn.
        let mut later: [Option<(Instant, bool)>; 64] = [None; 64];
        let mine = end.changes.saturating_sub(begin.changes);
        for (nth, change) in history.since(begin).iter().enumerate().rev() {
            let SquareChange { square, is: what, was, at: from } = *change;
            let next = later[square].replace((from, nth < mine));
            if nth < mine {
                let (until, last) = (next.map(|(at, _)| at), !next.is_some_and(|(_, mine)| mine));
                runs.push(Run { square, what, from, until, last });
                touched |= 1 << square;
                lifted |= if was == 0 { 0 } else { 1 << was };
            }
        }
        runs.reverse();
        Self { history, now, begin, end, ended, runs, touched, lifted }
    }

    /// How a board that only feels has felt a capture on `square` by the pieces from the squares `from`.
    fn felt(&self, square: usize, from: u64) -> Millis {
        let empty = |run: &&Run| run.what == 0;
        let together = |victim: &Run| {
            let overlaps = |run: &Run| {
                victim.until.is_none_or(|until| run.from <= until + PASS)
                    && run.until.is_none_or(|until| until + PASS >= victim.from)
            };
            let in_hand =
                |from| self.runs.iter().filter(empty).any(|run| run.square == from && overlaps(run));
            squares(from).all(in_hand)
        };
        let victims = self.runs.iter().filter(empty).filter(|run| run.square == square);
        match victims.map(together).max() {
            Some(true) => FELT_TOGETHER,
            Some(false) => FELT_APART,
            None => NOT_FELT,
        }
    }
}

/// The hypothesis that a turn consisted of this action: the boards before and after it as the board shows them, and the
/// action before it. The evidence costs the more, the less likely it is under this hypothesis.
#[derive(Clone, Copy)]
pub(super) struct Deed<'a> {
    /// The boards before and after the action, as the board shows them.
    pub(super) before: &'a Grid,
    pub(super) after: &'a Grid,
    pub(super) shape: &'a Shape,
    pub(super) previous: Option<&'a Shape>,
}

/// Something that the table counts, and that a reading pays for.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnEntry {
    pub(super) row: Row,
    pub(super) square: usize,
    pub(super) at: Instant,
    pub(super) lasted: Millis,
    /// Whether it is over. Otherwise it still lasts.
    pub(super) over: bool,
    /// The end of its turn.
    pub(super) end: Instant,
}

/// Takes the entries of a turn.
pub(super) trait EntryTaker {
    /// Takes an entry. If the row `or` is more likely, the entry counts there instead.
    fn enter(&mut self, entry: TurnEntry, or: Option<Row>);
}

impl Deed<'_> {
    /// Enters everything that the evidence shows of this action.
    pub(super) fn enter(&self, evidence: &TurnEvidence, ledger: &mut impl EntryTaker) {
        self.enter_runs(evidence, ledger);
        self.enter_departures(evidence, ledger);
        if let Some((when, seen)) = &evidence.ended {
            self.enter_ends(evidence, *when, seen, ledger);
        }
    }

    fn enter_runs(&self, evidence: &TurnEvidence, ledger: &mut impl EntryTaker) {
        let kind = evidence.history.kind;
        for run in &evidence.runs {
            let role = self.shape.role(run.square, self.before);
            let before = self.before[run.square];
            // What is not known was probably what had stood there.
            if run.what == before
                || run.what == UNKNOWN && before != 0
                || run.last && (evidence.ended.is_some() || run.what == self.after[run.square])
                || !kind.enters_runs_on(role)
            {
                continue;
            }
            let class = self.class(run.what, run.square, evidence.lifted, kind);
            let lasted = run.until.unwrap_or(evidence.now).since(run.from);
            let row = Row { when: When::Run, role, class };
            let (square, at, over) = (run.square, run.from, run.until.is_some());
            // A piece that is taken up, put back and moved later was touched like any other piece.
            let touched = Row { when: When::Run, role: SquareRole::Own, class: Class::Empty };
            let touched = Some(touched).filter(|_| role == SquareRole::From && run.what == 0);
            let entry = TurnEntry { row, square, at, lasted, over, end: evidence.end.at };
            ledger.enter(entry, self.left(run, evidence).or(touched));
        }
    }

    /// A piece leaves its square before it arrives: for how long all pieces had arrived, and one still stood there.
    fn enter_departures(&self, evidence: &TurnEvidence, ledger: &mut impl EntryTaker) {
        // The runs of a square, the last first.
        let of = |square| evidence.runs.iter().rev().filter(move |run| run.square == square);
        let arrival = |square| {
            let (before, after) = (self.before[square], self.after[square]);
            of(square).next().filter(|run| run.what == after && after != before).map(|run| run.from)
        };
        let arrivals: Option<Vec<Instant>> = squares(self.shape.put).map(arrival).collect();
        let Some(arrived) = arrivals.and_then(|arrivals| arrivals.into_iter().max()) else { return };
        for square in squares(self.shape.from & !self.shape.put) {
            // Something else may have passed over the square after that.
            let left =
                of(square).take_while(|run| run.what != self.before[square]).last().map(|run| run.from);
            let lasted = left.unwrap_or(evidence.now).since(arrived);
            // What stands there at the end is entered as an end.
            if lasted > Millis(0) && (left.is_some() || evidence.ended.is_none()) {
                let row = Row { when: When::Run, role: SquareRole::From, class: Class::Before };
                let (at, over, end) = (arrived, left.is_some(), evidence.end.at);
                ledger.enter(TurnEntry { row, square, at, lasted, over, end }, None);
            }
        }
    }

    /// The row of a run that may belong to the action before this one, because its pieces were still on their way.
    fn left(&self, run: &Run, evidence: &TurnEvidence) -> Option<Row> {
        let previous = self.previous.filter(|_| run.from <= evidence.begin.at + ON_THE_WAY)?;
        let among = |kinds: u16| kinds >> run.what & 1 == 1;
        let class = match run.what {
            0 => Class::Empty,
            UNKNOWN => return None,
            _ if evidence.history.kind.may_be(among(previous.moving)) => Class::Mover,
            _ if among(previous.victims) => Class::Victim,
            _ => return None,
        };
        Some(Row { when: When::Left, role: previous.role(run.square, self.before), class })
    }

    fn enter_ends(&self, evidence: &TurnEvidence, when: When, seen: &Grid, ledger: &mut impl EntryTaker) {
        let (history, end, acts) = (evidence.history, evidence.end, self.shape.acts());
        for square in squares(acts).chain(squares(evidence.touched & !acts)) {
            let role = self.shape.role(square, self.before);
            let class = self.class(seen[square], square, evidence.lifted, history.kind);
            if class == Class::After && !role.acts() {
                continue;
            }
            let row = Row { when, role, class };
            let late = |at: Instant| at.since(end.at).max(Millis(1));
            let shown = history.first_shown(square, end, self.after[square]);
            let (at, lasted, over) = match shown {
                _ if history.kind.only_feels_capture(role, class) => {
                    (Instant::ZERO, evidence.felt(square, self.shape.from), true)
                }
                _ if class == Class::After => (end.at, Millis(0), true),
                Some(at) => (at, late(at), true),
                // What something else replaces could only be shown until then.
                None => {
                    let until = history.first_change(1 << square, end).unwrap_or(evidence.now);
                    (Instant::from_millis(u64::MAX), late(until), false)
                }
            };
            ledger.enter(TurnEntry { row, square, at, lasted, over, end: end.at }, None);
        }
    }

    fn class(&self, what: u8, square: usize, lifted: u16, kind: BoardKind) -> Class {
        let among = |kinds: u16| kinds >> what & 1 == 1;
        match what {
            _ if what == self.after[square] => Class::After,
            _ if what == self.before[square] => Class::Before,
            0 => Class::Empty,
            UNKNOWN => Class::Unknown,
            _ if kind.may_be(among(self.shape.moving)) => Class::Mover,
            _ if among(self.shape.victims) => Class::Victim,
            _ if among(lifted) => Class::Lifted,
            _ => Class::Foreign,
        }
    }
}

/// A square that was never right after the end of its turn. If the next action changes it, it could only be shown until
/// then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed {
    pub(super) square: usize,
    row: Row,
    since: Instant,
    discount: i32,
    paid: i32,
}

impl Owed {
    /// What it costs more than was paid, if it has lasted until `now`.
    pub(super) fn until(&self, prices: &Prices, now: Instant) -> i32 {
        let lasted = now.since(self.since).max(Millis(1));
        (prices.entry(self.row, lasted, false) - self.discount).clamp(0, MOST_FOR_ENTRY) - self.paid
    }
}

/// Adds up what the entries of a turn cost.
pub(super) struct Bill<'a> {
    prices: &'a Prices,
    pub(super) cost: i32,
    /// The part of the cost that is for what the board did not show at the end.
    pub(super) doubt: i32,
    /// When the last square of the action was shown.
    pub(super) shown: Instant,
    /// The squares that were never shown, and that have still to be shown.
    pub(super) owed: Vec<Owed>,
    odd: OddEntries,
    /// What each entry costs, if that is to be explained.
    pub(super) charges: Option<Vec<(TurnEntry, i32)>>,
}

impl<'a> Bill<'a> {
    pub(super) fn new(prices: &'a Prices) -> Self {
        let (owed, odd) = (Vec::new(), OddEntries::default());
        Self { prices, cost: 0, doubt: 0, shown: Instant::ZERO, owed, odd, charges: None }
    }

    /// The cost with everything that is owed by `now`.
    pub(super) fn total(&self, now: Instant) -> i32 {
        self.cost + self.owed.iter().map(|owed| owed.until(self.prices, now)).sum::<i32>()
    }
}

impl EntryTaker for Bill<'_> {
    fn enter(&mut self, entry: TurnEntry, or: Option<Row>) {
        let price = |row: Row| self.prices.entry(row, entry.lasted, entry.over);
        let row = or.filter(|or| price(*or) < price(entry.row)).unwrap_or(entry.row);
        let full = price(row);
        let group = row.group(entry.lasted);
        let company = if full < ODD { None } else { self.odd.add(group, entry.square, entry.at.millis()) };
        let discount = self.prices.discount(group, company);
        let cost = (full - discount).clamp(0, MOST_FOR_ENTRY);
        self.cost += cost;
        if let Some(charges) = &mut self.charges {
            charges.push((TurnEntry { row, ..entry }, cost));
        }
        if row.when.ends() {
            self.doubt += cost;
            self.shown = if row.role.acts() { self.shown.max(entry.at) } else { self.shown };
            if !entry.over {
                let TurnEntry { square, end: since, .. } = entry;
                self.owed.push(Owed { square, row, since, discount, paid: cost });
            }
        }
    }
}
