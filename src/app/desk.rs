//! A table as a window needs it: people's wishes in, snapshots to draw out.
//!
//! Owns the running session and the files of its people: the evening's record, settings, decks, exports. It reads no
//! clock (moments come with what comes in) and reaches no device: what it wants of those it leaves as [`DeskOrder`]s, which
//! the loop in `desk/run.rs` carries out. Tests drive this same value with pretended time.

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
use self::looking::Shelf;
use self::preferences::Preferences;
pub use self::run::{Inbox, Loop, LoopError};
pub use self::running::{Running, start};
use self::sitting::{Beyond, Sitting};
use self::table::TableSide;
pub use super::past::NarratedLine;
use super::session::Session;
use super::snapshot::{Asked, Coin, Notice, PastView, Snapshot};
use crate::store::decks::Decks;
use crate::store::evening;
use crate::store::journal::JournalError;
use crate::store::keeper::Keeping;
use crate::store::keys::Keyring;
use crate::store::pgn_file::PgnFile;
use crate::store::settings::Settings;

/// What people want.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Begin a match.
    Begin(Box<NewMatch>),
    /// Toss the coin for colours.
    Toss,
    /// Go on with an unfinished match.
    CarryOn {
        /// Its file.
        path: PathBuf,
        /// Its number there.
        id: i64,
        /// The deck of cards with chips that it is played with from now on, by its name.
        deck: Option<String>,
        /// Where a PGN of it is kept, written whole at each move.
        pgn: Option<PathBuf>,
    },
    /// Leave the table; the record stays.
    Leave,
    /// Inputs for the table, taken in their order until one is refused.
    Do(Vec<Input>),
    /// The arbiter corrects a false piece; the squares as they were typed.
    Correct {
        /// Where it was placed.
        at: String,
        /// The right piece.
        piece: Card,
        /// Where that goes; nothing if it stays there.
        on: String,
        /// Why.
        reason: String,
    },
    /// The clock is pressed by that side, or by whoever's clock runs. Nothing happens where that would do
    /// nothing: screens need not know what became of the last press.
    Press(Option<Color>),
    /// The arbiter gives a side more time than its clock reads when the ruling is taken: no screen knows
    /// that to the millisecond.
    Gain {
        /// Whose clock.
        by: Color,
        /// How much more.
        gain: Millis,
        /// Why.
        reason: String,
    },
    /// A line as it is typed.
    Typed(String),
    /// The open question is answered by yes.
    Yes,
    /// It is answered by no.
    No,
    /// It is answered by the way of that number, from 1.
    Way(usize),
    /// Show the table after so many lines of the record; nothing for now again.
    LookBack(Option<usize>),
    /// Look at a match of that file, whether one is played or not.
    LookAt {
        /// The file.
        path: PathBuf,
        /// The match in it.
        id: i64,
    },
    /// Look at the match that is played again.
    PutAway,
    /// Write the match that is looked at into a file.
    Export(Format, PathBuf),
    /// Write the evening's results into a file.
    Results(PathBuf),
    /// Write this text into a file.
    SaveText(String, PathBuf),
    /// Print this text on the system's printer.
    Print(String),
    /// Settings as a screen showed them, and as they shall be.
    Change(Box<Settings>, Box<Settings>),
    /// Something about the board.
    Board(BoardWish),
    /// Something about card readers and decks.
    Cards(CardWish),
}

/// What people want of the board.
#[derive(Clone, PartialEq, Debug)]
pub enum BoardWish {
    /// Connect to this address.
    Connect(String),
    /// Let it go.
    Disconnect,
    /// Connect to this box beside the board: its cards, presses and buttons count.
    Beside(LiveAddress),
    /// Read its whole position.
    Read,
    /// Look for boards.
    Discover,
    /// Move something on the simulated board.
    Move(SimulatedMove),
    /// Show its raw bytes, or no more.
    Watch(bool),
    /// Save its raw bytes in a file, or no more.
    Capture(Option<PathBuf>),
    /// Count how often each square changes, from now on; or no more.
    Test(bool),
}

/// Fills bytes by chance, or says in a sentence why it cannot.
pub type RandomSource = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send>;

/// What a desk needs that is neither time nor rule: the date, chance, and where files lie.
pub struct Surroundings {
    /// The date and time for a header, as RFC 3339.
    pub date: Box<dyn Fn() -> String + Send>,
    /// The coin for colours.
    pub coin: Box<dyn Fn() -> Result<Seat, String> + Send>,
    /// Chance for cards' numbers: fills the bytes, or says why not.
    pub chance: RandomSource,
    /// The folder that records are kept in, and decks beside them.
    pub evenings: PathBuf,
    /// The settings' file.
    pub settings: PathBuf,
    /// This user's home, where there is one: what `~` means in a file's name.
    pub home: Option<PathBuf>,
    /// The system's language, such as `de_AT.UTF-8`: the screens' own until somebody chooses one.
    pub locale: String,
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").field("evenings", &self.evenings).finish_non_exhaustive()
    }
}

/// A match that goes on at a desk for one table alone.
#[derive(Debug)]
pub struct Seated {
    /// The match.
    pub session: Session,
    /// Its moment when the desk's time begins.
    pub at: Instant,
    /// The file that its record is kept in, if one is.
    pub record: Option<PathBuf>,
    /// The deck whose cards are read, if one is in play.
    pub deck: Option<Deck>,
    /// Whether cards are dealt over a reader, too.
    pub read_deals: bool,
}

/// How a table was left.
#[derive(Debug)]
pub struct Parting {
    /// What would come next.
    pub prompt: Sentence,
    /// How many lines its record has.
    pub lines: usize,
    /// The hash of the newest, where there is a record.
    pub head: Option<String>,
    /// Whether the record could be folded into its one file.
    pub closed: Result<(), JournalError>,
}

impl Parting {
    /// Lets a match go that people have left; its record is folded into its one file.
    pub fn of(session: Session) -> Self {
        let (prompt, lines, head) = (session.table().prompt(), session.lines().len(), session.head());
        Self { prompt, lines, head, closed: session.close() }
    }
}

/// The desk that a window or a terminal is the front of.
#[derive(Debug)]
pub struct Desk {
    around: Surroundings,
    preferences: Preferences,
    /// The evening's records. A desk for one table has none: whoever leaves the table leaves the desk.
    book: Option<Book>,
    /// The match that is played, and what is around it.
    table: TableSide,
    past: Option<Arc<PastView>>,
    /// A match of the evening that somebody looks at.
    shelf: Option<Shelf>,
    coin: Option<Coin>,
    closing: bool,
    files: Files,
    /// Whether nobody has wished for anything yet, so that nobody has seen what could be carried on.
    fresh: bool,
    /// How often anything has changed that a screen shows.
    version: u64,
}

impl Desk {
    /// A desk with nothing on it yet but the settings. `record`: the evening's file, if it is named; else one of today's date.
    pub fn new(around: Surroundings, record: Option<PathBuf>) -> Self {
        let (preferences, trouble) = Preferences::open(&around.settings, &around.locale);
        let date: String = (around.date)().chars().take(10).collect();
        let book = Book::new(around.evenings.clone(), record, &date);
        let mut desk = Self::over(around, preferences, Some(book));
        if let Some(trouble) = trouble {
            desk.table.talk.notice(Instant::ZERO, Err(trouble));
        }
        desk
    }

    /// A desk for this table alone. It keeps no settings and reads no other records.
    pub fn for_table(around: Surroundings, seated: Seated) -> Self {
        let Seated { session, at, record, deck, read_deals } = seated;
        let mut desk = Self::over(around, Preferences::default(), None);
        desk.sit(session, deck, (record, at), Instant::ZERO);
        if let Some(sitting) = desk.table.sitting.as_mut().filter(|_| read_deals) {
            sitting.session.read_deals();
        }
        desk.table.follow_readers();
        // After a wish this is done anyway; here nobody has wished for anything yet.
        desk.table.hear(Instant::ZERO);
        desk
    }

    fn over(around: Surroundings, preferences: Preferences, book: Option<Book>) -> Self {
        let cards = DeskCards::new(Decks::among(&around.evenings));
        let files = Files::new(around.evenings.clone(), around.home.clone());
        Self {
            around,
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

    /// Reads the records' files: what was played this evening, and what can be carried on. It takes as long
    /// as the disk does, so that the loop does it and no screen.
    pub fn look(&mut self) {
        if let Some(book) = &mut self.book {
            book.read();
            self.table.cards.list();
        }
        self.version += 1;
    }

    // ---- what comes in ----

    /// Does what somebody wants.
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
            Wish::Way(number) => self.table.answer(|session| session.explanation_inputs(number), now),
            Wish::LookBack(line) => self.look_back(line),
            Wish::LookAt { path, id } => {
                let looked = self.look_at(&path, id);
                self.tell_failure(now, looked.map_err(|error| format!("{}: {error}", path.display())));
            }
            Wish::PutAway => (self.shelf, self.past) = (None, None),
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

    /// Time passes.
    pub fn time(&mut self, now: Instant) {
        self.catch_up();
        self.table.time(now);
    }

    /// The computer slept for so long.
    pub fn slept(&mut self, span: Millis, now: Instant) {
        self.table.slept(span, now);
    }

    /// When something is due, in the program's own time.
    pub fn deadline(&self) -> Option<Instant> {
        self.table.deadline()
    }

    /// Something that the board told.
    pub fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.table.board(event, now);
    }

    /// Something that happened at the card readers. While a deck is worked on its cards are not the table's.
    pub fn cards(&mut self, event: &CardEvent, now: Instant) {
        self.table.cards(event, &self.around, now);
    }

    /// What the loop has to do now.
    pub fn take_orders(&mut self) -> Vec<DeskOrder> {
        self.table.take_orders()
    }

    /// The table and what is around it, which devices tell of.
    fn table(&mut self) -> &mut TableSide {
        &mut self.table
    }

    /// How often anything has changed that a screen shows.
    pub fn version(&self) -> u64 {
        self.version + self.table.version
    }

    /// What fronts that print lines have not been given yet.
    pub fn take_news(&mut self) -> Vec<News> {
        self.table.talk.take_news()
    }

    /// Whether the program is to end.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// The program is to end.
    pub fn close(&mut self) {
        self.closing = true;
        self.version += 1;
    }

    // ---- matches ----

    /// Begins a match; `fresh`: nobody has seen yet what could be carried on.
    fn begin_first(&mut self, new: &NewMatch, fresh: bool, now: Instant) {
        let left = self.book.as_ref().and_then(Book::left_unfinished).filter(|_| fresh);
        let begun = self.begin(new, now);
        if let Some(text) = left.filter(|_| begun.is_ok()) {
            self.table.talk.push_notice(Notice { at: now, failed: true, text });
        }
        self.tell_failure(now, begun);
    }

    fn toss(&mut self, now: Instant) {
        match (self.around.coin)() {
            Ok(seat) => {
                let toss = self.coin.map_or(1, |coin| coin.toss + 1);
                self.coin = Some(Coin { seat, toss });
            }
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    fn begin(&mut self, new: &NewMatch, now: Instant) -> Result<(), String> {
        let new = NewMatch { position: self.position(&new.position)?, ..new.clone() };
        let start = new.start.clone().unwrap_or_else(|| (self.around.date)());
        let header = new.header(Some(&start))?;
        let deck = self.deck_called(new.deck.as_deref())?;
        self.book()?;
        self.leave(now);
        let book = self.book()?;
        let (keeping, other) = book.begin(&header.line())?;
        let record = book.record().to_owned();
        // It belongs to the evening from its beginning.
        book.changed(record.clone());
        if let Some(told) = other {
            self.table.talk.notice(now, Err(told));
        }
        let session = Session::new(header, Some(keeping), new.pgn.clone().map(PgnFile::keeper));
        self.sit(session, deck, (Some(record), Instant::ZERO), now);
        let mut settings = (**self.preferences.now()).clone();
        // The latest stands first: A before B, so that both sit as they sat.
        settings.remember_names([&*new.players.b, &*new.players.a].into_iter());
        settings.remember_terms(&new.game, &new.terms);
        if turns_cards_over(&new.game) {
            settings.deck.clone_from(&new.deck);
        }
        self.keep(settings, now);
        self.coin = None;
        Ok(())
    }

    /// The evening's records, which a desk for one table has not.
    fn book(&mut self) -> Result<&mut Book, String> {
        let none = "this desk is for one table alone; leave it, and begin or carry on a match of an evening";
        self.book.as_mut().ok_or_else(|| none.to_owned())
    }

    /// "As it stands on the board" becomes a FEN.
    fn position(&self, position: &Position) -> Result<Position, String> {
        let Position::AsItStands(to_move) = position else { return Ok(position.clone()) };
        let seen = self
            .table
            .boards
            .upright()
            .ok_or("no board is connected that could show a position; connect one")?;
        Ok(Position::Fen(tabiya_engine::rules::fen_of(&seen, *to_move)))
    }

    /// The keys to sealed cards, beside the records.
    fn keys(&self) -> Keyring {
        self.book.as_ref().map_or_else(|| Keyring::among(&self.around.evenings), Book::keys)
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
        let journal = Keeping::open(&path).map_err(|error| named(&error))?;
        let (info, kept) =
            evening::open(journal.reader(), id, &self.keys()).map_err(|error| named(&error))?;
        let saved = evening::stopped(&info);
        let keeping = Box::new(Keeping::carry_on(journal, &info, self.keys()));
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

    /// Sits down to a match whose record is that file, and which goes on at that moment.
    fn sit(&mut self, session: Session, deck: Option<Deck>, kept: (Option<PathBuf>, Instant), now: Instant) {
        self.table.talk.begin_anew();
        (self.past, self.shelf) = (None, None);
        self.table.sitting = Some(Sitting::new(session, deck, kept, now));
        self.table.introduce_board(now);
        self.table.introduce_readers(now);
    }

    /// Somebody leaves the table: a desk for one table has nothing left to do then.
    fn leave_table(&mut self, now: Instant) {
        if self.book.is_some() {
            self.leave(now);
        } else {
            self.close();
        }
    }

    /// Ends the sitting; the record stays, with the moment at which it was left.
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

    /// Lets everything go, safely written. How the table was left that somebody sat at, if somebody did.
    pub fn end(&mut self, now: Instant) -> Option<Parting> {
        let Sitting { mut session, time, .. } = self.table.sitting.take()?;
        // Leaving waits for nothing: what cannot be written now is told when the record is let go. What could not be
        // folded into one file is folded at the next start.
        drop(session.leave(time.of(now)));
        Some(Parting::of(session))
    }

    // ---- what is entered ----

    fn typed(&mut self, text: &str, now: Instant) {
        let Some(sitting) = &mut self.table.sitting else { return };
        match sitting.typed(text, now, &mut self.table.talk) {
            None => {}
            Some(Beyond::Leave) => self.leave_table(now),
            Some(Beyond::ReadBoard) => {
                if !self.table.boards.wanted() {
                    let told = "no board is connected; start with `--board`";
                    self.table.talk.print(News::Answer(told.to_owned()));
                }
                self.table.boards.order(DeskOrder::Read);
            }
        }
    }

    // ---- what is told ----

    /// Reads what has changed of the evening: it takes as long as the disk does, so that nobody waits for it.
    pub fn catch_up(&mut self) {
        // A game that has just ended belongs to the evening's results.
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

    /// Writes a text into a file, none of those in use.
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

    /// Writes the match that is looked at; returns a sentence that says where.
    fn export(&mut self, format: Format, path: &Path) -> Result<Sentence, String> {
        let session = || self.table.sitting.as_ref().map(|sitting| &sitting.session);
        let text = match (&self.shelf, session()) {
            (Some(taken), _) => format.text(&taken.replay, &taken.lines, Some(&taken.head)),
            (None, Some(session)) => {
                format.text(session.replay(), session.lines(), session.head().as_deref())
            }
            (None, None) => return Err("there is no match to write".to_owned()),
        };
        self.write(&with_ending(path, format.ending()), &text)
    }

    /// What somebody changed on a screen, on top of whatever was kept meanwhile.
    fn change(&mut self, before: &Settings, after: &Settings, now: Instant) {
        let merged = self.preferences.now().changed(before, after);
        self.keep(merged, now);
    }

    fn keep(&mut self, settings: Settings, now: Instant) {
        if let Err(sentence) = self.preferences.keep(settings) {
            self.notice(now, Err(sentence));
        }
    }

    /// All that the screens show at `now`.
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
                (Some(taken), _) => taken.past.told(),
                (None, Some(sitting)) => sitting.session.past().told(),
                (None, None) => Arc::default(),
            },
            on_shelf: self.shelf.is_some(),
            said: self.table.talk.said(),
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
