//! What a desk knows about the board, and the desk's orders to the loop about devices.

use std::path::PathBuf;
use std::sync::Arc;

use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::{Direction, to_hex};
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::{BoardEvent, BoardInfo, ClockKind};
use tabiya_cards::{ReaderName, Record, Uid};
use tabiya_engine::sense::Watch;
use tabiya_types::{Board, Color, Instant, Observation, Piece, Role, Sentence, Square, harmless};

use super::finding::link_words;
use crate::snapshot::{BoardFact, BoardSearch, BoardView, FoundBoard, LinkState, RawLine, SimulatedView};

/// The number of lines that the monitor of raw bytes keeps.
const RAW: usize = 400;
/// The number of bytes that the monitor shows of a single read or write.
const RAW_BYTES: usize = 96;

/// An order from the desk to the loop, which owns the devices and the printer.
#[derive(Clone, PartialEq, Debug)]
pub enum DeskOrder {
    /// Connect to the board at this address, and keep it connected.
    Connect(LiveAddress),
    /// Find the only board nearby, and connect to it.
    ConnectOnly,
    /// Start a simulated board of this maker with this position, and connect to it.
    Simulate(Maker, Option<Board>),
    /// Disconnect the board.
    Disconnect,
    /// Connect to the card-reader box at this address, and keep the box connected.
    Beside(LiveAddress),
    /// Ask the board for its complete position.
    Read,
    /// Search for boards.
    Discover,
    /// Carry out this action on the simulated board.
    Move(SimulatedMove),
    /// Save the board's raw bytes in this file from now on; `None` stops saving.
    Capture(Option<PathBuf>),
    /// Pass the last bytes of the board on, for this report of a fault.
    Report(ReportRequest),
    /// Ask the board for the charge of its battery.
    Battery,
    /// Start to watch the card readers (`true`), or stop watching them (`false`).
    Readers(bool),
    /// Write this record to the card with this UID. The card is on this reader.
    WriteCard(ReaderName, Uid, Record),
    /// Print this text on the system's printer.
    Print(String),
    /// Show the folder that contains this file.
    OpenFolder(PathBuf),
}

/// A report that is to be written once the board's last bytes are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportRequest {
    /// The file.
    pub path: PathBuf,
    /// Whether people typed the word for it, and read what is in the report as an answer.
    pub typed: bool,
}

/// An action of a person on the simulated board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimulatedMove {
    /// Make a move from the first square to the second one, including captures, castling, and promotion to a queen.
    Carry(Square, Square),
    /// Put a piece on a square.
    Put(Square, Piece),
    /// Remove the piece on a square from the board.
    Take(Square),
    /// Set all squares to this position at once.
    Set(Board),
    /// Press the board's clock for this side.
    Press(Color),
    /// Disconnect the board, as if its plug were pulled.
    Unplug,
    /// Connect the board again, as if its plug were put back in.
    Plug,
}

/// A board maker that people can choose from a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakerChoice {
    /// The prefix of addresses of the maker's boards: the word before the colon.
    pub prefix: &'static str,
    /// The maker's name.
    pub name: &'static str,
    /// Whether a board of this maker can be simulated here. A board that is connected only over a WebSocket cannot be
    /// simulated.
    pub simulated: bool,
}

/// Returns the makers in the order of the catalogue.
pub fn makers() -> Vec<MakerChoice> {
    let choice = |maker: &Maker| MakerChoice {
        prefix: maker.prefix(),
        name: maker.name(),
        simulated: maker.transports().web.is_none(),
    };
    CATALOG.iter().map(choice).collect()
}

/// What the desk knows about the board.
#[derive(Debug, Default)]
pub(super) struct Boards {
    pub(super) link: LinkState,
    /// What people can do about a lost board, for the screens.
    pub(super) trouble: Option<Sentence>,
    /// Whether the board has answered since people asked for it.
    answered: bool,
    pub(super) address: Option<String>,
    pub(super) info: Option<BoardInfo>,
    /// What the card-reader box beside the board reported about itself; `None` if no box is connected.
    beside: Option<BoardInfo>,
    clock: Option<String>,
    battery: Option<(u8, bool)>,
    seen: Option<Board>,
    pub(super) simulated: Option<SimulatedView>,
    pub(super) changes: Option<Arc<[u32; 64]>>,
    pub(super) bytes: Option<Arc<Vec<RawLine>>>,
    pub(super) capture: Option<String>,
    pub(super) found: Arc<Vec<FoundBoard>>,
    pub(super) search: BoardSearch,
    pub(super) orders: Vec<DeskOrder>,
}

impl Boards {
    pub(super) fn order(&mut self, order: DeskOrder) {
        self.orders.push(order);
    }

    /// Whether a board is connected, or the desk is trying to connect to one.
    pub(super) fn wanted(&self) -> bool {
        self.link != LinkState::None
    }

    /// The position on the board, rotated so that White is at the bottom. The kings' squares show which side is
    /// White's.
    pub(super) fn upright(&self) -> Option<Board> {
        self.seen.as_ref().map(upright)
    }

    pub(super) fn found(&self) -> Arc<Vec<FoundBoard>> {
        self.found.clone()
    }

    /// Returns what the screens show about the board. `watch` interprets the board for the match being played and
    /// knows the board's orientation; `None` if no match is being played.
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
            trouble: self.trouble.clone().filter(|_| matches!(self.link, LinkState::Lost(_))),
            answered: self.answered,
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

    /// Forgets what is known about the board that was connected.
    pub(super) fn forget(&mut self) {
        (self.info, self.clock, self.battery, self.seen) = (None, None, None, None);
        (self.trouble, self.answered) = (None, false);
        self.simulated = None;
    }

    pub(super) fn notice(&mut self, event: &BoardEvent) {
        self.answered |= matches!(event, BoardEvent::Identified(_) | BoardEvent::Observed(_));
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
                // This board reports only which squares are occupied. Without a match, the screens show a white pawn
                // on each occupied square.
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
                self.trouble = Some(link_words(error));
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

    /// Handles an event from the card-reader box beside the board.
    pub(super) fn notice_box(&mut self, event: &BoardEvent) {
        match event {
            BoardEvent::Identified(info) => self.beside = Some(info.clone()),
            BoardEvent::Lost(_) => self.beside = None,
            _ => {}
        }
    }

    /// Adds raw bytes of the board's connection to the monitor. Returns whether the monitor is on.
    pub(super) fn bytes(&mut self, direction: Direction, bytes: &[u8], at: Instant) -> bool {
        let Some(lines) = &mut self.bytes else { return false };
        let lines = Arc::make_mut(lines);
        let shown = bytes.get(..RAW_BYTES).unwrap_or(bytes);
        lines.push(RawLine { at, from_board: direction == Direction::FromDevice, hex: to_hex(shown) });
        let over = lines.len().saturating_sub(RAW);
        lines.drain(..over);
        true
    }

    /// The event that announces a connected box to a match that has just begun; `None` if no box is connected.
    pub(super) fn box_introduction(&self) -> Option<BoardEvent> {
        self.beside.clone().map(BoardEvent::Identified)
    }

    /// The events that announce a connected board to a match that has just begun. Also asks the board for its
    /// position.
    pub(super) fn board_introduction(&mut self) -> Vec<BoardEvent> {
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

/// The name under which people know this kind of clock.
fn clock_name(kind: ClockKind) -> &'static str {
    match kind {
        ClockKind::Xl => "DGT XL",
        ClockKind::Dgt3000 => "DGT 3000",
        ClockKind::TimesOnly => "DGT",
    }
}

/// Rotates the position by 180 degrees if the white king is on a higher rank than the black king.
pub fn upright(seen: &Board) -> Board {
    let rank = |color: Color| {
        let king = |(_, piece): &(Square, Piece)| *piece == Piece { color, role: Role::King };
        seen.pieces().find(king).map(|(square, _)| square.rank())
    };
    if rank(Color::White) > rank(Color::Black) { seen.rotated() } else { *seen }
}
