//! One running match. Inputs and device events are interpreted, written durably, and only then announced to people.
//!
//! A session reads no clock, because every event carries its time, and it opens no port or file. The real loop, the
//! playback of a capture, the simulated evenings and the tests all use this same type. Each part of a session keeps
//! its state in its own source file, and reads only the watch (which interprets the board) and the table (which is the
//! state of the match). This file connects the parts.

mod adjournment;
mod answers;
mod arbiter;
mod cards;
mod clock_pilot;
mod clock_side;
mod consent;
mod dealing;
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
use tabiya_engine::record::card_file::CardFile;
use tabiya_engine::record::proof::{Proof, SIGNED_FROM};
use tabiya_engine::record::secrets::{OPENS, may_be_open, sealed_games};
use tabiya_engine::record::{Body, Header, Line, Past, Replay};
use tabiya_engine::rules::{Action, Datum, Group, Violation};
use tabiya_engine::sense::{Watch, says_unpressed};
use tabiya_engine::table::{
    Audience, Author, Common, Correction, Effect, Entry, Input, Question, Ruling, Table,
};
use tabiya_types::{Board, Color, Instant, Millis, Observation, Seat, Sentence, Square, harmless, say};

use self::adjournment::{Adjournment, moved_instead};
use self::answers::Answers;
use self::arbiter::Illegal;
pub(crate) use self::cards::turns_over;
use self::cards::{CardAction, SessionCards};
use self::consent::WrongCodes;
pub use self::entered::Entered;
pub use self::fault::InputFault;
use self::instruments::Instruments;
use self::ledger::Ledger;
use self::levers::Levers;
use self::presses::Presses;
pub use self::proposing::{ArbiterDecision, Infringement, Proposal, ProposedRuling};
use self::readers::{BuiltInReader, ReaderDevice};
use self::setup::Setup;
use self::sight::BoardSight;
pub use self::speech::Announcement;
use self::speech::Speech;
use self::tell::{Apparatus, tell_absence, tell_lines};
use self::unattended::Attended;
use super::view::{Owner, RecordStatus, SeenAction};
use crate::sleep::Absence;
use tabiya_store::codes::{self, TypedCode};
use tabiya_store::follow::CopyState;
use tabiya_store::journal::JournalError;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::keeper::{Keeper, PgnKeeper, PgnNews};
use tabiya_store::match_key_file::KeyShare;
use tabiya_store::trust::{CONTINUES, Doubt, OPENED_ELSEWHERE};

/// The member of a ruling that says for how many ms the computer slept.
const SLEPT: &str = "x-slept-ms";
/// The member of a ruling that says for how many ms the program was stopped.
const STOPPED: &str = "x-stopped-ms";

/// How often a copy of the record that lags behind is looked at.
const COPY_CHECK: Millis = Millis(1_000);

/// A running match with its record, its devices and its announcements.
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
    /// The players' file of cards, for a game whose cards have effects that people write.
    card_file: Option<CardFile>,
    /// The wrong codes that were typed for each player.
    wrong_codes: WrongCodes,
    levers: Levers,
    attended: Attended,
    /// Whether people were told that the copy of the record cannot be written.
    copy_fails: bool,
    /// Whether it was announced that the record is not signed.
    unsigned: bool,
    /// The name of the file in which the record was kept before it had to go on in another one, until the record says so.
    moved_from: Option<String>,
    /// When the copy of the record was last looked at.
    copy_checked: Instant,
}

impl Session {
    /// Starts a match. `keeping` stores the record and `pgn` stores the PGN file, if they are given.
    pub fn new(header: Header, keeping: Option<Box<dyn Keeper>>, pgn: Option<Box<dyn PgnKeeper>>) -> Self {
        let mut speech = Speech::default();
        let ledger = Ledger::new(header, keeping, pgn, &mut speech);
        let mut session = Self {
            ledger,
            speech,
            answers: Answers::default(),
            setup: Setup::default(),
            presses: Presses::default(),
            illegal: Illegal::default(),
            instruments: Instruments::default(),
            cards: SessionCards::default(),
            card_file: None,
            wrong_codes: WrongCodes::default(),
            levers: Levers::default(),
            attended: Attended::default(),
            copy_fails: false,
            unsigned: false,
            moved_from: None,
            copy_checked: Instant::ZERO,
        };
        // Said before the first line, so that nobody plays on in the belief that the record is signed.
        session.tell_signing();
        session
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
        session.ledger.read(lines)?;
        session.restore_recorded_state(saved);
        session.levers.seats.restore(session.ledger.lines());
        session.levers.carried_on(session.table().clock().turn());
        session.setup.guide();
        session.setup.left(session.watch().seen());
        session.ledger.stopped_at(saved);
        if session.table().time_runs() {
            session.enter(Input::Common(Common::Pause(Author::Arbiter)), session.last_t())?;
        }
        let prompt = session.table().prompt();
        session.speech.say(if session.table().clock().paused() {
            say!(
                "carried-on-paused",
                "the match is carried on after an interruption; the clocks are paused: go on with `resume`"
            )
        } else {
            say!("carried-on", "the match is carried on where it stopped; {prompt}", prompt)
        });
        Ok(session)
    }

    // ---- board and box ----

    /// Handles an event from the board.
    pub fn board(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        if self.instruments.board(event, &mut self.speech) {
            self.setup.guide();
        }
        self.settle_levers(at);
        let turned = self.watch().turned();
        self.levers.follow_board(event, turned, at);
        match event {
            BoardEvent::Observed(Observation::Press(reported)) => self.lever(*reported, at),
            BoardEvent::Observed(observation) => self.observe(observation, at),
            BoardEvent::Identified(_) => self.cards.connected(ReaderDevice::Board, at),
            BoardEvent::ClockTimes(times) => {
                // A press in a gap of the link comes before the times that it has led to.
                self.settle_levers(at);
                self.follow_start(times, at);
                self.take_clock_times(at);
            }
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderDevice::Board, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            _ => {}
        }
        self.settle_levers(at);
    }

    /// Handles an event from the card-reader box beside the board. The box's card readings, clock presses and buttons
    /// are used; squares that the box reports are ignored.
    pub fn beside(&mut self, event: &BoardEvent, at: Instant) {
        let at = at.max(self.last_t());
        self.settle_levers(at);
        self.instruments.beside(event, &mut self.speech);
        match event {
            BoardEvent::Observed(Observation::Press(reported)) => self.lever(*reported, at),
            BoardEvent::Identified(_) => self.cards.connected(ReaderDevice::Box, at),
            BoardEvent::Tag { antenna, tag } => self.tag((ReaderDevice::Box, *antenna), tag, at),
            BoardEvent::ClockButton(ClockButton::Run) => self.start_or_stop(at),
            _ => {}
        }
    }

    /// Handles changed squares. While the clocks are stopped because the record cannot be written, they are kept for
    /// later.
    fn observe(&mut self, observation: &Observation, at: Instant) {
        if self.ledger.stopped() {
            if let Some(told) = self.ledger.outage.keep_for_later(observation) {
                self.speech.say(told);
            }
            return;
        }
        self.notice_touch(observation, at);
        if self.setup.needs_turning(observation) {
            self.ledger.watch.turn_board();
        }
        self.ledger.watch.observe(observation, at);
        self.notice_set_up();
        self.setup.note_position(self.ledger.watch.seen(), at);
        self.absorb(at);
    }

    /// Pauses or resumes the match, because somebody pressed the clock's start/stop button.
    fn start_or_stop(&mut self, at: Instant) {
        let paused = self.table().clock().paused();
        let by = Author::Arbiter;
        let input = if paused { Common::Resume(by) } else { Common::Pause(by) };
        self.enter_or_tell(&Input::Common(input), at);
    }

    fn take_clock_times(&mut self, at: Instant) {
        for input in self.instruments.clock_news(&self.ledger.watch, self.clock_side(), at) {
            self.enter_or_tell(&Input::Common(input), at);
        }
    }

    /// Returns the commands that are due for the board and its clock: lamps, display, clock setting.
    pub fn board_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        let seat = self.clock_side();
        self.instruments.board_orders(&self.ledger.watch, seat, now.max(self.ledger.last_t()))
    }

    /// Returns the commands that are due for the display of the card-reader box beside the board.
    pub fn box_orders(&mut self, now: Instant) -> Vec<BoardCommand> {
        let seat = self.clock_side();
        self.instruments.box_orders(&self.ledger.watch, seat, now.max(self.ledger.last_t()))
    }

    /// Notes that people disconnected the board on purpose; play goes on without it.
    pub fn leave_board(&mut self) {
        self.instruments.leave_board();
    }

    /// The side whose clock press would end the current turn. `None` while no clock runs, or if no connected board can
    /// show what was played.
    pub fn board_press(&self) -> Option<Color> {
        self.sight().board_press()
    }

    fn sight(&self) -> BoardSight<'_> {
        BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone }
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
        let unsigned = self.ledger.unsigned().map(str::to_owned);
        RecordStatus { failing: self.record_fails(), copy: self.copy(), unsigned }
    }

    /// Whether the record cannot be written now.
    pub(crate) fn record_fails(&self) -> bool {
        self.ledger.outage.since().is_some()
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
        self.cards.use_deck(deck);
    }

    /// Replaces the deck in use with its repaired version, in which a new card has taken the place of a damaged card.
    /// The owners of the readers stay the same.
    pub fn mend_deck(&mut self, deck: Deck) {
        self.cards.mend_deck(deck);
    }

    /// Stops using the deck: from now on people type the cards, and dealt cards are not read.
    pub fn put_deck_away(&mut self) {
        self.cards.put_deck_away();
    }

    /// The name of the deck in use, if any.
    pub fn deck(&self) -> Option<&str> {
        self.cards.deck()
    }

    /// The owner of this reader; [`Owner::Nobody`] if no deck is in use or the reader is unknown.
    pub fn owner_of(&self, reader: &ReaderName) -> Owner {
        self.cards.owner_of(reader)
    }

    /// Assigns this reader to a player; `None` assigns it to nobody. An unknown reader is ignored.
    pub fn give_reader(&mut self, reader: &ReaderName, to: Option<Seat>) {
        self.cards.give_reader(reader, to);
    }

    /// Reads cards from now on while they are dealt: each card is laid on a reader on its way to its player. Discards
    /// the cards that were already read in the current street.
    pub fn read_deals(&mut self) {
        if !self.reads_deals() && self.lines().is_empty() {
            self.speech.say(say!(
                "code-hint",
                "the dealt cards are sealed; whoever wants to agree later without a card types `code white` or `code black` and a word before the first deal; with `lock` after it, nobody sees them without the word"
            ));
        }
        self.cards.read_deals();
    }

    /// Whether cards are read while they are dealt.
    pub fn reads_deals(&self) -> bool {
        self.cards.reads_deals()
    }

    /// Whether a card that is laid on a reader at this point counts as dealt, not as turned over.
    pub(crate) fn deals_now(&self) -> bool {
        self.cards.deals_now(self.table())
    }

    /// Handles an event from the card readers.
    pub fn cards(&mut self, event: &CardEvent, at: Instant) {
        let wanted = self.cards.hear(event, at, self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// Handles a change of the tag on a reader that is built into the board or the box.
    fn tag(&mut self, reader: BuiltInReader, news: &TagChange, at: Instant) {
        let wanted = self.cards.tag(reader, news, at, self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// Counts a dealt card that no reader has read; its face stays unknown.
    pub fn dealt_unread(&mut self, at: Instant) {
        let wanted = self.cards.dealt_unread(self.ledger.table(), &mut self.speech);
        self.perform(wanted, at);
    }

    /// Discards the cards that were read in the deal of this street, because the deal was wrong.
    pub fn misdeal(&mut self) {
        self.cards.misdeal(self.ledger.table(), &mut self.speech);
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
                } else if let Err(fault) = self.enter(&input, at) {
                    self.speech.say_to(self.audience_of(&fault), fault.sentence());
                }
            }
        }
    }

    /// Records a ruling by which the arbiter opens the sealed cards of a game, to view them himself. The cards can
    /// then be read with the record's file and its key. Without a number, the ruling opens the last game whose dealt
    /// cards are in the record.
    pub fn open_sealed(&mut self, game: Option<u64>, reason: &str, at: Instant) {
        let sealed = sealed_games(self.table(), self.lines());
        let game = game.or(sealed.last().copied()).filter(|game| sealed.contains(game));
        let Some(game) = game else {
            let nothing = say!("open-nothing", "the record has no sealed cards that match this request");
            self.speech.say_restricted(self.ledger.table(), nothing);
            return;
        };
        match self.rule_with(Ruling::because(reason), (OPENS, game.into()), at) {
            Ok(()) => self.release_for_arbiter(game),
            Err(fault) => self.speech.say_to(self.audience_of(&fault), fault.sentence()),
        }
    }

    /// Unlocks the key to the sealed cards for the arbiter, who has ruled so, and says how he sees them.
    fn release_for_arbiter(&mut self, game: u64) {
        if !self.release_cards() {
            return;
        }
        let told = say!(
            "cards-opened",
            "the arbiter may view the sealed cards of game {game}: run `tabiya hands` with the record's file on a screen that no player can see",
            game
        );
        self.speech.say_to(Audience::Arbiter, told);
    }

    /// Records the code with which the player of this colour can agree later that sealed cards are shown. The player
    /// chooses it once in a match, before the first cards are dealt.
    pub fn choose_code(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        self.record_code(by, code, at).map(|_| ())
    }

    /// The same, and locks the key to the sealed cards with the code: after a restart nobody opens them without it, not even the
    /// arbiter.
    pub fn lock_with_code(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        let share = self.record_code(by, code, at)?;
        if let Err(error) = self.ledger.lock(self.table().seat_of(by), share) {
            let error = error.to_string();
            self.speech.say(say!(
                "code-locks-nothing",
                "the code counts for {by}'s consent, but it does not lock the cards: {error}",
                by,
                error
            ));
        }
        Ok(())
    }

    /// Records the code that the player of this colour has chosen, and returns his share of the key.
    fn record_code(&mut self, by: Color, code: &str, at: Instant) -> Result<KeyShare, InputFault> {
        let seat = self.table().seat_of(by);
        let dealt = dealing::was_ever_dealt(self.lines());
        let refused = if dealt {
            Some(say!("code-late", "a code is chosen before the first cards of a match are dealt"))
        } else if codes::has_code(seat, self.lines()) {
            Some(say!("code-chosen", "{by} has chosen a code already", by))
        } else if !(codes::SHORTEST..=codes::LONGEST).contains(&code.chars().count()) {
            let (least, most) = (codes::SHORTEST, codes::LONGEST);
            Some(say!("code-length", "a code has {least} to {most} characters", least, most))
        } else {
            None
        };
        if let Some(refused) = refused {
            return Err(InputFault::NoConsent(refused));
        }
        let chosen = codes::choose(seat, code).map_err(InputFault::NoConsent)?;
        let ruling = Ruling::because(format!("{by} has chosen a code"));
        self.accept(&Entry::with_own(ruling, chosen.members), at)?;
        Ok(chosen.share)
    }

    /// Enters a ruling whose line has this extension field.
    fn rule_with(
        &mut self,
        ruling: Ruling,
        (name, value): (&str, Datum),
        at: Instant,
    ) -> Result<(), InputFault> {
        self.accept(&Entry::with_own(ruling, Group::new().with(name, value)), at)
    }

    /// Enters the consent of the player of this colour, who types the code that he has chosen.
    pub fn consent_with(&mut self, by: Color, code: &str, at: Instant) -> Result<(), InputFault> {
        let seat = self.table().seat_of(by);
        if let Some(wait) = self.wrong_codes.wait(seat, at) {
            return Err(InputFault::NoConsent(say!(
                "code-waits",
                "too many wrong codes were typed for {by}: the next one can be typed in {wait}",
                by,
                wait = wait.to_string()
            )));
        }
        match codes::check(seat, code, self.replay().header(), self.lines()) {
            TypedCode::Right(share) => self.ledger.give_share(seat, share),
            TypedCode::RightOld => {}
            TypedCode::Wrong => {
                self.wrong_codes.count(seat, at);
                return Err(InputFault::NoConsent(say!(
                    "code-wrong",
                    "this is not the code that {by} has chosen",
                    by
                )));
            }
        }
        if self.table().consented(seat) {
            if may_be_open(self.replay().table()) {
                self.release_cards();
            }
            return Ok(());
        }
        self.accept(&Common::Consent(by).into(), at)
    }

    /// Unlocks the key to the sealed cards, now that they may be shown. Without the codes of those who have locked it, it stays
    /// locked, and that is said. Returns whether it is unlocked.
    fn release_cards(&mut self) -> bool {
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

    /// If cards of this match are or will be sealed, a consent needs a sign that it is the player's own: `Err` says which. A deal that
    /// was taken back counts too, because its cards would be shown as well.
    fn check_consent(&mut self, by: Color) -> Result<(), InputFault> {
        let seat = self.table().seat_of(by);
        let has_code = codes::has_code(seat, self.lines());
        let sealed = self.reads_deals() || has_code || dealing::has_hidden_cards(self.lines());
        if self.table().consented(seat) || !sealed {
            return Ok(());
        }
        let (word, lays) = (by.word().to_owned(), self.cards.await_own_card(by, self.ledger.table()));
        Err(InputFault::NoConsent(match (lays, has_code) {
            (true, true) => say!(
                "consent-card-or-code",
                "{by} shows that he agrees: lay a card that was dealt to {by} in the last game on a reader now, or type `consent {word}` and the code after it",
                by,
                word
            ),
            (true, false) => say!(
                "consent-card",
                "{by} shows that he agrees: lay a card that was dealt to {by} in the last game on a reader now",
                by
            ),
            (false, true) => say!(
                "consent-code",
                "{by} shows that he agrees: type `consent {word}` and the code after it that {by} has chosen",
                by,
                word
            ),
            (false, false) => say!(
                "consent-not-now",
                "{by} has chosen no code, so he agrees with one of his cards: after the match, over a reader, in the program that saw them dealt; the arbiter can open the cards with `open` and a reason",
                by
            ),
        }))
    }

    /// Announces what is doubtful about a record that is carried on: why dealt cards stay sealed, and why it is perhaps not the
    /// one that the table wrote. Does nothing for `None`.
    pub fn tell_doubts(&mut self, closed: Option<&KeyError>, doubt: Option<&Doubt>, remarks: Vec<Sentence>) {
        cards::tell_closed(closed, &mut self.speech);
        if let Some(why) = doubt {
            let why = why.to_string();
            self.speech.alert(
                Audience::Arbiter,
                say!(
                    "record-doubtful",
                    "the record {why}; the match is carried on, but nothing of it is signed: check it with `tabiya verify`, then say why it is the right one with `vouch` and a reason",
                    why
                ),
            );
        }
        for remark in &remarks {
            self.speech.alert(Audience::Arbiter, remark.clone());
        }
        self.ledger.tell_on_sheet(remarks.into_iter().filter(|remark| remark.id() == OPENED_ELSEWHERE));
        self.ledger.sign();
    }

    /// Records the arbiter's ruling that this record, whose earlier lines are in doubt, is the right one. From its line on the
    /// table signs the record again.
    pub fn vouch(&mut self, reason: &str, at: Instant) {
        if !self.ledger.is_doubted() {
            let nothing =
                say!("vouch-nothing", "nothing in this record is in doubt, so nobody has to vouch for it");
            self.speech.say_to(Audience::Arbiter, nothing);
            return;
        }
        let told = match self.rule_to_vouch(reason, at.max(self.last_t())) {
            Ok(()) => match self.ledger.vouch() {
                Ok(from) => say!("vouched", "the record is signed again, from line {from} on", from),
                Err(error) => InputFault::NotWritten(error).sentence(),
            },
            Err(fault) => fault.sentence(),
        };
        self.unsigned = self.ledger.unsigned().is_some();
        self.speech.say_to(Audience::Arbiter, told);
    }

    /// Enters the ruling that vouches. It names its own line, so what was due before it is written first.
    fn rule_to_vouch(&mut self, reason: &str, at: Instant) -> Result<(), InputFault> {
        self.reach(at)?;
        let number = self.ledger.next_number();
        self.rule_with(Ruling::because(reason), (SIGNED_FROM, number.into()), at)
    }

    // ---- what people enter ----

    /// Enters an input from a person, and says which lines of the record it became. On `Err` the input was not accepted. A consent
    /// that needs the player's own card is not accepted yet; the card is awaited then. An entry whose id is on a line already
    /// changes nothing, and becomes that line again.
    pub fn enter(&mut self, entry: impl Into<Entry>, at: Instant) -> Result<Entered, InputFault> {
        let entry = entry.into();
        if let Some(known) = entry.note.id.as_deref().and_then(|id| self.replay().place_of(id)) {
            return Ok(Entered { lines: known..known + 1, own: Some(known) });
        }
        if let Input::Common(Common::Consent(by)) = &entry.input {
            self.check_consent(*by)?;
        }
        let before = self.lines().len();
        self.accept(&entry, at)?;
        Ok(Entered::of(&entry, self.lines(), before))
    }

    fn accept(&mut self, entry: &Entry, at: Instant) -> Result<(), InputFault> {
        let (at, input) = (at.max(self.last_t()), &entry.input);
        if self.is_sealed_by(input) {
            self.reach(at)?;
            if self.is_sealed_by(input) {
                return self.seal(at);
            }
        }
        match self.refused_by_adjournment(input) {
            Some(refused) => Err(InputFault::Guideline(refused)),
            None => self.act(entry, at),
        }
    }

    /// Lets time pass up to `at`: if a flag has fallen by then, that is in the record.
    fn reach(&mut self, at: Instant) -> Result<(), InputFault> {
        self.recover(at)?;
        self.ledger.watch.time(at);
        self.try_absorb(at)
    }

    /// Enters an input that no adjournment refuses.
    fn act(&mut self, entry: &Entry, at: Instant) -> Result<(), InputFault> {
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

    /// Enters an input that comes from a device, not from a person. Announces a failure instead of returning it.
    fn enter_or_tell(&mut self, input: &Input, at: Instant) {
        if let Err(fault) = self.accept(&input.into(), at) {
            self.tell_failure(&fault);
        }
    }

    /// Returns a warning if one of these inputs starts or resumes play while the board is set up wrongly. A warning is
    /// given only once: if people enter the input again, it is accepted.
    pub fn warning_before_play(&mut self, inputs: &[Input]) -> Option<Sentence> {
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        self.setup.warning_before_play(inputs, sight)
    }

    /// Returns a clock press by the side `by` as an input. If `by` is `None`, the press is by the side that may press
    /// now. The result is `None` if the press would have no effect: the record contains no presses without effect.
    pub fn press_of(&self, by: Option<Color>) -> Option<Input> {
        self.sight().presser(by).map(|by| Input::Common(Common::Press(by)))
    }

    /// The open question to people, if there is one. A question that was answered with `no` is not asked again.
    pub fn question(&self) -> Option<&Question> {
        self.answers.question(&self.ledger.watch)
    }

    /// Answers `no` to the open question. Returns whether a question was open.
    pub fn no(&mut self) -> bool {
        self.answers.no(&self.ledger.watch)
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
        self.recover(at)?;
        if number <= self.choices() {
            self.ledger.watch.choose(number, at);
        }
        self.try_absorb(at)
    }

    /// What the Laws propose for the last illegal move; `None` once the arbiter has ruled or let it be.
    pub fn proposal(&self) -> Option<&Proposal> {
        // Whether a fallen flag decides the game is asked after its end.
        let over = self.table().game().outcome().is_some();
        self.illegal.proposal().filter(|proposal| (proposal.of == Infringement::DoubtfulFlag) == over)
    }

    /// Drops the proposal: the arbiter lets it be, and an illegal move that he does not confirm does not count. Returns whether
    /// there was a proposal.
    pub fn drop_proposal(&mut self) -> bool {
        self.illegal.drop_proposal()
    }

    /// The arbiter corrects the number of this side's illegal moves in the current game; a ruling keeps the reason.
    pub fn correct_illegal(
        &mut self,
        by: Color,
        count: u32,
        reason: &str,
        at: Instant,
    ) -> Result<(), InputFault> {
        self.illegal.set_count(by, count);
        self.enter(Ruling::because(reason), at)?;
        let told = say!("illegal-moves-now", "illegal moves of {by} in this game: {count}", by, count);
        self.speech.say_to(Audience::Arbiter, told);
        Ok(())
    }

    /// Counts an illegal move by this side as the Laws of Chess require, and announces it to the arbiter. `pawn` is where it
    /// has left a pawn on the last rank.
    fn count_illegal(&mut self, by: Color, pawn: Option<Square>, at: Instant) {
        let Some(told) = self.illegal.count(by, pawn, self.ledger.table()) else { return };
        self.speech.say_to(Audience::Arbiter, told);
        // A `tick` line is written now, so that the mark of the illegal move is durable at once. There is one
        // exception: while a clock press waits for an explanation, no line may advance the clock. In that case the mark
        // is written later, with the next evidence from the board.
        if self.ledger.watch.enter(Input::Common(Common::Tick), at).is_ok() {
            self.absorb(at);
        }
    }

    // ---- time ----

    /// Advances time to `now`, and does everything that is due.
    pub fn time(&mut self, now: Instant) {
        let now = now.max(self.last_t());
        self.instruments.woken(now);
        if !self.try_again(now) {
            return;
        }
        self.ledger.watch.time(now);
        self.absorb(now);
        self.settle_levers(now);
        if let Err(moved) = self.ledger.beat(now) {
            let fault = self.write_failed(moved, now);
            self.tell_failure(&fault);
        }
        self.name_old_file(now);
        if let Some(failed) = self.ledger.renew_late_pgn(now) {
            self.speech.say(failed);
        }
        self.tell_copy(now);
        self.tell_signing();
        let sight = BoardSight { watch: &self.ledger.watch, gone: self.instruments.gone };
        if let Some(complaint) = self.presses.complain(now, sight) {
            // Perhaps the clock stands the other way round: then the press is another player's.
            let doubted = self.levers.seats.in_doubt();
            if let Some(by) = complaint.by.filter(|_| !doubted) {
                self.count_illegal(by, complaint.pawn, now);
            }
            self.speech.say_restricted(self.ledger.table(), complaint.text);
            if doubted {
                self.speech.say_restricted(self.ledger.table(), levers::unsure());
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

    /// Handles the end of a time in which the program did nothing. Its length `span` is charged to no clock. If a clock
    /// was running, a ruling records it, with `x-slept-ms` or `x-stopped-ms`, and the clocks are paused. The arbiter is
    /// informed whose clock was running, so that he can charge the time.
    pub fn absent(&mut self, absence: Absence, span: Millis, now: Instant) {
        let now = now.max(self.last_t());
        if !self.table().time_runs() {
            return;
        }
        let before = self.table().clone();
        let (reason, mark) = match absence {
            Absence::Slept => (format!("the computer slept for {span}"), SLEPT),
            Absence::Stopped => (format!("Tabiya was stopped for {span}"), STOPPED),
        };
        let ruling = Ruling { reason, ..Ruling::default() };
        let ruled = self.rule_with(ruling, (mark, span.0.into()), now);
        match ruled.and_then(|()| self.accept(&Common::Pause(Author::Arbiter).into(), now)) {
            Ok(()) => {
                tell_absence(absence, &before, span, now, &mut self.speech);
                self.interrupted();
            }
            Err(fault) => self.tell_failure(&fault),
        }
    }

    /// Advances time to `until`, from one deadline to the next. The current time is not saved at regular intervals on
    /// the way. So the duration of this call depends on the number of deadlines, not on the length of the span.
    pub fn pass(&mut self, until: Instant) {
        while let Some(due) = self.ledger.delayed_by_outage(self.due(false)).filter(|due| *due <= until) {
            self.time(due);
        }
        self.time(until);
    }

    /// The next time at which something is due, if any.
    pub fn deadline(&self) -> Option<Instant> {
        self.ledger.delayed_by_outage(self.due(true))
    }

    /// The next time at which something is due, as if no outage of the record delayed it. If `saving` is true,
    /// heartbeats and a late PGN count as well. A heartbeat only saves the current time, for a restart after a crash.
    fn due(&self, saving: bool) -> Option<Instant> {
        let complaint = self.presses.due(self.table().terms().settle);
        let heartbeat = self.ledger.heartbeat_due().filter(|_| saving);
        let setup = self.setup.due(self.sight());
        let lags = self.copy().filter(|copy| copy.behind > 0 || copy.trouble.is_some() || self.copy_fails);
        let copy = lags.map(|_| self.copy_checked + COPY_CHECK);
        let pgn = self.ledger.pgn_due().filter(|_| saving);
        let reads = !self.table().clock().paused() && !self.instruments.gone;
        let levers = self.levers.due(self.table().terms().settle, reads);
        let all = [
            self.watch().deadline(),
            levers,
            complaint,
            self.illegal.default_due(self.table()),
            heartbeat,
            setup,
            self.instruments.wakes(),
            copy,
            pgn,
        ];
        all.into_iter().flatten().min()
    }

    /// The time for which the clocks must be read. This is `now`, except while the clocks are stopped because the
    /// record cannot be written: then it is the time of the failure.
    pub fn moment_shown(&self, now: Instant) -> Instant {
        self.ledger.moment_shown(now)
    }

    /// Ends the input: the position on the board counts as final. Returns a violation for each clock press that was
    /// never explained.
    pub fn finish(&mut self, now: Instant) -> Vec<Violation> {
        self.finish_levers(now);
        let waits = self.ledger.watch.finish(now.max(self.ledger.last_t()));
        self.absorb(self.last_t());
        waits.into_iter().map(|wait| wait.violation).collect()
    }

    /// Prepares the match for the moment when people leave. If a clock runs, writes a pause, so that the time used
    /// until now still counts when the match is carried on. (After a crash, the time that was saved last counts
    /// instead.)
    pub fn leave(&mut self, now: Instant) -> Result<(), InputFault> {
        if self.table().time_runs() {
            self.accept(&Common::Pause(Author::Arbiter).into(), now)
        } else {
            Ok(())
        }
    }

    /// The file in which the record goes on, because its own file was removed or replaced; `None` if it was not.
    pub fn record_moved(&self) -> Option<&Path> {
        self.ledger.moved()
    }

    /// How far the copy of the record in another folder has come; `None` if there is none.
    pub fn copy(&self) -> Option<CopyState> {
        self.ledger.copy()
    }

    /// Says in the record that it goes on in this file, and in which one it was kept before.
    fn name_old_file(&mut self, now: Instant) {
        let Some(old) = self.moved_from.take_if(|_| self.ledger.outage.since().is_none()) else { return };
        let reason = format!("the record goes on here; before, it was kept in {old}");
        let said = self.rule_with(Ruling::because(reason), (CONTINUES, Datum::Text(old.clone())), now);
        if let Err(fault) = said {
            self.moved_from = Some(old);
            self.tell_failure(&fault);
        }
    }

    /// Announces that the copy of the record cannot be written, and that it can be written again.
    fn tell_copy(&mut self, now: Instant) {
        let Some(CopyState { folder, trouble, .. }) = self.copy() else { return };
        self.copy_checked = now;
        if trouble.is_some() != self.copy_fails {
            self.copy_fails = trouble.is_some();
            let folder = tabiya_types::shown(&folder);
            self.speech.say(match trouble {
                Some(error) => say!(
                    "copy-fails",
                    "the copy of the record in {folder} cannot be written: {error}; the match goes on, and Tabiya tries again",
                    folder,
                    error
                ),
                None => say!("copy-again", "the copy of the record in {folder} is written again", folder),
            });
        }
    }

    /// Announces that the record's heads cannot be signed, and that they can be signed again.
    fn tell_signing(&mut self) {
        let trouble = self.ledger.unsigned().map(str::to_owned);
        if trouble.is_some() != self.unsigned {
            self.unsigned = trouble.is_some();
            match trouble {
                Some(error) => self.speech.alert(
                    Audience::Players,
                    say!(
                        "signing-fails",
                        "the record is written but not signed: {error}; the match goes on",
                        error
                    ),
                ),
                None => self.speech.say(say!("signing-again", "the record is signed again")),
            }
        }
    }

    /// Closes the record, and merges its write-ahead log into its file.
    pub fn close(self) -> Result<(), JournalError> {
        self.ledger.close()
    }

    // ---- what goes out ----

    /// Writes the lines that the watch has newly produced, then announces them. A failed write is announced, too.
    fn absorb(&mut self, at: Instant) {
        if let Err(fault) = self.try_absorb(at) {
            self.tell_failure(&fault);
        }
    }

    fn try_absorb(&mut self, at: Instant) -> Result<(), InputFault> {
        let Some(mut understood) = self.ledger.understood() else {
            self.say_remarks();
            self.settle(at);
            return Ok(());
        };
        let turned = self.watch().turned();
        understood.add_to_first(self.illegal.own());
        understood.add_to_first(self.levers.seats.own(turned));
        self.illegal.mark_penalty(&mut understood.lines);
        if let Err(error) = self.ledger.make_durable(&mut understood.lines) {
            return Err(self.write_failed(error, at));
        }
        self.illegal.marked();
        self.levers.seats.marked(turned);
        self.report_recovery(at);
        // A board that is right already is not to be set back.
        let to_set = self.sight().is_there() && self.watch().trouble().is_some();
        let beside = Apparatus { board: to_set, levers: self.levers.used };
        tell_lines(&understood, self.ledger.replay().table(), beside, &mut self.speech);
        let sealing = Adjournment::of(self.replay().table(), self.lines()).and_then(|stage| stage.sealing());
        for (line, effects, after) in understood.iter() {
            if let Some(told) = sealing.and_then(|by| moved_instead(by, line)) {
                self.speech.say_restricted(after, told);
            }
            let told = self.illegal.follow(&line.body).or_else(|| arbiter::claimable(&line.body, after));
            if let Some(told) = told {
                self.speech.say_to(Audience::Arbiter, told);
            }
            let next = matches!(&line.body, Body::Acted(Input::Common(Common::Next(_))));
            if next {
                self.illegal.next_game();
                self.setup.next_game();
                self.levers.seats.next_game();
            }
            if next || effects.iter().any(|effect| matches!(effect, Effect::SetBack)) {
                self.setup.guide();
            }
        }
        self.say_remarks();
        self.tell_wrong_start(&understood.lines);
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
        if over && let Some(asked) = self.illegal.doubtful_flag(self.ledger.table()) {
            self.speech.alert(self.table().audience_of_faults(), asked);
        }
        if !was_open && may_be_open(self.replay().table()) {
            self.release_cards();
        }
        if let Some(line) = self.replay().opened().filter(|_| was_open && !may_be_open(self.replay().table()))
        {
            self.speech.say(say!(
                "opened-before",
                "the sealed cards could be seen; this stays in the record, on line {line}",
                line
            ));
        }
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
        self.instruments.warn_missing_clock(self.ledger.table(), &mut self.speech);
        Ok(())
    }

    /// Says what was understood against the odds. While it is open whose presses were seen, nobody is said to have forgotten one.
    fn say_remarks(&mut self) {
        let doubted = self.levers.seats.in_doubt();
        let forgotten = |remark: &Sentence| doubted && says_unpressed(remark);
        for remark in self.ledger.watch.take_remarks().into_iter().filter(|remark| !forgotten(remark)) {
            self.speech.say_restricted(self.ledger.table(), remark);
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

    // ---- when the record cannot be written ----

    /// Restores the state that follows from the durable lines alone. Lines that were not written are dropped.
    fn restore_recorded_state(&mut self, now: Instant) {
        self.ledger.restore_recorded_state(now);
        self.illegal.count_again(self.ledger.lines());
        self.presses.recall(arbiter::press_was_counted(self.ledger.lines()));
        self.presses.follow(&self.ledger.watch, self.ledger.last_t());
    }

    /// Handles a failed write: restores the durable state. If only the sealing of cards failed, the record itself
    /// still works; any other error begins an outage.
    fn write_failed(&mut self, error: JournalError, at: Instant) -> InputFault {
        let error = match error {
            JournalError::Overwritten { path } => self.ledger.rescue(path),
            error => error,
        };
        if let JournalError::Moved { path, .. } = &error {
            self.moved_from = path.file_name().map(|name| harmless(&name.to_string_lossy()));
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
    fn recover(&mut self, at: Instant) -> Result<(), InputFault> {
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
    fn try_again(&mut self, now: Instant) -> bool {
        if self.ledger.outage.retry_at().is_some_and(|again| now < again) {
            return false;
        }
        self.recover(now).map_err(|fault| self.tell_failure(&fault)).is_ok()
    }

    /// Announces a failure, unless the same failure was the last one announced in this outage.
    fn tell_failure(&mut self, fault: &InputFault) {
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

    // ---- what there is to see ----

    /// The audience for the message that an input was not accepted. At events, only the arbiter is informed about a
    /// broken rule; everybody is informed about a failed write.
    pub fn audience_of(&self, fault: &InputFault) -> Audience {
        match fault {
            InputFault::Refused(_) => self.table().audience_of_faults(),
            InputFault::NotWritten(_)
            | InputFault::NotSealed(_)
            | InputFault::NoConsent(_)
            | InputFault::Guideline(_) => Audience::Players,
        }
    }

    /// Removes and returns the announcements that were made since the last call.
    pub fn take_said(&mut self) -> Vec<Announcement> {
        self.speech.take(self.ledger.table())
    }

    /// The table: the current state of the match.
    pub fn table(&self) -> &Table {
        self.ledger.table()
    }

    /// The watch, which interprets the board for the table.
    pub fn watch(&self) -> &Watch {
        &self.ledger.watch
    }

    /// The replay of the record: the state that follows from the lines so far.
    pub fn replay(&self) -> &Replay {
        self.ledger.replay()
    }

    /// The earlier states of the match, for looking back.
    pub(crate) fn past(&self) -> &Past {
        self.ledger.past()
    }

    /// The lines of the record so far.
    pub fn lines(&self) -> &[Line] {
        self.ledger.lines()
    }

    /// The latest known time of the match: the latest time in the record, or the time that was saved separately before
    /// a restart, whichever is later.
    pub fn last_t(&self) -> Instant {
        self.ledger.last_t()
    }

    /// Signs the record as it is now, and passes its head and the signature to `show`.
    pub fn signed<T>(&mut self, show: impl FnOnce(&Self, Proof<'_>) -> T) -> T {
        self.ledger.sign();
        let head = self.head();
        show(self, self.ledger.proof(head.as_deref()))
    }

    /// The place in the record of the last line that acts, which is any but `sees`, `button` and `tick`; 0 for the header.
    pub fn last_act(&self) -> u64 {
        let acts =
            |line: &Line| matches!(&line.body, Body::Acted(input) if *input != Input::Common(Common::Tick));
        self.lines().iter().rposition(acts).map_or(0, |nth| nth as u64 + 1)
    }

    /// The hash of the line at this place; `None` if there is no such line, or no record is kept. The record is read for it.
    pub fn head_at(&self, place: u64) -> Option<String> {
        self.ledger.head_at(place)
    }

    /// The hash of the record's last line, as 64 hex digits; `None` if no record is kept.
    pub fn head(&self) -> Option<String> {
        self.ledger.head()
    }
}

/// Whether the record is signed at once after this line, as after each result: what seals or opens cards, and a ruling.
fn is_to_be_signed(line: &Line) -> bool {
    let Body::Acted(Input::Common(common)) = &line.body else { return line.is_sealed() };
    matches!(common, Common::Rule(_) | Common::Consent(_) | Common::EndMatch { .. })
}
