//! The watch: table and tracker as one pure value.
//!
//! Observations, presses, typed lines and time go in; lines for the record come out, already applied
//! to the table. The live table, `infer` and the tests all run this. Numbers in comments are those of
//! "How a live table understands" in the record's contract (`docs/record.md`).

use std::collections::VecDeque;

use super::explain::{Explanation, Step, Verdict, Waiting, explain};
use super::guide::{Question, Trouble, kings_say};
use super::observation::Observation;
use super::sight::Sight;
use crate::clock::{Clock, Instant, Millis};
use crate::rules::{Action, Board, Color, Turn, Violation};
use crate::table::{Agreement, Body, Common, Effect, Evidence, Input, PressMode, Probe, Stamp, Table, Voice};

/// How many earlier positions are recognised when they are set up again.
const PLIES_BACK: usize = 10;
/// A result is only reopened by the board within so many settling times: later moves are analysis.
const REOPEN_SETTLES: u64 = 8;

/// A line for the record, and what it brought about.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// When it is written.
    pub t: Instant,
    /// When it happened, if that was before.
    pub when: Option<Instant>,
    /// What it does.
    pub body: Body,
    /// What followed from it.
    pub effects: Vec<Effect>,
}

/// A settled action and the position it was made in.
#[derive(Clone, Debug)]
struct Ply {
    before: Probe,
    /// What its turn began with and an undo takes back too: the card turned over.
    opening: Vec<Input>,
    /// Whether its turn was pressed to an end.
    pressed: bool,
    /// When it was settled.
    at: Instant,
}

/// A table that watches its board.
#[derive(Clone, Debug)]
pub struct Watch {
    table: Table,
    sight: Sight,
    waiting: VecDeque<Waiting>,
    plies: VecDeque<Ply>,
    /// The change after which the quiet board was last looked at.
    looked_at: Option<Instant>,
    question: Option<Question>,
    lines: u32,
    /// The newest moment that anything came in.
    now: Instant,
    /// What the running turn began with.
    opening: Vec<Input>,
    out: Vec<Entry>,
}

impl Watch {
    /// A watch over a new table.
    pub fn new(agreement: Agreement) -> Self {
        Self::over(Table::new(agreement), 1)
    }

    /// A watch over a table that was replayed from a record of so many lines.
    pub fn over(table: Table, lines: u32) -> Self {
        Self {
            table,
            sight: Sight::new(),
            waiting: VecDeque::new(),
            plies: VecDeque::new(),
            looked_at: None,
            question: None,
            lines,
            now: Instant::ZERO,
            opening: Vec::new(),
            out: Vec::new(),
        }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The board as seen, White below; `None` before a whole board was seen.
    pub fn seen(&self) -> Option<Board> {
        self.sight.known().then(|| self.sight.board())
    }

    /// Whether the board stands the other way round than its maker meant.
    pub fn turned(&self) -> bool {
        self.sight.turned()
    }

    /// What has to be answered, if anything.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Whether a press waits to be understood.
    pub fn press_waits(&self) -> bool {
        self.waiting.iter().any(|item| matches!(item, Waiting::Press { .. }))
    }

    /// How the board differs from the expected one, where it does and nothing explains it.
    pub fn trouble(&self) -> Option<Trouble> {
        self.seen().and_then(|seen| Trouble::between(&seen, &self.table.physical()))
    }

    /// The lines that came of it since the last call, in their order.
    pub fn take_lines(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.out)
    }

    /// The clock as it is shown: a press that waits shows at once; under `casual` only until the
    /// late updates had their time (2).
    pub fn clock_shown(&self, now: Instant) -> Clock {
        let mut clock = self.table.clock().clone();
        for item in &self.waiting {
            let Waiting::Press { by, at } = item else { continue };
            let counts = self.table.terms().voice == Voice::Event || now < *at + self.settle();
            if counts && clock.turn() == Some(*by) {
                clock.read_on(*at);
                clock.press(*at, false);
            }
        }
        clock
    }

    fn settle(&self) -> Millis {
        self.table.terms().settle
    }

    fn auto(&self) -> bool {
        self.table.terms().press == PressMode::Auto
    }

    // ---- what comes in ----

    /// An observation of the board or of a physical clock's lever.
    pub fn observe(&mut self, observation: &Observation, at: Instant) {
        self.pass(at);
        if let Observation::Press(by) = observation {
            // On a turned board the clock's sides are turned too.
            let by = if self.sight.turned() { by.other() } else { *by };
            return self.press(by, at);
        }
        if !self.sight.see(observation, at) {
            return;
        }
        self.find_orientation();
        self.evidence(Evidence::Sees(self.sight.board()), at);
        self.changed(at);
    }

    /// A board seen by somebody else, as a `sees` line has it.
    pub fn sees(&mut self, board: &Board, at: Instant) {
        self.observe(&Observation::Whole(*board), at);
    }

    /// A line typed by a person or known by a reader. On `Err` nothing was written.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        self.pass(at);
        match input {
            Input::Common(Common::Press(by)) => {
                self.press(*by, at);
                Ok(())
            }
            Input::Common(Common::Undo { .. }) if self.press_waits() => {
                self.drop_last_press();
                Ok(())
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.write(input.clone(), at, None)?;
                self.step_back();
                Ok(())
            }
            Input::Common(Common::Rule(ruling)) => {
                self.write(input.clone(), at, None)?;
                if ruling.fen.is_some() {
                    self.waiting.clear();
                }
                self.forget_plies();
                Ok(())
            }
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.write(input.clone(), at, None)?;
                self.waiting.clear();
                self.forget_plies();
                Ok(())
            }
            Input::Common(Common::Pause(_)) => {
                self.take_standing_action(at);
                self.write(input.clone(), at, None)
            }
            Input::Common(Common::Resume(_)) => {
                self.write(input.clone(), at, None)?;
                self.looked_at = None;
                self.try_waiting(at);
                Ok(())
            }
            Input::Game(action) if action.takes_turn() => self.enter_turn(input, action, at),
            Input::Common(_) | Input::Game(_) => self.write(input.clone(), at, None),
        }
    }

    /// Evidence from a record: kept, and a button pressed before a crash waits again.
    pub fn recall(&mut self, evidence: &Evidence, at: Instant) {
        match evidence {
            Evidence::Sees(board) => {
                self.sight.see(&Observation::Whole(*board), at);
            }
            Evidence::Button(by) => self.waiting.push_back(Waiting::Press { by: *by, at }),
        }
    }

    /// Time passes up to `now`.
    pub fn time(&mut self, now: Instant) {
        self.pass(now);
    }

    /// When time alone will change something.
    pub fn deadline(&self) -> Option<Instant> {
        let flag = if self.press_waits() { None } else { self.table.deadline() };
        let flag = flag.map(|at| if self.moves_before(at) { at.max(self.quiet_at()) } else { at });
        let quiet =
            (self.looked_at != Some(self.sight.last_change()) && self.sight.known()).then(|| self.quiet_at());
        let press = match self.waiting.front() {
            Some(Waiting::Press { by, at }) if self.stands(*by) => Some(*at + self.settle()),
            _ => None,
        };
        [flag, quiet, press].into_iter().flatten().min()
    }

    /// The input ends here: time runs on by the settling time, and what stands settles. Presses that
    /// still wait come back as violations.
    pub fn finish(&mut self, at: Instant) -> Vec<Violation> {
        let end = at + self.settle();
        self.pass(end);
        self.take_standing_action(end);
        let waits: Vec<Violation> = self
            .waiting
            .iter()
            .filter_map(|item| match item {
                Waiting::Press { by, at } => Some(Violation::new(
                    "press-not-understood",
                    format!("{by}'s press at {} fits nothing that the board shows", at.millis()),
                    self.trouble()
                        .map_or_else(|| "act before pressing".to_owned(), |trouble| trouble.to_string()),
                )),
                Waiting::Held { input, .. } => self.table.clone().apply(input, Stamp::new(end, 0)).err(),
                Waiting::Unpressed { .. } => None,
            })
            .collect();
        waits
    }

    // ---- time ----

    /// Does everything that time alone does up to `now`, each at its moment.
    fn pass(&mut self, now: Instant) {
        // Each round does something for good; the bound only guards against a mistake here.
        for _ in 0..10_000 {
            match self.deadline() {
                Some(at) if at <= now => {
                    self.now = self.now.max(at);
                    self.due(self.now);
                }
                _ => break,
            }
        }
        self.now = self.now.max(now);
    }

    fn due(&mut self, at: Instant) {
        if self.sight.known() && self.looked_at != Some(self.sight.last_change()) && self.quiet_at() <= at {
            self.looked_at = Some(self.sight.last_change());
            self.quiet(at);
            return;
        }
        if let Some(Waiting::Press { by, at: pressed }) = self.waiting.front().cloned()
            && self.stands(by)
            && pressed + self.settle() <= at
        {
            // It was no forgotten press after all: a press by the side whose clock stands does nothing.
            self.waiting.pop_front();
            self.write_quietly(Input::Common(Common::Press(by)), at, None);
            return;
        }
        if let Some(flag) = self.table.deadline().filter(|flag| *flag <= at && !self.press_waits()) {
            if self.moves_before(flag) {
                self.take_standing_action(at);
            }
            self.tick(at.max(flag));
        }
    }

    fn tick(&mut self, at: Instant) {
        let before = (self.table.phase(), self.table.to_act());
        let tick = Input::Common(Common::Tick);
        let effects = self.table.apply(&tick, Stamp::new(at, self.lines + 1)).unwrap_or_default();
        if !effects.is_empty() || before != (self.table.phase(), self.table.to_act()) {
            self.push(Entry { t: at, when: None, body: Body::Acted(tick), effects });
        }
    }

    fn quiet_at(&self) -> Instant {
        self.sight.last_change() + self.settle()
    }

    /// Whether the board changed before a flag fell, so that an action may stand above it.
    fn moves_before(&self, flag: Instant) -> bool {
        self.sight.known()
            && self.table.clock().used_up_at() == Some(flag)
            && self.sight.last_change() < flag
            && self.sight.last_change() >= self.table.turn_began()
            && self.sight.board() != self.table.physical()
    }

    /// Whether this side's clock stands while the other's runs.
    fn stands(&self, by: Color) -> bool {
        matches!(self.table.turn(), Turn::Timed { by: mover, .. } if mover != by)
            && self.table.clock().turn().is_some()
    }

    // ---- the board ----

    /// A board that is set up the other way round is read from the other side; only before a game
    /// has begun, never in mid-game.
    fn find_orientation(&mut self) {
        let fresh = !matches!(self.table.turn(), Turn::Timed { .. }) || self.table.clock().turn().is_none();
        if fresh && self.sight.known() {
            let (seen, expected) = (self.sight.board(), self.table.physical());
            if seen != expected && seen.turned() == expected {
                self.sight.turn();
            }
        }
    }

    /// The picture changed: what waits is tried again.
    fn changed(&mut self, at: Instant) {
        self.question = None;
        if !self.waiting.is_empty() {
            self.try_waiting(at);
        }
    }

    /// The board has stood still for the settling time.
    fn quiet(&mut self, now: Instant) {
        if let Some(says) = self.kings() {
            self.question = Some(Question::Result(says));
            return;
        }
        let expected = self.table.physical();
        let seen = self.sight.board();
        if self.table.clock().paused() || seen == expected {
            return;
        }
        if self.table.mover().is_none() {
            let reopened = self.table.game().outcome().is_some() && self.correct_and_explain(now);
            if !reopened {
                self.offer();
            }
            return;
        }
        let done = if self.waiting.is_empty() {
            self.understand_quiet(now)
        } else {
            self.try_waiting(now);
            self.waiting.is_empty() || self.correct_and_explain(now)
        };
        if !done {
            self.offer();
        }
    }

    /// What a quiet board means by itself. Returns whether it means anything.
    fn understand_quiet(&mut self, now: Instant) -> bool {
        let probe = self.table.probe();
        let at = self.sight.last_change().max(self.table.turn_began());
        let one = [Waiting::Unpressed { at }];
        match self.explained(&probe, &one) {
            // (7) without presses, and (1) where the action ends the game.
            Verdict::Is(way) => {
                let ends = way
                    .actions()
                    .any(|action| probe.after(action).is_some_and(|next| next.outcome().is_some()));
                if self.auto() || ends {
                    self.write_way(&way, now, false);
                }
                return true;
            }
            Verdict::Which(ways) => {
                self.ask(&ways);
                return true;
            }
            Verdict::Nothing => {}
        }
        if self.turn_is_typed() {
            return false;
        }
        // (6) two actions, although the lever tells of no press; by itself a table may have missed three.
        for actions in 2..=if self.auto() { 3 } else { 2 } {
            let unpressed = vec![Waiting::Unpressed { at }; actions];
            match self.explained(&probe, &unpressed) {
                Verdict::Is(way) => {
                    self.write_way(&way, now, true);
                    return true;
                }
                Verdict::Which(ways) => {
                    self.ask(&ways);
                    return true;
                }
                Verdict::Nothing => {}
            }
        }
        self.correct_and_explain(now)
    }

    fn explained(&self, from: &Probe, waiting: &[Waiting]) -> Verdict {
        let verdict = explain(from, waiting, &self.sight, &[]);
        let flickering = self.sight.flickering();
        if matches!(verdict, Verdict::Nothing) && !flickering.is_empty() {
            return explain(from, waiting, &self.sight, &flickering);
        }
        verdict
    }

    /// (8) A settled action that looks different now: it is taken back and the new one written.
    fn correct_and_explain(&mut self, now: Instant) -> bool {
        if self.turn_is_typed() {
            return false;
        }
        let Some(ply) = self.plies.back().cloned() else { return false };
        let over = self.table.game().outcome().is_some();
        if over && now > ply.at + Millis(self.settle().0 * REOPEN_SETTLES) {
            return false;
        }
        let mut waiting = vec![Waiting::Unpressed { at: now }];
        // A card that the opponent has turned over since then is turned over again.
        waiting.extend(self.opening.iter().map(|input| Waiting::Held { input: input.clone(), at: now }));
        waiting.extend(self.waiting.iter().cloned().map(|item| no_earlier(item, now)));
        let Verdict::Is(way) = self.explained(&ply.before, &waiting) else { return false };
        let soon = now <= ply.at + Millis(self.settle().0 * 2);
        if self.table.terms().voice == Voice::Event && !soon {
            self.question = way.actions().next().cloned().map(Question::Changed);
            return true;
        }
        self.plies.pop_back();
        for _ in 0..=self.opening.len() {
            self.write_quietly(Input::Common(Common::Undo { by: None, reason: None }), now, None);
        }
        self.opening.clear();
        self.waiting.clear();
        // The last corrected action is pressed only if the one that it replaces was.
        let press = ply.pressed || waiting.len() > 1;
        self.write_steps(&way, now, press, ply.opening);
        true
    }

    /// Earlier positions, the start position: offered, never done (8).
    fn offer(&mut self) {
        let seen = self.sight.board();
        let back = self.plies.iter().rev().position(|ply| ply.before.physical() == seen);
        let first = self.plies.len() < PLIES_BACK && back.is_some_and(|back| back + 1 == self.plies.len());
        self.question = match back {
            Some(_) if first && self.plies.len() > 2 && self.table.game().outcome().is_some() => {
                Some(Question::NewGame)
            }
            Some(back) => Some(Question::TakeBack(back + 1)),
            None => self.question.take(),
        };
    }

    /// What the kings say, while a game runs.
    fn kings(&self) -> Option<Option<Color>> {
        self.table.mover()?;
        kings_say(&self.sight.board())
    }

    /// (1) An action that stands when the clock is stopped or the input ends settles at its last
    /// change, without a press.
    fn take_standing_action(&mut self, now: Instant) {
        if !self.waiting.is_empty() || self.turn_is_typed() || !self.sight.known() {
            return;
        }
        let at = self.sight.last_change().max(self.table.turn_began());
        if self.sight.board() == self.table.physical() || self.table.mover().is_none() {
            return;
        }
        if let Verdict::Is(way) = self.explained(&self.table.probe(), &[Waiting::Unpressed { at }]) {
            self.write_way(&way, now, false);
        }
    }

    /// Whether the player to act has acted already (typed, or understood without a press).
    fn turn_is_typed(&self) -> bool {
        matches!(self.table.turn(), Turn::Timed { acted: true, .. })
    }

    // ---- presses ----

    fn press(&mut self, by: Color, at: Instant) {
        let press = Input::Common(Common::Press(by));
        let Turn::Timed { by: mover, acted, .. } = self.table.turn() else {
            return self.write_quietly(press, at, None);
        };
        let unseen = !self.sight.known();
        let started = self.table.clock().turn().is_some();
        let nothing = self.sight.board() == self.table.physical();
        let plain = self.table.clock().paused()
            || self.auto()
            || (acted && by == mover && self.waiting.is_empty())
            || (unseen && self.waiting.is_empty())
            || (!started && (by != mover || nothing));
        if plain {
            return self.write_quietly(press, at, None);
        }
        if self.waiting.is_empty() && by != mover && nothing {
            return self.write_quietly(press, at, None);
        }
        if self.pressed_back(by, at) {
            self.waiting.pop_back();
            return self.evidence(Evidence::Button(by), at);
        }
        self.waiting.push_back(Waiting::Press { by, at });
        self.try_waiting(at);
        if self.waiting.is_empty() {
            return;
        }
        if self.waiting.iter().any(|item| matches!(item, Waiting::Press { at: then, .. } if *then == at)) {
            self.evidence(Evidence::Button(by), at);
        }
    }

    /// (4) Pressed by mistake and pressed back, with the board as it was settled before each press.
    fn pressed_back(&self, by: Color, at: Instant) -> bool {
        match self.waiting.back() {
            Some(Waiting::Press { by: before, at: then }) if self.waiting.len() == 1 => {
                *before != by
                    && self.sight.board() == self.table.physical()
                    && self.sight.last_change() + self.settle() <= *then
                    && *then <= at
            }
            _ => false,
        }
    }

    /// Explains all that waits together, or leaves it waiting (2).
    fn try_waiting(&mut self, now: Instant) {
        let waiting: Vec<Waiting> = self.waiting.iter().cloned().collect();
        // Nothing is played while the game is paused; after that all is tried again.
        if waiting.is_empty() || self.table.clock().paused() {
            return;
        }
        let verdict = self.explained(&self.table.probe(), &waiting);
        match verdict {
            Verdict::Is(way) => {
                self.waiting.clear();
                self.write_way(&way, now, true);
            }
            Verdict::Which(ways) => self.ask(&ways),
            Verdict::Nothing => {
                // A press by the side whose clock stood may have been nothing at all.
                let first_stands =
                    matches!(waiting.first(), Some(Waiting::Press { by, .. }) if self.stands(*by));
                if first_stands && waiting.len() > 1 {
                    let rest = waiting.get(1..).unwrap_or_default();
                    if let Verdict::Is(way) = self.explained(&self.table.probe(), rest) {
                        self.waiting.clear();
                        self.write_way(&way, now, true);
                        return;
                    }
                }
                let newest = waiting.iter().rev().find_map(|item| match item {
                    Waiting::Press { at, .. } => Some(*at),
                    Waiting::Held { .. } | Waiting::Unpressed { .. } => None,
                });
                // A press that fits nothing may tell that the action before it was another one.
                if newest == Some(now) {
                    self.correct_and_explain(now);
                }
            }
        }
    }

    fn drop_last_press(&mut self) {
        let last = self.waiting.iter().rposition(|item| matches!(item, Waiting::Press { .. }));
        if let Some(last) = last {
            self.waiting.remove(last);
        }
    }

    // ---- typed actions ----

    fn enter_turn(&mut self, input: &Input, action: &Action, at: Instant) -> Result<(), Violation> {
        self.question = None;
        if self.waiting.is_empty() {
            if let Turn::Timed { by, acted: false, .. } = self.table.turn()
                && action.by() == Some(by.other())
                && self.sight.known()
                && self.sight.board() != self.table.physical()
            {
                return self.enter_reply(input, at);
            }
            return self.write_turn(input, at, None);
        }
        let first_press = self.waiting.iter().find_map(|item| match item {
            Waiting::Press { at, .. } => Some(*at),
            Waiting::Held { .. } | Waiting::Unpressed { .. } => None,
        });
        let when = first_press.map(|press| press.min(at));
        // What the table would take now comes before the press that waits.
        if self.table.clone().apply(input, Stamp::new(when.unwrap_or(at), 0)).is_ok() {
            self.write_turn(input, at, when)?;
            if self.turn_is_typed() {
                // (9) typed by hand: it settles the earliest waiting press.
                self.settle_first_press(at);
            }
            self.try_waiting(at);
            return Ok(());
        }
        self.waiting.push_back(Waiting::Held { input: input.clone(), at });
        Ok(())
    }

    /// The opponent's line counts as the press of an action that only the board shows.
    fn enter_reply(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        let held = Waiting::Held { input: input.clone(), at };
        if let Verdict::Is(way) = self.explained(&self.table.probe(), std::slice::from_ref(&held)) {
            self.write_way(&way, at, true);
        } else {
            self.waiting.push_back(held);
        }
        Ok(())
    }

    fn settle_first_press(&mut self, now: Instant) {
        let first = self.waiting.iter().position(|item| matches!(item, Waiting::Press { .. }));
        if let Some(Waiting::Press { by, at }) = first.and_then(|first| self.waiting.remove(first)) {
            self.write_quietly(Input::Common(Common::Press(by)), now, Some(at));
        }
    }

    fn write_turn(&mut self, input: &Input, at: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let before = self.table.probe();
        let board = self.table.board();
        self.write(input.clone(), at, when)?;
        // A card turned over after the piece was put down gives a new meaning to a quiet board.
        self.looked_at = None;
        if self.table.board() == board {
            self.opening.push(input.clone());
        } else {
            self.add_ply(before, at);
        }
        Ok(())
    }

    // ---- writing ----

    /// Writes what an explanation consists of; moments before `now` become `when`.
    fn write_way(&mut self, way: &Explanation, now: Instant, press: bool) {
        self.write_steps(way, now, press, Vec::new());
    }

    /// The same, where an undo took back what the first turn had begun with.
    fn write_steps(&mut self, way: &Explanation, now: Instant, press: bool, opening: Vec<Input>) {
        for line in opening {
            self.write_quietly(line.clone(), now, None);
            self.opening.push(line);
        }
        for (step, at) in &way.steps {
            let when = Some((*at).min(now)).filter(|at| *at < now);
            match step {
                Step::Did(action) => {
                    let before = self.table.probe();
                    self.write_quietly(Input::Game(action.clone()), now, when);
                    self.add_ply(before, now);
                }
                Step::Pressed(by) if press && self.turn_is_typed() => {
                    self.write_quietly(Input::Common(Common::Press(*by)), now, when);
                }
                Step::Pressed(_) => {}
                Step::Held(input) => {
                    self.write_quietly(input.clone(), now, when);
                    self.opening.push(input.clone());
                }
            }
        }
        self.sight.forget_way();
        self.question = None;
    }

    fn write(&mut self, input: Input, t: Instant, when: Option<Instant>) -> Result<(), Violation> {
        let when = when.filter(|when| *when != t);
        let effects = self.table.apply(&input, Stamp::new(when.unwrap_or(t), self.lines + 1))?;
        if effects.iter().any(|effect| matches!(effect, Effect::TurnEnded(_)))
            && let Some(last) = self.plies.back_mut()
        {
            last.pressed = true;
        }
        self.push(Entry { t, when, body: Body::Acted(input), effects });
        Ok(())
    }

    /// Writes what the table is known to take.
    fn write_quietly(&mut self, input: Input, t: Instant, when: Option<Instant>) {
        let written = self.write(input, t, when);
        debug_assert!(written.is_ok(), "the table was asked before: {written:?}");
    }

    fn evidence(&mut self, evidence: Evidence, t: Instant) {
        self.push(Entry { t, when: None, body: Body::Evidence(evidence), effects: Vec::new() });
    }

    fn push(&mut self, entry: Entry) {
        self.lines = self.lines.saturating_add(1);
        self.out.push(entry);
    }

    fn ask(&mut self, ways: &[Explanation]) {
        self.question =
            Some(Question::Which(ways.iter().map(|way| way.actions().cloned().collect()).collect()));
    }

    // ---- earlier positions ----

    fn add_ply(&mut self, before: Probe, at: Instant) {
        if self.plies.len() == PLIES_BACK {
            self.plies.pop_front();
        }
        let opening = std::mem::take(&mut self.opening);
        self.plies.push_back(Ply { before, opening, pressed: self.auto(), at });
    }

    /// An undo or a redo was entered: the ply it took back is no earlier position any more.
    fn step_back(&mut self) {
        if self.plies.back().is_some_and(|ply| ply.before.physical() == self.table.physical()) {
            self.plies.pop_back();
        }
        self.opening.clear();
        self.sight.forget_way();
        self.looked_at = None;
        self.question = None;
    }

    fn forget_plies(&mut self) {
        self.plies.clear();
        self.opening.clear();
        self.sight.forget_way();
        self.looked_at = None;
        self.question = None;
    }
}

/// After a correction nothing can have happened before it was written.
fn no_earlier(item: Waiting, now: Instant) -> Waiting {
    match item {
        Waiting::Press { by, .. } => Waiting::Press { by, at: now },
        Waiting::Held { input, .. } => Waiting::Held { input, at: now },
        Waiting::Unpressed { .. } => Waiting::Unpressed { at: now },
    }
}
