//! A way to explain what waits, how far it may be believed, and which of several is the right one.
//!
//! All that is odd about a way is counted in squares (`odd.rs`); here stands how much of it is borne, and
//! for how long the board is waited for before.

use tabiya_types::{Board, Color, Instant, Square};

use super::cost::{ReachedPosition, UNLIKELY};
use super::sight::Picture;
use super::weigh::Weight;
use crate::rules::Action;
use crate::table::{Common, Input};

/// How odd a way may be while squares still change: a piece in the air, a lift that is late.
const AT_ONCE: usize = 1;
/// And on a board at rest, with so much more for each action before the last: one lost as a whole.
const AT_REST: usize = 2;
const PER_ACTION: usize = 2;
/// Where something else is hardly odder, only what has nothing odd about it is believed.
const MARGIN: usize = 4;
/// What is so much odder is no rival at all.
const FAR_COSTLIER: usize = 3 * UNLIKELY + 1;
/// Odder than this is a question.
const MAX_COST: usize = 6;
/// The same where nothing else fits and all that was lost has been told again.
const MOST_AT_LAST: usize = 6;

/// One thing to write, and the moment at which it happened.
#[derive(Clone, Debug)]
pub(super) enum ExplainedStep {
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
    pub(super) steps: Vec<(ExplainedStep, Instant)>,
    /// The boards after each action, and when their turns ended where a press tells it.
    pub(super) positions: Vec<ReachedPosition>,
    /// How far the pictures on the way are from it.
    pub(super) weight: Weight,
    /// How many of its actions were never pressed for, although it goes on after them.
    forgotten: usize,
    /// How much odder the next way is that fits.
    margin: usize,
}

impl Explanation {
    /// A way that was found and is still to be weighed. `unpressed`: nobody presses at this table, so that
    /// nothing was forgotten.
    pub(super) fn found(
        steps: Vec<(ExplainedStep, Instant)>,
        positions: Vec<ReachedPosition>,
        unpressed: bool,
    ) -> Self {
        let without_press = |stood: &&ReachedPosition| stood.pressed.is_none() && stood.ended.is_some();
        let forgotten = if unpressed { 0 } else { positions.iter().filter(without_press).count() };
        Self { steps, positions, weight: Weight::default(), forgotten, margin: usize::MAX }
    }

    /// The actions in it.
    pub(super) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.steps.iter().filter_map(|(step, _)| match step {
            ExplainedStep::Did(action) => Some(action),
            ExplainedStep::Pressed(_) | ExplainedStep::Held(_) => None,
        })
    }

    /// What a person would enter for it.
    pub(super) fn inputs(self) -> impl Iterator<Item = Input> {
        self.steps.into_iter().map(|(step, _)| match step {
            ExplainedStep::Did(action) => Input::Game(action),
            ExplainedStep::Pressed(by) => Input::Common(Common::Press(by)),
            ExplainedStep::Held(input) => input,
        })
    }

    /// Whether every action has left its mark: its piece stands where it went, or was seen there.
    /// A piece in the air looks like a captured one, so that what is only missing proves nothing.
    pub(super) fn left_marks(&self, from: &Board, pictures: &[Picture]) -> bool {
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

    /// Whether all squares that its actions left were seen empty, if the board cannot tell one piece from another,
    /// and what the last one took: otherwise it may be that something was only lifted. What was taken before that
    /// may have been swapped in one hand.
    pub(super) fn was_felt(&self, pictures: &[Picture]) -> bool {
        self.positions.iter().all(|stood| stood.felt.never_left(&pictures.iter()) == 0)
            && self.positions.last().is_none_or(|last| last.felt.never_taken(pictures.iter()) == 0)
    }

    /// How many actions in it were never pressed for, although it goes on after them.
    pub(super) fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// How much about it is odd: squares that the pictures nearest to it show otherwise, actions without
    /// a press or a mark. Less is better, whatever it begins with.
    pub(super) fn cost(&self) -> usize {
        self.weight.odd + UNLIKELY * self.forgotten()
    }

    /// Whether it may be believed after so much patience. `unrivalled`: nothing else fits at all.
    pub(super) fn is_believable(&self, patience: Patience, unrivalled: bool) -> bool {
        let between = self.positions.len().saturating_sub(1);
        let most = (AT_REST + PER_ACTION * between).min(MAX_COST);
        let few = self.weight.odd <= most;
        let most = if self.is_rivalled() { 0 } else { most };
        match patience {
            Patience::None => self.weight.odd == 0 || (self.weight.odd <= AT_ONCE && !self.is_rivalled()),
            Patience::Rest => {
                self.weight.disorder == 0
                    && (self.forgotten == 0 || unrivalled || self.weight.odd <= AT_ONCE)
                    && (unrivalled && few || self.cost() <= most)
            }
            Patience::Last => {
                // A press that was forgotten and a mark that came too late are one thing too much.
                let in_order = self.weight.disorder == 0;
                (unrivalled && self.weight.odd <= MOST_AT_LAST && (in_order || self.forgotten == 0))
                    || (in_order && self.cost() <= most)
            }
            Patience::End => unrivalled || self.weight.disorder == 0,
        }
    }

    /// The same where the action settled last is doubtful, so that all that follows from it is; all the more
    /// if its piece was seen `elsewhere`.
    pub(super) fn is_believable_in_doubt(
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
                self.is_nearly_free() || (unrivalled && !forgets && self.weight.odd <= most)
            }
        }
    }

    /// Whether next to nothing is odd about it.
    pub(super) fn is_nearly_free(&self) -> bool {
        self.cost() <= AT_ONCE
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
        let margin = self.cost().abs_diff(other.cost());
        let mut better = if other.cost() < self.cost() { other } else { self };
        better.margin = better.margin.min(margin);
        better
    }

    /// Whether something else is hardly odder.
    fn is_rivalled(&self) -> bool {
        self.margin < MARGIN
    }

    /// Whether it is hardly more or less odd than another one.
    pub(super) fn is_close_to(&self, other: &Self) -> bool {
        self.cost().abs_diff(other.cost()) < UNLIKELY
    }

    /// Whether nothing else fits, or only what is far odder.
    pub(super) fn is_only_one(&self) -> bool {
        self.margin >= FAR_COSTLIER
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
pub(super) enum SearchResult {
    /// Nothing fits.
    Nothing,
    /// This is it.
    Is(Explanation),
    /// More than one fits, and the way does not tell: the table has to ask.
    Which(Vec<Explanation>),
}

impl SearchResult {
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

/// Of several explanations the one whose positions on the way were shown best, and of those the one
/// shown last. `cut_off`: there may be others that are as good.
pub(super) fn choose(mut found: Vec<Explanation>, cut_off: bool) -> SearchResult {
    found.sort_by(|one, other| one.weight.cmp(&other.weight));
    let Some(best) = found.first().map(|best| best.weight.clone()) else { return SearchResult::Nothing };
    let next = found.iter().filter(|way| way.weight != best).map(Explanation::cost).min();
    found.retain(|way| way.weight == best);
    for way in &mut found {
        let margin = next.map_or(usize::MAX, |next| next.saturating_sub(way.cost()));
        way.margin = if cut_off { 0 } else { margin };
    }
    if found.len() > 1 { SearchResult::Which(found) } else { SearchResult::Is(found.swap_remove(0)) }
}
