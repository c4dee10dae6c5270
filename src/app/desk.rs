//! The desk: takes requests ([`Wish`]es) from a front end (window or terminal) and provides [`Snapshot`]s for the
//! front end to draw.
//!
//! The desk owns the match being played and the files: the evening's record, settings, decks, exports. Each call to
//! the desk carries the current time, because the desk reads no clock. The desk uses no device itself: it queues
//! [`DeskOrder`]s, which the loop in `desk/run.rs` carries out. Tests use this same type in simulated time.

mod alerting;
mod boards;
mod book;
mod cards;
mod chances;
mod deck_wishes;
mod demonstration;
mod devices;
mod draft;
mod environment;
mod export;
mod files;
mod finding;
mod front;
mod hall;
mod house;
mod keypads;
mod lasting;
pub mod laws;
mod looking;
mod ordering;
mod pending;
mod preferences;
mod records;
mod reporting;
mod run;
mod running;
mod shown;
mod simulator;
mod single;
mod sitting;
mod table;
mod talk;
#[cfg(test)]
mod tests;
mod wish;
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_boards::BoardEvent;
use tabiya_cards::CardEvent;
use tabiya_cards::deck::Deck;
use tabiya_engine::record::{Header, Past};
use tabiya_engine::table::{Entry, Input};
use tabiya_text::Words;
use tabiya_types::{Color, Instant, Millis, Sentence};

pub use self::boards::{DeskOrder, MakerChoice, ReportRequest, SimulatedMove, makers, upright};
use self::book::Book;
use self::cards::DeskCards;
use self::chances::Chances;
use self::demonstration::Demonstration;
pub use self::draft::{NewMatch, Position, check_deck, packs_of, turns_cards_over};
pub use self::environment::{Environment, RandomSource};
pub use self::export::{Format, match_sheet};
use self::files::with_ending;
pub use self::front::{Front, Latest, News};
pub use self::hall::{HallReport, MatchReport};
use self::house::House;
use self::keypads::DeskKeypads;
pub use self::keypads::KeypadWish;
use self::looking::Viewing;
pub use self::ordering::{OrderAnswer, OrderSight, OrderedAct, RefusedOrder, TableOrder};
use self::preferences::Preferences;
use self::records::DeskRecords;
pub use self::run::{Inbox, KeypadReply, Loop, LoopError};
pub use self::running::{Preparation, Running, start};
pub use self::single::{SingleTable, TableEnd};
use self::sitting::{DeskRequest, LaidDown, Sitting};
use self::table::TableSide;
use self::talk::Talk;
pub(crate) use self::talk::plain;
pub use self::wish::{BoardWish, CardWish, Paper, Wish};
use super::session::{Entered, Infringement, InputFault, Session};
use super::sleep::Absence;
use super::snapshot::{FoundBoard, Notice, SimulatedView, Snapshot};
use crate::deals;
use crate::seating::{EventPlace, Keeping, Seated};
use tabiya_boards::capture::Capture;
use tabiya_store::decks::Decks;

/// How many of the last actions are listed, for people who take some back.
const LISTED: usize = 8;

/// The desk: the match being played, with the evening's record, the other files and the settings. A window or a
/// terminal is the desk's front end.
#[derive(Debug)]
pub struct Desk {
    house: House,
    /// The match being played, with its devices and cards.
    table: TableSide,
    /// The players' own keys.
    keypads: DeskKeypads,
    viewing: Viewing,
    chances: Chances,
    closing: bool,
    /// Whether the snapshots list the last actions of the game.
    lists_actions: bool,
    /// The game that plays itself, while it is at the table.
    demonstration: Option<Demonstration>,
    /// True until the first wish arrives. Until then, nobody has seen the list of unfinished matches.
    fresh: bool,
    /// A counter that increases when the desk changes something that screens show.
    version: u64,
}

impl Desk {
    /// Opens a desk without a match. `record` is the evening's file; with `None`, the file is named after today's
    /// date.
    pub fn new(around: Environment, record: Option<PathBuf>) -> Self {
        let (preferences, trouble) = Preferences::open(&around.settings, &around.locale);
        let date: String = (around.date)().unwrap_or_default().chars().take(10).collect();
        let book = Book::new(around.evenings.clone(), record, &date);
        let mut desk = Self::over(around, preferences, Some(book));
        if let Some(trouble) = trouble {
            desk.table.talk.notice(Instant::ZERO, Err(trouble));
        }
        desk
    }

    /// Opens a desk for this match only. The desk saves no settings and reads no other records.
    pub fn for_table(around: Environment, seated: SingleTable) -> Self {
        let SingleTable { session, at, record, deck, read_deals, next } = seated;
        let mut desk = Self::over(around, Preferences::default(), None);
        desk.house.records.go_on_in(record.clone().zip(next));
        desk.sit(session, deck, (record, at), Instant::ZERO);
        if let Some(sitting) = desk.table.sitting.as_mut().filter(|_| read_deals) {
            sitting.session.read_deals();
        }
        desk.table.follow_readers();
        // Fetches the session's first announcements. Later, this happens after each wish.
        desk.table.hear(Instant::ZERO);
        desk
    }

    fn over(environment: Environment, preferences: Preferences, book: Option<Book>) -> Self {
        let cards = DeskCards::new(Decks::beside_records(&environment.evenings));
        Self {
            house: House::new(environment, preferences, book),
            table: TableSide::new(cards),
            keypads: DeskKeypads::default(),
            viewing: Viewing::default(),
            chances: Chances::default(),
            closing: false,
            lists_actions: false,
            demonstration: None,
            fresh: true,
            version: 0,
        }
    }

    /// Plays the matches of this desk at this place of an event from now on.
    pub fn join_event(&mut self, place: EventPlace) {
        self.house.event = Some(place);
        self.version += 1;
    }

    /// Reads the record files: this evening's matches, and the unfinished matches that can be carried on. Only the
    /// loop calls this function, because a screen must not wait for a slow disk.
    pub fn look(&mut self) {
        if self.house.records.has_book() {
            self.house.records.read();
            self.table.cards.list();
        }
        self.version += 1;
    }

    // ---- what comes in ----

    /// Carries out a wish, which is a request from people.
    pub fn wish(&mut self, wish: Wish, now: Instant) {
        self.version += 1;
        let fresh = std::mem::take(&mut self.fresh);
        if wish.is_play() {
            self.demonstration.as_mut().map(Demonstration::stop);
        }
        self.grant(wish, fresh, now);
        self.table.follow_readers();
        self.follow_keypads();
        self.table.hear(now);
        self.table.watch_board(now);
    }

    fn grant(&mut self, wish: Wish, fresh: bool, now: Instant) {
        match wish {
            Wish::Demonstrate => self.demonstrate(now),
            Wish::Begin(new) => self.begin_first(&new, fresh, now),
            Wish::Toss => self.draw(Chances::toss, now),
            Wish::Shuffle => self.draw(Chances::shuffle, now),
            Wish::DrawPosition => self.draw(Chances::draw_position, now),
            Wish::Throw(by) => self.throw(by, now),
            Wish::Learn(seat, on) => self.table.at_table(|sitting, _| sitting.learners[seat] = on),
            Wish::CarryOn { path, id, deck, pgn } => {
                self.carry_on_or_tell((path, id), deck.as_deref(), pgn, now);
            }
            Wish::TakeOld(path) => self.house.records.take_old(path),
            Wish::Speak(language) => self.house.preferences.speak(language),
            Wish::ClockSide(side) => self.house.preferences.put_clock(side),
            Wish::Copy(folder) => self.house.preferences.copy_into(folder),
            Wish::Leave => self.leave_asked(now),
            Wish::Close => self.close_asked(),
            Wish::TakeBack(count) => self.table.at_table(|sitting, talk| sitting.take_back(count, now, talk)),
            Wish::Do(inputs) => self.table.at_table(|sitting, talk| sitting.enter_said(inputs, now, talk)),
            Wish::DoIfSure(input) => self.table.at_table(|sitting, talk| sitting.enter_if_sure(input, talk)),
            Wish::ListActions(on) => self.lists_actions = on,
            Wish::Decide { by, of, choice } => self.decide((by, of), choice, now),
            Wish::DropProposal { by, of } => {
                self.table.at_table(|sitting, talk| sitting.drop_proposal((by, of), talk));
            }
            Wish::Correct { at, piece, on, reason } => {
                self.table.at_table(|sitting, talk| sitting.correct((&at, piece, &on), reason, now, talk));
            }
            Wish::Count(chips) => self.table.at_table(|sitting, talk| sitting.count(chips, talk)),
            Wish::Press(by) => self.table.at_table(|sitting, talk| sitting.press(by, now, talk)),
            Wish::Gain { by, gain, reason } => {
                self.table.at_table(|sitting, talk| sitting.give(by, gain, &reason, now, talk));
            }
            Wish::Typed(text) => self.typed(&text, &text, now),
            Wish::TypedIn { typed, meant } => self.typed(&meant, &typed, now),
            Wish::Yes if self.answer_about_keypad(true, now) => {}
            Wish::Yes => self.answered(now, |sitting, talk| sitting.yes(now, talk)),
            Wish::No if self.answer_about_keypad(false, now) => {}
            Wish::No => self.table.at_table(Sitting::no),
            Wish::Lapse => self.table.at_table(Sitting::lapse),
            Wish::Explanation(number) => {
                self.answered(now, |sitting, talk| sitting.answer(number, now, talk));
            }
            Wish::LookBack(line) => self.viewing.look_back(line, self.table.session()),
            Wish::LookAt { path, id } => self.look_at(&path, id, now),
            Wish::OpenRecord(path) => self.open_record(&path, now),
            Wish::StopViewing => self.viewing.stop(),
            Wish::Replace(path) => self.house.files.replace(&path),
            Wish::Report(path) => reporting::ask(&path, &mut self.table.boards),
            Wish::Export(format, path) => self.export(format, &path, now),
            Wish::Results(path) => self.save_results(&path, now),
            Wish::SaveText(text, path) => self.house.save((&path, "txt"), &text, &mut self.table, now),
            Wish::Print(text) => self.table.boards.order(DeskOrder::Print(text)),
            Wish::PrintMatch => self.print_match(now),
            Wish::OpenFolder(path) => self.table.boards.order(DeskOrder::OpenFolder(path)),
            Wish::UseCards(path) => self.house.use_cards(path.as_deref(), &mut self.table, now),
            Wish::KeepCard(card) => self.house.keep_card(&card, &mut self.table, now),
            Wish::Change(before, after) => self.house.change(&before, &after, &mut self.table, now),
            Wish::Board(wish) => self.table.board_wish(wish, now),
            Wish::Keypads(wish) => self.keypad_wish(wish, now),
            Wish::Cards(wish) => deck_wishes::carry_out(wish, &mut self.house, &mut self.table, now),
        }
    }

    /// Lets an order from outside look at the table, carries out what it wants, and gives it the answer.
    pub fn order(&mut self, mut order: Box<dyn TableOrder>, now: Instant) {
        self.version += 1;
        let sitting = self.table.sitting.as_ref();
        let sight = OrderSight::new(sitting.map(|sitting| (&sitting.session, sitting.time.of(now))));
        let answer = match order.judge(&sight) {
            None => return,
            Some(OrderedAct::Enter(entry)) => self.enter_ordered(&entry, None, now),
            Some(OrderedAct::Count(entry, by, count)) => self.enter_ordered(&entry, Some((by, count)), now),
            Some(OrderedAct::Begin(header, ago)) => self.begin_ordered(&header, ago, now),
            Some(OrderedAct::Look { alert, by, done }) => {
                // An alert that is not open any more needs nobody.
                for book in [self.table.alerts.get_mut(), self.table.for_consoles.get_mut()] {
                    let _ = if done { book.close(alert) } else { book.take(alert, by.clone()) };
                }
                return;
            }
        };
        order.answer(answer);
    }

    /// Enters what was ordered, with the number of illegal moves that it corrects.
    fn enter_ordered(&mut self, entry: &Entry, illegal: Option<(Color, u32)>, now: Instant) -> OrderAnswer {
        let answer = self.table.order(entry, illegal, now);
        self.table.follow_readers();
        self.table.watch_board(now);
        answer
    }

    /// Enters this at the table's match as if people had entered it, without a question. It may have to wait for the board.
    pub fn enter(&mut self, entry: Entry, now: Instant) -> OrderAnswer {
        self.version += 1;
        self.table.enter(entry, now)
    }

    /// Begins a match that was ordered: the one on the table, which is over, is left.
    fn begin_ordered(&mut self, header: &Header, ago: Millis, now: Instant) -> OrderAnswer {
        let record = |why: String| RefusedOrder::Record(plain(why));
        if !self.house.records.can_begin() {
            return Err(record("this table keeps no record in which a match could begin".to_owned()));
        }
        let with = self.house.keeping(None);
        let begun = self.take_place(&with, now, |records| records.begin(header, &with));
        let (Seated { session, told, .. }, file) = begun.map_err(record)?;
        if let Some(told) = told {
            self.table.talk.notice(now, Err(told));
        }
        self.sit(session, None, (Some(file), Instant::ZERO + ago), now);
        self.table.hear(now);
        Ok(Entered { lines: 0..1, own: Some(0) })
    }

    /// Advances time to `now`.
    pub fn time(&mut self, now: Instant) {
        self.catch_up();
        self.table.time(now);
        self.version += u64::from(self.keypads.known.pass(now));
        while let Some(input) = self.demonstration.as_mut().and_then(|shown| shown.next(now)) {
            self.version += 1;
            self.table.at_table(|sitting, talk| {
                sitting.enter(&[input], now, talk);
            });
        }
    }

    /// Handles the end of a time in which the program did nothing; `span` is how long that was.
    pub fn absent(&mut self, absence: Absence, span: Millis, now: Instant) {
        self.table.absent(absence, span, now);
    }

    /// The match being played.
    pub fn session(&self) -> Option<&Session> {
        self.table.session()
    }

    /// Gives the match being played away, without closing its record.
    pub(crate) fn into_session(self) -> Option<Session> {
        self.table.sitting.map(|sitting| sitting.session)
    }

    /// Whether the time of a match runs.
    pub fn time_runs(&self) -> bool {
        self.table.sitting.as_ref().is_some_and(|sitting| sitting.session.table().time_runs())
    }

    /// The next time at which something is due, measured from the program's start.
    pub fn deadline(&self) -> Option<Instant> {
        let shown = self.demonstration.as_ref().and_then(Demonstration::deadline);
        let codes = self.keypads.known.barred_until();
        self.table.deadline().into_iter().chain(shown).chain(codes).min()
    }

    /// Handles an event from the board.
    pub fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.table.board(event, now);
    }

    /// Notes what stands on the simulated board, and which of its lamps are lit.
    pub fn simulated(&mut self, view: SimulatedView) {
        self.table.simulated(view);
    }

    /// Handles what a search for boards has found so far. `ended` is the moment at which the search ended; `None` while it
    /// goes on.
    pub fn found(&mut self, found: Vec<FoundBoard>, ended: Option<Instant>) {
        self.table.found(found, ended);
    }

    /// Handles an event from the card readers. While somebody works on a deck, cards on the readers are used for that
    /// work and not for the match.
    pub fn cards(&mut self, event: &CardEvent, now: Instant) {
        self.table.cards(event, &self.house.environment, now);
    }

    /// Removes and returns the orders that are queued for the loop.
    pub fn take_orders(&mut self) -> Vec<DeskOrder> {
        self.table.take_orders()
    }

    /// The match being played, with its devices and cards. This part of the desk handles the events of devices.
    fn table(&mut self) -> &mut TableSide {
        &mut self.table
    }

    /// A counter that increases when something changes that a screen shows. A front end draws again when the counter
    /// has changed.
    pub fn version(&self) -> u64 {
        self.version + self.table.version
    }

    /// Removes and returns the news for front ends that print lines.
    pub fn take_news(&mut self) -> Vec<News> {
        self.table.talk.take_news()
    }

    /// Whether the program should end.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// Asks the program to end.
    pub fn close(&mut self) {
        self.closing = true;
        self.version += 1;
    }

    // ---- matches ----

    /// Begins a match. `fresh` means that nobody has seen the list of unfinished matches. In that case a notice names
    /// the evening's last match, if that last match is unfinished.
    fn begin_first(&mut self, new: &NewMatch, fresh: bool, now: Instant) {
        let left = self.house.records.left_unfinished().filter(|_| fresh);
        let begun = self.begin(new, now);
        if let Some((text, of)) = left.filter(|_| begun.is_ok()) {
            let notice = Notice { at: now, failed: false, text, file: None, carry_on: Some(of) };
            self.table.talk.push_notice(notice);
        }
        if begun.is_ok() && self.chances.drawn().is_some() && new.terms.get("chess960") == Some(&true.into())
        {
            // The next match begins from another position.
            self.draw(Chances::draw_position, now);
        }
        if let Err(sentence) = begun {
            self.table.talk.fail(now, sentence);
        }
    }

    /// Draws something before a match.
    fn draw(&mut self, draw: fn(&mut Chances, &Environment) -> Result<(), String>, now: Instant) {
        let drawn = draw(&mut self.chances, &self.house.environment);
        self.tell_failure(now, drawn);
    }

    /// Throws the die and enters the number, in a game that has one.
    fn throw(&mut self, by: Color, now: Instant) {
        let pips = match deals::throw(&self.house.environment.chance) {
            Ok(pips) => pips,
            Err(sentence) => return self.notice(now, Err(sentence)),
        };
        self.table.at_table(|sitting, talk| {
            let thrown = crate::words::thrown(sitting.session.table(), by, pips);
            sitting.enter_said(thrown.into_iter().map(Input::Game).collect(), now, talk);
        });
    }

    fn begin(&mut self, new: &NewMatch, now: Instant) -> Result<(), Sentence> {
        let mut new = new.clone();
        if let Position::AsItStands(to_move) = new.position {
            new.position = Position::Fen(self.table.fen(to_move).map_err(talk::plain)?);
        }
        let new = self.house.with_cards(new)?;
        self.begin_with(&new, now).map_err(talk::plain)
    }

    /// Begins a match whose terms are complete.
    fn begin_with(&mut self, new: &NewMatch, now: Instant) -> Result<(), String> {
        let start = new.start.clone().map_or_else(|| (self.house.environment.date)(), Ok)?;
        let header = new.header(Some(&start))?;
        let deck = self.table.cards.called(new.deck.as_deref())?;
        deck.as_ref().map_or(Ok(()), |deck| check_deck(deck, &header.agreement))?;
        self.house.records.book()?;
        let with = self.house.keeping(new.pgn.clone());
        let begun = self.take_place(&with, now, |records| records.begin(&header, &with))?;
        let (Seated { session, at, told }, record) = begun;
        if let Some(told) = told {
            self.table.talk.notice(now, Err(told));
        }
        self.sit(session, deck, (Some(record), at), now);
        self.house.remember(new, &mut self.table, now);
        self.chances.put_coin_away();
        Ok(())
    }

    fn carry_on_or_tell(
        &mut self,
        of: (PathBuf, i64),
        deck: Option<&str>,
        pgn: Option<PathBuf>,
        now: Instant,
    ) {
        let carried_on = self.carry_on(of, deck, pgn, now);
        self.tell_failure(now, carried_on);
    }

    /// Carries on the match of this number in this file.
    fn carry_on(
        &mut self,
        (path, id): (PathBuf, i64),
        deck: Option<&str>,
        pgn: Option<PathBuf>,
        now: Instant,
    ) -> Result<(), String> {
        let deck = self.table.cards.called(deck)?;
        self.house.records.book()?;
        let with = self.house.keeping(pgn);
        let Seated { session, at: saved, .. } = self.take_place(&with, now, |records| {
            let seated = records.carry_on(&path, id, with.clone())?;
            let agreement = seated.session.table().agreement();
            deck.as_ref().map_or(Ok(()), |deck| check_deck(deck, agreement))?;
            Ok(seated)
        })?;
        let name = deck.as_ref().map(|deck| deck.name().to_owned());
        let has_cards = turns_cards_over(session.table().agreement().game);
        self.sit(session, deck, (Some(path), saved), now);
        if has_cards {
            self.house.remember_deck(name.as_deref(), &mut self.table, now);
        }
        Ok(())
    }

    /// Makes the match of this session the match being played. `kept` contains the file of the match's record, if any,
    /// and the match's own time at the moment when play goes on.
    fn sit(&mut self, session: Session, deck: Option<Deck>, kept: (Option<PathBuf>, Instant), now: Instant) {
        self.table.begin_anew();
        self.forget_keypads();
        self.viewing.stop();
        self.table.sitting = Some(Sitting::new(session, deck, kept, now));
        self.table.introduce_board(now);
        self.table.introduce_readers(now);
        self.table.set_up_simulated();
        if let Some(side) = self.house.preferences.clock_side() {
            self.table.at_table(|sitting, _| sitting.tell_clock_side(Some(side), now));
        }
    }

    /// Puts the game that plays itself on the table.
    fn demonstrate(&mut self, now: Instant) {
        if self.table.sitting.is_some() {
            return;
        }
        match Demonstration::begin(now) {
            Ok((header, shown)) => {
                self.sit(Session::new(header, None, None), None, (None, Instant::ZERO), now);
                self.table.at_table(|sitting, _| sitting.for_show = true);
                self.demonstration = Some(shown);
            }
            Err(why) => self.table.talk.notice(now, Err(why)),
        }
    }

    /// Leaves the match. A desk that is used for one match only closes now.
    fn leave_table(&mut self, now: Instant) {
        if self.house.records.has_book() {
            self.leave(now);
        } else {
            self.close();
        }
    }

    /// Ends play in the current match, if any. The match's record keeps the time at which people left.
    fn leave(&mut self, now: Instant) {
        self.demonstration = None;
        if self.lay_down(now).is_some() {
            self.viewing.stop();
            self.house.records.read();
        }
    }

    /// Leaves the match on the table for another one, which `open` opens. If that fails, the match stays on the table.
    fn take_place<T>(
        &mut self,
        with: &Keeping,
        now: Instant,
        open: impl FnOnce(&mut DeskRecords) -> Result<T, String>,
    ) -> Result<T, String> {
        let before = self.lay_down(now);
        let opened = open(&mut self.house.records);
        match (&opened, before) {
            (Ok(_), _) => self.demonstration = None,
            (Err(_), Some(before)) => self.put_back(before, with, now),
            (Err(_), None) => {}
        }
        self.viewing.stop();
        self.house.records.read();
        opened
    }

    /// Ends play in the current match, if any, and closes its record: a file is open for one match only.
    fn lay_down(&mut self, now: Instant) -> Option<LaidDown> {
        let mut sitting = self.table.sitting.take()?;
        if let Err(fault) = sitting.session.leave(sitting.time.of(now)) {
            self.table.talk.notice(now, Err(fault.sentence().to_string()));
        }
        let file = sitting.session.record_moved().map(Path::to_owned).or_else(|| sitting.record.clone());
        let kept = file.zip(sitting.session.uid().map(str::to_owned));
        if let Err(error) = sitting.session.lay_down() {
            self.table.talk.notice(now, Err(error.to_string()));
        }
        Some(LaidDown { sitting, kept })
    }

    /// Puts a match on the table again that was laid down, in whose place no other one has come.
    fn put_back(&mut self, LaidDown { mut sitting, kept }: LaidDown, with: &Keeping, now: Instant) {
        let keeper = kept.map(|(file, uid)| DeskRecords::keep_again(&file, &uid, with)).transpose();
        match keeper {
            Ok(keeper) => {
                if let Some(keeper) = keeper {
                    sitting.session.take_up(keeper);
                }
                self.table.sitting = Some(sitting);
            }
            // Nothing is played on that would not be kept.
            Err(why) => self.table.talk.notice(now, Err(why)),
        }
    }

    /// Writes and closes the match being played. Returns its final state, or `None` if no match was being played.
    pub fn end(&mut self, now: Instant) -> Option<TableEnd> {
        let Sitting { mut session, time, .. } = self.table.sitting.take()?;
        // Leaving a match whose clock runs writes a pause to the record. If the record cannot be written now, the
        // program does not wait until it can: the pause is lost, and the returned state says so. It also contains the
        // result of closing the record. If the write-ahead log cannot be merged into the record's file now, it is
        // merged at the program's next start.
        let left = session.leave(time.of(now));
        let mut end = TableEnd::of(session);
        if let Err(InputFault::NotWritten(error)) = left {
            end.closed = end.closed.and(Err(error));
        }
        Some(end)
    }

    // ---- what is entered ----

    /// Enters a line in the words of the grammar; `typed` is the same line as people typed it.
    fn typed(&mut self, text: &str, typed: &str, now: Instant) {
        let answer = match text.trim().to_lowercase().as_str() {
            "yes" | "y" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        if answer.is_some_and(|yes| self.answer_about_keypad(yes, now)) {
            return;
        }
        self.answered(now, |sitting, talk| sitting.typed(text, typed, now, talk));
    }

    /// Lets the match being played answer, and carries out what that asks of the desk.
    fn answered(
        &mut self,
        now: Instant,
        answer: impl FnOnce(&mut Sitting, &mut Talk) -> Option<DeskRequest>,
    ) {
        let TableSide { sitting, talk, .. } = &mut self.table;
        let request = sitting.as_mut().and_then(|sitting| answer(sitting, talk));
        self.carry_out(request, now);
    }

    /// Decides as the Laws propose for this infringement, in the way with this number.
    fn decide(&mut self, of: (Color, Infringement), choice: usize, now: Instant) {
        let words = self.words();
        self.table.at_table(|sitting, talk| sitting.decide(of, choice, &words, now, talk));
    }

    /// The words of the language in which everything is shown.
    fn words(&self) -> Words {
        Words::of(self.house.preferences.now().language)
    }

    /// Leaves the match. If a game is running, asks first; leaving once more is the answer.
    fn leave_asked(&mut self, now: Instant) {
        let TableSide { sitting, talk, .. } = &mut self.table;
        if sitting.as_mut().is_none_or(|sitting| sitting.may_leave(talk)) {
            self.leave_table(now);
        }
    }

    /// Ends the program. If a game is running, asks first; asking once more is the answer.
    fn close_asked(&mut self) {
        let TableSide { sitting, talk, .. } = &mut self.table;
        if sitting.as_mut().is_none_or(|sitting| sitting.may_close(talk)) {
            self.close();
        }
    }

    fn carry_out(&mut self, request: Option<DeskRequest>, now: Instant) {
        match request {
            None => {}
            Some(DeskRequest::Leave) => self.leave_table(now),
            Some(DeskRequest::Close) => self.close(),
            Some(DeskRequest::Report) => reporting::ask_typed(&mut self.table.boards),
            Some(DeskRequest::ReadBoard) => self.table.read_board(),
            Some(DeskRequest::Keypads(wish)) => self.keypad_wish(wish, now),
        }
    }

    // ---- what is told ----

    /// Reads the evening's files that have changed. The loop updates the screen before it calls this function, because
    /// a disk can be slow.
    pub fn catch_up(&mut self) {
        // A game that has just ended changes the evening's results, so the record's file must be read again.
        let ended = self.table.record_of_ended_game();
        if self.house.records.catch_up(ended) {
            self.version += 1;
        }
    }

    fn tell_failure(&mut self, now: Instant, done: Result<(), String>) {
        if let Err(sentence) = done {
            self.notice(now, Err(sentence));
        }
    }

    fn notice(&mut self, at: Instant, text: Result<Sentence, String>) {
        self.table.talk.notice(at, text);
    }

    // ---- files ----

    fn look_at(&mut self, path: &Path, id: i64, now: Instant) {
        let looked = self.viewing.look_at(path, id, &self.house.records.keys());
        let looked = looked.map_err(|error| format!("{}: {error}", tabiya_types::shown(path)));
        self.tell_failure(now, looked);
    }

    fn open_record(&mut self, path: &Path, now: Instant) {
        let place = self.house.files.place(path);
        let opened = place.and_then(|path| self.viewing.open_record(&path, &self.house.records.keys()));
        self.tell_failure(now, opened);
    }

    /// Exports the match on the screen.
    fn export(&mut self, format: Format, path: &Path, now: Instant) {
        match self.exported(format) {
            Ok(text) => self.house.save((path, format.ending()), &text, &mut self.table, now),
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    /// The match on the screen as text in this format.
    fn exported(&mut self, format: Format) -> Result<String, String> {
        let words = self.words();
        let session = self.table.sitting.as_mut().map(|sitting| &mut sitting.session);
        self.viewing.exported(format, session, &words)
    }

    fn print_match(&mut self, now: Instant) {
        match self.exported(Format::Sheet) {
            Ok(text) => self.table.boards.order(DeskOrder::Print(text)),
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    fn save_results(&mut self, path: &Path, now: Instant) {
        match self.house.records.book().map(|book| book.view().csv()) {
            Ok(csv) => self.house.save((path, "csv"), &csv, &mut self.table, now),
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    /// Writes the report of a fault that was asked for, with the last bytes of the board.
    fn write_report(&mut self, request: &ReportRequest, bytes: Option<Capture>, now: Instant) {
        self.table.version += 1;
        let features = self.house.environment.features;
        let report = reporting::fault_report(&self.table, &self.viewing, features, bytes);
        let place = with_ending(&request.path, "jsonl");
        let written = self.house.write(&place, report.text().as_bytes(), self.table.record());
        reporting::tell(&report, written, request.typed, (&mut self.table.talk, now));
    }

    /// Returns everything that the screens show at `now`.
    pub fn snapshot(&self, now: Instant) -> Snapshot {
        let shown = self.shown(now);
        let (sitting, session) = (shown.sitting, shown.session);
        let past = self.viewing.past_of(session);
        Snapshot {
            table: shown.view.map(Arc::new),
            past: self.viewing.past(),
            time: sitting.map(|sitting| sitting.time_shown(now)).unwrap_or_default(),
            moments: past.map(Past::narrated).unwrap_or_default(),
            moments_over: past.is_some_and(Past::match_over),
            record: self.viewing.record_of(session).map(Arc::new),
            shows_other_match: self.viewing.shelf().is_some(),
            announcements: self.table.talk.said(),
            alerts: Arc::new(shown.alerts),
            answer: self.table.talk.long_answer(),
            refused: self.table.talk.refused(),
            question: sitting.and_then(Sitting::asked).or_else(|| self.asks_about_keypad()),
            differs: shown.differing.and_then(Session::unexplained_board),
            last_actions: session
                .filter(|_| self.lists_actions)
                .map(|session| Arc::new(tabiya_engine::table::last_actions(session.table(), LISTED))),
            coin: self.chances.coin(),
            shuffled: self.chances.shuffled(),
            drawn: self.chances.drawn(),
            devices: shown.devices,
            board: shown.board,
            cards: shown.cards,
            keypads: Arc::new(self.keypads_view(now)),
            own_cards: self.house.own_cards(),
            evening: self.house.records.view(),
            found: self.table.boards.found(),
            search: self.table.boards.search,
            settings: self.house.preferences.now().clone(),
            notices: self.table.talk.notices(),
            demonstration: self.demonstration.is_some(),
            exports: self.house.files.folder().to_owned(),
            home: self.house.environment.home.clone(),
            closing: self.closing,
        }
    }
}
