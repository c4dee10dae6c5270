//! What a running table has understood, and which part of it is durable: the watch, the record's lines, and the files
//! that keep them.

use tabiya_engine::record::{Body, Header, Line, Observer as _, Replay, Stop, pgn};
use tabiya_engine::sense::{Watch, WrittenLine};
use tabiya_engine::table::{Common, Effect, Evidence, Input, Table};
use tabiya_types::{Board, Instant, Millis, Sentence, say};

use super::fault::InputFault;
use super::outage::Outage;
use super::speech::Speech;
use crate::past::Past;
use crate::store::journal::JournalError;
use crate::store::keeper::{Keeper, PgnKeeper};

/// How often the current moment is saved, for a restart after a crash.
const HEARTBEAT: Millis = Millis(1_000);

/// The record of a running table.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) watch: Watch,
    replay: Replay,
    /// The earlier states of the match, for looking back.
    past: Past,
    lines: Vec<Line>,
    keeping: Option<Box<dyn Keeper>>,
    pgn: Option<Box<dyn PgnKeeper>>,
    /// Whether the last write of the PGN failed; only the first failure is announced.
    pgn_failed: bool,
    /// The latest moment of any line, or the moment saved before a restart.
    last_t: Instant,
    heartbeat: Instant,
    /// Whether the record can be written.
    pub(super) outage: Outage,
}

/// Lines that were understood and are not durable yet, each with its effects and the table after it.
pub(super) struct PendingLines {
    pub(super) lines: Vec<Line>,
    after: Vec<(Vec<Effect>, Table)>,
}

impl PendingLines {
    /// The lines with their effects.
    pub(super) fn with_effects(&self) -> impl Iterator<Item = (&Line, &[Effect])> {
        self.lines.iter().zip(self.after.iter().map(|(effects, _)| effects.as_slice()))
    }

    /// Whether one of the lines ends a game.
    pub(super) fn ends_game(&self) -> bool {
        self.with_effects()
            .flat_map(|(_, effects)| effects)
            .any(|effect| matches!(effect, Effect::GameOver(_)))
    }
}

impl Ledger {
    /// Starts a record that contains only its header.
    pub(super) fn new(
        header: Header,
        keeping: Option<Box<dyn Keeper>>,
        pgn: Option<Box<dyn PgnKeeper>>,
        speech: &mut Speech,
    ) -> Self {
        let replay = Replay::new(header);
        let has_moves = replay.table().game().has_board();
        if pgn.is_some() && !has_moves {
            speech.say(say!("no-pgn", "no PGN is written, since a clock alone has no moves"));
        }
        // Without moves the PGN would be empty; an existing file must not be replaced by that.
        let pgn = pgn.filter(|_| has_moves);
        Self {
            watch: Watch::over(replay.table().clone(), 1),
            past: Past::new(replay.table()),
            replay,
            lines: Vec::new(),
            keeping,
            pgn,
            pgn_failed: false,
            last_t: Instant::ZERO,
            heartbeat: Instant::ZERO,
            outage: Outage::default(),
        }
    }

    pub(super) fn table(&self) -> &Table {
        self.watch.table()
    }

    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }

    pub(super) fn past(&self) -> &Past {
        &self.past
    }

    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The latest moment that was recorded, or saved before a restart.
    pub(super) fn last_t(&self) -> Instant {
        self.last_t
    }

    /// The hash of the last line, 64 hex digits; `None` if no record is kept.
    pub(super) fn head(&self) -> Option<String> {
        self.keeping.as_ref().and_then(|keeping| keeping.head()).map(|head| head.to_string())
    }

    /// Closes the record.
    pub(super) fn close(self) -> Result<(), JournalError> {
        self.keeping.map_or(Ok(()), Keeper::close)
    }

    // ---- a record that is carried on ----

    /// Folds the lines of a record that is carried on. Unusable lines are skipped; `Err` if the rules refuse a line.
    pub(super) fn read(&mut self, lines: Vec<Line>) -> Result<(), InputFault> {
        for (line, number) in lines.iter().zip(2..) {
            match self.replay.take_before(number, line, &mut self.past) {
                Ok(_) => {}
                Err(Stop::Refused(violation)) => return Err(InputFault::Refused(violation)),
                Err(Stop::Unusable(_)) => self.past.passed_over(number, line, self.replay.table()),
            }
        }
        self.lines = lines;
        Ok(())
    }

    /// Sets the moment that was saved last before the restart.
    pub(super) fn stopped_at(&mut self, saved: Instant) {
        self.last_t = self.last_t.max(saved);
        self.heartbeat = self.last_t;
    }

    /// Rebuilds the watch from the durable lines alone. The position that the board shows is observed again, at
    /// `now`.
    pub(super) fn restore_recorded_state(&mut self, now: Instant) {
        let count = u32::try_from(self.lines.len() + 1).unwrap_or(u32::MAX);
        let (seen, turned) = (self.watch.seen(), self.watch.turned());
        self.watch = Watch::over(self.replay.table().clone(), count);
        if turned {
            self.watch.turn_board();
        }
        // Positions are recorded with White at the bottom, but the watch of a turned board expects them as the board
        // reports them.
        let shown = |board: Board| Evidence::Sees(if turned { board.rotated() } else { board });
        // Evidence since the last action is interpreted again; a press that waited waits again.
        let acted = self.lines.iter().rposition(settles_presses).map_or(0, |last| last + 1);
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
    }

    // ---- what is written ----

    /// Takes the lines that the watch has understood since the last call; `None` if there are none.
    pub(super) fn understood(&mut self) -> Option<PendingLines> {
        let entries = self.watch.take_lines();
        if entries.is_empty() {
            return None;
        }
        let split =
            |WrittenLine { t, when, body, effects, after }| (Line::new(t, when, body), (effects, after));
        let (lines, after) = entries.into_iter().map(split).unzip();
        Some(PendingLines { lines, after })
    }

    /// Writes these lines. On `Ok` they are durable.
    pub(super) fn make_durable(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.append(lines))
    }

    /// Folds lines that have become durable, and calls `each` with every line and its number.
    pub(super) fn follow(&mut self, understood: PendingLines, mut each: impl FnMut(u32, &Line)) {
        for (line, (effects, after)) in understood.lines.into_iter().zip(understood.after) {
            let number = u32::try_from(self.lines.len() + 2).unwrap_or(u32::MAX);
            self.replay.follow(number, &line, (&effects, after), &mut self.past);
            self.last_t = self.last_t.max(line.t);
            each(number, &line);
            self.lines.push(line);
        }
    }

    /// Rewrites the PGN, if one is kept. Returns a failure as a sentence for people, but only the first of several in
    /// a row.
    pub(super) fn write_pgn(&mut self) -> Option<Sentence> {
        let head = self.head();
        let error = self.pgn.as_mut()?.write(&pgn::text(&self.replay, head.as_deref())).err();
        let told = std::mem::replace(&mut self.pgn_failed, error.is_some());
        error.filter(|_| !told)
    }

    /// When the current moment is to be saved next; `None` if no record is kept.
    pub(super) fn heartbeat_due(&self) -> Option<Instant> {
        self.keeping.as_ref().map(|_| self.heartbeat + HEARTBEAT)
    }

    /// Saves the current moment if that is due.
    pub(super) fn beat(&mut self, now: Instant) {
        if self.heartbeat + HEARTBEAT <= now {
            self.heartbeat = now;
            if let Some(keeping) = &mut self.keeping {
                keeping.moment(now);
            }
        }
    }

    // ---- while it cannot be written ----

    /// Whether the clocks are stopped: the record cannot be written, and somebody's time would run unrecorded.
    pub(super) fn stopped(&self) -> bool {
        self.outage.since().is_some() && self.table().time_runs()
    }

    /// The moment at which clocks are to be read: `now`, or the moment of the failure while a record that cannot be
    /// written stops the clocks.
    pub(super) fn moment_shown(&self, now: Instant) -> Instant {
        self.outage.since().filter(|_| self.stopped()).map_or(now, |since| since.min(now))
    }

    /// Delays `due` to the next attempt to write, if the record cannot be written now. Otherwise a failed write would
    /// be due again at once, in an endless loop.
    pub(super) fn delayed_by_outage(&self, due: Option<Instant>) -> Option<Instant> {
        match self.outage.retry_at() {
            Some(again) if self.stopped() => Some(again),
            Some(again) => due.map(|due| due.max(again)),
            None => due,
        }
    }

    /// Ends an outage, and processes what the board showed during it.
    pub(super) fn end_outage(&mut self, at: Instant) {
        for observation in self.outage.end() {
            self.watch.observe(&observation, at);
        }
    }
}

/// Whether this line settles the presses that waited before it. Evidence, a pause or a draw offer settles no press.
fn settles_presses(line: &Line) -> bool {
    match &line.body {
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
    }
}
