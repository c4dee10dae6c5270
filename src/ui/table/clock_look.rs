//! How a clock looks: what it reads, whether it runs, and what else its time control shows.

use tabiya_app::snapshot::TableView;
use tabiya_engine::clock::{ControlProgress, Stage, TimeControl};
use tabiya_types::{Color, Millis};

use crate::cx::{Cx, tenths_below};
use crate::kit::plate::{Plate, State};

/// How a clock is to be drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one sign on a clock")]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ClockLook {
    pub(crate) left: Option<Millis>,
    pub(crate) running: bool,
    pub(crate) paused: bool,
    pub(crate) fallen: bool,
    /// Whether its last seconds have begun, in which tenths are shown.
    pub(crate) last: bool,
    /// The share of the stage's time that is left; `None` without a time for the whole stage.
    pub(crate) share: Option<f32>,
    /// The free time of each turn under the first stage's delay; zero without one.
    pub(crate) delay: Millis,
    /// How many of the warning times in the settings the clock has reached: its time left is equal or less.
    pub(crate) warned: usize,
    /// Whether both flags are down and the flag of this side fell first.
    pub(crate) first: bool,
    /// The state of the side's time control.
    pub(crate) standing: Option<ControlProgress>,
}

impl ClockLook {
    /// The look of a side's clock at this moment.
    pub(crate) fn of(cx: &Cx<'_>, view: &TableView, color: Color) -> Self {
        let left = view.clock.reading(color, cx.at);
        let standing = view.clock.standing(color, cx.at);
        // A clock that counts up never runs out, so it has no warnings.
        let up = standing.is_some_and(|standing| standing.counts_up);
        let passed = |seconds: &&u32| left.is_some_and(|left| left.0 <= u64::from(**seconds) * 1000);
        let its_turn = view.clock.turn() == Some(color);
        // The clocks also stop while the record cannot be written. At an event only the arbiter may see a
        // fallen flag before it is claimed.
        let stopped = view.clock.paused() || cx.snapshot.time.stopped_at.is_some();
        let flags_shown = !view.is_event() || view.outcome.is_some();
        Self {
            left,
            running: its_turn && !stopped,
            paused: its_turn && stopped,
            fallen: flags_shown && view.clock.has_fallen(color),
            last: !up && left.is_some_and(|left| left <= tenths_below(cx.settings) && left.0 > 0),
            delay: delay(view, color),
            share: left.and_then(|left| share(view, color, left)).filter(|_| !up),
            warned: cx.settings.warnings.iter().filter(passed).filter(|_| !up).count(),
            first: flags_shown
                && Color::ALL.iter().all(|side| view.clock.has_fallen(*side))
                && view.clock.flag() == Some(color),
            standing,
        }
    }

    /// The state of the clock's plate.
    pub(crate) fn state(&self) -> State {
        match self {
            Self { fallen: true, .. } => State::Fallen,
            Self { running: true, last: true, .. } => State::Last,
            Self { running: true, .. } => State::Runs,
            Self { paused: true, .. } => State::Stopped,
            Self { .. } => State::Stands,
        }
    }

    /// The clock's plate.
    pub(crate) fn plate(&self, cx: &Cx<'_>) -> Plate {
        Plate {
            text: self.digits(cx),
            state: self.state(),
            share: self.share,
            signs: self.signs(cx),
            warned: self.warned > 0,
            gold: None,
        }
    }

    /// The reading in digits.
    pub(crate) fn digits(&self, cx: &Cx<'_>) -> String {
        cx.reading(self.left, self.standing.is_some_and(|standing| standing.counts_up))
    }

    /// The state of the clock in words, for screen readers.
    pub(crate) fn words(&self, cx: &Cx<'_>, color: Color) -> String {
        let state = match self {
            Self { fallen: true, .. } => "clock-fallen",
            Self { running: true, .. } => "clock-running",
            Self { paused: true, .. } => "clock-paused",
            Self { .. } => "clock-standing",
        };
        let (color, left) = (cx.words.color(color), self.digits(cx));
        let clock = cx.words.with(state, &[("color", color.into()), ("left", left.into())]);
        let signs = self.signs(cx);
        if signs.is_empty() { clock } else { format!("{clock}, {signs}") }
    }

    /// The facts that are shown below the digits, if any: that this flag fell first, the stage, the byo-yomi periods,
    /// the moves left in a block, that the clock counts up, the delay left.
    pub(crate) fn signs(&self, cx: &Cx<'_>) -> String {
        let mut signs = Vec::new();
        if self.first {
            signs.push(cx.t("flag-first"));
        }
        if let Some(ControlProgress { stage, stages, overtime, periods, block, counts_up, delay }) =
            self.standing
        {
            if stages > 1 {
                signs.push(
                    cx.words.with("clock-stage", &[("stage", stage.into()), ("stages", stages.into())]),
                );
            }
            if let Some(periods) = periods.filter(|_| overtime) {
                signs.push(cx.words.with("clock-periods", &[("periods", periods.into())]));
            }
            if let Some(moves) = block {
                signs.push(cx.words.with("clock-block", &[("moves", moves.into())]));
            }
            if counts_up {
                signs.push(cx.t("clock-up"));
            }
            if delay.0 > 0 {
                signs.push(cx.words.with("clock-free", &[("seconds", delay.0.div_ceil(1000).into())]));
            }
        }
        signs.join(", ")
    }
}

/// How many byo-yomi periods a side has at the beginning; 0 without byo-yomi.
pub(crate) fn periods_of(view: &TableView, color: Color) -> u64 {
    match control(view, color).stages().last() {
        Some(Stage::Byoyomi { periods, .. }) => u64::from(*periods),
        _ => 0,
    }
}

/// The number of moves at which the stage that a side plays now ends, counted from the first move; `None` if it has none.
pub(crate) fn moves_of_stage(view: &TableView, color: Color) -> Option<u32> {
    let made = view.clock.moves(color);
    let control = control(view, color);
    let mut ends = 0;
    for stage in control.stages() {
        let Stage::Time { moves: Some(moves), .. } = stage else { return None };
        ends += moves;
        if made < ends {
            return Some(ends);
        }
    }
    None
}

fn control(view: &TableView, color: Color) -> TimeControl {
    view.agreement.terms.setting(view.seats.white).controls[color].clone()
}

/// The free time of each turn under the first stage's delay.
fn delay(view: &TableView, color: Color) -> Millis {
    match control(view, color).stages().first() {
        Some(Stage::Time { bonus, .. }) => bonus.delay(),
        _ => Millis::ZERO,
    }
}

/// The share of its first stage's time that a side has left.
fn share(view: &TableView, color: Color, left: Millis) -> Option<f32> {
    let control = control(view, color);
    let first = control.stages().first()?;
    let Stage::Time { base, .. } = first else { return None };
    #[expect(clippy::cast_precision_loss, reason = "a share of a line's width")]
    let share = left.0 as f32 / base.0.max(1) as f32;
    Some(share.min(1.0))
}
