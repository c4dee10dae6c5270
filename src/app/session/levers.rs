//! The levers of the physical clocks: whose press a movement of one of them was, and when.
//!
//! A press that contradicts the board waits for a moment ([`LATE`]), because boards report late. If the clock turns out to
//! stand the other way round, what was pressed since is read again for the right players. A press that fell into a gap of
//! the link shows itself afterwards: the lever stands otherwise than before. It ends its player's turn when the link is
//! back, which is the earliest moment that is certain (Laws 6.2.1).

use tabiya_boards::{BoardEvent, ClockTimes, Side};
use tabiya_engine::clock::ClockSide;
use tabiya_engine::table::{ClockSource, Common, Input, Ruling, UndoWhat};
use tabiya_types::{Color, Instant, Millis, Observation, say};

use super::clock_side::{
    LeverPress, Stands, Weighed, clock_side_sentence, color_at, expected_press, reported_side, side_of,
    standing_actions, unsure,
};
use super::course::MatchCourse;

/// How late a board may show a move that was made before a press: one scan of a slow board, and its way here.
const LATE: Millis = Millis(300);

/// The most presses that wait for the board when the clock turns out to stand the other way round: one of each side.
const MOST_WAITING: usize = 2;

/// The most inputs that are taken back then: the start of the clock, two actions and their presses.
const MOST_UNDONE: usize = 5;

/// The least that a side has left, in ms, when the time of a turn is charged to it afterwards.
const LEAST_LEFT: u64 = 1_000;

/// The levers of the board's clock and of the box beside the board.
#[derive(Debug, Default)]
pub(super) struct Levers {
    /// The press that waits for what the board may show late.
    held: Option<LeverPress>,
    /// The lever of the board's clock.
    board: LeverLine,
    /// Whether the board's clock stood still in its last report.
    stood: bool,
    /// A press that fell into a gap of the link. Its moment is the one at which the link was back.
    missed: Option<LeverPress>,
}

/// The lever of one clock, and whether it could be seen all the time.
#[derive(Debug, Default)]
struct LeverLine {
    /// The side whose half is up, as far as it is known.
    up: Option<Side>,
    /// Whether the link was away since `up` was seen.
    gap: bool,
    /// The side whose half must have been up when an earlier run of the program ended, if the clock was used then.
    left: Option<Color>,
}

impl LeverLine {
    /// Follows an event of the board. Returns the side that was pressed while the link was away. `seat`: where the clock
    /// stands.
    fn follow(&mut self, event: &BoardEvent, seat: ClockSide) -> Option<Side> {
        match event {
            BoardEvent::Lost(_) | BoardEvent::ClockGone => self.gap = true,
            BoardEvent::Observed(Observation::Press(by)) => {
                *self = Self { up: Some(reported_side(*by).other()), ..Self::default() };
            }
            BoardEvent::ClockTimes(times) => {
                let up = times.to_move?;
                let before = self.left.take().map(|color| side_of(seat, color)).or(self.up);
                let missed = before.filter(|before| self.gap && *before != up);
                if std::mem::take(&mut self.gap) || self.up.is_none() {
                    self.up = Some(up);
                }
                return missed;
            }
            _ => {}
        }
        None
    }
}

impl Levers {
    /// A match is carried on. This side's half of the lever was up when its record ended, as far as that is known.
    pub(super) fn carried_on(&mut self, left: Option<Color>) {
        self.board = LeverLine { up: None, gap: true, left };
    }

    /// Follows an event of the board, whose lever may have been moved while its link was away. A new press there replaces
    /// one that could not be read yet.
    pub(super) fn follow_board(&mut self, event: &BoardEvent, seat: ClockSide, at: Instant) {
        if let Some(side) = self.board.follow(event, seat) {
            self.missed = Some(LeverPress { side, at });
        }
    }

    /// When a press that waits is looked at again.
    pub(super) fn due(&self, course: &MatchCourse) -> Option<Instant> {
        let settle = course.table().terms().settle;
        let reads = !course.table().clock().paused() && !course.instruments.gone;
        let late = self.held.into_iter().chain(course.seats.start()).map(|press| press.at + LATE);
        let missed = self.missed.filter(|_| reads).map(|press| press.at + settle);
        late.chain(missed).min()
    }

    /// Handles a press of a clock's lever, named as drivers name it.
    pub(super) fn press(&mut self, course: &mut MatchCourse, reported: Color, at: Instant) {
        // Nobody presses twice: what waited longer is taken as it is.
        self.take_held(course, at, true);
        course.levers_used = true;
        if let Some(missed) = self.missed.take() {
            self.weigh_press(course, LeverPress { at, ..missed }, at, true);
        }
        self.weigh_press(course, LeverPress { side: reported_side(reported), at }, at, false);
    }

    fn weigh_press(&mut self, course: &mut MatchCourse, press: LeverPress, now: Instant, rested: bool) {
        let doubted = course.seats.doubted();
        match course.seats.weigh(press, &course.ledger.watch, rested) {
            Weighed::Waits => {
                self.held = Some(press);
                return;
            }
            Weighed::Fits => {}
            Weighed::Doubted => {
                if course.seats.contradicts_people() {
                    course.speech.say_restricted(course.ledger.table(), unsure());
                }
            }
            Weighed::Exchanged(stands) => {
                let turned = course.watch().turned();
                course.seats.exchange(turned);
                tell_guess(course, stands);
                let earlier = doubted.into_iter().find(|other| other.press.side != press.side);
                if let Some(earlier) = earlier.filter(|_| stands != Stands::Start) {
                    read_again(course, earlier.count, &[earlier.press, press], now);
                    return;
                }
                drop_waiting(course, now);
            }
        }
        enter_press(course, press, now);
    }

    /// Follows the times of the board's clock. People may start it with its button: the side whose time runs first is then
    /// that of the player to move.
    pub(super) fn follow_start(&mut self, course: &mut MatchCourse, times: &ClockTimes, at: Instant) {
        let stood = std::mem::replace(&mut self.stood, times.running.is_none());
        let Some(running) = times.running.filter(|_| stood) else { return };
        let start = matches!(expected_press(course.watch()), Some((_, Stands::Start)));
        if !start || course.table().clock().turn().is_some() || course.ledger.stopped() {
            return;
        }
        let press = LeverPress { side: running.other(), at };
        if let Weighed::Exchanged(stands) = course.seats.weigh(press, &course.ledger.watch, true) {
            let turned = course.watch().turned();
            course.seats.exchange(turned);
            tell_guess(course, stands);
        }
        if course.table().terms().clock == ClockSource::Device {
            enter_press(course, press, at);
        }
    }

    /// Looks at the presses that wait: whether the board shows now what they ended.
    pub(super) fn settle(&mut self, course: &mut MatchCourse, now: Instant) {
        if course.ledger.stopped() {
            return;
        }
        let rested = |press: LeverPress| now >= press.at + LATE;
        self.take_held(course, now, self.held.is_some_and(rested));
        if course.seats.start().is_some_and(rested) {
            course.seats.look_at_start(&course.ledger.watch);
        }
        self.settle_missed(course, now);
    }

    /// The input ends: nothing more will be shown.
    pub(super) fn finish(&mut self, course: &mut MatchCourse, now: Instant) {
        self.take_held(course, now.max(course.last_t()), true);
    }

    /// Enters the press that waits for the board, if the board shows what it ended. `rested`: enters it in any case.
    fn take_held(&mut self, course: &mut MatchCourse, now: Instant, rested: bool) {
        let Some(press) = self.held.take() else { return };
        self.weigh_press(course, press, now, rested);
    }

    /// Enters the press that fell into a gap of the link, once the board shows what it ended.
    fn settle_missed(&mut self, course: &mut MatchCourse, now: Instant) {
        let Some(press) = self.missed.filter(|_| !course.table().clock().paused()) else { return };
        let over = now >= press.at + course.table().terms().settle && !course.instruments.gone;
        match expected_press(course.watch()) {
            Some((_, Stands::Acted | Stands::Start | Stands::Answered)) => {}
            None if over => {}
            Some((_, Stands::Settled)) if over => {
                self.missed = None;
                course.speech.say_restricted(
                    course.ledger.table(),
                    say!(
                        "gap-unsure",
                        "the lever of the clock was moved while its link was away, but the board shows no move: check whose time runs"
                    ),
                );
                return;
            }
            Some((_, Stands::Settled)) | None => return,
        }
        self.missed = None;
        self.weigh_press(course, LeverPress { at: now, ..press }, now, true);
        let by = color_at(course.clock_side(), press.side);
        course.speech.say_restricted(
            course.ledger.table(),
            say!(
                "gap-press",
                "{by} pressed the clock while its link was away: the turn counts as ended now that the link is back",
                by
            ),
        );
    }
}

/// Says that the clock stands the other way round, and why.
fn tell_guess(course: &mut MatchCourse, stands: Stands) {
    let side = clock_side_sentence(course.clock_side());
    course.speech.say(if stands == Stands::Start {
        say!(
            "clock-side-by-start",
            "{side}, because Black starts the clock; if that is wrong, `clock-side` exchanges its sides",
            side
        )
    } else {
        say!(
            "clock-side-by-board",
            "{side}, as the moves on the board show; if that is wrong, `clock-side` exchanges its sides",
            side
        )
    });
}

/// Enters a press for the colour that sits at its side of the clock.
fn enter_press(course: &mut MatchCourse, press: LeverPress, now: Instant) {
    let by = color_at(course.clock_side(), press.side);
    let input = Input::Common(Common::Press(by));
    if course.is_sealed_by(&input) {
        course.enter_or_tell(&input, press.at);
        return;
    }
    // If this press is refused, no message is shown, because nobody typed it. The lever may have been moved too
    // early; then the board will show later what was played.
    drop(course.ledger.watch.enter_late(&input, press.at, now));
    course.absorb(now);
}

/// The clock stands the other way round: takes back what has acted since this number of inputs, which was for the wrong
/// players, and enters these presses for the right ones. The board shows what they ended.
fn read_again(course: &mut MatchCourse, since: usize, presses: &[LeverPress], now: Instant) {
    drop_waiting(course, now);
    let seat = course.clock_side();
    let there = course.sight().is_there();
    let watch = &mut course.ledger.watch;
    let reason = Some("the clock stands the other way round".to_owned());
    let undo = Input::Common(Common::Undo { what: UndoWhat::LastLine, by: None, reason });
    let undoes = there && watch.table().count() > since;
    for _ in 0..MOST_UNDONE {
        if undoes && watch.table().count() > since {
            drop(watch.enter(&undo, now));
        }
    }
    let actions = standing_actions(watch);
    let mut ended: Option<LeverPress> = None;
    for (nth, action) in actions.into_iter().enumerate() {
        let Some(by) = action.by() else { break };
        // An action that had ended is entered again. Another one needs a press of its player.
        let press = presses.get(nth).copied();
        if press.map_or(!undoes, |press| color_at(seat, press.side) != by)
            || watch.enter(Input::Game(action), now).is_err()
        {
            break;
        }
        drop(watch.enter(Input::Common(Common::Press(by)), now));
        // After an undo a turn begins at the undo, so what it has used before is charged by a ruling.
        let before = std::mem::replace(&mut ended, press);
        if let (Some(before), Some(press)) = (before, press)
            && let Some(left) = watch.table().reading(by, now)
        {
            let mut ruling = Ruling::because("the clock stands the other way round");
            ruling.clock_ms[by] = Some(left.saturating_sub(press.at.since(before.at)).0.max(LEAST_LEFT));
            drop(watch.enter(ruling, now));
        }
    }
    course.absorb(now);
}

/// Drops the presses that wait for the board: they were read for the wrong players.
fn drop_waiting(course: &mut MatchCourse, now: Instant) {
    let watch = &mut course.ledger.watch;
    for _ in 0..MOST_WAITING {
        // While a press waits, an undo drops it and writes no line.
        if watch.press_waits() {
            drop(watch.enter(Input::Common(Common::TAKE_BACK), now));
        }
    }
}

/// Notes where people say that the clock stands; with `None` the table guesses again. Says what counts now.
pub(super) fn tell_clock_side(course: &mut MatchCourse, side: Option<ClockSide>, at: Instant) {
    let at = at.max(course.last_t());
    let (before, doubted) = (course.clock_side(), course.seats.doubted());
    course.seats.tell(side);
    course.speech.say(clock_side_sentence(course.clock_side()));
    if let Some(first) = doubted.first().filter(|_| course.clock_side() != before) {
        let presses: Vec<LeverPress> = doubted.iter().map(|doubted| doubted.press).collect();
        read_again(course, first.count, &presses, at);
    }
}
