//! Compares the clock with a simple clock that counts milliseconds. Also checks properties that hold for every time
//! control.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use tabiya_types::{ByColor, Color, Instant, Millis};

use super::{Bonus, Clock, Setting, Stage, TimeControl};

// ---- a clock that counts milliseconds ----

/// One side of a simple clock that counts single milliseconds. It is written from the definitions in `docs/clock.md`,
/// not from the code of the real clock.
#[derive(Clone, Debug)]
struct Counting {
    stages: Vec<Stage>,
    left: u64,
    stage: usize,
    pressed_in_stage: u32,
    overtime: bool,
    periods: u32,
    fallen: bool,
    /// The part of this turn's delay that was not used up yet.
    free: u64,
    used: u64,
}

impl Counting {
    fn new(control: &TimeControl, first_increment: bool) -> Self {
        let stages = control.stages().to_vec();
        let mut side = Self {
            left: 0,
            stage: 0,
            pressed_in_stage: 0,
            overtime: false,
            periods: 0,
            fallen: false,
            free: 0,
            used: 0,
            stages,
        };
        if let Some(Stage::Byoyomi { periods, .. }) = side.stages.last() {
            side.periods = *periods;
        }
        match side.stages.first().copied() {
            Some(Stage::Time { base, bonus: Bonus::Increment(more), .. }) if first_increment => {
                side.left = base.0 + more.0;
            }
            Some(Stage::Time { base, .. }) => side.left = base.0,
            Some(Stage::Hourglass(base)) => side.left = base.0,
            Some(overtime) => side.enter(overtime),
            None => {}
        }
        side
    }

    fn enter(&mut self, overtime: Stage) {
        (self.overtime, self.pressed_in_stage) = (true, 0);
        self.left = match overtime {
            Stage::Byoyomi { period, .. } => period.0,
            Stage::Canadian { block, .. } => block.0,
            Stage::PerMove(span) => span.0,
            Stage::Time { .. } | Stage::Hourglass(_) | Stage::CountUp => 0,
        };
    }

    fn turn_begins(&mut self) {
        self.used = 0;
        self.free = match self.stages.get(self.stage) {
            Some(Stage::Time { bonus: Bonus::Delay(free), .. }) => free.0,
            _ => 0,
        };
        self.at_zero();
    }

    fn counts_up(&self) -> bool {
        self.overtime && matches!(self.stages.get(self.stage), Some(Stage::CountUp))
    }

    fn millisecond(&mut self) {
        self.used += 1;
        if self.free > 0 {
            self.free -= 1;
        } else if self.counts_up() {
            self.left += 1;
        } else if !self.fallen {
            self.left -= 1;
        }
        self.at_zero();
    }

    /// Carries out what follows when the reading reaches 0, such as the next stage, the next period, or the fall of the
    /// flag.
    fn at_zero(&mut self) {
        while self.left == 0 && self.free == 0 && !self.fallen && !self.counts_up() {
            let next = self.stages.get(self.stage + 1).copied();
            match (self.stages.get(self.stage).copied(), next) {
                (Some(Stage::Time { moves: None, .. }), Some(next)) => {
                    self.stage += 1;
                    self.pressed_in_stage = 0;
                    match next {
                        Stage::Time { base, .. } => self.left = base.0,
                        overtime => self.enter(overtime),
                    }
                }
                (Some(Stage::Byoyomi { period, .. }), _) if self.overtime => {
                    self.periods -= 1;
                    if self.periods == 0 {
                        self.fallen = true;
                    } else {
                        self.left = period.0;
                    }
                }
                (
                    Some(
                        overtime @ (Stage::Byoyomi { .. }
                        | Stage::Canadian { .. }
                        | Stage::PerMove(_)
                        | Stage::CountUp),
                    ),
                    _,
                ) if !self.overtime => self.enter(overtime),
                _ => self.fallen = true,
            }
        }
    }

    fn press(&mut self, first_increment: bool) {
        let gives = !self.fallen;
        let stage = self.stages[self.stage];
        match stage {
            Stage::Time { moves, bonus, .. } => {
                if let (true, Bonus::Bronstein(most)) = (gives, bonus) {
                    self.left += self.used.min(most.0);
                }
                self.pressed_in_stage += 1;
                let mut next = stage;
                if moves == Some(self.pressed_in_stage) {
                    self.pressed_in_stage = 0;
                    if self.stage + 1 < self.stages.len() {
                        self.stage += 1;
                    }
                    next = self.stages[self.stage];
                    if let (true, Stage::Time { base, .. }) = (gives, next) {
                        self.left += base.0;
                    }
                }
                let adds = if first_increment { next } else { stage };
                if let (true, Stage::Time { bonus: Bonus::Increment(more), .. }) = (gives, adds) {
                    self.left += more.0;
                }
            }
            Stage::Byoyomi { .. } | Stage::PerMove(_) if self.overtime && gives => self.enter(stage),
            Stage::Canadian { moves, .. } if self.overtime && gives => {
                self.pressed_in_stage += 1;
                if self.pressed_in_stage == moves {
                    self.enter(stage);
                }
            }
            _ => {}
        }
    }
}

/// A simple clock: both sides count single milliseconds.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is so or not")]
struct CountingClock {
    sides: ByColor<Counting>,
    turn: Color,
    paused: bool,
    first_increment: bool,
    freeze: bool,
    hourglass: bool,
}

impl CountingClock {
    fn frozen(&self) -> bool {
        self.freeze && self.sides.iter().any(|(_, side)| side.fallen)
    }

    fn pass(&mut self, millis: u64) {
        for _ in 0..millis {
            if self.paused || self.frozen() {
                return;
            }
            let (turn, other) = (self.turn, self.turn.other());
            if self.hourglass && !self.sides[turn].fallen && !self.sides[other].fallen {
                self.sides[other].left += 1;
            }
            self.sides[turn].millisecond();
        }
    }

    fn press(&mut self) {
        if self.frozen() || self.paused {
            return;
        }
        if !self.sides[self.turn].stages.is_empty() {
            self.sides[self.turn].press(self.first_increment);
        }
        self.turn = self.turn.other();
        self.sides[self.turn].turn_begins();
    }
}

// ---- generators of controls and events ----

#[derive(Clone, Copy, Debug)]
enum Event {
    Press,
    Pause,
    Resume,
}

fn seconds(range: std::ops::Range<u64>) -> impl Strategy<Value = Millis> {
    range.prop_map(Millis::from_secs)
}

fn time() -> impl Strategy<Value = Stage> {
    let bonus = prop_oneof![
        2 => Just(Bonus::None),
        2 => seconds(1..3).prop_map(Bonus::Increment),
        2 => seconds(1..3).prop_map(Bonus::Delay),
        1 => seconds(1..3).prop_map(Bonus::Bronstein),
    ];
    (proptest::option::of(1_u32..4), seconds(0..5), bonus).prop_filter_map(
        "some time",
        |(moves, base, bonus)| {
            let some = base > Millis::ZERO || matches!(bonus, Bonus::Increment(_) | Bonus::Delay(_));
            some.then_some(Stage::Time { moves, base, bonus })
        },
    )
}

fn overtime() -> impl Strategy<Value = Stage> {
    prop_oneof![
        (1_u32..4, seconds(1..3)).prop_map(|(periods, period)| Stage::Byoyomi { periods, period }),
        (1_u32..4, seconds(1..5)).prop_map(|(moves, block)| Stage::Canadian { moves, block }),
        seconds(1..4).prop_map(Stage::PerMove),
        Just(Stage::CountUp),
    ]
}

fn control() -> impl Strategy<Value = TimeControl> {
    let staged = (vec(time(), 0..4), proptest::option::of(overtime())).prop_filter_map(
        "at least one stage",
        |(mut stages, overtime)| {
            stages.extend(overtime);
            (!stages.is_empty()).then_some(TimeControl::Stages(stages))
        },
    );
    prop_oneof![8 => staged, 1 => Just(TimeControl::Untimed)]
}

fn controls() -> impl Strategy<Value = ByColor<TimeControl>> {
    let own = (control(), control()).prop_map(|(white, black)| ByColor { white, black });
    let glass = |base| TimeControl::Stages(vec![Stage::Hourglass(base)]);
    let glasses =
        (seconds(1..6), seconds(1..6)).prop_map(move |(a, b)| ByColor { white: glass(a), black: glass(b) });
    prop_oneof![9 => own, 1 => glasses]
}

fn events() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let event = prop_oneof![8 => Just(Event::Press), 1 => Just(Event::Pause), 1 => Just(Event::Resume)];
    let wait = prop_oneof![
        3 => 0_u64..3_000,
        // Waits of whole seconds are generated, too, because stages and periods end exactly at whole seconds.
        2 => (0_u64..5).prop_map(|seconds| seconds * 1000),
    ];
    vec((wait, event), 0..14)
}

fn clock(controls: &ByColor<TimeControl>, first_increment: bool, freeze: bool) -> Clock {
    Clock::new(Arc::new(Setting { controls: controls.clone(), first_increment, freeze }))
}

fn apply(clock: &mut Clock, event: Event, now: Instant) {
    match event {
        Event::Press if !clock.paused() && !clock.frozen() => clock.press(now, true),
        Event::Pause if !clock.paused() => clock.pause(now),
        Event::Resume if clock.paused() => clock.resume(now),
        Event::Press | Event::Pause | Event::Resume => {}
    }
}

fn readings(clock: &Clock, now: Instant) -> [Option<Millis>; 2] {
    Color::ALL.map(|color| clock.reading(color, now))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn it_reads_what_a_clock_reads_that_counts_milliseconds(
        controls in controls(),
        events in events(),
        first_increment: bool,
        freeze: bool,
    ) {
        let mut clock = clock(&controls, first_increment, freeze);
        let hourglass = controls.white.is_hourglass() && controls.black.is_hourglass();
        let sides = ByColor::new(|color| Counting::new(&controls[color], first_increment));
        let mut counting =
            CountingClock { sides, turn: Color::White, paused: false, first_increment, freeze, hourglass };
        let mut now = Instant::ZERO;
        clock.start(Color::White, now);
        if controls.white != TimeControl::Untimed {
            counting.sides.white.turn_begins();
        }
        for (wait, event) in events {
            now = now + Millis(wait);
            while clock.advance(now).is_some() {}
            // In the simple clock, a side without a time control gets so much time that its clock never reaches 0.
            for color in Color::ALL {
                if controls[color] == TimeControl::Untimed {
                    counting.sides[color].left = u64::MAX / 2;
                }
            }
            counting.pass(wait);
            match event {
                Event::Press => counting.press(),
                Event::Pause => counting.paused = true,
                Event::Resume => counting.paused = false,
            }
            apply(&mut clock, event, now);
            while clock.advance(now).is_some() {}
            for color in Color::ALL {
                let counted = &counting.sides[color];
                let expected = (controls[color] != TimeControl::Untimed).then_some(Millis(counted.left));
                prop_assert_eq!(clock.reading(color, now), expected, "{} at {:?}", color, now);
                prop_assert_eq!(clock.has_fallen(color), counted.fallen, "{} at {:?}", color, now);
                let periods = clock.standing(color, now).and_then(|standing| standing.periods);
                prop_assert_eq!(periods.unwrap_or(counted.periods), counted.periods);
            }
        }
    }

    #[test]
    fn asking_changes_nothing_and_neither_does_reading_on(
        controls in controls(),
        events in events(),
        first_increment: bool,
        freeze: bool,
    ) {
        let (mut asked, mut left_alone) =
            (clock(&controls, first_increment, freeze), clock(&controls, first_increment, freeze));
        let mut now = Instant::ZERO;
        asked.start(Color::White, now);
        left_alone.start(Color::White, now);
        for (wait, event) in events {
            for part in 1..=5 {
                let then = now + Millis(wait * part / 5);
                let before = readings(&asked, then);
                while asked.advance(then).is_some() {}
                prop_assert_eq!(readings(&asked, then), before);
            }
            now = now + Millis(wait);
            while left_alone.advance(now).is_some() {}
            apply(&mut asked, event, now);
            apply(&mut left_alone, event, now);
            prop_assert_eq!(&asked, &left_alone);
        }
    }

    #[test]
    fn between_events_time_only_runs_out(
        controls in controls(),
        events in events(),
        first_increment: bool,
    ) {
        let mut clock = clock(&controls, first_increment, true);
        let mut now = Instant::ZERO;
        clock.start(Color::White, now);
        for (wait, event) in events {
            let mut before = readings(&clock, now);
            let mut was = Color::ALL.map(|color| clock.standing(color, now));
            for part in 1..=20 {
                let then = now + Millis(wait * part / 20);
                let after = readings(&clock, then);
                let is = Color::ALL.map(|color| clock.standing(color, then));
                for (nth, color) in Color::ALL.into_iter().enumerate() {
                    let place = |standing: Option<super::ControlProgress>| {
                        standing.map(|standing| (standing.stage, standing.overtime, standing.periods))
                    };
                    let gains = controls[color].is_hourglass() && clock.turn() != Some(color);
                    let moved_on = place(was[nth]) != place(is[nth]);
                    let up = clock.counts_up(color, then);
                    prop_assert!(after[nth] <= before[nth] || gains || moved_on || up);
                    if clock.turn() != Some(color) && !gains {
                        prop_assert_eq!(after[nth], before[nth]);
                    }
                }
                (before, was) = (after, is);
            }
            now = now + Millis(wait);
            clock.advance(now);
            apply(&mut clock, event, now);
        }
    }

    #[test]
    fn time_is_neither_made_nor_lost(
        base in 20_u64..60,
        bonus in prop_oneof![
            Just(Bonus::None),
            seconds(1..5).prop_map(Bonus::Increment),
            seconds(1..5).prop_map(Bonus::Delay),
            seconds(1..5).prop_map(Bonus::Bronstein),
        ],
        turns in vec(0_u64..8_000, 1..12),
        first_increment: bool,
    ) {
        let given = Millis::from_secs(base);
        let control = TimeControl::Stages(vec![Stage::Time { moves: None, base: given, bonus }]);
        let controls = ByColor { white: control, black: TimeControl::Untimed };
        let mut clock = clock(&controls, first_increment, true);
        let mut now = Instant::ZERO;
        // All time that White was given (at the start and by bonuses), and all time that White used.
        let (mut plus, mut used) = (given.0, 0);
        if let (Bonus::Increment(more), true) = (bonus, first_increment) {
            plus += more.0;
        }
        for turn in turns {
            clock.start(Color::White, now);
            now = now + Millis(turn);
            if clock.advance(now).is_some() {
                break;
            }
            clock.press(now, true);
            used += turn;
            plus += match bonus {
                Bonus::None => 0,
                Bonus::Increment(more) => more.0,
                Bonus::Delay(free) => turn.min(free.0),
                Bonus::Bronstein(most) => turn.min(most.0),
            };
            prop_assert_eq!(clock.reading(Color::White, now), Some(Millis(plus - used)));
        }
    }

    #[test]
    fn an_hourglass_holds_always_as_much(
        bases in (1_u64..9, 1_u64..9),
        events in events(),
    ) {
        let glass = |base| TimeControl::Stages(vec![Stage::Hourglass(Millis::from_secs(base))]);
        let controls = ByColor { white: glass(bases.0), black: glass(bases.1) };
        let mut clock = clock(&controls, true, true);
        let mut now = Instant::ZERO;
        clock.start(Color::White, now);
        for (wait, event) in events {
            now = now + Millis(wait);
            clock.advance(now);
            apply(&mut clock, event, now);
            let sum: u64 = readings(&clock, now).iter().flatten().map(|left| left.0).sum();
            prop_assert_eq!(sum, (bases.0 + bases.1) * 1000);
        }
    }

    #[test]
    fn a_flag_falls_when_it_was_said_to_fall(
        controls in controls(),
        events in events(),
        first_increment: bool,
    ) {
        let mut clock = clock(&controls, first_increment, true);
        let mut now = Instant::ZERO;
        clock.start(Color::White, now);
        for (wait, event) in events {
            let said = clock.flag_at();
            now = now + Millis(wait);
            let fell = clock.advance(now);
            if let Some(said) = said.filter(|said| *said <= now) {
                prop_assert_eq!(fell.map(|fell| fell.at), Some(said));
                let left = fell.and_then(|fell| clock.reading(fell.side, now));
                prop_assert_eq!(left, Some(Millis::ZERO));
                break;
            }
            prop_assert_eq!(fell, None);
            apply(&mut clock, event, now);
        }
    }

    #[test]
    fn what_is_written_is_read_back(control in control()) {
        prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
    }

    #[test]
    fn whatever_is_read_is_read_or_refused_at_a_character_of_it(text in "[-0-9x/c:+dbé=*^ ]{0,12}") {
        match text.parse::<TimeControl>() {
            Ok(control) => prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control)),
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.at()), "{}", error),
        }
    }
}

#[test]
fn errors_point_at_the_character_and_say_what_could_stand_there() {
    let cases = [
        ("", 1, "a number of seconds, `=`, `*` or `c` with numbers"),
        ("5 min", 2, "`+`, `d`, `b`, `/` or `x` and seconds, `:` and another stage, or the end"),
        ("300+", 5, "a number of seconds"),
        ("300+x", 5, "a number of seconds"),
        ("300+3+3", 6, "`:` and another stage, or the end"),
        ("300:", 5, "a number of seconds, moves or periods, or `=`, `c` or `^`"),
        ("0", 1, "a stage with some time"),
        ("40/0", 4, "a stage with some time"),
        ("0/300", 1, "a number of moves from 1 to 9999"),
        ("0b5", 2, "`d` or `+`, since `b` gives back"),
        ("300b5x", 6, "`:` and another stage, or the end"),
        ("0x30", 1, "a number of periods from 1 to 999"),
        ("5x0", 3, "at least 1 second"),
        ("600:5x30:60", 9, "the end, since nothing follows such a stage"),
        ("=30:600", 4, "the end, since nothing follows such a stage"),
        ("*60:300", 4, "the end, since an hourglass stands alone"),
        ("300:*60", 5, "another stage: an hourglass stands alone"),
        ("c0/300", 2, "a number of moves from 1 to 9999"),
        ("c15:300", 4, "`/` and seconds"),
        ("--", 1, "a number of seconds"),
        ("99999999", 1, "at most 9999999 seconds"),
        ("99999999999999999999999", 1, "at most 9999999 seconds"),
        ("40/5400+30d5", 11, "`:` and another stage, or the end"),
        ("３００", 1, "a number of seconds"),
    ];
    for (text, at, wanted) in cases {
        let error = text.parse::<TimeControl>().expect_err(text);
        assert_eq!(error.at(), at, "{error}");
        assert!(error.to_string().contains(&format!("at character {at}, expected {wanted}")), "{error}");
    }
}

#[test]
fn a_ruling_in_byo_yomi_gives_main_time_where_it_is_more_than_a_period() {
    let control: TimeControl = "60:3x10".parse().expect("a control");
    let mut clock = clock(&ByColor { white: control.clone(), black: control }, true, true);
    let at = Instant::from_millis;
    clock.start(Color::White, at(0));
    // 75 s are 60 s of main time, one period of 10 s, and 5 s of the next period.
    assert_eq!(clock.reading(Color::White, at(75_000)), Some(Millis(5_000)));
    clock.add(Color::White, Millis(60_000), at(75_000));
    let standing = clock.standing(Color::White, at(75_000)).expect("a clock");
    assert_eq!((standing.overtime, standing.periods), (false, Some(2)));
    assert_eq!(clock.reading(Color::White, at(75_000)), Some(Millis(65_000)));
    // The added main time ends at 140 s. After it a whole period of 10 s begins, of which 1 s is used.
    assert_eq!(clock.reading(Color::White, at(141_000)), Some(Millis(9_000)));
    assert!(clock.set_periods(Color::White, 5, at(141_000)));
    assert!(!clock.set_periods(Color::White, 0, at(141_000)));
    assert_eq!(clock.standing(Color::White, at(141_000)).and_then(|then| then.periods), Some(5));
    assert!(!clock.set_periods(Color::White, 0, at(151_000)));
}

#[test]
fn a_corrected_move_counter_leads_to_the_stage_of_that_move() {
    let control: TimeControl = "3/60:2/30:20".parse().expect("a control");
    let mut clock = clock(&ByColor { white: control.clone(), black: control }, true, true);
    clock.start(Color::White, Instant::ZERO);
    for (moves, stage) in [(2, 1), (3, 2), (4, 2), (5, 3), (9, 3)] {
        clock.set_moves(Color::White, moves, Instant::ZERO);
        let standing = clock.standing(Color::White, Instant::ZERO).expect("a clock");
        assert_eq!((clock.moves(Color::White), standing.stage), (moves, stage));
    }
    // One more press ends the first stage.
    clock.set_moves(Color::White, 2, Instant::ZERO);
    clock.press(Instant::from_millis(10_000), true);
    assert_eq!(clock.reading(Color::White, Instant::from_millis(10_000)), Some(Millis(80_000)));
}
