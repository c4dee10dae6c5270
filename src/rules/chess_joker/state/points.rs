//! The points of a game: who scores which card, and how that is told.
//!
//! Source: `docs/rules-chess-joker.md`, J4, J7, J8, J10 and J20.

use std::sync::Arc;

use tabiya_types::{Color, Sentence, say};

use super::super::card::JokerCard;
use super::super::lines::{JokerAction, PlayCard};
use super::{ENOUGH, FACE_DOWN, JokerState};
use crate::rules::action::OwnAction;

impl JokerState {
    /// A played card is scored: face-up for its points, as a masquerade face-down.
    pub(super) fn score_card(&mut self, by: Color, card: &JokerCard, play: &PlayCard) {
        let (code, pile) = (card.word(), Arc::make_mut(&mut self.piles[by]));
        let face_up = play.mask.is_none();
        let points = if face_up { card.elo.or(play.elo).unwrap_or(0) } else { FACE_DOWN };
        if face_up {
            pile.up.push(code.clone());
        } else {
            pile.down += 1;
        }
        self.points[by] += points;
        let total = self.points[by];
        self.tell_points(if face_up {
            say!(
                "scores-card",
                "{by} scores the card {code} face up: +{points}; {total} of {enough}",
                by,
                code,
                points,
                total,
                enough = ENOUGH
            )
        } else {
            say!(
                "scores-card-down",
                "{by} scores the card {code} face down: +{points}; {total} of {enough}",
                by,
                code,
                points,
                total,
                enough = ENOUGH
            )
        });
    }

    /// The player in check scores a card face-down, but for the win he needs more than that.
    pub(super) fn score_for_check(&mut self) {
        let by = self.turn;
        if self.deck == 0 || self.points[by] + FACE_DOWN >= ENOUGH {
            return;
        }
        let (points, total) = self.score_face_down(by);
        self.tell_points(say!(
            "scores-check",
            "{by} is in check and scores +{points}, face down from the deck; {total} of {enough}; deck: {deck}",
            by,
            points,
            total,
            enough = ENOUGH,
            deck = self.deck
        ));
    }

    /// The opponent of a player who makes his last stand scores a card face-down.
    pub(super) fn score_last_stand(&mut self, by: Color) {
        let (points, total) = self.score_face_down(by);
        self.tell_points(say!(
            "scores-last-stand",
            "Last Stand of {other}: {by} scores +{points}, face down from the deck; {total} of {enough}; deck: {deck}",
            other = by.other(),
            by,
            points,
            total,
            enough = ENOUGH,
            deck = self.deck
        ));
    }

    /// Scores the top card of the deck face-down. Returns its points, and all points of the player.
    fn score_face_down(&mut self, of: Color) -> (u32, u32) {
        self.points[of] += FACE_DOWN;
        Arc::make_mut(&mut self.piles[of]).down += 1;
        self.deck -= 1;
        (FACE_DOWN, self.points[of])
    }

    fn tell_points(&mut self, told: Sentence) {
        Arc::make_mut(&mut self.happened).push(told);
    }

    /// A draw in words, with the cards that it leaves in the deck; `None` for any other action.
    pub(super) fn told_with_the_deck(&self, action: &OwnAction) -> Option<Sentence> {
        let Some(JokerAction::Draw(_)) = action.of() else { return None };
        let (draws, deck) = (action.describe(), self.deck.saturating_sub(1));
        Some(say!("draws-from-deck", "{draws}; deck: {deck}", draws, deck))
    }
}
