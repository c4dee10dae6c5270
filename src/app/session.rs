//! One running table: what comes in is understood, made durable, and only then told.
//!
//! Reads no clock and opens no port: moments come with what comes in. Every loop (the real one, a
//! capture's, a pretended one) and every test drives this same value.

mod answers;
mod arbiter;
mod cards;
mod clock_pilot;
mod dealing;
mod keep;
mod lamps;
mod setup;
mod tell;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use self::cards::Owner;
use self::cards::{Place, Readers};
use self::clock_pilot::ClockPilot;
use self::dealing::Dealing;
use self::keep::Failing;
use self::setup::Setup;
pub(super) use self::tell::tell_input;
use self::tell::{board_name, tell_declaration};
use super::past::Past;
use crate::store::journal::JournalError;
use crate::store::keeper::Keeper;
use crate::store::pgn_file::PgnFile;
use tabiya_boards::driver::Order;
use tabiya_boards::lights::Lights;
use tabiya_boards::{BoardEvent, ClockButton, ClockRefusal};
use tabiya_engine::record::{Body, Header, Line, Observer as _, Replay, Stop, pgn};
use tabiya_engine::rules::{Action, Turn, Violation};
use tabiya_engine::sense::{Entry, Question, Watch};
use tabiya_engine::table::{
    Audience, By, ClockSource, Common, Effect, Evidence, Input, Legal, Ruling, Table, flag_fallen,
};
use tabiya_types::{Board, ByColor, Color, Instant, Millis, Observation, Sentence, say};

/// How often the moment is saved while nothing else is written.
const HEARTBEAT: Millis = Millis(1_000);

/// Something to tell the people at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// Who may hear it.
    pub to: Audience,
    /// One or more sentences, safe to show.
    pub text: Sentence,
}

/// Why an input was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// By the rules.
    #[error("{}", self.sentence())]
    Refused(#[from] Violation),
    /// It could not be written down.
    #[error("{}", self.sentence())]
    NotWritten(#[from] JournalError),
    /// Cards that a reader knows could not be sealed.
    #[error("{}", self.sentence())]
    NotSealed(JournalError),
}

impl Fault {
    /// The fault as it is told.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Refused(violation) => violation.sentence(),
            Self::NotSealed(error) => {
                let error = error.to_string();
                say!(
                    "not-sealed",
                    "{error}; nothing was taken: `misdeal` and then `deal` enters the street without its cards",
                    error
                )
            }
            Self::NotWritten(error) => {
                let error = error.to_string();
                say!("not-written", "the record cannot be written, so nothing was taken: {error}", error)
            }
        }
    }
}

/// A clock behind the board, for people who agreed that its times count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClockBehind {
    /// Nothing was heard of one yet.
    Unheard,
    /// There is one, or was: that it went away is told by itself.
    Heard,
    /// It was told that there is none.
    Missed,
}

/// A running table.
#[derive(Debug)]
pub struct Session {
    watch: Watch,
    replay: Replay,
    /// What has been, for those who look back.
    past: Past,
    keeping: Option<Box<dyn Keeper>>,
    pgn: Option<PgnFile>,
    lines: Vec<Line>,
    /// The newest moment of any line.
    last_t: Instant,
    heartbeat: Instant,
    /// While nothing can be written.
    failing: Option<Failing>,
    /// The press that was complained about, so that it is done once.
    complained: Option<Instant>,
    press_since: Option<Instant>,
    asked: Option<Question>,
    /// The question that was answered by `no`.
    dismissed: Option<Question>,
    setup: Setup,
    /// How the board was left when the table stopped, White below, until it is seen again.
    left: Option<Board>,
    /// Illegal moves of this game, as the Laws count them.
    illegal: ByColor<u32>,
    /// Those of them that no line on record tells of yet.
    unmarked: Vec<Color>,
    /// Whether the press that waits was counted among them before a restart.
    press_counted: bool,
    board_name: Option<String>,
    /// Whether the board is gone: what it showed last is no guide then.
    board_gone: bool,
    pilot: ClockPilot,
    /// What the box beside the board is told, if there is one.
    beside: ClockPilot,
    /// What the box calls itself, once it was connected.
    box_name: Option<String>,
    /// What the board was told to light last.
    lit: Lights,
    clock_behind: ClockBehind,
    /// The deck whose cards readers know, if one is in play.
    readers: Option<Readers>,
    /// The street that is being dealt, if cards are dealt over a reader.
    dealing: Option<Dealing>,
    /// The game whose sealed cards the ruling opens that is being entered.
    opening: Option<u64>,
    /// Lines whose card was told not to have been dealt.
    contradicted: BTreeSet<u32>,
    said: Vec<Said>,
}

impl Session {
    /// A table at the beginning of a match.
    pub fn new(header: Header, keeping: Option<Box<dyn Keeper>>, pgn: Option<PathBuf>) -> Self {
        let replay = Replay::new(header);
        Self {
            watch: Watch::over(replay.table().clone(), 1),
            past: Past::new(replay.table()),
            replay,
            keeping,
            pgn: pgn.map(PgnFile::new),
            lines: Vec::new(),
            last_t: Instant::ZERO,
            heartbeat: Instant::ZERO,
            failing: None,
            complained: None,
            press_since: None,
            asked: None,
            dismissed: None,
            setup: Setup::default(),
            left: None,
            illegal: ByColor::default(),
            unmarked: Vec::new(),
            press_counted: false,
            board_name: None,
            board_gone: false,
            pilot: ClockPilot::default(),
            beside: ClockPilot::default(),
            box_name: None,
            lit: Lights::DARK,
            clock_behind: ClockBehind::Unheard,
            readers: None,
            dealing: None,
            opening: None,
            contradicted: BTreeSet::new(),
            said: Vec::new(),
        }
    }

    /// A table that goes on with the lines of its record, from the last saved moment on. A clock that
    /// was running is paused there.
    pub fn carry_on(
        header: Header,
        lines: Vec<Line>,
        saved: Instant,
        keeping: Option<Box<dyn Keeper>>,
        pgn: Option<PathBuf>,
    ) -> Result<Self, Fault> {
        let mut session = Self::new(header, keeping, pgn);
        session.read(lines)?;
        session.stand_as_recorded(saved);
        session.setup.guide();
        session.left = session.watch.seen();
        session.last_t = session.last_t.max(saved);
        session.heartbeat = session.last_t;
        if session.table().time_runs() {
            let now = session.last_t;
            session.enter(&Input::Common(Common::Pause(By::Arbiter)), now)?;
        }
        if session.table().clock().paused() {
            session.say(say!(
                "carried-on-paused",
                "carried on after an interruption: the clocks are paused; go on with `resume`"
            ));
        } else {
            let prompt = session.table().prompt();
            session.say(say!("carried-on", "carried on where it stopped; {prompt}", prompt));
        }
        Ok(session)
    }

    /// Folds the lines of a record that is carried on.
    fn read(&mut self, lines: Vec<Line>) -> Result<(), Fault> {
        for (line, number) in lines.iter().zip(2..) {
            match self.replay.take_before(number, line, &mut self.past) {
                Ok(_) => {}
                Err(Stop::Refused(violation)) => return Err(Fault::Refused(violation)),
                Err(Stop::Unusable(_)) => self.past.passed_over(number, line, self.replay.table()),
            }
        }
        self.lines = lines;
        Ok(())
    }

    /// Stands as the lines that are safe say, whatever else was understood. What the board shows at `now` is
    /// looked at again then.
    fn stand_as_recorded(&mut self, now: Instant) {
        let count = u32::try_from(self.lines.len() + 1).unwrap_or(u32::MAX);
        let (seen, turned) = (self.watch.seen(), self.watch.turned());
        self.watch = Watch::over(self.replay.table().clone(), count);
        if turned {
            self.watch.turn_board();
        }
        // Pictures are kept with White below; a turned board's eyes would turn them over.
        let shown = |board: Board| Evidence::Sees(if turned { board.turned() } else { board });
        // What was seen since the last action is read again; a button that waited waits again. A pause, an
        // offer or a remark settles no press.
        let settles = |line: &Line| match &line.body {
            Body::Acted(Input::Game(action)) => action.takes_turn(),
            Body::Acted(Input::Common(Common::Rule(ruling))) => ruling.fen.is_some(),
            Body::Acted(Input::Common(common)) => matches!(
                common,
                Common::Press(_)
                    | Common::Undo { .. }
                    | Common::Redo { .. }
                    | Common::Next(_)
                    | Common::EndMatch { .. }
            ),
            Body::Evidence(_) => false,
        };
        let acted = self.lines.iter().rposition(settles).map_or(0, |last| last + 1);
        for (index, line) in self.lines.iter().enumerate() {
            if let Body::Evidence(evidence) = &line.body
                && (index >= acted || matches!(evidence, Evidence::Sees(_)))
            {
                match evidence {
                    Evidence::Sees(board) => self.watch.recall(&shown(*board), line.t),
                    Evidence::Button(_) => self.watch.recall(evidence, line.t),
                }
            }
        }
        if let Some(board) = seen {
            self.watch.recall(&shown(board), now);
            self.watch.expect_board();
        }
        self.last_t = self.lines.last().map_or(self.last_t, |line| line.t.max(self.last_t));
        self.count_again();
        self.follow_presses(self.last_t);
    }

    /// Keeps in mind since when a press waits. Where none does there is nothing to complain about,
    /// however it came to an end: understood, dropped, or lost with what could not be written.
    fn follow_presses(&mut self, at: Instant) {
        self.press_since = self.watch.press_waits().then_some(self.press_since.unwrap_or(at));
        if self.press_since.is_none() {
            (self.complained, self.press_counted) = (None, false);
        }
    }

    // ---- what comes in ----

    /// Something that a board told.
    pub fn board(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t);
        self.pilot.hear(event);
        match event {
            BoardEvent::Observed(observation) => {
                self.board_gone = false;
                self.observe(observation, at);
            }
            BoardEvent::Identified(info) => {
                self.readers_connected(Place::Board, at);
                // Another one, or the same after a pause: it is told again what shines.
                self.lit = Lights::DARK;
                let name = board_name(info);
                if self.board_name.as_ref() != Some(&name) {
                    self.say(say!("board-connected", "connected: {name}", name = name.clone()));
                    self.board_name = Some(name);
                    self.setup.guide();
                }
            }
            BoardEvent::Wants(what) => self.say(what.clone()),
            BoardEvent::Declared(declaration) => self.say(tell_declaration(*declaration)),
            BoardEvent::Battery { percent, low: true, .. } => {
                self.say(say!(
                    "battery-low",
                    "the board's battery is low ({percent} %): charge it soon",
                    percent = *percent
                ));
            }
            BoardEvent::Lost(error) => {
                self.board_gone = true;
                let error = error.to_string();
                self.say(say!("board-gone", "the board is gone: {error}; play goes on by typing", error));
            }
            BoardEvent::Back => {
                self.board_gone = false;
                self.say(say!("board-back", "the board is back, and its position was read"));
                self.setup.guide();
            }
            BoardEvent::ClockFound(_) => {
                self.clock_behind = ClockBehind::Heard;
                self.say(say!("clock-found", "a clock is connected to the board"));
            }
            BoardEvent::ClockGone => self.say(say!("clock-gone", "the clock is not connected any more")),
            BoardEvent::ClockRefused { why, .. } => self.tell_clock_refusal(*why),
            BoardEvent::ClockTimes(_) => {
                self.clock_behind = ClockBehind::Heard;
                self.take_clock_times(at);
            }
            BoardEvent::Tag { antenna, tag } => self.tag((Place::Board, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            BoardEvent::Battery { .. }
            | BoardEvent::ClockButton(_)
            | BoardEvent::Remember { .. }
            | BoardEvent::Damage { .. }
            | BoardEvent::Unknown { .. } => {}
        }
    }

    /// Something that a box beside the board told: its cards, presses and buttons count, and squares if it has any do
    /// not.
    pub fn beside(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t);
        self.beside.hear(event);
        match event {
            BoardEvent::Observed(press @ Observation::Press(_)) => self.observe(press, at),
            BoardEvent::Tag { antenna, tag } => self.tag((Place::Box, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            BoardEvent::Identified(info) => {
                self.readers_connected(Place::Box, at);
                let name = board_name(info);
                if self.box_name.as_ref() != Some(&name) {
                    self.say(say!(
                        "box-connected",
                        "the box beside the board is connected: {name}",
                        name = name.clone()
                    ));
                    self.box_name = Some(name);
                }
            }
            BoardEvent::Wants(what) => self.say(what.clone()),
            BoardEvent::Battery { percent, low: true, .. } => self.say(say!(
                "box-battery-low",
                "the battery of the box beside the board is low ({percent} %): charge it soon",
                percent = *percent
            )),
            BoardEvent::Lost(error) => self.say(say!(
                "box-gone",
                "the box beside the board is gone: {error}; play goes on, type the cards meanwhile",
                error = error.to_string()
            )),
            BoardEvent::Back => self.say(say!("box-back", "the box beside the board is back")),
            BoardEvent::Observed(_)
            | BoardEvent::Declared(_)
            | BoardEvent::Battery { .. }
            | BoardEvent::ClockFound(_)
            | BoardEvent::ClockGone
            | BoardEvent::ClockTimes(_)
            | BoardEvent::ClockButton(_)
            | BoardEvent::ClockRefused { .. }
            | BoardEvent::Remember { .. }
            | BoardEvent::Damage { .. }
            | BoardEvent::Unknown { .. } => {}
        }
    }

    /// The button that starts and stops a clock does so here, too.
    fn start_or_stop(&mut self, at: Instant) {
        let paused = self.table().clock().paused();
        let by = By::Arbiter;
        let input = if paused { Common::Resume(by) } else { Common::Pause(by) };
        if let Err(fault) = self.enter(&Input::Common(input), at) {
            self.tell_failure(&fault);
        }
    }

    /// Where the physical clock's times count, what they say goes into the record.
    fn take_clock_times(&mut self, at: Instant) {
        for input in self.pilot.news(&self.watch, at) {
            if let Err(fault) = self.enter(&Input::Common(input), at) {
                self.tell_failure(&fault);
            }
        }
    }

    fn tell_clock_refusal(&mut self, why: ClockRefusal) {
        match why {
            ClockRefusal::WrongMode => self.say(say!(
                "clock-wrong-mode",
                "the clock cannot be set: put it into its mode for computers (25 on a DGT 3000, 23 on a DGT XL)"
            )),
            ClockRefusal::NoAnswer => {
                self.say(say!("clock-no-answer", "the clock does not answer; the times here are right"));
            }
            // There is nothing to be put right.
            ClockRefusal::NoClock | ClockRefusal::CannotShow => {}
        }
    }

    /// What the board and the clock behind it are to show and do now.
    pub fn board_orders(&mut self, now: Instant) -> Vec<Order> {
        let now = now.max(self.last_t);
        let mut orders = self.pilot.orders(&self.watch, now);
        let lights = lamps::lights(&self.watch, self.guidance().is_some());
        if self.lit != lights {
            self.lit = lights;
            orders.push(Order::Light(lights));
        }
        orders
    }

    /// What the box beside the board is to show now.
    pub fn box_orders(&mut self, now: Instant) -> Vec<Order> {
        let now = now.max(self.last_t);
        self.beside.orders(&self.watch, now)
    }

    /// The board was let go by hand: play goes on without it.
    pub fn leave_board(&mut self) {
        (self.board_gone, self.board_name) = (true, None);
    }

    /// A press by that side, or by whoever may press, if it would do anything: by the side whose clock
    /// stands it would not, and no record needs such a line.
    pub fn press_of(&self, by: Option<Color>) -> Option<Input> {
        let legal = self.table().legal();
        let may = legal.iter().filter(|legal| matches!(legal, Legal::Press(_))).filter_map(Legal::by);
        let by = may.chain(self.board_press()).find(|may| by.is_none_or(|by| by == *may))?;
        Some(Input::Common(Common::Press(by)))
    }

    /// Whose press ends the running turn, where a board is there to tell what was done in it.
    pub fn board_press(&self) -> Option<Color> {
        let clock = self.table().clock();
        let watched = self.watch.seen().is_some() && !self.board_gone;
        match self.table().turn() {
            Turn::Timed { by, .. } if watched && clock.turn() == Some(by) && !clock.paused() => Some(by),
            Turn::Timed { .. } | Turn::Untimed => None,
        }
    }

    /// Something that a person typed. On `Err` nothing was taken.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Fault> {
        let at = at.max(self.last_t);
        self.recover(at)?;
        let with_cards = self.with_cards_read(input);
        let input = with_cards.as_ref().unwrap_or(input);
        match self.watch.enter(input, at) {
            Ok(()) => self.try_absorb(at),
            Err(violation) => {
                // The time that was read on stays; a flag that fell by then is written.
                self.try_absorb(at)?;
                self.count_refusal(input, &violation, at);
                Err(Fault::Refused(violation))
            }
        }
    }

    /// Time passes.
    pub fn time(&mut self, now: Instant) {
        let now = now.max(self.last_t);
        self.pilot.woken(now);
        self.beside.woken(now);
        if !self.try_again(now) {
            return;
        }
        self.watch.time(now);
        self.absorb(now);
        if self.heartbeat + HEARTBEAT <= now {
            self.heartbeat = now;
            if let Some(keeping) = &mut self.keeping {
                keeping.moment(now);
            }
        }
        self.complain(now);
        self.guide_setup(now);
    }

    /// The computer slept for so long, and time stood for it as for the clocks. If one ran, the clocks are
    /// paused, the arbiter is told whose, and a ruling can charge what was slept.
    pub fn slept(&mut self, span: Millis, now: Instant) {
        let now = now.max(self.last_t);
        if !self.table().time_runs() {
            return;
        }
        let (before, slept) = (self.table().clone(), span.to_string());
        let reason = format!("the computer slept for {slept}");
        let ruling = Ruling { reason, ..Ruling::default() };
        let lines = [Common::Rule(Box::new(ruling)), Common::Pause(By::Arbiter)];
        for line in lines {
            if let Err(fault) = self.enter(&Input::Common(line), now) {
                self.tell_failure(&fault);
                return;
            }
        }
        self.say(say!(
            "slept",
            "the computer slept for {slept}; the clocks stand as before it and are paused: go on with `resume`",
            slept = slept.clone()
        ));
        if let Some(by) = before.clock().turn() {
            let charged = before.reading(by, now + span).unwrap_or(Millis::ZERO).to_string();
            self.say_to(
                Audience::Arbiter,
                say!("slept-charge", "{by}'s clock ran when the computer fell asleep: if the {slept} shall count, set it to {charged}", by, slept, charged),
            );
        }
    }

    /// Lets time pass up to `until`, from one thing that happens to the next. However long that is, it
    /// costs no more than what happens: the moments on the way are not saved one by one.
    pub fn pass(&mut self, until: Instant) {
        while let Some(due) = self.held_until(self.due(false)).filter(|due| *due <= until) {
            self.time(due);
        }
        self.time(until);
    }

    /// When something is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.held_until(self.due(true))
    }

    /// The same, whether the record can be written or not. `saving`: with the moments that are saved
    /// for a start after a crash, though nothing happens then.
    fn due(&self, saving: bool) -> Option<Instant> {
        let watch = self.watch.deadline();
        let complaint = self
            .press_since
            .filter(|since| self.complained != Some(*since))
            .map(|since| since + self.table().terms().settle);
        let heartbeat = self.keeping.as_ref().filter(|_| saving).map(|_| self.heartbeat + HEARTBEAT);
        let displays = self.pilot.wakes().into_iter().chain(self.beside.wakes()).min();
        [watch, complaint, heartbeat, self.setup_due(), displays].into_iter().flatten().min()
    }

    /// The input ends: what stands settles. Returns what was never understood.
    pub fn finish(&mut self, now: Instant) -> Vec<Violation> {
        let waits = self.watch.finish(now.max(self.last_t));
        self.absorb(self.last_t);
        waits.into_iter().map(|wait| wait.violation).collect()
    }

    /// The people leave. Whose time runs has used it up to this moment: a pause says so in the record, so
    /// that going on gives nothing back. (After a crash the last saved moment has to do.)
    pub fn leave(&mut self, now: Instant) -> Result<(), Fault> {
        if self.table().time_runs() {
            self.enter(&Input::Common(Common::Pause(By::Arbiter)), now)
        } else {
            Ok(())
        }
    }

    /// Lets the record go; the log is folded into its one file.
    pub fn close(self) -> Result<(), JournalError> {
        self.keeping.map_or(Ok(()), Keeper::close)
    }

    // ---- what goes out ----

    /// Makes what was understood durable, then tells it.
    fn absorb(&mut self, at: Instant) {
        if let Err(fault) = self.try_absorb(at) {
            self.tell_failure(&fault);
        }
    }

    fn try_absorb(&mut self, at: Instant) -> Result<(), Fault> {
        let entries = self.watch.take_lines();
        if entries.is_empty() {
            self.follow_presses(at);
            self.ask();
            return Ok(());
        }
        let (mut lines, mut told) = (Vec::new(), Vec::new());
        for Entry { t, when, body, effects, after } in entries {
            lines.push(Line::new(t, when, body));
            told.push((effects, after));
        }
        self.mark_illegal(&mut lines);
        self.mark_opening(&mut lines);
        if let Some(keeping) = &mut self.keeping
            && let Err(error) = keeping.append(&mut lines)
        {
            return Err(if error.is_about_keys() {
                self.not_sealed(error, at)
            } else {
                self.not_written(error, at)
            });
        }
        self.unmarked.clear();
        self.written(at);
        for (line, (effects, _)) in lines.iter().zip(&told) {
            self.tell(line, effects);
        }
        let over =
            told.iter().flat_map(|(effects, _)| effects).any(|effect| matches!(effect, Effect::GameOver(_)));
        let (mut moved, mut shown) = (false, false);
        for (line, (effects, after)) in lines.into_iter().zip(told) {
            let number = u32::try_from(self.lines.len() + 2).unwrap_or(u32::MAX);
            self.replay.follow(number, &line, (&effects, after), &mut self.past);
            self.last_t = self.last_t.max(line.t);
            moved |= matches!(line.body, Body::Acted(_));
            self.follow_deals(number, &line.body);
            shown |= matches!(&line.body, Body::Acted(Input::Game(Action::Reveal(_))));
            self.lines.push(line);
        }
        if shown || over {
            self.hold_against_deal(over);
        }
        self.follow_presses(at);
        self.ask();
        if moved {
            self.write_pgn();
        }
        self.miss_clock();
        Ok(())
    }

    /// Says once that the times of a clock shall count that is not there.
    fn miss_clock(&mut self) {
        let counts = self.table().terms().clock == ClockSource::Device && self.table().time_runs();
        if counts && self.clock_behind == ClockBehind::Unheard {
            self.clock_behind = ClockBehind::Missed;
            self.say(say!(
                "clock-missing",
                "no clock tells its times, though they shall count: Tabiya's own runs until one does"
            ));
        }
    }

    fn tell(&mut self, line: &Line, effects: &[Effect]) {
        let clock = Millis(line.moment().millis()).to_string();
        match &line.body {
            Body::Acted(input) => {
                if let Some(told) = tell_input(input) {
                    let to = self.table().audience_of(input);
                    self.say_to(to, say!("told-at", "{clock}  {told}", clock, told));
                }
            }
            Body::Evidence(_) => {}
        }
        for effect in effects {
            match effect {
                Effect::Note(note) => self.tell_claim(say!("told-note", "note: {note}", note = note.clone())),
                Effect::Incident(color) => {
                    let (by, other) = (*color, color.other());
                    self.tell_claim(say!(
                        "false-piece",
                        "a false piece by {by}: {other} gains time",
                        by,
                        other
                    ));
                }
                Effect::FlagFell(color) => self.tell_claim(flag_fallen(*color)),
                Effect::GameOver(_) | Effect::MatchOver => {}
                Effect::SetBack if !self.table().game().has_board() => {}
                Effect::SetBack => {
                    self.say(say!("set-back", "set the board back to the position shown"));
                }
                Effect::TurnEnded(_) => {}
            }
        }
        if effects.iter().any(|effect| matches!(effect, Effect::SetBack)) {
            self.setup.guide();
        }
        if matches!(&line.body, Body::Acted(Input::Common(Common::Next(_)))) {
            self.illegal = ByColor::default();
            self.setup.guide();
        }
        if effects.iter().any(|effect| matches!(effect, Effect::GameOver(_))) {
            self.say(self.watch.table().prompt());
        }
    }

    fn say(&mut self, text: Sentence) {
        self.say_to(Audience::Players, text);
    }

    /// Whatever is said may have names, reasons and what a board calls itself in it.
    fn say_to(&mut self, to: Audience, text: Sentence) {
        self.said.push(Said { to, text: text.harmless() });
    }

    /// At events what the Laws keep from players goes to the arbiter alone.
    fn tell_claim(&mut self, text: Sentence) {
        self.say_to(self.table().audience_of_faults(), text);
    }

    /// After the late updates had their time, a press that fits nothing is complained about once.
    fn complain(&mut self, now: Instant) {
        let Some(since) = self.press_since.filter(|_| self.watch.press_waits()) else { return };
        if self.complained == Some(since) || now < since + self.table().terms().settle {
            return;
        }
        self.complained = Some(since);
        let counted = std::mem::take(&mut self.press_counted);
        if let Some(by) = self.table().mover().filter(|_| !counted) {
            self.count_illegal(by, now);
        }
        let what = match self.watch.trouble() {
            Some(trouble) => say!(
                "board-fits-nothing",
                "the board fits no action: {trouble}, or enter what was played",
                trouble = trouble.sentence()
            ),
            None => say!(
                "pressed-for-nothing",
                "the clock was pressed, but the board shows no action: press back, or act"
            ),
        };
        self.tell_claim(what);
    }

    fn write_pgn(&mut self) {
        let head = self.head();
        let Some(file) = &mut self.pgn else { return };
        if let Some(failed) = file.write(&pgn::text(&self.replay, head.as_deref())) {
            self.say(failed);
        }
    }

    /// Who hears that an input was not taken: at events what breaks the rules is for the arbiter, a disk that
    /// fails is everybody's business.
    pub fn audience_of(&self, fault: &Fault) -> Audience {
        match fault {
            Fault::Refused(_) => self.table().audience_of_faults(),
            Fault::NotWritten(_) | Fault::NotSealed(_) => Audience::Players,
        }
    }

    /// What there is to tell since the last call.
    pub fn take_said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.watch.table()
    }

    /// The watch over it.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The record so far, folded.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// What has been, for those who look back.
    pub(crate) fn past(&self) -> &Past {
        &self.past
    }

    /// The lines of the record so far.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The newest moment that is on record.
    pub fn last_t(&self) -> Instant {
        self.last_t
    }

    /// The hash of the newest line, 64 hex digits, where there is a record.
    pub fn head(&self) -> Option<String> {
        self.keeping.as_ref().and_then(|keeping| keeping.head()).map(|head| head.to_string())
    }
}
