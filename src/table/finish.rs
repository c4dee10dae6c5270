//! Claims in a game whose last period has no increment, with the reasons that the record has for them.
//!
//! Source: Laws of Chess 2023, Guidelines III.4 and III.5. The record keeps the reason in English; who reads the story or the match
//! sheet reads it in his own language.

use tabiya_types::{Color, Sentence, say};

/// What a player with less than two minutes asks the arbiter for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinishClaim {
    /// An increment of five seconds for both, which is an offer of a draw, too (guideline III.4).
    Increment,
    /// A draw, because the opponent cannot win by normal means (guideline III.5).
    NormalMeans,
    /// A draw, because the opponent makes no effort to win by normal means (guideline III.5).
    NoEffort,
}

impl FinishClaim {
    /// All claims.
    pub const ALL: [Self; 3] = [Self::Increment, Self::NormalMeans, Self::NoEffort];

    /// The reason of the ruling that keeps this claim.
    pub fn reason(self, by: Color) -> String {
        match self {
            Self::Increment => format!("{by} asks for an increment, guideline III.4"),
            Self::NormalMeans => format!("{by} claims that there is no win by normal means, guideline III.5"),
            Self::NoEffort => {
                format!(
                    "{by} claims that the opponent makes no effort to win by normal means, guideline III.5"
                )
            }
        }
    }
}

/// Such a reason as a sentence; `None` for any other reason.
pub(super) fn told(reason: &str) -> Option<Sentence> {
    Color::ALL.into_iter().find_map(|by| {
        if reason == FinishClaim::Increment.reason(by) {
            Some(say!("claims-increment", "{by} asks for an increment (guideline III.4)", by))
        } else if reason == FinishClaim::NormalMeans.reason(by) {
            Some(say!(
                "claims-normal-means",
                "{by} claims that there is no win by normal means (guideline III.5)",
                by
            ))
        } else if reason == FinishClaim::NoEffort.reason(by) {
            Some(say!(
                "claims-no-effort",
                "{by} claims that the opponent makes no effort to win by normal means (guideline III.5)",
                by
            ))
        } else {
            None
        }
    })
}
