//! What a running table has understood, and what of it is durable: the watch, the lines behind it, and whoever keeps them.

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

/// How often the moment is saved while nothing else is written.
const HEARTBEAT: Millis = Millis(1_000);

/// The record of a running table.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) watch: Watch,
    replay: Replay,
    /// What has been, for those who look back.
    past: Past,
    lines: Vec<Line>,
    keeping: Option<Box<dyn Keeper>>,
    pgn: Option<Box<dyn PgnKeeper>>,
    /// Whether the PGN could not be written; told once.
    pgn_failed: bool,
    /// The newest moment of any line.
    last_t: Instant,
    heartbeat: Instant,
    /// Whether it can be written.
    pub(super) outage: Outage,
}

/// Lines that were understood and are not durable yet, with what each did and the table after it.
pub(super) struct PendingLines {
    pub(super) lines: Vec<Line>,
    after: Vec<(Vec<Effect>, Table)>,
}

impl PendingLines {
    /// The lines with what each did.
    pub(super) fn told(&self) -> impl Iterator<Item = (&Line, &[Effect])> {
        self.lines.iter().zip(self.after.iter().map(|(effects, _)| effects.as_slice()))
    }

    /// Whether a game is over by one of them.
    pub(super) fn ends_game(&self) -> bool {
        self.told().flat_map(|(_, effects)| effects).any(|effect| matches!(effect, Effect::GameOver(_)))
    }
}

impl Ledger {
    /// A record that has its header alone.
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
        // What stands in the file is not to be written over by nothing.
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

    /// The newest moment that is on record.
    pub(super) fn last_t(&self) -> Instant {
        self.last_t
    }

    /// The hash of the newest line, 64 hex digits, where there is a record.
    pub(super) fn head(&self) -> Option<String> {
        self.keeping.as_ref().and_then(|keeping| keeping.head()).map(|head| head.to_string())
    }

    /// Lets the record go.
    pub(super) fn close(self) -> Result<(), JournalError> {
        self.keeping.map_or(Ok(()), Keeper::close)
    }

    // ---- a record that is carried on ----

    /// Folds the lines of a record that is carried on.
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

    /// Time had come to that moment when the table stopped.
    pub(super) fn stopped_at(&mut self, saved: Instant) {
        self.last_t = self.last_t.max(saved);
        self.heartbeat = self.last_t;
    }

    /// Stands as the lines that are safe say, whatever else was understood. What the board shows at `now` is
    /// looked at again then.
    pub(super) fn stand_as_recorded(&mut self, now: Instant) {
        let count = u32::try_from(self.lines.len() + 1).unwrap_or(u32::MAX);
        let (seen, turned) = (self.watch.seen(), self.watch.turned());
        self.watch = Watch::over(self.replay.table().clone(), count);
        if turned {
            self.watch.turn_board();
        }
        // Pictures are kept with White below; a turned board's eyes would turn them over.
        let shown = |board: Board| Evidence::Sees(if turned { board.turned() } else { board });
        // What was seen since the last action is read again; a button that waited waits again.
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

    /// What the watch has understood since the last call, if anything.
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

    /// Writes lines; they are durable when this is `Ok`.
    pub(super) fn make_durable(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.append(lines))
    }

    /// Follows lines that are durable, and hands each on with its number.
    pub(super) fn follow(&mut self, understood: PendingLines, mut each: impl FnMut(u32, &Line)) {
        for (line, (effects, after)) in understood.lines.into_iter().zip(understood.after) {
            let number = u32::try_from(self.lines.len() + 2).unwrap_or(u32::MAX);
            self.replay.follow(number, &line, (&effects, after), &mut self.past);
            self.last_t = self.last_t.max(line.t);
            each(number, &line);
            self.lines.push(line);
        }
    }

    /// Writes the PGN anew, where one is kept. What people have to be told of it.
    pub(super) fn write_pgn(&mut self) -> Option<Sentence> {
        let head = self.head();
        let error = self.pgn.as_mut()?.write(&pgn::text(&self.replay, head.as_deref())).err();
        let told = std::mem::replace(&mut self.pgn_failed, error.is_some());
        error.filter(|_| !told)
    }

    /// When the moment is to be saved, for a start after a crash.
    pub(super) fn heartbeat_due(&self) -> Option<Instant> {
        self.keeping.as_ref().map(|_| self.heartbeat + HEARTBEAT)
    }

    /// Saves the moment if it is due.
    pub(super) fn beat(&mut self, now: Instant) {
        if self.heartbeat + HEARTBEAT <= now {
            self.heartbeat = now;
            if let Some(keeping) = &mut self.keeping {
                keeping.moment(now);
            }
        }
    }

    // ---- while it cannot be written ----

    /// Whether everything stands because time would run against somebody unrecorded.
    pub(super) fn stopped(&self) -> bool {
        self.outage.since().is_some() && self.table().time_runs()
    }

    /// The moment that clocks are read at: while everything stands, the moment where it stopped.
    pub(super) fn moment_shown(&self, now: Instant) -> Instant {
        self.outage.since().filter(|_| self.stopped()).map_or(now, |since| since.min(now))
    }

    /// The next attempt to write. Nothing is due before it, whatever else would be: an attempt that
    /// failed is due again at once, and would be made for ever.
    pub(super) fn held_until(&self, due: Option<Instant>) -> Option<Instant> {
        match self.outage.again() {
            Some(again) if self.stopped() => Some(again),
            Some(again) => due.map(|due| due.max(again)),
            None => due,
        }
    }

    /// It works again: what the board showed meanwhile is looked at.
    pub(super) fn hear_again(&mut self, at: Instant) {
        for observation in self.outage.end() {
            self.watch.observe(&observation, at);
        }
    }
}

/// Whether a press that waited before this line waits no more. A pause, an offer or a remark settles none.
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
