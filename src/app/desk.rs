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
mod demonstration;
mod devices;
mod draft;
mod export;
mod files;
mod finding;
mod front;
pub mod laws;
mod looking;
mod ordering;
mod own_cards;
mod pending;
mod preferences;
mod reporting;
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
use tabiya_engine::clock::ClockSide;
use tabiya_engine::record::card_file::OwnedCard;
use tabiya_engine::table::Input;
use tabiya_text::{Language, Words};
use tabiya_types::{BySeat, Card, Color, Instant, Millis, Seat, Sentence, say, shown};

pub use self::boards::{DeskOrder, MakerChoice, SimulatedMove, makers, upright};
use self::book::Book;
use self::cards::DeskCards;
pub use self::cards::{CardWish, Paper};
use self::demonstration::Demonstration;
pub use self::draft::{NewMatch, Position, check_deck, packs_of, turns_cards_over};
pub use self::export::{Format, match_sheet};
use self::files::{Files, with_ending};
pub use self::front::{Front, Latest, News};
use self::looking::ViewedMatch;
pub use self::ordering::{OrderAnswer, RefusedOrder, Reply};
use self::preferences::Preferences;
pub use self::reporting::ReportRequest;
pub use self::run::{Inbox, Loop, LoopError};
pub use self::running::{Running, start};
use self::sitting::{DeskRequest, Sitting};
use self::table::TableSide;
pub(crate) use self::talk::plain;
use super::session::{Infringement, InputFault, Session};
use super::sleep::Absence;
use super::snapshot::{
    Coin, DeviceStatus, DrawnPosition, FoundBoard, Notice, PastView, RecordView, Shuffled, SimulatedView,
    Snapshot,
};
use crate::deals;
use crate::own_cards::OwnCardFile;
use crate::seating::{self, Keeping, Seated};
use tabiya_store::decks::Decks;
use tabiya_store::journal::{Journal, JournalError};
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;
use tabiya_store::settings::Settings;

/// A request from people to the desk.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Begin a match.
    Begin(Box<NewMatch>),
    /// Show a short game that plays itself. Nothing of it is kept, and anybody may take over.
    Demonstrate,
    /// Toss a coin to decide who plays White.
    Toss,
    /// Draw a random deal of Poker Chess.
    Shuffle,
    /// Draw a start position of Chess960.
    DrawPosition,
    /// Throw the die for this player.
    Throw(Color),
    /// Whether this player wants to see what each move does to the poker hands. They are shown if both want it.
    Learn(Seat, bool),
    /// Carry on an unfinished match.
    CarryOn {
        /// The file that contains the match's record.
        path: PathBuf,
        /// The number of the match in the record's file.
        id: i64,
        /// The name of the deck of cards with NFC chips that is used from now on, if any.
        deck: Option<String>,
        /// The PGN file of the match, if one is kept. The file is rewritten within a second after each move.
        pgn: Option<PathBuf>,
    },
    /// Carry on the match in this file by the next request for it, although it went on in another file: people have agreed
    /// already.
    TakeOld(PathBuf),
    /// Show everything in this language until another one is chosen in the settings.
    Speak(Language),
    /// White's lever is on this side of the clock, in every match of this run, whatever the settings say.
    ClockSide(ClockSide),
    /// Copy every record of this run into this folder as it is written, whatever the settings say.
    Copy(PathBuf),
    /// Leave the match. Its record is kept, so that the match can be carried on later.
    Leave,
    /// End the program. Asks first if a game is running, like [`Wish::Leave`].
    Close,
    /// Enter these inputs in order, and stop at the first one that is refused.
    Do(Vec<Input>),
    /// Enter this input after asking once, even if it would not be asked about otherwise.
    DoIfSure(Input),
    /// Ask before this many of the last actions of the game are taken back. The question says which ones. With fewer
    /// actions, all of them are meant.
    TakeBack(usize),
    /// List the last actions of the game in the snapshots (`true`), or no longer (`false`).
    ListActions(bool),
    /// Decide as the Laws propose for this infringement, in the way with this number from 0. Does nothing if something else is
    /// proposed by now.
    Decide {
        /// Whose infringement it is.
        by: Color,
        /// What he did.
        of: Infringement,
        /// Which of the proposed rulings.
        choice: usize,
    },
    /// Let the last illegal move be, without a ruling.
    DropProposal,
    /// Correct a false piece (a piece that the player's card did not allow) by a ruling of the arbiter. The squares
    /// are given as typed text.
    Correct {
        /// The square on which the false piece was placed.
        at: String,
        /// The piece that should have been placed.
        piece: Card,
        /// The square for the right piece; empty if the right piece goes on the square `at`.
        on: String,
        /// The reason that is written to the record.
        reason: String,
    },
    /// Hold each seat's chips, as the players have counted them, against the stacks. A difference is asked about.
    Count(BySeat<u32>),
    /// Press the clock for this side, or with `None` for the side that may press now. A press without effect is
    /// ignored, so screens need not know whether an earlier press was accepted.
    Press(Option<Color>),
    /// Add time to one side's clock by a ruling of the arbiter. The clock's new time is computed when the ruling is
    /// entered, because no screen knows the current time on the clock to the millisecond.
    Gain {
        /// The side whose clock gets more time.
        by: Color,
        /// The time that is added, in ms; negative for time that is taken away. At least a second is left.
        gain: i64,
        /// The reason that is written to the record.
        reason: String,
    },
    /// Enter a typed line.
    Typed(String),
    /// Enter a line that was typed in the words or letters of another language.
    TypedIn {
        /// The line as people typed it, which refusals quote.
        typed: String,
        /// The same line in the words of the grammar.
        meant: String,
    },
    /// Answer yes to the open question.
    Yes,
    /// Answer no to the open question.
    No,
    /// Drop the open question, because the time for its answer is over.
    Lapse,
    /// Answer the open question by choosing the explanation with this number, counted from 1.
    Explanation(usize),
    /// Show the state of the match after this many lines of its record; `None` returns to the present.
    LookBack(Option<usize>),
    /// View a match from a file. This is possible while another match is being played.
    LookAt {
        /// The file that contains the match's record.
        path: PathBuf,
        /// The number of the match in the record's file.
        id: i64,
    },
    /// View the last match of this record file, a journal or JSON Lines.
    OpenRecord(PathBuf),
    /// Stop viewing a match from a file, and show the match being played again.
    StopViewing,
    /// Write a report of a fault to this file.
    Report(PathBuf),
    /// Export the match on the screen: in this format, to this file.
    Export(Format, PathBuf),
    /// Replace this file by the next request that writes to it: people have agreed already.
    Replace(PathBuf),
    /// Write the evening's results to a CSV file.
    Results(PathBuf),
    /// Write this text to a file.
    SaveText(String, PathBuf),
    /// Print this text on the system's printer.
    Print(String),
    /// Print the match sheet of the match on the screen.
    PrintMatch,
    /// Show the folder that contains this file, in the system's file manager.
    OpenFolder(PathBuf),
    /// Use this card file of Chess Joker from now on; with `None` none.
    UseCards(Option<PathBuf>),
    /// Write a card of Chess Joker into the user's card file, in the place of the one with the same code.
    KeepCard(Box<OwnedCard>),
    /// Change settings. The first value contains the settings that the screen showed, the second one the settings
    /// after the user's changes.
    Change(Box<Settings>, Box<Settings>),
    /// A request about the board.
    Board(BoardWish),
    /// A request about card readers and decks.
    Cards(CardWish),
}

impl Wish {
    /// Whether somebody plays with this wish: whoever does so at a game that plays itself takes over.
    fn is_play(&self) -> bool {
        matches!(
            self,
            Self::Do(_)
                | Self::DoIfSure(_)
                | Self::TakeBack(_)
                | Self::Correct { .. }
                | Self::Count(_)
                | Self::Press(_)
                | Self::Gain { .. }
                | Self::Decide { .. }
                | Self::Typed(_)
                | Self::TypedIn { .. }
        )
    }
}

/// A request about the board.
#[derive(Clone, PartialEq, Debug)]
pub enum BoardWish {
    /// Connect to the board at this address.
    Connect(String),
    /// Disconnect the board.
    Disconnect,
    /// Connect to the card-reader box at this address. The box's card readings, clock presses and buttons are used.
    Beside(LiveAddress),
    /// Read the board's complete position.
    Read,
    /// The clock beside the board stands the other way round than the table thinks.
    TurnClock,
    /// Search for boards.
    Discover,
    /// Act on the simulated board: move a piece, press its clock, or disconnect it.
    Move(SimulatedMove),
    /// Show the board's raw bytes (`true`), or stop showing them (`false`).
    Watch(bool),
    /// Save the board's raw bytes in this file from now on; `None` stops saving.
    Capture(Option<PathBuf>),
    /// Start to count how often each square changes (`true`), or stop counting (`false`).
    Test(bool),
}

/// Fills a buffer with random bytes; `Err` is a sentence that says why there are no random bytes.
pub type RandomSource = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send>;

/// How many of the last actions are listed, for people who take some back.
const LISTED: usize = 8;

/// What a desk needs from the system: the date, random numbers, and the paths of its files.
pub struct Environment {
    /// Returns the current date and time in RFC 3339 format, for a record's header; `Err` is a sentence that says why
    /// there is no usual date.
    pub date: Box<dyn Fn() -> Result<String, String> + Send>,
    /// Tosses a coin to choose the seat that plays White; `Err` is a sentence that says why there is no random number.
    pub coin: Box<dyn Fn() -> Result<Seat, String> + Send>,
    /// The source of random numbers for the ids of cards and decks.
    pub chance: RandomSource,
    /// The folder of the records. The decks are kept inside this folder, too.
    pub evenings: PathBuf,
    /// The path of the settings file.
    pub settings: PathBuf,
    /// The folder for exported files; `None` for the folder of the records.
    pub documents: Option<PathBuf>,
    /// The user's home folder, if there is one; `~` in a file's name means this folder.
    pub home: Option<PathBuf>,
    /// The system's language, such as `de_AT.UTF-8`. The screens use this language until somebody chooses another
    /// language.
    pub locale: String,
    /// The features with which the program was built, for a report of a fault.
    pub features: &'static [&'static str],
}

impl Environment {
    /// For a desk that keeps no files, such as that of simulated players: there is no date, no chance and no folder.
    pub fn without_files() -> Self {
        let none = "this table keeps no files and draws no chance";
        Self {
            date: Box::new(|| Err(none.to_owned())),
            coin: Box::new(|| Err(none.to_owned())),
            chance: Box::new(|_| Err(none.to_owned())),
            evenings: PathBuf::new(),
            settings: PathBuf::new(),
            documents: None,
            home: None,
            locale: String::new(),
            features: &[],
        }
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("evenings", &self.evenings).finish_non_exhaustive()
    }
}

/// A match that has already begun, for a desk that is used for this match only.
#[derive(Debug)]
pub struct SingleTable {
    /// The session of the match.
    pub session: Session,
    /// The match's own time at the moment when the desk's time is zero.
    pub at: Instant,
    /// The file of the match's record, if one is kept.
    pub record: Option<PathBuf>,
    /// The deck whose cards the readers recognise, if a deck is used.
    pub deck: Option<Deck>,
    /// Whether cards are read while they are dealt, and not only when they are turned over.
    pub read_deals: bool,
}

/// The final state of a match that people left.
#[derive(Debug)]
pub struct TableEnd {
    /// The prompt that names the next step of the match.
    pub prompt: Sentence,
    /// The number of lines in the match's record.
    pub lines: usize,
    /// The hash of the record's last line; `None` if no record is kept.
    pub head: Option<String>,
    /// The file in which the record went on, because its own file was removed or replaced; `None` if it was not.
    pub moved: Option<PathBuf>,
    /// The result of closing the record's file. Closing first merges the write-ahead log into the file.
    pub closed: Result<(), JournalError>,
}

impl TableEnd {
    /// Closes the record of a match that people have left, and returns the match's final state.
    pub fn of(session: Session) -> Self {
        let (prompt, lines, head) = (session.table().prompt(), session.lines().len(), session.head());
        let moved = session.record_moved().map(Path::to_owned);
        Self { prompt, lines, head, moved, closed: session.close() }
    }
}

/// The desk: the match being played, with the evening's record, the other files and the settings. A window or a
/// terminal is the desk's front end.
#[derive(Debug)]
pub struct Desk {
    environment: Environment,
    preferences: Preferences,
    /// The evening's records. The value is `None` for a desk that is used for one match only; leaving that match
    /// closes the desk.
    book: Option<Book>,
    /// The match being played, with its devices and cards.
    table: TableSide,
    past: Option<Arc<PastView>>,
    /// The match that somebody is viewing from a file, if any.
    shelf: Option<ViewedMatch>,
    coin: Option<Coin>,
    shuffled: Option<Shuffled>,
    drawn: Option<DrawnPosition>,
    closing: bool,
    /// Whether the snapshots list the last actions of the game.
    lists_actions: bool,
    /// The game that plays itself, while it is at the table.
    demonstration: Option<Demonstration>,
    files: Files,
    /// The user's card file of Chess Joker.
    own_cards: Arc<OwnCardFile>,
    /// The files from which a match went on elsewhere, and which people take all the same.
    old_taken: Vec<PathBuf>,
    /// The folder for copies of records that the command line named.
    copy: Option<PathBuf>,
    /// On which side of the clock White's lever is in this run, whatever the settings say.
    clock_side: Option<ClockSide>,
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
        let SingleTable { session, at, record, deck, read_deals } = seated;
        let mut desk = Self::over(around, Preferences::default(), None);
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
        let own_cards = Arc::new(OwnCardFile::open(preferences.now().cards.as_deref()));
        let exports = environment.documents.as_ref().unwrap_or(&environment.evenings);
        let files = Files::new(exports.clone(), environment.home.clone());
        Self {
            environment,
            preferences,
            book,
            table: TableSide::new(cards),
            past: None,
            shelf: None,
            coin: None,
            shuffled: None,
            drawn: None,
            closing: false,
            lists_actions: false,
            demonstration: None,
            files,
            own_cards,
            old_taken: Vec::new(),
            copy: None,
            clock_side: None,
            fresh: true,
            version: 0,
        }
    }

    /// Reads the record files: this evening's matches, and the unfinished matches that can be carried on. Only the
    /// loop calls this function, because a screen must not wait for a slow disk.
    pub fn look(&mut self) {
        if let Some(book) = &mut self.book {
            book.read();
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
        match wish {
            Wish::Demonstrate => self.demonstrate(now),
            Wish::Begin(new) => self.begin_first(&new, fresh, now),
            Wish::Toss => self.toss(now),
            Wish::Shuffle => self.shuffle(now),
            Wish::DrawPosition => self.draw_position(now),
            Wish::Throw(by) => self.throw(by, now),
            Wish::Learn(seat, on) => {
                self.table.at_table(|sitting, _| sitting.learners[seat] = on);
            }
            Wish::CarryOn { path, id, deck, pgn } => {
                let carried_on = self.carry_on(path, id, deck.as_deref(), pgn, now);
                self.tell_failure(now, carried_on);
            }
            Wish::TakeOld(path) => self.old_taken.push(path),
            Wish::Speak(language) => self.preferences.speak(language),
            Wish::ClockSide(side) => self.clock_side = Some(side),
            Wish::Copy(folder) => self.copy = Some(folder),
            Wish::Leave => self.leave_asked(now),
            Wish::Close => self.close_asked(),
            Wish::TakeBack(count) => {
                self.table.at_table(|sitting, talk| sitting.take_back(count, now, talk));
            }
            Wish::Do(inputs) => self.table.at_table(|sitting, talk| sitting.enter_said(inputs, now, talk)),
            Wish::DoIfSure(input) => {
                self.table.at_table(|sitting, talk| sitting.enter_if_sure(input, talk));
            }
            Wish::ListActions(on) => self.lists_actions = on,
            Wish::Decide { by, of, choice } => {
                let words = Words::of(self.preferences.now().language);
                self.table.at_table(|sitting, talk| sitting.decide((by, of), choice, &words, now, talk));
            }
            Wish::DropProposal => self.table.at_table(|sitting, _| sitting.drop_proposal()),
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
            Wish::Yes => {
                let request = self.table.yes(now);
                self.carry_out(request, now);
            }
            Wish::No => self.table.at_table(Sitting::no),
            Wish::Lapse => self.table.at_table(Sitting::lapse),
            Wish::Explanation(number) => {
                let TableSide { sitting, talk, .. } = &mut self.table;
                let request = sitting.as_mut().and_then(|sitting| sitting.answer(number, now, talk));
                self.carry_out(request, now);
            }
            Wish::LookBack(line) => self.look_back(line),
            Wish::LookAt { path, id } => {
                let looked = self.look_at(&path, id);
                let looked = looked.map_err(|error| format!("{}: {error}", tabiya_types::shown(&path)));
                self.tell_failure(now, looked);
            }
            Wish::OpenRecord(path) => {
                let opened = self.open_record(&path);
                self.tell_failure(now, opened);
            }
            Wish::StopViewing => (self.shelf, self.past) = (None, None),
            Wish::Replace(path) => self.files.replace(&path),
            Wish::Report(path) => self.report(&path),
            Wish::Export(format, path) => {
                let written = self.export(format, &path);
                self.table.talk.notice_file(now, written);
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
            Wish::PrintMatch => match self.exported(Format::Sheet) {
                Ok(text) => self.table.boards.order(DeskOrder::Print(text)),
                Err(sentence) => self.notice(now, Err(sentence)),
            },
            Wish::OpenFolder(path) => self.table.boards.order(DeskOrder::OpenFolder(path)),
            Wish::UseCards(path) => self.use_cards(path.as_deref(), now),
            Wish::KeepCard(card) => self.keep_card(&card, now),
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
    pub(crate) fn session(&self) -> Option<&Session> {
        self.table.sitting.as_ref().map(|sitting| &sitting.session)
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
        self.table.deadline().into_iter().chain(shown).min()
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
        self.table.cards(event, &self.environment, now);
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
        let left = self.book.as_ref().and_then(Book::left_unfinished).filter(|_| fresh);
        let begun = self.begin(new, now);
        if let Some(text) = left.filter(|_| begun.is_ok()) {
            self.table.talk.push_notice(Notice { at: now, failed: true, text, file: None });
        }
        if begun.is_ok() && self.drawn.is_some() && new.terms.get("chess960") == Some(&true.into()) {
            // The next match begins from another position.
            self.draw_position(now);
        }
        if let Err(sentence) = begun {
            self.table.talk.fail(now, sentence);
        }
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

    fn shuffle(&mut self, now: Instant) {
        match deals::random(&self.environment.chance) {
            Ok(cards) => {
                let draw = self.shuffled.as_ref().map_or(1, |last| last.draw + 1);
                self.shuffled = Some(Shuffled { cards, draw });
            }
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    fn draw_position(&mut self, now: Instant) {
        match deals::chess960(&self.environment.chance) {
            Ok(number) => {
                let draw = self.drawn.map_or(1, |last| last.draw + 1);
                self.drawn = Some(DrawnPosition { number, draw });
            }
            Err(sentence) => self.notice(now, Err(sentence)),
        }
    }

    /// Throws the die and enters the number, in a game that has one.
    fn throw(&mut self, by: Color, now: Instant) {
        let pips = match deals::throw(&self.environment.chance) {
            Ok(pips) => pips,
            Err(sentence) => return self.notice(now, Err(sentence)),
        };
        self.table.at_table(|sitting, talk| {
            let thrown = crate::words::thrown(sitting.session.table(), by, pips);
            sitting.enter_said(thrown.into_iter().map(Input::Game).collect(), now, talk);
        });
    }

    fn begin(&mut self, new: &NewMatch, now: Instant) -> Result<(), Sentence> {
        let position = self.position(&new.position).map_err(talk::plain)?;
        let new = self.with_cards(NewMatch { position, ..new.clone() })?;
        self.begin_with(&new, now).map_err(talk::plain)
    }

    /// Begins a match whose terms are complete.
    fn begin_with(&mut self, new: &NewMatch, now: Instant) -> Result<(), String> {
        let start = new.start.clone().map_or_else(|| (self.environment.date)(), Ok)?;
        let header = new.header(Some(&start))?;
        let deck = self.deck_called(new.deck.as_deref())?;
        deck.as_ref().map_or(Ok(()), |deck| check_deck(deck, &header.agreement))?;
        self.book()?;
        self.leave(now);
        let with = self.keeping(new.pgn.clone());
        let book = self.book()?;
        let Seated { session, at, told } = book.begin(&header, &with)?;
        let record = book.record().to_owned();
        // Marks the record's file as changed, so that the evening's list contains the new match at once.
        book.changed(record.clone());
        if let Some(told) = told {
            self.table.talk.notice(now, Err(told));
        }
        self.sit(session, deck, (Some(record), at), now);
        let mut settings = (**self.preferences.now()).clone();
        // `remember_names` puts the name that it gets last at the top of the list of names. Player A's name comes last
        // here, so that the next match's form suggests the same seats again.
        settings.remember_names([&*new.players.b, &*new.players.a].into_iter());
        let mut terms = new.terms.clone();
        // The card file is remembered by its path; what stands in it may change.
        terms.take("cards");
        settings.remember_terms(&new.game, &terms);
        if turns_cards_over(&new.game) {
            settings.deck.clone_from(&new.deck);
        }
        self.keep(settings, now);
        self.coin = None;
        Ok(())
    }

    /// The evening's records. `Err` if this desk is used for one match only and has no evening's records.
    fn book(&mut self) -> Result<&mut Book, String> {
        let none =
            "this program was started for one match only; quit it, then begin or carry on another match";
        self.book.as_mut().ok_or_else(|| none.to_owned())
    }

    /// Replaces [`Position::AsItStands`] by the FEN of the position on the board. `Err` if no board with a known
    /// position is connected.
    fn position(&self, position: &Position) -> Result<Position, String> {
        let Position::AsItStands(to_move) = position else { return Ok(position.clone()) };
        let seen = self
            .table
            .boards
            .upright()
            .ok_or("no board with a known position is connected; connect a board first")?;
        Ok(Position::Fen(tabiya_engine::rules::fen_of(&seen, *to_move)))
    }

    /// The keys that open sealed cards. They are kept in a folder next to the records.
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
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", tabiya_types::shown(&path));
        let journal = JournalKeeper::open(&path, &self.keys()).map_err(|error| named(&error))?;
        self.ask_about_old(&journal, id).map_err(|error| named(&error))?;
        let carried = seating::carry_on(journal, id, self.keeping(pgn));
        let Seated { session, at: saved, .. } = carried.map_err(|error| named(&error))?;
        deck.as_ref().map_or(Ok(()), |deck| check_deck(deck, session.table().agreement()))?;
        let name = deck.as_ref().map(|deck| deck.name().to_owned());
        let has_cards = turns_cards_over(session.table().agreement().game);
        self.sit(session, deck, (Some(path), saved), now);
        if has_cards {
            self.remember_deck(name.as_deref(), now);
        }
        Ok(())
    }

    /// Refuses once to carry on a match in a file from which it went on elsewhere. Whoever asks again means it.
    fn ask_about_old(&mut self, journal: &Journal, id: i64) -> Result<(), String> {
        let matches = journal.matches().map_err(|error| error.to_string())?;
        let Some(info) = matches.into_iter().find(|info| info.id.number() == id) else { return Ok(()) };
        let other = seating::goes_on(journal.reader(), &info, &self.keys());
        let Some(other) = other.map_err(|error| error.to_string())? else { return Ok(()) };
        let path = journal.path().to_owned();
        if self.old_taken.contains(&path) {
            return Ok(());
        }
        self.old_taken.push(path);
        let other = shown(&other);
        Err(format!(
            "this match goes on in {other}: choose that one, or carry this one on once more to take it all the same"
        ))
    }

    /// The folder into which records are copied as they are written: the one of the command line, or else that of the
    /// settings.
    fn copy_folder(&self) -> Option<PathBuf> {
        self.copy.clone().or_else(|| self.preferences.now().copy.clone())
    }

    /// What a match at this desk is kept and played with.
    fn keeping(&self, pgn: Option<PathBuf>) -> Keeping {
        let cards = self.own_cards.path.is_some().then(|| (*self.own_cards.file).clone());
        Keeping { keys: self.keys(), copy: self.copy_folder(), pgn, cards }
    }

    /// Makes the match of this session the match being played. `kept` contains the file of the match's record, if any,
    /// and the match's own time at the moment when play goes on.
    fn sit(&mut self, session: Session, deck: Option<Deck>, kept: (Option<PathBuf>, Instant), now: Instant) {
        self.table.talk.begin_anew();
        (self.past, self.shelf) = (None, None);
        self.table.sitting = Some(Sitting::new(session, deck, kept, now));
        self.table.introduce_board(now);
        self.table.introduce_readers(now);
        self.table.set_up_simulated();
        if let Some(side) = self.clock_side.or(self.preferences.now().clock_side) {
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
        if self.book.is_some() {
            self.leave(now);
        } else {
            self.close();
        }
    }

    /// Ends play in the current match, if any. The match's record keeps the time at which people left.
    fn leave(&mut self, now: Instant) {
        self.demonstration = None;
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
        let Some(sitting) = &mut self.table.sitting else { return };
        let request = sitting.typed(text, typed, now, &mut self.table.talk);
        self.carry_out(request, now);
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
            Some(DeskRequest::Report) => self.typed_report(),
            Some(DeskRequest::ReadBoard) => {
                if !self.table.boards.wanted() {
                    let told = say!("no-board", "no board is connected; start Tabiya with `--board`");
                    self.table.talk.answer(vec![told]);
                }
                self.table.boards.order(DeskOrder::Read);
            }
        }
    }

    // ---- what is told ----

    /// Reads the evening's files that have changed. The loop updates the screen before it calls this function, because
    /// a disk can be slow.
    pub fn catch_up(&mut self) {
        // A game that has just ended changes the evening's results, so the record's file must be read again.
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

    /// Writes a file. `Err` if the file cannot be written, or if the program itself uses it.
    fn write(&mut self, path: &Path, content: &[u8]) -> Result<PathBuf, String> {
        let evening = self.book.as_ref().map(Book::record);
        let played = self.table.sitting.as_ref().and_then(|sitting| sitting.record.as_deref());
        let cards = self.own_cards.path.as_deref();
        let used = evening.into_iter().chain(self.preferences.file()).chain(played).chain(cards);
        let used: Vec<&Path> = used.collect();
        self.files.write(path, content, &used)
    }

    fn save(&mut self, path: &Path, ending: &str, text: &str, now: Instant) {
        let written = self.write(&with_ending(path, ending), text.as_bytes());
        self.table.talk.notice_file(now, written);
    }

    /// Exports the match on the screen. Returns the path of the written file.
    fn export(&mut self, format: Format, path: &Path) -> Result<PathBuf, String> {
        let text = self.exported(format)?;
        self.write(&with_ending(path, format.ending()), text.as_bytes())
    }

    /// The match on the screen as text in this format.
    fn exported(&mut self, format: Format) -> Result<String, String> {
        let words = Words::of(self.preferences.now().language);
        Ok(match (&self.shelf, &mut self.table.sitting) {
            (Some(taken), _) => format.text(&taken.replay, &taken.lines, taken.proof(), &words),
            (None, Some(sitting)) => sitting
                .session
                .signed(|session, proof| format.text(session.replay(), session.lines(), proof, &words)),
            (None, None) => return Err("there is no match to export".to_owned()),
        })
    }

    /// Applies the differences between `before` and `after` to the current settings. The current settings may differ
    /// from `before`, because they may have changed after the screen showed them.
    fn change(&mut self, before: &Settings, after: &Settings, now: Instant) {
        let merged = self.preferences.now().changed(before, after);
        self.keep(merged, now);
    }

    fn keep(&mut self, settings: Settings, now: Instant) {
        if settings.clock_side != self.preferences.now().clock_side {
            self.clock_side = None;
            let side = settings.clock_side;
            self.table.at_table(|sitting, _| sitting.tell_clock_side(side, now));
        }
        if let Err(sentence) = self.preferences.keep(settings) {
            self.notice(now, Err(sentence));
        }
    }

    /// Returns everything that the screens show at `now`.
    pub fn snapshot(&self, now: Instant) -> Snapshot {
        let sitting = self.table.sitting.as_ref();
        let session = sitting.map(|sitting| &sitting.session);
        let table = sitting.map(|sitting| sitting.view(now));
        let shown = self.table.calm.is_shown(now);
        let correction = session.filter(|_| shown).and_then(Session::correction);
        let alerts = self.alerts(table.as_ref(), correction.as_ref(), now);
        let (board, cards) =
            (self.table.boards.view(session.map(Session::watch)), self.table.cards.view(session));
        let record = session.map(Session::record_status).unwrap_or_default();
        Snapshot {
            table: table.map(Arc::new),
            past: self.past.clone(),
            time: sitting.map(|sitting| sitting.time_shown(now)).unwrap_or_default(),
            moments: match (&self.shelf, sitting) {
                (Some(taken), _) => taken.past.narrated(),
                (None, Some(sitting)) => sitting.session.past().narrated(),
                (None, None) => Arc::default(),
            },
            moments_over: match (&self.shelf, sitting) {
                (Some(taken), _) => taken.past.match_over(),
                (None, Some(sitting)) => sitting.session.past().match_over(),
                (None, None) => false,
            },
            record: match (&self.shelf, session) {
                (Some(taken), _) => Some((taken.replay.header(), taken.replay.table())),
                (None, Some(session)) => Some((session.replay().header(), session.table())),
                (None, None) => None,
            }
            .map(|(header, table)| Arc::new(RecordView::of(header, table))),
            shows_other_match: self.shelf.is_some(),
            announcements: self.table.talk.said(),
            alerts: Arc::new(alerts),
            answer: self.table.talk.long_answer(),
            refused: self.table.talk.refused(),
            question: self.table.sitting.as_ref().and_then(Sitting::asked),
            differs: session.filter(|_| shown).and_then(Session::unexplained_board),
            last_actions: session
                .filter(|_| self.lists_actions)
                .map(|session| Arc::new(session.table().last_actions(LISTED))),
            coin: self.coin,
            shuffled: self.shuffled.clone(),
            drawn: self.drawn,
            devices: DeviceStatus::of(&board, &cards, record),
            board,
            cards,
            own_cards: self.own_cards.clone(),
            evening: self.book.as_ref().map(Book::view).unwrap_or_default(),
            found: self.table.boards.found(),
            search: self.table.boards.search,
            settings: self.preferences.now().clone(),
            notices: self.table.talk.notices(),
            demonstration: self.demonstration.is_some(),
            exports: self.files.folder().to_owned(),
            home: self.environment.home.clone(),
            closing: self.closing,
        }
    }
}
