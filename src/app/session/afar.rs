//! What the arbiter is told of an infringement, and what the Laws propose for an alert of a table whose session is elsewhere: from the
//! alert and the fold of its record.

use tabiya_engine::table::Table;
use tabiya_types::{Color, Sentence, say};

use super::arbiter::{for_absence, for_doubtful_flag, for_illegal_move, for_wrong_claim};
use super::proposing::{Infringement, ProposedRuling};

impl Infringement {
    /// What the player of this colour did.
    pub fn in_words(self, by: Color, table: &Table) -> Sentence {
        let name = table.name_of(by).to_owned();
        match self {
            Self::IllegalMove(count) => {
                say!("alert-illegal", "{by}'s illegal move number {count} of this game", by, count)
            }
            Self::WrongClaim => say!("alert-wrong-claim", "{name}'s claim of a draw is wrong", name),
            Self::Absence => say!("alert-absent", "the default time is over, and {name} has not moved", name),
            Self::SealedMove => say!("alert-sealed", "{name}'s sealed move is illegal, or not clear", name),
            Self::FinishClaimed => {
                say!("alert-finish", "{name} claims under the guidelines for games without increments", name)
            }
            Self::DoubtfulFlag => {
                say!("alert-doubtful", "{by}'s flag has fallen, and perhaps nobody could mate", by)
            }
        }
    }

    /// The infringement that an alert with this sentence is about: `count` is how often it happened.
    pub fn of_alert(sentence: &str, count: u32, (by, table): (Color, &Table)) -> Option<Self> {
        let all = [
            Self::IllegalMove(count),
            Self::WrongClaim,
            Self::Absence,
            Self::SealedMove,
            Self::FinishClaimed,
            Self::DoubtfulFlag,
        ];
        all.into_iter().find(|of| of.in_words(by, table).id() == sentence)
    }

    /// What the Laws propose for it, as far as that is known from afar: not what the players have sealed or claimed.
    pub fn proposed(self, by: Color, table: &Table) -> Option<ProposedRuling> {
        match self {
            Self::IllegalMove(count) => Some(for_illegal_move(by, count, None, table)),
            Self::WrongClaim => Some(for_wrong_claim(by, None, table)),
            Self::Absence => Some(for_absence(by, table)),
            Self::DoubtfulFlag => Some(for_doubtful_flag(by, table)),
            Self::SealedMove | Self::FinishClaimed => None,
        }
    }
}
