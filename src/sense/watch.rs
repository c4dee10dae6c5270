//! The watch: table and tracker as one pure value.
//!
//! Observations, presses, typed lines and time go in; lines for the record come out, already applied
//! to the table. The live table, `infer` and the tests all run this. Numbers in comments are those of
//! "How a live table understands" in the record's contract (`docs/record.md`).

mod back;
mod doubt;
mod lines;
mod presses;
mod quiet;

use std::collections::VecDeque;

use super::explain::Waiting;
use super::guide::{Question, Trouble};
use super::sight::Sight;
use crate::clock::Clock;
use crate::rules::{Turn, Violation};
use crate::table::{Agreement, Body, Common, Effect, Evidence, Input, PressMode, Probe, Stamp, Table, Voice};
use presses::Look;
use tabiya_types::{Board, Color, Instant, Millis, Observation, say};

/// How many earlier positions are recognised when they are set up again.
const PLIES_BACK: usize = 10;
/// A press that has waited for so long, on a board at rest, is asked about. A lost update is cured
/// within six seconds.
const STUCK: Millis = Millis(7_000);

/// A line for the record, and what it brought about.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When it is written.
    pub t: Instant,
    /// When it happened, if that was before.
    pub when: Option<Instant>,
    /// What it does.
    pub body: Body,
    /// What followed from it.
    pub effects: Vec<Effect>,
    /// The table after it.
    pub after: Table,
}

/// A settled action and the position it was made in.
#[derive(Clone, Debug)]
struct Ply {
    before: Probe,
    /// What its turn began with and an undo takes back too: the card turned over.
    opening: Vec<Input>,
    /// How its turn ended.
    end: End,
    /// When it happened.
    ended: Instant,
    /// When it was settled.
    at: Instant,
    /// What the board showed before this is explained by it: since when it stood there, or its end.
    told: Instant,
}

/// How a settled action's turn ended, for understanding it anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// By its own press.
    Press(Color, Instant),
    /// By what the opponent did: the press was forgotten.
    Implied,
    /// It stood long enough.
    Alone(Instant),
    /// Not yet, or with the game.
    Open,
    /// A person typed the action: nothing that the board shows changes it.
    Typed,
}

/// Something that waited for the board to explain it until the input ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexplained {
    /// When it happened.
    pub at: Instant,
    /// What is wrong with it.
    pub violation: Violation,
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
    /// The same for captures that were made in one swap, where nobody presses.
    looked_closer_at: Option<Instant>,
    question: Option<Question>,
    /// The waiting press that was asked about last.
    asked: Option<Instant>,
    /// The waiting press that would have been asked about, had anything fitted.
    postponed: Option<Instant>,
    /// When the board is looked at again after a press that it did not explain.
    look_again: Option<Instant>,
    lines: u32,
    /// What the last line on it says that the board shows.
    sees_told: Option<Board>,
    /// Whether a board is there, even if it has told nothing yet.
    has_board: bool,
    /// Whether it is known which way round the board stands.
    oriented: bool,
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
            looked_closer_at: None,
            question: None,
            asked: None,
            postponed: None,
            look_again: None,
            lines,
            sees_told: None,
            has_board: false,
            oriented: false,
            now: Instant::ZERO,
            opening: Vec::new(),
            out: Vec::new(),
        }
    }

    /// A board is there: from now on a press is held against what it shows.
    pub fn expect_board(&mut self) {
        self.has_board = true;
    }

    /// The board stands the other way round, as was found before a table was worked out again.
    pub fn turn_board(&mut self) {
        self.sight.turn();
        self.oriented = true;
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The board as seen, White below; `None` before a whole board was seen. Of a board that only feels that
    /// something stands there, what should stand there; and where nothing should, what is missing elsewhere.
    pub fn seen(&self) -> Option<Board> {
        self.sight.known().then(|| self.sight.named(&self.table.physical()))
    }

    /// What the board tells about the pieces on it.
    pub fn tells_pieces(&self) -> bool {
        self.sight.tells_pieces()
    }

    /// The board that the table expects, as far as the board there is can tell.
    fn expected(&self) -> Board {
        self.sight.view(&self.table.physical())
    }

    /// A position, as far as the board there is can tell it from another.
    fn as_seen(&self, position: &Probe) -> Board {
        self.sight.view(&position.physical())
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
        self.first_press().is_some()
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
            // A lever that is moved too early is no line that could be refused: the board will tell.
            drop(self.press(by, at, at));
            return;
        }
        self.has_board = true;
        if !self.sight.see(observation, at) {
            return;
        }
        self.find_orientation();
        self.write_what_is_seen(at);
        self.question = None;
        if !self.waiting.is_empty() {
            let whole = matches!(observation, Observation::Whole(_));
            self.try_waiting(at, if whole { Look::Whole } else { Look::Glance });
        }
    }

    /// A board seen by somebody else, as a `sees` line has it.
    pub fn sees(&mut self, board: &Board, at: Instant) {
        self.observe(&Observation::Whole(*board), at);
    }

    /// A line typed by a person or known by a reader. On `Err` nothing was written.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), Violation> {
        self.enter_late(input, at, at)
    }

    /// The same, for a line that tells of something that happened at `at` and arrives at `now`.
    pub fn enter_late(&mut self, input: &Input, at: Instant, now: Instant) -> Result<(), Violation> {
        self.pass(now);
        if self.is_over() && !matches!(input, Input::Common(Common::Press(_) | Common::Undo { .. })) {
            self.let_presses_go(now);
        }
        match input {
            Input::Common(Common::Press(by)) => self.press(*by, at, now),
            // While a press waits, time is not read on (record, "How lines act" 1).
            Input::Common(Common::Tick) if self.press_waits() => Ok(()),
            _ => self.enter_other(input, at, now),
        }
    }

    fn enter_other(&mut self, input: &Input, happened: Instant, at: Instant) -> Result<(), Violation> {
        match input {
            Input::Common(Common::Undo { .. }) if self.press_waits() => {
                self.drop_last_press(at);
                Ok(())
            }
            Input::Common(Common::Undo { .. } | Common::Redo { .. }) => {
                self.write(input.clone(), at, None)?;
                self.step_back();
                Ok(())
            }
            Input::Common(Common::Rule(ruling)) => {
                if ruling.winner.is_some() {
                    self.take_standing_action(at);
                }
                self.write(input.clone(), at, None)?;
                if ruling.fen.is_some() {
                    self.waiting.clear();
                }
                self.forget_plies();
                Ok(())
            }
            Input::Common(Common::Next(_) | Common::EndMatch { .. }) => {
                self.take_standing_action(at);
                self.write(input.clone(), at, None)?;
                self.waiting.clear();
                self.forget_plies();
                Ok(())
            }
            Input::Game(action) if action.takes_turn() => self.enter_turn(input, action, happened, at),
            Input::Common(_) | Input::Game(_) if self.would_flag(at) => {
                let again =
                    |item: &Waiting| matches!(item, Waiting::Held { input: held, .. } if held == input);
                if !self.waiting.back().is_some_and(again) {
                    self.waiting.push_back(Waiting::Held { input: input.clone(), at });
                }
                Ok(())
            }
            Input::Common(_) | Input::Game(_) => {
                if self.stops_the_clock(input, at) {
                    self.take_standing_action(at);
                }
                self.write(input.clone(), at, None)?;
                // An undo would now take back this line first.
                self.plies.clear();
                if matches!(input, Input::Common(Common::Resume(_))) {
                    self.looked_at = None;
                    self.try_waiting(at, presses::Look::Long);
                }
                Ok(())
            }
        }
    }

    /// Whether a line at this moment would let a flag fall that a waiting press may have forestalled.
    fn would_flag(&self, at: Instant) -> bool {
        self.press_waits() && self.table.deadline().is_some_and(|due| due <= at)
    }

    /// Whether an action that stands on the board has to be taken before this line.
    fn stops_the_clock(&self, input: &Input, at: Instant) -> bool {
        if matches!(input, Input::Common(Common::Pause(_))) {
            return true;
        }
        let mut then = self.table.clone();
        let running = then.game().outcome().is_none();
        running && then.apply(input, Stamp::new(at, 0)).is_ok() && then.game().outcome().is_some()
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
            Some(Waiting::Press { by, at }) if self.means_nothing(*by) => {
                Some((*at + self.settle()).max(self.quiet_at()))
            }
            _ => None,
        };
        [flag, quiet, press, self.look_again_at(), self.stuck_at(), self.swap_at()]
            .into_iter()
            .flatten()
            .min()
    }

    /// The input ends here: time runs on by the settling time, and what stands settles. Presses that
    /// still wait come back as violations.
    pub fn finish(&mut self, at: Instant) -> Vec<Unexplained> {
        let end = at + self.settle();
        self.pass(end);
        if !self.waiting.is_empty() {
            self.try_waiting(end, Look::End);
        }
        if self.is_over() {
            self.let_presses_go(end);
        }
        self.take_standing_action(end);
        self.drop_what_stands_no_longer(end);
        let next = || match self.trouble() {
            Some(trouble) => trouble.sentence(),
            None => say!("press-not-understood-next", "act before pressing"),
        };
        self.waiting
            .iter()
            .filter_map(|item| match item {
                Waiting::Press { by, at } => {
                    let what = say!(
                        "press-not-understood",
                        "{by}'s press at {at} fits nothing that the board shows",
                        by = *by,
                        at = at.millis()
                    );
                    let violation = Violation::new("press-not-understood", what, next());
                    Some(Unexplained { at: *at, violation })
                }
                Waiting::Held { input, at } => {
                    let refused = self.table.clone().apply(input, Stamp::new(end, 0)).err();
                    refused.map(|violation| Unexplained { at: *at, violation })
                }
                Waiting::Unpressed { .. } | Waiting::Standing => None,
            })
            .collect()
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
            && self.means_nothing(by)
            && (pressed + self.settle()).max(self.quiet_at()) <= at
        {
            // It was no forgotten press after all: a press by the side whose clock stands does nothing.
            self.waiting.pop_front();
            self.write_quietly(Input::Common(Common::Press(by)), at, None);
            return;
        }
        if self.look_again_at().is_some_and(|again| again <= at) {
            self.look_again(at);
            return;
        }
        if self.stuck_at().is_some_and(|stuck| stuck <= at) {
            self.ask_for_help();
            return;
        }
        if self.swap_at().is_some_and(|swapped| swapped <= at) {
            self.look_closer();
            return;
        }
        if let Some(flag) = self.table.deadline().filter(|flag| *flag <= at && !self.press_waits()) {
            if self.moves_before(flag) {
                self.take_standing_action(at);
            }
            let at = at.max(flag);
            self.tick(at, at);
        }
    }

    fn quiet_at(&self) -> Instant {
        self.sight.last_change() + self.settle()
    }

    /// Whether the board changed before a flag fell, so that an action may stand above it.
    fn moves_before(&self, flag: Instant) -> bool {
        self.sight.known()
            && self.table.clock().flag_at() == Some(flag)
            && self.sight.last_change() < flag
            && self.sight.last_change() >= self.table.turn_began()
            && self.sight.board() != self.expected()
    }

    /// Whether this side's clock stands while the other's runs.
    fn stands(&self, by: Color) -> bool {
        matches!(self.table.turn(), Turn::Timed { by: mover, .. } if mover != by)
            && self.table.clock().turn().is_some()
    }

    /// Whether a press by this side ends nothing, as far as the board tells.
    fn means_nothing(&self, by: Color) -> bool {
        self.stands(by) && self.sight.board() == self.expected()
    }

    // ---- the board ----

    /// A board that is set up the other way round is read from the other side; only before a game
    /// has begun, never in mid-game.
    fn find_orientation(&mut self) {
        let untimed = !matches!(self.table.turn(), Turn::Timed { .. }) || self.table.clock().turn().is_none();
        // A table that was worked out again looks once.
        if (untimed || !self.oriented) && self.sight.known() {
            let (seen, expected) = (self.sight.board(), self.expected());
            if seen != expected && seen.turned() == expected {
                self.sight.turn();
            }
            self.oriented |= self.sight.board() == expected;
        }
        self.find_orientation_by_the_first_move();
    }

    /// A position that feels the same from both sides, as chess begins with one, tells nothing; the first move does.
    fn find_orientation_by_the_first_move(&mut self) {
        let (seen, expected) = (self.sight.board(), self.expected());
        let alike = !self.sight.tells_pieces() && self.plies.is_empty() && expected.turned() == expected;
        if !alike || seen == expected {
            return;
        }
        let candidates = self.base().candidates();
        let fits =
            |board: Board| candidates.iter().any(|candidate| self.sight.view(&candidate.after) == board);
        if !fits(seen) && fits(seen.turned()) {
            self.sight.turn_with_its_way();
        }
    }

    /// Whether the player to act has acted already (typed, or understood without a press).
    fn turn_is_typed(&self) -> bool {
        matches!(self.table.turn(), Turn::Timed { acted: true, .. })
    }
}
