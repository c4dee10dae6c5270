//! What comes by itself, such as a question about the board, does not take the place of the controls while the pointer moves over
//! them: it waits until the pointer rests.

use std::time::Duration;

use egui::{Pos2, Rect};
use tabiya_app::snapshot::Asked;
use tabiya_types::Instant;

use crate::cx::Cx;
use crate::motion::frame_after;
use crate::theme::POINTER_RESTS;

/// Where the pointer is and since when, and where the controls were in the last frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PointerRest {
    at: Option<Pos2>,
    since: Instant,
    controls: Rect,
}

impl Default for PointerRest {
    fn default() -> Self {
        Self { at: None, since: Instant::ZERO, controls: Rect::NOTHING }
    }
}

impl PointerRest {
    /// Notes where the controls are in this frame.
    pub(super) fn controls_at(&mut self, place: Rect) {
        self.controls = place;
    }

    /// Whether the pointer has just moved over the controls.
    pub(super) fn moves_over_controls(&mut self, cx: &Cx<'_>) -> bool {
        let at = cx.ctx.pointer_hover_pos();
        if at != self.at {
            (self.at, self.since) = (at, cx.now);
        }
        at.is_some_and(|at| self.controls.contains(at)) && cx.now.since(self.since) < POINTER_RESTS
    }

    /// Asks for the frame in which the pointer has rested, because something waits for that.
    pub(super) fn waits(&self, cx: &Cx<'_>) {
        let rested = cx.now.since(self.since);
        frame_after(&cx.ctx, Duration::from_millis(POINTER_RESTS.0.saturating_sub(rested.0)));
    }
}

/// Whether a question has to wait: one about a press comes by itself, from what the board shows.
pub(super) fn is_held(cx: &Cx<'_>, asked: &Asked) -> bool {
    let waits = cx.snapshot.table.as_ref().is_some_and(|view| view.waiting_press.is_some());
    cx.holds && waits && asked.answers.is_some()
}
