//! A match being played at a desk: passes inputs to the match's session, with times converted to the match's own time.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use tabiya_cards::deck::Deck;
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::sheet;
use tabiya_engine::rules::{Action, Correct, Place, TurnHands, Uci, presets};
use tabiya_engine::table::{
    Audience, Common, Entry, Input, Ruling, Table, Voice, question_about, question_before,
    question_before_undo, undos_that_count,
};
use tabiya_text::Words;
use tabiya_types::{BySeat, Card, Color, Instant, Sentence, Square, say};

use super::front::News;
use super::keypads::KeypadWish;
use super::pending::{Pending, PendingAnswer};
use super::talk::{Talk, plain};
use crate::keypads::KeypadOf;
use crate::session::{Announcement, Entered, Infringement, InputFault, Session};
use crate::snapshot::{Asked, MatchTime, Notice, Refused, TableView};
use crate::words::{self, ClockSideOrder, KeypadOrder, TypedOrder as Spoken};

/// What a ruling that takes time away leaves at least, in ms.
const LEAST_LEFT: u64 = 1_000;

/// A match being played.
#[derive(Debug)]
pub(super) struct Sitting {
    pub(super) session: Session,
    pub(super) time: MatchTime,
    /// The file of the match's record, if one is kept.
    pub(super) record: Option<PathBuf>,
    /// The question that waits for its answer before something is entered.
    pending: Option<Pending>,
    /// How many games of the match were finished when [`Self::another_game_ended`] was last called.
    finished: usize,
    /// Whether nothing of this match is to be kept, so that nobody is asked before it is left.
    pub(super) for_show: bool,
    /// Which players want to see what each move does to the poker hands.
    pub(super) learners: BySeat<bool>,
    /// What was computed for the table as it is.
    shown: RefCell<Option<ShownTable>>,
}

/// What the screens show of a table, computed once for each state of the table. Some of it takes long: the uses of cards
/// in Chess Joker, the hands after each move in Poker Chess.
#[derive(Debug)]
struct ShownTable {
    table: Table,
    view: TableView,
    /// The legal moves in SAN, each with the poker hands after it; `None` until somebody asks.
    hands_after_moves: Option<Arc<Vec<(String, TurnHands)>>>,
}

impl ShownTable {
    fn of(session: &Session) -> Self {
        let table = session.table().clone();
        let view = TableView::of(&table, session.replay().header());
        Self { table, view, hands_after_moves: None }
    }

    fn hands_after_moves(&mut self) -> Arc<Vec<(String, TurnHands)>> {
        let table = &self.table;
        self.hands_after_moves.get_or_insert_with(|| Arc::new(hands_after_moves(table))).clone()
    }
}

/// A request that a typed line makes of the desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeskRequest {
    /// Read the board's complete position.
    ReadBoard,
    /// Write a report of a fault.
    Report,
    /// Leave the match.
    Leave,
    /// End the program.
    Close,
    /// Something about the players' keypads.
    Keypads(KeypadWish),
}

/// A match that has left the table for another one that is to begin.
#[derive(Debug)]
pub(super) struct LaidDown {
    pub(super) sitting: Sitting,
    /// The file of its record and its unique name there, if one was kept.
    pub(super) kept: Option<(PathBuf, String)>,
}

impl Sitting {
    /// Starts or continues play in a match. `at` is the match's own time that corresponds to the program's time `now`.
    pub(super) fn new(
        mut session: Session,
        deck: Option<Deck>,
        (record, at): (Option<PathBuf>, Instant),
        now: Instant,
    ) -> Self {
        if let Some(deck) = deck {
            session.use_deck(deck);
        }
        let finished = finished(&session);
        let time = MatchTime { base: now, at, stopped_at: None };
        let learners = BySeat { a: false, b: false };
        let shown = RefCell::default();
        Self { session, time, record, pending: None, finished, for_show: false, learners, shown }
    }

    /// The match's own time as the screens show it. If the record cannot be written, the clocks are stopped, and this
    /// time does not advance either.
    pub(super) fn time_shown(&self, now: Instant) -> MatchTime {
        let at = self.time.of(now);
        let shown = self.session.moment_shown(at);
        MatchTime { stopped_at: (shown != at).then_some(shown), ..self.time }
    }

    pub(super) fn view(&self, now: Instant) -> TableView {
        let mut shown = self.shown.borrow_mut();
        if shown.as_ref().is_some_and(|shown| !self.session.table().is_still(&shown.table)) {
            *shown = None;
        }
        let shown = shown.get_or_insert_with(|| ShownTable::of(&self.session));
        let mut view = shown.view.clone().in_session(&self.session, self.time.of(now));
        view.acts = self.session.past().acts();
        let learns = !view.is_event() && view.outcome.is_none();
        if let Some(poker) = view.poker.as_mut().filter(|_| learns) {
            poker.learners = Some(self.learners);
            if self.learners.a && self.learners.b {
                poker.moves = shown.hands_after_moves();
            }
        }
        view
    }

    /// The next time at which something is due, measured from the program's start.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.session.deadline().map(|due| self.time.base + due.since(self.time.at))
    }

    /// Whether the number of finished games has changed since the last call.
    pub(super) fn another_game_ended(&mut self) -> bool {
        let finished = finished(&self.session);
        std::mem::replace(&mut self.finished, finished) != finished
    }

    // ---- inputs ----

    /// Enters these inputs in order, and stops at the first one that is refused. Returns whether all inputs were
    /// accepted.
    pub(super) fn enter(&mut self, inputs: &[Input], now: Instant, talk: &mut Talk) -> bool {
        let at = self.time.of(now);
        if let Some(wait) = self.session.warning_before_play(inputs) {
            talk.refuse(Refused::new(self.session.table().audience_of_faults(), wait));
            return false;
        }
        talk.accept();
        inputs.iter().all(|input| {
            let entered = self.session.enter(input, at);
            self.was_accepted(entered, now, talk)
        })
    }

    /// Carries out an order from outside, without questions: who gave it has asked them. With a colour and a number it corrects how
    /// many illegal moves that side has made.
    pub(super) fn order(
        &mut self,
        (entry, illegal): (&Entry, Option<(Color, u32)>),
        now: Instant,
        talk: &mut Talk,
    ) -> Result<Entered, InputFault> {
        let at = self.time.of(now);
        let entered = match illegal {
            Some((by, count)) => self.session.correct_illegal_at_once(entry, (by, count), at),
            None => self.session.enter_at_once(entry, at),
        };
        self.hear(now, talk);
        entered
    }

    /// Enters this as if people had entered it, without a question. It may have to wait for the board.
    pub(super) fn enter_plainly(
        &mut self,
        entry: Entry,
        now: Instant,
        talk: &mut Talk,
    ) -> Result<Entered, InputFault> {
        let entered = self.session.enter(entry, self.time.of(now));
        self.hear(now, talk);
        entered
    }

    /// Says why something was not accepted, if it was not. Returns whether it was.
    fn was_accepted<T>(&mut self, entered: Result<T, InputFault>, now: Instant, talk: &mut Talk) -> bool {
        if let Err(fault) = entered {
            self.hear(now, talk);
            let mut refused = Refused::new(self.session.audience_of(&fault), fault.sentence());
            if let InputFault::Refused(violation) = fault {
                (refused.squares, refused.articles) = (violation.squares, violation.articles);
            }
            talk.refuse(refused);
            return false;
        }
        true
    }

    /// Answers the open question with the offered reading of this number.
    pub(super) fn choose(&mut self, number: usize, now: Instant, talk: &mut Talk) {
        talk.accept();
        if let Err(fault) = self.session.choose(number, self.time.of(now)) {
            talk.refuse(Refused::new(self.session.audience_of(&fault), fault.sentence()));
        }
        self.hear(now, talk);
    }

    /// Enters inputs from a screen. If the rules require the player to announce something with a placement, the
    /// program adds this announcement.
    pub(super) fn enter_said(&mut self, inputs: Vec<Input>, now: Instant, talk: &mut Talk) {
        let inputs: Vec<Input> = inputs.into_iter().map(|input| self.said_too(input)).collect();
        self.drop_question(talk);
        self.enter_asked(&inputs, now, talk);
    }

    /// Asks before this input, and enters it after the answer.
    pub(super) fn enter_if_sure(&mut self, input: Input, talk: &mut Talk) {
        let question = question_about(self.session.table(), input);
        self.ask(Pending::before(question, self.session.past().acts()), talk);
    }

    /// Enters these inputs, or asks first if they cannot be taken lightly. Returns whether they were accepted.
    fn enter_asked(&mut self, inputs: &[Input], now: Instant, talk: &mut Talk) -> bool {
        let inputs = undos_that_count(self.session.table(), inputs);
        match question_before(self.session.table(), inputs) {
            Some(question) => {
                self.ask(Pending::before(question, self.session.past().acts()), talk);
                false
            }
            None => self.enter(inputs, now, talk),
        }
    }

    // ---- the question before something is entered ----

    /// The question that waits for its answer, if the match has not gone on since.
    fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref().filter(|pending| pending.holds(self.session.past().acts()))
    }

    fn ask(&mut self, pending: Pending, talk: &mut Talk) {
        talk.accept();
        talk.print(News::Answer(pending.lines()));
        self.pending = Some(pending);
    }

    /// Drops the question, because something else is done.
    fn drop_question(&mut self, talk: &mut Talk) {
        if self.pending().is_some() {
            talk.answer(vec![say!("question-dropped", "the question is dropped")]);
        }
        self.pending = None;
    }

    /// The open question: the one before something is entered, or else the session's own.
    pub(super) fn asked(&self) -> Option<Asked> {
        self.pending().map(Pending::asked).or_else(|| Asked::of_session(&self.session))
    }

    /// Asks before people leave a running match. Returns whether they leave now: if no game is running, or if they were
    /// asked already.
    pub(super) fn may_leave(&mut self, talk: &mut Talk) -> bool {
        if self.for_show || self.pending().is_some_and(Pending::is_leaving) {
            return true;
        }
        let Some(text) = self.session.table().question_before_leaving() else { return true };
        self.ask(Pending::leaving(text, self.session.past().acts()), talk);
        false
    }

    /// Asks before the program ends in a running match. Returns whether it ends now: if no game is running, or if
    /// people were asked already.
    pub(super) fn may_close(&mut self, talk: &mut Talk) -> bool {
        let asked = self.pending().is_some_and(Pending::is_closing);
        if self.for_show || asked {
            return true;
        }
        let Some(text) = self.session.table().question_before_closing() else { return true };
        self.ask(Pending::closing(text, self.session.past().acts()), talk);
        false
    }

    /// Asks before this many actions are taken back. If there is nothing to take back, the refusal says so.
    pub(super) fn take_back(&mut self, count: usize, now: Instant, talk: &mut Talk) {
        let undos = vec![Input::from(Common::TAKE_BACK); count.max(1)];
        // A press that waits has done nothing yet, so there is nothing to ask.
        let asks = count > 1 || !self.session.watch().press_waits();
        match question_before_undo(self.session.table(), &undos).filter(|_| asks) {
            Some(question) => self.ask(Pending::before(question, self.session.past().acts()), talk),
            None => drop(self.enter(&undos[..1], now, talk)),
        }
    }

    /// Answers the open question with yes.
    pub(super) fn yes(&mut self, now: Instant, talk: &mut Talk) -> Option<DeskRequest> {
        match self.pending().map(Pending::choices) {
            Some(0) => return self.answer(1, now, talk),
            Some(last) => {
                let told = say!("answer-with-number", "answer with a number from 1 to {last}", last);
                let to = self.asked().map_or(Audience::Players, |asked| asked.to);
                talk.refuse(Refused::new(to, told));
                return None;
            }
            None if self.session.choices() == 1 => {
                self.choose(1, now, talk);
                return None;
            }
            None => {}
        }
        let inputs = self.session.yes();
        if inputs.is_empty() {
            let told = say!("no-question-for-yes", "there is no open question that `yes` could answer");
            talk.refuse(Refused::new(Audience::Players, told));
        } else if self.enter(&inputs, now, talk) {
            self.say_next(now, talk);
        }
        None
    }

    /// Answers the open question with no.
    pub(super) fn no(&mut self, talk: &mut Talk) {
        let proposed = self.session.proposals().next().map(|proposal| (proposal.by, proposal.of));
        talk.answer(vec![if self.withdraw_question() {
            say!("answered-no", "you answered no: nothing is changed")
        } else if proposed.is_some_and(|(by, of)| self.session.drop_proposal(by, of)) {
            say!(
                "proposal-dropped",
                "no ruling: what was proposed is dropped, and an illegal move does not count"
            )
        } else {
            say!("no-question", "there is no open question to answer")
        }]);
    }

    /// Drops the open question that nobody answered in time.
    pub(super) fn lapse(&mut self, talk: &mut Talk) {
        if self.withdraw_question() {
            talk.answer(vec![say!("question-lapsed", "nobody confirmed it: nothing is changed")]);
        }
    }

    /// Drops the open question as if the answer were no. Returns whether there was one.
    fn withdraw_question(&mut self) -> bool {
        let asked = self.pending().is_some() || self.session.question().is_some();
        if self.pending.take().is_none() {
            self.session.no();
        }
        asked
    }

    /// Chooses the numbered answer of the open question.
    pub(super) fn answer(&mut self, number: usize, now: Instant, talk: &mut Talk) -> Option<DeskRequest> {
        let Some(pending) = self.pending().cloned() else {
            self.choose(number, now, talk);
            return None;
        };
        self.pending = None;
        match pending.answer(number)? {
            PendingAnswer::Leave => return Some(DeskRequest::Leave),
            PendingAnswer::Close => return Some(DeskRequest::Close),
            PendingAnswer::Enter(inputs) => {
                if self.enter(&inputs, now, talk) {
                    self.say_next(now, talk);
                }
            }
        }
        None
    }

    /// Tells fronts that print lines what comes next.
    fn say_next(&mut self, now: Instant, talk: &mut Talk) {
        self.hear(now, talk);
        talk.print_next(self.session.table().prompt().harmless());
    }

    /// Adds the announcement that the rules require, if the input is a placement without an announcement.
    pub(super) fn said_too(&self, input: Input) -> Input {
        match input {
            Input::Game(Action::Place(place)) if place.says.is_none() => {
                let game = self.session.table().game();
                let says = game.placement().and_then(|placement| placement.announcement(&place));
                Action::Place(Place { says, ..place }).into()
            }
            input => input,
        }
    }

    /// Presses the clock for this side, or with `None` for the side that may press now. A press without effect is
    /// ignored.
    pub(super) fn press(&mut self, by: Option<Color>, now: Instant, talk: &mut Talk) {
        if let Some(press) = self.session.press_of(by) {
            self.enter(&[press], now, talk);
        }
    }

    /// Corrects a false piece. The squares `at` and `on` are texts as people typed them; an empty `on` means the
    /// square `at`.
    pub(super) fn correct(
        &mut self,
        (at, piece, on): (&str, Card, &str),
        reason: String,
        now: Instant,
        talk: &mut Talk,
    ) {
        let square = |text: &str| text.trim().to_lowercase().parse::<Square>();
        let on = Some(on).filter(|on| !on.trim().is_empty()).map(square).transpose();
        match square(at).and_then(|at| Ok((at, on?))) {
            Ok((at, on)) => {
                let correct = Correct { by: None, at, piece, on, reason: Some(reason) };
                self.enter(&[Action::Correct(correct).into()], now, talk);
            }
            Err(error) => {
                let to = self.session.table().audience_of_faults();
                talk.refuse(Refused::new(to, plain(error.to_string())));
            }
        }
    }

    /// Holds the chips that the players have counted against the stacks, and asks about a difference.
    pub(super) fn count(&mut self, chips: BySeat<u32>, talk: &mut Talk) {
        talk.drop_answer();
        let counted = BySeat { a: Some(chips.a), b: Some(chips.b) };
        match words::question_about_chips(self.session.table(), counted) {
            Some(question) => {
                self.drop_question(talk);
                self.ask(Pending::before(question, self.session.past().acts()), talk);
            }
            None => talk.answer(vec![words::chips_are_right()]),
        }
    }

    /// Lets this infringement be, without a ruling.
    pub(super) fn drop_proposal(&mut self, (by, of): (Color, Infringement), talk: &mut Talk) {
        if !self.session.drop_proposal(by, of) {
            talk.answer(vec![decided_already()]);
        }
    }

    /// Adds `gain` to this side's clock by a ruling of the arbiter.
    pub(super) fn give(&mut self, by: Color, gain: i64, reason: &str, now: Instant, talk: &mut Talk) {
        let Some(left) = self.session.table().reading(by, self.time.of(now)) else { return };
        let mut ruling = Ruling::because(reason);
        ruling.clock_ms[by] = Some(left.0.saturating_add_signed(gain).max(LEAST_LEFT));
        self.enter(&[ruling.into()], now, talk);
    }

    /// Enters what the Laws propose for this infringement, in the way with this number.
    pub(super) fn decide(
        &mut self,
        infringement: (Color, Infringement),
        choice: usize,
        words: &Words,
        now: Instant,
        talk: &mut Talk,
    ) {
        let proposal = self.session.proposals().find(|proposal| (proposal.by, proposal.of) == infringement);
        let Some(ruling) = proposal.and_then(|proposal| proposal.choices.get(choice)) else {
            talk.answer(vec![decided_already()]);
            return;
        };
        let input = ruling.decision.input(self.session.table(), self.time.of(now), words);
        self.enter_said(vec![input], now, talk);
    }

    /// Notes where the settings say that the clock stands.
    pub(super) fn tell_clock_side(&mut self, side: Option<ClockSide>, now: Instant) {
        self.session.tell_clock_side(side, self.time.of(now));
    }

    /// Handles what people say about where the clock stands.
    pub(super) fn say_clock_side(&mut self, order: ClockSideOrder, now: Instant) {
        let at = self.time.of(now);
        match order {
            ClockSideOrder::Is(side) => self.session.tell_clock_side(Some(side), at),
            ClockSideOrder::Exchange => self.session.exchange_clock_sides(at),
            ClockSideOrder::Guess => self.session.tell_clock_side(None, at),
        }
    }

    /// Reads a typed line. `n` answers an open question, but the knight's letter of another language does not: Spanish `C` and
    /// German `S` are `N` in the grammar.
    fn read(&self, text: &str, typed: &str, at: Instant) -> Result<Spoken, Sentence> {
        let is_n = |line: &str| line.trim().eq_ignore_ascii_case("n");
        let choices = self.pending().map_or_else(|| self.session.choices(), Pending::choices);
        let read = match self.asked() {
            Some(_) if is_n(text) => Ok(Spoken::No),
            asked => {
                let asked = asked.map(|_| choices);
                words::read(text, self.session.table(), asked, self.session.card_file(), at)
            }
        };
        match read {
            Ok(Spoken::No) if is_n(text) && !is_n(typed) => {
                Err(words::not_understood(text, self.session.table()))
            }
            read => read,
        }
    }

    /// Handles a typed line in the words of the grammar; `typed` is the line as people typed it. Returns the request that the
    /// line makes of the desk, if any.
    pub(super) fn typed(
        &mut self,
        text: &str,
        typed: &str,
        now: Instant,
        talk: &mut Talk,
    ) -> Option<DeskRequest> {
        talk.drop_answer();
        match self.read(text, typed, self.time.of(now)) {
            Ok(order) => {
                if !order.keeps_the_question() {
                    self.drop_question(talk);
                }
                self.follow(order, now, talk)
            }
            Err(sentence) => {
                talk.refuse(Refused::new(Audience::Players, words::quoted(sentence, text, typed)));
                // An open question is asked again, so that nobody has to remember it.
                if let Some(pending) = self.pending() {
                    talk.print(News::Answer(pending.lines()));
                } else if let Some(asked) = self.asked().filter(|asked| asked.to == Audience::Players) {
                    talk.print(News::Answer(vec![asked.text]));
                }
                None
            }
        }
    }

    /// Does what a typed line asks for. Returns the request that it makes of the desk, if any.
    fn follow(&mut self, order: Spoken, now: Instant, talk: &mut Talk) -> Option<DeskRequest> {
        let at = self.time.of(now);
        match order {
            Spoken::Do(inputs) => self.enter_typed(&inputs, now, talk),
            Spoken::Ask(question) => {
                self.ask(Pending::before(question, self.session.past().acts()), talk);
            }
            Spoken::Yes => return self.yes(now, talk),
            Spoken::Choose(number) => return self.answer(number, now, talk),
            Spoken::No => self.no(talk),
            Spoken::Unread => self.session.dealt_unread(at),
            Spoken::Misdeal => self.session.misdeal(),
            Spoken::Open(game, reason) => self.session.open_sealed(game, &reason, at),
            Spoken::ClockSide(order) => self.say_clock_side(order, now),
            Spoken::Vouch(reason) => self.session.vouch(&reason, at),
            Spoken::IllegalMoves(by, count, reason) => {
                self.by_word(now, talk, |session| session.correct_illegal(by, count, &reason, at));
            }
            Spoken::Adjourn(resumes) => {
                self.by_word(now, talk, |session| session.adjourn(&resumes, at));
            }
            Spoken::ClaimFinish(by, claim) => {
                self.by_word(now, talk, |session| session.claim_finish(by, claim, at));
            }
            Spoken::Seal => {
                self.by_word(now, talk, |session| session.seal(at));
            }
            Spoken::OpenEnvelope(text, moves) => {
                if self.by_word(now, talk, |session| session.open_envelope(&text, &moves, at)) {
                    self.say_next(now, talk);
                    talk.print(News::Show(at));
                }
            }
            Spoken::ChooseCode(by, code) => {
                self.by_word(now, talk, |session| session.choose_code(by, &code, at));
            }
            Spoken::LockWithCode(by, code) => {
                self.by_word(now, talk, |session| session.lock_with_code(by, &code, at));
            }
            Spoken::ConsentWith(by, code) => {
                self.by_word(now, talk, |session| session.consent_with(by, &code, at));
            }
            Spoken::Help => talk.answer(words::help(presets::kind(self.session.table().agreement().game))),
            Spoken::Legal => self.list_legal(talk),
            Spoken::Sheet => {
                talk.answer(self.session.signed(|session, proof| sheet::lines(session.replay(), proof)));
            }
            Spoken::Show => talk.print(News::Show(at)),
            Spoken::Nothing => {}
            Spoken::ReadBoard => return Some(DeskRequest::ReadBoard),
            Spoken::Keypads(order) => return self.follow_keypad_order(order, now, talk),
            Spoken::Report => return Some(DeskRequest::Report),
            Spoken::Say(lines) => talk.answer(lines),
            Spoken::Results => talk.answer(self.session.table().results_in_words()),
            Spoken::Quit => return self.may_leave(talk).then_some(DeskRequest::Leave),
        }
        None
    }

    /// Does what a typed line says about the keypads, as far as it is the match's.
    fn follow_keypad_order(
        &mut self,
        order: KeypadOrder,
        now: Instant,
        talk: &mut Talk,
    ) -> Option<DeskRequest> {
        let at = self.time.of(now);
        Some(DeskRequest::Keypads(match order {
            KeypadOrder::Show => KeypadWish::Show,
            KeypadOrder::Renew => KeypadWish::Renew,
            KeypadOrder::Remove(None) => KeypadWish::Remove(KeypadOf::Clock),
            KeypadOrder::Remove(Some(color)) => {
                KeypadWish::Remove(KeypadOf::Player(self.session.table().seat_of(color)))
            }
            KeypadOrder::Admit(on, reason) => {
                let ruled = self.by_word(now, talk, |session| session.admit_keypads(on, &reason, at));
                return ruled.then_some(DeskRequest::Keypads(KeypadWish::Show));
            }
        }))
    }

    /// Enters typed inputs, asking first where the table asks, and shows what comes next.
    fn enter_typed(&mut self, inputs: &[Input], now: Instant, talk: &mut Talk) {
        let sets_back = inputs.iter().any(sets_the_board_back);
        if self.enter_asked(inputs, now, talk) {
            self.say_next(now, talk);
            if sets_back {
                talk.print(News::Show(self.time.of(now)));
            }
        }
    }

    /// Lets the session do what a word of its own asks for. Returns whether it was accepted.
    fn by_word(
        &mut self,
        now: Instant,
        talk: &mut Talk,
        enter: impl FnOnce(&mut Session) -> Result<(), InputFault>,
    ) -> bool {
        talk.accept();
        let entered = enter(&mut self.session);
        self.was_accepted(entered, now, talk)
    }

    /// Lists what would be accepted now.
    fn list_legal(&self, talk: &mut Talk) {
        let table = self.session.table();
        let legal = words::completions("", &table.legal(), table.clock().paused());
        talk.answer(vec![plain(legal.join(", "))]);
    }

    // ---- what is told ----

    /// Lets the session go on by an event of a device or by time. If that adds lines to the record, the screens no longer
    /// show the last refusal of an input.
    pub(super) fn go_on(&mut self, now: Instant, talk: &mut Talk, tell: impl FnOnce(&mut Session, Instant)) {
        let understood = self.session.lines().len();
        tell(&mut self.session, self.time.of(now));
        if self.session.lines().len() != understood {
            talk.accept();
        }
    }

    /// Passes the session's new announcements on to `talk`. Each announcement that is an alert also becomes a notice, which
    /// everybody sees; at an event what the arbiter alone may see does not.
    pub(super) fn hear(&mut self, now: Instant, talk: &mut Talk) {
        let new = self.session.take_said();
        let casual = self.session.table().terms().voice == Voice::Casual;
        let is_shown = |said: &&Announcement| said.alert && (casual || said.to == Audience::Players);
        let alerts: Vec<_> = new.iter().filter(is_shown).map(|said| said.text.clone()).collect();
        talk.hear(new);
        for text in alerts {
            talk.push_notice(Notice { at: now, failed: true, text, file: None, carry_on: None });
        }
    }
}

/// The legal moves in SAN, each with the poker hands after it.
fn hands_after_moves(table: &Table) -> Vec<(String, TurnHands)> {
    let game = table.game();
    let (Some(hands), Some(chess)) = (game.poker_hands(), game.chess()) else { return Vec::new() };
    let named = |(uci, hands): (Uci, TurnHands)| chess.in_san(uci).map(|(_, san)| (san, hands));
    hands.after_moves().into_iter().filter_map(named).collect()
}

/// Whether an input takes something back or restores it, so that the board has to be set back.
fn sets_the_board_back(input: &Input) -> bool {
    matches!(input, Input::Common(Common::Undo { .. } | Common::Redo { .. }))
}

/// What is said to somebody who decides what is not open any more: it was decided elsewhere, or something else has come up.
fn decided_already() -> Sentence {
    say!("decided-already", "this is decided already, or is not proposed any more")
}

/// The number of finished games of a match.
fn finished(session: &Session) -> usize {
    let table = session.table();
    table.past_games().len() + usize::from(table.game().outcome().is_some())
}
