//! What the table of a game shows beside the board: the cards before the players, check, what waits for a yes.
//!
//! Source: `docs/record-chess-joker.md`, "The game as a value" and "Results".

use tabiya_types::{ByColor, Color, Sentence, Square};

use super::super::card::JokerCard;
use super::super::choice::CardUses;
use super::super::effect::{Effort, Masquerade};
use super::super::lines::PlayCard;
use super::super::step::CardStep;
use super::{JokerState, Stage, Waiting};
use crate::rules::sight::SightData;
use crate::rules::uci::Uci;

/// What the table of a game shows beside the board.
#[derive(Clone, PartialEq, Debug)]
pub struct JokerSight {
    /// The card that lies before each player.
    pub cards: ByColor<Option<JokerCard>>,
    /// What each written card could do if it were its owner's turn.
    pub uses: ByColor<Option<CardUses>>,
    /// How the player to act is known to be in check.
    pub check: Option<JokerCheck>,
    /// Whether the opponent's card has so many uses that not all of them were tried for a check.
    pub check_cut_short: bool,
    /// Whether a player has so few pieces that the beginning of his turn is a Last Stand (rule J4).
    pub last_stand: ByColor<bool>,
    /// What was done with an unwritten card and waits for a yes.
    pub declared: Option<PlayCard>,
    /// The squares that the last play named.
    last: Vec<Square>,
}

/// A check, and what gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JokerCheck {
    /// The player in check.
    pub of: Color,
    /// The square of his king.
    pub king: Square,
    /// The squares of the pieces that threaten the king.
    pub pieces: Vec<Square>,
    /// A use of the opponent's card that captures the king; `None` if the card threatens him not.
    pub card: Option<(Masquerade, Vec<CardStep>)>,
    /// Whether the check was claimed and agreed.
    pub claimed: bool,
}

impl JokerState {
    pub(super) fn shown_beside(&self) -> JokerSight {
        let declared = match &self.waits {
            Some(Waiting::Use(play, _)) => Some(play.clone()),
            Some(Waiting::Claim { .. }) | None => None,
        };
        let effort = Effort::for_the_screen();
        JokerSight {
            cards: self.ground.cards.before.clone(),
            uses: ByColor::new(|color| self.ground.uses_of(color)),
            check: if self.stage == Stage::Draw {
                None
            } else {
                self.ground.check_shown(self.outcome.is_some(), &effort)
            },
            check_cut_short: effort.is_spent(),
            last_stand: ByColor::new(|color| self.ground.has_few(color)),
            last: match &declared {
                Some(play) => play.steps.iter().flat_map(|step| step.squares()).collect(),
                None => self.sheet.listed.last().map(|play| squares(play)).unwrap_or_default(),
            },
            declared,
        }
    }
}

impl SightData for JokerSight {
    fn check(&self) -> Option<Square> {
        self.check.as_ref().map(|check| check.king)
    }

    fn last_squares(&self) -> Vec<Square> {
        self.last.clone()
    }

    fn card_before(&self, of: Color) -> Option<Sentence> {
        self.cards[of].as_ref().map(JokerCard::told)
    }
}

/// The squares of a play as it stands in the list of moves: `e2e4`, `UT:c8f5`, `JX(N=P):e5d7`.
fn squares(play: &str) -> Vec<Square> {
    match play.split_once(':') {
        Some((_, steps)) => steps
            .split(',')
            .filter_map(|step| step.parse::<CardStep>().ok())
            .flat_map(CardStep::squares)
            .collect(),
        None => Uci::parse(play).map_or_else(Vec::new, |uci| vec![uci.from, uci.to]),
    }
}
