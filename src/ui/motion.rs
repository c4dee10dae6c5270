//! Motion: gold passes, cards turn, chips travel, the drawer slides, ghosts breathe. A motion shows how something came to
//! be as it is; it changes no place of anything that can be pressed, and what can be pressed works from its first frame.
//!
//! Time is an argument. What is drawn for the first time, or again after a while, is at its end at once. With reduced
//! motion everything is.

use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use egui::{Context, Id, IdMap};
use tabiya_types::{Instant, Millis};

use super::theme::{BREATH_FRAME, BREATHS, GHOSTS_BREATHE, MOTION_FRAME};

/// A value on its way.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: f32,
    to: f32,
    since: Instant,
    span: Millis,
    /// The frame in which it was asked for last.
    asked: u64,
}

impl Run {
    /// A value that is where it stays.
    fn at_its_end(to: f32, now: Instant) -> Self {
        Self { from: to, to, since: now, span: Millis::ZERO, asked: 0 }
    }

    /// The share of the way that is done, 0 to 1.
    fn share(&self, now: Instant) -> f32 {
        share(now.since(self.since), self.span)
    }

    fn value(&self, now: Instant) -> f32 {
        let share = self.share(now);
        // The value of the end is exact: what is drawn is then the same as without motion.
        if share >= 1.0 { self.to } else { self.from + (self.to - self.from) * eased(share) }
    }

    fn moves(&self, now: Instant) -> bool {
        self.from.to_bits() != self.to.to_bits() && self.share(now) < 1.0
    }
}

/// Requests a frame that is drawn after this time and not before it. egui draws a frame earlier than requested, by the time
/// that it expects the drawing to take. Such a frame would still show what was there, and one more would be needed.
pub(super) fn frame_after(ctx: &Context, wait: Duration) {
    let early = Duration::from_secs_f32(ctx.input(|input| input.predicted_dt));
    ctx.request_repaint_after(wait + early);
}

/// The share of a span that has passed, 0 to 1.
pub(super) fn share(passed: Millis, span: Millis) -> f32 {
    if passed >= span {
        return 1.0;
    }
    let short = |span: Millis| u16::try_from(span.0).map_or(f32::MAX, f32::from);
    short(passed) / short(span)
}

/// A way that begins and ends gently.
pub(super) fn eased(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

/// All motions of the screens.
#[derive(Debug, Default)]
pub(super) struct Motion {
    still: Cell<bool>,
    frame: Cell<u64>,
    runs: RefCell<IdMap<Run>>,
    amounts: RefCell<IdMap<(u32, u64)>>,
    next: Cell<Option<Duration>>,
}

impl Motion {
    /// Begins a frame. `still`: whether nothing may move. What was not drawn in the last frame is forgotten.
    pub(super) fn begin(&self, still: bool) {
        let last = self.frame.get();
        self.runs.borrow_mut().retain(|_, run| run.asked == last);
        self.amounts.borrow_mut().retain(|_, (_, asked)| *asked == last);
        self.still.set(still);
        self.frame.set(last + 1);
        self.next.set(None);
    }

    /// Whether everything is at its end at once.
    pub(super) fn is_still(&self) -> bool {
        self.still.get()
    }

    /// After which time another frame is to follow, because something moves in this one.
    pub(super) fn next_frame(&self) -> Option<Duration> {
        self.next.get()
    }

    /// Tells that something moves in this frame, and after which time the next one is to show it.
    pub(super) fn keep_moving(&self, frame: Duration) {
        self.next.set(Some(self.next.get().map_or(frame, |next| next.min(frame))));
    }

    /// A value that reaches `to` within the span. When it is asked for first, it is there.
    pub(super) fn toward(&self, key: impl Hash + Debug, to: f32, span: Millis, now: Instant) -> f32 {
        let key = Id::unique(key);
        let run = match self.known(key) {
            Some(run) if run.to.to_bits() == to.to_bits() => run,
            Some(run) => Run { from: run.value(now), to, since: now, span, asked: 0 },
            None => Run::at_its_end(to, now),
        };
        self.keep(key, run, now, MOTION_FRAME)
    }

    /// The same for something that comes into being: when it is gone, it is so at once.
    pub(super) fn appears(&self, key: impl Hash + Debug, there: bool, span: Millis, now: Instant) -> f32 {
        let gone = Run::at_its_end(0.0, now);
        if there {
            self.toward(key, 1.0, span, now)
        } else {
            self.keep(Id::unique(key), gone, now, MOTION_FRAME)
        }
    }

    /// How deep the breath is, 0 to 1, of something that breathes from when it is asked for first. At rest it is 0.
    pub(super) fn breath(&self, key: impl Hash + Debug, now: Instant) -> f32 {
        let begins = Run { from: 0.0, to: 1.0, since: now, span: GHOSTS_BREATHE, asked: 0 };
        let key = Id::unique(key);
        let run = self.known(key).unwrap_or(begins);
        self.keep(key, run, now, BREATH_FRAME);
        if self.still.get() { 0.0 } else { breath(run.share(now)) }
    }

    /// The amount that this was in the last frame, if it was drawn then and is another one now.
    pub(super) fn before(&self, key: impl Hash + Debug, amount: u32) -> Option<u32> {
        let known = self.amounts.borrow_mut().insert(Id::unique(key), (amount, self.frame.get()));
        known.map(|(before, _)| before).filter(|before| *before != amount)
    }

    fn known(&self, key: Id) -> Option<Run> {
        self.runs.borrow().get(&key).copied()
    }

    fn keep(&self, key: Id, run: Run, now: Instant, frame: Duration) -> f32 {
        let run = if self.still.get() { Run::at_its_end(run.to, now) } else { run };
        if run.moves(now) {
            self.keep_moving(frame);
        }
        self.runs.borrow_mut().insert(key, Run { asked: self.frame.get(), ..run });
        run.value(now)
    }
}

/// How deep the breath is when this share of all breaths is over.
fn breath(share: f32) -> f32 {
    if share >= 1.0 {
        return 0.0;
    }
    let breaths = u16::try_from(BREATHS).map_or(1.0, f32::from);
    (share * breaths * std::f32::consts::PI).sin().powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Millis = Millis(100);

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    /// The value in a frame, and whether another frame is to follow.
    fn frame(motion: &Motion, still: bool, to: f32, millis: u64) -> (f32, bool) {
        motion.begin(still);
        (motion.toward("lamp", to, SPAN, at(millis)), motion.next_frame().is_some())
    }

    #[test]
    fn a_value_moves_only_while_it_is_on_its_way() {
        let motion = Motion::default();
        assert_eq!(frame(&motion, false, 1.0, 0), (1.0, false), "at first it is there");
        assert_eq!(frame(&motion, false, 0.0, 500), (1.0, true));
        assert_eq!(frame(&motion, false, 0.0, 550), (0.5, true));
        // On half of the way it turns back from where it is.
        assert_eq!(frame(&motion, false, 1.0, 550), (0.5, true));
        assert!(frame(&motion, false, 1.0, 649).1);
        assert_eq!(frame(&motion, false, 1.0, 650), (1.0, false));
        assert_eq!(frame(&motion, false, 1.0, 9_000), (1.0, false));
    }

    #[test]
    fn reduced_motion_is_at_the_end_at_once() {
        let motion = Motion::default();
        assert_eq!(frame(&motion, true, 0.0, 0), (0.0, false));
        assert_eq!(frame(&motion, true, 1.0, 1), (1.0, false));
        // What moves stops as soon as motion is reduced, and does not move when it is allowed again.
        assert_eq!(frame(&motion, false, 0.0, 2), (1.0, true));
        assert_eq!(frame(&motion, true, 0.0, 3), (0.0, false));
        assert_eq!(frame(&motion, false, 0.0, 4), (0.0, false));
    }

    #[test]
    fn what_was_not_drawn_for_a_while_is_at_its_end() {
        let motion = Motion::default();
        frame(&motion, false, 0.0, 0);
        motion.begin(false);
        assert_eq!(frame(&motion, false, 1.0, 20), (1.0, false));
        motion.before("pot", 3);
        motion.begin(false);
        motion.begin(false);
        assert_eq!(motion.before("pot", 8), None);
        motion.begin(false);
        assert_eq!(motion.before("pot", 9), Some(8));
    }

    #[test]
    fn what_is_gone_is_gone_at_once() {
        let motion = Motion::default();
        let card = |there, millis| {
            motion.begin(false);
            (motion.appears("card", there, SPAN, at(millis)), motion.next_frame().is_some())
        };
        assert_eq!(card(false, 0), (0.0, false));
        assert_eq!(card(true, 10), (0.0, true));
        assert_eq!(card(true, 60), (0.5, true));
        assert_eq!(card(false, 70), (0.0, false));
    }

    #[test]
    fn a_ghost_breathes_thrice_and_then_stands_still() {
        let motion = Motion::default();
        let breath = |still, millis| {
            motion.begin(still);
            (motion.breath("ghost", at(millis)), motion.next_frame().is_some())
        };
        let mut breaths = 0;
        let mut deep = false;
        for millis in (0..=GHOSTS_BREATHE.0 + 100).step_by(25) {
            let (depth, moves) = breath(false, millis);
            assert_eq!(moves, millis < GHOSTS_BREATHE.0, "at {millis}");
            breaths += u64::from(depth > 0.9 && !deep);
            deep = depth > if deep { 0.1 } else { 0.9 };
        }
        assert_eq!((breaths, breath(false, 60_000)), (BREATHS, (0.0, false)));
        motion.begin(false);
        assert_eq!(breath(true, 70_000), (0.0, false));
    }
}
