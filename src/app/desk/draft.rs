//! A new match before it begins: the contents of the form for its terms, checked and described in plain words.

use std::path::PathBuf;

use tabiya_cards::deck::Deck;
use tabiya_engine::record::Header;
use tabiya_engine::rules::{GAMES, GameKind, Group, presets};
use tabiya_engine::table::Agreement;
use tabiya_types::{BySeat, Color, Pack, Seat, Sentence};

/// The start position of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Position {
    /// The usual start position of the game.
    #[default]
    Usual,
    /// A complete FEN.
    Fen(String),
    /// The position that the connected board shows, with this side to move.
    AsItStands(Color),
}

/// A new match, as people enter it in a form.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch {
    /// The game's name in the record.
    pub game: String,
    /// The names of the two players.
    pub players: BySeat<String>,
    /// The seat that plays White in the first game.
    pub white: Seat,
    /// The start position.
    pub position: Position,
    /// The terms of the match, in the record's format.
    pub terms: Group,
    /// The name of the deck of cards with NFC chips for this match, if any. The deck is not a term, so the record does
    /// not contain its name.
    pub deck: Option<String>,
    /// The start time for the record's header, as RFC 3339; `None` is the current time.
    pub start: Option<String>,
    /// The PGN file of the match, if one is kept. The file is rewritten within a second after each move.
    pub pgn: Option<PathBuf>,
}

impl NewMatch {
    /// Makes a match with these terms and the usual start position, without a deck and without a PGN file. The match's
    /// start time is the current time.
    pub fn usual(game: &str, players: BySeat<String>, white: Seat, terms: Group) -> Self {
        let game = game.to_owned();
        Self { game, players, white, position: Position::Usual, terms, deck: None, start: None, pgn: None }
    }

    /// Makes the header of the match's record. `Err` is a sentence that says which term is wrong, and why.
    pub fn header(&self, start: Option<&str>) -> Result<Header, String> {
        if let Some(deck) = self.deck.as_ref().filter(|_| !turns_cards_over(&self.game)) {
            return Err(format!(
                "{} is played without cards; begin the match without the deck {deck}",
                self.game
            ));
        }
        let mut terms = self.terms.clone();
        if let Position::Fen(fen) = &self.position {
            terms.set("fen", fen.trim());
        }
        let players = BySeat { a: name(&self.players.a, "A"), b: name(&self.players.b, "B") };
        let header = Header::compose(&self.game, &players, self.white, &terms, start, None);
        Header::from_value(header, GAMES).map_err(|error| error.to_string())
    }

    /// Returns the lines of the match sheet. `Err` is a sentence that says which term is wrong, and why.
    pub fn sheet(&self) -> Result<Vec<Sentence>, String> {
        Ok(self.header(None)?.agreement.sheet())
    }

    /// Returns advice if the players' sets have too few pieces of a kind for these terms; empty if a term is wrong.
    pub fn advice(&self) -> Vec<Sentence> {
        self.header(None).map(|header| header.agreement.inventory_advice()).unwrap_or_default()
    }
}

/// The kinds of deck that the game with this name can use; empty if it is played without cards that have chips.
pub fn packs_of(game: &str) -> &'static [Pack] {
    presets::kind(game).map_or(&[], GameKind::packs)
}

/// Whether cards are turned over in the game with this name, so that the game can use a deck.
pub fn turns_cards_over(game: &str) -> bool {
    !packs_of(game).is_empty()
}

/// Checks that a deck is the one that these terms need. `Err` is a sentence for people.
pub fn check_deck(deck: &Deck, agreement: &Agreement) -> Result<(), String> {
    let (name, has) = (deck.name(), deck.pack());
    match agreement.agreed.pack() {
        Some(needs) if needs == has => Ok(()),
        Some(needs) => Err(format!(
            "this match needs a deck of {} cards ({}), but the deck {name} has {} ({}); choose another deck",
            needs.size(),
            needs.word(),
            has.size(),
            has.word()
        )),
        None => Err(format!("{} is played without cards; play without the deck {name}", agreement.game)),
    }
}

/// Returns the trimmed name, or the letter of the seat if the name is empty.
fn name(written: &str, seat: &str) -> String {
    let written = written.trim();
    if written.is_empty() { seat.to_owned() } else { written.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_of_every_game_can_be_played() {
        let mut seen = 0;
        for kind in GAMES {
            for name in presets::names(kind.name()).map(Some).chain([None]) {
                let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
                let terms = presets::terms(name, kind.name()).expect("a preset");
                let new = NewMatch::usual(kind.name(), players, Seat::A, terms);
                assert!(new.header(None).is_ok(), "{} {name:?}", kind.name());
                seen += 1;
            }
        }
        assert!(seen > GAMES.len());
    }
}
