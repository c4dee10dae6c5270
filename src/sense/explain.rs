//! Finds the actions that lead from a settled position to the board as it is seen.
//!
//! Positions first: the way there is only asked where several explanations remain (record, "What
//! was seen, and what was understood" 3). How well a way fits the pictures is `weigh.rs`'s.

use super::odd::{Told, UNLIKELY};
use super::sight::{Picture, Sight};
use super::weigh::{Stood, Weight, weigh};
use crate::clock::Instant;
use crate::rules::{Action, Board, Candidate, Color, Square};
use crate::table::{Input, Probe};

/// What waits to be explained, in its order.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    /// A press that fitted nothing when it came.
    Press {
        /// Whose.
        by: Color,
        /// When.
        at: Instant,
    },
    /// A line that came meanwhile and belongs after what waits before it.
    Held {
        /// What it does.
        input: Input,
        /// When it came.
        at: Instant,
    },
    /// An action that nobody pressed for, but that must have been made.
    Unpressed {
        /// When it stood.
        at: Instant,
    },
    /// An action that stands on the board and still waits for its press. Always the last.
    Standing,
}

impl Waiting {
    /// Whose press it is and when it came, if it is one.
    pub(super) fn press(&self) -> Option<(Color, Instant)> {
        match self {
            Self::Press { by, at } => Some((*by, *at)),
            Self::Held { .. } | Self::Unpressed { .. } | Self::Standing => None,
        }
    }
}

/// One thing to write, and the moment at which it happened.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// An action understood from the board.
    Did(Action),
    /// The press that ended its turn.
    Pressed(Color),
    /// The line that had been held.
    Held(Input),
}

/// A way to explain everything that waits.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    pub(super) steps: Vec<(Step, Instant)>,
    /// The boards after each action, and when their turns ended where a press tells it.
    pub(super) positions: Vec<Stood>,
    /// How far the pictures on the way are from it.
    pub(super) weight: Weight,
    /// How many of its actions were never pressed for, although it goes on after them.
    forgotten: usize,
    /// How much odder the next way is that fits.
    margin: usize,
}

impl Explanation {
    /// The actions in it.
    pub(super) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.steps.iter().filter_map(|(step, _)| match step {
            Step::Did(action) => Some(action),
            Step::Pressed(_) | Step::Held(_) => None,
        })
    }

    /// Whether every action has left its mark: its piece stands where it went, or was seen there.
    /// A piece in the air looks like a captured one, so that what is only missing proves nothing.
    pub(super) fn left_marks(&self, from: &Board, evidence: &Evidence) -> bool {
        let pictures = evidence.sight.pictures(evidence.since);
        let mut before = *from;
        self.positions.iter().all(|stood| {
            let after = stood.board;
            let seen = before
                .differences(&after)
                .filter(|square| after[*square].is_some())
                .all(|square| pictures.iter().any(|picture| picture.board[square] == after[square]));
            before = after;
            seen
        })
    }

    /// How many actions in it were never pressed for, although it goes on after them.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// How much about it is odd: squares that the pictures nearest to it show otherwise, actions without
    /// a press or a mark. Less is better, whatever it begins with.
    pub(super) fn oddness(&self) -> usize {
        self.weight.odd + UNLIKELY * self.forgotten()
    }

    /// Whether it may be believed after so much patience. `unrivalled`: nothing else fits at all.
    pub(super) fn is_believable(&self, patience: Patience, unrivalled: bool) -> bool {
        let between = self.positions.len().saturating_sub(1);
        let most = (AT_REST + PER_ACTION * between).min(MOST_ODD);
        let few = self.weight.odd <= most;
        let most = if self.margin < MARGIN { AT_REST } else { most };
        match patience {
            Patience::None => self.oddness() <= AT_ONCE + UNLIKELY * self.forgotten(),
            Patience::Rest => {
                self.weight.disorder == 0
                    && (self.forgotten == 0 || unrivalled || self.weight.odd <= AT_ONCE)
                    && (unrivalled && few || self.oddness() <= most)
            }
            Patience::Last => {
                (unrivalled && self.weight.odd <= most.max(MOST_AT_LAST))
                    || (self.weight.disorder == 0 && self.oddness() <= most)
            }
            Patience::End => unrivalled || self.weight.disorder == 0,
        }
    }

    /// The same where the action settled last is doubtful, so that all that follows from it is.
    pub(super) fn is_believable_in_doubt(&self, patience: Patience, unrivalled: bool) -> bool {
        match patience {
            Patience::None => false,
            Patience::Rest => self.is_hardly_odd(),
            Patience::Last | Patience::End => {
                self.is_hardly_odd() || (unrivalled && self.forgotten == 0 && self.weight.odd <= AT_REST)
            }
        }
    }

    /// Whether next to nothing is odd about it.
    pub(super) fn is_hardly_odd(&self) -> bool {
        self.oddness() <= AT_ONCE
    }

    /// Whether it changes one of these squares.
    pub(super) fn changes_any(&self, from: &Board, squares: &[Square]) -> bool {
        let mut before = from;
        self.positions.iter().any(|stood| {
            let changed = before.differences(&stood.board).any(|at| squares.contains(&at));
            before = &stood.board;
            changed
        })
    }

    /// The less odd of two ways that end differently.
    pub(super) fn or(self, other: Self) -> Self {
        let margin = self.oddness().abs_diff(other.oddness());
        let mut better = if other.oddness() < self.oddness() { other } else { self };
        better.margin = better.margin.min(margin);
        better
    }

    /// Whether nothing else fits, or only what is far odder.
    pub(super) fn is_only_one(&self) -> bool {
        self.margin > 3 * UNLIKELY
    }

    /// Whether each position on the way was shown as a whole.
    pub(super) fn was_shown(&self) -> bool {
        self.weight.distance == 0
    }
}

/// How long the board was waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// Squares still change, or a press has just come.
    None,
    /// All late updates have had their time.
    Rest,
    /// Updates that were lost have had theirs, too: what was seen out of order must have happened so.
    Last,
    /// Nothing more will come, and nobody can be asked.
    End,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    /// Nothing fits.
    Nothing,
    /// This is it.
    Is(Explanation),
    /// More than one fits, and the way does not tell: the table has to ask.
    Which(Vec<Explanation>),
}

impl Verdict {
    /// What is left of it if only such ways count.
    pub(super) fn retain(self, counts: impl Fn(&Explanation) -> bool) -> Self {
        match self {
            Self::Is(way) if counts(&way) => Self::Is(way),
            Self::Which(ways) => {
                let mut ways: Vec<Explanation> = ways.into_iter().filter(counts).collect();
                match ways.len() {
                    0 => Self::Nothing,
                    1 => Self::Is(ways.swap_remove(0)),
                    _ => Self::Which(ways),
                }
            }
            Self::Is(_) | Self::Nothing => Self::Nothing,
        }
    }
}

/// What the board has shown, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence<'a> {
    pub(super) sight: &'a Sight,
    /// Nothing that was shown before this counts.
    pub(super) since: Instant,
    /// Squares that flicker are not compared.
    pub(super) ignored: &'a [Square],
    /// What the board was taken for before, where that is doubted.
    pub(super) settled: Option<Board>,
    /// The board before the action settled last.
    pub(super) previous: Option<Board>,
    /// Whether only ways count whose positions the board has nearly shown.
    pub(super) seen_only: bool,
    /// Whether nobody presses at this table.
    pub(super) unpressed: bool,
}

/// The most actions tried in a row, where the pictures on the way lead the search.
const MOST_ACTIONS: usize = 8;
/// The most where nothing was seen on the way.
const MOST_UNSEEN: usize = 4;
/// The most explanations compared; more than that is a question anyway.
const MOST_EXPLANATIONS: usize = 24;
/// A position on the way is believed where a picture differs on so many squares at most: the
/// opponent's piece is in the air already, or one update was lost.
const NEARLY: usize = 2;
/// How far the pictures may be from each action of a way, on an average.
const UNSEEN: usize = 2;
/// How odd a way may be while squares still change: a piece in the air, a lift that is late.
const AT_ONCE: usize = 1;
/// And on a board at rest, with so much more for each action before the last: one lost as a whole.
const AT_REST: usize = 2;
const PER_ACTION: usize = 2;
/// Where something else is hardly odder, only what is likely by itself is believed.
const MARGIN: usize = 4;
/// Odder than this is a question.
const MOST_ODD: usize = 6;
/// The same where nothing else fits and all that was lost has been told again.
const MOST_AT_LAST: usize = 6;
/// How many positions are looked at before the search is given up: a few milliseconds.
const MOST_LOOKED_AT: usize = 1_200;

/// Explains what is seen by what waits, from a settled position on.
pub(super) fn explain(from: &Probe, waiting: &[Waiting], evidence: &Evidence) -> Verdict {
    let mut search = Search::new(evidence);
    let actions = count(from, waiting);
    if actions == 0 || actions > MOST_ACTIONS {
        return Verdict::Nothing;
    }
    search.near = (actions > 1).then_some(NEARLY);
    search.go(from, waiting, actions);
    if search.found.is_empty() && actions > 1 && actions <= MOST_UNSEEN && !evidence.seen_only {
        (search.near, search.looked_at) = (None, 0);
        search.go(from, waiting, actions);
    }
    let mut found = search.found;
    for way in &mut found {
        way.weight = weigh(Told {
            previous: evidence.previous.as_ref(),
            root: &from.physical(),
            way: &way.positions,
            pictures: &search.pictures,
            settled: evidence.settled.as_ref(),
        });
    }
    // Unseen positions differ by a move from what was seen before or after them; where more differs, or
    // a position was shown before its turn or long after it, it was another way.
    found.retain(|way| way.weight.distance <= UNSEEN * way.positions.len());
    choose(found)
}

/// Whether this board is the one seen, but for squares that flicker.
pub(super) fn same(board: &Board, seen: &Board, ignored: &[Square]) -> bool {
    board == seen || (!ignored.is_empty() && board.differences(seen).all(|square| ignored.contains(&square)))
}

/// How many actions the waiting needs, whoever they are by.
fn count(from: &Probe, waiting: &[Waiting]) -> usize {
    let Some(mut mover) = from.mover() else { return 0 };
    let mut actions = 0;
    for item in waiting {
        match item {
            Waiting::Press { by, .. } => {
                actions += if *by == mover { 1 } else { 2 };
                mover = by.other();
            }
            Waiting::Unpressed { .. } | Waiting::Standing => {
                actions += 1;
                mover = mover.other();
            }
            Waiting::Held { input: Input::Game(action), .. }
                if action.takes_turn() && action.by() == Some(mover.other()) =>
            {
                actions += 1;
                mover = mover.other();
            }
            Waiting::Held { .. } => {}
        }
    }
    actions
}

struct Search<'a> {
    target: Board,
    ignored: &'a [Square],
    unpressed: bool,
    pictures: Vec<Picture>,
    /// How near a picture has to be to every position on the way.
    near: Option<usize>,
    looked_at: usize,
    steps: Vec<(Step, Instant)>,
    positions: Vec<Stood>,
    found: Vec<Explanation>,
}

/// How an action's turn ended.
#[derive(Clone, Copy)]
struct Ended {
    /// The moment that is written.
    at: Instant,
    /// Whether a press is written.
    pressed: bool,
    /// The moment of its own press, where there was one.
    own_press: Option<Instant>,
    /// Whether the board at rest is all there is.
    alone: bool,
}

impl<'a> Search<'a> {
    fn new(evidence: &Evidence<'a>) -> Self {
        Self {
            target: evidence.sight.board(),
            ignored: evidence.ignored,
            unpressed: evidence.unpressed,
            pictures: evidence.sight.pictures(evidence.since),
            near: None,
            looked_at: 0,
            steps: Vec::new(),
            positions: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Tries all actions for the first thing that waits, then the rest.
    fn go(&mut self, from: &Probe, waiting: &[Waiting], left: usize) {
        let Some((first, rest)) = waiting.split_first() else {
            if same(&from.physical(), &self.target, self.ignored) {
                let weight = Weight::default();
                let (steps, positions) = (self.steps.clone(), self.positions.clone());
                let unpressed = |stood: &&Stood| stood.pressed.is_none() && stood.ended.is_some();
                let forgotten = if self.unpressed { 0 } else { positions.iter().filter(unpressed).count() };
                self.found.push(Explanation { steps, positions, weight, forgotten, margin: usize::MAX });
            }
            return;
        };
        let Some(mover) = from.mover() else { return };
        match first {
            Waiting::Press { by, at } if *by == mover => {
                self.try_all(
                    from,
                    rest,
                    left,
                    Some(Ended { at: *at, pressed: true, own_press: Some(*at), alone: false }),
                );
            }
            // A forgotten press: the first action ended when the other side pressed.
            Waiting::Press { at, .. } => {
                self.try_all(
                    from,
                    waiting,
                    left,
                    Some(Ended { at: *at, pressed: true, own_press: None, alone: false }),
                );
            }
            Waiting::Unpressed { at } => {
                self.try_all(
                    from,
                    rest,
                    left,
                    Some(Ended { at: *at, pressed: true, own_press: None, alone: true }),
                );
            }
            Waiting::Standing => self.try_all(from, rest, left, None),
            Waiting::Held { input, at } => self.go_held(from, (input, *at), waiting, left),
        }
    }

    fn go_held(&mut self, from: &Probe, (input, at): (&Input, Instant), waiting: &[Waiting], left: usize) {
        let action = match input {
            Input::Game(action) if action.takes_turn() => action,
            // An offer, a resignation: it comes in its place and changes no board.
            Input::Game(_) | Input::Common(_) => {
                self.steps.push((Step::Held(input.clone()), at));
                self.go(from, waiting.get(1..).unwrap_or_default(), left);
                self.steps.pop();
                return;
            }
        };
        if action.by() == from.mover() {
            let Some(next) = from.after(action) else { return };
            self.steps.push((Step::Held(input.clone()), at));
            self.go(&next, waiting.get(1..).unwrap_or_default(), left);
            self.steps.pop();
        } else {
            // The line counts as the press of an action that the board shows.
            self.try_all(
                from,
                waiting,
                left,
                Some(Ended { at, pressed: false, own_press: None, alone: false }),
            );
        }
    }

    /// Tries every action that can still lead to the target, and goes on with `waiting` after it.
    fn try_all(&mut self, from: &Probe, waiting: &[Waiting], left: usize, ended: Option<Ended>) {
        let (Some(mover), Some(left)) = (from.mover(), left.checked_sub(1)) else { return };
        for candidate in from.candidates() {
            if self.found.len() >= MOST_EXPLANATIONS || self.looked_at >= MOST_LOOKED_AT {
                return;
            }
            let own_press = ended.and_then(|ended| ended.own_press);
            if !self.within_reach(&candidate.after, left)
                || !self.was_nearly_shown(&candidate, left, own_press)
            {
                continue;
            }
            self.looked_at += 1;
            let Some(next) = from.after_turn(&candidate.action) else { continue };
            let length = self.steps.len();
            if let Some(ended) = ended {
                self.steps.push((Step::Did(candidate.action), ended.at));
                if ended.pressed {
                    self.steps.push((Step::Pressed(mover), ended.at));
                }
            }
            self.positions.push(Stood {
                board: candidate.after,
                pressed: own_press,
                ended: ended.map(|ended| ended.at),
                alone: ended.is_none_or(|ended| ended.alone),
            });
            self.go(&next, waiting, left);
            self.positions.pop();
            self.steps.truncate(length);
        }
    }

    /// Castling changes four squares, en passant three, anything else two or one; hardly ever do
    /// more than two castlings follow each other.
    fn within_reach(&self, board: &Board, actions_left: usize) -> bool {
        let most = match actions_left {
            0 => 0,
            1 => 4,
            more => 2 * more + 4,
        };
        board.distance(&self.target) <= most + self.ignored.len()
    }

    /// Whether some picture comes near a position on the way.
    fn was_nearly_shown(&self, candidate: &Candidate, left: usize, pressed: Option<Instant>) -> bool {
        let Some(near) = self.near.filter(|_| left > 0) else { return true };
        let mut shown =
            self.pictures.iter().filter(|picture| picture.until.is_none() || picture.until >= pressed);
        shown.any(|picture| candidate.after.distance(&picture.board) <= near)
    }
}

/// Of several explanations the one whose positions on the way were shown best, and of those the one
/// shown last.
pub(super) fn choose(mut found: Vec<Explanation>) -> Verdict {
    found.sort_by(|one, other| one.weight.cmp(&other.weight));
    let Some(best) = found.first().map(|best| best.weight.clone()) else { return Verdict::Nothing };
    let next = found.iter().filter(|way| way.weight != best).map(Explanation::oddness).min();
    found.retain(|way| way.weight == best);
    for way in &mut found {
        way.margin = next.map_or(usize::MAX, |next| next.saturating_sub(way.oddness()));
    }
    if found.len() > 1 { Verdict::Which(found) } else { Verdict::Is(found.swap_remove(0)) }
}
