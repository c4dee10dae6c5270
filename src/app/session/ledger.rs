//! The record of a session: the watch, the lines that it has produced, the lines that are already durable, and the
//! files that keep them.

use std::path::{Path, PathBuf};

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::{HeadSignature, Proof, signed_from};
use tabiya_engine::record::secrets::{opening_told, openings_told};
use tabiya_engine::record::{Body, Header, Line, Observer as _, Past, Replay, Stop, pgn};
use tabiya_engine::rules::Group;
use tabiya_engine::sense::{Watch, WrittenLine};
use tabiya_engine::table::{Common, Effect, Evidence, Input, Table};
use tabiya_types::{Board, Instant, Millis, Seat, Sentence, say};

use super::fault::InputFault;
use super::outage::Outage;
use super::speech::Speech;
use tabiya_store::follow::{CopyState, EventState, FollowerState};
use tabiya_store::journal::JournalError;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::keeper::{Keeper, PgnKeeper, PgnNews};
use tabiya_store::match_key_file::KeyShare;

/// The time between two heartbeats. A heartbeat saves the current time, for a restart after a crash.
const HEARTBEAT: Millis = Millis(1_000);

/// The longest time by which the PGN file may be behind the last move.
const PGN_LAG: Millis = Millis(950);

/// The record of a session.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) watch: Watch,
    replay: Replay,
    /// The earlier states of the match, for looking back.
    past: Past,
    lines: Vec<Line>,
    keeping: Option<Box<dyn Keeper>>,
    /// The line from which on signatures count, if an arbiter had to vouch for what stands before it.
    signed_from: Option<u64>,
    /// Who opened sealed cards, and when.
    openings: Vec<Sentence>,
    /// The last signature that was asked for: at a game's end, or for a sheet or an export.
    signed: Option<HeadSignature>,
    pgn: Option<Box<dyn PgnKeeper>>,
    /// When the PGN must be written at the latest, because it lacks something.
    pgn_due: Option<Instant>,
    /// Whether the last write of the PGN file failed. Only the first of several failures in a row is announced.
    pgn_failed: bool,
    /// The later of two times: the latest time of any line, and the time that a heartbeat saved before a restart.
    last_t: Instant,
    heartbeat: Instant,
    /// The current outage of the record, if the record cannot be written.
    pub(super) outage: Outage,
}

/// New lines that are not durable yet, each with its effects and with the table after the line.
pub(super) struct PendingLines {
    pub(super) lines: Vec<Line>,
    after: Vec<(Vec<Effect>, Table)>,
}

impl PendingLines {
    /// The lines, each with its effects and with the table after it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Line, &[Effect], &Table)> {
        let after = self.after.iter().map(|(effects, table)| (effects.as_slice(), table));
        self.lines.iter().zip(after).map(|(line, (effects, table))| (line, effects, table))
    }

    /// Adds what the next line of the record carries, whatever it is.
    pub(super) fn add_to_first(&mut self, own: Group) {
        if let Some(first) = self.lines.first_mut() {
            first.add_extensions(own);
        }
    }

    /// Whether one of the lines ends a game.
    pub(super) fn ends_game(&self) -> bool {
        self.iter().any(|(_, effects, _)| effects.iter().any(|effect| matches!(effect, Effect::GameOver(_))))
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
            speech.say(say!("no-pgn", "no PGN is written, because a clock without a game has no moves"));
        }
        // Without moves the PGN would be empty, and an empty PGN must not replace an existing file.
        let pgn = pgn.filter(|_| has_moves);
        Self {
            watch: Watch::over(replay.table().clone(), 1),
            past: Past::new(replay.table()),
            replay,
            lines: Vec::new(),
            keeping,
            signed_from: None,
            openings: Vec::new(),
            signed: None,
            pgn,
            pgn_due: None,
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

    /// The later of two times: the latest time in the record, and the time that a heartbeat saved before a restart.
    pub(super) fn last_t(&self) -> Instant {
        self.last_t
    }

    /// The hash of the record's last line, as 64 hex digits; `None` if no record is kept.
    pub(super) fn head(&self) -> Option<String> {
        self.keeping.as_ref().and_then(|keeping| keeping.head()).map(|head| head.to_string())
    }

    /// The match's unique name; `None` if no record is kept.
    pub(super) fn uid(&self) -> Option<&str> {
        self.keeping.as_ref().map(|keeping| keeping.uid())
    }

    /// The hash of the line at this place; `None` if there is no such line, or no record is kept. `Err` if it cannot be read.
    pub(super) fn head_at(&self, place: u64) -> Result<Option<Head>, JournalError> {
        match &self.keeping {
            None => Ok(None),
            // The newest one need not be read, once this program has written it.
            Some(keeping) => match keeping.head().filter(|_| place == self.lines.len() as u64) {
                Some(head) => Ok(Some(head)),
                None => keeping.head_at(place),
            },
        }
    }

    /// The record's head with its signature, if it has been signed as it is now.
    pub(super) fn proof<'a>(&'a self, head: Option<&'a str>) -> Proof<'a> {
        let signed = self.signed.as_ref().filter(|signed| Some(signed.head.as_str()) == head);
        Proof { head, signed, from: self.signed_from, told: &self.openings }
    }

    /// Signs the record as it is now.
    pub(super) fn sign(&mut self) {
        self.signed = self.keeping.as_mut().and_then(|keeping| keeping.sign());
    }

    /// Whether the record's earlier lines are in doubt, so that nothing of it is signed.
    pub(super) fn is_doubted(&self) -> bool {
        self.keeping.as_ref().is_some_and(|keeping| keeping.is_doubted())
    }

    /// Signs the record from now on, because the arbiter has vouched for its earlier lines.
    /// Returns the line from which on signatures count.
    pub(super) fn vouch(&mut self) -> Result<u64, JournalError> {
        self.signed_from = signed_from(self.lines.iter());
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.vouch())?;
        Ok(self.signed_from.unwrap_or(1))
    }

    /// The number of the next line in the record, where the header is line 1.
    pub(super) fn next_number(&self) -> u64 {
        self.lines.len() as u64 + 2
    }

    /// Locks the key to the sealed cards with this player's share. Without a record nothing is sealed.
    pub(super) fn lock(&mut self, seat: Seat, share: KeyShare) -> Result<(), KeyError> {
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.lock(seat, share))
    }

    /// Takes the share of a player who agrees that sealed cards are shown.
    pub(super) fn give_share(&mut self, seat: Seat, share: KeyShare) {
        if let Some(keeping) = &mut self.keeping {
            keeping.give_share(seat, share);
        }
    }

    /// Unlocks the key to the sealed cards for good. `Ok(false)` if shares are missing.
    pub(super) fn release(&mut self) -> Result<bool, KeyError> {
        self.keeping.as_mut().map_or(Ok(true), |keeping| keeping.release())
    }

    /// Notes what the sheet must tell besides about the record's sealed cards.
    pub(super) fn tell_on_sheet(&mut self, told: impl IntoIterator<Item = Sentence>) {
        self.openings.extend(told);
    }

    /// Closes the record. Its end is signed, and the PGN has that signature.
    pub(super) fn close(mut self) -> Result<(), JournalError> {
        self.lay_down()
    }

    /// Closes the record in the same way, and keeps everything else: another match is to take its place.
    pub(super) fn lay_down(&mut self) -> Result<(), JournalError> {
        if self.pgn.is_some() {
            self.sign();
            // If it cannot be written, that was told at the last move.
            let _ = self.write_pgn(PgnNews::Result);
        }
        self.keeping.take().map_or(Ok(()), Keeper::close)
    }

    /// Goes on with the record that was laid down: the other match did not begin.
    pub(super) fn take_up(&mut self, keeper: Box<dyn Keeper>) {
        self.keeping = Some(keeper);
    }

    // ---- a record that is carried on ----

    /// Replays the lines of a record that is carried on. Lines that cannot be interpreted are skipped; `Err` if the
    /// rules refuse a line.
    pub(super) fn read(&mut self, lines: Vec<Line>) -> Result<(), InputFault> {
        for (line, number) in lines.iter().zip(2..) {
            match self.replay.take_before(number, line, &mut self.past) {
                Ok(_) => {}
                Err(Stop::Refused(violation)) => return Err(InputFault::Refused(violation)),
                Err(Stop::Unusable(_)) => self.past.passed_over(number, line, self.replay.table()),
            }
        }
        self.lines = lines;
        self.signed_from = signed_from(self.lines.iter());
        self.openings.splice(0..0, openings_told(self.lines.iter()));
        Ok(())
    }

    /// After a restart: receives the last time that a heartbeat saved before that restart.
    pub(super) fn stopped_at(&mut self, saved: Instant) {
        self.last_t = self.last_t.max(saved);
        self.heartbeat = self.last_t;
    }

    /// Rebuilds the watch (which interprets the board) from the durable lines alone. The position that the board shows
    /// now is observed again, with the time `now`.
    pub(super) fn restore_recorded_state(&mut self, now: Instant) {
        let count = u32::try_from(self.lines.len() + 1).unwrap_or(u32::MAX);
        let (seen, turned) = (self.watch.seen(), self.watch.turned());
        self.watch = Watch::over(self.replay.table().clone(), count);
        if turned {
            self.watch.turn_board();
        }
        // The record has every position with White at the bottom, but the watch expects positions as the board reports
        // them. So the positions of a rotated board are rotated again.
        let shown = |board: Board| Evidence::Sees(Box::new(if turned { board.rotated() } else { board }));
        // All evidence since presses were settled is interpreted again. So a press that had no explanation yet waits for
        // its explanation again.
        let acted = self.acted();
        for (index, line) in self.lines.iter().enumerate() {
            if let Body::Evidence(evidence) = &line.body
                && (index >= acted || matches!(evidence, Evidence::Sees(_)))
            {
                match evidence {
                    Evidence::Sees(board) => self.watch.recall(&shown(**board), line.t),
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

    /// The index after the last line that settles presses.
    fn acted(&self) -> usize {
        self.lines.iter().rposition(settles_presses).map_or(0, |last| last + 1)
    }

    /// The lines since presses were settled: a press among them waits, unless the board has explained it.
    pub(super) fn unsettled(&self) -> &[Line] {
        self.lines.get(self.acted()..).unwrap_or_default()
    }

    // ---- what is written ----

    /// Takes the lines that the watch has produced since the last call; `None` if there are no new lines.
    pub(super) fn understood(&mut self) -> Option<PendingLines> {
        let entries = self.watch.take_lines();
        if entries.is_empty() {
            return None;
        }
        let split = |WrittenLine { t, when, body, note, effects, after }| {
            (Line::new(t, when, body).noted(note), (effects, after))
        };
        let (lines, after) = entries.into_iter().map(split).unzip();
        Some(PendingLines { lines, after })
    }

    /// Writes these lines. On `Ok` they are durable.
    pub(super) fn make_durable(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.append(lines))
    }

    /// Replays these lines, which have become durable, and calls `each` with every one of them and its number.
    pub(super) fn follow(&mut self, understood: PendingLines, mut each: impl FnMut(u32, &Line)) {
        for (line, (effects, after)) in understood.lines.into_iter().zip(understood.after) {
            let number = u32::try_from(self.lines.len() + 2).unwrap_or(u32::MAX);
            self.replay.follow(number, &line, (&effects, after), &mut self.past);
            self.last_t = self.last_t.max(line.t);
            each(number, &line);
            self.openings.extend(opening_told(number, &line));
            self.lines.push(line);
        }
    }

    /// Notes that the PGN lacks something, and writes it if its keeper wants it so soon. Returns a failure as a sentence
    /// for people, but only the first one of several failures in a row.
    pub(super) fn renew_pgn(&mut self, news: PgnNews, now: Instant) -> Option<Sentence> {
        if self.pgn.as_ref()?.is_due(news) {
            return self.write_pgn(news);
        }
        self.pgn_due.get_or_insert(now + PGN_LAG);
        None
    }

    /// Writes the PGN if it lacks a move for so long that it is due at `now`.
    pub(super) fn renew_late_pgn(&mut self, now: Instant) -> Option<Sentence> {
        self.pgn_due.filter(|due| *due <= now)?;
        self.pgn_due = None;
        self.renew_pgn(PgnNews::Move, now)
    }

    /// When a PGN that lacks a move is due.
    pub(super) fn pgn_due(&self) -> Option<Instant> {
        self.pgn_due
    }

    fn write_pgn(&mut self, news: PgnNews) -> Option<Sentence> {
        self.pgn_due = None;
        let head = self.head();
        let text = self.pgn.as_ref().map(|_| pgn::text(&self.replay, self.proof(head.as_deref())))?;
        let error = self.pgn.as_mut()?.write(news, &text).err();
        let told = std::mem::replace(&mut self.pgn_failed, error.is_some());
        error.filter(|_| !told)
    }

    /// The time at which the current time must be saved next; `None` if no record is kept.
    pub(super) fn heartbeat_due(&self) -> Option<Instant> {
        self.keeping.as_ref().map(|_| self.heartbeat + HEARTBEAT)
    }

    /// Saves the current time if a heartbeat is due. `Err` if the record has had to go on in another file.
    pub(super) fn beat(&mut self, now: Instant) -> Result<(), JournalError> {
        if self.heartbeat + HEARTBEAT > now {
            return Ok(());
        }
        self.heartbeat = now;
        self.keeping.as_mut().map_or(Ok(()), |keeping| keeping.moment(now))
    }

    /// The file in which the record goes on, because its own file was removed or replaced.
    pub(super) fn moved(&self) -> Option<&Path> {
        self.keeping.as_ref()?.moved()
    }

    /// Writes the match into a new file, because the record's file was overwritten. Returns the error that tells people.
    pub(super) fn rescue(&mut self, path: PathBuf) -> JournalError {
        let header = self.replay.header().line();
        let rescued = self.keeping.as_mut().map(|keeping| keeping.rescue(&header, &self.lines));
        match rescued {
            Some(Ok(new)) => JournalError::Moved { path, new },
            Some(Err(error)) => error,
            None => JournalError::Overwritten { path },
        }
    }

    /// Why the record's heads cannot be signed now, if so.
    pub(super) fn unsigned(&self) -> Option<&str> {
        self.keeping.as_ref()?.unsigned()
    }

    /// How far the copy of the record in another folder has come; `None` if there is none.
    pub(super) fn copy(&self) -> Option<CopyState> {
        self.followers().into_iter().find_map(FollowerState::copy)
    }

    /// How far the consoles of this table's event have come; `None` outside an event.
    pub(super) fn event(&self) -> Option<EventState> {
        self.followers().into_iter().find_map(FollowerState::event)
    }

    /// How far those who follow the record have come.
    pub(super) fn followers(&self) -> Vec<FollowerState> {
        self.keeping.as_ref().map(|keeping| keeping.followers()).unwrap_or_default()
    }

    // ---- while it cannot be written ----

    /// Whether the clocks are stopped because the record cannot be written. This is so only if a clock would otherwise
    /// run.
    pub(super) fn stopped(&self) -> bool {
        self.outage.since().is_some() && self.table().time_runs()
    }

    /// The time for which the clocks must be read. This is `now`, except while the clocks are stopped because the
    /// record cannot be written: then it is the time of the failure.
    pub(super) fn moment_shown(&self, now: Instant) -> Instant {
        self.outage.since().filter(|_| self.stopped()).map_or(now, |since| since.min(now))
    }

    /// Delays `due` until the next attempt to write, if the record cannot be written now. Without the delay, a failed
    /// write would be due again at once, in an endless loop.
    pub(super) fn delayed_by_outage(&self, due: Option<Instant>) -> Option<Instant> {
        match self.outage.retry_at() {
            Some(again) if self.stopped() => Some(again),
            Some(again) => due.map(|due| due.max(again)),
            None => due,
        }
    }

    /// Ends an outage, and interprets what the board showed during the outage.
    pub(super) fn end_outage(&mut self, at: Instant) {
        for observation in self.outage.end() {
            self.watch.observe(&observation, at);
        }
    }
}

/// Whether this line settles the clock presses that waited before the line. Evidence, a pause and a draw offer do not
/// settle a press.
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
