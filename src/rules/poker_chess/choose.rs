//! The line `choose`: a player names the pieces that form his hand (term `choice: player`).
//!
//! Source: `docs/rules-poker-chess.md`, rule 20; `docs/record-poker-chess.md`, "Lines" and "Results".

use tabiya_types::{Color, Fact, Sentence, Square, Squares, say};

use crate::rules::action::{ActionData, OwnAction};
use crate::rules::capability::PieceSets;
use crate::rules::datum::Group;
use crate::rules::fields::{Fields, FormError};
use crate::rules::offer::OfferData;

/// The record's word for the action.
pub(super) const WORD: &str = "choose";

/// A player names the pieces of his hand by their squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choose {
    /// The player who chooses.
    pub by: Color,
    /// The squares of the pieces: one to five different ones, in the player's order.
    pub squares: Vec<Square>,
}

impl Choose {
    /// Reads the fields of the action's line.
    pub(super) fn read(fields: &mut Fields) -> Result<Self, FormError> {
        const WANTED: &str = "a list of one to five different squares a1 to h8";
        let by = fields.by_player()?;
        let squares = fields.list("squares", WANTED, |text| text.parse().ok())?;
        let squares: Vec<Square> = squares.ok_or_else(|| fields.missing("squares"))?;
        let different: Squares = squares.iter().copied().collect();
        if squares.is_empty() || squares.len() > 5 || different.len() < squares.len() {
            return Err(fields.wrong("squares", WANTED));
        }
        Ok(Self { by, squares })
    }
}

impl ActionData for Choose {
    fn word(&self) -> &'static str {
        WORD
    }

    fn by(&self) -> Option<Color> {
        Some(self.by)
    }

    fn fields(&self) -> Group {
        Group::new().with("squares", texts(self.squares.iter().copied()))
    }

    fn takes_turn(&self) -> bool {
        true
    }

    fn waits_while_paused(&self) -> bool {
        true
    }

    fn changes_board(&self) -> bool {
        false
    }

    /// Black chooses after his move, White before his.
    fn follows_move(&self) -> bool {
        self.by == Color::Black
    }

    fn describe(&self) -> Sentence {
        let squares = Fact::list(self.squares.iter().copied());
        say!("tell-choose", "{by} chooses {squares}", by = self.by, squares)
    }
}

/// The choices that a player has now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The player who chooses.
    pub by: Color,
    /// The sets from which the player chooses one.
    pub sets: PieceSets,
}

impl OfferData for Choices {
    fn word(&self) -> &'static str {
        WORD
    }

    fn by(&self) -> Option<Color> {
        Some(self.by)
    }

    fn fields(&self) -> Group {
        let group = |(count, of): &(usize, Squares)| {
            Group::new().with("count", *count as u64).with("of", texts(of.iter()))
        };
        let some: Vec<Group> = self.sets.some.iter().map(group).collect();
        Group::new().with("all", texts(self.sets.all.iter())).with("some", some)
    }

    fn takes_turn(&self) -> bool {
        true
    }

    fn waits_while_paused(&self) -> bool {
        true
    }

    fn piece_sets(&self) -> Option<&PieceSets> {
        Some(&self.sets)
    }

    fn with_pieces(&self, squares: Vec<Square>) -> Option<OwnAction> {
        Some(OwnAction::new(Choose { by: self.by, squares }))
    }
}

fn texts(squares: impl Iterator<Item = Square>) -> Vec<String> {
    squares.map(|square| square.to_string()).collect()
}
