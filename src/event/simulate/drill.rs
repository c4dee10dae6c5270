//! A drill for arbiters: ten incidents, one after the other, each at a table of its own, whose people wait until somebody comes.
//!
//! What can be seen from afar is an alert at the console; what only people at the table see is told by [`DrillIncident::told`].

use std::time::Duration;

use tabiya_engine::rules::{GAMES, GameKind, Phase, Verb};
use tabiya_engine::table::Table;
use tabiya_types::{Color, Instant, Millis, Role, Square};

use super::SimulatedTable;

/// For how long the silent board stays silent.
pub(super) const UNPLUGGED: Millis = Millis(40_000);
/// For how long the table without power is away.
const DARK: Duration = Duration::from_secs(6);

/// What goes wrong at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrillIncident {
    /// A player makes an illegal move.
    IllegalMove,
    /// A player's flag falls.
    Flag,
    /// A player claims a draw that he has not.
    Claim,
    /// A player calls the arbiter, because his opponent talks.
    Call,
    /// The board is not heard any more.
    SilentBoard,
    /// A card was seen while it was dealt.
    FouledDeal,
    /// The match was begun with another time control than that of the event.
    WrongControl,
    /// A player has gone home.
    LeftTable,
    /// A player has resigned by touching the wrong button: his opponent has resigned.
    WrongResult,
    /// The table's computer has no power for a while.
    PowerCut,
}

impl DrillIncident {
    /// All of them, in the order in which they happen: the first one at table 1, the second one at table 2.
    pub const ALL: [Self; 10] = [
        Self::IllegalMove,
        Self::Flag,
        Self::Claim,
        Self::Call,
        Self::SilentBoard,
        Self::FouledDeal,
        Self::WrongControl,
        Self::LeftTable,
        Self::WrongResult,
        Self::PowerCut,
    ];

    /// The table at which it happens.
    pub fn table(self) -> u16 {
        let nth = Self::ALL.iter().position(|incident| *incident == self);
        u16::try_from(nth.unwrap_or(0) + 1).unwrap_or(1)
    }

    /// What the arbiter hears and sees when he comes to the table.
    pub fn told(self) -> &'static str {
        match self {
            Self::IllegalMove => "a king has gone too far; both players agree that he did",
            Self::Flag => "a flag has fallen; the opponent can mate",
            Self::Claim => "a draw is claimed, and no position has come three times",
            Self::Call => "the opponent talks; he is asked to be silent, and the game goes on",
            Self::SilentBoard => "the board's cable is loose; somebody plugs it in again",
            Self::FouledDeal => "a card was seen while it was dealt: the deal is void",
            Self::WrongControl => "the clocks have 3 minutes; the event's time control is 5+3",
            Self::LeftTable => "Black has gone home; White wins",
            Self::WrongResult => "White has touched the wrong button: it was Black who resigned",
            Self::PowerCut => {
                "the table's computer is dark; with power again the clocks stand until you let them go on"
            }
        }
    }
}

/// When the incidents of a drill happen.
#[derive(Clone, Debug)]
pub struct DrillPlan {
    /// The time between two incidents, in the hall's own time.
    pub every: Duration,
}

impl DrillPlan {
    /// What happens at this table, and when in the hall's time, in ms; `None` at a table at which nothing happens.
    pub(super) fn at(&self, table: u16) -> Option<(DrillIncident, u64)> {
        let incident = DrillIncident::ALL.into_iter().find(|incident| incident.table() == table)?;
        let after = self.every * u32::from(table);
        Some((incident, u64::try_from(after.as_millis()).unwrap_or(u64::MAX)))
    }
}

/// The game that is played at a table with this incident: one with bets about a deal, or the one with the fewest words.
pub(super) fn game(incident: Option<DrillIncident>) -> Option<&'static dyn GameKind> {
    let knows = |kind: &dyn GameKind, verb| kind.verbs().contains(&verb);
    let mut games = GAMES.iter().copied();
    if incident == Some(DrillIncident::FouledDeal) {
        return games
            .find(|kind| [Verb::Deal, Verb::Bet, Verb::Fouled].iter().all(|verb| knows(*kind, *verb)));
    }
    games.filter(|kind| knows(*kind, Verb::Move)).min_by_key(|kind| kind.verbs().len())
}

/// How much more time than until the incident the players have together whose flag is to fall, for each of them.
const TO_SPARE: Millis = Millis(5_000);

/// The time of a match at a table with this incident, which is due at this moment of the hall, in ms.
pub(super) fn time(incident: Option<(DrillIncident, u64)>) -> String {
    match incident {
        // Both have used about the same when it is due and nobody moves any more: then the flag falls soon, and not before.
        Some((DrillIncident::Flag, at)) => format!("{}", (at / 2 + TO_SPARE.0) / 1_000),
        Some((DrillIncident::WrongControl, _)) => "180".to_owned(),
        Some(_) | None => "900+10".to_owned(),
    }
}

/// A square that no king reaches from this one in one move.
fn too_far(from: Square) -> Square {
    let far =
        Square::all().find(|to| to.file().abs_diff(from.file()) > 2 && to.rank().abs_diff(from.rank()) > 2);
    far.unwrap_or(from)
}

impl SimulatedTable {
    /// Lets the table's incident happen, once it is time. Returns it.
    pub(super) fn drill(&mut self, now: Instant) -> Option<DrillIncident> {
        let due = |(_, at): &mut (DrillIncident, u64)| now.millis() >= *at;
        // What needs the game in a certain stage waits for it, and a stage that is over soon waits for it.
        if !self.is_ready() {
            return None;
        }
        self.waits |= self.drilled.is_some_and(|(incident, _)| incident == DrillIncident::FouledDeal);
        let (incident, _) = self.drilled.take_if(due)?;
        self.waits = false;
        let mover = self.table().and_then(Table::mover).unwrap_or(Color::White);
        match incident {
            DrillIncident::IllegalMove => {
                let typed = self.king(mover).map(|from| format!("{from}{}", too_far(from)));
                self.type_in(typed, now);
            }
            DrillIncident::Flag => self.waits = true,
            DrillIncident::Claim => self.type_in([format!("claim {}", mover.word())], now),
            DrillIncident::Call | DrillIncident::FouledDeal | DrillIncident::WrongControl => {
                self.call(mover, now);
            }
            DrillIncident::LeftTable => self.call(Color::White, now),
            DrillIncident::SilentBoard => {}
            DrillIncident::WrongResult => {
                self.waits = true;
                self.type_in(["resign white".to_owned(), "yes".to_owned()], now);
            }
            DrillIncident::PowerCut => self.cut_power(DARK),
        }
        Some(incident)
    }

    /// Whether what is to happen can happen now.
    fn is_ready(&mut self) -> bool {
        let Some((incident, _)) = self.drilled else { return false };
        let Some(table) = self.table() else { return false };
        match incident {
            DrillIncident::FouledDeal => table.phase() == Phase::Bet,
            _ => table.mover().is_some() && table.clock().turn().is_some(),
        }
    }

    /// The match as it stands.
    fn table(&mut self) -> Option<&Table> {
        Some(self.playing.as_mut()?.desk().session()?.table())
    }

    /// Where the king of this colour stands.
    fn king(&mut self, color: Color) -> Option<Square> {
        let board = self.table()?.physical();
        board.pieces().find(|(_, piece)| piece.color == color && piece.role == Role::King).map(|(at, _)| at)
    }
}
