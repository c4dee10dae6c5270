//! One running table: what comes in is understood, made durable, and only then told.
//!
//! Reads no clock and opens no port or file: moments come with what comes in. Every loop (the real one, a
//! capture's, a pretended one) and every test drives this same value. Its parts have their own state, each in a file of
//! its own, and look at the watch and the table alone; here they meet.

mod answers;
mod arbiter;
mod cards;
mod clock_pilot;
mod dealing;
mod fault;
mod instruments;
mod lamps;
mod ledger;
mod outage;
mod presses;
mod readers;
mod setup;
mod sight;
mod speech;
mod tell;
#[cfg(test)]
mod tests;

use tabiya_boards::driver::BoardCommand;
use tabiya_boards::{BoardEvent, ClockButton, TagNews};
use tabiya_cards::deck::Deck;
use tabiya_cards::{CardEvent, ReaderName};
use tabiya_engine::record::{Body, Header, Line, Replay};
use tabiya_engine::rules::{Action, Violation};
use tabiya_engine::sense::{Question, Watch};
use tabiya_engine::table::{Audience, By, Common, Effect, Input, Ruling, Table};
use tabiya_types::{Color, Instant, Millis, Observation, Seat, Sentence, say};

use self::answers::Answers;
use self::arbiter::Illegal;
pub(crate) use self::cards::turns_over;
use self::cards::{CardAction, SessionCards};
pub use self::fault::InputFault;
use self::instruments::Instruments;
use self::ledger::Ledger;
use self::presses::Presses;
pub use self::readers::Owner;
use self::readers::{Behind, ReaderOwner};
use self::setup::Setup;
use self::sight::BoardSight;
pub use self::speech::Announcement;
use self::speech::Speech;
use self::tell::{tell_line, tell_sleep};
use super::past::Past;
use crate::store::journal::JournalError;
use crate::store::journal::vault::KeyError;
use crate::store::keeper::{Keeper, PgnKeeper};

/// A running table.
#[derive(Debug)]
pub struct Session {
    ledger: Ledger,
    speech: Speech,
    answers: Answers,
    setup: Setup,
    presses: Presses,
    illegal: Illegal,
    instruments: Instruments,
    cards: SessionCards,
    /// The game whose sealed cards the ruling opens that is being entered.
    opening: Option<u64>,
}

impl Session {
    /// A table at the beginning of a match.
    pub fn new(header: Header, keeping: Option<Box<dyn Keeper>>, pgn: Option<Box<dyn PgnKeeper>>) -> Self {
        let mut speech = Speech::default();
        Self {
            ledger: Ledger::new(header, keeping, pgn, &mut speech),
            speech,
            answers: Answers::default(),
            setup: Setup::default(),
            presses: Presses::default(),
            illegal: Illegal::default(),
            instruments: Instruments::default(),
            cards: SessionCards::default(),
            opening: None,
        }
    }

    /// A table that goes on with the lines of its record, from the last saved moment on. A clock that
    /// was running is paused there.
    pub fn carry_on(
        header: Header,
        lines: Vec<Line>,
        saved: Instant,
        keeping: Option<Box<dyn Keeper>>,
        pgn: Option<Box<dyn PgnKeeper>>,
    ) -> Result<Self, InputFault> {
        let mut session = Self::new(header, keeping, pgn);
        session.ledger.read(lines)?;
        session.stand_as_recorded(saved);
        session.setup.guide();
        session.setup.left(session.watch().seen());
        session.ledger.stopped_at(saved);
        if session.table().time_runs() {
            session.enter(&Input::Common(Common::Pause(By::Arbiter)), session.last_t())?;
        }
        let prompt = session.table().prompt();
        session.speech.say(if session.table().clock().paused() {
            say!(
                "carried-on-paused",
                "carried on after an interruption: the clocks are paused; go on with `resume`"
            )
        } else {
            say!("carried-on", "carried on where it stopped; {prompt}", prompt)
        });
        Ok(session)
    }

    // ---- board and box ----

    /// Something that a board told.
    pub fn board(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        if self.instruments.board(event, &mut self.speech) {
            self.setup.guide();
        }
        match event {
            BoardEvent::Observed(observation) => self.observe(observation, at),
            BoardEvent::Identified(_) => self.cards.connected(ReaderOwner::Board, at),
            BoardEvent::ClockTimes(_) => self.take_clock_times(at),
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderOwner::Board, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            _ => {}
        }
    }

    /// Something that a box beside the board told: its cards, presses and buttons count, and squares if it has any do
    /// not.
    pub fn beside(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        self.instruments.beside(event, &mut self.speech);
        match event {
            BoardEvent::Observed(press @ Observation::Press(_)) => self.observe(press, at),
            BoardEvent::Identified(_) => self.cards.connected(ReaderOwner::Box, at),
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderOwner::Box, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            _ => {}
        }
    }

    /// Something that the board shows, or a press.
    fn observe(&mut self, observation: &Observation, at: Instant) {
        if self.ledger.stopped() {
            if let Some(told) = self.ledger.outage.hold(observation) {
                self.speech.say(told);
            }
            return;
        }
        if self.setup.turns(observation) {
            self.ledger.watch.turn_board();
        }
        self.ledger.watch.observe(observation, at);
        self.setup.look(self.ledger.watch.seen(), at);
        self.absorb(at);
    }

    /// The button that starts and stops a clock does so here, too.
    fn start_or_stop(&mut self, at: Instant) {
        let paused = self.table().clock().paused();
        let by = By::Arbiter;
        let input = if paused { Common::Resume(by) } else { Common::Pause(by) };
        self.enter_or_tell(&Input::Common(input), at);
    }

    fn take_clock_times(&mut self, at: Instant) {
        for input in self.instruments.clock_news(&self.ledger.watch, at) {
            self.enter_or_tell(&Input::Common(input), at);
        }
    }

    /// What the board and the clock behind it are to show and do now.
    pub fn board_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        self.instruments.board_orders(&self.ledger.watch, now.max(self.ledger.last_t()))
    }

    /// What the box beside the board is to show now.
    pub fn box_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        self.instruments.box_orders(&self.ledger.watch, now.max(self.ledger.last_t()))
    }

    /// The board was let go by hand: play goes on without it.
    pub fn leave_board(&mut self) {
        self.instruments.leave_board();
    }

    /// Whose press ends the running turn, where a board is there to tell what was done in it.
    pub fn board_press(&self) -> Option<Color> {
        self.sight().board_press()
    }

    fn sight(&self) -> BoardSight<'_> {
        BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone }
    }

    /// What has to be put right on the board; nothing if it stands as expected, is not seen, or shows
    /// what could be played next.
    pub fn guidance(&self) -> Option<Sentence> {
        self.sight().guidance()
    }

    // ---- cards ----

    /// From now on cards of this deck are known by their chips.
    pub fn use_deck(&mut self, deck: Deck) {
        self.cards.use_deck(deck);
    }

    /// The same deck with another card in a damaged one's place; whose readers are whose stays.
    pub fn mend_deck(&mut self, deck: Deck) {
        self.cards.mend_deck(deck);
    }

    /// From now on cards are typed, and none is dealt over a reader.
    pub fn put_deck_away(&mut self) {
        self.cards.put_deck_away();
    }

    /// The name of the deck in play.
    pub fn deck(&self) -> Option<&str> {
        self.cards.deck()
    }

    /// Whose this reader is; nobody's without a deck.
    pub fn owner_of(&self, reader: &ReaderName) -> Owner {
        self.cards.owner_of(reader)
    }

    /// This reader is that player's, or nobody's yet. Without such a reader nothing happens.
    pub fn give_reader(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.cards.give_reader(reader, to);
    }

    /// From now on cards are dealt over a reader, too.
    pub fn read_deals(&mut self) {
        self.cards.read_deals();
    }

    /// Whether cards are dealt over a reader.
    pub fn reads_deals(&self) -> bool {
        self.cards.reads_deals()
    }

    /// Whether a card that is laid on a reader now is one that is dealt.
    pub(crate) fn deals_now(&self) -> bool {
        self.cards.deals_now(self.table())
    }

    /// Something that happened at the card readers.
    pub fn cards(&mut self, event: &CardEvent, at: Instant) {
        let wanted = self.cards.hear(event, self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// What lies on a reader behind the board or in the box.
    fn tag(&mut self, reader: Behind, news: &TagNews, at: Instant) {
        let wanted = self.cards.tag(reader, news, at, self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// A card was dealt that no reader knows.
    pub fn dealt_unread(&mut self, at: Instant) {
        let wanted = self.cards.dealt_unread(self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// The cards of this street that were read so far count for nothing.
    pub fn misdeal(&mut self) {
        self.cards.misdeal(self.ledger.table(), &mut self.speech);
    }

    /// Does what a card that was laid down asks for.
    fn perform(&mut self, wanted: Option<CardAction>, at: Instant) {
        match wanted {
            None => {}
            Some(CardAction::Reveal(input)) => self.enter_or_tell(&input, at),
            Some(CardAction::Deal(input)) => {
                if let Some(wait) = self.hold(std::slice::from_ref(&input)) {
                    self.speech.claim(self.ledger.table(), wait);
                } else if let Err(fault) = self.enter(&input, at) {
                    self.speech.say_to(self.audience_of(&fault), fault.sentence());
                }
            }
        }
    }

    /// The arbiter opens the sealed cards of a game, for his own view: the ruling says so in the record, and whoever
    /// has the record's file and its key looks at them there. Without a number it is the last game that has any.
    pub fn open_sealed(&mut self, game: Option<u64>, reason: &str, at: Instant) {
        let sealed = dealing::sealed_games(self.table(), self.lines());
        let game = game.or(sealed.last().copied()).filter(|game| sealed.contains(game));
        let Some(game) = game else {
            let nothing =
                say!("open-nothing", "no dealt card is known there, so that there is nothing to open");
            self.speech.claim(self.ledger.table(), nothing);
            return;
        };
        self.opening = Some(game);
        let entered = self.enter(&Ruling::because(reason).into(), at);
        self.opening = None;
        match entered {
            Ok(()) => self.speech.say_to(
                Audience::Arbiter,
                say!("cards-opened", "the sealed cards of game {game} may be looked at: `tabiya hands` with the record's file, where no player sees it", game),
            ),
            Err(fault) => self.speech.say_to(self.audience_of(&fault), fault.sentence()),
        }
    }

    /// Why cards that were dealt stay closed, if they do.
    pub fn tell_closed(&mut self, why: Option<&KeyError>) {
        cards::tell_closed(why, &mut self.speech);
    }

    // ---- what people enter ----

    /// Something that a person typed. On `Err` nothing was taken.
    pub fn enter(&mut self, input: &Input, at: Instant) -> Result<(), InputFault> {
        let at = at.max(self.last_t());
        self.recover(at)?;
        let with_cards = self.cards.with_cards_read(input, self.ledger.table());
        let input = with_cards.as_ref().unwrap_or(input);
        match self.ledger.watch.enter(input, at) {
            Ok(()) => self.try_absorb(at),
            Err(violation) => {
                // The time that was read on stays; a flag that fell by then is written.
                self.try_absorb(at)?;
                if let Some(by) = arbiter::illegal_by(input, &violation) {
                    self.count_illegal(by, at);
                }
                Err(InputFault::Refused(violation))
            }
        }
    }

    /// The same for what nobody typed: a failure is told.
    fn enter_or_tell(&mut self, input: &Input, at: Instant) {
        if let Err(fault) = self.enter(input, at) {
            self.tell_failure(&fault);
        }
    }

    /// Whether these typed inputs should wait until the board stands right: what begins or goes on with
    /// play, as a sentence that says so. It is said once; entered again, it is taken all the same.
    pub fn hold(&mut self, inputs: &[Input]) -> Option<Sentence> {
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        self.setup.hold(inputs, sight)
    }

    /// A press by that side, or by whoever may press, if it would do anything: by the side whose clock
    /// stands it would not, and no record needs such a line.
    pub fn press_of(&self, by: Option<Color>) -> Option<Input> {
        self.sight().presser(by).map(|by| Input::Common(Common::Press(by)))
    }

    /// What has to be answered, if anything; a question that got a `no` is not asked again.
    pub fn question(&self) -> Option<&Question> {
        self.answers.question(&self.ledger.watch)
    }

    /// `no`: the open question is dropped. Whether there was one.
    pub fn no(&mut self) -> bool {
        self.answers.no(&self.ledger.watch)
    }

    /// The inputs that a `yes` to the open question stands for.
    pub fn yes(&self) -> Vec<Input> {
        self.question().map(answers::yes).unwrap_or_default()
    }

    /// The inputs of the way of that number, from 1, where the board can mean more than one thing.
    pub fn explanation_inputs(&self, number: usize) -> Vec<Input> {
        self.question().map(|question| answers::explanation_inputs(question, number)).unwrap_or_default()
    }

    /// One more illegal move by this side, as the Laws count them.
    fn count_illegal(&mut self, by: Color, at: Instant) {
        let Some(told) = self.illegal.count(by, self.ledger.table()) else { return };
        self.speech.say_to(Audience::Arbiter, told);
        // A line for the mark, so that it is safe at once. While a press waits there must be none that
        // reads the clock on: then the mark goes with whatever the board shows next.
        if self.ledger.watch.enter(&Input::Common(Common::Tick), at).is_ok() {
            self.absorb(at);
        }
    }

    // ---- time ----

    /// Time passes.
    pub fn time(&mut self, now: Instant) {
        let now = now.max(self.last_t());
        self.instruments.woken(now);
        if !self.try_again(now) {
            return;
        }
        self.ledger.watch.time(now);
        self.absorb(now);
        self.ledger.beat(now);
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        if let Some(complaint) = self.presses.complain(now, sight) {
            if let Some(by) = complaint.by {
                self.count_illegal(by, now);
            }
            self.speech.claim(self.ledger.table(), complaint.text);
        }
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        if let Some(told) = self.setup.tell(now, sight) {
            self.speech.say(told);
        }
    }

    /// The computer slept for so long, and time stood for it as for the clocks. If one ran, the clocks are
    /// paused, the arbiter is told whose, and a ruling can charge what was slept.
    pub fn slept(&mut self, span: Millis, now: Instant) {
        let now = now.max(self.last_t());
        if !self.table().time_runs() {
            return;
        }
        let before = self.table().clone();
        let reason = format!("the computer slept for {span}");
        let ruling = Ruling { reason, ..Ruling::default() };
        let lines = [Common::Rule(Box::new(ruling)), Common::Pause(By::Arbiter)];
        for line in lines {
            if let Err(fault) = self.enter(&Input::Common(line), now) {
                self.tell_failure(&fault);
                return;
            }
        }
        tell_sleep(&before, span, now, &mut self.speech);
    }

    /// Lets time pass up to `until`, from one thing that happens to the next. However long that is, it
    /// costs no more than what happens: the moments on the way are not saved one by one.
    pub fn pass(&mut self, until: Instant) {
        while let Some(due) = self.ledger.held_until(self.due(false)).filter(|due| *due <= until) {
            self.time(due);
        }
        self.time(until);
    }

    /// When something is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.ledger.held_until(self.due(true))
    }

    /// The same, whether the record can be written or not. `saving`: with the moments that are saved
    /// for a start after a crash, though nothing happens then.
    fn due(&self, saving: bool) -> Option<Instant> {
        let complaint = self.presses.due(self.table().terms().settle);
        let heartbeat = self.ledger.heartbeat_due().filter(|_| saving);
        let setup = self.setup.due(self.sight());
        let all = [self.watch().deadline(), complaint, heartbeat, setup, self.instruments.wakes()];
        all.into_iter().flatten().min()
    }

    /// The moment that clocks are read at: while everything stands, the moment where it stopped.
    pub fn moment_shown(&self, now: Instant) -> Instant {
        self.ledger.moment_shown(now)
    }

    /// The input ends: what stands settles. Returns what was never understood.
    pub fn finish(&mut self, now: Instant) -> Vec<Violation> {
        let waits = self.ledger.watch.finish(now.max(self.ledger.last_t()));
        self.absorb(self.last_t());
        waits.into_iter().map(|wait| wait.violation).collect()
    }

    /// The people leave. Whose time runs has used it up to this moment: a pause says so in the record, so
    /// that going on gives nothing back. (After a crash the last saved moment has to do.)
    pub fn leave(&mut self, now: Instant) -> Result<(), InputFault> {
        if self.table().time_runs() {
            self.enter(&Input::Common(Common::Pause(By::Arbiter)), now)
        } else {
            Ok(())
        }
    }

    /// Lets the record go; the log is folded into its one file.
    pub fn close(self) -> Result<(), JournalError> {
        self.ledger.close()
    }

    // ---- what goes out ----

    /// Makes what was understood durable, then tells it.
    fn absorb(&mut self, at: Instant) {
        if let Err(fault) = self.try_absorb(at) {
            self.tell_failure(&fault);
        }
    }

    fn try_absorb(&mut self, at: Instant) -> Result<(), InputFault> {
        let Some(mut understood) = self.ledger.understood() else {
            self.settle(at);
            return Ok(());
        };
        self.illegal.mark(&mut understood.lines);
        arbiter::mark_opening(self.opening, &mut understood.lines);
        if let Err(error) = self.ledger.make_durable(&mut understood.lines) {
            return Err(self.not_kept(error, at));
        }
        self.illegal.marked();
        self.work_again(at);
        for (line, effects) in understood.told() {
            tell_line(line, effects, self.ledger.table(), &mut self.speech);
            let next = matches!(&line.body, Body::Acted(Input::Common(Common::Next(_))));
            if next {
                self.illegal.next_game();
            }
            if next || effects.iter().any(|effect| matches!(effect, Effect::SetBack)) {
                self.setup.guide();
            }
        }
        let over = understood.ends_game();
        let (mut moved, mut shown) = (false, false);
        self.ledger.follow(understood, |number, line| {
            moved |= matches!(line.body, Body::Acted(_));
            shown |= matches!(&line.body, Body::Acted(Input::Game(Action::Reveal(_))));
            self.cards.follow(number, &line.body);
        });
        if shown || over {
            self.cards.hold_against_deal(over, self.ledger.table(), &mut self.speech);
        }
        self.settle(at);
        if moved && let Some(failed) = self.ledger.write_pgn() {
            self.speech.say(failed);
        }
        self.instruments.miss_clock(self.ledger.table(), &mut self.speech);
        Ok(())
    }

    /// Looks at what waits for people: a press, a question.
    fn settle(&mut self, at: Instant) {
        self.presses.follow(self.ledger.watch.press_waits(), at);
        if let Some(asked) = self.answers.ask(&self.ledger.watch) {
            self.speech.claim(self.ledger.table(), asked);
        }
    }

    // ---- when the record cannot be written ----

    /// Stands as the lines that are safe say, whatever else was understood.
    fn stand_as_recorded(&mut self, now: Instant) {
        self.ledger.stand_as_recorded(now);
        self.illegal.count_again(self.ledger.lines());
        self.presses.recall(arbiter::press_was_counted(self.ledger.lines()));
        self.presses.follow(self.ledger.watch.press_waits(), self.ledger.last_t());
    }

    /// It could not be written, or cards could not be sealed: back to what is safe. Of the latter nothing else fails.
    fn not_kept(&mut self, error: JournalError, at: Instant) -> InputFault {
        let about_keys = error.is_about_keys();
        if !about_keys {
            self.ledger.outage.failed(at);
        }
        self.stand_as_recorded(at);
        if about_keys { InputFault::NotSealed(error) } else { InputFault::NotWritten(error) }
    }

    /// Something was written: whatever failed before works again.
    fn work_again(&mut self, at: Instant) {
        let Some(since) = self.ledger.outage.since() else { return };
        self.speech.say(if self.table().clock().paused() {
            say!(
                "record-again-paused",
                "the record can be written again; the clocks stand as at {since}: go on with `resume`",
                since = Millis(since.millis()).to_string()
            )
        } else {
            say!("record-again", "the record can be written again")
        });
        self.ledger.hear_again(at);
    }

    /// Before anything is taken: if everything stands, a pause must be written first.
    fn recover(&mut self, at: Instant) -> Result<(), InputFault> {
        let Some(since) = self.ledger.outage.since().filter(|_| self.ledger.stopped()) else { return Ok(()) };
        let paused = since.max(self.last_t());
        self.ledger.watch.enter(&Input::Common(Common::Pause(By::Arbiter)), paused)?;
        self.try_absorb(at)?;
        // What the board showed meanwhile was looked at when the pause was written.
        self.try_absorb(at)?;
        if self.ledger.stopped() {
            // The pause waits behind a press that may have forestalled a flag: the board has to tell first.
            self.ledger.hear_again(at);
            self.try_absorb(at)?;
        }
        Ok(())
    }

    /// Whether time may go on: everything works, or works again.
    fn try_again(&mut self, now: Instant) -> bool {
        if self.ledger.outage.again().is_some_and(|again| now < again) {
            return false;
        }
        self.recover(now).map_err(|fault| self.tell_failure(&fault)).is_ok()
    }

    /// Says what failed, once for each cause.
    fn tell_failure(&mut self, fault: &InputFault) {
        let fault = fault.sentence();
        if self.ledger.outage.knows(&fault) {
            return;
        }
        self.speech.say(if self.ledger.stopped() {
            say!("clocks-stand", "{fault}; the clocks stand, and it is tried again", fault)
        } else {
            fault
        });
    }

    // ---- what there is to see ----

    /// Who hears that an input was not taken: at events what breaks the rules is for the arbiter, a disk that
    /// fails is everybody's business.
    pub fn audience_of(&self, fault: &InputFault) -> Audience {
        match fault {
            InputFault::Refused(_) => self.table().audience_of_faults(),
            InputFault::NotWritten(_) | InputFault::NotSealed(_) => Audience::Players,
        }
    }

    /// What there is to tell since the last call.
    pub fn take_said(&mut self) -> Vec<Announcement> {
        self.speech.take()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.ledger.table()
    }

    /// The watch over it.
    pub fn watch(&self) -> &Watch {
        &self.ledger.watch
    }

    /// The record so far, folded.
    pub fn replay(&self) -> &Replay {
        self.ledger.replay()
    }

    /// What has been, for those who look back.
    pub(crate) fn past(&self) -> &Past {
        self.ledger.past()
    }

    /// The lines of the record so far.
    pub fn lines(&self) -> &[Line] {
        self.ledger.lines()
    }

    /// The newest moment that is on record.
    pub fn last_t(&self) -> Instant {
        self.ledger.last_t()
    }

    /// The hash of the newest line, 64 hex digits, where there is a record.
    pub fn head(&self) -> Option<String> {
        self.ledger.head()
    }
}
