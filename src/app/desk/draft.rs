//! A match that is being agreed: the contents of a form, checked and described in plain words.

use std::path::PathBuf;

use tabiya_engine::record::Header;
use tabiya_engine::rules::{GAMES, GameKind, Group};
use tabiya_types::{BySeat, Color, Seat, Sentence};

use crate::presets;

/// The start position of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Position {
    /// The usual start position of the game.
    #[default]
    Usual,
    /// A whole FEN.
    Fen(String),
    /// As the pieces stand on the board, with this side to move.
    AsItStands(Color),
}

/// A match as it is entered in a form.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's name in the record.
    pub game: String,
    /// The names of the two players.
    pub players: BySeat<String>,
    /// The seat that has White in the first game.
    pub white: Seat,
    /// The start position.
    pub position: Position,
    /// The terms, in the form of the record.
    pub terms: Group,
    /// The name of the deck of cards with chips to play with, if any. It is not a term: the record does not contain
    /// it.
    pub deck: Option<String>,
    /// The start time for the record's header, as RFC 3339; `None` is the current time.
    pub start: Option<String>,
    /// The PGN file of the match, if one is kept; it is rewritten at each move.
    pub pgn: Option<PathBuf>,
}

impl NewMatch {
    /// Makes a match under these terms from the usual position. It has no deck, begins now, and keeps no PGN.
    pub fn usual(game: &str, players: BySeat<String>, white: Seat, terms: Group) -> Self {
        let game = game.to_owned();
        Self { game, players, white, position: Position::Usual, terms, deck: None, start: None, pgn: None }
    }

    /// Makes the record's header. `Err` is a sentence that says which term is wrong, and how.
    pub fn header(&self, start: Option<&str>) -> Result<Header, String> {
        if let Some(deck) = self.deck.as_ref().filter(|_| !turns_cards_over(&self.game)) {
            return Err(format!("no card is turned over in {}; begin it without the deck {deck}", self.game));
        }
        let mut terms = self.terms.clone();
        if let Position::Fen(fen) = &self.position {
            terms.set("fen", fen.trim());
        }
        let players = BySeat { a: name(&self.players.a, "A"), b: name(&self.players.b, "B") };
        let header = Header::compose(&self.game, &players, self.white, &terms, start, None);
        Header::from_value(header, GAMES).map_err(|error| error.to_string())
    }

    /// The lines of the match sheet; `Err` as for [`NewMatch::header`].
    pub fn sheet(&self) -> Result<Vec<Sentence>, String> {
        Ok(self.header(None)?.agreement.sheet())
    }

    /// Advice on playing under these terms with the set of pieces at hand; empty if a term is wrong.
    pub fn advice(&self) -> Vec<Sentence> {
        self.header(None).map(|header| header.agreement.inventory_advice()).unwrap_or_default()
    }
}

/// Whether cards are turned over in the game of that name, so that a deck can be chosen for it.
pub fn turns_cards_over(game: &str) -> bool {
    presets::kind(game).is_some_and(GameKind::turns_cards_over)
}

/// Returns the trimmed name, or the letter of the seat if the name is empty.
fn name(written: &str, seat: &str) -> String {
    let written = written.trim();
    if written.is_empty() { seat.to_owned() } else { written.to_owned() }
}
