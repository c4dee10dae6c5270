//! Presses that the board does not explain: such a press waits, and after a while people are told.

use tabiya_types::{Color, Instant, Millis, Sentence, say};

use super::sight::BoardSight;

/// Since when a press waits for an explanation, and whether people were told.
#[derive(Debug, Default)]
pub(super) struct Presses {
    since: Option<Instant>,
    /// The press that was announced, by its moment, so that each is announced once.
    complained: Option<Instant>,
    /// Whether the press that waits was counted as an illegal move before a restart.
    counted: bool,
}

/// The announcement of a press that the board does not explain.
pub(super) struct Complaint {
    /// The side whose illegal move it may be; `None` if the press was counted before.
    pub(super) by: Option<Color>,
    pub(super) text: Sentence,
}

impl Presses {
    /// Tracks since when a press waits. When no press waits any more, everything is reset, whether the press was
    /// explained, dropped, or lost because the record could not be written.
    pub(super) fn follow(&mut self, waits: bool, at: Instant) {
        self.since = waits.then_some(self.since.unwrap_or(at));
        if self.since.is_none() {
            (self.complained, self.counted) = (None, false);
        }
    }

    /// Sets whether the waiting press was counted as an illegal move before the restart.
    pub(super) fn recall(&mut self, counted: bool) {
        self.counted = counted;
    }

    /// When the waiting press is to be announced: after `settle`, which leaves time for late updates of the board.
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
                "the board fits no action: {trouble}, or enter what was played",
                trouble = trouble.sentence()
            ),
            None => say!(
                "pressed-for-nothing",
                "the clock was pressed, but the board shows no action: press the clock back, or act"
            ),
        };
        Some(Complaint { by, text })
    }
}
