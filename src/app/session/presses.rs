//! Clock presses that the board does not explain. A press of this kind waits for an explanation; if none is found
//! after a while, the press is announced.

use tabiya_types::{Color, Instant, Millis, Sentence, say};

use super::sight::BoardSight;

/// The clock press that waits for an explanation, and whether it was announced.
#[derive(Debug, Default)]
pub(super) struct Presses {
    since: Option<Instant>,
    /// The time of the press that was announced last, so that each press is announced only once.
    complained: Option<Instant>,
    /// Whether the waiting press was already counted as an illegal move before a restart.
    counted: bool,
}

/// The announcement of a press that the board does not explain.
pub(super) struct Complaint {
    /// The side that may have made an illegal move with this press; `None` if the press was already counted.
    pub(super) by: Option<Color>,
    pub(super) text: Sentence,
}

impl Presses {
    /// Tracks the time since which a press waits. When no press waits any more, everything is reset: the press was
    /// explained, dropped, or lost because the record could not be written.
    pub(super) fn follow(&mut self, waits: bool, at: Instant) {
        self.since = waits.then_some(self.since.unwrap_or(at));
        if self.since.is_none() {
            (self.complained, self.counted) = (None, false);
        }
    }

    /// Sets whether the waiting press was already counted as an illegal move before the restart.
    pub(super) fn recall(&mut self, counted: bool) {
        self.counted = counted;
    }

    /// The time at which the waiting press must be announced. The delay `settle` leaves time for late updates of the
    /// board.
    pub(super) fn due(&self, settle: Millis) -> Option<Instant> {
        self.since.filter(|since| self.complained != Some(*since)).map(|since| since + settle)
    }

    /// Returns the announcement of the waiting press if it is due, once for each press.
    pub(super) fn complain(&mut self, now: Instant, sight: BoardSight<'_>) -> Option<Complaint> {
        let since = self.since.filter(|_| sight.watch.press_waits())?;
        if self.complained == Some(since) || now < since + sight.table().terms().settle {
            return None;
        }
        self.complained = Some(since);
        let counted = std::mem::take(&mut self.counted);
        let by = sight.table().mover().filter(|_| !counted);
        let text = match sight.watch.trouble() {
            Some(trouble) => say!(
                "board-fits-nothing",
                "no legal action explains the position on the board: {trouble}, or enter what was played",
                trouble = sight.correction(&trouble)
            ),
            None => say!(
                "pressed-for-nothing",
                "the clock was pressed, but nothing was played on the board: press the clock back, or play now"
            ),
        };
        Some(Complaint { by, text })
    }
}
