//! Sets a physical clock, and records the times that it reports. Also shows texts and times on a home-made board or
//! box with a display but no clock.
//!
//! Normally Tabiya's own clock is the master. If the term `clock: device` was agreed, the times of the physical clock
//! are recorded instead (`clock-reads` lines). The pilot opens no port: it reads device events and the table, and
//! returns commands. Sources: `docs/clock.md`, "A clock behind the board"; `docs/record.md`, "Terms".

use tabiya_boards::driver::BoardCommand;
use tabiya_boards::{
    BoardEvent, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask, ClockTimes, Side,
};
use tabiya_engine::clock::Clock;
use tabiya_engine::rules::{Decision, Turn};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Author, ClockSource, Common};
use tabiya_types::{ByColor, Color, Instant, Millis};

use super::clock_side::{color_at, side_of};
use tabiya_engine::clock::ClockSide;

/// The physical clock is set again if its times differ from those of Tabiya's clock by more than this tolerance. The
/// physical clock shows whole seconds and reports them late, so small differences are normal.
const TOLERANCE: Millis = Millis(1_500);
/// The remaining time below which each second that the physical clock shows is recorded.
const LAST_SECONDS: Millis = Millis(5_000);
/// The longest time that four digits can show. Longer times are shown as this time.
const LONGEST_SHOWN: Millis = Millis::from_secs(99 * 3600 + 59 * 60);
/// The time for which an announcement about the game is displayed instead of the clock times.
const ANNOUNCED: Millis = Millis(3_000);

/// What is known about the board's clock, and which commands were sent to it.
#[derive(Clone, Debug, Default)]
pub(super) struct ClockPilot {
    clock: Option<ClockInfo>,
    /// Whether the device itself has a display for texts; the display of a connected clock does not count.
    display: bool,
    /// Whether the clock has refused to be set because of its mode, which people can change only on the clock itself.
    refuses: bool,
    /// The last setting that was sent to the clock, and the time at which it was sent.
    sent: Option<(ClockSetting, Instant)>,
    /// The text that the display shows instead of the clock times, if any.
    text: Option<String>,
    /// The announcement that was displayed last, and the time at which it was first displayed.
    announced: Option<(String, Instant)>,
    /// The times that the clock reported last.
    times: Option<ClockTimes>,
    /// Whether the clock has ever run.
    ran: bool,
    /// The side to move when the clock's times were last compared with the table's.
    turn: Option<Color>,
    /// The next time at which the display may change although no event arrives.
    wakes: Option<Instant>,
}

impl ClockPilot {
    /// Handles an event from the board or from its clock.
    pub(super) fn hear(&mut self, event: &BoardEvent) {
        match event {
            // The newly found clock may be a different clock, or the same clock after a restart. So settings that were
            // sent earlier no longer count.
            BoardEvent::ClockFound(info) => {
                *self = Self { clock: Some(*info), display: self.display, ..Self::default() };
            }
            BoardEvent::Identified(info) if self.display != info.abilities.display => {
                (self.display, self.text) = (info.abilities.display, None);
            }
            BoardEvent::ClockGone | BoardEvent::Lost(_) => *self = Self::default(),
            BoardEvent::ClockRefused { task: ClockTask::SetAndRun, why: ClockRefusal::WrongMode } => {
                self.refuses = true;
            }
            BoardEvent::ClockTimes(times) => self.times = Some(*times),
            _ => {}
        }
    }

    /// Returns the commands that are due for the clock or the display.
    pub(super) fn orders(&mut self, watch: &Watch, seat: ClockSide, now: Instant) -> Vec<BoardCommand> {
        let Some(info) = self.clock.filter(|info| info.kind != ClockKind::TimesOnly) else {
            return if self.display { self.display_orders(watch, seat, now) } else { Vec::new() };
        };
        let mut orders = Vec::new();
        if watch.table().terms().clock == ClockSource::Tabiya
            && !self.refuses
            && let Some(wanted) = setting(watch, seat, now)
            && self.sent.is_none_or(|(sent, at)| differs(sent, at, wanted, now))
        {
            self.sent = Some((wanted, now));
            orders.push(BoardCommand::SetClock(wanted));
        }
        let text = self.text(watch, info.kind == ClockKind::Xl, now);
        orders.extend(self.show(text));
        self.wakes = self.next_wake(watch, now);
        orders
    }

    /// Returns the commands that are due for a display on a device without a clock. This display shows the times that
    /// a clock would show.
    fn display_orders(&mut self, watch: &Watch, seat: ClockSide, now: Instant) -> Vec<BoardCommand> {
        let text = self.text(watch, false, now).or_else(|| both_times(watch, seat, now));
        let orders = self.show(text).into_iter().collect();
        self.wakes = self.next_wake(watch, now).into_iter().chain(next_second(watch, now)).min();
        orders
    }

    fn show(&mut self, text: Option<String>) -> Option<BoardCommand> {
        if text == self.text {
            return None;
        }
        self.text.clone_from(&text);
        Some(text.map_or(BoardCommand::EndDisplay, BoardCommand::Show))
    }

    /// The next time at which a command may be due although no event arrives.
    pub(super) fn wakes(&self) -> Option<Instant> {
        self.wakes
    }

    /// Notes that time has reached `now`, and drops a wake-up time that has passed.
    pub(super) fn woken(&mut self, now: Instant) {
        self.wakes = self.wakes.filter(|due| *due > now);
    }

    /// The first of these times: the displayed announcement ends, the delay of the turn ends, or the displayed second of
    /// the time for a bet changes.
    fn next_wake(&self, watch: &Watch, now: Instant) -> Option<Instant> {
        let shown = self.announced.as_ref().map(|(_, since)| *since + ANNOUNCED);
        let clock = watch.clock_shown(now);
        let free = clock.turn().and_then(|turn| clock.standing(turn, now)).map(|standing| standing.delay);
        let free = free.filter(|_| !clock.paused()).map(|free| now + free);
        let bet = watch.table().bet_clock().filter(|_| !clock.paused()).map(|bet| bet.left(now));
        let bet = bet.filter(|left| *left > Millis::ZERO).map(|left| now + till_next_second(left));
        shown.into_iter().chain(free).chain(bet).filter(|due| *due > now).min()
    }

    /// Returns the inputs that follow from the physical clock's last report, if the match uses its times. These are a
    /// pause or a resumption if the clock was stopped or started, and its times if they differ from the table's.
    pub(super) fn news(&mut self, watch: &Watch, seat: ClockSide, now: Instant) -> Vec<Common> {
        let table = watch.table();
        let counts = table.terms().clock == ClockSource::Device && table.game().outcome().is_none();
        let Some(times) = self.times.filter(|_| counts && table.clock().turn().is_some()) else {
            return Vec::new();
        };
        let mut news = Vec::new();
        let runs = times.running.is_some();
        // A clock that has never run is not in use yet. That it is stopped does not mean a pause.
        if self.ran && times.fallen.is_none() && runs == table.clock().paused() {
            let by = Author::Arbiter;
            news.push(if runs { Common::Resume(by) } else { Common::Pause(by) });
        }
        self.ran |= runs;
        news.extend(self.reads(watch, seat, times, now).map(Common::ClockReads));
        news
    }

    fn reads(
        &mut self,
        watch: &Watch,
        seat: ClockSide,
        times: ClockTimes,
        now: Instant,
    ) -> Option<ByColor<u64>> {
        if !self.ran && times.fallen.is_none() {
            return None;
        }
        let clock = watch.table().clock();
        let shown = |side: Side| if times.fallen == Some(side) { Millis::ZERO } else { millis(times, side) };
        let reads = ByColor::new(|color| shown(side_of(seat, color)).0);
        let news = |color: Color| {
            let known = clock.reading(color, now).unwrap_or(Millis::ZERO).0;
            // During the last seconds each report of the physical clock is recorded, so that no flag falls in Tabiya
            // before it falls on that clock.
            let near = reads[color] > known && reads[color] <= LAST_SECONDS.0;
            near || known.abs_diff(reads[color]) > TOLERANCE.0
                || (reads[color] == 0 && !clock.has_fallen(color))
        };
        let pressed = std::mem::replace(&mut self.turn, clock.turn()) != clock.turn();
        (pressed || Color::ALL.into_iter().any(news)).then_some(reads)
    }

    /// The text to display instead of the clock times, if any: the seconds left for a bet, the pot while no time runs,
    /// the side that has to begin, the announcement of a changed piece, or the result. With `short`, the text has six
    /// characters at most.
    fn text(&mut self, watch: &Watch, short: bool, now: Instant) -> Option<String> {
        let table = watch.table();
        let game = table.game();
        if let Some(outcome) = game.outcome() {
            let half_points = outcome.half_points();
            let points = |color: Color| ["0", "1/2", "1"][usize::from(half_points[color].min(2))];
            return Some(match outcome.decision() {
                Decision::NoResult => "void".to_owned(),
                Decision::Drawn if short => "draw".to_owned(),
                Decision::Won(_) | Decision::Drawn | Decision::Points(_) => {
                    format!("{}-{}", points(Color::White), points(Color::Black))
                }
            });
        }
        let announced = game.placement().and_then(tabiya_engine::rules::Placement::announced);
        let word = announced.map(|(_, _, says)| says.word().to_uppercase());
        match (&self.announced, word) {
            (_, None) => self.announced = None,
            (Some((known, _)), Some(word)) if *known == word => {}
            (_, Some(word)) => self.announced = Some((word, now)),
        }
        if let Some((word, _)) = self.announced.as_ref().filter(|(_, since)| now < *since + ANNOUNCED) {
            return Some(word.chars().take(if short { 6 } else { 8 }).collect());
        }
        if table.clock().turn().is_some() {
            return None;
        }
        if let Some(bet) = table.bet_clock() {
            let seconds = bet.left(now).0.div_ceil(1_000).min(999);
            let letter = if bet.by == Color::White { 'W' } else { 'B' };
            return Some(if short {
                format!("{letter}  {seconds:>3}")
            } else {
                format!("BET {letter}{seconds:>3}")
            });
        }
        match table.turn() {
            Turn::Untimed => Some(game.stakes().pot().0)
                .filter(|pot| *pot > 0)
                .map(|pot| if short { format!("P{pot:>5}") } else { format!("POT {pot:>4}") }),
            Turn::Timed { by, .. } => {
                game.stages()?;
                let stage = table.phase().word().to_uppercase();
                let letter = if by == Color::White { 'W' } else { 'B' };
                let room = if short { 4 } else { 6 };
                Some(format!("{} {letter}", stage.chars().take(room).collect::<String>()))
            }
        }
    }
}

/// The setting that the clock should have; `None` if one side has no time that a clock could count down.
fn setting(watch: &Watch, seat: ClockSide, now: Instant) -> Option<ClockSetting> {
    let clock = watch.clock_shown(now);
    let reading = |color: Color| {
        let counts_up = clock.counts_up(color, now);
        clock.reading(color, now).filter(|_| !counts_up)
    };
    let times = ByColor { white: reading(Color::White)?, black: reading(Color::Black)? };
    let of = |side: Side| times[color_at(seat, side)];
    let running = clock.turn().filter(|turn| runs(&clock, *turn, now));
    let running = running.map(|color| side_of(seat, color));
    Some(ClockSetting { left: of(Side::Left), right: of(Side::Right), running })
}

/// The times of both sides in eight digits, the left side's first; `None` if a side has no time. A colon takes no
/// digit, because the display shows it as a dot at the digit before it. Two times of four digits leave no room for a
/// blank.
fn both_times(watch: &Watch, seat: ClockSide, now: Instant) -> Option<String> {
    let clock = watch.clock_shown(now);
    let reading = |side: Side| clock.reading(color_at(seat, side), now);
    let (left, right) = (in_four_digits(reading(Side::Left)?), in_four_digits(reading(Side::Right)?));
    let full = |text: &str| text.len() == "10:00".len();
    Some(if full(&left) && full(&right) { format!("{left}{right}") } else { format!("{left} {right}") })
}

/// Formats a clock time as minutes and seconds, or from one hour on as hours and minutes.
fn in_four_digits(reading: Millis) -> String {
    let text = reading.min(LONGEST_SHOWN).to_string();
    match text.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes, _] => format!("{hours}:{minutes}"),
        _ => text,
    }
}

/// The next time at which the displayed second of the running clock changes; `None` if no time runs.
fn next_second(watch: &Watch, now: Instant) -> Option<Instant> {
    let clock = watch.clock_shown(now);
    let turn = clock.turn().filter(|turn| runs(&clock, *turn, now))?;
    let reading = clock.reading(turn, now)?.0;
    // Clock times are displayed rounded up to whole seconds.
    let rest = if clock.counts_up(turn, now) {
        Millis(1_000 - (reading + 999) % 1_000)
    } else {
        till_next_second(Millis(reading))
    };
    Some(now + rest)
}

/// How long until a time that counts down, displayed rounded up to whole seconds, shows one second less.
fn till_next_second(left: Millis) -> Millis {
    Millis((left.0 + 999) % 1_000 + 1)
}

/// Whether this side's clock time changes now. It does not during a pause, during a delay, or after a flag that stops
/// the clock.
fn runs(clock: &Clock, turn: Color, now: Instant) -> bool {
    let free = clock.standing(turn, now).is_some_and(|standing| standing.delay > Millis::ZERO);
    !clock.paused() && !clock.frozen() && !clock.has_fallen(turn) && !free
}

/// Whether the clock, which received the setting `sent` at the time `at`, now differs from the setting `wanted` by
/// more than the tolerance.
fn differs(sent: ClockSetting, at: Instant, wanted: ClockSetting, now: Instant) -> bool {
    let run = now.since(at);
    let shows = |side: Side, left: Millis| {
        if sent.running == Some(side) { left.saturating_sub(run) } else { left }
    };
    let off = |a: Millis, b: Millis| a.0.abs_diff(b.0) > TOLERANCE.0;
    sent.running != wanted.running
        || off(shows(Side::Left, sent.left), wanted.left)
        || off(shows(Side::Right, sent.right), wanted.right)
}

fn millis(times: ClockTimes, side: Side) -> Millis {
    match side {
        Side::Left => times.left,
        Side::Right => times.right,
    }
}
