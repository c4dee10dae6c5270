//! The part of a desk that belongs to the match being played: the match, its devices and cards, and what people are
//! shown about the match.
//!
//! Events of devices arrive here. The wishes of people go through the desk, which also owns the evening's record and
//! the other files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::capture::Direction;
use tabiya_boards::driver::BoardCommand as BoardOrder;
use tabiya_boards::maker::Maker;
use tabiya_boards::near::BoardSearchError;
use tabiya_cards::CardEvent;
use tabiya_engine::table::Entry;
use tabiya_types::{Color, Instant, Millis, say};

use crate::sleep::Absence;

use super::boards::{Boards, DeskOrder, SimulatedMove};
use super::cards::{DeskCards, is_of_a_card};
use super::environment::Environment;
use super::finding::{found_board, search_words};
use super::lasting::LastingCauses;
use super::ordering::{OrderAnswer, RefusedOrder};
use super::sitting::Sitting;
use super::talk::{Talk, plain};
use super::wish::BoardWish;
use super::work::Work;
use crate::alerts::AlertBook;
use crate::session::{Session, turns_over};
use crate::snapshot::{BoardSearch, FoundBoard, LinkState, SimulatedView};
use crate::words::ClockSideOrder;

/// The time for which the board must differ from the expected position before the screens show the difference. A hand
/// that moves a piece causes only a short difference.
const SHOWN_AFTER: Millis = Millis(1_000);

/// Measures for how long the board has differed from the expected position.
#[derive(Debug, Default)]
pub(super) struct TroubleDelay {
    since: Option<Instant>,
    /// The time at which the screens will begin to show the difference. `None` if the board does not differ, or if that
    /// time has come.
    due: Option<Instant>,
}

impl TroubleDelay {
    fn follow(&mut self, wrong: bool, now: Instant) {
        if !wrong {
            (self.since, self.due) = (None, None);
        } else if self.since.is_none() {
            (self.since, self.due) = (Some(now), Some(now + SHOWN_AFTER));
        }
    }

    fn is_watched(&self) -> bool {
        self.since.is_some()
    }

    /// Whether the board has differed long enough for the screens to show the difference.
    pub(super) fn is_shown(&self, now: Instant) -> bool {
        self.since.is_some_and(|since| since + SHOWN_AFTER <= now)
    }
}

/// The part of a desk that belongs to the match being played: the match, its devices and cards.
#[derive(Debug)]
pub(super) struct TableSide {
    pub(super) sitting: Option<Sitting>,
    pub(super) talk: Talk,
    pub(super) boards: Boards,
    pub(super) cards: DeskCards,
    pub(super) calm: TroubleDelay,
    pub(super) alerts: RefCell<AlertBook>,
    /// What an event's consoles are told besides: people at the table see it without an alert.
    pub(super) for_consoles: RefCell<AlertBook>,
    /// What was before, on which some of it depends.
    pub(super) lasting: RefCell<LastingCauses>,
    /// A counter that increases when something changes here that screens show.
    pub(super) version: u64,
}

impl TableSide {
    pub(super) fn new(cards: DeskCards) -> Self {
        Self {
            sitting: None,
            talk: Talk::default(),
            boards: Boards::default(),
            cards,
            calm: TroubleDelay::default(),
            alerts: RefCell::default(),
            for_consoles: RefCell::new(AlertBook::further()),
            lasting: RefCell::default(),
            version: 0,
        }
    }

    /// Drops what people were told of the last match, because another one begins.
    pub(super) fn begin_anew(&mut self) {
        self.talk.begin_anew();
        self.alerts.get_mut().begin_anew();
        self.for_consoles.get_mut().begin_anew();
        *self.lasting.get_mut() = LastingCauses::default();
        self.calm = TroubleDelay::default();
    }

    /// Whether the table ends by itself ([`Session::is_done`]).
    pub(super) fn is_done(&self) -> bool {
        self.sitting.as_ref().is_some_and(|sitting| sitting.session.is_done())
    }

    // ---- time ----

    /// Advances time to `now`.
    pub(super) fn time(&mut self, now: Instant) {
        let before = self.shown(now);
        self.at_table(|sitting, talk| sitting.go_on(now, talk, Session::time));
        self.hear(now);
        self.watch_board(now);
        let calm = self.calm.due.take_if(|due| *due <= now).is_some() | self.lasting.get_mut().is_due(now);
        // Not every call of this method changes something on a screen. For example, the session may only have saved the
        // current time for a restart after a crash.
        if calm || before != self.shown(now) {
            self.version += 1;
        }
    }

    /// The next time at which something is due, measured from the program's start.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let due = self.sitting.as_ref()?.deadline();
        due.into_iter().chain(self.calm.due).chain(self.lasting.borrow().due()).min()
    }

    /// Returns the commands that are due for the board and its clock.
    pub(super) fn board_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.board_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// Returns the commands that are due for the display of the card-reader box beside the board.
    pub(super) fn box_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.box_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// Handles the end of a time in which the program did nothing; `span` is how long that was.
    pub(super) fn absent(&mut self, absence: Absence, span: Millis, now: Instant) {
        if let Some(sitting) = &mut self.sitting {
            sitting.session.absent(absence, span, sitting.time.of(now));
            self.hear(now);
            self.version += 1;
        }
    }

    /// A summary of everything on a screen that can change merely because time passes. Comparing two summaries shows
    /// whether something has changed.
    pub(super) fn shown(&self, now: Instant) -> (u64, Option<(usize, bool, bool)>, bool) {
        let of = |sitting: &Sitting| {
            let at = sitting.time.of(now);
            let session = &sitting.session;
            (session.lines().len(), sitting.asked().is_some(), session.moment_shown(at) != at)
        };
        (self.talk.heard(), self.sitting.as_ref().map(of), self.calm.is_watched())
    }

    /// Updates how long the board has differed from the expected position.
    pub(super) fn watch_board(&mut self, now: Instant) {
        let wrong =
            self.sitting.as_ref().is_some_and(|sitting| sitting.session.unexplained_board().is_some());
        self.calm.follow(wrong, now);
    }

    /// Passes the session's new announcements on to the screens.
    pub(super) fn hear(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        sitting.hear(now, &mut self.talk);
    }

    /// Calls `enter` with the match being played; does nothing if no match is being played.
    pub(super) fn at_table(&mut self, enter: impl FnOnce(&mut Sitting, &mut Talk)) {
        if let Some(sitting) = &mut self.sitting {
            enter(sitting, &mut self.talk);
        }
    }

    /// The match being played.
    pub(super) fn session(&self) -> Option<&Session> {
        self.sitting.as_ref().map(|sitting| &sitting.session)
    }

    /// The file of the match's record, if one is kept.
    pub(super) fn record(&self) -> Option<&Path> {
        self.sitting.as_ref().and_then(|sitting| sitting.record.as_deref())
    }

    /// The file of the match's record, if a game of it has ended since this was last asked.
    pub(super) fn record_of_ended_game(&mut self) -> Option<PathBuf> {
        let sitting = self.sitting.as_mut()?;
        if sitting.another_game_ended() { sitting.record.clone() } else { None }
    }

    /// Carries out an order at the match: it becomes a line now, or is refused. An order whose id is on a line changes nothing, and
    /// becomes that line again.
    pub(super) fn order(
        &mut self,
        entry: &Entry,
        illegal: Option<(Color, u32)>,
        now: Instant,
    ) -> OrderAnswer {
        let sitting = self.sitting.as_mut().ok_or_else(RefusedOrder::no_match)?;
        Ok(sitting.order((entry, illegal), now, &mut self.talk)?)
    }

    /// Enters this at the match as if people had entered it, without a question.
    pub(super) fn enter(&mut self, entry: Entry, now: Instant) -> OrderAnswer {
        let sitting = self.sitting.as_mut().ok_or_else(RefusedOrder::no_match)?;
        Ok(sitting.enter_plainly(entry, now, &mut self.talk)?)
    }

    /// The complete FEN of the position on the board, with this side to move. `Err` if no board with a known position is
    /// connected.
    pub(super) fn fen(&self, to_move: Color) -> Result<String, String> {
        let seen = self
            .boards
            .upright()
            .ok_or("no board with a known position is connected; connect a board first")?;
        Ok(tabiya_engine::rules::fen_of(&seen, to_move))
    }

    /// Asks for the board's complete position; if no board is wanted, says so.
    pub(super) fn read_board(&mut self) {
        if !self.boards.wanted() {
            let told = say!("no-board", "no board is connected; start Tabiya with `--board`");
            self.talk.answer(vec![told]);
        }
        self.boards.order(DeskOrder::Read);
    }

    // ---- board and box ----

    /// Whether the monitor shows the raw bytes.
    pub(super) fn watches_bytes(&self) -> bool {
        self.boards.bytes.is_some()
    }

    /// Carries out a request about the board.
    pub(super) fn board_wish(&mut self, wish: BoardWish, now: Instant) {
        match wish {
            BoardWish::Connect(text) => match text.parse::<BoardAddress>() {
                Ok(BoardAddress::Live(address)) => {
                    self.connecting(address.to_string());
                    self.boards.order(DeskOrder::Connect(address));
                }
                Ok(BoardAddress::Only) => {
                    self.connecting("auto".to_owned());
                    self.boards.order(DeskOrder::ConnectOnly);
                }
                Ok(BoardAddress::Sim(maker)) => self.simulate(maker),
                Ok(BoardAddress::Capture(_)) => {
                    let what = "to play a capture, run `tabiya play --board capture:FILE`; connect to a real board here";
                    self.talk.notice(now, Err(what.to_owned()));
                }
                Err(error) => self.talk.notice(now, Err(error.to_string())),
            },
            BoardWish::Disconnect => {
                self.boards.forget();
                (self.boards.link, self.boards.address) = (LinkState::None, None);
                if let Some(sitting) = &mut self.sitting {
                    sitting.session.leave_board();
                }
                self.boards.order(DeskOrder::Disconnect);
            }
            BoardWish::Beside(address) => self.boards.order(DeskOrder::Beside(address)),
            BoardWish::Read => self.boards.order(DeskOrder::Read),
            BoardWish::TurnClock => {
                self.at_table(|sitting, _| sitting.say_clock_side(ClockSideOrder::Exchange, now));
            }
            BoardWish::Discover => {
                self.boards.search = BoardSearch::Running;
                self.boards.order(DeskOrder::Discover);
            }
            BoardWish::Move(what) => self.boards.order(DeskOrder::Move(what)),
            BoardWish::Watch(on) => {
                self.boards.bytes = on.then(|| self.boards.bytes.take().unwrap_or_default());
            }
            BoardWish::Capture(path) => self.boards.order(DeskOrder::Capture(path)),
            BoardWish::Test(on) => self.boards.changes = on.then(|| Arc::new([0; 64])),
        }
    }

    /// Notes that this board was connected before the loop was started.
    pub(super) fn reached(&mut self, address: &LiveAddress) {
        self.connecting(address.to_string());
    }

    fn connecting(&mut self, address: String) {
        self.boards.forget();
        (self.boards.link, self.boards.address) = (LinkState::Connecting, Some(address));
    }

    /// Sets the simulated board up as the match expects it, if there is one.
    pub(super) fn set_up_simulated(&mut self) {
        if let Some(sitting) = self.sitting.as_ref().filter(|_| self.boards.simulated.is_some()) {
            let physical = sitting.session.table().physical();
            self.boards.order(DeskOrder::Move(SimulatedMove::Set(physical)));
        }
    }

    /// Requests a simulated board on which the pieces stand as the match expects them.
    fn simulate(&mut self, maker: Maker) {
        let board = self.sitting.as_ref().map(|sitting| sitting.session.table().physical());
        self.connecting(BoardAddress::Sim(maker).to_string());
        self.boards.order(DeskOrder::Simulate(maker, board));
    }

    /// Removes and returns the orders that are queued for the loop.
    pub(super) fn take_orders(&mut self) -> Vec<DeskOrder> {
        let mut orders = std::mem::take(&mut self.boards.orders);
        orders.append(&mut self.cards.orders);
        orders
    }

    /// Handles an event from the board.
    pub(super) fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        if matches!(event, BoardEvent::Identified(_)) && self.boards.info.is_none() {
            self.boards.order(DeskOrder::Battery);
        }
        self.boards.notice(event);
        self.at_table(|sitting, talk| {
            sitting.go_on(now, talk, |session, at| session.board(event, at));
        });
        self.hear(now);
        self.watch_board(now);
    }

    /// Handles an event from the card-reader box beside the board.
    pub(super) fn beside(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        self.boards.notice_box(event);
        self.at_table(|sitting, talk| {
            sitting.go_on(now, talk, |session, at| session.beside(event, at));
        });
        self.hear(now);
        self.watch_board(now);
    }

    /// Adds raw bytes of the board's connection to the monitor.
    pub(super) fn bytes(&mut self, direction: Direction, bytes: &[u8], at: Instant) {
        if self.boards.bytes(direction, bytes, at) {
            self.version += 1;
        }
    }

    /// Stores the actual position and the lit lamps of the simulated board for the screens.
    pub(super) fn simulated(&mut self, view: SimulatedView) {
        if self.boards.simulated != Some(view) {
            self.version += 1;
            self.boards.simulated = Some(view);
        }
    }

    /// Adds a notice that a text was printed, or why it was not printed.
    pub(super) fn printed(&mut self, done: Result<(), String>, now: Instant) {
        self.version += 1;
        self.talk.notice(now, done.map(|()| say!("printed", "printed")));
    }

    /// Stores the boards that a search found. `ended` is the moment at which the search ended; `None` while it goes on.
    pub(super) fn found(&mut self, found: Vec<FoundBoard>, ended: Option<Instant>) {
        self.version += 1;
        self.boards.found = Arc::new(found);
        self.boards.search = ended.map_or(BoardSearch::Running, BoardSearch::Ended);
    }

    /// Notes that the search for the only board nearby found none, or several. Several are listed on the screens.
    pub(super) fn search_failed(&mut self, error: &BoardSearchError, now: Instant) {
        self.board_failed(error.to_string());
        self.boards.trouble = Some(search_words(error));
        if let BoardSearchError::Many(boards) = error {
            self.found(boards.iter().map(found_board).collect(), Some(now));
        }
    }

    /// Notes that raw bytes are saved in this file from now on. With `None`, the saving has ended; `Err` says why the
    /// bytes cannot be saved.
    pub(super) fn capturing(&mut self, path: Result<Option<PathBuf>, String>, now: Instant) {
        self.version += 1;
        match path {
            Ok(path) => {
                let before = self.boards.capture.take();
                self.boards.capture = path.map(|path| tabiya_types::shown(&path));
                if let (None, Some(saved)) = (&self.boards.capture, before) {
                    self.talk.notice(now, Ok(say!("bytes-written", "written: {path}", path = saved)));
                }
            }
            Err(sentence) => {
                self.boards.capture = None;
                self.talk.notice(now, Err(sentence));
            }
        }
    }

    /// Notes that the attempt to connect to the board could not be started.
    pub(super) fn board_failed(&mut self, sentence: String) {
        self.version += 1;
        self.boards.trouble = Some(plain(sentence.clone()));
        self.boards.link = LinkState::Lost(sentence);
        self.boards.simulated = None;
    }

    /// Adds a notice about a device other than the board: the box could not be connected, a folder could not be shown.
    pub(super) fn failed(&mut self, sentence: String, now: Instant) {
        self.version += 1;
        self.talk.notice(now, Err(sentence));
    }

    /// Announces the connected board and box to a match that has just begun.
    pub(super) fn introduce_board(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        if let Some(event) = self.boards.box_introduction() {
            sitting.session.beside(&event, at);
        }
        for event in self.boards.board_introduction() {
            sitting.session.board(&event, at);
        }
    }

    // ---- cards ----

    /// Handles an event from the card readers. While somebody works on a deck, cards on the readers are used for that
    /// work and not for the match.
    pub(super) fn cards(&mut self, event: &CardEvent, around: &Environment, now: Instant) {
        self.version += 1;
        self.cards.notice(event);
        let working = self.cards.work.as_ref().is_some_and(Work::needs_readers);
        if working && is_of_a_card(event) {
            self.tell_who_waits(event, now);
            self.cards.work_at_cards(event, around);
            self.follow_mended(now);
        } else {
            self.at_table(|sitting, talk| {
                sitting.go_on(now, talk, |session, at| session.cards(event, at));
            });
        }
        self.follow_readers();
        self.hear(now);
        self.watch_board(now);
    }

    /// Passes a repaired deck to the match being played, if the match uses that deck.
    fn follow_mended(&mut self, now: Instant) {
        let Some(deck) = self.cards.mended.take() else { return };
        let text =
            say!("card-replaced", "the new card belongs to the deck now; the damaged card no longer does");
        self.talk.notice(now, Ok(text));
        let sitting = self.sitting.as_mut();
        if let Some(sitting) = sitting.filter(|sitting| sitting.session.deck() == Some(deck.name())) {
            sitting.session.mend_deck(deck);
        }
    }

    /// Adds a notice if the match expects a card, but the card was used for somebody's work on a deck.
    fn tell_who_waits(&mut self, event: &CardEvent, now: Instant) {
        let waits = |session: &Session| {
            session.deck().is_some() && (session.deals_now() || turns_over(session.table()).is_some())
        };
        let waits = self.sitting.as_ref().is_some_and(|sitting| waits(&sitting.session));
        if let (true, CardEvent::Tapped(_), Some(work)) = (waits, event, &self.cards.work) {
            let name = work.deck().to_owned();
            let text = say!(
                "cards-at-work",
                "this card was used for the work on the deck {name}; finish that work on the Decks page before you use cards in the match",
                name
            );
            self.talk.notice(now, Ok(text));
        }
    }

    pub(super) fn read_deals(&mut self) -> Result<(), String> {
        match self.sitting.as_mut().filter(|sitting| sitting.session.deck().is_some()) {
            // The session already reads dealt cards. Starting this again would discard the cards that were read in this
            // street.
            Some(sitting) if sitting.session.reads_deals() => {}
            Some(sitting) => sitting.session.read_deals(),
            None => return Err("dealt cards can be read only with a deck; choose a deck first".to_owned()),
        }
        Ok(())
    }

    /// Announces the connected readers to a match that has just received a deck.
    pub(super) fn introduce_readers(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        let cards = &self.cards;
        let came = cards.there.keys().cloned().map(CardEvent::Connected);
        let trouble = cards.trouble.iter().chain(cards.there.values().flatten());
        let trouble = trouble.cloned().map(CardEvent::Problem);
        let ready = (cards.ready && cards.trouble.is_none()).then_some(CardEvent::Ready);
        for event in came.chain(trouble).chain(ready) {
            sitting.session.cards(&event, at);
        }
    }

    /// Requests the start of the readers' thread when the thread becomes needed, and its end when it is no longer
    /// needed.
    pub(super) fn follow_readers(&mut self) {
        let table = self.sitting.as_ref().is_some_and(|sitting| sitting.session.deck().is_some());
        let work = self.cards.work.as_ref().is_some_and(Work::needs_readers);
        let needed = table || work || self.cards.looked_at;
        if std::mem::replace(&mut self.cards.listening, needed) != needed {
            (self.cards.ready, self.cards.trouble) = (false, None);
            self.cards.there.clear();
            self.boards.order(DeskOrder::Readers(needed));
        }
    }
}
