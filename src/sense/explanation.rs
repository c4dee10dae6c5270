//! Explanations of what waits: how much one may cost to be accepted, and how one of several is chosen.
//!
//! `cost.rs` and `weigh.rs` compute the cost of an explanation in squares. This file decides which cost is
//! accepted after which waiting time.

use tabiya_types::{Board, Color, Instant, Square};

use super::cost::{ReachedPosition, UNLIKELY};
use super::sight::Picture;
use super::weigh::Weight;
use crate::rules::Action;
use crate::table::{Common, Input};

/// The greatest cost while squares still change: a piece in the air, or a late lift.
const AT_ONCE: usize = 1;
/// The greatest cost of a single action on a board at rest.
const AT_REST: usize = 2;
/// What each action before the last may add to [`AT_REST`]: all its updates may have been lost.
const PER_ACTION: usize = 2;
/// An explanation that costs less than this more than the best one is a rival. The best one is then accepted
/// only at a cost of zero.
const MARGIN: usize = 4;
/// An explanation that costs at least this much more than the best one is ignored.
const FAR_COSTLIER: usize = 3 * UNLIKELY + 1;
/// The greatest cost of any explanation on a board at rest; above it, the players are asked.
const MAX_COST: usize = 6;
/// The greatest cost if nothing else fits and the board has had time to report all lost updates again.
const MOST_AT_LAST: usize = 6;

/// One line that an explanation adds to the record.
#[derive(Clone, Debug)]
pub(super) enum ExplainedStep {
    /// An action that was understood from the board.
    Did(Action),
    /// The press that ended the turn of an action.
    Pressed(Color),
    /// A line that was entered while something waited.
    Held(Input),
}

/// A sequence of actions and presses that explains everything that waits.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// The steps of the explanation, each with the moment at which it happened.
    pub(super) steps: Vec<(ExplainedStep, Instant)>,
    /// The position after each action of the explanation.
    pub(super) positions: Vec<ReachedPosition>,
    /// How badly the explanation fits the pictures.
    pub(super) weight: Weight,
    /// How many actions of the explanation have a forgotten press: the turn ended without a press.
    forgotten: usize,
    /// How much more the next-best explanation costs, in squares.
    margin: usize,
}

impl Explanation {
    /// An explanation that is not weighed yet. `unpressed`: this table is played without presses, so no press
    /// was forgotten.
    pub(super) fn found(
        steps: Vec<(ExplainedStep, Instant)>,
        positions: Vec<ReachedPosition>,
        unpressed: bool,
    ) -> Self {
        let without_press = |reached: &&ReachedPosition| reached.pressed.is_none() && reached.ended.is_some();
        let forgotten = if unpressed { 0 } else { positions.iter().filter(without_press).count() };
        Self { steps, positions, weight: Weight::default(), forgotten, margin: usize::MAX }
    }

    /// The actions that were understood from the board.
    pub(super) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.steps.iter().filter_map(|(step, _)| match step {
            ExplainedStep::Did(action) => Some(action),
            ExplainedStep::Pressed(_) | ExplainedStep::Held(_) => None,
        })
    }

    /// The inputs that a person would type instead.
    pub(super) fn inputs(self) -> impl Iterator<Item = Input> {
        self.steps.into_iter().map(|(step, _)| match step {
            ExplainedStep::Did(action) => Input::Game(action),
            ExplainedStep::Pressed(by) => Input::Common(Common::Press(by)),
            ExplainedStep::Held(input) => input,
        })
    }

    /// Whether the pictures show every moved piece on the square to which its action put it. A missing piece
    /// proves nothing, because a piece in the air looks like a captured one.
    pub(super) fn left_marks(&self, from: &Board, pictures: &[Picture]) -> bool {
        let mut before = *from;
        self.positions.iter().all(|reached| {
            let after = reached.board;
            let seen = before
                .differences(&after)
                .filter(|square| after[*square].is_some())
                .all(|square| pictures.iter().any(|picture| picture.board[square] == after[square]));
            before = after;
            seen
        })
    }

    /// Whether an occupancy board showed all squares empty that the actions left, and the square on which the
    /// last action captured: otherwise that piece may only have been lifted. In earlier captures the two pieces
    /// may have been swapped in one movement.
    pub(super) fn was_felt(&self, pictures: &[Picture]) -> bool {
        self.positions.iter().all(|reached| reached.felt.never_left(&pictures.iter()) == 0)
            && self.positions.last().is_none_or(|last| last.felt.never_taken(pictures.iter()) == 0)
    }

    /// How many actions of the explanation have a forgotten press: the turn ended without a press.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// How unlikely the explanation is, in squares: the cost of its differences from the pictures, and of
    /// forgotten presses. Even explanations that begin at different positions can be compared by their costs.
    pub(super) fn cost(&self) -> usize {
        self.weight.picture_cost + UNLIKELY * self.forgotten()
    }

    /// Whether the explanation's cost is acceptable after this waiting time. `unrivalled`: every other
    /// explanation costs far more, or none fits.
    pub(super) fn is_acceptable(&self, patience: Patience, unrivalled: bool) -> bool {
        let between = self.positions.len().saturating_sub(1);
        let most = (AT_REST + PER_ACTION * between).min(MAX_COST);
        let few = self.weight.picture_cost <= most;
        let most = if self.is_rivalled() { 0 } else { most };
        match patience {
            Patience::None => {
                self.weight.picture_cost == 0 || (self.weight.picture_cost <= AT_ONCE && !self.is_rivalled())
            }
            Patience::Rest => {
                self.weight.disorder == 0
                    && (self.forgotten == 0 || unrivalled || self.weight.picture_cost <= AT_ONCE)
                    && (unrivalled && few || self.cost() <= most)
            }
            Patience::Last => {
                // A forgotten press together with an action that the board showed too late is too unlikely.
                let in_order = self.weight.disorder == 0;
                (unrivalled && self.weight.picture_cost <= MOST_AT_LAST && (in_order || self.forgotten == 0))
                    || (in_order && self.cost() <= most)
            }
            Patience::End => unrivalled || self.weight.disorder == 0,
        }
    }

    /// Whether the explanation's cost is acceptable although the action that settled last is doubtful. The limit
    /// is lower than without this doubt, and lowest if that action's piece was seen `elsewhere`.
    pub(super) fn is_acceptable_in_doubt(
        &self,
        patience: Patience,
        unrivalled: bool,
        elsewhere: bool,
    ) -> bool {
        match patience {
            Patience::None => false,
            Patience::Rest => self.is_nearly_free(),
            Patience::Last | Patience::End => {
                let most = match (self.forgotten, self.weight.disorder) {
                    (0, _) => AT_REST,
                    (1, 0) if !elsewhere => AT_ONCE,
                    _ => 0,
                };
                let forgets = self.forgotten > usize::from(!elsewhere);
                self.is_nearly_free() || (unrivalled && !forgets && self.weight.picture_cost <= most)
            }
        }
    }

    /// Whether the explanation costs one square at most.
    pub(super) fn is_nearly_free(&self) -> bool {
        self.cost() <= AT_ONCE
    }

    /// Whether an action of the explanation changes one of these squares.
    pub(super) fn changes_any(&self, from: &Board, squares: &[Square]) -> bool {
        let mut before = from;
        self.positions.iter().any(|reached| {
            let changed = before.differences(&reached.board).any(|at| squares.contains(&at));
            before = &reached.board;
            changed
        })
    }

    /// The cheaper of two explanations that end differently; the other one counts as its rival.
    pub(super) fn or(self, other: Self) -> Self {
        let margin = self.cost().abs_diff(other.cost());
        let mut better = if other.cost() < self.cost() { other } else { self };
        better.margin = better.margin.min(margin);
        better
    }

    /// Whether another explanation costs hardly more.
    fn is_rivalled(&self) -> bool {
        self.margin < MARGIN
    }

    /// Whether the two explanations cost almost the same.
    pub(super) fn is_close_to(&self, other: &Self) -> bool {
        self.cost().abs_diff(other.cost()) < UNLIKELY
    }

    /// Whether every other explanation that fits costs far more.
    pub(super) fn is_only_one(&self) -> bool {
        self.margin >= FAR_COSTLIER
    }

    /// Whether the board showed every intermediate position exactly.
    pub(super) fn was_shown(&self) -> bool {
        self.weight.distance == 0
    }
}

/// How long the tracker has waited for updates of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// The tracker has not waited: squares still change, or a press has just come.
    None,
    /// The tracker has waited long enough for all late updates.
    Rest,
    /// The tracker has waited long enough for lost updates to be reported again. Actions that the board still
    /// shows out of order were played in that order.
    Last,
    /// The input has ended: no more updates will come, and there is no one to ask.
    End,
}

/// The result of a search for explanations.
#[derive(Clone, Debug)]
pub(super) enum SearchResult {
    /// No explanation fits.
    Nothing,
    /// One explanation fits, or fits best.
    Unique(Explanation),
    /// Several explanations fit equally well: the table has to ask.
    Ambiguous(Vec<Explanation>),
}

impl SearchResult {
    /// The result without the explanations for which `counts` returns `false`.
    pub(super) fn retain(self, counts: impl Fn(&Explanation) -> bool) -> Self {
        match self {
            Self::Unique(explanation) if counts(&explanation) => Self::Unique(explanation),
            Self::Ambiguous(explanations) => {
                let mut explanations: Vec<Explanation> = explanations.into_iter().filter(counts).collect();
                match explanations.len() {
                    0 => Self::Nothing,
                    1 => Self::Unique(explanations.swap_remove(0)),
                    _ => Self::Ambiguous(explanations),
                }
            }
            Self::Unique(_) | Self::Nothing => Self::Nothing,
        }
    }
}

/// Chooses the explanation with the least weight: the one whose positions were shown best and, of several,
/// the one that was shown last. `cut_off`: the search stopped early, so equally good ones may be missing.
pub(super) fn choose(mut found: Vec<Explanation>, cut_off: bool) -> SearchResult {
    found.sort_by(|one, other| one.weight.cmp(&other.weight));
    let Some(best) = found.first().map(|best| best.weight.clone()) else { return SearchResult::Nothing };
    let next = found.iter().filter(|explanation| explanation.weight != best).map(Explanation::cost).min();
    found.retain(|explanation| explanation.weight == best);
    for explanation in &mut found {
        let margin = next.map_or(usize::MAX, |next| next.saturating_sub(explanation.cost()));
        explanation.margin = if cut_off { 0 } else { margin };
    }
    if found.len() > 1 { SearchResult::Ambiguous(found) } else { SearchResult::Unique(found.swap_remove(0)) }
}
