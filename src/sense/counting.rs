//! Counts labelled games: games of which both is known, what the board reported and what was played.
//!
//! Only the program `count-hands` uses this file. It writes the table `counts.txt`, whose costs the tracker uses.

use tabiya_types::{Board, Color, Instant, Millis, Observation};

use super::by_hand::{ODD, ON_THE_WAY};
use super::counts::CountTable;
use super::history::{BoardHistory, Grid, HistoryMark, differences, grid_of};
use super::kind::BoardKind;
use super::position::looks_like;
use super::shape::{Shape, SquareRole};
use super::stops::Stops;
use super::table::{
    BUCKETS, Class, Company, GROUPS, HandEvent, LOST, OddEntries, Prices, Row, When, group_line,
};
use super::turn::{Deed, EntryTaker, TurnEntry, TurnEvidence};

/// One action of a labelled game.
#[derive(Clone, Debug)]
pub struct LabelledTurn {
    /// The physical board before the action.
    pub before: Board,
    /// The physical board after the action.
    pub after: Board,
    /// The player who acted.
    pub by: Color,
    /// When the turn began.
    pub begins: Instant,
    /// When the player pressed the clock after the action; `None` if the press was forgotten, or if nobody presses.
    pub pressed: Option<Instant>,
    /// The boards after each possible action.
    pub possible: Vec<Board>,
}

/// A game with known actions.
#[derive(Clone, Debug)]
pub struct LabelledGame {
    /// What the board and its clock reported, in order of time. The first report is of the whole board.
    pub reports: Vec<(Instant, Observation)>,
    /// The actions, in their order.
    pub turns: Vec<LabelledTurn>,
    /// Whether the game was played without presses.
    pub auto: bool,
}

/// The settling time of the counted games.
const SETTLE: Millis = Millis(350);
/// A time after all reports.
const END: Instant = Instant::from_millis(u64::MAX / 2);

/// Counts what squares and hands did in labelled games.
#[derive(Debug)]
pub struct HandCounter {
    kind: BoardKind,
    counts: CountTable,
    /// The costs of the present table. They tell which entries are odd.
    prices: Prices,
}

/// A reported press, with what the board showed then.
struct Press {
    by: Color,
    mark: HistoryMark,
    seen: Grid,
}

/// Where a turn ends, and what the board shows there.
struct TurnStop {
    mark: HistoryMark,
    when: When,
    seen: Grid,
}

impl HandCounter {
    /// A counter for boards that identify their pieces, or for boards that only feel them. `table` is the text of an
    /// earlier table, which tells what is odd; it may be empty.
    pub fn new(felt: bool, table: &str) -> Self {
        let kind = if felt { BoardKind::Feels } else { BoardKind::Knows };
        let prices = CountTable::parse(table, kind.word()).prices();
        Self { kind, counts: CountTable::default(), prices }
    }

    /// The rows that were counted, one line each.
    pub fn to_text(&self) -> String {
        let board = self.kind.word();
        let line = |(name, counts): (&String, &Vec<u64>)| {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            format!("{board} {name}: {}\n", counts.join(" "))
        };
        self.counts.0.iter().map(line).collect()
    }

    /// What the earlier table charges for everything that was counted, in decibans. A reading of the game pays that, and
    /// for the choice of each action.
    pub fn cost(&self) -> i32 {
        self.counts.cost(&self.prices)
    }

    /// Counts a game.
    pub fn count(&mut self, game: &LabelledGame) {
        let (history, presses) = listen(game);
        // The first report sets the board up.
        let changes = history.since(HistoryMark::default());
        let first = changes.chunk_by(|one, next| one.at == next.at).next().map_or(0, <[_]>::len);
        let mut begin = HistoryMark { changes: first, ..HistoryMark::default() };
        let mut previous: Option<Shape> = None;
        for (nth, turn) in game.turns.iter().enumerate() {
            let next = game.turns.get(nth + 1);
            let before = grid_of(&turn.before);
            let idle = Shape::idle(&before, turn.by);
            let shape = idle.to(&before, &grid_of(&turn.after));
            let (before, after) = (history.shown(before), history.shown(grid_of(&turn.after)));
            let stop = if game.auto {
                self.count_rests(&history, turn, next, begin)
            } else {
                let deed =
                    Deed { before: &before, after: &before, shape: &idle, previous: previous.as_ref() };
                begin = self.count_mistakes(&history, &presses, game, turn, begin, &deed);
                self.pressed(&history, &presses, turn, next, begin)
            };
            if let Some(TurnStop { mark, when, seen }) = stop {
                let deed =
                    Deed { before: &before, after: &after, shape: &shape, previous: previous.as_ref() };
                let evidence = TurnEvidence::new(&history, END, (begin, mark), Some((when, seen)));
                self.count_turn(&deed, &evidence, when);
                begin = mark;
            }
            previous = Some(shape);
        }
    }

    /// Counts the presses by mistake in a turn. Returns where the rest of the turn begins.
    fn count_mistakes(
        &mut self,
        history: &BoardHistory,
        presses: &[Press],
        game: &LabelledGame,
        turn: &LabelledTurn,
        mut begin: HistoryMark,
        deed: &Deed,
    ) -> HistoryMark {
        let meant = |press: &&Press| game.turns.iter().any(|turn| turn.pressed == Some(press.mark.at));
        let until = turn
            .pressed
            .or_else(|| game.turns.iter().find_map(|other| other.pressed.filter(|at| *at > turn.begins)));
        let within =
            |press: &&Press| press.mark.at > turn.begins && until.is_some_and(|until| press.mark.at < until);
        for press in presses.iter().filter(within).filter(|press| !meant(press)) {
            let ended = Some((When::Press, press.seen));
            let evidence = TurnEvidence::new(history, END, (begin, press.mark), ended);
            self.count_turn(deed, &evidence, When::Press);
            if press.by == turn.by {
                self.counts.add(&HandEvent::Mistaken.line(), 0, 1);
            }
            begin = press.mark;
        }
        begin
    }

    /// Where a turn ends in a game with presses.
    fn pressed(
        &mut self,
        history: &BoardHistory,
        presses: &[Press],
        turn: &LabelledTurn,
        next: Option<&LabelledTurn>,
        begin: HistoryMark,
    ) -> Option<TurnStop> {
        let of_rests = |event: &HandEvent| matches!(event, HandEvent::Paused | HandEvent::Hovering);
        for event in HandEvent::ALL.into_iter().filter(|event| !of_rests(event)) {
            self.counts.add(&event.line(), 1, 1);
        }
        let before = history.shown(grid_of(&turn.before));
        if let Some(at) = turn.pressed {
            let press = presses.iter().find(|press| press.by == turn.by && press.mark.at >= at)?;
            let after = history.shown(grid_of(&turn.after));
            let corrected = u64::from(is_corrected(history, turn, press));
            self.counts.add(&HandEvent::Corrected.line(), 0, corrected);
            let stops = Stops::new(history, &before, (begin, press.mark));
            if let Some((mark, seen)) = stops.before_reply(&after, &press.seen) {
                self.counts.add(&HandEvent::Early.line(), 0, 1);
                return Some(TurnStop { mark, when: When::Press, seen });
            }
            return Some(TurnStop { mark: press.mark, when: When::Press, seen: press.seen });
        }
        self.counts.add(&HandEvent::Forgotten.line(), 0, 1);
        let reply = next?.pressed?;
        let limit = presses.iter().find(|press| press.mark.at == reply)?.mark;
        let after = history.shown(grid_of(&turn.after));
        let (mark, seen) = Stops::new(history, &before, (begin, limit)).most_like(&after, None).pop()?;
        Some(TurnStop { mark, when: When::Rest, seen })
    }

    /// Counts the rests of a turn that nobody pressed. Returns the first one that shows the action.
    fn count_rests(
        &mut self,
        history: &BoardHistory,
        turn: &LabelledTurn,
        next: Option<&LabelledTurn>,
        begin: HistoryMark,
    ) -> Option<TurnStop> {
        let limit = HistoryMark { at: next.map_or(END, |next| next.begins), ..history.mark(END) };
        let board = grid_of(&turn.before);
        let idle = Shape::idle(&board, turn.by);
        let (before, after) = (history.shown(board), history.shown(grid_of(&turn.after)));
        let shown = |after: Grid| (history.shown(after), idle.to(&board, &after));
        let possible: Vec<(Grid, Shape)> = turn.possible.iter().map(grid_of).map(shown).collect();
        let (mut seen, mut touched) = (before, 0_u64);
        let changes = history.between(begin, limit);
        for (nth, change) in changes.iter().enumerate().take_while(|(_, change)| change.at < limit.at) {
            seen[change.square] = change.is;
            touched |= 1 << change.square;
            let rests = changes.get(nth + 1).is_none_or(|next| next.at >= change.at + SETTLE);
            if !rests || seen == before || change.at < turn.begins {
                continue;
            }
            let looks = looks_like(possible.iter().map(|(after, shape)| (after, shape)), touched, &seen);
            if let Some(looks) = looks {
                self.counts.add(&looks.line(), 1, 1);
                self.counts.add(&looks.line(), 0, u64::from(seen != after));
            }
            if seen == after {
                let mark = HistoryMark { at: change.at, changes: begin.changes + nth + 1 };
                return Some(TurnStop { mark, when: When::Rest, seen });
            }
        }
        None
    }

    fn count_turn(&mut self, deed: &Deed, evidence: &TurnEvidence, when: When) {
        let mut groups = [0; GROUPS];
        for square in 0..64 {
            let role = deed.shape.role(square, deed.before);
            for when in [When::Run, when] {
                self.counts.add(&when.line(), role as usize, 1);
                let group = |lasted| Row { when, role, class: Class::Empty }.group(lasted);
                let (soon, late) = (group(Millis(0)), group(Millis(u64::MAX)));
                groups[soon] += 1;
                groups[late] += u64::from(late != soon);
            }
            if let Some(previous) = deed.previous {
                self.counts.add(&When::Left.line(), previous.role(square, deed.before) as usize, 1);
            }
        }
        let mut tally = Tally { counts: &mut self.counts, prices: &self.prices, odd: OddEntries::default() };
        deed.enter(evidence, &mut tally);
        let odd = tally.odd;
        self.counts.close_turn(&odd, groups);
    }
}

/// The history of a labelled game, and its presses.
fn listen(game: &LabelledGame) -> (BoardHistory, Vec<Press>) {
    let mut history = BoardHistory::new();
    let mut presses = Vec::new();
    for (at, report) in &game.reports {
        if let Observation::Press(by) = *report {
            presses.push(Press { by, mark: history.mark(*at), seen: history.grid });
        } else {
            history.observe(report, *at);
        }
    }
    (history, presses)
}

/// Whether the board showed another possible action at the press and for a while after it.
fn is_corrected(history: &BoardHistory, turn: &LabelledTurn, press: &Press) -> bool {
    let after = history.shown(grid_of(&turn.after));
    let corrected = history.first_change(differences(&press.seen, &after), press.mark);
    let stood = corrected.is_some_and(|at| at.since(press.mark.at) > ON_THE_WAY);
    let is_seen = |board: &Board| history.shown(grid_of(board)) == press.seen;
    stood && press.seen != after && turn.possible.iter().any(is_seen)
}

/// Counts the entries of a turn.
struct Tally<'a> {
    counts: &'a mut CountTable,
    prices: &'a Prices,
    odd: OddEntries,
}

impl EntryTaker for Tally<'_> {
    fn enter(&mut self, entry: TurnEntry, or: Option<Row>) {
        let price = |row: Row| self.prices.entry(row, entry.lasted, true);
        // What is equally likely in both turns belongs to the one whose pieces pass there.
        let acts =
            |row: &Row| row.role.acts() && row.role != SquareRole::Passing || row.role == SquareRole::Line;
        let left = |row: &Row| price(*row) < price(entry.row) || acts(row) && price(*row) == price(entry.row);
        let row = or.filter(left).unwrap_or(entry.row);
        self.counts.add(&row.line(), row.bucket(entry.lasted), 1);
        let right = row.when.ends() && row.class == Class::After;
        if !right && self.prices.entry(row, entry.lasted, entry.over) >= ODD {
            let group = row.group(entry.lasted);
            let company = self.odd.add(group, entry.square, entry.at.millis());
            self.counts.add(&group_line(group, company), 0, 1);
        }
    }
}

impl CountTable {
    fn cost(&self, prices: &Prices) -> i32 {
        let charge = |times: u64, price: i32| i32::try_from(times).unwrap_or(i32::MAX).saturating_mul(price);
        let buckets = |row: Row| {
            self.numbers::<BUCKETS>(&row.line()).into_iter().enumerate().map(move |count| (row, count))
        };
        let entries = Row::all().flat_map(buckets);
        let entries = entries.map(|(row, (bucket, times))| charge(times, prices.exact[row.index()][bucket]));
        let first = |line: &str| self.numbers::<1>(line)[0];
        let events = HandEvent::ALL.into_iter();
        let events = events.map(|event| charge(first(&event.line()), prices.event(event)));
        let discount = |group| move |kind: Company| (group, kind);
        let kept = (0..GROUPS).flat_map(|group| Company::ALL.map(discount(group)));
        let kept = kept.map(|(group, kind)| {
            charge(first(&group_line(group, Some(kind))), prices.discount(group, Some(kind)))
        });
        entries.sum::<i32>() + events.sum::<i32>() - kept.sum::<i32>()
    }

    /// Adds to one number of a line.
    fn add(&mut self, line: &str, nth: usize, times: u64) {
        if times > 0 {
            let numbers = self.0.entry(line.to_owned()).or_default();
            numbers.resize(numbers.len().max(nth + 1), 0);
            numbers[nth] += times;
        }
    }

    /// Ends a turn in which each group had so many squares.
    fn close_turn(&mut self, odd: &OddEntries, squares: [u64; GROUPS]) {
        for (group, squares) in squares.into_iter().enumerate() {
            self.add(&group_line(group, None), 1, squares);
            let busy = u64::from(odd.squares[group].count_ones());
            if busy > 0 {
                let idle = squares.saturating_sub(busy);
                self.add(&group_line(group, Some(Company::SameSquare)), 1, busy);
                self.add(&group_line(group, Some(Company::SameTime)), 1, idle);
                self.add(&group_line(group, Some(Company::OtherTime)), 1, idle);
            }
            if group > LOST && odd.squares[LOST] != 0 {
                self.add(&group_line(group, Some(Company::WithLost)), 1, squares);
            }
        }
    }
}
