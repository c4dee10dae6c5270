//! The board behind a desk: what is known of it, and what the loop outside has to do about it.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::{Direction, to_hex};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::{BoardEvent, BoardInfo, ClockKind};
use tabiya_cards::{ReaderName, Record, Uid};
use tabiya_engine::sense::Watch;
use tabiya_types::{Board, Color, Instant, Observation, Piece, Role, Square, harmless};

use crate::snapshot::{BoardFact, BoardView, FoundBoard, LinkState, RawLine, SimulatedView};

/// How many raw lines the monitor keeps.
const RAW: usize = 400;
/// How many bytes of one read a line of the monitor shows.
const RAW_BYTES: usize = 96;

/// What the loop outside is asked to do.
#[derive(Clone, PartialEq, Debug)]
pub enum DeskOrder {
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
        simulated: maker.transports().web.is_none(),
    };
    CATALOG.iter().map(choice).collect()
}

/// What is known of the board.
#[derive(Debug, Default)]
pub(super) struct Boards {
    pub(super) link: LinkState,
    pub(super) address: Option<String>,
    pub(super) info: Option<BoardInfo>,
    /// The box beside the board, as it calls itself.
    beside: Option<BoardInfo>,
    clock: Option<String>,
    battery: Option<(u8, bool)>,
    seen: Option<Board>,
    pub(super) simulated: Option<SimulatedView>,
    pub(super) changes: Option<Arc<[u32; 64]>>,
    pub(super) bytes: Option<Arc<Vec<RawLine>>>,
    pub(super) capture: Option<String>,
    pub(super) found: Arc<Vec<FoundBoard>>,
    pub(super) orders: Vec<DeskOrder>,
}

impl Boards {
    pub(super) fn order(&mut self, order: DeskOrder) {
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

    /// `watch`: the table's, if there is one; it knows which way round the board stands.
    pub(super) fn view(&self, watch: Option<&Watch>) -> BoardView {
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
            seen: self.seen.and_then(|_| watch.map_or_else(|| self.upright(), Watch::seen)),
            simulated: self.simulated,
            changes: self.changes.clone(),
            bytes: self.bytes.clone(),
            capture: self.capture.clone(),
        }
    }

    /// Forgets the board that was there.
    pub(super) fn forget(&mut self) {
        (self.info, self.clock, self.battery, self.seen) = (None, None, None, None);
        self.simulated = None;
    }

    pub(super) fn notice(&mut self, event: &BoardEvent) {
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

    /// Something that the box beside the board told.
    pub(super) fn notice_box(&mut self, event: &BoardEvent) {
        match event {
            BoardEvent::Identified(info) => self.beside = Some(info.clone()),
            BoardEvent::Lost(_) => self.beside = None,
            _ => {}
        }
    }

    /// Raw bytes that went over the line; whether somebody watches them.
    pub(super) fn bytes(&mut self, direction: Direction, bytes: &[u8], at: Instant) -> bool {
        let Some(lines) = &mut self.bytes else { return false };
        let lines = Arc::make_mut(lines);
        let shown = bytes.get(..RAW_BYTES).unwrap_or(bytes);
        lines.push(RawLine { at, from_board: direction == Direction::FromDevice, hex: to_hex(shown) });
        let over = lines.len().saturating_sub(RAW);
        lines.drain(..over);
        true
    }

    /// What a table that has just begun has to be told of the box that is there already.
    pub(super) fn of_the_box(&self) -> Option<BoardEvent> {
        self.beside.clone().map(BoardEvent::Identified)
    }

    /// The same of the board, which is asked for its position, too.
    pub(super) fn of_the_board(&mut self) -> Vec<BoardEvent> {
        let Some(info) = self.info.clone() else { return Vec::new() };
        self.order(DeskOrder::Read);
        let seen = self.seen.map(|seen| BoardEvent::Observed(Observation::Whole(seen)));
        std::iter::once(BoardEvent::Identified(info)).chain(seen).collect()
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

/// A position that is to be begun from, with the white king's side below.
pub fn upright(seen: &Board) -> Board {
    let rank = |color: Color| {
        let king = |(_, piece): &(Square, Piece)| *piece == Piece { color, role: Role::King };
        seen.pieces().find(king).map(|(square, _)| square.rank())
    };
    if rank(Color::White) > rank(Color::Black) { seen.turned() } else { *seen }
}
