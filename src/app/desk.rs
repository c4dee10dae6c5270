//! A table as a window needs it: people's wishes in, snapshots to draw out.
//!
//! Owns the running session, the evening's file and the settings; reads no clock (moments come with
//! what comes in) and opens no port: what it wants of the world outside it leaves as [`Order`]s, which
//! the loop in `desk/run.rs` carries out. Tests drive this same value with pretended time.

mod boards;
mod book;
mod cards;
mod devices;
mod draft;
mod export;
mod front;
mod looking;
mod preferences;
mod run;
mod running;
mod simulator;
mod talk;
#[cfg(test)]
mod tests;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use tabiya_engine::rules::{Action, Correct, Place};

pub use self::boards::{MakerChoice, Order, SimulatedMove, makers, upright};
pub use self::cards::CardWish;
pub use self::draft::{NewMatch, Position, turns_cards_over};
pub use self::export::Format;
pub use self::front::{Front, News};
pub use self::run::{Inbox, Loop, LoopError};
pub use self::running::{Running, start};
pub use super::past::ToldLine;

use self::boards::Boards;
use self::book::Book;
use self::cards::Cards;
use self::looking::Shelf;
use self::preferences::Preferences;
use self::talk::{Talk, plain};
use super::session::{Fault, Session};
use super::snapshot::{Asked, Coin, MatchTime, Notice, PastView, Snapshot, TableView};
use super::words::{self, Order as Spoken};
use crate::store::decks::Decks;
use crate::store::evening;
use crate::store::journal::JournalError;
use crate::store::keeper::Keeping;
use crate::store::keys::Keyring;
use crate::store::settings::Settings;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::driver::Order as BoardOrder;
use tabiya_cards::deck::Deck;
use tabiya_engine::record::sheet;
use tabiya_engine::table::{Audience, Input, Ruling};
use tabiya_types::{Card, Color, Instant, Millis, Seat, Sentence, Square};

/// How long the board has to differ from what should stand there before it is shown: a hand that moves
/// a piece is no trouble.
const CALM: Millis = Millis(1_000);

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
pub type Chance = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send>;

/// What a desk needs that is neither time nor rule: the date, chance, and where files lie.
pub struct Surroundings {
    /// The date and time for a header, as RFC 3339.
    pub date: Box<dyn Fn() -> String + Send>,
    /// The coin for colours.
    pub coin: Box<dyn Fn() -> Result<Seat, String> + Send>,
    /// Chance for cards' numbers: fills the bytes, or says why not.
    pub chance: Chance,
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

/// A match that is played.
#[derive(Debug)]
struct Sitting {
    session: Session,
    time: MatchTime,
    /// The file that its record is kept in, if one is.
    record: Option<PathBuf>,
    /// How many of its games were over when the evening was read.
    finished: usize,
}

impl Sitting {
    /// The match's time as the screens have it.
    fn time_shown(&self, now: Instant) -> MatchTime {
        let at = self.time.of(now);
        let shown = self.session.moment_shown(at);
        MatchTime { stands: (shown != at).then_some(shown), ..self.time }
    }

    fn view(&self, now: Instant) -> TableView {
        let view = TableView::of_session(&self.session, self.time.of(now));
        TableView { acts: self.session.past().acts(), ..view }
    }

    /// The same input; where the rules want a word said with it, the screen says it for the player.
    fn said_too(&self, input: Input) -> Input {
        match input {
            Input::Game(Action::Place(place)) if place.says.is_none() => {
                let game = self.session.table().game();
                let says = game.placement().and_then(|placement| placement.announcement(&place));
                Action::Place(Place { says, ..place }).into()
            }
            input => input,
        }
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
    sitting: Option<Sitting>,
    past: Option<Arc<PastView>>,
    /// A match of the evening that somebody looks at.
    shelf: Option<Shelf>,
    talk: Talk,
    coin: Option<Coin>,
    boards: Boards,
    cards: Cards,
    closing: bool,
    /// Since when the board has differed from what should stand there.
    wrong_since: Option<Instant>,
    /// When that is to be shown.
    calm_due: Option<Instant>,
    /// The file that somebody wants to write over, until it is asked for once more.
    replacing: Option<PathBuf>,
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
            desk.talk.notice(Instant::ZERO, Err(trouble));
        }
        desk
    }

    /// A desk for this table alone. It keeps no settings and reads no other records.
    pub fn at_table(around: Surroundings, seated: Seated) -> Self {
        let Seated { session, at, record, deck, read_deals } = seated;
        let mut desk = Self::over(around, Preferences::default(), None);
        desk.sit(session, deck, (record, at), Instant::ZERO);
        if let Some(sitting) = desk.sitting.as_mut().filter(|_| read_deals) {
            sitting.session.read_deals();
        }
        desk.follow_readers();
        desk
    }

    fn over(around: Surroundings, preferences: Preferences, book: Option<Book>) -> Self {
        let cards = Cards::new(Decks::among(&around.evenings));
        Self {
            around,
            preferences,
            book,
            sitting: None,
            past: None,
            shelf: None,
            talk: Talk::default(),
            coin: None,
            boards: Boards::default(),
            cards,
            closing: false,
            wrong_since: None,
            calm_due: None,
            replacing: None,
            fresh: true,
            version: 0,
        }
    }

    /// Reads the records' files: what was played this evening, and what can be carried on. It takes as long
    /// as the disk does, so that the loop does it and no screen.
    pub fn look(&mut self) {
        if let Some(book) = &mut self.book {
            book.read();
            self.cards.list();
        }
        self.version += 1;
    }

    // ---- what comes in ----

    /// Does what somebody wants.
    pub fn wish(&mut self, wish: Wish, now: Instant) {
        self.version += 1;
        let fresh = std::mem::take(&mut self.fresh);
        match wish {
            Wish::Begin(new) => {
                let left = self.book.as_ref().and_then(Book::left_unfinished).filter(|_| fresh);
                let begun = self.begin(&new, now);
                if let Some(text) = left.filter(|_| begun.is_ok()) {
                    self.talk.push_notice(Notice { at: now, failed: true, text });
                }
                self.tell_failure(now, begun);
            }
            Wish::Toss => match (self.around.coin)() {
                Ok(seat) => {
                    let toss = self.coin.map_or(1, |coin| coin.toss + 1);
                    self.coin = Some(Coin { seat, toss });
                }
                Err(sentence) => self.notice(now, Err(sentence)),
            },
            Wish::CarryOn { path, id, deck, pgn } => {
                let carried_on = self.carry_on(path, id, deck.as_deref(), pgn, now);
                self.tell_failure(now, carried_on);
            }
            Wish::Leave => self.leave_table(now),
            Wish::Do(inputs) => self.enter_said(inputs, now),
            Wish::Correct { at, piece, on, reason } => self.correct((&at, piece, &on), reason, now),
            Wish::Press(by) => {
                if let Some(press) = self.sitting.as_ref().and_then(|sitting| sitting.session.press_of(by)) {
                    self.enter(&[press], now);
                }
            }
            Wish::Gain { by, gain, reason } => self.give(by, gain, &reason, now),
            Wish::Typed(text) => self.typed(&text, now),
            Wish::Yes => self.answer(Session::yes, now),
            Wish::No => {
                if let Some(sitting) = &mut self.sitting {
                    sitting.session.no();
                }
            }
            Wish::Way(number) => self.answer(|session| session.way(number), now),
            Wish::LookBack(line) => self.look_back(line),
            Wish::LookAt { path, id } => {
                if let Err(sentence) = self.look_at(&path, id) {
                    self.notice(now, Err(format!("{}: {sentence}", path.display())));
                }
            }
            Wish::PutAway => (self.shelf, self.past) = (None, None),
            Wish::Export(format, path) => {
                let written = self.export(format, &path);
                self.notice(now, written);
            }
            Wish::Results(path) => {
                let csv = self.book.as_ref().map(|book| book.view().csv()).unwrap_or_default();
                let written = self.write(&export::with_ending(&path, "csv"), &csv);
                self.notice(now, written);
            }
            Wish::SaveText(text, path) => {
                let written = self.write(&export::with_ending(&path, "txt"), &text);
                self.notice(now, written);
            }
            Wish::Print(text) => self.boards.order(Order::Print(text)),
            Wish::Change(before, after) => self.change(&before, &after, now),
            Wish::Board(wish) => self.board_wish(wish, now),
            Wish::Cards(wish) => self.card_wish(wish, now),
        }
        self.follow_readers();
        self.hear(now);
        self.watch_board(now);
    }

    /// Time passes.
    pub fn time(&mut self, now: Instant) {
        self.catch_up();
        let before = self.shown(now);
        if let Some(sitting) = &mut self.sitting {
            sitting.session.time(sitting.time.of(now));
        }
        self.hear(now);
        self.watch_board(now);
        let calm = self.calm_due.take_if(|due| *due <= now).is_some();
        // A moment that is only saved for a start after a crash shows nowhere.
        if calm || before != self.shown(now) {
            self.version += 1;
        }
    }

    /// What the clock behind the board is to show and do now.
    pub fn board_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.board_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// What the box beside the board is to show now.
    pub fn box_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.box_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// The computer slept for so long.
    pub fn slept(&mut self, span: Millis, now: Instant) {
        if let Some(sitting) = &mut self.sitting {
            sitting.session.slept(span, sitting.time.of(now));
            self.hear(now);
            self.version += 1;
        }
    }

    /// What time alone can change of all that a screen shows.
    fn shown(&self, now: Instant) -> (u64, Option<(usize, bool, bool)>, bool) {
        let of = |sitting: &Sitting| {
            let at = sitting.time.of(now);
            let session = &sitting.session;
            (session.lines().len(), session.question().is_some(), session.moment_shown(at) != at)
        };
        (self.talk.heard(), self.sitting.as_ref().map(of), self.wrong_since.is_some())
    }

    /// When something is due, in the program's own time.
    pub fn deadline(&self) -> Option<Instant> {
        let sitting = self.sitting.as_ref()?;
        let due = sitting.session.deadline().map(|due| sitting.time.base + due.since(sitting.time.at));
        due.into_iter().chain(self.calm_due).min()
    }

    /// How often anything has changed that a screen shows.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What fronts that print lines have not been given yet.
    pub fn take_news(&mut self) -> Vec<News> {
        self.talk.take_news()
    }

    /// The program is to end.
    pub fn close(&mut self) {
        self.closing = true;
        self.version += 1;
    }

    /// Keeps in mind since when the board differs from what should stand there.
    fn watch_board(&mut self, now: Instant) {
        let wrong = self.sitting.as_ref().is_some_and(|sitting| sitting.session.guidance().is_some());
        if !wrong {
            (self.wrong_since, self.calm_due) = (None, None);
        } else if self.wrong_since.is_none() {
            (self.wrong_since, self.calm_due) = (Some(now), Some(now + CALM));
        }
    }

    // ---- matches ----

    fn begin(&mut self, new: &NewMatch, now: Instant) -> Result<(), String> {
        let new = NewMatch { position: self.position(&new.position)?, ..new.clone() };
        let start = new.start.clone().unwrap_or_else(|| (self.around.date)());
        let header = new.header(Some(&start))?;
        let deck = self.deck_called(new.deck.as_deref())?;
        if self.book.is_none() {
            return Err("no other match can be begun at this table; leave it, and begin one".to_owned());
        }
        self.leave(now);
        let Some(book) = &mut self.book else { return Ok(()) };
        let (keeping, other) = book.begin(&header.line())?;
        let record = book.record().to_owned();
        // It belongs to the evening from its beginning.
        book.changed(record.clone());
        if let Some(told) = other {
            self.talk.notice(now, Err(told));
        }
        let session = Session::new(header, Some(keeping), new.pgn.clone());
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

    /// "As it stands on the board" becomes a FEN.
    fn position(&self, position: &Position) -> Result<Position, String> {
        let Position::AsItStands(to_move) = position else { return Ok(position.clone()) };
        let seen =
            self.boards.upright().ok_or("no board is connected that could show a position; connect one")?;
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
        self.leave(now);
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let journal = Keeping::open(&path).map_err(|error| named(&error))?;
        let (info, kept) =
            evening::open(journal.reader(), id, &self.keys()).map_err(|error| named(&error))?;
        let saved = evening::stopped(&info);
        let keeping = Box::new(Keeping::carry_on(journal, &info, self.keys()));
        let mut session = Session::carry_on(kept.header, kept.lines, saved, Some(keeping), pgn)
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
    fn sit(
        &mut self,
        mut session: Session,
        deck: Option<Deck>,
        (record, at): (Option<PathBuf>, Instant),
        now: Instant,
    ) {
        if let Some(deck) = deck {
            session.use_deck(deck);
        }
        let time = MatchTime { base: now, at, stands: None };
        self.talk.begin_anew();
        (self.past, self.shelf) = (None, None);
        let finished = finished(&session);
        self.sitting = Some(Sitting { session, time, record, finished });
        self.introduce_board(now);
        self.introduce_readers(now);
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
        let Some(mut sitting) = self.sitting.take() else { return };
        if let Err(fault) = sitting.session.leave(sitting.time.of(now)) {
            self.talk.notice(now, Err(fault.sentence().to_string()));
        }
        if let Err(error) = sitting.session.close() {
            self.talk.notice(now, Err(error.to_string()));
        }
        (self.past, self.shelf) = (None, None);
        if let Some(book) = &mut self.book {
            book.read();
        }
    }

    /// Lets everything go, safely written. How the table was left that somebody sat at, if somebody did.
    pub fn end(&mut self, now: Instant) -> Option<Parting> {
        let Sitting { mut session, time, .. } = self.sitting.take()?;
        // Leaving waits for nothing: what cannot be written now is told when the record is let go. What could not be
        // folded into one file is folded at the next start.
        drop(session.leave(time.of(now)));
        Some(Parting::of(session))
    }

    // ---- inputs ----

    /// Inputs in their order until one is refused, each with the word that the rules want said.
    fn enter_said(&mut self, inputs: Vec<Input>, now: Instant) {
        let Some(sitting) = &self.sitting else { return };
        let inputs: Vec<Input> = inputs.into_iter().map(|input| sitting.said_too(input)).collect();
        self.enter(&inputs, now);
    }

    /// A correction whose squares people typed.
    fn correct(&mut self, (at, piece, on): (&str, Card, &str), reason: String, now: Instant) {
        let Some(sitting) = &self.sitting else { return };
        let to = sitting.session.table().audience_of_faults();
        let square = |text: &str| text.trim().to_lowercase().parse::<Square>();
        let on = Some(on).filter(|on| !on.trim().is_empty()).map(square).transpose();
        match square(at).and_then(|at| Ok((at, on?))) {
            Ok((at, on)) => {
                let correct = Correct { by: None, at, piece, on, reason: Some(reason) };
                self.enter(&[Action::Correct(correct).into()], now);
            }
            Err(error) => self.talk.refuse(to, plain(error.to_string()), Vec::new()),
        }
    }

    fn give(&mut self, by: Color, gain: Millis, reason: &str, now: Instant) {
        let Some(sitting) = &self.sitting else { return };
        let Some(left) = sitting.session.table().reading(by, sitting.time.of(now)) else { return };
        let mut ruling = Ruling::because(reason);
        ruling.clock_ms[by] = Some((left + gain).0);
        self.enter(&[ruling.into()], now);
    }

    fn answer(&mut self, answer: impl FnOnce(&Session) -> Vec<Input>, now: Instant) {
        let inputs = self.sitting.as_ref().map(|sitting| answer(&sitting.session)).unwrap_or_default();
        self.enter(&inputs, now);
    }

    fn typed(&mut self, text: &str, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        match words::read(text, &sitting.session, at) {
            Ok(Spoken::Do(inputs)) => {
                if self.enter(&inputs, now) {
                    self.hear(now);
                    self.tell_next();
                }
            }
            Ok(Spoken::No) => {
                let asked = sitting.session.no();
                let told = if asked { "as you say: nothing is changed" } else { "nothing was asked" };
                self.talk.print(News::Answer(told.to_owned()));
            }
            Ok(Spoken::Unread) => sitting.session.dealt_unread(at),
            Ok(Spoken::Misdeal) => sitting.session.misdeal(),
            Ok(Spoken::Open(game, reason)) => sitting.session.open_sealed(game, &reason, at),
            Ok(Spoken::ReadBoard) => self.read_board(),
            Ok(Spoken::Help) => self.talk.answer(words::HELP),
            Ok(Spoken::Legal) => {
                let table = sitting.session.table();
                let legal = words::completions("", &table.legal(), table.clock().paused());
                self.talk.answer(&legal.join(", "));
            }
            Ok(Spoken::Sheet) => {
                let (header, head) = (sitting.session.replay().header(), sitting.session.head());
                self.talk.print(News::Answer(sheet::text(header, head.as_deref())));
            }
            Ok(Spoken::Show) => self.talk.print(News::Show(at)),
            Ok(Spoken::Nothing) => {}
            Ok(Spoken::Quit) => self.leave_table(now),
            Err(sentence) => self.talk.refuse(Audience::Players, plain(sentence), Vec::new()),
        }
    }

    /// What comes next, after a line that was taken.
    fn tell_next(&mut self) {
        if let Some(sitting) = &self.sitting {
            self.talk.print(News::Next(sitting.session.table().prompt().harmless()));
        }
    }

    fn read_board(&mut self) {
        if !self.boards.wanted() {
            self.talk.print(News::Answer("no board is connected; start with `--board`".to_owned()));
        }
        self.boards.order(Order::Read);
    }

    /// Takes these inputs in their order until one is refused. Whether all were taken.
    fn enter(&mut self, inputs: &[Input], now: Instant) -> bool {
        let Some(sitting) = &mut self.sitting else { return false };
        let at = sitting.time.of(now);
        if let Some(wait) = sitting.session.hold(inputs) {
            let to = sitting.session.table().audience_of_faults();
            self.talk.refuse(to, wait, Vec::new());
            return false;
        }
        self.talk.accept();
        for input in inputs {
            let Err(fault) = sitting.session.enter(input, at) else { continue };
            let to = sitting.session.audience_of(&fault);
            let squares = match &fault {
                Fault::Refused(violation) => violation.squares.clone(),
                Fault::NotWritten(_) | Fault::NotSealed(_) => Vec::new(),
            };
            self.hear(now);
            self.talk.refuse(to, fault.sentence(), squares);
            return false;
        }
        true
    }

    // ---- what is told ----

    /// Takes what the session has to tell.
    fn hear(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let new = sitting.session.take_said();
        let missing = new.iter().find(|said| said.text.id() == "clock-missing").map(|said| said.text.clone());
        self.talk.hear(new);
        // A game that has just ended belongs to the evening's results.
        let finished = finished(&sitting.session);
        if std::mem::replace(&mut sitting.finished, finished) != finished
            && let (Some(book), Some(record)) = (&mut self.book, &sitting.record)
        {
            book.changed(record.clone());
        }
        if let Some(text) = missing {
            // The clock's face has no place for what is said.
            self.talk.push_notice(Notice { at: now, failed: true, text });
        }
    }

    /// Reads what has changed of the evening: it takes as long as the disk does, so that nobody waits for it.
    pub fn catch_up(&mut self) {
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
        self.talk.notice(at, text);
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
        let sitting = self.sitting.as_ref();
        let session = sitting.map(|sitting| &sitting.session);
        let table = sitting.map(|sitting| sitting.view(now));
        let shown = self.wrong_since.is_some_and(|since| since + CALM <= now);
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
            said: self.talk.said(),
            refused: self.talk.refused(),
            question: session.and_then(Asked::of_session),
            trouble,
            coin: self.coin,
            board: self.boards.view(session),
            cards: self.cards.view(session),
            evening: self.book.as_ref().map(Book::view).unwrap_or_default(),
            found: self.boards.found(),
            settings: self.preferences.now().clone(),
            notices: self.talk.notices(),
            closing: self.closing,
        }
    }
}

/// How many games of a match are over.
fn finished(session: &Session) -> usize {
    let table = session.table();
    table.past_games().len() + usize::from(table.game().outcome().is_some())
}
