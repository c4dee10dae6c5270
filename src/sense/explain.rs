//! Finds the actions that lead from a settled position to the board as it is seen.
//!
//! Positions first: the way there is only asked where several explanations remain (record, "What
//! was seen, and what was understood" 3).

use std::cmp::Reverse;

use super::sight::Sight;
use crate::clock::Instant;
use crate::rules::{Action, Board, Color, Square};
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
    /// The boards between the actions.
    between: Vec<Board>,
}

impl Explanation {
    /// The actions in it.
    pub(super) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.steps.iter().filter_map(|(step, _)| match step {
            Step::Did(action) => Some(action),
            Step::Pressed(_) | Step::Held(_) => None,
        })
    }
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

/// The most actions tried in a row. Four replies without one quiet moment are beyond any hand.
const MOST_ACTIONS: usize = 4;
/// The most explanations compared; more than that is a question anyway.
const MOST_EXPLANATIONS: usize = 12;

/// Explains `seen` by what waits, from a settled position on. `ignored` squares are not compared.
pub(super) fn explain(from: &Probe, waiting: &[Waiting], sight: &Sight, ignored: &[Square]) -> Verdict {
    let mut search = Search { target: sight.board(), ignored, found: Vec::new() };
    let actions = search.count(from, waiting);
    if actions == 0 || actions > MOST_ACTIONS {
        return Verdict::Nothing;
    }
    search.go(from, waiting, actions, &mut Vec::new(), &mut Vec::new());
    choose(search.found, sight)
}

/// Whether this board is the one seen, but for squares that flicker.
pub(super) fn same(board: &Board, seen: &Board, ignored: &[Square]) -> bool {
    board == seen || (!ignored.is_empty() && board.differences(seen).all(|square| ignored.contains(&square)))
}

struct Search<'a> {
    target: Board,
    ignored: &'a [Square],
    found: Vec<Explanation>,
}

impl Search<'_> {
    /// How many actions the waiting needs, whoever they are by.
    fn count(&self, from: &Probe, waiting: &[Waiting]) -> usize {
        let Some(mut mover) = from.mover() else { return 0 };
        let mut actions = 0;
        for item in waiting {
            match item {
                Waiting::Press { by, .. } => {
                    actions += if *by == mover { 1 } else { 2 };
                    mover = by.other();
                }
                Waiting::Unpressed { .. } => {
                    actions += 1;
                    mover = mover.other();
                }
                Waiting::Held { input: Input::Game(action), .. } if action.by() == Some(mover.other()) => {
                    actions += 1;
                    mover = mover.other();
                }
                Waiting::Held { .. } => {}
            }
        }
        actions
    }

    /// Tries all actions for the first thing that waits, then the rest.
    fn go(
        &mut self,
        from: &Probe,
        waiting: &[Waiting],
        left: usize,
        steps: &mut Vec<(Step, Instant)>,
        between: &mut Vec<Board>,
    ) {
        let Some((first, rest)) = waiting.split_first() else {
            if same(&from.physical(), &self.target, self.ignored) {
                let between = between.split_last().map_or_else(Vec::new, |(_, between)| between.to_vec());
                self.found.push(Explanation { steps: steps.clone(), between });
            }
            return;
        };
        let Some(mover) = from.mover() else { return };
        match first {
            Waiting::Press { by, at } if *by == mover => {
                self.try_all(
                    from,
                    left,
                    steps,
                    between,
                    (*at, true),
                    |search, next, left, steps, between| {
                        search.go(next, rest, left, steps, between);
                    },
                );
            }
            // A forgotten press: the first action ended when the other side pressed.
            Waiting::Press { at, .. } => {
                self.try_all(
                    from,
                    left,
                    steps,
                    between,
                    (*at, true),
                    |search, next, left, steps, between| {
                        search.go(next, waiting, left, steps, between);
                    },
                );
            }
            Waiting::Unpressed { at } => {
                self.try_all(
                    from,
                    left,
                    steps,
                    between,
                    (*at, true),
                    |search, next, left, steps, between| {
                        search.go(next, rest, left, steps, between);
                    },
                );
            }
            Waiting::Held { input, at } => self.go_held(from, (input, *at), waiting, left, steps, between),
        }
    }

    fn go_held(
        &mut self,
        from: &Probe,
        (input, at): (&Input, Instant),
        waiting: &[Waiting],
        left: usize,
        steps: &mut Vec<(Step, Instant)>,
        between: &mut Vec<Board>,
    ) {
        let Input::Game(action) = input else { return };
        if action.by() == from.mover() {
            let Some(next) = from.after(action) else { return };
            steps.push((Step::Held(input.clone()), at));
            self.go(&next, waiting.get(1..).unwrap_or_default(), left, steps, between);
            steps.pop();
        } else {
            // The line counts as the press of an action that the board shows.
            self.try_all(from, left, steps, between, (at, false), |search, next, left, steps, between| {
                search.go(next, waiting, left, steps, between);
            });
        }
    }

    /// Tries every action that can still lead to the target.
    fn try_all(
        &mut self,
        from: &Probe,
        left: usize,
        steps: &mut Vec<(Step, Instant)>,
        between: &mut Vec<Board>,
        (at, pressed): (Instant, bool),
        mut go_on: impl FnMut(&mut Self, &Probe, usize, &mut Vec<(Step, Instant)>, &mut Vec<Board>),
    ) {
        let (Some(mover), Some(left)) = (from.mover(), left.checked_sub(1)) else { return };
        for candidate in from.candidates() {
            if self.found.len() >= MOST_EXPLANATIONS {
                return;
            }
            if !self.within_reach(&candidate.after, left) {
                continue;
            }
            let Some(next) = from.after_turn(&candidate.action) else { continue };
            let length = steps.len();
            steps.push((Step::Did(candidate.action), at));
            if pressed {
                steps.push((Step::Pressed(mover), at));
            }
            between.push(candidate.after);
            go_on(self, &next, left, steps, between);
            between.pop();
            steps.truncate(length);
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
}

/// Of several explanations the one whose positions on the way were shown, and of those the one
/// shown last.
fn choose(mut found: Vec<Explanation>, sight: &Sight) -> Verdict {
    match found.len() {
        0 => return Verdict::Nothing,
        1 => return found.pop().map_or(Verdict::Nothing, Verdict::Is),
        _ => {}
    }
    let whole = |explanation: &Explanation| -> Option<Vec<Instant>> {
        explanation.between.iter().map(|board| sight.last_shown(board)).collect()
    };
    if let Some(best) = only_best(&found, |explanation| whole(explanation).map(|shown| (shown.len(), shown)))
    {
        return Verdict::Is(best);
    }
    // In a fast exchange no picture was ever quiet: single squares must do.
    let squares = |explanation: &Explanation| -> Option<(usize, Vec<Instant>)> {
        let others = || found.iter().flat_map(|other| &other.between);
        let mut shown = Vec::new();
        let mut seen = 0;
        for board in &explanation.between {
            let telling =
                Square::all().filter(|square| others().any(|other| other[*square] != board[*square]));
            for square in telling {
                if let Some(at) = sight.last_showed(square, board[square]).filter(|_| board[square].is_some())
                {
                    seen += 1;
                    shown.push(at);
                }
            }
        }
        shown.sort_unstable_by_key(|at| Reverse(*at));
        (seen > 0).then_some((seen, shown))
    };
    match only_best(&found, squares) {
        Some(best) => Verdict::Is(best),
        None => Verdict::Which(found),
    }
}

/// The explanation with the highest rank, if no other has the same.
fn only_best<R: Ord>(found: &[Explanation], rank: impl Fn(&Explanation) -> Option<R>) -> Option<Explanation> {
    let mut ranked: Vec<(R, &Explanation)> =
        found.iter().filter_map(|explanation| rank(explanation).map(|rank| (rank, explanation))).collect();
    ranked.sort_by(|(one, _), (other, _)| other.cmp(one));
    match ranked.as_slice() {
        [(_, only)] => Some((*only).clone()),
        [(first, best), (second, _), ..] if first > second => Some((*best).clone()),
        _ => None,
    }
}
