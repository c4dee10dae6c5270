//! Explanations of the presses, lines and board changes that wait: which cost is accepted, and which of several
//! explanations is chosen.
//!
//! `cost.rs` and `weigh.rs` compute the cost of an explanation in squares. This file decides which cost is
//! accepted after which waiting time.

use tabiya_types::{Board, Color, Instant, Square};

use super::cost::{ReachedPosition, UNLIKELY};
use super::sight::Picture;
use super::weigh::Weight;
use crate::rules::Action;
use crate::table::{Common, Input};

/// The greatest cost that is accepted while squares still change. It allows for a piece in the air, or for a
/// late lift.
const AT_ONCE: usize = 1;
/// The greatest cost that is accepted for a single action on a board at rest.
const AT_REST: usize = 2;
/// The additional cost that is accepted for each action before the last one, because all updates of that action
/// may have been lost.
const PER_ACTION: usize = 2;
/// An explanation is a rival of the best one if it costs more by less than this. If the best explanation has a rival,
/// it is accepted only if its own cost is zero.
const MARGIN: usize = 4;
/// An explanation is ignored if it costs at least this much more than the best one.
const FAR_COSTLIER: usize = 3 * UNLIKELY + 1;
/// The greatest cost that is accepted for any explanation on a board at rest. At a greater cost the players are
/// asked.
const MAX_COST: usize = 6;
/// The greatest cost that is accepted if nothing else fits and the board has had time to report all lost updates
/// again.
const MOST_AT_LAST: usize = 6;

/// One line that an explanation adds to the record.
#[derive(Clone, Debug)]
pub(super) enum ExplainedStep {
    /// An action that was understood from the board.
    Did(Action),
    /// The press that ended the turn of an action.
    Pressed(Color),
    /// A line that was entered while earlier presses or lines waited.
    Held(Input),
}

/// A sequence of actions and presses that explains all presses, lines and board changes that wait.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// The steps of the explanation, each with the moment at which it happened.
    pub(super) steps: Vec<(ExplainedStep, Instant)>,
    /// The position after each action of the explanation.
    pub(super) positions: Vec<ReachedPosition>,
    /// How badly the explanation fits the pictures; smaller is better.
    pub(super) weight: Weight,
    /// The number of actions in the explanation whose press was forgotten, so that the turn ended without a
    /// press.
    forgotten: usize,
    /// How much more the next-best explanation costs than this one, in squares.
    margin: usize,
}

impl Explanation {
    /// Makes an explanation whose weight is not computed yet. `unpressed` means that the game is played without
    /// presses, so that no press was forgotten.
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

    /// The inputs that a person would type to enter this explanation.
    pub(super) fn inputs(self) -> impl Iterator<Item = Input> {
        self.steps.into_iter().map(|(step, _)| match step {
            ExplainedStep::Did(action) => Input::Game(action),
            ExplainedStep::Pressed(by) => Input::Common(Common::Press(by)),
            ExplainedStep::Held(input) => input,
        })
    }

    /// Whether the pictures show every moved piece on the square on which its action put it. It is not enough
    /// that the piece is missing from its old square, because a piece in the air looks like a captured one.
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

    /// Whether the pictures of a board that senses only occupancy confirm the actions. Each square that an
    /// action left must be empty in some picture. If the last action captured, the capture square must be
    /// empty in some picture, too. Without such a picture, it is possible that the capturing piece was lifted
    /// but has not captured. The capture squares of earlier actions are not checked, because the two pieces
    /// may have been swapped in one movement.
    pub(super) fn was_felt(&self, pictures: &[Picture]) -> bool {
        self.positions.iter().all(|reached| reached.felt.never_left(&pictures.iter()) == 0)
            && self.positions.last().is_none_or(|last| last.felt.never_taken(pictures.iter()) == 0)
    }

    /// The number of actions in the explanation whose press was forgotten, so that the turn ended without a
    /// press.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// How unlikely the explanation is, in squares; smaller is better. This is the cost of its differences from the
    /// pictures plus the cost of its forgotten presses. The costs of two explanations can be compared even if the
    /// explanations begin at different positions.
    pub(super) fn cost(&self) -> usize {
        self.weight.picture_cost + UNLIKELY * self.forgotten()
    }

    /// Whether the explanation's cost is acceptable after this waiting time. `unrivalled` means that no other
    /// explanation fits, or that all others cost far more.
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

    /// Whether the explanation's cost is acceptable although the last settled action is doubtful. The limit is
    /// lower than without this doubt. It is lowest if the piece of the doubtful action was seen `elsewhere`.
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

    /// Whether the explanation costs at most one square.
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

    /// The cheaper of two explanations that end with different actions. It stores how much more the other explanation
    /// costs, so that the other explanation counts as its rival if the difference is small.
    pub(super) fn or(self, other: Self) -> Self {
        let margin = self.cost().abs_diff(other.cost());
        let mut better = if other.cost() < self.cost() { other } else { self };
        better.margin = better.margin.min(margin);
        better
    }

    /// Whether another explanation costs only a little more than this one.
    fn is_rivalled(&self) -> bool {
        self.margin < MARGIN
    }

    /// Whether this explanation and `other` cost almost the same.
    pub(super) fn is_close_to(&self, other: &Self) -> bool {
        self.cost().abs_diff(other.cost()) < UNLIKELY
    }

    /// Whether every other explanation that fits costs far more than this one.
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
    /// The tracker has waited so long that the board has reported lost updates again. From now on, actions that the
    /// pictures show out of order no longer speak against an explanation.
    Last,
    /// The input has ended: no more updates will come, and nobody can be asked.
    End,
}

/// The result of a search for explanations.
#[derive(Clone, Debug)]
pub(super) enum SearchResult {
    /// No explanation fits.
    Nothing,
    /// One explanation fits, or fits best.
    Unique(Explanation),
    /// Several explanations fit equally well, so the players have to be asked.
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

/// Chooses the explanation with the least weight: the one whose positions the pictures of the board show best. If
/// several fit equally well, it chooses the one whose positions were shown most recently. `cut_off` means that the
/// search stopped early, so that equally good explanations may be missing.
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
