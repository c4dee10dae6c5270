//! What an input does beside changing the table: what the table requests from the app or reports to it.

use tabiya_types::{Color, Sentence};

use super::input::Input;
use crate::rules::Outcome;

/// Something that the table requests from the app or reports to it. The table does not wait for an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// A remark for the reader of the record.
    Note(Sentence),
    /// This player's turn has ended.
    TurnEnded(Color),
    /// This player placed a wrong piece; the opponent has gained the penalty time.
    Incident(Color),
    /// This player's flag fell.
    FlagFell(Color),
    /// The game has ended with this outcome.
    GameOver(Outcome),
    /// The match has ended.
    MatchOver,
    /// An action was undone, or an undo was reversed. So people must change the pieces on the board accordingly.
    SetBack,
    /// These inputs were taken back, the oldest first.
    TakenBack(Vec<Input>),
    /// After an action was taken back, this later input acted again.
    ActedAgain(Input),
}
