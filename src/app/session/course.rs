//! The course of a match: what people enter and what the board shows becomes lines of the record, which are made durable,
//! and only then has consequences and is announced.
//!
//! Everything that acts on a match passes through here: the session's entries, the levers of the clocks, an adjournment, a
//! claim. They stand above, and keep what they alone need.

use tabiya_boards::driver::BoardCommand;
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::secrets::may_be_open;
use tabiya_engine::record::{Body, Header, Line, Past, Replay};
use tabiya_engine::rules::{Action, Datum, Group, Phase};
use tabiya_engine::sense::{Watch, WatchRemark};
use tabiya_engine::table::{Audience, Author, Common, Effect, Entry, Evidence, Input, Ruling, Table};
use tabiya_types::{Color, Instant, Millis, Observation, Sentence, Square, say};

use super::adjournment::{Adjournment, moved_instead};
use super::answers::Answers;
use super::arbiter::{self, Illegal};
use super::cards::{CardAction, SessionCards};
use super::clock_side::{ClockSeats, unsure};
use super::fault::InputFault;
use super::finish;
use super::instruments::Instruments;
use super::ledger::{Ledger, PendingLines};
use super::presses::Presses;
use super::record_news::RecordNews;
use super::sealing;
use super::setup::Setup;
use super::sight::BoardSight;
use super::speech::Speech;
use super::tell::{Apparatus, tell_lines};
use tabiya_store::journal::JournalError;
use tabiya_store::keeper::{Keeper, PgnKeeper, PgnNews};
use tabiya_store::verbs::CONTINUES;

/// The longest line that is entered, in bytes: as a message to an event's console, with the match's name and a hash, it has 64 KiB
/// at most.
const LONGEST_LINE: usize = 62 << 10;

/// A match under way: its record, what is known of the people and instruments at it, and what was announced.
///
/// The parts follow the lines in the order in which these became durable. A line that could not be written has changed none of
/// them but the watch, which is then built anew.
#[derive(Debug)]
pub(super) struct MatchCourse {
    pub(super) ledger: Ledger,
    pub(super) speech: Speech,
    pub(super) answers: Answers,
    pub(super) setup: Setup,
    pub(super) presses: Presses,
    pub(super) illegal: Illegal,
    pub(super) instruments: Instruments,
    pub(super) cards: SessionCards,
    /// Where the physical clock stands.
    pub(super) seats: ClockSeats,
    /// Whether a lever was moved in this run of the program.
    pub(super) levers_used: bool,
    /// What people were told about the record's files.
    pub(super) news: RecordNews,
}

impl MatchCourse {
    /// The course of a match that begins. `keeping` stores the record and `pgn` stores the PGN file, if they are given.
    pub(super) fn new(
        header: Header,
        keeping: Option<Box<dyn Keeper>>,
        pgn: Option<Box<dyn PgnKeeper>>,
    ) -> Self {
        let mut speech = Speech::default();
        let ledger = Ledger::new(header, keeping, pgn, &mut speech);
        let mut course = Self {
            ledger,
            speech,
            answers: Answers::default(),
            setup: Setup::default(),
            presses: Presses::default(),
            illegal: Illegal::default(),
            instruments: Instruments::default(),
            cards: SessionCards::default(),
            seats: ClockSeats::default(),
            levers_used: false,
            news: RecordNews::default(),
        };
        // Said before the first line, so that nobody plays on in the belief that the record is signed.
        course.news.tell_signing(&course.ledger, &mut course.speech);
        course
    }

    // ---- what it stands on ----

    /// The table: the current state of the match.
    pub(super) fn table(&self) -> &Table {
        self.ledger.table()
    }

    /// The watch, which interprets the board for the table.
    pub(super) fn watch(&self) -> &Watch {
        &self.ledger.watch
    }

    /// The replay of the record: the state that follows from the lines so far.
    pub(super) fn replay(&self) -> &Replay {
        self.ledger.replay()
    }

    /// The earlier states of the match, for looking back.
    pub(super) fn past(&self) -> &Past {
        self.ledger.past()
    }

    /// The lines of the record so far.
    pub(super) fn lines(&self) -> &[Line] {
        self.ledger.lines()
    }

    /// The latest known time of the match: the latest time in the record, or the time that was saved separately before
    /// a restart, whichever is later.
    pub(super) fn last_t(&self) -> Instant {
        self.ledger.last_t()
    }

    /// What the board shows.
    pub(super) fn sight(&self) -> BoardSight<'_> {
        BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone }
    }

    /// Where the physical clock stands.
    pub(super) fn clock_side(&self) -> ClockSide {
        self.seats.now(self.watch().turned())
    }

    /// Whose half of the lever must have been up when the record ended, if the clock was used: the other player's than whose press
    /// came last, even if that press still waits. `None` if no time runs, or if the turn has changed since without a press, as an
    /// undo changes it: then nobody knows.
    pub(super) fn lever_left(&self) -> Option<Color> {
        let turn = self.table().clock().turn()?;
        let press = |line: &Line| match &line.body {
            Body::Evidence(Evidence::Button(by)) | Body::Acted(Input::Common(Common::Press(by))) => Some(*by),
            Body::Evidence(_) | Body::Acted(_) => None,
        };
        let up = self.lines().iter().rev().find_map(press).map_or(turn, Color::other);
        (up == turn || self.watch().press_waits()).then_some(up)
    }

    /// How far the adjournment of the present game has come.
    pub(super) fn adjournment(&self) -> Option<Adjournment> {
        Adjournment::of(self.table(), self.lines())
    }

    /// Whether this press of the clock says that the player has sealed his move.
    pub(super) fn is_sealed_by(&self, input: &Input) -> bool {
        matches!(input, Input::Common(Common::Press(by))
            if self.adjournment().is_some_and(|stage| stage.sealing() == Some(*by)))
    }

    // ---- what is entered ----

    /// Enters an input, unless the adjournment of the game refuses it. On `Err` it was not accepted.
    pub(super) fn accept(&mut self, entry: &Entry, at: Instant) -> Result<(), InputFault> {
        let (at, input) = (at.max(self.last_t()), &entry.input);
        if self.is_sealed_by(input) {
            self.reach(at)?;
            if self.is_sealed_by(input) {
                return sealing::seal(self, at);
            }
        }
        match self.adjournment().and_then(|stage| stage.refusal(input, self.table())) {
            Some(refused) => Err(InputFault::Guideline(refused)),
            None => self.act(entry, at),
        }
    }

    /// Lets time pass up to `at`: if a flag has fallen by then, that is in the record.
    pub(super) fn reach(&mut self, at: Instant) -> Result<(), InputFault> {
        self.recover(at)?;
        self.ledger.watch.time(at);
        self.try_absorb(at)
    }

    /// Enters an input that no adjournment refuses.
    pub(super) fn act(&mut self, entry: &Entry, at: Instant) -> Result<(), InputFault> {
        let line = Line::new(at, None, Body::Acted(entry.input.clone())).noted(entry.note.clone());
        if line.to_string().len() > LONGEST_LINE {
            return Err(InputFault::TooLong);
        }
        self.recover(at)?;
        let with_cards = self.cards.with_cards_read(&entry.input, self.ledger.table());
        let with_cards = with_cards.map(|input| Entry { input, note: entry.note.clone() });
        let entry = with_cards.as_ref().unwrap_or(entry);
        let input = &entry.input;
        match self.ledger.watch.enter(entry.clone(), at) {
            Ok(()) => {
                if matches!(input, Input::Common(Common::Undo { .. } | Common::Redo { .. })) {
                    self.cards.refused();
                }
                self.try_absorb(at)?;
                self.name_old_file(at);
                Ok(())
            }
            Err(violation) => {
                self.cards.refused();
                // A refused input, too, advances the clock to `at`. If a flag fell at `at` or earlier, its fall is
                // written to the record now.
                self.try_absorb(at)?;
                if let Some(by) = arbiter::illegal_by(input, &violation) {
                    self.count_illegal(by, None, at);
                } else if let Some((by, uci)) = arbiter::wrong_claim(input, &violation)
                    && let Some(told) = self.illegal.wrong_claim(by, uci, self.ledger.table())
                {
                    self.speech.say_to(Audience::Arbiter, told);
                }
                Err(InputFault::Refused(violation))
            }
        }
    }

    /// Enters a ruling whose line has this extension field.
    pub(super) fn rule_with(
        &mut self,
        ruling: Ruling,
        (name, value): (&str, Datum),
        at: Instant,
    ) -> Result<(), InputFault> {
        self.accept(&Entry::with_own(ruling, Group::new().with(name, value)), at)
    }

    /// Enters an input that comes from a device, not from a person. Announces a failure instead of returning it.
    pub(super) fn enter_or_tell(&mut self, input: &Input, at: Instant) {
        if let Err(fault) = self.accept(&input.into(), at) {
            self.tell_failure(&fault);
        }
    }

    /// Pauses or resumes the match, because somebody pressed the clock's start/stop button.
    pub(super) fn start_or_stop(&mut self, at: Instant) {
        let paused = self.table().clock().paused();
        let by = Author::Arbiter;
        let input = if paused { Common::Resume(by) } else { Common::Pause(by) };
        self.enter_or_tell(&Input::Common(input), at);
    }

    pub(super) fn take_clock_times(&mut self, at: Instant) {
        for input in self.instruments.clock_news(&self.ledger.watch, self.clock_side(), at) {
            self.enter_or_tell(&Input::Common(input), at);
        }
    }

    /// Lets the cards follow a reader, and enters the reveal or the deal that comes of it.
    pub(super) fn read_card(
        &mut self,
        at: Instant,
        read: impl FnOnce(&mut SessionCards, &Table, &mut Speech) -> Option<CardAction>,
    ) {
        let wanted = read(&mut self.cards, self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// Enters the reveal or the deal that follows from a card laid on a reader.
    fn perform(&mut self, wanted: Option<CardAction>, at: Instant) {
        match wanted {
            None => {}
            Some(CardAction::Enter(input)) => self.enter_or_tell(&input, at),
            Some(CardAction::Deal(input)) => {
                if let Some(wait) = self.warning_before_play(std::slice::from_ref(&input)) {
                    self.speech.say_restricted(self.ledger.table(), wait);
                    if let Some(again) = SessionCards::all_read(&input) {
                        self.speech.say_restricted(self.ledger.table(), again);
                    }
                } else if let Err(fault) = self.accept(&input.into(), at) {
                    self.speech.say_to(self.audience_of(&fault), fault.sentence());
                }
            }
        }
    }

    /// Returns a warning if one of these inputs starts or resumes play while the board is set up wrongly. A warning is
    /// given only once: if people enter the input again, it is accepted.
    pub(super) fn warning_before_play(&mut self, inputs: &[Input]) -> Option<Sentence> {
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        self.setup.warning_before_play(inputs, sight)
    }

    /// Counts an illegal move by this side as the Laws of Chess require, and announces it to the arbiter. `pawn` is where it
    /// has left a pawn on the last rank.
    pub(super) fn count_illegal(&mut self, by: Color, pawn: Option<Square>, at: Instant) {
        let Some(told) = self.illegal.count(by, pawn, self.ledger.table()) else { return };
        self.speech.say_to(Audience::Arbiter, told);
        // A `tick` line is written now, so that the mark of the illegal move is durable at once. There is one
        // exception: while a clock press waits for an explanation, no line may advance the clock. In that case the mark
        // is written later, with the next evidence from the board.
        if self.ledger.watch.enter(Input::Common(Common::Tick), at).is_ok() {
            self.absorb(at);
        }
    }

    /// Whether this must wait until the record can be written again, because the clocks are stopped so long. It is kept then, or
    /// people are told that it does not count.
    pub(super) fn keeps_for_later(&mut self, observation: &Observation) -> bool {
        if !self.ledger.stopped() {
            return false;
        }
        if let Some(told) = self.ledger.outage.keep_for_later(observation) {
            self.speech.say(told);
        }
        true
    }

    // ---- what becomes durable ----

    /// Writes the lines that the watch has newly produced, then announces them. A failed write is announced, too.
    pub(super) fn absorb(&mut self, at: Instant) {
        if let Err(fault) = self.try_absorb(at) {
            self.tell_failure(&fault);
        }
    }

    /// Writes the lines that the watch has newly produced. Once they are durable, announces them and does what follows from them.
    /// On `Err` they are not written, and the state is that of the lines before.
    pub(super) fn try_absorb(&mut self, at: Instant) -> Result<(), InputFault> {
        let Some(mut understood) = self.ledger.understood() else {
            self.say_remarks();
            self.settle(at);
            return Ok(());
        };
        let turned = self.watch().turned();
        understood.add_to_first(self.illegal.own());
        understood.add_to_first(self.seats.own(turned));
        self.illegal.mark_penalty(&mut understood.lines, self.ledger.replay().table());
        if let Err(error) = self.ledger.make_durable(&mut understood.lines) {
            return Err(self.write_failed(error, at));
        }
        self.illegal.marked();
        self.seats.marked(turned);
        self.report_recovery(at);
        // A board that is right already is not to be set back.
        let to_set = self.sight().is_there() && self.watch().trouble().is_some();
        let beside = Apparatus { board: to_set, levers: self.levers_used };
        tell_lines(&understood, self.ledger.replay().table(), beside, &mut self.speech);
        self.follow_consequences(&understood);
        self.say_remarks();
        self.tell_wrong_start(&understood.lines);
        self.take_as_recorded(understood, at);
        self.instruments.warn_missing_clock(self.ledger.table(), &mut self.speech);
        Ok(())
    }

    /// What lines that are durable mean for the arbiter, and for setting up the board.
    fn follow_consequences(&mut self, understood: &PendingLines) {
        let sealing = self.sealing_before();
        for (line, effects, after) in understood.iter() {
            if let Some(told) = sealing.and_then(|by| moved_instead(by, line)) {
                self.speech.say_restricted(after, told);
            }
            // The replay has not followed these lines yet.
            let told = self.illegal.follow(line, self.ledger.replay().table(), after);
            let told = told.or_else(|| arbiter::claimable(&line.body, after));
            if let Some(told) = told {
                self.speech.say_to(Audience::Arbiter, told);
            }
            let next = matches!(&line.body, Body::Acted(Input::Common(Common::Next(_))));
            if next {
                self.illegal.next_game();
                self.setup.next_game();
                self.seats.next_game();
            }
            if next || effects.iter().any(|effect| matches!(effect, Effect::SetBack)) {
                self.setup.guide();
            }
        }
    }

    /// Who was to seal a move before the lines that the replay has not followed yet.
    fn sealing_before(&self) -> Option<Color> {
        Adjournment::of(self.replay().table(), self.lines()).and_then(|stage| stage.sealing())
    }

    /// Takes durable lines into the replay, and does what follows once they are there: cards are announced or opened, the record
    /// is signed, its PGN renewed.
    fn take_as_recorded(&mut self, understood: PendingLines, at: Instant) {
        let over = understood.ends_game();
        let to_sign = over || understood.lines.iter().any(is_to_be_signed);
        let was_open = may_be_open(self.replay().table());
        let (mut moved, mut shown) = (false, false);
        self.ledger.follow(understood, |number, line| {
            moved |= matches!(line.body, Body::Acted(_));
            shown |= matches!(&line.body, Body::Acted(Input::Game(Action::Reveal(_))));
            self.cards.follow(number, &line.body);
        });
        if shown || over {
            self.cards.announce_undealt_cards(over, self.ledger.table(), &mut self.speech);
        }
        if over {
            self.ask_about_flag();
        }
        self.follow_opening(was_open);
        self.settle(at);
        if to_sign {
            self.ledger.sign();
        }
        if moved {
            let news = if over { PgnNews::Result } else { PgnNews::Move };
            if let Some(failed) = self.ledger.renew_pgn(news, at) {
                self.speech.say(failed);
            }
        }
    }

    /// Unlocks the sealed cards as soon as they may be seen, and tells if they may not any more.
    fn follow_opening(&mut self, was_open: bool) {
        let is_open = may_be_open(self.replay().table());
        if !was_open && is_open {
            self.release_cards();
        }
        if let Some(line) = self.replay().opened().filter(|_| was_open && !is_open) {
            self.speech.say(say!(
                "opened-before",
                "the sealed cards could be seen; this stays in the record, on line {line}",
                line
            ));
        }
    }

    /// Says what was understood against the odds. While it is open whose presses were seen, nobody is said to have forgotten one.
    fn say_remarks(&mut self) {
        let doubted = self.seats.in_doubt();
        let forgotten = |remark: &WatchRemark| doubted && remark.unpressed;
        for remark in self.ledger.watch.take_remarks().into_iter().filter(|remark| !forgotten(remark)) {
            self.speech.say_restricted(self.ledger.table(), remark.says);
        }
    }

    /// After a press: tells the arbiter that the game goes on from a wrong position.
    fn tell_wrong_start(&mut self, lines: &[Line]) {
        let is_press = |line: &&Line| matches!(line.body, Body::Acted(Input::Common(Common::Press(_))));
        for _ in lines.iter().filter(is_press) {
            let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
            if let Some(told) = self.setup.pressed(sight) {
                self.speech.say_restricted(self.ledger.table(), told);
            }
        }
    }

    /// Updates the two things that people may have to deal with: a clock press that has no explanation, and an open
    /// question.
    fn settle(&mut self, at: Instant) {
        self.presses.follow(&self.ledger.watch, at);
        if let Some(asked) = self.answers.ask(&self.ledger.watch) {
            self.speech.say_restricted(self.ledger.table(), asked);
        }
    }

    /// Unlocks the key to the sealed cards, now that they may be shown. Without the codes of those who have locked it, it stays
    /// locked, and that is said. Returns whether it is unlocked.
    pub(super) fn release_cards(&mut self) -> bool {
        let released = self.ledger.release();
        match &released {
            Ok(true) => {}
            Ok(false) => self.speech.say(say!(
                "cards-stay-locked",
                "the sealed cards are locked with the players' codes: they open once each of these players has typed his code with `consent white CODE` or `consent black CODE`"
            )),
            Err(error) => {
                let error = error.to_string();
                self.speech.say(say!("cards-not-released", "the sealed cards cannot be opened: {error}", error));
            }
        }
        released.unwrap_or(false)
    }

    /// Says in the record that it goes on in this file, and in which one it was kept before.
    pub(super) fn name_old_file(&mut self, now: Instant) {
        if self.ledger.outage.since().is_some() {
            return;
        }
        let Some(old) = self.news.take_old_file() else { return };
        let reason = format!("the record goes on here; before, it was kept in {old}");
        let said = self.rule_with(Ruling::because(reason), (CONTINUES, Datum::Text(old.clone())), now);
        if let Err(fault) = said {
            self.news.owes_old_file(old);
            self.tell_failure(&fault);
        }
    }

    // ---- what is due ----

    /// Returns the commands that are due for the board and its clock.
    pub(super) fn board_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        let (seat, now) = (self.clock_side(), now.max(self.last_t()));
        self.instruments.board_orders(&self.ledger.watch, seat, now)
    }

    /// Returns the commands that are due for the display of the box beside the board.
    pub(super) fn box_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        let (seat, now) = (self.clock_side(), now.max(self.last_t()));
        self.instruments.box_orders(&self.ledger.watch, seat, now)
    }

    /// The next time at which something is due. If `saving` is true, heartbeats and a late PGN count as well.
    pub(super) fn due(&self, saving: bool) -> Option<Instant> {
        let all = [
            self.watch().deadline(),
            self.presses.due(self.table().terms().settle),
            self.illegal.default_due(self.table()),
            self.ledger.heartbeat_due().filter(|_| saving),
            self.setup.due(self.sight()),
            self.instruments.wakes(),
            self.news.copy_due(&self.ledger),
            self.news.event_due(&self.ledger),
            self.ledger.pgn_due().filter(|_| saving),
        ];
        all.into_iter().flatten().min()
    }

    /// Saves the time, looks after the files of the record, and tells what is wrong with them.
    pub(super) fn look_after_files(&mut self, now: Instant) {
        if let Err(moved) = self.ledger.beat(now) {
            let fault = self.write_failed(moved, now);
            self.tell_failure(&fault);
        }
        self.name_old_file(now);
        if let Some(failed) = self.ledger.renew_late_pgn(now) {
            self.speech.say(failed);
        }
        self.news.tell_copy(&self.ledger, &mut self.speech, now);
        self.news.tell_event(&self.ledger, &mut self.speech, now);
        self.news.tell_signing(&self.ledger, &mut self.speech);
    }

    /// Tells what people have left as it is for too long: a press without an action, a wrong position, an absent player.
    pub(super) fn tell_due(&mut self, now: Instant) {
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        if let Some(complaint) = self.presses.complain(now, sight) {
            // Perhaps the clock stands the other way round: then the press is another player's.
            let doubted = self.seats.in_doubt();
            if let Some(by) = complaint.by.filter(|_| !doubted) {
                self.count_illegal(by, complaint.pawn, now);
            }
            self.speech.say_restricted(self.ledger.table(), complaint.text);
            if doubted {
                self.speech.say_restricted(self.ledger.table(), unsure());
            }
        }
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        if let Some(told) = self.setup.tell(now, sight) {
            self.speech.say(told);
        }
        if let Some(told) = self.illegal.default_over(self.ledger.table(), now) {
            self.speech.say_restricted(self.ledger.table(), told);
        }
    }

    // ---- when the record cannot be written ----

    /// Restores the state that follows from the durable lines alone. Lines that were not written are dropped.
    pub(super) fn restore_recorded_state(&mut self, now: Instant) {
        self.ledger.restore_recorded_state(now);
        self.illegal.count_again(self.ledger.lines());
        let counted = self.illegal.presses_counted(self.ledger.unsettled());
        self.presses.recall(counted, &self.ledger.watch, self.ledger.last_t());
    }

    /// Proposes again what the arbiter had not decided when the record of a match that is carried on ended.
    pub(super) fn propose_again(&mut self) {
        let table = self.ledger.table();
        if table.game().outcome().is_some() {
            if table.phase() == Phase::Over {
                self.ask_about_flag();
            }
            return;
        }
        let trouble = self.watch().trouble().filter(|_| self.watch().press_waits());
        let pawn = trouble.and_then(|trouble| trouble.promotion(table)).map(|(at, _)| at);
        for told in self.illegal.propose_again(self.ledger.lines(), pawn, table) {
            self.speech.say_to(Audience::Arbiter, told);
        }
        finish::propose_again(self);
    }

    /// Asks the arbiter about a flag that has fallen, if perhaps nobody could have mated any more.
    fn ask_about_flag(&mut self) {
        if let Some(asked) = self.illegal.doubtful_flag(self.ledger.table()) {
            self.speech.alert(self.table().audience_of_faults(), asked);
        }
    }

    /// Handles a failed write: restores the durable state. If only the sealing of cards failed, the record itself
    /// still works; any other error begins an outage.
    pub(super) fn write_failed(&mut self, error: JournalError, at: Instant) -> InputFault {
        let error = match error {
            JournalError::Overwritten { path } => self.ledger.rescue(path),
            error => error,
        };
        if let JournalError::Moved { path, .. } = &error {
            self.news.moved(path);
        }
        let about_keys = error.is_about_keys();
        if !about_keys {
            self.ledger.outage.failed(at);
        }
        self.restore_recorded_state(at);
        if about_keys { InputFault::NotSealed(error) } else { InputFault::NotWritten(error) }
    }

    /// Ends an outage of the record after a successful write, and announces that the record can be written again.
    fn report_recovery(&mut self, at: Instant) {
        let Some(since) = self.ledger.outage.since() else { return };
        self.speech.say(if self.table().clock().paused() {
            say!(
                "record-again-paused",
                "the record can be written again; the clocks stopped at {since}: go on with `resume`",
                since = Millis(since.millis()).to_string()
            )
        } else {
            say!("record-again", "the record can be written again")
        });
        self.ledger.end_outage(at);
    }

    /// If an outage of the record has stopped the clocks, writes the pause that must precede all other lines. Called
    /// before any input is accepted.
    pub(super) fn recover(&mut self, at: Instant) -> Result<(), InputFault> {
        let Some(since) = self.ledger.outage.since().filter(|_| self.ledger.stopped()) else { return Ok(()) };
        let paused = since.max(self.last_t());
        self.ledger.watch.enter(Input::Common(Common::Pause(Author::Arbiter)), paused)?;
        self.try_absorb(at)?;
        // Writing the pause released the observations that were kept during the outage. The lines that follow from
        // these observations are written now.
        self.try_absorb(at)?;
        if self.ledger.stopped() {
            // The pause could not be written yet. A clock press still waits for an explanation, because it may have
            // been made before a flag fell. So the observations that were kept during the outage are used now: they may
            // explain the press.
            self.ledger.end_outage(at);
            self.try_absorb(at)?;
        }
        Ok(())
    }

    /// Returns whether time may advance. After a failed write, tries to write again as soon as the next attempt is
    /// due.
    pub(super) fn try_again(&mut self, now: Instant) -> bool {
        if self.ledger.outage.retry_at().is_some_and(|again| now < again) {
            return false;
        }
        self.recover(now).map_err(|fault| self.tell_failure(&fault)).is_ok()
    }

    /// Announces a failure, unless the same failure was the last one announced in this outage.
    pub(super) fn tell_failure(&mut self, fault: &InputFault) {
        let fault = fault.sentence();
        if self.ledger.outage.already_announced(&fault) {
            return;
        }
        self.speech.say(if self.ledger.stopped() {
            say!("clocks-stand", "{fault}; the clocks are stopped, and Tabiya tries again", fault)
        } else {
            fault
        });
    }

    /// The audience for the message that an input was not accepted. At events, only the arbiter is informed about a
    /// broken rule; everybody is informed about a failed write.
    pub(super) fn audience_of(&self, fault: &InputFault) -> Audience {
        match fault {
            InputFault::Refused(_) => self.table().audience_of_faults(),
            InputFault::NotWritten(_)
            | InputFault::NotSealed(_)
            | InputFault::NoConsent(_)
            | InputFault::Guideline(_)
            | InputFault::TooLong => Audience::Players,
        }
    }
}

/// Whether the record is signed at once after this line, as after each result: what seals or opens cards, and a ruling.
fn is_to_be_signed(line: &Line) -> bool {
    let Body::Acted(Input::Common(common)) = &line.body else { return line.is_sealed() };
    matches!(common, Common::Rule(_) | Common::Consent(_) | Common::EndMatch { .. })
}
