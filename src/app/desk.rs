//! The desk: takes wishes from a front (window or terminal) and gives it snapshots to draw.
//!
//! Owns the running session and the files of its people: the evening's record, settings, decks, exports. It reads no
//! clock (each call carries its moment) and uses no device itself: it queues [`DeskOrder`]s, which the loop in
//! `desk/run.rs` carries out. Tests drive this same type in simulated time.

mod boards;
mod book;
mod cards;
mod devices;
mod draft;
mod export;
mod files;
mod front;
mod looking;
mod preferences;
mod run;
mod running;
mod simulator;
mod sitting;
mod table;
mod talk;
#[cfg(test)]
mod tests;
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_cards::CardEvent;
use tabiya_cards::deck::Deck;
use tabiya_engine::table::Input;
use tabiya_types::{Card, Color, Instant, Millis, Seat, Sentence};

pub use self::boards::{DeskOrder, MakerChoice, SimulatedMove, makers, upright};
use self::book::Book;
pub use self::cards::CardWish;
use self::cards::DeskCards;
pub use self::draft::{NewMatch, Position, turns_cards_over};
pub use self::export::Format;
use self::files::{Files, with_ending};
pub use self::front::{Front, Latest, News};
use self::looking::ViewedMatch;
use self::preferences::Preferences;
pub use self::run::{Inbox, Loop, LoopError};
pub use self::running::{Running, start};
use self::sitting::{DeskRequest, Sitting};
use self::table::TableSide;
pub(crate) use self::talk::plain;
pub use super::past::NarratedLine;
use super::session::Session;
use super::snapshot::{Asked, Coin, Notice, PastView, Snapshot};
use crate::store::decks::Decks;
use crate::store::evening;
use crate::store::journal::JournalError;
use crate::store::keeper::JournalKeeper;
use crate::store::keys::Keyring;
use crate::store::pgn_file::PgnFile;
use crate::store::settings::Settings;

/// A request of people to the desk.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Begin a match.
    Begin(Box<NewMatch>),
    /// Toss the coin for colours.
    Toss,
    /// Carry on an unfinished match.
    CarryOn {
        /// The file of its record.
        path: PathBuf,
        /// The number of the match in that file.
        id: i64,
        /// The name of the deck of cards with chips to play with from now on, if any.
        deck: Option<String>,
        /// The PGN file of the match, if one is kept; it is rewritten at each move.
        pgn: Option<PathBuf>,
    },
    /// Leave the table; the record is kept.
    Leave,
    /// Enter these inputs in their order, until one is refused.
    Do(Vec<Input>),
    /// Correct a false piece as the arbiter; the squares are as typed.
    Correct {
        /// The square on which the false piece was placed.
        at: String,
        /// The right piece.
        piece: Card,
        /// The square of the right piece; empty if that is `at`.
        on: String,
        /// The reason, for the record.
        reason: String,
    },
    /// Press the clock for that side; with `None`, for whichever side may press. A press without effect is ignored,
    /// so that screens need not know whether an earlier press counted.
    Press(Option<Color>),
    /// Add time to a side's clock as the arbiter. The new reading is computed when the ruling is entered, because no
    /// screen knows the old one to the millisecond.
    Gain {
        /// The side whose clock gains.
        by: Color,
        /// The time that is added.
        gain: Millis,
        /// The reason, for the record.
        reason: String,
    },
    /// Enter a typed line.
    Typed(String),
    /// Answer the open question by yes.
    Yes,
    /// Answer the open question by no.
    No,
    /// Answer the open question by the explanation of this number, from 1.
    Explanation(usize),
    /// Show the table as it was after this many lines of the record; `None` returns to the present.
    LookBack(Option<usize>),
    /// View a match from a file, whether or not one is being played.
    LookAt {
        /// The file of the record.
        path: PathBuf,
        /// The number of the match in that file.
        id: i64,
    },
    /// Stop viewing a match from a file; show the match being played.
    StopViewing,
    /// Export the match that is shown to a file.
    Export(Format, PathBuf),
    /// Write the evening's results to a CSV file.
    Results(PathBuf),
    /// Write this text to a file.
    SaveText(String, PathBuf),
    /// Print this text on the system's printer.
    Print(String),
    /// Change settings: as the screen showed them, and as they should become.
    Change(Box<Settings>, Box<Settings>),
    /// A request about the board.
    Board(BoardWish),
    /// A request about card readers and decks.
    Cards(CardWish),
}

/// A request about the board.
#[derive(Clone, PartialEq, Debug)]
pub enum BoardWish {
    /// Connect to this address.
    Connect(String),
    /// Disconnect the board.
    Disconnect,
    /// Connect to this box beside the board: its cards, presses and buttons count.
    Beside(LiveAddress),
    /// Read the board's whole position.
    Read,
    /// Search for boards.
    Discover,
    /// Move a piece on the simulated board, or use its clock or plug.
    Move(SimulatedMove),
    /// Show the board's raw bytes (`true`), or stop that.
    Watch(bool),
    /// Save the board's raw bytes in a file; `None` stops that.
    Capture(Option<PathBuf>),
    /// Count how often each square changes from now on (`true`), or stop that.
    Test(bool),
}

/// Fills bytes with random values; `Err` is a sentence that says why it cannot.
pub type RandomSource = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send>;

/// What a desk needs from the system: the date, random numbers, and the paths of its files.
pub struct Environment {
    /// Returns the date and time for a record's header, as RFC 3339.
    pub date: Box<dyn Fn() -> String + Send>,
    /// Tosses a coin for the seat that has White; `Err` is a sentence that says why it cannot.
    pub coin: Box<dyn Fn() -> Result<Seat, String> + Send>,
    /// The random numbers for the ids of cards and decks.
    pub chance: RandomSource,
    /// The folder of the records; decks are kept inside it.
    pub evenings: PathBuf,
    /// The file of the settings.
    pub settings: PathBuf,
    /// The user's home folder, if there is one; `~` in a file's name means this folder.
    pub home: Option<PathBuf>,
    /// The system's language, such as `de_AT.UTF-8`; the screens use it until somebody chooses another one.
    pub locale: String,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").field("evenings", &self.evenings).finish_non_exhaustive()
    }
}

/// A running match for a desk that has this one table only.
#[derive(Debug)]
pub struct SingleTable {
    /// The session of the match.
    pub session: Session,
    /// The moment of the match at which the desk's time begins.
    pub at: Instant,
    /// The file of its record, if one is kept.
    pub record: Option<PathBuf>,
    /// The deck whose cards are read, if one is in play.
    pub deck: Option<Deck>,
    /// Whether dealt cards are read, too.
    pub read_deals: bool,
}

/// The final state of a table that people left.
#[derive(Debug)]
pub struct TableEnd {
    /// The prompt for what would come next.
    pub prompt: Sentence,
    /// How many lines its record has.
    pub lines: usize,
    /// The hash of the last line, if a record is kept.
    pub head: Option<String>,
    /// Whether the record could be merged into its one file and closed.
    pub closed: Result<(), JournalError>,
}

impl TableEnd {
    /// Closes a match that people have left; its record is merged into its one file.
    pub fn of(session: Session) -> Self {
        let (prompt, lines, head) = (session.table().prompt(), session.lines().len(), session.head());
        Self { prompt, lines, head, closed: session.close() }
    }
}

/// The desk: a table with its evening, files and settings. Its front is a window or a terminal.
#[derive(Debug)]
pub struct Desk {
    environment: Environment,
    preferences: Preferences,
    /// The evening's records. A desk for one table only has none: leaving that table closes the desk.
    book: Option<Book>,
    /// The match being played, with its devices and cards.
    table: TableSide,
    past: Option<Arc<PastView>>,
    /// A match from a file that somebody is viewing.
    shelf: Option<ViewedMatch>,
    coin: Option<Coin>,
    closing: bool,
    files: Files,
    /// Whether no wish has arrived yet, so that nobody has seen which matches could be carried on.
    fresh: bool,
    /// How many changes there were here to what a screen shows.
    version: u64,
}

impl Desk {
    /// Opens a desk without a match. `record` names the evening's file; without it the file is named by today's date.
    pub fn new(around: Environment, record: Option<PathBuf>) -> Self {
        let (preferences, trouble) = Preferences::open(&around.settings, &around.locale);
        let date: String = (around.date)().chars().take(10).collect();
        let book = Book::new(around.evenings.clone(), record, &date);
        let mut desk = Self::over(around, preferences, Some(book));
        if let Some(trouble) = trouble {
            desk.table.talk.notice(Instant::ZERO, Err(trouble));
        }
        desk
    }

    /// Opens a desk for this table only. It saves no settings and reads no other records.
    pub fn for_table(around: Environment, seated: SingleTable) -> Self {
        let SingleTable { session, at, record, deck, read_deals } = seated;
        let mut desk = Self::over(around, Preferences::default(), None);
        desk.sit(session, deck, (record, at), Instant::ZERO);
        if let Some(sitting) = desk.table.sitting.as_mut().filter(|_| read_deals) {
            sitting.session.read_deals();
        }
        desk.table.follow_readers();
        // Each wish ends with this step; here no wish has arrived yet.
        desk.table.hear(Instant::ZERO);
        desk
    }

    fn over(environment: Environment, preferences: Preferences, book: Option<Book>) -> Self {
        let cards = DeskCards::new(Decks::beside_records(&environment.evenings));
        let files = Files::new(environment.evenings.clone(), environment.home.clone());
        Self {
            environment,
            preferences,
            book,
            table: TableSide::new(cards),
            past: None,
            shelf: None,
            coin: None,
            closing: false,
            files,
            fresh: true,
            version: 0,
        }
    }

    /// Reads the record files: the matches of this evening, and those that can be carried on. A disk can be slow, so
    /// the loop calls this and no screen does.
    pub fn look(&mut self) {
        if let Some(book) = &mut self.book {
            book.read();
            self.table.cards.list();
        }
        self.version += 1;
    }

    // ---- what comes in ----

    /// Carries out a wish.
    pub fn wish(&mut self, wish: Wish, now: Instant) {
        self.version += 1;
        let fresh = std::mem::take(&mut self.fresh);
        match wish {
            Wish::Begin(new) => self.begin_first(&new, fresh, now),
            Wish::Toss => self.toss(now),
            Wish::CarryOn { path, id, deck, pgn } => {
                let carried_on = self.carry_on(path, id, deck.as_deref(), pgn, now);
                self.tell_failure(now, carried_on);
            }
            Wish::Leave => self.leave_table(now),
            Wish::Do(inputs) => self.table.at_table(|sitting, talk| sitting.enter_said(inputs, now, talk)),
            Wish::Correct { at, piece, on, reason } => {
                self.table.at_table(|sitting, talk| sitting.correct((&at, piece, &on), reason, now, talk));
            }
            Wish::Press(by) => self.table.at_table(|sitting, talk| sitting.press(by, now, talk)),
            Wish::Gain { by, gain, reason } => {
                self.table.at_table(|sitting, talk| sitting.give(by, gain, &reason, now, talk));
            }
            Wish::Typed(text) => self.typed(&text, now),
            Wish::Yes => self.table.answer(Session::yes, now),
            Wish::No => self.table.at_table(|sitting, _| {
                sitting.session.no();
            }),
            Wish::Explanation(number) => self.table.answer(|session| session.explanation_inputs(number), now),
            Wish::LookBack(line) => self.look_back(line),
            Wish::LookAt { path, id } => {
                let looked = self.look_at(&path, id);
                self.tell_failure(now, looked.map_err(|error| format!("{}: {error}", path.display())));
            }
            Wish::StopViewing => (self.shelf, self.past) = (None, None),
            Wish::Export(format, path) => {
                let written = self.export(format, &path);
                self.notice(now, written);
            }
            Wish::Results(path) => match self.book() {
                Ok(book) => {
                    let csv = book.view().csv();
                    self.save(&path, "csv", &csv, now);
                }
                Err(sentence) => self.notice(now, Err(sentence)),
            },
            Wish::SaveText(text, path) => self.save(&path, "txt", &text, now),
            Wish::Print(text) => self.table.boards.order(DeskOrder::Print(text)),
            Wish::Change(before, after) => self.change(&before, &after, now),
            Wish::Board(wish) => self.table.board_wish(wish, now),
            Wish::Cards(wish) => self.card_wish(wish, now),
        }
        self.table.follow_readers();
        self.table.hear(now);
        self.table.watch_board(now);
    }

    /// Advances time to `now`.
    pub fn time(&mut self, now: Instant) {
        self.catch_up();
        self.table.time(now);
    }

    /// Handles a suspended computer; `span` is the length of the sleep.
    pub fn slept(&mut self, span: Millis, now: Instant) {
        self.table.slept(span, now);
    }

    /// The next moment at which something is due, in the program's own time.
    pub fn deadline(&self) -> Option<Instant> {
        self.table.deadline()
    }

    /// Takes an event from the board.
    pub fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.table.board(event, now);
    }

    /// Takes an event from the card readers. While somebody works on a deck, cards on the readers belong to that
    /// work, not to the table.
    pub fn cards(&mut self, event: &CardEvent, now: Instant) {
        self.table.cards(event, &self.environment, now);
    }

    /// Takes the orders for the loop.
    pub fn take_orders(&mut self) -> Vec<DeskOrder> {
        self.table.take_orders()
    }

    /// The table with its devices and cards; it takes the events of devices.
    fn table(&mut self) -> &mut TableSide {
        &mut self.table
    }

    /// How many changes there were to what a screen shows. A front draws again when this number has changed.
    pub fn version(&self) -> u64 {
        self.version + self.table.version
    }

    /// Takes the news for fronts that print lines.
    pub fn take_news(&mut self) -> Vec<News> {
        self.table.talk.take_news()
    }

    /// Whether the program is to end.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// Asks the program to end.
    pub fn close(&mut self) {
        self.closing = true;
        self.version += 1;
    }

    // ---- matches ----

    /// Begins a match. `fresh`: nobody has seen yet which matches could be carried on, so a notice mentions an
    /// unfinished one.
    fn begin_first(&mut self, new: &NewMatch, fresh: bool, now: Instant) {
        let left = self.book.as_ref().and_then(Book::left_unfinished).filter(|_| fresh);
        let begun = self.begin(new, now);
        if let Some(text) = left.filter(|_| begun.is_ok()) {
            self.table.talk.push_notice(Notice { at: now, failed: true, text });
        }
        self.tell_failure(now, begun);
    }

    fn toss(&mut self, now: Instant) {
        match (self.environment.coin)() {
            Ok(seat) => {
                let toss = self.coin.map_or(1, |coin| coin.toss + 1);
                self.coin = Some(Coin { seat, toss });
            }
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    fn begin(&mut self, new: &NewMatch, now: Instant) -> Result<(), String> {
        let new = NewMatch { position: self.position(&new.position)?, ..new.clone() };
        let start = new.start.clone().unwrap_or_else(|| (self.environment.date)());
        let header = new.header(Some(&start))?;
        let deck = self.deck_called(new.deck.as_deref())?;
        self.book()?;
        self.leave(now);
        let book = self.book()?;
        let (keeping, other) = book.begin(&header.line())?;
        let record = book.record().to_owned();
        // The match is listed in the evening from its beginning.
        book.changed(record.clone());
        if let Some(told) = other {
            self.table.talk.notice(now, Err(told));
        }
        let session = Session::new(header, Some(keeping), new.pgn.clone().map(PgnFile::keeper));
        self.sit(session, deck, (Some(record), Instant::ZERO), now);
        let mut settings = (**self.preferences.now()).clone();
        // The name remembered last comes first in the list: with A after B, both keep their seats next time.
        settings.remember_names([&*new.players.b, &*new.players.a].into_iter());
        settings.remember_terms(&new.game, &new.terms);
        if turns_cards_over(&new.game) {
            settings.deck.clone_from(&new.deck);
        }
        self.keep(settings, now);
        self.coin = None;
        Ok(())
    }

    /// The evening's records; `Err` at a desk for one table only, which has none.
    fn book(&mut self) -> Result<&mut Book, String> {
        let none =
            "this program was started for one table only; quit it, then begin or carry on another match";
        self.book.as_mut().ok_or_else(|| none.to_owned())
    }

    /// Replaces [`Position::AsItStands`] by the FEN of the board; `Err` if no board shows a position.
    fn position(&self, position: &Position) -> Result<Position, String> {
        let Position::AsItStands(to_move) = position else { return Ok(position.clone()) };
        let seen =
            self.table.boards.upright().ok_or("no board with a known position is connected; connect one")?;
        Ok(Position::Fen(tabiya_engine::rules::fen_of(&seen, *to_move)))
    }

    /// The keys to sealed cards, in a folder beside the records.
    fn keys(&self) -> Keyring {
        self.book.as_ref().map_or_else(|| Keyring::beside_records(&self.environment.evenings), Book::keys)
    }

    fn carry_on(
        &mut self,
        path: PathBuf,
        id: i64,
        deck: Option<&str>,
        pgn: Option<PathBuf>,
        now: Instant,
    ) -> Result<(), String> {
        let deck = self.deck_called(deck)?;
        self.book()?;
        self.leave(now);
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let journal = JournalKeeper::open(&path).map_err(|error| named(&error))?;
        let (info, kept) =
            evening::open(journal.reader(), id, &self.keys()).map_err(|error| named(&error))?;
        let saved = evening::last_moment(&info);
        let keeping = Box::new(JournalKeeper::carry_on(journal, &info, self.keys()));
        let mut session =
            Session::carry_on(kept.header, kept.lines, saved, Some(keeping), pgn.map(PgnFile::keeper))
                .map_err(|fault| format!("the match cannot be carried on: {fault}"))?;
        session.tell_closed(kept.closed.as_ref());
        let name = deck.as_ref().map(|deck| deck.name().to_owned());
        let has_cards = turns_cards_over(session.table().agreement().game);
        self.sit(session, deck, (Some(path), saved), now);
        if has_cards {
            self.remember_deck(name.as_deref(), now);
        }
        Ok(())
    }

    /// Starts the sitting of a match. `kept`: the file of its record, and the moment at which it goes on.
    fn sit(&mut self, session: Session, deck: Option<Deck>, kept: (Option<PathBuf>, Instant), now: Instant) {
        self.table.talk.begin_anew();
        (self.past, self.shelf) = (None, None);
        self.table.sitting = Some(Sitting::new(session, deck, kept, now));
        self.table.introduce_board(now);
        self.table.introduce_readers(now);
    }

    /// Leaves the table; a desk for one table only closes then.
    fn leave_table(&mut self, now: Instant) {
        if self.book.is_some() {
            self.leave(now);
        } else {
            self.close();
        }
    }

    /// Ends the sitting; the record keeps the moment at which people left.
    fn leave(&mut self, now: Instant) {
        let Some(mut sitting) = self.table.sitting.take() else { return };
        if let Err(fault) = sitting.session.leave(sitting.time.of(now)) {
            self.table.talk.notice(now, Err(fault.sentence().to_string()));
        }
        if let Err(error) = sitting.session.close() {
            self.table.talk.notice(now, Err(error.to_string()));
        }
        (self.past, self.shelf) = (None, None);
        if let Some(book) = &mut self.book {
            book.read();
        }
    }

    /// Closes the match being played, safely written. Returns its final state; `None` if no match was being played.
    pub fn end(&mut self, now: Instant) -> Option<TableEnd> {
        let Sitting { mut session, time, .. } = self.table.sitting.take()?;
        // Leaving never waits: a pause that cannot be written is lost, but the result of closing the record is
        // returned. What cannot be merged into one file now is merged at the next start.
        drop(session.leave(time.of(now)));
        Some(TableEnd::of(session))
    }

    // ---- what is entered ----

    fn typed(&mut self, text: &str, now: Instant) {
        let Some(sitting) = &mut self.table.sitting else { return };
        match sitting.typed(text, now, &mut self.table.talk) {
            None => {}
            Some(DeskRequest::Leave) => self.leave_table(now),
            Some(DeskRequest::ReadBoard) => {
                if !self.table.boards.wanted() {
                    let told = "no board is connected; start with `--board`";
                    self.table.talk.print(News::Answer(told.to_owned()));
                }
                self.table.boards.order(DeskOrder::Read);
            }
        }
    }

    // ---- what is told ----

    /// Reads the files of the evening that have changed. A disk can be slow, so this is called when nothing waits for
    /// it.
    pub fn catch_up(&mut self) {
        // A game that has just ended adds to the evening's results.
        if let (Some(sitting), Some(book)) = (&mut self.table.sitting, &mut self.book)
            && sitting.another_game_ended()
            && let Some(record) = &sitting.record
        {
            book.changed(record.clone());
        }
        if self.book.as_mut().is_some_and(Book::catch_up) {
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

    /// Writes a text to a file; `Err` if the program itself uses that file.
    fn write(&mut self, path: &Path, text: &str) -> Result<Sentence, String> {
        let evening = self.book.as_ref().map(Book::record);
        let played = self.table.sitting.as_ref().and_then(|sitting| sitting.record.as_deref());
        let used: Vec<&Path> = evening.into_iter().chain(self.preferences.file()).chain(played).collect();
        self.files.write(path, text, &used)
    }

    fn save(&mut self, path: &Path, ending: &str, text: &str, now: Instant) {
        let written = self.write(&with_ending(path, ending), text);
        self.notice(now, written);
    }

    /// Exports the match that is shown; returns a sentence that says where.
    fn export(&mut self, format: Format, path: &Path) -> Result<Sentence, String> {
        let session = || self.table.sitting.as_ref().map(|sitting| &sitting.session);
        let text = match (&self.shelf, session()) {
            (Some(taken), _) => format.text(&taken.replay, &taken.lines, Some(&taken.head)),
            (None, Some(session)) => {
                format.text(session.replay(), session.lines(), session.head().as_deref())
            }
            (None, None) => return Err("there is no match to export".to_owned()),
        };
        self.write(&with_ending(path, format.ending()), &text)
    }

    /// Applies what somebody changed on a screen to the current settings, which may have changed since they were
    /// shown.
    fn change(&mut self, before: &Settings, after: &Settings, now: Instant) {
        let merged = self.preferences.now().changed(before, after);
        self.keep(merged, now);
    }

    fn keep(&mut self, settings: Settings, now: Instant) {
        if let Err(sentence) = self.preferences.keep(settings) {
            self.notice(now, Err(sentence));
        }
    }

    /// Everything that the screens show at `now`.
    pub fn snapshot(&self, now: Instant) -> Snapshot {
        let sitting = self.table.sitting.as_ref();
        let session = sitting.map(|sitting| &sitting.session);
        let table = sitting.map(|sitting| sitting.view(now));
        let shown = self.table.calm.is_shown(now);
        let trouble = session.filter(|_| shown).and_then(Session::guidance).map(Sentence::harmless);
        Snapshot {
            table: table.map(Arc::new),
            past: self.past.clone(),
            time: sitting.map(|sitting| sitting.time_shown(now)).unwrap_or_default(),
            moments: match (&self.shelf, sitting) {
                (Some(taken), _) => taken.past.narrated(),
                (None, Some(sitting)) => sitting.session.past().narrated(),
                (None, None) => Arc::default(),
            },
            shows_other_match: self.shelf.is_some(),
            announcements: self.table.talk.said(),
            refused: self.table.talk.refused(),
            question: session.and_then(Asked::of_session),
            trouble,
            coin: self.coin,
            board: self.table.boards.view(session.map(Session::watch)),
            cards: self.table.cards.view(session),
            evening: self.book.as_ref().map(Book::view).unwrap_or_default(),
            found: self.table.boards.found(),
            settings: self.preferences.now().clone(),
            notices: self.table.talk.notices(),
            closing: self.closing,
        }
    }
}
