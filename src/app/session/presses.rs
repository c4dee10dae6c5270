//! Clock presses that the board does not explain. A press of this kind waits for an explanation; if none is found
//! after a while, the press is announced.

use std::collections::BTreeMap;

use tabiya_engine::sense::Watch;
use tabiya_types::{Board, ByColor, Color, Instant, Millis, Sentence, Square, say};

use super::sight::BoardSight;

/// A press that waits for an explanation.
#[derive(Clone, Copy, Debug)]
struct WaitingPress {
    /// When it began to wait: it may have been reported late.
    since: Instant,
    announced: bool,
    /// Whether it was judged before a restart: it was counted as an illegal move, or it was no second one.
    counted: bool,
    /// What the board showed when it began to wait.
    board: Option<Board>,
    /// Whether its player had pressed before, the other one has not pressed since, and the board is as it was. Then it is no
    /// second illegal move.
    again: bool,
}

/// The presses that wait for an explanation, by whose they are and when they were made.
#[derive(Debug, Default)]
pub(super) struct Presses {
    waiting: BTreeMap<(Instant, Color), WaitingPress>,
}

/// The announcement of a press that the board does not explain.
pub(super) struct Complaint {
    /// The side that may have made an illegal move with this press; `None` if the press was already counted, or if this
    /// side was not to move.
    pub(super) by: Option<Color>,
    /// Where this press has left a pawn on the last rank.
    pub(super) pawn: Option<Square>,
    pub(super) text: Sentence,
}

impl Presses {
    /// Follows which presses wait. Those that do not wait any more were explained, dropped, or lost because the record could
    /// not be written.
    pub(super) fn follow(&mut self, watch: &Watch, at: Instant) {
        let waiting: Vec<(Instant, Color)> = watch.waiting_presses().map(|(by, at)| (at, by)).collect();
        // The later press takes the place of the earlier one, which may wait no longer for that reason. If that one was not told
        // yet, this one is.
        let earlier = self.waiting.last_key_value();
        let known = earlier.filter(|(press, known)| known.announced || waiting.contains(press));
        let mut last = known.map(|((_, by), press)| (*by, press.board));
        self.waiting.retain(|press, _| waiting.contains(press));
        let board = watch.seen();
        for press @ (_, by) in waiting {
            let again = last == Some((by, board));
            let new = WaitingPress { since: at, announced: false, counted: false, board, again };
            last = Some((by, self.waiting.entry(press).or_insert(new).board));
        }
    }

    /// Follows the presses that wait after the lines of the record were read again. So many of each side were counted already;
    /// they were announced too, and only the first of them is announced again, because it says what is to be put right.
    pub(super) fn recall(&mut self, mut counted: ByColor<usize>, watch: &Watch, at: Instant) {
        self.waiting.clear();
        self.follow(watch, at);
        for ((_, by), press) in &mut self.waiting {
            press.counted = press.again || counted[*by] > 0;
            if !press.again {
                counted[*by] = counted[*by].saturating_sub(1);
            }
        }
    }

    /// The time at which a waiting press must be announced. The delay `settle` leaves time for late updates of the board.
    pub(super) fn due(&self, settle: Millis) -> Option<Instant> {
        let waiting = self.waiting.values().filter(|press| !press.announced);
        waiting.map(|press| press.since + settle).min()
    }

    /// Returns the announcement of a waiting press if it is due, once for each press. Only a press of the side to move ends
    /// an action: one of the other side cancels a press, or waits for the action before it.
    pub(super) fn complain(&mut self, now: Instant, sight: BoardSight<'_>) -> Option<Complaint> {
        let (settle, mover) = (sight.table().terms().settle, sight.table().mover());
        let mut due =
            self.waiting.iter().filter(|(_, press)| !press.announced && press.since + settle <= now);
        let (key @ (_, side), press) = due.next().map(|(key, press)| (*key, *press))?;
        self.waiting.entry(key).and_modify(|press| press.announced = true);
        if press.again && !press.counted && Some(side) == mover {
            let text = say!(
                "pressed-again",
                "{by} has pressed again: the later press counts, once the board is right",
                by = side
            );
            return Some(Complaint { by: None, pawn: None, text });
        }
        let by = Some(side).filter(|side| Some(*side) == mover && !press.counted);
        let is_first = self.waiting.values().filter(|press| press.announced).count() == 1;
        if by.is_none() && !is_first {
            return None;
        }
        let trouble = sight.watch.trouble();
        let pawn = trouble.as_ref().and_then(|trouble| trouble.promotion(sight.table())).map(|(at, _)| at);
        let text = match trouble {
            Some(trouble) => say!(
                "board-fits-nothing",
                "no legal action explains the position on the board: {trouble}, or enter what was played",
                trouble = trouble.correction(sight.table()).text
            ),
            None => say!(
                "pressed-for-nothing",
                "the clock was pressed, but nothing was played on the board: press the clock back, or play now"
            ),
        };
        Some(Complaint { by, pawn, text })
    }
}
