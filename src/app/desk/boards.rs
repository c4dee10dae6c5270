//! The board behind a desk: what is known of it, and what the loop outside has to do about it.

use std::path::PathBuf;
use std::sync::Arc;

use super::{BoardWish, Desk};
use crate::session::Session;
use crate::snapshot::{BoardFact, BoardView, FoundBoard, LinkState, RawLine, SimulatedView};
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::capture::{Direction, to_hex};
use tabiya_boards::catalog::CATALOG;
use tabiya_boards::maker::Maker;
use tabiya_boards::{BoardEvent, BoardInfo, ClockKind};
use tabiya_cards::{ReaderName, Record, Uid};
use tabiya_types::{Board, Color, Instant, Observation, Piece, Role, Square, harmless, say};

/// How many raw lines the monitor keeps.
const RAW: usize = 400;
/// How many bytes of one read a line of the monitor shows.
const RAW_BYTES: usize = 96;

/// What the loop outside is asked to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Connect to a board and keep it connected.
    Connect(LiveAddress),
    /// Find the only board that is near, and connect to it.
    ConnectOnly,
    /// Start a simulated board and connect to it.
    Simulate(Maker, Option<Board>),
    /// Let the board go.
    Disconnect,
    /// Connect to a box beside the board and keep it connected.
    Beside(LiveAddress),
    /// Ask for the whole position.
    Read,
    /// Look for boards.
    Discover,
    /// Do this on the simulated board.
    Move(SimulatedMove),
    /// Save raw bytes here, or no more.
    Capture(Option<PathBuf>),
    /// Ask how full its battery is.
    Battery,
    /// Watch the card readers, or no more.
    Readers(bool),
    /// Write this record into the card with this number that lies on that reader.
    WriteCard(ReaderName, Uid, Record),
    /// Print this text.
    Print(String),
}

/// Something done by hand on the simulated board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimulatedMove {
    /// Carry what stands on one square to another, as a hand does.
    Carry(Square, Square),
    /// Put a piece on a square.
    Put(Square, Piece),
    /// Take what stands on a square off the board.
    Take(Square),
    /// Set all squares at once.
    Set(Board),
    /// Press the clock.
    Press(Color),
    /// Pull the plug.
    Unplug,
    /// Put it back.
    Plug,
}

/// Whose boards there are, for people to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakerChoice {
    /// The word before the colon of an address.
    pub prefix: &'static str,
    /// The name.
    pub name: &'static str,
    /// Whether a board of it can be simulated here: over a WebSocket alone no port of ours leads.
    pub simulated: bool,
}

/// The makers of the catalogue, in its order.
pub fn makers() -> Vec<MakerChoice> {
    let choice = |maker: &Maker| MakerChoice {
        prefix: maker.prefix(),
        name: maker.name(),
        simulated: maker.ways().web.is_none(),
    };
    CATALOG.iter().map(choice).collect()
}

/// What is known of the board.
#[derive(Debug, Default)]
pub(super) struct Boards {
    link: LinkState,
    address: Option<String>,
    info: Option<BoardInfo>,
    /// The box beside the board, as it calls itself.
    beside: Option<BoardInfo>,
    clock: Option<String>,
    battery: Option<(u8, bool)>,
    seen: Option<Board>,
    simulated: Option<SimulatedView>,
    changes: Option<Arc<[u32; 64]>>,
    bytes: Option<Arc<Vec<RawLine>>>,
    capture: Option<String>,
    found: Arc<Vec<FoundBoard>>,
    orders: Vec<Order>,
}

impl Boards {
    pub(super) fn order(&mut self, order: Order) {
        self.orders.push(order);
    }

    /// Whether a board is there, or is looked for.
    pub(super) fn wanted(&self) -> bool {
        self.link != LinkState::None
    }

    /// What the board shows, White below as far as the kings tell.
    pub(super) fn upright(&self) -> Option<Board> {
        self.seen.as_ref().map(upright)
    }

    pub(super) fn found(&self) -> Arc<Vec<FoundBoard>> {
        self.found.clone()
    }

    pub(super) fn view(&self, session: Option<&Session>) -> BoardView {
        let mut facts = Vec::new();
        if let Some(info) = &self.info {
            facts.push((BoardFact::Maker, info.maker.name.to_owned()));
            facts.extend(info.version.as_deref().map(|version| (BoardFact::Version, harmless(version))));
            facts.extend(info.number().map(|number| (BoardFact::Serial, harmless(number))));
        }
        facts.extend(self.clock.clone().map(|clock| (BoardFact::Clock, clock)));
        BoardView {
            link: self.link.clone(),
            address: self.address.clone(),
            facts,
            battery: self.battery,
            // The watch knows which way round the board stands.
            seen: self.seen.and_then(|_| match session {
                Some(session) => session.watch().seen(),
                None => self.upright(),
            }),
            simulated: self.simulated,
            changes: self.changes.clone(),
            bytes: self.bytes.clone(),
            capture: self.capture.clone(),
        }
    }

    /// Forgets the board that was there.
    fn forget(&mut self) {
        (self.info, self.clock, self.battery, self.seen) = (None, None, None, None);
        self.simulated = None;
    }

    fn notice(&mut self, event: &BoardEvent) {
        match event {
            BoardEvent::Observed(Observation::Whole(board)) => {
                if let Some(before) = self.seen {
                    let changed: Vec<Square> = before.differences(board).collect();
                    for square in changed {
                        self.count(square);
                    }
                }
                self.seen = Some(*board);
                self.link = LinkState::Connected;
            }
            BoardEvent::Observed(Observation::Square(square, piece)) => {
                if let Some(seen) = &mut self.seen {
                    seen[*square] = *piece;
                }
                self.count(*square);
            }
            BoardEvent::Observed(Observation::Occupied(squares)) => {
                // What stands there nobody knows yet: any piece will do for a picture without a table.
                let mut board = Board::EMPTY;
                for square in squares.iter() {
                    board[square] = Some(Piece { color: Color::White, role: Role::Pawn });
                }
                self.notice(&BoardEvent::Observed(Observation::Whole(board)));
            }
            BoardEvent::Observed(Observation::Press(_)) => {}
            BoardEvent::Identified(info) => {
                self.info = Some(info.clone());
                self.link = LinkState::Connected;
            }
            BoardEvent::Battery { percent, charging, .. } => self.battery = Some((*percent, *charging)),
            BoardEvent::ClockFound(info) => self.clock = Some(clock_name(info.kind).to_owned()),
            BoardEvent::ClockGone => self.clock = None,
            BoardEvent::Lost(error) => {
                self.link = LinkState::Lost(error.to_string());
                self.seen = None;
            }
            BoardEvent::Back => self.link = LinkState::Connected,
            BoardEvent::Declared(_)
            | BoardEvent::Wants(_)
            | BoardEvent::Remember { .. }
            | BoardEvent::ClockTimes(_)
            | BoardEvent::ClockButton(_)
            | BoardEvent::ClockRefused { .. }
            | BoardEvent::Tag { .. }
            | BoardEvent::Damage { .. }
            | BoardEvent::Unknown { .. } => {}
        }
    }

    fn count(&mut self, square: Square) {
        if let Some(changes) = &mut self.changes
            && let Some(count) = Arc::make_mut(changes).get_mut(square.index())
        {
            *count = count.saturating_add(1);
        }
    }
}

/// What a clock behind a board is called.
fn clock_name(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Xl => "DGT XL",
        ClockKind::Dgt3000 => "DGT 3000",
        ClockKind::TimesOnly => "DGT",
    }
}

impl Desk {
    /// Whether somebody looks at the raw bytes.
    pub fn watches_bytes(&self) -> bool {
        self.boards.bytes.is_some()
    }

    /// Something about the board that somebody wants.
    pub(super) fn board_wish(&mut self, wish: BoardWish, now: Instant) {
        match wish {
            BoardWish::Connect(text) => match text.parse::<BoardAddress>() {
                Ok(BoardAddress::Live(address)) => {
                    self.connecting(address.to_string());
                    self.boards.order(Order::Connect(address));
                }
                Ok(BoardAddress::Only) => {
                    self.connecting("auto".to_owned());
                    self.boards.order(Order::ConnectOnly);
                }
                Ok(BoardAddress::Sim(maker)) => self.simulate(maker),
                Ok(BoardAddress::Capture(_)) => {
                    let what = "a capture is played by `tabiya play --board capture:FILE`; connect to a real board here";
                    self.notice(now, Err(what.to_owned()));
                }
                Err(error) => self.notice(now, Err(error.to_string())),
            },
            BoardWish::Disconnect => {
                self.boards.forget();
                (self.boards.link, self.boards.address) = (LinkState::None, None);
                if let Some(sitting) = &mut self.sitting {
                    sitting.session.leave_board();
                }
                self.boards.order(Order::Disconnect);
            }
            BoardWish::Beside(address) => self.boards.order(Order::Beside(address)),
            BoardWish::Read => self.boards.order(Order::Read),
            BoardWish::Discover => self.boards.order(Order::Discover),
            BoardWish::Move(what) => self.boards.order(Order::Move(what)),
            BoardWish::Watch(on) => {
                self.boards.bytes = on.then(|| self.boards.bytes.take().unwrap_or_default());
            }
            BoardWish::Capture(path) => self.boards.order(Order::Capture(path)),
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
        self.boards.order(Order::Simulate(maker, board));
    }

    /// What the loop has to do now.
    pub fn take_orders(&mut self) -> Vec<Order> {
        let mut orders = std::mem::take(&mut self.boards.orders);
        orders.append(&mut self.cards.orders);
        orders
    }

    /// Something that the board told.
    pub fn board(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        if matches!(event, BoardEvent::Identified(_)) && self.boards.info.is_none() {
            self.boards.order(Order::Battery);
        }
        self.boards.notice(event);
        if let Some(sitting) = &mut self.sitting {
            let understood = sitting.session.lines().len();
            sitting.session.board(event, sitting.time.of(now));
            if sitting.session.lines().len() != understood {
                self.talk.accept();
            }
        }
        self.hear(now);
        self.watch_board(now);
    }

    /// Something that the box beside the board told.
    pub fn beside(&mut self, event: &BoardEvent, now: Instant) {
        self.version += 1;
        match event {
            BoardEvent::Identified(info) => self.boards.beside = Some(info.clone()),
            BoardEvent::Lost(_) => self.boards.beside = None,
            _ => {}
        }
        if let Some(sitting) = &mut self.sitting {
            let understood = sitting.session.lines().len();
            sitting.session.beside(event, sitting.time.of(now));
            if sitting.session.lines().len() != understood {
                self.talk.accept();
            }
        }
        self.hear(now);
        self.watch_board(now);
    }

    /// Raw bytes that went over the line.
    pub fn bytes(&mut self, direction: Direction, bytes: &[u8], at: Instant) {
        if let Some(lines) = &mut self.boards.bytes {
            self.version += 1;
            let lines = Arc::make_mut(lines);
            let shown = bytes.get(..RAW_BYTES).unwrap_or(bytes);
            lines.push(RawLine { at, from_board: direction == Direction::FromDevice, hex: to_hex(shown) });
            let over = lines.len().saturating_sub(RAW);
            lines.drain(..over);
        }
    }

    /// What really stands on the simulated board, and what shines there.
    pub fn simulated(&mut self, view: SimulatedView) {
        if self.boards.simulated != Some(view) {
            self.version += 1;
            self.boards.simulated = Some(view);
        }
    }

    /// A text was printed, or why not.
    pub fn printed(&mut self, done: Result<(), String>, now: Instant) {
        self.version += 1;
        self.notice(now, done.map(|()| say!("printed", "printed")));
    }

    /// Boards that were found.
    pub fn found(&mut self, found: Vec<FoundBoard>) {
        self.version += 1;
        self.boards.found = Arc::new(found);
    }

    /// Raw bytes are saved there from now on, or no more; or why they are not.
    pub fn capturing(&mut self, path: Result<Option<PathBuf>, String>, now: Instant) {
        self.version += 1;
        match path {
            Ok(path) => {
                let before = self.boards.capture.take();
                self.boards.capture = path.map(|path| path.display().to_string());
                if let (None, Some(saved)) = (&self.boards.capture, before) {
                    self.notice(now, Ok(say!("bytes-written", "written: {path}", path = saved)));
                }
            }
            Err(sentence) => {
                self.boards.capture = None;
                self.notice(now, Err(sentence));
            }
        }
    }

    /// The board could not even be begun with.
    pub fn board_failed(&mut self, sentence: String) {
        self.version += 1;
        self.boards.link = LinkState::Lost(sentence);
        self.boards.simulated = None;
    }

    /// A table that has just begun is told of the board and the box that are there already.
    pub(super) fn introduce_board(&mut self, now: Instant) {
        let Some(sitting) = &mut self.sitting else { return };
        let at = sitting.time.of(now);
        if let Some(info) = self.boards.beside.clone() {
            sitting.session.beside(&BoardEvent::Identified(info), at);
        }
        if let Some(info) = self.boards.info.clone() {
            sitting.session.board(&BoardEvent::Identified(info), at);
            if let Some(seen) = self.boards.seen {
                sitting.session.board(&BoardEvent::Observed(Observation::Whole(seen)), at);
            }
            self.boards.order(Order::Read);
        }
    }
}

/// A position that is to be begun from, with the white king's side below.
pub fn upright(seen: &Board) -> Board {
    let rank = |color: Color| {
        let king = |(_, piece): &(Square, Piece)| *piece == Piece { color, role: Role::King };
        seen.pieces().find(king).map(|(square, _)| square.rank())
    };
    if rank(Color::White) > rank(Color::Black) { seen.turned() } else { *seen }
}
