//! A table at a desk: the match that is played there, the devices and cards around it, and what is told of it.
//!
//! What devices tell comes in here; what people want goes through the desk, which also has the evening and its files.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::capture::Direction;
use tabiya_boards::driver::BoardCommand as BoardOrder;
use tabiya_boards::maker::Maker;
use tabiya_cards::CardEvent;
use tabiya_engine::table::Input;
use tabiya_types::{Instant, Millis, say};

use super::boards::{Boards, DeskOrder};
use super::cards::{DeskCards, is_of_a_card};
use super::sitting::Sitting;
use super::talk::Talk;
use super::work::Work;
use super::{BoardWish, Surroundings};
use crate::session::{Session, turns_over};
use crate::snapshot::{FoundBoard, LinkState, SimulatedView};

/// How long the board has to differ from what should stand there before it is shown: a hand that moves
/// a piece is no trouble.
const CALM: Millis = Millis(1_000);

/// Since when the board has differed from what should stand there.
#[derive(Debug, Default)]
pub(super) struct Calm {
    since: Option<Instant>,
    /// When that is to be shown.
    due: Option<Instant>,
}

impl Calm {
    fn follow(&mut self, wrong: bool, now: Instant) {
        if !wrong {
            (self.since, self.due) = (None, None);
        } else if self.since.is_none() {
            (self.since, self.due) = (Some(now), Some(now + CALM));
        }
    }

    fn is_watched(&self) -> bool {
        self.since.is_some()
    }

    /// Whether it has differed for so long that it is shown.
    pub(super) fn is_shown(&self, now: Instant) -> bool {
        self.since.is_some_and(|since| since + CALM <= now)
    }
}

/// The table at a desk.
#[derive(Debug)]
pub(super) struct TableSide {
    pub(super) sitting: Option<Sitting>,
    pub(super) talk: Talk,
    pub(super) boards: Boards,
    pub(super) cards: DeskCards,
    pub(super) calm: Calm,
    /// How often anything has changed here that a screen shows.
    pub(super) version: u64,
}

impl TableSide {
    pub(super) fn new(cards: DeskCards) -> Self {
        Self {
            sitting: None,
            talk: Talk::default(),
            boards: Boards::default(),
            cards,
            calm: Calm::default(),
            version: 0,
        }
    }

    // ---- time ----

    /// Time passes.
    pub(super) fn time(&mut self, now: Instant) {
        let before = self.shown(now);
        if let Some(sitting) = &mut self.sitting {
            sitting.session.time(sitting.time.of(now));
        }
        self.hear(now);
        self.watch_board(now);
        let calm = self.calm.due.take_if(|due| *due <= now).is_some();
        // A moment that is only saved for a start after a crash shows nowhere.
        if calm || before != self.shown(now) {
            self.version += 1;
        }
    }

    /// When something is due, in the program's own time.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let due = self.sitting.as_ref()?.deadline();
        due.into_iter().chain(self.calm.due).min()
    }

    /// What the clock behind the board is to show and do now.
    pub(super) fn board_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.board_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// What the box beside the board is to show now.
    pub(super) fn box_orders(&mut self, now: Instant) -> Vec<BoardOrder> {
        let sitting = self.sitting.as_mut();
        sitting.map(|sitting| sitting.session.box_orders(sitting.time.of(now))).unwrap_or_default()
    }

    /// The computer slept for so long.
    pub(super) fn slept(&mut self, span: Millis, now: Instant) {
        if let Some(sitting) = &mut self.sitting {
            sitting.session.slept(span, sitting.time.of(now));
            self.hear(now);
            self.version += 1;
        }
    }

    /// What time alone can change of all that a screen shows.
    pub(super) fn shown(&self, now: Instant) -> (u64, Option<(usize, bool, bool)>, bool) {
        let of = |sitting: &Sitting| {
            let at = sitting.time.of(now);
            let session = &sitting.session;
            (session.lines().len(), session.question().is_some(), session.moment_shown(at) != at)
        };
        (self.talk.heard(), self.sitting.as_ref().map(of), self.calm.is_watched())
    }

    /// Keeps in mind since when the board differs from what should stand there.
    pub(super) fn watch_board(&mut self, now: Instant) {
        let wrong = self.sitting.as_ref().is_some_and(|sitting| sitting.session.guidance().is_some());
        self.calm.follow(wrong, now);
    }

    /// Takes what the session has to tell.
    pub(super) fn hear(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        sitting.hear(now, &mut self.talk);
    }

    /// Something that is entered at the table, if somebody sits at it.
    pub(super) fn at_table(&mut self, enter: impl FnOnce(&mut Sitting, &mut Talk)) {
        if let Some(sitting) = &mut self.sitting {
            enter(sitting, &mut self.talk);
        }
    }

    /// The inputs that an answer stands for at the table as it is now.
    pub(super) fn answer(&mut self, answer: impl FnOnce(&Session) -> Vec<Input>, now: Instant) {
        self.at_table(|sitting, talk| {
            let inputs = answer(&sitting.session);
            sitting.enter(&inputs, now, talk);
        });
    }

    // ---- board and box ----

    /// Whether somebody looks at the raw bytes.
    pub(super) fn watches_bytes(&self) -> bool {
        self.boards.bytes.is_some()
    }

    /// Something about the board that somebody wants.
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
                    let what = "a capture is played by `tabiya play --board capture:FILE`; connect to a real board here";
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
            BoardWish::Discover => self.boards.order(DeskOrder::Discover),
            BoardWish::Move(what) => self.boards.order(DeskOrder::Move(what)),
            BoardWish::Watch(on) => {
                self.boards.bytes = on.then(|| self.boards.bytes.take().unwrap_or_default());
            }
            BoardWish::Capture(path) => self.boards.order(DeskOrder::Capture(path)),
            BoardWish::Test(on) => self.boards.changes = on.then(|| Arc::new([0; 64])),
        }
    }

    /// The loop has connected to that board before anything else.
    pub(super) fn reached(&mut self, address: &LiveAddress) {
        self.connecting(address.to_string());
    }

    fn connecting(&mut self, address: String) {
        self.boards.forget();
        (self.boards.link, self.boards.address) = (LinkState::Connecting, Some(address));
    }

    /// A simulated board that stands as the table expects.
    fn simulate(&mut self, maker: Maker) {
        let board = self.sitting.as_ref().map(|sitting| sitting.session.table().physical());
        self.connecting(BoardAddress::Sim(maker).to_string());
        self.boards.order(DeskOrder::Simulate(maker, board));
    }

    /// What the loop has to do now.
    pub(super) fn take_orders(&mut self) -> Vec<DeskOrder> {
        let mut orders = std::mem::take(&mut self.boards.orders);
        orders.append(&mut self.cards.orders);
        orders
    }

    /// Something that the board told.
    pub(super) fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        if matches!(event, BoardEvent::Identified(_)) && self.boards.info.is_none() {
            self.boards.order(DeskOrder::Battery);
        }
        self.boards.notice(event);
        self.at_table(|sitting, talk| {
            sitting.hear_device(now, talk, |session, at| session.board(event, at));
        });
        self.hear(now);
        self.watch_board(now);
    }

    /// Something that the box beside the board told.
    pub(super) fn beside(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        self.boards.notice_box(event);
        self.at_table(|sitting, talk| {
            sitting.hear_device(now, talk, |session, at| session.beside(event, at));
        });
        self.hear(now);
        self.watch_board(now);
    }

    /// Raw bytes that went over the line.
    pub(super) fn bytes(&mut self, direction: Direction, bytes: &[u8], at: Instant) {
        if self.boards.bytes(direction, bytes, at) {
            self.version += 1;
        }
    }

    /// What really stands on the simulated board, and what shines there.
    pub(super) fn simulated(&mut self, view: SimulatedView) {
        if self.boards.simulated != Some(view) {
            self.version += 1;
            self.boards.simulated = Some(view);
        }
    }

    /// A text was printed, or why not.
    pub(super) fn printed(&mut self, done: Result<(), String>, now: Instant) {
        self.version += 1;
        self.talk.notice(now, done.map(|()| say!("printed", "printed")));
    }

    /// Boards that were found.
    pub(super) fn found(&mut self, found: Vec<FoundBoard>) {
        self.version += 1;
        self.boards.found = Arc::new(found);
    }

    /// Raw bytes are saved there from now on, or no more; or why they are not.
    pub(super) fn capturing(&mut self, path: Result<Option<PathBuf>, String>, now: Instant) {
        self.version += 1;
        match path {
            Ok(path) => {
                let before = self.boards.capture.take();
                self.boards.capture = path.map(|path| path.display().to_string());
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

    /// The board could not even be begun with.
    pub(super) fn board_failed(&mut self, sentence: String) {
        self.version += 1;
        self.boards.link = LinkState::Lost(sentence);
        self.boards.simulated = None;
    }

    /// The box could not even be begun with.
    pub(super) fn box_failed(&mut self, sentence: String, now: Instant) {
        self.version += 1;
        self.talk.notice(now, Err(sentence));
    }

    /// A table that has just begun is told of the board and the box that are there already.
    pub(super) fn introduce_board(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        if let Some(event) = self.boards.of_the_box() {
            sitting.session.beside(&event, at);
        }
        for event in self.boards.of_the_board() {
            sitting.session.board(&event, at);
        }
    }

    // ---- cards ----

    /// Something that happened at the card readers. While a deck is worked on its cards are not the table's.
    pub(super) fn cards(&mut self, event: &CardEvent, around: &Surroundings, now: Instant) {
        self.version += 1;
        self.cards.notice(event);
        let working = self.cards.work.as_ref().is_some_and(Work::needs_readers);
        if working && is_of_a_card(event) {
            self.tell_who_waits(event, now);
            self.cards.work_at_cards(event, around);
            self.follow_mended(now);
        } else {
            self.at_table(|sitting, talk| {
                sitting.hear_device(now, talk, |session, at| session.cards(event, at));
            });
        }
        self.follow_readers();
        self.hear(now);
        self.watch_board(now);
    }

    /// A deck that was mended is played with as it is now.
    fn follow_mended(&mut self, now: Instant) {
        let Some(deck) = self.cards.mended.take() else { return };
        let text =
            say!("card-replaced", "the new card is in the deck; the old one is not a card of it any more");
        self.talk.notice(now, Ok(text));
        let sitting = self.sitting.as_mut();
        if let Some(sitting) = sitting.filter(|sitting| sitting.session.deck() == Some(deck.name())) {
            sitting.session.mend_deck(deck);
        }
    }

    /// Whoever deals or turns a card over at the table while a deck is worked on has to know why nothing happens.
    fn tell_who_waits(&mut self, event: &CardEvent, now: Instant) {
        let waits = |session: &Session| {
            session.deck().is_some() && (session.deals_now() || turns_over(session.table()).is_some())
        };
        let waits = self.sitting.as_ref().is_some_and(|sitting| waits(&sitting.session));
        if let (true, CardEvent::Tapped(_), Some(work)) = (waits, event, &self.cards.work) {
            let name = work.deck().to_owned();
            let text = say!(
                "cards-at-work",
                "this card was for the deck {name} on the Decks page; finish there, then the table reads cards again",
                name
            );
            self.talk.notice(now, Ok(text));
        }
    }

    pub(super) fn read_deals(&mut self) -> Result<(), String> {
        match self.sitting.as_mut().filter(|sitting| sitting.session.deck().is_some()) {
            // Once more would forget what was read of the street.
            Some(sitting) if sitting.session.reads_deals() => {}
            Some(sitting) => sitting.session.read_deals(),
            None => return Err("cards that are dealt are read with a deck; choose one first".to_owned()),
        }
        Ok(())
    }

    /// A table that has just got a deck is told of the readers that are there already.
    pub(super) fn introduce_readers(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        let cards = &self.cards;
        let came = cards.there.keys().cloned().map(CardEvent::Came);
        let trouble = cards.trouble.iter().chain(cards.there.values().flatten());
        let trouble = trouble.cloned().map(CardEvent::Trouble);
        let ready = (cards.ready && cards.trouble.is_none()).then_some(CardEvent::Ready);
        for event in came.chain(trouble).chain(ready) {
            sitting.session.cards(&event, at);
        }
    }

    /// Asks for the readers' thread when somebody needs it, and for its end when nobody does.
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
