//! A table as a window needs it: people's wishes in, snapshots to draw out.
//!
//! Owns the running session, the evening's file and the settings; reads no clock (moments come with
//! what comes in) and opens no port: what it wants of the world outside it leaves as [`Order`]s, which
//! the loop in `desk/run.rs` carries out. Tests drive this same value with pretended time.

mod boards;
mod cards;
mod draft;
mod export;
mod looking;
mod run;
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
pub use self::looking::ToldLine;
pub use self::run::{Running, start};

use self::boards::Boards;
use self::cards::Cards;
use self::looking::{Shelf, Told};
use super::decks::Decks;
use super::evening::{self, EveningView, Unfinished};
use super::journal::{Keeper, Keeping};
use super::keys::Keyring;
use super::session::{Fault, Said, Session};
use super::settings::Settings;
use super::snapshot::{Asked, Coin, MatchTime, Notice, PastView, Refused, Snapshot, TableView};
use super::words::{self, Order as Spoken};
use tabiya_boards::driver::Order as BoardOrder;
use tabiya_cards::deck::Deck;
use tabiya_engine::table::{Audience, Input, Ruling};
use tabiya_types::{Card, Color, Instant, Millis, Seat, Sentence, Square, say};

/// How many of the things that were said are kept for the screens.
const SAID: usize = 200;
/// How many notices are kept.
const NOTICES: usize = 20;
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
    told: Told,
    /// The file that its record is kept in.
    record: PathBuf,
    /// How many of its games were over when the evening was read.
    finished: usize,
}

impl Sitting {
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

/// The desk that a window is the front of.
#[derive(Debug)]
pub struct Desk {
    around: Surroundings,
    settings: Arc<Settings>,
    record: PathBuf,
    /// Whether somebody named that file.
    named: bool,
    sitting: Option<Sitting>,
    past: Option<Arc<PastView>>,
    /// A match of the evening that somebody looks at.
    shelf: Option<Shelf>,
    said: Arc<Vec<Said>>,
    notices: Arc<Vec<Notice>>,
    refused: Option<Arc<Refused>>,
    coin: Option<Coin>,
    evening: Arc<EveningView>,
    /// A file of it in which something has changed since it was read.
    stale: Option<PathBuf>,
    boards: Boards,
    cards: Cards,
    closing: bool,
    /// Since when the board has differed from what should stand there.
    wrong_since: Option<Instant>,
    /// When that is to be shown.
    calm_due: Option<Instant>,
    /// How many things were said.
    heard: u64,
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
        let (settings, trouble) = Settings::open(&around.settings, &around.locale);
        let named = record.is_some();
        let date: String = (around.date)().chars().take(10).collect();
        let record = record.unwrap_or_else(|| around.evenings.join(format!("{date}.tabiya")));
        let cards = Cards::new(Decks::among(&around.evenings));
        let mut desk = Self {
            around,
            settings: Arc::new(settings),
            record,
            named,
            sitting: None,
            past: None,
            shelf: None,
            said: Arc::default(),
            notices: Arc::default(),
            refused: None,
            coin: None,
            evening: Arc::default(),
            stale: None,
            boards: Boards::default(),
            cards,
            closing: false,
            wrong_since: None,
            calm_due: None,
            heard: 0,
            replacing: None,
            fresh: true,
            version: 0,
        };
        if let Some(trouble) = trouble {
            desk.notice(Instant::ZERO, Err(trouble));
        }
        desk
    }

    /// Reads the records' files: what was played this evening, and what can be carried on. It takes as long
    /// as the disk does, so that the loop does it and no screen.
    pub fn look(&mut self) {
        self.read_evening();
        self.cards.list();
        self.version += 1;
    }

    // ---- what comes in ----

    /// Does what somebody wants.
    pub fn wish(&mut self, wish: Wish, now: Instant) {
        self.version += 1;
        let fresh = std::mem::take(&mut self.fresh);
        match wish {
            Wish::Begin(new) => {
                let left = self.left_unfinished().filter(|_| fresh);
                let begun = self.begin(&new, now);
                if let Some(text) = left.filter(|_| begun.is_ok()) {
                    self.push_notice(Notice { at: now, failed: true, text });
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
            Wish::CarryOn { path, id, deck } => {
                let carried_on = self.carry_on(path, id, deck.as_deref(), now);
                self.tell_failure(now, carried_on);
            }
            Wish::Leave => self.leave(now),
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
                let csv = self.evening.csv();
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
        (self.heard, self.sitting.as_ref().map(of), self.wrong_since.is_some())
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
        let header = new.header(Some(&(self.around.date)()))?;
        let deck = self.deck_called(new.deck.as_deref())?;
        self.leave(now);
        let keeping = self.new_record(&header.line(), now)?;
        let session = Session::new(header, Some(keeping), None);
        self.sit(session, deck, (self.record.clone(), Instant::ZERO), now);
        // It belongs to the evening from its beginning.
        self.stale = Some(self.record.clone());
        let mut settings = (*self.settings).clone();
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

    /// That the evening's last match waits to be carried on, if it does. Whoever begins another without
    /// having seen the first screen (`tabiya clock` after a crash) has to be told.
    fn left_unfinished(&self) -> Option<Sentence> {
        let last = self.evening.matches.last()?;
        let is_last = |left: &&Unfinished| left.path == self.record && left.id == last.id;
        let left = self.evening.unfinished.iter().find(is_last)?;
        let (a, b) = (left.players.a.clone(), left.players.b.clone());
        let stopped = Millis(left.stopped.millis()).to_string();
        Some(say!(
            "last-unfinished",
            "the last match ({a} – {b}) is unfinished, stopped at {stopped}; to carry it on, leave this one and choose it on the first screen",
            a,
            b,
            stopped
        ))
    }

    /// "As it stands on the board" becomes a FEN.
    fn position(&self, position: &Position) -> Result<Position, String> {
        let Position::AsItStands(to_move) = position else { return Ok(position.clone()) };
        let seen =
            self.boards.upright().ok_or("no board is connected that could show a position; connect one")?;
        Ok(Position::Fen(tabiya_engine::rules::fen_of(&seen, *to_move)))
    }

    /// A match in the evening's file. Where that is damaged, or another program has it open, another file of
    /// the same evening is begun, unless the file was named.
    fn new_record(&mut self, header: &str, now: Instant) -> Result<Box<dyn Keeper>, String> {
        if let Some(folder) = self.record.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                let folder = folder.display();
                format!("{folder}: no record can be kept here ({error}); name another folder in TABIYA_DATA and start again")
            })?;
        }
        let first = self.record.clone();
        let mut failed = match keep_in(&first, header, self.keys()) {
            Ok(keeping) => return Ok(keeping),
            Err(sentence) => sentence,
        };
        for number in 2..10 {
            if self.named || !first.exists() {
                break;
            }
            let stem = first.file_stem().unwrap_or_default().to_string_lossy();
            let other = first.with_file_name(format!("{stem}-{number}.tabiya"));
            match keep_in(&other, header, self.keys()) {
                Ok(keeping) => {
                    self.notice(now, Err(format!("{failed}; this match is kept in {}", other.display())));
                    self.record = other;
                    return Ok(keeping);
                }
                Err(sentence) => failed = sentence,
            }
        }
        Err(failed)
    }

    /// The keys to sealed cards, beside the records.
    fn keys(&self) -> Keyring {
        Keyring::among(&self.around.evenings)
    }

    fn carry_on(&mut self, path: PathBuf, id: i64, deck: Option<&str>, now: Instant) -> Result<(), String> {
        let deck = self.deck_called(deck)?;
        self.leave(now);
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let journal = Keeping::open(&path).map_err(|error| named(&error))?;
        let (info, kept) =
            evening::open(journal.reader(), id, &self.keys()).map_err(|error| named(&error))?;
        let saved = evening::stopped(&info);
        let keeping = Box::new(Keeping::carry_on(journal, &info, self.keys()));
        let mut session = Session::carry_on(kept.header, kept.lines, saved, Some(keeping), None)
            .map_err(|fault| format!("the match cannot be carried on: {fault}"))?;
        session.tell_closed(kept.closed.as_ref());
        let name = deck.as_ref().map(|deck| deck.name().to_owned());
        let has_cards = turns_cards_over(session.table().agreement().game);
        self.sit(session, deck, (path, saved), now);
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
        (record, at): (PathBuf, Instant),
        now: Instant,
    ) {
        if let Some(deck) = deck {
            session.use_deck(deck);
        }
        let time = MatchTime { base: now, at, stands: None };
        (self.said, self.refused, self.past, self.shelf) = (Arc::default(), None, None, None);
        let (told, finished) = (Told::new(session.replay().header().clone()), finished(&session));
        self.sitting = Some(Sitting { session, time, told, record, finished });
        self.introduce_board(now);
        self.introduce_readers(now);
    }

    /// Ends the sitting; the record stays, with the moment at which it was left.
    fn leave(&mut self, now: Instant) {
        let Some(mut sitting) = self.sitting.take() else { return };
        if let Err(fault) = sitting.session.leave(sitting.time.of(now)) {
            self.notice(now, Err(fault.sentence().to_string()));
        }
        if let Err(error) = sitting.session.close() {
            self.notice(now, Err(error.to_string()));
        }
        (self.past, self.shelf) = (None, None);
        self.read_evening();
    }

    fn read_evening(&mut self) {
        self.stale = None;
        self.evening = Arc::new(evening::look(&self.around.evenings, &self.record));
    }

    /// Lets everything go, safely written.
    pub fn end(&mut self, now: Instant) {
        if let Some(mut sitting) = self.sitting.take() {
            // Nobody is there any more who could be told of a failure. What could not be folded into one
            // file is folded at the next start.
            drop(sitting.session.leave(sitting.time.of(now)));
            drop(sitting.session.close());
        }
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
            Err(error) => self.refuse(to, plain(error.to_string()), Vec::new()),
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
            Ok(Spoken::Do(inputs)) => self.enter(&inputs, now),
            Ok(Spoken::No) => drop(sitting.session.no()),
            Ok(Spoken::Unread) => sitting.session.dealt_unread(at),
            Ok(Spoken::Misdeal) => sitting.session.misdeal(),
            Ok(Spoken::Open(game, reason)) => sitting.session.open_sealed(game, &reason, at),
            Ok(Spoken::ReadBoard) => self.boards.order(Order::Read),
            Ok(Spoken::Help) => self.say(words::HELP),
            Ok(Spoken::Legal) => {
                let legal = words::completions("", &sitting.session).join(", ");
                self.say(&legal);
            }
            Ok(Spoken::Show | Spoken::Sheet | Spoken::Nothing) => {}
            Ok(Spoken::Quit) => self.leave(now),
            Err(sentence) => self.refuse(Audience::Players, plain(sentence), Vec::new()),
        }
    }

    fn enter(&mut self, inputs: &[Input], now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        if let Some(wait) = sitting.session.hold(inputs) {
            let to = sitting.session.table().audience_of_faults();
            self.refuse(to, wait, Vec::new());
            return;
        }
        self.refused = None;
        for input in inputs {
            if let Err(fault) = sitting.session.enter(input, at) {
                let to = sitting.session.audience_of(&fault);
                let squares = match &fault {
                    Fault::Refused(violation) => violation.squares.clone(),
                    Fault::NotWritten(_) | Fault::NotSealed(_) => Vec::new(),
                };
                self.refuse(to, fault.sentence(), squares);
                return;
            }
        }
    }

    fn refuse(&mut self, to: Audience, text: Sentence, squares: Vec<tabiya_types::Square>) {
        self.refused = Some(Arc::new(Refused { to, text: text.harmless(), squares }));
    }

    // ---- what is told ----

    fn say(&mut self, text: &str) {
        let said = text.lines().map(|line| Said { to: Audience::Players, text: plain(line.to_owned()) });
        Arc::make_mut(&mut self.said).extend(said);
    }

    /// Takes what the session has to tell.
    fn hear(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        sitting.told.follow(sitting.session.lines());
        let new = sitting.session.take_said();
        self.heard += u64::try_from(new.len()).unwrap_or(1);
        let missing = new.iter().find(|said| said.text.id() == "clock-missing").map(|said| said.text.clone());
        if !new.is_empty() {
            let said = Arc::make_mut(&mut self.said);
            said.extend(new);
            let over = said.len().saturating_sub(SAID);
            said.drain(..over);
        }
        // A game that has just ended belongs to the evening's results.
        let finished = finished(&sitting.session);
        if std::mem::replace(&mut sitting.finished, finished) != finished {
            self.stale = Some(sitting.record.clone());
        }
        if let Some(text) = missing {
            // The clock's face has no place for what is said.
            self.push_notice(Notice { at: now, failed: true, text });
        }
    }

    /// Reads what has changed of the evening: it takes as long as the disk does, so that nobody waits for it.
    pub fn catch_up(&mut self) {
        if let Some(record) = self.stale.take() {
            evening::read_again(Arc::make_mut(&mut self.evening), &record);
            self.version += 1;
        }
    }

    fn tell_failure(&mut self, now: Instant, done: Result<(), String>) {
        if let Err(sentence) = done {
            self.notice(now, Err(sentence));
        }
    }

    fn notice(&mut self, at: Instant, text: Result<Sentence, String>) {
        let (failed, text) = match text {
            Ok(text) => (false, text),
            Err(text) => (true, plain(text)),
        };
        self.push_notice(Notice { at, failed, text });
    }

    fn push_notice(&mut self, notice: Notice) {
        let notices = Arc::make_mut(&mut self.notices);
        notices.push(Notice { text: notice.text.harmless(), ..notice });
        let over = notices.len().saturating_sub(NOTICES);
        notices.drain(..over);
    }

    /// What somebody changed on a screen, on top of whatever was kept meanwhile.
    fn change(&mut self, before: &Settings, after: &Settings, now: Instant) {
        let merged = self.settings.changed(before, after);
        self.keep(merged, now);
    }

    fn keep(&mut self, settings: Settings, now: Instant) {
        if *self.settings == settings {
            return;
        }
        if let Err(error) = settings.save(&self.around.settings) {
            let path = self.around.settings.display();
            self.notice(now, Err(format!("{path}: the settings cannot be written: {error}")));
        }
        self.settings = Arc::new(settings);
    }

    /// All that the screens show at `now`.
    pub fn snapshot(&self, now: Instant) -> Snapshot {
        let sitting = self.sitting.as_ref();
        let session = sitting.map(|sitting| &sitting.session);
        let time = sitting.map(|sitting| {
            let at = sitting.time.of(now);
            let shown = sitting.session.moment_shown(at);
            MatchTime { stands: (shown != at).then_some(shown), ..sitting.time }
        });
        let table = sitting.map(|sitting| {
            let view = TableView::of_session(&sitting.session, sitting.time.of(now));
            Arc::new(TableView { acts: sitting.told.acts(), ..view })
        });
        let question = session.and_then(|session| {
            let question = session.question()?;
            let ways = match question {
                tabiya_engine::sense::Question::Which(ways) if ways.len() != 1 => Some(ways.len()),
                _ => None,
            };
            let to = session.table().audience_of_faults();
            Some(Asked { to, text: question.sentence().harmless(), ways })
        });
        let shown = self.wrong_since.is_some_and(|since| since + CALM <= now);
        let trouble = session.filter(|_| shown).and_then(Session::guidance).map(Sentence::harmless);
        Snapshot {
            table,
            past: self.past.clone(),
            time: time.unwrap_or_default(),
            moments: match (&self.shelf, sitting) {
                (Some(taken), _) => taken.told.lines(),
                (None, Some(sitting)) => sitting.told.lines(),
                (None, None) => Arc::default(),
            },
            on_shelf: self.shelf.is_some(),
            said: self.said.clone(),
            refused: self.refused.clone(),
            question,
            trouble,
            coin: self.coin,
            board: self.boards.view(session),
            cards: self.cards.view(session),
            evening: self.evening.clone(),
            found: self.boards.found(),
            settings: self.settings.clone(),
            notices: self.notices.clone(),
            closing: self.closing,
        }
    }
}

/// Begins a match in this file, made if it is not there.
fn keep_in(path: &std::path::Path, header: &str, keys: Keyring) -> Result<Box<dyn Keeper>, String> {
    let begun = Keeping::open(path).and_then(|journal| Keeping::begin(journal, header, keys));
    match begun {
        Ok(keeping) => Ok(Box::new(keeping)),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// How many games of a match are over.
fn finished(session: &Session) -> usize {
    let table = session.table();
    table.past_games().len() + usize::from(table.game().outcome().is_some())
}

/// A sentence that is in no other language: what a file, a port or the reader of typed words says.
fn plain(line: String) -> Sentence {
    say!("plain-line", "{line}", line)
}
