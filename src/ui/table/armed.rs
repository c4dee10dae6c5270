//! Grave actions: the first key or click arms the action, and the desk asks about it. The same key or a second click
//! within three seconds does it, and so does a key or a click that is held; anything else disarms it.

use std::time::Duration;

use egui::Response;
use tabiya_app::desk::Wish;
use tabiya_types::{Instant, Millis};

use crate::cx::Cx;
use crate::keys::Command;
use crate::kit::button::Burns;
use crate::motion::frame_after;

/// How long an action stays armed.
const ARMED: Millis = Millis(3_000);
/// How long a key or a click is held to do the action at once.
const HELD: Millis = Millis(700);
/// How often the line that burns down is drawn anew, and how often while the pointer is held down.
const STEP: Duration = Duration::from_millis(300);
const HOLD_STEP: Duration = Duration::from_millis(50);

/// An action that is armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Armed {
    what: Command,
    /// The end of the three seconds, in the program's own time.
    until: Instant,
    /// Whether the desk's question about the action has been seen.
    asked: bool,
    /// Since when its key has been held, if it armed the action and was not let go.
    key_since: Option<Instant>,
}

/// The pointer's button that is held down on an action's button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hold {
    what: Command,
    since: Instant,
    /// Whether the action was done already, so that letting go is no click.
    done: bool,
}

/// How the button of a grave action was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// By a key or a click.
    Once,
    /// By a click that was held.
    Held,
}

/// The action that is armed, if any, and what is held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arming {
    armed: Option<Armed>,
    hold: Option<Hold>,
    /// How many lines had acted at the table in the last frame.
    acts: usize,
}

impl Arming {
    /// How the button or the key of an action is used in this frame, if at all.
    pub(super) fn used(&mut self, cx: &mut Cx<'_>, what: Command, button: &Response) -> Option<Use> {
        let hold = self.hold.filter(|hold| hold.what == what);
        // After a while egui no longer counts a held button as a click, so from then on the pointer itself is asked.
        let goes_on = hold.is_some() && pointer_is_down_on(cx, button);
        if button.enabled() && (button.is_pointer_button_down_on() || goes_on) {
            let mut hold = hold.unwrap_or(Hold { what, since: cx.now, done: false });
            let long = !hold.done && cx.now.since(hold.since) >= HELD;
            hold.done |= long;
            self.hold = Some(hold);
            ask_again(cx, hold.since + HELD, HOLD_STEP);
            return long.then_some(Use::Held);
        }
        if hold.is_some() {
            self.hold = None;
        }
        let spent = hold.is_some_and(|hold| hold.done);
        ((button.clicked() && !spent) || cx.takes(what)).then_some(Use::Once)
    }

    /// Arms the action with the wish that makes the desk ask about it. If the action is armed already, or its button was
    /// held, does it.
    pub(super) fn act(&mut self, cx: &mut Cx<'_>, what: Command, used: Use, ask: Wish) {
        let armed = self.is_armed(cx, what);
        if armed || used == Use::Held {
            if !armed {
                cx.wish(ask);
            }
            cx.wish(Wish::Yes);
            self.armed = None;
        } else {
            cx.wish(ask);
            let key_since = Some(cx.now).filter(|_| key_is_down(cx, what));
            self.armed = Some(Armed { what, until: cx.now + ARMED, asked: false, key_since });
        }
    }

    /// Disarms the action when its time is over, or when its question was answered or dropped; does it when its key was
    /// held. Call it once in a frame.
    pub(super) fn follow(&mut self, cx: &mut Cx<'_>) {
        let acts = cx.snapshot.table.as_ref().map_or(0, |table| table.acts);
        if std::mem::replace(&mut self.acts, acts) != acts {
            // The same button may be the other player's now: what was armed or held was another action.
            self.armed = None;
            self.hold.iter_mut().for_each(|hold| hold.done = true);
        }
        let Some(armed) = &mut self.armed else { return };
        let asked = cx.snapshot.question.is_some();
        if armed.asked && !asked {
            self.armed = None;
            return;
        }
        armed.asked |= asked;
        armed.key_since = armed.key_since.filter(|_| key_is_down(cx, armed.what));
        if armed.asked && armed.key_since.is_some_and(|since| cx.now.since(since) >= HELD) {
            cx.wish(Wish::Yes);
            self.armed = None;
            return;
        }
        if cx.now < armed.until {
            match armed.key_since {
                Some(since) => ask_again(cx, since + HELD, HOLD_STEP),
                None => ask_again(cx, armed.until, STEP),
            }
            return;
        }
        if armed.asked {
            cx.wish(Wish::Lapse);
        }
        self.armed = None;
    }

    /// What is left of the three seconds while this action is armed, or of the time that its button is held.
    pub(super) fn left(&self, cx: &Cx<'_>, what: Command) -> Option<Burns> {
        let armed = self.armed.filter(|_| self.is_armed(cx, what)).map(|armed| (armed.until, ARMED));
        let held = self.hold.filter(|hold| hold.what == what && !hold.done);
        let (until, whole) = held.map(|hold| (hold.since + HELD, HELD)).or(armed)?;
        let left = until.since(cx.now);
        if cx.motion.is_still() {
            return Some(Burns::Number(left.0.div_ceil(1000)));
        }
        let part = |span: Millis| u16::try_from(span.0).ok().map(f32::from);
        Some(Burns::Line(part(left)? / part(whole)?))
    }

    /// Whether this action is armed: the same key or a second click does it.
    pub(super) fn is_armed(&self, cx: &Cx<'_>, what: Command) -> bool {
        self.armed.is_some_and(|armed| armed.what == what && armed.asked && cx.now < armed.until)
    }

    /// Whether any action is armed. Then the gold button rests.
    pub(super) fn any(&self) -> bool {
        self.what().is_some()
    }

    /// The action that is armed.
    pub(super) fn what(&self) -> Option<Command> {
        self.armed.filter(|armed| armed.asked).map(|armed| armed.what)
    }
}

/// Asks for another frame after a step of the line that burns down; with reduced motion, when the number of seconds that are
/// left changes.
fn ask_again(cx: &Cx<'_>, until: Instant, step: Duration) {
    let left = until.since(cx.now).0;
    if !cx.motion.is_still() {
        cx.ctx.request_repaint_after(step);
        return;
    }
    frame_after(&cx.ctx, Duration::from_millis(left.saturating_sub(1) % 1000 + 1));
}

/// Whether the pointer's button is held down over this button.
fn pointer_is_down_on(cx: &Cx<'_>, button: &Response) -> bool {
    cx.ctx.input(|input| {
        let over = input.pointer.interact_pos().is_some_and(|at| button.rect.contains(at));
        input.pointer.primary_down() && over
    })
}

/// Whether the key of a command is held down.
fn key_is_down(cx: &Cx<'_>, what: Command) -> bool {
    let key = cx.keys.of(what).map(|name| name.0.logical_key);
    key.is_some_and(|key| cx.ctx.input(|input| input.key_down(key)))
}
