//! Grave actions: the first key or click arms the action, and the desk asks about it. The same key or a second click
//! within three seconds does it; anything else disarms it.

use std::time::Duration;

use tabiya_app::desk::Wish;
use tabiya_types::{Instant, Millis};

use crate::cx::Cx;
use crate::keys::Command;

/// How long an action stays armed.
const ARMED: Millis = Millis(3_000);
/// How often the line that burns down is drawn anew.
const STEP: Duration = Duration::from_millis(300);

/// An action that is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Armed {
    what: Command,
    /// The end of the three seconds, in the program's own time.
    until: Instant,
    /// Whether the desk's question about the action has been seen.
    asked: bool,
}

/// The action that is armed, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arming(Option<Armed>);

impl Arming {
    /// Arms the action with the wish that makes the desk ask about it. If the action is armed already, does it.
    pub(super) fn act(&mut self, cx: &mut Cx<'_>, what: Command, ask: Wish) {
        if self.share(cx, what).is_some() {
            cx.wish(Wish::Yes);
            self.0 = None;
        } else {
            cx.wish(ask);
            self.0 = Some(Armed { what, until: cx.now + ARMED, asked: false });
        }
    }

    /// Disarms the action when its time is over, or when its question was answered or dropped. Call it once in a frame.
    pub(super) fn follow(&mut self, cx: &mut Cx<'_>) {
        let Some(armed) = &mut self.0 else { return };
        let asked = cx.snapshot.question.is_some();
        if armed.asked && !asked {
            self.0 = None;
            return;
        }
        armed.asked |= asked;
        if cx.now < armed.until {
            cx.ctx.request_repaint_after(STEP);
            return;
        }
        if armed.asked {
            cx.wish(Wish::No);
        }
        self.0 = None;
    }

    /// The share of the three seconds that is left while this action is armed.
    pub(super) fn share(&self, cx: &Cx<'_>, what: Command) -> Option<f32> {
        let armed = self.0.filter(|armed| armed.what == what && armed.asked && cx.now < armed.until)?;
        let left = u16::try_from(armed.until.since(cx.now).0).ok()?;
        Some(f32::from(left) / 3_000.0)
    }

    /// Whether any action is armed. Then the gold button rests.
    pub(super) fn any(&self) -> bool {
        self.0.is_some_and(|armed| armed.asked)
    }
}
