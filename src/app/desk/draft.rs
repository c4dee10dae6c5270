//! A match that is being agreed: what a form asks for, checked and told in plain words.

use std::path::PathBuf;

use tabiya_engine::record::Header;
use tabiya_engine::rules::{GAMES, GameKind, Group};
use tabiya_types::{BySeat, Color, Seat, Sentence};

use crate::presets;

/// Where a game of chess begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Position {
    /// As the game has it.
    #[default]
    Usual,
    /// A whole FEN.
    Fen(String),
    /// As the pieces stand on the board, with this side to move.
    AsItStands(Color),
}

/// A match as a form asks for it.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's name in the record.
    pub game: String,
    /// The two people.
    pub players: BySeat<String>,
    /// Who has White first.
    pub white: Seat,
    /// Where it begins.
    pub position: Position,
    /// The terms as the record has them.
    pub terms: Group,
    /// The deck of cards with chips that it is played with, by its name. No term: the record does not tell of it.
    pub deck: Option<String>,
    /// When it begins, as the record's header has it; without it the date of the moment.
    pub start: Option<String>,
    /// Where a PGN of it is kept, written whole at each move.
    pub pgn: Option<PathBuf>,
}

impl NewMatch {
    /// One under these terms from the game's usual position; no deck is chosen, it begins now, no PGN is kept.
    pub fn usual(game: &str, players: BySeat<String>, white: Seat, terms: Group) -> Self {
        let game = game.to_owned();
        Self { game, players, white, position: Position::Usual, terms, deck: None, start: None, pgn: None }
    }

    /// The record's header. The error is a sentence that says which term is wrong and how.
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

    /// The match sheet, a line each.
    pub fn sheet(&self) -> Result<Vec<Sentence>, String> {
        Ok(self.header(None)?.agreement.sheet())
    }

    /// What the set of pieces at hand means under these terms.
    pub fn advice(&self) -> Vec<Sentence> {
        self.header(None).map(|header| header.agreement.inventory_advice()).unwrap_or_default()
    }
}

/// Whether cards are turned over in the game of that name, so that a deck can be chosen for it.
pub fn turns_cards_over(game: &str) -> bool {
    presets::kind(game).is_some_and(GameKind::turns_cards_over)
}

/// A nameless player is called by the seat.
fn name(written: &str, seat: &str) -> String {
    let written = written.trim();
    if written.is_empty() { seat.to_owned() } else { written.to_owned() }
}
