//! Finds the actions that lead from a settled position to the board that is shown now.
//!
//! The search first compares the final position of each explanation with the board. If several explanations remain,
//! the search also compares what the board showed on the way (`docs/record.md`, "What was seen, and what was
//! understood", rule 3). `weigh.rs` computes how well an explanation fits the pictures that the board has shown.

use tabiya_types::{Board, Color, Instant, Square};

use super::cost::{ReachedPosition, ShownPath};
use super::explanation::{ExplainedStep, Explanation, SearchResult, choose};
use super::sight::{Picture, Sight};
use super::weigh::weigh;
use crate::table::{Input, Probe};

/// A press, a line or a change of the board that waits for an explanation.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    /// A clock press that no action explained at first: when the press came, the board did not show a matching action.
    Press {
        /// The side that pressed.
        by: Color,
        /// The time of the press.
        at: Instant,
    },
    /// A line that was entered while earlier items waited. The line takes effect after these items.
    Held {
        /// The input of the line.
        input: Input,
        /// The time at which the line was entered.
        at: Instant,
    },
    /// An action for which no press came: the board has changed, so some action was made.
    Unpressed {
        /// The time of the board's last change.
        at: Instant,
    },
    /// An action that the board shows but whose press has not come yet. This is always the last item.
    Standing,
}

impl Waiting {
    /// The side and the moment of a press; `None` for anything else.
    pub(super) fn press(&self) -> Option<(Color, Instant)> {
        match self {
            Self::Press { by, at } => Some((*by, *at)),
            Self::Held { .. } | Self::Unpressed { .. } | Self::Standing => None,
        }
    }
}

/// The evidence about the board that the search uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardEvidence<'a> {
    pub(super) sight: &'a Sight,
    /// The moment from which pictures count. Earlier pictures are ignored.
    pub(super) since: Instant,
    /// The squares that flicker and are therefore not compared.
    pub(super) ignored: &'a [Square],
    /// The board after the first of the settled actions that the explanation would replace; `None` if the
    /// explanation would replace no settled action.
    pub(super) settled: Option<Board>,
    /// The explanation may leave earlier settled actions as they are. This is the board before the last of those
    /// actions; `None` if there are none.
    pub(super) previous: Option<Board>,
    /// Whether the board must have shown, at least nearly, every position of an explanation.
    pub(super) seen_only: bool,
    /// Whether the game is played without presses.
    pub(super) unpressed: bool,
}

/// The greatest number of actions in one explanation, if the pictures must show the positions between these actions.
const MOST_ACTIONS: usize = 8;
/// The greatest number of actions in one explanation, if the pictures need not show the positions between these
/// actions.
const MOST_UNSEEN: usize = 4;
/// The most explanations that are compared.
const MOST_EXPLANATIONS: usize = 24;
/// The greatest number of squares on which a picture may differ from an intermediate position and still count
/// as showing this position. The opponent's piece may be in the air already, or an update may be lost.
const NEARLY: usize = 2;
/// The greatest number of squares, on average per action, on which the pictures may differ from an
/// explanation.
const MAX_MEAN_DISTANCE: usize = 2;
/// The number of positions after which the search stops. Trying so many takes a few milliseconds. If the
/// search stops here, it may have missed equally good explanations.
const MOST_TRIED: usize = 1_200;

/// Finds the explanations of the board that is shown. An explanation starts from the settled position `from`
/// and accounts for every item in `waiting`.
pub(super) fn explain(from: &Probe, waiting: &[Waiting], evidence: &BoardEvidence) -> SearchResult {
    let mut search = Search::new(evidence);
    let actions = count(from, waiting);
    if actions == 0 || actions > MOST_ACTIONS {
        return SearchResult::Nothing;
    }
    search.near = (actions > 1).then_some(NEARLY);
    search.go(from, waiting, actions);
    if search.found.is_empty() && actions > 1 && actions <= MOST_UNSEEN && !evidence.seen_only {
        (search.near, search.tried) = (None, 0);
        search.go(from, waiting, actions);
    }
    let mut found = search.found;
    for explanation in &mut found {
        explanation.weight = weigh(ShownPath {
            previous: evidence.previous.as_ref(),
            root: &evidence.sight.view(&from.physical()),
            positions: &explanation.positions,
            pictures: &search.pictures,
            settled: evidence.settled.as_ref(),
        });
    }
    // In a correct explanation, even a position that the board never showed is only one move away from the picture
    // before it and from the picture after it. The explanation is wrong if more squares differ. It is also wrong if
    // the board showed one of its positions too early or much too late.
    found
        .retain(|explanation| explanation.weight.distance <= MAX_MEAN_DISTANCE * explanation.positions.len());
    choose(found, search.cut_off)
}

/// Whether `board` equals the shown board `seen`, apart from the `ignored` squares.
fn same(board: &Board, seen: &Board, ignored: &[Square]) -> bool {
    board == seen || (!ignored.is_empty() && board.differences(seen).all(|square| ignored.contains(&square)))
}

/// How many actions, of both sides together, are needed to explain everything in `waiting`.
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
                // A typed action changes the board too, unless it only turns a card over.
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
    /// The greatest number of squares on which a picture may differ from an intermediate position and still
    /// count as showing it. `None` means that intermediate positions need not have been shown.
    near: Option<usize>,
    /// How many positions were tried so far.
    tried: usize,
    /// Whether the search stopped before it had tried all positions.
    cut_off: bool,
    steps: Vec<(ExplainedStep, Instant)>,
    positions: Vec<ReachedPosition>,
    found: Vec<Explanation>,
}

/// The end of the turn in which a player made an action: when the turn ended, and how.
#[derive(Clone, Copy)]
struct Ended {
    /// The time of the turn's end, as it is written to the record.
    at: Instant,
    /// Whether a press that ends this turn is written to the record.
    pressed: bool,
    /// The time of the press for this action; `None` if the press is missing or was forgotten.
    own_press: Option<Instant>,
    /// Whether the turn had neither a press nor a reply. Then only the board at rest shows that the turn
    /// ended.
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
            tried: 0,
            cut_off: false,
            steps: Vec::new(),
            positions: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Tries all actions for the first item of `waiting`, then recursively for the items after it.
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
            // The player to move forgot to press. So this turn ended when the other side pressed.
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
            // Inputs such as an offer or a resignation keep their place in the order and do not change the
            // board.
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
            // The board shows an action of the player to move, but that player neither typed it nor pressed. The
            // action that the opponent typed counts as the missing press.
            self.try_all(
                from,
                waiting,
                left,
                Some(Ended { at, pressed: false, own_press: None, alone: false }),
            );
        }
    }

    /// Tries every action that can still lead to the target board. After each action the search continues with
    /// `waiting`.
    fn try_all(&mut self, from: &Probe, waiting: &[Waiting], left: usize, ended: Option<Ended>) {
        let (Some(mover), Some(left)) = (from.mover(), left.checked_sub(1)) else { return };
        // If the board identifies its pieces, the last action must lead exactly to the target board.
        let candidates = match left {
            0 if self.sight.identifies_pieces() => from.candidates_for(&self.target),
            _ => from.candidates(),
        };
        for candidate in candidates {
            let after = self.sight.view(&candidate.after);
            if self.found.len() >= MOST_EXPLANATIONS || self.tried >= MOST_TRIED {
                self.cut_off = true;
                return;
            }
            let own_press = ended.and_then(|ended| ended.own_press);
            if !self.within_reach(&after, left) || !self.was_nearly_shown(&after, left, own_press) {
                continue;
            }
            self.tried += 1;
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

    /// Whether the remaining actions can change all the squares on which `board` differs from the target
    /// board. Castling changes four squares, en passant three, and any other action at most two. The limit
    /// allows for two castlings in a row, but not for more.
    fn within_reach(&self, board: &Board, actions_left: usize) -> bool {
        let most = match actions_left {
            0 => 0,
            1 => 4,
            more => 2 * more + 4,
        };
        board.distance(&self.target) <= most + self.ignored.len()
    }

    /// Whether the board has shown, at least nearly, the position `after` an action. Pictures that ended
    /// before the action's press at `pressed` do not count. The result is always `true` for the last action.
    fn was_nearly_shown(&self, after: &Board, left: usize, pressed: Option<Instant>) -> bool {
        let Some(near) = self.near.filter(|_| left > 0) else { return true };
        let mut shown =
            self.pictures.iter().filter(|picture| picture.until.is_none() || picture.until >= pressed);
        shown.any(|picture| after.distance(&picture.board) <= near)
    }
}
