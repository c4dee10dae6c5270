//! A press that fits nothing on the board: it waits, and after a while somebody is told.

use tabiya_types::{Color, Instant, Millis, Sentence, say};

use super::sight::BoardSight;

/// Since when a press waits, and what was said of it.
#[derive(Debug, Default)]
pub(super) struct Presses {
    since: Option<Instant>,
    /// The press that was complained about, so that it is done once.
    complained: Option<Instant>,
    /// Whether the press that waits was counted as an illegal move before a restart.
    counted: bool,
}

/// What there is to say about a press.
pub(super) struct Complaint {
    /// Whose illegal move it may be, if it was not counted before.
    pub(super) by: Option<Color>,
    pub(super) text: Sentence,
}

impl Presses {
    /// Keeps in mind since when a press waits. Where none does there is nothing to complain about,
    /// however it came to an end: understood, dropped, or lost with what could not be written.
    pub(super) fn follow(&mut self, waits: bool, at: Instant) {
        self.since = waits.then_some(self.since.unwrap_or(at));
        if self.since.is_none() {
            (self.complained, self.counted) = (None, false);
        }
    }

    /// The press that waits was, or was not, counted before the table was started again.
    pub(super) fn recall(&mut self, counted: bool) {
        self.counted = counted;
    }

    /// When a press is to be complained about; the late updates have their time first.
    pub(super) fn due(&self, settle: Millis) -> Option<Instant> {
        self.since.filter(|since| self.complained != Some(*since)).map(|since| since + settle)
    }

    /// What is to be said by now, once for each press.
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
                "the clock was pressed, but the board shows no action: press back, or act"
            ),
        };
        Some(Complaint { by, text })
    }
}
