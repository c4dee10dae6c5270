//! The board as the screens show it: its connection, what it reports about itself, what it sees, and the boards that were found.

use std::sync::Arc;

use tabiya_types::{Board, Instant, Sentence, Squares};

/// The pieces and LEDs of a simulated board, as a person would see them on a real board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedView {
    /// The pieces on the simulated board.
    pub board: Board,
    /// The squares whose LEDs are lit.
    pub lit: Squares,
    /// Whether the board tells the presses of a clock.
    pub lever: bool,
}

/// A board's connection, and what the board reports.
#[derive(Clone, Debug, Default)]
pub struct BoardView {
    /// The state of the connection.
    pub link: LinkState,
    /// What people can do if the board is lost, or was not found.
    pub trouble: Option<Sentence>,
    /// Whether this board has answered since people asked for it.
    pub answered: bool,
    /// The board's address in the form that users type.
    pub address: Option<String>,
    /// What the board reports about itself: name, version, serial number.
    pub facts: Vec<(BoardFact, String)>,
    /// The battery's charge in percent, and whether it is being charged.
    pub battery: Option<(u8, bool)>,
    /// The pieces that the board reports. If the board is turned around, the position is already rotated, so that
    /// White's side is rank 1.
    pub seen: Option<Board>,
    /// The state of the simulated board, if this program simulates the board.
    pub simulated: Option<SimulatedView>,
    /// How often each square has changed since the sensor test began; `None` while no sensor test is running.
    pub changes: Option<Arc<[u32; 64]>>,
    /// The newest raw bytes, oldest first; `None` while the raw monitor is off.
    pub bytes: Option<Arc<Vec<RawLine>>>,
    /// The file that the bytes are being saved in, if any.
    pub capture: Option<String>,
}

/// The kinds of facts that a board reports about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardFact {
    /// The maker's name.
    Maker,
    /// The version of the firmware.
    Version,
    /// The serial number.
    Serial,
    /// The clock connected to the board.
    Clock,
}

/// The state of a board's connection.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LinkState {
    /// No board is connected, and no board is being looked for.
    #[default]
    None,
    /// The board is being looked for.
    Connecting,
    /// The board answers.
    Connected,
    /// The connection was lost for this reason; the board is being looked for again.
    Lost(String),
}

/// A line of the raw monitor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawLine {
    /// When the bytes were sent or received, in the program's own time.
    pub at: Instant,
    /// Whether the bytes came from the board.
    pub from_board: bool,
    /// The bytes in hexadecimal.
    pub hex: String,
}

/// A board that was found, or a port to which a board may be connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBoard {
    /// The address to connect to.
    pub address: String,
    /// The board's own name, or its maker's.
    pub name: String,
    /// How it is connected.
    pub link: FoundLink,
    /// Whether it is surely a board; otherwise it is a device that may be one.
    pub sure: bool,
}

/// How a board that was found is connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundLink {
    /// By a cable.
    Cable,
    /// Over Bluetooth, with the strength of its signal in dBm if that is known.
    Bluetooth(Option<i16>),
    /// By another program.
    Program,
}

/// A search for boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardSearch {
    /// Nobody has searched yet.
    #[default]
    Never,
    /// The search goes on.
    Running,
    /// The search ended at this moment of the program's own time.
    Ended(Instant),
}
