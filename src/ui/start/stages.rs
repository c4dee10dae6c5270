//! A time control put together with buttons: its method, and its stages. The control itself is the only state.

use egui::{Align2, FontId, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_engine::clock::{Bonus, Stage, TimeControl};
use tabiya_types::Millis;

use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::icon::Icon;
use crate::kit::{fitting, split, write};
use crate::theme::{BUTTON_RADIUS, GRID, bold_font};
use crate::widgets::label;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
/// The most stages that the buttons make; a written control may have more.
const MOST_STAGES: usize = 6;

/// How the clock treats each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Increment,
    Delay,
    Bronstein,
    Byoyomi,
    Hourglass,
    Plain,
    Canadian,
    PerMove,
    CountUp,
    Untimed,
}

impl Method {
    /// All methods, in the order of the panel.
    pub(super) const ALL: [Self; 10] = [
        Self::Increment,
        Self::Delay,
        Self::Bronstein,
        Self::Byoyomi,
        Self::Hourglass,
        Self::Plain,
        Self::Canadian,
        Self::PerMove,
        Self::CountUp,
        Self::Untimed,
    ];

    /// The method's word among the texts of the screens.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Increment => "increment",
            Self::Delay => "delay",
            Self::Bronstein => "bronstein",
            Self::Byoyomi => "byoyomi",
            Self::Hourglass => "hourglass",
            Self::Plain => "plain",
            Self::Canadian => "canadian",
            Self::PerMove => "per-move",
            Self::CountUp => "count-up",
            Self::Untimed => "untimed",
        }
    }

    /// How such a control is written.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Increment => "5+3",
            Self::Delay => "5 d3",
            Self::Bronstein => "5 b3",
            Self::Byoyomi => "30 + 5×30 s",
            Self::Hourglass => "2 : 2",
            Self::Plain => "15",
            Self::Canadian => "15 / 5 min",
            Self::PerMove => "30 s",
            Self::CountUp => "0:00",
            Self::Untimed => "–",
        }
    }

    /// The method of a control: what its last stage does.
    pub(super) fn of(control: &TimeControl) -> Self {
        match control.stages().last() {
            None => Self::Untimed,
            Some(Stage::Time { bonus: Bonus::Increment(_), .. }) => Self::Increment,
            Some(Stage::Time { bonus: Bonus::Delay(_), .. }) => Self::Delay,
            Some(Stage::Time { bonus: Bonus::Bronstein(_), .. }) => Self::Bronstein,
            Some(Stage::Time { bonus: Bonus::None, .. }) => Self::Plain,
            Some(Stage::Byoyomi { .. }) => Self::Byoyomi,
            Some(Stage::Canadian { .. }) => Self::Canadian,
            Some(Stage::PerMove(_)) => Self::PerMove,
            Some(Stage::Hourglass(_)) => Self::Hourglass,
            Some(Stage::CountUp) => Self::CountUp,
        }
    }

    /// The control with this method in place of its own; the times stay where the method has them.
    pub(super) fn apply(self, control: &TimeControl) -> TimeControl {
        let mut timed: Vec<Stage> =
            control.stages().iter().copied().filter(|stage| matches!(stage, Stage::Time { .. })).collect();
        let base = match control.stages().first() {
            Some(Stage::Time { base, .. } | Stage::Hourglass(base)) if base.0 > 0 => *base,
            _ => Millis(5 * MINUTE),
        };
        if timed.is_empty() {
            timed.push(Stage::Time { moves: None, base, bonus: Bonus::None });
        }
        for stage in &mut timed {
            let Stage::Time { bonus, .. } = stage else { continue };
            let span = if *bonus == Bonus::None { Millis(3 * SECOND) } else { bonus.span() };
            *bonus = match self {
                Self::Increment => Bonus::Increment(span),
                Self::Delay => Bonus::Delay(span),
                Self::Bronstein => Bonus::Bronstein(span),
                _ => Bonus::None,
            };
        }
        match self {
            Self::Increment | Self::Delay | Self::Bronstein | Self::Plain => {}
            Self::Byoyomi => timed.push(Stage::Byoyomi { periods: 5, period: Millis(30 * SECOND) }),
            Self::Canadian => timed.push(Stage::Canadian { moves: 15, block: Millis(5 * MINUTE) }),
            Self::Hourglass => timed = vec![Stage::Hourglass(base)],
            Self::PerMove => timed = vec![Stage::PerMove(Millis(30 * SECOND))],
            Self::CountUp => timed = vec![Stage::CountUp],
            Self::Untimed => return TimeControl::Untimed,
        }
        TimeControl::Stages(timed)
    }
}

/// What one stepper changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Moves(u32),
    Time(Millis),
    Seconds(Millis),
}

impl Part {
    /// The next value in this direction, by the steps in which people think of it.
    fn stepped(self, up: bool) -> Self {
        let step = |now: u64, steps: &[(u64, u64)], last: u64, least: u64| {
            let below = if up { now } else { now.saturating_sub(1) };
            let by = steps.iter().find(|(until, _)| below < *until).map_or(last, |(_, by)| *by);
            let now = now - now % by + if up || !now.is_multiple_of(by) { by } else { 0 };
            if up { now } else { now.saturating_sub(by).max(least) }
        };
        match self {
            Self::Moves(moves) => {
                let next = step(moves.into(), &[(20, 5)], 10, 1);
                Self::Moves(u32::try_from(next).unwrap_or(moves).min(500))
            }
            Self::Time(span) => {
                let steps = [(MINUTE, 15 * SECOND), (10 * MINUTE, MINUTE), (120 * MINUTE, 5 * MINUTE)];
                Self::Time(Millis(step(span.0, &steps, 10 * MINUTE, 15 * SECOND).min(600 * MINUTE)))
            }
            Self::Seconds(span) => {
                let steps = [(10 * SECOND, SECOND), (60 * SECOND, 5 * SECOND)];
                Self::Seconds(Millis(step(span.0, &steps, 30 * SECOND, SECOND).min(600 * SECOND)))
            }
        }
    }
}

/// Draws a row of steppers for each stage. Returns the control if a stepper changed it.
pub(super) fn stages_ui(ui: &mut Ui, cx: &Cx<'_>, control: &TimeControl) -> Option<TimeControl> {
    let stages = control.stages();
    let mut changed = None;
    for (nth, stage) in stages.iter().enumerate() {
        let last = nth + 1 == stages.len();
        let mut row = Row::new(ui, cx, nth);
        let new = match *stage {
            Stage::Time { moves, base, bonus } => {
                let moves = row.moves(moves, last);
                let base = row.time(base);
                let bonus = row.bonus(bonus);
                Stage::Time { moves, base, bonus }
            }
            Stage::Byoyomi { periods, period } => {
                Stage::Byoyomi { periods: row.periods(periods), period: row.seconds(period) }
            }
            Stage::Canadian { moves, block } => {
                Stage::Canadian { moves: row.block_moves(moves), block: row.time(block) }
            }
            Stage::PerMove(span) => Stage::PerMove(row.seconds(span)),
            Stage::Hourglass(base) => Stage::Hourglass(row.time(base)),
            Stage::CountUp => Stage::CountUp,
        };
        let gone = stages.len() > 1 && row.remove();
        if gone || new != *stage {
            let mut all = stages.to_vec();
            if gone {
                all.remove(nth);
            } else if let Some(place) = all.get_mut(nth) {
                *place = new;
            }
            changed = Some(TimeControl::Stages(all));
        }
    }
    changed.or_else(|| one_more(ui, cx, control))
}

/// Draws the button for another stage.
fn one_more(ui: &mut Ui, cx: &Cx<'_>, control: &TimeControl) -> Option<TimeControl> {
    let mut stages = control.stages().to_vec();
    let Some(Stage::Time { moves, bonus, .. }) = stages.last_mut() else { return None };
    let (rect, _) = ui.allocate_exact_size(vec2(cx.sizes.px(130.0), cx.sizes.px(36.0)), Sense::hover());
    let text = cx.t("one-stage");
    let face =
        ButtonFace::new(Kind::Plain, &text).icon(Icon::Plus).enabled(control.stages().len() < MOST_STAGES);
    if !button_at(ui, cx, rect, "one-stage", &face).clicked() {
        return None;
    }
    *moves = moves.or(Some(40));
    let bonus = *bonus;
    stages.push(Stage::Time { moves: None, base: Millis(30 * MINUTE), bonus });
    Some(TimeControl::Stages(stages))
}

/// One row of steppers.
struct Row<'a, 'b> {
    ui: &'a mut Ui,
    cx: &'a Cx<'b>,
    nth: usize,
    places: std::vec::IntoIter<Rect>,
    cross: Rect,
}

impl<'a, 'b> Row<'a, 'b> {
    fn new(ui: &'a mut Ui, cx: &'a Cx<'b>, nth: usize) -> Self {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), cx.sizes.px(44.0)), Sense::hover());
        let [name, first, second, third, cross] =
            split(rect, &[9.0, 30.0, 20.0, 20.0, 6.0], GRID * 2.0).try_into().unwrap_or([rect; 5]);
        let text = cx.words.with("stage-nth", &[("number", (nth + 1).into())]);
        let font = (FontId::proportional(cx.sizes.rem), cx.theme.muted);
        write(ui.painter(), name.left_center(), Align2::LEFT_CENTER, &text, font, name.width());
        Self { ui, cx, nth, places: vec![first, second, third].into_iter(), cross }
    }

    /// Draws one stepper; returns the direction in which it was clicked.
    fn step(&mut self, what: &str, text: &str) -> Option<bool> {
        let place = self.places.next()?;
        let cx = self.cx;
        let edge = Stroke::new(1.0, cx.theme.edge);
        self.ui.painter().rect(place, BUTTON_RADIUS, cx.theme.input, edge, StrokeKind::Inside);
        let end = place.height().min(place.width() * 0.3);
        let less = Rect::from_min_max(place.min, pos2(place.left() + end, place.bottom()));
        let more = Rect::from_min_max(pos2(place.right() - end, place.top()), place.max);
        let stage = cx.words.with("stage-nth", &[("number", (self.nth + 1).into())]);
        let named = format!("{stage}, {}", cx.t(what));
        let mut clicked = None;
        for (place, icon, id, up) in
            [(less, Icon::Minus, "part-less", false), (more, Icon::Plus, "part-more", true)]
        {
            let said = cx.words.with(id, &[("what", named.clone().into())]);
            let face = ButtonFace::new(Kind::Bare, "").icon(icon).said(said);
            if button_at(self.ui, cx, place, (id, self.nth, what), &face).clicked() {
                clicked = Some(up);
            }
        }
        let room = place.width() - 2.0 * end;
        let size = fitting(self.ui.painter(), text, &bold_font, cx.sizes.rem, room);
        let font = (bold_font(size), cx.theme.text);
        write(self.ui.painter(), place.center(), Align2::CENTER_CENTER, text, font, room);
        label(
            self.ui,
            place.shrink2(vec2(end, 0.0)),
            &format!("{what}-{}", self.nth),
            &format!("{named}: {text}"),
        );
        clicked
    }

    fn moves(&mut self, now: Option<u32>, last: bool) -> Option<u32> {
        let cx = self.cx;
        let text = match now {
            Some(moves) => cx.words.with("stage-moves", &[("count", moves.into())]),
            None => cx.t("stage-rest"),
        };
        match (self.step("part-moves", &text), now) {
            (None, now) => now,
            (Some(true), Some(moves)) => match Part::Moves(moves).stepped(true) {
                Part::Moves(moves) => Some(moves),
                _ => now,
            },
            (Some(false), Some(moves)) if moves > 5 => match Part::Moves(moves).stepped(false) {
                Part::Moves(moves) => Some(moves),
                _ => now,
            },
            // Only the last stage may last until the end of the game.
            (Some(false), Some(moves)) => (!last).then_some(moves),
            (Some(up), None) => up.then_some(40),
        }
    }

    fn block_moves(&mut self, now: u32) -> u32 {
        let text = self.cx.words.with("stage-moves", &[("count", now.into())]);
        match self.step("part-moves", &text).map(|up| Part::Moves(now).stepped(up)) {
            Some(Part::Moves(moves)) => moves,
            _ => now,
        }
    }

    fn periods(&mut self, now: u32) -> u32 {
        let text = self.cx.words.with("stage-periods", &[("count", now.into())]);
        match self.step("part-periods", &text) {
            Some(true) => (now + 1).min(99),
            Some(false) => now.saturating_sub(1).max(1),
            None => now,
        }
    }

    fn time(&mut self, now: Millis) -> Millis {
        let text = self.cx.reading(Some(now), false);
        match self.step("part-time", &text).map(|up| Part::Time(now).stepped(up)) {
            Some(Part::Time(span)) => span,
            _ => now,
        }
    }

    fn seconds(&mut self, now: Millis) -> Millis {
        let text = format!("{} s", now.0 / SECOND);
        match self.step("part-seconds", &text).map(|up| Part::Seconds(now).stepped(up)) {
            Some(Part::Seconds(span)) => span,
            _ => now,
        }
    }

    fn bonus(&mut self, now: Bonus) -> Bonus {
        if now == Bonus::None { now } else { now.with_span(self.seconds(now.span())) }
    }

    /// Draws the cross that takes the stage away; returns whether it was clicked.
    fn remove(&mut self) -> bool {
        let stage = self.cx.words.with("stage-nth", &[("number", (self.nth + 1).into())]);
        let said = self.cx.words.with("stage-remove", &[("stage", stage.into())]);
        let face = ButtonFace::new(Kind::Bare, "").icon(Icon::Cross).said(said);
        button_at(self.ui, self.cx, self.cross, ("remove", self.nth), &face).clicked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_makes_a_control_of_its_kind_out_of_any_other() {
        let all = [
            "-",
            "300",
            "300+3",
            "40/5400+30:1800+30",
            "300d5",
            "600:5x30",
            "600:c15/300",
            "=30",
            "*120",
            "^",
        ];
        for text in all {
            let control: TimeControl = text.parse().expect("a control");
            for method in Method::ALL {
                let made = method.apply(&control);
                assert_eq!(Method::of(&made), method, "{text} as {method:?}");
                let written = made.to_string();
                assert_eq!(
                    written.parse::<TimeControl>().as_ref(),
                    Ok(&made),
                    "{text} as {method:?}: {written}"
                );
            }
        }
    }

    #[test]
    fn steps_go_up_and_down_by_what_people_say_and_stay_in_bounds() {
        let minutes = |up: bool, from: u64| match Part::Time(Millis(from * SECOND)).stepped(up) {
            Part::Time(span) => span.0 / SECOND,
            _ => 0,
        };
        assert_eq!([60, 540, 600, 3_600].map(|from| minutes(true, from)), [120, 600, 900, 3_900]);
        assert_eq!([60, 120, 600, 630, 900].map(|from| minutes(false, from)), [45, 60, 540, 600, 600]);
        assert_eq!(minutes(false, 15), 15);
        assert_eq!(minutes(true, 600 * 60), 600 * 60);
        assert_eq!(Part::Moves(40).stepped(true), Part::Moves(50));
        assert_eq!(Part::Seconds(Millis(10_000)).stepped(false), Part::Seconds(Millis(9_000)));
    }
}
