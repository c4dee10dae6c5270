//! The simulated board of a desk. Tabiya connects to this board over a pseudo-terminal, as to a real board, or over TCP on
//! a system that has none; people move its pieces on the screen.

use tabiya_boards::address::{BoardPort, LiveAddress};
use tabiya_boards::maker::Maker;
use tabiya_boards::notes::Notes;
use tabiya_boards::sim_host::{ScriptCommand, SimHost, SimOptions, after_move};
use tabiya_types::Board;
use tabiya_types::Role;

use super::SimulatedMove;
use crate::snapshot::SimulatedView;

/// A simulated board behind a real connection.
pub(super) struct Simulator {
    host: SimHost,
    maker: Maker,
    port: BoardPort,
    board: Board,
    notes: Notes,
}

impl Simulator {
    pub(super) fn start(maker: Maker, board: Option<Board>) -> Result<Self, String> {
        let mut options = SimOptions { maker, stdin: false, ..SimOptions::default() };
        if let Some(board) = board {
            options.setup.board = board;
        }
        let host = SimHost::start(&options, |_| {})
            .map_err(|error| format!("the simulated board cannot start: {error}"))?;
        let terminal = host.port().map(|port| BoardPort::Serial(port.display().to_string()));
        let tcp = || host.address().map(|at| BoardPort::Tcp { host: at.ip().to_string(), port: at.port() });
        let port = terminal.or_else(tcp).ok_or("the simulated board has no port")?;
        let notes = maker.simulated(&options.setup).map_or(Notes::NONE, |board| board.notes());
        Ok(Self { host, maker, port, board: options.setup.board, notes })
    }

    pub(super) fn address(&self) -> LiveAddress {
        let unit = self.host.unit().map(str::to_owned);
        LiveAddress { unit, ..LiveAddress::at(self.maker, self.port.clone()) }
    }

    /// The facts about the simulated board that its driver must know before it connects, such as the tags of the
    /// pieces or the maker's key.
    pub(super) fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// What the screen shows of the simulated board: its position after all actions that people have ordered on the
    /// screen, and the lamps that are lit now.
    pub(super) fn view(&self) -> SimulatedView {
        SimulatedView { board: self.board, lit: self.host.lit(), lever: self.host.has_lever() }
    }

    pub(super) fn order(&mut self, what: &SimulatedMove) {
        let command = match *what {
            SimulatedMove::Carry(from, to) => {
                let last = matches!(to.rank(), 0 | 7);
                let pawn = self.board[from].is_some_and(|piece| piece.role == Role::Pawn);
                let promotion = (pawn && last).then_some(Role::Queen);
                self.board = after_move(&self.board, from, to, promotion);
                let press = None;
                ScriptCommand::Move { from, to, promotion, press }
            }
            SimulatedMove::Put(square, piece) => {
                self.board[square] = Some(piece);
                ScriptCommand::Put(square, piece)
            }
            SimulatedMove::Take(square) => {
                self.board[square] = None;
                ScriptCommand::Lift(square)
            }
            SimulatedMove::Set(board) => {
                self.board = board;
                ScriptCommand::Board(board)
            }
            SimulatedMove::Press(color) => ScriptCommand::Press(color),
            SimulatedMove::Unplug => ScriptCommand::Unplug(None),
            SimulatedMove::Plug => ScriptCommand::Plug,
        };
        self.host.order(command);
    }
}
