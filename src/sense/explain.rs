//! Finds the actions that lead from a settled position to the board as it is seen.
//!
//! Positions first: the way there is only asked where several explanations remain (record, "What
//! was seen, and what was understood" 3). How well a way fits the pictures is `weigh.rs`'s.

use tabiya_types::{Board, Color, Instant, Square};

use super::cost::{ReachedPosition, ShownPath};
use super::explanation::{ExplainedStep, Explanation, SearchResult, choose};
use super::sight::{Picture, Sight};
use super::weigh::weigh;
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

/// What the board has shown, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardEvidence<'a> {
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
/// The most explanations compared.
const MOST_EXPLANATIONS: usize = 24;
/// A position on the way is believed where a picture differs on so many squares at most: the
/// opponent's piece is in the air already, or one update was lost.
const NEARLY: usize = 2;
/// How far the pictures may be from each action of a way, on an average.
const UNSEEN: usize = 2;
/// How many positions are looked at before the search is given up: a few milliseconds. What was found until
/// then may have rivals that were not.
const MOST_LOOKED_AT: usize = 1_200;

/// Explains what is seen by what waits, from a settled position on.
pub(super) fn explain(from: &Probe, waiting: &[Waiting], evidence: &BoardEvidence) -> SearchResult {
    let mut search = Search::new(evidence);
    let actions = count(from, waiting);
    if actions == 0 || actions > MOST_ACTIONS {
        return SearchResult::Nothing;
    }
    search.near = (actions > 1).then_some(NEARLY);
    search.go(from, waiting, actions);
    if search.found.is_empty() && actions > 1 && actions <= MOST_UNSEEN && !evidence.seen_only {
        (search.near, search.looked_at) = (None, 0);
        search.go(from, waiting, actions);
    }
    let mut found = search.found;
    for way in &mut found {
        way.weight = weigh(ShownPath {
            previous: evidence.previous.as_ref(),
            root: &evidence.sight.view(&from.physical()),
            way: &way.positions,
            pictures: &search.pictures,
            settled: evidence.settled.as_ref(),
        });
    }
    // Unseen positions differ by a move from what was seen before or after them; where more differs, or
    // a position was shown before its turn or long after it, it was another way.
    found.retain(|way| way.weight.distance <= UNSEEN * way.positions.len());
    choose(found, search.cut_off)
}

/// Whether this board is the one seen, but for squares that flicker.
fn same(board: &Board, seen: &Board, ignored: &[Square]) -> bool {
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
            Waiting::Held { input: Input::Game(action), .. } if action.takes_turn() => {
                if action.by() == Some(mover.other()) {
                    actions += 1;
                    mover = mover.other();
                }
                // What was typed is to be seen as well, but for a card that was turned over.
                actions += usize::from(action.changes_board());
            }
            Waiting::Held { .. } => {}
        }
    }
    actions
}

struct Search<'a> {
    sight: &'a Sight,
    target: Board,
    ignored: &'a [Square],
    unpressed: bool,
    pictures: Vec<Picture>,
    /// How near a picture has to be to every position on the way.
    near: Option<usize>,
    looked_at: usize,
    /// Whether it was given up before all was tried.
    cut_off: bool,
    steps: Vec<(ExplainedStep, Instant)>,
    positions: Vec<ReachedPosition>,
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
    fn new(evidence: &BoardEvidence<'a>) -> Self {
        Self {
            sight: evidence.sight,
            target: evidence.sight.board(),
            ignored: evidence.ignored,
            unpressed: evidence.unpressed,
            pictures: evidence.sight.pictures(evidence.since),
            near: None,
            looked_at: 0,
            cut_off: false,
            steps: Vec::new(),
            positions: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Tries all actions for the first thing that waits, then the rest.
    fn go(&mut self, from: &Probe, waiting: &[Waiting], left: usize) {
        let Some((first, rest)) = waiting.split_first() else {
            if same(&self.sight.view(&from.physical()), &self.target, self.ignored) {
                let (steps, positions) = (self.steps.clone(), self.positions.clone());
                self.found.push(Explanation::found(steps, positions, self.unpressed));
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
                self.steps.push((ExplainedStep::Held(input.clone()), at));
                self.go(from, waiting.get(1..).unwrap_or_default(), left);
                self.steps.pop();
                return;
            }
        };
        if action.by() == from.mover() {
            let Some(next) = from.after(action) else { return };
            let left = left.saturating_sub(usize::from(next.physical() != from.physical()));
            self.steps.push((ExplainedStep::Held(input.clone()), at));
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
        // The last action leaves the board that is seen, where the board tells its pieces.
        let candidates = match left {
            0 if self.sight.tells_pieces() => from.candidates_for(&self.target),
            _ => from.candidates(),
        };
        for candidate in candidates {
            let after = self.sight.view(&candidate.after);
            if self.found.len() >= MOST_EXPLANATIONS || self.looked_at >= MOST_LOOKED_AT {
                self.cut_off = true;
                return;
            }
            let own_press = ended.and_then(|ended| ended.own_press);
            if !self.within_reach(&after, left) || !self.was_nearly_shown(&after, left, own_press) {
                continue;
            }
            self.looked_at += 1;
            let Some(next) = from.after_turn(&candidate.action) else { continue };
            let length = self.steps.len();
            if let Some(ended) = ended {
                self.steps.push((ExplainedStep::Did(candidate.action), ended.at));
                if ended.pressed {
                    self.steps.push((ExplainedStep::Pressed(mover), ended.at));
                }
            }
            self.positions.push(ReachedPosition {
                board: after,
                felt: self.sight.felt(&from.physical(), &candidate.after),
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
    fn was_nearly_shown(&self, after: &Board, left: usize, pressed: Option<Instant>) -> bool {
        let Some(near) = self.near.filter(|_| left > 0) else { return true };
        let mut shown =
            self.pictures.iter().filter(|picture| picture.until.is_none() || picture.until >= pressed);
        shown.any(|picture| after.distance(&picture.board) <= near)
    }
}
