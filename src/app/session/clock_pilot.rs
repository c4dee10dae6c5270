//! What a physical clock is told, and what is taken from it; and what a display alone shows, of a board or a box that
//! somebody built.
//!
//! Tabiya's own clock is the master unless `clock: device` was agreed: then the physical clock's times
//! go into the record (`clock-reads`). A value: what the clock and the table say goes in, orders come out.
//! Source: the DGT notes, "Clocks"; record, "Terms".

use tabiya_boards::driver::BoardCommand;
use tabiya_boards::{
    BoardEvent, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask, ClockTimes, Side,
};
use tabiya_engine::clock::Clock;
use tabiya_engine::rules::Turn;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{By, ClockSource, Common};
use tabiya_types::{ByColor, Color, Instant, Millis};

/// A clock may be so far off before it is set anew: its display has whole seconds, and comes late.
const OFF: Millis = Millis(1_500);
/// Below this every second that the physical clock shows is taken over.
const LAST_SECONDS: Millis = Millis(5_000);
/// The longest time that four digits can show; one that is longer stands so, too.
const LONGEST_SHOWN: Millis = Millis::from_secs(99 * 3600 + 59 * 60);
/// How long a word of the game stands where the times should be.
const ANNOUNCED: Millis = Millis(3_000);

/// What is known of the clock behind the board, and what it was told.
#[derive(Clone, Debug, Default)]
pub(super) struct ClockPilot {
    clock: Option<ClockInfo>,
    /// Whether there is a display that is no clock's.
    display: bool,
    /// Whether it has refused to be set: only its owner can change that, by hand.
    refuses: bool,
    /// What it was told last, and when.
    told: Option<(ClockSetting, Instant)>,
    /// The text that it shows.
    text: Option<String>,
    /// The announcement that was seen last, and since when.
    announced: Option<(String, Instant)>,
    /// What its displays said last.
    times: Option<ClockTimes>,
    /// Whether it has ever run.
    ran: bool,
    /// Whose turn it was when its times were taken last.
    turn: Option<Color>,
    /// When it has to be looked at again.
    wakes: Option<Instant>,
}

impl ClockPilot {
    /// Something that the clock told.
    pub(super) fn hear(&mut self, event: &BoardEvent) {
        match event {
            // Another one, or the same after a pause of its own: it knows nothing of what was told before.
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

    /// What the clock is to do now, if anything.
    pub(super) fn orders(&mut self, watch: &Watch, now: Instant) -> Vec<BoardCommand> {
        let Some(info) = self.clock.filter(|info| info.kind != ClockKind::TimesOnly) else {
            return if self.display { self.display_orders(watch, now) } else { Vec::new() };
        };
        let mut orders = Vec::new();
        if watch.table().terms().clock == ClockSource::Tabiya
            && !self.refuses
            && let Some(wanted) = setting(watch, now)
            && self.told.is_none_or(|(told, at)| differs(told, at, wanted, now))
        {
            self.told = Some((wanted, now));
            orders.push(BoardCommand::SetClock(wanted));
        }
        let text = self.text(watch, info.kind == ClockKind::Xl, now);
        orders.extend(self.show(text));
        self.wakes = self.next_wake(watch, now);
        orders
    }

    /// A display that is no clock's shows the times where a clock would.
    fn display_orders(&mut self, watch: &Watch, now: Instant) -> Vec<BoardCommand> {
        let text = self.text(watch, false, now).or_else(|| both_times(watch, now));
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

    /// When the next order may be due although nothing happens.
    pub(super) fn wakes(&self) -> Option<Instant> {
        self.wakes
    }

    /// Time has come to that moment.
    pub(super) fn woken(&mut self, now: Instant) {
        self.wakes = self.wakes.filter(|due| *due > now);
    }

    /// An announcement ends, or a free part of the turn.
    fn next_wake(&self, watch: &Watch, now: Instant) -> Option<Instant> {
        let shown = self.announced.as_ref().map(|(_, since)| *since + ANNOUNCED);
        let clock = watch.clock_shown(now);
        let free = clock.turn().and_then(|turn| clock.standing(turn, now)).map(|standing| standing.delay);
        let free = free.filter(|_| !clock.paused()).map(|free| now + free);
        shown.into_iter().chain(free).filter(|due| *due > now).min()
    }

    /// What the physical clock tells the table, where its times count: that it was stopped or started, and
    /// its times if they say something that the table does not know.
    pub(super) fn news(&mut self, watch: &Watch, now: Instant) -> Vec<Common> {
        let table = watch.table();
        let counts = table.terms().clock == ClockSource::Device && table.game().outcome().is_none();
        let Some(times) = self.times.filter(|_| counts && table.clock().turn().is_some()) else {
            return Vec::new();
        };
        let mut news = Vec::new();
        let runs = times.running.is_some();
        // A clock that has never run is only lying there.
        if self.ran && times.fallen.is_none() && runs == table.clock().paused() {
            let by = By::Arbiter;
            news.push(if runs { Common::Resume(by) } else { Common::Pause(by) });
        }
        self.ran |= runs;
        news.extend(self.reads(watch, times, now).map(Common::ClockReads));
        news
    }

    fn reads(&mut self, watch: &Watch, times: ClockTimes, now: Instant) -> Option<ByColor<u64>> {
        if !self.ran && times.fallen.is_none() {
            return None;
        }
        let (clock, turned) = (watch.table().clock(), watch.turned());
        let shown = |side: Side| if times.fallen == Some(side) { Millis::ZERO } else { millis(times, side) };
        let reads = ByColor::new(|color| shown(side_of(color, turned)).0);
        let news = |color: Color| {
            let known = clock.reading(color, now).unwrap_or(Millis::ZERO).0;
            // Near the end the physical clock has the last word each second: nobody's flag falls before its.
            let near = reads[color] > known && reads[color] <= LAST_SECONDS.0;
            near || known.abs_diff(reads[color]) > OFF.0 || (reads[color] == 0 && !clock.has_fallen(color))
        };
        let pressed = std::mem::replace(&mut self.turn, clock.turn()) != clock.turn();
        (pressed || Color::ALL.into_iter().any(news)).then_some(reads)
    }

    /// What stands on the display instead of the times: the pot while nobody's time runs, whose turn it is
    /// to begin, a word that changes a piece, the result.
    /// `short`: in six letters.
    fn text(&mut self, watch: &Watch, short: bool, now: Instant) -> Option<String> {
        let table = watch.table();
        let game = table.game();
        if let Some(outcome) = game.outcome() {
            let result = match (outcome.winner, short) {
                (Some(Color::White), _) => "1-0",
                (Some(Color::Black), _) => "0-1",
                (None, true) => "draw",
                (None, false) => "1/2-1/2",
            };
            return Some(result.to_owned());
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

/// How the clock is to stand; `None` where one of the sides has no time that a clock could count down.
fn setting(watch: &Watch, now: Instant) -> Option<ClockSetting> {
    let (clock, turned) = (watch.clock_shown(now), watch.turned());
    let reading = |color: Color| {
        let counts_up = clock.counts_up(color, now);
        clock.reading(color, now).filter(|_| !counts_up)
    };
    let times = ByColor { white: reading(Color::White)?, black: reading(Color::Black)? };
    let of = |side: Side| times[color_of(side, turned)];
    let running = clock.turn().filter(|turn| runs(&clock, *turn, now));
    let running = running.map(|color| side_of(color, turned));
    Some(ClockSetting { left: of(Side::Left), right: of(Side::Right), running })
}

/// Both readings in eight digits, the left side's first; `None` where a side has no time. A colon is a dot at the digit
/// before it, so that two readings of four digits have no room for a blank between them.
fn both_times(watch: &Watch, now: Instant) -> Option<String> {
    let (clock, turned) = (watch.clock_shown(now), watch.turned());
    let reading = |side: Side| clock.reading(color_of(side, turned), now);
    let (left, right) = (in_four_digits(reading(Side::Left)?), in_four_digits(reading(Side::Right)?));
    let full = |text: &str| text.len() == "10:00".len();
    Some(if full(&left) && full(&right) { format!("{left}{right}") } else { format!("{left} {right}") })
}

/// A reading in minutes and seconds, from an hour on in hours and minutes.
fn in_four_digits(reading: Millis) -> String {
    let text = reading.min(LONGEST_SHOWN).to_string();
    match text.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes, _] => format!("{hours}:{minutes}"),
        _ => text,
    }
}

/// When the running side's reading shows another second.
fn next_second(watch: &Watch, now: Instant) -> Option<Instant> {
    let clock = watch.clock_shown(now);
    let turn = clock.turn().filter(|turn| runs(&clock, *turn, now))?;
    let reading = clock.reading(turn, now)?.0;
    // A reading is shown rounded up.
    let rest = if clock.counts_up(turn, now) {
        1_000 - (reading + 999) % 1_000
    } else {
        (reading + 999) % 1_000 + 1
    };
    Some(now + Millis(rest))
}

/// Whether this side's reading runs: neither paused, nor stopped by a flag, nor in a free part of the turn.
fn runs(clock: &Clock, turn: Color, now: Instant) -> bool {
    let free = clock.standing(turn, now).is_some_and(|standing| standing.delay > Millis::ZERO);
    !clock.paused() && !clock.frozen() && !clock.has_fallen(turn) && !free
}

/// Whether a clock that was told so at that moment shows something else by now than it should.
fn differs(told: ClockSetting, at: Instant, wanted: ClockSetting, now: Instant) -> bool {
    let run = now.since(at);
    let shows = |side: Side, left: Millis| {
        if told.running == Some(side) { left.saturating_sub(run) } else { left }
    };
    let off = |a: Millis, b: Millis| a.0.abs_diff(b.0) > OFF.0;
    told.running != wanted.running
        || off(shows(Side::Left, told.left), wanted.left)
        || off(shows(Side::Right, told.right), wanted.right)
}

fn millis(times: ClockTimes, side: Side) -> Millis {
    match side {
        Side::Left => times.left,
        Side::Right => times.right,
    }
}

/// The colour behind a side; a board that is turned has its clock turned, too.
fn color_of(side: Side, turned: bool) -> Color {
    if turned { side.color().other() } else { side.color() }
}

fn side_of(color: Color, turned: bool) -> Side {
    if (color == Color::White) == turned { Side::Right } else { Side::Left }
}
