//! The cards and the points of a game: what lies before the players, which codes were told, the deck, who scores which
//! card, and how that is told.
//!
//! Each code is told once, and each scored card lies in a pile.
//!
//! Source: `docs/rules-chess-joker.md`, J4, J7, J8, J10 and J20.

use std::collections::BTreeSet;
use std::sync::Arc;

use tabiya_types::{ByColor, Color, Seat, Sentence, say};

use super::super::card::{Code, JokerCard};
use super::super::effect::CardEffect;
use super::super::lines::{JokerAction, PlayCard};
use super::super::ruled::{Ruled, RuledCard};
use super::{ENOUGH, FACE_DOWN, refusal};
use crate::rules::action::OwnAction;
use crate::rules::capability::{Cards, Heap, HeapPlace};
use crate::rules::datum::{Datum, Group};
use crate::rules::kind::Start;
use crate::rules::violation::Violation;

/// The cards and the points of one game.
#[derive(Clone, Debug)]
pub(super) struct JokerCards {
    /// The card that lies before each player.
    pub(super) before: ByColor<Option<JokerCard>>,
    /// The codes that were told in this game.
    told: Arc<BTreeSet<Code>>,
    pub(super) points: ByColor<u32>,
    piles: ByColor<Arc<Pile>>,
    /// The number of cards in the deck.
    pub(super) deck: u32,
    /// How the points came about, in words, the oldest first.
    pub(super) happened: Arc<Vec<Sentence>>,
}

/// The cards that a player has scored.
#[derive(Clone, Debug, Default)]
struct Pile {
    /// The codes of those that lie face-up, in order.
    up: Vec<String>,
    down: u32,
}

impl JokerCards {
    /// No card was drawn yet from this many.
    pub(super) fn new(deck: u32) -> Self {
        Self {
            before: ByColor::default(),
            told: Arc::default(),
            points: ByColor::default(),
            piles: ByColor::default(),
            deck,
            happened: Arc::default(),
        }
    }

    /// What the card of a player says; `None` without a written card.
    pub(super) fn effect(&self, of: Color) -> Option<&CardEffect> {
        self.before[of].as_ref()?.effect.as_deref()
    }

    /// Whether the card of a player is written, or he has none.
    pub(super) fn is_written(&self, of: Color) -> bool {
        self.before[of].as_ref().is_none_or(|card| card.effect.is_some())
    }

    /// Whether this code was told.
    pub(super) fn is_told(&self, code: Code) -> bool {
        self.told.contains(&code)
    }

    /// A card of the deck lies before this player. Refused if its code was told before.
    pub(super) fn draw(&mut self, by: Color, card: &JokerCard) -> Result<(), Violation> {
        if let Some(code) = card.code {
            self.tell(code)?;
        }
        self.deck -= 1;
        self.before[by] = Some(card.clone());
        Ok(())
    }

    /// Whether this player has enough points to win.
    pub(super) fn has_enough(&self, of: Color) -> bool {
        self.points[of] >= ENOUGH
    }

    /// Notes a code that was told; refused if it was told before.
    pub(super) fn tell(&mut self, code: Code) -> Result<(), Violation> {
        if self.told.contains(&code) {
            return Err(refusal::told_already(code));
        }
        Arc::make_mut(&mut self.told).insert(code);
        Ok(())
    }

    /// A ruling sets points, the deck, and the cards before the players. Refused if one of them was told before.
    pub(super) fn rule(&mut self, ruled: &Ruled, start: Start) -> Result<(), Violation> {
        if let Some(score) = ruled.score {
            for seat in Seat::ALL {
                let color = start.color_of(seat);
                self.points[color] = score[seat].unwrap_or(self.points[color]);
            }
        }
        self.deck = ruled.deck.unwrap_or(self.deck);
        ruled.cards.as_ref().map_or(Ok(()), |cards| self.rule_cards(cards))
    }

    fn rule_cards(&mut self, cards: &ByColor<RuledCard>) -> Result<(), Violation> {
        let told = Arc::make_mut(&mut self.told);
        for (color, _) in cards.iter().filter(|(_, card)| card.is_some()) {
            if let Some(code) = self.before[color].take().and_then(|card| card.code) {
                told.remove(&code);
            }
        }
        for (color, card) in cards.iter() {
            let Some(Some(card)) = card else { continue };
            if let Some(code) = card.code
                && !told.insert(code)
            {
                return Err(refusal::told_already(code));
            }
            self.before[color] = Some(card.clone());
        }
        Ok(())
    }

    /// Refuses a play with another card than the one before the player, or points where they do not belong.
    pub(super) fn check(&self, play: &PlayCard) -> Result<(), Violation> {
        let Some(card) = &self.before[play.by] else { return Ok(()) };
        match (play.card, card.code) {
            (Some(code), Some(known)) if code != known => return Err(refusal::another_card(play.by, known)),
            (Some(code), None) if self.is_told(code) => return Err(refusal::told_already(code)),
            _ => {}
        }
        let needed = play.mask.is_none() && card.elo.is_none();
        match (needed, play.elo) {
            (true, None) => Err(refusal::points_missing()),
            (false, Some(_)) => Err(refusal::points_not_needed()),
            (true, Some(_)) | (false, None) => Ok(()),
        }
    }

    // ---- points ----

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
    pub(super) fn score_for_check(&mut self, by: Color) {
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

    /// The piles as the results have them, by what names a player's seat.
    pub(super) fn piles_told(&self, seat: &dyn Fn(Color) -> String) -> Group {
        let pile = |color: Color| {
            let Pile { up, down } = &*self.piles[color];
            (seat(color), Group::new().with("up", up.clone()).with("down", *down).into())
        };
        let mut piles: Vec<(String, Datum)> = Color::ALL.map(pile).into_iter().collect();
        piles.sort_by(|(one, _), (other, _)| one.cmp(other));
        piles.into_iter().collect()
    }

    /// A draw in words, with the cards that it leaves in the deck; `None` for any other action.
    pub(super) fn told_with_the_deck(&self, action: &OwnAction) -> Option<Sentence> {
        let Some(JokerAction::Draw(_)) = action.of() else { return None };
        let (draws, deck) = (action.describe(), self.deck.saturating_sub(1));
        Some(say!("draws-from-deck", "{draws}; deck: {deck}", draws, deck))
    }
}

impl Cards for JokerCards {
    fn heaps(&self) -> Vec<Heap> {
        let before = |color: Color| {
            let up = self.before[color].iter().map(JokerCard::word).collect();
            Heap { place: HeapPlace::Before(color), up, down: 0 }
        };
        let won = |color: Color| {
            let Pile { up, down } = &*self.piles[color];
            Heap { place: HeapPlace::Won(color), up: up.clone(), down: *down }
        };
        let stock = Heap { place: HeapPlace::Stock, up: Vec::new(), down: self.deck };
        Color::ALL.map(before).into_iter().chain(Color::ALL.map(won)).chain([stock]).collect()
    }
}
