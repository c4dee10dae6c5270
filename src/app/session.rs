//! One running match. Inputs and device events are interpreted, written durably, and only then announced to people.
//!
//! A session reads no clock, because every event carries its time, and it opens no port or file. The real loop, the
//! playback of a capture, the simulated evenings and the tests all use this same type. Each part of a session keeps
//! its state in its own source file, and reads only the watch (which interprets the board) and the table (which is the
//! state of the match). [`MatchCourse`] connects the parts that every line of the record goes through; this file connects it with
//! what only some events need.

mod absence;
mod adjournment;
mod admitting;
mod afar;
mod answers;
mod arbiter;
mod cards;
mod clock_pilot;
mod clock_side;
mod consent;
mod course;
mod dealing;
mod doubts;
mod entered;
mod fault;
mod finish;
mod instruments;
mod lamps;
mod laying;
mod ledger;
mod levers;
mod outage;
mod places;
mod presses;
mod proposing;
mod readers;
mod record_news;
mod sealing;
mod setup;
mod sight;
mod speech;
mod tell;
#[cfg(test)]
mod tests;
mod unattended;

use std::path::Path;

use tabiya_boards::driver::BoardCommand;
use tabiya_boards::{BoardEvent, ClockButton, TagChange};
use tabiya_cards::deck::Deck;
use tabiya_cards::{CardEvent, ReaderName};
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::card_file::CardFile;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::infringements::PENALTY;
use tabiya_engine::record::proof::Proof;
use tabiya_engine::record::{Body, Header, Line, Past, Replay};
use tabiya_engine::rules::{Group, Uci, Violation};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{
    Audience, Author, Common, Correction, Entry, FinishClaim, Input, Question, Ruling, Table,
};
use tabiya_types::{Board, Color, Instant, Millis, Observation, Seat, Sentence, say};

use self::cards::SessionCards;
pub(crate) use self::cards::turns_over;
use self::consent::WrongCodes;
use self::course::MatchCourse;
pub use self::entered::Entered;
pub use self::fault::InputFault;
use self::levers::Levers;
pub use self::proposing::{ArbiterDecision, Infringement, Proposal, ProposedRuling};
use self::readers::{BuiltInReader, ReaderDevice};
use self::sight::BoardSight;
pub use self::speech::Announcement;
use self::unattended::Attended;
use super::view::{Owner, RecordStatus, SeenAction};
use crate::sleep::Absence;
use tabiya_store::follow::FollowerState;
use tabiya_store::journal::JournalError;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::keeper::{Keeper, PgnKeeper};
use tabiya_store::trust::Doubt;

/// A running match with its record, its devices and its announcements.
#[derive(Debug)]
pub struct Session {
    course: MatchCourse,
    /// The players' file of cards, for a game whose cards have effects that people write.
    card_file: Option<CardFile>,
    /// The wrong codes that were typed for each player.
    wrong_codes: WrongCodes,
    levers: Levers,
    attended: Attended,
}

impl Session {
    /// Starts a match. `keeping` stores the record and `pgn` stores the PGN file, if they are given.
    pub fn new(header: Header, keeping: Option<Box<dyn Keeper>>, pgn: Option<Box<dyn PgnKeeper>>) -> Self {
        Self {
            course: MatchCourse::new(header, keeping, pgn),
            card_file: None,
            wrong_codes: WrongCodes::default(),
            levers: Levers::default(),
            attended: Attended::default(),
        }
    }

    /// Continues a match from the lines of its record. The match's time goes on from `saved`, the time that was saved
    /// last. If a clock was running, it is paused at this time. `Err` if a line is refused or the pause cannot be
    /// written.
    pub fn carry_on(
        header: Header,
        lines: Vec<Line>,
        saved: Instant,
        keeping: Option<Box<dyn Keeper>>,
        pgn: Option<Box<dyn PgnKeeper>>,
    ) -> Result<Self, InputFault> {
        let mut session = Self::new(header, keeping, pgn);
        session.course.ledger.read(lines)?;
        session.course.restore_recorded_state(saved);
        session.course.seats.restore(session.course.ledger.lines());
        session.levers.carried_on(session.course.lever_left());
        session.course.setup.guide();
        session.course.setup.left(session.watch().seen());
        session.course.ledger.stopped_at(saved);
        if session.table().time_runs() {
            session.enter(Input::Common(Common::Pause(Author::Arbiter)), session.last_t())?;
        }
        let prompt = session.table().prompt();
        session.course.speech.say(if session.table().clock().paused() {
            say!(
                "carried-on-paused",
                "the match is carried on after an interruption; the clocks are paused: go on with `resume`"
            )
        } else {
            say!("carried-on", "the match is carried on where it stopped; {prompt}", prompt)
        });
        session.course.propose_again();
        Ok(session)
    }

    // ---- board and box ----

    /// Handles an event from the board.
    pub fn board(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        if self.course.instruments.board(event, &mut self.course.speech) {
            self.course.setup.guide();
        }
        self.levers.settle(&mut self.course, at);
        self.levers.follow_board(event, self.course.clock_side(), at);
        match event {
            BoardEvent::Observed(Observation::Press(reported)) => self.lever(*reported, at),
            BoardEvent::Observed(observation) => self.observe(observation, at),
            BoardEvent::Identified(_) => self.course.cards.connected(ReaderDevice::Board, at),
            BoardEvent::ClockTimes(times) => {
                // A press in a gap of the link comes before the times that it has led to.
                self.levers.settle(&mut self.course, at);
                self.levers.follow_start(&mut self.course, times, at);
                self.course.take_clock_times(at);
            }
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderDevice::Board, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.course.start_or_stop(at),
            _ => {}
        }
        self.levers.settle(&mut self.course, at);
    }

    /// Handles an event from the card-reader box beside the board. The box's card readings, clock presses and buttons
    /// are used; squares that the box reports are ignored.
    pub fn beside(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        self.levers.settle(&mut self.course, at);
        self.course.instruments.beside(event, &mut self.course.speech);
        match event {
            BoardEvent::Observed(Observation::Press(reported)) => self.lever(*reported, at),
            BoardEvent::Identified(_) => self.course.cards.connected(ReaderDevice::Box, at),
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderDevice::Box, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.course.start_or_stop(at),
            _ => {}
        }
    }

    /// Handles changed squares. While the clocks are stopped because the record cannot be written, they are kept for
    /// later.
    fn observe(&mut self, observation: &Observation, at: Instant) {
        if self.course.keeps_for_later(observation) {
            return;
        }
        self.attended.notice_touch(&mut self.course, observation, at);
        if self.course.setup.needs_turning(observation) {
            self.course.ledger.watch.turn_board();
        }
        self.course.ledger.watch.observe(observation, at);
        self.attended.notice_set_up(&self.course);
        self.course.setup.note_position(self.course.ledger.watch.seen(), at);
        self.course.absorb(at);
    }

    /// Handles a press of a clock's lever, named as drivers name it. While the clocks are stopped because the record cannot be
    /// written, it does not count.
    fn lever(&mut self, reported: Color, at: Instant) {
        if !self.course.keeps_for_later(&Observation::Press(reported)) {
            self.attended.touched(&mut self.course, at);
            self.levers.press(&mut self.course, reported, at);
        }
    }

    /// Where the physical clock stands.
    pub fn clock_side(&self) -> ClockSide {
        self.course.clock_side()
    }

    /// Notes where people say that the clock stands; with `None` the table guesses again. Says what counts now.
    pub fn tell_clock_side(&mut self, side: Option<ClockSide>, at: Instant) {
        levers::tell_clock_side(&mut self.course, side, at);
    }

    /// People say that the clock stands the other way round than it is thought to stand.
    pub fn exchange_clock_sides(&mut self, at: Instant) {
        self.tell_clock_side(Some(self.clock_side().other()), at);
    }

    /// Nobody types at this table. A match that was carried on goes on at the first touch.
    pub fn leave_unattended(&mut self) {
        self.attended.leave(&mut self.course);
    }

    /// Whether nobody types at this table, the match is over, and people set the pieces up for the next one.
    pub fn is_done(&self) -> bool {
        self.attended.is_done()
    }

    /// Returns the commands that are due for the board and its clock: lamps, display, clock setting.
    pub fn board_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        self.course.board_orders(now)
    }

    /// Returns the commands that are due for the display of the card-reader box beside the board.
    pub fn box_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        self.course.box_orders(now)
    }

    /// Notes that people disconnected the board on purpose; play goes on without it.
    pub fn leave_board(&mut self) {
        self.course.instruments.leave_board();
    }

    /// The side whose clock press would end the current turn. `None` while no clock runs, or if no connected board can
    /// show what was played.
    pub fn board_press(&self) -> Option<Color> {
        self.sight().board_press()
    }

    fn sight(&self) -> BoardSight<'_> {
        self.course.sight()
    }

    /// What people have to correct on the board. `None` if the position is the expected one, shows a legal next
    /// action, or is unknown. Also `None` while a clock press waits for an explanation, and after the match.
    pub fn guidance(&self) -> Option<Sentence> {
        self.sight().guidance()
    }

    /// The same, with the articles of the Laws that rule on it.
    pub(crate) fn correction(&self) -> Option<Correction> {
        self.sight().correction()
    }

    /// How the record is kept.
    pub fn record_status(&self) -> RecordStatus {
        let unsigned = self.course.ledger.unsigned().map(str::to_owned);
        let (mut copy, mut event) = (None, None);
        for follower in self.course.ledger.followers() {
            match follower {
                FollowerState::Copy(state) => copy = Some(state),
                FollowerState::Event(state) => event = Some(state),
            }
        }
        RecordStatus { failing: self.record_fails(), copy, event, unsigned }
    }

    /// Whether the record cannot be written now.
    pub(crate) fn record_fails(&self) -> bool {
        self.course.ledger.outage.since().is_some()
    }

    /// Whether a physical clock does not report, although it did, or although its times were to be used.
    pub(crate) fn clock_is_silent(&self) -> bool {
        self.course.instruments.clock_is_silent()
    }

    /// The next action that the board shows already, although it is not entered yet.
    pub fn seen_action(&self) -> Option<SeenAction> {
        self.sight().seen_action()
    }

    /// The board, if no action explains how it differs from the expected position.
    pub fn unexplained_board(&self) -> Option<Board> {
        self.sight().unexplained()
    }

    // ---- cards ----

    /// Uses this file from now on: a card's code is then enough to tell its points and its effect.
    pub fn use_card_file(&mut self, file: CardFile) {
        self.card_file = Some(file);
    }

    /// The players' file of cards, if they use one.
    pub fn card_file(&self) -> Option<&CardFile> {
        self.card_file.as_ref()
    }

    /// Uses this deck from now on. Its cards are recognised by their NFC chips.
    pub fn use_deck(&mut self, deck: Deck) {
        self.course.cards.use_deck(deck);
    }

    /// Replaces the deck in use with its repaired version, in which a new card has taken the place of a damaged card.
    /// The owners of the readers stay the same.
    pub fn mend_deck(&mut self, deck: Deck) {
        self.course.cards.mend_deck(deck);
    }

    /// Stops using the deck: from now on people type the cards, and dealt cards are not read.
    pub fn put_deck_away(&mut self) {
        self.course.cards.put_deck_away();
    }

    /// The name of the deck in use, if any.
    pub fn deck(&self) -> Option<&str> {
        self.course.cards.deck()
    }

    /// The owner of this reader; [`Owner::Nobody`] if no deck is in use or the reader is unknown.
    pub fn owner_of(&self, reader: &ReaderName) -> Owner {
        self.course.cards.owner_of(reader)
    }

    /// Assigns this reader to a player; `None` assigns it to nobody. An unknown reader is ignored.
    pub fn give_reader(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.course.cards.give_reader(reader, to);
    }

    /// Reads cards from now on while they are dealt: each card is laid on a reader on its way to its player. Discards
    /// the cards that were already read in the current street.
    pub fn read_deals(&mut self) {
        if !self.reads_deals() && self.lines().is_empty() {
            self.course.speech.say(consent::code_hint());
        }
        self.course.cards.read_deals();
    }

    /// Whether cards are read while they are dealt.
    pub fn reads_deals(&self) -> bool {
        self.course.cards.reads_deals()
    }

    /// Whether a card that is laid on a reader at this point counts as dealt, not as turned over.
    pub(crate) fn deals_now(&self) -> bool {
        self.course.cards.deals_now(self.table())
    }

    /// Handles an event from the card readers.
    pub fn cards(&mut self, event: &CardEvent, at: Instant) {
        self.course.read_card(at, |cards, table, speech| cards.hear(event, at, table, speech));
    }

    /// Handles a change of the tag on a reader that is built into the board or the box.
    fn tag(&mut self, reader: BuiltInReader, news: &TagChange, at: Instant) {
        self.course.read_card(at, |cards, table, speech| cards.tag(reader, news, at, table, speech));
    }

    /// Counts a dealt card that no reader has read; its face stays unknown.
    pub fn dealt_unread(&mut self, at: Instant) {
        self.course.read_card(at, SessionCards::dealt_unread);
    }

    /// Discards the cards that were read in the deal of this street, because the deal was wrong.
    pub fn misdeal(&mut self) {
        self.course.cards.misdeal(self.course.ledger.table(), &mut self.course.speech);
    }

    // ---- sealed cards and doubts ----

    /// Records a ruling by which the arbiter opens the sealed cards of a game, to view them himself. The cards can
    /// then be read with the record's file and its key. Without a number, the ruling opens the last game whose dealt
    /// cards are in the record.
    pub fn open_sealed(&mut self, game: Option<u64>, reason: &str, at: Instant) {
        consent::open_sealed(&mut self.course, game, reason, at);
    }

    /// The arbiter of an event admits the players' keypads, or does not any more. His ruling says so in the record. `Err` at a table
    /// that is no event, where nobody has to admit them.
    pub fn admit_keypads(&mut self, on: bool, reason: &str, at: Instant) -> Result<(), InputFault> {
        admitting::admit_keypads(&mut self.course, on, reason, at)
    }

    /// Whether the arbiter has admitted keypads in this match.
    pub fn admits_keypads(&self) -> bool {
        admitting::admits_keypads(self.lines())
    }

    /// Records the code with which the player of this colour can agree later that sealed cards are shown. The player
    /// chooses it once in a match, before the first cards are dealt.
    pub fn choose_code(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        consent::choose_code(&mut self.course, by, code, at)
    }

    /// The same, and locks the key to the sealed cards with the code: after a restart nobody opens them without it, not even the
    /// arbiter.
    pub fn lock_with_code(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        consent::lock_with_code(&mut self.course, by, code, at)
    }

    /// Enters the consent of the player of this colour, who types the code that he has chosen.
    pub fn consent_with(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        self.wrong_codes.consent(&mut self.course, by, code, at)
    }

    /// Announces what is doubtful about a record that is carried on: why dealt cards stay sealed, and why it is perhaps not the
    /// one that the table wrote. Does nothing for `None`. The match sheet says what was `opened`, too.
    pub fn tell_doubts(
        &mut self,
        closed: Option<&KeyError>,
        doubt: Option<&Doubt>,
        opened: Vec<Sentence>,
        remarks: Vec<Sentence>,
    ) {
        doubts::tell_doubts(&mut self.course, (closed, doubt), opened, remarks);
    }

    /// Records the arbiter's ruling that this record, whose earlier lines are in doubt, is the right one. From its line on the
    /// table signs the record again.
    pub fn vouch(&mut self, reason: &str, at: Instant) {
        doubts::vouch(&mut self.course, reason, at);
    }

    // ---- what people enter ----

    /// Enters an input from a person, and says which lines of the record it became. On `Err` the input was not accepted. A consent
    /// that needs the player's own card is not accepted yet; the card is awaited then. An entry whose id is on a line already
    /// changes nothing, and becomes that line again.
    pub fn enter(&mut self, entry: impl Into<Entry>, at: Instant) -> Result<Entered, InputFault> {
        let entry = entry.into();
        if let Some(known) = entry.note.id.as_deref().and_then(|id| self.place_of(id)) {
            return Ok(Entered { lines: known..known + 1, own: Some(known) });
        }
        if let Input::Common(Common::Consent(by)) = &entry.input {
            consent::check_consent(&mut self.course, *by)?;
        }
        let before = self.lines().len();
        self.course.accept(&entry, at)?;
        Ok(Entered::of(&entry, self.lines(), before))
    }

    /// Enters what somebody outside the table orders: it becomes a line now, or is refused, so that no order acts later.
    pub fn enter_at_once(&mut self, entry: &Entry, at: Instant) -> Result<Entered, InputFault> {
        if let Some(known) = entry.note.id.as_deref().and_then(|id| self.place_of(id)) {
            return Ok(Entered { lines: known..known + 1, own: Some(known) });
        }
        self.course.reach(at.max(self.last_t()))?;
        if let Some(violation) = self.watch().why_not_at_once(&entry.input, at) {
            return Err(InputFault::Refused(violation));
        }
        let before = self.lines().len();
        self.course.accept(entry, at)?;
        Ok(Entered::of(entry, self.lines(), before))
    }

    /// Returns a warning if one of these inputs starts or resumes play while the board is set up wrongly. A warning is
    /// given only once: if people enter the input again, it is accepted.
    pub fn warning_before_play(&mut self, inputs: &[Input]) -> Option<Sentence> {
        self.course.warning_before_play(inputs)
    }

    /// Returns a clock press by the side `by` as an input. If `by` is `None`, the press is by the side that may press
    /// now. The result is `None` if the press would have no effect: the record contains no presses without effect.
    pub fn press_of(&self, by: Option<Color>) -> Option<Input> {
        self.sight().presser(by).map(|by| Input::Common(Common::Press(by)))
    }

    /// The open question to people, if there is one. A question that was answered with `no` is not asked again.
    pub fn question(&self) -> Option<&Question> {
        self.course.answers.question(&self.course.ledger.watch)
    }

    /// Answers `no` to the open question. Returns whether a question was open.
    pub fn no(&mut self) -> bool {
        self.course.answers.no(&self.course.ledger.watch)
    }

    /// The inputs that the answer `yes` to the open question enters; empty if no question is open.
    pub fn yes(&self) -> Vec<Input> {
        self.question().map(answers::yes).unwrap_or_default()
    }

    /// How many answers the open question offers by number; zero if none.
    pub fn choices(&self) -> usize {
        self.question().map_or(0, answers::choices)
    }

    /// Answers the open question with the offered reading of this number, counted from 1.
    pub fn choose(&mut self, number: usize, at: Instant) -> Result<(), InputFault> {
        let at = at.max(self.last_t());
        self.course.recover(at)?;
        if number <= self.choices() {
            self.course.ledger.watch.choose(number, at);
        }
        self.course.try_absorb(at)
    }

    /// What the Laws propose and the arbiter has not decided yet, the most urgent first.
    pub fn proposals(&self) -> impl Iterator<Item = &Proposal> {
        // Whether a fallen flag decides the game is asked after its end.
        let over = self.table().game().outcome().is_some();
        let open = self.course.illegal.proposals().iter();
        open.filter(move |proposal| (proposal.of == Infringement::DoubtfulFlag) == over)
    }

    /// Drops the proposal for this infringement: the arbiter lets it be, and an illegal move that he does not confirm does not count.
    /// Returns whether it was open.
    pub fn drop_proposal(&mut self, by: Color, of: Infringement) -> bool {
        self.course.illegal.drop_proposal(by, of)
    }

    /// The arbiter corrects the number of this side's illegal moves in the current game; a ruling keeps the reason.
    pub fn correct_illegal(
        &mut self,
        by: Color,
        count: u32,
        reason: &str,
        at: Instant,
    ) -> Result<(), InputFault> {
        self.course.illegal.correct(by, count);
        let answers = Group::new().with(PENALTY, by.word());
        self.enter(Entry::with_own(Ruling::because(reason), answers), at)?;
        self.tell_illegal(by, count);
        Ok(())
    }

    /// The same as somebody outside the table orders it: `entry` is the ruling with the reason. It becomes a line now, or nothing is
    /// corrected.
    pub fn correct_illegal_at_once(
        &mut self,
        entry: &Entry,
        (by, count): (Color, u32),
        at: Instant,
    ) -> Result<Entered, InputFault> {
        let mut entry = entry.clone();
        entry.note.own = entry.note.own.with(PENALTY, by.word());
        self.course.reach(at.max(self.last_t()))?;
        if let Some(violation) = self.watch().why_not_at_once(&entry.input, at) {
            return Err(InputFault::Refused(violation));
        }
        let known = entry.note.id.as_deref().is_some_and(|id| self.place_of(id).is_some());
        if !known {
            self.course.illegal.correct(by, count);
        }
        let entered = self.enter_at_once(&entry, at)?;
        if !known {
            self.tell_illegal(by, count);
        }
        Ok(entered)
    }

    fn tell_illegal(&mut self, by: Color, count: u32) {
        let told = say!("illegal-moves-now", "illegal moves of {by} in this game: {count}", by, count);
        self.course.speech.say_to(Audience::Arbiter, told);
    }

    /// Adjourns the game: the player to move is to seal a move. `resumes` says when and where play is resumed, in the words of
    /// people; it may be empty.
    pub fn adjourn(&mut self, resumes: &str, at: Instant) -> Result<(), InputFault> {
        sealing::adjourn(&mut self.course, resumes, at)
    }

    /// The player to move has sealed his move: the clocks stop, and the table says what stands on the envelope.
    pub fn seal(&mut self, at: Instant) -> Result<(), InputFault> {
        sealing::seal(&mut self.course, at)
    }

    /// Opens the envelope: the sealed move is made on the board, and the clock of the player who must reply is started. `moves` are
    /// the moves that the written text can mean.
    pub fn open_envelope(&mut self, text: &str, moves: &[Uci], at: Instant) -> Result<(), InputFault> {
        sealing::open_envelope(&mut self.course, text, moves, at)
    }

    /// Enters this player's claim: it is recorded, the clocks stop, and the arbiter hears what he can decide.
    pub fn claim_finish(&mut self, by: Color, claim: FinishClaim, at: Instant) -> Result<(), InputFault> {
        finish::claim_finish(&mut self.course, by, claim, at)
    }

    // ---- time ----

    /// Advances time to `now`, and does everything that is due.
    pub fn time(&mut self, now: Instant) {
        let now = now.max(self.last_t());
        self.course.instruments.woken(now);
        if !self.course.try_again(now) {
            return;
        }
        self.course.ledger.watch.time(now);
        self.course.absorb(now);
        self.levers.settle(&mut self.course, now);
        self.course.look_after_files(now);
        self.course.tell_due(now);
    }

    /// Handles the end of a time in which the program did nothing. Its length `span` is charged to no clock. If a clock
    /// was running, a ruling records it, with `x-slept-ms` or `x-stopped-ms`, and the clocks are paused. The arbiter is
    /// informed whose clock was running, so that he can charge the time.
    pub fn absent(&mut self, absence: Absence, span: Millis, now: Instant) {
        let now = now.max(self.last_t());
        if absence::enter(&mut self.course, (absence, span), now) {
            self.attended.interrupted(&mut self.course);
        }
    }

    /// Advances time to `until`, from one deadline to the next. The current time is not saved at regular intervals on
    /// the way. So the duration of this call depends on the number of deadlines, not on the length of the span.
    pub fn pass(&mut self, until: Instant) {
        while let Some(due) =
            self.course.ledger.delayed_by_outage(self.due(false)).filter(|due| *due <= until)
        {
            self.time(due);
        }
        self.time(until);
    }

    /// The next time at which something is due, if any.
    pub fn deadline(&self) -> Option<Instant> {
        self.course.ledger.delayed_by_outage(self.due(true))
    }

    /// The next time at which something is due, as if no outage of the record delayed it. If `saving` is true,
    /// heartbeats and a late PGN count as well. A heartbeat only saves the current time, for a restart after a crash.
    fn due(&self, saving: bool) -> Option<Instant> {
        self.course.due(saving).into_iter().chain(self.levers.due(&self.course)).min()
    }

    /// The time for which the clocks must be read. This is `now`, except while the clocks are stopped because the
    /// record cannot be written: then it is the time of the failure.
    pub fn moment_shown(&self, now: Instant) -> Instant {
        self.course.ledger.moment_shown(now)
    }

    /// Ends the input: the position on the board counts as final. Returns a violation for each clock press that was
    /// never explained.
    pub fn finish(&mut self, now: Instant) -> Vec<Violation> {
        self.levers.finish(&mut self.course, now);
        let waits = self.course.ledger.watch.finish(now.max(self.course.ledger.last_t()));
        self.course.absorb(self.last_t());
        waits.into_iter().map(|wait| wait.violation).collect()
    }

    /// Prepares the match for the moment when people leave. If a clock runs, writes a pause, so that the time used
    /// until now still counts when the match is carried on. (After a crash, the time that was saved last counts
    /// instead.)
    pub fn leave(&mut self, now: Instant) -> Result<(), InputFault> {
        if self.table().time_runs() {
            self.course.accept(&Common::Pause(Author::Arbiter).into(), now)
        } else {
            Ok(())
        }
    }

    /// The file in which the record goes on, because its own file was removed or replaced; `None` if it was not.
    pub fn record_moved(&self) -> Option<&Path> {
        self.course.ledger.moved()
    }

    /// Closes the record because another match is to take this one's place, which is here until then.
    pub(crate) fn lay_down(&mut self) -> Result<(), JournalError> {
        self.course.ledger.lay_down()
    }

    /// Goes on with the record that was laid down: the other match did not begin.
    pub(crate) fn take_up(&mut self, keeper: Box<dyn Keeper>) {
        self.course.ledger.take_up(keeper);
    }

    /// Closes the record, and merges its write-ahead log into its file.
    pub fn close(self) -> Result<(), JournalError> {
        self.course.ledger.close()
    }

    // ---- what there is to see ----

    /// The audience for the message that an input was not accepted. At events, only the arbiter is informed about a
    /// broken rule; everybody is informed about a failed write.
    pub fn audience_of(&self, fault: &InputFault) -> Audience {
        self.course.audience_of(fault)
    }

    /// Removes and returns the announcements that were made since the last call.
    pub fn take_said(&mut self) -> Vec<Announcement> {
        self.course.speech.take(self.course.ledger.table())
    }

    /// The table: the current state of the match.
    pub fn table(&self) -> &Table {
        self.course.ledger.table()
    }

    /// The watch, which interprets the board for the table.
    pub fn watch(&self) -> &Watch {
        &self.course.ledger.watch
    }

    /// The replay of the record: the state that follows from the lines so far.
    pub fn replay(&self) -> &Replay {
        self.course.ledger.replay()
    }

    /// The earlier states of the match, for looking back.
    pub(crate) fn past(&self) -> &Past {
        self.course.ledger.past()
    }

    /// The lines of the record so far.
    pub fn lines(&self) -> &[Line] {
        self.course.ledger.lines()
    }

    /// The latest known time of the match: the latest time in the record, or the time that was saved separately before
    /// a restart, whichever is later.
    pub fn last_t(&self) -> Instant {
        self.course.ledger.last_t()
    }

    /// Signs the record as it is now, and passes its head and the signature to `show`.
    pub fn signed<T>(&mut self, show: impl FnOnce(&Self, Proof<'_>) -> T) -> T {
        self.course.ledger.sign();
        let head = self.head();
        show(self, self.course.ledger.proof(head.as_deref()))
    }

    /// The place in the record of the last line that acts, which is any but `sees`, `button` and `tick`; 0 for the header.
    pub fn last_act(&self) -> u64 {
        let acts =
            |line: &Line| matches!(&line.body, Body::Acted(input) if *input != Input::Common(Common::Tick));
        self.lines().iter().rposition(acts).map_or(0, |nth| nth as u64 + 1)
    }

    /// The match's unique name; `None` if no record is kept.
    pub fn uid(&self) -> Option<&str> {
        self.course.ledger.uid()
    }

    /// The place of the line with this id, if there is one.
    pub fn place_of(&self, id: &str) -> Option<u64> {
        self.replay().place_of(id)
    }

    /// The hash of the line at this place; `None` if there is no such line, or no record is kept. The record is read for it; `Err`
    /// if that fails.
    pub fn head_at(&self, place: u64) -> Result<Option<Head>, JournalError> {
        self.course.ledger.head_at(place)
    }

    /// The hash of the record's last line, as 64 hex digits; `None` if no record is kept.
    pub fn head(&self) -> Option<String> {
        self.course.ledger.head()
    }
}
